/* froth farm: a film whose pieces are made by many machines (docs/farm.md). What an order is (a
 * YAML file), and what is done with the folder of a job. */
#ifndef APP_FARM_FARM_H
#define APP_FARM_FARM_H

#include "app/farm/job.h"
#include "app/options/options.h"
#include "base/arena.h"
#include "base/text.h"

/* ---- an order ---- */

enum { APP_FARM_SOUNDS = 1000 };

/* Zero-initialise; app_farm_order_free. */
struct app_farm_order {
    struct base_arena arena;
    struct app_farm_words words;         /* for froth render: its options, then the presets */
    const char *sounds[APP_FARM_SOUNDS]; /* where the order lists several */
    size_t sound_count;
};

/* Reads the text of an order at `file`: keys are options of froth render, `presets` and `audio` one
 * path or a list of them. Relative paths begin at the order's folder. 0, or -1 after messages with
 * line and column. */
int app_farm_order_read(struct app_farm_order *order, const char *file, struct base_span text,
                        const struct base_diag_sink *sink);
void app_farm_order_free(struct app_farm_order *order);

/* ---- a plan ---- */

/* Measures some presets of the film that options ask for, which are the job's words, and fills in
 * frames, tasks (where they are 0), seconds and memory. 0, or -1 with a message. */
int app_farm_plan(struct app_farm_job *job, const struct app_options *options,
                  const struct base_diag_sink *sink);

/* Seconds that a frame of the preset takes to be drawn and coded by a task of the job, of whose
 * words the first option_count are options; below 0: that cannot be measured. */
double app_farm_measure_coding(const struct app_farm_job *job, size_t option_count,
                               const char *preset);

/* ---- engines ---- */

/* Writes what the engine is handed into the job's folder. 0, or -1 with a message. */
int app_farm_engine_write(const struct app_farm_job *job, const char *engine,
                          const struct base_diag_sink *sink);

/* Whether what hands a job over is installed. 0, or -1 with a message that names Debian's package.
 */
int app_farm_engine_check(const char *engine, const struct base_diag_sink *sink);

/* Hands it over; for parallel, waits until it is done. 0, or -1 with a message. */
int app_farm_engine_submit(const struct app_farm_job *job, const char *engine,
                           const struct base_diag_sink *sink);

/* ---- what runs ---- */

enum { APP_FARM_MARKED = 10 }; /* seconds after which a task that runs makes its mark anew */

/* Makes a piece, unless it is there, and prints a line of figures. 0, or -1 with a message; the
 * message and the figures are kept in the folder as well. */
int app_farm_task(const struct app_farm_job *job, uint64_t task, const struct base_diag_sink *sink);

/* How far the tasks are, and a picture of their pieces. json: an object per line. 0, or -1 with a
 * message. */
int app_farm_status(const struct app_farm_job *job, bool json, const struct base_diag_sink *sink);

#endif
