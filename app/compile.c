#include <stdio.h>
#include <string.h>

#include "app/board_patch.h"
#include "app/compile_shader.h"
#include "app/compile_stats.h"
#include "app/errors.h"
#include "app/json.h"
#include "app/options.h"
#include "pfpu/dump.h"
#include "renderer/patch.h"

static const struct base_place NOWHERE = {0};

enum emit { EMIT_STATS, EMIT_IR, EMIT_ASM, EMIT_HEX, EMIT_REGS, EMIT_SCHEDULE, EMITS };

static const char *const emit_names[EMITS] = {"stats", "ir", "asm", "hex", "regs", "schedule"};

struct wanted {
    enum emit emit;
    bool per_frame; /* else per_pixel */
    bool json;
    enum pfpu_board_scheduler scheduler;
    const struct pfpu_target *target; /* of the board */
    const char *path;
};

static int refuse_memory(void)
{
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
    return APP_EXIT_FAILED;
}

/* A text as it is, or as the one member of an object. */
static int print_text(const struct wanted *wanted, const char *text)
{
    if (text == NULL) {
        return refuse_memory();
    }
    if (!wanted->json) {
        (void)fputs(text, stdout);
        return APP_EXIT_DONE;
    }
    (void)printf("{\"%s\":", emit_names[wanted->emit]);
    app_json_string(stdout, text);
    (void)printf("}\n");
    return APP_EXIT_DONE;
}

/* ---- the board ---- */

static const char *program_text(const struct wanted *wanted, struct app_board_patch *patch,
                                const struct pfpu_board_program *program)
{
    const struct pfpu_key_names names = app_board_key_names(patch);
    switch (wanted->emit) {
    case EMIT_IR:
        return pfpu_dump_ir(&program->ir, patch->board->frame_scope, &patch->arena);
    case EMIT_ASM:
        return pfpu_listing_asm(&program->microcode, &names, &patch->arena);
    case EMIT_HEX:
        return pfpu_listing_hex(&program->microcode, &patch->arena);
    case EMIT_REGS:
        return pfpu_listing_registers(&program->microcode, &names, &patch->arena);
    default:
        return pfpu_listing_schedule(wanted->target, &program->microcode, &patch->arena);
    }
}

static int emit_board(const struct wanted *wanted, struct app_board_patch *patch)
{
    const struct pfpu_board *board = patch->board;
    const struct pfpu_board_program *program = wanted->per_frame ? &board->frame : &board->vertex;
    if (wanted->emit == EMIT_STATS) {
        const struct app_compile_stats stats = app_compile_stats_of(patch, wanted->per_frame);
        app_compile_stats_print(stdout, &stats, wanted->json);
        return APP_EXIT_DONE;
    }
    if (program->fit != PFPU_FITS && wanted->emit != EMIT_IR) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = wanted->path}, NULL,
                    "the board's CPU runs this program: there is no microcode");
        return APP_EXIT_FAILED;
    }
    return print_text(wanted, program_text(wanted, patch, program));
}

static int compile_for_board(const struct wanted *wanted)
{
    struct app_board_patch patch;
    int result = APP_EXIT_FAILED;
    if (app_board_patch_load(&patch, wanted->path, wanted->target, wanted->scheduler,
                             &base_diag_stderr) == 0 &&
        patch.board != NULL) {
        result = emit_board(wanted, &patch);
    }
    app_board_patch_free(&patch);
    return result;
}

/* ---- the host ---- */

static int emit_host(const struct wanted *wanted, const struct rend_patch *patch)
{
    const struct pfpu_program *program = wanted->per_frame ? patch->frame.run : patch->vertex.run;
    if (wanted->emit == EMIT_STATS) {
        const size_t length = program != NULL ? pfpu_program_length(program) : 0;
        (void)printf(wanted->json ? "{\"target\":\"host\",\"instructions\":%zu}\n"
                                  : "target        host\ninstructions  %zu\n",
                     length);
        return APP_EXIT_DONE;
    }
    struct base_arena arena = {0};
    const enum pfpu_dump what = wanted->emit == EMIT_IR ? PFPU_DUMP_IR : PFPU_DUMP_CODE;
    const int result =
        print_text(wanted, program != NULL ? pfpu_program_dump(program, what, &arena) : "");
    base_arena_free(&arena);
    return result;
}

static int compile_program_for_host(const struct wanted *wanted)
{
    struct preset preset;
    if (preset_read_file(&preset, wanted->path, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    struct app_errors errors = {.next = &base_diag_stderr};
    const struct base_diag_sink sink = app_errors_sink(&errors);
    int result = APP_EXIT_FAILED;
    struct rend_patch *patch = rend_patch_create(&preset, NULL, &sink);
    if (patch != NULL) {
        result = emit_host(wanted, patch);
        rend_patch_free(patch);
    }
    preset_free(&preset);
    return errors.count == 0 ? result : APP_EXIT_FAILED;
}

static int compile_for_host(const struct wanted *wanted)
{
    static const char *const missing[EMITS] = {
        [EMIT_HEX] = "words", [EMIT_REGS] = "registers", [EMIT_SCHEDULE] = "cycles"};
    if (missing[wanted->emit] == NULL) {
        return compile_program_for_host(wanted);
    }
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "give --target milkymist-one",
                "the host has no %s", missing[wanted->emit]);
    return APP_EXIT_USAGE;
}

static enum emit emit_of(const char *name)
{
    enum emit emit = EMIT_STATS;
    for (int i = 0; name != NULL && i < EMITS; i++) {
        emit = strcmp(emit_names[i], name) == 0 ? (enum emit)i : emit;
    }
    return emit;
}

static bool wants_shader(const struct app_options *options)
{
    return options->program != NULL &&
           (strcmp(options->program, "warp") == 0 || strcmp(options->program, "comp") == 0);
}

/* Shaders are for the host, whatever the target. */
static int compile_shader(const struct app_options *options, const struct wanted *wanted)
{
    const enum shader_stage stage = options->program[0] == 'w' ? SHADER_WARP : SHADER_COMP;
    if (wanted->emit != EMIT_STATS && wanted->emit != EMIT_IR) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "give --emit stats or ir",
                    "a shader has no %s", emit_names[wanted->emit]);
        return APP_EXIT_USAGE;
    }
    return app_compile_shader(wanted->path, stage, wanted->emit == EMIT_IR, wanted->json);
}

int app_compile(const struct app_options *options)
{
    const char *target = options->target != NULL ? options->target : "milkymist-one";
    struct wanted wanted = {.emit = emit_of(options->emit),
                            .per_frame = options->program != NULL &&
                                         strcmp(options->program, "per_frame") == 0,
                            .json = options->json,
                            .scheduler = app_board_scheduler(options->scheduler),
                            .target = app_board_target(target)};
    if (options->input_count != 1) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "see 'froth help compile'",
                    "compile takes one preset, not %zu", options->input_count);
        return APP_EXIT_USAGE;
    }
    wanted.path = options->inputs[0];
    if (wants_shader(options)) {
        return compile_shader(options, &wanted);
    }
    return strcmp(target, "host") == 0 ? compile_for_host(&wanted) : compile_for_board(&wanted);
}
