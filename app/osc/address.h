/* What messages of Open Sound Control mean to a show: their addresses, arguments and answers, as
 * plain data; who sends and receives them stands elsewhere (osc.c). It has no clock and no socket,
 * and nothing that a message holds makes it read or write outside its own.
 *
 * The addresses stand in messages.def; every command of the window is one below /cmd/, and every
 * value of the door below /value/. What is not understood is refused at the inlet, and answered
 * with /error, once a second and client at most.
 *
 * All functions belong to one thread. */
#ifndef APP_OSC_ADDRESS_H
#define APP_OSC_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/control/control.h"

enum {
    APP_OSC_CLIENTS = 48,       /* senders that are known at a time, by number from 0 */
    APP_OSC_SUBSCRIPTIONS = 64, /* of all clients */
    APP_OSC_LATER = 128,        /* messages that wait for their time */
    APP_OSC_ARGUMENTS = 8,      /* of a message; those behind are not looked at */
    APP_OSC_ADDRESS = 64,       /* bytes of an address, with its NUL */
    APP_OSC_SUBSCRIBED = 60,    /* seconds */
    APP_OSC_AHEAD = 600,        /* seconds that a message may wait */
    APP_OSC_RATE = 120,         /* answers a second, at most */
    APP_OSC_FITS = 64,          /* addresses that a pattern may fit */
    APP_OSC_PATTERNS = 500,     /* that are taken in a second */
    APP_OSC_SAID = 10,          /* texts for the operator that are taken in a second */
};

/* An argument. */
struct app_osc_value {
    char type;        /* i, f, s, T, F, m; any other type has no value */
    double number;    /* i, f; T 1, F 0; m: three bytes of MIDI, the first one highest */
    const char *text; /* s: ends in NUL */
};

/* What goes out. */
struct app_osc_out {
    void *user;
    /* An answer to a client. False: it could not be sent, and its subscriptions end. */
    bool (*send)(void *user, unsigned client, const char *address,
                 const struct app_osc_value *values, size_t count);
    /* A text for the operator to read; of at most ENGINE_CALL_TEXT bytes, with any letters. */
    void (*say)(void *user, const char *text);
};

struct app_osc;

/* inlet outlives it. NULL without memory. */
struct app_osc *app_osc_create(struct app_inlet *inlet, const struct app_osc_out *out);
void app_osc_free(struct app_osc *osc); /* NULL is fine */

/* A message that came at `now`, in seconds of any clock that does not go back, and is to be carried
 * out at `due`; what is over is at once. Whether it means something is told at once. An address may
 * be a pattern (pattern.h), and is then each address that it fits. */
void app_osc_hear(struct app_osc *osc, unsigned client, const char *address,
                  const struct app_osc_value *values, size_t count, double now, double due);

/* What is due at `now`: messages that waited, and answers to subscriptions. Some two hundred times
 * a second. */
void app_osc_tick(struct app_osc *osc, double now);

/* Whether anything will be due. */
bool app_osc_waits(const struct app_osc *osc);

/* Another sender has this number from now on. */
void app_osc_forget(struct app_osc *osc, unsigned client);

/* Whether the client has subscriptions. */
bool app_osc_subscribes(const struct app_osc *osc, unsigned client);

/* All addresses as tables of Markdown. */
void app_osc_print(FILE *out);

#endif
