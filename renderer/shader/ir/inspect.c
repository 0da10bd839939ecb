/* Looking at a list: the rules of ir.h, checked instruction by instruction, and the list as text,
 * for tests and for whoever reads what became of a shader. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "renderer/shader/ir/ir.h"

/* ---- the rules ---- */

enum { MESSAGE = 160 };

/* The whole list (number 0), a part of an IF, or a loop. */
struct section {
    uint32_t parent;
    shader_value begin;     /* IF or LOOP */
    shader_value condition; /* without NOTs */
    bool holds;             /* condition for which this part runs */
    bool loop;
    bool second; /* behind ELSE */
    bool open;
    bool has_while;
};

struct verifier {
    const struct shader_ir *ir;
    struct base_arena scratch;
    struct section *sections;
    size_t count;
    uint32_t now;
    uint32_t *section; /* of each value */
    char message[MESSAGE];
};

static bool complain(struct verifier *verifier, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verifier->message, sizeof verifier->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool has_kind(const struct shader_ir *ir, shader_value value, char letter)
{
    static const char letters[] = {
        [SHADER_KIND_F] = 'F', [SHADER_KIND_B] = 'B', [SHADER_KIND_S] = 'S', [SHADER_KIND_N] = 'N'};
    return letters[shader_ops[ir->list[value].op].result] == letter;
}

/* Without its NOTs; *holds changes with each. */
static shader_value bare(const struct shader_ir *ir, shader_value condition, bool *holds)
{
    while (ir->list[condition].op == SHADER_OP_NOT) {
        condition = ir->list[condition].argument[0];
        *holds = !*holds;
    }
    return condition;
}

/* One instruction by itself. */
static bool check_alone(struct verifier *verifier, shader_value v)
{
    const struct shader_ir *ir = verifier->ir;
    const struct shader_instruction *instruction = &ir->list[v];
    const enum shader_op op = instruction->op;
    if (op >= SHADER_OP_COUNT) {
        return complain(verifier, "%%%u: no such operation", v);
    }
    const size_t limit = op == SHADER_OP_UNIFORM ? SHADER_SLOTS + 4 * ir->binding_count
                         : op == SHADER_OP_INPUT ? SHADER_INPUTS
                         : op == SHADER_OP_PART  ? 4
                         : shader_op_reads(op)   ? ir->fetch_count
                                                 : 1;
    if (instruction->index >= limit) {
        return complain(verifier, "%%%u: %s with index %u", v, shader_ops[op].name,
                        instruction->index);
    }
    const char *kinds = shader_ops[op].arguments;
    bool uniform = op != SHADER_OP_INPUT && !shader_op_carries(op) && !shader_op_marks(op);
    for (size_t k = 0; kinds[k] != '\0'; k++) {
        const shader_value argument = instruction->argument[k];
        if (argument >= ir->count || (argument >= v && !(shader_op_carries(op) && k == 1))) {
            return complain(verifier, "%%%u: argument %zu is not computed before", v, k);
        }
        if (!has_kind(ir, argument, kinds[k])) {
            return complain(verifier, "%%%u: argument %zu of %s is of another kind", v, k,
                            shader_ops[op].name);
        }
        uniform = uniform && ir->list[argument].uniform;
    }
    if (op == SHADER_OP_TRUTH && instruction->number != 0.0f && instruction->number != 1.0f) {
        return complain(verifier, "%%%u: a truth of %g", v, (double)instruction->number);
    }
    if (instruction->uniform && !uniform) {
        return complain(verifier, "%%%u: marked uniform", v);
    }
    if (!shader_op_reads(op)) {
        return true;
    }
    const struct shader_fetch *fetch = &ir->fetches[instruction->index];
    if (fetch->binding >= ir->binding_count) {
        return complain(verifier, "%%%u: a fetch of binding %u", v, fetch->binding);
    }
    if (ir->bindings[fetch->binding].volume != (op >= SHADER_OP_READ3)) {
        return complain(verifier, "%%%u: a picture read as a volume, or the other way", v);
    }
    return true;
}

/* Whether an instruction, or NULL, may use the value as its argument k at this point. A SELECT or
 * CHOOSE sees the part of a closed IF in its sides, where it has the condition of the IF. */
static bool sees(const struct verifier *verifier, const struct shader_instruction *user, size_t k,
                 shader_value value)
{
    const struct shader_ir *ir = verifier->ir;
    uint32_t section = verifier->section[value];
    if (shader_op_carries(ir->list[value].op) && !verifier->sections[section].open) {
        section = verifier->sections[section].parent;
    }
    while (!verifier->sections[section].open) {
        const struct section *closed = &verifier->sections[section];
        if (closed->loop || user == NULL || k == 0 ||
            (user->op != SHADER_OP_SELECT && user->op != SHADER_OP_CHOOSE)) {
            return false;
        }
        bool holds = k == 1;
        if (bare(ir, user->argument[0], &holds) != closed->condition || holds != closed->holds) {
            return false;
        }
        section = closed->parent;
    }
    return true;
}

static void enter(struct verifier *verifier, shader_value begin, bool second)
{
    const struct shader_ir *ir = verifier->ir;
    bool holds = !second;
    const shader_value condition = bare(ir, ir->list[begin].argument[0], &holds);
    verifier->sections[verifier->count] =
        (struct section){.parent = verifier->now,
                         .begin = begin,
                         .condition = condition,
                         .holds = holds,
                         .loop = ir->list[begin].op == SHADER_OP_LOOP,
                         .second = second,
                         .open = true};
    verifier->now = (uint32_t)verifier->count++;
}

static void leave(struct verifier *verifier)
{
    verifier->sections[verifier->now].open = false;
    verifier->now = verifier->sections[verifier->now].parent;
}

/* Enters and leaves sections. */
static bool follow(struct verifier *verifier, shader_value v)
{
    const struct shader_instruction *list = verifier->ir->list;
    const enum shader_op op = list[v].op;
    struct section *section = &verifier->sections[verifier->now];
    const shader_value begin = section->begin;
    switch (op) {
    case SHADER_OP_IF:
    case SHADER_OP_LOOP:
        enter(verifier, v, false);
        break;
    case SHADER_OP_ELSE:
        if (verifier->now == 0 || section->loop || section->second) {
            return complain(verifier, "%%%u: else without if", v);
        }
        leave(verifier);
        enter(verifier, begin, true);
        break;
    case SHADER_OP_ENDIF:
    case SHADER_OP_ENDLOOP:
        if (verifier->now == 0 || section->loop != (op == SHADER_OP_ENDLOOP)) {
            return complain(verifier, "%%%u: an end without a begin", v);
        }
        if (section->loop && !section->has_while) {
            return complain(verifier, "%%%u: a loop without while", v);
        }
        for (shader_value carry = begin + 1; section->loop && shader_op_carries(list[carry].op);
             carry++) {
            if (!sees(verifier, NULL, 0, list[carry].argument[1])) {
                return complain(
                    verifier, "%%%u: the next value is not to be seen from the loop's end", carry);
            }
        }
        leave(verifier);
        break;
    case SHADER_OP_WHILE:
        section->has_while = true;
        return section->loop || complain(verifier, "%%%u: while outside a loop", v);
    case SHADER_OP_CARRY:
    case SHADER_OP_CARRY_TRUTH:
        return (v > 0 && (list[v - 1].op == SHADER_OP_LOOP || shader_op_carries(list[v - 1].op))) ||
               complain(verifier, "%%%u: a carry that is not behind a loop's begin", v);
    default:
        break;
    }
    return true;
}

static bool check(struct verifier *verifier)
{
    const struct shader_ir *ir = verifier->ir;
    const size_t count = ir->count;
    verifier->section = base_arena_array(&verifier->scratch, count, sizeof *verifier->section);
    verifier->sections = base_arena_array(&verifier->scratch, count + 1, sizeof(struct section));
    if (verifier->section == NULL || verifier->sections == NULL) {
        return true;
    }
    verifier->sections[verifier->count++] = (struct section){.open = true};
    for (shader_value v = 0; v < count; v++) {
        if (!check_alone(verifier, v)) {
            return false;
        }
        /* A carry's start is seen from in front of its loop, its next value from the end. */
        const struct shader_instruction *instruction = &ir->list[v];
        const size_t arity =
            shader_op_carries(instruction->op) ? 1 : shader_op_arity(instruction->op);
        for (size_t k = 0; k < arity; k++) {
            if (!sees(verifier, instruction, k, instruction->argument[k])) {
                return complain(verifier, "%%%u: %%%u is not to be seen from here", v,
                                instruction->argument[k]);
            }
        }
        if (!follow(verifier, v)) {
            return false;
        }
        verifier->section[v] = verifier->now;
    }
    if (verifier->now != 0) {
        return complain(verifier, "a region has no end");
    }
    for (size_t k = 0; k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        if (ir->ret[k] >= count || !has_kind(ir, ir->ret[k], 'F') ||
            !sees(verifier, NULL, 0, ir->ret[k])) {
            return complain(verifier, "result %zu is none, or not to be seen at the end", k);
        }
    }
    return true;
}

const char *shader_ir_verify(const struct shader_ir *ir)
{
    if (ir->failed) {
        return "out of memory";
    }
    struct verifier verifier = {.ir = ir};
    base_arena_init(&verifier.scratch, 0);
    const char *message = NULL;
    if (!check(&verifier)) {
        message = base_arena_text(ir->arena, verifier.message, strlen(verifier.message));
        message = message == NULL ? "out of memory" : message;
    }
    base_arena_free(&verifier.scratch);
    return message;
}

/* ---- the text ---- */

struct text {
    struct base_arena *arena;
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
};

static void put(struct text *text, const char *format, ...)
{
    char piece[160];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (text->failed || length < 0) {
        return;
    }
    const size_t size = strlen(piece);
    if (text->length + size + 1 > text->capacity) {
        char *grown = base_arena_grow(text->arena, text->data, &text->capacity,
                                      2 * (text->length + size + 1), 1);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->data = grown;
    }
    memcpy(text->data + text->length, piece, size + 1);
    text->length += size;
}

struct slot_row {
    const char *name;
    unsigned first;
    unsigned rows;
    unsigned columns;
};

static const struct slot_row slot_rows[] = {
#define SHADER_UNIFORM(name, rows, columns, reserved) {#name, SHADER_SLOT_##name, rows, columns},
#include "renderer/shader/ir/uniforms.def"
};

static const char *const input_names[SHADER_INPUTS] = {
    [SHADER_INPUT_U] = "uv.x",
    [SHADER_INPUT_V] = "uv.y",
    [SHADER_INPUT_U_ORIG] = "uv_orig.x",
    [SHADER_INPUT_V_ORIG] = "uv_orig.y",
    [SHADER_INPUT_RAD] = "rad",
    [SHADER_INPUT_ANG] = "ang",
    [SHADER_INPUT_HUE_R] = "hue_shader.x",
    [SHADER_INPUT_HUE_G] = "hue_shader.y",
    [SHADER_INPUT_HUE_B] = "hue_shader.z",
};

/* What follows the operation's name. */
static void put_operands(struct text *text, const struct shader_ir *ir,
                         const struct shader_instruction *instruction)
{
    const enum shader_op op = instruction->op;
    const unsigned index = instruction->index;
    if (op == SHADER_OP_CONST) {
        put(text, " %.9g", (double)instruction->number);
    } else if (op == SHADER_OP_TRUTH) {
        put(text, instruction->number != 0.0f ? " true" : " false");
    } else if (op == SHADER_OP_INPUT) {
        put(text, " %s", input_names[index]);
    } else if (op == SHADER_OP_UNIFORM && index < SHADER_SLOTS) {
        const struct slot_row *row = &slot_rows[sizeof slot_rows / sizeof slot_rows[0] - 1];
        while (index < row->first) {
            row--;
        }
        const unsigned place = index - row->first;
        put(text, " %s", row->name);
        if (row->rows > 1) {
            put(text, "._m%u%u", place / row->columns, place % row->columns);
        } else if (row->columns > 1) {
            put(text, ".%c", "xyzw"[place]);
        }
    } else if (op == SHADER_OP_UNIFORM) {
        const unsigned place = index - (unsigned)SHADER_SLOTS;
        put(text, " texsize_%s.%c", ir->bindings[place / 4].name, "xyzw"[place % 4]);
    } else if (op == SHADER_OP_PART) {
        put(text, " %%%u.%c", instruction->argument[0], "xyzw"[index]);
    } else {
        if (shader_op_reads(op)) {
            const struct shader_fetch *fetch = &ir->fetches[index];
            put(text, " %s %s %s", ir->bindings[fetch->binding].name,
                fetch->sampler.address == SHADER_REPEAT ? "wrap" : "clamp",
                fetch->sampler.linear ? "linear" : "nearest");
        }
        for (size_t k = 0; k < shader_op_arity(op); k++) {
            put(text, k == 0 ? " " : ", ");
            if (instruction->argument[k] == SHADER_NO_VALUE) {
                put(text, "none");
            } else {
                put(text, "%%%u", instruction->argument[k]);
            }
        }
    }
}

const char *shader_ir_dump(const struct shader_ir *ir, struct base_arena *arena)
{
    struct text text = {.arena = arena};
    int depth = 0;
    for (shader_value v = 0; v < ir->count; v++) {
        const enum shader_op op = ir->list[v].op;
        const bool ends = op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP;
        depth -= ends || op == SHADER_OP_ELSE;
        put(&text, "%*s", 4 * (depth < 16 ? depth : 16), "");
        if (!shader_op_marks(op)) {
            put(&text, "%%%u = ", v);
        }
        put(&text, "%s", shader_ops[op].name);
        put_operands(&text, ir, &ir->list[v]);
        put(&text, ir->list[v].uniform ? " ; uniform\n" : "\n");
        depth += op == SHADER_OP_IF || op == SHADER_OP_LOOP || op == SHADER_OP_ELSE;
    }
    put(&text, "ret %%%u, %%%u, %%%u\n", ir->ret[0], ir->ret[1], ir->ret[2]);
    return text.failed ? NULL : text.data;
}
