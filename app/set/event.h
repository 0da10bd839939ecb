/* What happens in a set, as events.yaml has it: a head that says what show it was, then a line for
 * each thing that changed it. */
#ifndef APP_SET_EVENT_H
#define APP_SET_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/os/form.h"
#include "base/text.h"
#include "engine/embed/froth.h"
#include "engine/rate.h"
#include "renderer/show.h"

enum app_set_kind {
#define APP_SET_EVENT(id, ...) APP_SET_##id,
#include "app/set/events.def"
    APP_SET_KINDS
};

enum { APP_SET_LINE = 4096, APP_SET_NAME = 256 };

/* One of them. Texts belong to who made it. */
struct app_set_event {
    enum app_set_kind kind;
    uint64_t frame; /* of the show: it happens before this one is drawn, */
    unsigned after; /* or within it, behind so many of its steps */
    uint32_t line;  /* in events.yaml; 0: it was not read */
    uint32_t column;
    double bar; /* where the beat stood, in bars; 0: there was none */
    /* COMMAND: the command with its argument; PRESET: its file, below the set's folder; LIGHT:
     * "12=255 13=0", what changes; CONTROLS: "name=1 ...". */
    struct base_span text;
    struct base_span name;     /* PRESET: what it is called */
    struct base_span path;     /* PRESET: where it lay */
    struct rend_change change; /* PRESET */
    double seconds;            /* PRESET: how long it is to be shown, below 0: as usual; STILL */
    bool again;                /* PRESET: another version of the one that runs */
    bool begins;               /* PRESET: `moment` is known */
    struct rend_moment moment;
    int shaders[REND_SHADER_STAGES];
};

/* What show it was. */
struct app_set_head {
    char froth[32];             /* the version that recorded it */
    char begun[32];             /* when, for people */
    struct froth_config config; /* what it was made with, live, without its functions */
    char transition[32];        /* the config's, empty: as usual */
    double speed;
    int64_t cost;
    uint64_t first; /* the frame before its first one: 0, or where the recording began in a show */
};

/* The rate of its pictures, and that as one number. */
struct engine_rate app_set_frame_rate(const struct froth_config *config);
double app_set_rate(const struct froth_config *config);

/* Seconds of a set at which frame `frame` begins. */
double app_set_seconds(const struct app_set_head *head, uint64_t frame);

/* Writes the head, with its comment and "events:", and an event, each with its line end. Returns
 * the size, at most APP_SET_LINE; 0: there is no room. Never allocates. */
size_t app_set_head_write(const struct app_set_head *head, char text[static APP_SET_LINE]);
size_t app_set_event_write(const struct app_set_event *event, const struct app_set_head *head,
                           char text[static APP_SET_LINE]);

/* What was read. */
struct app_set_events {
    struct base_arena arena;
    struct app_set_head head;
    struct app_set_event *items; /* in their order, by frames */
    size_t count;
    bool moved; /* they did not stand in it */
};

/* Reads events.yaml, whose last line may be cut off. 0, or -1 after messages; to be freed in either
 * case. Zero-initialise. */
int app_set_events_read(struct app_set_events *events, const char *file, struct base_span text,
                        const struct base_diag_sink *sink);
void app_set_events_free(struct app_set_events *events);

#endif
