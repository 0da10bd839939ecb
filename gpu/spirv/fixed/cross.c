#include "gpu/spirv/fixed/cross.h"

#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"

/* The lanes of a vector are a pixel's channels. */

static uint32_t number(struct spirv *module, enum spirv_cross_word word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

/* The light of a pixel: 77 red + 150 green + 29 blue. */
static uint32_t light_of(struct spirv *module, uint32_t pixel)
{
    static const uint32_t weights[] = {29, 150, 77};
    uint32_t light = spirv_word(module, 0);
    for (uint32_t k = 0; k < sizeof weights / sizeof *weights; k++) {
        const uint32_t channel = spirv_masked(module, spirv_right(module, pixel, 8 * k), 255);
        light = spirv_sum(module, light,
                          spirv_product(module, channel, spirv_word(module, weights[k])));
    }
    return light;
}

/* Columns behind the last one go with it. */
static uint32_t when_of(struct spirv *module, uint32_t column, uint32_t row)
{
    const uint32_t width = number(module, SPIRV_CROSS_WIDTH);
    const uint32_t last = spirv_difference(module, width, spirv_word(module, 1));
    const uint32_t at =
        spirv_sum(module, spirv_product(module, row, width), spirv_least(module, column, last));
    const uint32_t pair = spirv_read(module, SPIRV_BUFFER_PLACES, spirv_right(module, at, 1));
    const uint32_t bits =
        spirv_product(module, spirv_masked(module, at, 1), spirv_word(module, 16));
    return spirv_masked(module, SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT, SPIRV_UINT, pair, bits),
                        UINT16_MAX);
}

static uint32_t is_above(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_SIGNED_GREATER, SPIRV_BOOL, a, b);
}

/* Of what comes, 0..256. */
static uint32_t weight_of(struct spirv *module, uint32_t when)
{
    const uint32_t none = spirv_word(module, 0);
    const uint32_t limit = number(module, SPIRV_CROSS_LIMIT);
    uint32_t moment = spirv_sum(module, when, number(module, SPIRV_CROSS_OFFSET));
    moment = spirv_chosen(module, is_above(module, none, moment), none, moment);
    moment = spirv_chosen(module, is_above(module, moment, limit), limit, moment);
    return spirv_right(module, spirv_product(module, moment, number(module, SPIRV_CROSS_SCALE)),
                       16);
}

uint32_t *spirv_cross_words(struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    spirv_begin(module);
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    const uint32_t column = SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 0);
    const uint32_t row = SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 1);
    const uint32_t at =
        spirv_sum(module, spirv_product(module, row, number(module, SPIRV_CROSS_PITCH)), column);
    const uint32_t leaves = spirv_read(module, SPIRV_BUFFER_PICTURES, at);
    const uint32_t lit = SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL,
                                    number(module, SPIRV_CROSS_LIT), spirv_word(module, 0));
    const uint32_t when =
        spirv_chosen(module, lit, light_of(module, leaves), when_of(module, column, row));
    const uint32_t weight = weight_of(module, when);
    const uint32_t rest = spirv_difference(module, spirv_word(module, 256), weight);
    const simd_words old = lane_times(lane_channels(module, leaves), lane_spread(module, rest));
    const uint32_t comes = spirv_read(module, SPIRV_BUFFER_RESULTS, at);
    const simd_words fresh = lane_times(lane_channels(module, comes), lane_spread(module, weight));
    const simd_words sum = simd_plus(simd_plus(old, fresh), simd_all_words(128));
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, at),
              lane_pixel(module, lane_right(sum, simd_all_words(8))));
    const uint32_t main = spirv_function_end(module, &outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_CROSS_GROUP, controls, count);
    spirv_free(module);
    return words;
}
