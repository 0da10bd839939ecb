/* What of <stdlib.h> the firmware has. */
#ifndef BOARD_FIRMWARE_LIBC_STDLIB_H
#define BOARD_FIRMWARE_LIBC_STDLIB_H

#include <stddef.h>

/* malloc gives out this memory from now on; once, before its first use. */
void board_heap_begin(void *memory, size_t size);

/* Memory comes from what board_heap_begin was given. Not for use in interrupts. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);

#define abs(x) __builtin_abs(x)

void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

/* Digits, a point and an exponent; nearest, ties to even. No sign, blanks, hexadecimal, inf or nan.
 */
double strtod(const char *text, char **end);

#endif
