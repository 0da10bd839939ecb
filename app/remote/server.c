/* The server of the page for the phone: sockets, requests, the live socket. This file alone knows
 * libwebsockets; built without it, froth has no such page. */
#include "app/remote/remote.h"

#ifdef FROTH_WEBSOCKETS

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/io/picture_format.h"
#include "app/remote/client.h"
#include "app/remote/digest.h"
#include "app/remote/gate.h"
#include "app/remote/network.h"
#include "app/remote/request.h"
#include "base/os/thread.h"
#include "late/websockets.h"

enum {
    PORT_USUAL = 8787,
    ACCEPTS = 16,     /* connections that are taken at once */
    CLIENTS = 8,      /* live sockets */
    CONNECTIONS = 64, /* beyond these, of those who are not known the oldest one ends */
    SLOTS = 96,
    EACH = 32, /* connections of one address elsewhere */
    HEADERS = 4096,
    ANSWER = 2048,       /* bytes of an answer's headers */
    SEND_BUFFER = 65536, /* of the system, so that what is sent is not old */
    BUSY_MS = 25,        /* between two looks at the show, */
    IDLE_MS = 200,       /* and where nobody is there */
    NICE = 5,
    IDLE_HOURS = 12,
    HOUR = 3600,
    TOO_LARGE = 1009, /* codes with which a socket is closed: RFC 6455, */
    NO_TEXT = 1003,
    ENDED = 4001, /* and the page's own */
    TOO_MANY = 4002,
};

static const double patience = 10;  /* seconds until a request is whole, and its answer taken */
static const double slow_after = 5; /* seconds that a live socket may take nothing */

/* A connection; free where there is no wsi. */
struct connection {
    struct lws *wsi;
    struct app_remote_place place;
    double since;
    double due; /* when it is cut off, unless it is live */
    bool known; /* its last request came with a token */
    bool ends;
    uint64_t holder;
    bool posts;
    char form[APP_REMOTE_FORM];
    size_t form_size;
    char *body; /* of the answer, with LWS_PRE bytes in front */
    size_t body_size;
    bool live;
    unsigned close_code; /* 0: none */
    struct app_remote_client *client;
    char line[APP_REMOTE_LINE];
    size_t line_size;
    bool held;       /* what it sends waits */
    double asked_at; /* since when it takes nothing that waits; 0: it does */
};

struct app_remote {
    struct base_diag_sink sink;
    struct base_diag_sink terminal;
    struct app_remote_show show;
    struct app_gate *gate;
    bool open;
    unsigned port;
    char name[64]; /* the machine's */
    struct lws_context *context;
    struct lws_vhost *host;
    int listeners[APP_REMOTE_LISTENERS];
    size_t listener_count;
    lws_sorted_usec_list_t timer;
    struct connection connections[SLOTS];
    struct app_remote_client clients[CLIENTS];
    bool taken[CLIENTS];
    char link[APP_GATE_TOKEN]; /* as it was told last */
    char code[APP_GATE_CODE];  /* as it was told last */
    size_t paired;             /* as it was told last */
    bool told;                 /* where the page is */
    bool has_thread;
    pthread_t thread;
    atomic_bool ends;
    atomic_uint unpairs; /* asked for, */
    unsigned unpaired;   /* and done */
};

/* ---- what the operator is told ---- */

static void write_address(const struct app_remote *remote, char *text, size_t size)
{
    char address[32] = "127.0.0.1";
    if (remote->open && !app_remote_find_address(address, sizeof address)) {
        (void)snprintf(address, sizeof address, "127.0.0.1");
    }
    (void)snprintf(text, size, "http://%s:%u/", address, remote->port);
}

/* Tells of links, codes and who is paired, where that has changed. */
static void tell_operator(struct app_remote *remote, double now)
{
    static const struct base_place nowhere = {0};
    char address[64];
    char text[APP_INLET_STATUS];
    const char *link = remote->open ? "" : app_gate_link(remote->gate);
    const char *code = app_gate_code(remote->gate, now);
    const size_t paired = app_gate_count(remote->gate, now);
    code = code != NULL ? code : "";
    const bool other_link = strcmp(link, remote->link) != 0;
    const bool other_code = strcmp(code, remote->code) != 0;
    if (remote->told && !other_link && !other_code && paired == remote->paired) {
        return;
    }
    write_address(remote, address, sizeof address);
    if (remote->open && !remote->told) {
        base_report(&remote->sink, BASE_NOTE, nowhere, "a device that opens it is asked for a code",
                    "the page for the phone: %s", address);
    }
    remote->told = true;
    if (other_link) {
        base_report(&remote->terminal, BASE_NOTE, nowhere, "it works once", "%s: %s?token=%s",
                    remote->link[0] == '\0' ? "the page for the phone" : "another link to the page",
                    address, link);
    }
    if (other_code && code[0] != '\0') {
        base_report(&remote->sink, BASE_NOTE, nowhere,
                    "its code stands in the terminal, and in the tab Control of a window of yours",
                    "a device asks to be paired");
        base_report(&remote->terminal, BASE_NOTE, nowhere, "it holds for two minutes",
                    "the code for it: %s", code);
    }
    (void)snprintf(text, sizeof text, "%s; paired: %zu", address, paired);
    app_inlet_say(remote->show.inlet, text);
    (void)snprintf(text, sizeof text, "%s%s",
                   link[0] != '\0'   ? "; ?token="
                   : code[0] != '\0' ? "; code "
                                     : "",
                   link[0] != '\0' ? link : code);
    app_inlet_whisper(remote->show.inlet, text);
    (void)snprintf(remote->link, sizeof remote->link, "%s", link);
    (void)snprintf(remote->code, sizeof remote->code, "%s", code);
    remote->paired = paired;
}

/* ---- connections ---- */

static void refuse(const struct app_remote *remote)
{
    app_inlet_refuse(remote->show.inlet);
}

/* Closes it soon. */
static void cut_off(struct connection *connection)
{
    connection->ends = true;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

/* A free slot for who comes from there; NULL: there is none. Of those who are not known the oldest
 * one makes room. */
static struct connection *make_room(struct app_remote *remote, struct app_gate_address from,
                                    bool own)
{
    struct connection *room = NULL;
    struct connection *oldest = NULL;
    size_t count = 0;
    size_t same = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        struct connection *one = &remote->connections[i];
        if (one->wsi == NULL) {
            room = one;
            continue;
        }
        count += !one->ends;
        same += memcmp(&one->place.from, &from, sizeof from) == 0;
        if (!one->known && !one->ends && (oldest == NULL || one->since < oldest->since)) {
            oldest = one;
        }
    }
    if (!own && same >= EACH) {
        return NULL;
    }
    if (count >= CONNECTIONS) {
        if (oldest == NULL) {
            return NULL;
        }
        refuse(remote);
        cut_off(oldest);
    }
    return room;
}

static void take_connection(struct app_remote *remote, int socket, double now)
{
    struct app_remote_place place = {.port = remote->port, .open = remote->open};
    const int buffer = SEND_BUFFER;
    (void)snprintf(place.name, sizeof place.name, "%s", remote->name);
    struct connection *connection =
        app_remote_find_place(socket, &place) ? make_room(remote, place.from, place.own) : NULL;
    if (connection == NULL) {
        refuse(remote);
        (void)close(socket);
        return;
    }
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    *connection = (struct connection){.place = place, .since = now, .due = now + patience};
    const lws_adopt_desc_t adopt = {.vh = remote->host,
                                    .type = LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET,
                                    .fd = {.sockfd = socket},
                                    .opaque = connection};
    connection->wsi = lws_adopt_descriptor_vhost_via_info(&adopt);
}

static void take_connections(struct app_remote *remote, int listener)
{
    const double now = base_clock_seconds();
    for (int i = 0; i < ACCEPTS; i++) {
        const int socket = app_remote_accept(listener);
        if (socket < 0) {
            return;
        }
        take_connection(remote, socket, now);
    }
}

static void free_connection(struct app_remote *remote, struct connection *connection)
{
    if (connection->client != NULL) {
        remote->taken[connection->client - remote->clients] = false;
    }
    free(connection->body);
    *connection = (struct connection){0};
}

/* ---- answers ---- */

static const struct {
    const char *name;
    const char *value;
} always[] = {
    {"cache-control:", "no-store"},
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
};

static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                       unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at,
                                       end) == 0;
}

/* One more header of an answer; none where the name is NULL. */
struct header {
    const char *name;
    const char *value;
};

/* Sends the headers of an answer, and its body when that can be sent; takes it over (malloc'ed,
 * with LWS_PRE bytes in front; NULL: there was no memory). What the callback returns. */
static int answer(struct connection *connection, unsigned status, const char *type, char *body,
                  size_t size, struct header more)
{
    struct lws *wsi = connection->wsi;
    unsigned char headers[LWS_PRE + ANSWER];
    unsigned char *at = headers + LWS_PRE;
    unsigned char *const end = headers + sizeof headers - 1;
    char policy[512];
    const struct app_remote_place *place = &connection->place;
    char host[APP_REMOTE_HOST];
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0) {
        (void)snprintf(host, sizeof host, "%s:%u", place->address, place->port);
    }
    (void)snprintf(policy, sizeof policy,
                   "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                   "connect-src 'self' ws://%s; base-uri 'none'; form-action 'self'; "
                   "frame-ancestors 'none'",
                   status == HTTP_STATUS_OK ? host : "localhost");
    free(connection->body);
    connection->body = body;
    connection->body_size = size;
    bool whole =
        body != NULL && lws_add_http_common_headers(wsi, status, type, size, &at, end) == 0;
    for (size_t i = 0; whole && i < sizeof always / sizeof *always; i++) {
        whole = add_header(wsi, always[i].name, always[i].value, &at, end);
    }
    whole = whole && add_header(wsi, "content-security-policy:", policy, &at, end) &&
            (more.name == NULL || add_header(wsi, more.name, more.value, &at, end)) &&
            lws_finalize_write_http_header(wsi, headers + LWS_PRE, &at, end) == 0;
    if (whole) {
        lws_callback_on_writable(wsi);
    }
    return whole ? 0 : -1;
}

static int answer_text(struct connection *connection, unsigned status, const char *type,
                       const char *text, struct header more)
{
    const size_t size = strlen(text);
    char *body = malloc(LWS_PRE + size + 1);
    if (body != NULL) {
        memcpy(body + LWS_PRE, text, size + 1);
    }
    return answer(connection, status, type, body, size, more);
}

static int answer_plainly(struct connection *connection, unsigned status, const char *text,
                          struct header more)
{
    char line[160];
    (void)snprintf(line, sizeof line, "%s\n", text);
    return answer_text(connection, status, "text/plain; charset=utf-8", line, more);
}

static const struct header nothing = {NULL, NULL};

/* Half as wide and half as high: means of four pixels. */
static void halve(uint32_t *pixels)
{
    for (size_t y = 0; y < APP_THUMBNAIL_HEIGHT / 2; y++) {
        for (size_t x = 0; x < APP_THUMBNAIL_WIDTH / 2; x++) {
            const uint32_t *from = pixels + 2 * y * APP_THUMBNAIL_WIDTH + 2 * x;
            uint32_t mean = 0;
            for (unsigned shift = 0; shift < 24; shift += 8) {
                const uint32_t sum = (from[0] >> shift & 255) + (from[1] >> shift & 255) +
                                     (from[APP_THUMBNAIL_WIDTH] >> shift & 255) +
                                     (from[APP_THUMBNAIL_WIDTH + 1] >> shift & 255);
                mean |= (sum + 2) / 4 << shift;
            }
            pixels[y * (APP_THUMBNAIL_WIDTH / 2) + x] = mean;
        }
    }
}

static int answer_thumb(struct app_remote *remote, struct connection *connection,
                        const struct app_remote_verdict *verdict)
{
    uint32_t pixels[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    unsigned char row[3 * APP_THUMBNAIL_WIDTH];
    unsigned char pad[LWS_PRE] = {0};
    char why[160];
    char *body = NULL;
    size_t size = 0;
    if (!app_library_thumbnail(remote->show.library, verdict->preset, pixels)) {
        return answer_plainly(connection, HTTP_STATUS_NOT_FOUND, "there is no picture of it yet",
                              nothing);
    }
    const int halves = verdict->small ? 2 : 1;
    if (verdict->small) {
        halve(pixels);
    }
    FILE *out = open_memstream(&body, &size);
    bool written = out != NULL && fwrite(pad, sizeof pad, 1, out) == 1 &&
                   app_picture_write_png(out, pixels, APP_THUMBNAIL_WIDTH / halves,
                                         APP_THUMBNAIL_HEIGHT / halves, row, why);
    written = out != NULL && fclose(out) == 0 && written;
    if (!written) {
        free(body);
        body = NULL;
    }
    return answer(connection, HTTP_STATUS_OK, "image/png", body, written ? size - LWS_PRE : 0,
                  nothing);
}

/* The token goes with a page that goes on by itself: where somebody comes by a link of another
 * page, the browser keeps back the cookie from what it is redirected to. */
static int let_in(struct connection *connection, const char *token)
{
    static const char page[] =
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">"
        "<meta name=\"color-scheme\" content=\"dark\">"
        "<meta http-equiv=\"refresh\" content=\"0;url=/\"><title>froth</title>"
        "<a href=\"/\">froth</a></html>\n";
    char cookie[160];
    (void)snprintf(cookie, sizeof cookie, "froth=%s; Path=/; HttpOnly; SameSite=Strict", token);
    return answer_text(connection, HTTP_STATUS_OK, "text/html; charset=utf-8", page,
                       (struct header){"set-cookie:", cookie});
}

/* ---- requests ---- */

/* A header; false if it is longer than it may be. */
static bool copy_header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size)
{
    text[0] = '\0';
    return lws_hdr_total_length(wsi, token) == 0 ||
           (lws_hdr_copy(wsi, text, (int)size, token) >= 0 && strlen(text) < size);
}

/* Its argument of this name; empty if there is none. */
static void copy_argument(struct lws *wsi, const char *name, char *text, size_t size)
{
    char buffer[APP_REMOTE_PATH];
    const char *value = lws_get_urlarg_by_name(wsi, name, buffer, sizeof buffer);
    (void)snprintf(text, size, "%s", value != NULL ? value : "");
}

static bool read_request(struct lws *wsi, bool live, struct app_remote_request *request)
{
    *request = (struct app_remote_request){
        .get = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0,
        .post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0,
        .live = live,
    };
    copy_argument(wsi, "token=", request->link, sizeof request->link);
    copy_argument(wsi, "size=", request->size, sizeof request->size);
    return copy_header(wsi, request->post ? WSI_TOKEN_POST_URI : WSI_TOKEN_GET_URI, request->path,
                       sizeof request->path) &&
           copy_header(wsi, WSI_TOKEN_HOST, request->host, sizeof request->host) &&
           copy_header(wsi, WSI_TOKEN_ORIGIN, request->origin, sizeof request->origin) &&
           copy_header(wsi, WSI_TOKEN_PROTOCOL, request->protocol, sizeof request->protocol) &&
           copy_header(wsi, WSI_TOKEN_HTTP_COOKIE, request->cookies, sizeof request->cookies);
}

static void judge(struct app_remote *remote, struct connection *connection, bool live,
                  struct app_remote_verdict *verdict)
{
    struct app_remote_request request;
    if (read_request(connection->wsi, live, &request)) {
        app_remote_judge(&request, &connection->place, remote->gate, base_clock_seconds(), verdict);
    } else {
        *verdict = (struct app_remote_verdict){
            .does = APP_REMOTE_SAY, .status = 431, .text = "a header is too long", .refused = true};
    }
    connection->holder = verdict->holder;
    connection->known = verdict->holder != 0;
    if (verdict->refused) {
        refuse(remote);
    }
}

/* How much is posted; -1: that is not said, or is too much. */
static int posted(struct lws *wsi)
{
    char text[16];
    if (lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0 ||
        text[strspn(text, "0123456789")] != '\0') {
        return -1;
    }
    const long size = strtol(text, NULL, 10);
    return size > 0 && size <= APP_REMOTE_FORM ? (int)size : -1;
}

static int hear_request(struct app_remote *remote, struct connection *connection)
{
    struct app_remote_verdict verdict;
    connection->due = base_clock_seconds() + patience;
    judge(remote, connection, false, &verdict);
    switch (verdict.does) {
    case APP_REMOTE_SHOW:
        if (verdict.page.open && strcmp(verdict.page.path, "/page/pair.html") == 0) {
            (void)app_gate_ask(remote->gate, base_clock_seconds());
            tell_operator(remote, base_clock_seconds());
            return answer_text(connection, HTTP_STATUS_OK, verdict.page.type, verdict.page.text,
                               (struct header){"x-froth-page:", "pair"});
        }
        return answer_text(connection, HTTP_STATUS_OK, verdict.page.type, verdict.page.text,
                           nothing);
    case APP_REMOTE_THUMB:
        return answer_thumb(remote, connection, &verdict);
    case APP_REMOTE_ENTER:
        tell_operator(remote, base_clock_seconds());
        return let_in(connection, verdict.token);
    case APP_REMOTE_FORM_OF_PAIR:
        if (posted(connection->wsi) < 0) {
            refuse(remote);
            (void)answer_plainly(connection, 413, "it takes a code", nothing);
            return -1;
        }
        connection->posts = true;
        connection->form_size = 0;
        return 0;
    default:
        return answer_plainly(connection, verdict.status, verdict.text, nothing);
    }
}

static int hear_form(struct connection *connection, const void *bytes, size_t size)
{
    if (!connection->posts || size > sizeof connection->form - connection->form_size) {
        return -1;
    }
    memcpy(connection->form + connection->form_size, bytes, size);
    connection->form_size += size;
    return 0;
}

static int obey_form(struct app_remote *remote, struct connection *connection)
{
    const double now = base_clock_seconds();
    char code[APP_GATE_CODE];
    char token[APP_GATE_TOKEN];
    char wait[16];
    if (!connection->posts) {
        return -1;
    }
    connection->posts = false;
    if (!app_remote_form(connection->form, connection->form_size, code)) {
        refuse(remote);
        return answer_plainly(connection, HTTP_STATUS_BAD_REQUEST, "it takes a code of six digits",
                              nothing);
    }
    const bool there_is = app_gate_code(remote->gate, now) != NULL;
    const enum app_gate_answer said =
        app_gate_by_code(remote->gate, code, connection->place.from, now, token);
    tell_operator(remote, now);
    if (said == APP_GATE_IN) {
        return let_in(connection, token);
    }
    refuse(remote);
    if (said == APP_GATE_LATER) {
        (void)snprintf(wait, sizeof wait, "%u",
                       app_gate_wait(remote->gate, connection->place.from, now));
        return answer_plainly(connection, 429, "too many wrong codes; wait a moment",
                              (struct header){"retry-after:", wait});
    }
    return answer_plainly(connection, there_is ? HTTP_STATUS_FORBIDDEN : 410,
                          there_is ? "this is not the code" : "there is no code now", nothing);
}

static int send_body(struct connection *connection)
{
    struct lws *wsi = connection->wsi;
    char *body = connection->body;
    if (body == NULL) {
        return 0;
    }
    connection->body = NULL;
    const int sent = lws_write(wsi, (unsigned char *)body + LWS_PRE, connection->body_size,
                               LWS_WRITE_HTTP_FINAL);
    free(body);
    connection->due = base_clock_seconds() + patience;
    return sent < (int)connection->body_size || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

/* ---- the live socket ---- */

/* Whether a socket may be opened; > 0: an answer was given instead. */
static int confirm(struct app_remote *remote, struct connection *connection, const char *what)
{
    struct app_remote_verdict verdict;
    connection->due = base_clock_seconds() + patience;
    if (strcmp(what, "websocket") != 0) {
        refuse(remote);
        return -1;
    }
    judge(remote, connection, true, &verdict);
    if (verdict.does == APP_REMOTE_LIVE) {
        return 0;
    }
    (void)lws_return_http_status(connection->wsi, verdict.status, verdict.text);
    return 1;
}

static void begin_live(struct app_remote *remote, struct connection *connection)
{
    const double now = base_clock_seconds();
    connection->live = true;
    (void)app_remote_show_look(&remote->show, now);
    for (size_t i = 0; i < CLIENTS && connection->client == NULL; i++) {
        if (!remote->taken[i]) {
            remote->taken[i] = true;
            connection->client = &remote->clients[i];
            app_remote_client_begin(connection->client, now);
        }
    }
    if (connection->client == NULL) {
        refuse(remote);
        connection->close_code = TOO_MANY;
    }
    connection->asked_at = now;
    lws_callback_on_writable(connection->wsi);
}

static int close_live(struct connection *connection, unsigned code)
{
    lws_close_reason(connection->wsi, (enum lws_close_status)code, NULL, 0);
    return -1;
}

static int hear_line(struct app_remote *remote, struct connection *connection, const char *bytes,
                     size_t size)
{
    struct lws *wsi = connection->wsi;
    const double now = base_clock_seconds();
    if (connection->client == NULL) {
        return 0;
    }
    if (lws_frame_is_binary(wsi) || size > sizeof connection->line - connection->line_size) {
        refuse(remote);
        return close_live(connection, lws_frame_is_binary(wsi) ? NO_TEXT : TOO_LARGE);
    }
    memcpy(connection->line + connection->line_size, bytes, size);
    connection->line_size += size;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) {
        return 0;
    }
    app_remote_client_hear(connection->client, &remote->show,
                           (struct base_span){connection->line, connection->line_size}, now);
    connection->line_size = 0;
    if (!app_gate_holds(remote->gate, connection->holder, true, now)) {
        return close_live(connection, ENDED);
    }
    if (!app_remote_client_ready(connection->client, now)) {
        connection->held = true;
        (void)lws_rx_flow_control(wsi, 0);
    }
    return 0;
}

static int tell_client(struct app_remote *remote, struct connection *connection)
{
    struct lws *wsi = connection->wsi;
    const double now = base_clock_seconds();
    static const unsigned char pad[LWS_PRE] = {0};
    char *text = NULL;
    size_t size = 0;
    if (connection->close_code != 0) {
        return close_live(connection, connection->close_code);
    }
    connection->asked_at = 0;
    if (connection->client == NULL ||
        !app_remote_client_waits(connection->client, &remote->show, now)) {
        return 0;
    }
    FILE *out = open_memstream(&text, &size);
    bool written = out != NULL && fwrite(pad, sizeof pad, 1, out) == 1;
    if (written) {
        app_remote_client_tell(connection->client, &remote->show, out, now);
    }
    written = out != NULL && fclose(out) == 0 && written;
    const bool sent = written && lws_write(wsi, (unsigned char *)text + LWS_PRE, size - LWS_PRE,
                                           LWS_WRITE_TEXT) >= (int)(size - LWS_PRE);
    free(text);
    if (sent && app_remote_client_waits(connection->client, &remote->show, now)) {
        connection->asked_at = now;
        lws_callback_on_writable(wsi);
    }
    return sent ? 0 : -1;
}

/* ---- time ---- */

static void tend_live(struct app_remote *remote, struct connection *connection, bool changed,
                      double now)
{
    struct app_remote_client *client = connection->client;
    if (connection->asked_at > 0 && now - connection->asked_at > slow_after) {
        refuse(remote);
        cut_off(connection);
        return;
    }
    if (client == NULL) {
        return;
    }
    if (connection->close_code == 0 &&
        !app_gate_holds(remote->gate, connection->holder, false, now)) {
        connection->close_code = ENDED;
    }
    if (changed) {
        app_remote_client_changed(client);
    }
    if (connection->held && app_remote_client_ready(client, now)) {
        connection->held = false;
        (void)lws_rx_flow_control(connection->wsi, 1);
    }
    if (connection->close_code != 0 || app_remote_client_waits(client, &remote->show, now)) {
        connection->asked_at = connection->asked_at > 0 ? connection->asked_at : now;
        lws_callback_on_writable(connection->wsi);
    }
}

static void tend(lws_sorted_usec_list_t *timer)
{
    struct app_remote *remote = lws_container_of(timer, struct app_remote, timer);
    const double now = base_clock_seconds();
    const unsigned unpairs = atomic_load(&remote->unpairs);
    bool lives = false;
    if (unpairs != remote->unpaired) {
        remote->unpaired = unpairs;
        app_gate_revoke(remote->gate);
    }
    for (size_t i = 0; i < SLOTS; i++) {
        lives = lives || remote->connections[i].live;
    }
    const bool changed = lives && app_remote_show_look(&remote->show, now);
    for (size_t i = 0; i < SLOTS; i++) {
        struct connection *one = &remote->connections[i];
        if (one->wsi == NULL || one->ends) {
            continue;
        }
        if (one->live) {
            tend_live(remote, one, changed, now);
        } else if (now > one->due) {
            refuse(remote);
            cut_off(one);
        }
    }
    tell_operator(remote, now);
    lws_sul_schedule(remote->context, 0, &remote->timer, tend,
                     (lives ? BUSY_MS : IDLE_MS) * LWS_US_PER_MS);
}

/* ---- the library's side ---- */

static int called(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size)
{
    struct app_remote *remote = lws_context_user(lws_get_context(wsi));
    struct connection *connection = lws_get_opaque_user_data(wsi);
    (void)user;
    if (reason == LWS_CALLBACK_RAW_RX_FILE) {
        take_connections(remote, lws_get_socket_fd(wsi));
        return 0;
    }
    if (connection == NULL) {
        return 0;
    }
    connection->wsi = wsi;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return hear_request(remote, connection);
    case LWS_CALLBACK_HTTP_BODY:
        return hear_form(connection, in, size);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return obey_form(remote, connection);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_body(connection);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return confirm(remote, connection, in);
    case LWS_CALLBACK_ESTABLISHED:
        begin_live(remote, connection);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return hear_line(remote, connection, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return tell_client(remote, connection);
    case LWS_CALLBACK_WSI_DESTROY:
        free_connection(remote, connection);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = called, .rx_buffer_size = APP_REMOTE_LINE},
    {.name = "froth", .callback = called, .rx_buffer_size = APP_REMOTE_LINE},
    {.name = NULL},
};

static void *serve(void *user)
{
    struct app_remote *remote = user;
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread */
    while (!atomic_load(&remote->ends) && lws_service(remote->context, 0) >= 0) {
    }
    return NULL;
}

/* ---- beginning and end ---- */

static bool get_chance(void *user, void *bytes, size_t size)
{
    (void)user;
    return getrandom(bytes, size, 0) == (ssize_t)size;
}

static bool get_digest(void *user, const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST])
{
    (void)user;
    return app_remote_digest(bytes, size, digest);
}

static bool open_context(struct app_remote *remote)
{
    static const lws_retry_bo_t idle = {.secs_since_valid_ping = 15, .secs_since_valid_hangup = 30};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .server_string = "froth",
        .max_http_header_data = HEADERS,
        .max_http_header_pool = SLOTS,
        .fd_limit_per_thread = SLOTS + 32,
        .keepalive_timeout = (int)patience,
        .timeout_secs = (unsigned)patience,
        .timeout_secs_ah_idle = (unsigned)patience,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME | LWS_SERVER_OPTION_VALIDATE_UTF8,
        .retry_and_idle_policy = &idle,
        .user = remote,
    };
    /* -1, nobody else's rights, in types that have a sign in some versions of the library. */
    memset(&info.gid, 0xff, sizeof info.gid);
    memset(&info.uid, 0xff, sizeof info.uid);
    lws_set_log_level(0, NULL);
    remote->context = lws_create_context(&info);
    remote->host = remote->context != NULL ? lws_create_vhost(remote->context, &info) : NULL;
    for (size_t i = 0; remote->host != NULL && i < remote->listener_count; i++) {
        const lws_sock_file_fd_type file = {.filefd = remote->listeners[i]};
        if (lws_adopt_descriptor_vhost(remote->host, LWS_ADOPT_RAW_FILE_DESC, file, "http", NULL) ==
            NULL) {
            return false;
        }
    }
    if (remote->host == NULL) {
        return false;
    }
    lws_sul_schedule(remote->context, 0, &remote->timer, tend, 1);
    return true;
}

int app_remote_open(struct app_remote **made, const struct app_remote_setup *setup,
                    const struct base_diag_sink *sink)
{
    static const struct base_place nowhere = {0};
    const struct app_options *options = setup->options;
    *made = NULL;
    if (options->remote == NULL || strcmp(options->remote, "off") == 0) {
        return 0;
    }
    const char *lacks = base_late_load(&late_websockets);
    if (lacks != NULL) {
        base_report(sink, BASE_WARNING, nowhere, NULL, "there is no page for the phone: %s", lacks);
        app_inlet_say(setup->inlet, lacks);
        return 0;
    }
    const struct app_gate_setup gate = {
        .idle = (options->remote_hours > 0 ? options->remote_hours : IDLE_HOURS) * HOUR,
        .chance = get_chance,
        .digest = get_digest,
    };
    struct app_remote *remote = calloc(1, sizeof *remote);
    if (remote == NULL) {
        base_report(sink, BASE_ERROR, nowhere, NULL, "not enough memory");
        return -1;
    }
    remote->sink = *sink;
    remote->terminal = *setup->terminal;
    remote->show = (struct app_remote_show){.inlet = setup->inlet,
                                            .library = setup->library,
                                            .width = setup->width,
                                            .height = setup->height};
    remote->open = strcmp(options->remote, "lan") == 0;
    remote->port = options->remote_port > 0 ? (unsigned)options->remote_port : PORT_USUAL;
    if (gethostname(remote->name, sizeof remote->name - 1) != 0) {
        remote->name[0] = '\0';
    }
    remote->gate = app_gate_create(&gate);
    if (app_remote_listen(remote->open, remote->port, remote->listeners, &remote->listener_count) !=
        0) {
        char text[APP_INLET_STATUS];
        (void)snprintf(text, sizeof text, "cannot listen at port %u: %s", remote->port,
                       strerror(errno));
        base_report(sink, BASE_WARNING, nowhere,
                    "another program may listen there; take another one with --remote-port", "%s",
                    text);
        app_inlet_say(setup->inlet, text);
        app_remote_close(remote);
        return 0;
    }
    if (remote->gate == NULL || !open_context(remote)) {
        base_report(sink, BASE_ERROR, nowhere, NULL, "the page for the phone cannot be served");
        app_remote_close(remote);
        return -1;
    }
    remote->has_thread = pthread_create(&remote->thread, NULL, serve, remote) == 0;
    if (!remote->has_thread) {
        base_report(sink, BASE_ERROR, nowhere, NULL, "a thread cannot be started");
        app_remote_close(remote);
        return -1;
    }
    *made = remote;
    return 0;
}

void app_remote_close(struct app_remote *remote)
{
    if (remote == NULL) {
        return;
    }
    atomic_store(&remote->ends, true);
    if (remote->has_thread) {
        lws_cancel_service(remote->context);
        (void)pthread_join(remote->thread, NULL);
    }
    if (remote->context != NULL) {
        lws_context_destroy(remote->context);
    }
    for (size_t i = 0; i < remote->listener_count && remote->context == NULL; i++) {
        (void)close(remote->listeners[i]);
    }
    app_gate_free(remote->gate);
    free(remote);
}

void app_remote_unpair(struct app_remote *remote)
{
    if (remote != NULL) {
        (void)atomic_fetch_add(&remote->unpairs, 1);
    }
}

#else

int app_remote_open(struct app_remote **made, const struct app_remote_setup *setup,
                    const struct base_diag_sink *sink)
{
    *made = NULL;
    if (setup->options->remote == NULL || strcmp(setup->options->remote, "off") == 0) {
        return 0;
    }
    base_report(sink, BASE_WARNING, (struct base_place){0},
                "build it with libwebsockets (Debian: apt install libwebsockets-dev libssl-dev)",
                "this froth has no page for the phone");
    return 0;
}

void app_remote_close(struct app_remote *remote)
{
    (void)remote;
}

void app_remote_unpair(struct app_remote *remote)
{
    (void)remote;
}

#endif
