/* What the kinds of video output share; only for the files of app/video. */
#ifndef APP_VIDEO_OUTPUT_H
#define APP_VIDEO_OUTPUT_H

#include "app/io/audio.h"
#include "app/video/video.h"

struct app_video_operations {
    int (*frame)(struct app_video *video, const uint32_t *pixels);
    int (*finish)(struct app_video *video);
    void (*discard)(struct app_video *video);
    int (*lend)(struct app_video *video, const uint32_t *pixels); /* NULL: as frame */
};

/* The first member of each kind's own struct. */
struct app_video {
    const struct app_video_operations *operations;
    struct base_diag_sink sink;
    const char *output; /* for messages; kept by reference; NULL: standard output */
    int width;
    int height;
    char *folder;   /* of the output; NULL: it was not asked for */
    size_t folders; /* so many were made for it: it, and those above it */
};

/* Whether pictures of this height have the colours of high definition, BT.709; others have those of
 * BT.601. Players that are not told assume just that. */
bool app_video_is_high(int height);

/* NULL with a message if it cannot be begun. */
struct app_video *app_video_open_ffmpeg(const char *output, const struct app_video_format *format,
                                        const struct base_diag_sink *sink);

/* Takes a video over, and gives one that is written by a thread of its own: while a frame is
 * painted, the one before is coded and written. What goes wrong with a frame is reported with the
 * next one, or at the end. Without memory, or a thread, it is the same video as before. */
struct app_video *app_video_beside(struct app_video *inner);

/* Reports an error of this output; hint may be NULL. */
void app_video_fail(const struct app_video *video, const char *hint, const char *what);

/* Reports "what: reason", reason an errno value. */
void app_video_fail_system(const struct app_video *video, const char *what, int reason);

/* Makes the folder of the output, and those above it, where they are missing. Returns 0, or -1 with
 * a message. */
int app_video_make_folder(struct app_video *video);

/* Removes the folders that were made, if nothing is in them. */
void app_video_leave_folder(struct app_video *video);

/* Creates `part`, an empty file that is to become `name`. Notices at once what would otherwise show
 * after the last frame of a long rendering. Returns its descriptor, or -1 with a message. */
int app_video_claim(const struct app_video *video, const char *name, const char *part);

#endif
