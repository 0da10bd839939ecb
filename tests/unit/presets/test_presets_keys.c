#include "test_presets_help.h"

#include "presets/milk/preset.h"
#include "presets/presets.h"

static double value_of(const struct preset *preset, size_t row, size_t index)
{
    return preset_key_get(&preset_keys[row],
                          preset_group_at(preset, preset_keys[row].group, index));
}

static double wanted_fallback(size_t row)
{
    const struct preset_key *key = &preset_keys[row];
    return key->type == PRESET_TYPE_IS_FLOAT ? (double)(float)key->fallback : key->fallback;
}

/* All fields but one hold their defaults. Switching motion vectors on shows in mv_a too. */
static void assert_defaults_but(const struct preset *preset, size_t row, size_t index)
{
    for (size_t r = 0; r < PRESET_KEY_ROWS; r++) {
        for (size_t i = 0; i < preset_group_count(preset_keys[r].group); i++) {
            const bool excepted = (r == row && i == index) ||
                                  (row == PRESET_KEY_motion_vectors_on && r == PRESET_KEY_mv_a);
            if (!excepted && value_of(preset, r, i) != wanted_fallback(r)) {
                fail_msg("%s of %zu is %g", preset_keys[r].key, i, value_of(preset, r, i));
            }
        }
    }
}

/* A line for one key; prefix and spelling made here, not by the code under test. */
static void key_line(char line[512], size_t row, size_t index, const char *value)
{
    char prefix[32] = "";
    if (preset_keys[row].group == PRESET_GROUP_WAVE) {
        (void)snprintf(prefix, sizeof prefix, "wavecode_%zu_", index);
    } else if (preset_keys[row].group == PRESET_GROUP_SHAPE) {
        (void)snprintf(prefix, sizeof prefix, "shapecode_%zu_", index);
    }
    (void)snprintf(line, 512, "%s%s=%s\n", prefix, preset_keys[row].key, value);
}

static void test_defaults(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "fRating=3\n", &messages);
    assert_int_equal(messages.count, 0);
    assert_defaults_but(&preset, SIZE_MAX, 0);
    assert_int_equal(preset.version, 100);
    assert_int_equal(preset.warp_shader, 0);
    assert_int_equal(preset.comp_shader, 0);
    preset_free(&preset);
}

static void test_every_key_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } samples[] = {
        [PRESET_TYPE_IS_FLOAT] = {"0.375", 0.375},
        [PRESET_TYPE_IS_INT] = {"7", 7.0},
        [PRESET_TYPE_IS_SWITCH] = {"-7", 1.0},
    };
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        for (size_t i = 0; i < preset_group_count(preset_keys[row].group); i++) {
            const enum preset_type type = preset_keys[row].type;
            char line[512];
            struct preset preset;
            struct base_diag_list messages;
            key_line(line, row, i, samples[type].text);
            read_text(&preset, line, &messages);
            assert_int_equal(messages.count, 0);
            assert_true(value_of(&preset, row, i) == samples[type].value);
            assert_defaults_but(&preset, row, i);
            preset_free(&preset);
        }
    }
}

static void test_switches_go_off(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "bTexWrap=0\nbMaximizeWaveColor=0.9\n", &messages);
    assert_int_equal(preset.wrap, 0);
    assert_int_equal(preset.wave_brighten, 0);
    preset_free(&preset);
}

static void test_bad_numbers_give_defaults(void **state)
{
    (void)state;
    static const char *const bad[] = {"nan", "-inf", "0x10", "", "abc", "-", "= 2"};
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
            char line[512];
            struct preset preset;
            struct base_diag_list messages;
            key_line(line, row, 0, bad[b]);
            read_text(&preset, line, &messages);
            assert_int_equal(messages.by_severity[BASE_WARNING], 1);
            assert_int_equal(messages.items[0].place.line, 1);
            assert_int_equal(messages.items[0].place.column, strchr(line, '=') - line + 2);
            assert_defaults_but(&preset, SIZE_MAX, 0);
            preset_free(&preset);
        }
    }
}

static void test_huge_numbers(void **state)
{
    (void)state;
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        const bool is_float = preset_keys[row].type == PRESET_TYPE_IS_FLOAT;
        char line[512];
        struct preset preset;
        struct base_diag_list messages;
        key_line(line, row, 0, is_float ? "1e308" : "99999999999999999999");
        read_text(&preset, line, &messages);
        assert_true(messages.by_severity[BASE_WARNING] >= 1);
        const double wanted = is_float ? wanted_fallback(row)
                              : row == PRESET_SHAPE_ROW + PRESET_SHAPE_num_inst ? 1024
                              : preset_keys[row].type == PRESET_TYPE_IS_SWITCH  ? 1
                                                                                : INT32_MAX;
        assert_true(value_of(&preset, row, 0) == wanted);
        preset_free(&preset);
    }
}

/* Independent of the table: text, address of the field, value. */
static void test_known_places(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset,
              "fDecay=0.5\nwavecode_2_samples=100\nwavecode_3_r=0.25\nshapecode_1_r2=0.125\n"
              "shapecode_0_thickOutline=1\nnMotionVectorsX=6.5\nb1ed=0\nwavecode_4_r=9\n"
              "shapecode_3_border_a=2\n",
              &messages);
    assert_true(preset.decay == 0.5f);
    assert_int_equal(preset.waves[2].samples, 100);
    assert_true(preset.waves[3].r == 0.25f);
    assert_true(preset.waves[0].g == 1.0f);
    assert_true(preset.shapes[1].r2 == 0.125f);
    assert_true(preset.shapes[1].r == 1.0f);
    assert_int_equal(preset.shapes[0].thick, 1);
    assert_true(preset.mv_x == 6.5f);
    assert_true(preset.blur1_edge_darken == 0.0f);
    assert_true(preset.shapes[3].border_a == 2.0f);
    preset_free(&preset);
}

static void test_motion_vector_opacity(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float mv_a;
    } cases[] = {
        {"zoom=1\n", 0.0f},
        {"bMotionVectorsOn=1\n", 1.0f},
        {"mv_a=0.25\nbMotionVectorsOn=1\n", 0.25f},
        {"mv_a=x\nbMotionVectorsOn=1\n", 1.0f},
        {"mv_a=0.5\n", 0.5f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        read_text(&preset, cases[i].text, &messages);
        assert_true(preset.mv_a == cases[i].mv_a);
        preset_free(&preset);
    }
}

static void test_instances_are_clamped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t wanted;
        size_t warnings;
    } cases[] = {
        {"1", 1, 0}, {"1024", 1024, 0}, {"0", 1, 1}, {"-5", 1, 1}, {"1000000000", 1024, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[64];
        struct preset preset;
        struct base_diag_list messages;
        (void)snprintf(line, sizeof line, "shapecode_2_num_inst=%s", cases[i].text);
        read_text(&preset, line, &messages);
        assert_int_equal(preset.shapes[2].num_inst, cases[i].wanted);
        assert_int_equal(messages.by_severity[BASE_WARNING], cases[i].warnings);
        preset_free(&preset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_key_is_read),
        cmocka_unit_test(test_switches_go_off),
        cmocka_unit_test(test_bad_numbers_give_defaults),
        cmocka_unit_test(test_huge_numbers),
        cmocka_unit_test(test_known_places),
        cmocka_unit_test(test_motion_vector_opacity),
        cmocka_unit_test(test_instances_are_clamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
