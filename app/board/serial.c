/* froth send: a boot image to a board over its serial line, and the board's console afterwards;
 * what goes over the network is udp.c's. */
#define _DEFAULT_SOURCE /* B115200, CRTSCTS */

#include "app/board/serial.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "app/board/udp.h"
#include "app/io/progress.h"
#include "app/options/options.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/text.h"

/* ---- the protocol of the boot loader ---- */

/* What the loader writes, and the answer, without their line ends. */
static const char CALL[] = "sL5DdSMmkekro";
static const char REPLY[] = "z6IHG7cYDID6o";

enum {
    IMAGE_AT = 0x40000000,
    LINE_AT = 0x41000000,
    PAD = 1, /* the frame that it begins anew, five of these, has a wrong sum */
};

static const double ANSWER_SECONDS = 1; /* a frame takes 23 milliseconds */
static const double PAD_SECONDS = 0.01;
static const double QUIET_SECONDS = 0.1;

/* Watches what comes from the board for the loader's call. */
struct watch {
    size_t matched;
};

/* True when the call is complete with this byte. */
static bool is_called(struct watch *watch, uint8_t byte)
{
    /* The call's first letter is nowhere else in it. */
    if (byte != (uint8_t)CALL[watch->matched]) {
        watch->matched = 0;
    }
    if (byte == (uint8_t)CALL[watch->matched]) {
        watch->matched++;
    }
    if (CALL[watch->matched] != '\0') {
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
    const bool filled = command != APP_SERIAL_BOOT_ABORT;
    const size_t payload = filled ? ADDRESS + count : 0;
    assert(count <= APP_SERIAL_BOOT_DATA);
    frame[0] = (uint8_t)payload;
    frame[3] = (uint8_t)command;
    for (int i = 0; filled && i < ADDRESS; i++) {
        frame[HEAD + i] = (uint8_t)(address >> (24 - 8 * i));
    }
    if (filled && count > 0) {
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
    const double end = line->now(line->user) + seconds;
    for (double left = seconds; left > 0 && !line->stop(line->user);
         left = end - line->now(line->user)) {
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
    /* It has all that it can want: a busy machine brings its answer late. */
    return answer(line, ANSWER_SECONDS) >= 0 ? APP_SERIAL_BOOT_DONE
           : line->stop(line->user)          ? APP_SERIAL_BOOT_STOPPED
                                             : APP_SERIAL_BOOT_SILENT;
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

enum app_serial_boot_result app_serial_boot(const struct app_serial_boot_line *line,
                                            const uint8_t *image, size_t size,
                                            const char *command_line)
{
    const enum app_serial_boot_result replied =
        write_all(line, (const uint8_t *)REPLY, strlen(REPLY));
    enum app_serial_boot_result result =
        replied == APP_SERIAL_BOOT_DONE ? write_all(line, (const uint8_t *)"\n", 1) : replied;
    if (result == APP_SERIAL_BOOT_DONE) {
        result = load(line, IMAGE_AT, image, size);
    }
    if (result == APP_SERIAL_BOOT_DONE && command_line != NULL) {
        result = load(line, LINE_AT, (const uint8_t *)command_line, strlen(command_line) + 1);
        if (result == APP_SERIAL_BOOT_DONE) {
            result = send_command(line, APP_SERIAL_BOOT_LINE, LINE_AT);
        }
    }
    if (result == APP_SERIAL_BOOT_DONE) {
        result = send_command(line, APP_SERIAL_BOOT_JUMP, IMAGE_AT);
    }
    if (result != APP_SERIAL_BOOT_DONE && result != APP_SERIAL_BOOT_GONE) {
        uint8_t frame[APP_SERIAL_BOOT_FRAME];
        const size_t length = app_serial_boot_frame(frame, APP_SERIAL_BOOT_ABORT, 0, NULL, 0);
        (void)line->write(line->user, frame, length);
    }
    return result;
}

/* ---- the line ---- */

static const double WRITE_SECONDS = 10;

static int refuse(int line, const char *name, const char *what)
{
    base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = name}, NULL, "%s", what);
    if (line >= 0) {
        (void)close(line);
    }
    return -1;
}

/* The line of this name at 115200 bits per second, 8 bits, no parity, no flow control; what has
 * come in before is forgotten. Returns a descriptor to close, or -1 with a message. */
static int open_line(const char *name)
{
    const int line = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (line < 0) {
        return refuse(line, name, strerror(errno));
    }
    struct termios settings;
    if (tcgetattr(line, &settings) != 0) {
        return refuse(line, name, "it is no serial line");
    }
    settings.c_iflag = IGNBRK | IGNPAR;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = CS8 | CREAD | CLOCAL;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (cfsetispeed(&settings, B115200) != 0 || cfsetospeed(&settings, B115200) != 0 ||
        tcsetattr(line, TCSANOW, &settings) != 0 || tcflush(line, TCIFLUSH) != 0) {
        return refuse(line, name, strerror(errno));
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

/* Returns 0 when all are on their way, -1 if the line is gone or takes nothing for ten seconds. */
static int write_line(int line, const uint8_t *bytes, size_t count)
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

/* ---- the session ---- */

static const struct base_place NOWHERE = {0};
static const double LOOK_SECONDS = 0.2; /* between two looks at signals and clocks */

enum {
    ROOM = 256,
    IMAGE_MAX = 16 * 1024 * 1024, /* the command line stands behind it */
    COMMAND_LINE_MAX = 4096,
};

struct session {
    const struct app_options *options;
    struct base_file image;
    int line;
    int keyboard; /* -1: nothing more to come */
    struct watch watch;
    uint8_t bytes[ROOM]; /* that have come from the board */
    size_t count;
    size_t at;
    bool gone; /* the line */
    uint64_t sent;
    struct app_progress progress;
};

static const char *const results[] = {
    [APP_SERIAL_BOOT_DONE] = "sent",
    [APP_SERIAL_BOOT_STOPPED] = "stopped",
    [APP_SERIAL_BOOT_GONE] = "the line is gone",
    [APP_SERIAL_BOOT_SILENT] = "the board has stopped answering",
    [APP_SERIAL_BOOT_GARBLED] = "a frame did not get through in five attempts",
    [APP_SERIAL_BOOT_UNKNOWN] = "the board's boot loader does not know a command",
    [APP_SERIAL_BOOT_REFUSED] = "the board's boot loader reports an error",
};

static int fail(const struct session *session, const char *hint, const char *what)
{
    base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = session->options->port},
                hint, "%s", what);
    return -1;
}

static void fill(struct session *session, double seconds)
{
    session->count = 0;
    session->at = 0;
    if (wait_for(session->line, POLLIN, seconds)) {
        const ssize_t got = read(session->line, session->bytes, ROOM);
        session->count = got > 0 ? (size_t)got : 0;
        session->gone = session->gone || got == 0 || (got < 0 && !only_later());
    }
}

static int read_byte(void *user, double seconds)
{
    struct session *session = user;
    if (session->at == session->count) {
        fill(session, seconds);
    }
    return session->at < session->count ? session->bytes[session->at++] : -1;
}

static int write_bytes(void *user, const uint8_t *bytes, size_t count)
{
    const struct session *session = user;
    return session->gone ? -1 : write_line(session->line, bytes, count);
}

static void note_sent(void *user, size_t bytes)
{
    struct session *session = user;
    session->sent += bytes;
    app_progress_step(&session->progress, session->sent);
}

static bool wants_stop(void *user)
{
    (void)user;
    return base_stop_wanted();
}

static double read_clock(void *user)
{
    (void)user;
    return base_clock_seconds();
}

static int send_image(struct session *session)
{
    const char *command_line = session->options->command_line;
    const uint64_t extra = command_line != NULL ? strlen(command_line) + 1 : 0;
    const struct app_serial_boot_line line = {.user = session,
                                              .read = read_byte,
                                              .write = write_bytes,
                                              .sent = note_sent,
                                              .stop = wants_stop,
                                              .now = read_clock};
    session->sent = 0;
    (void)fflush(stdout);
    app_progress_begin(&session->progress, stderr, "bytes", session->image.size + extra);
    const enum app_serial_boot_result result = app_serial_boot(
        &line, (const uint8_t *)session->image.data, session->image.size, command_line);
    app_progress_end(&session->progress, session->sent, result == APP_SERIAL_BOOT_DONE);
    return result == APP_SERIAL_BOOT_DONE ? 0
                                          : fail(session,
                                                 result == APP_SERIAL_BOOT_STOPPED
                                                     ? NULL
                                                     : "switch the board off and on, and try again",
                                                 results[result]);
}

/* One look at line and keyboard. Sets *called. */
static int look(struct session *session, bool *called)
{
    const bool left = session->at < session->count;
    struct pollfd wanted[] = {{.fd = session->line, .events = POLLIN},
                              {.fd = session->keyboard, .events = POLLIN}};
    const bool any = poll(wanted, 2, left ? 0 : (int)(LOOK_SECONDS * 1e3)) > 0;
    if (!left && any && wanted[0].revents != 0) {
        fill(session, 0);
    }
    bool ended = false;
    while (!ended && session->at < session->count) {
        const uint8_t byte = session->bytes[session->at++];
        (void)fputc(byte, stdout);
        ended = is_called(&session->watch, byte);
    }
    (void)fflush(stdout);
    *called = ended;
    if (ferror(stdout)) {
        return fail(session, NULL, "what the board writes cannot be shown");
    }
    if (!session->gone && any && wanted[1].revents != 0) {
        uint8_t keys[ROOM];
        const ssize_t got = read(session->keyboard, keys, sizeof keys);
        if (got > 0) {
            session->gone = write_line(session->line, keys, (size_t)got) != 0;
        } else if (got == 0 || errno != EINTR) {
            session->keyboard = -1;
        }
    }
    if (session->gone) {
        return fail(session, NULL, "the line is gone");
    }
    return 0;
}

/* A board that starts anew calls again, and gets the image again. */
static int serve(struct session *session)
{
    const struct app_options *options = session->options;
    bool sent = false;
    double since = base_clock_seconds();
    while (!base_stop_wanted()) {
        const double waited = base_clock_seconds() - since;
        bool called;
        if (sent && options->duration >= 0 && waited >= options->duration) {
            return 0;
        }
        if (!sent && options->time_limit > 0 && waited >= options->time_limit) {
            return fail(session, "type serialboot at its prompt, or switch it off and on",
                        "the board has not called");
        }
        if (look(session, &called) != 0) {
            return -1;
        }
        if (called) {
            if (send_image(session) != 0) {
                return -1;
            }
            sent = true;
            since = base_clock_seconds();
        }
    }
    return sent ? 0 : fail(session, NULL, "stopped before the board called");
}

static int run(struct session *session)
{
    const struct app_options *options = session->options;
    if (base_file_load(&session->image, options->inputs[0], IMAGE_MAX, &base_diag_stderr) != 0) {
        return -1;
    }
    if (session->image.size == 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = options->inputs[0]},
                    NULL, "it is empty");
        return -1;
    }
    session->line = open_line(options->port);
    if (session->line < 0) {
        return -1;
    }
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){.file = options->port},
                "Ctrl-C ends", "waiting for the board; what it writes follows");
    /* Keys come as they are pressed and are not echoed; Ctrl-C works as ever. */
    struct termios before;
    bool changed = false;
    if (tcgetattr(STDIN_FILENO, &before) == 0) {
        struct termios keys = before;
        keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        keys.c_cc[VMIN] = 1;
        keys.c_cc[VTIME] = 0;
        changed = tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
    }
    const int result = serve(session);
    if (changed) {
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    }
    (void)close(session->line);
    return result;
}

int app_send(const struct app_options *options)
{
    const char *wrong = NULL;
    if (options->udp != NULL) {
        return app_board_send(options);
    }
    if (options->name || options->store) {
        wrong = "--name and --store need --udp";
    } else if (options->input_count != 1) {
        wrong = options->input_count == 0 ? "which boot image?" : "it takes one boot image";
    } else if (options->port == NULL) {
        wrong = "on which serial line?";
    } else if (options->command_line != NULL && strlen(options->command_line) >= COMMAND_LINE_MAX) {
        wrong = "the command line is too long";
    }
    if (wrong != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE,
                    "froth send boot.bin --port /dev/ttyUSB0", "%s", wrong);
        return APP_EXIT_USAGE;
    }
    struct base_stop stop;
    base_stop_begin(&stop);
    struct session session = {.options = options, .line = -1, .keyboard = STDIN_FILENO};
    const int result = run(&session);
    base_file_free(&session.image);
    base_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
