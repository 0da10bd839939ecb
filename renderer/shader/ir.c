#include "renderer/shader/ir_inside.h"

#include <assert.h>
#include <string.h>

/* What the table knows of every value of the list. */
struct entry {
    uint32_t hash;
    shader_value chain; /* the next one of its bucket; known values only */
    uint32_t scope;
    struct shader_range range;
};

struct scope {
    uint32_t parent;
    uint32_t holder; /* the scope that values made here belong to: itself, or for a plain scope the
                        holder of its parent */
    size_t known;    /* values known when it was opened */
    enum shader_scope_kind kind;
    bool open;
};

/* What has been done to the table, to be undone by a rewind. */
enum event_kind { EVENT_LEARN, EVENT_FORGET, EVENT_OPEN, EVENT_CLOSE };
struct event {
    enum event_kind kind;
    uint32_t which; /* value or scope */
};

/* The known values stand in buckets, each a stack, and all of them in `known` in the order in which
 * they were learnt: scopes and rewinds take from the end only. */
struct shader_ir_table {
    struct entry *entries;
    size_t entry_capacity;
    shader_value *buckets;
    size_t bucket_count; /* a power of two */
    shader_value *known;
    size_t known_count;
    size_t known_capacity;
    struct scope *scopes;
    size_t scope_count;
    size_t scope_capacity;
    uint32_t innermost;
    struct event *events;
    size_t event_count;
    size_t event_capacity;
};

enum { FIRST_BUCKETS = 1024, FIRST_VALUES = 512 };
/* The first two values of every list. */
enum { NOTHING_FLOAT, NOTHING_TRUTH };

/* Fails and sets `failed`, or makes room for one element more. */
static bool grow(struct shader_ir *ir, void *array_pointer, size_t *capacity, size_t count,
                 size_t size)
{
    if (count < *capacity) {
        return true;
    }
    void *array;
    memcpy(&array, array_pointer, sizeof array);
    const size_t wanted = count < FIRST_VALUES ? FIRST_VALUES : count * 2;
    void *grown = base_arena_grow(ir->arena, array, capacity, wanted, size);
    if (grown == NULL) {
        ir->failed = true;
        return false;
    }
    memcpy(array_pointer, &grown, sizeof grown);
    return true;
}

static bool log_event(struct shader_ir *ir, enum event_kind kind, uint32_t which)
{
    struct shader_ir_table *table = ir->table;
    if (!grow(ir, &table->events, &table->event_capacity, table->event_count,
              sizeof *table->events)) {
        return false;
    }
    table->events[table->event_count++] = (struct event){kind, which};
    return true;
}

static shader_value *bucket_of(const struct shader_ir_table *table, uint32_t hash)
{
    return &table->buckets[hash & (table->bucket_count - 1)];
}

static void put_in_bucket(struct shader_ir_table *table, shader_value value)
{
    shader_value *bucket = bucket_of(table, table->entries[value].hash);
    table->entries[value].chain = *bucket;
    *bucket = value;
}

static void push_known(struct shader_ir_table *table, shader_value value)
{
    put_in_bucket(table, value);
    table->known[table->known_count++] = value;
}

static shader_value pop_known(struct shader_ir_table *table)
{
    const shader_value value = table->known[--table->known_count];
    shader_value *bucket = bucket_of(table, table->entries[value].hash);
    assert(*bucket == value);
    *bucket = table->entries[value].chain;
    return value;
}

static bool make_buckets(struct shader_ir *ir, size_t count)
{
    struct shader_ir_table *table = ir->table;
    shader_value *buckets = base_arena_array(ir->arena, count, sizeof *buckets);
    if (buckets == NULL) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        buckets[k] = SHADER_NO_VALUE;
    }
    table->buckets = buckets;
    table->bucket_count = count;
    for (size_t k = 0; k < table->known_count; k++) {
        put_in_bucket(table, table->known[k]);
    }
    return true;
}

static void learn(struct shader_ir *ir, shader_value value)
{
    struct shader_ir_table *table = ir->table;
    if (table->known_count >= table->bucket_count && !make_buckets(ir, table->bucket_count * 2)) {
        ir->failed = true;
        return;
    }
    if (grow(ir, &table->known, &table->known_capacity, table->known_count, sizeof *table->known) &&
        log_event(ir, EVENT_LEARN, value)) {
        push_known(table, value);
    }
}

static uint32_t mix(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * UINT32_C(0x9E3779B1);
    return hash ^ (hash >> 15);
}

static uint32_t hash_of(const struct shader_instruction *instruction)
{
    uint32_t bits;
    memcpy(&bits, &instruction->number, sizeof bits);
    uint32_t hash = mix(instruction->op, instruction->index);
    hash = mix(hash, bits);
    for (size_t k = 0; k < SHADER_ARGUMENTS; k++) {
        hash = mix(hash, instruction->argument[k]);
    }
    return hash;
}

static bool equal(const struct shader_instruction *a, const struct shader_instruction *b)
{
    return a->op == b->op && a->index == b->index &&
           memcmp(&a->number, &b->number, sizeof a->number) == 0 &&
           memcmp(a->argument, b->argument, sizeof a->argument) == 0;
}

shader_value shader_ir_nothing(enum shader_kind kind)
{
    return kind == SHADER_KIND_B ? NOTHING_TRUTH : NOTHING_FLOAT;
}

shader_value shader_ir_append(struct shader_ir *ir, const struct shader_instruction *instruction,
                              struct shader_range range)
{
    const shader_value nothing = shader_ir_nothing(shader_ops[instruction->op].result);
    if (ir->failed) {
        return nothing;
    }
    struct shader_ir_table *table = ir->table;
    if (ir->count >= SHADER_IR_MAX) {
        ir->failed = true;
        return nothing;
    }
    if (!grow(ir, &ir->list, &ir->capacity, ir->count, sizeof *ir->list) ||
        !grow(ir, &table->entries, &table->entry_capacity, ir->count, sizeof *table->entries)) {
        return nothing;
    }
    ir->list[ir->count] = *instruction;
    table->entries[ir->count] = (struct entry){.hash = 0,
                                               .chain = SHADER_NO_VALUE,
                                               .scope = table->scopes[table->innermost].holder,
                                               .range = range};
    return (shader_value)ir->count++;
}

shader_value shader_ir_intern(struct shader_ir *ir, const struct shader_instruction *instruction,
                              struct shader_range range)
{
    if (ir->failed) {
        return shader_ir_nothing(shader_ops[instruction->op].result);
    }
    const uint32_t hash = hash_of(instruction);
    const struct shader_ir_table *table = ir->table;
    shader_value value = *bucket_of(table, hash);
    for (; value != SHADER_NO_VALUE; value = table->entries[value].chain) {
        if (table->entries[value].hash == hash && equal(&ir->list[value], instruction)) {
            return value;
        }
    }
    value = shader_ir_append(ir, instruction, range);
    if (!ir->failed) {
        ir->table->entries[value].hash = hash;
        learn(ir, value);
    }
    return value;
}

struct shader_range shader_ir_range(const struct shader_ir *ir, shader_value value)
{
    return ir->table->entries[value].range;
}

bool shader_ir_stands(const struct shader_ir *ir, shader_value value)
{
    const struct shader_ir_table *table = ir->table;
    uint32_t scope = table->entries[value].scope;
    if (shader_op_carries(ir->list[value].op)) {
        /* A carry belongs to what stands around its loop. */
        scope = table->scopes[table->scopes[scope].parent].holder;
    }
    return table->scopes[scope].open;
}

/* Scopes. */

void shader_ir_open(struct shader_ir *ir, enum shader_scope_kind kind)
{
    struct shader_ir_table *table = ir->table;
    if (ir->failed || !grow(ir, &table->scopes, &table->scope_capacity, table->scope_count,
                            sizeof *table->scopes)) {
        return;
    }
    const uint32_t made = (uint32_t)table->scope_count;
    if (!log_event(ir, EVENT_OPEN, made)) {
        return;
    }
    const uint32_t parent = table->innermost;
    const bool plain = kind == SHADER_SCOPE_PLAIN && made > 0;
    table->scopes[table->scope_count++] =
        (struct scope){.parent = parent,
                       .holder = plain ? table->scopes[parent].holder : made,
                       .known = table->known_count,
                       .kind = kind,
                       .open = true};
    table->innermost = made;
}

enum shader_scope_kind shader_ir_innermost(const struct shader_ir *ir)
{
    return ir->table->scopes[ir->table->innermost].kind;
}

enum shader_scope_kind shader_ir_close(struct shader_ir *ir)
{
    struct shader_ir_table *table = ir->table;
    const uint32_t closed = table->innermost;
    assert(closed != 0);
    struct scope *scope = &table->scopes[closed];
    if (scope->kind != SHADER_SCOPE_PLAIN) {
        while (table->known_count > scope->known &&
               log_event(ir, EVENT_FORGET, table->known[table->known_count - 1])) {
            pop_known(table);
        }
    }
    if (log_event(ir, EVENT_CLOSE, closed)) {
        scope->open = false;
        table->innermost = scope->parent;
    }
    return scope->kind;
}

/* Going back. */

static void undo(struct shader_ir_table *table, struct event event)
{
    switch (event.kind) {
    case EVENT_LEARN:
        pop_known(table);
        break;
    case EVENT_FORGET:
        push_known(table, event.which);
        break;
    case EVENT_OPEN:
        table->innermost = table->scopes[event.which].parent;
        table->scope_count = event.which;
        break;
    case EVENT_CLOSE:
        table->scopes[event.which].open = true;
        table->innermost = event.which;
        break;
    }
}

struct shader_ir_mark shader_ir_mark(struct shader_ir *ir)
{
    return (struct shader_ir_mark){.count = ir->count,
                                   .table = ir->table == NULL ? 0 : ir->table->event_count};
}

void shader_ir_rewind(struct shader_ir *ir, struct shader_ir_mark mark)
{
    if (ir->failed) {
        return;
    }
    struct shader_ir_table *table = ir->table;
    assert(mark.count <= ir->count && mark.table <= table->event_count);
    while (table->event_count > mark.table) {
        undo(table, table->events[--table->event_count]);
    }
    ir->count = mark.count;
}

static bool make_table(struct shader_ir *ir)
{
    ir->table = base_arena_alloc(ir->arena, sizeof *ir->table);
    if (ir->table == NULL || !make_buckets(ir, FIRST_BUCKETS)) {
        ir->failed = true;
        return false;
    }
    shader_ir_open(ir, SHADER_SCOPE_PLAIN);
    return !ir->failed;
}

void shader_ir_init(struct shader_ir *ir, struct base_arena *arena)
{
    *ir = (struct shader_ir){.arena = arena};
    if (make_table(ir)) {
        shader_ir_number(ir, 0.0f);
        shader_ir_truth(ir, false);
    }
    for (size_t k = 0; k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        ir->ret[k] = NOTHING_FLOAT;
    }
}
