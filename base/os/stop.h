/* Signals during a long job. Only one job at a time may use this: a handler knows no owner, so the
 * flag behind it is the one piece of state that belongs to the process. */
#ifndef BASE_OS_STOP_H
#define BASE_OS_STOP_H

#include <signal.h>
#include <stdbool.h>

struct base_stop {
    struct sigaction interrupt; /* what was set before */
    struct sigaction terminate;
    struct sigaction hangup;
    struct sigaction pipe;
    struct sigaction child;
};

/* From now on the first Ctrl-C, termination or hangup (unless hangups were ignored) only asks to
 * stop, and a second one ends the process; a closed pipe is an error of its writer, and the end of
 * a child can be waited for. */
void base_stop_begin(struct base_stop *stop);

/* Puts everything back. */
void base_stop_end(const struct base_stop *stop);

/* Whether a signal has asked to stop since the last base_stop_begin; false before the first. Long
 * jobs ask this now and then. */
bool base_stop_wanted(void);

#endif
