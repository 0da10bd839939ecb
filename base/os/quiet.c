#define _XOPEN_SOURCE 700 /* SA_ONSTACK */
#include "base/os/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os/file.h"
#include "base/os/thread.h"

int base_quiet_keep(void)
{
    return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int base_quiet_begin(void)
{
    (void)fflush(stderr);
    const int saved = base_quiet_keep();
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (saved >= 0 && nowhere >= 0) {
        (void)dup2(nowhere, STDERR_FILENO);
    }
    if (nowhere >= 0) {
        (void)close(nowhere);
    }
    return saved;
}

void base_quiet_end(int token)
{
    if (token >= 0) {
        (void)fflush(stderr);
        (void)dup2(token, STDERR_FILENO);
        (void)close(token);
    }
}

/* ---- what libraries print ---- */

/* The signals of a crash, and how to call them. */
static const struct {
    int number;
    const char *words;
} crashes[] = {
    {SIGABRT, "froth crashes: SIGABRT\n"}, {SIGSEGV, "froth crashes: SIGSEGV\n"},
    {SIGBUS, "froth crashes: SIGBUS\n"},   {SIGFPE, "froth crashes: SIGFPE\n"},
    {SIGILL, "froth crashes: SIGILL\n"},
};
enum { CRASHES = sizeof crashes / sizeof *crashes };

struct base_overheard {
    const struct base_diag_sink *sink;
    pthread_t thread;
    int before;  /* what standard error was */
    int from;    /* our end of the pipe; reading it never waits */
    int stop[2]; /* a pipe; a byte in it ends the thread */
    int told;
    size_t used;
    char line[160];
    size_t untold_size; /* of the last lines that were heard when enough had been told */
    char untold[1024];
    atomic_bool crashing; /* what is heard goes where it would have gone */
    atomic_bool done;     /* the thread has passed on all there was */
    struct sigaction former[CRASHES];
};

/* Whose last words a handler passes on: it knows no owner. NULL: nobody's. */
static _Atomic(struct base_overheard *) heard;

/* In a handler as well. */
static void print(int descriptor, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(descriptor, text, size);
        if (written < 0 && errno != EINTR) {
            return;
        }
        text += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
}

/* Where it would have gone. */
static void print_untold(struct base_overheard *overheard)
{
    print(overheard->before, overheard->untold, overheard->untold_size);
    print(overheard->before, overheard->line, overheard->used);
    overheard->untold_size = 0;
    overheard->used = 0;
}

static void tell(struct base_overheard *overheard)
{
    enum { MOST = 20 };
    overheard->line[overheard->used] = '\0';
    if (overheard->used > 0 && overheard->told < MOST) {
        overheard->told++;
        base_report(overheard->sink, BASE_NOTE, (struct base_place){0},
                    overheard->told == MOST ? "more of this kind is not shown" : NULL,
                    "a library says: %s", overheard->line);
    } else if (overheard->used > 0) {
        const size_t size = overheard->used + 1;
        if (overheard->untold_size + size > sizeof overheard->untold) {
            overheard->untold_size -= size;
            memmove(overheard->untold, overheard->untold + size, overheard->untold_size);
        }
        overheard->line[overheard->used] = '\n';
        memcpy(overheard->untold + overheard->untold_size, overheard->line, size);
        overheard->untold_size += size;
    }
    overheard->used = 0;
}

/* Returns what read does. */
static ssize_t hear(struct base_overheard *overheard)
{
    char bytes[512];
    const ssize_t got = read(overheard->from, bytes, sizeof bytes);
    if (got > 0 && atomic_load(&overheard->crashing)) {
        print_untold(overheard);
        print(overheard->before, bytes, (size_t)got);
        return got;
    }
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
    struct base_overheard *overheard = user;
    struct pollfd ends[2] = {{.fd = overheard->from, .events = POLLIN},
                             {.fd = overheard->stop[0], .events = POLLIN}};
    while (poll(ends, 2, -1) < 0 || (ends[1].revents == 0 && hear(overheard) != 0)) {
    }
    for (int i = 0; i < READS_OF_A_PIPE && hear(overheard) > 0; i++) {
    }
    if (atomic_load(&overheard->crashing)) {
        print_untold(overheard);
    } else {
        tell(overheard);
    }
    atomic_store(&overheard->done, true);
    return NULL;
}

static void end_thread(struct base_overheard *overheard)
{
    while (write(overheard->stop[1], "", 1) < 0 && errno == EINTR) {
    }
}

/* ---- last words ---- */

/* Gives the thread half a second to pass on what it has: it may wait for a lock that the thread
 * that crashes holds, or be that thread. What is left in the pipe goes out from here. */
static void pass_on(struct base_overheard *overheard)
{
    enum { TURNS = 50, TURN_MS = 10, READS = 4096 };
    char bytes[512];
    atomic_store(&overheard->crashing, true);
    (void)dup2(overheard->before, STDERR_FILENO);
    end_thread(overheard);
    const bool own = pthread_equal(pthread_self(), overheard->thread) != 0;
    for (int i = 0; i < TURNS && !own && !atomic_load(&overheard->done); i++) {
        (void)poll(NULL, 0, TURN_MS);
    }
    if (!atomic_load(&overheard->done)) {
        print_untold(overheard);
    }
    for (int i = 0; i < READS; i++) {
        const ssize_t got = read(overheard->from, bytes, sizeof bytes);
        if (got <= 0) {
            break;
        }
        print(overheard->before, bytes, (size_t)got);
    }
}

static void crash(int number, siginfo_t *facts, void *context)
{
    enum { OTHERS_MS = 1000 };
    (void)context;
    const int error = errno;
    struct base_overheard *overheard = atomic_exchange(&heard, NULL);
    if (overheard == NULL) {
        /* Another thread crashes too, and has not finished; its handlers are gone after that. */
        (void)poll(NULL, 0, OTHERS_MS);
        (void)signal(number, SIG_DFL);
    } else {
        pass_on(overheard);
        for (size_t i = 0; i < CRASHES; i++) {
            if (crashes[i].number == number) {
                print(overheard->before, crashes[i].words, strlen(crashes[i].words));
            }
            (void)sigaction(crashes[i].number, &overheard->former[i], NULL);
        }
    }
    /* A signal that was sent does not come again by itself, as that of an instruction does. */
    if (facts->si_code <= 0) {
        (void)raise(number);
    }
    errno = error;
}

#if BASE_SANITIZED

/* Sanitizers, which see no hidden names, call this with each part of what they print. Not all of
 * them end with a signal. */
__attribute__((visibility("default"))) void __sanitizer_on_print(const char *text);
void __sanitizer_on_print(const char *text)
{
    (void)text;
    struct base_overheard *overheard = atomic_exchange(&heard, NULL);
    if (overheard != NULL) {
        pass_on(overheard);
    }
}

#endif

static void watch_crashes(struct base_overheard *overheard)
{
    struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    (void)sigemptyset(&action.sa_mask);
    atomic_store(&heard, overheard);
    for (size_t i = 0; i < CRASHES; i++) {
        (void)sigaction(crashes[i].number, &action, &overheard->former[i]);
    }
}

static void leave_crashes(struct base_overheard *overheard)
{
    for (size_t i = 0; i < CRASHES; i++) {
        (void)sigaction(crashes[i].number, &overheard->former[i], NULL);
    }
    atomic_store(&heard, NULL);
}

/* ---- beginning and end ---- */

static void close_overheard(struct base_overheard *overheard)
{
    base_file_close(&overheard->before);
    base_file_close(&overheard->from);
    base_file_close(&overheard->stop[0]);
    base_file_close(&overheard->stop[1]);
    free(overheard);
}

static bool make_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

struct base_overheard *base_overheard_begin(const struct base_diag_sink *sink)
{
    int ends[2] = {-1, -1};
    struct base_overheard *overheard = calloc(1, sizeof *overheard);
    if (overheard == NULL) {
        return NULL;
    }
    *overheard = (struct base_overheard){
        .sink = sink, .before = base_quiet_keep(), .from = -1, .stop = {-1, -1}};
    bool begun = overheard->before >= 0 && make_pipe(overheard->stop) && make_pipe(ends);
    overheard->from = ends[0];
    if (begun) {
        /* Who prints never waits for who listens. */
        (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
        (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
        begun = pthread_create(&overheard->thread, NULL, overhear, overheard) == 0;
    }
    if (!begun) {
        base_file_close(&ends[1]);
        close_overheard(overheard);
        return NULL;
    }
    watch_crashes(overheard);
    (void)fflush(stderr);
    (void)dup2(ends[1], STDERR_FILENO);
    (void)close(ends[1]);
    return overheard;
}

void base_overheard_end(struct base_overheard *overheard)
{
    if (overheard == NULL) {
        return;
    }
    (void)fflush(stderr);
    (void)dup2(overheard->before, STDERR_FILENO);
    leave_crashes(overheard);
    end_thread(overheard);
    (void)pthread_join(overheard->thread, NULL);
    close_overheard(overheard);
}
