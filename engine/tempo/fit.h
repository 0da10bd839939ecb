/* The straight line that lies closest to points: least squares. */
#ifndef ENGINE_TEMPO_FIT_H
#define ENGINE_TEMPO_FIT_H

#include <stddef.h>

struct engine_fit {
    double slope;
    double value; /* at x = 0 */
};

/* At least two points, whose x are not all the same. */
struct engine_fit engine_fit_line(const double *x, const double *y, size_t count);

#endif
