/* A boot image to a board over its serial line, and the board's console afterwards. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/board/serial.h"
#include "app/io/progress.h"
#include "app/options/options.h"
#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/os/stop.h"
#include "base/os/logger.h"

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
    struct app_serial_boot_watch watch;
    uint8_t bytes[ROOM]; /* that have come from the board */
    size_t count;
    size_t at;
    bool gone; /* the line */
    uint64_t sent;
    struct app_progress progress;
};

static int fail(const struct session *session, const char *hint, const char *what)
{
    base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = session->options->port},
                hint, "%s", what);
    return -1;
}

/* ---- the line, for the protocol ---- */

static void fill(struct session *session, double seconds)
{
    const long got = app_serial_read(session->line, session->bytes, ROOM, seconds);
    session->gone = session->gone || got < 0;
    session->count = got > 0 ? (size_t)got : 0;
    session->at = 0;
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
    return session->gone ? -1 : app_serial_write(session->line, bytes, count);
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

static int send_image(struct session *session)
{
    const char *command_line = session->options->command_line;
    const uint64_t extra = command_line != NULL ? strlen(command_line) + 1 : 0;
    const struct app_serial_boot_line line = {.user = session,
                                              .read = read_byte,
                                              .write = write_bytes,
                                              .sent = note_sent,
                                              .stop = wants_stop};
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
                                                 app_serial_boot_text(result));
}

/* ---- the console ---- */

static int pass_keys(struct session *session)
{
    uint8_t keys[ROOM];
    const ssize_t got = read(session->keyboard, keys, sizeof keys);
    if (got <= 0) {
        session->keyboard = got < 0 && errno == EINTR ? session->keyboard : -1;
        return 0;
    }
    return app_serial_write(session->line, keys, (size_t)got);
}

/* One look at line and keyboard. Sets *called. */
static int look(struct session *session, bool *called)
{
    const bool left = session->at < session->count;
    const struct app_serial_ready ready =
        app_serial_wait(session->line, session->keyboard, left ? 0 : LOOK_SECONDS);
    if (!left && ready.line) {
        fill(session, 0);
    }
    bool ended = false;
    while (!ended && session->at < session->count) {
        const uint8_t byte = session->bytes[session->at++];
        (void)fputc(byte, stdout);
        ended = app_serial_boot_called(&session->watch, byte);
    }
    (void)fflush(stdout);
    *called = ended;
    if (ferror(stdout)) {
        return fail(session, NULL, "what the board writes cannot be shown");
    }
    if (session->gone || (ready.keyboard && pass_keys(session) != 0)) {
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
    session->line = app_serial_open(options->port, &base_diag_stderr);
    if (session->line < 0) {
        return -1;
    }
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){.file = options->port},
                "Ctrl-C ends", "waiting for the board; what it writes follows");
    struct app_serial_keyboard keyboard;
    app_serial_keyboard_begin(&keyboard);
    const int result = serve(session);
    app_serial_keyboard_end(&keyboard);
    (void)close(session->line);
    return result;
}

static const char *wrong_usage(const struct app_options *options)
{
    if (options->input_count != 1) {
        return options->input_count == 0 ? "which boot image?" : "it takes one boot image";
    }
    if (options->port == NULL) {
        return "on which serial line?";
    }
    return options->command_line != NULL && strlen(options->command_line) >= COMMAND_LINE_MAX
               ? "the command line is too long"
               : NULL;
}

int app_send(const struct app_options *options)
{
    const char *wrong = wrong_usage(options);
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
