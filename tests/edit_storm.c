/* Editing under fire: edit_storm PRESET EDITS [SEED]
 *
 * Plays a preset, and edits its text at random while it runs: each edit is compiled beside the
 * show, or refused, and the picture goes on. Prints how long edits took of the processor, how many
 * were shown, and how far pictures were apart. Fails if an edit is lost, if none is shown, or if
 * more than one in ten takes longer than a frame of 60 a second. The edits are those of the seed,
 * however many pictures come between them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/feed/presets.h"
#include "app/play/player.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/random.h"

enum { WIDTH = 320, HEIGHT = 240, TEXT_MAX = 256 * 1024, FRESH_AFTER = 40, RATE = 60 };

struct storm {
    struct app_library *library;
    struct app_presets presets;
    struct engine_loader *loader;
    struct rend_show *show;
    struct base_rng rng;   /* of edits */
    struct base_rng noise; /* of sound */
    char path[1024];
    char original[TEXT_MAX];
    size_t original_size;
    char text[TEXT_MAX];
    size_t size;
    uint64_t frame;
    uint64_t hash;
    unsigned still; /* pictures in a row that were the same */
    unsigned longest_still;
    struct app_frame_times edits;
    struct app_frame_times apart;
    double painted;
    unsigned shown;
    unsigned late;
};

/* What the loader takes the time by when it measures an edit: its thread's share of the processor.
 */
double __real_base_clock_seconds(void);
double __wrap_base_clock_seconds(void);

double __wrap_base_clock_seconds(void)
{
    return base_clock_busy();
}

static uint32_t below(struct storm *storm, size_t limit)
{
    return limit == 0 ? 0 : base_rng_next(&storm->rng) % (uint32_t)limit;
}

static void replace(struct storm *storm, size_t at, size_t gone, const char *with, size_t size)
{
    if (storm->size - gone + size > TEXT_MAX) {
        return;
    }
    memmove(storm->text + at + size, storm->text + at + gone, storm->size - at - gone);
    memcpy(storm->text + at, with, size);
    storm->size = storm->size - gone + size;
}

/* What a hand on the keyboard does, well or badly. */
static void edit(struct storm *storm)
{
    static const char *const words[] = {
        "1",     "0.5", "sin(",    ")",      "=",          ";",       "zoom", "rot", "+bass",
        "*treb", "\n",  "q1",      "rand(",  "per_frame_", "wave_r",  "1e30", "-",   "/0",
        "// ",   "if(", "texsize", "ret = ", "tex2D(",     "float3 ", "}"};
    const size_t at = below(storm, storm->size + 1);
    const size_t room = storm->size - at;
    const char *word = words[below(storm, sizeof words / sizeof *words)];
    const char byte = (char)below(storm, 256);
    switch (below(storm, 6)) {
    case 0:
        replace(storm, at, 0, word, strlen(word));
        break;
    case 1:
        replace(storm, at, room < 3 ? room : 1 + below(storm, 3), "", 0);
        break;
    case 2:
        replace(storm, at, room > 0, &byte, 1);
        break;
    case 3: {
        const char digit = (char)('0' + below(storm, 10));
        replace(storm, at, room > 0 && storm->text[at] >= '0' && storm->text[at] <= '9', &digit, 1);
        break;
    }
    case 4:
        replace(storm, at, 0, storm->text + below(storm, storm->size), 1);
        break;
    default:
        replace(storm, at, room > 0, word, strlen(word));
    }
}

static void paint(struct storm *storm)
{
    static float samples[2 * REND_AUDIO_RATE / RATE];
    static uint32_t pixels[WIDTH * HEIGHT];
    enum { FRAMES = REND_AUDIO_RATE / RATE };
    struct engine_loaded *loaded = engine_loader_take(storm->loader);
    if (loaded != NULL) {
        rend_show_take(storm->show, loaded->cue);
    }
    storm->frame++;
    for (int i = 0; i < 2 * FRAMES; i++) {
        samples[i] = (float)base_rng_next(&storm->noise) / 4294967296.0f - 0.5f;
    }
    const struct rend_input input = {.frame = storm->frame,
                                     .time = (double)storm->frame / RATE,
                                     .fps = RATE,
                                     .audio = samples,
                                     .audio_frames = FRAMES};
    (void)rend_show_step(storm->show, &input, pixels, WIDTH);
    const struct rend_cue *cue = rend_show_retired(storm->show);
    for (; cue != NULL; cue = rend_show_retired(storm->show)) {
        engine_loader_retire(storm->loader, rend_cue_user(cue));
    }
    const struct rend_moment moment = rend_show_moment(storm->show);
    engine_loader_tell(storm->loader, &moment);
    const uint64_t hash = base_hash(0, pixels, sizeof pixels);
    storm->still = hash == storm->hash ? storm->still + 1 : 0;
    storm->longest_still =
        storm->still > storm->longest_still ? storm->still : storm->longest_still;
    storm->hash = hash;
    const double clock = __real_base_clock_seconds();
    if (storm->painted > 0) {
        app_frame_times_add(&storm->apart, clock - storm->painted);
    }
    storm->painted = clock;
}

/* Whether the loader answered the edit. */
static bool try_edit(struct storm *storm, uint64_t revision)
{
    static const double patience = 300; /* seconds */
    const struct timespec pause = {.tv_nsec = 2000000};
    const double until = __real_base_clock_seconds() + patience;
    struct engine_loader_outcome outcome = {0};
    if (!engine_loader_edit(storm->loader, storm->path,
                            (struct base_span){storm->text, storm->size}, revision)) {
        return false;
    }
    while (outcome.revision != revision && __real_base_clock_seconds() < until) {
        paint(storm);
        (void)nanosleep(&pause, NULL);
        engine_loader_outcome(storm->loader, &outcome);
    }
    app_frame_times_add(&storm->edits, outcome.seconds);
    storm->late += outcome.seconds > 1.0 / RATE;
    storm->shown += outcome.shown;
    return outcome.revision == revision;
}

static bool open_storm(struct storm *storm, const char *path, struct base_pool *pool)
{
    static const struct base_diag_sink *const sink = &base_diag_stderr;
    const struct app_library_setup setup = {.paths = &path, .path_count = 1};
    struct engine_loader_setup loader = {.planned = 1000, .beside = true, .watches = true};
    loader.config = (struct rend_config){.width = WIDTH,
                                         .height = HEIGHT,
                                         .mesh_x = 48,
                                         .mesh_y = 36,
                                         .fps = RATE,
                                         .cpu = base_cpu_best(),
                                         .pool = pool};
    storm->library = app_library_open(&setup, sink);
    if (storm->library == NULL || !app_library_wait(storm->library)) {
        return false;
    }
    storm->presets.library = storm->library;
    loader.source = app_presets_source(&storm->presets);
    storm->loader = engine_loader_create(&loader, sink);
    storm->show = rend_show_create(&loader.config);
    FILE *file = fopen(path, "rb");
    if (file == NULL || storm->loader == NULL || storm->show == NULL) {
        return false;
    }
    storm->original_size = fread(storm->original, 1, TEXT_MAX / 2, file);
    (void)fclose(file);
    (void)snprintf(storm->path, sizeof storm->path, "%s", path);
    return storm->original_size > 0;
}

static int report(const struct storm *storm, unsigned edits, unsigned lost)
{
    printf("%u edits: %u shown, %u lost, %u longer than a frame\n", edits, storm->shown, lost,
           storm->late);
    printf("an edit: 50 %% %.2f ms, 99 %% %.2f ms, longest %.2f ms\n",
           app_frame_times_percentile(&storm->edits, 50),
           app_frame_times_percentile(&storm->edits, 99),
           app_frame_times_percentile(&storm->edits, 100));
    printf("pictures apart: %llu, 50 %% %.2f ms, 99 %% %.2f ms, longest %.2f ms; the same at most "
           "%u times in a row\n",
           (unsigned long long)storm->apart.count, app_frame_times_percentile(&storm->apart, 50),
           app_frame_times_percentile(&storm->apart, 99),
           app_frame_times_percentile(&storm->apart, 100), storm->longest_still);
    return lost > 0 || storm->late > edits / 10 || storm->shown == 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    static struct storm storm;
    const unsigned edits = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    unsigned lost = 0;
    if (edits == 0 || !open_storm(&storm, argv[1], NULL)) {
        (void)fprintf(stderr, "usage: edit_storm PRESET EDITS [SEED]\n");
        return 2;
    }
    base_rng_seed(&storm.rng, argc > 3 ? (uint64_t)atoi(argv[3]) : 1, 1);
    base_rng_seed(&storm.noise, 1, 1);
    while (storm.shown == 0 && rend_show_front(storm.show) == NULL) {
        paint(&storm);
    }
    for (unsigned i = 0; i < edits; i++) {
        if (i % FRESH_AFTER == 0) {
            memcpy(storm.text, storm.original, storm.original_size);
            storm.size = storm.original_size;
        }
        edit(&storm);
        lost += !try_edit(&storm, i + 1);
    }
    const int result = report(&storm, edits, lost);
    rend_show_end(storm.show);
    const struct rend_cue *cue = rend_show_retired(storm.show);
    for (; cue != NULL; cue = rend_show_retired(storm.show)) {
        engine_loader_retire(storm.loader, rend_cue_user(cue));
    }
    engine_loader_free(storm.loader);
    rend_show_free(storm.show);
    app_library_close(storm.library);
    return result;
}
