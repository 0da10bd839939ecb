/* The source `froth` of OBS: a painter's pictures as asynchronous frames, sound of another source
 * or of a track, settings and hotkeys from the rows of froth's command table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <obs-module.h>
#include <util/bmem.h>
#include <util/platform.h>
#include <util/threading.h>

#include "painter.h"

OBS_DECLARE_MODULE()
OBS_MODULE_USE_DEFAULT_LOCALE("froth", "en-US")

enum {
    SIZE_MIN = 16,
    SIZE_MOST = 8192,
    FPS_MAX = 1000,
    RATE_MAX = 240,
    THREADS_MAX = 64,
    SLIDER_MAX = 20, /* numbers of a wider range are typed */
    LEVELS = 4,
    PATH_ROOM = 4096,
    NAME_ROOM = 128,
};

/* Values of "audio": these, or "source:" and a name. */
static const char SOURCE_PREFIX[] = "source:";
static const char TRACK_PREFIX[] = "track:";
static const char NOBODY[] = "none";

struct hotkey {
    struct froth_source *owner;
    struct froth_value row;
    obs_hotkey_id id;
};

struct froth_source {
    obs_source_t *source;
    struct froth_painter *painter;

    /* What the settings said when they were last looked at. */
    char *playing;
    char *transition;
    double *applied; /* one for each row; a KEY's is no number before it was set */

    /* Written by updates, read by ticks, both in OBS's graphics thread. */
    int width;
    int height;
    double rate;

    pthread_mutex_t ear; /* of what follows; updates and other threads' sources */
    char *wanted;        /* value of "audio" */
    obs_weak_source_t *heard;
    long track; /* that is heard, from 0; -1: none */

    struct hotkey *hotkeys;
    size_t hotkey_count;
};

static bool is_value(const struct froth_value *row)
{
    return row->kind == FROTH_SWITCH || row->kind == FROTH_NUMBER || row->kind == FROTH_KEY;
}

/* ---- what is told ---- */

static void tell(void *user, const struct froth_message *message)
{
    (void)user;
    const int level = message->severity == FROTH_ERROR     ? LOG_WARNING
                      : message->severity == FROTH_WARNING ? LOG_INFO
                                                           : LOG_DEBUG;
    const char *hint = message->hint != NULL ? message->hint : "";
    blog(level, "[froth] %s:%u:%u: %s%s%s", message->file != NULL ? message->file : "froth",
         message->line, message->column, message->what, hint[0] != '\0' ? "; " : "", hint);
}

static void say(void *user, const char *what)
{
    const struct froth_source *self = user;
    blog(LOG_WARNING, "[froth] '%s': %s", obs_source_get_name(self->source), what);
}

/* ---- pictures ---- */

static void take(void *user, const struct froth_picture *picture)
{
    const struct froth_source *self = user;
    const struct obs_source_frame frame = {
        .data = {picture->pixels},
        .linesize = {(uint32_t)picture->stride},
        .width = (uint32_t)picture->width,
        .height = (uint32_t)picture->height,
        .timestamp = os_gettime_ns(),
        .format = VIDEO_FORMAT_BGRX,
        .full_range = true,
    };
    obs_source_output_video(self->source, &frame);
}

/* The size that was chosen, or the canvas's. */
static int size_of(int chosen, uint32_t canvas)
{
    const uint32_t size = chosen > 0 ? (uint32_t)chosen : canvas;
    return size < SIZE_MIN ? SIZE_MIN : size > SIZE_MOST ? SIZE_MOST : (int)size;
}

static void tick(void *data, float seconds)
{
    struct froth_source *self = data;
    struct obs_video_info canvas;
    if (obs_get_video_info(&canvas)) {
        froth_painter_tick(self->painter, seconds, size_of(self->width, canvas.base_width),
                           size_of(self->height, canvas.base_height), self->rate);
    }
}

static void shown(void *data)
{
    const struct froth_source *self = data;
    froth_painter_show(self->painter, true);
}

static void hidden(void *data)
{
    const struct froth_source *self = data;
    froth_painter_show(self->painter, false);
}

/* ---- sound ---- */

static void hear(struct froth_source *self, const struct audio_data *sound, bool muted)
{
    const float *const silence[1] = {NULL};
    const size_t channels = audio_output_get_channels(obs_get_audio());
    if (muted) {
        froth_painter_hear(self->painter, silence, 1, sound->frames);
    } else {
        froth_painter_hear(self->painter, (const float *const *)(const void *)sound->data, channels,
                           sound->frames);
    }
}

static void hear_source(void *param, obs_source_t *source, const struct audio_data *sound,
                        bool muted)
{
    (void)source;
    hear(param, sound, muted);
}

static void hear_track(void *param, size_t track, struct audio_data *sound)
{
    (void)track;
    hear(param, sound, false);
}

/* Holds the lock of the ear. */
static void listen_no_more(struct froth_source *self)
{
    if (self->track >= 0) {
        audio_output_disconnect(obs_get_audio(), (size_t)self->track, hear_track, self);
        self->track = -1;
    }
    obs_source_t *heard = obs_weak_source_get_source(self->heard);
    if (heard != NULL) {
        obs_source_remove_audio_capture_callback(heard, hear_source, self);
        obs_source_release(heard);
    }
    obs_weak_source_release(self->heard);
    self->heard = NULL;
}

/* Holds the lock of the ear. */
static bool is_listening(const struct froth_source *self)
{
    return self->track >= 0 || (self->heard != NULL && !obs_weak_source_expired(self->heard));
}

static const char *wanted_source(const struct froth_source *self)
{
    const size_t length = sizeof SOURCE_PREFIX - 1;
    return strncmp(self->wanted, SOURCE_PREFIX, length) == 0 ? self->wanted + length : NULL;
}

/* Holds the lock of the ear. */
static void listen_to_source(struct froth_source *self, obs_source_t *source)
{
    if (source != self->source && (obs_source_get_output_flags(source) & OBS_SOURCE_AUDIO) != 0) {
        self->heard = obs_source_get_weak_source(source);
        obs_source_add_audio_capture_callback(source, hear_source, self);
    }
}

static void listen(struct froth_source *self, const char *wanted)
{
    const size_t prefix = sizeof TRACK_PREFIX - 1;
    pthread_mutex_lock(&self->ear);
    const bool same = self->wanted != NULL && strcmp(self->wanted, wanted) == 0;
    if (!same || !is_listening(self)) {
        listen_no_more(self);
        bfree(self->wanted);
        self->wanted = bstrdup(wanted);
        const char *name = wanted_source(self);
        obs_source_t *source = name != NULL ? obs_get_source_by_name(name) : NULL;
        if (source != NULL) {
            listen_to_source(self, source);
            obs_source_release(source);
        } else if (strncmp(wanted, TRACK_PREFIX, prefix) == 0) {
            const long track = strtol(wanted + prefix, NULL, 10) - 1;
            if (track >= 0 && track < MAX_AUDIO_MIXES &&
                audio_output_connect(obs_get_audio(), (size_t)track, NULL, hear_track, self)) {
                self->track = track;
            }
        }
    }
    pthread_mutex_unlock(&self->ear);
}

/* A source has this name from now on: it may be the one that is to be heard. */
static void source_named(struct froth_source *self, obs_source_t *source, const char *name)
{
    pthread_mutex_lock(&self->ear);
    const char *wanted = self->wanted != NULL ? wanted_source(self) : NULL;
    if (wanted != NULL && name != NULL && strcmp(wanted, name) == 0 && !is_listening(self)) {
        listen_no_more(self);
        listen_to_source(self, source);
    }
    pthread_mutex_unlock(&self->ear);
}

static void source_created(void *param, calldata_t *data)
{
    obs_source_t *source = calldata_ptr(data, "source");
    source_named(param, source, obs_source_get_name(source));
}

static void source_renamed(void *param, calldata_t *data)
{
    source_named(param, calldata_ptr(data, "source"), calldata_string(data, "new_name"));
}

/* A source that is heard under another name is heard on. */
static void save(void *data, obs_data_t *settings)
{
    struct froth_source *self = data;
    pthread_mutex_lock(&self->ear);
    obs_source_t *heard = obs_weak_source_get_source(self->heard);
    const char *name = heard != NULL ? obs_source_get_name(heard) : NULL;
    const char *asked = obs_data_get_string(settings, "audio");
    if (name != NULL && strcmp(asked, self->wanted) == 0 &&
        strcmp(wanted_source(self), name) != 0) {
        const size_t size = sizeof SOURCE_PREFIX + strlen(name);
        char *value = bmalloc(size);
        (void)snprintf(value, size, "%s%s", SOURCE_PREFIX, name);
        obs_data_set_string(settings, "audio", value);
        bfree(self->wanted);
        self->wanted = value;
    }
    obs_source_release(heard);
    pthread_mutex_unlock(&self->ear);
    /* Live changes go with the preset that they are of. */
    const size_t count = froth_value_count();
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (froth_value_info(i, &row) == FROTH_OK && row.kind == FROTH_KEY) {
            obs_data_unset_user_value(settings, row.name);
        }
    }
}

/* ---- settings ---- */

/* The show of a source before anything is set. */
static void begin_config(struct froth_config *config)
{
    (void)froth_config_begin(config, sizeof *config);
    config->random = 1;
}

/* Presets that were installed with this module: in share/froth/presets below a folder that it lies
 * in, so that all may be moved as one piece; else those that were there when it was built. */
static char *find_presets(void)
{
    char path[PATH_ROOM];
    const char *named = getenv("FROTH_PRESETS");
    if (named != NULL) {
        return bstrdup(named);
    }
    char *folder = os_get_abs_path_ptr(obs_get_module_binary_path(obs_current_module()));
    for (int up = 0; up < LEVELS && folder != NULL; up++) {
        char *end = strrchr(folder, '/');
        if (end == NULL) {
            break;
        }
        *end = '\0';
        const int length = snprintf(path, sizeof path, "%s/share/froth/presets", folder);
        if (length > 0 && (size_t)length < sizeof path && os_file_exists(path)) {
            bfree(folder);
            return bstrdup(path);
        }
    }
    bfree(folder);
    return bstrdup(FROTH_PRESETS);
}

/* What the settings say is to be shown; "" if it is not named. Free it with bfree. */
static char *find_show(obs_data_t *settings)
{
    const char *show = obs_data_get_string(settings, "show");
    return strcmp(show, "file") == 0     ? bstrdup(obs_data_get_string(settings, "file"))
           : strcmp(show, "folder") == 0 ? bstrdup(obs_data_get_string(settings, "folder"))
                                         : find_presets();
}

static void update_values(struct froth_source *self, obs_data_t *settings)
{
    const size_t count = froth_value_count();
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (froth_value_info(i, &row) != FROTH_OK || !is_value(&row) ||
            (row.kind == FROTH_KEY && !obs_data_has_user_value(settings, row.name))) {
            continue;
        }
        const double value = row.kind == FROTH_SWITCH
                                 ? (obs_data_get_bool(settings, row.name) ? 1 : 0)
                                 : obs_data_get_double(settings, row.name);
        if (value != self->applied[i] && froth_painter_set(self->painter, row.name, value)) {
            self->applied[i] = value;
        }
    }
}

/* OBS calls it in its graphics thread: nothing here waits for the painter. */
static void update(void *data, obs_data_t *settings)
{
    struct froth_source *self = data;
    self->width = (int)obs_data_get_int(settings, "width");
    self->height = (int)obs_data_get_int(settings, "height");
    self->rate = obs_data_get_double(settings, "rate");
    update_values(self, settings);
    const char *transition = obs_data_get_string(settings, "transition");
    if (strcmp(self->transition, transition) != 0) {
        char words[NAME_ROOM];
        (void)snprintf(words, sizeof words, "transition %s", transition);
        (void)froth_painter_do(self->painter, words);
        bfree(self->transition);
        self->transition = bstrdup(transition);
    }
    char *show = find_show(settings);
    if (strcmp(self->playing, show) != 0) {
        if (show[0] != '\0') {
            (void)froth_painter_play(self->painter, show);
        }
        bfree(self->playing);
        self->playing = show;
    } else {
        bfree(show);
    }
    listen(self, obs_data_get_string(settings, "audio"));
}

/* Stores the value that each row has when nobody sets it: that of a small show of its own. */
static void find_usual(double *values, size_t count)
{
    struct froth_config config;
    begin_config(&config);
    config.exact = 1;
    config.threads = 1;
    config.width = config.height = SIZE_MIN;
    froth *small = froth_create(&config, NULL);
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        values[i] = 0;
        if (froth_value_info(i, &row) == FROTH_OK && is_value(&row)) {
            (void)froth_get(small, row.name, &values[i]);
        }
    }
    froth_free(small);
}

static void set_defaults(obs_data_t *settings)
{
    const size_t count = froth_value_count();
    double *usual = bzalloc(count * sizeof *usual);
    find_usual(usual, count);
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (froth_value_info(i, &row) != FROTH_OK || !is_value(&row)) {
            continue;
        }
        if (row.kind == FROTH_SWITCH) {
            obs_data_set_default_bool(settings, row.name, usual[i] != 0);
        } else {
            obs_data_set_default_double(settings, row.name, usual[i]);
        }
    }
    bfree(usual);
    obs_data_set_default_string(settings, "show", "presets");
    obs_data_set_default_string(settings, "audio", "track:1");
    obs_data_set_default_string(settings, "transition", "random");
}

/* ---- the dialog ---- */

static bool kind_chosen(obs_properties_t *properties, obs_property_t *property,
                        obs_data_t *settings)
{
    (void)property;
    const char *show = obs_data_get_string(settings, "show");
    obs_property_set_visible(obs_properties_get(properties, "file"), strcmp(show, "file") == 0);
    obs_property_set_visible(obs_properties_get(properties, "folder"), strcmp(show, "folder") == 0);
    return true;
}

static void add_show(obs_properties_t *properties)
{
    obs_property_t *show = obs_properties_add_list(properties, "show", obs_module_text("Show"),
                                                   OBS_COMBO_TYPE_LIST, OBS_COMBO_FORMAT_STRING);
    obs_property_list_add_string(show, obs_module_text("Show.Presets"), "presets");
    obs_property_list_add_string(show, obs_module_text("Show.File"), "file");
    obs_property_list_add_string(show, obs_module_text("Show.Folder"), "folder");
    obs_property_set_modified_callback(show, kind_chosen);
    char kinds[2 * NAME_ROOM];
    (void)snprintf(kinds, sizeof kinds, "%s (*.milk *.fnp *.m3u *.m3u8 *.txt *.yaml);;%s (*)",
                   obs_module_text("File.Kinds"), obs_module_text("File.All"));
    (void)obs_properties_add_path(properties, "file", obs_module_text("File"), OBS_PATH_FILE, kinds,
                                  NULL);
    (void)obs_properties_add_path(properties, "folder", obs_module_text("Folder"),
                                  OBS_PATH_DIRECTORY, NULL, NULL);
}

static bool add_audio_source(void *param, obs_source_t *source)
{
    obs_property_t *list = param;
    const char *name = obs_source_get_name(source);
    if ((obs_source_get_output_flags(source) & OBS_SOURCE_AUDIO) != 0 && name != NULL) {
        const size_t size = sizeof SOURCE_PREFIX + strlen(name);
        char *value = bmalloc(size);
        (void)snprintf(value, size, "%s%s", SOURCE_PREFIX, name);
        obs_property_list_add_string(list, name, value);
        bfree(value);
    }
    return true;
}

static void add_audio(obs_properties_t *properties)
{
    obs_property_t *list = obs_properties_add_list(properties, "audio", obs_module_text("Audio"),
                                                   OBS_COMBO_TYPE_LIST, OBS_COMBO_FORMAT_STRING);
    obs_property_list_add_string(list, obs_module_text("Audio.None"), NOBODY);
    for (int track = 1; track <= MAX_AUDIO_MIXES; track++) {
        char name[NAME_ROOM];
        char value[NAME_ROOM];
        (void)snprintf(name, sizeof name, obs_module_text("Audio.Track"), track);
        (void)snprintf(value, sizeof value, "%s%d", TRACK_PREFIX, track);
        obs_property_list_add_string(list, name, value);
    }
    obs_enum_sources(add_audio_source, list);
}

static void add_transition(obs_properties_t *properties)
{
    obs_property_t *list =
        obs_properties_add_list(properties, "transition", obs_module_text("Transition"),
                                OBS_COMBO_TYPE_LIST, OBS_COMBO_FORMAT_STRING);
    obs_property_list_add_string(list, "random", "random");
    obs_property_list_add_string(list, "cut", "cut");
    for (size_t i = 0; froth_transition_name(i) != NULL; i++) {
        obs_property_list_add_string(list, froth_transition_name(i), froth_transition_name(i));
    }
}

static obs_property_t *add_number(obs_properties_t *group, const struct froth_value *row)
{
    return row->high - row->low <= SLIDER_MAX
               ? obs_properties_add_float_slider(group, row->name, row->name, row->low, row->high,
                                                 0.001)
               : obs_properties_add_float(group, row->name, row->name, row->low, row->high, 0.01);
}

static bool press(obs_properties_t *properties, obs_property_t *property, void *data)
{
    (void)properties;
    const struct froth_source *self = data;
    if (self != NULL) {
        (void)froth_painter_do(self->painter, obs_property_name(property));
    }
    return false;
}

/* Rows that do something, and are called without an argument. */
static bool is_plain_action(const struct froth_value *row)
{
    return row->kind == FROTH_ACTION && (row->argument[0] == '\0' || row->argument[0] == '[');
}

static void add_rows(obs_properties_t *values, obs_properties_t *keys, void *data)
{
    const size_t count = froth_value_count();
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (froth_value_info(i, &row) != FROTH_OK ||
            !(is_value(&row) || (is_plain_action(&row) && data != NULL))) {
            continue;
        }
        obs_properties_t *group = row.kind == FROTH_KEY ? keys : values;
        obs_property_t *property =
            row.kind == FROTH_SWITCH ? obs_properties_add_bool(group, row.name, row.name)
            : row.kind == FROTH_ACTION
                ? obs_properties_add_button2(group, row.name, row.name, press, data)
                : add_number(group, &row);
        obs_property_set_long_description(property, row.help);
    }
}

/* The dialog shows the numbers of the preset that runs, which are nobody's wish yet. */
static void show_keys(struct froth_source *self)
{
    const size_t count = froth_value_count();
    double *values = bzalloc(count * sizeof *values);
    obs_data_t *settings = obs_source_get_settings(self->source);
    if (froth_painter_look(self->painter, values, count)) {
        for (size_t i = 0; i < count; i++) {
            struct froth_value row;
            if (froth_value_info(i, &row) == FROTH_OK && row.kind == FROTH_KEY) {
                obs_data_unset_user_value(settings, row.name);
                obs_data_set_default_double(settings, row.name, values[i]);
                self->applied[i] = (double)NAN;
            }
        }
    }
    obs_data_release(settings);
    bfree(values);
}

static obs_properties_t *get_properties(void *data)
{
    obs_properties_t *properties = obs_properties_create();
    add_show(properties);
    add_audio(properties);
    const int width = SIZE_MOST;
    obs_property_t *property =
        obs_properties_add_int(properties, "width", obs_module_text("Width"), 0, width, 2);
    obs_property_set_long_description(property, obs_module_text("Size.Help"));
    property = obs_properties_add_int(properties, "height", obs_module_text("Height"), 0, width, 2);
    obs_property_set_long_description(property, obs_module_text("Size.Help"));
    property =
        obs_properties_add_float(properties, "rate", obs_module_text("Rate"), 0, RATE_MAX, 1);
    obs_property_set_long_description(property, obs_module_text("Rate.Help"));
    add_transition(properties);
    property = obs_properties_add_int(properties, "threads", obs_module_text("Threads"), 0,
                                      THREADS_MAX, 1);
    obs_property_set_long_description(property, obs_module_text("Threads.Help"));
    property = obs_properties_add_int(properties, "seed", obs_module_text("Seed"), 0, INT32_MAX, 1);
    obs_property_set_long_description(property, obs_module_text("Seed.Help"));

    obs_properties_t *values = obs_properties_create();
    obs_properties_t *keys = obs_properties_create();
    add_rows(values, keys, data);
    (void)obs_properties_add_group(properties, "values", obs_module_text("Values"),
                                   OBS_GROUP_NORMAL, values);
    (void)obs_properties_add_group(properties, "keys", obs_module_text("Keys"), OBS_GROUP_NORMAL,
                                   keys);
    if (data != NULL) {
        show_keys(data);
    }
    return properties;
}

/* ---- hotkeys ---- */

/* A switch is turned in the settings, so that the dialog and the scene collection know of it. */
static void hotkey_pressed(void *data, obs_hotkey_id id, obs_hotkey_t *key, bool pressed)
{
    (void)id;
    (void)key;
    const struct hotkey *hotkey = data;
    const struct froth_source *self = hotkey->owner;
    if (!pressed) {
        return;
    }
    if (hotkey->row.kind == FROTH_ACTION) {
        (void)froth_painter_do(self->painter, hotkey->row.name);
        return;
    }
    obs_data_t *settings = obs_source_get_settings(self->source);
    obs_data_set_bool(settings, hotkey->row.name, !obs_data_get_bool(settings, hotkey->row.name));
    obs_data_release(settings);
    obs_source_update(self->source, NULL);
}

static void register_hotkeys(struct froth_source *self)
{
    const size_t count = froth_value_count();
    self->hotkeys = bzalloc(count * sizeof *self->hotkeys);
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (froth_value_info(i, &row) != FROTH_OK ||
            !(row.kind == FROTH_SWITCH || is_plain_action(&row))) {
            continue;
        }
        char name[NAME_ROOM];
        char text[2 * NAME_ROOM];
        (void)snprintf(name, sizeof name, "froth.%s", row.name);
        (void)snprintf(text, sizeof text, "%s: %s", row.name, row.help);
        struct hotkey *hotkey = &self->hotkeys[self->hotkey_count++];
        hotkey->owner = self;
        hotkey->row = row;
        hotkey->id = obs_hotkey_register_source(self->source, name, text, hotkey_pressed, hotkey);
    }
}

/* ---- its life ---- */

static struct froth_painter *create_painter(struct froth_source *self, obs_data_t *settings)
{
    const struct froth_painter_setup setup = {.take = take, .say = say, .user = self};
    struct obs_video_info canvas;
    struct froth_config config;
    begin_config(&config);
    config.threads = (int)obs_data_get_int(settings, "threads");
    config.seed = (uint64_t)obs_data_get_int(settings, "seed");
    config.message = tell;
    if (obs_get_video_info(&canvas)) {
        config.width = size_of(0, canvas.base_width);
        config.height = size_of(0, canvas.base_height);
        if (canvas.fps_den <= 1001 && canvas.fps_num / canvas.fps_den <= FPS_MAX) {
            config.fps_numerator = canvas.fps_num;
            config.fps_denominator = canvas.fps_den;
        }
    }
    struct froth_painter *painter =
        froth_painter_create(&config, audio_output_get_sample_rate(obs_get_audio()), &setup);
    if (painter == NULL) {
        blog(LOG_ERROR, "[froth] '%s': no memory or thread to paint with",
             obs_source_get_name(self->source));
    }
    return painter;
}

static void destroy(void *data)
{
    struct froth_source *self = data;
    signal_handler_disconnect(obs_get_signal_handler(), "source_create", source_created, self);
    signal_handler_disconnect(obs_get_signal_handler(), "source_rename", source_renamed, self);
    for (size_t i = 0; i < self->hotkey_count; i++) {
        obs_hotkey_unregister(self->hotkeys[i].id);
    }
    pthread_mutex_lock(&self->ear);
    listen_no_more(self);
    pthread_mutex_unlock(&self->ear);
    froth_painter_free(self->painter);
    pthread_mutex_destroy(&self->ear);
    bfree(self->hotkeys);
    bfree(self->wanted);
    bfree(self->playing);
    bfree(self->transition);
    bfree(self->applied);
    bfree(self);
}

static void *create(obs_data_t *settings, obs_source_t *source)
{
    struct froth_source *self = bzalloc(sizeof *self);
    const size_t count = froth_value_count();
    self->source = source;
    self->track = -1;
    self->playing = bstrdup("");
    self->transition = bstrdup("random");
    self->applied = bzalloc(count * sizeof *self->applied);
    find_usual(self->applied, count);
    pthread_mutex_init(&self->ear, NULL);
    self->painter = create_painter(self, settings);
    if (self->painter == NULL) {
        destroy(self);
        return NULL;
    }
    /* The newest picture is the one that is shown: none waits for its time. */
    obs_source_set_async_unbuffered(source, true);
    signal_handler_connect(obs_get_signal_handler(), "source_create", source_created, self);
    signal_handler_connect(obs_get_signal_handler(), "source_rename", source_renamed, self);
    register_hotkeys(self);
    update(self, settings);
    return self;
}

static const char *get_name(void *type_data)
{
    (void)type_data;
    return obs_module_text("Froth");
}

bool obs_module_load(void)
{
    const struct obs_source_info info = {
        .id = "froth",
        .type = OBS_SOURCE_TYPE_INPUT,
        .output_flags = OBS_SOURCE_ASYNC_VIDEO,
        .get_name = get_name,
        .create = create,
        .destroy = destroy,
        .get_defaults = set_defaults,
        .get_properties = get_properties,
        .update = update,
        .show = shown,
        .hide = hidden,
        .video_tick = tick,
        .save = save,
        .icon_type = OBS_ICON_TYPE_MEDIA,
    };
    if (froth_abi() != FROTH_ABI) {
        blog(LOG_ERROR, "[froth] libfroth %s is of another interface", froth_version());
        return false;
    }
    obs_register_source(&info);
    return true;
}
