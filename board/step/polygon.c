/* The inside of custom shapes: triangles around the centre, rows of pixels within them. */
#include <stddef.h>

#include "board/step/brush.h"
#include "board/step/draw.h"
#include "board/step/items.h"

enum {
    ONE = BOARD_ONE,
    STEPS = 32,     /* colours from the rim to the centre, at most */
    SUB = 16,       /* parts of a pixel */
    HALF = SUB / 2, /* where a pixel's centre is */
    SLOPE_BITS = 13,
    TURN = 8192,
    EIGHTH = TURN / 8,
    SLIVER = SUB * SUB, /* twice the area of triangles that are not worth a gradient */
};

/* A side, from its upper end. */
struct side {
    int32_t top;
    int32_t bottom;
    int32_t x;
    int32_t slope;
};

static struct side side_of(struct board_point a, struct board_point b)
{
    const struct board_point from = a.y <= b.y ? a : b;
    const struct board_point to = a.y <= b.y ? b : a;
    const int32_t height = to.y - from.y;
    const int32_t slope = height == 0 ? 0 : (to.x - from.x) * (1 << SLOPE_BITS) / height;
    return (struct side){from.y, to.y, from.x, slope};
}

/* The first pixel whose centre is not left of the side. */
static int32_t pixel_at_row(const struct side *side, int32_t y)
{
    const int32_t x = side->x + (side->slope * (y - side->top) >> SLOPE_BITS);
    return board_clamp((x + HALF - 1) >> 4, 0, BOARD_SIDE);
}

static uint8_t between(uint8_t from, uint8_t to, int32_t way)
{
    return (uint8_t)(from + ((to - from) * way + ONE / 2) / ONE);
}

static bool same_tint(struct board_tint a, struct board_tint b)
{
    return a.red == b.red && a.green == b.green && a.blue == b.blue && a.alpha == b.alpha;
}

/* How far from the rim to the centre, with 16 bits of fraction: at the pixel (0, 0), and what a
 * pixel to the right and one down add. Sums may wrap on the way. */
struct slope {
    uint32_t start;
    int32_t across;
    int32_t down;
};

/* number * 2^20 / (area * 2^shift) */
static int32_t share_of(int32_t number, int32_t area, int32_t shift)
{
    const int32_t share = number * (1 << 13) / area;
    return shift <= 7 ? share * (1 << (7 - shift)) : share >> (shift - 7);
}

static struct slope slope_of(struct board_point centre, struct board_point a, struct board_point b)
{
    int64_t area =
        (int64_t)(a.x - centre.x) * (b.y - centre.y) - (int64_t)(a.y - centre.y) * (b.x - centre.x);
    int32_t shift = 0;
    if (area < SLIVER && area > -SLIVER) {
        return (struct slope){0, 0, 0};
    }
    for (; area >= 1 << 15 || area < -(1 << 15); area >>= 1) {
        shift++;
    }
    const int32_t across = share_of(a.y - b.y, (int32_t)area, shift);
    const int32_t down = share_of(b.x - a.x, (int32_t)area, shift);
    const int64_t start = -((int64_t)across * (a.x - HALF) + (int64_t)down * (a.y - HALF)) / SUB;
    return (struct slope){(uint32_t)start, across, down};
}

/* What rows of a shape share. */
struct rows {
    uint8_t *texture;
    const struct board_brush *brushes;
    uint32_t shift; /* from a way from rim to centre, with 16 bits of fraction, to a colour */
    int32_t last;   /* colour */
    uint32_t thin;
    uint32_t frame;
};

/* Whose centre is not above y. */
static int32_t row_at(int32_t y)
{
    return board_clamp((y + HALF - 1) >> 4, 0, BOARD_SIDE);
}

/* The first one from `row` on whose turn it is. */
static int32_t row_in_turn(const struct rows *rows, int32_t row)
{
    const uint32_t late = ((uint32_t)row + rows->frame) % rows->thin;
    return late == 0 ? row : row + (int32_t)(rows->thin - late);
}

/* Rows between two sides, as far as both go. */
static void fill_between(const struct rows *rows, const struct slope *slope,
                         const struct side *left, const struct side *right, int32_t top,
                         int32_t bottom)
{
    const int32_t end = row_at(bottom);
    for (int32_t row = row_in_turn(rows, row_at(top)); row < end; row += (int32_t)rows->thin) {
        const int32_t y = row * SUB + HALF;
        const int32_t ends[2] = {pixel_at_row(left, y), pixel_at_row(right, y)};
        const int32_t first = ends[0] < ends[1] ? ends[0] : ends[1];
        const int32_t last = ends[0] < ends[1] ? ends[1] : ends[0];
        uint32_t way = slope->start + (uint32_t)slope->down * (uint32_t)row +
                       (uint32_t)slope->across * (uint32_t)first;
        uint8_t *pixel = rows->texture + 2 * (BOARD_SIDE * row + first);
        uint8_t *const behind = pixel + 2 * (ptrdiff_t)(last - first);
        for (; pixel < behind; pixel += 2) {
            const int32_t step = board_clamp((int32_t)way >> rows->shift, 0, rows->last);
            board_brush_touch(pixel, &rows->brushes[step]);
            way += (uint32_t)slope->across;
        }
    }
}

static void fill_triangle(const struct rows *rows, struct board_point centre, struct board_point a,
                          struct board_point b)
{
    const struct slope slope = slope_of(centre, a, b);
    struct board_point corners[] = {centre, a, b};
    /* From top to bottom. */
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2 - i; k++) {
            if (corners[k].y > corners[k + 1].y) {
                const struct board_point lower = corners[k];
                corners[k] = corners[k + 1];
                corners[k + 1] = lower;
            }
        }
    }
    const struct side whole = side_of(corners[0], corners[2]);
    const struct side upper = side_of(corners[0], corners[1]);
    const struct side lower = side_of(corners[1], corners[2]);
    fill_between(rows, &slope, &whole, &upper, upper.top, upper.bottom);
    fill_between(rows, &slope, &whole, &lower, lower.top, lower.bottom);
}

static void fill_flat(const struct rows *rows, const struct board_point *rim, int32_t sides)
{
    int16_t left[BOARD_SIDE];
    int16_t right[BOARD_SIDE];
    int32_t top = BOARD_SIDE;
    int32_t bottom = 0;
    for (int32_t row = 0; row < BOARD_SIDE; row++) {
        left[row] = BOARD_SIDE;
        right[row] = 0;
    }
    for (int32_t i = 0; i < sides; i++) {
        const struct side side = side_of(rim[i], rim[i + 1]);
        const int32_t end = row_at(side.bottom);
        const int32_t begin = row_at(side.top);
        for (int32_t row = begin; row < end; row++) {
            const int16_t x = (int16_t)pixel_at_row(&side, row * SUB + HALF);
            left[row] = x < left[row] ? x : left[row];
            right[row] = x > right[row] ? x : right[row];
        }
        top = begin < top ? begin : top;
        bottom = end > bottom ? end : bottom;
    }
    for (int32_t row = row_in_turn(rows, top); row < bottom; row += (int32_t)rows->thin) {
        if (left[row] < right[row]) {
            board_brush_row(rows->texture + 2 * (BOARD_SIDE * row + left[row]), rows->brushes,
                            right[row] - left[row]);
        }
    }
}

uint32_t board_shape_steps(int32_t radius)
{
    return radius >= 64 * SUB ? 5 : radius >= 16 * SUB ? 4 : 3;
}

void board_shape_rim(const struct board_drawn_shape *shape,
                     struct board_point rim[static BOARD_SHAPE_SIDES_MAX + 1])
{
    for (uint32_t i = 0; i < shape->sides; i++) {
        const uint32_t angle = shape->angle + EIGHTH + TURN * i / shape->sides;
        const int32_t across = board_times(shape->radius, board_cosine(angle));
        rim[i] = (struct board_point){shape->x + across * 3 / 4,
                                      shape->y + board_times(shape->radius, board_sine(angle))};
    }
    rim[shape->sides] = rim[0];
}

void board_polygon(uint8_t *texture, const struct board_drawn_shape *shape, uint32_t thin,
                   uint32_t frame)
{
    struct board_point rim[BOARD_SHAPE_SIDES_MAX + 1];
    struct board_brush brushes[STEPS];
    if (shape->inner.alpha == 0 && shape->outer.alpha == 0) {
        return;
    }
    const bool flat = same_tint(shape->inner, shape->outer);
    const uint32_t bits = flat ? 0 : board_shape_steps(shape->radius);
    const int32_t last = (1 << bits) - 1;
    for (int32_t i = 0; i <= last; i++) {
        const int32_t way = last == 0 ? 0 : i * ONE / last;
        const struct board_tint tint = {between(shape->outer.red, shape->inner.red, way),
                                        between(shape->outer.green, shape->inner.green, way),
                                        between(shape->outer.blue, shape->inner.blue, way),
                                        between(shape->outer.alpha, shape->inner.alpha, way)};
        brushes[i] = board_brush_of_tint(tint, shape->additive, (uint32_t)i + 97 * frame);
    }
    const struct rows rows = {
        texture, brushes, 16 - bits, last, shape->radius >= BOARD_SHAPE_LARGE ? thin : 1, frame};
    board_shape_rim(shape, rim);
    if (flat) {
        fill_flat(&rows, rim, shape->sides);
        return;
    }
    const struct board_point centre = {shape->x, shape->y};
    for (uint32_t i = 0; i < shape->sides; i++) {
        fill_triangle(&rows, centre, rim[i], rim[i + 1]);
    }
}
