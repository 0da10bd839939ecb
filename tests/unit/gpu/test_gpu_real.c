/* Floats of 64 bits on a device beside C's doubles, base/fmath.h and the operations of equations,
 * bit by bit: every function on pairs of numbers that hardware may treat in its own way, and on
 * random ones of many kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"
#include "gpu/proof/doubles.h"
#include "gpu/spirv/equations/elementary.h"
#include "gpu/spirv/equations/operation.h"
#include "pfpu/ir/arith.h"

enum { CASES = 1 << 15 };

struct room {
    struct gpu_device *device; /* NULL: there is none with such floats */
    double given[CASES][GPU_GIVEN];
    double results[CASES];
};

struct function {
    const char *name;
    struct gpu_double_function there;
    double (*here)(double a, double b); /* NULL: the operation */
};

static double result_here(const struct function *function, const double given[GPU_GIVEN])
{
    if (function->here != NULL) {
        return function->here(given[0], given[1]);
    }
    const double value = pfpu_op_value(function->there.op, given[0], given[1], given[2]);
    return function->there.filtered ? pfpu_filtered(value) : value;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void compare(struct room *room, const struct function *function)
{
    enum { TOLD = 3 };
    size_t wrong = 0;
    assert_true(gpu_doubles_run(room->device, &function->there,
                                (const double(*)[GPU_GIVEN])room->given, CASES, room->results));
    for (size_t i = 0; i < CASES; i++) {
        const double *given = room->given[i];
        const double expected = result_here(function, given);
        if (!same(expected, room->results[i]) && wrong++ < TOLD) {
            print_error("%s of %a, %a, %a is %a, not %a\n", function->name, given[0], given[1],
                        given[2], room->results[i], expected);
        }
    }
    assert_int_equal(wrong, 0);
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
    {.name = #row, .there = {.make = row##_there}, .here = row##_here},
static const struct function functions[] = {FUNCTIONS(ROW_OF)};

static void test_functions(void **state)
{
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        compare(room, &functions[i]);
    }
}

static void test_operations(void **state)
{
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (int i = 0; i < 2 * PFPU_OP_COUNT; i++) {
        const enum pfpu_op op = (enum pfpu_op)(i / 2);
        const struct function function = {.name = pfpu_ops[op].text,
                                          .there = {.op = op, .filtered = i % 2 != 0}};
        if (spirv_knows_operation(op)) {
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
    gpu_doubles_fill(room->given, CASES);
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    gpu_close(room->device);
    free(room);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_operations)};
    return cmocka_run_group_tests(tests, open_room, close_room);
}
