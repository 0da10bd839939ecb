/* What shows pictures in the show's window in SDL's place: a graphics processor, in whose memory
 * they may lie. Whoever has one gives it to the window, which says when. All functions are called
 * by the thread that opened the window. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "renderer/shader/device.h"
#include "ui/toolkit/imui.h"

/* The window, as it is known to such a device. */
struct ui_screen_window {
    void *user;
    /* Makes its VkSurfaceKHR for a VkInstance; 0: that cannot be. */
    uint64_t (*make_surface)(void *user, void *instance);
    void (*size)(void *user, int *width, int *height); /* in pixels; 0: it is not to be seen */
};

/* A picture, either in the processor's memory or the device's, and what lies over it. */
struct ui_screen_frame {
    const struct ui_surface *picture;
    const struct rend_device_shown *there; /* NULL where there is the other one */
    const struct ui_surface *overlay;      /* scaled to the window; NULL: nothing does */
    const struct ui_tiles *tiles;          /* of the overlay */
    int step; /* of a picture that lies there a small one is wanted, of every step-th pixel of every
                 step-th row, from step / 2 on; 0: none is */
};

enum ui_screen_answer {
    UI_SCREEN_SHOWN,
    UI_SCREEN_LATER, /* nothing can be shown at the moment */
    UI_SCREEN_LOST   /* nor ever again */
};

struct ui_screen {
    void *user;
    /* vsync: pictures wait for the display. false: it cannot show anything in this window. */
    bool (*open)(void *user, const struct ui_screen_window *window, bool vsync);
    void (*close)(void *user); /* what was opened; before the window is gone */
    enum ui_screen_answer (*show)(void *user, const struct ui_screen_frame *frame);
    /* The last small picture that has come, until the next `show`; NULL: none has. */
    const uint32_t *(*small)(void *user, int *width, int *height);
};

#endif
