/* What the painter's side of a recording hands to the writer's thread, and what the two share. */
#ifndef APP_SET_RECORD_H
#define APP_SET_RECORD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "app/set/event.h"
#include "app/set/past.h"
#include "app/set/record/ring.h"
#include "app/set/record/recorder.h"
#include "engine/command.h"
#include "engine/engine.h"

/* A record of the ring begins with this, and what belongs to its kind follows. */
enum app_set_record_kind {
    APP_SET_RECORD_BEGIN,   /* `frame`: the one before the first; levels of all channels. A state
                               follows or not */
    APP_SET_RECORD_KEEP,    /* the past begins, likewise, and a state follows */
    APP_SET_RECORD_CALL,    /* struct engine_call, as far as its text goes */
    APP_SET_RECORD_PUT,     /* `number`, then the key */
    APP_SET_RECORD_PRESET,  /* struct app_set_taken, path, name, text */
    APP_SET_RECORD_SHADERS, /* two ints */
    APP_SET_RECORD_STILL,   /* `number` */
    APP_SET_RECORD_ANEW,
    APP_SET_RECORD_MORE,
    APP_SET_RECORD_STEPS,    /* `number` presets on, a cut if `count` */
    APP_SET_RECORD_LIGHT,    /* levels of all channels */
    APP_SET_RECORD_CONTROLS, /* struct rend_held */
    APP_SET_RECORD_TEMPO,    /* struct app_set_tempo */
    APP_SET_RECORD_STATE,    /* of `frame`, in the slot, `number` seconds of drawing behind the
                                beginning; `count`: enum app_set_lasts */
    APP_SET_RECORD_FRAME,    /* `frame`, with `count` stereo frames of sound */
    APP_SET_RECORD_CLIP,     /* up to `frame` */
    APP_SET_RECORD_END,
};

/* Where a state belongs: only to the past, to a recording for some minutes, or for good. */
enum app_set_lasts { APP_SET_OF_PAST, APP_SET_OF_SECOND, APP_SET_FOR_GOOD };

struct app_set_record {
    enum app_set_record_kind kind;
    unsigned after; /* steps of the frame that goes on */
    double bar;     /* where the beat stands, in bars */
    uint64_t frame;
    double number;
    size_t count;
};

struct app_set_taken {
    struct rend_change change;
    struct rend_moment moment;
    double seconds;
    size_t path;
    size_t name;
    size_t text;
    bool again;
};

struct app_set_tempo {
    enum engine_tempo_source source;
    double bpm;
    double beats;
    bool runs;
};

/* A saved state on its way. */
enum { APP_SET_SLOT_FREE, APP_SET_SLOT_FULL, APP_SET_SLOT_SMALL };
struct app_set_slot {
    atomic_int turn; /* FREE: the painter's; FULL, SMALL: the writer's */
    uint8_t *bytes;  /* what is kept beside the state, then the state */
    size_t room;
    size_t size;
    size_t wanted;
    struct app_set_thumb thumb; /* what was shown; width 0: none */
};

/* Where a picture was found that a preset names. */
struct app_set_note {
    char *preset; /* its path */
    char *name;
    bool is_file; /* the whole name of a file */
    char *path;
    uint64_t written; /* for this content of the preset */
};

enum app_set_phase {
    APP_SET_OFF,
    APP_SET_OPENS, /* the writer makes it ready */
    APP_SET_READY, /* the painter may begin */
    APP_SET_ON,
    APP_SET_ENDS, /* the painter has ended it */
    APP_SET_FAILED,
};

/* Whether what happens goes to the past. */
enum app_set_keeps {
    APP_SET_KEEPS_NOT,
    APP_SET_KEEPS,
    APP_SET_KEEPS_ANEW, /* something was lost: it begins anew with the next state */
};

struct app_set_recorder {
    const struct base_diag_sink *sink;
    struct app_set_head head;
    struct app_set_past *past; /* NULL: none is kept */
    struct app_set_ring ring;
    struct app_set_slot slot;
    atomic_int phase;
    atomic_bool quit;
    sem_t wake;
    pthread_t thread;
    bool runs; /* the thread */
    /* The painter's. */
    unsigned after;
    double bar;
    enum app_set_keeps keeps;
    uint64_t due;  /* frame of the next state, at the latest */
    uint64_t last; /* and of the last one */
    double work;   /* seconds that drawing took so far, and until the last state */
    double worked;
    unsigned states;
    uint8_t levels[ENGINE_DMX_CHANNELS];
    struct rend_held controls[ENGINE_CONTROLS_MAX];
    size_t control_count;
    struct app_set_tempo tempo[ENGINE_TEMPO_SOURCES];
    struct engine_kept kept;
    /* Under the lock: who loads notes, the writer reads. */
    pthread_mutex_t lock;
    struct app_set_note *notes;
    size_t note_count;
    struct rend_pictures pictures;
    char folder[4096];  /* under the lock; empty: one with a name by the time */
    char current[4096]; /* what is being recorded into, while it is READY or ON */
    uint64_t space;     /* bytes that recordings may take; 0: as much as there is */
    bool always;        /* the folder was given by nobody: old ones give way */
};

/* The writer's thread. */
void *app_set_writer_main(void *recorder);

#endif
