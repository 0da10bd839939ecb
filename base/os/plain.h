/* Text from outside, for a terminal. */
#ifndef BASE_OS_PLAIN_H
#define BASE_OS_PLAIN_H

#include <stddef.h>
#include <stdio.h>

/* Prints a text whose control characters, which could steer a terminal, become '?': file names and
 * the texts of presets may hold any bytes. */
void base_plain(FILE *out, const char *text);

/* The same in exactly `columns` columns: cut at the end of a code point of UTF-8, or filled up with
 * blanks. */
void base_plain_cell(FILE *out, const char *text, size_t columns);

#endif
