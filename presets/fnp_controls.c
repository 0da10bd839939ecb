#include "presets/fnp.h"
#include "presets/number.h"

enum { FIRST_Q = 9, LAST_Q = 31, CHANNELS = 16, CONTROLLERS = 128, TAGS_MAX = 64 };

static const char *const element_names[PRESET_ELEMENTS] = {
#define PRESET_ELEMENT(name, text) [PRESET_ELEMENT_##name] = text,
#include "presets/controls.def"
};

static const char *const way_names[PRESET_WAYS] = {
#define PRESET_WAY(name, text) [PRESET_WAY_##name] = text,
#include "presets/controls.def"
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

static int take_whole(struct preset_fnp *fnp, int low, int high, const char *what)
{
    int32_t number = -1;
    const struct base_span text = fnp->token.text;
    if (fnp->token.kind != PRESET_FNP_NUMBER || memchr(text.data, '.', text.size) != NULL ||
        preset_parse_int(text, &number) != PRESET_NUMBER_OK || number < low || number > high) {
        preset_fnp_fail(fnp, NULL, "%s from %d to %d is wanted", what, low, high);
        return -1;
    }
    preset_fnp_next(fnp);
    return number;
}

/* (controller) or (channel, controller). */
static void take_address(struct preset_fnp *fnp, struct preset_fnp_element *element)
{
    const char *hint = "write it like fader(7) or fader(1, 7)";
    if (!preset_fnp_expect(fnp, "(", hint)) {
        return;
    }
    const struct preset_fnp_token first = fnp->token;
    const int number = take_whole(fnp, 0, CONTROLLERS - 1, "a controller");
    element->controller = (uint8_t)number;
    if (!fnp->failed && preset_fnp_at(fnp, ",")) {
        if (number < 1 || number > CHANNELS) {
            fnp->token = first;
            preset_fnp_fail(fnp, NULL, "a channel from 1 to %d is wanted", (int)CHANNELS);
            return;
        }
        preset_fnp_next(fnp);
        element->channel = (uint8_t)number;
        element->controller = (uint8_t)take_whole(fnp, 0, CONTROLLERS - 1, "a controller");
    }
    (void)preset_fnp_expect(fnp, ")", hint);
}

static void take_element(struct preset_fnp *fnp)
{
    struct preset_fnp_element element = {.name = fnp->token.text};
    if (fnp->token.kind != PRESET_FNP_WORD) {
        preset_fnp_fail(fnp, "write it like name = fader(7)", "the name of a control is missing");
        return;
    }
    preset_fnp_next(fnp);
    if (!preset_fnp_expect(fnp, "=", "write it like name = fader(7)")) {
        return;
    }
    const int kind = find(element_names, PRESET_ELEMENTS, fnp->token.text);
    if (kind < 0 || fnp->token.kind != PRESET_FNP_WORD) {
        preset_fnp_fail(fnp, "fader, pot, differential, button or switch",
                        "an unknown kind of control");
        return;
    }
    if (fnp->element_count == PRESET_FNP_ELEMENTS_MAX) {
        preset_fnp_fail(fnp, NULL, "more than %d controls", (int)PRESET_FNP_ELEMENTS_MAX);
        return;
    }
    element.kind = (enum preset_element)kind;
    preset_fnp_next(fnp);
    take_address(fnp, &element);
    fnp->elements[fnp->element_count++] = element;
}

bool preset_fnp_midi(struct preset_fnp *fnp)
{
    if (!preset_fnp_at(fnp, "midi") || preset_fnp_peek(fnp) != '"') {
        return false;
    }
    preset_fnp_next(fnp);
    preset_fnp_next(fnp);
    if (preset_fnp_expect(fnp, "{", "write it like midi \"device\" { name = fader(7) }")) {
        while (!fnp->failed && !preset_fnp_at(fnp, "}")) {
            take_element(fnp);
            while (preset_fnp_at(fnp, ";") || preset_fnp_at(fnp, ",")) {
                preset_fnp_next(fnp);
            }
        }
        (void)preset_fnp_expect(fnp, "}", NULL);
    }
    return true;
}

/* ---- name = range(control) ---- */

static bool set_variable(struct preset_fnp *fnp, const struct preset_fnp_token *name,
                         struct preset_binding *binding)
{
    const int row = preset_fnp_find(name->text);
    if (row >= 0) {
        const enum preset_fnp_access access = preset_fnp_names[row].access;
        if (access == PRESET_FNP_LIVE || access == PRESET_FNP_VERTEX) {
            fnp->token = *name;
            preset_fnp_fail(fnp, "bind a variable that equations may set",
                            "'%s' cannot be bound to a control", preset_fnp_names[row].name);
            return false;
        }
        preset_fnp_state_of(fnp, row)->bound = true;
        binding->variable = preset_fnp_names[row].variable;
        return true;
    }
    struct preset_fnp_user *user = preset_fnp_user(fnp, name->text);
    if (user != NULL && user->constant >= 0) {
        preset_fnp_fail_tag(fnp, name);
        return false;
    }
    if (user != NULL && user->q == 0) {
        if (FIRST_Q + fnp->q_count > LAST_Q) {
            preset_fnp_fail(fnp, NULL, "more than %d variables of the patch's own are bound",
                            LAST_Q - FIRST_Q + 1);
            return false;
        }
        user->q = FIRST_Q + fnp->q_count++;
    }
    binding->variable = user != NULL ? preset_fnp_reading(fnp, name) : NULL;
    return binding->variable != NULL;
}

bool preset_fnp_bind(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    const int way = find(way_names, PRESET_WAYS, fnp->token.text);
    if (way < 0 || fnp->token.kind != PRESET_FNP_WORD || preset_fnp_peek(fnp) != '(') {
        return false;
    }
    if (fnp->binding_count == PRESET_BINDINGS_MAX) {
        preset_fnp_fail(fnp, NULL, "more than %d bindings", (int)PRESET_BINDINGS_MAX);
        return true;
    }
    struct preset_binding binding = {.way = (enum preset_way)way};
    preset_fnp_next(fnp);
    preset_fnp_next(fnp);
    const struct preset_fnp_token element = fnp->token;
    if (element.kind != PRESET_FNP_WORD) {
        preset_fnp_fail(fnp, "a name of the midi block is wanted", "no control is named");
        return true;
    }
    if (set_variable(fnp, name, &binding)) {
        preset_fnp_next(fnp);
        fnp->bounds[fnp->binding_count] =
            (struct preset_fnp_bound){element.text, element.line, element.column};
        fnp->bindings[fnp->binding_count++] = binding;
        (void)preset_fnp_expect(fnp, ")", NULL);
    }
    return true;
}

static const struct preset_fnp_element *find_element(const struct preset_fnp *fnp,
                                                     struct base_span name)
{
    for (size_t i = 0; i < fnp->element_count; i++) {
        if (base_span_equal(fnp->elements[i].name, name)) {
            return &fnp->elements[i];
        }
    }
    return NULL;
}

static float initial_of(struct preset_fnp *fnp, const char *variable)
{
    for (int i = 0; i < PRESET_FNP_NAMES; i++) {
        if (strcmp(preset_fnp_names[i].variable, variable) == 0) {
            const struct preset_fnp_state *state = preset_fnp_state_of(fnp, i);
            return (float)(state->given ? state->initial : preset_fnp_names[i].fallback);
        }
    }
    return 0.0f;
}

void preset_fnp_connect(struct preset_fnp *fnp)
{
    struct base_arena *arena = &fnp->preset->arena;
    struct preset_binding *bindings = base_arena_array(arena, fnp->binding_count, sizeof *bindings);
    for (size_t i = 0; bindings != NULL && i < fnp->binding_count && !fnp->failed; i++) {
        const struct preset_fnp_bound *bound = &fnp->bounds[i];
        const struct preset_fnp_element *element = find_element(fnp, bound->element);
        if (element == NULL) {
            fnp->token.line = bound->line;
            fnp->token.column = bound->column;
            preset_fnp_fail(fnp, "name it in a midi block", "there is no control '%.*s'",
                            (int)bound->element.size, bound->element.data);
            return;
        }
        const char *variable = fnp->bindings[i].variable;
        bindings[i] = fnp->bindings[i];
        bindings[i].variable = base_arena_text(arena, variable, strlen(variable));
        bindings[i].element = element->kind;
        bindings[i].channel = element->channel;
        bindings[i].controller = element->controller;
        bindings[i].initial = initial_of(fnp, variable);
    }
    if (!arena->failed) {
        fnp->preset->bindings = bindings;
        fnp->preset->binding_count = fnp->binding_count;
    }
}

/* ---- imagefile1=path, imagefiles = tag: "file", ... ---- */

static void warn_images(struct preset_fnp *fnp)
{
    if (!fnp->drew_image) {
        base_report(fnp->sink, BASE_WARNING, preset_fnp_place(fnp, &fnp->token),
                    "the rest of the patch runs", "no images are drawn");
    }
    fnp->drew_image = true;
}

static void take_tag(struct preset_fnp *fnp, int number)
{
    if (preset_fnp_find(fnp->token.text) >= 0) {
        preset_fnp_fail(fnp, "choose another name", "'%.*s' is a variable of the board",
                        (int)fnp->token.text.size, fnp->token.text.data);
        return;
    }
    struct preset_fnp_user *user = preset_fnp_user(fnp, fnp->token.text);
    if (user != NULL && (user->constant >= 0 || user->q > 0)) {
        preset_fnp_fail(fnp, "choose another name", "'%.*s' is %s already",
                        (int)fnp->token.text.size, fnp->token.text.data,
                        user->q > 0 ? "bound to a control" : "the tag of an image");
    } else if (user != NULL) {
        user->constant = number;
        preset_fnp_next(fnp);
        (void)preset_fnp_expect(fnp, ":", "write it like imagefiles = tag: \"file\"");
    }
}

static void take_files(struct preset_fnp *fnp)
{
    for (int number = 0; !fnp->failed; number++) {
        if (fnp->token.kind == PRESET_FNP_WORD) {
            take_tag(fnp, number);
        }
        if (!fnp->failed && fnp->token.kind != PRESET_FNP_TEXT) {
            preset_fnp_fail(fnp, "write it like imagefiles = tag: \"file\"",
                            "a file's name in quotes is missing");
        }
        preset_fnp_next(fnp);
        if (!preset_fnp_at(fnp, ",")) {
            return;
        }
        preset_fnp_next(fnp);
    }
}

bool preset_fnp_images(struct preset_fnp *fnp)
{
    static const char start[] = "imagefile";
    const struct base_span word = fnp->token.text;
    if (fnp->token.kind != PRESET_FNP_WORD || word.size != sizeof start ||
        memcmp(word.data, start, sizeof start - 1) != 0 || preset_fnp_peek(fnp) != '=') {
        return false;
    }
    const char last = word.data[word.size - 1];
    if (last != 's' && (last < '1' || last > '9')) {
        return false;
    }
    warn_images(fnp);
    preset_fnp_next(fnp);
    if (last == 's') {
        preset_fnp_next(fnp);
        take_files(fnp);
    } else {
        (void)preset_fnp_rest_of_line(fnp);
        preset_fnp_next(fnp);
    }
    return true;
}
