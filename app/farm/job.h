/* The folder of a job: job.yaml says what its tasks render, pieces/ has what they have made, tasks/
 * what became of them. */
#ifndef APP_FARM_JOB_H
#define APP_FARM_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/os/file.h"
#include "base/text.h"

enum { APP_FARM_PATH = 4096, APP_FARM_WORDS = 110000, APP_FARM_TASKS = 100000 };

struct app_farm_words {
    const char **items;
    size_t count;
    size_t capacity;
};

/* Zero-initialise; app_farm_job_free. */
struct app_farm_job {
    struct base_arena arena;
    char folder[APP_FARM_PATH]; /* absolute */
    char version[32];           /* of froth */
    uint64_t tasks;
    uint64_t frames;
    uint64_t threads; /* of a task */
    uint64_t seconds; /* that the longest may take */
    uint64_t memory;  /* MiB that one may take */
    struct app_farm_words words;
};

/* Adds a word, which is copied. 0, or -1 without memory or room. */
int app_farm_word_add(struct base_arena *arena, struct app_farm_words *words, const char *word);

/* Reads the job of a folder. 0, or -1 after messages. */
int app_farm_job_open(struct app_farm_job *job, const char *folder,
                      const struct base_diag_sink *sink);
/* Its text alone; folder is left as it is. */
int app_farm_job_read(struct app_farm_job *job, const char *file, struct base_span text,
                      const struct base_diag_sink *sink);

/* Writes it, and makes its folders, which must be new. 0, or -1 with a message. */
int app_farm_job_write(const struct app_farm_job *job, const struct base_diag_sink *sink);

void app_farm_job_free(struct app_farm_job *job);

/* A path in the folder: "tasks/00012.json" and the like. False: it is too long. */
bool app_farm_path(const struct app_farm_job *job, const char *part, uint64_t task,
                   const char *ending, char path[static APP_FARM_PATH]);

/* Writes a file: `put` writes its text. 0, or -1 with a message. */
int app_farm_write(const char *path, enum base_file_way way,
                   void (*put)(FILE *out, const void *user), const void *user,
                   const struct base_diag_sink *sink);

#endif
