#include <math.h>
#include <stdio.h>

#include "app/io/text_reader.h"
#include "app/lab/lab.h"
#include "base/os/print.h"
#include "pfpu/machine/machine.h"
#include "pfpu/microcode/words.h"
#include "pfpu/select/expand.h"

enum { ALU_FIELDS = 6, SINE_FIELDS = 3 };

static const char word_hint[] = "a word is 1 to 8 hex digits";

struct table {
    struct app_text_reader reader;
    struct app_lab_report report;
    const struct kind *kind;
};

/* What a table may hold. */
struct kind {
    const char *name;
    size_t fields;
    void (*compare)(struct table *table, const struct base_source_line *fields);
    const char *hint;
};

/* By the name of the hardware description or by the assembler's; PFPU_OPCODE_COUNT if unknown. */
static unsigned opcode_of(struct base_span text)
{
    static const struct {
        const char *name;
        const char *text;
    } names[] = {
#define PFPU_OPCODE(name, text, operands, arity, latency, thesis) {#name, text},
#include "pfpu/ir/opcodes.def"
    };
    unsigned i = 0;
    while (i < PFPU_OPCODE_COUNT &&
           !base_span_equal_nocase(text, base_span_of(names[i].name + strlen("WORD_"))) &&
           !base_span_equal_nocase(text, base_span_of(names[i].text))) {
        i++;
    }
    return i;
}

static bool read_word(struct table *table, const struct base_source_line *field, uint32_t *value)
{
    if (app_text_hex(field->text, value)) {
        return true;
    }
    app_text_refuse(&table->reader, field, "is no word", word_hint);
    return false;
}

static void compare_operation(struct table *table, const struct base_source_line *fields)
{
    const unsigned opcode = opcode_of(fields[0].text);
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t flag = 0;
    struct app_lab_mismatch row = {.line = fields[0].line, .expected.given = true};
    if (opcode == PFPU_OPCODE_COUNT) {
        app_text_refuse(&table->reader, &fields[0], "is no operation",
                        "they are called as in FADD, F2I, VECTOUT");
        return;
    }
    if (!read_word(table, &fields[1], &a) || !read_word(table, &fields[2], &b)) {
        return;
    }
    if (!app_text_decimal(fields[3].text, 1, &flag)) {
        app_text_refuse(&table->reader, &fields[3], "is no flag", "it is 0 or 1");
        return;
    }
    if (!read_word(table, &fields[4], &row.expected.value) ||
        !read_word(table, &fields[5], &row.care)) {
        return;
    }
    table->report.cases++;
    row.got = (struct app_lab_word){true, pfpu_alu(opcode, a, b, flag != 0)};
    if (((row.got.value ^ row.expected.value) & row.care) != 0) {
        (void)snprintf(row.what, sizeof row.what, "%.*s %08x %08x flag %u",
                       (int)fields[0].text.size, fields[0].text.data, a, b, flag);
        app_lab_report_add(&table->report, &row);
    }
}

/* One mismatch at most for a row, the sine first. */
static void compare_sines(struct table *table, const struct base_source_line *fields)
{
    static const struct {
        const char *name;
        enum pfpu_op op;
    } columns[] = {{"sine", PFPU_OP_WORD_SIN}, {"cosine", PFPU_OP_WORD_COS}};
    uint32_t index = 0;
    uint32_t expected[2] = {0};
    if (!app_text_decimal(fields[0].text, UINT32_MAX, &index)) {
        app_text_refuse(&table->reader, &fields[0], "is no index", "it is a whole number");
        return;
    }
    if (!read_word(table, &fields[1], &expected[0]) ||
        !read_word(table, &fields[2], &expected[1])) {
        return;
    }
    table->report.cases++;
    for (size_t i = 0; i < 2; i++) {
        const uint32_t got = pfpu_alu(pfpu_opcode_of_op(columns[i].op), index, 0, false);
        if (got != expected[i]) {
            struct app_lab_mismatch row = {.line = fields[0].line,
                                           .expected = {true, expected[i]},
                                           .got = {true, got},
                                           .care = UINT32_MAX};
            (void)snprintf(row.what, sizeof row.what, "%s of %u", columns[i].name, index);
            app_lab_report_add(&table->report, &row);
            return;
        }
    }
}

static const struct kind operations = {
    "alu", ALU_FIELDS, compare_operation,
    "six fields: opcode_name,a_hex,b_hex,r2_flag,result_hex,care_hex"};
static const struct kind sines = {"sincos", SINE_FIELDS, compare_sines,
                                  "three fields: index,sin_hex,cos_hex"};

/* Settles by the first line what the table holds. Returns true if the line is a heading: it begins
 * with neither an operation nor a number, and there is no word behind it. */
static bool settle(struct table *table, const struct base_source_line *fields, size_t count)
{
    uint32_t ignored = 0;
    const bool operation = opcode_of(fields[0].text) != PFPU_OPCODE_COUNT;
    const bool number = app_text_decimal(fields[0].text, UINT32_MAX, &ignored);
    const bool heading =
        !operation && !number && (count < 2 || !app_text_hex(fields[1].text, &ignored));
    table->kind = number || (heading && count == SINE_FIELDS) ? &sines : &operations;
    return heading && count == table->kind->fields;
}

int app_lab_check_alu(const char *file, struct base_span text, FILE *out, bool json,
                      const struct base_diag_sink *sink)
{
    struct table table = {0};
    struct base_source_line line;
    app_text_reader_begin(&table.reader, file, text, sink);
    while (app_text_next_line(&table.reader, &line)) {
        struct base_source_line fields[ALU_FIELDS];
        const size_t count = app_text_split(line, fields, ALU_FIELDS);
        if (table.kind == NULL && settle(&table, fields, count)) {
            continue;
        }
        if (count == table.kind->fields) {
            table.kind->compare(&table, fields);
        } else {
            app_text_refuse(&table.reader, &line, "has another number of fields", table.kind->hint);
        }
    }
    app_text_reader_end(&table.reader);
    if (table.report.cases == 0 && table.reader.errors == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, operations.hint,
                    "there are no rows to compare");
    }
    app_lab_report_print(&table.report, out, (table.kind != NULL ? table.kind : &operations)->name,
                         "rows", json);
    const bool agrees = table.report.mismatches == 0 && table.reader.errors == 0;
    return agrees && table.report.cases > 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

int app_lab_alu(const struct app_options *options)
{
    if (options->input_count != 2) {
        return app_lab_refuse_usage(options, "it takes one table");
    }
    struct base_file file;
    if (base_file_load(&file, options->inputs[1], APP_TEXT_FILE_MAX, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    const int result =
        app_lab_check_alu(options->inputs[1], (struct base_span){file.data, file.size}, stdout,
                          options->json, &base_diag_stderr);
    base_file_free(&file);
    return result;
}

/* How exact the functions are that the coprocessor makes of several operations. */

/* Every 4th mantissa of two octaves. */
enum { SAMPLES = 1 << 22, STEP = 4, BATCH = 4096, FIRST_WORD = 0x3f800000 };

struct function {
    const char *name;
    int32_t (*one)(struct pfpu_builder *builder, int32_t x);
    int32_t (*two)(struct pfpu_builder *builder, int32_t a, int32_t b); /* 3 / x */
    double (*exact)(double x);
    double published; /* the thesis' largest relative error; 0: none */
    bool plain;
};

static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

static double three_over(double x)
{
    return 3 / x;
}

static const struct function functions[] = {
    {"invsqrt, thesis' form", pfpu_expand_thesis_invsqrt, NULL, inverse_root, 4.66e-6, true},
    {"invsqrt", pfpu_expand_invsqrt, NULL, inverse_root, 4.66e-6, false},
    {"sqrt, thesis' form", pfpu_expand_thesis_sqrt, NULL, sqrt, 0, true},
    {"sqrt", pfpu_expand_sqrt, NULL, sqrt, 0, false},
    {"division, thesis' form", NULL, pfpu_expand_thesis_divide, three_over, 9.32e-6, true},
    {"division", NULL, pfpu_expand_divide, three_over, 9.32e-6, false},
};

struct bench {
    struct pfpu_ir ir;
    struct pfpu_builder builder;
    int32_t key;
    unsigned operations;
};

/* Makes a program of the function and runs it. Returns the largest relative error; negative without
 * memory. */
static double measure(const struct function *function, struct bench *bench,
                      struct base_arena *arena)
{
    struct pfpu_builder *builder = &bench->builder;
    pfpu_builder_init(builder, &bench->ir, function->plain, arena, arena);
    bench->key = pfpu_key_of_variable(0);
    const int32_t x = pfpu_build_get(builder, bench->key);
    const int32_t three = pfpu_build_number(builder, 3.0);
    const int32_t value =
        function->one != NULL ? function->one(builder, x) : function->two(builder, three, x);
    for (size_t i = 0; i < bench->ir.count; i++) {
        bench->operations += pfpu_ops[bench->ir.instructions[i].op].kind == PFPU_OP_KIND_WORD;
    }
    (void)pfpu_build2(builder, PFPU_OP_WORD_VECTOUT, value, value);
    const size_t keys = pfpu_ir_key_count(&bench->ir);
    struct pfpu_word_lanes *lanes = pfpu_word_lanes_for_files(&bench->ir, base_cpu_best(), arena);
    uint32_t *files = base_arena_array(arena, BATCH * keys, sizeof *files);
    uint32_t *out = base_arena_array(arena, BATCH * 2, sizeof *out);
    double worst = 0;
    if (lanes == NULL || files == NULL || out == NULL || bench->builder.failed) {
        return -1;
    }
    for (uint32_t start = 0; start < SAMPLES; start += BATCH) {
        for (uint32_t i = 0; i < BATCH; i++) {
            files[i * keys + pfpu_ir_key_index(&bench->ir, bench->key)] =
                FIRST_WORD + (start + i) * STEP;
        }
        pfpu_word_lanes_run_files(lanes, files, BATCH, out);
        for (uint32_t i = 0; i < BATCH; i++) {
            const double exact =
                function->exact(pfpu_number_of_word(FIRST_WORD + (start + i) * STEP));
            worst = fmax(worst, fabs(pfpu_number_of_word(out[2 * i]) / exact - 1));
        }
    }
    return worst;
}

int app_lab_accuracy(const struct app_options *options)
{
    if (options->input_count != 1) {
        return app_lab_refuse_usage(options, "it takes no file");
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct base_arena arena = {0};
        struct bench bench = {.operations = 0};
        const double worst = measure(&functions[i], &bench, &arena);
        base_arena_free(&arena);
        if (worst < 0) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                        "not enough memory");
            return APP_EXIT_FAILED;
        }
        const struct function *function = &functions[i];
        if (options->json) {
            (void)fputs("{\"function\":", stdout);
            base_json_string(stdout, function->name);
            (void)printf(",\"operations\":%u,\"error\":%.3e}\n", bench.operations, worst);
        } else {
            (void)printf("%-24s %2u operations, error up to %.2e", function->name, bench.operations,
                         worst);
            (void)printf(function->published > 0 ? ", the thesis has %.2e\n" : "\n",
                         function->published);
        }
    }
    return APP_EXIT_DONE;
}
