#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "presets/presets.h"
#include "renderer/renderer.h"
#include "renderer/picture/resources.h"
#include "renderer/picture/rows.h"
#include "renderer/standin/standin.h"

enum { COUNT = 64, GUARD = 8 };

static float number_from(struct base_rng *rng)
{
    static const float odd[] = {0,     -0.0f,    1,   -1,          NAN, INFINITY, -INFINITY,
                                1e30f, 0.99999f, 255, 0.00195312f, 2,   0.5f};
    const uint32_t dice = base_rng_next(rng);
    return dice % 4 == 0 ? odd[dice / 4 % (sizeof odd / sizeof *odd)]
                         : (float)(dice >> 8) / (1 << 23) - 0.5f;
}

static void packing(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 3, 1);
    for (size_t count = 0; count <= COUNT; count++) {
        _Alignas(32) float values[3][COUNT];
        const float *const ret[3] = {values[0], values[1], values[2]};
        uint32_t plain[COUNT + GUARD];
        uint32_t fast[COUNT + GUARD];
        memset(plain, 0x5A, sizeof plain);
        for (int i = 0; i < 3 * COUNT; i++) {
            values[i / COUNT][i % COUNT] = number_from(&rng);
        }
        rend_shade_kernels_plain.pack(plain, ret, count);
        for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
            memset(fast, 0x5A, sizeof fast);
            rend_shade_kernels_for((enum base_cpu_level)level)->pack(fast, ret, count);
            assert_memory_equal(plain, fast, sizeof plain);
        }
        assert_int_equal(plain[count], 0x5A5A5A5A);
    }
    _Alignas(32) const float red[8] = {0, 1, NAN, -INFINITY, INFINITY, 0.5f, 0.498f, -3};
    const float *const ret[3] = {red, red, red};
    static const uint32_t levels[8] = {0, 255, 0, 0, 255, 128, 127, 0};
    uint32_t pixels[8];
    rend_shade_kernels_plain.pack(pixels, ret, 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pixels[i], levels[i] * 0x010101);
    }
}

static void places_in_triangles(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 4, 1);
    float from[2][2 * 19 + REND_CELL_BEHIND] = {0};
    float slope[2][2 * 19 + REND_CELL_BEHIND] = {0};
    int32_t cell[COUNT];
    float within[COUNT];
    float plain[2][COUNT];
    float fast[2][COUNT];
    for (int i = 0; i < 2 * 2 * 19; i++) {
        from[i % 2][i / 2] = (float)i * 0.37f;
        slope[i % 2][i / 2] = (float)(i * i % 7) - 2.5f;
    }
    /* Anywhere, and in order: many cells in a vector, and many pixels in a cell. */
    for (int kind = 0; kind < 8; kind++) {
        const struct rend_cell_row row = {
            {from[0], from[1]}, {slope[0], slope[1]}, kind < 4 ? 0.4f : 0};
        for (int i = 0; i < COUNT; i++) {
            const int cells[] = {(int)(base_rng_next(&rng) % 19), i % 19, i * 18 / COUNT, 18};
            cell[i] = (int32_t)cells[kind % 4];
            within[i] = i % 9 == 0 ? 0.4f : (float)(base_rng_next(&rng) >> 8) / (1 << 24);
        }
        float *const expected[2] = {plain[0], plain[1]};
        rend_shade_kernels_plain.lerp(expected, &row, cell, within, COUNT);
        for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
            const struct rend_shade_kernels *kernels =
                rend_shade_kernels_for((enum base_cpu_level)level);
            float *const got[2] = {fast[0], fast[1]};
            kernels->lerp(got, &row, cell, within, COUNT);
            assert_memory_equal(plain, fast, sizeof plain);
            memset(fast, 0x5A, sizeof fast);
            float *const second[2] = {NULL, fast[1]};
            kernels->lerp(second, &row, cell, within, COUNT);
            assert_memory_equal(plain[1], fast[1], sizeof plain[1]);
            assert_int_equal(((const unsigned char *)fast)[0], 0x5A);
        }
        for (int i = 0; i < COUNT; i++) {
            const int k = 2 * (int)cell[i] + (within[i] > row.turn ? 1 : 0);
            assert_true(fabsf(plain[0][i] - (from[0][k] + within[i] * slope[0][k])) < 1e-5f);
            assert_true(fabsf(plain[1][i] - (from[1][k] + within[i] * slope[1][k])) < 1e-5f);
        }
    }
}

static void numbers_spread(void **state)
{
    (void)state;
    for (int level = BASE_CPU_PLAIN; level <= (int)base_cpu_best(); level++) {
        float numbers[COUNT];
        float out[2][COUNT + 1];
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = (float)i - 7.5f;
        }
        out[0][COUNT] = out[1][COUNT] = 77;
        const struct rend_shade_kernels *kernels =
            rend_shade_kernels_for((enum base_cpu_level)level);
        kernels->spread(out[0], numbers + 3, 0, COUNT);
        kernels->spread(out[1], numbers, 1, COUNT);
        for (int i = 0; i < COUNT; i++) {
            assert_true(out[0][i] == numbers[3] && out[1][i] == numbers[i]);
        }
        assert_true(out[0][COUNT] == 77 && out[1][COUNT] == 77);
    }
}

/* ---- whole stages ---- */

static struct rend_patch *patch_of(const char *text, struct rend_resources *resources)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "x.milk", text, strlen(text), NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, resources, NULL);
    assert_non_null(patch);
    preset_free(&preset);
    return patch;
}

/* Frame `frames` of the text, or 0 pixels without memory. */
static void draw(const char *text, const int divisors[2], size_t threads, enum base_cpu_level cpu,
                 int frames, uint32_t *pixels, int width, int height)
{
    struct rend_patch *patch = patch_of(text, NULL);
    struct base_pool *pool = base_pool_create(threads);
    struct rend *rend = rend_create(&(struct rend_config){.width = width,
                                                          .height = height,
                                                          .mesh_x = 12,
                                                          .mesh_y = 9,
                                                          .fps = 60,
                                                          .cpu = cpu,
                                                          .pool = pool});
    assert_non_null(rend);
    assert_int_equal(rend_load(rend, patch, 0, NULL), 0);
    assert_true(rend_patch_has_shaders(patch));
    rend_set_divisors(rend, divisors);
    for (int i = 1; i <= frames; i++) {
        const struct rend_input input = {.frame = (uint64_t)i, .time = i / 60.0, .fps = 60};
        (void)rend_step(rend, &input, pixels, (size_t)width);
    }
    rend_free(rend);
    base_pool_destroy(pool);
    rend_patch_free(patch);
}

static const char both[] =
    "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=2\nPSVERSION_COMP=2\n[preset00]\n"
    "fWaveAlpha=1\nzoom=1.05\nrot=0.1\nwarp=1\n"
    "warp_1=`shader_body {\n"
    "warp_2=` ret = GetPixel(uv)*0.97 + GetBlur2(uv)*0.02 + 0.1*tex2D(sampler_noise_hq, "
    "uv*rad).xyz;\n"
    "warp_3=` ret.x += 0.05*sin(ang*3 + time); if (uv_orig.x > 0.5) ret.y += 0.02; }\n"
    "comp_1=`shader_body {\n"
    "comp_2=` ret = GetPixel(uv) + 0.3*hue_shader*GetBlur1(uv) + 0.1*rad*sin(ang*2);\n"
    "comp_3=` ret += 0.2*tex3D(sampler_noisevol_lq, float3(uv*4, time)).xyz; }\n";

/* Odd sizes leave tiles that are not full. */
static void threads_and_levels_change_nothing(void **state)
{
    (void)state;
    enum { MOST = 131 * 77 };
    static const struct {
        int width;
        int height;
        int divisors[2];
    } cases[] = {{131, 77, {1, 1}}, {16, 16, {4, 4}},  {17, 33, {3, 2}},
                 {64, 17, {2, 1}},  {129, 16, {1, 3}}, {65, 77, {4, 3}}};
    static uint32_t first[MOST];
    static uint32_t other[MOST];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int width = cases[i].width;
        const int height = cases[i].height;
        const int *divisors = cases[i].divisors;
        const size_t size = (size_t)width * (size_t)height * sizeof *first;
        draw(both, divisors, 1, BASE_CPU_PLAIN, 4, first, width, height);
        draw(both, divisors, 3, BASE_CPU_PLAIN, 4, other, width, height);
        assert_memory_equal(first, other, size);
        draw(both, divisors, 2, base_cpu_best(), 4, other, width, height);
        assert_memory_equal(first, other, size);
    }
}

static double difference(const uint32_t *a, const uint32_t *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 24; k += 8) {
            sum += abs((int)(a[i] >> k & 255) - (int)(b[i] >> k & 255));
        }
    }
    return sum / (3 * (double)count);
}

static void coarse_stages_look_alike(void **state)
{
    (void)state;
    enum { WIDTH = 200, HEIGHT = 150 };
    static uint32_t fine[WIDTH * HEIGHT];
    static uint32_t coarse[WIDTH * HEIGHT];
    static const int whole[2] = {1, 1};
    draw(both, whole, 1, base_cpu_best(), 3, fine, WIDTH, HEIGHT);
    for (int divisor = 2; divisor <= REND_DIVISOR_MAX; divisor++) {
        const int divisors[2] = {divisor, divisor};
        draw(both, divisors, 2, base_cpu_best(), 3, coarse, WIDTH, HEIGHT);
        const double apart = difference(fine, coarse, WIDTH * HEIGHT);
        assert_true(apart > 0.1);
        assert_true(apart < 16);
    }
}

static void endless_loops_end(void **state)
{
    (void)state;
    static const char text[] =
        "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=0\nPSVERSION_COMP=2\n[preset00]\n"
        "comp_1=`shader_body { float n = 1; while (n > uv.x*0) n += uv.y; ret = saturate(n)*0.5; "
        "}\n";
    uint32_t pixels[32 * 32];
    struct rend_patch *patch = patch_of(text, NULL);
    struct rend *rend = rend_create(&(struct rend_config){
        .width = 32, .height = 32, .mesh_x = 4, .mesh_y = 4, .fps = 60, .cpu = base_cpu_best()});
    assert_int_equal(rend_load(rend, patch, 0, NULL), 0);
    const struct rend_input input = {.frame = 1, .time = 0, .fps = 60};
    assert_true((rend_step(rend, &input, pixels, 32) & REND_EVENT_SHADER) != 0);
    assert_int_equal(pixels[5], 0x808080);
    rend_free(rend);
    rend_patch_free(patch);
}

/* ---- what presets share ---- */

static void same_text_compiles_once(void **state)
{
    (void)state;
    struct rend_resources *resources = rend_resources_create(NULL);
    const struct base_source_line line = {base_span_of("shader_body { ret = uv.x; }"), 1, 1};
    const struct base_source text = {"a.milk", &line, 1};
    struct rend_resource *first = rend_resource_stage(resources, SHADER_COMP, &text, NULL);
    struct rend_resource *again = rend_resource_stage(resources, SHADER_COMP, &text, NULL);
    struct rend_resource *warp = rend_resource_stage(resources, SHADER_WARP, &text, NULL);
    assert_non_null(first);
    assert_ptr_equal(rend_resource_program(first), rend_resource_program(again));
    assert_ptr_not_equal(rend_resource_program(first), rend_resource_program(warp));
    rend_resource_release(first);
    rend_resource_release(again);
    rend_resource_release(warp);
    rend_resources_free(resources);
}

static void broken_text_is_refused(void **state)
{
    (void)state;
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct rend_resources *resources = rend_resources_create(NULL);
    const struct base_source_line line = {base_span_of("shader_body { ret = nothing; }"), 7, 9};
    const struct base_source text = {"a.milk", &line, 1};
    assert_null(rend_resource_stage(resources, SHADER_COMP, &text, &sink));
    assert_int_equal(list.by_severity[BASE_ERROR], 1);
    assert_int_equal(list.items[0].place.line, 7);
    assert_int_equal(list.items[0].place.column, 9 + 20);
    rend_resources_free(resources);
}

struct shelf {
    int finds;
    int loads;
    bool there;
};

static bool find(void *user, const struct rend_picture_request *request, char *path, size_t size)
{
    struct shelf *shelf = user;
    shelf->finds++;
    (void)snprintf(path, size, "shelf/%s", request->name);
    return shelf->there;
}

static int measure(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink)
{
    (void)user;
    (void)path;
    (void)sink;
    *extent = (struct rend_extent){2, 2, 0};
    return 0;
}

static int load(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink)
{
    struct shelf *shelf = user;
    (void)room;
    (void)sink;
    assert_int_equal(halvings, 0);
    assert_string_equal(path, "shelf/moss");
    shelf->loads++;
    *picture = (struct rend_picture){malloc(4 * sizeof(uint32_t)), 2, 2};
    for (int i = 0; i < 4; i++) {
        picture->pixels[i] = 0xFF102030;
    }
    return 0;
}

static struct rend_resource *take(struct rend_resources *resources,
                                  const struct rend_picture_request *request)
{
    struct rend_resource *taken = NULL;
    bool whole = false;
    assert_int_equal(
        rend_resource_pictures(resources, request, 1, REND_MEMORY, &taken, &whole, NULL), 0);
    return taken;
}

static void pictures_are_loaded_once(void **state)
{
    (void)state;
    struct shelf shelf = {.there = true};
    const struct rend_pictures pictures = {
        .user = &shelf, .find = find, .measure = measure, .load = load};
    struct rend_resources *resources = rend_resources_create(&pictures);
    const struct rend_picture_request request = {.name = "moss", .preset_path = "a.milk"};
    struct rend_resource *first = take(resources, &request);
    struct rend_resource *again = take(resources, &request);
    assert_ptr_equal(rend_resource_texture(first), rend_resource_texture(again));
    assert_int_equal(rend_resource_texture(first)->level[0].texels[0], 0xFF102030);
    assert_int_equal(shelf.loads, 1);
    rend_resource_release(first);
    rend_resource_release(again);
    rend_resources_free(resources);
}

/* A picture of 8192 x 1 for each name. */
static int measure_wide(void *user, const char *path, struct rend_extent *extent,
                        const struct base_diag_sink *sink)
{
    (void)user;
    (void)path;
    (void)sink;
    *extent = (struct rend_extent){SHADER_SIZE_MAX, 1, 0};
    return 0;
}

static int load_wide(void *user, const char *path, int halvings, size_t room,
                     struct rend_picture *picture, const struct base_diag_sink *sink)
{
    struct shelf *shelf = user;
    (void)path;
    (void)halvings;
    (void)room;
    (void)sink;
    shelf->loads++;
    *picture = (struct rend_picture){calloc(SHADER_SIZE_MAX, sizeof(uint32_t)), SHADER_SIZE_MAX, 1};
    return 0;
}

/* What is in use stays; of the rest, the newest. */
static void old_pictures_go(void **state)
{
    (void)state;
    enum { MANY = 40 };
    struct shelf shelf = {.there = true};
    const struct rend_pictures pictures = {
        .user = &shelf, .find = find, .measure = measure_wide, .load = load_wide};
    struct rend_resources *resources = rend_resources_create(&pictures);
    const struct rend_picture_request used = {.name = "used", .preset_path = NULL};
    struct rend_resource *kept = take(resources, &used);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "p%d", i);
            const struct rend_picture_request request = {.name = name, .preset_path = NULL};
            rend_resource_release(take(resources, &request));
        }
    }
    assert_int_equal(shelf.loads, 1 + 2 * MANY);
    struct rend_resource *again = take(resources, &used);
    assert_ptr_equal(again, kept);
    const struct rend_picture_request newest = {.name = "p39", .preset_path = NULL};
    rend_resource_release(take(resources, &newest));
    assert_int_equal(shelf.loads, 1 + 2 * MANY);
    rend_resource_release(kept);
    rend_resource_release(again);
    rend_resources_free(resources);
}

/* ---- memory ---- */

/* Pictures by the number in their names; what the fake loader has in use is counted. */
struct store {
    struct rend_extent extents[REND_PICTURES_MAX];
    bool broken;
    int halvings[REND_PICTURES_MAX];
    int loads;
};

static bool find_stored(void *user, const struct rend_picture_request *request, char *path,
                        size_t size)
{
    (void)user;
    (void)snprintf(path, size, "%s", request->name);
    return true;
}

static int measure_stored(void *user, const char *path, struct rend_extent *extent,
                          const struct base_diag_sink *sink)
{
    const struct store *store = user;
    (void)sink;
    *extent = store->extents[atoi(path + 1)];
    return 0;
}

static int load_stored(void *user, const char *path, int halvings, size_t room,
                       struct rend_picture *picture, const struct base_diag_sink *sink)
{
    struct store *store = user;
    const struct rend_extent *extent = &store->extents[atoi(path + 1)];
    const int width = (extent->width + (1 << halvings) - 1) >> halvings;
    const int height = (extent->height + (1 << halvings) - 1) >> halvings;
    const size_t pixels = (size_t)width * (size_t)height;
    assert_true(extent->scratch + pixels * sizeof(uint32_t) <= room);
    store->halvings[atoi(path + 1)] = halvings;
    store->loads++;
    if (store->broken) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path}, NULL, "broken");
        return -1;
    }
    *picture = (struct rend_picture){calloc(pixels, sizeof(uint32_t)), width, height};
    return 0;
}

enum { MIB = 1 << 20 };

/* Takes pictures p0, p1, ... and gives them back; the bytes of their textures. */
static size_t bytes_of_stored(struct store *store, size_t count, size_t room, bool *whole,
                              struct base_diag_list *list)
{
    const struct rend_pictures pictures = {
        .user = store, .find = find_stored, .measure = measure_stored, .load = load_stored};
    const struct base_diag_sink sink = base_diag_list_sink(list);
    struct rend_resources *resources = rend_resources_create(&pictures);
    struct rend_picture_request requests[REND_PICTURES_MAX];
    struct rend_resource *taken[REND_PICTURES_MAX];
    char names[REND_PICTURES_MAX][24];
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "p%zu", i);
        requests[i] = (struct rend_picture_request){.name = names[i], .preset_path = "a.milk"};
    }
    assert_int_equal(rend_resource_pictures(resources, requests, count, room, taken, whole, &sink),
                     0);
    for (size_t i = 0; i < count; i++) {
        const struct shader_level *level = &rend_resource_texture(taken[i])->level[0];
        bytes += shader_image_bytes(level->width, level->height, 1);
        rend_resource_release(taken[i]);
    }
    rend_resources_free(resources);
    return bytes;
}

/* Of many large ones all are smaller; what is small stays as it is. */
static void pictures_share_the_memory(void **state)
{
    (void)state;
    enum { NAMED = 22 };
    struct store store = {0};
    struct base_diag_list list = {0};
    bool whole = false;
    for (size_t i = 0; i < NAMED; i++) {
        store.extents[i] = (struct rend_extent){2048, 2048, 0};
    }
    store.extents[3] = (struct rend_extent){256, 256, 0};
    const size_t bytes = bytes_of_stored(&store, NAMED, 40 * MIB, &whole, &list);
    assert_true(whole);
    assert_in_range(bytes, 20 * MIB, 40 * MIB);
    assert_int_equal(store.halvings[3], 0);
    assert_int_equal(store.loads, NAMED);
    assert_int_equal(list.count, NAMED - 1);
    assert_int_equal(list.by_severity[BASE_NOTE], NAMED - 1);
    assert_non_null(strstr(list.items[0].what, "2048x2048"));
}

/* As long as all fit, none is touched. */
static void pictures_that_fit_stay(void **state)
{
    (void)state;
    struct store store = {.extents = {{1024, 1024, 0}, {1024, 512, 0}, {8, 8, 0}}};
    struct base_diag_list list = {0};
    bool whole = false;
    (void)bytes_of_stored(&store, 3, 12 * MIB, &whole, &list);
    assert_true(whole && list.count == 0);
    assert_true(store.halvings[0] == 0 && store.halvings[1] == 0 && store.halvings[2] == 0);
}

/* What a file asks for while it is read counts as well; such files come first. */
static void scratch_memory_counts(void **state)
{
    (void)state;
    struct store store = {.extents = {{1024, 1024, 0}, {1024, 1024, 16 * MIB}, {64, 64, 99 * MIB}}};
    struct base_diag_list list = {0};
    bool whole = true;
    (void)bytes_of_stored(&store, 3, 24 * MIB, &whole, &list);
    assert_false(whole);
    assert_int_equal(store.loads, 2);
    assert_true(store.halvings[0] == 0 && store.halvings[1] == 0);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.by_severity[BASE_WARNING], 1);
    assert_non_null(strstr(list.items[0].what, "not enough memory for the picture 'p2'"));
}

/* The picture number `number` of the store, given back at once. */
static void touch_stored(struct rend_resources *resources, size_t number)
{
    char name[24];
    struct rend_resource *taken;
    bool whole;
    (void)snprintf(name, sizeof name, "p%zu", number);
    const struct rend_picture_request request = {.name = name, .preset_path = "a.milk"};
    assert_int_equal(rend_resource_pictures(resources, &request, 1, 64 * MIB, &taken, &whole, NULL),
                     0);
    rend_resource_release(taken);
}

/* What is kept of earlier presets leaves room for all that loading takes, not for the texture
 * alone. */
static void kept_pictures_leave_room(void **state)
{
    (void)state;
    enum { SMALL = 10, MEMORY = 64 * MIB };
    struct store store = {0};
    for (size_t i = 0; i < SMALL; i++) {
        store.extents[i] = (struct rend_extent){1024, 1024, 0};
    }
    store.extents[SMALL] = (struct rend_extent){2048, 2048, 0};
    const struct rend_pictures pictures = {.user = &store,
                                           .find = find_stored,
                                           .measure = measure_stored,
                                           .load = load_stored,
                                           .memory = MEMORY};
    struct rend_resources *resources = rend_resources_create(&pictures);
    for (size_t i = 0; i <= SMALL; i++) {
        touch_stored(resources, i);
    }
    size_t kept = 0;
    for (int loads = store.loads; kept < SMALL && store.loads == loads; kept++) {
        touch_stored(resources, SMALL - 1 - kept);
    }
    kept--; /* the last one was loaded */
    const size_t peak = 2048 * 2048 * sizeof(uint32_t) + shader_image_bytes(2048, 2048, 1);
    const size_t used = kept * shader_image_bytes(1024, 1024, 1) + peak;
    assert_in_range(used, MEMORY / 2, MEMORY);
    rend_resources_free(resources);
}

/* A picture that is there and cannot be read has a stand-in, each time, and each time it is said.
 */
static void broken_pictures_are_said(void **state)
{
    (void)state;
    struct store store = {.extents = {{8, 8, 0}}, .broken = true};
    const struct rend_pictures pictures = {
        .user = &store, .find = find_stored, .measure = measure_stored, .load = load_stored};
    struct rend_resources *resources = rend_resources_create(&pictures);
    for (int i = 0; i < 2; i++) {
        const struct rend_picture_request requests[] = {{.name = "p0", .preset_path = "a.milk"},
                                                        {.name = "p0", .preset_path = "a.milk"}};
        struct base_diag_list list = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&list);
        struct rend_resource *taken[2];
        bool whole = true;
        assert_int_equal(
            rend_resource_pictures(resources, requests, 2, REND_MEMORY, taken, &whole, &sink), 0);
        assert_false(whole);
        assert_ptr_equal(taken[0], taken[1]);
        assert_int_equal(list.by_severity[BASE_WARNING], 1);
        rend_resource_release(taken[0]);
        rend_resource_release(taken[1]);
    }
    rend_resources_free(resources);
}

/* A preset with a stand-in is not drawn as its author meant it. */
static void missing_pictures_degrade(void **state)
{
    (void)state;
    static const char text[] =
        "MILKDROP_PRESET_VERSION=201\nPSVERSION=2\n[preset00]\ncomp_1=`sampler sampler_moss;\n"
        "comp_2=`shader_body { ret = tex2D(sampler_moss, uv).xyz; }\n";
    for (int i = 0; i < 2; i++) {
        struct shelf shelf = {.there = i > 0};
        const struct rend_pictures pictures = {
            .user = &shelf, .find = find, .measure = measure, .load = load};
        struct rend_resources *resources = rend_resources_create(&pictures);
        struct rend_patch *patch = patch_of(text, resources);
        assert_int_equal(rend_patch_status(patch),
                         shelf.there ? REND_PATCH_OK : REND_PATCH_DEGRADED);
        rend_patch_free(patch);
        rend_resources_free(resources);
    }
}

static void missing_pictures_have_stand_ins(void **state)
{
    (void)state;
    struct shelf shelf = {.there = false};
    const struct rend_pictures pictures = {
        .user = &shelf, .find = find, .measure = measure, .load = load};
    struct rend_resources *resources = rend_resources_create(&pictures);
    const struct rend_picture_request request = {.name = "moss", .preset_path = NULL};
    struct rend_resource *picture = take(resources, &request);
    assert_non_null(picture);
    assert_true(rend_resource_texture(picture)->level[0].width >= 64);
    assert_int_equal(shelf.loads, 0);
    rend_resource_release(picture);
    rend_resources_free(resources);
}

static void stand_ins_show_something(void **state)
{
    (void)state;
    static const char *const names[] = {
#define REND_STANDIN(painter, parts) #painter,
#include "renderer/standin/standin.def"
        "rand00", "xyz", "", "a_name_of_nothing_at_all"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        enum { SIDE = REND_STANDIN_SIDE, PIXELS = SIDE * SIDE };
        uint32_t pixels[PIXELS];
        uint32_t again[PIXELS];
        rend_standin_paint(pixels, SIDE, names[i]);
        rend_standin_paint(again, SIDE, names[i]);
        assert_memory_equal(pixels, again, sizeof pixels);
        double mean = 0;
        double square = 0;
        for (size_t k = 0; k < PIXELS; k++) {
            const double green = pixels[k] >> 8 & 255;
            mean += green / PIXELS;
            square += green * green / PIXELS;
            assert_int_equal(pixels[k] >> 24, 255);
        }
        assert_in_range((int)mean, 8, 240);
        assert_true(square - mean * mean > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing),
        cmocka_unit_test(places_in_triangles),
        cmocka_unit_test(numbers_spread),
        cmocka_unit_test(threads_and_levels_change_nothing),
        cmocka_unit_test(coarse_stages_look_alike),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(same_text_compiles_once),
        cmocka_unit_test(broken_text_is_refused),
        cmocka_unit_test(pictures_are_loaded_once),
        cmocka_unit_test(old_pictures_go),
        cmocka_unit_test(pictures_share_the_memory),
        cmocka_unit_test(pictures_that_fit_stay),
        cmocka_unit_test(scratch_memory_counts),
        cmocka_unit_test(kept_pictures_leave_room),
        cmocka_unit_test(broken_pictures_are_said),
        cmocka_unit_test(missing_pictures_degrade),
        cmocka_unit_test(missing_pictures_have_stand_ins),
        cmocka_unit_test(stand_ins_show_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
