#include "app/messages.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct app_messages {
    struct base_diag_sink on;
    pthread_mutex_t lock;
    uint64_t said;  /* all that ever came */
    uint64_t count; /* without those that only said the last one again */
    struct app_message kept[APP_MESSAGES_KEPT];
};

struct app_messages *app_messages_create(const struct base_diag_sink *on)
{
    struct app_messages *messages = calloc(1, sizeof *messages);
    if (messages != NULL) {
        messages->on = *on;
        (void)pthread_mutex_init(&messages->lock, NULL);
    }
    return messages;
}

void app_messages_free(struct app_messages *messages)
{
    if (messages != NULL) {
        (void)pthread_mutex_destroy(&messages->lock);
        free(messages);
    }
}

/* Short enough for a line: no folder, and of a note just what it says. */
static void shorten(struct app_message *message, const struct base_diag *diag)
{
    struct base_diag shorter = *diag;
    const char *file = diag->place.file;
    const char *slash = file == NULL ? NULL : strrchr(file, '/');
    shorter.place.file = slash == NULL ? file : slash + 1;
    message->severity = diag->severity;
    if (file == NULL || diag->severity == BASE_NOTE) {
        (void)snprintf(message->text, sizeof message->text, "%s%s%s", diag->what,
                       diag->hint[0] != '\0' ? "; " : "", diag->hint);
    } else {
        (void)base_diag_format(&shorter, message->text, sizeof message->text);
    }
}

/* The same but for their numbers. */
static bool alike(const char *a, const char *b)
{
    static const char digits[] = "0123456789.";
    while (*a != '\0' && *b != '\0') {
        const size_t number_a = strspn(a, digits);
        const size_t number_b = strspn(b, digits);
        if ((number_a > 0) != (number_b > 0) || (number_a == 0 && *a != *b)) {
            return false;
        }
        a += number_a > 0 ? number_a : 1;
        b += number_b > 0 ? number_b : 1;
    }
    return *a == *b;
}

/* What is said again at once stands there once; a note with other numbers takes the former's place.
 */
static void keep(struct app_messages *messages, const struct base_diag *diag)
{
    struct app_message *last =
        &messages->kept[(messages->count + APP_MESSAGES_KEPT - 1) % APP_MESSAGES_KEPT];
    struct app_message *next = &messages->kept[messages->count % APP_MESSAGES_KEPT];
    shorten(next, diag);
    messages->said++;
    if (messages->count == 0 || last->severity != next->severity) {
        messages->count++;
    } else if (next->severity == BASE_NOTE && alike(last->text, next->text)) {
        *last = *next;
    } else if (strcmp(last->text, next->text) != 0) {
        messages->count++;
    }
}

static void receive(void *user, const struct base_diag *diag)
{
    struct app_messages *messages = user;
    (void)pthread_mutex_lock(&messages->lock);
    if (diag->severity >= BASE_NOTE) {
        keep(messages, diag);
    }
    (void)pthread_mutex_unlock(&messages->lock);
    messages->on.receive(messages->on.user, diag);
}

struct base_diag_sink app_messages_sink(struct app_messages *messages)
{
    return (struct base_diag_sink){receive, messages};
}

size_t app_messages_newest(struct app_messages *messages, struct app_message *to, size_t most,
                           uint64_t *revision)
{
    (void)pthread_mutex_lock(&messages->lock);
    const size_t kept =
        messages->count < APP_MESSAGES_KEPT ? (size_t)messages->count : APP_MESSAGES_KEPT;
    const size_t count = kept < most ? kept : most;
    for (size_t i = 0; i < count; i++) {
        to[i] = messages->kept[(messages->count - 1 - i) % APP_MESSAGES_KEPT];
    }
    *revision = messages->said;
    (void)pthread_mutex_unlock(&messages->lock);
    return count;
}
