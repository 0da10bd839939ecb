#include "app/io/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/stop.h"

enum {
    LINES_SHOWN = 6,
    STOP_PAUSE = 200, /* milliseconds until the next look whether to stop */
    END_PAUSE = 10,   /* the same for a program that has closed its messages, so is about to end */
};

extern char **environ;

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

static int spawn(pid_t *id, const char *const *words, int input, int messages)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t restored;
    (void)sigemptyset(&restored);
    (void)sigaddset(&restored, SIGPIPE);
    (void)posix_spawnattr_setsigdefault(&attributes, &restored);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    error =
        error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    error = error != 0 ? error
                       : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                                          O_WRONLY, 0);
    /* The words are not changed; the type of the parameter is older than const. */
    error = error != 0
                ? error
                : posix_spawnp(id, words[0], &actions, &attributes, (char *const *)words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

int app_process_start(struct app_process *process, const char *const *words)
{
    *process = (struct app_process){.id = -1, .input = -1, .messages = -1};
    int input[2] = {-1, -1};
    int messages[2] = {-1, -1};
    int error = make_pipe(input);
    error = error != 0 ? error : make_pipe(messages);
    pid_t id = -1;
    error = error != 0 ? error : spawn(&id, words, input[0], messages[1]);
    close_end(&input[0]);
    close_end(&messages[1]);
    if (error != 0) {
        close_end(&input[1]);
        close_end(&messages[0]);
        return error;
    }
    (void)fcntl(input[1], F_SETFL, O_NONBLOCK);
    process->id = id;
    process->input = input[1];
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

/* Waits until the program takes data, reading its messages meanwhile, so that neither side ever
 * waits for the other in vain. */
static bool wait_for_room(struct app_process *process)
{
    while (!base_stop_wanted()) {
        struct pollfd ends[2] = {{.fd = process->input, .events = POLLOUT},
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
        } else if (errno == EAGAIN ? !wait_for_room(process) : errno != EINTR) {
            return -1;
        }
    }
    return 0;
}

/* Returns true if there was something to read, or the end of it, within the time. */
static bool await_messages(struct app_process *process, int milliseconds)
{
    struct pollfd end = {.fd = process->messages, .events = POLLIN};
    if (poll(&end, 1, milliseconds) <= 0) {
        return false;
    }
    read_messages(process);
    return true;
}

/* It leads a process group of its own. */
static void kill_group(const struct app_process *process)
{
    (void)kill(-process->id, SIGKILL);
}

int app_process_finish(struct app_process *process)
{
    int status = 0;
    pid_t ended = 0;
    close_end(&process->input);
    while ((ended = waitpid(process->id, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (base_stop_wanted()) {
            kill_group(process);
        }
        (void)await_messages(process, process->messages >= 0 ? STOP_PAUSE : END_PAUSE);
    }
    while (process->messages >= 0 && await_messages(process, 0)) {
    }
    close_end(&process->messages);
    process->id = -1;
    if (ended < 0) {
        return 255;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void app_process_kill(struct app_process *process)
{
    close_end(&process->input);
    close_end(&process->messages);
    if (process->id > 0) {
        kill_group(process);
        while (waitpid(process->id, NULL, 0) < 0 && errno == EINTR) {
        }
        process->id = -1;
    }
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

static void report_line(const char *text, size_t size, const struct base_diag_sink *sink,
                        struct base_place place)
{
    char line[200];
    size = size < sizeof line - 1 ? size : sizeof line - 1;
    for (size_t i = 0; i < size; i++) {
        line[i] = (unsigned char)text[i] < ' ' || text[i] == 127 ? ' ' : text[i];
    }
    line[size] = '\0';
    if (size > 0) {
        base_report(sink, BASE_NOTE, place, NULL, "%s", line);
    }
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
        report_line(text, size, sink, place);
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
