/* Programs on a device, and memory that they and the processor share. */
#ifndef GPU_KERNEL_H
#define GPU_KERNEL_H

#include <stdlib.h>
#include <string.h>

#include "gpu/device.h"

/* All that is taken of a device may be so many bytes, since other programs want memory too. */
#define GPU_MEMORY ((uint64_t)1 << 30)

/* Words that kernels share and the processor fills in or reads. Where a device has memory of its
 * own they stand there, and the processor has a copy of them, which goes over the bus with a run.
 * The processor's words hold 0 at first. size: bytes, at least 4. NULL without memory; any thread.
 */
struct gpu_memory;
struct gpu_memory *gpu_memory_create(struct gpu_device *device, size_t size);
/* The same here alone, for what a run copies (struct gpu_order): it is not for kernels, and is not
 * sent. It is the processor's memory and not counted as the device's. */
struct gpu_memory *gpu_memory_create_here(struct gpu_device *device, size_t size);
void gpu_memory_free(struct gpu_memory *memory); /* after its kernels; NULL is fine */
uint32_t *gpu_memory_words(struct gpu_memory *memory);
/* They have been sent and never change again: there is no need for the processor's copy. */
void gpu_memory_seal(struct gpu_memory *memory);

/* A program with the memory of its buffers, which outlives it; NULL but for the first: the program
 * has no use for that buffer. NULL without memory or where the device refuses. Any thread, but not
 * one that paints: it takes as long as the driver takes to make its code, of a device of software
 * seconds. */
struct gpu_kernel;
struct gpu_kernel *gpu_kernel_create(struct gpu_device *device, const uint32_t *words, size_t count,
                                     struct gpu_memory *const memory[SPIRV_BUFFERS]);
/* The same of words that are malloc's memory and taken over; NULL for NULL. */
static inline struct gpu_kernel *gpu_kernel_take(struct gpu_device *device, uint32_t *words,
                                                 size_t count,
                                                 struct gpu_memory *const memory[SPIRV_BUFFERS])
{
    struct gpu_kernel *kernel =
        words != NULL ? gpu_kernel_create(device, words, count, memory) : NULL;
    free(words);
    return kernel;
}
void gpu_kernel_free(struct gpu_kernel *kernel); /* NULL is fine */
/* Has a buffer in another memory from its next run on. Not while it runs. */
void gpu_kernel_bind(struct gpu_kernel *kernel, unsigned buffer, const struct gpu_memory *memory);

/* A part of a memory's words, by bytes. */
struct gpu_part {
    struct gpu_memory *memory;
    size_t first;
    size_t size;
};

static inline struct gpu_part gpu_whole(struct gpu_memory *memory, size_t size)
{
    return (struct gpu_part){memory, 0, size};
}

/* A float as a word. */
static inline uint32_t gpu_bits(float number)
{
    uint32_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* What goes with a run: parts to the device before, and one back from it; or to the beginning of a
 * memory that is here. */
enum { GPU_PARTS_MAX = 16 };
struct gpu_order {
    uint32_t columns; /* groups of invocations; 0: the kernel does nothing, parts go all the same */
    uint32_t rows;
    struct gpu_part sent[GPU_PARTS_MAX];
    size_t sent_count;
    struct gpu_part fetched;
    struct gpu_memory *to; /* NULL: the part's own */
};

/* Runs and waits until the results can be read: at most two seconds, one of software
 * half a minute, and the first time, when a driver may still make its code, a minute. false: they
 * are worth nothing, and the device is lost for good. Any thread, but one at a time for each kernel
 * and memory. */
bool gpu_kernel_run(struct gpu_kernel *kernel, const struct gpu_order *order);

/* Begins to run some one after the other, each of which sees what those before have written, and
 * does not wait: what runs later on the device comes after them. Only the last one's part is
 * fetched. false: the device is lost, or one of them still runs after that time. */
bool gpu_kernels_start(struct gpu_kernel *const *kernels, const struct gpu_order *orders,
                       size_t count);
/* Waits until what was started with this kernel as the first has ended. false: the results are
 * worth nothing, and the device is lost. */
bool gpu_kernel_wait(struct gpu_kernel *kernel);
/* Whether gpu_kernel_wait would come back at once. */
bool gpu_kernel_ended(const struct gpu_kernel *kernel);

#endif
