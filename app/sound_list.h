/* The devices that sound comes from and goes to, numbered for the operator: those of the sound
 * server first, then PortAudio's. */
#ifndef APP_SOUND_LIST_H
#define APP_SOUND_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "app/play_sound.h"
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

#endif
