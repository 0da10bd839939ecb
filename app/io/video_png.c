#include <assert.h>
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/video_output.h"

enum {
    DIGITS_MAX = 20, /* of a 64-bit number */
    COMPRESSION = 3, /* of zlib's 9: quicker than the usual 6, for files a little larger */
};

/* The output cut at its number: FOLDER/ PREFIX %0Nd SUFFIX. A %% in the latter two is still there.
 */
struct pattern {
    size_t folder;      /* bytes, / included */
    size_t prefix;      /* bytes between folder and number, or end */
    const char *suffix; /* NULL: no number */
    int width;
};

struct png {
    struct app_video video;
    struct pattern pattern;
    uint64_t number; /* of the last picture */
    uint32_t *last;  /* the last picture, if there is no number */
    unsigned char *row;
    char *name;
    char *part;
    size_t name_size;
};

/* What libpng leaves behind through its error function. */
struct failure {
    char what[160];
};

static void png_failed(png_structp png, png_const_charp message)
{
    struct failure *failure = png_get_error_ptr(png);
    const char *what = errno != 0 ? strerror(errno) : message;
    (void)snprintf(failure->what, sizeof failure->what, "cannot write: %s", what);
    png_longjmp(png, 1);
}

static void png_warned(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void write_picture(png_structp png, png_infop info, const struct png *output,
                          const uint32_t *pixels)
{
    png_set_IHDR(png, info, (png_uint_32)output->video.width, (png_uint_32)output->video.height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, COMPRESSION);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(png, info);
    for (int y = 0; y < output->video.height; y++) {
        unsigned char *out = output->row;
        for (int x = 0; x < output->video.width; x++) {
            const uint32_t pixel = *pixels++;
            *out++ = (unsigned char)(pixel >> 16 & 255);
            *out++ = (unsigned char)(pixel >> 8 & 255);
            *out++ = (unsigned char)(pixel & 255);
        }
        png_write_row(png, output->row);
    }
    png_write_end(png, info);
}

/* No local variable changes between setjmp and longjmp, so none is lost. */
static bool encode(FILE *file, const struct png *output, const uint32_t *pixels,
                   struct failure *failure)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, failure, png_failed, png_warned);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        (void)snprintf(failure->what, sizeof failure->what, "not enough memory");
        png_destroy_write_struct(&png, NULL);
        return false;
    }
    if (setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    errno = 0;
    png_init_io(png, file);
    write_picture(png, info, output, pixels);
    png_destroy_write_struct(&png, &info);
    return true;
}

static int write_file(const struct png *output, const uint32_t *pixels)
{
    struct failure failure = {{0}};
    (void)remove(output->part);
    FILE *file = fopen(output->part, "wbx");
    bool written = file != NULL && encode(file, output, pixels, &failure);
    errno = file != NULL ? 0 : errno;
    if (file != NULL && fclose(file) != 0) {
        written = false;
    }
    if (written && rename(output->part, output->name) == 0) {
        return 0;
    }
    if (failure.what[0] == '\0') {
        (void)snprintf(failure.what, sizeof failure.what, "cannot write: %s", strerror(errno));
    }
    const struct base_place place = {.file = output->name};
    base_report(&output->video.sink, BASE_ERROR, place, NULL, "%s", failure.what);
    (void)remove(output->part);
    return -1;
}

/* Copies a part of the file name, %% as %. */
static void append(struct png *output, const char *text, size_t size)
{
    size_t used = strlen(output->name);
    for (size_t i = 0; i < size; i++) {
        output->name[used++] = text[i];
        i += text[i] == '%';
    }
    output->name[used] = '\0';
}

static void set_names(struct png *output)
{
    const struct pattern *pattern = &output->pattern;
    const char *text = output->video.output;
    memcpy(output->name, text, pattern->folder);
    output->name[pattern->folder] = '\0';
    append(output, text + pattern->folder, pattern->prefix);
    if (pattern->suffix != NULL) {
        char number[DIGITS_MAX + 1];
        (void)snprintf(number, sizeof number, "%0*llu", pattern->width,
                       (unsigned long long)output->number);
        append(output, number, strlen(number));
        append(output, pattern->suffix, strlen(pattern->suffix));
    }
    app_video_part_name(output->part, output->name_size, output->name, ".part");
}

static int png_frame(struct app_video *video, const uint32_t *pixels)
{
    struct png *output = (struct png *)video;
    output->number++;
    if (output->pattern.suffix == NULL) {
        memcpy(output->last, pixels, (size_t)video->width * (size_t)video->height * sizeof *pixels);
        return 0;
    }
    set_names(output);
    return write_file(output, pixels);
}

static void free_png(struct png *output)
{
    free(output->last);
    free(output->row);
    free(output->name);
    free(output->part);
    app_video_leave_folder(&output->video);
    free(output);
}

static int png_finish(struct app_video *video)
{
    struct png *output = (struct png *)video;
    int result = 0;
    if (output->pattern.suffix == NULL && output->number > 0) {
        set_names(output);
        result = write_file(output, output->last);
    }
    free_png(output);
    return result;
}

static void png_discard(struct app_video *video)
{
    free_png((struct png *)video);
}

/* The length of %d or %0Nd at the text, 0 if neither is there. */
static size_t read_number(const char *text, int *width)
{
    if (text[1] == '0' && text[2] >= '1' && text[2] <= '9' && text[3] == 'd') {
        *width = text[2] - '0';
        return 4;
    }
    *width = 0;
    return text[1] == 'd' ? 2 : 0;
}

/* Finds the one %d or %0Nd in the file name. Returns 0, or -1 if there is any other % but %%. */
static int read_pattern(const char *output, struct pattern *pattern)
{
    const char *slash = strrchr(output, '/');
    const char *name = slash != NULL ? slash + 1 : output;
    *pattern = (struct pattern){.folder = (size_t)(name - output), .prefix = strlen(name)};
    for (const char *at = strchr(name, '%'); at != NULL; at = strchr(at, '%')) {
        int width = 0;
        const size_t size = at[1] == '%' ? 0 : read_number(at, &width);
        if (at[1] != '%' && (size == 0 || pattern->suffix != NULL)) {
            return -1;
        }
        if (size > 0) {
            pattern->prefix = (size_t)(at - name);
            pattern->suffix = at + size;
            pattern->width = width;
        }
        at += size > 0 ? size : 2;
    }
    return 0;
}

static bool allocate(struct png *output)
{
    const size_t width = (size_t)output->video.width;
    output->name_size = strlen(output->video.output) + DIGITS_MAX + APP_VIDEO_PART_EXTRA;
    output->name = malloc(output->name_size);
    output->part = malloc(output->name_size);
    output->row = malloc(3 * width);
    if (output->pattern.suffix == NULL) {
        output->last = malloc(width * (size_t)output->video.height * sizeof *output->last);
    }
    return output->name != NULL && output->part != NULL && output->row != NULL &&
           (output->pattern.suffix != NULL || output->last != NULL);
}

static int try_writing(struct png *output)
{
    output->number = output->pattern.suffix != NULL;
    set_names(output);
    output->number = 0;
    const int result = app_video_claim(&output->video, output->name, output->part);
    (void)remove(output->part);
    return result;
}

struct app_video *app_video_open_png(const char *output, const struct app_video_format *format,
                                     const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {png_frame, png_finish, png_discard};
    const struct base_place place = {.file = output};
    struct pattern pattern;
    if (read_pattern(output, &pattern) != 0) {
        base_report(sink, BASE_ERROR, place,
                    "write one %d or %05d into the file name, and %% for a percent sign",
                    "the number of the picture is not clear");
        return NULL;
    }
    struct png *png = calloc(1, sizeof *png);
    if (png == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory");
        return NULL;
    }
    png->video =
        (struct app_video){&operations,    sink != NULL ? *sink : (struct base_diag_sink){0},
                           output,         format->width,
                           format->height, NULL};
    png->pattern = pattern;
    if (!allocate(png)) {
        app_video_fail(&png->video, NULL, "not enough memory");
        png_discard(&png->video);
        return NULL;
    }
    if (app_video_make_folder(&png->video) != 0 || try_writing(png) != 0) {
        png_discard(&png->video);
        return NULL;
    }
    return &png->video;
}
