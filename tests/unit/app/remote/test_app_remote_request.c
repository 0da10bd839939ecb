#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/remote/request.h"

static bool get_chance(void *user, void *bytes, size_t size)
{
    uint8_t *next = user;
    memset(bytes, ++*next, size);
    return true;
}

static bool get_digest(void *user, const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST])
{
    (void)user;
    memset(digest, 0, APP_GATE_DIGEST);
    memcpy(digest, bytes, size < APP_GATE_DIGEST ? size : APP_GATE_DIGEST);
    return true;
}

struct bench {
    uint8_t next;
    struct app_gate *gate;
    struct app_remote_place place;
    struct app_remote_request request;
    struct app_remote_verdict verdict;
};

static void set(char *text, size_t size, const char *to)
{
    assert_in_range(snprintf(text, size, "%s", to), 0, size - 1);
}

#define SET(field, to) set(bench->request.field, sizeof bench->request.field, to)

/* A request for this path, of somebody who is not known. */
static void ask(struct bench *bench, const char *path)
{
    bench->request = (struct app_remote_request){.get = true};
    SET(path, path);
    SET(host, bench->place.open ? "192.168.1.5:8787" : "127.0.0.1:8787");
}

static unsigned judged(struct bench *bench)
{
    app_remote_judge(&bench->request, &bench->place, bench->gate, 1, &bench->verdict);
    return bench->verdict.does == APP_REMOTE_SAY ? bench->verdict.status
                                                 : (unsigned)bench->verdict.does;
}

/* Somebody who has come by the link, or the code. */
static void know(struct bench *bench)
{
    char token[APP_GATE_TOKEN];
    char cookie[64];
    assert_int_equal(
        app_gate_by_link(bench->gate, app_gate_link(bench->gate), bench->place.from, 0, token),
        APP_GATE_IN);
    (void)snprintf(cookie, sizeof cookie, "a=b; froth=%s; c=d", token);
    SET(cookies, cookie);
}

static void open_bench(struct bench *bench, bool open)
{
    static const uint8_t own[4] = {127, 0, 0, 1};
    static const uint8_t other[4] = {192, 168, 1, 9};
    *bench = (struct bench){.place = {.port = 8787, .own = !open, .open = open}};
    const struct app_gate_setup setup = {100, get_chance, get_digest, &bench->next};
    (void)snprintf(bench->place.address, sizeof bench->place.address, "%s",
                   open ? "192.168.1.5" : "127.0.0.1");
    (void)snprintf(bench->place.name, sizeof bench->place.name, "stage");
    bench->place.from = app_gate_address_four(open ? other : own);
    bench->gate = app_gate_create(&setup);
    assert_non_null(bench->gate);
}

static void hosts(void **state)
{
    static const struct {
        bool open;
        const char *host;
        bool fits;
    } rows[] = {
        {false, "127.0.0.1:8787", true},
        {false, "localhost:8787", true},
        {false, "LocalHost:8787", true},
        {false, "127.0.0.1", false},
        {false, "127.0.0.1:8788", false},
        {false, "127.0.0.1:87870", false},
        {false, "evil.example:8787", false},
        {false, "", false},
        {false, "127.0.0.1:8787,x", false},
        {false, "stage:8787", false},
        {false, "localhost.evil.example:8787", false},
        {true, "192.168.1.5:8787", true},
        {true, "stage:8787", true},
        {true, "stage.local:8787", true},
        {true, "stage.evil.example:8787", false},
        {true, "localhost:8787", false},
        {true, "192.168.1.6:8787", false},
    };
    struct bench all[2];
    (void)state;
    open_bench(&all[0], false);
    open_bench(&all[1], true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench *bench = &all[rows[i].open];
        ask(bench, "/");
        SET(host, rows[i].host);
        if ((judged(bench) != 421) != rows[i].fits) {
            fail_msg("host %s", rows[i].host);
        }
    }
    app_gate_free(all[0].gate);
    app_gate_free(all[1].gate);
}

static void here(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench, false);
    ask(bench, "/");
    assert_int_equal(judged(bench), 403);
    assert_true(bench->verdict.refused);
    ask(bench, "/page/style.css");
    assert_int_equal(judged(bench), 403);
    ask(bench, "/");
    SET(link, app_gate_link(bench->gate));
    assert_int_equal(judged(bench), APP_REMOTE_ENTER);
    assert_int_equal(strlen(bench->verdict.token), APP_GATE_TOKEN - 1);
    assert_int_equal(judged(bench), 403); /* once more */
    ask(bench, "/");
    know(bench);
    assert_int_equal(judged(bench), APP_REMOTE_SHOW);
    assert_string_equal(bench->verdict.page.path, "/page/page.html");
    assert_false(bench->verdict.refused);
    assert_int_not_equal(bench->verdict.holder, 0);
    SET(path, "/page/main.js");
    assert_int_equal(judged(bench), APP_REMOTE_SHOW);
    SET(path, "/thumb/12");
    SET(size, "small");
    assert_int_equal(judged(bench), APP_REMOTE_THUMB);
    assert_int_equal(bench->verdict.preset, 12);
    assert_true(bench->verdict.small);
    static const char *const nothing[] = {"/thumb/",
                                          "/thumb/1x",
                                          "/thumb/1/2",
                                          "/thumb/-1",
                                          "/thumb/12345678901",
                                          "/page/",
                                          "/page",
                                          "",
                                          "/page/../page/main.js",
                                          "/pair",
                                          "/live"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        SET(path, nothing[i]);
        assert_int_equal(judged(bench), 404);
    }
    bench->request.get = false;
    assert_int_equal(judged(bench), 405);
    app_gate_free(bench->gate);
}

static void other_pages(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench, false);
    ask(bench, "/live");
    know(bench);
    bench->request.live = true;
    SET(protocol, "froth");
    assert_int_equal(judged(bench), 403); /* whatever opens it says where it comes from */
    SET(origin, "http://evil.example");
    assert_int_equal(judged(bench), 403);
    SET(origin, "null");
    assert_int_equal(judged(bench), 403);
    SET(origin, "http://127.0.0.1:9999");
    assert_int_equal(judged(bench), 403);
    SET(origin, "https://127.0.0.1:8787");
    assert_int_equal(judged(bench), 403);
    SET(origin, "http://127.0.0.1:8787");
    assert_int_equal(judged(bench), APP_REMOTE_LIVE);
    SET(protocol, "other");
    assert_int_equal(judged(bench), 400);
    SET(protocol, "froth");
    SET(cookies, "froth=0123456789abcdef0123456789abcdef");
    assert_int_equal(judged(bench), 403);
    app_gate_free(bench->gate);
}

static void elsewhere(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench, true);
    ask(bench, "/");
    assert_int_equal(judged(bench), APP_REMOTE_SHOW);
    assert_string_equal(bench->verdict.page.path, "/page/pair.html");
    ask(bench, "/page/pairing.js");
    assert_int_equal(judged(bench), APP_REMOTE_SHOW);
    static const char *const closed[] = {"/page/page.html", "/page/main.js", "/thumb/0", "/x"};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        ask(bench, closed[i]);
        assert_int_equal(judged(bench), 403);
    }
    /* The link is for this machine. */
    ask(bench, "/");
    SET(link, app_gate_link(bench->gate));
    assert_int_equal(judged(bench), 403);
    ask(bench, "/pair");
    bench->request.get = false;
    bench->request.post = true;
    assert_int_equal(judged(bench), 403);
    SET(origin, "http://192.168.1.5:8787");
    assert_int_equal(judged(bench), APP_REMOTE_FORM_OF_PAIR);
    /* A token that was given to another address. */
    ask(bench, "/page/main.js");
    know(bench);
    assert_int_equal(judged(bench), APP_REMOTE_SHOW);
    bench->place.from.bytes[7]++;
    assert_int_equal(judged(bench), 403);
    ask(bench, "/");
    SET(cookies, "froth=0123456789abcdef0123456789abcdef");
    assert_int_equal(judged(bench), APP_REMOTE_SHOW);
    assert_true(bench->verdict.refused); /* counted, and paired anew */
    app_gate_free(bench->gate);
}

static void forms(void **state)
{
    static const char *const wrong[] = {
        "",         "code",           "code=", "code=12", "code=1234567", "code=12345x",
        "c=123456", "code=123456&a=b"};
    char code[APP_GATE_CODE];
    (void)state;
    assert_true(app_remote_form("code=012345", 11, code));
    assert_string_equal(code, "012345");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(app_remote_form(wrong[i], strlen(wrong[i]), code));
        assert_string_equal(code, "");
    }
}

static void pages_are_there(void **state)
{
    (void)state;
    static const char *const paths[] = {
#define APP_REMOTE_PAGE(path, file, type, who) path,
#include "app/remote/pages.def"
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct app_remote_page page = app_remote_page(paths[i]);
        assert_non_null(page.text);
        assert_string_equal(page.path, paths[i]);
        assert_true(strlen(page.text) > 0);
    }
    assert_null(app_remote_page("/").text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts),     cmocka_unit_test(here),  cmocka_unit_test(other_pages),
        cmocka_unit_test(elsewhere), cmocka_unit_test(forms), cmocka_unit_test(pages_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
