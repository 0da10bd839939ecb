#include "base/os/plain.h"

#include <stdbool.h>
#include <string.h>

static void print(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        (void)fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, out);
    }
}

void base_plain(FILE *out, const char *text)
{
    print(out, text, strlen(text));
}

void base_plain_cell(FILE *out, const char *text, size_t columns)
{
    size_t size = 0;
    size_t used = 0;
    for (; text[size] != '\0'; size++) {
        const bool begins = ((unsigned char)text[size] & 0xC0) != 0x80;
        if (begins && used == columns) {
            break;
        }
        used += begins;
    }
    print(out, text, size);
    (void)fprintf(out, "%*s", (int)(columns - used), "");
}
