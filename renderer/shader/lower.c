#include "renderer/shader/lower.h"

#include <stdarg.h>
#include <stdio.h>

void shader_fail(struct shader_lowering *lowering, struct base_place place, const char *hint,
                 const char *format, ...)
{
    char what[sizeof((struct base_diag *)0)->what];
    if (shader_stopped(lowering)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    base_report(lowering->sink, BASE_ERROR, place, hint, "%s", what);
    lowering->failed = true;
    lowering->reported = true;
}

bool shader_descend(struct shader_lowering *lowering, struct base_place place)
{
    if (shader_stopped(lowering)) {
        return false;
    }
    lowering->work_done++;
    if (lowering->depth >= SHADER_INSIDE_MAX) {
        shader_fail(lowering, place, "split it up", "too much within one another");
        return false;
    }
    if (lowering->work_done > SHADER_WORK_MAX || lowering->ir->failed) {
        shader_fail(lowering, place, "use fewer or shorter loops", "the stage is too long");
        return false;
    }
    lowering->depth++;
    return true;
}

void *shader_work_array(struct shader_lowering *lowering, size_t count, size_t size)
{
    void *array = base_arena_array(&lowering->work, count, size);
    if (array == NULL) {
        lowering->failed = true;
    }
    return array;
}

static void check_function(struct shader_lowering *lowering, const struct shader_function *function)
{
    const char *hint = shader_reserved(lowering, function->name, true);
    if (hint != NULL) {
        shader_fail(lowering, function->place, hint, "'%.*s' is declared again",
                    (int)(function->name.size < 64 ? function->name.size : 64),
                    function->name.data);
    }
}

static void lower_global(struct shader_lowering *lowering, const struct shader_global *global)
{
    if (global->function != NULL) {
        check_function(lowering, global->function);
    }
    for (size_t k = 0; k < global->variable_count && !shader_stopped(lowering); k++) {
        const struct base_arena_mark mark = base_arena_mark(&lowering->work);
        shader_declare_variable(lowering, &global->variables[k], false);
        base_arena_rewind(&lowering->work, mark);
        lowering->scope.global_count = lowering->scope.object_count;
    }
}

/* The body as a function without parameters, whose result is what its variable ret holds. */
static void lower_body(struct shader_lowering *lowering)
{
    const struct shader_function function = {0};
    const struct shader_object ret = {.name = base_span_of("ret"),
                                      .type = shader_vector(SHADER_FLOAT, 3)};
    const struct shader_frame_of_call call = {
        .function = &function, .result_type = {.base = SHADER_VOID, .rows = 1, .columns = 1}};
    const struct shader_block scope = shader_scope_enter(&lowering->scope, true);
    const struct shader_object *added = shader_scope_add(&lowering->scope, &ret);
    const uint32_t slot = added != NULL ? added->slot : 0;
    lowering->exits.returned = shader_scope_slot(&lowering->scope, SHADER_BOOL, true);
    lowering->call = &call;
    if (added == NULL || lowering->exits.returned == SHADER_NO_SLOT) {
        lowering->failed = true;
    } else {
        shader_statements(lowering, lowering->tree->body->body);
    }
    for (uint32_t k = 0; k < 3 && !lowering->failed; k++) {
        lowering->ir->ret[k] = shader_slot_get(&lowering->scope, slot + k);
    }
    lowering->call = NULL;
    shader_scope_leave(&lowering->scope, scope);
}

static void lower(struct shader_lowering *lowering)
{
    shader_add_builtins(lowering);
    shader_add_intrinsics(lowering);
    for (size_t k = 0; k < lowering->tree->global_count && !shader_stopped(lowering); k++) {
        lower_global(lowering, &lowering->tree->globals[k]);
    }
    if (!shader_stopped(lowering)) {
        lower_body(lowering);
    }
    if (lowering->arena.failed || lowering->ir->failed) {
        lowering->failed = true;
    }
}

bool shader_build(struct shader_ir *ir, enum shader_stage stage, const struct base_source *source,
                  const struct base_diag_sink *sink)
{
    enum { MEMORY_MAX = 64 * 1024 * 1024 };
    struct shader_tree tree;
    struct base_arena arena = {.limit = MEMORY_MAX};
    struct shader_lowering *lowering = base_arena_alloc(&arena, sizeof *lowering);
    if (lowering == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = source->file}, NULL,
                    "not enough memory for a shader");
        return false;
    }
    *lowering = (struct shader_lowering){
        .ir = ir,
        .stage = stage,
        .sink = sink,
        .tree = &tree,
        .arena = {.limit = MEMORY_MAX},
        .work = {.limit = MEMORY_MAX},
        .exits = {SHADER_NO_SLOT, SHADER_NO_SLOT, SHADER_NO_SLOT},
        .value_limit = SHADER_IR_MAX,
    };
    bool good = shader_parse(&tree, source, &lowering->arena, sink) == 0;
    if (good) {
        if (shader_scope_init(&lowering->scope, ir, &lowering->arena)) {
            lower(lowering);
        }
        good = !lowering->failed && !lowering->arena.failed;
        if (!good && !lowering->reported) {
            base_report(sink, BASE_ERROR, (struct base_place){.file = source->file},
                        "use fewer or shorter loops", "the stage takes too much memory");
        }
    }
    base_arena_free(&lowering->work);
    base_arena_free(&lowering->arena);
    base_arena_free(&arena);
    return good;
}
