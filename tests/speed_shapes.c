/* Processor time of custom shapes: 4 x 1,024 instances strewn over 640x480, on one thread.
 *   speed_shapes [plain|sse41|avx2|avx512 [RADIUS SIDES [KIND]]]
 * Prints milliseconds per frame of the stage, with its equations: the median of some frames. Radius
 * 0.1 and 4 sides are the format's own; 0 for both is each of a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "renderer/renderer.h"
#include "presets/presets.h"

enum { WIDTH = 640, HEIGHT = 480, SKIPPED = 5, FRAMES = 41, SHAPES = 4 };

struct kind {
    const char *name;
    const char *keys; /* of a shape, after "shapecode_N_" */
};

static const struct kind kinds[] = {
    {"opaque", "a=1 a2=1 r2=0.1 g2=0.2 b2=1"},
    {"blended", "a=0.7 a2=0.3 r2=0.1 g2=0.2 b2=1"},
    {"clear inside", "a=0 a2=1 r2=0.1 g2=0.2 b2=1"},
    {"added", "a=0.7 a2=0.3 additive=1 r2=0.1 g2=0.2 b2=1"},
    {"textured", "a=1 a2=1 textured=1 tex_zoom=1 r2=0.1 g2=0.2 b2=1"},
    {"glass", "a=0.7 a2=0.3 textured=1 tex_zoom=1 r2=0.1 g2=0.2 b2=1"},
    {"one colour", "r2=1 g2=0.6 b2=0.2 a=0.5 a2=0.5"},
};

static double milliseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

struct watch {
    double began;
    double lasted;
};

static void see_stage(void *user, enum rend_stage stage, bool begins)
{
    struct watch *watch = user;
    if (stage != REND_STAGE_SHAPES) {
        return;
    }
    if (begins) {
        watch->began = milliseconds_now();
    } else {
        watch->lasted = milliseconds_now() - watch->began;
    }
}

/* ---- presets ---- */

static void write_keys(FILE *out, int shape, const char *keys)
{
    char copy[200];
    (void)snprintf(copy, sizeof copy, "%s", keys);
    for (char *rest = NULL, *key = strtok_r(copy, " ", &rest); key != NULL;
         key = strtok_r(NULL, " ", &rest)) {
        (void)fprintf(out, "shapecode_%d_%s\n", shape, key);
    }
}

static void write_shape(FILE *out, int shape, double radius, int sides, const struct kind *kind)
{
    (void)fprintf(out, "shapecode_%d_rad=%g\nshapecode_%d_sides=%d\n", shape, radius, shape, sides);
    write_keys(out, shape, "enabled=1 num_inst=1024 border_a=0 r=1 g=0.6 b=0.2");
    write_keys(out, shape, kind->keys);
    (void)fprintf(out,
                  "shape_%d_per_frame1=s=sin(instance*12.9898+%d+time*0.1)*437.5;\n"
                  "shape_%d_per_frame2=x=s-int(s);x=if(below(x,0),x+1,x);\n"
                  "shape_%d_per_frame3=t=sin(instance*78.233+%d)*437.5;\n"
                  "shape_%d_per_frame4=y=t-int(t);y=if(below(y,0),y+1,y);ang=instance;\n",
                  shape, shape, shape, shape, shape, shape);
}

static struct rend_patch *make_patch(double radius, int sides, const struct kind *kind)
{
    char *text = NULL;
    size_t size = 0;
    struct preset preset;
    struct rend_patch *patch = NULL;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return NULL;
    }
    (void)fprintf(out, "[preset00]\nfWaveAlpha=0\nwarp=0\n");
    for (int shape = 0; shape < SHAPES; shape++) {
        write_shape(out, shape, radius, sides, kind);
    }
    (void)fclose(out);
    if (preset_read(&preset, "shapes", text, size, NULL) == 0) {
        patch = rend_patch_create(&preset, NULL, NULL);
        preset_free(&preset);
    }
    free(text);
    return patch;
}

/* ---- measuring ---- */

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static unsigned play(struct rend *rend, const struct watch *watch, double times[FRAMES])
{
    static uint32_t pixels[WIDTH * HEIGHT];
    static const float silence[2 * 735];
    unsigned events = 0;
    for (int i = 0; i < SKIPPED + FRAMES; i++) {
        const struct rend_input input = {.frame = (uint64_t)i + 1,
                                         .time = i / 60.0,
                                         .fps = 60.0,
                                         .audio = silence,
                                         .audio_frames = 735};
        events |= rend_step(rend, &input, pixels, WIDTH);
        times[i < SKIPPED ? 0 : i - SKIPPED] = watch->lasted;
    }
    return events;
}

static int measure(enum base_cpu_level cpu, double radius, int sides, const struct kind *kind)
{
    struct watch watch = {0, 0};
    const struct rend_observer observer = {&watch, see_stage};
    const struct rend_config config = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .mesh_x = 48,
                                       .mesh_y = 36,
                                       .fps = 60,
                                       .cpu = cpu,
                                       .observer = &observer};
    struct rend_patch *patch = make_patch(radius, sides, kind);
    struct rend *rend = rend_create(&config);
    double times[FRAMES];
    int status = 1;
    if (patch != NULL && rend != NULL && rend_load(rend, patch, 60.0, NULL) == 0) {
        const unsigned events = play(rend, &watch, times);
        qsort(times, FRAMES, sizeof *times, compare_numbers);
        printf("%6.2f %6d  %-14s %8.2f%s\n", radius, sides, kind->name, times[FRAMES / 2],
               (events & REND_EVENT_FILL) != 0 ? "  cut off" : "");
        status = 0;
    }
    rend_free(rend);
    rend_patch_free(patch);
    return status;
}

static enum base_cpu_level level_named(const char *name)
{
    for (int i = 0; name != NULL && i < BASE_CPU_LEVEL_COUNT; i++) {
        const enum base_cpu_level level = (enum base_cpu_level)i;
        if (strcmp(base_cpu_level_name(level), name) == 0 && level <= base_cpu_best()) {
            return level;
        }
    }
    return base_cpu_best();
}

struct size {
    double radius;
    int sides;
};

static int measure_kinds(enum base_cpu_level cpu, struct size size, const char *kind)
{
    int status = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kind == NULL || strcmp(kind, kinds[i].name) == 0) {
            status |= measure(cpu, size.radius, size.sides, &kinds[i]);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    static const struct size sizes[] = {{0.05, 5}, {0.05, 30}, {0.1, 4}, {0.2, 5}, {0.2, 30}};
    const enum base_cpu_level cpu = level_named(argc > 1 ? argv[1] : NULL);
    const struct size given = {argc > 2 ? atof(argv[2]) : 0, argc > 3 ? atoi(argv[3]) : 0};
    const char *kind = argc > 4 ? argv[4] : NULL;
    int status = 0;
    printf("%6s %6s  %-14s %8s\n", "radius", "sides", "kind", "ms");
    if (given.radius > 0 && given.sides > 0) {
        return measure_kinds(cpu, given, kind);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        status |= measure_kinds(cpu, sizes[i], kind);
    }
    return status;
}
