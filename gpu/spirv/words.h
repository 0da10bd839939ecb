/* A SPIR-V module being made: instructions in the order that the standard asks for, types and
 * constants once each. Most values are of a quad: vectors of four, one for each pixel. */
#ifndef GPU_SPIRV_WORDS_H
#define GPU_SPIRV_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spirv_op {
#define SPIRV_OP(NAME, number) SPIRV_##NAME = (number),
#include "gpu/spirv/ops.def"
};

enum spirv_extended {
#define SPIRV_EXTENDED(NAME, number) SPIRV_EXTENDED_##NAME = (number),
#include "gpu/spirv/ops.def"
};

/* What a module is made of; words of the machine's order. */
struct spirv_list {
    uint32_t *word;
    size_t count;
    size_t capacity;
};

/* The types that there are; vectors are of four. */
enum spirv_type {
    SPIRV_VOID,
    SPIRV_BOOL,
    SPIRV_FLOAT,
    SPIRV_UINT,
    SPIRV_INT,
    SPIRV_BOOLS,
    SPIRV_FLOATS,
    SPIRV_UINTS,
    SPIRV_INTS,
    SPIRV_TEXEL,  /* a struct of four FLOATS: red, green, blue, alpha */
    SPIRV_VECTOR, /* three UINT: places of an invocation */
    SPIRV_DOUBLE, /* a float of 64 bits; this and PAIR in modules that begin with them */
    SPIRV_PAIR,   /* two UINT: its bits, the lower ones first */
    SPIRV_TYPES
};

/* Memory that all invocations share: an array of UINT at set 0, the binding of its number. */
enum { SPIRV_BUFFERS = 7, SPIRV_BUFFER_WRITABLE = SPIRV_BUFFERS - 1, SPIRV_FUNCTIONS = 320 };

/* What a device offers beyond the least; the module asks for all of it. */
struct spirv_controls {
    bool round_to_even;
    bool keep_denormals;
    bool keep_specials; /* signed zeros, infinities, NaN */
    bool doubles;       /* floats of 64 bits, which round to even and keep specials, too, */
    bool keep_denormal_doubles;
};

struct spirv {
    struct spirv_list decorations;
    struct spirv_list globals; /* types, constants, variables */
    struct spirv_list functions;
    struct spirv_list variables; /* of the function that is being made */
    struct spirv_list body;
    uint32_t next; /* identifier */
    uint32_t type[SPIRV_TYPES];
    uint32_t extended; /* the set GLSL.std.450 */
    uint32_t buffer[SPIRV_BUFFERS];
    uint32_t invocation; /* the built-in variable */
    uint32_t word_pointer;
    uint32_t function[2][SPIRV_FUNCTIONS]; /* spirv_known */
    uint32_t *constants;                   /* buckets of type, bits, identifier, upper bits */
    size_t constant_count;
    size_t constant_capacity;
    /* Vectors of four, and all that is said of them, are single ones: for what is the same for all
     * pixels of a quad. */
    bool single;
    /* Comparisons are made so that they do not take denormal numbers for 0. */
    bool mends_comparisons;
    /* Units in the last place that are added to what the device makes of quotients and roots, as a
     * worse one would; 0 but in tests. */
    int32_t estimates_off;
    bool doubles; /* it has floats of 64 bits */
    bool failed;  /* without memory; what comes back is without meaning */
};

void spirv_begin(struct spirv *module);
void spirv_begin_doubles(struct spirv *module); /* with floats of 64 bits, too */
void spirv_free(struct spirv *module);

/* The whole module with `main` as its entry, of groups of so many invocations: malloc's memory.
 * NULL without memory. */
uint32_t *spirv_end(struct spirv *module, uint32_t main, unsigned group,
                    struct spirv_controls controls, size_t *count);

/* A new identifier. */
uint32_t spirv_name(struct spirv *module);

/* An instruction without a result. */
void spirv_put(struct spirv *module, enum spirv_op op, const uint32_t *operands, size_t count);
/* One that gives a result of this type. Float arithmetic may not be contracted. */
uint32_t spirv_make(struct spirv *module, enum spirv_op op, enum spirv_type type,
                    const uint32_t *operands, size_t count);
uint32_t spirv_extended(struct spirv *module, enum spirv_extended op, enum spirv_type type,
                        const uint32_t *operands, size_t count);

#define SPIRV_PUT(module, op, ...)                                                                 \
    spirv_put(module, op, (const uint32_t[]){__VA_ARGS__},                                         \
              sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
#define SPIRV_MAKE(module, op, type, ...)                                                          \
    spirv_make(module, op, type, (const uint32_t[]){__VA_ARGS__},                                  \
               sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
#define SPIRV_EXTEND(module, op, type, ...)                                                        \
    spirv_extended(module, op, type, (const uint32_t[]){__VA_ARGS__},                              \
                   sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* A constant: FLOAT, UINT or INT by its bits, BOOL by 0 or 1, or a vector of four equal ones. */
uint32_t spirv_constant(struct spirv *module, enum spirv_type type, uint32_t bits);
uint32_t spirv_number(struct spirv *module, enum spirv_type type, float number);

uint32_t spirv_double(struct spirv *module, double number); /* a constant DOUBLE */

/* Whole numbers of one invocation (UINT). */
static inline uint32_t spirv_word(struct spirv *module, uint32_t word)
{
    return spirv_constant(module, SPIRV_UINT, word);
}

static inline uint32_t spirv_sum(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_INTEGER_ADD, SPIRV_UINT, a, b);
}

static inline uint32_t spirv_difference(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_INTEGER_SUB, SPIRV_UINT, a, b);
}

static inline uint32_t spirv_right(struct spirv *module, uint32_t a, uint32_t bits)
{
    return SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT, SPIRV_UINT, a, spirv_word(module, bits));
}

static inline uint32_t spirv_masked(struct spirv *module, uint32_t a, uint32_t mask)
{
    return SPIRV_MAKE(module, SPIRV_BIT_AND, SPIRV_UINT, a, spirv_word(module, mask));
}

static inline uint32_t spirv_chosen(struct spirv *module, uint32_t truth, uint32_t yes, uint32_t no)
{
    return SPIRV_MAKE(module, SPIRV_SELECT, SPIRV_UINT, truth, yes, no);
}

static inline uint32_t spirv_product(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_INTEGER_MUL, SPIRV_UINT, a, b);
}

static inline uint32_t spirv_least(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_EXTEND(module, SPIRV_EXTENDED_UNSIGNED_MIN, SPIRV_UINT, a, b);
}

/* Memory of one invocation in the function that is being made; holds 0 at first. */
uint32_t spirv_variable(struct spirv *module, enum spirv_type type);
uint32_t spirv_load(struct spirv *module, enum spirv_type type, uint32_t variable);
void spirv_store(struct spirv *module, uint32_t variable, uint32_t value);

/* The word of a buffer at an index (UINT). */
uint32_t spirv_read(struct spirv *module, unsigned buffer, uint32_t index);
uint32_t spirv_place(struct spirv *module, unsigned buffer, uint32_t index);

/* Blocks: a label begins one; each ends with a branch. */
void spirv_label(struct spirv *module, uint32_t label);
void spirv_branch(struct spirv *module, uint32_t label);

/* What is made between these runs only where the condition (BOOL) holds. */
struct spirv_part {
    uint32_t end;
};

static inline struct spirv_part spirv_begin_part(struct spirv *module, uint32_t condition)
{
    const struct spirv_part part = {spirv_name(module)};
    const uint32_t first = spirv_name(module);
    SPIRV_PUT(module, SPIRV_SELECTION_MERGE, part.end, 0);
    SPIRV_PUT(module, SPIRV_BRANCH_CONDITIONAL, condition, first, part.end);
    spirv_label(module, first);
    return part;
}

static inline void spirv_end_part(struct spirv *module, struct spirv_part part)
{
    spirv_branch(module, part.end);
    spirv_label(module, part.end);
}

/* A function that others call, by a number of its maker's; 0: it is not made yet. */
static inline uint32_t *spirv_known(struct spirv *module, unsigned function)
{
    return &module->function[module->single][function];
}

/* A function, whose parameters' identifiers come back. What was being made is kept until its end,
 * so that functions can be made where they are needed. */
struct spirv_outer {
    struct spirv_list variables;
    struct spirv_list body;
    uint32_t function;
    enum spirv_type result;
};
void spirv_function(struct spirv *module, struct spirv_outer *outer, enum spirv_type result,
                    const enum spirv_type *parameters, size_t count, uint32_t *names);
/* value: SPIRV_VOID functions have none. Gives the function. */
uint32_t spirv_function_end(struct spirv *module, struct spirv_outer *outer, uint32_t value);

#endif
