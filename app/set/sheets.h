/* What was shown when, for editors: chapters of a video, a cue sheet, an EDL. */
#ifndef APP_SET_SHEETS_H
#define APP_SET_SHEETS_H

#include <stddef.h>

#include "app/video/video.h"
#include "app/set/set.h"

/* The presets between two times of a set, the first as it runs at `from`, with seconds from there.
 * In the set's arena. Returns how many. */
size_t app_set_chapters(struct app_set *set, double from, double to,
                        const struct app_video_chapter **chapters);

/* Writes NAME.cue and NAME.edl beside the video NAME.mp4 (or whatever its ending is), with time
 * codes at `fps`. 0, or -1 with errno. */
int app_set_sheets_write(const char *video, const struct app_video_chapter *chapters, size_t count,
                         double fps);

#endif
