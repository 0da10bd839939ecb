/* Code points of UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "base/span.h"

enum { BASE_UTF8_REPLACEMENT = 0xFFFD };

/* Takes the next code point off the front of *text, which must not be empty. Each byte that is not
 * part of a well-formed sequence gives BASE_UTF8_REPLACEMENT; one that stands in the text itself
 * has three bytes. */
uint32_t base_utf8_next(struct base_span *text);

#endif
