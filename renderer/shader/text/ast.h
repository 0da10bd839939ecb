/* The syntax tree of a stage's text: plain data in one arena, made by parse.c and read by the
 * lowering. Every node knows where it stands in the preset's file. */
#ifndef RENDERER_SHADER_TEXT_AST_H
#define RENDERER_SHADER_TEXT_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum shader_base { SHADER_VOID, SHADER_FLOAT, SHADER_INT, SHADER_BOOL, SHADER_SAMPLER };

/* float3: rows 1, columns 3; float4x3: rows 4, columns 3, matrix; half and double are FLOAT. */
struct shader_type {
    uint8_t base;
    uint8_t rows;    /* 1..4 */
    uint8_t columns; /* 1..4 */
    bool matrix;     /* declared with two sizes, be it 1x1 */
    bool volume;     /* SAMPLER: sampler3D */
    uint16_t length; /* of an array; 0: none; elements are of the type without it */
};
enum { SHADER_ARRAY_MAX = 256 }; /* elements; more is an error */

/* Trees are not deeper than this. */
enum {
    SHADER_DEPTH_MAX = 500,   /* of an expression: a + b + c + .. too makes one level for each + */
    SHADER_NESTING_MAX = 200, /* of statements within statements; of brackets within brackets */
};

enum shader_expression_kind {
    SHADER_E_NUMBER, /* number; type FLOAT, or INT for a literal without point, exponent, f or h;
                        BOOL for true, false */
    SHADER_E_NAME,   /* name */
    SHADER_E_UNARY,  /* op; a */
    SHADER_E_BINARY, /* op; a, b */
    SHADER_E_ASSIGN, /* a: target, b; op: SHADER_O_NONE for =, else the operator of +=, -=, *=, /=,
                        %=, &=, |=, ^=, <<=, >>= */
    SHADER_E_STEP,   /* op: SHADER_O_ADD or SHADER_O_SUB (++ or --), postfix; a */
    SHADER_E_CHOICE, /* a ? b : c */
    SHADER_E_CALL,   /* name, arguments: function, intrinsic */
    SHADER_E_CONSTRUCT, /* type, arguments: float3(..), also a cast (float3)x, one argument, cast
                           set */
    SHADER_E_MEMBER,    /* a.name: a swizzle, or _m00 _11 of a matrix */
    SHADER_E_INDEX,     /* a[b] */
    SHADER_E_LIST,      /* { .., .. } behind = of an array or vector: arguments */
    SHADER_E_COMMA,     /* a, b */
};

enum shader_operator {
    SHADER_O_NONE,
    SHADER_O_ADD,
    SHADER_O_SUB,
    SHADER_O_MUL,
    SHADER_O_DIV,
    SHADER_O_MOD,
    SHADER_O_LT,
    SHADER_O_LE,
    SHADER_O_GT,
    SHADER_O_GE,
    SHADER_O_EQ,
    SHADER_O_NE,
    SHADER_O_AND,
    SHADER_O_OR, /* && || */
    SHADER_O_BIT_AND,
    SHADER_O_BIT_OR,
    SHADER_O_BIT_XOR,
    SHADER_O_SHIFT_LEFT,
    SHADER_O_SHIFT_RIGHT,
    SHADER_O_NOT,
    SHADER_O_PLUS,
    SHADER_O_MINUS,
    SHADER_O_BIT_NOT, /* unary */
};

struct shader_expression {
    enum shader_expression_kind kind;
    struct base_place place;
    enum shader_operator op;
    bool prefix; /* STEP: ++x */
    bool cast;
    uint16_t depth; /* levels of the tree from here on, up to SHADER_DEPTH_MAX */
    struct shader_type type;
    double number;
    struct base_span name;
    struct shader_expression *a;
    struct shader_expression *b;
    struct shader_expression *c;
    struct shader_expression **arguments;
    size_t argument_count;
};

enum shader_statement_kind {
    SHADER_S_EXPRESSION, /* value; NULL: empty */
    SHADER_S_DECLARE,    /* variables */
    SHADER_S_BLOCK,      /* body: list */
    SHADER_S_IF,         /* value, body, other (may be NULL) */
    SHADER_S_FOR,   /* start (statement, may be NULL), value (may be NULL), step (may be NULL), body
                     */
    SHADER_S_WHILE, /* value, body */
    SHADER_S_DO,    /* body, value */
    SHADER_S_RETURN, /* value or NULL */
    SHADER_S_BREAK,
    SHADER_S_CONTINUE,
    SHADER_S_DISCARD, /* discard; without effect: every pixel is stored */
};

struct shader_variable {
    struct base_place place;
    struct base_span name;
    struct shader_type type;
    bool constant; /* const */
    bool is_static;
    struct shader_expression *value; /* NULL: 0 */
    struct shader_expression
        *length; /* of an array whose length is not a plain literal: to be folded; else NULL */
};

struct shader_statement {
    enum shader_statement_kind kind;
    struct base_place place;
    struct shader_expression *value;
    struct shader_expression *step;
    struct shader_statement *start;
    struct shader_statement *body; /* first of a list for BLOCK, else one */
    struct shader_statement *other;
    struct shader_statement *next; /* in a block */
    struct shader_variable *variables;
    size_t variable_count;
};

enum shader_direction { SHADER_IN = 1, SHADER_OUT = 2, SHADER_INOUT = 3 };
struct shader_parameter {
    struct base_place place;
    struct base_span name;
    struct shader_type type;
    enum shader_direction direction;
    struct shader_expression *value; /* default, NULL: none */
};

struct shader_function {
    struct base_place place;
    struct base_span name;
    struct shader_type result;
    struct shader_parameter *parameters;
    size_t parameter_count;
    struct shader_statement *body; /* NULL: a prototype */
};

/* Global scope: variables and functions in their order. */
struct shader_global {
    const struct shader_variable *variables; /* one declaration's, or NULL */
    size_t variable_count;
    const struct shader_function *function; /* or NULL */
};

struct shader_tree {
    struct shader_global *globals;
    size_t global_count;
    struct shader_statement *body; /* of shader_body, a BLOCK */
};

/* Parses a stage's text (spec/milk-rendering.md 9.1: comments, shader_body, the last brace) with
 * its preprocessor. 0, or -1 after one error message with line, column and hint. Nesting, macro
 * growth and sizes are limited: hostile text ends in a message. */
int shader_parse(struct shader_tree *tree, const struct base_source *source,
                 struct base_arena *arena, const struct base_diag_sink *sink);

#endif
