/* What a show with MIDI consists of, for the files of this room: midi.c, which hears devices and
 * maps in a thread of its own, send.c and learn.c. But for what is marked otherwise all belongs to
 * that thread, which calls the functions here. */
#ifndef APP_MIDI_STATE_H
#define APP_MIDI_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/control/control.h"
#include "app/midi/lights.h"
#include "app/midi/map.h"
#include "app/midi/midi.h"
#include "app/midi/wire.h"
#include "base/os/thread.h"

enum {
    APP_MIDI_MAPS = 32,
    APP_MIDI_RAWS = 16,
    APP_MIDI_PATH_SIZE = 1024,
    APP_MIDI_LEARN_SECONDS = 30, /* without anything, until learning ends */
    APP_MIDI_GIVEN = 1024,       /* bytes that came by another way, and wait */
};

struct app_midi_device {
    bool there;
    bool given; /* by app_midi_give */
    char name[APP_MIDI_NAME];
    uint64_t messages;
    bool mapped;
    struct engine_midi_reader reader;
    struct engine_midi_device says;
    bool greeted;     /* it was sent how its maps begin, */
    double light_due; /* and shows something from this clock on */
    struct app_midi_lights lights;
};

/* A map with what its rows know. */
struct app_midi_source {
    char path[APP_MIDI_PATH_SIZE];
    bool wanted;   /* by the options: it has to be good at the start */
    bool builtin;  /* one that comes with froth */
    bool good;     /* `map` is what some version of the file said */
    uint64_t mark; /* of the version that was looked at last; 0: there is none */
    struct app_midi_map map;
    struct engine_midi_taker *takers; /* of each row, */
    int *movers;                      /* and the device that moved it last */
};

enum app_midi_request_kind {
    APP_MIDI_LEARN_ON,
    APP_MIDI_LEARN_OFF,
    APP_MIDI_FORGET,
    APP_MIDI_TOUCH
};
struct app_midi_request {
    enum app_midi_request_kind kind;
    unsigned number; /* of APP_MIDI_FORGET; of APP_MIDI_TOUCH a value, or 0 */
    struct engine_call call;
};

/* What is being learnt, as the painter asks for it. */
enum app_midi_learning {
    APP_MIDI_RESTS,
    APP_MIDI_WAITS_FOR_MOVE,
    APP_MIDI_WAITS_FOR_TOUCH,
    APP_MIDI_TOUCHED
};

struct app_midi_beat_state {
    int device; /* whose pulses count; -1: nobody's */
    double at;  /* of its last one */
};

struct app_midi {
    struct base_diag_sink sink;
    struct app_inlet *inlet;
    bool asked; /* the options name devices, so that what is missing is told */
    bool all;   /* devices of the sequencer */
    const char *names[APP_MIDI_RAWS];
    size_t name_count;
    pthread_t thread;
    bool runs;
    atomic_bool ends;
    int wake;

    /* From the painter. */
    struct base_queue requests;
    atomic_int learning;

    /* To the painter. */
    struct base_queue heard;
    struct base_queue beats;

    /* Under the lock. */
    pthread_mutex_t lock;
    struct app_midi_status status;
    uint8_t given[APP_MIDI_GIVEN];
    size_t given_size;

    /* The thread's. */
    struct app_midi_ear ear;     /* for the sequencer */
    struct app_midi_ear raw_ear; /* for raw bytes */
    struct app_midi_sequencer *sequencer;
    double search_due;
    bool missed; /* it was told that there is none */
    struct app_midi_raw raws[APP_MIDI_RAWS];
    double raw_due[APP_MIDI_RAWS];
    size_t raw_count;
    struct app_midi_device devices[APP_MIDI_DEVICES];
    struct app_midi_source
        sources[APP_MIDI_MAPS]; /* the learnt rows first, then those of the options, the user's */
    size_t source_count;
    double look_due;
    unsigned notes;
    struct app_midi_beat_state beat;
    struct app_seen seen; /* as of the messages that are taken now */
    bool looked;
    bool watches; /* what moves is learnt, and does nothing else */
    struct engine_midi_learner learner;
    int learner_device;
    double learn_due; /* clock at which learning ends */
    double light_due;
    struct app_midi_pulses pulses;
    bool changed;      /* the status is to be written anew, */
    double status_due; /* not before this clock */
    char moved[APP_MIDI_SAYS];
};

/* ---- midi.c ---- */

/* Whether a map is for this device. */
bool app_midi_is_for(const struct app_midi *midi, const struct app_midi_source *source,
                     const struct app_midi_device *device);

/* Reads maps that have changed, or are new. */
void app_midi_look_at_maps(struct app_midi *midi);

/* ---- send.c: lights, and the beat ---- */

/* Lights and beat of all devices. Returns the clock at which more is due. */
double app_midi_send_all(struct app_midi *midi, double now);

/* Devices are left as they were found. */
void app_midi_leave_all(struct app_midi *midi);

/* ---- learn.c ---- */

/* Carries out what the painter asked for. */
void app_midi_obey(struct app_midi *midi, const struct app_midi_request *request);

/* Writes what is to be done next, and lets the painter know. */
void app_midi_say_learning(struct app_midi *midi);

/* why: told; NULL: nothing is. */
void app_midi_end_learning(struct app_midi *midi, const char *why);

#endif
