/* Picture files, sheets and differences. */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

enum { GAP = 2, STRONGER = 8 };

static int fail(const char *path, const char *what)
{
    (void)fprintf(stderr, "%s: error: %s\n", path, what);
    return -1;
}

int golden_png_write(const char *path, const uint32_t *pixels, int width, int height)
{
    const size_t count = (size_t)width * (size_t)height;
    unsigned char *bytes = malloc(3 * count);
    if (bytes == NULL) {
        return fail(path, "not enough memory");
    }
    for (size_t i = 0; i < count; i++) {
        bytes[3 * i] = (unsigned char)(pixels[i] >> 16 & 255);
        bytes[3 * i + 1] = (unsigned char)(pixels[i] >> 8 & 255);
        bytes[3 * i + 2] = (unsigned char)(pixels[i] & 255);
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    const int written = png_image_write_to_file(&image, path, 0, bytes, 0, NULL);
    free(bytes);
    return written ? 0 : fail(path, image.message);
}

int golden_png_read(const char *path, struct golden_image *out)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *out = (struct golden_image){0};
    if (!png_image_begin_read_from_file(&image, path)) {
        return fail(path, image.message);
    }
    image.format = PNG_FORMAT_RGB;
    const size_t count = (size_t)image.width * image.height;
    unsigned char *bytes = malloc(PNG_IMAGE_SIZE(image));
    out->pixels = malloc(count * sizeof *out->pixels);
    if (bytes == NULL || out->pixels == NULL ||
        !png_image_finish_read(&image, NULL, bytes, 0, NULL)) {
        png_image_free(&image);
        free(bytes);
        free(out->pixels);
        *out = (struct golden_image){0};
        return fail(path, "cannot be read");
    }
    out->width = (int)image.width;
    out->height = (int)image.height;
    for (size_t i = 0; i < count; i++) {
        out->pixels[i] =
            (uint32_t)bytes[3 * i] << 16 | (uint32_t)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
    }
    free(bytes);
    return 0;
}

/* All cells are as large as the largest picture of the table. */
static struct golden_pair cell_of(const struct golden_table *table)
{
    struct golden_pair cell = {0, 0};
    for (size_t i = 0; i < table->count; i++) {
        const struct golden_pair size = table->cases[i].size;
        cell.width = size.width > cell.width ? size.width : cell.width;
        cell.height = size.height > cell.height ? size.height : cell.height;
    }
    return (struct golden_pair){cell.width + GAP, cell.height + GAP};
}

static int columns_of(const struct golden_table *table)
{
    const int fitting = GOLDEN_SHEET_COLUMNS * 100 / cell_of(table).width;
    return fitting > 0 ? fitting : 1;
}

struct golden_pair golden_sheet_size(const struct golden_table *table)
{
    const struct golden_pair cell = cell_of(table);
    const int columns = columns_of(table);
    const int rows = ((int)table->count + columns - 1) / columns;
    return (struct golden_pair){columns * cell.width, rows * cell.height};
}

struct golden_pair golden_sheet_place(const struct golden_table *table, size_t index)
{
    const struct golden_pair cell = cell_of(table);
    const int columns = columns_of(table);
    return (struct golden_pair){(int)index % columns * cell.width,
                                (int)index / columns * cell.height};
}

bool golden_cut(const struct golden_image *sheet, struct golden_pair place, struct golden_pair size,
                uint32_t *pixels)
{
    if (place.width + size.width > sheet->width || place.height + size.height > sheet->height) {
        return false;
    }
    for (int y = 0; y < size.height; y++) {
        memcpy(pixels + (size_t)y * (size_t)size.width,
               sheet->pixels + (size_t)(place.height + y) * (size_t)sheet->width + place.width,
               (size_t)size.width * sizeof *pixels);
    }
    return true;
}

struct golden_difference golden_difference(const uint32_t *a, const uint32_t *b, size_t count,
                                           uint32_t *out)
{
    struct golden_difference difference = {0, 0};
    for (size_t i = 0; i < count; i++) {
        out[i] = 0;
        difference.pixels += a[i] != b[i];
        for (int shift = 0; shift < 24; shift += 8) {
            const int distance = abs((int)(a[i] >> shift & 255) - (int)(b[i] >> shift & 255));
            const int shown = distance * STRONGER < 255 ? distance * STRONGER : 255;
            difference.largest = distance > difference.largest ? distance : difference.largest;
            out[i] |= (uint32_t)shown << shift;
        }
    }
    return difference;
}
