#include "app/lab.h"

#include <string.h>

enum { HINT_MAX = 160 };

static const struct base_place NOWHERE = {0};

const struct app_lab_row app_lab_rows[] = {
#define APP_INSTRUMENT(name, function, options, usage, help) {name, function, options, usage, help},
#include "app/lab.def"
};
const size_t app_lab_row_count = sizeof app_lab_rows / sizeof app_lab_rows[0];

static const struct app_lab_row *find(const char *name)
{
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (strcmp(app_lab_rows[i].name, name) == 0) {
            return &app_lab_rows[i];
        }
    }
    return NULL;
}

static void append(char *text, size_t size, const char *between, const char *more)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", between, more);
}

static int refuse_name(const char *name)
{
    char hint[HINT_MAX] = "there are ";
    const char *between = "";
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (find(app_lab_rows[i].name) == &app_lab_rows[i]) {
            append(hint, sizeof hint, between, app_lab_rows[i].name);
            between = ", ";
        }
    }
    append(hint, sizeof hint, "; ", "'froth help lab' explains them");
    if (name == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "no instrument is named");
    } else {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "no instrument is called '%.40s'",
                    name);
    }
    return APP_EXIT_USAGE;
}

int app_lab_refuse_usage(const struct app_options *options, const char *what)
{
    const char *name = options->inputs[0];
    char hint[HINT_MAX] = "usage: ";
    const char *between = "froth lab ";
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (strcmp(app_lab_rows[i].name, name) == 0) {
            append(hint, sizeof hint, between, app_lab_rows[i].usage);
            between = ", or ";
        }
    }
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "lab %s: %s", name, what);
    return APP_EXIT_USAGE;
}

/* What the instrument knows in any of its uses. */
static bool knows_options(const char *name, const struct app_options *options)
{
    const struct {
        const char *name;
        unsigned bit;
        bool given;
    } rows[] = {
        {"--hex", APP_LAB_HEX, options->hex != NULL},
        {"--regs", APP_LAB_REGS, options->regs != NULL},
        {"--mesh", APP_LAB_MESH, options->mesh.width > 0},
        {"--trials", APP_LAB_TRIALS, options->trials > 0},
        {"--arch", APP_LAB_ARCH, options->arch.count > 0},
        {"--set", APP_LAB_SET, options->set != NULL},
        {"--size", APP_LAB_SIZES, options->cache_sizes.count > 0},
        {"--audio", APP_LAB_AUDIO, options->audio != NULL},
        {"--frames", APP_LAB_FRAMES, options->frames > 0},
        {"-o", APP_LAB_OUTPUT, options->output != NULL},
        {"--picture", APP_LAB_PICTURE, options->picture != NULL},
    };
    unsigned known = 0;
    for (size_t i = 0; i < app_lab_row_count; i++) {
        known |= strcmp(app_lab_rows[i].name, name) == 0 ? app_lab_rows[i].options : 0;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].given && !(rows[i].bit & known)) {
            char what[HINT_MAX];
            (void)snprintf(what, sizeof what, "it does not know %s", rows[i].name);
            (void)app_lab_refuse_usage(options, what);
            return false;
        }
    }
    return true;
}

int app_lab(const struct app_options *options)
{
    if (options->input_count == 0) {
        return refuse_name(NULL);
    }
    const struct app_lab_row *row = find(options->inputs[0]);
    if (row == NULL) {
        return refuse_name(options->inputs[0]);
    }
    return knows_options(row->name, options) ? row->run(options) : APP_EXIT_USAGE;
}
