#include "base/os/logger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"

static void print(int descriptor, const char *before, const struct base_diag *diag)
{
    char line[1024];
    (void)base_diag_format(diag, line, sizeof line);
    /* Names and the texts of presets may hold anything; their control characters could steer a
     * terminal. */
    for (char *at = line; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        *at = byte < 0x20 || byte == 0x7F ? '?' : *at;
    }
    (void)dprintf(descriptor, "%s%s\n", before, line);
}

/* user: the descriptor, or NULL for standard error. */
static void print_receive(void *user, const struct base_diag *diag)
{
    const int *descriptor = user;
    print(descriptor != NULL ? *descriptor : STDERR_FILENO, "", diag);
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

static void receive(void *user, const struct base_diag *diag)
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
        print(log->file, before, diag);
    }
}

struct base_diag_sink base_logger_sink(struct base_logger *log)
{
    return (struct base_diag_sink){receive, log};
}
