#define _XOPEN_SOURCE 700 /* realpath, stpcpy */
#include "app/io/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/thread.h"

enum {
    LINES_SHOWN = 6,
    STOP_PAUSE = 200,   /* milliseconds until the next look whether to stop */
    READ_PATIENCE = 60, /* seconds */
};

static void close_end(int *descriptor)
{
    if (*descriptor >= 0) {
        (void)close(*descriptor);
        *descriptor = -1;
    }
}

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
                 const int *files, size_t file_count)
{
    struct app_apart_request request = {.file_count = 3};
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
    close_end(&(int){nowhere});
    free(program);
    free(text);
    return error;
}

int app_process_start(struct app_process *process, const char *const *words,
                      enum app_process_way way, const int *files, size_t file_count)
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
        error = spawn(process, words, ends, files, file_count);
    }
    close_end(&data[fed ? 0 : 1]);
    close_end(&messages[1]);
    int *ours = &data[fed ? 1 : 0];
    if (error != 0) {
        close_end(ours);
        close_end(&messages[0]);
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
        close_end(&process->messages);
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

int app_process_finish(struct app_process *process)
{
    int code = 0;
    close_end(&process->input);
    close_end(&process->output);
    while (!app_apart_ended(&process->apart, process->messages >= 0 ? 0 : STOP_PAUSE, &code)) {
        if (app_apart_stopped(process->stop)) {
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
    close_end(&process->messages);
    return code;
}

void app_process_kill(struct app_process *process)
{
    close_end(&process->input);
    close_end(&process->output);
    close_end(&process->messages);
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

int app_quiet_keep(void)
{
    return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int app_quiet_begin(void)
{
    (void)fflush(stderr);
    const int saved = app_quiet_keep();
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (saved >= 0 && nowhere >= 0) {
        (void)dup2(nowhere, STDERR_FILENO);
    }
    if (nowhere >= 0) {
        (void)close(nowhere);
    }
    return saved;
}

void app_quiet_end(int token)
{
    if (token >= 0) {
        (void)fflush(stderr);
        (void)dup2(token, STDERR_FILENO);
        (void)close(token);
    }
}

/* ---- what libraries print ---- */

struct app_overheard {
    const struct base_diag_sink *sink;
    pthread_t thread;
    int before;  /* what standard error was */
    int from;    /* our end of the pipe; reading it never waits */
    int stop[2]; /* a pipe; a byte in it ends the thread */
    int told;
    size_t used;
    char line[160];
};

static void tell(struct app_overheard *overheard)
{
    enum { MOST = 20 };
    overheard->line[overheard->used] = '\0';
    if (overheard->used > 0 && overheard->told < MOST) {
        overheard->told++;
        base_report(overheard->sink, BASE_NOTE, (struct base_place){0},
                    overheard->told == MOST ? "more of this kind is not shown" : NULL,
                    "a library says: %s", overheard->line);
    }
    overheard->used = 0;
}

/* Returns what read does. */
static ssize_t hear(struct app_overheard *overheard)
{
    char bytes[512];
    const ssize_t got = read(overheard->from, bytes, sizeof bytes);
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            tell(overheard);
        } else if (overheard->used + 1 < sizeof overheard->line) {
            overheard->line[overheard->used++] = bytes[i] != '\0' ? bytes[i] : '?';
        }
    }
    return got;
}

/* Ends when it is told to: a program that a library has started may keep standard error open. */
static void *overhear(void *user)
{
    enum { READS_OF_A_PIPE = 128 };
    struct app_overheard *overheard = user;
    struct pollfd ends[2] = {{.fd = overheard->from, .events = POLLIN},
                             {.fd = overheard->stop[0], .events = POLLIN}};
    while (poll(ends, 2, -1) < 0 || (ends[1].revents == 0 && hear(overheard) != 0)) {
    }
    for (int i = 0; i < READS_OF_A_PIPE && hear(overheard) > 0; i++) {
    }
    tell(overheard);
    return NULL;
}

static void close_overheard(struct app_overheard *overheard)
{
    close_end(&overheard->before);
    close_end(&overheard->from);
    close_end(&overheard->stop[0]);
    close_end(&overheard->stop[1]);
    free(overheard);
}

struct app_overheard *app_overheard_begin(const struct base_diag_sink *sink)
{
    int ends[2] = {-1, -1};
    struct app_overheard *overheard = calloc(1, sizeof *overheard);
    if (overheard == NULL) {
        return NULL;
    }
    *overheard = (struct app_overheard){
        .sink = sink, .before = app_quiet_keep(), .from = -1, .stop = {-1, -1}};
    bool begun = overheard->before >= 0 && make_pipe(overheard->stop) == 0 && make_pipe(ends) == 0;
    overheard->from = ends[0];
    if (begun) {
        /* Who prints never waits for who listens. */
        (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
        (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
        begun = pthread_create(&overheard->thread, NULL, overhear, overheard) == 0;
    }
    if (!begun) {
        close_end(&ends[1]);
        close_overheard(overheard);
        return NULL;
    }
    (void)fflush(stderr);
    (void)dup2(ends[1], STDERR_FILENO);
    (void)close(ends[1]);
    return overheard;
}

void app_overheard_end(struct app_overheard *overheard)
{
    if (overheard == NULL) {
        return;
    }
    (void)fflush(stderr);
    (void)dup2(overheard->before, STDERR_FILENO);
    while (write(overheard->stop[1], "", 1) < 0 && errno == EINTR) {
    }
    (void)pthread_join(overheard->thread, NULL);
    close_overheard(overheard);
}
