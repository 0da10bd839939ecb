#include "ui/window.h"

#include <SDL.h>
#include <SDL_syswm.h>
#include <SDL_vulkan.h>
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/outputs.h"

/* round(a * b / c), at least 1 */
static int scale(int a, int b, int c)
{
    const int64_t value = ((int64_t)a * b + c / 2) / c;
    return value < 1 ? 1 : (int)value;
}

struct ui_rect ui_window_letterbox(int picture_width, int picture_height, int window_width,
                                   int window_height)
{
    assert(picture_width > 0 && picture_height > 0 && window_width > 0 && window_height > 0);
    struct ui_rect rect = {0, 0, window_width, window_height};
    if ((int64_t)window_width * picture_height > (int64_t)window_height * picture_width) {
        rect.width = scale(picture_width, window_height, picture_height);
        rect.x = (window_width - rect.width) / 2;
    } else {
        rect.height = scale(picture_height, window_width, picture_width);
        rect.y = (window_height - rect.height) / 2;
    }
    return rect;
}

enum { POINTER_REST_MS = 2000, NEWS_MAX = 8, TITLE_BAR = 40, BORDER = 4, PADS = 4 };

/* One window with what it shows. */
struct view {
    SDL_Window *window;
    SDL_Renderer *renderer; /* NULL: the screen shows it */
    SDL_Texture *picture;
    int width; /* of the picture's texture */
    int height;
    struct ui_tiles tiles; /* of what the operator's texture holds */
    Uint64 due;            /* SDL ticks before which the operator's view is not shown again */
};

struct ui_window {
    struct view show;
    struct view operator_view; /* no window: there is none */
    SDL_Texture *overlay;      /* of the operator, over the show */
    int overlay_width;
    int overlay_height;
    struct ui_tiles overlay_tiles;  /* of what it holds */
    bool covered;                   /* nothing but the overlay is seen */
    const struct ui_screen *screen; /* NULL: SDL shows what is shown */
    double refresh;
    bool vsync;
    bool software;        /* the processor draws what SDL draws: mixing two pictures is slow */
    Uint64 pointer_moved; /* SDL ticks */
    bool pointer_shown;
    bool awaits_text;                 /* the last key is named by the text it types */
    bool fills_display;               /* it began full screen and has no smaller size yet */
    struct ui_outputs_reader *reader; /* NULL: SDL tells of outputs */
    double desktop_dots;              /* per inch, as it is set; 0: it is not */
    struct ui_outputs outputs;        /* as they were looked at last */
    struct ui_stage stage;
    bool full;      /* the show is full screen, or will be when its monitor is back */
    Uint64 changed; /* SDL ticks at which outputs changed */
    Uint64 look;    /* SDL ticks at which they are looked at; 0: nothing has happened */
    int looks;      /* that follow: window managers take their time */
    int goes;       /* times that the show was put where it belongs, in vain so far */
    char *dropped;  /* path of the last thing that was dropped; NULL: it is taken */
    struct ui_event news[NEWS_MAX]; /* of outputs, to be polled */
    size_t news_count;
    SDL_GameController *pads[PADS]; /* NULL: there is none */
    double places[UI_PAD_AXES];     /* as they were told last */
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

/* In the middle of an output, of this size or as large as there is room. */
static SDL_Rect middle_of(const struct ui_window *window, int output, int width, int height)
{
    const struct ui_rect room = usable(window, output);
    SDL_Rect rect = {room.x, room.y, width, height};
    if (room.width > TITLE_BAR && room.height > TITLE_BAR) {
        if (width > room.width || height > room.height) {
            const struct ui_rect fit = ui_window_letterbox(width, height, room.width, room.height);
            rect.w = fit.width;
            rect.h = fit.height;
        }
        rect.x += (room.width - rect.w) / 2;
        rect.y += (room.height - rect.h) / 2;
    }
    return rect;
}

static SDL_Renderer *create_renderer(SDL_Window *window, bool vsync)
{
    const Uint32 wait = vsync ? SDL_RENDERER_PRESENTVSYNC : 0;
    const Uint32 attempts[] = {SDL_RENDERER_ACCELERATED | wait, wait, SDL_RENDERER_SOFTWARE};
    SDL_Renderer *renderer = NULL;
    for (size_t i = 0; renderer == NULL && i < sizeof attempts / sizeof attempts[0]; i++) {
        renderer = SDL_CreateRenderer(window, -1, attempts[i]);
    }
    return renderer;
}

/* Mesa's OpenGL that runs on the processor calls itself accelerated. */
static bool draws_by_processor(const SDL_RendererInfo *info)
{
    enum { GL_RENDERER_NAME = 0x1F01 };
    const unsigned char *(*get_string)(unsigned) = NULL;
    void *found = SDL_GL_GetProcAddress("glGetString");
    if ((info->flags & SDL_RENDERER_SOFTWARE) != 0 || found == NULL ||
        strncmp(info->name, "opengl", strlen("opengl")) != 0) {
        return (info->flags & SDL_RENDERER_SOFTWARE) != 0;
    }
    memcpy(&get_string, &found, sizeof get_string);
    const char *name = (const char *)get_string(GL_RENDERER_NAME);
    return name != NULL && (strstr(name, "llvmpipe") != NULL || strstr(name, "softpipe") != NULL);
}

/* How often per second what is shown waits for the display; 0: it does not. */
static double refresh_of(const struct ui_window *window)
{
    SDL_RendererInfo info;
    SDL_DisplayMode mode;
    const bool by_screen = window->screen != NULL;
    if (!window->vsync || (!by_screen && (SDL_GetRendererInfo(window->show.renderer, &info) != 0 ||
                                          (info.flags & SDL_RENDERER_PRESENTVSYNC) == 0))) {
        return 0;
    }
    const int display = SDL_GetWindowDisplayIndex(window->show.window);
    const bool known = display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0;
    return known && mode.refresh_rate > 0 ? mode.refresh_rate : 60;
}

static void measure_refresh(struct ui_window *window)
{
    SDL_RendererInfo info;
    window->software = window->screen == NULL &&
                       SDL_GetRendererInfo(window->show.renderer, &info) == 0 &&
                       draws_by_processor(&info);
    window->refresh = refresh_of(window);
}

static bool open_display(void)
{
    if (getenv("XDG_RUNTIME_DIR") == NULL) {
        /* Wayland without a run-time folder cannot work, but its library says so on standard error.
         */
        char others[256] = "";
        for (int i = 0; i < SDL_GetNumVideoDrivers(); i++) {
            const char *driver = SDL_GetVideoDriver(i);
            const size_t used = strlen(others);
            if (strcmp(driver, "wayland") != 0) {
                (void)snprintf(others + used, sizeof others - used, "%s%s", used > 0 ? "," : "",
                               driver);
            }
        }
        (void)SDL_SetHint(SDL_HINT_VIDEODRIVER, others); /* SDL_VIDEODRIVER wins over it */
    }
    /* libdecor 0.1.1, which draws title bars on Wayland where the compositor does not, goes on
     * calling for a window that is gone, and the process crashes. */
    (void)SDL_SetHint("SDL_VIDEO_WAYLAND_ALLOW_LIBDECOR", "0");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || strcmp(driver, "dummy") == 0 || strcmp(driver, "offscreen") == 0) {
        (void)SDL_SetError("this display shows nothing");
        return false;
    }
    return true;
}

/* Without them the show goes on. The stage seldom has the keyboard. */
static void open_pads(void)
{
    (void)SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    (void)SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
}

static SDL_Texture *create_texture(SDL_Renderer *renderer, int width, int height)
{
    return SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING, width,
                             height);
}

static void close_view(struct view *view)
{
    if (view->picture != NULL) {
        SDL_DestroyTexture(view->picture);
    }
    if (view->renderer != NULL) {
        SDL_DestroyRenderer(view->renderer);
    }
    if (view->window != NULL) {
        SDL_DestroyWindow(view->window);
    }
    *view = (struct view){0};
}

/* On X11 SDL keeps no account of outputs that are switched off, moved, or get another size. */
static struct ui_outputs read_outputs(const struct ui_window *window)
{
    struct ui_outputs outputs = {.count = 0};
    if (window->reader != NULL) {
        ui_outputs_read(window->reader, &outputs);
    }
    for (int i = 0; window->reader == NULL && i < SDL_GetNumVideoDisplays(); i++) {
        SDL_Rect place;
        const char *name = SDL_GetDisplayName(i);
        if (SDL_GetDisplayBounds(i, &place) == 0) {
            ui_outputs_add(&outputs, name != NULL ? name : "",
                           (struct ui_rect){place.x, place.y, place.w, place.h}, i == 0);
        }
    }
    return outputs;
}

/* There SDL takes a full screen to be on one of the outputs that it knows, too. */
static struct ui_rect place_of(const struct ui_window *window, const struct view *view)
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

/* Chooses the output of the show; -1: the system does. */
static int choose_output(struct ui_window *window, const struct ui_window_config *config,
                         const struct base_diag_sink *sink)
{
    int to = -1;
    window->outputs = read_outputs(window);
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

static uint64_t make_surface(void *user, void *instance)
{
    const struct ui_window *window = user;
    VkSurfaceKHR surface = 0;
    uint64_t made = 0;
    if (SDL_Vulkan_CreateSurface(window->show.window, (VkInstance)instance, &surface) == SDL_TRUE) {
        memcpy(&made, &surface, sizeof surface);
    }
    return made;
}

static void size_of_show(void *user, int *width, int *height)
{
    const struct ui_window *window = user;
    *width = *height = 0;
    if ((SDL_GetWindowFlags(window->show.window) & SDL_WINDOW_MINIMIZED) == 0) {
        SDL_Vulkan_GetDrawableSize(window->show.window, width, height);
    }
}

/* If it can show pictures in the window, which there may be. */
static void open_screen(struct ui_window *window, const struct ui_screen *screen)
{
    const struct ui_screen_window face = {window, make_surface, size_of_show};
    if (window->show.window != NULL && screen->open(screen->user, &face, window->vsync)) {
        window->screen = screen;
    }
}

/* This may make another window of the system's in the place of the one that there is. */
static bool show_by_sdl(struct ui_window *window)
{
    struct view *show = &window->show;
    show->renderer = create_renderer(show->window, window->vsync);
    show->picture =
        show->renderer != NULL ? create_texture(show->renderer, show->width, show->height) : NULL;
    return show->picture != NULL;
}

static bool create_show(struct ui_window *window, const struct ui_window_config *config, int output)
{
    struct view *show = &window->show;
    const int on = output < 0 ? 0 : output;
    SDL_Rect at = middle_of(window, on, config->width, config->height);
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (config->fullscreen) {
        /* Without a window manager nobody makes a window full screen: it has to begin that large.
         */
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
        if (on < window->outputs.count) {
            const struct ui_rect place = window->outputs.items[on].place;
            at = (SDL_Rect){place.x, place.y, place.width, place.height};
        }
        window->fills_display = true;
        window->full = true;
    } else if (output < 0) {
        at.x = at.y = (int)SDL_WINDOWPOS_CENTERED;
    }
    show->width = config->width;
    show->height = config->height;
    if (config->screen != NULL) {
        show->window =
            SDL_CreateWindow(config->title, at.x, at.y, at.w, at.h, flags | SDL_WINDOW_VULKAN);
        open_screen(window, config->screen);
    }
    if (show->window == NULL) {
        show->window = SDL_CreateWindow(config->title, at.x, at.y, at.w, at.h, flags);
    }
    return show->window != NULL && (window->screen != NULL || show_by_sdl(window));
}

static enum ui_window_result open_all(struct ui_window *window,
                                      const struct ui_window_config *config,
                                      const struct base_diag_sink *sink)
{
    if (!open_display()) {
        base_report(sink, BASE_WARNING, (struct base_place){0}, NULL, "no display: %s",
                    SDL_GetError());
        return UI_WINDOW_NO_DISPLAY;
    }
    (void)SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    (void)SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    (void)SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
    (void)SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");
    if (strcmp(SDL_GetCurrentVideoDriver(), "x11") == 0) {
        window->reader = ui_outputs_open();
        window->desktop_dots = window->reader != NULL ? ui_outputs_dots(window->reader) : 0;
    }
    open_pads();
    if (!create_show(window, config, choose_output(window, config, sink))) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "try a smaller --size",
                    "no window can be opened: %s", SDL_GetError());
        return UI_WINDOW_FAILED;
    }
    return UI_WINDOW_OPEN;
}

enum ui_window_result ui_window_open(struct ui_window **window,
                                     const struct ui_window_config *config,
                                     const struct base_diag_sink *sink)
{
    *window = NULL;
    struct ui_window *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return UI_WINDOW_FAILED;
    }
    opened->vsync = config->vsync;
    const enum ui_window_result result = open_all(opened, config, sink);
    if (result != UI_WINDOW_OPEN) {
        ui_window_close(opened);
        return result;
    }
    opened->pointer_moved = SDL_GetTicks64();
    opened->pointer_shown = true;
    opened->changed = SDL_GetTicks64();
    measure_refresh(opened);
    SDL_DisableScreenSaver();
    *window = opened;
    return UI_WINDOW_OPEN;
}

void ui_window_close(struct ui_window *window)
{
    if (window == NULL) {
        return;
    }
    if (window->overlay != NULL) {
        SDL_DestroyTexture(window->overlay);
    }
    if (window->screen != NULL) {
        window->screen->close(window->screen->user);
    }
    close_view(&window->operator_view);
    close_view(&window->show);
    ui_outputs_close(window->reader);
    free(window->dropped);
    for (int i = 0; i < PADS; i++) {
        SDL_GameControllerClose(window->pads[i]);
    }
    SDL_Quit();
    free(window);
}

double ui_window_refresh(const struct ui_window *window)
{
    return window->refresh;
}

/* ---- names of keys ---- */

static const char *key_name(SDL_Keycode code)
{
    switch (code) {
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return "Enter";
    case SDLK_APPLICATION:
        return "Menu";
    default:
        return SDL_GetKeyName(code);
    }
}

/* Digits and signs, which layouts have in different places. */
static bool is_sign(SDL_Keycode code)
{
    return code > SDLK_SPACE && code < SDLK_DELETE && !(code >= SDLK_a && code <= SDLK_z);
}

/* Appends what fits; `text` of `size` bytes ends with a NUL before and after. */
static void append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    const size_t length = strlen(more);
    const size_t fits = length < size - used ? length : size - used - 1;
    memcpy(text + used, more, fits);
    text[used + fits] = '\0';
}

/* ---- monitors ---- */

enum {
    LOOK_MS = 300, /* after something happened */
    LOOK_AGAIN_MS = 700,
    LOOKS = 4,
    CHANGING_MS = 2500, /* as long do windows move because outputs have changed, not by the user */
    GOES_MAX = 5,
};

static void look_soon(struct ui_window *window)
{
    window->look = SDL_GetTicks64() + LOOK_MS;
    window->looks = LOOKS;
}

static void tell(struct ui_window *window, enum ui_event_kind kind, const char *name)
{
    if (window->news_count < NEWS_MAX) {
        struct ui_event *event = &window->news[window->news_count++];
        *event = (struct ui_event){.kind = kind};
        append(event->text, sizeof event->text, name);
    }
}

static void put(SDL_Window *window, SDL_Rect at)
{
    SDL_SetWindowSize(window, at.w, at.h);
    SDL_SetWindowPosition(window, at.x, at.y);
}

bool ui_window_is_fullscreen(const struct ui_window *window)
{
    return (SDL_GetWindowFlags(window->show.window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

static void leave_fullscreen(struct ui_window *window, int output)
{
    SDL_Window *show = window->show.window;
    (void)SDL_SetWindowFullscreen(show, 0);
    if (window->fills_display) {
        /* It began full screen and has never had another size. */
        put(show, middle_of(window, output, window->show.width, window->show.height));
        window->fills_display = false;
    }
}

static int show_at(const struct ui_window *window)
{
    return ui_outputs_at(&window->outputs, place_of(window, &window->show));
}

void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen)
{
    const int at = show_at(window);
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
        look_soon(window);
    }
    (void)SDL_SetWindowFullscreen(window->show.window, SDL_WINDOW_FULLSCREEN_DESKTOP);
}

static void put_show(struct ui_window *window, int output)
{
    SDL_Window *show = window->show.window;
    SDL_Window *operators = window->operator_view.window;
    const bool types = operators != NULL && SDL_GetKeyboardFocus() == operators;
    if (ui_window_is_fullscreen(window)) {
        leave_fullscreen(window, output);
    }
    int width = 0;
    int height = 0;
    SDL_GetWindowSize(window->show.window, &width, &height);
    put(show, middle_of(window, output, width, height));
    if (window->full) {
        (void)SDL_SetWindowFullscreen(show, SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
    if (types) {
        SDL_RaiseWindow(operators);
    }
    measure_refresh(window);
}

static void put_operator(struct ui_window *window, int output)
{
    int width = 0;
    int height = 0;
    SDL_GetWindowSize(window->operator_view.window, &width, &height);
    SDL_RestoreWindow(window->operator_view.window);
    put(window->operator_view.window, middle_of(window, output, width, height));
}

static bool holds(struct ui_rect room, struct ui_rect rect)
{
    return rect.x >= room.x && rect.y >= room.y && rect.x + rect.width <= room.x + room.width &&
           rect.y + rect.height <= room.y + room.height;
}

/* Outputs have changed, or the show has moved: he is to see his window, and the audience is not. */
static void settle_operator(struct ui_window *window, int show, bool fewer, bool lost)
{
    const struct ui_outputs *outputs = &window->outputs;
    const struct ui_rect place = place_of(window, &window->operator_view);
    const int at = ui_outputs_at(outputs, place);
    const int beside = ui_outputs_beside(outputs, show);
    if (outputs->count == 1 && lost) {
        leave_fullscreen(window, 0);
        put_operator(window, 0);
        SDL_RaiseWindow(window->operator_view.window);
    } else if (outputs->count == 1 && fewer && window->full) {
        tell(window, UI_EVENT_OPERATOR_LOST, "");
    } else if (window->full && beside >= 0 && at == show) {
        put_operator(window, beside);
    } else if (at < 0 || !holds(outputs->items[at].place, place)) {
        put_operator(window, at < 0 ? 0 : at);
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

static void settle(struct ui_window *window)
{
    const struct ui_outputs now = read_outputs(window);
    const struct ui_outputs former = window->outputs;
    const struct ui_stage before = window->stage;
    if (now.count == 0) {
        return;
    }
    const bool news = !is_same(&now, &former);
    window->outputs = now;
    if (news) {
        window->changed = SDL_GetTicks64();
        window->goes = 0;
        tell(window, UI_EVENT_MONITORS, "");
    }
    const bool changing = SDL_GetTicks64() < window->changed + CHANGING_MS;
    int at = show_at(window);
    int to = at;
    const enum ui_stage_order order = ui_stage_follow(&window->stage, &now, at, changing, &to);
    const bool goes = order == UI_STAGE_GO || order == UI_STAGE_BACK || at < 0;
    if (order == UI_STAGE_LOST) {
        tell(window, UI_EVENT_SHOW_LOST, before.home);
    } else if (order == UI_STAGE_BACK) {
        tell(window, UI_EVENT_SHOW_BACK, now.items[to].name);
    }
    window->goes = goes ? window->goes + 1 : 0;
    if (goes && window->goes <= GOES_MAX) {
        at = to < 0 ? 0 : to;
        put_show(window, at);
    }
    if (window->operator_view.window != NULL && (changing || goes)) {
        settle_operator(window, at, now.count < former.count, order == UI_STAGE_LOST);
    }
}

static void follow_outputs(struct ui_window *window)
{
    if (window->reader != NULL && ui_outputs_changed(window->reader)) {
        look_soon(window);
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
    const int at = show_at(window);
    return at < 0 ? 1 : at + 1;
}

const char *ui_window_monitor_name(const struct ui_window *window)
{
    const int at = show_at(window);
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
    settle(window);
    look_soon(window);
    return true;
}

/* ---- keys and mouse ---- */

static void show_pointer(struct ui_window *window, bool shown)
{
    if (window->pointer_shown != shown) {
        (void)SDL_ShowCursor(shown ? SDL_ENABLE : SDL_DISABLE);
        window->pointer_shown = shown;
    }
}

static void note_pointer(struct ui_window *window)
{
    window->pointer_moved = SDL_GetTicks64();
    show_pointer(window, true);
}

static bool is_operator(const struct ui_window *window, Uint32 id)
{
    return window->operator_view.window != NULL &&
           SDL_GetWindowID(window->operator_view.window) == id;
}

/* In pixels. */
static bool output_size(const struct view *view, int *width, int *height)
{
    if (view->renderer == NULL) {
        SDL_Vulkan_GetDrawableSize(view->window, width, height);
    } else if (SDL_GetRendererOutputSize(view->renderer, width, height) != 0) {
        return false;
    }
    return *width > 0 && *height > 0;
}

/* Places come in points, which may be several pixels. */
static void place(const struct ui_window *window, struct ui_event *event, int x, int y)
{
    const struct view *view = event->operator_window ? &window->operator_view : &window->show;
    int points_x = 1;
    int points_y = 1;
    int width = 1;
    int height = 1;
    SDL_GetWindowSize(view->window, &points_x, &points_y);
    if (output_size(view, &width, &height) && points_x > 0 && points_y > 0) {
        event->x = (int)((int64_t)x * width / points_x);
        event->y = (int)((int64_t)y * height / points_y);
    }
}

static const char *button_name(Uint8 button)
{
    switch (button) {
    case SDL_BUTTON_LEFT:
        return "MouseLeft";
    case SDL_BUTTON_MIDDLE:
        return "MouseMiddle";
    case SDL_BUTTON_RIGHT:
        return "MouseRight";
    default:
        return "";
    }
}

static bool translate_window(struct ui_window *window, const SDL_WindowEvent *from,
                             struct ui_event *to)
{
    to->operator_window = is_operator(window, from->windowID);
    switch (from->event) {
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        measure_refresh(window);
        look_soon(window);
        return false;
    case SDL_WINDOWEVENT_MOVED:
        look_soon(window);
        return false;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        window->covered = false; /* all of it is to be shown again */
        (void)memset(&window->operator_view.tiles, 0, sizeof window->operator_view.tiles);
        return false;
    case SDL_WINDOWEVENT_LEAVE:
        to->kind = UI_EVENT_LEAVE;
        return true;
    case SDL_WINDOWEVENT_CLOSE:
        to->kind = UI_EVENT_CLOSE;
        return true;
    default:
        return false;
    }
}

/* ---- gamepads ---- */

static const char *const pad_buttons[] = {
    [SDL_CONTROLLER_BUTTON_A] = "PadA",
    [SDL_CONTROLLER_BUTTON_B] = "PadB",
    [SDL_CONTROLLER_BUTTON_X] = "PadX",
    [SDL_CONTROLLER_BUTTON_Y] = "PadY",
    [SDL_CONTROLLER_BUTTON_BACK] = "PadBack",
    [SDL_CONTROLLER_BUTTON_GUIDE] = "PadGuide",
    [SDL_CONTROLLER_BUTTON_START] = "PadStart",
    [SDL_CONTROLLER_BUTTON_LEFTSTICK] = "PadLeftStick",
    [SDL_CONTROLLER_BUTTON_RIGHTSTICK] = "PadRightStick",
    [SDL_CONTROLLER_BUTTON_LEFTSHOULDER] = "PadLeftShoulder",
    [SDL_CONTROLLER_BUTTON_RIGHTSHOULDER] = "PadRightShoulder",
    [SDL_CONTROLLER_BUTTON_DPAD_UP] = "PadUp",
    [SDL_CONTROLLER_BUTTON_DPAD_DOWN] = "PadDown",
    [SDL_CONTROLLER_BUTTON_DPAD_LEFT] = "PadLeft",
    [SDL_CONTROLLER_BUTTON_DPAD_RIGHT] = "PadRight",
};

const char *const ui_pad_axes[UI_PAD_AXES] = {
    [SDL_CONTROLLER_AXIS_LEFTX] = "PadLeftX",
    [SDL_CONTROLLER_AXIS_LEFTY] = "PadLeftY",
    [SDL_CONTROLLER_AXIS_RIGHTX] = "PadRightX",
    [SDL_CONTROLLER_AXIS_RIGHTY] = "PadRightY",
    [SDL_CONTROLLER_AXIS_TRIGGERLEFT] = "PadLeftTrigger",
    [SDL_CONTROLLER_AXIS_TRIGGERRIGHT] = "PadRightTrigger",
};

/* index: of SDL's list of devices. */
static bool take_pad(struct ui_window *window, int index, struct ui_event *to)
{
    for (int i = 0; i < PADS; i++) {
        if (window->pads[i] == NULL) {
            window->pads[i] = SDL_GameControllerOpen(index);
            const char *name =
                window->pads[i] != NULL ? SDL_GameControllerName(window->pads[i]) : NULL;
            to->kind = UI_EVENT_PAD_CAME;
            append(to->text, sizeof to->text, name != NULL ? name : "without a name");
            return window->pads[i] != NULL;
        }
    }
    return false;
}

static bool lose_pad(struct ui_window *window, SDL_JoystickID id, struct ui_event *to)
{
    SDL_GameController *pad = SDL_GameControllerFromInstanceID(id);
    for (int i = 0; pad != NULL && i < PADS; i++) {
        if (window->pads[i] == pad) {
            const char *name = SDL_GameControllerName(pad);
            to->kind = UI_EVENT_PAD_GONE;
            append(to->text, sizeof to->text, name != NULL ? name : "without a name");
            SDL_GameControllerClose(pad);
            window->pads[i] = NULL;
            memset(window->places, 0, sizeof window->places);
            return true;
        }
    }
    return false;
}

/* At rest a stick is not quite in its middle, and trembles. */
static bool move_axis(struct ui_window *window, int axis, double value, struct ui_event *to)
{
    static const double stick_dead = 0.2;
    static const double trigger_dead = 0.05;
    static const double finest = 1.0 / 512;
    if (axis < 0 || axis >= UI_PAD_AXES) {
        return false;
    }
    const double dead = axis >= SDL_CONTROLLER_AXIS_TRIGGERLEFT ? trigger_dead : stick_dead;
    const double far = fmin((fabs(value) - dead) / (1 - dead), 1);
    to->place = far > 0 ? copysign(far, value) : 0;
    const bool moved = fabs(to->place - window->places[axis]) >= finest ||
                       (to->place == 0) != (window->places[axis] == 0);
    if (moved) {
        window->places[axis] = to->place;
        to->kind = UI_EVENT_AXIS;
        to->axis = axis;
        append(to->key, sizeof to->key, ui_pad_axes[axis]);
    }
    return moved;
}

static bool press_pad(unsigned button, struct ui_event *to)
{
    if (button >= sizeof pad_buttons / sizeof *pad_buttons || pad_buttons[button] == NULL) {
        return false;
    }
    to->kind = UI_EVENT_PAD;
    append(to->key, sizeof to->key, pad_buttons[button]);
    return true;
}

/* Returns true if the event is one for the caller. */
static bool translate(struct ui_window *window, const SDL_Event *from, struct ui_event *to)
{
    switch (from->type) {
    case SDL_QUIT:
        to->kind = UI_EVENT_QUIT;
        return true;
    case SDL_KEYDOWN: {
        const SDL_Keysym *key = &from->key.keysym;
        const bool sign = is_sign(key->sym);
        const bool commands = (key->mod & (KMOD_CTRL | KMOD_LALT | KMOD_GUI)) != 0;
        /* What a key is called that types a sign is known only with the text that follows it: "<"
         * may need Shift or not, "{" another level of the layout. */
        window->awaits_text = !commands && (sign || (key->mod & (KMOD_RALT | KMOD_MODE)) != 0) &&
                              (key->sym & SDLK_SCANCODE_MASK) == 0 && key->sym > SDLK_SPACE;
        to->kind = UI_EVENT_KEY;
        to->operator_window = is_operator(window, from->key.windowID);
        to->repeat = from->key.repeat != 0;
        append(to->key, sizeof to->key, (key->mod & KMOD_CTRL) != 0 ? "Ctrl+" : "");
        append(to->key, sizeof to->key, (key->mod & KMOD_ALT) != 0 ? "Alt+" : "");
        append(to->key, sizeof to->key, (key->mod & KMOD_GUI) != 0 ? "Super+" : "");
        append(to->key, sizeof to->key, (key->mod & KMOD_SHIFT) != 0 && !sign ? "Shift+" : "");
        append(to->key, sizeof to->key, key_name(key->sym));
        return !window->awaits_text;
    }
    case SDL_TEXTINPUT: {
        const char *text = from->text.text;
        const bool awaited = window->awaits_text;
        window->awaits_text = false;
        if ((SDL_GetModState() & (KMOD_CTRL | KMOD_LALT | KMOD_GUI)) != 0) {
            return false; /* of Alt+1, say, which is a command and no text */
        }
        to->kind = UI_EVENT_TEXT;
        to->operator_window = is_operator(window, from->text.windowID);
        append(to->text, sizeof to->text, text);
        if (awaited && is_sign((unsigned char)text[0]) && text[1] == '\0') {
            append(to->key, sizeof to->key, text);
        }
        return to->text[0] != '\0';
    }
    case SDL_MOUSEMOTION:
        note_pointer(window);
        to->kind = UI_EVENT_MOVE;
        to->operator_window = is_operator(window, from->motion.windowID);
        place(window, to, from->motion.x, from->motion.y);
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        note_pointer(window);
        to->kind = from->type == SDL_MOUSEBUTTONDOWN ? UI_EVENT_PRESS : UI_EVENT_LET_GO;
        to->operator_window = is_operator(window, from->button.windowID);
        to->clicks = from->button.clicks;
        append(to->key, sizeof to->key, button_name(from->button.button));
        place(window, to, from->button.x, from->button.y);
        return to->key[0] != '\0';
    case SDL_MOUSEWHEEL: {
        const SDL_MouseWheelEvent *wheel = &from->wheel;
        to->kind = UI_EVENT_WHEEL;
        to->operator_window = is_operator(window, wheel->windowID);
        to->wheel = wheel->direction == SDL_MOUSEWHEEL_FLIPPED ? -wheel->preciseY : wheel->preciseY;
        append(to->key, sizeof to->key, to->wheel > 0 ? "WheelUp" : "WheelDown");
        place(window, to, wheel->mouseX, wheel->mouseY);
        return wheel->preciseY != 0;
    }
    case SDL_WINDOWEVENT:
        return translate_window(window, &from->window, to);
    case SDL_CONTROLLERDEVICEADDED:
        return take_pad(window, from->cdevice.which, to);
    case SDL_CONTROLLERDEVICEREMOVED:
        return lose_pad(window, from->cdevice.which, to);
    case SDL_CONTROLLERBUTTONDOWN:
        return press_pad(from->cbutton.button, to);
    case SDL_CONTROLLERAXISMOTION:
        return move_axis(window, from->caxis.axis, from->caxis.value / 32767.0, to);
    case SDL_DISPLAYEVENT:
        look_soon(window);
        return false;
    case SDL_DROPFILE:
        to->kind = UI_EVENT_DROP;
        to->operator_window = is_operator(window, from->drop.windowID);
        free(window->dropped);
        window->dropped = from->drop.file != NULL ? strdup(from->drop.file) : NULL;
        SDL_free(from->drop.file);
        return window->dropped != NULL;
    case SDL_DROPTEXT:
        SDL_free(from->drop.file);
        return false;
    default:
        return false;
    }
}

bool ui_window_poll(struct ui_window *window, struct ui_event *event)
{
    SDL_Event from;
    while (SDL_PollEvent(&from) != 0) {
        *event = (struct ui_event){.shift = (SDL_GetModState() & KMOD_SHIFT) != 0};
        if (translate(window, &from, event)) {
            return true;
        }
    }
    follow_outputs(window);
    if (window->news_count > 0) {
        *event = window->news[0];
        window->news_count--;
        memmove(window->news, window->news + 1, window->news_count * sizeof *window->news);
        return true;
    }
    return false;
}

char *ui_window_dropped(struct ui_window *window)
{
    char *path = window->dropped;
    window->dropped = NULL;
    return path;
}

/* ---- pictures ---- */

static void update(SDL_Texture *texture, const struct ui_surface *surface)
{
    (void)SDL_UpdateTexture(texture, NULL, surface->pixels,
                            (int)(surface->stride * sizeof *surface->pixels));
}

/* Takes the tiles over that changed; false if there are none. */
static bool update_tiles(SDL_Texture *texture, const struct ui_surface *surface,
                         const struct ui_tiles *tiles, struct ui_tiles *held)
{
    bool changed = false;
    for (int i = 0; i < UI_TILES; i++) {
        const struct ui_rect rect = ui_tile_rect(surface, i);
        if (tiles->hashes[i] != held->hashes[i] && rect.width > 0 && rect.height > 0) {
            const SDL_Rect part = {rect.x, rect.y, rect.width, rect.height};
            (void)SDL_UpdateTexture(texture, &part,
                                    surface->pixels + (size_t)rect.y * surface->stride + rect.x,
                                    (int)(surface->stride * sizeof *surface->pixels));
            held->hashes[i] = tiles->hashes[i];
            changed = true;
        }
    }
    return changed;
}

/* Showing the operator's view may take a quarter of the time, and the rest is the show's. */
static Uint64 due_after(Uint64 begun)
{
    const Uint64 now = SDL_GetTicks64();
    return now + 3 * (now - begun);
}

/* A new one where the operator's view has another size. Where mixing is slow it covers the picture.
 */
static bool fit_overlay(struct ui_window *window, const struct ui_surface *overlay)
{
    enum { OVERLAY_OPACITY = 236 };
    if (window->overlay != NULL && window->overlay_width == overlay->width &&
        window->overlay_height == overlay->height) {
        return true;
    }
    if (window->overlay != NULL) {
        SDL_DestroyTexture(window->overlay);
    }
    window->overlay = create_texture(window->show.renderer, overlay->width, overlay->height);
    window->overlay_width = overlay->width;
    window->overlay_height = overlay->height;
    window->overlay_tiles = (struct ui_tiles){0};
    window->covered = false;
    const SDL_BlendMode mode = window->software ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND;
    return window->overlay != NULL && SDL_SetTextureBlendMode(window->overlay, mode) == 0 &&
           SDL_SetTextureAlphaMod(window->overlay, OVERLAY_OPACITY) == 0;
}

/* Where a window stands is told by its inside, and it is put there by its frame, which the system
 * makes a moment after the window. */
static void await_frame(SDL_Window *window)
{
    enum { TIMES = 10, TIME_MS = 10 };
    int top = 0;
    for (int i = 0; i < TIMES && top == 0; i++) {
        SDL_PumpEvents();
        if (SDL_GetWindowBordersSize(window, &top, NULL, NULL, NULL) != 0 || top == 0) {
            SDL_Delay(TIME_MS);
        }
    }
}

/* SDL goes on in the place of the screen, in a window that looks as the one before. */
static void leave_screen(struct ui_window *window)
{
    SDL_Window *show = window->show.window;
    SDL_Window *focus = SDL_GetKeyboardFocus();
    const bool full = ui_window_is_fullscreen(window);
    SDL_Rect at = {0, 0, 0, 0};
    SDL_GetWindowPosition(show, &at.x, &at.y);
    SDL_GetWindowSize(show, &at.w, &at.h);
    window->screen->close(window->screen->user);
    window->screen = NULL;
    (void)show_by_sdl(window);
    if (!full) {
        await_frame(show);
        put(show, at);
    } else if (!ui_window_is_fullscreen(window)) {
        (void)SDL_SetWindowFullscreen(show, SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
    if (focus != NULL && focus != show) {
        SDL_RaiseWindow(focus);
    }
    SDL_SetCursor(NULL); /* as it was: shown, or not */
    measure_refresh(window);
    look_soon(window);
}

/* Where SDL could not, it is asked again from time to time. */
static bool is_shown_by_sdl(struct ui_window *window)
{
    enum { AGAIN_MS = 1000 };
    struct view *show = &window->show;
    if (show->picture == NULL && SDL_GetTicks64() >= show->due) {
        if (show->renderer != NULL) {
            SDL_DestroyRenderer(show->renderer);
        }
        show->due = show_by_sdl(window) ? 0 : SDL_GetTicks64() + AGAIN_MS;
        measure_refresh(window);
    }
    return show->picture != NULL;
}

static void rest_pointer(struct ui_window *window)
{
    if (SDL_GetTicks64() - window->pointer_moved > POINTER_REST_MS) {
        show_pointer(window, false);
    }
}

/* false: SDL is to show it. */
static bool show_on_screen(struct ui_window *window, const struct ui_screen_frame *frame)
{
    const struct ui_screen *screen = window->screen;
    if (screen != NULL && screen->show(screen->user, frame) == UI_SCREEN_LOST) {
        leave_screen(window);
    }
    return window->screen != NULL;
}

void ui_window_present(struct ui_window *window, const struct ui_surface *picture,
                       const struct ui_surface *overlay, const struct ui_tiles *tiles)
{
    const struct ui_screen_frame frame = {.picture = picture, .overlay = overlay, .tiles = tiles};
    struct view *show = &window->show;
    int width = 0;
    int height = 0;
    rest_pointer(window);
    if (show_on_screen(window, &frame) || !is_shown_by_sdl(window) ||
        !output_size(show, &width, &height)) {
        return;
    }
    const Uint64 begun = SDL_GetTicks64();
    const bool laid = overlay != NULL && fit_overlay(window, overlay);
    const bool covered = laid && window->software;
    if (covered && window->covered && begun < show->due) {
        return;
    }
    const bool changed =
        laid && update_tiles(window->overlay, overlay, tiles, &window->overlay_tiles);
    if (covered && window->covered && !changed) {
        return;
    }
    window->covered = covered;
    if (!covered) {
        const struct ui_rect fit = ui_window_letterbox(show->width, show->height, width, height);
        const SDL_Rect target = {fit.x, fit.y, fit.width, fit.height};
        update(show->picture, picture);
        (void)SDL_SetRenderDrawColor(show->renderer, 0, 0, 0, 255);
        (void)SDL_RenderClear(show->renderer);
        (void)SDL_RenderCopy(show->renderer, show->picture, NULL, &target);
    }
    if (laid) {
        (void)SDL_RenderCopy(show->renderer, window->overlay, NULL, NULL);
    }
    SDL_RenderPresent(show->renderer);
    show->due = due_after(begun);
}

bool ui_window_takes_device(const struct ui_window *window)
{
    return window->screen != NULL;
}

bool ui_window_present_there(struct ui_window *window, const struct rend_device_shown *picture,
                             const struct ui_surface *overlay, const struct ui_tiles *tiles,
                             int step)
{
    const struct ui_screen_frame frame = {
        .there = picture, .overlay = overlay, .tiles = tiles, .step = step};
    rest_pointer(window);
    return show_on_screen(window, &frame);
}

const uint32_t *ui_window_small(struct ui_window *window, int *width, int *height)
{
    *width = *height = 0;
    return window->screen != NULL ? window->screen->small(window->screen->user, width, height)
                                  : NULL;
}

void ui_window_set_title(struct ui_window *window, const char *title)
{
    SDL_SetWindowTitle(window->show.window, title);
}

/* ---- which picture is due when ---- */

static const double refresh_tolerance = 0.03;
static const double drift_max = 0.02;    /* frames per frame */
static const double display_slack = 0.5; /* frames that a display may be ahead of the clock */
static const double early_margin = 0.1;  /* frames */

enum { EARLY_MAX = 8, DISTRUST_FRAMES = 1200 };

void ui_pace_start(struct ui_pace *pace, double fps, double refresh, double now)
{
    assert(fps > 0);
    *pace = (struct ui_pace){.fps = fps, .origin = now - 1 / fps};
    pace->display = refresh > 0 && fabs(refresh - fps) <= refresh_tolerance * fps;
}

static bool follows_display(const struct ui_pace *pace)
{
    return pace->display && pace->distrust == 0;
}

double ui_pace_wake(const struct ui_pace *pace)
{
    const double slack = follows_display(pace) ? display_slack : 0;
    return pace->origin + ((double)(pace->frame + 1) - slack) / pace->fps;
}

uint64_t ui_pace_next(struct ui_pace *pace, double now)
{
    const double ideal = (now - pace->origin) * pace->fps;
    const uint64_t due = ideal > 0 ? (uint64_t)(ideal + 0.5) : 0;
    pace->frame = due > pace->frame + 1 ? due : pace->frame + 1;
    if (!follows_display(pace)) {
        pace->distrust -= pace->distrust > 0;
        return pace->frame;
    }
    const double error = ideal - (double)pace->frame; /* how late the frame is, in frames */
    pace->early = error < early_margin - display_slack ? pace->early + 1 : 0;
    if (pace->early >= EARLY_MAX) {
        pace->early = 0;
        pace->distrust = DISTRUST_FRAMES;
    } else {
        pace->origin += fmax(-drift_max, fmin(drift_max, error)) / pace->fps;
    }
    return pace->frame;
}

/* ---- the operator's window ---- */

bool ui_window_open_operator(struct ui_window *window, int width, int height)
{
    struct view *view = &window->operator_view;
    if (view->window != NULL) {
        return true;
    }
    const int show = show_at(window);
    const int beside = ui_outputs_beside(&window->outputs, show);
    const SDL_Rect at = middle_of(window, beside < 0 ? show : beside, width, height);
    view->window = SDL_CreateWindow("froth - operator", at.x, at.y, at.w, at.h,
                                    SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    view->renderer = view->window == NULL ? NULL : create_renderer(view->window, false);
    if (view->renderer == NULL) {
        close_view(view);
        return false;
    }
    return true;
}

void ui_window_close_operator(struct ui_window *window)
{
    close_view(&window->operator_view);
}

void ui_window_present_operator(struct ui_window *window, const struct ui_surface *surface,
                                const struct ui_tiles *tiles)
{
    struct view *view = &window->operator_view;
    const Uint64 begun = SDL_GetTicks64();
    if (view->window == NULL || begun < view->due) {
        return;
    }
    if (view->picture == NULL || view->width != surface->width || view->height != surface->height) {
        if (view->picture != NULL) {
            SDL_DestroyTexture(view->picture);
        }
        view->picture = create_texture(view->renderer, surface->width, surface->height);
        view->width = surface->width;
        view->height = surface->height;
        view->tiles = (struct ui_tiles){0};
    }
    if (view->picture != NULL && update_tiles(view->picture, surface, tiles, &view->tiles)) {
        (void)SDL_RenderCopy(view->renderer, view->picture, NULL, NULL);
        SDL_RenderPresent(view->renderer);
        view->due = due_after(begun);
    }
}

double ui_window_scale(double per_point, double desktop_dots, double dots, int width)
{
    static const double usual = 96;
    static const double most = 4;
    static const double narrowest = 8; /* inches; what is said to be smaller is no monitor */
    double scale = 1;
    if (per_point > 1) {
        scale = per_point;
    } else if (desktop_dots > 0) {
        scale = desktop_dots / usual;
    } else if (dots > usual && width > narrowest * dots) {
        scale = dots / usual;
    }
    return scale < most ? scale : most;
}

struct ui_window_pixels ui_window_pixels(const struct ui_window *window)
{
    const struct view *view =
        window->operator_view.window != NULL ? &window->operator_view : &window->show;
    struct ui_window_pixels pixels = {0, 0, UI_WINDOW_TEXT};
    int points = 0;
    float dots = 0;
    SDL_Rect bounds = {0, 0, 0, 0};
    if (!output_size(view, &pixels.width, &pixels.height)) {
        return (struct ui_window_pixels){0, 0, UI_WINDOW_TEXT};
    }
    SDL_GetWindowSize(view->window, &points, NULL);
    const int display = SDL_GetWindowDisplayIndex(view->window);
    if (display < 0 || SDL_GetDisplayDPI(display, NULL, &dots, NULL) != 0 ||
        SDL_GetDisplayBounds(display, &bounds) != 0) {
        dots = 0;
    }
    const double per_point = points > 0 ? (double)pixels.width / points : 1;
    const double scale = ui_window_scale(per_point, window->desktop_dots, (double)dots, bounds.w);
    pixels.text = (int)(UI_WINDOW_TEXT * scale + 0.5);
    return pixels;
}

bool ui_window_keys_elsewhere(const struct ui_window *window)
{
    const SDL_Window *own = window->operator_view.window;
    return own != NULL && SDL_GetKeyboardFocus() != own;
}

char *ui_window_clipboard(void)
{
    char *held = SDL_HasClipboardText() ? SDL_GetClipboardText() : NULL;
    char *text = held == NULL ? NULL : strdup(held);
    SDL_free(held);
    return text;
}

void ui_window_set_clipboard(const char *text)
{
    (void)SDL_SetClipboardText(text);
}
