/* A film's order ('o' in front) and a job ('j'): what is read holds no more than it may, or is
 * refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/farm/farm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_words(const struct app_farm_words *words)
{
    ensure(words->count <= APP_FARM_WORDS);
    for (size_t i = 0; i < words->count; i++) {
        ensure(words->items[i][0] == '-' || words->items[i][0] == '/');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct base_span text = {(const char *)data + 1, size - 1};
    if (data[0] == 'o') {
        struct app_farm_order *order = calloc(1, sizeof *order);
        if (order != NULL && app_farm_order_read(order, "/dev/null", text, NULL) == 0) {
            ensure(order->words.count > 0 && order->sound_count <= APP_FARM_SOUNDS);
            check_words(&order->words);
        }
        if (order != NULL) {
            app_farm_order_free(order);
        }
        free(order);
    } else {
        struct app_farm_job *job = calloc(1, sizeof *job);
        if (job != NULL && app_farm_job_read(job, "job.yaml", text, NULL) == 0) {
            ensure(job->tasks > 0 && job->tasks <= APP_FARM_TASKS && job->tasks <= job->frames);
            ensure(job->threads > 0 && job->threads <= 64 && strlen(job->version) > 0);
            ensure(job->words.count <= APP_FARM_WORDS);
        }
        if (job != NULL) {
            app_farm_job_free(job);
        }
        free(job);
    }
    return 0;
}
