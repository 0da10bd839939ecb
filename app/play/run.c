#include <math.h>

#include "app/io/audio.h"
#include "app/play/player.h"
#include "base/os/clock.h"

static const double first_wait_seconds = 0.005; /* between looks for the first preset */
static const double slow_seconds = 0.5;         /* a frame that takes longer stops the show */

void app_player_retire(struct app_player *player)
{
    const struct rend_cue *cue = rend_show_retired(player->show);
    for (; cue != NULL; cue = rend_show_retired(player->show)) {
        app_loader_retire(player->loader, rend_cue_user(cue));
    }
}

static void set_divisors(struct app_player *player)
{
    const int fixed[SHADER_STAGES] = {player->fixed_divisor, player->fixed_divisor};
    const int *divisors =
        player->fixed_divisor > 0 ? fixed : app_governor_divisors[player->governor.level];
    rend_show_set_divisors(player->show, divisors);
}

/* Takes the preset that the loader has made ready, if there is one. */
static void take_preset(struct app_player *player)
{
    struct app_loaded *loaded = app_loader_take(player->loader);
    if (loaded == NULL) {
        return;
    }
    const bool again =
        loaded->again && player->current != NULL && player->current->number == loaded->number;
    rend_show_take(player->show, loaded->cue);
    player->current = loaded;
    player->version++;
    ui_overlay_set_name(player->overlay, loaded->line);
    if (again) {
        app_tweaks_again(&player->tweaks, player->show);
    } else {
        player->slow = 0;
        player->counters.shown++;
        app_auto_shown(&player->vj, player->now, player->current->seconds);
        app_governor_reset(&player->governor);
        app_tweaks_forget(&player->tweaks);
        set_divisors(player);
        ui_window_set_title(player->window, player->current->title);
        ui_overlay_show_name(player->overlay, player->now);
    }
    app_player_retire(player);
}

bool app_player_stays(const struct app_player *player)
{
    return player->locked || player->frozen || app_loader_alone(player->loader);
}

/* passed: seconds since the last frame. */
static void advance(struct app_player *player, double passed)
{
    const struct rend *front = rend_show_front(player->show);
    if (player->frozen) {
        app_auto_wait(&player->vj, passed);
    }
    if (front == NULL || app_player_stays(player)) {
        return;
    }
    const struct rend_heard heard = rend_heard(front);
    const enum app_auto_change change =
        app_auto_step(&player->vj, player->now, &heard, player->is_loud);
    if (change != APP_AUTO_STAY) {
        app_player_step(player, 1, change == APP_AUTO_HARD ? APP_CHANGE_HARD : APP_CHANGE_SOFT);
    }
    player->is_loud = false;
}

/* Leaves a preset whose frames take so long that it does not seem to move. */
static void pass_slow(struct app_player *player, double seconds)
{
    player->slow = seconds > slow_seconds ? player->slow + 1 : 0;
    if (player->slow != APP_PLAYER_SLOW) {
        return;
    }
    app_operator_note(player->operator_view,
                      player->locked ? APP_NOTE_TOO_SLOW : APP_NOTE_TOO_SLOW_LEFT,
                      player->current->number, APP_PLAYER_SLOW, slow_seconds);
    if (!player->locked) {
        player->counters.slow++;
        app_auto_shown(&player->vj, player->now, -1);
        app_loader_reject(player->loader, player->current->number);
    }
}

static int percent_of_pixels(int divisor)
{
    return (100 + divisor * divisor / 2) / (divisor * divisor);
}

/* Computes shaders more coarsely before frames come late. While one preset gives way to the next,
 * both take the time, and none is named. */
static void govern(struct app_player *player, double seconds)
{
    const struct rend *front = rend_show_front(player->show);
    if (player->fixed_divisor > 0 || front == NULL || !rend_has_shaders(front) ||
        !app_governor_step(&player->governor, seconds)) {
        return;
    }
    const int *divisors = app_governor_divisors[player->governor.level];
    set_divisors(player);
    app_operator_note(player->operator_view, APP_NOTE_SHADERS,
                      rend_show_changes(player->show) ? APP_LIBRARY_NONE : player->current->number,
                      percent_of_pixels(divisors[0]), percent_of_pixels(divisors[1]));
}

/* Once a second. */
static void count_second(struct app_player *player, double clock)
{
    enum { MINUTE = 60 };
    struct app_counters *counters = &player->counters;
    const struct app_loader_counts counts = app_loader_counts(player->loader);
    player->shown_fps = player->drawn / (clock - player->counted);
    player->counted = clock;
    player->drawn = 0;
    counters->failed = counts.failed;
    counters->memory = app_operator_memory(player->operator_view);
    counters->most = app_memory_most();
    if (counters->memory_after_minute == 0 && clock - player->begun >= MINUTE) {
        counters->memory_after_minute = counters->memory;
        counters->most_after_minute = counters->most;
    }
    if (player->fps_shown) {
        ui_overlay_set_fps(player->overlay, player->shown_fps);
    }
}

static void make_step(struct app_player *player, uint32_t *pixels)
{
    const struct app_rate rate = player->steps.steps;
    player->step++;
    const uint64_t due = app_rate_samples(rate, player->step);
    const size_t heard = app_sound_read(player->sound, due, player->samples, player->sample_frames);
    const struct rend_input input = {.frame = player->step,
                                     .time = app_rate_seconds(rate, player->step),
                                     .fps = app_rate_value(rate),
                                     .audio = player->samples,
                                     .audio_frames = heard};
    const unsigned events = rend_show_step(player->show, &input, pixels, player->picture.stride);
    player->counters.events += events != 0;
    player->counters.steps++;
    app_snapshot_wave(player->wave, player->samples, heard);
    app_player_retire(player);
    const struct rend *front = rend_show_front(player->show);
    if (player->options->cut_on_loud > 0 && front != NULL) {
        const struct rend_heard now = rend_heard(front);
        player->is_loud = rend_loud_step(&player->loud, now.level, input.fps) || player->is_loud;
    }
}

/* Makes the steps up to `last`. Returns how many. */
static unsigned make_steps(struct app_player *player, uint64_t last)
{
    unsigned made = 0;
    for (; player->step < last; made++) {
        uint32_t *pixels = player->picture.pixels;
        if (player->steps.blends) {
            pixels = player->former;
            player->former = player->newest;
            player->newest = pixels;
        }
        make_step(player, pixels);
    }
    return made;
}

static uint64_t steps_of_frame(const struct app_player *player)
{
    return (uint64_t)ceil((double)app_steps_due(&player->steps, 1) * player->speed);
}

/* Makes the steps up to the one that is due, but no more than fit into a frame: a machine that is
 * late leaves some out. Returns how many were made. */
static unsigned make_due(struct app_player *player, uint64_t frame)
{
    const uint64_t most = steps_of_frame(player);
    const uint64_t due =
        (uint64_t)((int64_t)app_steps_due(&player->steps, frame) + player->steps_ahead);
    if (due > player->step + most) {
        player->step = due - most;
    }
    return make_steps(player, due);
}

/* A picture that stands still takes the steps that were asked for, at the pace of the show, which
 * goes on from there later; what is heard meanwhile is lost. */
static unsigned make_frozen(struct app_player *player, uint64_t frame)
{
    const uint64_t most = steps_of_frame(player);
    const uint64_t number = player->steps_asked < most ? player->steps_asked : most;
    const unsigned made = make_steps(player, player->step + number);
    player->steps_asked -= made;
    player->steps_ahead = (int64_t)player->step - (int64_t)app_steps_due(&player->steps, frame);
    return made;
}

/* A moment, in seconds of two clocks. */
struct moment {
    double clock;
    double busy;
};

static struct moment now(void)
{
    return (struct moment){base_clock_seconds(), base_clock_busy()};
}

/* changed: there was a transition when drawing began. */
static void note_drawing(struct app_player *player, struct moment begun, struct moment drawn,
                         bool changed)
{
    const double seconds = drawn.clock - begun.clock;
    player->drawing = 1000 * seconds;
    app_frame_times_add(&player->work, seconds);
    if (seconds > 2 / player->fps) {
        const struct app_late_frame frame = {.at = player->now,
                                             .seconds = seconds,
                                             .busy = drawn.busy - begun.busy,
                                             .preset = player->current->number,
                                             .changes = changed || rend_show_changes(player->show)};
        app_late_frames_add(&player->late, &frame);
    }
}

void app_player_show_tempo(const struct app_player *player, struct rend_heard *heard)
{
    if (!app_sound_is_heard(player->sound)) {
        heard->bpm = 0;
    }
}

static void draw_frame(struct app_player *player, uint64_t frame)
{
    const struct moment begun = now();
    const bool changed = rend_show_changes(player->show);
    const unsigned made = player->frozen ? make_frozen(player, frame) : make_due(player, frame);
    if (player->steps.blends) {
        const struct ui_surface *picture = &player->picture;
        const struct rend_weights weights =
            rend_weights_even(app_steps_weight(&player->steps, frame));
        rend_cross_for(app_options_cpu(player->options))(
            picture->pixels, player->former, player->newest, NULL,
            picture->stride * (size_t)picture->height, &weights);
    }
    const double seconds = base_clock_seconds() - begun.clock;
    pass_slow(player, seconds);
    if (made > 0) {
        govern(player, seconds);
    }
    const struct rend_moment moment = rend_show_moment(player->show);
    app_loader_tell(player->loader, &moment);
    if (made > 0 || player->steps.blends) {
        const struct rend *front = rend_show_front(player->show);
        if (player->meter_shown && front != NULL) {
            struct rend_heard heard = rend_heard(front);
            app_player_show_tempo(player, &heard);
            ui_overlay_set_meter(player->overlay, &heard);
        }
        ui_overlay_draw(player->overlay, &player->picture, player->now);
    }
    note_drawing(player, begun, now(), changed);
    app_player_present(player);
    const double shown = base_clock_seconds();
    if (player->shown > 0) {
        app_frame_times_add(&player->apart, shown - player->shown);
        player->counters.late += shown - player->shown > 1.5 / player->fps;
    }
    player->shown = shown;
    app_player_report(player);
}

void app_player_run(struct app_player *player)
{
    const double duration = player->options->duration;
    /* The window is black until the first preset is there. */
    while (player->current == NULL && !player->quit) {
        app_player_present(player);
        base_clock_sleep_until(base_clock_seconds() + first_wait_seconds);
        app_player_events(player);
        take_preset(player);
        if (player->current == NULL && app_loader_failed(player->loader)) {
            base_report(&player->sink, BASE_ERROR, (struct base_place){0}, NULL,
                        "none of the presets could be loaded");
            player->failed = true;
            player->quit = true;
        }
    }
    player->begun = player->counted = base_clock_seconds();
    ui_pace_start(&player->pace, player->fps, ui_window_refresh(player->window), player->begun);
    app_governor_begin(&player->governor, 1 / player->fps);
    while (!player->quit) {
        base_clock_sleep_until(ui_pace_wake(&player->pace));
        const double clock = base_clock_seconds();
        const uint64_t shown = ui_pace_next(&player->pace, clock);
        const uint64_t frame = /* of the show's own time */
            player->speed == 1 ? shown : (uint64_t)((double)shown * player->speed);
        const double former = player->now;
        player->now = (double)frame / player->fps;
        app_player_events(player);
        take_preset(player);
        advance(player, player->now - former);
        draw_frame(player, frame);
        player->drawn++;
        player->counters.frames++;
        if (clock - player->counted >= 1) {
            count_second(player, clock);
        }
        player->quit = player->quit || (duration >= 0 && player->now >= duration);
    }
    count_second(player, base_clock_seconds());
}
