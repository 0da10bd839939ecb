#include "app/set/record/clip.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/thread.h"

extern char **environ;

static const double look_seconds = 0.1;

static void fail(const struct app_set_clips *clips, const char *why)
{
    base_report(clips->sink, BASE_WARNING, (struct base_place){.file = clips->video}, NULL,
                "there is no clip: %s", why);
}

/* It hears no signals of the terminal, and says nothing there. Returns an errno value. */
static int start(const struct app_set_clips *clips, pid_t *child)
{
    char program[4096];
    char from[32];
    char to[32];
    const ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0) {
        return ENOENT;
    }
    program[size] = '\0';
    (void)snprintf(from, sizeof from, "%.4f", clips->from);
    (void)snprintf(to, sizeof to, "%.4f", clips->to);
    const char *const words[] = {"nice",        "-n",        "19", program, "render",
                                 clips->set,    "--from",    from, "--to",  to,
                                 "--as-shown",  "--threads", "1",  "-o",    clips->video,
                                 "--overwrite", NULL};
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
        (void)posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
    }
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    const int error = posix_spawnp(child, words[0], &files, &attributes, command.argv, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&attributes);
    return error;
}

static void *clips_main(void *user)
{
    struct app_set_clips *clips = user;
    pid_t child = 0;
    int status = 0;
    const int error = start(clips, &child);
    pid_t ended = 0;
    while (error == 0 && ended == 0 && !atomic_load(&clips->quit)) {
        base_clock_sleep_until(base_clock_seconds() + look_seconds);
        ended = waitpid(child, &status, WNOHANG);
    }
    if (error != 0) {
        fail(clips, strerror(error));
    } else if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        base_report(clips->sink, BASE_NOTE, (struct base_place){.file = clips->video}, NULL,
                    "the clip is there");
    } else if (ended != 0) {
        fail(clips, "it could not be rendered");
    }
    atomic_store(&clips->busy, false);
    return NULL;
}

void app_set_clips_make(struct app_set_clips *clips, const char *folder, double from, double to)
{
    enum { MINUTE = 60, HOUR = 3600 };
    const unsigned long long at = (unsigned long long)to;
    if (atomic_load(&clips->busy)) {
        base_report(clips->sink, BASE_NOTE, (struct base_place){.file = clips->video}, NULL,
                    "one clip after the other: this one is being made");
        return;
    }
    app_set_clips_close(clips);
    atomic_store(&clips->quit, false);
    (void)snprintf(clips->set, sizeof clips->set, "%s", folder);
    (void)snprintf(clips->video, sizeof clips->video, "%s/clips", clips->set);
    (void)mkdir(clips->video, 0777);
    (void)snprintf(clips->video, sizeof clips->video, "%s/clips/%llu-%02llu-%02llu.mp4", clips->set,
                   at / HOUR, at / MINUTE % MINUTE, at % MINUTE);
    clips->from = from > 0 ? from : 0;
    clips->to = to;
    atomic_store(&clips->busy, true);
    clips->runs = pthread_create(&clips->thread, NULL, clips_main, clips) == 0;
    if (!clips->runs) {
        atomic_store(&clips->busy, false);
        fail(clips, "no thread");
    }
}

void app_set_clips_close(struct app_set_clips *clips)
{
    atomic_store(&clips->quit, true);
    if (clips->runs) {
        (void)pthread_join(clips->thread, NULL);
        clips->runs = false;
    }
}
