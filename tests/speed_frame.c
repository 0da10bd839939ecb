/* Where a frame's processor time goes, and what so many threads would make of it.
 *   speed_frame [--size WxH] [--frames N] [--cpu LEVEL] [--start US] [--slowest N] PRESET...
 * Each preset is drawn three times as with one thread, which is what it takes without others, and
 * three times with its work divided as for eight, whose jobs run one after the other; of the times
 * of a job, and of what lies between, the shortest counts. Then each run of the divided ones is
 * played again for 2 to 32 threads: each has its share of the jobs and helps others afterwards, as
 * in base/os/thread.c; what lies between runs is one thread's. What the clock itself takes is left
 * out. Until the threads of a run have begun it takes US (1) microseconds, and as long until the
 * caller knows that they have ended: speed_pool measures both together. Memory and caches that
 * threads share are not in it. Prints a line for each preset: milliseconds, those of which one
 * thread alone can do, efficiency (time on one thread / time on N / N), how much of the time with
 * eight threads is lost since the others wait for one, to starting runs, and to jobs of unequal
 * length, and the stage that loses most. At the end medians, of each stage what it takes whole and
 * divided, what of it is done alone and the same three losses, and how far the estimates by which
 * engine/governor.h begins a preset are right, with what comes of it.
 * --slowest N: instead a table of those that take longest, with the reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/io/audio.h"
#include "base/os/print.h"
#include "engine/governor.h"
#include "heard.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/shader/shader.h"
#include "renderer/stages.h"

enum { SKIPPED = 4, FRAMES_MAX = 256, PIECES_MAX = 1 << 20, PRESETS_MAX = 20000, TURNS = 6 };
enum { THREADS_MAX = 32, WIDTHS = 6, THREADS_SHOWN = 8 };

static const size_t threads_of[WIDTHS] = {1, 2, 4, 8, 16, 32};

/* Time in a row on one thread, or that of a run's jobs. */
struct piece {
    enum rend_stage stage;
    size_t jobs; /* of the run: seconds[first..first + jobs - 1]; 0: not a run */
    size_t first;
};

struct record {
    struct piece *pieces;
    size_t piece_count;
    double *seconds;
    size_t count;
    bool again;     /* another turn: the shorter ones count */
    size_t threads; /* that the work is divided for */
    bool on;        /* frames are measured now */
    bool in_run;
    enum rend_stage stage[4]; /* that has begun, within each other */
    size_t depth;
    double since;
    double clock; /* seconds that reading it takes */
};

/* What the jobs are seen by: whole and divided work. */
static struct record records[2];
static struct record *record = &records[0];

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What it takes to read the clock, which lies in each time once. */
static double clock_seconds(void)
{
    enum { TRIES = 1000 };
    double least = 1;
    for (int i = 0; i < TRIES; i++) {
        const double begun = seconds_now();
        const double took = seconds_now() - begun;
        least = took < least ? took : least;
    }
    return least;
}

static void add_time(double seconds)
{
    double *to = &record->seconds[record->count++];
    seconds = seconds > record->clock ? seconds - record->clock : 0;
    *to = record->again && *to < seconds ? *to : seconds;
}

static void add_piece(size_t jobs)
{
    const enum rend_stage stage =
        record->depth > 0 ? record->stage[record->depth - 1] : REND_STAGES;
    record->pieces[record->piece_count++] = (struct piece){stage, jobs, record->count};
}

/* What lay between two runs or stages. */
static void end_row(void)
{
    if (record->on && record->count + 1 < PIECES_MAX && record->piece_count + 1 < PIECES_MAX) {
        add_piece(0);
        add_time(seconds_now() - record->since);
    }
}

size_t __wrap_base_pool_threads(const struct base_pool *pool);
void __wrap_base_pool_run(struct base_pool *pool, base_job job, void *user, size_t count);

size_t __wrap_base_pool_threads(const struct base_pool *pool)
{
    (void)pool;
    return record->threads;
}

void __wrap_base_pool_run(struct base_pool *pool, base_job job, void *user, size_t count)
{
    (void)pool;
    if (!record->on || record->in_run || record->count + count >= PIECES_MAX) {
        for (size_t i = 0; i < count; i++) {
            job(user, i);
        }
        return;
    }
    end_row();
    add_piece(count);
    record->in_run = true;
    for (size_t i = 0; i < count; i++) {
        const double begun = seconds_now();
        job(user, i);
        add_time(seconds_now() - begun);
    }
    record->in_run = false;
    record->since = seconds_now();
}

static void observe(void *user, enum rend_stage stage, bool begins)
{
    (void)user;
    end_row();
    if (begins) {
        record->stage[record->depth++] = stage;
    } else {
        record->depth--;
    }
    record->since = seconds_now();
}

/* ---- drawing ---- */

struct wish {
    int width;
    int height;
    unsigned frames;
    enum base_cpu_level cpu;
    double start; /* seconds */
    size_t slowest;
};

static struct rend_patch *read_patch(const char *path)
{
    struct preset preset;
    if (preset_read_file(&preset, path, NULL) != 0) {
        return NULL;
    }
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    return patch;
}

/* False if it cannot be drawn. */
static bool draw(const struct wish *wish, const struct rend_patch *patch, uint32_t *pixels)
{
    static const struct rend_observer observer = {NULL, observe};
    const struct rend_config config = {.width = wish->width,
                                       .height = wish->height,
                                       .mesh_x = 48,
                                       .mesh_y = 36,
                                       .fps = HEARD_FPS,
                                       .cpu = wish->cpu,
                                       .observer = &observer};
    struct rend *rend = rend_create(&config);
    struct app_audio *audio = app_audio_open("demo", &base_diag_stderr);
    const bool good = rend != NULL && audio != NULL && rend_load(rend, patch, 0, NULL) == 0;
    record->piece_count = 0;
    record->count = 0;
    for (unsigned i = 1; good && i <= SKIPPED + wish->frames; i++) {
        float sound[2 * HEARD_SAMPLES];
        const struct rend_input input = heard_input(audio, i, sound);
        record->on = i > SKIPPED;
        record->depth = 0;
        record->since = seconds_now();
        (void)rend_step(rend, &input, pixels, (size_t)wish->width);
        end_row();
        record->on = false;
    }
    app_audio_close(audio);
    rend_free(rend);
    return good;
}

/* ---- more threads ---- */

/* How long a run takes with so many. */
static double simulate(const double *jobs, size_t count, size_t threads, double start)
{
    double free_at[THREADS_MAX];
    size_t next[THREADS_MAX];
    size_t end[THREADS_MAX];
    double last = 0;
    if (count < 2 || threads < 2) {
        for (size_t i = 0; i < count; i++) {
            last += jobs[i];
        }
        return last;
    }
    for (size_t i = 0; i < threads; i++) {
        next[i] = count * i / threads;
        end[i] = count * (i + 1) / threads;
        free_at[i] = start;
    }
    for (size_t left = count; left > 0; left--) {
        size_t who = 0;
        for (size_t i = 1; i < threads; i++) {
            who = free_at[i] < free_at[who] ? i : who;
        }
        size_t of = who;
        while (next[of] == end[of]) {
            of = (of + 1) % threads;
        }
        free_at[who] += jobs[next[of]++];
        last = free_at[who] > last ? free_at[who] : last;
    }
    return last + start;
}

enum loss { LOST_ALONE, LOST_START, LOST_UNEVEN, LOSSES };

struct figures {
    const char *path;
    double seconds;                  /* of a frame on one thread */
    double stage[REND_STAGES + 1];   /* of which */
    double divided[REND_STAGES + 1]; /* the same when it is divided */
    double alone[REND_STAGES + 2]; /* of which no other thread can take a part; the last: of all */
    double efficiency[WIDTHS];
    double lost[LOSSES];                     /* parts of the frame's time with eight threads */
    double lost_in[REND_STAGES + 1][LOSSES]; /* and those of each stage */
    enum rend_stage loser;
    double estimate; /* rend_patch_pixel_seconds */
    bool shaded;
    char reason[160];
};

static void count_run(const struct wish *wish, const struct piece *piece, double took[WIDTHS],
                      double lost[LOSSES])
{
    const double *seconds = &record->seconds[piece->first];
    double all = 0;
    for (size_t k = 0; k < piece->jobs; k++) {
        all += seconds[k];
    }
    for (size_t k = 0; k < WIDTHS; k++) {
        took[k] += simulate(seconds, piece->jobs, threads_of[k], wish->start);
    }
    const double with = simulate(seconds, piece->jobs, THREADS_SHOWN, wish->start);
    const double starting = with - simulate(seconds, piece->jobs, THREADS_SHOWN, 0);
    lost[LOST_START] += starting;
    lost[LOST_UNEVEN] += with - starting - all / THREADS_SHOWN;
}

static void count_up(const struct wish *wish, struct figures *figures)
{
    double took[WIDTHS] = {0};
    double lost[REND_STAGES + 1][LOSSES] = {0};
    for (size_t i = 0; i < record->piece_count; i++) {
        const struct piece *piece = &record->pieces[i];
        double *here = lost[piece->stage];
        double all = 0;
        for (size_t k = 0; k < (piece->jobs > 0 ? piece->jobs : 1); k++) {
            all += record->seconds[piece->first + k];
        }
        figures->divided[piece->stage] += all / wish->frames;
        if (piece->jobs > 1) {
            count_run(wish, piece, took, here);
            continue;
        }
        figures->alone[piece->stage] += all / wish->frames;
        figures->alone[REND_STAGES + 1] += all / wish->frames;
        here[LOST_ALONE] += all * (THREADS_SHOWN - 1) / THREADS_SHOWN;
        for (size_t k = 0; k < WIDTHS; k++) {
            took[k] += all;
        }
    }
    double most = 0;
    for (int i = 0; i <= REND_STAGES; i++) {
        double here = 0;
        for (int k = 0; k < LOSSES; k++) {
            here += lost[i][k];
            figures->lost[k] += lost[i][k] / took[3];
            figures->lost_in[i][k] = lost[i][k] / took[3];
        }
        if (here > most) {
            most = here;
            figures->loser = (enum rend_stage)i;
        }
    }
    for (size_t k = 0; k < WIDTHS; k++) {
        figures->efficiency[k] = figures->seconds * wish->frames / took[k] / (double)threads_of[k];
    }
}

/* What one thread takes whose work is not divided. */
static void count_one(const struct wish *wish, struct figures *figures)
{
    for (size_t i = 0; i < record->piece_count; i++) {
        const struct piece *piece = &record->pieces[i];
        for (size_t k = 0; k < (piece->jobs > 0 ? piece->jobs : 1); k++) {
            const double seconds = record->seconds[piece->first + k] / wish->frames;
            figures->stage[piece->stage] += seconds;
            figures->seconds += seconds;
        }
    }
}

/* ---- reasons ---- */

static const char *stage_name(enum rend_stage stage)
{
    static const char *const names[REND_STAGES + 1] = {
#define REND_STAGE(name, text, ...) [REND_STAGE_##name] = (text),
#include "renderer/frame/stages.def"
        [REND_STAGES] = "between",
    };
    return names[stage];
}

static void say_why(struct figures *figures, const struct rend_patch *patch)
{
    int order[REND_STAGES + 1];
    for (int i = 0; i <= REND_STAGES; i++) {
        int k = i;
        for (; k > 0 && figures->stage[i] > figures->stage[order[k - 1]]; k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    char *to = figures->reason;
    size_t left = sizeof figures->reason;
    for (int i = 0; i < 3; i++) {
        const double part = figures->stage[order[i]] / figures->seconds;
        const struct shader_program *program = NULL;
        if (part < 0.1) {
            break;
        }
        program = order[i] == REND_STAGE_WARP        ? patch->shader[SHADER_WARP].program
                  : order[i] == REND_STAGE_COMPOSITE ? patch->shader[SHADER_COMP].program
                                                     : NULL;
        int length = snprintf(to, left, "%s%s %.0f %%", i > 0 ? "; " : "",
                              stage_name((enum rend_stage)order[i]), 100 * part);
        if (program != NULL) {
            const struct shader_stats stats = shader_stats(program);
            length = snprintf(to, left, "%s%s %.0f %%: %zu operations, %zu reads",
                              i > 0 ? "; " : "", stage_name((enum rend_stage)order[i]), 100 * part,
                              stats.operations, stats.reads);
        }
        to += (size_t)length < left ? (size_t)length : left;
        left -= (size_t)length < left ? (size_t)length : left;
    }
}

/* ---- all presets ---- */

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static int compare_slow_first(const void *a, const void *b)
{
    const double left = ((const struct figures *)a)->seconds;
    const double right = ((const struct figures *)b)->seconds;
    return (left < right) - (left > right);
}

/* At a place between 0, the least, and 1, of a number of each preset. */
static double at_place(const struct figures *all, size_t count, size_t offset, double place)
{
    static double numbers[PRESETS_MAX];
    for (size_t i = 0; i < count; i++) {
        memcpy(&numbers[i], (const char *)&all[i] + offset, sizeof numbers[i]);
    }
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return numbers[(size_t)(place * (double)(count - 1))];
}

static const char *name_of(const char *path)
{
    return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
}

static void print_line(const struct figures *figures)
{
    printf("%8.2f %7.3f ", 1e3 * figures->seconds, 1e3 * figures->alone[REND_STAGES + 1]);
    for (size_t k = 1; k < WIDTHS; k++) {
        printf("%6.3f", figures->efficiency[k]);
    }
    printf("  %5.3f %5.3f %5.3f  %-9s  %s\n", figures->lost[LOST_ALONE], figures->lost[LOST_START],
           figures->lost[LOST_UNEVEN], stage_name(figures->loser), name_of(figures->path));
}

static void print_all(const struct figures *all, size_t count)
{
    static const char *const what[] = {"least", "a tenth below", "median"};
    static const double places[] = {0, 0.1, 0.5};
    for (int i = 0; i < 3; i++) {
        printf("%-16s ", what[i]);
        for (size_t k = 1; k < WIDTHS; k++) {
            const size_t offset = offsetof(struct figures, efficiency) + k * sizeof(double);
            printf("%6.3f", at_place(all, count, offset, places[i]));
        }
        printf("\n");
    }
    printf("%-16s %8s %8s %8s   %s\n", "medians", "ms", "divided", "alone",
           "lost with eight threads");
    for (size_t i = 0; i <= REND_STAGES; i++) {
        const size_t offset = i * sizeof(double);
        printf("%-16s %8.3f %8.3f %8.3f  ", stage_name((enum rend_stage)i),
               1e3 * at_place(all, count, offsetof(struct figures, stage) + offset, 0.5),
               1e3 * at_place(all, count, offsetof(struct figures, divided) + offset, 0.5),
               1e3 * at_place(all, count, offsetof(struct figures, alone) + offset, 0.5));
        for (size_t k = 0; k < LOSSES; k++) {
            const size_t lost = offsetof(struct figures, lost_in[0][0]);
            printf(" %5.3f", at_place(all, count, lost + (i * LOSSES + k) * sizeof(double), 0.5));
        }
        printf("\n");
    }
    printf("%zu presets, median %.2f ms\n", count,
           1e3 * at_place(all, count, offsetof(struct figures, seconds), 0.5));
}

/* ---- estimates ---- */

/* How many presets are faster: places in the order of a number. */
static size_t place_among(const struct figures *all, size_t count, double number, bool estimated)
{
    size_t before = 0;
    for (size_t i = 0; i < count; i++) {
        before += (estimated ? all[i].estimate : all[i].seconds) < number ? 1 : 0;
    }
    return before;
}

/* Frames that are late among the first ten of each preset with shaders, on a machine on which half
 * of them take twice the budget, as the governor begins them: with what is estimated, or without.
 */
static int late_frames(const struct figures *all, size_t count, double slower, bool estimated)
{
    enum { FIRST = 10, FRAMES = 120 };
    static struct engine_governor governor;
    static const double budget = 1.0 / HEARD_FPS;
    int late = 0;
    engine_governor_begin(&governor, budget, 1);
    for (size_t i = 0; i < count; i++) {
        const double warp = slower * all[i].stage[REND_STAGE_WARP];
        const double comp = slower * all[i].stage[REND_STAGE_COMPOSITE];
        const double rest = slower * all[i].seconds - warp - comp;
        engine_governor_change(&governor, (uint32_t)i + 1, all[i].shaded, false,
                               estimated ? all[i].estimate : 0);
        for (int frame = 0; all[i].shaded && frame < FRAMES; frame++) {
            const int *divisor = engine_governor_divisors[governor.level];
            const double seconds =
                rest + warp / (divisor[0] * divisor[0]) + comp / (divisor[1] * divisor[1]);
            late += frame < FIRST && seconds > budget ? 1 : 0;
            (void)engine_governor_step(&governor, seconds, false);
        }
    }
    return late;
}

/* Of presets with shaders, which come first afterwards. */
static void print_estimates(struct figures *all, size_t count)
{
    static double ratios[PRESETS_MAX];
    double squares = 0;
    size_t shaded = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].shaded) {
            const struct figures figures = all[i];
            all[i] = all[shaded];
            all[shaded++] = figures;
        }
    }
    if ((count = shaded) == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ratios[i] = all[i].seconds / all[i].estimate;
        const double apart = (double)place_among(all, count, all[i].seconds, false) -
                             (double)place_among(all, count, all[i].estimate, true);
        squares += apart * apart;
    }
    qsort(ratios, count, sizeof *ratios, compare_numbers);
    const double pace = ratios[count / 2];
    size_t within = 0;
    for (size_t i = 0; i < count; i++) {
        within += ratios[i] < 2 * pace && ratios[i] > pace / 2 ? 1 : 0;
    }
    const double n = (double)count;
    const double median = at_place(all, count, offsetof(struct figures, seconds), 0.5);
    const double slower = 2.0 / HEARD_FPS / median;
    printf("estimates: %.0f %% within a factor of two of %.2f times that, rank correlation %.2f\n",
           100 * (double)within / n, pace, count > 1 ? 1 - 6 * squares / (n * (n * n - 1)) : 1);
    printf("%.1f times as slow: late of the first ten frames of each preset %d with them, %d "
           "without\n",
           slower, late_frames(all, count, slower, true), late_frames(all, count, slower, false));
}

static bool measure(const struct wish *wish, const char *path, uint32_t *pixels,
                    struct figures *figures)
{
    struct rend_patch *patch = read_patch(path);
    bool good = patch != NULL;
    *figures = (struct figures){.path = path};
    for (int turn = 0; good && turn < 2 * TURNS; turn++) {
        record = &records[turn % 2];
        record->again = turn > 1;
        good = draw(wish, patch, pixels);
    }
    if (good) {
        record = &records[0];
        count_one(wish, figures);
        record = &records[1];
        count_up(wish, figures);
        say_why(figures, patch);
        figures->shaded = rend_patch_has_shaders(patch);
        figures->estimate =
            rend_patch_pixel_seconds(patch) * (double)wish->width * (double)wish->height;
    }
    rend_patch_free(patch);
    return good;
}

static bool read_wish(int argc, char **argv, struct wish *wish, int *files)
{
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--size") == 0) {
            char *end = NULL;
            wish->width = (int)strtol(value, &end, 10);
            wish->height = *end == 'x' ? (int)strtol(end + 1, NULL, 10) : 0;
        } else if (strcmp(argv[i], "--frames") == 0) {
            wish->frames = (unsigned)strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--start") == 0) {
            wish->start = 1e-6 * strtod(value, NULL);
        } else if (strcmp(argv[i], "--slowest") == 0) {
            wish->slowest = strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--cpu") == 0) {
            for (int k = 0; k < (int)wish->cpu; k++) {
                if (strcmp(base_cpu_level_name((enum base_cpu_level)k), value) == 0) {
                    wish->cpu = (enum base_cpu_level)k;
                }
            }
        } else {
            return false;
        }
    }
    *files = i;
    return i < argc && wish->width >= REND_SIZE_MIN && wish->width <= REND_SIZE_MAX &&
           wish->height >= REND_SIZE_MIN && wish->height <= REND_SIZE_MAX && wish->frames > 0 &&
           wish->frames <= FRAMES_MAX && argc - i <= PRESETS_MAX;
}

int main(int argc, char **argv)
{
    struct wish wish = {
        .width = 1920, .height = 1080, .frames = 4, .cpu = base_cpu_best(), .start = 1e-6};
    int files = 0;
    if (!read_wish(argc, argv, &wish, &files)) {
        (void)fprintf(stderr, "usage: speed_frame [--size WxH] [--frames N] [--cpu LEVEL] "
                              "[--start US] [--slowest N] PRESET...\n");
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        records[i].pieces = calloc(PIECES_MAX, sizeof *records[i].pieces);
        records[i].seconds = calloc(PIECES_MAX, sizeof *records[i].seconds);
        records[i].threads = i == 0 ? 1 : THREADS_SHOWN;
        records[i].clock = clock_seconds();
    }
    uint32_t *pixels = calloc((size_t)wish.width * (size_t)wish.height, sizeof *pixels);
    struct figures *all = calloc((size_t)(argc - files), sizeof *all);
    size_t count = 0;
    if (records[0].pieces == NULL || records[0].seconds == NULL || records[1].pieces == NULL ||
        records[1].seconds == NULL || pixels == NULL || all == NULL) {
        return 1;
    }
    if (wish.slowest == 0) {
        printf("%8s %7s %7zu%6zu%6zu%6zu%6zu  %-9s\n", "ms", "alone", threads_of[1], threads_of[2],
               threads_of[3], threads_of[4], threads_of[5], "loses");
    }
    for (int i = files; i < argc; i++) {
        if (measure(&wish, argv[i], pixels, &all[count])) {
            if (wish.slowest == 0) {
                print_line(&all[count]);
                (void)fflush(stdout);
            }
            count++;
        }
    }
    if (count > 0 && wish.slowest == 0) {
        print_all(all, count);
        print_estimates(all, count);
    }
    qsort(all, count, sizeof *all, compare_slow_first);
    for (size_t i = 0; i < count && i < wish.slowest; i++) {
        printf("| %s | %.0f | %s |\n", name_of(all[i].path), 1e3 * all[i].seconds, all[i].reason);
    }
    free(all);
    free(pixels);
    for (int i = 0; i < 2; i++) {
        free(records[i].seconds);
        free(records[i].pieces);
    }
    return count > 0 ? 0 : 1;
}
