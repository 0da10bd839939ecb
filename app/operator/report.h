/* What the operator is told of the show: messages, counters, and a snapshot of each frame. */
#ifndef APP_OPERATOR_REPORT_H
#define APP_OPERATOR_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/feed/sound.h"
#include "base/diag.h"
#include "presets/milk/preset.h"
#include "renderer/renderer.h"
#include "renderer/show.h"
#include "ui/toolkit/text.h"
#include "ui/window.h"

/* The last messages, for the operator to read; they also go on to another sink. Any thread but
 * those that paint or hear. */

enum { APP_MESSAGES_KEPT = 64, APP_MESSAGE_SIZE = 512 };

struct app_message {
    enum base_severity severity;
    char text[APP_MESSAGE_SIZE]; /* of files the folder is left out */
};

struct app_messages;

/* on: outlives it. NULL without memory. */
struct app_messages *app_messages_create(const struct base_diag_sink *on);
void app_messages_free(struct app_messages *messages); /* NULL is fine */

struct base_diag_sink app_messages_sink(struct app_messages *messages);

/* Copies the newest ones, the newest first; returns how many, at most `most`. *revision rises with
 * each message. */
size_t app_messages_newest(struct app_messages *messages, struct app_message *to, size_t most,
                           uint64_t *revision);

/* What a show has come to. */

struct app_counters {
    uint64_t frames;
    uint64_t late;              /* came more than half a frame after their time */
    uint64_t steps;             /* of presets */
    unsigned shown;             /* presets */
    unsigned failed;            /* presets that could not be loaded */
    unsigned slow;              /* presets left because they were too slow */
    uint64_t events;            /* steps in which a preset ran out of its budgets */
    double memory_after_minute; /* bytes; 0: not yet */
    double memory;
    double most_after_minute; /* bytes; the most that was in use at any time until then */
    double most;
};

/* Bytes of memory that this process has in use; 0 where the system does not tell. Opens a file: not
 * for every frame. */
double app_memory_used(void);

/* Bytes of memory that this process had in use at most, at any time. Opens nothing. */
double app_memory_most(void);

/* One line for each, "counter NAME: VALUE". */
void app_counters_print(FILE *out, const struct app_counters *counters);

/* What the painter tells the operator of a frame. Plain data, copied whole; it crosses threads
 * through a base_latest. */

enum {
    APP_SNAPSHOT_WIDTH = 320, /* of the small picture, at most */
    APP_SNAPSHOT_HEIGHT = 180,
    APP_SNAPSHOT_VARIABLES = 512,
    APP_SNAPSHOT_VERTICES = 65 * 49, /* of a larger mesh nothing is told */
    APP_SNAPSHOT_WAVE = 256,
};

struct app_snapshot {
    double now;     /* player's time */
    double fps;     /* shown in the last second */
    double drawing; /* milliseconds of the last frame */
    char path[1024];
    char name[256];
    uint32_t number;  /* of the library */
    uint64_t version; /* rises with each preset that is taken, also with another version */
    bool locked;
    bool random;
    bool frozen;
    bool blackout;
    bool fullscreen;
    bool changes; /* a transition runs */
    int divisors[REND_SHADER_STAGES];
    double left; /* seconds until the next preset comes by itself; negative: it does not */
    struct ui_window_pixels view; /* how large the operator's view is to be drawn; 0: not at all */
    struct rend_heard heard;
    struct app_sound_status sound;
    struct app_counters counters;
    float wave[APP_SNAPSHOT_WAVE];
    double values[PRESET_KEY_ROWS]; /* rend_value of every row of preset_keys */
    bool changed[PRESET_KEY_ROWS];  /* the rows whose value is not the preset's own */
    size_t variable_count;
    struct rend_variable_view variables[APP_SNAPSHOT_VARIABLES];
    int mesh_columns; /* 0: not told */
    int mesh_rows;
    struct tmu_vertex vertices[APP_SNAPSHOT_VERTICES];
    int picture_width;
    int picture_height;
    uint32_t picture[APP_SNAPSHOT_WIDTH * APP_SNAPSHOT_HEIGHT];
};

/* What is copied from a running show; with `whole` also mesh, variables and picture. */
void app_snapshot_of_show(struct app_snapshot *snapshot, const struct rend_show *show, bool whole);

/* A small picture of what is shown: every n-th pixel. */
void app_snapshot_picture(struct app_snapshot *snapshot, const struct ui_surface *picture);

/* Moves the newest samples, both channels' mean, into a curve of APP_SNAPSHOT_WAVE values. */
void app_snapshot_wave(float *wave, const float *interleaved, size_t frames);

#endif
