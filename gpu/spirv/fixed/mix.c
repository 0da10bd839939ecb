#include "gpu/spirv/fixed/mix.h"

#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/texel.h"
#include "renderer/picture/rows.h"

/* The lanes of a vector are a pixel's channels. All is whole numbers modulo 2^32, those with a sign
 * as two's complement. */
enum { CHANNELS = 3, SCALE_BITS = 15 };

/* The invocation's pixel. Those beyond the last column make that one once more. */
struct pixel {
    uint32_t column;
    uint32_t row;
    uint32_t record; /* of the row */
};

static uint32_t number(struct spirv *module, enum spirv_mix_word word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

static uint32_t is_set(struct spirv *module, enum spirv_mix_word word)
{
    return SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, number(module, word),
                      spirv_word(module, 0));
}

static struct pixel find_pixel(struct spirv *module)
{
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    const uint32_t right = number(module, SPIRV_MIX_RIGHT);
    const uint32_t column = spirv_least(
        module, SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 0), right);
    const uint32_t row =
        spirv_least(module, SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 1),
                    number(module, SPIRV_MIX_BOTTOM));
    const uint32_t columns = spirv_sum(module, right, spirv_word(module, 1));
    const uint32_t before = spirv_product(module, row, spirv_word(module, SPIRV_MIX_ROW_WORDS));
    return (struct pixel){column, row, spirv_sum(module, columns, before)};
}

static uint32_t word_of_row(struct spirv *module, const struct pixel *pixel, uint32_t word)
{
    return spirv_read(module, SPIRV_BUFFER_PLACES,
                      spirv_sum(module, pixel->record, spirv_word(module, word)));
}

/* Three words of the row's record. */
static simd_words channels_of_row(struct spirv *module, const struct pixel *pixel, uint32_t word)
{
    uint32_t lane[CHANNELS + 1];
    for (uint32_t k = 0; k < CHANNELS; k++) {
        lane[k] = word_of_row(module, pixel, word + k);
    }
    lane[CHANNELS] = spirv_word(module, 0);
    return (simd_words){
        module, spirv_make(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_UINTS, lane, CHANNELS + 1)};
}

static simd_words scaled(simd_words value, simd_words factor)
{
    const simd_words half = simd_all_words(UINT32_C(1) << (SCALE_BITS - 1));
    return simd_right_signed(simd_plus(lane_times(value, factor), half), SCALE_BITS);
}

/* ---- the echo ---- */

static uint32_t first_of_row(struct spirv *module, uint32_t row)
{
    return spirv_sum(module, number(module, SPIRV_MIX_SOURCE),
                     spirv_product(module, row, number(module, SPIRV_MIX_SOURCE_PITCH)));
}

static uint32_t texel_of(struct spirv *module, uint32_t first, uint32_t column)
{
    return spirv_read(module, SPIRV_BUFFER_PICTURES, spirv_sum(module, first, column));
}

/* Nothing decays: that last step leaves channels as they are. */
static simd_words sample(struct spirv *module, const struct pixel *pixel)
{
    const struct spirv_surface picture = {
        .buffer = SPIRV_BUFFER_PICTURES,
        .first = number(module, SPIRV_MIX_SOURCE),
        .pitch = number(module, SPIRV_MIX_SOURCE_PITCH),
    };
    const uint32_t one = spirv_word(module, 1);
    const struct spirv_neighbours x =
        spirv_neighbours(module, spirv_read(module, SPIRV_BUFFER_PLACES, pixel->column),
                         spirv_sum(module, number(module, SPIRV_MIX_RIGHT), one));
    const struct spirv_neighbours y =
        spirv_neighbours(module, word_of_row(module, pixel, SPIRV_MIX_ROW_ECHO),
                         spirv_sum(module, number(module, SPIRV_MIX_BOTTOM), one));
    return lane_channels(module, spirv_texel(module, &picture, &x, &y, 0));
}

/* ---- the mix ---- */

static simd_words shade_of(struct spirv *module, const struct pixel *pixel)
{
    const simd_words first = channels_of_row(module, pixel, SPIRV_MIX_ROW_SHADE);
    const simd_words step = channels_of_row(module, pixel, SPIRV_MIX_ROW_STEP);
    const simd_words past = lane_times(step, lane_spread(module, pixel->column));
    return simd_right_signed(simd_plus(first, past), SCALE_BITS);
}

/* What a layer adds, in eighths. */
static simd_words part(struct spirv *module, enum spirv_mix_word layer, simd_words channels,
                       simd_words shade)
{
    const simd_words weight = lane_spread(module, number(module, layer));
    const uint32_t shaded = lane_words_compared(
        SPIRV_INTEGER_NOT_EQUAL, lane_spread(module, number(module, SPIRV_MIX_SHADED)),
        simd_all_words(0));
    return scaled(simd_left(channels, 7),
                  lane_words_chosen(module, shaded, scaled(weight, shade), weight));
}

static simd_words divided_by_255(simd_words x)
{
    const simd_words t = simd_plus(x, simd_all_words(128));
    return lane_right(simd_plus(t, lane_right(t, simd_all_words(8))), simd_all_words(8));
}

static simd_words chosen(struct spirv *module, enum rend_filter filter, simd_words yes,
                         simd_words no)
{
    const simd_words filters = lane_spread(module, number(module, SPIRV_MIX_FILTERS));
    const uint32_t wanted = lane_words_compared(
        SPIRV_INTEGER_NOT_EQUAL, simd_and(filters, simd_all_words(filter)), simd_all_words(0));
    return lane_words_chosen(module, wanted, yes, no);
}

static simd_words filtered(struct spirv *module, simd_words x)
{
    const simd_words all = simd_all_words(255);
    const simd_words rest = lane_minus(all, x);
    const simd_words bright = lane_minus(all, divided_by_255(lane_times(rest, rest)));
    x = chosen(module, REND_FILTER_BRIGHTEN, bright, x);
    x = chosen(module, REND_FILTER_DARKEN, divided_by_255(lane_times(x, x)), x);
    const simd_words product = lane_times(x, lane_minus(all, x));
    x = chosen(module, REND_FILTER_SOLARIZE, divided_by_255(simd_left(product, 1)), x);
    return chosen(module, REND_FILTER_INVERT, lane_minus(all, x), x);
}

uint32_t *spirv_mix_words(struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    spirv_begin(module);
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t echo = spirv_variable(module, SPIRV_UINTS);
    const struct pixel pixel = find_pixel(module);
    const simd_words shade = shade_of(module, &pixel);
    const struct spirv_part echoes = spirv_begin_part(module, is_set(module, SPIRV_MIX_ECHO));
    const simd_words echo_part = part(module, SPIRV_MIX_ECHO_WEIGHT, sample(module, &pixel), shade);
    spirv_store(module, echo, echo_part.name);
    spirv_end_part(module, echoes);
    const uint32_t texel = texel_of(module, first_of_row(module, pixel.row), pixel.column);
    const simd_words sum =
        simd_plus(part(module, SPIRV_MIX_WEIGHT, lane_channels(module, texel), shade),
                  (simd_words){module, spirv_load(module, SPIRV_UINTS, echo)});
    const simd_words eighths = simd_plus(sum, simd_all_words(4));
    const simd_words level =
        lane_least(lane_right(eighths, simd_all_words(3)), simd_all_words(255));
    const uint32_t at =
        spirv_sum(module, spirv_product(module, pixel.row, number(module, SPIRV_MIX_TARGET_PITCH)),
                  pixel.column);
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, at),
              lane_pixel(module, filtered(module, level)));
    const uint32_t main = spirv_function_end(module, &outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_MIX_GROUP, controls, count);
    spirv_free(module);
    return words;
}
