/* The window: shows pictures, hands out keys. SDL stays inside sdl_window.c. All functions belong
 * to the thread that opened the window. */
#ifndef UI_WINDOW_H
#define UI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "ui/text.h"

struct ui_window;

struct ui_window_config {
    const char *title;
    int width; /* of the pictures; the window scales them to its own size and keeps their aspect */
    int height;
    bool fullscreen;
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
void ui_window_close(struct ui_window *window); /* NULL is fine */

/* Pictures that ui_window_present can show per second because it waits for the display; 0: it does
 * not wait. */
double ui_window_refresh(const struct ui_window *window);

enum ui_event_kind { UI_EVENT_KEY, UI_EVENT_QUIT };
struct ui_event {
    enum ui_event_kind kind;
    char key[32]; /* UI_EVENT_KEY: a name as in commands.def */
};

/* Takes the next event; false if there is none. Held keys do not repeat. */
bool ui_window_poll(struct ui_window *window, struct ui_event *event);

/* Shows a picture of the agreed size. Hides the mouse pointer when it has rested for 2 s. */
void ui_window_present(struct ui_window *window, const struct ui_surface *picture);

void ui_window_set_title(struct ui_window *window, const char *title);
void ui_window_toggle_fullscreen(struct ui_window *window);

/* The largest rectangle of the picture's aspect in the middle of a window; sizes in pixels, > 0. */
struct ui_rect ui_window_letterbox(int picture_width, int picture_height, int window_width,
                                   int window_height);

#endif
