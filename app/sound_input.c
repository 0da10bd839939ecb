#include "app/sound_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
