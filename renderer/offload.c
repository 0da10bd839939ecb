#include "renderer/offload.h"

#include <stdlib.h>
#include <string.h>

#include "renderer/draw/list.h"
#include "renderer/picture/rows.h"

bool rend_shader_blurs(const struct rend_shader *shader)
{
    for (size_t k = 0; k < shader->textures; k++) {
        if (shader->texture[k] >= REND_SOURCE_BLUR1 && shader->texture[k] != REND_SOURCE_FIXED) {
            return true;
        }
    }
    return false;
}

/* Whether the device draws all stages that read what is blurred, and there are some. */
static bool blurs_for_device(const struct rend_section_shaders *shaders,
                             const struct rend_patch *patch)
{
    bool some = false;
    for (int i = 0; i < SHADER_STAGES; i++) {
        if (rend_shader_blurs(&patch->shader[i])) {
            some = true;
            if (shaders->on_device[i] == NULL) {
                return false;
            }
        }
    }
    return some;
}

static struct rend_device_axis axis_on_device(const struct rend_blur_axis *axis, int count,
                                              int source, const float *light)
{
    return (struct rend_device_axis){
        .count = count,
        .source = source,
        .taps = axis->taps,
        .first = axis->first,
        .weights = axis->weights,
        .light = light,
    };
}

static void load_blur_on_device(struct rend_section_shaders *shaders,
                                const struct rend_device *device, size_t levels)
{
    const struct rend_blur *blur = &shaders->blur;
    struct rend_device_blur there = {.passes = 2 * levels};
    int width = blur->width;
    int height = blur->height;
    for (size_t i = 0; i < there.passes; i++) {
        const struct rend_blur_pass *pass = &blur->pass[i];
        there.columns[i] =
            axis_on_device(&pass->columns, pass->target.width, width, i == 1 ? blur->edge : NULL);
        there.rows[i] = axis_on_device(&pass->rows, pass->target.height, height,
                                       i == 1 ? blur->edge_rows : NULL);
        width = pass->target.width;
        height = pass->target.height;
    }
    shaders->blur_on_device = device->load_blur(shaders->canvas_on_device, &there);
}

/* Whether the canvas is made there. */
static bool may_draw(const struct rend_device *device, const struct rend_patch *patch)
{
    const bool shaded =
        patch->shader[SHADER_WARP].program != NULL || patch->shader[SHADER_COMP].program != NULL;
    return !patch->images.any && (shaded || device->draws_plain);
}

/* The warp and the composite without shaders, and what is drawn between them. */
static void load_canvas_stages(struct rend_section_shaders *shaders, const struct rend *rend,
                               const struct rend_patch *patch)
{
    const struct rend_device *device = rend->config.device;
    const struct rend_config *config = &rend->config;
    void *canvas = shaders->canvas_on_device;
    if (patch->shader[SHADER_WARP].program == NULL) {
        shaders->warp_on_device = device->load_warp(canvas, config->mesh_x, config->mesh_y);
    }
    if (shaders->warp_on_device != NULL || shaders->on_device[SHADER_WARP] != NULL) {
        shaders->list = rend_list_create(config->width, config->height);
    }
    if (shaders->list != NULL) {
        shaders->overlay_on_device = device->load_overlay(canvas);
    }
    if (patch->shader[SHADER_COMP].program == NULL && device->draws_plain &&
        shaders->overlay_on_device != NULL) {
        shaders->composite_rows = calloc((size_t)config->height, sizeof *shaders->composite_rows);
    }
    if (shaders->composite_rows != NULL) {
        shaders->composite_on_device = device->load_composite(canvas);
    }
}

/* Makes the canvas and the stages ready that the device takes. */
void rend_offload_load(struct rend_section_shaders *shaders, const struct rend *rend,
                       const struct rend_patch *patch)
{
    const struct rend_device *device = rend->config.device;
    struct shader_texture view[REND_SOURCES];
    struct rend_device_canvas canvas = {
        .columns = rend_tile_columns(rend->config.width),
        .rows = rend_tile_rows(rend->config.height),
        .width = rend->config.width,
        .height = rend->config.height,
        .vertices = ((size_t)rend->config.mesh_x + 1) * ((size_t)rend->config.mesh_y + 1),
    };
    view[REND_SOURCE_MAIN] = shader_texture_of(&rend->canvas.surface[0]);
    for (int i = 0; i < patch->blur_levels; i++) {
        view[REND_SOURCE_BLUR1 + i] = shader_texture_of(rend_blur_level(&shaders->blur, i + 1));
        /* What is blurred of it may be read only by what is blurred more. */
        canvas.pictures[REND_SOURCE_BLUR1 + i] = &view[REND_SOURCE_BLUR1 + i];
        canvas.pictures[REND_SOURCE_MAIN] = &view[REND_SOURCE_MAIN];
    }
    struct rend_device_stage stages[SHADER_STAGES];
    for (int i = 0; i < SHADER_STAGES; i++) {
        const struct rend_shader *shader = &patch->shader[i];
        struct rend_device_stage *stage = &stages[i];
        *stage =
            (struct rend_device_stage){.program = shader->program, .stage = (enum shader_stage)i};
        for (size_t k = 0; shader->program != NULL && k < shader->textures; k++) {
            const enum rend_source picture = shader->texture[k];
            stage->picture[k] = picture;
            stage->textures[k] = shader->fixed[k];
            if (picture != REND_SOURCE_FIXED) {
                stage->textures[k] = canvas.pictures[picture] = &view[picture];
            }
        }
    }
    const bool draws = may_draw(device, patch);
    if (!draws && stages[SHADER_WARP].program == NULL && stages[SHADER_COMP].program == NULL) {
        return;
    }
    canvas.stages = draws ? SHADER_STAGES : 0;
    for (int i = 0; i < SHADER_STAGES && !draws; i++) {
        canvas.stages += stages[i].program != NULL ? 1 : 0;
    }
    if (draws) {
        canvas.pictures[REND_SOURCE_MAIN] = &view[REND_SOURCE_MAIN];
        canvas.listed = rend_list_room(rend->config.width, rend->config.height);
    }
    shaders->canvas_on_device = device->open(device->user, &canvas);
    for (int i = 0; i < SHADER_STAGES && shaders->canvas_on_device != NULL; i++) {
        if (stages[i].program != NULL) {
            shaders->on_device[i] = device->load(shaders->canvas_on_device, &stages[i]);
        }
    }
    if (blurs_for_device(shaders, patch)) {
        load_blur_on_device(shaders, device, (size_t)patch->blur_levels);
    }
    if (draws && shaders->canvas_on_device != NULL) {
        load_canvas_stages(shaders, rend, patch);
    }
    rend_offload_load_mesh(shaders, rend, patch);
}

void rend_offload_free(struct rend_section_shaders *shaders)
{
    const struct rend_device *device = shaders->device;
    for (int i = 0; i < SHADER_STAGES; i++) {
        if (shaders->on_device[i] != NULL) {
            device->unload(shaders->on_device[i]);
        }
    }
    if (shaders->blur_on_device != NULL) {
        device->unload_blur(shaders->blur_on_device);
    }
    if (shaders->overlay_on_device != NULL) {
        device->unload_overlay(shaders->overlay_on_device);
    }
    if (shaders->warp_on_device != NULL) {
        device->unload_warp(shaders->warp_on_device);
    }
    if (shaders->composite_on_device != NULL) {
        device->unload_composite(shaders->composite_on_device);
    }
    if (shaders->cross_on_device != NULL) {
        device->unload_cross(shaders->cross_on_device);
    }
    rend_offload_free_mesh(shaders);
    free(shaders->composite_rows);
    rend_list_free(shaders->list);
    if (shaders->canvas_on_device != NULL) {
        device->close(shaders->canvas_on_device);
    }
}

/* ---- in a frame ---- */

struct taking {
    const struct rend_offload_stage *stage;
    const uint32_t *drawn; /* by the device */
    size_t columns;
};

static void take_row_band(void *user, size_t band)
{
    const struct taking *taking = user;
    const struct rend_offload_stage *stage = taking->stage;
    const int stop = (int)((size_t)stage->height * (band + 1) / REND_SHADE_ROW_BANDS);
    for (int y = (int)((size_t)stage->height * band / REND_SHADE_ROW_BANDS); y < stop; y++) {
        memcpy(stage->pixels + (size_t)y * stage->stride,
               taking->drawn + (size_t)y * taking->columns,
               (size_t)stage->width * sizeof *stage->pixels);
    }
}

/* Copies texels of a picture to where the device finds them. */
static void send_picture(struct rend_section_shaders *shaders, struct base_pool *pool,
                         enum rend_source picture, const struct shader_texture *from)
{
    size_t texels = 0;
    uint32_t *to = shaders->device->picture(shaders->canvas_on_device, picture, &texels);
    rend_copy_texels(pool, to, from->level[0].texels, texels);
    shaders->sent[picture] = true;
}

/* Hands over what the stage reads and the device does not hold, and says what that is. What is
 * drawn on a picture that stays may read the canvas, too. */
static void send_pictures(struct rend *rend, const struct rend_offload_stage *stage,
                          struct rend_device_run *run)
{
    const struct rend_shader *shader = &rend->patch->shader[stage->stage];
    if (run->stays && stage->stage == SHADER_WARP && !rend->shaders.sent[REND_SOURCE_MAIN]) {
        const struct shader_texture main = shader_texture_of(stage->main);
        send_picture(&rend->shaders, rend->config.pool, REND_SOURCE_MAIN, &main);
        run->renewed[REND_SOURCE_MAIN] = true;
    }
    for (size_t k = 0; k < shader->textures; k++) {
        const enum rend_source picture = shader->texture[k];
        if (picture != REND_SOURCE_FIXED && !rend->shaders.sent[picture]) {
            send_picture(&rend->shaders, rend->config.pool, picture, stage->frame->textures[k]);
            run->renewed[picture] = true;
        }
    }
}

bool rend_offload_start(struct rend *rend, const struct rend_offload_stage *stage, bool stays)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    void *loaded = shaders->on_device[stage->stage];
    if (loaded == NULL || shaders->device_failed) {
        return false;
    }
    struct rend_device_run run = {
        .frame = stage->frame,
        .places = stage->places,
        .columns = rend_tile_columns(stage->width),
        .rows = rend_tile_rows(stage->height),
        .stays = stays,
    };
    send_pictures(rend, stage, &run);
    shaders->device_failed = !shaders->device->start(loaded, &run);
    return !shaders->device_failed;
}

/* Whether there are some, which are copied then to where they are wanted. */
static bool take_pixels(struct rend *rend, const struct rend_offload_stage *stage,
                        const uint32_t *drawn)
{
    struct taking taking = {
        .stage = stage, .columns = rend_tile_columns(stage->width), .drawn = drawn};
    if (drawn == NULL) {
        rend->shaders.device_failed = true;
        return false;
    }
    base_pool_run(rend->config.pool, take_row_band, &taking, REND_SHADE_ROW_BANDS);
    return true;
}

bool rend_offload_finish(struct rend *rend, const struct rend_offload_stage *stage)
{
    const struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->device_failed) {
        return false;
    }
    return take_pixels(rend, stage, shaders->device->finish(shaders->canvas_on_device));
}

bool rend_offload_shown(struct rend *rend, uint32_t *pixels, size_t stride)
{
    const struct rend_offload_stage stage = {.width = rend->config.width,
                                             .height = rend->config.height,
                                             .pixels = pixels,
                                             .stride = stride};
    return rend_offload_finish(rend, &stage);
}

struct rend_device_shown rend_offload_where(const struct rend *rend)
{
    const struct rend_section_shaders *shaders = &rend->shaders;
    return shaders->device->shown(shaders->canvas_on_device);
}

/* ---- transitions ---- */

void rend_offload_load_cross(struct rend *rend, const uint16_t *when)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->on_device[SHADER_COMP] != NULL || shaders->composite_on_device != NULL) {
        shaders->cross_on_device = shaders->device->load_cross(shaders->canvas_on_device, when);
    }
}

bool rend_offload_cross(struct rend *rend, const struct rend *leaving,
                        const struct rend_weights *weights, bool stays)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    const struct rend_device_crossing crossing = {weights->offset, weights->limit, weights->scale,
                                                  stays};
    if (shaders->cross_on_device == NULL || shaders->device_failed ||
        leaving->shaders.device_failed) {
        return false;
    }
    shaders->device_failed = !shaders->device->cross(shaders->cross_on_device,
                                                     leaving->shaders.canvas_on_device, &crossing);
    return !shaders->device_failed;
}

/* ---- stages without a shader ---- */

bool rend_offload_warp(struct rend *rend, const struct tmu_surface *last, enum tmu_address address,
                       unsigned decay)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    const struct tmu_mesh mesh = {rend->mesh.vertices, rend->config.mesh_x, rend->config.mesh_y};
    const struct rend_device_warp warp = {&mesh, address == TMU_WRAP, decay,
                                          !shaders->sent[REND_SOURCE_MAIN]};
    if (warp.renewed) {
        const struct shader_texture texture = shader_texture_of(last);
        send_picture(shaders, rend->config.pool, REND_SOURCE_MAIN, &texture);
    }
    const enum rend_device_answer answer = shaders->device->warp(shaders->warp_on_device, &warp);
    shaders->device_failed = answer == REND_DEVICE_LOST;
    /* What was to be sent with it is still to be sent if it is refused. */
    shaders->sent[REND_SOURCE_MAIN] =
        answer == REND_DEVICE_BEGUN || (answer == REND_DEVICE_REFUSED && !warp.renewed);
    return answer == REND_DEVICE_BEGUN;
}

bool rend_offload_composite(struct rend *rend, const struct rend_composite *composite, bool stays)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->composite_on_device == NULL || shaders->device_failed || composite->identity) {
        return false;
    }
    struct rend_device_composite handed = rend_hand_composite(composite, shaders->composite_rows);
    handed.stays = stays;
    shaders->device_failed = !shaders->device->composite(shaders->composite_on_device, &handed);
    return !shaders->device_failed;
}

/* ---- where the canvas lies ---- */

static void copy_surface(struct tmu_surface *to, const struct tmu_surface *from)
{
    memcpy(to->pixels, from->pixels,
           from->stride * ((size_t)from->height + 1) * sizeof *from->pixels);
}

void rend_offload_lend(struct rend *rend)
{
    struct rend_section_canvas *canvas = &rend->canvas;
    const struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->overlay_on_device == NULL || !shaders->device->lends_rooms) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        struct tmu_surface lent = canvas->surface[i];
        lent.pixels = shaders->device->room(shaders->overlay_on_device, i);
        copy_surface(&lent, &canvas->surface[i]);
        tmu_surface_free(&canvas->surface[i]);
        canvas->surface[i] = lent;
    }
    canvas->lent = true;
}

int rend_offload_return(struct rend *rend)
{
    struct rend_section_canvas *canvas = &rend->canvas;
    struct tmu_surface own[2] = {{0}, {0}};
    if (!canvas->lent) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        own[i] = tmu_surface_create(rend->config.width, rend->config.height);
        if (own[i].pixels == NULL) {
            tmu_surface_free(&own[0]);
            return -1;
        }
    }
    for (int i = 0; i < 2; i++) {
        copy_surface(&own[i], &canvas->surface[i]);
        canvas->surface[i] = own[i];
    }
    canvas->lent = false;
    return 0;
}

/* One that none of the surfaces lies in. */
static int free_room(const struct rend *rend)
{
    const struct rend_section_shaders *shaders = &rend->shaders;
    int index = 0;
    for (; index < REND_DEVICE_ROOMS - 1; index++) {
        const uint32_t *room = shaders->device->room(shaders->overlay_on_device, index);
        if (room != rend->canvas.surface[0].pixels && room != rend->canvas.surface[1].pixels) {
            break;
        }
    }
    return index;
}

/* ---- the overlay ---- */

/* Frames that are not tried after one whose list had no room, or cost too much: a device that draws
 * for seconds is taken for one that hangs. */
enum { FULL_FRAMES = 120, COST_PIXEL = 256, COST_BASE = 20 * 1000 * 1000 };

struct rend_list *rend_offload_list(struct rend *rend)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->overlay_on_device == NULL || shaders->device_failed) {
        return NULL;
    }
    if (shaders->list_rests > 0) {
        shaders->list_rests--;
        return NULL;
    }
    rend_list_clear(shaders->list);
    return shaders->list;
}

struct rend_list *rend_offload_change_list(struct rend *rend)
{
    const struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->overlay_on_device == NULL || shaders->device_failed || shaders->list_rests > 0 ||
        !shaders->sent[REND_SOURCE_MAIN]) {
        return NULL;
    }
    rend_list_clear(shaders->list);
    return shaders->list;
}

bool rend_offload_change(struct rend *rend)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    struct rend_device_overlay overlay = {.textured = false};
    overlay.words = rend_list_finish(shaders->list, &overlay.count);
    if (overlay.words == NULL) {
        return false;
    }
    shaders->device_failed = !shaders->device->change(shaders->overlay_on_device, &overlay);
    return !shaders->device_failed;
}

bool rend_offload_overlay(struct rend *rend, int64_t cost)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    const int64_t pixels = (int64_t)rend->config.width * rend->config.height;
    struct rend_device_overlay overlay = {.textured = rend_list_textured(shaders->list)};
    if (cost <= COST_BASE + COST_PIXEL * pixels) {
        overlay.words = rend_list_finish(shaders->list, &overlay.count);
    }
    if (overlay.words == NULL) {
        shaders->list_rests = FULL_FRAMES;
        return false;
    }
    overlay.room = shaders->coming = free_room(rend);
    shaders->device_failed =
        shaders->device_failed || !shaders->device->overlay(shaders->overlay_on_device, &overlay);
    shaders->sent[REND_SOURCE_MAIN] = !shaders->device_failed;
    return !shaders->device_failed;
}

bool rend_offload_fetch(struct rend *rend, struct tmu_surface *canvas)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->device_failed || !shaders->device->canvas(shaders->overlay_on_device)) {
        shaders->device_failed = true;
        return false;
    }
    uint32_t *room = shaders->device->room(shaders->overlay_on_device, shaders->coming);
    if (rend->canvas.lent) {
        canvas->pixels = room;
        return true;
    }
    rend_copy_texels(rend->config.pool, canvas->pixels, room,
                     canvas->stride * (size_t)(canvas->height + 1));
    return true;
}

bool rend_offload_blur(struct rend *rend, const struct rend_blur_settings *settings,
                       const struct tmu_surface *last)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->blur_on_device == NULL || shaders->device_failed) {
        return false;
    }
    struct rend_blur_numbers numbers[REND_BLUR_PASSES];
    struct rend_device_blurring run = {.renewed = !shaders->sent[REND_SOURCE_MAIN]};
    rend_blur_find_numbers(settings, numbers);
    for (int i = 0; i < REND_BLUR_PASSES; i++) {
        run.scale[i] = numbers[i].scale;
        run.bias[i] = numbers[i].bias;
        run.darken += numbers[i].edge_darken;
    }
    if (run.renewed) {
        const struct shader_texture texture = shader_texture_of(last);
        send_picture(shaders, rend->config.pool, REND_SOURCE_MAIN, &texture);
    }
    shaders->device_failed = !shaders->device->blur(shaders->blur_on_device, &run);
    return !shaders->device_failed;
}
