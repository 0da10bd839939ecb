/* Whatever bytes come in as a picture of a patch: pixels are written within their room, all of
 * them, or none. By the last bit of the size the room is too small for many. */
#include <stdlib.h>
#include <string.h>

#include "board/picture/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SMALL = 512, LARGE = 128 * 1024, FILLED = 0xA5 };

static bool is_untouched(const uint8_t *pixels, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        if (pixels[i] != FILLED) {
            return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t room = (size & 1) != 0 ? SMALL : LARGE;
    uint8_t *pixels = malloc(room);
    if (pixels == NULL) {
        return 0;
    }
    memset(pixels, FILLED, room);
    struct board_picture_extent extent = {0, 0};
    const enum board_picture_outcome outcome =
        board_picture_decode(data, size, pixels, room, &extent);
    if (outcome != BOARD_PICTURE_READ) {
        if (extent.width != 0 || extent.height != 0 || !is_untouched(pixels, room)) {
            abort();
        }
    } else if (extent.width < 1 || extent.width > BOARD_PICTURE_SIDE_MAX || extent.height < 1 ||
               extent.height > BOARD_PICTURE_SIDE_MAX ||
               !is_untouched(pixels + 2 * (size_t)extent.width * extent.height,
                             room - 2 * (size_t)extent.width * extent.height)) {
        abort();
    }
    free(pixels);
    return 0;
}
