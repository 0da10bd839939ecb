#include "base/utf8.h"

#include <assert.h>

struct lead {
    uint8_t mask;
    uint8_t bits;
    uint8_t size;   /* bytes in all */
    uint32_t least; /* smaller values would be overlong */
};

static const struct lead leads[] = {
    {0x80, 0x00, 1, 0}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};

static const struct lead *find_lead(uint8_t byte)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        if ((byte & leads[i].mask) == leads[i].bits) {
            return &leads[i];
        }
    }
    return NULL;
}

/* The code point at the front, or BASE_UTF8_REPLACEMENT with *size 1. */
static uint32_t decode(struct base_span text, size_t *size)
{
    const uint8_t *bytes = (const uint8_t *)text.data;
    const struct lead *lead = find_lead(bytes[0]);
    *size = 1;
    if (lead == NULL || lead->size > text.size) {
        return BASE_UTF8_REPLACEMENT;
    }
    uint32_t code = bytes[0] & (uint8_t)~lead->mask;
    for (size_t i = 1; i < lead->size; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return BASE_UTF8_REPLACEMENT;
        }
        code = code << 6 | (bytes[i] & 0x3F);
    }
    if (code < lead->least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
        return BASE_UTF8_REPLACEMENT;
    }
    *size = lead->size;
    return code;
}

uint32_t base_utf8_next(struct base_span *text)
{
    assert(text->size > 0);
    size_t size = 0;
    const uint32_t code = decode(*text, &size);
    text->data += size;
    text->size -= size;
    return code;
}
