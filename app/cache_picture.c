#include "app/cache_picture.h"

#include <stdlib.h>

#include "app/io/video.h"
#include "app/tmu_case.h"
#include "tmu/texture.h"

enum {
    SIDE = APP_CACHE_CANVAS,
    SIDE_BITS = 9,
    PIXELS = SIDE * SIDE,
    HALF = 1 << (TMU_CHIP_FRACTION - 1), /* from a texel's edge to its centre */
    TURN_SHIFT = TMU_TEXTURE_TURN_BITS - TMU_CHIP_FRACTION - SIDE_BITS,
};

struct drawing {
    struct tmu_texture texture;
    int32_t u[PIXELS]; /* as in struct tmu_fragment, then in turns */
    int32_t v[PIXELS];
    uint16_t detail[PIXELS]; /* in 256ths of a level */
    uint32_t pixels[PIXELS];
};

static uint32_t opened(uint16_t color)
{
    const uint32_t red = color >> 11;
    const uint32_t green = color >> 5 & 63;
    const uint32_t blue = color & 31;
    return red * 255 / 31 << 16 | green * 255 / 63 << 8 | blue * 255 / 31;
}

static bool make_texture(struct drawing *drawing, const struct tmu_arch *arch)
{
    const int most = tmu_texture_levels(SIDE, SIDE);
    const struct tmu_texture_form form = {
        .width = SIDE,
        .height = SIDE,
        .levels = (int)arch->texture_levels < most ? (int)arch->texture_levels : most,
        .layout = arch->texture_tile_width > 1 ? TMU_TEXTURE_TILES : TMU_TEXTURE_ROWS,
    };
    drawing->texture = tmu_texture_create(&form);
    if (drawing->texture.texels == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < PIXELS; i++) {
        drawing->pixels[i] = opened(app_tmu_test_color(i % SIDE, i / SIDE));
    }
    tmu_texture_put(&drawing->texture, 0, drawing->pixels, SIDE);
    tmu_texture_reduce(&drawing->texture);
    return true;
}

static void begin(void *user, const struct tmu_trace_run *run)
{
    (void)user;
    (void)run;
}

static void keep_row(void *user, const struct tmu_trace_row *row)
{
    struct drawing *drawing = user;
    const size_t first = (size_t)row->y * SIDE + (size_t)row->x;
    for (size_t i = 0; i < row->count; i++) {
        drawing->u[first + i] = row->fragments[i].u;
        drawing->v[first + i] = row->fragments[i].v;
    }
}

static void end(void *user)
{
    (void)user;
}

/* One level for each quad of 2x2 pixels. */
static void choose_levels(struct drawing *drawing)
{
    for (size_t i = 0; i < PIXELS; i += i % SIDE == SIDE - 2 ? SIDE + 2 : 2) {
        const size_t at[4] = {i, i + 1, i + SIDE, i + SIDE + 1};
        int32_t u[4];
        int32_t v[4];
        for (int k = 0; k < 4; k++) {
            u[k] = drawing->u[at[k]];
            v[k] = drawing->v[at[k]];
        }
        const unsigned level = tmu_texture_quad_level(u, v, TMU_CHIP_FRACTION);
        for (int k = 0; k < 4; k++) {
            drawing->detail[at[k]] = (uint16_t)(level * 256);
        }
    }
}

static int32_t turns(int32_t coordinate)
{
    return (int32_t)((uint32_t)(coordinate + HALF) << TURN_SHIFT);
}

static void draw(struct drawing *drawing, const struct tmu_arch *arch)
{
    const struct tmu_texture_sampler sampler = {
        .address_x = TMU_WRAP,
        .address_y = TMU_WRAP,
        .filter = arch->requests_filter == TMU_FILTER_NEAREST ? TMU_TEXTURE_NEAREST
                                                              : TMU_TEXTURE_BILINEAR,
    };
    choose_levels(drawing);
    for (size_t i = 0; i < PIXELS; i++) {
        drawing->u[i] = turns(drawing->u[i]);
        drawing->v[i] = turns(drawing->v[i]);
    }
    for (size_t first = 0; first < PIXELS; first += SIDE) {
        tmu_texture_row(drawing->pixels + first, &drawing->texture, &sampler, drawing->u + first,
                        drawing->v + first, drawing->detail + first, SIDE);
    }
}

static int write_picture(const struct drawing *drawing, const char *path,
                         const struct base_diag_sink *sink)
{
    const struct app_video_format format = {.width = SIDE, .height = SIDE, .fps = 1, .frames = 1};
    struct app_video *video = app_video_open(path, &format, sink);
    if (video == NULL || app_video_frame(video, drawing->pixels) != 0) {
        app_video_discard(video);
        return -1;
    }
    return app_video_finish(video);
}

int app_cache_picture(const struct tmu_arch *arch, const struct app_cache_run *run,
                      const char *path, const struct base_diag_sink *sink)
{
    struct drawing *drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL || !make_texture(drawing, arch)) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
        free(drawing);
        return -1;
    }
    const struct tmu_trace_sink rows = {drawing, begin, keep_row, end};
    tmu_chip_trace(&run->registers, run->vertices, &rows);
    draw(drawing, arch);
    const int result = write_picture(drawing, path, sink);
    tmu_texture_free(&drawing->texture);
    free(drawing);
    return result;
}
