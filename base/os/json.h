/* Writing JSON values. The caller writes the punctuation around them. */
#ifndef BASE_OS_JSON_H
#define BASE_OS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string in quotes. What is not valid UTF-8 (file names may hold anything) becomes U+FFFD, so
 * that the output is always valid JSON and valid UTF-8. NULL writes null. */
void base_json_string(FILE *out, const char *text);

/* A number with three decimals, the same in every locale; magnitudes above 1e12 are cut to that,
 * NaN writes null. */
void base_json_number(FILE *out, double value);

/* A whole number. */
void base_json_count(FILE *out, uint64_t value);

/* true or false. */
void base_json_bool(FILE *out, bool value);

#endif
