#include <stdlib.h>

#include "app/play/player.h"
#include "gpu/screen.h"
#include "gpu/surface.h"

enum { PIXELS_MAX = 1 << 15 };

struct app_screen {
    struct ui_screen face;
    struct gpu_device *device;
    struct gpu_surface *surface;
    struct gpu_screen *screen;
    int width; /* of the window; 0: there is none yet */
    int height;
    int over_width; /* of what lies over pictures */
    int over_height;
    struct ui_tiles over; /* as the device has it */
    uint64_t count;       /* pictures that were shown */
};

static void close_screen(void *user)
{
    struct app_screen *screen = user;
    gpu_surface_free(screen->surface);
    gpu_screen_free(screen->screen);
    screen->surface = NULL;
    screen->screen = NULL;
}

static bool open_screen(void *user, const struct ui_screen_window *window, bool vsync)
{
    struct app_screen *screen = user;
    const struct gpu_window face = {window->user, window->make_surface, window->size};
    screen->surface = gpu_surface_create(screen->device, &face, vsync);
    screen->screen = screen->surface != NULL ? gpu_screen_create(screen->device, false) : NULL;
    if (screen->screen == NULL) {
        close_screen(screen);
    }
    return screen->screen != NULL;
}

static bool fit(struct app_screen *screen, int width, int height)
{
    if (screen->width == width && screen->height == height) {
        return true;
    }
    const bool good = gpu_screen_resize(screen->screen, width, height);
    screen->width = good ? width : 0;
    screen->height = good ? height : 0;
    return good;
}

static struct gpu_screen_picture picture_of(const struct ui_surface *surface)
{
    return (struct gpu_screen_picture){.pixels = surface->pixels,
                                       .pitch = surface->stride,
                                       .width = surface->width,
                                       .height = surface->height};
}

/* Gives the device the tiles that have changed. */
static bool lay(struct app_screen *screen, const struct ui_surface *overlay,
                const struct ui_tiles *tiles)
{
    const struct gpu_screen_picture whole = picture_of(overlay);
    const bool other =
        screen->over_width != overlay->width || screen->over_height != overlay->height;
    screen->over_width = overlay->width;
    screen->over_height = overlay->height;
    for (int i = 0; i < UI_TILES; i++) {
        const struct ui_rect rect = ui_tile_rect(overlay, i);
        const struct gpu_place part = {rect.x, rect.y, rect.width, rect.height};
        const bool changed = other || tiles->hashes[i] != screen->over.hashes[i];
        screen->over.hashes[i] = tiles->hashes[i];
        if (changed && part.width > 0 && part.height > 0 &&
            !gpu_screen_lay(screen->screen, &whole, &part)) {
            return false;
        }
    }
    return true;
}

static bool draw(struct app_screen *screen, const struct ui_screen_frame *frame)
{
    struct gpu_screen_order order = {.covered = frame->overlay != NULL, .step = frame->step};
    if (frame->there != NULL) {
        order.picture = (struct gpu_screen_picture){.there = frame->there->memory,
                                                    .pitch = frame->there->pitch,
                                                    .width = frame->there->width,
                                                    .height = frame->there->height};
    } else {
        order.picture = picture_of(frame->picture);
    }
    const struct ui_rect fits = ui_window_letterbox(order.picture.width, order.picture.height,
                                                    screen->width, screen->height);
    order.place = (struct gpu_place){fits.x, fits.y, fits.width, fits.height};
    return order.picture.width < PIXELS_MAX && order.picture.height < PIXELS_MAX &&
           (!order.covered || lay(screen, frame->overlay, frame->tiles)) &&
           gpu_screen_draw(screen->screen, &order);
}

static enum ui_screen_answer answer_of(enum gpu_surface_answer answer)
{
    return answer == GPU_SURFACE_READY  ? UI_SCREEN_SHOWN
           : answer == GPU_SURFACE_BUSY ? UI_SCREEN_LATER
                                        : UI_SCREEN_LOST;
}

static enum ui_screen_answer show(void *user, const struct ui_screen_frame *frame)
{
    struct app_screen *screen = user;
    int width = 0;
    int height = 0;
    if (!gpu_screen_wait(screen->screen)) {
        return UI_SCREEN_LOST;
    }
    const enum gpu_surface_answer begun = gpu_surface_begin(screen->surface, &width, &height);
    if (begun == GPU_SURFACE_READY) {
        if (!fit(screen, width, height) || !draw(screen, frame)) {
            return UI_SCREEN_LOST;
        }
        const struct gpu_memory *made = gpu_screen_made(screen->screen);
        const enum gpu_surface_answer shown = gpu_surface_show(screen->surface, made);
        screen->count += shown == GPU_SURFACE_READY;
        return answer_of(shown);
    }
    /* The operator sees a small picture all the same. */
    if (begun == GPU_SURFACE_BUSY && frame->step > 0 && screen->width > 0 && !draw(screen, frame)) {
        return UI_SCREEN_LOST;
    }
    return answer_of(begun);
}

static const uint32_t *small(void *user, int *width, int *height)
{
    struct app_screen *screen = user;
    return gpu_screen_small(screen->screen, width, height);
}

struct app_screen *app_screen_create(struct gpu_device *device)
{
    struct app_screen *screen = device != NULL ? calloc(1, sizeof *screen) : NULL;
    if (screen != NULL) {
        screen->device = device;
        screen->face = (struct ui_screen){.user = screen,
                                          .open = open_screen,
                                          .close = close_screen,
                                          .show = show,
                                          .small = small};
    }
    return screen;
}

void app_screen_free(struct app_screen *screen)
{
    free(screen);
}

const struct ui_screen *app_screen_face(const struct app_screen *screen)
{
    return screen != NULL ? &screen->face : NULL;
}

uint64_t app_screen_count(const struct app_screen *screen)
{
    return screen != NULL ? screen->count : 0;
}
