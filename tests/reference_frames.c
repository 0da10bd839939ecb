/* reference_frames [--out FOLDER]: renders the presets whose pictures by another player stand in
 * the folder that FROTH_SHARED names, and prints for two frames of each how far froth's picture is
 * from that one. 77 (skipped) if FROTH_SHARED is not set or holds no such pictures.
 *   --out   writes both pictures side by side, froth's at the left
 *
 * The other player differs from MilkDrop in many ways (docs/reference-frames.md), and feedback
 * makes much of each of them, so the colours differ. Where things are and how bright they are must
 * agree at the earlier frame: exit code 1 if the likeness of a preset is less than its row says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/io/audio.h"
#include "app/io/picture.h"
#include "app/video/video.h"
#include "base/cpu.h"
#include "base/os/print.h"
#include "heard.h"
#include "presets/presets.h"
#include "renderer/renderer.h"

enum { WIDTH = 640, HEIGHT = 480, SKIPPED = 77 };
enum { CELL = 8, COLUMNS = WIDTH / CELL, ROWS = HEIGHT / CELL, CELLS = COLUMNS * ROWS };
enum { EARLY = 60, LATE = 300, PATH = 1100 };

static const struct reference {
    const char *picture; /* NAME_0060.png, NAME_0300.png */
    const char *preset;
    double likeness; /* at the earlier frame, at least; 1: equal but for scale */
} references[] = {
    {"fvese_the_tunnel_final_stage_mix", "Fvese - The Tunnel (Final Stage Mix)", 0.95},
    {"geiss_fog_tunnel", "Geiss - Fog Tunnel", 0.7},
    {"geiss_swirlie_4", "Geiss - Swirlie 4", 0.8},
    {"illusion_rovastar_clouded_bottle", "Illusion & Rovastar - Clouded Bottle", 0.3},
    {"rovastar_fractopia_upspoken_mix", "Rovastar - Fractopia (Upspoken Mix)", 0.7},
    {"rovastar_idiot24_7_balk_acid", "Rovastar & Idiot24-7 - Balk Acid", 0.95},
};

struct session {
    const char *shared;
    const char *out; /* NULL: pictures are not written */
    struct preset preset;
    struct rend_patch *patch;
    struct rend *rend;
    struct app_audio *audio;
    uint32_t pixels[WIDTH * HEIGHT];
    uint32_t pair[2 * WIDTH * HEIGHT];
    double ours[CELLS];
    double theirs[CELLS];
};

/* ---- comparing ---- */

static int channel(uint32_t pixel, unsigned shift)
{
    return (int)(pixel >> shift & 255);
}

/* Mean over all channels, of 255. */
static double difference_of(const uint32_t *a, const uint32_t *b)
{
    long sum = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        for (unsigned shift = 0; shift < 24; shift += 8) {
            sum += abs(channel(a[i], shift) - channel(b[i], shift));
        }
    }
    return (double)sum / (3.0 * WIDTH * HEIGHT);
}

/* How bright the cells are, less what they are on average. */
static void survey(double cells[CELLS], const uint32_t *pixels)
{
    double mean = 0;
    memset(cells, 0, CELLS * sizeof *cells);
    for (size_t y = 0; y < HEIGHT; y++) {
        for (size_t x = 0; x < WIDTH; x++) {
            const uint32_t pixel = pixels[y * WIDTH + x];
            const int sum = channel(pixel, 0) + channel(pixel, 8) + channel(pixel, 16);
            cells[y / CELL * COLUMNS + x / CELL] += sum;
            mean += (double)sum / CELLS;
        }
    }
    for (size_t i = 0; i < CELLS; i++) {
        cells[i] -= mean;
    }
}

static double product(const double a[CELLS], const double b[CELLS])
{
    double sum = 0;
    for (size_t i = 0; i < CELLS; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Correlation of the brightness of cells. */
static double likeness_of(struct session *session, const uint32_t *theirs)
{
    survey(session->ours, session->pixels);
    survey(session->theirs, theirs);
    const double scale =
        product(session->ours, session->ours) * product(session->theirs, session->theirs);
    return scale > 0 ? product(session->ours, session->theirs) / sqrt(scale) : 0;
}

/* ---- rendering ---- */

static bool set_up(struct session *session, const struct reference *reference)
{
    const struct base_diag_sink *sink = &base_diag_stderr;
    const struct rend_config config = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .mesh_x = 32,
                                       .mesh_y = 24,
                                       .fps = HEARD_FPS,
                                       .cpu = base_cpu_best()};
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/presets/reference/%s.milk", session->shared,
                   reference->preset);
    return preset_read_file(&session->preset, path, sink) == 0 &&
           (session->patch = rend_patch_create(&session->preset, NULL, sink)) != NULL &&
           (session->rend = rend_create(&config)) != NULL &&
           rend_load(session->rend, session->patch, 0, sink) == 0 &&
           (session->audio = app_audio_open("test", sink)) != NULL;
}

static void tear_down(struct session *session)
{
    app_audio_close(session->audio);
    if (session->rend != NULL) {
        rend_free(session->rend);
    }
    rend_patch_free(session->patch);
    preset_free(&session->preset);
    session->audio = NULL;
    session->rend = NULL;
    session->patch = NULL;
    session->preset = (struct preset){0};
}

/* ---- pictures ---- */

static int write_pair(struct session *session, const struct reference *reference, unsigned frame,
                      const uint32_t *theirs)
{
    char path[PATH];
    const struct app_video_format format = {
        .width = 2 * WIDTH, .height = HEIGHT, .rate = {HEARD_FPS, 1}};
    (void)snprintf(path, sizeof path, "%s/%s_%04u.png", session->out, reference->picture, frame);
    for (size_t y = 0; y < HEIGHT; y++) {
        uint32_t *row = session->pair + 2 * WIDTH * y;
        memcpy(row, session->pixels + WIDTH * y, WIDTH * sizeof *row);
        memcpy(row + WIDTH, theirs + WIDTH * y, WIDTH * sizeof *row);
    }
    struct app_video *video = app_video_open(path, &format, &base_diag_stderr);
    if (video == NULL) {
        return -1;
    }
    if (app_video_frame(video, session->pair) != 0) {
        app_video_discard(video);
        return -1;
    }
    return app_video_finish(video);
}

/* Prints how the frame compares; -1 if it cannot be, or is not alike enough. */
static int compare(struct session *session, const struct reference *reference, unsigned frame)
{
    char path[PATH];
    struct rend_picture theirs;
    (void)snprintf(path, sizeof path, "%s/reference_frames/%s_%04u.png", session->shared,
                   reference->picture, frame);
    if (app_picture_read(path, 0, REND_MEMORY, &theirs, NULL, &base_diag_stderr) != 0) {
        return -1;
    }
    int result = -1;
    if (theirs.width == WIDTH && theirs.height == HEIGHT) {
        const double likeness = likeness_of(session, theirs.pixels);
        const bool alike = frame != EARLY || likeness >= reference->likeness;
        (void)printf("%-38s frame %3u: mean difference %5.2f of 255, likeness %.3f%s\n",
                     reference->preset, frame, difference_of(session->pixels, theirs.pixels),
                     likeness, alike ? "" : ": too little");
        result = alike ? 0 : -1;
    }
    if (session->out != NULL && write_pair(session, reference, frame, theirs.pixels) != 0) {
        result = -1;
    }
    free(theirs.pixels);
    return result;
}

static int check(struct session *session, const struct reference *reference)
{
    int result = set_up(session, reference) ? 0 : -1;
    for (unsigned frame = 1; session->audio != NULL && frame <= LATE; frame++) {
        heard_step(session->rend, session->audio, frame, session->pixels, WIDTH);
        if (frame == EARLY || frame == LATE) {
            result |= compare(session, reference, frame);
        }
    }
    tear_down(session);
    return result;
}

static bool there_are_pictures(const char *shared)
{
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/reference_frames", shared);
    return access(path, R_OK) == 0;
}

int main(int argc, char **argv)
{
    (void)app_apart_begin();
    const char *shared = getenv("FROTH_SHARED");
    if (shared == NULL || *shared == '\0' || !there_are_pictures(shared)) {
        (void)printf("skipped: FROTH_SHARED names no folder with reference frames\n");
        return SKIPPED;
    }
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return EXIT_FAILURE;
    }
    session->shared = shared;
    session->out = argc == 3 && strcmp(argv[1], "--out") == 0 ? argv[2] : NULL;
    int result = 0;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        result |= check(session, &references[i]);
    }
    free(session);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
