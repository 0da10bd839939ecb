/* The catalogue, its search, playlists, choice by rating, history and the index. */
#include "test_presets_help.h"

#include "presets/library/catalog.h"
#include "presets/library/find.h"
#include "presets/library/order.h"
#include "presets/library/search.h"

static uint32_t add(struct preset_catalog *catalog, const char *path)
{
    return preset_catalog_add(catalog, &(struct preset_position){path, 1, 0, 0});
}

/* The names in the order, with | between. */
static void assert_order(const struct preset_catalog *catalog, const uint32_t *numbers,
                         size_t count, const char *wanted)
{
    char text[1024] = "";
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? "|" : "",
                       preset_catalog_name(catalog, numbers[i]));
    }
    assert_string_equal(text, wanted);
}

static void assert_found(struct preset_catalog *catalog, const char *text, const char *wanted)
{
    struct preset_query query;
    uint32_t numbers[16];
    preset_query_read(&query, text);
    const size_t count = preset_search(catalog, &query, numbers, 16);
    assert_order(catalog, numbers, count, wanted);
    uint32_t first = PRESET_NONE;
    assert_int_equal(preset_search(catalog, &query, &first, 1), count);
    assert_int_equal(first, count > 0 ? numbers[0] : PRESET_NONE);
    assert_int_equal(preset_search(catalog, &query, NULL, 0), count);
}

static void test_order(void **state)
{
    (void)state;
    struct preset_catalog catalog = {0};
    const uint32_t sub = add(&catalog, "d/sub.milk");
    (void)add(&catalog, "d/sub/z.milk");
    (void)add(&catalog, "d/B.milk");
    const uint32_t a = add(&catalog, "d/a.milk");
    (void)add(&catalog, "d/sub\x01/y.milk");
    assert_order(&catalog, catalog.listed, catalog.present, "B|a|z|y|sub");
    assert_order(&catalog, catalog.named, catalog.present, "a|B|sub|y|z");
    assert_int_equal(add(&catalog, "d/a.milk"), a);
    assert_int_equal(preset_catalog_find(&catalog, "d/a.milk"), a);
    assert_int_equal(preset_catalog_find(&catalog, "d/x.milk"), PRESET_NONE);
    preset_catalog_lose(&catalog, a);
    preset_catalog_lose(&catalog, a);
    assert_order(&catalog, catalog.listed, catalog.present, "B|z|y|sub");
    assert_int_equal(preset_catalog_index(&catalog, a), 1);
    assert_int_equal(add(&catalog, "d/a.milk"), a);
    assert_order(&catalog, catalog.listed, catalog.present, "B|a|z|y|sub");
    assert_int_equal(preset_catalog_index(&catalog, sub), 4);
    preset_catalog_free(&catalog);
}

static void test_many(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    struct preset_catalog catalog = {0};
    char path[64];
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(path, sizeof path, "d/%d.milk", i * 7919 % MANY);
        assert_int_equal(add(&catalog, path), i);
    }
    for (uint32_t i = 1; i < MANY; i++) {
        assert_true(strcmp(preset_catalog_path(&catalog, catalog.listed[i - 1]),
                           preset_catalog_path(&catalog, catalog.listed[i])) < 0);
    }
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(path, sizeof path, "d/%d.milk", i);
        assert_string_equal(preset_catalog_path(&catalog, preset_catalog_find(&catalog, path)),
                            path);
    }
    char *long_path = malloc(PRESET_PATH_MAX + 2);
    memset(long_path, 'x', PRESET_PATH_MAX + 1);
    long_path[PRESET_PATH_MAX + 1] = '\0';
    assert_int_equal(add(&catalog, long_path), PRESET_NONE);
    assert_int_equal(add(&catalog, long_path + 1), MANY);
    assert_int_equal(strlen(preset_catalog_name(&catalog, MANY)), PRESET_SHOWN_MAX);
    free(long_path);
    preset_catalog_free(&catalog);
}

static void test_shown(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *name;
        const char *folder;
    } rows[] = {
        {"r/a.milk", "a", ""},
        {"r/x/y/A b.c.milk", "A b.c", "x/y"},
        {"r//x//a.milk", "a", "x"},
        {"r/.milk", ".milk", ""},
        {"a", "a", ""},
        {"r/\xc3\xa4\xf0\x9f\x8c\x80.milk", "\xc3\xa4\xf0\x9f\x8c\x80", ""},
        {"r/a\nb\x7f\xc2\x85.milk", "a?b??", ""},
        {"r/\xff\xc3.milk", "??", ""},
        {"r/\xed\xa0\x80\xc0\xaf.milk", "?????", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[PRESET_SHOWN_MAX + 1];
        preset_shown_name(text, rows[i].path);
        assert_string_equal(text, rows[i].name);
        preset_shown_folder(text, rows[i].path, 1);
        assert_string_equal(text, rows[i].folder);
    }
    char path[600] = "r/";
    char text[PRESET_SHOWN_MAX + 1];
    for (int i = 0; i < 200; i++) {
        strcat(path, "\xc3\xa4");
    }
    preset_shown_name(text, path);
    assert_int_equal(strlen(text), PRESET_SHOWN_MAX - 1);
}

static void test_search(void **state)
{
    (void)state;
    struct preset_catalog catalog = {0};
    const uint32_t river = add(&catalog, "d/River.milk");
    const uint32_t sea = add(&catalog, "d/Sea of rivers.milk");
    const uint32_t driver = add(&catalog, "d/Driver.milk");
    const uint32_t deep = add(&catalog, "d/river bed/Deep.milk");
    (void)add(&catalog, "d/Rivers.milk");
    assert_found(&catalog, "", "Driver|River|Rivers|Sea of rivers|Deep");
    assert_found(&catalog, "RIVER", "River|Rivers|Deep|Sea of rivers|Driver");
    assert_found(&catalog, "r", "River|Rivers|Deep|Sea of rivers|Driver");
    assert_found(&catalog, "river bed", "Deep");
    assert_found(&catalog, "sea of", "Sea of rivers");
    assert_found(&catalog, "  of\tsea ", "Sea of rivers");
    assert_found(&catalog, "river -sea -d", "River|Rivers");
    assert_found(&catalog, "zz", "");
    assert_found(&catalog, "-zz", "Deep|Driver|River|Rivers|Sea of rivers");
    assert_found(&catalog, "fav", "");

    struct preset_entry *entries = catalog.entries;
    entries[river].opinion.favourite = true;
    entries[driver].opinion.hidden = true;
    entries[sea].opinion.rated = true;
    entries[sea].opinion.stars = 4;
    entries[river].file_stars = 5;
    entries[deep].file_stars = 2;
    entries[deep].opinion.rated = true;
    entries[deep].opinion.stars = 1;
    entries[deep].verdict = PRESET_VERDICT_FAILED;
    assert_true(preset_set_tag(&entries[sea].opinion, "Calm", true));
    assert_true(preset_set_tag(&entries[sea].opinion, "x-y_2", true));
    assert_found(&catalog, "fav", "River");
    assert_found(&catalog, "-fav", "Deep|Rivers|Sea of rivers");
    assert_found(&catalog, "driver", "");
    assert_found(&catalog, "hidden", "Driver");
    assert_found(&catalog, "hidden driver", "Driver");
    assert_found(&catalog, "stars>=4", "Sea of rivers");
    assert_found(&catalog, "-stars>=1", "River|Rivers");
    assert_found(&catalog, "stars>3", "Sea of rivers");
    assert_found(&catalog, "stars<=3 stars>0", "Deep");
    assert_found(&catalog, "stars=4", "Sea of rivers");
    assert_found(&catalog, "stars<1", "River|Rivers");
    assert_found(&catalog, "file>=1", "Deep|River");
    assert_found(&catalog, "file==5", "River");
    assert_found(&catalog, "tag:calm", "Sea of rivers");
    assert_found(&catalog, "tag:cal", "");
    assert_found(&catalog, "cal", "Sea of rivers");
    assert_found(&catalog, "failed", "Deep");
    preset_catalog_lose(&catalog, sea);
    assert_found(&catalog, "sea", "");
    assert_int_equal(preset_find_name(&catalog, "RIV"), driver);
    assert_int_equal(preset_find_name(&catalog, ""), PRESET_NONE);
    preset_catalog_free(&catalog);
}

/* What the operator is told of a search, "column N: " first where a word is wrong. */
static void assert_said(const struct preset_catalog *catalog, const char *text, const char *said)
{
    struct preset_query query;
    char why[160] = "";
    preset_query_read(&query, text);
    if (query.wrong != NULL) {
        (void)snprintf(why, sizeof why, "%zu: %s", query.column, query.wrong);
    } else {
        preset_query_why(catalog, &query, why, sizeof why);
    }
    assert_string_equal(why, said);
}

static void test_query_says_why(void **state)
{
    (void)state;
    static const char compared[] = "stars are compared with 0 to 5: stars>=3";
    char text[160];
    struct preset_catalog catalog = {0};
    assert_said(&catalog, "x", "there is no preset yet");
    (void)add(&catalog, "d/River.milk");
    const uint32_t sea = add(&catalog, "d/Sea.milk");
    assert_said(&catalog, "river zz", "no preset fits 'zz'");
    assert_said(&catalog, "river -sea tag:calm", "no preset fits 'tag:calm'");
    assert_said(&catalog, "river sea", "each word fits some presets, but none fits all of them");
    catalog.entries[sea].opinion.hidden = true;
    assert_said(&catalog, "sea", "1 fits, but hidden; the word hidden finds them");
    (void)snprintf(text, sizeof text, "1: %s", compared);
    assert_said(&catalog, "stars>=9", text);
    assert_said(&catalog, "stars>=", text);
    (void)snprintf(text, sizeof text, "7: %s", compared);
    assert_said(&catalog, "\xC3\x89l\xC3\xA4n  -file<x", text);
    assert_said(&catalog, "a star>=3", "3: only stars and file can be compared: stars>=3");
    assert_said(&catalog, "a tag:", "3: tag: is followed by letters, digits, - and _");
    assert_said(&catalog, "1 2 3 4 5 6 7 8 9 a b c d e f g h",
                "33: from here on nothing is read: a search has 16 words at most");
    preset_catalog_free(&catalog);
}

static void test_folding(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"Élan Über", "elan uber"},
        {"STRASSE", "straße"},
        {"e\xCC\x81", "É"},
        {"ПРИВЕТ Ёлка", "привет елка"},
        {"ΩΜΈΓΑΣ", "ωμεγας"},
        {"Łódź øl", "lodz OL"},
        {"Ｆｒｏｔｈ", "froth"},
        {"İstanbul ısı", "istanbul isi"},
        {"ﬁre²", "fire2"},
        {"مُحَمَّد", "محمد"},
        {"שָׁלוֹם", "שלום"},
        {"か\xE3\x82\x99", "が"},
        {"ᄒ\xE1\x85\xA1\xE1\x86\xAB", "한"},
    };
    char a[PRESET_FOLDED_MAX + 1];
    char b[PRESET_FOLDED_MAX + 1];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const size_t size = preset_fold(a, same[i][0]);
        assert_int_equal(size, preset_fold(b, same[i][1]));
        assert_int_equal(size, strlen(a));
        assert_string_equal(a, b);
    }
    static const char *const apart[][2] = {{"か", "が"}, {"กา", "กี"}, {"и", "i"}, {"日", "曰"}};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        (void)preset_fold(a, apart[i][0]);
        (void)preset_fold(b, apart[i][1]);
        assert_string_not_equal(a, b);
    }
    /* what grows most is cut, between characters */
    static const char longest[] = "\xEF\xB7\xBA";
    char text[sizeof "x" + 300 * (sizeof longest - 1)] = "x";
    for (int i = 0; i < 300; i++) {
        strcat(text, longest);
    }
    const size_t size = preset_fold(a, text);
    assert_in_range(size, PRESET_FOLDED_MAX - 40, PRESET_FOLDED_MAX);
    assert_int_equal(strlen(a), size);
    for (struct base_span rest = {a, size}; rest.size > 0;) {
        assert_int_not_equal(base_utf8_next(&rest), BASE_UTF8_REPLACEMENT);
    }
    memset(text, 'A', sizeof text - 1);
    assert_int_equal(preset_fold(a, text), PRESET_FOLDED_MAX);

    struct preset_catalog catalog = {0};
    (void)add(&catalog, "d/Zebra.milk");
    const uint32_t etude = add(&catalog, "d/\xC3\x89tude.milk");
    (void)add(&catalog, "d/Eve.milk");
    (void)add(&catalog, "d/«Ночь».milk");
    (void)add(&catalog, "d/полночь.milk");
    assert_found(&catalog, "etude", "\xC3\x89tude");
    assert_found(&catalog, "\xC3\xA9TUDE", "\xC3\x89tude");
    assert_found(&catalog, "e", "\xC3\x89tude|Eve|Zebra");
    assert_found(&catalog, "ночь", "«Ночь»|полночь");
    assert_order(&catalog, catalog.named, catalog.present, "\xC3\x89tude|Eve|Zebra|«Ночь»|полночь");
    assert_int_equal(preset_find_name(&catalog, "etud"), etude);
    preset_catalog_free(&catalog);
}

static void assert_moved(const char *path, const char *text, size_t from, size_t to,
                         const char *wanted)
{
    char *moved = preset_playlist_move(path, base_span_of(text), from, to, NULL);
    if (wanted == NULL) {
        assert_null(moved);
    } else {
        assert_non_null(moved);
        assert_string_equal(moved, wanted);
    }
    free(moved);
}

static void test_playlist_move(void **state)
{
    (void)state;
    static const char m3u[] =
        "#EXTM3U\n#EXTINF:1,a\na.milk\n#EXTINF:2,b\r\nb.milk\r\n\nc.milk\n# end";
    enum { OUT = PRESET_PLAYLIST_OUT };
    assert_moved("l.m3u", m3u, 0, 1,
                 "#EXTM3U\n#EXTINF:2,b\r\nb.milk\r\n#EXTINF:1,a\na.milk\n\nc.milk\n# end");
    assert_moved("l.m3u", m3u, 2, 0,
                 "#EXTM3U\n\nc.milk\n#EXTINF:1,a\na.milk\n#EXTINF:2,b\r\nb.milk\r\n# end");
    assert_moved("l.m3u", m3u, 1, OUT, "#EXTM3U\n#EXTINF:1,a\na.milk\n\nc.milk\n# end");
    assert_moved("l.txt", "a.milk\nb.milk", 1, 0, "b.milk\na.milk\n");
    assert_moved("l.txt", "a.milk\n", 0, OUT, "");
    assert_moved("l.txt", "a.milk\n", 1, 0, NULL);
    assert_moved("l.txt", "a.milk\n", 0, 1, NULL);
    assert_moved("l.yaml", "- a.milk\n-   preset: b.milk\n    seconds: 3 # long\n- c.milk\n", 1, 2,
                 "- a.milk\n- c.milk\n-   preset: b.milk\n    seconds: 3 # long\n");
    assert_moved("l.yaml", "[a.milk, b.milk]\n", 1, 0, NULL);
}

static void test_words_of_names(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF# not for children\r\nrude\r\n  fu*  # and longer\n\n"
                               "*bum\n*mid*\nTwo-Words\nk\xC3\xB6nig\n";
    static const struct {
        const char *name;
        uint32_t line;
    } rows[] = {
        {"Rude", 2},
        {"a (RUDE) one", 2},
        {"rude2", 2},
        {"crude", 0},
        {"rudely", 0},
        {"Fuzzy", 3},
        {"x-fu", 3},
        {"kung tofu", 0},
        {"Album", 5},
        {"bum", 5},
        {"bumble", 0},
        {"amidst", 6},
        {"two   words", 0},
        {"two words", 7},
        {"TWO_WORDS 3", 7},
        {"two", 0},
        {"", 0},
        {"\xC2\xABrude\xC2\xBB", 2},
        {"KONIG", 8},
        {"konigin", 0},
        {"\xC3\xA4rude", 0},
    };
    struct preset_words words;
    struct base_diag_list said = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&said);
    assert_int_equal(preset_words_read(&words, "w.txt", base_span_of(text), &sink), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(preset_words_find(&words, rows[i].name), rows[i].line);
    }
    preset_words_free(&words);
    assert_int_equal(preset_words_find(&words, "rude"), 0);
    assert_int_equal(preset_words_read(&words, "w.txt", base_span_of("a\n *\n"), &sink), -1);
    assert_int_equal(said.items[0].place.line, 2);
    assert_int_equal(words.count, 0);
}

/* Any bytes are a query. */
static void test_any_query(void **state)
{
    (void)state;
    struct preset_catalog catalog = {0};
    struct preset_query query;
    struct base_rng rng;
    char text[600];
    (void)add(&catalog, "d/\xc3\xa4-b.milk");
    base_rng_seed(&rng, 1, 1);
    for (int i = 0; i < 20000; i++) {
        const size_t size = base_rng_next(&rng) % (i % 10 == 0 ? sizeof text : 8);
        for (size_t k = 0; k < size; k++) {
            text[k] = i % 2 == 0 ? (char)(base_rng_next(&rng) % 255 + 1)
                                 : " -tag:stars>=0b\xa4\xc3"[base_rng_next(&rng) % 18];
        }
        text[size < sizeof text ? size : sizeof text - 1] = '\0';
        preset_query_read(&query, text);
        assert_true(preset_search(&catalog, &query, NULL, 0) <= 1);
    }
    preset_catalog_free(&catalog);
}

static void test_tags(void **state)
{
    (void)state;
    struct preset_opinion opinion = {0};
    assert_true(preset_set_tag(&opinion, "a", false));
    assert_true(preset_set_tag(&opinion, "a", true));
    assert_true(preset_set_tag(&opinion, "bc", true));
    assert_true(preset_set_tag(&opinion, "A", true));
    assert_true(preset_set_tag(&opinion, "d", true));
    assert_string_equal(opinion.tags, "a bc d");
    assert_true(preset_set_tag(&opinion, "BC", false));
    assert_string_equal(opinion.tags, "a d");
    assert_true(preset_set_tag(&opinion, "d", false));
    assert_string_equal(opinion.tags, "a");
    assert_true(preset_set_tag(&opinion, "a", false));
    assert_null(opinion.tags);
    assert_false(preset_set_tag(&opinion, "a b", true));
    assert_false(preset_set_tag(&opinion, "\xc3\xa4", true));
    char tag[PRESET_TAGS_MAX + 2];
    memset(tag, 'x', sizeof tag);
    tag[PRESET_TAGS_MAX + 1] = '\0';
    assert_false(preset_set_tag(&opinion, tag, true));
    assert_true(preset_set_tag(&opinion, tag + 1, true));
    assert_false(preset_set_tag(&opinion, "y", true));
    free(opinion.tags);
}

/* Five stars come 26 times as often as none, as far as the rule of the half lets them. */
static void test_odds(void **state)
{
    (void)state;
    enum { DRAWS = 26000, OTHERS = 1000 };
    struct preset_candidate candidates[6];
    uint64_t room[6];
    size_t counts[6] = {0};
    struct base_rng rng;
    base_rng_seed(&rng, 7, 1);
    size_t total = 0;
    for (int stars = 0; stars <= 5; stars++) {
        candidates[stars] =
            (struct preset_candidate){(uint32_t)stars, preset_choice_weight(stars), 0};
        total += candidates[stars].weight;
    }
    assert_int_equal(candidates[5].weight, 26);
    for (int i = 0; i < DRAWS; i++) {
        counts[preset_choose(candidates, 6, room, &rng)]++;
    }
    for (int stars = 0; stars <= 5; stars++) {
        const double wanted = (double)DRAWS * candidates[stars].weight / (double)total;
        const double away = (double)counts[stars] - wanted;
        assert_true(away * away < 16 * wanted);
    }
    /* None again before half of the others. */
    size_t last[3] = {9, 9, 9};
    for (uint64_t turn = 1; turn <= OTHERS; turn++) {
        const size_t chosen = preset_choose(candidates, 6, room, &rng);
        for (size_t i = 0; i < 3; i++) {
            assert_int_not_equal(chosen, last[i]);
        }
        candidates[chosen].shown = turn;
        last[turn % 3] = chosen;
    }
    assert_int_equal(preset_choose(candidates, 1, room, &rng), 0);
}

static void test_history(void **state)
{
    (void)state;
    static struct preset_history history;
    assert_int_equal(preset_history_current(&history), PRESET_NONE);
    assert_false(preset_history_move(&history, false));
    for (uint32_t i = 0; i < 2 * PRESET_HISTORY; i++) {
        preset_history_add(&history, i);
        preset_history_add(&history, i);
    }
    assert_int_equal(history.count, PRESET_HISTORY);
    assert_int_equal(preset_history_current(&history), 2 * PRESET_HISTORY - 1);
    for (int i = 1; i < PRESET_HISTORY; i++) {
        assert_true(preset_history_move(&history, false));
    }
    assert_false(preset_history_move(&history, false));
    assert_int_equal(preset_history_current(&history), PRESET_HISTORY);
    preset_history_add_first(&history, 5);
    assert_int_equal(preset_history_current(&history), 5);
    assert_true(preset_history_move(&history, true));
    assert_int_equal(preset_history_current(&history), PRESET_HISTORY);
    preset_history_add(&history, 6);
    assert_false(preset_history_move(&history, true));
    assert_int_equal(history.count, 3);
}

static void assert_list(const char *path, const char *text, const char *wanted)
{
    struct preset_playlist list;
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    char found[1024] = "";
    if (preset_playlist_read(&list, path, base_span_of(text), &sink) != 0) {
        assert_int_equal(messages.count, 1);
        (void)base_diag_format(&messages.items[0], found, sizeof found);
        assert_memory_equal(found, wanted, strlen(wanted));
        return;
    }
    assert_int_equal(messages.count, 0);
    for (size_t i = 0; i < list.count; i++) {
        const struct preset_playlist_item *item = &list.items[i];
        (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%u:%u %s %g %s|",
                       (unsigned)item->line, (unsigned)item->column, item->path, item->seconds,
                       item->transition);
    }
    assert_string_equal(found, wanted);
    preset_playlist_free(&list);
}

static void test_playlists(void **state)
{
    (void)state;
    assert_list("l/p.txt", "\xEF\xBB\xBF# first\r\n a b.milk\r\n\n/x/y.milk",
                "2:2 l/a b.milk -1 |"
                "4:1 /x/y.milk -1 |");
    assert_list("p.txt", "a b.milk \t\r\n  \nc.milk ", "1:1 a b.milk -1 |3:1 c.milk -1 |");
    assert_list("p.M3U", "#EXTM3U\na\n", "2:1 a -1 |");
    assert_list("p.txt", "", "");
    assert_list("p.yaml", "", "");
    assert_list("l/p.yml", "- a.milk\n- {preset: ../b, seconds: 3, transition: zoom}\n",
                "1:3 l/a.milk -1 |2:12 l/../b 3 zoom|");
    assert_list("p.yaml", "- {preset: a, seconds: 1:30.5}\n", "1:12 a 90.5 |");
    assert_list("p.yaml", "- {preset: a, seconds: 1:60}\n", "p.yaml:1:24: error: this is no time");
    assert_list("p.yaml", "a: b\n", "p.yaml:1:1: error: a playlist is a list");
    assert_list("p.yaml", "- [a]\n", "p.yaml:1:3: error: this is no path");
    assert_list("p.yaml", "- seconds: 1\n", "p.yaml:1:3: error: no preset is named");
    assert_list("p.yaml", "- {preset: a, seconds: .nan}\n", "p.yaml:1:24: error: this is no time");
    assert_list("p.yaml", "- {preset: a, seconds: 0}\n", "p.yaml:1:24: error: this is no time");
    assert_list("p.yaml", "- {preset: a, transition: '%s'}\n", "p.yaml:1:27: error: this is no");
    assert_list("p.yaml", "- {preset: a, speed: 1}\n", "p.yaml:1:15: error: no such key");
    assert_list("p.yaml", "- \"a\\0b\"\n", "p.yaml:1:3: error: this is no path");
    assert_list("p.yaml", "- a\n- [\n", "p.yaml:3:1: error: ");
    char path[PRESET_PATH_MAX + 2];
    memset(path, 'x', sizeof path);
    path[PRESET_PATH_MAX + 1] = '\0';
    assert_list("p.txt", path, "p.txt:1:1: error: the path is too long");
    assert_true(preset_is_playlist("a.M3U8"));
    assert_false(preset_is_playlist("a.milk"));
    assert_false(preset_is_playlist(".txt"));
}

static void assert_extended(const char *path, const char *text, const char *preset,
                            const char *wanted)
{
    char *extended = preset_playlist_extend(path, base_span_of(text), preset, NULL);
    if (wanted == NULL) {
        assert_null(extended);
    } else {
        assert_non_null(extended);
        assert_string_equal(extended, wanted);
    }
    free(extended);
}

static void test_extending(void **state)
{
    (void)state;
    assert_extended("p.txt", "", "/a", "/a\n");
    assert_extended("p.txt", "# x\n/a", "/b c", "# x\n/a\n/b c\n");
    assert_extended("p.txt", "", "/a\nb", NULL);
    assert_extended("p.txt", "", "/a\r", NULL);
    assert_extended("p.txt", "", "#a", NULL);
    assert_extended("p.yaml", "- /a\n", "/b\"\\c", "- /a\n- \"/b\\\"\\\\c\"\n");
    assert_extended("p.yaml", "[/a]\n", "/b", NULL);
    assert_extended("p.yaml", "", "/\xff", NULL);
    assert_extended("p.yaml", "- [\n", "/a", NULL);
}

static void test_index(void **state)
{
    (void)state;
    static const struct preset_found rows[] = {
        {"b/100% \n\x01\xff.milk", {UINT64_MAX, INT64_MAX, 999999999}, UINT64_MAX, 5, false, 0},
        {"a b.milk", {0, -12, 0}, 0, 0, true, 0},
    };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    preset_index_begin(out);
    preset_index_print(out, &rows[0]);
    preset_index_print(out, &rows[1]);
    assert_int_equal(fclose(out), 0);
    struct preset_index index;
    assert_true(preset_index_read(&index, (struct base_span){text, size}));
    assert_int_equal(index.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct preset_found *row = preset_index_find(&index, rows[i].path);
        assert_non_null(row);
        assert_true(preset_stamp_equal(&row->stamp, &rows[i].stamp));
        assert_true(row->content == rows[i].content);
        assert_int_equal(row->stars, rows[i].stars);
        assert_int_equal(row->refused, rows[i].refused);
    }
    assert_null(preset_index_find(&index, "c"));
    preset_index_free(&index);
    assert_null(preset_index_find(&index, "b"));
    /* Cut anywhere but at the end of a row, it is no index. */
    for (size_t i = 0; i < size; i++) {
        const bool whole = i > 0 && text[i - 1] == '\n';
        assert_int_equal(preset_index_read(&index, (struct base_span){text, i}), whole);
        preset_index_free(&index);
    }
    free(text);
}

static void test_bad_index(void **state)
{
    (void)state;
    static const char *const rows[] = {"0 0 0 0 6 0 a\n",
                                       "0 0 0 0 0 2 a\n",
                                       "0 0 0 0 0 0 \n",
                                       "g 0 0 0 0 0 a\n",
                                       "0 a 0 0 0 0 a\n",
                                       "0 0 -a 0 0 0 a\n",
                                       "0 0 - 0 0 0 a\n",
                                       "10000000000000000 0 0 0 0 0 a\n",
                                       "0 0 0 0 0 0 %0\n",
                                       "0 0 0 0 0 0 %00\n",
                                       "0 0 0 0 0 0 %zz\n",
                                       "0 0 0 0 0 0\n",
                                       "\n",
                                       " 0 0 0 0 0 a\n",
                                       "0 99999999999999999999 0 0 0 0 a\n",
                                       "0 0 9223372036854775808 0 0 0 a\n"};
    struct preset_index index;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "froth index 2\n%s", rows[i]);
        assert_false(preset_index_read(&index, base_span_of(text)));
        assert_null(index.rows);
    }
    assert_true(preset_index_read(&index, base_span_of("froth index 2\n0 0 0 0 0 0 a\n")));
    preset_index_free(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_many),
        cmocka_unit_test(test_shown),          cmocka_unit_test(test_search),
        cmocka_unit_test(test_any_query),      cmocka_unit_test(test_query_says_why),
        cmocka_unit_test(test_words_of_names), cmocka_unit_test(test_playlist_move),
        cmocka_unit_test(test_folding),        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_odds),           cmocka_unit_test(test_history),
        cmocka_unit_test(test_playlists),      cmocka_unit_test(test_extending),
        cmocka_unit_test(test_index),          cmocka_unit_test(test_bad_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
