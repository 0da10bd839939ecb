/* Literals to doubles, independent of the locale. */
#ifndef PFPU_NUMBER_H
#define PFPU_NUMBER_H

#include <stddef.h>

#include "base/arena.h"

/* Length of the number at the start of the text (0: none): decimal with optional fraction and
 * exponent, or hexadecimal digits ending in h; a lone point is one too. */
size_t pfpu_number_length(const char *text, size_t size);

/* Value of `size` characters that pfpu_number_length accepted, correctly rounded. Scratch memory
 * serves long literals; without memory the value is 0 and the arena says so. */
double pfpu_number_value(const char *text, size_t size, struct base_arena *scratch);

/* Value of hexadecimal digits. */
double pfpu_number_hex(const char *text, size_t size);

#endif
