#include "base/os/file.h"
#include "base/os/print.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- texts from outside ---- */

/* Names and the texts of presets may hold anything; their control characters could steer a
 * terminal, and some terminals take the bytes 0x80 to 0x9F for such. Takes the next character off
 * the front of *text; returns its bytes, or "?" in place of a control character and of what is no
 * UTF-8. */
static struct base_span next_harmless(struct base_span *text)
{
    const char *bytes = text->data;
    const uint32_t code = base_utf8_next(text);
    const size_t size = (size_t)(text->data - bytes);
    const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
    const bool broken = size == 1 && (unsigned char)*bytes >= 0x80 && (unsigned char)*bytes < 0xA0;
    return control || broken ? (struct base_span){"?", 1} : (struct base_span){bytes, size};
}

void base_plain(FILE *out, const char *text)
{
    for (struct base_span rest = base_span_of(text); rest.size > 0;) {
        const struct base_span next = next_harmless(&rest);
        (void)fwrite(next.data, 1, next.size, out);
    }
}

void base_plain_cell(FILE *out, const char *text, size_t columns)
{
    size_t used = 0;
    for (struct base_span rest = base_span_of(text); rest.size > 0 && used < columns; used++) {
        const struct base_span next = next_harmless(&rest);
        (void)fwrite(next.data, 1, next.size, out);
    }
    (void)fprintf(out, "%*s", (int)(columns - used), "");
}

/* ---- messages ---- */

static void print_message(int descriptor, const char *before, const struct base_diag *diag)
{
    char line[1024];
    (void)base_diag_format(diag, line, sizeof line);
    char *end = line;
    for (struct base_span rest = base_span_of(line); rest.size > 0;) {
        const struct base_span next = next_harmless(&rest);
        memmove(end, next.data, next.size);
        end += next.size;
    }
    *end = '\0';
    (void)dprintf(descriptor, "%s%s\n", before, line);
}

/* user: the descriptor, or NULL for standard error. */
static void print_receive(void *user, const struct base_diag *diag)
{
    const int *descriptor = user;
    print_message(descriptor != NULL ? *descriptor : STDERR_FILENO, "", diag);
}

struct base_diag_sink base_diag_descriptor_sink(int *descriptor)
{
    return (struct base_diag_sink){print_receive, descriptor};
}

const struct base_diag_sink base_diag_stderr = {print_receive, NULL};

int base_logger_open(struct base_logger *log, const char *path, const char *level,
                     const struct base_diag_sink *next)
{
    *log = (struct base_logger){.next = next, .least = BASE_NOTE, .file = -1};
    for (int i = 0; level != NULL && i < BASE_SEVERITY_COUNT; i++) {
        if (strcmp(level, base_severity_name((enum base_severity)i)) == 0) {
            log->least = (enum base_severity)i;
        }
    }
    if (path == NULL) {
        return 0;
    }
    (void)base_folder_make_above(path); /* what is wrong with it, opening the file says */
    log->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (log->file < 0) {
        base_report(next, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "cannot be written: %s", strerror(errno));
        return -1;
    }
    return 0;
}

void base_logger_close(struct base_logger *log)
{
    if (log->file >= 0) {
        (void)close(log->file);
    }
    log->file = -1;
}

static void log_receive(void *user, const struct base_diag *diag)
{
    const struct base_logger *log = user;
    if (diag->severity < log->least) {
        return;
    }
    if (log->next != NULL && log->next->receive != NULL) {
        log->next->receive(log->next->user, diag);
    }
    if (log->file >= 0) {
        /* In universal time, which never jumps: "2030-01-31T12:00:00.250Z ". */
        struct timespec now = {0};
        struct tm parts = {0};
        char seconds[32];
        char before[64];
        (void)clock_gettime(CLOCK_REALTIME, &now);
        (void)gmtime_r(&now.tv_sec, &parts);
        (void)strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &parts);
        (void)snprintf(before, sizeof before, "%s.%03ldZ ", seconds, now.tv_nsec / 1000000);
        print_message(log->file, before, diag);
    }
}

struct base_diag_sink base_logger_sink(struct base_logger *log)
{
    return (struct base_diag_sink){log_receive, log};
}

/* ---- JSON ---- */

static void write_ascii(FILE *out, unsigned char byte)
{
    switch (byte) {
    case '"':
        (void)fputs("\\\"", out);
        break;
    case '\\':
        (void)fputs("\\\\", out);
        break;
    case '\n':
        (void)fputs("\\n", out);
        break;
    case '\t':
        (void)fputs("\\t", out);
        break;
    default:
        if (byte < 0x20 || byte == 0x7F) {
            (void)fprintf(out, "\\u%04x", byte);
        } else {
            (void)fputc(byte, out);
        }
    }
}

void base_json_string(FILE *out, const char *text)
{
    if (text == NULL) {
        (void)fputs("null", out);
        return;
    }
    (void)fputc('"', out);
    struct base_span rest = base_span_of(text);
    while (rest.size > 0) {
        const struct base_span before = rest;
        const uint32_t code = base_utf8_next(&rest);
        const size_t size = before.size - rest.size;
        if (size > 1 && code <= 0x9F) {
            (void)fprintf(out, "\\u%04x", (unsigned)code);
        } else if (size > 1) {
            (void)fwrite(before.data, 1, size, out);
        } else if (code < 0x80) {
            write_ascii(out, (unsigned char)code);
        } else {
            (void)fputs("\xEF\xBF\xBD", out);
        }
    }
    (void)fputc('"', out);
}

void base_json_number(FILE *out, double value)
{
    if (isnan(value)) {
        (void)fputs("null", out);
        return;
    }
    /* Not "%.3f": its decimal point follows the locale. */
    const double size = fmin(fabs(value), 1e12);
    const uint64_t thousandths = (uint64_t)floor(size * 1000.0 + 0.5);
    (void)fprintf(out, "%s%" PRIu64 ".%03" PRIu64, value < 0 && thousandths > 0 ? "-" : "",
                  thousandths / 1000, thousandths % 1000);
}

void base_json_real(FILE *out, double value)
{
    char text[32];
    if (!isfinite(value)) {
        (void)fputs("null", out);
        return;
    }
    (void)snprintf(text, sizeof text, "%.9g", value);
    const size_t whole = strspn(text, "-0123456789");
    const size_t rest = whole + strcspn(text + whole, "0123456789e");
    /* The decimal point follows the locale, and may be several bytes. */
    (void)fprintf(out, "%.*s%s%s", (int)whole, text, rest > whole ? "." : "", text + rest);
}

void base_json_count(FILE *out, uint64_t value)
{
    (void)fprintf(out, "%" PRIu64, value);
}

void base_json_bool(FILE *out, bool value)
{
    (void)fputs(value ? "true" : "false", out);
}

const char *base_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
