/* The windows: the show, which may hang on a stage, and the operator's. They show pictures and
 * tell of what keys and mouse do. SDL stays inside window.c. All functions belong to the thread
 * that opened the window. After that memory is allocated only where a window opens, closes or
 * changes its size, and for the clipboard. */
#ifndef UI_WINDOW_H
#define UI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "ui/toolkit/text.h"

struct ui_window;

struct ui_window_config {
    const char *title;
    int width; /* of the pictures; the window scales them to its own size and keeps their aspect */
    int height;
    bool fullscreen;
    int monitor; /* from 1 on; 0: where the system puts it */
    bool vsync;  /* pictures wait for the display */
};

enum ui_window_result {
    UI_WINDOW_OPEN,
    UI_WINDOW_NO_DISPLAY, /* after a warning */
    UI_WINDOW_FAILED,     /* after an error: there is a display, but no window or no memory */
};

/* Sets *window, to NULL if there is none. A display that shows nothing (SDL's drivers dummy and
 * offscreen) is no display. The screen saver is off while the window is open; SIGINT and SIGTERM
 * come as UI_EVENT_QUIT. */
enum ui_window_result ui_window_open(struct ui_window **window,
                                     const struct ui_window_config *config,
                                     const struct base_diag_sink *sink);
void ui_window_close(struct ui_window *window); /* NULL is fine; the operator's too */

/* Pictures that ui_window_present can show per second because it waits for the display; 0: it does
 * not wait. */
double ui_window_refresh(const struct ui_window *window);

enum ui_event_kind {
    UI_EVENT_KEY,    /* key, repeat */
    UI_EVENT_TEXT,   /* text; key too if this is how the key is called */
    UI_EVENT_MOVE,   /* x, y */
    UI_EVENT_PRESS,  /* x, y, key: MouseLeft, MouseMiddle, MouseRight; clicks */
    UI_EVENT_LET_GO, /* likewise */
    UI_EVENT_WHEEL,  /* x, y, wheel, key: WheelUp or WheelDown */
    UI_EVENT_LEAVE,  /* the mouse left the window */
    UI_EVENT_CLOSE,  /* of the operator's window */
    UI_EVENT_QUIT,
};

/* Plain data that may cross threads. */
struct ui_event {
    enum ui_event_kind kind;
    bool operator_window; /* where it happened */
    bool repeat;          /* the key is held */
    bool shift;           /* Shift is held */
    int clicks;
    int x; /* pixels of what is drawn in that window */
    int y;
    double wheel;  /* rows, up is positive */
    char key[32];  /* a name as in bindings.h */
    char text[32]; /* UTF-8 */
};

/* Takes the next event; false if there is none. */
bool ui_window_poll(struct ui_window *window, struct ui_event *event);

/* Shows a picture of the agreed size, and over it, if not NULL, the operator's view, as large as
 * ui_window_pixels says; the picture shines through a little. Hides the mouse pointer when it has
 * rested for 2 s. */
void ui_window_present(struct ui_window *window, const struct ui_surface *picture,
                       const struct ui_surface *overlay);

void ui_window_set_title(struct ui_window *window, const char *title);

bool ui_window_is_fullscreen(const struct ui_window *window);
void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen);

/* Monitors, counted from 1. Moving keeps full screen. A number that there is none of: nothing. */
int ui_window_monitors(const struct ui_window *window);
int ui_window_monitor(const struct ui_window *window);
void ui_window_set_monitor(struct ui_window *window, int monitor);

/* Opens the operator's window beside the show's (on another monitor if there is one). False if it
 * cannot be had. */
bool ui_window_open_operator(struct ui_window *window, int width, int height);
void ui_window_close_operator(struct ui_window *window);
/* Without waiting for the display. A surface of another size is scaled. */
void ui_window_present_operator(struct ui_window *window, const struct ui_surface *surface);

/* How large the operator's view is drawn, in pixels: of his window or, without one, of the show's
 * window; and the height of text there that is comfortable to read. */
struct ui_window_pixels {
    int width;
    int height;
    int text;
};
struct ui_window_pixels ui_window_pixels(const struct ui_window *window);

/* The system's clipboard. The text belongs to the caller, who frees it; NULL if there is none. */
char *ui_window_clipboard(void);
void ui_window_set_clipboard(const char *text);

/* The largest rectangle of the picture's aspect in the middle of a window; sizes in pixels, > 0. */
struct ui_rect ui_window_letterbox(int picture_width, int picture_height, int window_width,
                                   int window_height);

#endif
