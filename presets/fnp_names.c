#include <stdio.h>

#include "presets/fnp.h"

const struct preset_fnp_name preset_fnp_names[PRESET_FNP_NAMES] = {
#define PRESET_FNP_NAME(name, access, variable, key, fallback)                                     \
    {name, PRESET_FNP_##access, variable, key, fallback},
#include "presets/fnp_names.def"
};

int preset_fnp_find(struct base_span name)
{
    for (int i = 0; i < PRESET_FNP_NAMES; i++) {
        if (base_span_equal(base_span_of(preset_fnp_names[i].name), name)) {
            return i;
        }
    }
    return -1;
}

struct preset_fnp_state *preset_fnp_state_of(struct preset_fnp *fnp, int row)
{
    int first = row;
    for (int i = 0; i < row && first == row; i++) {
        first = strcmp(preset_fnp_names[i].variable, preset_fnp_names[row].variable) == 0 ? i : row;
    }
    return &fnp->states[first];
}

struct preset_fnp_user *preset_fnp_user(struct preset_fnp *fnp, struct base_span name)
{
    for (size_t i = 0; i < fnp->user_count; i++) {
        if (base_span_equal(fnp->users[i].name, name)) {
            return &fnp->users[i];
        }
    }
    if (fnp->user_count == PRESET_FNP_USERS_MAX) {
        preset_fnp_fail(fnp, NULL, "more than %d variables", (int)PRESET_FNP_USERS_MAX);
        return NULL;
    }
    fnp->users[fnp->user_count] = (struct preset_fnp_user){.name = name, .constant = -1};
    return &fnp->users[fnp->user_count++];
}

/* ---- where a name stands ---- */

/* The row, if the name is the board's in this section; -1: it is the patch's own there. */
static int row_here(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    const int row = preset_fnp_find(name->text);
    const bool vertex = fnp->section == PRESET_FNP_PER_VERTEX;
    if (row < 0) {
        return -1;
    }
    const enum preset_fnp_access wrong = vertex ? PRESET_FNP_FRAME : PRESET_FNP_VERTEX;
    if (preset_fnp_names[row].access != wrong) {
        return row;
    }
    struct preset_fnp_state *state = preset_fnp_state_of(fnp, row);
    if (!state->warned) {
        base_report(fnp->sink, BASE_WARNING, preset_fnp_place(fnp, name),
                    vertex ? "set it in per-frame equations" : "use it in per-vertex equations",
                    "'%s' is one of the %s equations; here it is a variable of the patch's own",
                    preset_fnp_names[row].name, vertex ? "per-frame" : "per-vertex");
    }
    state->warned = true;
    return -1;
}

static void warn(struct preset_fnp *fnp, const struct preset_fnp_token *name, bool *said,
                 enum base_severity severity, const char *what)
{
    if (!*said) {
        base_report(fnp->sink, severity, preset_fnp_place(fnp, name), "the rest of the patch runs",
                    "%s", what);
    }
    *said = true;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void note_missing(struct preset_fnp *fnp, const struct preset_fnp_token *name, int row)
{
    const char *variable = preset_fnp_names[row].variable;
    if (begins(variable, "image")) {
        warn(fnp, name, &fnp->drew_image, BASE_WARNING, "no images are drawn");
    } else if (begins(variable, "video")) {
        warn(fnp, name, &fnp->drew_video, BASE_WARNING, "no live video is drawn");
    } else if (begins(variable, "osc")) {
        warn(fnp, name, &fnp->heard_osc, BASE_NOTE,
             "there is no Open Sound Control: osc1 to osc4 are 0");
    }
}

/* ---- names of .milk equations, which know no case ---- */

/* An injective spelling in small letters that is no word of froth's. */
static const char *own_spelling(struct preset_fnp *fnp, struct base_span name)
{
    char text[2 * PRESET_FNP_NAME_MAX + 3] = "u_";
    size_t size = 2;
    for (size_t i = 0; i < name.size && i < PRESET_FNP_NAME_MAX; i++) {
        const char c = name.data[i];
        const bool large = c >= 'A' && c <= 'Z';
        if (large || c == '_') {
            text[size++] = '_';
        }
        text[size++] = large ? (char)(c - 'A' + 'a') : c;
    }
    return base_arena_text(fnp->scratch, text, size);
}

/* Of what per-vertex equations make of a variable that froth hands on from vertex to vertex (v_),
 * and of what per-frame ones make of an input, which is read-only (f_). */
static const char *apart(struct preset_fnp *fnp, const char *before, const char *variable)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "%s%s", before, variable);
    return base_arena_text(fnp->scratch, text, (size_t)size);
}

/* Those that froth sets before each vertex: the motion, and the place. */
static bool is_motion(int row)
{
    const struct preset_fnp_name *name = &preset_fnp_names[row];
    return name->access == PRESET_FNP_VERTEX ||
           (name->access == PRESET_FNP_BOTH && name->variable[0] != 'q') ||
           strcmp(name->variable, "time") == 0;
}

static bool is_input(int row)
{
    return preset_fnp_names[row].access == PRESET_FNP_LIVE;
}

static const char *number_text(struct preset_fnp *fnp, const char *before, int number)
{
    char text[16];
    const int size = snprintf(text, sizeof text, "%s%d", before, number);
    return base_arena_text(fnp->scratch, text, (size_t)size);
}

static const char *user_reading(struct preset_fnp *fnp, struct base_span name)
{
    struct preset_fnp_user *user = preset_fnp_user(fnp, name);
    const bool vertex = fnp->section == PRESET_FNP_PER_VERTEX;
    if (user == NULL) {
        return NULL;
    }
    if (user->constant >= 0) {
        return number_text(fnp, "", user->constant);
    }
    if (vertex && !user->in_vertex) {
        return "0";
    }
    return !vertex && user->q > 0 ? number_text(fnp, "q", user->q) : own_spelling(fnp, name);
}

const char *preset_fnp_reading(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    const int row = row_here(fnp, name);
    if (row < 0) {
        return user_reading(fnp, name->text);
    }
    note_missing(fnp, name, row);
    const struct preset_fnp_state *state = preset_fnp_state_of(fnp, row);
    const char *variable = preset_fnp_names[row].variable;
    if (fnp->section == PRESET_FNP_PER_VERTEX) {
        return state->in_vertex && !is_motion(row) ? apart(fnp, "v_", variable) : variable;
    }
    return state->in_frame && is_input(row) ? apart(fnp, "f_", variable) : variable;
}

void preset_fnp_fail_tag(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    fnp->token = *name;
    preset_fnp_fail(fnp, "choose another name", "'%.*s' is the tag of an image",
                    (int)name->text.size, name->text.data);
}

static const char *user_assigning(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    struct preset_fnp_user *user = preset_fnp_user(fnp, name->text);
    if (user == NULL) {
        return NULL;
    }
    if (user->constant >= 0) {
        preset_fnp_fail_tag(fnp, name);
        return NULL;
    }
    user->in_vertex = user->in_vertex || fnp->section == PRESET_FNP_PER_VERTEX;
    return user_reading(fnp, name->text);
}

static void warn_read_only(struct preset_fnp *fnp, const struct preset_fnp_token *name, int row)
{
    if (is_input(row) && !preset_fnp_state_of(fnp, row)->in_frame) {
        base_report(fnp->sink, BASE_WARNING, preset_fnp_place(fnp, name),
                    "q1 to q8 carry a value from per-frame equations to vertices",
                    "'%s' comes from outside and is read-only: vertices see none of this",
                    preset_fnp_names[row].name);
    }
}

const char *preset_fnp_assigning(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    const int row = row_here(fnp, name);
    if (row < 0) {
        return user_assigning(fnp, name);
    }
    struct preset_fnp_state *state = preset_fnp_state_of(fnp, row);
    if (fnp->section == PRESET_FNP_PER_VERTEX) {
        state->in_vertex = true;
    } else {
        warn_read_only(fnp, name, row);
        state->in_frame = true;
    }
    return preset_fnp_reading(fnp, name);
}
