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
