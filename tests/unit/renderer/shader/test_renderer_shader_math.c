/* Errors of the shaders' elementary functions against doubles, and their edges. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../../turns.h"
#include "base/random.h"
#include "renderer/shader/math/math.h"

static float from_bits(uint32_t bits)
{
    float x = 0.0f;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A unit in the last place of the float nearest to the number, the smallest normal one at least. */
static double unit_of(double exact)
{
    int exponent = 0;
    (void)frexp(exact, &exponent);
    return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

/* ---- functions of one number ---- */

struct error_case {
    const char *what;
    float (*function)(float x);
    double (*exact)(double x);
    float from; /* both signs, sizes from..to */
    float to;
    double units;    /* limit in units in the last place; 0: none */
    double absolute; /* limit of the error; 0: none */
};

static double log2_of_size(double x)
{
    return log2(fabs(x));
}

static double root_of_size(double x)
{
    return sqrt(fabs(x));
}

static const struct error_case error_cases[] = {
    {"sin to 1", shader_sin, sin, 0.0f, 1.0f, 2.0, 0.0},
    {"sin to pi", shader_sin, sin, 0.0f, 0x1.921fb6p+1f, 0.0, 2e-7},
    {"sin to 1e4", shader_sin, sin, 0.0f, 1e4f, 0.0, 1e-6},
    {"cos to pi", shader_cos, cos, 0.0f, 0x1.921fb6p+1f, 0.0, 2e-7},
    {"cos to 1e4", shader_cos, cos, 0.0f, 1e4f, 0.0, 1e-6},
    {"sin near 1e4", shader_sin, sin, 8192.0f, 1e4f, 0.0, 1e-6},
    {"cos near 1e4", shader_cos, cos, 8192.0f, 1e4f, 0.0, 1e-6},
    {"exp2", shader_exp2, exp2, 0.0f, 125.49999f, 2.0, 0.0},
    {"log2", shader_log2, log2_of_size, FLT_MIN, FLT_MAX, 2.0, 0.0},
    {"log2 near 1", shader_log2, log2_of_size, 0.7f, 1.5f, 2.0, 1e-7},
    {"asin", shader_asin, asin, 0.0f, 1.0f, 0.0, 5e-7},
    {"acos", shader_acos, acos, 0.0f, 1.0f, 0.0, 5e-7},
    {"sqrt", shader_sqrt, root_of_size, FLT_MIN, FLT_MAX, 0.5, 0.0},
};

/* A prime number of floats from one sample to the next; in a narrow range all floats are samples:
 * the largest errors are too rare for a part of them. */
static uint32_t stride_of(float from, float to)
{
    const uint32_t count = bits_of(to) - bits_of(from);
    return count < 20000000 ? 1 : 331;
}

static void check_errors(const struct error_case *test)
{
    const uint32_t stride = stride_of(test->from, test->to);
    double most_units = 0.0;
    double most = 0.0;
    float where = 0.0f;
    for (uint32_t bits = bits_of(test->from); bits <= bits_of(test->to); bits += stride) {
        const float x = from_bits(bits ^ (bits / stride % 2 == 0 ? 0 : UINT32_C(0x80000000)));
        const double exact = test->exact((double)x);
        const double error = fabs((double)test->function(x) - exact);
        const double units = error / unit_of(exact);
        if (!(units <= most_units)) {
            most_units = units;
            where = x;
        }
        most = error <= most ? most : error;
    }
    print_message("%-12s error at most %.2e, %.2f units (at %a)\n", test->what, most, most_units,
                  (double)where);
    assert_true(test->units == 0.0 || most_units <= test->units);
    assert_true(test->absolute == 0.0 || most <= test->absolute);
}

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        check_errors(&error_cases[i]);
    }
}

static void test_atan2_errors(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 3, 4);
    double most = 0.0;
    for (int i = 0; i < TURNS(4000000); i++) {
        const float y =
            from_bits(base_rng_next(&rng) % (UINT32_C(64) << 23) + (UINT32_C(96) << 23));
        const float ratio =
            from_bits(base_rng_next(&rng) % (UINT32_C(16) << 23) + (UINT32_C(119) << 23));
        const float a = i % 2 == 0 ? y : -y;
        const float b = i % 4 < 2 ? y * ratio : -y * ratio;
        const double exact = atan2((double)a, (double)b);
        const double units = fabs((double)shader_atan2(a, b) - exact) / unit_of(exact);
        most = units <= most ? most : units;
    }
    print_message("atan2        error at most %.2f units\n", most);
    assert_true(most <= 4.0);
}

/* ---- any number ---- */

/* Sine and cosine of every finite number are within -1..1, however far; all others of NaN are NaN.
 */
static void test_sine_stays_within_one(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < UINT32_C(0x7f800000); bits += 509) {
        const float x = from_bits(bits);
        assert_true(fabsf(shader_sin(x)) <= 1.0f && fabsf(shader_cos(x)) <= 1.0f);
        assert_true(fabsf(shader_sin(-x)) <= 1.0f && fabsf(shader_cos(-x)) <= 1.0f);
    }
    for (uint32_t bits = bits_of(1.0f); bits < bits_of(1.6f); bits++) {
        assert_true(shader_sin(from_bits(bits)) <= 1.0f);
    }
    for (uint32_t bits = 0; bits < bits_of(0.02f); bits += 17) {
        assert_true(shader_cos(from_bits(bits)) <= 1.0f);
    }
}

static void test_nan(void **state)
{
    (void)state;
    static float (*const functions[])(float) = {shader_sin,  shader_cos,  shader_exp2,
                                                shader_log2, shader_asin, shader_acos,
                                                shader_sqrt, shader_rsqrt};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        assert_true(isnan(functions[i](NAN)));
        assert_true(isnan(functions[i](-NAN)));
        assert_true(isnan(functions[i](from_bits(UINT32_C(0x7fffffff)))));
        assert_true(isnan(functions[i](from_bits(UINT32_C(0xff800001)))));
    }
    const float others[] = {0.0f, -0.0f, 1.0f, -2.0f, INFINITY, NAN};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_true(isnan(shader_atan2(NAN, others[i])));
        assert_true(isnan(shader_atan2(others[i], NAN)));
    }
}

/* ---- edges ---- */

struct edge {
    float (*function)(float x);
    float x;
    float expected;
};

static const struct edge edges[] = {
    {shader_sin, 0.0f, 0.0f},
    {shader_cos, 0.0f, 1.0f},
    {shader_sin, INFINITY, NAN},
    {shader_cos, -INFINITY, NAN},
    {shader_exp2, 0.0f, 1.0f},
    {shader_exp2, 3.0f, 8.0f},
    {shader_exp2, -20.0f, 0x1p-20f},
    {shader_exp2, 127.0f, 0x1p127f},
    {shader_exp2, 128.0f, INFINITY},
    {shader_exp2, 1e30f, INFINITY},
    {shader_exp2, INFINITY, INFINITY},
    {shader_exp2, -125.0f, 0x1p-125f},
    {shader_exp2, -126.0f, 0.0f},
    {shader_exp2, -127.0f, 0.0f},
    {shader_exp2, -1e30f, 0.0f},
    {shader_exp2, -INFINITY, 0.0f},
    {shader_log2, 1.0f, 0.0f},
    {shader_log2, -8.0f, 3.0f},
    {shader_log2, 0x1p-126f, -126.0f},
    {shader_log2, 0x1p127f, 127.0f},
    {shader_log2, 0.0f, -FLT_MAX},
    {shader_log2, -0.0f, -FLT_MAX},
    {shader_log2, 0x1p-127f, -FLT_MAX},
    {shader_log2, 0x1p-149f, -FLT_MAX},
    {shader_log2, INFINITY, INFINITY},
    {shader_log2, -INFINITY, INFINITY},
    {shader_asin, 0.0f, 0.0f},
    {shader_asin, 1.0f, 0x1.921fb6p+0f},
    {shader_asin, -1.0f, -0x1.921fb6p+0f},
    {shader_asin, 2.0f, 0x1.921fb6p+0f},
    {shader_asin, -INFINITY, -0x1.921fb6p+0f},
    {shader_acos, 1.0f, 0.0f},
    {shader_acos, 7.0f, 0.0f},
    {shader_acos, 0.0f, 0x1.921fb6p+0f},
    {shader_acos, -1.0f, 0x1.921fb6p+1f},
    {shader_acos, -INFINITY, 0x1.921fb6p+1f},
    {shader_sqrt, -4.0f, 2.0f},
    {shader_sqrt, INFINITY, INFINITY},
    {shader_rsqrt, -4.0f, 0.5f},
    {shader_rsqrt, 0.0f, FLT_MAX},
    {shader_rsqrt, INFINITY, 0.0f},
};

static void check_number(float got, float expected)
{
    if (!(isnan(got) && isnan(expected)) && bits_of(got) != bits_of(expected)) {
        fail_msg("%a, not %a", (double)got, (double)expected);
    }
}

static void test_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        check_number(edges[i].function(edges[i].x), edges[i].expected);
    }
}

struct edge_of_two {
    float (*function)(float a, float b);
    float a;
    float b;
    float expected;
};

static const struct edge_of_two edges_of_two[] = {
    {shader_atan2, 0.0f, 0.0f, 0.0f},
    {shader_atan2, -0.0f, 0.0f, -0.0f},
    {shader_atan2, 0.0f, -0.0f, 0x1.921fb6p+1f},
    {shader_atan2, -0.0f, -0.0f, -0x1.921fb6p+1f},
    {shader_atan2, 0.0f, 5.0f, 0.0f},
    {shader_atan2, -0.0f, -5.0f, -0x1.921fb6p+1f},
    {shader_atan2, 5.0f, 0.0f, 0x1.921fb6p+0f},
    {shader_atan2, -5.0f, -0.0f, -0x1.921fb6p+0f},
    {shader_atan2, INFINITY, 1.0f, 0x1.921fb6p+0f},
    {shader_atan2, 1.0f, -INFINITY, 0x1.921fb6p+1f},
    {shader_atan2, 0x1p-149f, 0.0f, 0x1.921fb6p+0f},
    {shader_fmod, 5.5f, 2.0f, 1.5f},
    {shader_fmod, -5.5f, 2.0f, -1.5f},
    {shader_fmod, 5.5f, -2.0f, 1.5f},
    {shader_fmod, 1.5f, 2.0f, 1.5f},
    {shader_fmod, -4.0f, 2.0f, -0.0f},
    {shader_fmod, 3.0f, INFINITY, 3.0f},
    {shader_fmod, 3.0f, 0.0f, 0.0f},
    {shader_fmod, -3.0f, 0.0f, 0.0f},
    {shader_fmod, 0.0f, 0.0f, 0.0f},
    {shader_fmod, INFINITY, 2.0f, 0.0f},
    {shader_fmod, -INFINITY, INFINITY, 0.0f},
    {shader_fmod, NAN, 2.0f, 0.0f},
    {shader_fmod, -NAN, 2.0f, 0.0f},
    {shader_fmod, 2.0f, NAN, 0.0f},
    {shader_fmod, 1e30f, 1e-30f, 0.0f},
    {shader_fmod, -1e30f, 1e-30f, -0.0f},
    {shader_divide, -7.0f, 2.0f, -3.5f},
    {shader_divide, 1.0f, 0.0f, FLT_MAX},
    {shader_divide, 1.0f, -0.0f, -FLT_MAX},
    {shader_divide, -1e30f, 1e-30f, -FLT_MAX},
    {shader_divide, 0.0f, 0.0f, 0.0f},
    {shader_divide, INFINITY, INFINITY, 0.0f},
    {shader_divide, INFINITY, 2.0f, FLT_MAX},
    {shader_divide, 2.0f, INFINITY, 0.0f},
    {shader_divide, NAN, 2.0f, 0.0f},
    {shader_divide, 2.0f, -NAN, 0.0f},
};

static void test_edges_of_two(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edges_of_two / sizeof *edges_of_two; i++) {
        const struct edge_of_two *edge = &edges_of_two[i];
        check_number(edge->function(edge->a, edge->b), edge->expected);
    }
    check_number(shader_atan2(INFINITY, -INFINITY), shader_atan2(1.0f, -1.0f));
}

/* The remainder of whole numbers is exact, any other stays below the divisor. */
static void test_fmod(void **state)
{
    (void)state;
    for (int a = -200; a <= 200; a++) {
        for (int b = 1; b <= 40; b++) {
            assert_true(shader_fmod((float)a, (float)b) == (float)(a % b));
            assert_true(shader_fmod((float)a, (float)-b) == (float)(a % b));
        }
    }
    struct base_rng rng;
    base_rng_seed(&rng, 1, 9);
    for (int i = 0; i < TURNS(1000000); i++) {
        const float a = from_bits(base_rng_next(&rng));
        const float b = from_bits(base_rng_next(&rng));
        const float rest = shader_fmod(a, b);
        assert_true(rest == 0.0f || fabsf(rest) < fabsf(b));
        assert_true(rest == 0.0f || signbit(rest) == signbit(a));
        assert_true(!(fabsf(a) < fabsf(b)) || rest == a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_atan2_errors),
        cmocka_unit_test(test_sine_stays_within_one),
        cmocka_unit_test(test_nan),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_edges_of_two),
        cmocka_unit_test(test_fmod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
