/* Memory for malloc. */
#ifndef BOARD_FIRMWARE_LIBC_HEAP_H
#define BOARD_FIRMWARE_LIBC_HEAP_H

#include <stddef.h>

/* malloc gives out this memory from now on; once, before its first use. */
void board_heap_begin(void *memory, size_t size);

#endif
