/* The windows: the show, which may hang on a stage, and the operator's. They show pictures and
 * tell of what keys and mouse do. SDL stays in what includes sdl.h. All functions belong to the
 * thread that opened the window. After that memory is allocated only where a window opens, closes
 * or changes its size, where a gamepad is plugged in, for the clipboard, and for what is dropped.
 */
#ifndef UI_WINDOW_H
#define UI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ui/outputs.h"
#include "ui/screen.h"
#include "ui/toolkit/imui.h"
#include "ui/toolkit/text.h"

struct ui_window;

struct ui_window_config {
    const char *title;
    int width; /* of the pictures; the window scales them to its own size and keeps their aspect */
    int height;
    bool fullscreen;
    const char *monitor;            /* as ui_window_set_monitor takes it; NULL: not told */
    bool vsync;                     /* pictures wait for the display; not on Wayland, where a
                                       window that is not seen would wait for ever */
    const struct ui_screen *screen; /* that shows them, where it can; outlives the window; NULL: SDL
                                       does */
};

enum ui_window_result {
    UI_WINDOW_OPEN,
    UI_WINDOW_NO_DISPLAY, /* after a warning */
    UI_WINDOW_FAILED,     /* after an error: there is a display, but no window or no memory */
};

/* Sets *window, to NULL if there is none. A display that shows nothing (SDL's drivers dummy and
 * offscreen) is no display. The screen saver is off while the window is open; SIGINT and SIGTERM
 * come as UI_EVENT_QUIT. Where the display itself goes away, which is noticed on Wayland, that is
 * an event, and what shows anything does nothing from then on. A monitor that is told and not there
 * is warned about, and waited for; not told, a full screen is not on the desktop's primary monitor
 * if there is another one. */
enum ui_window_result ui_window_open(struct ui_window **window,
                                     const struct ui_window_config *config,
                                     const struct base_diag_sink *sink);
void ui_window_close(struct ui_window *window); /* NULL is fine; the operator's too */

/* Pictures that ui_window_present can show per second because it waits for the display; 0: it does
 * not wait. */
double ui_window_refresh(const struct ui_window *window);

enum ui_event_kind {
    UI_EVENT_KEY,            /* key, repeat */
    UI_EVENT_TEXT,           /* text; key too if this is how the key is called */
    UI_EVENT_MOVE,           /* x, y */
    UI_EVENT_PRESS,          /* x, y, key: MouseLeft, MouseMiddle, MouseRight; clicks */
    UI_EVENT_LET_GO,         /* x, y, key: MouseLeft, MouseMiddle, MouseRight; clicks */
    UI_EVENT_WHEEL,          /* x, y, wheel, key: WheelUp or WheelDown */
    UI_EVENT_LEAVE,          /* the mouse left the window */
    UI_EVENT_CLOSE,          /* a window is to be closed */
    UI_EVENT_DROP,           /* a file or folder was dropped: ui_window_dropped has its path */
    UI_EVENT_QUIT,           /* the program is to end, now */
    UI_EVENT_SHOW_LOST,      /* text: the show's monitor, which is gone; the show waits for it */
    UI_EVENT_SHOW_BACK,      /* text: the monitor that the show has gone to, where it is seen now */
    UI_EVENT_SHOW_ELSEWHERE, /* text: the monitor that the show did not get to; key: where it is */
    UI_EVENT_DISPLAY_GONE,   /* there are no windows any more, and no other display: once */
    UI_EVENT_OPERATOR_LOST,  /* his monitor is gone, and the show fills the one that is left */
    UI_EVENT_MONITORS,       /* monitors came, went or changed */
    UI_EVENT_PAD_CAME,       /* text: the name of a gamepad, that works from now on */
    UI_EVENT_PAD_GONE,       /* text: its name; its sticks and triggers are let go */
    UI_EVENT_PAD,            /* key: a button of a gamepad was pressed */
    UI_EVENT_AXIS,           /* axis, place, key: a stick or trigger of one was moved */
};

/* Sticks and triggers of gamepads, as key_names.def calls them. */
enum { UI_PAD_AXES = 6 };
extern const char *const ui_pad_axes[UI_PAD_AXES];

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
    int axis;      /* of ui_pad_axes */
    double place;  /* of a stick -1..1, right and down positive; of a trigger 0..1; 0 at rest */
    char key[32];  /* a name as in bindings.h */
    char text[32]; /* UTF-8 */
};

/* Takes the next event; false if there is none. */
bool ui_window_poll(struct ui_window *window, struct ui_event *event);

/* The path of what the last UI_EVENT_DROP was about: malloc'ed, the caller's; NULL if there is
 * none. */
char *ui_window_dropped(struct ui_window *window);

/* Shows a picture of the agreed size, and over it, if not NULL, the operator's view with its tiles,
 * as large as ui_window_pixels says; the picture shines through a little. Where the processor draws
 * what SDL draws the view covers the picture, and only its changes are shown. Hides the mouse
 * pointer when it has rested for 2 s. Where the screen is lost SDL goes on in the same window. */
void ui_window_present(struct ui_window *window, const struct ui_surface *picture,
                       const struct ui_surface *overlay, const struct ui_tiles *tiles);

/* Pictures on the screen's device can be shown. Once they cannot they never can again. */
bool ui_window_takes_device(const struct ui_window *window);
/* Shows one. step: as in struct ui_screen_frame. false: it cannot be, and is to be given as a
 * surface. */
bool ui_window_present_there(struct ui_window *window, const struct rend_device_shown *picture,
                             const struct ui_surface *overlay, const struct ui_tiles *tiles,
                             int step);
/* The last small picture that has come, without waiting for it; NULL: none has. Until the next
 * picture. */
const uint32_t *ui_window_small(struct ui_window *window, int *width, int *height);

void ui_window_set_title(struct ui_window *window, const char *title);

bool ui_window_is_fullscreen(const struct ui_window *window);
void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen);

/* Monitors, counted from 1, the desktop's primary one first. Those that show the same are one. */
int ui_window_monitors(const struct ui_window *window);
int ui_window_monitor(const struct ui_window *window);
/* Name of that one, empty where there is none to know; it stays until the next ui_window_poll. */
const char *ui_window_monitor_name(const struct ui_window *window);

/* The show belongs on the monitor with this number or this part of its name from now on, "": on the
 * next one, and goes there; the operator's window makes room for it. False if there is none.
 *
 * When that monitor goes away the show waits for it: as it is, or, with an operator's window and no
 * second monitor, as a window behind that. It goes back when the monitor comes back. Where it is
 * moved by the user, or made full screen without anything being told, is where it belongs. */
bool ui_window_set_monitor(struct ui_window *window, const char *wish);

/* Which frame is due when. Pure arithmetic over a clock that the caller reads: frame n stands for
 * the time n / fps. A machine that is late skips frames; the picture never runs in slow motion.
 *
 * Where the display itself holds each picture until its refresh and does so about fps times a
 * second, frames follow the display instead of the clock, which drifts along by up to 2 percent. A
 * display that promises this but returns at once is found out and paced by the clock. */

struct ui_pace {
    double fps;
    bool display;  /* frames follow the display */
    double origin; /* clock, in seconds, of frame 0 */
    uint64_t frame;
    unsigned early;    /* frames in a row that the display did not hold back */
    unsigned distrust; /* frames until the display is tried again */
};

/* refresh: how often per second the display holds a picture back; 0: it does not. */
void ui_pace_start(struct ui_pace *pace, double fps, double refresh, double now);

/* The clock time before which the next frame should not be begun. */
double ui_pace_wake(const struct ui_pace *pace);

/* The number (from 1, rising) of the frame that is begun at `now`. */
uint64_t ui_pace_next(struct ui_pace *pace, double now);

/* The monitors that a window would have; false if there is no display. Not while a window is open.
 */
bool ui_window_list_monitors(struct ui_outputs *outputs);

/* Opens the operator's window, on another monitor than the show's if there is one, the primary one
 * first. False if it cannot be had. */
bool ui_window_open_operator(struct ui_window *window, int width, int height);
void ui_window_close_operator(struct ui_window *window);
/* Without waiting for the display. A surface of another size is scaled. */
void ui_window_present_operator(struct ui_window *window, const struct ui_surface *surface,
                                const struct ui_tiles *tiles);

/* How large the operator's view is drawn, in pixels: of his window or, without one, of the show's
 * window; and the height of text there that is comfortable to read. */
struct ui_window_pixels {
    int width;
    int height;
    int text;
};
enum { UI_WINDOW_TEXT = 15 /* pixels, of usual size */ };
struct ui_window_pixels ui_window_pixels(const struct ui_window *window);

/* How large text is to be, 1 is usual: as many pixels as the system draws a point with, else by the
 * dots per inch that the desktop is set to, else by those of the monitor where they can be true; 0:
 * not known. width: of the monitor, in pixels. */
double ui_window_scale(double per_point, double desktop_dots, double dots, int width);

/* The operator's view is in a window of its own, and keys go to another one. */
bool ui_window_keys_elsewhere(const struct ui_window *window);

/* The system's clipboard. The text belongs to the caller, who frees it; NULL if there is none. */
char *ui_window_clipboard(void);
void ui_window_set_clipboard(const char *text);

/* The largest rectangle of the picture's aspect in the middle of a window; sizes in pixels, > 0. */
struct ui_rect ui_window_letterbox(int picture_width, int picture_height, int window_width,
                                   int window_height);

#endif
