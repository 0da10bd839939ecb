#include "app/lab/lab.h"

#include <inttypes.h>
#include <string.h>

#include "base/os/print.h"

enum { HINT_MAX = 160 };

static const struct base_place NOWHERE = {0};

const struct app_lab_row app_lab_rows[] = {
#define APP_INSTRUMENT(name, function, options, usage, help) {name, function, options, usage, help},
#include "app/lab/lab.def"
};
const size_t app_lab_row_count = sizeof app_lab_rows / sizeof app_lab_rows[0];

static const struct app_lab_row *find(const char *name)
{
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (strcmp(app_lab_rows[i].name, name) == 0) {
            return &app_lab_rows[i];
        }
    }
    return NULL;
}

static void append(char *text, size_t size, const char *between, const char *more)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", between, more);
}

static int refuse_name(const char *name)
{
    char hint[HINT_MAX] = "there are ";
    const char *between = "";
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (find(app_lab_rows[i].name) == &app_lab_rows[i]) {
            append(hint, sizeof hint, between, app_lab_rows[i].name);
            between = ", ";
        }
    }
    append(hint, sizeof hint, "; ", "'froth help lab' explains them");
    struct base_closest closest = {0};
    for (size_t i = 0; name != NULL && i < app_lab_row_count; i++) {
        base_closest_try(&closest, name, app_lab_rows[i].name);
    }
    if (closest.name != NULL) {
        base_closest_hint(&closest, "", hint, sizeof hint);
    }
    if (name == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "no instrument is named");
    } else {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "no instrument is called '%.40s'",
                    name);
    }
    return APP_EXIT_USAGE;
}

int app_lab_refuse_usage(const struct app_options *options, const char *what)
{
    const char *name = options->inputs[0];
    char hint[HINT_MAX] = "usage: ";
    const char *between = "froth lab ";
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (strcmp(app_lab_rows[i].name, name) == 0) {
            append(hint, sizeof hint, between, app_lab_rows[i].usage);
            between = ", or ";
        }
    }
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "lab %s: %s", name, what);
    return APP_EXIT_USAGE;
}

/* What the instrument knows in any of its uses. */
static bool knows_options(const char *name, const struct app_options *options)
{
    const struct {
        const char *name;
        unsigned bit;
        bool given;
    } rows[] = {
        {"--hex", APP_LAB_HEX, options->hex != NULL},
        {"--regs", APP_LAB_REGS, options->regs != NULL},
        {"--mesh", APP_LAB_MESH, options->mesh.width > 0},
        {"--trials", APP_LAB_TRIALS, options->trials > 0},
        {"--arch", APP_LAB_ARCH, options->arch.count > 0},
        {"--set", APP_LAB_SET, options->set != NULL},
        {"--size", APP_LAB_SIZES, options->cache_sizes.count > 0},
        {"--audio", APP_LAB_AUDIO, options->audio != NULL},
        {"--frames", APP_LAB_FRAMES, options->frames > 0},
        {"-o", APP_LAB_OUTPUT, options->output != NULL},
        {"--picture", APP_LAB_PICTURE, options->picture != NULL},
    };
    unsigned known = 0;
    for (size_t i = 0; i < app_lab_row_count; i++) {
        known |= strcmp(app_lab_rows[i].name, name) == 0 ? app_lab_rows[i].options : 0;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].given && !(rows[i].bit & known)) {
            char what[HINT_MAX];
            (void)snprintf(what, sizeof what, "it does not know %s", rows[i].name);
            (void)app_lab_refuse_usage(options, what);
            return false;
        }
    }
    return true;
}

int app_lab(const struct app_options *options)
{
    if (options->input_count == 0) {
        return refuse_name(NULL);
    }
    const struct app_lab_row *row = find(options->inputs[0]);
    if (row == NULL) {
        return refuse_name(options->inputs[0]);
    }
    return knows_options(row->name, options) ? row->run(options) : APP_EXIT_USAGE;
}

enum { WORD_TEXT = 16 };

void app_lab_report_add(struct app_lab_report *report, const struct app_lab_mismatch *mismatch)
{
    if (report->mismatches < APP_LAB_SHOWN) {
        report->shown[report->mismatches] = *mismatch;
    }
    report->mismatches++;
}

static void print_word(FILE *out, struct app_lab_word word)
{
    if (word.given) {
        (void)fprintf(out, "%08" PRIx32, word.value);
    } else {
        (void)fputs("nothing", out);
    }
}

static void print_json_word(FILE *out, const char *key, struct app_lab_word word)
{
    char text[WORD_TEXT];
    (void)snprintf(text, sizeof text, "%08" PRIx32, word.value);
    (void)fprintf(out, ",\"%s\":", key);
    base_json_string(out, word.given ? text : NULL);
}

void app_lab_report_print(const struct app_lab_report *report, FILE *out, const char *name,
                          const char *unit, bool json)
{
    const size_t shown = report->mismatches < APP_LAB_SHOWN ? report->mismatches : APP_LAB_SHOWN;
    if (json) {
        (void)fprintf(out, "{\"%s\":%zu,\"mismatches\":%zu,\"list\":[", unit, report->cases,
                      report->mismatches);
        for (size_t i = 0; i < shown; i++) {
            const struct app_lab_mismatch *mismatch = &report->shown[i];
            (void)fprintf(out, "%s{\"line\":%" PRIu32 ",\"what\":", i > 0 ? "," : "",
                          mismatch->line);
            base_json_string(out, mismatch->what);
            print_json_word(out, "expected", mismatch->expected);
            print_json_word(out, "got", mismatch->got);
            print_json_word(out, "care", (struct app_lab_word){true, mismatch->care});
            (void)fputc('}', out);
        }
        (void)fputs("]}\n", out);
        return;
    }
    for (size_t i = 0; i < shown; i++) {
        const struct app_lab_mismatch *mismatch = &report->shown[i];
        (void)fprintf(out, "line %" PRIu32 ": ", mismatch->line);
        base_plain(out, mismatch->what);
        (void)fputs(": expected ", out);
        print_word(out, mismatch->expected);
        (void)fputs(", got ", out);
        print_word(out, mismatch->got);
        if (mismatch->care != UINT32_MAX) {
            (void)fprintf(out, " (compared in %08" PRIx32 ")", mismatch->care);
        }
        (void)fputc('\n', out);
    }
    if (report->mismatches > shown) {
        (void)fprintf(out, "and %zu more\n", report->mismatches - shown);
    }
    (void)fprintf(out, "%s: %zu %s, %zu mismatches\n", name, report->cases, unit,
                  report->mismatches);
}
