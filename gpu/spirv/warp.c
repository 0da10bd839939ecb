#include "gpu/spirv/warp.h"

#include "gpu/spirv/read.h"

enum { AXES = 2, COLOURS = 3, HALF_BITS = 16, HALF = 0xFFFF };

/* As tmu/kernels.h has them. */
enum { POSITION_BITS = 16, FRACTION_SHIFT = 8, FRACTION = 255, WHOLE = 32767, ROUNDING = 1 << 14 };

static uint32_t number(struct spirv *module, enum spirv_warp_word word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

static uint32_t place(struct spirv *module, uint32_t first, uint32_t word)
{
    return spirv_read(module, SPIRV_BUFFER_PLACES,
                      spirv_sum(module, first, spirv_word(module, word)));
}

static uint32_t difference(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_INTEGER_SUB, SPIRV_UINT, a, b);
}

static uint32_t right(struct spirv *module, uint32_t a, uint32_t bits)
{
    return SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT, SPIRV_UINT, a, spirv_word(module, bits));
}

static uint32_t masked(struct spirv *module, uint32_t a, uint32_t mask)
{
    return SPIRV_MAKE(module, SPIRV_BIT_AND, SPIRV_UINT, a, spirv_word(module, mask));
}

static uint32_t chosen(struct spirv *module, uint32_t truth, uint32_t yes, uint32_t no)
{
    return SPIRV_MAKE(module, SPIRV_SELECT, SPIRV_UINT, truth, yes, no);
}

static uint32_t least(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_EXTEND(module, SPIRV_EXTENDED_UNSIGNED_MIN, SPIRV_UINT, a, b);
}

/* ---- where a pixel reads ---- */

/* A column or row of the picture. */
struct axis {
    uint32_t at;
    uint32_t place; /* where its words stand */
    uint32_t past;
};

static struct axis find_axis(struct spirv *module, bool down)
{
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    const uint32_t at =
        least(module, SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, down ? 1 : 0),
              number(module, down ? SPIRV_WARP_LAST_ROW : SPIRV_WARP_LAST_COLUMN));
    const uint32_t words = spirv_product(module, at, spirv_word(module, SPIRV_WARP_PLACE_WORDS));
    const uint32_t first = down ? spirv_sum(module, number(module, SPIRV_WARP_ROWS), words) : words;
    return (struct axis){at, first, place(module, first, SPIRV_WARP_PAST)};
}

/* Where the words of the pixel's triangle stand. */
static uint32_t triangle_of(struct spirv *module, const struct axis *across,
                            const struct axis *down)
{
    const uint32_t low = place(module, across->place, SPIRV_WARP_TURN_LOW);
    const uint32_t lower = spirv_sum(module, low, place(module, down->place, SPIRV_WARP_TURN_LOW));
    const uint32_t carries = SPIRV_MAKE(module, SPIRV_UNSIGNED_LESS, SPIRV_BOOL, lower, low);
    const uint32_t carry = chosen(module, carries, spirv_word(module, 1), spirv_word(module, 0));
    const uint32_t upper = spirv_sum(module, place(module, across->place, SPIRV_WARP_TURN),
                                     place(module, down->place, SPIRV_WARP_TURN));
    const uint32_t is_left = SPIRV_MAKE(module, SPIRV_UNSIGNED_LESS, SPIRV_BOOL, across->at,
                                        spirv_sum(module, upper, carry));
    const uint32_t cell = spirv_sum(module, place(module, across->place, SPIRV_WARP_CELL),
                                    place(module, down->place, SPIRV_WARP_CELL));
    return spirv_sum(module, cell,
                     chosen(module, is_left, spirv_word(module, 0),
                            spirv_word(module, SPIRV_WARP_TRIANGLE_WORDS)));
}

/* The upper word of at + past * per row, which have two words: the lower ones by halves, where no
 * sum reaches 2^32 as long as past is below SPIRV_WARP_SIZE_MAX. */
static uint32_t upper_word(struct spirv *module, uint32_t ramp, uint32_t past)
{
    const uint32_t at = place(module, ramp, SPIRV_WARP_AT_LOW);
    const uint32_t per_row = place(module, ramp, SPIRV_WARP_PER_ROW_LOW);
    const uint32_t low = spirv_sum(module, masked(module, at, HALF),
                                   spirv_product(module, masked(module, per_row, HALF), past));
    const uint32_t high = spirv_sum(module, right(module, at, HALF_BITS),
                                    spirv_product(module, right(module, per_row, HALF_BITS), past));
    const uint32_t carried = spirv_sum(module, high, right(module, low, HALF_BITS));
    const uint32_t upper =
        spirv_sum(module, place(module, ramp, SPIRV_WARP_AT),
                  spirv_product(module, place(module, ramp, SPIRV_WARP_PER_ROW), past));
    return spirv_sum(module, upper, right(module, carried, HALF_BITS));
}

/* (c * size) >> 16, of which 2^32 in c are a turn. */
static uint32_t wrapped(struct spirv *module, uint32_t c, uint32_t size)
{
    const uint32_t high = spirv_product(module, right(module, c, HALF_BITS), size);
    const uint32_t low = spirv_product(module, masked(module, c, HALF), size);
    return spirv_sum(module, high, right(module, low, HALF_BITS));
}

static uint32_t clamped(struct spirv *module, uint32_t c, uint32_t size)
{
    const uint32_t last = difference(module, size, spirv_word(module, 1));
    const uint32_t most =
        SPIRV_MAKE(module, SPIRV_SHIFT_LEFT, SPIRV_UINT, last, spirv_word(module, POSITION_BITS));
    const uint32_t inside =
        SPIRV_EXTEND(module, SPIRV_EXTENDED_SIGNED_MAX, SPIRV_UINT, c, spirv_word(module, 0));
    return least(module, inside, most);
}

/* On an axis of the texture: two neighbours, and how far it is from the first to the second one,
 * 0..255. The last one's neighbour is the first one of all; where coordinates clamp it does not
 * count. */
struct neighbours {
    uint32_t first;
    uint32_t second;
    uint32_t fraction;
};

static struct neighbours find_neighbours(struct spirv *module, uint32_t ramp,
                                         const struct axis *across, const struct axis *down,
                                         uint32_t size)
{
    const uint32_t steps =
        spirv_product(module, across->past, place(module, ramp, SPIRV_WARP_STEP));
    const uint32_t c = spirv_sum(module, upper_word(module, ramp, down->past), steps);
    const uint32_t clamps = SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL,
                                       number(module, SPIRV_WARP_CLAMPED), spirv_word(module, 0));
    const uint32_t position =
        chosen(module, clamps, clamped(module, c, size), wrapped(module, c, size));
    const uint32_t first = right(module, position, POSITION_BITS);
    const uint32_t next = spirv_sum(module, first, spirv_word(module, 1));
    const uint32_t ends = SPIRV_MAKE(module, SPIRV_INTEGER_EQUAL, SPIRV_BOOL, next, size);
    return (struct neighbours){first, chosen(module, ends, spirv_word(module, 0), next),
                               masked(module, right(module, position, FRACTION_SHIFT), FRACTION)};
}

/* ---- texels ---- */

static uint32_t mixed(struct spirv *module, const uint32_t texels[2], uint32_t shift, uint32_t mask,
                      uint32_t fraction)
{
    const uint32_t rest = difference(module, spirv_word(module, FRACTION), fraction);
    uint32_t channel[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t moved = shift > 0 ? right(module, texels[i], shift) : texels[i];
        channel[i] = masked(module, moved, mask);
    }
    return spirv_sum(module, spirv_product(module, channel[0], rest),
                     spirv_product(module, channel[1], fraction));
}

/* Sums of two neighbours' channels, from the lowest up, weighted as if these were 128 less. Weights
 * add up to 255, so that sums of two channels at a time fit into the halves of a word. */
static void mix_row(struct spirv *module, uint32_t row, const struct neighbours *x,
                    uint32_t sums[COLOURS])
{
    const uint32_t texels[2] = {
        spirv_read(module, SPIRV_BUFFER_PICTURES, spirv_sum(module, row, x->first)),
        spirv_read(module, SPIRV_BUFFER_PICTURES, spirv_sum(module, row, x->second))};
    const uint32_t outer = mixed(module, texels, 0, 0xFF00FF, x->fraction);
    const uint32_t of_halves[COLOURS] = {masked(module, outer, HALF),
                                         mixed(module, texels, 8, 0xFF, x->fraction),
                                         right(module, outer, HALF_BITS)};
    for (int k = 0; k < COLOURS; k++) {
        sums[k] = difference(module, of_halves[k], spirv_word(module, 128 * FRACTION));
    }
}

/* (value * factor + 2^14) >> 15, as two's complement. */
static uint32_t scaled(struct spirv *module, uint32_t value, uint32_t factor)
{
    const uint32_t sum =
        spirv_sum(module, spirv_product(module, value, factor), spirv_word(module, ROUNDING));
    return SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT_SIGNED, SPIRV_UINT, sum, spirv_word(module, 15));
}

static uint32_t row_at(struct spirv *module, uint32_t row)
{
    return spirv_sum(module, number(module, SPIRV_WARP_TEXTURE),
                     spirv_product(module, row, number(module, SPIRV_WARP_TEXTURE_PITCH)));
}

static uint32_t pixel_of(struct spirv *module, const struct neighbours *x,
                         const struct neighbours *y)
{
    uint32_t upper[COLOURS];
    uint32_t lower[COLOURS];
    mix_row(module, row_at(module, y->first), x, upper);
    mix_row(module, row_at(module, y->second), x, lower);
    const uint32_t down =
        right(module, spirv_product(module, y->fraction, spirv_word(module, 257)), 1);
    const uint32_t up = difference(module, spirv_word(module, WHOLE), down);
    const uint32_t keep = number(module, SPIRV_WARP_KEEP);
    uint32_t pixel = spirv_word(module, 0);
    for (uint32_t k = 0; k < COLOURS; k++) {
        const uint32_t sum =
            spirv_sum(module, scaled(module, upper[k], up), scaled(module, lower[k], down));
        const uint32_t positive = spirv_sum(module, sum, spirv_word(module, 32768));
        const uint32_t texel =
            right(module, spirv_product(module, positive, spirv_word(module, 257)), 16);
        const uint32_t moved = SPIRV_MAKE(module, SPIRV_SHIFT_LEFT, SPIRV_UINT,
                                          scaled(module, texel, keep), spirv_word(module, 8 * k));
        pixel = SPIRV_MAKE(module, SPIRV_BIT_OR, SPIRV_UINT, pixel, moved);
    }
    return pixel;
}

uint32_t *spirv_warp_words(struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    spirv_begin(module);
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const struct axis across = find_axis(module, false);
    const struct axis down = find_axis(module, true);
    const uint32_t ramp = triangle_of(module, &across, &down);
    const uint32_t other = spirv_sum(module, ramp, spirv_word(module, SPIRV_WARP_RAMP_WORDS));
    const struct neighbours x =
        find_neighbours(module, ramp, &across, &down, number(module, SPIRV_WARP_WIDTH));
    const struct neighbours y =
        find_neighbours(module, other, &across, &down, number(module, SPIRV_WARP_HEIGHT));
    const uint32_t pixel = pixel_of(module, &x, &y);
    const uint32_t at = spirv_sum(
        module, spirv_product(module, down.at, number(module, SPIRV_WARP_PITCH)), across.at);
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, at), pixel);
    const uint32_t main = spirv_function_end(module, &outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_WARP_GROUP, controls, count);
    spirv_free(module);
    return words;
}
