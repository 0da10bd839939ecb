/* The operator's view, drawn in a thread of its own, and all commands that wait for files, locks or
 * memory: the painter only hands calls, events and snapshots over, and shows the surface that comes
 * back. */
#ifndef APP_OPERATOR_OPERATOR_H
#define APP_OPERATOR_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/control/control.h"
#include "app/device/device.h"
#include "engine/feed/loader.h"
#include "app/feed/sound.h"
#include "app/library/library.h"
#include "app/midi/midi.h"
#include "app/set/past.h"
#include "app/set/rewind.h"
#include "base/text.h"
#include "presets/file.h"
#include "presets/milk/preset.h"
#include "renderer/renderer.h"
#include "renderer/show.h"
#include "ui/bindings.h"
#include "ui/command.h"
#include "ui/toolkit/text.h"
#include "ui/window.h"

/* The last messages, for the operator to read; they also go on to another sink. Any thread but
 * those that paint or hear. */

enum { APP_MESSAGES_KEPT = 64, APP_MESSAGE_SIZE = 512 };

struct app_message {
    enum base_severity severity;
    unsigned times;              /* that it was said */
    char text[APP_MESSAGE_SIZE]; /* of files the folder is left out */
};

struct app_messages;

/* on: outlives it. NULL without memory. */
struct app_messages *app_messages_create(const struct base_diag_sink *on);
void app_messages_free(struct app_messages *messages); /* NULL is fine */

struct base_diag_sink app_messages_sink(struct app_messages *messages);

/* Copies the newest ones, the newest first; returns how many, at most `most`. *revision rises with
 * each message. */
size_t app_messages_newest(struct app_messages *messages, struct app_message *to, size_t most,
                           uint64_t *revision);

/* What a show has come to. */

struct app_counters {
    uint64_t frames;
    uint64_t late;              /* came more than half a frame after their time */
    uint64_t stages;            /* of frames that a device has computed */
    uint64_t by_device;         /* frames shown by it, */
    uint64_t stayed;            /* and of these, that never left it */
    uint64_t steps;             /* of presets */
    unsigned shown;             /* presets */
    unsigned failed;            /* presets that could not be loaded */
    unsigned slow;              /* presets left because they were too slow */
    uint64_t events;            /* steps in which a preset ran out of its budgets */
    uint64_t dropped;           /* sound frames that came and were not heard */
    unsigned targets;           /* to which the picture is shared, */
    unsigned taken;             /* and those of them that take it now */
    uint64_t shared;            /* pictures that they got, */
    uint64_t left_out;          /* and those for which they were too slow */
    double memory_after_minute; /* bytes; 0: not yet */
    double memory;
    double most_after_minute; /* bytes; the most that was in use at any time until then */
    double most;
};

/* Bytes of memory that this process has in use; 0 where the system does not tell. Opens a file: not
 * for every frame. */
double app_memory_used(void);

/* Bytes of memory that this process had in use at most, at any time. Opens nothing. */
double app_memory_most(void);

/* One line for each, "counter NAME: VALUE". */
void app_counters_print(FILE *out, const struct app_counters *counters);

/* What the painter tells the operator of a frame. Plain data, copied whole; it crosses threads
 * through a base_latest. */

enum {
    APP_SNAPSHOT_WIDTH = 320, /* of the small picture, at most */
    APP_SNAPSHOT_HEIGHT = 180,
    APP_SNAPSHOT_VARIABLES = 512,
    APP_SNAPSHOT_VERTICES = 65 * 49, /* of a larger mesh nothing is told */
    APP_SNAPSHOT_WAVE = 256,
};

/* What a key, or a window that is closed, would have done to a running show, and did not at once.
 */
enum app_question { APP_ASKS_NOTHING, APP_ASKS_WINDOW, APP_ASKS_QUIT };

struct app_snapshot {
    uint64_t turn;  /* how many there were, with this one */
    double now;     /* player's time */
    double fps;     /* shown in the last second */
    double drawing; /* milliseconds of the last frame */
    char path[1024];
    char name[256];
    uint32_t number;  /* of the library */
    uint64_t version; /* rises with each preset that is taken, also with another version */
    bool locked;
    bool random;
    bool frozen;
    bool blackout;
    struct app_set_shown_past past; /* that the audience sees */
    bool fullscreen;
    bool names_drawn; /* on the picture: the preset's name, the levels, the frames per second */
    bool meter_drawn;
    bool fps_drawn;
    enum app_question asks; /* while it may be answered */
    unsigned asked;         /* questions so far */
    bool changes;           /* a transition runs */
    int divisors[REND_SHADER_STAGES];
    double advance; /* what the show does by itself, as the options of these names */
    double vary;
    bool hard;
    unsigned cut_on_beat;           /* 0: never */
    double cut_on_loud;             /* 0: never */
    unsigned wait_beats;            /* that changes of presets wait for; 0: none */
    double nudge;                   /* milliseconds by which the beat comes later */
    enum engine_tempo_source clock; /* who drives the beat; ENGINE_TEMPO_SOURCES: nobody */
    enum engine_tempo_source clock_wanted;
    bool clock_stands;
    double left;         /* seconds until the next preset comes by itself; negative: it does not */
    bool over_picture;   /* the audience sees the view as well */
    bool keys_elsewhere; /* ui_window_keys_elsewhere */
    struct ui_window_pixels view; /* how large the operator's view is to be drawn; 0: not at all */
    struct rend_heard heard;
    struct app_sound_status sound;
    struct app_counters counters;
    float wave[APP_SNAPSHOT_WAVE];
    struct preset_edit_shown shown; /* rend_value of every row of preset_keys, and which are not the
                                       preset's own */
    size_t variable_count;
    struct rend_variable_view variables[APP_SNAPSHOT_VARIABLES];
    int mesh_columns; /* 0: not told */
    int mesh_rows;
    struct tmu_vertex vertices[APP_SNAPSHOT_VERTICES];
    int picture_width;
    int picture_height;
    uint32_t picture[APP_SNAPSHOT_WIDTH * APP_SNAPSHOT_HEIGHT];
};

/* What is copied from a running show; with `whole` also mesh, variables and picture. */
void app_snapshot_of_show(struct app_snapshot *snapshot, const struct rend_show *show, bool whole);

/* A small picture of what is shown: of every step-th row, from step / 2 on, every step-th pixel. */
int app_snapshot_step(int width, int height);
void app_snapshot_picture(struct app_snapshot *snapshot, const struct ui_surface *picture);

/* Moves the newest samples, both channels' mean, into a curve of APP_SNAPSHOT_WAVE values. */
void app_snapshot_wave(float *wave, const float *interleaved, size_t frames);

/* The view. All functions but start and stop belong to the thread that paints; they never lock,
 * allocate or wait. */

struct app_operator;

/* All outlive the operator. */
struct app_operator_setup {
    struct app_library *library;
    struct engine_loader *loader;
    struct app_sound *sound;
    const struct ui_bindings *bindings;
    struct app_messages *messages;
    struct app_door *door;        /* to look at; may be NULL */
    struct app_midi *midi;        /* may be NULL */
    struct app_set_past *past;    /* may be NULL */
    struct engine_device *device; /* may be NULL */
    int width;                    /* of the pictures, for screenshots */
    int height;
};

/* NULL with a message without memory or thread. */
struct app_operator *app_operator_start(const struct app_operator_setup *setup,
                                        const struct base_diag_sink *sink);
void app_operator_stop(struct app_operator *view); /* NULL is fine */

/* Something that happened in the window in which the view is shown. */
void app_operator_event(struct app_operator *view, const struct ui_event *event);

/* The system's clipboard, before the event of a key that may want it: a malloc'ed text, taken over;
 * NULL is fine. */
void app_operator_paste(struct app_operator *view, char *text);

/* A file or folder that was dropped onto a window: a malloc'ed path, taken over. A preset is shown,
 * a playlist played, a folder joins the library; NULL is fine. */
void app_operator_drop(struct app_operator *view, char *path);

/* What was copied in the editor since the last call: a text for the caller to free, or NULL. */
char *app_operator_copied(struct app_operator *view);

/* A field or the editor has the keyboard: keys are the operator's, not the bindings'. Known only
 * once the view has drawn what was clicked, entered or commanded last. */
bool app_operator_has_keyboard(const struct app_operator *view);
bool app_operator_knows_keyboard(const struct app_operator *view);

/* Carries out a command that is not the painter's. */
void app_operator_do(struct app_operator *view, const struct engine_call *call);

/* So many commands wait for the operator's thread that a source which floods has to wait. */
bool app_operator_is_busy(const struct app_operator *view);

/* A command that the operator gave by his view; false if there is none. */
bool app_operator_call(struct app_operator *view, struct engine_call *call);

enum app_note {
#define APP_NOTE(id, ...) APP_NOTE_##id,
#include "app/operator/notes.def"
    APP_NOTE_COUNT,
};
/* Says something, with up to two numbers, about a preset of the library; APP_LIBRARY_NONE: about
 * none. */
void app_operator_note(struct app_operator *view, enum app_note note, uint32_t preset, double a,
                       double b);
/* Says something about a name, of which 63 bytes are told. */
void app_operator_note_of(struct app_operator *view, enum app_note note, const char *name);

/* The snapshot to be filled, and handing it over. */
struct app_snapshot *app_operator_snapshot(struct app_operator *view);
void app_operator_publish(struct app_operator *view);

/* What the operator's thread tells the painter to be read back: his texts, and what the library has
 * of the preset that is shown. Plain data. */
struct app_operator_told {
    bool known;      /* what the next three say; false: there is no preset yet */
    uint32_t preset; /* number in the library of the one that they are about */
    bool favourite;
    int stars;
    char texts[APP_TEXT_COUNT][APP_TEXT_SIZE]; /* the rows that are his */
};
const struct app_operator_told *app_operator_told(struct app_operator *view);

/* The newest surface of the view; NULL before the first. *fresh: since the last call. */
const struct ui_surface *app_operator_surface(struct app_operator *view, bool *fresh);
const struct ui_tiles *app_operator_tiles(const struct app_operator *view); /* of that surface */

/* Bytes of memory that froth has in use, as of the last second. */
double app_operator_memory(const struct app_operator *view);

/* The size of the view's text: the one asked for, or a smaller one in which a small view holds all.
 */
int app_operator_text_size(const struct ui_window_pixels *pixels);

/* Writes the picture to a file, unless the one before is still being written. */
void app_operator_screenshot(struct app_operator *view, const struct ui_surface *picture);

#endif
