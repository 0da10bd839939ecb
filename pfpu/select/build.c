#include "pfpu/select/build.h"

enum { FIRST_TABLE = 256 };

void pfpu_builder_init(struct pfpu_builder *builder, struct pfpu_ir *ir, bool plain,
                       struct base_arena *arena, struct base_arena *scratch)
{
    *builder = (struct pfpu_builder){.ir = ir, .scratch = scratch, .plain = plain};
    pfpu_ir_init(ir, arena);
    builder->failed = pfpu_ir_open_block(ir) == PFPU_NO_VALUE;
}

/* The table's place for the instruction: of its equal, or free. */
static int32_t *place_of(const struct pfpu_builder *builder,
                         const struct pfpu_instruction *instruction)
{
    const size_t mask = builder->table_size - 1;
    size_t place = pfpu_instruction_hash(instruction) & mask;
    while (builder->table[place] != 0 &&
           !pfpu_instruction_same(&builder->ir->instructions[builder->table[place] - 1],
                                  instruction)) {
        place = (place + 1) & mask;
    }
    return &builder->table[place];
}

static uint8_t facts_of(const struct pfpu_builder *builder,
                        const struct pfpu_instruction *instruction)
{
    const uint8_t a = builder->facts[instruction->arguments[0]];
    const uint8_t b = builder->facts[instruction->arguments[1]];
    switch (instruction->op) {
    case PFPU_OP_WORD_ABOVE:
    case PFPU_OP_WORD_EQUAL:
        return PFPU_FACT_POSITIVE | PFPU_FACT_BOOLEAN;
    case PFPU_OP_WORD_FABS:
    case PFPU_OP_WORD_QUAKE:
        return PFPU_FACT_POSITIVE;
    case PFPU_OP_NUMBER:
        return (uint8_t)((instruction->number >= 0 ? PFPU_FACT_POSITIVE : 0) |
                         (instruction->number == 0 || instruction->number == 1 ? PFPU_FACT_BOOLEAN
                                                                               : 0));
    case PFPU_OP_WORD_FMUL:
        return instruction->arguments[0] == instruction->arguments[1]
                   ? PFPU_FACT_POSITIVE
                   : (uint8_t)(a & b & PFPU_FACT_POSITIVE);
    case PFPU_OP_WORD_FADD:
        return (uint8_t)(a & b & PFPU_FACT_POSITIVE);
    case PFPU_OP_WORD_IF:
        return (uint8_t)(b & builder->facts[instruction->arguments[2]]);
    default:
        return 0;
    }
}

static int32_t append(struct pfpu_builder *builder, struct pfpu_instruction instruction)
{
    instruction.offset = builder->offset;
    uint8_t *facts = builder->facts;
    if (builder->ir->count == builder->fact_capacity) {
        facts = base_arena_grow(builder->scratch, facts, &builder->fact_capacity,
                                builder->ir->count + FIRST_TABLE, sizeof *facts);
    }
    builder->failed = builder->failed || facts == NULL;
    const int32_t value =
        builder->failed ? PFPU_NO_VALUE : pfpu_ir_append(builder->ir, instruction);
    builder->failed = value == PFPU_NO_VALUE;
    if (builder->failed) {
        return 0;
    }
    builder->facts = facts;
    facts[value] = facts_of(builder, &instruction);
    return value;
}

/* Numbers and GETs are made once in plain programs too: they are registers, not operations. */
static int32_t once(struct pfpu_builder *builder, struct pfpu_instruction instruction)
{
    if (!builder->failed && builder->table_size <= 2 * (builder->ir->count + 1)) {
        builder->table_size = builder->table_size == 0 ? FIRST_TABLE : 4 * builder->table_size;
        builder->table =
            base_arena_array(builder->scratch, builder->table_size, sizeof *builder->table);
        builder->failed = builder->table == NULL;
        for (size_t i = 0; !builder->failed && i < builder->ir->count; i++) {
            *place_of(builder, &builder->ir->instructions[i]) = (int32_t)i + 1;
        }
    }
    if (builder->failed) {
        return 0;
    }
    int32_t *place = place_of(builder, &instruction);
    if (*place != 0) {
        return *place - 1;
    }
    const int32_t value = append(builder, instruction);
    *place = builder->failed ? 0 : value + 1;
    return value;
}

int32_t pfpu_build_number(struct pfpu_builder *builder, double number)
{
    /* -0 would be true as a condition and below 0. */
    return once(builder, (struct pfpu_instruction){.op = PFPU_OP_NUMBER,
                                                   .number = number == 0 ? 0.0 : number});
}

int32_t pfpu_build_get(struct pfpu_builder *builder, int32_t key)
{
    return once(builder, (struct pfpu_instruction){.op = PFPU_OP_GET, .key = key});
}

void pfpu_build_set(struct pfpu_builder *builder, int32_t key, int32_t value)
{
    (void)append(builder, (struct pfpu_instruction){
                              .op = PFPU_OP_SET, .key = key, .arguments = {value, 0, 0}});
}

static bool is_number(const struct pfpu_builder *builder, int32_t value, double *number)
{
    if (builder->failed || builder->ir->instructions[value].op != PFPU_OP_NUMBER) {
        return false;
    }
    *number = builder->ir->instructions[value].number;
    return true;
}

static bool fold_numbers(enum pfpu_op op, double a, double b, double *result)
{
    switch (op) {
    case PFPU_OP_WORD_FADD:
        *result = a + b;
        return true;
    case PFPU_OP_WORD_FSUB:
        *result = a - b;
        return true;
    case PFPU_OP_WORD_FMUL:
        *result = a * b;
        return true;
    case PFPU_OP_WORD_ABOVE:
        *result = a > b ? 1.0 : 0.0;
        return true;
    case PFPU_OP_WORD_EQUAL:
        *result = a == b ? 1.0 : 0.0;
        return true;
    default:
        return false;
    }
}

/* The value that an operation gives without being run, or PFPU_NO_VALUE. */
static int32_t known(struct pfpu_builder *builder, enum pfpu_op op, int32_t a, int32_t b)
{
    double x = 0;
    double y = 0;
    double result = 0;
    const bool a_known = is_number(builder, a, &x);
    const bool b_known = is_number(builder, b, &y);
    if (a_known && b_known && fold_numbers(op, x, y, &result)) {
        return pfpu_build_number(builder, result);
    }
    const bool adds = op == PFPU_OP_WORD_FADD;
    const bool multiplies = op == PFPU_OP_WORD_FMUL;
    if (b_known && ((y == 0 && (adds || op == PFPU_OP_WORD_FSUB)) || (y == 1 && multiplies))) {
        return a;
    }
    if (a_known && ((x == 0 && adds) || (x == 1 && multiplies))) {
        return b;
    }
    if (multiplies && ((a_known && x == 0) || (b_known && y == 0))) {
        return pfpu_build_number(builder, 0.0);
    }
    return PFPU_NO_VALUE;
}

/* k1 * (k2 * x) is (k1 * k2) * x. */
static int32_t merge_factors(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double outer = 0;
    double inner = 0;
    if (!is_number(builder, a, &outer)) {
        return PFPU_NO_VALUE;
    }
    const struct pfpu_instruction *product = &builder->ir->instructions[b];
    if (product->op != PFPU_OP_WORD_FMUL || !is_number(builder, product->arguments[0], &inner)) {
        return PFPU_NO_VALUE;
    }
    const int32_t rest = product->arguments[1];
    return pfpu_build2(builder, PFPU_OP_WORD_FMUL, pfpu_build_number(builder, outer * inner), rest);
}

int32_t pfpu_build3(struct pfpu_builder *builder, enum pfpu_op op, int32_t a, int32_t b, int32_t c)
{
    const struct pfpu_instruction instruction = {.op = op, .arguments = {a, b, c}};
    return builder->plain ? append(builder, instruction) : once(builder, instruction);
}

int32_t pfpu_build2(struct pfpu_builder *builder, enum pfpu_op op, int32_t a, int32_t b)
{
    if (builder->plain || builder->failed) {
        return pfpu_build3(builder, op, a, b, 0);
    }
    int32_t value = known(builder, op, a, b);
    if (value != PFPU_NO_VALUE) {
        return value;
    }
    double number = 0;
    if ((op == PFPU_OP_WORD_FADD || op == PFPU_OP_WORD_FMUL || op == PFPU_OP_WORD_EQUAL) &&
        (is_number(builder, b, &number) || (a > b && !is_number(builder, a, &number)))) {
        const int32_t swapped = a;
        a = b;
        b = swapped;
    }
    value = op == PFPU_OP_WORD_FMUL ? merge_factors(builder, a, b) : PFPU_NO_VALUE;
    return value != PFPU_NO_VALUE ? value : pfpu_build3(builder, op, a, b, 0);
}

int32_t pfpu_build1(struct pfpu_builder *builder, enum pfpu_op op, int32_t a)
{
    return pfpu_build3(builder, op, a, 0, 0);
}
