#include "test_presets_help.h"

#include <sys/stat.h>
#include <unistd.h>

#include "presets/library/find.h"

static const char *const folders[] = {"d", "d/sub", "d/.hidden", "empty", "empty/below"};
static const char *const files[] = {
    "d/b.milk",  "d/a.MILK", "d/c.txt", "d/B.milk",   "d/sub/z.milk",   "d/.hidden/h.milk",
    "d/.x.milk", "d/milk",   "d/.milk", "d/sub.milk", "empty/note.txt", "d/\xc3\xa9.milk"};
static const char *const links[][2] = {
    {"sub", "d/loop"}, {"b.milk", "d/link.milk"}, {"..", "d/sub/up"}, {"nowhere", "d/broken.milk"}};

static int make_tree(void **state)
{
    static char root[] = "/tmp/froth-test-XXXXXX";
    if (mkdtemp(root) == NULL || chdir(root) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        assert_int_equal(mkdir(folders[i], 0755), 0);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *file = fopen(files[i], "w");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
    }
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        assert_int_equal(symlink(links[i][0], links[i][1]), 0);
    }
    *state = root;
    return 0;
}

static int remove_tree(void **state)
{
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        (void)unlink(links[i][1]);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)unlink(files[i]);
    }
    for (size_t i = sizeof folders / sizeof folders[0]; i-- > 0;) {
        (void)rmdir(folders[i]);
    }
    return rmdir(*state);
}

static void assert_list(const struct preset_list *list, const char *const *wanted, size_t count)
{
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(list->paths[i], wanted[i]);
    }
}

static void test_folder(void **state)
{
    (void)state;
    static const char *const wanted[] = {"d/B.milk",       "d/a.MILK",     "d/b.milk",
                                         "d/link.milk",    "d/sub/z.milk", "d/sub.milk",
                                         "d/\xc3\xa9.milk"};
    struct preset_list list = {0};
    assert_int_equal(preset_list_add(&list, "d/", NULL), 0);
    assert_list(&list, wanted, sizeof wanted / sizeof wanted[0]);
    preset_list_free(&list);
    assert_null(list.paths);
    assert_int_equal(preset_list_add(&list, "d", NULL), 0);
    assert_list(&list, wanted, sizeof wanted / sizeof wanted[0]);
    preset_list_free(&list);
}

static void test_named_in_turn(void **state)
{
    (void)state;
    static const char *const wanted[] = {"d/c.txt", "d/sub/z.milk", "d/.x.milk"};
    struct preset_list list = {0};
    assert_int_equal(preset_list_add(&list, "d/c.txt", NULL), 0);
    assert_int_equal(preset_list_add(&list, "d/sub", NULL), 0);
    assert_int_equal(preset_list_add(&list, "empty", NULL), -1);
    assert_int_equal(preset_list_add(&list, "d/.x.milk", NULL), 0);
    assert_list(&list, wanted, 3);
    preset_list_free(&list);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *message;
    } cases[] = {
        {"none", "No such file"},
        {"", "No such file"},
        {"empty", "no preset"},
        {"d/broken.milk", "No such file"},
        {"/dev/null", "neither a file nor a folder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct preset_list list = {0};
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        assert_int_equal(preset_list_add(&list, cases[i].path, &sink), -1);
        assert_int_equal(messages.count, 1);
        assert_int_equal(messages.by_severity[BASE_ERROR], 1);
        assert_non_null(strstr(messages.items[0].what, cases[i].message));
        assert_int_equal(list.count, 0);
        preset_list_free(&list);
    }
}

/* Makes `deep`, a chain of folders with a preset in each, and removes it again. */
static void chain(int depth, bool make)
{
    char path[256] = "deep";
    char file[300];
    size_t ends[64];
    for (int i = 0; i < depth; i++) {
        ends[i] = strlen(path);
        if (make) {
            assert_int_equal(mkdir(path, 0755), 0);
            (void)snprintf(file, sizeof file, "%s/p.milk", path);
            FILE *open = fopen(file, "w");
            assert_non_null(open);
            (void)fclose(open);
        }
        strcat(path, "/x");
    }
    for (int i = depth; !make && i-- > 0;) {
        path[ends[i]] = '\0';
        (void)snprintf(file, sizeof file, "%s/p.milk", path);
        assert_int_equal(unlink(file), 0);
        assert_int_equal(rmdir(path), 0);
    }
}

static void test_depth(void **state)
{
    (void)state;
    struct preset_list list = {0};
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    chain(40, true);
    assert_int_equal(preset_list_add(&list, "deep", &sink), 0);
    chain(40, false);
    assert_int_equal(list.count, 33);
    assert_int_equal(messages.by_severity[BASE_WARNING], 1);
    preset_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_named_in_turn),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
