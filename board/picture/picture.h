/* Pictures of the board's own patches (spec/flickernoise-patch-language.md section 4): PNG and JPEG
 * files to pixels that the texture mapper reads. The same C on the desktop and on the board, so the
 * same bytes. Whatever a file holds, each call ends and stays within its buffers. Any thread. */
#ifndef BOARD_PICTURE_PICTURE_H
#define BOARD_PICTURE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "board/step/step.h"

enum {
    BOARD_PICTURE_SIDE_MAX = 1024,            /* pixels */
    BOARD_PICTURE_FILE_MAX = 4 * 1024 * 1024, /* bytes */
    BOARD_PICTURE_SCANS_MAX = 32,             /* of a JPEG file */
    BOARD_PICTURES_BYTES = 4 * 1024 * 1024,   /* of all pictures of a patch in memory */
    BOARD_PICTURE_MEMORY = 40 * 1024 * 1024,  /* that decoding may take from the heap, at most */
};

/* What became of a picture. */
enum board_picture_outcome {
    BOARD_PICTURE_READ,
    BOARD_PICTURE_NOT_THERE,
    BOARD_PICTURE_UNREADABLE,
    BOARD_PICTURE_LONG,    /* the file */
    BOARD_PICTURE_UNKNOWN, /* neither PNG nor JPEG */
    BOARD_PICTURE_DAMAGED,
    BOARD_PICTURE_LARGE,
    BOARD_PICTURE_NO_ROOM, /* beside the others of the patch */
    BOARD_PICTURE_NO_MEMORY,
    BOARD_PICTURE_OUTCOMES
};

struct board_picture_extent {
    uint16_t width; /* 1..BOARD_PICTURE_SIDE_MAX */
    uint16_t height;
};

/* Unpacks a file into pixels of 5, 6 and 5 bits, big-endian, row after row from the top; what is
 * transparent becomes black, which adds nothing. room: bytes of pixels; untouched unless the
 * outcome is BOARD_PICTURE_READ. Memory comes from malloc and is given back. */
enum board_picture_outcome board_picture_decode(const uint8_t *data, size_t size, uint8_t *pixels,
                                                size_t room, struct board_picture_extent *extent);

/* Where the pictures of a patch come from. */
struct board_picture_files {
    void *user;
    /* Finds the file, whose name is without folders and may be written otherwise in large and small
     * letters, and decodes it as board_picture_decode does. */
    enum board_picture_outcome (*fetch)(void *user, const char *name, uint8_t *pixels, size_t room,
                                        struct board_picture_extent *extent);
};

/* Loads the pictures that patch->image_names names into units' memory, from `address` (a multiple
 * of 32) to BOARD_PICTURES_BYTES behind it, and enters them into the patch, which no step uses yet.
 * In place of one that cannot be had stands one that is drawn by its name (renderer/standin), after
 * a warning with `path`, that of the patch. */
void board_pictures_load(struct board_patch *patch, const struct board_picture_files *files,
                         uint8_t *memory, uint32_t address, const char *path,
                         const struct base_diag_sink *sink);

#endif
