#include <math.h>
#include <stdio.h>

#include "board/language/language.h"
#include "presets/milk/lines.h"
#include "presets/milk/preset.h"

enum { CHANNELS = 16, CONTROLLERS = 128 };

static const char *const element_names[PRESET_ELEMENTS] = {
#define PRESET_ELEMENT(name, text) [PRESET_ELEMENT_##name] = text,
#include "presets/milk/controls.def"
};

static const char *const way_names[PRESET_WAYS] = {
#define PRESET_WAY(name, text) [PRESET_WAY_##name] = text,
#include "presets/milk/controls.def"
};

static int find(const char *const *names, int count, struct base_span name)
{
    for (int i = 0; i < count; i++) {
        if (base_span_equal(base_span_of(names[i]), name)) {
            return i;
        }
    }
    return -1;
}

/* ---- midi "device" { ... } ---- */

static int take_whole(struct board_fnp *fnp, int low, int high, const char *what)
{
    int32_t number = -1;
    const struct base_span text = fnp->token.text;
    if (fnp->token.kind != BOARD_FNP_NUMBER || memchr(text.data, '.', text.size) != NULL ||
        preset_parse_int(text, &number) != PRESET_NUMBER_OK || number < low || number > high) {
        board_fnp_fail(fnp, NULL, "%s from %d to %d is wanted", what, low, high);
        return -1;
    }
    board_fnp_next(fnp);
    return number;
}

static void take_element(struct board_fnp *fnp)
{
    struct board_fnp_element element = {.name = fnp->token.text};
    if (fnp->token.kind != BOARD_FNP_WORD) {
        board_fnp_fail(fnp, "write it like name = fader(7)", "the name of a control is missing");
        return;
    }
    board_fnp_next(fnp);
    if (!board_fnp_expect(fnp, "=", "write it like name = fader(7)")) {
        return;
    }
    const int kind = find(element_names, PRESET_ELEMENTS, fnp->token.text);
    if (kind < 0 || fnp->token.kind != BOARD_FNP_WORD) {
        board_fnp_fail(fnp, "fader, pot, differential, button or switch",
                       "an unknown kind of control");
        return;
    }
    if (fnp->element_count == BOARD_FNP_ELEMENTS_MAX) {
        board_fnp_fail(fnp, NULL, "more than %d controls", (int)BOARD_FNP_ELEMENTS_MAX);
        return;
    }
    element.kind = (enum preset_element)kind;
    board_fnp_next(fnp);
    /* (controller) or (channel, controller). */
    const char *hint = "write it like fader(7) or fader(1, 7)";
    if (!board_fnp_expect(fnp, "(", hint)) {
        return;
    }
    const struct board_fnp_token first = fnp->token;
    const int number = take_whole(fnp, 0, CONTROLLERS - 1, "a controller");
    element.controller = (uint8_t)number;
    if (!fnp->failed && board_fnp_at(fnp, ",")) {
        if (number < 1 || number > CHANNELS) {
            fnp->token = first;
            board_fnp_fail(fnp, NULL, "a channel from 1 to %d is wanted", (int)CHANNELS);
            return;
        }
        board_fnp_next(fnp);
        element.channel = (uint8_t)number;
        element.controller = (uint8_t)take_whole(fnp, 0, CONTROLLERS - 1, "a controller");
    }
    (void)board_fnp_expect(fnp, ")", hint);
    fnp->elements[fnp->element_count++] = element;
}

bool board_fnp_midi(struct board_fnp *fnp)
{
    if (!board_fnp_at(fnp, "midi") || board_fnp_peek(fnp) != '"') {
        return false;
    }
    board_fnp_next(fnp);
    board_fnp_next(fnp);
    if (board_fnp_expect(fnp, "{", "write it like midi \"device\" { name = fader(7) }")) {
        while (!fnp->failed && !board_fnp_at(fnp, "}")) {
            take_element(fnp);
            while (board_fnp_at(fnp, ";") || board_fnp_at(fnp, ",")) {
                board_fnp_next(fnp);
            }
        }
        (void)board_fnp_expect(fnp, "}", NULL);
    }
    return true;
}

/* ---- name = range(control) ---- */

static bool set_variable(struct board_fnp *fnp, const struct board_fnp_token *name,
                         struct preset_binding *binding)
{
    const int row = board_fnp_find(name->text);
    if (row >= 0) {
        const enum board_fnp_access access = board_fnp_names[row].access;
        if (access == BOARD_FNP_LIVE || access == BOARD_FNP_VERTEX) {
            fnp->token = *name;
            board_fnp_fail(fnp, "bind a variable that equations may set",
                           "'%s' cannot be bound to a control", board_fnp_names[row].name);
            return false;
        }
        board_fnp_state_of(fnp, row)->bound = true;
        binding->variable = board_fnp_names[row].variable;
        return true;
    }
    struct board_fnp_user *user = board_fnp_user(fnp, name->text);
    if (user != NULL && user->constant >= 0) {
        board_fnp_fail_tag(fnp, name);
        return false;
    }
    if (user != NULL) {
        user->bound = true;
    }
    binding->variable = user != NULL ? board_fnp_reading(fnp, name) : NULL;
    return binding->variable != NULL;
}

bool board_fnp_bind(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    const int way = find(way_names, PRESET_WAYS, fnp->token.text);
    if (way < 0 || fnp->token.kind != BOARD_FNP_WORD || board_fnp_peek(fnp) != '(') {
        return false;
    }
    if (fnp->binding_count == PRESET_BINDINGS_MAX) {
        board_fnp_fail(fnp, NULL, "more than %d bindings", (int)PRESET_BINDINGS_MAX);
        return true;
    }
    struct preset_binding binding = {.way = (enum preset_way)way};
    board_fnp_next(fnp);
    board_fnp_next(fnp);
    const struct board_fnp_token element = fnp->token;
    if (element.kind != BOARD_FNP_WORD) {
        board_fnp_fail(fnp, "a name of the midi block is wanted", "no control is named");
        return true;
    }
    if (set_variable(fnp, name, &binding)) {
        board_fnp_next(fnp);
        fnp->bounds[fnp->binding_count] =
            (struct board_fnp_bound){element.text, element.line, element.column};
        fnp->bindings[fnp->binding_count++] = binding;
        (void)board_fnp_expect(fnp, ")", NULL);
    }
    return true;
}

void board_fnp_connect(struct board_fnp *fnp)
{
    struct base_arena *arena = &fnp->preset->arena;
    struct preset_binding *bindings = base_arena_array(arena, fnp->binding_count, sizeof *bindings);
    for (size_t i = 0; bindings != NULL && i < fnp->binding_count && !fnp->failed; i++) {
        const struct board_fnp_bound *bound = &fnp->bounds[i];
        const struct board_fnp_element *element = NULL;
        for (size_t k = 0; k < fnp->element_count && element == NULL; k++) {
            if (base_span_equal(fnp->elements[k].name, bound->element)) {
                element = &fnp->elements[k];
            }
        }
        if (element == NULL) {
            fnp->token.line = bound->line;
            fnp->token.column = bound->column;
            board_fnp_fail(fnp, "name it in a midi block", "there is no control '%.*s'",
                           (int)bound->element.size, bound->element.data);
            return;
        }
        const char *variable = fnp->bindings[i].variable;
        bindings[i] = fnp->bindings[i];
        bindings[i].variable = base_arena_text(arena, variable, strlen(variable));
        bindings[i].element = element->kind;
        bindings[i].channel = element->channel;
        bindings[i].controller = element->controller;
        bindings[i].initial = 0.0f;
        for (int row = 0; row < BOARD_FNP_NAMES; row++) {
            if (strcmp(board_fnp_names[row].variable, variable) == 0) {
                const struct board_fnp_state *state = board_fnp_state_of(fnp, row);
                bindings[i].initial =
                    (float)(state->given ? state->initial : board_fnp_names[row].fallback);
                break;
            }
        }
    }
    if (!arena->failed) {
        fnp->preset->bindings = bindings;
        fnp->preset->binding_count = fnp->binding_count;
    }
}

/* ---- imagefile1 = path, imagefiles = tag: "file", ... ---- */

/* The file's name that follows the token, with or without quotes; after that the next token. */
static struct base_span take_file(struct board_fnp *fnp, bool listed)
{
    if (fnp->token.kind != BOARD_FNP_TEXT) {
        return board_fnp_take_bare(fnp, listed);
    }
    const struct base_span file = fnp->token.text;
    board_fnp_next(fnp);
    return file;
}

static void set_image(struct board_fnp *fnp, const struct board_fnp_token *at, size_t number,
                      struct base_span file)
{
    struct preset *preset = fnp->preset;
    if (file.size > BOARD_FNP_FILE_MAX) {
        fnp->token = *at;
        board_fnp_fail(fnp, NULL, "the file's name has more than %d bytes",
                       (int)BOARD_FNP_FILE_MAX);
    } else if (number < PRESET_VIDEO) {
        preset->images[number] =
            file.size > 0 ? base_arena_text(&preset->arena, file.data, file.size) : NULL;
    } else if (number == PRESET_VIDEO) {
        base_report(fnp->sink, BASE_WARNING, board_fnp_place(fnp, at), "the others are shown",
                    "a patch has at most %d pictures", (int)PRESET_VIDEO);
    }
}

/* The name of the next picture's number. */
static void take_tag(struct board_fnp *fnp, int number, const char *hint)
{
    const struct base_span tag = fnp->token.text;
    if (board_fnp_find(tag) >= 0) {
        board_fnp_fail(fnp, "choose another name", "'%.*s' is a variable of the board",
                       (int)tag.size, tag.data);
        return;
    }
    struct board_fnp_user *user = board_fnp_user(fnp, tag);
    if (user != NULL && (user->constant >= 0 || user->bound)) {
        board_fnp_fail(fnp, "choose another name", "'%.*s' is %s already", (int)tag.size, tag.data,
                       user->bound ? "bound to a control" : "the tag of an image");
    } else if (user != NULL) {
        user->constant = number;
        board_fnp_next(fnp);
        (void)board_fnp_expect(fnp, ":", hint);
    }
}

static void take_image_list(struct board_fnp *fnp)
{
    static const char hint[] = "write it like imagefiles = tag: \"file\"";
    for (int number = 0; !fnp->failed; number++) {
        if (fnp->token.kind == BOARD_FNP_WORD && board_fnp_peek(fnp) == ':') {
            take_tag(fnp, number, hint);
        }
        const struct board_fnp_token at = fnp->token;
        if (!fnp->failed && at.kind != BOARD_FNP_TEXT && at.kind != BOARD_FNP_WORD) {
            board_fnp_fail(fnp, hint, "a file's name is missing");
            return;
        }
        const struct base_span file = take_file(fnp, true);
        if (fnp->failed) {
            return;
        }
        set_image(fnp, &at, (size_t)number, file);
        if (!board_fnp_at(fnp, ",")) {
            return;
        }
        board_fnp_next(fnp);
    }
}

bool board_fnp_images(struct board_fnp *fnp)
{
    static const char start[] = "imagefile";
    const struct board_fnp_token at = fnp->token;
    if (at.kind != BOARD_FNP_WORD || at.text.size != sizeof start ||
        memcmp(at.text.data, start, sizeof start - 1) != 0 || board_fnp_peek(fnp) != '=') {
        return false;
    }
    const char last = at.text.data[at.text.size - 1];
    if (last != 's' && (last < '1' || last > '9')) {
        return false;
    }
    board_fnp_next(fnp);
    if (last == 's') {
        board_fnp_next(fnp);
        take_image_list(fnp);
    } else {
        if (board_fnp_peek(fnp) == '"') {
            board_fnp_next(fnp);
        }
        const struct base_span file = take_file(fnp, false);
        set_image(fnp, &at, (size_t)(last - '1'), file);
    }
    return true;
}

enum {
    FIRST_WAVE = 2, /* modes that the board draws */
    LAST_WAVE = 6,
};

/* ---- which texts these are ---- */

static struct base_span without_blanks(struct base_span text)
{
    while (text.size > 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.size--;
    }
    return text;
}

static bool begins(struct base_span text, const char *with)
{
    const size_t size = strlen(with);
    return text.size >= size && memcmp(text.data, with, size) == 0;
}

/* The first character after the word that begins the text, blanks skipped; '\0' if there is none.
 * The word has `size` bytes at least, and as many more as belong to it. */
static char behind_word(struct base_span text, size_t size)
{
    for (; size < text.size; size++) {
        const char c = text.data[size];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) {
            break;
        }
    }
    const struct base_span rest =
        without_blanks((struct base_span){text.data + size, text.size - size});
    return rest.size > 0 ? rest.data[0] : '\0';
}

/* The first character after `word`, with which the text begins, blanks skipped; '\0': none. */
static char behind(struct base_span text, const char *word)
{
    const size_t size = strlen(word);
    const struct base_span rest =
        without_blanks((struct base_span){text.data + size, text.size - size});
    return rest.size > 0 ? rest.data[0] : '\0';
}

/* A line that no .milk file has. */
static bool is_telling(struct base_span line)
{
    static const char *const words[] = {"per_frame", "per_pixel", "per_vertex"};
    line = without_blanks(line);
    if (line.size == 0 || strchr("pmi", line.data[0]) == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (begins(line, words[i])) {
            const char next = behind(line, words[i]);
            return next == ':' || next == '=' ||
                   (i == 2 && behind_word(line, strlen(words[i])) == '=');
        }
    }
    return (begins(line, "midi") && behind(line, "midi") == '"') ||
           (begins(line, "imagefile") && behind_word(line, strlen("imagefile")) == '=');
}

bool board_fnp_is(const char *path, struct base_span text)
{
    const struct base_span ending = base_span_of(".fnp");
    const size_t size = strlen(path);
    if (size >= ending.size &&
        base_span_equal_nocase((struct base_span){path + size - ending.size, ending.size},
                               ending)) {
        return true;
    }
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span line;
    while (preset_scan_line(&scan, &line)) {
        if (is_telling(line)) {
            return true;
        }
    }
    return false;
}

/* ---- programs ---- */

static void add_line(struct board_fnp *fnp, struct board_fnp_program *program,
                     struct base_span text, uint32_t line, uint32_t column)
{
    struct base_source_line *lines = base_arena_grow(
        fnp->scratch, program->lines, &program->capacity, program->count + 1, sizeof *lines);
    const char *copy = base_arena_text(&fnp->preset->arena, text.data, text.size);
    program->size += text.size + 1;
    if (program->size > BOARD_FNP_PROGRAM_MAX) {
        fnp->token.line = line;
        fnp->token.column = column;
        board_fnp_fail_long(fnp);
        return;
    }
    if (lines == NULL || copy == NULL) {
        board_fnp_fail(fnp, NULL, "not enough memory");
        return;
    }
    program->lines = lines;
    lines[program->count++] =
        (struct base_source_line){.text = {copy, text.size}, .line = line, .column = column};
}

static void hand_over(struct board_fnp *fnp, const struct board_fnp_program *program,
                      struct base_source *source)
{
    struct preset *preset = fnp->preset;
    struct base_source_line *lines =
        base_arena_array(&preset->arena, program->count, sizeof *lines);
    if (lines == NULL) {
        board_fnp_fail(fnp, NULL, "not enough memory");
        return;
    }
    if (program->count > 0) {
        memcpy(lines, program->lines, program->count * sizeof *lines);
    }
    *source = (struct base_source){preset->path, lines, program->count};
}

/* name=number; at the place of the initial value. */
static void add_start(struct board_fnp *fnp, struct board_fnp_program *program,
                      const char *variable, const struct board_fnp_state *state)
{
    char number[PRESET_NUMBER_TEXT];
    char text[PRESET_NUMBER_TEXT + BOARD_FNP_NAME_MAX];
    preset_format_float((float)state->initial, number);
    const int size = snprintf(text, sizeof text, "%s=%s;", variable, number);
    add_line(fnp, program, (struct base_span){text, (size_t)size}, state->line, state->column);
}

/* ---- initial values ---- */

static const struct preset_key *key_of(const char *name)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (preset_keys[i].group == PRESET_GROUP_PRESET && strcmp(preset_keys[i].key, name) == 0) {
            return &preset_keys[i];
        }
    }
    return NULL;
}

/* What no key of a preset can hold is set at the beginning of each frame. */
static void end_initial(struct board_fnp *fnp)
{
    for (int row = 0; row < BOARD_FNP_NAMES && !fnp->failed; row++) {
        const struct board_fnp_name *name = &board_fnp_names[row];
        const struct board_fnp_state *state = board_fnp_state_of(fnp, row);
        if (state != &fnp->states[row] || name->access == BOARD_FNP_LIVE ||
            name->access == BOARD_FNP_VERTEX) {
            continue;
        }
        const double value = state->given ? state->initial : name->fallback;
        double held = name->fallback;
        if (name->key[0] != '\0') {
            const struct preset_key *key = key_of(name->key);
            held = preset_key_limit(key, value);
            preset_key_set(key, fnp->preset, held);
        } else if (name->variable[0] == 'q') {
            if (state->given) {
                add_start(fnp, &fnp->init, name->variable, state);
            }
            continue;
        }
        if (state->given && !state->bound && fabs(held - value) > 1e-6 * fabs(value)) {
            add_start(fnp, &fnp->frame, name->variable, state);
        }
    }
}

static void want_style(struct board_fnp *fnp, enum board_fnp_style style)
{
    if (fnp->style != BOARD_FNP_EITHER && fnp->style != style) {
        board_fnp_fail(fnp, "write per_frame: or per_frame=, not both in one patch",
                       "style mismatch");
    }
    fnp->style = style;
}

/* A key of .milk files that the board does not have. */
static bool is_foreign_key(struct base_span name)
{
    char text[BOARD_FNP_NAME_MAX + 1];
    memcpy(text, name.data, name.size);
    text[name.size] = '\0';
    for (size_t i = 0; i < PRESET_VERSION_ROWS; i++) {
        if (strcmp(preset_version_keys[i].key, text) == 0) {
            return true;
        }
    }
    return key_of(text) != NULL || begins(name, "wavecode_") || begins(name, "shapecode_");
}

static void leave_out(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    if (fnp->left_out++ == 0) {
        base_report(fnp->sink, BASE_WARNING, board_fnp_place(fnp, name),
                    "convert the patch to .milk if it matters",
                    "'%.*s' and the like mean nothing to the board and are left out",
                    (int)name->text.size, name->text.data);
    }
}

static void read_initial(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    float value = 0;
    if (board_fnp_bind(fnp, name)) {
        want_style(fnp, BOARD_FNP_NEW);
        return;
    }
    const int row = board_fnp_find(name->text);
    const bool foreign = row < 0 && is_foreign_key(name->text);
    const bool minus = board_fnp_at(fnp, "-");
    if (minus) {
        board_fnp_next(fnp);
    }
    const bool good = fnp->token.kind == BOARD_FNP_NUMBER &&
                      preset_parse_float(fnp->token.text, &value) == PRESET_NUMBER_OK;
    if (!good && foreign && !fnp->failed) {
        /* Whatever it is, it does not count. */
        while (fnp->token.kind != BOARD_FNP_END && fnp->token.line == name->line) {
            board_fnp_next(fnp);
        }
        leave_out(fnp, name);
        return;
    }
    if (!good) {
        board_fnp_fail(fnp, "calculate in per_frame:", "an initial value must be a number");
        return;
    }
    board_fnp_next(fnp);
    if (fnp->failed) {
        return;
    }
    if (row >= 0 && board_fnp_names[row].access != BOARD_FNP_LIVE &&
        board_fnp_names[row].access != BOARD_FNP_VERTEX) {
        struct board_fnp_state *state = board_fnp_state_of(fnp, row);
        *state = (struct board_fnp_state){.given = true,
                                          .bound = state->bound,
                                          .initial = minus ? -(double)value : (double)value,
                                          .line = name->line,
                                          .column = name->column};
    } else if (foreign) {
        leave_out(fnp, name);
    } else if (row >= 0 || value != 0) {
        fnp->token = *name;
        board_fnp_fail(fnp,
                       row >= 0 ? "assign it in per_vertex:"
                                : "set it to 0, or in per_frame: if it is a variable of your own",
                       "'%.*s' has no initial value", (int)name->text.size, name->text.data);
    } else {
        want_style(fnp, BOARD_FNP_NEW);
        (void)board_fnp_user(fnp, name->text);
    }
}

/* ---- sections ---- */

static void enter(struct board_fnp *fnp, enum board_fnp_section section)
{
    if (fnp->section == BOARD_FNP_INITIAL) {
        end_initial(fnp);
    }
    fnp->section = section;
}

/* per_frame: or per_vertex: */
static bool take_label(struct board_fnp *fnp)
{
    const bool frame = board_fnp_at(fnp, "per_frame");
    if ((!frame && !board_fnp_at(fnp, "per_vertex")) || board_fnp_peek(fnp) != ':') {
        return false;
    }
    const enum board_fnp_section section = frame ? BOARD_FNP_PER_FRAME : BOARD_FNP_PER_VERTEX;
    want_style(fnp, BOARD_FNP_NEW);
    if (section <= fnp->section) {
        board_fnp_fail(fnp, "first initial values, then per_frame:, then per_vertex:",
                       "the section stands in the wrong place");
    }
    enter(fnp, section);
    board_fnp_next(fnp);
    board_fnp_next(fnp);
    return true;
}

/* per_frame_1= and the like, up to the next such. */
static bool take_prefix(struct board_fnp *fnp)
{
    const struct base_span word = fnp->token.text;
    const bool frame = begins(word, "per_frame");
    if (fnp->token.kind != BOARD_FNP_WORD || board_fnp_peek(fnp) != '=' ||
        (!frame && !begins(word, "per_vertex") && !begins(word, "per_pixel"))) {
        return false;
    }
    if (begins(word, "per_frame_init") && !fnp->init_warned) {
        base_report(fnp->sink, BASE_WARNING, board_fnp_place(fnp, &fnp->token), NULL,
                    "the board has no init equations: these run in each frame");
        fnp->init_warned = true;
    }
    want_style(fnp, BOARD_FNP_OLD);
    enter(fnp, frame ? BOARD_FNP_PER_FRAME : BOARD_FNP_PER_VERTEX);
    board_fnp_next(fnp);
    board_fnp_next(fnp);
    return true;
}

/* ---- statements ---- */

static void read_equation(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    struct board_fnp_node *condition = NULL;
    struct board_fnp_node *value = board_fnp_expression(fnp);
    if (value == NULL) {
        return;
    }
    const char *before = "0";
    if (board_fnp_at(fnp, "if")) {
        board_fnp_next(fnp);
        condition = board_fnp_expression(fnp);
        before = condition != NULL ? board_fnp_reading(fnp, name) : NULL;
        if (before == NULL) {
            return;
        }
    }
    /* The name's value where the condition is false is the one that it had. */
    struct board_fnp_output output = {.arena = fnp->scratch};
    const char *variable = board_fnp_assigning(fnp, name);
    if (variable == NULL) {
        return;
    }
    board_fnp_put(&output, variable);
    board_fnp_put(&output, "=");
    if (condition != NULL) {
        board_fnp_put(&output, "if(");
        board_fnp_put_truth(&output, condition);
        board_fnp_put(&output, ",");
    }
    board_fnp_put_value(&output, value);
    if (condition != NULL) {
        board_fnp_put(&output, ",");
        board_fnp_put(&output, before);
        board_fnp_put(&output, ")");
    }
    board_fnp_put(&output, ";");
    if (fnp->scratch->failed) {
        board_fnp_fail(fnp, NULL, "not enough memory");
        return;
    }
    add_line(fnp, fnp->section == BOARD_FNP_PER_FRAME ? &fnp->frame : &fnp->vertex,
             (struct base_span){output.data, output.size}, name->line, name->column);
}

static void read_statement(struct board_fnp *fnp)
{
    if (board_fnp_at(fnp, ";")) {
        board_fnp_next(fnp);
        return;
    }
    if (board_fnp_at(fnp, "[")) { /* [preset00] */
        (void)board_fnp_rest_of_line(fnp);
        board_fnp_next(fnp);
        return;
    }
    if (take_label(fnp) || take_prefix(fnp)) {
        return;
    }
    if (fnp->section == BOARD_FNP_INITIAL && board_fnp_images(fnp)) {
        return;
    }
    if (fnp->section == BOARD_FNP_INITIAL && board_fnp_midi(fnp)) {
        want_style(fnp, BOARD_FNP_NEW);
        return;
    }
    const struct board_fnp_token name = fnp->token;
    if (name.kind != BOARD_FNP_WORD || (name.text.data[0] >= '0' && name.text.data[0] <= '9')) {
        board_fnp_fail(fnp, "write it like zoom = 1.02", "the name of a variable is missing");
        return;
    }
    board_fnp_next(fnp);
    if (!board_fnp_expect(fnp, "=", "write it like zoom = 1.02")) {
        return;
    }
    if (fnp->section == BOARD_FNP_INITIAL) {
        read_initial(fnp, &name);
    } else {
        read_equation(fnp, &name);
    }
}

/* ---- the end ---- */

static const struct board_fnp_state *state_named(struct board_fnp *fnp, const char *name)
{
    return board_fnp_state_of(fnp, board_fnp_find(base_span_of(name)));
}

/* The time that the motion goes by may be another one in each vertex, but froth hands a variable on
 * from vertex to vertex. */
static void keep_time(struct board_fnp *fnp)
{
    static const char begin[] = "time=q32;";
    if (!state_named(fnp, "time")->in_vertex) {
        return;
    }
    add_line(fnp, &fnp->frame, base_span_of("q32=time;"), 0, 0);
    add_line(fnp, &fnp->vertex, base_span_of(begin), 0, 0);
    if (!fnp->failed) {
        struct base_source_line *lines = fnp->vertex.lines;
        const struct base_source_line first = lines[fnp->vertex.count - 1];
        memmove(lines + 1, lines, (fnp->vertex.count - 1) * sizeof *lines);
        lines[0] = first;
    }
}

static void ask_for_video(struct board_fnp *fnp)
{
    static const char file[] = "video.png";
    const struct board_fnp_state *alpha = state_named(fnp, "video_a");
    if (!alpha->in_frame && !alpha->bound && !(alpha->given && alpha->initial > 0)) {
        return;
    }
    const struct board_fnp_token at = {.line = alpha->line, .column = alpha->column};
    fnp->preset->images[PRESET_VIDEO] = base_arena_text(&fnp->preset->arena, file, sizeof file - 1);
    base_report(fnp->sink, BASE_WARNING, board_fnp_place(fnp, &at), NULL,
                "there is no live video: the picture '%s' passes by in its place", file);
}

bool board_fnp_read(struct preset *preset, const char *path, struct base_span text,
                    struct base_arena *scratch, const struct base_diag_sink *sink)
{
    struct board_fnp *fnp = base_arena_alloc(scratch, sizeof *fnp);
    if (fnp == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "not enough memory");
        return false;
    }
    *fnp = (struct board_fnp){
        .path = path, .sink = sink, .preset = preset, .scratch = scratch, .text = text, .line = 1};
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        const struct preset_key *key = &preset_keys[row];
        for (size_t i = 0; i < preset_group_count(key->group); i++) {
            preset_key_set(key, (unsigned char *)preset + preset_group_offset(key->group, i),
                           key->fallback);
        }
    }
    preset->version = 100;
    preset->gamma = 1.0f;
    preset->wave_smoothing = 0.0f;
    preset->language = PRESET_LANGUAGE_BOARD;
    preset->text = text;
    board_fnp_next(fnp);
    while (fnp->token.kind != BOARD_FNP_END && !fnp->failed) {
        read_statement(fnp);
    }
    if (fnp->section == BOARD_FNP_INITIAL && !fnp->failed) {
        end_initial(fnp);
    }
    if (!fnp->failed) {
        board_fnp_connect(fnp);
        /* A wave that the board does not draw, froth's renderer does not draw either. */
        const struct board_fnp_state *mode = state_named(fnp, "wave_mode");
        const double number = trunc(mode->given ? mode->initial : 1);
        if (!mode->in_frame && !mode->bound && !(number >= FIRST_WAVE && number <= LAST_WAVE)) {
            fnp->preset->wave_a = 0.0f;
            if (state_named(fnp, "wave_a")->in_frame) {
                add_line(fnp, &fnp->frame, base_span_of("wave_a=0;"), 0, 0);
            }
        }
        keep_time(fnp);
        ask_for_video(fnp);
    }
    if (!fnp->failed) {
        hand_over(fnp, &fnp->init, &fnp->preset->init);
        hand_over(fnp, &fnp->frame, &fnp->preset->per_frame);
        hand_over(fnp, &fnp->vertex, &fnp->preset->per_vertex);
    }
    return !fnp->failed;
}
