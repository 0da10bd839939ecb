#include "app/check/supervise.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/thread.h"

struct slot {
    pid_t pid; /* 0: free */
    int from;  /* read end of the job's pipe, -1 once it is closed */
    size_t index;
    double deadline;
    bool timed_out;
    size_t size;
    char data[APP_SUPERVISE_OUTPUT_MAX];
};

struct supervisor {
    const struct app_supervise_plan *plan;
    struct slot *slots;
    size_t next;
    size_t running;
};

static void limit(int resource, rlim_t value)
{
    const struct rlimit bounds = {value, value};
    (void)setrlimit(resource, &bounds);
}

_Noreturn static void run_child(const struct supervisor *supervisor, size_t index, int out)
{
    for (size_t i = 0; i < supervisor->plan->at_once; i++) {
        if (supervisor->slots[i].pid != 0 && supervisor->slots[i].from >= 0) {
            (void)close(supervisor->slots[i].from);
        }
    }
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
    }
    (void)signal(SIGPIPE, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    /* Should the parent be killed, its children still come to an end. */
    limit(RLIMIT_CPU, (rlim_t)ceil(fmin(supervisor->plan->time_limit, 1e9)) + 1);
    if (supervisor->plan->memory_limit > 0 && !BASE_SANITIZED) {
        limit(supervisor->plan->reserves ? RLIMIT_DATA : RLIMIT_AS, supervisor->plan->memory_limit);
    }
    supervisor->plan->body(supervisor->plan->user, index, out);
    _exit(0);
}

/* Returns 0, or an errno. */
static int start(struct supervisor *supervisor, struct slot *slot, size_t index)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return errno;
    }
    (void)fflush(NULL); /* else the child owns a copy of what is not yet written */
    const pid_t pid = fork();
    if (pid < 0) {
        const int error = errno;
        (void)close(ends[0]);
        (void)close(ends[1]);
        return error;
    }
    if (pid == 0) {
        (void)close(ends[0]);
        run_child(supervisor, index, ends[1]);
    }
    (void)close(ends[1]);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    slot->pid = pid;
    slot->from = ends[0];
    slot->index = index;
    slot->deadline = base_clock_seconds() + supervisor->plan->time_limit;
    slot->timed_out = false;
    slot->size = 0;
    supervisor->running++;
    return 0;
}

static void start_waiting(struct supervisor *supervisor)
{
    const struct app_supervise_plan *plan = supervisor->plan;
    for (size_t i = 0; i < plan->at_once && supervisor->next < plan->count; i++) {
        if (supervisor->slots[i].pid != 0) {
            continue;
        }
        const int error = start(supervisor, &supervisor->slots[i], supervisor->next);
        if (error != 0 && supervisor->running > 0) {
            return; /* short of processes or files: again when one has ended */
        }
        if (error != 0) {
            const struct app_supervise_end end = {APP_SUPERVISE_NOT_STARTED, error, NULL, 0};
            plan->ended(plan->user, supervisor->next, &end);
        }
        supervisor->next++;
    }
}

/* Takes what has arrived; what does not fit is read all the same, so that no job waits for us. */
static void drain(struct slot *slot)
{
    char rest[4096];
    while (slot->from >= 0) {
        const size_t space = sizeof slot->data - slot->size;
        const ssize_t got = space > 0 ? read(slot->from, slot->data + slot->size, space)
                                      : read(slot->from, rest, sizeof rest);
        if (got > 0) {
            slot->size += space > 0 ? (size_t)got : 0;
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            (void)close(slot->from);
            slot->from = -1;
        } else if (errno == EAGAIN) {
            return;
        }
        if (base_clock_seconds() > slot->deadline) {
            return;
        }
    }
}

static void look_after(struct supervisor *supervisor, struct slot *slot)
{
    drain(slot);
    if (!slot->timed_out && base_clock_seconds() > slot->deadline) {
        slot->timed_out = true;
        (void)kill(slot->pid, SIGKILL);
    }
    int status = 0;
    const pid_t ended = waitpid(slot->pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) {
        return;
    }
    struct app_supervise_end end = {.data = slot->data};
    if (ended < 0) {
        /* Something else in this process has waited for the child: how it ended can no longer be
         * asked, only that it is gone is known. */
        end.how = slot->timed_out ? APP_SUPERVISE_TIMED_OUT : APP_SUPERVISE_SIGNALLED;
        end.code = SIGKILL;
    } else {
        drain(slot);
        end.size = slot->size;
        if (WIFSIGNALED(status)) {
            end.how = APP_SUPERVISE_SIGNALLED;
            end.code = WTERMSIG(status);
            if ((slot->timed_out && end.code == SIGKILL) || end.code == SIGXCPU) {
                end.how = APP_SUPERVISE_TIMED_OUT;
            }
        } else {
            end.how = APP_SUPERVISE_EXITED;
            end.code = WEXITSTATUS(status);
        }
    }
    if (slot->from >= 0) {
        (void)close(slot->from);
    }
    slot->pid = 0;
    supervisor->running--;
    supervisor->plan->ended(supervisor->plan->user, slot->index, &end);
}

static void run_all(struct supervisor *supervisor)
{
    const struct app_supervise_plan *plan = supervisor->plan;
    while (!(plan->stop != NULL && plan->stop(plan->user))) {
        start_waiting(supervisor);
        if (supervisor->running == 0 && supervisor->next == plan->count) {
            return;
        }
        /* Wait until something arrives, but never long: a job may end while a child of its own
         * keeps the pipe. */
        struct pollfd waiting[APP_SUPERVISE_JOBS_MAX];
        nfds_t count = 0;
        int milliseconds = 50;
        for (size_t i = 0; i < supervisor->plan->at_once; i++) {
            const struct slot *slot = &supervisor->slots[i];
            if (slot->pid == 0) {
                continue;
            }
            if (slot->from >= 0) {
                waiting[count++] = (struct pollfd){.fd = slot->from, .events = POLLIN};
            } else {
                milliseconds = 1; /* it is about to end */
            }
        }
        (void)poll(waiting, count, milliseconds);
        for (size_t i = 0; i < plan->at_once; i++) {
            if (supervisor->slots[i].pid != 0) {
                look_after(supervisor, &supervisor->slots[i]);
            }
        }
    }
    for (size_t i = 0; i < supervisor->plan->at_once; i++) {
        struct slot *slot = &supervisor->slots[i];
        if (slot->pid == 0) {
            continue;
        }
        (void)kill(slot->pid, SIGKILL);
        while (waitpid(slot->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        if (slot->from >= 0) {
            (void)close(slot->from);
        }
    }
}

int app_supervise(const struct app_supervise_plan *plan)
{
    assert(plan->at_once >= 1 && plan->at_once <= APP_SUPERVISE_JOBS_MAX);
    struct supervisor supervisor = {.plan = plan};
    supervisor.slots = calloc(plan->at_once, sizeof *supervisor.slots);
    if (supervisor.slots == NULL) {
        return -1;
    }
    /* Where it is ignored, the end of a child leaves nothing to wait for. */
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction before;
    (void)sigaction(SIGCHLD, &standard, &before);
    run_all(&supervisor);
    (void)sigaction(SIGCHLD, &before, NULL);
    free(supervisor.slots);
    return 0;
}
