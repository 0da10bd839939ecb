#include "renderer/shader/names.h"

enum { ROWS = sizeof(((struct shader_names *)0)->rows) / sizeof(struct shader_names_row) };

/* The row of the name, or the free one where it belongs. */
static size_t row_of(const struct shader_names *names, struct base_span name)
{
    uint32_t hash = UINT32_C(2166136261); /* FNV-1a */
    for (size_t k = 0; k < name.size; k++) {
        hash = (hash ^ (unsigned char)name.data[k]) * UINT32_C(16777619);
    }
    size_t row = (hash ^ hash >> 15) & (ROWS - 1);
    while (names->rows[row].name.size > 0 && !base_span_equal(names->rows[row].name, name)) {
        row = (row + 1) & (ROWS - 1);
    }
    return row;
}

void shader_names_add(struct shader_names *names, const char *name, uint16_t number)
{
    const struct base_span span = base_span_of(name);
    struct shader_names_row *row = &names->rows[row_of(names, span)];
    if (row->name.size == 0) {
        *row = (struct shader_names_row){span, number};
    }
}

uint16_t shader_names_find(const struct shader_names *names, struct base_span name)
{
    const struct shader_names_row *row = &names->rows[row_of(names, name)];
    return row->name.size > 0 ? row->number : SHADER_NAMES_NONE;
}
