#include "pfpu/text.h"

#include <string.h>

#include "pfpu/pfpu.h"

bool pfpu_text_is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

static size_t size_without_comment(struct base_span line)
{
    for (size_t i = 0; i + 1 < line.size; i++) {
        if ((line.data[i] == '/' || line.data[i] == '\\') && line.data[i + 1] == line.data[i]) {
            return i;
        }
    }
    return line.size;
}

static size_t comment_end(const char *data, size_t size, size_t start)
{
    const bool block = data[start + 1] == '*';
    for (size_t i = start + 2; i < size; i++) {
        if (!block && data[i] == '\n') {
            return i;
        }
        if (block && data[i] == '*' && i + 1 < size && data[i + 1] == '/') {
            return i + 2;
        }
    }
    return size;
}

static void blank_comments(char *data, size_t size)
{
    size_t i = 0;
    while (i + 1 < size) {
        if (data[i] != '/' || (data[i + 1] != '/' && data[i + 1] != '*')) {
            i++;
            continue;
        }
        const size_t end = comment_end(data, size, i);
        memset(data + i, ' ', end - i);
        i = end;
    }
}

static size_t end_of(const char *data, size_t size)
{
    size_t end = size;
    while (end > 0 && pfpu_text_is_space(data[end - 1])) {
        end--;
    }
    return end;
}

static size_t room_needed(const struct base_source *source, bool separated)
{
    size_t size = 0;
    for (size_t i = 0; i < source->count && size <= PFPU_TEXT_MAX; i++) {
        size += size_without_comment(source->lines[i].text) + (separated ? 1 : 0);
    }
    return size < PFPU_TEXT_MAX ? size : PFPU_TEXT_MAX;
}

bool pfpu_text_join(struct pfpu_text *text, const struct base_source *source, char separator,
                    struct base_arena *arena)
{
    *text = (struct pfpu_text){.file = source->file};
    char *data = base_arena_alloc(arena, room_needed(source, separator != '\0') + 1);
    struct pfpu_text_piece *pieces = base_arena_array(arena, source->count, sizeof *pieces);
    if (data == NULL || pieces == NULL) {
        return false;
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct base_source_line *line = &source->lines[i];
        const size_t size = size_without_comment(line->text);
        const size_t gap = separator != '\0' && i > 0 ? 1 : 0;
        if (text->size + gap + size > PFPU_TEXT_MAX) {
            break;
        }
        memset(data + text->size, separator, gap);
        text->size += gap;
        pieces[text->piece_count++] =
            (struct pfpu_text_piece){text->size, line->line, line->column};
        if (size > 0) {
            memcpy(data + text->size, line->text.data, size);
        }
        text->size += size;
    }
    blank_comments(data, text->size);
    text->end = end_of(data, text->size);
    text->data = data;
    text->pieces = pieces;
    return true;
}

bool pfpu_text_is_blank(const struct pfpu_text *text)
{
    return text->end == 0;
}

static struct base_place place_of_character(const struct pfpu_text *text, size_t offset)
{
    size_t low = 0;
    size_t high = text->piece_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (text->pieces[middle].start <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low >= text->piece_count) {
        return (struct base_place){.file = text->file};
    }
    const struct pfpu_text_piece *piece = &text->pieces[low];
    return (struct base_place){text->file, piece->line,
                               piece->column + (uint32_t)(offset - piece->start)};
}

struct base_place pfpu_text_place(const struct pfpu_text *text, size_t offset)
{
    if (offset < text->end || text->end == 0) {
        return place_of_character(text, offset);
    }
    struct base_place place = place_of_character(text, text->end - 1);
    place.column++;
    return place;
}
