/* Clocks from outside for the beat of a show: Ableton Link, by a thread that keeps the program
 * froth-link (plugins/link) running and believes none of its lines, and MIDI clock, whose messages
 * the painter brings. Both are heard in the time of base_clock_seconds. */
#ifndef APP_TEMPO_TEMPO_H
#define APP_TEMPO_TEMPO_H

#include <stdbool.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/text.h"
#include "engine/engine.h"
#include "engine/tempo/link.h"

struct app_tempo;

/* Joins Link's session where the options ask for it. NULL with a message without memory, a thread,
 * or the helper. A helper that ends later is told once, and started again every two seconds.
 * Options and sink outlive it; messages are reported from its thread as well. */
struct app_tempo *app_tempo_open(const struct app_options *options,
                                 const struct base_diag_sink *sink);

/* Leaves the session. NULL is fine. */
void app_tempo_close(struct app_tempo *tempo);

/* ---- the painter's; none of these waits, locks or formats, and NULL is fine ---- */

/* A message of MIDI clock, as engine_midi_clock_take. */
void app_tempo_midi(struct app_tempo *tempo, uint8_t status, unsigned value, double time);

/* Before each frame: tells the engine where the clocks are at this moment. A tempo that was tapped,
 * or set by hand, since the last call becomes that of Link's session. speed: seconds of the show in
 * one of the clock. */
void app_tempo_give(struct app_tempo *tempo, struct engine *engine, double clock, double speed);

/* The newest that Link has said; false: nothing for a second, or nobody asked. */
bool app_tempo_link(struct app_tempo *tempo, double clock, struct engine_link *link);

#endif
