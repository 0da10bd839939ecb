/* Pictures from files: PNG, JPEG, TGA and BMP, whatever their names end with. */
#ifndef APP_IO_PICTURE_H
#define APP_IO_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/os/content_hash.h"
#include "renderer/picture/resources.h"

/* Endings of files that may be pictures, best first, without the point, in small letters; ends
 * with NULL. */
extern const char *const app_picture_endings[];

/* Reads a file. One with more than SHADER_SIZE_MAX pixels on a side is refused, before its pixels
 * take memory. Returns 0, or -1 with a message; the picture's pixels are the caller's, from malloc.
 */
int app_picture_read(const char *path, struct rend_picture *picture,
                     const struct base_diag_sink *sink);

/* A picture shows nothing when every channel's mean is below 1/255 and fewer than one pixel in a
 * thousand has a channel above 16. */
bool app_picture_is_black(const uint32_t *pixels, size_t count);

/* The content hash of a picture, the same on every machine: of its rows from the top, every pixel
 * as three bytes red, green, blue, which is what other programs call rgb24. `all` (may be NULL)
 * goes on over the same bytes. row: room for 3 * width bytes. */
uint64_t app_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row,
                          struct base_content_stream *all);

#endif
