/* Floats of 64 bits on a device beside C's doubles, base/fmath.h and the operations of equations,
 * bit by bit: every function on pairs of numbers that hardware may treat in its own way, and on
 * random ones of many kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"
#include "base/random.h"
#include "gpu/device.h"
#include "gpu/spirv/equations/elementary.h"
#include "gpu/spirv/equations/operation.h"
#include "gpu/spirv/read.h"
#include "pfpu/ir/arith.h"

enum { GROUP = 64, CASES = 1 << 15, GIVEN = 3, GIVEN_WORDS = 2 * GIVEN };

static const double special[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    -3.0,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-1074,
    -0x1p-1074,
    0x1p-1022,
    -0x1p-1022,
    0x0.fffffffffffffp-1022,
    0x0.8p-1022,
    0x1.8p-1022,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    0x1p1023,
    0x1p-1000,
    0x1p1000,
    1.5,
    0x1.0000000000001p0,
    0x1.fffffffffffffp-1,
    0x1p52,
    0x1.8p52,
    0x1p53,
    0x1.fffffffffffffp52,
    0x1p31,
    -0x1p31,
    0x1p32,
    0x1p63,
    -0x1p63,
    1e5,
    -1e5,
    1.00001e5,
    16.0,
    -16.0,
    17.0,
    64.0,
    710.0,
    -746.0,
    709.78,
    -745.13,
    BASE_PI,
    0.5 * BASE_PI,
    0x1p-27,
    0x1p-28,
    1e300,
    1e-300,
    0.1,
    10.0,
    0x1p500,
    0x1p-500,
    0x1.6ap0,
    2.0 * BASE_PI,
    1e22,
    12345678.9,
};
enum { SPECIAL = sizeof special / sizeof *special };

struct given {
    double of[CASES][GIVEN];
};

struct room {
    struct gpu_device *device; /* NULL: there is none with such floats */
    struct given *given;
};

/* ---- numbers ---- */

static double from_bits(uint64_t bits)
{
    double number = 0.0;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double any_number(struct base_rng *rng, size_t kind)
{
    const uint64_t bits =
        (uint64_t)(uint32_t)base_rng_next(rng) << 32 | (uint32_t)base_rng_next(rng);
    const double unit = (double)(bits >> 11) * 0x1p-53;
    switch (kind % 8) {
    case 0:
        return from_bits(bits);
    case 1: /* denormal */
        return from_bits(bits & UINT64_C(0x800fffffffffffff));
    case 2: /* near 1 */
        return from_bits((bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1018 + bits % 11)
                                                                     << 52);
    case 3:
        return (unit - 0.5) * 100;
    case 4: /* few bits */
        return from_bits((bits & UINT64_C(0x800f800000000000)) | (uint64_t)(1003 + bits % 41)
                                                                     << 52);
    case 5:
        return floor((unit - 0.5) * 70);
    case 6:
        return (unit - 0.5) * 1e7;
    default:
        return (unit - 0.5) * 3;
    }
}

static void fill(struct given *given)
{
    struct base_rng rng;
    base_rng_seed(&rng, 7, 1);
    for (size_t i = 0; i < CASES; i++) {
        const bool extreme = i < (size_t)SPECIAL * SPECIAL;
        given->of[i][0] = extreme ? special[i / SPECIAL] : any_number(&rng, i);
        given->of[i][1] = extreme ? special[i % SPECIAL] : any_number(&rng, i / 8 + i);
        given->of[i][2] = any_number(&rng, i / 64 + i);
    }
}

/* ---- programs ---- */

struct function {
    const char *name;
    real (*there)(struct spirv *to, real a, real b); /* NULL: the operation */
    double (*here)(double a, double b);
    enum pfpu_op op;
    bool filtered;
};

static real result_there(const struct function *function, struct spirv *to, const real given[GIVEN])
{
    return function->there != NULL ? function->there(to, given[0], given[1])
                                   : spirv_operation(to, function->op, function->filtered, given);
}

static double result_here(const struct function *function, const double given[GIVEN])
{
    if (function->here != NULL) {
        return function->here(given[0], given[1]);
    }
    const double value = pfpu_op_value(function->op, given[0], given[1], given[2]);
    return function->filtered ? pfpu_filtered(value) : value;
}

static uint32_t *words_of(const struct function *function, struct spirv_controls controls,
                          size_t *count)
{
    struct spirv made;
    struct spirv *to = &made;
    struct spirv_outer outer;
    spirv_begin_doubles(to);
    spirv_function(to, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t at = SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT,
                                   spirv_load(to, SPIRV_VECTOR, to->invocation), 0);
    const uint32_t from = spirv_product(to, at, spirv_word(to, GIVEN_WORDS));
    real given[GIVEN];
    for (uint32_t k = 0; k < GIVEN; k++) {
        given[k] = real_read(to, SPIRV_BUFFER_INPUTS, spirv_sum(to, from, spirv_word(to, 2 * k)));
    }
    const struct real_words result = real_words(result_there(function, to, given));
    const uint32_t place = spirv_product(to, at, spirv_word(to, 2));
    spirv_store(to, spirv_place(to, SPIRV_BUFFER_RESULTS, place), result.low);
    spirv_store(to, spirv_place(to, SPIRV_BUFFER_RESULTS, spirv_sum(to, place, spirv_word(to, 1))),
                result.high);
    const uint32_t main = spirv_function_end(to, &outer, 0);
    uint32_t *words = spirv_end(to, main, GROUP, controls, count);
    spirv_free(to);
    return words;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void compare(const struct room *room, const struct function *function)
{
    struct gpu_memory *tables =
        gpu_memory_create(room->device, SPIRV_TABLE_WORDS * sizeof(uint32_t));
    struct gpu_memory *inputs = gpu_memory_create(room->device, sizeof *room->given);
    struct gpu_memory *results = gpu_memory_create(room->device, CASES * sizeof(double));
    struct gpu_memory *memory[SPIRV_BUFFERS] = {tables};
    size_t count = 0;
    assert_non_null(tables);
    assert_non_null(inputs);
    assert_non_null(results);
    memory[SPIRV_BUFFER_TEXELS] = tables;
    memory[SPIRV_BUFFER_INPUTS] = inputs;
    memory[SPIRV_BUFFER_RESULTS] = results;
    spirv_put_tables(gpu_memory_words(tables));
    memcpy(gpu_memory_words(inputs), room->given, sizeof *room->given);
    uint32_t *words = words_of(function, gpu_controls(room->device), &count);
    assert_non_null(words);
    struct gpu_kernel *kernel = gpu_kernel_create(room->device, words, count, memory);
    assert_non_null(kernel);
    const struct gpu_order order = {
        .columns = CASES / GROUP,
        .rows = 1,
        .sent = {gpu_whole(tables, SPIRV_TABLE_WORDS * sizeof(uint32_t)),
                 gpu_whole(inputs, sizeof *room->given)},
        .sent_count = 2,
        .fetched = gpu_whole(results, CASES * sizeof(double)),
    };
    assert_true(gpu_kernel_run(kernel, &order));
    size_t wrong = 0;
    for (size_t i = 0; i < CASES; i++) {
        const double *given = room->given->of[i];
        const double expected = result_here(function, given);
        double found = 0.0;
        memcpy(&found, gpu_memory_words(results) + 2 * i, sizeof found);
        if (!same(expected, found) && wrong++ < 3) {
            print_error("%s of %a, %a, %a is %a, not %a\n", function->name, given[0], given[1],
                        given[2], found, expected);
        }
    }
    assert_int_equal(wrong, 0);
    gpu_kernel_free(kernel);
    gpu_memory_free(tables);
    gpu_memory_free(inputs);
    gpu_memory_free(results);
    free(words);
}

/* ---- functions ---- */

#define SAME(name, value_there, value_here)                                                        \
    static real name##_there(struct spirv *to, real a, real b)                                     \
    {                                                                                              \
        (void)to, (void)a, (void)b;                                                                \
        return value_there;                                                                        \
    }                                                                                              \
    static double name##_here(double a, double b)                                                  \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        return value_here;                                                                         \
    }

static real far_angle(real a)
{
    const real size = real_magnitude(a);
    const uint32_t far =
        real_both(a.to, real_less(real_of(7.0), size), real_less(size, real_of(INFINITY)));
    return real_chosen(a.to, far, real_far_angle(a), real_of(0.0));
}

static real with_sign(real a, real b)
{
    return real_chosen(a.to, real_equal(b, b), real_with_sign(a, b), real_of(0.0));
}

#define TRUTH(truth) real_chosen(to, truth, real_of(1.0), real_of(0.0))

#define FUNCTIONS(ROW)                                                                             \
    ROW(plus, real_plus(a, b), a + b)                                                              \
    ROW(minus, real_minus(a, b), a - b)                                                            \
    ROW(times, real_times(a, b), a *b)                                                             \
    ROW(divide, real_divide(a, b), a / b)                                                          \
    ROW(inverse, real_divide(real_of(1.0), b), 1.0 / b)                                            \
    ROW(root, real_root(a), sqrt(a))                                                               \
    ROW(less, TRUTH(real_less(a, b)), a < b)                                                       \
    ROW(at_most, TRUTH(real_at_most(a, b)), a <= b)                                                \
    ROW(equal, TRUTH(real_equal(a, b)), a == b)                                                    \
    ROW(floor, real_floor(a), floor(a))                                                            \
    ROW(ceil, real_ceil(a), ceil(a))                                                               \
    ROW(trunc, real_trunc(a), trunc(a))                                                            \
    ROW(magnitude, real_magnitude(a), fabs(a))                                                     \
    ROW(negated, real_negated(a), -a)                                                              \
    ROW(with_sign, with_sign(a, b), isnan(b) ? 0 : copysign(a, b))                                 \
    ROW(to_float, real_from_float(to, real_to_float(a)), (double)(float)a)                         \
    ROW(far_angle, far_angle(a), isfinite(a) && fabs(a) > 7 ? fmod(a, 2 * BASE_PI) : 0)            \
    ROW(sin, spirv_angle_function(REAL_SIN, a), base_sin(a))                                       \
    ROW(cos, spirv_angle_function(REAL_COS, a), base_cos(a))                                       \
    ROW(tan, spirv_angle_function(REAL_TAN, a), base_tan(a))                                       \
    ROW(asin, spirv_angle_function(REAL_ASIN, a), base_asin(a))                                    \
    ROW(acos, spirv_angle_function(REAL_ACOS, a), base_acos(a))                                    \
    ROW(atan, spirv_angle_function(REAL_ATAN, a), base_atan(a))                                    \
    ROW(atan2, spirv_atan2(to, a, b), base_atan2(a, b))                                            \
    ROW(exp, spirv_exp(a), base_exp(a))                                                            \
    ROW(log, spirv_log(a), base_log(a))                                                            \
    ROW(log10, spirv_log10(a), base_log10(a))                                                      \
    ROW(pow, spirv_pow(to, a, b), base_pow(a, b))

FUNCTIONS(SAME)

#define ROW_OF(row, value_there, value_here)                                                       \
    {.name = #row, .there = row##_there, .here = row##_here},
static const struct function functions[] = {FUNCTIONS(ROW_OF)};

static void test_functions(void **state)
{
    const struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        compare(room, &functions[i]);
    }
}

static void test_operations(void **state)
{
    const struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (int op = 0; op < PFPU_OP_COUNT; op++) {
        for (int filtered = 0; spirv_knows_operation((enum pfpu_op)op) && filtered < 2;
             filtered++) {
            const struct function function = {
                .name = pfpu_ops[op].text, .op = (enum pfpu_op)op, .filtered = filtered != 0};
            compare(room, &function);
        }
    }
}

static int open_room(void **state)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    room->device = gpu_list(about) > 0 ? gpu_open(about[0].key) : NULL;
    if (room->device != NULL && !gpu_controls(room->device).doubles) {
        gpu_close(room->device);
        room->device = NULL;
    }
    room->given = malloc(sizeof *room->given);
    assert_non_null(room->given);
    fill(room->given);
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    gpu_close(room->device);
    free(room->given);
    free(room);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_operations)};
    return cmocka_run_group_tests(tests, open_room, close_room);
}
