/* One door for control: whatever gives commands and values to a running show is a source, a row of
 * sources.def, and comes in by an inlet of its own. The painter goes round the inlets once in each
 * frame.
 *
 * A source works in a thread of its own, where it may wait, lock and allocate; or it is asked by
 * the painter, and then it may not. Whatever it does there, the show goes on:
 *   - A call of a command waits in a ring of APP_INLET_CALLS; one that finds no room is dropped and
 *     counted. The painter takes at most APP_INLET_TURN of each inlet in a frame, in their order.
 *   - A value has one place: a newer one, of any source, takes the place of one that the painter
 *     has not taken yet, which is counted as replaced. No value is ever refused for want of room.
 *   - The values of a frame are set before the commands of that frame are carried out.
 * Nothing here but app_door_open and app_door_close allocates, and only what is marked so locks. */
#ifndef APP_CONTROL_CONTROL_H
#define APP_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/options/options.h"
#include "base/text.h"
#include "engine/engine.h"
#include "presets/milk/preset.h"
#include "ui/command.h"

/* ---- values ---- */

/* What can be set to a number and read back: the commands of the window that set something that
 * lasts, under their own numbers and names, and from APP_VALUE_KEYS on the keys of a .milk file, in
 * the order of preset_keys, under theirs. 0 is none. */
enum { APP_VALUE_KEYS = UI_COMMAND_COUNT, APP_VALUE_COUNT = APP_VALUE_KEYS + PRESET_KEYS };

struct app_value_row {
    const char *name;
    const char *help;
    bool is_switch; /* 0 or 1; a half and more is 1 */
    bool of_preset; /* it is 0, and setting it does nothing, while no preset runs */
    double low;     /* what it is brought within */
    double high;
};

/* False if there is no such value. A key that is that of a command of the same name is none: the
 * command is. */
bool app_value_row(unsigned value, struct app_value_row *row);

/* 0 if there is none of this name. ASCII case is ignored. */
unsigned app_value_by_name(struct base_span name);

/* A hint for who wrote a name of which there is none: the closest one, or what names there are. */
void app_value_hint(const char *name, char *text, size_t size);

/* The call that sets a value of a command to a finite number; neither allocates nor formats. False
 * if there is no such value, or it is a key's (engine_put). */
bool app_value_call(unsigned value, double number, struct engine_call *call);

/* ---- texts ---- */

/* What can be set to a text and read back, by the command of that name. */
enum app_text {
#define APP_TEXT(id, ...) APP_TEXT_##id,
#include "app/control/texts.def"
    APP_TEXT_COUNT
};

enum { APP_TEXT_SIZE = 256 }; /* bytes of one, with its NUL; a longer one is cut */

struct app_text_row {
    enum ui_command command;
    const char *help; /* what is read */
};

extern const struct app_text_row app_text_rows[APP_TEXT_COUNT];

/* APP_TEXT_COUNT if there is none of this name. ASCII case is ignored. */
enum app_text app_text_by_name(struct base_span name);

/* ---- sources ---- */

enum app_source {
#define APP_SOURCE(id, ...)         APP_SOURCE_##id,
#define APP_SOURCE_PAINTER(id, ...) APP_SOURCE_##id,
#include "app/control/sources.def"
    APP_SOURCE_COUNT
};

struct app_inlet;

/* How a source begins, is asked and ends. */
struct app_source_way {
    /* Begins if the options ask for it; *state is NULL before, and stays so if they do not. The
     * inlet, options and sink outlive it; messages may be reported from its thread. Returns 0, or
     * -1 with a message if the show cannot begin: a file that the command line names
     * (app_options_insist) is wrong, or there is no memory; *state is stopped all the same. A port,
     * a library or a device that cannot be had is warned of, and done without. A device that is
     * lost later is told once, and tried again. */
    int (*start)(void **state, struct app_inlet *inlet, const struct app_options *options,
                 const struct base_diag_sink *sink);
    /* Painter's, once in each frame; never waits. NULL: it has a thread, or gave all at its start.
     */
    void (*poll)(void *state);
    /* Ends the thread, if *state was set; nothing comes by the inlet after that. */
    void (*stop)(void *state);
};

struct app_source_row {
    const char *name;
    const char *help;
    bool is_user; /* somebody at this machine: asked before a running show ends */
    bool waits;   /* a call that has to do with a preset waits until there is one, and all behind */
};

extern const struct app_source_row app_source_rows[APP_SOURCE_COUNT];

/* Those without a device. */
extern const struct app_source_way app_source_signals;
extern const struct app_source_way app_source_first_commands;

/* ---- the door ---- */

enum {
    APP_INLET_CALLS = 512,
    APP_INLET_TURN = 128,  /* calls of an inlet in a frame, at most */
    APP_INLET_STATUS = 96, /* bytes of what a source says of itself, with the NUL */
};

struct app_door;

/* Starts all sources that the options ask for. ways: of each source, NULL where the painter gives
 * its calls by itself; they, options and sink outlive it. NULL with a message without memory, or if
 * one that was asked for cannot be had. */
struct app_door *app_door_open(const struct app_source_way *const ways[APP_SOURCE_COUNT],
                               const struct app_options *options,
                               const struct base_diag_sink *sink);

/* Stops the sources, the last one first. NULL is fine. */
void app_door_close(struct app_door *door);

struct app_inlet *app_door_inlet(struct app_door *door, enum app_source source);

/* What the painter does with what has come; the functions are called in its thread. */
struct app_taker {
    void *user;
    /* Carries out a call, and sets a value, to a finite number. */
    void (*obey)(void *user, enum app_source source, const struct engine_call *call);
    void (*set)(void *user, unsigned value, double number);
    /* Whether a source with a thread may give one more call in this frame. */
    bool (*ready)(void *user);
};

/* Painter's, once in each frame: polls the sources, then takes values and calls. shown: there is a
 * preset in the picture. A NULL door has nothing. */
void app_door_take(struct app_door *door, bool shown, const struct app_taker *taker);

/* Painter's: takes at once what came by this inlet, for sources of the painter's own. */
void app_door_take_from(struct app_door *door, enum app_source source, bool shown,
                        const struct app_taker *taker);

/* ---- a source's side ---- */

/* By the source's one thread. False if there is no room: the call is dropped and counted. A command
 * that is none is refused, as app_inlet_refuse. */
bool app_inlet_call(struct app_inlet *inlet, const struct engine_call *call);

/* By any thread. Sets a value. False, and it is counted as refused, if there is no such value or
 * the number is not finite. */
bool app_inlet_value(struct app_inlet *inlet, unsigned value, double number);

/* By any thread: something came that could not be understood. */
void app_inlet_refuse(struct app_inlet *inlet);

/* By any thread: so many calls or values were lost on their way, and count as dropped. */
void app_inlet_lose(struct app_inlet *inlet, uint64_t lost);

/* By any thread but the painter's; locks. What the operator reads about the source, such as what it
 * listens to, or that its device is gone; cut at APP_INLET_STATUS - 1 bytes. */
void app_inlet_say(struct app_inlet *inlet, const char *text);

/* By any thread but the painter's; locks. What stands behind the text of app_inlet_say, and the
 * audience may not read, such as a code: it is shown in a window of the operator's own, and not
 * over the picture; cut at APP_INLET_STATUS - 1 bytes. */
void app_inlet_whisper(struct app_inlet *inlet, const char *text);

/* What has come by an inlet. */
struct app_inlet_counts {
    uint64_t calls;    /* carried out */
    uint64_t values;   /* set, with those that were replaced */
    uint64_t replaced; /* by a newer one before the painter took them */
    uint64_t dropped;  /* calls that found no room, and what was lost on its way */
    uint64_t refused;  /* what was not understood, or cannot be */
};
/* Any thread. */
struct app_inlet_counts app_inlet_counts(const struct app_inlet *inlet);

/* A line "counter control NAME: ...", if anything has come. */
void app_inlet_print(FILE *out, enum app_source source, const struct app_inlet_counts *counts);

struct app_inlet_state {
    bool runs; /* its start was asked for and went well */
    struct app_inlet_counts counts;
    char text[APP_INLET_STATUS];    /* what it said last; may be empty */
    char whisper[APP_INLET_STATUS]; /* what it said last that is not for the audience; may be empty
                                     */
};
/* Any thread but the painter's; locks. */
void app_door_state(struct app_door *door, enum app_source source, struct app_inlet_state *state);

/* ---- what is read back ---- */

/* What a frame of the show was. Plain data. */
struct app_seen {
    uint64_t frame;                 /* counted from 1; 0: none yet */
    double now;                     /* seconds of the show */
    double fps;                     /* shown in the last second */
    double level[3];                /* bass, mid, treb as presets see them */
    double level_att[3];            /* the same, smoothed */
    double bpm;                     /* 0: there is no tempo */
    double beat_phase;              /* 0..1 */
    double bar_phase;               /* 0..1 */
    uint64_t beats;                 /* since the start */
    char clock[8];                  /* who drives the beat; empty: nobody */
    struct engine_tempo tempo;      /* the beat, by base_clock_seconds, as it goes on from here */
    uint32_t preset;                /* number in the library */
    bool changes;                   /* a transition to this preset goes on */
    char name[256];                 /* of the preset; empty: none is shown yet */
    double values[APP_VALUE_COUNT]; /* 0 where there is no such value */
    char texts[APP_TEXT_COUNT][APP_TEXT_SIZE];
    size_t held_count; /* variables that are held, and at what */
    struct rend_held held[ENGINE_HELD_MAX];
};

/* Painter's, once in each frame; never waits. */
void app_door_show(struct app_door *door, const struct app_seen *seen);

/* Any thread but the painter's: the newest that was shown, whole. False, and *seen is all 0, before
 * the first. */
bool app_door_look(const struct app_door *door, struct app_seen *seen);

/* The door of an inlet. */
struct app_door *app_inlet_door(const struct app_inlet *inlet);

#endif
