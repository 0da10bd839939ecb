#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "pfpu/machine/machine.h"
#include "pfpu/microcode/words.h"
#include "pfpu/select/expand.h"

enum { SAMPLES = 20000, VALUES_MAX = 128 };

typedef int32_t (*unary)(struct pfpu_builder *builder, int32_t x);
typedef int32_t (*binary)(struct pfpu_builder *builder, int32_t a, int32_t b);

/* A function of one or two variables, built and ready to run. */
struct bench {
    struct base_arena arena;
    struct pfpu_ir ir;
    struct pfpu_builder builder;
    int32_t arguments[2];
    int32_t result;
};

static void bench_open(struct bench *bench, bool plain)
{
    memset(bench, 0, sizeof *bench);
    pfpu_builder_init(&bench->builder, &bench->ir, plain, &bench->arena, &bench->arena);
    for (int i = 0; i < 2; i++) {
        bench->arguments[i] = pfpu_build_get(&bench->builder, pfpu_key_of_variable(i));
    }
}

static void bench_close(struct bench *bench)
{
    base_arena_free(&bench->arena);
}

static void bench_one(struct bench *bench, unary function, bool plain)
{
    bench_open(bench, plain);
    bench->result = function(&bench->builder, bench->arguments[0]);
    assert_false(bench->builder.failed);
}

static void bench_two(struct bench *bench, binary function, bool plain)
{
    bench_open(bench, plain);
    bench->result = function(&bench->builder, bench->arguments[0], bench->arguments[1]);
    assert_false(bench->builder.failed);
}

static unsigned operations(const struct bench *bench)
{
    unsigned count = 0;
    for (size_t i = 0; i < bench->ir.count; i++) {
        count += pfpu_ops[bench->ir.instructions[i].op].kind == PFPU_OP_KIND_WORD;
    }
    return count;
}

/* From the word of the arguments to the one that may use the result. */
static unsigned path(const struct bench *bench)
{
    unsigned ready[VALUES_MAX] = {0};
    for (size_t i = 0; i < bench->ir.count; i++) {
        const struct pfpu_instruction *instruction = &bench->ir.instructions[i];
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            const unsigned time = ready[instruction->arguments[k]];
            ready[i] = time > ready[i] ? time : ready[i];
        }
        if (pfpu_ops[instruction->op].kind == PFPU_OP_KIND_WORD) {
            ready[i] += pfpu_opcodes[pfpu_opcode_of_op(instruction->op)].latency + 1u;
        }
    }
    return ready[bench->result];
}

static uint32_t run_word(const struct bench *bench, uint32_t a, uint32_t b)
{
    uint32_t keys[PFPU_REGISTERS_GLOBAL + 2] = {0};
    uint32_t values[VALUES_MAX] = {0};
    uint32_t out[2] = {0, 0};
    assert_true(bench->ir.count <= VALUES_MAX);
    keys[pfpu_ir_key_index(&bench->ir, pfpu_key_of_variable(0))] = a;
    keys[pfpu_ir_key_index(&bench->ir, pfpu_key_of_variable(1))] = b;
    pfpu_words_run(&bench->ir, keys, values, out);
    return values[bench->result];
}

static double run(const struct bench *bench, double a, double b)
{
    return pfpu_number_of_word(run_word(bench, pfpu_word_of_number(a), pfpu_word_of_number(b)));
}

/* 0 to 1 */
static double unit(struct base_rng *rng)
{
    return base_rng_next(rng) * 0x1p-32;
}

static double single(double value)
{
    return pfpu_number_of_word(pfpu_word_of_number(value));
}

static double reciprocal(double x)
{
    return 1.0 / x;
}

static double inverse_root(double x)
{
    return 1.0 / sqrt(x);
}

/* Of the angle that the table is asked for. */
static double table_tan(double x)
{
    const double steps_per_radian = 4096.0 / 3.14159265358979;
    const uint32_t product = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_FMUL), pfpu_word_of_number(x),
                                      pfpu_word_of_number(steps_per_radian), false);
    return tan(trunc(pfpu_number_of_word(product)) / steps_per_radian);
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static double divide(double a, double b)
{
    return a / b;
}

static double modulo(double a, double b)
{
    return fmod(trunc(fabs(a)), trunc(fabs(b)));
}

static double sigmoid(double x, double c)
{
    return 1.0 / (1.0 + exp(-x * c));
}

static int32_t scaled(struct pfpu_builder *builder, int32_t value, double scale)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FMUL, pfpu_build_number(builder, scale), value);
}

static int32_t unscaled_sqrt(struct pfpu_builder *builder, int32_t x)
{
    double scale = 0;
    const int32_t value = pfpu_expand_scaled_sqrt(builder, x, &scale);
    return scaled(builder, value, scale);
}

static int32_t unscaled_invsqrt(struct pfpu_builder *builder, int32_t x)
{
    double scale = 0;
    const int32_t value = pfpu_expand_scaled_invsqrt(builder, x, &scale);
    return scaled(builder, value, scale);
}

static int32_t unscaled_atan2(struct pfpu_builder *builder, int32_t y, int32_t x)
{
    double scale = 0;
    const int32_t value = pfpu_expand_scaled_atan2(builder, y, x, &scale);
    return scaled(builder, value, scale);
}

/* One variable, evenly from `low` to `high`, or evenly in its logarithm; then low and high are
 * exponents of 2, and with `both` the sign alternates. */
struct one_row {
    const char *name;
    unary function;
    double (*reference)(double);
    unsigned operations;
    unsigned path;
    bool octaves;
    bool both;
    double low;
    double high;
    double absolute;
    double relative;
};

static const struct one_row one_rows[] = {
    {"reciprocal", pfpu_expand_reciprocal, reciprocal, 9, 50, true, true, 0, 2, 0, 9.5e-7},
    {"reciprocal, wide", pfpu_expand_reciprocal, reciprocal, 9, 50, true, true, -60, 60, 0, 9.5e-7},
    {"coarse", pfpu_expand_coarse_reciprocal, reciprocal, 8, 50, true, true, -60, 60, 0, 1.09e-5},
    {"invsqrt", pfpu_expand_invsqrt, inverse_root, 10, 55, true, false, 0, 2, 0, 2.4e-6},
    {"invsqrt, wide", pfpu_expand_invsqrt, inverse_root, 10, 55, true, false, -60, 60, 0, 2.4e-6},
    {"sqrt", pfpu_expand_sqrt, sqrt, 10, 55, true, false, 0, 2, 0, 2.4e-6},
    {"sqrt, wide", pfpu_expand_sqrt, sqrt, 10, 55, true, false, -60, 60, 0, 2.4e-6},
    {"scaled sqrt", unscaled_sqrt, sqrt, 10, 55, true, false, -9, 9, 0, 2.4e-6},
    {"scaled invsqrt", unscaled_invsqrt, inverse_root, 10, 55, true, false, -9, 9, 0, 2.4e-6},
    {"trunc", pfpu_expand_trunc, trunc, 2, 7, false, false, -9, 9, 0, 0},
    {"floor", pfpu_expand_floor, floor, 4, 16, false, false, -9, 9, 0, 0},
    {"ceil", pfpu_expand_ceil, ceil, 4, 16, false, false, -9, 9, 0, 0},
    {"sign", pfpu_expand_sign, sign, 3, 9, false, false, -9, 9, 0, 0},
    {"sin", pfpu_expand_sin, sin, 3, 16, false, false, -20, 20, 7.8e-4, 0},
    {"cos", pfpu_expand_cos, cos, 3, 16, false, false, -20, 20, 7.8e-4, 0},
    {"tan", pfpu_expand_tan, table_tan, 13, 74, false, false, 0.001, 1.57, 0, 1.2e-5},
    {"asin", pfpu_expand_asin, asin, 18, 89, false, false, -1, 1, 8e-5, 0},
    {"acos", pfpu_expand_acos, acos, 19, 95, false, false, -1, 1, 8e-5, 0},
    {"atan", pfpu_expand_atan, atan, 21, 122, false, false, -3, 3, 9.5e-5, 0},
    {"atan, wide", pfpu_expand_atan, atan, 21, 122, true, true, -60, 60, 9.5e-5, 0},
    {"exp", pfpu_expand_exp, exp, 14, 77, false, false, -18.7, 20, 0, 5e-5},
    {"exp, high", pfpu_expand_exp, exp, 14, 77, false, false, 20, 88, 0, 7e-5},
    {"exp, low", pfpu_expand_exp, exp, 14, 77, false, false, -5000, -18.7, 1e-8, 0},
    {"log", pfpu_expand_log, log, 13, 72, true, false, -126, 128, 1e-4, 0},
    {"log10", pfpu_expand_log10, log10, 13, 72, true, false, -126, 128, 4.3e-5, 0},
};

static double one_argument(const struct one_row *row, struct base_rng *rng, int i)
{
    const double even = (i + unit(rng)) / SAMPLES;
    const double at = row->low + (row->high - row->low) * even;
    const double size = row->octaves ? exp2(at) : at;
    return single(row->both && i % 2 != 0 ? -size : size);
}

static void near(const char *name, double a, double b, double got, double expected,
                 double tolerance)
{
    if (!(fabs(got - expected) <= tolerance)) {
        fail_msg("%s(%.9g, %.9g) is %.9g, not %.9g", name, a, b, got, expected);
    }
}

static void test_one(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (size_t k = 0; k < sizeof one_rows / sizeof *one_rows; k++) {
        const struct one_row *row = &one_rows[k];
        struct bench bench;
        bench_one(&bench, row->function, false);
        assert_int_equal(operations(&bench), row->operations);
        assert_int_equal(path(&bench), row->path);
        for (int i = 0; i < SAMPLES; i++) {
            const double x = one_argument(row, &rng, i);
            const double expected = row->reference(x);
            near(row->name, x, 0, run(&bench, x, 0), expected,
                 row->absolute + row->relative * fabs(expected));
        }
        bench_close(&bench);
    }
}

/* Two variables, evenly in a rectangle. */
struct two_row {
    const char *name;
    binary function;
    double (*reference)(double, double);
    unsigned operations;
    unsigned path;
    double low[2];
    double high[2];
    double absolute;
    double relative;
};

static const struct two_row two_rows[] = {
    {"divide", pfpu_expand_divide, divide, 10, 58, {-3, -3}, {3, 3}, 0, 1e-6},
    {"modulo", pfpu_expand_modulo, modulo, 21, 94, {-9e4, 1}, {9e4, 300}, 0.011, 0},
    {"min", pfpu_expand_min, fmin, 2, 6, {-3, -3}, {3, 3}, 0, 0},
    {"max", pfpu_expand_max, fmax, 2, 6, {-3, -3}, {3, 3}, 0, 0},
    {"atan2", pfpu_expand_atan2, atan2, 25, 131, {-1, -1}, {1, 1}, 9.5e-5, 0},
    {"scaled atan2", unscaled_atan2, atan2, 25, 131, {-9, -9}, {9, 9}, 9.5e-5, 0},
    {"pow", pfpu_expand_pow, pow, 26, 138, {0.1, -3}, {3, 3}, 0, 3.5e-4},
    {"pow, small", pfpu_expand_pow, pow, 26, 138, {0, 1}, {1, 9}, 1e-8, 9.5e-4},
    {"sigmoid", pfpu_expand_sigmoid, sigmoid, 25, 144, {-5, -3}, {5, 3}, 2e-5, 0},
    {"sigmoid, wide", pfpu_expand_sigmoid, sigmoid, 25, 144, {-50, -1e3}, {50, 1e3}, 2e-5, 0},
};

static void test_two(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 2, 0);
    for (size_t k = 0; k < sizeof two_rows / sizeof *two_rows; k++) {
        const struct two_row *row = &two_rows[k];
        struct bench bench;
        bench_two(&bench, row->function, false);
        assert_int_equal(operations(&bench), row->operations);
        assert_int_equal(path(&bench), row->path);
        for (int i = 0; i < SAMPLES; i++) {
            double x[2];
            for (int n = 0; n < 2; n++) {
                x[n] = single(row->low[n] + (row->high[n] - row->low[n]) * unit(&rng));
            }
            const double expected = row->reference(x[0], x[1]);
            near(row->name, x[0], x[1], run(&bench, x[0], x[1]), expected,
                 row->absolute + row->relative * fabs(expected));
        }
        bench_close(&bench);
    }
}

static void test_thesis(void **state)
{
    (void)state;
    struct bench root;
    struct bench square_root;
    struct bench quotient;
    bench_one(&root, pfpu_expand_thesis_invsqrt, true);
    bench_one(&square_root, pfpu_expand_thesis_sqrt, true);
    bench_two(&quotient, pfpu_expand_thesis_divide, true);
    assert_int_equal(operations(&root), 11);
    assert_int_equal(operations(&square_root), 12);
    assert_int_equal(operations(&quotient), 15);
    for (int i = 1; i < SAMPLES; i++) {
        const double x = single(i / 1000.0);
        near("invsqrt", x, 0, run(&root, x, 0) * sqrt(x), 1, 4.8e-6);
        near("sqrt", x, 0, run(&square_root, x, 0) / sqrt(x), 1, 5e-6);
        near("divide", 3, -x, run(&quotient, 3, -x) * x, -3, 3 * 9.8e-6);
    }
    bench_close(&root);
    bench_close(&square_root);
    bench_close(&quotient);
}

struct point {
    double a;
    double b;
    double expected;
    double tolerance;
};

static void check_points(const char *name, const struct bench *bench, const struct point *points,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct point *p = &points[i];
        near(name, p->a, p->b, run(bench, p->a, p->b), p->expected, p->tolerance);
    }
}

static void check_one(const char *name, unary function, const struct point *points, size_t count)
{
    struct bench bench;
    bench_one(&bench, function, false);
    check_points(name, &bench, points, count);
    bench_close(&bench);
}

static void check_two(const char *name, binary function, const struct point *points, size_t count)
{
    struct bench bench;
    bench_two(&bench, function, false);
    check_points(name, &bench, points, count);
    bench_close(&bench);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_special_points(void **state)
{
    (void)state;
    static const struct point floors[] = {
        {0, 0, 0, 0},
        {3, 0, 3, 0},
        {-3, 0, -3, 0},
        {-0.001, 0, -1, 0},
        {0.999, 0, 0, 0},
        {-1e6 - 0.5, 0, -1000001, 0},
        {2147483520.0, 0, 2147483520.0, 0},
    };
    static const struct point ceils[] = {
        {0, 0, 0, 0}, {3, 0, 3, 0}, {-0.5, 0, 0, 0}, {2.001, 0, 3, 0}};
    static const struct point signs[] = {{0, 0, 0, 0}, {1e-30, 0, 1, 0}, {-1e-30, 0, -1, 0}};
    static const struct point roots[] = {{0, 0, 0, 0}, {1, 0, 1, 2.4e-6}, {4, 0, 2, 4.8e-6}};
    static const struct point arcsines[] = {
        {1, 0, 1.570796, 8e-5}, {-1, 0, -1.570796, 8e-5}, {0, 0, 0, 8e-5}};
    static const struct point powers[] = {{0, 2, 0, 0},  {0, 0.25, 0, 1e-8}, {0, 0, 1, 6e-5},
                                          {-2, 2, 0, 0}, {1, 5, 1, 5.5e-4},  {2, -40, 0, 1e-8}};
    static const struct point angles[] = {
        {0, 1, 0, 9.5e-5},          {0, -1, 3.141593, 9.5e-5},    {1, 0, 1.570796, 9.5e-5},
        {-1, 0, -1.570796, 9.5e-5}, {0.5, 0.5, 0.785398, 9.5e-5}, {-0.5, -0.5, -2.356194, 9.5e-5},
        {0, 0, 0.785398, 9.5e-5}};
    static const struct point logarithms[] = {
        {0, 0, -88, 0.1}, {1, 0, 0, 1e-4}, {2, 0, 0.693147, 1e-4}};
    static const struct point exponentials[] = {
        {0, 0, 1, 5e-5}, {1, 0, 2.718282, 1.4e-4}, {-1e6, 0, 0, 0}, {-1e30, 0, 0, 0}};
    check_one("floor", pfpu_expand_floor, floors, COUNT(floors));
    check_one("ceil", pfpu_expand_ceil, ceils, COUNT(ceils));
    check_one("sign", pfpu_expand_sign, signs, COUNT(signs));
    check_one("sqrt", pfpu_expand_sqrt, roots, COUNT(roots));
    check_one("asin", pfpu_expand_asin, arcsines, COUNT(arcsines));
    check_two("pow", pfpu_expand_pow, powers, COUNT(powers));
    check_two("atan2", pfpu_expand_atan2, angles, COUNT(angles));
    check_one("log", pfpu_expand_log, logarithms, COUNT(logarithms));
    check_one("exp", pfpu_expand_exp, exponentials, COUNT(exponentials));
}

/* The coordinates of the vertices, as the firmware scales them, and what depends on them. */
static void test_mesh(void **state)
{
    (void)state;
    struct bench angle;
    struct bench root;
    bench_two(&angle, pfpu_expand_atan2, false);
    bench_one(&root, pfpu_expand_sqrt, false);
    for (int row = 0; row <= 32; row++) {
        for (int column = 0; column <= 32; column++) {
            const double x = column / 32.0 - 0.5;
            const double y = row / 32.0 - 0.5;
            const double square = x * x + y * y;
            near("sqrt", square, 0, run(&root, square, 0), sqrt(square), 2e-6);
            if (square != 0) {
                near("atan2", y, x, run(&angle, y, x), atan2(y, x), 9.5e-5);
            }
        }
    }
    bench_close(&angle);
    bench_close(&root);
}

static void test_quotients_of_multiples(void **state)
{
    (void)state;
    struct bench quotient;
    struct bench remainder_of;
    bench_two(&quotient, pfpu_expand_divide, false);
    bench_two(&remainder_of, pfpu_expand_modulo, false);
    for (int b = 1; b < 1000; b += 7) {
        for (int q = 0; q < 1000; q += 11) {
            const double a = (double)b * q;
            assert_true(trunc(run(&quotient, a, b)) == q);
            near("modulo", a, b, run(&remainder_of, a, b), 0, a / 8388608);
            near("modulo", a + b - 1, b, run(&remainder_of, a + b - 1, b), b - 1,
                 (a + b) / 8388608);
        }
    }
    near("modulo", 7.9, 0.5, run(&remainder_of, 7.9, 0.5), 0, 0);
    bench_close(&quotient);
    bench_close(&remainder_of);
}

/* With the second argument known. */
struct known_row {
    const char *name;
    binary function;
    double known;
    unsigned operations;
    struct point point;
};

static const struct known_row known_rows[] = {
    {"divide", pfpu_expand_divide, 4, 1, {3, 0, 0.75, 0}},
    {"divide", pfpu_expand_divide, 0, 5, {0, 0, 0, 0}},
    {"modulo", pfpu_expand_modulo, -3.5, 8, {8.5, 0, 2, 0}},
    {"modulo", pfpu_expand_modulo, 0.5, 3, {8.5, 0, 0, 0}},
    {"pow", pfpu_expand_pow, 0, 0, {-3, 0, 1, 0}},
    {"pow", pfpu_expand_pow, 1, 0, {-3, 0, -3, 0}},
    {"pow", pfpu_expand_pow, 2, 1, {-3, 0, 9, 0}},
    {"pow", pfpu_expand_pow, 3, 2, {-3, 0, -27, 0}},
    {"pow", pfpu_expand_pow, 5, 3, {-3, 0, -243, 0}},
    {"pow", pfpu_expand_pow, 16, 4, {-2, 0, 65536, 0}},
    {"pow", pfpu_expand_pow, 0.5, 10, {9, 0, 3, 1e-5}},
    {"pow", pfpu_expand_pow, -0.5, 10, {4, 0, 0.5, 2e-6}},
    {"pow", pfpu_expand_pow, 1.5, 11, {4, 0, 8, 2e-5}},
    {"pow", pfpu_expand_pow, -1.5, 20, {4, 0, 0.125, 1e-6}},
    {"pow", pfpu_expand_pow, -1, 9, {-4, 0, -0.25, 2.5e-7}},
    {"pow", pfpu_expand_pow, -2, 10, {-4, 0, 0.0625, 1e-7}},
    {"pow", pfpu_expand_pow, 17, 26, {1.5, 0, 985.261, 2}},
    {"pow", pfpu_expand_pow, 0.3, 26, {5, 0, 1.620657, 2e-4}},
    {"sigmoid", pfpu_expand_sigmoid, 2, 24, {1, 0, 0.880797, 2e-5}},
};

static void test_known_arguments(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(known_rows); k++) {
        const struct known_row *row = &known_rows[k];
        struct bench bench;
        bench_open(&bench, false);
        bench.result = row->function(&bench.builder, bench.arguments[0],
                                     pfpu_build_number(&bench.builder, row->known));
        if (operations(&bench) != row->operations) {
            fail_msg("%s(x, %g) has %u operations", row->name, row->known, operations(&bench));
        }
        check_points(row->name, &bench, &row->point, 1);
        bench_close(&bench);
    }
}

static void test_known_base(void **state)
{
    (void)state;
    static const struct point point = {3.5, 0, 11.313709, 6e-4};
    struct bench bench;
    bench_open(&bench, false);
    bench.result =
        pfpu_expand_pow(&bench.builder, pfpu_build_number(&bench.builder, 2.0), bench.arguments[0]);
    assert_int_equal(operations(&bench), 14);
    check_points("pow", &bench, &point, 1);
    bench_close(&bench);
}

static void test_shared(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, false);
    struct pfpu_builder *builder = &bench.builder;
    const int32_t y = bench.arguments[0];
    const int32_t x = bench.arguments[1];
    const int32_t square =
        pfpu_build2(builder, PFPU_OP_WORD_FADD, pfpu_build2(builder, PFPU_OP_WORD_FMUL, x, x),
                    pfpu_build2(builder, PFPU_OP_WORD_FMUL, y, y));
    (void)pfpu_expand_sqrt(builder, square);
    assert_int_equal(operations(&bench), 13);
    (void)pfpu_expand_atan2(builder, y, x);
    assert_int_equal(operations(&bench), 13 + 25 - 6);
    bench_close(&bench);
}

static void test_scaled_is_one_less(void **state)
{
    (void)state;
    double scale = 1;
    struct bench bench;
    bench_open(&bench, false);
    (void)pfpu_expand_scaled_sqrt(&bench.builder, bench.arguments[0], &scale);
    assert_int_equal(operations(&bench), 9);
    bench_close(&bench);
    bench_open(&bench, false);
    (void)pfpu_expand_scaled_invsqrt(&bench.builder, bench.arguments[0], &scale);
    assert_int_equal(operations(&bench), 9);
    bench_close(&bench);
    bench_open(&bench, false);
    (void)pfpu_expand_scaled_atan2(&bench.builder, bench.arguments[0], bench.arguments[1], &scale);
    assert_int_equal(operations(&bench), 24);
    bench_close(&bench);
}

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < PFPU_EXPANSION_COUNT; i++) {
        const struct pfpu_expansion *row = &pfpu_expansions[i];
        struct bench bench;
        bench_open(&bench, false);
        assert_int_equal(row->arity, pfpu_ops[row->op].arity);
        assert_true((row->one != NULL) == (row->arity == 1));
        assert_true((row->two != NULL) == (row->arity == 2));
        bench.result = pfpu_expand(&bench.builder, row, bench.arguments);
        assert_int_equal(operations(&bench), row->operations);
        assert_ptr_equal(pfpu_expansion_of(row->op), row);
        bench_close(&bench);
    }
    assert_null(pfpu_expansion_of(PFPU_OP_RAND));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_thesis),
        cmocka_unit_test(test_special_points),
        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_quotients_of_multiples),
        cmocka_unit_test(test_known_arguments),
        cmocka_unit_test(test_known_base),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_scaled_is_one_less),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
