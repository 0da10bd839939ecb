/* The devices that sound comes from and goes to, numbered for the operator: those of the sound
 * server first, then PortAudio's. */
#ifndef APP_FEED_SOUND_INPUT_H
#define APP_FEED_SOUND_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/feed/sound.h"
#include "app/io/audio.h"
#include "app/io/live.h"
#include "app/io/pulse.h"
#include "base/diag.h"

enum app_sound_system { APP_SOUND_PULSE, APP_SOUND_PORTAUDIO };

struct app_sound_device {
    enum app_sound_system system;
    char name[APP_SOUND_NAME]; /* to be shown; no two in a list are the same */
    char id[APP_SOUND_NAME];   /* what its system calls it */
    int inputs;                /* channels; it can be listened to if there are any */
    int outputs;
    bool monitor; /* an input that hears what an output plays */
    bool usual;   /* the usual input or output, or the monitor of the usual output */
};

/* A device's number is its place here. */
struct app_sound_list {
    struct app_sound_device items[APP_SOUND_DEVICES];
    size_t count;
};

/* Asks the systems, which may take a second. Returns 0, or -1 with a message if PortAudio does not
 * start; the list then holds what there is without it. */
int app_sound_list_fill(struct app_sound_list *list, const struct base_diag_sink *sink);

/* The device that can be listened to with this number, this whole name or id, or else the first
 * with a name or id that contains the text. NULL if there is none. */
const struct app_sound_device *app_sound_list_find(const struct app_sound_list *list,
                                                   const char *text);

/* One device a line, for people or as JSON. */
void app_sound_list_print(const struct app_sound_list *list, bool json, FILE *out);

/* One thing that sound comes from, opened: a device of the sound server, one of PortAudio, or a
 * source (a file, a tune) that is played and heard, or paced by the clock where there is no output.
 * Opening, shutting and closing take their time; one thread at a time. */

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
