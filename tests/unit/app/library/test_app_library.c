/* The library over folders of files that come, change and go. */
#include <dirent.h>
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
#include <sys/stat.h>

#include "base/os/file.h"
#include "app/apart/apart.h"
#include "app/library/library.h"

struct place {
    char root[64];
    char presets[128];
    char data[128];
    char cache[128];
};

static void put(const char *folder, const char *name, const char *text)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(base_file_save(path, text, strlen(text)), 0);
}

static char *get(const char *folder, const char *name)
{
    char path[1024];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return base_file_read(path, 1 << 20, &size, NULL);
}

static void preset(const struct place *place, const char *name, int rating)
{
    char text[256];
    (void)snprintf(text, sizeof text, "[preset00]\nfRating=%d\nper_frame_1=a=%d; // %s\n", rating,
                   rating, name);
    put(place->presets, name, text);
}

static void make_place(struct place *place)
{
    (void)snprintf(place->root, sizeof place->root, "/tmp/froth-library-XXXXXX");
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

static struct app_library *open_at(const struct place *place, const char *path,
                                   struct base_diag_list *messages)
{
    const struct app_library_setup setup = {
        .paths = &path, .path_count = 1, .data = place->data, .cache = place->cache, .seed = 1};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    struct app_library *library = app_library_open(&setup, messages != NULL ? &sink : NULL);
    assert_non_null(library);
    return library;
}

static void pause_briefly(void)
{
    (void)nanosleep(&(struct timespec){0, 5000000}, NULL);
}

static void settle(struct app_library *library)
{
    (void)app_library_wait(library);
    while (app_library_state(library).scanning) {
        pause_briefly();
    }
}

static struct app_library *open_settled(const struct place *place)
{
    struct app_library *library = open_at(place, place->presets, NULL);
    settle(library);
    return library;
}

static struct app_library_entry entry_of(struct app_library *library, const char *name)
{
    struct app_library_entry entry;
    const uint32_t number = app_library_find(library, name);
    assert_true(app_library_entry(library, number, &entry));
    return entry;
}

static void assert_next(struct app_library *library, int steps, const char *name)
{
    struct engine_choice choice;
    struct app_library_entry entry;
    assert_true(app_library_step(library, steps, &choice));
    assert_int_equal(app_library_current(library), choice.number);
    assert_true(app_library_entry(library, choice.number, &entry));
    assert_string_equal(entry.path, choice.path);
    assert_string_equal(entry.name, name);
}

static void make_three(struct place *place)
{
    make_place(place);
    preset(place, "Beta.milk", 2);
    preset(place, "alpha.milk", 5);
    preset(place, "deep/gamma.milk", 0);
}

/* Names of what is found, with blanks between. */
static void assert_found(struct app_library *library, const char *query, const char *wanted)
{
    uint32_t numbers[16];
    char text[1024] = "";
    const size_t count = app_library_search(library, query, numbers, 16);
    for (size_t i = 0; i < count; i++) {
        struct app_library_entry entry;
        assert_true(app_library_entry(library, numbers[i], &entry));
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "",
                       entry.name);
    }
    assert_string_equal(text, wanted);
}

static bool is_there(struct app_library *library, const char *name)
{
    struct app_library_entry entry;
    const uint32_t number = app_library_find(library, name);
    return app_library_entry(library, number, &entry) && !entry.gone;
}

/* Within five seconds. */
#define ASSERT_SOON(condition)                                                                     \
    do {                                                                                           \
        for (int left = 1000; !(condition) && left > 0; left--) {                                  \
            pause_briefly();                                                                       \
        }                                                                                          \
        assert_true(condition);                                                                    \
    } while (0)

static void test_scan(void **state)
{
    (void)state;
    struct place place;
    make_three(&place);
    put(place.presets, "broken.milk", "MZ no preset");
    struct app_library *library = open_settled(&place);
    assert_int_equal(app_library_state(library).presets, 4);
    assert_int_equal(app_library_state(library).failed, 1);
    const struct app_library_entry gamma = entry_of(library, "GAM");
    assert_string_equal(gamma.folder, "deep");
    assert_int_equal(gamma.stars, 0);
    assert_false(gamma.rated);
    assert_int_equal(entry_of(library, "alpha").stars, 0);
    assert_int_equal(entry_of(library, "alpha").file_stars, 5);
    assert_int_equal(entry_of(library, "broken").verdict, APP_VERDICT_FAILED);
    assert_found(library, "", "Beta alpha broken gamma");
    assert_found(library, "deep", "gamma");
    assert_next(library, 1, "Beta");
    assert_next(library, 1, "alpha");
    assert_next(library, 1, "gamma");
    assert_next(library, 1, "Beta");
    assert_next(library, -2, "alpha");
    assert_next(library, -1, "Beta");
    assert_next(library, 1, "alpha");
    app_library_close(library);
    remove_place(&place);
}

static void test_nothing_there(void **state)
{
    (void)state;
    struct place place;
    struct engine_choice choice;
    struct base_diag_list messages = {0};
    make_place(&place);
    struct app_library *library = open_at(&place, place.presets, &messages);
    assert_false(app_library_wait(library));
    assert_false(app_library_step(library, 1, &choice));
    assert_int_equal(app_library_find(library, "x"), APP_LIBRARY_NONE);
    app_library_close(library);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    remove_place(&place);
}

/* What the operator thinks goes with the content: to another folder, and to another run. */
static void test_opinions(void **state)
{
    (void)state;
    struct place place;
    make_three(&place);
    struct app_library *library = open_settled(&place);
    const uint32_t alpha = app_library_find(library, "alpha");
    app_library_rate(library, alpha, 9);
    app_library_favourite(library, alpha, true);
    assert_true(app_library_tag(library, alpha, "Calm", true));
    assert_true(app_library_tag(library, alpha, "blue_2", true));
    assert_true(app_library_tag(library, alpha, "calm", true));
    assert_false(app_library_tag(library, alpha, "two words", true));
    assert_false(app_library_tag(library, alpha, "", true));
    assert_false(app_library_tag(library, 99, "calm", true));
    app_library_hide(library, app_library_find(library, "Beta"), true);
    assert_found(library, "tag:calm", "alpha");
    assert_found(library, "hidden", "Beta");
    app_library_close(library);

    preset(&place, "moved/again.milk", 0);
    char from[256];
    char to[256];
    (void)snprintf(from, sizeof from, "%s/alpha.milk", place.presets);
    (void)snprintf(to, sizeof to, "%s/moved/other.milk", place.presets);
    assert_int_equal(rename(from, to), 0);
    library = open_settled(&place);
    const struct app_library_entry other = entry_of(library, "other");
    assert_int_equal(other.stars, 5);
    assert_true(other.rated);
    assert_true(other.favourite);
    assert_string_equal(other.tags, "Calm blue_2");
    assert_true(entry_of(library, "Beta").hidden);
    assert_true(app_library_tag(library, other.number, "CALM", false));
    assert_string_equal(entry_of(library, "other").tags, "blue_2");
    assert_found(library, "", "gamma again other");
    app_library_close(library);
    remove_place(&place);
}

/* Opinions that were kept under the hash of earlier versions, with the index of these beside. */
static void test_opinions_of_earlier_versions(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    put(place.presets, "old.milk", "[preset00]\nfDecay=0.9\n");
    put(place.data, "library.yaml",
        "\"04346ded8a430c77\": {stars: 4, tags: [calm]}\n\"0000000000000001\": {stars: 2}\n");
    put(place.cache, "index.txt", "froth index 1\n4346ded8a430c77 22 0 0 0 0 old.milk\n");
    struct app_library *library = open_settled(&place);
    assert_int_equal(entry_of(library, "old").stars, 4);
    assert_string_equal(entry_of(library, "old").tags, "calm");
    app_library_close(library);
    char *text = get(place.data, "library.yaml");
    assert_non_null(strstr(text, "\"4df95ec5ee5c7d14\": {"));
    assert_non_null(strstr(text, "\"0000000000000001\": {"));
    assert_null(strstr(text, "04346ded8a430c77"));
    free(text);
    library = open_settled(&place);
    assert_int_equal(entry_of(library, "old").stars, 4);
    app_library_close(library);
    remove_place(&place);
}

/* Before anything of the files is known, and for all files of the same content. */
static void test_opinion_at_once(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    for (int i = 0; i < 50; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "p%02d.milk", i);
        put(place.presets, name, "[preset00]\nfDecay=0.9\n");
    }
    struct app_library *library = open_at(&place, place.presets, NULL);
    assert_true(app_library_wait(library));
    app_library_rate(library, 0, 1);
    settle(library);
    assert_int_equal(entry_of(library, "p00").stars, 1);
    app_library_rate(library, 7, 4);
    assert_int_equal(entry_of(library, "p49").stars, 4);
    app_library_close(library);
    remove_place(&place);
}

static void test_hostile_files(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[",
        "- a\n- b\n",
        "x: y\n",
        "\"0123456789abcdef\": [1]\n",
        "\"0123456789abcdef\": {stars: 7, tags: {a: b}, name: [], more: 1, hidden: 3}\n",
        "froth index 1\n",
        "froth index 2\n0 0 0 0 9 0 x\n",
        "froth index 2\n0 0 0 0 0 0 %\n",
        "zzz ok\n0123456789abcdef maybe\n0123456789abcdef",
        "\xff\xfe\x01",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct place place;
        make_three(&place);
        put(place.data, "library.yaml", texts[i]);
        put(place.cache, "index.txt", texts[i]);
        put(place.cache, "verdicts.txt", texts[i]);
        struct app_library *library = open_settled(&place);
        assert_int_equal(app_library_state(library).presets, 3);
        assert_int_equal(entry_of(library, "alpha").file_stars, 5);
        app_library_rate(library, app_library_find(library, "alpha"), 3);
        app_library_close(library);
        library = open_settled(&place);
        assert_int_equal(entry_of(library, "alpha").stars, 3);
        app_library_close(library);
        remove_place(&place);
    }
}

/* What was not understood is somebody's work. */
static void test_unread_opinions_stay(void **state)
{
    (void)state;
    struct place place;
    struct base_diag_list messages = {0};
    make_three(&place);
    put(place.data, "library.yaml", "a: [\n");
    struct app_library *library = open_at(&place, place.presets, &messages);
    settle(library);
    app_library_rate(library, 0, 3);
    app_library_close(library);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    assert_int_equal(messages.items[0].place.line, 2);
    char *text = get(place.data, "library.yaml.unread");
    assert_string_equal(text, "a: [\n");
    free(text);
    text = get(place.data, "library.yaml");
    assert_non_null(strstr(text, "stars: 3"));
    free(text);
    remove_place(&place);
}

/* Nor is it written over if it cannot be read at all. */
static void test_unreadable_opinions_stay(void **state)
{
    (void)state;
    struct place place;
    struct base_diag_list messages = {0};
    make_three(&place);
    put(place.data, "library.yaml/inside", "mine\n");
    struct app_library *library = open_at(&place, place.presets, &messages);
    settle(library);
    app_library_rate(library, 0, 3);
    app_library_close(library);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    char *text = get(place.data, "library.yaml.unread/inside");
    assert_string_equal(text, "mine\n");
    free(text);
    text = get(place.data, "library.yaml");
    assert_non_null(strstr(text, "stars: 3"));
    free(text);
    remove_place(&place);
}

/* Of a cache that cannot be written it is told too, but that is no matter. */
static void test_lost_opinions_are_told(void **state)
{
    (void)state;
    struct place place;
    struct base_diag_list messages = {0};
    make_three(&place);
    put(place.root, "data", "a file\n");
    put(place.root, "cache", "a file\n");
    struct app_library *library = open_at(&place, place.presets, &messages);
    settle(library);
    app_library_rate(library, 0, 3);
    app_library_close(library);
    size_t told = 0;
    for (size_t i = 0; i < messages.count; i++) {
        told += strstr(messages.items[i].hint, "ratings") != NULL;
    }
    assert_int_equal(told, 1);
    remove_place(&place);
}

static void test_watch(void **state)
{
    (void)state;
    struct place place;
    char path[256];
    char other[256];
    make_three(&place);
    struct app_library *library = open_settled(&place);
    const uint32_t alpha = app_library_find(library, "alpha");
    app_library_judge(library, alpha, APP_VERDICT_FAILED);
    preset(&place, "new.milk", 1);
    ASSERT_SOON(is_there(library, "new") && entry_of(library, "new").file_stars == 1);
    preset(&place, "fresh/below/more.milk", 4);
    ASSERT_SOON(is_there(library, "more") && entry_of(library, "more").file_stars == 4);
    assert_string_equal(entry_of(library, "more").folder, "fresh/below");
    preset(&place, "fresh/below/later.milk", 4);
    ASSERT_SOON(is_there(library, "later"));

    /* Changed: what was found out about it is past. */
    preset(&place, "alpha.milk", 4);
    ASSERT_SOON(entry_of(library, "alpha").file_stars == 4);
    assert_int_equal(entry_of(library, "alpha").number, alpha);
    assert_int_equal(entry_of(library, "alpha").verdict, APP_VERDICT_UNKNOWN);

    (void)snprintf(path, sizeof path, "%s/alpha.milk", place.presets);
    assert_int_equal(unlink(path), 0);
    ASSERT_SOON(entry_of(library, path).gone);
    preset(&place, "alpha.milk", 3);
    ASSERT_SOON(!entry_of(library, path).gone && entry_of(library, path).file_stars == 3);
    assert_int_equal(app_library_find(library, "alpha"), alpha);

    /* A folder that gets another name. */
    (void)snprintf(path, sizeof path, "%s/fresh", place.presets);
    (void)snprintf(other, sizeof other, "%s/stale", place.presets);
    assert_int_equal(rename(path, other), 0);
    ASSERT_SOON(app_library_state(library).presets == 6 && is_there(library, "more") &&
                strcmp(entry_of(library, "more").folder, "stale/below") == 0);
    preset(&place, "stale/below/last.milk", 4);
    ASSERT_SOON(is_there(library, "last"));
    preset(&place, ".hidden/no.milk", 4);
    preset(&place, "text.txt", 4);
    preset(&place, "yes.milk", 4);
    ASSERT_SOON(is_there(library, "yes"));
    assert_int_equal(app_library_state(library).presets, 8);
    app_library_close(library);
    remove_place(&place);
}

static void test_failed_are_skipped(void **state)
{
    (void)state;
    struct place place;
    struct engine_choice choice;
    make_three(&place);
    struct app_library *library = open_settled(&place);
    app_library_judge(library, app_library_find(library, "alpha"), APP_VERDICT_FAILED);
    assert_next(library, 1, "Beta");
    assert_next(library, 1, "gamma");
    app_library_hide(library, app_library_find(library, "Beta"), true);
    assert_next(library, 1, "gamma");
    assert_next(library, -1, "gamma");
    app_library_random(library, true);
    for (int i = 0; i < 10; i++) {
        assert_next(library, 1, "gamma");
    }
    /* Asked for by name all the same. */
    assert_true(app_library_choose(library, app_library_find(library, "alpha"), &choice));
    app_library_hide(library, app_library_find(library, "gamma"), true);
    assert_false(app_library_step(library, 1, &choice));
    app_library_close(library);

    library = open_settled(&place);
    assert_int_equal(entry_of(library, "alpha").verdict, APP_VERDICT_FAILED);
    assert_int_equal(app_library_state(library).failed, 1);
    assert_found(library, "failed", "alpha");
    app_library_close(library);
    remove_place(&place);
}

static void test_random(void **state)
{
    (void)state;
    struct place place;
    struct engine_choice choice;
    uint32_t first[40];
    make_place(&place);
    for (int i = 0; i < 20; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "p%02d.milk", i);
        preset(&place, name, i % 6);
    }
    for (int round = 0; round < 2; round++) {
        struct app_library *library = open_settled(&place);
        app_library_random(library, true);
        for (int i = 0; i < 40; i++) {
            assert_true(app_library_step(library, 1, &choice));
            if (round == 0) {
                first[i] = choice.number;
            }
            assert_int_equal(choice.number, first[i]);
            for (int back = 1; back <= 10 && back <= i; back++) {
                assert_int_not_equal(choice.number, first[i - back]);
            }
        }
        assert_true(app_library_step(library, -5, &choice));
        assert_int_equal(choice.number, first[34]);
        assert_true(app_library_step(library, 2, &choice));
        assert_int_equal(choice.number, first[36]);
        app_library_close(library);
    }
    remove_place(&place);
}

/* How often each of six came in so many turns by chance. */
static void count_turns(const struct place *place, const int *stars, unsigned *counts)
{
    enum { TURNS = 600 };
    struct engine_choice choice;
    struct app_library *library = open_settled(place);
    app_library_random(library, true);
    for (int i = 0; i < 6; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "p%d", i);
        counts[i] = 0;
        if (stars != NULL) {
            app_library_rate(library, app_library_find(library, name), stars[i]);
        }
    }
    for (int turn = 0; turn < TURNS; turn++) {
        assert_true(app_library_step(library, 1, &choice));
        const char *name = strrchr(choice.path, '/');
        counts[name[2] - '0']++;
    }
    app_library_close(library);
}

/* What files say of themselves is nobody's opinion; his own stars make a preset come more often. */
static void test_stars_are_the_operators(void **state)
{
    (void)state;
    static const int stars[6] = {5, 5, 0, 0, 0, 0};
    struct place place;
    unsigned counts[6];
    make_place(&place);
    for (int i = 0; i < 6; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "p%d.milk", i);
        preset(&place, name, i < 3 ? 0 : 5);
    }
    count_turns(&place, NULL, counts);
    for (int i = 0; i < 6; i++) {
        assert_in_range(counts[i], 75, 125);
    }
    struct app_library *library = open_settled(&place);
    assert_found(library, "stars>=1", "");
    assert_found(library, "file>=5", "p3 p4 p5");
    app_library_close(library);
    count_turns(&place, stars, counts);
    assert_true(counts[0] > counts[5] * 5 / 4 && counts[1] > counts[3] * 5 / 4);
    remove_place(&place);
}

/* Presets whose names have a word of the list are played, but not by name. */
static void test_names_that_are_not_for_the_audience(void **state)
{
    (void)state;
    struct place place;
    struct engine_choice choice;
    struct base_diag_list messages = {0};
    make_three(&place);
    put(place.data, "words.txt", "# mine\nalph*\n");
    struct app_library *library = open_at(&place, place.presets, &messages);
    settle(library);
    assert_found(library, "unnamed", "alpha");
    assert_true(entry_of(library, "alpha").unnamed);
    assert_false(entry_of(library, "Beta").unnamed);
    assert_true(app_library_step(library, 1, &choice));
    assert_false(choice.unnamed);
    assert_true(app_library_step(library, 1, &choice));
    assert_true(choice.unnamed);
    app_library_close(library);
    assert_int_equal(messages.count, 0);

    /* Another list takes its place; one that is not there is told. */
    char path[256];
    (void)snprintf(path, sizeof path, "%s/other.txt", place.root);
    const char *presets = place.presets;
    const struct app_library_setup setup = {
        .paths = &presets, .path_count = 1, .data = place.data, .words = path};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    library = app_library_open(&setup, &sink);
    settle(library);
    assert_found(library, "unnamed", "");
    app_library_close(library);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    put(place.root, "other.txt", "beta\n");
    library = app_library_open(&setup, &sink);
    settle(library);
    assert_found(library, "unnamed", "Beta");
    app_library_close(library);
    remove_place(&place);
}

static void assert_list_is(const struct place *place, const char *wanted)
{
    char *text = get(place->data, "playlists/mine.yaml");
    assert_string_equal(text, wanted);
    free(text);
}

/* It is shown in its own order, and changed while it is played. */
static void test_a_playlist_is_changed(void **state)
{
    (void)state;
    struct place place;
    char text[1024];
    struct app_library_item item;
    make_three(&place);
    (void)snprintf(text, sizeof text,
                   "# tonight\n- preset: %s/deep/gamma.milk\n  seconds: 12\n- /nowhere.milk\n"
                   "- seconds: 7\n  preset: %s/Beta.milk\n- %s/alpha.milk\n",
                   place.presets, place.presets, place.presets);
    put(place.data, "playlists/mine.yaml", text);
    struct app_library *library = open_settled(&place);
    assert_false(app_library_item(library, 0, &item));
    assert_int_equal(app_library_playlist(library, "mine", NULL), 0);
    uint32_t numbers[8];
    assert_int_equal(app_library_search(library, "", numbers, 8), 4);
    assert_int_equal(numbers[0], app_library_find(library, "gamma"));
    assert_int_equal(numbers[1], APP_LIBRARY_NONE);
    assert_int_equal(numbers[2], app_library_find(library, "Beta"));
    assert_true(app_library_item(library, 1, &item));
    assert_string_equal(item.path, "/nowhere.milk");
    assert_true(app_library_item(library, 2, &item) && item.seconds == 7 && !item.current);
    assert_false(app_library_item(library, 4, &item));

    assert_next(library, 1, "gamma");
    assert_next(library, 1, "Beta");
    assert_true(app_library_item(library, 2, &item) && item.current);
    assert_int_equal(app_library_playlist_move(library, "mine", true, 1, APP_LIBRARY_OUT, NULL), 0);
    assert_int_equal(app_library_playlist_move(library, "mine", true, 2, 0, NULL), 0);
    (void)snprintf(text, sizeof text,
                   "# tonight\n- %s/alpha.milk\n- preset: %s/deep/gamma.milk\n  seconds: 12\n"
                   "- seconds: 7\n  preset: %s/Beta.milk\n",
                   place.presets, place.presets, place.presets);
    assert_list_is(&place, text);
    assert_true(app_library_item(library, 2, &item) && item.current);
    assert_next(library, 1, "alpha");
    /* The one that is shown leaves the list: what came after it is the next. */
    assert_int_equal(app_library_playlist_move(library, "mine", true, 0, APP_LIBRARY_OUT, NULL), 0);
    assert_next(library, 1, "gamma");
    const uint32_t alpha = app_library_find(library, "alpha");
    assert_int_equal(app_library_playlist_add(library, "mine", alpha, NULL), 0);
    assert_int_equal(app_library_playlist_again(library, "mine", NULL), 0);
    assert_next(library, 1, "Beta");
    assert_next(library, 1, "alpha");
    assert_int_equal(app_library_playlist_move(library, "mine", true, 9, 0, NULL), -1);
    assert_int_equal(app_library_playlist_move(library, "other", true, 0, 0, NULL), -1);
    app_library_close(library);
    remove_place(&place);
}

static void test_limit(void **state)
{
    (void)state;
    struct place place;
    struct engine_choice choice;
    make_three(&place);
    preset(&place, "alpine.milk", 0);
    struct app_library *library = open_settled(&place);
    assert_next(library, 1, "Beta");
    assert_false(app_library_limit(library, "nothing like it"));
    assert_true(app_library_limit(library, "alp"));
    assert_next(library, 1, "alpha");
    assert_next(library, 1, "alpine");
    assert_next(library, 1, "alpha");
    assert_next(library, -3, "Beta");
    assert_next(library, 3, "alpha");
    app_library_random(library, true);
    for (int i = 0; i < 20; i++) {
        assert_true(app_library_step(library, 1, &choice));
        assert_non_null(strstr(choice.path, "/alp"));
    }
    /* By hand all the same; and from what has just come as well. */
    assert_true(app_library_choose(library, app_library_find(library, "gamma"), &choice));
    app_library_random(library, false);
    app_library_hide(library, app_library_find(library, "alpine"), true);
    assert_next(library, 1, "alpha");
    app_library_hide(library, app_library_find(library, "alpha"), true);
    assert_false(app_library_step(library, 1, &choice));
    assert_true(app_library_limit(library, ""));
    assert_next(library, 1, "gamma");
    app_library_close(library);
    /* Opinions are known only when a file has been read: until then any query may be right. */
    library = open_at(&place, place.presets, NULL);
    const bool limited = app_library_limit(library, "stars>=5");
    assert_true(limited || !app_library_state(library).scanning);
    app_library_close(library);
    remove_place(&place);
}

static bool is_told(const struct base_diag_list *messages, const char *words)
{
    for (size_t i = 0; i < messages->count; i++) {
        if (strstr(messages->items[i].what, words) != NULL) {
            return true;
        }
    }
    return false;
}

/* The list of messages is the scanner's while it runs: only its end is looked at. */
static void test_folders_that_go_and_come_are_told(void **state)
{
    (void)state;
    struct place place;
    char away[256];
    char deep[256];
    char other[256];
    struct base_diag_list messages = {0};
    make_three(&place);
    (void)snprintf(away, sizeof away, "%s/away", place.root);
    (void)snprintf(deep, sizeof deep, "%s/deep", place.presets);
    (void)snprintf(other, sizeof other, "%s/other", place.root);
    struct app_library *library = open_at(&place, place.presets, &messages);
    settle(library);
    assert_int_equal(rename(deep, other), 0);
    ASSERT_SOON(app_library_state(library).presets == 2);
    assert_int_equal(rename(other, deep), 0);
    ASSERT_SOON(app_library_state(library).presets == 3);
    assert_int_equal(rename(place.presets, away), 0);
    ASSERT_SOON(app_library_state(library).presets == 0);
    pause_briefly();
    assert_int_equal(rename(away, place.presets), 0);
    for (int i = 0; i < 3000 && app_library_state(library).presets != 3; i++) {
        pause_briefly();
    }
    assert_int_equal(app_library_state(library).presets, 3);
    app_library_close(library);
    assert_true(is_told(&messages, "this folder is gone, and 1 preset with it"));
    assert_true(is_told(&messages, "deep is back, with 1 preset"));
    assert_true(is_told(&messages, "this folder is gone, and 3 presets with it"));
    assert_true(is_told(&messages, "presets is back, with 3 presets"));
    assert_int_equal(messages.by_severity[BASE_WARNING], 2);
    remove_place(&place);
}

static void test_what_is_added(void **state)
{
    (void)state;
    struct place place;
    char path[256];
    struct base_diag_list messages = {0};
    make_three(&place);
    put(place.root, "more/omega.milk", "[preset00]\nfDecay=0.9\n");
    put(place.root, "single.milk", "[preset00]\nfDecay=0.8\n");
    struct app_library *library = open_at(&place, place.presets, &messages);
    settle(library);
    (void)snprintf(path, sizeof path, "%s/more", place.root);
    assert_true(app_library_add_folder(library, path));
    ASSERT_SOON(is_there(library, "omega"));
    put(place.root, "more/later.milk", "[preset00]\nfDecay=0.7\n");
    ASSERT_SOON(is_there(library, "later"));
    (void)snprintf(path, sizeof path, "%s/single.milk", place.root);
    const uint32_t single = app_library_add_file(library, path);
    assert_int_equal(single, app_library_find(library, "single"));
    assert_int_equal(app_library_add_file(library, "/no/such/file.milk"), APP_LIBRARY_NONE);
    assert_int_equal(app_library_add_file(library, place.root), APP_LIBRARY_NONE);
    app_library_close(library);
    assert_true(is_told(&messages, "more joined the library, with 1 preset"));
    remove_place(&place);
}

static void test_playlists(void **state)
{
    (void)state;
    struct place place;
    char path[256];
    char names[4][256];
    struct engine_choice choice;
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    make_three(&place);
    put(place.presets, "set.yaml",
        "- {preset: deep/gamma.milk, seconds: 12.5, transition: zoom}\n"
        "- nowhere.milk\n"
        "- Beta.milk\n"
        "- deep/gamma.milk\n");
    struct app_library *library = open_settled(&place);
    (void)snprintf(path, sizeof path, "%s/set.yaml", place.presets);
    assert_int_equal(app_library_playlist(library, path, &sink), 0);
    assert_true(messages.by_severity[BASE_WARNING] >= 1);
    assert_int_equal(messages.items[messages.count - 1].place.line, 2);
    assert_int_equal(messages.items[messages.count - 1].place.column, 3);
    assert_true(app_library_step(library, 1, &choice));
    assert_true(choice.seconds == 12.5);
    assert_next(library, 1, "Beta");
    assert_true(app_library_step(library, 1, &choice));
    assert_true(choice.seconds < 0);
    assert_next(library, 1, "gamma");
    assert_next(library, 1, "Beta");

    /* The former one stays. */
    put(place.presets, "bad.yaml", "- preset: Beta.milk\n  seconds: soon\n");
    (void)snprintf(path, sizeof path, "%s/bad.yaml", place.presets);
    messages = (struct base_diag_list){0};
    assert_int_equal(app_library_playlist(library, path, &sink), -1);
    assert_int_equal(messages.items[0].place.line, 2);
    assert_int_equal(messages.items[0].place.column, 12);
    assert_int_equal(app_library_playlist(library, "none", &sink), -1);
    assert_next(library, 1, "gamma");

    assert_int_equal(app_library_playlists(library, names, 4), 0);
    assert_int_equal(
        app_library_playlist_add(library, "mine", app_library_find(library, "alpha"), &sink), 0);
    assert_int_equal(
        app_library_playlist_add(library, "mine", app_library_find(library, "Beta"), &sink), 0);
    assert_int_equal(app_library_playlist_add(library, "../mine", 0, &sink), -1);
    assert_int_equal(app_library_playlist_add(library, "mine", 77, &sink), -1);
    assert_int_equal(app_library_playlists(library, names, 4), 1);
    assert_string_equal(names[0], "mine");
    assert_int_equal(app_library_playlist(library, "mine", &sink), 0);
    assert_next(library, 1, "alpha");
    assert_next(library, 1, "Beta");
    assert_next(library, 1, "alpha");
    assert_int_equal(app_library_playlist(library, NULL, &sink), 0);
    assert_next(library, 1, "gamma");
    app_library_close(library);
    remove_place(&place);
}

/* A list that is named is played as it stands. */
static void test_named_list(void **state)
{
    (void)state;
    struct place place;
    char path[256];
    make_three(&place);
    put(place.presets, "set.m3u", "#EXTM3U\r\ndeep/gamma.milk\r\n\r\nalpha.milk\r\n");
    (void)snprintf(path, sizeof path, "%s/set.m3u", place.presets);
    struct app_library *library = open_at(&place, path, NULL);
    settle(library);
    assert_int_equal(app_library_state(library).presets, 2);
    assert_next(library, 1, "gamma");
    assert_next(library, 1, "alpha");
    assert_next(library, 1, "gamma");
    app_library_close(library);
    remove_place(&place);
}

/* Names of any bytes. */
static void test_hostile_names(void **state)
{
    (void)state;
    static const char *const names[] = {"a\nb.milk", "\xff\xfe%s.milk", "\x1b[2J.milk",
                                        "%41\"\\.milk", "- x: [.milk"};
    enum { NAMES = sizeof names / sizeof *names };
    struct place place;
    make_place(&place);
    for (size_t i = 0; i < NAMES; i++) {
        preset(&place, names[i], (int)i);
    }
    for (int round = 0; round < 2; round++) {
        struct app_library *library = open_settled(&place);
        assert_int_equal(app_library_state(library).presets, NAMES);
        for (size_t i = 0; i < NAMES; i++) {
            char path[256];
            (void)snprintf(path, sizeof path, "%s/%s", place.presets, names[i]);
            const struct app_library_entry entry = entry_of(library, path);
            assert_string_equal(entry.path, path);
            assert_int_equal(entry.file_stars, (int)i);
            assert_int_equal(entry.stars, round == 1 ? (int)i : 0);
            assert_int_equal(entry.rated, round == 1);
            for (const char *at = entry.name; *at != '\0'; at++) {
                assert_true(*at >= 0x20 && *at < 0x7F);
            }
            app_library_rate(library, entry.number, (int)i);
            (void)app_library_playlist_add(library, "all", entry.number, NULL);
        }
        assert_int_equal(app_library_playlist(library, "all", NULL), 0);
        app_library_close(library);
    }
    remove_place(&place);
}

/* Black but for a moment. */
static void test_a_lively_moment_is_shown(void **state)
{
    (void)state;
    static uint32_t pixels[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    struct place place;
    make_place(&place);
    put(place.presets, "moment.milk",
        "[preset00]\nfDecay=0\nfWaveAlpha=0\n"
        "per_frame_1=on=above(frame,45)*below(frame,75); ob_size=0.3; ob_a=1;\n"
        "per_frame_2=ob_r=0.1+0.9*on; ob_g=0.1; ob_b=0.1;\n");
    const char *path = place.presets;
    const struct app_library_setup setup = {
        .paths = &path, .path_count = 1, .cache = place.cache, .thumbnails = true};
    struct app_library *library = app_library_open(&setup, NULL);
    settle(library);
    app_library_idle(library, true);
    ASSERT_SOON(app_library_thumbnail(library, 0, pixels));
    assert_true((pixels[0] >> 16 & 0xFF) > 200);
    app_library_close(library);
    remove_place(&place);
}

static void spoil_thumbnails(const struct place *place)
{
    char folder[256];
    (void)snprintf(folder, sizeof folder, "%s/thumbnails", place->cache);
    DIR *pictures = opendir(folder);
    assert_non_null(pictures);
    for (const struct dirent *entry = readdir(pictures); entry != NULL; entry = readdir(pictures)) {
        if (entry->d_name[0] != '.') {
            put(folder, entry->d_name, "no picture");
        }
    }
    (void)closedir(pictures);
}

static void test_thumbnails(void **state)
{
    (void)state;
    static uint32_t pixels[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    static uint32_t again[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    struct place place;
    make_three(&place);
    put(place.presets, "broken.milk", "MZ no preset");
    const char *path = place.presets;
    const struct app_library_setup setup = {
        .paths = &path, .path_count = 1, .cache = place.cache, .thumbnails = true};
    struct app_library *library = app_library_open(&setup, NULL);
    assert_non_null(library);
    settle(library);
    const uint32_t alpha = app_library_find(library, "alpha");
    const uint32_t broken = app_library_find(library, "broken");
    ASSERT_SOON(app_library_thumbnail(library, broken, pixels));
    assert_int_equal(pixels[0], 0x404040);
    for (int i = 0; i < 20; i++) {
        assert_false(app_library_thumbnail(library, alpha, pixels));
        pause_briefly();
    }
    app_library_idle(library, true);
    ASSERT_SOON(app_library_thumbnail(library, alpha, pixels));
    ASSERT_SOON(app_library_state(library).thumbnails == 4);
    app_library_close(library);

    /* From the cache, and not painted again. */
    library = app_library_open(&setup, NULL);
    settle(library);
    ASSERT_SOON(app_library_thumbnail(library, app_library_find(library, "alpha"), again));
    assert_memory_equal(pixels, again, sizeof pixels);
    app_library_close(library);

    /* That they are there is known without reading them. One that cannot be read is painted anew
     * when it is asked for. */
    spoil_thumbnails(&place);
    library = app_library_open(&setup, NULL);
    settle(library);
    ASSERT_SOON(app_library_state(library).thumbnails == 4);
    app_library_idle(library, true);
    memset(again, 0, sizeof again);
    ASSERT_SOON(app_library_thumbnail(library, app_library_find(library, "alpha"), again));
    assert_memory_equal(pixels, again, sizeof pixels);
    app_library_close(library);
    remove_place(&place);
}

/* Closed in the midst of everything. */
static void test_close_at_once(void **state)
{
    (void)state;
    struct place place;
    make_three(&place);
    const char *path = place.presets;
    const struct app_library_setup setup = {.paths = &path,
                                            .path_count = 1,
                                            .data = place.data,
                                            .cache = place.cache,
                                            .thumbnails = true};
    for (int i = 0; i < 10; i++) {
        struct app_library *library = app_library_open(&setup, NULL);
        assert_non_null(library);
        app_library_idle(library, true);
        for (int wait = 0; wait < i; wait++) {
            pause_briefly();
        }
        app_library_close(library);
    }
    remove_place(&place);
}

static void test_verdicts(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    put(place.cache, "verdicts.txt", "00000000000000ff ok\n0000000000000001 failed\nrubbish\n");
    struct app_verdicts *one = app_verdicts_load(place.cache);
    struct app_verdicts *two = app_verdicts_load(place.cache);
    assert_int_equal(app_verdicts_get(one, 1), APP_VERDICT_FAILED);
    assert_int_equal(app_verdicts_get(one, 0xff), APP_VERDICT_OK);
    assert_int_equal(app_verdicts_get(one, 2), APP_VERDICT_UNKNOWN);
    app_verdicts_set(one, 2, APP_VERDICT_DEGRADED);
    app_verdicts_set(one, 1, APP_VERDICT_OK);
    assert_int_equal(app_verdicts_save(one), 0);
    app_verdicts_set(two, 3, APP_VERDICT_OK);
    app_verdicts_set(two, 0xff, APP_VERDICT_FAILED);
    assert_int_equal(app_verdicts_save(two), 0);
    char *text = get(place.cache, "verdicts.txt");
    assert_string_equal(text, "0000000000000001 ok\n0000000000000002 degraded\n"
                              "0000000000000003 ok\n00000000000000ff failed\n");
    free(text);
    app_verdicts_free(one);
    app_verdicts_free(two);
    one = app_verdicts_load(NULL);
    app_verdicts_set(one, 1, APP_VERDICT_OK);
    assert_int_equal(app_verdicts_save(one), 0);
    app_verdicts_free(one);
    one = app_verdicts_load("/dev/null/nowhere");
    app_verdicts_set(one, 1, APP_VERDICT_OK);
    assert_int_equal(app_verdicts_save(one), -1);
    app_verdicts_free(one);
    remove_place(&place);
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_opinions),
        cmocka_unit_test(test_opinions_of_earlier_versions),
        cmocka_unit_test(test_opinion_at_once),
        cmocka_unit_test(test_hostile_files),
        cmocka_unit_test(test_unread_opinions_stay),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_failed_are_skipped),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_stars_are_the_operators),
        cmocka_unit_test(test_a_playlist_is_changed),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_folders_that_go_and_come_are_told),
        cmocka_unit_test(test_what_is_added),
        cmocka_unit_test(test_a_lively_moment_is_shown),
        cmocka_unit_test(test_names_that_are_not_for_the_audience),
        cmocka_unit_test(test_playlists),
        cmocka_unit_test(test_named_list),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_thumbnails),
        cmocka_unit_test(test_close_at_once),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_unreadable_opinions_stay),
        cmocka_unit_test(test_lost_opinions_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
