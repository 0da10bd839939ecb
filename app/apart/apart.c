#define _GNU_SOURCE /* ppoll, close_range, SOCK_CLOEXEC */
#include "app/apart/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/file.h"
#include "base/os/thread.h"

extern char **environ;

/* The one way to the process that starts others, which belongs to the process as its signals do.
 * Each request is a message by itself, so that threads and forks share it without a lock. */
static int starter = -1;

enum {
    WORDS_MAX = 200,
    PARENT = 1,       /* the descriptor of a life is sent before those of the request */
    STOP_PAUSE = 200, /* milliseconds until the next look whether to stop */
    FIRST_UNUSED = 3, /* descriptor */
    PIPE_SIZE = 1 << 20,
};

/* What goes over the wire; both ends are the same program. */
struct message {
    app_apart_work work;
    void (*prepare)(void);
    struct app_confine_limits limits;
    struct app_confine_rights rights;
    size_t program; /* bytes of its path with the NUL, which stand before the data */
    size_t size;    /* of the data */
    char bytes[APP_APART_DATA];
};

/* Room for the descriptors beside a message, aligned as its head has to be. */
union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int) * (APP_APART_FILES + PARENT))];
};

static int exit_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the process that is started ---- */

/* Closes all from `first` on. */
static void close_others(int first)
{
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) {
        return;
    }
    const long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < (most > 0 && most < 65536 ? most : 65536);
         descriptor++) {
        (void)close(descriptor);
    }
}

/* Puts the files into their places, 0 and on, whatever numbers they have now. */
static void arrange(const int *files, int count)
{
    int high[APP_APART_FILES];
    for (int i = 0; i < count; i++) {
        high[i] = fcntl(files[i], F_DUPFD, APP_APART_FILES + FIRST_UNUSED);
    }
    for (int i = 0; i < count; i++) {
        (void)dup2(high[i], i);
    }
    for (int i = count; i < FIRST_UNUSED; i++) {
        const int nowhere = open("/dev/null", O_RDWR);
        if (nowhere >= 0 && nowhere != i) {
            (void)dup2(nowhere, i);
            (void)close(nowhere);
        }
    }
    close_others(count > FIRST_UNUSED ? count : FIRST_UNUSED);
}

_Noreturn static void run_program(const struct message *message, int count)
{
    char *words[WORDS_MAX + 1];
    /* exec does not change the words, whose type is older than const. */
    union {
        const char *text;
        char *word;
    } at = {message->bytes + message->program};
    const char *end = at.text + message->size;
    size_t used = 0;
    while (at.text < end && used < WORDS_MAX) {
        words[used++] = at.word;
        at.text += strlen(at.text) + 1;
    }
    words[used] = NULL;
    app_confine_program(message->bytes, count, &message->limits, &message->rights);
    (void)execve(message->bytes, words, environ);
    _exit(127);
}

_Noreturn static void run(const struct message *message, const int *files, int count)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    arrange(files, count);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (message->work == NULL) {
        run_program(message, count);
    }
    if (message->prepare != NULL) {
        message->prepare();
    }
    const int open_files = count > FIRST_UNUSED ? count : FIRST_UNUSED;
    app_confine_work(open_files, &message->limits);
    const int code = message->work(message->bytes, message->size);
    /* At _exit sanitizers look for leaks, for which there are no rights any more. */
    (void)syscall(SYS_exit_group, code);
    _exit(code);
}

/* ---- the process that starts others ---- */

struct child {
    pid_t id;    /* 0: free */
    bool killed; /* its client has gone, its end is near */
    int life;    /* our end: tells the client the exit code, and us that the client has gone */
};

struct nursery {
    int requests;
    struct child children[APP_APART_AT_ONCE];
    size_t running;
    sigset_t waiting_mask;
};

static void woken(int number)
{
    (void)number;
}

static void reap(struct nursery *nursery)
{
    int status;
    pid_t id;
    while ((id = waitpid(-1, &status, WNOHANG)) > 0) {
        for (size_t i = 0; i < APP_APART_AT_ONCE; i++) {
            struct child *child = &nursery->children[i];
            if (child->id == id) {
                const int code = exit_code(status);
                (void)send(child->life, &code, sizeof code, MSG_NOSIGNAL | MSG_DONTWAIT);
                (void)close(child->life);
                child->id = 0;
                nursery->running--;
            }
        }
    }
}

static void kill_child(struct child *child)
{
    child->killed = true;
    (void)kill(-child->id, SIGKILL);
    (void)kill(child->id, SIGKILL);
}

static bool is_sound(const struct message *message, ssize_t got)
{
    const size_t head = offsetof(struct message, bytes);
    return got >= (ssize_t)head && message->program <= sizeof message->bytes &&
           message->size <= sizeof message->bytes - message->program &&
           (size_t)got == head + message->program + message->size &&
           (message->work != NULL ||
            (message->program > 0 && message->size > 0 &&
             message->bytes[message->program - 1] == '\0' &&
             message->bytes[message->program + message->size - 1] == '\0'));
}

/* Takes one message with its descriptors and starts what it asks for. False: there is nobody any
 * more who could ask. */
static bool take(struct nursery *nursery)
{
    struct message message;
    int files[APP_APART_FILES + PARENT];
    union control control;
    struct iovec part = {&message, sizeof message};
    struct msghdr envelope = {.msg_iov = &part,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof control};
    const ssize_t got = recvmsg(nursery->requests, &envelope, MSG_CMSG_CLOEXEC);
    if (got <= 0) {
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    }
    const struct cmsghdr *head = CMSG_FIRSTHDR(&envelope);
    size_t count = 0;
    if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
        count = (head->cmsg_len - CMSG_LEN(0)) / sizeof *files;
        memcpy(files, CMSG_DATA(head), count * sizeof *files);
    }
    /* Short of descriptors the system hands over fewer than were sent. */
    const bool sound =
        (envelope.msg_flags & MSG_CTRUNC) == 0 && count >= PARENT && is_sound(&message, got);
    const pid_t id = sound ? fork() : -1;
    if (id == 0) {
        run(&message, files + PARENT, (int)count - PARENT);
    }
    if (id > 0) {
        (void)setpgid(id, id);
        struct child *child = nursery->children;
        while (child->id != 0) {
            child++;
        }
        *child = (struct child){id, false, files[0]};
        nursery->running++;
    }
    for (size_t i = id > 0 ? PARENT : 0; i < count; i++) {
        (void)close(files[i]);
    }
    return true;
}

_Noreturn static void serve(int requests)
{
    struct nursery nursery = {.requests = requests};
    const struct sigaction wake = {.sa_handler = woken};
    sigset_t blocked;
    (void)setpgid(0, 0);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigaction(SIGCHLD, &wake, NULL);
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &blocked, &nursery.waiting_mask);
    bool wanted = true;
    while (wanted) {
        struct pollfd ends[APP_APART_AT_ONCE + 1];
        const bool room = nursery.running < APP_APART_AT_ONCE;
        ends[0] = (struct pollfd){.fd = requests, .events = room ? POLLIN : 0};
        for (size_t i = 0; i < APP_APART_AT_ONCE; i++) {
            const struct child *child = &nursery.children[i];
            ends[i + 1] =
                (struct pollfd){.fd = child->id != 0 && !child->killed ? child->life : -1};
        }
        const int ready = ppoll(ends, APP_APART_AT_ONCE + 1, NULL, &nursery.waiting_mask);
        if (ready < 0 && errno != EINTR) {
            break;
        }
        for (size_t i = 0; ready > 0 && i < APP_APART_AT_ONCE; i++) {
            if (ends[i + 1].revents != 0) {
                kill_child(&nursery.children[i]);
            }
        }
        reap(&nursery);
        if (ready > 0 && ends[0].revents != 0) {
            wanted = (ends[0].revents & POLLIN) != 0 && take(&nursery);
        }
    }
    for (size_t i = 0; i < APP_APART_AT_ONCE; i++) {
        if (nursery.children[i].id != 0) {
            kill_child(&nursery.children[i]);
        }
    }
    _exit(0);
}

int app_apart_begin(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return errno;
    }
    const pid_t id = fork();
    if (id < 0) {
        const int error = errno;
        (void)close(ends[0]);
        (void)close(ends[1]);
        return error;
    }
    if (id == 0) {
        /* A second fork, of which nobody has to wait for the end. */
        if (fork() != 0) {
            _exit(0);
        }
        arrange(&ends[1], 1);
        (void)chdir("/"); /* no file system is kept from being unmounted */
        serve(STDIN_FILENO);
    }
    while (waitpid(id, NULL, 0) < 0 && errno == EINTR) {
    }
    (void)close(ends[1]);
    starter = ends[0];
    return 0;
}

/* ---- asking for one ---- */

static int send_message(const struct message *message, const int *files, size_t count)
{
    union control control = {0};
    /* What is sent is only read. */
    union {
        const struct message *message;
        void *bytes;
    } sent = {message};
    struct iovec part = {sent.bytes,
                         offsetof(struct message, bytes) + message->program + message->size};
    struct msghdr envelope = {.msg_iov = &part,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = CMSG_SPACE(count * sizeof *files)};
    struct cmsghdr *head = CMSG_FIRSTHDR(&envelope);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(count * sizeof *files);
    memcpy(CMSG_DATA(head), files, count * sizeof *files);
    while (sendmsg(starter, &envelope, MSG_NOSIGNAL) < 0) {
        if (errno != EINTR) {
            return errno == EPIPE || errno == ECONNRESET ? ESRCH : errno;
        }
    }
    return 0;
}

int app_apart_start(struct app_apart *apart, const struct app_apart_request *request)
{
    apart->life = -1;
    const size_t program = request->work == NULL ? strlen(request->program) + 1 : 0;
    if (program + request->size > APP_APART_DATA) {
        return E2BIG;
    }
    if (starter < 0) {
        return ESRCH;
    }
    int ends[2];
    struct message *message = calloc(1, sizeof *message);
    if (message == NULL) {
        return ENOMEM;
    }
    *message = (struct message){.work = request->work,
                                .prepare = request->prepare,
                                .limits = request->limits,
                                .rights = request->rights,
                                .program = program,
                                .size = request->size};
    if (program > 0) {
        memcpy(message->bytes, request->program, program);
    }
    if (request->size > 0) {
        memcpy(message->bytes + program, request->data, request->size);
    }
    int error = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
    if (error == 0) {
        int files[APP_APART_FILES + PARENT] = {ends[1]};
        memcpy(files + PARENT, request->files, (size_t)request->file_count * sizeof *files);
        error = send_message(message, files, (size_t)request->file_count + PARENT);
        base_file_close(&ends[1]);
        if (error == 0) {
            apart->life = ends[0];
        } else {
            base_file_close(&ends[0]);
        }
    }
    free(message);
    return error;
}

const char *app_apart_error(int error)
{
    return error == ESRCH ? "the process that starts decoders has gone" : strerror(error);
}

bool app_apart_ended(struct app_apart *apart, int milliseconds, int *code)
{
    struct pollfd end = {.fd = apart->life, .events = POLLIN};
    if (apart->life < 0 || poll(&end, 1, milliseconds) <= 0) {
        *code = 255;
        return apart->life < 0;
    }
    if (recv(apart->life, code, sizeof *code, MSG_DONTWAIT) != sizeof *code) {
        *code = 255; /* it was never started, or who started it has gone */
    }
    base_file_close(&apart->life);
    return true;
}

void app_apart_end(struct app_apart *apart)
{
    base_file_close(&apart->life);
}

/* ---- work with a pipe ---- */

bool app_apart_stopped(const atomic_bool *stop)
{
    return base_stop_insisted() || (stop != NULL && atomic_load(stop));
}

int app_apart_open(struct app_apart_pipe *pipe_to, void (*prepare)(void), app_apart_work work,
                   int file, const void *data, size_t size, struct app_confine_limits limits)
{
    int ends[2];
    *pipe_to = (struct app_apart_pipe){.apart = {-1}, .output = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return errno;
    }
    const struct app_apart_request request = {.work = work,
                                              .prepare = prepare,
                                              .data = data,
                                              .size = size,
                                              .files = {file, ends[1]},
                                              .file_count = 2,
                                              .limits = limits};
    const int error = app_apart_start(&pipe_to->apart, &request);
    base_file_close(&ends[1]);
    if (error != 0) {
        base_file_close(&ends[0]);
        return error;
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    (void)fcntl(ends[0], F_SETPIPE_SZ, PIPE_SIZE); /* as far as the system lets us */
    pipe_to->output = ends[0];
    return 0;
}

enum app_apart_result app_apart_read(struct app_apart_pipe *pipe_from, void *data, size_t size,
                                     double seconds)
{
    unsigned char *bytes = data;
    const double deadline = base_clock_seconds() + seconds;
    while (size > 0) {
        const ssize_t got = read(pipe_from->output, bytes, size);
        if (got > 0) {
            bytes += got;
            size -= (size_t)got;
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            return APP_APART_SHORT;
        }
        if (app_apart_stopped(pipe_from->stop)) {
            return APP_APART_STOPPED;
        }
        if (base_clock_seconds() > deadline) {
            return APP_APART_LATE;
        }
        (void)poll(&(struct pollfd){.fd = pipe_from->output, .events = POLLIN}, 1, STOP_PAUSE);
    }
    return APP_APART_DONE;
}

const char *app_apart_close(struct app_apart_pipe *pipe_from, enum app_apart_result result)
{
    enum { END_WAIT = 1000, KILLED = 128 };
    int code = 0;
    const char *words = result == APP_APART_LATE      ? "it takes too long to decode"
                        : result == APP_APART_STOPPED ? "stopped"
                                                      : "its decoder gave up";
    if (result == APP_APART_SHORT && app_apart_ended(&pipe_from->apart, END_WAIT, &code)) {
        words = code == KILLED + SIGXCPU   ? "it takes too long to decode"
                : code == KILLED + SIGKILL ? "its decoder was killed; the system may lack memory"
                : code > KILLED            ? "its decoder crashed"
                                           : words;
    }
    base_file_close(&pipe_from->output);
    app_apart_end(&pipe_from->apart);
    return words;
}

bool app_apart_write(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    while (size > 0) {
        const ssize_t written = write(STDOUT_FILENO, bytes, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}
