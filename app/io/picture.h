/* Pictures from files: PNG, JPEG, TGA and BMP, whatever their names end with. */
#ifndef APP_IO_PICTURE_H
#define APP_IO_PICTURE_H

#include "base/diag.h"
#include "renderer/resources.h"

/* Endings of files that may be pictures, best first, without the point, in small letters; ends
 * with NULL. */
extern const char *const app_picture_endings[];

/* Reads a file. One with more than SHADER_SIZE_MAX pixels on a side is refused, before its pixels
 * take memory. Returns 0, or -1 with a message; the picture's pixels are the caller's, from malloc.
 */
int app_picture_read(const char *path, struct rend_picture *picture,
                     const struct base_diag_sink *sink);

#endif
