/* What the lowering knows of names while it walks through a stage. */
#ifndef RENDERER_SHADER_LOWER_SCOPE_H
#define RENDERER_SHADER_LOWER_SCOPE_H

#include <stdbool.h>

#include "base/text.h"
#include "renderer/shader/ir/ir.h"
#include "renderer/shader/text/ast.h"
#include "renderer/shader/texture/texture.h"

/* Finds small numbers by name: a table that is filled once and only grows. */

enum { SHADER_NAMES_MAX = 384, SHADER_NAMES_NONE = UINT16_MAX };

struct shader_names {
    struct shader_names_row {
        struct base_span name; /* size 0: free */
        uint16_t number;
    } rows[512]; /* a power of two, more than SHADER_NAMES_MAX */
};

/* A zeroed table is empty. The name's bytes must stay. A name that is there already keeps its
 * number. At most SHADER_NAMES_MAX names. */
void shader_names_add(struct shader_names *names, const char *name, uint16_t number);

/* SHADER_NAMES_NONE if it is not there. Case counts. */
uint16_t shader_names_find(const struct shader_names *names, struct base_span name);

/* Names of samplers and what they say (spec/milk-rendering.md section 9.3). */

struct shader_sampler_name {
    char texture[SHADER_TEXTURE_NAME]; /* as in struct shader_binding */
    struct shader_sampler sampler;
    bool volume; /* true for noise volumes; lowering sets it when it meets sampler3D or tex3D */
    bool flat;   /* the canvas and its blurred copies: opaque, without smaller levels */
};

/* Takes "sampler_", "texsize_" or neither, and one prefix such as "FW_", off a name. false if what
 * is left is empty or too long. */
bool shader_sampler_name(struct base_span name, struct shader_sampler_name *result);

/* Whether the name begins with "texsize_". */
bool shader_names_size(struct base_span name);

/* 1 to 3 for blur1 to blur3, else 0. */
int shader_blur_level(const char *texture);

/* Objects, and the values that the parts of variables hold at this point, in slots. Where a program
 * branches, what each branch changes is noted, and joined after both. */

/* A number that no slot has. */
#define SHADER_NO_SLOT UINT32_MAX

enum {
    SHADER_SLOTS_MAX = 1 << 15,
    /* The first slots are the uniforms, then the inputs; they are there from the start. */
    SHADER_FIRST_SLOT = SHADER_SLOTS + SHADER_INPUTS,
};

/* A variable, parameter or sampler. */
struct shader_object {
    struct base_span name;
    struct shader_type type;
    uint32_t slot; /* of the first part; the rest follows, row by row, element by element */
    bool constant;
    bool loop; /* declared by a for: it may be declared again after the loop */
    const struct shader_sampler_name *sampler; /* of a SAMPLER */
};

struct shader_slot_state {
    shader_value value; /* SHADER_NO_VALUE: a uniform or input that was not written yet */
    shader_value other; /* while ways are joined */
    uint32_t region;    /* in which its former value is noted already */
    bool exit;          /* says that a pixel left a function, loop or round */
};

struct shader_change {
    uint32_t slot;
    uint32_t region;
    shader_value value;
};

struct shader_scope {
    struct base_arena *arena;
    struct shader_ir *ir;
    struct shader_object *objects;
    size_t object_count;
    size_t object_capacity;
    size_t global_count; /* objects in front of the first one of any function */
    size_t frame;        /* first object of the function at hand */
    size_t block;        /* first object of the block at hand */
    struct shader_slot_state *slots;
    size_t slot_count;
    size_t slot_capacity;
    struct shader_change *changes; /* a stack */
    size_t change_count;
    size_t change_capacity;
    uint32_t region; /* at hand */
    uint32_t region_count;
};

/* false without memory; then, as after any lack of memory below, arena->failed is set. */
bool shader_scope_init(struct shader_scope *scope, struct shader_ir *ir, struct base_arena *arena);

/* Objects. A name is looked for from the newest to the oldest in the function at hand, then among
 * the globals. The result is valid until the next object is added. */
struct shader_object *shader_scope_find(const struct shader_scope *scope, struct base_span name);
struct shader_object *shader_scope_find_in_block(const struct shader_scope *scope,
                                                 struct base_span name);
/* Adds the object and gives it slots that hold 0. NULL without memory or over SHADER_SLOTS_MAX. */
struct shader_object *shader_scope_add(struct shader_scope *scope,
                                       const struct shader_object *object);
/* A slot without a name: a truth that is false, for exits, or a 0 of the base type. */
uint32_t shader_scope_slot(struct shader_scope *scope, enum shader_base base, bool exit);

struct shader_block {
    size_t objects;
    size_t slots;
    size_t frame;
    size_t block;
};
struct shader_block shader_scope_enter(struct shader_scope *scope, bool function);
void shader_scope_leave(struct shader_scope *scope, struct shader_block block);

/* Slots. */
shader_value shader_slot_get(struct shader_scope *scope, uint32_t slot);
void shader_slot_set(struct shader_scope *scope, uint32_t slot, shader_value value);

/* A way through the text from which one may go back. */
struct shader_region {
    uint32_t outer;
    uint32_t inner;
    size_t first_change;
    size_t slots;
};
struct shader_region shader_region_open(struct shader_scope *scope);
/* Back to the values before the region. Its changes, with the values it gave, stay on the stack
 * from region->first_change on until they are taken off. */
void shader_region_close(struct shader_scope *scope, const struct shader_region *region);

/* What to do with a closed region's changes: all are taken off the stack. */
void shader_region_drop(struct shader_scope *scope, const struct shader_region *region);
void shader_region_keep(struct shader_scope *scope, const struct shader_region *region);
/* Pixels with the condition went through the first region, the others through the second, which
 * was opened behind the first one's close; NULL: they did nothing. `rest`: the region is what is
 * left of a block for pixels that have not left it. */
void shader_region_join(struct shader_scope *scope, shader_value condition,
                        const struct shader_region *first, const struct shader_region *second,
                        bool rest);

#endif
