#include "app/set/record/clip.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/set/record/home.h"
#include "app/set/record/trim.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "base/os/program.h"
#include "base/os/thread.h"

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
    if (!base_program(program, sizeof program)) {
        return ENOENT;
    }
    (void)snprintf(from, sizeof from, "%.4f", clips->from);
    (void)snprintf(to, sizeof to, "%.4f", clips->to);
    const char *const words[] = {"nice",       "-n",          "19",          program, "render",
                                 clips->set,   "--from",      from,          "--to",  to,
                                 "--as-shown", "--threads",   "1",           "-o",    clips->video,
                                 "--snapshot", clips->preset, "--overwrite", NULL};
    return base_program_start(words, -1, true, child);
}

/* Writes the last seconds of a past as a set; it begins with a state that there is. */
static int write_past(struct app_set_clips *clips)
{
    static const double margin = 0.3; /* seconds: what is mixed of two steps is not in a state */
    struct app_set set = {.frame_count = 0};
    struct app_options options;
    app_options_default(&options);
    options.threads = 1;
    if (!app_set_past_read(clips->past, &set)) {
        fail(clips, "nothing of the show is kept yet");
        app_set_close(&set);
        return -1;
    }
    const time_t begun = time(NULL) - (time_t)(clips->to - clips->from);
    struct tm parts;
    if (localtime_r(&begun, &parts) != NULL) {
        (void)strftime(set.events.head.begun, sizeof set.events.head.begun, "%Y-%m-%d %H:%M:%S",
                       &parts);
    }
    const uint64_t first = set.events.head.first;
    const double rate = app_set_rate(&set.events.head.config);
    const double begin =
        fmax((double)clips->last - (clips->to - clips->from) * rate, (double)first + margin * rate);
    uint64_t state = first;
    (void)set.store->find_state(&set, (uint64_t)fmax(begin - margin * rate, (double)first), &state);
    const int result = app_set_trim(&set, (double)(state - first) / rate,
                                    ((double)clips->last - (double)first) / rate, clips->set,
                                    &options, clips->sink);
    clips->from = (begin - (double)state) / rate;
    clips->to = ((double)clips->last - (double)state) / rate;
    app_set_close(&set);
    return result;
}

static void *clips_main(void *user)
{
    struct app_set_clips *clips = user;
    pid_t child = 0;
    int status = 0;
    if (clips->past != NULL && write_past(clips) != 0) {
        atomic_store(&clips->busy, false);
        return NULL;
    }
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

/* False: there is one that is being made. */
static bool is_free(struct app_set_clips *clips)
{
    if (atomic_load(&clips->busy)) {
        base_report(clips->sink, BASE_NOTE, (struct base_place){.file = clips->video}, NULL,
                    "one clip after the other: this one is being made");
        return false;
    }
    app_set_clips_close(clips);
    atomic_store(&clips->quit, false);
    return true;
}

static void begin(struct app_set_clips *clips)
{
    atomic_store(&clips->busy, true);
    clips->runs = pthread_create(&clips->thread, NULL, clips_main, clips) == 0;
    if (!clips->runs) {
        atomic_store(&clips->busy, false);
        fail(clips, "no thread");
    }
}

void app_set_clips_make(struct app_set_clips *clips, const char *folder, double from, double to)
{
    enum { MINUTE = 60, HOUR = 3600 };
    const unsigned long long at = (unsigned long long)to;
    if (!is_free(clips)) {
        return;
    }
    (void)snprintf(clips->set, sizeof clips->set, "%s", folder);
    (void)snprintf(clips->video, sizeof clips->video, "%s/clips", clips->set);
    (void)mkdir(clips->video, 0777);
    (void)snprintf(clips->preset, sizeof clips->preset, "%s/clips/%llu-%02llu-%02llu", clips->set,
                   at / HOUR, at / MINUTE % MINUTE, at % MINUTE);
    (void)snprintf(clips->video, sizeof clips->video, "%.*s.mp4", (int)sizeof clips->video - 8,
                   clips->preset);
    clips->past = NULL;
    clips->from = from > 0 ? from : 0;
    clips->to = to;
    begin(clips);
}

void app_set_clips_keep(struct app_set_clips *clips, struct app_set_past *past, uint64_t last,
                        double seconds)
{
    char home[sizeof clips->set];
    if (!is_free(clips)) {
        return;
    }
    if (!base_folder_path(BASE_FOLDER_DATA, "/clips", home, sizeof home) ||
        !app_set_name_by_time(home, clips->set, sizeof clips->set)) {
        clips->video[0] = '\0';
        fail(clips, "there is no folder for clips");
        return;
    }
    (void)snprintf(clips->preset, sizeof clips->preset, "%s/clip", clips->set);
    (void)snprintf(clips->video, sizeof clips->video, "%s/clip.mp4", clips->set);
    clips->past = past;
    clips->last = last;
    clips->from = 0;
    clips->to = seconds;
    begin(clips);
}

void app_set_clips_close(struct app_set_clips *clips)
{
    atomic_store(&clips->quit, true);
    if (clips->runs) {
        (void)pthread_join(clips->thread, NULL);
        clips->runs = false;
    }
}
