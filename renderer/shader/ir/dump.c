/* A list as text, for tests and for whoever reads what became of a shader. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "renderer/shader/ir/ir.h"

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
