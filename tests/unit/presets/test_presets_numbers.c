#include "test_presets_help.h"

#include <float.h>
#include <math.h>

#include "base/random.h"
#include "presets/milk/lines.h"

static void test_floats(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float value;
    } cases[] = {
        {"1.02", 1.02f},
        {"-0.5", -0.5f},
        {"+3", 3.0f},
        {" \t.25", 0.25f},
        {"7.", 7.0f},
        {"1.5abc", 1.5f},
        {"0.99l", 0.99f},
        {"1,5", 1.0f},
        {"1.2.3", 1.2f},
        {"1e2", 100.0f},
        {"1E-2", 0.01f},
        {"1e", 1.0f},
        {"1e+", 1.0f},
        {"1e-400", 0.0f},
        {"0e99999999999999999999", 0.0f},
        {"3.40282347e+38", FLT_MAX},
        {"-3.4028235e38", -FLT_MAX},
        {"1.17549435e-38", FLT_MIN},
        {"1e-45", 0x1p-149f},
        {"16777217", 16777216.0f},
        {"123456789012345678901234567890", 123456789012345678901234567890.0f},
        {"0.000000000000000000000000000000000000000000000000001e51", 1.0f},
        {"100000000000000000000000000000000000000000000000000e-50", 1.0f},
        {"0.1000000000000000000000000000000000000000000000000000001", 0.1f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value = NAN;
        assert_int_equal(preset_parse_float(base_span_of(cases[i].text), &value), PRESET_NUMBER_OK);
        if (value != cases[i].value) {
            fail_msg("%s gives %.9g", cases[i].text, (double)value);
        }
    }
}

static void test_refused_floats(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum preset_number result;
    } cases[] = {
        {"", PRESET_NUMBER_NONE},         {"-", PRESET_NUMBER_NONE},
        {".", PRESET_NUMBER_NONE},        {"-.e5", PRESET_NUMBER_NONE},
        {"nan", PRESET_NUMBER_NONE},      {"inf", PRESET_NUMBER_NONE},
        {"0x1p3", PRESET_NUMBER_NONE},    {"-0X2", PRESET_NUMBER_NONE},
        {"e5", PRESET_NUMBER_NONE},       {"= 1.02", PRESET_NUMBER_NONE},
        {"--1", PRESET_NUMBER_NONE},      {"1e308", PRESET_NUMBER_LARGE},
        {"-1e39", PRESET_NUMBER_LARGE},   {"3.4028236e38", PRESET_NUMBER_LARGE},
        {"1e99999", PRESET_NUMBER_LARGE}, {"1e2147483648", PRESET_NUMBER_LARGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value = 5.0f;
        assert_int_equal(preset_parse_float(base_span_of(cases[i].text), &value), cases[i].result);
        assert_true(value == 5.0f);
    }
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum preset_number result;
        int32_t value;
    } cases[] = {
        {"3.7", PRESET_NUMBER_OK, 3},
        {" -12x", PRESET_NUMBER_OK, -12},
        {"+5", PRESET_NUMBER_OK, 5},
        {"007", PRESET_NUMBER_OK, 7},
        {"2147483647", PRESET_NUMBER_OK, INT32_MAX},
        {"-2147483648", PRESET_NUMBER_OK, INT32_MIN},
        {"2147483648", PRESET_NUMBER_LARGE, INT32_MAX},
        {"-2147483649", PRESET_NUMBER_LARGE, INT32_MIN},
        {"99999999999999999999999999999999", PRESET_NUMBER_LARGE, INT32_MAX},
        {"abc", PRESET_NUMBER_NONE, 42},
        {"", PRESET_NUMBER_NONE, 42},
        {".5", PRESET_NUMBER_NONE, 42},
        {"0x10", PRESET_NUMBER_NONE, 42},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t value = 42;
        assert_int_equal(preset_parse_int(base_span_of(cases[i].text), &value), cases[i].result);
        assert_int_equal(value, cases[i].value);
    }
}

static float random_float(struct base_rng *rng)
{
    float value = NAN;
    while (!isfinite(value)) {
        const uint32_t bits = base_rng_next(rng);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

/* The C library's conversion is exact, and the program runs in the C locale. */
static void test_like_the_c_library(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 7, 0);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        float value = NAN;
        (void)snprintf(text, sizeof text, "%.*g", 1 + i % 15, (double)random_float(&rng));
        const float wanted = strtof(text, NULL);
        if (!isfinite(wanted)) {
            continue;
        }
        assert_int_equal(preset_parse_float(base_span_of(text), &value), PRESET_NUMBER_OK);
        if (value != wanted) {
            fail_msg("%s gives %.9g", text, (double)value);
        }
    }
}

static void test_format_reads_back(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 8, 0);
    for (int i = 0; i < 20000; i++) {
        const float value = random_float(&rng);
        float back = NAN;
        char text[PRESET_NUMBER_TEXT];
        preset_format_float(value, text);
        assert_int_equal(preset_parse_float(base_span_of(text), &back), PRESET_NUMBER_OK);
        assert_true(back == value);
    }
}

static void test_format_is_short(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.98f, "0.98"},
        {1.0f, "1"},
        {0.0f, "0"},
        {-0.1f, "-0.1"},
        {1.254574f, "1.254574"},
        {16777216.0f, "16777216"},
        {FLT_MAX, "3.4028235e+38"},
        {1e-6f, "1e-06"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[PRESET_NUMBER_TEXT];
        preset_format_float(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_refused_floats),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_like_the_c_library),
        cmocka_unit_test(test_format_reads_back),
        cmocka_unit_test(test_format_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
