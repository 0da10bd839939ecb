#include "gpu/spirv/equations/vertex.h"

#include <math.h>
#include <stdlib.h>

#include "gpu/spirv/equations/elementary.h"
#include "gpu/spirv/equations/operation.h"
#include "gpu/spirv/read.h"

/* What a driver makes code of in a few seconds. */
enum { COST_MAX = 4096 };

#define SIGN     UINT32_C(0x80000000)
#define INFINITE UINT32_C(0x7f800000) /* the bits of it */
#define LARGEST  UINT32_C(0x7f7fffff) /* of the largest float */

static uint32_t word_at(struct spirv *to, uint32_t word)
{
    return spirv_read(to, SPIRV_BUFFER_NUMBERS, spirv_word(to, word));
}

/* ---- floats of 32 bits (FLOAT) ---- */

static uint32_t as_float(struct spirv *to, uint32_t word)
{
    return SPIRV_MAKE(to, SPIRV_BITCAST, SPIRV_FLOAT, word);
}

static uint32_t bits_of(struct spirv *to, uint32_t number)
{
    return SPIRV_MAKE(to, SPIRV_BITCAST, SPIRV_UINT, number);
}

static uint32_t number_at(struct spirv *to, uint32_t word)
{
    return as_float(to, word_at(to, word));
}

static uint32_t plus(struct spirv *to, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(to, SPIRV_FLOAT_ADD, SPIRV_FLOAT, a, b);
}

static uint32_t minus(struct spirv *to, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(to, SPIRV_FLOAT_SUB, SPIRV_FLOAT, a, b);
}

static uint32_t times(struct spirv *to, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(to, SPIRV_FLOAT_MUL, SPIRV_FLOAT, a, b);
}

static uint32_t constant(struct spirv *to, float number)
{
    return spirv_number(to, SPIRV_FLOAT, number);
}

/* A quotient of 64 bits is never so close to the middle between two floats that rounding it again
 * goes another way. Most divisors are 1, for all vertices. */
static uint32_t over(struct spirv *to, uint32_t a, uint32_t b)
{
    const uint32_t quotient = spirv_variable(to, SPIRV_FLOAT);
    spirv_store(to, quotient, a);
    const struct spirv_part part =
        spirv_begin_part(to, SPIRV_MAKE(to, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, bits_of(to, b),
                                        bits_of(to, constant(to, 1.0f))));
    spirv_store(to, quotient,
                real_to_float(real_divide(real_from_float(to, a), real_from_float(to, b))));
    spirv_end_part(to, part);
    return spirv_load(to, SPIRV_FLOAT, quotient);
}

static uint32_t chosen(struct spirv *to, uint32_t truth, uint32_t yes, uint32_t no)
{
    return SPIRV_MAKE(to, SPIRV_SELECT, SPIRV_FLOAT, truth, yes, no);
}

static uint32_t angle_function(struct spirv *to, enum real_function function, uint32_t angle)
{
    return real_to_float(spirv_angle_function(function, real_from_float(to, angle)));
}

/* ---- the equations ---- */

struct vertex {
    struct spirv *to;
    const struct pfpu_lines *lines;
    unsigned written;
    uint32_t at; /* its number */
    uint32_t record;
    uint32_t motion[REND_DEVICE_MOTIONS];
    uint32_t u; /* variables */
    uint32_t v;
};

/* The motion values, in the order of rend_vertex_motion. */
enum motion { ZOOM, ZOOMEXP, ROT, WARP, CX, CY, DX, DY, SX, SY };

static uint32_t place_of(const struct vertex *vertex, uint32_t word)
{
    struct spirv *to = vertex->to;
    const uint32_t at = spirv_sum(to, vertex->record, spirv_word(to, word));
    return as_float(to, spirv_read(to, SPIRV_BUFFER_PLACES, at));
}

/* Beyond the range the largest float, NaN as 0. */
static uint32_t motion_of(real value)
{
    struct spirv *to = value.to;
    const uint32_t bits = bits_of(to, real_to_float(value));
    const uint32_t size = spirv_masked(to, bits, ~SIGN);
    const uint32_t infinite =
        SPIRV_MAKE(to, SPIRV_INTEGER_EQUAL, SPIRV_BOOL, size, spirv_word(to, INFINITE));
    const uint32_t nan =
        SPIRV_MAKE(to, SPIRV_UNSIGNED_GREATER, SPIRV_BOOL, size, spirv_word(to, INFINITE));
    const uint32_t largest = SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, spirv_masked(to, bits, SIGN),
                                        spirv_word(to, LARGEST));
    const uint32_t finite = spirv_chosen(to, infinite, largest, bits);
    return as_float(to, spirv_chosen(to, nan, spirv_word(to, 0), finite));
}

/* Drivers know what 0 times something is, but not that it may be NaN or -0, and the like of sums; 0
 * may come of any number. So none is shown to them as a constant but exponents that say how often
 * something is multiplied. */
static bool is_shown(const struct pfpu_lines *lines, const struct pfpu_line *line, int argument)
{
    enum { MOST = 16 };
    const int32_t value = line->arguments[argument];
    if (line->op != PFPU_OP_POW || argument != 1 || (size_t)value >= lines->number_count) {
        return false;
    }
    const struct pfpu_line_number *number = &lines->numbers[value];
    return number->fixed && number->number >= 1.0 && number->number <= MOST &&
           number->number == trunc(number->number);
}

/* values: room for all of the lines. */
static void compute_lines(struct vertex *vertex, real *values)
{
    const struct pfpu_lines *lines = vertex->lines;
    struct spirv *to = vertex->to;
    for (size_t i = 0; i < lines->number_count; i++) {
        const uint32_t at = SPIRV_VERTEX_LINES + 2 * (uint32_t)i;
        values[i] = real_read(to, SPIRV_BUFFER_NUMBERS, spirv_word(to, at));
    }
    real *inputs = values + lines->number_count;
    for (size_t i = 0; i < lines->input_count; i++) {
        const uint32_t place = i < REND_DEVICE_PLACE ? (uint32_t)i : 0;
        inputs[i] = real_from_float(to, place_of(vertex, SPIRV_VERTEX_PLACE + place));
    }
    real *made = inputs + lines->input_count;
    for (size_t i = 0; i < lines->line_count; i++) {
        const struct pfpu_line *line = &lines->lines[i];
        real arguments[3];
        for (int k = 0; k < pfpu_ops[line->op].arity; k++) {
            const int32_t value = line->arguments[k];
            arguments[k] = is_shown(lines, line, k)
                               ? real_constant(to, lines->numbers[value].number)
                               : values[value];
        }
        made[i] = spirv_operation(to, line->op, line->filtered, arguments);
    }
    size_t output = 0;
    for (uint32_t i = 0; i < REND_DEVICE_MOTIONS; i++) {
        vertex->motion[i] = (vertex->written & 1u << i) != 0
                                ? motion_of(values[lines->outputs[output++]])
                                : number_at(to, SPIRV_VERTEX_MOTION + i);
    }
}

/* ---- where the vertex reads ---- */

static uint32_t coordinate(const struct vertex *vertex, uint32_t variable)
{
    return spirv_load(vertex->to, SPIRV_FLOAT, variable);
}

static uint32_t find_zoom(const struct vertex *vertex)
{
    struct spirv *to = vertex->to;
    const uint32_t zoom = spirv_variable(to, SPIRV_FLOAT);
    spirv_store(to, zoom, vertex->motion[ZOOM]);
    const uint32_t bends =
        SPIRV_MAKE(to, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, bits_of(to, vertex->motion[ZOOMEXP]),
                   bits_of(to, constant(to, 1.0f)));
    const struct spirv_part part = spirv_begin_part(to, bends);
    const real rad = real_from_float(to, place_of(vertex, SPIRV_VERTEX_PLACE + 2));
    const real way = real_minus(real_times(real_of(2.0), rad), real_of(1.0));
    const real first = spirv_pow(to, real_from_float(to, vertex->motion[ZOOMEXP]), way);
    const real exponent = real_from_float(to, real_to_float(first));
    const real second = spirv_pow(to, real_from_float(to, vertex->motion[ZOOM]), exponent);
    spirv_store(to, zoom, real_to_float(second));
    spirv_end_part(to, part);
    return spirv_load(to, SPIRV_FLOAT, zoom);
}

static void zoom_and_stretch(const struct vertex *vertex)
{
    static const enum motion centre[] = {CX, CY};
    static const enum motion stretch[] = {SX, SY};
    const uint32_t variable[] = {vertex->u, vertex->v};
    struct spirv *to = vertex->to;
    const uint32_t zoom = find_zoom(vertex);
    for (uint32_t axis = 0; axis < 2; axis++) {
        const uint32_t half =
            times(to, constant(to, 0.5f), place_of(vertex, SPIRV_VERTEX_REST_X + axis));
        const uint32_t way =
            over(to, times(to, half, number_at(to, SPIRV_VERTEX_RIGHT + axis)), zoom);
        const uint32_t middle = constant(to, 0.5f);
        const uint32_t at = axis == 0 ? plus(to, middle, way) : minus(to, middle, way);
        const uint32_t c = vertex->motion[centre[axis]];
        const uint32_t from = over(to, minus(to, at, c), vertex->motion[stretch[axis]]);
        spirv_store(to, variable[axis], plus(to, from, c));
    }
}

/* A coordinate's two waves. */
struct wave {
    enum real_function function;
    uint32_t phase;
    uint32_t across; /* terms that x and y go with */
    uint32_t up;
    bool sums;     /* the two, else they are subtracted */
    bool forwards; /* from the phase, else back */
};

static const struct wave waves[] = {
    {REAL_SIN, 0, 0, 3, false, true},
    {REAL_COS, 1, 2, 1, true, false},
    {REAL_COS, 2, 1, 2, false, false},
    {REAL_SIN, 3, 0, 3, true, true},
};

static uint32_t wave_of(const struct vertex *vertex, const struct wave *wave)
{
    struct spirv *to = vertex->to;
    const uint32_t x = times(to, place_of(vertex, SPIRV_VERTEX_REST_X),
                             number_at(to, SPIRV_VERTEX_TERM + wave->across));
    const uint32_t y = times(to, place_of(vertex, SPIRV_VERTEX_REST_Y),
                             number_at(to, SPIRV_VERTEX_TERM + wave->up));
    const uint32_t sum = wave->sums ? plus(to, x, y) : minus(to, x, y);
    const uint32_t way = times(to, number_at(to, SPIRV_VERTEX_SCALE), sum);
    const uint32_t phase = number_at(to, SPIRV_VERTEX_PHASE + wave->phase);
    const uint32_t angle = wave->forwards ? plus(to, phase, way) : minus(to, phase, way);
    return angle_function(to, wave->function, angle);
}

static void add_warp(const struct vertex *vertex)
{
    struct spirv *to = vertex->to;
    const uint32_t size = spirv_masked(to, bits_of(to, vertex->motion[WARP]), ~SIGN);
    const struct spirv_part part = spirv_begin_part(
        to, SPIRV_MAKE(to, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, size, spirv_word(to, 0)));
    const uint32_t strength = times(to, vertex->motion[WARP], constant(to, 0.0035f));
    for (size_t i = 0; i < sizeof waves / sizeof *waves; i++) {
        const uint32_t variable = i % 2 == 0 ? vertex->u : vertex->v;
        const uint32_t way = times(to, strength, wave_of(vertex, &waves[i]));
        spirv_store(to, variable, plus(to, coordinate(vertex, variable), way));
    }
    spirv_end_part(to, part);
}

static void rotate(const struct vertex *vertex)
{
    struct spirv *to = vertex->to;
    const bool varies = (vertex->written & 1u << ROT) != 0;
    const uint32_t rot = vertex->motion[ROT];
    const uint32_t sine =
        varies ? angle_function(to, REAL_SIN, rot) : number_at(to, SPIRV_VERTEX_SINE);
    const uint32_t cosine =
        varies ? angle_function(to, REAL_COS, rot) : number_at(to, SPIRV_VERTEX_COSINE);
    const uint32_t a = minus(to, coordinate(vertex, vertex->u), vertex->motion[CX]);
    const uint32_t b = minus(to, coordinate(vertex, vertex->v), vertex->motion[CY]);
    const uint32_t u = minus(to, times(to, a, cosine), times(to, b, sine));
    const uint32_t v = plus(to, times(to, a, sine), times(to, b, cosine));
    spirv_store(to, vertex->u, plus(to, u, vertex->motion[CX]));
    spirv_store(to, vertex->v, plus(to, v, vertex->motion[CY]));
}

/* Bounds a coordinate; what is not finite becomes the one at rest. */
static uint32_t bounded(const struct vertex *vertex, uint32_t number, uint32_t axis)
{
    struct spirv *to = vertex->to;
    const uint32_t half = constant(to, axis == 0 ? 0.5f : -0.5f);
    const uint32_t rest =
        plus(to, constant(to, 0.5f), times(to, half, place_of(vertex, SPIRV_VERTEX_REST_X + axis)));
    const uint32_t finite =
        SPIRV_MAKE(to, SPIRV_UNSIGNED_LESS, SPIRV_BOOL,
                   spirv_masked(to, bits_of(to, number), ~SIGN), spirv_word(to, INFINITE));
    const uint32_t most = constant(to, REND_DEVICE_REACH);
    const uint32_t least = constant(to, -REND_DEVICE_REACH);
    const uint32_t some = chosen(to, finite, number, rest);
    const uint32_t low = SPIRV_MAKE(to, SPIRV_FLOAT_LESS, SPIRV_BOOL, some, least);
    const uint32_t high = SPIRV_MAKE(to, SPIRV_FLOAT_LESS, SPIRV_BOOL, most, some);
    return chosen(to, high, most, chosen(to, low, least, some));
}

static void put_source(const struct vertex *vertex, uint32_t axis)
{
    struct spirv *to = vertex->to;
    const uint32_t from = coordinate(vertex, axis == 0 ? vertex->u : vertex->v);
    const uint32_t moved = minus(to, from, vertex->motion[DX + (int)axis]);
    const uint32_t half = constant(to, 0.5f);
    const uint32_t spread =
        over(to, minus(to, moved, half), number_at(to, SPIRV_VERTEX_RIGHT + axis));
    const uint32_t number = bounded(vertex, plus(to, spread, half), axis);
    const uint32_t at =
        spirv_sum(to, spirv_product(to, vertex->at, spirv_word(to, 2)), spirv_word(to, axis));
    spirv_store(to, spirv_place(to, SPIRV_BUFFER_RESULTS, at), bits_of(to, number));
}

/* ---- the whole ---- */

bool spirv_vertex_takes(const struct pfpu_lines *lines)
{
    for (size_t i = 0; i < lines->line_count; i++) {
        if (!spirv_knows_operation(lines->lines[i].op)) {
            return false;
        }
    }
    return lines->cost <= COST_MAX;
}

static void make(struct vertex *vertex, real *values)
{
    struct spirv *to = vertex->to;
    const uint32_t where = spirv_load(to, SPIRV_VECTOR, to->invocation);
    vertex->at = spirv_least(to, SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 0),
                             word_at(to, SPIRV_VERTEX_LAST));
    vertex->record = spirv_product(to, vertex->at, spirv_word(to, SPIRV_VERTEX_RECORD));
    vertex->u = spirv_variable(to, SPIRV_FLOAT);
    vertex->v = spirv_variable(to, SPIRV_FLOAT);
    compute_lines(vertex, values);
    zoom_and_stretch(vertex);
    add_warp(vertex);
    rotate(vertex);
    put_source(vertex, 0);
    put_source(vertex, 1);
}

uint32_t *spirv_vertex_words(const struct pfpu_lines *lines, unsigned written,
                             struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv_outer outer;
    struct vertex vertex = {.to = &made, .lines = lines, .written = written};
    const size_t all = lines->number_count + lines->input_count + lines->line_count;
    real *values = calloc(all + 1, sizeof *values);
    if (values == NULL) {
        return NULL;
    }
    spirv_begin_doubles(&made);
    spirv_function(&made, &outer, SPIRV_VOID, NULL, 0, NULL);
    make(&vertex, values);
    const uint32_t main = spirv_function_end(&made, &outer, 0);
    uint32_t *words = spirv_end(&made, main, SPIRV_VERTEX_GROUP, controls, count);
    spirv_free(&made);
    free(values);
    return words;
}
