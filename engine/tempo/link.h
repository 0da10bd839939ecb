/* What froth and froth-link (plugins/link), its member of an Ableton Link session, say to each
 * other: lines of words divided by single blanks, numbers whole and in decimal, so that no locale
 * matters. Pure; the helper is a program of its own, whose lines are believed no more than those of
 * anybody.
 *
 * From the helper, some twenty times a second:
 *     link PEERS PLAYING BPM BEATS TIME
 * PEERS: other members, 0..ENGINE_LINK_PEERS_MAX; PLAYING: 1 or 0, as the session was started or
 * stopped; BPM: millionths of a beat per minute; BEATS: of a beat, at TIME, in microseconds of the
 * clock that never goes back (CLOCK_MONOTONIC).
 *
 * To the helper:
 *     tempo BPM
 * sets the session's tempo, in millionths of a beat per minute. */
#ifndef ENGINE_TEMPO_LINK_H
#define ENGINE_TEMPO_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/tempo/tempo.h"

enum {
    ENGINE_LINK_LINE = 96, /* bytes of a line, with its end; a longer one is none */
    ENGINE_LINK_PEERS_MAX = 1000,
};

/* Zero at the start. */
struct engine_link {
    unsigned peers;
    bool playing;
    bool played; /* the session was started once: from then on it runs while it plays */
    struct engine_tempo tempo; /* bpm 0: nothing was said yet */
};

/* Takes a line without its end. False, and nothing changes, if it is not as above, or a number is
 * out of range: the tempo within ENGINE_TEMPO_MIN..ENGINE_TEMPO_MAX, beats and time below 10^15. */
bool engine_link_read(struct engine_link *link, struct base_span line);

/* Writes the line that sets a tempo, with its end; bpm is brought within the range. Returns its
 * bytes. */
size_t engine_link_write_tempo(char line[ENGINE_LINK_LINE], double bpm);

/* What has come of lines so far. Zero at the start. */
struct engine_link_reader {
    char line[ENGINE_LINK_LINE];
    size_t size;
    bool skips; /* the rest of one that is too long */
};

/* Takes bytes as they come. Returns how many whole lines could not be understood. */
unsigned engine_link_take(struct engine_link_reader *reader, struct engine_link *link,
                          const char *bytes, size_t size);

#endif
