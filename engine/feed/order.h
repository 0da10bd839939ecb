/* Presets in the order in which a show takes them: who keeps such an order, and a plain one of
 * files and of texts that somebody holds. */
#ifndef ENGINE_FEED_ORDER_H
#define ENGINE_FEED_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "base/text.h"
#include "presets/library/order.h"

enum { ENGINE_ORDER_MAX = 100000 /* presets */ };

#define ENGINE_NUMBER_NONE UINT32_MAX

enum { ENGINE_PATH = 1024 /* bytes, with the NUL */ };

/* A preset that comes, and how. */
struct engine_choice {
    uint32_t number;        /* in its order; ENGINE_NUMBER_NONE: in none */
    double seconds;         /* for which it is shown; below 0: as usual */
    char transition[32];    /* empty: the usual one */
    char path[ENGINE_PATH]; /* of a text, its name */
    struct base_span text;  /* data NULL: it is a file; of who chose, until the order changes */
    bool unnamed;           /* its name is not for the audience */
};

/* Who keeps an order. The functions are called by who loads, one at a time, and may wait. */
struct engine_source {
    void *user;
    /* The preset so many steps on (back if negative), or this one; false: there is none. */
    bool (*step)(void *user, int steps, struct engine_choice *choice);
    bool (*choose)(void *user, uint32_t number, struct engine_choice *choice);
    size_t (*count)(void *user); /* presets that may come */
    /* NULL, all of them, where what cannot be loaded is not remembered. */
    bool (*wait)(void *user);                  /* for the first preset; false: there will be none */
    bool (*grows)(void *user);                 /* more may be found soon */
    void (*mark)(void *user, uint32_t number); /* it is not fit to be shown */
    void (*unmark)(void *user, uint32_t number); /* what was marked last is as it was before */
    bool (*tells)(void *user, uint32_t number);  /* its errors were not told yet; asks once */
    /* The first presets, marked or not; returns how many there are. */
    size_t (*list)(void *user, uint32_t *numbers, size_t most);
};

struct engine_item {
    char *path;          /* of a text, its name */
    char *text;          /* NULL: it is a file */
    size_t size;         /* of the text */
    double seconds;      /* for which it is shown; below 0: as usual */
    char transition[32]; /* empty: the usual one */
    uint64_t shown;      /* turn in which it came last; 0: never */
};

/* Zero-initialise, with `rng` seeded. */
struct engine_order {
    struct engine_item *items;
    size_t count;
    size_t capacity;
    size_t next; /* as listed; 0 before the first */
    bool begun;  /* one came */
    bool random;
    bool incomplete; /* something that was added, or of a list, is not there */
    uint64_t turn;
    struct preset_history history;
    struct base_rng rng;
};

void engine_order_free(struct engine_order *order); /* empty afterwards */

/* Adds a preset, all below a folder, or all of a playlist. What is missing of a list is reported
 * and left out. Returns how many were added, or -1 with a message and nothing added. */
long engine_order_add(struct engine_order *order, const char *path,
                      const struct base_diag_sink *sink);

/* Adds a text under a name; copied. Returns 0, or -1 without memory or room. */
int engine_order_add_text(struct engine_order *order, const char *name, struct base_span text);

/* Goes `steps` on (back if negative): as listed and around, or by chance, where none comes again
 * before half of the others came, and back by what came. NULL if there is none. */
const struct engine_item *engine_order_step(struct engine_order *order, int steps);

/* Goes to this one; NULL if there is no such. */
const struct engine_item *engine_order_choose(struct engine_order *order, size_t item);

/* The order as a source; it must outlive that. */
struct engine_source engine_order_source(struct engine_order *order);

#endif
