#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/check/check.h"
#include "base/os/print.h"

enum record_kind { RECORD_MESSAGE = 0x4D, RECORD_OUTCOME = 0x4F };

struct record {
    uint32_t kind;
    uint32_t size; /* bytes that follow */
};

struct outcome {
    double load_ms;
    double frame_ms;
    double peak_mib;
    uint64_t device_stages;
    struct app_check_board board;
    uint32_t status;
    uint8_t black;
    uint8_t frozen;
    uint8_t unused[2];
};

/* A reader that has gone is not our affair: the child ends by itself. */
static void send_bytes(int out, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t written = write(out, at, size);
        if (written < 0 && errno != EINTR) {
            return;
        }
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
}

void app_check_send_message(int out, const char *text)
{
    const struct record record = {RECORD_MESSAGE, (uint32_t)strlen(text)};
    send_bytes(out, &record, sizeof record);
    send_bytes(out, text, record.size);
}

void app_check_send_outcome(int out, enum app_check_status status,
                            const struct app_check_figures *figures)
{
    const struct record record = {RECORD_OUTCOME, sizeof(struct outcome)};
    const struct outcome outcome = {
        .load_ms = figures->load_ms,
        .frame_ms = figures->frame_ms,
        .peak_mib = figures->peak_mib,
        .device_stages = figures->device_stages,
        .board = figures->board,
        .status = status,
        .black = figures->black,
        .frozen = figures->frozen,
    };
    send_bytes(out, &record, sizeof record);
    send_bytes(out, &outcome, sizeof outcome);
}

/* Without memory the message is lost, the row stays. */
static void add_message(struct app_check_row *row, const char *text, size_t size)
{
    /* There is room for the next power of two. */
    const size_t count = row->message_count;
    if ((count & (count - 1)) == 0) {
        char **messages = realloc(row->messages, (count > 0 ? 2 * count : 1) * sizeof *messages);
        if (messages == NULL) {
            return;
        }
        row->messages = messages;
    }
    char *copy = malloc(size + 1);
    if (copy == NULL) {
        return;
    }
    if (size > 0) {
        memcpy(copy, text, size);
    }
    copy[size] = '\0';
    row->messages[row->message_count++] = copy;
}

static bool read_outcome(struct app_check_row *row, const char *data, size_t size)
{
    struct outcome outcome;
    if (size != sizeof outcome) {
        return false;
    }
    memcpy(&outcome, data, sizeof outcome);
    /* A byte that is neither 0 nor 1 may not be looked at as a bool. */
    uint8_t cpu_equations;
    memcpy(&cpu_equations, data + offsetof(struct outcome, board.cpu_equations), 1);
    outcome.board.cpu_equations = cpu_equations != 0;
    if (outcome.status > APP_CHECK_ERROR) {
        return false;
    }
    row->status = (enum app_check_status)outcome.status;
    row->figures = (struct app_check_figures){
        .load_ms = outcome.load_ms,
        .frame_ms = outcome.frame_ms,
        .peak_mib = outcome.peak_mib,
        .device_stages = outcome.device_stages,
        .board = outcome.board,
        .black = outcome.black != 0,
        .frozen = outcome.frozen != 0,
    };
    return true;
}

/* True when the records are whole and end with an outcome. */
static bool read_records(struct app_check_row *row, const char *data, size_t size)
{
    struct record record;
    while (size >= sizeof record) {
        memcpy(&record, data, sizeof record);
        data += sizeof record;
        size -= sizeof record;
        if (record.size > size) {
            return false;
        }
        if (record.kind == RECORD_OUTCOME) {
            return record.size == size && read_outcome(row, data, size);
        }
        if (record.kind != RECORD_MESSAGE) {
            return false;
        }
        add_message(row, data, record.size);
        data += record.size;
        size -= record.size;
    }
    return false;
}

void app_check_row_read(struct app_check_row *row, const struct app_supervise_end *end,
                        double time_limit)
{
    *row = (struct app_check_row){.path = row->path};
    const bool whole = read_records(row, end->data, end->size);
    if (whole && end->how == APP_SUPERVISE_EXITED && end->code == 0) {
        return;
    }
    row->figures = (struct app_check_figures){0};
    row->status = APP_CHECK_CRASH;
    if (end->how == APP_SUPERVISE_TIMED_OUT) {
        row->status = APP_CHECK_TIMEOUT;
    } else if (end->how == APP_SUPERVISE_NOT_STARTED) {
        row->status = APP_CHECK_ERROR;
    }
    char text[200] = "the check of this preset ended without a result";
    if (end->how == APP_SUPERVISE_TIMED_OUT) {
        (void)snprintf(text, sizeof text, "stopped after %g s; --time-limit sets the limit",
                       time_limit);
    } else if (end->how == APP_SUPERVISE_SIGNALLED) {
        (void)snprintf(text, sizeof text, "ended by signal %d (%s)", end->code,
                       strsignal(end->code));
    } else if (end->how == APP_SUPERVISE_NOT_STARTED) {
        (void)snprintf(text, sizeof text, "no process could be started: %s", strerror(end->code));
    } else if (end->code != 0) {
        (void)snprintf(text, sizeof text, "ended with exit code %d", end->code);
    }
    add_message(row, text, strlen(text));
}

void app_check_row_say(struct app_check_row *row, const char *text)
{
    add_message(row, text, strlen(text));
}

void app_check_row_free(struct app_check_row *row)
{
    for (size_t i = 0; i < row->message_count; i++) {
        free(row->messages[i]);
    }
    free(row->messages);
    row->messages = NULL;
    row->message_count = 0;
}

/* "ok", "degraded", "refused", "error", "timeout", "crash". */
const char *app_check_status_name(enum app_check_status status)
{
    static const char *const names[APP_CHECK_STATUS_COUNT] = {
        [APP_CHECK_OK] = "ok",           [APP_CHECK_DEGRADED] = "degraded",
        [APP_CHECK_REFUSED] = "refused", [APP_CHECK_ERROR] = "error",
        [APP_CHECK_TIMEOUT] = "timeout", [APP_CHECK_CRASH] = "crash",
    };
    assert(status < APP_CHECK_STATUS_COUNT);
    return names[status];
}

void app_check_summary_add(struct app_check_summary *summary, const struct app_check_row *row)
{
    summary->presets++;
    summary->by_status[row->status]++;
    summary->black += row->figures.black;
    summary->frozen += row->figures.frozen;
    summary->unnamed += row->word > 0;
}

void app_check_print_heading(FILE *out, bool board)
{
    (void)fprintf(out, "%-8s  %8s  %8s  %-12s  preset\n", "status", board ? "fps" : "frame_ms",
                  "load_ms", "flags");
}

/* Nothing is refused on this machine. */
static bool can_be(const struct app_check_summary *summary, int status)
{
    return summary->board || status != APP_CHECK_REFUSED;
}

void app_check_print_row(FILE *out, const struct app_check_row *row, bool board)
{
    static const char *const flags[2][2] = {{"-", "frozen"}, {"black", "black,frozen"}};
    const struct app_check_figures *figures = &row->figures;
    (void)fprintf(out, "%-8s  %8.2f  %8.2f  %-12s  ", app_check_status_name(row->status),
                  board ? figures->board.fps : figures->frame_ms, figures->load_ms,
                  flags[figures->black][figures->frozen]);
    base_plain(out, row->path);
    (void)fputc('\n', out);
    for (size_t i = 0; i < row->message_count; i++) {
        (void)fputs("    ", out);
        base_plain(out, row->messages[i]);
        (void)fputc('\n', out);
    }
}

void app_check_print_summary(FILE *out, const struct app_check_summary *summary)
{
    (void)fprintf(out, "%zu preset%s:", summary->presets, base_plural(summary->presets));
    for (int status = 0; status < APP_CHECK_STATUS_COUNT; status++) {
        if (can_be(summary, status)) {
            (void)fprintf(out, "%s %zu %s", status > 0 ? "," : "", summary->by_status[status],
                          app_check_status_name((enum app_check_status)status));
        }
    }
    (void)fprintf(out, "; %zu black, %zu frozen", summary->black, summary->frozen);
    if (summary->worded) {
        (void)fprintf(out, "; %zu with a word of the list in the name", summary->unnamed);
    }
    (void)fputc('\n', out);
}

static void json_key(FILE *out, const char *before, const char *key)
{
    (void)fprintf(out, "%s\"%s\": ", before, key);
}

void app_check_json_row(FILE *out, const struct app_check_row *row, bool board, bool timed)
{
    json_key(out, "{", "preset");
    base_json_string(out, row->path);
    json_key(out, ", ", "status");
    base_json_string(out, app_check_status_name(row->status));
    json_key(out, ", ", "messages");
    (void)fputc('[', out);
    for (size_t i = 0; i < row->message_count; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        base_json_string(out, row->messages[i]);
    }
    (void)fputc(']', out);
    if (timed) {
        json_key(out, ", ", "load_ms");
        base_json_number(out, row->figures.load_ms);
    }
    if (board) {
        json_key(out, ", ", "cpu_equations");
        base_json_bool(out, row->figures.board.cpu_equations);
        const struct {
            const char *key;
            double value;
        } numbers[] = {
            {"board_fps", row->figures.board.fps},
            {"pfpu_cycles", row->figures.board.pfpu_cycles},
            {"tmu_cycles", row->figures.board.tmu_cycles},
            {"cpu_cycles", row->figures.board.cpu_cycles},
            {"texel_hits_percent", 100 * row->figures.board.texel_hits},
            {"occupancy_percent", 100 * row->figures.board.occupancy},
            {"bandwidth", row->figures.board.bandwidth},
        };
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            json_key(out, ", ", numbers[i].key);
            base_json_number(out, numbers[i].value);
        }
    } else if (timed) {
        json_key(out, ", ", "frame_ms");
        base_json_number(out, row->figures.frame_ms);
    }
    if (timed && row->figures.device_stages > 0) {
        json_key(out, ", ", "device_stages");
        (void)fprintf(out, "%" PRIu64, row->figures.device_stages);
    }
    json_key(out, ", ", "black");
    base_json_bool(out, row->figures.black);
    json_key(out, ", ", "frozen");
    base_json_bool(out, row->figures.frozen);
    (void)fputs("}\n", out);
}

size_t app_check_failures(const struct app_check_summary *summary)
{
    const size_t *by_status = summary->by_status;
    return by_status[APP_CHECK_REFUSED] + by_status[APP_CHECK_ERROR] +
           by_status[APP_CHECK_TIMEOUT] + by_status[APP_CHECK_CRASH];
}

void app_check_json_summary(FILE *out, const struct app_check_summary *summary)
{
    (void)fprintf(out, "{\"summary\": {\"presets\": %zu", summary->presets);
    for (int status = 0; status < APP_CHECK_STATUS_COUNT; status++) {
        if (can_be(summary, status)) {
            (void)fprintf(out, ", \"%s\": %zu",
                          app_check_status_name((enum app_check_status)status),
                          summary->by_status[status]);
        }
    }
    (void)fprintf(out, ", \"black\": %zu, \"frozen\": %zu", summary->black, summary->frozen);
    if (summary->worded) {
        (void)fprintf(out, ", \"unnamed\": %zu", summary->unnamed);
    }
    (void)fputs("}}\n", out);
}
