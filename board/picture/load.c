/* The pictures of a patch, and what stands in place of those that cannot be had. */
#include "board/picture/picture.h"

#include <stdbool.h>
#include <string.h>

#include "renderer/standin/standin.h"

static const struct {
    const char *what;
    const char *hint;
} words[BOARD_PICTURE_OUTCOMES] = {
    [BOARD_PICTURE_NOT_THERE] = {"it is not there", "put it beside the patch"},
    [BOARD_PICTURE_UNREADABLE] = {"it cannot be read", "try another copy of it"},
    [BOARD_PICTURE_LONG] = {"the file has more than 4 MiB", "save it smaller"},
    [BOARD_PICTURE_UNKNOWN] = {"it is neither PNG nor JPEG", "save it as one of these"},
    [BOARD_PICTURE_DAMAGED] = {"it is damaged or cut off", "try another copy of it"},
    [BOARD_PICTURE_LARGE] = {"it has more than 1024 pixels on a side", "save it smaller"},
    [BOARD_PICTURE_NO_ROOM] = {"a patch's pictures have 2097152 pixels at most", "save it smaller"},
    [BOARD_PICTURE_NO_MEMORY] = {"not enough memory", "save it smaller"},
};

enum {
    ALIGNMENT = 32,
    SHRINK = 8, /* a stand-in is computed in pixels so many times as large, since each takes the
                 board a fifth of a million cycles */
    COARSE = REND_STANDIN_SIDE / SHRINK,
    STEM_MAX = 128,
};

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool is_same(const char *a, const char *b)
{
    while (*a != '\0' && small(*a) == small(*b)) {
        a++;
        b++;
    }
    return small(*a) == small(*b);
}

/* Without the folders of the system that the patch was made for. */
static const char *file_of(const char *path)
{
    const char *file = path;
    for (const char *at = path; *at != '\0'; at++) {
        file = *at == '/' || *at == '\\' ? at + 1 : file;
    }
    return file;
}

/* ---- stand-ins ---- */

/* Without ending, in small letters. */
static void stem_of(char stem[static STEM_MAX], const char *file)
{
    const char *point = strrchr(file, '.');
    const size_t length = point != NULL ? (size_t)(point - file) : strlen(file);
    const size_t size = length < STEM_MAX - 1 ? length : STEM_MAX - 1;
    for (size_t i = 0; i < size; i++) {
        stem[i] = small(file[i]);
    }
    stem[size] = '\0';
}

/* Between the four coarse pixels around x, y, which tile; a channel of 8 bits. */
static unsigned channel_at(const uint32_t *coarse, unsigned x, unsigned y, unsigned shift)
{
    enum { HALF = SHRINK / 2, PARTS = 2 * SHRINK };
    /* Of the middle of a pixel, in halves of pixels, from the middle of a coarse one. */
    const unsigned column = (x + COARSE * SHRINK - HALF) % (COARSE * SHRINK);
    const unsigned row = (y + COARSE * SHRINK - HALF) % (COARSE * SHRINK);
    const unsigned left = column / SHRINK;
    const unsigned top = row / SHRINK;
    const unsigned right = (left + 1) % COARSE;
    const unsigned bottom = (top + 1) % COARSE;
    const unsigned fx = 2 * (column % SHRINK) + 1;
    const unsigned fy = 2 * (row % SHRINK) + 1;
    const unsigned above = (coarse[top * COARSE + left] >> shift & 255) * (PARTS - fx) +
                           (coarse[top * COARSE + right] >> shift & 255) * fx;
    const unsigned below = (coarse[bottom * COARSE + left] >> shift & 255) * (PARTS - fx) +
                           (coarse[bottom * COARSE + right] >> shift & 255) * fx;
    return (above * (PARTS - fy) + below * fy) / (PARTS * PARTS);
}

static struct board_picture_extent draw_standin(uint8_t *pixels, const char *file)
{
    enum { SIDE = REND_STANDIN_SIDE };
    uint32_t coarse[COARSE * COARSE];
    char stem[STEM_MAX];
    stem_of(stem, file);
    rend_standin_paint(coarse, COARSE, stem);
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = 0; x < SIDE; x++, pixels += 2) {
            const unsigned pixel = channel_at(coarse, x, y, 16) >> 3 << 11 |
                                   channel_at(coarse, x, y, 8) >> 2 << 5 |
                                   channel_at(coarse, x, y, 0) >> 3;
            pixels[0] = (uint8_t)(pixel >> 8);
            pixels[1] = (uint8_t)pixel;
        }
    }
    return (struct board_picture_extent){SIDE, SIDE};
}

/* ---- all pictures of a patch ---- */

/* The number of an earlier picture of the same file; the own one if there is none. */
static size_t first_of(const struct board_patch *patch, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        if (patch->image_names[i] != NULL &&
            is_same(file_of(patch->image_names[i]), file_of(patch->image_names[number]))) {
            return i;
        }
    }
    return number;
}

void board_pictures_load(struct board_patch *patch, const struct board_picture_files *files,
                         uint8_t *memory, uint32_t address, const char *path,
                         const struct base_diag_sink *sink)
{
    enum { STANDIN_BYTES = 2 * REND_STANDIN_SIDE * REND_STANDIN_SIDE };
    const uint32_t end = address + BOARD_PICTURES_BYTES;
    for (size_t i = 0; i < BOARD_IMAGES; i++) {
        patch->images[i] = (struct board_picture){.width = 0};
        if (patch->image_names[i] == NULL) {
            continue;
        }
        const size_t first = first_of(patch, i);
        if (first != i) {
            patch->images[i] = patch->images[first];
            continue;
        }
        const char *file = file_of(patch->image_names[i]);
        struct board_picture_extent extent = {0, 0};
        const enum board_picture_outcome outcome =
            files->fetch(files->user, file, memory + address, end - address, &extent);
        if (outcome != BOARD_PICTURE_READ) {
            const bool fits = end - address >= STANDIN_BYTES;
            base_report(sink, BASE_WARNING, (struct base_place){.file = path}, words[outcome].hint,
                        "%s the picture '%.60s': %s",
                        fits ? "another one takes the place of" : "there is no room to show", file,
                        words[outcome].what);
            if (!fits) {
                continue;
            }
            extent = draw_standin(memory + address, file);
        }
        patch->images[i] = (struct board_picture){address, extent.width, extent.height};
        const uint32_t bytes = 2 * (uint32_t)extent.width * extent.height;
        address += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
