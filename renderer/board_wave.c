#include "renderer/board_wave.h"

#include "renderer/board_word.h"

enum {
    SPIRO = 2,
    SPIRO_LOUD = 3,
    SCRIPT = 4,
    HASH = 5,
    LINE = 6,
    ONE = REND_BOARD_ONE,
    SHORT = REND_BOARD_SIDE / 3, /* points of script and line */
    SHORT_AT = (REND_BOARD_WAVE_POINTS - SHORT) / 2,
    LATER = 32, /* samples from the one side to the other */
    SCRIPT_LATER = 25,
    LOUDEST = 8 * ONE,
    FAR = 4 * REND_BOARD_SIDE,
    EDGE = 72090, /* 1.1 */
    LINE_REACH = 3,
    DIM = 655, /* 0.01 */
    QUARTER_TURN = 2048,
};

/* What the points are made of. Y is up, -1..1 is the texture. */
struct shape {
    const struct rend_board_wave *wave;
    const struct rend_board_sound *sound;
    struct rend_board_point centre;
    uint32_t angle;
};

bool rend_board_wave_drawn(int32_t mode)
{
    return mode >= SPIRO && mode <= LINE;
}

static int32_t left(const struct shape *shape, uint32_t i)
{
    const int32_t value = rend_board_times(shape->wave->scale, 2 * shape->sound->wave[0][i]);
    return rend_board_within(value, -LOUDEST, LOUDEST);
}

static int32_t right(const struct shape *shape, uint32_t i)
{
    const int32_t value = rend_board_times(shape->wave->scale, 2 * shape->sound->wave[1][i]);
    return rend_board_within(value, -LOUDEST, LOUDEST);
}

static int32_t pixel(int32_t place)
{
    return rend_board_within(((place + ONE) * (REND_BOARD_SIDE / 2)) >> 16, -FAR,
                             FAR + REND_BOARD_SIDE);
}

static struct rend_board_point point_of(const struct shape *shape, int32_t x, int32_t y)
{
    const int32_t most = 64 * ONE;
    const int32_t across = rend_board_within(shape->centre.x + x, -most, most);
    const int32_t up = rend_board_within(shape->centre.y + y, -most, most);
    return (struct rend_board_point){pixel(across), pixel(-up)};
}

static uint32_t make_spiro(const struct shape *shape, struct rend_board_point *points)
{
    for (uint32_t i = 0; i < REND_BOARD_WAVE_POINTS; i++) {
        points[i] = point_of(shape, right(shape, i), left(shape, i + LATER));
    }
    return REND_BOARD_WAVE_POINTS;
}

/* Each point is drawn towards where the two before it lead. */
static uint32_t make_script(const struct shape *shape, struct rend_board_point *points)
{
    const int32_t along = rend_board_within(shape->wave->mystery, -ONE, ONE);
    const int32_t inert = 29491 + (along + ONE) / 4; /* 0.45 + 0.5 * (0.5 * p + 0.5) */
    struct rend_board_point before[2] = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < SHORT; i++) {
        const int32_t sway = rend_board_times(28836, right(shape, i + SCRIPT_LATER + SHORT_AT));
        struct rend_board_point at = {2 * ONE * (int32_t)i / SHORT - ONE + sway,
                                      rend_board_times(30802, left(shape, i + SHORT_AT))};
        if (i > 1) {
            at.x = rend_board_times(ONE - inert, at.x) +
                   rend_board_times(inert, 2 * before[0].x - before[1].x);
            at.y = rend_board_times(ONE - inert, at.y) +
                   rend_board_times(inert, 2 * before[0].y - before[1].y);
        }
        before[1] = before[0];
        before[0] = at;
        points[i] = point_of(shape, at.x, at.y);
    }
    return SHORT;
}

static uint32_t make_hash(const struct shape *shape, struct rend_board_point *points)
{
    const int32_t cosine = rend_board_cosine(shape->angle);
    const int32_t sine = rend_board_sine(shape->angle);
    for (uint32_t i = 0; i < REND_BOARD_WAVE_POINTS; i++) {
        const int32_t l[2] = {left(shape, i), left(shape, i + LATER)};
        const int32_t r[2] = {right(shape, i), right(shape, i + LATER)};
        const int32_t a = rend_board_times(r[0], l[1]) + rend_board_times(l[0], r[1]);
        const int32_t b = rend_board_times(r[0], r[0]) - rend_board_times(l[1], l[1]);
        points[i] = point_of(shape, rend_board_times(a, cosine) - rend_board_times(b, sine),
                             rend_board_times(a, sine) + rend_board_times(b, cosine));
    }
    return REND_BOARD_WAVE_POINTS;
}

static int32_t kept(int64_t value)
{
    const int64_t most = 1 << 24;
    return (int32_t)(value < -most ? -most : value > most ? most : value);
}

/* Moves the point along the line to where its coordinate is `edge`. */
static struct rend_board_point cut(struct rend_board_point at, struct rend_board_point other,
                                   bool across, int32_t edge)
{
    const int64_t way = across ? (int64_t)other.x - at.x : (int64_t)other.y - at.y;
    const int64_t rest = (int64_t)edge - (across ? at.x : at.y);
    if (way == 0) {
        return at;
    }
    const int64_t x = at.x + ((int64_t)other.x - at.x) * rest / way;
    const int64_t y = at.y + ((int64_t)other.y - at.y) * rest / way;
    return (struct rend_board_point){kept(x), kept(y)};
}

static struct rend_board_point cut_all(struct rend_board_point at, struct rend_board_point other)
{
    at = at.x > EDGE ? cut(at, other, true, EDGE) : at;
    at = at.x < -EDGE ? cut(at, other, true, -EDGE) : at;
    at = at.y > EDGE ? cut(at, other, false, EDGE) : at;
    at = at.y < -EDGE ? cut(at, other, false, -EDGE) : at;
    return at;
}

static uint32_t make_line(const struct shape *shape, struct rend_board_point *points)
{
    const uint32_t angle = (uint32_t)rend_board_times(
        rend_board_within(shape->wave->mystery, -64 * ONE, 64 * ONE), QUARTER_TURN);
    const struct rend_board_point along = {rend_board_cosine(angle), rend_board_sine(angle)};
    const struct rend_board_point normal = {-along.y, along.x};
    const int32_t x = shape->centre.x;
    const struct rend_board_point middle = {rend_board_times(x, normal.x),
                                            rend_board_times(x, normal.y)};
    struct rend_board_point from = {middle.x - LINE_REACH * along.x,
                                    middle.y - LINE_REACH * along.y};
    struct rend_board_point to = {middle.x + LINE_REACH * along.x, middle.y + LINE_REACH * along.y};
    from = cut_all(from, to);
    to = cut_all(to, from);
    const struct shape origin = {.wave = shape->wave};
    for (int32_t i = 0; i < SHORT; i++) {
        const int32_t height = left(shape, (uint32_t)i + SHORT_AT) / 4;
        points[i] = point_of(
            &origin, from.x + (to.x - from.x) / SHORT * i + rend_board_times(normal.x, height),
            from.y + (to.y - from.y) / SHORT * i + rend_board_times(normal.y, height));
    }
    return SHORT;
}

uint32_t rend_board_wave_points(const struct rend_board_wave *wave,
                                const struct rend_board_sound *sound, uint32_t angle,
                                struct rend_board_point points[static REND_BOARD_WAVE_POINTS])
{
    const int32_t most = 4 * ONE;
    const struct shape shape = {.wave = wave,
                                .sound = sound,
                                .centre = {2 * rend_board_within(wave->x, -most, most) - ONE,
                                           2 * rend_board_within(wave->y, -most, most) - ONE},
                                .angle = angle};
    switch (wave->mode) {
    case SPIRO:
    case SPIRO_LOUD:
        return make_spiro(&shape, points);
    case SCRIPT:
        return make_script(&shape, points);
    case HASH:
        return make_hash(&shape, points);
    case LINE:
        return make_line(&shape, points);
    default:
        return 0;
    }
}

/* In 64ths: 100 times alpha, after the mode's own factor. */
static int32_t alpha_of(const struct rend_board_wave *wave, const struct rend_board_sound *sound)
{
    const int64_t alpha = rend_board_within(wave->alpha, 0, 100 * ONE);
    const int64_t treb = sound->level[2];
    int64_t scaled = 100 * alpha;
    if (wave->mode == SPIRO || wave->mode == HASH) {
        scaled = 9 * alpha;
    } else if (wave->mode == SPIRO_LOUD) {
        scaled = ((39 * alpha / 2) * ((treb * treb) >> 16)) >> 16;
    }
    scaled >>= 16;
    return (int32_t)(scaled < 64 ? scaled : 64);
}

struct rend_board_ink rend_board_wave_ink(const struct rend_board_wave *wave,
                                          const struct rend_board_sound *sound)
{
    int32_t color[3];
    int32_t brightest = 0;
    for (int i = 0; i < 3; i++) {
        color[i] = rend_board_within(wave->color[i], 0, ONE);
        brightest = color[i] > brightest ? color[i] : brightest;
    }
    for (int i = 0; i < 3 && wave->brighten && brightest > DIM; i++) {
        color[i] = (int32_t)(((int64_t)color[i] << 16) / brightest);
    }
    struct rend_board_ink ink =
        rend_board_ink_of(color[0], color[1], color[2], alpha_of(wave, sound));
    ink.additive = wave->additive;
    return ink;
}

static void draw_dots(uint8_t *texture, const struct rend_board_wave *wave,
                      struct rend_board_ink ink, const struct rend_board_point *points,
                      uint32_t count)
{
    const int32_t size = wave->thick ? 2 : 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct rend_board_point to = {points[i].x + size, points[i].y + size};
        rend_board_fill(texture, ink, points[i], to);
    }
}

void rend_board_wave_draw(uint8_t *texture, const struct rend_board_wave *wave,
                          const struct rend_board_sound *sound, uint32_t angle)
{
    struct rend_board_point points[REND_BOARD_WAVE_POINTS];
    const struct rend_board_ink ink = rend_board_wave_ink(wave, sound);
    const uint32_t count = ink.alpha == 0 ? 0 : rend_board_wave_points(wave, sound, angle, points);
    if (wave->dots) {
        draw_dots(texture, wave, ink, points, count);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        rend_board_line(texture, ink, wave->thick, points[i - 1], points[i]);
    }
}
