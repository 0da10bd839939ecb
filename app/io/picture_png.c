/* PNG files, read and written; the only user of libpng. */
#include "app/io/picture_format.h"

#ifdef FROTH_PNG

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "late/png.h"

enum {
    WHY = 160,
    RGBA = 4,
    COMPRESSION = 3, /* of zlib's 9: quicker than the usual 6, for files a little larger */
};

static void failed(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void write_failed(png_structp png, png_const_charp message)
{
    const char *what = errno != 0 ? strerror(errno) : message;
    (void)snprintf(png_get_error_ptr(png), WHY, "cannot write: %s", what);
    png_longjmp(png, 1);
}

static void warned(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* ---- reading ---- */

struct reading {
    struct app_picture_job *job;
    size_t used; /* bytes of the file */
    png_structp png;
    png_infop info;
    struct app_picture_rows rows;
    unsigned char *bytes;
    uint32_t *pixels;
};

static void give_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct reading *reading = png_get_io_ptr(png);
    const struct app_picture_job *job = reading->job;
    if (size > job->size - reading->used) {
        png_error(png, "the end");
    }
    memcpy(bytes, job->data + reading->used, size);
    reading->used += size;
}

static void read_row(struct reading *reading, uint32_t width)
{
    png_read_row(reading->png, reading->bytes, NULL);
    const unsigned char *from = reading->bytes;
    for (uint32_t x = 0; x < width; x++, from += RGBA) {
        reading->pixels[x] = (uint32_t)from[3] << 24 | (uint32_t)from[0] << 16 |
                             (uint32_t)from[1] << 8 | (uint32_t)from[2];
    }
}

/* The pixels of an interlaced picture come out of order: a reduced one is made of those in the
 * corners of its squares. */
static void read_passes(struct reading *reading, uint32_t width, uint32_t height)
{
    const int halvings = reading->job->halvings;
    const uint32_t corner = (1U << halvings) - 1;
    const struct rend_picture *picture = &reading->rows.picture;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        const uint32_t columns = (uint32_t)PNG_PASS_COLS((int)width, pass);
        const uint32_t lines = columns > 0 ? (uint32_t)PNG_PASS_ROWS((int)height, pass) : 0;
        for (uint32_t line = 0; line < lines; line++) {
            const uint32_t y = PNG_ROW_FROM_PASS_ROW(line, pass);
            read_row(reading, columns);
            for (uint32_t i = 0; (y & corner) == 0 && i < columns; i++) {
                const uint32_t x = PNG_COL_FROM_PASS_COL(i, pass);
                if ((x & corner) == 0) {
                    picture->pixels[(size_t)(y >> halvings) * (size_t)picture->width +
                                    (x >> halvings)] = reading->pixels[i];
                }
            }
        }
    }
}

static bool read_all(struct reading *reading)
{
    png_structp png = reading->png;
    png_set_read_fn(png, reading, give_bytes);
    png_set_user_limits(png, SHADER_SIZE_MAX, SHADER_SIZE_MAX);
    png_read_info(png, reading->info);
    png_set_strip_16(png);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    png_read_update_info(png, reading->info);
    const uint32_t width = png_get_image_width(png, reading->info);
    const uint32_t height = png_get_image_height(png, reading->info);
    reading->bytes = malloc(RGBA * (size_t)width);
    reading->pixels = malloc(width * sizeof *reading->pixels);
    if (reading->bytes == NULL || reading->pixels == NULL ||
        !app_picture_rows_begin(&reading->rows, (int)width, (int)height, reading->job->halvings)) {
        reading->job->lacks_memory = true;
        return false;
    }
    if (png_get_interlace_type(png, reading->info) != PNG_INTERLACE_NONE) {
        read_passes(reading, width, height);
        return true;
    }
    for (uint32_t y = 0; y < height; y++) {
        read_row(reading, width);
        app_picture_rows_add(&reading->rows, reading->pixels);
    }
    return true;
}

const char *app_picture_load_png(void)
{
    return base_late_load(&late_png);
}

bool app_picture_read_png(struct app_picture_job *job, struct rend_picture *picture)
{
    struct reading reading = {.job = job};
    struct reading *const kept = &reading;
    kept->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, failed, warned);
    kept->info = kept->png != NULL ? png_create_info_struct(kept->png) : NULL;
    job->lacks_memory = kept->info == NULL;
    if (kept->info == NULL || setjmp(png_jmpbuf(kept->png)) != 0 || !read_all(kept)) {
        app_picture_rows_discard(&kept->rows);
    }
    *picture = app_picture_rows_end(&kept->rows);
    png_destroy_read_struct(&kept->png, &kept->info, NULL);
    free(kept->bytes);
    free(kept->pixels);
    return picture->pixels != NULL;
}

/* ---- writing ---- */

static void write_all(png_structp png, png_infop info, const uint32_t *pixels, int width,
                      int height, unsigned char *row)
{
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, COMPRESSION);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        unsigned char *out = row;
        for (int x = 0; x < width; x++) {
            const uint32_t pixel = *pixels++;
            *out++ = (unsigned char)(pixel >> 16 & 255);
            *out++ = (unsigned char)(pixel >> 8 & 255);
            *out++ = (unsigned char)(pixel & 255);
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
}

/* No local variable changes between setjmp and longjmp, so none is lost. */
bool app_picture_write_png(FILE *file, const uint32_t *pixels, int width, int height,
                           unsigned char *row, char why[static 160])
{
    const char *lacks = app_picture_load_png();
    if (lacks != NULL) {
        (void)snprintf(why, WHY, "%s", lacks);
        return false;
    }
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, why, write_failed, warned);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        (void)snprintf(why, WHY, "not enough memory");
        png_destroy_write_struct(&png, NULL);
        return false;
    }
    if (setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    errno = 0;
    png_init_io(png, file);
    write_all(png, info, pixels, width, height, row);
    png_destroy_write_struct(&png, &info);
    return true;
}

#else

static const char lacks[] = "froth was built without libpng";

const char *app_picture_load_png(void)
{
    return lacks;
}

bool app_picture_read_png(struct app_picture_job *job, struct rend_picture *picture)
{
    (void)job;
    *picture = (struct rend_picture){0};
    return false;
}

bool app_picture_write_png(FILE *file, const uint32_t *pixels, int width, int height,
                           unsigned char *row, char why[static 160])
{
    (void)file;
    (void)pixels;
    (void)width;
    (void)height;
    (void)row;
    (void)snprintf(why, 160, "%s", lacks);
    return false;
}

#endif
