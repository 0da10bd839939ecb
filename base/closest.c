#include "base/closest.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 31, CHANGES_MAX = 3 };

size_t base_distance(const char *a, const char *b)
{
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    if (length_a > WORD_MAX || length_b > WORD_MAX) {
        return length_a + length_b;
    }
    size_t row[WORD_MAX + 1]; /* of Levenshtein's table */
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t changed = corner + (a[i - 1] != b[j - 1]);
            const size_t longer = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = changed < longer ? changed : longer;
        }
    }
    return row[length_b];
}

void base_closest_try(struct base_closest *closest, const char *word, const char *name)
{
    const size_t changes = base_distance(word, name);
    if (changes <= CHANGES_MAX && changes < strlen(name) &&
        (closest->name == NULL || changes < closest->changes)) {
        *closest = (struct base_closest){name, changes};
    }
}

void base_closest_hint(const struct base_closest *closest, const char *else_hint, char *text,
                       size_t size)
{
    if (closest->name != NULL) {
        (void)snprintf(text, size, "did you mean %s?", closest->name);
    } else {
        (void)snprintf(text, size, "%s", else_hint);
    }
}
