/* Where rendered pictures go. Videos of 720 lines and more have the colours of BT.709, smaller ones
 * those of BT.601, in limited range; files say so. All files are written beside their final name
 * and renamed at the end, so that nothing is ever half there. Where somebody asks to stop, a frame
 * and a file are still completed; where he insists (base_stop_insisted) they are not. One thread at
 * a time. */
#ifndef APP_VIDEO_VIDEO_H
#define APP_VIDEO_VIDEO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/rate.h"

struct app_video;

/* A part of a video that has a name. */
struct app_video_chapter {
    double begin; /* seconds */
    double end;
    const char *name;
};

struct app_video_format {
    int width;
    int height;
    struct engine_rate rate; /* of its pictures */
    uint64_t frames;         /* how many will come; 0: not known */
    bool is_piece;           /* of a longer video, a file .ts, for app_video_join */
    uint64_t piece_from;     /* frames of that before it */
    const char *audio;       /* the --audio name; NULL: no sound. Only video files carry it */
    double audio_start;      /* seconds into the sound of the first frame */
    /* Only video files carry them; one after the other. NULL: none. Not kept. */
    const struct app_video_chapter *chapters;
    size_t chapter_count;
    /* Of video files: as of the options; NULL, and 0 or less: the usual. */
    const char *codec;
    const char *quality;
    double bitrate; /* megabits per second */
    size_t threads; /* that code; 0: as many as the coder likes */
};

/* Whether the output may be written where something stands at its name: with `overwrite`, or after
 * a question where froth runs in a terminal. Returns 0, or -1 with a message. */
int app_video_settle(const char *output, bool overwrite, const struct base_diag_sink *sink);

/* output: "-" (Y4M on standard output), NAME.png (the last frame), PATTERN.png with one %d or %0Nd
 * (a picture per frame, numbered from 1; %% stands for a percent sign), or .mp4 .mov .mkv .webm
 * through ffmpeg. Missing folders are made. NULL with a message if it cannot be begun
 * (unknown ending, no ffmpeg, no such folder, a size the format cannot hold). output is kept by
 * reference and the sink by value, until the video is freed. The process must ignore SIGPIPE. */
struct app_video *app_video_open(const char *output, const struct app_video_format *format,
                                 const struct base_diag_sink *sink);

/* Adds a frame: 0x00RRGGBB words, width * height, without gaps, copied: it is coded and written
 * while the caller goes on. Returns 0, or -1 with a message (disk full, ffmpeg gone, reader gone),
 * which may be of the frame before; app_video_discard must follow. */
int app_video_frame(struct app_video *video, const uint32_t *pixels);

/* The same, not copied: the pixels stay as they are until the next call for this video has
 * returned. */
int app_video_lend(struct app_video *video, const uint32_t *pixels);

/* Whether pieces can be joined into a file of this name: .mp4, .mov or .mkv. */
bool app_video_joins(const char *output);

/* A video of pieces that were made of it, one behind the other, with sound and chapters; of the
 * format width, height, fps, frames, audio, audio_start, chapters and codec count. The pieces'
 * pictures stay as they are. output: as app_video_joins has it. Returns 0, or -1 with a message and
 * nothing left behind. */
int app_video_join(const char *const *pieces, size_t count, const char *output,
                   const struct app_video_format *format, const struct base_diag_sink *sink);

/* Completes and renames, however many frames have come, but at least one. A file that has come to
 * the name of a video since it was opened stays, and the video gets a name like it. Returns 0, or
 * -1 with a message; either way video is freed. */
int app_video_finish(struct app_video *video);

/* Gives a finished file its name. fresh: nothing stood there when it was begun; what has come there
 * since stays, and the file gets a name like it, after a warning. Returns 0, or -1 with errno. */
int app_video_put(const char *part, const char *output, bool fresh,
                  const struct base_diag_sink *sink);

/* Removes what was begun and frees; whole pictures of a PATTERN stay. NULL is fine. */
void app_video_discard(struct app_video *video);

#endif
