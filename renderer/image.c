/* Pictures that a patch of the board adds to what it has drawn. */
#include <math.h>

#include "renderer/shader/texture/texture.h"
#include "renderer/stages.h"

enum { CANVAS = 512 /* pixels of the board's canvas, each way */, PIXEL_COST = 8, WHOLE = 256 };

/* A picture that is being drawn. */
struct drawing {
    const struct rend_canvas *canvas;
    size_t bands;
    const struct shader_level *level;
    double left; /* of the picture, in pixels */
    double top;
    double across; /* texels from pixel to pixel */
    double down;
    int first_x; /* pixels whose centre lies in it */
    int end_x;
    int first_y;
    int end_y;
    uint32_t weight; /* of WHOLE */
};

/* Of two pixels, channel by channel; part: of WHOLE. */
static uint32_t mix(uint32_t one, uint32_t other, uint32_t part)
{
    const uint32_t pair = 0x00FF00FF;
    const uint32_t low = (one & pair) * (WHOLE - part) + (other & pair) * part;
    const uint32_t high = (one >> 8 & pair) * (WHOLE - part) + (other >> 8 & pair) * part;
    return (low >> 8 & pair) | (high & 0xFF00FF00);
}

/* Where a pixel's centre lies: between a texel and the next one, and how far from the first. */
static int between(int pixel, double from, double step, int texels, int *next, uint32_t *part)
{
    const double at = (pixel + 0.5 - from) * step - 0.5;
    const double kept = fmin(fmax(at, 0), texels - 1);
    const int texel = (int)kept;
    *next = texel + 1 < texels ? texel + 1 : texel;
    *part = (uint32_t)((kept - texel) * WHOLE);
    return texel;
}

static uint32_t added(uint32_t under, uint32_t texel, uint32_t weight)
{
    const uint32_t factor = (texel >> 24) * weight / 255;
    uint32_t sum = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const uint32_t value = (under >> shift & 255) + ((texel >> shift & 255) * factor >> 8);
        sum |= (value < 255 ? value : 255) << shift;
    }
    return sum;
}

static void draw_band(void *user, size_t index)
{
    const struct drawing *drawing = user;
    const struct rend_canvas band = rend_row_band(drawing->canvas, index, drawing->bands);
    const struct shader_level *level = drawing->level;
    const int first = band.top > drawing->first_y ? band.top : drawing->first_y;
    const int end = band.bottom < drawing->end_y ? band.bottom : drawing->end_y;
    for (int y = first; y < end; y++) {
        int below;
        int right;
        uint32_t fy;
        uint32_t fx;
        const int row = between(y, drawing->top, drawing->down, level->height, &below, &fy);
        const uint32_t *upper = level->texels + (size_t)row * level->pitch;
        const uint32_t *lower = level->texels + (size_t)below * level->pitch;
        uint32_t *pixels = band.pixels + (size_t)y * band.stride;
        for (int x = drawing->first_x; x < drawing->end_x; x++) {
            const int left = between(x, drawing->left, drawing->across, level->width, &right, &fx);
            const uint32_t texel =
                mix(mix(upper[left], upper[right], fx), mix(lower[left], lower[right], fx), fy);
            pixels[x] = added(pixels[x], texel, drawing->weight);
        }
    }
}

static int pixel_at(double edge, int most)
{
    return (int)fmin(fmax(ceil(edge - 0.5), 0), most);
}

/* Where a picture stands on the canvas, in pixels. */
struct place {
    double left;
    double top;
    double width;
    double height;
};

static void draw_texture(const struct rend_canvas *canvas, const struct shader_texture *texture,
                         struct place place, double alpha)
{
    const double left = place.left;
    const double top = place.top;
    const double width = place.width;
    const double height = place.height;
    int coarse = 0;
    while (coarse + 1 < texture->levels && texture->level[coarse].width > 2 * width) {
        coarse++;
    }
    const struct shader_level *level = &texture->level[coarse];
    struct drawing drawing = {
        .canvas = canvas,
        .level = level,
        .left = left,
        .top = top,
        .across = level->width / width,
        .down = level->height / height,
        .first_x = pixel_at(left, canvas->width),
        .end_x = pixel_at(left + width, canvas->width),
        .first_y = pixel_at(top, canvas->height),
        .end_y = pixel_at(top + height, canvas->height),
        .weight = (uint32_t)(fmin(fmax(alpha, 0), 1) * WHOLE),
    };
    const int64_t cost =
        (int64_t)PIXEL_COST * (drawing.end_x - drawing.first_x) * (drawing.end_y - drawing.first_y);
    if (cost > 0 && drawing.weight > 0 && rend_may_fill(canvas, cost)) {
        drawing.bands = rend_row_band_count(canvas, cost);
        base_pool_run(canvas->pool, draw_band, &drawing, drawing.bands);
    }
}

/* The board's canvas is 512 pixels wide and high, and its screen 4:3: a picture's pixels are
 * square there, and here. */
static void draw_image(const struct rend_canvas *canvas, const struct shader_texture *texture,
                       const double *params)
{
    enum { ALPHA, X, Y, ZOOM };
    const double limit = 1e6;
    const double zoom = fmin(fmax(params[ZOOM], 0), limit);
    const double size = zoom * canvas->height * 4 / (3 * CANVAS);
    const double width = texture->level[0].width * size;
    const double height = texture->level[0].height * size;
    const struct place place = {fmin(fmax(params[X], -limit), limit) * canvas->width - width / 2,
                                fmin(fmax(params[Y], -limit), limit) * canvas->height - height / 2,
                                width, height};
    draw_texture(canvas, texture, place, params[ALPHA]);
}

/* What stands for live video fills the canvas, and passes by as fast as on the board. */
static void draw_video(const struct rend_canvas *canvas, const struct shader_texture *texture,
                       double seconds, double alpha)
{
    const double rounds = seconds * 60 / CANVAS;
    const double part = rounds - floor(rounds);
    struct place place = {-part * canvas->width, 0, canvas->width, canvas->height};
    draw_texture(canvas, texture, place, alpha);
    place.left += canvas->width;
    draw_texture(canvas, texture, place, alpha);
}

void rend_draw_images(const struct rend_canvas *canvas, const struct rend_images *images,
                      const double *values)
{
    enum { INDEX = REND_IMAGE_PARAMS - 1 };
    const struct rend_resource *video = images->picture[PRESET_VIDEO];
    const double alpha = video != NULL ? (double)rend_float(values[images->video_alpha]) : 0;
    if (alpha > 0) {
        draw_video(canvas, rend_resource_texture(video), values[REND_VAR_time], alpha);
    }
    for (int i = 0; images->any && i < REND_IMAGES_DRAWN; i++) {
        double params[REND_IMAGE_PARAMS];
        for (int k = 0; k < REND_IMAGE_PARAMS; k++) {
            params[k] = (double)rend_float(values[images->variable[i][k]]);
        }
        const int number = rend_int((float)params[INDEX]);
        if (number >= 0 && number < PRESET_VIDEO && images->picture[number] != NULL &&
            params[0] > 0 && params[3] > 0) {
            draw_image(canvas, rend_resource_texture(images->picture[number]), params);
        }
    }
}
