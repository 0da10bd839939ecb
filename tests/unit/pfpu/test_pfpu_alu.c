#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fmath.h"
#include "pfpu/machine/machine.h"

enum { NAME_MAX_LENGTH = 15, LINE_LENGTH = 128 };

static unsigned opcode_of(const char *name)
{
    static const char *const names[PFPU_OPCODE_COUNT] = {
        "NOP", "FADD", "FSUB",  "FMUL",  "FABS", "F2I", "I2F",   "VECTOUT",
        "SIN", "COS",  "ABOVE", "EQUAL", "COPY", "IF",  "TSIGN", "QUAKE"};
    unsigned i = 0;
    while (i < PFPU_OPCODE_COUNT && strcmp(names[i], name) != 0) {
        i++;
    }
    assert_true(i < PFPU_OPCODE_COUNT);
    return i;
}

static FILE *open_table(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char heading[LINE_LENGTH];
    assert_non_null(fgets(heading, sizeof heading, file));
    return file;
}

static void every_recorded_row(void **state)
{
    (void)state;
    FILE *file = open_table(TEST_DATA "/pfpu/pfpu_alu.csv");
    char name[NAME_MAX_LENGTH + 1];
    unsigned a = 0;
    unsigned b = 0;
    unsigned flag = 0;
    unsigned result = 0;
    unsigned care = 0;
    size_t rows = 0;
    while (fscanf(file, "%15[A-Z0-9],%x,%x,%u,%x,%x\n", name, &a, &b, &flag, &result, &care) == 6) {
        const uint32_t got = pfpu_alu(opcode_of(name), a, b, flag != 0);
        if (((got ^ result) & care) != 0) {
            fail_msg("%s %08x %08x %u: %08x, not %08x", name, a, b, flag, got, result);
        }
        rows++;
    }
    assert_true(feof(file));
    assert_true(rows > 6000);
    (void)fclose(file);
}

static void every_recorded_sine(void **state)
{
    (void)state;
    FILE *file = open_table(TEST_DATA "/pfpu/pfpu_sincos.csv");
    unsigned index = 0;
    unsigned sine = 0;
    unsigned cosine = 0;
    unsigned rows = 0;
    while (fscanf(file, "%u,%x,%x\n", &index, &sine, &cosine) == 3) {
        assert_int_equal(index, rows++);
        assert_int_equal(pfpu_alu(opcode_of("SIN"), index, 0, false), sine);
        assert_int_equal(pfpu_alu(opcode_of("COS"), index, 0, false), cosine);
        /* Only 13 bits count, and a negative index goes round the other way. */
        const uint32_t far = index + 0x00FFE000u;
        assert_int_equal(pfpu_alu(opcode_of("SIN"), far, 0, false), sine);
        assert_int_equal(pfpu_alu(opcode_of("COS"), 0u - far, 0, false), cosine);
    }
    assert_int_equal(rows, 8192);
    (void)fclose(file);
}

static uint32_t bits_of(float x)
{
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* spec/pfpu.md section 4. */
static void the_sine_table_follows_its_formula(void **state)
{
    (void)state;
    const float pi = (float)3.14159265358;
    assert_int_equal(bits_of(pi), 0x40490FDB);
    for (unsigned i = 0; i < 2048; i++) {
        const float angle = pi * (float)i;
        const uint32_t expected = bits_of((float)base_sin((double)angle / 4096));
        assert_int_equal(pfpu_alu(opcode_of("SIN"), i, 0, false), expected);
    }
}

/* What the specification says in words, and what no recorded row holds. */
static void rules(void **state)
{
    static const struct {
        const char *name;
        uint32_t a;
        uint32_t b;
        bool flag;
        uint32_t result;
    } cases[] = {
        {"FADD", 0x3F800000, 0x3F800000, false, 0x40000000},
        {"FADD", 0x3F800000, 0xBF800000, false, 0xB0800000},
        {"FSUB", 0x3F800000, 0x3F800000, false, 0xB0800000},
        {"FSUB", 0xBF800000, 0xBF800000, false, 0x30800000},
        {"FADD", 0x0F000000, 0x8F000000, false, 0x80000000},
        {"FADD", 0x00000005, 0x80000003, false, 0x00000005},
        {"FADD", 0x00000003, 0x80000003, false, 0x80000003},
        {"FADD", 0x02C00000, 0x82BFFFFF, false, 0x77000000},
        {"FADD", 0x7FFFFFFF, 0x7FFFFFFF, false, 0x007FFFFF},
        {"FADD", 0x4C000000, 0x3F800000, false, 0x4C000000},
        {"FADD", 0x7F800000, 0x00000000, false, 0x7F800000},
        {"FMUL", 0x3FC00000, 0xBFC00000, false, 0xC0100000},
        {"FMUL", 0x00000000, 0xBFC00000, false, 0x00000000},
        {"FMUL", 0x7F800000, 0x7F800000, false, 0x3F800000},
        {"FMUL", 0x00800000, 0x00800000, false, 0x41800000},
        {"F2I", 0xBFFFFFFF, 0, false, 0xFFFFFFFF},
        {"F2I", 0x80000000, 0, false, 0},
        {"F2I", 0x4F000000, 0, false, 0},
        {"F2I", 0x4EFFFFFF, 0, false, 0x7FFFFF80},
        {"F2I", 0xFFFFFFFF, 0, false, 0},
        {"I2F", 0, 0, false, 0},
        {"I2F", 0x80000000, 0, false, 0xBF000000},
        {"I2F", 0xFFFFFFFF, 0, false, 0xBF800000},
        {"I2F", 0x7FFFFFFF, 0, false, 0x4EFFFFFF},
        {"ABOVE", 0x00000000, 0x80000000, false, 0x3F800000},
        {"ABOVE", 0x80000000, 0x00000000, false, 0},
        {"ABOVE", 0xBF800000, 0xC0000000, false, 0x3F800000},
        {"EQUAL", 0x00000000, 0x80000000, false, 0},
        {"IF", 1, 2, true, 1},
        {"IF", 1, 2, false, 2},
        {"TSIGN", 0x3F800000, 0x80000000, false, 0xBF800000},
        {"TSIGN", 0xBF800000, 0x80000000, false, 0x3F800000},
        {"QUAKE", 0xBF800000, 0, false, 0x5F3759DF - 0x1FC00000},
        {"FABS", 0xFFFFFFFF, 0, false, 0x7FFFFFFF},
        {"COPY", 0xDEADBEEF, 1, true, 0xDEADBEEF},
        {"NOP", 1, 2, true, 0},
        {"VECTOUT", 1, 2, true, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t got =
            pfpu_alu(opcode_of(cases[i].name), cases[i].a, cases[i].b, cases[i].flag);
        if (got != cases[i].result) {
            fail_msg("%s %08x %08x: %08x, not %08x", cases[i].name, cases[i].a, cases[i].b, got,
                     cases[i].result);
        }
    }
    assert_int_equal(pfpu_alu(PFPU_OPCODE_COUNT, 1, 2, true), 0);
    assert_int_equal(pfpu_alu(UINT32_MAX, 1, 2, true), 0);
}

/* spec/pfpu.md section 3. */
static void the_table_of_operations(void **state)
{
    static const struct {
        unsigned latency;
        unsigned operands;
    } rows[PFPU_OPCODE_COUNT] = {{0, 0}, {5, 2}, {5, 2}, {7, 2}, {2, 1}, {2, 1}, {3, 1}, {0, 2},
                                 {4, 1}, {4, 1}, {2, 2}, {2, 2}, {2, 1}, {2, 2}, {2, 2}, {2, 1}};
    (void)state;
    for (unsigned i = 0; i < PFPU_OPCODE_COUNT; i++) {
        assert_int_equal(pfpu_opcodes[i].latency, rows[i].latency);
        assert_int_equal(pfpu_opcodes[i].operands, rows[i].operands);
        assert_string_equal(pfpu_opcodes[i].text, pfpu_ops[pfpu_op_of_opcode(i)].text);
        assert_int_equal(pfpu_opcode_of_op(pfpu_op_of_opcode(i)), i);
    }
    assert_int_equal(PFPU_OPCODE_FADD, opcode_of("FADD"));
    assert_int_equal(PFPU_OPCODE_FSUB, opcode_of("FSUB"));
    assert_int_equal(PFPU_OPCODE_VECTOUT, opcode_of("VECTOUT"));
    assert_int_equal(PFPU_OPCODE_IF, opcode_of("IF"));
    assert_int_equal(pfpu_opcodes[PFPU_OPCODE_FADD].thesis_latency, 4);
}

static void words_of_numbers(void **state)
{
    static const struct {
        double number;
        uint32_t word;
    } cases[] = {
        {0.0, 0x00000000},
        {-0.0, 0x80000000},
        {1.0, 0x3F800000},
        {-2.5, 0xC0200000},
        {0x1.000001p0, 0x3F800000},
        {0x1.000003p0, 0x3F800002},
        {0x1.FFFFFFp0, 0x40000000},
        {0x1p-126, 0x00800000},
        {-0x1p-127, 0x80000000},
        {0x1.FFFFFFFp-127, 0x00800000},
        {0x1.FFFFFCp-127, 0},
        {1e-300, 0},
        {1e300, 0x7F7FFFFF},
        {-1e300, 0xFF7FFFFF},
        {0x1.FFFFFFp127, 0x7F7FFFFF},
        {0x1.FFFFFEp127, 0x7F7FFFFF},
        {INFINITY, 0x7F7FFFFF},
        {-INFINITY, 0xFF7FFFFF},
        {NAN, 0},
        {-NAN, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (pfpu_word_of_number(cases[i].number) != cases[i].word) {
            fail_msg("%a: %08x, not %08x", cases[i].number, pfpu_word_of_number(cases[i].number),
                     cases[i].word);
        }
    }
}

static void numbers_of_words(void **state)
{
    static const struct {
        uint32_t word;
        double number;
    } cases[] = {
        {0x3F800000, 1.0},      {0xC0200000, -2.5},
        {0x00800000, 0x1p-126}, {0x7F7FFFFF, 0x1.FFFFFEp127},
        {0x7F800000, 0x1p128},  {0xFFFFFFFF, -0x1.FFFFFEp128},
        {0x00000000, 0.0},      {0x007FFFFF, 0.0},
        {0x80000001, -0.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double got = pfpu_number_of_word(cases[i].word);
        assert_true(got == cases[i].number);
        assert_int_equal(signbit(got) != 0, signbit(cases[i].number) != 0);
    }
    for (uint32_t word = 0x00800000; word < 0x7F800000; word += 0x10001) {
        assert_int_equal(pfpu_word_of_number(pfpu_number_of_word(word)), word);
        const uint32_t negative = word | 0x80000000;
        assert_int_equal(pfpu_word_of_number(pfpu_number_of_word(negative)), negative);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_row),
        cmocka_unit_test(every_recorded_sine),
        cmocka_unit_test(the_sine_table_follows_its_formula),
        cmocka_unit_test(rules),
        cmocka_unit_test(the_table_of_operations),
        cmocka_unit_test(words_of_numbers),
        cmocka_unit_test(numbers_of_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
