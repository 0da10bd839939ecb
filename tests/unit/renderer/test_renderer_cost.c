/* Presets that cost too much: a frame of any of them ends soon, with the same bits everywhere, and
 * tells of it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../turns.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/show.h"

#define HEAD   "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=3\nPSVERSION_COMP=3\n[preset00]\n"
#define SILENT "[preset00]\nfWaveAlpha=0\n"

/* Nested loops of volume reads and powers. */
#define LOOPS(stage)                                                                               \
    stage "_1=`shader_body { float3 s = 0; float i = 0; while (i < 400) { float j = 0;\n" stage    \
          "_2=`while (j < 400) { s += tex3D(sampler_noisevol_hq, float3(uv*(i+1.3), "              \
          "j*0.37+s.x)).xyz;\n" stage                                                              \
          "_3=`s += pow(abs(s)+0.1, 1.01+j*0.001); j += 1; } i += 1; } ret = s*0.001; }\n"

static const char loops[] = HEAD LOOPS("warp") LOOPS("comp");

/* The same without a loop: taken apart by the compiler. */
#define UNROLLED(stage)                                                                            \
    stage "_1=`shader_body { float3 s = uv.xyx; for (int i=0; i<50; i++) for (int j=0; j<10; "     \
          "j++)\n" stage "_2=`{ s += tex3D(sampler_noisevol_hq, s*(i+1.1)).xyz*0.1; "              \
          "s = pow(abs(s)+0.1, 1.01+j*0.01); } ret = s*0.001; }\n"

static const char unrolled[] = HEAD UNROLLED("warp") UNROLLED("comp");

/* Many reads, of neighbouring texels and of texels from all over the picture. */
#define READS(stage, place)                                                                        \
    stage "_1=`shader_body { float3 s = 0; float2 p = uv;\n" stage                                 \
          "_2=`for (int i=0; i<30; i++) { p = " place                                              \
          "; s += tex2D(sampler_main, p).xyz; }\n" stage "_3=`ret = s*0.02; }\n"
#define BESIDE "p + 0.011 + 0.0001*sin(p.yx*3.1)"
#define APART  "frac(p.yx*7777.1 + sin(p*12345.7))"

static const char beside[] = HEAD READS("warp", BESIDE) READS("comp", BESIDE);
static const char apart[] = HEAD READS("warp", APART) READS("comp", APART);

static const char modest[] =
    HEAD "warp_1=`shader_body { ret = tex2D(sampler_main, uv).xyz*0.9 + 0.1*sin(uv.x*9); }\n"
         "comp_1=`shader_body { ret = tex2D(sampler_main, uv).xyz; }\n";

struct size {
    int width;
    int height;
};

static struct rend_patch *patch_of(const char *text)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "x.milk", text, strlen(text), NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    assert_non_null(patch);
    preset_free(&preset);
    return patch;
}

static struct rend_config config_of(struct size size, int64_t cost)
{
    return (struct rend_config){.width = size.width,
                                .height = size.height,
                                .mesh_x = 48,
                                .mesh_y = 36,
                                .fps = 60,
                                .cpu = base_cpu_best(),
                                .cost = cost};
}

/* Draws two frames and returns the events of the second. */
static unsigned draw(const char *text, const struct rend_config *config, uint32_t *pixels)
{
    struct rend_patch *patch = patch_of(text);
    struct rend *rend = rend_create(config);
    unsigned events = 0;
    assert_non_null(rend);
    assert_int_equal(rend_load(rend, patch, 0, NULL), 0);
    for (uint64_t frame = 1; frame <= 2; frame++) {
        const struct rend_input input = {.frame = frame, .time = (double)frame / 60, .fps = 60};
        events = rend_step(rend, &input, pixels, (size_t)config->width);
    }
    rend_free(rend);
    rend_patch_free(patch);
    return events;
}

static unsigned draw_sized(const char *text, struct size size, int64_t cost)
{
    const struct rend_config config = config_of(size, cost);
    uint32_t *pixels = calloc((size_t)size.width * (size_t)size.height, sizeof *pixels);
    assert_non_null(pixels);
    const unsigned events = draw(text, &config, pixels);
    free(pixels);
    return events;
}

enum { SHADERS = REND_EVENT_WARP_COST | REND_EVENT_COMP_COST };

static void costly_shaders_are_told(void **state)
{
    (void)state;
    const struct size size = {320, 180};
    assert_int_equal(draw_sized(loops, size, 4000000) & SHADERS, SHADERS);
    assert_int_equal(draw_sized(unrolled, size, 4000000) & REND_EVENTS_COSTLY, SHADERS);
    assert_int_equal(draw_sized(modest, size, 4000000), 0);
    assert_int_equal(draw_sized(modest, size, 0), 0);
    assert_int_equal(draw_sized(modest, (struct size){1920, 1080}, 0), 0);
}

/* What a preset with these shapes, so many of each of four and with so many sides, is made of. */
#define SHAPE(n, count, sides, outline, equations)                                                 \
    "shapecode_" n "_enabled=1\nshapecode_" n "_num_inst=" count "\nshapecode_" n "_sides=" sides  \
    "\nshapecode_" n "_border_a=" outline "\nshapecode_" n "_thickOutline=1\nshape_" n             \
    "_per_frame1=" equations "\n"
#define SHAPES(count, equations) SILENT SHAPE("0", count, "4", "0", "rad=3;ang=instance;" equations)
#define FOUR(count, sides, outline, equations)                                                     \
    SHAPE("0", count, sides, outline, equations)                                                   \
    SHAPE("1", count, sides, outline, equations)                                                   \
    SHAPE("2", count, sides, outline, equations) SHAPE("3", count, sides, outline, equations)

static const char outlines[] = SILENT FOUR("256", "100", "0.3", "rad=0.9;ang=instance;a=0;a2=0;");
static const char textured[] =
    SILENT FOUR("1024", "50", "0.3", "rad=0.3;ang=instance;textured=1;x=rand(100)*0.01;");

/* Shaders and shapes, each of which fits into a frame alone. */
#define SEVERAL FOUR("40", "4", "0", "rad=3;ang=instance;a=0.5;a2=0.1;")
static const char reads[] = HEAD READS("warp", BESIDE) READS("comp", BESIDE) "fWaveAlpha=0\n";
static const char layers[] = SILENT SEVERAL;
static const char both[] = HEAD READS("warp", BESIDE) READS("comp", BESIDE) SEVERAL;

/* Twice as many pixels do not make a frame longer. */
static void a_frame_ends_at_any_size(void **state)
{
    (void)state;
    static const char *const texts[] = {loops, unrolled, textured};
    static const struct size sizes[] = {{1280, 720}, {1920, 1080}, {3840, 2160}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = i % EACH(3); k < sizeof texts / sizeof *texts; k += EACH(3)) {
            const clock_t begun = clock();
            (void)draw_sized(texts[k], sizes[i], 20000000);
            /* Seconds; two frames of some tens of milliseconds beside what the size takes. */
            assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 8);
        }
    }
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    enum { WIDTH = 640, HEIGHT = 420 };
    static uint32_t first[WIDTH * HEIGHT];
    static uint32_t other[WIDTH * HEIGHT];
    static const struct {
        const char *text;
        struct size size;
        int64_t cost;
        unsigned events;
    } cases[] = {
        {loops, {300, 170}, 4000000, SHADERS},
        {unrolled, {300, 170}, 4000000, SHADERS},
        {apart, {WIDTH, HEIGHT}, 8000000, SHADERS},
        {outlines, {300, 170}, 4000000, REND_EVENT_FILL},
        {textured, {300, 170}, 4000000, REND_EVENT_FILL},
        {both, {128, 100}, 286 * 128 * 100, REND_EVENT_COMP_COST},
    };
    static const size_t threads[] = {1, 2, 7};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rend_config config = config_of(cases[i].size, cases[i].cost);
        config.cpu = BASE_CPU_PLAIN;
        const unsigned events = draw(cases[i].text, &config, first);
        assert_int_equal(events & cases[i].events, cases[i].events);
        for (enum base_cpu_level cpu = BASE_CPU_FOUR; cpu <= base_cpu_best(); cpu++) {
            const size_t k = (i + (size_t)cpu) % (sizeof threads / sizeof *threads);
            config.cpu = cpu;
            config.pool = base_pool_create(threads[k]);
            assert_int_equal(draw(cases[i].text, &config, other), events);
            assert_memory_equal(first, other, sizeof first);
            base_pool_destroy(config.pool);
        }
    }
}

/* A line "KEY=x=sin(x)^x^x^..." of a preset. */
static void add_powers(char *text, size_t size, const char *key)
{
    static char line[32000];
    size_t length = (size_t)snprintf(line, sizeof line, "%s=zoom=sin(x", key);
    while (length + 20 < sizeof line) {
        length += (size_t)snprintf(line + length, sizeof line - length, "+x)^sin(x");
    }
    (void)snprintf(line + length, sizeof line - length, ");\n");
    assert_true(strlen(text) + strlen(line) < size);
    (void)strcat(text, line);
}

static void costly_equations_are_told(void **state)
{
    (void)state;
    static char text[40000];
    const struct size size = {64, 48};
    static const struct {
        const char *head;
        const char *key;
    } cases[] = {
        {SILENT "shapecode_0_enabled=1\nshapecode_0_num_inst=1024\n", "shape_0_per_frame1"},
        {SILENT "shapecode_0_enabled=1\nshapecode_0_num_inst=1\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)strcpy(text, cases[i].head);
        if (cases[i].key != NULL) {
            add_powers(text, sizeof text, cases[i].key);
        }
        assert_int_equal(draw_sized(text, size, 0), cases[i].key != NULL ? REND_EVENT_BUDGET : 0);
    }
    /* Dear operations use up a loop's operations sooner. */
    assert_int_equal(draw_sized(SILENT "per_frame_1=n=2;loop(400000,n=pow(n,0.99)+1);\n", size, 0),
                     0);
    assert_int_equal(draw_sized(SILENT "per_frame_1=n=2;loop(1000000,n=pow(n,0.99)+1);\n", size, 0),
                     REND_EVENT_BUDGET);
}

/* Those that hide one another are drawn once. */
static void costly_shapes_are_told(void **state)
{
    (void)state;
    const struct size size = {640, 360};
    const int64_t cost = 30000000;
    assert_int_equal(draw_sized(SHAPES("1024", "a=0.5;a2=0.5;"), size, cost), REND_EVENT_FILL);
    assert_int_equal(draw_sized(SHAPES("1024", "a=1;a2=1;"), size, cost), 0);
    assert_int_equal(draw_sized(SHAPES("1024", "a=0.5;a2=0.5;"), size, 0), 0);
    assert_int_equal(draw_sized(outlines, size, cost), REND_EVENT_FILL);
    assert_int_equal(draw_sized(textured, size, cost), REND_EVENT_FILL);
}

/* What a stage's frame may cost for each pixel, where pictures are as large as they may be. */
enum { STAGE_PIXEL = 143 };

static int64_t stage_cost(struct size size)
{
    return (int64_t)STAGE_PIXEL * size.width * size.height;
}

/* However large the picture is, presets that cover it two hundred times are drawn whole on a stage.
 */
static void many_layers_are_drawn_at_any_size(void **state)
{
    (void)state;
    const struct size sizes[] = {{320, 180}, {1280, 720}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(draw_sized(SHAPES("200", "a=0.5;a2=0.5;"), sizes[i], stage_cost(sizes[i])),
                         0);
    }
}

/* Reads of a large picture cost more where neighbouring pixels read far from each other. */
static void scattered_reads_cost_more(void **state)
{
    (void)state;
    const struct size size = {2048, 1024};
    const int64_t cost = 2 * stage_cost(size);
    assert_int_equal(draw_sized(beside, size, cost), 0);
    assert_int_equal(draw_sized(apart, size, cost) & SHADERS, SHADERS);
}

/* All that is drawn in a frame shares its cost. */
static void stages_share_a_frame(void **state)
{
    (void)state;
    const struct size size = {640, 360};
    const int64_t cost = 2 * stage_cost(size);
    assert_int_equal(draw_sized(reads, size, cost), 0);
    assert_int_equal(draw_sized(layers, size, cost), 0);
    assert_int_equal(draw_sized(both, size, cost), REND_EVENT_COMP_COST);
}

/* One preset gives way to the next, both of which have to fit into a frame: one that takes more
 * than half of it leaves at once, and one that does not fit with the other stands still. A preset
 * that leaves does not blame the one that comes. */
static void two_presets_share_a_frame(void **state)
{
    (void)state;
    enum { SIDE = 128, PIXELS = SIDE * SIDE };
    static uint32_t pixels[PIXELS];
    static uint8_t saved[1 << 20];
    static const struct {
        const char *texts[2];
        unsigned events[2];
        bool changes;
        bool stands_still;
    } cases[] = {
        {{modest, modest}, {0, 0}, true, false},     {{loops, modest}, {SHADERS, 0}, false, false},
        {{modest, loops}, {0, SHADERS}, true, true}, {{layers, modest}, {0, 0}, true, false},
        {{layers, beside}, {0, 0}, true, true},
    };
    const struct rend_config config =
        config_of((struct size){SIDE, SIDE}, (int64_t)2 * STAGE_PIXEL * PIXELS);
    const struct rend_change changes[2] = {{.seconds = 0}, {.seconds = 1}};
    const struct rend_moment moment = {.fps = 60};
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        const bool restores = i % 2 != 0;
        struct rend_patch *patches[2] = {patch_of(cases[i / 2].texts[0]),
                                         patch_of(cases[i / 2].texts[1])};
        struct rend_show *show = rend_show_create(&config);
        assert_non_null(show);
        for (size_t k = 0; k < 2; k++) {
            struct rend_cue *cue = rend_cue_create(&config, patches[k], &changes[k], &moment, NULL);
            const struct rend_input input = {
                .frame = k + 1, .time = (double)(k + 1) / 60, .fps = 60};
            assert_non_null(cue);
            if (k == 1 && restores) {
                struct rend_cue *again[REND_ROLES] = {
                    rend_cue_create(&config, patches[0], &changes[0], &moment, NULL)};
                const size_t size = rend_show_save(show, saved, sizeof saved);
                assert_true(size > 0);
                rend_show_free(show);
                show = rend_show_create(&config);
                assert_int_equal(rend_show_restore(show, again, saved, size, NULL), 0);
            }
            rend_show_take(show, cue);
            assert_int_equal(rend_show_step(show, &input, pixels, SIDE) & REND_EVENTS_COSTLY,
                             cases[i / 2].events[k]);
        }
        assert_int_equal(rend_show_changes(show), cases[i / 2].changes);
        struct rend_cue *retired = rend_show_retired(show);
        assert_int_equal(retired != NULL, cases[i / 2].stands_still || !cases[i / 2].changes);
        rend_cue_free(retired);
        rend_show_free(show);
        rend_patch_free(patches[0]);
        rend_patch_free(patches[1]);
    }
}

static void the_line_is_known(void **state)
{
    (void)state;
    struct rend_patch *patch = patch_of(loops);
    assert_int_equal(rend_patch_line(patch, REND_EVENT_WARP_COST), 5);
    assert_int_equal(rend_patch_line(patch, REND_EVENT_COMP_COST), 8);
    assert_int_equal(rend_patch_line(patch, REND_EVENT_FILL), 0);
    rend_patch_free(patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costly_shaders_are_told),
        cmocka_unit_test(a_frame_ends_at_any_size),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(costly_equations_are_told),
        cmocka_unit_test(costly_shapes_are_told),
        cmocka_unit_test(many_layers_are_drawn_at_any_size),
        cmocka_unit_test(scattered_reads_cost_more),
        cmocka_unit_test(stages_share_a_frame),
        cmocka_unit_test(two_presets_share_a_frame),
        cmocka_unit_test(the_line_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
