/* Finds small numbers by name: a table that is filled once and only grows. */
#ifndef RENDERER_SHADER_NAMES_H
#define RENDERER_SHADER_NAMES_H

#include "base/span.h"

enum { SHADER_NAMES_MAX = 384, SHADER_NAMES_NONE = UINT16_MAX };

struct shader_names {
    struct shader_names_row {
        struct base_span name; /* size 0: free */
        uint16_t number;
    } rows[512]; /* a power of two, more than SHADER_NAMES_MAX */
};

/* A zeroed table is empty. The name's bytes must stay. A name that is there already keeps its
 * number. At most SHADER_NAMES_MAX names. */
void shader_names_add(struct shader_names *names, const char *name, uint16_t number);

/* SHADER_NAMES_NONE if it is not there. Case counts. */
uint16_t shader_names_find(const struct shader_names *names, struct base_span name);

#endif
