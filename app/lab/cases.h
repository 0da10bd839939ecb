/* Running a case of the TMU in both revisions and at all cache sizes, and comparing. */
#ifndef APP_LAB_CASES_H
#define APP_LAB_CASES_H

#include "app/lab/lab.h"
#include "app/lab/mapper/case.h"
#include "base/cpu.h"

enum { APP_TMU_REVISIONS = 2 };

struct app_tmu_outcome {
    uint32_t numbers[APP_TMU_NUMBER_COUNT];
    uint32_t pixels;                             /* inside the target */
    struct app_tmu_cache caches[APP_TMU_CACHES]; /* line 0: its channels would conflict for ever */
    uint32_t fast[APP_TMU_REVISIONS][BASE_CPU_LEVEL_COUNT]; /* CRCs of board_mapper_run_fast */
    size_t levels;                                          /* of this processor */
    struct board_mapper_memory memory; /* after the run of the current revision */
};

/* False with a message and nothing to free if memory is short. */
bool app_tmu_outcome_make(struct app_tmu_outcome *outcome, const struct app_tmu_case *tmu_case,
                          const char *file, const struct base_diag_sink *sink);
void app_tmu_outcome_free(struct app_tmu_outcome *outcome);

/* Adds where the fast rows of a processor level differ from the reference. */
void app_tmu_outcome_compare_fast(const struct app_tmu_outcome *outcome, const char *name,
                                  struct app_lab_report *report);

#endif
