/* How far a long job has come, on standard error: on a terminal one line that is drawn anew, else a
 * plain line about every tenth or every five seconds. One thread at a time; nothing allocates. */
#ifndef APP_IO_PROGRESS_H
#define APP_IO_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Plain data, filled by app_progress_begin; it need not be freed. */
struct app_progress {
    FILE *out;
    const char *unit;
    uint64_t total;
    bool terminal;
    bool drawn;      /* a line without its end stands on the terminal */
    double began;    /* seconds of the monotonic clock */
    double shown;    /* when the last line was written */
    uint64_t tenths; /* of the job, in the last line */
    uint64_t told;   /* done, in the last line */
};

/* unit: what is counted, "frames"; kept by reference. total > 0. */
void app_progress_begin(struct app_progress *progress, FILE *out, const char *unit, uint64_t total);

/* `done` of `total` are finished. Cheap enough to be called for each one. */
void app_progress_step(struct app_progress *progress, uint64_t done);

/* Takes the line off the terminal, so that something else can be printed; the next step draws it
 * again. */
void app_progress_clear(struct app_progress *progress);

/* Ends the job: the terminal's line stays with its last state if `keep`, else it is removed. */
void app_progress_end(struct app_progress *progress, uint64_t done, bool keep);

/* A sink that prints messages on standard error without mixing them into the line. */
struct base_diag_sink app_progress_sink(struct app_progress *progress);

/* The text of a line after `seconds` of work: " 42 %  812/1920 frames  61.3 per second  0:18 left".
 * Always NUL-terminated. */
void app_progress_text(char *text, size_t size, const char *unit, uint64_t done, uint64_t total,
                       double seconds);

#endif
