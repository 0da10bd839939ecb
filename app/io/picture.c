#include "app/io/picture.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/io/picture_format.h"
#ifdef FROTH_SDL_IMAGE
#include "late/sdl_image.h"
#endif

enum {
    FILE_MAX = 64 * 1024 * 1024,
    LIBRARIES = 64 * 1024 * 1024, /* what the program and its libraries hold before they decode */
    LIT = 16,
};

const char *const app_picture_endings[] = {"jpg", "jpeg", "dds", "png", "tga", "bmp", "dib", NULL};

/* What became of a picture, as the process that decodes it tells. */
enum outcome {
    READ,
    TOO_LARGE,
    DAMAGED,
    NO_PICTURE,
    NO_MEMORY,
    NO_LIBRARY,
    OUTCOMES,
};

static const char *const words[OUTCOMES] = {
    [READ] = "",
    [TOO_LARGE] = "its sides may have 1 to 8192 pixels",
    [DAMAGED] = "it is damaged or cut off",
    [NO_PICTURE] = "it is none that can be read",
    [NO_MEMORY] = "not enough memory",
    [NO_LIBRARY] = "a library that decodes it is missing ('froth version --build' says which)",
};

/* ---- pictures that become smaller ---- */

enum { CHANNELS = 4 };

int app_picture_reduced(int side, int halvings)
{
    return (int)(((unsigned)side + (1U << halvings) - 1) >> halvings);
}

bool app_picture_rows_begin(struct app_picture_rows *rows, int width, int height, int halvings)
{
    const int reduced_width = app_picture_reduced(width, halvings);
    const int reduced_height = app_picture_reduced(height, halvings);
    const size_t pixels = (size_t)reduced_width * (size_t)reduced_height;
    *rows = (struct app_picture_rows){
        .picture = {calloc(pixels, sizeof(uint32_t)), reduced_width, reduced_height},
        .width = width,
        .height = height,
        .halvings = halvings,
        .sums = calloc(CHANNELS * (size_t)reduced_width, sizeof(uint32_t)),
    };
    return rows->picture.pixels != NULL && rows->sums != NULL;
}

static uint32_t mean(const uint32_t sums[CHANNELS], uint32_t count)
{
    uint32_t pixel = 0;
    for (int i = 0; i < CHANNELS; i++) {
        pixel = pixel << 8 | (sums[i] + count / 2) / count;
    }
    return pixel;
}

void app_picture_rows_add(struct app_picture_rows *rows, const uint32_t *row)
{
    const int y = rows->next++;
    const size_t width = (size_t)rows->picture.width;
    uint32_t *pixels = rows->picture.pixels + (size_t)(y >> rows->halvings) * width;
    if (rows->halvings == 0) {
        memcpy(pixels, row, width * sizeof *pixels);
        return;
    }
    /* Two channels at a time: 128 values of 8 bits fit into 16. */
    enum { HALF = 16, PAIR = 0x00FF00FF, LOW = 0xFFFF };
    const int side = 1 << rows->halvings;
    for (int x = 0; x < rows->picture.width; x++) {
        const int end = (x + 1) * side < rows->width ? (x + 1) * side : rows->width;
        uint32_t odd = 0;
        uint32_t even = 0;
        for (int i = x * side; i < end; i++) {
            odd += row[i] >> 8 & PAIR;
            even += row[i] & PAIR;
        }
        uint32_t *sums = rows->sums + CHANNELS * (size_t)x;
        sums[0] += odd >> HALF;
        sums[1] += even >> HALF;
        sums[2] += odd & LOW;
        sums[3] += even & LOW;
    }
    if (rows->next % side == 0 || rows->next == rows->height) {
        const int lines = y % side + 1;
        for (int x = 0; x < rows->picture.width; x++) {
            const int rest = rows->width - x * side;
            const int columns = rest < side ? rest : side;
            pixels[x] = mean(rows->sums + CHANNELS * (size_t)x, (uint32_t)(columns * lines));
        }
        memset(rows->sums, 0, CHANNELS * width * sizeof *rows->sums);
    }
}

struct rend_picture app_picture_rows_end(struct app_picture_rows *rows)
{
    const struct rend_picture picture = rows->picture;
    free(rows->sums);
    *rows = (struct app_picture_rows){0};
    return picture;
}

void app_picture_rows_discard(struct app_picture_rows *rows)
{
    free(app_picture_rows_end(rows).pixels);
}

/* ---- what a file's head tells ---- */

/* A file as it lies in memory. */
struct bytes {
    const uint8_t *data;
    size_t size;
};

/* Anything larger than SHADER_SIZE_MAX is refused before it is unpacked: a small file may hold more
 * pixels than there is memory. */
struct extent {
    uint32_t width;
    uint32_t height;
    uint64_t scratch; /* bytes that are held while the file is read */
};

/* NULL if there are not that many. */
static const uint8_t *bytes_at(struct bytes file, uint64_t at, size_t count)
{
    return at <= file.size && count <= file.size - at ? file.data + at : NULL;
}

static bool begins_with(struct bytes file, const void *mark, size_t size)
{
    return size <= file.size && memcmp(file.data, mark, size) == 0;
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

static bool is_png(struct bytes file)
{
    return begins_with(file, "\x89PNG\r\n\x1A\n", 8);
}

/* Whether chunk follows chunk up to the end. The library does not notice when a file ends early: it
 * takes what it read last for what comes next, and may do so for ever. */
static bool is_whole_png(struct bytes file)
{
    enum { CHUNKS_MAX = 1 << 16, AROUND = 12 };
    uint64_t at = 8;
    const uint8_t *bytes;
    for (int i = 0; i < CHUNKS_MAX && (bytes = bytes_at(file, at, 8)) != NULL; i++) {
        at += AROUND + (uint64_t)big(bytes, 4);
        if (memcmp(bytes + 4, "IEND", 4) == 0) {
            return at <= file.size;
        }
    }
    return false;
}

static bool png_extent(struct bytes file, struct extent *extent)
{
    const uint8_t *bytes = bytes_at(file, 16, 8);
    if (bytes == NULL || !is_whole_png(file)) {
        return false;
    }
    *extent = (struct extent){big(bytes, 4), big(bytes + 4, 4), 0};
    return true;
}

static bool is_jpeg(struct bytes file)
{
    return begins_with(file, "\xFF\xD8\xFF", 3);
}

/* Whether the end of the picture is marked behind this place. */
static bool ends_jpeg(struct bytes file, uint64_t from)
{
    for (uint64_t at = file.size; at >= from + 2; at--) {
        if (file.data[at - 2] == 0xFF && file.data[at - 1] == 0xD9) {
            return true;
        }
    }
    return false;
}

/* What comes in several scans is held as coefficients of two bytes each. */
static uint64_t coefficients_of(struct bytes file, uint64_t frame, const struct extent *extent,
                                unsigned parts)
{
    enum { PARTS_MAX = 4, HEAD = 10, ROW = 3, BLOCK = 8, COEFFICIENT = 2 };
    parts = parts < PARTS_MAX ? parts : PARTS_MAX;
    const uint8_t *rows = bytes_at(file, frame + HEAD, ROW * (size_t)parts);
    uint64_t samples = 0; /* in a square of across x down pixels */
    uint64_t across = 1;
    uint64_t down = 1;
    for (unsigned i = 0; rows != NULL && i < parts; i++) {
        const unsigned x = rows[ROW * i + 1] >> 4;
        const unsigned y = rows[ROW * i + 1] & 15;
        samples += (uint64_t)x * y;
        across = x > across ? x : across;
        down = y > down ? y : down;
    }
    return COEFFICIENT * samples * (extent->width / across + BLOCK) *
           (extent->height / down + BLOCK);
}

/* Frames apart, only what has a length may stand before the first scan. */
static bool jpeg_extent(struct bytes file, struct extent *extent)
{
    enum { SEGMENTS_MAX = 4096 };
    uint64_t at = 2;
    uint64_t found = 0; /* where the frame begins */
    uint64_t coefficients = 0;
    unsigned parts = 0;
    const uint8_t *bytes;
    for (int i = 0; i < SEGMENTS_MAX && (bytes = bytes_at(file, at, 10)) != NULL; i++) {
        const unsigned marker = bytes[1];
        const bool frame =
            marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (bytes[0] != 0xFF ||
            (!frame && marker != 0xFF && marker != 0xC4 && marker != 0xCC && marker < 0xDA)) {
            break;
        }
        if (frame && found == 0) {
            found = at;
            parts = bytes[9];
            *extent = (struct extent){big(bytes + 7, 2), big(bytes + 5, 2), 0};
            coefficients = coefficients_of(file, at, extent, parts);
            extent->scratch = marker > 0xC1 ? coefficients : 0;
        }
        if (marker == 0xDA) {
            extent->scratch = bytes[4] < parts ? coefficients : extent->scratch;
            break;
        }
        at += marker == 0xFF ? 1 : 2 + (uint64_t)big(bytes + 2, 2);
    }
    return found > 0 && (extent->width > SHADER_SIZE_MAX || extent->height > SHADER_SIZE_MAX ||
                         ends_jpeg(file, found));
}

/* Of files that are read as a whole. */
static struct extent whole_extent(uint32_t width, uint32_t height, uint32_t bits)
{
    const uint64_t pixels =
        width <= SHADER_SIZE_MAX && height <= SHADER_SIZE_MAX ? (uint64_t)width * height : 0;
    return (struct extent){width, height, pixels * (bits <= 8 ? 1 : (bits + 7) / 8)};
}

static bool is_bmp(struct bytes file)
{
    return begins_with(file, "BM", 2);
}

/* Rows from the top down have a height below 0. */
static bool bmp_extent(struct bytes file, struct extent *extent)
{
    enum { OLD_HEAD = 12 };
    const uint8_t *bytes = bytes_at(file, 14, 12);
    if (bytes == NULL) {
        return false;
    }
    if (little(bytes, 4) == OLD_HEAD) {
        *extent = whole_extent(little(bytes + 4, 2), little(bytes + 6, 2), little(bytes + 10, 2));
        return true;
    }
    const uint32_t height = little(bytes + 8, 4);
    const uint8_t *bits = bytes_at(file, 28, 2);
    *extent = whole_extent(little(bytes + 4, 4), height > INT32_MAX ? 0U - height : height,
                           bits != NULL ? little(bits, 2) : 32);
    return true;
}

/* Nothing marks these, but their heads hold few values. */
static bool is_tga(struct bytes file)
{
    enum { MAP = 1, TYPE = 2, DEPTH = 16, HEAD = 18, PACKED = 8, GREY = 3, DEEPEST = 32 };
    const uint8_t *bytes = bytes_at(file, 0, HEAD);
    const unsigned type = bytes != NULL ? bytes[TYPE] & ~(unsigned)PACKED : 0;
    return type >= 1 && type <= GREY && bytes[MAP] <= 1 &&
           (bytes[DEPTH] == 15 || (bytes[DEPTH] % 8 == 0 && bytes[DEPTH] <= DEEPEST));
}

static bool tga_extent(struct bytes file, struct extent *extent)
{
    const uint8_t *bytes = bytes_at(file, 12, 5);
    if (bytes == NULL) {
        return false;
    }
    *extent = whole_extent(little(bytes, 2), little(bytes + 2, 2), bytes[4]);
    return true;
}

/* ---- decoding, in a process of its own ---- */

#ifdef FROTH_SDL_IMAGE

/* The library has the whole picture; it is converted some rows at a time. */
static bool reduce_surface(SDL_Surface *whole, struct app_picture_rows *rows)
{
    enum { STRIP = 16 };
    Uint32 key = 0;
    const bool keyed = SDL_GetColorKey(whole, &key) == 0;
    bool good = true;
    for (int y = 0; good && y < whole->h; y += STRIP) {
        const int height = whole->h - y < STRIP ? whole->h - y : STRIP;
        SDL_Surface *strip = SDL_CreateRGBSurfaceWithFormatFrom(
            (uint8_t *)whole->pixels + (size_t)y * (size_t)whole->pitch, whole->w, height,
            whole->format->BitsPerPixel, whole->pitch, whole->format->format);
        if (strip != NULL && whole->format->palette != NULL) {
            (void)SDL_SetSurfacePalette(strip, whole->format->palette);
        }
        if (strip != NULL && keyed) {
            (void)SDL_SetColorKey(strip, SDL_TRUE, key);
        }
        SDL_Surface *plain =
            strip != NULL ? SDL_ConvertSurfaceFormat(strip, SDL_PIXELFORMAT_ARGB8888, 0) : NULL;
        good = plain != NULL;
        for (int line = 0; good && line < height; line++) {
            const uint8_t *row = (const uint8_t *)plain->pixels + line * plain->pitch;
            app_picture_rows_add(rows, (const uint32_t *)(const void *)row);
        }
        SDL_FreeSurface(plain);
        SDL_FreeSurface(strip);
    }
    return good;
}

static bool read_surface(SDL_Surface *(*load)(SDL_RWops *file), struct app_picture_job *job,
                         struct rend_picture *picture)
{
    SDL_RWops *file = SDL_RWFromConstMem(job->data, (int)job->size);
    SDL_Surface *whole = file != NULL ? load(file) : NULL;
    if (file != NULL) {
        (void)SDL_RWclose(file);
    }
    if (whole == NULL) {
        job->lacks_memory = strstr(SDL_GetError(), "memory") != NULL;
        return false;
    }
    struct app_picture_rows rows = {0};
    const bool sized = whole->w >= 1 && whole->h >= 1 && whole->w <= SHADER_SIZE_MAX &&
                       whole->h <= SHADER_SIZE_MAX;
    const bool good = sized && app_picture_rows_begin(&rows, whole->w, whole->h, job->halvings) &&
                      reduce_surface(whole, &rows);
    SDL_FreeSurface(whole);
    job->lacks_memory = sized && !good;
    *picture = app_picture_rows_end(&rows);
    return good;
}

static const char *load_surfaces(void)
{
    return base_late_load(&late_sdl_image);
}

static bool read_bmp(struct app_picture_job *job, struct rend_picture *picture)
{
    return read_surface(IMG_LoadBMP_RW, job, picture);
}

static bool read_tga(struct app_picture_job *job, struct rend_picture *picture)
{
    return read_surface(IMG_LoadTGA_RW, job, picture);
}

#else

static const char *load_surfaces(void)
{
    return "froth was built without SDL_image";
}

static bool read_bmp(struct app_picture_job *job, struct rend_picture *picture)
{
    (void)job;
    *picture = (struct rend_picture){0};
    return false;
}

#define read_tga read_bmp

#endif

static const struct format {
    bool (*is)(struct bytes file);
    bool (*extent)(struct bytes file, struct extent *extent);
    const char *(*load)(void); /* its library; NULL, or what is missing */
    bool (*read)(struct app_picture_job *job, struct rend_picture *picture);
} formats[] = {
    {is_png, png_extent, app_picture_load_png, app_picture_read_png},
    {is_jpeg, jpeg_extent, app_picture_load_jpeg, app_picture_read_jpeg},
    {is_bmp, bmp_extent, load_surfaces, read_bmp},
    {is_tga, tga_extent, load_surfaces, read_tga},
};

/* NULL: it is none of them. */
static const struct format *format_of(struct bytes file)
{
    const struct format *format = formats;
    const struct format *end = formats + sizeof formats / sizeof *formats;
    while (format < end && !format->is(file)) {
        format++;
    }
    return format < end ? format : NULL;
}

/* Loads what decodes descriptor 0: a process without rights can no longer. */
static void load_decoder(void)
{
    enum { HEAD = 32 };
    uint8_t head[HEAD];
    const ssize_t got = pread(STDIN_FILENO, head, sizeof head, 0);
    const struct format *format = got > 0 ? format_of((struct bytes){head, (size_t)got}) : NULL;
    if (format != NULL) {
        (void)format->load();
    }
}

/* What is wanted. */
struct question {
    uint32_t measures; /* how large it is, and no more; else the picture */
    uint32_t halvings;
    uint64_t room; /* bytes that decoding may take */
};

static enum outcome decode(struct bytes file, const struct question *question,
                           struct extent *extent, struct rend_picture *picture)
{
    const struct format *format = format_of(file);
    if (format == NULL) {
        return NO_PICTURE;
    }
    if (!format->extent(file, extent)) {
        return DAMAGED;
    }
    if (extent->width < 1 || extent->width > SHADER_SIZE_MAX || extent->height < 1 ||
        extent->height > SHADER_SIZE_MAX) {
        return TOO_LARGE;
    }
    if (question->measures != 0) {
        return READ;
    }
    if (extent->scratch > question->room) {
        return NO_MEMORY;
    }
    if (format->load() != NULL) {
        return NO_LIBRARY;
    }
    struct app_picture_job job = {
        .data = file.data,
        .size = file.size,
        .halvings = (int)question->halvings,
        .room = (size_t)question->room,
    };
    return format->read(&job, picture) ? READ : job.lacks_memory ? NO_MEMORY : DAMAGED;
}

/* All of descriptor 0, to be freed. */
static struct bytes read_all(void)
{
    struct stat about;
    const size_t size = fstat(STDIN_FILENO, &about) == 0 ? (size_t)about.st_size : 0;
    uint8_t *data = size > 0 && size <= FILE_MAX ? malloc(size) : NULL;
    size_t used = 0;
    ssize_t got = 1;
    while (data != NULL && used < size && got != 0) {
        got = pread(STDIN_FILENO, data + used, size - used, (off_t)used);
        if (got < 0 && errno != EINTR) {
            break;
        }
        used += got > 0 ? (size_t)got : 0;
    }
    return (struct bytes){data, used};
}

static int decode_apart(const void *data, size_t size)
{
    struct question question = {0};
    struct extent extent = {0};
    struct rend_picture picture = {0};
    (void)size;
    assert(size == sizeof question);
    memcpy(&question, data, sizeof question);
    const struct bytes file = read_all();
    const enum outcome outcome = decode(file, &question, &extent, &picture);
    const bool measured = outcome == READ && question.measures != 0;
    const struct app_picture_answer answer = {
        .outcome = outcome,
        .width = measured ? extent.width : (uint32_t)picture.width,
        .height = measured ? extent.height : (uint32_t)picture.height,
    };
    const size_t pixels = (size_t)picture.width * (size_t)picture.height;
    bool written = app_apart_write(&answer, sizeof answer);
    if (measured) {
        written = written && app_apart_write(&extent.scratch, sizeof extent.scratch);
    } else if (outcome == READ) {
        written = written && app_apart_write(picture.pixels, pixels * sizeof *picture.pixels);
    }
    free(picture.pixels);
    free((void *)(uintptr_t)file.data);
    return written ? 0 : 1;
}

/* ---- reading ---- */

static int refuse(const char *path, const struct base_diag_sink *sink, const char *what)
{
    base_report(sink, BASE_WARNING, (struct base_place){.file = path},
                "PNG, JPEG, TGA and BMP can be read; another picture takes its place",
                "the picture cannot be used: %s", what);
    return -1;
}

/* What a process sends; none of it is believed. */
struct delivery {
    const struct question *question;
    const atomic_bool *stop;
    struct rend_extent extent;
    struct rend_picture picture;
};

/* Returns NULL, or what is wrong. */
static const char *take(struct app_apart_pipe *pipe, double patience, struct delivery *delivery)
{
    const struct question *question = delivery->question;
    struct app_picture_answer answer;
    enum app_apart_result result = app_apart_read(pipe, &answer, sizeof answer, patience);
    const char *what = NULL;
    uint32_t *pixels = NULL;
    size_t size = 0;
    if (result == APP_APART_DONE) {
        const bool sized = answer.width >= 1 && answer.width <= SHADER_SIZE_MAX &&
                           answer.height >= 1 && answer.height <= SHADER_SIZE_MAX;
        what = answer.outcome >= OUTCOMES ? "its decoder gave nonsense"
               : answer.outcome != READ   ? words[answer.outcome]
               : !sized                   ? words[TOO_LARGE]
                                          : NULL;
        size = sized ? (size_t)answer.width * answer.height * sizeof *pixels : 0;
    }
    if (result == APP_APART_DONE && what == NULL && question->measures != 0) {
        uint64_t scratch = 0;
        result = app_apart_read(pipe, &scratch, sizeof scratch, patience);
        delivery->extent =
            (struct rend_extent){(int)answer.width, (int)answer.height, (size_t)scratch};
    } else if (result == APP_APART_DONE && what == NULL) {
        pixels = size <= question->room ? malloc(size) : NULL;
        what = pixels == NULL ? words[NO_MEMORY] : NULL;
        result = pixels != NULL ? app_apart_read(pipe, pixels, size, patience) : result;
    }
    const char *end = app_apart_close(pipe, result);
    if (result != APP_APART_DONE || what != NULL) {
        free(pixels);
        return what != NULL ? what : end;
    }
    delivery->picture = (struct rend_picture){pixels, (int)answer.width, (int)answer.height};
    return NULL;
}

/* What a decoder may take. On a busy machine others have the processor meanwhile. */
struct bounds {
    unsigned seconds; /* of the processor */
    double patience;  /* seconds of the clock, for each part of its answer */
};
static const struct bounds usual = {20, 120};

/* Returns 0, or -1 after a message. */
static int ask(app_apart_work decoder, const struct bounds *bounds, const char *path,
               struct delivery *delivery, const struct base_diag_sink *sink)
{
    struct stat about;
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int reason = errno;
    if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size > FILE_MAX) {
        const bool other = file >= 0 && !S_ISREG(about.st_mode);
        if (file >= 0) {
            (void)close(file);
        }
        return refuse(path, sink,
                      file < 0 && reason != ENOENT ? strerror(reason)
                      : file < 0 || other          ? "it is no file"
                                                   : "the file has more than 64 MB");
    }
    const struct app_confine_limits limits = {
        LIBRARIES + (size_t)about.st_size + (size_t)delivery->question->room, bounds->seconds};
    if (app_apart_stopped(delivery->stop)) {
        (void)close(file);
        return -1;
    }
    struct app_apart_pipe pipe;
    const int error = app_apart_open(&pipe, load_decoder, decoder, file, delivery->question,
                                     sizeof *delivery->question, limits);
    (void)close(file);
    pipe.stop = delivery->stop;
    const char *what =
        error == 0 ? take(&pipe, bounds->patience, delivery) : app_apart_error(error);
    return what == NULL ? 0 : app_apart_stopped(delivery->stop) ? -1 : refuse(path, sink, what);
}

int app_picture_measure(const char *path, struct rend_extent *extent, const atomic_bool *stop,
                        const struct base_diag_sink *sink)
{
    const struct question question = {.measures = 1};
    struct delivery delivery = {.question = &question, .stop = stop};
    const int result = ask(decode_apart, &usual, path, &delivery, sink);
    *extent = delivery.extent;
    return result;
}

static int read_by(app_apart_work decoder, const struct bounds *bounds, const char *path,
                   const struct question *question, struct rend_picture *picture,
                   const atomic_bool *stop, const struct base_diag_sink *sink)
{
    struct delivery delivery = {.question = question, .stop = stop};
    const int result = ask(decoder, bounds, path, &delivery, sink);
    if (result == 0) {
        *picture = delivery.picture;
    }
    return result;
}

int app_picture_read_by(app_apart_work decoder, unsigned seconds, const char *path,
                        struct rend_picture *picture, const atomic_bool *stop,
                        const struct base_diag_sink *sink)
{
    const struct question question = {.room = REND_MEMORY};
    const struct bounds bounds = {seconds, 1.5 * seconds};
    return read_by(decoder, &bounds, path, &question, picture, stop, sink);
}

int app_picture_read(const char *path, int halvings, size_t room, struct rend_picture *picture,
                     const atomic_bool *stop, const struct base_diag_sink *sink)
{
    const struct question question = {.halvings = (uint32_t)halvings, .room = room};
    return read_by(decode_apart, &usual, path, &question, picture, stop, sink);
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
