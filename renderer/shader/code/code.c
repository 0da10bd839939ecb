/* From the list of values to code: two or three operations that one of the executor does, the
 * program of the frame, that of the pixels with its jumps and carries, registers, and what the
 * whole costs.
 */
#include "renderer/shader/code/code.h"
#include "renderer/shader/code/order.h"

#include <assert.h>
#include <string.h>

/* Code being made. Until allocate_registers, registers and scalars are numbers, not yet
 * bytes, and there are as many registers as it takes. */
struct code_list {
    struct shader_code *list;
    size_t count;
    size_t capacity;
};

struct emission {
    struct base_arena arena; /* gone when the code is made */
    struct shader_program *program;
    const struct shader_ir *ir;
    shader_place *place;      /* of each value that has one, else SHADER_PLACE_NONE */
    shader_place (*parts)[4]; /* by value: where the components stand, if it is a read */
    uint16_t *op;        /* by value that computes or reads: enum shader_code_op, of all at once */
    shader_value *inner; /* by value: its operand that one operation computes together with it, or
                            SHADER_NO_VALUE */
    bool *both;          /* by value: so it does with both operands, of which inner is one */
    bool *fused;         /* by value: it is such an operand and has no code of its own */
    uint8_t *varies;     /* by value: enum varies, both where it is not known */
    struct code_list frame;
    struct code_list pixel;
    uint32_t registers;
    uint32_t scalars;
};

/* Whether a value is computed once per frame, by the frame program or before it. */
static bool is_scalar(const struct shader_instruction *instruction)
{
    return (instruction->uniform && shader_ops[instruction->op].result != SHADER_KIND_N) ||
           instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH ||
           instruction->op == SHADER_OP_UNIFORM;
}

/* Appends; what is returned is valid until the next one, NULL without memory. */
static struct shader_code *add_code(struct emission *emission, struct code_list *list,
                                    enum shader_code_op op)
{
    struct shader_code *grown = base_arena_grow(&emission->arena, list->list, &list->capacity,
                                                list->count + 1, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    list->list = grown;
    struct shader_code *code = &list->list[list->count++];
    *code = (struct shader_code){.op = (uint16_t)op};
    for (int i = 0; i < 4; i++) {
        code->result[i] = SHADER_PLACE_NONE;
        code->argument[i] = SHADER_PLACE_NONE;
    }
    return code;
}

/* Both tables have their namesakes in one order. */
_Static_assert(SHADER_CODE_SELECT - SHADER_CODE_ADD == SHADER_OP_SELECT - SHADER_OP_ADD,
               "operations that compute");
_Static_assert(SHADER_CODE_READ3_LOD - SHADER_CODE_READ2 == SHADER_OP_READ3_LOD - SHADER_OP_READ2,
               "operations that read");

/* What does the operation alone; of one that neither computes nor reads it has no meaning. */
static enum shader_code_op own_code(enum shader_op op)
{
    if (shader_op_reads(op)) {
        return (enum shader_code_op)(SHADER_CODE_READ2 + (op - SHADER_OP_READ2));
    }
    if (op >= SHADER_OP_ADD && op <= SHADER_OP_SELECT) {
        return (enum shader_code_op)(SHADER_CODE_ADD + (op - SHADER_OP_ADD));
    }
    return SHADER_CODE_SELECT; /* works on bits: CHOOSE too */
}

/* Operations that one of the executor does: the outer one, and what stands at an operand of it,
 * which may be two at once already. BOTH: the same at either. */
enum { BOTH = 2 };
struct fusion {
    uint8_t outer;
    uint8_t side; /* operand of the outer one */
    uint16_t inner;
    uint16_t op;
};
static const struct fusion fusions[] = {
    {SHADER_OP_ADD, 0, SHADER_CODE_MUL, SHADER_CODE_MUL_ADD},
    {SHADER_OP_ADD, 1, SHADER_CODE_MUL, SHADER_CODE_MUL_ADD},
    {SHADER_OP_ADD, BOTH, SHADER_CODE_MUL, SHADER_CODE_MUL_MUL_SUM},
    {SHADER_OP_SUB, 0, SHADER_CODE_MUL, SHADER_CODE_MUL_SUB},
    {SHADER_OP_SUB, 1, SHADER_CODE_MUL, SHADER_CODE_SUB_MUL},
    {SHADER_OP_SUB, BOTH, SHADER_CODE_MUL, SHADER_CODE_MUL_MUL_DIF},
    {SHADER_OP_MUL, 0, SHADER_CODE_MUL, SHADER_CODE_MUL_MUL},
    {SHADER_OP_MUL, 1, SHADER_CODE_MUL, SHADER_CODE_MUL_MUL},
    {SHADER_OP_MUL, 0, SHADER_CODE_SUB, SHADER_CODE_DIF_MUL},
    {SHADER_OP_MUL, 1, SHADER_CODE_SUB, SHADER_CODE_DIF_MUL},
    {SHADER_OP_MUL, 0, SHADER_CODE_ADD, SHADER_CODE_ADD_MUL},
    {SHADER_OP_MUL, 1, SHADER_CODE_ADD, SHADER_CODE_ADD_MUL},
    {SHADER_OP_ADD, 0, SHADER_CODE_ADD, SHADER_CODE_ADD_ADD},
    {SHADER_OP_ADD, 1, SHADER_CODE_ADD, SHADER_CODE_ADD_ADD},
    {SHADER_OP_MIN, 0, SHADER_CODE_MAX, SHADER_CODE_CLAMP},
    {SHADER_OP_ADD, 0, SHADER_CODE_MUL_MUL, SHADER_CODE_MUL_MUL_ADD},
    {SHADER_OP_ADD, 1, SHADER_CODE_MUL_MUL, SHADER_CODE_MUL_MUL_ADD},
    {SHADER_OP_ADD, 0, SHADER_CODE_ADD_MUL, SHADER_CODE_ADD_MUL_ADD},
    {SHADER_OP_ADD, 1, SHADER_CODE_ADD_MUL, SHADER_CODE_ADD_MUL_ADD},
    {SHADER_OP_ADD, 0, SHADER_CODE_DIF_MUL, SHADER_CODE_DIF_MUL_ADD},
    {SHADER_OP_ADD, 1, SHADER_CODE_DIF_MUL, SHADER_CODE_DIF_MUL_ADD},
    {SHADER_OP_ADD, 0, SHADER_CODE_MUL_ADD, SHADER_CODE_MUL_ADD_ADD},
    {SHADER_OP_ADD, 1, SHADER_CODE_MUL_ADD, SHADER_CODE_MUL_ADD_ADD},
    {SHADER_OP_SUB, 0, SHADER_CODE_MUL_ADD, SHADER_CODE_MUL_ADD_SUB},
    {SHADER_OP_MUL, 0, SHADER_CODE_MUL_ADD, SHADER_CODE_MUL_ADD_MUL},
    {SHADER_OP_MUL, 1, SHADER_CODE_MUL_ADD, SHADER_CODE_MUL_ADD_MUL},
};

static const struct fusion *fusion_of(enum shader_op outer, unsigned side, unsigned inner)
{
    for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++) {
        if (fusions[i].outer == outer && fusions[i].inner == inner && fusions[i].side == side) {
            return &fusions[i];
        }
    }
    return NULL;
}

/* Of what a fusion needs to know. */
struct uses {
    uint32_t *count;  /* by value: how often it is used */
    uint32_t *region; /* by value: its part or loop, by the marker that begins it */
};

/* An operand is computed with its only user, in the same part or loop. Of two operands that would
 * do, and not both at once, it is the later one: the one whose result need not wait. */
static void fuse(struct emission *emission, shader_value value, const struct uses *uses)
{
    const struct shader_instruction *list = emission->ir->list;
    const enum shader_op op = list[value].op;
    const struct fusion *best = NULL;
    bool mergeable[2];
    for (unsigned side = 0; side < 2; side++) {
        const shader_value operand = list[value].argument[side];
        mergeable[side] = uses->count[operand] == 1 &&
                          uses->region[operand] == uses->region[value] &&
                          !is_scalar(&list[operand]);
        const struct fusion *fusion =
            mergeable[side] ? fusion_of(op, side, emission->op[operand]) : NULL;
        if (fusion != NULL && (best == NULL || operand > emission->inner[value])) {
            best = fusion;
            emission->inner[value] = operand;
        }
    }
    if (best == NULL) {
        return;
    }
    const shader_value *sides = list[value].argument;
    const bool alike = emission->op[sides[0]] == emission->op[sides[1]];
    const struct fusion *both = fusion_of(op, BOTH, emission->op[sides[0]]);
    emission->both[value] = mergeable[0] && mergeable[1] && alike && both != NULL;
    emission->op[value] = emission->both[value] ? both->op : best->op;
    for (unsigned side = 0; side < 2; side++) {
        emission->fused[sides[side]] |=
            emission->both[value] || sides[side] == emission->inner[value];
    }
}

/* Peephole fusion: sets op, inner, both and fused. False without memory. */
static bool fuse_operations(struct emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    const struct shader_instruction *list = ir->list;
    struct base_arena *arena = &emission->arena;
    const struct uses uses = {base_arena_array(arena, ir->count, sizeof *uses.count),
                              base_arena_array(arena, ir->count, sizeof *uses.region)};
    uint32_t *outer = base_arena_array(arena, ir->count + 1, sizeof *outer);
    if (uses.count == NULL || uses.region == NULL || outer == NULL) {
        return false;
    }
    size_t depth = 0;
    uint32_t current = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const enum shader_op op = list[i].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            outer[depth++] = current;
        }
        if (op == SHADER_OP_IF || op == SHADER_OP_ELSE || op == SHADER_OP_LOOP) {
            current = (uint32_t)i + 1;
        } else if (op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            current = outer[--depth];
        }
        uses.region[i] = current;
        for (size_t k = 0; k < shader_op_arity(op); k++) {
            uses.count[list[i].argument[k]]++;
        }
    }
    for (int i = 0; i < 3; i++) {
        uses.count[ir->ret[i]]++;
    }
    for (shader_value value = 0; value < ir->count; value++) {
        emission->op[value] = (uint16_t)own_code(list[value].op);
        if (!is_scalar(&list[value]) && strcmp(shader_ops[list[value].op].arguments, "FF") == 0) {
            fuse(emission, value, &uses);
        }
    }
    return true;
}

/* With what a value changes from pixel to pixel. */
enum varies { VARIES_ACROSS = 1, VARIES_DOWN = 2 };

static enum varies input_varies(enum shader_stage stage, enum shader_input input)
{
    /* The places of the pixels themselves; warp has those of the mesh besides. */
    if (input == (stage == SHADER_COMP ? SHADER_INPUT_U : SHADER_INPUT_U_ORIG)) {
        return VARIES_ACROSS;
    }
    if (input == (stage == SHADER_COMP ? SHADER_INPUT_V : SHADER_INPUT_V_ORIG)) {
        return VARIES_DOWN;
    }
    return VARIES_ACROSS | VARIES_DOWN;
}

/* Sets varies. A part that is left out for a tile is not used by it; carries are not followed. */
static void find_variation(const struct emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    for (size_t i = 0; i < ir->count; i++) {
        const struct shader_instruction *value = &ir->list[i];
        unsigned varies = 0;
        if (value->op == SHADER_OP_INPUT) {
            varies = input_varies(emission->program->stage, (enum shader_input)value->index);
        } else if (shader_op_carries(value->op)) {
            varies = VARIES_ACROSS | VARIES_DOWN;
        } else {
            for (size_t k = 0; k < shader_op_arity(value->op); k++) {
                varies |= emission->varies[value->argument[k]];
            }
        }
        emission->varies[i] = (uint8_t)varies;
    }
}

/* What the one operation that computes the value takes; returns how many. */
static size_t operands_of(const struct emission *emission, shader_value value,
                          shader_value operands[4])
{
    const struct shader_instruction *instruction = &emission->ir->list[value];
    const shader_value inner = emission->inner[value];
    const shader_value *sides = instruction->argument;
    if (inner == SHADER_NO_VALUE) {
        memcpy(operands, sides, sizeof instruction->argument);
        return shader_op_arity(instruction->op);
    }
    if (emission->both[value]) {
        const size_t first = operands_of(emission, sides[0], operands);
        return first + operands_of(emission, sides[1], operands + first);
    }
    const size_t count = operands_of(emission, inner, operands);
    operands[count] = sides[0] == inner ? sides[1] : sides[0];
    return count + 1;
}

/* The code of a value that computes or reads, its operands placed; sets its place or parts. */
static bool emit_computation(struct emission *emission, struct code_list *list, shader_value value,
                             shader_place (*new_place)(struct emission *))
{
    const struct shader_instruction *instruction = &emission->ir->list[value];
    const enum shader_op op = instruction->op;
    const bool reads = shader_op_reads(op);
    shader_value arguments[4 + SHADER_ARGUMENTS];
    const size_t count = operands_of(emission, value, arguments);
    struct shader_code *code = add_code(emission, list, (enum shader_code_op)emission->op[value]);
    if (code == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        code->argument[i] = emission->place[arguments[i]];
        assert(code->argument[i] != SHADER_PLACE_NONE);
    }
    if (!reads) {
        code->result[0] = emission->place[value] = new_place(emission);
        return true;
    }
    code->index = instruction->index;
    code->grid = (emission->varies[arguments[0]] & VARIES_DOWN) == 0 &&
                 (emission->varies[arguments[1]] & VARIES_ACROSS) == 0;
    for (int i = 0; i < 4; i++) {
        if (emission->parts[value][i] != SHADER_PLACE_NONE) {
            code->result[i] = emission->parts[value][i] = new_place(emission);
        }
    }
    return true;
}

static shader_place new_scalar(struct emission *emission)
{
    return SHADER_PLACE_SCALAR | emission->scalars++;
}

static bool is_number(const struct shader_instruction *instruction)
{
    return instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH;
}

/* The program's numbers: those of the list by their bits, equal ones once. */
static bool emit_numbers(struct emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    size_t count = 0;
    for (size_t i = 0; i < ir->count; i++) {
        count += is_number(&ir->list[i]) ? 1 : 0;
    }
    size_t slots = 16; /* of a hash table, a power of two */
    while (slots < 2 * count) {
        slots *= 2;
    }
    /* Each slot holds 1 + the number's index, or 0. */
    uint32_t *table = base_arena_array(&emission->arena, slots, sizeof *table);
    uint32_t *numbers = base_arena_array(&emission->arena, count, sizeof *numbers);
    size_t made = 0;
    if (table == NULL || numbers == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (!is_number(&ir->list[i])) {
            continue;
        }
        uint32_t bits = ir->list[i].number != 0 ? UINT32_MAX : 0;
        if (ir->list[i].op == SHADER_OP_CONST) {
            memcpy(&bits, &ir->list[i].number, sizeof bits);
        }
        size_t at = (bits * UINT32_C(2654435769) >> 8) & (slots - 1);
        while (table[at] != 0 && numbers[table[at] - 1] != bits) {
            at = (at + 1) & (slots - 1);
        }
        if (table[at] == 0) {
            numbers[made] = bits;
            table[at] = (uint32_t)++made;
        }
        emission->place[i] = SHADER_PLACE_SCALAR | (table[at] - 1);
    }
    float *kept = base_arena_array(&program->arena, made, sizeof *kept);
    if (kept == NULL) {
        return false;
    }
    if (made > 0) {
        memcpy(kept, numbers, made * sizeof *kept);
    }
    program->numbers = kept;
    program->number_count = made;
    emission->scalars = (uint32_t)made;
    return true;
}

/* Scalars of uniforms, and the frame program. */
static bool emit_frame(struct emission *emission)
{
    enum { INDICES = SHADER_SLOTS + 4 * SHADER_TEXTURES_MAX };
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    shader_place places[INDICES];
    memset(places, 0xFF, sizeof places); /* SHADER_PLACE_NONE */
    program->uniforms = base_arena_array(&program->arena, INDICES, sizeof *program->uniforms);
    if (program->uniforms == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->list[i].op != SHADER_OP_UNIFORM) {
            continue;
        }
        const uint16_t index = ir->list[i].index;
        if (places[index] == SHADER_PLACE_NONE) {
            places[index] = new_scalar(emission);
            const uint32_t scalar = places[index] & ~SHADER_PLACE_SCALAR;
            program->uniforms[program->uniform_count++] =
                (struct shader_uniform_place){index, scalar};
        }
        emission->place[i] = places[index];
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct shader_instruction *instruction = &ir->list[i];
        if (!is_scalar(instruction) || emission->place[i] != SHADER_PLACE_NONE) {
            continue;
        }
        if (instruction->op == SHADER_OP_PART) {
            emission->place[i] = emission->parts[instruction->argument[0]][instruction->index];
        } else if (!emit_computation(emission, &emission->frame, (shader_value)i, new_scalar)) {
            return false;
        }
    }
    return true;
}

/* ---- the pixel program: jumps of parts and loops, carries ---- */

/* A part or a loop that is open. Jumps are numbers of instructions plus one; 0: none. */
struct region {
    shader_value marker; /* IF or LOOP */
    size_t none;         /* IF: the jump over its part; LOOP: the last of the jumps out of it, whose
                            targets lead to the ones before */
    size_t all;          /* the jump over the part of ELSE */
    size_t start;        /* LOOP: first instruction of a round */
    size_t carries;
    shader_place mask;
};

struct walk {
    struct emission *emission;
    struct code_list *code;
    struct region *stack;
    size_t depth;
};

static shader_place new_register(struct emission *emission)
{
    return emission->registers++;
}

static bool emit_copy(struct walk *walk, shader_place to, shader_place from)
{
    struct shader_code *copy = add_code(walk->emission, walk->code, SHADER_CODE_COPY);
    if (copy == NULL) {
        return false;
    }
    copy->result[0] = to;
    copy->argument[0] = from;
    return true;
}

/* The jump's number plus one, or 0 without memory. */
static size_t emit_jump(struct walk *walk, enum shader_code_op op, shader_place truth)
{
    struct shader_code *jump = add_code(walk->emission, walk->code, op);
    if (jump == NULL) {
        return 0;
    }
    jump->argument[0] = truth;
    return walk->code->count;
}

static void set_target(const struct walk *walk, size_t jump, size_t target)
{
    walk->code->list[jump - 1].target = (uint32_t)target;
}

static shader_place place_of(const struct walk *walk, shader_value value)
{
    const shader_place place = walk->emission->place[value];
    assert(place != SHADER_PLACE_NONE);
    return place;
}

/* Whether nothing came behind the jump; then the jump goes too. */
static bool drop_empty(struct walk *walk, size_t *jump)
{
    if (*jump == 0 || *jump != walk->code->count) {
        return false;
    }
    walk->code->count--;
    *jump = 0;
    return true;
}

/* A jump to behind the loop when no pixel is left in it. */
static bool emit_exit(struct walk *walk, struct region *region)
{
    const size_t jump = emit_jump(walk, SHADER_CODE_JUMP_NONE, region->mask);
    if (jump == 0) {
        return false;
    }
    set_target(walk, jump, region->none);
    region->none = jump;
    return true;
}

static bool open_loop(struct walk *walk, shader_value marker)
{
    const struct shader_ir *ir = walk->emission->ir;
    const shader_value entering = ir->list[marker].argument[0];
    struct region *region = &walk->stack[walk->depth++];
    *region = (struct region){.marker = marker, .mask = new_register(walk->emission)};
    if (!emit_copy(walk, region->mask, place_of(walk, entering))) {
        return false;
    }
    for (size_t i = marker + 1; i < ir->count && shader_op_carries(ir->list[i].op); i++) {
        const shader_place carry = new_register(walk->emission);
        if (!emit_copy(walk, carry, place_of(walk, ir->list[i].argument[0]))) {
            return false;
        }
        walk->emission->place[i] = carry;
        region->carries++;
    }
    const bool certain = ir->list[entering].op == SHADER_OP_TRUTH && ir->list[entering].number != 0;
    if (!certain && !emit_exit(walk, region)) {
        return false;
    }
    region->start = walk->code->count;
    return true;
}

/* The carries of a loop all change at once. One may be written when no other is still to be made
 * from what it holds; where they go round in a ring, one is kept aside first. */
struct change {
    shader_value first; /* carry */
    size_t count;
    uint32_t *readers;   /* per carry: others that wait for what it holds */
    shader_place *saved; /* what it held, when it had to be kept aside */
    uint32_t *ready;     /* carries without readers, still to be written */
    size_t ready_count;
};

/* The carry of the same loop whose value the carry takes on; count: none. */
static size_t source_of(const struct walk *walk, const struct change *change, size_t carry)
{
    const shader_value next = walk->emission->ir->list[change->first + carry].argument[1];
    const bool inside = next >= change->first && next < change->first + change->count;
    return inside ? next - change->first : change->count;
}

static bool write_ready(struct walk *walk, struct change *change)
{
    while (change->ready_count > 0) {
        const size_t carry = change->ready[--change->ready_count];
        const shader_value value = change->first + (shader_value)carry;
        const shader_value next = walk->emission->ir->list[value].argument[1];
        const size_t source = source_of(walk, change, carry);
        if (source == carry) {
            continue;
        }
        struct shader_code *code = add_code(walk->emission, walk->code, SHADER_CODE_SELECT);
        if (code == NULL) {
            return false;
        }
        code->result[0] = place_of(walk, value);
        code->argument[0] = walk->stack[walk->depth - 1].mask;
        code->argument[1] = place_of(walk, next);
        code->argument[2] = place_of(walk, value);
        if (source == change->count) {
            continue;
        }
        if (change->saved[source] != SHADER_PLACE_NONE) {
            code->argument[1] = change->saved[source];
        } else if (--change->readers[source] == 0) {
            change->ready[change->ready_count++] = (uint32_t)source;
        }
    }
    return true;
}

static bool close_loop(struct walk *walk, const struct region *region)
{
    struct base_arena *arena = &walk->emission->arena;
    struct change change = {
        .first = region->marker + 1,
        .count = region->carries,
        .readers = base_arena_array(arena, region->carries, sizeof *change.readers),
        .saved = base_arena_array(arena, region->carries, sizeof *change.saved),
        .ready = base_arena_array(arena, region->carries, sizeof *change.ready),
    };
    if (change.readers == NULL || change.saved == NULL || change.ready == NULL) {
        return false;
    }
    for (size_t i = 0; i < change.count; i++) {
        change.saved[i] = SHADER_PLACE_NONE;
        const size_t source = source_of(walk, &change, i);
        if (source < change.count && source != i) {
            change.readers[source]++;
        }
    }
    for (size_t i = 0; i < change.count; i++) {
        if (change.readers[i] == 0) {
            change.ready[change.ready_count++] = (uint32_t)i;
        }
    }
    if (!write_ready(walk, &change)) {
        return false;
    }
    for (size_t i = 0; i < change.count; i++) {
        if (change.readers[i] == 0) {
            continue;
        }
        change.saved[i] = new_register(walk->emission);
        change.readers[i] = 0;
        change.ready[change.ready_count++] = (uint32_t)i;
        if (!emit_copy(walk, change.saved[i], place_of(walk, change.first + (shader_value)i)) ||
            !write_ready(walk, &change)) {
            return false;
        }
    }
    walk->depth--;
    const size_t end = emit_jump(walk, SHADER_CODE_ROUND_END, region->mask);
    if (end == 0) {
        return false;
    }
    set_target(walk, end, region->start);
    for (size_t exit = region->none; exit != 0;) {
        const size_t before = walk->code->list[exit - 1].target;
        set_target(walk, exit, walk->code->count);
        exit = before;
    }
    return true;
}

static bool emit_value(struct walk *walk, shader_value value)
{
    struct emission *emission = walk->emission;
    const struct shader_ir *ir = emission->ir;
    const struct shader_instruction *instruction = &ir->list[value];
    struct region *region = walk->depth > 0 ? &walk->stack[walk->depth - 1] : NULL;
    struct shader_code *code;
    switch (instruction->op) {
    case SHADER_OP_IF:
        region = &walk->stack[walk->depth++];
        *region = (struct region){.marker = value};
        region->none =
            emit_jump(walk, SHADER_CODE_JUMP_NONE, place_of(walk, instruction->argument[0]));
        return region->none != 0;
    case SHADER_OP_ELSE:
        (void)drop_empty(walk, &region->none);
        region->all = emit_jump(walk, SHADER_CODE_JUMP_ALL,
                                place_of(walk, ir->list[region->marker].argument[0]));
        if (region->none != 0) {
            set_target(walk, region->none, walk->code->count);
        }
        return region->all != 0;
    case SHADER_OP_ENDIF:
        walk->depth--;
        if (region->all != 0 && !drop_empty(walk, &region->all)) {
            set_target(walk, region->all, walk->code->count);
        } else if (region->none != 0 && !drop_empty(walk, &region->none)) {
            set_target(walk, region->none, walk->code->count);
        }
        return true;
    case SHADER_OP_LOOP:
        return open_loop(walk, value);
    case SHADER_OP_WHILE:
        code = add_code(emission, walk->code, SHADER_CODE_AND);
        if (code == NULL) {
            return false;
        }
        code->result[0] = region->mask;
        code->argument[0] = region->mask;
        code->argument[1] = place_of(walk, instruction->argument[0]);
        return emit_exit(walk, region);
    case SHADER_OP_ENDLOOP:
        return close_loop(walk, region);
    case SHADER_OP_CARRY:
    case SHADER_OP_CARRY_TRUTH:
        return true;
    case SHADER_OP_INPUT:
        emission->place[value] = (shader_place)emission->program->input[instruction->index];
        return true;
    case SHADER_OP_PART:
        emission->place[value] = emission->parts[instruction->argument[0]][instruction->index];
        return true;
    default:
        return emit_computation(emission, walk->code, value, new_register);
    }
}

static bool emit_pixel(struct emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    size_t regions = 0;
    for (size_t i = 0; i < ir->count; i++) {
        regions += ir->list[i].op == SHADER_OP_IF || ir->list[i].op == SHADER_OP_LOOP ? 1 : 0;
    }
    struct walk walk = {
        .emission = emission,
        .code = &emission->pixel,
        .stack = base_arena_array(&emission->arena, regions, sizeof *walk.stack),
    };
    if (walk.stack == NULL) {
        return false;
    }
    struct shader_program *program = emission->program;
    for (int i = 0; i < SHADER_INPUTS; i++) {
        program->input[i] = -1;
    }
    for (size_t i = 0; i < ir->count; i++) { /* inputs have the first registers */
        if (ir->list[i].op == SHADER_OP_INPUT && program->input[ir->list[i].index] < 0) {
            program->input[ir->list[i].index] = (int)new_register(emission);
        }
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (!is_scalar(&ir->list[i]) && !emission->fused[i] &&
            !emit_value(&walk, (shader_value)i)) {
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        program->ret[i] = place_of(&walk, ir->ret[i]);
        if ((program->ret[i] & SHADER_PLACE_SCALAR) != 0) {
            const shader_place to = new_register(emission);
            if (!emit_copy(&walk, to, program->ret[i])) {
                return false;
            }
            program->ret[i] = to;
        }
    }
    return true;
}

/* ---- registers ---- */

/* Register allocation by linear scan: registers are given out in one walk over the code. Code jumps
 * backward at the end of loops only: what is made before a loop and used in it is kept up to the
 * loop's end. A jump forward leaves out instructions and never needs a register to be kept longer.
 */

#define NOWHERE UINT32_MAX

/* Of each register of the code so far: its first and last instruction. */
struct life {
    uint32_t start;
    uint32_t end;
    uint32_t next;  /* another one with the same end */
    uint32_t given; /* register, or NOWHERE until it starts */
    bool over;
};

struct loop {
    uint32_t start;
    uint32_t end;
    uint32_t outer;
};

struct allocation {
    struct emission *emission;
    struct shader_code *code;
    uint32_t count;
    struct life *lives;
    uint32_t *ending; /* per instruction: the first of the lives that end there */
    uint32_t *free;   /* registers, the last one first */
    size_t free_count;
    uint32_t registers;
};

static void see(struct allocation *allocation, shader_place place, uint32_t at)
{
    if (shader_is_register(place)) {
        struct life *life = &allocation->lives[place];
        life->start = life->start == NOWHERE ? at : life->start;
        life->end = at;
    }
}

/* The innermost loop of each instruction, from the last one back. */
static bool find_loops(struct allocation *allocation, struct loop **loops, uint32_t *loop_at)
{
    size_t count = 0;
    for (uint32_t at = 0; at < allocation->count; at++) {
        count += allocation->code[at].op == SHADER_CODE_ROUND_END ? 1 : 0;
    }
    *loops = base_arena_array(&allocation->emission->arena, count, sizeof **loops);
    if (*loops == NULL) {
        return false;
    }
    uint32_t made = 0;
    uint32_t current = NOWHERE;
    for (uint32_t at = allocation->count; at-- > 0;) {
        if (allocation->code[at].op == SHADER_CODE_ROUND_END) {
            (*loops)[made] = (struct loop){allocation->code[at].target, at, current};
            current = made++;
        }
        loop_at[at] = current;
        while (current != NOWHERE && (*loops)[current].start == at) {
            current = (*loops)[current].outer;
        }
    }
    loop_at[allocation->count] = NOWHERE;
    return true;
}

/* The lives of all registers, and which of them end where. */
static bool find_lives(struct allocation *allocation)
{
    const struct shader_program *program = allocation->emission->program;
    struct loop *loops;
    uint32_t *loop_at = base_arena_array(&allocation->emission->arena,
                                         (size_t)allocation->count + 1, sizeof *loop_at);
    if (loop_at == NULL || !find_loops(allocation, &loops, loop_at)) {
        return false;
    }
    for (uint32_t i = 0; i < allocation->emission->registers; i++) {
        allocation->lives[i] = (struct life){NOWHERE, 0, NOWHERE, NOWHERE, false};
    }
    for (int i = 0; i < SHADER_INPUTS; i++) {
        if (program->input[i] >= 0) {
            see(allocation, (shader_place)program->input[i], 0);
        }
    }
    for (uint32_t at = 0; at < allocation->count; at++) {
        allocation->ending[at] = NOWHERE;
        for (int k = 0; k < 4; k++) {
            see(allocation, allocation->code[at].argument[k], at);
            see(allocation, allocation->code[at].result[k], at);
        }
    }
    allocation->ending[allocation->count] = NOWHERE;
    for (int i = 0; i < 3; i++) {
        see(allocation, program->ret[i], allocation->count);
    }
    for (uint32_t i = 0; i < allocation->emission->registers; i++) {
        struct life *life = &allocation->lives[i];
        if (life->start == NOWHERE) {
            continue;
        }
        for (uint32_t loop = loop_at[life->end]; loop != NOWHERE && life->start < loops[loop].start;
             loop = loops[loop].outer) {
            life->end = loops[loop].end;
        }
        life->next = allocation->ending[life->end];
        allocation->ending[life->end] = i;
    }
    return true;
}

static void give(struct allocation *allocation, shader_place *place)
{
    if (!shader_is_register(*place)) {
        return;
    }
    struct life *life = &allocation->lives[*place];
    if (life->given == NOWHERE) {
        life->given = allocation->free_count > 0 ? allocation->free[--allocation->free_count]
                                                 : allocation->registers++;
    }
    *place = life->given * (uint32_t)SHADER_REGISTER_SIZE;
}

/* Takes back the registers of the lives that end here. */
static void take_back(struct allocation *allocation, uint32_t at)
{
    for (uint32_t i = allocation->ending[at]; i != NOWHERE; i = allocation->lives[i].next) {
        struct life *life = &allocation->lives[i];
        if (life->given != NOWHERE && !life->over) {
            life->over = true;
            allocation->free[allocation->free_count++] = life->given;
        }
    }
}

/* Copies whose two registers became one go; targets move with the code. */
static bool drop_copies(struct allocation *allocation)
{
    uint32_t *moved = base_arena_array(&allocation->emission->arena, (size_t)allocation->count + 1,
                                       sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t at = 0; at < allocation->count; at++) {
        moved[at] = kept;
        const struct shader_code *code = &allocation->code[at];
        if (code->op != SHADER_CODE_COPY || code->result[0] != code->argument[0]) {
            allocation->code[kept++] = *code;
        }
    }
    moved[allocation->count] = kept;
    for (uint32_t at = 0; at < kept; at++) {
        if (allocation->code[at].op >= SHADER_CODE_JUMP_NONE) {
            allocation->code[at].target = moved[allocation->code[at].target];
        }
    }
    allocation->emission->pixel.count = kept;
    return true;
}

/* Few registers for many, in bytes; sets program->registers, input and ret. */
static bool allocate_registers(struct emission *emission)
{
    struct base_arena *arena = &emission->arena;
    struct shader_program *program = emission->program;
    const size_t many = emission->registers;
    struct allocation allocation = {
        .emission = emission,
        .code = emission->pixel.list,
        .count = (uint32_t)emission->pixel.count,
        .lives = base_arena_array(arena, many, sizeof *allocation.lives),
        .ending = base_arena_array(arena, emission->pixel.count + 1, sizeof *allocation.ending),
        .free = base_arena_array(arena, many, sizeof *allocation.free),
    };
    if (arena->failed) {
        return false;
    }
    if (!find_lives(&allocation)) {
        return false;
    }
    for (int i = 0; i < SHADER_INPUTS; i++) {
        if (program->input[i] >= 0) {
            shader_place place = (shader_place)program->input[i];
            give(&allocation, &place);
            program->input[i] = (int)(place / SHADER_REGISTER_SIZE);
        }
    }
    for (uint32_t at = 0; at < allocation.count; at++) {
        struct shader_code *code = &allocation.code[at];
        for (int k = 0; k < 4; k++) {
            give(&allocation, &code->argument[k]);
        }
        take_back(&allocation, at); /* results may stand where arguments do */
        for (int k = 0; k < 4; k++) {
            give(&allocation, &code->result[k]);
        }
        take_back(&allocation, at);
    }
    for (int i = 0; i < 3; i++) {
        give(&allocation, &program->ret[i]);
    }
    program->registers = allocation.registers;
    return drop_copies(&allocation);
}

/* ---- the whole ---- */

static struct shader_code *keep(struct base_arena *arena, const struct code_list *list)
{
    struct shader_code *kept = base_arena_array(arena, list->count, sizeof *kept);
    if (kept != NULL && list->count > 0) {
        memcpy(kept, list->list, list->count * sizeof *kept);
    }
    return kept;
}

static void scale_scalar(shader_place *place, size_t start)
{
    if (*place != SHADER_PLACE_NONE && !shader_is_register(*place)) {
        *place = (shader_place)(start + (*place & ~SHADER_PLACE_SCALAR) * SHADER_SCALAR_SIZE);
    }
}

/* Numbers of scalars to bytes, from `start` on, where the code can tell them from registers;
 * arguments that are not there to place 0, which exists. */
static void scale_scalars(struct code_list *list, size_t start)
{
    for (size_t i = 0; i < list->count; i++) {
        struct shader_code *code = &list->list[i];
        for (int k = 0; k < 4; k++) {
            if (code->argument[k] == SHADER_PLACE_NONE) {
                code->argument[k] = 0;
            } else if (start > 0 && !shader_is_register(code->argument[k])) {
                code->equal |= (uint8_t)(1 << k);
            }
            scale_scalar(&code->argument[k], start);
            scale_scalar(&code->result[k], start);
        }
    }
}

static void add_costs(struct code_list *list)
{
    static const uint32_t costs[SHADER_CODE_COUNT] = {
#define SHADER_CODE(NAME, name, arguments, cost) cost,
#include "renderer/shader/code/code.def"
    };
    uint32_t sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        sum += costs[list->list[i].op];
        list->list[i].cost = sum;
    }
}

/* Loops are taken to have this many rounds. What it takes to begin an instruction is in tenths of a
 * nanosecond for SHADER_LANES pixels, as the costs of ops.def (tests/speed_shader.c measures). */
enum { ROUNDS = 8, BEGINNING = 3 };

static void count_stats(const struct emission *emission, struct shader_stats *stats)
{
    const struct shader_ir *ir = emission->ir;
    double tenths = 0;
    double weight = 1;
    for (size_t i = 0; i < ir->count; i++) {
        const struct shader_instruction *instruction = &ir->list[i];
        if (is_scalar(instruction)) {
            continue;
        }
        if (instruction->op == SHADER_OP_LOOP) {
            weight *= ROUNDS;
            stats->loops++;
        }
        const double cost = shader_ops[instruction->op].cost;
        if (cost > 0) {
            tenths += weight * (emission->fused[i] ? cost / 2 : cost + BEGINNING);
        }
        stats->reads += shader_op_reads(instruction->op) ? 1 : 0;
        if (instruction->op == SHADER_OP_ENDLOOP) {
            weight /= ROUNDS;
        }
    }
    stats->ms_per_megapixel = tenths * 1e-7 / SHADER_LANES * 1e6;
    stats->operations = emission->pixel.count;
    stats->frame_operations = emission->frame.count;
    stats->registers = emission->program->registers;
}

bool shader_emit(struct shader_program *program)
{
    const struct shader_ir *ir = &program->ir;
    struct emission emission = {.program = program, .ir = ir};
    struct base_arena *arena = &emission.arena;
    emission.place = base_arena_array(arena, ir->count, sizeof *emission.place);
    emission.parts = base_arena_array(arena, ir->count, sizeof *emission.parts);
    emission.op = base_arena_array(arena, ir->count, sizeof *emission.op);
    emission.inner = base_arena_array(arena, ir->count, sizeof *emission.inner);
    emission.both = base_arena_array(arena, ir->count, sizeof *emission.both);
    emission.fused = base_arena_array(arena, ir->count, sizeof *emission.fused);
    emission.varies = base_arena_array(arena, ir->count, sizeof *emission.varies);
    bool done = !arena->failed;
    for (size_t i = 0; done && i < ir->count; i++) {
        emission.place[i] = SHADER_PLACE_NONE;
        emission.inner[i] = SHADER_NO_VALUE;
        for (int part = 0; part < 4; part++) {
            emission.parts[i][part] = SHADER_PLACE_NONE;
        }
    }
    for (size_t i = 0; done && i < ir->count; i++) {
        if (ir->list[i].op == SHADER_OP_PART) {
            /* Wanted: marked by a place that is not none. */
            emission.parts[ir->list[i].argument[0]][ir->list[i].index] = 0;
        }
    }
    if (done) {
        find_variation(&emission);
    }
    done = done && fuse_operations(&emission) && emit_numbers(&emission) && emit_frame(&emission) &&
           emit_pixel(&emission) &&
           shader_order(arena, emission.pixel.list, emission.pixel.count, emission.registers,
                        program->ret) &&
           allocate_registers(&emission);
    if (done) {
        count_stats(&emission, &program->stats);
        scale_scalars(&emission.frame, 0);
        scale_scalars(&emission.pixel, program->registers * SHADER_REGISTER_SIZE);
        add_costs(&emission.frame);
        add_costs(&emission.pixel);
        program->scalars = emission.scalars;
        program->frame = keep(&program->arena, &emission.frame);
        program->frame_count = emission.frame.count;
        program->pixel = keep(&program->arena, &emission.pixel);
        program->pixel_count = emission.pixel.count;
        done = program->frame != NULL && program->pixel != NULL;
    }
    base_arena_free(&emission.arena);
    return done;
}
