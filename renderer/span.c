#include "renderer/span.h"

static int32_t times(int32_t a, int32_t b)
{
    return (a * b + (1 << 14)) >> 15;
}

/* Of REND_SPAN_WHOLE: how far a pixel lies from the corner. */
static int32_t share_of(uint32_t far)
{
    const int32_t twice = 2 * ((int32_t)far >> 16);
    const int32_t low = twice > 0 ? twice : 0;
    return low < REND_SPAN_WHOLE ? low : REND_SPAN_WHOLE;
}

static int32_t value_at(const struct rend_shade *shade, int k, int32_t share)
{
    return shade->from[k] + times(share, shade->more[k]);
}

static int32_t channel(int32_t colour, int32_t alpha, int32_t dst, enum rend_covering covering)
{
    int32_t sum = colour;
    if (covering == REND_BLENDED) {
        sum = dst + times(colour - dst, alpha);
    } else if (covering == REND_ADDED) {
        sum = dst + times(colour, alpha);
    }
    const int32_t level = (sum + REND_SPAN_LEVEL / 2) / REND_SPAN_LEVEL;
    return level < 255 ? level : 255;
}

/* What a shade draws over a pixel so far from the corner. texel may be NULL. */
static uint32_t shaded(const struct rend_shade *shade, uint32_t far, const uint32_t *texel,
                       uint32_t before)
{
    const enum rend_covering covering = rend_covering_of(shade);
    const int32_t share = share_of(far);
    const int32_t alpha = value_at(shade, REND_SPAN_ALPHA, share);
    uint32_t pixel = 0;
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        int32_t colour = value_at(shade, k, share);
        if (texel != NULL) {
            colour = times((int32_t)(*texel >> (8 * k) & 255) * REND_SPAN_LEVEL, colour);
        }
        const int32_t dst = (int32_t)(before >> (8 * k) & 255) * REND_SPAN_LEVEL;
        pixel |= (uint32_t)channel(colour, alpha, dst, covering) << (8 * k);
    }
    return pixel;
}

/* texels may be NULL. */
static void shade_row(const struct rend_shade *shade, int x, int y, uint32_t from,
                      const uint32_t *texels, uint32_t *pixels, size_t count)
{
    const uint32_t step = (uint32_t)rend_fixed(shade->per_x);
    uint32_t far = rend_far_from(shade, x, y) + from * step;
    for (size_t i = 0; i < count; i++) {
        pixels[i] = shaded(shade, far, texels != NULL ? texels + i : NULL, pixels[i]);
        far += step;
    }
}

static void textured_plain(const struct rend_shade *shade, const struct rend_textured_piece *pieces,
                           size_t count, const uint32_t *texels)
{
    for (size_t i = 0; i < count; i++) {
        const struct rend_textured_piece *piece = &pieces[i];
        shade_row(shade, piece->x, piece->y, piece->from, texels + piece->first_texel,
                  piece->pixels, piece->count);
    }
}

static void rows_plain(const struct rend_shade *shade, int y, const struct rend_run *runs,
                       size_t count, uint32_t *pixels, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        const struct rend_run run = runs[i];
        if (run.end > run.first) {
            shade_row(shade, run.first, y + (int)i, 0, NULL, pixels + i * stride + run.first,
                      (size_t)(run.end - run.first));
        }
    }
}

static void parts_plain(const struct rend_shade *shade, int y, const struct rend_run *runs,
                        const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        const struct rend_run part = parts[i];
        if (part.end > part.first) {
            shade_row(shade, runs[i].first, y + (int)i, (uint32_t)(part.first - runs[i].first),
                      NULL, pixels + i * stride + part.first, (size_t)(part.end - part.first));
        }
    }
}

static void widen_plain(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double centre = y + (int)i + 0.5;
        const int32_t p = rend_pixel_from(edge->x + (centre - edge->y) * edge->slope, width);
        runs[i].first = p < runs[i].first ? p : runs[i].first;
        runs[i].end = p > runs[i].end ? p : runs[i].end;
    }
}

static void triangle_plain(const struct rend_side sides[3], int y, int width, struct rend_run *runs,
                           size_t count)
{
    const int stop = y + (int)count;
    for (size_t i = 0; i < count; i++) {
        runs[i] = (struct rend_run){width, 0};
    }
    for (int k = 0; k < 3; k++) {
        const int first = sides[k].first > y ? sides[k].first : y;
        const int end = sides[k].end < stop ? sides[k].end : stop;
        if (end > first) {
            widen_plain(&sides[k].edge, first, width, runs + (first - y), (size_t)(end - first));
        }
    }
}

static void stroke_plain(const struct rend_stroke *stroke, const struct rend_tint *tint,
                         uint32_t *pixels)
{
    for (int major = stroke->first; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, tint);
    }
}

static void shaded_stroke_plain(const struct rend_stroke *stroke, const struct rend_shade *shade,
                                int from, uint32_t *pixels)
{
    const uint32_t step = (uint32_t)rend_fixed(shade->per_x);
    const uint32_t start = rend_far_from(shade, from, 0);
    for (int major = stroke->first; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = shaded(shade, start + (uint32_t)(major - from) * step, NULL, *pixel);
    }
}

static void tint_plain(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                       size_t count)
{
    const struct rend_tint tint = rend_tint_of(colour, alpha, blend);
    for (size_t i = 0; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], &tint);
    }
}

const struct rend_span_kernels rend_span_kernels_plain = {
    textured_plain, rows_plain,   parts_plain,         widen_plain,
    triangle_plain, stroke_plain, shaded_stroke_plain, tint_plain};

const struct rend_span_kernels *rend_span_kernels_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX512) {
        return &rend_span_kernels_avx512;
    }
    if (level >= BASE_CPU_AVX2) {
        return &rend_span_kernels_avx2;
    }
#endif
    (void)level;
    return &rend_span_kernels_plain;
}
