#include "presets/scan.h"

#include "presets/preset.h"

static bool starts_with(struct base_span data, const char *bytes, size_t size)
{
    return data.size >= size && memcmp(data.data, bytes, size) == 0;
}

/* Latin text in UTF-16 has a NUL in nearly every pair of bytes, always on the same side. */
static bool looks_like_utf16(struct base_span data)
{
    if (starts_with(data, "\xff\xfe", 2) || starts_with(data, "\xfe\xff", 2)) {
        return true;
    }
    const size_t pairs = (data.size < 512 ? data.size : 512) / 2;
    size_t nuls[2] = {0, 0};
    for (size_t i = 0; i < pairs * 2; i++) {
        nuls[i % 2] += data.data[i] == '\0' ? 1 : 0;
    }
    return (nuls[0] == 0 && nuls[1] > pairs / 2) || (nuls[1] == 0 && nuls[0] > pairs / 2);
}

struct preset_refusal preset_scan_refusal(struct base_span data)
{
    if (data.size == 0) {
        return (struct preset_refusal){"the file is empty", NULL};
    }
    if (data.size > PRESET_FILE_MAX) {
        return (struct preset_refusal){"the file is longer than 1 MB", "is it a preset?"};
    }
    if (looks_like_utf16(data)) {
        return (struct preset_refusal){"the text is UTF-16", "save it as ASCII or UTF-8"};
    }
    if (memchr(data.data, '\0', data.size) != NULL) {
        return (struct preset_refusal){"binary data, not a preset", NULL};
    }
    return (struct preset_refusal){NULL, NULL};
}

struct base_span preset_scan_skip_mark(struct base_span data)
{
    if (starts_with(data, "\xef\xbb\xbf", 3)) {
        return (struct base_span){data.data + 3, data.size - 3};
    }
    return data;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

bool preset_scan_line(struct preset_scan *scan, struct base_span *line)
{
    const char *data = scan->data.data;
    const size_t size = scan->data.size;
    while (scan->at < size) {
        const size_t start = scan->at;
        size_t end = start;
        while (end < size && !is_line_end(data[end])) {
            end++;
        }
        const bool pair = end + 1 < size && data[end] == '\r' && data[end + 1] == '\n';
        scan->at = end + (pair ? 2 : 1);
        scan->line = scan->next_line++;
        if (end > start) {
            *line = (struct base_span){data + start, end - start};
            return true;
        }
    }
    return false;
}

bool preset_scan_entry(struct base_span line, uint32_t number, struct preset_line_entry *entry)
{
    size_t sign = 0;
    while (sign < line.size && line.data[sign] != '=' && line.data[sign] != ' ') {
        sign++;
    }
    if (sign == 0 || sign == line.size) {
        return false;
    }
    const struct base_span value = {line.data + sign + 1, line.size - sign - 1};
    size_t text = 0;
    while (text < value.size && value.data[text] == ' ') {
        text++;
    }
    *entry = (struct preset_line_entry){
        .key = {line.data, sign},
        .value = value,
        .line = number,
        .column = (uint32_t)sign + 2,
        .blank_before_sign = line.data[sign] == ' ' && text < value.size && value.data[text] == '=',
    };
    return true;
}

enum preset_section preset_scan_section(struct base_span line)
{
    static const char first[] = "[preset00]";
    static const char second[] = "[preset01]";
    if (line.size < sizeof first - 1) {
        return PRESET_SECTION_NONE;
    }
    const struct base_span section = {line.data, sizeof first - 1};
    return base_span_equal_nocase(section, base_span_of(first))    ? PRESET_SECTION_FIRST
           : base_span_equal_nocase(section, base_span_of(second)) ? PRESET_SECTION_SECOND
                                                                   : PRESET_SECTION_NONE;
}
