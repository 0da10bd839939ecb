/* Bytes are the lines of a block: compile it; if that works, print, link and run it. */
#include <stdlib.h>
#include <string.h>

#include "pfpu/pfpu.h"

enum { LINES = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t split(const uint8_t *data, size_t size, struct base_source_line *lines)
{
    const char *text = (const char *)data;
    size_t count = 0;
    size_t start = 0;
    while (count < LINES && start <= size) {
        const char *end = size > start ? memchr(text + start, '\n', size - start) : NULL;
        const size_t length = end != NULL ? (size_t)(end - text) - start : size - start;
        lines[count] = (struct base_source_line){{text + start, length}, (uint32_t)count + 1, 1};
        start += length + 1;
        count++;
    }
    return count;
}

static void run(const struct pfpu_scope *scope, const struct pfpu_program *program,
                struct base_arena *arena)
{
    struct pfpu_instance instance;
    struct pfpu_globals globals;
    if (pfpu_instance_init(&instance, scope, arena) != 0 || pfpu_globals_init(&globals, 1) != 0) {
        return;
    }
    globals.budget = 100000;
    pfpu_run(program, &instance, &globals);
    pfpu_run(program, &instance, &globals);
    pfpu_globals_free(&globals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_source_line lines[LINES];
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const struct base_source source = {"fuzz", lines, split(data, size, lines)};
    struct base_arena arena;
    struct pfpu_program *program = NULL;
    base_arena_init(&arena, 0);
    struct pfpu_scope *scope = pfpu_scope_create(&arena);
    const enum pfpu_status status =
        pfpu_compile(&pfpu_target_host, scope, &source, &arena, &sink, &program);
    if ((status == PFPU_OK) != (program != NULL) ||
        (status == PFPU_REFUSED) != (messages.count == 1)) {
        abort();
    }
    if (status == PFPU_OK) {
        if (pfpu_program_dump(program, PFPU_DUMP_IR, &arena) == NULL ||
            pfpu_program_dump(program, PFPU_DUMP_CODE, &arena) == NULL) {
            abort();
        }
        run(scope, program, &arena);
    }
    base_arena_free(&arena);
    return 0;
}
