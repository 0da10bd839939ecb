/* Files written beside their names: what others have planted there is neither written nor followed,
 * and what a killed froth has left is removed, nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/file.h"

enum { PATH_SIZE = 512 };

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/froth_test_file_XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *in(const char *name, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    char path[PATH_SIZE];
    FILE *file = fopen(in(name, path), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *name, const char *text)
{
    char path[PATH_SIZE];
    size_t size = 0;
    char *data = base_file_read(in(name, path), 1000, &size, NULL);
    assert_non_null(data);
    assert_string_equal(data, text);
    free(data);
}

static bool is_there(const char *name)
{
    char path[PATH_SIZE];
    struct stat facts;
    return lstat(in(name, path), &facts) == 0;
}

static void what_is_planted_is_not_written(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    char other[PATH_SIZE];
    put("mine", "mine");
    assert_int_equal(symlink(in("mine", path), in("link", other)), 0);
    assert_int_equal(symlink(in("new", path), in("dangling", other)), 0);
    assert_int_equal(link(in("mine", path), in("hard", other)), 0);
    assert_int_equal(mkdir(in("folder", path), 0700), 0);
    assert_int_equal(mkfifo(in("pipe", path), 0600), 0);
    static const char *const planted[] = {"mine", "link", "dangling", "hard", "folder", "pipe"};
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        errno = 0;
        assert_int_equal(base_part_create(in(planted[i], path)), -1);
        assert_int_equal(errno, EEXIST);
        assert_true(is_there(planted[i]));
    }
    assert_false(is_there("new"));
    assert_holds("mine", "mine");
    const int file = base_part_create(in("free", path));
    assert_true(file >= 0);
    assert_true((fcntl(file, F_GETFD) & FD_CLOEXEC) != 0);
    assert_int_equal(close(file), 0);
}

/* A name that could be foreseen could be planted. */
static void names_differ(void **state)
{
    (void)state;
    enum { NAMES = 100 };
    char names[NAMES][PATH_SIZE];
    char path[PATH_SIZE];
    (void)in("film.mp4", path);
    for (size_t i = 0; i < NAMES; i++) {
        char *part = base_part_of(path, ".part");
        assert_non_null(part);
        assert_int_equal(strlen(part), strlen(path) + 17 + 5);
        assert_memory_equal(part, path, strlen(path));
        (void)snprintf(names[i], PATH_SIZE, "%s", part);
        free(part);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(names[i], names[k]);
        }
    }
}

/* The number of a process that has ended. */
static long gone(void)
{
    const pid_t id = fork();
    if (id == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(id, NULL, 0), id);
    return (long)id;
}

static void age(const char *name)
{
    char path[PATH_SIZE];
    const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, in(name, path), times, AT_SYMLINK_NOFOLLOW), 0);
}

static void what_a_killed_froth_has_left_is_removed(void **state)
{
    (void)state;
    static const char digits[] = "0123456789abcdef";
    const long dead = gone();
    char left[64];
    char young[64];
    char running[64];
    char linked[64];
    char made[64];
    char path[PATH_SIZE];
    char other[PATH_SIZE];
    (void)snprintf(left, sizeof left, ".froth-%ld-%s", dead, digits);
    (void)snprintf(young, sizeof young, ".froth-%ld-1%s", dead, digits + 1);
    (void)snprintf(running, sizeof running, ".froth-%ld-%s", (long)getpid(), digits);
    (void)snprintf(linked, sizeof linked, ".froth-%ld-2%s", dead, digits + 1);
    (void)snprintf(made, sizeof made, ".froth-%ld-3%s", dead, digits + 1);
    put("target", "mine");
    age("target");
    put(left, "half");
    age(left);
    put(young, "half");
    put(running, "half");
    age(running);
    assert_int_equal(symlink(in("target", path), in(linked, other)), 0);
    age(linked);
    assert_int_equal(mkdir(in(made, path), 0700), 0);
    age(made);
    char others[6][64];
    (void)snprintf(others[0], 64, ".froth-%ld-%s.milk", dead, digits);
    (void)snprintf(others[1], 64, ".froth-%ld-%s", dead, digits + 1);
    (void)snprintf(others[2], 64, ".froth-%ld-%.15sX", dead, digits);
    (void)snprintf(others[3], 64, "x.froth-%ld-%s", dead, digits);
    (void)snprintf(others[4], 64, ".froth--%ld-%s", dead, digits);
    (void)snprintf(others[5], 64, ".froth-%s", digits);
    for (size_t i = 0; i < 6; i++) {
        put(others[i], "not ours");
        age(others[i]);
    }
    assert_int_equal(base_file_write(in("list", path), "new", 3, BASE_FILE_CACHE), 0);
    assert_holds("list", "new");
    assert_false(is_there(left));
    assert_true(is_there(young) && is_there(running) && is_there(linked) && is_there(made));
    assert_holds("target", "mine");
    for (size_t i = 0; i < 6; i++) {
        assert_true(is_there(others[i]));
    }
}

/* The same where the path names no folder. */
static void the_folder_may_be_the_present_one(void **state)
{
    (void)state;
    char left[64];
    char before[PATH_SIZE];
    (void)snprintf(left, sizeof left, ".froth-%ld-0123456789abcdef", gone());
    put(left, "half");
    age(left);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    const int result = base_file_write("list", "new", 3, BASE_FILE_NEW);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(result, 0);
    assert_holds("list", "new");
    assert_false(is_there(left));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_planted_is_not_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_killed_froth_has_left_is_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_folder_may_be_the_present_one, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
