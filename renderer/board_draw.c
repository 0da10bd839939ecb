#include "renderer/board_draw.h"

#include <stddef.h>

#include "renderer/board_step.h"
#include "renderer/board_word.h"

enum { OPAQUE = 64, RED_MAX = 31, GREEN_MAX = 63, BLUE_MAX = 31 };

static uint8_t component(int32_t value, int32_t most)
{
    return (uint8_t)((rend_board_within(value, 0, REND_BOARD_ONE) * most) >> 16);
}

struct rend_board_ink rend_board_ink_of(int32_t red, int32_t green, int32_t blue, int32_t alpha)
{
    return (struct rend_board_ink){.red = component(red, RED_MAX),
                                   .green = component(green, GREEN_MAX),
                                   .blue = component(blue, BLUE_MAX),
                                   .alpha = (uint8_t)rend_board_within(alpha, 0, OPAQUE)};
}

static uint32_t mix(uint32_t over, uint32_t under, struct rend_board_ink ink, uint32_t most)
{
    const uint32_t share = (over * ink.alpha) >> 6;
    const uint32_t sum =
        share + (ink.additive ? under : (under * (OPAQUE - (uint32_t)ink.alpha)) >> 6);
    return sum < most ? sum : most;
}

uint16_t rend_board_blend(struct rend_board_ink ink, uint16_t under)
{
    const uint32_t red = mix(ink.red, under >> 11, ink, RED_MAX);
    const uint32_t green = mix(ink.green, (under >> 5) & GREEN_MAX, ink, GREEN_MAX);
    const uint32_t blue = mix(ink.blue, under & BLUE_MAX, ink, BLUE_MAX);
    return (uint16_t)(red << 11 | green << 5 | blue);
}

/* An ink prepared for many pixels: red and blue stand apart enough in a word to be multiplied
 * together, what overflows additively falls between them. Leaves what rend_board_blend does. */
struct brush {
    uint32_t keep; /* of what is under it, in 64ths */
    uint32_t red_blue;
    uint32_t green;
    bool additive;
};

enum {
    RED_BLUE = 0xF81F,
    GREEN = 0x07E0,
    RED_BLUE_OVER = 0x10020, /* the bits above */
    GREEN_OVER = 0x0800,
};

static struct brush brush_of(struct rend_board_ink ink)
{
    const uint32_t alpha = ink.alpha;
    return (struct brush){.keep = OPAQUE - alpha,
                          .red_blue = (ink.red * alpha >> 6) << 11 | (ink.blue * alpha >> 6),
                          .green = (ink.green * alpha >> 6) << 5,
                          .additive = ink.additive};
}

static inline uint32_t added(const struct brush *brush, uint32_t under)
{
    const uint32_t red_blue = (under & RED_BLUE) + brush->red_blue;
    const uint32_t green = (under & GREEN) + brush->green;
    const uint32_t red_blue_over = red_blue & RED_BLUE_OVER;
    const uint32_t green_over = green & GREEN_OVER;
    return ((red_blue | (red_blue_over - (red_blue_over >> 5))) & RED_BLUE) |
           ((green | (green_over - (green_over >> 6))) & GREEN);
}

static inline uint32_t mixed(const struct brush *brush, uint32_t under)
{
    const uint32_t red_blue = ((under & RED_BLUE) * brush->keep >> 6) & RED_BLUE;
    const uint32_t green = ((under & GREEN) * brush->keep >> 6) & GREEN;
    return red_blue + brush->red_blue + green + brush->green;
}

/* The board reads and writes a pixel at once; without a C library only the builtin is no call. */
static inline uint32_t pixel_at(const uint8_t *pixel)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint16_t color;
    __builtin_memcpy(&color, __builtin_assume_aligned(pixel, sizeof color), sizeof color);
    return color;
#else
    return (uint32_t)pixel[0] << 8 | pixel[1];
#endif
}

static inline void set_pixel(uint8_t *pixel, uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const uint16_t color = (uint16_t)value;
    __builtin_memcpy(__builtin_assume_aligned(pixel, sizeof color), &color, sizeof color);
#else
    pixel[0] = (uint8_t)(value >> 8);
    pixel[1] = (uint8_t)value;
#endif
}

static inline void touch(uint8_t *pixel, const struct brush *brush)
{
    const uint32_t under = pixel_at(pixel);
    set_pixel(pixel, brush->additive ? added(brush, under) : mixed(brush, under));
}

static void fill_row(uint8_t *pixel, const struct brush *brush, int32_t count)
{
    uint8_t *const end = pixel + 2 * (ptrdiff_t)count;
    if (brush->additive) {
        for (; pixel < end; pixel += 2) {
            set_pixel(pixel, added(brush, pixel_at(pixel)));
        }
    } else if (brush->keep == 0) {
        for (; pixel < end; pixel += 2) {
            set_pixel(pixel, brush->red_blue | brush->green);
        }
    } else {
        for (; pixel < end; pixel += 2) {
            set_pixel(pixel, mixed(brush, pixel_at(pixel)));
        }
    }
}

void rend_board_fill(uint8_t *texture, struct rend_board_ink ink, struct rend_board_point from,
                     struct rend_board_point to)
{
    const struct brush brush = brush_of(ink);
    const int32_t left = rend_board_within(from.x, 0, REND_BOARD_SIDE);
    const int32_t right = rend_board_within(to.x, 0, REND_BOARD_SIDE);
    const int32_t bottom = rend_board_within(to.y, 0, REND_BOARD_SIDE);
    for (int32_t y = rend_board_within(from.y, 0, REND_BOARD_SIDE); y < bottom && left < right;
         y++) {
        fill_row(texture + 2 * (REND_BOARD_SIDE * y + left), &brush, right - left);
    }
}

static void touch_at(uint8_t *texture, const struct brush *brush, int32_t x, int32_t y)
{
    if (x >= 0 && x < REND_BOARD_SIDE && y >= 0 && y < REND_BOARD_SIDE) {
        touch(texture + 2 * (REND_BOARD_SIDE * y + x), brush);
    }
}

static int32_t size_of(int32_t value)
{
    return value < 0 ? -value : value;
}

static bool beside(struct rend_board_point a, struct rend_board_point b)
{
    const int32_t most = REND_BOARD_SIDE;
    return (a.x < -1 && b.x < -1) || (a.y < -1 && b.y < -1) || (a.x >= most && b.x >= most) ||
           (a.y >= most && b.y >= most);
}

/* A line as its pixels are gone through: always `along`, and `aside` whenever `owed` is due. */
struct walk {
    struct rend_board_point at;
    struct rend_board_point along;
    struct rend_board_point aside;
    int32_t length;
    int32_t rise;
    struct rend_board_point beside; /* where the second pixel of a thick line is */
};

static struct walk walk_of(struct rend_board_point from, struct rend_board_point to)
{
    const struct rend_board_point size = {size_of(to.x - from.x), size_of(to.y - from.y)};
    const struct rend_board_point way = {to.x > from.x ? 1 : -1, to.y > from.y ? 1 : -1};
    const bool flat = size.x >= size.y;
    return (struct walk){.at = from,
                         .along = {flat ? way.x : 0, flat ? 0 : way.y},
                         .aside = {flat ? 0 : way.x, flat ? way.y : 0},
                         .length = flat ? size.x : size.y,
                         .rise = flat ? size.y : size.x,
                         .beside = {!flat, flat}};
}

static int32_t bytes_of(struct rend_board_point distance)
{
    return 2 * (REND_BOARD_SIDE * distance.y + distance.x);
}

/* Both ends are on the texture, and so is what is beside them. */
static void draw_inside(uint8_t *texture, const struct brush *brush, bool thick,
                        const struct walk *walk)
{
    const int32_t along = bytes_of(walk->along);
    const int32_t aside = bytes_of(walk->aside);
    const int32_t beside = thick ? bytes_of(walk->beside) : 0;
    int32_t owed = walk->length / 2;
    uint8_t *pixel = texture + bytes_of(walk->at);
    for (int32_t i = 0; i < walk->length; i++, pixel += along) {
        touch(pixel, brush);
        if (beside != 0) {
            touch(pixel + beside, brush);
        }
        owed += walk->rise;
        if (owed >= walk->length) {
            owed -= walk->length;
            pixel += aside;
        }
    }
}

static void draw_clipped(uint8_t *texture, const struct brush *brush, bool thick,
                         const struct walk *walk)
{
    int32_t owed = walk->length / 2;
    struct rend_board_point at = walk->at;
    for (int32_t i = 0; i < walk->length; i++) {
        touch_at(texture, brush, at.x, at.y);
        if (thick) {
            touch_at(texture, brush, at.x + walk->beside.x, at.y + walk->beside.y);
        }
        owed += walk->rise;
        const bool turns = owed >= walk->length;
        owed -= turns ? walk->length : 0;
        at.x += walk->along.x + (turns ? walk->aside.x : 0);
        at.y += walk->along.y + (turns ? walk->aside.y : 0);
    }
}

static bool inside(struct rend_board_point at)
{
    const uint32_t most = REND_BOARD_SIDE - 1;
    return (uint32_t)at.x < most && (uint32_t)at.y < most;
}

void rend_board_line(uint8_t *texture, struct rend_board_ink ink, bool thick,
                     struct rend_board_point from, struct rend_board_point to)
{
    if (beside(from, to)) {
        return;
    }
    const struct brush brush = brush_of(ink);
    const struct walk walk = walk_of(from, to);
    if (inside(from) && inside(to)) {
        draw_inside(texture, &brush, thick, &walk);
    } else {
        draw_clipped(texture, &brush, thick, &walk);
    }
}
