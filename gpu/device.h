/* Devices of Vulkan 1.2. A build without Vulkan has none. */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <stddef.h>

#include "gpu/spirv/words.h"

enum { GPU_DEVICES_MAX = 8, GPU_NAME = 256, GPU_KEY = 80 };

/* What a device is called, and a text that changes with it and its driver. */
struct gpu_about {
    char name[GPU_NAME];
    char driver[GPU_NAME];
    char key[GPU_KEY];
    bool software; /* the processor plays it */
};

/* The devices that compute as froth needs it, graphics processors before software. Any
 * thread, as with those that open one. */
size_t gpu_list(struct gpu_about about[GPU_DEVICES_MAX]);

/* What froth lacks to find any, in words; NULL: nothing. As gpu_list. */
const char *gpu_lacks(void);

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
/* Whether what it shares with the processor goes through the processor's caches. */
bool gpu_is_cached(const struct gpu_device *device);

/* Waits until the device has ended all that was begun on it, but for one that hangs. Not for a
 * thread that paints. */
void gpu_settle(struct gpu_device *device);

uint64_t gpu_most_memory(const struct gpu_device *device); /* bytes that were taken at a time */
bool gpu_lost(const struct gpu_device *device);
bool gpu_hangs(const struct gpu_device *device); /* lost because a program did not end */

#endif
