#include "ui/window.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/sdl.h"

enum { POINTER_REST_MS = 2000 };

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

void ui_sdl_measure_refresh(struct ui_window *window)
{
    SDL_RendererInfo info;
    window->software = window->screen == NULL &&
                       SDL_GetRendererInfo(window->show.renderer, &info) == 0 &&
                       draws_by_processor(&info);
    window->refresh = refresh_of(window);
}

/* libdecor draws title bars on Wayland where the compositor does not. Until 0.2 it goes on calling
 * for a window that is gone, and the process crashes. Its version is in the name of its file alone:
 * 0.2.2 is libdecor-0.so.0.200.2. */
static bool is_libdecor_mended(void)
{
    enum { LINE = 512, MENDED = 200 };
    static const char name[] = "libdecor-0.so.0";
    char line[LINE];
    long version = 0;
    void *library = SDL_LoadObject(name);
    FILE *maps = library != NULL ? fopen("/proc/self/maps", "r") : NULL;
    while (maps != NULL && version == 0 && fgets(line, sizeof line, maps) != NULL) {
        const char *found = strstr(line, name);
        version = found != NULL ? strtol(found + sizeof name, NULL, 10) : 0;
    }
    if (maps != NULL) {
        (void)fclose(maps);
    }
    SDL_UnloadObject(library);
    return version >= MENDED;
}

static bool open_display(struct ui_window *window)
{
    static const char app_id[] = "io.froth.froth";
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
    /* The name of the desktop's entry, by which desktops find icon and name of a window. */
    (void)SDL_setenv("SDL_VIDEO_WAYLAND_WMCLASS", app_id, 0);
    (void)SDL_setenv("SDL_VIDEO_X11_WMCLASS", app_id, 0);
    window->wayland = ui_wayland_open();
    const bool frames = window->wayland != NULL && !ui_wayland_draws_frames(window->wayland);
    const bool libdecor = frames && is_libdecor_mended();
    (void)SDL_SetHint("SDL_VIDEO_WAYLAND_ALLOW_LIBDECOR", libdecor ? "1" : "0");
    (void)SDL_SetHint("SDL_VIDEO_SYNC_WINDOW_OPERATIONS", "1"); /* of SDL 3 behind SDL 2's face */
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || strcmp(driver, "dummy") == 0 || strcmp(driver, "offscreen") == 0) {
        (void)SDL_SetError("this display shows nothing");
        return false;
    }
    window->placed = strcmp(driver, "x11") == 0;
    if (window->placed) {
        window->reader = ui_outputs_open();
        window->desktop_dots = window->reader != NULL ? ui_outputs_dots(window->reader) : 0;
    }
    if (strcmp(driver, "wayland") != 0) {
        ui_wayland_close(window->wayland);
        window->wayland = NULL;
    } else {
        /* The compositor lets a window wait that nobody sees. */
        window->vsync = false;
    }
    return true;
}

static void close_display(struct ui_window *window)
{
    ui_outputs_close(window->reader);
    ui_wayland_close(window->wayland);
    window->reader = NULL;
    window->wayland = NULL;
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

static void close_view(struct ui_sdl_view *view)
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
    *view = (struct ui_sdl_view){0};
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
    struct ui_sdl_view *show = &window->show;
    show->renderer = create_renderer(show->window, window->vsync);
    show->picture =
        show->renderer != NULL ? create_texture(show->renderer, show->width, show->height) : NULL;
    return show->picture != NULL;
}

static bool create_show(struct ui_window *window, const struct ui_window_config *config, int output)
{
    struct ui_sdl_view *show = &window->show;
    const int on = output < 0 ? 0 : output;
    SDL_Rect at = ui_sdl_middle(window, on, config->width, config->height);
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    const bool by_index = !window->placed && on < window->outputs.count;
    if (config->fullscreen && by_index) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
        window->fills_display = true;
        window->full = true;
    } else if (config->fullscreen) {
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

/* Says why there is none. */
static enum ui_window_result report_no_display(const struct base_diag_sink *sink, const char *why)
{
    base_report(sink, BASE_WARNING, (struct base_place){0}, NULL, "no display: %s", why);
    return UI_WINDOW_NO_DISPLAY;
}

static enum ui_window_result open_all(struct ui_window *window,
                                      const struct ui_window_config *config,
                                      const struct base_diag_sink *sink)
{
    if (!open_display(window)) {
        return report_no_display(sink, SDL_GetError());
    }
    (void)SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    (void)SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    (void)SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
    (void)SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");
    open_pads();
    if (!create_show(window, config, ui_sdl_choose_output(window, config, sink))) {
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
    const char *lacks = base_late_load(&late_sdl);
    if (lacks != NULL) {
        return report_no_display(sink, lacks);
    }
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
    ui_sdl_measure_refresh(opened);
    SDL_DisableScreenSaver();
    SDL_StartTextInput();  /* which on Wayland nobody does who is not asked to */
    ui_sdl_opened(opened); /* whether the system has put it where it belongs */
    *window = opened;
    return UI_WINDOW_OPEN;
}

static void close_windows(struct ui_window *window)
{
    if (window->overlay != NULL) {
        SDL_DestroyTexture(window->overlay);
        window->overlay = NULL;
    }
    if (window->screen != NULL) {
        window->screen->close(window->screen->user);
        window->screen = NULL;
    }
    close_view(&window->operator_view);
    close_view(&window->show);
}

void ui_sdl_lose_display(struct ui_window *window)
{
    close_windows(window);
    close_display(window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    /* SDL takes it for the end of the program. */
    SDL_FlushEvent(SDL_QUIT);
    window->gone = true;
    window->full = false;
    window->refresh = 0;
    window->look = 0;
    window->outputs.count = 0;
}

bool ui_window_list_monitors(struct ui_outputs *outputs)
{
    struct ui_window window = {0};
    outputs->count = 0;
    if (base_late_load(&late_sdl) != NULL) {
        return false;
    }
    const bool known = open_display(&window);
    if (known) {
        ui_sdl_read_outputs(&window, outputs);
    }
    close_display(&window);
    SDL_Quit();
    return known;
}

void ui_window_close(struct ui_window *window)
{
    if (window == NULL) {
        return;
    }
    close_windows(window);
    close_display(window);
    free(window->dropped);
    for (int i = 0; i < UI_SDL_PADS; i++) {
        SDL_GameControllerClose(window->pads[i]);
    }
    SDL_Quit();
    free(window);
}

double ui_window_refresh(const struct ui_window *window)
{
    return window->refresh;
}

/* ---- pictures ---- */

/* In pixels. */
bool ui_sdl_size(const struct ui_sdl_view *view, int *width, int *height)
{
    if (view->renderer == NULL) {
        SDL_Vulkan_GetDrawableSize(view->window, width, height);
    } else if (SDL_GetRendererOutputSize(view->renderer, width, height) != 0) {
        return false;
    }
    return *width > 0 && *height > 0;
}

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
        ui_sdl_put(window, show, at);
    } else if (!ui_window_is_fullscreen(window)) {
        (void)SDL_SetWindowFullscreen(show, SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
    if (focus != NULL && focus != show) {
        SDL_RaiseWindow(focus);
    }
    SDL_SetCursor(NULL); /* as it was: shown, or not */
    ui_sdl_measure_refresh(window);
    ui_sdl_look_soon(window);
}

/* Where SDL could not, it is asked again from time to time. */
static bool is_shown_by_sdl(struct ui_window *window)
{
    enum { AGAIN_MS = 1000 };
    struct ui_sdl_view *show = &window->show;
    if (show->picture == NULL && SDL_GetTicks64() >= show->due) {
        if (show->renderer != NULL) {
            SDL_DestroyRenderer(show->renderer);
        }
        show->due = show_by_sdl(window) ? 0 : SDL_GetTicks64() + AGAIN_MS;
        ui_sdl_measure_refresh(window);
    }
    return show->picture != NULL;
}

void ui_sdl_show_pointer(struct ui_window *window, bool shown)
{
    if (window->pointer_shown != shown) {
        (void)SDL_ShowCursor(shown ? SDL_ENABLE : SDL_DISABLE);
        window->pointer_shown = shown;
    }
}

static void rest_pointer(struct ui_window *window)
{
    if (SDL_GetTicks64() - window->pointer_moved > POINTER_REST_MS) {
        ui_sdl_show_pointer(window, false);
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
    struct ui_sdl_view *show = &window->show;
    int width = 0;
    int height = 0;
    if (window->gone) {
        return;
    }
    rest_pointer(window);
    if (show_on_screen(window, &frame) || !is_shown_by_sdl(window) ||
        !ui_sdl_size(show, &width, &height)) {
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

/* ---- the operator's window ---- */

bool ui_window_open_operator(struct ui_window *window, int width, int height)
{
    struct ui_sdl_view *view = &window->operator_view;
    if (view->window != NULL || window->gone) {
        return !window->gone;
    }
    const int show = ui_sdl_show_at(window);
    const int beside = ui_outputs_beside(&window->outputs, show);
    const SDL_Rect at = ui_sdl_middle(window, beside < 0 ? show : beside, width, height);
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (!window->placed && window->full && beside >= 0) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP; /* else it may come over or behind the show */
    }
    view->window = SDL_CreateWindow("froth - operator", at.x, at.y, at.w, at.h, flags);
    view->renderer = view->window == NULL ? NULL : create_renderer(view->window, false);
    if (view->renderer == NULL) {
        close_view(view);
        return false;
    }
    if (window->placed) {
        ui_sdl_opened(window);
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
    struct ui_sdl_view *view = &window->operator_view;
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
    const struct ui_sdl_view *view =
        window->operator_view.window != NULL ? &window->operator_view : &window->show;
    struct ui_window_pixels pixels = {0, 0, UI_WINDOW_TEXT};
    int points = 0;
    float dots = 0;
    SDL_Rect bounds = {0, 0, 0, 0};
    if (!ui_sdl_size(view, &pixels.width, &pixels.height)) {
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
    if (base_late_load(&late_sdl) != NULL) {
        return NULL;
    }
    char *held = SDL_HasClipboardText() ? SDL_GetClipboardText() : NULL;
    char *text = held == NULL ? NULL : strdup(held);
    SDL_free(held);
    return text;
}

void ui_window_set_clipboard(const char *text)
{
    if (base_late_load(&late_sdl) == NULL) {
        (void)SDL_SetClipboardText(text);
    }
}
