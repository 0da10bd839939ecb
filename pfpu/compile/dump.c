#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/compile/compile.h"
#include "pfpu/microcode/listing.h"

struct writer {
    struct base_arena *arena;
    const struct pfpu_scope *scope;
    char *text;
    size_t size;
    size_t capacity;
};

static void write_span(struct writer *writer, const char *data, size_t size)
{
    char *text =
        base_arena_grow(writer->arena, writer->text, &writer->capacity, writer->size + size + 1, 1);
    if (text == NULL) {
        return;
    }
    writer->text = text;
    memcpy(text + writer->size, data, size);
    writer->size += size;
    text[writer->size] = '\0';
}

static void write_text(struct writer *writer, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_span(writer, text, size < (int)sizeof text ? (size_t)size : sizeof text - 1);
}

static void write_name(struct writer *writer, size_t variable)
{
    const char *name = pfpu_scope_name(writer->scope, variable);
    write_span(writer, name, strlen(name));
}

/* The shorter of two notations that both read back as the same number. */
static void write_number(struct writer *writer, double number)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", number);
    const double back = strtod(text, NULL);
    write_text(writer, back < number || back > number ? "%.17g" : "%.15g", number);
}

static void write_key(struct writer *writer, int32_t key)
{
    if (pfpu_key_is_slot(key)) {
        write_text(writer, "s%d", -1 - key);
    } else if (pfpu_key_is_register(key)) {
        write_text(writer, "reg%02d", key);
    } else if (key - PFPU_REGISTERS_GLOBAL >= (int32_t)pfpu_scope_size(writer->scope)) {
        const int32_t first = PFPU_REGISTERS_GLOBAL + (int32_t)pfpu_scope_size(writer->scope);
        write_text(writer, "link%d", key - first);
    } else {
        write_name(writer, (size_t)(key - PFPU_REGISTERS_GLOBAL));
    }
}

/* schedule: NULL for the order of the program. */
static char *dump_ir(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule,
                     const struct pfpu_scope *scope, struct base_arena *arena)
{
    struct writer writer = {.arena = arena, .scope = scope};
    for (size_t b = 0; b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        write_text(&writer, "block %zu\n", b);
        for (int32_t n = block->first; n < block->first + block->count; n++) {
            const int32_t i = schedule != NULL ? schedule->order[n] : n;
            if (schedule != NULL) {
                write_text(&writer, "%6u ", schedule->cycle[i]);
            }
            write_text(&writer, "  ");
            const struct pfpu_instruction *instruction = &ir->instructions[i];
            if (pfpu_op_has_result(instruction->op)) {
                write_text(&writer, "%%%d %s ", i, instruction->filtered ? ":=" : "=");
            }
            write_text(&writer, "%s", pfpu_ops[instruction->op].text);
            if (instruction->op == PFPU_OP_GET || instruction->op == PFPU_OP_SET) {
                write_text(&writer, " ");
                write_key(&writer, instruction->key);
            } else if (instruction->op == PFPU_OP_NUMBER) {
                write_text(&writer, " ");
                write_number(&writer, instruction->number);
            }
            for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
                write_text(&writer, " %%%d", instruction->arguments[k]);
            }
            write_text(&writer, "\n");
        }
        if (block->end == PFPU_END_RETURN) {
            write_text(&writer, "  return\n");
        } else if (block->end == PFPU_END_JUMP) {
            write_text(&writer, "  jump block %d\n", block->targets[0]);
        } else {
            write_text(&writer, "  if %%%d block %d else block %d\n", block->condition,
                       block->targets[0], block->targets[1]);
        }
    }
    return arena->failed ? NULL : writer.text;
}

char *pfpu_dump_ir(const struct pfpu_ir *ir, const struct pfpu_scope *scope,
                   struct base_arena *arena)
{
    return dump_ir(ir, NULL, scope, arena);
}

static void write_cell(struct writer *writer, const struct pfpu_code_list *code, int32_t cell)
{
    if (cell >= 0) {
        write_name(writer, (size_t)cell);
        return;
    }
    const size_t own = (size_t)(code->first_cell - cell);
    if (own < code->constant_count) {
        write_text(writer, "#");
        write_number(writer, code->constants[own]);
    } else if (own < code->constant_count + code->slot_count) {
        write_text(writer, "s%zu", own - code->constant_count);
    } else {
        write_text(writer, "t%zu", own - code->constant_count - code->slot_count);
    }
}

static void write_control(struct writer *writer, const struct pfpu_code_list *list,
                          const struct pfpu_code *code)
{
    static const char *const names[] = {"end", "jump", "if", "unless", "again"};
    write_text(writer, "%s", names[code->op - PFPU_CODE_CONTROL]);
    if (code->op > PFPU_CODE_JUMP) {
        write_text(writer, " ");
        write_cell(writer, list, code->a);
    }
    if (code->op > PFPU_CODE_END) {
        write_text(writer, " to %d", code->dst);
    }
    if (code->op == PFPU_CODE_AGAIN) {
        write_text(writer, " cost %d", code->c);
    }
}

static void write_operation(struct writer *writer, const struct pfpu_code_list *list,
                            const struct pfpu_code *code)
{
    const enum pfpu_op op = (enum pfpu_op)(code->op / 2);
    const int32_t operands[3] = {code->a, code->b, code->c};
    if (op == PFPU_OP_SET) {
        write_text(writer, "reg%02d = copy ", code->dst);
        write_cell(writer, list, code->a);
        return;
    }
    if (pfpu_op_has_result(op)) {
        write_cell(writer, list, code->dst);
        write_text(writer, code->op % 2 != 0 ? " := " : " = ");
    }
    if (op == PFPU_OP_GET) {
        write_text(writer, "copy reg%02d", code->a);
        return;
    }
    write_text(writer, "%s", pfpu_ops[op].text);
    for (int k = 0; k < pfpu_ops[op].arity; k++) {
        write_text(writer, " ");
        write_cell(writer, list, operands[k]);
    }
}

char *pfpu_dump_code(const struct pfpu_code_list *code, const struct pfpu_scope *scope,
                     struct base_arena *arena)
{
    struct writer writer = {.arena = arena, .scope = scope};
    for (size_t i = 0; i < code->count; i++) {
        write_text(&writer, "%zu: ", i);
        if (code->instructions[i].op >= PFPU_CODE_CONTROL) {
            write_control(&writer, code, &code->instructions[i]);
        } else {
            write_operation(&writer, code, &code->instructions[i]);
        }
        write_text(&writer, "\n");
    }
    return arena->failed ? NULL : writer.text;
}

char *pfpu_program_dump(const struct pfpu_program *program, enum pfpu_dump what,
                        struct base_arena *arena)
{
    return what == PFPU_DUMP_IR ? pfpu_dump_ir(&program->ir, program->scope, arena)
                                : pfpu_dump_code(&program->code, program->scope, arena);
}

/* As write_key, for the listing: a text of its own for each key. */
static const char *key_name(const void *user, int32_t key)
{
    const struct writer *all = user;
    struct writer writer = {.arena = all->arena, .scope = all->scope};
    if (key == PFPU_KEY_COLUMN || key == PFPU_KEY_ROW) {
        return key == PFPU_KEY_COLUMN ? "column" : "row";
    }
    write_key(&writer, key);
    return writer.text;
}

char *pfpu_snapshot_text(const struct pfpu_snapshot *snapshot, struct base_arena *arena)
{
    const struct writer names = {.arena = arena, .scope = snapshot->scope};
    if (snapshot->microcode != NULL) {
        return pfpu_listing_asm(snapshot->microcode, &(struct pfpu_key_names){key_name, &names},
                                arena);
    }
    return snapshot->code != NULL
               ? pfpu_dump_code(snapshot->code, snapshot->scope, arena)
               : dump_ir(snapshot->ir, snapshot->schedule, snapshot->scope, arena);
}
