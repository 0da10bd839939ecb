/* The picture of a running show, for other programs: --share and --stream. Each target has a
 * thread of its own, which takes the newest picture when it can; what comes meanwhile is left out.
 * A target that is lost is told once and tried again. */
#ifndef APP_SHARE_SHARE_H
#define APP_SHARE_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/text.h"

enum { APP_SHARE_MOST = 4 /* targets */ };

struct app_share;

/* Whether the targets that the options name can be meant; looks at files, opens nothing. May ask
 * whether a file is to be written over, where froth runs in a terminal. Returns an enum app_exit,
 * after a message if it is not APP_EXIT_DONE. */
int app_share_check(const struct app_options *options, const struct base_diag_sink *sink);

/* The pictures that are to be shared: their size, and how many come in a second. */
struct app_share_format {
    int width;
    int height;
    struct engine_rate rate;
};

/* Begins to share with all targets of the options, which app_share_check has found good and which,
 * like the sink, outlive the share. Sets *share to NULL where they name none. Returns 0, or -1 with
 * a message without memory or threads. */
int app_share_open(struct app_share **share, const struct app_options *options,
                   const struct app_share_format *format, const struct base_diag_sink *sink);

/* Ends all of it: files are completed, which takes seconds, on a slow machine half a minute at
 * most, unless somebody insists on stopping. NULL is fine. */
void app_share_close(struct app_share *share);

/* ---- the painter's side: nothing of it waits, locks or allocates; NULL is fine ---- */

/* A finished picture, 0x00RRGGBB, stride in pixels: copied for each target that wants it. seconds:
 * when it is shown, by a clock that the caller chooses and that never goes back. */
void app_share_picture(struct app_share *share, const uint32_t *pixels, size_t stride,
                       double seconds);

/* Sound that the next picture has heard: stereo frames at APP_AUDIO_RATE. */
void app_share_sound(struct app_share *share, const float *interleaved, size_t frames);

struct app_share_status {
    unsigned targets;
    unsigned taken;    /* of them: those whose other end takes pictures now */
    uint64_t given;    /* pictures that were handed over, of all targets */
    uint64_t left_out; /* pictures that came while a target could not take them */
};
void app_share_status(const struct app_share *share, struct app_share_status *status);

#endif
