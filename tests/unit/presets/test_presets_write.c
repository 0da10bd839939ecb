#include "test_presets_help.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/print.h"
#include "presets/library/find.h"
#include "presets/milk/preset.h"
#include "presets/presets.h"
#include "../turns.h"

static void test_text(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset,
              "warp_1=`a\ncomp_1= b\nzoom=1.01\nper_frame_2=y\nper_frame_1=``x\nfDecay=.5\n"
              "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=3\nshapecode_3_num_inst=7\n"
              "shape_3_init1=q",
              &messages);
    size_t size;
    char *text = preset_write(&preset, &size);
    assert_non_null(text);
    static const char start[] =
        "MILKDROP_PRESET_VERSION=201\nPSVERSION=3\nPSVERSION_WARP=3\n"
        "PSVERSION_COMP=2\n[preset00]\nfRating=3\nfGammaAdj=2\nfDecay=0.5\n";
    assert_memory_equal(text, start, sizeof start - 1);
    static const char *const parts[] = {
        "\nzoom=1.01\n",       "\nwavecode_0_enabled=0\n",           "\nshapecode_3_num_inst=7\n",
        "\nshape_3_init1=q\n", "\nper_frame_1=``x\nper_frame_2=y\n", "\nwarp_1=`a\ncomp_1=` b\n",
    };
    const char *rest = text;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        rest = strstr(rest, parts[i]);
        assert_non_null(rest);
    }
    assert_int_equal(strlen(rest), strlen(parts[5]));
    free(text);
    assert_round_trip(&preset);
    preset_free(&preset);
}

static void test_versions_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *start;
    } cases[] = {
        {"zoom=1\nwarp_1=`kept\n", "[preset00]\n"},
        {"MILKDROP_PRESET_VERSION=150\n", "MILKDROP_PRESET_VERSION=150\n[preset00]\n"},
        {"MILKDROP_PRESET_VERSION=-3\n", "MILKDROP_PRESET_VERSION=-3\n[preset00]\n"},
        {"MILKDROP_PRESET_VERSION=200\nPSVERSION=0\n",
         "MILKDROP_PRESET_VERSION=200\nPSVERSION=0\nPSVERSION_WARP=0\nPSVERSION_COMP=0\n"},
        {"MILKDROP_PRESET_VERSION=201\nPSVERSION_COMP=0\n",
         "MILKDROP_PRESET_VERSION=201\nPSVERSION=2\nPSVERSION_WARP=2\nPSVERSION_COMP=0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages;
        size_t size;
        read_text(&preset, cases[i].text, &messages);
        char *text = preset_write(&preset, &size);
        assert_memory_equal(text, cases[i].start, strlen(cases[i].start));
        free(text);
        assert_round_trip(&preset);
        preset_free(&preset);
    }
}

/* Each number apart from the others, so that no two can be exchanged. */
static void test_every_number_is_written(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "zoom=1", &messages);
    double value = 1.0;
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        const struct preset_key *key = &preset_keys[row];
        for (size_t i = 0; i < preset_group_count(key->group); i++) {
            value += key->type == PRESET_TYPE_IS_FLOAT ? 1.1 : 1.0;
            const double wanted = key->type == PRESET_TYPE_IS_SWITCH ? key->fallback == 0.0 : value;
            preset_key_set(key, (unsigned char *)&preset + preset_group_offset(key->group, i),
                           wanted);
        }
    }
    assert_round_trip(&preset);
    preset_free(&preset);
}

static void test_equal_sees_differences(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "zoom=1",
        "zoom=2",
        "MILKDROP_PRESET_VERSION=201",
        "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=0",
        "MILKDROP_PRESET_VERSION=201\nPSVERSION_COMP=0",
        "wavecode_3_a=0.5",
        "shapecode_3_border_a=0.5",
        "per_frame_1=x",
        "per_frame_1=y",
        "per_frame_1=x\nper_frame_2=",
        "wave_3_per_point1=x",
        "shape_0_init1=x",
        "comp_1=x",
    };
    const size_t count = sizeof texts / sizeof texts[0];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            struct preset a;
            struct preset b;
            struct base_diag_list messages;
            read_text(&a, texts[i], &messages);
            read_text(&b, texts[j], &messages);
            assert_int_equal(preset_equal(&a, &b), i == j);
            preset_free(&a);
            preset_free(&b);
        }
    }
}

/* Text from an editor cannot break out of its line. */
static void test_line_ends_in_code(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "per_frame_1=x", &messages);
    const struct base_source_line line = {{"a\nzoom=5\rb\0c", 12}, 1, 1};
    preset.per_frame.lines = &line;
    size_t size;
    char *text = preset_write(&preset, &size);
    assert_non_null(strstr(text, "\nper_frame_1=a zoom=5 b c\n"));
    assert_int_equal(strlen(text), size);
    free(text);
    preset_free(&preset);
}

static size_t files_in(const char *folder)
{
    DIR *open = opendir(folder);
    assert_non_null(open);
    size_t count = 0;
    for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    (void)closedir(open);
    return count;
}

static void test_write_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/froth-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    char inner[64];
    (void)snprintf(path, sizeof path, "%s/a.milk", folder);
    (void)snprintf(inner, sizeof inner, "%s/b.milk", folder);
    struct preset preset;
    struct preset again;
    struct base_diag_list messages;
    read_text(&preset, "zoom=1.25\nper_frame_1=x=1;\n", &messages);
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    for (int i = 0; i < 2; i++) {
        preset.rot = (float)i;
        assert_int_equal(preset_write_file(&preset, path, &sink), 0);
        assert_int_equal(preset_read_file(&again, path, &sink), 0);
        assert_true(preset_equal(&preset, &again));
        assert_string_equal(again.name, "a");
        preset_free(&again);
        assert_int_equal(files_in(folder), 1);
        assert_int_equal(chmod(path, 0640), 0);
    }
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(preset_write_file(&preset, path, &sink), 0);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
    assert_int_equal(messages.count, 0);

    assert_int_equal(mkdir(inner, 0755), 0);
    assert_int_equal(preset_write_file(&preset, inner, &sink), -1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    assert_non_null(strstr(messages.items[0].what, "cannot write: "));
    assert_int_equal(files_in(folder), 2);
    assert_int_equal(files_in(inner), 0);
    (void)snprintf(inner, sizeof inner, "%s/none/b.milk", folder);
    assert_int_equal(preset_write_file(&preset, inner, &sink), -1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 2);
    preset_free(&preset);

    (void)snprintf(inner, sizeof inner, "%s/b.milk", folder);
    assert_int_equal(rmdir(inner), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A preset that could not be read again is not written. */
static void test_write_too_long(void **state)
{
    (void)state;
    char folder[] = "/tmp/froth-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    (void)snprintf(path, sizeof path, "%s/a.milk", folder);
    char *code = malloc(PRESET_FILE_MAX);
    assert_non_null(code);
    memset(code, 'x', PRESET_FILE_MAX);
    struct preset preset;
    struct base_diag_list messages;
    read_text(&preset, "per_frame_1=x", &messages);
    const struct base_source_line line = {{code, PRESET_FILE_MAX}, 1, 1};
    preset.per_frame.lines = &line;
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    assert_int_equal(preset_write_file(&preset, path, &sink), -1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    assert_int_equal(files_in(folder), 0);
    preset_free(&preset);
    free(code);
    assert_int_equal(rmdir(folder), 0);
}

static void test_read_file_errors(void **state)
{
    (void)state;
    char folder[] = "/tmp/froth-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char fifo[64];
    char none[64];
    (void)snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    (void)snprintf(none, sizeof none, "%s/none", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const struct {
        const char *path;
        const char *message;
    } cases[] = {
        {folder, "not an ordinary file"},
        {fifo, "not an ordinary file"},
        {none, "cannot open: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset preset;
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        assert_int_equal(preset_read_file(&preset, cases[i].path, &sink), -1);
        assert_int_equal(messages.by_severity[BASE_ERROR], 1);
        assert_non_null(strstr(messages.items[0].what, cases[i].message));
        assert_string_equal(messages.items[0].place.file, cases[i].path);
        assert_null(preset.path);
    }
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(rmdir(folder), 0);
}

static bool holds_a_value(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    int c = getc(file);
    while (c != EOF && c != '=') {
        c = getc(file);
    }
    (void)fclose(file);
    return c == '=';
}

static void check_folder(const char *folder)
{
    struct preset_list list = {0};
    assert_int_equal(preset_list_add(&list, folder, &base_diag_stderr), 0);
    for (size_t i = 0; i < list.count; i++) {
        struct preset preset;
        const int result = preset_read_file(&preset, list.paths[i], NULL);
        if (result != 0 && !holds_a_value(list.paths[i])) {
            continue;
        }
        if (result != 0) {
            fail_msg("%s is refused", list.paths[i]);
        }
        assert_round_trip(&preset);
        preset_free(&preset);
    }
    preset_list_free(&list);
}

static void test_own_files(void **state)
{
    (void)state;
    check_folder(TEST_DATA "/presets");
}

static void test_shared_files(void **state)
{
    (void)state;
    const char *shared = getenv("FROTH_SHARED");
    if (shared == NULL) {
        SKIP("FROTH_SHARED is not set");
    }
    char folder[4096];
    (void)snprintf(folder, sizeof folder, "%s/presets", shared);
    check_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_versions_are_kept),
        cmocka_unit_test(test_every_number_is_written),
        cmocka_unit_test(test_equal_sees_differences),
        cmocka_unit_test(test_line_ends_in_code),
        cmocka_unit_test(test_write_file),
        cmocka_unit_test(test_write_too_long),
        cmocka_unit_test(test_read_file_errors),
        cmocka_unit_test(test_own_files),
        cmocka_unit_test(test_shared_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
