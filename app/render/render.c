/* froth render: the pictures of this machine, or of the Milkymist One. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/board/inputs.h"
#include "app/board/pictures.h"
#include "app/control/control.h"
#include "app/device/device.h"
#include "app/light/recording.h"
#include "app/render/film.h"
#include "app/render/parts.h"
#include "app/render/set.h"
#include "app/set/set.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "board/host/host.h"
#include "board/step/program.h"
#include "presets/file.h"
#include "presets/presets.h"

static const struct base_place NOWHERE = {0};

/* ---- on this machine ---- */

/* Reads the sound on, and again from a place shortly before. */
enum { EAR_FRAMES = 1 << 15 };
struct ear {
    struct app_audio *audio;
    uint64_t at;   /* the next sample, */
    uint64_t read; /* and those that were read of the sound */
    float *kept;   /* the last EAR_FRAMES of these */
};

static size_t ear_read(struct ear *ear, float *samples, size_t frames)
{
    size_t got = 0;
    for (; got < frames && ear->at < ear->read; got++, ear->at++) {
        memcpy(samples + 2 * got, ear->kept + 2 * (ear->at % EAR_FRAMES), 2 * sizeof *samples);
    }
    const size_t more =
        got < frames ? app_audio_read(ear->audio, samples + 2 * got, frames - got) : 0;
    for (size_t i = 0; i < more; i++, ear->at++, ear->read++) {
        memcpy(ear->kept + 2 * (ear->at % EAR_FRAMES), samples + 2 * (got + i),
               2 * sizeof *samples);
    }
    return got + more;
}

/* Goes to a sample, at most EAR_FRAMES back. */
static void ear_turn(struct ear *ear, uint64_t at)
{
    enum { BLOCK = 1024 };
    float samples[2 * BLOCK];
    ear->at = at < ear->at ? at : ear->at;
    while (ear->at < at) {
        const uint64_t left = at - ear->at;
        if (ear_read(ear, samples, left < BLOCK ? (size_t)left : BLOCK) == 0) {
            break; /* the sound has ended */
        }
    }
}

/* Everything that belongs to one rendering. All zero at first, so that it can be freed however far
 * preparing it came. */
struct rendering {
    const struct app_options *options;
    struct app_film film;
    struct app_running_order order;
    struct app_textures textures;
    struct app_scene scene; /* the one that is being drawn */
    froth *show;
    struct engine_device *device; /* NULL: the processor */
    bool begun;                   /* there is a preset that plays */
    struct ear ear;
    struct app_piece piece;
    struct app_light_film *light;
    bool changes;    /* a preset comes with the next picture */
    bool began;      /* one came with the last picture */
    uint32_t *black; /* a picture for blackouts, if light may call for them */
    uint32_t *pixels[APP_FILM_PICTURES_BROUGHT]; /* by turns */
    size_t turns;                                /* so many of them */
    size_t newest;                               /* of them the one with the last step, */
    size_t next;                                 /* and that of the next one */
    bool stays;                                  /* the newest picture, on the device */
    struct app_stage_times times;                /* if they are wanted */
    struct app_time from;                        /* when the step began */
};

static void count_step(void *user, unsigned events)
{
    struct rendering *rendering = user;
    if (rendering->options->stage_times) {
        app_stage_times_count(&rendering->times, rendering->from);
        rendering->from = app_stage_times_now(&rendering->times);
    }
    app_scene_warn(&rendering->scene, events, &rendering->film.sink);
}

/* In place of one that there was. */
static int open_show(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    struct froth_config config = app_show_config(options, app_options_size(options));
    config.exact = 1;
    froth_free(rendering->show);
    rendering->textures = (struct app_textures){options->textures, NULL};
    const struct rend_pictures pictures = app_pictures_of(&rendering->textures, options);
    const struct instance_extras extras = {
        .cpu = app_options_cpu(options),
        .device = engine_device_stages(rendering->device),
        .observer = options->stage_times ? &rendering->times.observer : NULL,
        .sink = &rendering->film.sink,
        .pictures = &pictures,
        .in_place = true,
        .stepped = count_step,
        .user = rendering,
    };
    rendering->show = instance_create(&config, &extras, NULL);
    if (rendering->show != NULL && options->tempo > 0) {
        (void)froth_set(rendering->show, "tempo", options->tempo);
    }
    return rendering->show != NULL ? 0 : app_film_fail(&rendering->film, "not enough memory");
}

static int open_pictures(struct rendering *rendering)
{
    const size_t count = (size_t)rendering->film.width * (size_t)rendering->film.height;
    bool good = true;
    rendering->turns = rendering->device != NULL ? APP_FILM_PICTURES_BROUGHT : APP_FILM_PICTURES;
    for (size_t i = 0; i < rendering->turns; i++) {
        rendering->pixels[i] = calloc(count, sizeof(uint32_t));
        good = good && rendering->pixels[i] != NULL;
    }
    rendering->black = rendering->light != NULL ? calloc(count, sizeof *rendering->black) : NULL;
    good = good && (rendering->light == NULL || rendering->black != NULL);
    return good ? 0 : app_film_fail(&rendering->film, "not enough memory");
}

/* A show of its own from this frame on, which hears from there. */
static int begin_anew(struct rendering *rendering, uint64_t frame)
{
    const size_t count = (size_t)rendering->film.width * (size_t)rendering->film.height;
    rendering->newest = rendering->next;
    rendering->stays = false;
    memset(rendering->pixels[rendering->newest], 0, count * sizeof(uint32_t));
    ear_turn(&rendering->ear, engine_rate_samples(rendering->film.rate, frame));
    return open_show(rendering);
}

/* What a piece says of the presets in it; one that began before it begins there. */
static int note_scene(struct rendering *rendering, uint64_t frame)
{
    const struct app_film *film = &rendering->film;
    struct app_piece *piece = film->piece;
    char name[256];
    if (piece == NULL || rendering->scene.end <= film->first || frame >= film->end) {
        return 0;
    }
    app_scene_name(rendering->scene.path, name, sizeof name);
    return app_piece_begin(piece, frame > film->first ? frame : film->first, name) == 0
               ? 0
               : app_film_fail(film, "not enough memory");
}

/* Loads the scene that begins with this frame (from 0), if one does. When no other loads, or there
 * is no memory for it, the former one goes on; only the first must load. */
static int change_scene(struct rendering *rendering, uint64_t frame)
{
    struct app_scene *scene = &rendering->scene;
    if (frame < scene->end) {
        return 0;
    }
    if (rendering->options->clean_start && rendering->begun && begin_anew(rendering, frame) != 0) {
        return -1;
    }
    if (app_scene_load(&rendering->order, rendering->show, frame, scene, &rendering->film.sink) ==
        0) {
        rendering->begun = true;
        rendering->changes = true;
        app_film_name(&rendering->film, frame, scene->path);
        return note_scene(rendering, frame);
    }
    scene->end = rendering->film.frames;
    return rendering->begun
               ? 0
               : app_film_fail(&rendering->film,
                               base_stop_wanted() ? "stopped" : "there is no preset to render");
}

/* Goes on to the last clean start before what is kept. */
static int skip(struct rendering *rendering)
{
    struct app_film *film = &rendering->film;
    while (rendering->options->clean_start && rendering->scene.end <= film->first) {
        film->drawn_from = rendering->scene.end;
        if (change_scene(rendering, film->drawn_from) != 0) {
            return -1;
        }
    }
    return 0;
}

static int open_ear(struct rendering *rendering)
{
    rendering->ear.audio = rendering->film.audio;
    rendering->ear.kept = malloc(2 * EAR_FRAMES * sizeof *rendering->ear.kept);
    return rendering->ear.kept != NULL ? 0 : app_film_fail(&rendering->film, "not enough memory");
}

static int prepare(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    if (options->stage_times) {
        app_stage_times_begin(&rendering->times);
    }
    const bool cut = options->segment != NULL || options->checkpoint_every > 0;
    rendering->film.piece = cut ? &rendering->piece : NULL;
    if (app_film_open(&rendering->film, options, app_options_size(options),
                      app_options_fps(options)) != 0 ||
        app_light_film_open(&rendering->light, options, &rendering->film.sink) != 0 ||
        app_running_order_open(&rendering->order, options, rendering->film.rate,
                               rendering->film.frames, &rendering->film.sink) != 0 ||
        (rendering->film.piece != NULL &&
         app_piece_inputs(options, &rendering->order.list, &rendering->piece.inputs,
                          &rendering->film.sink) != 0) ||
        app_device_open(options, &rendering->device, &rendering->film.sink) != 0 ||
        open_ear(rendering) != 0 || open_pictures(rendering) != 0 || open_show(rendering) != 0 ||
        change_scene(rendering, 0) != 0 || skip(rendering) != 0) {
        return -1;
    }
    const struct app_running_order *order = &rendering->order;
    const size_t presets = order->list.count;
    const double seconds = engine_rate_seconds(rendering->film.rate, rendering->film.frames);
    if (!order->timed && presets > 1 && seconds < (double)presets) {
        base_report(&rendering->film.sink, BASE_NOTE, NOWHERE, "--duration makes it longer",
                    "%zu presets share %.3g second%s, less than one each", presets, seconds,
                    seconds == 1 ? "" : "s");
    } else if (options->advance > 0 && order->fixed_total > rendering->film.frames) {
        base_report(&rendering->film.sink, BASE_NOTE, NOWHERE, "--duration makes it longer",
                    "the film ends before all of its %zu presets were shown", presets);
    }
    return 0;
}

/* All samples that the next picture hears. */
static void feed(struct rendering *rendering)
{
    enum { BLOCK = 1024 };
    float samples[2 * BLOCK];
    size_t wanted = froth_sound_wanted(rendering->show);
    for (; wanted > 0; wanted = froth_sound_wanted(rendering->show)) {
        const size_t most = wanted < BLOCK ? wanted : BLOCK;
        const size_t got = ear_read(&rendering->ear, samples, most);
        (void)froth_add_sound_float(rendering->show, samples, got, 2, APP_AUDIO_RATE);
        if (got < most) {
            (void)froth_end_sound(rendering->show);
            app_film_check_sound(&rendering->film);
        }
    }
}

/* ---- what light asks for ---- */

static void obey(void *user, const struct engine_call *call)
{
    struct rendering *rendering = user;
    if (call->command == ENGINE_COMMAND_NEXT || call->command == ENGINE_COMMAND_CUT) {
        rendering->scene.end = 0;
    } else if (call->command < ENGINE_COMMAND_COUNT) {
        (void)engine_obey(instance_engine(rendering->show), call);
    }
}

static void set(void *user, unsigned value, double number)
{
    struct rendering *rendering = user;
    struct engine_call call;
    if (value >= APP_VALUE_KEYS) {
        (void)engine_put(instance_engine(rendering->show),
                         base_span_of(preset_keys[value - APP_VALUE_KEYS].key), number);
    } else if (app_value_call(value, number, &call)) {
        obey(rendering, &call);
    }
}

/* What has come until this frame (from 0). A preset that begins is there with its first picture,
 * and what a map makes of light behind that. */
static void follow_light(struct rendering *rendering, uint64_t frame)
{
    const struct app_light_audience audience = {rendering, set, obey};
    const double seconds =
        app_film_start(rendering->options) + engine_rate_seconds(rendering->film.rate, frame);
    const uint8_t *levels =
        app_light_film_until(rendering->light, seconds, rendering->changes ? NULL : &audience);
    if (levels != NULL) {
        (void)froth_set_dmx(rendering->show, levels, ENGINE_DMX_CHANNELS);
    }
    rendering->began = rendering->changes;
    rendering->changes = false;
}

/* The picture of the next frame. A device's may be fetched later, if it is kept. */
static int paint(struct rendering *rendering, bool kept)
{
    const struct app_film *film = &rendering->film;
    struct engine *engine = instance_engine(rendering->show);
    const struct froth_picture picture = {
        .pixels = rendering->pixels[rendering->next],
        .stride = (size_t)film->width * sizeof(uint32_t),
        .width = film->width,
        .height = film->height,
        .format = FROTH_BGRX,
    };
    const bool draws = engine_draws(engine, froth_frame(rendering->show) + 1);
    engine_let_stay(engine, rendering->device != NULL, kept);
    if (rendering->options->stage_times) {
        rendering->from = app_stage_times_now(&rendering->times);
    }
    const int result = froth_render(rendering->show, &picture);
    if (draws) {
        rendering->newest = rendering->next;
        rendering->stays = engine_picture_stays(engine);
    }
    engine_device_watch(rendering->device, &film->sink);
    return result == FROTH_OK ? 0 : app_film_fail(film, froth_result_text(result));
}

static const uint32_t *draw(void *user, uint64_t number)
{
    struct rendering *rendering = user;
    rendering->next = (rendering->newest + 1) % rendering->turns;
    if (change_scene(rendering, number - 1) != 0) {
        return NULL;
    }
    follow_light(rendering, number - 1);
    if (change_scene(rendering, number - 1) != 0) {
        return NULL;
    }
    feed(rendering);
    if (paint(rendering, number > rendering->film.first) != 0) {
        return NULL;
    }
    const bool dark = engine_state(instance_engine(rendering->show))->blackout;
    return dark && rendering->black != NULL ? rendering->black
                                            : rendering->pixels[rendering->newest];
}

static void bring(void *user)
{
    struct rendering *rendering = user;
    if (!rendering->stays) {
        return;
    }
    if (rendering->options->stage_times) {
        rendering->from = app_stage_times_now(&rendering->times);
    }
    engine_fetch(instance_engine(rendering->show), rendering->pixels[rendering->newest],
                 (size_t)rendering->film.width);
    rendering->stays = false;
    if (rendering->options->stage_times) {
        app_stage_times_count_more(&rendering->times, rendering->from);
    }
    engine_device_watch(rendering->device, &rendering->film.sink);
}

/* ---- checkpoints ---- */

static int begin_part(void *user)
{
    struct rendering *rendering = user;
    return note_scene(rendering, rendering->film.first);
}

static int save(void *user, struct app_piece_stand *stand, uint8_t **bytes, size_t *size)
{
    struct rendering *rendering = user;
    const struct app_running_order *order = &rendering->order;
    const struct app_scene *scene = &rendering->scene;
    stand->incomplete = order->incomplete;
    stand->begins = rendering->began;
    while (order->list.items[stand->item].path != scene->path) {
        stand->item++;
    }
    stand->began = scene->begin;
    stand->end = scene->end;
    stand->warned = scene->warned;
    stand->lines[0] = scene->lines[0];
    stand->lines[1] = scene->lines[1];
    stand->turns = app_running_order_turns(order);
    stand->heard = rendering->ear.at;
    return app_set_state_take(rendering->show, bytes, size) == 0
               ? 0
               : app_film_fail(&rendering->film, "not enough memory for a checkpoint");
}

static void ignore_value(void *user, unsigned value, double number)
{
    (void)user;
    (void)value;
    (void)number;
}

static void ignore_call(void *user, const struct engine_call *call)
{
    (void)user;
    (void)call;
}

/* Hears and sees again what came before a frame. */
static void catch_up(struct rendering *rendering, uint64_t frame,
                     const struct app_piece_stand *stand)
{
    const double start = app_film_start(rendering->options);
    const struct engine_rate rate = rendering->film.rate;
    const struct app_light_audience audience = {NULL, ignore_value, ignore_call};
    ear_turn(&rendering->ear, stand->heard);
    /* Whoever was told nothing with a preset's first picture is told with the next one. */
    if (!stand->begins || frame > 1) {
        const uint64_t told = stand->begins ? frame - 2 : frame - 1;
        (void)app_light_film_until(rendering->light, start + engine_rate_seconds(rate, told),
                                   &audience);
    }
    rendering->changes = false;
}

static int restore(void *user, uint64_t frame, const struct app_piece_stand *stand,
                   const uint8_t *bytes, size_t size)
{
    struct rendering *rendering = user;
    struct app_running_order *order = &rendering->order;
    if (stand->item >= order->list.count || stand->began >= frame || stand->turns == 0 ||
        !app_running_order_turn(order, stand->turns)) {
        return -1;
    }
    /* One that is refused leaves the show with the first preset. */
    froth *before = rendering->show;
    rendering->show = NULL;
    if (open_show(rendering) != 0 || app_set_state_give(rendering->show, bytes, size, NULL) != 0) {
        froth_free(rendering->show);
        rendering->show = before;
        return -1;
    }
    froth_free(before);
    order->incomplete = stand->incomplete;
    rendering->scene = (struct app_scene){
        .path = order->list.items[stand->item].path,
        .begin = stand->began,
        .end = stand->end,
        .warned = (unsigned)stand->warned,
        .lines = {(unsigned)stand->lines[0], (unsigned)stand->lines[1]},
    };
    app_film_name(&rendering->film, stand->began, rendering->scene.path);
    catch_up(rendering, frame, stand);
    return 0;
}

static int make_film(struct rendering *rendering)
{
    const double seconds = rendering->options->checkpoint_every;
    const struct app_film_painter painter = {draw, rendering->device != NULL ? bring : NULL,
                                             rendering};
    const struct app_parts_work work = {
        .film = &rendering->film,
        .painter = &painter,
        .begin = begin_part,
        .save = save,
        .restore = restore,
        .user = rendering,
    };
    const uint64_t every = seconds > 0 ? engine_rate_frames(rendering->film.rate, seconds) : 0;
    return seconds > 0 ? app_parts_make(&work, every > 0 ? every : 1)
                       : app_film_make(&rendering->film, &painter);
}

static int render_on_host(const struct app_options *options)
{
    struct rendering rendering = {.options = options};
    int result = prepare(&rendering);
    if (result == 0) {
        result = make_film(&rendering);
        app_stage_times_print(&rendering.times, stderr);
        if (options->stage_times) {
            app_device_print_account(stderr, rendering.device);
        }
        const int complete = app_running_order_check(&rendering.order, &rendering.film.sink);
        result = result == 0 ? complete : result;
    }
    froth_free(rendering.show);
    app_device_close(rendering.device, &rendering.film.sink);
    app_running_order_close(&rendering.order);
    app_film_close(&rendering.film);
    app_light_film_close(rendering.light);
    free(rendering.black);
    for (size_t i = 0; i < rendering.turns; i++) {
        free(rendering.pixels[i]);
    }
    free(rendering.ear.kept);
    app_piece_free(&rendering.piece);
    return result;
}

/* ---- as the Milkymist One draws ---- */

enum { WIDTH = BOARD_WIDTH, HEIGHT = BOARD_HEIGHT };

/* Zero until it is prepared, so that freeing needs no order. */
struct board_rendering {
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
    struct app_light_film *light;
    uint32_t controls[BOARD_CONTROLS];   /* words of the DMX inputs and of osc1 to osc4 */
    uint32_t *pixels[APP_FILM_PICTURES]; /* by turns */
    int16_t samples[2 * BOARD_SAMPLES];
};

/* The next preset that loads, where one ends. When there is none the former one goes on; only the
 * first must load. */
static int change_preset(struct board_rendering *rendering, uint64_t frame)
{
    struct app_turn turn;
    while (frame >= rendering->end && !base_stop_wanted() &&
           app_running_order_next(&rendering->order, frame, &turn)) {
        struct preset preset;
        struct board_loaded *loaded = NULL;
        if (preset_read_file(&preset, turn.path, &rendering->film.sink) == 0) {
            loaded = board_patch_create(NULL, &preset, rendering->fps, rendering->options->seed,
                                        &rendering->film.sink);
            preset_free(&preset);
        }
        if (loaded != NULL) {
            const struct app_textures textures = {.folder = rendering->options->textures};
            rendering->end = frame + turn.frames;
            app_film_name(&rendering->film, frame, turn.path);
            app_board_pictures_load(rendering->host, loaded, turn.path, &textures,
                                    &rendering->film.sink);
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

static int prepare_board(struct board_rendering *rendering)
{
    const struct app_size size = {WIDTH, HEIGHT};
    const struct engine_rate rate = {rendering->fps, 1};
    if (app_film_open(&rendering->film, rendering->options, size, rate) != 0 ||
        app_light_film_open(&rendering->light, rendering->options, &rendering->film.sink) != 0 ||
        app_running_order_open(&rendering->order, rendering->options, rate, rendering->film.frames,
                               &rendering->film.sink) != 0) {
        return -1;
    }
    rendering->host = board_host_create(app_options_cpu(rendering->options));
    rendering->board = calloc(1, sizeof *rendering->board);
    bool good = rendering->host != NULL && rendering->board != NULL;
    for (size_t i = 0; i < APP_FILM_PICTURES; i++) {
        rendering->pixels[i] = calloc((size_t)WIDTH * HEIGHT, sizeof(uint32_t));
        good = good && rendering->pixels[i] != NULL;
    }
    if (!good) {
        return app_film_fail(&rendering->film, "not enough memory");
    }
    board_init(rendering->board, board_host_units(rendering->host), rendering->fps);
    rendering->sound.audio = rendering->film.audio;
    return change_preset(rendering, 0);
}

static void hear_midi(void *user, uint8_t byte)
{
    struct board_rendering *rendering = user;
    board_midi_hear(&rendering->midi, byte);
}

static void hear_light(void *user, unsigned channel, uint8_t level)
{
    struct board_rendering *rendering = user;
    if (channel < BOARD_DMX) {
        rendering->controls[channel] = board_word(((int64_t)level << 24) / UINT8_MAX, 24);
    }
}

static void hear_osc(void *user, unsigned number, uint32_t word)
{
    struct board_rendering *rendering = user;
    rendering->controls[BOARD_DMX + number] = word;
}

static const uint32_t *draw_board(void *user, uint64_t number)
{
    struct board_rendering *rendering = user;
    const uint32_t count = BOARD_RATE / rendering->fps;
    const struct app_board_listener listener = {rendering, hear_midi, hear_light, hear_osc};
    if (change_preset(rendering, number - 1) != 0) {
        return NULL;
    }
    const uint8_t *levels = app_light_film_until(
        rendering->light,
        app_film_start(rendering->options) + (double)(number - 1) / (double)rendering->fps, NULL);
    for (unsigned i = 0; levels != NULL && i < BOARD_DMX; i++) {
        hear_light(rendering, i, levels[i]);
    }
    app_board_inputs_hear(&rendering->options->at, &listener, rendering->board->clock.frame);
    struct board_input input = {.samples = rendering->samples,
                                .sample_count = count,
                                .settings = rendering->midi.settings,
                                .setting_count = rendering->midi.setting_count};
    memcpy(input.controls, rendering->controls, sizeof rendering->controls);
    app_board_sound_read(&rendering->sound, rendering->samples, count);
    app_film_check_sound(&rendering->film);
    board_step(rendering->board, &input);
    uint32_t *pixels = rendering->pixels[number % APP_FILM_PICTURES];
    board_host_show(rendering->host, pixels, WIDTH);
    return pixels;
}

static int render_on_board(const struct app_options *options)
{
    struct board_rendering rendering = {.options = options, .fps = app_render_board_fps(options)};
    int result = prepare_board(&rendering);
    if (result == 0) {
        const struct app_film_painter painter = {draw_board, NULL, &rendering};
        result = app_film_make(&rendering.film, &painter);
        const int complete = app_running_order_check(&rendering.order, &rendering.film.sink);
        result = result == 0 ? complete : result;
    }
    board_patch_free(rendering.loaded);
    board_host_free(rendering.host);
    app_running_order_close(&rendering.order);
    app_film_close(&rendering.film);
    app_light_film_close(rendering.light);
    free(rendering.board);
    for (size_t i = 0; i < APP_FILM_PICTURES; i++) {
        free(rendering.pixels[i]);
    }
    return result;
}

/* ---- the command ---- */

static bool is_piece(const struct app_options *options)
{
    uint64_t piece;
    uint64_t pieces;
    const char *dot = options->output != NULL ? strrchr(options->output, '.') : NULL;
    return app_piece_share(options->segment, &piece, &pieces) &&
           (options->output == NULL || (dot != NULL && strcmp(dot, ".ts") == 0));
}

static int check_usage(const struct app_options *options)
{
    const char *what = NULL;
    const char *hint = "see 'froth help render'";
    if (options->input_count == 0) {
        what = "render needs a preset or a folder of presets";
    } else if (options->output == NULL && !options->hash) {
        what = "render needs an output";
        hint = "give it with -o OUT, or ask for --hash";
    } else if (options->hash && options->output != NULL && strcmp(options->output, "-") == 0) {
        what = "--hash and a video cannot both go to standard output";
        hint = "give a file with -o OUT";
    } else if (options->at.count > 0 && !app_render_is_for_board(options)) {
        what = "--at is for the board";
        hint = "--target milkymist-one";
    } else if ((options->from >= 0 || options->to >= 0 || options->as_shown ||
                options->snapshot != NULL) &&
               !app_render_is_set(options)) {
        what = "--from, --to, --as-shown and --snapshot are for a recorded set";
        hint = "name its folder; --start and --duration are for sounds";
    } else if ((options->segment != NULL || options->clean_start) &&
               (app_render_is_set(options) || app_render_is_for_board(options))) {
        what = "--segment and --clean-start are for presets that this machine draws";
    } else if (options->checkpoint_every > 0 &&
               (app_render_is_set(options) || app_render_is_for_board(options) ||
                options->segment != NULL || options->output == NULL ||
                !app_video_joins(options->output))) {
        what = "--checkpoint-every is for a whole film of presets that this machine draws";
        hint = "-o film.mp4; also .mov and .mkv";
    } else if (options->clean_start && options->light_recording != NULL) {
        what = "light goes on where --clean-start begins anew";
        hint = "leave one of them out";
    } else if (options->segment != NULL && !is_piece(options)) {
        what = "--segment makes the Ith of N pieces, a file .ts";
        hint = "--segment 1/4 -o one.ts";
    } else if (options->light != NULL && options->light_recording == NULL) {
        what = "a film hears no network";
        hint = "--light-recording FILE";
    } else if (options->light != NULL && app_render_is_for_board(options)) {
        what = "the board has no map of light: its inputs are channels 1 to 8";
        hint = "leave out --light";
    }
    if (what != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "%s", what);
    }
    return what == NULL ? 0 : -1;
}

static int render_as_asked(const struct app_options *options)
{
    return app_render_is_set(options)         ? app_render_set(options)
           : app_render_is_for_board(options) ? render_on_board(options)
                                              : render_on_host(options);
}

int app_render(const struct app_options *options)
{
    const bool for_board = app_render_is_for_board(options);
    if (check_usage(options) != 0 || (for_board && app_render_board_check(options) != 0)) {
        return APP_EXIT_USAGE;
    }
    if (options->output != NULL &&
        app_video_settle(options->output, options->overwrite, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    struct base_stop stop;
    base_stop_begin(&stop);
    base_stop_in_two_steps();
    const int result = render_as_asked(options);
    base_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : result > 0 ? APP_EXIT_USAGE : APP_EXIT_FAILED;
}
