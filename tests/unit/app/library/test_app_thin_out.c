/* The folder of thumbnails stays within its size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "app/library/thumbnails.h"
#include "base/os/file.h"
#include "../../patience.h"

enum { DAY = 24 * 60 * 60, PRESETS = 8 };

static char root[64];
static char folder[128];

static const char *path_of(const char *name)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A file of so many bytes that was used some seconds ago. */
static void put(const char *name, size_t bytes, int64_t ago)
{
    char *text = calloc(1, bytes + 1);
    const struct timespec then[2] = {{.tv_sec = time(NULL) - ago}, {.tv_sec = time(NULL) - ago}};
    assert_non_null(text);
    assert_int_equal(base_file_save(path_of(name), text, bytes), 0);
    assert_int_equal(utimensat(AT_FDCWD, path_of(name), then, 0), 0);
    free(text);
}

static bool is_there(const char *name)
{
    struct stat status;
    return lstat(path_of(name), &status) == 0;
}

static int make(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/froth-thin-XXXXXX");
    assert_non_null(mkdtemp(root));
    (void)snprintf(folder, sizeof folder, "%s/thumbnails", root);
    return base_folder_make(folder);
}

static int clear(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

static bool some(void *user)
{
    int *left = user;
    return (*left)-- > 0;
}

static struct app_thinned thin_out(uint64_t bytes_max, uint64_t bytes)
{
    return app_thin_out(&(struct app_thin_out){
        .folder = folder, .bytes_max = bytes_max, .bytes = bytes, .may_go_on = always});
}

static void put_three(void)
{
    put("00000000000000aa.png", 1000, 10);
    put("00000000000000bb.png", 2000, 30);
    put("00000000000000cc.png", 3000, 20);
}

static void test_oldest_first(void **state)
{
    (void)state;
    put_three();
    struct app_thinned left = thin_out(6000, 1);
    assert_int_equal(left.bytes, 6000);
    assert_in_range(time(NULL) - left.oldest, 30, 40);
    left = thin_out(5999, 4500);
    assert_int_equal(left.bytes, 4000);
    assert_false(is_there("00000000000000bb.png"));
    assert_true(is_there("00000000000000cc.png"));
    left = thin_out(0, 0);
    assert_int_equal(left.bytes, 0);
    assert_int_equal(left.oldest, 0);
    assert_false(is_there("00000000000000aa.png"));
}

static void test_others_stay(void **state)
{
    (void)state;
    static const char *const names[] = {"index.txt", "0000000000000aa.png", "00000000000000aa.pngx",
                                        "00000000000000AA.png", "000000000000000aa.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        put(names[i], 1000, 10);
    }
    put("picture", 1000, 10);
    assert_int_equal(symlink("picture", path_of("00000000000000bb.png")), 0);
    assert_int_equal(mkdir(path_of("00000000000000cc.png"), 0777), 0);
    assert_int_equal(thin_out(0, 0).bytes, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(is_there(names[i]));
    }
    assert_true(is_there("picture"));
    assert_true(is_there("00000000000000bb.png"));
    assert_true(is_there("00000000000000cc.png"));
}

static void test_no_folder(void **state)
{
    (void)state;
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(thin_out(0, 0).bytes, 0);
    app_thin_out_use(path_of("00000000000000aa.png"));
}

static void test_ended(void **state)
{
    (void)state;
    put_three();
    for (int files = 0; files < 5; files++) {
        int left = files;
        (void)app_thin_out(
            &(struct app_thin_out){.folder = folder, .user = &left, .may_go_on = some});
        assert_true(is_there("00000000000000aa.png"));
    }
}

static void test_use(void **state)
{
    (void)state;
    put_three();
    put("00000000000000dd.png", 1000, 2 * DAY);
    app_thin_out_use(path_of("00000000000000bb.png"));
    app_thin_out_use(path_of("00000000000000dd.png"));
    (void)thin_out(6999, 5000);
    assert_false(is_there("00000000000000bb.png"));
    assert_true(is_there("00000000000000dd.png"));
}

/* ---- the thread of thumbnails ---- */

struct list {
    pthread_mutex_t lock;
    struct app_thumbnail_job jobs[PRESETS];
    size_t next;
    size_t done;
};

static bool next_job(void *user, struct app_thumbnail_job *job)
{
    struct list *list = user;
    (void)pthread_mutex_lock(&list->lock);
    const bool any = list->next < PRESETS;
    if (any) {
        *job = list->jobs[list->next];
    }
    (void)pthread_mutex_unlock(&list->lock);
    return any;
}

static void job_done(void *user, const struct app_thumbnail_job *job)
{
    struct list *list = user;
    (void)pthread_mutex_lock(&list->lock);
    list->next += list->next < PRESETS && list->jobs[list->next].content == job->content;
    list->done++;
    (void)pthread_mutex_unlock(&list->lock);
}

static size_t done(struct list *list)
{
    (void)pthread_mutex_lock(&list->lock);
    const size_t count = list->done;
    (void)pthread_mutex_unlock(&list->lock);
    return count;
}

static void make_list(struct list *list)
{
    (void)pthread_mutex_init(&list->lock, NULL);
    for (int i = 0; i < PRESETS; i++) {
        char text[64];
        struct app_thumbnail_job *job = &list->jobs[i];
        const int size =
            snprintf(text, sizeof text, "[preset00]\nnWaveMode=%d\nfDecay=0.9%d\n", i, i);
        (void)snprintf(job->path, sizeof job->path, "%s/%d.milk", root, i);
        assert_int_equal(base_file_save(job->path, text, (size_t)size), 0);
        job->content = base_content_hash(text, (size_t)size);
    }
}

static struct app_thumbnails *start(struct list *list, uint64_t bytes)
{
    struct app_thumbnails *thumbnails = app_thumbnails_start(&(struct app_thumbnails_setup){
        .cache = root, .cache_bytes = bytes, .user = list, .next = next_job, .done = job_done});
    assert_non_null(thumbnails);
    app_thumbnails_idle(thumbnails, true);
    return thumbnails;
}

static void wait_until(struct list *list, size_t count)
{
    for (double until = 0; done(list) < count && wait_more(&until);) {
    }
    assert_int_equal(done(list), count);
}

static void test_room_is_made(void **state)
{
    (void)state;
    struct list list = {0};
    make_list(&list);
    put("00000000000000aa.png", 600000, 30 * DAY);
    put("00000000000000bb.png", 600000, 40 * DAY);
    struct app_thumbnails *thumbnails = start(&list, 1000000);
    wait_until(&list, PRESETS);
    app_thumbnails_stop(thumbnails);
    assert_false(is_there("00000000000000bb.png"));
    assert_true(is_there("00000000000000aa.png"));
}

/* Full of what is used: no picture is painted that nobody asks for. */
static void test_crowded(void **state)
{
    (void)state;
    static uint32_t pixels[APP_THUMBNAIL_PIXELS];
    struct list list = {0};
    make_list(&list);
    put("00000000000000aa.png", 450000, DAY);
    put("00000000000000bb.png", 450000, 2 * DAY);
    struct app_thumbnails *thumbnails = start(&list, 1000000);
    for (size_t i = PRESETS - 1; i > PRESETS - 4; i--) {
        assert_false(app_thumbnails_get(thumbnails, &list.jobs[i], pixels));
        wait_until(&list, PRESETS - i);
    }
    (void)nanosleep(&(struct timespec){0, 300000000}, NULL);
    assert_int_equal(done(&list), 3);
    app_thumbnails_stop(thumbnails);
    assert_true(is_there("00000000000000bb.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_oldest_first, make, clear),
        cmocka_unit_test_setup_teardown(test_others_stay, make, clear),
        cmocka_unit_test_setup_teardown(test_no_folder, make, clear),
        cmocka_unit_test_setup_teardown(test_ended, make, clear),
        cmocka_unit_test_setup_teardown(test_use, make, clear),
        cmocka_unit_test_setup_teardown(test_room_is_made, make, clear),
        cmocka_unit_test_setup_teardown(test_crowded, make, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
