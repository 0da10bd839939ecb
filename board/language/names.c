#include <stdio.h>

#include "board/language/language.h"

const struct board_fnp_name board_fnp_names[BOARD_FNP_NAMES] = {
#define BOARD_FNP_NAME(name, access, variable, key, fallback)                                      \
    {name, BOARD_FNP_##access, variable, key, fallback},
#include "board/language/names.def"
};

int board_fnp_find(struct base_span name)
{
    for (int i = 0; i < BOARD_FNP_NAMES; i++) {
        if (base_span_equal(base_span_of(board_fnp_names[i].name), name)) {
            return i;
        }
    }
    return -1;
}

struct board_fnp_state *board_fnp_state_of(struct board_fnp *fnp, int row)
{
    int first = row;
    for (int i = 0; i < row && first == row; i++) {
        first = strcmp(board_fnp_names[i].variable, board_fnp_names[row].variable) == 0 ? i : row;
    }
    return &fnp->states[first];
}

struct board_fnp_user *board_fnp_user(struct board_fnp *fnp, struct base_span name)
{
    for (size_t i = 0; i < fnp->user_count; i++) {
        if (base_span_equal(fnp->users[i].name, name)) {
            return &fnp->users[i];
        }
    }
    if (fnp->user_count == BOARD_FNP_USERS_MAX) {
        board_fnp_fail(fnp, NULL, "more than %d variables", (int)BOARD_FNP_USERS_MAX);
        return NULL;
    }
    fnp->users[fnp->user_count] = (struct board_fnp_user){.name = name, .constant = -1};
    return &fnp->users[fnp->user_count++];
}

/* ---- where a name stands ---- */

/* The row, if the name is the board's in this section; -1: it is the patch's own there. */
static int row_here(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    const int row = board_fnp_find(name->text);
    const bool vertex = fnp->section == BOARD_FNP_PER_VERTEX;
    if (row < 0) {
        return -1;
    }
    const enum board_fnp_access wrong = vertex ? BOARD_FNP_FRAME : BOARD_FNP_VERTEX;
    if (board_fnp_names[row].access != wrong) {
        return row;
    }
    struct board_fnp_state *state = board_fnp_state_of(fnp, row);
    if (!state->warned) {
        base_report(fnp->sink, BASE_WARNING, board_fnp_place(fnp, name),
                    vertex ? "set it in per-frame equations" : "use it in per-vertex equations",
                    "'%s' is one of the %s equations; here it is a variable of the patch's own",
                    board_fnp_names[row].name, vertex ? "per-frame" : "per-vertex");
    }
    state->warned = true;
    return -1;
}

/* ---- names of .milk equations, which know no case ---- */

/* An injective spelling in small letters that is no word of froth's: of a variable (u), or of what
 * the control says that sets it in each frame (b). */
static const char *own_spelling(struct board_fnp *fnp, char kind, struct base_span name)
{
    char text[2 * BOARD_FNP_NAME_MAX + 3] = {kind, '_'};
    size_t size = 2;
    for (size_t i = 0; i < name.size && i < BOARD_FNP_NAME_MAX; i++) {
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
static const char *apart(struct board_fnp *fnp, const char *before, const char *variable)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "%s%s", before, variable);
    return base_arena_text(fnp->scratch, text, (size_t)size);
}

static bool is_input(int row)
{
    return board_fnp_names[row].access == BOARD_FNP_LIVE;
}

static const char *number_text(struct board_fnp *fnp, int number)
{
    char text[16];
    const int size = snprintf(text, sizeof text, "%d", number);
    return base_arena_text(fnp->scratch, text, (size_t)size);
}

static const char *user_reading(struct board_fnp *fnp, struct base_span name)
{
    struct board_fnp_user *user = board_fnp_user(fnp, name);
    const bool vertex = fnp->section == BOARD_FNP_PER_VERTEX;
    if (user == NULL) {
        return NULL;
    }
    if (user->constant >= 0) {
        return number_text(fnp, user->constant);
    }
    if (vertex && !user->in_vertex) {
        return "0";
    }
    return own_spelling(fnp, !vertex && user->bound && !user->in_frame ? 'b' : 'u', name);
}

const char *board_fnp_reading(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    const int row = row_here(fnp, name);
    if (row < 0) {
        return user_reading(fnp, name->text);
    }
    const char *variable = board_fnp_names[row].variable;
    const struct board_fnp_state *state = board_fnp_state_of(fnp, row);
    if (fnp->section == BOARD_FNP_PER_VERTEX) {
        /* Those that froth sets before each vertex: the motion, and the place. */
        const enum board_fnp_access access = board_fnp_names[row].access;
        const bool motion = access == BOARD_FNP_VERTEX ||
                            (access == BOARD_FNP_BOTH && variable[0] != 'q') ||
                            strcmp(variable, "time") == 0;
        return state->in_vertex && !motion ? apart(fnp, "v_", variable) : variable;
    }
    return state->in_frame && is_input(row) ? apart(fnp, "f_", variable) : variable;
}

void board_fnp_fail_tag(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    fnp->token = *name;
    board_fnp_fail(fnp, "choose another name", "'%.*s' is the tag of an image",
                   (int)name->text.size, name->text.data);
}

const char *board_fnp_assigning(struct board_fnp *fnp, const struct board_fnp_token *name)
{
    const int row = row_here(fnp, name);
    if (row < 0) {
        struct board_fnp_user *user = board_fnp_user(fnp, name->text);
        if (user == NULL) {
            return NULL;
        }
        if (user->constant >= 0) {
            board_fnp_fail_tag(fnp, name);
            return NULL;
        }
        const bool vertex = fnp->section == BOARD_FNP_PER_VERTEX;
        user->in_vertex = user->in_vertex || vertex;
        user->in_frame = user->in_frame || !vertex;
        return user_reading(fnp, name->text);
    }
    struct board_fnp_state *state = board_fnp_state_of(fnp, row);
    if (fnp->section == BOARD_FNP_PER_VERTEX) {
        state->in_vertex = true;
    } else {
        if (is_input(row) && !board_fnp_state_of(fnp, row)->in_frame) {
            base_report(fnp->sink, BASE_WARNING, board_fnp_place(fnp, name),
                        "q1 to q8 carry a value from per-frame equations to vertices",
                        "'%s' comes from outside and is read-only: vertices see none of this",
                        board_fnp_names[row].name);
        }
        state->in_frame = true;
    }
    if (state->line == 0) {
        state->line = name->line;
        state->column = name->column;
    }
    return board_fnp_reading(fnp, name);
}
