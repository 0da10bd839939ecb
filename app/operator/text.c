/* The editor's text and the running preset. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/operator/state.h"
#include "base/os/file.h"
#include "presets/file.h"
#include "presets/library/find.h"
#include "presets/presets.h"

enum { PATH_SIZE = 4096, COPIES_MAX = 1000 };

/* The whole file, NUL-terminated, for the caller to free; NULL if it cannot be had. */
static char *read_file(const char *path, size_t *size, struct timespec *changed)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    char *text = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= UI_EDITOR_MAX && (text = malloc((size_t)status.st_size + 1)) != NULL) {
        const ssize_t got = read(file, text, (size_t)status.st_size);
        *size = got > 0 ? (size_t)got : 0;
        *changed = status.st_mtim;
        text[*size] = '\0';
    }
    if (file >= 0) {
        (void)close(file);
    }
    return text;
}

static bool differs_from_file(const struct app_operator_text *text)
{
    return text->path[0] != '\0' && ui_editor_revision(text->editor) != text->clean;
}

bool app_operator_text_changed(const struct app_operator *view)
{
    return differs_from_file(&view->text) &&
           ui_editor_revision(view->text.editor) != view->text.saved;
}

/* Fills the editor from the file; what it had is gone unless `keep` (one step of undo). */
static void load_text(struct app_operator *view, const char *path, bool keep)
{
    struct app_operator_text *text = &view->text;
    size_t size = 0;
    char *data = read_file(path, &size, &text->read);
    if (data == NULL) {
        return;
    }
    const struct base_span span = {data, size};
    const int failed =
        keep ? ui_editor_replace(text->editor, span) : ui_editor_load(text->editor, span);
    if (failed == 0) {
        (void)snprintf(text->path, sizeof text->path, "%s", path);
        text->clean = text->sent = ui_editor_revision(text->editor);
        text->heard = 0;
        ui_editor_set_messages(text->editor, NULL, 0);
    }
    free(data);
}

static bool changed_on_disk(const struct app_operator_text *text)
{
    struct stat status;
    return stat(text->path, &status) == 0 && (status.st_mtim.tv_sec != text->read.tv_sec ||
                                              status.st_mtim.tv_nsec != text->read.tv_nsec);
}

static void send_edit(struct app_operator *view)
{
    struct app_operator_text *text = &view->text;
    const uint64_t revision = ui_editor_revision(text->editor);
    if (revision == text->sent) {
        return;
    }
    const struct base_span words = ui_editor_text(text->editor);
    if (words.data != NULL && app_loader_edit(view->setup.loader, text->path, words, revision)) {
        if (!view->now->locked) {
            app_operator_order(view, "lock on");
        }
        text->sent = revision;
    }
}

void app_operator_revert(struct app_operator *view)
{
    load_text(view, view->now->path, true);
    view->text.sent = UINT64_MAX; /* so that the loader gets it */
}

/* Tells whether the value of a row was changed while the preset ran. */
static bool is_changed(const struct app_operator *view, const struct preset *preset, size_t row)
{
    const struct preset_key *key = &preset_keys[row];
    return view->now->changed[row] && key->group == PRESET_GROUP_PRESET &&
           preset_key_get(key, preset) != view->now->values[row];
}

/* Returns the text with the values that were changed while it ran, for the caller to free; NULL
 * without memory, or if it is no preset. */
static char *with_values(struct app_operator *view, const char *words, size_t *size,
                         enum preset_language *language)
{
    struct preset preset;
    char *text = strdup(words);
    if (text == NULL || preset_read(&preset, view->now->path, words, *size, NULL) != 0) {
        free(text);
        return NULL;
    }
    *language = preset.language;
    if (preset.language == PRESET_LANGUAGE_BOARD) {
        /* The text of a patch of the board is the operator's to change. */
        bool any = false;
        for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
            any = any || is_changed(view, &preset, i);
        }
        if (any) {
            app_operator_say(view, BASE_WARNING,
                             "values that were changed while it ran are not saved with a patch of "
                             "the board; write them in the editor");
        }
    } else {
        for (size_t i = 0; text != NULL && i < PRESET_KEY_ROWS; i++) {
            if (is_changed(view, &preset, i)) {
                char *next = preset_edit_set((struct base_span){text, *size}, &preset_keys[i],
                                             view->now->values[i], size);
                free(text);
                text = next;
            }
        }
    }
    preset_free(&preset);
    return text;
}

/* Returns the text of what runs: the editor's where it has it, else the file's. */
static char *running_text(struct app_operator *view, size_t *size)
{
    if (differs_from_file(&view->text) && strcmp(view->text.path, view->now->path) == 0) {
        const struct base_span words = ui_editor_text(view->text.editor);
        *size = words.size;
        return words.data == NULL ? NULL : strndup(words.data, words.size);
    }
    struct timespec changed;
    return read_file(view->now->path, size, &changed);
}

/* Finds the user's folder of presets, and makes it where it is missing; false after a message. */
static bool own_folder(const struct app_operator *view, char *folder, size_t size)
{
    if (!base_folder_path(BASE_FOLDER_DATA, "/presets", folder, size)) {
        base_report(&view->sink, BASE_ERROR, (struct base_place){0}, "set HOME",
                    "there is no folder for presets of yours");
        return false;
    }
    if (base_folder_make(folder) != 0) {
        base_report(&view->sink, BASE_ERROR, (struct base_place){.file = folder}, NULL,
                    "cannot make this folder: %s", strerror(errno));
        return false;
    }
    return true;
}

/* The ending of files in this language. */
static const char *ending_for(enum preset_language language)
{
    return language == PRESET_LANGUAGE_BOARD ? ".fnp" : ".milk";
}

/* The ending of a file's name: .milk, or that of the board's own patches. */
static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return ending_for(dot != NULL && strcasecmp(dot, ".fnp") == 0 ? PRESET_LANGUAGE_BOARD
                                                                  : PRESET_LANGUAGE_MILK);
}

/* The name has an ending of presets, but that of the other language: what is saved so would not be
 * what its name says. */
static bool is_misnamed(struct app_operator *view, const char *name, enum preset_language language)
{
    const bool board = language == PRESET_LANGUAGE_BOARD;
    const bool wrong =
        preset_is_file_name(name) && strcmp(ending_of(name), ending_for(language)) != 0;
    if (wrong) {
        base_report(
            &view->sink, BASE_ERROR, (struct base_place){.file = name},
            board ? "give it a name that ends with .fnp" : "give it a name that ends with .milk",
            "not saved: what runs is %s", board ? "a patch of the board" : "no patch of the board");
    }
    return wrong;
}

/* A file of the user's that does not exist yet, named after a preset. */
static bool name_copy(const struct app_operator *view, const char *name, const char *ending,
                      char *path, size_t size)
{
    char folder[PATH_SIZE];
    const bool there = own_folder(view, folder, sizeof folder);
    for (int copy = 2; there && copy < COPIES_MAX; copy++) {
        const int length = snprintf(path, size, "%s/%s - %d%s", folder, name, copy, ending);
        if (length < 0 || (size_t)length >= size) {
            return false;
        }
        if (access(path, F_OK) != 0) {
            return true;
        }
    }
    return false;
}

/* A file that does not exist yet, named as asked for, or after the preset. */
static bool name_file(const struct app_operator *view, const char *name, const char *ending,
                      char *path, size_t size)
{
    char folder[PATH_SIZE] = "";
    if (name[0] == '\0') {
        return name_copy(view, view->now->name, ending, path, size);
    }
    const bool placed = strchr(name, '/') != NULL;
    return (placed || own_folder(view, folder, sizeof folder)) &&
           snprintf(path, size, "%s%s%s%s", folder, placed ? "" : "/", name,
                    preset_is_file_name(name) ? "" : ending) < (int)size;
}

/* A file whose name begins with a dot would never be found again. */
static bool is_hidden(const struct app_operator *view, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *last = slash != NULL ? slash + 1 : name;
    const bool hidden = name[0] != '\0' && (last[0] == '.' || last[0] == '\0');
    if (hidden) {
        base_report(&view->sink, BASE_ERROR, (struct base_place){.file = name},
                    "give it a name that does not begin with a dot",
                    "not saved: this is no name of a preset");
    }
    return hidden;
}

/* What runs, with its changed values, for the caller to free; NULL after a message. */
static char *text_to_save(struct app_operator *view, size_t *size, enum preset_language *language)
{
    if (view->now->path[0] == '\0') {
        app_operator_say(view, BASE_WARNING, "no preset is shown yet");
        return NULL;
    }
    char *words = running_text(view, size);
    char *text = words == NULL ? NULL : with_values(view, words, size, language);
    free(words);
    if (text == NULL) {
        app_operator_say(view, BASE_ERROR, "the preset cannot be saved");
    }
    return text;
}

static void note_saved(struct app_operator *view, const char *path)
{
    app_operator_say(view, BASE_NOTE, "saved as %s", path);
    if (strcmp(view->text.path, view->now->path) == 0) {
        view->text.saved = ui_editor_revision(view->text.editor);
    }
}

void app_operator_save(struct app_operator *view, const char *name)
{
    char path[PATH_SIZE];
    size_t size = 0;
    enum preset_language language;
    char *text = text_to_save(view, &size, &language);
    if (text == NULL || is_hidden(view, name) || is_misnamed(view, name, language)) {
        free(text);
        return;
    }
    if (!name_file(view, name, ending_for(language), path, sizeof path)) {
        app_operator_say(view, BASE_ERROR, "the preset is not saved");
    } else if (preset_edit_save_new(path, (struct base_span){text, size}, &view->sink) == 0) {
        note_saved(view, path);
    }
    free(text);
}

void app_operator_overwrite(struct app_operator *view)
{
    char path[sizeof view->now->path];
    size_t size = 0;
    enum preset_language language;
    char *text = text_to_save(view, &size, &language);
    memcpy(path, view->now->path, sizeof path);
    if (text != NULL && preset_edit_save(path, (struct base_span){text, size}, &view->sink) == 0) {
        note_saved(view, path);
    }
    free(text);
}

void app_operator_keep_edits(struct app_operator *view)
{
    const char *slash = strrchr(view->text.path, '/');
    const char *ending = ending_of(view->text.path);
    char name[sizeof view->text.path];
    char path[PATH_SIZE];
    if (!app_operator_text_changed(view)) {
        return;
    }
    const struct base_span words = ui_editor_text(view->text.editor);
    (void)snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : view->text.path);
    char *dot = strrchr(name, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
    if (words.data != NULL && name_copy(view, name, ending, path, sizeof path) &&
        preset_edit_save_new(path, words, &view->sink) == 0) {
        view->text.saved = ui_editor_revision(view->text.editor);
        app_operator_say(view, BASE_NOTE, "what was changed in the editor is kept as %s", path);
    } else {
        app_operator_say(view, BASE_ERROR, "what was changed in the editor is not kept");
    }
}

void app_operator_follow(struct app_operator *view)
{
    struct app_operator_text *text = &view->text;
    const bool same = strcmp(text->path, view->now->path) == 0;
    if (view->now->path[0] == '\0') {
        return;
    }
    if (!same && view->panel == APP_PANEL_EDITOR) {
        app_operator_keep_edits(view);
        load_text(view, view->now->path, false);
    } else if (same && !differs_from_file(text) && changed_on_disk(text)) {
        load_text(view, view->now->path, true);
    }
    /* Until it is edited, the text is what the loader found in the file. */
    struct app_loader_outcome outcome;
    if (!differs_from_file(text) &&
        app_loader_file_outcome(view->setup.loader, text->path, text->heard, &outcome)) {
        ui_editor_set_messages(text->editor, outcome.messages, outcome.message_count);
        text->heard = outcome.revision;
    }
    app_loader_outcome(view->setup.loader, &outcome);
    if (outcome.revision != text->answered && outcome.revision == text->sent) {
        ui_editor_set_messages(text->editor, outcome.messages, outcome.message_count);
        text->shown = outcome.shown;
        text->seconds = outcome.seconds;
    }
    text->answered = outcome.revision;
    if (strcmp(text->path, view->now->path) == 0) {
        send_edit(view);
    }
}
