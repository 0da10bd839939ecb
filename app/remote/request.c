#include "app/remote/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- pages ---- */

static const struct {
    const char *path;
    const char *file;
    const char *type;
    bool open;
} pages[] = {
#define OPEN                                   true
#define PAIRED                                 false
#define APP_REMOTE_PAGE(path, file, type, who) {path, #file, type, who},
#include "app/remote/pages.def"
#undef OPEN
#undef PAIRED
};

struct app_remote_page app_remote_page(const char *path)
{
    struct app_remote_page page = {.path = path};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(pages[i].path, path) != 0) {
            continue;
        }
        page = (struct app_remote_page){pages[i].path, pages[i].type, NULL, pages[i].open};
        for (size_t k = 0; k < app_remote_texts_count; k++) {
            if (strcmp(app_remote_texts[k].name, pages[i].file) == 0) {
                page.text = app_remote_texts[k].text;
            }
        }
    }
    return page;
}

/* ---- headers ---- */

/* "NAME:PORT", or the bare name where that is the port of http; without case. */
static bool is_host(const char *host, const char *name, const char *ending, unsigned port)
{
    enum { HTTP = 80 };
    char whole[APP_REMOTE_HOST + 64];
    const int bare = snprintf(whole, sizeof whole, "%s%s", name, ending);
    if (name[0] == '\0' || bare < 0 || (size_t)bare >= sizeof whole) {
        return false;
    }
    if (port == HTTP && strcasecmp(host, whole) == 0) {
        return true;
    }
    (void)snprintf(whole + bare, sizeof whole - (size_t)bare, ":%u", port);
    return strcasecmp(host, whole) == 0;
}

static bool host_fits(const char *host, const struct app_remote_place *place)
{
    return is_host(host, place->address, "", place->port) ||
           (place->own && is_host(host, "localhost", "", place->port)) ||
           (place->open && (is_host(host, place->name, "", place->port) ||
                            is_host(host, place->name, ".local", place->port)));
}

static bool origin_fits(const struct app_remote_request *request)
{
    static const char scheme[] = "http://";
    const size_t size = sizeof scheme - 1;
    return strncasecmp(request->origin, scheme, size) == 0 &&
           strcasecmp(request->origin + size, request->host) == 0;
}

/* The first of froth's; empty if there is none, or it is no token. */
static void find_token(const char *cookies, char token[APP_GATE_TOKEN])
{
    static const char name[] = "froth=";
    token[0] = '\0';
    for (const char *at = cookies; at != NULL; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        const size_t size = strcspn(at, "; ");
        if (strncmp(at, name, sizeof name - 1) == 0) {
            if (size == sizeof name - 1 + APP_GATE_TOKEN - 1) {
                memcpy(token, at + sizeof name - 1, APP_GATE_TOKEN - 1);
                token[APP_GATE_TOKEN - 1] = '\0';
            }
            return;
        }
    }
}

bool app_remote_form(const char *form, size_t size, char code[APP_GATE_CODE])
{
    static const char name[] = "code=";
    const size_t before = sizeof name - 1;
    code[0] = '\0';
    if (size != before + APP_GATE_CODE - 1 || memcmp(form, name, before) != 0) {
        return false;
    }
    for (size_t i = before; i < size; i++) {
        if (form[i] < '0' || form[i] > '9') {
            return false;
        }
    }
    memcpy(code, form + before, APP_GATE_CODE - 1);
    code[APP_GATE_CODE - 1] = '\0';
    return true;
}

/* ---- what becomes of it ---- */

static void say(struct app_remote_verdict *verdict, unsigned status, const char *text)
{
    verdict->does = APP_REMOTE_SAY;
    verdict->status = status;
    verdict->text = text;
    verdict->refused = true;
}

static void show(struct app_remote_verdict *verdict, struct app_remote_page page)
{
    verdict->does = APP_REMOTE_SHOW;
    verdict->status = 200;
    verdict->page = page;
}

/* The number of a preset behind "/thumb/"; false if it is none. */
static bool find_thumb(const char *path, uint32_t *preset)
{
    static const char before[] = "/thumb/";
    const size_t size = sizeof before - 1;
    uint32_t number = 0;
    if (strncmp(path, before, size) != 0) {
        return false;
    }
    const char *digits = path + size;
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 9 || digits[count] != '\0') {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        number = number * 10 + (uint32_t)(digits[i] - '0');
    }
    *preset = number;
    return true;
}

static void enter(const struct app_remote_request *request, const struct app_remote_place *place,
                  struct app_gate *gate, double now, struct app_remote_verdict *verdict)
{
    const enum app_gate_answer answer =
        place->own ? app_gate_by_link(gate, request->link, place->from, now, verdict->token)
                   : APP_GATE_NO;
    if (answer == APP_GATE_IN) {
        verdict->does = APP_REMOTE_ENTER;
        verdict->status = 200;
    } else if (answer == APP_GATE_LATER) {
        say(verdict, 503, "not now");
    } else {
        say(verdict, 403, "this link has been used, or is none; froth prints the one that works");
    }
}

/* Somebody who is not known. */
static void receive(const struct app_remote_request *request, const struct app_remote_place *place,
                    struct app_remote_verdict *verdict)
{
    const bool front = strcmp(request->path, "/") == 0;
    const struct app_remote_page page =
        front ? app_remote_page("/page/pair.html") : app_remote_page(request->path);
    if (request->live || !place->open) {
        say(verdict, 403, "open the link that froth prints");
    } else if (request->post && strcmp(request->path, "/pair") == 0) {
        verdict->does = APP_REMOTE_FORM_OF_PAIR;
    } else if (request->get && page.text != NULL && page.open) {
        show(verdict, page);
    } else {
        say(verdict, 403, "this device is not paired");
    }
}

static void serve(const struct app_remote_request *request, struct app_remote_verdict *verdict)
{
    const bool front = strcmp(request->path, "/") == 0;
    const struct app_remote_page page = app_remote_page(front ? "/page/page.html" : request->path);
    if (request->live) {
        if (strcmp(request->path, "/live") == 0 && strcmp(request->protocol, "froth") == 0) {
            verdict->does = APP_REMOTE_LIVE;
        } else {
            say(verdict, 400, "the socket is /live, and speaks froth");
        }
    } else if (!request->get) {
        say(verdict, 405, "it cannot be posted to");
    } else if (find_thumb(request->path, &verdict->preset)) {
        verdict->does = APP_REMOTE_THUMB;
        verdict->small = strcmp(request->size, "small") == 0;
    } else if (page.text != NULL) {
        show(verdict, page);
    } else {
        say(verdict, 404, "there is nothing here");
    }
}

void app_remote_judge(const struct app_remote_request *request,
                      const struct app_remote_place *place, struct app_gate *gate, double now,
                      struct app_remote_verdict *verdict)
{
    char token[APP_GATE_TOKEN];
    *verdict = (struct app_remote_verdict){.text = ""};
    if (!host_fits(request->host, place)) {
        say(verdict, 421, "this is not the address of the page");
        return;
    }
    if ((request->origin[0] != '\0' || request->live || request->post) && !origin_fits(request)) {
        say(verdict, 403, "this comes from another page");
        return;
    }
    if (!request->get && !request->post) {
        say(verdict, 405, "only GET and POST");
        return;
    }
    if (request->get && strcmp(request->path, "/") == 0 && request->link[0] != '\0') {
        enter(request, place, gate, now, verdict);
        return;
    }
    find_token(request->cookies, token);
    verdict->holder = token[0] != '\0' ? app_gate_holder(gate, token, place->from, now) : 0;
    if (verdict->holder == 0) {
        receive(request, place, verdict);
        verdict->refused = verdict->refused || token[0] != '\0';
    } else {
        serve(request, verdict);
    }
}
