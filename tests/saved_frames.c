/* saved_frames [--size WxH] PATH...: runs each preset of the files and folders, saves its state,
 * goes on, and compares what follows with what follows after restoring: into a rend that painted
 * other frames and whose scratch memory is full of rubbish, at another processor level and number
 * of threads, and into the same one. Then the same in the middle of a transition of a show. Exit
 * code 1 if any frame or byte differs.
 * saved_frames --shared: the presets of the folder that FROTH_SHARED names; 77 (skipped) if it is
 * not set. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "base/cpu.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/random.h"
#include "pfpu/host/program.h"
#include "presets/presets.h"
#include "renderer/save.h"
#include "renderer/show.h"
#include "renderer/state.h"

/* At the fast rate the samples of a frame are so few that older ones still count. */
enum { SKIPPED = 77, PATH = 4096, FPS = 30, FAST = 300, SAMPLES = APP_AUDIO_RATE / FPS };
enum { SOUNDS = 120, BEFORE = 24, AFTER = 10, BLEND_FRAMES = 12, PRESETS_MAX = 2048, THREADS = 3 };

static const uint64_t elsewhere = 1000; /* frames that a rend painted which it then must forget */

struct totals {
    size_t presets;
    size_t failed; /* presets with any difference */
    size_t frames;
    size_t differences;
    size_t bytes[PRESETS_MAX];
    double save[PRESETS_MAX]; /* seconds */
    double restore[PRESETS_MAX];
};

struct bench {
    struct rend_config config;
    struct base_pool *pool;
    struct rend_resources *resources[2];
    float sound[SOUNDS][2 * SAMPLES];
    uint32_t *pixels;
    struct totals totals;
};

/* A preset read and compiled twice: what one of them left is restored where the other one runs. */
struct piece {
    char path[PATH];
    struct rend_patch *patches[2];
};

/* ---- frames ---- */

static struct rend_input input_of(const struct bench *bench, uint64_t frame)
{
    const uint64_t parts = bench->config.fps > FPS ? FAST / FPS : 1;
    const size_t samples = SAMPLES / parts;
    return (struct rend_input){.frame = frame,
                               .time = (double)frame / bench->config.fps,
                               .fps = bench->config.fps,
                               .audio = bench->sound[frame / parts % SOUNDS] +
                                        frame % parts * samples * 2,
                               .audio_frames = samples};
}

static uint64_t hash_of(const struct bench *bench)
{
    const size_t pixels = (size_t)bench->config.width * (size_t)bench->config.height;
    return base_hash(BASE_HASH_START, bench->pixels, pixels * sizeof *bench->pixels);
}

/* Paints frames first..first + count - 1. */
static void paint(struct bench *bench, struct rend *rend, uint64_t first, int count,
                  uint64_t *hashes)
{
    for (int i = 0; i < count; i++) {
        const struct rend_input input = input_of(bench, first + (uint64_t)i);
        (void)rend_step(rend, &input, bench->pixels, (size_t)bench->config.width);
        if (hashes != NULL) {
            hashes[i] = hash_of(bench);
        }
    }
}

static void paint_show(struct bench *bench, struct rend_show *show, uint64_t first, int count,
                       uint64_t *hashes)
{
    for (int i = 0; i < count; i++) {
        const struct rend_input input = input_of(bench, first + (uint64_t)i);
        (void)rend_show_step(show, &input, bench->pixels, (size_t)bench->config.width);
        if (hashes != NULL) {
            hashes[i] = hash_of(bench);
        }
        struct rend_cue *cue = rend_show_retired(show);
        for (; cue != NULL; cue = rend_show_retired(show)) {
            rend_cue_free(cue);
        }
    }
}

static int compare(struct bench *bench, const struct piece *piece, const char *what,
                   const uint64_t *expected, const uint64_t *got, int count)
{
    bench->totals.frames += (size_t)count;
    for (int i = 0; i < count; i++) {
        if (expected[i] != got[i]) {
            bench->totals.differences++;
            (void)printf("%s: frame %d after restoring differs (%s)\n", piece->path, i + 1, what);
            return 1;
        }
    }
    return 0;
}

/* ---- rubbish ---- */

static void spoil(void *memory, size_t size)
{
    memset(memory, 0xFF, size); /* as numbers: NaN */
}

static void spoil_surface(const struct tmu_surface *surface)
{
    if (surface->pixels != NULL) {
        const size_t rows = (size_t)surface->height + 1;
        spoil(surface->pixels, rows * surface->stride * sizeof *surface->pixels);
    }
}

/* All cells of an instance but the constants of its programs, and where its memory lies. */
static void spoil_instance(struct pfpu_instance *instance, const struct pfpu_scope *scope)
{
    spoil(instance->megabuf, sizeof instance->megabuf);
    const size_t cells = scope->local_count + scope->name_count;
    spoil(instance->values - scope->local_count, cells * sizeof(double));
    for (const struct pfpu_program *program = scope->newest; program != NULL;
         program = program->older) {
        const struct pfpu_code_list *code = &program->code;
        for (size_t i = 0; i < code->constant_count; i++) {
            instance->values[code->first_cell - (int32_t)i] = code->constants[i];
        }
    }
}

static void spoil_equations(struct rend_section_equations *equations,
                            const struct rend_patch *patch)
{
    spoil_instance(&equations->frame, patch->frame.scope);
    spoil_instance(&equations->vertex, patch->vertex.scope);
    size_t work = patch->vertex.lanes != NULL ? pfpu_lanes_work_size(patch->vertex.lanes) : 0;
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        spoil_instance(&equations->wave_frame[i], patch->wave_frame[i].scope);
        spoil_instance(&equations->wave_point[i], patch->wave_point[i].scope);
        const struct pfpu_lanes *lanes = patch->wave_point[i].lanes;
        const size_t size = lanes != NULL ? pfpu_lanes_work_size(lanes) : 0;
        work = size > work ? size : work;
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        spoil_instance(&equations->shape[i], patch->shape[i].scope);
    }
    spoil(equations->lanes_work, work * sizeof *equations->lanes_work);
    struct pfpu_globals *globals = &equations->globals;
    for (size_t page = 0; page < PFPU_PAGES; page++) {
        if (!globals->unwritten[page]) {
            double *cells = page < PFPU_GMEGABUF_PAGES
                                ? globals->gmegabuf + page * PFPU_PAGE
                                : globals->pool + (page - PFPU_GMEGABUF_PAGES) * PFPU_PAGE;
            spoil(cells, PFPU_PAGE * sizeof *cells);
        }
    }
    spoil(globals->registers, sizeof globals->registers);
    spoil(globals->random.words, sizeof globals->random.words);
    spoil(equations->stored, sizeof equations->stored);
    spoil(equations->q_init, sizeof equations->q_init);
    spoil(equations->wave_t, sizeof equations->wave_t);
    spoil(equations->shape_t, sizeof equations->shape_t);
    equations->start_time = equations->planned_seconds = NAN;
    globals->pool_used = 0;
    globals->budget = -1;
    globals->exhausted = globals->pool_exhausted = true;
}

static void spoil_shaders(struct rend_section_shaders *shaders, int columns)
{
    if (shaders->scratch == NULL) {
        return;
    }
    for (int i = 0; i < SHADER_STAGES; i++) {
        struct shader_frame *frame = &shaders->frame[i];
        if (frame->program != NULL) {
            spoil(frame->uniforms, sizeof frame->uniforms);
            spoil(frame->constants, shader_constants_size(frame->program));
            memset(frame->textures, 0, sizeof frame->textures);
        }
    }
    spoil(shaders->scratch, shaders->scratch_size * shaders->threads);
    for (int i = 0; shaders->blurs && i < REND_BLUR_PASSES; i++) {
        spoil_surface(&shaders->blur.pass[i].target);
    }
    spoil_surface(&shaders->small);
    spoil(shaders->cell, (size_t)columns * sizeof *shaders->cell);
    spoil(shaders->within, (size_t)columns * sizeof *shaders->within);
    spoil(shaders->column, (size_t)columns * sizeof *shaders->column);
}

/* Everything that is to be restored or that each frame writes before it reads it. */
static void spoil_rend(struct rend *rend)
{
    struct rend_bands *bands = &rend->sound.bands;
    spoil(rend->sound.history, sizeof rend->sound.history);
    spoil(rend->sound.average, sizeof rend->sound.average);
    spoil(rend->sound.long_average, sizeof rend->sound.long_average);
    spoil(rend->sound.absolute, sizeof rend->sound.absolute);
    spoil(bands->history, sizeof bands->history);
    spoil(bands->output, sizeof bands->output);
    spoil(bands->past, sizeof bands->past);
    spoil(&rend->sound.beat, sizeof rend->sound.beat);
    spoil(&rend->shaders.chances, sizeof rend->shaders.chances);
    spoil(&rend->clock, sizeof rend->clock);
    const size_t vertices = ((size_t)rend->config.mesh_x + 1) * ((size_t)rend->config.mesh_y + 1);
    spoil_surface(&rend->canvas.surface[0]);
    spoil_surface(&rend->canvas.surface[1]);
    spoil(rend->sound.spectrum, sizeof rend->sound.spectrum);
    spoil(rend->sound.waveform, sizeof rend->sound.waveform);
    spoil(rend->sound.bands.energy, sizeof rend->sound.bands.energy);
    spoil(&rend->values, sizeof rend->values);
    spoil(&rend->fill, sizeof rend->fill);
    spoil(&rend->fill_left, sizeof rend->fill_left);
    spoil(rend->mesh.vertices, vertices * sizeof *rend->mesh.vertices);
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        spoil(rend->mesh.motion[i], vertices * sizeof *rend->mesh.motion[i]);
    }
    spoil_equations(&rend->equations, rend->patch);
    spoil_shaders(&rend->shaders, rend->config.width);
}

/* ---- one preset ---- */

static struct rend *start(const struct rend_config *config, const struct rend_patch *patch)
{
    struct rend *rend = rend_create(config);
    if (rend == NULL || rend_load(rend, patch, 1.7, &base_diag_stderr) != 0) {
        (void)fprintf(stderr, "saved_frames: not enough memory\n");
        exit(1);
    }
    return rend;
}

static uint8_t *save(const struct rend *rend, size_t *size, double *seconds)
{
    *size = rend_save_size(rend);
    uint8_t *bytes = malloc(*size);
    if (bytes == NULL) {
        (void)fprintf(stderr, "saved_frames: not enough memory\n");
        exit(1);
    }
    memset(bytes, 0, *size); /* so that no page is new when the time is taken */
    const double began = base_clock_busy();
    if (rend_save(rend, bytes, *size) != *size) {
        (void)fprintf(stderr, "saved_frames: nothing was saved\n");
        exit(1);
    }
    *seconds = base_clock_busy() - began;
    return bytes;
}

/* Live values, coarser shading, sound levels: some of each among the presets. */
static struct rend_config vary(struct bench *bench, size_t index)
{
    struct rend_config config = bench->config;
    config.levels = (enum rend_levels)(index % 3);
    config.seed = index;
    return config;
}

static int check_rend(struct bench *bench, const struct piece *piece, size_t index)
{
    struct totals *totals = &bench->totals;
    const struct rend_config config = vary(bench, index);
    struct rend_config other = config;
    other.cpu = BASE_CPU_PLAIN;
    other.pool = bench->pool;
    const int divisors[REND_SHADER_STAGES] = {1 + (int)(index / 2 % 2), 1 + (int)(index / 4 % 2)};
    uint64_t expected[AFTER];
    uint64_t got[AFTER];
    size_t size = 0;
    size_t end_size = 0;
    double unused = 0;
    int failed = 0;

    struct rend *rend = start(&config, piece->patches[0]);
    paint(bench, rend, 1, BEFORE / 2, NULL);
    (void)rend_set_value(rend, PRESET_KEY_gamma, 1.5);
    rend_set_divisors(rend, divisors);
    paint(bench, rend, 1 + BEFORE / 2, BEFORE / 2, NULL);
    uint8_t *bytes = save(rend, &size, &totals->save[totals->presets]);
    totals->bytes[totals->presets] = size;
    paint(bench, rend, 1 + BEFORE, AFTER, expected);
    double seconds = 0;
    uint8_t *end = save(rend, &end_size, &seconds);

    struct rend *fresh = start(&config, piece->patches[1]);
    paint(bench, fresh, elsewhere, 4, NULL);
    spoil_rend(fresh);
    const double began = base_clock_busy();
    failed |= rend_restore(fresh, bytes, size, &base_diag_stderr) != 0;
    totals->restore[totals->presets] = base_clock_busy() - began;
    size_t again_size = 0;
    uint8_t *again = save(fresh, &again_size, &unused);
    if (again_size != size || memcmp(again, bytes, size) != 0) {
        (void)printf("%s: saving what was restored gives other bytes\n", piece->path);
        failed = 1;
    }
    free(again);
    paint(bench, fresh, 1 + BEFORE, AFTER, got);
    failed |= compare(bench, piece, "another rend", expected, got, AFTER);
    rend_free(fresh);

    fresh = start(&other, piece->patches[1]);
    failed |= rend_restore(fresh, bytes, size, &base_diag_stderr) != 0;
    paint(bench, fresh, 1 + BEFORE, AFTER, got);
    failed |= compare(bench, piece, "other threads and processor", expected, got, AFTER);
    again = save(fresh, &again_size, &unused);
    if (again_size != end_size || memcmp(again, end, end_size) != 0) {
        (void)printf("%s: other threads and processor leave another state\n", piece->path);
        failed = 1;
    }
    free(again);
    rend_free(fresh);

    failed |= rend_restore(rend, bytes, size, &base_diag_stderr) != 0;
    paint(bench, rend, 1 + BEFORE, AFTER, got);
    failed |= compare(bench, piece, "the same rend", expected, got, AFTER);
    rend_free(rend);
    free(bytes);
    free(end);
    return failed;
}

/* ---- two presets that cross ---- */

static struct rend_cue *cue_of(const struct rend_config *config, const struct rend_patch *patch,
                               const struct rend_change *change, const struct rend_moment *moment)
{
    struct rend_cue *cue = rend_cue_create(config, patch, change, moment, &base_diag_stderr);
    if (cue == NULL) {
        exit(1);
    }
    return cue;
}

static struct rend_show *open_show(const struct rend_config *config)
{
    struct rend_show *show = rend_show_create(config);
    if (show == NULL) {
        exit(1);
    }
    return show;
}

/* The cues of a saved show, of the second patches. */
static bool make_cues(const struct rend_config *config, const struct piece *pieces[2],
                      const uint8_t *bytes, size_t size, struct rend_cue *cues[REND_ROLES])
{
    const struct rend_moment nowhere = {.fps = config->fps};
    struct rend_saved_cue saved[REND_ROLES];
    if (rend_show_saved_cues(bytes, size, saved, &base_diag_stderr) != 0) {
        return false;
    }
    for (int role = 0; role < REND_ROLES; role++) {
        cues[role] = NULL;
        for (int i = 0; i < 2 && saved[role].there; i++) {
            if (cues[role] == NULL &&
                rend_patch_content(pieces[i]->patches[1]) == saved[role].patch) {
                cues[role] = cue_of(config, pieces[i]->patches[1], &saved[role].change, &nowhere);
            }
        }
        if (saved[role].there && cues[role] == NULL) {
            (void)printf("%s: the patch of a cue is not found\n", pieces[0]->path);
            return false;
        }
    }
    return true;
}

static int check_show(struct bench *bench, const struct piece *former, const struct piece *piece,
                      size_t index)
{
    const struct piece *pieces[2] = {piece, former};
    const struct rend_config config = vary(bench, index);
    struct rend_config other = config;
    if (index % 2 == 0) {
        other.cpu = BASE_CPU_PLAIN;
        other.pool = bench->pool;
    }
    const struct rend_change hard = {.planned = 2};
    const struct rend_change soft = {.transition = (enum rend_transition)(index % REND_TRANSITIONS),
                                     .seconds = BLEND_FRAMES / config.fps,
                                     .seed = index,
                                     .planned = 3};
    const int divisors[REND_SHADER_STAGES] = {1, 1 + (int)(index % 2)};
    const int after = BLEND_FRAMES + 4;
    uint64_t expected[BLEND_FRAMES + 4];
    uint64_t got[BLEND_FRAMES + 4];
    int failed = 0;
    struct rend_show *show = open_show(&config);
    struct rend_moment moment = rend_show_moment(show);
    uint64_t frame = 1;
    rend_show_set_divisors(show, divisors);
    rend_show_take(show, cue_of(&config, former->patches[0], &hard, &moment));
    paint_show(bench, show, frame, 8, NULL);
    frame += 8;
    moment = rend_show_moment(show);
    rend_show_take(show, cue_of(&config, piece->patches[0], &soft, &moment));
    paint_show(bench, show, frame, 5, NULL);
    frame += 5;
    if (index % 3 == 2) { /* begins from the picture as it stands */
        moment = rend_show_moment(show);
        rend_show_take(show, cue_of(&config, former->patches[0], &soft, &moment));
        paint_show(bench, show, frame, 4, NULL);
        frame += 4;
    }
    if (index % 5 == 4) { /* not begun when the show is saved */
        moment = rend_show_moment(show);
        rend_show_take(show, cue_of(&config, piece->patches[0], &soft, &moment));
    }
    const size_t size = rend_show_save_size(show);
    uint8_t *bytes = malloc(size);
    struct rend_cue *cues[REND_ROLES] = {NULL};
    if (bytes == NULL || rend_show_save(show, bytes, size) != size) {
        (void)fprintf(stderr, "saved_frames: nothing was saved\n");
        exit(1);
    }
    if (index % 5 != 4) { /* back, within the transition */
        paint_show(bench, show, frame, 3, expected);
        failed |= rend_show_restore(show, cues, bytes, size, &base_diag_stderr) != 0;
        paint_show(bench, show, frame, 3, got);
        failed |= compare(bench, piece, "the same show", expected, got, 3);
        failed |= rend_show_restore(show, cues, bytes, size, &base_diag_stderr) != 0;
    }
    paint_show(bench, show, frame, after, expected);

    struct rend_show *fresh = open_show(&other);
    moment = rend_show_moment(fresh);
    rend_show_take(fresh, cue_of(&other, former->patches[1], &hard, &moment));
    paint_show(bench, fresh, elsewhere, 3, NULL);
    failed |= !make_cues(&other, pieces, bytes, size, cues);
    failed |= failed == 0 && rend_show_restore(fresh, cues, bytes, size, &base_diag_stderr) != 0;
    paint_show(bench, fresh, frame, after, got);
    failed |= compare(bench, piece, "another show", expected, got, after);
    rend_show_free(fresh);
    rend_show_free(show);
    free(bytes);
    return failed;
}

/* ---- all presets ---- */

static bool load(struct bench *bench, struct piece *piece)
{
    for (int i = 0; i < 2; i++) {
        struct preset preset;
        if (preset_read_file(&preset, piece->path, NULL) != 0) {
            return false;
        }
        piece->patches[i] = rend_patch_create(&preset, bench->resources[i], NULL);
        preset_free(&preset);
        if (piece->patches[i] == NULL) {
            return false;
        }
    }
    return true;
}

static void unload(struct piece *piece)
{
    for (int i = 0; i < 2; i++) {
        rend_patch_free(piece->patches[i]);
        piece->patches[i] = NULL;
    }
}

struct list {
    char (*paths)[PATH];
    size_t count;
};

static bool is_preset(const char *name)
{
    const char *end = strrchr(name, '.');
    return end != NULL && (strcmp(end, ".milk") == 0 || strcmp(end, ".fnp") == 0);
}

static void add(struct list *list, const char *path)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        if (is_preset(path) && list->count < PRESETS_MAX) {
            (void)snprintf(list->paths[list->count++], PATH, "%s", path);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        char inner[PATH + 300];
        (void)snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && strlen(inner) < PATH) {
            add(list, inner);
        }
        free(entries[i]);
    }
    free(entries);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_range(const char *what, const double *values, size_t count, double unit,
                        const char *name)
{
    double sorted[PRESETS_MAX];
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    (void)printf("  %s: %.0f %.0f %.0f %s (least, median, most)\n", what, sorted[0] * unit,
                 sorted[count / 2] * unit, sorted[count - 1] * unit, name);
}

static void print_totals(const struct bench *bench)
{
    const struct totals *totals = &bench->totals;
    double bytes[PRESETS_MAX];
    for (size_t i = 0; i < totals->presets; i++) {
        bytes[i] = (double)totals->bytes[i];
    }
    (void)printf("%zu presets at %dx%d, %zu frames compared, %zu presets with differences\n",
                 totals->presets, bench->config.width, bench->config.height, totals->frames,
                 totals->failed);
    if (totals->presets > 0) {
        print_range("a state", bytes, totals->presets, 1, "bytes");
        print_range("saving", totals->save, totals->presets, 1e6, "microseconds");
        print_range("restoring", totals->restore, totals->presets, 1e6, "microseconds");
    }
}

static bool set_up(struct bench *bench)
{
    const size_t pixels = (size_t)bench->config.width * (size_t)bench->config.height;
    struct app_audio *audio = app_audio_open("demo", &base_diag_stderr);
    bench->pixels = calloc(pixels, sizeof *bench->pixels);
    bench->pool = base_pool_create(THREADS);
    bench->resources[0] = rend_resources_create(NULL);
    bench->resources[1] = rend_resources_create(NULL);
    bool good = audio != NULL && bench->pixels != NULL && bench->pool != NULL &&
                bench->resources[0] != NULL && bench->resources[1] != NULL;
    for (int i = 0; good && i < SOUNDS; i++) {
        good = app_audio_read(audio, bench->sound[i], SAMPLES) == SAMPLES;
    }
    app_audio_close(audio);
    return good;
}

static void tear_down(struct bench *bench)
{
    rend_resources_free(bench->resources[0]);
    rend_resources_free(bench->resources[1]);
    base_pool_destroy(bench->pool);
    free(bench->pixels);
}

static void run(struct bench *bench, const struct list *list)
{
    struct piece *former = calloc(1, sizeof *former);
    struct piece *piece = calloc(1, sizeof *piece);
    for (size_t i = 0; i < list->count && former != NULL && piece != NULL; i++) {
        (void)snprintf(piece->path, PATH, "%s", list->paths[i]);
        if (!load(bench, piece)) {
            (void)printf("%s: cannot be loaded, left out\n", piece->path);
            unload(piece);
            continue;
        }
        bench->config.fps = i % 4 == 3 ? FAST : FPS;
        int failed = check_rend(bench, piece, i);
        if (former->patches[0] != NULL) {
            failed |= check_show(bench, former, piece, i);
        }
        bench->totals.failed += failed != 0 ? 1 : 0;
        bench->totals.presets++;
        struct piece *newer = piece;
        piece = former;
        former = newer;
        unload(piece);
    }
    if (former != NULL) {
        unload(former);
    }
    free(former);
    free(piece);
}

int main(int argc, char **argv)
{
    static struct bench bench = {.config = {.width = 96, .height = 72, .mesh_x = 24, .mesh_y = 18}};
    static char paths[PRESETS_MAX][PATH];
    struct list list = {paths, 0};
    bench.config.fps = FPS;
    bench.config.cpu = base_cpu_best();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--size") == 0 && i + 1 < argc) {
            if (sscanf(argv[++i], "%dx%d", &bench.config.width, &bench.config.height) != 2) {
                return 1;
            }
        } else if (strcmp(argv[i], "--shared") == 0) {
            const char *shared = getenv("FROTH_SHARED");
            if (shared == NULL) {
                (void)printf("FROTH_SHARED is not set\n");
                return SKIPPED;
            }
            char folder[PATH];
            (void)snprintf(folder, sizeof folder, "%s/presets", shared);
            add(&list, folder);
        } else {
            add(&list, argv[i]);
        }
    }
    if (!set_up(&bench)) {
        (void)fprintf(stderr, "saved_frames: cannot be set up\n");
        return 1;
    }
    run(&bench, &list);
    print_totals(&bench);
    tear_down(&bench);
    return bench.totals.failed > 0 || bench.totals.presets == 0 ? 1 : 0;
}
