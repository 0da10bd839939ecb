#include "ui/window.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTER_REST_MS = 2000 };

struct ui_window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    int width; /* of the pictures */
    int height;
    double refresh;
    Uint64 pointer_moved; /* SDL ticks */
    bool pointer_shown;
    bool fills_display; /* it began full screen and has no smaller size yet */
};

static bool display_is_real(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver != NULL && strcmp(driver, "dummy") != 0 && strcmp(driver, "offscreen") != 0;
}

/* As large as the pictures, or as the display allows. */
static void first_size(int picture_width, int picture_height, int *width, int *height)
{
    *width = picture_width;
    *height = picture_height;
    SDL_Rect room;
    if (SDL_GetDisplayUsableBounds(0, &room) != 0 || room.w < 1 || room.h < 1) {
        return;
    }
    if (*width > room.w || *height > room.h) {
        const struct ui_rect fit = ui_window_letterbox(*width, *height, room.w, room.h);
        *width = fit.width;
        *height = fit.height;
    }
}

/* Without a window manager nobody makes a window full screen: it has to begin that large. */
static void display_size(int picture_width, int picture_height, int *width, int *height)
{
    SDL_Rect bounds;
    if (SDL_GetDisplayBounds(0, &bounds) == 0 && bounds.w > 0 && bounds.h > 0) {
        *width = bounds.w;
        *height = bounds.h;
    } else {
        first_size(picture_width, picture_height, width, height);
    }
}

static SDL_Renderer *create_renderer(SDL_Window *window)
{
    static const Uint32 attempts[] = {SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC,
                                      SDL_RENDERER_PRESENTVSYNC, SDL_RENDERER_SOFTWARE};
    SDL_Renderer *renderer = NULL;
    for (size_t i = 0; renderer == NULL && i < sizeof attempts / sizeof attempts[0]; i++) {
        renderer = SDL_CreateRenderer(window, -1, attempts[i]);
    }
    return renderer;
}

static void measure_refresh(struct ui_window *window)
{
    SDL_RendererInfo info;
    SDL_DisplayMode mode;
    window->refresh = 0;
    if (SDL_GetRendererInfo(window->renderer, &info) == 0 &&
        (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0) {
        const int display = SDL_GetWindowDisplayIndex(window->window);
        const bool known = display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0;
        window->refresh = known && mode.refresh_rate > 0 ? mode.refresh_rate : 60;
    }
}

/* Wayland without a run-time folder cannot work, but its library says so on standard error. */
static void leave_out_wayland(void)
{
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

static bool open_display(void)
{
    if (getenv("XDG_RUNTIME_DIR") == NULL) {
        leave_out_wayland();
    }
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    if (!display_is_real()) {
        (void)SDL_SetError("this display shows nothing");
        return false;
    }
    return true;
}

static bool create_window(struct ui_window *window, const struct ui_window_config *config)
{
    (void)SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    (void)SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    int width = 0;
    int height = 0;
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (config->fullscreen) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
        display_size(config->width, config->height, &width, &height);
        window->fills_display = true;
    } else {
        first_size(config->width, config->height, &width, &height);
    }
    window->window = SDL_CreateWindow(config->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                      width, height, flags);
    window->renderer = window->window == NULL ? NULL : create_renderer(window->window);
    window->texture =
        window->renderer == NULL
            ? NULL
            : SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_RGB888,
                                SDL_TEXTUREACCESS_STREAMING, config->width, config->height);
    return window->texture != NULL;
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
    if (!create_window(window, config)) {
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
    const enum ui_window_result result = open_all(opened, config, sink);
    if (result != UI_WINDOW_OPEN) {
        ui_window_close(opened);
        return result;
    }
    opened->width = config->width;
    opened->height = config->height;
    opened->pointer_moved = SDL_GetTicks64();
    opened->pointer_shown = true;
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
    if (window->texture != NULL) {
        SDL_DestroyTexture(window->texture);
    }
    if (window->renderer != NULL) {
        SDL_DestroyRenderer(window->renderer);
    }
    if (window->window != NULL) {
        SDL_DestroyWindow(window->window);
    }
    SDL_Quit();
    free(window);
}

double ui_window_refresh(const struct ui_window *window)
{
    return window->refresh;
}

static const char *key_name(SDL_Keycode code)
{
    switch (code) {
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return "Enter";
    default:
        return SDL_GetKeyName(code);
    }
}

static void name_key(const SDL_Keysym *key, char *text, size_t size)
{
    (void)snprintf(text, size, "%s%s%s%s", (key->mod & KMOD_CTRL) != 0 ? "Ctrl+" : "",
                   (key->mod & KMOD_ALT) != 0 ? "Alt+" : "",
                   (key->mod & KMOD_GUI) != 0 ? "Super+" : "", key_name(key->sym));
}

static void show_pointer(struct ui_window *window, bool shown)
{
    if (window->pointer_shown != shown) {
        (void)SDL_ShowCursor(shown ? SDL_ENABLE : SDL_DISABLE);
        window->pointer_shown = shown;
    }
}

/* Returns true if the event is one for the caller. */
static bool translate(struct ui_window *window, const SDL_Event *from, struct ui_event *to)
{
    switch (from->type) {
    case SDL_QUIT:
        to->kind = UI_EVENT_QUIT;
        return true;
    case SDL_KEYDOWN:
        to->kind = UI_EVENT_KEY;
        name_key(&from->key.keysym, to->key, sizeof to->key);
        return from->key.repeat == 0;
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
        window->pointer_moved = SDL_GetTicks64();
        show_pointer(window, true);
        return false;
    case SDL_WINDOWEVENT:
        if (from->window.event == SDL_WINDOWEVENT_DISPLAY_CHANGED) {
            measure_refresh(window);
        }
        return false;
    default:
        return false;
    }
}

bool ui_window_poll(struct ui_window *window, struct ui_event *event)
{
    SDL_Event from;
    while (SDL_PollEvent(&from) != 0) {
        *event = (struct ui_event){0};
        if (translate(window, &from, event)) {
            return true;
        }
    }
    return false;
}

void ui_window_present(struct ui_window *window, const struct ui_surface *picture)
{
    if (SDL_GetTicks64() - window->pointer_moved > POINTER_REST_MS) {
        show_pointer(window, false);
    }
    int width = 0;
    int height = 0;
    if (SDL_GetRendererOutputSize(window->renderer, &width, &height) != 0 || width < 1 ||
        height < 1) {
        return;
    }
    const struct ui_rect fit = ui_window_letterbox(window->width, window->height, width, height);
    const SDL_Rect target = {fit.x, fit.y, fit.width, fit.height};
    (void)SDL_UpdateTexture(window->texture, NULL, picture->pixels,
                            (int)(picture->stride * sizeof *picture->pixels));
    (void)SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    (void)SDL_RenderClear(window->renderer);
    (void)SDL_RenderCopy(window->renderer, window->texture, NULL, &target);
    SDL_RenderPresent(window->renderer);
}

void ui_window_set_title(struct ui_window *window, const char *title)
{
    SDL_SetWindowTitle(window->window, title);
}

void ui_window_toggle_fullscreen(struct ui_window *window)
{
    const bool full = (SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
    (void)SDL_SetWindowFullscreen(window->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
    if (full && window->fills_display) {
        int width = 0;
        int height = 0;
        first_size(window->width, window->height, &width, &height);
        SDL_SetWindowSize(window->window, width, height);
        SDL_SetWindowPosition(window->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
        window->fills_display = false;
    }
}
