#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "board/language/language.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static char at(const struct board_fnp *fnp, size_t offset)
{
    return offset < fnp->text.size ? fnp->text.data[offset] : '\0';
}

static bool at_end(const struct board_fnp *fnp)
{
    return fnp->offset >= fnp->text.size;
}

static bool at_line_end(const struct board_fnp *fnp)
{
    return at_end(fnp) || at(fnp, fnp->offset) == '\n' || at(fnp, fnp->offset) == '\r';
}

struct base_place board_fnp_place(const struct board_fnp *fnp, const struct board_fnp_token *token)
{
    return (struct base_place){fnp->path, token->line, token->column};
}

void board_fnp_fail(struct board_fnp *fnp, const char *hint, const char *format, ...)
{
    char what[160];
    va_list arguments;
    if (fnp->failed) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    base_report(fnp->sink, BASE_ERROR, board_fnp_place(fnp, &fnp->token), hint, "%s", what);
    fnp->failed = true;
    fnp->offset = fnp->text.size;
    fnp->token.kind = BOARD_FNP_END;
    fnp->token.text = (struct base_span){"", 0};
}

void board_fnp_fail_long(struct board_fnp *fnp)
{
    board_fnp_fail(fnp, "shorten the equations", "the program is longer than %d bytes",
                   (int)BOARD_FNP_PROGRAM_MAX);
}

static struct board_fnp_token begin(const struct board_fnp *fnp)
{
    return (struct board_fnp_token){
        .kind = BOARD_FNP_END,
        .text = {fnp->text.data + fnp->offset, 0},
        .line = fnp->line,
        .column = (uint32_t)(fnp->offset - fnp->line_start) + 1,
    };
}

/* Behind the comment that begins there; there, if none does or it has no end. */
static size_t behind_comment(const struct board_fnp *fnp, size_t begin)
{
    const struct base_span text = fnp->text;
    const char kind = at(fnp, begin) == '/' ? at(fnp, begin + 1) : '\0';
    size_t end = begin + 2;
    if (kind == '/') {
        while (end < text.size && text.data[end] != '\n' && text.data[end] != '\r') {
            end++;
        }
        return end;
    }
    while (kind == '*' && end < text.size && (at(fnp, end) != '*' || at(fnp, end + 1) != '/')) {
        end++;
    }
    return kind == '*' && end < text.size ? end + 2 : begin;
}

static size_t behind_blanks(const struct board_fnp *fnp, size_t offset)
{
    for (size_t before = offset + 1; before != offset;) {
        before = offset;
        offset = is_blank(at(fnp, offset)) ? offset + 1 : behind_comment(fnp, offset);
    }
    return offset;
}

static size_t digits(const struct board_fnp *fnp, size_t offset)
{
    while (is_digit(at(fnp, offset))) {
        offset++;
    }
    return offset;
}

static void take_text(struct board_fnp *fnp)
{
    fnp->offset++;
    const size_t start = fnp->offset;
    while (!at_line_end(fnp) && at(fnp, fnp->offset) != '"') {
        fnp->offset++;
    }
    if (at_line_end(fnp)) {
        board_fnp_fail(fnp, "end it with \" in the same line", "the text has no end");
        return;
    }
    fnp->token.kind = BOARD_FNP_TEXT;
    fnp->token.text = (struct base_span){fnp->text.data + start, fnp->offset - start};
    fnp->offset++;
}

static void take_mark(struct board_fnp *fnp)
{
    static const char *const marks[] = {"==", "!=", "<=", ">=", "&&", "||", "=", "<", ">",
                                        "+",  "-",  "*",  "/",  "%",  "!",  "?", ":", "(",
                                        ")",  "{",  "}",  "[",  "]",  ",",  ";"};
    const struct base_span rest = {fnp->text.data + fnp->offset, fnp->text.size - fnp->offset};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t size = strlen(marks[i]);
        if (size <= rest.size && memcmp(rest.data, marks[i], size) == 0) {
            fnp->token.kind = BOARD_FNP_MARK;
            fnp->token.text.size = size;
            fnp->offset += size;
            return;
        }
    }
    const unsigned byte = (unsigned char)rest.data[0];
    if (byte > ' ' && byte <= '~') {
        board_fnp_fail(fnp, "it has no meaning here", "unexpected character '%c'", rest.data[0]);
    } else {
        board_fnp_fail(fnp, "only ASCII text is allowed outside comments", "unexpected byte 0x%02X",
                       byte);
    }
}

void board_fnp_next(struct board_fnp *fnp)
{
    const size_t end = behind_blanks(fnp, fnp->offset);
    while (fnp->offset < end) {
        /* LF, CR or both end a line. */
        const char c = at(fnp, fnp->offset++);
        if (c == '\n' || (c == '\r' && at(fnp, fnp->offset) != '\n')) {
            fnp->line++;
            fnp->line_start = fnp->offset;
        }
    }
    if (at(fnp, end) == '/' && at(fnp, end + 1) == '*') {
        fnp->token = begin(fnp);
        board_fnp_fail(fnp, "end it with */", "the comment has no end");
    }
    if (fnp->failed) {
        return;
    }
    fnp->token = begin(fnp);
    const char c = at(fnp, fnp->offset);
    if (at_end(fnp)) {
        return;
    }
    if (is_digit(c) || (c == '.' && is_digit(at(fnp, fnp->offset + 1)))) {
        size_t after = digits(fnp, fnp->offset);
        after = at(fnp, after) == '.' ? digits(fnp, after + 1) : after;
        fnp->token.kind = BOARD_FNP_NUMBER;
        fnp->token.text.size = after - fnp->offset;
        if (is_name_part(at(fnp, after)) || at(fnp, after) == '.') {
            board_fnp_fail(fnp, "write it like 1.25", "malformed number");
            return;
        }
        fnp->offset = after;
    } else if (is_name_part(c)) {
        size_t after = fnp->offset;
        while (is_name_part(at(fnp, after))) {
            after++;
        }
        fnp->token.kind = BOARD_FNP_WORD;
        fnp->token.text.size = after - fnp->offset;
        if (fnp->token.text.size > BOARD_FNP_NAME_MAX) {
            board_fnp_fail(fnp, NULL, "the name has more than %d characters",
                           (int)BOARD_FNP_NAME_MAX);
            return;
        }
        fnp->offset = after;
    } else if (c == '"') {
        take_text(fnp);
    } else {
        take_mark(fnp);
    }
}

bool board_fnp_at(const struct board_fnp *fnp, const char *text)
{
    return (fnp->token.kind == BOARD_FNP_MARK || fnp->token.kind == BOARD_FNP_WORD) &&
           base_span_equal(fnp->token.text, base_span_of(text));
}

bool board_fnp_expect(struct board_fnp *fnp, const char *mark, const char *hint)
{
    if (board_fnp_at(fnp, mark)) {
        board_fnp_next(fnp);
        return !fnp->failed;
    }
    if (fnp->token.kind == BOARD_FNP_END) {
        board_fnp_fail(fnp, hint, "'%s' is missing at the end", mark);
    } else {
        board_fnp_fail(fnp, hint, "'%s' is missing before '%.*s'", mark,
                       (int)(fnp->token.text.size < 40 ? fnp->token.text.size : 40),
                       fnp->token.text.data);
    }
    return false;
}

struct base_span board_fnp_rest_of_line(struct board_fnp *fnp)
{
    while (!at_line_end(fnp) && is_blank(at(fnp, fnp->offset))) {
        fnp->offset++;
    }
    struct base_span rest = {fnp->text.data + fnp->offset, 0};
    while (!at_line_end(fnp)) {
        fnp->offset++;
    }
    rest.size = (size_t)(fnp->text.data + fnp->offset - rest.data);
    while (rest.size > 0 && is_blank(rest.data[rest.size - 1])) {
        rest.size--;
    }
    return rest;
}

struct base_span board_fnp_take_bare(struct board_fnp *fnp, bool listed)
{
    if (listed) {
        fnp->offset = (size_t)(fnp->token.text.data - fnp->text.data);
    }
    while (!at_line_end(fnp) && is_blank(at(fnp, fnp->offset))) {
        fnp->offset++;
    }
    const size_t start = fnp->offset;
    bool blank = true;
    while (!at_line_end(fnp) && !(listed && at(fnp, fnp->offset) == ',') &&
           !(blank && behind_comment(fnp, fnp->offset) != fnp->offset)) {
        blank = is_blank(at(fnp, fnp->offset++));
    }
    struct base_span file = {fnp->text.data + start, fnp->offset - start};
    while (file.size > 0 &&
           (is_blank(file.data[file.size - 1]) || file.data[file.size - 1] == ';')) {
        file.size--;
    }
    board_fnp_next(fnp);
    return file;
}

char board_fnp_peek(const struct board_fnp *fnp)
{
    return at(fnp, behind_blanks(fnp, fnp->offset));
}

enum { LOOSEST = 1, CHILDREN = 3, LEAF = 3 /* a level tighter than products */ };

const struct board_fnp_function board_fnp_functions[BOARD_FNP_FUNCTIONS] = {
#define BOARD_FNP_FUNCTION(id, name, arity, level, truth, text) {name, arity, level, truth, text},
#include "board/language/functions.def"
};

struct board_fnp_node {
    const struct board_fnp_function *function; /* NULL: a number or a name */
    struct base_span text;                     /* of that */
    bool number;
    int depth;
    struct board_fnp_node *children[CHILDREN];
    struct board_fnp_node *above; /* while a chain is written */
};

/* ---- reading ---- */

static const struct {
    const char *sign;
    int level;
    enum board_fnp_function_id function;
} operators[] = {
    {"||", 1, BOARD_FNP_FUNCTION_ANY},     {"&&", 2, BOARD_FNP_FUNCTION_ALL},
    {"==", 3, BOARD_FNP_FUNCTION_SAME},    {"!=", 3, BOARD_FNP_FUNCTION_OTHER},
    {"<", 4, BOARD_FNP_FUNCTION_LESS},     {">", 4, BOARD_FNP_FUNCTION_MORE},
    {"<=", 4, BOARD_FNP_FUNCTION_AT_MOST}, {">=", 4, BOARD_FNP_FUNCTION_AT_LEAST},
    {"+", 5, BOARD_FNP_FUNCTION_ADD},      {"-", 5, BOARD_FNP_FUNCTION_SUBTRACT},
    {"*", 6, BOARD_FNP_FUNCTION_MULTIPLY}, {"/", 6, BOARD_FNP_FUNCTION_DIVIDE},
    {"%", 6, BOARD_FNP_FUNCTION_REST},
};

enum { OPERATORS = sizeof operators / sizeof *operators };

static struct board_fnp_node *fail(struct board_fnp *fnp, const char *hint, const char *what)
{
    board_fnp_fail(fnp, hint, "%s", what);
    return NULL;
}

static struct board_fnp_node *too_deep(struct board_fnp *fnp)
{
    return fail(fnp, "divide it into several statements", "the expression is nested too deeply");
}

/* Each node is a byte of the program at least. */
static struct board_fnp_node *new_node(struct board_fnp *fnp)
{
    if (++fnp->node_count > BOARD_FNP_PROGRAM_MAX) {
        board_fnp_fail_long(fnp);
        return NULL;
    }
    struct board_fnp_node *node = base_arena_alloc(fnp->scratch, sizeof *node);
    return node != NULL ? node : fail(fnp, NULL, "not enough memory");
}

static struct board_fnp_node *new_call(struct board_fnp *fnp, enum board_fnp_function_id id,
                                       struct board_fnp_node *const children[CHILDREN])
{
    const struct board_fnp_function *function = &board_fnp_functions[id];
    struct board_fnp_node *node = new_node(fnp);
    if (node == NULL) {
        return NULL;
    }
    node->function = function;
    for (int i = 0; i < function->arity; i++) {
        node->children[i] = children[i];
    }
    /* Left operands of sums and products do not nest: they are written without parentheses. */
    int depth = 0;
    for (int i = 0; i < node->function->arity; i++) {
        const struct board_fnp_node *child = node->children[i];
        const bool chain = i == 0 && node->function->level > 0 && child->function != NULL &&
                           child->function->level >= node->function->level;
        const int below = child->depth + (chain ? 0 : 1);
        depth = below > depth ? below : depth;
    }
    node->depth = depth;
    return node->depth <= BOARD_FNP_NESTING_MAX ? node : too_deep(fnp);
}

static struct board_fnp_node *read_ternary(struct board_fnp *fnp, int depth);

static struct board_fnp_node *read_call(struct board_fnp *fnp, int depth)
{
    struct board_fnp_node *children[CHILDREN] = {NULL, NULL, NULL};
    int id = 0;
    while (id < BOARD_FNP_FUNCTIONS &&
           !base_span_equal(base_span_of(board_fnp_functions[id].name), fnp->token.text)) {
        id++;
    }
    if (id == BOARD_FNP_FUNCTIONS) {
        board_fnp_fail(fnp, "see docs/patch-language.md for those that there are",
                       "unknown function '%.*s'", (int)fnp->token.text.size, fnp->token.text.data);
        return NULL;
    }
    const struct board_fnp_function *function = &board_fnp_functions[id];
    board_fnp_next(fnp);
    board_fnp_next(fnp);
    for (int i = 0; i < function->arity; i++) {
        if (i > 0 && !board_fnp_expect(fnp, ",", "the function takes more arguments")) {
            return NULL;
        }
        children[i] = read_ternary(fnp, depth + 1);
        if (children[i] == NULL) {
            return NULL;
        }
    }
    return board_fnp_expect(fnp, ")", "count arguments and parentheses")
               ? new_call(fnp, (enum board_fnp_function_id)id, children)
               : NULL;
}

static struct board_fnp_node *read_unary(struct board_fnp *fnp, int depth);

static struct board_fnp_node *read_signed(struct board_fnp *fnp, int depth,
                                          enum board_fnp_function_id id)
{
    struct board_fnp_node *children[CHILDREN] = {NULL, NULL, NULL};
    board_fnp_next(fnp);
    children[0] = read_unary(fnp, depth + 1);
    return children[0] != NULL ? new_call(fnp, id, children) : NULL;
}

static struct board_fnp_node *read_unary(struct board_fnp *fnp, int depth)
{
    if (depth > BOARD_FNP_NESTING_MAX) {
        return too_deep(fnp);
    }
    if (board_fnp_at(fnp, "-")) {
        return read_signed(fnp, depth, BOARD_FNP_FUNCTION_MINUS);
    }
    if (board_fnp_at(fnp, "+")) {
        board_fnp_next(fnp);
        return read_unary(fnp, depth + 1);
    }
    if (board_fnp_at(fnp, "!")) {
        return read_signed(fnp, depth, BOARD_FNP_FUNCTION_NOT);
    }
    if (board_fnp_at(fnp, "(")) {
        board_fnp_next(fnp);
        struct board_fnp_node *node = read_ternary(fnp, depth + 1);
        return node != NULL && board_fnp_expect(fnp, ")", "count the parentheses") ? node : NULL;
    }
    if (fnp->token.kind == BOARD_FNP_WORD && board_fnp_peek(fnp) == '(') {
        return read_call(fnp, depth);
    }
    if (fnp->token.kind != BOARD_FNP_WORD && fnp->token.kind != BOARD_FNP_NUMBER) {
        return fail(fnp, "a number, a name or a parenthesis is wanted", "an operand is missing");
    }
    struct board_fnp_node *leaf = new_node(fnp);
    if (leaf == NULL) {
        return NULL;
    }
    leaf->text = fnp->token.text;
    leaf->number = fnp->token.kind == BOARD_FNP_NUMBER;
    if (!leaf->number) {
        const char *name = board_fnp_reading(fnp, &fnp->token);
        leaf->text = base_span_of(name != NULL ? name : "");
    }
    board_fnp_next(fnp);
    return fnp->failed ? NULL : leaf;
}

static struct board_fnp_node *read_binary(struct board_fnp *fnp, int depth, int loosest)
{
    struct board_fnp_node *left = read_unary(fnp, depth);
    while (left != NULL) {
        int row = fnp->token.kind == BOARD_FNP_MARK ? 0 : OPERATORS;
        while (row < OPERATORS && !board_fnp_at(fnp, operators[row].sign)) {
            row++;
        }
        if (row == OPERATORS || operators[row].level < loosest) {
            return left;
        }
        board_fnp_next(fnp);
        struct board_fnp_node *right = read_binary(fnp, depth, operators[row].level + 1);
        struct board_fnp_node *const children[CHILDREN] = {left, right, NULL};
        left = right != NULL ? new_call(fnp, operators[row].function, children) : NULL;
    }
    return NULL;
}

static struct board_fnp_node *read_ternary(struct board_fnp *fnp, int depth)
{
    struct board_fnp_node *children[CHILDREN] = {read_binary(fnp, depth, LOOSEST), NULL, NULL};
    if (children[0] == NULL || !board_fnp_at(fnp, "?")) {
        return children[0];
    }
    board_fnp_next(fnp);
    children[1] = read_ternary(fnp, depth + 1);
    if (children[1] == NULL || !board_fnp_expect(fnp, ":", "write a ? b : c")) {
        return NULL;
    }
    children[2] = read_ternary(fnp, depth + 1);
    return children[2] != NULL ? new_call(fnp, BOARD_FNP_FUNCTION_IF, children) : NULL;
}

struct board_fnp_node *board_fnp_expression(struct board_fnp *fnp)
{
    fnp->node_count = 0;
    return read_ternary(fnp, 0);
}

/* ---- writing ---- */

void board_fnp_put_span(struct board_fnp_output *output, struct base_span text)
{
    char *data = base_arena_grow(output->arena, output->data, &output->capacity,
                                 output->size + text.size + 1, 1);
    if (data != NULL && text.size > 0) {
        memcpy(data + output->size, text.data, text.size);
    }
    if (data != NULL) {
        output->data = data;
        output->size += text.size;
        data[output->size] = '\0';
    }
}

void board_fnp_put(struct board_fnp_output *output, const char *text)
{
    board_fnp_put_span(output, base_span_of(text));
}

static int level_of(const struct board_fnp_node *node)
{
    return node->function == NULL || node->function->level == 0 ? LEAF : node->function->level;
}

static void put_closed(struct board_fnp_output *output, const struct board_fnp_node *node)
{
    const bool open = level_of(node) != LEAF;
    board_fnp_put(output, open ? "(" : "");
    board_fnp_put_value(output, node);
    board_fnp_put(output, open ? ")" : "");
}

void board_fnp_put_value(struct board_fnp_output *output, const struct board_fnp_node *node)
{
    if (node->function == NULL) {
        board_fnp_put_span(output, node->text);
        return;
    }
    if (node->function->level > 0) {
        /* A chain of left operands is walked, for it may be as long as the text. */
        struct board_fnp_node *lowest = (struct board_fnp_node *)node;
        lowest->above = NULL;
        while (level_of(lowest->children[0]) != LEAF &&
               level_of(lowest->children[0]) >= level_of(lowest)) {
            lowest->children[0]->above = lowest;
            lowest = lowest->children[0];
        }
        put_closed(output, lowest->children[0]);
        for (const struct board_fnp_node *up = lowest; up != NULL; up = up->above) {
            const struct board_fnp_node *right = up->children[1];
            board_fnp_put(output, up->function->text);
            if (level_of(right) > level_of(up)) {
                board_fnp_put_value(output, right);
            } else {
                put_closed(output, right);
            }
        }
        return;
    }
    for (const char *at = node->function->text; *at != '\0'; at++) {
        if (*at != '#' && *at != '~' && *at != '?') {
            board_fnp_put_span(output, (struct base_span){at, 1});
            continue;
        }
        const char way = *at++;
        const struct board_fnp_node *child = node->children[*at - '1'];
        if (way == '#') {
            board_fnp_put_value(output, child);
        } else if (way == '~') {
            put_closed(output, child);
        } else {
            board_fnp_put_truth(output, child);
        }
    }
}

void board_fnp_put_truth(struct board_fnp_output *output, const struct board_fnp_node *node)
{
    const bool known = node->function != NULL && node->function->truth;
    board_fnp_put(output, known ? "" : "bnot(_same(");
    board_fnp_put_value(output, node);
    board_fnp_put(output, known ? "" : ",0))");
}
