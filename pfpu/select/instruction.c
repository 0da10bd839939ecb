#include "pfpu/select/instruction.h"

#include <math.h>

#include "pfpu/ir/arith.h"
#include "pfpu/select/expand.h"

static int32_t number(struct pfpu_builder *builder, double value)
{
    return pfpu_build_number(builder, value);
}

static const struct pfpu_instruction *made(const struct pfpu_builder *builder, int32_t value)
{
    return &builder->ir->instructions[value];
}

bool pfpu_select_is_positive(const struct pfpu_builder *builder, int32_t value)
{
    return (builder->facts[value] & PFPU_FACT_POSITIVE) != 0;
}

static bool is_boolean(const struct pfpu_builder *builder, int32_t value)
{
    return (builder->facts[value] & PFPU_FACT_BOOLEAN) != 0;
}

static int32_t positive(struct pfpu_builder *builder, int32_t value)
{
    return builder->failed || pfpu_select_is_positive(builder, value)
               ? value
               : pfpu_build1(builder, PFPU_OP_WORD_FABS, value);
}

int32_t pfpu_select_condition(struct pfpu_builder *builder, int32_t value)
{
    if (builder->failed || is_boolean(builder, value)) {
        return value;
    }
    const int32_t close = number(builder, PFPU_CLOSE);
    return pfpu_build2(builder, PFPU_OP_WORD_ABOVE, positive(builder, value), close);
}

/* The boolean that a NOT was made of, or PFPU_NO_VALUE. */
static int32_t opposite_of(const struct pfpu_builder *builder, int32_t value)
{
    const struct pfpu_instruction *row = made(builder, value);
    if (row->op != PFPU_OP_WORD_EQUAL) {
        return PFPU_NO_VALUE;
    }
    for (int k = 0; k < 2; k++) {
        const struct pfpu_instruction *zero = made(builder, row->arguments[k]);
        if (zero->op == PFPU_OP_NUMBER && zero->number == 0 &&
            is_boolean(builder, row->arguments[1 - k])) {
            return row->arguments[1 - k];
        }
    }
    return PFPU_NO_VALUE;
}

static int32_t choose_select(struct pfpu_builder *builder, int32_t condition, int32_t yes,
                             int32_t no)
{
    if (builder->failed) {
        return 0;
    }
    const struct pfpu_instruction *row = made(builder, condition);
    if (row->op == PFPU_OP_NUMBER) {
        return fabs(row->number) >= PFPU_CLOSE ? yes : no;
    }
    if (yes == no) {
        return yes;
    }
    const int32_t opposite = opposite_of(builder, condition);
    if (opposite != PFPU_NO_VALUE) {
        return choose_select(builder, opposite, no, yes);
    }
    return pfpu_build3(builder, PFPU_OP_WORD_IF, pfpu_select_condition(builder, condition), yes,
                       no);
}

int32_t pfpu_select_not(struct pfpu_builder *builder, int32_t value)
{
    const int32_t opposite = builder->failed ? PFPU_NO_VALUE : opposite_of(builder, value);
    if (opposite != PFPU_NO_VALUE) {
        return opposite;
    }
    const int32_t zero = number(builder, 0.0);
    return pfpu_build2(builder, PFPU_OP_WORD_EQUAL, pfpu_select_condition(builder, value), zero);
}

int32_t pfpu_select_negative(struct pfpu_builder *builder, int32_t value)
{
    if (!builder->failed && made(builder, value)->op == PFPU_OP_NUMBER) {
        return number(builder, 0.0 - made(builder, value)->number);
    }
    return pfpu_build2(builder, PFPU_OP_WORD_TSIGN, value, number(builder, -1.0));
}

int32_t pfpu_select_close(struct pfpu_builder *builder, int32_t difference, double size,
                          double scale)
{
    const double nothing = ldexp(fabs(size), -29);
    const double limit = nothing > PFPU_CLOSE ? nothing : PFPU_CLOSE;
    const int32_t distance = pfpu_build1(builder, PFPU_OP_WORD_FABS, difference);
    return pfpu_build2(builder, PFPU_OP_WORD_ABOVE, number(builder, limit * scale), distance);
}

static int32_t above(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_ABOVE, a, b);
}

static int32_t close_to(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double size = 0;
    if (!builder->failed && made(builder, b)->op == PFPU_OP_NUMBER) {
        size = made(builder, b)->number;
    } else if (!builder->failed && made(builder, a)->op == PFPU_OP_NUMBER) {
        size = made(builder, a)->number;
    }
    return pfpu_select_close(builder, pfpu_build2(builder, PFPU_OP_WORD_FSUB, a, b), size, 1.0);
}

static int32_t from_table(struct pfpu_builder *builder, enum pfpu_op op, const int32_t *arguments)
{
    const struct pfpu_expansion *expansion = pfpu_expansion_of(op);
    return expansion != NULL ? pfpu_expand(builder, expansion, arguments) : PFPU_NO_VALUE;
}

/* What takes several operations, or none. */
static int32_t choose_several(struct pfpu_builder *builder, enum pfpu_op op,
                              const int32_t arguments[3])
{
    const int32_t a = arguments[0];
    const int32_t b = arguments[1];
    int32_t inside = 0;
    switch (op) {
    case PFPU_OP_COPY:
    case PFPU_OP_FILTER:
        return a;
    case PFPU_OP_SQR:
        return pfpu_build2(builder, PFPU_OP_WORD_FMUL, a, a);
    case PFPU_OP_DIV:
        return builder->plain ? pfpu_expand_thesis_divide(builder, a, b)
                              : from_table(builder, op, arguments);
    case PFPU_OP_NEG:
        return pfpu_select_negative(builder, a);
    case PFPU_OP_ABS:
        return positive(builder, a);
    case PFPU_OP_SQRT:
        inside = positive(builder, a);
        return builder->plain ? pfpu_expand_thesis_sqrt(builder, inside)
                              : from_table(builder, op, &inside);
    case PFPU_OP_INVSQRT:
        return builder->plain ? pfpu_expand_thesis_invsqrt(builder, a)
                              : from_table(builder, op, arguments);
    case PFPU_OP_ABOVE:
        return above(builder, a, b);
    case PFPU_OP_BELOW:
        return above(builder, b, a);
    case PFPU_OP_ABOVE_EQUAL:
        return pfpu_select_not(builder, above(builder, b, a));
    case PFPU_OP_BELOW_EQUAL:
        return pfpu_select_not(builder, above(builder, a, b));
    case PFPU_OP_EQUAL:
        return close_to(builder, a, b);
    case PFPU_OP_SAME:
        return pfpu_build2(builder, PFPU_OP_WORD_EQUAL, a, b);
    case PFPU_OP_NOT_EQUAL:
        return pfpu_select_not(builder, close_to(builder, a, b));
    case PFPU_OP_TRUTH:
        return pfpu_select_condition(builder, a);
    case PFPU_OP_NOT:
        return pfpu_select_not(builder, a);
    case PFPU_OP_AND:
    case PFPU_OP_BAND: {
        const int32_t second = pfpu_select_condition(builder, b);
        return choose_select(builder, a, second, number(builder, 0.0));
    }
    case PFPU_OP_OR:
    case PFPU_OP_BOR: {
        const int32_t second = pfpu_select_condition(builder, b);
        return choose_select(builder, a, number(builder, 1.0), second);
    }
    case PFPU_OP_SELECT:
        return choose_select(builder, a, b, arguments[2]);
    default:
        return from_table(builder, op, arguments);
    }
}

int32_t pfpu_select_operation(struct pfpu_builder *builder, enum pfpu_op op,
                              const int32_t arguments[3])
{
    /* The coprocessor's own operation that does just that, or PFPU_OP_WORD_NOP. */
    static const enum pfpu_op words[PFPU_OP_COUNT] = {
        [PFPU_OP_ADD] = PFPU_OP_WORD_FADD,      [PFPU_OP_SUB] = PFPU_OP_WORD_FSUB,
        [PFPU_OP_MUL] = PFPU_OP_WORD_FMUL,      [PFPU_OP_TABLE_SIN] = PFPU_OP_WORD_SIN,
        [PFPU_OP_TABLE_COS] = PFPU_OP_WORD_COS, [PFPU_OP_TRUNC] = PFPU_OP_WORD_F2I,
        [PFPU_OP_TO_FLOAT] = PFPU_OP_WORD_I2F,  [PFPU_OP_TAKE_SIGN] = PFPU_OP_WORD_TSIGN,
        [PFPU_OP_QUAKE] = PFPU_OP_WORD_QUAKE,
    };
    const enum pfpu_op word = words[op] != 0 ? words[op] : PFPU_OP_WORD_NOP;
    if (word != PFPU_OP_WORD_NOP) {
        return pfpu_ops[word].arity == 1 ? pfpu_build1(builder, word, arguments[0])
                                         : pfpu_build2(builder, word, arguments[0], arguments[1]);
    }
    return choose_several(builder, op, arguments);
}
