#include "engine/bytes.h"

#include <string.h>

enum { NUMBER = 8 };

/* Room for so many bytes, or what is left of them to read; NULL: measured, or there are none. */
static bool move(struct engine_bytes *bytes, size_t count, size_t *at)
{
    *at = bytes->at;
    if (bytes->to == NULL && bytes->from == NULL) {
        bytes->at += count;
        return false;
    }
    if (bytes->bad || count > bytes->size - bytes->at) {
        bytes->bad = true;
        return false;
    }
    bytes->at += count;
    return true;
}

void engine_bytes_number(struct engine_bytes *bytes, uint64_t *value, uint64_t most)
{
    size_t at;
    if (!move(bytes, NUMBER, &at)) {
        return;
    }
    if (bytes->to != NULL) {
        for (unsigned i = 0; i < NUMBER; i++) {
            bytes->to[at + i] = (uint8_t)(*value >> 8 * i);
        }
        return;
    }
    uint64_t read = 0;
    for (unsigned i = 0; i < NUMBER; i++) {
        read |= (uint64_t)bytes->from[at + i] << 8 * i;
    }
    bytes->bad = bytes->bad || read > most;
    *value = bytes->bad ? *value : read;
}

void engine_bytes_real(struct engine_bytes *bytes, double *value, double low, double high)
{
    uint64_t bits;
    double read;
    memcpy(&bits, value, sizeof bits);
    engine_bytes_number(bytes, &bits, UINT64_MAX);
    memcpy(&read, &bits, sizeof read);
    if (bytes->from != NULL) {
        bytes->bad = bytes->bad || !(read >= low && read <= high);
        *value = bytes->bad ? *value : read;
    }
}

void engine_bytes_flag(struct engine_bytes *bytes, bool *value)
{
    uint64_t number = *value;
    engine_bytes_number(bytes, &number, 1);
    *value = number != 0;
}

void engine_bytes_text(struct engine_bytes *bytes, struct base_span *text, size_t most)
{
    uint64_t size = text->size;
    size_t at;
    engine_bytes_number(bytes, &size, most);
    if (!move(bytes, (size_t)size, &at)) {
        return;
    }
    if (bytes->to != NULL) {
        if (size > 0) {
            memcpy(bytes->to + at, text->data, (size_t)size);
        }
    } else {
        *text = (struct base_span){(const char *)bytes->from + at, (size_t)size};
    }
}
