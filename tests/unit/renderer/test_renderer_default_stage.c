/* Generated and fallback texts of stages against spec/milk-rendering.md section 9.1. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/print.h"
#include "presets/presets.h"
#include "renderer/shade.h"
#include "tmu/tmu.h"

enum { TEXT_SIZE = 2048 };

static void text_of(const struct base_source *source, char text[TEXT_SIZE])
{
    size_t used = 0;
    assert_non_null(source);
    assert_non_null(source->file);
    for (size_t i = 0; i < source->count; i++) {
        const struct base_source_line *line = &source->lines[i];
        assert_int_equal(line->line, i + 1);
        assert_int_equal(line->column, 1);
        used += (size_t)snprintf(text + used, TEXT_SIZE - used, "%.*s\n", (int)line->text.size,
                                 line->text.data);
        assert_true(used < TEXT_SIZE);
    }
}

static void read_keys(struct preset *preset, const char *keys)
{
    char file[TEXT_SIZE];
    const int size = snprintf(file, sizeof file, "[preset00]\nfRating=3\n%s", keys);
    assert_int_equal(preset_read(preset, "test.milk", file, (size_t)size, NULL), 0);
}

static void check(enum shader_stage stage, const char *keys, const char *expected)
{
    struct preset preset;
    char text[TEXT_SIZE];
    struct base_arena arena = {0};
    read_keys(&preset, keys);
    const struct base_source *source = rend_default_stage(stage, &preset, &arena);
    preset_free(&preset);
    text_of(source, text);
    assert_string_equal(text, expected);
    base_arena_free(&arena);
}

#define BODY(lines) "shader_body\n{\n" lines "}\n"
#define MAIN        "    ret = tex2D(sampler_main, uv).xyz;\n"

static void test_warp(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"", BODY("    ret = tex2D(sampler_main, uv).xyz * 0.98;\n")},
        {"bTexWrap=0\n", BODY("    ret = tex2D(sampler_fc_main, uv).xyz * 0.98;\n")},
        {"fDecay=1\n", BODY("    ret = tex2D(sampler_main, uv).xyz * 1.00;\n")},
        {"fDecay=0.9\n", BODY("    ret = tex2D(sampler_main, uv).xyz * 0.90;\n")},
        {"fDecay=0.006\n", BODY("    ret = tex2D(sampler_main, uv).xyz * 0.01;\n")},
        {"fDecay=-0.5\n", BODY("    ret = tex2D(sampler_main, uv).xyz * -0.50;\n")},
        {"fDecay=-0.001\n", BODY("    ret = tex2D(sampler_main, uv).xyz * 0.00;\n")},
        {"fDecay=1e30\n", BODY("    ret = tex2D(sampler_main, uv).xyz * 1000000.00;\n")},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        check(SHADER_WARP, table[i][0], table[i][1]);
    }
}

static void test_comp(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"", BODY(MAIN "    ret *= 2.00;\n")},
        {"fGammaAdj=1.987\n", BODY(MAIN "    ret *= 1.99;\n")},
        {"fVideoEchoAlpha=0.004\n", BODY(MAIN "    ret *= 2.00;\n")},
        {"fVideoEchoAlpha=0.5\nfVideoEchoZoom=3\nnVideoEchoOrientation=1\n",
         BODY(MAIN "    float2 echo_uv = (uv - 0.5) * 0.333 * float2(-1, 1) + 0.5;\n"
                   "    ret = lerp(ret, tex2D(sampler_main, echo_uv).xyz, 0.50);\n"
                   "    ret *= 2.00;\n")},
        {"fVideoEchoAlpha=1\nfVideoEchoZoom=0\nnVideoEchoOrientation=-2\n",
         BODY(MAIN "    float2 echo_uv = (uv - 0.5) * 1000000.000 * float2(1, -1) + 0.5;\n"
                   "    ret = lerp(ret, tex2D(sampler_main, echo_uv).xyz, 1.00);\n"
                   "    ret *= 2.00;\n")},
        {"fShader=0.6\n", BODY(MAIN "    ret *= 2.00;\n    ret *= 0.40 + 0.60 * hue_shader;\n")},
        {"fShader=9\n", BODY(MAIN "    ret *= 2.00;\n    ret *= -8.00 + 9.00 * hue_shader;\n")},
        {"bBrighten=1\nbDarken=1\nbSolarize=1\nbInvert=1\nfGammaAdj=1\n",
         BODY(MAIN "    ret *= 1.00;\n    ret = sqrt(ret);\n    ret *= ret;\n"
                   "    ret = ret * (1 - ret) * 4;\n    ret = 1 - ret;\n")},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        check(SHADER_COMP, table[i][0], table[i][1]);
    }
}

static void test_fallback(void **state)
{
    (void)state;
    char text[TEXT_SIZE];
    text_of(rend_fallback_stage(SHADER_WARP), text);
    assert_string_equal(text, BODY("    ret = tex2D(sampler_main, uv).xyz - 0.004;\n"));
    text_of(rend_fallback_stage(SHADER_COMP), text);
    assert_string_equal(text, BODY(MAIN));
}

static const char everything[] = "fVideoEchoAlpha=0.5\nfShader=0.5\nbBrighten=1\nbDarken=1\n"
                                 "bSolarize=1\nbInvert=1\n";

static void test_short_memory(void **state)
{
    (void)state;
    struct preset preset;
    read_keys(&preset, everything);
    for (size_t limit = 1; limit < 4000; limit += 37) {
        struct base_arena arena;
        base_arena_init(&arena, limit);
        const struct base_source *source = rend_default_stage(SHADER_COMP, &preset, &arena);
        assert_true((source == NULL) == arena.failed);
        base_arena_free(&arena);
    }
    preset_free(&preset);
}

static void compile(enum shader_stage stage, const struct base_source *source)
{
    struct base_diag_list list = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct shader_program *program = shader_compile(stage, source, &sink);
    if (program == NULL) {
        fail_msg("%s: %s", source->file, list.count > 0 ? list.items[0].what : "");
    }
    assert_int_equal(list.count, 0);
    shader_free(program);
}

static void test_compiles(void **state)
{
    (void)state;
    struct preset preset;
    struct base_arena arena = {0};
    read_keys(&preset, everything);
    for (enum shader_stage stage = SHADER_WARP; stage < SHADER_STAGES; stage++) {
        compile(stage, rend_fallback_stage(stage));
        compile(stage, rend_default_stage(stage, &preset, &arena));
        preset.wrap = 0;
        preset.decay = -1;
        preset.echo_zoom = -2;
        preset.gamma = -3;
        compile(stage, rend_default_stage(stage, &preset, &arena));
    }
    preset_free(&preset);
    base_arena_free(&arena);
}

/* The stage's colour in 255ths where the picture has one colour all over and hue_shader is 1/2. */
static void draw(enum shader_stage stage, const struct base_source *source, uint32_t colour,
                 double out[3])
{
    struct tmu_surface canvas = tmu_surface_create(16, 16);
    for (size_t i = 0; i < canvas.stride * 17; i++) {
        canvas.pixels[i] = colour;
    }
    const struct shader_texture texture = shader_texture_of(&canvas);
    struct shader_program *program = shader_compile(stage, source, &base_diag_stderr);
    assert_non_null(program);
    struct shader_frame *frame = calloc(1, sizeof *frame);
    void *scratch = aligned_alloc(64, shader_scratch_size(program) / 64 * 64 + 64);
    assert_true(frame != NULL && scratch != NULL);
    frame->program = program;
    frame->cpu = base_cpu_best();
    frame->textures[0] = &texture;
    frame->constants = aligned_alloc(64, shader_constants_size(program) / 64 * 64 + 64);
    assert_non_null(frame->constants);
    shader_prepare(frame);
    struct shader_tile tile = shader_tile(frame, scratch);
    for (int input = 0; input < SHADER_INPUTS; input++) {
        for (int lane = 0; tile.input[input] != NULL && lane < SHADER_TILE; lane++) {
            tile.input[input][lane] = 0.5f;
        }
    }
    assert_true(shader_run(frame, scratch, &tile));
    for (int k = 0; k < 3; k++) {
        out[k] = 255 * (double)tile.ret[k][77];
    }
    free(frame->constants);
    free(frame);
    free(scratch);
    shader_free(program);
    tmu_surface_free(&canvas);
}

static void test_draws(void **state)
{
    (void)state;
    static const struct {
        enum shader_stage stage;
        const char *keys; /* NULL: the fallback */
        double expected[3];
    } table[] = {
        {SHADER_WARP, NULL, {253.98, 126.98, 49.98}},
        {SHADER_COMP, NULL, {255, 128, 51}},
        {SHADER_WARP, "fDecay=0.9\n", {229.5, 115.2, 45.9}},
        {SHADER_WARP, "fDecay=0.9\nbTexWrap=0\n", {229.5, 115.2, 45.9}},
        {SHADER_COMP, "fGammaAdj=1\nbInvert=1\n", {0, 127, 204}},
        {SHADER_COMP, "fGammaAdj=1.5\nfShader=0.5\n", {286.875, 144, 57.375}},
        {SHADER_COMP, "fGammaAdj=1\nbBrighten=1\n", {255, 180.666, 114.039}},
        {SHADER_COMP, "fGammaAdj=1\nbDarken=1\n", {255, 64.251, 10.2}},
        {SHADER_COMP, "fGammaAdj=1\nbSolarize=1\n", {0, 254.996, 163.2}},
        {SHADER_COMP,
         "fGammaAdj=1\nfVideoEchoAlpha=0.5\nnVideoEchoOrientation=3\n",
         {255, 128, 51}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const enum shader_stage stage = table[i].stage;
        struct preset preset;
        struct base_arena arena = {0};
        double got[3];
        read_keys(&preset, table[i].keys == NULL ? "" : table[i].keys);
        draw(stage,
             table[i].keys == NULL ? rend_fallback_stage(stage)
                                   : rend_default_stage(stage, &preset, &arena),
             0xFF8033, got);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(got[k] - table[i].expected[k]) < 0.01);
        }
        preset_free(&preset);
        base_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp),     cmocka_unit_test(test_comp),
        cmocka_unit_test(test_fallback), cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_compiles), cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
