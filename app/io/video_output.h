/* What the kinds of video output share; only for the files app/io/video*.c. */
#ifndef APP_IO_VIDEO_OUTPUT_H
#define APP_IO_VIDEO_OUTPUT_H

#include "app/io/rate.h"
#include "app/io/video.h"

struct app_video_operations {
    int (*frame)(struct app_video *video, const uint32_t *pixels);
    int (*finish)(struct app_video *video);
    void (*discard)(struct app_video *video);
};

/* The first member of each kind's own struct. */
struct app_video {
    const struct app_video_operations *operations;
    struct base_diag_sink sink;
    const char *output; /* for messages; kept by reference */
    int width;
    int height;
};

/* Each begins an output; NULL with a message if it cannot. */
struct app_video *app_video_open_y4m(const char *output, const struct app_video_format *format,
                                     const struct base_diag_sink *sink);
struct app_video *app_video_open_png(const char *output, const struct app_video_format *format,
                                     const struct base_diag_sink *sink);
struct app_video *app_video_open_ffmpeg(const char *output, const struct app_video_format *format,
                                        const struct base_diag_sink *sink);

/* Reports an error of this output; hint may be NULL. */
void app_video_fail(const struct app_video *video, const char *hint, const char *what);

/* The name under which a file is written before it is renamed: `output` with the process number and
 * `ending`. NULL without memory; the caller frees it. */
char *app_video_part(const char *output, const char *ending);

#endif
