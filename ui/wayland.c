#include "ui/wayland.h"

#include <stddef.h>

#if defined(FROTH_WAYLAND)

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wayland-client.h>

/* ---- xdg-output-unstable-v1, as the protocol has it ---- */

enum { MANAGER_GET_OUTPUT = 1, LOGICAL_DESTROY = 0, LOGICAL_VERSION = 3 };

static const struct wl_interface *no_types[2];
static const struct wl_message logical_requests[] = {{"destroy", "", no_types}};
static const struct wl_message logical_events[] = {{"logical_position", "ii", no_types},
                                                   {"logical_size", "ii", no_types},
                                                   {"done", "", no_types},
                                                   {"name", "2s", no_types},
                                                   {"description", "2s", no_types}};
static const struct wl_interface logical_interface = {
    "zxdg_output_v1", LOGICAL_VERSION, 1, logical_requests, 5, logical_events};
static const struct wl_interface *get_types[] = {&logical_interface, &wl_output_interface};
static const struct wl_message manager_requests[] = {{"destroy", "", no_types},
                                                     {"get_xdg_output", "no", get_types}};
static const struct wl_interface manager_interface = {
    "zxdg_output_manager_v1", LOGICAL_VERSION, 2, manager_requests, 0, NULL};

struct logical_listener {
    void (*position)(void *data, struct wl_proxy *logical, int32_t x, int32_t y);
    void (*size)(void *data, struct wl_proxy *logical, int32_t width, int32_t height);
    void (*done)(void *data, struct wl_proxy *logical);
    void (*name)(void *data, struct wl_proxy *logical, const char *name);
    void (*description)(void *data, struct wl_proxy *logical, const char *description);
};

/* ---- what is kept ---- */

struct known {
    struct ui_wayland *wayland;
    uint32_t id; /* of the registry */
    struct wl_output *output;
    struct wl_proxy *logical; /* NULL: the compositor tells nothing more */
    char name[UI_OUTPUT_NAME];
    char description[UI_OUTPUT_NAME];
    char made_by[UI_OUTPUT_NAME]; /* maker and model: in place of a description */
    struct ui_rect pixels;
    struct ui_rect place; /* in the desktop; no width: not told */
    int scale;
};

struct ui_wayland {
    struct wl_display *display;
    struct wl_registry *registry;
    struct wl_proxy *manager;
    struct known *outputs[UI_OUTPUTS_MAX];
    int count;
    bool draws_frames;
    bool changed;
    bool gone;
};

static void copy(char text[static UI_OUTPUT_NAME], const char *from)
{
    (void)snprintf(text, UI_OUTPUT_NAME, "%s", from);
}

/* ---- what an output tells ---- */

static void tell_geometry(void *data, struct wl_output *output, int32_t x, int32_t y, int32_t mm_x,
                          int32_t mm_y, int32_t subpixel, const char *make, const char *model,
                          int32_t transform)
{
    struct known *known = data;
    (void)output;
    (void)mm_x;
    (void)mm_y;
    (void)subpixel;
    (void)transform;
    known->pixels.x = x;
    known->pixels.y = y;
    (void)snprintf(known->made_by, sizeof known->made_by, "%.30s %.30s", make, model);
    known->wayland->changed = true;
}

static void tell_mode(void *data, struct wl_output *output, uint32_t flags, int32_t width,
                      int32_t height, int32_t refresh)
{
    struct known *known = data;
    (void)output;
    (void)refresh;
    if ((flags & WL_OUTPUT_MODE_CURRENT) != 0) {
        known->pixels.width = width;
        known->pixels.height = height;
        known->wayland->changed = true;
    }
}

static void tell_done(void *data, struct wl_output *output)
{
    struct known *known = data;
    (void)output;
    known->wayland->changed = true;
}

static void tell_scale(void *data, struct wl_output *output, int32_t scale)
{
    struct known *known = data;
    (void)output;
    known->scale = scale > 0 ? scale : 1;
    known->wayland->changed = true;
}

static void tell_name(void *data, struct wl_output *output, const char *name)
{
    struct known *known = data;
    (void)output;
    copy(known->name, name);
}

static void tell_description(void *data, struct wl_output *output, const char *description)
{
    struct known *known = data;
    (void)output;
    copy(known->description, description);
}

static const struct wl_output_listener output_listener = {.geometry = tell_geometry,
                                                          .mode = tell_mode,
                                                          .done = tell_done,
                                                          .scale = tell_scale,
                                                          .name = tell_name,
                                                          .description = tell_description};

static void tell_position(void *data, struct wl_proxy *logical, int32_t x, int32_t y)
{
    struct known *known = data;
    (void)logical;
    known->place.x = x;
    known->place.y = y;
    known->wayland->changed = true;
}

static void tell_size(void *data, struct wl_proxy *logical, int32_t width, int32_t height)
{
    struct known *known = data;
    (void)logical;
    known->place.width = width;
    known->place.height = height;
    known->wayland->changed = true;
}

static void tell_logical_done(void *data, struct wl_proxy *logical)
{
    (void)logical;
    tell_done(data, NULL);
}

static void tell_logical_name(void *data, struct wl_proxy *logical, const char *name)
{
    (void)logical;
    tell_name(data, NULL, name);
}

static void tell_logical_description(void *data, struct wl_proxy *logical, const char *description)
{
    (void)logical;
    tell_description(data, NULL, description);
}

static struct logical_listener logical_listener = {.position = tell_position,
                                                   .size = tell_size,
                                                   .done = tell_logical_done,
                                                   .name = tell_logical_name,
                                                   .description = tell_logical_description};

/* ---- what the compositor has ---- */

static void ask_logical(struct known *known)
{
    struct ui_wayland *wayland = known->wayland;
    if (wayland->manager == NULL || known->logical != NULL) {
        return;
    }
    known->logical = wl_proxy_marshal_constructor(wayland->manager, MANAGER_GET_OUTPUT,
                                                  &logical_interface, NULL, known->output);
    if (known->logical != NULL) {
        (void)wl_proxy_add_listener(known->logical, (void (**)(void))(void *)&logical_listener,
                                    known);
    }
}

static uint32_t least(uint32_t offered, uint32_t known)
{
    return offered < known ? offered : known;
}

static void add_output(struct ui_wayland *wayland, uint32_t id, uint32_t version)
{
    enum { WITH_NAMES = 4 };
    struct known *known = wayland->count < UI_OUTPUTS_MAX ? calloc(1, sizeof *known) : NULL;
    if (known == NULL) {
        return;
    }
    *known = (struct known){.wayland = wayland, .id = id, .scale = 1};
    known->output =
        wl_registry_bind(wayland->registry, id, &wl_output_interface, least(version, WITH_NAMES));
    if (known->output == NULL) {
        free(known);
        return;
    }
    (void)wl_output_add_listener(known->output, &output_listener, known);
    wayland->outputs[wayland->count++] = known;
    ask_logical(known);
}

static void free_output(struct known *known)
{
    if (known->logical != NULL) {
        wl_proxy_marshal(known->logical, LOGICAL_DESTROY);
        wl_proxy_destroy(known->logical);
    }
    wl_output_destroy(known->output);
    free(known);
}

static void take_global(void *data, struct wl_registry *registry, uint32_t id,
                        const char *interface, uint32_t version)
{
    struct ui_wayland *wayland = data;
    if (strcmp(interface, wl_output_interface.name) == 0) {
        add_output(wayland, id, version);
    } else if (strcmp(interface, manager_interface.name) == 0 && wayland->manager == NULL) {
        wayland->manager =
            wl_registry_bind(registry, id, &manager_interface, least(version, LOGICAL_VERSION));
        for (int i = 0; i < wayland->count; i++) {
            ask_logical(wayland->outputs[i]);
        }
    } else if (strcmp(interface, "zxdg_decoration_manager_v1") == 0) {
        wayland->draws_frames = true;
    }
}

static void lose_global(void *data, struct wl_registry *registry, uint32_t id)
{
    struct ui_wayland *wayland = data;
    (void)registry;
    for (int i = 0; i < wayland->count; i++) {
        if (wayland->outputs[i]->id == id) {
            free_output(wayland->outputs[i]);
            wayland->count--;
            memmove(&wayland->outputs[i], &wayland->outputs[i + 1],
                    (size_t)(wayland->count - i) * sizeof *wayland->outputs);
            wayland->changed = true;
            return;
        }
    }
}

static const struct wl_registry_listener registry_listener = {.global = take_global,
                                                              .global_remove = lose_global};

/* ---- the connection ---- */

struct ui_wayland *ui_wayland_open(void)
{
    enum { ROUNDS = 3 }; /* what there is, what outputs are, and what xdg-output knows of them */
    const char *display = getenv("WAYLAND_DISPLAY");
    const bool is_path = display != NULL && display[0] == '/';
    /* Without a folder the library says so on standard error; what WAYLAND_SOCKET is, is SDL's. */
    if ((getenv("XDG_RUNTIME_DIR") == NULL && !is_path) || getenv("WAYLAND_SOCKET") != NULL) {
        return NULL;
    }
    struct ui_wayland *wayland = calloc(1, sizeof *wayland);
    if (wayland == NULL) {
        return NULL;
    }
    wayland->display = wl_display_connect(NULL);
    wayland->registry = wayland->display != NULL ? wl_display_get_registry(wayland->display) : NULL;
    if (wayland->registry == NULL) {
        ui_wayland_close(wayland);
        return NULL;
    }
    (void)wl_registry_add_listener(wayland->registry, &registry_listener, wayland);
    for (int i = 0; i < ROUNDS; i++) {
        if (wl_display_roundtrip(wayland->display) < 0) {
            ui_wayland_close(wayland);
            return NULL;
        }
    }
    return wayland;
}

void ui_wayland_close(struct ui_wayland *wayland)
{
    if (wayland == NULL) {
        return;
    }
    for (int i = 0; i < wayland->count; i++) {
        free_output(wayland->outputs[i]);
    }
    if (wayland->manager != NULL) {
        wl_proxy_destroy(wayland->manager);
    }
    if (wayland->registry != NULL) {
        wl_registry_destroy(wayland->registry);
    }
    if (wayland->display != NULL) {
        wl_display_disconnect(wayland->display);
    }
    free(wayland);
}

/* Takes what has come. */
static void listen(struct ui_wayland *wayland, int wait_ms)
{
    struct pollfd poll_for = {.fd = wl_display_get_fd(wayland->display), .events = POLLIN};
    if (wayland->gone) {
        return;
    }
    while (wl_display_prepare_read(wayland->display) != 0) {
        if (wl_display_dispatch_pending(wayland->display) < 0) {
            wayland->gone = true;
            return;
        }
    }
    (void)wl_display_flush(wayland->display);
    if (poll(&poll_for, 1, wait_ms) > 0) {
        wayland->gone = wl_display_read_events(wayland->display) < 0;
    } else {
        wl_display_cancel_read(wayland->display);
    }
    wayland->gone = wl_display_dispatch_pending(wayland->display) < 0 || wayland->gone;
}

bool ui_wayland_changed(struct ui_wayland *wayland)
{
    listen(wayland, 0);
    const bool changed = wayland->changed;
    wayland->changed = false;
    return changed;
}

bool ui_wayland_is_gone(struct ui_wayland *wayland, int wait_ms)
{
    listen(wayland, wait_ms);
    return wayland->gone;
}

bool ui_wayland_draws_frames(const struct ui_wayland *wayland)
{
    return wayland->draws_frames;
}

int ui_wayland_outputs(const struct ui_wayland *wayland,
                       struct ui_output outputs[static UI_OUTPUTS_MAX])
{
    for (int i = 0; i < wayland->count; i++) {
        const struct known *known = wayland->outputs[i];
        struct ui_output *output = &outputs[i];
        *output = (struct ui_output){.index = i, .place = known->place};
        if (known->place.width < 1) {
            output->place = (struct ui_rect){known->pixels.x, known->pixels.y,
                                             known->pixels.width / known->scale,
                                             known->pixels.height / known->scale};
        }
        copy(output->name, known->name);
        copy(output->description,
             known->description[0] != '\0' ? known->description : known->made_by);
    }
    return wayland->count;
}

#else

struct ui_wayland *ui_wayland_open(void)
{
    return NULL;
}

void ui_wayland_close(struct ui_wayland *wayland)
{
    (void)wayland;
}

bool ui_wayland_changed(struct ui_wayland *wayland)
{
    (void)wayland;
    return false;
}

bool ui_wayland_is_gone(struct ui_wayland *wayland, int wait_ms)
{
    (void)wayland;
    (void)wait_ms;
    return false;
}

bool ui_wayland_draws_frames(const struct ui_wayland *wayland)
{
    (void)wayland;
    return false;
}

int ui_wayland_outputs(const struct ui_wayland *wayland,
                       struct ui_output outputs[static UI_OUTPUTS_MAX])
{
    (void)wayland;
    (void)outputs;
    return 0;
}

#endif
