#define _DEFAULT_SOURCE /* B115200, CRTSCTS */

#include "app/board/serial.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/os/clock.h"

static const double WRITE_SECONDS = 10;

static int refuse(int line, const char *name, const char *what, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, NULL, "%s", what);
    if (line >= 0) {
        (void)close(line);
    }
    return -1;
}

int app_serial_open(const char *name, const struct base_diag_sink *sink)
{
    const int line = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (line < 0) {
        return refuse(line, name, strerror(errno), sink);
    }
    struct termios settings;
    if (tcgetattr(line, &settings) != 0) {
        return refuse(line, name, "it is no serial line", sink);
    }
    settings.c_iflag = IGNBRK | IGNPAR;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = CS8 | CREAD | CLOCAL;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (cfsetispeed(&settings, B115200) != 0 || cfsetospeed(&settings, B115200) != 0 ||
        tcsetattr(line, TCSANOW, &settings) != 0 || tcflush(line, TCIFLUSH) != 0) {
        return refuse(line, name, strerror(errno), sink);
    }
    return line;
}

static bool wait_for(int line, short events, double seconds)
{
    struct pollfd wanted = {.fd = line, .events = events};
    return poll(&wanted, 1, (int)(seconds * 1e3)) > 0;
}

static bool only_later(void)
{
    return errno == EAGAIN || errno == EINTR;
}

long app_serial_read(int line, uint8_t *bytes, size_t room, double seconds)
{
    if (!wait_for(line, POLLIN, seconds)) {
        return 0;
    }
    const ssize_t got = read(line, bytes, room);
    return got > 0 ? (long)got : got < 0 && only_later() ? 0 : -1;
}

int app_serial_write(int line, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        if (!wait_for(line, POLLOUT, WRITE_SECONDS)) {
            return -1;
        }
        const ssize_t sent = write(line, bytes, count);
        if (sent < 0 && !only_later()) {
            return -1;
        }
        bytes += sent > 0 ? sent : 0;
        count -= sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

struct app_serial_ready app_serial_wait(int line, int keyboard, double seconds)
{
    struct pollfd wanted[] = {{.fd = line, .events = POLLIN}, {.fd = keyboard, .events = POLLIN}};
    if (poll(wanted, 2, (int)(seconds * 1e3)) <= 0) {
        return (struct app_serial_ready){0};
    }
    return (struct app_serial_ready){wanted[0].revents != 0, wanted[1].revents != 0};
}

void app_serial_keyboard_begin(struct app_serial_keyboard *keyboard)
{
    *keyboard = (struct app_serial_keyboard){0};
    if (tcgetattr(STDIN_FILENO, &keyboard->before) == 0) {
        struct termios keys = keyboard->before;
        keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        keys.c_cc[VMIN] = 1;
        keys.c_cc[VTIME] = 0;
        keyboard->changed = tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
    }
}

void app_serial_keyboard_end(const struct app_serial_keyboard *keyboard)
{
    if (keyboard->changed) {
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &keyboard->before);
    }
}

const char app_serial_boot_call[] = "sL5DdSMmkekro";
const char app_serial_boot_reply[] = "z6IHG7cYDID6o";

enum {
    IMAGE_AT = 0x40000000,
    LINE_AT = 0x41000000,
    PAD = 1, /* the frame that it begins anew, five of these, has a wrong sum */
};

static const double ANSWER_SECONDS = 1; /* a frame takes 23 milliseconds */
static const double PAD_SECONDS = 0.01;
static const double QUIET_SECONDS = 0.1;

bool app_serial_boot_called(struct app_serial_boot_watch *watch, uint8_t byte)
{
    /* The call's first letter is nowhere else in it. */
    if (byte != (uint8_t)app_serial_boot_call[watch->matched]) {
        watch->matched = 0;
    }
    if (byte == (uint8_t)app_serial_boot_call[watch->matched]) {
        watch->matched++;
    }
    if (app_serial_boot_call[watch->matched] != '\0') {
        return false;
    }
    watch->matched = 0;
    return true;
}

uint16_t app_serial_boot_crc(const uint8_t *bytes, size_t count)
{
    unsigned crc = 0;
    for (size_t i = 0; i < count; i++) {
        crc ^= (unsigned)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
        }
    }
    return (uint16_t)crc;
}

size_t app_serial_boot_frame(uint8_t frame[APP_SERIAL_BOOT_FRAME],
                             enum app_serial_boot_command command, uint32_t address,
                             const uint8_t *data, size_t count)
{
    enum { HEAD = 4, ADDRESS = 4 };
    const size_t payload = command == APP_SERIAL_BOOT_ABORT ? 0 : ADDRESS + count;
    assert(count <= APP_SERIAL_BOOT_DATA);
    frame[0] = (uint8_t)payload;
    frame[3] = (uint8_t)command;
    for (int i = 0; payload > 0 && i < ADDRESS; i++) {
        frame[HEAD + i] = (uint8_t)(address >> (24 - 8 * i));
    }
    if (count > 0) {
        memcpy(frame + HEAD + ADDRESS, data, count);
    }
    const uint16_t crc = app_serial_boot_crc(frame + 3, payload + 1);
    frame[1] = (uint8_t)(crc >> 8);
    frame[2] = (uint8_t)crc;
    return payload + HEAD;
}

/* One of the answers, or -1 after so many seconds or with a wish to stop; what else comes is none.
 */
static int answer(const struct app_serial_boot_line *line, double seconds)
{
    const double end = base_clock_seconds() + seconds;
    for (double left = seconds; left > 0 && !line->stop(line->user);
         left = end - base_clock_seconds()) {
        const int byte = line->read(line->user, left);
        if (byte < 0 || strchr("KCUE", byte > 0 ? byte : ' ') != NULL) {
            return byte;
        }
    }
    return -1;
}

/* A write fails on a signal too. */
static enum app_serial_boot_result write_all(const struct app_serial_boot_line *line,
                                             const uint8_t *bytes, size_t count)
{
    if (!line->stop(line->user) && line->write(line->user, bytes, count) == 0) {
        return APP_SERIAL_BOOT_DONE;
    }
    return line->stop(line->user) ? APP_SERIAL_BOOT_STOPPED : APP_SERIAL_BOOT_GONE;
}

/* A byte that got lost leaves the loader waiting for the rest of a frame. Feeds it until it
 * answers; what it says then is about a broken frame, whichever that was. */
static enum app_serial_boot_result resynchronise(const struct app_serial_boot_line *line)
{
    static const uint8_t pad = PAD;
    for (int i = 0; i <= APP_SERIAL_BOOT_FRAME + 5; i++) {
        const enum app_serial_boot_result result = write_all(line, &pad, 1);
        if (result != APP_SERIAL_BOOT_DONE || answer(line, PAD_SECONDS) >= 0) {
            return result;
        }
    }
    return APP_SERIAL_BOOT_SILENT;
}

/* After an answer that is none of a frame that has arrived: DONE: it may be sent again. */
static enum app_serial_boot_result recover(const struct app_serial_boot_line *line, int answered)
{
    switch (answered) {
    case 'U':
        return APP_SERIAL_BOOT_UNKNOWN;
    case 'E':
        return APP_SERIAL_BOOT_REFUSED;
    case 'C':
        /* Where a frame's length was wrong its rest counts as frames too, each with an answer. */
        for (int i = 0; i < APP_SERIAL_BOOT_FRAME && answer(line, QUIET_SECONDS) >= 0; i++) {
        }
        return APP_SERIAL_BOOT_DONE;
    default:
        return resynchronise(line);
    }
}

static enum app_serial_boot_result send_frame(const struct app_serial_boot_line *line,
                                              const uint8_t *frame, size_t length)
{
    enum app_serial_boot_result end = APP_SERIAL_BOOT_SILENT;
    for (int i = 0; i < APP_SERIAL_BOOT_TRIES; i++) {
        enum app_serial_boot_result result = write_all(line, frame, length);
        const int answered = result == APP_SERIAL_BOOT_DONE ? answer(line, ANSWER_SECONDS) : -1;
        if (answered == 'K') {
            return APP_SERIAL_BOOT_DONE;
        }
        result = result == APP_SERIAL_BOOT_DONE ? recover(line, answered) : result;
        if (result != APP_SERIAL_BOOT_DONE) {
            return result;
        }
        end = answered == 'C' ? APP_SERIAL_BOOT_GARBLED : end;
    }
    return end;
}

static enum app_serial_boot_result send_command(const struct app_serial_boot_line *line,
                                                enum app_serial_boot_command command,
                                                uint32_t address)
{
    uint8_t frame[APP_SERIAL_BOOT_FRAME];
    return send_frame(line, frame, app_serial_boot_frame(frame, command, address, NULL, 0));
}

static enum app_serial_boot_result load(const struct app_serial_boot_line *line, uint32_t address,
                                        const uint8_t *bytes, size_t size)
{
    uint8_t frame[APP_SERIAL_BOOT_FRAME];
    enum app_serial_boot_result result = APP_SERIAL_BOOT_DONE;
    for (size_t at = 0; at < size && result == APP_SERIAL_BOOT_DONE;) {
        const size_t rest = size - at;
        const size_t count = rest < APP_SERIAL_BOOT_DATA ? rest : APP_SERIAL_BOOT_DATA;
        result = send_frame(line, frame,
                            app_serial_boot_frame(frame, APP_SERIAL_BOOT_LOAD,
                                                  address + (uint32_t)at, bytes + at, count));
        at += count;
        if (result == APP_SERIAL_BOOT_DONE) {
            line->sent(line->user, count);
        }
    }
    return result;
}

static enum app_serial_boot_result send_all(const struct app_serial_boot_line *line,
                                            const uint8_t *image, size_t size,
                                            const char *command_line)
{
    enum app_serial_boot_result result = load(line, IMAGE_AT, image, size);
    if (result == APP_SERIAL_BOOT_DONE && command_line != NULL) {
        result = load(line, LINE_AT, (const uint8_t *)command_line, strlen(command_line) + 1);
        if (result == APP_SERIAL_BOOT_DONE) {
            result = send_command(line, APP_SERIAL_BOOT_LINE, LINE_AT);
        }
    }
    return result == APP_SERIAL_BOOT_DONE ? send_command(line, APP_SERIAL_BOOT_JUMP, IMAGE_AT)
                                          : result;
}

enum app_serial_boot_result app_serial_boot(const struct app_serial_boot_line *line,
                                            const uint8_t *image, size_t size,
                                            const char *command_line)
{
    const enum app_serial_boot_result replied =
        write_all(line, (const uint8_t *)app_serial_boot_reply, strlen(app_serial_boot_reply));
    enum app_serial_boot_result result =
        replied == APP_SERIAL_BOOT_DONE ? write_all(line, (const uint8_t *)"\n", 1) : replied;
    result = result == APP_SERIAL_BOOT_DONE ? send_all(line, image, size, command_line) : result;
    if (result != APP_SERIAL_BOOT_DONE && result != APP_SERIAL_BOOT_GONE) {
        uint8_t frame[APP_SERIAL_BOOT_FRAME];
        const size_t length = app_serial_boot_frame(frame, APP_SERIAL_BOOT_ABORT, 0, NULL, 0);
        (void)line->write(line->user, frame, length);
    }
    return result;
}

const char *app_serial_boot_text(enum app_serial_boot_result result)
{
    static const char *const texts[] = {
        [APP_SERIAL_BOOT_DONE] = "sent",
        [APP_SERIAL_BOOT_STOPPED] = "stopped",
        [APP_SERIAL_BOOT_GONE] = "the line is gone",
        [APP_SERIAL_BOOT_SILENT] = "the board has stopped answering",
        [APP_SERIAL_BOOT_GARBLED] = "a frame did not get through in five attempts",
        [APP_SERIAL_BOOT_UNKNOWN] = "the board's boot loader does not know a command",
        [APP_SERIAL_BOOT_REFUSED] = "the board's boot loader reports an error",
    };
    return texts[result];
}
