/* Whatever a board answers on its serial line: sending an image ends, with bounded repeats, and
 * only what was acknowledged counts as sent. The first byte says how long the image is, and whether
 * there is a command line and a line that goes away; then come the board's bytes, one for each
 * look. */
#include <stdlib.h>
#include <string.h>

#include "app/board/serial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    IMAGE_STEP = 97,
    IMAGE_MAX = 31 * IMAGE_STEP,
    WITH_LINE = 32,
    GOES_AWAY = 64,
    WRITES = 9,                    /* after so many it is gone */
    PADS = 5 + 1 + 259,            /* bytes that bring the loader back */
    OF_A_FRAME = 5 * (259 + PADS), /* bytes, at most */
};

struct board {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    size_t written;
    unsigned writes; /* left; 0: the line is gone */
    size_t acknowledged;
    size_t sent;
    double now;
};

static int read_byte(void *user, double seconds)
{
    struct board *board = user;
    if (board->at == board->size) {
        board->now += seconds;
        return -1;
    }
    const uint8_t byte = board->bytes[board->at++];
    board->acknowledged += byte == 'K';
    return byte;
}

static int write_bytes(void *user, const uint8_t *bytes, size_t count)
{
    struct board *board = user;
    volatile uint8_t last = 0;
    for (size_t i = 0; i < count; i++) {
        last = bytes[i]; /* all can be read */
    }
    (void)last;
    if (board->writes == 0) {
        return -1;
    }
    board->writes--;
    board->written += count;
    return 0;
}

static void note_sent(void *user, size_t bytes)
{
    struct board *board = user;
    board->sent += bytes;
}

static double tell_time(void *user)
{
    return ((struct board *)user)->now;
}

static bool never(void *user)
{
    (void)user;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t image[IMAGE_MAX];
    static const char text[] = "profile=1";
    const uint8_t head = size > 0 ? data[0] : 0;
    const size_t length = (size_t)(head % 32) * IMAGE_STEP;
    const char *command_line = (head & WITH_LINE) != 0 ? text : NULL;
    struct board board = {.bytes = data + (size > 0),
                          .size = size - (size > 0),
                          .writes = (head & GOES_AWAY) != 0 ? WRITES : UINT16_MAX};
    const struct app_serial_boot_line line = {&board,    read_byte, write_bytes,
                                              note_sent, never,     tell_time};
    const enum app_serial_boot_result result = app_serial_boot(&line, image, length, command_line);
    const size_t extra = command_line != NULL ? sizeof text : 0;
    const size_t data_frames = (length + APP_SERIAL_BOOT_DATA - 1) / APP_SERIAL_BOOT_DATA;
    const size_t frames = data_frames + (command_line != NULL ? 2 : 0) + 1;
    if (result > APP_SERIAL_BOOT_REFUSED || result == APP_SERIAL_BOOT_STOPPED ||
        board.sent > length + extra || board.written > 32 + (frames + 1) * OF_A_FRAME) {
        abort();
    }
    if (result == APP_SERIAL_BOOT_DONE &&
        (board.sent != length + extra || board.acknowledged < frames)) {
        abort();
    }
    return 0;
}
