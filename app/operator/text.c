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
#include "presets/milk/lines.h"
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

/* The version of the format in which a text is written; 0: it is no preset. */
static int version_of(const struct app_operator *view, struct base_span text)
{
    struct preset preset;
    if (preset_read(&preset, view->text.path, text.data, text.size, NULL) != 0) {
        return 0;
    }
    const int version = (int)preset.version;
    preset_free(&preset);
    return version;
}

/* The text of the editor with its program lines numbered, for the caller to free; NULL without
 * memory. */
static char *numbered_text(struct app_operator *view, size_t *size)
{
    const char *former = view->text.former;
    const struct base_span words = ui_editor_text(view->text.editor);
    const bool milk = strcmp(ending_of(view->text.path), ending_for(PRESET_LANGUAGE_MILK)) == 0;
    char *text = !milk || words.data == NULL
                     ? NULL
                     : preset_edit_number(words, base_span_of(former != NULL ? former : ""), size);
    if (text == NULL && words.data != NULL) {
        *size = words.size;
        text = strndup(words.data, words.size);
    }
    return text;
}

static struct base_span line_of(struct base_span text, size_t line)
{
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span found;
    while (preset_scan_line(&scan, &found)) {
        if (scan.line == line) {
            return found;
        }
    }
    return (struct base_span){text.data, 0};
}

/* Puts the numbers that were saved into the editor; the cursor stays where it is in its line. */
static void show_numbers(struct app_operator *view, struct base_span text)
{
    size_t line = 0;
    size_t column = 0;
    struct ui_editor *editor = view->text.editor;
    ui_editor_cursor(editor, &line, &column);
    const struct base_span before = line_of(ui_editor_text(editor), line);
    const struct base_span after = line_of(text, line);
    const char *sign = before.size > 0 ? memchr(before.data, '=', before.size) : NULL;
    const bool behind = sign != NULL && column > (size_t)(sign - before.data);
    if (!base_span_equal(ui_editor_text(editor), text) && ui_editor_replace(editor, text) == 0) {
        ui_editor_go(editor, line, behind ? column + after.size - before.size : column);
    }
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
        text->version = version_of(view, span);
        text->asked_version = 0;
        free(text->former);
        text->former = data;
        data = NULL;
        ui_editor_set_messages(text->editor, NULL, 0);
    }
    free(data);
}

void app_operator_revert(struct app_operator *view)
{
    load_text(view, view->now->path, true);
    view->text.sent = UINT64_MAX; /* so that the loader gets it */
}

/* Returns the text with the values that were changed while it ran, for the caller to free; NULL
 * without memory, or if it is no preset. */
static char *with_values(struct app_operator *view, const char *words, size_t *size,
                         enum preset_language *language)
{
    bool left = false;
    char *text = preset_edit_set_shown((struct base_span){words, *size}, &view->now->shown, size,
                                       language, &left);
    if (text != NULL && left) {
        app_operator_say(view, BASE_WARNING,
                         "values that were changed while it ran are not saved with a patch of the "
                         "board; write them in the editor");
    }
    return text;
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

/* A file whose name begins with a dot would never be found again. One that has an ending of
 * presets, but that of the other language, would not be what its name says. */
static bool is_misnamed(struct app_operator *view, const char *name, enum preset_language language)
{
    const char *slash = strrchr(name, '/');
    const char *last = slash != NULL ? slash + 1 : name;
    if (name[0] != '\0' && (last[0] == '.' || last[0] == '\0')) {
        base_report(&view->sink, BASE_ERROR, (struct base_place){.file = name},
                    "give it a name that does not begin with a dot",
                    "not saved: this is no name of a preset");
        return true;
    }
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

/* What runs, with its changed values, for the caller to free; NULL after a message. */
static char *text_to_save(struct app_operator *view, size_t *size, enum preset_language *language)
{
    if (view->now->path[0] == '\0') {
        app_operator_say(view, BASE_WARNING, "no preset is shown yet");
        return NULL;
    }
    /* The text is the editor's where it has it, else the file's. */
    char *words = NULL;
    if (differs_from_file(&view->text) && strcmp(view->text.path, view->now->path) == 0) {
        words = numbered_text(view, size);
        if (words != NULL) {
            show_numbers(view, (struct base_span){words, *size});
        }
    } else {
        struct timespec changed;
        words = read_file(view->now->path, size, &changed);
    }
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
    if (text == NULL || is_misnamed(view, name, language)) {
        free(text);
        return;
    }
    /* A file that does not exist yet, named as asked for, or after the preset. */
    const char *ending = ending_for(language);
    bool named = false;
    if (name[0] == '\0') {
        named = name_copy(view, view->now->name, ending, path, sizeof path);
    } else {
        char folder[PATH_SIZE] = "";
        const bool placed = strchr(name, '/') != NULL;
        named = (placed || own_folder(view, folder, sizeof folder)) &&
                snprintf(path, sizeof path, "%s%s%s%s", folder, placed ? "" : "/", name,
                         preset_is_file_name(name) ? "" : ending) < (int)sizeof path;
    }
    if (!named) {
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
    size_t size = 0;
    char *words = numbered_text(view, &size);
    (void)snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : view->text.path);
    char *dot = strrchr(name, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
    if (words != NULL && name_copy(view, name, ending, path, sizeof path) &&
        preset_edit_save_new(path, (struct base_span){words, size}, &view->sink) == 0) {
        view->text.saved = ui_editor_revision(view->text.editor);
        app_operator_say(view, BASE_NOTE, "what was changed in the editor is kept as %s", path);
    } else {
        app_operator_say(view, BASE_ERROR, "what was changed in the editor is not kept");
    }
    free(words);
}

/* Another version of the format is another picture, and may come by a slip of a finger: such a text
 * waits until the operator says yes. Returns whether it does. */
static bool waits_for_answer(struct app_operator *view)
{
    struct app_operator_text *text = &view->text;
    const int version = version_of(view, ui_editor_text(text->editor));
    if (version == 0 || version == text->version || text->version == 0) {
        text->asked_version = 0;
        return false;
    }
    if (text->asked_version == 0) {
        app_operator_say(view, BASE_WARNING,
                         "the editor asks whether the format version may change from %d to %d",
                         text->version, version);
        app_operator_order(view, "lock on");
    }
    text->asked_version = version;
    return true;
}

void app_operator_change_version(struct app_operator *view, bool may)
{
    struct app_operator_text *text = &view->text;
    if (may) {
        text->version = text->asked_version;
    }
    while (!may && version_of(view, ui_editor_text(text->editor)) != text->version &&
           ui_editor_undo(text->editor)) {
    }
    text->asked_version = 0;
    text->weighed = 0;
}

/* Messages are about the numbered text: what follows the key moves with it. */
static void show_messages(struct app_operator_text *text, struct engine_loader_outcome *outcome)
{
    const struct base_span words = ui_editor_text(text->editor);
    for (size_t i = 0; i < outcome->message_count && text->given != NULL; i++) {
        struct base_place *place = &outcome->messages[i].place;
        const struct base_span given = line_of(base_span_of(text->given), place->line);
        const struct base_span own = line_of(words, place->line);
        const uint32_t longer = given.size > own.size ? (uint32_t)(given.size - own.size) : 0;
        const uint32_t shorter = own.size > given.size ? (uint32_t)(own.size - given.size) : 0;
        place->column = place->column > longer ? place->column - longer + shorter : place->column;
    }
    ui_editor_set_messages(text->editor, outcome->messages, outcome->message_count);
}

void app_operator_follow(struct app_operator *view)
{
    struct app_operator_text *text = &view->text;
    const bool same = strcmp(text->path, view->now->path) == 0;
    struct stat status;
    if (view->now->path[0] == '\0') {
        return;
    }
    if (!same && view->panel == APP_PANEL_EDITOR) {
        app_operator_keep_edits(view);
        load_text(view, view->now->path, false);
    } else if (same && !differs_from_file(text) && stat(text->path, &status) == 0 &&
               (status.st_mtim.tv_sec != text->read.tv_sec ||
                status.st_mtim.tv_nsec != text->read.tv_nsec)) {
        load_text(view, view->now->path, true);
    }
    /* Until it is edited, the text is what the loader found in the file. */
    struct engine_loader_outcome outcome;
    if (!differs_from_file(text) &&
        engine_loader_file_outcome(view->setup.loader, text->path, text->heard, &outcome)) {
        ui_editor_set_messages(text->editor, outcome.messages, outcome.message_count);
        text->heard = outcome.revision;
    }
    engine_loader_outcome(view->setup.loader, &outcome);
    if (outcome.revision != text->answered && outcome.revision == text->sent) {
        show_messages(text, &outcome);
        text->shown = outcome.shown;
        text->seconds = outcome.seconds;
    }
    text->answered = outcome.revision;
    /* Hands an edit over. */
    const uint64_t revision = ui_editor_revision(text->editor);
    if (strcmp(text->path, view->now->path) == 0 && revision != text->sent &&
        revision != text->weighed) {
        if (waits_for_answer(view)) {
            text->weighed = revision;
            return;
        }
        size_t size = 0;
        char *words = numbered_text(view, &size);
        if (words != NULL && engine_loader_edit(view->setup.loader, text->path,
                                                (struct base_span){words, size}, revision)) {
            if (!view->now->locked) {
                app_operator_order(view, "lock on");
            }
            text->sent = revision;
            free(text->given);
            text->given = words;
            words = NULL;
        }
        free(words);
    }
}
