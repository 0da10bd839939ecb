#include "app/bench/stage_times.h"

#include <inttypes.h>
#include <time.h>

enum { TRIALS = 200, NAME_WIDTH = 14 };

static const struct {
    const char *name;
    enum rend_stage within;
} stages[REND_STAGES] = {
#define REND_STAGE(name, text, within, work) {text, REND_STAGE_##within},
#include "renderer/frame/stages.def"
};

const char *app_stage_name(enum rend_stage stage)
{
    return stages[stage].name;
}

enum rend_stage app_stage_within(enum rend_stage stage)
{
    return stages[stage].within;
}

static double seconds_of(clockid_t clock)
{
    struct timespec time = {0};
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct app_time app_stage_times_now(struct app_stage_times *times)
{
    const double before = (double)times->readings++ * times->reading;
    return (struct app_time){
        .cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before,
        .wall = seconds_of(CLOCK_MONOTONIC) - before,
    };
}

static void add(struct app_time *sum, struct app_time from, struct app_time to)
{
    sum->cpu += to.cpu - from.cpu;
    sum->wall += to.wall - from.wall;
}

static void observe(void *user, enum rend_stage stage, bool begins)
{
    struct app_stage_times *times = user;
    const struct app_time now = app_stage_times_now(times);
    if (begins) {
        times->began[stage] = now;
    } else {
        add(&times->stages[stage], times->began[stage], now);
    }
}

void app_stage_times_begin(struct app_stage_times *times)
{
    *times = (struct app_stage_times){.observer = {times, observe}};
    double shortest = 1;
    for (int i = 0; i < TRIALS; i++) {
        const struct app_time from = app_stage_times_now(times);
        const struct app_time to = app_stage_times_now(times);
        shortest = to.cpu - from.cpu < shortest ? to.cpu - from.cpu : shortest;
    }
    times->reading = shortest;
    times->readings = 0;
}

void app_stage_times_clear(struct app_stage_times *times)
{
    for (int i = 0; i < REND_STAGES; i++) {
        times->stages[i] = (struct app_time){0};
    }
    times->frame = (struct app_time){0};
    times->frames = 0;
}

void app_stage_times_count(struct app_stage_times *times, struct app_time from)
{
    add(&times->frame, from, app_stage_times_now(times));
    times->frames++;
}

unsigned app_stage_times_step(struct app_stage_times *times, struct rend *rend,
                              const struct rend_input *input, uint32_t *pixels, size_t stride)
{
    const struct app_time from = app_stage_times_now(times);
    const unsigned events = rend_step(rend, input, pixels, stride);
    app_stage_times_count(times, from);
    return events;
}

static void print_row(FILE *out, const char *indent, const char *name, struct app_time sum,
                      const struct app_stage_times *times)
{
    const double share = times->frame.cpu > 0 ? 100 * sum.cpu / times->frame.cpu : 0;
    const double each = 1e3 / (double)times->frames;
    (void)fprintf(out, "%s%-*s  %9.3f  %9.3f  %5.1f %%\n", indent,
                  NAME_WIDTH - (indent[0] != '\0' ? 2 : 0), name, sum.cpu * each, sum.wall * each,
                  share);
}

void app_stage_times_print(const struct app_stage_times *times, FILE *out)
{
    if (times->frames == 0) {
        return;
    }
    (void)fprintf(out, "%-*s  %9s  %9s  of %" PRIu64 " frames, ms each\n", NAME_WIDTH, "stage",
                  "processor", "clock", times->frames);
    for (int i = 0; i < REND_STAGES; i++) {
        const bool inner = stages[i].within != (enum rend_stage)i;
        print_row(out, inner ? "  " : "", stages[i].name, times->stages[i], times);
    }
    print_row(out, "", "frame", times->frame, times);
}
