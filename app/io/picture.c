#include "app/io/picture.h"

#include <SDL_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_MAX = 64 * 1024 * 1024 };

const char *const app_picture_endings[] = {"jpg", "jpeg", "dds", "png", "tga", "bmp", "dib", NULL};

static int refuse(const char *path, const struct base_diag_sink *sink, const char *what)
{
    base_report(sink, BASE_WARNING, (struct base_place){.file = path},
                "PNG, JPEG, TGA and BMP can be read; another picture takes its place",
                "the picture cannot be used: %s", what);
    return -1;
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
        return refuse(path, sink, "its sides may have 1 to 8192 pixels");
    }
    SDL_Surface *plain = SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_ARGB8888, 0);
    const int result = plain != NULL ? copy_pixels(plain, picture) : -1;
    SDL_FreeSurface(plain);
    return result == 0 ? 0 : refuse(path, sink, "not enough memory");
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
    SDL_Surface *loaded = IMG_Load(path);
    if (loaded == NULL) {
        return refuse(path, sink, IMG_GetError());
    }
    const int result = convert(loaded, path, picture, sink);
    SDL_FreeSurface(loaded);
    return result;
}
