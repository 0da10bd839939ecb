/* The functions over arrays give the bits of fmath.c at every level of the processor. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"
#include "base/random.h"
#include "../turns.h"

enum { NUMBERS = 4096, ROUNDS = 24 };

struct numbers {
    double a[NUMBERS];
    double b[NUMBERS];
};

static const double edges[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    16.0,
    17.0,
    -16.0,
    -17.0,
    0x1p-27,
    0x1.fffffffffffffp-28,
    0x1p-28,
    0x1.921fb54442d18p-1,
    0x1.921fb54442d19p-1,
    0x1.921fb54442d18p+0,
    0x1.921fb54442d18p+1,
    1e5,
    -1e5,
    100000.00000000001,
    1e17,
    -1e300,
    DBL_MIN,
    -DBL_MIN,
    0x1p-1074,
    -0x1p-1074,
    0x1p-1060,
    DBL_MAX,
    -DBL_MAX,
    700.0,
    -700.0,
    700.0000000000001,
    710.5,
    -745.5,
    -746.5,
    0x1p60,
    0x1.0000000000001p60,
    0x1p500,
    0x1p-500,
    0x1p501,
    0x1p-501,
    0x1.6ap0,
    0x1.69fffffffffffp0,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    INFINITY,
    -INFINITY,
    NAN,
    -NAN,
};

enum { EDGES = sizeof edges / sizeof *edges };

static double any_bits(struct base_rng *rng)
{
    const uint64_t bits = (uint64_t)base_rng_next(rng) << 32 | base_rng_next(rng);
    double x = 0.0;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double uniform(struct base_rng *rng, double size)
{
    return size * ((double)base_rng_next(rng) / 2147483648.0 - 1.0);
}

/* Numbers of every kind, ordinary ones above all. */
static double any_number(struct base_rng *rng)
{
    switch (base_rng_next(rng) % 8) {
    case 0:
        return edges[base_rng_next(rng) % EDGES];
    case 1:
        return any_bits(rng);
    case 2:
        return floor(uniform(rng, 24.0));
    case 3:
        return uniform(rng, 1e6);
    case 4:
        return ldexp(uniform(rng, 1.0), (int)(base_rng_next(rng) % 64) - 32);
    case 5:
        return uniform(rng, 1.0);
    default:
        return uniform(rng, 8.0);
    }
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

struct unary_case {
    const char *name;
    double (*single)(double x);
    size_t offset; /* in struct base_fmath_lanes */
};

#define UNARY(name)                                                                                \
    {                                                                                              \
#name, base_##name, offsetof(struct base_fmath_lanes, name)                                \
    }

static const struct unary_case unary_cases[] = {
    UNARY(sin),  UNARY(cos), UNARY(tan), UNARY(asin),  UNARY(acos),
    UNARY(atan), UNARY(exp), UNARY(log), UNARY(log10),
};

static void check_unary(const struct unary_case *test, const struct base_fmath_lanes *lanes,
                        const struct numbers *numbers, size_t count)
{
    base_lanes_unary function = NULL;
    memcpy(&function, (const char *)lanes + test->offset, sizeof function);
    double *got = calloc(count + 1, sizeof *got);
    assert_non_null(got);
    got[count] = 77.0;
    function(got, numbers->a, count);
    for (size_t i = 0; i < count; i++) {
        const double expected = test->single(numbers->a[i]);
        if (!same(got[i], expected)) {
            fail_msg("%s(%a): %a, not %a", test->name, numbers->a[i], got[i], expected);
        }
    }
    assert_true(got[count] == 77.0);
    memcpy(got, numbers->a, count * sizeof *got);
    function(got, got, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(same(got[i], test->single(numbers->a[i])));
    }
    free(got);
}

static void check_binary(const char *name, base_lanes_binary function,
                         double (*single)(double a, double b), const struct numbers *numbers,
                         size_t count)
{
    double *got = calloc(count + 1, sizeof *got);
    assert_non_null(got);
    got[count] = 77.0;
    function(got, numbers->a, numbers->b, count);
    for (size_t i = 0; i < count; i++) {
        const double expected = single(numbers->a[i], numbers->b[i]);
        if (!same(got[i], expected)) {
            fail_msg("%s(%a, %a): %a, not %a", name, numbers->a[i], numbers->b[i], got[i],
                     expected);
        }
    }
    assert_true(got[count] == 77.0);
    memcpy(got, numbers->b, count * sizeof *got);
    function(got, numbers->a, got, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(same(got[i], single(numbers->a[i], numbers->b[i])));
    }
    free(got);
}

static void check_all(const struct base_fmath_lanes *lanes, const struct numbers *numbers,
                      size_t count)
{
    for (size_t i = 0; i < sizeof unary_cases / sizeof *unary_cases; i++) {
        check_unary(&unary_cases[i], lanes, numbers, count);
    }
    check_binary("atan2", lanes->atan2, base_atan2, numbers, count);
    check_binary("pow", lanes->pow, base_pow, numbers, count);
}

static void check_level(enum base_cpu_level level)
{
    static struct numbers numbers;
    const struct base_fmath_lanes *lanes = base_fmath_lanes_for(level);
    struct base_rng rng;
    base_rng_seed(&rng, 5, 7);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < NUMBERS; i++) {
            numbers.a[i] = any_number(&rng);
            numbers.b[i] = any_number(&rng);
        }
        check_all(lanes, &numbers, round % 2 == 0 ? NUMBERS : NUMBERS - 1 - (size_t)round % 4);
    }
    for (size_t i = 0; i < EDGES * EDGES; i++) {
        numbers.a[i] = edges[i % EDGES];
        numbers.b[i] = edges[i / EDGES];
    }
    check_all(lanes, &numbers, EDGES * EDGES);
    for (size_t count = 0; count < 9; count++) {
        check_all(lanes, &numbers, count);
    }
}

static void test_plain(void **state)
{
    (void)state;
    check_level(BASE_CPU_PLAIN);
}

static void test_vectors(void **state)
{
    (void)state;
    if (base_fmath_lanes_for(base_cpu_best()) == &base_fmath_lanes_plain) {
        SKIP("this processor has no vectors");
    }
    for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
        check_level((enum base_cpu_level)level);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain),
                                       cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
