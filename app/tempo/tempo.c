#define _XOPEN_SOURCE 700 /* realpath */
#include "app/tempo/tempo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/apart/process.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "engine/tempo/midi_clock.h"

static const double patience = 0.1; /* seconds between two looks at what is to be done */
static const double again = 2;      /* seconds until a helper that has ended is started again */
static const double silence = 1;    /* seconds without a line of it */

enum {
    NOTES = 50,   /* messages about other members, at most */
    REFUSED = 20, /* lines of a helper that are not understood, until it is ended */
};

struct app_tempo {
    struct base_diag_sink sink;
    struct engine_midi_clock midi; /* the painter's */
    double tapped;                 /* the painter's: what the hand's tempo was */

    bool linked;
    pthread_t thread;
    bool runs;
    atomic_bool ends;
    _Atomic double wanted; /* tempo for the session; 0: none */
    struct base_latest heard;
    struct engine_link links[BASE_LATEST_SLOTS];

    /* The thread's. */
    char path[PATH_MAX];
    struct app_process process;
    int orders; /* our end of what the helper reads */
    struct engine_link link;
    struct engine_link_reader reader;
    unsigned refused;
    unsigned notes;
    unsigned peers; /* that were told of */
    bool told;      /* that the helper is gone */
};

/* ---- the helper ---- */

/* 0, or an errno value. */
static int start_helper(struct app_tempo *tempo)
{
    const char *const words[] = {tempo->path, NULL};
    const struct app_confine_rights rights = {.network = true};
    int ends[2];
    if (pipe(ends) != 0) {
        return errno;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const int error =
        app_process_start_with(&tempo->process, words, APP_PROCESS_READ, ends, 1, &rights);
    base_file_close(&ends[0]);
    if (error != 0) {
        base_file_close(&ends[1]);
        return error;
    }
    tempo->process.stop = &tempo->ends;
    tempo->orders = ends[1];
    tempo->link = (struct engine_link){.peers = 0};
    tempo->reader = (struct engine_link_reader){.size = 0};
    tempo->refused = 0;
    return 0;
}

static void stop_helper(struct app_tempo *tempo)
{
    base_file_close(&tempo->orders);
    app_process_kill(&tempo->process);
}

static void publish(struct app_tempo *tempo)
{
    tempo->links[base_latest_back(&tempo->heard)] = tempo->link;
    base_latest_publish(&tempo->heard);
    if (tempo->link.peers != tempo->peers && tempo->notes < NOTES) {
        tempo->peers = tempo->link.peers;
        base_report(&tempo->sink, BASE_NOTE, (struct base_place){0},
                    ++tempo->notes == NOTES ? "no more is told of others" : NULL,
                    "Ableton Link: %u other program%s in the session", tempo->peers,
                    tempo->peers == 1 ? "" : "s");
    }
}

/* Listens to the helper and tells it of a tempo until it ends, or is to end. */
static void serve(struct app_tempo *tempo)
{
    bool gone = false;
    while (!gone && tempo->refused < REFUSED && !atomic_load(&tempo->ends)) {
        char bytes[1024];
        const size_t size = app_process_take(&tempo->process, bytes, sizeof bytes, patience, &gone);
        const double before = tempo->link.tempo.at;
        tempo->refused += engine_link_take(&tempo->reader, &tempo->link, bytes, size);
        if (tempo->link.tempo.at > before) {
            publish(tempo);
            if (tempo->told) {
                tempo->told = false;
                base_report(&tempo->sink, BASE_NOTE, (struct base_place){0}, NULL,
                            "Ableton Link is back");
            }
        }
        const double wanted = atomic_exchange(&tempo->wanted, 0);
        if (wanted > 0) {
            char line[ENGINE_LINK_LINE];
            const size_t length = engine_link_write_tempo(line, wanted);
            gone = gone || (write(tempo->orders, line, length) < 0 && errno != EAGAIN);
        }
    }
}

static void *run(void *user)
{
    struct app_tempo *tempo = user;
    while (!atomic_load(&tempo->ends)) {
        serve(tempo);
        stop_helper(tempo);
        if (!atomic_load(&tempo->ends) && !tempo->told) {
            tempo->told = true;
            base_report(&tempo->sink, BASE_WARNING, (struct base_place){0}, "it is started again",
                        "Ableton Link: the helper froth-link has ended");
        }
        do {
            const double until = base_clock_seconds() + again;
            while (!atomic_load(&tempo->ends) && base_clock_seconds() < until) {
                base_clock_sleep_until(base_clock_seconds() + patience);
            }
        } while (!atomic_load(&tempo->ends) && start_helper(tempo) != 0);
    }
    stop_helper(tempo);
    return NULL;
}

static bool find_helper(struct app_tempo *tempo)
{
    static const char *const places[] = {"/froth-link", "/../libexec/froth/froth-link"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (base_beside_program(tempo->path, sizeof tempo->path, places[i]) &&
            access(tempo->path, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* A show begins without a session that cannot be had. */
static int open_link(struct app_tempo *tempo)
{
    tempo->linked = find_helper(tempo);
    if (!tempo->linked) {
        base_report(&tempo->sink, BASE_WARNING, (struct base_place){0},
                    "install it (Debian: apt install froth-link, or ableton-link-dev and ./run)",
                    "--link needs the program froth-link, which is not there");
        return 0;
    }
    int error = start_helper(tempo);
    if (error != 0) {
        base_report(&tempo->sink, BASE_WARNING, (struct base_place){0}, NULL,
                    "froth-link cannot be started: %s", app_apart_error(error));
        tempo->linked = false;
        return 0;
    }
    error = pthread_create(&tempo->thread, NULL, run, tempo);
    if (error != 0) {
        base_report(&tempo->sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "no thread for Ableton Link: %s", strerror(error));
        return -1;
    }
    tempo->runs = true;
    return 0;
}

struct app_tempo *app_tempo_open(const struct app_options *options,
                                 const struct base_diag_sink *sink)
{
    struct app_tempo *tempo = calloc(1, sizeof *tempo);
    if (tempo == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return NULL;
    }
    tempo->sink = *sink;
    tempo->process = APP_PROCESS_NONE;
    tempo->orders = -1;
    tempo->linked = options->link;
    base_latest_init(&tempo->heard);
    if (tempo->linked && open_link(tempo) != 0) {
        app_tempo_close(tempo);
        return NULL;
    }
    return tempo;
}

void app_tempo_close(struct app_tempo *tempo)
{
    if (tempo == NULL) {
        return;
    }
    if (tempo->runs) {
        atomic_store(&tempo->ends, true);
        (void)pthread_join(tempo->thread, NULL);
    } else {
        stop_helper(tempo);
    }
    free(tempo);
}

/* ---- the painter's ---- */

void app_tempo_midi(struct app_tempo *tempo, uint8_t status, unsigned value, double time)
{
    if (tempo != NULL) {
        engine_midi_clock_take(&tempo->midi, status, value, time);
    }
}

bool app_tempo_link(struct app_tempo *tempo, double clock, struct engine_link *link)
{
    if (tempo == NULL || !tempo->linked) {
        return false;
    }
    (void)base_latest_take(&tempo->heard);
    *link = tempo->links[base_latest_front(&tempo->heard)];
    return link->tempo.bpm > 0 && clock - link->tempo.at < silence;
}

static void give(struct engine *engine, enum engine_tempo_source source,
                 const struct engine_tempo *line, double clock, double speed)
{
    if (line != NULL) {
        engine_set_tempo(engine, source, line->bpm / speed, engine_tempo_beats(line, clock),
                         line->runs);
    } else {
        engine_set_tempo(engine, source, 0, 0, true);
    }
}

void app_tempo_give(struct app_tempo *tempo, struct engine *engine, double clock, double speed)
{
    struct engine_link link;
    struct engine_tempo midi;
    if (tempo == NULL) {
        return;
    }
    const bool pulses = engine_midi_clock_tempo(&tempo->midi, clock, &midi);
    const bool linked = app_tempo_link(tempo, clock, &link);
    give(engine, ENGINE_TEMPO_MIDI, pulses ? &midi : NULL, clock, speed);
    /* A session of one is nobody's clock. */
    give(engine, ENGINE_TEMPO_LINK, linked && link.peers > 0 ? &link.tempo : NULL, clock, speed);
    const double tapped = engine_state(engine)->tempo.sources[ENGINE_TEMPO_TAP].bpm * speed;
    if (tapped != tempo->tapped) {
        tempo->tapped = tapped;
        atomic_store(&tempo->wanted, tapped);
    }
}
