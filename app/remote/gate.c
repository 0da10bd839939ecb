#include "app/remote/gate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECRET = 16, CODE_DIGITS = APP_GATE_CODE - 1, CODES = 1000000 };

static const double forgives = 60; /* seconds after which all may be wrong once more */

/* Somebody who was let in; 0 is nobody. */
struct holder {
    uint64_t number;
    struct app_gate_address from;
    uint8_t digest[APP_GATE_DIGEST];
    double used;
};

/* Somebody whose codes were wrong. */
struct sender {
    struct app_gate_address from;
    unsigned wrong; /* 0: free */
    double until;   /* codes are not looked at */
};

struct app_gate {
    struct app_gate_setup setup;
    char link[APP_GATE_TOKEN];
    char code[APP_GATE_CODE]; /* empty: none */
    double code_ends;
    unsigned code_wrong;
    double debt; /* wrong codes of all that are not forgiven yet, */
    double debt_at;
    uint64_t numbers; /* holders so far */
    struct holder holders[APP_GATE_TOKENS];
    struct sender senders[APP_GATE_SENDERS];
    struct app_gate_counts counts;
};

/* ---- addresses ---- */

struct app_gate_address app_gate_address_four(const uint8_t *four)
{
    enum { LOOPBACK = 127 };
    struct app_gate_address address = {{0, 0, 0, 4}};
    if (four[0] != LOOPBACK) {
        memcpy(address.bytes + 4, four, 4);
    }
    return address;
}

struct app_gate_address app_gate_address_six(const uint8_t *six)
{
    static const uint8_t of_four[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t own[16] = {[15] = 1};
    static const uint8_t own_four[4] = {127};
    struct app_gate_address address;
    if (memcmp(six, of_four, sizeof of_four) == 0) {
        return app_gate_address_four(six + sizeof of_four);
    }
    if (memcmp(six, own, sizeof own) == 0) {
        return app_gate_address_four(own_four);
    }
    memcpy(address.bytes, six, sizeof address.bytes);
    return address;
}

static bool is_same(struct app_gate_address a, struct app_gate_address b)
{
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

/* ---- secrets ---- */

/* In the same time whatever the bytes are. */
static bool is_equal(const void *a, const void *b, size_t size)
{
    const volatile uint8_t *left = a;
    const volatile uint8_t *right = b;
    unsigned differs = 0;
    for (size_t i = 0; i < size; i++) {
        differs |= (unsigned)(left[i] ^ right[i]);
    }
    return differs == 0;
}

static bool make_secret(struct app_gate *gate, char text[APP_GATE_TOKEN])
{
    uint8_t bytes[SECRET];
    text[0] = '\0';
    if (!gate->setup.chance(gate->setup.user, bytes, sizeof bytes)) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

/* Each code as likely as any other. */
static bool make_code(struct app_gate *gate)
{
    static const uint32_t fair = UINT32_MAX / CODES * CODES;
    uint32_t number = UINT32_MAX;
    for (int tries = 0; number >= fair; tries++) {
        enum { TRIES = 64 };
        if (tries == TRIES || !gate->setup.chance(gate->setup.user, &number, sizeof number)) {
            return false;
        }
    }
    (void)snprintf(gate->code, sizeof gate->code, "%0*u", CODE_DIGITS, (unsigned)(number % CODES));
    return true;
}

struct app_gate *app_gate_create(const struct app_gate_setup *setup)
{
    struct app_gate *gate = calloc(1, sizeof *gate);
    if (gate != NULL) {
        gate->setup = *setup;
        gate->debt_at = -INFINITY;
        if (!make_secret(gate, gate->link)) {
            free(gate);
            return NULL;
        }
    }
    return gate;
}

void app_gate_free(struct app_gate *gate)
{
    free(gate);
}

const char *app_gate_link(const struct app_gate *gate)
{
    return gate->link;
}

/* ---- wrong codes ---- */

static double debt_of(const struct app_gate *gate, double now)
{
    return fmax(gate->debt - (now - gate->debt_at) / forgives, 0);
}

static const struct sender *find_sender(const struct app_gate *gate, struct app_gate_address from)
{
    for (size_t i = 0; i < APP_GATE_SENDERS; i++) {
        if (gate->senders[i].wrong > 0 && is_same(gate->senders[i].from, from)) {
            return &gate->senders[i];
        }
    }
    return NULL;
}

/* Where there is no more room, the one who has waited for longest is forgotten. */
static void remember_wrong(struct app_gate *gate, struct app_gate_address from, double now)
{
    enum { DOUBLED = 6 /* 1 to APP_GATE_PATIENCE */ };
    size_t at = 0;
    for (size_t i = 0; i < APP_GATE_SENDERS; i++) {
        const struct sender *one = &gate->senders[i];
        const struct sender *best = &gate->senders[at];
        if (one->wrong > 0 && is_same(one->from, from)) {
            at = i;
            break;
        }
        if (best->wrong > 0 && (one->wrong == 0 || one->until < best->until)) {
            at = i;
        }
    }
    struct sender *sender = &gate->senders[at];
    if (sender->wrong == 0 || !is_same(sender->from, from)) {
        *sender = (struct sender){.from = from};
    }
    const unsigned times = sender->wrong < DOUBLED ? sender->wrong : DOUBLED;
    sender->wrong++;
    sender->until = now + (double)(1U << times);
    gate->debt = debt_of(gate, now) + 1;
    gate->debt_at = now;
    gate->counts.wrong++;
}

unsigned app_gate_wait(const struct app_gate *gate, struct app_gate_address from, double now)
{
    const struct sender *sender = find_sender(gate, from);
    const double own = sender != NULL ? sender->until - now : 0;
    const double debt = debt_of(gate, now);
    const double all = debt > APP_GATE_WRONG - 1 ? (debt - (APP_GATE_WRONG - 1)) * forgives : 0;
    return (unsigned)ceil(fmax(fmax(own, all), 0));
}

/* ---- codes ---- */

const char *app_gate_code(const struct app_gate *gate, double now)
{
    return gate->code[0] != '\0' && now < gate->code_ends ? gate->code : NULL;
}

bool app_gate_ask(struct app_gate *gate, double now)
{
    if (app_gate_code(gate, now) != NULL) {
        return true;
    }
    gate->code[0] = '\0';
    if (debt_of(gate, now) > APP_GATE_WRONG - 1 || !make_code(gate)) {
        gate->code[0] = '\0';
        return false;
    }
    gate->code_ends = now + APP_GATE_VALID;
    gate->code_wrong = 0;
    return true;
}

/* ---- tokens ---- */

static bool holds(const struct app_gate *gate, const struct holder *holder, double now)
{
    return holder->number != 0 && now - holder->used < gate->setup.idle;
}

/* The one that was not used for longest makes room. */
static enum app_gate_answer let_in(struct app_gate *gate, struct app_gate_address from, double now,
                                   char token[APP_GATE_TOKEN])
{
    struct holder *to = &gate->holders[0];
    for (size_t i = 1; i < APP_GATE_TOKENS; i++) {
        struct holder *one = &gate->holders[i];
        if (to->number != 0 && (one->number == 0 || one->used < to->used)) {
            to = one;
        }
    }
    struct holder holder = {.number = gate->numbers + 1, .from = from, .used = now};
    if (!make_secret(gate, token) ||
        !gate->setup.digest(gate->setup.user, token, APP_GATE_TOKEN - 1, holder.digest)) {
        token[0] = '\0';
        return APP_GATE_LATER;
    }
    *to = holder;
    gate->numbers++;
    return APP_GATE_IN;
}

enum app_gate_answer app_gate_by_link(struct app_gate *gate, const char *link,
                                      struct app_gate_address from, double now,
                                      char token[APP_GATE_TOKEN])
{
    char next[APP_GATE_TOKEN];
    token[0] = '\0';
    if (strlen(link) != APP_GATE_TOKEN - 1 || !is_equal(link, gate->link, APP_GATE_TOKEN - 1)) {
        gate->counts.wrong++;
        return APP_GATE_NO;
    }
    /* The link stays where the next one cannot be made. */
    if (!make_secret(gate, next)) {
        return APP_GATE_LATER;
    }
    const enum app_gate_answer answer = let_in(gate, from, now, token);
    if (answer == APP_GATE_IN) {
        memcpy(gate->link, next, sizeof next);
    }
    return answer;
}

enum app_gate_answer app_gate_by_code(struct app_gate *gate, const char *code,
                                      struct app_gate_address from, double now,
                                      char token[APP_GATE_TOKEN])
{
    token[0] = '\0';
    if (app_gate_wait(gate, from, now) > 0) {
        gate->counts.hasty++;
        return APP_GATE_LATER;
    }
    const char *right = app_gate_code(gate, now);
    if (right == NULL || strlen(code) != CODE_DIGITS || !is_equal(code, right, CODE_DIGITS)) {
        remember_wrong(gate, from, now);
        gate->code_wrong++;
        if (gate->code_wrong >= APP_GATE_TRIES) {
            gate->code[0] = '\0';
        }
        return APP_GATE_NO;
    }
    const enum app_gate_answer answer = let_in(gate, from, now, token);
    if (answer == APP_GATE_IN) {
        gate->code[0] = '\0';
    }
    return answer;
}

uint64_t app_gate_holder(struct app_gate *gate, const char *token, struct app_gate_address from,
                         double now)
{
    uint8_t digest[APP_GATE_DIGEST];
    struct holder *found = NULL;
    const bool whole = strlen(token) == APP_GATE_TOKEN - 1 &&
                       gate->setup.digest(gate->setup.user, token, APP_GATE_TOKEN - 1, digest);
    for (size_t i = 0; whole && i < APP_GATE_TOKENS; i++) {
        struct holder *one = &gate->holders[i];
        const bool equal = is_equal(one->digest, digest, sizeof digest);
        found = one->number != 0 && equal ? one : found;
    }
    if (found == NULL) {
        gate->counts.wrong++;
        return 0;
    }
    if (!holds(gate, found, now)) {
        gate->counts.expired++;
        *found = (struct holder){0};
        return 0;
    }
    if (!is_same(found->from, from)) {
        gate->counts.strange++;
        return 0;
    }
    found->used = now;
    return found->number;
}

bool app_gate_holds(struct app_gate *gate, uint64_t holder, bool used, double now)
{
    for (size_t i = 0; i < APP_GATE_TOKENS; i++) {
        struct holder *one = &gate->holders[i];
        if (one->number == holder && holds(gate, one, now)) {
            one->used = used ? now : one->used;
            return true;
        }
    }
    return false;
}

size_t app_gate_count(const struct app_gate *gate, double now)
{
    size_t count = 0;
    for (size_t i = 0; i < APP_GATE_TOKENS; i++) {
        count += holds(gate, &gate->holders[i], now);
    }
    return count;
}

void app_gate_revoke(struct app_gate *gate)
{
    memset(gate->holders, 0, sizeof gate->holders);
    memset(gate->senders, 0, sizeof gate->senders);
    gate->debt = 0;
    gate->code[0] = '\0';
    (void)make_secret(gate, gate->link);
}

struct app_gate_counts app_gate_counts(const struct app_gate *gate)
{
    return gate->counts;
}
