#include "renderer/stages.h"

static float between(float before, float left, float right, float after)
{
    return (-0.15f * before + 1.15f * left + 1.15f * right - 0.15f * after) * 0.5f;
}

size_t rend_smooth_strip(const struct rend_point *points, const struct rend_colour *colours,
                         size_t count, struct rend_point *out, struct rend_colour *out_colours)
{
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        out[written] = points[i];
        out_colours[written++] = colours[i];
        if (i + 1 == count) {
            break;
        }
        const struct rend_point before = points[i > 0 ? i - 1 : 0];
        const struct rend_point right = points[i + 1];
        const struct rend_point after = points[i + 2 < count ? i + 2 : count - 1];
        out[written] = (struct rend_point){between(before.x, points[i].x, right.x, after.x),
                                           between(before.y, points[i].y, right.y, after.y)};
        out_colours[written++] = colours[i];
    }
    return written;
}
