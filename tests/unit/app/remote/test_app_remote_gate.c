#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/remote/gate.h"

/* Chance that can be foreseen, and a digest that can be seen through. */
struct bench {
    uint64_t next;
    bool broken;
    struct app_gate *gate;
};

static bool get_chance(void *user, void *bytes, size_t size)
{
    struct bench *bench = user;
    uint8_t *to = bytes;
    for (size_t i = 0; i < size; i++) {
        bench->next = bench->next * 6364136223846793005U + 1442695040888963407U;
        to[i] = (uint8_t)(bench->next >> 56);
    }
    return !bench->broken;
}

static bool get_digest(void *user, const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST])
{
    const uint8_t *from = bytes;
    (void)user;
    memset(digest, 0x55, APP_GATE_DIGEST);
    for (size_t i = 0; i < size; i++) {
        digest[i % APP_GATE_DIGEST] = (uint8_t)(digest[i % APP_GATE_DIGEST] * 3 + from[i]);
    }
    return true;
}

static void open_bench(struct bench *bench)
{
    *bench = (struct bench){0};
    const struct app_gate_setup setup = {100, get_chance, get_digest, bench};
    bench->gate = app_gate_create(&setup);
    assert_non_null(bench->gate);
}

static struct app_gate_address address_of(uint8_t last)
{
    const uint8_t four[4] = {192, 168, 1, last};
    return app_gate_address_four(four);
}

static bool is_same(struct app_gate_address a, struct app_gate_address b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void addresses(void **state)
{
    static const uint8_t own[4] = {127, 0, 0, 1};
    static const uint8_t own_too[4] = {127, 1, 2, 3};
    static const uint8_t six_own[16] = {[15] = 1};
    static const uint8_t six_four[16] = {
        [10] = 0xff, [11] = 0xff, [12] = 192, [13] = 168, [14] = 1, [15] = 7};
    static const uint8_t six[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 9};
    static const uint8_t neighbour[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 8, 7};
    static const uint8_t other[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 2, 9};
    (void)state;
    assert_true(is_same(app_gate_address_four(own), app_gate_address_four(own_too)));
    assert_true(is_same(app_gate_address_four(own), app_gate_address_six(six_own)));
    assert_true(is_same(app_gate_address_six(six_four), address_of(7)));
    assert_false(is_same(address_of(8), address_of(7)));
    assert_false(is_same(address_of(8), app_gate_address_four(own)));
    assert_true(is_same(app_gate_address_six(six), app_gate_address_six(neighbour)));
    assert_false(is_same(app_gate_address_six(six), app_gate_address_six(other)));
}

static void link_works_once(void **state)
{
    struct bench bench;
    char link[APP_GATE_TOKEN];
    char token[APP_GATE_TOKEN];
    char again[APP_GATE_TOKEN];
    (void)state;
    open_bench(&bench);
    (void)snprintf(link, sizeof link, "%s", app_gate_link(bench.gate));
    assert_int_equal(strlen(link), APP_GATE_TOKEN - 1);
    assert_int_equal(app_gate_by_link(bench.gate, "", address_of(1), 0, token), APP_GATE_NO);
    assert_int_equal(app_gate_by_link(bench.gate, link + 1, address_of(1), 0, token), APP_GATE_NO);
    assert_string_equal(app_gate_link(bench.gate), link);
    assert_int_equal(app_gate_by_link(bench.gate, link, address_of(1), 0, token), APP_GATE_IN);
    assert_int_equal(strlen(token), APP_GATE_TOKEN - 1);
    assert_string_not_equal(app_gate_link(bench.gate), link);
    assert_int_equal(app_gate_by_link(bench.gate, link, address_of(1), 0, again), APP_GATE_NO);
    assert_string_equal(again, "");
    assert_int_equal(app_gate_counts(bench.gate).wrong, 3);
    /* Without chance nobody gets in, and the link stays as it was. */
    (void)snprintf(link, sizeof link, "%s", app_gate_link(bench.gate));
    bench.broken = true;
    assert_int_equal(app_gate_by_link(bench.gate, link, address_of(1), 0, again), APP_GATE_LATER);
    assert_string_equal(app_gate_link(bench.gate), link);
    app_gate_free(bench.gate);
}

static void tokens_hold(void **state)
{
    struct bench bench;
    char token[APP_GATE_TOKEN];
    char other[APP_GATE_TOKEN];
    (void)state;
    open_bench(&bench);
    struct app_gate *gate = bench.gate;
    assert_int_equal(app_gate_by_link(gate, app_gate_link(gate), address_of(1), 0, token),
                     APP_GATE_IN);
    const uint64_t holder = app_gate_holder(gate, token, address_of(1), 50);
    assert_int_not_equal(holder, 0);
    assert_int_equal(app_gate_count(gate, 50), 1);
    assert_int_equal(app_gate_holder(gate, token, address_of(2), 60), 0);
    assert_int_equal(app_gate_counts(gate).strange, 1);
    memcpy(other, token, sizeof other);
    other[31] = other[31] == '0' ? '1' : '0';
    assert_int_equal(app_gate_holder(gate, other, address_of(1), 60), 0);
    assert_int_equal(app_gate_holder(gate, "", address_of(1), 60), 0);
    assert_int_equal(app_gate_counts(gate).wrong, 2);
    /* Used at 50, and by its socket at 140: held until 240, by nothing that a stranger did. */
    assert_true(app_gate_holds(gate, holder, true, 140));
    assert_int_equal(app_gate_holder(gate, token, address_of(1), 239), holder);
    assert_false(app_gate_holds(gate, holder, true, 340));
    assert_int_equal(app_gate_count(gate, 340), 0);
    assert_int_equal(app_gate_holder(gate, token, address_of(1), 340), 0);
    assert_int_equal(app_gate_counts(gate).expired, 1);
    assert_int_equal(app_gate_holder(gate, token, address_of(1), 100), 0);
    assert_false(app_gate_holds(gate, 0, true, 0));
    app_gate_free(gate);
}

static void oldest_token_makes_room(void **state)
{
    struct bench bench;
    char tokens[APP_GATE_TOKENS + 1][APP_GATE_TOKEN];
    (void)state;
    open_bench(&bench);
    struct app_gate *gate = bench.gate;
    for (unsigned i = 0; i <= APP_GATE_TOKENS; i++) {
        assert_int_equal(app_gate_by_link(gate, app_gate_link(gate), address_of(1), i, tokens[i]),
                         APP_GATE_IN);
        /* The first one is used again and again. */
        assert_int_equal(app_gate_holder(gate, tokens[0], address_of(1), i), 1);
    }
    assert_int_equal(app_gate_count(gate, APP_GATE_TOKENS), APP_GATE_TOKENS);
    assert_int_equal(app_gate_holder(gate, tokens[1], address_of(1), APP_GATE_TOKENS), 0);
    for (unsigned i = 2; i <= APP_GATE_TOKENS; i++) {
        assert_int_equal(app_gate_holder(gate, tokens[i], address_of(1), APP_GATE_TOKENS), i + 1);
    }
    app_gate_free(gate);
}

static void codes(void **state)
{
    struct bench bench;
    char code[APP_GATE_CODE];
    char token[APP_GATE_TOKEN];
    (void)state;
    open_bench(&bench);
    struct app_gate *gate = bench.gate;
    assert_null(app_gate_code(gate, 0));
    assert_true(app_gate_ask(gate, 0));
    (void)snprintf(code, sizeof code, "%s", app_gate_code(gate, 0));
    assert_int_equal(strlen(code), APP_GATE_CODE - 1);
    assert_int_equal(strspn(code, "0123456789"), APP_GATE_CODE - 1);
    /* Asking again changes nothing while it holds. */
    assert_true(app_gate_ask(gate, APP_GATE_VALID - 1));
    assert_string_equal(app_gate_code(gate, APP_GATE_VALID - 1), code);
    assert_null(app_gate_code(gate, APP_GATE_VALID));
    assert_int_equal(app_gate_by_code(gate, code, address_of(1), APP_GATE_VALID, token),
                     APP_GATE_NO);
    assert_true(app_gate_ask(gate, 200));
    assert_string_not_equal(app_gate_code(gate, 200), code);
    (void)snprintf(code, sizeof code, "%s", app_gate_code(gate, 200));
    assert_int_equal(app_gate_by_code(gate, code, address_of(1), 200, token), APP_GATE_IN);
    assert_int_not_equal(app_gate_holder(gate, token, address_of(1), 200), 0);
    /* It works once. */
    assert_null(app_gate_code(gate, 200));
    assert_int_equal(app_gate_by_code(gate, code, address_of(2), 200, token), APP_GATE_NO);
    app_gate_free(gate);
}

static void wrong_codes_wait(void **state)
{
    struct bench bench;
    char code[APP_GATE_CODE];
    char token[APP_GATE_TOKEN];
    (void)state;
    open_bench(&bench);
    struct app_gate *gate = bench.gate;
    (void)app_gate_ask(gate, 0);
    (void)snprintf(code, sizeof code, "%s", app_gate_code(gate, 0));
    assert_int_equal(app_gate_by_code(gate, "", address_of(1), 0, token), APP_GATE_NO);
    /* For a second even the right one is not looked at; from elsewhere it is. */
    assert_int_equal(app_gate_wait(gate, address_of(1), 0), 1);
    assert_int_equal(app_gate_wait(gate, address_of(2), 0), 0);
    assert_int_equal(app_gate_by_code(gate, code, address_of(1), 0.9, token), APP_GATE_LATER);
    assert_int_equal(app_gate_counts(gate).hasty, 1);
    assert_int_equal(app_gate_by_code(gate, "x", address_of(1), 1, token), APP_GATE_NO);
    assert_int_equal(app_gate_wait(gate, address_of(1), 1), 2);
    /* The third one voids the code, wherever it comes from. */
    assert_string_equal(app_gate_code(gate, 2), code);
    assert_int_equal(app_gate_by_code(gate, "x", address_of(2), 2, token), APP_GATE_NO);
    assert_null(app_gate_code(gate, 2));
    assert_int_equal(app_gate_by_code(gate, code, address_of(3), 2, token), APP_GATE_NO);
    double now = 3;
    for (int i = 0; i < 9; i++) {
        now += APP_GATE_PATIENCE;
        assert_int_equal(app_gate_by_code(gate, "x", address_of(1), now, token), APP_GATE_NO);
    }
    assert_int_equal(app_gate_wait(gate, address_of(1), now), APP_GATE_PATIENCE);
    app_gate_free(gate);
}

/* From many addresses at once. */
static void all_are_limited(void **state)
{
    struct bench bench;
    char token[APP_GATE_TOKEN];
    unsigned looked = 0;
    (void)state;
    open_bench(&bench);
    struct app_gate *gate = bench.gate;
    for (unsigned i = 0; i < 250; i++) {
        looked += app_gate_by_code(gate, "x", address_of((uint8_t)i), 0, token) == APP_GATE_NO;
    }
    assert_int_equal(looked, APP_GATE_WRONG);
    assert_false(app_gate_ask(gate, 0));
    assert_int_equal(app_gate_wait(gate, address_of(251), 0), 60);
    assert_int_equal(app_gate_by_code(gate, "x", address_of(251), 59, token), APP_GATE_LATER);
    assert_true(app_gate_ask(gate, 61));
    assert_int_equal(app_gate_by_code(gate, "x", address_of(251), 61, token), APP_GATE_NO);
    assert_int_equal(app_gate_by_code(gate, "x", address_of(252), 62, token), APP_GATE_LATER);
    /* An hour of guessing is looked at some sixty times. */
    looked = 0;
    for (unsigned i = 0; i < 36000; i++) {
        looked += app_gate_by_code(gate, "x", address_of((uint8_t)i), 100 + i / 10.0, token) ==
                  APP_GATE_NO;
    }
    assert_in_range(looked, 55, 61);
    app_gate_free(gate);
}

static void revoke(void **state)
{
    struct bench bench;
    char link[APP_GATE_TOKEN];
    char token[APP_GATE_TOKEN];
    (void)state;
    open_bench(&bench);
    struct app_gate *gate = bench.gate;
    (void)app_gate_by_link(gate, app_gate_link(gate), address_of(1), 0, token);
    (void)snprintf(link, sizeof link, "%s", app_gate_link(gate));
    (void)app_gate_ask(gate, 0);
    (void)app_gate_by_code(gate, "x", address_of(1), 0, token);
    const uint64_t holder = 1;
    assert_true(app_gate_holds(gate, holder, false, 0));
    app_gate_revoke(gate);
    assert_false(app_gate_holds(gate, holder, false, 0));
    assert_int_equal(app_gate_holder(gate, token, address_of(1), 0), 0);
    assert_int_equal(app_gate_count(gate, 0), 0);
    assert_null(app_gate_code(gate, 0));
    assert_int_equal(app_gate_wait(gate, address_of(1), 0), 0);
    assert_int_equal(app_gate_by_link(gate, link, address_of(1), 0, token), APP_GATE_NO);
    /* Numbers of holders do not come again. */
    assert_int_equal(app_gate_by_link(gate, app_gate_link(gate), address_of(1), 0, token),
                     APP_GATE_IN);
    assert_int_equal(app_gate_holder(gate, token, address_of(1), 0), 2);
    app_gate_free(gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),       cmocka_unit_test(link_works_once),
        cmocka_unit_test(tokens_hold),     cmocka_unit_test(oldest_token_makes_room),
        cmocka_unit_test(codes),           cmocka_unit_test(wrong_codes_wait),
        cmocka_unit_test(all_are_limited), cmocka_unit_test(revoke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
