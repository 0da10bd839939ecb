/* Shader stages on a graphics processor, with the bits of the processor (docs/gpu.md). */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "gpu/device.h"
#include "renderer/shader/device.h"

struct gpu;

/* Opens the device of that key (gpu_list). NULL where it cannot be opened. */
struct gpu *gpu_create(const char *key);
/* Takes the device over, which was opened in another way; NULL for NULL, or without memory. */
struct gpu *gpu_create_on(struct gpu_device *device);
void gpu_free(struct gpu *gpu); /* after all that was loaded on it; NULL is fine */

struct gpu_device *gpu_device_of(const struct gpu *gpu); /* for what else is done on it */

/* As gpu_device_pipelines and gpu_device_set_pipelines. */
uint8_t *gpu_pipelines(const struct gpu *gpu, size_t *size);
void gpu_set_pipelines(struct gpu *gpu, const uint8_t *bytes, size_t size);

/* For the renderer's configuration; lives as long as the gpu. */
const struct rend_device *gpu_stages(const struct gpu *gpu);

/* Whether it has floats of 64 bits as equations need them; and that it is to do without, before
 * anything is loaded. */
bool gpu_doubles(const struct gpu *gpu);
void gpu_leave_doubles(struct gpu *gpu);

/* Whether it is to draw presets without shaders, and composites, too, before anything is loaded; at
 * first, if it works in the processor's memory. */
void gpu_draw_plain(struct gpu *gpu, bool draws);

/* How many stages ran on it since it was opened, and whether and how it was lost since. */
struct gpu_account {
    uint64_t ran;
    uint64_t refused; /* stages that it did not take when they were loaded */
    uint64_t memory;  /* bytes of it that were taken at a time, at most */
    bool lost;
    bool hangs; /* lost because a stage did not end: its driver still runs */
};
struct gpu_account gpu_account(const struct gpu *gpu);

#endif
