/* What becomes of a request for the page: whether it comes from where it says, who sends it, and
 * what it is for. No clock and no socket; nothing that comes from outside makes it read or write
 * outside its own.
 *
 * A page of somebody else, in the browser of who is paired, must not get in by it, nor by a name
 * that it has made mean this machine. So the header Host must be an address by which this machine
 * was reached, or a name that it has itself; a header Origin must say the same, and must be there
 * where something is changed, or the live socket opened. */
#ifndef APP_REMOTE_REQUEST_H
#define APP_REMOTE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/remote/gate.h"

enum {
    APP_REMOTE_PATH = 256, /* bytes of a path or header, with its NUL; longer ones are refused */
    APP_REMOTE_COOKIES = 1024,
    APP_REMOTE_HOST = 96,
    APP_REMOTE_FORM = 64, /* of what is posted */
};

/* Where a request arrived. */
struct app_remote_place {
    char address[64]; /* by which it was reached, as in a URL: of IPv6 in brackets */
    char name[64];    /* the machine's own; may be empty */
    unsigned port;
    bool own;  /* the address is one of this machine's own, 127.0.0.1 or ::1 */
    bool open; /* --remote lan: devices elsewhere are paired */
    struct app_gate_address from;
};

/* Texts end in NUL, and are empty where there is none. */
struct app_remote_request {
    bool get;
    bool post;
    bool live; /* a socket is asked for */
    char path[APP_REMOTE_PATH];
    char link[APP_REMOTE_PATH]; /* ?token= */
    char size[16];              /* ?size= */
    char host[APP_REMOTE_HOST];
    char origin[APP_REMOTE_HOST];
    char protocol[32]; /* of the socket */
    char cookies[APP_REMOTE_COOKIES];
};

/* A file of page/. */
struct app_remote_page {
    const char *path;
    const char *type;
    const char *text; /* ends in NUL */
    bool open;
};

enum app_remote_does {
    APP_REMOTE_SAY,   /* status, and text */
    APP_REMOTE_SHOW,  /* page */
    APP_REMOTE_THUMB, /* the picture of `preset`, `small` or not */
    APP_REMOTE_ENTER, /* token, in a cookie, and on to / */
    APP_REMOTE_FORM_OF_PAIR,
    APP_REMOTE_LIVE,
};

struct app_remote_verdict {
    enum app_remote_does does;
    unsigned status;
    const char *text;
    struct app_remote_page page;
    uint32_t preset;
    bool small;
    uint64_t holder; /* who sent it (app_gate_holder); 0: it is not known */
    bool refused;    /* it is to be counted */
    char token[APP_GATE_TOKEN];
};

void app_remote_judge(const struct app_remote_request *request,
                      const struct app_remote_place *place, struct app_gate *gate, double now,
                      struct app_remote_verdict *verdict);

/* Reads "code=123456". False if that is not what was posted; code is then empty. */
bool app_remote_form(const char *form, size_t size, char code[APP_GATE_CODE]);

/* What is served at this path; NULL text: nothing. */
struct app_remote_page app_remote_page(const char *path);

/* The texts that are built in. */
struct app_remote_text {
    const char *name;
    const char *text;
};
extern const struct app_remote_text app_remote_texts[];
extern const size_t app_remote_texts_count;

#endif
