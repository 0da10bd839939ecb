/* Inlets, what the painter takes from them, and what is read back. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/control/control.h"
#include "base/os/thread.h"

const struct app_source_row app_source_rows[APP_SOURCE_COUNT] = {
#define USER                                          true
#define OTHER                                         false
#define AT_ONCE                                       false
#define WAITS                                         true
#define APP_SOURCE(id, name, way, who, when, help)    {name, help, who, when},
#define APP_SOURCE_PAINTER(id, name, who, when, help) {name, help, who, when},
#include "app/control/sources.def"
#undef USER
#undef OTHER
#undef AT_ONCE
#undef WAITS
};

enum { WORD_BITS = 64, FRESH_WORDS = (APP_VALUE_COUNT + WORD_BITS - 1) / WORD_BITS };

struct app_inlet {
    struct app_door *door;
    struct base_queue calls;
    struct engine_call held; /* taken from the queue, and not carried out yet */
    bool holds;
    void *state; /* of the source */
    bool runs;
    atomic_ullong taken;
    atomic_ullong values;
    atomic_ullong replaced;
    atomic_ullong dropped;
    atomic_ullong refused;
    char text[APP_INLET_STATUS];
    char whisper[APP_INLET_STATUS];
};

/* A seen, as words that may be copied while they are written. */
union seen_words {
    struct app_seen seen;
    uint64_t words[(sizeof(struct app_seen) + sizeof(uint64_t) - 1) / sizeof(uint64_t)];
};

enum { SEEN_WORDS = sizeof(((union seen_words *)NULL)->words) / sizeof(uint64_t) };

struct app_door {
    const struct app_source_way *const *ways;
    struct app_inlet inlets[APP_SOURCE_COUNT];
    _Atomic double values[APP_VALUE_COUNT];
    atomic_ullong fresh[FRESH_WORDS]; /* a bit for each value that the painter has not taken */
    pthread_mutex_t lock;             /* for the inlets' texts */
    atomic_ullong turn;               /* odd while the words below are written */
    atomic_ullong seen[SEEN_WORDS];
};

static void count(atomic_ullong *counter)
{
    (void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* ---- beginning and end ---- */

struct app_door *app_door_open(const struct app_source_way *const ways[APP_SOURCE_COUNT],
                               const struct app_options *options, const struct base_diag_sink *sink)
{
    struct app_door *door = calloc(1, sizeof *door);
    bool whole = door != NULL;
    for (int i = 0; whole && i < APP_SOURCE_COUNT; i++) {
        struct app_inlet *inlet = &door->inlets[i];
        inlet->door = door;
        whole = base_queue_init(&inlet->calls, sizeof(struct engine_call), APP_INLET_CALLS) == 0;
    }
    if (door != NULL) {
        door->ways = ways;
        (void)pthread_mutex_init(&door->lock, NULL);
    }
    if (!whole) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        app_door_close(door);
        return NULL;
    }
    for (int i = 0; i < APP_SOURCE_COUNT; i++) {
        const struct app_source_way *way = door->ways[i];
        struct app_inlet *inlet = &door->inlets[i];
        if (way != NULL && way->start(&inlet->state, inlet, options, sink) != 0) {
            app_door_close(door);
            return NULL;
        }
        inlet->runs = way == NULL || inlet->state != NULL;
    }
    return door;
}

void app_door_close(struct app_door *door)
{
    for (int i = APP_SOURCE_COUNT - 1; door != NULL && i >= 0; i--) {
        struct app_inlet *inlet = &door->inlets[i];
        if (inlet->state != NULL) {
            door->ways[i]->stop(inlet->state);
        }
    }
    for (int i = 0; door != NULL && i < APP_SOURCE_COUNT; i++) {
        base_queue_free(&door->inlets[i].calls);
    }
    if (door != NULL) {
        (void)pthread_mutex_destroy(&door->lock);
    }
    free(door);
}

struct app_inlet *app_door_inlet(struct app_door *door, enum app_source source)
{
    return &door->inlets[source];
}

struct app_door *app_inlet_door(const struct app_inlet *inlet)
{
    return inlet->door;
}

/* ---- the painter's side ---- */

static void take_values(struct app_door *door, const struct app_taker *taker)
{
    for (unsigned i = 0; i < FRESH_WORDS; i++) {
        if (atomic_load_explicit(&door->fresh[i], memory_order_relaxed) == 0) {
            continue;
        }
        unsigned long long bits = atomic_exchange(&door->fresh[i], 0);
        while (bits != 0) {
            const unsigned value = i * WORD_BITS + (unsigned)__builtin_ctzll(bits);
            bits &= bits - 1;
            taker->set(taker->user, value,
                       atomic_load_explicit(&door->values[value], memory_order_relaxed));
        }
    }
}

void app_door_take_from(struct app_door *door, enum app_source source, bool shown,
                        const struct app_taker *taker)
{
    const struct app_source_row *row = &app_source_rows[source];
    const struct app_source_way *way = door->ways[source];
    struct app_inlet *inlet = &door->inlets[source];
    const bool has_thread = inlet->state != NULL && way->poll == NULL;
    for (int i = 0; i < APP_INLET_TURN; i++) {
        inlet->holds = inlet->holds || base_queue_pop(&inlet->calls, &inlet->held);
        if (!inlet->holds || (has_thread && !taker->ready(taker->user)) ||
            (row->waits && !shown && ui_command_rows[inlet->held.command].of_preset)) {
            return;
        }
        inlet->holds = false;
        count(&inlet->taken);
        taker->obey(taker->user, source, &inlet->held);
    }
}

void app_door_take(struct app_door *door, bool shown, const struct app_taker *taker)
{
    if (door == NULL) {
        return;
    }
    for (int i = 0; i < APP_SOURCE_COUNT; i++) {
        const struct app_source_way *way = door->ways[i];
        if (way != NULL && way->poll != NULL && door->inlets[i].state != NULL) {
            way->poll(door->inlets[i].state);
        }
    }
    take_values(door, taker);
    for (int i = 0; i < APP_SOURCE_COUNT; i++) {
        app_door_take_from(door, (enum app_source)i, shown, taker);
    }
}

/* ---- a source's side ---- */

bool app_inlet_call(struct app_inlet *inlet, const struct engine_call *call)
{
    if (call->command == UI_COMMAND_NONE || call->command >= UI_COMMAND_COUNT) {
        count(&inlet->refused);
        return false;
    }
    const bool room = base_queue_push(&inlet->calls, call);
    if (!room) {
        count(&inlet->dropped);
    }
    return room;
}

bool app_inlet_value(struct app_inlet *inlet, unsigned value, double number)
{
    struct app_door *door = inlet->door;
    struct app_value_row row;
    if (!isfinite(number) || !app_value_row(value, &row)) {
        count(&inlet->refused);
        return false;
    }
    const unsigned long long bit = 1ULL << value % WORD_BITS;
    atomic_store_explicit(&door->values[value], number, memory_order_relaxed);
    count(&inlet->values);
    if ((atomic_fetch_or(&door->fresh[value / WORD_BITS], bit) & bit) != 0) {
        count(&inlet->replaced);
    }
    return true;
}

void app_inlet_refuse(struct app_inlet *inlet)
{
    count(&inlet->refused);
}

void app_inlet_lose(struct app_inlet *inlet, uint64_t lost)
{
    (void)atomic_fetch_add_explicit(&inlet->dropped, lost, memory_order_relaxed);
}

static void keep_text(struct app_inlet *inlet, char *to, const char *text)
{
    const size_t size = strnlen(text, APP_INLET_STATUS - 1);
    (void)pthread_mutex_lock(&inlet->door->lock);
    memcpy(to, text, size);
    to[size] = '\0';
    (void)pthread_mutex_unlock(&inlet->door->lock);
}

void app_inlet_say(struct app_inlet *inlet, const char *text)
{
    keep_text(inlet, inlet->text, text);
}

void app_inlet_whisper(struct app_inlet *inlet, const char *text)
{
    keep_text(inlet, inlet->whisper, text);
}

struct app_inlet_counts app_inlet_counts(const struct app_inlet *inlet)
{
    return (struct app_inlet_counts){
        atomic_load_explicit(&inlet->taken, memory_order_relaxed),
        atomic_load_explicit(&inlet->values, memory_order_relaxed),
        atomic_load_explicit(&inlet->replaced, memory_order_relaxed),
        atomic_load_explicit(&inlet->dropped, memory_order_relaxed),
        atomic_load_explicit(&inlet->refused, memory_order_relaxed),
    };
}

void app_inlet_print(FILE *out, enum app_source source, const struct app_inlet_counts *counts)
{
    if (counts->calls + counts->values + counts->dropped + counts->refused > 0) {
        (void)fprintf(out,
                      "counter control %s: %" PRIu64 " commands, %" PRIu64 " values, %" PRIu64
                      " dropped, %" PRIu64 " replaced, %" PRIu64 " not understood\n",
                      app_source_rows[source].name, counts->calls, counts->values, counts->dropped,
                      counts->replaced, counts->refused);
    }
}

void app_door_state(struct app_door *door, enum app_source source, struct app_inlet_state *state)
{
    const struct app_inlet *inlet = &door->inlets[source];
    state->runs = inlet->runs;
    state->counts = app_inlet_counts(inlet);
    (void)pthread_mutex_lock(&door->lock);
    memcpy(state->text, inlet->text, sizeof state->text);
    memcpy(state->whisper, inlet->whisper, sizeof state->whisper);
    (void)pthread_mutex_unlock(&door->lock);
}

/* ---- what is read back ---- */

/* The turn is odd while the words are written. Each word is stored with release and read with
 * acquire, so that none of a later turn is seen without that turn. */
void app_door_show(struct app_door *door, const struct app_seen *seen)
{
    union seen_words copy = {.seen = *seen};
    const unsigned long long turn = atomic_load_explicit(&door->turn, memory_order_relaxed);
    atomic_store_explicit(&door->turn, turn + 1, memory_order_relaxed);
    for (size_t i = 0; i < SEEN_WORDS; i++) {
        atomic_store_explicit(&door->seen[i], copy.words[i], memory_order_release);
    }
    atomic_store_explicit(&door->turn, turn + 2, memory_order_release);
}

bool app_door_look(const struct app_door *door, struct app_seen *seen)
{
    union seen_words copy;
    unsigned long long before;
    unsigned long long after;
    do {
        before = atomic_load_explicit(&door->turn, memory_order_acquire);
        for (size_t i = 0; i < SEEN_WORDS; i++) {
            copy.words[i] = atomic_load_explicit(&door->seen[i], memory_order_acquire);
        }
        after = atomic_load_explicit(&door->turn, memory_order_relaxed);
    } while (before != after || before % 2 != 0);
    *seen = copy.seen;
    return before != 0;
}
