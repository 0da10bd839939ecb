/* A trial in a process of its own, and as a line of text. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/device/trial.h"
#include "base/os/file.h"
#include "base/os/program.h"
#include "base/os/thread.h"

enum { PATH = 4096, LINE = 512 };

static const double patience = 120; /* seconds, for the slowest machine */

/* ---- as text ---- */

void app_trial_print(FILE *out, const struct app_trial *trial)
{
    if (trial->passed) {
        (void)fprintf(out, "passed %zu %.3f %.3f\n", trial->numbers, trial->device_ms,
                      trial->processor_ms);
    } else {
        (void)fprintf(out, "%s %s\n", trial->unsure ? "unsure" : "failed", trial->why);
    }
}

bool app_trial_read(struct app_trial *trial, const char *line)
{
    enum { WORD = 7 };
    const char *rest = strnlen(line, WORD) == WORD ? line + WORD : "";
    *trial = (struct app_trial){.passed = strncmp(line, "passed ", WORD) == 0,
                                .unsure = strncmp(line, "unsure ", WORD) == 0};
    if (!trial->passed) {
        (void)snprintf(trial->why, sizeof trial->why, "%.*s", (int)strcspn(rest, "\n"), rest);
        return trial->unsure || strncmp(line, "failed ", WORD) == 0;
    }
    char *end = NULL;
    trial->numbers = strtoul(rest, &end, 10);
    trial->device_ms = strtod(end, &end);
    trial->processor_ms = strtod(end, &end);
    return isdigit((unsigned char)rest[0]) && trial->numbers > 0 && *end == '\n' &&
           isfinite(trial->device_ms) && trial->device_ms >= 0 && isfinite(trial->processor_ms) &&
           trial->processor_ms >= 0;
}

/* ---- apart ---- */

static int start(const char *key, int out, pid_t *child)
{
    char program[PATH];
    const char *const words[] = {program, "devices", "trial", key, NULL};
    return base_program(program, sizeof program) ? base_program_start(words, out, false, child)
                                                 : ENOENT;
}

/* Reads until its end, or until time is up. False: it is. */
static bool read_line(int in, char line[static LINE])
{
    const double until = base_clock_seconds() + patience;
    size_t size = 0;
    ssize_t got = 1;
    while (got > 0 && size + 1 < LINE) {
        struct pollfd event = {.fd = in, .events = POLLIN};
        const double left = until - base_clock_seconds();
        if (left <= 0) {
            return false;
        }
        if (poll(&event, 1, (int)ceil(left * 1e3)) > 0) {
            got = read(in, line + size, LINE - 1 - size);
            got = got < 0 && errno == EINTR ? 1 : got;
            size += got > 0 ? (size_t)got : 0;
        }
    }
    line[size] = '\0';
    return true;
}

struct app_trial app_trial_run_apart(const char *key)
{
    struct app_trial trial = {.unsure = true};
    char line[LINE] = "";
    int ends[2];
    pid_t child = 0;
    if (pipe(ends) != 0) {
        (void)snprintf(trial.why, sizeof trial.why, "%s", strerror(errno));
        return trial;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = start(key, ends[1], &child);
    (void)close(ends[1]);
    const bool in_time = error == 0 && read_line(ends[0], line);
    (void)close(ends[0]);
    if (error != 0) {
        (void)snprintf(trial.why, sizeof trial.why, "%s", strerror(error));
        return trial;
    }
    (void)kill(child, in_time ? 0 : SIGKILL);
    const int status = base_program_wait(child);
    if (app_trial_read(&trial, line)) {
        return trial;
    }
    trial = (struct app_trial){.unsure = in_time && WIFEXITED(status)};
    if (!in_time) {
        (void)snprintf(trial.why, sizeof trial.why, "its driver did not come back");
    } else if (WIFSIGNALED(status)) {
        (void)snprintf(trial.why, sizeof trial.why, "its driver ended the trial by signal %d",
                       WTERMSIG(status));
    } else {
        (void)snprintf(trial.why, sizeof trial.why, "the trial ended with status %d",
                       WEXITSTATUS(status));
    }
    return trial;
}
