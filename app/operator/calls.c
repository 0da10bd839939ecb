/* Commands that wait for files, locks or memory. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/video/video.h"
#include "app/operator/state.h"
#include "base/os/file.h"

enum { PATH_SIZE = 4096, SHOTS_MAX = 100000, HINT_MAX = 160 };

static const struct base_place NOWHERE = {0};

static bool current_entry(struct app_operator *view, struct app_library_entry *entry)
{
    if (app_library_entry(view->setup.library, app_library_current(view->setup.library), entry)) {
        return true;
    }
    app_operator_say(view, BASE_WARNING, "no preset is shown yet");
    return false;
}

static void operator_favourite(struct app_operator *view, const struct engine_call *call)
{
    struct app_library_entry entry;
    if (current_entry(view, &entry)) {
        const bool on = engine_switch_of(call->to, entry.favourite);
        app_library_favourite(view->setup.library, entry.number, on);
        app_operator_say(view, BASE_NOTE, on ? "a favourite" : "no favourite any more");
    }
}

static void operator_rate(struct app_operator *view, const struct engine_call *call)
{
    struct app_library_entry entry;
    if (current_entry(view, &entry)) {
        const double wanted = call->absolute ? call->number : entry.stars + call->number;
        const int stars = wanted < 0                   ? 0
                          : wanted > APP_LIBRARY_STARS ? APP_LIBRARY_STARS
                                                       : (int)wanted;
        app_library_rate(view->setup.library, entry.number, stars);
        app_operator_say(view, BASE_NOTE, "%d star%s", stars, stars == 1 ? "" : "s");
    }
}

static void operator_tag(struct app_operator *view, const struct engine_call *call)
{
    struct app_library_entry entry;
    const bool off = call->text[0] == '-';
    if (current_entry(view, &entry) &&
        !app_library_tag(view->setup.library, entry.number, call->text + off, !off)) {
        app_operator_say(view, BASE_WARNING, "'%s' cannot be a tag", call->text + off);
    }
}

static void operator_hide(struct app_operator *view, const struct engine_call *call)
{
    (void)call;
    struct app_library_entry entry;
    if (current_entry(view, &entry)) {
        app_library_hide(view->setup.library, entry.number, true);
        app_operator_say(view, BASE_NOTE, "%s will not be shown again", entry.name);
        app_operator_order(view, "next");
    }
}

static void operator_playlist(struct app_operator *view, const struct engine_call *call)
{
    const char *name = call->text[0] != '\0' ? call->text : NULL;
    if (app_library_playlist(view->setup.library, name, &view->sink) == 0) {
        (void)snprintf(view->playing, sizeof view->playing, "%.*s", (int)sizeof view->playing - 1,
                       call->text);
        app_operator_order(view, "next");
    }
}

static void operator_playlist_add(struct app_operator *view, const struct engine_call *call)
{
    struct app_library_entry entry;
    if (current_entry(view, &entry) &&
        app_library_playlist_add(view->setup.library, call->text, entry.number, &view->sink) == 0) {
        app_operator_say(view, BASE_NOTE, "%s joined %s", entry.name, call->text);
        view->playlists_asked = 0;
        if (strcmp(call->text, view->playing) == 0) {
            (void)app_library_playlist_again(view->setup.library, call->text, &view->sink);
        }
    }
}

/* The preset at this place of what is played, as the view lists it; APP_LIBRARY_NONE. */
static uint32_t played_at(struct app_operator *view, unsigned long place)
{
    if (place >= APP_FOUND_MAX) {
        return APP_LIBRARY_NONE;
    }
    uint32_t *numbers = calloc(place + 1, sizeof *numbers);
    const size_t count =
        numbers != NULL ? app_library_search(view->setup.library, "", numbers, place + 1) : 0;
    const uint32_t number = place < count ? numbers[place] : APP_LIBRARY_NONE;
    free(numbers);
    return number;
}

static void operator_load(struct app_operator *view, const struct engine_call *call)
{
    struct app_library_entry entry;
    const bool by_number = call->text[0] == '=';
    char *behind = NULL;
    const unsigned long wanted = by_number ? strtoul(call->text + 1, &behind, 10) : 0;
    const bool by_place = call->text[0] == '#';
    const uint32_t number = by_place     ? played_at(view, strtoul(call->text + 1, NULL, 10))
                            : !by_number ? app_library_find(view->setup.library, call->text)
                            : wanted < APP_LIBRARY_NONE &&
                                    app_library_entry(view->setup.library, (uint32_t)wanted, &entry)
                                ? (uint32_t)wanted
                                : APP_LIBRARY_NONE;
    if (number == APP_LIBRARY_NONE) {
        app_operator_say(view, BASE_WARNING, "no preset fits '%s'", call->text);
    } else {
        engine_loader_want(view->setup.loader, number, by_number && *behind == '!');
    }
}

static void operator_transition(struct app_operator *view, const struct engine_call *call)
{
    if (!engine_loader_transition(view->setup.loader, call->text)) {
        char hint[HINT_MAX];
        engine_changes_hint(call->text, hint, sizeof hint);
        base_report(&view->sink, BASE_WARNING, NOWHERE, hint, "there is no transition '%.40s'",
                    call->text);
    }
}

static void operator_blend(struct app_operator *view, const struct engine_call *call)
{
    enum { SECONDS_MAX = 60 };
    engine_loader_blend(view->setup.loader,
                        call->number < SECONDS_MAX ? call->number : SECONDS_MAX);
}

static void operator_random(struct app_operator *view, const struct engine_call *call)
{
    app_library_random(view->setup.library, call->to == ENGINE_SWITCH_ON);
}

static void operator_device(struct app_operator *view, const struct engine_call *call)
{
    app_sound_choose(view->setup.sound, call->text);
}

/* Whole messages, so that a wrong one breaks none of those behind it. */
static void operator_midi(struct app_operator *view, const struct engine_call *call)
{
    enum { BYTES = 24 };
    uint8_t bytes[BYTES];
    size_t count = 0;
    const char *at = call->text + strspn(call->text, " ");
    while (*at != '\0' && count < BYTES) {
        char *end;
        const long number = strtol(at, &end, 0);
        if (end == at || number < 0 || number > 255) {
            break;
        }
        bytes[count++] = (uint8_t)number;
        at = end + strspn(end, " ");
    }
    if (*at != '\0' || count == 0 || (bytes[0] & 0x80) == 0) {
        base_report(&view->sink, BASE_WARNING, NOWHERE,
                    "give a message's bytes, the first from 128 to 255: midi 176 16 64",
                    "'%.40s' are no bytes of MIDI", call->text);
    } else if (view->setup.midi == NULL) {
        app_operator_say(view, BASE_WARNING, "MIDI is off: --midi off");
    } else {
        app_midi_give(view->setup.midi, bytes, count);
    }
}

static const char *const panel_names[APP_PANEL_COUNT] = {
#define APP_PANEL(id, name, ...) [APP_PANEL_##id] = name,
#include "app/operator/panels.def"
};

static void operator_panel(struct app_operator *view, const struct engine_call *call)
{
    struct base_closest closest = {0};
    for (int i = 0; i < APP_PANEL_COUNT; i++) {
        if (strcmp(panel_names[i], call->text) == 0) {
            view->panel = (enum app_panel)i;
            return;
        }
        base_closest_try(&closest, call->text, panel_names[i]);
    }
    char hint[HINT_MAX];
    base_closest_hint(&closest, ui_command_rows[UI_COMMAND_PANEL].help, hint, sizeof hint);
    base_report(&view->sink, BASE_WARNING, NOWHERE, hint, "there is no panel '%.40s'", call->text);
}

static void operator_search(struct app_operator *view, const struct engine_call *call)
{
    view->panel = APP_PANEL_LIBRARY;
    (void)snprintf(view->list.query, sizeof view->list.query, "%.*s", APP_QUERY_SIZE - 1,
                   call->text);
    view->list.stale = true;
    if (call->text[0] == '\0') {
        view->focus = app_operator_search_id();
    }
}

static void operator_find(struct app_operator *view, const struct engine_call *call)
{
    if (view->panel == APP_PANEL_EDITOR) {
        view->focus = app_operator_find_id();
    } else {
        operator_search(view, call);
    }
}

static void operator_only(struct app_operator *view, const struct engine_call *call)
{
    if (!app_library_limit(view->setup.library, call->text)) {
        app_operator_say(view, BASE_WARNING, "nothing that may be shown fits '%s'; %s", call->text,
                         view->list.limit[0] != '\0' ? "what came before still holds"
                                                     : "all presets come as before");
        return;
    }
    (void)snprintf(view->list.limit, sizeof view->list.limit, "%.*s", APP_QUERY_SIZE - 1,
                   call->text);
    app_operator_say(view, BASE_NOTE,
                     call->text[0] != '\0' ? "only what fits '%s' comes now"
                                           : "all presets come now%s",
                     call->text);
}

static const char *const looks[APP_LOOK_COUNT] = {"list", "small", "medium", "large"};

static void operator_look(struct app_operator *view, const struct engine_call *call)
{
    for (int i = 0; i < APP_LOOK_COUNT; i++) {
        if (strcmp(looks[i], call->text) == 0) {
            view->panel = APP_PANEL_LIBRARY;
            view->list.look = (enum app_look)i;
            view->list.scroll.wanted = SIZE_MAX;
            return;
        }
    }
    app_operator_say(view, BASE_WARNING, "presets are shown as list, small, medium or large");
}

static void operator_edit(struct app_operator *view, const struct engine_call *call)
{
    (void)call;
    view->panel = APP_PANEL_EDITOR;
    view->focus = app_operator_editor_id();
}

static void operator_select(struct app_operator *view, const struct engine_call *call)
{
    app_operator_select(view, call->number);
}

static void operator_play(struct app_operator *view, const struct engine_call *call)
{
    (void)call;
    app_operator_play_selected(view, false);
}

static void operator_save(struct app_operator *view, const struct engine_call *call)
{
    app_operator_save(view, call->text);
}

static void operator_revert(struct app_operator *view, const struct engine_call *call)
{
    (void)call;
    app_operator_revert(view);
}

static void operator_screenshot(struct app_operator *view, const struct engine_call *call)
{
    (void)call;
    char folder[PATH_SIZE];
    char path[PATH_SIZE];
    /* Where pictures go: the user's folder of pictures, or the one froth was started in. */
    const char *home = getenv("HOME");
    const char *named = getenv("XDG_PICTURES_DIR");
    if (named != NULL && named[0] == '/') {
        (void)snprintf(folder, sizeof folder, "%s", named);
    } else {
        (void)snprintf(folder, sizeof folder, "%s/Pictures", home != NULL ? home : "");
    }
    if (!base_is_folder(folder)) {
        (void)snprintf(folder, sizeof folder, ".");
    }
    bool free_name = false;
    bool fits = true;
    while (fits && !free_name && view->shots < SHOTS_MAX) {
        const int length = snprintf(path, sizeof path, "%s/froth-%u.png", folder, ++view->shots);
        fits = length >= 0 && (size_t)length < sizeof path;
        free_name = fits && access(path, F_OK) != 0;
    }
    const struct app_video_format format = {
        .width = view->shot.width, .height = view->shot.height, .rate = {1, 1}, .frames = 1};
    if (!free_name) {
        app_operator_say(view, BASE_ERROR, "no name is left for a picture");
        return;
    }
    struct app_video *video = app_video_open(path, &format, &view->sink);
    if (video == NULL) {
        return;
    }
    if (app_video_frame(video, view->shot.pixels) != 0) {
        app_video_discard(video);
    } else if (app_video_finish(video) == 0) {
        app_operator_say(view, BASE_NOTE, "%s has the picture", path);
    }
}

static void (*const handlers[UI_COMMAND_COUNT])(struct app_operator *,
                                                const struct engine_call *) = {
#define PAINTER(function)                                      NULL /* the painter never hands it over */
#define SETS(function, tell)                                   NULL
#define OPERATOR(function)                                     function
#define BOTH(painter, operators)                               operators
#define VIEW(function)                                         function
#define LASTS(who, tell, low, high)                            who
#define OF_PRESET(who)                                         who
#define UI_COMMAND(id, name, group, argument, keys, help, who) [UI_COMMAND_##id] = who,
#include "ui/commands.def"
    [UI_COMMAND_RANDOM] = operator_random,
    [UI_COMMAND_BLEND] = operator_blend,
    [UI_COMMAND_TRANSITION] = operator_transition,
};

void app_operator_obey(struct app_operator *view, const struct engine_call *call)
{
    assert(handlers[call->command] != NULL);
    handlers[call->command](view, call);
}

/* ---- what is read back ---- */

static void put(char *to, const char *text)
{
    (void)snprintf(to, APP_TEXT_SIZE, "%s", text);
}

static void text_transition(const struct app_operator *view, char *to)
{
    const struct engine_changes changes = engine_loader_changes(view->setup.loader);
    put(to, engine_changes_name(&changes));
}

static void text_only(const struct app_operator *view, char *to)
{
    put(to, view->list.limit);
}

static void text_panel(const struct app_operator *view, char *to)
{
    put(to, panel_names[view->panel]);
}

static void text_search(const struct app_operator *view, char *to)
{
    put(to, view->list.query);
}

static void text_look(const struct app_operator *view, char *to)
{
    put(to, looks[view->list.look]);
}

/* Without its folder, which is nobody's business who reads this from elsewhere. */
static void text_playlist(const struct app_operator *view, char *to)
{
    const char *slash = strrchr(view->playing, '/');
    put(to, slash != NULL ? slash + 1 : view->playing);
}

static void text_tag(const struct app_operator *view, char *to)
{
    struct app_library_entry entry;
    if (view->now->version > 0 &&
        app_library_entry(view->setup.library, view->now->number, &entry)) {
        put(to, entry.tags);
    }
}

void app_operator_tell(const struct app_operator *view, struct app_operator_told *told)
{
    struct app_library_entry entry;
    memset(told, 0, sizeof *told);
    if (view->now->version > 0 &&
        app_library_entry(view->setup.library, view->now->number, &entry)) {
        told->known = true;
        told->preset = entry.number;
        told->favourite = entry.favourite;
        told->stars = entry.stars;
    }
#define TELL_PAINTER(id, tell)
#define TELL_OPERATOR(id, tell)         tell(view, told->texts[APP_TEXT_##id]);
#define APP_TEXT(id, whose, tell, help) TELL_##whose(id, tell)
#include "app/control/texts.def"
}
