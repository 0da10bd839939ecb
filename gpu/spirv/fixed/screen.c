#include "gpu/spirv/fixed/screen.h"

#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/texel.h"

static uint32_t number(struct spirv *module, uint32_t word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

/* The invocation's pixel. Those beyond the last column make that one once more. */
struct pixel {
    uint32_t column;
    uint32_t row;
    uint32_t columns;
    uint32_t rows;
};

static uint32_t coordinate(struct spirv *module, uint32_t where, uint32_t axis, uint32_t size)
{
    const uint32_t last = spirv_difference(module, size, spirv_word(module, 1));
    return spirv_least(module, SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, axis),
                       last);
}

static struct pixel find_pixel(struct spirv *module, uint32_t columns, uint32_t rows)
{
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    struct pixel pixel = {.columns = number(module, columns), .rows = number(module, rows)};
    pixel.column = coordinate(module, where, 0, pixel.columns);
    pixel.row = coordinate(module, where, 1, pixel.rows);
    return pixel;
}

static uint32_t at(struct spirv *module, uint32_t column, uint32_t row, uint32_t pitch)
{
    return spirv_sum(module, spirv_product(module, row, pitch), column);
}

static void put(struct spirv *module, const struct pixel *pixel, uint32_t value)
{
    const uint32_t place = at(module, pixel->column, pixel->row, pixel->columns);
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, place), value);
}

static uint32_t *finish(struct spirv *module, struct spirv_outer *outer,
                        struct spirv_controls controls, size_t *count)
{
    const uint32_t main = spirv_function_end(module, outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_SCREEN_GROUP, controls, count);
    spirv_free(module);
    return words;
}

/* ---- the window's picture ---- */

/* A picture by the words of its numbers, and where its positions begin. */
struct layer {
    unsigned buffer;
    uint32_t width;
    uint32_t height;
    uint32_t pitch;
    uint32_t places;
};

struct position {
    uint32_t x;
    uint32_t y;
};

static struct position position_in(struct spirv *module, const struct layer *layer,
                                   const struct pixel *pixel)
{
    const uint32_t rows = spirv_sum(module, layer->places, pixel->columns);
    return (struct position){
        spirv_read(module, SPIRV_BUFFER_PLACES, spirv_sum(module, layer->places, pixel->column)),
        spirv_read(module, SPIRV_BUFFER_PLACES, spirv_sum(module, rows, pixel->row))};
}

static uint32_t sample(struct spirv *module, const struct layer *layer,
                       const struct position *position)
{
    const struct spirv_surface surface = {
        .buffer = layer->buffer,
        .first = spirv_word(module, 0),
        .pitch = number(module, layer->pitch),
    };
    const struct spirv_neighbours x =
        spirv_neighbours(module, position->x, number(module, layer->width));
    const struct spirv_neighbours y =
        spirv_neighbours(module, position->y, number(module, layer->height));
    return spirv_texel(module, &surface, &x, &y, 0);
}

static uint32_t is_inside(struct spirv *module, const struct position *position)
{
    const uint32_t outside = spirv_word(module, SPIRV_SCREEN_OUTSIDE);
    const uint32_t wide =
        SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, position->x, outside);
    const uint32_t high =
        SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, position->y, outside);
    return SPIRV_MAKE(module, SPIRV_LOGICAL_AND, SPIRV_BOOL, wide, high);
}

/* One over the other. */
static uint32_t laid_over(struct spirv *module, uint32_t over, uint32_t under)
{
    enum { ALL = 255, REST = ALL - SPIRV_SCREEN_OPACITY };
    const simd_words sum =
        simd_plus(lane_times(lane_channels(module, over), simd_all_words(SPIRV_SCREEN_OPACITY)),
                  lane_times(lane_channels(module, under), simd_all_words(REST)));
    const simd_words t = simd_plus(sum, simd_all_words(128));
    const simd_words eight = simd_all_words(8);
    return lane_pixel(module, lane_right(simd_plus(t, lane_right(t, eight)), eight));
}

uint32_t *spirv_screen_words(struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    spirv_begin(module);
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t colour = spirv_variable(module, SPIRV_UINT);
    const struct pixel pixel = find_pixel(module, SPIRV_SCREEN_COLUMNS, SPIRV_SCREEN_ROWS);
    const struct layer picture = {.buffer = SPIRV_BUFFER_PICTURES,
                                  .width = SPIRV_SCREEN_WIDTH,
                                  .height = SPIRV_SCREEN_HEIGHT,
                                  .pitch = SPIRV_SCREEN_PITCH,
                                  .places = spirv_word(module, 0)};
    const struct layer over = {.buffer = SPIRV_BUFFER_TEXELS,
                               .width = SPIRV_SCREEN_OVER_WIDTH,
                               .height = SPIRV_SCREEN_OVER_HEIGHT,
                               .pitch = SPIRV_SCREEN_OVER_PITCH,
                               .places = spirv_sum(module, pixel.columns, pixel.rows)};
    const struct position in_picture = position_in(module, &picture, &pixel);
    const struct spirv_part inside = spirv_begin_part(module, is_inside(module, &in_picture));
    spirv_store(module, colour, sample(module, &picture, &in_picture));
    spirv_end_part(module, inside);
    const uint32_t lies = SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL,
                                     number(module, SPIRV_SCREEN_OVER), spirv_word(module, 0));
    const struct spirv_part covered = spirv_begin_part(module, lies);
    const struct position in_over = position_in(module, &over, &pixel);
    spirv_store(
        module, colour,
        laid_over(module, sample(module, &over, &in_over), spirv_load(module, SPIRV_UINT, colour)));
    spirv_end_part(module, covered);
    put(module, &pixel,
        SPIRV_MAKE(module, SPIRV_BIT_OR, SPIRV_UINT, spirv_load(module, SPIRV_UINT, colour),
                   spirv_word(module, UINT32_C(0xFF) << 24)));
    return finish(module, &outer, controls, count);
}

/* ---- a small picture ---- */

uint32_t *spirv_small_words(struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    spirv_begin(module);
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const struct pixel pixel = find_pixel(module, SPIRV_SMALL_COLUMNS, SPIRV_SMALL_ROWS);
    const uint32_t step = number(module, SPIRV_SMALL_STEP);
    const uint32_t first = number(module, SPIRV_SMALL_FIRST);
    const uint32_t column = spirv_sum(module, spirv_product(module, pixel.column, step), first);
    const uint32_t row = spirv_sum(module, spirv_product(module, pixel.row, step), first);
    const uint32_t place = at(module, column, row, number(module, SPIRV_SMALL_PITCH));
    put(module, &pixel, spirv_read(module, SPIRV_BUFFER_PICTURES, place));
    return finish(module, &outer, controls, count);
}
