/* What comes to the page for the phone. 'l': lines of its socket; they end within their bounds, and
 * nothing is called or set that a phone may not. 'r': requests, each a byte of flags and eight
 * texts that end with a line; whatever they say, who does not know the secret gets nothing but what
 * is for all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/remote/client.h"
#include "app/remote/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- lines ---- */

static void obey(void *user, enum app_source source, const struct engine_call *call)
{
    (void)user;
    (void)source;
    if (app_remote_refuses(call->command) != NULL || !isfinite(call->number) ||
        memchr(call->text, '\0', sizeof call->text) == NULL ||
        (call->command == UI_COMMAND_LOAD && strchr(call->text, '/') != NULL)) {
        abort();
    }
}

static void set(void *user, unsigned value, double number)
{
    (void)user;
    if (!app_remote_sets(value) || !isfinite(number)) {
        abort();
    }
}

static bool ready(void *user)
{
    (void)user;
    return true;
}

/* An object, whole and without control characters. */
static void tell(struct app_remote_client *client, const struct app_remote_show *show, double now)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return;
    }
    const bool waits = app_remote_client_waits(client, show, now);
    app_remote_client_tell(client, show, out, now);
    (void)fclose(out);
    if (text != NULL &&
        (waits != (size > 0) || (size > 0 && (text[0] != '{' || text[size - 1] != '}')))) {
        abort();
    }
    for (size_t i = 0; text != NULL && i < size; i++) {
        if ((unsigned char)text[i] < ' ') {
            abort();
        }
    }
    free(text);
}

static void hear_lines(const uint8_t *data, size_t size)
{
    static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {NULL};
    static const struct app_seen seen = {.frame = 1, .name = "preset"};
    const struct app_taker taker = {NULL, obey, set, ready};
    struct app_options options;
    struct app_remote_client client;
    app_options_default(&options);
    struct app_door *door = app_door_open(ways, &options, NULL);
    if (door == NULL) {
        return;
    }
    struct app_remote_show show = {.inlet = app_door_inlet(door, APP_SOURCE_REMOTE)};
    double now = 0;
    app_remote_client_begin(&client, now);
    app_door_show(door, &seen);
    (void)app_remote_show_look(&show, now);
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - data) : size;
        char *line = malloc(length + 1); /* of its own, so that a read behind its end is seen */
        if (line == NULL) {
            break;
        }
        memcpy(line, data, length);
        app_remote_client_hear(&client, &show, (struct base_span){line, length}, now);
        free(line);
        app_door_take(door, true, &taker);
        tell(&client, &show, now);
        now += 0.02;
        data += length;
        size -= length;
        data += end != NULL;
        size -= end != NULL;
    }
    app_door_close(door);
}

/* ---- requests ---- */

enum { GET = 1, POST = 2, LIVE = 4, OPEN = 8, OWN = 16, KNOWN = 32 };

static bool get_chance(void *user, void *bytes, size_t size)
{
    uint8_t *next = user;
    memset(bytes, 0xa0 + (*next)++ % 16, size);
    return true;
}

static bool get_digest(void *user, const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST])
{
    (void)user;
    memset(digest, 0, APP_GATE_DIGEST);
    memcpy(digest, bytes, size < APP_GATE_DIGEST ? size : APP_GATE_DIGEST);
    return true;
}

/* The next text of the data, cut to its room. */
static void take_text(const uint8_t **data, size_t *size, char *text, size_t room)
{
    const uint8_t *end = memchr(*data, '\n', *size);
    const size_t length = end != NULL ? (size_t)(end - *data) : *size;
    const size_t kept = length < room - 1 ? length : room - 1;
    memset(text, 0, room);
    memcpy(text, *data, kept);
    *data += length + (end != NULL);
    *size -= length + (end != NULL);
}

static void check(const struct app_remote_request *request, const struct app_remote_place *place,
                  const struct app_remote_verdict *verdict, bool known)
{
    const bool shows_closed = verdict->does == APP_REMOTE_SHOW && !verdict->page.open;
    const bool needs = shows_closed || verdict->does == APP_REMOTE_THUMB ||
                       verdict->does == APP_REMOTE_LIVE || verdict->holder != 0;
    if (needs && !known) {
        abort();
    }
    if (verdict->does == APP_REMOTE_SHOW && !known && !place->open) {
        abort();
    }
    if ((verdict->does == APP_REMOTE_LIVE || verdict->does == APP_REMOTE_FORM_OF_PAIR) &&
        (strlen(request->origin) != strlen(request->host) + 7 ||
         strcasecmp(request->origin + 7, request->host) != 0)) {
        abort();
    }
    if (verdict->does == APP_REMOTE_SAY && (verdict->status < 400 || verdict->text[0] == '\0')) {
        abort();
    }
}

static void hear_requests(const uint8_t *data, size_t size)
{
    static const uint8_t four[4] = {127, 0, 0, 1};
    uint8_t next = 0;
    char token[APP_GATE_TOKEN];
    char other[APP_GATE_TOKEN];
    char code[APP_GATE_CODE];
    char form[APP_REMOTE_FORM];
    const struct app_gate_setup setup = {1000, get_chance, get_digest, &next};
    struct app_gate *gate = app_gate_create(&setup);
    if (gate == NULL) {
        return;
    }
    struct app_remote_place place = {.address = "127.0.0.1", .name = "stage", .port = 80};
    place.from = app_gate_address_four(four);
    (void)app_gate_by_link(gate, app_gate_link(gate), place.from, 0, token);
    for (double now = 0; size > 0; now += 1) {
        struct app_remote_request request = {.get = false};
        struct app_remote_verdict verdict;
        const uint8_t flags = *data++;
        size--;
        request.get = (flags & GET) != 0;
        request.post = (flags & POST) != 0;
        request.live = (flags & LIVE) != 0;
        place.open = (flags & OPEN) != 0;
        place.own = (flags & OWN) != 0;
        take_text(&data, &size, request.path, sizeof request.path);
        take_text(&data, &size, request.link, sizeof request.link);
        take_text(&data, &size, request.size, sizeof request.size);
        take_text(&data, &size, request.host, sizeof request.host);
        take_text(&data, &size, request.origin, sizeof request.origin);
        take_text(&data, &size, request.protocol, sizeof request.protocol);
        take_text(&data, &size, request.cookies, sizeof request.cookies);
        take_text(&data, &size, form, sizeof form);
        if ((flags & KNOWN) != 0) {
            (void)snprintf(request.cookies, sizeof request.cookies, "froth=%s", token);
        }
        const bool known = strstr(request.cookies, token) != NULL;
        app_remote_judge(&request, &place, gate, now, &verdict);
        check(&request, &place, &verdict, known);
        if (app_remote_form(form, strlen(form), code) &&
            app_gate_by_code(gate, code, place.from, now, other) == APP_GATE_IN) {
            abort(); /* there is none */
        }
    }
    app_gate_free(gate);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 'l') {
        hear_lines(data + 1, size - 1);
    } else if (size > 0 && data[0] == 'r') {
        hear_requests(data + 1, size - 1);
    }
    return 0;
}
