#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

static bool obey(struct engine *engine, const char *words)
{
    struct engine_call call;
    assert_int_equal(engine_call_parse(&call, &engine_vocabulary, base_span_of(words),
                                       (struct base_place){0}, NULL),
                     0);
    return engine_obey(engine, &call);
}

static void variables_are_held_until_they_are_let_go(void **state)
{
    (void)state;
    const struct engine_setup setup = {
        .config = {.width = 16, .height = 16, .mesh_x = 2, .mesh_y = 2, .fps = 60, .seed = 1},
        .steps = {.steps = {60, 1}, .frames = {60, 1}},
        .divisors = {1, 1},
        .speed = 1,
        .wishes = {.advance = 30}};
    struct engine *engine = engine_create(&setup);
    size_t count = 1;
    char words[64];
    assert_non_null(engine);
    const struct rend_held *held = engine_held(engine, &count);
    assert_int_equal(count, 0);
    assert_true(obey(engine, "hold Q1 0.5"));
    assert_true(obey(engine, "hold mine -2e3"));
    assert_true(obey(engine, "hold q1 0.75"));
    (void)engine_held(engine, &count);
    assert_int_equal(count, 2);
    assert_string_equal(held[0].name, "q1");
    assert_true(held[0].value == 0.75 && held[1].value == -2000);
    static const char *const wrong[] = {"hold q1",
                                        "hold q1 x",
                                        "hold q1 1 2",
                                        "hold q1 1e999",
                                        "hold a_name_that_is_longer_than_any 1",
                                        "free q2",
                                        "free a_name_that_is_longer_than_any"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(obey(engine, wrong[i]));
    }
    assert_true(obey(engine, "free q1"));
    (void)engine_held(engine, &count);
    assert_int_equal(count, 1);
    assert_string_equal(held[0].name, "mine");
    for (int i = 1; i < ENGINE_HELD_MAX; i++) {
        (void)snprintf(words, sizeof words, "hold v%d %d", i, i);
        assert_true(obey(engine, words));
    }
    assert_false(obey(engine, "hold more 1"));
    assert_true(obey(engine, "hold mine 1"));
    assert_true(obey(engine, "free"));
    (void)engine_held(engine, &count);
    assert_int_equal(count, 0);
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_held_until_they_are_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
