#include <stdlib.h>

#include "presets/fnp.h"

enum { LOOSEST = 1, CHILDREN = 3, LEAF = 3 /* a level tighter than products */ };

const struct preset_fnp_function preset_fnp_functions[PRESET_FNP_FUNCTIONS] = {
#define PRESET_FNP_FUNCTION(id, name, arity, level, truth, text) {name, arity, level, truth, text},
#include "presets/fnp_functions.def"
};

struct preset_fnp_node {
    const struct preset_fnp_function *function; /* NULL: a number or a name */
    struct base_span text;                      /* of that */
    bool number;
    int depth;
    struct preset_fnp_node *children[CHILDREN];
    struct preset_fnp_node *above; /* while a chain is written */
};

/* ---- reading ---- */

static const struct {
    const char *sign;
    int level;
    enum preset_fnp_function_id function;
} operators[] = {
    {"||", 1, PRESET_FNP_FUNCTION_ANY},     {"&&", 2, PRESET_FNP_FUNCTION_ALL},
    {"==", 3, PRESET_FNP_FUNCTION_SAME},    {"!=", 3, PRESET_FNP_FUNCTION_OTHER},
    {"<", 4, PRESET_FNP_FUNCTION_LESS},     {">", 4, PRESET_FNP_FUNCTION_MORE},
    {"<=", 4, PRESET_FNP_FUNCTION_AT_MOST}, {">=", 4, PRESET_FNP_FUNCTION_AT_LEAST},
    {"+", 5, PRESET_FNP_FUNCTION_ADD},      {"-", 5, PRESET_FNP_FUNCTION_SUBTRACT},
    {"*", 6, PRESET_FNP_FUNCTION_MULTIPLY}, {"/", 6, PRESET_FNP_FUNCTION_DIVIDE},
    {"%", 6, PRESET_FNP_FUNCTION_REST},
};

enum { OPERATORS = sizeof operators / sizeof *operators };

static struct preset_fnp_node *fail(struct preset_fnp *fnp, const char *hint, const char *what)
{
    preset_fnp_fail(fnp, hint, "%s", what);
    return NULL;
}

static struct preset_fnp_node *too_deep(struct preset_fnp *fnp)
{
    return fail(fnp, "divide it into several statements", "the expression is nested too deeply");
}

/* Each node is a byte of the program at least. */
static struct preset_fnp_node *new_node(struct preset_fnp *fnp)
{
    if (++fnp->node_count > PRESET_FNP_PROGRAM_MAX) {
        preset_fnp_fail_long(fnp);
        return NULL;
    }
    struct preset_fnp_node *node = base_arena_alloc(fnp->scratch, sizeof *node);
    return node != NULL ? node : fail(fnp, NULL, "not enough memory");
}

/* Left operands of sums and products do not nest: they are written without parentheses. */
static int depth_of(const struct preset_fnp_node *node)
{
    int depth = 0;
    for (int i = 0; i < node->function->arity; i++) {
        const struct preset_fnp_node *child = node->children[i];
        const bool chain = i == 0 && node->function->level > 0 && child->function != NULL &&
                           child->function->level >= node->function->level;
        const int below = child->depth + (chain ? 0 : 1);
        depth = below > depth ? below : depth;
    }
    return depth;
}

static struct preset_fnp_node *new_call(struct preset_fnp *fnp, enum preset_fnp_function_id id,
                                        struct preset_fnp_node *const children[CHILDREN])
{
    const struct preset_fnp_function *function = &preset_fnp_functions[id];
    struct preset_fnp_node *node = new_node(fnp);
    if (node == NULL) {
        return NULL;
    }
    node->function = function;
    for (int i = 0; i < function->arity; i++) {
        node->children[i] = children[i];
    }
    node->depth = depth_of(node);
    return node->depth <= PRESET_FNP_NESTING_MAX ? node : too_deep(fnp);
}

static struct preset_fnp_node *read_ternary(struct preset_fnp *fnp, int depth);

static int find_function(struct base_span name)
{
    for (int i = 0; i < PRESET_FNP_FUNCTIONS; i++) {
        if (base_span_equal(base_span_of(preset_fnp_functions[i].name), name)) {
            return i;
        }
    }
    return -1;
}

static struct preset_fnp_node *read_call(struct preset_fnp *fnp, int depth)
{
    struct preset_fnp_node *children[CHILDREN] = {NULL, NULL, NULL};
    const int id = find_function(fnp->token.text);
    if (id < 0) {
        preset_fnp_fail(fnp, "see docs/patch-language.md for those that there are",
                        "unknown function '%.*s'", (int)fnp->token.text.size, fnp->token.text.data);
        return NULL;
    }
    const struct preset_fnp_function *function = &preset_fnp_functions[id];
    preset_fnp_next(fnp);
    preset_fnp_next(fnp);
    for (int i = 0; i < function->arity; i++) {
        if (i > 0 && !preset_fnp_expect(fnp, ",", "the function takes more arguments")) {
            return NULL;
        }
        children[i] = read_ternary(fnp, depth + 1);
        if (children[i] == NULL) {
            return NULL;
        }
    }
    return preset_fnp_expect(fnp, ")", "count arguments and parentheses")
               ? new_call(fnp, (enum preset_fnp_function_id)id, children)
               : NULL;
}

static struct preset_fnp_node *read_leaf(struct preset_fnp *fnp)
{
    struct preset_fnp_node *node = new_node(fnp);
    if (node == NULL) {
        return NULL;
    }
    node->text = fnp->token.text;
    node->number = fnp->token.kind == PRESET_FNP_NUMBER;
    if (!node->number) {
        const char *name = preset_fnp_reading(fnp, &fnp->token);
        node->text = base_span_of(name != NULL ? name : "");
    }
    preset_fnp_next(fnp);
    return fnp->failed ? NULL : node;
}

static struct preset_fnp_node *read_unary(struct preset_fnp *fnp, int depth);

static struct preset_fnp_node *read_signed(struct preset_fnp *fnp, int depth,
                                           enum preset_fnp_function_id id)
{
    struct preset_fnp_node *children[CHILDREN] = {NULL, NULL, NULL};
    preset_fnp_next(fnp);
    children[0] = read_unary(fnp, depth + 1);
    return children[0] != NULL ? new_call(fnp, id, children) : NULL;
}

static struct preset_fnp_node *read_unary(struct preset_fnp *fnp, int depth)
{
    if (depth > PRESET_FNP_NESTING_MAX) {
        return too_deep(fnp);
    }
    if (preset_fnp_at(fnp, "-")) {
        return read_signed(fnp, depth, PRESET_FNP_FUNCTION_MINUS);
    }
    if (preset_fnp_at(fnp, "!")) {
        return read_signed(fnp, depth, PRESET_FNP_FUNCTION_NOT);
    }
    if (preset_fnp_at(fnp, "(")) {
        preset_fnp_next(fnp);
        struct preset_fnp_node *node = read_ternary(fnp, depth + 1);
        return node != NULL && preset_fnp_expect(fnp, ")", "count the parentheses") ? node : NULL;
    }
    if (fnp->token.kind == PRESET_FNP_WORD && preset_fnp_peek(fnp) == '(') {
        return read_call(fnp, depth);
    }
    if (fnp->token.kind == PRESET_FNP_WORD || fnp->token.kind == PRESET_FNP_NUMBER) {
        return read_leaf(fnp);
    }
    return fail(fnp, "a number, a name or a parenthesis is wanted", "an operand is missing");
}

static int find_operator(const struct preset_fnp *fnp)
{
    for (int i = 0; fnp->token.kind == PRESET_FNP_MARK && i < OPERATORS; i++) {
        if (preset_fnp_at(fnp, operators[i].sign)) {
            return i;
        }
    }
    return -1;
}

static struct preset_fnp_node *read_binary(struct preset_fnp *fnp, int depth, int loosest)
{
    struct preset_fnp_node *left = read_unary(fnp, depth);
    while (left != NULL) {
        const int row = find_operator(fnp);
        if (row < 0 || operators[row].level < loosest) {
            return left;
        }
        preset_fnp_next(fnp);
        struct preset_fnp_node *right = read_binary(fnp, depth, operators[row].level + 1);
        struct preset_fnp_node *const children[CHILDREN] = {left, right, NULL};
        left = right != NULL ? new_call(fnp, operators[row].function, children) : NULL;
    }
    return NULL;
}

static struct preset_fnp_node *read_ternary(struct preset_fnp *fnp, int depth)
{
    struct preset_fnp_node *children[CHILDREN] = {read_binary(fnp, depth, LOOSEST), NULL, NULL};
    if (children[0] == NULL || !preset_fnp_at(fnp, "?")) {
        return children[0];
    }
    preset_fnp_next(fnp);
    children[1] = read_ternary(fnp, depth + 1);
    if (children[1] == NULL || !preset_fnp_expect(fnp, ":", "write a ? b : c")) {
        return NULL;
    }
    children[2] = read_ternary(fnp, depth + 1);
    return children[2] != NULL ? new_call(fnp, PRESET_FNP_FUNCTION_IF, children) : NULL;
}

struct preset_fnp_node *preset_fnp_expression(struct preset_fnp *fnp)
{
    fnp->node_count = 0;
    return read_ternary(fnp, 0);
}

/* ---- writing ---- */

void preset_fnp_put_span(struct preset_fnp_output *output, struct base_span text)
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

void preset_fnp_put(struct preset_fnp_output *output, const char *text)
{
    preset_fnp_put_span(output, base_span_of(text));
}

static int level_of(const struct preset_fnp_node *node)
{
    return node->function == NULL || node->function->level == 0 ? LEAF : node->function->level;
}

static void put_closed(struct preset_fnp_output *output, const struct preset_fnp_node *node)
{
    const bool open = level_of(node) != LEAF;
    preset_fnp_put(output, open ? "(" : "");
    preset_fnp_put_value(output, node);
    preset_fnp_put(output, open ? ")" : "");
}

static void put_call(struct preset_fnp_output *output, const struct preset_fnp_node *node)
{
    for (const char *at = node->function->text; *at != '\0'; at++) {
        if (*at != '#' && *at != '~' && *at != '?') {
            preset_fnp_put_span(output, (struct base_span){at, 1});
            continue;
        }
        const char way = *at++;
        const struct preset_fnp_node *child = node->children[*at - '1'];
        if (way == '#') {
            preset_fnp_put_value(output, child);
        } else if (way == '~') {
            put_closed(output, child);
        } else {
            preset_fnp_put_truth(output, child);
        }
    }
}

/* A chain of left operands is walked, for it may be as long as the text. */
static void put_chain(struct preset_fnp_output *output, const struct preset_fnp_node *node)
{
    struct preset_fnp_node *lowest = (struct preset_fnp_node *)node;
    lowest->above = NULL;
    while (level_of(lowest->children[0]) != LEAF &&
           level_of(lowest->children[0]) >= level_of(lowest)) {
        lowest->children[0]->above = lowest;
        lowest = lowest->children[0];
    }
    put_closed(output, lowest->children[0]);
    for (const struct preset_fnp_node *up = lowest; up != NULL; up = up->above) {
        const struct preset_fnp_node *right = up->children[1];
        preset_fnp_put(output, up->function->text);
        if (level_of(right) > level_of(up)) {
            preset_fnp_put_value(output, right);
        } else {
            put_closed(output, right);
        }
    }
}

void preset_fnp_put_value(struct preset_fnp_output *output, const struct preset_fnp_node *node)
{
    if (node->function == NULL) {
        preset_fnp_put_span(output, node->text);
    } else if (node->function->level > 0) {
        put_chain(output, node);
    } else {
        put_call(output, node);
    }
}

void preset_fnp_put_truth(struct preset_fnp_output *output, const struct preset_fnp_node *node)
{
    const bool known = node->function != NULL && node->function->truth;
    preset_fnp_put(output, known ? "" : "bnot(_same(");
    preset_fnp_put_value(output, node);
    preset_fnp_put(output, known ? "" : ",0))");
}
