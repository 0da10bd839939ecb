#include "gpu/spirv/words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x07230203, VERSION = 0x00010500, HEADER = 5 };
enum {
    CAPABILITY_SHADER = 1,
    CAPABILITY_DOUBLES = 10,
    CAPABILITY_KEEP_DENORMALS = 4464,
    CAPABILITY_KEEP_SPECIALS = 4466,
    CAPABILITY_ROUND_TO_EVEN = 4467,
    MODE_LOCAL_SIZE = 17,
    MODE_KEEP_DENORMALS = 4459,
    MODE_KEEP_SPECIALS = 4461,
    MODE_ROUND_TO_EVEN = 4462,
};
enum {
    STORAGE_INPUT = 1,
    STORAGE_FUNCTION = 7,
    STORAGE_BUFFER = 12,
    DECORATION_BLOCK = 2,
    DECORATION_ARRAY_STRIDE = 6,
    DECORATION_BUILT_IN = 11,
    DECORATION_NOT_WRITABLE = 24,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    DECORATION_OFFSET = 35,
    DECORATION_NO_CONTRACTION = 42,
    BUILT_IN_INVOCATION = 28,
};

static void add_word(struct spirv *module, struct spirv_list *list, uint32_t word)
{
    if (module->failed) {
        return;
    }
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 1024;
        uint32_t *grown = realloc(list->word, capacity * sizeof *grown);
        if (grown == NULL) {
            module->failed = true;
            return;
        }
        list->word = grown;
        list->capacity = capacity;
    }
    list->word[list->count++] = word;
}

static void add(struct spirv *module, struct spirv_list *list, enum spirv_op op,
                const uint32_t *operands, size_t count)
{
    add_word(module, list, (uint32_t)(count + 1) << 16 | op);
    for (size_t i = 0; i < count; i++) {
        add_word(module, list, operands[i]);
    }
}

#define ADD(module, list, op, ...)                                                                 \
    add(module, list, op, (const uint32_t[]){__VA_ARGS__},                                         \
        sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void join(struct spirv *module, struct spirv_list *list, const struct spirv_list *more)
{
    for (size_t i = 0; i < more->count; i++) {
        add_word(module, list, more->word[i]);
    }
}

uint32_t spirv_name(struct spirv *module)
{
    return module->next++;
}

/* What is made of a type. */
static enum spirv_type made_as(const struct spirv *module, enum spirv_type type)
{
    return module->single && type >= SPIRV_BOOLS && type <= SPIRV_INTS
               ? type - SPIRV_BOOLS + SPIRV_BOOL
               : type;
}

static uint32_t pointer(struct spirv *module, uint32_t storage, uint32_t type)
{
    const uint32_t name = spirv_name(module);
    ADD(module, &module->globals, SPIRV_TYPE_POINTER, name, storage, type);
    return name;
}

static void make_types(struct spirv *module)
{
    struct spirv_list *globals = &module->globals;
    uint32_t *type = module->type;
    for (int i = 0; i < SPIRV_TYPES; i++) {
        type[i] = spirv_name(module);
    }
    ADD(module, globals, SPIRV_TYPE_VOID, type[SPIRV_VOID]);
    ADD(module, globals, SPIRV_TYPE_BOOL, type[SPIRV_BOOL]);
    ADD(module, globals, SPIRV_TYPE_FLOAT, type[SPIRV_FLOAT], 32);
    ADD(module, globals, SPIRV_TYPE_INT, type[SPIRV_UINT], 32, 0);
    ADD(module, globals, SPIRV_TYPE_INT, type[SPIRV_INT], 32, 1);
    for (int i = SPIRV_BOOL; i <= SPIRV_INT; i++) {
        ADD(module, globals, SPIRV_TYPE_VECTOR, type[i + SPIRV_BOOLS - SPIRV_BOOL], type[i], 4);
    }
    const uint32_t floats = type[SPIRV_FLOATS];
    ADD(module, globals, SPIRV_TYPE_STRUCT, type[SPIRV_TEXEL], floats, floats, floats, floats);
    ADD(module, globals, SPIRV_TYPE_VECTOR, type[SPIRV_VECTOR], type[SPIRV_UINT], 3);
}

static void make_buffers(struct spirv *module)
{
    struct spirv_list *globals = &module->globals;
    struct spirv_list *decorations = &module->decorations;
    const uint32_t array = spirv_name(module);
    const uint32_t block = spirv_name(module);
    ADD(module, globals, SPIRV_TYPE_RUNTIME_ARRAY, array, module->type[SPIRV_UINT]);
    ADD(module, globals, SPIRV_TYPE_STRUCT, block, array);
    ADD(module, decorations, SPIRV_DECORATE, array, DECORATION_ARRAY_STRIDE, 4);
    ADD(module, decorations, SPIRV_DECORATE, block, DECORATION_BLOCK);
    ADD(module, decorations, SPIRV_MEMBER_DECORATE, block, 0, DECORATION_OFFSET, 0);
    const uint32_t memory = pointer(module, STORAGE_BUFFER, block);
    module->word_pointer = pointer(module, STORAGE_BUFFER, module->type[SPIRV_UINT]);
    for (uint32_t i = 0; i < SPIRV_BUFFERS; i++) {
        const uint32_t name = module->buffer[i] = spirv_name(module);
        ADD(module, globals, SPIRV_VARIABLE, memory, name, STORAGE_BUFFER);
        ADD(module, decorations, SPIRV_DECORATE, name, DECORATION_SET, 0);
        ADD(module, decorations, SPIRV_DECORATE, name, DECORATION_BINDING, i);
        if (i != SPIRV_BUFFER_WRITABLE) {
            ADD(module, decorations, SPIRV_DECORATE, name, DECORATION_NOT_WRITABLE);
        }
    }
    const uint32_t place = pointer(module, STORAGE_INPUT, module->type[SPIRV_VECTOR]);
    module->invocation = spirv_name(module);
    ADD(module, globals, SPIRV_VARIABLE, place, module->invocation, STORAGE_INPUT);
    ADD(module, decorations, SPIRV_DECORATE, module->invocation, DECORATION_BUILT_IN,
        BUILT_IN_INVOCATION);
}

void spirv_begin(struct spirv *module)
{
    *module = (struct spirv){.next = 1};
    module->extended = spirv_name(module);
    make_types(module);
    make_buffers(module);
}

void spirv_begin_doubles(struct spirv *module)
{
    spirv_begin(module);
    module->doubles = true;
    const uint32_t *type = module->type;
    ADD(module, &module->globals, SPIRV_TYPE_FLOAT, type[SPIRV_DOUBLE], 64);
    ADD(module, &module->globals, SPIRV_TYPE_VECTOR, type[SPIRV_PAIR], type[SPIRV_UINT], 2);
}

void spirv_free(struct spirv *module)
{
    free(module->decorations.word);
    free(module->globals.word);
    free(module->functions.word);
    free(module->variables.word);
    free(module->body.word);
    free(module->constants);
    *module = (struct spirv){.next = 1};
}

/* A text as operands: its bytes with a 0 behind, the first in the lowest byte of a word. */
static size_t text_words(const char *text, uint32_t *words)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i <= length; i++) {
        words[i / 4] = (i % 4 == 0 ? 0 : words[i / 4]) | (uint32_t)(unsigned char)text[i]
                                                             << 8 * (i % 4);
    }
    return length / 4 + 1;
}

static void add_head(struct spirv *module, struct spirv_list *list, uint32_t main, unsigned group,
                     struct spirv_controls controls)
{
    enum { MODEL_COMPUTE = 5, ADDRESSING_LOGICAL = 0, MEMORY_GLSL = 1, TEXT = 8 };
    enum { SINGLE = 32, DOUBLE = 64 };
    const struct {
        bool wanted[2]; /* for floats of 32 and of 64 bits */
        uint32_t capability;
        uint32_t mode;
    } control[] = {
        {{controls.round_to_even, module->doubles}, CAPABILITY_ROUND_TO_EVEN, MODE_ROUND_TO_EVEN},
        {{controls.keep_denormals, module->doubles && controls.keep_denormal_doubles},
         CAPABILITY_KEEP_DENORMALS,
         MODE_KEEP_DENORMALS},
        {{controls.keep_specials, module->doubles}, CAPABILITY_KEEP_SPECIALS, MODE_KEEP_SPECIALS},
    };
    enum { CONTROLS = sizeof control / sizeof *control };
    ADD(module, list, SPIRV_CAPABILITY, CAPABILITY_SHADER);
    if (module->doubles) {
        ADD(module, list, SPIRV_CAPABILITY, CAPABILITY_DOUBLES);
    }
    for (size_t i = 0; i < CONTROLS; i++) {
        if (control[i].wanted[0] || control[i].wanted[1]) {
            ADD(module, list, SPIRV_CAPABILITY, control[i].capability);
        }
    }
    uint32_t operands[TEXT + SPIRV_BUFFERS + 4] = {module->extended};
    add(module, list, SPIRV_EXTENSION_SET, operands, 1 + text_words("GLSL.std.450", operands + 1));
    ADD(module, list, SPIRV_MEMORY_MODEL, ADDRESSING_LOGICAL, MEMORY_GLSL);
    operands[0] = MODEL_COMPUTE;
    operands[1] = main;
    size_t count = 2 + text_words("main", operands + 2);
    operands[count++] = module->invocation;
    for (size_t i = 0; i < SPIRV_BUFFERS; i++) {
        operands[count++] = module->buffer[i];
    }
    add(module, list, SPIRV_ENTRY_POINT, operands, count);
    ADD(module, list, SPIRV_EXECUTION_MODE, main, MODE_LOCAL_SIZE, group, 1, 1);
    for (size_t i = 0; i < 2 * CONTROLS; i++) {
        if (control[i / 2].wanted[i % 2]) {
            ADD(module, list, SPIRV_EXECUTION_MODE, main, control[i / 2].mode,
                i % 2 == 0 ? SINGLE : DOUBLE);
        }
    }
}

uint32_t *spirv_end(struct spirv *module, uint32_t main, unsigned group,
                    struct spirv_controls controls, size_t *count)
{
    struct spirv_list whole = {NULL, 0, 0};
    const uint32_t header[HEADER] = {MAGIC, VERSION, 0, module->next, 0};
    for (size_t i = 0; i < HEADER; i++) {
        add_word(module, &whole, header[i]);
    }
    add_head(module, &whole, main, group, controls);
    join(module, &whole, &module->decorations);
    join(module, &whole, &module->globals);
    join(module, &whole, &module->functions);
    *count = whole.count;
    if (module->failed) {
        free(whole.word);
        return NULL;
    }
    return whole.word;
}

void spirv_put(struct spirv *module, enum spirv_op op, const uint32_t *operands, size_t count)
{
    add(module, &module->body, op, operands, count);
}

static uint32_t make(struct spirv *module, enum spirv_op op, uint32_t type,
                     const uint32_t *operands, size_t count)
{
    enum { OPERANDS_MAX = 16 };
    uint32_t all[OPERANDS_MAX + 2];
    assert(count <= OPERANDS_MAX);
    const uint32_t name = spirv_name(module);
    all[0] = type;
    all[1] = name;
    memcpy(all + 2, operands, count * sizeof *operands);
    add(module, &module->body, op, all, count + 2);
    return name;
}

uint32_t spirv_make(struct spirv *module, enum spirv_op op, enum spirv_type type,
                    const uint32_t *operands, size_t count)
{
    const uint32_t name = make(module, op, module->type[made_as(module, type)], operands, count);
    if (op == SPIRV_FLOAT_ADD || op == SPIRV_FLOAT_SUB || op == SPIRV_FLOAT_MUL ||
        op == SPIRV_FLOAT_DIV) {
        ADD(module, &module->decorations, SPIRV_DECORATE, name, DECORATION_NO_CONTRACTION);
    }
    return name;
}

uint32_t spirv_extended(struct spirv *module, enum spirv_extended op, enum spirv_type type,
                        const uint32_t *operands, size_t count)
{
    enum { OPERANDS_MAX = 4 };
    uint32_t all[OPERANDS_MAX + 2] = {module->extended, op};
    assert(count <= OPERANDS_MAX);
    memcpy(all + 2, operands, count * sizeof *operands);
    return spirv_make(module, SPIRV_EXTENDED, type, all, count + 2);
}

/* ---- constants ---- */

enum { ENTRY_TYPE, ENTRY_BITS, ENTRY_NAME, ENTRY_UPPER, ENTRY };

static uint32_t *entry_of(uint32_t *constants, size_t capacity, uint32_t type, uint32_t bits,
                          uint32_t upper)
{
    size_t at = ((bits ^ upper) * UINT32_C(2654435761) ^ type * UINT32_C(40503)) % capacity;
    for (;; at = (at + 1) % capacity) {
        uint32_t *entry = constants + ENTRY * at;
        if (entry[ENTRY_NAME] == 0 || (entry[ENTRY_TYPE] == type && entry[ENTRY_BITS] == bits &&
                                       entry[ENTRY_UPPER] == upper)) {
            return entry;
        }
    }
}

static bool grow_constants(struct spirv *module)
{
    if (2 * (module->constant_count + 1) <= module->constant_capacity) {
        return true;
    }
    const size_t capacity = module->constant_capacity > 0 ? 2 * module->constant_capacity : 128;
    uint32_t *grown = calloc(capacity, ENTRY * sizeof *grown);
    if (grown == NULL) {
        module->failed = true;
        return false;
    }
    for (size_t i = 0; i < module->constant_capacity; i++) {
        const uint32_t *old = module->constants + ENTRY * i;
        if (old[ENTRY_NAME] != 0) {
            memcpy(entry_of(grown, capacity, old[ENTRY_TYPE], old[ENTRY_BITS], old[ENTRY_UPPER]),
                   old, ENTRY * sizeof *old);
        }
    }
    free(module->constants);
    module->constants = grown;
    module->constant_capacity = capacity;
    return true;
}

/* The identifier of a constant; *fresh: it has just been given and is to be declared. */
static uint32_t name_constant(struct spirv *module, enum spirv_type type, uint32_t bits,
                              uint32_t upper, bool *fresh)
{
    *fresh = false;
    if (!grow_constants(module)) {
        return 1;
    }
    uint32_t *entry = entry_of(module->constants, module->constant_capacity, type, bits, upper);
    if (entry[ENTRY_NAME] == 0) {
        entry[ENTRY_TYPE] = type;
        entry[ENTRY_BITS] = bits;
        entry[ENTRY_UPPER] = upper;
        entry[ENTRY_NAME] = spirv_name(module);
        module->constant_count++;
        *fresh = true;
    }
    return entry[ENTRY_NAME];
}

uint32_t spirv_constant(struct spirv *module, enum spirv_type of, uint32_t bits)
{
    const enum spirv_type type = made_as(module, of);
    const bool vector = type >= SPIRV_BOOLS;
    const uint32_t part =
        vector ? spirv_constant(module, type - SPIRV_BOOLS + SPIRV_BOOL, bits) : 0;
    bool fresh = false;
    const uint32_t name = name_constant(module, type, bits, 0, &fresh);
    const uint32_t id = module->type[type];
    if (fresh && vector) {
        ADD(module, &module->globals, SPIRV_CONSTANT_COMPOSITE, id, name, part, part, part, part);
    } else if (fresh && type == SPIRV_BOOL) {
        ADD(module, &module->globals, bits != 0 ? SPIRV_CONSTANT_TRUE : SPIRV_CONSTANT_FALSE, id,
            name);
    } else if (fresh) {
        ADD(module, &module->globals, SPIRV_CONSTANT, id, name, bits);
    }
    return name;
}

uint32_t spirv_double(struct spirv *module, double number)
{
    uint64_t bits = 0;
    bool fresh = false;
    memcpy(&bits, &number, sizeof bits);
    const uint32_t upper = (uint32_t)(bits >> 32);
    const uint32_t name = name_constant(module, SPIRV_DOUBLE, (uint32_t)bits, upper, &fresh);
    if (fresh) {
        ADD(module, &module->globals, SPIRV_CONSTANT, module->type[SPIRV_DOUBLE], name,
            (uint32_t)bits, upper);
    }
    return name;
}

uint32_t spirv_number(struct spirv *module, enum spirv_type type, float number)
{
    uint32_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return spirv_constant(module, type, bits);
}

/* ---- memory ---- */

uint32_t spirv_variable(struct spirv *module, enum spirv_type type)
{
    const uint32_t kind = pointer(module, STORAGE_FUNCTION, module->type[made_as(module, type)]);
    const uint32_t name = spirv_name(module);
    ADD(module, &module->variables, SPIRV_VARIABLE, kind, name, STORAGE_FUNCTION,
        type == SPIRV_DOUBLE ? spirv_double(module, 0.0) : spirv_constant(module, type, 0));
    return name;
}

uint32_t spirv_load(struct spirv *module, enum spirv_type type, uint32_t variable)
{
    return SPIRV_MAKE(module, SPIRV_LOAD, type, variable);
}

void spirv_store(struct spirv *module, uint32_t variable, uint32_t value)
{
    SPIRV_PUT(module, SPIRV_STORE, variable, value);
}

uint32_t spirv_place(struct spirv *module, unsigned buffer, uint32_t index)
{
    const uint32_t operands[] = {module->buffer[buffer], spirv_constant(module, SPIRV_UINT, 0),
                                 index};
    return make(module, SPIRV_ACCESS_CHAIN, module->word_pointer, operands, 3);
}

uint32_t spirv_read(struct spirv *module, unsigned buffer, uint32_t index)
{
    return spirv_load(module, SPIRV_UINT, spirv_place(module, buffer, index));
}

/* ---- blocks and functions ---- */

void spirv_label(struct spirv *module, uint32_t label)
{
    SPIRV_PUT(module, SPIRV_LABEL, label);
}

void spirv_branch(struct spirv *module, uint32_t label)
{
    SPIRV_PUT(module, SPIRV_BRANCH, label);
}

void spirv_function(struct spirv *module, struct spirv_outer *outer, enum spirv_type result,
                    const enum spirv_type *parameters, size_t count, uint32_t *names)
{
    enum { PARAMETERS_MAX = 8 };
    uint32_t types[PARAMETERS_MAX + 2];
    assert(count <= PARAMETERS_MAX);
    const uint32_t type = spirv_name(module);
    types[0] = type;
    types[1] = module->type[made_as(module, result)];
    for (size_t i = 0; i < count; i++) {
        types[i + 2] = module->type[made_as(module, parameters[i])];
    }
    /* A type may not be declared twice. */
    uint32_t known = 0;
    for (size_t at = 0; !module->failed && at < module->globals.count;) {
        const uint32_t *word = module->globals.word + at;
        const size_t length = word[0] >> 16;
        if ((word[0] & UINT16_MAX) == SPIRV_TYPE_FUNCTION && length == count + 3 &&
            memcmp(word + 2, types + 1, (count + 1) * sizeof *types) == 0) {
            known = word[1];
        }
        at += length;
    }
    if (known == 0) {
        add(module, &module->globals, SPIRV_TYPE_FUNCTION, types, count + 2);
        known = type;
    }
    *outer = (struct spirv_outer){.variables = module->variables,
                                  .body = module->body,
                                  .function = spirv_name(module),
                                  .result = result};
    module->variables = (struct spirv_list){NULL, 0, 0};
    module->body = (struct spirv_list){NULL, 0, 0};
    ADD(module, &module->variables, SPIRV_FUNCTION, types[1], outer->function, 0, known);
    for (size_t i = 0; i < count; i++) {
        names[i] = spirv_name(module);
        ADD(module, &module->variables, SPIRV_FUNCTION_PARAMETER, types[i + 2], names[i]);
    }
    ADD(module, &module->variables, SPIRV_LABEL, spirv_name(module));
}

uint32_t spirv_function_end(struct spirv *module, struct spirv_outer *outer, uint32_t value)
{
    if (outer->result == SPIRV_VOID) {
        spirv_put(module, SPIRV_RETURN, NULL, 0);
    } else {
        SPIRV_PUT(module, SPIRV_RETURN_VALUE, value);
    }
    spirv_put(module, SPIRV_FUNCTION_END, NULL, 0);
    join(module, &module->functions, &module->variables);
    join(module, &module->functions, &module->body);
    free(module->variables.word);
    free(module->body.word);
    module->variables = outer->variables;
    module->body = outer->body;
    return outer->function;
}
