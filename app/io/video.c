#include "app/io/video.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

struct app_video *app_video_open(const char *output, const struct app_video_format *format,
                                 const struct base_diag_sink *sink)
{
    assert(format->width > 0 && format->height > 0);
    if (strcmp(output, "-") == 0) {
        return app_video_open_y4m(output, format, sink);
    }
    const struct base_place place = {.file = output};
    if (is_folder(output)) {
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
    base_report(&video->sink, BASE_ERROR, place, hint, "%s", what);
}

char *app_video_part(const char *output, const char *ending)
{
    const size_t size = strlen(output) + strlen(ending) + 32;
    char *part = malloc(size);
    if (part != NULL) {
        (void)snprintf(part, size, "%s.%ld%s", output, (long)getpid(), ending);
    }
    return part;
}
