#include "gpu/spirv/place.h"

#include "gpu/spirv/arithmetic.h"
#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"

enum { QUAD = 4 };

static simd_words number(struct spirv_quad *quad, uint32_t word)
{
    struct spirv *module = quad->module;
    return lane_spread(
        module, spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_constant(module, SPIRV_UINT, word)));
}

static simd_words of_places(struct spirv_quad *quad, const uint32_t index[QUAD])
{
    uint32_t word[QUAD];
    for (int i = 0; i < QUAD; i++) {
        word[i] = spirv_read(quad->module, SPIRV_BUFFER_PLACES, index[i]);
    }
    return (simd_words){
        quad->module, spirv_make(quad->module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_UINTS, word, QUAD)};
}

/* Where a word of the record of that number stands. */
static uint32_t record(struct spirv_quad *quad, uint32_t place, uint32_t words, uint32_t word)
{
    struct spirv *module = quad->module;
    return spirv_sum(module, spirv_product(module, place, spirv_word(module, words)),
                     spirv_word(module, word));
}

static simd_words of_columns(struct spirv_quad *quad, enum spirv_column_word word)
{
    const uint32_t left = record(quad, quad->x, SPIRV_COLUMN_WORDS, word);
    const uint32_t right = SPIRV_MAKE(quad->module, SPIRV_INTEGER_ADD, SPIRV_UINT, left,
                                      spirv_constant(quad->module, SPIRV_UINT, SPIRV_COLUMN_WORDS));
    const uint32_t index[QUAD] = {left, right, left, right};
    return of_places(quad, index);
}

static simd_words of_rows(struct spirv_quad *quad, enum spirv_row_word word)
{
    struct spirv *module = quad->module;
    const uint32_t rows = spirv_read(module, SPIRV_BUFFER_NUMBERS,
                                     spirv_constant(module, SPIRV_UINT, SPIRV_NUMBER_ROWS));
    const uint32_t upper = SPIRV_MAKE(module, SPIRV_INTEGER_ADD, SPIRV_UINT, rows,
                                      record(quad, quad->y, SPIRV_ROW_WORDS, word));
    const uint32_t lower = SPIRV_MAKE(module, SPIRV_INTEGER_ADD, SPIRV_UINT, upper,
                                      spirv_constant(module, SPIRV_UINT, SPIRV_ROW_WORDS));
    const uint32_t index[QUAD] = {upper, upper, lower, lower};
    return of_places(quad, index);
}

/* ---- the mesh ---- */

static simd_floats of_vertex(struct spirv_quad *quad, simd_words vertex, uint32_t value)
{
    return simd_as_number(
        lane_gathered(quad->module, SPIRV_BUFFER_PLACES, simd_plus(vertex, simd_all_words(value))));
}

/* Numbers that are not below 0 compare as their bits do. */
static uint32_t beyond(simd_floats a, simd_floats b)
{
    return lane_words_compared(SPIRV_UNSIGNED_GREATER, simd_as_word(a), simd_as_word(b));
}

/* Of u (0) or v (1), of which vertices have one each: in the left triangle from its lower corner
 * up, in the right one from its upper corner down, then across. */
static simd_floats in_mesh(struct spirv_quad *quad, uint32_t value)
{
    const simd_words cell =
        simd_plus(of_rows(quad, SPIRV_ROW_VERTEX), of_columns(quad, SPIRV_COLUMN_CELL));
    const simd_words low = simd_plus(simd_left(cell, 1), number(quad, SPIRV_NUMBER_VERTICES));
    const simd_words high = simd_plus(low, simd_left(number(quad, SPIRV_NUMBER_ACROSS), 1));
    const simd_floats low_left = of_vertex(quad, low, value);
    const simd_floats low_right = of_vertex(quad, low, value + 2);
    const simd_floats high_left = of_vertex(quad, high, value);
    const simd_floats high_right = of_vertex(quad, high, value + 2);
    const simd_floats up = simd_as_number(of_rows(quad, SPIRV_ROW_WITHIN));
    const simd_floats down = simd_sub(simd_all(1.0f), up);
    const simd_floats within = simd_as_number(of_columns(quad, SPIRV_COLUMN_WITHIN));
    const uint32_t right = beyond(within, down);
    const simd_floats start = lane_chosen(right, high_left, low_left);
    const simd_floats change = simd_sub(lane_chosen(right, low_right, high_left),
                                        lane_chosen(right, high_right, low_left));
    const simd_floats slope = simd_sub(lane_chosen(right, high_right, low_right), start);
    const simd_floats from = simd_add(start, simd_mul(change, lane_chosen(right, down, up)));
    return simd_add(from, simd_mul(slope, within));
}

/* ---- angles and radii ---- */

/* From the centre, along x (0) or y (1). */
static simd_floats centred(struct spirv_quad *quad, int axis)
{
    if (quad->centred[axis] == 0) {
        const simd_floats place = simd_as_number(axis == 0 ? of_columns(quad, SPIRV_COLUMN_PLACE)
                                                           : of_rows(quad, SPIRV_ROW_PLACE));
        const simd_floats from = simd_sub(simd_mul(place, simd_all(2.0f)), simd_all(1.0f));
        const simd_floats aspect =
            simd_as_number(number(quad, axis == 0 ? SPIRV_NUMBER_RIGHT : SPIRV_NUMBER_DOWN));
        quad->centred[axis] = simd_mul(from, aspect).name;
    }
    return (simd_floats){quad->module, quad->centred[axis]};
}

static simd_floats radius(struct spirv_quad *quad)
{
    const simd_floats x = centred(quad, 0);
    const simd_floats y = centred(quad, 1);
    const uint32_t square[] = {simd_add(simd_mul(x, x), simd_mul(y, y)).name, 0};
    const simd_floats root = {quad->module, spirv_compute(quad->module, SHADER_OP_SQRT, square)};
    return quad->stage == SHADER_COMP
               ? simd_mul(root, simd_as_number(number(quad, SPIRV_NUMBER_RADIUS)))
               : root;
}

static simd_floats angle(struct spirv_quad *quad)
{
    const uint32_t arguments[] = {centred(quad, 1).name, centred(quad, 0).name};
    const simd_floats ang = {quad->module, spirv_compute(quad->module, SHADER_OP_ATAN2, arguments)};
    if (quad->stage != SHADER_COMP) {
        return ang;
    }
    const simd_words below = simd_lt(ang, simd_all(0.0f));
    return simd_add(ang, simd_as_number(simd_and(below, simd_as_word(simd_all(6.2831853f)))));
}

/* ---- hues ---- */

static simd_floats corner(struct spirv_quad *quad, int colour, int at)
{
    return simd_as_number(number(quad, (uint32_t)(SPIRV_NUMBER_HUE + 4 * colour + at)));
}

static simd_floats hue(struct spirv_quad *quad, int colour)
{
    const simd_floats right = simd_as_number(of_columns(quad, SPIRV_COLUMN_PLACE));
    const simd_floats down = simd_as_number(of_rows(quad, SPIRV_ROW_PLACE));
    simd_floats edge[2];
    for (int i = 0; i < 2; i++) {
        const simd_floats from = corner(quad, colour, 2 * i + 1);
        edge[i] = simd_add(from, simd_mul(simd_sub(corner(quad, colour, 2 * i), from), right));
    }
    return simd_add(edge[0], simd_mul(simd_sub(edge[1], edge[0]), down));
}

uint32_t spirv_place_input(struct spirv_quad *quad, enum shader_input input)
{
    const bool mesh = quad->stage == SHADER_WARP;
    switch (input) {
    case SHADER_INPUT_U:
        return (mesh ? in_mesh(quad, 0) : simd_as_number(of_columns(quad, SPIRV_COLUMN_PLACE)))
            .name;
    case SHADER_INPUT_V:
        return (mesh ? in_mesh(quad, 1) : simd_as_number(of_rows(quad, SPIRV_ROW_PLACE))).name;
    case SHADER_INPUT_U_ORIG:
        return simd_as_number(of_columns(quad, SPIRV_COLUMN_PLACE)).name;
    case SHADER_INPUT_V_ORIG:
        return simd_as_number(of_rows(quad, SPIRV_ROW_PLACE)).name;
    case SHADER_INPUT_RAD:
        return radius(quad).name;
    case SHADER_INPUT_ANG:
        return angle(quad).name;
    default:
        return hue(quad, (int)input - SHADER_INPUT_HUE_R).name;
    }
}
