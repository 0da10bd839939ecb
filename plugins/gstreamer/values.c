/* Properties of the element: its own, and one for each row of froth's command table that lasts. */
#include "element.h"

enum {
    PROPERTY_NONE,
    PROPERTY_PRESET,
    PROPERTY_PLAYLIST,
    PROPERTY_TRANSITION,
    PROPERTY_SEED,
    PROPERTY_THREADS,
    PROPERTY_EXACT,
    PROPERTY_QOS,
    PROPERTY_TITLE,
    PROPERTY_ROWS, /* the rows of the table follow */
};

enum { TITLE_MAX = 1024, LEVELS = 4 };

static const GParamFlags FLAGS = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

static gboolean is_value(const struct froth_value *row)
{
    return row->kind == FROTH_SWITCH || row->kind == FROTH_NUMBER || row->kind == FROTH_KEY;
}

/* ---- what is shown ---- */

/* Presets that were installed with this plug-in, or NULL: in share/froth/presets below a folder
 * that it lies in, so that all may be moved as one piece. Free it. */
static gchar *find_beside(FrothElement *self)
{
    GstElementFactory *factory = gst_element_get_factory(GST_ELEMENT(self));
    GstPlugin *plugin =
        factory != NULL ? gst_plugin_feature_get_plugin(GST_PLUGIN_FEATURE(factory)) : NULL;
    const gchar *file = plugin != NULL ? gst_plugin_get_filename(plugin) : NULL;
    gchar *found = NULL;
    gchar *folder = file != NULL ? g_path_get_dirname(file) : NULL;
    for (int up = 0; up < LEVELS && folder != NULL && found == NULL; up++) {
        gchar *above = g_path_get_dirname(folder);
        g_free(folder);
        folder = above;
        found = g_build_filename(folder, "share", "froth", "presets", NULL);
        if (!g_file_test(found, G_FILE_TEST_IS_DIR)) {
            g_clear_pointer(&found, g_free);
        }
    }
    g_free(folder);
    gst_clear_object(&plugin);
    return found;
}

/* The presets that the program would play; NULL if there are none. Free it. */
static gchar *find_presets(FrothElement *self)
{
    const gchar *named = g_getenv("FROTH_PRESETS");
    gchar *beside = named == NULL ? find_beside(self) : NULL;
    const gchar *folder = named != NULL ? named : FROTH_PRESETS;
    return beside != NULL                            ? beside
           : g_file_test(folder, G_FILE_TEST_EXISTS) ? g_strdup(folder)
                                                     : NULL;
}

gboolean froth_element_load(FrothElement *self)
{
    const struct settings *settings = &self->settings;
    gchar *playlist = settings->playlist != NULL ? g_strdup(settings->playlist)
                      : settings->preset == NULL ? find_presets(self)
                                                 : NULL;
    const gboolean has_list = playlist != NULL;
    const gboolean has_presets = !has_list || froth_playlist_add(self->show, playlist) > 0;
    if (!has_presets) {
        GST_ELEMENT_ERROR(self, RESOURCE, OPEN_READ, ("no presets in '%s'", playlist),
                          ("the property playlist takes a folder, a list or a preset"));
    }
    g_free(playlist);
    if (!has_presets) {
        return FALSE;
    }
    if (settings->preset != NULL &&
        froth_load_file(self->show, settings->preset, FROTH_HARD) != FROTH_OK) {
        GST_ELEMENT_ERROR(self, RESOURCE, OPEN_READ,
                          ("the preset '%s' cannot be shown", settings->preset), (NULL));
        return FALSE;
    }
    if (!has_list && settings->preset == NULL) {
        GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND, ("no preset to show"),
                          ("set one of the properties preset and playlist"));
        return FALSE;
    }
    return TRUE;
}

/* A host changes what is shown while it runs: what cannot be loaded is said, and the show goes on.
 */
static void load_again(FrothElement *self, guint property)
{
    const struct settings *settings = &self->settings;
    if (self->show == NULL) {
        return;
    }
    if (property == PROPERTY_PRESET && settings->preset != NULL) {
        if (froth_load_file(self->show, settings->preset, FROTH_SOFT) != FROTH_OK) {
            GST_ELEMENT_WARNING(self, RESOURCE, OPEN_READ,
                                ("the preset '%s' cannot be shown", settings->preset), (NULL));
        }
    } else if (property == PROPERTY_PLAYLIST) {
        (void)froth_playlist_clear(self->show);
        if (settings->playlist != NULL && froth_playlist_add(self->show, settings->playlist) <= 0) {
            GST_ELEMENT_WARNING(self, RESOURCE, OPEN_READ,
                                ("no presets in '%s'", settings->playlist), (NULL));
        }
    }
}

void froth_element_apply_values(FrothElement *self)
{
    const size_t count = froth_value_count();
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (self->settings.chosen[i] && froth_value_info(i, &row) == FROTH_OK) {
            (void)froth_set(self->show, row.name, self->settings.values[i]);
        }
    }
}

/* ---- properties ---- */

static void set_value(FrothElement *self, size_t index, const GValue *value)
{
    struct froth_value row;
    if (froth_value_info(index, &row) != FROTH_OK) {
        return;
    }
    const gdouble number =
        row.kind == FROTH_SWITCH ? (g_value_get_boolean(value) ? 1 : 0) : g_value_get_double(value);
    self->settings.values[index] = number;
    self->settings.chosen[index] = TRUE;
    if (self->show != NULL) {
        (void)froth_set(self->show, row.name, number);
    }
}

static void get_value(FrothElement *self, size_t index, GValue *value)
{
    struct froth_value row;
    if (froth_value_info(index, &row) != FROTH_OK) {
        return;
    }
    double number = self->settings.values[index];
    if (self->show != NULL) {
        (void)froth_get(self->show, row.name, &number);
    }
    if (row.kind == FROTH_SWITCH) {
        g_value_set_boolean(value, number != 0);
    } else {
        g_value_set_double(value, number);
    }
}

static void replace(gchar **text, const GValue *value)
{
    g_free(*text);
    *text = g_value_dup_string(value);
}

static void set_property(GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
    FrothElement *self = FROTH_ELEMENT(object);
    struct settings *settings = &self->settings;
    g_mutex_lock(&self->lock);
    switch (property) {
    case PROPERTY_PRESET:
        replace(&settings->preset, value);
        load_again(self, property);
        break;
    case PROPERTY_PLAYLIST:
        replace(&settings->playlist, value);
        load_again(self, property);
        break;
    case PROPERTY_TRANSITION:
        replace(&settings->transition, value);
        if (self->show != NULL && settings->transition != NULL) {
            gchar *words = g_strconcat("transition ", settings->transition, NULL);
            (void)froth_do(self->show, words);
            g_free(words);
        }
        break;
    case PROPERTY_SEED:
        settings->seed = g_value_get_uint64(value);
        break;
    case PROPERTY_THREADS:
        settings->threads = g_value_get_uint(value);
        break;
    case PROPERTY_EXACT:
        settings->exact = g_value_get_boolean(value);
        break;
    case PROPERTY_QOS:
        settings->qos = g_value_get_boolean(value);
        break;
    default:
        if (property >= PROPERTY_ROWS && property - PROPERTY_ROWS < froth_value_count()) {
            set_value(self, property - PROPERTY_ROWS, value);
        } else {
            G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
        }
        break;
    }
    g_mutex_unlock(&self->lock);
}

static void get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrothElement *self = FROTH_ELEMENT(object);
    const struct settings *settings = &self->settings;
    gchar title[TITLE_MAX] = "";
    g_mutex_lock(&self->lock);
    switch (property) {
    case PROPERTY_PRESET:
        g_value_set_string(value, settings->preset);
        break;
    case PROPERTY_PLAYLIST:
        g_value_set_string(value, settings->playlist);
        break;
    case PROPERTY_TRANSITION:
        g_value_set_string(value, settings->transition);
        break;
    case PROPERTY_SEED:
        g_value_set_uint64(value, settings->seed);
        break;
    case PROPERTY_THREADS:
        g_value_set_uint(value, settings->threads);
        break;
    case PROPERTY_EXACT:
        g_value_set_boolean(value, settings->exact);
        break;
    case PROPERTY_QOS:
        g_value_set_boolean(value, settings->qos);
        break;
    case PROPERTY_TITLE:
        (void)froth_preset_name(self->show, title, sizeof title);
        g_value_set_string(value, title);
        break;
    default:
        if (property >= PROPERTY_ROWS && property - PROPERTY_ROWS < froth_value_count()) {
            get_value(self, property - PROPERTY_ROWS, value);
        } else {
            G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
        }
        break;
    }
    g_mutex_unlock(&self->lock);
}

/* ---- the action ---- */

static gboolean obey(FrothElement *self, const gchar *words)
{
    g_mutex_lock(&self->lock);
    const int result = froth_do(self->show, words);
    g_mutex_unlock(&self->lock);
    return result == FROTH_OK;
}

/* ---- the class ---- */

/* The value that a row has when nobody sets it: that of a small show of its own. */
static gdouble usual_of(froth *show, const struct froth_value *row)
{
    double value = 0;
    (void)froth_get(show, row->name, &value);
    return CLAMP(value, row->low, row->high);
}

static froth *create_small(void)
{
    struct froth_config config;
    (void)froth_config_begin(&config, sizeof config);
    config.exact = 1;
    config.threads = 1;
    config.width = 16;
    config.height = 16;
    return froth_create(&config, NULL);
}

static void install_rows(GObjectClass *objects)
{
    froth *small = create_small();
    const size_t count = froth_value_count();
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        if (froth_value_info(i, &row) != FROTH_OK || !is_value(&row)) {
            continue;
        }
        const guint property = (guint)(PROPERTY_ROWS + i);
        const gdouble usual = usual_of(small, &row);
        GParamSpec *spec =
            row.kind == FROTH_SWITCH
                ? g_param_spec_boolean(row.name, row.name, row.help, usual != 0, FLAGS)
                : g_param_spec_double(row.name, row.name, row.help, row.low, row.high, usual,
                                      FLAGS);
        g_object_class_install_property(objects, property, spec);
    }
    froth_free(small);
}

void froth_element_install_values(FrothElementClass *klass)
{
    GObjectClass *objects = G_OBJECT_CLASS(klass);
    objects->set_property = set_property;
    objects->get_property = get_property;
    g_object_class_install_property(
        objects, PROPERTY_PRESET,
        g_param_spec_string("preset", "preset", "the preset to begin with, a .milk or .fnp file",
                            NULL, FLAGS));
    g_object_class_install_property(
        objects, PROPERTY_PLAYLIST,
        g_param_spec_string("playlist", "playlist",
                            "presets that follow one another: a folder, or a list (.txt, .m3u, "
                            ".yaml); without preset and playlist those that come with froth",
                            NULL, FLAGS));
    g_object_class_install_property(
        objects, PROPERTY_TRANSITION,
        g_param_spec_string("transition", "transition",
                            "how one preset gives way to the next: random, cut, fade and so on",
                            NULL, FLAGS));
    g_object_class_install_property(
        objects, PROPERTY_SEED,
        g_param_spec_uint64("seed", "seed", "of all that is left to chance, from the next start on",
                            0, G_MAXUINT64, 0, FLAGS));
    g_object_class_install_property(
        objects, PROPERTY_THREADS,
        g_param_spec_uint("threads", "threads",
                          "that paint, from the next start on; 0: one for each processor", 0, 64, 0,
                          FLAGS));
    g_object_class_install_property(
        objects, PROPERTY_EXACT,
        g_param_spec_boolean("exact", "exact",
                             "the pictures of froth render, from the next start on; live sources "
                             "are never exact",
                             TRUE, FLAGS));
    g_object_class_install_property(
        objects, PROPERTY_QOS,
        g_param_spec_boolean("qos", "qos",
                             "where a sink says that pictures come late, the show is no longer "
                             "exact and leaves some out",
                             TRUE, FLAGS));
    g_object_class_install_property(objects, PROPERTY_TITLE,
                                    g_param_spec_string("title", "title",
                                                        "name of the preset that runs", "",
                                                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
    install_rows(objects);
    g_signal_new_class_handler("do", G_OBJECT_CLASS_TYPE(klass),
                               G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK(obey), NULL, NULL,
                               NULL, G_TYPE_BOOLEAN, 1, G_TYPE_STRING);
}

void froth_element_init_settings(FrothElement *self)
{
    const size_t count = froth_value_count();
    self->settings = (struct settings){.exact = TRUE,
                                       .qos = TRUE,
                                       .values = g_new0(gdouble, count),
                                       .chosen = g_new0(gboolean, count)};
    GObjectClass *objects = G_OBJECT_GET_CLASS(self);
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        GParamSpec *spec = froth_value_info(i, &row) == FROTH_OK && is_value(&row)
                               ? g_object_class_find_property(objects, row.name)
                               : NULL;
        if (spec != NULL) {
            const GValue *usual = g_param_spec_get_default_value(spec);
            self->settings.values[i] =
                row.kind == FROTH_SWITCH ? g_value_get_boolean(usual) : g_value_get_double(usual);
        }
    }
}

void froth_element_free_settings(FrothElement *self)
{
    g_free(self->settings.preset);
    g_free(self->settings.playlist);
    g_free(self->settings.transition);
    g_free(self->settings.values);
    g_free(self->settings.chosen);
}
