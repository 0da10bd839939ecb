/* whole [--size WxH] [--frames N] [--step LIMIT] [--light LIMIT] [--nudge] [--explained FILE]
 * [--out FOLDER] PRESET|FOLDER...: draws presets by froth and by a second renderer that was written
 * from the specification alone (whole.h), and compares what they show. For each preset, mean
 * differences over all channels, of 255: free   at the last frame, each having gone its own way
 * from the first on step   the greatest of all frames, where the second renderer begins each with
 * froth's last picture: what a frame adds, without what feedback makes of it light  how bright the
 * last pictures are, by froth and by the other, and whether that is alike Exit code 1 if the median
 * of `free` is above 1, a `step` above its limit (0.5) without a reason, or lights differ by more
 * than theirs (not compared). A reason is a line NAME | REASON of the file that
 * --explained names, or one of those that explain() finds by numbers.
 * whole --shared: the presets of the folder that FROTH_SHARED names; 77 (skipped) without.
 *   --nudge  draws each step once more with texels weighed in 256ths and the inputs of shaders a
 * few of their last bits off; that the second renderer moves as much by this is a reason
 *   --out    writes pictures of both beside each other, froth's at the left: the last ones, and
 * shown and canvas of the worst step */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* How much more than from nudging may come from all that differs. */
enum { NUDGED = 2 };

struct result {
    char name[200];
    double free; /* differences */
    double step;
    double nudged; /* with places a little off the second renderer is so far from itself, there */
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

/* What both ways draw in a frame. */
struct scene {
    struct whole_frame frame;
    struct whole_sound sound;
    struct whole_mesh mesh;
    struct whole_figures vectors;
    struct whole_figures overlay;
    struct whole_chances chances;
    struct whole_stage stages[SHADER_STAGES]; /* ir NULL: none */
    int blur_levels;
};

static void paint(struct way *way, const struct scene *scene)
{
    const struct whole_stage *warp = &scene->stages[SHADER_WARP];
    const struct whole_stage *comp = &scene->stages[SHADER_COMP];
    whole_draw(&way->last, NULL, &scene->vectors, scene->frame.nudged);
    if (warp->ir != NULL) {
        (void)whole_shade(warp, &way->current, &way->last, &way->blur, &scene->mesh, &scene->frame,
                          &scene->chances);
    } else {
        whole_warp(&way->current, &way->last, &scene->mesh, &scene->frame);
    }
    whole_blur_step(&way->blur, &way->last, scene->blur_levels, &scene->frame);
    whole_draw(&way->current, &way->last, &scene->overlay, scene->frame.nudged);
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
    struct whole_equations *equations;
    struct scene scene;
    struct way free;
    struct way step;
    struct way nudged;                 /* as step, with places a little off */
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

static void open_scene(struct scene *scene, const struct rend *rend, const struct rend_patch *patch)
{
    const struct rend_config *config = &rend->config;
    const size_t vertices = ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
    *scene = (struct scene){.blur_levels = patch->blur_levels};
    scene->mesh.u = whole_memory(vertices, sizeof(double));
    scene->mesh.v = whole_memory(vertices, sizeof(double));
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
                                        .beats = !patch->own_extras,
                                        .sound = &scene->sound};
    for (int k = 0; k < SHADER_STAGES; k++) {
        const struct rend_shader *shader = &patch->shader[k];
        if (shader->program != NULL) {
            scene->stages[k] =
                (struct whole_stage){(enum shader_stage)k, &shader->program->ir, shader->fixed};
        }
    }
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
    open_scene(&pair->scene, pair->rend, pair->patch);
    pair->equations = whole_equations_create(preset, &pair->scene.frame, config.seed);
    open_way(&pair->free, session->width, session->height);
    open_way(&pair->step, session->width, session->height);
    open_way(&pair->nudged, session->width, session->height);
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
        whole_equations_free(pair->equations);
        whole_figures_free(&pair->scene.vectors);
        whole_figures_free(&pair->scene.overlay);
        free(pair->scene.mesh.u);
        free(pair->scene.mesh.v);
        close_way(&pair->free);
        close_way(&pair->step);
        close_way(&pair->nudged);
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

/* A frame of froth, and of the second renderer both ways. */
static void step(struct pair *pair, int number)
{
    struct rend *rend = pair->rend;
    struct scene *scene = &pair->scene;
    struct whole_frame *frame = &scene->frame;
    float samples[2 * SAMPLES];
    const size_t got = app_audio_read(pair->audio, samples, SAMPLES);
    const struct tmu_surface *last = &rend->canvas.surface[1 - rend->canvas.current];
    take_over(&pair->step.last, last->pixels, last->stride);
    take_over(&pair->nudged.last, last->pixels, last->stride);
    const struct rend_input input = {.frame = (uint64_t)number,
                                     .time = (double)number / FPS,
                                     .fps = FPS,
                                     .audio = samples,
                                     .audio_frames = got};
    (void)rend_step(rend, &input, pair->pixels, (size_t)rend->config.width);
    take_over(&pair->froth, pair->pixels, (size_t)rend->config.width);
    last = &rend->canvas.surface[1 - rend->canvas.current];
    take_over(&pair->froth_canvas, last->pixels, last->stride);

    const struct rend_heard heard = rend_heard(rend);
    frame->time = input.time;
    frame->frame = number;
    frame->beat[0] = heard.beats > 0;
    frame->beat[1] = heard.beat_phase;
    frame->beat[2] = heard.bpm;
    take_chances(&scene->chances, rend, input.frame);
    whole_sound_step(&scene->sound, samples, got, frame->frame, FPS);
    whole_equations_frame(pair->equations, frame);
    scene->vectors.count = scene->vectors.corner_count = 0;
    scene->overlay.count = scene->overlay.corner_count = 0;
    whole_add_vectors(&scene->vectors, frame, &scene->mesh);
    whole_mesh_move(&scene->mesh, frame, pair->equations);
    whole_add_overlay(&scene->overlay, frame, pair->preset, pair->equations);
    paint(&pair->free, scene);
    paint(&pair->step, scene);
    if (pair->nudges) {
        scene->frame.nudged = true;
        paint(&pair->nudged, scene);
        scene->frame.nudged = false;
    }
}

static void judge_frames(const struct session *session, struct pair *pair, struct result *result)
{
    result->degraded = rend_patch_status(pair->patch) != REND_PATCH_OK;
    for (int number = 1; number <= session->frames; number++) {
        step(pair, number);
        const double here = difference(&pair->step.shown, &pair->froth);
        const double canvas = difference(&pair->step.last, &pair->froth_canvas);
        result->free = difference(&pair->free.shown, &pair->froth);
        result->numbers = result->numbers == 0 && !same_numbers(pair) ? number : result->numbers;
        result->apart = result->apart == 0 && result->free > 1 ? number : result->apart;
        if (here > result->step || canvas > result->step) {
            result->step = here > canvas ? here : canvas;
            result->step_canvas = canvas;
            result->step_frame = number;
            result->nudged = fmax(difference(&pair->step.shown, &pair->nudged.shown),
                                  difference(&pair->step.last, &pair->nudged.last));
            if (session->out != NULL) {
                write_pair(session, result->name, "step", &pair->froth, &pair->step.shown);
                write_pair(session, result->name, "canvas", &pair->froth_canvas, &pair->step.last);
            }
        }
    }
    result->light[0] = light_of(&pair->froth);
    result->light[1] = light_of(&pair->free.shown);
    if (session->out != NULL) {
        write_pair(session, result->name, "free", &pair->froth, &pair->free.shown);
    }
}

static void print_result(const struct result *result)
{
    printf("%8.3f %8.3f %8.3f %8.3f %5d %5d %7.2f %7.2f  %s%s\n", result->free, result->step,
           result->step_canvas, result->nudged, result->step_frame, result->apart, result->light[0],
           result->light[1], result->name, result->degraded ? " (degraded)" : "");
    (void)fflush(stdout);
}

static void judge_preset(struct session *session, const char *path)
{
    struct preset preset;
    if (session->count == RESULTS_MAX || preset_read_file(&preset, path, NULL) != 0) {
        (void)fprintf(stderr, "whole: cannot read %s\n", path);
        return;
    }
    struct result *result = &session->results[session->count];
    struct pair pair;
    *result = (struct result){.free = 0};
    (void)snprintf(result->name, sizeof result->name, "%s", preset.name);
    if (open_pair(&pair, session, &preset)) {
        judge_frames(session, &pair, result);
        print_result(result);
        session->count++;
    }
    close_pair(&pair);
    preset_free(&preset);
}

/* ---- all presets ---- */

static int is_preset(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending != NULL && strcmp(ending, ".milk") == 0;
}

static void judge_path(struct session *session, const char *path)
{
    struct stat status;
    struct dirent **entries;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        judge_preset(session, path);
        return;
    }
    const int count = scandir(path, &entries, is_preset, alphasort);
    for (int k = 0; k < count; k++) {
        char name[PATH + 300];
        (void)snprintf(name, sizeof name, "%s/%s", path, entries[k]->d_name);
        judge_preset(session, name);
        free(entries[k]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static bool judge_shared(struct session *session)
{
    static const char *const folders[] = {"classic", "reference", "shaders", "thesis"};
    const char *shared = getenv("FROTH_SHARED");
    for (size_t k = 0; shared != NULL && k < sizeof folders / sizeof *folders; k++) {
        char path[PATH];
        (void)snprintf(path, sizeof path, "%s/presets/%s", shared, folders[k]);
        judge_path(session, path);
    }
    return session->count > 0;
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

/* Says why a preset is apart; whether that is a reason. */
static bool explain(const struct session *session, const struct result *result)
{
    char line[PATH];
    const char *reason = reason_of(session, result->name, line);
    if (reason == NULL && result->step <= session->limit) {
        reason = "each frame agrees; feedback makes much of rounding";
    }
    if (reason == NULL && session->nudges && result->step <= NUDGED * result->nudged) {
        reason = "texels weighed in 256ths move the second renderer itself by so much";
    }
    const bool magnified = result->step <= MAGNIFIED * result->step_canvas;
    if (reason == NULL && magnified && result->step_canvas <= session->limit) {
        reason = "each canvas agrees; what is shown makes more of rounding";
    }
    printf("  %s: %s", result->name, reason != NULL ? reason : "NOT EXPLAINED");
    if (result->numbers > 0) {
        printf(" (its equations part in frame %d)", result->numbers);
    }
    printf("\n");
    return reason != NULL;
}

/* Whether all is well. */
static bool report(struct session *session)
{
    size_t far = 0;
    size_t steps = 0;
    size_t unexplained = 0;
    size_t lights = 0;
    qsort(session->results, session->count, sizeof *session->results, compare_results);
    for (size_t k = 0; k < session->count; k++) {
        const struct result *result = &session->results[k];
        far += result->free > 1;
        steps += result->step > session->limit;
        if (result->free > 1 || result->step > session->limit) {
            unexplained += !explain(session, result);
        }
        if (!(fabs(result->light[0] - result->light[1]) <= session->light)) {
            lights++;
            printf("  %s: NOT ALIKE BRIGHT\n", result->name);
        }
    }
    const double median = session->count > 0 ? session->results[session->count / 2].free : 0;
    printf("%zu presets to frame %d at %dx%d: median %.3f, %zu above 1; steps above %.2f: %zu; not "
           "explained: %zu\n",
           session->count, session->frames, session->width, session->height, median, far,
           session->limit, steps, unexplained);
    return session->count > 0 && median <= 1 && unexplained == 0 && lights == 0;
}

int main(int argc, char **argv)
{
    struct session *session = whole_memory(1, sizeof *session);
    session->width = 128;
    session->height = 96;
    session->frames = 60;
    session->limit = 0.5;
    session->light = 255;
    bool shared = false;
    printf("    free     step   canvas   nudged frame apart   light   other  preset\n");
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
            judge_path(session, argv[i]);
        }
    }
    int code = 0;
    if (session->width < REND_SIZE_MIN || session->height < REND_SIZE_MIN ||
        session->width % 2 != 0 || session->height % 2 != 0) {
        (void)fprintf(stderr, "whole: sizes are even, %d at least\n", REND_SIZE_MIN);
        code = 2;
    } else if (shared && !judge_shared(session)) {
        (void)fprintf(stderr, "whole: FROTH_SHARED names no presets\n");
        code = SKIPPED;
    } else {
        code = report(session) ? 0 : 1;
    }
    free(session);
    return code;
}
