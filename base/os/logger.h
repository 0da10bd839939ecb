/* Where messages go while froth plays: those that are important enough to standard error, and to a
 * file if there is one. */
#ifndef BASE_OS_LOGGER_H
#define BASE_OS_LOGGER_H

#include "base/diag.h"

/* Prints each message as one line in one write on standard error. Control characters, which could
 * steer a terminal, are printed as '?'. */
extern const struct base_diag_sink base_diag_stderr;

/* The same on another file descriptor; *descriptor outlives the sink. */
struct base_diag_sink base_diag_descriptor_sink(int *descriptor);

struct base_logger {
    const struct base_diag_sink *next; /* gets what is important enough */
    enum base_severity least;
    int file; /* a descriptor, or -1 */
};

/* Messages of `level`, the name of a severity (NULL or another word: BASE_NOTE), and above go to
 * `next`, which outlives the log, and into the file at `path` (NULL: none), which is made or added
 * to. Returns 0, or -1 with a message on `next` if the file cannot be opened: the log then works
 * without it. */
int base_logger_open(struct base_logger *log, const char *path, const char *level,
                     const struct base_diag_sink *next);
void base_logger_close(struct base_logger *log);

/* log must outlive the sink. Any thread may report to it if any may to `next`; lines of the file
 * are whole. */
struct base_diag_sink base_logger_sink(struct base_logger *log);

#endif
