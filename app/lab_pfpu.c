#include "app/lab.h"

#include <stdlib.h>

#include "app/lab_programs.h"
#include "app/lab_raw.h"
#include "app/lab_report.h"
#include "pfpu/pfpu.h"

/* Where the recorded runs write, spec/pfpu.md section 9. */
static const uint32_t mesh_base = 0x40100000u;

struct comparison {
    const struct app_lab_program *program;
    struct app_lab_report *report;
    size_t written;
};

static void differ(struct comparison *comparison, enum app_lab_section section, const char *what,
                   struct app_lab_word expected, struct app_lab_word got)
{
    const struct app_lab_program *program = comparison->program;
    struct app_lab_mismatch mismatch = {
        .line = program->lines[section], .expected = expected, .got = got, .care = UINT32_MAX};
    (void)snprintf(mismatch.what, sizeof mismatch.what, "program %u %s", program->number, what);
    app_lab_report_add(comparison->report, &mismatch);
}

static void compare_number(struct comparison *comparison, enum app_lab_section section,
                           const char *what, uint32_t expected, uint32_t got)
{
    if (expected != got) {
        differ(comparison, section, what, (struct app_lab_word){true, expected},
               (struct app_lab_word){true, got});
    }
}

static void receive(void *user, uint32_t address, uint32_t data)
{
    struct comparison *comparison = user;
    const struct app_lab_program *program = comparison->program;
    const size_t i = comparison->written++;
    if (program->lines[APP_LAB_DMA] == 0) {
        return;
    }
    char what[APP_LAB_WHAT_MAX];
    if (i < program->write_count && program->addresses[i] != address) {
        (void)snprintf(what, sizeof what, "address of write %zu", i);
        compare_number(comparison, APP_LAB_DMA, what, program->addresses[i], address);
        return;
    }
    const struct app_lab_word expected = {
        .given = i < program->write_count,
        .value = i < program->write_count ? program->data[i] : 0,
    };
    if (!expected.given || expected.value != data) {
        (void)snprintf(what, sizeof what, "dma %08x", address);
        differ(comparison, APP_LAB_DMA, what, expected, (struct app_lab_word){true, data});
    }
}

static void compare_missing(struct comparison *comparison)
{
    const struct app_lab_program *program = comparison->program;
    for (size_t i = comparison->written; i < program->write_count; i++) {
        char what[APP_LAB_WHAT_MAX];
        (void)snprintf(what, sizeof what, "dma %08x", program->addresses[i]);
        differ(comparison, APP_LAB_DMA, what, (struct app_lab_word){true, program->data[i]},
               (struct app_lab_word){0});
    }
}

static void compare_end(struct comparison *comparison, const struct pfpu_machine *machine)
{
    const struct app_lab_program *program = comparison->program;
    if (program->lines[APP_LAB_COUNTERS] != 0) {
        compare_number(comparison, APP_LAB_COUNTERS, "vertices", program->vertices,
                       machine->vertices);
        compare_number(comparison, APP_LAB_COUNTERS, "collisions", program->collisions,
                       machine->collisions);
        compare_number(comparison, APP_LAB_COUNTERS, "stray", program->stray_writes,
                       machine->stray_writes);
    }
    for (unsigned i = 0; i < program->final_count; i++) {
        char what[APP_LAB_WHAT_MAX];
        (void)snprintf(what, sizeof what, "r%u", i + PFPU_MACHINE_CONDITION);
        compare_number(comparison, APP_LAB_FINAL, what, program->final[i],
                       machine->registers[i + PFPU_MACHINE_CONDITION]);
    }
}

static void run_program(struct app_lab_reader *reader, const struct app_lab_program *program,
                        struct app_lab_report *report)
{
    struct pfpu_machine machine;
    pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
    pfpu_machine_load(&machine, program->code, program->code_count);
    for (unsigned i = 0; i < program->init_count; i++) {
        pfpu_machine_set_register(&machine, i + PFPU_MACHINE_CONDITION, program->init[i]);
    }
    machine.mesh_base = mesh_base;
    machine.last_column = program->last_column;
    machine.last_row = program->last_row;
    struct comparison comparison = {.program = program, .report = report};
    const struct pfpu_machine_bus bus = {receive, &comparison};
    if (!pfpu_machine_run(&machine, &bus)) {
        const struct base_source_line code = {base_span_of("code"), program->lines[APP_LAB_CODE],
                                              1};
        app_lab_refuse(reader, &code, "never comes to VECTOUT", NULL);
        return;
    }
    compare_missing(&comparison);
    compare_end(&comparison, &machine);
}

static int check(struct app_lab_reader *reader, struct app_lab_program *program, FILE *out,
                 bool json)
{
    struct app_lab_report report = {0};
    while (app_lab_next_program(reader, program)) {
        if (program->whole) {
            run_program(reader, program, &report);
            report.cases++;
        }
    }
    app_lab_reader_end(reader);
    if (report.cases == 0 && reader->errors == 0) {
        base_report(reader->sink, BASE_ERROR, (struct base_place){reader->file, 0, 0}, NULL,
                    "there are no programs to compare");
    }
    app_lab_report_print(&report, out, "pfpu", "programs", json);
    const bool agrees = report.mismatches == 0 && reader->errors == 0 && report.cases > 0;
    return agrees ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

int app_lab_check_programs(const char *file, struct base_span text, FILE *out, bool json,
                           const struct base_diag_sink *sink)
{
    struct app_lab_program *program = malloc(sizeof *program);
    if (program == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL, "not enough memory");
        return APP_EXIT_FAILED;
    }
    struct app_lab_reader reader;
    app_lab_reader_begin(&reader, file, text, sink);
    const int result = check(&reader, program, out, json);
    free(program);
    return result;
}

static int check_file(const char *path, bool json)
{
    struct base_file file;
    if (base_file_load(&file, path, APP_LAB_FILE_MAX, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    const int result = app_lab_check_programs(path, (struct base_span){file.data, file.size},
                                              stdout, json, &base_diag_stderr);
    base_file_free(&file);
    return result;
}

int app_lab_pfpu(const struct app_options *options)
{
    const size_t files = options->input_count - 1;
    if (options->hex != NULL) {
        return files == 0 ? app_lab_run_raw(options)
                          : app_lab_refuse_usage(options, "it takes --hex or a file of programs");
    }
    if (options->regs != NULL || options->mesh.width > 0) {
        return app_lab_refuse_usage(options, "--regs and --mesh need --hex");
    }
    if (files != 1) {
        return app_lab_refuse_usage(options, "it takes one file of programs, or --hex");
    }
    return check_file(options->inputs[1], options->json);
}
