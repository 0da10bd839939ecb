/* A helper program that is fed through a pipe, or whose output is read, and whose messages are
 * kept. It runs apart, without network and without files but those that it is handed
 * (app_confine_program). One thread at a time. The process must ignore SIGPIPE. */
#ifndef APP_APART_PROCESS_H
#define APP_APART_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/apart/apart.h"
#include "base/text.h"

enum {
    APP_PROCESS_TAIL_MAX = 2048,
    APP_PROCESS_FILES = APP_APART_FILES - 3, /* that it can be handed */
};

/* The name by which it opens the files it was handed, with their number from 0. */
#define APP_PROCESS_FILE_0 "/proc/self/fd/3"
#define APP_PROCESS_FILE_1 "/proc/self/fd/4"
#define APP_PROCESS_FILE_2 "/proc/self/fd/5"

enum app_process_way {
    APP_PROCESS_FED,  /* its standard output goes nowhere */
    APP_PROCESS_READ, /* its standard input is empty */
};

struct app_process {
    struct app_apart apart;
    int input;               /* our end of its standard input; -1: closed */
    int output;              /* our end of its standard output; -1: closed */
    int messages;            /* our end of its standard error; -1: closed */
    const atomic_bool *stop; /* may be set after app_process_start: see app_apart_stopped */
    size_t tail_size;
    char tail[APP_PROCESS_TAIL_MAX]; /* the last it wrote there */
};

/* What stands in a process that does not run. */
#define APP_PROCESS_NONE                                                                           \
    (struct app_process)                                                                           \
    {                                                                                              \
        .apart = {-1}, .input = -1, .output = -1, .messages = -1                                   \
    }

/* Starts words[0], a path where it has a slash, else found through PATH, with these words (NULL at
 * the end) and files, which stay the caller's. What is open for reading only can only be read. It
 * does not get the terminal's signals. Returns 0, or an errno value. */
int app_process_start(struct app_process *process, const char *const *words,
                      enum app_process_way way, const int *files, size_t file_count);

/* The same for a program that may do more: see app_confine_rights. */
int app_process_start_with(struct app_process *process, const char *const *words,
                           enum app_process_way way, const int *files, size_t file_count,
                           const struct app_confine_rights *rights);

/* Hands over what it takes within so many seconds, 0 for at once. Returns how many bytes that were;
 * *gone: it does not take any more. */
size_t app_process_offer(struct app_process *process, const void *data, size_t size, double seconds,
                         bool *gone);

/* Hands over all bytes. Returns 0, or -1 if the program does not take any more, or is stopped while
 * it keeps us waiting. */
int app_process_write(struct app_process *process, const void *data, size_t size);

/* Reads `size` bytes of its output. Returns how many: fewer only at the end, when it is stopped
 * while it keeps us waiting, or when nothing has come for a minute: it is then killed. */
size_t app_process_read(struct app_process *process, void *data, size_t size);

/* Takes what it has written, waiting at most so many seconds for the first of it, 0 for not at all.
 * Returns how many bytes; *gone: nothing more will come. */
size_t app_process_take(struct app_process *process, void *data, size_t size, double seconds,
                        bool *gone);

/* Closes its input and waits for its end, which comes at once when it is stopped. Returns its exit
 * code, or 128 and the number of the signal that ended it. */
int app_process_finish(struct app_process *process);

/* The same, but one that has not ended after so many seconds is killed. */
int app_process_finish_within(struct app_process *process, double seconds);

/* Ends it at once, with what it has started. Harmless if it does not run. */
void app_process_kill(struct app_process *process);

/* `text` stands in what it wrote last. */
bool app_process_said(const struct app_process *process, const char *text);

/* Reports the last lines that it wrote, as notes. */
void app_process_report(const struct app_process *process, const struct base_diag_sink *sink,
                        struct base_place place);

#endif
