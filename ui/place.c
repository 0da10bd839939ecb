#include <stdio.h>
#include <string.h>

#include "ui/sdl.h"

enum {
    TITLE_BAR = 40,
    BORDER = 4,
    LOOK_MS = 300, /* after something happened */
    LOOK_AGAIN_MS = 700,
    LOOKS = 4,
    LEAVE_MS = 50,      /* in which a window is shown without its full screen */
    CHANGING_MS = 2500, /* as long do windows move because outputs have changed, not by the user */
    GOES_MAX = 5,
    GOES_ASKED = 2, /* where the system puts windows, which heard it the first time */
};

/* What a window may take of an output: not what panels take, nor its own title bar. */
static struct ui_rect usable(const struct ui_window *window, int output)
{
    struct ui_rect room = {0, 0, 0, 0};
    if (output >= 0 && output < window->outputs.count) {
        room = window->outputs.items[output].place;
    }
    for (int i = 0; i < SDL_GetNumVideoDisplays(); i++) {
        SDL_Rect all;
        SDL_Rect part;
        if (SDL_GetDisplayBounds(i, &all) == 0 && all.x == room.x && all.y == room.y &&
            all.w == room.width && all.h == room.height &&
            SDL_GetDisplayUsableBounds(i, &part) == 0 && part.w > TITLE_BAR && part.h > TITLE_BAR) {
            room = (struct ui_rect){part.x, part.y, part.w, part.h};
        }
    }
    return (struct ui_rect){room.x + BORDER, room.y + TITLE_BAR, room.width - 2 * BORDER,
                            room.height - TITLE_BAR - BORDER};
}

SDL_Rect ui_sdl_middle(const struct ui_window *window, int output, int width, int height)
{
    const struct ui_rect room = usable(window, output);
    SDL_Rect rect = {room.x, room.y, width, height};
    const bool by_index = !window->placed && output >= 0 && output < window->outputs.count;
    if (room.width > TITLE_BAR && room.height > TITLE_BAR) {
        if (width > room.width || height > room.height) {
            const struct ui_rect fit = ui_window_letterbox(width, height, room.width, room.height);
            rect.w = fit.width;
            rect.h = fit.height;
        }
        rect.x += (room.width - rect.w) / 2;
        rect.y += (room.height - rect.h) / 2;
    }
    if (by_index) {
        rect.x = rect.y =
            (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)window->outputs.items[output].index);
    }
    return rect;
}

/* As SDL knows them, by whose index windows are put there; the compositor knows their connectors.
 */
static void read_by_index(const struct ui_window *window, struct ui_outputs *outputs)
{
    struct ui_output told[UI_OUTPUTS_MAX];
    const int count = window->wayland != NULL ? ui_wayland_outputs(window->wayland, told) : 0;
    unsigned taken = 0;
    for (int i = 0; i < SDL_GetNumVideoDisplays(); i++) {
        struct ui_output output = {.index = i};
        SDL_Rect place;
        const char *name = SDL_GetDisplayName(i);
        if (SDL_GetDisplayBounds(i, &place) != 0) {
            continue;
        }
        output.place = (struct ui_rect){place.x, place.y, place.w, place.h};
        (void)snprintf(output.description, sizeof output.description, "%s",
                       name != NULL ? name : "");
        const int match = ui_outputs_match(told, count, taken, &output);
        if (match >= 0) {
            taken |= 1U << match;
            memcpy(output.name, told[match].name, sizeof output.name);
            memcpy(output.description, told[match].description, sizeof output.description);
        }
        ui_outputs_add_apart(outputs, &output);
    }
}

/* On X11 SDL keeps no account of outputs that are switched off, moved, or get another size. */
void ui_sdl_read_outputs(const struct ui_window *window, struct ui_outputs *outputs)
{
    outputs->count = 0;
    if (window->reader != NULL) {
        ui_outputs_read(window->reader, outputs);
    } else {
        read_by_index(window, outputs);
    }
}

/* There SDL takes a full screen to be on one of the outputs that it knows, too. */
static struct ui_rect place_of(const struct ui_window *window, const struct ui_sdl_view *view)
{
    struct ui_rect place;
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version)
    if (window->reader == NULL || SDL_GetWindowWMInfo(view->window, &info) != SDL_TRUE ||
        info.subsystem != SDL_SYSWM_X11 ||
        !ui_outputs_place(window->reader, info.info.x11.window, &place)) {
        SDL_GetWindowPosition(view->window, &place.x, &place.y);
        SDL_GetWindowSize(view->window, &place.width, &place.height);
    }
    return place;
}

/* Index of the output on which a window is; -1: none. */
static int output_of(const struct ui_window *window, const struct ui_sdl_view *view)
{
    if (window->placed) {
        return ui_outputs_at(&window->outputs, place_of(window, view));
    }
    for (int i = 0; view->at[0] != '\0' && i < window->outputs.count; i++) {
        if (strcmp(window->outputs.items[i].name, view->at) == 0) {
            return i;
        }
    }
    const int index = SDL_GetWindowDisplayIndex(view->window);
    for (int i = 0; index >= 0 && i < window->outputs.count; i++) {
        if (window->outputs.items[i].index == index) {
            return i;
        }
    }
    return -1;
}

void ui_sdl_note_output(const struct ui_window *window, struct ui_sdl_view *view, int index)
{
    struct ui_outputs now;
    ui_sdl_read_outputs(window, &now);
    for (int i = 0; i < now.count; i++) {
        if (now.items[i].index == index) {
            memcpy(view->at, now.items[i].name, sizeof view->at);
        }
    }
}

int ui_sdl_choose_output(struct ui_window *window, const struct ui_window_config *config,
                         const struct base_diag_sink *sink)
{
    int to = -1;
    ui_sdl_read_outputs(window, &window->outputs);
    ui_stage_tell(&window->stage, config->monitor != NULL ? config->monitor : "",
                  config->fullscreen && config->monitor == NULL);
    (void)ui_stage_follow(&window->stage, &window->outputs, -1, true, &to);
    if (to < 0 && config->monitor != NULL) {
        char list[UI_OUTPUTS_MAX * UI_OUTPUT_NAME] = "";
        for (int i = 0; i < window->outputs.count; i++) {
            const size_t used = strlen(list);
            (void)snprintf(list + used, sizeof list - used, "%s%d %s", i > 0 ? ", " : "", i + 1,
                           window->outputs.items[i].name);
        }
        base_report(sink, BASE_WARNING, (struct base_place){0}, NULL,
                    "there is no monitor '%s', only %s: the show goes there when it comes",
                    config->monitor, list);
    }
    return to;
}

/* Where looks take long, what a change brings about is seen at one that is late. */
static void note_change(struct ui_window *window)
{
    window->changed = SDL_GetTicks64();
    window->changing = LOOKS - 1;
    ui_sdl_look_soon(window);
}

static bool is_changing(const struct ui_window *window)
{
    return window->changing > 0 || SDL_GetTicks64() < window->changed + CHANGING_MS;
}

void ui_sdl_look_soon(struct ui_window *window)
{
    window->look = SDL_GetTicks64() + LOOK_MS;
    window->looks = LOOKS;
}

void ui_sdl_opened(struct ui_window *window)
{
    window->fresh = window->placed ? LOOKS : 0;
    ui_sdl_look_soon(window);
}

/* other: a second name, which some kinds have. */
static void tell_both(struct ui_window *window, enum ui_event_kind kind, const char *name,
                      const char *other)
{
    if (window->news_count < UI_SDL_NEWS) {
        struct ui_event event = {.kind = kind};
        (void)snprintf(event.text, sizeof event.text, "%s", name);
        (void)snprintf(event.key, sizeof event.key, "%s", other);
        window->news[window->news_count++] = event;
    }
}

static void tell(struct ui_window *window, enum ui_event_kind kind, const char *name)
{
    tell_both(window, kind, name, "");
}

void ui_sdl_put(const struct ui_window *window, SDL_Window *moved, SDL_Rect at)
{
    SDL_SetWindowSize(moved, at.w, at.h);
    if (window->placed) {
        SDL_SetWindowPosition(moved, at.x, at.y);
    }
}

static bool is_full(SDL_Window *window)
{
    return (SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

bool ui_sdl_fill(const struct ui_window *window, struct ui_sdl_view *view, int output)
{
    /* SDL takes a window to be where it was told to be; where it really comes to is told by an
     * event. */
    const struct ui_rect place = window->outputs.items[output].place;
    int width = 0;
    int height = 0;
    if (view->at[0] == '\0') {
        ui_sdl_note_output(window, view, SDL_GetWindowDisplayIndex(view->window));
    }
    SDL_PumpEvents(); /* the system may have taken its full screen away */
    if (is_full(view->window)) {
        (void)SDL_SetWindowFullscreen(view->window, 0);
        return false;
    }
    SDL_GetWindowSize(view->window, &width, &height);
    const int x = place.x + (place.width - width) / 2;
    const int y = place.y + (place.height - height) / 2;
    SDL_SetWindowPosition(view->window, x + (x == place.x), y);
    (void)SDL_SetWindowFullscreen(view->window, SDL_WINDOW_FULLSCREEN_DESKTOP);
    return true;
}

bool ui_window_is_fullscreen(const struct ui_window *window)
{
    return is_full(window->show.window);
}

static void leave_fullscreen(struct ui_window *window, int output)
{
    SDL_Window *show = window->show.window;
    (void)SDL_SetWindowFullscreen(show, 0);
    if (window->fills_display) {
        /* It began full screen and has never had another size. */
        ui_sdl_put(window, show,
                   ui_sdl_middle(window, output, window->show.width, window->show.height));
        window->fills_display = false;
    }
}

int ui_sdl_show_at(const struct ui_window *window)
{
    return output_of(window, &window->show);
}

void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen)
{
    const int at = ui_sdl_show_at(window);
    window->full = fullscreen;
    if (ui_window_is_fullscreen(window) == fullscreen) {
        return;
    }
    if (!fullscreen) {
        leave_fullscreen(window, at);
        return;
    }
    if (at >= 0 && window->stage.wish[0] == '\0' && !window->stage.apart) {
        ui_stage_tell(&window->stage, window->outputs.items[at].name, false);
        ui_sdl_look_soon(window);
    }
    (void)SDL_SetWindowFullscreen(window->show.window, SDL_WINDOW_FULLSCREEN_DESKTOP);
}

/* When an output is unplugged the system moves its full screen window to the other one, and SDL
 * then minimises the one that fills that, which on Wayland no program can undo; nor does it take
 * the full screen away from what was moved. Windows that are hidden and shown are new ones to the
 * system. */
static void hide(const struct ui_window *window, const struct ui_sdl_view *view)
{
    if (window->wayland != NULL) {
        SDL_HideWindow(view->window);
    }
}

static void show_anew(const struct ui_window *window, const struct ui_sdl_view *view)
{
    if (window->wayland != NULL) {
        SDL_ShowWindow(view->window);
    }
}

/* false: to be called again in a moment. */
static bool put_show(struct ui_window *window, int output)
{
    SDL_Window *show = window->show.window;
    SDL_Window *operators = window->operator_view.window;
    const bool types = operators != NULL && SDL_GetKeyboardFocus() == operators;
    if (!window->placed) {
        /* SDL minimises a full screen window in whose place another one comes. */
        if (operators != NULL && output_of(window, &window->operator_view) == output) {
            (void)SDL_SetWindowFullscreen(operators, 0);
        }
        if (window->goes > 1) {
            /* SDL does not learn that a window is on an output that has only just come. */
            hide(window, &window->show);
            (void)SDL_SetWindowFullscreen(show, 0);
            show_anew(window, &window->show);
        }
        if (!ui_sdl_fill(window, &window->show, output)) {
            return false;
        }
        if (!window->full) {
            (void)SDL_SetWindowFullscreen(show, 0);
        }
    } else {
        int width = 0;
        int height = 0;
        if (ui_window_is_fullscreen(window)) {
            leave_fullscreen(window, output);
        }
        SDL_GetWindowSize(show, &width, &height);
        ui_sdl_put(window, show, ui_sdl_middle(window, output, width, height));
        if (window->full) {
            (void)SDL_SetWindowFullscreen(show, SDL_WINDOW_FULLSCREEN_DESKTOP);
        }
    }
    if (types) {
        SDL_RaiseWindow(operators);
    }
    ui_sdl_measure_refresh(window);
    return true;
}

/* At least once more; sooner than another look that is due. */
static void look_in(struct ui_window *window, int ms)
{
    window->looks = window->looks > 0 ? window->looks : 1;
    window->look = SDL_GetTicks64() + (Uint64)ms;
}

static void put_operator(struct ui_window *window, int output)
{
    SDL_Window *operators = window->operator_view.window;
    int width = 0;
    int height = 0;
    if (!window->placed) {
        /* Until it is there: what is asked of a compositor may cross with what it has ordered. */
        if (window->operator_goes < GOES_MAX) {
            const bool there = ui_sdl_fill(window, &window->operator_view, output);
            window->operator_goes += there;
            look_in(window, there ? LOOK_AGAIN_MS : LEAVE_MS);
        }
        return;
    }
    SDL_GetWindowSize(operators, &width, &height);
    SDL_RestoreWindow(operators);
    ui_sdl_put(window, operators, ui_sdl_middle(window, output, width, height));
}

static bool holds(struct ui_rect room, struct ui_rect rect)
{
    return rect.x >= room.x && rect.y >= room.y && rect.x + rect.width <= room.x + room.width &&
           rect.y + rect.height <= room.y + room.height;
}

/* A window that is put by coordinates is not whole on this output. */
static bool hangs_over(const struct ui_window *window, const struct ui_sdl_view *view, int output)
{
    return window->placed && !holds(window->outputs.items[output].place, place_of(window, view));
}

/* On the only output that is left the show, whose own is gone, is a window behind his view. */
static bool makes_way(const struct ui_window *window)
{
    return !window->placed && window->outputs.count == 1 && window->stage.lost &&
           window->operator_view.window != NULL;
}

/* Outputs have changed, or the show has moved: he is to see his window, and the audience is not. */
static void settle_operator(struct ui_window *window, int show, bool fewer, bool lost)
{
    const struct ui_outputs *outputs = &window->outputs;
    const int at = output_of(window, &window->operator_view);
    const int beside = ui_outputs_beside(outputs, show);
    if (outputs->count == 1 && lost) {
        hide(window, &window->operator_view);
        hide(window, &window->show);
        (void)SDL_SetWindowFullscreen(window->show.window, 0);
        show_anew(window, &window->show);
        leave_fullscreen(window, 0);
        show_anew(window, &window->operator_view);
        put_operator(window, 0);
        SDL_RaiseWindow(window->operator_view.window);
    } else if (outputs->count == 1 && fewer && window->full) {
        hide(window, &window->operator_view); /* who is told closes it */
        hide(window, &window->show);
        show_anew(window, &window->show);
        tell(window, UI_EVENT_OPERATOR_LOST, "");
    } else if (makes_way(window) && window->operator_goes > 0 &&
               !is_full(window->operator_view.window)) {
        put_operator(window, 0);
    } else if (window->full && beside >= 0 &&
               (at == show || (!window->placed && !is_full(window->operator_view.window)))) {
        put_operator(window, beside);
    } else if (at < 0 || hangs_over(window, &window->operator_view, at)) {
        put_operator(window, at < 0 ? 0 : at);
    } else {
        window->operator_goes = 0;
    }
}

static bool is_same(const struct ui_outputs *a, const struct ui_outputs *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++) {
        const struct ui_output *one = &a->items[i];
        const struct ui_output *other = &b->items[i];
        same = strcmp(one->name, other->name) == 0 && holds(one->place, other->place) &&
               holds(other->place, one->place);
    }
    return same;
}

/* SDL takes a window to be as large as it asked for; its pixels tell how large it is. */
static bool is_full_in_vain(const struct ui_window *window, int at)
{
    enum { ROUNDED = 2 }; /* pixels that scales may make of a size */
    int width = 0;
    int height = 0;
    if (window->placed || !window->full || makes_way(window) || at < 0) {
        return false;
    }
    const struct ui_rect place = window->outputs.items[at].place;
    return ui_sdl_size(&window->show, &width, &height) &&
           (width + ROUNDED < place.width || height + ROUNDED < place.height);
}

/* Once the show is seen where it belongs, or is not, however often it was put there. */
static void tell_place(struct ui_window *window, int at, int to, bool goes, int goes_max)
{
    if (window->awaited && at == to && at >= 0 && (!goes || window->goes > goes_max)) {
        tell(window, UI_EVENT_SHOW_BACK, window->outputs.items[at].name);
        window->awaited = false;
    } else if (goes && window->goes == goes_max + 1 && at >= 0 && at != to) {
        tell_both(window, UI_EVENT_SHOW_ELSEWHERE, window->outputs.items[to].name,
                  window->outputs.items[at].name);
        window->awaited = false;
    }
}

static void settle(struct ui_window *window)
{
    struct ui_outputs now;
    ui_sdl_read_outputs(window, &now);
    const struct ui_outputs former = window->outputs;
    const struct ui_stage before = window->stage;
    if (now.count == 0) {
        return;
    }
    const bool news = !is_same(&now, &former);
    window->outputs = now;
    if (news) {
        note_change(window);
        window->goes = 0;
        window->operator_goes = !window->placed;
        tell(window, UI_EVENT_MONITORS, "");
    }
    const bool changing = is_changing(window);
    const bool fresh = window->fresh > 0;
    window->changing -= window->changing > 0;
    window->fresh -= fresh;
    int at = ui_sdl_show_at(window);
    int to = at;
    const enum ui_stage_order order = ui_stage_follow(&window->stage, &now, at, changing, &to);
    const bool goes = order == UI_STAGE_GO || order == UI_STAGE_BACK || at < 0 ||
                      (at == to && (window->leaves || is_full_in_vain(window, at)));
    if (order == UI_STAGE_LOST) {
        tell(window, UI_EVENT_SHOW_LOST, before.home);
    }
    const int goes_max = window->placed ? GOES_MAX : GOES_ASKED;
    window->awaited = window->awaited || order == UI_STAGE_BACK;
    window->goes = goes ? window->goes + 1 : 0;
    tell_place(window, at, to, goes, goes_max);
    if (goes && window->goes <= goes_max) {
        at = to < 0 ? 0 : to;
        window->leaves = !put_show(window, at);
        if (window->leaves) {
            window->goes--;
            look_in(window, LEAVE_MS);
            return;
        }
        window->operator_goes = !window->placed;
        look_in(window, LOOK_AGAIN_MS);
    }
    const bool settles = window->operator_goes > 0; /* only off X11 */
    if (fresh && !goes && !window->full && at >= 0 && hangs_over(window, &window->show, at)) {
        (void)put_show(window, at);
    }
    if (window->operator_view.window != NULL && (changing || goes || settles || fresh)) {
        settle_operator(window, at, now.count < former.count, order == UI_STAGE_LOST);
    }
}

void ui_sdl_follow_outputs(struct ui_window *window)
{
    const bool changed = window->reader != NULL    ? ui_outputs_changed(window->reader)
                         : window->wayland != NULL ? ui_wayland_changed(window->wayland)
                                                   : false;
    if (changed && window->wayland != NULL) {
        note_change(window); /* SDL does not tell of another size or scale */
    } else if (changed) {
        ui_sdl_look_soon(window);
    }
    if (window->look != 0 && SDL_GetTicks64() >= window->look) {
        window->looks--;
        window->look = window->looks > 0 ? SDL_GetTicks64() + LOOK_AGAIN_MS : 0;
        settle(window);
    }
}

int ui_window_monitors(const struct ui_window *window)
{
    return window->outputs.count < 1 ? 1 : window->outputs.count;
}

int ui_window_monitor(const struct ui_window *window)
{
    const int at = ui_sdl_show_at(window);
    return at < 0 ? 1 : at + 1;
}

const char *ui_window_monitor_name(const struct ui_window *window)
{
    const int at = ui_sdl_show_at(window);
    return at < 0 ? "" : window->outputs.items[at].name;
}

bool ui_window_set_monitor(struct ui_window *window, const char *wish)
{
    settle(window); /* one may have gone since outputs were last looked at */
    if (wish[0] == '\0' && window->outputs.count < 2) {
        return true; /* there is nowhere to go, and a monitor that is gone is waited for */
    }
    const int next = ui_window_monitor(window) % ui_window_monitors(window);
    const int to = wish[0] == '\0' ? next : ui_outputs_find(&window->outputs, wish);
    if (to < 0 || to >= window->outputs.count) {
        return false;
    }
    ui_stage_tell(&window->stage, window->outputs.items[to].name, false);
    window->goes = 0;
    ui_sdl_look_soon(window);
    settle(window);
    return true;
}
