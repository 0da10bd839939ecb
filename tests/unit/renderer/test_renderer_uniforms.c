/* The uniforms of shaders against spec/milk-rendering.md section 9.2: values by hand, rotations as
 * a product of matrices, chances as pure functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "renderer/shade.h"

static struct rend_preset_chances preset_chances;

static struct rend_uniform_source source_of(double time)
{
    preset_chances = rend_preset_chances(7);
    struct rend_uniform_source source = {.time = time,
                                         .player_time = time,
                                         .fps = 60,
                                         .frame = 60 * time,
                                         .progress = 0.25,
                                         .level = {1, 2, 6},
                                         .level_att = {0.5, 1.5, 4},
                                         .width = 640,
                                         .height = 480,
                                         .blur_min = {0.125f, 0.25f, 0.375f},
                                         .blur_max = {1, 0.875f, 0.5f},
                                         .frame_chances = rend_frame_chances(7, 1),
                                         .preset_chances = &preset_chances};
    for (int i = 0; i < REND_QS; i++) {
        source.q[i] = 100 + i;
    }
    return source;
}

static void assert_near(const float *got, const double *expected, size_t count, double allowed)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)got[i] - expected[i]) <= allowed)) {
            fail_msg("number %zu: %g, expected %g", i, (double)got[i], expected[i]);
        }
    }
}

#define SLOTS(name) SHADER_SLOT_##name, SHADER_LAST_##name - SHADER_SLOT_##name + 1

static void test_values(void **state)
{
    (void)state;
    static const struct {
        size_t slot;
        size_t count;
        double expected[4];
    } table[] = {
        {SLOTS(time), {2}},
        {SLOTS(fps), {60}},
        {SLOTS(frame), {120}},
        {SLOTS(progress), {0.25}},
        {SLOTS(bass), {1}},
        {SLOTS(mid), {2}},
        {SLOTS(treb), {6}},
        {SLOTS(vol), {3}},
        {SLOTS(bass_att), {0.5}},
        {SLOTS(mid_att), {1.5}},
        {SLOTS(treb_att), {4}},
        {SLOTS(vol_att), {2}},
        {SLOTS(aspect), {1, 0.75, 1, 1 / 0.75}},
        {SLOTS(texsize), {640, 480, 1 / 640.0, 1 / 480.0}},
        {SLOTS(mip_x), {9.321928}},
        {SLOTS(mip_y), {9.321928}},
        {SLOTS(mip_xy), {9.321928, 9.321928}},
        {SLOTS(mip_avg), {9.321928}},
        {SLOTS(blur1_min), {0.125}},
        {SLOTS(blur1_max), {1}},
        {SLOTS(blur2_min), {0.25}},
        {SLOTS(blur2_max), {0.875}},
        {SLOTS(blur3_min), {0.375}},
        {SLOTS(blur3_max), {0.5}},
        {SLOTS(q1), {100}},
        {SLOTS(q2), {101}},
        {SLOTS(q32), {131}},
        {SLOTS(_qa), {100, 101, 102, 103}},
        {SLOTS(_qb), {104, 105, 106, 107}},
        {SLOTS(_qh), {128, 129, 130, 131}},
        {SLOTS(_c0), {1, 0.75, 1, 1 / 0.75}},
        {SLOTS(_c1), {0, 0, 0, 0}},
        {SLOTS(_c2), {2, 60, 120, 0.25}},
        {SLOTS(_c3), {1, 2, 6, 3}},
        {SLOTS(_c4), {0.5, 1.5, 4, 2}},
        {SLOTS(_c5), {0.875, 0.125, 0.625, 0.25}},
        {SLOTS(_c6), {0.125, 0.375, 0.125, 1}},
        {SLOTS(_c7), {640, 480, 1 / 640.0, 1 / 480.0}},
        {SLOTS(_c12), {9.321928, 9.321928, 9.321928, 0}},
        {SLOTS(_c13), {0.25, 0.875, 0.375, 0.5}},
    };
    float out[SHADER_SLOTS];
    const struct rend_uniform_source source = source_of(2);
    rend_uniforms_fill(out, &source);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_near(out + table[i].slot, table[i].expected, table[i].count, 1e-6);
    }
}

/* Every slot is written. */
static void test_all_filled(void **state)
{
    (void)state;
    float zeros[SHADER_SLOTS];
    float ones[SHADER_SLOTS];
    const struct rend_uniform_source source = source_of(2);
    memset(zeros, 0x00, sizeof zeros);
    memset(ones, 0xFF, sizeof ones);
    rend_uniforms_fill(zeros, &source);
    rend_uniforms_fill(ones, &source);
    assert_memory_equal(zeros, ones, sizeof zeros);
}

/* In 255ths, at frames of 60 a second. */
static void test_roam(void **state)
{
    (void)state;
    static const struct {
        int frame;
        double expected[4][3]; /* roam_cos, roam_sin, slow_roam_cos, slow_roam_sin */
    } table[] = {
        {1, {{173, 37, 19}, {247, 38, 195}, {12, 198, 101}, {182, 21, 3}}},
        {10, {{167, 56, 3}, {249, 22, 102}, {12, 198, 101}, {182, 21, 3}}},
        {60, {{133, 186, 163}, {255, 14, 250}, {12, 199, 102}, {181, 22, 3}}},
    };
    float out[SHADER_SLOTS];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct rend_uniform_source source = source_of(table[i].frame / 60.0);
        rend_uniforms_fill(out, &source);
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < 3; c++) {
                const double got = 255 * (double)out[SHADER_SLOT_roam_cos + 4 * k + c];
                assert_true(fabs(got - table[i].expected[k][c]) <= 0.5001);
            }
        }
        assert_memory_equal(out + SHADER_SLOT__c8, out + SHADER_SLOT_roam_cos, 16 * sizeof *out);
    }
}

static void test_time_wraps(void **state)
{
    (void)state;
    float out[SHADER_SLOTS];
    const struct rend_uniform_source source = source_of(20003.5);
    rend_uniforms_fill(out, &source);
    assert_true(out[SHADER_SLOT_time] == 3.5f);
    assert_true(out[SHADER_SLOT__c2] == 3.5f);
}

static void test_odd_numbers(void **state)
{
    (void)state;
    float out[SHADER_SLOTS];
    struct rend_uniform_source source = source_of(1);
    source.q[0] = NAN;
    source.q[1] = 1e300;
    source.q[2] = -1e300;
    source.q[31] = 1e-300;
    rend_uniforms_fill(out, &source);
    assert_true(isnan(out[SHADER_SLOT_q1]) && isnan(out[SHADER_SLOT__qa]));
    assert_true(isinf(out[SHADER_SLOT_q2]) && out[SHADER_SLOT_q2] > 0);
    assert_true(isinf(out[SHADER_SLOT__qa + 2]) && out[SHADER_SLOT__qa + 2] < 0);
    assert_true(out[SHADER_SLOT_q32] == 0 && out[SHADER_SLOT_q31] == 130);
}

/* A tall canvas. */
static void test_tall(void **state)
{
    (void)state;
    float out[SHADER_SLOTS];
    struct rend_uniform_source source = source_of(1);
    source.width = 256;
    source.height = 512;
    rend_uniforms_fill(out, &source);
    assert_near(out + SHADER_SLOT_aspect, (const double[]){0.5, 1, 2, 1}, 4, 0);
    assert_near(out + SHADER_SLOT_mip_xy, (const double[]){8, 8}, 2, 0);
}

struct matrix {
    double at[4][4];
};

static struct matrix multiplied(const struct matrix *a, const struct matrix *b)
{
    struct matrix product = {{{0}}};
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) {
            for (int k = 0; k < 4; k++) {
                product.at[r][c] += a->at[r][k] * b->at[k][c];
            }
        }
    }
    return product;
}

/* Rx, Trans, Rz, Ry as section 9.2 has them, for row vectors. */
static struct matrix rotation(const double t[3], const double a[3])
{
    const double cx = cos(a[0]), sx = sin(a[0]);
    const double cy = cos(a[1]), sy = sin(a[1]);
    const double cz = cos(a[2]), sz = sin(a[2]);
    const struct matrix rx = {{{1, 0, 0, 0}, {0, cx, sx, 0}, {0, -sx, cx, 0}, {0, 0, 0, 1}}};
    const struct matrix ry = {{{cy, 0, -sy, 0}, {0, 1, 0, 0}, {sy, 0, cy, 0}, {0, 0, 0, 1}}};
    const struct matrix rz = {{{cz, sz, 0, 0}, {-sz, cz, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    const struct matrix trans = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {t[0], t[1], t[2], 1}}};
    struct matrix m = multiplied(&rx, &trans);
    m = multiplied(&m, &rz);
    return multiplied(&m, &ry);
}

static void check_rotation(const float *got, const double t[3], const double a[3])
{
    const struct matrix m = rotation(t, a);
    for (int r = 0; r < 4; r++) {
        assert_near(got + 3 * r, m.at[r], 3, 1e-6);
    }
}

static void test_rotations(void **state)
{
    (void)state;
    float out[SHADER_SLOTS];
    const double time = 3.25;
    const struct rend_uniform_source source = source_of(time);
    const struct rend_preset_chances *preset = source.preset_chances;
    const struct rend_frame_chances *frame = &source.frame_chances;
    rend_uniforms_fill(out, &source);
    for (int n = 0; n < REND_ROTATIONS; n++) {
        double angle[3];
        for (int i = 0; i < 3; i++) {
            angle[i] = preset->angle[n][i] + preset->speed[n][i] * time;
        }
        check_rotation(out + SHADER_SLOT_rot_s1 + 12 * n, preset->translation[n], angle);
    }
    for (int n = 0; n < REND_RANDOM_ROTATIONS; n++) {
        check_rotation(out + SHADER_SLOT_rot_rand1 + 12 * n, frame->translation[n],
                       frame->angle[n]);
    }
    assert_int_equal(SHADER_SLOT_rot_d1, SHADER_SLOT_rot_s1 + 12 * 4);
    assert_int_equal(SHADER_SLOT_rot_uf4, SHADER_SLOT_rot_s1 + 12 * 19);
}

static void test_preset_chances(void **state)
{
    (void)state;
    double largest[3] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        const struct rend_preset_chances a = rend_preset_chances(seed);
        const struct rend_preset_chances b = rend_preset_chances(seed);
        const struct rend_preset_chances other = rend_preset_chances(seed + 1);
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_not_equal(a.rand, other.rand, sizeof a.rand);
        assert_memory_not_equal(a.angle, other.angle, sizeof a.angle);
        for (int n = 0; n < REND_ROTATIONS; n++) {
            const double fastest = 0.9 * pow(n / 8.0, 3.2);
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(a.translation[n][i]) <= 1);
                assert_true(a.angle[n][i] >= 0 && a.angle[n][i] <= 6.28);
                assert_true(fabs(a.speed[n][i]) <= fastest * (1 + 1e-12));
            }
            largest[0] = fmax(largest[0], fabs(a.translation[n][0]));
            largest[1] = fmax(largest[1], a.angle[n][1]);
            largest[2] = n == 0 ? largest[2] : fmax(largest[2], fabs(a.speed[n][2]) / fastest);
        }
    }
    assert_true(largest[0] > 0.99 && largest[1] > 6.2 && largest[2] > 0.99);
}

/* Numbers of one frame say nothing about those of the next. */
static void test_frame_chances(void **state)
{
    (void)state;
    enum { FRAMES = 4000 };
    double sum = 0;
    double squares = 0;
    double neighbours = 0;
    double before = 0;
    for (uint64_t frame = 1; frame <= FRAMES; frame++) {
        const struct rend_frame_chances a = rend_frame_chances(3, frame);
        const struct rend_frame_chances b = rend_frame_chances(3, frame);
        const struct rend_frame_chances other = rend_frame_chances(4, frame);
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_not_equal(a.rand, other.rand, sizeof a.rand);
        for (int i = 0; i < 4; i++) {
            assert_true(a.rand[i] >= 0 && a.rand[i] <= 1);
            assert_true(a.translation[i][2] >= 0 && a.translation[i][2] <= 1);
            assert_true(a.angle[i][2] >= 0 && a.angle[i][2] <= 6.28);
        }
        const double x = (double)a.rand[0] - 0.5;
        sum += x;
        squares += x * x;
        neighbours += x * before;
        before = x;
    }
    assert_true(fabs(sum / FRAMES) < 0.02);
    assert_true(fabs(squares / FRAMES - 1 / 12.0) < 0.005);
    assert_true(fabs(neighbours / FRAMES) < 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),        cmocka_unit_test(test_all_filled),
        cmocka_unit_test(test_roam),          cmocka_unit_test(test_time_wraps),
        cmocka_unit_test(test_odd_numbers),   cmocka_unit_test(test_tall),
        cmocka_unit_test(test_rotations),     cmocka_unit_test(test_preset_chances),
        cmocka_unit_test(test_frame_chances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
