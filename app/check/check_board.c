#include <stdlib.h>

#include "app/board/estimate.h"
#include "app/board/inputs.h"
#include "app/check/check.h"
#include "base/os/clock.h"
#include "board/host/host.h"
#include "presets/presets.h"

enum { PIXELS = BOARD_WIDTH * BOARD_HEIGHT };

struct run {
    const struct app_check_settings *settings;
    const char *path;
    struct app_check_talk talk;
    struct base_diag_sink sink;
    struct preset preset;
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    struct app_board_sound sound;
    uint32_t *pixels;
    int16_t samples[2 * BOARD_SAMPLES];
    struct app_check_figures figures;
};

static int prepare(struct run *run)
{
    run->sound.audio = app_audio_open(run->settings->audio, &run->sink);
    if (run->sound.audio == NULL) {
        return -1;
    }
    run->host = board_host_create(run->settings->cpu);
    run->board = calloc(1, sizeof *run->board);
    run->pixels = calloc(PIXELS, sizeof *run->pixels);
    if (run->host == NULL || run->board == NULL || run->pixels == NULL ||
        board_host_take(run->host, run->loaded) != 0) {
        base_report(&run->sink, BASE_ERROR, (struct base_place){.file = run->path}, NULL,
                    "not enough memory");
        return -1;
    }
    board_init(run->board, board_host_units(run->host), (uint32_t)run->settings->fps);
    (void)board_load(run->board, &run->loaded->patch);
    return 0;
}

static void draw_all(struct run *run)
{
    const uint64_t frames = run->settings->frames;
    struct app_check_watch watch = {0};
    const double start = app_check_milliseconds();
    for (uint64_t frame = 1; frame <= frames; frame++) {
        const uint32_t count = BOARD_RATE / (uint32_t)run->settings->fps;
        const struct board_input input = {.samples = run->samples, .sample_count = count};
        app_board_sound_read(&run->sound, run->samples, count);
        board_step(run->board, &input);
        if (frame > frames / 2) {
            board_host_show(run->host, run->pixels, BOARD_WIDTH);
            app_check_watch_picture(&watch, run->pixels, PIXELS);
        }
    }
    run->figures.frame_ms = (app_check_milliseconds() - start) / (double)frames;
    run->figures.black = !watch.seen;
    run->figures.frozen = watch.pictures > 1 && !watch.changed;
}

/* With the mesh of the last frame, whose rows the host's has the other way round. */
static void account(struct run *run)
{
    enum { SIDE = BOARD_MESH + 1 };
    static const float texture = BOARD_SIDE << BOARD_MAPPER_FRACTION;
    struct tmu_vertex vertices[SIDE * SIDE];
    struct app_board_estimate estimate;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const struct board_mapper_vertex *from = &run->board->mesh[y * BOARD_MAPPER_PITCH + x];
            vertices[(SIDE - 1 - y) * SIDE + x] =
                (struct tmu_vertex){(float)from->x / texture, (float)from->y / texture};
        }
    }
    app_board_estimate_make(&estimate, &run->preset,
                            &(struct tmu_mesh){vertices, BOARD_MESH, BOARD_MESH});
    run->figures.board = (struct app_check_board){
        .fps = estimate.fps,
        .cpu_equations = estimate.processor_equations,
        .pfpu_cycles = estimate.cycles_per_frame,
        .tmu_cycles = estimate.mapper_cycles,
        .cpu_cycles = estimate.processor_cycles,
        .texel_hits = estimate.hits,
        .occupancy = estimate.occupancy,
        .bandwidth = estimate.bandwidth,
    };
}

/* What the reader warns of concerns the file; what the compiler warns of is not drawn. */
static enum app_check_status check(struct run *run)
{
    const double start = base_clock_seconds();
    if (preset_read_file(&run->preset, run->path, &run->sink) != 0) {
        return APP_CHECK_ERROR;
    }
    const size_t warnings = run->talk.warnings;
    run->loaded = board_patch_create(NULL, &run->preset, (unsigned)run->settings->fps,
                                     run->settings->seed, &run->sink);
    run->figures.load_ms = (base_clock_seconds() - start) * 1e3;
    if (run->loaded == NULL) {
        return APP_CHECK_REFUSED;
    }
    const bool whole = run->talk.warnings == warnings;
    if (prepare(run) != 0) {
        return APP_CHECK_ERROR;
    }
    draw_all(run);
    account(run);
    return whole ? APP_CHECK_OK : APP_CHECK_DEGRADED;
}

void app_check_run_board(const struct app_check_settings *settings, const char *path, int out)
{
    struct run run = {.settings = settings, .path = path, .talk = {.out = out}};
    run.sink = app_check_talk_sink(&run.talk);
    const enum app_check_status status = check(&run);
    app_check_talk_end(&run.talk);
    app_check_send_outcome(out, status, &run.figures);
    app_audio_close(run.sound.audio);
    board_host_free(run.host);
    board_patch_free(run.loaded);
    preset_free(&run.preset);
    free(run.board);
    free(run.pixels);
}
