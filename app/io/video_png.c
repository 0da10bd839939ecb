#include "app/io/video_output.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>

enum {
    DIGITS_MAX = 20, /* of a 64-bit number */
    PART_EXTRA = 32, /* process number and ending of the name while writing */
    COMPRESSION = 3, /* of zlib's 9: quicker than the usual 6, for files a little larger */
};

/* The output cut at its number: PREFIX %0Nd SUFFIX. */
struct pattern {
    const char *suffix; /* NULL: no number */
    size_t prefix;      /* bytes before it */
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
    char *folder; /* made by us; NULL: it was there */
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

static void write_rows(png_structp png, const struct png *output, const uint32_t *pixels)
{
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
    write_rows(png, output, pixels);
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
        (void)snprintf(failure->what, sizeof failure->what, "out of memory");
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

static void set_names(struct png *output)
{
    const struct pattern *pattern = &output->pattern;
    if (pattern->suffix == NULL) {
        (void)snprintf(output->name, output->name_size, "%s", output->video.output);
    } else {
        (void)snprintf(output->name, output->name_size, "%.*s%0*llu%s", (int)pattern->prefix,
                       output->video.output, pattern->width, (unsigned long long)output->number,
                       pattern->suffix);
    }
    (void)snprintf(output->part, output->name_size, "%s.%ld.part", output->name, (long)getpid());
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
    free(output->folder);
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
    struct png *output = (struct png *)video;
    if (output->folder != NULL) {
        (void)rmdir(output->folder); /* refused if pictures are in it */
    }
    free_png(output);
}

/* Finds the one %d or %0Nd in the file name. Returns 0, or -1 if there is any other % in it. */
static int read_pattern(const char *output, struct pattern *pattern)
{
    *pattern = (struct pattern){0};
    const char *percent = strchr(output, '%');
    if (percent == NULL) {
        return 0;
    }
    const char *at = percent + 1;
    if (at[0] == '0' && isdigit((unsigned char)at[1]) && at[1] != '0') {
        pattern->width = at[1] - '0';
        at += 2;
    }
    if (*at != 'd' || strchr(at, '%') != NULL || strchr(at, '/') != NULL) {
        return -1;
    }
    pattern->prefix = (size_t)(percent - output);
    pattern->suffix = at + 1;
    return 0;
}

/* Makes the folder of the output if it does not exist. */
static int make_folder(struct png *output)
{
    const char *slash = strrchr(output->video.output, '/');
    if (slash == NULL || slash == output->video.output) {
        return 0;
    }
    const size_t size = (size_t)(slash - output->video.output);
    char *folder = calloc(1, size + 1);
    if (folder == NULL) {
        app_video_fail(&output->video, NULL, "out of memory");
        return -1;
    }
    memcpy(folder, output->video.output, size);
    if (mkdir(folder, 0777) == 0) {
        output->folder = folder;
        return 0;
    }
    const int reason = errno;
    free(folder);
    if (reason == EEXIST) {
        return 0;
    }
    char what[160];
    (void)snprintf(what, sizeof what, "cannot make the folder: %s", strerror(reason));
    app_video_fail(&output->video, NULL, what);
    return -1;
}

static bool allocate(struct png *output)
{
    const size_t width = (size_t)output->video.width;
    output->name_size = strlen(output->video.output) + DIGITS_MAX + PART_EXTRA;
    output->name = malloc(output->name_size);
    output->part = malloc(output->name_size);
    output->row = malloc(3 * width);
    if (output->pattern.suffix == NULL) {
        output->last = malloc(width * (size_t)output->video.height * sizeof *output->last);
    }
    return output->name != NULL && output->part != NULL && output->row != NULL &&
           (output->pattern.suffix != NULL || output->last != NULL);
}

/* Notices at once what would otherwise be noticed after the last frame of a long rendering. */
static int try_writing(struct png *output)
{
    output->number = output->pattern.suffix != NULL;
    set_names(output);
    output->number = 0;
    FILE *file = fopen(output->part, "wb");
    if (file == NULL) {
        char what[160];
        (void)snprintf(what, sizeof what, "cannot write: %s", strerror(errno));
        app_video_fail(&output->video, NULL, what);
        return -1;
    }
    (void)fclose(file);
    (void)remove(output->part);
    return 0;
}

struct app_video *app_video_open_png(const char *output, const struct app_video_format *format,
                                     const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {png_frame, png_finish, png_discard};
    const struct base_place place = {.file = output};
    struct pattern pattern;
    if (read_pattern(output, &pattern) != 0) {
        base_report(sink, BASE_ERROR, place, "write one %d or %05d into the file name",
                    "the number of the picture is not clear");
        return NULL;
    }
    struct png *png = calloc(1, sizeof *png);
    if (png == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "out of memory");
        return NULL;
    }
    png->video = (struct app_video){&operations, sink != NULL ? *sink : (struct base_diag_sink){0},
                                    output, format->width, format->height};
    png->pattern = pattern;
    if (!allocate(png)) {
        app_video_fail(&png->video, NULL, "out of memory");
        png_discard(&png->video);
        return NULL;
    }
    if (make_folder(png) != 0 || try_writing(png) != 0) {
        png_discard(&png->video);
        return NULL;
    }
    return &png->video;
}
