/* What the operator's thread consists of; for app/operator alone. */
#ifndef APP_OPERATOR_STATE_H
#define APP_OPERATOR_STATE_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "app/board/estimate.h"
#include "app/operator/operator.h"
#include "base/os/lockfree.h"
#include "ui/editor/editor.h"
#include "ui/toolkit/imui.h"

enum app_panel {
#define APP_PANEL(id, ...) APP_PANEL_##id,
#include "app/operator/panels.def"
    APP_PANEL_COUNT,
};

enum {
    APP_PLAYLISTS_MAX = 16,
    APP_QUERY_SIZE = 128,
    APP_FOUND_MAX = 65536,
    APP_OPERATOR_MESSAGES = 8
};

/* The list of presets. */
struct app_operator_list {
    char query[APP_QUERY_SIZE];
    uint32_t *found; /* APP_FOUND_MAX numbers */
    size_t count;
    uint64_t revision; /* of the library, when it was searched */
    bool stale;        /* the query has changed */
    size_t selected;
    struct ui_scroll scroll;
};

/* The text of the running preset. */
struct app_operator_text {
    struct ui_editor *editor;
    char path[1024];      /* whose text it is; empty: none */
    struct timespec read; /* when that file was changed last */
    uint64_t clean;       /* revision of the text as the file has it */
    uint64_t saved;       /* revision that was saved, in another file */
    uint64_t sent;        /* revision that was given to the loader */
    uint64_t answered;
    uint64_t heard;              /* what the loader found in the file; 0: nothing yet */
    char wanted[APP_QUERY_SIZE]; /* what is looked for */
    bool overwrites;             /* the button was pressed once */
    bool shown;                  /* what became of it */
    double seconds;
};

struct app_operator_hardware {
    struct app_board_estimate estimate;
    char path[1024]; /* of what it is about; empty: nothing yet */
    bool known;      /* the file could be read */
    double asked;    /* clock */
};

struct app_operator_devices {
    char names[APP_SOUND_DEVICES][APP_SOUND_NAME];
    size_t count;
    double asked; /* clock */
    struct ui_scroll scroll;
};

struct app_operator_note {
    enum app_note note;
    uint32_t preset; /* APP_LIBRARY_NONE: it is about none */
    double a;
    double b;
};

struct app_operator {
    struct app_operator_setup setup;
    struct base_diag_sink sink;
    pthread_t thread;
    sem_t wake;
    atomic_bool quit;
    atomic_bool has_keyboard;
    atomic_uint escapes;      /* given: each takes the keyboard away at once, */
    atomic_uint escapes_done; /* until the view has drawn what it makes of it */
    unsigned escapes_taken;
    _Atomic double memory;    /* bytes in use */
    struct base_queue events; /* struct ui_event, from the painter */
    struct base_queue calls;  /* struct ui_call, from the painter */
    struct base_queue notes;
    struct base_queue orders; /* struct ui_call, to the painter */
    struct base_latest snapshot_turn;
    struct app_snapshot *snapshots; /* BASE_LATEST_SLOTS */
    struct base_latest surface_turn;
    struct ui_surface surfaces[BASE_LATEST_SLOTS];
    bool surface_known;     /* painter's: there has been one */
    _Atomic(char *) paste;  /* from the painter */
    _Atomic(char *) copied; /* to the painter */
    atomic_bool shot_waits;
    struct ui_surface shot;

    /* The operator's thread's own. */
    const struct app_snapshot *now; /* what it knows of the show */
    struct ui_imui *ui;
    struct ui_imui_input input;
    struct ui_event held; /* an event that has to wait for the next frame, if `holds` */
    bool holds;
    uint32_t focus; /* the widget that gets the keyboard at the next drawing; 0: no change */
    int text_size;
    enum app_panel panel;
    struct app_operator_list list;
    struct app_operator_text text;
    struct app_operator_hardware hardware;
    char *clip; /* what the painter was told last of what was copied */
    struct ui_scroll values_scroll;
    struct ui_scroll variables_scroll;
    struct ui_scroll keys_scroll;
    char variables_filter[APP_QUERY_SIZE];
    struct app_operator_devices devices;
    char (*playlists)[256]; /* APP_PLAYLISTS_MAX names */
    size_t playlist_count;
    double playlists_asked; /* clock */
    char playing[256];      /* the playlist that is played; empty: all */
    struct app_message messages[APP_OPERATOR_MESSAGES];
    size_t message_count;
    uint64_t message_revision;
    unsigned shots;
    double measured; /* clock at which memory was looked at */
};

/* Orders a command from the painter: words as in the bindings. */
void app_operator_order(struct app_operator *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports to the operator. */
void app_operator_say(struct app_operator *view, enum base_severity severity, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* calls.c: carries out a command of the operator's thread. */
void app_operator_obey(struct app_operator *view, const struct ui_call *call);

/* library.c: plays what is selected. */
void app_operator_play_selected(struct app_operator *view, bool hard);

/* text.c: follows the running preset with the editor, hands edits over, saves. */
void app_operator_follow(struct app_operator *view);
void app_operator_revert(struct app_operator *view);
void app_operator_save(struct app_operator *view, const char *name);
void app_operator_overwrite(struct app_operator *view);
bool app_operator_text_changed(const struct app_operator *view);
/* Saves what is in the editor and nowhere else as a copy among the user's presets. */
void app_operator_keep_edits(struct app_operator *view);

/* view.c: the whole view. */
void app_operator_draw(struct app_operator *view, const struct ui_surface *surface);
/* The size of its text: the one asked for, or a smaller one in which a small view holds all. */
int app_operator_text_size(const struct ui_window_pixels *pixels);
/* Cuts the column of names off a row: as wide as so many rows are high, or less where the row is
 * narrow, with a gap behind it. */
struct ui_rect app_operator_cut_names(const struct app_operator *view, struct ui_rect *row,
                                      int rows);
/* Cuts a label, as wide as its text, off the right end of a row. */
void app_operator_cut_label(struct app_operator *view, struct ui_rect *row, const char *text,
                            enum ui_tone tone);
uint32_t app_operator_search_id(void);
uint32_t app_operator_editor_id(void);

#define APP_PANEL(id, name, tab, draw) void draw(struct app_operator *view, struct ui_rect rect);
#include "app/operator/panels.def"

#endif
