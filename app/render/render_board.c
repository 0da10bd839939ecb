#include "app/render/render_board.h"

#include <stdlib.h>
#include <string.h>

#include "app/board/inputs.h"
#include "app/render/film.h"
#include "app/render/running_order.h"
#include "base/os/stop.h"
#include "board/host/host.h"
#include "board/step/program.h"
#include "base/os/logger.h"
#include "presets/presets.h"

static const struct base_place NOWHERE = {0};

enum { WIDTH = BOARD_WIDTH, HEIGHT = BOARD_HEIGHT };

/* Zero until it is prepared, so that freeing needs no order. */
struct rendering {
    const struct app_options *options;
    struct app_film film;
    uint32_t fps;
    struct app_board_sound sound; /* the film's */
    struct app_running_order order;
    uint64_t end; /* the frame, from 0, before which the current one ends */
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    struct board_midi midi;
    uint32_t lights[BOARD_DMX]; /* words of the DMX inputs */
    uint32_t *pixels;
    int16_t samples[2 * BOARD_SAMPLES];
};

bool app_render_is_for_board(const struct app_options *options)
{
    return options->target != NULL && strcmp(options->target, "milkymist-one") == 0;
}

unsigned app_render_board_fps(const struct app_options *options)
{
    return options->fps > 0 ? (unsigned)options->fps : BOARD_FPS_MIN;
}

int app_render_board_check(const struct app_options *options)
{
    const double fps = options->fps > 0 ? options->fps : BOARD_FPS_MIN;
    const bool sized =
        options->size.width > 0 && (options->size.width != WIDTH || options->size.height != HEIGHT);
    const bool meshed = options->mesh.width > 0 &&
                        (options->mesh.width != BOARD_MESH || options->mesh.height != BOARD_MESH);
    const struct {
        bool is;
        const char *what;
        const char *hint;
    } wrongs[] = {
        {sized, "the board's pictures have 640x480 pixels", "leave --size out"},
        {fps != BOARD_FPS_MIN && fps != BOARD_FPS_MAX, "the board draws 24 or 30 frames per second",
         "--fps 24 or --fps 30"},
        {meshed, "the board's mesh has 32x32 squares", "leave --mesh out"},
        {options->step_rate > 0 || options->between != NULL, "the board draws each step once",
         "leave --step-rate and --between out"},
        {options->levels != NULL && strcmp(options->levels, "board") != 0,
         "the board measures with filters of its own", "leave --levels out"},
        {options->stage_times, "the board's stages are not timed", "leave --stage-times out"},
    };
    if (app_board_inputs_check_heard(&options->at, &base_diag_stderr) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        if (wrongs[i].is) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, wrongs[i].hint, "%s",
                        wrongs[i].what);
            return -1;
        }
    }
    return 0;
}

static int allocate(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    rendering->host = board_host_create(app_options_cpu(options));
    rendering->board = calloc(1, sizeof *rendering->board);
    rendering->pixels = calloc((size_t)WIDTH * HEIGHT, sizeof *rendering->pixels);
    if (rendering->host == NULL || rendering->board == NULL || rendering->pixels == NULL) {
        return app_film_fail(&rendering->film, "not enough memory");
    }
    board_init(rendering->board, board_host_units(rendering->host), rendering->fps);
    return 0;
}

static struct board_loaded *load(const struct rendering *rendering, const char *path)
{
    struct preset preset;
    if (preset_read_file(&preset, path, &rendering->film.sink) != 0) {
        return NULL;
    }
    struct board_loaded *loaded = board_patch_create(
        NULL, &preset, rendering->fps, rendering->options->seed, &rendering->film.sink);
    preset_free(&preset);
    return loaded;
}

/* The next preset that loads, where one ends. When there is none the former one goes on; only the
 * first must load. */
static int change_preset(struct rendering *rendering, uint64_t frame)
{
    struct app_turn turn;
    while (frame >= rendering->end && !base_stop_wanted() &&
           app_running_order_next(&rendering->order, frame, &turn)) {
        struct board_loaded *loaded = load(rendering, turn.path);
        if (loaded != NULL) {
            rendering->end = frame + turn.frames;
            if (board_host_take(rendering->host, loaded) != 0) {
                board_patch_free(loaded);
                return app_film_fail(&rendering->film, "not enough memory");
            }
            (void)board_load(rendering->board, &loaded->patch);
            board_midi_load(&rendering->midi, &loaded->patch);
            board_patch_free(rendering->loaded);
            rendering->loaded = loaded;
            return 0;
        }
        rendering->order.incomplete = true;
    }
    return rendering->loaded != NULL
               ? 0
               : app_film_fail(&rendering->film, "there is no preset to render");
}

static int prepare(struct rendering *rendering)
{
    const struct app_size size = {WIDTH, HEIGHT};
    const struct app_rate rate = {rendering->fps, 1};
    if (app_film_open(&rendering->film, rendering->options, size, rate) != 0 ||
        app_running_order_open(&rendering->order, rendering->options, rate, rendering->film.frames,
                               &rendering->film.sink) != 0 ||
        allocate(rendering) != 0) {
        return -1;
    }
    rendering->sound.audio = rendering->film.audio;
    return change_preset(rendering, 0);
}

static void release(struct rendering *rendering)
{
    board_patch_free(rendering->loaded);
    board_host_free(rendering->host);
    app_running_order_close(&rendering->order);
    app_film_close(&rendering->film);
    free(rendering->board);
    free(rendering->pixels);
}

static void hear_midi(void *user, uint8_t byte)
{
    struct rendering *rendering = user;
    board_midi_hear(&rendering->midi, byte);
}

static void hear_light(void *user, unsigned channel, uint8_t level)
{
    struct rendering *rendering = user;
    if (channel < BOARD_DMX) {
        rendering->lights[channel] = board_word(((int64_t)level << 24) / UINT8_MAX, 24);
    }
}

static const uint32_t *draw(void *user, uint64_t number)
{
    struct rendering *rendering = user;
    const uint32_t count = BOARD_RATE / rendering->fps;
    const struct app_board_listener listener = {rendering, hear_midi, hear_light};
    if (change_preset(rendering, number - 1) != 0) {
        return NULL;
    }
    app_board_inputs_hear(&rendering->options->at, &listener, rendering->board->clock.frame);
    struct board_input input = {.samples = rendering->samples,
                                .sample_count = count,
                                .settings = rendering->midi.settings,
                                .setting_count = rendering->midi.setting_count};
    memcpy(input.controls, rendering->lights, sizeof rendering->lights);
    app_board_sound_read(&rendering->sound, rendering->samples, count);
    app_film_check_sound(&rendering->film);
    board_step(rendering->board, &input);
    board_host_show(rendering->host, rendering->pixels, WIDTH);
    return rendering->pixels;
}

int app_render_board(const struct app_options *options)
{
    struct rendering rendering = {.options = options, .fps = app_render_board_fps(options)};
    int result = prepare(&rendering);
    if (result == 0) {
        result = app_film_make(&rendering.film, draw, &rendering);
        const int complete = app_running_order_check(&rendering.order, &rendering.film.sink);
        result = result == 0 ? complete : result;
    }
    release(&rendering);
    return result;
}
