#define _DEFAULT_SOURCE /* B115200, CRTSCTS */
#include "app/io/serial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

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
