#include "engine/tempo/fit.h"

struct engine_fit engine_fit_line(const double *x, const double *y, size_t count)
{
    double mean_x = 0;
    double mean_y = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    double squares = 0;
    double products = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (x[i] - mean_x) * (x[i] - mean_x);
        products += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = products / squares;
    return (struct engine_fit){slope, mean_y - slope * mean_x};
}
