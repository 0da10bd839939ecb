/* Devices of Vulkan 1.2, and programs on them with memory that the processor sees as well. A build
 * without Vulkan has no device. */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <stdlib.h>
#include <string.h>

#include "gpu/spirv/words.h"

enum { GPU_DEVICES_MAX = 8, GPU_NAME = 256, GPU_KEY = 80 };

/* What a device is called, and a text that changes with it and its driver. */
struct gpu_about {
    char name[GPU_NAME];
    char driver[GPU_NAME];
    char key[GPU_KEY];
    bool software; /* the processor does its work */
};

/* The devices that compute as froth needs it, graphics processors before software. This and
 * those that open one: one thread at a time. */
size_t gpu_list(struct gpu_about about[GPU_DEVICES_MAX]);

struct gpu_device;

/* The device of that key; NULL where it cannot be opened. */
struct gpu_device *gpu_open(const char *key);
/* The same, which shows pictures in windows too (surface.h), if it can. */
struct gpu_device *gpu_open_to_show(const char *key);
void gpu_close(struct gpu_device *device); /* after all its kernels; NULL is fine */

/* The code that the driver has made of programs, for the same device and driver the next time that
 * it is opened: malloc'ed; NULL where there is none. Set before there are kernels; bytes are those
 * that were got, whole, since drivers believe them; size 0: a first time. */
uint8_t *gpu_device_pipelines(struct gpu_device *device, size_t *size);
void gpu_device_set_pipelines(struct gpu_device *device, const uint8_t *bytes, size_t size);

/* What a program may ask of it. */
struct spirv_controls gpu_controls(const struct gpu_device *device);

/* Whether it works in the processor's memory. */
bool gpu_shares_memory(const struct gpu_device *device);

/* All that is taken of a device may be so many bytes, since other programs want memory too. */
#define GPU_MEMORY ((uint64_t)1 << 30)

/* Words that kernels share and the processor fills in or reads. Where a device has memory of its
 * own they stand there, and the processor has a copy of them, which goes over the bus with a run.
 * The processor's words hold 0 at first. size: bytes, at least 4. NULL without memory; any thread.
 */
struct gpu_memory;
struct gpu_memory *gpu_memory_create(struct gpu_device *device, size_t size);
/* Words that only the processor reads and writes, but that a run may copy others to. */
struct gpu_memory *gpu_memory_create_here(struct gpu_device *device, size_t size);
void gpu_memory_free(struct gpu_memory *memory); /* after its kernels; NULL is fine */
uint32_t *gpu_memory_words(struct gpu_memory *memory);
/* They have been sent and never change again: there is no need for the processor's copy. */
void gpu_memory_seal(struct gpu_memory *memory);

/* A program with the memory of its buffers, which outlives it; NULL but for the first: the program
 * has no use for that buffer. NULL without memory or where the
 * device refuses; any thread. */
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

/* Runs and waits until the results can be read: at most two seconds, but for the first time, when a
 * driver may still make its code, a minute. false: they are worth nothing, and the device is lost
 * for good. Any thread, but one at a time for each kernel and memory. */
bool gpu_kernel_run(struct gpu_kernel *kernel, const struct gpu_order *order);

/* Begins to run some one after the other, each of which sees what those before have written, and
 * does not wait: what runs later on the device comes after them. Only the last one's part is
 * fetched. false: the device is lost, or one of them still runs after two seconds. */
bool gpu_kernels_start(struct gpu_kernel *const *kernels, const struct gpu_order *orders,
                       size_t count);
/* Waits until what was started with this kernel as the first has ended. false: the results are
 * worth nothing, and the device is lost. */
bool gpu_kernel_wait(struct gpu_kernel *kernel);
/* Whether gpu_kernel_wait would come back at once. */
bool gpu_kernel_ended(const struct gpu_kernel *kernel);

/* Waits until the device has ended all that was begun on it, but for one that hangs. Not for a
 * thread that paints. */
void gpu_settle(struct gpu_device *device);

uint64_t gpu_most_memory(const struct gpu_device *device); /* bytes that were taken at a time */
bool gpu_lost(const struct gpu_device *device);
bool gpu_hangs(const struct gpu_device *device); /* lost because a program did not end */

#endif
