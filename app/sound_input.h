/* One thing that sound comes from, opened: a device of the sound server, one of PortAudio, or a
 * source (a file, a tune) that is played and heard, or paced by the clock where there is no output.
 * Opening, shutting and closing take their time; one thread at a time. */
#ifndef APP_SOUND_INPUT_H
#define APP_SOUND_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"
#include "app/io/live.h"
#include "app/io/pulse.h"
#include "app/sound_list.h"
#include "base/diag.h"

struct app_sound_input {
    char name[APP_SOUND_NAME]; /* for people */
    enum app_sound_system system;
    char id[APP_SOUND_NAME];  /* of the device; empty: the usual one of its system */
    bool monitor;             /* what an output plays is listened to */
    struct app_pulse *pulse;  /* at most one of pulse and live; neither: shut, or paced */
    struct app_live *live;    /* listening, or playing the source */
    struct app_audio *source; /* NULL: listening */
    bool paced;               /* the source, for want of an output */
    uint64_t begin;           /* where the source starts, in sound frames */
};

/* Listens to a device; id NULL: what the speakers play, or PortAudio's default input. NULL with a
 * message if it cannot be had. */
struct app_sound_input *app_sound_input_listen(enum app_sound_system system, const char *id,
                                               const struct base_diag_sink *sink);

/* Plays a source from `start` seconds on. NULL with a message if it cannot be opened. */
struct app_sound_input *app_sound_input_play(const char *name, double start,
                                             const struct base_diag_sink *sink);

void app_sound_input_close(struct app_sound_input *input); /* NULL is fine */

/* Closes the device; a source stays where it is. */
void app_sound_input_shut(struct app_sound_input *input);

/* Opens the device again. Returns 0, or -1 with a message. */
int app_sound_input_reopen(struct app_sound_input *input, const struct base_diag_sink *sink);

/* The device has gone. Never waits. */
bool app_sound_input_lost(const struct app_sound_input *input);

#endif
