/* Finding what was meant by a word that is nobody's name. */
#ifndef BASE_CLOSEST_H
#define BASE_CLOSEST_H

#include <stddef.h>

/* Single-letter changes that turn a into b; large if one is long. */
size_t base_distance(const char *a, const char *b);

/* Zero-initialise, then try each name. */
struct base_closest {
    const char *name; /* the closest so far; NULL: none is close, more than 3 changes are a guess */
    size_t changes;
};
void base_closest_try(struct base_closest *closest, const char *word, const char *name);

/* "did you mean NAME?", or `else_hint` if none is close. */
void base_closest_hint(const struct base_closest *closest, const char *else_hint, char *text,
                       size_t size);

#endif
