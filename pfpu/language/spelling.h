/* Characters of names: ASCII only, case ignored, independent of the locale. */
#ifndef PFPU_LANGUAGE_SPELLING_H
#define PFPU_LANGUAGE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { PFPU_LETTER_CASE = 0x20 }; /* the bit that is set in small letters */

static inline char pfpu_lower_case(char c)
{
    return (unsigned char)(c - 'A') < 26 ? (char)(c | PFPU_LETTER_CASE) : c;
}

static inline bool pfpu_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool pfpu_is_name_start(char c)
{
    return (unsigned char)((c | PFPU_LETTER_CASE) - 'a') < 26 || c == '_';
}

static inline bool pfpu_is_name_part(char c)
{
    return pfpu_is_name_start(c) || pfpu_is_digit(c);
}

/* Value of a hexadecimal digit, -1 for anything else. */
static inline int pfpu_hex_digit(char c)
{
    if (pfpu_is_digit(c)) {
        return c - '0';
    }
    const char lower = pfpu_lower_case(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Literals to doubles, independent of the locale. */

/* Length of the number at the start of the text (0: none): decimal with optional fraction and
 * exponent, or hexadecimal digits ending in h; a lone point is one too. */
size_t pfpu_number_length(const char *text, size_t size);

/* Value of `size` characters that pfpu_number_length accepted, correctly rounded. Scratch memory
 * serves long literals; without memory the value is 0 and the arena says so. */
double pfpu_number_value(const char *text, size_t size, struct base_arena *scratch);

/* Value of hexadecimal digits. */
double pfpu_number_hex(const char *text, size_t size);

#endif
