/* Pictures from files: PNG, JPEG, TGA and BMP, whatever their names end with. */
#ifndef APP_IO_PICTURE_H
#define APP_IO_PICTURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/apart/apart.h"
#include "base/os/file.h"
#include "base/text.h"
#include "renderer/picture/resources.h"

/* Endings of files that may be pictures, best first, without the point, in small letters; ends
 * with NULL. */
extern const char *const app_picture_endings[];

/* How large the picture of a file is, by its head, read in a process of its own
 * (app/apart/apart.h). One with more than SHADER_SIZE_MAX pixels on a side is refused. stop: once
 * another thread has set it, this returns within 0.2 s, with -1 and no message; NULL: nobody does.
 * Returns 0, or -1 with a message. */
int app_picture_measure(const char *path, struct rend_extent *extent, const atomic_bool *stop,
                        const struct base_diag_sink *sink);

/* Reads a file, in such a process as well. Its picture is made smaller while it is decoded (as
 * rend_pictures.load); PNG and JPEG are never in memory as a whole. room: bytes that decoding may
 * take; what needs more is refused, and the process gets no more than that beside the file and 64
 * MiB for itself. stop: as above. Returns 0, or -1 with a message; the picture's pixels are the
 * caller's, from malloc. */
int app_picture_read(const char *path, int halvings, size_t room, struct rend_picture *picture,
                     const atomic_bool *stop, const struct base_diag_sink *sink);

/* What that process sends; the pixels follow, in rows from the top, or, where they were only
 * measured, rend_extent.scratch in eight bytes. */
struct app_picture_answer {
    uint32_t outcome; /* 0: a picture */
    uint32_t width;
    uint32_t height;
};

/* The same with another decoder, which gives up after so many seconds of the clock and of the
 * processor: for tests. */
int app_picture_read_by(app_apart_work decoder, unsigned seconds, const char *path,
                        struct rend_picture *picture, const atomic_bool *stop,
                        const struct base_diag_sink *sink);

/* A picture shows nothing when every channel's mean is below 1/255 and fewer than one pixel in a
 * thousand has a channel above 16. */
bool app_picture_is_black(const uint32_t *pixels, size_t count);

#endif
