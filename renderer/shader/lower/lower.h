/* From the syntax tree to the IR. A value of the language is a type and up to 16 values of the IR,
 * row by row; functions are put in where they are called. After an error lowering goes on without
 * making code: every function that gives a value gives a valid one. */
#ifndef RENDERER_SHADER_LOWER_LOWER_H
#define RENDERER_SHADER_LOWER_LOWER_H

#include "renderer/shader/ir/ir.h"
#include "renderer/shader/lower/scope.h"
#include "renderer/shader/text/ast.h"

enum {
    SHADER_PARTS_MAX = 16,
    SHADER_TYPE_NAME = 32,
    SHADER_INSIDE_MAX = 600,      /* expressions, statements and calls within one another */
    SHADER_WORK_MAX = 1 << 17,    /* expressions and statements visited, rounds counted */
    SHADER_UNROLL_ROUNDS = 256,   /* a loop of more rounds stays one */
    SHADER_UNROLL_VALUES = 6000,  /* so does one whose rounds would be longer */
    SHADER_UNROLL_BREAKS = 24,    /* so does one that could be left at run time in more rounds */
    SHADER_LOOPS_REMEMBERED = 64, /* of those that cannot be unrolled */
};

struct shader_operand {
    struct shader_type type;
    shader_value part[SHADER_PARTS_MAX];
    const shader_value *elements;              /* of an array: all parts; in lowering->work */
    const struct shader_sampler_name *sampler; /* of a SAMPLER */
};

/* What can be assigned to: a variable, or parts of it. The parts that are known when the shader is
 * compiled stand in `offset`; up to SHADER_INDEXES indexes that are known only at run time choose
 * among them. */
enum { SHADER_INDEXES = 3 };
struct shader_target {
    struct shader_type type;
    bool constant;
    uint32_t slot;                     /* of the whole variable */
    uint16_t offset[SHADER_PARTS_MAX]; /* of each part, from slot; of an array [0] only */
    size_t index_count;
    struct shader_index {
        shader_value value;
        uint16_t stride; /* slots */
        uint16_t count;
    } index[SHADER_INDEXES];
};

/* Where a pixel that leaves a function, loop or round is noted; SHADER_NO_SLOT: there is none. */
struct shader_exits {
    uint32_t returned;
    uint32_t broken;
    uint32_t continued;
};

/* An IF that is open: what is lowered next is for pixels that have its condition `sense`. */
struct shader_guard {
    const struct shader_guard *outer;
    shader_value condition;
    bool sense;
};

/* A call that is being lowered. */
struct shader_frame_of_call {
    const struct shader_frame_of_call *outer;
    const struct shader_function *function;
    struct shader_type result_type;
    uint32_t result; /* slot of its first part */
};

struct shader_lowering {
    struct shader_ir *ir;
    enum shader_stage stage;
    const struct base_diag_sink *sink;
    const struct shader_tree *tree;
    struct base_arena arena; /* the tree, names, slots: until the end */
    struct base_arena work;  /* gone after each statement */
    struct shader_scope scope;
    struct shader_names builtins;   /* rows of the tables in scope.c */
    struct shader_names intrinsics; /* rows of intrinsics.def */
    struct shader_exits exits;
    const struct shader_guard *guard;
    const struct shader_frame_of_call *call;
    bool failed; /* an error was reported, or memory is short */
    bool reported;
    bool given_up; /* the loop that is being unrolled cannot be */
    bool warned;
    size_t value_limit; /* of the list, where unrolling gives up */
    size_t depth;
    size_t work_done;
    const struct shader_statement *rolled[SHADER_LOOPS_REMEMBERED];
    size_t rolled_count;
};

/* lower.c: reports an error. The first one counts; those after it are dropped. */
void shader_fail(struct shader_lowering *lowering, struct base_place place, const char *hint,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Whether there is nothing to do any more. */
static inline bool shader_stopped(const struct shader_lowering *lowering)
{
    return lowering->failed || lowering->given_up;
}
/* To be called when something within something begins; false after an error message. */
bool shader_descend(struct shader_lowering *lowering, struct base_place place);
static inline void shader_ascend(struct shader_lowering *lowering)
{
    lowering->depth--;
}
/* Zeroed; NULL after noting the lack of memory. */
void *shader_work_array(struct shader_lowering *lowering, size_t count, size_t size);

/* Types. */
static inline size_t shader_part_count(struct shader_type type) /* of one element */
{
    return (size_t)type.rows * type.columns;
}
static inline size_t shader_all_part_count(struct shader_type type)
{
    return shader_part_count(type) * (type.length > 0 ? type.length : 1);
}
static inline bool shader_is_number(struct shader_type type)
{
    return type.base == SHADER_FLOAT || type.base == SHADER_INT || type.base == SHADER_BOOL;
}
static inline struct shader_type shader_vector(enum shader_base base, size_t columns)
{
    return (struct shader_type){.base = (uint8_t)base, .rows = 1, .columns = (uint8_t)columns};
}
static inline struct shader_type shader_with_base(struct shader_type type, enum shader_base base)
{
    type.base = (uint8_t)base;
    return type;
}
/* "float3", "float4x3[5]"; returns text. */
const char *shader_type_name(struct shader_type type, char text[SHADER_TYPE_NAME]);

/* operand.c: conversions, and makers of operands. */
shader_value shader_convert_part(struct shader_lowering *lowering, shader_value value,
                                 enum shader_base from, enum shader_base to);
/* Whether an implicit conversion exists. */
bool shader_converts(struct shader_type from, struct shader_type to);
/* An error message if there is none. */
struct shader_operand shader_convert(struct shader_lowering *lowering,
                                     const struct shader_operand *operand, struct shader_type to,
                                     struct base_place place);
/* To one truth. */
shader_value shader_to_truth(struct shader_lowering *lowering, const struct shader_operand *operand,
                             struct base_place place);
/* What two operands have in common: a scalar goes with everything, else the shorter counts. Also
 * the wider base. false after an error message. */
bool shader_common_type(struct shader_lowering *lowering, struct shader_type a,
                        struct shader_type b, struct base_place place, struct shader_type *common);
struct shader_operand shader_construct(struct shader_lowering *lowering,
                                       const struct shader_expression *expression);
/* { .. } as a value of a type that may be an array. */
struct shader_operand shader_lower_list(struct shader_lowering *lowering,
                                        const struct shader_expression *list,
                                        struct shader_type type);

struct shader_operand shader_make_scalar(enum shader_base base, shader_value value);
struct shader_operand shader_make_zero(struct shader_lowering *lowering, struct shader_type type);

/* expression.c */
struct shader_operand shader_evaluate(struct shader_lowering *lowering,
                                      const struct shader_expression *expression);
/* Evaluates for a variable of this type. */
struct shader_operand shader_evaluate_as(struct shader_lowering *lowering,
                                         const struct shader_expression *expression,
                                         struct shader_type type);
struct shader_operand shader_lower_binary(struct shader_lowering *lowering, enum shader_operator op,
                                          const struct shader_operand *a,
                                          const struct shader_operand *b, struct base_place place);
/* The components that a member's name means: xyzw, rgba, or _m00 _11 of a matrix. Their count; 0
 * after an error message. */
size_t shader_swizzle(struct shader_lowering *lowering, const struct shader_expression *expression,
                      struct shader_type type, uint8_t component[SHADER_PARTS_MAX]);

/* operand.c: targets. */
/* Whether the expression is built on a variable's name. */
bool shader_is_place(struct shader_lowering *lowering, const struct shader_expression *expression);
/* false after an error message. */
bool shader_find_target(struct shader_lowering *lowering,
                        const struct shader_expression *expression, struct shader_target *target);
struct shader_operand shader_target_read(struct shader_lowering *lowering,
                                         const struct shader_target *target);
/* Converts to the target's type. */
void shader_target_write(struct shader_lowering *lowering, const struct shader_target *target,
                         const struct shader_operand *value, struct base_place place);
/* Makes the type that of an element, row or component. Returns how many there are of it. */
size_t shader_indexed_type(struct shader_type *type);
/* The number that an index has at compile time, limited to 0..count - 1. */
bool shader_known_index(const struct shader_lowering *lowering, shader_value value, size_t count,
                        size_t *index);

/* scope.c: what is built in. */
void shader_add_builtins(struct shader_lowering *lowering);
/* An object that is built in: uniforms and inputs; false if there is none of the name. */
bool shader_builtin_object(const struct shader_lowering *lowering, struct base_span name,
                           struct shader_object *object);
/* Numbers that are built in and no variables: M_PI, texsize_NAME. */
bool shader_builtin_number(struct shader_lowering *lowering, struct base_span name,
                           struct base_place place, struct shader_operand *number);
/* Why a name cannot be declared, or NULL. */
const char *shader_reserved(const struct shader_lowering *lowering, struct base_span name,
                            bool function);
/* What a sampler's expression means; NULL after an error message. */
const struct shader_sampler_name *shader_sampler_of(struct shader_lowering *lowering,
                                                    const struct shader_expression *expression);

/* lower.c: a list of statements, in the block at hand. */
void shader_lower_statements(struct shader_lowering *lowering,
                             const struct shader_statement *first);

/* expression.c */
struct shader_argument {
    const struct shader_expression *expression;
    struct shader_operand value;
    struct shader_target target; /* of an argument that is given back */
};
/* Evaluates an argument; one that is given back must be a variable. */
void shader_evaluate_argument(struct shader_lowering *lowering, struct shader_argument *argument,
                              const struct shader_expression *expression, bool given_back);

/* intrinsics.c */
void shader_add_intrinsics(struct shader_lowering *lowering);
/* Whether MilkDrop has a macro of the name, so that no function, or nothing at all, may take it. */
bool shader_intrinsic_reserved(const struct shader_lowering *lowering, struct base_span name,
                               bool function);
/* The call of a function that is built in; false if the name is none. */
bool shader_lower_intrinsic(struct shader_lowering *lowering, const struct shader_expression *call,
                            struct shader_operand *result);

/* The entry: text of a stage to IR, in the order shader_ir_finish wants it. False after an error
 * message. */
bool shader_lower(struct shader_ir *ir, enum shader_stage stage, const struct base_source *source,
                  const struct base_diag_sink *sink);

#endif
