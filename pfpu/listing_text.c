#include "pfpu/listing_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void pfpu_listing_append(struct pfpu_listing_text *text, const char *data, size_t size)
{
    char *grown =
        base_arena_grow(text->arena, text->text, &text->capacity, text->size + size + 1, 1);
    if (grown == NULL) {
        text->no_memory = true;
        return;
    }
    text->text = grown;
    memcpy(grown + text->size, data, size);
    text->size += size;
    grown[text->size] = '\0';
}

void pfpu_listing_write(struct pfpu_listing_text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    pfpu_listing_append(text, line, size < (int)sizeof line ? (size_t)size : sizeof line - 1);
}

void pfpu_listing_column(struct pfpu_listing_text *text, size_t column)
{
    const size_t used = text->size - text->line;
    if (used < column) {
        pfpu_listing_write(text, "%*s", (int)(column - used), "");
    } else if (used > 0) {
        pfpu_listing_append(text, " ", 1);
    }
}

void pfpu_listing_end_line(struct pfpu_listing_text *text, size_t columns)
{
    if (columns > 0 && text->size > text->line + columns) {
        text->size = text->line + columns;
    }
    while (text->size > text->line && text->text[text->size - 1] == ' ') {
        text->size--;
    }
    pfpu_listing_append(text, "\n", 1);
    text->line = text->size;
}

char *pfpu_listing_finish(struct pfpu_listing_text *text)
{
    pfpu_listing_append(text, "", 0);
    return text->no_memory ? NULL : text->text;
}
