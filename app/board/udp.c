#define _DEFAULT_SOURCE /* getaddrinfo */

#include "app/board/udp.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/io/progress.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "board/net/transfer.h"

enum {
    HOST = 256,
    ASK_EACH = 250, /* milliseconds between two questions */
    ASKS = 20,
};

static const struct base_place NOWHERE = {0};

struct session {
    const struct app_options *options;
    int socket;
    char name[BOARD_TRANSFER_NAME]; /* of what plays, when it is known */
    bool told;
};

static int fail(const struct session *session, const char *hint, const char *what)
{
    base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = session->options->udp},
                hint, "%s", what);
    return -1;
}

/* A socket to ADDRESS or ADDRESS:PORT; -1 with a message. */
static int open_socket(const struct session *session)
{
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
    const char *text = session->options->udp;
    const char *colon = strrchr(text, ':');
    const size_t size = colon != NULL ? (size_t)(colon - text) : strlen(text);
    char host[HOST];
    char port[16];
    struct addrinfo *found = NULL;
    if (size == 0 || size >= sizeof host) {
        return fail(session, "write it like 192.168.0.42 or 192.168.0.42:4444",
                    "that is no address");
    }
    memcpy(host, text, size);
    host[size] = '\0';
    (void)snprintf(port, sizeof port, "%d", BOARD_OSC_PORT);
    const int problem = getaddrinfo(host, colon != NULL ? colon + 1 : port, &wanted, &found);
    if (problem != 0) {
        return fail(session, "write it like 192.168.0.42 or 192.168.0.42:4444",
                    gai_strerror(problem));
    }
    const int line = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (line < 0 || connect(line, found->ai_addr, found->ai_addrlen) != 0) {
        const char *what = strerror(errno);
        freeaddrinfo(found);
        if (line >= 0) {
            (void)close(line);
        }
        return fail(session, NULL, what);
    }
    freeaddrinfo(found);
    return line;
}

static uint64_t now(void)
{
    return (uint64_t)(base_clock_seconds() * 1e3);
}

/* The next datagram within so many milliseconds; 0: none. */
static size_t wait_for(const struct session *session, uint64_t milliseconds,
                       uint8_t bytes[BOARD_OSC_PACKET])
{
    struct pollfd wanted = {.fd = session->socket, .events = POLLIN};
    if (poll(&wanted, 1, (int)milliseconds) <= 0) {
        return 0;
    }
    const ssize_t got = recv(session->socket, bytes, BOARD_OSC_PACKET, MSG_DONTWAIT);
    return got > 0 ? (size_t)got : 0;
}

/* What cannot be sent now is sent again, as what is lost on the way. */
static void put(const struct session *session, const uint8_t *bytes, size_t size)
{
    const ssize_t sent = send(session->socket, bytes, size, 0);
    (void)sent;
}

/* ---- what plays ---- */

static void hear_name(void *user, const struct board_osc_message *message)
{
    struct session *session = user;
    if (strcmp(message->address, "/is/patch") == 0 && message->count == 1 &&
        message->values[0].type == 's') {
        (void)snprintf(session->name, sizeof session->name, "%s",
                       (const char *)message->values[0].bytes);
        session->told = true;
    }
}

static int ask_name(struct session *session)
{
    uint8_t bytes[BOARD_OSC_PACKET];
    for (unsigned i = 0; i < ASKS && !session->told && !base_stop_wanted(); i++) {
        put(session, bytes, board_osc_write(bytes, sizeof bytes, "/get/patch", NULL, 0));
        const uint64_t until = now() + ASK_EACH;
        for (uint64_t at = now(); !session->told && at < until; at = now()) {
            const size_t size = wait_for(session, until - at, bytes);
            (void)board_osc_read(bytes, size, hear_name, session);
        }
    }
    if (!session->told) {
        return fail(session, "is it on, and on this network?", "the board does not answer");
    }
    base_plain(stdout, session->name);
    (void)fputc('\n', stdout);
    return 0;
}

/* ---- a patch ---- */

static void print_lines(const char *text)
{
    while (*text != '\0') {
        const size_t size = strcspn(text, "\n");
        char line[BOARD_TRANSFER_TEXT];
        memcpy(line, text, size);
        line[size] = '\0';
        base_plain(stderr, line);
        (void)fputc('\n', stderr);
        text += size + (text[size] == '\n');
    }
}

static int conclude(const struct session *session, const struct board_sender *sender)
{
    if (sender->state != BOARD_SENDER_DONE) {
        return base_stop_wanted()
                   ? fail(session, NULL, "stopped; the board forgets what it has got")
                   : fail(session, "is it on, and on this network?", "the board does not answer");
    }
    if (sender->result == BOARD_TRANSFER_REFUSED) {
        return fail(session, NULL, sender->text);
    }
    print_lines(sender->text);
    if (sender->result == BOARD_TRANSFER_BAD) {
        return -1;
    }
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){.file = session->options->udp},
                NULL, "%s is shown%s; sent again: %" PRIu64, sender->name,
                (sender->flags & BOARD_TRANSFER_STORE) != 0 ? " and stored" : "", sender->again);
    return 0;
}

static int send_patch(const struct session *session, const struct base_file *file)
{
    const char *path = session->options->inputs[0];
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    struct board_sender sender;
    struct app_progress progress;
    uint8_t bytes[BOARD_OSC_PACKET];
    if (strlen(name) >= BOARD_TRANSFER_NAME) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "its name has more than %d bytes", BOARD_TRANSFER_NAME - 1);
        return -1;
    }
    const int32_t id = (int32_t)((uint32_t)now() ^ (uint32_t)getpid() << 16);
    board_sender_begin(&sender, name, (const uint8_t *)file->data, file->size,
                       session->options->store ? BOARD_TRANSFER_STORE : 0, id);
    app_progress_begin(&progress, stderr, "bytes", file->size);
    uint64_t sent = 0;
    while (sender.state == BOARD_SENDER_RUNS && !base_stop_wanted()) {
        const size_t size = board_sender_packet(&sender, now(), bytes);
        if (size > 0) {
            put(session, bytes, size);
        }
        const uint64_t at = now();
        const size_t got = wait_for(session, sender.due > at ? sender.due - at : 0, bytes);
        board_sender_hear(&sender, now(), bytes, got);
        const uint64_t done = sender.next > 0 ? (uint64_t)sender.next * BOARD_TRANSFER_BLOCK : 0;
        sent = done < file->size ? done : file->size;
        app_progress_step(&progress, sent);
    }
    app_progress_end(&progress, sent, sender.state == BOARD_SENDER_DONE);
    return conclude(session, &sender);
}

static bool is_patch(const char *path)
{
    static const char *const endings[] = {".milk", ".fnp"};
    const size_t size = strlen(path);
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        is = is || (size > length && strcasecmp(path + size - length, endings[i]) == 0);
    }
    return is;
}

int app_board_send(const struct app_options *options)
{
    const char *wrong = NULL;
    if (options->port != NULL || options->command_line != NULL) {
        wrong = "--port and --command-line do not go with --udp";
    } else if (options->name && (options->input_count > 0 || options->store)) {
        wrong = "--name asks, and sends nothing";
    } else if (!options->name && options->input_count != 1) {
        wrong = options->input_count == 0 ? "which patch?" : "it takes one patch";
    } else if (!options->name && !is_patch(options->inputs[0])) {
        wrong = "a patch is a file .milk or .fnp";
    }
    if (wrong != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE,
                    "froth send patch.milk --udp 192.168.0.42", "%s", wrong);
        return APP_EXIT_USAGE;
    }
    struct base_stop stop;
    struct base_file file = {0};
    struct session session = {.options = options};
    int result = -1;
    base_stop_begin(&stop);
    session.socket = open_socket(&session);
    if (session.socket >= 0 && options->name) {
        result = ask_name(&session);
    } else if (session.socket >= 0 && base_file_load(&file, options->inputs[0], BOARD_TRANSFER_MAX,
                                                     &base_diag_stderr) == 0) {
        result =
            file.size > 0 ? send_patch(&session, &file) : fail(&session, NULL, "the file is empty");
    }
    if (session.socket >= 0) {
        (void)close(session.socket);
    }
    base_file_free(&file);
    base_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
