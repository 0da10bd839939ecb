/* How many tasks a film needs, and what each asks for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/farm/farm.h"
#include "app/render/film.h"
#include "presets/library/find.h"

enum {
    MEASURED = 40,      /* presets at most; others are like their median */
    FRAMES = 30,        /* of each */
    CODED = 3,          /* of these, whose coding is measured */
    TASK_SECONDS = 120, /* as a task is wished to take */
    LEAST_TASKS = 4,
    LEAST_SECONDS = 2, /* of film in a task */
};

/* A preset's part of the film. */
struct part {
    const char *path;
    uint64_t first;
    uint64_t end;
    double cost; /* seconds of the processor for a frame; below 0: not measured */
};

struct plan {
    const struct base_diag_sink *sink;
    struct part *parts;
    size_t count;
    double peak_mib;
    double coding; /* seconds for a frame */
};

static int no_memory(const struct plan *plan)
{
    base_report(plan->sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    return -1;
}

static int list_parts(struct plan *plan, struct app_running_order *order, uint64_t frames)
{
    struct app_turn turn;
    size_t room = 0;
    for (uint64_t at = 0; at < frames && app_running_order_next(order, at, &turn);
         at += turn.frames) {
        if (plan->count == room) {
            room = 2 * room + 64;
            struct part *grown = realloc(plan->parts, room * sizeof *grown);
            if (grown == NULL) {
                return no_memory(plan);
            }
            plan->parts = grown;
        }
        const uint64_t left = frames - at;
        plan->parts[plan->count++] =
            (struct part){turn.path, at, at + (turn.frames < left ? turn.frames : left), -1};
    }
    return 0;
}

static int ascending(const void *a, const void *b)
{
    const double first = *(const double *)a;
    const double second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Some of the parts, all over the film; the others get the median of what these cost. */
static int measure(struct plan *plan, const struct app_options *options)
{
    static const double unknown = 0.1; /* seconds, where none could be measured */
    char *paths[MEASURED];
    size_t of[MEASURED];
    double costs[MEASURED];
    struct app_check_row rows[MEASURED] = {{.path = NULL}};
    struct preset_list list = {.paths = paths};
    const size_t count = plan->count < MEASURED ? plan->count : MEASURED;
    for (; list.count < count; list.count++) {
        union {
            const char *read;
            char *path;
        } one = {plan->parts[list.count * plan->count / count].path};
        of[list.count] = list.count * plan->count / count;
        paths[list.count] = one.path;
    }
    if (app_check_costs(options, FRAMES, &list, rows) != 0) {
        return no_memory(plan);
    }
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const struct app_check_figures *figures = &rows[i].figures;
        if (figures->frame_ms > 0) {
            costs[known++] = plan->parts[of[i]].cost = figures->frame_ms / 1e3;
        }
        plan->peak_mib = fmax(plan->peak_mib, figures->peak_mib);
        app_check_row_free(&rows[i]);
    }
    qsort(costs, known, sizeof *costs, ascending);
    for (size_t i = 0; i < plan->count; i++) {
        const bool measured = plan->parts[i].cost >= 0;
        plan->parts[i].cost = measured    ? plan->parts[i].cost
                              : known > 0 ? costs[known / 2]
                                          : unknown;
    }
    return 0;
}

/* Of presets all over the film the longest. What coding takes besides drawing is not known: both
 * may go on at a time here, and not where the tasks run. */
static void measure_coding(struct plan *plan, const struct app_farm_job *job,
                           const struct app_options *options)
{
    const size_t option_count = job->words.count - options->input_count;
    const size_t count = plan->count < CODED ? plan->count : CODED;
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &plan->parts[(2 * i + 1) * plan->count / (2 * count)];
        plan->coding = fmax(plan->coding, app_farm_measure_coding(job, option_count, part->path));
    }
}

/* What drawing and coding these frames costs; none of the first are coded. */
static double cost_of(const struct plan *plan, uint64_t start, uint64_t first, uint64_t end)
{
    double cost = plan->coding * (double)(end - first);
    for (size_t i = 0; i < plan->count; i++) {
        const struct part *part = &plan->parts[i];
        const uint64_t from = part->first > start ? part->first : start;
        const uint64_t to = part->end < end ? part->end : end;
        cost += from < to ? part->cost * (double)(to - from) : 0;
    }
    return cost;
}

/* Where a piece that begins with this frame begins to draw. */
static uint64_t start_of(const struct plan *plan, uint64_t first, bool clean)
{
    uint64_t start = 0;
    for (size_t i = 0; clean && i < plan->count && plan->parts[i].first <= first; i++) {
        start = plan->parts[i].first;
    }
    return start;
}

static void request(struct app_farm_job *job, const struct plan *plan,
                    const struct app_options *options, double fps)
{
    const struct app_size size = app_options_size(options);
    const double pixels = (double)size.width * (double)size.height;
    if (job->tasks == 0) {
        const double wished = ceil(cost_of(plan, 0, 0, job->frames) / TASK_SECONDS);
        const double most = fmax(floor((double)job->frames / (LEAST_SECONDS * fps)), 1);
        job->tasks = (uint64_t)fmin(fmin(fmax(wished, LEAST_TASKS), most), APP_FARM_TASKS);
    }
    job->tasks = job->tasks < job->frames ? job->tasks : job->frames;
    double longest = 0;
    for (uint64_t task = 1; task <= job->tasks; task++) {
        uint64_t first;
        uint64_t count;
        app_piece_cut(job->frames, task, job->tasks, &first, &count);
        longest = fmax(longest, cost_of(plan, start_of(plan, first, options->clean_start), first,
                                        first + count));
    }
    /* Other machines may be half as fast, and each has to start. The coder keeps some forty
     * pictures. */
    job->seconds = (uint64_t)ceil(2 * longest) + 60;
    job->memory = (uint64_t)ceil(1.5 * plan->peak_mib + 100 * pixels / 1048576) + 256;
}

int app_farm_plan(struct app_farm_job *job, const struct app_options *options,
                  const struct base_diag_sink *sink)
{
    struct plan plan = {.sink = sink};
    struct app_film film = {.options = options};
    struct app_running_order order = {.frames = 0};
    const struct engine_rate rate = app_options_fps(options);
    int result = app_film_open(&film, options, app_options_size(options), rate);
    if (result == 0) {
        job->frames = film.frames;
        result = app_running_order_open(&order, options, film.rate, film.frames, sink);
        result = result == 0 ? list_parts(&plan, &order, film.frames) : result;
        result = result == 0 ? measure(&plan, options) : result;
    }
    if (result == 0) {
        measure_coding(&plan, job, options);
    }
    if (result == 0) {
        request(job, &plan, options, engine_rate_value(rate));
    }
    free(plan.parts);
    app_running_order_close(&order);
    app_film_close(&film);
    return result;
}
