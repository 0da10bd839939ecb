#include "ui/window.h"

#include <SDL.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { POINTER_REST_MS = 2000 };

/* One window with what it shows. */
struct view {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *picture;
    int width; /* of the picture's texture */
    int height;
};

struct ui_window {
    struct view show;
    struct view operator_view; /* no window: there is none */
    SDL_Texture *overlay;      /* of the operator, over the show */
    int overlay_width;
    int overlay_height;
    double refresh;
    bool vsync;
    bool software;        /* the processor draws what SDL draws: mixing two pictures is slow */
    Uint64 pointer_moved; /* SDL ticks */
    bool pointer_shown;
    bool awaits_text;   /* the last key is named by the text it types */
    bool fills_display; /* it began full screen and has no smaller size yet */
};

/* As large as the pictures, or as the display allows. */
static void first_size(int display, int picture_width, int picture_height, int *width, int *height)
{
    *width = picture_width;
    *height = picture_height;
    SDL_Rect room;
    if (SDL_GetDisplayUsableBounds(display, &room) != 0 || room.w < 1 || room.h < 1) {
        return;
    }
    if (*width > room.w || *height > room.h) {
        const struct ui_rect fit = ui_window_letterbox(*width, *height, room.w, room.h);
        *width = fit.width;
        *height = fit.height;
    }
}

/* Without a window manager nobody makes a window full screen: it has to begin that large. */
static void display_size(int display, int picture_width, int picture_height, int *width,
                         int *height)
{
    SDL_Rect bounds;
    if (SDL_GetDisplayBounds(display, &bounds) == 0 && bounds.w > 0 && bounds.h > 0) {
        *width = bounds.w;
        *height = bounds.h;
    } else {
        first_size(display, picture_width, picture_height, width, height);
    }
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

static void measure_refresh(struct ui_window *window)
{
    SDL_RendererInfo info;
    SDL_DisplayMode mode;
    window->refresh = 0;
    if (SDL_GetRendererInfo(window->show.renderer, &info) != 0) {
        return;
    }
    window->software = draws_by_processor(&info);
    if (window->vsync && (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0) {
        const int display = SDL_GetWindowDisplayIndex(window->show.window);
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
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || strcmp(driver, "dummy") == 0 || strcmp(driver, "offscreen") == 0) {
        (void)SDL_SetError("this display shows nothing");
        return false;
    }
    return true;
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

static bool create_show(struct ui_window *window, const struct ui_window_config *config)
{
    struct view *show = &window->show;
    const bool known = config->monitor >= 1 && config->monitor <= SDL_GetNumVideoDisplays();
    const int display = known ? config->monitor - 1 : 0;
    const int at = config->monitor > 0 ? (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)display)
                                       : (int)SDL_WINDOWPOS_CENTERED;
    int width = 0;
    int height = 0;
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (config->fullscreen) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
        display_size(display, config->width, config->height, &width, &height);
        window->fills_display = true;
    } else {
        first_size(display, config->width, config->height, &width, &height);
    }
    show->window = SDL_CreateWindow(config->title, at, at, width, height, flags);
    show->renderer = show->window == NULL ? NULL : create_renderer(show->window, config->vsync);
    show->picture = show->renderer == NULL
                        ? NULL
                        : create_texture(show->renderer, config->width, config->height);
    show->width = config->width;
    show->height = config->height;
    return show->picture != NULL;
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
    if (!create_show(window, config)) {
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
    close_view(&window->operator_view);
    close_view(&window->show);
    SDL_Quit();
    free(window);
}

double ui_window_refresh(const struct ui_window *window)
{
    return window->refresh;
}

/* ---- events ---- */

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

/* Places come in points, which may be several pixels. */
static void place(const struct ui_window *window, struct ui_event *event, int x, int y)
{
    const struct view *view = event->operator_window ? &window->operator_view : &window->show;
    int points_x = 1;
    int points_y = 1;
    int width = 1;
    int height = 1;
    SDL_GetWindowSize(view->window, &points_x, &points_y);
    if (SDL_GetRendererOutputSize(view->renderer, &width, &height) == 0 && points_x > 0 &&
        points_y > 0) {
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
        return false;
    case SDL_WINDOWEVENT_LEAVE:
        to->kind = UI_EVENT_LEAVE;
        return true;
    case SDL_WINDOWEVENT_CLOSE:
        to->kind = to->operator_window ? UI_EVENT_CLOSE : UI_EVENT_QUIT;
        return true;
    default:
        return false;
    }
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
    return false;
}

/* ---- pictures ---- */

static void update(SDL_Texture *texture, const struct ui_surface *surface)
{
    (void)SDL_UpdateTexture(texture, NULL, surface->pixels,
                            (int)(surface->stride * sizeof *surface->pixels));
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
    const SDL_BlendMode mode = window->software ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND;
    return window->overlay != NULL && SDL_SetTextureBlendMode(window->overlay, mode) == 0 &&
           SDL_SetTextureAlphaMod(window->overlay, OVERLAY_OPACITY) == 0;
}

static bool output_size(const struct view *view, int *width, int *height)
{
    return SDL_GetRendererOutputSize(view->renderer, width, height) == 0 && *width > 0 &&
           *height > 0;
}

void ui_window_present(struct ui_window *window, const struct ui_surface *picture,
                       const struct ui_surface *overlay)
{
    struct view *show = &window->show;
    int width = 0;
    int height = 0;
    if (SDL_GetTicks64() - window->pointer_moved > POINTER_REST_MS) {
        show_pointer(window, false);
    }
    if (!output_size(show, &width, &height)) {
        return;
    }
    const bool covered = overlay != NULL && fit_overlay(window, overlay);
    if (!covered || !window->software) {
        const struct ui_rect fit = ui_window_letterbox(show->width, show->height, width, height);
        const SDL_Rect target = {fit.x, fit.y, fit.width, fit.height};
        update(show->picture, picture);
        (void)SDL_SetRenderDrawColor(show->renderer, 0, 0, 0, 255);
        (void)SDL_RenderClear(show->renderer);
        (void)SDL_RenderCopy(show->renderer, show->picture, NULL, &target);
    }
    if (covered) {
        update(window->overlay, overlay);
        (void)SDL_RenderCopy(show->renderer, window->overlay, NULL, NULL);
    }
    SDL_RenderPresent(show->renderer);
}

void ui_window_set_title(struct ui_window *window, const char *title)
{
    SDL_SetWindowTitle(window->show.window, title);
}

bool ui_window_is_fullscreen(const struct ui_window *window)
{
    return (SDL_GetWindowFlags(window->show.window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen)
{
    if (ui_window_is_fullscreen(window) == fullscreen) {
        return;
    }
    (void)SDL_SetWindowFullscreen(window->show.window,
                                  fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    if (!fullscreen && window->fills_display) {
        /* It began full screen and has never had another size. */
        int width = 0;
        int height = 0;
        const int display = SDL_GetWindowDisplayIndex(window->show.window);
        first_size(display < 0 ? 0 : display, window->show.width, window->show.height, &width,
                   &height);
        SDL_SetWindowSize(window->show.window, width, height);
        SDL_SetWindowPosition(window->show.window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
        window->fills_display = false;
    }
}

int ui_window_monitors(const struct ui_window *window)
{
    (void)window;
    const int count = SDL_GetNumVideoDisplays();
    return count < 1 ? 1 : count;
}

int ui_window_monitor(const struct ui_window *window)
{
    const int display = SDL_GetWindowDisplayIndex(window->show.window);
    return display < 0 ? 1 : display + 1;
}

void ui_window_set_monitor(struct ui_window *window, int monitor)
{
    if (monitor < 1 || monitor > ui_window_monitors(window)) {
        return;
    }
    const bool full = ui_window_is_fullscreen(window);
    const int at = (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)(monitor - 1));
    ui_window_set_fullscreen(window, false);
    SDL_SetWindowPosition(window->show.window, at, at);
    ui_window_set_fullscreen(window, full);
    measure_refresh(window);
}

/* ---- the operator's window ---- */

bool ui_window_open_operator(struct ui_window *window, int width, int height)
{
    struct view *view = &window->operator_view;
    if (view->window != NULL) {
        return true;
    }
    const int display = ui_window_monitor(window) % ui_window_monitors(window); /* the one after */
    const int at = (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)display);
    int fit_width = 0;
    int fit_height = 0;
    first_size(display, width, height, &fit_width, &fit_height);
    view->window = SDL_CreateWindow("froth - operator", at, at, fit_width, fit_height,
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

void ui_window_present_operator(struct ui_window *window, const struct ui_surface *surface)
{
    struct view *view = &window->operator_view;
    if (view->window == NULL) {
        return;
    }
    if (view->picture == NULL || view->width != surface->width || view->height != surface->height) {
        if (view->picture != NULL) {
            SDL_DestroyTexture(view->picture);
        }
        view->picture = create_texture(view->renderer, surface->width, surface->height);
        view->width = surface->width;
        view->height = surface->height;
    }
    if (view->picture != NULL) {
        update(view->picture, surface);
        (void)SDL_RenderCopy(view->renderer, view->picture, NULL, NULL);
        SDL_RenderPresent(view->renderer);
    }
}

/* Dots of the monitor to those of a usual one, where the system draws one point with one pixel. */
static double density(const struct view *view)
{
    static const double usual = 96;
    static const double most = 3;
    float dots = 0;
    const int display = SDL_GetWindowDisplayIndex(view->window);
    if (display < 0 || SDL_GetDisplayDPI(display, NULL, &dots, NULL) != 0 || !(dots > usual)) {
        return 1;
    }
    return dots / usual < most ? dots / usual : most;
}

struct ui_window_pixels ui_window_pixels(const struct ui_window *window)
{
    enum { TEXT_POINTS = 15 };
    const struct view *view =
        window->operator_view.window != NULL ? &window->operator_view : &window->show;
    struct ui_window_pixels pixels = {0, 0, TEXT_POINTS};
    int points = 0;
    if (!output_size(view, &pixels.width, &pixels.height)) {
        return (struct ui_window_pixels){0, 0, TEXT_POINTS};
    }
    SDL_GetWindowSize(view->window, &points, NULL);
    const double scale = points > 0 ? (double)pixels.width / points : 1;
    pixels.text = (int)(TEXT_POINTS * (scale > 1 ? scale : density(view)));
    return pixels;
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
