#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/play/player.h"
#include "base/os/thread.h"
#include "engine/picture.h"

/* ---- presets come and go ---- */

static const double slow_seconds = 0.5; /* a frame that takes longer stops the show */
static const double wait_seconds = 2;   /* for a preset in the place of one that costs too much */

void app_player_took(void *user, const struct engine_loaded *loaded, bool again)
{
    struct app_player *player = user;
    const struct app_name *name = app_presets_name(loaded);
    player->current = loaded;
    player->version++;
    app_midi_controls_load(&player->controls, loaded->preset->patch);
    ui_overlay_set_name(player->overlay, name != NULL ? name->line : NULL);
    if (!again) {
        player->slow = 0;
        player->costly = 0;
        player->counters.shown++;
        ui_window_set_title(player->window, name != NULL ? name->title : "froth");
        ui_overlay_show_name(player->overlay, player->now);
    }
}

/* Leaves a preset whose frames take so long that it does not seem to move. */
static void pass_slow(struct app_player *player, double seconds)
{
    player->slow = seconds > slow_seconds ? player->slow + 1 : 0;
    if (player->slow != APP_PLAYER_SLOW) {
        return;
    }
    const bool locked = engine_state(player->engine)->locked;
    app_operator_note(player->operator_view, locked ? APP_NOTE_TOO_SLOW : APP_NOTE_TOO_SLOW_LEFT,
                      player->current->number, APP_PLAYER_SLOW, slow_seconds);
    if (!locked) {
        player->counters.slow++;
        engine_wait_anew(player->engine);
        engine_loader_reject(player->loader, player->current->number);
    }
}

/* Leaves a preset that does not fit into a frame, also with its shaders as coarse as they may be.
 */
static void pass_costly(struct app_player *player, unsigned events)
{
    if ((events & REND_EVENTS_COSTLY) == 0) {
        player->cheap++;
        player->costly = player->cheap < APP_PLAYER_CHEAP ? player->costly : 0;
        return;
    }
    player->cheap = 0;
    player->costly++;
    if (player->costly != APP_PLAYER_COSTLY) {
        return;
    }
    const bool locked = engine_state(player->engine)->locked;
    app_operator_note(player->operator_view,
                      locked ? APP_NOTE_TOO_COSTLY : APP_NOTE_TOO_COSTLY_LEFT,
                      player->current->number, 0, 0);
    if (!locked) {
        engine_hold(player->engine, player->now + wait_seconds);
        player->counters.slow++;
        engine_wait_anew(player->engine);
        engine_loader_reject(player->loader, player->current->number);
    }
}

static int percent_of_pixels(int divisor)
{
    return (100 + divisor * divisor / 2) / (divisor * divisor);
}

void app_player_adapted(void *user, const int divisors[REND_SHADER_STAGES])
{
    struct app_player *player = user;
    app_operator_note(player->operator_view, APP_NOTE_SHADERS,
                      rend_show_changes(engine_show(player->engine)) ? APP_LIBRARY_NONE
                                                                     : player->current->number,
                      percent_of_pixels(divisors[0]), percent_of_pixels(divisors[1]));
}

/* ---- what happens in the windows ---- */

enum { VIEW_WIDTH = 1180, VIEW_HEIGHT = 760 };

static void say(struct app_player *player, enum app_note note)
{
    app_operator_note(player->operator_view, note, APP_LIBRARY_NONE, 0, 0);
}

void app_player_set_view(struct app_player *player, enum app_view view)
{
    if (view == APP_VIEW_WINDOW &&
        !ui_window_open_operator(player->window, VIEW_WIDTH, VIEW_HEIGHT)) {
        say(player, APP_NOTE_NO_OPERATOR_WINDOW);
        view = APP_VIEW_OVERLAY;
    }
    if (view != APP_VIEW_WINDOW) {
        ui_window_close_operator(player->window);
    }
    player->view = view;
    player->view_waits = false;
}

static void obey_key(struct app_player *player, enum app_source source,
                     const struct ui_event *event)
{
    const struct engine_call *call =
        event->key[0] != '\0' ? ui_bindings_find(player->bindings, event->key) : NULL;
    const bool repeats =
        call != NULL && ui_command_rows[call->command].argument == ENGINE_ARGUMENT_STEP;
    if (call != NULL && (!event->repeat || repeats)) {
        app_player_give(player, source, call);
    }
}

/* The mouse is the operator's where his view is seen, else that of the bindings. */
static void obey_mouse(struct app_player *player, const struct ui_event *event)
{
    static const char twice[] = "MouseDouble";
    struct ui_event named = *event;
    const bool in_view = player->view == APP_VIEW_OVERLAY ||
                         (player->view == APP_VIEW_WINDOW && event->operator_window);
    if (in_view) {
        player->command_key[0] = '\0';
        app_operator_event(player->operator_view, event);
        return;
    }
    if (event->kind == UI_EVENT_PRESS && event->clicks == 2 &&
        strcmp(event->key, "MouseLeft") == 0) {
        memcpy(named.key, twice, sizeof twice);
    }
    if (event->kind == UI_EVENT_PRESS || event->kind == UI_EVENT_WHEEL) {
        obey_key(player, APP_SOURCE_MOUSE, &named);
    }
}

/* The show's own window always obeys. In the view a field that was clicked or entered takes what it
 * can edit with. */
static bool may_be_typed(const struct app_player *player, const struct ui_event *event)
{
    const bool in_view = player->view == APP_VIEW_OVERLAY ||
                         (player->view == APP_VIEW_WINDOW && event->operator_window);
    return in_view && ui_key_edits(event->key);
}

/* A key that was a command is not typed as well: neither its text, nor while it is held. */
static void give_key(struct app_player *player, const struct ui_event *event)
{
    char *command = player->command_key;
    const bool key = event->kind == UI_EVENT_KEY;
    const bool held = key && event->repeat && strcmp(event->key, command) == 0;
    if (!key && event->key[0] == '\0' && command[0] != '\0') {
        return;
    }
    if (!held && may_be_typed(player, event) && app_operator_has_keyboard(player->operator_view)) {
        command[0] = '\0';
        if (strcmp(event->key, "Ctrl+V") == 0) {
            app_operator_paste(player->operator_view, ui_window_clipboard());
        }
        app_operator_event(player->operator_view, event);
    } else {
        if (!key) {
            command[0] = '\0';
        } else if (ui_key_edits(event->key)) {
            memcpy(command, event->key, sizeof player->command_key);
        }
        obey_key(player, APP_SOURCE_KEYS, event);
    }
}

static const double held_seconds = 0.5; /* at most, for a key whose owner is not known */

/* What is typed right behind the click into a field is the field's, and waits until the view knows
 * of the click. */
static void give_held_keys(struct app_player *player)
{
    const double clock = base_clock_seconds();
    size_t given = 0;
    while (given < player->held_count && (app_operator_knows_keyboard(player->operator_view) ||
                                          clock - player->held_since > held_seconds)) {
        give_key(player, &player->held[given++]);
    }
    player->held_count -= given;
    memmove(player->held, player->held + given, player->held_count * sizeof *player->held);
}

static void obey_keyboard(struct app_player *player, const struct ui_event *event)
{
    const bool waits =
        player->held_count > 0 || !app_operator_knows_keyboard(player->operator_view);
    if (!may_be_typed(player, event) || !waits || player->held_count == APP_PLAYER_HELD) {
        give_key(player, event);
        return;
    }
    if (player->held_count == 0) {
        player->held_since = base_clock_seconds();
    }
    player->held[player->held_count++] = *event;
}

/* The system puts windows where it likes, and the audience may see nothing. */
static void tell_elsewhere(struct app_player *player, const struct ui_event *event)
{
    char names[3 * sizeof event->text];
    (void)snprintf(names, sizeof names, "%s: the system put it on %s", event->text, event->key);
    app_operator_note_of(player->operator_view, APP_NOTE_SHOW_ELSEWHERE, names);
}

/* What others get of the show, or what is kept of it, needs no window. */
static void lose_display(struct app_player *player)
{
    app_player_set_view(player, APP_VIEW_OFF);
    if (player->share != NULL || player->options->record != NULL ||
        app_set_recorder_is_on(player->recorder)) {
        say(player, APP_NOTE_DISPLAY_GONE);
        return;
    }
    base_report(&player->sink, BASE_ERROR, (struct base_place){0}, NULL, "the display is gone");
    player->failed = true;
    player->quit = true;
}

/* Takes what happened in the windows, and what the operator ordered. */
static void take_events(struct app_player *player)
{
    static const struct engine_call quit = {.command = UI_COMMAND_QUIT};
    struct ui_event event;
    struct engine_call call;
    give_held_keys(player);
    while (ui_window_poll(player->window, &event)) {
        switch (event.kind) {
        case UI_EVENT_QUIT:
            player->quit = true;
            break;
        case UI_EVENT_CLOSE:
            if (event.operator_window) {
                app_player_set_view(player, APP_VIEW_OFF);
            } else {
                app_player_give(player, APP_SOURCE_KEYS, &quit);
            }
            break;
        case UI_EVENT_DROP:
            app_operator_drop(player->operator_view, ui_window_dropped(player->window));
            break;
        case UI_EVENT_SHOW_LOST:
            app_operator_note_of(player->operator_view, APP_NOTE_SHOW_LOST, event.text);
            break;
        case UI_EVENT_SHOW_BACK:
            app_operator_note_of(player->operator_view, APP_NOTE_SHOW_BACK, event.text);
            break;
        case UI_EVENT_SHOW_ELSEWHERE:
            tell_elsewhere(player, &event);
            break;
        case UI_EVENT_DISPLAY_GONE:
            lose_display(player);
            break;
        case UI_EVENT_OPERATOR_LOST:
            say(player, APP_NOTE_OPERATOR_LOST);
            app_player_set_view(player, APP_VIEW_OFF);
            player->view_waits = true;
            break;
        case UI_EVENT_MONITORS:
            if (player->view_waits && ui_window_monitors(player->window) > 1) {
                app_player_set_view(player, APP_VIEW_WINDOW);
            }
            break;
        case UI_EVENT_PAD_CAME:
            app_operator_note_of(player->operator_view, APP_NOTE_PAD_CAME, event.text);
            break;
        case UI_EVENT_PAD_GONE:
            app_operator_note_of(player->operator_view, APP_NOTE_PAD_GONE, event.text);
            app_pad_let_go(&player->pad);
            break;
        case UI_EVENT_PAD:
            obey_key(player, APP_SOURCE_PAD, &event);
            break;
        case UI_EVENT_AXIS:
            app_pad_move(&player->pad, event.axis, event.place);
            break;
        case UI_EVENT_KEY:
        case UI_EVENT_TEXT:
            obey_keyboard(player, &event);
            break;
        default:
            obey_mouse(player, &event);
        }
    }
    if (player->counters.frames > 0) {
        app_pad_frame(player, 1 / player->fps);
    }
    /* The operator knows of a preset once a frame of it was reported. */
    const struct app_taker taker = app_player_taker(player);
    app_door_take(player->door, player->counters.frames > 0, &taker);
    while (app_operator_call(player->operator_view, &call)) {
        app_player_give(player, APP_SOURCE_VIEW, &call);
    }
    char *copied = app_operator_copied(player->operator_view);
    if (copied != NULL) {
        ui_window_set_clipboard(copied);
        free(copied);
    }
}

/* ---- steps and frames ---- */

void app_player_stepped(void *user, unsigned events)
{
    struct app_player *player = user;
    const struct rend *front = rend_show_front(engine_show(player->engine));
    player->beats += front != NULL ? rend_heard(front).beats : 0;
    player->counters.events += events != 0;
    pass_costly(player, events);
    player->counters.steps++;
}

/* Who drives the beat; nobody where it is the music, and nothing is heard. The equations keep the
 * tempo for a while, as music that pauses goes on in time. */
static enum engine_tempo_source clock_of(const struct app_player *player)
{
    const enum engine_tempo_source drives = engine_state(player->engine)->tempo.drives;
    return drives == ENGINE_TEMPO_HEARD && !app_sound_is_heard(player->sound) ? ENGINE_TEMPO_SOURCES
                                                                              : drives;
}

static void show_tempo(const struct app_player *player, struct rend_heard *heard)
{
    if (clock_of(player) == ENGINE_TEMPO_SOURCES) {
        heard->bpm = 0;
    }
}

/* Tells sources about this frame. */
static void show_sources(struct app_player *player)
{
    struct app_seen *seen = &player->seen;
    const struct engine_loaded *current = player->current;
    const struct rend_show *show = engine_show(player->engine);
    const struct rend *front = rend_show_front(show);
    struct rend_heard heard = front != NULL ? rend_heard(front) : (struct rend_heard){0};
    show_tempo(player, &heard);
    seen->frame = player->counters.frames + 1;
    seen->now = player->now;
    seen->fps = player->shown_fps;
    memcpy(seen->level, heard.level, sizeof seen->level);
    memcpy(seen->level_att, heard.level_att, sizeof seen->level_att);
    seen->bpm = heard.bpm;
    seen->beat_phase = heard.beat_phase;
    seen->bar_phase = heard.bar_phase;
    seen->beats = player->beats;
    const enum engine_tempo_source clock = clock_of(player);
    const char *name = clock < ENGINE_TEMPO_SOURCES ? engine_tempo_name(clock) : "";
    memcpy(seen->clock, name, strlen(name) + 1);
    seen->tempo = engine_state(player->engine)->tempo.now;
    seen->tempo.bpm = heard.bpm * player->speed;
    seen->tempo.at = player->shown;
    seen->changes = rend_show_changes(show);
    if (current != NULL) {
        seen->preset = current->number;
        memcpy(seen->name, current->preset->name, sizeof seen->name);
    }
    for (unsigned i = 0; i < APP_VALUE_COUNT; i++) {
        seen->values[i] = app_player_tell(player, i);
    }
    app_player_texts(player, seen->texts);
    const struct rend_held *held = engine_held(player->engine, &seen->held_count);
    memcpy(seen->held, held, seen->held_count * sizeof *held);
    app_door_show(player->door, seen);
}

static const double view_seconds = 1 / 30.0; /* between two showings of the operator's window */

struct ui_window_pixels app_player_view_pixels(const struct app_player *player)
{
    /* The operator draws nothing where there is nothing to be seen. */
    if (player->view == APP_VIEW_OFF) {
        return (struct ui_window_pixels){0, 0, UI_WINDOW_TEXT};
    }
    struct ui_window_pixels pixels = ui_window_pixels(player->window);
    pixels.text = player->view_text > 0 ? player->view_text : pixels.text;
    return pixels;
}

/* The last small picture of those on the device; one of no pixels before there is one. */
static struct ui_surface small_picture(const struct app_player *player)
{
    struct ui_surface small = {NULL, 0, 0, 0};
    union {
        const uint32_t *read;
        uint32_t *pixels; /* of a surface that nobody draws into */
    } seen = {ui_window_small(player->window, &small.width, &small.height)};
    small.pixels = seen.pixels;
    small.stride = (size_t)small.width;
    return small;
}

/* To the operator, what the audience sees, but for blackouts. */
static void show_picture(const struct app_player *player, struct app_snapshot *snapshot)
{
    const struct ui_surface small = small_picture(player);
    if (player->seen_past.pixels != NULL) {
        app_snapshot_picture(snapshot, &player->seen_past);
    } else if (!player->stays) {
        app_snapshot_picture(snapshot, &player->picture);
    } else if (small.pixels != NULL) {
        app_snapshot_picture(snapshot, &small);
    }
}

/* Tells the operator about this frame, and shows his view. */
static void report(struct app_player *player)
{
    struct app_snapshot *snapshot = app_operator_snapshot(player->operator_view);
    snapshot->view = app_player_view_pixels(player);
    snapshot->keys_elsewhere = ui_window_keys_elsewhere(player->window);
    snapshot->over_picture = player->view == APP_VIEW_OVERLAY;
    const bool seen = snapshot->view.width > 0;
    const struct engine_loaded *current = player->current;
    const struct engine_state *state = engine_state(player->engine);
    snapshot->now = player->now;
    snapshot->fps = player->shown_fps;
    snapshot->drawing = player->drawing;
    snapshot->version = player->version;
    if (current != NULL) {
        memcpy(snapshot->path, current->preset->path, sizeof snapshot->path);
        memcpy(snapshot->name, current->preset->name, sizeof snapshot->name);
        snapshot->number = current->number;
    }
    snapshot->locked = state->locked;
    snapshot->random = state->random;
    snapshot->frozen = state->frozen;
    snapshot->blackout = state->blackout;
    snapshot->past = app_set_rewind_tell(player->rewind);
    snapshot->names_drawn = player->names != UI_NAMES_NEVER;
    snapshot->meter_drawn = player->meter_shown;
    snapshot->fps_drawn = player->fps_shown;
    snapshot->asks = app_player_asks(player);
    snapshot->asked = player->asked;
    snapshot->fullscreen = ui_window_is_fullscreen(player->window);
    snapshot->advance = state->vj.advance;
    snapshot->vary = state->vj.vary;
    snapshot->hard = state->vj.hard;
    snapshot->cut_on_beat = state->vj.beats;
    snapshot->cut_on_loud = state->cut_on_loud;
    snapshot->wait_beats = state->wait_beats;
    snapshot->nudge = engine_tell(player->engine, UI_COMMAND_NUDGE);
    snapshot->clock = clock_of(player);
    snapshot->clock_wanted = state->tempo.choice;
    snapshot->clock_stands = state->tempo.now.bpm > 0 && !state->tempo.now.runs;
    snapshot->left = engine_stays(player->engine) ? -1 : state->vj.due - player->now;
    snapshot->counters = player->counters;
    engine_tweaks_changed(&state->tweaks, snapshot->shown.changed);
    app_sound_status(player->sound, &snapshot->sound);
    app_snapshot_of_show(snapshot, engine_show(player->engine), seen);
    show_tempo(player, &snapshot->heard);
    if (seen) {
        memcpy(snapshot->wave, player->wave, sizeof snapshot->wave);
        show_picture(player, snapshot);
    }
    app_operator_publish(player->operator_view);
    app_library_idle(player->library, player->drawing < 500 / player->fps);
    bool fresh = false;
    const double clock = base_clock_seconds();
    if (player->view == APP_VIEW_WINDOW && clock >= player->view_due) {
        const struct ui_surface *surface = app_operator_surface(player->operator_view, &fresh);
        if (surface != NULL && fresh) {
            player->view_due = clock + view_seconds;
            ui_window_present_operator(player->window, surface,
                                       app_operator_tiles(player->operator_view));
        }
    }
}

/* What the audience sees: the picture, or none while there is a blackout. */
static const struct ui_surface *shown_picture(const struct app_player *player)
{
    return engine_state(player->engine)->blackout ? &player->black
           : player->seen_past.pixels != NULL     ? &player->seen_past
                                                  : &player->picture;
}

/* Brings the picture from the device that it stays on. */
static void fetch_picture(struct app_player *player)
{
    engine_fetch(player->engine, player->picture.pixels, player->picture.stride);
    player->stays = false;
}

/* Shows it, and over it the operator's view. */
static void present(struct app_player *player)
{
    bool fresh = false;
    const struct ui_surface *picture = shown_picture(player);
    const struct ui_surface *view = player->view == APP_VIEW_OVERLAY
                                        ? app_operator_surface(player->operator_view, &fresh)
                                        : NULL;
    const struct ui_tiles *tiles = view != NULL ? app_operator_tiles(player->operator_view) : NULL;
    if (player->stays && picture == &player->picture) {
        const struct rend_device_shown there = engine_shown(player->engine);
        const int step = app_snapshot_step(picture->width, picture->height);
        if (ui_window_present_there(player->window, &there, view, tiles, step)) {
            player->counters.stayed++;
            return;
        }
        fetch_picture(player);
    }
    ui_window_present(player->window, picture, view, tiles);
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

static void snapshot_wave(struct app_player *player)
{
    size_t heard;
    const float *samples = engine_heard(player->engine, &heard);
    app_snapshot_wave(player->wave, samples, heard);
}

/* What has come since the last frame. */
static void feed(struct app_player *player, uint64_t frame)
{
    const uint64_t due = engine_rate_samples(player->rate, frame);
    const size_t count = app_sound_read(player->sound, due, player->samples, APP_AUDIO_KEPT);
    app_set_round(player->samples, 2 * count);
    app_share_sound(player->share, player->samples, count);
    (void)froth_add_sound_float(player->show, player->samples, count, 2, APP_AUDIO_RATE);
}

/* What is playing has a card that comes up when it changes, or is asked for. */
static void take_title(struct app_player *player)
{
    if (app_titles_take(player->titles) &&
        (player->titled != UI_NAMES_NEVER || player->title_asked)) {
        player->titled_at = player->now;
        player->title_asked = false;
    }
}

/* Over the picture. */
static void draw_title(const struct app_player *player)
{
    ui_card_draw(app_titles_card(player->titles), &player->picture, player->now - player->titled_at,
                 player->titled == UI_NAMES_ALWAYS);
}

/* Before anything is written over the picture. A blackout is one for fixtures too. */
static void show_light(struct app_player *player)
{
    if (player->light == NULL) {
        return;
    }
    uint8_t patch[REND_DMX_OUTPUTS] = {0};
    const struct rend *front = rend_show_front(engine_show(player->engine));
    if (engine_state(player->engine)->blackout) {
        app_light_show(player->light, player->black.pixels, 0, patch);
        return;
    }
    if (front != NULL) {
        rend_dmx(front, patch);
    }
    app_light_show(player->light, player->picture.pixels, player->picture.stride, patch);
}

static uint64_t hash_of(struct app_player *player, const struct ui_surface *picture)
{
    return engine_picture_hash(picture->pixels, picture->width, picture->height, player->hash_row,
                               &player->hashed);
}

/* With --hash: of the picture of the show, as of render. One that stands still is known, also
 * behind a blackout. */
static void print_hash(struct app_player *player, bool made)
{
    if (!player->options->hash) {
        return;
    }
    if (made || player->blends || player->hash == 0) {
        player->hash = hash_of(player, &player->picture);
    }
    const bool dark = engine_state(player->engine)->blackout;
    (void)printf("frame %llu %016llx\n", (unsigned long long)froth_frame(player->show),
                 (unsigned long long)(dark ? hash_of(player, &player->black) : player->hash));
    (void)fflush(stdout); /* also of a show that is cut off */
}

/* The past, where it is to be seen. */
static void look_back(struct app_player *player)
{
    uint64_t frame = 0;
    bool fresh = false;
    union {
        const uint32_t *read;
        uint32_t *pixels; /* of a surface that nobody draws into */
    } past = {app_set_rewind_picture(player->rewind, &frame, &fresh)};
    player->seen_past.pixels = past.pixels;
    if (player->sound != NULL) {
        app_sound_play_past(player->sound, past.read != NULL);
    }
    if (player->options->hash && past.read != NULL && fresh) {
        (void)printf("past %llu %016llx\n", (unsigned long long)frame,
                     (unsigned long long)engine_picture_hash(past.read, player->seen_past.width,
                                                             player->seen_past.height,
                                                             player->hash_row, NULL));
        (void)fflush(stdout);
    }
}

/* Whether somebody reads this frame's picture here, or writes over it. Else it may stay on the
 * device that draws it, and is shown from there. */
static bool is_wanted_here(const struct app_player *player)
{
    return !ui_window_takes_device(player->window) || player->options->hash ||
           player->light != NULL || player->share != NULL ||
           engine_state(player->engine)->blackout || player->seen_past.pixels != NULL ||
           player->meter_shown || ui_overlay_is_seen(player->overlay, player->now) ||
           (app_titles_card(player->titles) != NULL &&
            ui_card_is_seen(player->now - player->titled_at, player->titled == UI_NAMES_ALWAYS));
}

/* What is written over the picture. */
static void write_over(struct app_player *player)
{
    const struct rend *front = rend_show_front(engine_show(player->engine));
    if (player->meter_shown && front != NULL) {
        struct rend_heard heard = rend_heard(front);
        show_tempo(player, &heard);
        ui_overlay_set_meter(player->overlay, &heard);
    }
    ui_overlay_draw(player->overlay, &player->picture, player->now);
    draw_title(player);
}

/* To the past, and to what is recorded. */
static void record(struct app_player *player, double work)
{
    const struct ui_surface picture = player->stays ? small_picture(player) : player->picture;
    const struct app_set_shown told = {.pixels = picture.pixels,
                                       .stride = picture.stride,
                                       .width = picture.width,
                                       .height = picture.height,
                                       .work = work};
    app_set_recorder_frame(player->recorder, player->show, &told);
}

/* seconds_shown: by the pace of the frames, by which pictures come evenly. */
static void draw_frame(struct app_player *player, uint64_t frame, double seconds_shown)
{
    const struct ui_surface *surface = &player->picture;
    const struct froth_picture picture = {.pixels = surface->pixels,
                                          .stride = surface->stride * sizeof *surface->pixels,
                                          .width = surface->width,
                                          .height = surface->height,
                                          .format = FROTH_BGRX};
    const struct moment begun = now();
    const bool changed = rend_show_changes(engine_show(player->engine));
    size_t channels;
    const uint8_t *levels = app_light_levels(player->light, &channels);
    if (levels != NULL) {
        (void)froth_set_dmx(player->show, levels, channels);
    }
    const size_t said = app_midi_controls_hear(&player->controls, player->midi);
    engine_set_controls(player->engine, player->controls.held, said);
    struct app_midi_beat beat;
    while (app_midi_beat(player->midi, &beat)) {
        app_tempo_midi(player->tempo, (uint8_t)beat.kind, beat.position, beat.at);
    }
    app_tempo_give(player->tempo, player->engine, begun.clock, player->speed);
    take_title(player);
    engine_let_stay(player->engine, !is_wanted_here(player), false);
    const uint64_t steps = player->counters.steps;
    /* In the middle of the frame, so that no rounding makes it another one. */
    (void)froth_render_at(player->show, ((double)frame - 0.5) / player->fps, &picture);
    bool made = player->counters.steps > steps;
    player->stays = engine_picture_stays(player->engine);
    if (player->stays && is_wanted_here(player)) {
        fetch_picture(player);
        made = true;
    }
    record(player, base_clock_seconds() - begun.clock);
    print_hash(player, made);
    show_light(player);
    snapshot_wave(player);
    pass_slow(player, base_clock_seconds() - begun.clock);
    if ((made || player->blends) && !player->stays) {
        write_over(player);
    }
    look_back(player);
    const struct ui_surface *seen = shown_picture(player);
    app_share_picture(player->share, seen->pixels, seen->stride, seconds_shown);
    const struct moment drawn = now();
    const double drawing = drawn.clock - begun.clock;
    player->drawing = 1000 * drawing;
    app_frame_times_add(&player->work, drawing);
    if (drawing > 2 / player->fps) {
        const struct app_late_frame late = {
            .at = player->now,
            .seconds = drawing,
            .busy = drawn.busy - begun.busy,
            .preset = player->current->number,
            .changes = changed || rend_show_changes(engine_show(player->engine))};
        app_late_frames_add(&player->late, &late);
    }
    present(player);
    const double shown = base_clock_seconds();
    if (player->shown > 0) {
        app_frame_times_add(&player->apart, shown - player->shown);
        player->counters.late += shown - player->shown > 1.5 / player->fps;
    }
    player->shown = shown;
    report(player);
    show_sources(player);
}

static void count_shared(struct app_player *player)
{
    struct app_share_status status;
    app_share_status(player->share, &status);
    player->counters.targets = status.targets;
    player->counters.taken = status.taken;
    player->counters.shared = status.given;
    player->counters.left_out = status.left_out;
}

/* Once a second. */
static void count_second(struct app_player *player, double clock)
{
    enum { MINUTE = 60 };
    struct app_counters *counters = &player->counters;
    const struct engine_loader_counts counts = engine_loader_counts(player->loader);
    player->shown_fps = player->drawn / (clock - player->counted);
    player->counted = clock;
    player->drawn = 0;
    counters->failed = counts.failed;
    counters->memory = app_operator_memory(player->operator_view);
    counters->most = app_memory_most();
    counters->dropped = app_sound_dropped(player->sound);
    count_shared(player);
    if (counters->memory_after_minute == 0 && clock - player->begun >= MINUTE) {
        counters->memory_after_minute = counters->memory;
        counters->most_after_minute = counters->most;
    }
    if (player->fps_shown) {
        ui_overlay_set_fps(player->overlay, player->shown_fps);
    }
}

static const double first_wait_seconds = 0.005; /* between looks for the first preset */

void app_player_run(struct app_player *player)
{
    const double duration = player->options->duration;
    /* The window is black until the first preset is there. */
    while (player->base == 0 && !froth_wait(player->show, 0) && !player->quit) {
        present(player);
        base_clock_sleep_until(base_clock_seconds() + first_wait_seconds);
        take_events(player);
        if (engine_loader_failed(player->loader)) {
            base_report(&player->sink, BASE_ERROR, (struct base_place){0}, NULL,
                        "none of the presets could be loaded");
            player->failed = true;
            player->quit = true;
        }
    }
    player->begun = player->counted = base_clock_seconds();
    ui_pace_start(&player->pace, player->fps, ui_window_refresh(player->window), player->begun);
    while (!player->quit) {
        base_clock_sleep_until(ui_pace_wake(&player->pace));
        const double clock = base_clock_seconds();
        const uint64_t shown = ui_pace_next(&player->pace, clock);
        const uint64_t passed =
            player->speed == 1 ? shown : (uint64_t)((double)shown * player->speed);
        const uint64_t frame = player->base + passed; /* of the show's own time */
        player->now = (double)frame / player->fps;
        take_events(player);
        feed(player, passed);
        draw_frame(player, frame, (double)shown / player->fps);
        player->drawn++;
        player->counters.frames++;
        if (clock - player->counted >= 1) {
            count_second(player, clock);
        }
        player->quit = player->quit || (duration >= 0 && (double)passed / player->fps >= duration);
    }
    count_second(player, base_clock_seconds());
}
