#include "app/lab_report.h"

#include <inttypes.h>

#include "app/json.h"

enum { WORD_TEXT = 16 };

void app_lab_report_add(struct app_lab_report *report, const struct app_lab_mismatch *mismatch)
{
    if (report->mismatches < APP_LAB_SHOWN) {
        report->shown[report->mismatches] = *mismatch;
    }
    report->mismatches++;
}

static size_t shown_count(const struct app_lab_report *report)
{
    return report->mismatches < APP_LAB_SHOWN ? report->mismatches : APP_LAB_SHOWN;
}

static void print_word(FILE *out, struct app_lab_word word)
{
    if (word.given) {
        (void)fprintf(out, "%08" PRIx32, word.value);
    } else {
        (void)fputs("nothing", out);
    }
}

static void print_mismatch(FILE *out, const struct app_lab_mismatch *mismatch)
{
    (void)fprintf(out, "line %" PRIu32 ": %s: expected ", mismatch->line, mismatch->what);
    print_word(out, mismatch->expected);
    (void)fputs(", got ", out);
    print_word(out, mismatch->got);
    if (mismatch->care != UINT32_MAX) {
        (void)fprintf(out, " (compared in %08" PRIx32 ")", mismatch->care);
    }
    (void)fputc('\n', out);
}

static void print_json_word(FILE *out, const char *key, struct app_lab_word word)
{
    char text[WORD_TEXT];
    (void)snprintf(text, sizeof text, "%08" PRIx32, word.value);
    (void)fprintf(out, ",\"%s\":", key);
    app_json_string(out, word.given ? text : NULL);
}

static void print_json(FILE *out, const struct app_lab_report *report, const char *unit)
{
    (void)fprintf(out, "{\"%s\":%zu,\"mismatches\":%zu,\"list\":[", unit, report->cases,
                  report->mismatches);
    for (size_t i = 0; i < shown_count(report); i++) {
        const struct app_lab_mismatch *mismatch = &report->shown[i];
        (void)fprintf(out, "%s{\"line\":%" PRIu32 ",\"what\":", i > 0 ? "," : "", mismatch->line);
        app_json_string(out, mismatch->what);
        print_json_word(out, "expected", mismatch->expected);
        print_json_word(out, "got", mismatch->got);
        print_json_word(out, "care", (struct app_lab_word){true, mismatch->care});
        (void)fputc('}', out);
    }
    (void)fputs("]}\n", out);
}

void app_lab_report_print(const struct app_lab_report *report, FILE *out, const char *name,
                          const char *unit, bool json)
{
    if (json) {
        print_json(out, report, unit);
        return;
    }
    const size_t shown = shown_count(report);
    for (size_t i = 0; i < shown; i++) {
        print_mismatch(out, &report->shown[i]);
    }
    if (report->mismatches > shown) {
        (void)fprintf(out, "and %zu more\n", report->mismatches - shown);
    }
    (void)fprintf(out, "%s: %zu %s, %zu mismatches\n", name, report->cases, unit,
                  report->mismatches);
}
