#include "app/lab_raw.h"

#include <inttypes.h>

#include "app/lab_programs.h"
#include "pfpu/pfpu.h"

/* To be freed if it is true. */
static bool open_text(struct base_file *file, struct app_lab_reader *reader, const char *path)
{
    if (base_file_load(file, path, APP_LAB_FILE_MAX, &base_diag_stderr) != 0) {
        return false;
    }
    app_lab_reader_begin(reader, path, (struct base_span){file->data, file->size},
                         &base_diag_stderr);
    reader->comments = ";#";
    return true;
}

static bool load_code(struct pfpu_machine *machine, const char *path)
{
    struct base_file file;
    struct app_lab_reader reader;
    if (!open_text(&file, &reader, path)) {
        return false;
    }
    uint32_t code[PFPU_MACHINE_WORDS];
    const size_t count = app_lab_read_code(&reader, code);
    app_lab_reader_end(&reader);
    base_file_free(&file);
    pfpu_machine_load(machine, code, count);
    return count > 0;
}

static bool load_registers(struct pfpu_machine *machine, const char *path)
{
    struct base_file file;
    struct app_lab_reader reader;
    if (!open_text(&file, &reader, path)) {
        return false;
    }
    const bool fits = app_lab_read_registers(&reader, machine);
    base_file_free(&file);
    return fits;
}

/* The address tells A from B: the mesh stands at 0. */
static void print_word(void *user, uint32_t address, uint32_t data)
{
    (void)user;
    (void)printf("%08" PRIx32 "%c", data, address % PFPU_MACHINE_VERTEX == 0 ? ' ' : '\n');
}

static void print_json_word(void *user, uint32_t address, uint32_t data)
{
    (void)user;
    const bool first = address % PFPU_MACHINE_VERTEX == 0;
    (void)printf("%s\"%08" PRIx32 "\"%s",
                 address == 0 ? "{\"vertices\":[["
                 : first      ? ",["
                              : ",",
                 data, first ? "" : "]");
}

static void print_json_end(const struct pfpu_machine *machine)
{
    (void)printf("],\"collisions\":%" PRIu32 ",\"stray\":%" PRIu32 ",\"cycles\":%" PRIu64 "}\n",
                 machine->collisions, machine->stray_writes, machine->cycles);
}

int app_lab_run_raw(const struct app_options *options)
{
    struct pfpu_machine machine;
    pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
    if (!load_code(&machine, options->hex) ||
        (options->regs != NULL && !load_registers(&machine, options->regs))) {
        return APP_EXIT_FAILED;
    }
    const struct app_size mesh = app_options_mesh(options);
    machine.last_column = (uint32_t)mesh.width - 1;
    machine.last_row = (uint32_t)mesh.height - 1;
    const struct pfpu_machine_bus bus = {options->json ? print_json_word : print_word, NULL};
    if (!pfpu_machine_run(&machine, &bus)) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){options->hex, 0, 0},
                    "a program ends with VECTOUT", "the program never comes to VECTOUT");
        return APP_EXIT_FAILED;
    }
    if (options->json) {
        print_json_end(&machine);
    }
    return APP_EXIT_DONE;
}
