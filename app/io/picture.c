#include "app/io/picture.h"

#include <SDL_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    FILE_MAX = 64 * 1024 * 1024,
    LIT = 16,
};

const char *const app_picture_endings[] = {"jpg", "jpeg", "dds", "png", "tga", "bmp", "dib", NULL};

static int refuse(const char *path, const struct base_diag_sink *sink, const char *what)
{
    base_report(sink, BASE_WARNING, (struct base_place){.file = path},
                "PNG, JPEG, TGA and BMP can be read; another picture takes its place",
                "the picture cannot be used: %s", what);
    return -1;
}

static int refuse_size(const char *path, const struct base_diag_sink *sink)
{
    return refuse(path, sink, "its sides may have 1 to 8192 pixels");
}

static int copy_pixels(const SDL_Surface *surface, struct rend_picture *picture)
{
    const size_t width = (size_t)surface->w;
    const size_t height = (size_t)surface->h;
    uint32_t *pixels = malloc(width * height * sizeof *pixels);
    if (pixels == NULL) {
        return -1;
    }
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = (const uint8_t *)surface->pixels + y * (size_t)surface->pitch;
        memcpy(pixels + y * width, row, width * sizeof *pixels);
    }
    *picture = (struct rend_picture){pixels, surface->w, surface->h};
    return 0;
}

static int convert(SDL_Surface *loaded, const char *path, struct rend_picture *picture,
                   const struct base_diag_sink *sink)
{
    if (loaded->w < 1 || loaded->h < 1 || loaded->w > SHADER_SIZE_MAX ||
        loaded->h > SHADER_SIZE_MAX) {
        return refuse_size(path, sink);
    }
    SDL_Surface *plain = SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_ARGB8888, 0);
    const int result = plain != NULL ? copy_pixels(plain, picture) : -1;
    SDL_FreeSurface(plain);
    return result == 0 ? 0 : refuse(path, sink, "not enough memory");
}

/* ---- what a file's head tells ---- */

/* Anything larger than SHADER_SIZE_MAX is refused before it is unpacked: a small file may hold more
 * pixels than there is memory. */
struct extent {
    uint32_t width;
    uint32_t height;
};

static bool bytes_at(SDL_RWops *file, Sint64 at, uint8_t *bytes, size_t count)
{
    return SDL_RWseek(file, at, RW_SEEK_SET) >= 0 && SDL_RWread(file, bytes, 1, count) == count;
}

static uint32_t big(const uint8_t *bytes, size_t count)
{
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

static uint32_t little(const uint8_t *bytes, size_t count)
{
    uint32_t number = 0;
    while (count > 0) {
        number = number << 8 | bytes[--count];
    }
    return number;
}

/* Whether chunk follows chunk up to the end. The library does not notice when a file ends early: it
 * takes what it read last for what comes next, and may do so for ever. */
static bool is_whole_png(SDL_RWops *file)
{
    enum { CHUNKS_MAX = 1 << 16, AROUND = 12 };
    uint8_t bytes[8];
    Sint64 at = 8;
    for (int i = 0; i < CHUNKS_MAX && bytes_at(file, at, bytes, sizeof bytes); i++) {
        at += AROUND + (Sint64)big(bytes, 4);
        if (memcmp(bytes + 4, "IEND", 4) == 0) {
            return bytes_at(file, at - 1, bytes, 1);
        }
    }
    return false;
}

static bool png_extent(SDL_RWops *file, struct extent *extent)
{
    uint8_t bytes[8];
    if (!is_whole_png(file) || !bytes_at(file, 16, bytes, sizeof bytes)) {
        return false;
    }
    *extent = (struct extent){big(bytes, 4), big(bytes + 4, 4)};
    return true;
}

/* Frames apart, only what has a length may stand before the first frame. */
static bool jpeg_extent(SDL_RWops *file, struct extent *extent)
{
    enum { SEGMENTS_MAX = 4096 };
    uint8_t bytes[9];
    Sint64 at = 2;
    for (int i = 0; i < SEGMENTS_MAX && bytes_at(file, at, bytes, sizeof bytes); i++) {
        const unsigned marker = bytes[1];
        if (bytes[0] != 0xFF) {
            return false;
        }
        const bool frame =
            marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (frame) {
            *extent = (struct extent){big(bytes + 7, 2), big(bytes + 5, 2)};
            return true;
        }
        if (marker != 0xFF && marker != 0xC4 && marker != 0xCC && marker < 0xDB) {
            return false;
        }
        at += marker == 0xFF ? 1 : 2 + (Sint64)big(bytes + 2, 2);
    }
    return false;
}

/* Rows from the top down have a height below 0. */
static bool bmp_extent(SDL_RWops *file, struct extent *extent)
{
    enum { OLD_HEAD = 12 };
    uint8_t bytes[12];
    if (!bytes_at(file, 14, bytes, sizeof bytes)) {
        return false;
    }
    if (little(bytes, 4) == OLD_HEAD) {
        *extent = (struct extent){little(bytes + 4, 2), little(bytes + 6, 2)};
        return true;
    }
    const uint32_t height = little(bytes + 8, 4);
    *extent = (struct extent){little(bytes + 4, 4), height > INT32_MAX ? 0U - height : height};
    return true;
}

static bool tga_extent(SDL_RWops *file, struct extent *extent)
{
    uint8_t bytes[4];
    if (!bytes_at(file, 12, bytes, sizeof bytes)) {
        return false;
    }
    *extent = (struct extent){little(bytes, 2), little(bytes + 2, 2)};
    return true;
}

/* ---- reading ---- */

/* What begins like none of the others is taken for the last. */
static const struct format {
    int (*is)(SDL_RWops *file);
    bool (*extent)(SDL_RWops *file, struct extent *extent);
    SDL_Surface *(*load)(SDL_RWops *file);
} formats[] = {
    {IMG_isPNG, png_extent, IMG_LoadPNG_RW},
    {IMG_isJPG, jpeg_extent, IMG_LoadJPG_RW},
    {IMG_isBMP, bmp_extent, IMG_LoadBMP_RW},
    {NULL, tga_extent, IMG_LoadTGA_RW},
};

static int read_picture(SDL_RWops *file, const char *path, struct rend_picture *picture,
                        const struct base_diag_sink *sink)
{
    const struct format *format = formats;
    while (format->is != NULL && format->is(file) == 0) {
        format++;
    }
    struct extent extent;
    if (!format->extent(file, &extent)) {
        return refuse(path, sink, "it is damaged or cut off");
    }
    if (extent.width > SHADER_SIZE_MAX || extent.height > SHADER_SIZE_MAX) {
        return refuse_size(path, sink);
    }
    (void)SDL_RWseek(file, 0, RW_SEEK_SET);
    SDL_Surface *loaded = format->load(file);
    if (loaded == NULL) {
        return refuse(path, sink, IMG_GetError());
    }
    const int result = convert(loaded, path, picture, sink);
    SDL_FreeSurface(loaded);
    return result;
}

int app_picture_read(const char *path, struct rend_picture *picture,
                     const struct base_diag_sink *sink)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return refuse(path, sink, "it is no file");
    }
    if (about.st_size > FILE_MAX) {
        return refuse(path, sink, "the file has more than 64 MB");
    }
    SDL_RWops *file = SDL_RWFromFile(path, "rb");
    if (file == NULL) {
        return refuse(path, sink, SDL_GetError());
    }
    const int result = read_picture(file, path, picture, sink);
    (void)SDL_RWclose(file);
    return result;
}

bool app_picture_is_black(const uint32_t *pixels, size_t count)
{
    uint64_t red = 0;
    uint64_t green = 0;
    uint64_t blue = 0;
    size_t bright = 0;
    for (size_t i = 0; i < count; i++) {
        red += pixels[i] >> 16 & 0xFF;
        green += pixels[i] >> 8 & 0xFF;
        blue += pixels[i] & 0xFF;
        bright += (pixels[i] >> 16 & 0xFF) > LIT || (pixels[i] >> 8 & 0xFF) > LIT ||
                  (pixels[i] & 0xFF) > LIT;
    }
    return red < count && green < count && blue < count && bright * 1000 < count;
}

uint64_t app_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row,
                          struct base_content_stream *all)
{
    struct base_content_stream stream;
    base_content_stream_begin(&stream);
    for (int y = 0; y < height; y++) {
        unsigned char *out = row;
        for (int x = 0; x < width; x++) {
            const uint32_t pixel = *pixels++;
            *out++ = (unsigned char)(pixel >> 16 & 255);
            *out++ = (unsigned char)(pixel >> 8 & 255);
            *out++ = (unsigned char)(pixel & 255);
        }
        base_content_stream_add(&stream, row, (size_t)(out - row));
        if (all != NULL) {
            base_content_stream_add(all, row, (size_t)(out - row));
        }
    }
    return base_content_stream_hash(&stream);
}
