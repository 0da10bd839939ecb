/* What the files of this folder that call SDL know of its windows; they alone include it. The
 * thread that opens the window. */
#ifndef UI_SDL_H
#define UI_SDL_H

#include "late/sdl.h"

#include "ui/outputs.h"
#include "ui/wayland.h"
#include "ui/window.h"

enum { UI_SDL_NEWS = 8, UI_SDL_PADS = 4 };

/* One window with what it shows. */
struct ui_sdl_view {
    SDL_Window *window;
    SDL_Renderer *renderer; /* NULL: the screen shows it */
    SDL_Texture *picture;
    int width; /* of the picture's texture */
    int height;
    struct ui_tiles tiles;   /* of what the operator's texture holds */
    char at[UI_OUTPUT_NAME]; /* off X11: the output to which it was seen to come; empty: none */
    Uint64 due;              /* SDL ticks before which the operator's view is not shown again */
};

struct ui_window {
    struct ui_sdl_view show;
    struct ui_sdl_view operator_view; /* no window: there is none */
    SDL_Texture *overlay;             /* of the operator, over the show */
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
    bool placed;                      /* windows stand where they are put, as on X11; else the
                                         system places them, and outputs go by their index */
    struct ui_outputs_reader *reader; /* NULL: SDL tells of outputs */
    struct ui_wayland *wayland;       /* NULL: the display is another one */
    bool gone;                        /* the display; there are no windows any more */
    double desktop_dots;              /* per inch, as it is set; 0: it is not */
    struct ui_outputs outputs;        /* as they were looked at last */
    struct ui_stage stage;
    bool full;         /* the show is full screen, or will be when its monitor is back */
    Uint64 changed;    /* SDL ticks at which outputs changed */
    int changing;      /* looks after that, at which it was still the change that moved windows */
    int operator_goes; /* from when it has to make room, times that his window was put, plus one */
    Uint64 look;       /* SDL ticks at which they are looked at; 0: nothing has happened */
    int looks;         /* that follow: window managers take their time */
    int fresh;         /* of these, those at windows that have just opened, on X11 */
    int goes;          /* times that the show was put where it belongs, in vain so far */
    bool leaves;       /* it has left its full screen for another one */
    bool awaited;      /* it is told where the show is once it is seen there */
    char *dropped;     /* path of the last thing that was dropped; NULL: it is taken */
    struct ui_event news[UI_SDL_NEWS]; /* of outputs, to be polled */
    size_t news_count;
    SDL_GameController *pads[UI_SDL_PADS]; /* NULL: there is none */
    double places[UI_PAD_AXES];            /* as they were told last */
};

/* Pixels of what a window shows; false: nothing can be seen in it. */
bool ui_sdl_size(const struct ui_sdl_view *view, int *width, int *height);

/* Finds out how often per second what is shown waits for the display, and who draws. */
void ui_sdl_measure_refresh(struct ui_window *window);

/* The display is gone: closes all that belongs to it. */
void ui_sdl_lose_display(struct ui_window *window);

void ui_sdl_show_pointer(struct ui_window *window, bool shown);

/* ---- where windows stand (place.c) ---- */

/* In the middle of an output, of this size or as large as there is room: in coordinates where
 * windows stand where they are put, else by the output's index. */
SDL_Rect ui_sdl_middle(const struct ui_window *window, int output, int width, int height);
void ui_sdl_put(const struct ui_window *window, SDL_Window *moved, SDL_Rect at);

/* Fills an output: off X11 the only way to one. false: it has left its full screen first, and is to
 * be called again once the window was shown so; until then compositors may not answer. */
bool ui_sdl_fill(const struct ui_window *window, struct ui_sdl_view *view, int output);

/* Looks at the outputs for the first time, and chooses that of the show; -1: the system does. */
int ui_sdl_choose_output(struct ui_window *window, const struct ui_window_config *config,
                         const struct base_diag_sink *sink);
/* A window is seen on the output that has this index of SDL's, wherever that is later. */
void ui_sdl_note_output(const struct ui_window *window, struct ui_sdl_view *view, int index);
int ui_sdl_show_at(const struct ui_window *window); /* the show's output; -1: none */

void ui_sdl_read_outputs(const struct ui_window *window, struct ui_outputs *outputs);

/* Something has happened to outputs or windows: they are looked at in a moment, by what is called
 * between frames, which puts windows where they belong and leaves news. */
void ui_sdl_look_soon(struct ui_window *window);

/* A window has opened. Where windows are put by coordinates its frame may come late, and pushes it
 * over the edge: soon it is put there again. */
void ui_sdl_opened(struct ui_window *window);
void ui_sdl_follow_outputs(struct ui_window *window);

#endif
