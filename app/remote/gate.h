/* Who may use the page for the phone: links, pairing by a code, tokens. Plain data, without clock,
 * socket or source of chance of its own; nothing that comes from outside makes it read or write
 * outside its own.
 *
 * A link is a secret of 128 bits that froth prints for who sits at the machine. It works once; then
 * there is another one. A code is for devices elsewhere: six digits, shown to the operator while
 * one of them asks, for two minutes; with three wrong ones it is void. Either gives a token of 128
 * bits, of which the gate keeps a digest. A token holds for the address that got it, until nobody
 * has used it for a while, all are revoked, or sixteen newer ones have come.
 *
 * Guessing: who gave a wrong code waits one second, then two, four and so on up to
 * APP_GATE_PATIENCE; all together may be wrong APP_GATE_WRONG times, and once more for each minute
 * that passes. So who guesses day and night hits one code in some 700 days.
 *
 * All functions belong to one thread. `now`: seconds of a clock that does not go back. */
#ifndef APP_REMOTE_GATE_H
#define APP_REMOTE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APP_GATE_TOKEN = 33, /* bytes of a link or a token, 32 digits of hex, with the NUL */
    APP_GATE_CODE = 7,   /* of a code, with the NUL */
    APP_GATE_DIGEST = 32,
    APP_GATE_TOKENS = 16,
    APP_GATE_VALID = 120,   /* seconds that a code holds */
    APP_GATE_TRIES = 3,     /* wrong ones that make a code void */
    APP_GATE_WRONG = 20,    /* wrong ones of all, see above */
    APP_GATE_PATIENCE = 64, /* seconds */
    APP_GATE_SENDERS = 64,  /* addresses whose wrong codes are remembered */
};

/* Where somebody is: of IPv4 the address, of IPv6 its network (the first 64 bits), since machines
 * change the rest from day to day. All of this machine's own are one. */
struct app_gate_address {
    uint8_t bytes[8];
};

/* four: 4 bytes; six: 16 bytes, which may hold an address of IPv4 (::ffff:0:0/96). */
struct app_gate_address app_gate_address_four(const uint8_t *four);
struct app_gate_address app_gate_address_six(const uint8_t *six);

struct app_gate_setup {
    double idle; /* seconds without use after which a token has expired, > 0 */
    /* Fills in bytes that nobody can foresee. False: there are none now. */
    bool (*chance)(void *user, void *bytes, size_t size);
    /* A digest from which the bytes cannot be found again. False: it cannot be had. */
    bool (*digest)(void *user, const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST]);
    void *user;
};

struct app_gate_counts {
    uint64_t wrong;   /* links, codes and tokens that are none */
    uint64_t expired; /* tokens that were used too late */
    uint64_t strange; /* tokens from another address than the one they were given to */
    uint64_t hasty;   /* codes that came before their time, and were not looked at */
};

struct app_gate;

/* NULL without memory or chance. */
struct app_gate *app_gate_create(const struct app_gate_setup *setup);
void app_gate_free(struct app_gate *gate); /* NULL is fine */

/* The link that works now; changes with each use. Valid until the next call of another function. */
const char *app_gate_link(const struct app_gate *gate);

/* Somebody asks to be paired: there is a code from now on, the same as before while that holds.
 * False: no more codes for now, since too many were wrong, or there is no chance. */
bool app_gate_ask(struct app_gate *gate, double now);

/* The code that holds now; NULL: none. Valid until the next call of another function. */
const char *app_gate_code(const struct app_gate *gate, double now);

enum app_gate_answer {
    APP_GATE_IN,    /* the token is stored */
    APP_GATE_NO,    /* it is not right */
    APP_GATE_LATER, /* it was not looked at; too many were wrong, here or anywhere */
};

/* Lets in who has the link, or the code. token: for who comes from this address; empty if not IN.
 */
enum app_gate_answer app_gate_by_link(struct app_gate *gate, const char *link,
                                      struct app_gate_address from, double now,
                                      char token[APP_GATE_TOKEN]);
enum app_gate_answer app_gate_by_code(struct app_gate *gate, const char *code,
                                      struct app_gate_address from, double now,
                                      char token[APP_GATE_TOKEN]);

/* Seconds until a code from this address is looked at again, rounded up. */
unsigned app_gate_wait(const struct app_gate *gate, struct app_gate_address from, double now);

/* Who has this token: a number from 1 on that nobody else ever gets; 0: nobody, which is counted.
 * Takes the same time for every text of a token's length. The token is used by this. */
uint64_t app_gate_holder(struct app_gate *gate, const char *token, struct app_gate_address from,
                         double now);

/* Whether who was let in still is. used: he has just done something. */
bool app_gate_holds(struct app_gate *gate, uint64_t holder, bool used, double now);

/* How many tokens hold. */
size_t app_gate_count(const struct app_gate *gate, double now);

/* Revokes all tokens, the link and the code, and forgets who was wrong; there is another link. */
void app_gate_revoke(struct app_gate *gate);

struct app_gate_counts app_gate_counts(const struct app_gate *gate);

#endif
