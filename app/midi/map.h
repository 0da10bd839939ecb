/* Maps of MIDI: YAML files that say which knob, fader, button or key of a device sets which value
 * or calls which command (docs/midi.md). The user's own file of learnt rows is one of them. */
#ifndef APP_MIDI_MAP_H
#define APP_MIDI_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "engine/command.h"
#include "engine/midi/control.h"

enum {
    APP_MIDI_ROWS = 1024,  /* of a map */
    APP_MIDI_NAME = 64,    /* bytes of a device's name, with the NUL */
    APP_MIDI_WORDS = 2048, /* bytes of a row in words */
    APP_MIDI_SENT = 128,   /* bytes that a map sends at a device's start or end */
};

/* What a control does. */
struct app_midi_row {
    char device[APP_MIDI_NAME]; /* a part of the names of its devices; empty: as the map's */
    struct engine_midi_control control;
    enum engine_midi_mode mode;
    unsigned value;          /* of app/control/control.h; 0: it calls a command */
    double from;             /* where the control's place is 0 */
    double to;               /* and 1 */
    double step;             /* of an encoder, as a part of the way between the two */
    double fineness;         /* of whole numbers, as a part of the way; 0: it has any */
    struct engine_call call; /* of a row without a value */
    bool lit;                /* its control has a light: */
    uint8_t light;           /* what is sent to it where the value is at `to`, or of a call, */
    uint8_t dark;            /* and where it is at `from` */
    uint32_t line;           /* of the file; 0: of none */
};

struct app_midi_map {
    struct base_arena arena; /* of what follows */
    char name[APP_MIDI_NAME];
    char device[APP_MIDI_NAME];   /* a part of the names of its devices; empty: all */
    bool has_programs;            /* it says something of program changes: */
    bool programs;                /* they pick presets */
    bool clock;                   /* its devices hear the beat */
    uint8_t start[APP_MIDI_SENT]; /* whole messages for a device that comes, */
    size_t start_size;
    uint8_t end[APP_MIDI_SENT]; /* and for one that is left */
    size_t end_size;
    size_t row_count;
    struct app_midi_row *rows;
};

/* Reads a file. Returns 0, or -1 with messages, at most ten; the map is then good for nothing but
 * app_midi_map_free. The map may be anything before. */
int app_midi_map_read(struct app_midi_map *map, const char *file, struct base_span text,
                      const struct base_diag_sink *sink);
void app_midi_map_free(struct app_midi_map *map);

/* The maps that come with froth, for controllers by their names, in alphabetical order; written by
 * the build (tools/embed_text.cmake). */
struct app_midi_builtin {
    const char *name;
    const char *text;
};
extern const struct app_midi_builtin app_midi_maps[];
extern const size_t app_midi_maps_count;

/* Whether the map, or a row of it, is for a device of this name; ASCII case is ignored. */
bool app_midi_map_fits(const struct app_midi_map *map, const char *device);
bool app_midi_row_fits(const struct app_midi_map *map, const struct app_midi_row *row,
                       const char *device);

/* How a row is moved if nothing else is said, and how far: the reach of its value (reaches.def), a
 * step of a 127th of that, or of 1 where it has whole numbers. The row has its control, and its
 * value or call. */
void app_midi_row_complete(struct app_midi_row *row);

/* Words of a call, as ui_call_parse reads them. False if they are too long. */
bool app_midi_call_words(const struct engine_call *call, char *text, size_t size);

/* What a row is, for people: "controller 16 of channel 1", "zoom 0.8 to 1.25". */
void app_midi_control_words(const struct engine_midi_control *control, char *text, size_t size);
void app_midi_target_words(const struct app_midi_row *row, char *text, size_t size);

/* The row as a line of a map file, "  - {...}" with a line end. False if it is too long. */
bool app_midi_row_line(const struct app_midi_row *row, char *text, size_t size);

/* ---- the file of learnt rows ---- */

/* Adds a row to a file, in place of those of the same device and control that stand in lines of
 * their own; all else in the file stays as it is, comments too. A file that is missing is begun.
 * Written beside and renamed. Returns 0, or -1 with a message, and the file is unchanged: it cannot
 * be read as a map, or written. */
int app_midi_learnt_add(const char *path, const struct app_midi_row *row,
                        const struct base_diag_sink *sink);

/* Takes a row away, which stands in a line of its own. Returns 0, or -1 with a message, and the
 * file is unchanged. */
int app_midi_learnt_remove(const char *path, const struct app_midi_row *row,
                           const struct base_diag_sink *sink);

#endif
