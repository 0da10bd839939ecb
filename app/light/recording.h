/* Light that was recorded, or written by hand: a text as OLA's ola_recorder writes it. Its first
 * line is "OLA Show"; then lines of a universe with its levels, such as "1 255,0,128", and behind
 * each one with the milliseconds until the next. Channels behind the last level are 0. Empty lines
 * are passed over. */
#ifndef APP_LIGHT_RECORDING_H
#define APP_LIGHT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/light/map.h"
#include "app/options/options.h"
#include "base/text.h"
#include "engine/light/merge.h"

/* ---- the text ---- */

/* Reads on in a text, which outlives it. */
struct app_light_reader {
    const char *file; /* for messages */
    struct base_span rest;
    uint32_t line;
    uint64_t now; /* milliseconds from the beginning, at `rest` */
};

/* Levels of a universe at a moment. */
struct app_light_moment {
    uint64_t milliseconds; /* from the beginning */
    uint32_t universe;
    uint8_t levels[ENGINE_MERGE_CHANNELS];
};

/* Reads the first line. Returns 0, or -1 with a message. */
int app_light_reader_open(struct app_light_reader *reader, const char *file, struct base_span text,
                          const struct base_diag_sink *sink);

/* The next levels. 1; 0 at the end; -1 with a message at what is wrong, behind which nothing can be
 * read. */
int app_light_reader_next(struct app_light_reader *reader, struct app_light_moment *moment,
                          const struct base_diag_sink *sink);

/* ---- a film with light ---- */

struct app_light_film;

/* Reads what --light-recording names, and the map of --light. *film is NULL where nothing is asked
 * for. The universes that the map hears come in its order; without a map those of the recording, in
 * the order in which they come first, and what is behind APP_LIGHT_INPUTS of them is left out with
 * a message. Returns 0, or -1 with messages. Options outlive it. */
int app_light_film_open(struct app_light_film **film, const struct app_options *options,
                        const struct base_diag_sink *sink);
void app_light_film_close(struct app_light_film *film); /* NULL is fine */

/* Everything up to `seconds` from the beginning, which does not go back: tells the audience what
 * the map makes of it, and returns the levels, ENGINE_DMX_CHANNELS of them, which stay until the
 * next call. audience: NULL for nobody; whoever comes next is told what has become of it. A NULL
 * film has no levels: NULL. */
const uint8_t *app_light_film_until(struct app_light_film *film, double seconds,
                                    const struct app_light_audience *audience);

#endif
