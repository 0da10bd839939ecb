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
#include "base/os/thread.h"
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

/* How presets are shown: in rows, or as thumbnails in three sizes. */
enum app_look { APP_LOOK_LIST, APP_LOOK_SMALL, APP_LOOK_MEDIUM, APP_LOOK_LARGE, APP_LOOK_COUNT };

/* The list of presets. */
struct app_operator_list {
    enum app_look look;
    size_t columns;             /* as they were drawn last */
    char limit[APP_QUERY_SIZE]; /* what comes by itself has to fit; empty: all does */
    char tag[64];               /* what is typed into the fields below */
    char playlist[64];
    size_t running;   /* row of the preset that runs; SIZE_MAX: it is not there */
    uint64_t marked;  /* version of what ran then */
    uint64_t version; /* of what the list went to last */
    bool rides;       /* what is selected will go on with what runs */
    int mouse_x;      /* in the last frame */
    int mouse_y;
    double touched; /* clock at which the operator did something here */
    bool follows;   /* what runs is kept in sight; else what is selected */
    char query[APP_QUERY_SIZE];
    uint32_t *found; /* APP_FOUND_MAX numbers */
    size_t count;
    uint64_t revision; /* of the library, when it was searched */
    bool stale;        /* the query has changed */
    char says[160];    /* what is wrong with the query, or why nothing fits; may be empty */
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
    uint64_t weighed;            /* revision that waits for an answer; 0: none */
    char *given;                 /* what the loader got last; NULL: nothing yet */
    char *former;                /* the text as the file has it; NULL: none */
    int version;                 /* of the format, that the operator knows of */
    int asked_version;           /* what it would become; 0: nothing is asked */
    uint64_t heard;              /* what the loader found in the file; 0: nothing yet */
    char wanted[APP_QUERY_SIZE]; /* what is looked for */
    bool overwrites;             /* the button was pressed once */
    bool shown;                  /* what became of it */
    double seconds;
};

struct app_operator_hardware {
    struct app_board_estimate estimate;
    char path[1024];             /* of what it is about; empty: nothing yet */
    bool known;                  /* the file could be read */
    double asked;                /* clock */
    struct app_board_look *look; /* NULL: none, or it is done */
    enum app_board_seen seen;
};

struct app_operator_devices {
    char names[APP_SOUND_DEVICES][APP_SOUND_NAME];
    size_t count;
    double asked; /* clock */
    struct ui_scroll scroll;
};

/* The panel of the last minutes. */
enum { APP_OPERATOR_MARKS = 512 };
enum app_strip { APP_STRIP_NONE, APP_STRIP_ALL, APP_STRIP_NEAR };
struct app_operator_past {
    struct app_set_mark marks[APP_OPERATOR_MARKS];
    size_t mark_count;
    struct ui_scroll scroll;
    enum app_strip held; /* by the mouse */
    double asked;        /* clock at which a place was asked for last; 0: not since it is held */
    double wanted;       /* that frame */
    double near_last;    /* at the end of the lower strip */
};

struct app_operator_note {
    enum app_note note;
    uint32_t preset; /* APP_LIBRARY_NONE: it is about none */
    double a;
    double b;
    char name[64];
};

struct app_operator {
    struct app_operator_setup setup;
    struct base_diag_sink sink;
    pthread_t thread;
    sem_t wake;
    atomic_bool quit;
    atomic_bool has_keyboard;
    atomic_uint asked;        /* times that the keyboard may have come or gone, */
    atomic_uint answered;     /* and those of them that the view has drawn */
    _Atomic double memory;    /* bytes in use */
    struct base_queue events; /* struct ui_event, from the painter */
    struct base_queue calls;  /* struct operator_call of operator.c, from the painter */
    uint64_t published;       /* painter's: snapshots so far */
    struct base_queue notes;
    struct base_queue drops;  /* char *, from the painter */
    struct base_queue orders; /* struct engine_call, to the painter */
    struct base_latest snapshot_turn;
    struct app_snapshot *snapshots; /* BASE_LATEST_SLOTS */
    struct base_latest surface_turn;
    struct ui_surface surfaces[BASE_LATEST_SLOTS];
    struct ui_tiles tiles[BASE_LATEST_SLOTS];
    struct base_latest told_turn;
    struct app_operator_told told[BASE_LATEST_SLOTS];
    uint64_t version;       /* painter's: of the last snapshot */
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
    uint32_t focus; /* the widget that gets the keyboard after what has happened; 0: no change */
    int text_size;
    enum app_panel panel;
    unsigned waved; /* the last question that was waved away */
    struct app_operator_list list;
    struct app_operator_text text;
    struct app_operator_hardware hardware;
    char *clip; /* what the painter was told last of what was copied */
    struct ui_scroll values_scroll;
    struct ui_scroll variables_scroll;
    struct ui_scroll keys_scroll;
    struct ui_scroll learnt_scroll;
    struct ui_scroll control_scroll;
    char variables_filter[APP_QUERY_SIZE];
    struct app_operator_devices devices;
    struct app_operator_past past;
    char (*playlists)[256]; /* APP_PLAYLISTS_MAX names */
    size_t playlist_count;
    double playlists_asked; /* clock */
    char playing[256];      /* the playlist that is played; empty: all */
    struct app_message messages[APP_OPERATOR_MESSAGES];
    size_t message_count;
    uint64_t message_revision;
    double drawing;   /* seconds that the last drawing took */
    uint64_t late;    /* frames, as seen last */
    double late_seen; /* clock at which there were more than before; 0: not yet */
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
void app_operator_obey(struct app_operator *view, const struct engine_call *call);
/* calls.c: what is read back, as it is now. */
void app_operator_tell(const struct app_operator *view, struct app_operator_told *told);

/* browse.c: takes in what was dropped. */
void app_operator_take_drop(struct app_operator *view, const char *path);
/* browse.c: moves what is selected by so many presets, and plays it. */
void app_operator_select(struct app_operator *view, double steps);
void app_operator_play_selected(struct app_operator *view, bool hard);

/* text.c: follows the running preset with the editor, hands edits over, saves. */
void app_operator_follow(struct app_operator *view);
void app_operator_revert(struct app_operator *view);
void app_operator_save(struct app_operator *view, const char *name);
/* Answers whether the preset's format version may change; if not, that edit is taken back. */
void app_operator_change_version(struct app_operator *view, bool may);
void app_operator_overwrite(struct app_operator *view);
bool app_operator_text_changed(const struct app_operator *view);
/* Saves what is in the editor and nowhere else as a copy among the user's presets. */
void app_operator_keep_edits(struct app_operator *view);

/* view.c: the whole view. */
void app_operator_draw(struct app_operator *view, const struct ui_surface *surface);
/* Cuts the column of names off a row: as wide as so many rows are high, or less where the row is
 * narrow, with a gap behind it. */
struct ui_rect app_operator_cut_names(const struct app_operator *view, struct ui_rect *row,
                                      int rows);
/* Cuts a label, as wide as its text, off the right end of a row. */
void app_operator_cut_label(struct app_operator *view, struct ui_rect *row, const char *text,
                            enum ui_tone tone);
/* A button as wide as its text, for which room is cut off the row, or off a next row of the
 * rectangle (NULL: there is none) while that leaves room for five more. */
bool app_operator_text_button(struct app_operator *view, struct ui_rect *rect, struct ui_rect *row,
                              uint32_t id, const char *text);
uint32_t app_operator_search_id(void);
uint32_t app_operator_editor_id(void);
uint32_t app_operator_find_id(void); /* of the field below the editor */

#define APP_PANEL(id, name, tab, draw) void draw(struct app_operator *view, struct ui_rect rect);
#include "app/operator/panels.def"

#endif
