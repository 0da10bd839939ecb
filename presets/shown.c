#include "presets/shown.h"

#include <string.h>

#include "base/span.h"
#include "base/utf8.h"
#include "presets/catalog.h"

static char fold(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

void preset_fold(char *text)
{
    for (; *text != '\0'; text++) {
        *text = fold(*text);
    }
}

bool preset_folded_equal(const char *a, const char *b, size_t size)
{
    return base_span_equal_nocase((struct base_span){a, size}, (struct base_span){b, size});
}

static bool is_control(uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029;
}

static void copy(char *shown, const char *text, size_t size)
{
    size_t used = 0;
    struct base_span rest = {text, size};
    while (rest.size > 0) {
        const char *letter = rest.data;
        const uint32_t point = base_utf8_next(&rest);
        const size_t length = (size_t)(rest.data - letter);
        const bool malformed = point == BASE_UTF8_REPLACEMENT && length == 1;
        const bool plain = !malformed && !is_control(point);
        const size_t wanted = plain ? length : 1;
        if (used + wanted > PRESET_SHOWN_MAX) {
            break;
        }
        memcpy(shown + used, plain ? letter : "?", wanted);
        used += wanted;
    }
    shown[used] = '\0';
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void preset_shown_name(char *name, const char *path)
{
    const char *file = file_name(path);
    const char *point = strrchr(file, '.');
    copy(name, file, point != NULL && point > file ? (size_t)(point - file) : strlen(file));
}

void preset_shown_folder(char *folder, const char *path, size_t from)
{
    const size_t end = (size_t)(file_name(path) - path);
    size_t last = end > 0 ? end - 1 : 0;
    while (from < last && path[from] == '/') {
        from++;
    }
    while (last > from && path[last - 1] == '/') {
        last--;
    }
    copy(folder, path + (from < last ? from : last), from < last ? last - from : 0);
}

/* ---- folded texts ---- */

bool preset_is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
           (unsigned char)letter >= 0x80;
}

uint64_t preset_letter_bit(char letter)
{
    const unsigned byte = (unsigned char)letter;
    return UINT64_C(1) << (letter >= 'a' && letter <= 'z'   ? byte - 'a'
                           : letter >= '0' && letter <= '9' ? byte - '0' + 26
                           : byte >= 0x80                   ? byte % 16 + 36
                                                            : byte % 12 + 52);
}

uint64_t preset_letters(const char *text, size_t size, bool beginnings)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        if (!beginnings || i == 0 || !preset_is_letter(text[i - 1])) {
            bits |= preset_letter_bit(text[i]);
        }
    }
    return bits;
}
