/* A compiled stage: how text becomes one, and what can be asked of it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/code/code.h"
#include "renderer/shader/lower/lower.h"
#include "renderer/shader/shader.h"

/* Copies the list as it came out of the passes into the program's memory, so that what the way
 * there took can be given back. */
static bool keep_ir(struct shader_program *program, const struct shader_ir *ir)
{
    struct shader_instruction *list =
        base_arena_array(&program->arena, ir->count, sizeof *ir->list);
    if (list == NULL) {
        return false;
    }
    if (ir->count > 0) {
        memcpy(list, ir->list, ir->count * sizeof *list);
    }
    program->ir = *ir;
    program->ir.arena = &program->arena;
    program->ir.list = list;
    program->ir.capacity = ir->count;
    program->ir.table = NULL;
    return true;
}

static void report_whole(const struct base_source *source, const struct base_diag_sink *sink,
                         const char *what, const char *hint)
{
    const struct base_place place = {
        .file = source->file,
        .line = source->count > 0 ? source->lines[0].line : 0,
        .column = source->count > 0 ? source->lines[0].column : 0,
    };
    base_report(sink, BASE_ERROR, place, hint, "%s", what);
}

struct shader_program *shader_compile(enum shader_stage stage, const struct base_source *source,
                                      const struct base_diag_sink *sink)
{
    struct shader_program *program = calloc(1, sizeof *program);
    if (program == NULL) {
        report_whole(source, sink, "no memory for the shader", NULL);
        return NULL;
    }
    program->stage = stage;
    struct base_arena scratch = {.newest = NULL};
    struct shader_ir ir;
    shader_ir_init(&ir, &scratch);
    bool done = shader_lower(&ir, stage, source, sink);
    if (done) {
        shader_ir_finish(&ir);
        if (ir.failed) {
            report_whole(source, sink, "the shader is too large or memory is short",
                         "shorten its loops or its functions");
            done = false;
        }
    }
    if (done) {
        assert(shader_ir_verify(&ir) == NULL);
        done = keep_ir(program, &ir) && shader_emit(program);
        if (!done) {
            report_whole(source, sink, "no memory for the shader", NULL);
        }
    }
    base_arena_free(&scratch);
    if (done && program->registers > SHADER_REGISTERS_MAX) {
        report_whole(source, sink, "the shader keeps too many numbers at a time",
                     "use shorter arrays");
        done = false;
    }
    if (!done) {
        shader_free(program);
        return NULL;
    }
    return program;
}

void shader_free(struct shader_program *program)
{
    if (program != NULL) {
        base_arena_free(&program->arena);
        free(program);
    }
}

size_t shader_bindings(const struct shader_program *program, const struct shader_binding **bindings)
{
    *bindings = program->ir.bindings;
    return program->ir.binding_count;
}

bool shader_reads_input(const struct shader_program *program, enum shader_input input)
{
    return program->input[input] >= 0;
}

int shader_blur_levels(const struct shader_program *program)
{
    const struct shader_ir *ir = &program->ir;
    int levels = 0;
    for (size_t i = 0; i < ir->count; i++) {
        if (shader_op_reads(ir->list[i].op)) {
            const unsigned binding = ir->fetches[ir->list[i].index].binding;
            const int level = shader_blur_level(ir->bindings[binding].name);
            levels = level > levels ? level : levels;
        }
    }
    return levels;
}

struct shader_stats shader_stats(const struct shader_program *program)
{
    return program->stats;
}

const char *shader_dump(const struct shader_program *program, struct base_arena *arena)
{
    return shader_ir_dump(&program->ir, arena);
}

/* aligned_alloc wants whole multiples of the alignment. */
static size_t rounded_size(size_t size)
{
    return size == 0 ? 64 : (size + 63) / 64 * 64;
}

size_t shader_scratch_size(const struct shader_program *program)
{
    return rounded_size(program->registers * SHADER_REGISTER_SIZE);
}

size_t shader_constants_size(const struct shader_program *program)
{
    return rounded_size(program->scalars * SHADER_SCALAR_SIZE);
}

struct shader_tile shader_tile(const struct shader_program *program, void *scratch)
{
    struct shader_tile tile = {.input = {NULL}};
    unsigned char *registers = scratch;
    for (int i = 0; i < SHADER_INPUTS; i++) {
        if (program->input[i] >= 0) {
            tile.input[i] = (float *)(registers + (size_t)program->input[i] * SHADER_REGISTER_SIZE);
        }
    }
    for (int i = 0; i < 3; i++) {
        assert((program->ret[i] & SHADER_PLACE_SCALAR) == 0);
        tile.ret[i] = (const float *)(registers + program->ret[i]);
    }
    return tile;
}
