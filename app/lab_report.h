/* What a comparison of the lab found, and printing it. */
#ifndef APP_LAB_REPORT_H
#define APP_LAB_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
