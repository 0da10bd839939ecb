#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/fmath.h"
#include "base/random.h"

enum { POINTS = 20000 };

/* The reference has bits to spare where long double has; elsewhere it errs by up to one unit. */
static const double reference_slack = LDBL_MANT_DIG >= 64 ? 0.01 : 1.0;

static double uniform(struct base_rng *rng, double low, double high)
{
    const double unit = ((double)base_rng_next(rng) + 0.5) / 4294967296.0;
    const double fine = (double)base_rng_next(rng) / 4294967296.0 / 4294967296.0;
    return low + (high - low) * (unit + fine);
}

static double error_in_ulp(double got, long double want)
{
    const double rounded = (double)want;
    if (isnan(got) || isinf(got) || isnan(rounded) || isinf(rounded)) {
        const bool same = got == rounded || (isnan(got) && isnan(rounded));
        return same ? 0.0 : INFINITY;
    }
    int exponent = 0;
    (void)frexp(rounded, &exponent);
    if (rounded == 0.0 || exponent < DBL_MIN_EXP) {
        exponent = DBL_MIN_EXP;
    }
    return fabs((double)((got - want) / ldexpl(1.0L, exponent - DBL_MANT_DIG)));
}

struct range_of_one {
    const char *name;
    double (*function)(double);
    long double (*reference)(long double);
    double low;
    double high;
    double bound; /* ulp */
};

static const struct range_of_one ranges[] = {
    {"sin", base_sin, sinl, -1.0, 1.0, 2.0},      {"sin", base_sin, sinl, -10.0, 10.0, 2.0},
    {"sin", base_sin, sinl, -1e5, 1e5, 2.0},      {"cos", base_cos, cosl, -10.0, 10.0, 2.0},
    {"cos", base_cos, cosl, -1e5, 1e5, 2.0},      {"tan", base_tan, tanl, -2.0, 2.0, 4.0},
    {"tan", base_tan, tanl, -1e5, 1e5, 4.0},      {"asin", base_asin, asinl, -1.0, 1.0, 3.0},
    {"asin", base_asin, asinl, -0.01, 0.01, 3.0}, {"acos", base_acos, acosl, -1.0, 1.0, 3.0},
    {"acos", base_acos, acosl, 0.999, 1.0, 3.0},  {"atan", base_atan, atanl, -1.0, 1.0, 2.0},
    {"atan", base_atan, atanl, -50.0, 50.0, 2.0}, {"exp", base_exp, expl, -1.0, 1.0, 1.0},
    {"exp", base_exp, expl, -746.0, 710.0, 1.0},  {"log", base_log, logl, 0.0, 2.0, 1.0},
    {"log", base_log, logl, 0.98, 1.02, 1.0},     {"log", base_log, logl, 0.0, 1e6, 1.0},
    {"log", base_log, logl, 0.0, 1e-307, 1.0},    {"log10", base_log10, log10l, 0.0, 2.0, 1.0},
    {"log10", base_log10, log10l, 0.0, 1e9, 1.0},
};

static void test_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct range_of_one *range = &ranges[i];
        struct base_rng rng;
        base_rng_seed(&rng, 1, i);
        for (int j = 0; j < POINTS; j++) {
            const double x = uniform(&rng, range->low, range->high);
            const double error = error_in_ulp(range->function(x), range->reference(x));
            if (error > range->bound + reference_slack) {
                fail_msg("%s(%a) is off by %.2f ulp", range->name, x, error);
            }
        }
    }
}

static void test_near_quarter_turns(void **state)
{
    (void)state;
    for (int i = 1; i < 60000; i += 7) {
        const double turn = (double)(i * 1.57079632679489661923132169163975144L);
        const double around[3] = {nextafter(turn, 0.0), turn, nextafter(turn, 1e9)};
        for (int j = 0; j < 3; j++) {
            const double x = around[j];
            assert_true(error_in_ulp(base_sin(x), sinl(x)) <= 2.0 + reference_slack);
            assert_true(error_in_ulp(base_cos(-x), cosl(-x)) <= 2.0 + reference_slack);
            assert_true(error_in_ulp(base_tan(x), tanl(x)) <= 4.0 + reference_slack);
        }
    }
}

static void test_large_angles_stay_angles(void **state)
{
    (void)state;
    for (double x = 1e5; x < 1e300; x *= 7.7) {
        const double sine = base_sin(x);
        const double cosine = base_cos(x);
        assert_true(fabs(sine * sine + cosine * cosine - 1.0) < 1e-15);
    }
}

struct range_of_two {
    double x_low;
    double x_high;
    double y_low;
    double y_high;
};

static void test_pow_ranges(void **state)
{
    (void)state;
    static const struct range_of_two table[] = {
        {0.0, 10.0, -65.0, 65.0}, {0.9, 1.1, -7000.0, 7000.0}, {0.001, 1000.0, -105.0, 105.0},
        {0.0, 2.0, 0.1, 3.0},     {1e-300, 1e-298, 1.0, 1.09},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct base_rng rng;
        base_rng_seed(&rng, 2, i);
        for (int j = 0; j < POINTS; j++) {
            const double x = uniform(&rng, table[i].x_low, table[i].x_high);
            const double y = uniform(&rng, table[i].y_low, table[i].y_high);
            const double error = error_in_ulp(base_pow(x, y), powl(x, y));
            if (error > 1.0 + reference_slack) {
                fail_msg("pow(%a, %a) is off by %.2f ulp", x, y, error);
            }
        }
    }
}

static void test_pow_whole(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 3, 0);
    for (int j = 0; j < POINTS; j++) {
        const double x = uniform(&rng, -30.0, 30.0);
        const double y = floor(uniform(&rng, -64.0, 65.0));
        const double bound = fabs(y) <= 16.0 ? fabs(y) + 1.0 : 1.0;
        assert_true(error_in_ulp(base_pow(x, y), powl(x, y)) <= bound + reference_slack);
    }
}

static void test_pow_exact(void **state)
{
    (void)state;
    for (int base = 2; base < 64; base++) {
        double power = 1.0;
        for (int y = 0; y <= 64 && power <= 0x1p53; y++) {
            const double sign = (y & 1) != 0 ? -1.0 : 1.0;
            assert_true(base_pow(base, y) == power);
            assert_true(base_pow(-base, y) == sign * power);
            assert_true(base_pow(base / 4.0, y) == ldexp(power, -2 * y));
            power *= base;
        }
    }
    for (int y = -1074; y <= 1023; y++) {
        assert_true(base_pow(2.0, y) == ldexp(1.0, y));
    }
    assert_true(base_pow(2.0, -1.0) == 0.5);
    assert_true(base_pow(10.0, 22.0) == 1e22);
}

static void test_log10_exact(void **state)
{
    (void)state;
    double power = 1.0;
    for (int i = 0; i <= 22; i++) {
        assert_true(base_log10(power) == i);
        power *= 10.0;
    }
}

static void test_atan2_range(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 4, 0);
    for (int i = 0; i < POINTS; i++) {
        const int scale = (int)(base_rng_next(&rng) % 2000) - 1000;
        const double y = ldexp(uniform(&rng, -1.0, 1.0), scale);
        const double x =
            ldexp(uniform(&rng, -1.0, 1.0), scale + (int)(base_rng_next(&rng) % 17) - 8);
        const double error = error_in_ulp(base_atan2(y, x), atan2l(y, x));
        if (error > 2.0 + reference_slack) {
            fail_msg("atan2(%a, %a) is off by %.2f ulp", y, x, error);
        }
    }
}

static bool same(double got, double want)
{
    if (isnan(want)) {
        return isnan(got);
    }
    return got == want && (signbit(got) != 0) == (signbit(want) != 0);
}

static const double specials[] = {
    0.0,      -0.0,    1.0,      -1.0,   2.0,     -2.0,     3.0,       -3.0,
    0.5,      -0.5,    1e300,    -1e300, 1e19,    1e-5,     1e-300,    DBL_MAX,
    -DBL_MAX, DBL_MIN, -DBL_MIN, 5e-324, -5e-324, INFINITY, -INFINITY, NAN,
};

enum { SPECIALS = sizeof specials / sizeof *specials };

/* The edges of pow and atan2 over all pairs, where the C library's answer is a matter of Annex F.
 */
static void test_edges_of_two(void **state)
{
    (void)state;
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            const double x = specials[i];
            const double y = specials[j];
            const double power = pow(x, y);
            const bool exact = power == 0.0 || isinf(power) || isnan(power) || power == 1.0;
            const double got = base_pow(x, y);
            if (exact ? !same(got, power) : error_in_ulp(got, power) > 5.0) {
                fail_msg("pow(%a, %a) is %a, not %a", x, y, got, power);
            }
            const double angle = atan2(x, y);
            const double got_angle = base_atan2(x, y);
            if (angle == 0.0 || isnan(angle) ? !same(got_angle, angle)
                                             : error_in_ulp(got_angle, angle) > 2.5) {
                fail_msg("atan2(%a, %a) is %a, not %a", x, y, got_angle, angle);
            }
        }
    }
}

struct edge_of_one {
    const char *name;
    double (*function)(double);
    double x;
    double want;
};

static const struct edge_of_one edges[] = {
    {"sin", base_sin, 0.0, 0.0},
    {"sin", base_sin, -0.0, -0.0},
    {"sin", base_sin, -5e-324, -5e-324},
    {"sin", base_sin, INFINITY, NAN},
    {"sin", base_sin, NAN, NAN},
    {"cos", base_cos, 0.0, 1.0},
    {"cos", base_cos, 1e-9, 1.0},
    {"cos", base_cos, -INFINITY, NAN},
    {"cos", base_cos, NAN, NAN},
    {"tan", base_tan, -0.0, -0.0},
    {"tan", base_tan, INFINITY, NAN},
    {"tan", base_tan, NAN, NAN},
    {"asin", base_asin, -0.0, -0.0},
    {"asin", base_asin, 1.0, 0x1.921fb54442d18p+0},
    {"asin", base_asin, -1.0, -0x1.921fb54442d18p+0},
    {"asin", base_asin, 1.0000001, NAN},
    {"asin", base_asin, -INFINITY, NAN},
    {"asin", base_asin, NAN, NAN},
    {"acos", base_acos, 1.0, 0.0},
    {"acos", base_acos, 0.0, 0x1.921fb54442d18p+0},
    {"acos", base_acos, -1.0, 0x1.921fb54442d18p+1},
    {"acos", base_acos, 2.0, NAN},
    {"acos", base_acos, NAN, NAN},
    {"atan", base_atan, -0.0, -0.0},
    {"atan", base_atan, INFINITY, 0x1.921fb54442d18p+0},
    {"atan", base_atan, -DBL_MAX, -0x1.921fb54442d18p+0},
    {"atan", base_atan, NAN, NAN},
    {"exp", base_exp, 0.0, 1.0},
    {"exp", base_exp, -0.0, 1.0},
    {"exp", base_exp, INFINITY, INFINITY},
    {"exp", base_exp, 709.79, INFINITY},
    {"exp", base_exp, -745.2, 0.0},
    {"exp", base_exp, -INFINITY, 0.0},
    {"exp", base_exp, NAN, NAN},
    {"log", base_log, 1.0, 0.0},
    {"log", base_log, 0.0, -INFINITY},
    {"log", base_log, -0.0, -INFINITY},
    {"log", base_log, -5e-324, NAN},
    {"log", base_log, INFINITY, INFINITY},
    {"log", base_log, -INFINITY, NAN},
    {"log", base_log, NAN, NAN},
    {"log10", base_log10, 0.0, -INFINITY},
    {"log10", base_log10, -1.0, NAN},
    {"log10", base_log10, INFINITY, INFINITY},
};

static void test_edges_of_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const double got = edges[i].function(edges[i].x);
        if (!same(got, edges[i].want)) {
            fail_msg("%s(%a) is %a, not %a", edges[i].name, edges[i].x, got, edges[i].want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_near_quarter_turns),
        cmocka_unit_test(test_large_angles_stay_angles),
        cmocka_unit_test(test_pow_ranges),
        cmocka_unit_test(test_pow_whole),
        cmocka_unit_test(test_pow_exact),
        cmocka_unit_test(test_log10_exact),
        cmocka_unit_test(test_atan2_range),
        cmocka_unit_test(test_edges_of_two),
        cmocka_unit_test(test_edges_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
