#include "app/counters.h"

#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

double app_memory_used(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*u %lu", &pages) != 1) {
        pages = 0;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

double app_memory_most(void)
{
    enum { KIBI = 1024 };
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss * KIBI : 0;
}

void app_counters_print(FILE *out, const struct app_counters *counters)
{
    const double mib = 1024.0 * 1024.0;
    (void)fprintf(out, "counter presets shown: %u\n", counters->shown);
    (void)fprintf(out, "counter presets that could not be loaded: %u\n", counters->failed);
    (void)fprintf(out, "counter presets left for being slow: %u\n", counters->slow);
    (void)fprintf(out, "counter frames: %" PRIu64 "\n", counters->frames);
    (void)fprintf(out, "counter frames late: %" PRIu64 "\n", counters->late);
    (void)fprintf(out, "counter steps: %" PRIu64 "\n", counters->steps);
    (void)fprintf(out, "counter steps over budget: %" PRIu64 "\n", counters->events);
    (void)fprintf(out, "counter memory after a minute: %.1f MiB\n",
                  counters->memory_after_minute / mib);
    (void)fprintf(out, "counter memory at the end: %.1f MiB\n", counters->memory / mib);
    (void)fprintf(out, "counter most memory until the first minute: %.1f MiB\n",
                  counters->most_after_minute / mib);
    (void)fprintf(out, "counter most memory until the end: %.1f MiB\n", counters->most / mib);
}
