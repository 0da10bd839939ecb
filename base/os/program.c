#define _GNU_SOURCE /* dladdr */
#include "base/os/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/file.h"

extern char **environ;

int base_program_start(const char *const *words, int out, bool behind, pid_t *child)
{
    union {
        const char *const *words;
        char *const *argv;
    } command = {words};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&attributes);
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++) {
        if (descriptor == STDOUT_FILENO && out >= 0) {
            (void)posix_spawn_file_actions_adddup2(&files, out, descriptor);
        } else {
            (void)posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
        }
    }
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(
        &attributes, (short)(POSIX_SPAWN_SETSIGMASK | (behind ? POSIX_SPAWN_SETPGROUP : 0)));
    const int error = posix_spawnp(child, words[0], &files, &attributes, command.argv, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&attributes);
    return error;
}

int base_program_wait(pid_t child)
{
    int status = 0;
    pid_t ended;
    do {
        ended = waitpid(child, &status, 0);
    } while (ended < 0 && errno == EINTR);
    return ended == child ? status : -1;
}

bool base_code_path(char *path, size_t size)
{
    static const char here = 0;
    Dl_info info;
    /* Of a program the name is what it was called by. */
    if (dladdr(&here, &info) == 0 || info.dli_fname == NULL ||
        strstr(info.dli_fname, ".so") == NULL) {
        return base_program(path, size);
    }
    const int length = snprintf(path, size, "%s", info.dli_fname);
    return length > 0 && (size_t)length < size;
}
