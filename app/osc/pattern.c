#include "app/osc/pattern.h"

#include <stddef.h>
#include <string.h>

static const char signs[] = "?*[]{}";

bool app_osc_is_pattern(const char *address)
{
    return strpbrk(address, signs) != NULL;
}

enum kind {
    PLAIN,   /* stands for itself */
    ONE,     /* ? */
    MANY,    /* * */
    CLASS,   /* [, of what is plain up to its ] */
    GROUP,   /* { */
    DIVIDES, /* a comma or the } of a group */
};

/* Marks the group or class that begins at `from`; returns the place of its end, 0: it has none. */
static size_t mark(struct app_osc_pattern *pattern, size_t from)
{
    const bool group = pattern->text[from] == '{';
    const char *close = strchr(pattern->text + from, group ? '}' : ']');
    const size_t end = close != NULL ? (size_t)(close - pattern->text) : 0;
    for (size_t i = from; i <= end; i++) {
        const bool divides = group && (pattern->text[i] == ',' || i == end);
        pattern->kinds[i] = divides ? DIVIDES : PLAIN;
        pattern->behind[i] = (uint8_t)(end + 1);
    }
    pattern->kinds[from] = group ? GROUP : CLASS;
    return end;
}

bool app_osc_pattern_read(struct app_osc_pattern *pattern, const char *text)
{
    const size_t size = strnlen(text, APP_OSC_PATTERN + 1);
    *pattern = (struct app_osc_pattern){.size = (uint8_t)size};
    if (size > APP_OSC_PATTERN) {
        return false;
    }
    memcpy(pattern->text, text, size);
    pattern->plain = (uint8_t)strcspn(pattern->text, signs);
    for (size_t i = 0; i < size; i++) {
        const char sign = text[i];
        pattern->kinds[i] = sign == '?' ? ONE : sign == '*' ? MANY : PLAIN;
        if (sign == '[' || sign == '{') {
            i = mark(pattern, i);
            if (i == 0) {
                return false;
            }
        }
    }
    return true;
}

static uint64_t bit(size_t place)
{
    return UINT64_C(1) << place;
}

/* With the places that are reached without a letter, all of which lie further on. */
static uint64_t reach(const struct app_osc_pattern *pattern, uint64_t places)
{
    for (size_t i = 0; i < pattern->size; i++) {
        const enum kind kind = (places & bit(i)) != 0 ? pattern->kinds[i] : PLAIN;
        if (kind == MANY) {
            places |= bit(i + 1);
        } else if (kind == DIVIDES) {
            places |= bit(pattern->behind[i]);
        } else if (kind == GROUP) {
            places |= bit(i + 1);
            for (size_t at = i + 1; at + 1 < pattern->behind[i]; at++) {
                places |= pattern->kinds[at] == DIVIDES ? bit(at + 1) : 0;
            }
        }
    }
    return places;
}

/* Whether the letter is one of the class that begins at `from`. */
static bool is_of(const struct app_osc_pattern *pattern, size_t from, char letter)
{
    const size_t end = pattern->behind[from] - 1U;
    const bool inverse = pattern->text[from + 1] == '!';
    bool found = false;
    for (size_t i = from + 1 + inverse; i < end; i++) {
        const bool range = i + 2 < end && pattern->text[i + 1] == '-';
        const char last = pattern->text[range ? i + 2 : i];
        found = found || (letter >= pattern->text[i] && letter <= last);
        i += range ? 2 : 0;
    }
    return found != inverse && letter != '/';
}

static uint64_t step(const struct app_osc_pattern *pattern, uint64_t places, char letter)
{
    const bool slash = letter == '/';
    uint64_t next = 0;
    for (places &= bit(pattern->size) - 1; places != 0; places &= places - 1) {
        const size_t i = (size_t)__builtin_ctzll(places);
        switch ((enum kind)pattern->kinds[i]) {
        case PLAIN:
            next |= pattern->text[i] == letter ? bit(i + 1) : 0;
            break;
        case ONE:
            next |= slash ? 0 : bit(i + 1);
            break;
        case MANY:
            next |= slash ? 0 : bit(i);
            break;
        case CLASS:
            next |= is_of(pattern, i, letter) ? bit(pattern->behind[i]) : 0;
            break;
        case GROUP:
        case DIVIDES:
            break;
        }
    }
    return next;
}

bool app_osc_pattern_fits(const struct app_osc_pattern *pattern, const char *address)
{
    uint64_t places = reach(pattern, 1);
    for (; *address != '\0' && places != 0; address++) {
        places = reach(pattern, step(pattern, places, *address));
    }
    return (places & bit(pattern->size)) != 0;
}

bool app_osc_pattern_may_fit(const struct app_osc_pattern *pattern, const char *beginning)
{
    const size_t size = strlen(beginning);
    const size_t compared = size < pattern->plain ? size : pattern->plain;
    return memcmp(pattern->text, beginning, compared) == 0;
}
