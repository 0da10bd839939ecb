/* A trial in a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/device/device.h"
#include "base/os/file.h"
#include "base/os/program.h"
#include "base/os/thread.h"

enum { PATH = 4096, LINE = ENGINE_TRIAL_LINE };

/* Seconds: of one processor's time for all of it; and by the clock, without a hundredth of that. */
static const double patience = 120;
static const double share = 0.01;

static int start(const char *key, int out, pid_t *child)
{
    char program[PATH];
    const char *const words[] = {program, "devices", "trial", key, NULL};
    return base_program(program, sizeof program) ? base_program_start(words, out, false, child)
                                                 : ENOENT;
}

/* Of all its threads; below 0: the system does not say. */
static double processor_seconds(pid_t child)
{
    clockid_t id;
    struct timespec time;
    return clock_getcpuclockid(child, &id) == 0 && clock_gettime(id, &time) == 0
               ? (double)time.tv_sec + (double)time.tv_nsec * 1e-9
               : -1;
}

/* A trial as far as it has come. A driver that works is given its time, however busy the machine is
 * otherwise; one that neither works nor ends stands still. */
struct watch {
    pid_t child;
    double worked; /* seconds of processors, when it was last seen to work */
    double seen;   /* by the clock */
};

static bool is_late(struct watch *watch)
{
    const double worked = processor_seconds(watch->child);
    const double now = base_clock_seconds();
    if (worked > watch->worked + patience * share) {
        watch->worked = worked;
        watch->seen = now;
    }
    return worked > patience * (double)base_processor_count() || now - watch->seen > patience;
}

/* Reads until its end, or until time is up. False: it is. */
static bool read_line(int in, pid_t child, char line[static LINE])
{
    enum { LOOK = 1000 /* milliseconds between looks at it */ };
    struct watch watch = {.child = child, .seen = base_clock_seconds()};
    size_t size = 0;
    ssize_t got = 1;
    while (got > 0 && size + 1 < LINE) {
        struct pollfd event = {.fd = in, .events = POLLIN};
        if (is_late(&watch)) {
            return false;
        }
        if (poll(&event, 1, LOOK) > 0) {
            got = read(in, line + size, LINE - 1 - size);
            got = got < 0 && errno == EINTR ? 1 : got;
            size += got > 0 ? (size_t)got : 0;
        }
    }
    line[size] = '\0';
    return true;
}

struct engine_trial app_device_try(const char *key)
{
    struct engine_trial trial = {.unsure = true};
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
    const bool in_time = error == 0 && read_line(ends[0], child, line);
    (void)close(ends[0]);
    if (error != 0) {
        (void)snprintf(trial.why, sizeof trial.why, "%s", strerror(error));
        return trial;
    }
    (void)kill(child, in_time ? 0 : SIGKILL);
    const int status = base_program_wait(child);
    if (engine_trial_read(&trial, line)) {
        return trial;
    }
    trial = (struct engine_trial){.unsure = in_time && WIFEXITED(status)};
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
