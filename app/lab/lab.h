/* The instruments of `froth lab`, for the compiler and the model of the hardware. */
#ifndef APP_LAB_LAB_H
#define APP_LAB_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/options/options.h"
#include "base/text.h"
#include "presets/library/find.h"

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
#include "app/lab/lab.def"

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

/* What a comparison of the lab found, and printing it. */

enum { APP_LAB_SHOWN = 20, APP_LAB_WHAT_MAX = 64 };

/* A word of the hardware, or that there is none. */
struct app_lab_word {
    bool given;
    uint32_t value;
};

struct app_lab_mismatch {
    uint32_t line; /* of the file */
    char what[APP_LAB_WHAT_MAX];
    struct app_lab_word expected;
    struct app_lab_word got;
    uint32_t care; /* the bits that were compared */
};

struct app_lab_report {
    size_t cases;
    size_t mismatches;
    struct app_lab_mismatch shown[APP_LAB_SHOWN]; /* the first of them */
};

void app_lab_report_add(struct app_lab_report *report, const struct app_lab_mismatch *mismatch);

/* The mismatches kept, a line each, how many more there are, and "name: 9 unit, 0 mismatches"; or
 * one JSON object {"unit":9,"mismatches":0,"list":[]}. */
void app_lab_report_print(const struct app_lab_report *report, FILE *out, const char *name,
                          const char *unit, bool json);

/* The presets that an instrument works on. */

/* Lists the presets that the command line names after the instrument. Returns an enum app_exit:
 * failed, with messages, if something cannot be read (the list has the rest); wrong usage, with a
 * message, if nothing is named. The list is to be freed in all cases. */
int app_lab_presets(const struct app_options *options, struct preset_list *list);

#endif
