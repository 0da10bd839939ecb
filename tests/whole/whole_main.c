/* whole [--size WxH] [--frames N] [--step LIMIT] [--light LIMIT] [--nudge] [--explained FILE]
 * [--out FOLDER] [--jobs N] PRESET|FOLDER...: draws presets by froth and by a second renderer that
 * was written from the specification alone (whole.h), and compares what they show. Differences are
 * means over all channels, of 255.
 *
 * Printed for each preset, under these headings:
 *
 * free: at the last frame, each having gone its own way from the first on.
 *
 * nudged: how far the second renderer is from itself there, if small errors (whole.h) are added to
 * all that it computes.
 *
 * apart: the first frame in which `free` was above 1.
 *
 * step: the greatest of all frames, where the second renderer begins each with froth's last
 * picture: what a frame adds, without what feedback makes of it.
 *
 * canvas: the part of `step` that the next frame reads.
 *
 * nudged, again: in that frame, from itself, the greatest of some series of small errors.
 *
 * left: in that frame, how far froth lies outside of all that the second renderer drew with these
 * errors and without.
 *
 * usual: the same of each of these pictures and the others, the greatest.
 *
 * frame: that frame.
 *
 * light, other: how bright the last pictures are, by froth and by the other.
 *
 * Small errors are added with --nudge; `nudged` and `left` are measured where `step` is above its
 * limit (0.5). A preset whose `free` is above 1 or whose `step` is above its limit needs a reason:
 * that small errors move the second renderer as far, or a line NAME | REASON of the file that
 * --explained names; without --nudge also that each frame agrees, or each canvas. Exit code 1 if
 * the median of `free` is above 1, a reason is missing, or lights differ by more than theirs (not
 * compared).
 *
 * --jobs shares the presets among so many processes. --shared takes the presets of the folder that
 * FROTH_SHARED names; 77 (skipped) without. --out writes pictures of both beside each other,
 * froth's at the left: the last ones, and shown and canvas of the worst step. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "base/os/print.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/shader/code/code.h"
#include "renderer/state.h"
#include "whole.h"

enum { SKIPPED = 77, FPS = 60, SAMPLES = 44100 / FPS, PATH = 1000, RESULTS_MAX = 4096 };

/* How much more than of the canvas's rounding what is shown may make without a reason of its own.
 */
enum { MAGNIFIED = 8 };

/* How much more than from small errors may come from all that differs. */
enum { NUDGED = 2 };

/* Series of errors; the first goes its own way from the first frame on too. */
enum { NUDGES = 4 };

struct result {
    size_t place; /* among all presets */
    char name[200];
    double free; /* differences */
    double step;
    double nudged;      /* nudged the second renderer is so far from itself, there */
    double left;        /* of `step` and `step_canvas`: what lies outside all of its pictures */
    double usual;       /* as left, of a series of small errors and all others */
    double nudged_free; /* as nudged, at the last frame, each having gone its own way */
    double step_canvas; /* of the canvas, in the same frame */
    int step_frame;
    int numbers;     /* the first frame in which the equations gave others; 0: none */
    double light[2]; /* means of what is shown at last: by froth, by the second renderer */
    int apart;       /* the first frame in which `free` was above 1; 0: none */
    bool degraded;
};

struct session {
    int width;
    int height;
    int frames;
    double limit;
    double light;
    const char *explained; /* a file; NULL: none */
    bool nudges;
    const char *out;
    int jobs;
    size_t path_count;
    char paths[RESULTS_MAX][PATH];
    struct result results[RESULTS_MAX];
    size_t count;
};

/* ---- pictures ---- */

static void take_over(const struct whole_picture *to, const uint32_t *pixels, size_t stride)
{
    uint8_t *rgb = to->rgb;
    for (size_t y = 0; y < (size_t)to->height; y++) {
        for (size_t x = 0; x < (size_t)to->width; x++, rgb += WHOLE_CHANNELS) {
            const uint32_t pixel = pixels[y * stride + x];
            rgb[0] = (uint8_t)(pixel >> 16);
            rgb[1] = (uint8_t)(pixel >> 8);
            rgb[2] = (uint8_t)pixel;
        }
    }
}

static double difference(const struct whole_picture *a, const struct whole_picture *b)
{
    const size_t count = (size_t)a->width * (size_t)a->height * WHOLE_CHANNELS;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += abs(a->rgb[i] - b->rgb[i]);
    }
    return sum / (double)count;
}

static double light_of(const struct whole_picture *picture)
{
    const size_t count = (size_t)picture->width * (size_t)picture->height * WHOLE_CHANNELS;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += picture->rgb[i];
    }
    return sum / (double)count;
}

static void write_pair(const struct session *session, const char *name, const char *kind,
                       const struct whole_picture *froth, const struct whole_picture *other)
{
    char path[PATH + 300];
    (void)snprintf(path, sizeof path, "%s/%s_%s.ppm", session->out, name, kind);
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        (void)fprintf(stderr, "whole: cannot write %s\n", path);
        return;
    }
    const size_t row = (size_t)froth->width * WHOLE_CHANNELS;
    (void)fprintf(out, "P6 %d %d 255\n", 2 * froth->width, froth->height);
    for (size_t y = 0; y < (size_t)froth->height; y++) {
        (void)fwrite(froth->rgb + y * row, 1, row, out);
        (void)fwrite(other->rgb + y * row, 1, row, out);
    }
    (void)fclose(out);
}

/* ---- the second renderer, one way ---- */

/* The canvas and what is made of it. */
struct way {
    struct whole_picture last;
    struct whole_picture current;
    struct whole_picture shown;
    struct whole_blur blur;
};

static void open_way(struct way *way, int width, int height)
{
    way->last = whole_picture_create(width, height);
    way->current = whole_picture_create(width, height);
    way->shown = whole_picture_create(width, height);
    whole_blur_create(&way->blur, width, height);
}

static void close_way(struct way *way)
{
    free(way->last.rgb);
    free(way->current.rgb);
    free(way->shown.rgb);
    whole_blur_free(&way->blur);
}

/* What is drawn in a frame. */
struct scene {
    struct whole_equations *equations;
    struct whole_frame frame;
    struct whole_sound sound;
    struct whole_mesh mesh;
    struct whole_figures vectors;
    struct whole_figures overlay;
    struct whole_chances chances;
    struct whole_stage stages[SHADER_STAGES]; /* ir NULL: none */
    int blur_levels;
};

/* All that later frames read of the last picture. */
static void blur(struct way *way, const struct scene *scene)
{
    whole_draw(&way->last, NULL, &scene->vectors, scene->frame.nudge);
    whole_blur_step(&way->blur, &way->last, scene->blur_levels, &scene->frame);
}

static void paint(struct way *way, const struct scene *scene)
{
    const struct whole_stage *warp = &scene->stages[SHADER_WARP];
    const struct whole_stage *comp = &scene->stages[SHADER_COMP];
    const unsigned nudge = scene->frame.nudge;
    whole_draw(&way->last, NULL, &scene->vectors, nudge);
    if (warp->ir != NULL) {
        (void)whole_shade(warp, &way->current, &way->last, &way->blur, &scene->mesh, &scene->frame,
                          &scene->chances);
    } else {
        whole_warp(&way->current, &way->last, &scene->mesh, &scene->frame);
    }
    whole_blur_step(&way->blur, &way->last, scene->blur_levels, &scene->frame);
    whole_draw(&way->current, &way->last, &scene->overlay, nudge);
    if (comp->ir != NULL) {
        (void)whole_shade(comp, &way->shown, &way->current, &way->blur, &scene->mesh, &scene->frame,
                          &scene->chances);
    } else {
        whole_composite(&way->shown, &way->current, &scene->frame, scene->chances.phase);
    }
    const struct whole_picture swap = way->last;
    way->last = way->current;
    way->current = swap;
}

/* ---- froth, and what the second renderer takes from it ---- */

struct pair {
    const struct preset *preset;
    bool nudges;
    struct rend_patch *patch;
    struct rend *rend;
    struct app_audio *audio;
    uint32_t *pixels;
    struct scene scene;
    struct scene nudged_scene[NUDGES]; /* filled if nudges */
    struct way free;
    struct way nudged_free;
    struct way step;
    struct way nudged[NUDGES];         /* as step */
    struct whole_picture froth;        /* what it shows */
    struct whole_picture froth_canvas; /* what it will read next */
};

static void take_chances(struct whole_chances *chances, const struct rend *rend, uint64_t frame)
{
    const struct rend_preset_chances *fixed = &rend->shaders.chances;
    const struct rend_frame_chances fresh = rend_frame_chances(rend->config.seed, frame);
    memset(chances, 0, sizeof *chances);
    memcpy(chances->rand_frame, fresh.rand, sizeof fresh.rand);
    memcpy(chances->rand_preset, fixed->rand, sizeof fixed->rand);
    memcpy(chances->translation, fixed->translation, sizeof fixed->translation);
    memcpy(chances->angle, fixed->angle, sizeof fixed->angle);
    memcpy(chances->speed, fixed->speed, sizeof fixed->speed);
    memcpy(chances->translation[REND_ROTATIONS], fresh.translation, sizeof fresh.translation);
    memcpy(chances->angle[REND_ROTATIONS], fresh.angle, sizeof fresh.angle);
    for (int k = 0; k < WHOLE_CHANNELS; k++) {
        chances->phase[k] = rend->chance.shade_phase[WHOLE_CHANNELS - 1 - k];
    }
}

static void open_scene(struct scene *scene, const struct rend *rend, const struct rend_patch *patch,
                       const struct preset *preset, unsigned nudge)
{
    const struct rend_config *config = &rend->config;
    const size_t vertices = ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
    *scene = (struct scene){.blur_levels = patch->blur_levels};
    scene->mesh.u = whole_memory(vertices, sizeof(double));
    scene->mesh.v = whole_memory(vertices, sizeof(double));
    scene->sound.nudge = nudge;
    for (int band = 0; band < WHOLE_BANDS; band++) {
        scene->sound.level[band] = scene->sound.level_att[band] = 1;
    }
    const double width = config->width;
    const double height = config->height;
    scene->frame = (struct whole_frame){.width = config->width,
                                        .height = config->height,
                                        .mesh_x = config->mesh_x,
                                        .mesh_y = config->mesh_y,
                                        .aspect_x = width < height ? width / height : 1,
                                        .aspect_y = height < width ? height / width : 1,
                                        .fps = FPS,
                                        .beats = (patch->own & REND_FAMILY_BEAT) == 0,
                                        .nudge = nudge,
                                        .sound = &scene->sound};
    for (int k = 0; k < SHADER_STAGES; k++) {
        const struct rend_shader *shader = &patch->shader[k];
        if (shader->program != NULL) {
            scene->stages[k] =
                (struct whole_stage){(enum shader_stage)k, &shader->program->ir, shader->fixed};
        }
    }
    scene->equations = whole_equations_create(preset, &scene->frame, config->seed);
}

static void close_scene(struct scene *scene)
{
    whole_equations_free(scene->equations);
    whole_figures_free(&scene->vectors);
    whole_figures_free(&scene->overlay);
    free(scene->mesh.u);
    free(scene->mesh.v);
}

static bool open_pair(struct pair *pair, const struct session *session, const struct preset *preset)
{
    const struct rend_config config = {.width = session->width,
                                       .height = session->height,
                                       .mesh_x = 48,
                                       .mesh_y = 36,
                                       .fps = FPS,
                                       .cpu = base_cpu_best()};
    const size_t pixels = (size_t)session->width * (size_t)session->height;
    *pair = (struct pair){.preset = preset, .nudges = session->nudges};
    pair->patch = rend_patch_create(preset, NULL, NULL);
    pair->rend = rend_create(&config);
    pair->audio = app_audio_open("demo", &base_diag_stderr);
    if (pair->patch == NULL || pair->rend == NULL || pair->audio == NULL ||
        rend_load(pair->rend, pair->patch, 0, NULL) != 0) {
        return false;
    }
    pair->pixels = whole_memory(pixels, sizeof *pair->pixels);
    open_scene(&pair->scene, pair->rend, pair->patch, preset, 0);
    open_way(&pair->free, session->width, session->height);
    open_way(&pair->nudged_free, session->width, session->height);
    open_way(&pair->step, session->width, session->height);
    for (unsigned k = 0; pair->nudges && k < NUDGES; k++) {
        open_scene(&pair->nudged_scene[k], pair->rend, pair->patch, preset, k + 1);
        open_way(&pair->nudged[k], session->width, session->height);
    }
    pair->froth = whole_picture_create(session->width, session->height);
    pair->froth_canvas = whole_picture_create(session->width, session->height);
    return true;
}

static void close_pair(struct pair *pair)
{
    app_audio_close(pair->audio);
    rend_free(pair->rend);
    rend_patch_free(pair->patch);
    if (pair->pixels != NULL) {
        close_scene(&pair->scene);
        close_way(&pair->free);
        close_way(&pair->nudged_free);
        close_way(&pair->step);
        for (int k = 0; pair->nudges && k < NUDGES; k++) {
            close_scene(&pair->nudged_scene[k]);
            close_way(&pair->nudged[k]);
        }
        free(pair->froth.rgb);
        free(pair->froth_canvas.rgb);
        free(pair->pixels);
    }
}

static bool near(double a, double b)
{
    return !(fabs(a - b) > 1e-3 * (1 + fabs(a)));
}

/* Whether froth's equations gave nearly the same numbers. */
static bool same_numbers(const struct pair *pair)
{
    const struct whole_frame *frame = &pair->scene.frame;
    const struct rend_values *values = &pair->rend->values;
    const float froth[] = {
#define PRESET_KEY(field, ...) values->field,
#include "presets/milk/keys.def"
    };
    bool same = true;
    for (int k = 0; k < PRESET_KEYS; k++) {
        same = same && near((double)froth[k], frame->value[k]);
    }
    for (int k = 0; k < SHADER_STAGES; k++) {
        const struct shader_frame *shader = &pair->rend->shaders.frame[k];
        for (int i = 0; shader->program != NULL && i < WHOLE_QS; i++) {
            same = same && near((double)shader->uniforms[SHADER_SLOT_q1 + i], frame->q[i]);
        }
    }
    return same;
}

/* What froth heard and drew by chance, and from it what is to be drawn. */
static void move_scene(struct scene *scene, const struct pair *pair, const struct rend_input *input)
{
    struct whole_frame *frame = &scene->frame;
    const struct rend_heard heard = rend_heard(pair->rend);
    frame->time = input->time;
    frame->frame = (double)input->frame;
    frame->beat[0] = heard.beats > 0;
    frame->beat[1] = heard.beat_phase;
    frame->beat[2] = heard.bpm;
    take_chances(&scene->chances, pair->rend, input->frame);
    whole_sound_step(&scene->sound, input->audio, input->audio_frames, frame->frame, FPS);
    frame->sound = &scene->sound;
    whole_equations_frame(scene->equations, frame);
    scene->vectors.count = scene->vectors.corner_count = 0;
    scene->overlay.count = scene->overlay.corner_count = 0;
    whole_add_vectors(&scene->vectors, frame, &scene->mesh);
    whole_mesh_move(&scene->mesh, frame, scene->equations);
    whole_add_overlay(&scene->overlay, frame, pair->preset, scene->equations);
}

static void copy_picture(const struct whole_picture *to, const struct whole_picture *from)
{
    memcpy(to->rgb, from->rgb, (size_t)to->width * (size_t)to->height * WHOLE_CHANNELS);
}

/* A frame of froth, and of the second renderer both ways. Those that are nudged step by step begin
 * as `step` does, and are not painted yet. */
static void step(struct pair *pair, int number)
{
    struct rend *rend = pair->rend;
    float samples[2 * SAMPLES];
    const size_t got = app_audio_read(pair->audio, samples, SAMPLES);
    const struct tmu_surface *last = &rend->canvas.surface[1 - rend->canvas.current];
    take_over(&pair->step.last, last->pixels, last->stride);
    for (int k = 0; pair->nudges && k < NUDGES; k++) {
        copy_picture(&pair->nudged[k].last, &pair->step.last);
    }
    const struct rend_input input = {.frame = (uint64_t)number,
                                     .time = (double)number / FPS,
                                     .fps = FPS,
                                     .audio = samples,
                                     .audio_frames = got};
    (void)rend_step(rend, &input, pair->pixels, (size_t)rend->config.width);
    take_over(&pair->froth, pair->pixels, (size_t)rend->config.width);
    last = &rend->canvas.surface[1 - rend->canvas.current];
    take_over(&pair->froth_canvas, last->pixels, last->stride);

    move_scene(&pair->scene, pair, &input);
    paint(&pair->free, &pair->scene);
    paint(&pair->step, &pair->scene);
    for (int k = 0; pair->nudges && k < NUDGES; k++) {
        move_scene(&pair->nudged_scene[k], pair, &input);
    }
    if (pair->nudges) {
        paint(&pair->nudged_free, &pair->nudged_scene[0]);
    }
}

/* How far a picture is from all of some others at once, itself left out, where each channel of a
 * pixel may be as that of any of them, or between. */
static double distance(const struct whole_picture *from,
                       const struct whole_picture *const others[1 + NUDGES])
{
    const size_t count = (size_t)from->width * (size_t)from->height * WHOLE_CHANNELS;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        int low = 255;
        int high = 0;
        for (int k = 0; k <= NUDGES; k++) {
            const int other = others[k]->rgb[i];
            low = others[k] != from && other < low ? other : low;
            high = others[k] != from && other > high ? other : high;
        }
        const int value = from->rgb[i];
        sum += value < low ? low - value : value > high ? value - high : 0;
    }
    return sum / (double)count;
}

/* Of this frame: how far the second renderer is from itself, and what that leaves of froth. */
static void judge_nudges(struct pair *pair, struct result *result)
{
    const struct whole_picture *shown[1 + NUDGES] = {&pair->step.shown};
    const struct whole_picture *canvas[1 + NUDGES] = {&pair->step.last};
    result->nudged = 0;
    for (int k = 0; k < NUDGES; k++) {
        paint(&pair->nudged[k], &pair->nudged_scene[k]);
        shown[k + 1] = &pair->nudged[k].shown;
        canvas[k + 1] = &pair->nudged[k].last;
        result->nudged = fmax(result->nudged, difference(shown[0], shown[k + 1]));
        result->nudged = fmax(result->nudged, difference(canvas[0], canvas[k + 1]));
    }
    result->left = fmax(distance(&pair->froth, shown), distance(&pair->froth_canvas, canvas));
    result->usual = 0;
    for (int k = 0; k <= NUDGES; k++) {
        result->usual = fmax(result->usual, distance(shown[k], shown));
        result->usual = fmax(result->usual, distance(canvas[k], canvas));
    }
}

static void judge_frames(const struct session *session, struct pair *pair, struct result *result)
{
    result->degraded = rend_patch_status(pair->patch) != REND_PATCH_OK;
    for (int number = 1; number <= session->frames; number++) {
        step(pair, number);
        bool judged = false;
        const double here = difference(&pair->step.shown, &pair->froth);
        const double canvas = difference(&pair->step.last, &pair->froth_canvas);
        result->free = difference(&pair->free.shown, &pair->froth);
        result->numbers = result->numbers == 0 && !same_numbers(pair) ? number : result->numbers;
        result->apart = result->apart == 0 && result->free > 1 ? number : result->apart;
        if (here > result->step || canvas > result->step) {
            result->step = here > canvas ? here : canvas;
            result->step_canvas = canvas;
            result->step_frame = number;
            judged = pair->nudges && result->step > session->limit;
            if (judged) {
                judge_nudges(pair, result);
            }
            if (session->out != NULL) {
                write_pair(session, result->name, "step", &pair->froth, &pair->step.shown);
                write_pair(session, result->name, "canvas", &pair->froth_canvas, &pair->step.last);
            }
        }
        for (int k = 0; pair->nudges && !judged && k < NUDGES; k++) {
            blur(&pair->nudged[k], &pair->nudged_scene[k]);
        }
    }
    result->nudged_free = difference(&pair->nudged_free.shown, &pair->free.shown);
    result->light[0] = light_of(&pair->froth);
    result->light[1] = light_of(&pair->free.shown);
    if (session->out != NULL) {
        write_pair(session, result->name, "free", &pair->froth, &pair->free.shown);
    }
}

static void print_result(const struct result *result)
{
    printf("%8.3f %8.3f %5d %8.3f %8.3f %8.3f %8.3f %8.3f %5d %7.2f %7.2f  %s%s\n", result->free,
           result->nudged_free, result->apart, result->step, result->step_canvas, result->nudged,
           result->left, result->usual, result->step_frame, result->light[0], result->light[1],
           result->name, result->degraded ? " (degraded)" : "");
    (void)fflush(stdout);
}

static bool judge_preset(const struct session *session, size_t place, struct result *result)
{
    struct preset preset;
    if (preset_read_file(&preset, session->paths[place], NULL) != 0) {
        (void)fprintf(stderr, "whole: cannot read %s\n", session->paths[place]);
        return false;
    }
    struct pair pair;
    *result = (struct result){.place = place};
    (void)snprintf(result->name, sizeof result->name, "%s", preset.name);
    const bool good = open_pair(&pair, session, &preset);
    if (good) {
        judge_frames(session, &pair, result);
        print_result(result);
    }
    close_pair(&pair);
    preset_free(&preset);
    return good;
}

/* ---- all presets ---- */

static int is_preset(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending != NULL && strcmp(ending, ".milk") == 0;
}

static void add_path(struct session *session, const char *path)
{
    if (session->path_count < RESULTS_MAX) {
        (void)snprintf(session->paths[session->path_count++], PATH, "%s", path);
    }
}

/* Those of a folder, in the order of their names. */
static void add_presets(struct session *session, const char *path)
{
    struct stat status;
    struct dirent **entries;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        add_path(session, path);
        return;
    }
    const int count = scandir(path, &entries, is_preset, alphasort);
    for (int k = 0; k < count; k++) {
        char name[PATH];
        (void)snprintf(name, sizeof name, "%s/%s", path, entries[k]->d_name);
        add_path(session, name);
        free(entries[k]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static bool add_shared(struct session *session)
{
    static const char *const folders[] = {"classic", "reference", "shaders", "thesis"};
    const char *shared = getenv("FROTH_SHARED");
    for (size_t k = 0; shared != NULL && k < sizeof folders / sizeof *folders; k++) {
        char path[PATH];
        (void)snprintf(path, sizeof path, "%s/presets/%s", shared, folders[k]);
        add_presets(session, path);
    }
    return session->path_count > 0;
}

/* Every so many presets, from the one of that number; results go to the pipe, each as a whole. */
static void judge_some(const struct session *session, size_t first, int to)
{
    bool good = true;
    for (size_t k = first; k < session->path_count; k += (size_t)session->jobs) {
        struct result result;
        if (judge_preset(session, k, &result)) {
            good = write(to, &result, sizeof result) == (ssize_t)sizeof result && good;
        }
    }
    _exit(good ? 0 : 1);
}

static int compare_places(const void *a, const void *b)
{
    const size_t left = ((const struct result *)a)->place;
    const size_t right = ((const struct result *)b)->place;
    return (left > right) - (left < right);
}

/* False if a process failed. */
static bool judge_all(struct session *session)
{
    int ends[2];
    bool good = pipe(ends) == 0;
    printf("    free   nudged apart     step   canvas   nudged     left    usual frame   light   "
           "other  "
           "preset\n");
    (void)fflush(stdout);
    for (int job = 0; good && job < session->jobs; job++) {
        const pid_t child = fork();
        if (child == 0) {
            judge_some(session, (size_t)job, ends[1]);
        }
        good = child > 0;
    }
    (void)close(ends[1]);
    struct result result;
    while (session->count < RESULTS_MAX &&
           read(ends[0], &result, sizeof result) == (ssize_t)sizeof result) {
        session->results[session->count++] = result;
    }
    (void)close(ends[0]);
    for (int status; wait(&status) > 0;) {
        good = good && status == 0;
    }
    if (!good) {
        (void)fprintf(stderr, "whole: a process failed\n");
    }
    qsort(session->results, session->count, sizeof *session->results, compare_places);
    return good;
}

static int compare_results(const void *a, const void *b)
{
    const double left = ((const struct result *)a)->free;
    const double right = ((const struct result *)b)->free;
    return (left > right) - (left < right);
}

/* The reason that the file gives for a preset, in `line`; NULL: none. */
static const char *reason_of(const struct session *session, const char *name, char line[PATH])
{
    FILE *in = session->explained != NULL ? fopen(session->explained, "r") : NULL;
    const char *reason = NULL;
    while (in != NULL && reason == NULL && fgets(line, PATH, in) != NULL) {
        char *mark = strstr(line, " | ");
        line[strcspn(line, "\n")] = '\0';
        if (mark != NULL && strlen(name) == (size_t)(mark - line) &&
            strncmp(line, name, strlen(name)) == 0) {
            reason = mark + 3;
        }
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return reason;
}

/* Why a preset is apart. */
enum cause { NONE, ERRORS, AGREES, SHOWN, GIVEN, CAUSES };

static const char *const causes[CAUSES] = {
    [NONE] = "NOT EXPLAINED",
    [ERRORS] = "small errors move the second renderer as far",
    [AGREES] = "each frame agrees; feedback makes much of rounding",
    [SHOWN] = "each canvas agrees; what is shown makes more of rounding",
    [GIVEN] = "a reason is given",
};

/* `given`: there is a line for it. Small errors go first: what is given then says more of them. */
static enum cause cause_of(const struct session *session, const struct result *result, bool given)
{
    const bool far = result->free > 1 && result->free > NUDGED * result->nudged_free;
    const bool off = result->step > session->limit && (result->step > NUDGED * result->nudged ||
                                                       result->left > NUDGED * result->usual);
    if (session->nudges && !far && !off) {
        return ERRORS;
    }
    if (given) {
        return GIVEN;
    }
    if (!session->nudges && result->step <= session->limit) {
        return AGREES;
    }
    const bool magnified = result->step <= MAGNIFIED * result->step_canvas;
    return !session->nudges && magnified && result->step_canvas <= session->limit ? SHOWN : NONE;
}

static enum cause explain(const struct session *session, const struct result *result)
{
    char line[PATH];
    const char *reason = reason_of(session, result->name, line);
    const enum cause cause = cause_of(session, result, reason != NULL);
    printf("  %s: %s", result->name, causes[cause]);
    if (reason != NULL) {
        printf(": %s", reason);
    }
    if (result->numbers > 0) {
        printf(" (its equations part in frame %d)", result->numbers);
    }
    printf("\n");
    return cause;
}

/* Whether all is well. */
static bool report(struct session *session)
{
    size_t far = 0;
    size_t steps = 0;
    size_t found[CAUSES] = {0};
    size_t lights = 0;
    qsort(session->results, session->count, sizeof *session->results, compare_results);
    for (size_t k = 0; k < session->count; k++) {
        const struct result *result = &session->results[k];
        far += result->free > 1;
        steps += result->step > session->limit;
        if (result->free > 1 || result->step > session->limit) {
            found[explain(session, result)]++;
        }
        if (!(fabs(result->light[0] - result->light[1]) <= session->light)) {
            lights++;
            printf("  %s: NOT ALIKE BRIGHT\n", result->name);
        }
    }
    const double median = session->count > 0 ? session->results[session->count / 2].free : 0;
    printf("%zu presets to frame %d at %dx%d: median %.3f, %zu above 1; steps above %.2f: %zu; "
           "reasons: %zu by small errors, %zu by feedback, %zu by what is shown, %zu given; not "
           "explained: %zu\n",
           session->count, session->frames, session->width, session->height, median, far,
           session->limit, steps, found[ERRORS], found[AGREES], found[SHOWN], found[GIVEN],
           found[NONE]);
    return session->count > 0 && median <= 1 && found[NONE] == 0 && lights == 0;
}

int main(int argc, char **argv)
{
    struct session *session = whole_memory(1, sizeof *session);
    session->width = 128;
    session->height = 96;
    session->frames = 60;
    session->limit = 0.5;
    session->light = 255;
    session->jobs = 1;
    bool shared = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--shared") == 0) {
            shared = true;
        } else if (strcmp(argv[i], "--nudge") == 0) {
            session->nudges = true;
        } else if (strcmp(argv[i], "--size") == 0) {
            char *end;
            session->width = (int)strtol(value, &end, 10);
            session->height = *end != '\0' ? (int)strtol(end + 1, NULL, 10) : 0;
            i++;
        } else if (strcmp(argv[i], "--frames") == 0) {
            session->frames = (int)strtol(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--jobs") == 0) {
            session->jobs = (int)strtol(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--step") == 0) {
            session->limit = strtod(value, NULL);
            i++;
        } else if (strcmp(argv[i], "--light") == 0) {
            session->light = strtod(value, NULL);
            i++;
        } else if (strcmp(argv[i], "--explained") == 0) {
            session->explained = value;
            i++;
        } else if (strcmp(argv[i], "--out") == 0) {
            session->out = value;
            (void)mkdir(value, 0777);
            i++;
        } else {
            add_presets(session, argv[i]);
        }
    }
    int code = 0;
    if (session->width < REND_SIZE_MIN || session->height < REND_SIZE_MIN ||
        session->width % 2 != 0 || session->height % 2 != 0) {
        (void)fprintf(stderr, "whole: sizes are even, %d at least\n", REND_SIZE_MIN);
        code = 2;
    } else if (shared && !add_shared(session)) {
        (void)fprintf(stderr, "whole: FROTH_SHARED names no presets\n");
        code = SKIPPED;
    } else {
        code = judge_all(session) && report(session) ? 0 : 1;
    }
    free(session);
    return code;
}
