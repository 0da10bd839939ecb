#include "app/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static enum base_severity least_of(const char *level)
{
    for (int i = 0; level != NULL && i < BASE_SEVERITY_COUNT; i++) {
        if (strcmp(level, base_severity_name((enum base_severity)i)) == 0) {
            return (enum base_severity)i;
        }
    }
    return BASE_NOTE;
}

int app_log_open(struct app_log *log, const struct app_options *options,
                 const struct base_diag_sink *next)
{
    *log = (struct app_log){.next = next, .least = least_of(options->log_level), .file = -1};
    if (options->log == NULL) {
        return 0;
    }
    log->file =
        open(options->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (log->file < 0) {
        base_report(next, BASE_ERROR, (struct base_place){.file = options->log}, NULL,
                    "cannot be written: %s", strerror(errno));
        return -1;
    }
    return 0;
}

void app_log_close(struct app_log *log)
{
    if (log->file >= 0) {
        (void)close(log->file);
    }
    log->file = -1;
}

/* In universal time, which never jumps: "2030-01-31T12:00:00.250Z ". */
static void write_time(char *text, size_t size)
{
    struct timespec now = {0};
    struct tm parts = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &parts);
    char seconds[32];
    (void)strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &parts);
    (void)snprintf(text, size, "%s.%03ldZ ", seconds, now.tv_nsec / 1000000);
}

static void receive(void *user, const struct base_diag *diag)
{
    const struct app_log *log = user;
    if (diag->severity < log->least) {
        return;
    }
    if (log->next != NULL && log->next->receive != NULL) {
        log->next->receive(log->next->user, diag);
    }
    if (log->file >= 0) {
        char before[64];
        write_time(before, sizeof before);
        base_diag_print(log->file, before, diag);
    }
}

struct base_diag_sink app_log_sink(struct app_log *log)
{
    return (struct base_diag_sink){receive, log};
}
