/* Decoders that froth runs in processes of their own run in this one, with all rights, so that
 * fuzzing sees their lines and sanitizers their memory. In the place of app/apart/apart.c. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "in_file.h"

enum { WRITTEN_MAX = 1 << 29, SOME = 1 << 16 };

static size_t written;

int app_apart_begin(void)
{
    return 0;
}

/* Other programs are never started. */
int app_apart_start(struct app_apart *apart, const struct app_apart_request *request)
{
    (void)request;
    apart->life = -1;
    return ESRCH;
}

const char *app_apart_error(int error)
{
    return strerror(error);
}

bool app_apart_ended(struct app_apart *apart, int milliseconds, int *code)
{
    (void)apart;
    (void)milliseconds;
    *code = 0;
    return true;
}

void app_apart_end(struct app_apart *apart)
{
    apart->life = -1;
}

bool app_apart_stopped(const atomic_bool *stop)
{
    return stop != NULL && atomic_load(stop);
}

int app_apart_open(struct app_apart_pipe *pipe, void (*prepare)(void), app_apart_work work,
                   int file, const void *data, size_t size, struct app_confine_limits limits)
{
    (void)limits;
    const int input = dup(STDIN_FILENO);
    const int output = dup(STDOUT_FILENO);
    *pipe = (struct app_apart_pipe){{-1}, fuzz_file_without_name(), NULL};
    if (dup2(file, STDIN_FILENO) < 0 || dup2(pipe->output, STDOUT_FILENO) < 0) {
        abort();
    }
    if (prepare != NULL) {
        prepare();
    }
    written = 0;
    (void)work(data, size);
    (void)dup2(input, STDIN_FILENO);
    (void)dup2(output, STDOUT_FILENO);
    (void)close(input);
    (void)close(output);
    (void)lseek(pipe->output, 0, SEEK_SET);
    return 0;
}

enum app_apart_result app_apart_read(struct app_apart_pipe *pipe, void *data, size_t size,
                                     double seconds)
{
    (void)seconds;
    while (size > 0) {
        const ssize_t got = read(pipe->output, data, size);
        if (got <= 0) {
            return APP_APART_SHORT;
        }
        data = (char *)data + got;
        size -= (size_t)got;
    }
    return APP_APART_DONE;
}

const char *app_apart_close(struct app_apart_pipe *pipe, enum app_apart_result result)
{
    if (pipe->output >= 0) {
        (void)close(pipe->output);
    }
    pipe->output = -1;
    return result == APP_APART_DONE ? NULL : "its decoder broke off";
}

/* A sound may be endless. */
bool app_apart_write(const void *data, size_t size)
{
    const char *at = data;
    written += size;
    if (written > WRITTEN_MAX) {
        return false;
    }
    while (size > 0) {
        const ssize_t got = write(STDOUT_FILENO, at, size < SOME ? size : SOME);
        if (got <= 0) {
            return false;
        }
        at += got;
        size -= (size_t)got;
    }
    return true;
}
