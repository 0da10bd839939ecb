/* Ways to devices: the system's sequencer (sequencer.c), and files, pipes and devices of raw bytes
 * (raw.c). Each finds its devices, tells what they send, and sends to them. All functions belong to
 * the thread of MIDI. */
#ifndef APP_MIDI_WIRE_H
#define APP_MIDI_WIRE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/midi/map.h"
#include "base/text.h"

/* Who is told. */
struct app_midi_ear {
    void *user;
    /* A device is there; its number, or -1: it is not wanted, or there is no room. */
    int (*came)(void *user, const char *name);
    void (*went)(void *user, int device);
    void (*bytes)(void *user, int device, const uint8_t *bytes, size_t size);
    void (*lost)(void *user, uint64_t messages); /* the system had no room for them */
    const struct base_diag_sink *sink;
};

enum { APP_MIDI_POLLED = 8 }; /* descriptors of one way, at most */

/* ---- the sequencer; of ALSA, where froth was built with it ---- */

struct app_midi_sequencer;

/* NULL: there is none now. `why` (of APP_MIDI_NAME bytes) then says so. */
struct app_midi_sequencer *app_midi_sequencer_open(const struct app_midi_ear *ear, char *why);
void app_midi_sequencer_close(struct app_midi_sequencer *sequencer); /* NULL is fine */
size_t app_midi_sequencer_polls(const struct app_midi_sequencer *sequencer, struct pollfd *polls);

/* Takes what has come, a bounded number. False: the sequencer is gone; close it. */
bool app_midi_sequencer_take(struct app_midi_sequencer *sequencer);

/* Sends whole messages to a device. False: it could not be sent, or is no device of this way. */
bool app_midi_sequencer_send(struct app_midi_sequencer *sequencer, int device, const uint8_t *bytes,
                             size_t size);

/* ---- raw bytes ---- */

struct app_midi_raw {
    const struct app_midi_ear *ear;
    const char *path;
    int descriptor; /* -1: not open */
    int keeper;     /* of a pipe: another end, so that it does not end with who writes */
    int device;     /* -1: none */
    bool file;      /* an ordinary one: it is read once, at the pace of a cable */
    bool done;
    bool told;       /* that it is not there */
    double look_due; /* clock of the next look whether a pipe is still that of the path */
    double begun;    /* clock at which a file was opened, */
    double sent;     /* and bytes of it since then */
};

/* Where it is not open: opens it if it is there. Then takes what has come, a bounded number of
 * bytes. now: the clock. Returns seconds after which it wants to be asked again, whether something
 * comes or not; negative: it does not. */
double app_midi_raw_take(struct app_midi_raw *raw, double now);
void app_midi_raw_close(struct app_midi_raw *raw);
const char *app_midi_raw_name(const struct app_midi_raw *raw); /* the last part of its path */
bool app_midi_raw_send(struct app_midi_raw *raw, const uint8_t *bytes, size_t size);

#endif
