#include "engine/device/trial.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/os/thread.h"
#include "engine/loading.h"
#include "gpu/gpu.h"
#include "gpu/proof/prove.h"
#include "renderer/picture/resources.h"
#include "renderer/show.h"

/* What presets do with shaders: the last picture moved, blurred, mixed with noise; angles; a
 * branch. And what is drawn on it before it is read: vectors, shapes of many kinds, waves, borders.
 * Then without a shader for the warp, and without any. */
#define HEAD(warp, comp)                                                                           \
    "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=" #warp "\nPSVERSION_COMP=" #comp                 \
    "\n[preset00]\n"                                                                               \
    "fDecay=0.98\nnWaveMode=2\nfWaveScale=2\nzoom=1.02\nwarp=0.6\nrot=0.01\n"
#define FIGURES                                                                                    \
    "bWaveThick=1\nbDarkenCenter=1\nob_size=0.02\nob_r=0.9\nob_g=0.5\nob_b=0.2\nob_a=0.7\n"        \
    "shapecode_0_enabled=1\nshapecode_0_sides=100\nshapecode_0_rad=0.4\nshapecode_0_a2=0.2\n"      \
    "shapecode_0_num_inst=3\nshape_0_per_frame1=x=0.2+0.3*instance; ang=time; r2=instance*0.3;\n"  \
    "shapecode_1_enabled=1\nshapecode_1_sides=5\nshapecode_1_textured=1\nshapecode_1_rad=0.3\n"    \
    "shapecode_1_a2=0.9\nshapecode_1_border_a=0.6\nshapecode_1_thickOutline=1\n"                   \
    "shape_1_per_frame1=x=0.7; y=0.3; ang=-time*3; tex_ang=time; tex_zoom=0.7;\n"                  \
    "shapecode_2_enabled=1\nshapecode_2_additive=1\nshapecode_2_sides=41\nshapecode_2_rad=0.2\n"   \
    "shape_2_per_frame1=x=0.3+0.2*sin(time*5); y=0.6;\n"                                           \
    "wavecode_0_enabled=1\nwavecode_0_samples=200\nwavecode_0_bAdditive=1\nwavecode_0_a=0.5\n"     \
    "wave_0_per_point1=x=0.5+0.4*sin(sample*40); y=0.5+0.4*cos(sample*33); r=sample; g=value1;\n"  \
    "wavecode_1_enabled=1\nwavecode_1_samples=90\nwavecode_1_bUseDots=1\nwavecode_1_bDrawThick="   \
    "1\n"
/* Enough to be worth a way to the device. */
#define VERTICES                                                                                   \
    "per_pixel_1=a=sin(x*9+time)*cos(y*7)+atan2(y-0.5,x-0.5)*exp(-rad)+log(rad+1)+asin(x);\n"      \
    "per_pixel_2=b=pow(rad,1.7)+sqrt(x)*tan(y)+sigmoid(x-0.5,a)+invsqrt(rad+0.1)+acos(y)+sqr(x);"  \
    "\n"                                                                                           \
    "per_pixel_3=c=sin(a*b)+cos(a-b)+sin(a+time)*cos(b*time)+atan(a)+pow(1+x,a)+log10(1+y);\n"     \
    "per_pixel_4=zoom=1+0.02*c;zoomexp=1+0.3*sin(a);rot=0.05*sin(b*3);warp=0.4*cos(c);\n"          \
    "per_pixel_5=cx=0.5+0.1*a;cy=0.5+0.1*b;dx=0.01*c;dy=if(above(x,0.5),0.01*(b%3),0);\n"          \
    "per_pixel_6=sx=1+0.02*sin(c*5);sy=1/(1+0.02*cos(a*5+exp(sin(b))));\n"
#define COMPOSITE                                                                                  \
    "comp_1=`shader_body {\n"                                                                      \
    "comp_2=`float3 n = tex3D(sampler_noisevol_hq, float3(uv * 2, time)).xyz;\n"                   \
    "comp_3=`ret = tex2D(sampler_main, uv + n.xy * 0.01).xyz + GetBlur3(uv) * 0.4;\n"              \
    "comp_4=`ret *= hue_shader * (1 + 0.3 * cos(ang * 3)) / (0.5 + rad);\n"                        \
    "comp_5=`ret = lerp(ret, sqrt(abs(ret)), saturate(n.z));\n"                                    \
    "comp_6=`}\n"

static const char *const presets[] = {
    HEAD(2, 2) "mv_x=12\nmv_y=9\nmv_a=0.5\n" FIGURES "warp_1=`shader_body {\n"
               "warp_2=`float2 d = GetBlur1(uv).xy - GetBlur2(uv_orig).yz;\n"
               "warp_3=`ret = tex2D(sampler_main, uv + d * 0.02).xyz;\n"
               "warp_4=`ret += (tex2D(sampler_noise_lq, uv_orig * 3 + rand_frame.xy).xyz - 0.5) * "
               "0.1;\n"
               "warp_5=`ret = ret * 0.97 + 0.02 * sin(ang * 5 + rad * 9 + time);\n"
               "warp_6=`if (rad > 0.7) ret = lerp(ret, ret.yzx, pow(rad, 2));\n"
               "warp_7=`}\n" COMPOSITE,
    HEAD(0, 2) "bTexWrap=0\n" VERTICES FIGURES COMPOSITE,
    HEAD(0, 0) "fVideoEchoAlpha=0.3\nfVideoEchoZoom=1.4\nnVideoEchoOrientation=3\nfGammaAdj=1.7\n"
               "fShader=0.6\nbSolarize=1\n" FIGURES,
};
enum { PRESETS = sizeof presets / sizeof *presets };

/* A show of these presets, one after the other. */
struct show {
    struct rend_config config;
    struct rend_resources *resources;
    struct rend_patch *patch[PRESETS];
    struct rend_show *show;
    uint32_t *pixels;
};

static bool open_show(struct show *show, struct base_pool *pool, int width, int height,
                      const struct rend_device *device)
{
    *show = (struct show){.config = {
                              .width = width,
                              .height = height,
                              .mesh_x = 96,
                              .mesh_y = 72,
                              .fps = 60,
                              .cpu = base_cpu_best(),
                              .pool = pool,
                              .device = device,
                          }};
    show->resources = rend_resources_create(NULL);
    show->show = rend_show_create(&show->config);
    show->pixels = calloc((size_t)width * (size_t)height, sizeof *show->pixels);
    bool good = show->show != NULL && show->pixels != NULL;
    for (size_t i = 0; i < PRESETS && good; i++) {
        const struct base_span text = {presets[i], strlen(presets[i])};
        show->patch[i] = engine_patch_load("trial", text, show->resources, NULL, NULL);
        good = show->patch[i] != NULL && rend_patch_status(show->patch[i]) == REND_PATCH_OK;
    }
    return good;
}

static void retire(struct show *show)
{
    struct rend_cue *cue;
    while ((cue = rend_show_retired(show->show)) != NULL) {
        rend_cue_free(cue);
    }
}

static void close_show(struct show *show)
{
    if (show->show != NULL) {
        rend_show_end(show->show);
        retire(show);
    }
    rend_show_free(show->show);
    for (size_t i = 0; i < PRESETS; i++) {
        rend_patch_free(show->patch[i]);
    }
    rend_resources_free(show->resources);
    free(show->pixels);
}

/* The former preset gives way to it in half of its frames. */
static bool take_preset(struct show *show, size_t preset)
{
    static const enum rend_transition ways[PRESETS] = {REND_TRANSITION_fade, REND_TRANSITION_plasma,
                                                       REND_TRANSITION_light};
    const struct rend_change change = {
        .transition = ways[preset], .seconds = ENGINE_TRIAL_FRAMES / 120.0, .seed = 1};
    const struct rend_moment moment = rend_show_moment(show->show);
    struct rend_cue *cue =
        rend_cue_create(&show->config, show->patch[preset], &change, &moment, NULL);
    if (cue != NULL) {
        rend_show_take(show->show, cue);
    }
    return cue != NULL;
}

static void step(struct show *show, int frame)
{
    enum { SAMPLES = 735 };
    float sound[2 * SAMPLES];
    for (int i = 0; i < 2 * SAMPLES; i++) {
        sound[i] = (float)((frame * SAMPLES + i) * 7919 % 2003) / 1001.5f - 1.0f;
    }
    const struct rend_input input = {.frame = (uint64_t)frame,
                                     .time = frame / 60.0,
                                     .fps = 60,
                                     .audio = sound,
                                     .audio_frames = SAMPLES};
    (void)rend_show_step(show->show, &input, show->pixels, (size_t)show->config.width);
    retire(show);
}

/* Frame by frame beside the processor's. */
static bool compare(struct engine_trial *trial, struct show *ours, struct show *theirs)
{
    const size_t pixels = (size_t)ours->config.width * (size_t)ours->config.height;
    const int frames = PRESETS * ENGINE_TRIAL_FRAMES;
    for (int frame = 1; frame <= frames; frame++) {
        const size_t preset = (size_t)(frame - 1) / ENGINE_TRIAL_FRAMES;
        if ((frame - 1) % ENGINE_TRIAL_FRAMES == 0 &&
            (!take_preset(ours, preset) || !take_preset(theirs, preset))) {
            snprintf(trial->why, sizeof trial->why, "not enough memory");
            trial->unsure = true;
            return false;
        }
        step(ours, frame);
        step(theirs, frame);
        trial->numbers += pixels;
        if (memcmp(ours->pixels, theirs->pixels, pixels * sizeof *ours->pixels) != 0) {
            snprintf(trial->why, sizeof trial->why, "picture %d differs", frame);
            return false;
        }
    }
    return true;
}

static bool compare_all(struct engine_trial *trial, const struct gpu *gpu, struct base_pool *pool)
{
    enum { WIDTH = 157, HEIGHT = 101 }; /* no whole tiles */
    const uint64_t before = gpu_account(gpu).ran;
    struct show ours;
    struct show theirs;
    const bool opened = open_show(&ours, pool, WIDTH, HEIGHT, NULL);
    bool good = open_show(&theirs, pool, WIDTH, HEIGHT, gpu_stages(gpu)) && opened;
    if (!good) {
        snprintf(trial->why, sizeof trial->why, "not enough memory");
        trial->unsure = true;
    }
    good = good && compare(trial, &ours, &theirs);
    /* What the processor did in its place is no proof. */
    const uint64_t ran = gpu_account(gpu).ran - before;
    if (good && ran < 2 * (uint64_t)ENGINE_TRIAL_FRAMES * PRESETS) {
        snprintf(trial->why, sizeof trial->why, "it does not run whole stages");
        good = false;
    }
    close_show(&ours);
    close_show(&theirs);
    return good;
}

/* All that it can draw; without floats of 64 bits, if with them a picture differs. */
static bool compare_most(struct engine_trial *trial, struct gpu *gpu, struct base_pool *pool)
{
    gpu_draw_plain(gpu, true);
    if (trial->doubles && compare_all(trial, gpu, pool)) {
        return true;
    }
    trial->doubles = false;
    gpu_leave_doubles(gpu);
    return compare_all(trial, gpu, pool);
}

/* A show of a preset on a device, or NULL. */
struct timing {
    const struct rend_device *device;
    bool software; /* timed by processors' time, as one of them among so many */
    size_t processors;
    struct base_pool *pool;
    size_t preset;
};

static const double slow = 30; /* milliseconds of a frame */

static double seconds_of(const struct timing *timing)
{
    struct timespec time;
    if (!timing->software || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) {
        return base_clock_seconds();
    }
    return ((double)time.tv_sec + (double)time.tv_nsec * 1e-9) / (double)timing->processors;
}

/* The shortest frame of a few, in milliseconds; where they are slow, that behind the one that warms
 * up. */
static double shortest_frame(const struct timing *timing, int width, int height)
{
    enum { WARM = 1, FRAMES = 4 };
    struct show show;
    double shortest = INFINITY;
    if (open_show(&show, timing->pool, width, height, timing->device) &&
        take_preset(&show, timing->preset)) {
        for (int frame = 1; frame <= FRAMES && (isinf(shortest) || shortest <= slow); frame++) {
            const double from = seconds_of(timing);
            step(&show, frame);
            const double took = 1000 * (seconds_of(timing) - from);
            shortest = frame > WARM && took < shortest ? took : shortest;
        }
    }
    close_show(&show);
    return shortest;
}

/* Of a frame of 1920x1080. One that is so slow that a stage might be taken for one that hangs is
 * timed by a sixth of the size. */
static double time_of(const struct timing *timing)
{
    enum { WIDTH = 1920, HEIGHT = 1080, SIXTH = 6 };
    const double part = shortest_frame(timing, WIDTH / SIXTH, HEIGHT / SIXTH);
    return part > slow ? SIXTH * SIXTH * part : shortest_frame(timing, WIDTH, HEIGHT);
}

/* Without an end where it could not be drawn. */
static struct engine_trial_times time_both(const struct timing *timing, size_t preset)
{
    struct timing device = *timing;
    struct timing processor = *timing;
    device.preset = processor.preset = preset;
    processor.device = NULL;
    return (struct engine_trial_times){.device = time_of(&device),
                                       .processor = time_of(&processor)};
}

/* What this machine's processors have done. */
struct work {
    double clock;  /* seconds, */
    double all;    /* of all processors together for anybody, */
    double ours;   /* and for this process */
    double number; /* of processors */
};

static struct work work_until_now(void)
{
    /* user, nice, system, idle, waiting for disks, interrupts of two kinds, stolen by a host */
    enum { FIELDS = 8, IDLE = 3, WAITS = 4 };
    unsigned long long ticks[FIELDS] = {0};
    struct work work = {.clock = base_clock_seconds(), .ours = (double)clock() / CLOCKS_PER_SEC};
    FILE *file = fopen("/proc/stat", "r");
    const int read = file != NULL ? fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu",
                                           &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4],
                                           &ticks[5], &ticks[6], &ticks[7])
                                  : 0;
    for (int i = 0; read == FIELDS && i < FIELDS; i++) {
        work.all += i != IDLE && i != WAITS ? (double)ticks[i] / (double)sysconf(_SC_CLK_TCK) : 0;
    }
    work.number = (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (file != NULL) {
        (void)fclose(file);
    }
    return work;
}

/* Whether others had more than a fifth of the machine since. */
static bool is_busy(const struct work *since)
{
    static const double share = 0.2;
    const struct work now = work_until_now();
    const double others = (now.all - since->all) - (now.ours - since->ours);
    return others > share * (now.clock - since->clock) * now.number;
}

static void time_all(struct engine_trial *trial, const struct timing *timing)
{
    const struct work before = work_until_now();
    trial->shaded = time_both(timing, 0);
    trial->plain = time_both(timing, PRESETS - 1);
    trial->busy = !timing->software && is_busy(&before);
}

static bool is_software(const char *key)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    const size_t count = gpu_list(about);
    size_t i = 0;
    while (i < count && strcmp(about[i].key, key) != 0) {
        i++;
    }
    return i < count && about[i].software;
}

static bool is_timed(const struct engine_trial_times *times)
{
    return isfinite(times->device) && times->device >= 0 && isfinite(times->processor) &&
           times->processor >= 0;
}

struct engine_trial engine_trial_run(const char *key)
{
    struct engine_trial trial = {.passed = false};
    const struct gpu_proof proof = gpu_prove(key, trial.why, sizeof trial.why);
    trial.numbers = proof.numbers;
    trial.unsure = proof.unsure;
    trial.doubles = proof.doubles;
    if (trial.numbers == 0) {
        return trial;
    }
    struct gpu *gpu = gpu_create(key);
    const size_t processors = base_processor_count();
    struct base_pool *pool =
        base_pool_create(processors < BASE_POOL_THREADS_MAX ? processors : BASE_POOL_THREADS_MAX);
    if (gpu == NULL || pool == NULL) {
        snprintf(trial.why, sizeof trial.why, "it cannot be opened again");
        trial.unsure = true;
    } else if (compare_most(&trial, gpu, pool)) {
        time_all(&trial, &(struct timing){gpu_stages(gpu), is_software(key), processors, pool, 0});
        trial.passed = !gpu_account(gpu).lost && is_timed(&trial.shaded) && is_timed(&trial.plain);
        trial.unsure = !trial.passed;
        snprintf(trial.why, sizeof trial.why, "%s",
                 trial.passed ? "" : "it was lost, or memory was short");
    }
    base_pool_destroy(pool);
    gpu_free(gpu);
    return trial;
}

/* ---- as text ---- */

void engine_trial_print(char line[static ENGINE_TRIAL_LINE], const struct engine_trial *trial)
{
    if (trial->passed) {
        (void)snprintf(line, ENGINE_TRIAL_LINE, "passed %zu %.3f %.3f %.3f %.3f %d%s\n",
                       trial->numbers, trial->shaded.device, trial->shaded.processor,
                       trial->plain.device, trial->plain.processor, trial->doubles ? 64 : 32,
                       trial->busy ? " busy" : "");
    } else {
        (void)snprintf(line, ENGINE_TRIAL_LINE, "%s %s\n", trial->unsure ? "unsure" : "failed",
                       trial->why);
    }
}

bool engine_trial_read(struct engine_trial *trial, const char *line)
{
    enum { WORD = 7 };
    const char *rest = strnlen(line, WORD) == WORD ? line + WORD : "";
    *trial = (struct engine_trial){.passed = strncmp(line, "passed ", WORD) == 0,
                                   .unsure = strncmp(line, "unsure ", WORD) == 0};
    if (!trial->passed) {
        (void)snprintf(trial->why, sizeof trial->why, "%.*s", (int)strcspn(rest, "\n"), rest);
        return trial->unsure || strncmp(line, "failed ", WORD) == 0;
    }
    char *end = NULL;
    trial->numbers = strtoul(rest, &end, 10);
    trial->shaded.device = strtod(end, &end);
    trial->shaded.processor = strtod(end, &end);
    trial->plain.device = strtod(end, &end);
    trial->plain.processor = strtod(end, &end);
    const unsigned long bits = strtoul(end, &end, 10);
    trial->doubles = bits == 64;
    trial->busy = strncmp(end, " busy", 5) == 0;
    end += trial->busy ? 5 : 0;
    return (bits == 64 || bits == 32) && isdigit((unsigned char)rest[0]) && trial->numbers > 0 &&
           *end == '\n' && is_timed(&trial->shaded) && is_timed(&trial->plain);
}
