/* Inside presets/: patches in the board's own language (spec/flickernoise-patch-language.md), made
 * into a preset whose equations are those of a .milk file. One reader reads one text. */
#ifndef PRESETS_FNP_H
#define PRESETS_FNP_H

#include "presets/preset.h"

enum {
    PRESET_FNP_NAME_MAX = 63,    /* characters of a name */
    PRESET_FNP_NESTING_MAX = 60, /* levels of an expression */
    PRESET_FNP_USERS_MAX = 512,  /* names of the patch's own */
    PRESET_FNP_ELEMENTS_MAX = 256,
    PRESET_FNP_PROGRAM_MAX = PRESET_BLOCK_MAX - 1024, /* bytes; the renderer adds a little */
};

enum preset_fnp_kind {
    PRESET_FNP_END,
    PRESET_FNP_WORD,
    PRESET_FNP_NUMBER,
    PRESET_FNP_TEXT, /* without its quotes */
    PRESET_FNP_MARK, /* a sign of one or two characters */
};

struct preset_fnp_token {
    enum preset_fnp_kind kind;
    struct base_span text;
    uint32_t line;
    uint32_t column;
};

enum preset_fnp_access { PRESET_FNP_FRAME, PRESET_FNP_BOTH, PRESET_FNP_LIVE, PRESET_FNP_VERTEX };

struct preset_fnp_name {
    const char *name;
    enum preset_fnp_access access;
    const char *variable;
    const char *key;
    double fallback;
};

enum {
    PRESET_FNP_NAMES = 0
#define PRESET_FNP_NAME(...) +1
#include "presets/fnp_names.def"
};
extern const struct preset_fnp_name preset_fnp_names[PRESET_FNP_NAMES];

struct preset_fnp_function {
    const char *name;
    int arity;
    int level;
    bool truth;
    const char *text;
};

enum preset_fnp_function_id {
#define PRESET_FNP_FUNCTION(id, ...) PRESET_FNP_FUNCTION_##id,
#include "presets/fnp_functions.def"
    PRESET_FNP_FUNCTIONS
};
extern const struct preset_fnp_function preset_fnp_functions[PRESET_FNP_FUNCTIONS];

/* A name that is the patch's own. */
struct preset_fnp_user {
    struct base_span name;
    int constant;   /* a tag's image number; -1: a variable */
    int q;          /* number of the q that stands for it in per-frame equations; 0: none */
    bool in_vertex; /* per-vertex equations have assigned it */
};

/* What is known of a row of fnp_names.def. Rows that mean the same variable share the first one's.
 */
struct preset_fnp_state {
    bool given;
    bool bound;
    bool in_frame;  /* per-frame equations have assigned it */
    bool in_vertex; /* per-vertex ones */
    bool warned;
    double initial;
    uint32_t line;
    uint32_t column;
};

struct preset_fnp_element {
    struct base_span name;
    enum preset_element kind;
    uint8_t channel;
    uint8_t controller;
};

struct preset_fnp_bound {
    struct base_span element;
    uint32_t line;
    uint32_t column;
};

enum preset_fnp_section { PRESET_FNP_INITIAL, PRESET_FNP_PER_FRAME, PRESET_FNP_PER_VERTEX };
enum preset_fnp_style { PRESET_FNP_EITHER, PRESET_FNP_NEW, PRESET_FNP_OLD };

/* Lines of one program in the making. */
struct preset_fnp_program {
    struct base_source_line *lines;
    size_t count;
    size_t capacity;
    size_t size; /* bytes, line ends among them */
};

struct preset_fnp {
    const char *path; /* the caller's */
    const struct base_diag_sink *sink;
    struct preset *preset;
    struct base_arena *scratch;
    struct base_span text;
    size_t offset;
    uint32_t line;
    size_t line_start;
    struct preset_fnp_token token; /* the next one */
    bool failed;                   /* which has been said */

    enum preset_fnp_section section;
    enum preset_fnp_style style;
    bool labelled[PRESET_FNP_PER_VERTEX + 1];
    struct preset_fnp_state states[PRESET_FNP_NAMES];
    struct preset_fnp_user users[PRESET_FNP_USERS_MAX];
    size_t user_count;
    struct preset_fnp_element elements[PRESET_FNP_ELEMENTS_MAX];
    size_t element_count;
    struct preset_binding bindings[PRESET_BINDINGS_MAX];
    struct preset_fnp_bound bounds[PRESET_BINDINGS_MAX]; /* of the bindings */
    size_t binding_count;
    int q_count;     /* given to bound variables of the patch's own */
    size_t left_out; /* keys of .milk files */
    bool drew_image; /* warned of */
    bool drew_video;
    bool heard_osc;
    bool init_warned;
    size_t node_count; /* of the expression that is read */
    struct preset_fnp_program init;
    struct preset_fnp_program frame;
    struct preset_fnp_program vertex;
};

/* ---- fnp_lex.c ---- */

/* Reads the first token or the next one into `token`. */
void preset_fnp_next(struct preset_fnp *fnp);

/* The token is this sign or word. */
bool preset_fnp_at(const struct preset_fnp *fnp, const char *text);

/* Takes it, or fails. */
bool preset_fnp_expect(struct preset_fnp *fnp, const char *mark, const char *hint);

/* Skips the rest of the line after the token and returns it, without blanks at its ends. */
struct base_span preset_fnp_rest_of_line(struct preset_fnp *fnp);

/* The first character after the token that is neither blank nor of a comment; '\0' at the end. */
char preset_fnp_peek(const struct preset_fnp *fnp);

/* Such an error: the program is too long. */
void preset_fnp_fail_long(struct preset_fnp *fnp);

/* An error at the token, after which tokens end; only the first counts. */
void preset_fnp_fail(struct preset_fnp *fnp, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct base_place preset_fnp_place(const struct preset_fnp *fnp,
                                   const struct preset_fnp_token *token);

/* ---- fnp_expression.c ---- */

/* Reads an expression; of the scratch arena. NULL when it failed. */
struct preset_fnp_node;
struct preset_fnp_node *preset_fnp_expression(struct preset_fnp *fnp);

/* A text that grows in an arena. */
struct preset_fnp_output {
    struct base_arena *arena;
    char *data;
    size_t size;
    size_t capacity;
};

/* The value of an expression in the language of .milk files; its truth is 0 or 1. */
void preset_fnp_put(struct preset_fnp_output *output, const char *text);
void preset_fnp_put_span(struct preset_fnp_output *output, struct base_span text);
void preset_fnp_put_value(struct preset_fnp_output *output, const struct preset_fnp_node *node);
void preset_fnp_put_truth(struct preset_fnp_output *output, const struct preset_fnp_node *node);

/* ---- fnp_names.c ---- */

/* The row of the name, or -1. */
int preset_fnp_find(struct base_span name);

/* What a name means where it stands now, in the language of .milk files; of the scratch arena.
 * NULL when it failed. */
const char *preset_fnp_reading(struct preset_fnp *fnp, const struct preset_fnp_token *name);
const char *preset_fnp_assigning(struct preset_fnp *fnp, const struct preset_fnp_token *name);

/* Such a name, made if it is not there; NULL when there are too many. */
struct preset_fnp_user *preset_fnp_user(struct preset_fnp *fnp, struct base_span name);

/* An error: what is given a value is the tag of an image. */
void preset_fnp_fail_tag(struct preset_fnp *fnp, const struct preset_fnp_token *name);

/* State of a row. */
struct preset_fnp_state *preset_fnp_state_of(struct preset_fnp *fnp, int row);

/* ---- fnp_controls.c ---- */

/* The statement that begins at the token, if it is one of these: midi "..." {...}; imagefileN=...,
 * imagefiles=...; after `name =`: range(...) and the like. */
bool preset_fnp_midi(struct preset_fnp *fnp);
bool preset_fnp_images(struct preset_fnp *fnp);
bool preset_fnp_bind(struct preset_fnp *fnp, const struct preset_fnp_token *name);

/* Finds the elements of the bindings and hands these over to the preset. */
void preset_fnp_connect(struct preset_fnp *fnp);

/* ---- fnp_read.c ---- */

/* Whether a text is such a patch: by the ending .fnp of its path, or by what it says. */
bool preset_fnp_is(const char *path, struct base_span text);

/* Reads the text, which lives as long as the preset, whose path and arena are there. Returns
 * false, with an error reported, if the patch is refused. */
bool preset_fnp_read(struct preset *preset, const char *path, struct base_span text,
                     struct base_arena *scratch, const struct base_diag_sink *sink);

#endif
