#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/compile/compile.h"
#include "pfpu/host/program.h"
#include "pfpu/microcode/listing.h"

struct writer {
    struct pfpu_print print;
    const struct pfpu_scope *scope; /* of the keys */
};

static void write_name(struct writer *writer, size_t variable)
{
    const char *name = pfpu_scope_name(writer->scope, variable);
    pfpu_print_bytes(&writer->print, name, strlen(name));
}

/* The shorter of two notations that both read back as the same number. */
static void write_number(struct writer *writer, double number)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", number);
    const double back = strtod(text, NULL);
    pfpu_print(&writer->print, back < number || back > number ? "%.17g" : "%.15g", number);
}

static void write_key(struct writer *writer, int32_t key)
{
    if (pfpu_key_is_slot(key)) {
        pfpu_print(&writer->print, "s%d", -1 - key);
    } else if (pfpu_key_is_register(key)) {
        pfpu_print(&writer->print, "reg%02d", key);
    } else if (key - PFPU_REGISTERS_GLOBAL >= (int32_t)pfpu_scope_size(writer->scope)) {
        const int32_t first = PFPU_REGISTERS_GLOBAL + (int32_t)pfpu_scope_size(writer->scope);
        pfpu_print(&writer->print, "link%d", key - first);
    } else {
        write_name(writer, (size_t)(key - PFPU_REGISTERS_GLOBAL));
    }
}

/* schedule: NULL for the order of the program. */
static char *dump_ir(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule,
                     const struct pfpu_scope *scope, struct base_arena *arena)
{
    struct writer writer = {.print.arena = arena, .scope = scope};
    for (size_t b = 0; b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        pfpu_print(&writer.print, "block %zu\n", b);
        for (int32_t n = block->first; n < block->first + block->count; n++) {
            const int32_t i = schedule != NULL ? schedule->order[n] : n;
            if (schedule != NULL) {
                pfpu_print(&writer.print, "%6u ", schedule->cycle[i]);
            }
            pfpu_print(&writer.print, "  ");
            const struct pfpu_instruction *instruction = &ir->instructions[i];
            if (pfpu_op_has_result(instruction->op)) {
                pfpu_print(&writer.print, "%%%d %s ", i, instruction->filtered ? ":=" : "=");
            }
            pfpu_print(&writer.print, "%s", pfpu_ops[instruction->op].text);
            if (instruction->op == PFPU_OP_GET || instruction->op == PFPU_OP_SET) {
                pfpu_print(&writer.print, " ");
                write_key(&writer, instruction->key);
            } else if (instruction->op == PFPU_OP_NUMBER) {
                pfpu_print(&writer.print, " ");
                write_number(&writer, instruction->number);
            }
            for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
                pfpu_print(&writer.print, " %%%d", instruction->arguments[k]);
            }
            pfpu_print(&writer.print, "\n");
        }
        if (block->end == PFPU_END_RETURN) {
            pfpu_print(&writer.print, "  return\n");
        } else if (block->end == PFPU_END_JUMP) {
            pfpu_print(&writer.print, "  jump block %d\n", block->targets[0]);
        } else {
            pfpu_print(&writer.print, "  if %%%d block %d else block %d\n", block->condition,
                       block->targets[0], block->targets[1]);
        }
    }
    return pfpu_print_end(&writer.print);
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
        pfpu_print(&writer->print, "#");
        write_number(writer, code->constants[own]);
    } else if (own < code->constant_count + code->slot_count) {
        pfpu_print(&writer->print, "s%zu", own - code->constant_count);
    } else {
        pfpu_print(&writer->print, "t%zu", own - code->constant_count - code->slot_count);
    }
}

static void write_operation(struct writer *writer, const struct pfpu_code_list *list,
                            const struct pfpu_code *code)
{
    const enum pfpu_op op = (enum pfpu_op)(code->op / 2);
    const int32_t operands[3] = {code->a, code->b, code->c};
    if (op == PFPU_OP_SET) {
        pfpu_print(&writer->print, "reg%02d = copy ", code->dst);
        write_cell(writer, list, code->a);
        return;
    }
    if (pfpu_op_has_result(op)) {
        write_cell(writer, list, code->dst);
        pfpu_print(&writer->print, code->op % 2 != 0 ? " := " : " = ");
    }
    if (op == PFPU_OP_GET) {
        pfpu_print(&writer->print, "copy reg%02d", code->a);
        return;
    }
    pfpu_print(&writer->print, "%s", pfpu_ops[op].text);
    for (int k = 0; k < pfpu_ops[op].arity; k++) {
        pfpu_print(&writer->print, " ");
        write_cell(writer, list, operands[k]);
    }
}

char *pfpu_dump_code(const struct pfpu_code_list *code, const struct pfpu_scope *scope,
                     struct base_arena *arena)
{
    static const char *const controls[] = {"end", "jump", "if", "unless", "again"};
    struct writer writer = {.print.arena = arena, .scope = scope};
    for (size_t i = 0; i < code->count; i++) {
        pfpu_print(&writer.print, "%zu: ", i);
        const struct pfpu_code *one = &code->instructions[i];
        if (one->op < PFPU_CODE_CONTROL) {
            write_operation(&writer, code, one);
        } else {
            pfpu_print(&writer.print, "%s", controls[one->op - PFPU_CODE_CONTROL]);
            if (one->op > PFPU_CODE_JUMP) {
                pfpu_print(&writer.print, " ");
                write_cell(&writer, code, one->a);
            }
            if (one->op > PFPU_CODE_END) {
                pfpu_print(&writer.print, " to %d", one->dst);
            }
            if (one->op == PFPU_CODE_AGAIN) {
                pfpu_print(&writer.print, " cost %d", one->c);
            }
        }
        pfpu_print(&writer.print, "\n");
    }
    return pfpu_print_end(&writer.print);
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
    struct writer writer = {.print.arena = all->print.arena, .scope = all->scope};
    if (key == PFPU_KEY_COLUMN || key == PFPU_KEY_ROW) {
        return key == PFPU_KEY_COLUMN ? "column" : "row";
    }
    write_key(&writer, key);
    return pfpu_print_end(&writer.print);
}

char *pfpu_snapshot_text(const struct pfpu_snapshot *snapshot, struct base_arena *arena)
{
    const struct writer names = {.print.arena = arena, .scope = snapshot->scope};
    if (snapshot->microcode != NULL) {
        return pfpu_listing_asm(snapshot->microcode, &(struct pfpu_key_names){key_name, &names},
                                arena);
    }
    return snapshot->code != NULL
               ? pfpu_dump_code(snapshot->code, snapshot->scope, arena)
               : dump_ir(snapshot->ir, snapshot->schedule, snapshot->scope, arena);
}
