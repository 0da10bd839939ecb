#include "test_presets_help.h"
#include "presets/presets.h"

#include <time.h>

static void test_every_block(void **state)
{
    (void)state;
    struct preset p;
    struct base_diag_list messages;
    read_text(&p,
              "MILKDROP_PRESET_VERSION=201\nper_frame_init_1=A\nper_frame_1=B\nper_pixel_1=C\n"
              "warp_1=`D\ncomp_1=`E\nwave_0_init1=F0\nwave_3_per_frame1=G3\nwave_2_per_point1=H2\n"
              "shape_1_init1=I1\nshape_3_per_frame1=J3\nwave_2_per_point2=K2\nwave_4_init1=no\n"
              "shape_2_per_point1=no\nwave_0_init_1=no\nper_frame1=no\n",
              &messages);
    assert_int_equal(messages.count, 0);
    const struct {
        const struct base_source *source;
        const char *text;
    } wanted[] = {
        {&p.init, "A|"},
        {&p.per_frame, "B|"},
        {&p.per_vertex, "C|"},
        {&p.warp_code, "D|"},
        {&p.comp_code, "E|"},
        {&p.waves[0].init, "F0|"},
        {&p.waves[3].per_frame, "G3|"},
        {&p.waves[2].per_point, "H2|K2|"},
        {&p.shapes[1].init, "I1|"},
        {&p.shapes[3].per_frame, "J3|"},
        {&p.waves[1].init, ""},
        {&p.waves[0].per_frame, ""},
        {&p.shapes[2].per_frame, ""},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_source(wanted[i].source, wanted[i].text);
    }
    preset_free(&p);
}

static void test_order_and_gaps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *kept;
        uint32_t line; /* of the first warning, 0: none */
        const char *message;
    } cases[] = {
        {"per_frame_2=b\nper_frame_1=a\nper_frame_3=c", "a|b|c|", 0, NULL},
        {"per_frame_1=a\nper_frame_3=c\nper_frame_4=d", "a|", 2, "per_frame_2 is missing"},
        {"per_frame_1=a\nper_frame_3=c\nper_frame_4=d", "a|", 2, "lost after it: 2"},
        {"per_frame_9=x\nper_frame_1=a\nper_frame_8=c", "a|", 3, "per_frame_2 is missing"},
        {"per_frame_2=b", "", 1, "per_frame_1 is missing"},
        {"per_frame_1=a\nper_frame_1=b", "a|", 2, "stands in line 1 already"},
        {"PER_FRAME_1=a\nper_frame_1=b\nper_frame_2=c", "b|c|", 2, "and line 2 applies"},
        {"per_frame_1=a\nper_frame_1=b\nper_frame_3=c", "a|", 2, "stands in line 1 already"},
        {"per_frame_1=a\nper_frame_99999999999999999999=c", "a|", 2, "lost after it: 1"},
        {"per_frame_1=a\nper_frame_0=b", "a|", 2, "no valid number"},
        {"per_frame_1=\nper_frame_2=", "||", 0, NULL},
        {"per_frame_1=`a\nper_frame_2=``b\nper_frame_3= `c", "a|`b| `c|", 0, NULL},
        {"per_frame_10=j\nper_frame_9=i\nper_frame_8=h\nper_frame_7=g\nper_frame_6=f\n"
         "per_frame_5=e\nper_frame_4=d\nper_frame_3=c\nper_frame_2=b\nper_frame_1=a",
         "a|b|c|d|e|f|g|h|i|j|", 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        read_text(&preset, cases[i].text, &messages);
        assert_source(&preset.per_frame, cases[i].kept);
        assert_int_equal(messages.count > 0, cases[i].line != 0);
        if (cases[i].line != 0) {
            assert_int_equal(messages.items[0].place.line, cases[i].line);
            assert_non_null(strstr(messages.items[0].what, cases[i].message));
        }
        preset_free(&preset);
    }
}

/* `count` program lines of `size` bytes each. The caller frees the text. */
static char *long_block(size_t count, size_t size)
{
    char *text = malloc(count * (size + 32) + 1);
    assert_non_null(text);
    size_t used = 0;
    for (size_t i = 1; i <= count; i++) {
        used += (size_t)sprintf(text + used, "comp_%zu=`", i);
        memset(text + used, 'x', size);
        used += size;
        text[used++] = '\n';
    }
    text[used] = '\0';
    return text;
}

static void test_long_blocks(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        size_t size;
        size_t kept;
    } cases[] = {
        {1, 32766, 1},  {1, 32767, 0},     {31, 1023, 31}, {32, 1023, 31},
        {40, 1023, 31}, {32768, 0, 32767}, {100, 10, 100}, {2, 32766, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        char *text = long_block(cases[i].count, cases[i].size);
        read_text(&preset, text, &messages);
        assert_int_equal(preset.comp_code.count, cases[i].kept);
        const size_t lost = cases[i].count - cases[i].kept;
        assert_int_equal(messages.by_severity[BASE_WARNING], lost > 0);
        if (lost > 0) {
            char wanted[64];
            (void)snprintf(wanted, sizeof wanted, "from number %zu on: %zu", cases[i].kept + 1,
                           lost);
            assert_non_null(strstr(messages.items[0].what, wanted));
            assert_int_equal(messages.items[0].place.line, cases[i].kept + 1);
        }
        assert_round_trip(&preset);
        preset_free(&preset);
        free(text);
    }
}

static void test_deep_nesting_passes_through(void **state)
{
    (void)state;
    enum { DEPTH = 10000 };
    static char text[2 * DEPTH + 64];
    const size_t start = (size_t)sprintf(text, "per_frame_1=x=");
    memset(text + start, '(', DEPTH);
    text[start + DEPTH] = '1';
    memset(text + start + DEPTH + 1, ')', DEPTH);
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, text, &messages);
    assert_int_equal(messages.count, 0);
    assert_int_equal(preset.per_frame.lines[0].text.size, 2 * DEPTH + 3);
    preset_free(&preset);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A known key, then lines made from a pattern and their number, up to the largest size. */
static size_t fill(char data[PRESET_FILE_MAX], const char *pattern)
{
    size_t used = (size_t)sprintf(data, "zoom=1\n");
    for (unsigned i = 1; used + 64 < PRESET_FILE_MAX; i++) {
        used += (size_t)snprintf(data + used, 64, pattern, i);
    }
    return used;
}

static void test_hostile_files_are_fast(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "zoom=1\n%.0u",        "k%u=\n",      "per_frame_%u=\n",  "\n%.0u",
        "per_frame_1=x\n%.0u", "warp_%u0=\n", "wavecode_0_%u=\n", "= %.0u\n",
        "per_frame_99%u=\n",   "a%.0u\r",     "Zoom=nan\n%.0u",   "shape_3_per_frame%u=`\n",
    };
    char *data = malloc(PRESET_FILE_MAX);
    assert_non_null(data);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const size_t size = fill(data, patterns[i]);
        struct preset preset;
        struct base_diag_list messages;
        const double start = seconds();
        assert_int_equal(read_bytes(&preset, data, size, &messages), 0);
        /* Far above what linear work takes even with sanitizers, far below quadratic work. */
        assert_true(seconds() - start < 2.0);
        assert_true(messages.by_severity[BASE_WARNING] < 64);
        preset_free(&preset);
    }
    free(data);
}

static void test_largest_files(void **state)
{
    (void)state;
    char *data = malloc(PRESET_FILE_MAX + 1);
    assert_non_null(data);
    memset(data, 'x', PRESET_FILE_MAX + 1);
    memcpy(data, "zoom=2\nrot=3", 12);
    struct preset preset;
    struct base_diag_list messages;
    assert_int_equal(read_bytes(&preset, data, PRESET_FILE_MAX, &messages), 0);
    assert_true(preset.rot == 3.0f);
    preset_free(&preset);
    memcpy(data, "zoom=2\nk", 8);
    assert_int_equal(read_bytes(&preset, data, PRESET_FILE_MAX, &messages), 0);
    preset_free(&preset);
    assert_int_equal(read_bytes(&preset, data, PRESET_FILE_MAX + 1, &messages), -1);
    free(data);
}

/* Every beginning of a file is read or refused, never more than that. */
static void test_truncated_files(void **state)
{
    (void)state;
    static const char whole[] =
        "MILKDROP_PRESET_VERSION=201\r\nPSVERSION=2\r\n[preset00]\r\nzoom=1.5e1\r\n"
        "wavecode_0_enabled=1\r\nwave_0_per_point1=x=sample;\r\nwarp_1=`shader_body\r\nwarp_2=`{"
        "\r\n";
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        char *data = malloc(size + 1);
        assert_non_null(data);
        memcpy(data, whole, size);
        struct preset preset;
        struct base_diag_list messages;
        const int result = read_bytes(&preset, data, size, &messages);
        free(data);
        assert_int_equal(result, size < strlen("MILKDROP_PRESET_VERSION=") ? -1 : 0);
        if (result == 0) {
            assert_round_trip(&preset);
            preset_free(&preset);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_block),
        cmocka_unit_test(test_order_and_gaps),
        cmocka_unit_test(test_long_blocks),
        cmocka_unit_test(test_deep_nesting_passes_through),
        cmocka_unit_test(test_hostile_files_are_fast),
        cmocka_unit_test(test_largest_files),
        cmocka_unit_test(test_truncated_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
