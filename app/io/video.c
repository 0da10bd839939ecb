#include "app/io/video.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/folder.h"
#include "app/io/video_output.h"
#include "base/span.h"

typedef struct app_video *(*open_function)(const char *output,
                                           const struct app_video_format *format,
                                           const struct base_diag_sink *sink);

static const struct {
    const char *ending;
    open_function open;
} kinds[] = {
    {".png", app_video_open_png},
    {".mp4", app_video_open_ffmpeg},
    {".mkv", app_video_open_ffmpeg},
    {".webm", app_video_open_ffmpeg},
};

static open_function find_kind(const char *output)
{
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(slash != NULL ? slash + 1 : output, '.');
    for (size_t i = 0; dot != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (base_span_equal_nocase(base_span_of(dot), base_span_of(kinds[i].ending))) {
            return kinds[i].open;
        }
    }
    return NULL;
}

struct app_video *app_video_open(const char *output, const struct app_video_format *format,
                                 const struct base_diag_sink *sink)
{
    assert(format->width > 0 && format->height > 0);
    if (strcmp(output, "-") == 0) {
        return app_video_open_y4m(output, format, sink);
    }
    const struct base_place place = {.file = output};
    if (app_is_folder(output)) {
        base_report(sink, BASE_ERROR, place, "for single pictures write FOLDER/%05d.png",
                    "is a folder");
        return NULL;
    }
    const open_function open = find_kind(output);
    if (open == NULL) {
        base_report(sink, BASE_ERROR, place, "use .mp4, .mkv, .webm, .png, or - for Y4M",
                    "the ending of the output is not known");
        return NULL;
    }
    return open(output, format, sink);
}

int app_video_frame(struct app_video *video, const uint32_t *pixels)
{
    return video->operations->frame(video, pixels);
}

int app_video_finish(struct app_video *video)
{
    return video->operations->finish(video);
}

void app_video_discard(struct app_video *video)
{
    if (video != NULL) {
        video->operations->discard(video);
    }
}

void app_video_fail(const struct app_video *video, const char *hint, const char *what)
{
    const struct base_place place = {.file = video->output};
    base_report(&video->sink, BASE_ERROR, place, hint, "%s%s",
                video->output == NULL ? "standard output: " : "", what);
}

void app_video_fail_system(const struct app_video *video, const char *what, int reason)
{
    char text[160];
    (void)snprintf(text, sizeof text, "%s: %s", what, strerror(reason));
    app_video_fail(video, NULL, text);
}

int app_video_make_folder(struct app_video *video)
{
    const char *slash = strrchr(video->output, '/');
    if (slash == NULL || slash == video->output) {
        return 0;
    }
    char *folder = strdup(video->output);
    if (folder == NULL) {
        app_video_fail(video, NULL, "not enough memory");
        return -1;
    }
    folder[slash - video->output] = '\0';
    if (mkdir(folder, 0777) == 0) {
        video->folder = folder;
        return 0;
    }
    const int reason = errno;
    free(folder);
    if (reason != EEXIST) {
        app_video_fail_system(video, "cannot make the folder", reason);
    }
    return reason == EEXIST ? 0 : -1;
}

void app_video_leave_folder(struct app_video *video)
{
    if (video->folder != NULL) {
        (void)rmdir(video->folder); /* refused if something is in it */
    }
    free(video->folder);
    video->folder = NULL;
}

int app_video_claim(const struct app_video *video, const char *name, const char *part)
{
    struct stat status;
    FILE *file = NULL;
    errno = 0;
    if (stat(name, &status) == 0 || errno != ENAMETOOLONG) {
        file = fopen(part, "wb");
    }
    if (file != NULL && fclose(file) == 0) {
        return 0;
    }
    app_video_fail_system(video, "cannot write", errno);
    return -1;
}

void app_video_part_name(char *part, size_t size, const char *output, const char *ending)
{
    char tail[APP_VIDEO_PART_EXTRA - sizeof "froth"];
    (void)snprintf(tail, sizeof tail, ".%ld%s", (long)getpid(), ending);
    const char *slash = strrchr(output, '/');
    const char *name = slash != NULL ? slash + 1 : output;
    const bool fits = strlen(name) + strlen(tail) <= NAME_MAX;
    (void)snprintf(part, size, "%.*s%s%s", (int)(name - output), output, fits ? name : "froth",
                   tail);
}

char *app_video_part(const char *output, const char *ending)
{
    const size_t size = strlen(output) + APP_VIDEO_PART_EXTRA;
    char *part = malloc(size);
    if (part != NULL) {
        app_video_part_name(part, size, output, ending);
    }
    return part;
}
