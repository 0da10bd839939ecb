/* Instructions are the bytes that an assembler makes of their text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/native/x86.h"

static const char *const names[X86_OP_COUNT] = {
    [X86_ADD] = "add",     [X86_SUB] = "sub",         [X86_MUL] = "mul",
    [X86_DIV] = "div",     [X86_MIN] = "min",         [X86_MAX] = "max",
    [X86_AND] = "and",     [X86_AND_NOT] = "and_not", [X86_OR] = "or",
    [X86_XOR] = "xor",     [X86_LT] = "lt",           [X86_LE] = "le",
    [X86_EQ] = "eq",       [X86_NE] = "ne",           [X86_PLUS] = "plus",
    [X86_ROOT] = "root",   [X86_FLOOR] = "floor",     [X86_CEIL] = "ceil",
    [X86_TRUNC] = "trunc", [X86_ROUND] = "round",     [X86_SIGNED_WHOLE] = "signed_whole",
    [X86_LOAD] = "load",   [X86_LEFT] = "left",       [X86_RIGHT_SIGNED] = "right_signed",
};

/* A line of tests/data/shader/x86.txt. */
struct row {
    char name[16];
    unsigned lanes;
    unsigned to;
    unsigned from;
    char kind;
    unsigned number;
    int offset;
    unsigned bits;
    char bytes[64];
};

static void write_row(struct x86_text *text, const struct row *row, size_t *seen)
{
    const struct x86_operand operand = {
        .memory = row->kind != 'r',
        .equal = row->kind == 'e',
        .number = (uint8_t)row->number,
        .offset = row->offset,
    };
    if (strcmp(row->name, "choose") == 0) {
        x86_choose(text, row->to, row->bits, row->from, operand);
        return;
    }
    if (strcmp(row->name, "store") == 0) {
        x86_store(text, operand, row->to);
        return;
    }
    for (int op = 0; op < X86_OP_COUNT; op++) {
        if (strcmp(row->name, names[op]) == 0) {
            x86_vector(text, (enum x86_op)op, row->to, row->from, operand, row->bits);
            seen[op]++;
            return;
        }
    }
    fail_msg("'%s' is no operation", row->name);
}

static void test_instructions(void **state)
{
    (void)state;
    FILE *file = fopen(TEST_DATA "/shader/x86.txt", "r");
    assert_non_null(file);
    size_t seen[X86_OP_COUNT] = {0};
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        struct row row;
        if (line[0] == '#') {
            continue;
        }
        assert_int_equal(9, sscanf(line, "%15s %u %u %u %c %u %d %u %63s", row.name, &row.lanes,
                                   &row.to, &row.from, &row.kind, &row.number, &row.offset,
                                   &row.bits, row.bytes));
        struct x86_text text = {.wide = row.lanes == 16};
        write_row(&text, &row, seen);
        assert_false(text.failed);
        char bytes[64] = "";
        for (size_t i = 0; i < text.count; i++) {
            (void)snprintf(bytes + 2 * i, sizeof bytes - 2 * i, "%02x", text.bytes[i]);
        }
        if (strcmp(bytes, row.bytes) != 0) {
            fail_msg("%s, not %s", bytes, line);
        }
        x86_free(&text);
    }
    (void)fclose(file);
    for (size_t op = 0; op < X86_OP_COUNT; op++) {
        assert_true(seen[op] >= 4); /* both widths */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
