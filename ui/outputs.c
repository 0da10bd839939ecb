#include "ui/outputs.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef FROTH_XRANDR
#include "late/xrandr.h"
#endif

/* ---- the list ---- */

static bool is_same_place(struct ui_rect a, struct ui_rect b)
{
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

void ui_outputs_add(struct ui_outputs *outputs, const char *name, struct ui_rect place,
                    bool primary)
{
    for (int i = 0; i < outputs->count; i++) {
        struct ui_output *other = &outputs->items[i];
        if (is_same_place(other->place, place)) {
            const size_t used = strlen(other->name);
            (void)snprintf(other->name + used, sizeof other->name - used, "+%s", name);
            return;
        }
    }
    if (outputs->count == UI_OUTPUTS_MAX || place.width < 1 || place.height < 1) {
        return;
    }
    const int at = primary ? 0 : outputs->count;
    memmove(&outputs->items[at + 1], &outputs->items[at],
            (size_t)(outputs->count - at) * sizeof *outputs->items);
    outputs->items[at] = (struct ui_output){.place = place};
    (void)snprintf(outputs->items[at].name, sizeof outputs->items[at].name, "%.*s",
                   UI_OUTPUT_NAME - 1, name);
    outputs->count++;
}

void ui_outputs_add_apart(struct ui_outputs *outputs, const struct ui_output *output)
{
    enum { SUFFIX = 12 }; /* bytes of the longest number */
    if (outputs->count == UI_OUTPUTS_MAX || output->place.width < 1 || output->place.height < 1) {
        return;
    }
    struct ui_output *added = &outputs->items[outputs->count];
    *added = *output;
    int number = 1;
    for (int i = 0; i < outputs->count; i++) {
        if (strcmp(outputs->items[i].description, added->description) == 0 &&
            added->description[0] != '\0') {
            number++;
            (void)snprintf(added->description, sizeof added->description, "%.*s %d",
                           UI_OUTPUT_NAME - SUFFIX, output->description, number);
            i = -1; /* that may be another one's too */
        }
    }
    if (added->name[0] == '\0') {
        memcpy(added->name, added->description, sizeof added->name);
    }
    outputs->count++;
}

int ui_outputs_match(const struct ui_output *told, int count, unsigned taken,
                     const struct ui_output *output)
{
    int found = -1;
    int most = -1;
    for (int i = 0; i < count; i++) {
        const bool placed =
            told[i].place.x == output->place.x && told[i].place.y == output->place.y;
        const bool named = strcmp(told[i].description, output->description) == 0 ||
                           strcmp(told[i].name, output->description) == 0;
        const int likeness = 2 * placed + named;
        if ((taken >> i & 1) == 0 && likeness > most) {
            most = likeness;
            found = i;
        }
    }
    return found;
}

static bool is_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool has_part(const char *name, const char *part)
{
    for (; *name != '\0'; name++) {
        size_t same = 0;
        while (part[same] != '\0' && is_letter(name[same], part[same])) {
            same++;
        }
        if (part[same] == '\0') {
            return true;
        }
    }
    return false;
}

int ui_outputs_find(const struct ui_outputs *outputs, const char *wish)
{
    char *end = NULL;
    const long number = strtol(wish, &end, 10);
    if (wish[0] == '\0') {
        return -1;
    }
    if (*end == '\0') {
        return number >= 1 && number <= outputs->count ? (int)number - 1 : -1;
    }
    int found = -1;
    int most = 0;
    for (int i = 0; i < outputs->count; i++) {
        const struct ui_output *output = &outputs->items[i];
        const bool named = has_part(output->name, wish);
        const bool told = has_part(output->description, wish);
        const bool whole = (named && strlen(output->name) == strlen(wish)) ||
                           (told && strlen(output->description) == strlen(wish));
        const int fit = whole ? 3 : named ? 2 : told;
        if (fit > most) {
            most = fit;
            found = i;
        }
    }
    return found;
}

static int overlap(int a, int a_size, int b, int b_size)
{
    const int first = a > b ? a : b;
    const int last = a + a_size < b + b_size ? a + a_size : b + b_size;
    return last > first ? last - first : 0;
}

int ui_outputs_at(const struct ui_outputs *outputs, struct ui_rect rect)
{
    int found = -1;
    int64_t most = 0;
    for (int i = 0; i < outputs->count; i++) {
        const struct ui_rect place = outputs->items[i].place;
        const int64_t held = (int64_t)overlap(rect.x, rect.width, place.x, place.width) *
                             overlap(rect.y, rect.height, place.y, place.height);
        if (held > most) {
            most = held;
            found = i;
        }
    }
    return found;
}

int ui_outputs_beside(const struct ui_outputs *outputs, int show)
{
    return show != 0 && outputs->count > 0 ? 0 : outputs->count > 1 ? 1 : -1;
}

/* ---- where the show belongs ---- */

void ui_stage_tell(struct ui_stage *stage, const char *wish, bool apart)
{
    *stage = (struct ui_stage){.apart = apart};
    (void)snprintf(stage->wish, sizeof stage->wish, "%.*s", UI_OUTPUT_NAME - 1, wish);
}

static int find_name(const struct ui_outputs *outputs, const char *name)
{
    for (int i = 0; i < outputs->count; i++) {
        if (strcmp(outputs->items[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Where it belongs among these; -1: there is no such output now. */
static int wanted(const struct ui_stage *stage, const struct ui_outputs *outputs)
{
    const int home = stage->home[0] != '\0' ? find_name(outputs, stage->home) : -1;
    if (stage->wish[0] != '\0') {
        return home >= 0 ? home : ui_outputs_find(outputs, stage->wish);
    }
    if (home >= 0 && !(stage->sole && outputs->count > 1)) {
        return home;
    }
    return outputs->count > 1 ? 1 : stage->home[0] == '\0' || stage->sole ? 0 : -1;
}

enum ui_stage_order ui_stage_follow(struct ui_stage *stage, const struct ui_outputs *outputs,
                                    int at, bool changed, int *to)
{
    if ((stage->wish[0] == '\0' && !stage->apart) || outputs->count == 0) {
        return UI_STAGE_STAY;
    }
    const int target = wanted(stage, outputs);
    if (target < 0) {
        const bool news = !stage->lost && stage->home[0] != '\0';
        stage->lost = true;
        stage->reached = false;
        return news ? UI_STAGE_LOST : UI_STAGE_STAY;
    }
    const bool moved_by_user = stage->reached && !changed && at >= 0 && at != target;
    if (moved_by_user) {
        ui_stage_tell(stage, outputs->items[at].name, false);
    }
    *to = moved_by_user ? at : target;
    const char *name = outputs->items[*to].name;
    const bool came = stage->lost || strcmp(stage->home, name) != 0;
    memcpy(stage->home, name, sizeof stage->home);
    stage->sole = came ? outputs->count == 1 : stage->sole;
    stage->reached = at == *to;
    if (moved_by_user) {
        return UI_STAGE_STAY;
    }
    const bool was_lost = stage->lost;
    stage->lost = false;
    return at == target ? was_lost ? UI_STAGE_BACK : UI_STAGE_STAY
           : came       ? UI_STAGE_BACK
                        : UI_STAGE_GO;
}

/* ---- reading them ---- */

double ui_outputs_dots_of(const char *resources)
{
    static const char name[] = "Xft.dpi:";
    const char *line = resources;
    while (line != NULL && strncmp(line, name, sizeof name - 1) != 0) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    const double dots = line != NULL ? strtod(line + sizeof name - 1, NULL) : 0;
    return dots >= 20 && dots <= 1000 ? dots : 0;
}

#ifdef FROTH_XRANDR

struct ui_outputs_reader {
    Display *display;
    int first_event; /* of the extension */
};

/* An output or a window that goes away while it is asked about is no reason to end the program. */
static int ignore_error(Display *display, XErrorEvent *event)
{
    (void)display;
    (void)event;
    return 0;
}

struct ui_outputs_reader *ui_outputs_open(void)
{
    struct ui_outputs_reader *reader = calloc(1, sizeof *reader);
    int first_error = 0;
    if (reader == NULL) {
        return NULL;
    }
    reader->display = base_late_load(&late_xrandr) == NULL ? XOpenDisplay(NULL) : NULL;
    if (reader->display == NULL ||
        !XRRQueryExtension(reader->display, &reader->first_event, &first_error)) {
        ui_outputs_close(reader);
        return NULL;
    }
    XRRSelectInput(reader->display, DefaultRootWindow(reader->display),
                   RRScreenChangeNotifyMask | RRCrtcChangeNotifyMask | RROutputChangeNotifyMask);
    XFlush(reader->display);
    return reader;
}

void ui_outputs_close(struct ui_outputs_reader *reader)
{
    if (reader != NULL && reader->display != NULL) {
        XCloseDisplay(reader->display);
    }
    free(reader);
}

double ui_outputs_dots(struct ui_outputs_reader *reader)
{
    enum { USUAL = 96 };
    static const double inch = 25.4; /* mm */
    const double set = ui_outputs_dots_of(XResourceManagerString(reader->display));
    const int screen = DefaultScreen(reader->display);
    const double mm = DisplayHeightMM(reader->display, screen);
    const double dots = mm > 0 ? DisplayHeight(reader->display, screen) * inch / mm : 0;
    return set > 0 ? set : fabs(dots - USUAL) > 1 ? dots : 0;
}

bool ui_outputs_changed(struct ui_outputs_reader *reader)
{
    bool changed = false;
    while (XPending(reader->display) > 0) {
        XEvent event;
        (void)XNextEvent(reader->display, &event);
        changed = changed || event.type >= reader->first_event;
    }
    return changed;
}

static void add_output(Display *display, XRRScreenResources *resources, RROutput id, bool primary,
                       struct ui_outputs *outputs)
{
    XRROutputInfo *output = XRRGetOutputInfo(display, resources, id);
    if (output == NULL) {
        return;
    }
    const bool lit = output->connection != RR_Disconnected && output->crtc != None;
    XRRCrtcInfo *crtc = lit ? XRRGetCrtcInfo(display, resources, output->crtc) : NULL;
    if (crtc != NULL) {
        const struct ui_rect place = {crtc->x, crtc->y, (int)crtc->width, (int)crtc->height};
        ui_outputs_add(outputs, output->name, place, primary);
        XRRFreeCrtcInfo(crtc);
    }
    XRRFreeOutputInfo(output);
}

void ui_outputs_read(struct ui_outputs_reader *reader, struct ui_outputs *outputs)
{
    int (*const former)(Display *, XErrorEvent *) = XSetErrorHandler(ignore_error);
    Display *display = reader->display;
    const Window root = DefaultRootWindow(display);
    XRRScreenResources *resources = XRRGetScreenResourcesCurrent(display, root);
    if (resources != NULL) {
        const RROutput primary = XRRGetOutputPrimary(display, root);
        for (int i = 0; i < resources->noutput; i++) {
            add_output(display, resources, resources->outputs[i], resources->outputs[i] == primary,
                       outputs);
        }
        XRRFreeScreenResources(resources);
    }
    XSync(display, False);
    (void)XSetErrorHandler(former);
}

bool ui_outputs_place(struct ui_outputs_reader *reader, unsigned long window, struct ui_rect *place)
{
    Window root;
    Window child;
    int x = 0;
    int y = 0;
    unsigned width = 0;
    unsigned height = 0;
    unsigned border = 0;
    unsigned depth = 0;
    int (*const former)(Display *, XErrorEvent *) = XSetErrorHandler(ignore_error);
    const bool known =
        XGetGeometry(reader->display, window, &root, &x, &y, &width, &height, &border, &depth) &&
        XTranslateCoordinates(reader->display, window, root, 0, 0, &x, &y, &child);
    (void)XSetErrorHandler(former);
    *place = (struct ui_rect){x, y, (int)width, (int)height};
    return known;
}

#else

struct ui_outputs_reader *ui_outputs_open(void)
{
    return NULL;
}

void ui_outputs_close(struct ui_outputs_reader *reader)
{
    (void)reader;
}

double ui_outputs_dots(struct ui_outputs_reader *reader)
{
    (void)reader;
    return 0;
}

bool ui_outputs_changed(struct ui_outputs_reader *reader)
{
    (void)reader;
    return false;
}

void ui_outputs_read(struct ui_outputs_reader *reader, struct ui_outputs *outputs)
{
    (void)reader;
    (void)outputs;
}

bool ui_outputs_place(struct ui_outputs_reader *reader, unsigned long window, struct ui_rect *place)
{
    (void)reader;
    (void)window;
    (void)place;
    return false;
}

#endif
