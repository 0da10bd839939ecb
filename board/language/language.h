/* Patches in the board's own language (spec/flickernoise-patch-language.md), made
 * into a preset whose equations are those of a .milk file. One reader reads one text. */
#ifndef BOARD_LANGUAGE_LANGUAGE_H
#define BOARD_LANGUAGE_LANGUAGE_H

#include "presets/milk/preset.h"

enum {
    BOARD_FNP_NAME_MAX = 63,    /* characters of a name */
    BOARD_FNP_FILE_MAX = 1023,  /* bytes of a file's, with its folders */
    BOARD_FNP_NESTING_MAX = 60, /* levels of an expression */
    BOARD_FNP_USERS_MAX = 512,  /* names of the patch's own */
    BOARD_FNP_ELEMENTS_MAX = 256,
    BOARD_FNP_PROGRAM_MAX = PRESET_BLOCK_MAX - 1024, /* bytes; the renderer adds a little */
};

enum board_fnp_kind {
    BOARD_FNP_END,
    BOARD_FNP_WORD,
    BOARD_FNP_NUMBER,
    BOARD_FNP_TEXT, /* without its quotes */
    BOARD_FNP_MARK, /* a sign of one or two characters */
};

struct board_fnp_token {
    enum board_fnp_kind kind;
    struct base_span text;
    uint32_t line;
    uint32_t column;
};

enum board_fnp_access { BOARD_FNP_FRAME, BOARD_FNP_BOTH, BOARD_FNP_LIVE, BOARD_FNP_VERTEX };

struct board_fnp_name {
    const char *name;
    enum board_fnp_access access;
    const char *variable;
    const char *key;
    double fallback;
};

enum {
    BOARD_FNP_NAMES = 0
#define BOARD_FNP_NAME(...) +1
#include "board/language/names.def"
};
extern const struct board_fnp_name board_fnp_names[BOARD_FNP_NAMES];

struct board_fnp_function {
    const char *name;
    int arity;
    int level;
    bool truth;
    const char *text;
};

enum board_fnp_function_id {
#define BOARD_FNP_FUNCTION(id, ...) BOARD_FNP_FUNCTION_##id,
#include "board/language/functions.def"
    BOARD_FNP_FUNCTIONS
};
extern const struct board_fnp_function board_fnp_functions[BOARD_FNP_FUNCTIONS];

/* A name that is the patch's own. */
struct board_fnp_user {
    struct base_span name;
    int constant;   /* a tag's image number; -1: a variable */
    bool bound;     /* to a control, which a variable of its own stands for */
    bool in_frame;  /* per-frame equations have assigned it */
    bool in_vertex; /* per-vertex ones */
};

/* What is known of a row of names.def. Rows that mean the same variable share the first one's.
 */
struct board_fnp_state {
    bool given;
    bool bound;
    bool in_frame;  /* per-frame equations have assigned it */
    bool in_vertex; /* per-vertex ones */
    bool warned;
    double initial;
    uint32_t line; /* where it is given, bound or first assigned */
    uint32_t column;
};

struct board_fnp_element {
    struct base_span name;
    enum preset_element kind;
    uint8_t channel;
    uint8_t controller;
};

struct board_fnp_bound {
    struct base_span element;
    uint32_t line;
    uint32_t column;
};

enum board_fnp_section { BOARD_FNP_INITIAL, BOARD_FNP_PER_FRAME, BOARD_FNP_PER_VERTEX };
enum board_fnp_style { BOARD_FNP_EITHER, BOARD_FNP_NEW, BOARD_FNP_OLD };

/* Lines of one program in the making. */
struct board_fnp_program {
    struct base_source_line *lines;
    size_t count;
    size_t capacity;
    size_t size; /* bytes, line ends among them */
};

struct board_fnp {
    const char *path; /* the caller's */
    const struct base_diag_sink *sink;
    struct preset *preset;
    struct base_arena *scratch;
    struct base_span text;
    size_t offset;
    uint32_t line;
    size_t line_start;
    struct board_fnp_token token; /* the next one */
    bool failed;                  /* which has been said */

    enum board_fnp_section section;
    enum board_fnp_style style;
    bool labelled[BOARD_FNP_PER_VERTEX + 1];
    struct board_fnp_state states[BOARD_FNP_NAMES];
    struct board_fnp_user users[BOARD_FNP_USERS_MAX];
    size_t user_count;
    struct board_fnp_element elements[BOARD_FNP_ELEMENTS_MAX];
    size_t element_count;
    struct preset_binding bindings[PRESET_BINDINGS_MAX];
    struct board_fnp_bound bounds[PRESET_BINDINGS_MAX]; /* of the bindings */
    size_t binding_count;
    size_t left_out; /* keys of .milk files */
    bool init_warned;
    size_t node_count; /* of the expression that is read */
    struct board_fnp_program init;
    struct board_fnp_program frame;
    struct board_fnp_program vertex;
};

/* ---- tokens (expression.c) ---- */

/* Reads the first token or the next one into `token`. */
void board_fnp_next(struct board_fnp *fnp);

/* The token is this sign or word. */
bool board_fnp_at(const struct board_fnp *fnp, const char *text);

/* Takes it, or fails. */
bool board_fnp_expect(struct board_fnp *fnp, const char *mark, const char *hint);

/* Skips the rest of the line after the token and returns it, without blanks at its ends. */
struct base_span board_fnp_rest_of_line(struct board_fnp *fnp);

/* Takes a file's name that has no quotes, up to a comment or the end of the line: behind the token;
 * if `listed` from the token on, and up to a comma. Without blanks and ; at its end. The token is
 * then the next one. */
struct base_span board_fnp_take_bare(struct board_fnp *fnp, bool listed);

/* The first character after the token that is neither blank nor of a comment; '\0' at the end. */
char board_fnp_peek(const struct board_fnp *fnp);

/* Such an error: the program is too long. */
void board_fnp_fail_long(struct board_fnp *fnp);

/* An error at the token, after which tokens end; only the first counts. */
void board_fnp_fail(struct board_fnp *fnp, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct base_place board_fnp_place(const struct board_fnp *fnp, const struct board_fnp_token *token);

/* ---- expressions (expression.c) ---- */

/* Reads an expression; of the scratch arena. NULL when it failed. */
struct board_fnp_node;
struct board_fnp_node *board_fnp_expression(struct board_fnp *fnp);

/* A text that grows in an arena. */
struct board_fnp_output {
    struct base_arena *arena;
    char *data;
    size_t size;
    size_t capacity;
};

/* The value of an expression in the language of .milk files; its truth is 0 or 1. */
void board_fnp_put(struct board_fnp_output *output, const char *text);
void board_fnp_put_span(struct board_fnp_output *output, struct base_span text);
void board_fnp_put_value(struct board_fnp_output *output, const struct board_fnp_node *node);
void board_fnp_put_truth(struct board_fnp_output *output, const struct board_fnp_node *node);

/* ---- names (names.c) ---- */

/* The row of the name, or -1. */
int board_fnp_find(struct base_span name);

/* What a name means where it stands now, in the language of .milk files; of the scratch arena.
 * NULL when it failed. */
const char *board_fnp_reading(struct board_fnp *fnp, const struct board_fnp_token *name);
const char *board_fnp_assigning(struct board_fnp *fnp, const struct board_fnp_token *name);

/* Such a name, made if it is not there; NULL when there are too many. */
struct board_fnp_user *board_fnp_user(struct board_fnp *fnp, struct base_span name);

/* An error: what is given a value is the tag of an image. */
void board_fnp_fail_tag(struct board_fnp *fnp, const struct board_fnp_token *name);

/* State of a row. */
struct board_fnp_state *board_fnp_state_of(struct board_fnp *fnp, int row);

/* ---- controls and images (read.c) ---- */

/* The statement that begins at the token, if it is one of these: midi "..." {...}; imagefileN=...,
 * imagefiles=...; after `name =`: range(...) and the like. */
bool board_fnp_midi(struct board_fnp *fnp);
bool board_fnp_images(struct board_fnp *fnp);
bool board_fnp_bind(struct board_fnp *fnp, const struct board_fnp_token *name);

/* Finds the elements of the bindings and hands these over to the preset. */
void board_fnp_connect(struct board_fnp *fnp);

/* ---- a whole text (read.c) ---- */

/* Whether a text is such a patch: by the ending .fnp of its path, or by what it says. */
bool board_fnp_is(const char *path, struct base_span text);

/* Reads the text, which lives as long as the preset, whose path and arena are there. Returns
 * false, with an error reported, if the patch is refused. */
bool board_fnp_read(struct preset *preset, const char *path, struct base_span text,
                    struct base_arena *scratch, const struct base_diag_sink *sink);

#endif
