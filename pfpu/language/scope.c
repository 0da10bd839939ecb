#include "pfpu/language/scope.h"

#include <assert.h>
#include <string.h>

#include "pfpu/language/lex.h"

enum { TABLE_START = 256 };

struct pfpu_scope *pfpu_scope_create(struct base_arena *arena)
{
    struct pfpu_scope *scope = base_arena_alloc(arena, sizeof *scope);
    int32_t *table = base_arena_array(arena, TABLE_START, sizeof *table);
    if (scope == NULL || table == NULL) {
        return NULL;
    }
    scope->arena = arena;
    scope->table = table;
    scope->table_size = TABLE_START;
    return scope;
}

struct pfpu_scope *pfpu_scope_copy(const struct pfpu_scope *scope, struct base_arena *arena)
{
    struct pfpu_scope *copy = base_arena_alloc(arena, sizeof *copy);
    char **names = base_arena_array(arena, scope->name_capacity, sizeof *names);
    int32_t *table = base_arena_array(arena, scope->table_size, sizeof *table);
    assert(scope->newest == NULL);
    if (copy == NULL || names == NULL || table == NULL) {
        return NULL;
    }
    if (scope->name_count > 0) {
        memcpy(names, scope->names, scope->name_count * sizeof *names);
    }
    memcpy(table, scope->table, scope->table_size * sizeof *table);
    *copy = *scope;
    copy->arena = arena;
    copy->names = names;
    copy->table = table;
    return copy;
}

/* The other name is in small letters and ends in NUL. */
static bool is_named(struct base_span name, const char *lower)
{
    for (size_t i = 0; i < name.size; i++) {
        if (lower[i] == '\0' || pfpu_lower_case(name.data[i]) != lower[i]) {
            return false;
        }
    }
    return lower[name.size] == '\0';
}

/* The table's place of the name, or the free place where it belongs. */
static size_t find_place(const struct pfpu_scope *scope, struct base_span name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.size; i++) {
        hash = (hash ^ (uint32_t)(unsigned char)pfpu_lower_case(name.data[i])) * 16777619u;
    }
    size_t place = (hash ^ (hash >> 15)) & (scope->table_size - 1);
    while (scope->table[place] != 0 && !is_named(name, scope->names[scope->table[place] - 1])) {
        place = (place + 1) & (scope->table_size - 1);
    }
    return place;
}

int pfpu_scope_declare_span(struct pfpu_scope *scope, struct base_span name)
{
    size_t place = find_place(scope, name);
    if (scope->table[place] != 0) {
        return scope->table[place] - 1;
    }
    if (scope->name_count >= PFPU_VARIABLES_MAX) {
        return -1;
    }
    if ((scope->name_count + 1) * 2 > scope->table_size) {
        const size_t size = scope->table_size * 2;
        int32_t *table = base_arena_array(scope->arena, size, sizeof *table);
        if (table == NULL) {
            return -1;
        }
        scope->table = table;
        scope->table_size = size;
        for (size_t i = 0; i < scope->name_count; i++) {
            table[find_place(scope, base_span_of(scope->names[i]))] = (int32_t)i + 1;
        }
        place = find_place(scope, name);
    }
    char **names = base_arena_grow(scope->arena, scope->names, &scope->name_capacity,
                                   scope->name_count + 1, sizeof *names);
    if (names == NULL) {
        return -1;
    }
    scope->names = names;
    char *copy = base_arena_text(scope->arena, name.data, name.size);
    if (copy == NULL) {
        return -1;
    }
    for (size_t i = 0; i < name.size; i++) {
        copy[i] = pfpu_lower_case(copy[i]);
    }
    const size_t index = scope->name_count++;
    scope->names[index] = copy;
    scope->table[place] = (int32_t)index + 1;
    return (int)index;
}

int pfpu_scope_declare(struct pfpu_scope *scope, const char *name)
{
    return pfpu_scope_declare_span(scope, base_span_of(name));
}

int pfpu_scope_find(const struct pfpu_scope *scope, const char *name)
{
    return scope->table[find_place(scope, base_span_of(name))] - 1;
}

size_t pfpu_scope_size(const struct pfpu_scope *scope)
{
    return scope->name_count;
}

const char *pfpu_scope_name(const struct pfpu_scope *scope, size_t variable)
{
    assert(variable < scope->name_count);
    return scope->names[variable];
}

int pfpu_register_number(struct base_span name)
{
    const struct base_span prefix = {name.data, 3};
    if (name.size != 5 || !base_span_equal_nocase(prefix, base_span_of("reg")) ||
        !pfpu_is_digit(name.data[3]) || !pfpu_is_digit(name.data[4])) {
        return -1;
    }
    return (name.data[3] - '0') * 10 + (name.data[4] - '0');
}
