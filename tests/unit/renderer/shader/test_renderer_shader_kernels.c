/* The executor's operations: what they mean, and the same bits at every level of the processor. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/math/math.h"
#include "../../turns.h"

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

static float truth(bool value)
{
    return from_bits(value ? UINT32_MAX : 0);
}

static bool is_true(float word)
{
    return bits_of(word) != 0;
}

/* ---- what operations mean ---- */

static float finite(float x)
{
    return isnan(x) ? 0.0f : fmaxf(fminf(x, FLT_MAX), -FLT_MAX);
}

#define MEANING(name, expression)                                                                  \
    static float name(float a, float b, float c, float d)                                          \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        (void)d;                                                                                   \
        return expression;                                                                         \
    }

MEANING(mean_copy, a)
MEANING(mean_add, a + b)
MEANING(mean_sub, a - b)
MEANING(mean_mul, (a * b))
MEANING(mean_div, finite(a / b))
MEANING(mean_fmod, shader_fmod(a, b))
MEANING(mean_min, b < a ? b : a)
MEANING(mean_max, a < b ? b : a)
MEANING(mean_neg, from_bits(bits_of(a) ^ UINT32_C(0x80000000)))
MEANING(mean_abs, fabsf(a))
MEANING(mean_floor, floorf(a))
MEANING(mean_ceil, ceilf(a))
MEANING(mean_trunc, truncf(a))
MEANING(mean_round, rintf(a))
MEANING(mean_frac, a - floorf(a))
MEANING(mean_sqrt, sqrtf(fabsf(a)))
MEANING(mean_rsqrt, a == 0.0f ? FLT_MAX : 1.0f / sqrtf(fabsf(a)))
MEANING(mean_sin, shader_sin(a))
MEANING(mean_cos, shader_cos(a))
MEANING(mean_exp2, shader_exp2(a))
MEANING(mean_log2, shader_log2(a))
MEANING(mean_atan2, shader_atan2(a, b))
MEANING(mean_asin, shader_asin(a))
MEANING(mean_acos, shader_acos(a))
MEANING(mean_lt, truth(a < b))
MEANING(mean_le, truth(a <= b))
MEANING(mean_eq, truth(a == b))
MEANING(mean_ne, truth(a<b || a> b))
MEANING(mean_and, truth(is_true(a) && is_true(b)))
MEANING(mean_or, truth(is_true(a) || is_true(b)))
MEANING(mean_not, truth(!is_true(a)))
MEANING(mean_select, is_true(a) ? b : c)
MEANING(mean_mul_add, (a * b) + c)
MEANING(mean_mul_sub, (a * b) - c)
MEANING(mean_sub_mul, c - a * b)
MEANING(mean_mul_mul, (a * b) * c)
MEANING(mean_add_add, (a + b) + c)
MEANING(mean_add_mul, (a + b) * c)
MEANING(mean_dif_mul, (a - b) * c)
MEANING(mean_mul_mul_sum, (a * b) + (c * d))
MEANING(mean_mul_mul_dif, (a * b) - (c * d))
MEANING(mean_mul_mul_add, ((a * b) * c) + d)
MEANING(mean_add_mul_add, ((a + b) * c) + d)
MEANING(mean_dif_mul_add, ((a - b) * c) + d)
MEANING(mean_mul_add_add, ((a * b) + c) + d)
MEANING(mean_mul_add_sub, ((a * b) + c) - d)
MEANING(mean_mul_add_mul, ((a * b) + c) * d)
MEANING(mean_clamp, mean_min(mean_max(a, b, c, d), c, c, d))

struct row {
    const char *name;
    float (*mean)(float a, float b, float c, float d);
    enum shader_code_op op;
    const char *arguments; /* 'F', 'B' */
};

#define ROW(NAME, name, arguments)                                                                 \
    {                                                                                              \
#name, mean_##name, SHADER_CODE_##NAME, arguments                                          \
    }

static const struct row rows[] = {
    ROW(COPY, copy, "F"),
    ROW(ADD, add, "FF"),
    ROW(SUB, sub, "FF"),
    ROW(MUL, mul, "FF"),
    ROW(DIV, div, "FF"),
    ROW(FMOD, fmod, "FF"),
    ROW(MIN, min, "FF"),
    ROW(MAX, max, "FF"),
    ROW(NEG, neg, "F"),
    ROW(ABS, abs, "F"),
    ROW(FLOOR, floor, "F"),
    ROW(CEIL, ceil, "F"),
    ROW(TRUNC, trunc, "F"),
    ROW(ROUND, round, "F"),
    ROW(FRAC, frac, "F"),
    ROW(SQRT, sqrt, "F"),
    ROW(RSQRT, rsqrt, "F"),
    ROW(SIN, sin, "F"),
    ROW(COS, cos, "F"),
    ROW(EXP2, exp2, "F"),
    ROW(LOG2, log2, "F"),
    ROW(ATAN2, atan2, "FF"),
    ROW(ASIN, asin, "F"),
    ROW(ACOS, acos, "F"),
    ROW(LT, lt, "FF"),
    ROW(LE, le, "FF"),
    ROW(EQ, eq, "FF"),
    ROW(NE, ne, "FF"),
    ROW(AND, and, "BB"),
    ROW(OR, or, "BB"),
    ROW(NOT, not, "B"),
    ROW(SELECT, select, "BFF"),
    ROW(MUL_ADD, mul_add, "FFF"),
    ROW(MUL_SUB, mul_sub, "FFF"),
    ROW(SUB_MUL, sub_mul, "FFF"),
    ROW(MUL_MUL, mul_mul, "FFF"),
    ROW(ADD_ADD, add_add, "FFF"),
    ROW(ADD_MUL, add_mul, "FFF"),
    ROW(DIF_MUL, dif_mul, "FFF"),
    ROW(CLAMP, clamp, "FFF"),
    ROW(MUL_MUL_SUM, mul_mul_sum, "FFFF"),
    ROW(MUL_MUL_DIF, mul_mul_dif, "FFFF"),
    ROW(MUL_MUL_ADD, mul_mul_add, "FFFF"),
    ROW(ADD_MUL_ADD, add_mul_add, "FFFF"),
    ROW(DIF_MUL_ADD, dif_mul_add, "FFFF"),
    ROW(MUL_ADD_ADD, mul_add_add, "FFFF"),
    ROW(MUL_ADD_SUB, mul_add_sub, "FFFF"),
    ROW(MUL_ADD_MUL, mul_add_mul, "FFFF"),
};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- numbers ---- */

static const float edges[] = {
    0.0f,
    -0.0f,
    0x1p-149f,
    -0x1p-149f,
    0x1.fffffcp-127f,
    0x1p-126f,
    0x1p-64f,
    0.25f,
    -0.5f,
    0.5f,
    0.49999997f,
    0.50000006f,
    -1.0f,
    1.0f,
    0.99999994f,
    1.0000001f,
    1.5f,
    -1.5f,
    2.5f,
    -2.5f,
    3.5f,
    2.0f,
    3.1415927f,
    1.5707964f,
    -1.5707964f,
    100.5f,
    1e4f,
    -1e4f,
    8388607.5f,
    8388609.0f,
    4194304.5f,
    2147483648.0f,
    -2147483904.0f,
    1e20f,
    -1e38f,
    0x1.fffffep127f,
    127.5f,
    127.99999f,
    128.0f,
    128.5f,
    -125.5f,
    -126.0f,
    -127.0f,
    -150.0f,
    INFINITY,
    -INFINITY,
    NAN,
    -NAN,
};

enum { EDGES = sizeof edges / sizeof *edges };

static float any_number(struct base_rng *rng)
{
    switch (base_rng_next(rng) % 4) {
    case 0:
        return edges[base_rng_next(rng) % EDGES];
    case 1:
        return from_bits(base_rng_next(rng));
    case 2:
        return (float)(int)(base_rng_next(rng) % 64) / 8.0f - 4.0f;
    default:
        return (float)((double)base_rng_next(rng) / 2147483648.0 - 1.0);
    }
}

/* Lanes of three arguments and a result, with room for what must stay as it is. */
struct lanes {
    alignas(32) float argument[4][SHADER_TILE];
    alignas(32) float result[SHADER_TILE + SHADER_LANES];
};

enum { SENTINEL = 0x5ca1ab1e };

static void mark_result(struct lanes *lanes)
{
    for (size_t i = 0; i < SHADER_TILE + SHADER_LANES; i++) {
        lanes->result[i] = from_bits(SENTINEL);
    }
}

static void fill(struct lanes *lanes, struct base_rng *rng, const char *arguments)
{
    for (size_t k = 0; k < strlen(arguments); k++) {
        for (size_t i = 0; i < SHADER_TILE; i++) {
            lanes->argument[k][i] =
                arguments[k] == 'B' ? truth(base_rng_next(rng) % 2 == 0) : any_number(rng);
        }
    }
    mark_result(lanes);
}

/* An argument that is the same for all pixels. */
static void make_equal(struct lanes *lanes, size_t k)
{
    for (size_t i = 1; i < SHADER_TILE; i++) {
        lanes->argument[k][i] = lanes->argument[k][0];
    }
}

/* ---- checks ---- */

static bool same(float a, float b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static void check_lane(const struct row *row, const struct lanes *lanes, size_t i, float got)
{
    const float a = lanes->argument[0][i];
    const float b = lanes->argument[1][i];
    const float c = lanes->argument[2][i];
    const float d = lanes->argument[3][i];
    const float expected = row->mean(a, b, c, d);
    const bool exact = row->op >= SHADER_CODE_LT && row->op <= SHADER_CODE_NOT;
    if (!same(got, expected) || (exact && bits_of(got) != bits_of(expected))) {
        fail_msg("%s(%a, %a, %a, %a): %a, not %a", row->name, (double)a, (double)b, (double)c,
                 (double)d, (double)got, (double)expected);
    }
}

/* `equal`: bits of the arguments with step 0; `target`: the argument that is the result too, or 4
 */
static void check_call(const struct row *row, const struct shader_kernels *kernels,
                       const struct lanes *given, unsigned equal, size_t target, size_t count)
{
    struct lanes lanes = *given;
    float *result = target < 4 ? lanes.argument[target] : lanes.result;
    kernels->compute[row->op][equal](result, lanes.argument[0], lanes.argument[1],
                                     lanes.argument[2], lanes.argument[3], count);
    for (size_t i = 0; i < count; i++) {
        check_lane(row, given, i, result[i]);
    }
    if (target == 4) {
        for (size_t i = count; i < SHADER_TILE + SHADER_LANES; i++) {
            assert_int_equal(bits_of(result[i]), SENTINEL);
        }
    }
}

static void check_row(const struct row *row, const struct shader_kernels *kernels,
                      struct base_rng *rng)
{
    const size_t arguments = strlen(row->arguments);
    for (unsigned round = 0; round < 64; round++) {
        const unsigned equal = round % SHADER_KERNEL_CHOICES;
        struct lanes lanes = {0};
        fill(&lanes, rng, row->arguments);
        for (size_t k = 0; k < arguments; k++) {
            if ((equal >> k & 1) != 0) {
                make_equal(&lanes, k);
            }
        }
        check_call(row, kernels, &lanes, equal, 4, SHADER_TILE);
        check_call(row, kernels, &lanes, equal, 4, SHADER_LANES);
        for (size_t k = 0; k < arguments; k++) {
            check_call(row, kernels, &lanes, equal, k, SHADER_LANES);
            if ((equal >> k & 1) == 0) {
                check_call(row, kernels, &lanes, equal, k, SHADER_TILE);
            }
        }
    }
}

static void check_all(const struct shader_kernels *kernels)
{
    struct base_rng rng;
    base_rng_seed(&rng, 11, 2);
    for (size_t i = 0; i < ROWS; i++) {
        check_row(&rows[i], kernels, &rng);
    }
}

static void test_plain(void **state)
{
    (void)state;
    check_all(&shader_kernels_plain);
}

static void skip_if_plain(void)
{
    if (base_cpu_best() < BASE_CPU_FOUR) {
        SKIP("this processor has no vectors");
    }
}

static void test_fast(void **state)
{
    (void)state;
    skip_if_plain();
    for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
        check_all(shader_kernels_for((enum base_cpu_level)level));
    }
}

/* Each pair of edges as the first two numbers. */
static void check_edges(const struct row *row, const struct shader_kernels *kernels)
{
    struct lanes lanes = {0};
    mark_result(&lanes);
    for (size_t start = 0; start < EDGES * EDGES; start += SHADER_TILE) {
        for (size_t i = 0; i < SHADER_TILE; i++) {
            const size_t pair = (start + i) % (EDGES * EDGES);
            lanes.argument[0][i] = edges[pair / EDGES];
            lanes.argument[1][i] = edges[pair % EDGES];
            lanes.argument[2][i] = edges[pair % EDGES * 7 % EDGES];
            lanes.argument[3][i] = edges[pair / EDGES * 5 % EDGES];
        }
        check_call(row, kernels, &lanes, 0, 4, SHADER_TILE);
    }
}

static void test_pairs_of_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        for (int level = 0; level <= (int)base_cpu_best(); level++) {
            if (strchr(rows[i].arguments, 'B') == NULL) {
                check_edges(&rows[i], shader_kernels_for((enum base_cpu_level)level));
            }
        }
    }
}

/* Functions of one number, over a part of all floats that is spread evenly. */
static void check_spread(const struct row *row, const struct shader_kernels *fast)
{
    const uint32_t stride = 499 * EACH(8);
    struct lanes lanes = {0};
    const float *argument = lanes.argument[0];
    alignas(32) float plain[SHADER_TILE];
    uint32_t bits = 0;
    for (uint32_t done = 0; done < UINT32_MAX - SHADER_TILE * stride;
         done += SHADER_TILE * stride) {
        for (size_t i = 0; i < SHADER_TILE; i++) {
            lanes.argument[0][i] = from_bits(bits);
            bits += stride;
        }
        fast->compute[row->op][0](lanes.result, argument, argument, argument, argument,
                                  SHADER_TILE);
        shader_kernels_plain.compute[row->op][0](plain, argument, argument, argument, argument,
                                                 SHADER_TILE);
        for (size_t i = 0; i < SHADER_TILE; i++) {
            if (!same(lanes.result[i], plain[i])) {
                check_lane(row, &lanes, i, lanes.result[i]);
                fail_msg("%s(%a) differs", row->name, (double)lanes.argument[0][i]);
            }
        }
    }
}

static void test_spread_over_all_floats(void **state)
{
    (void)state;
    skip_if_plain();
    for (size_t i = 0; i < ROWS; i++) {
        for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
            if (strcmp(rows[i].arguments, "F") == 0) {
                check_spread(&rows[i], shader_kernels_for((enum base_cpu_level)level));
            }
        }
    }
}

/* ---- questions about all lanes ---- */

static void check_questions(const struct shader_kernels *kernels)
{
    alignas(32) float words[SHADER_TILE] = {0};
    const struct shader_lanes varied = {words, SHADER_LANES};
    const struct shader_lanes equal = {words, 0};
    assert_false(kernels->any(&varied, SHADER_TILE) || kernels->all(&varied, SHADER_TILE));
    assert_false(kernels->any(&equal, SHADER_TILE) || kernels->all(&equal, SHADER_TILE));
    for (size_t i = 0; i < SHADER_TILE; i++) {
        words[i] = truth(true);
        assert_true(kernels->any(&varied, SHADER_TILE));
        assert_int_equal(kernels->all(&varied, SHADER_TILE), i == SHADER_TILE - 1);
        assert_int_equal(kernels->all(&varied, SHADER_LANES), i >= SHADER_LANES - 1);
    }
    assert_true(kernels->any(&equal, SHADER_TILE) && kernels->all(&equal, SHADER_TILE));
    for (size_t i = 0; i < SHADER_TILE; i++) {
        words[i] = truth(false);
        assert_false(kernels->all(&varied, SHADER_TILE));
        assert_int_equal(kernels->any(&varied, SHADER_TILE), i < SHADER_TILE - 1);
        assert_int_equal(kernels->any(&varied, SHADER_LANES), i < SHADER_LANES - 1);
    }
}

static void test_any_and_all(void **state)
{
    (void)state;
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        check_questions(shader_kernels_for((enum base_cpu_level)level));
    }
}

/* Every operation that computes has its kernel at every level, and is checked here. */
static void test_tables_are_full(void **state)
{
    (void)state;
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        const struct shader_kernels *kernels = shader_kernels_for((enum base_cpu_level)level);
        for (int op = 0; op < SHADER_CODE_COUNT; op++) {
            for (int choice = 0; choice < SHADER_KERNEL_CHOICES; choice++) {
                assert_int_equal(kernels->compute[op][choice] != NULL, op < SHADER_CODE_READ2);
            }
        }
    }
    assert_int_equal(ROWS, SHADER_CODE_READ2);
    for (int op = 0; op < SHADER_CODE_READ2; op++) {
        assert_int_equal(rows[op].op, op);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),          cmocka_unit_test(test_fast),
        cmocka_unit_test(test_pairs_of_edges), cmocka_unit_test(test_spread_over_all_floats),
        cmocka_unit_test(test_any_and_all),    cmocka_unit_test(test_tables_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
