/* Characters of names: ASCII only, case ignored, independent of the locale. */
#ifndef PFPU_NAMES_H
#define PFPU_NAMES_H

#include <stdbool.h>

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

#endif
