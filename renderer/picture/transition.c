#include "renderer/picture/transition.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/random.h"

enum { CLOUD_CELLS = 64, CLOUD_SIDE = CLOUD_CELLS + 1, DROPS = 12, WHEN_ONE = 65536 };

static const double TURN = 2 * BASE_PI;

struct place {
    double x;
    double y;
};

/* What chance decided. */
struct field {
    struct base_rng rng;
    struct place direction;
    double phase; /* 0..1 */
    double count;
    bool inverted;
    double wide; /* of the picture, the shorter side is 1 */
    double high;
    struct place drops[DROPS];
    float cloud[CLOUD_SIDE][CLOUD_SIDE];
};

static double chance(struct base_rng *rng)
{
    return base_rng_next(rng) / 4294967296.0;
}

static double fraction(double x)
{
    return x - floor(x);
}

static double distance(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* Places are measured from the centre in units of the shorter side. Distance of a corner: 1. */
static double outwards(const struct field *field, struct place at)
{
    return distance(at.x, at.y) / (0.5 * distance(field->wide, field->high));
}

/* Along the direction of the field, 0..1 within the picture. */
static double along(const struct field *field, struct place at)
{
    const double reach =
        0.5 * (fabs(field->direction.x) * field->wide + fabs(field->direction.y) * field->high);
    return 0.5 + 0.5 * (at.x * field->direction.x + at.y * field->direction.y) / reach;
}

static double turn_of(struct place at)
{
    return at.x == 0 && at.y == 0 ? 0 : base_atan2(at.y, at.x) / TURN;
}

static double wipe(const struct field *field, struct place at)
{
    return along(field, at);
}

static double plasma(const struct field *field, struct place at)
{
    const double x = (at.x / field->wide + 0.5) * CLOUD_CELLS;
    const double y = (at.y / field->high + 0.5) * CLOUD_CELLS;
    const int column = (int)fmin(fmax(floor(x), 0), CLOUD_CELLS - 1);
    const int row = (int)fmin(fmax(floor(y), 0), CLOUD_CELLS - 1);
    const float *upper = field->cloud[row];
    const float *lower = field->cloud[row + 1];
    const double across = x - column;
    const double top = (double)upper[column] * (1 - across) + (double)upper[column + 1] * across;
    const double bottom = (double)lower[column] * (1 - across) + (double)lower[column + 1] * across;
    return top + (bottom - top) * (y - row);
}

static double radial(const struct field *field, struct place at)
{
    return outwards(field, at);
}

static double clock_hands(const struct field *field, struct place at)
{
    return fraction(turn_of(at) * field->count + field->phase);
}

static double spiral(const struct field *field, struct place at)
{
    const double out = outwards(field, at);
    const double arm = fraction(turn_of(at) * field->count + 1.5 * out + field->phase);
    return 0.45 * arm + 0.55 * out;
}

static double blinds(const struct field *field, struct place at)
{
    const double way = along(field, at);
    return 0.6 * fraction(way * 3 * field->count) + 0.4 * way;
}

static uint32_t scrambled(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static double blocks(const struct field *field, struct place at)
{
    const double size = 5 + 2 * field->count;
    const uint32_t column = (uint32_t)(int32_t)floor((at.x + 2) * size);
    const uint32_t row = (uint32_t)(int32_t)floor((at.y + 2) * size);
    const uint32_t start = (uint32_t)(field->phase * 65536);
    return scrambled(scrambled(start + column) + row) / 4294967296.0;
}

static double rings(const struct field *field, struct place at)
{
    const double out = outwards(field, at);
    return 0.5 * fraction(out * 2 * field->count + field->phase) + 0.5 * (1 - out);
}

static double diamonds(const struct field *field, struct place at)
{
    const double size = 3 + 2 * field->count;
    const double x = fabs(fraction(at.x * size + field->phase) - 0.5);
    const double y = fabs(fraction(at.y * size) - 0.5);
    return 0.5 * (1 - x - y) + 0.5 * along(field, at);
}

static double drops(const struct field *field, struct place at)
{
    double nearest = 1;
    for (int i = 0; i < DROPS; i++) {
        const double away = distance(at.x - field->drops[i].x, at.y - field->drops[i].y);
        nearest = away < nearest ? away : nearest;
    }
    return 1 - nearest;
}

struct transition_row {
    const char *name;
    double softness;
    double more;
    double (*when)(const struct field *field, struct place at); /* 0..1, from last to first */
};

static const struct transition_row rows[REND_TRANSITIONS] = {
#define REND_TRANSITION(id, name, softness, more, help, when) {name, softness, more, when},
#include "renderer/picture/transitions.def"
};

const char *rend_transition_name(enum rend_transition transition)
{
    return rows[transition].name;
}

/* The mean of two neighbours `reach` to each side, moved by chance. */
static float midpoint(struct base_rng *rng, float a, float b, double displacement)
{
    return (a + b) / 2 + (float)((2 * chance(rng) - 1) * displacement);
}

static void make_cloud(struct field *field)
{
    for (int i = 0; i < 4; i++) {
        field->cloud[i / 2 * CLOUD_CELLS][i % 2 * CLOUD_CELLS] = (float)chance(&field->rng);
    }
    double displacement = 0.25;
    /* Midpoint displacement: edges of a cell first, then its centre. */
    for (int size = CLOUD_CELLS; size > 1; size /= 2, displacement /= 2) {
        const int half = size / 2;
        for (int row = 0; row < CLOUD_SIDE; row += size) {
            float *line = field->cloud[row];
            for (int column = half; column < CLOUD_SIDE; column += size) {
                line[column] =
                    midpoint(&field->rng, line[column - half], line[column + half], displacement);
            }
        }
        for (int row = half; row < CLOUD_SIDE; row += size) {
            for (int column = 0; column < CLOUD_SIDE; column += half) {
                field->cloud[row][column] =
                    midpoint(&field->rng, field->cloud[row - half][column],
                             field->cloud[row + half][column], displacement);
            }
        }
    }
    float *values = &field->cloud[0][0];
    float least = values[0];
    float most = values[0];
    for (size_t i = 0; i < sizeof field->cloud / sizeof *values; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    for (size_t i = 0; i < sizeof field->cloud / sizeof *values && most > least; i++) {
        values[i] = (values[i] - least) / (most - least);
    }
}

size_t rend_way_size(enum rend_transition transition, int width, int height)
{
    return rows[transition].when == NULL ? 0 : (size_t)width * (size_t)height * sizeof(uint16_t);
}

struct rend_way rend_way_make(enum rend_transition transition, int width, int height, uint64_t seed,
                              uint16_t *when)
{
    struct field field;
    memset(&field, 0, sizeof field);
    base_rng_seed(&field.rng, seed, 2);
    const double shorter = width < height ? width : height;
    const double angle = chance(&field.rng) * TURN;
    field.direction = (struct place){base_cos(angle), base_sin(angle)};
    field.phase = chance(&field.rng);
    field.count = 1 + floor(3 * chance(&field.rng));
    field.inverted = chance(&field.rng) < 0.5;
    field.wide = width / shorter;
    field.high = height / shorter;
    for (int i = 0; i < DROPS; i++) {
        field.drops[i].x = (chance(&field.rng) - 0.5) * field.wide;
        field.drops[i].y = (chance(&field.rng) - 0.5) * field.high;
    }
    make_cloud(&field);
    const struct transition_row *row = &rows[transition];
    const struct rend_way way = {.transition = transition,
                                 .softness = row->softness + row->more * chance(&field.rng),
                                 .when = rows[transition].when == NULL ? NULL : when};
    for (int y = 0; y < height && way.when != NULL; y++) {
        for (int x = 0; x < width; x++) {
            const struct place at = {((x + 0.5) / width - 0.5) * field.wide,
                                     ((y + 0.5) / height - 0.5) * field.high};
            const double value = fmin(fmax(row->when(&field, at), 0), 1);
            const uint16_t whole = (uint16_t)(value * (WHEN_ONE - 1) + 0.5);
            *when++ = (uint16_t)(field.inverted ? WHEN_ONE - 1 - whole : whole);
        }
    }
    return way;
}

struct rend_weights rend_weights_even(unsigned weight)
{
    return (struct rend_weights){WHEN_ONE, (int32_t)weight * 256, 256};
}

struct rend_weights rend_way_weights(const struct rend_way *way, double done)
{
    assert(done >= 0 && done <= 1 && way->softness > 0 && way->softness <= 1);
    if (way->transition == REND_TRANSITION_fade) {
        const double smooth = 0.5 - 0.5 * base_cos(done * BASE_PI);
        return rend_weights_even((unsigned)(smooth * 256 + 0.5));
    }
    const int32_t limit = (int32_t)(way->softness * WHEN_ONE + 0.5);
    const double start = (1 + way->softness) * done - 1;
    return (struct rend_weights){(int32_t)floor(start * WHEN_ONE + 0.5), limit,
                                 (256 * WHEN_ONE + limit - 1) / limit};
}
