/* Finished pictures: their hash. */
#ifndef ENGINE_PICTURE_H
#define ENGINE_PICTURE_H

#include <stdint.h>

#include "base/os/file.h"

/* The content hash of a picture, the same on every machine: of its rows from the top, every pixel
 * as three bytes red, green, blue, which is what other programs call rgb24. `all` (may be NULL)
 * goes on over the same bytes. row: room for 3 * width bytes. */
uint64_t engine_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row,
                          struct base_content_stream *all);

#endif
