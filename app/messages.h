/* The last messages, for the operator to read; they also go on to another sink. Any thread but
 * those that paint or hear. */
#ifndef APP_MESSAGES_H
#define APP_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum { APP_MESSAGES_KEPT = 64, APP_MESSAGE_SIZE = 512 };

struct app_message {
    enum base_severity severity;
    char text[APP_MESSAGE_SIZE]; /* of files the folder is left out */
};

struct app_messages;

/* on: outlives it. NULL without memory. */
struct app_messages *app_messages_create(const struct base_diag_sink *on);
void app_messages_free(struct app_messages *messages); /* NULL is fine */

struct base_diag_sink app_messages_sink(struct app_messages *messages);

/* Copies the newest ones, the newest first; returns how many, at most `most`. *revision rises with
 * each message. */
size_t app_messages_newest(struct app_messages *messages, struct app_message *to, size_t most,
                           uint64_t *revision);

#endif
