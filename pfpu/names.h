/* Characters of names: ASCII only, case ignored, independent of the locale. */
#ifndef PFPU_NAMES_H
#define PFPU_NAMES_H

#include <stdbool.h>

static inline char pfpu_lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool pfpu_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool pfpu_is_name_start(char c)
{
    return c == '_' || (pfpu_lower_case(c) >= 'a' && pfpu_lower_case(c) <= 'z');
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
