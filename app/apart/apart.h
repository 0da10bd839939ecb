/* Work in processes of their own, which may crash, hang and lie without harm to froth: functions of
 * froth that decode foreign bytes, and other programs (app/apart/process.h).
 *
 * A process that does nothing else starts them. It is a fork of froth from before there were
 * threads or windows, holds nothing of froth's, and ends with it. */
#ifndef APP_APART_APART_H
#define APP_APART_APART_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/apart/confine.h"

enum {
    APP_APART_FILES = 6,        /* descriptors that can be handed over */
    APP_APART_DATA = 16 * 1024, /* bytes that can be handed over */
    APP_APART_AT_ONCE = 160,    /* processes; who wants more waits */
};

/* Called in the process, which has given up its rights (app_confine_work). Its descriptors are
 * those that were handed over, then none; standard error leads nowhere unless it is one of them.
 * Its return ends the process with this exit code. */
typedef int (*app_apart_work)(const void *data, size_t size);

struct app_apart_request {
    app_apart_work work;   /* a function of this program; NULL: a program is started */
    void (*prepare)(void); /* called before, with the rights of froth; NULL: nothing */
    const char *program;   /* its path */
    const void *data;      /* what the function gets; of a program its words, each with its NUL */
    size_t size;
    int files[APP_APART_FILES]; /* become descriptors 0, 1 and so on; stay the caller's */
    int file_count;
    struct app_confine_limits limits;
    struct app_confine_rights rights; /* of a program */
};

/* A running process. */
struct app_apart {
    int life; /* -1: none runs */
};

/* To be called once, first of all in main, while there is one thread. Without it nothing can be
 * started. Returns 0, or an errno value. */
int app_apart_begin(void);

/* Any thread, and forks of this process. Returns 0, or an errno value: ESRCH if the process that
 * starts others is not there. */
int app_apart_start(struct app_apart *apart, const struct app_apart_request *request);

/* What such an errno value means, in words. */
const char *app_apart_error(int error);

/* Waits for the end, for ever if milliseconds is negative. True: it has ended, *code is its exit
 * code, or 128 and the number of the signal that ended it. */
bool app_apart_ended(struct app_apart *apart, int milliseconds, int *code);

/* Kills it, if it runs, with what it has started. Harmless after that, or if none was started. */
void app_apart_end(struct app_apart *apart);

/* Work whose result comes through a pipe. */

enum app_apart_result {
    APP_APART_DONE,
    APP_APART_SHORT,   /* it ended before that much had come */
    APP_APART_LATE,    /* nothing more came in time */
    APP_APART_STOPPED, /* it is not to be waited for any more (app_apart_stopped) */
};

/* Whether what a process does is not wanted any more: somebody insists on stopping froth
 * (base_stop_insisted), or another thread has set *stop (NULL: there is none). Any thread. */
bool app_apart_stopped(const atomic_bool *stop);

struct app_apart_pipe {
    struct app_apart apart;
    int output;              /* -1: closed */
    const atomic_bool *stop; /* may be set after app_apart_open: see app_apart_stopped */
};

/* Starts work (see app_apart_request) with `file` as descriptor 0 and a pipe to us as descriptor 1.
 * Returns 0, or an errno value. */
int app_apart_open(struct app_apart_pipe *pipe, void (*prepare)(void), app_apart_work work,
                   int file, const void *data, size_t size, struct app_confine_limits limits);

/* Reads exactly `size` bytes; waits `seconds` at most in all, and 0.2 s when it is stopped. */
enum app_apart_result app_apart_read(struct app_apart_pipe *pipe, void *data, size_t size,
                                     double seconds);

/* Ends the work whatever it does. Returns in froth's words what is to be said of a result that is
 * not APP_APART_DONE; the text is constant. */
const char *app_apart_close(struct app_apart_pipe *pipe, enum app_apart_result result);

/* For the work itself: writes all. False if nobody reads any more. */
bool app_apart_write(const void *data, size_t size);

#endif
