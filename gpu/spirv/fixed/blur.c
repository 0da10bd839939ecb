#include "gpu/spirv/fixed/blur.h"

#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"

/* The lanes of a vector are a pixel's channels. */
enum { ROWS_MAX = 8, LOW_BITS = 12 };

static uint32_t number(struct spirv *module, enum spirv_blur_word word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

/* A column or row of the target, and what it takes from the source. */
struct axis {
    uint32_t at;     /* where it is written */
    uint32_t record; /* of that which stands there */
    uint32_t last;   /* of the source */
};

static struct axis find_axis(struct spirv *module, uint32_t axis, int taps)
{
    const bool down = axis == 1;
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    const uint32_t at =
        spirv_least(module, SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, axis),
                    number(module, down ? SPIRV_BLUR_LAST_ROW : SPIRV_BLUR_LAST_COLUMN));
    const uint32_t size = number(module, down ? SPIRV_BLUR_HEIGHT : SPIRV_BLUR_WIDTH);
    const uint32_t behind = SPIRV_MAKE(module, SPIRV_INTEGER_EQUAL, SPIRV_BOOL, at, size);
    const uint32_t from =
        SPIRV_MAKE(module, SPIRV_SELECT, SPIRV_UINT, behind, spirv_word(module, 0), at);
    const uint32_t record =
        spirv_product(module, from, spirv_word(module, (uint32_t)spirv_blur_record_words(taps)));
    return (struct axis){
        .at = at,
        .record = down ? spirv_sum(module, number(module, SPIRV_BLUR_ROWS), record) : record,
        .last = number(module, down ? SPIRV_BLUR_BOTTOM : SPIRV_BLUR_RIGHT),
    };
}

static uint32_t word_of(struct spirv *module, const struct axis *axis, uint32_t word)
{
    return spirv_read(module, SPIRV_BUFFER_PLACES,
                      spirv_sum(module, axis->record, spirv_word(module, word)));
}

/* The source's column or row for a tap. */
static uint32_t source_of(struct spirv *module, const struct axis *axis, uint32_t first, int tap)
{
    const uint32_t before = spirv_word(module, SPIRV_BLUR_BEFORE);
    const uint32_t counted = spirv_sum(module, first, spirv_word(module, (uint32_t)tap));
    const uint32_t inside =
        SPIRV_EXTEND(module, SPIRV_EXTENDED_UNSIGNED_MAX, SPIRV_UINT, counted, before);
    return spirv_least(module, SPIRV_MAKE(module, SPIRV_INTEGER_SUB, SPIRV_UINT, inside, before),
                       axis->last);
}

/* A tap's weight, for all channels. */
static simd_words weight_of(struct spirv *module, const struct axis *axis, int tap)
{
    const uint32_t pair = word_of(module, axis, (uint32_t)(SPIRV_BLUR_WEIGHTS + tap / 2));
    const uint32_t half =
        tap % 2 == 0
            ? SPIRV_MAKE(module, SPIRV_BIT_AND, SPIRV_UINT, pair, spirv_word(module, 0xFFFF))
            : SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT, SPIRV_UINT, pair, spirv_word(module, 16));
    return lane_spread(module, half);
}

static simd_words weighted_sum(struct spirv *module, const struct axis *across,
                               const struct axis *down, int columns, int rows)
{
    const uint32_t source = number(module, SPIRV_BLUR_SOURCE);
    const uint32_t pitch = number(module, SPIRV_BLUR_SOURCE_PITCH);
    const uint32_t first_row = word_of(module, down, SPIRV_BLUR_FIRST);
    uint32_t row[ROWS_MAX];
    simd_words row_weight[ROWS_MAX];
    for (int j = 0; j < rows; j++) {
        row[j] = spirv_sum(module, source,
                           spirv_product(module, source_of(module, down, first_row, j), pitch));
        row_weight[j] = weight_of(module, down, j);
    }
    const uint32_t first_column = word_of(module, across, SPIRV_BLUR_FIRST);
    simd_words all = lane_spread(module, spirv_word(module, 0));
    for (int i = 0; i < columns; i++) {
        const uint32_t column = source_of(module, across, first_column, i);
        simd_words mixed = lane_spread(module, spirv_word(module, 64));
        for (int j = 0; j < rows; j++) {
            const uint32_t texel =
                spirv_read(module, SPIRV_BUFFER_PICTURES, spirv_sum(module, row[j], column));
            mixed = simd_plus(mixed, lane_times(row_weight[j], lane_channels(module, texel)));
        }
        all = simd_plus(
            all, lane_times(weight_of(module, across, i), lane_right(mixed, simd_all_words(7))));
    }
    return all;
}

static simd_floats float_of(struct spirv *module, enum spirv_blur_word word)
{
    return simd_as_number(lane_spread(module, number(module, word)));
}

static simd_floats light_of(struct spirv *module, const struct axis *axis)
{
    return simd_as_number(lane_spread(module, word_of(module, axis, SPIRV_BLUR_LIGHT)));
}

/* Two exact numbers whose sum is rounded once. */
static simd_floats rounded(simd_words word)
{
    const uint32_t low = (UINT32_C(1) << LOW_BITS) - 1;
    const simd_floats upper = lane_from_words(lane_right(word, simd_all_words(LOW_BITS)));
    const simd_floats lower = lane_from_words(simd_and(word, simd_all_words(low)));
    return simd_add(simd_mul(upper, simd_all((float)(low + 1))), lower);
}

static simd_words finished(struct spirv *module, simd_words all, const struct axis *across,
                           const struct axis *down)
{
    const simd_floats left = light_of(module, across);
    const simd_floats right = light_of(module, down);
    const simd_floats light = simd_min(left, right);
    const simd_floats factor = simd_add(float_of(module, SPIRV_BLUR_ALWAYS),
                                        simd_mul(float_of(module, SPIRV_BLUR_DARKEN), light));
    simd_floats level = simd_mul(rounded(all), float_of(module, SPIRV_BLUR_SCALE));
    level = simd_add(simd_mul(level, factor), float_of(module, SPIRV_BLUR_BIAS));
    level =
        lane_chosen(lane_compared(SPIRV_FLOAT_LESS, simd_all(0.0f), level), level, simd_all(0.0f));
    level = simd_min(simd_all(255.0f), simd_max(simd_all(0.0f), level));
    return lane_cut(simd_add(level, simd_all(0.5f)));
}

uint32_t *spirv_blur_words(int columns, int rows, struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    assert(columns % 2 == 0 && rows % 2 == 0 && rows <= ROWS_MAX);
    spirv_begin(module);
    module->mends_comparisons = !controls.keep_denormals;
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const struct axis across = find_axis(module, 0, columns);
    const struct axis down = find_axis(module, 1, rows);
    const simd_words all = weighted_sum(module, &across, &down, columns, rows);
    const uint32_t pixel = lane_pixel(module, finished(module, all, &across, &down));
    const uint32_t at = spirv_sum(
        module, number(module, SPIRV_BLUR_TARGET),
        spirv_sum(module, spirv_product(module, down.at, number(module, SPIRV_BLUR_TARGET_PITCH)),
                  across.at));
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, at), pixel);
    const uint32_t main = spirv_function_end(module, &outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_BLUR_GROUP, controls, count);
    spirv_free(module);
    return words;
}
