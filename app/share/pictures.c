#include "app/share/pictures.h"

#ifdef FROTH_SWSCALE

#include <stdlib.h>
#include <string.h>

#include "late/swscale.h"

enum { PLANES = 4, HIGH_LINES = 720 };

struct app_pictures {
    struct SwsContext *context;
    struct app_pictures_layout to;
    int width; /* of the pictures that come */
    int height;
    int left; /* where they stand in those that go */
    int top;
};

static bool is_planar(const struct app_pictures_layout *layout)
{
    return layout->format == APP_PICTURES_I420;
}

static size_t pixel_size(const struct app_pictures_layout *layout)
{
    return layout->format == APP_PICTURES_BGRX ? 4 : layout->format == APP_PICTURES_YUY2 ? 2 : 1;
}

size_t app_pictures_stride(const struct app_pictures_layout *layout)
{
    return (size_t)layout->width * pixel_size(layout);
}

size_t app_pictures_size(const struct app_pictures_layout *layout)
{
    const size_t first = app_pictures_stride(layout) * (size_t)layout->height;
    return is_planar(layout) ? first + first / 2 : first;
}

/* The larger of two whole numbers' quotients, even. */
static int scaled(int size, int to, int from)
{
    const int result = (int)(((int64_t)size * to / from) & ~(int64_t)1);
    return result < 2 ? 2 : result;
}

const char *app_pictures_load(void)
{
    return base_late_load(&late_swscale);
}

struct app_pictures *app_pictures_open(int width, int height,
                                       const struct app_pictures_layout *layout)
{
    static const enum AVPixelFormat formats[] = {[APP_PICTURES_BGRX] = AV_PIX_FMT_BGR0,
                                                 [APP_PICTURES_YUY2] = AV_PIX_FMT_YUYV422,
                                                 [APP_PICTURES_I420] = AV_PIX_FMT_YUV420P};
    struct app_pictures *pictures =
        app_pictures_load() == NULL ? calloc(1, sizeof *pictures) : NULL;
    if (pictures == NULL) {
        return NULL;
    }
    int inner_width = layout->width;
    int inner_height = layout->height;
    const int64_t across = (int64_t)layout->width * height;
    const int64_t down = (int64_t)layout->height * width;
    if (across > down) {
        inner_width = scaled(width, layout->height, height);
    } else if (across < down) {
        inner_height = scaled(height, layout->width, width);
    }
    pictures->to = *layout;
    pictures->width = width;
    pictures->height = height;
    pictures->left = ((layout->width - inner_width) / 2) & ~1;
    pictures->top = ((layout->height - inner_height) / 2) & ~1;
    pictures->context =
        sws_getContext(width, height, AV_PIX_FMT_0RGB32, inner_width, inner_height,
                       formats[layout->format], SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
    if (pictures->context == NULL) {
        app_pictures_close(pictures);
        return NULL;
    }
    const int one = 1 << 16;
    const int matrix = layout->height >= HIGH_LINES ? SWS_CS_ITU709 : SWS_CS_ITU601;
    if (layout->format != APP_PICTURES_BGRX) {
        (void)sws_setColorspaceDetails(pictures->context, sws_getCoefficients(matrix), 1,
                                       sws_getCoefficients(matrix), 0, 0, one, one);
    }
    return pictures;
}

void app_pictures_close(struct app_pictures *pictures)
{
    if (pictures != NULL) {
        sws_freeContext(pictures->context);
    }
    free(pictures);
}

static void blacken(const struct app_pictures *pictures, unsigned char *to)
{
    enum { LUMA = 16, NO_COLOUR = 128 };
    const size_t size = app_pictures_size(&pictures->to);
    const size_t first = app_pictures_stride(&pictures->to) * (size_t)pictures->to.height;
    switch (pictures->to.format) {
    case APP_PICTURES_BGRX:
        memset(to, 0, size);
        break;
    case APP_PICTURES_YUY2:
        for (size_t i = 0; i < size; i++) {
            to[i] = i % 2 == 0 ? LUMA : NO_COLOUR;
        }
        break;
    case APP_PICTURES_I420:
        memset(to, LUMA, first);
        memset(to + first, NO_COLOUR, size - first);
        break;
    }
}

void app_pictures_convert(struct app_pictures *pictures, const uint32_t *from, unsigned char *to)
{
    const struct app_pictures_layout *layout = &pictures->to;
    const int stride = (int)app_pictures_stride(layout);
    const size_t first = (size_t)stride * (size_t)layout->height;
    const size_t left = (size_t)pictures->left;
    const size_t top = (size_t)pictures->top;
    unsigned char *planes[PLANES] = {to + top * (size_t)stride + left * pixel_size(layout)};
    int strides[PLANES] = {stride};
    if (is_planar(layout)) {
        const size_t half = (size_t)stride / 2;
        const size_t inside = top / 2 * half + left / 2;
        planes[1] = to + first + inside;
        planes[2] = to + first + first / 4 + inside;
        strides[1] = strides[2] = (int)half;
    }
    if (left > 0 || top > 0) {
        blacken(pictures, to);
    }
    const unsigned char *const sources[PLANES] = {(const unsigned char *)from};
    const int source_strides[PLANES] = {pictures->width * (int)sizeof *from};
    (void)sws_scale(pictures->context, sources, source_strides, 0, pictures->height, planes,
                    strides);
}

#else

const char *app_pictures_load(void)
{
    return "build it with libswscale (Debian: libswscale-dev)";
}

#endif
