/* Where messages go while froth plays: those that are important enough to standard error, and to a
 * file if there is one. */
#ifndef APP_LOG_H
#define APP_LOG_H

#include "app/options.h"
#include "base/diag.h"

struct app_log {
    const struct base_diag_sink *next; /* gets what is important enough */
    enum base_severity least;
    int file; /* a descriptor, or -1 */
};

/* As --log-level and --log say; a file is made or added to. next outlives the log. Returns 0, or -1
 * with a message on `next` if the file cannot be opened: the log then works without it. */
int app_log_open(struct app_log *log, const struct app_options *options,
                 const struct base_diag_sink *next);
void app_log_close(struct app_log *log);

/* log must outlive the sink. Any thread may report to it if any may to `next`; lines of the file
 * are whole. */
struct base_diag_sink app_log_sink(struct app_log *log);

#endif
