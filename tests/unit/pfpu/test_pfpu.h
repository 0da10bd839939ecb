/* Compiling and running of small patches, for the tests of pfpu. */
#ifndef TEST_PFPU_H
#define TEST_PFPU_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "pfpu/pfpu.h"

enum { PATCH_LINES = 64 };

/* One scope with one program, ready to run. */
struct patch {
    struct base_arena arena;
    struct pfpu_scope *scope;
    struct pfpu_program *program;
    enum pfpu_status status;
    struct pfpu_instance instance;
    struct pfpu_globals globals;
    struct base_diag_list messages;
};

/* Splits text at line feeds into lines from line 10, column 5 on. */
static inline size_t patch_lines(const char *text, struct base_source_line *lines)
{
    size_t count = 0;
    while (count < PATCH_LINES) {
        const char *end = strchr(text, '\n');
        const size_t size = end != NULL ? (size_t)(end - text) : strlen(text);
        lines[count] = (struct base_source_line){{text, size}, 10 + (uint32_t)count, 5};
        count++;
        if (end == NULL) {
            break;
        }
        text = end + 1;
    }
    return count;
}

static inline enum pfpu_status patch_compile(struct patch *patch, const char *text,
                                             struct pfpu_program **program)
{
    struct base_source_line lines[PATCH_LINES];
    const struct base_source source = {"test.milk", lines, patch_lines(text, lines)};
    const struct base_diag_sink sink = base_diag_list_sink(&patch->messages);
    return pfpu_compile(&pfpu_target_host, patch->scope, &source, &patch->arena, &sink, program);
}

static inline void patch_open(struct patch *patch, const char *text)
{
    memset(patch, 0, sizeof *patch);
    patch->scope = pfpu_scope_create(&patch->arena);
    assert_non_null(patch->scope);
    assert_int_equal(pfpu_scope_declare(patch->scope, "a"), 0);
    patch->status = patch_compile(patch, text, &patch->program);
    assert_int_equal(pfpu_instance_init(&patch->instance, patch->scope, &patch->arena), 0);
    assert_int_equal(pfpu_globals_init(&patch->globals, 1), 0);
}

static inline void patch_close(struct patch *patch)
{
    pfpu_globals_free(&patch->globals);
    base_arena_free(&patch->arena);
}

static inline double patch_value(const struct patch *patch, const char *name)
{
    return patch->instance.values[pfpu_scope_declare(patch->scope, name)];
}

static inline void patch_run(struct patch *patch)
{
    pfpu_run(patch->program, &patch->instance, &patch->globals);
}

#endif
