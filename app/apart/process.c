#define _XOPEN_SOURCE 700 /* realpath, stpcpy */
#include "app/apart/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/file.h"
#include "base/os/thread.h"

enum {
    LINES_SHOWN = 6,
    STOP_PAUSE = 200,   /* milliseconds until the next look whether to stop */
    READ_PATIENCE = 60, /* seconds */
};

static int make_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return errno;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* The path of a program, malloc'ed. NULL with errno. */
static char *find_program(const char *name)
{
    if (strchr(name, '/') != NULL) {
        return access(name, X_OK) == 0 ? realpath(name, NULL) : NULL;
    }
    const char *folders = getenv("PATH");
    const char *at = folders != NULL ? folders : "/usr/local/bin:/usr/bin:/bin";
    int error = ENOENT;
    while (*at != '\0') {
        char path[PATH_MAX];
        struct stat about;
        const size_t size = strcspn(at, ":");
        const int length =
            snprintf(path, sizeof path, "%.*s/%s", (int)size, size > 0 ? at : ".", name);
        at += size + (at[size] == ':');
        if (length < 0 || (size_t)length >= sizeof path || stat(path, &about) != 0 ||
            !S_ISREG(about.st_mode)) {
            continue;
        }
        if (access(path, X_OK) == 0) {
            return realpath(path, NULL);
        }
        error = errno;
    }
    errno = error;
    return NULL;
}

/* The words one after the other, each with its NUL, malloc'ed. NULL without memory. */
static char *join(const char *const *words, size_t *size)
{
    *size = 0;
    for (size_t i = 0; words[i] != NULL; i++) {
        *size += strlen(words[i]) + 1;
    }
    char *text = malloc(*size);
    char *end = text;
    for (size_t i = 0; text != NULL && words[i] != NULL; i++) {
        end = stpcpy(end, words[i]) + 1;
    }
    return text;
}

/* ends: its standard input, output and error; -1: leads nowhere. */
static int spawn(struct app_process *process, const char *const *words, const int ends[3],
                 const int *files, size_t file_count, const struct app_confine_rights *rights)
{
    struct app_apart_request request = {.file_count = 3, .rights = *rights};
    char *program = find_program(words[0]);
    int error = program == NULL ? errno : 0;
    char *text = error == 0 ? join(words, &request.size) : NULL;
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (error == 0) {
        error = text == NULL ? ENOMEM : nowhere < 0 ? errno : 0;
    }
    if (error == 0) {
        request.program = program;
        request.data = text;
        for (int i = 0; i < 3; i++) {
            request.files[i] = ends[i] >= 0 ? ends[i] : nowhere;
        }
        for (size_t i = 0; i < file_count; i++) {
            request.files[request.file_count++] = files[i];
        }
        error = app_apart_start(&process->apart, &request);
    }
    base_file_close(&(int){nowhere});
    free(program);
    free(text);
    return error;
}

int app_process_start(struct app_process *process, const char *const *words,
                      enum app_process_way way, const int *files, size_t file_count)
{
    static const struct app_confine_rights usual = {0};
    return app_process_start_with(process, words, way, files, file_count, &usual);
}

int app_process_start_with(struct app_process *process, const char *const *words,
                           enum app_process_way way, const int *files, size_t file_count,
                           const struct app_confine_rights *rights)
{
    assert(file_count <= APP_PROCESS_FILES);
    *process = APP_PROCESS_NONE;
    const bool fed = way == APP_PROCESS_FED;
    int data[2] = {-1, -1};
    int messages[2] = {-1, -1};
    int error = make_pipe(data);
    error = error != 0 ? error : make_pipe(messages);
    if (error == 0) {
        const int ends[3] = {fed ? data[0] : -1, fed ? -1 : data[1], messages[1]};
        error = spawn(process, words, ends, files, file_count, rights);
    }
    base_file_close(&data[fed ? 0 : 1]);
    base_file_close(&messages[1]);
    int *ours = &data[fed ? 1 : 0];
    if (error != 0) {
        base_file_close(ours);
        base_file_close(&messages[0]);
        return error;
    }
    (void)fcntl(*ours, F_SETFL, O_NONBLOCK);
    *(fed ? &process->input : &process->output) = *ours;
    process->messages = messages[0];
    return 0;
}

/* Reads what is there; at its end the messages are closed. */
static void read_messages(struct app_process *process)
{
    char text[APP_PROCESS_TAIL_MAX / 4];
    const ssize_t size = read(process->messages, text, sizeof text);
    if (size > 0) {
        const size_t added = (size_t)size;
        const size_t over = process->tail_size + added > sizeof process->tail
                                ? process->tail_size + added - sizeof process->tail
                                : 0;
        memmove(process->tail, process->tail + over, process->tail_size - over);
        process->tail_size -= over;
        memcpy(process->tail + process->tail_size, text, added);
        process->tail_size += added;
    } else if (size == 0 || errno != EINTR) {
        base_file_close(&process->messages);
    }
}

/* Waits until the program takes or gives data, reading its messages meanwhile, so that neither side
 * ever waits for the other in vain. */
static bool wait_for(struct app_process *process, int descriptor, short event, double seconds)
{
    const double deadline = base_clock_seconds() + seconds;
    while (!app_apart_stopped(process->stop) && base_clock_seconds() < deadline) {
        struct pollfd ends[2] = {{.fd = descriptor, .events = event},
                                 {.fd = process->messages, .events = POLLIN}};
        const int ready = poll(ends, 2, STOP_PAUSE);
        if (ready < 0 && errno != EINTR) {
            return false;
        }
        if (ready <= 0) {
            continue;
        }
        if (ends[1].revents != 0) {
            read_messages(process);
        }
        if (ends[0].revents != 0) {
            return (ends[0].revents & POLLERR) == 0;
        }
    }
    return false;
}

size_t app_process_offer(struct app_process *process, const void *data, size_t size, double seconds,
                         bool *gone)
{
    const unsigned char *bytes = data;
    const double deadline = base_clock_seconds() + seconds;
    size_t done = 0;
    *gone = process->input < 0;
    while (done < size && !*gone) {
        const ssize_t written = write(process->input, bytes + done, size - done);
        const double left = deadline - base_clock_seconds();
        if (written >= 0) {
            done += (size_t)written;
        } else if (errno == EAGAIN) {
            if (left <= 0 || app_apart_stopped(process->stop)) {
                break;
            }
            struct pollfd end = {.fd = process->input};
            (void)wait_for(process, process->input, POLLOUT, left);
            *gone = poll(&end, 1, 0) > 0 && (end.revents & POLLERR) != 0;
        } else {
            *gone = errno != EINTR;
        }
    }
    return done;
}

int app_process_write(struct app_process *process, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    while (size > 0) {
        const ssize_t written = write(process->input, bytes, size);
        if (written >= 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN ? !wait_for(process, process->input, POLLOUT, INFINITY)
                                   : errno != EINTR) {
            return -1;
        }
    }
    return 0;
}

size_t app_process_read(struct app_process *process, void *data, size_t size)
{
    unsigned char *bytes = data;
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(process->output, bytes + done, size - done);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            break;
        } else if (errno == EAGAIN && !wait_for(process, process->output, POLLIN, READ_PATIENCE)) {
            app_apart_end(&process->apart);
            break;
        }
    }
    return done;
}

size_t app_process_take(struct app_process *process, void *data, size_t size, double seconds,
                        bool *gone)
{
    ssize_t got = read(process->output, data, size);
    if (got < 0 && errno == EAGAIN && seconds > 0 &&
        wait_for(process, process->output, POLLIN, seconds)) {
        got = read(process->output, data, size);
    }
    *gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
    return got > 0 ? (size_t)got : 0;
}

int app_process_finish(struct app_process *process)
{
    return app_process_finish_within(process, INFINITY);
}

int app_process_finish_within(struct app_process *process, double seconds)
{
    const double deadline = base_clock_seconds() + seconds;
    int code = 0;
    base_file_close(&process->input);
    base_file_close(&process->output);
    while (!app_apart_ended(&process->apart, process->messages >= 0 ? 0 : STOP_PAUSE, &code)) {
        if (app_apart_stopped(process->stop) || base_clock_seconds() > deadline) {
            app_apart_end(&process->apart);
        }
        struct pollfd ends[2] = {{.fd = process->apart.life, .events = POLLIN},
                                 {.fd = process->messages, .events = POLLIN}};
        if (poll(ends, 2, STOP_PAUSE) > 0 && ends[1].revents != 0) {
            read_messages(process);
        }
    }
    /* What it wrote last is still in the pipe; what it has started may hold that open. */
    while (process->messages >= 0 &&
           poll(&(struct pollfd){.fd = process->messages, .events = POLLIN}, 1, 0) > 0) {
        read_messages(process);
    }
    base_file_close(&process->messages);
    return code;
}

void app_process_kill(struct app_process *process)
{
    base_file_close(&process->input);
    base_file_close(&process->output);
    base_file_close(&process->messages);
    app_apart_end(&process->apart);
}

bool app_process_said(const struct app_process *process, const char *text)
{
    const size_t size = strlen(text);
    for (size_t at = 0; at + size <= process->tail_size; at++) {
        if (memcmp(process->tail + at, text, size) == 0) {
            return true;
        }
    }
    return false;
}

void app_process_report(const struct app_process *process, const struct base_diag_sink *sink,
                        struct base_place place)
{
    size_t at = process->tail_size; /* goes back to where the last lines begin */
    for (size_t lines = 0; at > 0; at--) {
        if (process->tail[at - 1] == '\n' && at < process->tail_size && ++lines == LINES_SHOWN) {
            break;
        }
    }
    while (at < process->tail_size) {
        const char *text = process->tail + at;
        const char *end = memchr(text, '\n', process->tail_size - at);
        const size_t size = end != NULL ? (size_t)(end - text) : process->tail_size - at;
        char line[200];
        size_t used = 0;
        for (; used < size && used < sizeof line - 1; used++) {
            const unsigned char byte = (unsigned char)text[used];
            line[used] = byte < ' ' || byte == 127 ? ' ' : text[used];
        }
        line[used] = '\0';
        if (used > 0) {
            base_report(sink, BASE_NOTE, place, NULL, "%s", line);
        }
        at += size + 1;
    }
}
