/* Memory of the machine, beside what malloc gives. Any thread. */
#ifndef BASE_OS_MEMORY_H
#define BASE_OS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of memory that the machine has; 0 where the system does not say. */
uint64_t base_memory_size(void);

/* Zeros, aligned to a page, which take memory only where they are touched; a page before and behind
 * them may not be touched at all. NULL where there are not so many. */
void *base_memory_reserve(size_t bytes);
void base_memory_release(void *memory, size_t bytes); /* NULL is fine; bytes as reserved */

/* A copy of machine code that can be run, and not written. NULL where the system has no memory for
 * it, or lets no memory become a program. */
void *base_memory_load_code(const void *code, size_t bytes);
void base_memory_unload_code(void *memory, size_t bytes); /* NULL is fine; bytes as loaded */

#endif
