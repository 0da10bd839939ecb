#include "app/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum record_kind { RECORD_MESSAGE = 0x4D, RECORD_OUTCOME = 0x4F };

struct record {
    uint32_t kind;
    uint32_t size; /* bytes that follow */
};

struct outcome {
    double load_ms;
    double frame_ms;
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
    char **messages = realloc(row->messages, (row->message_count + 1) * sizeof *messages);
    if (messages == NULL) {
        return;
    }
    row->messages = messages;
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
    if (outcome.status > APP_CHECK_ERROR) {
        return false;
    }
    row->status = (enum app_check_status)outcome.status;
    row->figures = (struct app_check_figures){
        .load_ms = outcome.load_ms,
        .frame_ms = outcome.frame_ms,
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

static void describe_end(struct app_check_row *row, const struct app_supervise_end *end,
                         double time_limit)
{
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
    describe_end(row, end, time_limit);
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
