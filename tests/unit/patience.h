/* Waiting in tests: as long as it takes, for the machine may be slow and do other things besides.
 */
#ifndef TESTS_UNIT_PATIENCE_H
#define TESTS_UNIT_PATIENCE_H

#include "base/os/thread.h"

/* Whether to look again, after a pause; false: it has been waited for long enough that it never
 * comes. *until is 0 before the first look: for (double until = 0; !is_done() &&
 * wait_more(&until);) */
static inline bool wait_more(double *until)
{
    static const double limit = 300;
    static const double pause = 0.005;
    const double now = base_clock_seconds();
    if (*until <= 0) {
        *until = now + limit;
    } else {
        base_clock_sleep_until(now + pause);
    }
    return now < *until;
}

#endif
