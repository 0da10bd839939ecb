#include "renderer/shader/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct base_place shader_text_place(const struct shader_text *text, size_t offset)
{
    const struct base_source *source = text->source;
    struct base_place place = {.file = source->file};
    if (source->count == 0 || text->starts == NULL) {
        return place;
    }
    size_t low = 0;
    size_t high = source->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (text->starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    place.line = source->lines[low].line;
    place.column = source->lines[low].column + (uint32_t)(offset - text->starts[low]);
    return place;
}

void shader_text_complain(struct shader_text *text, size_t offset, const char *hint,
                          const char *format, ...)
{
    char what[200];
    if (text->failed) {
        return;
    }
    text->failed = true;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    base_report(text->sink, BASE_ERROR, shader_text_place(text, offset), hint, "%s", what);
}

void shader_text_no_memory(struct shader_text *text)
{
    shader_text_complain(text, 0, NULL, "not enough memory for the shader");
}

static bool join(struct shader_text *text, struct base_arena *arena)
{
    const struct base_source *source = text->source;
    size_t size = 0;
    for (size_t i = 0; i < source->count && size <= SHADER_TEXT_MAX; i++) {
        size += source->lines[i].text.size + 1;
    }
    if (size > SHADER_TEXT_MAX) {
        shader_text_complain(text, 0, NULL, "the shader has more than %d characters",
                             SHADER_TEXT_MAX);
        return false;
    }
    text->data = base_arena_alloc(arena, size + 1);
    uint32_t *starts = base_arena_array(arena, source->count + 1, sizeof *starts);
    if (text->data == NULL || starts == NULL) {
        shader_text_no_memory(text);
        return false;
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct base_span line = source->lines[i].text;
        starts[i] = (uint32_t)text->size;
        if (line.size > 0) {
            memcpy(text->data + text->size, line.data, line.size);
        }
        text->size += line.size;
        text->data[text->size++] = '\n';
    }
    text->starts = starts;
    return true;
}

/* Behind the comment that begins at the offset. */
static size_t comment_end(const struct shader_text *text, size_t offset)
{
    const char *data = text->data;
    size_t i = offset + 2;
    if (data[offset + 1] == '/') {
        while (i < text->size && data[i] != '\n') {
            i++;
        }
        return i;
    }
    while (i + 1 < text->size && (data[i] != '*' || data[i + 1] != '/')) {
        i++;
    }
    if (i + 1 < text->size) {
        return i + 2;
    }
    base_report(text->sink, BASE_WARNING, shader_text_place(text, offset), "write */ at its end",
                "this comment does not end; all behind it is left out");
    return text->size;
}

static void blank_comments(struct shader_text *text)
{
    char *data = text->data;
    size_t i = 0;
    while (i + 1 < text->size) {
        if (data[i] == '/' && (data[i + 1] == '/' || data[i + 1] == '*')) {
            const size_t end = comment_end(text, i);
            memset(data + i, ' ', end - i);
            i = end;
        } else {
            i++;
        }
    }
}

static bool find_body(struct shader_text *text)
{
    static const char word[] = "shader_body";
    const char *found = text->data == NULL ? NULL : strstr(text->data, word);
    if (found == NULL) {
        shader_text_complain(text, 0, "write shader_body { ret = ...; }",
                             "the shader has no shader_body");
        return false;
    }
    text->body = (size_t)(found - text->data);
    size_t open = text->body + sizeof word - 1;
    while (open < text->size && text->data[open] != '{') {
        open++;
    }
    text->inside = open + 1;
    size_t end = text->size;
    while (end > text->inside && text->data[end - 1] != '}') {
        end--;
    }
    if (end <= text->inside) {
        shader_text_complain(text, text->body, "write shader_body { ret = ...; }",
                             open < text->size ? "the '}' of shader_body is missing"
                                               : "the '{' of shader_body is missing");
        return false;
    }
    text->size = end - 1;
    return true;
}

/* A NUL would end the search for shader_body; '$' is as wrong in a shader. */
static void hide_nuls(struct shader_text *text)
{
    for (size_t i = 0; i < text->size; i++) {
        text->data[i] = text->data[i] == '\0' ? '$' : text->data[i];
    }
}

int shader_text_make(struct shader_text *text, const struct base_source *source,
                     struct base_arena *arena, const struct base_diag_sink *sink)
{
    *text = (struct shader_text){.source = source, .sink = sink};
    if (!join(text, arena)) {
        return -1;
    }
    hide_nuls(text);
    blank_comments(text);
    return find_body(text) ? 0 : -1;
}
