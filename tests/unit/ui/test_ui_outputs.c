#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "ui/outputs.h"

/* Outputs side by side, written as "eDP-1 HDMI-1", the primary one first; "A=B" show the same. */
static struct ui_outputs outputs_of(const char *text)
{
    struct ui_outputs outputs = {.count = 0};
    char words[128];
    char *rest = NULL;
    int x = 0;
    (void)strncpy(words, text, sizeof words - 1);
    words[sizeof words - 1] = '\0';
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        char *same = strchr(word, '=');
        const struct ui_rect place = {x, 0, 1280, 720};
        if (same != NULL) {
            *same = '\0';
        }
        ui_outputs_add(&outputs, word, place, x == 0);
        if (same != NULL) {
            ui_outputs_add(&outputs, same + 1, place, false);
        }
        x += 1280;
    }
    return outputs;
}

static void an_output_is_found_by_number_or_part_of_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *outputs;
        const char *wish;
        int found;
    } cases[] = {{"eDP-1 HDMI-1", "1", 0},
                 {"eDP-1 HDMI-1", "2", 1},
                 {"eDP-1 HDMI-1", "3", -1},
                 {"eDP-1 HDMI-1", "0", -1},
                 {"eDP-1 HDMI-1", "-1", -1},
                 {"eDP-1 HDMI-1", "hdmi", 1},
                 {"eDP-1 HDMI-1", "DP", 0},
                 {"eDP-1 HDMI-1", "VGA", -1},
                 {"eDP-1 DP-1", "DP-1", 1}, /* the whole name first */
                 {"eDP-1 DP-1", "dp", 0},
                 {"eDP-1=HDMI-1", "HDMI", 0},
                 {"eDP-1=HDMI-1 DP-2", "2", 1},
                 {"", "1", -1},
                 {"eDP-1", "", -1},
                 {"eDP-1 HDMI-1", "99999999999999999999", -1},
                 {"Projector", "projector4", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ui_outputs outputs = outputs_of(cases[i].outputs);
        assert_int_equal(ui_outputs_find(&outputs, cases[i].wish), cases[i].found);
    }
}

static void a_primary_output_that_comes_last_is_the_first(void **state)
{
    (void)state;
    struct ui_outputs outputs = {.count = 0};
    ui_outputs_add(&outputs, "HDMI-1", (struct ui_rect){0, 0, 800, 600}, false);
    ui_outputs_add(&outputs, "eDP-1", (struct ui_rect){800, 0, 800, 600}, true);
    ui_outputs_add(&outputs, "off", (struct ui_rect){0, 0, 0, 0}, false);
    assert_int_equal(outputs.count, 2);
    assert_string_equal(outputs.items[0].name, "eDP-1");
    assert_int_equal(ui_outputs_at(&outputs, (struct ui_rect){700, 0, 800, 600}), 0);
    assert_int_equal(ui_outputs_at(&outputs, (struct ui_rect){100, 0, 800, 600}), 1);
    assert_int_equal(ui_outputs_at(&outputs, (struct ui_rect){1600, 0, 800, 600}), -1);
    assert_int_equal(ui_outputs_beside(&outputs, 0), 1);
    assert_int_equal(ui_outputs_beside(&outputs, 1), 0);
    for (int i = 0; i < 2 * UI_OUTPUTS_MAX; i++) {
        ui_outputs_add(&outputs, "more", (struct ui_rect){0, 600 * (i + 1), 800, 600}, i % 2 == 0);
    }
    assert_int_equal(outputs.count, UI_OUTPUTS_MAX);
    for (int i = 0; i < 100; i++) {
        ui_outputs_add(&outputs, "the same", outputs.items[0].place, false);
    }
    assert_true(strlen(outputs.items[0].name) < UI_OUTPUT_NAME);
}

static struct ui_output output_at(const char *name, const char *description, int x)
{
    struct ui_output output = {.place = {x, 0, 1280, 720}, .index = x / 1280};
    (void)strncpy(output.name, name, sizeof output.name - 1);
    (void)strncpy(output.description, description, sizeof output.description - 1);
    return output;
}

static void equal_outputs_are_told_apart(void **state)
{
    (void)state;
    char longest[UI_OUTPUT_NAME];
    struct ui_outputs outputs = {.count = 0};
    const struct ui_output items[] = {output_at("eDP-1", "Foo", 0), output_at("", "Foo", 1280),
                                      output_at("", "Foo 2", 2560), output_at("DP-3", "", 3840),
                                      output_at("", "Foo", 5120),   output_at("eDP-2", "Bar", 0)};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        ui_outputs_add_apart(&outputs, &items[i]);
    }
    static const struct {
        const char *name;
        const char *description;
    } told[] = {{"eDP-1", "Foo"}, {"Foo 2", "Foo 2"}, {"Foo 2 2", "Foo 2 2"},
                {"DP-3", ""},     {"Foo 3", "Foo 3"}, {"eDP-2", "Bar"}};
    assert_int_equal(outputs.count, sizeof told / sizeof *told);
    for (int i = 0; i < outputs.count; i++) {
        assert_string_equal(outputs.items[i].name, told[i].name);
        assert_string_equal(outputs.items[i].description, told[i].description);
    }
    /* By both; whole ones and names come first. */
    static const struct {
        const char *wish;
        int found;
    } cases[] = {{"foo", 0}, {"foo 2", 1}, {"foo 2 2", 2}, {"3", 2},  {"oo 3", 4},
                 {"dp", 0},  {"dp-3", 3},  {"BAR", 5},     {"ar", 5}, {"Baz", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ui_outputs_find(&outputs, cases[i].wish), cases[i].found);
    }
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    for (int i = outputs.count; i < 2 * UI_OUTPUTS_MAX; i++) {
        const struct ui_output output = output_at("", longest, 1280 * i);
        ui_outputs_add_apart(&outputs, &output);
    }
    assert_int_equal(outputs.count, UI_OUTPUTS_MAX);
    assert_string_not_equal(outputs.items[UI_OUTPUTS_MAX - 1].name,
                            outputs.items[UI_OUTPUTS_MAX - 2].name);
}

static void outputs_of_two_sources_are_matched(void **state)
{
    (void)state;
    const struct ui_output told[] = {output_at("DP-1", "Foo", 0), output_at("DP-2", "Foo", 1280),
                                     output_at("DP-3", "Bar", 0)};
    static const struct {
        const char *description;
        int x;
        unsigned taken;
        int match;
    } cases[] = {
        {"Foo", 1280, 0, 1},         /* place and description */
        {"other words", 1280, 0, 1}, /* the place */
        {"Bar", 0, 0, 2},
        {"Bar", 2560, 0, 2}, /* the description */
        {"DP-2", 2560, 0, 1},
        {"Foo", 2560, 0, 0}, /* equal ones by their order */
        {"Foo", 2560, 1, 1},
        {"nothing", 2560, 3, 2},
        {"Foo", 0, 7, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ui_output output = output_at("", cases[i].description, cases[i].x);
        assert_int_equal(ui_outputs_match(told, 3, cases[i].taken, &output), cases[i].match);
    }
    assert_int_equal(ui_outputs_match(told, 0, 0, &told[0]), -1);
}

/* One change of the outputs after the other; the show goes where it is ordered to. */
static void the_show_goes_where_it_belongs(void **state)
{
    (void)state;
    enum { STEPS = 5 };
    static const struct {
        const char *wish;
        bool apart;
        struct {
            const char *outputs;
            enum ui_stage_order order;
            const char *then; /* where the show is */
        } steps[STEPS];
    } cases[] = {
        /* A projector, which is unplugged and plugged in again. */
        {"",
         true,
         {{"eDP-1 HDMI-1", UI_STAGE_BACK, "HDMI-1"},
          {"eDP-1", UI_STAGE_LOST, "eDP-1"},
          {"eDP-1", UI_STAGE_STAY, "eDP-1"},
          {"eDP-1 HDMI-1", UI_STAGE_BACK, "HDMI-1"},
          {"eDP-1 HDMI-1", UI_STAGE_STAY, "HDMI-1"}}},
        /* It comes later, and then another one; the primary one becomes another. */
        {"",
         true,
         {{"eDP-1", UI_STAGE_BACK, "eDP-1"},
          {"eDP-1 HDMI-1", UI_STAGE_BACK, "HDMI-1"},
          {"eDP-1 DP-1 HDMI-1", UI_STAGE_STAY, "HDMI-1"},
          {"HDMI-1 eDP-1 DP-1", UI_STAGE_STAY, "HDMI-1"},
          {"HDMI-1", UI_STAGE_STAY, "HDMI-1"}}},
        /* It is plugged into another socket. */
        {"",
         true,
         {{"eDP-1 HDMI-1", UI_STAGE_BACK, "HDMI-1"},
          {"eDP-1", UI_STAGE_LOST, "eDP-1"},
          {"eDP-1 DP-1", UI_STAGE_BACK, "DP-1"},
          {"eDP-1 DP-1 HDMI-1", UI_STAGE_STAY, "DP-1"}}},
        /* One that was named is waited for. */
        {"hdmi",
         false,
         {{"eDP-1 DP-1", UI_STAGE_STAY, ""},
          {"eDP-1 DP-1 HDMI-2", UI_STAGE_BACK, "HDMI-2"},
          {"eDP-1 DP-1", UI_STAGE_LOST, "eDP-1"},
          {"eDP-1 DP-1 HDMI-2", UI_STAGE_BACK, "HDMI-2"}}},
        /* A number means the output that had it first. */
        {"2",
         false,
         {{"eDP-1 HDMI-1", UI_STAGE_BACK, "HDMI-1"},
          {"eDP-1 DP-1 HDMI-1", UI_STAGE_STAY, "HDMI-1"},
          {"eDP-1", UI_STAGE_LOST, "eDP-1"},
          {"eDP-1 HDMI-1", UI_STAGE_BACK, "HDMI-1"}}},
        /* Nothing was told. */
        {"", false, {{"eDP-1 HDMI-1", UI_STAGE_STAY, ""}, {"eDP-1", UI_STAGE_STAY, ""}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ui_stage stage;
        char show[UI_OUTPUT_NAME] = "";
        ui_stage_tell(&stage, cases[i].wish, cases[i].apart);
        for (int k = 0; k < STEPS && cases[i].steps[k].outputs != NULL; k++) {
            const struct ui_outputs now = outputs_of(cases[i].steps[k].outputs);
            int at = show[0] != '\0' ? ui_outputs_find(&now, show) : -1;
            int to = -1;
            assert_int_equal(ui_stage_follow(&stage, &now, at, true, &to), cases[i].steps[k].order);
            /* Window managers bring a window to the primary output whose own is gone. */
            at = to >= 0 ? to : at < 0 && show[0] != '\0' ? 0 : at;
            (void)strcpy(show, at >= 0 ? now.items[at].name : "");
            assert_string_equal(show, cases[i].steps[k].then);
        }
    }
}

static void where_the_user_moves_it_is_where_it_belongs(void **state)
{
    (void)state;
    struct ui_outputs both = outputs_of("eDP-1 HDMI-1");
    struct ui_outputs one = outputs_of("eDP-1");
    struct ui_stage stage;
    int to = -1;
    ui_stage_tell(&stage, "", true);
    assert_int_equal(ui_stage_follow(&stage, &both, 1, true, &to), UI_STAGE_STAY);
    /* While outputs change it is the window manager who moves it. */
    assert_int_equal(ui_stage_follow(&stage, &both, 0, true, &to), UI_STAGE_GO);
    assert_int_equal(to, 1);
    /* So it is before the show has got there. */
    assert_int_equal(ui_stage_follow(&stage, &both, 0, false, &to), UI_STAGE_GO);
    assert_int_equal(ui_stage_follow(&stage, &both, 1, false, &to), UI_STAGE_STAY);
    assert_int_equal(ui_stage_follow(&stage, &both, 0, false, &to), UI_STAGE_STAY);
    assert_string_equal(stage.wish, "eDP-1");
    assert_int_equal(ui_stage_follow(&stage, &one, 0, true, &to), UI_STAGE_STAY);
    assert_int_equal(ui_stage_follow(&stage, &both, 0, true, &to), UI_STAGE_STAY);
}

static void the_desktops_dots_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *resources;
        double dots;
    } cases[] = {{NULL, 0},
                 {"", 0},
                 {"Xft.dpi:\t192\n", 192},
                 {"Xcursor.size:\t24\nXft.dpi: 143.5\nXft.rgba: none\n", 143.5},
                 {"Xft.dpi:\tmany\n", 0},
                 {"Xft.dpi:\t-96\n", 0},
                 {"XXft.dpi:\t192\n", 0},
                 {"Xft.dpi:\tnan", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(ui_outputs_dots_of(cases[i].resources) == cases[i].dots);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_output_is_found_by_number_or_part_of_its_name),
        cmocka_unit_test(a_primary_output_that_comes_last_is_the_first),
        cmocka_unit_test(equal_outputs_are_told_apart),
        cmocka_unit_test(outputs_of_two_sources_are_matched),
        cmocka_unit_test(the_show_goes_where_it_belongs),
        cmocka_unit_test(the_desktops_dots_are_read),
        cmocka_unit_test(where_the_user_moves_it_is_where_it_belongs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
