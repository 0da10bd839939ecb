#include "facts.h"

#include <math.h>

enum { CENTROID_ABOVE = 100, LIT_ABOVE = 60 };

static uint32_t at(const uint32_t *pixels, int x, int y)
{
    return pixels[y * FACTS_WIDTH + x];
}

static int channel(uint32_t pixel, int shift)
{
    return (int)(pixel >> shift & 0xFF);
}

static bool lit(uint32_t pixel)
{
    return channel(pixel, 16) > LIT_ABOVE || channel(pixel, 8) > LIT_ABOVE ||
           channel(pixel, 0) > LIT_ABOVE;
}

static bool near(double got, double expected, double tolerance)
{
    return fabs(got - expected) <= tolerance + 1e-9;
}

bool facts_check_pixel(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    const uint32_t pixel = at(pixels, fact->x, fact->y);
    bool same = true;
    for (int i = 0; i < 3; i++) {
        same = same && near(channel(pixel, 16 - 8 * i), fact->expected[i], fact->tolerance);
    }
    (void)snprintf(got, size, "%d %d %d", channel(pixel, 16), channel(pixel, 8), channel(pixel, 0));
    return same;
}

struct centroid {
    double x;
    double y;
    double weight;
    double count;
};

static struct centroid centroid_of(const uint32_t *pixels, int shift)
{
    struct centroid sum = {0};
    for (int y = 0; y < FACTS_HEIGHT; y++) {
        for (int x = 0; x < FACTS_WIDTH; x++) {
            const int value = channel(at(pixels, x, y), shift);
            if (value > CENTROID_ABOVE) {
                sum.x += value * (x + 0.5);
                sum.y += value * (y + 0.5);
                sum.weight += value;
                sum.count++;
            }
        }
    }
    if (sum.count > 0) {
        sum.x /= sum.weight;
        sum.y /= sum.weight;
    }
    return sum;
}

static void describe_centroid(const struct centroid *centroid, char *got, size_t size)
{
    (void)snprintf(got, size, "(%.2f, %.2f) [%.0f]", centroid->x, centroid->y, centroid->count);
}

bool facts_check_centroid(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    const struct centroid centroid = centroid_of(pixels, fact->shift);
    describe_centroid(&centroid, got, size);
    return centroid.count > 0 && near(centroid.x, fact->expected[0], fact->tolerance) &&
           near(centroid.y, fact->expected[1], fact->tolerance) &&
           near(centroid.count, fact->expected[2], 0.05 * fact->expected[2]);
}

bool facts_check_absent(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    const struct centroid centroid = centroid_of(pixels, fact->shift);
    describe_centroid(&centroid, got, size);
    return centroid.count == 0;
}

static bool check_row(const struct fact *fact, const uint32_t *pixels, int from, int step,
                      char *got, size_t size)
{
    for (int y = from; y >= 0 && y < FACTS_HEIGHT; y += step) {
        if (lit(at(pixels, fact->x, y))) {
            (void)snprintf(got, size, "%d", y);
            return near(y, fact->expected[0], fact->tolerance);
        }
    }
    (void)snprintf(got, size, "no lit pixel");
    return false;
}

bool facts_check_first_row(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    return check_row(fact, pixels, 0, 1, got, size);
}

bool facts_check_last_row(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    return check_row(fact, pixels, FACTS_HEIGHT - 1, -1, got, size);
}

bool facts_check_lit(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    int count = 0;
    for (int i = 0; i < FACTS_WIDTH * FACTS_HEIGHT; i++) {
        count += lit(pixels[i]);
    }
    (void)snprintf(got, size, "%d", count);
    return near(count, fact->expected[0], fact->tolerance);
}

/* Where runs of lines with a lit pixel begin; columns if `steps` is {1, width}. */
static struct facts_list starts(const uint32_t *pixels, int lines, int line_step, int length,
                                int step)
{
    struct facts_list list = {.count = 0};
    bool before = false;
    for (int line = 0; line < lines; line++) {
        bool any = false;
        for (int i = 0; i < length; i++) {
            any = any || lit(pixels[line * line_step + i * step]);
        }
        if (any && !before && list.count < FACTS_LIST_MAX) {
            list.values[list.count++] = line;
        }
        before = any;
    }
    return list;
}

static bool lists_near(const struct facts_list *got, const struct facts_list *expected,
                       double tolerance)
{
    bool same = got->count == expected->count;
    for (size_t i = 0; same && i < got->count; i++) {
        same = near(got->values[i], expected->values[i], tolerance);
    }
    return same;
}

static size_t print_list(const struct facts_list *list, const char *name, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", name);
    for (size_t i = 0; i < list->count && used < size; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s %d", i > 0 ? "," : "", list->values[i]);
    }
    return used < size ? used : size - 1;
}

bool facts_check_dots(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    const struct facts_list columns = starts(pixels, FACTS_WIDTH, 1, FACTS_HEIGHT, FACTS_WIDTH);
    const struct facts_list rows = starts(pixels, FACTS_HEIGHT, FACTS_WIDTH, FACTS_WIDTH, 1);
    const size_t used = print_list(&columns, "columns", got, size);
    (void)print_list(&rows, "; rows", got + used, size - used);
    return lists_near(&columns, &fact->columns, fact->tolerance) &&
           lists_near(&rows, &fact->rows, fact->tolerance);
}

bool facts_check_level(const struct fact *fact, const uint32_t *pixels, char *got, size_t size)
{
    const uint32_t pixel = at(pixels, fact->x, fact->y);
    const double level = (channel(pixel, 16) + channel(pixel, 8) / 255.0) / 8.0;
    (void)snprintf(got, size, "%.3f", level);
    return near(level, fact->expected[0], fact->tolerance);
}
