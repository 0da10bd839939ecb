#include "app/render/film.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/board/inputs.h"
#include "app/io/picture.h"
#include "engine/picture.h"
#include "app/loading/loading.h"
#include "app/titles/titles.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "board/host/host.h"
#include "ui/overlay.h"

static const struct base_place NOWHERE = {0};

/* ---- the running order ---- */

static uint64_t frames_of(const struct app_running_order *order, const struct engine_item *item)
{
    const double seconds = item->seconds >= 0 ? item->seconds : order->usual;
    return seconds >= 0 ? engine_rate_frames(order->rate, seconds) : 0;
}

/* Who has a time of its own, and who shares what is left. */
static void count(struct app_running_order *order)
{
    for (size_t i = 0; i < order->list.count; i++) {
        const uint64_t frames = frames_of(order, &order->list.items[i]);
        order->timed = order->timed || frames > 0;
        order->fixed_total += frames;
        order->shared_total += frames == 0;
    }
}

static void shuffle(size_t *turns, size_t count, struct base_rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = base_rng_next(rng) % i;
        const size_t turn = turns[i - 1];
        turns[i - 1] = turns[other];
        turns[other] = turn;
    }
}

/* The turns of a round are made of its number alone. By chance the presets fall into two halves,
 * and each round has those of the one before those of the other: so none comes before half of the
 * others were shown. */
static void set_turns(struct app_running_order *order)
{
    const size_t count = order->list.count;
    const size_t half = count / 2;
    struct base_rng rng;
    for (size_t i = 0; i < count; i++) {
        order->turns[i] = i;
    }
    if (order->shuffled) {
        base_rng_seed(&rng, order->seed, 0);
        shuffle(order->turns, count, &rng);
        base_rng_seed(&rng, order->seed, order->round + 1);
        shuffle(order->turns, half, &rng);
        shuffle(order->turns + half, count - half, &rng);
    }
}

static void begin_round(struct app_running_order *order, uint64_t round)
{
    order->round = round;
    set_turns(order);
    order->next = 0;
    order->fixed = order->fixed_total;
    order->shared = order->shared_total;
}

int app_running_order_open(struct app_running_order *order, const struct app_options *options,
                           struct engine_rate rate, uint64_t frames,
                           const struct base_diag_sink *sink)
{
    *order = (struct app_running_order){
        .rate = rate,
        .frames = frames,
        .at = UINT64_MAX,
        .usual = options->advance > 0 ? options->advance : -1,
        .shuffled = options->order != NULL && strcmp(options->order, "random") == 0,
        .seed = options->seed,
    };
    if (app_refuse_sounds(options, sink) != 0) {
        return -1;
    }
    for (size_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        /* What cannot be read is reported; the others are still to be seen. */
        (void)engine_order_add(&order->list, path, sink);
    }
    if (order->list.count == 0) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "there is no preset to render");
        return -1;
    }
    order->incomplete = order->list.incomplete;
    order->turns = calloc(order->list.count, sizeof *order->turns);
    if (order->turns == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return -1;
    }
    count(order);
    begin_round(order, 0);
    return 0;
}

void app_running_order_close(struct app_running_order *order)
{
    engine_order_free(&order->list);
    free(order->turns);
    *order = (struct app_running_order){0};
}

/* Takes the next turn, and what it leaves to the others. */
static const struct engine_item *take_turn(struct app_running_order *order)
{
    const struct engine_item *item = &order->list.items[order->turns[order->next]];
    const uint64_t own = frames_of(order, item);
    order->fixed -= own;
    order->shared -= own == 0;
    order->next++;
    return item;
}

uint64_t app_running_order_turns(const struct app_running_order *order)
{
    return order->round * order->list.count + order->next;
}

bool app_running_order_turn(struct app_running_order *order, uint64_t turns)
{
    const uint64_t count = order->list.count;
    if (turns > (order->timed ? order->frames * (count + 1) : count)) {
        return false;
    }
    begin_round(order, turns > 0 ? (turns - 1) / count : 0);
    while (app_running_order_turns(order) < turns) {
        (void)take_turn(order);
    }
    order->at = UINT64_MAX;
    return true;
}

bool app_running_order_next(struct app_running_order *order, uint64_t frame, struct app_turn *turn)
{
    assert(frame < order->frames);
    order->taken = frame == order->at ? order->taken : 0;
    order->at = frame;
    if (order->next == order->list.count && order->timed) {
        begin_round(order, order->round + 1);
    }
    if (order->next == order->list.count || order->taken++ == order->list.count) {
        return false;
    }
    /* Those without a time of their own share what is left. */
    const uint64_t left = order->frames - frame;
    const bool fits = order->fixed < left;
    const uint64_t frames = fits ? left - order->fixed : left;
    const uint64_t presets = fits ? order->shared : order->list.count - order->next;
    const struct engine_item *item = take_turn(order);
    const uint64_t own = frames_of(order, item);
    *turn = (struct app_turn){
        .path = item->path,
        .transition = item->transition,
        .frames = own > 0            ? own
                  : presets < frames ? frames / presets
                                     : 1,
    };
    return true;
}

int app_running_order_check(const struct app_running_order *order,
                            const struct base_diag_sink *sink)
{
    if (order->incomplete) {
        base_report(sink, BASE_ERROR, NOWHERE, "the messages before this say which",
                    "a preset is missing in what was rendered");
    }
    return order->incomplete ? -1 : 0;
}

/* ---- scenes ---- */

int app_scene_load(struct app_running_order *order, froth *show, uint64_t frame,
                   struct app_scene *scene, const struct base_diag_sink *sink)
{
    struct app_turn turn;
    while (!base_stop_wanted() && app_running_order_next(order, frame, &turn)) {
        const double seconds = engine_rate_seconds(order->rate, turn.frames);
        const struct rend_patch *patch = instance_load(show, turn.path, turn.transition, seconds);
        if (patch != NULL) {
            if (rend_patch_status(patch) == REND_PATCH_DEGRADED) {
                base_report(sink, BASE_WARNING, (struct base_place){.file = turn.path}, NULL,
                            "degraded: not everything of this preset is drawn");
            }
            *scene =
                (struct app_scene){.path = turn.path, .begin = frame, .end = frame + turn.frames};
            app_scene_describe(scene, patch);
            return 0;
        }
        order->incomplete = true;
    }
    return -1;
}

void app_scene_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    (void)snprintf(name, size, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
}

void app_scene_describe(struct app_scene *scene, const struct rend_patch *patch)
{
    scene->lines[0] = rend_patch_line(patch, REND_EVENT_WARP_COST);
    scene->lines[1] = rend_patch_line(patch, REND_EVENT_COMP_COST);
}

void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink)
{
    static const struct {
        enum rend_event event;
        const char *what;
    } texts[] = {
        {REND_EVENT_BUDGET, "the equations took too many operations and were ended early"},
        {REND_EVENT_MEMORY, "the memory of the equations is used up; writes are dropped"},
        {REND_EVENT_FILL,
         "shapes and lines covered more pixels than a frame may; the rest is left out"},
        {REND_EVENT_SHADER, "a loop of a shader took too many rounds and was ended early"},
        {REND_EVENT_WARP_COST,
         "too expensive: the warp shader costs more than a frame may; the rest of it stays black"},
        {REND_EVENT_COMP_COST, "too expensive: the composite shader costs more than a frame may; "
                               "the rest of it stays black"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (events & ~scene->warned & texts[i].event) {
            const unsigned line = texts[i].event == REND_EVENT_WARP_COST   ? scene->lines[0]
                                  : texts[i].event == REND_EVENT_COMP_COST ? scene->lines[1]
                                                                           : 0;
            base_report(sink, BASE_WARNING, (struct base_place){scene->path, line, line > 0}, NULL,
                        "%s", texts[i].what);
        }
    }
    scene->warned |= events;
}

/* ---- the film ---- */

static const double ENDLESS_SECONDS = 10; /* of a sound without an end */
static const double LONGEST_SECONDS = 1e6;
int app_film_fail(const struct app_film *film, const char *what)
{
    base_report(&film->sink, BASE_ERROR, NOWHERE, NULL, "%s", what);
    return -1;
}

double app_film_start(const struct app_options *options)
{
    return options->start > 0 ? options->start : 0;
}

static int open_sound(struct app_film *film)
{
    const double start = app_film_start(film->options);
    const struct base_place place = {.file = film->sound};
    film->audio = app_audio_open(film->sound, &film->sink);
    if (film->audio == NULL) {
        return -1;
    }
    const double seconds = app_audio_seconds(film->audio);
    if (seconds >= 0 && start > 0 && start >= seconds) {
        base_report(&film->sink, BASE_ERROR, place, NULL,
                    "--start is behind the end of the sound, which has %.3f seconds", seconds);
        return -1;
    }
    if (start > 0 && app_audio_seek(film->audio, (uint64_t)llround(start * APP_AUDIO_RATE)) != 0) {
        base_report(&film->sink, BASE_ERROR, place, NULL,
                    "cannot begin at that place of the sound");
        return -1;
    }
    return 0;
}

/* Whoever asks for a length may have mistaken that of the sound. */
static void warn_of_silence(const struct app_film *film)
{
    static const double heard = 0.5; /* seconds; less is the end of a song */
    const double sound = app_audio_seconds(film->audio) - app_film_start(film->options);
    const double seconds = engine_rate_seconds(film->rate, film->frames);
    if (app_audio_seconds(film->audio) >= 0 && sound + heard < seconds) {
        base_report(&film->sink, BASE_WARNING, (struct base_place){.file = film->sound}, NULL,
                    "the sound ends after %.1f of the film's %.1f seconds; silence follows", sound,
                    seconds);
    }
}

/* What --titles shows. */
static void open_card(struct app_film *film)
{
    const char *path = film->audio != NULL ? app_audio_path(film->audio) : NULL;
    if (app_options_titles(film->options) == UI_NAMES_NEVER) {
        return;
    }
    if (path == NULL) {
        base_report(&film->sink, BASE_NOTE, NOWHERE, "give a sound with --audio",
                    "there is no title of the built-in sound");
        return;
    }
    film->card = app_titles_of_file(path, film->width, film->height, &film->sink);
}

/* What is drawn over the pictures. Returns 0, or -1 with a message without memory. */
static int open_titles(struct app_film *film)
{
    const int names = app_options_names(film->options);
    open_card(film);
    film->next_begin = UINT64_MAX;
    if (names != UI_NAMES_NEVER) {
        film->overlay = ui_overlay_create(film->width, film->height, &film->sink);
        if (film->overlay == NULL) {
            return app_film_fail(film, "not enough memory");
        }
        ui_overlay_set_names(film->overlay, (enum ui_overlay_names)names);
    }
    if (film->card == NULL && film->overlay == NULL) {
        return 0;
    }
    const size_t size = (size_t)film->width * (size_t)film->height * sizeof(uint32_t);
    film->titled[0] = malloc(size);
    film->titled[1] = malloc(size);
    return film->titled[0] != NULL && film->titled[1] != NULL
               ? 0
               : app_film_fail(film, "not enough memory");
}

void app_film_name(struct app_film *film, uint64_t begin, const char *path)
{
    char name[256];
    if (film->overlay != NULL) {
        app_scene_name(path, name, sizeof name);
        ui_line_free(film->next_name);
        film->next_name = ui_overlay_name(film->overlay, name);
        film->next_begin = begin;
    }
}

/* A preset that begins with this frame, or has begun before, is named from now on. */
static void take_name(struct app_film *film, uint64_t number)
{
    if (film->next_begin < number) {
        ui_overlay_set_name(film->overlay, film->next_name);
        ui_line_free(film->name);
        film->name = film->next_name;
        film->next_name = NULL;
        ui_overlay_show_name(film->overlay, engine_rate_seconds(film->rate, film->next_begin));
        film->next_begin = UINT64_MAX;
    }
}

/* The picture with what is to be seen over it; the next one may be made of the picture without
 * that. */
static const uint32_t *add_titles(struct app_film *film, uint64_t number, const uint32_t *pixels)
{
    static const double first_seconds = 1; /* before it comes */
    const bool stays = app_options_titles(film->options) == UI_NAMES_ALWAYS;
    const double now = engine_rate_seconds(film->rate, number - 1);
    const double age = now - first_seconds;
    const size_t count = (size_t)film->width * (size_t)film->height;
    take_name(film, number);
    const bool card = film->card != NULL && ui_card_is_seen(age, stays);
    const bool name = film->overlay != NULL && ui_overlay_is_seen(film->overlay, now);
    if (!card && !name) {
        return pixels;
    }
    uint32_t *titled = film->titled[number % 2];
    const struct ui_surface surface = {titled, film->width, film->height, (size_t)film->width};
    memcpy(titled, pixels, count * sizeof *pixels);
    if (card) {
        ui_card_draw(film->card, &surface, age, stays);
    }
    if (name) {
        ui_overlay_draw(film->overlay, &surface, now);
    }
    return titled;
}

/* The part of the film that is asked for, as what stands beside its video has it. */
static void cut_piece(struct app_film *film)
{
    struct app_piece *piece = film->piece;
    const struct app_options *options = film->options;
    uint64_t number = 1;
    uint64_t pieces = 1;
    uint64_t count;
    if (options->segment != NULL) {
        (void)app_piece_share(options->segment, &number, &pieces);
    }
    app_piece_cut(film->frames, number, pieces, &film->first, &count);
    film->end = film->first + count;
    piece->first = film->first;
    piece->total = film->frames;
    piece->width = film->width;
    piece->height = film->height;
    piece->rate = film->rate;
    piece->start = app_film_start(options);
    (void)snprintf(piece->version, sizeof piece->version, "%s", FROTH_VERSION);
    (void)snprintf(piece->cpu, sizeof piece->cpu, "%s",
                   base_cpu_level_name(app_options_cpu(options)));
    (void)snprintf(piece->codec, sizeof piece->codec, "%s",
                   options->codec != NULL ? options->codec : "h264");
    (void)snprintf(piece->sound, sizeof piece->sound, "%s", film->sound);
}

int app_film_open(struct app_film *film, const struct app_options *options, struct app_size size,
                  struct engine_rate rate)
{
    *film = (struct app_film){
        .silent = film->silent,
        .piece = film->piece,
        .options = options,
        .sound = options->audio != NULL ? options->audio : "demo",
        .rate = rate,
        .width = size.width,
        .height = size.height,
        .sink = base_diag_stderr,
    };
    if (!film->silent && open_sound(film) != 0) {
        return -1;
    }
    if (options->frames > 0) {
        film->frames = options->frames;
    } else if (options->duration > 0) {
        film->frames = engine_rate_frames(rate, options->duration);
    } else {
        const double seconds = app_audio_seconds(film->audio);
        const double rest = seconds < 0 ? ENDLESS_SECONDS : seconds - app_film_start(options);
        film->frames = engine_rate_frames(rate, fmin(rest, LONGEST_SECONDS));
    }
    if (!film->silent) {
        warn_of_silence(film);
    }
    film->end = film->frames;
    if (film->piece != NULL) {
        cut_piece(film);
    }
    base_content_stream_begin(&film->all);
    film->hash_row = malloc(3 * (size_t)size.width);
    return film->hash_row != NULL ? open_titles(film) : app_film_fail(film, "not enough memory");
}

void app_film_close(struct app_film *film)
{
    app_video_discard(film->video); /* first, for pictures are lent to it */
    ui_card_free(film->card);
    ui_line_free(film->name);
    ui_line_free(film->next_name);
    ui_overlay_free(film->overlay);
    free(film->titled[0]);
    free(film->titled[1]);
    app_audio_close(film->audio);
    free(film->hash_row);
}

void app_film_check_sound(struct app_film *film)
{
    const char *error = app_audio_error(film->audio);
    if (error != NULL && !film->flawed) {
        film->flawed = true;
        base_report(&film->sink, BASE_WARNING, (struct base_place){.file = film->sound}, NULL,
                    "the sound breaks off, silence follows: %s", error);
    }
}

static int fail_printing(const struct app_film *film)
{
    const int reason = errno;
    base_report(&film->sink, BASE_ERROR, NOWHERE, NULL, "standard output: %s", strerror(reason));
    return -1;
}

/* Hands out the frame behind those that were made, whose pixels are whole. */
static int finish_frame(struct app_film *film, const uint32_t *pixels, uint64_t *made)
{
    const uint64_t number = *made + 1;
    if (number > film->first) {
        pixels = add_titles(film, number, pixels);
        uint64_t hash = 0;
        if (film->options->hash || film->piece != NULL) {
            hash =
                engine_picture_hash(pixels, film->width, film->height, film->hash_row, &film->all);
        }
        if (film->piece != NULL && app_piece_add(film->piece, hash) != 0) {
            return app_film_fail(film, "not enough memory");
        }
        if (film->options->hash) {
            app_progress_clear(&film->progress);
            if (printf("frame %" PRIu64 " %016" PRIx64 "\n", number, hash) < 0) {
                return fail_printing(film);
            }
        }
        if (film->video != NULL && app_video_lend(film->video, pixels) != 0) {
            return -1;
        }
    }
    *made = number;
    app_progress_step(&film->progress, number - film->begun);
    return 0;
}

/* Stores how many frames were made: all, or fewer where somebody asks to stop. A picture that has
 * to be brought is drawn while the one before is finished. */
static int make_frames(struct app_film *film, const struct app_film_painter *painter,
                       uint64_t *made)
{
    const uint32_t *waiting = NULL; /* the picture behind those that were made, which is whole */
    uint64_t number = film->drawn_from;
    int result = 0;
    *made = film->drawn_from;
    while (result == 0 && number < film->end && !base_stop_wanted()) {
        const uint32_t *pixels = painter->draw(painter->user, ++number);
        if (waiting != NULL) {
            result = finish_frame(film, waiting, made);
        }
        if (pixels == NULL) {
            return -1;
        }
        if (painter->bring == NULL) {
            result = finish_frame(film, pixels, made);
            continue;
        }
        if (result == 0 && number > film->first) {
            painter->bring(painter->user);
        }
        waiting = pixels;
    }
    return result == 0 && waiting != NULL ? finish_frame(film, waiting, made) : result;
}

static int finish_video(struct app_film *film)
{
    struct app_video *video = film->video;
    film->video = NULL;
    return video != NULL ? app_video_finish(video) : 0;
}

/* Completes the video of the frames that were made, and says what it holds. */
static int finish_stopped(struct app_film *film, uint64_t made)
{
    const char *output = film->options->output;
    if (film->piece != NULL) {
        app_video_discard(film->video);
        film->video = NULL;
        return app_film_fail(film, "stopped; of a piece nothing is kept");
    }
    if (film->video == NULL || made == 0) {
        return app_film_fail(film, "stopped");
    }
    const bool piped = strcmp(output, "-") == 0;
    const struct base_place place = {.file = piped ? NULL : output};
    if (!piped) {
        base_report(&film->sink, BASE_NOTE, place, "a second Ctrl-C drops it",
                    "stopping, what was painted is kept");
    }
    if (finish_video(film) == 0) {
        base_report(&film->sink, BASE_WARNING, place, NULL,
                    "stopped after %.2f of %.2f seconds (%" PRIu64 " of %" PRIu64
                    " frame%s); up to there it is whole",
                    engine_rate_seconds(film->rate, made),
                    engine_rate_seconds(film->rate, film->frames), made, film->frames,
                    base_plural(film->frames));
    }
    return -1;
}

static int finish(struct app_film *film, uint64_t made)
{
    if (made < film->end) {
        return finish_stopped(film, made);
    }
    if (film->options->hash &&
        (printf("all %016" PRIx64 "\n", base_content_stream_hash(&film->all)) < 0 ||
         fflush(stdout) != 0)) {
        return fail_printing(film);
    }
    const bool writes = film->video != NULL;
    if (finish_video(film) != 0) {
        return -1;
    }
    return film->piece != NULL && writes
               ? app_piece_write(film->piece, film->options->output, &film->sink)
               : 0;
}

static int open_video(struct app_film *film, const char *output)
{
    const struct app_options *options = film->options;
    const struct app_video_format format = {
        .width = film->width,
        .height = film->height,
        .rate = film->rate,
        .frames = film->end - film->first,
        .piece_from = film->first,
        .is_piece = film->piece != NULL,
        .audio = film->silent || film->piece != NULL ? NULL : film->sound,
        .audio_start = app_film_start(options),
        .chapters = film->chapters,
        .chapter_count = film->chapter_count,
        .codec = options->codec,
        .quality = options->quality,
        .bitrate = options->bitrate,
        .threads = options->segment != NULL ? (size_t)options->threads : 0,
    };
    film->video = app_video_open(output, &format, &film->sink);
    return film->video != NULL ? 0 : -1;
}

int app_film_make(struct app_film *film, const struct app_film_painter *painter)
{
    uint64_t made = 0;
    if (film->options->output != NULL && open_video(film, film->options->output) != 0) {
        return -1;
    }
    const uint64_t frames = film->end - film->drawn_from;
    film->begun = film->drawn_from;
    app_progress_begin(&film->progress, stderr, "frames", frames);
    film->sink = app_progress_sink(&film->progress);
    int result = make_frames(film, painter, &made);
    result = result == 0 ? finish(film, made) : result;
    app_progress_end(&film->progress, frames, result == 0);
    return result;
}

int app_film_make_part(struct app_film *film, const char *output,
                       const struct app_film_painter *painter, uint64_t *made)
{
    int result = open_video(film, output);
    result = result == 0 ? make_frames(film, painter, made) : result;
    if (result == 0 && *made > film->first) {
        return finish_video(film);
    }
    app_video_discard(film->video);
    film->video = NULL;
    return result;
}

/* ---- the board ---- */

bool app_render_is_for_board(const struct app_options *options)
{
    return options->target != NULL && strcmp(options->target, "milkymist-one") == 0;
}

unsigned app_render_board_fps(const struct app_options *options)
{
    return options->fps.numerator > 0 ? options->fps.numerator : BOARD_FPS_MIN;
}

int app_render_board_check(const struct app_options *options)
{
    const double fps = options->fps.numerator > 0 ? engine_rate_value(options->fps) : BOARD_FPS_MIN;
    const bool sized = options->size.width > 0 &&
                       (options->size.width != BOARD_WIDTH || options->size.height != BOARD_HEIGHT);
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
        {options->step_rate.numerator > 0 || options->between != NULL,
         "the board draws each step once", "leave --step-rate and --between out"},
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
