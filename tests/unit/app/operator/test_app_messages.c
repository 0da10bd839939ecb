#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/operator/operator.h"

static struct base_diag_list passed; /* what went on */

static struct app_messages *create(struct base_diag_sink *on)
{
    memset(&passed, 0, sizeof passed);
    *on = base_diag_list_sink(&passed);
    struct app_messages *messages = app_messages_create(on);
    assert_non_null(messages);
    return messages;
}

static void the_newest_come_first(void **state)
{
    (void)state;
    struct base_diag_sink on;
    struct app_messages *messages = create(&on);
    const struct base_diag_sink sink = app_messages_sink(messages);
    struct app_message got[APP_MESSAGES_KEPT + 1];
    uint64_t revision = 99;
    assert_int_equal(app_messages_newest(messages, got, 5, &revision), 0);
    assert_int_equal(revision, 0);
    for (int i = 0; i < 3 * APP_MESSAGES_KEPT; i++) {
        base_report(&sink, BASE_WARNING, (struct base_place){0}, NULL, "number %d", i);
        const size_t kept = i + 1 < APP_MESSAGES_KEPT ? (size_t)i + 1 : APP_MESSAGES_KEPT;
        assert_int_equal(app_messages_newest(messages, got, APP_MESSAGES_KEPT + 1, &revision),
                         kept);
        assert_int_equal(revision, i + 1);
        for (size_t k = 0; k < kept; k++) {
            char text[32];
            (void)snprintf(text, sizeof text, "number %d", i - (int)k);
            assert_string_equal(got[k].text, text);
            assert_int_equal(got[k].severity, BASE_WARNING);
        }
    }
    assert_int_equal(app_messages_newest(messages, got, 2, &revision), 2);
    assert_int_equal(app_messages_newest(messages, got, 0, &revision), 0);
    assert_int_equal(passed.by_severity[BASE_WARNING], 3 * APP_MESSAGES_KEPT);
    app_messages_free(messages);
}

static void what_is_shown_is_short(void **state)
{
    (void)state;
    static const struct {
        enum base_severity severity;
        struct base_place place;
        const char *what;
        const char *hint;
        const char *shown; /* NULL: nothing */
    } cases[] = {
        {BASE_ERROR, {"/a/b/c.milk", 3, 7}, "bad", NULL, "c.milk:3:7: error: bad"},
        {BASE_WARNING, {"c.milk", 3, 0}, "bad", "mend it", "c.milk:3:0: warning: bad; mend it"},
        {BASE_ERROR, {NULL, 0, 0}, "bad", "mend it", "bad; mend it"},
        {BASE_NOTE, {"/a/b/c.milk", 0, 0}, "locked", NULL, "locked"},
        {BASE_NOTE, {NULL, 0, 0}, "locked", "so be it", "locked; so be it"},
        {BASE_WARNING, {"/a/b/", 0, 0}, "bad", NULL, ": warning: bad"},
        {BASE_DEBUG, {NULL, 0, 0}, "for the log", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct base_diag_sink on;
        struct app_messages *messages = create(&on);
        const struct base_diag_sink sink = app_messages_sink(messages);
        struct app_message got;
        uint64_t revision;
        base_report(&sink, cases[i].severity, cases[i].place, cases[i].hint, "%s", cases[i].what);
        const size_t count = app_messages_newest(messages, &got, 1, &revision);
        assert_int_equal(count, cases[i].shown != NULL);
        if (count > 0) {
            assert_string_equal(got.text, cases[i].shown);
        }
        assert_int_equal(passed.count, 1);
        assert_ptr_equal(passed.items[0].place.file, cases[i].place.file);
        app_messages_free(messages);
    }
}

static void long_ones_are_cut(void **state)
{
    (void)state;
    static char path[5000];
    struct base_diag_sink on;
    struct app_messages *messages = create(&on);
    const struct base_diag_sink sink = app_messages_sink(messages);
    struct app_message got;
    uint64_t revision;
    memset(path, 'x', sizeof path - 1);
    base_report(&sink, BASE_ERROR, (struct base_place){path, 1, 1}, path, "%s", path);
    base_report(&sink, BASE_ERROR, (struct base_place){0}, path, "%s", path);
    assert_int_equal(app_messages_newest(messages, &got, 1, &revision), 1);
    assert_true(strlen(got.text) > 200 && strlen(got.text) < APP_MESSAGE_SIZE);
    app_messages_free(messages);
    app_messages_free(NULL);
}

/* What is said again moves up, with a count, so that what was said once stays to be seen. */
static void what_is_said_again_is_one_line(void **state)
{
    (void)state;
    static const struct {
        enum base_severity severity;
        const char *what;
        size_t count; /* of lines behind it */
        unsigned times;
    } said[] = {
        {BASE_NOTE, "1 of 16 pixels", 1, 1}, {BASE_NOTE, "1 of 16 pixels", 1, 2},
        {BASE_NOTE, "12 of 4 pixels", 1, 3}, {BASE_NOTE, "1 of 4 pixels.", 2, 1},
        {BASE_NOTE, "of 4 pixels", 3, 1},    {BASE_NOTE, "of 4 pixels and more", 4, 1},
        {BASE_NOTE, "of 0.25 pixels", 4, 2}, {BASE_NOTE, "7 of 5 pixels", 4, 4},
        {BASE_WARNING, "of 4 pixels", 5, 1}, {BASE_NOTE, "of 4 pixels", 5, 3},
        {BASE_WARNING, "of 4 pixels", 5, 2}, {BASE_WARNING, "of 5 pixels", 6, 1},
    };
    struct base_diag_sink on;
    struct app_messages *messages = create(&on);
    const struct base_diag_sink sink = app_messages_sink(messages);
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct app_message got[APP_MESSAGES_KEPT];
        uint64_t revision;
        base_report(&sink, said[i].severity, (struct base_place){0}, NULL, "%s", said[i].what);
        assert_int_equal(app_messages_newest(messages, got, APP_MESSAGES_KEPT, &revision),
                         said[i].count);
        assert_string_equal(got[0].text, said[i].what);
        assert_int_equal(got[0].times, said[i].times);
        assert_int_equal(revision, i + 1);
    }
    assert_int_equal(passed.count, sizeof said / sizeof said[0]);
    app_messages_free(messages);
}

static void notes_make_room_for_what_is_wrong(void **state)
{
    (void)state;
    struct base_diag_sink on;
    struct app_messages *messages = create(&on);
    const struct base_diag_sink sink = app_messages_sink(messages);
    struct app_message got[APP_MESSAGES_KEPT];
    uint64_t revision;
    base_report(&sink, BASE_ERROR, (struct base_place){0}, NULL, "the device is gone");
    for (int i = 0; i < 3 * APP_MESSAGES_KEPT; i++) {
        char name[8] = {(char)('a' + i % 26), (char)('a' + i / 26 % 26)};
        base_report(&sink, BASE_NOTE, (struct base_place){0}, NULL, "saved as %s", name);
    }
    assert_int_equal(app_messages_newest(messages, got, APP_MESSAGES_KEPT, &revision),
                     APP_MESSAGES_KEPT);
    assert_string_equal(got[APP_MESSAGES_KEPT - 1].text, "the device is gone");
    app_messages_free(messages);
}

enum { THREADS = 4, EACH = 2000 };

static void *report(void *argument)
{
    struct app_messages *messages = argument;
    const struct base_diag_sink sink = app_messages_sink(messages);
    for (int i = 0; i < EACH; i++) {
        base_report(&sink, BASE_NOTE, (struct base_place){0}, NULL, "%.64s%d",
                    "the same words from all of them, so that a torn one is seen: ", i);
    }
    return NULL;
}

static void drop(void *user, const struct base_diag *diag)
{
    (void)user;
    (void)diag;
}

static void threads_may_report_at_once(void **state)
{
    (void)state;
    const struct base_diag_sink on = {drop, NULL};
    struct app_messages *messages = app_messages_create(&on);
    assert_non_null(messages);
    pthread_t threads[THREADS];
    struct app_message got[APP_MESSAGES_KEPT];
    uint64_t revision = 0;
    uint64_t former = 0;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, report, messages), 0);
    }
    while (revision < (uint64_t)THREADS * EACH) {
        const size_t count = app_messages_newest(messages, got, APP_MESSAGES_KEPT, &revision);
        assert_true(revision >= former);
        assert_true(count <= revision);
        former = revision;
        for (size_t i = 0; i < count; i++) {
            const char *colon = strchr(got[i].text, ':');
            assert_non_null(colon);
            char *end;
            const long number = strtol(colon + 1, &end, 10);
            assert_true(*end == '\0' && number >= 0 && number < EACH);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(revision, THREADS * EACH);
    app_messages_free(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_come_first),
        cmocka_unit_test(what_is_shown_is_short),
        cmocka_unit_test(long_ones_are_cut),
        cmocka_unit_test(what_is_said_again_is_one_line),
        cmocka_unit_test(notes_make_room_for_what_is_wrong),
        cmocka_unit_test(threads_may_report_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
