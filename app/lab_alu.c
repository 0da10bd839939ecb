#include "app/lab.h"

#include "app/lab_report.h"
#include "app/lab_text.h"
#include "pfpu/alu.h"

enum { ALU_FIELDS = 6, SINE_FIELDS = 3 };

static const char word_hint[] = "a word is 1 to 8 hex digits";

struct table {
    struct app_lab_reader reader;
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
#include "pfpu/opcodes.def"
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
    if (app_lab_hex(field->text, value)) {
        return true;
    }
    app_lab_refuse(&table->reader, field, "is no word", word_hint);
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
        app_lab_refuse(&table->reader, &fields[0], "is no operation",
                       "they are called as in FADD, F2I, VECTOUT");
        return;
    }
    if (!read_word(table, &fields[1], &a) || !read_word(table, &fields[2], &b)) {
        return;
    }
    if (!app_lab_decimal(fields[3].text, 1, &flag)) {
        app_lab_refuse(&table->reader, &fields[3], "is no flag", "it is 0 or 1");
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
    if (!app_lab_decimal(fields[0].text, UINT32_MAX, &index)) {
        app_lab_refuse(&table->reader, &fields[0], "is no index", "it is a whole number");
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
    const bool number = app_lab_decimal(fields[0].text, UINT32_MAX, &ignored);
    const bool heading =
        !operation && !number && (count < 2 || !app_lab_hex(fields[1].text, &ignored));
    table->kind = number || (heading && count == SINE_FIELDS) ? &sines : &operations;
    return heading && count == table->kind->fields;
}

static void compare_line(struct table *table, struct base_source_line line)
{
    struct base_source_line fields[ALU_FIELDS];
    const size_t count = app_lab_split(line, fields, ALU_FIELDS);
    if (table->kind == NULL && settle(table, fields, count)) {
        return;
    }
    if (count != table->kind->fields) {
        app_lab_refuse(&table->reader, &line, "has another number of fields", table->kind->hint);
        return;
    }
    table->kind->compare(table, fields);
}

int app_lab_check_alu(const char *file, struct base_span text, FILE *out, bool json,
                      const struct base_diag_sink *sink)
{
    struct table table = {0};
    struct base_source_line line;
    app_lab_reader_begin(&table.reader, file, text, sink);
    while (app_lab_next_line(&table.reader, &line)) {
        compare_line(&table, line);
    }
    app_lab_reader_end(&table.reader);
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
    if (base_file_load(&file, options->inputs[1], APP_LAB_FILE_MAX, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    const int result =
        app_lab_check_alu(options->inputs[1], (struct base_span){file.data, file.size}, stdout,
                          options->json, &base_diag_stderr);
    base_file_free(&file);
    return result;
}
