/* What the files of this folder that call Vulkan know of its devices; they alone include it. */
#ifndef GPU_VULKAN_H
#define GPU_VULKAN_H

#include <pthread.h>
#include <stdatomic.h>
#include <volk.h>

#include "gpu/kernel.h"

/* A stage that takes longer than this is worth nothing: a driver may hang. Nanoseconds. One of
 * software gets no more of the processors than other programs leave it, and is not taken for one
 * that hangs where they are busy. */
#define GPU_SECOND          (UINT64_C(1000) * 1000 * 1000)
#define GPU_WAIT            (2 * GPU_SECOND)
#define GPU_WAIT_SOFTWARE   (30 * GPU_SECOND)
#define GPU_WAIT_OF(device) ((device)->software ? GPU_WAIT_SOFTWARE : GPU_WAIT)

/* So many programs at most are known to have been made: those of some hundred presets. */
enum { GPU_KNOWN = 1024 };

struct gpu_device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    struct VolkDeviceTable call;
    VkQueue queue;
    uint32_t family;
    bool shows;          /* it may show pictures in windows */
    pthread_mutex_t one; /* submits at a time */
    struct spirv_controls controls;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    bool software; /* the processor plays it */
    bool apart;    /* it has memory of its own, which is not the processor's */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipelineCache pipelines;
    _Atomic uint64_t taken; /* bytes of its memory */
    _Atomic uint64_t most_taken;
    atomic_bool lost;
    atomic_bool hangs; /* it is left as it is */
    atomic_bool draws; /* something ran on it again, as in a show */
    struct {
        pthread_mutex_t one;
        bool tried;
        struct gpu_device *device; /* NULL: not opened */
        /* Programs that were made, by their hashes: of two in one place the later. */
        _Atomic uint64_t known[GPU_KNOWN];
    } aside;
    struct gpu_memory *nothing; /* what programs are bound to on one that is aside */
};

/* A buffer with memory of its own. */
struct gpu_block {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint32_t *mapped; /* NULL: the processor does not see it */
};

struct gpu_memory {
    struct gpu_device *of;
    struct gpu_block there;
    struct gpu_block here; /* the processor's copy, where it does not see the other */
    VkDeviceSize taken;    /* bytes of the device's memory */
};

/* The same device opened once more, with memory and a queue of its own whose threads give way,
 * where drivers that the processor plays make their code while a show goes on; opened when it is
 * first asked for. NULL: it cannot be, or the device is none of software. Any thread but those that
 * paint. */
struct gpu_device *gpu_device_aside(struct gpu_device *device);

#endif
