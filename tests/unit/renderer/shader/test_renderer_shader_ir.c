/* The makers of the shaders' intermediate form, its passes, its rules and its text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/ir/ir.h"

struct room {
    struct base_arena arena;
    struct shader_ir ir;
    shader_value x;
    shader_value y;
    shader_value z;
    shader_value c; /* x < y */
    shader_value d; /* y < z */
};

static int open_room(void **state)
{
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    struct shader_ir *ir = &room->ir;
    shader_ir_init(ir, &room->arena);
    room->x = shader_ir_indexed(ir, SHADER_OP_INPUT, SHADER_INPUT_U);
    room->y = shader_ir_indexed(ir, SHADER_OP_INPUT, SHADER_INPUT_V);
    room->z = shader_ir_indexed(ir, SHADER_OP_INPUT, SHADER_INPUT_RAD);
    room->c = shader_ir_binary(ir, SHADER_OP_LT, room->x, room->y);
    room->d = shader_ir_binary(ir, SHADER_OP_LT, room->y, room->z);
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    base_arena_free(&room->arena);
    free(room);
    return 0;
}

#define NUMBER(value) shader_ir_number(ir, value)
#define TRUTH(value)  shader_ir_truth(ir, value)
#define ONE(op, a)    shader_ir_unary(ir, SHADER_OP_##op, a)
#define TWO(op, a, b) shader_ir_binary(ir, SHADER_OP_##op, a, b)
#define PICK(c, a, b) shader_ir_select(ir, c, a, b)
#define SAME(a, b)    assert_int_equal(b, a)

static void expect_number(const struct shader_ir *ir, shader_value value, float wanted)
{
    float found = 0;
    assert_true(shader_ir_known(ir, value, &found));
    if (memcmp(&found, &wanted, sizeof found) != 0 && !(isnan(found) && isnan(wanted))) {
        fail_msg("%.9g, not %.9g", (double)found, (double)wanted);
    }
}

/* Constants. */

static void folds_constants(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    static const struct {
        enum shader_op op;
        float a;
        float b; /* not for operations of one */
        float wanted;
    } rows[] = {
        {SHADER_OP_ADD, 0.1f, 0.2f, 0.1f + 0.2f},
        {SHADER_OP_SUB, 1, 3, -2},
        {SHADER_OP_MUL, 3, -0.0f, -0.0f},
        {SHADER_OP_DIV, 1, 3, 1.0f / 3.0f},
        {SHADER_OP_DIV, 1, 0, FLT_MAX},
        {SHADER_OP_DIV, 0, 0, 0},
        {SHADER_OP_FMOD, -5.5f, 2, -1.5f},
        {SHADER_OP_FMOD, 5.5f, 0, 0},
        {SHADER_OP_MIN, 2, 1, 1},
        {SHADER_OP_MIN, NAN, 1, NAN},
        {SHADER_OP_MIN, 1, NAN, 1},
        {SHADER_OP_MAX, NAN, 1, NAN},
        {SHADER_OP_MAX, 1, NAN, 1},
        {SHADER_OP_NEG, 0, 0, -0.0f},
        {SHADER_OP_ABS, -2, 0, 2},
        {SHADER_OP_FLOOR, -1.5f, 0, -2},
        {SHADER_OP_CEIL, -1.5f, 0, -1},
        {SHADER_OP_TRUNC, -1.5f, 0, -1},
        {SHADER_OP_ROUND, 2.5f, 0, 2},
        {SHADER_OP_ROUND, -3.5f, 0, -4},
        {SHADER_OP_FRAC, -0.25f, 0, 0.75f},
        {SHADER_OP_SQRT, -4, 0, 2},
        {SHADER_OP_RSQRT, -4, 0, 0.5f},
        {SHADER_OP_SIN, 0, 0, 0},
        {SHADER_OP_COS, 0, 0, 1},
        {SHADER_OP_EXP2, 3, 0, 8},
        {SHADER_OP_LOG2, -8, 0, 3},
        {SHADER_OP_LT, 1, 2, 1},
        {SHADER_OP_LT, NAN, 2, 0},
        {SHADER_OP_LE, 2, 2, 1},
        {SHADER_OP_EQ, NAN, NAN, 0},
        {SHADER_OP_EQ, 0, -0.0f, 1},
        {SHADER_OP_NE, NAN, 1, 0},
        {SHADER_OP_NE, 2, 1, 1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const bool one = shader_ops[rows[k].op].arguments[1] == '\0';
        const shader_value a = NUMBER(rows[k].a);
        const shader_value made = one ? shader_ir_unary(ir, rows[k].op, a)
                                      : shader_ir_binary(ir, rows[k].op, a, NUMBER(rows[k].b));
        expect_number(ir, made, rows[k].wanted);
        assert_int_equal(shader_ops[rows[k].op].result, shader_ir_kind(ir, made));
    }
    SAME(NUMBER(NAN), NUMBER(-NAN));
    assert_int_not_equal(NUMBER(0.0f), NUMBER(-0.0f));
}

/* Algebra. */

static void folds_arithmetic(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value x = room->x;
    const shader_value y = room->y;
    const shader_value minus_x = ONE(NEG, x);
    const shader_value minus_y = ONE(NEG, y);
    SAME(TWO(ADD, x, y), TWO(ADD, y, x));
    SAME(TWO(ADD, x, NUMBER(0)), x);
    SAME(TWO(ADD, NUMBER(-0.0f), x), x);
    SAME(TWO(ADD, x, minus_y), TWO(SUB, x, y));
    SAME(TWO(ADD, minus_x, y), TWO(SUB, y, x));
    SAME(TWO(SUB, x, NUMBER(0)), x);
    SAME(TWO(SUB, NUMBER(0), x), minus_x);
    SAME(TWO(SUB, x, minus_y), TWO(ADD, x, y));
    SAME(TWO(SUB, x, NUMBER(3)), TWO(ADD, x, NUMBER(-3)));
    expect_number(ir, TWO(SUB, x, x), 0);
    SAME(ONE(NEG, minus_x), x);
    SAME(ONE(NEG, TWO(SUB, x, y)), TWO(SUB, y, x));
    SAME(ONE(NEG, TWO(MUL, x, NUMBER(3))), TWO(MUL, x, NUMBER(-3)));
    assert_int_not_equal(TWO(SUB, x, y), TWO(SUB, y, x));
}

static void folds_products(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value x = room->x;
    const shader_value y = room->y;
    const shader_value mask = PICK(room->c, NUMBER(1), NUMBER(0));
    SAME(TWO(MUL, x, y), TWO(MUL, y, x));
    SAME(TWO(MUL, NUMBER(1), x), x);
    SAME(TWO(MUL, x, NUMBER(-1)), ONE(NEG, x));
    expect_number(ir, TWO(MUL, x, NUMBER(0)), 0);
    SAME(TWO(MUL, ONE(NEG, x), ONE(NEG, y)), TWO(MUL, x, y));
    SAME(TWO(MUL, ONE(NEG, x), NUMBER(3)), TWO(MUL, x, NUMBER(-3)));
    SAME(TWO(MUL, ONE(ABS, x), ONE(ABS, x)), TWO(MUL, x, x));
    SAME(TWO(MUL, mask, x), PICK(room->c, x, NUMBER(0)));
    SAME(TWO(MUL, x, PICK(room->c, NUMBER(0), NUMBER(1))), PICK(room->c, NUMBER(0), x));
    SAME(TWO(DIV, x, NUMBER(1)), x);
    SAME(TWO(DIV, x, NUMBER(-8)), TWO(MUL, x, NUMBER(-0.125f)));
    assert_int_equal(SHADER_OP_DIV, ir->list[TWO(DIV, x, NUMBER(3))].op);
    assert_int_equal(SHADER_OP_DIV, ir->list[TWO(DIV, x, NUMBER(0))].op);
    assert_int_equal(SHADER_OP_DIV, ir->list[TWO(DIV, x, NUMBER(0x1p127f))].op);
}

static void folds_functions(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value x = room->x;
    const shader_value size = ONE(ABS, x);
    const shader_value whole = ONE(FLOOR, x);
    SAME(ONE(ABS, size), size);
    SAME(ONE(ABS, ONE(NEG, x)), size);
    SAME(ONE(SQRT, size), ONE(SQRT, x));
    SAME(ONE(RSQRT, ONE(NEG, x)), ONE(RSQRT, x));
    SAME(ONE(LOG2, size), ONE(LOG2, x));
    SAME(ONE(FLOOR, whole), whole);
    SAME(ONE(TRUNC, TWO(ADD, whole, NUMBER(2))), TWO(ADD, whole, NUMBER(2)));
    expect_number(ir, ONE(FRAC, ONE(ROUND, x)), 0);
    assert_int_equal(SHADER_OP_FLOOR, ir->list[ONE(FLOOR, TWO(MUL, whole, NUMBER(0.5f)))].op);
}

static void folds_bounds(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value x = room->x;
    const shader_value zero = NUMBER(0);
    const shader_value one = NUMBER(1);
    const shader_value clamped = TWO(MIN, TWO(MAX, x, zero), one);
    SAME(TWO(MIN, TWO(MAX, clamped, zero), one), clamped);
    SAME(TWO(MAX, x, x), x);
    SAME(TWO(MAX, TWO(MAX, x, zero), one), TWO(MAX, x, one));
    SAME(TWO(MIN, TWO(MIN, x, zero), one), TWO(MIN, x, zero));
    SAME(ONE(ABS, TWO(MUL, x, x)), TWO(MUL, x, x));
    expect_number(ir, TWO(LT, x, x), 0);
    expect_number(ir, TWO(NE, x, x), 0);
    expect_number(ir, TWO(LT, ONE(ABS, x), zero), 0);
    assert_int_equal(SHADER_OP_LE, ir->list[TWO(LE, zero, ONE(ABS, x))].op); /* NaN */
    assert_int_equal(SHADER_OP_EQ, ir->list[TWO(EQ, x, x)].op);
    assert_int_equal(SHADER_OP_MAX, ir->list[TWO(MAX, x, zero)].op);
    /* The first operand decides about NaN: one of these may be 5. */
    const shader_value least = TWO(MIN, PICK(room->c, NUMBER(5), one), ONE(FRAC, x));
    assert_int_equal(SHADER_OP_LT, ir->list[TWO(LT, NUMBER(2), least)].op);
    assert_int_not_equal(TWO(MAX, x, zero), TWO(MAX, zero, x));
}

static void folds_truths(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value c = room->c;
    const shader_value d = room->d;
    const shader_value not_c = ONE(NOT, c);
    SAME(ONE(NOT, not_c), c);
    SAME(TWO(AND, c, c), c);
    SAME(TWO(AND, c, TRUTH(true)), c);
    expect_number(ir, TWO(AND, TRUTH(false), c), 0);
    expect_number(ir, TWO(OR, c, TRUTH(true)), 1);
    SAME(TWO(OR, TRUTH(false), c), c);
    expect_number(ir, TWO(AND, c, not_c), 0);
    expect_number(ir, TWO(OR, not_c, c), 1);
    SAME(TWO(AND, d, TWO(AND, c, d)), TWO(AND, c, d));
    assert_int_equal(SHADER_OP_OR, ir->list[TWO(OR, c, TWO(AND, c, d))].op);
}

static void folds_selects(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value c = room->c;
    const shader_value d = room->d;
    const shader_value x = room->x;
    const shader_value y = room->y;
    const shader_value not_c = ONE(NOT, c);
    SAME(PICK(TRUTH(true), x, y), x);
    SAME(PICK(TRUTH(false), x, y), y);
    SAME(PICK(c, x, x), x);
    SAME(PICK(not_c, x, y), PICK(c, y, x));
    SAME(PICK(c, PICK(c, x, room->z), y), PICK(c, x, y));
    SAME(PICK(c, x, PICK(c, room->z, y)), PICK(c, x, y));
    SAME(PICK(c, TRUTH(true), TRUTH(false)), c);
    SAME(PICK(c, TRUTH(false), TRUTH(true)), not_c);
    SAME(PICK(c, d, TRUTH(false)), TWO(AND, c, d));
    SAME(PICK(c, TRUTH(true), d), TWO(OR, c, d));
    SAME(PICK(c, TRUTH(false), d), TWO(AND, not_c, d));
    SAME(PICK(c, d, TRUTH(true)), TWO(OR, not_c, d));
    /* Truths that went through numbers. */
    const shader_value mask = PICK(c, NUMBER(1), NUMBER(0));
    SAME(TWO(NE, mask, NUMBER(0)), c);
    SAME(TWO(LT, NUMBER(0.5f), mask), c);
    SAME(TWO(EQ, mask, NUMBER(0)), not_c);
    SAME(TWO(SUB, NUMBER(1), mask), PICK(c, NUMBER(0), NUMBER(1)));
    expect_number(ir, TWO(LT, mask, NUMBER(0)), 0);
}

static unsigned fetch_of(struct shader_ir *ir, const char *name, bool volume)
{
    unsigned fetch = 99;
    const struct shader_sampler sampler = {.linear = true, .address = SHADER_REPEAT};
    assert_true(shader_ir_fetch(ir, name, volume, sampler, &fetch));
    return fetch;
}

static void merges_reads(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const unsigned canvas = fetch_of(ir, "main", false);
    SAME(fetch_of(ir, "main", false), canvas);
    const unsigned noise = fetch_of(ir, "noise_lq", false);
    assert_int_not_equal(canvas, noise);
    const shader_value at[3] = {room->x, room->y, NUMBER(0)};
    const shader_value read = shader_ir_read(ir, SHADER_OP_READ2, canvas, at);
    SAME(shader_ir_read(ir, SHADER_OP_READ2, canvas, at), read);
    SAME(shader_ir_read(ir, SHADER_OP_READ2_BIAS, canvas, at), read);
    assert_int_not_equal(shader_ir_read(ir, SHADER_OP_READ2_LOD, canvas, at), read);
    assert_int_not_equal(shader_ir_read(ir, SHADER_OP_READ2, noise, at), read);
    const shader_value red = shader_ir_part(ir, read, 0);
    SAME(shader_ir_part(ir, read, 0), red);
    /* What is read lies in 0..1. */
    SAME(TWO(MIN, TWO(MAX, red, NUMBER(0)), NUMBER(1)), red);
    expect_number(ir, TWO(LE, red, NUMBER(1)), 1);
}

static void bindings_run_out(void **state)
{
    struct room *room = *state;
    unsigned binding;
    char name[32];
    for (int k = 0; k < SHADER_TEXTURES_MAX; k++) {
        snprintf(name, sizeof name, "picture%d", k);
        assert_true(shader_ir_binding(&room->ir, name, false, &binding));
        assert_int_equal(k, binding);
    }
    assert_false(shader_ir_binding(&room->ir, "one_more", false, &binding));
    assert_false(shader_ir_binding(&room->ir, "picture0", true, &binding));
    assert_true(shader_ir_binding(&room->ir, "picture3", false, &binding));
    assert_int_equal(3, binding);
}

/* Scopes. */

static void parts_are_forgotten(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value outside = ONE(SIN, room->x);
    shader_ir_if(ir, room->c);
    const shader_value inside = ONE(COS, room->x);
    SAME(ONE(SIN, room->x), outside);
    SAME(ONE(COS, room->x), inside);
    shader_ir_else(ir);
    const shader_value other = ONE(COS, room->x);
    assert_int_not_equal(inside, other);
    shader_ir_endif(ir);
    const shader_value behind = ONE(COS, room->x);
    assert_int_not_equal(inside, behind);
    assert_int_not_equal(other, behind);
    SAME(ONE(SIN, room->x), outside);
    /* A truth of a part is not to be used by AND. */
    shader_ir_if(ir, room->c);
    const shader_value truth = TWO(LT, room->z, room->x);
    shader_ir_endif(ir);
    assert_int_equal(SHADER_OP_CHOOSE, ir->list[PICK(room->c, truth, TRUTH(false))].op);
    assert_null(shader_ir_verify(ir));
}

static void known_parts_have_no_markers(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    shader_ir_if(ir, TRUTH(true));
    const size_t count = ir->count;
    const shader_value inside = ONE(COS, room->x);
    shader_ir_if(ir, room->c);
    const shader_value deeper = ONE(SIN, room->y);
    shader_ir_endif(ir);
    shader_ir_else(ir);
    shader_ir_endif(ir);
    assert_int_equal(count + 4, ir->count);
    SAME(ONE(COS, room->x), inside);
    assert_int_not_equal(ONE(SIN, room->y), deeper);
    assert_null(shader_ir_verify(ir));
}

static void loops_are_forgotten(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    shader_ir_loop(ir, room->c);
    const shader_value carry = shader_ir_carry(ir, room->x);
    const shader_value truth = shader_ir_carry(ir, room->d);
    assert_int_equal(SHADER_KIND_B, shader_ir_kind(ir, truth));
    const shader_value inside = ONE(SIN, carry);
    shader_ir_while(ir, truth);
    shader_ir_carry_next(ir, carry, inside);
    shader_ir_carry_next(ir, truth, TWO(LT, inside, room->y));
    shader_ir_endloop(ir);
    assert_int_not_equal(ONE(SIN, carry), inside);
    /* Carries are seen behind the loop as anything else. */
    SAME(PICK(room->c, truth, TRUTH(false)), TWO(AND, room->c, truth));
    assert_null(shader_ir_verify(ir));
}

static void rewinds(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value before = ONE(SIN, room->x);
    const struct shader_ir_mark mark = shader_ir_mark(ir);
    shader_value made[2] = {0, 0};
    for (int round = 0; round < 2; round++) {
        shader_ir_if(ir, room->c);
        const shader_value inside = ONE(EXP2, room->y);
        shader_ir_else(ir);
        shader_ir_loop(ir, room->d);
        const shader_value carry = shader_ir_carry(ir, inside);
        shader_ir_while(ir, room->c);
        shader_ir_carry_next(ir, carry, ONE(SQRT, carry));
        shader_ir_endloop(ir);
        shader_ir_endif(ir);
        made[round] = ONE(COS, room->x);
        for (int k = 0; k < 5000; k++) { /* more than the first buckets hold */
            TWO(ADD, room->z, NUMBER((float)k));
        }
        shader_ir_rewind(ir, mark);
        assert_int_equal(mark.count, ir->count);
    }
    SAME(made[1], made[0]);
    SAME(ONE(SIN, room->x), before);
    SAME(ONE(COS, room->x), mark.count);
    /* From within a part that was open at the mark, and closed since. */
    shader_ir_if(ir, room->c);
    const shader_value part = ONE(LOG2, room->x);
    const shader_value truth = TWO(LT, part, room->z);
    const struct shader_ir_mark within = shader_ir_mark(ir);
    shader_ir_endif(ir);
    assert_int_not_equal(ONE(LOG2, room->x), part);
    shader_ir_rewind(ir, within);
    SAME(ONE(LOG2, room->x), part);
    SAME(PICK(room->d, truth, TRUTH(false)), TWO(AND, room->d, truth));
    shader_ir_endif(ir);
    assert_null(shader_ir_verify(ir));
}

static void fails_without_memory(void **state)
{
    (void)state;
    for (size_t limit = 1; limit < 300000; limit = limit * 3 / 2 + 1) {
        struct base_arena arena;
        struct shader_ir list;
        struct shader_ir *ir = &list;
        base_arena_init(&arena, limit);
        shader_ir_init(ir, &arena);
        const shader_value x = shader_ir_indexed(ir, SHADER_OP_INPUT, SHADER_INPUT_U);
        shader_value sum = x;
        shader_ir_if(ir, TWO(LT, x, NUMBER(1)));
        const unsigned fetch = fetch_of(ir, "main", false);
        for (int k = 0; k < 9000; k++) {
            const shader_value at[2] = {sum, NUMBER((float)k)};
            const shader_value read = shader_ir_read(ir, SHADER_OP_READ2, fetch, at);
            sum = TWO(ADD, sum, shader_ir_part(ir, read, 1));
            sum = PICK(TWO(LT, sum, x), sum, x);
        }
        shader_ir_endif(ir);
        shader_ir_finish(ir);
        assert_true(ir->failed);
        assert_non_null(shader_ir_verify(ir));
        assert_int_equal(SHADER_KIND_F, shader_ir_kind(ir, NUMBER(3)));
        assert_int_equal(SHADER_KIND_B, shader_ir_kind(ir, TRUTH(true)));
        base_arena_free(&arena);
    }
}

static void ends_at_its_limit(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    shader_value sum = room->x;
    for (size_t k = 0; k < 2 * (size_t)SHADER_IR_MAX; k++) {
        sum = TWO(ADD, sum, room->y);
    }
    assert_true(ir->failed);
    assert_int_equal(SHADER_IR_MAX, ir->count);
}

/* Passes. */

static size_t count_of(const struct shader_ir *ir, enum shader_op op)
{
    size_t count = 0;
    for (size_t k = 0; k < ir->count; k++) {
        count += ir->list[k].op == op;
    }
    return count;
}

static size_t place_of(const struct shader_ir *ir, enum shader_op op)
{
    size_t k = 0;
    while (k < ir->count && ir->list[k].op != op) {
        k++;
    }
    return k;
}

static void finish(struct shader_ir *ir)
{
    const char *wrong = shader_ir_verify(ir);
    if (wrong == NULL) {
        shader_ir_finish(ir);
        assert_false(ir->failed);
        wrong = shader_ir_verify(ir);
    }
    if (wrong != NULL) {
        fail_msg("%s\n%s", wrong, shader_ir_dump(ir, ir->arena));
    }
}

static void drops_what_is_unused(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    unsigned size;
    const shader_value at[2] = {room->x, room->y};
    const shader_value dead = shader_ir_read(ir, SHADER_OP_READ2, fetch_of(ir, "a", false), at);
    shader_ir_part(ir, dead, 0);
    const shader_value read = shader_ir_read(ir, SHADER_OP_READ2, fetch_of(ir, "b", false), at);
    shader_ir_part(ir, read, 3);
    ir->ret[0] = shader_ir_part(ir, read, 1);
    assert_true(shader_ir_binding(ir, "c", false, &size));
    assert_true(shader_ir_binding(ir, "d", true, &size));
    ir->ret[1] = shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOTS + 4 * size + 1);
    shader_ir_if(ir, room->d);
    ONE(SIN, room->z);
    shader_ir_endif(ir);
    finish(ir);
    /* u, v, 0 of the third result, size, read, part */
    assert_int_equal(6, ir->count);
    assert_int_equal(1, ir->fetch_count);
    assert_int_equal(2, ir->binding_count);
    assert_string_equal("b", ir->bindings[0].name);
    assert_string_equal("d", ir->bindings[1].name);
    assert_int_equal(SHADER_SLOTS + 4 + 1, ir->list[ir->ret[1]].index);
}

/* An IF with a side of so many sines. */
static void make_part(struct room *room, shader_value condition, int sines)
{
    struct shader_ir *ir = &room->ir;
    shader_ir_if(ir, condition);
    shader_value inside = room->x;
    for (int k = 0; k < sines; k++) {
        inside = ONE(SIN, inside);
    }
    shader_ir_endif(ir);
    ir->ret[0] = PICK(condition, inside, room->z);
}

static void flattens_cheap_parts(void **state)
{
    struct room *room = *state;
    make_part(room, room->c, 1);
    finish(&room->ir);
    assert_int_equal(0, count_of(&room->ir, SHADER_OP_IF));
    assert_int_equal(1, count_of(&room->ir, SHADER_OP_SIN));
}

static void keeps_dear_parts(void **state)
{
    struct room *room = *state;
    make_part(room, room->c, 4);
    finish(&room->ir);
    assert_int_equal(1, count_of(&room->ir, SHADER_OP_IF));
    assert_int_equal(0, count_of(&room->ir, SHADER_OP_ELSE));
    assert_true(place_of(&room->ir, SHADER_OP_IF) < place_of(&room->ir, SHADER_OP_SIN));
    assert_true(place_of(&room->ir, SHADER_OP_SIN) < place_of(&room->ir, SHADER_OP_ENDIF));
}

/* With the first side empty the second becomes the first. */
static void turns_parts_round(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    shader_ir_if(ir, room->c);
    shader_ir_else(ir);
    const shader_value inside = ONE(ACOS, ONE(SIN, room->y));
    shader_ir_endif(ir);
    ir->ret[0] = PICK(room->c, room->x, inside);
    finish(ir);
    assert_int_equal(1, count_of(ir, SHADER_OP_IF));
    assert_int_equal(0, count_of(ir, SHADER_OP_ELSE));
    assert_int_equal(1, count_of(ir, SHADER_OP_NOT));
}

/* What is the same for all pixels leaves the part it stands in. */
static void marks_uniforms(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value time = shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOT_time);
    const shader_value beat = TWO(LT, time, NUMBER(2));
    const unsigned canvas = fetch_of(ir, "main", false);
    shader_ir_if(ir, beat);
    const shader_value here[2] = {ONE(SIN, ONE(SIN, ONE(SIN, time))), time};
    shader_ir_read(ir, SHADER_OP_READ2, canvas, here);
    shader_ir_endif(ir);
    ir->ret[0] = PICK(beat, here[0], time);
    ir->ret[1] = TWO(MUL, room->x, ir->ret[0]);
    shader_ir_if(ir, beat);
    const shader_value there[2] = {ONE(SIN, ONE(SIN, ONE(SIN, time))), time};
    const shader_value read = shader_ir_read(ir, SHADER_OP_READ2, canvas, there);
    const shader_value red = shader_ir_part(ir, read, 0);
    shader_ir_endif(ir);
    ir->ret[2] = PICK(beat, red, time);
    finish(ir);
    assert_int_equal(0, count_of(ir, SHADER_OP_IF));
    assert_int_equal(1, count_of(ir, SHADER_OP_READ2));
    assert_true(ir->list[ir->ret[0]].uniform);
    assert_false(ir->list[ir->ret[1]].uniform);
    assert_true(ir->list[ir->ret[2]].uniform);
    assert_true(ir->list[place_of(ir, SHADER_OP_READ2)].uniform);
    assert_false(ir->list[place_of(ir, SHADER_OP_INPUT)].uniform);
}

struct loop {
    shader_value counter;
    shader_value carry;
};

/* A loop of eight rounds, up to its middle, with one carry more. */
static struct loop begin_loop(struct room *room, shader_value mask, shader_value start)
{
    struct shader_ir *ir = &room->ir;
    const shader_value zero = NUMBER(0);
    shader_ir_loop(ir, mask);
    const struct loop loop = {shader_ir_carry(ir, zero), shader_ir_carry(ir, start)};
    shader_ir_while(ir, TWO(LT, loop.counter, NUMBER(8)));
    shader_ir_carry_next(ir, loop.counter, TWO(ADD, loop.counter, NUMBER(1)));
    return loop;
}

static void end_loop(struct room *room, struct loop loop, shader_value next)
{
    shader_ir_carry_next(&room->ir, loop.carry, next);
    shader_ir_endloop(&room->ir);
}

static void moves_out_of_loops(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const struct loop outer = begin_loop(room, room->c, room->x);
    const shader_value middle = ONE(COS, outer.counter);
    const struct loop inner = begin_loop(room, room->d, room->y);
    shader_ir_if(ir, TWO(LT, inner.carry, room->x));
    const shader_value still = ONE(SIN, room->z); /* in front of both */
    const shader_value half = ONE(EXP2, middle);  /* in front of the inner */
    const shader_value sum = TWO(ADD, TWO(ADD, inner.carry, still), half);
    shader_ir_endif(ir);
    end_loop(room, inner, PICK(TWO(LT, inner.carry, room->x), sum, inner.carry));
    end_loop(room, outer, TWO(ADD, outer.carry, inner.carry));
    ir->ret[0] = outer.carry;
    finish(ir);
    const size_t first = place_of(ir, SHADER_OP_LOOP);
    size_t second = first + 1;
    while (ir->list[second].op != SHADER_OP_LOOP) {
        second++;
    }
    assert_true(place_of(ir, SHADER_OP_SIN) < first);
    assert_true(place_of(ir, SHADER_OP_EXP2) > first);
    assert_true(place_of(ir, SHADER_OP_EXP2) < second);
}

static void drops_idle_loops(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const struct loop unentered = begin_loop(room, TRUTH(false), room->x);
    end_loop(room, unentered, ONE(SIN, unentered.carry));
    struct loop left = begin_loop(room, room->c, room->y);
    shader_ir_while(ir, TRUTH(false));
    end_loop(room, left, ONE(SIN, left.carry));
    const struct loop unused = begin_loop(room, room->c, room->y);
    end_loop(room, unused, ONE(SIN, unused.carry));
    ir->ret[0] = TWO(ADD, unentered.carry, left.carry);
    finish(ir);
    assert_int_equal(0, count_of(ir, SHADER_OP_LOOP));
    assert_int_equal(0, count_of(ir, SHADER_OP_SIN));
    SAME(ir->list[ir->ret[0]].op, SHADER_OP_ADD);
}

static void drops_still_carries(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value starts[2] = {room->x, room->y};
    shader_ir_loop(ir, room->c);
    const shader_value same = shader_ir_carry(ir, starts[0]);
    const shader_value again = shader_ir_carry(ir, starts[1]);
    const shader_value moving = shader_ir_carry(ir, starts[0]);
    const shader_value dead = shader_ir_carry(ir, starts[0]);
    shader_ir_while(ir, TWO(LT, moving, room->z));
    shader_ir_while(ir, TRUTH(true));
    const shader_value product = TWO(MUL, same, again);
    shader_ir_carry_next(ir, same, same);
    shader_ir_carry_next(ir, again, starts[1]);
    shader_ir_carry_next(ir, dead, ONE(SIN, dead));
    shader_ir_carry_next(ir, moving, TWO(ADD, moving, product));
    shader_ir_endloop(ir);
    ir->ret[0] = TWO(ADD, moving, TWO(ADD, same, again));
    finish(ir);
    assert_int_equal(1, count_of(ir, SHADER_OP_CARRY));
    assert_int_equal(1, count_of(ir, SHADER_OP_WHILE));
    assert_int_equal(0, count_of(ir, SHADER_OP_SIN));
    assert_true(place_of(ir, SHADER_OP_MUL) < place_of(ir, SHADER_OP_LOOP));
}

/* Rules. */

struct breach {
    const char *what; /* part of the message */
    void (*make)(struct room *room);
};

static struct shader_instruction *find(struct room *room, enum shader_op op)
{
    return &room->ir.list[place_of(&room->ir, op)];
}

static void breach_order(struct room *room)
{
    find(room, SHADER_OP_SIN)->argument[0] = (shader_value)room->ir.count - 1;
}

static void breach_kind(struct room *room)
{
    find(room, SHADER_OP_SIN)->argument[0] = room->c;
}

static void breach_none(struct room *room)
{
    find(room, SHADER_OP_SIN)->argument[0] = SHADER_NO_VALUE;
}

static void breach_input(struct room *room)
{
    find(room, SHADER_OP_INPUT)->index = SHADER_INPUTS;
}

static void breach_fetch(struct room *room)
{
    find(room, SHADER_OP_READ2)->index = 7;
}

static void breach_volume(struct room *room)
{
    room->ir.bindings[0].volume = true;
}

static void breach_part(struct room *room)
{
    find(room, SHADER_OP_PART)->index = 4;
}

static void breach_truth(struct room *room)
{
    find(room, SHADER_OP_TRUTH)->number = 2;
}

static void breach_uniform(struct room *room)
{
    find(room, SHADER_OP_SIN)->uniform = true;
}

static void breach_operation(struct room *room)
{
    find(room, SHADER_OP_SIN)->op = SHADER_OP_COUNT;
}

static void breach_guard(struct room *room)
{
    find(room, SHADER_OP_SELECT)->argument[0] = room->d;
}

static void breach_side(struct room *room)
{
    struct shader_instruction *select = find(room, SHADER_OP_SELECT);
    select->argument[2] = select->argument[1];
}

static void breach_sight(struct room *room)
{
    room->ir.ret[1] = (shader_value)place_of(&room->ir, SHADER_OP_SIN);
}

static void breach_loop_sight(struct room *room)
{
    room->ir.ret[1] = (shader_value)place_of(&room->ir, SHADER_OP_EXP2);
}

static void breach_else(struct room *room)
{
    *find(room, SHADER_OP_WHILE) = (struct shader_instruction){.op = SHADER_OP_ELSE};
}

static void breach_end(struct room *room)
{
    find(room, SHADER_OP_ENDIF)->op = SHADER_OP_ENDLOOP;
}

static void breach_open(struct room *room)
{
    room->ir.count = place_of(&room->ir, SHADER_OP_ENDLOOP);
}

static void breach_while(struct room *room)
{
    find(room, SHADER_OP_WHILE)->op = SHADER_OP_NOT;
}

static void breach_carry(struct room *room)
{
    find(room, SHADER_OP_PART)->op = SHADER_OP_CARRY;
    find(room, SHADER_OP_CARRY)->argument[0] = room->x;
    find(room, SHADER_OP_CARRY)->argument[1] = room->x;
}

static void breach_next(struct room *room)
{
    find(room, SHADER_OP_CARRY)->argument[1] = SHADER_NO_VALUE;
}

static void breach_result(struct room *room)
{
    room->ir.ret[2] = room->c;
}

/* A list with a bit of everything. */
static void make_sample(struct room *room)
{
    struct shader_ir *ir = &room->ir;
    const shader_value at[2] = {room->x, room->y};
    const shader_value read = shader_ir_read(ir, SHADER_OP_READ2, fetch_of(ir, "main", false), at);
    const shader_value red = shader_ir_part(ir, read, 0);
    make_part(room, room->c, 1);
    const struct loop loop = begin_loop(room, room->d, red);
    end_loop(room, loop, ONE(EXP2, loop.carry));
    ir->ret[1] = loop.carry;
}

static void finds_breaches(void **state)
{
    (void)state;
    static const struct breach breaches[] = {
        {"not computed before", breach_order},
        {"another kind", breach_kind},
        {"not computed before", breach_none},
        {"index", breach_input},
        {"index", breach_fetch},
        {"volume", breach_volume},
        {"index", breach_part},
        {"truth of 2", breach_truth},
        {"uniform", breach_uniform},
        {"no such operation", breach_operation},
        {"not to be seen", breach_guard},
        {"not to be seen", breach_side},
        {"not to be seen", breach_sight},
        {"not to be seen", breach_loop_sight},
        {"else without", breach_else},
        {"without a begin", breach_end},
        {"no end", breach_open},
        {"loop without while", breach_while},
        {"carry", breach_carry},
        {"not computed before", breach_next},
        {"result 2", breach_result},
    };
    for (size_t k = 0; k < sizeof breaches / sizeof *breaches; k++) {
        void *opened;
        open_room(&opened);
        struct room *room = opened;
        make_sample(room);
        assert_null(shader_ir_verify(&room->ir));
        breaches[k].make(room);
        const char *wrong = shader_ir_verify(&room->ir);
        if (wrong == NULL || strstr(wrong, breaches[k].what) == NULL) {
            fail_msg("breach %zu: %s, not %s", k, wrong == NULL ? "nothing" : wrong,
                     breaches[k].what);
        }
        close_room(&opened);
    }
}

/* Text. */

static void dumps(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    unsigned size;
    make_sample(room);
    assert_true(shader_ir_binding(ir, "noise_lq", false, &size));
    ir->ret[2] = TWO(ADD, shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOTS + 4 * size + 2),
                     TWO(ADD, shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOT_q1),
                         TWO(MUL, shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOT_rot_s2 + 5),
                             shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOT_aspect + 3))));
    const char *before = shader_ir_dump(ir, ir->arena);
    assert_non_null(before);
    assert_non_null(strstr(before, "if %"));
    assert_non_null(strstr(before, "    %"));
    finish(ir);
    static const char *const pieces[] = {
        " = input uv.x\n",
        " = uniform texsize_noise_lq.z ; uniform\n",
        " = uniform q1 ; uniform\n",
        " = uniform rot_s2._m12 ; uniform\n",
        " = uniform aspect.w ; uniform\n",
        " = read2 main wrap linear %",
        ".x\n",
        "loop %",
        "    %",
        " = carry %",
        "    while %",
        "endloop\n",
        " = const 8 ; uniform\n",
        "ret %",
    };
    const char *text = shader_ir_dump(ir, ir->arena);
    assert_non_null(text);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        if (strstr(text, pieces[k]) == NULL) {
            fail_msg("%s is not in\n%s", pieces[k], text);
        }
    }
}

int main(void)
{
#define ROOM_TEST(test) cmocka_unit_test_setup_teardown(test, open_room, close_room)
    const struct CMUnitTest tests[] = {
        ROOM_TEST(folds_constants),
        ROOM_TEST(folds_arithmetic),
        ROOM_TEST(folds_products),
        ROOM_TEST(folds_functions),
        ROOM_TEST(folds_bounds),
        ROOM_TEST(folds_truths),
        ROOM_TEST(folds_selects),
        ROOM_TEST(merges_reads),
        ROOM_TEST(bindings_run_out),
        ROOM_TEST(parts_are_forgotten),
        ROOM_TEST(known_parts_have_no_markers),
        ROOM_TEST(loops_are_forgotten),
        ROOM_TEST(rewinds),
        cmocka_unit_test(fails_without_memory),
        ROOM_TEST(ends_at_its_limit),
        ROOM_TEST(drops_what_is_unused),
        ROOM_TEST(flattens_cheap_parts),
        ROOM_TEST(keeps_dear_parts),
        ROOM_TEST(turns_parts_round),
        ROOM_TEST(marks_uniforms),
        ROOM_TEST(moves_out_of_loops),
        ROOM_TEST(drops_idle_loops),
        ROOM_TEST(drops_still_carries),
        cmocka_unit_test(finds_breaches),
        ROOM_TEST(dumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
