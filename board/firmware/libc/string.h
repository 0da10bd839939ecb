/* What of <string.h> the firmware has. */
#ifndef BOARD_FIRMWARE_LIBC_STRING_H
#define BOARD_FIRMWARE_LIBC_STRING_H

#include <stddef.h>

/* The compiler calls these four itself. */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

void *memchr(const void *data, int byte, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);

#endif
