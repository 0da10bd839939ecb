#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { PICTURE_SIZE = 256, VOLUME_SIZE = 32, TEXELS_MAX = 320 * 240 };

/* ---- textures ---- */

static uint32_t channel_of(double value)
{
    const double limited = value < 0 ? 0 : value > 1 ? 1 : value;
    return (uint32_t)(limited * 255 + 0.5);
}

static uint32_t texel_of(double red, double green, double blue, double alpha)
{
    return channel_of(alpha) << 24 | channel_of(red) << 16 | channel_of(green) << 8 |
           channel_of(blue);
}

/* Waves, a disc with a hard edge, bars and a corner of noise; kind moves them. */
static uint32_t paint(double u, double v, double kind, uint32_t dice)
{
    const double x = u - 0.4 - 0.05 * kind;
    const double y = v - 0.45;
    double red = 0.5 + 0.4 * sin(9 * u + kind) * cos(7 * v);
    double green = 0.4 + 0.4 * sin(5 * v + 8 * u * v + 2 * kind);
    double blue = 0.3 + 0.3 * cos(11 * u - 6 * v);
    if (x * x + y * y < 0.03) {
        red = 0.95;
        green *= 0.5;
    }
    if (v > 0.8 && sin(60 * u) > 0.3) {
        red = green = blue = 0.05 + 0.9 * u;
    }
    if (u > 0.75 && v < 0.25) {
        red = (double)(dice & 255) / 255;
        green = (double)(dice >> 8 & 255) / 255;
        blue = (double)(dice >> 16 & 255) / 255;
    }
    return texel_of(red, green, blue, 0.5 + 0.5 * sin(6 * u + 3 * v));
}

static bool make_image(struct shader_image *image, int width, int height, int depth, double kind,
                       bool canvas)
{
    uint32_t *texels = malloc(TEXELS_MAX * sizeof *texels);
    struct base_rng rng;
    base_rng_seed(&rng, (uint32_t)(kind * 8) + 1, 0);
    for (int i = 0; texels != NULL && i < width * height * depth; i++) {
        const double u = (i % width + 0.5) / width;
        const double v = (i / width % height + 0.5) / height;
        const double slice = (double)(i / (width * height)) / depth;
        texels[i] = paint(u, v, kind + 6.28 * slice, base_rng_next(&rng));
    }
    const bool made = texels != NULL &&
                      shader_image_create(image, texels, (size_t)width, width, height, depth) == 0;
    free(texels);
    if (made && canvas) {
        image->texture.levels = 1;
        image->texture.opaque = true;
    }
    return made;
}

static bool make_textures(struct oracle_scene *scene, bool levels)
{
    static const int blurs[ORACLE_BLURS][2] = {{80, 60}, {48, 32}, {32, 16}};
    bool made = make_image(&scene->canvas, ORACLE_WIDTH, ORACLE_HEIGHT, 1, 0, true) &&
                make_image(&scene->volume, VOLUME_SIZE, VOLUME_SIZE, VOLUME_SIZE, 3, false) &&
                shader_noises_create(&scene->noises) == 0;
    for (int k = 0; made && k < ORACLE_BLURS; k++) {
        made = make_image(&scene->blur[k], blurs[k][0], blurs[k][1], 1, 0.25 * (k + 1), true);
    }
    for (int k = 0; made && k < ORACLE_PICTURES; k++) {
        made = make_image(&scene->picture[k], PICTURE_SIZE, PICTURE_SIZE, 1, k + 1, false);
        scene->picture[k].texture.levels = levels ? scene->picture[k].texture.levels : 1;
    }
    scene->volume.texture.levels = levels ? scene->volume.texture.levels : 1;
    for (int k = 0; made && k < SHADER_NOISES; k++) {
        struct shader_texture *noise = &scene->noises.image[k].texture;
        noise->levels = levels ? noise->levels : 1;
    }
    return made;
}

const struct shader_texture *oracle_scene_texture(const struct oracle_scene *scene,
                                                  const char *name, bool volume)
{
    const struct shader_texture *noise = shader_noises_find(&scene->noises, name);
    if (noise != NULL && volume == (noise->level[0].depth > 1)) {
        return noise;
    }
    if (volume) {
        return &scene->volume.texture;
    }
    if (strcmp(name, "main") == 0) {
        return &scene->canvas.texture;
    }
    if (strncmp(name, "blur", 4) == 0 && name[4] >= '1' && name[4] <= '3' && name[5] == '\0') {
        return &scene->blur[name[4] - '1'].texture;
    }
    unsigned sum = 0;
    for (const char *c = name; *c != '\0'; c++) {
        sum += (unsigned char)*c;
    }
    return &scene->picture[sum % ORACLE_PICTURES].texture;
}

/* ---- uniforms ---- */

struct given {
    size_t slot;
    float number[4];
    size_t count;
};

static const struct given givens[] = {
    {SHADER_SLOT_time, {31.25f}, 1},
    {SHADER_SLOT_fps, {60}, 1},
    {SHADER_SLOT_frame, {1875}, 1},
    {SHADER_SLOT_progress, {0.4f}, 1},
    {SHADER_SLOT_bass, {1.3f, 0.9f, 0.7f, 0.97f}, 4},
    {SHADER_SLOT_bass_att, {1.1f, 0.95f, 0.8f, 0.95f}, 4},
    {SHADER_SLOT_aspect, {1, 0.75f, 1, 1 / 0.75f}, 4},
    {SHADER_SLOT_texsize,
     {ORACLE_WIDTH, ORACLE_HEIGHT, 1.0f / ORACLE_WIDTH, 1.0f / ORACLE_HEIGHT},
     4},
    {SHADER_SLOT_mip_x, {8.321928f}, 1},
    {SHADER_SLOT_mip_y, {7.906891f}, 1},
    {SHADER_SLOT_mip_xy, {8.321928f, 7.906891f}, 2},
    {SHADER_SLOT_mip_avg, {8.114409f}, 1},
    {SHADER_SLOT_blur1_min, {0.05f, 0.95f}, 2},
    {SHADER_SLOT_blur2_min, {0.1f, 0.9f}, 2},
    {SHADER_SLOT_blur3_min, {0.15f, 0.85f}, 2},
    {SHADER_SLOT__c0, {1, 0.75f, 1, 1 / 0.75f}, 4},
    {SHADER_SLOT__c2, {31.25f, 60, 1875, 0.4f}, 4},
    {SHADER_SLOT__c7, {ORACLE_WIDTH, ORACLE_HEIGHT, 1.0f / ORACLE_WIDTH, 1.0f / ORACLE_HEIGHT}, 4},
};

static float unit(struct base_rng *rng)
{
    return (float)(base_rng_next(rng) >> 8) / (1 << 24);
}

/* A rotation about two axes, and a translation. */
static void place_rotation(float *matrix, struct base_rng *rng)
{
    const float a = 6.28f * unit(rng);
    const float b = 6.28f * unit(rng);
    const float rows[4][3] = {
        {cosf(a), sinf(a), 0},
        {-sinf(a) * cosf(b), cosf(a) * cosf(b), sinf(b)},
        {sinf(a) * sinf(b), -cosf(a) * sinf(b), cosf(b)},
        {unit(rng), -unit(rng), unit(rng)},
    };
    memcpy(matrix, rows, sizeof rows);
}

static void fill_uniforms(float uniforms[SHADER_SLOTS])
{
    struct base_rng rng;
    base_rng_seed(&rng, 6, 0);
    for (size_t k = 0; k < SHADER_SLOTS; k++) {
        uniforms[k] = unit(&rng);
    }
    for (size_t k = SHADER_SLOT_rot_s1; k < SHADER_SLOTS; k += 12) {
        place_rotation(uniforms + k, &rng);
    }
    for (size_t k = 0; k < sizeof givens / sizeof *givens; k++) {
        memcpy(uniforms + givens[k].slot, givens[k].number, givens[k].count * sizeof(float));
    }
    memcpy(uniforms + SHADER_SLOT__qa, uniforms + SHADER_SLOT_q1, 32 * sizeof(float));
}

/* ---- inputs ---- */

static void fill_pixel(struct oracle_scene *scene, size_t pixel)
{
    const float u = ((float)(pixel % ORACLE_WIDTH) + 0.5f) / ORACLE_WIDTH;
    const float v = ((float)(pixel / ORACLE_WIDTH) + 0.5f) / ORACLE_HEIGHT;
    const float x = 2 * u - 1;
    const float y = (2 * v - 1) * 0.75f;
    const float angle = atan2f(y, x);
    const float warp[SHADER_INPUTS] = {
        0.5f + 0.485f * x - 0.02f * y + 0.01f * sinf(9 * v),
        0.5f + 0.646f * y + 0.02f * x + 0.01f * cosf(7 * u),
        u,
        v,
        hypotf(x, y),
        -angle,
    };
    const float comp[SHADER_INPUTS] = {
        u,
        v,
        u,
        v,
        hypotf(x, y) / 1.25f,
        angle < 0 ? angle + 6.2831853f : angle,
        0.6f + 0.4f * u,
        0.9f - 0.3f * v,
        0.7f + 0.3f * u * v,
    };
    for (size_t k = 0; k < SHADER_INPUTS; k++) {
        scene->inputs[SHADER_WARP][k][pixel] = warp[k];
        scene->inputs[SHADER_COMP][k][pixel] = comp[k];
    }
}

bool oracle_scene_open(struct oracle_scene *scene, bool levels)
{
    memset(scene, 0, sizeof *scene);
    if (!make_textures(scene, levels)) {
        (void)fprintf(stderr, "oracle: no memory for textures\n");
        return false;
    }
    fill_uniforms(scene->uniforms);
    for (size_t pixel = 0; pixel < ORACLE_PIXELS; pixel++) {
        fill_pixel(scene, pixel);
    }
    return true;
}

void oracle_scene_close(struct oracle_scene *scene)
{
    shader_image_free(&scene->canvas);
    shader_image_free(&scene->volume);
    for (int k = 0; k < ORACLE_BLURS; k++) {
        shader_image_free(&scene->blur[k]);
    }
    for (int k = 0; k < ORACLE_PICTURES; k++) {
        shader_image_free(&scene->picture[k]);
    }
    shader_noises_free(&scene->noises);
}
