/* Finished pictures (0x00RRGGBB): their hash, and other formats. */
#ifndef ENGINE_PICTURE_H
#define ENGINE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/os/file.h"

/* The content hash of a picture, the same on every machine: of its rows from the top, every pixel
 * as three bytes red, green, blue, which is what other programs call rgb24. `all` (may be NULL)
 * goes on over the same bytes. row: room for 3 * width bytes. */
uint64_t engine_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row,
                             struct base_content_stream *all);

enum engine_format {
    ENGINE_FORMAT_BGRX, /* bytes of a pixel in their order; X: 0 */
    ENGINE_FORMAT_RGBX,
    ENGINE_FORMAT_BGRA, /* A: 255 */
    ENGINE_FORMAT_RGBA,
    ENGINE_FORMAT_RGB565, /* 16 bits in the machine's order */
    ENGINE_FORMATS
};

/* Bytes of a pixel. */
size_t engine_format_bytes(enum engine_format format);

/* Writes a row of pixels in a format, and reads one back (not of RGB565). */
void engine_format_write(enum engine_format format, void *to, const uint32_t *pixels, size_t width);
void engine_format_read(enum engine_format format, uint32_t *pixels, const void *from,
                        size_t width);

#endif
