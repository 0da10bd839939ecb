#include "renderer/board_draw.h"

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

static void touch(uint8_t *pixel, struct rend_board_ink ink)
{
    const uint16_t color = rend_board_blend(ink, (uint16_t)(pixel[0] << 8 | pixel[1]));
    pixel[0] = (uint8_t)(color >> 8);
    pixel[1] = (uint8_t)color;
}

void rend_board_fill(uint8_t *texture, struct rend_board_ink ink, struct rend_board_point from,
                     struct rend_board_point to)
{
    const int32_t left = rend_board_within(from.x, 0, REND_BOARD_SIDE);
    const int32_t right = rend_board_within(to.x, 0, REND_BOARD_SIDE);
    const int32_t bottom = rend_board_within(to.y, 0, REND_BOARD_SIDE);
    for (int32_t y = rend_board_within(from.y, 0, REND_BOARD_SIDE); y < bottom; y++) {
        for (int32_t x = left; x < right; x++) {
            touch(texture + 2 * (REND_BOARD_SIDE * y + x), ink);
        }
    }
}

static void touch_at(uint8_t *texture, struct rend_board_ink ink, int32_t x, int32_t y)
{
    if (x >= 0 && x < REND_BOARD_SIDE && y >= 0 && y < REND_BOARD_SIDE) {
        touch(texture + 2 * (REND_BOARD_SIDE * y + x), ink);
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

void rend_board_line(uint8_t *texture, struct rend_board_ink ink, bool thick,
                     struct rend_board_point from, struct rend_board_point to)
{
    const struct rend_board_point size = {size_of(to.x - from.x), size_of(to.y - from.y)};
    const struct rend_board_point way = {to.x > from.x ? 1 : -1, to.y > from.y ? 1 : -1};
    const bool flat = size.x >= size.y;
    const int32_t length = flat ? size.x : size.y;
    const int32_t rise = flat ? size.y : size.x;
    int32_t owed = length / 2;
    if (beside(from, to)) {
        return;
    }
    for (int32_t i = 0; i < length; i++) {
        touch_at(texture, ink, from.x, from.y);
        if (thick) {
            touch_at(texture, ink, from.x + !flat, from.y + flat);
        }
        owed += rise;
        const bool turns = owed >= length;
        owed -= turns ? length : 0;
        from.x += flat || turns ? way.x : 0;
        from.y += !flat || turns ? way.y : 0;
    }
}
