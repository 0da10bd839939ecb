#include "base/span.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool base_span_equal_nocase(struct base_span a, struct base_span b)
{
    if (a.size != b.size) {
        return false;
    }
    for (size_t i = 0; i < a.size; i++) {
        if (lower(a.data[i]) != lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

struct base_span base_span_next_word(struct base_span *text)
{
    while (text->size > 0 && text->data[0] == ' ') {
        text->data++;
        text->size--;
    }
    struct base_span word = {text->data, 0};
    while (word.size < text->size && word.data[word.size] != ' ') {
        word.size++;
    }
    text->data += word.size;
    text->size -= word.size;
    return word;
}
