/* Whatever bytes come in as a picture of a patch: pixels are written within their room, all of
 * them, or none. By the last bit of the size the room is too small for many. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "board/picture/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SMALL = 512, WATCHED = 64 * 1024, FILLED = 0xA5 };

/* Of so many bytes those that are watched. */
static bool is_untouched(const uint8_t *pixels, size_t from, size_t room)
{
    const size_t end = room < WATCHED ? room : WATCHED;
    for (size_t i = from; i < end; i++) {
        if (pixels[i] != FILLED) {
            return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t room = (size & 1) != 0 ? SMALL : BOARD_PICTURES_BYTES;
    uint8_t *pixels = malloc(room);
    if (pixels == NULL) {
        return 0;
    }
    memset(pixels, FILLED, room < WATCHED ? room : WATCHED);
    struct board_picture_extent extent = {0, 0};
    const enum board_picture_outcome outcome =
        board_picture_decode(data, size, pixels, room, &extent);
    const size_t written = 2 * (size_t)extent.width * extent.height;
    const bool sized = extent.width >= 1 && extent.width <= BOARD_PICTURE_SIDE_MAX &&
                       extent.height >= 1 && extent.height <= BOARD_PICTURE_SIDE_MAX;
    if (sized != (outcome == BOARD_PICTURE_READ) || written > room ||
        !is_untouched(pixels, written, room)) {
        abort();
    }
    free(pixels);
    return 0;
}
