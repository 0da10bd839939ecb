/* Drops files onto a window, as a file manager does: drop_probe WINDOW X Y PATH...
 *
 * WINDOW: its number; X Y: where on the screen. The source's side of the protocol XDND, version 5.
 * Exit code 0 when the window has taken them. */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

enum { VERSION = 5, PATIENCE_MS = 20000, TEXT_SIZE = 65536 };

struct probe {
    Display *display;
    Window source;
    Window target;
    Atom selection;
    Atom uris;
    Atom copy;
    char text[TEXT_SIZE];
};

static Atom atom(const struct probe *probe, const char *name)
{
    return XInternAtom(probe->display, name, False);
}

static void say(const struct probe *probe, const char *what, const long *words)
{
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = probe->target;
    event.xclient.message_type = atom(probe, what);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)probe->source;
    for (int i = 1; i < 5; i++) {
        event.xclient.data.l[i] = words[i];
    }
    (void)XSendEvent(probe->display, probe->target, False, NoEventMask, &event);
    (void)XFlush(probe->display);
}

static void hand_over(const struct probe *probe, const XSelectionRequestEvent *request)
{
    XEvent event = {0};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.time = request->time;
    event.xselection.property = request->target == probe->uris ? request->property : None;
    if (request->target == probe->uris) {
        (void)XChangeProperty(probe->display, request->requestor, request->property, probe->uris, 8,
                              PropModeReplace, (const unsigned char *)probe->text,
                              (int)strlen(probe->text));
    }
    (void)XSendEvent(probe->display, request->requestor, False, NoEventMask, &event);
    (void)XFlush(probe->display);
}

/* Serves the window until it says this; false if it does not. */
static bool await(const struct probe *probe, const char *what)
{
    const Atom wanted = atom(probe, what);
    for (;;) {
        while (XPending(probe->display) > 0) {
            XEvent event;
            (void)XNextEvent(probe->display, &event);
            if (event.type == SelectionRequest) {
                hand_over(probe, &event.xselectionrequest);
            } else if (event.type == ClientMessage && event.xclient.message_type == wanted) {
                return true;
            }
        }
        struct pollfd wait = {.fd = ConnectionNumber(probe->display), .events = POLLIN};
        if (poll(&wait, 1, PATIENCE_MS) <= 0) {
            (void)fprintf(stderr, "drop_probe: the window says no %s\n", what);
            return false;
        }
    }
}

static void append_path(struct probe *probe, const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    size_t used = strlen(probe->text);
    used += (size_t)snprintf(probe->text + used, TEXT_SIZE - used, "file://");
    for (; *path != '\0' && used + 8 < TEXT_SIZE; path++) {
        used +=
            (size_t)snprintf(probe->text + used, TEXT_SIZE - used,
                             strchr(plain, *path) != NULL ? "%c" : "%%%02X", (unsigned char)*path);
    }
    (void)snprintf(probe->text + used, TEXT_SIZE - used, "\r\n");
}

int main(int argc, char **argv)
{
    static struct probe probe;
    if (argc < 5 || (probe.display = XOpenDisplay(NULL)) == NULL) {
        (void)fputs("drop_probe WINDOW X Y PATH...\n", stderr);
        return 2;
    }
    const long x = strtol(argv[2], NULL, 10);
    const long y = strtol(argv[3], NULL, 10);
    for (int i = 4; i < argc; i++) {
        append_path(&probe, argv[i]);
    }
    probe.target = strtoul(argv[1], NULL, 0);
    probe.source =
        XCreateSimpleWindow(probe.display, DefaultRootWindow(probe.display), 0, 0, 1, 1, 0, 0, 0);
    probe.selection = atom(&probe, "XdndSelection");
    probe.uris = atom(&probe, "text/uri-list");
    probe.copy = atom(&probe, "XdndActionCopy");
    (void)XSetSelectionOwner(probe.display, probe.selection, probe.source, CurrentTime);
    const long enter[5] = {0, (long)VERSION << 24, (long)probe.uris, 0, 0};
    const long position[5] = {0, 0, x << 16 | y, CurrentTime, (long)probe.copy};
    const long drop[5] = {0, 0, CurrentTime, 0, 0};
    say(&probe, "XdndEnter", enter);
    say(&probe, "XdndPosition", position);
    bool taken = await(&probe, "XdndStatus");
    if (taken) {
        say(&probe, "XdndDrop", drop);
        taken = await(&probe, "XdndFinished");
    }
    (void)XCloseDisplay(probe.display);
    return taken ? 0 : 1;
}
