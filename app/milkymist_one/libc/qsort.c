#include <stdlib.h>

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void sink(unsigned char *items, size_t count, size_t size, size_t at,
                 int (*compare)(const void *, const void *))
{
    while (2 * at + 1 < count) {
        size_t child = 2 * at + 1;
        if (child + 1 < count && compare(items + child * size, items + (child + 1) * size) < 0) {
            child++;
        }
        if (compare(items + at * size, items + child * size) >= 0) {
            return;
        }
        swap(items + at * size, items + child * size, size);
        at = child;
    }
}

/* Heap sort: no memory, and never slow. */
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *bytes = items;
    for (size_t i = count / 2; i > 0; i--) {
        sink(bytes, count, size, i - 1, compare);
    }
    for (size_t i = count; i > 1; i--) {
        swap(bytes, bytes + (i - 1) * size, size);
        sink(bytes, i - 1, size, 0, compare);
    }
}
