/* Jobs in processes of their own, several at a time: a crash, a hang or a runaway of one is a
 * result and not the end. Call it while the process has a single thread; it runs in that thread. */
#ifndef APP_CHECK_SUPERVISE_H
#define APP_CHECK_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    APP_SUPERVISE_JOBS_MAX = 64,
    APP_SUPERVISE_OUTPUT_MAX = 256 * 1024, /* bytes kept of what one job writes */
};

enum app_supervise_how {
    APP_SUPERVISE_EXITED,      /* code: its exit code */
    APP_SUPERVISE_SIGNALLED,   /* code: the signal */
    APP_SUPERVISE_TIMED_OUT,   /* killed at the time limit */
    APP_SUPERVISE_NOT_STARTED, /* code: errno */
};

struct app_supervise_end {
    enum app_supervise_how how;
    int code;
    const char *data; /* what the job wrote, as far as kept; may be anything; valid in the call */
    size_t size;
};

struct app_supervise_plan {
    size_t count;        /* jobs in all */
    size_t at_once;      /* 1..APP_SUPERVISE_JOBS_MAX */
    double time_limit;   /* seconds each job may take */
    size_t memory_limit; /* bytes of address space each job may use, 0: no limit; not enforced under
                            sanitizers, which reserve more than any limit */
    bool reserves;       /* jobs reserve far more addresses than they use, as drivers do: the limit
                            is for what they can write to */
    void *user;
    /* Runs in the child process; writes its result to the file descriptor `out`. Returning ends the
     * child with exit code 0. Its standard output leads nowhere. */
    void (*body)(void *user, size_t index, int out);
    /* Runs in the parent, once for each job, in the order in which they end. */
    void (*ended)(void *user, size_t index, const struct app_supervise_end *end);
    /* Asked in the parent many times a second: true kills the jobs that run, starts no others and
     * reports nothing more. NULL: never. */
    bool (*stop)(void *user);
};

/* Returns 0 when every job has ended or all were stopped, or -1 when there is no memory to begin.
 * While it runs, the end of a child is signalled in the standard way. */
int app_supervise(const struct app_supervise_plan *plan);

#endif
