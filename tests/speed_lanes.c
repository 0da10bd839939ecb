/* Processor time of per-vertex programs one by one and in lanes, for the heaviest presets of
 * folders, and of the mesh stage.
 *   speed_lanes FOLDER...
 * Prints a line per program, then medians. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "presets/presets.h"
#include "renderer/stages.h"

enum { PROGRAMS = 20, PRESETS_MAX = 20000, RUNS = 9, FRAMES = 40, WIDTH = 320, HEIGHT = 240 };
enum { INPUTS = REND_VERTEX_PLACE + REND_VERTEX_MOTIONS, FRAME_SAMPLES = REND_AUDIO_RATE / 60 };

struct entry {
    char *path;
    size_t length;
};

struct list {
    struct entry *entries;
    size_t count;
};

static void add(struct list *list, const char *path)
{
    struct preset preset;
    if (list->count == PRESETS_MAX || preset_read_file(&preset, path, NULL) != 0) {
        return;
    }
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    if (patch != NULL && patch->vertex.run != NULL) {
        list->entries[list->count++] =
            (struct entry){strdup(path), pfpu_program_length(patch->vertex.run)};
    }
    rend_patch_free(patch);
    preset_free(&preset);
}

static void walk(struct list *list, const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return;
    }
    for (const struct dirent *entry = readdir(directory); entry != NULL;
         entry = readdir(directory)) {
        char path[4096];
        struct stat facts;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof path || stat(path, &facts) != 0) {
            continue;
        }
        if (S_ISDIR(facts.st_mode)) {
            walk(list, path);
        } else if (length > 5 && strcmp(path + length - 5, ".milk") == 0) {
            add(list, path);
        }
    }
    (void)closedir(directory);
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *left = a;
    const struct entry *right = b;
    if (left->length != right->length) {
        return left->length > right->length ? -1 : 1;
    }
    return strcmp(left->path, right->path);
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return count == 0 ? 0.0 : numbers[count / 2];
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a preset that has run for a while ---- */

struct stage {
    struct preset preset;
    struct rend_patch *patch;
    struct rend *rend;
    struct rend_frame frame;
    double motions[REND_VERTEX_MOTIONS];
    const double *inputs[INPUTS];
    double *outputs[REND_VERTEX_MOTIONS];
    size_t vertices;
};

static void play(struct rend *rend, struct rend_frame *frame)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    float audio[2 * FRAME_SAMPLES];
    for (int n = 1; n <= FRAMES; n++) {
        for (int i = 0; i < FRAME_SAMPLES; i++) {
            const double t = (double)(n * FRAME_SAMPLES + i) / REND_AUDIO_RATE;
            const double beat = exp(-6.0 * fmod(t, 0.5));
            audio[2 * i] = (float)(0.6 * beat * sin(6.28 * 60.0 * t) + 0.2 * sin(6.28 * 700.0 * t));
            audio[2 * i + 1] = (float)(0.5 * beat * sin(6.28 * 60.0 * t) + 0.2 * sin(9000.0 * t));
        }
        const struct rend_input input = {.frame = (uint64_t)n,
                                         .time = n / 60.0,
                                         .fps = 60.0,
                                         .audio = audio,
                                         .audio_frames = FRAME_SAMPLES};
        (void)rend_step(rend, &input, pixels, WIDTH);
    }
    *frame = (struct rend_frame){.clock = rend->clock,
                                 .sound = rend_analysis_sound(&rend->sound),
                                 .aspect_x = (float)rend_aspect_x(&rend->config),
                                 .aspect_y = (float)rend_aspect_y(&rend->config)};
    rend_equations_frame(&rend->equations, rend->patch, &rend->config, frame);
    rend_set_inputs(rend->equations.vertex.values, frame, frame->q);
    rend_set_geometry(rend->equations.vertex.values, &rend->config);
}

static void connect(struct stage *stage)
{
    struct rend_section_mesh *mesh = &stage->rend->mesh;
    const double *values = stage->rend->equations.frame.values;
    size_t outputs = 0;
    for (int i = 0; i < REND_VERTEX_PLACE; i++) {
        stage->inputs[i] = mesh->place[i];
    }
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        stage->motions[i] = values[stage->patch->stored_variable[rend_vertex_motion[i]]];
        stage->inputs[REND_VERTEX_PLACE + i] = &stage->motions[i];
        if (pfpu_program_writes(stage->patch->vertex.run, REND_VAR_MOTION + i)) {
            stage->outputs[outputs++] = mesh->motion[i];
        }
    }
}

static bool open_stage(struct stage *stage, const char *path, int mesh_x, int mesh_y)
{
    *stage = (struct stage){.vertices = (size_t)(mesh_x + 1) * (size_t)(mesh_y + 1)};
    const struct rend_config config = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .mesh_x = mesh_x,
                                       .mesh_y = mesh_y,
                                       .fps = 60,
                                       .cpu = base_cpu_best()};
    if (preset_read_file(&stage->preset, path, NULL) != 0) {
        return false;
    }
    stage->patch = rend_patch_create(&stage->preset, NULL, NULL);
    stage->rend = rend_create(&config);
    if (stage->patch == NULL || stage->rend == NULL ||
        rend_load(stage->rend, stage->patch, 60.0, NULL) != 0) {
        return false;
    }
    play(stage->rend, &stage->frame);
    connect(stage);
    return true;
}

static void close_stage(struct stage *stage)
{
    rend_free(stage->rend);
    rend_patch_free(stage->patch);
    preset_free(&stage->preset);
}

/* ---- measuring ---- */

static void run_one_by_one(struct stage *stage)
{
    struct rend_section_equations *equations = &stage->rend->equations;
    double *values = equations->vertex.values;
    for (size_t item = 0; item < stage->vertices; item++) {
        for (int i = 0; i < INPUTS; i++) {
            values[REND_VAR_PLACE + i] = stage->inputs[i][i < REND_VERTEX_PLACE ? item : 0];
        }
        pfpu_run(stage->patch->vertex.run, &equations->vertex, &equations->globals);
        for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
            stage->rend->mesh.motion[i][item] = values[REND_VAR_MOTION + i];
        }
    }
}

static void run_lanes(struct stage *stage)
{
    struct rend_section_equations *equations = &stage->rend->equations;
    const struct pfpu_lanes_items items = {stage->vertices, stage->inputs, stage->outputs};
    pfpu_lanes_run(stage->patch->vertex.lanes, stage->rend->config.cpu, &equations->vertex,
                   &equations->globals, &items, equations->lanes_work);
}

static void run_mesh(struct stage *stage)
{
    rend_mesh_step(stage->rend, &stage->frame, NULL);
}

/* Seconds per run; the ways take turns. */
static void measure(struct stage *stage, void (*const ways[])(struct stage *), size_t count,
                    double *seconds)
{
    double times[3][RUNS];
    for (int run = 0; run < RUNS; run++) {
        for (size_t way = 0; way < count; way++) {
            rend_equations_refill(&stage->rend->equations, &stage->rend->config);
            const double start = seconds_now();
            ways[way](stage);
            times[way][run] = seconds_now() - start;
        }
    }
    for (size_t way = 0; way < count; way++) {
        seconds[way] = median(times[way], RUNS);
    }
}

static double measure_program(const struct entry *entry)
{
    static void (*const ways[])(struct stage *) = {run_one_by_one, run_lanes};
    struct stage stage;
    double seconds[2] = {0.0, 1.0};
    if (open_stage(&stage, entry->path, 96, 72)) {
        measure(&stage, ways, 2, seconds);
        const struct pfpu_lanes_facts facts = pfpu_lanes_facts(stage.patch->vertex.lanes);
        const double per_vertex = 1e9 / (double)stage.vertices;
        printf("%4zu instructions  %7.1f ns one by one  %6.1f ns in lanes  %5.1f times  "
               "%zu once, %zu in lanes, %zu serial%s  %s\n",
               entry->length, seconds[0] * per_vertex, seconds[1] * per_vertex,
               seconds[0] / seconds[1], facts.uniform, facts.lanes, facts.serial,
               facts.one_by_one ? " (one by one)" : "", stage.preset.name);
    }
    close_stage(&stage);
    return seconds[0] / seconds[1];
}

static void measure_mesh(const struct entry *entry)
{
    static void (*const ways[])(struct stage *) = {run_lanes, run_mesh};
    struct stage stage;
    double seconds[2] = {0.0, 0.0};
    if (open_stage(&stage, entry->path, REND_MESH_MAX_X, REND_MESH_MAX_Y)) {
        measure(&stage, ways, 2, seconds);
        printf("%d x %d: program %.2f ms, whole stage %.2f ms (%zu instructions: %s)\n",
               REND_MESH_MAX_X, REND_MESH_MAX_Y, 1e3 * seconds[0], 1e3 * seconds[1], entry->length,
               stage.preset.name);
    }
    close_stage(&stage);
}

int main(int count, char **arguments)
{
    struct list list = {calloc(PRESETS_MAX, sizeof *list.entries), 0};
    if (count < 2 || list.entries == NULL) {
        (void)fprintf(stderr, "usage: speed_lanes FOLDER...\n");
        return 2;
    }
    for (int i = 1; i < count; i++) {
        walk(&list, arguments[i]);
    }
    if (list.count == 0) {
        (void)fprintf(stderr, "speed_lanes: no preset with per-vertex equations\n");
        return 1;
    }
    qsort(list.entries, list.count, sizeof *list.entries, compare_entries);
    double ratios[PROGRAMS];
    size_t measured = 0;
    for (; measured < list.count && measured < PROGRAMS; measured++) {
        ratios[measured] = measure_program(&list.entries[measured]);
    }
    printf("median of the ratios: %.1f\n", median(ratios, measured));
    measure_mesh(&list.entries[list.count / 2]);
    measure_mesh(&list.entries[(measured - 1) / 2]);
    for (size_t i = 0; i < list.count; i++) {
        free(list.entries[i].path);
    }
    free(list.entries);
    return 0;
}
