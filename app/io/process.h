/* A helper program that is fed through a pipe, and whose messages are kept. One thread at a time.
 * The process must ignore SIGPIPE. */
#ifndef APP_IO_PROCESS_H
#define APP_IO_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/diag.h"

enum { APP_PROCESS_TAIL_MAX = 2048 };

struct app_process {
    pid_t id;     /* -1: not running */
    int input;    /* our end of its standard input; -1: closed */
    int messages; /* our end of its standard error; -1: closed */
    size_t tail_size;
    char tail[APP_PROCESS_TAIL_MAX]; /* the last it wrote there */
};

/* Starts words[0], found through PATH, with these words (NULL at the end). Its standard output goes
 * nowhere; it does not get the terminal's signals. Returns 0, or an errno value. */
int app_process_start(struct app_process *process, const char *const *words);

/* Hands over all bytes. Returns 0, or -1 if the program does not take any more, or somebody asks to
 * stop (base_stop_wanted) while it keeps us waiting. */
int app_process_write(struct app_process *process, const void *data, size_t size);

/* Closes its input and waits for its end, which comes at once when somebody asks to stop. Returns
 * its exit code, or 128 and the number of the signal that ended it. */
int app_process_finish(struct app_process *process);

/* Ends it at once, with what it has started. Harmless if it does not run. */
void app_process_kill(struct app_process *process);

/* `text` stands in what it wrote last. */
bool app_process_said(const struct app_process *process, const char *text);

/* Reports the last lines that it wrote, as notes. */
void app_process_report(const struct app_process *process, const struct base_diag_sink *sink,
                        struct base_place place);

/* Sound libraries print on standard error at will; around such calls it leads nowhere. */

/* A copy of the descriptor of standard error, on which other threads can print while one of them
 * has made standard error quiet. The caller closes it. -1 if no descriptor is free. */
int app_quiet_keep(void);

/* Sends standard error of the whole process nowhere. Returns a token for app_quiet_end, which must
 * follow. Not on two threads at once; what other threads print there in between is lost. */
int app_quiet_begin(void);
void app_quiet_end(int token);

#endif
