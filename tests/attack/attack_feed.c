/* Inputs go to processes of their own, one after the other; a process that dies costs its input. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attack.h"

enum { LEAKS = 23, JOBS_MAX = 64, PATH = 4096 };

/* Of the address sanitizer, where it is. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=1:leak_check_at_exit=0:allocator_may_return_null=1:"
           "max_allocation_size_mb=1024:handle_abort=1";
}

static double clock_of(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- messages ---- */

/* What is told while an input is read. */
static struct attack_result *heard;

/* Linked in the place of base_report: messages come to the reader's own sink as ever. */
void __wrap_base_report(const struct base_diag_sink *sink, enum base_severity severity,
                        struct base_place place, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void __wrap_base_report(const struct base_diag_sink *sink, enum base_severity severity,
                        struct base_place place, const char *hint, const char *format, ...)
{
    struct base_diag diag = {.severity = severity, .place = place};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(diag.what, sizeof diag.what, format, arguments);
    va_end(arguments);
    if (hint != NULL) {
        (void)snprintf(diag.hint, sizeof diag.hint, "%s", hint);
    }
    if (heard != NULL && severity >= BASE_WARNING && severity > heard->severity) {
        heard->severity = severity;
        (void)snprintf(heard->message, sizeof heard->message, "%s", diag.what);
    }
    if (sink != NULL && sink->receive != NULL) {
        sink->receive(sink->user, &diag);
    }
}

/* ---- one input ---- */

/* Mebibytes that the process holds, or held at most since most_again; 0 where nothing tells. */
static float held(const char *what)
{
    char line[256];
    float found = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, what, strlen(what)) == 0) {
            found = strtof(line + strlen(what), NULL) / 1024;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

static void most_again(void)
{
    const int file = open("/proc/self/clear_refs", O_WRONLY);
    if (file >= 0) {
        (void)!write(file, "5", 1);
        (void)close(file);
    }
}

/* Memory that was given back before is not counted. */
static void feed(const struct attack_reader *reader, const struct attack_bytes *input,
                 struct attack_result *result)
{
    static const uint8_t nothing[1];
    (void)reader->feed(nothing, 0);
    (void)malloc_trim(0);
    uint8_t *exact = malloc(input->size > 0 ? input->size : 1);
    if (exact == NULL) {
        return;
    }
    if (input->size > 0) {
        memcpy(exact, input->data, input->size);
    }
    most_again();
    const float before = held("VmRSS:");
    const double begun = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    heard = result;
    (void)reader->feed(exact, input->size);
    heard = NULL;
    result->milliseconds = (float)(1000 * (clock_of(CLOCK_PROCESS_CPUTIME_ID) - begun));
    result->mebibytes = held("VmHWM:") - before;
    result->end = ATTACK_FED;
    free(exact);
}

/* ---- processes ---- */

struct job {
    size_t at;    /* what it reads */
    double since; /* on the clock; 0: it has read all */
    double spent; /* of the processor by then */
};

struct shared {
    struct job jobs[JOBS_MAX];
};

static _Noreturn void work(const struct attack_plan *plan, struct job *job, size_t from,
                           struct attack_result *results, const char *log)
{
    const int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) {
        (void)dup2(file, STDOUT_FILENO);
        (void)dup2(file, STDERR_FILENO);
        (void)close(file);
    }
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 17);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (size_t number = from; number < plan->count; number += plan->jobs) {
        struct attack_bytes input = {0};
        job->at = number;
        job->spent = clock_of(CLOCK_PROCESS_CPUTIME_ID);
        job->since = clock_of(CLOCK_MONOTONIC);
        const struct attack_reader *reader = plan->make(plan->user, number, &input);
        if (reader != NULL) {
            feed(reader, &input, &results[number]);
        }
        attack_bytes_free(&input);
    }
    job->since = 0;
    const bool leaks =
        __lsan_do_recoverable_leak_check != NULL && __lsan_do_recoverable_leak_check() != 0;
    (void)fflush(NULL);
    _exit(leaks ? LEAKS : 0);
}

static pid_t start(const struct attack_plan *plan, struct job *job, size_t from,
                   struct attack_result *results, const char *log)
{
    job->at = from;
    job->spent = 0;
    job->since = clock_of(CLOCK_MONOTONIC);
    (void)fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        work(plan, job, from, results, log);
    }
    return process;
}

static void *shared_memory(size_t size)
{
    char name[] = "/tmp/froth_attack_XXXXXX";
    const int file = mkstemp(name);
    void *memory = MAP_FAILED;
    if (file >= 0 && unlink(name) == 0 && ftruncate(file, (off_t)size) == 0) {
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) {
        (void)close(file);
    }
    return memory != MAP_FAILED ? memory : NULL;
}

/* On a busy machine much time may pass in which a process does little. */
static bool hangs(const struct attack_plan *plan, const struct job *job, pid_t process)
{
    enum { WAITS = 10 }; /* times as long may one wait that computes nothing */
    clockid_t clock;
    const double waited = clock_of(CLOCK_MONOTONIC) - job->since;
    const double computed =
        clock_getcpuclockid(process, &clock) == 0 ? clock_of(clock) - job->spent : waited;
    return computed > plan->patience || waited > WAITS * plan->patience;
}

/* Waits for one process; starts it anew behind the input of which it died. False: it has ended. */
static bool look_after(const struct attack_plan *plan, size_t which, struct job *job,
                       pid_t *process, struct attack_result *results, size_t *leaks)
{
    char log[PATH];
    int status = 0;
    (void)snprintf(log, sizeof log, "%s/process-%zu.log", plan->folder, which);
    const pid_t ended = waitpid(*process, &status, WNOHANG);
    bool hung = false;
    if (ended == 0) {
        hung = job->since > 0 && hangs(plan, job, *process);
        if (!hung) {
            return true;
        }
        (void)kill(*process, SIGKILL);
        (void)waitpid(*process, &status, 0);
    }
    if (job->since <= 0) { /* all is read */
        *leaks += WIFEXITED(status) && WEXITSTATUS(status) == LEAKS;
        if (plan->found != NULL && WIFEXITED(status) && WEXITSTATUS(status) == LEAKS) {
            plan->found(plan->user, plan->count, &(struct attack_result){0}, log);
        }
        return false;
    }
    struct attack_result *result = &results[job->at];
    result->end = hung ? ATTACK_HUNG : ATTACK_CRASHED;
    result->signal = !hung && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (plan->found != NULL) {
        plan->found(plan->user, job->at, result, log);
    }
    const size_t next = job->at + plan->jobs;
    *process = next < plan->count ? start(plan, job, next, results, log) : -1;
    return *process > 0;
}

struct attack_result *attack_run(const struct attack_plan *plan, size_t *leaks)
{
    char log[PATH];
    pid_t processes[JOBS_MAX] = {0};
    struct shared *shared = shared_memory(sizeof *shared);
    struct attack_result *results = shared_memory((plan->count + 1) * sizeof *results);
    *leaks = 0;
    if (shared == NULL || results == NULL || plan->jobs > JOBS_MAX) {
        return NULL;
    }
    size_t left = 0;
    for (size_t i = 0; i < plan->jobs && i < plan->count; i++) {
        (void)snprintf(log, sizeof log, "%s/process-%zu.log", plan->folder, i);
        processes[i] = start(plan, &shared->jobs[i], i, results, log);
        left += processes[i] > 0;
    }
    while (left > 0) {
        for (size_t i = 0; i < plan->jobs; i++) {
            if (processes[i] > 0 &&
                !look_after(plan, i, &shared->jobs[i], &processes[i], results, leaks)) {
                processes[i] = 0;
                left--;
            }
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
    }
    for (size_t i = 0; i < plan->jobs; i++) {
        (void)snprintf(log, sizeof log, "%s/process-%zu.log", plan->folder, i);
        (void)unlink(log);
    }
    (void)munmap(shared, sizeof *shared);
    return results;
}

void attack_results_free(struct attack_result *results, size_t count)
{
    if (results != NULL) {
        (void)munmap(results, (count + 1) * sizeof *results);
    }
}
