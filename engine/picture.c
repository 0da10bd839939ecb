#include "engine/picture.h"

#include <stdbool.h>
#include <string.h>

uint64_t engine_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row,
                             struct base_content_stream *all)
{
    struct base_content_stream stream;
    base_content_stream_begin(&stream);
    for (int y = 0; y < height; y++) {
        unsigned char *out = row;
        for (int x = 0; x < width; x++) {
            const uint32_t pixel = *pixels++;
            *out++ = (unsigned char)(pixel >> 16 & 255);
            *out++ = (unsigned char)(pixel >> 8 & 255);
            *out++ = (unsigned char)(pixel & 255);
        }
        base_content_stream_add(&stream, row, (size_t)(out - row));
        if (all != NULL) {
            base_content_stream_add(all, row, (size_t)(out - row));
        }
    }
    return base_content_stream_hash(&stream);
}

size_t engine_format_bytes(enum engine_format format)
{
    return format == ENGINE_FORMAT_RGB565 ? sizeof(uint16_t) : sizeof(uint32_t);
}

/* The nearest number of 5 or 6 bits. */
static unsigned reduced(uint32_t channel, unsigned most)
{
    return ((channel & 255) * most + 127) / 255;
}

static void write_bytes(uint8_t *to, const uint32_t *pixels, size_t width, unsigned red,
                        unsigned blue, uint8_t fourth)
{
    for (size_t x = 0; x < width; x++, to += 4) {
        to[0] = (uint8_t)(pixels[x] >> red);
        to[1] = (uint8_t)(pixels[x] >> 8);
        to[2] = (uint8_t)(pixels[x] >> blue);
        to[3] = fourth;
    }
}

void engine_format_write(enum engine_format format, void *to, const uint32_t *pixels, size_t width)
{
    enum { RED = 16, BLUE = 0, OPAQUE = 255 };
    uint8_t *bytes = to;
    switch (format) {
    case ENGINE_FORMAT_BGRX:
        write_bytes(to, pixels, width, BLUE, RED, 0);
        break;
    case ENGINE_FORMAT_RGBX:
        write_bytes(to, pixels, width, RED, BLUE, 0);
        break;
    case ENGINE_FORMAT_BGRA:
        write_bytes(to, pixels, width, BLUE, RED, OPAQUE);
        break;
    case ENGINE_FORMAT_RGBA:
        write_bytes(to, pixels, width, RED, BLUE, OPAQUE);
        break;
    default:
        for (size_t x = 0; x < width; x++, bytes += sizeof(uint16_t)) {
            const unsigned red = reduced(pixels[x] >> 16, 31);
            const unsigned green = reduced(pixels[x] >> 8, 63);
            const unsigned blue = reduced(pixels[x], 31);
            const uint16_t packed = (uint16_t)(red << 11 | green << 5 | blue);
            memcpy(bytes, &packed, sizeof packed);
        }
    }
}

void engine_format_read(enum engine_format format, uint32_t *pixels, const void *from, size_t width)
{
    const bool blue_first = format == ENGINE_FORMAT_BGRX || format == ENGINE_FORMAT_BGRA;
    const uint8_t *bytes = from;
    for (size_t x = 0; x < width; x++, bytes += 4) {
        const uint32_t red = bytes[blue_first ? 2 : 0];
        const uint32_t blue = bytes[blue_first ? 0 : 2];
        pixels[x] = red << 16 | (uint32_t)bytes[1] << 8 | blue;
    }
}
