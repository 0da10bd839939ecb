/* Signs of the interface that are drawn rather than taken from a font, so that they look the same
 * with every font: arrows, triangles, stars, check mark, cross, pause, stop, dot. */
#include <assert.h>
#include <string.h>

#include "ui/toolkit/parts.h"

/* In a box of 1 x 1, y downwards. */
struct point {
    double x, y;
};

static const struct point star_full[] = {
    {0.500, 0.005}, {0.634, 0.351}, {1.004, 0.371}, {0.717, 0.605},  {0.812, 0.964},
    {0.500, 0.763}, {0.188, 0.964}, {0.283, 0.605}, {-0.004, 0.371}, {0.366, 0.351}};
static const struct point star_hollow[] = {
    {0.500, 0.005}, {0.634, 0.351}, {1.004, 0.371}, {0.717, 0.605},  {0.812, 0.964},
    {0.500, 0.763}, {0.188, 0.964}, {0.283, 0.605}, {-0.004, 0.371}, {0.366, 0.351},
    {0.500, 0.175}, {0.591, 0.410}, {0.843, 0.424}, {0.647, 0.583},  {0.712, 0.827},
    {0.500, 0.690}, {0.288, 0.827}, {0.353, 0.583}, {0.157, 0.424},  {0.409, 0.410}};
static const struct point circle[] = {
    {0.500, 0.140}, {0.570, 0.147}, {0.638, 0.167}, {0.700, 0.201}, {0.755, 0.245}, {0.799, 0.300},
    {0.833, 0.362}, {0.853, 0.430}, {0.860, 0.500}, {0.853, 0.570}, {0.833, 0.638}, {0.799, 0.700},
    {0.755, 0.755}, {0.700, 0.799}, {0.638, 0.833}, {0.570, 0.853}, {0.500, 0.860}, {0.430, 0.853},
    {0.362, 0.833}, {0.300, 0.799}, {0.245, 0.755}, {0.201, 0.700}, {0.167, 0.638}, {0.147, 0.570},
    {0.140, 0.500}, {0.147, 0.430}, {0.167, 0.362}, {0.201, 0.300}, {0.245, 0.245}, {0.300, 0.201},
    {0.362, 0.167}, {0.430, 0.147}};
static const struct point triangle_up[] = {{0.500, 0.180}, {0.920, 0.820}, {0.080, 0.820}};
static const struct point triangle_right[] = {{0.820, 0.500}, {0.180, 0.920}, {0.180, 0.080}};
static const struct point triangle_down[] = {{0.500, 0.820}, {0.080, 0.180}, {0.920, 0.180}};
static const struct point triangle_left[] = {{0.180, 0.500}, {0.820, 0.080}, {0.820, 0.920}};
static const struct point arrow_up[] = {{0.500, 0.060}, {0.860, 0.440}, {0.780, 0.520},
                                        {0.555, 0.270}, {0.555, 0.940}, {0.445, 0.940},
                                        {0.445, 0.270}, {0.220, 0.520}, {0.140, 0.440}};
static const struct point arrow_right[] = {{0.940, 0.500}, {0.560, 0.860}, {0.480, 0.780},
                                           {0.730, 0.555}, {0.060, 0.555}, {0.060, 0.445},
                                           {0.730, 0.445}, {0.480, 0.220}, {0.560, 0.140}};
static const struct point arrow_down[] = {{0.500, 0.940}, {0.140, 0.560}, {0.220, 0.480},
                                          {0.445, 0.730}, {0.445, 0.060}, {0.555, 0.060},
                                          {0.555, 0.730}, {0.780, 0.480}, {0.860, 0.560}};
static const struct point arrow_left[] = {{0.060, 0.500}, {0.440, 0.140}, {0.520, 0.220},
                                          {0.270, 0.445}, {0.940, 0.445}, {0.940, 0.555},
                                          {0.270, 0.555}, {0.520, 0.780}, {0.440, 0.860}};
static const struct point check[] = {{0.060, 0.560}, {0.170, 0.440}, {0.390, 0.650},
                                     {0.840, 0.150}, {0.950, 0.260}, {0.400, 0.870}};
static const struct point pause_sign[] = {{0.180, 0.120}, {0.410, 0.120}, {0.410, 0.880},
                                          {0.180, 0.880}, {0.590, 0.120}, {0.820, 0.120},
                                          {0.820, 0.880}, {0.590, 0.880}};
static const struct point square[] = {
    {0.150, 0.150}, {0.850, 0.150}, {0.850, 0.850}, {0.150, 0.850}};
static const struct point cross[] = {
    {0.224, 0.125}, {0.500, 0.401}, {0.776, 0.125}, {0.875, 0.224}, {0.599, 0.500}, {0.875, 0.776},
    {0.776, 0.875}, {0.500, 0.599}, {0.224, 0.875}, {0.125, 0.776}, {0.401, 0.500}, {0.125, 0.224}};

struct mark {
    uint32_t code;
    size_t first; /* points of the first outline; the others are the second */
    size_t count;
    const struct point *points;
};

#define MARK(code, points)                                                                         \
    {                                                                                              \
        code, sizeof points / sizeof points[0], sizeof points / sizeof points[0], points           \
    }
#define MARK_OF_TWO(code, points)                                                                  \
    {                                                                                              \
        code, sizeof points / sizeof points[0] / 2, sizeof points / sizeof points[0], points       \
    }
static const struct mark marks[] = {
    MARK(0x2190, arrow_left),     MARK(0x2191, arrow_up),      MARK(0x2192, arrow_right),
    MARK(0x2193, arrow_down),     MARK(0x25A0, square),        MARK(0x25B2, triangle_up),
    MARK(0x25B6, triangle_right), MARK(0x25BC, triangle_down), MARK(0x25C0, triangle_left),
    MARK(0x25CF, circle),         MARK(0x2605, star_full),     MARK_OF_TWO(0x2606, star_hollow),
    MARK(0x2713, check),          MARK(0x2715, cross),         MARK_OF_TWO(0x23F8, pause_sign),
};

enum { LINES = 8 /* per row of pixels */, CROSSINGS = 8 };

static const struct mark *find_mark(uint32_t code)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (marks[i].code == code) {
            return &marks[i];
        }
    }
    return NULL;
}

bool ui_marks_has(uint32_t code)
{
    return find_mark(code) != NULL;
}

/* Where the outlines cross a line, from left to right. Returns how many. */
static size_t find_crossings(const struct mark *mark, double y, double crossings[CROSSINGS])
{
    size_t count = 0;
    for (size_t i = 0; i < mark->count; i++) {
        const struct point a = mark->points[i];
        const size_t next = i + 1 == mark->first ? 0 : i + 1 == mark->count ? mark->first : i + 1;
        const struct point b = mark->points[next];
        if ((a.y <= y) == (b.y <= y) || count == CROSSINGS) {
            continue;
        }
        const double x = a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y);
        size_t place = count++;
        for (; place > 0 && crossings[place - 1] > x; place--) {
            crossings[place] = crossings[place - 1];
        }
        crossings[place] = x;
    }
    return count;
}

/* Adds to each pixel how much of it lies between two places, in pixels. */
static void add_span(double *sums, int size, double from, double to)
{
    for (int x = from < 0 ? 0 : (int)from; x < size && x < to; x++) {
        const double left = from > x ? from : x;
        const double right = to < x + 1 ? to : x + 1;
        sums[x] += right > left ? right - left : 0;
    }
}

void ui_marks_draw(uint32_t code, int size, uint8_t *coverage)
{
    const struct mark *mark = find_mark(code);
    assert(mark != NULL && size > 0 && size <= UI_MARKS_SIZE_MAX);
    double sums[UI_MARKS_SIZE_MAX];
    for (int row = 0; row < size; row++) {
        memset(sums, 0, sizeof sums);
        for (int line = 0; line < LINES; line++) {
            double crossings[CROSSINGS];
            const size_t count =
                find_crossings(mark, (row + (line + 0.5) / LINES) / size, crossings);
            for (size_t i = 0; i + 1 < count; i += 2) {
                add_span(sums, size, crossings[i] * size, crossings[i + 1] * size);
            }
        }
        for (int x = 0; x < size; x++) {
            coverage[row * size + x] = (uint8_t)(sums[x] * 255 / LINES + 0.5);
        }
    }
}
