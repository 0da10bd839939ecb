/* froth compile, and froth lab schedule, which sets its figures beside those of the thesis. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/lab/lab.h"
#include "app/loading/loading.h"
#include "app/options/options.h"
#include "base/arena.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "board/host/host.h"
#include "pfpu/compile/compile.h"
#include "pfpu/machine/machine.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/shade.h"
#include "renderer/shader/shader.h"

enum {
    MEGA = 1000000,
    PAPER_MHZ = 100, /* the clock that the hardware's papers count with */
};

/* What a program costs on the board. */
struct stats {
    const char *name; /* of the preset, which must stay */
    const char *target;
    const char *scheduler;
    const char *program;
    bool per_frame;        /* run once per frame, else for each vertex */
    bool equations_on_cpu; /* of per_frame: the CPU computes the equations, the program only what is
                              the same for all vertices */
    bool on_cpu;           /* no microcode: the rest but load_ms is 0 */
    unsigned operations;   /* VECTOUT included, as everywhere */
    unsigned words;        /* up to the VECTOUT, it included */
    unsigned stages;
    unsigned registers;
    unsigned critical_path;
    unsigned bound;       /* of the words */
    double per_operation; /* words */
    unsigned cycles;      /* of a vertex, or of the run per frame; writing included */
    unsigned columns;     /* vertices of a row; the machine runs columns + stages - 1 */
    unsigned mhz;         /* the target's clock */
    double load_ms;       /* compiling both programs took */
};

static struct stats stats_of(struct board_listing *patch, bool per_frame)
{
    const struct pfpu_board *board = patch->board;
    const struct pfpu_board_program *program = per_frame ? &board->frame : &board->vertex;
    struct stats stats = {.name = patch->preset.name,
                          .target = board->target->name,
                          .scheduler = pfpu_board_scheduler_names[board->scheduler],
                          .program = per_frame ? "per_frame" : "per_pixel",
                          .per_frame = per_frame,
                          .equations_on_cpu = per_frame && board->frame_host != NULL,
                          .on_cpu = program->fit != PFPU_FITS,
                          .columns = board->target->columns,
                          .mhz = board->target->hertz / MEGA,
                          .load_ms = 1e3 * patch->seconds};
    if (!stats.on_cpu) {
        const struct pfpu_microcode *microcode = &program->microcode;
        stats.operations = microcode->operations;
        stats.words = microcode->vectout + 1;
        stats.stages = microcode->stages;
        stats.registers = microcode->registers;
        stats.critical_path = pfpu_critical_path(board->target, &program->ir, &patch->arena) + 1;
        /* Several vertices in flight hide the latencies. */
        stats.bound = microcode->stages > 1 || stats.operations > stats.critical_path
                          ? stats.operations
                          : stats.critical_path;
        stats.per_operation = (double)stats.words / stats.operations;
        stats.cycles = pfpu_machine_vertex_cycles(microcode->vectout);
    }
    return stats;
}

/* Vertices per second in a whole mesh, with the runs that several vertices in flight cost each row.
 */
static double vertices_per_second(const struct stats *stats, unsigned mhz)
{
    const double runs = stats->columns + stats->stages - 1;
    return 1e6 * mhz * stats->columns / (stats->cycles * runs);
}

static void json_count(FILE *out, const char *key, double value)
{
    (void)fprintf(out, ",\"%s\":", key);
    base_json_count(out, (uint64_t)(value + 0.5));
}

static void print_cycles(FILE *out, const struct stats *stats)
{
    if (stats->per_frame) {
        (void)fprintf(out, "cycles              %u, once per frame\n", stats->cycles);
        return;
    }
    (void)fprintf(out, "cycles per vertex   %u, writing included\n", stats->cycles);
    (void)fprintf(out, "vertices per second %.0f at %u MHz, as the papers count",
                  vertices_per_second(stats, PAPER_MHZ), PAPER_MHZ);
    if (stats->mhz != PAPER_MHZ) {
        (void)fprintf(out, "; %.0f at the board's %u MHz", vertices_per_second(stats, stats->mhz),
                      stats->mhz);
    }
    (void)fputc('\n', out);
}

static void print_program(FILE *out, const struct stats *stats, bool json)
{
    if (json) {
        (void)fputs("{\"preset\":", out);
        base_json_string(out, stats->name);
        (void)fprintf(out, ",\"target\":\"%s\",\"scheduler\":\"%s\",\"program\":\"%s\",\"on_cpu\":",
                      stats->target, stats->scheduler, stats->program);
        base_json_bool(out, stats->on_cpu);
        if (stats->per_frame) {
            (void)fputs(",\"equations_on_cpu\":", out);
            base_json_bool(out, stats->equations_on_cpu);
        }
        if (!stats->on_cpu) {
            json_count(out, "instructions", stats->operations);
            json_count(out, "words", stats->words);
            (void)fputs(",\"cycles_per_instruction\":", out);
            base_json_number(out, stats->per_operation);
            json_count(out, "registers", stats->registers);
            json_count(out, "stages", stats->stages);
            json_count(out, "critical_path", stats->critical_path);
            json_count(out, "lower_bound", stats->bound);
            json_count(out, stats->per_frame ? "cycles" : "cycles_per_vertex", stats->cycles);
            if (!stats->per_frame) {
                json_count(out, "mhz", stats->mhz);
                json_count(out, "vertices_per_second", vertices_per_second(stats, stats->mhz));
                json_count(out, "vertices_per_second_at_100_mhz",
                           vertices_per_second(stats, PAPER_MHZ));
            }
        }
        (void)fputs(",\"compile_ms\":", out);
        base_json_number(out, stats->load_ms);
        (void)fputs("}\n", out);
        return;
    }
    (void)fputs("preset              ", out);
    base_plain(out, stats->name);
    (void)fprintf(out, "\ntarget, scheduler   %s, %s\n", stats->target, stats->scheduler);
    (void)fprintf(out, "program             %s\n", stats->program);
    if (stats->equations_on_cpu) {
        (void)fputs("equations           run on the board's CPU; the program is what is the same "
                    "for all vertices\n",
                    out);
    }
    if (stats->on_cpu) {
        (void)fputs("runs on             the board's CPU\n", out);
    } else {
        (void)fprintf(out, "instructions        %u (lower bound of the words)\n",
                      stats->operations);
        (void)fprintf(out, "critical path       %u (lower bound with one vertex at a time)\n",
                      stats->critical_path);
        (void)fprintf(out, "words               %u, a cycle each, %.2f for an instruction\n",
                      stats->words, stats->per_operation);
        if (stats->stages > 1) {
            (void)fprintf(out, "vertices in flight  %u; a row of %u takes %u runs\n", stats->stages,
                          stats->columns, stats->columns + stats->stages - 1);
        } else {
            (void)fprintf(out, "vertices in flight  1\n");
        }
        (void)fprintf(out, "registers           %u of 128\n", stats->registers);
        print_cycles(out, stats);
    }
    (void)fprintf(out, "compiled in         %.2f ms\n", stats->load_ms);
}

/* ---- froth compile for the pixel shaders of a preset ---- */

static const char *const stage_names[SHADER_STAGES] = {"warp", "comp"};

struct compiled {
    const struct preset *preset;
    enum shader_stage stage;
    const struct shader_program *program;
    double ms;
};

static void json_row(const char *key, size_t value)
{
    (void)printf(",\"%s\":", key);
    base_json_count(stdout, value);
}

static int print_ir(const struct compiled *compiled, bool json)
{
    struct base_arena arena = {0};
    const char *text = shader_dump(compiled->program, &arena);
    if (text == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory");
    } else if (json) {
        (void)fputs("{\"ir\":", stdout);
        base_json_string(stdout, text);
        (void)fputs("}\n", stdout);
    } else {
        (void)fputs(text, stdout);
    }
    base_arena_free(&arena);
    return text != NULL ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

static int print(const struct compiled *compiled, bool ir, bool json)
{
    if (ir) {
        return print_ir(compiled, json);
    }
    const struct shader_stats stats = shader_stats(compiled->program);
    if (json) {
        (void)fputs("{\"preset\":", stdout);
        base_json_string(stdout, compiled->preset->name);
        (void)printf(",\"program\":\"%s\"", stage_names[compiled->stage]);
        json_row("operations", stats.operations);
        json_row("frame_operations", stats.frame_operations);
        json_row("reads", stats.reads);
        json_row("loops", stats.loops);
        json_row("registers", stats.registers);
        (void)fputs(",\"ms_per_megapixel\":", stdout);
        base_json_number(stdout, stats.ms_per_megapixel);
        (void)fputs(",\"compile_ms\":", stdout);
        base_json_number(stdout, compiled->ms);
        (void)fputs("}\n", stdout);
    } else {
        (void)fputs("preset              ", stdout);
        base_plain(stdout, compiled->preset->name);
        (void)printf("\nprogram             %s\n", stage_names[compiled->stage]);
        (void)printf("operations          %zu per pixel\n", stats.operations);
        (void)printf("reads of textures   %zu per pixel\n", stats.reads);
        (void)printf("loops               %zu, counted with one round each\n", stats.loops);
        (void)printf("once per frame      %zu operations\n", stats.frame_operations);
        (void)printf("registers           %zu of %d pixels each\n", stats.registers, SHADER_TILE);
        (void)printf("estimate            %.1f ms for a megapixel\n", stats.ms_per_megapixel);
        (void)printf("compiled in         %.2f ms\n", compiled->ms);
    }
    return APP_EXIT_DONE;
}

/* Prints what a stage of the preset costs, or its intermediate form. Returns an exit code. */
static int compile(const struct preset *preset, enum shader_stage stage, bool ir, bool json)
{
    if ((stage == SHADER_WARP ? preset->warp_shader : preset->comp_shader) == 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "the preset has no %s shader: this stage has fixed function",
                    stage_names[stage]);
        return APP_EXIT_FAILED;
    }
    struct base_arena arena = {0};
    const struct base_source *text = rend_stage_text(stage, preset, &arena);
    if (text == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "not enough memory");
    }
    const double start = base_clock_seconds();
    struct shader_program *program =
        text != NULL ? shader_compile(stage, text, &base_diag_stderr) : NULL;
    const struct compiled compiled = {preset, stage, program, (base_clock_seconds() - start) * 1e3};
    const int result = program != NULL ? print(&compiled, ir, json) : APP_EXIT_FAILED;
    shader_free(program);
    base_arena_free(&arena);
    return result;
}

/* ---- froth compile for equations ---- */

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
    struct pfpu_dumper dumper; /* letters NULL: no dumps */
    bool dumps_only;
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
    base_json_string(stdout, text);
    (void)printf("}\n");
    return APP_EXIT_DONE;
}

/* Prints the wanted program after a pass. */
static void show(void *user, const struct pfpu_snapshot *snapshot)
{
    const struct wanted *wanted = user;
    if ((strcmp(snapshot->program, "per_frame") == 0) != wanted->per_frame) {
        return;
    }
    struct base_arena arena = {0};
    const char *text = pfpu_snapshot_text(snapshot, &arena);
    if (text == NULL) {
        (void)refuse_memory();
    } else if (wanted->json) {
        (void)printf("{\"program\":\"%s\",\"pass\":\"%s\",\"text\":", snapshot->program,
                     snapshot->pass);
        base_json_string(stdout, text);
        (void)fputs("}\n", stdout);
    } else {
        (void)printf("; %s after %s\n%s\n", snapshot->program, snapshot->pass, text);
    }
    base_arena_free(&arena);
}

static const struct pfpu_dumper *dumper_of(const struct wanted *wanted)
{
    return wanted->dumper.letters != NULL ? &wanted->dumper : NULL;
}

/* ---- the board ---- */

static const char *program_text(const struct wanted *wanted, struct board_listing *patch,
                                const struct pfpu_board_program *program)
{
    const struct pfpu_key_names names = board_listing_key_names(patch);
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

static int compile_for_board(const struct wanted *wanted)
{
    struct board_listing patch;
    int result = APP_EXIT_FAILED;
    const bool fits = board_listing_load(&patch, wanted->path, wanted->target, wanted->scheduler,
                                         dumper_of(wanted), &base_diag_stderr) == 0 &&
                      patch.board != NULL;
    if (fits && wanted->dumps_only) {
        result = APP_EXIT_DONE;
    } else if (fits && wanted->emit == EMIT_STATS) {
        const struct stats stats = stats_of(&patch, wanted->per_frame);
        print_program(stdout, &stats, wanted->json);
        result = APP_EXIT_DONE;
    } else if (fits) {
        const struct pfpu_board_program *program =
            wanted->per_frame ? &patch.board->frame : &patch.board->vertex;
        if (program->fit != PFPU_FITS && wanted->emit != EMIT_IR) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = wanted->path},
                        NULL, "the board's CPU runs this program: there is no microcode");
        } else {
            result = print_text(wanted, program_text(wanted, &patch, program));
        }
    }
    board_listing_free(&patch);
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

static int compile_for_host(const struct wanted *wanted)
{
    static const char *const missing[EMITS] = {
        [EMIT_HEX] = "words", [EMIT_REGS] = "registers", [EMIT_SCHEDULE] = "cycles"};
    if (missing[wanted->emit] != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "give --target milkymist-one",
                    "the host has no %s", missing[wanted->emit]);
        return APP_EXIT_USAGE;
    }
    struct preset preset;
    if (preset_read_file(&preset, wanted->path, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    struct app_errors errors = {.next = &base_diag_stderr};
    const struct base_diag_sink sink = app_errors_sink(&errors);
    int result = APP_EXIT_FAILED;
    struct rend_patch *patch = rend_patch_create_dumping(&preset, NULL, dumper_of(wanted), &sink);
    if (patch != NULL) {
        result = wanted->dumps_only ? APP_EXIT_DONE : emit_host(wanted, patch);
        rend_patch_free(patch);
    }
    preset_free(&preset);
    return errors.count == 0 ? result : APP_EXIT_FAILED;
}

/* Shaders are for the host, whatever the target. */
static int compile_shader(const struct app_options *options, const struct wanted *wanted)
{
    if (options->dump != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "give --emit ir",
                    "--dump is for equations, not for shaders");
        return APP_EXIT_USAGE;
    }
    const enum shader_stage stage = options->program[0] == 'w' ? SHADER_WARP : SHADER_COMP;
    if (wanted->emit != EMIT_STATS && wanted->emit != EMIT_IR) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "give --emit stats or ir",
                    "a shader has no %s", emit_names[wanted->emit]);
        return APP_EXIT_USAGE;
    }
    struct preset preset;
    if (preset_read_file(&preset, wanted->path, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    const int result = compile(&preset, stage, wanted->emit == EMIT_IR, wanted->json);
    preset_free(&preset);
    return result;
}

int app_compile(const struct app_options *options)
{
    const char *target = options->target != NULL ? options->target : "milkymist-one";
    struct wanted wanted = {.emit = EMIT_STATS,
                            .per_frame = options->program != NULL &&
                                         strcmp(options->program, "per_frame") == 0,
                            .json = options->json,
                            .scheduler = board_scheduler(options->scheduler),
                            .target = board_target(target)};
    if (options->input_count != 1) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "see 'froth help compile'",
                    "compile takes one preset, not %zu", options->input_count);
        return APP_EXIT_USAGE;
    }
    for (const char *letter = options->dump; letter != NULL && *letter != '\0'; letter++) {
        if (pfpu_pass_name(*letter) == NULL) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "see 'froth help compile'",
                        "--dump: no pass has the letter '%c'", *letter);
            return APP_EXIT_USAGE;
        }
    }
    for (int i = 0; options->emit != NULL && i < EMITS; i++) {
        wanted.emit = strcmp(emit_names[i], options->emit) == 0 ? (enum emit)i : wanted.emit;
    }
    if (app_refuse_sounds(options, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    wanted.path = options->inputs[0];
    wanted.dumper = (struct pfpu_dumper){options->dump, show, &wanted};
    wanted.dumps_only = options->dump != NULL && options->emit == NULL;
    if (options->program != NULL &&
        (strcmp(options->program, "warp") == 0 || strcmp(options->program, "comp") == 0)) {
        return compile_shader(options, &wanted);
    }
    return strcmp(target, "host") == 0 ? compile_for_host(&wanted) : compile_for_board(&wanted);
}

/* ---- froth lab schedule: the thesis' scheduling table, with our schedulers beside ---- */

struct measured {
    const char *name;
    unsigned thesis_operations;
    unsigned thesis_cycles;
    unsigned first_operations;
    unsigned first_words_thesis;
    unsigned first_words;
    unsigned first_best_words;
};

static const struct measured measured_rows[] = {
#define APP_MEASURED(...) {__VA_ARGS__},
#include "app/lab/schedule.def"
};

/* One preset with one machine's latencies. */
struct row {
    struct board_listing patches[PFPU_BOARD_SCHEDULERS];
    struct stats stats[PFPU_BOARD_SCHEDULERS]; /* where the preset compiles */
    const struct measured *measured;
    bool thesis;
};

struct table {
    const struct pfpu_target *target;
    bool thesis; /* it has the latencies of the thesis */
    bool json;
    bool headed;
};

static bool compiles(const struct row *row, int scheduler)
{
    return row->patches[scheduler].board != NULL;
}

/* False if the preset cannot be read. */
static bool load_row(struct row *row, const struct table *table, const char *path)
{
    *row = (struct row){.thesis = table->thesis};
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        struct board_listing *patch = &row->patches[i];
        /* The thesis comes first: what is to be said about a preset is said once. */
        const bool first = table->thesis && i == 0;
        if (board_listing_load(patch, path, table->target, (enum pfpu_board_scheduler)i, NULL,
                               first ? &base_diag_stderr : NULL) != 0) {
            return false;
        }
        if (patch->board != NULL) {
            row->stats[i] = stats_of(patch, false);
        }
    }
    const char *name = row->patches[0].preset.name;
    for (size_t i = 0; i < sizeof measured_rows / sizeof *measured_rows; i++) {
        const char *beginning = measured_rows[i].name;
        if (row->measured == NULL && strncmp(name, beginning, strlen(beginning)) == 0) {
            row->measured = &measured_rows[i];
        }
    }
    return true;
}

static void print_head(const struct table *table)
{
    (void)fputs(
        table->thesis
            ? "thesis: its figures; first: words of the board's first compiler, greedy and "
              "best;\nw/op: words for each operation; path: critical path, of the smallest form; "
              "over: words\nabove the larger of operations and path and two to drain; K: "
              "vertices in flight;\ncycles: of a vertex, writing included\n\nlatencies of "
              "the thesis "
              "(addition 4, product 5)\n"
            : "\nlatencies of the chip (addition 5, product 7)\n",
        stdout);
    (void)printf("%-28s|%-17s|%-13s|%-24s|%-32s|%s\n", "", " thesis", " first", " plain program",
                 " small program", " small program");
    (void)printf(
        "%-28s| %4s %5s %5s | %5s %5s | %4s %4s %6s %5s | %4s %4s %8s %5s %5s | %9s %2s %6s\n",
        "preset", "ops", "cyc", "c/op", "words", "best", "ops", "path", "greedy", "w/op", "ops",
        "path", "critical", "w/op", "over", "pipelined", "K", "cycles");
}

static void print_row(const struct row *row)
{
    const struct stats *pipelined = &row->stats[PFPU_BOARD_PIPELINED];
    base_plain_cell(stdout, row->patches[0].preset.name, 28);
    const struct measured *known = row->measured;
    if (known == NULL) {
        (void)printf("| %4s %5s %5s | %5s %5s ", "", "", "", "", "");
    } else if (row->thesis) {
        (void)printf("| %4u %5u %5.2f | %5u %5s ", known->thesis_operations, known->thesis_cycles,
                     (double)known->thesis_cycles / known->thesis_operations,
                     known->first_words_thesis, "");
    } else {
        (void)printf("| %4s %5s %5s | %5u %5u ", "", "", "", known->first_words,
                     known->first_best_words);
    }
    const struct stats *stats = &row->stats[PFPU_BOARD_GREEDY];
    if (compiles(row, PFPU_BOARD_GREEDY)) {
        (void)printf("| %4u %4u %6u %5.2f ", stats->operations, stats->critical_path, stats->words,
                     stats->per_operation);
    } else {
        (void)printf("| %-22s ", "does not compile");
    }
    if (compiles(row, PFPU_BOARD_CRITICAL)) {
        const struct stats *critical = &row->stats[PFPU_BOARD_CRITICAL];
        const struct pfpu_board *board = row->patches[PFPU_BOARD_CRITICAL].board;
        const unsigned larger = board->operations > board->path ? board->operations : board->path;
        const double over = 100.0 * ((double)critical->words / (larger + 2) - 1);
        (void)printf("| %4u %4u %8u %5.2f %4.1f%% ", board->operations, board->path,
                     critical->words, critical->per_operation, over);
    } else {
        (void)printf("| %-30s ", "does not compile");
    }
    if (compiles(row, PFPU_BOARD_PIPELINED)) {
        (void)printf("| %9u %2u %6u\n", pipelined->words, pipelined->stages, pipelined->cycles);
    } else {
        (void)puts("| does not compile");
    }
}

static void print_object(const struct row *row)
{
    (void)fputs("{\"preset\":", stdout);
    base_json_string(stdout, row->patches[0].preset.name);
    (void)printf(",\"latencies\":\"%s\"", row->thesis ? "thesis" : "chip");
    const struct measured *known = row->measured;
    if (known == NULL) {
        (void)fputs(",\"measured\":null", stdout);
    } else if (row->thesis) {
        (void)printf(",\"measured\":{\"thesis_operations\":%u,\"thesis_cycles\":%u,"
                     "\"first_operations\":%u,\"first_words\":%u}",
                     known->thesis_operations, known->thesis_cycles, known->first_operations,
                     known->first_words_thesis);
    } else {
        (void)printf(",\"measured\":{\"first_operations\":%u,\"first_words\":%u,"
                     "\"first_best_words\":%u}",
                     known->first_operations, known->first_words, known->first_best_words);
    }
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        const struct stats *stats = &row->stats[i];
        (void)printf(",\"%s\":", pfpu_board_scheduler_names[i]);
        if (!compiles(row, i)) {
            (void)fputs("null", stdout);
            continue;
        }
        const struct pfpu_board *board = row->patches[i].board;
        (void)printf("{\"operations\":%u,\"critical_path\":%u,\"words\":%u,\"stages\":%u,"
                     "\"registers\":%u,\"cycles_per_vertex\":%u,\"smallest\":{\"operations\":%u,"
                     "\"critical_path\":%u}}",
                     stats->operations, stats->critical_path, stats->words, stats->stages,
                     stats->registers, stats->cycles, board->operations, board->path);
    }
    (void)fputs("}\n", stdout);
}

/* Returns whether every preset compiles with every scheduler. */
static bool print_table(const struct preset_list *list, struct table table)
{
    bool all = true;
    for (size_t i = 0; i < list->count; i++) {
        struct row row;
        const bool read = load_row(&row, &table, list->paths[i]);
        if (read && table.json) {
            print_object(&row);
        } else if (read) {
            if (!table.headed) {
                print_head(&table);
                table.headed = true;
            }
            print_row(&row);
        }
        for (int k = 0; k < PFPU_BOARD_SCHEDULERS; k++) {
            all = all && read && compiles(&row, k);
        }
        for (int k = 0; k < PFPU_BOARD_SCHEDULERS; k++) {
            board_listing_free(&row.patches[k]);
        }
    }
    return all;
}

int app_lab_schedule(const struct app_options *options)
{
    struct preset_list list;
    int result = app_lab_presets(options, &list);
    if (result != APP_EXIT_USAGE) {
        const struct table thesis = {&pfpu_target_thesis, true, options->json, false};
        const struct table chip = {&pfpu_target_milkymist_one, false, options->json, false};
        const bool one = print_table(&list, thesis);
        const bool other = print_table(&list, chip);
        result = one && other ? result : APP_EXIT_FAILED;
    }
    preset_list_free(&list);
    return result;
}
