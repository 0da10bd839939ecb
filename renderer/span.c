#include "renderer/span.h"

static float clamp1(float x)
{
    x = x > 0.0f ? x : 0.0f;
    return x < 1.0f ? x : 1.0f;
}

static float value_at(const struct rend_shade *shade, int k, float t)
{
    return shade->from[k] + t * shade->more[k];
}

/* texels may be NULL. */
static void shade_row(const struct rend_shade *shade, int x, int y, size_t from,
                      const uint32_t *texels, uint32_t *pixels, size_t count)
{
    const float start = (float)(shade->at + x * shade->per_x + y * shade->per_y);
    const float step = (float)shade->per_x;
    for (size_t i = 0; i < count; i++) {
        const float t = clamp1(start + (float)(int32_t)(from + i) * step);
        const float alpha = value_at(shade, REND_SPAN_ALPHA, t);
        const float kept = shade->blend == REND_BLEND_ADDITIVE ? 1.0f : 1.0f - alpha;
        uint32_t pixel = 0;
        for (int k = 0; k < REND_SPAN_ALPHA; k++) {
            float colour = value_at(shade, k, t);
            if (texels != NULL) {
                colour = (float)(int32_t)((texels[i] >> (8 * k)) & 255) * colour;
            }
            const float dst = (float)(int32_t)((pixels[i] >> (8 * k)) & 255);
            const float sum = dst * kept + colour * alpha;
            pixel |= (uint32_t)(int32_t)((sum < 255.0f ? sum : 255.0f) + 0.5f) << (8 * k);
        }
        pixels[i] = pixel;
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
        const int end = runs[i].end;
        for (int x = runs[i].first; x < end; x += REND_SPAN_CHUNK) {
            const int rest = end - x;
            shade_row(shade, x, y + (int)i, 0, NULL, pixels + i * stride + x,
                      (size_t)(rest < REND_SPAN_CHUNK ? rest : REND_SPAN_CHUNK));
        }
    }
}

static void parts_plain(const struct rend_shade *shade, int y, const struct rend_run *runs,
                        const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        for (int x = parts[i].first; x < parts[i].end;) {
            const struct rend_chunk chunk = rend_chunk_at(runs[i], x);
            const int end = chunk.end < parts[i].end ? chunk.end : parts[i].end;
            shade_row(shade, chunk.x, y + (int)i, (size_t)(x - chunk.x), NULL,
                      pixels + i * stride + x, (size_t)(end - x));
            x = end;
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

static int triangle_plain(const struct rend_side sides[3], int y, int width, struct rend_run *runs,
                          size_t count)
{
    const int stop = y + (int)count;
    int pixels = 0;
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
    for (size_t i = 0; i < count; i++) {
        pixels += runs[i].end > runs[i].first ? runs[i].end - runs[i].first : 0;
    }
    return pixels;
}

static void stroke_plain(const struct rend_stroke *stroke, const struct rend_tint *tint,
                         uint32_t *pixels)
{
    for (int major = stroke->first; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, tint);
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
    textured_plain, rows_plain, parts_plain, widen_plain, triangle_plain, stroke_plain, tint_plain};

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
