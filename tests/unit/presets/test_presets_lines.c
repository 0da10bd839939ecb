#include "test_presets_help.h"
#include "presets/presets.h"

static void test_line_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[preset00]\nzoom=1.5\nper_frame_1=a=1;\nper_frame_2=b=2;\n",
        "[preset00]\r\nzoom=1.5\r\nper_frame_1=a=1;\r\nper_frame_2=b=2;\r\n",
        "[preset00]\rzoom=1.5\rper_frame_1=a=1;\rper_frame_2=b=2;\r",
        "[preset00]\nzoom=1.5\nper_frame_1=a=1;\nper_frame_2=b=2;",
        "\n\n\r\n[preset00]\n\n\rzoom=1.5\n\nper_frame_1=a=1;\n\n\nper_frame_2=b=2;\n\n",
        "\xef\xbb\xbfzoom=1.5\nper_frame_1=a=1;\nper_frame_2=b=2;",
        "per_frame_2=b=2;\nzoom=1.5\n[preset00]\n[other]\nper_frame_1=a=1;",
        "per_frame_2 b=2;\nzoom 1.5\n[preset00]\nper_frame_1 a=1;",
        "PER_FRAME_2=b=2;\nZoom=1.5\nPer_Frame_1=a=1;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        read_text(&preset, texts[i], &messages);
        assert_int_equal(messages.count, 0);
        assert_true(preset.zoom == 1.5f);
        assert_source(&preset.per_frame, "a=1;|b=2;|");
        preset_free(&preset);
    }
}

static void test_positions(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "\xef\xbb\xbfwarp_1=`a\r\n\r\nwarp_2=  b\rwarp_3=``c\n\nwarp_4=\n",
              &messages);
    static const struct {
        const char *text;
        uint32_t line;
        uint32_t column;
    } wanted[] = {{"a", 1, 9}, {"  b", 3, 8}, {"`c", 4, 9}, {"", 6, 8}};
    assert_int_equal(preset.warp_code.count, 4);
    assert_string_equal(preset.warp_code.file, "set/Some Name.milk");
    for (size_t i = 0; i < 4; i++) {
        const struct base_source_line *line = &preset.warp_code.lines[i];
        assert_span(line->text, wanted[i].text);
        assert_int_equal(line->line, wanted[i].line);
        assert_int_equal(line->column, wanted[i].column);
    }
    preset_free(&preset);
}

static void test_value_keeps_everything(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset,
              " zoom=2\n//zoom=3\nunknown=1\n=5\nzoom\nper_frame_1=  x = y = z // \xe9 \t \n",
              &messages);
    assert_int_equal(messages.count, 0);
    assert_true(preset.zoom == 1.0f);
    assert_source(&preset.per_frame, "  x = y = z // \xe9 \t |");
    preset_free(&preset);
}

static void test_first_wins(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float zoom;
        size_t warnings;
    } cases[] = {
        {"zoom=2\nzoom=3\n", 2.0f, 1},         {"ZOOM=2\nzoom=3\nzoom=4\n", 3.0f, 2},
        {"ZOOM=2\nZoom=3\n", 2.0f, 1},         {"zoom=2\n[x]\nZOOM=3\n", 2.0f, 1},
        {"zoom=x\nzoom=3\n", 1.0f, 2},         {"unknown=2\nunknown=3\nzoom=4", 4.0f, 0},
        {"zoom=2\nzoomexp=3\nrot=0", 2.0f, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        read_text(&preset, cases[i].text, &messages);
        assert_true(preset.zoom == cases[i].zoom);
        assert_int_equal(messages.by_severity[BASE_WARNING], cases[i].warnings);
        preset_free(&preset);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        size_t size;
        const char *message;
    } cases[] = {
        {"", 0, "empty"},
        {"\xff\xfez\0o\0o\0m\0=\0001\0", 14, "UTF-16"},
        {"\xfe\xff\0z\0o", 6, "UTF-16"},
        {"z\0o\0o\0m\0=\0001\0", 12, "UTF-16"},
        {"\0z\0o\0o\0m\0=\0001", 12, "UTF-16"},
        {"zoom=1\n\0more", 12, "binary"},
        {"zoom=1\0", 7, "binary"},
        {"\0", 1, "binary"},
        {"hello\nworld=1\n", 14, "no known key"},
        {"per_frame_0=1\n", 14, "no known key"},
        {"\xef\xbb\xbf", 3, "no known key"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        assert_int_equal(read_bytes(&preset, cases[i].data, cases[i].size, &messages), -1);
        assert_int_equal(messages.by_severity[BASE_ERROR], 1);
        assert_non_null(strstr(messages.items[messages.count - 1].what, cases[i].message));
        assert_null(preset.path);
        assert_null(preset.arena.newest);
    }
}

static void test_no_sink(void **state)
{
    (void)state;
    struct preset preset;
    assert_int_equal(preset_read(&preset, "a", "zoom = 3\nzoom=1\n", 16, NULL), 0);
    preset_free(&preset);
    assert_int_equal(preset_read(&preset, "a", "", 0, NULL), -1);
    assert_int_equal(preset_read(&preset, "a", " \r\n", 3, NULL), 0);
    assert_float_equal(preset.decay, 0.98, 1e-6);
    preset_free(&preset);
}

/* What ends with its number says nothing. */
static void test_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "zoom=1.02 \t\n",  "zoom=-.5\r\n",   "zoom=1.\nrot=1e-3\n",    "nWaveMode=3.000000\n",
        "nWaveMode= 7 \n", "bWaveDots=+1\n", "nWaveMode=2147483647\n", "PSVERSION=2\nzoom=1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct preset preset;
        struct base_diag_list messages;
        read_text(&preset, texts[i], &messages);
        if (messages.count > 0) {
            fail_msg("%s: %s", texts[i], messages.items[0].what);
        }
        preset_free(&preset);
    }
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum base_severity severity;
        const char *message;
    } cases[] = {
        {"\nzoom = 1.02\n", BASE_WARNING,
         "set/Some Name.milk:2:6: warning: zoom: '= 1.02' is not a number, so 1 applies; "
         "remove the blanks around '='"},
        {"zoom=1\nper_frame_1 = x=1\n", BASE_WARNING,
         "set/Some Name.milk:2:1: warning: the blank ends 'per_frame_1', so that its value begins "
         "with '='; remove the blanks around '='"},
        {"rot=1\x1b[2Jx\nzoom=\x1b[2J\n", BASE_WARNING,
         "set/Some Name.milk:1:6: warning: control character 0x1B in the text; remove it"},
        {"zoom=\x80[2J\n", BASE_WARNING,
         "set/Some Name.milk:1:6: warning: zoom: '?[2J' is not a number, so 1 applies; write it "
         "like 1.25"},
        {"zoom=1\nfDecay=0.9x5\n", BASE_WARNING,
         "set/Some Name.milk:2:11: warning: fDecay: 'x5' behind the number is not read, so 0.9 "
         "applies; write it like 1.25"},
        {"rot=0,5\n", BASE_WARNING,
         "set/Some Name.milk:1:6: warning: rot: ',5' behind the number is not read, so 0 applies; "
         "write it like 1.25"},
        {"zoom= 1e-1  e // half\n", BASE_WARNING,
         "set/Some Name.milk:1:13: warning: zoom: 'e // half' behind the number is not read, so "
         "0.1 "
         "applies; write it like 1.25"},
        {"nWaveMode=3.7\n", BASE_WARNING,
         "set/Some Name.milk:1:11: warning: nWaveMode: '3.7' is not a whole number, so 3 applies; "
         "write it like 1"},
        {"shapecode_0_sides=4 5\n", BASE_WARNING,
         "set/Some Name.milk:1:21: warning: shapecode_0_sides: '5' behind the number is not read, "
         "so 4 applies; write it like 1.25"},
        {"zoom=1\n//\xff\xff\n", BASE_WARNING,
         "set/Some Name.milk:2:3: warning: byte 0xFF, where other players stop reading; remove it"},
        {"wavecode_1_scaling=1e40\n", BASE_WARNING,
         "set/Some Name.milk:1:20: warning: wavecode_1_scaling: '1e40' is too large, so 1 applies"},
        {"zoom=1\n\nZOOM=2\n", BASE_WARNING,
         "set/Some Name.milk:3:1: warning: 'ZOOM' stands in line 1 already, and line 1 applies; "
         "remove one of the lines"},
        {"zoom=1\nper_frame_01=x\n", BASE_WARNING,
         "set/Some Name.milk:2:1: warning: this line has no valid number and is not read; number "
         "the lines 1, 2, 3 and so on, without leading zeros"},
        {"[preset00]\nzoom=1\n[preset01]\nrot=2\n", BASE_NOTE,
         "set/Some Name.milk:3:1: note: the file holds two presets, of which only the first is "
         "read; split the file to use the other one"},
        {"zoom=1\nwarp_1=`x\n", BASE_NOTE,
         "set/Some Name.milk:2:1: note: version 100 has no shaders, so their text is ignored; add "
         "the line MILKDROP_PRESET_VERSION=201"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        char line[512];
        read_text(&preset, cases[i].text, &messages);
        assert_true(messages.count >= 1);
        assert_int_equal(messages.items[0].severity, cases[i].severity);
        (void)base_diag_format(&messages.items[0], line, sizeof line);
        assert_string_equal(line, cases[i].message);
        preset_free(&preset);
    }
}

static void test_double_preset(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "[preset00]\nper_frame_1=a\n[preset01]\nper_frame_2=b\nrot=2\n", &messages);
    assert_true(preset.rot == 0.0f);
    assert_source(&preset.per_frame, "a|");
    preset_free(&preset);
    read_text(&preset, "[preset01]\nper_frame_1=a\n[x]\nper_frame_2=b\n", &messages);
    assert_source(&preset.per_frame, "a|b|");
    preset_free(&preset);
}

static void test_long_values(void **state)
{
    (void)state;
    char text[600];
    struct preset preset;
    struct base_diag_list messages;
    (void)snprintf(text, sizeof text, "zoom=%0*d.5\n", 253, 3);
    read_text(&preset, text, &messages);
    assert_true(preset.zoom == 3.5f);
    assert_int_equal(messages.count, 0);
    preset_free(&preset);
    (void)snprintf(text, sizeof text, "zoom=%0*d.5\n", 254, 3);
    read_text(&preset, text, &messages);
    assert_true(preset.zoom == 3.0f);
    assert_int_equal(messages.by_severity[BASE_WARNING], 1);
    preset_free(&preset);
}

static void test_versions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t version, warp, comp;
    } cases[] = {
        {"zoom=1\n", 100, 0, 0},
        {"PSVERSION_WARP=3\nPSVERSION_COMP=3\nPSVERSION=3\n", 100, 0, 0},
        {"MILKDROP_PRESET_VERSION=199\nPSVERSION_WARP=3\n", 199, 0, 0},
        {"MILKDROP_PRESET_VERSION=200\n", 200, 2, 2},
        {"MILKDROP_PRESET_VERSION=200\nPSVERSION=3\nPSVERSION_WARP=0\n", 200, 3, 3},
        {"PSVERSION=0\nMILKDROP_PRESET_VERSION=200\n", 200, 0, 0},
        {"MILKDROP_PRESET_VERSION=201\n", 201, 2, 2},
        {"MILKDROP_PRESET_VERSION=201\nPSVERSION=0\nPSVERSION_WARP=0\n", 201, 0, 2},
        {"MILKDROP_PRESET_VERSION=201\nPSVERSION_COMP=4\n", 201, 2, 4},
        {"[preset00]\nzoom=1\nMILKDROP_PRESET_VERSION=201\nPSVERSION_COMP=x\n", 201, 2, 2},
        {"MILKDROP_PRESET_VERSION=abc\n", 100, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        read_text(&preset, cases[i].text, &messages);
        assert_int_equal(preset.version, cases[i].version);
        assert_int_equal(preset.warp_shader, cases[i].warp);
        assert_int_equal(preset.comp_shader, cases[i].comp);
        preset_free(&preset);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *name;
    } cases[] = {
        {"a/b/Mr. X - 2.0 mix.milk", "Mr. X - 2.0 mix"},
        {"x.MILK", "x"},
        {"Mr. X", "Mr. X"},
        {"/d.d/plain", "plain"},
        {".milk", ".milk"},
        {"a.b.txt", "a.b"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        assert_int_equal(preset_read(&preset, cases[i].path, "zoom=1", 6, NULL), 0);
        assert_string_equal(preset.path, cases[i].path);
        assert_string_equal(preset.name, cases[i].name);
        preset_free(&preset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_value_keeps_everything),
        cmocka_unit_test(test_first_wins),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_sink),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_double_preset),
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
