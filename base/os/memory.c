#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/os/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t base_memory_size(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* With the two pages around it. */
static size_t whole_size(size_t bytes, size_t page)
{
    return (bytes + page - 1) / page * page + 2 * page;
}

void *base_memory_reserve(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = whole_size(bytes, page);
    if (whole < bytes) {
        return NULL;
    }
    char *memory = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (mprotect(memory + page, whole - 2 * page, PROT_READ | PROT_WRITE) != 0) {
        (void)munmap(memory, whole);
        return NULL;
    }
    return memory + page;
}

void base_memory_release(void *memory, size_t bytes)
{
    if (memory != NULL) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        (void)munmap((char *)memory - page, whole_size(bytes, page));
    }
}

void *base_memory_load_code(const void *code, size_t bytes)
{
    void *memory =
        bytes > 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                  : MAP_FAILED;
    if (memory == MAP_FAILED) {
        return NULL;
    }
    memcpy(memory, code, bytes);
    __builtin___clear_cache((char *)memory, (char *)memory + bytes);
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) {
        (void)munmap(memory, bytes);
        return NULL;
    }
    return memory;
}

void base_memory_unload_code(void *memory, size_t bytes)
{
    if (memory != NULL) {
        (void)munmap(memory, bytes);
    }
}
