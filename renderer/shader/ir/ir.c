/* The list and its makers: what an operation computes, value numbering within scopes, markers. */
#include "renderer/shader/ir/ir.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "renderer/shader/math/math.h"

const struct shader_op_row shader_ops[SHADER_OP_COUNT] = {
#define SHADER_OP(NAME, text, arguments, result, cost)                                             \
    {text, arguments, SHADER_KIND_##result, cost},
#include "renderer/shader/ir/ops.def"
};

size_t shader_op_arity(enum shader_op op)
{
    return strlen(shader_ops[op].arguments);
}

static float truth(bool value)
{
    return value ? 1.0f : 0.0f;
}

float shader_op_compute(enum shader_op op, const float *a)
{
    switch (op) {
    case SHADER_OP_ADD:
        return a[0] + a[1];
    case SHADER_OP_SUB:
        return a[0] - a[1];
    case SHADER_OP_MUL:
        return a[0] * a[1];
    case SHADER_OP_DIV:
        return shader_divide(a[0], a[1]);
    case SHADER_OP_FMOD:
        return shader_fmod(a[0], a[1]);
    case SHADER_OP_MIN:
        return a[1] < a[0] ? a[1] : a[0];
    case SHADER_OP_MAX:
        return a[0] < a[1] ? a[1] : a[0];
    case SHADER_OP_NEG:
        return -a[0];
    case SHADER_OP_ABS:
        return fabsf(a[0]);
    case SHADER_OP_FLOOR:
        return floorf(a[0]);
    case SHADER_OP_CEIL:
        return ceilf(a[0]);
    case SHADER_OP_TRUNC:
        return truncf(a[0]);
    case SHADER_OP_ROUND:
        return rintf(a[0]);
    case SHADER_OP_FRAC:
        return a[0] - floorf(a[0]);
    case SHADER_OP_SQRT:
        return shader_sqrt(a[0]);
    case SHADER_OP_RSQRT:
        return shader_rsqrt(a[0]);
    case SHADER_OP_SIN:
        return shader_sin(a[0]);
    case SHADER_OP_COS:
        return shader_cos(a[0]);
    case SHADER_OP_EXP2:
        return shader_exp2(a[0]);
    case SHADER_OP_LOG2:
        return shader_log2(a[0]);
    case SHADER_OP_ATAN2:
        return shader_atan2(a[0], a[1]);
    case SHADER_OP_ASIN:
        return shader_asin(a[0]);
    case SHADER_OP_ACOS:
        return shader_acos(a[0]);
    case SHADER_OP_LT:
        return truth(a[0] < a[1]);
    case SHADER_OP_LE:
        return truth(a[0] <= a[1]);
    case SHADER_OP_EQ:
        return truth(a[0] == a[1]);
    case SHADER_OP_NE:
        return truth(a[0] < a[1] || a[0] > a[1]);
    case SHADER_OP_AND:
        return truth(a[0] != 0.0f && a[1] != 0.0f);
    case SHADER_OP_OR:
        return truth(a[0] != 0.0f || a[1] != 0.0f);
    case SHADER_OP_NOT:
        return truth(a[0] == 0.0f);
    case SHADER_OP_SELECT:
    case SHADER_OP_CHOOSE:
        return a[0] != 0.0f ? a[1] : a[2];
    default:
        assert(false);
        return 0.0f;
    }
}

/* What the table knows of every value of the list. */
struct entry {
    uint32_t hash;
    shader_value chain; /* the next one of its bucket; known values only */
    uint32_t scope;
    struct shader_range range;
};

/* Scopes: the whole list, a loop, each part of an IF. A plain scope forgets nothing. */
enum scope_kind { SCOPE_PLAIN, SCOPE_PART, SCOPE_LOOP };

struct scope {
    uint32_t parent;
    uint32_t holder; /* the scope that values made here belong to: itself, or for a plain scope the
                        holder of its parent */
    size_t known;    /* values known when it was opened */
    enum scope_kind kind;
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

/* Makes room for one element more; fails, with `failed` set, without memory. */
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

static uint32_t mix(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * UINT32_C(0x9E3779B1);
    return hash ^ (hash >> 15);
}

/* What makers give without memory. */
static shader_value nothing_of(enum shader_kind kind)
{
    return kind == SHADER_KIND_B ? NOTHING_TRUTH : NOTHING_FLOAT;
}

/* Appends a value or marker as it stands and gives its place. */
static shader_value append(struct shader_ir *ir, const struct shader_instruction *instruction,
                           struct shader_range range)
{
    const shader_value nothing = nothing_of(shader_ops[instruction->op].result);
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

/* Value numbering: the equal value that is known here, else appends it. */
static shader_value intern(struct shader_ir *ir, const struct shader_instruction *instruction,
                           struct shader_range range)
{
    if (ir->failed) {
        return nothing_of(shader_ops[instruction->op].result);
    }
    uint32_t bits;
    memcpy(&bits, &instruction->number, sizeof bits);
    uint32_t hash = mix(mix(instruction->op, instruction->index), bits);
    for (size_t k = 0; k < SHADER_ARGUMENTS; k++) {
        hash = mix(hash, instruction->argument[k]);
    }
    struct shader_ir_table *table = ir->table;
    shader_value value = *bucket_of(table, hash);
    for (; value != SHADER_NO_VALUE; value = table->entries[value].chain) {
        const struct shader_instruction *known = &ir->list[value];
        if (table->entries[value].hash == hash && known->op == instruction->op &&
            known->index == instruction->index && memcmp(&known->number, &bits, sizeof bits) == 0 &&
            memcmp(known->argument, instruction->argument, sizeof known->argument) == 0) {
            return value;
        }
    }
    value = append(ir, instruction, range);
    if (ir->failed) {
        return value;
    }
    table->entries[value].hash = hash;
    if (table->known_count >= table->bucket_count && !make_buckets(ir, table->bucket_count * 2)) {
        ir->failed = true;
    } else if (grow(ir, &table->known, &table->known_capacity, table->known_count,
                    sizeof *table->known) &&
               log_event(ir, EVENT_LEARN, value)) {
        push_known(table, value);
    }
    return value;
}

struct shader_range shader_ir_range(const struct shader_ir *ir, shader_value value)
{
    return ir->table->entries[value].range;
}

bool shader_ir_in_scope(const struct shader_ir *ir, shader_value value)
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

static void open_scope(struct shader_ir *ir, enum scope_kind kind)
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
    const bool plain = kind == SCOPE_PLAIN && made > 0;
    table->scopes[table->scope_count++] =
        (struct scope){.parent = parent,
                       .holder = plain ? table->scopes[parent].holder : made,
                       .known = table->known_count,
                       .kind = kind,
                       .open = true};
    table->innermost = made;
}

static enum scope_kind innermost_kind(const struct shader_ir *ir)
{
    return ir->table->scopes[ir->table->innermost].kind;
}

static enum scope_kind close_scope(struct shader_ir *ir)
{
    struct shader_ir_table *table = ir->table;
    const uint32_t closed = table->innermost;
    assert(closed != 0);
    struct scope *scope = &table->scopes[closed];
    if (scope->kind != SCOPE_PLAIN) {
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
        const struct event event = table->events[--table->event_count];
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
    ir->count = mark.count;
}

void shader_ir_init(struct shader_ir *ir, struct base_arena *arena)
{
    *ir = (struct shader_ir){.arena = arena};
    ir->table = base_arena_alloc(arena, sizeof *ir->table);
    ir->failed = ir->table == NULL || !make_buckets(ir, FIRST_BUCKETS);
    open_scope(ir, SCOPE_PLAIN);
    if (!ir->failed) {
        shader_ir_number(ir, 0.0f);
        shader_ir_truth(ir, false);
    }
    for (size_t k = 0; k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        ir->ret[k] = NOTHING_FLOAT;
    }
}

/* The makers. */

static const struct shader_range anything = {-INFINITY, INFINITY, false, false};

enum shader_kind shader_ir_kind(const struct shader_ir *ir, shader_value value)
{
    if (value >= ir->count) {
        /* Without memory not even the first values are there. */
        return value == nothing_of(SHADER_KIND_B) ? SHADER_KIND_B : SHADER_KIND_F;
    }
    return shader_ops[ir->list[value].op].result;
}

bool shader_ir_known(const struct shader_ir *ir, shader_value value, float *number)
{
    if (value >= ir->count || ir->list[value].op > SHADER_OP_TRUTH) {
        return false;
    }
    if (number != NULL) {
        *number = ir->list[value].number;
    }
    return true;
}

shader_value shader_ir_number(struct shader_ir *ir, float number)
{
    struct shader_instruction instruction = shader_ir_blank(SHADER_OP_CONST);
    instruction.number = isnan(number) ? NAN : number;
    return intern(ir, &instruction, shader_range_of(ir, &instruction));
}

shader_value shader_ir_truth(struct shader_ir *ir, bool truth)
{
    struct shader_instruction instruction = shader_ir_blank(SHADER_OP_TRUTH);
    instruction.number = truth ? 1.0f : 0.0f;
    return intern(ir, &instruction, anything);
}

shader_value shader_ir_indexed(struct shader_ir *ir, enum shader_op op, unsigned index)
{
    assert(op == SHADER_OP_UNIFORM || op == SHADER_OP_INPUT);
    struct shader_instruction instruction = shader_ir_blank(op);
    instruction.index = (uint16_t)index;
    return intern(ir, &instruction, anything);
}

/* In assertions: without memory any kind will do. */
#define IS_KIND(ir, value, kind) ((ir)->failed || shader_ir_kind(ir, value) == (kind))

static shader_value make(struct shader_ir *ir, enum shader_op op, const shader_value *arguments)
{
    const char *kinds = shader_ops[op].arguments;
    struct shader_instruction instruction = shader_ir_blank(op);
    for (size_t k = 0; kinds[k] != '\0'; k++) {
        assert(ir->failed || "FBSN"[shader_ir_kind(ir, arguments[k])] == kinds[k]);
        instruction.argument[k] = arguments[k];
    }
    if (ir->failed) {
        return nothing_of(shader_ops[op].result);
    }
    if (op == SHADER_OP_ADD || op == SHADER_OP_MUL || op == SHADER_OP_EQ || op == SHADER_OP_NE ||
        op == SHADER_OP_AND || op == SHADER_OP_OR) {
        /* These commute: constants stand on the right, else the older value on the left. */
        const bool first = shader_ir_known(ir, arguments[0], NULL);
        const bool second = shader_ir_known(ir, arguments[1], NULL);
        if (first == second ? arguments[0] > arguments[1] : first) {
            instruction.argument[0] = arguments[1];
            instruction.argument[1] = arguments[0];
        }
    }
    const shader_value folded = shader_ir_fold(ir, op, instruction.argument);
    return folded != SHADER_NO_VALUE ? folded
                                     : intern(ir, &instruction, shader_range_of(ir, &instruction));
}

shader_value shader_ir_unary(struct shader_ir *ir, enum shader_op op, shader_value a)
{
    assert(shader_op_arity(op) == 1 && op < SHADER_OP_SELECT);
    return make(ir, op, &a);
}

shader_value shader_ir_binary(struct shader_ir *ir, enum shader_op op, shader_value a,
                              shader_value b)
{
    assert(shader_op_arity(op) == 2 && op < SHADER_OP_SELECT);
    const shader_value arguments[2] = {a, b};
    return make(ir, op, arguments);
}

shader_value shader_ir_select(struct shader_ir *ir, shader_value condition, shader_value a,
                              shader_value b)
{
    const shader_value arguments[3] = {condition, a, b};
    return make(ir, shader_ir_kind(ir, a) == SHADER_KIND_B ? SHADER_OP_CHOOSE : SHADER_OP_SELECT,
                arguments);
}

shader_value shader_ir_read(struct shader_ir *ir, enum shader_op op, unsigned fetch,
                            const shader_value *arguments)
{
    assert(shader_op_reads(op) && (ir->failed || fetch < ir->fetch_count));
    const size_t last = shader_op_arity(op) - 1;
    float bias;
    if ((op == SHADER_OP_READ2_BIAS || op == SHADER_OP_READ3_BIAS) &&
        shader_ir_known(ir, arguments[last], &bias) && bias == 0.0f) {
        op = op == SHADER_OP_READ2_BIAS ? SHADER_OP_READ2 : SHADER_OP_READ3;
    }
    struct shader_instruction instruction = shader_ir_blank(op);
    instruction.index = (uint16_t)fetch;
    for (size_t k = 0; k < shader_op_arity(op); k++) {
        assert(IS_KIND(ir, arguments[k], SHADER_KIND_F));
        instruction.argument[k] = arguments[k];
    }
    return intern(ir, &instruction, anything);
}

shader_value shader_ir_part(struct shader_ir *ir, shader_value read, unsigned component)
{
    assert(IS_KIND(ir, read, SHADER_KIND_S) && component < 4);
    struct shader_instruction instruction = shader_ir_blank(SHADER_OP_PART);
    instruction.index = (uint16_t)component;
    instruction.argument[0] = read;
    return intern(ir, &instruction, shader_range_of(ir, &instruction));
}

bool shader_ir_binding(struct shader_ir *ir, const char *name, bool volume, unsigned *binding)
{
    assert(strlen(name) < SHADER_TEXTURE_NAME);
    size_t k = 0;
    while (k < ir->binding_count &&
           (strcmp(ir->bindings[k].name, name) != 0 || ir->bindings[k].volume != volume)) {
        k++;
    }
    if (k == SHADER_TEXTURES_MAX) {
        return false;
    }
    if (k == ir->binding_count) {
        struct shader_binding *made = &ir->bindings[ir->binding_count++];
        *made = (struct shader_binding){.volume = volume};
        memcpy(made->name, name, strlen(name));
    }
    *binding = (unsigned)k;
    return true;
}

bool shader_ir_fetch(struct shader_ir *ir, const char *name, bool volume,
                     struct shader_sampler sampler, unsigned *fetch)
{
    unsigned binding;
    if (!shader_ir_binding(ir, name, volume, &binding)) {
        return false;
    }
    size_t k = 0;
    while (k < ir->fetch_count &&
           (ir->fetches[k].binding != binding || ir->fetches[k].sampler.linear != sampler.linear ||
            ir->fetches[k].sampler.address != sampler.address)) {
        k++;
    }
    if (k == SHADER_FETCHES_MAX) {
        return false;
    }
    if (k == ir->fetch_count) {
        ir->fetches[ir->fetch_count++] =
            (struct shader_fetch){.binding = (uint8_t)binding, .sampler = sampler};
    }
    *fetch = (unsigned)k;
    return true;
}

/* Markers. An IF whose condition is known makes none. */

static void append_marker(struct shader_ir *ir, enum shader_op op, shader_value argument)
{
    struct shader_instruction instruction = shader_ir_blank(op);
    instruction.argument[0] = argument;
    append(ir, &instruction, anything);
}

void shader_ir_if(struct shader_ir *ir, shader_value condition)
{
    assert(IS_KIND(ir, condition, SHADER_KIND_B));
    if (ir->failed) {
        return;
    }
    if (shader_ir_known(ir, condition, NULL)) {
        open_scope(ir, SCOPE_PLAIN);
        return;
    }
    append_marker(ir, SHADER_OP_IF, condition);
    open_scope(ir, SCOPE_PART);
}

void shader_ir_else(struct shader_ir *ir)
{
    if (ir->failed || innermost_kind(ir) == SCOPE_PLAIN) {
        return;
    }
    assert(innermost_kind(ir) == SCOPE_PART);
    close_scope(ir);
    append_marker(ir, SHADER_OP_ELSE, SHADER_NO_VALUE);
    open_scope(ir, SCOPE_PART);
}

void shader_ir_endif(struct shader_ir *ir)
{
    if (!ir->failed && close_scope(ir) == SCOPE_PART) {
        append_marker(ir, SHADER_OP_ENDIF, SHADER_NO_VALUE);
    }
}

void shader_ir_loop(struct shader_ir *ir, shader_value mask)
{
    assert(IS_KIND(ir, mask, SHADER_KIND_B));
    if (!ir->failed) {
        append_marker(ir, SHADER_OP_LOOP, mask);
        open_scope(ir, SCOPE_LOOP);
    }
}

shader_value shader_ir_carry(struct shader_ir *ir, shader_value start)
{
    const enum shader_kind kind = shader_ir_kind(ir, start);
    assert(kind == SHADER_KIND_F || kind == SHADER_KIND_B);
    if (ir->failed) {
        return nothing_of(kind);
    }
    assert(ir->list[ir->count - 1].op == SHADER_OP_LOOP ||
           shader_op_carries(ir->list[ir->count - 1].op));
    struct shader_instruction instruction =
        shader_ir_blank(kind == SHADER_KIND_B ? SHADER_OP_CARRY_TRUTH : SHADER_OP_CARRY);
    instruction.argument[0] = start;
    return append(ir, &instruction, anything);
}

void shader_ir_carry_next(struct shader_ir *ir, shader_value carry, shader_value next)
{
    if (!ir->failed) {
        assert(shader_op_carries(ir->list[carry].op));
        assert(shader_ir_kind(ir, carry) == shader_ir_kind(ir, next));
        ir->list[carry].argument[1] = next;
    }
}

void shader_ir_while(struct shader_ir *ir, shader_value condition)
{
    assert(IS_KIND(ir, condition, SHADER_KIND_B));
    if (!ir->failed) {
        append_marker(ir, SHADER_OP_WHILE, condition);
    }
}

void shader_ir_endloop(struct shader_ir *ir)
{
    if (!ir->failed) {
        close_scope(ir);
        append_marker(ir, SHADER_OP_ENDLOOP, SHADER_NO_VALUE);
    }
}
