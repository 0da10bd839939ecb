#include <assert.h>
#include <math.h>

#include "ui/window.h"

static const double refresh_tolerance = 0.03;
static const double drift_max = 0.02;    /* frames per frame */
static const double display_slack = 0.5; /* frames that a display may be ahead of the clock */
static const double early_margin = 0.1;  /* frames */

enum { EARLY_MAX = 8, DISTRUST_FRAMES = 1200 };

void ui_pace_start(struct ui_pace *pace, double fps, double refresh, double now)
{
    assert(fps > 0);
    *pace = (struct ui_pace){.fps = fps, .origin = now - 1 / fps};
    pace->display = refresh > 0 && fabs(refresh - fps) <= refresh_tolerance * fps;
}

static bool follows_display(const struct ui_pace *pace)
{
    return pace->display && pace->distrust == 0;
}

double ui_pace_wake(const struct ui_pace *pace)
{
    const double slack = follows_display(pace) ? display_slack : 0;
    return pace->origin + ((double)(pace->frame + 1) - slack) / pace->fps;
}

uint64_t ui_pace_next(struct ui_pace *pace, double now)
{
    const double ideal = (now - pace->origin) * pace->fps;
    const uint64_t due = ideal > 0 ? (uint64_t)(ideal + 0.5) : 0;
    pace->frame = due > pace->frame + 1 ? due : pace->frame + 1;
    if (!follows_display(pace)) {
        pace->distrust -= pace->distrust > 0;
        return pace->frame;
    }
    const double error = ideal - (double)pace->frame; /* how late the frame is, in frames */
    pace->early = error < early_margin - display_slack ? pace->early + 1 : 0;
    if (pace->early >= EARLY_MAX) {
        pace->early = 0;
        pace->distrust = DISTRUST_FRAMES;
    } else {
        pace->origin += fmax(-drift_max, fmin(drift_max, error)) / pace->fps;
    }
    return pace->frame;
}
