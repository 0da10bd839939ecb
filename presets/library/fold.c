#include "presets/library/fold.h"

#include <string.h>
#include <utf8proc.h>

#include "base/text.h"

enum {
    LETTERS_MAX = PRESET_FOLDED_MAX + 32,
    LONGEST = 18, /* code points that one becomes at most */
};

/* Marks above and below letters that those who type a name leave out. */
static bool is_accent(utf8proc_int32_t code)
{
    return (code >= 0x0300 && code <= 0x036F) || (code >= 0x0591 && code <= 0x05C7) ||
           (code >= 0x064B && code <= 0x065F) || code == 0x0640 || code == 0x0670 ||
           (code >= 0x1AB0 && code <= 0x1AFF) || (code >= 0x1DC0 && code <= 0x1DFF) ||
           (code >= 0x20D0 && code <= 0x20FF);
}

/* Letters with a stroke, which Unicode does not take for marks, and the dotless i. */
static utf8proc_int32_t without_stroke(utf8proc_int32_t code)
{
    static const struct {
        utf8proc_int32_t code;
        char letter;
    } letters[] = {{0x111, 'd'}, {0x127, 'h'}, {0x131, 'i'},
                   {0x142, 'l'}, {0xF8, 'o'},  {0x167, 't'}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].code == code) {
            return letters[i].letter;
        }
    }
    return code;
}

size_t preset_fold(char *to, const char *text)
{
    size_t size = 0;
    for (; text[size] != '\0' && (text[size] & 0x80) == 0 && size < PRESET_FOLDED_MAX; size++) {
        const char letter = text[size];
        to[size] = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
    }
    if (text[size] == '\0' || size == PRESET_FOLDED_MAX) {
        to[size] = '\0';
        return size;
    }
    /* The last ASCII letter may carry the first accent. */
    size -= size > 0;
    utf8proc_int32_t letters[LETTERS_MAX];
    utf8proc_ssize_t count = 0;
    struct base_span rest = base_span_of(text + size);
    while (rest.size > 0 && count + LONGEST < LETTERS_MAX) {
        utf8proc_int32_t parts[LONGEST];
        int boundary = 0;
        const utf8proc_ssize_t found = utf8proc_decompose_char(
            (utf8proc_int32_t)base_utf8_next(&rest), parts, LONGEST,
            UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD, &boundary);
        for (utf8proc_ssize_t i = 0; i < found && i < LONGEST; i++) {
            if (!is_accent(parts[i])) {
                letters[count++] = without_stroke(parts[i]);
            }
        }
    }
    count = utf8proc_normalize_utf32(letters, count, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        utf8proc_uint8_t bytes[4];
        const size_t length = (size_t)utf8proc_encode_char(letters[i], bytes);
        if (size + length > PRESET_FOLDED_MAX) {
            break;
        }
        memcpy(to + size, bytes, length);
        size += length;
    }
    to[size] = '\0';
    return size;
}

bool preset_is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
           (unsigned char)letter >= 0x80;
}

static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

bool preset_starts_word(const char *text, const char *at)
{
    if (at == text || is_inside(*at)) {
        return at == text;
    }
    const char *before = at - 1;
    if ((*before & 0x80) == 0) {
        return !preset_is_letter(*before);
    }
    while (before > text && is_inside(*before)) {
        before--;
    }
    struct base_span letter = {before, (size_t)(at - before)};
    const utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)base_utf8_next(&letter));
    return kind == UTF8PROC_CATEGORY_CN || kind > UTF8PROC_CATEGORY_NO;
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
        if (!beginnings || preset_starts_word(text, text + i)) {
            bits |= preset_letter_bit(text[i]);
        }
    }
    return bits;
}
