/* The sound that goes into a video file. */
#ifndef APP_IO_VIDEO_SOUND_H
#define APP_IO_VIDEO_SOUND_H

#include <stdbool.h>

#include "app/io/rate.h"
#include "app/io/video.h"

struct app_video_sound {
    char *path;     /* of what ffmpeg reads; owned; NULL: no sound */
    bool synthetic; /* path is our own, removed at the end: 16 bit little-endian stereo samples
                       without a header (which would bound its length), cut to the video */
};

/* Finds the sound file, or writes synthesized sound beside the output. Returns 0, or -1 with a
 * message and nothing left behind. */
int app_video_sound_prepare(struct app_video_sound *sound, const char *output,
                            const struct app_video_format *format,
                            const struct base_diag_sink *sink);

/* Removes what was written and frees. */
void app_video_sound_free(struct app_video_sound *sound);

#endif
