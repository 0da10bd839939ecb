#include "app/lab/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/text_reader.h"
#include "app/lab/lab.h"
#include "app/options/options.h"
#include "base/os/print.h"
#include "pfpu/microcode/listing.h"
#include "pfpu/pfpu.h"

enum { CODE_BITS = 25 };

static const char word_hint[] = "a word is 1 to 8 hex digits";
static const char code_hint[] = "an instruction word has 25 bits, in hex";

static bool refuse(struct app_text_reader *reader, const struct base_source_line *word,
                   const char *why, const char *hint)
{
    app_text_refuse(reader, word, why, hint);
    return false;
}

/* Where words go, and which are taken. */
struct list {
    uint32_t *values;
    size_t *count;
    size_t max;
    unsigned bits; /* of a word */
    const char *hint;
};

/* Takes the rest of the line. */
static bool read_words(struct app_text_reader *reader, struct base_source_line line,
                       struct list list)
{
    struct base_source_line word;
    while (app_text_next_word(&line, "", &word)) {
        uint32_t value = 0;
        if (*list.count == list.max) {
            return refuse(reader, &word, "is one word too many", NULL);
        }
        if (!app_text_hex(word.text, &value) || (uint64_t)value >> list.bits != 0) {
            return refuse(reader, &word, "is no word", list.hint);
        }
        list.values[(*list.count)++] = value;
    }
    return true;
}

/* A number with its name in front. */
struct pair {
    const char *name;
    uint32_t *value;
    uint32_t limit;
};

static bool read_pairs(struct app_text_reader *reader, struct base_source_line line,
                       const struct pair *pairs, size_t count, const char *hint)
{
    for (size_t i = 0; i < count; i++) {
        struct base_source_line word;
        (void)app_text_next_word(&line, "", &word);
        if (!base_span_equal(word.text, base_span_of(pairs[i].name))) {
            return refuse(reader, &word, "is not expected here", hint);
        }
        (void)app_text_next_word(&line, "", &word);
        if (!app_text_decimal(word.text, pairs[i].limit, pairs[i].value)) {
            return refuse(reader, &word, "is no number or too large", hint);
        }
    }
    struct base_source_line word;
    return !app_text_next_word(&line, "", &word) ||
           refuse(reader, &word, "is not expected here", hint);
}

static bool read_program(struct app_text_reader *reader, struct app_lab_program *program,
                         struct base_source_line line)
{
    const struct pair pairs[] = {
        {"words", &program->words, PFPU_MACHINE_WORDS},
        {"hmeshlast", &program->last_column, PFPU_MACHINE_SIDE - 1},
        {"vmeshlast", &program->last_row, PFPU_MACHINE_SIDE - 1},
    };
    struct base_source_line number;
    (void)app_text_next_word(&line, "", &number);
    if (!app_text_decimal(number.text, UINT32_MAX, &program->number)) {
        return refuse(reader, &number, "is no number", "program N words N hmeshlast N vmeshlast N");
    }
    return read_pairs(reader, line, pairs, sizeof pairs / sizeof pairs[0],
                      "program N words 1 to 2048 hmeshlast 0 to 127 vmeshlast 0 to 127");
}

static bool read_dma(struct app_text_reader *reader, struct app_lab_program *program,
                     struct base_source_line line)
{
    struct base_source_line word;
    while (app_text_next_word(&line, "", &word)) {
        const size_t i = program->write_count;
        if (i == APP_LAB_WRITES) {
            return refuse(reader, &word, "is one word too many", NULL);
        }
        struct base_source_line rest = word;
        struct base_source_line part;
        if (!app_text_next_word(&rest, ":", &part) ||
            !app_text_hex(part.text, &program->addresses[i]) ||
            !app_text_next_word(&rest, ":", &part) || !app_text_hex(part.text, &program->data[i]) ||
            app_text_next_word(&rest, ":", &part)) {
            return refuse(reader, &word, "is no word written", "address:word, in hex");
        }
        program->write_count++;
    }
    return true;
}

static bool read_counters(struct app_text_reader *reader, struct app_lab_program *program,
                          struct base_source_line line)
{
    const struct pair pairs[] = {
        {"vertices", &program->vertices, UINT32_MAX},
        {"collisions", &program->collisions, UINT32_MAX},
        {"stray", &program->stray_writes, UINT32_MAX},
    };
    return read_pairs(reader, line, pairs, sizeof pairs / sizeof pairs[0],
                      "counters vertices N collisions N stray N");
}

#define LIST(name, values, max, bits, hint)                                                        \
    {                                                                                              \
        name, NULL, offsetof(struct app_lab_program, values),                                      \
            offsetof(struct app_lab_program, values##_count), max, bits, hint                      \
    }

static const struct section {
    const char *name;
    bool (*read)(struct app_text_reader *reader, struct app_lab_program *program,
                 struct base_source_line line); /* NULL: a list of words */
    size_t values;                              /* where the list goes in the program */
    size_t count;
    size_t max;
    unsigned bits;
    const char *hint;
} sections[APP_LAB_SECTION_COUNT] = {
    [APP_LAB_PROGRAM] = {.name = "program", .read = read_program},
    [APP_LAB_INIT] = LIST("init", init, APP_LAB_FREE, 32, word_hint),
    [APP_LAB_CODE] = LIST("code", code, PFPU_MACHINE_WORDS, CODE_BITS, code_hint),
    [APP_LAB_DMA] = {.name = "dma", .read = read_dma},
    [APP_LAB_COUNTERS] = {.name = "counters", .read = read_counters},
    [APP_LAB_FINAL] = LIST("final", final, APP_LAB_FREE, 32, word_hint),
};

static size_t section_of(struct base_span name)
{
    size_t i = 0;
    while (i < APP_LAB_SECTION_COUNT && !base_span_equal(name, base_span_of(sections[i].name))) {
        i++;
    }
    return i;
}

static bool read_section(struct app_text_reader *reader, struct app_lab_program *program,
                         struct base_source_line line)
{
    struct base_source_line name;
    (void)app_text_next_word(&line, "", &name);
    const size_t section = section_of(name.text);
    if (section == APP_LAB_SECTION_COUNT) {
        return refuse(reader, &name, "begins no line of a program",
                      "there are program, init, code, dma, counters and final");
    }
    if (section != APP_LAB_PROGRAM && program->lines[APP_LAB_PROGRAM] == 0) {
        return refuse(reader, &name, "belongs to no program",
                      "begin with program N words N hmeshlast N vmeshlast N");
    }
    if (program->lines[section] != 0) {
        return refuse(reader, &name, "stands here a second time", NULL);
    }
    program->lines[section] = line.line;
    const struct section *of = &sections[section];
    if (of->read != NULL) {
        return of->read(reader, program, line);
    }
    char *base = (char *)program;
    const struct list list = {(uint32_t *)(void *)(base + of->values),
                              (size_t *)(void *)(base + of->count), of->max, of->bits, of->hint};
    return read_words(reader, line, list);
}

/* Of a program that could be read line by line. */
static bool is_whole(struct app_text_reader *reader, const struct app_lab_program *program)
{
    const struct base_source_line name = {base_span_of(sections[APP_LAB_PROGRAM].name),
                                          program->lines[APP_LAB_PROGRAM], 1};
    if (program->code_count == 0 || program->code_count != program->words) {
        return refuse(reader, &name, "has not as many words of code as it says", NULL);
    }
    if (program->lines[APP_LAB_DMA] == 0 && program->lines[APP_LAB_COUNTERS] == 0 &&
        program->lines[APP_LAB_FINAL] == 0) {
        return refuse(reader, &name, "has nothing to compare", "dma, counters or final");
    }
    return true;
}

/* Reads the next program; what is wrong with it is reported and clears `whole`. False at the end of
 * the text. */
static bool next_program(struct app_text_reader *reader, struct app_lab_program *program)
{
    struct base_source_line line;
    bool found = false;
    memset(program, 0, offsetof(struct app_lab_program, init));
    program->whole = true;
    struct app_text_reader before = *reader;
    while (app_text_next_line(reader, &line)) {
        struct base_source_line rest = line;
        struct base_source_line name;
        if (found && app_text_next_word(&rest, "", &name) &&
            section_of(name.text) == APP_LAB_PROGRAM) {
            *reader = before;
            break;
        }
        found = true;
        program->whole = read_section(reader, program, line) && program->whole;
        before = *reader;
    }
    program->whole = found && program->whole && is_whole(reader, program);
    return found;
}

size_t app_lab_read_code(struct app_text_reader *reader, uint32_t *code)
{
    struct base_source_line line;
    size_t count = 0;
    const struct list list = {code, &count, PFPU_MACHINE_WORDS, CODE_BITS, code_hint};
    while (app_text_next_line(reader, &line)) {
        if (!read_words(reader, line, list) && count == PFPU_MACHINE_WORDS) {
            return 0;
        }
    }
    if (count == 0 && reader->errors == 0) {
        base_report(reader->sink, BASE_ERROR, (struct base_place){reader->file, 0, 0}, NULL,
                    "there are no instruction words");
    }
    return reader->errors == 0 ? count : 0;
}

static bool set_register(struct app_text_reader *reader, struct pfpu_machine *machine,
                         const struct base_source_line *word, uint32_t number, uint32_t value)
{
    if (number < PFPU_MACHINE_CONDITION || number >= PFPU_MACHINE_REGISTERS) {
        return refuse(reader, word, "cannot be set", "the registers of a program are 2 to 127");
    }
    pfpu_machine_set_register(machine, number, value);
    return true;
}

/* "r5 3f800000", once its number has been read. */
static bool read_assignment(struct app_text_reader *reader, struct pfpu_machine *machine,
                            const struct base_source_line *name, uint32_t number,
                            struct base_source_line line)
{
    struct base_source_line word;
    uint32_t value = 0;
    if (!app_text_next_word(&line, "=", &word) || !app_text_hex(word.text, &value)) {
        return refuse(reader, &word, "is no word", word_hint);
    }
    struct base_source_line more;
    if (app_text_next_word(&line, "=", &more)) {
        return refuse(reader, &more, "is not expected here", "one register on a line");
    }
    return set_register(reader, machine, name, number, value);
}

/* Words for the registers from *next on. */
static bool read_list(struct app_text_reader *reader, struct pfpu_machine *machine, uint32_t *next,
                      struct base_source_line line)
{
    struct base_source_line word;
    while (app_text_next_word(&line, "", &word)) {
        uint32_t value = 0;
        if (word.text.size < 8 || !app_text_hex(word.text, &value)) {
            return refuse(reader, &word, "is neither a register nor a word",
                          "lines as in 'r5 3f800000', or words of 8 hex digits");
        }
        if (!set_register(reader, machine, &word, (*next)++, value)) {
            return false;
        }
    }
    return true;
}

bool app_lab_read_registers(struct app_text_reader *reader, struct pfpu_machine *machine)
{
    struct base_source_line line;
    uint32_t next = PFPU_MACHINE_CONDITION;
    bool fits = true;
    while (fits && app_text_next_line(reader, &line)) {
        struct base_source_line rest = line;
        struct base_source_line name;
        uint32_t number = 0;
        (void)app_text_next_word(&rest, "=", &name);
        /* A register's number, with r in front or not; words of a list are longer. */
        struct base_span digits = name.text;
        if (digits.size > 0 && (digits.data[0] == 'r' || digits.data[0] == 'R')) {
            digits.data++;
            digits.size--;
        }
        if (digits.size <= 3 && app_text_decimal(digits, 999, &number)) {
            fits = read_assignment(reader, machine, &name, number, rest);
        } else {
            fits = read_list(reader, machine, &next, line);
        }
    }
    return fits;
}

/* `froth lab pfpu --hex`: running microcode. */

/* To be freed if it is true. */
static bool open_text(struct base_file *file, struct app_text_reader *reader, const char *path)
{
    if (base_file_load(file, path, APP_TEXT_FILE_MAX, &base_diag_stderr) != 0) {
        return false;
    }
    app_text_reader_begin(reader, path, (struct base_span){file->data, file->size},
                          &base_diag_stderr);
    reader->comments = ";#";
    return true;
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

/* Runs the program of --hex with the registers of --regs over --mesh vertices and prints what it
 * writes. Returns an enum app_exit. */
static int run_raw(const struct app_options *options)
{
    struct pfpu_machine machine;
    pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
    struct base_file file;
    struct app_text_reader reader;
    if (!open_text(&file, &reader, options->hex)) {
        return APP_EXIT_FAILED;
    }
    uint32_t code[PFPU_MACHINE_WORDS];
    const size_t count = app_lab_read_code(&reader, code);
    app_text_reader_end(&reader);
    base_file_free(&file);
    pfpu_machine_load(&machine, code, count);
    if (count == 0) {
        return APP_EXIT_FAILED;
    }
    if (options->regs != NULL) {
        if (!open_text(&file, &reader, options->regs)) {
            return APP_EXIT_FAILED;
        }
        const bool fits = app_lab_read_registers(&reader, &machine);
        base_file_free(&file);
        if (!fits) {
            return APP_EXIT_FAILED;
        }
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
        (void)printf("],\"collisions\":%" PRIu32 ",\"stray\":%" PRIu32 ",\"cycles\":%" PRIu64 "}\n",
                     machine.collisions, machine.stray_writes, machine.cycles);
    }
    return APP_EXIT_DONE;
}

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

static void run_program(struct app_text_reader *reader, const struct app_lab_program *program,
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
        app_text_refuse(reader, &code, "never comes to VECTOUT", NULL);
        return;
    }
    for (size_t i = comparison.written; i < program->write_count; i++) {
        char what[APP_LAB_WHAT_MAX];
        (void)snprintf(what, sizeof what, "dma %08x", program->addresses[i]);
        differ(&comparison, APP_LAB_DMA, what, (struct app_lab_word){true, program->data[i]},
               (struct app_lab_word){0});
    }
    if (program->lines[APP_LAB_COUNTERS] != 0) {
        compare_number(&comparison, APP_LAB_COUNTERS, "vertices", program->vertices,
                       machine.vertices);
        compare_number(&comparison, APP_LAB_COUNTERS, "collisions", program->collisions,
                       machine.collisions);
        compare_number(&comparison, APP_LAB_COUNTERS, "stray", program->stray_writes,
                       machine.stray_writes);
    }
    for (unsigned i = 0; i < program->final_count; i++) {
        char what[APP_LAB_WHAT_MAX];
        (void)snprintf(what, sizeof what, "r%u", i + PFPU_MACHINE_CONDITION);
        compare_number(&comparison, APP_LAB_FINAL, what, program->final[i],
                       machine.registers[i + PFPU_MACHINE_CONDITION]);
    }
}

int app_lab_check_programs(const char *file, struct base_span text, FILE *out, bool json,
                           const struct base_diag_sink *sink)
{
    struct app_lab_program *program = malloc(sizeof *program);
    if (program == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL, "not enough memory");
        return APP_EXIT_FAILED;
    }
    struct app_text_reader reader;
    app_text_reader_begin(&reader, file, text, sink);
    struct app_lab_report report = {0};
    while (next_program(&reader, program)) {
        if (program->whole) {
            run_program(&reader, program, &report);
            report.cases++;
        }
    }
    app_text_reader_end(&reader);
    if (report.cases == 0 && reader.errors == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL,
                    "there are no programs to compare");
    }
    app_lab_report_print(&report, out, "pfpu", "programs", json);
    const bool agrees = report.mismatches == 0 && reader.errors == 0 && report.cases > 0;
    const int result = agrees ? APP_EXIT_DONE : APP_EXIT_FAILED;
    free(program);
    return result;
}

int app_lab_pfpu(const struct app_options *options)
{
    const size_t files = options->input_count - 1;
    if (options->hex != NULL) {
        return files == 0 ? run_raw(options)
                          : app_lab_refuse_usage(options, "it takes --hex or a file of programs");
    }
    if (options->regs != NULL || options->mesh.width > 0) {
        return app_lab_refuse_usage(options, "--regs and --mesh need --hex");
    }
    if (files != 1) {
        return app_lab_refuse_usage(options, "it takes one file of programs, or --hex");
    }
    struct base_file file;
    const char *path = options->inputs[1];
    if (base_file_load(&file, path, APP_TEXT_FILE_MAX, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    const int result = app_lab_check_programs(path, (struct base_span){file.data, file.size},
                                              stdout, options->json, &base_diag_stderr);
    base_file_free(&file);
    return result;
}

/* From assembler text to words. */

/* Any name is one: words do not depend on what registers are called. */
static bool any_key(void *user, struct base_span name, int32_t *key)
{
    (void)user;
    (void)name;
    *key = 0;
    return true;
}

int app_lab_asm(const struct app_options *options)
{
    struct base_file file;
    struct pfpu_microcode microcode;
    struct base_arena arena = {0};
    const struct pfpu_key_table table = {any_key, NULL};
    if (options->input_count != 2) {
        return app_lab_refuse_usage(options, "it takes one file");
    }
    const char *path = options->inputs[1];
    int result = APP_EXIT_FAILED;
    if (base_file_load(&file, path, APP_TEXT_FILE_MAX, &base_diag_stderr) != 0) {
        return result;
    }
    if (pfpu_assemble((struct base_span){file.data, file.size}, path, &table, &arena,
                      &base_diag_stderr, &microcode) == 0) {
        const char *hex = pfpu_listing_hex(&microcode, &arena);
        if (hex == NULL) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                        "not enough memory");
        } else if (options->json) {
            (void)fputs("{\"hex\":", stdout);
            base_json_string(stdout, hex);
            (void)fputs("}\n", stdout);
        } else {
            (void)fputs(hex, stdout);
        }
        result = hex != NULL ? APP_EXIT_DONE : APP_EXIT_FAILED;
    }
    base_arena_free(&arena);
    base_file_free(&file);
    return result;
}
