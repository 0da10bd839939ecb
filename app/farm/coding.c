/* What drawing and coding a preset's pictures takes together, by froth render in a process of its
 * own. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/farm/farm.h"
#include "base/os/file.h"
#include "base/os/program.h"
#include "base/os/thread.h"

enum { FEW = 8, MANY = 38 };

/* Seconds for a film of so many frames of the preset; below 0: it cannot be made. */
static double render(const struct app_farm_job *job, size_t option_count, const char *preset,
                     unsigned frames)
{
    enum { MORE = 16 };
    char program[APP_FARM_PATH];
    char output[APP_FARM_PATH + 32];
    char threads[32];
    char length[32];
    const char **words = calloc(option_count + MORE, sizeof *words);
    pid_t child = 0;
    if (words == NULL || !base_program(program, sizeof program)) {
        free(words);
        return -1;
    }
    size_t count = 0;
    (void)snprintf(output, sizeof output, "%s/measured.ts", job->folder);
    (void)snprintf(threads, sizeof threads, "--threads=%" PRIu64, job->threads);
    (void)snprintf(length, sizeof length, "--frames=%u", frames);
    words[count++] = program;
    words[count++] = "render";
    for (size_t i = 0; i < option_count; i++) {
        words[count++] = job->words.items[i];
    }
    const char *const more[] = {threads, length, "--segment=1/1", "--overwrite",
                                "-o",    output, preset};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        words[count++] = more[i];
    }
    const double began = base_clock_seconds();
    const bool good =
        base_program_start(words, -1, false, &child) == 0 && base_program_wait(child) == 0;
    const double took = base_clock_seconds() - began;
    (void)unlink(output);
    (void)snprintf(output, sizeof output, "%s/measured.ts.piece", job->folder);
    (void)unlink(output);
    free(words);
    return good ? took : -1;
}

double app_farm_measure_coding(const struct app_farm_job *job, size_t option_count,
                               const char *preset)
{
    const double few = render(job, option_count, preset, FEW);
    const double many = few >= 0 ? render(job, option_count, preset, MANY) : -1;
    return many >= 0 ? fmax(many - few, 0) / (MANY - FEW) : -1;
}
