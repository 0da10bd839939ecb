/* Texts of presets with one value changed. */
#include "test_presets_help.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "presets/file.h"
#include "presets/library/find.h"
#include "presets/milk/preset.h"
#include "presets/presets.h"

static const struct preset_key *key_of(const char *name)
{
    const struct preset_key *key = preset_key_find(base_span_of(name));
    assert_non_null(key);
    return key;
}

static void assert_edit(const char *text, const char *name, double value, const char *wanted)
{
    size_t size = 0;
    char *got = preset_edit_set(base_span_of(text), key_of(name), value, &size);
    assert_non_null(got);
    assert_string_equal(got, wanted);
    assert_int_equal(size, strlen(wanted));
    free(got);
}

static void lines_change_and_nothing_else(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *key;
        double value;
        const char *wanted;
    } cases[] = {
        {"[preset00]\r\nzoom=1.000000\r\nrot=0\r\n", "zoom", 1.25,
         "[preset00]\r\nzoom=1.25\r\nrot=0\r\n"},
        {"\xef\xbb\xbf; mine\n[Preset00]\nFOO=1\nZoom=1 // as was\n// end", "zoom", 0.1,
         "\xef\xbb\xbf; mine\n[Preset00]\nFOO=1\nZoom=0.1 // as was\n// end"},
        {"zoom=1\rrot=2\r\rdx=3", "rot", -0.5, "zoom=1\rrot=-0.5\r\rdx=3"},
        {"zoom=  +1.5e3x\n", "zoom", 2, "zoom=  2 x\n"},
        {"zoom=  +1.5e3y\n", "zoom", 2, "zoom=  2y\n"},
        {"zoom=1.5.5\n", "zoom", 2, "zoom=2 .5\n"},
        {"zoom=1e5e7\n", "zoom", 2, "zoom=2 e7\n"},
        {"zoom=0x10\n", "zoom", 2, "zoom=2 0x10\n"},
        {"zoom=nonsense\n", "zoom", 2, "zoom=2nonsense\n"},
        {"zoom=\nrot=1\n", "zoom", 2, "zoom=2\nrot=1\n"},
        {"zoom=", "zoom", 2, "zoom=2"},
        {"zoom 1\n", "zoom", 2, "zoom 2\n"},
        {"zoom  = 1 ; x\n", "zoom", 2, "zoom= 2 ; x\n"},
        {"nWaveMode=3.7\n", "nWaveMode", 5.4, "nWaveMode=5\n"},
        {"bTexWrap=yes\n", "btexwrap", 0, "bTexWrap=0yes\n"},
        {"zoom=1\nzoom=2\n", "zoom", 3, "zoom=3\nzoom=2\n"},
        {"ZOOM=1\nzoom=2\n", "zoom", 3, "ZOOM=1\nzoom=3\n"},
        {"[preset00]\nrot=1\n[preset01]\nzoom=2\n", "zoom", 3,
         "[preset00]\nzoom=3\nrot=1\n[preset01]\nzoom=2\n"},
        {"[preset01]\nrot=1\nzoom=2\n", "zoom", 3, "[preset01]\nrot=1\nzoom=3\n"},
        {"MILKDROP_PRESET_VERSION=201\r\n[preset00]\r\nrot=1\r\n", "zoom", 3,
         "MILKDROP_PRESET_VERSION=201\r\n[preset00]\r\nzoom=3\r\nrot=1\r\n"},
        {"rot=1\r\n[preset00]", "zoom", 3, "rot=1\r\n[preset00]\r\nzoom=3"},
        {"rot=1 [preset00]", "zoom", 3, "zoom=3\nrot=1 [preset00]"},
        {"\xef\xbb\xbfrot=1\r", "zoom", 3, "\xef\xbb\xbfzoom=3\rrot=1\r"},
        {"\r\n \r\n", "zoom", 3, "zoom=3\r\n\r\n \r\n"},
        {"bMotionVectorsOn=0\nmv_a=0.5\n", "bMotionVectorsOn", 1, "bMotionVectorsOn=1\nmv_a=0.5\n"},
        {"[preset00]\nbMotionVectorsOn=0\n", "bMotionVectorsOn", 1,
         "[preset00]\nmv_a=0\nbMotionVectorsOn=1\n"},
        {"bMotionVectorsOn=1\nmv_a=x\n", "bMotionVectorsOn", 0, "bMotionVectorsOn=0\nmv_a=1 x\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_edit(cases[i].text, cases[i].key, cases[i].value, cases[i].wanted);
    }
}

static float value_after(const char *text, const char *name, double value)
{
    size_t size = 0;
    struct preset preset;
    const struct preset_key *key = key_of(name);
    char *got = preset_edit_set(base_span_of(text), key, value, &size);
    assert_non_null(got);
    assert_int_equal(preset_read(&preset, "x", got, size, NULL), 0);
    const float after = (float)preset_key_get(key, &preset);
    preset_free(&preset);
    free(got);
    return after;
}

static void values_are_limited(void **state)
{
    (void)state;
    assert_true(value_after("zoom=1", "zoom", INFINITY) == FLT_MAX);
    assert_true(value_after("rot=1", "zoom", -1e300) == -FLT_MAX);
    assert_true(value_after("zoom=1", "zoom", 1e-42) == 1e-42f);
    assert_true(value_after("zoom=1", "zoom", (double)FLT_MIN) == FLT_MIN);
    assert_true(signbit(value_after("zoom=1", "zoom", -0.0)) != 0);
    assert_edit("nWaveMode=1", "nWaveMode", 1e20, "nWaveMode=2147483647");
    assert_edit("nWaveMode=1", "nWaveMode", -1e20, "nWaveMode=-2147483648");
    assert_edit("bTexWrap=1", "bTexWrap", 0.3, "bTexWrap=0");
    assert_edit("bTexWrap=0", "bTexWrap", -17, "bTexWrap=1");
}

/* The reader looks at the first 255 bytes of a value. */
static void long_values_are_read(void **state)
{
    (void)state;
    enum { LONG = 1000 };
    char text[LONG + 16] = "zoom=";
    memset(text + 5, ' ', LONG);
    memcpy(text + 5 + LONG, "7\nrot=5\n", 9);
    assert_true(value_after(text, "zoom", 3) == 3);
    memset(text + 5, '1', LONG);
    assert_edit(text, "zoom", 3, "zoom=3\nrot=5\n");
}

static void texts_that_are_no_presets(void **state)
{
    (void)state;
    static const struct base_span texts[] = {
        {"", 0}, {"hello\n", 6}, {"zoom=1\0", 7}, {"\xff\xfez\0", 4}, {"z\0o\0o\0m\0=\0", 10},
    };
    size_t size = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_null(preset_edit_set(texts[i], key_of("zoom"), 1, &size));
    }
    assert_null(preset_edit_set(base_span_of("zoom=1"), key_of("zoom"), NAN, &size));
}

static void values_of_a_show_are_taken(void **state)
{
    (void)state;
    static struct preset_edit_shown shown;
    const char text[] = "[preset00]\nfDecay=0.9\nzoom=1 // slow\nrot=2\n";
    enum preset_language language = PRESET_LANGUAGE_BOARD;
    bool left = true;
    size_t size = 0;
    shown.values[PRESET_KEY_zoom] = 1.25;
    shown.changed[PRESET_KEY_zoom] = true;
    shown.values[PRESET_KEY_rot] = 5; /* as a program's variable has it, not changed */
    char *got = preset_edit_set_shown(base_span_of(text), &shown, &size, &language, &left);
    assert_string_equal(got, "[preset00]\nfDecay=0.9\nzoom=1.25 // slow\nrot=2\n");
    assert_int_equal(size, strlen(got));
    assert_int_equal(language, PRESET_LANGUAGE_MILK);
    assert_false(left);
    free(got);
    assert_null(preset_edit_set_shown(base_span_of("hello\n"), &shown, &size, &language, &left));
}

static void texts_stay_within_the_limit(void **state)
{
    (void)state;
    char *text = malloc(PRESET_FILE_MAX + 1);
    assert_non_null(text);
    memset(text, ';', PRESET_FILE_MAX);
    memcpy(text, "zoom=1\n", 7);
    size_t size = 0;
    const struct base_span full = {text, PRESET_FILE_MAX};
    char *same = preset_edit_set(full, key_of("zoom"), 2, &size);
    assert_non_null(same);
    assert_int_equal(size, PRESET_FILE_MAX);
    free(same);
    assert_null(preset_edit_set(full, key_of("zoom"), 2.5, &size));
    assert_null(preset_edit_set(full, key_of("rot"), 1, &size));
    assert_int_equal(
        preset_edit_save("/nonexistent/x", (struct base_span){text, PRESET_FILE_MAX + 1}, NULL),
        -1);
    free(text);
}

static void keys_have_names(void **state)
{
    (void)state;
    assert_string_equal(key_of("FVIDEOECHOZOOM")->key, "fVideoEchoZoom");
    assert_null(preset_key_find(base_span_of("samples")));
    assert_null(preset_key_find(base_span_of("zoo")));
    assert_null(preset_key_find(base_span_of("")));
    assert_null(preset_key_find(base_span_of("PSVERSION")));
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(PRESET_FILE_MAX);
    assert_true(file != NULL && text != NULL);
    *size = fread(text, 1, PRESET_FILE_MAX, file);
    (void)fclose(file);
    return text;
}

static double other_value(const struct preset_key *key, double value)
{
    return key->type == PRESET_TYPE_IS_FLOAT    ? value * 0.7 + 0.123456789
           : key->type == PRESET_TYPE_IS_SWITCH ? 1 - value
                                                : value + 1;
}

/* What two texts have in common at their ends, of the shorter one. */
static size_t common(struct base_span a, struct base_span b)
{
    const size_t most = a.size < b.size ? a.size : b.size;
    size_t start = 0;
    while (start < most && a.data[start] == b.data[start]) {
        start++;
    }
    size_t end = 0;
    while (start + end < most && a.data[a.size - 1 - end] == b.data[b.size - 1 - end]) {
        end++;
    }
    return start + end;
}

static void change_key(const char *path, struct base_span text, const struct preset_key *key)
{
    enum { NUMBER = 24, LINE = 64 };
    struct preset preset;
    struct preset changed;
    size_t size = 0;
    assert_int_equal(preset_read(&preset, path, text.data, text.size, NULL), 0);
    const double value = other_value(key, preset_key_get(key, &preset));
    char *got = preset_edit_set(text, key, value, &size);
    if (preset.language == PRESET_LANGUAGE_BOARD) {
        assert_null(got);
        preset_free(&preset);
        return;
    }
    assert_non_null(got);
    assert_int_equal(preset_read(&changed, path, got, size, NULL), 0);
    preset_key_set(key, &preset, value);
    assert_true(preset_equal(&preset, &changed));
    assert_true(common(text, (struct base_span){got, size}) + NUMBER > text.size);
    assert_true(size < text.size + LINE);
    free(got);
    preset_free(&preset);
    preset_free(&changed);
}

static void every_key_of_every_original(void **state)
{
    (void)state;
    struct preset_list list = {0};
    assert_int_equal(preset_list_add(&list, TEST_SOURCE "/presets/originals", NULL), 0);
    assert_true(list.count > 50);
    for (size_t i = 0; i < list.count; i++) {
        size_t size;
        char *text = read_whole(list.paths[i], &size);
        for (size_t k = 0; k < PRESET_KEY_ROWS; k++) {
            if (preset_keys[k].group == PRESET_GROUP_PRESET) {
                change_key(list.paths[i], (struct base_span){text, size}, &preset_keys[k]);
            }
        }
        free(text);
    }
    preset_list_free(&list);
}

static void assert_file(const char *path, const char *wanted)
{
    size_t size;
    char *text = read_whole(path, &size);
    assert_span((struct base_span){text, size}, wanted);
    free(text);
}

static size_t count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    size_t count = 0;
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 ? 1 : 0;
    }
    (void)closedir(entries);
    return count;
}

static void files_are_new_or_replaced(void **state)
{
    (void)state;
    char folder[] = "/tmp/froth-edit-XXXXXX";
    char path[64];
    char other[64];
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/a.milk", folder);
    (void)snprintf(other, sizeof other, "%s/b.milk", folder);
    assert_int_equal(preset_edit_save_new(path, base_span_of("zoom=1\r\n"), &sink), 0);
    assert_file(path, "zoom=1\r\n");
    assert_int_equal(messages.by_severity[BASE_ERROR], 0);
    assert_int_equal(preset_edit_save_new(path, base_span_of("zoom=2"), &sink), -1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    assert_file(path, "zoom=1\r\n");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(preset_edit_save(path, base_span_of("zoom=3"), &sink), 0);
    assert_file(path, "zoom=3");
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    /* A link to nothing has a name, too. */
    assert_int_equal(symlink("/nonexistent/x", other), 0);
    assert_int_equal(preset_edit_save_new(other, base_span_of("zoom=2"), &sink), -1);
    assert_int_equal(unlink(other), 0);
    assert_int_equal(preset_edit_save_new("/nonexistent/x", base_span_of("zoom=2"), &sink), -1);
    assert_int_equal(preset_edit_save(folder, base_span_of("zoom=2"), &sink), -1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 4);
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void program_lines_are_numbered_as_they_stand(void **state)
{
    (void)state;
    static const char one[] = "zoom=1\nper_frame_1=a;\r\nper_frame_2=b;\n";
    static const struct {
        const char *former;
        const char *text;
        const char *wanted; /* NULL: nothing is to be done */
    } cases[] = {
        {one, one, NULL},
        {one, "per_frame_1=a;\nper_frame_=c;\nper_frame_2=b;\n",
         "per_frame_1=a;\nper_frame_2=c;\nper_frame_3=b;\n"},
        {one, "per_frame_1=a;\r\nper_frame_1=c;\r\nper_frame_2=b;",
         "per_frame_1=a;\r\nper_frame_2=c;\r\nper_frame_3=b;"},
        {one, "per_frame_2=b;\nper_frame_1=a;\n", "per_frame_1=b;\nper_frame_2=a;\n"},
        {one, "per_frame_2=b;\n", "per_frame_1=b;\n"},
        {one, "per_frame_0099=b", "per_frame_1=b"},
        {one, "per_frame_init_=b\nwave_2_per_point=c\nshape_0_init=d\nwarp_=`e\nwarp_=`f\n",
         "per_frame_init_1=b\nwave_2_per_point1=c\nshape_0_init1=d\nwarp_1=`e\nwarp_2=`f\n"},
        {"per_frame_1=a\nper_frame_3=dead\n", "per_frame_=c\nper_frame_3=dead\n", NULL},
        {"per_frame_2=b\nper_frame_1=a\nper_pixel_1=d\n",
         "per_frame_2=b\nper_frame_=x\nper_pixel_1=d\nper_pixel_1=e",
         "per_frame_2=b\nper_frame_=x\nper_pixel_1=d\nper_pixel_2=e"},
        {"", "", NULL},
        {"", "zoom1=2\nper_frame=3\n=4\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = 0;
        char *got =
            preset_edit_number(base_span_of(cases[i].text), base_span_of(cases[i].former), &size);
        assert_int_equal(got != NULL, cases[i].wanted != NULL);
        if (got != NULL) {
            assert_string_equal(got, cases[i].wanted);
            assert_int_equal(size, strlen(got));
        }
        free(got);
    }
    /* Many numbers that grow. */
    enum { LINES = 1200 };
    static char many[LINES * 16];
    for (int i = 0; i < LINES; i++) {
        (void)strcat(many, "per_pixel_=a;\n");
    }
    size_t size = 0;
    char *got = preset_edit_number(base_span_of(many), base_span_of(""), &size);
    assert_non_null(got);
    assert_int_equal(size, strlen(got));
    assert_non_null(strstr(got, "\nper_pixel_1200=a;\n"));
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(program_lines_are_numbered_as_they_stand),
        cmocka_unit_test(lines_change_and_nothing_else),
        cmocka_unit_test(values_are_limited),
        cmocka_unit_test(long_values_are_read),
        cmocka_unit_test(texts_that_are_no_presets),
        cmocka_unit_test(values_of_a_show_are_taken),
        cmocka_unit_test(texts_stay_within_the_limit),
        cmocka_unit_test(keys_have_names),
        cmocka_unit_test(every_key_of_every_original),
        cmocka_unit_test(files_are_new_or_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
