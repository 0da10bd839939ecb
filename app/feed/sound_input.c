#include "app/feed/sound_input.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/live.h"
#include "app/io/pulse.h"
#include "base/os/json.h"
#include "base/text.h"

static const char *const system_names[] = {
    [APP_SOUND_PULSE] = "pulse", [APP_SOUND_PORTAUDIO] = "portaudio"};

_Static_assert((int)APP_PULSE_NAME == (int)APP_SOUND_NAME &&
                   (int)APP_LIVE_NAME == (int)APP_SOUND_NAME,
               "names are copied whole");

static void add(struct app_sound_list *list, const struct app_sound_device *device)
{
    if (list->count < APP_SOUND_DEVICES) {
        list->items[list->count++] = *device;
    }
}

static void add_pulse(struct app_sound_list *list)
{
    struct app_pulse_device found[APP_PULSE_DEVICES];
    const size_t count = app_pulse_devices(found, APP_PULSE_DEVICES);
    for (size_t i = 0; i < count; i++) {
        struct app_sound_device device = {.system = APP_SOUND_PULSE,
                                          .inputs = 2,
                                          .monitor = found[i].monitor,
                                          .usual = found[i].usual};
        memcpy(device.name, found[i].name, sizeof device.name);
        memcpy(device.id, found[i].id, sizeof device.id);
        add(list, &device);
    }
}

static int add_portaudio(struct app_sound_list *list, const struct base_diag_sink *sink)
{
    struct app_live_device found[APP_SOUND_DEVICES];
    size_t count = 0;
    const int result = app_live_devices(found, APP_SOUND_DEVICES, &count, sink);
    for (size_t i = 0; i < count; i++) {
        struct app_sound_device device = {.system = APP_SOUND_PORTAUDIO,
                                          .inputs = found[i].inputs,
                                          .outputs = found[i].outputs,
                                          .usual = found[i].usual_input || found[i].usual_output};
        memcpy(device.name, found[i].name, sizeof device.name);
        memcpy(device.id, found[i].name, sizeof device.id);
        add(list, &device);
    }
    return result;
}

static bool name_taken(const struct app_sound_list *list, size_t index)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i != index && strcmp(list->items[i].name, list->items[index].name) == 0) {
            return true;
        }
    }
    return false;
}

int app_sound_list_fill(struct app_sound_list *list, const struct base_diag_sink *sink)
{
    list->count = 0;
    add_pulse(list);
    const int result = add_portaudio(list, sink);
    /* Two cards of one make have one name, which gets the card's own behind it. */
    bool shared[APP_SOUND_DEVICES];
    for (size_t i = 0; i < list->count; i++) {
        shared[i] = name_taken(list, i);
    }
    for (size_t i = 0; i < list->count; i++) {
        struct app_sound_device *device = &list->items[i];
        const size_t length = strlen(device->name);
        if (shared[i]) {
            (void)snprintf(device->name + length, sizeof device->name - length, " (%s)",
                           device->system == APP_SOUND_PULSE ? device->id : "PortAudio");
        }
        if (shared[i] && name_taken(list, i)) {
            (void)snprintf(device->name, sizeof device->name, "%zu %.100s", i, device->id);
        }
    }
    return result;
}

static bool contains(const char *text, const char *part)
{
    const struct base_span wanted = base_span_of(part);
    const size_t size = strlen(text);
    for (size_t i = 0; i + wanted.size <= size; i++) {
        if (base_span_equal_nocase((struct base_span){text + i, wanted.size}, wanted)) {
            return true;
        }
    }
    return false;
}

const struct app_sound_device *app_sound_list_find(const struct app_sound_list *list,
                                                   const char *text)
{
    char *end = NULL;
    const unsigned long number = strtoul(text, &end, 10);
    if (isdigit((unsigned char)text[0]) && *end == '\0') {
        const bool exists = number < list->count && list->items[number].inputs > 0;
        return exists ? &list->items[number] : NULL;
    }
    const struct app_sound_device *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct app_sound_device *device = &list->items[i];
        if (device->inputs == 0) {
            continue;
        }
        if (strcmp(device->name, text) == 0 || strcmp(device->id, text) == 0) {
            return device;
        }
        if (found == NULL && (contains(device->name, text) || contains(device->id, text))) {
            found = device;
        }
    }
    return found;
}

static void print_json(const struct app_sound_device *device, size_t number, FILE *out)
{
    (void)fprintf(out, "{\"number\":%zu,\"name\":", number);
    base_json_string(out, device->name);
    (void)fprintf(out, ",\"system\":\"%s\",\"inputs\":%d,\"outputs\":%d,\"monitor\":%s,",
                  system_names[device->system], device->inputs, device->outputs,
                  device->monitor ? "true" : "false");
    (void)fprintf(out, "\"usual\":%s}\n", device->usual ? "true" : "false");
}

static void print_plain(const struct app_sound_device *device, size_t number, FILE *out)
{
    (void)fprintf(out, "%3zu  %s  (%s, ", number, device->name, system_names[device->system]);
    if (device->system == APP_SOUND_PULSE) {
        (void)fputs(device->monitor ? "what an output plays" : "input", out);
    } else {
        (void)fprintf(out, "%d in, %d out", device->inputs, device->outputs);
    }
    (void)fputs(device->usual ? ", usual)\n" : ")\n", out);
}

void app_sound_list_print(const struct app_sound_list *list, bool json, FILE *out)
{
    for (size_t i = 0; i < list->count; i++) {
        (json ? print_json : print_plain)(&list->items[i], i, out);
    }
    if (list->count == 0 && !json) {
        (void)fputs("no sound devices found\n", out);
    }
}

static void report(const struct base_diag_sink *sink, enum base_severity severity, const char *text)
{
    base_report(sink, severity, (struct base_place){0}, NULL, "%s", text);
}

static struct app_sound_input *create(const struct base_diag_sink *sink)
{
    struct app_sound_input *input = calloc(1, sizeof *input);
    if (input == NULL) {
        report(sink, BASE_ERROR, "not enough memory");
    }
    return input;
}

static void set_name(struct app_sound_input *input, const char *name)
{
    (void)snprintf(input->name, sizeof input->name, "%s", name);
}

static int open_device(struct app_sound_input *input, const struct base_diag_sink *sink)
{
    const char *id = input->id[0] != '\0' ? input->id : NULL;
    if (input->system == APP_SOUND_PULSE) {
        input->pulse = app_pulse_listen(id, sink);
        if (input->pulse != NULL) {
            set_name(input, app_pulse_name(input->pulse));
        }
        return input->pulse != NULL ? 0 : -1;
    }
    input->live = app_live_listen(id, sink);
    if (input->live != NULL) {
        set_name(input, app_live_name(input->live));
    }
    return input->live != NULL ? 0 : -1;
}

struct app_sound_input *app_sound_input_listen(enum app_sound_system system, const char *id,
                                               const struct base_diag_sink *sink)
{
    struct app_sound_input *input = create(sink);
    if (input == NULL) {
        return NULL;
    }
    input->system = system;
    input->monitor = system == APP_SOUND_PULSE && id == NULL;
    (void)snprintf(input->id, sizeof input->id, "%s", id != NULL ? id : "");
    if (open_device(input, sink) != 0) {
        app_sound_input_close(input);
        return NULL;
    }
    return input;
}

/* Returns 0, or -1 with a message. */
static int start_at(struct app_sound_input *input, double start, const struct base_diag_sink *sink)
{
    const double seconds = app_audio_seconds(input->source);
    if (start > 0 && seconds >= 0 && start >= seconds) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "--start is behind the end of the sound, which has %.3f seconds", seconds);
        return -1;
    }
    input->begin = start > 0 ? (uint64_t)(start * APP_AUDIO_RATE + 0.5) : 0;
    if (input->begin > 0 && app_audio_seek(input->source, input->begin) != 0) {
        report(sink, BASE_WARNING, "this sound cannot start in the middle; it starts at 0");
        input->begin = 0;
    }
    return 0;
}

struct app_sound_input *app_sound_input_play(const char *name, double start,
                                             const struct base_diag_sink *sink)
{
    struct app_sound_input *input = create(sink);
    if (input == NULL) {
        return NULL;
    }
    input->source = app_audio_open(name, sink);
    if (input->source == NULL || start_at(input, start, sink) != 0) {
        app_sound_input_close(input);
        return NULL;
    }
    const char *slash = strrchr(name, '/');
    set_name(input, slash != NULL ? slash + 1 : name);
    input->live = app_live_play(input->source, NULL);
    if (input->live == NULL) {
        input->paced = true;
        report(sink, BASE_NOTE, "no sound output: the picture goes on without being heard");
    }
    return input;
}

void app_sound_input_close(struct app_sound_input *input)
{
    if (input != NULL) {
        app_sound_input_shut(input);
        app_audio_close(input->source);
        free(input);
    }
}

void app_sound_input_shut(struct app_sound_input *input)
{
    app_pulse_close(input->pulse);
    app_live_close(input->live);
    input->pulse = NULL;
    input->live = NULL;
}

int app_sound_input_reopen(struct app_sound_input *input, const struct base_diag_sink *sink)
{
    if (input->source == NULL) {
        return open_device(input, sink);
    }
    input->live = app_live_play(input->source, sink);
    return input->live != NULL ? 0 : -1;
}

bool app_sound_input_lost(const struct app_sound_input *input)
{
    return input->pulse != NULL ? app_pulse_lost(input->pulse)
                                : input->live != NULL && app_live_lost(input->live);
}
