#include "app/board/pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "board/picture/picture.h"
#include "renderer/picture/resources.h"

enum { PATH_SIZE = 4096, SECONDS = 10, LIBRARIES = 64 * 1024 * 1024 };

/* What the process sends; the pixels follow. */
struct answer {
    uint32_t outcome;
    struct board_picture_extent extent;
};

static size_t bytes_of(struct board_picture_extent extent)
{
    return 2 * (size_t)extent.width * extent.height;
}

/* All of descriptor 0, up to BOARD_PICTURE_FILE_MAX and one byte more. */
static size_t read_all(uint8_t *data)
{
    size_t used = 0;
    ssize_t got = 1;
    while (used <= BOARD_PICTURE_FILE_MAX && got != 0) {
        got = pread(STDIN_FILENO, data + used, BOARD_PICTURE_FILE_MAX + 1 - used, (off_t)used);
        if (got < 0 && errno != EINTR) {
            break;
        }
        used += got > 0 ? (size_t)got : 0;
    }
    return used;
}

/* Data: the bytes that there is room for. */
static int decode_apart(const void *data, size_t size)
{
    size_t room = 0;
    memcpy(&room, data, size < sizeof room ? size : sizeof room);
    uint8_t *file = malloc(BOARD_PICTURE_FILE_MAX + 1);
    uint8_t *pixels = malloc(room);
    struct answer answer = {.outcome = BOARD_PICTURE_NO_MEMORY};
    if (file != NULL && pixels != NULL) {
        answer.outcome = board_picture_decode(file, read_all(file), pixels, room, &answer.extent);
    }
    const bool written =
        app_apart_write(&answer, sizeof answer) &&
        (answer.outcome != BOARD_PICTURE_READ || app_apart_write(pixels, bytes_of(answer.extent)));
    free(file);
    free(pixels);
    return written ? 0 : 1;
}

/* None of what the process sends is believed. */
static enum board_picture_outcome take(struct app_apart_pipe *pipe, uint8_t *pixels, size_t room,
                                       struct board_picture_extent *extent)
{
    struct answer answer;
    enum app_apart_result result = app_apart_read(pipe, &answer, sizeof answer, 2 * SECONDS);
    const bool sized = result == APP_APART_DONE && bytes_of(answer.extent) <= room &&
                       answer.extent.width <= BOARD_PICTURE_SIDE_MAX &&
                       answer.extent.height <= BOARD_PICTURE_SIDE_MAX;
    if (result != APP_APART_DONE || answer.outcome >= BOARD_PICTURE_OUTCOMES || !sized) {
        return BOARD_PICTURE_DAMAGED;
    }
    if (answer.outcome == BOARD_PICTURE_READ) {
        result = app_apart_read(pipe, pixels, bytes_of(answer.extent), 2 * SECONDS);
        *extent = answer.extent;
    }
    return result == APP_APART_DONE ? (enum board_picture_outcome)answer.outcome
                                    : BOARD_PICTURE_DAMAGED;
}

static enum board_picture_outcome decode(int file, const atomic_bool *stop, uint8_t *pixels,
                                         size_t room, struct board_picture_extent *extent)
{
    const struct app_confine_limits limits = {
        LIBRARIES + BOARD_PICTURE_MEMORY + BOARD_PICTURE_FILE_MAX + room, SECONDS};
    struct app_apart_pipe pipe;
    if (app_apart_stopped(stop) ||
        app_apart_open(&pipe, NULL, decode_apart, file, &room, sizeof room, limits) != 0) {
        return BOARD_PICTURE_UNREADABLE;
    }
    pipe.stop = stop;
    const enum board_picture_outcome outcome = take(&pipe, pixels, room, extent);
    (void)app_apart_close(&pipe, APP_APART_DONE);
    return outcome;
}

struct search {
    const char *preset_path;
    const struct app_textures *textures;
};

static enum board_picture_outcome fetch(void *user, const char *name, uint8_t *pixels, size_t room,
                                        struct board_picture_extent *extent)
{
    const struct search *search = user;
    const struct rend_picture_request request = {.file = name, .preset_path = search->preset_path};
    struct app_textures textures = *search->textures;
    char path[PATH_SIZE];
    if (!app_resources_find(&textures, &request, path, sizeof path)) {
        return BOARD_PICTURE_NOT_THERE;
    }
    struct stat about;
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool readable = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    const enum board_picture_outcome outcome =
        readable ? decode(file, textures.stop, pixels, room, extent) : BOARD_PICTURE_UNREADABLE;
    if (file >= 0) {
        (void)close(file);
    }
    return outcome;
}

void app_board_pictures_load(struct board_host *host, struct board_loaded *loaded, const char *path,
                             const struct app_textures *textures, const struct base_diag_sink *sink)
{
    static const struct app_textures usual = {NULL, NULL};
    struct search search = {path, textures != NULL ? textures : &usual};
    const struct board_picture_files files = {&search, fetch};
    board_pictures_load(&loaded->patch, &files, board_host_units(host)->memory, BOARD_FREE_AT, path,
                        sink);
}
