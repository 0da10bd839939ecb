#include "board/step/draw.h"

#include <stddef.h>

#include "board/step/brush.h"
#include "board/step/program.h"
#include "board/step/step.h"

enum { OPAQUE = 64, RED_MAX = 31, GREEN_MAX = 63, BLUE_MAX = 31 };

static uint8_t component(int32_t value, int32_t most)
{
    return (uint8_t)((board_clamp(value, 0, BOARD_ONE) * most) >> 16);
}

struct board_ink board_ink_of(int32_t red, int32_t green, int32_t blue, int32_t alpha)
{
    return (struct board_ink){.red = component(red, RED_MAX),
                              .green = component(green, GREEN_MAX),
                              .blue = component(blue, BLUE_MAX),
                              .alpha = (uint8_t)board_clamp(alpha, 0, OPAQUE)};
}

static uint32_t blend(uint32_t over, uint32_t under, struct board_ink ink, uint32_t most)
{
    const uint32_t share = (over * ink.alpha) >> 6;
    const uint32_t sum =
        share + (ink.additive ? under : (under * (OPAQUE - (uint32_t)ink.alpha)) >> 6);
    return sum < most ? sum : most;
}

uint16_t board_blend(struct board_ink ink, uint16_t under)
{
    const uint32_t red = blend(ink.red, under >> 11, ink, RED_MAX);
    const uint32_t green = blend(ink.green, (under >> 5) & GREEN_MAX, ink, GREEN_MAX);
    const uint32_t blue = blend(ink.blue, under & BLUE_MAX, ink, BLUE_MAX);
    return (uint16_t)(red << 11 | green << 5 | blue);
}

struct board_brush board_brush_of(struct board_ink ink)
{
    const uint32_t alpha = ink.alpha;
    return (struct board_brush){.keep = OPAQUE - alpha,
                                .red_blue = (ink.red * alpha >> 6) << 11 | (ink.blue * alpha >> 6),
                                .green = (ink.green * alpha >> 6) << 5,
                                .additive = ink.additive};
}

/* value * alpha / 255 of `most`; of what is left over, one if it reaches `up` of 255. */
static uint32_t shaded(uint32_t value, uint32_t alpha, uint32_t most, uint32_t up)
{
    enum { WHOLE = 255 * 255 };
    return (value * alpha * most + (255 - up) * 255) / WHOLE;
}

struct board_brush board_brush_of_tint(struct board_tint tint, bool additive, uint32_t turn)
{
    enum { FAINT = 64, GOLDEN = 158, HALF = 128 };
    const uint32_t alpha = tint.alpha;
    const uint32_t up = alpha < FAINT ? 1 + turn * GOLDEN % 255 : HALF;
    return (struct board_brush){.keep = OPAQUE - (alpha * OPAQUE + 255 - up) / 255,
                                .red_blue = shaded(tint.red, alpha, RED_MAX, up) << 11 |
                                            shaded(tint.blue, alpha, BLUE_MAX, up),
                                .green = shaded(tint.green, alpha, GREEN_MAX, up) << 5,
                                .additive = additive};
}

void board_brush_fill(uint8_t *texture, const struct board_brush *brush, struct board_point from,
                      struct board_point to)
{
    const int32_t left = board_clamp(from.x, 0, BOARD_SIDE);
    const int32_t right = board_clamp(to.x, 0, BOARD_SIDE);
    const int32_t bottom = board_clamp(to.y, 0, BOARD_SIDE);
    for (int32_t y = board_clamp(from.y, 0, BOARD_SIDE); y < bottom && left < right; y++) {
        board_brush_row(texture + 2 * (BOARD_SIDE * y + left), brush, right - left);
    }
}

void board_fill(uint8_t *texture, struct board_ink ink, struct board_point from,
                struct board_point to)
{
    const struct board_brush brush = board_brush_of(ink);
    board_brush_fill(texture, &brush, from, to);
}

static void touch_at(uint8_t *texture, const struct board_brush *brush, int32_t x, int32_t y)
{
    if (x >= 0 && x < BOARD_SIDE && y >= 0 && y < BOARD_SIDE) {
        board_brush_touch(texture + 2 * (BOARD_SIDE * y + x), brush);
    }
}

static int32_t size_of(int32_t value)
{
    return value < 0 ? -value : value;
}

static bool beside(struct board_point a, struct board_point b)
{
    const int32_t most = BOARD_SIDE;
    return (a.x < -1 && b.x < -1) || (a.y < -1 && b.y < -1) || (a.x >= most && b.x >= most) ||
           (a.y >= most && b.y >= most);
}

/* A line as its pixels are gone through: always `along`, and `aside` whenever `owed` is due. */
struct walk {
    struct board_point at;
    struct board_point along;
    struct board_point aside;
    int32_t length;
    int32_t rise;
    struct board_point beside; /* where the second pixel of a thick line is */
};

static struct walk walk_of(struct board_point from, struct board_point to)
{
    const struct board_point size = {size_of(to.x - from.x), size_of(to.y - from.y)};
    const struct board_point way = {to.x > from.x ? 1 : -1, to.y > from.y ? 1 : -1};
    const bool flat = size.x >= size.y;
    return (struct walk){.at = from,
                         .along = {flat ? way.x : 0, flat ? 0 : way.y},
                         .aside = {flat ? 0 : way.x, flat ? way.y : 0},
                         .length = flat ? size.x : size.y,
                         .rise = flat ? size.y : size.x,
                         .beside = {!flat, flat}};
}

static int32_t bytes_of(struct board_point distance)
{
    return 2 * (BOARD_SIDE * distance.y + distance.x);
}

/* Both ends are on the texture, and so is what is beside them. */
static void draw_inside(uint8_t *texture, const struct board_brush *brush, bool thick,
                        const struct walk *walk)
{
    const int32_t along = bytes_of(walk->along);
    const int32_t aside = bytes_of(walk->aside);
    const int32_t beside = thick ? bytes_of(walk->beside) : 0;
    int32_t owed = walk->length / 2;
    uint8_t *pixel = texture + bytes_of(walk->at);
    for (int32_t i = 0; i < walk->length; i++, pixel += along) {
        board_brush_touch(pixel, brush);
        if (beside != 0) {
            board_brush_touch(pixel + beside, brush);
        }
        owed += walk->rise;
        if (owed >= walk->length) {
            owed -= walk->length;
            pixel += aside;
        }
    }
}

static void draw_clipped(uint8_t *texture, const struct board_brush *brush, bool thick,
                         const struct walk *walk)
{
    int32_t owed = walk->length / 2;
    struct board_point at = walk->at;
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

static bool inside(struct board_point at)
{
    const uint32_t most = BOARD_SIDE - 1;
    return (uint32_t)at.x < most && (uint32_t)at.y < most;
}

void board_brush_line(uint8_t *texture, const struct board_brush *brush, bool thick,
                      struct board_point from, struct board_point to)
{
    if (beside(from, to)) {
        return;
    }
    const struct walk walk = walk_of(from, to);
    if (inside(from) && inside(to)) {
        draw_inside(texture, brush, thick, &walk);
    } else {
        draw_clipped(texture, brush, thick, &walk);
    }
}

void board_line(uint8_t *texture, struct board_ink ink, bool thick, struct board_point from,
                struct board_point to)
{
    const struct board_brush brush = board_brush_of(ink);
    board_brush_line(texture, &brush, thick, from, to);
}

void board_brush_dot(uint8_t *texture, const struct board_brush *brush, int32_t size,
                     struct board_point at)
{
    for (int32_t y = at.y; y < at.y + size; y++) {
        for (int32_t x = at.x; x < at.x + size; x++) {
            touch_at(texture, brush, x, y);
        }
    }
}

enum {
    ONE = BOARD_ONE,
    ROUND = BOARD_WAVE_POINTS / 2, /* points of circle and spiral */
    SHORT = BOARD_SIDE / 3,        /* points of script and line */
    SHORT_AT = (BOARD_WAVE_POINTS - SHORT) / 2,
    LATER = 32, /* samples from the one side to the other */
    SCRIPT_LATER = 25,
    LOUDEST = 8 * ONE,
    FAR = 4 * BOARD_SIDE,
    EDGE = 72090, /* 1.1 */
    LINE_REACH = 3,
    DIM = 655, /* 0.01 */
    QUARTER_TURN = 2048,
};

enum mode {
#define PRESET_WAVE_MODE(number, name, ...) MODE_##name = number,
#include "presets/milk/wave_modes.def"
};

/* What the points are made of. Y is up, -1..1 is the texture. */
struct shape {
    const struct board_wave *wave;
    const struct board_hearing *sound;
    struct board_point centre;
    uint32_t angle;
};

int32_t board_wave_mode(int32_t number, bool own)
{
    static const bool owned[] = {
#define PRESET_WAVE_MODE(number, name, folded, board, cost, own) [number] = (own) != 0,
#include "presets/milk/wave_modes.def"
    };
    enum { MODES = sizeof owned / sizeof *owned };
    if (own) {
        return number >= 0 && number < MODES && owned[number] ? number : -1;
    }
    return ((number % MODES) + MODES) % MODES;
}

static int32_t left(const struct shape *shape, uint32_t i)
{
    const int32_t value = board_times(shape->wave->scale, 2 * shape->sound->wave[0][i]);
    return board_clamp(value, -LOUDEST, LOUDEST);
}

static int32_t right(const struct shape *shape, uint32_t i)
{
    const int32_t value = board_times(shape->wave->scale, 2 * shape->sound->wave[1][i]);
    return board_clamp(value, -LOUDEST, LOUDEST);
}

static int32_t pixel(int32_t place)
{
    return board_clamp(((place + ONE) * (BOARD_SIDE / 2)) >> 16, -FAR, FAR + BOARD_SIDE);
}

static struct board_point point_of(const struct shape *shape, int32_t x, int32_t y)
{
    const int32_t most = 64 * ONE;
    const int32_t across = board_clamp(shape->centre.x + x, -most, most);
    const int32_t up = board_clamp(shape->centre.y + y, -most, most);
    return (struct board_point){pixel(across), pixel(-up)};
}

/* Modes 0 and 1 have mysteries beyond -1..1 folded into that range. */
static int32_t folded_mystery(const struct shape *shape)
{
    const int32_t mystery = shape->wave->mystery;
    if (mystery >= -ONE && mystery <= ONE) {
        return mystery;
    }
    const int32_t turn = (int32_t)(((int64_t)mystery + ONE) >> 1 & (ONE - 1));
    return 2 * turn - ONE;
}

/* Around the centre; the screen is wider than high. */
static struct board_point polar_point(const struct shape *shape, int32_t radius, uint32_t angle)
{
    const int32_t across = board_times(radius, board_cosine(angle));
    return point_of(shape, across / 4 * 3, board_times(radius, board_sine(angle)));
}

static uint32_t make_circle(const struct shape *shape, struct board_point *points)
{
    enum {
        COUNT = ROUND,
        OFFSET = (BOARD_WAVE_POINTS - COUNT) / 2,
        MIXED = COUNT / 10,
        HALF_TURN = 4096,
        STEP = 536520, /* 6.28 / 239, in 8192nds of a turn, 14 bits of fraction */
        STEP_BITS = 14,
    };
    const int32_t middle = ONE / 2 + folded_mystery(shape);
    for (uint32_t i = 0; i < COUNT; i++) {
        int32_t swing = right(shape, i + OFFSET);
        if (i < MIXED) {
            const int32_t mix = ONE / 2 - board_cosine(HALF_TURN * i / MIXED) / 2;
            swing =
                board_times(mix, swing) + board_times(ONE - mix, right(shape, i + COUNT + OFFSET));
        }
        const uint32_t angle = (STEP * i >> STEP_BITS) + shape->angle / 3 * 2;
        points[i] = polar_point(shape, middle + board_times(26214, swing), angle);
    }
    points[COUNT] = points[0];
    return COUNT + 1;
}

static uint32_t make_spiral(const struct shape *shape, struct board_point *points)
{
    enum { TURN = 2047 /* 1.57 radians, in 8192nds of a turn */ };
    const int32_t middle = 34734 + folded_mystery(shape);
    const uint32_t turned = (uint32_t)((uint64_t)shape->angle * 23 / 3);
    for (uint32_t i = 0; i < ROUND; i++) {
        const uint32_t angle = (uint32_t)board_times(left(shape, i + LATER), TURN) + turned;
        points[i] = polar_point(shape, middle + board_times(28180, right(shape, i)), angle);
    }
    return ROUND;
}

static uint32_t make_spiro(const struct shape *shape, struct board_point *points)
{
    for (uint32_t i = 0; i < BOARD_WAVE_POINTS; i++) {
        points[i] = point_of(shape, right(shape, i), left(shape, i + LATER));
    }
    return BOARD_WAVE_POINTS;
}

/* Each point is drawn towards where the two before it lead. */
static uint32_t make_script(const struct shape *shape, struct board_point *points)
{
    const int32_t along = board_clamp(shape->wave->mystery, -ONE, ONE);
    const int32_t inert = 29491 + (along + ONE) / 4; /* 0.45 + 0.5 * (0.5 * p + 0.5) */
    struct board_point before[2] = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < SHORT; i++) {
        const int32_t sway = board_times(28836, right(shape, i + SCRIPT_LATER + SHORT_AT));
        struct board_point at = {2 * ONE * (int32_t)i / SHORT - ONE + sway,
                                 board_times(30802, left(shape, i + SHORT_AT))};
        if (i > 1) {
            at.x =
                board_times(ONE - inert, at.x) + board_times(inert, 2 * before[0].x - before[1].x);
            at.y =
                board_times(ONE - inert, at.y) + board_times(inert, 2 * before[0].y - before[1].y);
        }
        before[1] = before[0];
        before[0] = at;
        points[i] = point_of(shape, at.x, at.y);
    }
    return SHORT;
}

static uint32_t make_hash(const struct shape *shape, struct board_point *points)
{
    const int32_t cosine = board_cosine(shape->angle);
    const int32_t sine = board_sine(shape->angle);
    for (uint32_t i = 0; i < BOARD_WAVE_POINTS; i++) {
        const int32_t l[2] = {left(shape, i), left(shape, i + LATER)};
        const int32_t r[2] = {right(shape, i), right(shape, i + LATER)};
        const int32_t a = board_times(r[0], l[1]) + board_times(l[0], r[1]);
        const int32_t b = board_times(r[0], r[0]) - board_times(l[1], l[1]);
        points[i] = point_of(shape, board_times(a, cosine) - board_times(b, sine),
                             board_times(a, sine) + board_times(b, cosine));
    }
    return BOARD_WAVE_POINTS;
}

static int32_t kept(int64_t value)
{
    const int64_t most = 1 << 24;
    return (int32_t)(value < -most ? -most : value > most ? most : value);
}

/* Moves the point along the line to where its coordinate is `edge`. */
static struct board_point cut(struct board_point at, struct board_point other, bool across,
                              int32_t edge)
{
    const int64_t way = across ? (int64_t)other.x - at.x : (int64_t)other.y - at.y;
    const int64_t rest = (int64_t)edge - (across ? at.x : at.y);
    if (way == 0) {
        return at;
    }
    const int64_t x = at.x + ((int64_t)other.x - at.x) * rest / way;
    const int64_t y = at.y + ((int64_t)other.y - at.y) * rest / way;
    return (struct board_point){kept(x), kept(y)};
}

static struct board_point cut_all(struct board_point at, struct board_point other)
{
    at = at.x > EDGE ? cut(at, other, true, EDGE) : at;
    at = at.x < -EDGE ? cut(at, other, true, -EDGE) : at;
    at = at.y > EDGE ? cut(at, other, false, EDGE) : at;
    at = at.y < -EDGE ? cut(at, other, false, -EDGE) : at;
    return at;
}

/* The straight line that modes 6 and 7 bend. */
struct base_line {
    struct board_point from;
    struct board_point to;
    struct board_point normal;
};

static struct base_line base_line_of(const struct shape *shape)
{
    const uint32_t angle =
        (uint32_t)board_times(board_clamp(shape->wave->mystery, -64 * ONE, 64 * ONE), QUARTER_TURN);
    const struct board_point along = {board_cosine(angle), board_sine(angle)};
    const struct board_point normal = {-along.y, along.x};
    const int32_t x = shape->centre.x;
    const struct board_point middle = {board_times(x, normal.x), board_times(x, normal.y)};
    struct board_point from = {middle.x - LINE_REACH * along.x, middle.y - LINE_REACH * along.y};
    struct board_point to = {middle.x + LINE_REACH * along.x, middle.y + LINE_REACH * along.y};
    from = cut_all(from, to);
    to = cut_all(to, from);
    return (struct base_line){from, to, normal};
}

static uint32_t bend(const struct shape *shape, const struct base_line *line, bool is_right,
                     int32_t shift, struct board_point *points)
{
    const struct shape origin = {.wave = shape->wave};
    const struct board_point from = line->from;
    const struct board_point to = line->to;
    for (int32_t i = 0; i < SHORT; i++) {
        const uint32_t at = (uint32_t)i + SHORT_AT;
        const int32_t height = (is_right ? right(shape, at) : left(shape, at)) / 4 + shift;
        points[i] = point_of(
            &origin, from.x + (to.x - from.x) / SHORT * i + board_times(line->normal.x, height),
            from.y + (to.y - from.y) / SHORT * i + board_times(line->normal.y, height));
    }
    return SHORT;
}

static uint32_t make_line(const struct shape *shape, struct board_point *points)
{
    const struct base_line line = base_line_of(shape);
    return bend(shape, &line, false, 0, points);
}

static uint32_t make_double_line(const struct shape *shape, struct board_point *points)
{
    const struct base_line line = base_line_of(shape);
    const int32_t middle = (shape->centre.y + ONE) / 2;
    const int32_t apart = board_times(middle, middle);
    const uint32_t count = bend(shape, &line, false, apart, points);
    return count + bend(shape, &line, true, -apart, points + count);
}

uint32_t board_wave_points(const struct board_wave *wave, const struct board_hearing *sound,
                           uint32_t angle, struct board_point points[static BOARD_WAVE_POINTS])
{
    const int32_t most = 4 * ONE;
    const struct shape shape = {.wave = wave,
                                .sound = sound,
                                .centre = {2 * board_clamp(wave->x, -most, most) - ONE,
                                           2 * board_clamp(wave->y, -most, most) - ONE},
                                .angle = angle};
    switch (wave->mode) {
#define PRESET_WAVE_MODE(number, name, folded, board, cost, own)                                   \
    case number:                                                                                   \
        return make_##board(&shape, points);
#include "presets/milk/wave_modes.def"
    default:
        return 0;
    }
}

/* In 64ths: 100 times alpha, after the mode's own factor. */
static int32_t alpha_of(const struct board_wave *wave)
{
    const int64_t alpha = board_clamp(wave->alpha, 0, 100 * ONE);
    const int64_t treb = wave->treb;
    int64_t scaled = 100 * alpha;
    if (wave->mode == MODE_spiro || wave->mode == MODE_hash) {
        scaled = 9 * alpha;
    } else if (wave->mode == MODE_spiral) {
        scaled = 125 * alpha;
    } else if (wave->mode == MODE_spiro_volume) {
        scaled = ((39 * alpha / 2) * ((treb * treb) >> 16)) >> 16;
    }
    scaled >>= 16;
    return (int32_t)(scaled < 64 ? scaled : 64);
}

struct board_ink board_wave_ink(const struct board_wave *wave)
{
    int32_t color[3];
    int32_t brightest = 0;
    for (int i = 0; i < 3; i++) {
        color[i] = board_clamp(wave->color[i], 0, ONE);
        brightest = color[i] > brightest ? color[i] : brightest;
    }
    for (int i = 0; i < 3 && wave->brighten && brightest > DIM; i++) {
        color[i] = (int32_t)(((int64_t)color[i] << 16) / brightest);
    }
    struct board_ink ink = board_ink_of(color[0], color[1], color[2], alpha_of(wave));
    ink.additive = wave->additive;
    return ink;
}

void board_wave_draw(uint8_t *texture, const struct board_wave *wave,
                     const struct board_hearing *sound, uint32_t angle)
{
    struct board_point points[BOARD_WAVE_POINTS];
    const struct board_ink ink = board_wave_ink(wave);
    const struct board_brush brush = board_brush_of(ink);
    const uint32_t count = ink.alpha == 0 ? 0 : board_wave_points(wave, sound, angle, points);
    if (wave->dots) {
        const int32_t size = wave->thick ? 2 : 1;
        for (uint32_t i = 0; i < count; i++) {
            const struct board_point to = {points[i].x + size, points[i].y + size};
            board_brush_fill(texture, &brush, points[i], to);
        }
        return;
    }
    const uint32_t second = wave->mode == MODE_double_line ? SHORT : 0;
    bool moves = false;
    for (uint32_t i = 1; i < count; i++) {
        if (i == second) {
            continue;
        }
        moves = moves || points[i].x != points[i - 1].x || points[i].y != points[i - 1].y;
        board_brush_line(texture, &brush, wave->thick, points[i - 1], points[i]);
    }
    if (count > 0 && !moves) {
        board_brush_dot(texture, &brush, wave->thick ? 2 : 1, points[0]);
    }
}
