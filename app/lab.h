/* The instruments of `froth lab`, for the compiler and the model of the hardware. */
#ifndef APP_LAB_H
#define APP_LAB_H

#include <stdbool.h>
#include <stdio.h>

#include "app/options.h"
#include "base/span.h"

/* Options that not every instrument knows. */
enum app_lab_option {
    APP_LAB_HEX = 1,
    APP_LAB_REGS = 2,
    APP_LAB_MESH = 4,
    APP_LAB_TRIALS = 8,
    APP_LAB_ARCH = 16,
    APP_LAB_SET = 32,
    APP_LAB_SIZES = 64,
    APP_LAB_AUDIO = 128,
    APP_LAB_FRAMES = 256,
    APP_LAB_OUTPUT = 512,
    APP_LAB_PICTURE = 1024,
};

/* The rows of lab.def; an instrument has one for each way to use it. */
struct app_lab_row {
    const char *name;
    int (*run)(const struct app_options *options);
    unsigned options; /* bits of enum app_lab_option */
    const char *usage;
    const char *help;
};

extern const struct app_lab_row app_lab_rows[];
extern const size_t app_lab_row_count;

#define APP_INSTRUMENT(name, function, known, usage, help)                                         \
    int function(const struct app_options *options);
#include "app/lab.def"

/* Says what is wrong with the words after `froth lab`, and how the instrument is used. Returns
 * APP_EXIT_USAGE. */
int app_lab_refuse_usage(const struct app_options *options, const char *what);

/* The comparisons, with a file's text in memory. They print mismatches and the sum to `out`, and
 * report what they cannot read. Return an enum app_exit: done only if everything agrees and the
 * text could be read and holds something to compare. */
int app_lab_check_alu(const char *file, struct base_span text, FILE *out, bool json,
                      const struct base_diag_sink *sink);
int app_lab_check_programs(const char *file, struct base_span text, FILE *out, bool json,
                           const struct base_diag_sink *sink);

/* The same for case files of the TMU, each with what is expected beside it. Done too if nothing is
 * expected. */
int app_lab_check_tmu(const char *const *paths, size_t count, FILE *out, bool json,
                      const struct base_diag_sink *sink);

#endif
