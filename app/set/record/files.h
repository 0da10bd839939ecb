/* The files of a recording that grow, buffered. For one thread. Errors are kept, with their errno,
 * until they are asked for. */
#ifndef APP_SET_FILES_H
#define APP_SET_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/set/record/keeper.h"

enum { APP_SET_BUFFER = 1 << 16 };

struct app_set_log {
    int file; /* -1: none is open */
    int error;
    size_t used;
    char buffer[APP_SET_BUFFER];
};

/* A new file. 0, or -1 with errno. */
int app_set_log_open(struct app_set_log *log, const char *path);
void app_set_log_add(struct app_set_log *log, const void *data, size_t size);

/* All of it is the system's. 0, or -1 with errno. */
int app_set_log_flush(struct app_set_log *log);
void app_set_log_close(struct app_set_log *log);

/* Sound, a file for each minute: a WAV of 24 bits that grows, then FLAC in its place. */
enum { APP_SET_SOUND_MINUTE = 60 * 44100 };

struct app_set_sound {
    struct app_set_log log;
    char folder[4096 + 16];
    unsigned number; /* of the file that grows, from 1; 0: none */
    size_t frames;   /* in it */
    struct app_set_keeper *keeper;
};

/* 0, or -1 with errno. */
int app_set_sound_add(struct app_set_sound *sound, const float *samples, size_t frames);

/* Ends the file that grows. */
int app_set_sound_end(struct app_set_sound *sound);

#endif
