/* A build without Vulkan: there is no device. */
#include "gpu/kernel.h"
#include "gpu/surface.h"

size_t gpu_list(struct gpu_about about[GPU_DEVICES_MAX])
{
    (void)about;
    return 0;
}

const char *gpu_lacks(void)
{
    return "froth was built without Vulkan (Debian: apt install libvulkan-dev libvulkan-volk-dev)";
}

struct gpu_device *gpu_open(const char *key)
{
    (void)key;
    return NULL;
}

struct gpu_device *gpu_open_to_show(const char *key)
{
    (void)key;
    return NULL;
}

void gpu_close(struct gpu_device *device)
{
    (void)device;
}

uint8_t *gpu_device_pipelines(struct gpu_device *device, size_t *size)
{
    (void)device;
    *size = 0;
    return NULL;
}

void gpu_device_set_pipelines(struct gpu_device *device, const uint8_t *bytes, size_t size)
{
    (void)device;
    (void)bytes;
    (void)size;
}

struct spirv_controls gpu_controls(const struct gpu_device *device)
{
    (void)device;
    return (struct spirv_controls){.round_to_even = false};
}

bool gpu_shares_memory(const struct gpu_device *device)
{
    (void)device;
    return false;
}

bool gpu_is_cached(const struct gpu_device *device)
{
    (void)device;
    return false;
}

struct gpu_memory *gpu_memory_create(struct gpu_device *device, size_t size)
{
    (void)device;
    (void)size;
    return NULL;
}

struct gpu_memory *gpu_memory_create_here(struct gpu_device *device, size_t size)
{
    (void)device;
    (void)size;
    return NULL;
}

void gpu_memory_free(struct gpu_memory *memory)
{
    (void)memory;
}

uint32_t *gpu_memory_words(struct gpu_memory *memory)
{
    (void)memory;
    return NULL;
}

void gpu_memory_seal(struct gpu_memory *memory)
{
    (void)memory;
}

struct gpu_kernel *gpu_kernel_create(struct gpu_device *device, const uint32_t *words, size_t count,
                                     struct gpu_memory *const memory[SPIRV_BUFFERS])
{
    (void)device;
    (void)words;
    (void)count;
    (void)memory;
    return NULL;
}

void gpu_kernel_free(struct gpu_kernel *kernel)
{
    (void)kernel;
}

void gpu_kernel_bind(struct gpu_kernel *kernel, unsigned buffer, const struct gpu_memory *memory)
{
    (void)kernel;
    (void)buffer;
    (void)memory;
}

bool gpu_kernel_run(struct gpu_kernel *kernel, const struct gpu_order *order)
{
    (void)kernel;
    (void)order;
    return false;
}

bool gpu_kernels_start(struct gpu_kernel *const *kernels, const struct gpu_order *orders,
                       size_t count)
{
    (void)kernels;
    (void)orders;
    (void)count;
    return false;
}

bool gpu_kernel_wait(struct gpu_kernel *kernel)
{
    (void)kernel;
    return false;
}

bool gpu_kernel_ended(const struct gpu_kernel *kernel)
{
    (void)kernel;
    return true;
}

void gpu_settle(struct gpu_device *device)
{
    (void)device;
}

bool gpu_lost(const struct gpu_device *device)
{
    (void)device;
    return true;
}

uint64_t gpu_most_memory(const struct gpu_device *device)
{
    (void)device;
    return 0;
}

bool gpu_hangs(const struct gpu_device *device)
{
    (void)device;
    return false;
}

/* ---- windows ---- */

struct gpu_surface *gpu_surface_create(struct gpu_device *device, const struct gpu_window *window,
                                       bool vsync)
{
    (void)device;
    (void)window;
    (void)vsync;
    return NULL;
}

void gpu_surface_free(struct gpu_surface *surface)
{
    (void)surface;
}

enum gpu_surface_answer gpu_surface_begin(struct gpu_surface *surface, int *width, int *height)
{
    (void)surface;
    *width = *height = 0;
    return GPU_SURFACE_LOST;
}

enum gpu_surface_answer gpu_surface_show(struct gpu_surface *surface,
                                         const struct gpu_memory *picture)
{
    (void)surface;
    (void)picture;
    return GPU_SURFACE_LOST;
}
