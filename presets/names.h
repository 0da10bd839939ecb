/* Inside presets/: which number or program line a key of a file names. */
#ifndef PRESETS_NAMES_H
#define PRESETS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum preset_name_kind {
    PRESET_NAME_UNKNOWN,
    PRESET_NAME_NUMBER,
    PRESET_NAME_LINE,
    PRESET_NAME_MISNUMBERED, /* a program line with number 0 or leading zeros: never read */
};

struct preset_name {
    enum preset_name_kind kind;
    bool exact;     /* spelled as in the tables, case included */
    uint32_t row;   /* NUMBER: of preset_keys, beyond them of preset_version_keys; LINE: block */
    uint32_t index; /* of the wave or shape */
    uint32_t line;  /* LINE: its number, UINT32_MAX for all larger ones */
};

/* A hash table over all names, without regard to case. Plain data, read only once made. */
enum { PRESET_NAMES_SIZE = 512 };
struct preset_names {
    uint8_t rows[PRESET_NAMES_SIZE]; /* row + 1; 0: free */
};

void preset_names_init(struct preset_names *names);
struct preset_name preset_names_find(const struct preset_names *names, struct base_span key);

#endif
