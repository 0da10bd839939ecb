/* Texts of stages and the colour they give, as the reference computes it. */
#include "test_renderer_shader_text.h"

#include <float.h>
#include <math.h>

#include "renderer/shader/lower/lower.h"
#include "renderer/shader/lower/scope.h"
#include "renderer/shader/run/kernels.h"

/* The first pixel's uv is 0.25, 0.75; rad 0.5, ang 1; q1..q4 are 1, 2, 3, 4. time is 10. */
enum { WIDTH = 4, HEIGHT = 4 };

struct world {
    float uniforms[SHADER_SLOTS];
    struct shader_image picture; /* red 0.2 x, green 0.2 y, blue 0.2, alpha 0.4 */
    struct shader_image volume;  /* the same but blue 0.2 z */
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
};

static uint32_t byte(double value)
{
    return (uint32_t)(value * 255.0 + 0.5);
}

static int set_up(void **state)
{
    static struct world world;
    uint32_t pixels[WIDTH * HEIGHT];
    uint32_t texels[4 * 4 * 4];
    for (uint32_t k = 0; k < 4 * 4 * 4; k++) {
        texels[k] = byte(k % 4 * 0.2) << 16 | byte(k / 4 % 4 * 0.2) << 8 | byte(k / 16 * 0.2);
    }
    for (uint32_t k = 0; k < WIDTH * HEIGHT; k++) {
        pixels[k] = byte(0.4) << 24 | byte(k % 4 * 0.2) << 16 | byte(k / 4 * 0.2) << 8 | byte(0.2);
    }
    world.uniforms[SHADER_SLOT_time] = 10;
    for (int k = 0; k < 4; k++) {
        world.uniforms[SHADER_SLOT_q1 + k] = (float)(k + 1);
        world.uniforms[SHADER_SLOT__qa + k] = (float)(k + 1);
        world.uniforms[SHADER_SLOT_rot_s1 + 4 * k % 12] = 1; /* rows 0..2: the identity */
        world.uniforms[SHADER_SLOT_texsize + k] = (float)(100 + k);
    }
    world.uniforms[SHADER_SLOT_rot_s1 + 9] = 0.5f;
    world.uniforms[SHADER_SLOT_blur1_min] = 0.1f;
    world.uniforms[SHADER_SLOT_blur1_max] = 0.6f;
    if (shader_image_create(&world.picture, pixels, WIDTH, WIDTH, HEIGHT, 1) != 0 ||
        shader_image_create(&world.volume, texels, 4, 4, 4, 4) != 0) {
        return -1;
    }
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    shader_image_free(&world->picture);
    shader_image_free(&world->volume);
    return 0;
}

static bool build(struct shader_ir *ir, struct base_arena *arena, enum shader_stage stage,
                  const char *text, struct base_diag_list *messages)
{
    struct stage_text lines;
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    open_text(&lines, text);
    shader_ir_init(ir, arena);
    const bool built = shader_lower(ir, stage, &lines.source, &sink);
    close_text(&lines);
    return built;
}

static bool run(const struct world *world, const struct shader_ir *ir, float ret[3])
{
    struct shader_reference reference = {.uniforms = world->uniforms};
    const struct shader_texture *textures[SHADER_TEXTURES_MAX] = {NULL};
    for (size_t k = 0; k < ir->binding_count; k++) {
        const bool missing = strcmp(ir->bindings[k].name, "missing") == 0;
        textures[k] = missing                  ? NULL
                      : ir->bindings[k].volume ? &world->volume.texture
                                               : &world->picture.texture;
    }
    reference.textures = textures;
    for (int k = 0; k < 4; k++) {
        reference.input[SHADER_INPUT_U][k] = 0.25f + 0.01f * (float)(k & 1);
        reference.input[SHADER_INPUT_V][k] = 0.75f + 0.01f * (float)(k / 2);
        reference.input[SHADER_INPUT_U_ORIG][k] = 0.125f;
        reference.input[SHADER_INPUT_V_ORIG][k] = 0.875f;
        reference.input[SHADER_INPUT_RAD][k] = 0.5f;
        reference.input[SHADER_INPUT_ANG][k] = 1.0f;
        reference.input[SHADER_INPUT_HUE_R][k] = 0.3f;
        reference.input[SHADER_INPUT_HUE_G][k] = 0.4f;
        reference.input[SHADER_INPUT_HUE_B][k] = 0.5f;
    }
    const bool ended = shader_reference_run(ir, &reference);
    for (int k = 0; k < 3; k++) {
        ret[k] = reference.ret[k][0];
    }
    return ended;
}

struct fact {
    const char *text; /* with "shader_body", or what stands in its braces */
    float red;
    float green;
    float blue;
};

static void check_color(const char *text, const char *when, const float ret[3],
                        const struct fact *fact)
{
    const float wanted[3] = {fact->red, fact->green, fact->blue};
    for (int k = 0; k < 3; k++) {
        const float tolerance = 2e-5f * (1.0f + fabsf(wanted[k]));
        const bool same = isnan(wanted[k])   ? isnan(ret[k])
                          : isinf(wanted[k]) ? ret[k] == wanted[k]
                                             : fabsf(ret[k] - wanted[k]) <= tolerance;
        if (!same) {
            fail_msg("%s (%s): part %d is %g, not %g", text, when, k, (double)ret[k],
                     (double)wanted[k]);
        }
    }
}

static void check_fact(const struct world *world, enum shader_stage stage, const struct fact *fact)
{
    char text[4096];
    struct base_arena arena = {0};
    struct shader_ir ir;
    struct base_diag_list messages = {0};
    float ret[3];
    snprintf(text, sizeof text, strstr(fact->text, "shader_body") ? "%s" : "shader_body {%s\n}",
             fact->text);
    if (!build(&ir, &arena, stage, text, &messages)) {
        fail_msg("%s: %s", fact->text, messages.items[0].what);
    }
    const char *wrong = shader_ir_verify(&ir);
    if (wrong != NULL) {
        fail_msg("%s: %s", fact->text, wrong);
    }
    assert_true(run(world, &ir, ret));
    check_color(fact->text, "as lowered", ret, fact);
    shader_ir_finish(&ir);
    assert_null(shader_ir_verify(&ir));
    assert_true(run(world, &ir, ret));
    check_color(fact->text, "finished", ret, fact);
    base_arena_free(&arena);
}

static void check_facts(void **state, const struct fact *facts, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        check_fact(*state, SHADER_COMP, &facts[k]);
    }
}

#define CHECK(FACTS) check_facts(state, FACTS, sizeof FACTS / sizeof FACTS[0])

static void test_conversions(void **state)
{
    static const struct fact facts[] = {
        {"", 0, 0, 0},
        {"ret = 0.5;", .5f, .5f, .5f},
        {"ret = float4(.1, .2, .3, .4);", .1f, .2f, .3f},
        {"float2 a = float4(.1, .2, .3, .4); ret = float3(a, 1);", .1f, .2f, 1},
        {"float a = float3(.4, .2, .3); ret = a;", .4f, .4f, .4f},
        {"int a = 2.7; int b = -2.7; ret = float3(a, b, 3/2);", 2, -2, 1},
        {"int a = 7; a /= 2; a *= 1.5; ret = float3(a, (int)3.9, 7 % 4);", 4, 3, 3},
        {"int a = uv.x*30; ret = float3(a, a/2, a%4);", 7, 3, 3},
        {"ret = float3(uv.x > 0, uv.x > 1, (uv.x > 0)*0.5);", 1, 0, .5f},
        {"bool a = 0.2; bool b = uv.x; ret = float3(a, b, !a);", 1, 1, 0},
        {"ret = float3(3/2, 7/4*0.25, 1/2);", 1, .25f, 0},
        {"ret = float3(5.5 % 2, -5.5 % 2, 1);", 1.5f, -1.5f, 1},
        {"float3 a = float3(1, float2(2, 3)); ret = a.zyx;", 3, 2, 1},
        {"float3 a = (float3)0.5; a += float4(1, 2, 3, 4); ret = a;", 1.5f, 2.5f, 3.5f},
        {"ret = float3(1, 2, 3) * float4(2, 2, 2, 2);", 2, 4, 6},
        {"ret = true + true;", 2, 2, 2},
        {"half3 h = 0.5; double2 d = h; ret = float3(d, h.z);", .5f, .5f, .5f},
        {"bool3 b = bool3(uv.x > 0, uv.y > 1, 2); ret = b;", 1, 0, 1},
        {"float4 f = _qa; float2x2 m = float2x2(_qa); ret = float3(m[1], f.y);", 3, 4, 2},
        {"float1 x = 0.5; ret = x.xxx;", .5f, .5f, .5f},
        {"int2 i = int2(1.5, -1.5); ret = float3(i, 0);", 1, -1, 0},
        {"ret = (uv.x > 0) * float3(1, 2, 3);", 1, 2, 3},
        {"ret = (float3(1, 2, 3) > 1.5) * 2;", 0, 2, 2},
        {"ret = !uv.x;", 0, 0, 0},
        {"ret = -(uv.x > 0);", -1, -1, -1},
    };
    CHECK(facts);
}

static void test_operators(void **state)
{
    static const struct fact facts[] = {
        {"float z = uv.x*0; ret = float3(1/z, -1/z, z/z);", FLT_MAX, -FLT_MAX, 0},
        {"float z = uv.x*0; ret = float3(z*(1/z), z*rsqrt(z), z*log(z));", 0, 0, 0},
        {"float2 z = uv*0; ret = float3((z/dot(z, z)).x, pow(z.x, z.y), 1 + sin(1/z.x)*z.y);", 0, 1,
         1},
        {"ret = float3(uv.x < .5, uv.x <= .25, uv.x > .25);", 1, 1, 0},
        {"ret = float3(uv.x >= .25, uv.x == .25, uv.x != .25);", 1, 1, 0},
        {"ret = float3(uv.x && 0, uv.x || 0, (uv.x > 0) == (uv.y > 0));", 0, 1, 1},
        {"ret = float3((uv.x > 0) != true, (uv.x > 0) != (uv.y > 9), 1 == true);", 0, 1, 1},
        {"ret = uv.x < .5 ? float3(1, 2, 3) : 0;", 1, 2, 3},
        {"float3 b = float3(.1, .6, .9); ret = b > .5 ? float3(1, .5, .25) : 0;", 0, .5f, .25f},
        {"float3 b = float3(.1, .6, .9); ret = b > .5 ? 1 : 0;", 0, 1, 1},
        {"float a = 1, b = 2; ret = float3(a++, ++b, a);", 1, 3, 2},
        {"float2 a = 1; a--; ret = float3(a, -a.x);", 0, 0, 0},
        {"float a, b; a = b = 3; a -= 1; b %= 2; ret = float3(a, b, (a, b, 7));", 2, 1, 7},
        {"ret = float3(6 & 3, 6 | 3, 6 ^ 3);", 2, 7, 5},
        {"ret = float3(1 << 4, 9 >> 1, ~4);", 16, 4, -5},
        {"bool t = uv.x > 0; ret = float3(t & true, t | false, t ^ true);", 1, 1, 0},
        {"ret = 1 - 2 - 3 * 4 / 2;", -7, -7, -7},
        {"float n = sin(exp(99 + uv.x)); ret = float3(n == n, n != n, n < 1);", 0, 0, 0},
        {"float n = uv.x - uv.x; n /= n; ret = n ? 1 : 2;", 2, 2, 2},
    };
    CHECK(facts);
}

static void test_parts(void **state)
{
    static const struct fact facts[] = {
        {"float3 a = .2; a.xz *= 2; a.y += .1; a.zx = a.xy; ret = a;", .3f, .3f, .4f},
        {"ret.rgb = float3(1, 2, 3); ret.b = ret.r;", 1, 2, 1},
        {"float2x2 m = float2x2(.1, .2, .3, .4); ret = float3(m[0], m[1].y);", .1f, .2f, .4f},
        {"float2x2 m = {1, 2, 3, 4}; ret = float3(m._m01, m._21, m._11_22.y);", 2, 3, 4},
        {"float2x2 m = 0; m[1] = float2(5, 6); m._m00 = 7; ret = float3(m[1], m[0].x);", 5, 6, 7},
        {"float2x2 m = float2x2(.1, .2, .3, .4); ret = float3(mul(float2(1, 0), m), 0);", .1f, .2f,
         0},
        {"float2x2 m = float2x2(.1, .2, .3, .4); ret = float3(mul(m, float2(1, 0)), 0);", .1f, .3f,
         0},
        {"float2x2 m = float2x2(1, 2, 3, 4); float2x2 n = m * m; ret = float3(n[0], n[1].x);", 1, 4,
         9},
        {"float2x2 m = float2x2(1, 2, 3, 4); float2x2 n = mul(m, m); ret = float3(n[0], n[1].x);",
         7, 10, 15},
        {"float2x3 m = float2x3(1, 2, 3, 4, 5, 6); ret = transpose(m)[2].xyy + float3(0, 0, 1);", 3,
         6, 7},
        {"ret = mul(float4(1, 2, 3, 1), rot_s1);", 1.5f, 2, 3},
        {"ret = mul(float3(1, 2, 3), rot_s1);", 1, 2, 3},
        {"ret = float3(mul(float2x3(uv.xyx, uv.yxy), float3(1, 0, 0)), 0);", .25f, .75f, 0},
        {"float3x3 m = float3x3(2,0,0, 0,3,0, 1,0,4); ret = determinant(m);", 24, 24, 24},
        {"float a[3] = {1, 2, 3}; a[1] = 5; ret = float3(a[0], a[1], a[2]);", 1, 5, 3},
        {"float2 a[2] = {float2(1, 2), float2(3, 4)}; ret = float3(a[1], a[0].y);", 3, 4, 2},
        {"float2 a[2] = {1, 2, 3, 4}; a[1].y = 9; ret = float3(a[1], a[0].y);", 3, 9, 2},
        {"float a[4] = {1, 2, 3, 4}; ret = float3(a[uv.x*10], a[uv.y*100], a[-uv.x*9]);", 3, 4, 1},
        {"float a[4]; a[uv.x*10] = 5; ret = float3(a[1], a[2], a[3]);", 0, 5, 0},
        {"float a[4]; a[uv.x*100] = 5; ret = float3(a[1], a[2], a[3]);", 0, 0, 5},
        {"ret[uv.x*6] = 1; ret[0] += .5;", .5f, 1, 0},
        {"float2x2 m = float2x2(1, 2, 3, 4); int i = uv.x*4; int j = uv.y; m[i][j] += 10;\n"
         "ret = float3(m[i], m[0][i]);",
         13, 4, 2},
        {"float3 a = float3(1, 2, 3); ret = float3(uv[1], a.zyx[uv.x*4], (a*2)[1]);", .75f, 2, 4},
        {"float a[2] = {1, 2}; float b[2] = a; b[0] = 7; ret = float3(a[0], b[0], b[1]);", 1, 7, 2},
        {"const int n = 2; float a[n] = {1, 2}; ret = a[1];", 2, 2, 2},
    };
    CHECK(facts);
}

static void test_functions(void **state)
{
    static const struct fact facts[] = {
        {"float f(float x) { return x * 2; } shader_body { ret = f(.25); }", .5f, .5f, .5f},
        {"void f(float x, out float y, inout float z) { y = x*2; z += y; }\n"
         "shader_body { float a, b = 1; f(.2, a, b); ret = float3(a, b, 0); }",
         .4f, 1.4f, 0},
        {"void f(out float2 y) { y = float2(1, 2); } shader_body { f(ret.yz); }", 0, 1, 2},
        {"float f(float x, float y = 3) { return x + y; } shader_body { ret = float3(f(1), f(1, "
         "1), "
         "0); }",
         4, 2, 0},
        {"float f(float x); float g(float x) { return f(x) + 1; }\n"
         "float f(float x) { return x * 2; } shader_body { ret = g(2); }",
         5, 5, 5},
        {"float f(float x) { return 1; } float f(float2 x) { return 2; }\n"
         "float f(float3 x, float y) { return 3; }\n"
         "shader_body { ret = float3(f(.5), f(uv), f(ret, 1)); }",
         1, 2, 3},
        {"float f(float x) { if (x > .5) return 1; if (x > .2) { x *= 2; return x; } return 3; }\n"
         "shader_body { ret = float3(f(uv.y), f(uv.x), f(uv.x - .1)); }",
         1, .5f, 3},
        {"float f(float x) { if (x > .5) return 1; else return 2; x = 7; return x; }\n"
         "shader_body { ret = float3(f(uv.y), f(uv.x), 0); }",
         1, 2, 0},
        {"float f(float x) { for (int i = 0; i < 9; i++) { if (i > x) return i; } return -1; }\n"
         "shader_body { ret = float3(f(uv.x*10), f(uv.y*100), f(3)); }",
         3, -1, 4},
        {"float f(float2 x) { return x.y; } shader_body { ret = f(float4(1, 2, 3, 4)); }", 2, 2, 2},
        {"float3 f(sampler s, float2 x) { return tex2D(s, x); }\n"
         "shader_body { ret = f(sampler_pw_main, uv); }",
         .2f, .6f, .2f},
        {"float sum(float a[3]) { return a[0] + a[1] + a[2]; }\n"
         "shader_body { float b[3] = {1, 2, 3}; ret = sum(b); }",
         6, 6, 6},
        {"static float n = 1; void f() { n += 1; } shader_body { f(); f(); ret = n; }", 3, 3, 3},
        {"float saturate(float x) { return x * 3; } shader_body { ret = saturate(2); }", 6, 6, 6},
        {"float f(float x) { x = 9; return 0; } shader_body { float x = 1; f(x); ret = x; }", 1, 1,
         1},
        {"float f() { float t; } shader_body { ret = f() + 2; }", 2, 2, 2},
    };
    CHECK(facts);
}

static void test_branches(void **state)
{
    static const struct fact facts[] = {
        {"if (uv.x < .5) ret = 1; else ret = 2;", 1, 1, 1},
        {"if (uv.x > .5) ret = 1; else if (uv.y > .5) ret = 2; else ret = 3;", 2, 2, 2},
        {"float a = 1; if (uv.x < .5) { a = 2; if (uv.y < .5) a = 3; ret.x = a; } ret.y = a;", 2, 2,
         0},
        {"ret = 1; if (uv.x < .5) return; ret = 2;", 1, 1, 1},
        {"ret = 1; if (uv.x > .5) return; ret = 2; if (uv.y > .5) { ret.x = 3; return; } ret = 4;",
         3, 2, 2},
        {"ret = 1; { { if (uv.x < .5) return; } ret = 2; } ret = 3;", 1, 1, 1},
        {"if (1) ret = 1; else ret = undeclared;", 1, 1, 1},
        {"if (uv.x) { float a = 5; ret = a; } float a = 6; ret.y = a;", 5, 6, 5},
        {"bool b; if (uv.x < .5) b = true; ret = b;", 1, 1, 1},
        {"if (uv.x > .5) uv = 0; ret = float3(uv, 0);", .25f, .75f, 0},
        {"float2 a; if (uv.x < .5) a.x = 1; else a.y = 1; ret = float3(a, 0);", 1, 0, 0},
        {"clip(-1); discard; ret = 1;", 1, 1, 1},
    };
    CHECK(facts);
}

static void test_loops(void **state)
{
    static const struct fact facts[] = {
        {"for (int i = 0; i < 4; i++) ret += i;", 6, 6, 6},
        {"int i = 5; while (i > 0) { ret.x += i; i--; } ret.y = i;", 15, 0, 0},
        {"int i = 5; do { ret.x += 1; i++; } while (i < 5); ret.y = i;", 1, 6, 0},
        {"float n = uv.x * 16; for (int i = 0; i < n; i++) ret += i; ret.z = n;", 6, 6, 4},
        {"float n = uv.x * 16; int i = 0; while (i < n) { i++; ret.x += 1; } ret.y = i;", 4, 4, 0},
        {"float n = uv.x * 16; do { ret.x += 1; n -= 1; } while (n > 0); ret.y = n;", 4, 0, 0},
        {"for (int i = 0; i < 9; i++) { if (i > uv.x*10) break; ret.x += 1; } ret.y = i;", 3, 3, 0},
        {"for (int i = 0; i < 9; i++) { if (i == 3) continue; if (i > 5) break; ret.x += i; }", 12,
         0, 0},
        {"for (int i = 0; i < 6; i++) { if (i < uv.x*10) continue; ret.x += i; }", 12, 0, 0},
        {"float n = uv.x * 40; for (int i = 0; i < n; i++) { if (i > 3) break; if (i == 1) "
         "continue; ret.x += i; } ret.y = i;",
         5, 4, 0},
        {"float n = uv.x * 40; for (int i = 0; i < n; i++) { if (i == 4) { ret.y = i; return; } "
         "ret.x += 1; } ret = 9;",
         4, 4, 0},
        {"for (int i = 0; i < 3; i++) for (int j = 0; j <= i; j++) ret.x += j;", 4, 0, 0},
        {"float n = uv.x * 12; for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) { if (j > "
         "1) break; ret.x += j; }",
         2, 0, 0},
        {"float n = uv.x * 12; for (int i = 0; i < n; i++) { float m = uv.y * 4; while (m > i) { "
         "ret.x += 1; m--; } }",
         6, 0, 0},
        {"static float s; void f() { s += 1; } shader_body { float n = uv.x * 12;\n"
         "for (int i = 0; i < n; i++) f(); ret = s; }",
         3, 3, 3},
        {"for (int i = 0; i < 1000; i++) ret.x += 1;", 1000, 0, 0},
        {"int i = 0; while (true) { i++; if (i > 5) break; } ret = i;", 6, 6, 6},
        {"int i = 0; while (1) { i++; if (i > uv.x * 1000) break; } ret = i;", 251, 251, 251},
        {"if (uv.x < .5) { float n = uv.x * 12; for (int i = 0; i < n; i++) ret += 1; }", 3, 3, 3},
        {"if (uv.x > .5) { float n = uv.x * 12; while (n > 0) ret += 1; } else ret = 2;", 2, 2, 2},
        {"for (int n = 0; n < 2; n++) ret.x += 1; for (int n = 0; n < 3; n++) ret.y += 1; int n = "
         "7; ret.z = n;",
         2, 3, 7},
        {"float n = uv.x * 12; float a[3] = {1, 2, 3}; for (int i = 0; i < n; i++) ret.x += a[i];",
         6, 0, 0},
        {"float2 z = 0; float n = uv.x * 16; for (int i = 0; i < n; i++) z = z.yx + float2(1, 0); "
         "ret = float3(z, 0);",
         2, 2, 0},
        {"for (; ret.x < 5; ) ret.x += 2;", 6, 0, 0},
        {"float n = uv.x * 16; bool odd; for (int i = 0; i < n - 1; i++) odd = !odd; ret = odd;", 1,
         1, 1},
        {"float n = uv.x * 8; for (int i = 0; i < 400; i++) { if (ret.x < n) ret.x += 1; }", 2, 0,
         0},
    };
    CHECK(facts);
}

static void test_globals(void **state)
{
    static const struct fact facts[] = {
        {"static const float k = q2 * 2; float2 a = k; shader_body { ret = float3(a, k); }", 4, 4,
         4},
        {"float3 c; shader_body { c.y = 1; ret = c; }", 0, 1, 0},
        {"static const float2x2 m = {q1, q2, q3, q4}; shader_body { ret = float3(m[1], m[0].y); }",
         3, 4, 2},
        {"float2 d[2] = {float2(1, 2), float2(3, 4)}; shader_body { ret = float3(d[1], 0); }", 3, 4,
         0},
        {"float k = 1; float f() { return k; } shader_body { float k = 2; ret = float3(k, f(), 0); "
         "}",
         2, 1, 0},
        {"float4 rand_frame; float4 texsize_missing; shader_body { ret = rand_frame.x; }", 0, 0, 0},
        {"shader_body { float4 aspect = 3; float4 texsize = 2; ret = float3(aspect.x, texsize.y, "
         "time); }",
         3, 2, 10},
        {"shader_body { float lerp = 2; ret = lerp(0, lerp, 0.5); }", 1, 1, 1},
        {"shader_body { ret = float3(M_PI, M_PI_2, M_INV_PI_2); }", 3.14159265f, 6.28318531f,
         .159154943f},
        {"shader_body { ret = _qa.yzw; }", 2, 3, 4},
        {"shader_body { ret = hue_shader; ret.x = rad; ret.y = ang; }", .5f, 1, .5f},
        {"shader_body { uv += 1; ret = float3(uv_orig, uv.x); }", 1.25f, 1.75f, 1.25f},
        {"shader_body { rad = 3; hue_shader.y = 7; ret = float3(rad, hue_shader.yz); }", 3, 7, .5f},
        {"shader_body { ret = float3(q1, q32, q4); }", 1, 0, 4},
    };
    CHECK(facts);
}

static void test_warp_inputs(void **state)
{
    static const struct fact facts[] = {
        {"uv += 1; ret = float3(uv_orig, uv.x);", .125f, .875f, 1.25f},
        {"float hue_shader = 2; ret = hue_shader;", 2, 2, 2},
    };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        check_fact(*state, SHADER_WARP, &facts[k]);
    }
}

static void test_textures(void **state)
{
    static const struct fact facts[] = {
        {"ret = tex2D(sampler_pw_main, uv);", .2f, .6f, .2f},
        {"ret = tex2D(sampler_FP_main, uv);", .1f, .5f, .2f},
        {"ret = tex2D(sampler_PC_main, float4(uv, 7, 8)).yxz;", .6f, .2f, .2f},
        {"ret = GetPixel(uv) + GetMain(uv);", .2f, 1, .4f},
        {"ret = tex2D(sampler_pc_main, float2(9, -9));", .6f, 0, .2f},
        {"ret = tex2D(sampler_main, uv).w;", 1, 1, 1},
        {"sampler sampler_pw_art; shader_body { ret = tex2D(sampler_pw_art, uv).a; }", .4f, .4f,
         .4f},
        {"ret = tex2D(sampler_pw_art, uv, uv, uv).a;", .4f, .4f, .4f},
        {"ret = tex2Dlod(sampler_pw_main, float4(uv, 0, 5));", .2f, .6f, .2f},
        {"ret = tex2Dlod(sampler_pw_art, float4(uv, 0, 0)).rgb;", .2f, .6f, .2f},
        {"ret = tex2Dlod(sampler_pw_art, float4(uv, 0, 2)).b;", .2f, .2f, .2f},
        {"ret = tex2Dbias(sampler_pw_main, float4(uv, 0, 5));", .2f, .6f, .2f},
        {"ret = tex2Dproj(sampler_pw_main, float4(2*uv, 0, 2));", .2f, .6f, .2f},
        {"ret = tex3D(sampler_pw_noisevol_hq, float3(uv, .5));", .2f, .6f, .4f},
        {"ret = tex3D(sampler_pw_cube, float3(uv, .5));", .2f, .6f, .4f},
        {"ret = tex2D(sampler_pw_noisevol_hq, uv);", .2f, .6f, 0},
        {"ret = tex3D(sampler_pw_noise_lq, float3(uv, .5));", .2f, .6f, .2f},
        {"ret = tex1D(sampler_pw_main, uv.x);", .2f, .4f, .2f},
        {"ret = tex2d(sampler_missing, uv);", 0, 0, 0},
        {"sampler sampler_pw_main = sampler_state { Texture = <x>; };\n"
         "shader_body { ret = tex2D(sampler_pw_main, uv); }",
         .2f, .6f, .2f},
        {"ret = GetBlur1(uv + 1/8.0);", .2f, .4f, .2f},
        {"ret = texsize_main.xyz + texsize.w;", 203, 204, 205},
    };
    CHECK(facts);
}

static void test_intrinsics(void **state)
{
    static const struct fact facts[] = {
        {"float a = uv.x - .75; ret = float3(pow(a, 2), pow(a, 3), pow(a, -1));", .25f, .125f, 2},
        {"float a = uv.x - .75; ret = float3(pow(a, .5), pow(a, 2.5), pow(a, uv.x * 12));",
         .70710678f, .1767767f, .125f},
        {"float a = uv.x - .5; ret = float3(sqrt(a), rsqrt(a), abs(a));", .5f, 2, .25f},
        {"float a = uv.x - .5; ret = float3(log2(a), log(a), log10(a));", -2, -1.38629436f,
         -.60205999f},
        {"ret = float3(exp(uv.x), exp2(uv.x), sign(-uv.x));", 1.28402542f, 1.18920712f, -1},
        {"ret = float3(sin(uv.x), cos(uv.x), tan(uv.x));", .24740396f, .96891242f, .25534192f},
        {"ret = float3(asin(uv.x), acos(uv.x), atan(uv.x));", .25268026f, 1.31811607f, .24497866f},
        {"ret = float3(sinh(uv.x), cosh(uv.x), tanh(uv.x));", .25261232f, 1.03141310f, .24491866f},
        {"ret = float3(atan2(uv.x, -uv.y), fmod(-uv.y, .5), frac(-uv.x));", 2.81984210f, -.25f,
         .75f},
        {"ret = float3(floor(-uv.x), ceil(uv.x), round(uv.y));", -1, 1, 1},
        {"ret = float3(trunc(-uv.y), degrees(uv.x), radians(uv.x));", 0, 14.3239449f, .00436332f},
        {"ret = float3(min(uv.x, uv.y), max(uv.x, .5), clamp(uv.y, 0, .5));", .25f, .5f, .5f},
        {"ret = float3(lerp(1, 3, uv.x), step(.5, uv.x), step(.25, uv.x));", 1.5f, 0, 1},
        {"ret = float3(smoothstep(0, 1, uv.x), saturate(uv.x - 1), saturate(uv.x * 9));", .15625f,
         0, 1},
        {"float n = sin(exp(99 + uv.x)); ret = float3(saturate(n), isnan(n), isinf(exp(99)));", 0,
         1, 1},
        {"float n = uv.x * 0; ret = float3(isfinite(n), isfinite(1 / n), isnan(1));", 1, 1, 0},
        {"ret = float3(length(uv), distance(uv, 0), dot(uv, uv));", .79056942f, .79056942f, .625f},
        {"ret = float3(length(-uv.x), dot(float4(1, 2, 3, 4), 1), lum(float4(1, 1, 1, 9)));", .25f,
         10, 1.1f},
        {"ret = normalize(float3(3, 0, -4 * uv.x / .25));", .6f, 0, -.8f},
        {"ret = normalize(ret * uv.x);", 0, 0, 0},
        {"ret = cross(float3(1, 2, 3), float3(4, 5, uv.x * 24));", -3, 6, -3},
        {"ret = reflect(float3(1, -1, 0), float3(0, 1, 0));", 1, 1, 0},
        {"ret = refract(float3(0, -1, 0), float3(0, 1, 0), .5);", 0, -1, 0},
        {"ret = faceforward(float3(1, 2, 3), float3(0, 0, 1), float3(0, 0, 1));", -1, -2, -3},
        {"float i; ret.x = modf(-uv.y * 3, i); ret.y = i;", -.25f, -2, 0},
        {"float s, c; sincos(uv.x, s, c); ret = float3(s, c, 0);", .24740396f, .96891242f, 0},
        {"float e; ret.x = frexp(uv.y * 4, e); ret.y = e; ret.z = ldexp(.75, 2);", .75f, 2, 3},
        {"ret = lit(uv.x, uv.y, 2).yzw;", .25f, .5625f, 1},
        {"ret = float3(all(uv), any(uv - uv), all(float2(1, 0)));", 1, 0, 0},
        {"ret = float3(abs(-3) / 2, max(3, 2) / 2, sign(-2.5) / 2);", 1, 1, 0},
        {"ret = ddx(uv.x) + fwidth(uv.y) + 1;", 1, 1, 1},
        {"float3 a = lerp(float4(1, 2, 3, 4), 0, .5); ret = max(a, 1);", 1, 1, 1.5f},
        {"ret = float3(mad(2, 3, 4), rcp(uv.x), mul(uv, uv));", 10, 4, .625f},
        {"float3 v = float3(1, 2, 3); ret = mul(v, 2) + mul(2, v);", 4, 8, 12},
    };
    CHECK(facts);
}

/* Text, and what the first message must contain. */
static void test_errors(void **state)
{
    static const struct {
        const char *text;
        uint32_t line;
        uint32_t column;
        const char *what;
    } cases[] = {
        {"shader_body {\n ret = foo;\n}", 11, 15, "'foo' is not declared"},
        {"shader_body {\n ret = foo(1);\n}", 11, 15, "no function 'foo'"},
        {"shader_body {\n ret = float2(1, 2);\n}", 11, 15, "float2 cannot become float3"},
        {"shader_body {\n float3 a = uv;\n}", 11, 20, "float2 cannot become float3"},
        {"shader_body {\n float time = 1;\n}", 11, 0, "'time' is declared again"},
        {"shader_body {\n float2 uv = 1;\n}", 11, 0, "'uv' is declared again"},
        {"float f(float rad) { return 1; }\nshader_body {\n ret = f(1);\n}", 10, 0,
         "'rad' is declared again"},
        {"float lum(float3 x) { return 1; }\nshader_body {\n}", 10, 0, "'lum' is declared again"},
        {"shader_body {\n float a; float a;\n}", 11, 0, "'a' is declared again"},
        {"shader_body {\n float3 ret = 1;\n}", 11, 0, "'ret' is declared again"},
        {"float f(float x) { return f(x); }\nshader_body {\n ret = f(1);\n}", 10, 0,
         "calls itself"},
        {"float f(float x);\nshader_body {\n ret = f(1);\n}", 12, 0, "has no body"},
        {"float f(float x) { return x; }\nshader_body {\n ret = f(1, 2);\n}", 12, 0,
         "takes 1 arguments, not 2"},
        {"shader_body {\n ret = sin(1, 2);\n}", 11, 0, "'sin' takes 1 argument, not 2"},
        {"shader_body {\n const float a = 1; a = 2;\n}", 11, 0, "constant"},
        {"shader_body {\n ret.w = 1;\n}", 11, 0, "float3 has no 'w'"},
        {"shader_body {\n ret = sampler_main;\n}", 11, 0, ""},
        {"shader_body {\n ret = tex2D(uv, uv);\n}", 11, 0, "'uv' is no sampler"},
        {"shader_body {\n ret = texCUBE(sampler_main, ret);\n}", 11, 0, "cube"},
        {"shader_body {\n 1 = ret;\n}", 11, 0, ""},
        {"shader_body {\n ret = float3(1, 2);\n}", 11, 0, "float3 takes 3 numbers, not 2"},
        {"shader_body {\n float a[2] = {1, 2, 3};\n}", 11, 0, "takes 2 numbers, not 3"},
        {"shader_body {\n break;\n}", 11, 0, "no loop"},
        {"shader_body {\n ret = float2x2(1,2,3,4) * float3(1,2,3);\n}", 11, 0,
         "do not go together"},
        {"shader_body {\n int a = uv.x; ret = a & 3;\n}", 11, 0, "bits"},
        {"float f() { return; }\nshader_body {\n ret = f();\n}", 10, 0, "result is missing"},
        {"void f() { }\nshader_body {\n ret = f();\n}", 12, 0, "void cannot become float3"},
        {"shader_body {\n ret = tex2Dlod(sampler_main, uv);\n}", 11, 0,
         "float2 cannot become float4"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct base_arena arena = {0};
        struct shader_ir ir;
        struct base_diag_list messages = {0};
        if (build(&ir, &arena, SHADER_COMP, cases[k].text, &messages)) {
            fail_msg("%s: no error", cases[k].text);
        }
        const struct base_diag *first = &messages.items[0];
        if (messages.count != 1 || first->place.line != cases[k].line ||
            (cases[k].column != 0 && first->place.column != cases[k].column) ||
            strstr(first->what, cases[k].what) == NULL) {
            fail_msg("%s: %zu messages, %u:%u %s", cases[k].text, messages.count, first->place.line,
                     first->place.column, first->what);
        }
        base_arena_free(&arena);
    }
}

static void check_hostile(const char *text)
{
    struct base_arena arena = {0};
    struct shader_ir ir;
    struct base_diag_list messages = {0};
    if (build(&ir, &arena, SHADER_COMP, text, &messages)) {
        assert_null(shader_ir_verify(&ir));
    } else {
        assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    }
    base_arena_free(&arena);
}

/* What would take for ever ends in a message, or in a loop. */
static void test_hostile(void **state)
{
    static const char *const texts[] = {
        "shader_body { while (true) ; }",
        "shader_body { while (uv.x > 0) ret += 1; }",
        "shader_body { for (int a = 0; a < 200; a++) for (int b = 0; b < 200; b++)\n"
        "for (int c = 0; c < 200; c++) for (int d = 0; d < 200; d++) ret += sin(a + b + c + d); }",
        "shader_body { float n = uv.x;\n"
        "for (int a = 0; a < n; a++) for (int b = 0; b < n; b++) for (int c = 0; c < n; c++)\n"
        "for (int d = 0; d < n; d++) for (int e = 0; e < n; e++) for (int f = 0; f < n; f++)\n"
        "for (int g = 0; g < n; g++) for (int h = 0; h < n; h++) for (int i = 0; i < n; i++)\n"
        "for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) ret += n + k; }",
        "float a(float x) { return sin(x) + cos(x); }\n"
        "float b(float x) { return a(x) + a(x + 1) * a(x + 2) + a(x + 3); }\n"
        "float c(float x) { return b(x) + b(x + 1) * b(x + 2) + b(x + 3); }\n"
        "float d(float x) { return c(x) + c(x + 1) * c(x + 2) + c(x + 3); }\n"
        "float e(float x) { return d(x) + d(x + 1) * d(x + 2) + d(x + 3); }\n"
        "float f(float x) { return e(x) + e(x + 1) * e(x + 2) + e(x + 3); }\n"
        "float g(float x) { return f(x) + f(x + 1) * f(x + 2) + f(x + 3); }\n"
        "float h(float x) { return g(x) + g(x + 1) * g(x + 2) + g(x + 3); }\n"
        "float i(float x) { return h(x) + h(x + 1) * h(x + 2) + h(x + 3); }\n"
        "float j(float x) { return i(x) + i(x + 1) * i(x + 2) + i(x + 3); }\n"
        "float k(float x) { return j(x) + j(x + 1) * j(x + 2) + j(x + 3); }\n"
        "shader_body { ret = k(uv.x); }",
        "static float4x4 a[256]; static float4x4 b[256]; static float4x4 c[256];\n"
        "static float4x4 d[256]; static float4x4 e[256]; static float4x4 f[256];\n"
        "static float4x4 g[256]; static float4x4 h[256]; shader_body { a[uv.x] = b[uv.y]; }",
        "shader_body { float a[256]; int i = uv.x * 9;\n"
        "for (int k = 0; k < 100; k++) a[a[i + k]] = a[a[k]] + a[i]; ret = a[3]; }",
    };
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        check_hostile(texts[k]);
    }
    static const struct {
        const char *start;
        const char *part;
        size_t count;
        const char *end;
    } long_ones[] = {
        {"shader_body { ret = 0", " + uv.x", 450, "; }"},
        {"shader_body { ret = 0", "; ret.x = ret.y + 1", 20000, "; }"},
        {"shader_body { ret = ", "sin(", 190, "1)"},
        {"shader_body { ret = uv.x", ".x", 450, "; }"},
        {"shader_body { ", "if (uv.x < .5) return; ret += 1; ", 2000, "}"},
        {"shader_body { ", "for (int i = 0; i < uv.x; i++) { if (i > uv.y) break; ", 150, "}"},
        {"shader_body { ", "float3 a; { ", 150, "}"},
        {"shader_body { float a = 0; ", "a += sin(a) * uv.x; ", 5000, "}"},
    };
    for (size_t k = 0; k < sizeof long_ones / sizeof long_ones[0]; k++) {
        char *text =
            repeated(long_ones[k].start, long_ones[k].part, long_ones[k].count, long_ones[k].end);
        check_hostile(text);
        free(text);
    }
}

static void test_bindings(void **state)
{
    static const char text[] = "sampler sampler_fw_noise_lq; sampler sampler_My_Art;\n"
                               "shader_body { ret = tex2D(sampler_fw_noise_lq, uv)\n"
                               " + tex2D(sampler_PC_Noise_LQ, uv) + GetBlur2(uv)\n"
                               " + tex2D(sampler_My_Art, uv) + texsize_noise_mq.x\n"
                               " + tex3D(sampler_noisevol_lq, ret) + texsize_fw_noise_lq.y; }";
    static const struct {
        const char *name;
        bool volume;
    } wanted[] = {{"noise_lq", false},
                  {"blur2", false},
                  {"art", false},
                  {"noise_mq", false},
                  {"noisevol_lq", true}};
    struct base_arena arena = {0};
    struct shader_ir ir;
    struct base_diag_list messages = {0};
    (void)state;
    assert_true(build(&ir, &arena, SHADER_WARP, text, &messages));
    assert_int_equal(ir.binding_count, sizeof wanted / sizeof wanted[0]);
    for (size_t k = 0; k < ir.binding_count; k++) {
        assert_string_equal(ir.bindings[k].name, wanted[k].name);
        assert_int_equal(ir.bindings[k].volume, wanted[k].volume);
    }
    assert_int_equal(ir.fetches[1].sampler.linear, false);
    assert_int_equal(ir.fetches[1].sampler.address, SHADER_CLAMP);
    assert_int_equal(ir.fetches[2].sampler.linear, true);
    assert_int_equal(ir.fetches[2].sampler.address, SHADER_CLAMP); /* blur */
    base_arena_free(&arena);
}

static void test_sampler_names(void **state)
{
    static const struct {
        const char *name;
        const char *texture; /* NULL: refused */
        bool linear;
        enum shader_address address;
        bool volume;
        bool flat;
    } cases[] = {
        {"sampler_main", "main", true, SHADER_REPEAT, false, true},
        {"sampler_FC_main", "main", true, SHADER_CLAMP, false, true},
        {"sampler_cf_main", "main", true, SHADER_CLAMP, false, true},
        {"sampler_Wp_main", "main", false, SHADER_REPEAT, false, true},
        {"sampler_blur1", "blur1", true, SHADER_CLAMP, false, true},
        {"sampler_fw_blur1", "blur1", true, SHADER_REPEAT, false, true},
        {"sampler_blur4", "blur4", true, SHADER_REPEAT, false, false},
        {"sampler_xy_thing", "thing", true, SHADER_REPEAT, false, false},
        {"sampler_fp_thing", "thing", true, SHADER_REPEAT, false, false},
        {"sampler_Rand02_Smalltiled", "rand02_smalltiled", true, SHADER_REPEAT, false, false},
        {"texsize_pw_noise_lq", "noise_lq", false, SHADER_REPEAT, false, false},
        {"sampler_noisevol_hq", "noisevol_hq", true, SHADER_REPEAT, true, false},
        {"base01", "base01", true, SHADER_REPEAT, false, false},
        {"sampler_", NULL, false, SHADER_REPEAT, false, false},
        {"sampler_0123456789012345678901234567890123456789012345678901234567890123", NULL, false,
         SHADER_REPEAT, false, false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct shader_sampler_name name;
        const bool good = shader_sampler_name(base_span_of(cases[k].name), &name);
        assert_int_equal(good, cases[k].texture != NULL);
        if (good) {
            assert_string_equal(name.texture, cases[k].texture);
            assert_int_equal(name.sampler.linear, cases[k].linear);
            assert_int_equal(name.sampler.address, cases[k].address);
            assert_int_equal(name.volume, cases[k].volume);
            assert_int_equal(name.flat, cases[k].flat);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_operators),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_functions),
        cmocka_unit_test(test_branches),    cmocka_unit_test(test_loops),
        cmocka_unit_test(test_globals),     cmocka_unit_test(test_warp_inputs),
        cmocka_unit_test(test_textures),    cmocka_unit_test(test_intrinsics),
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_bindings),    cmocka_unit_test(test_sampler_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
