/* Bytes are the lines of a shader stage: a tree within the limits, or one message. */
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/text/ast.h"

enum { LINES = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t split(const uint8_t *data, size_t size, struct base_source_line *lines)
{
    const char *text = (const char *)data;
    size_t count = 0;
    size_t start = 0;
    while (count < LINES && start <= size) {
        const char *end = size > start ? memchr(text + start, '\n', size - start) : NULL;
        const size_t length = end != NULL ? (size_t)(end - text) - start : size - start;
        lines[count] = (struct base_source_line){{text + start, length}, (uint32_t)count + 1, 1};
        start += length + 1;
        count++;
    }
    return count;
}

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_place(const struct base_place *place)
{
    require(place->file != NULL && place->line >= 1 && place->line <= LINES && place->column >= 1);
}

static void check_type(const struct shader_type *type)
{
    require(type->base <= SHADER_SAMPLER && type->rows >= 1 && type->rows <= 4 &&
            type->columns >= 1 && type->columns <= 4 && (type->matrix || type->rows == 1) &&
            type->length <= SHADER_ARRAY_MAX);
}

/* Every part of an expression that its kind has is there; levels are counted right. */
static void check(const struct shader_expression *expression, unsigned depth)
{
    static const struct {
        bool a;
        bool b;
        bool c;
        bool name;
        bool arguments;
    } kinds[] = {
        [SHADER_E_NUMBER] = {.a = false},
        [SHADER_E_NAME] = {.name = true},
        [SHADER_E_UNARY] = {.a = true},
        [SHADER_E_BINARY] = {.a = true, .b = true},
        [SHADER_E_ASSIGN] = {.a = true, .b = true},
        [SHADER_E_STEP] = {.a = true},
        [SHADER_E_CHOICE] = {.a = true, .b = true, .c = true},
        [SHADER_E_CALL] = {.name = true, .arguments = true},
        [SHADER_E_CONSTRUCT] = {.arguments = true},
        [SHADER_E_MEMBER] = {.a = true, .name = true},
        [SHADER_E_INDEX] = {.a = true, .b = true},
        [SHADER_E_LIST] = {.arguments = true},
        [SHADER_E_COMMA] = {.a = true, .b = true},
    };
    const enum shader_expression_kind kind = expression->kind;
    require(expression->depth >= 1 && expression->depth <= depth && kind <= SHADER_E_COMMA);
    check_place(&expression->place);
    require((expression->a != NULL) == kinds[kind].a && (expression->b != NULL) == kinds[kind].b &&
            (expression->c != NULL) == kinds[kind].c &&
            (expression->name.size > 0) == kinds[kind].name &&
            (expression->argument_count == 0 || kinds[kind].arguments));
    const struct shader_expression *parts[] = {expression->a, expression->b, expression->c};
    for (size_t i = 0; i < 3; i++) {
        if (parts[i] != NULL) {
            check(parts[i], expression->depth - 1u);
        }
    }
    for (size_t i = 0; i < expression->argument_count; i++) {
        check(expression->arguments[i], expression->depth - 1u);
    }
    if (kind == SHADER_E_NUMBER || kind == SHADER_E_CONSTRUCT) {
        check_type(&expression->type);
    }
}

static void check_value(const struct shader_expression *expression)
{
    if (expression != NULL) {
        check(expression, SHADER_DEPTH_MAX);
    }
}

static void check_variables(const struct shader_variable *variables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_place(&variables[i].place);
        check_type(&variables[i].type);
        check_value(variables[i].value);
        check_value(variables[i].length);
        require(variables[i].name.size > 0 && variables[i].type.base != SHADER_VOID);
    }
}

static void check_statements(const struct shader_statement *statement, unsigned depth)
{
    require(depth <= SHADER_NESTING_MAX + 1);
    for (; statement != NULL; statement = statement->next) {
        const enum shader_statement_kind kind = statement->kind;
        check_place(&statement->place);
        check_value(statement->value);
        check_value(statement->step);
        check_variables(statement->variables, statement->variable_count);
        check_statements(statement->start, depth + 1);
        check_statements(statement->body, depth + 1);
        check_statements(statement->other, depth + 1);
        require((kind != SHADER_S_IF && kind != SHADER_S_WHILE && kind != SHADER_S_DO) ||
                statement->value != NULL);
        require((kind != SHADER_S_IF && kind != SHADER_S_WHILE && kind != SHADER_S_DO &&
                 kind != SHADER_S_FOR) ||
                statement->body != NULL);
    }
}

static void check_function(const struct shader_function *function)
{
    check_place(&function->place);
    check_type(&function->result);
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct shader_parameter *parameter = &function->parameters[i];
        check_place(&parameter->place);
        check_type(&parameter->type);
        check_value(parameter->value);
        require(parameter->direction >= SHADER_IN && parameter->direction <= SHADER_INOUT);
    }
    check_statements(function->body, 0);
}

static void check_tree(const struct shader_tree *tree)
{
    for (size_t i = 0; i < tree->global_count; i++) {
        const struct shader_global *global = &tree->globals[i];
        require((global->function != NULL) != (global->variables != NULL));
        if (global->function != NULL) {
            check_function(global->function);
        }
        check_variables(global->variables, global->variable_count);
    }
    require(tree->body != NULL && tree->body->kind == SHADER_S_BLOCK);
    check_statements(tree->body, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_source_line lines[LINES];
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const struct base_source source = {"fuzz", lines, split(data, size, lines)};
    struct shader_tree tree;
    struct base_arena arena = {0};
    const int result = shader_parse(&tree, &source, &arena, &sink);
    require(messages.by_severity[BASE_ERROR] == (result == 0 ? 0u : 1u));
    if (result == 0) {
        check_tree(&tree);
    }
    base_arena_free(&arena);
    return 0;
}
