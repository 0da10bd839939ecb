#include "app/io/text_reader.h"
#include "base/os/print.h"

#include <stdio.h>

enum { ERRORS_SHOWN = 20, WORD_SHOWN = 40, HEX_DIGITS = 8 };

void app_text_reader_begin(struct app_text_reader *reader, const char *file, struct base_span text,
                           const struct base_diag_sink *sink)
{
    static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
    if (text.size >= sizeof mark && memcmp(text.data, mark, sizeof mark) == 0) {
        text.data += sizeof mark;
        text.size -= sizeof mark;
    }
    *reader = (struct app_text_reader){.file = file, .sink = sink, .rest = text, .comments = ""};
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

/* NUL is in no set of separators, though it ends their text. */
static bool is_in(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

static void drop(struct base_source_line *line, size_t size)
{
    line->text.data += size;
    line->text.size -= size;
    line->column += (uint32_t)size;
}

static void trim(struct base_source_line *line)
{
    while (line->text.size > 0 && is_blank(line->text.data[0])) {
        drop(line, 1);
    }
    while (line->text.size > 0 && is_blank(line->text.data[line->text.size - 1])) {
        line->text.size--;
    }
}

bool app_text_next_line(struct app_text_reader *reader, struct base_source_line *line)
{
    while (reader->rest.size > 0) {
        const char *data = reader->rest.data;
        const char *end = memchr(data, '\n', reader->rest.size);
        const size_t size = end != NULL ? (size_t)(end - data) : reader->rest.size;
        const size_t taken = size + (end != NULL);
        reader->rest.data += taken;
        reader->rest.size -= taken;
        reader->line++;
        *line = (struct base_source_line){.text = {data, size}, .line = reader->line, .column = 1};
        for (size_t i = 0; i < line->text.size; i++) {
            if (is_in(line->text.data[i], reader->comments)) {
                line->text.size = i;
            }
        }
        trim(line);
        if (line->text.size > 0) {
            return true;
        }
    }
    return false;
}

bool app_text_next_word(struct base_source_line *line, const char *separators,
                        struct base_source_line *word)
{
    const char *data = line->text.data;
    size_t from = 0;
    while (from < line->text.size && (is_blank(data[from]) || is_in(data[from], separators))) {
        from++;
    }
    size_t to = from;
    while (to < line->text.size && !is_blank(data[to]) && !is_in(data[to], separators)) {
        to++;
    }
    *word = *line;
    drop(word, from);
    word->text.size = to - from;
    drop(line, to);
    return word->text.size > 0;
}

size_t app_text_split(struct base_source_line line, struct base_source_line *fields, size_t max)
{
    size_t count = 0;
    for (bool more = true; more; count++) {
        const char *comma = memchr(line.text.data, ',', line.text.size);
        more = comma != NULL;
        const size_t size = more ? (size_t)(comma - line.text.data) : line.text.size;
        if (count < max) {
            fields[count] = line;
            fields[count].text.size = size;
            trim(&fields[count]);
        }
        drop(&line, size + more);
    }
    return count;
}

bool app_text_hex(struct base_span text, uint32_t *value)
{
    if (text.size > 2 && text.data[0] == '0' && (text.data[1] | 0x20) == 'x') {
        text.data += 2;
        text.size -= 2;
    }
    if (text.size == 0 || text.size > HEX_DIGITS) {
        return false;
    }
    uint32_t number = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char byte = text.data[i];
        const char small = (char)(byte | 0x20);
        const bool decimal = byte >= '0' && byte <= '9';
        if (!decimal && (small < 'a' || small > 'f')) {
            return false;
        }
        const int digit = decimal ? byte - '0' : small - 'a' + 10;
        number = number << 4 | (uint32_t)digit;
    }
    *value = number;
    return true;
}

bool app_text_decimal(struct base_span text, uint32_t limit, uint32_t *value)
{
    uint64_t number = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        number = number * 10 + (uint64_t)(text.data[i] - '0');
        if (number > limit) {
            return false;
        }
    }
    *value = (uint32_t)number;
    return text.size > 0;
}

void app_text_refuse(struct app_text_reader *reader, const struct base_source_line *word,
                     const char *why, const char *hint)
{
    if (reader->errors++ >= ERRORS_SHOWN) {
        return;
    }
    const struct base_place place = {reader->file, word->line, word->column};
    const size_t size = word->text.size < WORD_SHOWN ? word->text.size : WORD_SHOWN;
    base_report(reader->sink, BASE_ERROR, place, hint, "'%.*s' %s", (int)size, word->text.data,
                why);
}

void app_text_reader_end(const struct app_text_reader *reader)
{
    if (reader->errors > ERRORS_SHOWN) {
        base_report(reader->sink, BASE_NOTE, (struct base_place){reader->file, 0, 0}, NULL,
                    "%zu more error%s", reader->errors - ERRORS_SHOWN,
                    base_plural(reader->errors - ERRORS_SHOWN));
    }
}
