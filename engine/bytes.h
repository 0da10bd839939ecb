/* Numbers and texts as bytes, for states: one walk over what is kept writes it or reads it. Numbers
 * have 8 bytes, little-endian. */
#ifndef ENGINE_BYTES_H
#define ENGINE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Both NULL: it only measures. */
struct engine_bytes {
    uint8_t *to;         /* when writing */
    const uint8_t *from; /* when reading */
    size_t size;
    size_t at;
    bool bad; /* more than there is, or out of range: what is read then stays as it was */
};

/* Numbers up to `most`, or from low to high; what is read and lies beyond makes all bad. */
void engine_bytes_number(struct engine_bytes *bytes, uint64_t *value, uint64_t most);
void engine_bytes_real(struct engine_bytes *bytes, double *value, double low, double high);
void engine_bytes_flag(struct engine_bytes *bytes, bool *value);

/* A text of any bytes, at most `most`. What is read points into the bytes. */
void engine_bytes_text(struct engine_bytes *bytes, struct base_span *text, size_t most);

#endif
