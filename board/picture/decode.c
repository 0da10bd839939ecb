/* Files to pixels, by stb_image. What its version is known to take without checking, and what would
 * take it too long, is refused before it sees the file. */
#include "board/picture/picture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The largest piece of memory that a picture of the largest size needs: 16 bits of four colours,
 * interlaced. What asks for more is a file that unpacks to more than its picture. */
enum { PIECE_MAX = 8 * BOARD_PICTURE_SIDE_MAX * BOARD_PICTURE_SIDE_MAX + 64 * 1024 };

/* Zeros: the decoder reads tables that a damaged file has not set. */
static void *take(size_t size)
{
    return size <= PIECE_MAX ? calloc(1, size) : NULL;
}

static void *enlarge(void *memory, size_t size)
{
    return size <= PIECE_MAX ? realloc(memory, size) : NULL;
}

#define STBI_MALLOC(size)          take(size)
#define STBI_REALLOC(memory, size) enlarge(memory, size)
#define STBI_FREE(memory)          free(memory)
#define STBI_ASSERT(condition)     ((void)0)
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_SIMD
#define STBI_NO_THREAD_LOCALS
#define STBI_NO_FAILURE_STRINGS
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

struct bytes {
    const uint8_t *data;
    size_t size;
};

/* As the decoder has it: zeros behind the end. */
static unsigned byte_at(struct bytes file, size_t at)
{
    return at < file.size ? file.data[at] : 0;
}

static unsigned pair_at(struct bytes file, size_t at)
{
    return byte_at(file, at) << 8 | byte_at(file, at + 1);
}

static bool begins_with(struct bytes file, const char *mark, size_t size)
{
    return file.size >= size && memcmp(file.data, mark, size) == 0;
}

/* Codes of a table are of a byte: there are 256 at most. `at`: where the segment's length stands.
 */
static bool is_huffman_segment(struct bytes file, size_t at)
{
    enum { LENGTHS = 16, CODES_MAX = 256, HEAD = 1 + LENGTHS };
    long left = (long)pair_at(file, at) - 2;
    at += 2;
    while (left > 0) {
        unsigned codes = 0;
        for (size_t i = 1; i <= LENGTHS; i++) {
            codes += byte_at(file, at + i);
        }
        if (codes > CODES_MAX) {
            return false;
        }
        at += HEAD + codes;
        left -= (long)(HEAD + codes);
    }
    return true;
}

/* Every mark counts, wherever it stands: inside a scan none can, and what looks like one in a
 * comment must be harmless too. The last scan has an end, or the file was cut off. */
static bool is_decodable_jpeg(struct bytes file)
{
    enum { HUFFMAN = 0xFFC4, SCAN = 0xFFDA, END = 0xFFD9 };
    unsigned scans = 0;
    bool ended = false;
    for (size_t i = 0; i + 1 < file.size; i++) {
        const unsigned mark = pair_at(file, i);
        if (mark == HUFFMAN && !is_huffman_segment(file, i + 2)) {
            return false;
        }
        scans += mark == SCAN ? 1 : 0;
        ended = mark == END || (ended && mark != SCAN);
    }
    return ended && scans <= BOARD_PICTURE_SCANS_MAX;
}

/* Chunk follows chunk up to the last one, and none that should hold pixels is empty. */
static bool is_decodable_png(struct bytes file)
{
    enum { AROUND = 12 };
    size_t at = 8;
    while (file.size - at >= AROUND) {
        const size_t length = (size_t)pair_at(file, at) << 16 | pair_at(file, at + 2);
        const char *type = (const char *)file.data + at + 4;
        if (length > file.size - at - AROUND || (length == 0 && memcmp(type, "IDAT", 4) == 0)) {
            return false;
        }
        if (memcmp(type, "IEND", 4) == 0) {
            return true;
        }
        at += AROUND + length;
    }
    return false;
}

/* Red, green, blue, opacity to a pixel of the texture mapper. */
static unsigned pixel_of(const stbi_uc *texel)
{
    const unsigned red = texel[0] * texel[3] / 255u;
    const unsigned green = texel[1] * texel[3] / 255u;
    const unsigned blue = texel[2] * texel[3] / 255u;
    return red >> 3 << 11 | green >> 2 << 5 | blue >> 3;
}

enum board_picture_outcome board_picture_decode(const uint8_t *data, size_t size, uint8_t *pixels,
                                                size_t room, struct board_picture_extent *extent)
{
    enum { TEXEL = 4 };
    const struct bytes file = {data, size};
    const bool jpeg = begins_with(file, "\xFF\xD8\xFF", 3);
    int width = 0;
    int height = 0;
    int parts = 0;
    if (size > BOARD_PICTURE_FILE_MAX) {
        return BOARD_PICTURE_LONG;
    }
    if (!jpeg && !begins_with(file, "\x89PNG\r\n\x1A\n", 8)) {
        return BOARD_PICTURE_UNKNOWN;
    }
    if (jpeg ? !is_decodable_jpeg(file) : !is_decodable_png(file)) {
        return BOARD_PICTURE_DAMAGED;
    }
    if (stbi_info_from_memory(data, (int)size, &width, &height, &parts) == 0 || width < 1 ||
        height < 1) {
        return BOARD_PICTURE_DAMAGED;
    }
    if (width > BOARD_PICTURE_SIDE_MAX || height > BOARD_PICTURE_SIDE_MAX) {
        return BOARD_PICTURE_LARGE;
    }
    const size_t count = (size_t)width * (size_t)height;
    if (2 * count > room) {
        return BOARD_PICTURE_NO_ROOM;
    }
    int columns = 0;
    int rows = 0;
    stbi_uc *texels = stbi_load_from_memory(data, (int)size, &columns, &rows, &parts, TEXEL);
    if (texels == NULL || columns != width || rows != height) {
        free(texels);
        return BOARD_PICTURE_DAMAGED;
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned pixel = pixel_of(texels + TEXEL * i);
        pixels[2 * i] = (uint8_t)(pixel >> 8);
        pixels[2 * i + 1] = (uint8_t)pixel;
    }
    free(texels);
    *extent = (struct board_picture_extent){(uint16_t)width, (uint16_t)height};
    return BOARD_PICTURE_READ;
}
