#define _DEFAULT_SOURCE /* wait4 */
/* A task of a job: a piece of the film, by froth render in a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/farm/farm.h"
#include "app/render/piece.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"

enum { TRIES = 3, LINE = 400 };

static const double look_seconds = 0.05;

/* A try of a task. */
struct attempt {
    const struct app_farm_job *job;
    uint64_t task;
    unsigned number;
    char piece[APP_FARM_PATH];
    char mark[APP_FARM_PATH];
    char log[APP_FARM_PATH];
    char figures[APP_FARM_PATH];
    char lock[APP_FARM_PATH];
    char host[256];
    int status; /* of the process */
    double seconds;
    struct rusage usage;
};

static int fail(const char *file, const char *what, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, NULL, "%s", what);
    return -1;
}

/* ---- the process ---- */

static void redirect(const char *path, int flags, int to)
{
    const int file = open(path, flags, 0666);
    if (file < 0 || dup2(file, to) < 0) {
        _exit(126);
    }
}

/* It ends with us, however we end. */
static void become(const char *const *words, const char *log, pid_t parent)
{
    union {
        const char *const *words;
        char *const *argv;
    } command = {words};
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(125);
    }
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
    redirect(log, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    (void)execv(words[0], command.argv);
    _exit(127);
}

static pid_t start(const struct attempt *attempt)
{
    enum { MORE = 16 };
    const struct app_farm_job *job = attempt->job;
    char program[APP_FARM_PATH];
    char threads[32];
    char segment[64];
    const char **words = calloc(job->words.count + MORE, sizeof *words);
    if (words == NULL || !base_program(program, sizeof program)) {
        free(words);
        return -1;
    }
    size_t count = 0;
    words[count++] = program;
    words[count++] = "render";
    (void)snprintf(threads, sizeof threads, "--threads=%" PRIu64, job->threads);
    (void)snprintf(segment, sizeof segment, "--segment=%" PRIu64 "/%" PRIu64, attempt->task,
                   job->tasks);
    words[count++] = threads;
    words[count++] = segment;
    words[count++] = "--overwrite";
    words[count++] = "-o";
    words[count++] = attempt->piece;
    for (size_t i = 0; i < job->words.count; i++) {
        words[count++] = job->words.items[i];
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        become(words, attempt->log, parent);
    }
    free(words);
    return child;
}

/* Says that the task runs, where and since when; others see by its age whether it still does. */
static void mark(const struct attempt *attempt)
{
    char text[LINE];
    const int size = snprintf(text, sizeof text, "%s %ld\n", attempt->host, (long)getpid());
    (void)base_file_cache(attempt->mark, text, (size_t)size);
}

static void wait_for(struct attempt *attempt, pid_t child)
{
    const double began = base_clock_seconds();
    double marked = began;
    bool asked = false;
    pid_t ended = 0;
    while (ended == 0) {
        base_clock_sleep_until(base_clock_seconds() + look_seconds);
        ended = wait4(child, &attempt->status, WNOHANG, &attempt->usage);
        ended = ended < 0 && errno == EINTR ? 0 : ended;
        if (base_stop_wanted() && !asked) {
            asked = true;
            (void)kill(child, SIGTERM);
        }
        if (base_clock_seconds() - marked > APP_FARM_MARKED) {
            marked = base_clock_seconds();
            mark(attempt);
        }
    }
    attempt->seconds = base_clock_seconds() - began;
}

/* ---- what became of it ---- */

/* The first error that froth render told, or else its last line. */
static void find_reason(const struct attempt *attempt, char reason[LINE])
{
    size_t size = 0;
    char *rest = NULL;
    char *text = base_file_read(attempt->log, 1 << 20, &size, NULL);
    reason[0] = '\0';
    for (char *line = text != NULL ? strtok_r(text, "\r\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\r\n", &rest)) {
        (void)snprintf(reason, LINE, "%s", line);
        if (strstr(line, " error: ") != NULL) {
            break;
        }
    }
    free(text);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* A line of figures, printed and kept. */
static void tell(const struct attempt *attempt, const struct app_piece *piece, const char *message)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return;
    }
    (void)fprintf(out, "{\"task\": %" PRIu64 ", \"tasks\": %" PRIu64 ", \"state\": \"%s\"",
                  attempt->task, attempt->job->tasks, piece != NULL ? "done" : "failed");
    if (piece != NULL) {
        (void)fprintf(out, ", \"first\": %" PRIu64 ", \"frames\": %" PRIu64 ", \"cpu\": \"%s\"",
                      piece->first, piece->count, piece->cpu);
    }
    (void)fputs(", \"seconds\": ", out);
    base_json_number(out, attempt->seconds);
    (void)fputs(", \"cpu_seconds\": ", out);
    base_json_number(out,
                     seconds_of(attempt->usage.ru_utime) + seconds_of(attempt->usage.ru_stime));
    (void)fprintf(out,
                  ", \"memory_mib\": %ld, \"try\": %u, \"host\": ", attempt->usage.ru_maxrss / 1024,
                  attempt->number);
    base_json_string(out, attempt->host);
    (void)fputs(", \"message\": ", out);
    base_json_string(out, message);
    (void)fputs("}\n", out);
    if (fclose(out) == 0) {
        (void)base_file_write(attempt->figures, text, size, BASE_FILE_OVER);
        (void)fputs(text, stdout);
        (void)fflush(stdout);
    }
    free(text);
}

/* 0: the piece is there and nothing went wrong. 1: it is there. -1: it is not. */
static int try_once(struct attempt *attempt)
{
    struct app_piece piece = {.count = 0};
    char message[LINE] = "";
    mark(attempt);
    const pid_t child = start(attempt);
    if (child > 0) {
        wait_for(attempt, child);
    } else {
        attempt->status = -1;
    }
    const bool good = child > 0 && WIFEXITED(attempt->status) && WEXITSTATUS(attempt->status) == 0;
    if (!good) {
        find_reason(attempt, message);
    }
    if (child > 0 && WIFSIGNALED(attempt->status)) {
        (void)snprintf(message, sizeof message, "froth render was ended by signal %d",
                       WTERMSIG(attempt->status));
    }
    const bool whole = app_piece_read(&piece, attempt->piece, NULL) == 0;
    tell(attempt, whole ? &piece : NULL, message);
    app_piece_free(&piece);
    (void)unlink(attempt->mark);
    return !whole ? -1 : good ? 0 : 1;
}

/* Nobody else makes this piece until it is closed: whoever handed the task out may have been ended,
 * and hand it out again while it runs. Waits. -1: where there can be no lock. */
static int hold(const char *path)
{
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
           !base_stop_wanted()) {
        base_clock_sleep_until(base_clock_seconds() + look_seconds);
    }
    return file;
}

static int make(struct attempt *attempt, const struct base_diag_sink *sink)
{
    if (gethostname(attempt->host, sizeof attempt->host - 1) != 0) {
        (void)snprintf(attempt->host, sizeof attempt->host, "?");
    }
    int result = -1;
    while (result < 0 && attempt->number < TRIES && !base_stop_wanted()) {
        attempt->number++;
        result = try_once(attempt);
    }
    if (result != 0) {
        return fail(attempt->log,
                    base_stop_wanted() ? "stopped"
                    : result > 0       ? "the piece is there, but not all went well"
                                       : "the piece could not be made",
                    sink);
    }
    return 0;
}

int app_farm_task(const struct app_farm_job *job, uint64_t task, const struct base_diag_sink *sink)
{
    struct attempt attempt = {.job = job, .task = task};
    struct app_piece piece = {.count = 0};
    if (!app_farm_path(job, "pieces", task, ".ts", attempt.piece) ||
        !app_farm_path(job, "tasks", task, ".run", attempt.mark) ||
        !app_farm_path(job, "tasks", task, ".log", attempt.log) ||
        !app_farm_path(job, "tasks", task, ".json", attempt.figures) ||
        !app_farm_path(job, "tasks", task, ".lock", attempt.lock)) {
        return fail(job->folder, "the path is too long", sink);
    }
    struct base_stop stop;
    base_stop_begin(&stop);
    const int lock = hold(attempt.lock);
    const bool done = app_piece_read(&piece, attempt.piece, NULL) == 0;
    app_piece_free(&piece);
    const int result = done ? 0 : make(&attempt, sink);
    if (lock >= 0) {
        (void)close(lock);
    }
    base_stop_end(&stop);
    return result;
}
