#include "gpu/spirv/fixed/warp.h"

#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/texel.h"
#include "tmu/kernels.h"

enum { HALF_BITS = 16, HALF = 0xFFFF };

static uint32_t number(struct spirv *module, enum spirv_warp_word word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

static uint32_t place(struct spirv *module, uint32_t first, uint32_t word)
{
    return spirv_read(module, SPIRV_BUFFER_PLACES,
                      spirv_sum(module, first, spirv_word(module, word)));
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
    const uint32_t at = spirv_least(
        module, SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, down ? 1 : 0),
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
    const uint32_t carry =
        spirv_chosen(module, carries, spirv_word(module, 1), spirv_word(module, 0));
    const uint32_t upper = spirv_sum(module, place(module, across->place, SPIRV_WARP_TURN),
                                     place(module, down->place, SPIRV_WARP_TURN));
    const uint32_t is_left = SPIRV_MAKE(module, SPIRV_UNSIGNED_LESS, SPIRV_BOOL, across->at,
                                        spirv_sum(module, upper, carry));
    const uint32_t cell = spirv_sum(module, place(module, across->place, SPIRV_WARP_CELL),
                                    place(module, down->place, SPIRV_WARP_CELL));
    return spirv_sum(module, cell,
                     spirv_chosen(module, is_left, spirv_word(module, 0),
                                  spirv_word(module, SPIRV_WARP_TRIANGLE_WORDS)));
}

/* The upper word of at + past * per row, which have two words: the lower ones by halves, where no
 * sum reaches 2^32 as long as past is below SPIRV_WARP_SIZE_MAX. */
static uint32_t upper_word(struct spirv *module, uint32_t ramp, uint32_t past)
{
    const uint32_t at = place(module, ramp, SPIRV_WARP_AT_LOW);
    const uint32_t per_row = place(module, ramp, SPIRV_WARP_PER_ROW_LOW);
    const uint32_t low =
        spirv_sum(module, spirv_masked(module, at, HALF),
                  spirv_product(module, spirv_masked(module, per_row, HALF), past));
    const uint32_t high =
        spirv_sum(module, spirv_right(module, at, HALF_BITS),
                  spirv_product(module, spirv_right(module, per_row, HALF_BITS), past));
    const uint32_t carried = spirv_sum(module, high, spirv_right(module, low, HALF_BITS));
    const uint32_t upper =
        spirv_sum(module, place(module, ramp, SPIRV_WARP_AT),
                  spirv_product(module, place(module, ramp, SPIRV_WARP_PER_ROW), past));
    return spirv_sum(module, upper, spirv_right(module, carried, HALF_BITS));
}

static uint32_t clamped(struct spirv *module, uint32_t c, uint32_t size)
{
    const uint32_t last = spirv_difference(module, size, spirv_word(module, 1));
    const uint32_t most = SPIRV_MAKE(module, SPIRV_SHIFT_LEFT, SPIRV_UINT, last,
                                     spirv_word(module, TMU_POSITION_BITS));
    const uint32_t inside =
        SPIRV_EXTEND(module, SPIRV_EXTENDED_SIGNED_MAX, SPIRV_UINT, c, spirv_word(module, 0));
    return spirv_least(module, inside, most);
}

static struct spirv_neighbours find_neighbours(struct spirv *module, uint32_t ramp,
                                               const struct axis *across, const struct axis *down,
                                               uint32_t size)
{
    const uint32_t steps =
        spirv_product(module, across->past, place(module, ramp, SPIRV_WARP_STEP));
    const uint32_t c = spirv_sum(module, upper_word(module, ramp, down->past), steps);
    const uint32_t clamps = SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL,
                                       number(module, SPIRV_WARP_CLAMPED), spirv_word(module, 0));
    const uint32_t position =
        spirv_chosen(module, clamps, clamped(module, c, size), spirv_wrap(module, c, size));
    return spirv_neighbours(module, position, size);
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
    const struct spirv_neighbours x =
        find_neighbours(module, ramp, &across, &down, number(module, SPIRV_WARP_WIDTH));
    const struct spirv_neighbours y =
        find_neighbours(module, other, &across, &down, number(module, SPIRV_WARP_HEIGHT));
    const struct spirv_surface texture = {
        .buffer = SPIRV_BUFFER_PICTURES,
        .first = number(module, SPIRV_WARP_TEXTURE),
        .pitch = number(module, SPIRV_WARP_TEXTURE_PITCH),
    };
    const uint32_t pixel = spirv_texel(module, &texture, &x, &y, number(module, SPIRV_WARP_KEEP));
    const uint32_t at = spirv_sum(
        module, spirv_product(module, down.at, number(module, SPIRV_WARP_PITCH)), across.at);
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, at), pixel);
    const uint32_t main = spirv_function_end(module, &outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_WARP_GROUP, controls, count);
    spirv_free(module);
    return words;
}
