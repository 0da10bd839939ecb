/* Standard error, where libraries print at will: kept quiet around a call, or overheard while froth
 * runs. It belongs to the process, as do the signals of a crash. */
#ifndef BASE_OS_QUIET_H
#define BASE_OS_QUIET_H

#include "base/text.h"

/* A copy of the descriptor of standard error, on which other threads can print while one of them
 * has made standard error quiet. The caller closes it. -1 if no descriptor is free. */
int base_quiet_keep(void);

/* Sends standard error of the whole process nowhere. Returns a token for base_quiet_end, which must
 * follow. Not on two threads at once; what other threads print there in between is lost. */
int base_quiet_begin(void);
void base_quiet_end(int token);

/* While froth listens, what libraries print on standard error becomes messages: notes of one line
 * each, the first ones of them.
 *
 * Last words are not lost. When the process crashes (SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL),
 * standard error is what it was; what was printed and not yet told goes there as it is, with a line
 * that names the signal; then what had been set for the signal follows, or its usual end. Reports
 * of sanitizers go there at once. */

struct base_overheard;

/* Messages to `sink`, which must not print on standard error itself, and which any thread may call,
 * come on another thread. One at a time. NULL: nothing changes. */
struct base_overheard *base_overheard_begin(const struct base_diag_sink *sink);

/* Standard error is what it was. No base_quiet_begin is open. NULL is fine. */
void base_overheard_end(struct base_overheard *overheard);

#endif
