/* oracle [--flat] [--weights] [--out FOLDER] PRESET|FOLDER...: draws the stages of presets here
 * and by a software GL, and compares them pixel by pixel. Exit code 1 if too few stages agree.
 * oracle --shared: the presets of the folder that FROTH_SHARED names.
 * 77 (skipped) where glslang, SPIRV-Cross, a software GL or FROTH_SHARED is missing.
 *   --flat     noise and pictures have no smaller levels
 *   --weights  the GL weighs texels and chooses levels as it does; else as we do
 *   --out      keeps texts and, of stages that differ, pictures
 * Where they are wrong, so that a difference says nothing about us: glslang multiplies matrices
 * as mathematics does, where HLSL's * goes component by component, and lit without its power;
 * GLSL does not define % of negative whole numbers. */
#include "oracle.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "presets/presets.h"
#include "renderer/shade.h"

enum { SKIPPED = 77, NEAR = 2, RESULTS_MAX = 4096, PATH = 1000 };
static const double pixels_wanted = 0.99; /* share of a stage's pixels within NEAR/255 */
static const double stages_wanted = 0.97; /* share of stages that have so many */

static const char *const stages[SHADER_STAGES] = {"warp", "comp"};

struct result {
    char name[160];
    enum shader_stage stage;
    size_t number;
    double share;        /* of pixels that agree */
    double steady_share; /* of pixels that the oracle draws the same with nudged inputs */
    int worst;           /* difference, in 255ths */
    char *refusal;       /* NULL: judged */
};

struct session {
    struct oracle_scene scene;
    struct oracle_gl *gl;
    char folder[PATH];
    bool keep;
    bool levels;
    bool rounded;
    struct result results[RESULTS_MAX];
    size_t count;
    float ours[ORACLE_PIXELS][3];
    float theirs[ORACLE_PIXELS][3];
    float nudged[ORACLE_PIXELS][3];
};

/* ---- comparing ---- */

/* As a stage's result is stored. */
static int stored(float number)
{
    return number > 0 ? (int)(fminf(number, 1) * 255 + 0.5f) : 0;
}

static double compare(const float (*a)[3], const float (*b)[3], int *worst)
{
    size_t near = 0;
    *worst = 0;
    for (size_t pixel = 0; pixel < ORACLE_PIXELS; pixel++) {
        int most = 0;
        for (size_t k = 0; k < 3; k++) {
            const int difference = abs(stored(a[pixel][k]) - stored(b[pixel][k]));
            most = difference > most ? difference : most;
        }
        near += most <= NEAR;
        *worst = most > *worst ? most : *worst;
    }
    return (double)near / ORACLE_PIXELS;
}

static void write_picture(const char *path, const char *ending, const float (*pixels)[3])
{
    char name[PATH + 40];
    (void)snprintf(name, sizeof name, "%s%s", path, ending);
    FILE *out = fopen(name, "wb");
    if (out == NULL) {
        (void)fprintf(stderr, "oracle: cannot write %s\n", name);
        return;
    }
    (void)fprintf(out, "P6 %d %d 255\n", ORACLE_WIDTH, ORACLE_HEIGHT);
    for (size_t k = 0; k < (size_t)ORACLE_PIXELS * 3; k++) {
        (void)fputc(stored(pixels[k / 3][k % 3]), out);
    }
    (void)fclose(out);
}

/* ---- stages ---- */

/* The oracle's pictures; false where its tools refuse the text. */
static bool ask(struct session *session, struct result *result, const struct oracle_text *text,
                const char *path)
{
    char *glsl = oracle_translate(text->hlsl, path, session->rounded, &result->refusal);
    const bool drawn = glsl != NULL &&
                       oracle_gl_draw(session->gl, &session->scene, result->stage, text, glsl,
                                      false, session->theirs) &&
                       oracle_gl_draw(session->gl, &session->scene, result->stage, text, glsl, true,
                                      session->nudged);
    if (!drawn && result->refusal == NULL) {
        result->refusal = strdup("cannot be drawn by the GL\n");
    }
    free(glsl);
    return drawn;
}

static void judge(struct session *session, struct result *result, const struct base_source *source)
{
    char path[PATH + 20];
    (void)snprintf(path, sizeof path, "%s/%03zu_%s", session->folder, result->number,
                   stages[result->stage]);
    if (!oracle_ours_draw(&session->scene, result->stage, source, session->ours)) {
        result->refusal = strdup("cannot be compiled here\n");
        return;
    }
    struct oracle_text text;
    if (!oracle_text_make(&text, result->stage, source)) {
        result->refusal = strdup("no text\n");
    } else if (ask(session, result, &text, path)) {
        int unused;
        result->share = compare(session->ours, session->theirs, &result->worst);
        result->steady_share = compare(session->theirs, session->nudged, &unused);
        if (session->keep && result->share < pixels_wanted) {
            write_picture(path, "_ours.ppm", session->ours);
            write_picture(path, "_oracle.ppm", session->theirs);
        }
    }
    oracle_text_free(&text);
}

static void judge_preset(struct session *session, const char *path, size_t number)
{
    struct preset preset;
    if (preset_read_file(&preset, path, NULL) != 0) {
        (void)fprintf(stderr, "oracle: cannot read %s\n", path);
        return;
    }
    struct base_arena arena = {0};
    const struct base_source *sources[SHADER_STAGES] = {&preset.warp_code, &preset.comp_code};
    const bool shaded[SHADER_STAGES] = {preset.warp_shader > 0, preset.comp_shader > 0};
    for (int k = 0; k < SHADER_STAGES; k++) {
        const enum shader_stage stage = (enum shader_stage)k;
        const struct base_source *source =
            sources[k]->count > 0 ? sources[k] : rend_default_stage(stage, &preset, &arena);
        if (!shaded[k] || source == NULL || session->count == RESULTS_MAX) {
            continue;
        }
        struct result *result = &session->results[session->count++];
        *result = (struct result){.stage = stage, .number = number};
        (void)snprintf(result->name, sizeof result->name, "%s", preset.name);
        judge(session, result, source);
    }
    base_arena_free(&arena);
    preset_free(&preset);
}

static int is_preset(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending != NULL && strcmp(ending, ".milk") == 0;
}

static void judge_path(struct session *session, const char *path)
{
    static size_t number;
    struct stat status;
    struct dirent **entries;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        judge_preset(session, path, ++number);
        return;
    }
    const int count = scandir(path, &entries, is_preset, alphasort);
    for (int k = 0; k < count; k++) {
        char name[PATH + 300];
        (void)snprintf(name, sizeof name, "%s/%s", path, entries[k]->d_name);
        judge_preset(session, name, ++number);
        free(entries[k]);
    }
    if (count >= 0) {
        free(entries);
    }
}

/* ---- report ---- */

static int compare_results(const void *a, const void *b)
{
    const struct result *left = a;
    const struct result *right = b;
    return (left->share > right->share) - (left->share < right->share);
}

static void print_result(const struct result *result)
{
    if (result->refusal != NULL) {
        printf("  not judged      %03zu %s %s\n", result->number, stages[result->stage],
               result->name);
        for (const char *c = strstr(result->refusal, "ERROR"); c != NULL && *c != '\n'; c++) {
            (void)putchar(*c);
        }
        (void)putchar('\n');
    } else {
        printf("%8.3f %8.3f %4d  %03zu %s %s\n", 100 * result->share, 100 * result->steady_share,
               result->worst, result->number, stages[result->stage], result->name);
    }
}

/* Whether enough stages agree. */
static bool report(struct session *session)
{
    size_t judged = 0;
    size_t good = 0;
    double share = 0;
    qsort(session->results, session->count, sizeof *session->results, compare_results);
    printf("   agree   steady worst  preset (per cent of pixels within %d/255, of ours and "
           "theirs; of theirs with inputs one bit off)\n",
           NEAR);
    for (size_t k = 0; k < session->count; k++) {
        const struct result *result = &session->results[k];
        print_result(result);
        judged += result->refusal == NULL;
        good += result->refusal == NULL && result->share >= pixels_wanted;
        share += result->refusal == NULL ? result->share : 0;
    }
    printf("oracle: %zu stages, %zu judged, %zu not; %.2f per cent of pixels agree; %zu stages "
           "(%.1f per cent) have %.0f per cent of their pixels so\n",
           session->count, judged, session->count - judged,
           judged == 0 ? 0 : 100 * share / (double)judged, good,
           judged == 0 ? 0 : 100 * (double)good / (double)judged, 100 * pixels_wanted);
    return judged > 0 && (double)good >= stages_wanted * (double)judged;
}

/* ---- session ---- */

static void remove_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char name[PATH + 300];
        (void)snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            (void)unlink(name);
        }
    }
    if (directory != NULL) {
        (void)closedir(directory);
    }
    (void)rmdir(folder);
}

static bool open_folder(struct session *session)
{
    if (session->keep) {
        return mkdir(session->folder, 0700) == 0 || access(session->folder, W_OK) == 0;
    }
    const char *base = getenv("TMPDIR");
    (void)snprintf(session->folder, PATH, "%s/oracle-XXXXXX", base != NULL ? base : "/tmp");
    return mkdtemp(session->folder) != NULL;
}

static int consult(struct session *session, char **paths, int count)
{
    if (!oracle_tools_present() || (session->gl = oracle_gl_open()) == NULL) {
        printf("oracle: glslangValidator, spirv-cross or a software GL is missing\n");
        return SKIPPED;
    }
    int code = EXIT_FAILURE;
    if (!open_folder(session)) {
        (void)fprintf(stderr, "oracle: no folder for its files\n");
    } else if (oracle_scene_open(&session->scene, session->levels)) {
        for (int k = 0; k < count; k++) {
            judge_path(session, paths[k]);
        }
        code = report(session) ? EXIT_SUCCESS : EXIT_FAILURE;
        oracle_scene_close(&session->scene);
    }
    for (size_t k = 0; k < session->count; k++) {
        free(session->results[k].refusal);
    }
    if (!session->keep) {
        remove_folder(session->folder);
    }
    oracle_gl_close(session->gl);
    return code;
}

int main(int argc, char **argv)
{
    static struct session session;
    static char shared[PATH];
    char *shared_path = shared;
    const char *folder = getenv("FROTH_SHARED");
    session.levels = true;
    session.rounded = true;
    int k = 1;
    for (; k < argc && strncmp(argv[k], "--", 2) == 0; k++) {
        if (strcmp(argv[k], "--flat") == 0) {
            session.levels = false;
        } else if (strcmp(argv[k], "--weights") == 0) {
            session.rounded = false;
        } else if (strcmp(argv[k], "--out") == 0 && k + 1 < argc) {
            session.keep = true;
            (void)snprintf(session.folder, PATH, "%s", argv[++k]);
        } else if (strcmp(argv[k], "--shared") == 0 && (folder == NULL || *folder == '\0')) {
            printf("oracle: FROTH_SHARED is not set\n");
            return SKIPPED;
        } else if (strcmp(argv[k], "--shared") == 0) {
            (void)snprintf(shared, sizeof shared, "%s/presets/shaders", folder);
        }
    }
    return shared[0] != '\0' ? consult(&session, &shared_path, 1)
                             : consult(&session, argv + k, argc - k);
}
