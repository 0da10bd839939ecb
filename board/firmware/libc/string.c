#include <stdint.h>
#include <string.h>

/* Words where both sides allow it; the processor faults on none but is wrong on unaligned ones. */
static int both_aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    if (both_aligned(to, from)) {
        /* Loads first, for each of them is waited for by what uses it at once. */
        for (; size >= 16; size -= 16, target += 16, source += 16) {
            const uint32_t *words = (const uint32_t *)(const void *)source;
            const uint32_t a = words[0];
            const uint32_t b = words[1];
            const uint32_t c = words[2];
            const uint32_t d = words[3];
            uint32_t *copies = (uint32_t *)(void *)target;
            copies[0] = a;
            copies[1] = b;
            copies[2] = c;
            copies[3] = d;
        }
        for (; size >= 4; size -= 4, target += 4, source += 4) {
            *(uint32_t *)(void *)target = *(const uint32_t *)(const void *)source;
        }
    }
    for (; size > 0; size--) {
        *target++ = *source++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    if ((uintptr_t)to <= (uintptr_t)from || (uintptr_t)to >= (uintptr_t)from + size) {
        return memcpy(to, from, size);
    }
    while (size > 0) {
        size--;
        target[size] = source[size];
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *target = to;
    const unsigned char byte = (unsigned char)value;
    for (; size > 0 && ((uintptr_t)target & 3) != 0; size--) {
        *target++ = byte;
    }
    const uint32_t word = byte * 0x01010101u;
    for (; size >= 32; size -= 32, target += 32) {
        uint32_t *words = (uint32_t *)(void *)target;
        words[0] = word;
        words[1] = word;
        words[2] = word;
        words[3] = word;
        words[4] = word;
        words[5] = word;
        words[6] = word;
        words[7] = word;
    }
    for (; size >= 4; size -= 4, target += 4) {
        *(uint32_t *)(void *)target = word;
    }
    for (; size > 0; size--) {
        *target++ = byte;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a;
    const unsigned char *right = b;
    for (size_t i = 0; i < size; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

void *memchr(const void *data, int byte, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == (unsigned char)byte) {
            return (void *)(uintptr_t)(bytes + i);
        }
    }
    return NULL;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    return length;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char left = (unsigned char)a[i];
        const unsigned char right = (unsigned char)b[i];
        if (left != right) {
            return left < right ? -1 : 1;
        }
        if (left == '\0') {
            break;
        }
    }
    return 0;
}

char *strchr(const char *text, int byte)
{
    for (;; text++) {
        if (*text == (char)byte) {
            return (char *)(uintptr_t)text;
        }
        if (*text == '\0') {
            return NULL;
        }
    }
}

char *strrchr(const char *text, int byte)
{
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)byte) {
            found = text;
        }
        if (*text == '\0') {
            return (char *)(uintptr_t)found;
        }
    }
}
