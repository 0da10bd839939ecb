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
    APP_OSC_CLIENTS = 32,       /* senders that are known at a time, by number from 0 */
    APP_OSC_SUBSCRIPTIONS = 64, /* of all clients */
    APP_OSC_LATER = 128,        /* messages that wait for their time */
    APP_OSC_ARGUMENTS = 8,      /* of a message; those behind are not looked at */
    APP_OSC_ADDRESS = 64,       /* bytes of an address, with its NUL */
    APP_OSC_SUBSCRIBED = 60,    /* seconds */
    APP_OSC_AHEAD = 600,        /* seconds that a message may wait */
    APP_OSC_RATE = 120,         /* answers a second, at most */
};

/* An argument. */
struct app_osc_value {
    char type;        /* i, f, s, T, F; any other type has no value */
    double number;    /* i, f; T 1, F 0 */
    const char *text; /* s: ends in NUL */
};

/* Sends an answer to a client. False: it could not be sent, and its subscriptions end. */
typedef bool app_osc_send(void *user, unsigned client, const char *address,
                          const struct app_osc_value *values, size_t count);

struct app_osc;

/* inlet outlives it. NULL without memory. */
struct app_osc *app_osc_create(struct app_inlet *inlet, app_osc_send *send, void *user);
void app_osc_free(struct app_osc *osc); /* NULL is fine */

/* A message that came at `now`, in seconds of any clock that does not go back, and is to be carried
 * out at `due`; what is over is at once. Whether it means something is told at once. streams: the
 * client is there for this one answer only, and cannot subscribe. */
void app_osc_hear(struct app_osc *osc, unsigned client, bool streams, const char *address,
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

/* 0..1 over four beats. */
double app_osc_bar(const struct app_seen *seen);

#endif
