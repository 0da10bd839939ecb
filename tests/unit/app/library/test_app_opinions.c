/* The list of what the operator thinks: read again whatever stands in it, written by several at
 * once, by programs that are killed, through links, beside what others put there. */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "app/library/inside.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "presets/presets.h"
#include "../../patience.h"
#include "../../turns.h"

struct place {
    char root[64];
    char presets[128];
    char data[128];
    char cache[128];
};

static void make_place(struct place *place)
{
    /* Where memory is a disk, for to wait for a real one takes long. */
    (void)snprintf(place->root, sizeof place->root, "%s/froth-opinions-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(place->root));
    (void)snprintf(place->presets, sizeof place->presets, "%s/presets", place->root);
    (void)snprintf(place->data, sizeof place->data, "%s/data", place->root);
    (void)snprintf(place->cache, sizeof place->cache, "%s/cache", place->root);
    assert_int_equal(base_folder_make(place->presets), 0);
}

static void remove_place(const struct place *place)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", place->root);
    assert_int_equal(system(command), 0);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(base_file_cache(path, text, strlen(text)), 0);
}

static char *get(const char *folder, const char *name)
{
    char path[1024];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return base_file_read(path, 1 << 24, &size, NULL);
}

static bool is_there(const char *folder, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void preset_text(char *text, size_t size, int number)
{
    (void)snprintf(text, size, "[preset00]\nfRating=%d\nper_frame_1=a=%d;\n", number % 6, number);
}

/* p00.milk, p01.milk, ... */
static void make_presets(const struct place *place, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        char text[64];
        (void)snprintf(name, sizeof name, "p%02d.milk", i);
        preset_text(text, sizeof text, i);
        put(place->presets, name, text);
    }
}

static uint64_t content_of(int number)
{
    char text[64];
    preset_text(text, sizeof text, number);
    return base_content_hash(text, strlen(text));
}

static struct app_library *open_at_once(const struct place *place, struct base_diag_list *messages)
{
    const char *path = place->presets;
    const struct app_library_setup setup = {
        .paths = &path, .path_count = 1, .data = place->data, .cache = place->cache, .seed = 1};
    const struct base_diag_sink sink =
        messages != NULL ? base_diag_list_sink(messages) : (struct base_diag_sink){0};
    return app_library_open(&setup, &sink);
}

static struct app_library *open_settled(const struct place *place, struct base_diag_list *messages)
{
    struct app_library *library = open_at_once(place, messages);
    assert_non_null(library);
    (void)app_library_wait(library);
    while (app_library_state(library).scanning) {
        (void)nanosleep(&(struct timespec){0, 500000}, NULL);
    }
    return library;
}

static struct app_library_entry entry_of(struct app_library *library, const char *name)
{
    struct app_library_entry entry;
    assert_true(app_library_entry(library, app_library_find(library, name), &entry));
    return entry;
}

static void rate(struct app_library *library, const char *name, int stars)
{
    app_library_rate(library, app_library_find(library, name), stars);
}

/* The list as it is on disk; all of it must be readable. */
static struct app_library_opinions list_of(const struct place *place)
{
    struct app_library_opinions list;
    char *text = get(place->data, "library.yaml");
    const struct base_span span = base_span_of(text != NULL ? text : "");
    assert_int_equal(app_library_opinions_read(&list, "library.yaml", span, NULL), 0);
    assert_false(list.damaged);
    free(text);
    return list;
}

static int stars_of(const struct app_library_opinions *list, uint64_t content)
{
    const struct preset_opinion *opinion = app_library_opinions_get(list, content);
    return opinion != NULL && opinion->rated ? opinion->stars : -1;
}

/* ---- what is written can be read ---- */

static const char *const names[] = {
    "\xEF\xBF\xBF",                /* U+FFFF */
    "\xEF\xBF\xBE \xEF\xBB\xBF x", /* U+FFFE, U+FEFF */
    "a\nb\rc\td",
    "\xff\xfe\x80 \xED\xA0\x80",    /* no UTF-8; a surrogate */
    "\xC2\x80\xC2\x85\xC2\x9F\x7F", /* controls of the second kind */
    "\xE2\x80\xA8\xE2\x80\xA9",     /* line ends */
    "\"\\'#: {}[],&*!|>%@`",
    "\xF0\x9F\xBF\xBF\xF4\x8F\xBF\xBF \xF0\x9F\x98\x80",
    "%YAML 1.1",
    "--- ...",
    "",
};
enum { NAMES = sizeof names / sizeof *names };

static void test_any_name_is_read_again(void **state)
{
    (void)state;
    struct app_library_opinions list = {0};
    struct app_library_opinions again;
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    char cut[PRESET_SHOWN_MAX + 8];
    memset(cut, 'x', sizeof cut);
    memcpy(cut + PRESET_SHOWN_MAX - 1, "\xE2\x82\xAC", 4); /* over the end */
    for (size_t i = 0; i <= NAMES; i++) {
        const struct preset_opinion opinion = {.rated = true, .stars = (int)(i % 6)};
        assert_true(app_library_opinions_set(&list, i, i < NAMES ? names[i] : cut, &opinion));
    }
    /* Twice: names that have come from a file are written too. */
    for (int round = 0; round < 2; round++) {
        size_t size;
        char *text = app_library_opinions_print(&list, &size);
        assert_int_equal(
            app_library_opinions_read(&again, "l", (struct base_span){text, size}, &sink), 0);
        free(text);
        assert_int_equal(messages.count, 0);
        assert_false(again.damaged);
        assert_int_equal(again.count, NAMES + 1);
        for (size_t i = 0; i <= NAMES; i++) {
            assert_int_equal(stars_of(&again, i), (int)(i % 6));
        }
        assert_string_equal(again.items[0].name, names[0]);
        assert_string_equal(again.items[6].name, names[6]);
        assert_string_equal(again.items[7].name, names[7]);
        app_library_opinions_free(&list);
        list = again;
    }
    app_library_opinions_free(&list);
}

static void test_files_of_any_name(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    int made = 0;
    for (size_t i = 0; i < NAMES; i++) {
        char name[128];
        char text[64];
        (void)snprintf(name, sizeof name, "%s%zu.milk", names[i], i);
        preset_text(text, sizeof text, (int)i);
        if (strchr(name, '/') == NULL && name[0] != '.') {
            put(place.presets, name, text);
            made++;
        }
    }
    for (int round = 0; round < 2; round++) {
        struct base_diag_list messages = {0};
        struct app_library *library = open_settled(&place, &messages);
        assert_int_equal(app_library_state(library).presets, made);
        for (int i = 0; i < made; i++) {
            struct app_library_entry entry;
            assert_true(app_library_entry(library, (uint32_t)i, &entry));
            assert_int_equal(entry.rated, round == 1);
            assert_int_equal(entry.stars, round == 1 ? i % 6 : 0);
            app_library_rate(library, (uint32_t)i, i % 6);
        }
        app_library_close(library);
        assert_int_equal(messages.count, 0);
        assert_false(is_there(place.data, "library.yaml.unread"));
    }
    remove_place(&place);
}

static void test_many_entries(void **state)
{
    (void)state;
    enum { MANY = 200000 }; /* more than fit in one YAML document */
    struct app_library_opinions list = {0};
    struct app_library_opinions again;
    const int many = TURNS(MANY);
    for (int i = 0; i < many; i++) {
        const struct preset_opinion opinion = {.rated = true, .stars = i % 6, .hidden = true};
        assert_true(app_library_opinions_set(&list, (uint64_t)i * 977, "a name", &opinion));
    }
    size_t size;
    char *text = app_library_opinions_print(&list, &size);
    assert_non_null(text);
    assert_int_equal(app_library_opinions_read(&again, "l", (struct base_span){text, size}, NULL),
                     0);
    assert_false(again.damaged);
    assert_int_equal(again.count, many);
    for (int i = 0; i < many; i++) {
        assert_int_equal(stars_of(&again, (uint64_t)i * 977), i % 6);
    }
    free(text);
    app_library_opinions_free(&list);
    app_library_opinions_free(&again);
}

/* ---- damage ---- */

static void test_a_damaged_line_costs_that_line(void **state)
{
    (void)state;
    struct place place;
    struct base_diag_list messages = {0};
    char text[2048] = "# mine\n";
    make_place(&place);
    make_presets(&place, 6);
    for (int i = 0; i < 6; i++) {
        char *end = text + strlen(text);
        (void)snprintf(end, 200, "\"%016" PRIx64 "\": {name: \"%s\", stars: %d%s}\n", content_of(i),
                       i == 1   ? "\xEF\xBF\xBF" /* as earlier versions wrote it */
                       : i == 3 ? "\xff"
                                : "x",
                       i % 6,
                       i == 4   ? ", tags: [a"
                       : i == 5 ? ", stars_: 1"
                                : "");
    }
    put(place.data, "library.yaml", text);
    struct app_library *library = open_settled(&place, &messages);
    assert_int_equal(entry_of(library, "p00").rated, true);
    assert_int_equal(entry_of(library, "p01").rated, false);
    assert_int_equal(entry_of(library, "p02").stars, 2);
    assert_int_equal(entry_of(library, "p03").rated, false);
    assert_int_equal(entry_of(library, "p04").rated, false);
    assert_int_equal(entry_of(library, "p05").stars, 5);
    assert_int_equal(messages.count, 4);
    assert_int_equal(messages.items[0].place.line, 3);
    assert_int_equal(messages.items[1].place.line, 5);
    assert_int_equal(messages.items[2].place.line, 6);
    assert_int_equal(messages.items[3].place.line, 7);
    assert_false(is_there(place.data, "library.yaml.unread"));
    rate(library, "p00", 4);
    app_library_close(library);
    char *copy = get(place.data, "library.yaml.unread");
    assert_non_null(copy);
    assert_string_equal(copy, text);
    free(copy);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 4);
    assert_int_equal(stars_of(&list, content_of(2)), 2);
    assert_int_equal(stars_of(&list, content_of(5)), 5);
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* Three lists that are damaged, each in its way, and one of them twice. */
static void test_copies_do_not_overwrite_one_another(void **state)
{
    (void)state;
    static const char *const texts[] = {"a: [\n", "- b\n", "a: [\n", "}\n"};
    struct place place;
    make_place(&place);
    make_presets(&place, 1);
    for (size_t i = 0; i < 4; i++) {
        put(place.data, "library.yaml", texts[i]);
        struct app_library *library = open_settled(&place, NULL);
        rate(library, "p00", (int)i);
        app_library_close(library);
    }
    static const char *const copies[] = {"library.yaml.unread", "library.yaml.unread-2",
                                         "library.yaml.unread-3"};
    static const char *const wanted[] = {"a: [\n", "- b\n", "}\n"};
    for (size_t i = 0; i < 3; i++) {
        char *text = get(place.data, copies[i]);
        assert_non_null(text);
        assert_string_equal(text, wanted[i]);
        free(text);
    }
    assert_false(is_there(place.data, "library.yaml.unread-4"));
    remove_place(&place);
}

/* What is no file at all. */
static void test_what_cannot_be_read_is_put_aside(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 1);
    for (int i = 0; i < 2; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "library.yaml/inside%d", i);
        char path[256];
        (void)snprintf(path, sizeof path, "%s/library.yaml", place.data);
        (void)unlink(path);
        put(place.data, name, "mine\n");
        struct app_library *library = open_settled(&place, NULL);
        rate(library, "p00", 3);
        app_library_close(library);
        struct app_library_opinions list = list_of(&place);
        assert_int_equal(stars_of(&list, content_of(0)), 3);
        app_library_opinions_free(&list);
    }
    assert_true(is_there(place.data, "library.yaml.unread/inside0"));
    assert_true(is_there(place.data, "library.yaml.unread-2/inside1"));
    remove_place(&place);
}

/* As a power cut leaves it: the ratings of this session are all that there are. */
static void test_an_empty_list_takes_nothing_away(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 2);
    struct app_library *library = open_settled(&place, NULL);
    rate(library, "p00", 3);
    app_library_close(library);
    library = open_settled(&place, NULL);
    put(place.data, "library.yaml", "");
    rate(library, "p01", 4);
    app_library_close(library);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 3);
    assert_int_equal(stars_of(&list, content_of(1)), 4);
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* ---- several ---- */

static void test_two_frothes_add_up(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 4);
    struct app_library *one = open_settled(&place, NULL);
    rate(one, "p03", 2);
    assert_true(app_library_tag(one, app_library_find(one, "p03"), "old", true));
    app_library_close(one);

    one = open_settled(&place, NULL);
    struct app_library *two = open_settled(&place, NULL);
    rate(one, "p00", 1);
    rate(two, "p01", 2);
    /* Different things of the same preset. */
    rate(one, "p02", 5);
    app_library_favourite(two, app_library_find(two, "p02"), true);
    assert_true(app_library_tag(one, app_library_find(one, "p02"), "a", true));
    assert_true(app_library_tag(two, app_library_find(two, "p02"), "b", true));
    assert_true(app_library_tag(one, app_library_find(one, "p03"), "old", false));
    assert_true(app_library_tag(two, app_library_find(two, "p03"), "new", true));
    app_library_close(one);
    app_library_close(two);

    one = open_settled(&place, NULL);
    assert_int_equal(entry_of(one, "p00").stars, 1);
    assert_int_equal(entry_of(one, "p01").stars, 2);
    assert_int_equal(entry_of(one, "p02").stars, 5);
    assert_true(entry_of(one, "p02").favourite);
    assert_string_equal(entry_of(one, "p02").tags, "a b");
    assert_int_equal(entry_of(one, "p03").stars, 2);
    assert_string_equal(entry_of(one, "p03").tags, "new");
    app_library_close(one);
    remove_place(&place);
}

/* What one takes away stays away, though another one still has it in memory. */
static void test_what_is_taken_away_stays_away(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 3);
    struct app_library *one = open_settled(&place, NULL);
    for (int i = 0; i < 3; i++) {
        app_library_favourite(one, (uint32_t)i, true);
    }
    app_library_close(one);
    one = open_settled(&place, NULL);
    struct app_library *two = open_settled(&place, NULL);
    app_library_favourite(one, 0, false);
    app_library_close(one);
    app_library_favourite(two, 1, false);
    app_library_close(two);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].content, content_of(2));
    app_library_opinions_free(&list);
    remove_place(&place);
}

enum { WRITERS = 3, RATINGS = 12 };

/* A froth that rates its own presets, one by one, and says of each when it is kept. */
_Noreturn static void write_ratings(const struct place *place, int writer, int from, int out)
{
    for (int i = from; i < RATINGS; i++) {
        struct app_library *library = open_settled(place, NULL);
        char name[32];
        char tag[32];
        (void)snprintf(name, sizeof name, "p%02d", writer * RATINGS + i);
        rate(library, name, i % 5 + 1);
        (void)snprintf(tag, sizeof tag, "w%d-%d", writer, i);
        (void)app_library_tag(library, app_library_find(library, "p36"), tag, true);
        app_library_close(library);
        const char done = (char)i;
        if (write(out, &done, 1) != 1) {
            break;
        }
    }
    _exit(0);
}

static void test_three_writers_of_which_some_are_killed(void **state)
{
    (void)state;
    struct place place;
    int ends[WRITERS][2];
    pid_t ids[WRITERS];
    int done[WRITERS] = {0};
    int killed = 0;
    make_place(&place);
    make_presets(&place, WRITERS * RATINGS + 1);
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(pipe(ends[i]), 0);
        (void)fcntl(ends[i][0], F_SETFL, O_NONBLOCK);
        ids[i] = -1;
    }
    unsigned random = 12345;
    for (bool going = true; going;) {
        going = false;
        for (int i = 0; i < WRITERS; i++) {
            if (ids[i] < 0 && done[i] < RATINGS) {
                ids[i] = fork();
                assert_true(ids[i] >= 0);
                if (ids[i] == 0) {
                    write_ratings(&place, i, done[i], ends[i][1]);
                }
            }
            going = going || ids[i] > 0;
        }
        random = random * 1103515245 + 12345;
        (void)nanosleep(&(struct timespec){0, (long)(random >> 8 & 0xFFFFFF)}, NULL);
        const int victim = (int)(random >> 20) % WRITERS;
        if (ids[victim] > 0 && killed < 12) {
            (void)kill(ids[victim], SIGKILL);
            killed++;
        }
        for (int i = 0; i < WRITERS; i++) {
            if (ids[i] > 0 && waitpid(ids[i], NULL, WNOHANG) == ids[i]) {
                ids[i] = -1;
                char last;
                while (read(ends[i][0], &last, 1) == 1) {
                    done[i] = last + 1;
                }
            }
        }
    }
    assert_true(killed > 0);
    struct app_library_opinions list = list_of(&place);
    const struct preset_opinion *shared = app_library_opinions_get(&list, content_of(36));
    assert_non_null(shared);
    for (int i = 0; i < WRITERS; i++) {
        for (int j = 0; j < RATINGS; j++) {
            char tag[32];
            assert_int_equal(stars_of(&list, content_of(i * RATINGS + j)), j % 5 + 1);
            (void)snprintf(tag, sizeof tag, "w%d-%d", i, j);
            assert_true(preset_has_tag(shared, tag, strlen(tag)));
        }
        (void)close(ends[i][0]);
        (void)close(ends[i][1]);
    }
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* One that is stuck with the lock in its hands costs the others some seconds, not their ratings. */
static void test_a_lock_that_stays(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 1);
    put(place.data, "library.yaml", "");
    char path[256];
    (void)snprintf(path, sizeof path, "%s/library.yaml", place.data);
    const int lock = base_file_lock(path, 0);
    assert_true(lock >= 0);
    assert_int_equal(base_file_lock(path, 0.01), -1);
    struct app_library *library = open_settled(&place, NULL);
    rate(library, "p00", 5);
    app_library_close(library);
    base_file_unlock(lock);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 5);
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* ---- links ---- */

static void test_a_link_stays_a_link(void **state)
{
    (void)state;
    struct place place;
    char link[256];
    char there[512];
    struct stat facts;
    make_place(&place);
    make_presets(&place, 2);
    put(place.root, "far/list.yaml", "");
    assert_int_equal(base_folder_make(place.data), 0);
    (void)snprintf(link, sizeof link, "%s/library.yaml", place.data);
    assert_int_equal(symlink("../far/list.yaml", link), 0);
    for (int i = 0; i < 2; i++) {
        struct app_library *library = open_settled(&place, NULL);
        rate(library, i == 0 ? "p00" : "p01", 3);
        app_library_close(library);
        assert_int_equal(lstat(link, &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
        (void)snprintf(there, sizeof there, "%s/far", place.root);
        char *text = get(there, "list.yaml");
        assert_non_null(strstr(text, "stars: 3"));
        free(text);
    }
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(list.count, 2);
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* ---- texts that are gone ---- */

static void test_rows_that_an_edit_left_are_pruned(void **state)
{
    (void)state;
    struct place place;
    char text[2048] = "";
    make_place(&place);
    make_presets(&place, 2);
    char other_text[64];
    preset_text(other_text, sizeof other_text, 7);
    put(place.root, "other/q.milk", other_text);
    /* Of 1 there is a file here, of 7 in another folder, 5 was left today, 6 never. */
    static const struct {
        int number;
        const char *more;
    } rows[] = {{1, ", left: 2020-01-31"},
                {7, ", left: 2020-01-31"},
                {4, ", left: 2020-01-31"},
                {5, ", left: 2099-01-31"},
                {6, ""},
                {8, ", left: 2020-01-31"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(text + strlen(text), 100, "\"%016" PRIx64 "\": {stars: 3%s}\n",
                       content_of(rows[i].number), rows[i].more);
    }
    struct place other = place;
    (void)snprintf(other.presets, sizeof other.presets, "%s/other", place.root);
    app_library_close(open_settled(&other, NULL));
    app_library_close(open_settled(&place, NULL));
    put(place.data, "library.yaml", text);
    /* Without an index nothing is certain. */
    struct app_library *library = open_settled(&place, NULL);
    char path[256];
    char aside[256];
    (void)snprintf(path, sizeof path, "%s/index.txt", place.cache);
    (void)snprintf(aside, sizeof aside, "%s/aside.txt", place.cache);
    assert_int_equal(rename(path, aside), 0);
    rate(library, "p00", 2);
    app_library_close(library);
    struct app_library_opinions before = list_of(&place);
    assert_int_equal(before.count, 7);
    app_library_opinions_free(&before);
    assert_int_equal(rename(aside, path), 0);
    library = open_settled(&place, NULL);
    rate(library, "p00", 1);
    app_library_close(library);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 1);
    assert_int_equal(stars_of(&list, content_of(1)), 3);
    assert_int_equal(stars_of(&list, content_of(7)), 3);
    assert_int_equal(stars_of(&list, content_of(5)), 3);
    assert_int_equal(stars_of(&list, content_of(6)), 3);
    assert_int_equal(stars_of(&list, content_of(4)), -1);
    assert_int_equal(stars_of(&list, content_of(8)), -1);
    assert_false(app_library_opinions_left(&list, content_of(1)));
    app_library_opinions_free(&list);
    remove_place(&place);
}

#define ASSERT_SOON(condition)                                                                     \
    do {                                                                                           \
        for (double until = 0; !(condition) && wait_more(&until);) {                               \
        }                                                                                          \
        assert_true(condition);                                                                    \
    } while (0)

/* The opinion goes along, the row of the old text is dated; undone, it goes back with the newer
 * opinion. */
static void test_an_edit_dates_the_old_row(void **state)
{
    (void)state;
    struct place place;
    char text[64];
    make_place(&place);
    make_presets(&place, 1);
    struct app_library *library = open_settled(&place, NULL);
    rate(library, "p00", 3);
    preset_text(text, sizeof text, 50);
    put(place.presets, "p00.milk", text);
    ASSERT_SOON(entry_of(library, "p00").file_stars == 2);
    assert_int_equal(entry_of(library, "p00").stars, 3);
    app_library_close(library);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 3);
    assert_int_equal(stars_of(&list, content_of(50)), 3);
    assert_true(app_library_opinions_left(&list, content_of(0)));
    assert_false(app_library_opinions_left(&list, content_of(50)));
    app_library_opinions_free(&list);

    library = open_settled(&place, NULL);
    rate(library, "p00", 5);
    preset_text(text, sizeof text, 0);
    put(place.presets, "p00.milk", text);
    ASSERT_SOON(entry_of(library, "p00").file_stars == 0);
    assert_int_equal(entry_of(library, "p00").stars, 5);
    app_library_close(library);
    list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 5);
    assert_false(app_library_opinions_left(&list, content_of(0)));
    assert_true(app_library_opinions_left(&list, content_of(50)));
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* ---- before a file is read ---- */

static void put_preset(const struct place *place, const char *name, int number)
{
    char text[64];
    preset_text(text, sizeof text, number);
    put(place->presets, name, text);
}

static void remove_preset(const struct place *place, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", place->presets, name);
    assert_int_equal(unlink(path), 0);
}

/* The entry of the file below the folder of presets. */
static struct app_library_entry entry_at(struct app_library *library, const struct place *place,
                                         const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", place->presets, name);
    return entry_of(library, path);
}

/* While no froth runs, files are edited, moved, changed for each other, and deleted. */
static void test_an_edit_between_two_frothes_keeps_the_rating(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 8);
    struct app_library *library = open_settled(&place, NULL);
    for (int i = 0; i < 5; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "p%02d", i);
        rate(library, name, 1 + i);
    }
    app_library_close(library);
    put_preset(&place, "p00.milk", 50); /* edited */
    put_preset(&place, "p01.milk", 51); /* edited, and a copy of the old text was kept */
    put_preset(&place, "copy.milk", 1);
    put_preset(&place, "p02.milk", 6); /* another preset came over it */
    remove_preset(&place, "p06.milk");
    put_preset(&place, "deep/p03.milk", 53); /* moved and edited */
    remove_preset(&place, "p03.milk");
    remove_preset(&place, "p04.milk"); /* two took its name */
    put_preset(&place, "a/p04.milk", 54);
    put_preset(&place, "b/p04.milk", 55);
    put_preset(&place, "p07.milk", 57); /* edited without a rating */
    library = open_settled(&place, NULL);
    assert_int_equal(entry_of(library, "p00").stars, 1);
    assert_int_equal(entry_of(library, "p01").stars, 2);
    assert_int_equal(entry_of(library, "copy").stars, 2);
    assert_false(entry_of(library, "p02").rated);
    assert_int_equal(entry_of(library, "p03").stars, 4);
    assert_false(entry_at(library, &place, "a/p04.milk").rated);
    assert_false(entry_at(library, &place, "b/p04.milk").rated);
    assert_false(entry_of(library, "p07").rated);
    app_library_close(library);
    struct app_library_opinions list = list_of(&place);
    assert_int_equal(stars_of(&list, content_of(0)), 1);
    assert_true(app_library_opinions_left(&list, content_of(0)));
    assert_false(app_library_opinions_left(&list, content_of(1)));
    assert_int_equal(stars_of(&list, content_of(50)), 1);
    assert_int_equal(stars_of(&list, content_of(51)), 2);
    assert_int_equal(stars_of(&list, content_of(53)), 4);
    assert_false(app_library_opinions_left(&list, content_of(3)));
    assert_int_equal(stars_of(&list, content_of(4)), 5);
    app_library_opinions_free(&list);
    /* It is so from now on. */
    library = open_settled(&place, NULL);
    assert_int_equal(entry_of(library, "p00").stars, 1);
    assert_int_equal(entry_of(library, "p03").stars, 4);
    assert_false(entry_of(library, "p02").rated);
    app_library_close(library);
    remove_place(&place);
}

/* Without the index names are what is left. */
static void test_an_edit_without_an_index_keeps_the_rating_of_the_name(void **state)
{
    (void)state;
    struct place place;
    struct place other;
    make_place(&place);
    make_presets(&place, 3);
    other = place;
    (void)snprintf(other.presets, sizeof other.presets, "%s/other", place.root);
    put_preset(&other, "p00.milk", 20);
    struct app_library *library = open_settled(&other, NULL);
    rate(library, "p00", 5);
    app_library_close(library);
    /* A file of another folder, which the index has: its rating stays its own. */
    put_preset(&place, "p00.milk", 30);
    library = open_settled(&place, NULL);
    assert_false(entry_of(library, "p00").rated);
    rate(library, "p01", 3);
    app_library_close(library);
    remove_preset(&other, "p00.milk");
    put_preset(&place, "p00.milk", 31);
    put_preset(&place, "p01.milk", 32);
    char index[256];
    (void)snprintf(index, sizeof index, "%s/index.txt", place.cache);
    assert_int_equal(unlink(index), 0);
    library = open_settled(&place, NULL);
    assert_int_equal(entry_of(library, "p00").stars, 5);
    assert_int_equal(entry_of(library, "p01").stars, 3);
    assert_false(entry_of(library, "p02").rated);
    app_library_close(library);
    remove_place(&place);
}

static void test_what_is_said_at_once_is_added(void **state)
{
    (void)state;
    struct place place;
    enum { COUNT = 60 };
    make_place(&place);
    make_presets(&place, COUNT);
    struct app_library *library = open_settled(&place, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        app_library_rate(library, i, 4);
    }
    app_library_close(library);
    /* Read again, and closed before all are. */
    char path[256];
    (void)snprintf(path, sizeof path, "%s/index.txt", place.cache);
    assert_int_equal(unlink(path), 0);
    library = open_at_once(&place, NULL);
    (void)app_library_wait(library);
    while (app_library_find(library, "p59") == APP_LIBRARY_NONE) {
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        app_library_favourite(library, i, true);
    }
    app_library_close(library);
    struct app_library_opinions list = list_of(&place);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(stars_of(&list, content_of(i)), 4);
        assert_true(app_library_opinions_get(&list, content_of(i))->favourite);
    }
    app_library_opinions_free(&list);
    remove_place(&place);
}

/* ---- kill -9 ---- */

enum { KILLS = 200 };

static void number_text(char *text, size_t size, int number)
{
    (void)snprintf(text, size, "[preset00]\n");
    for (int i = 0; i < 400; i++) {
        char *end = text + strlen(text);
        (void)snprintf(end, size - (size_t)(end - text), "per_frame_%d=a=%d;\n", i + 1, number);
    }
}

/* Writes all that froth keeps, over and over: the nth time ends with n. */
_Noreturn static void keep_writing(const struct place *place, int from, int out)
{
    static char text[16384];
    char path[256];
    (void)snprintf(path, sizeof path, "%s/mine.milk", place->root);
    for (int i = from;; i++) {
        struct app_library *library = open_settled(place, NULL);
        app_library_rate(library, 0, i % 6);
        (void)app_library_playlist_add(library, "mine", (uint32_t)i % 4, NULL);
        app_library_judge(library, 1, i % 2 == 0 ? APP_VERDICT_OK : APP_VERDICT_DEGRADED);
        app_library_close(library);
        number_text(text, sizeof text, i);
        if (base_file_write(path, text, strlen(text), BASE_FILE_OVER) != 0 ||
            write(out, &i, sizeof i) != (ssize_t)sizeof i) {
            _exit(1);
        }
    }
}

/* Each file is as after the nth time or the one after it; returns how many times there were. */
static int check_files(const struct place *place, int done)
{
    static char wanted[2][16384];
    struct app_library_opinions list = list_of(place);
    const int stars = stars_of(&list, content_of(0));
    assert_true(stars == done % 6 || stars == (done + 1) % 6);
    app_library_opinions_free(&list);
    char *text = get(place->root, "mine.milk");
    number_text(wanted[0], sizeof wanted[0], done);
    number_text(wanted[1], sizeof wanted[1], done + 1);
    assert_true(strcmp(text, wanted[0]) == 0 || strcmp(text, wanted[1]) == 0);
    free(text);
    text = get(place->data, "playlists/mine.txt");
    int lines = 0;
    for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
        assert_non_null(strchr(at, '\n'));
        assert_int_equal(strncmp(at, place->presets, strlen(place->presets)), 0);
        lines++;
    }
    free(text);
    text = get(place->cache, "verdicts.txt");
    assert_true(text == NULL || strstr(text, " ok\n") != NULL ||
                strstr(text, " degraded\n") != NULL);
    free(text);
    text = get(place->cache, "index.txt");
    assert_true(text == NULL || text[strlen(text) - 1] == '\n');
    free(text);
    return lines;
}

static void test_killed_at_any_moment(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    make_presets(&place, 4);
    int done = 0;
    int lines = 0;
    unsigned random = 4711;
    for (int round = 0; round < TURNS(KILLS); round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t id = fork();
        assert_true(id >= 0);
        if (id == 0) {
            keep_writing(&place, done + 1, ends[1]);
        }
        (void)close(ends[1]);
        random = random * 1103515245 + 12345;
        /* The first one comes once all of them are there. */
        int last;
        if (done == 0) {
            assert_int_equal(read(ends[0], &last, sizeof last), sizeof last);
            done = last;
        }
        (void)nanosleep(&(struct timespec){0, (long)(random >> 8 & 0xFFFFFF)}, NULL);
        assert_int_equal(kill(id, SIGKILL), 0);
        assert_int_equal(waitpid(id, NULL, 0), id);
        while (read(ends[0], &last, sizeof last) == (ssize_t)sizeof last) {
            done = last;
        }
        (void)close(ends[0]);
        const int now = check_files(&place, done);
        assert_true(now >= lines && now >= done);
        lines = now;
    }
    remove_place(&place);
}

/* A list of so many ratings, with contents from `first` on. */
static struct app_library_opinions many_ratings(uint64_t first, size_t count, int stars)
{
    struct app_library_opinions list;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (uint64_t i = first; i < first + count; i++) {
        (void)fprintf(out, "\"%016" PRIx64 "\": {name: \"n\", stars: %d}\n", i, stars);
    }
    assert_int_equal(fclose(out), 0);
    const struct base_span span = {text, size};
    assert_int_equal(app_library_opinions_read(&list, "many", span, NULL), 0);
    free(text);
    return list;
}

static double seconds_to_take(struct app_library_opinions *mine,
                              const struct app_library_opinions *theirs)
{
    const double began = base_clock_busy();
    assert_true(app_library_opinions_take(mine, theirs));
    return base_clock_busy() - began;
}

/* The library is locked meanwhile: time must grow as the lists do, not as their product, which
 * would be a thousand times that of the same number behind all others. */
static void test_many_new_ratings_are_taken_in_one_pass(void **state)
{
    (void)state;
    enum { MANY = 100000, LATER = 1 << 20 };
    struct app_library_opinions mine = {0};
    struct app_library_opinions later = many_ratings(LATER, MANY, 2);
    struct app_library_opinions earlier = many_ratings(1, MANY, 3);
    earlier.damaged = true; /* what it does not have stays */
    const double behind = seconds_to_take(&mine, &later);
    const double before = seconds_to_take(&mine, &earlier);
    print_message("behind: %.4f s; before: %.4f s\n", behind, before);
    assert_true(before < 50 * behind);
    assert_int_equal(mine.count, 2 * MANY);
    for (size_t i = 0; i < mine.count; i++) {
        const struct app_library_opinion *item = &mine.items[i];
        assert_int_equal(item->content, i < MANY ? 1 + i : LATER + i - MANY);
        assert_int_equal(item->opinion.stars, i < MANY ? 3 : 2);
        assert_string_equal(item->name, "n");
    }
    /* Without the damage they have taken the later ones away. */
    earlier.damaged = false;
    assert_true(app_library_opinions_take(&mine, &earlier));
    assert_null(app_library_opinions_get(&mine, LATER));
    assert_non_null(app_library_opinions_get(&mine, MANY));
    app_library_opinions_free(&mine);
    app_library_opinions_free(&later);
    app_library_opinions_free(&earlier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_new_ratings_are_taken_in_one_pass),
        cmocka_unit_test(test_any_name_is_read_again),
        cmocka_unit_test(test_files_of_any_name),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_a_damaged_line_costs_that_line),
        cmocka_unit_test(test_copies_do_not_overwrite_one_another),
        cmocka_unit_test(test_what_cannot_be_read_is_put_aside),
        cmocka_unit_test(test_an_empty_list_takes_nothing_away),
        cmocka_unit_test(test_two_frothes_add_up),
        cmocka_unit_test(test_what_is_taken_away_stays_away),
        cmocka_unit_test(test_three_writers_of_which_some_are_killed),
        cmocka_unit_test(test_a_lock_that_stays),
        cmocka_unit_test(test_a_link_stays_a_link),
        cmocka_unit_test(test_rows_that_an_edit_left_are_pruned),
        cmocka_unit_test(test_an_edit_dates_the_old_row),
        cmocka_unit_test(test_an_edit_between_two_frothes_keeps_the_rating),
        cmocka_unit_test(test_an_edit_without_an_index_keeps_the_rating_of_the_name),
        cmocka_unit_test(test_what_is_said_at_once_is_added),
        cmocka_unit_test(test_killed_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
