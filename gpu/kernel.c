#include "gpu/kernel.h"

#include <assert.h>
#include <stdlib.h>

#include "base/os/file.h"
#include "base/os/thread.h"
#include "gpu/vulkan.h"

/* Some drivers make their code only when it runs first, which takes seconds. */
#define FIRST_WAIT (60 * GPU_SECOND)

struct gpu_kernel {
    struct gpu_device *of;
    VkDescriptorPool sets;
    VkPipeline pipeline;
    VkCommandPool commands;
    VkCommandBuffer command;
    VkFence done;
    VkDescriptorSet set;
    bool ran;     /* at least once */
    bool started; /* it may still run, but is waited for */
    bool running; /* nobody knows whether it still does */
};

/* ---- memory ---- */

/* A type of memory with the first of these properties that there are. */
static bool find_memory(const struct gpu_device *device, uint32_t allowed,
                        const VkMemoryPropertyFlags *wanted, size_t count, uint32_t *type)
{
    for (size_t w = 0; w < count; w++) {
        for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
            const VkMemoryPropertyFlags flags = device->memory.memoryTypes[i].propertyFlags;
            if ((allowed >> i & 1) != 0 && (flags & wanted[w]) == wanted[w]) {
                *type = i;
                return true;
            }
        }
    }
    return false;
}

/* Counts memory that is about to be taken. False: that would be too much. */
static bool take(struct gpu_memory *memory, VkDeviceSize size)
{
    struct gpu_device *device = memory->of;
    const uint64_t now = atomic_fetch_add(&device->taken, size) + size;
    memory->taken += size;
    uint64_t most = atomic_load(&device->most_taken);
    while (now <= GPU_MEMORY && now > most &&
           !atomic_compare_exchange_weak(&device->most_taken, &most, now)) {
    }
    return now <= GPU_MEMORY;
}

static void free_block(struct gpu_device *device, struct gpu_block *block)
{
    device->call.vkDestroyBuffer(device->device, block->buffer, NULL);
    device->call.vkFreeMemory(device->device, block->memory, NULL);
    *block = (struct gpu_block){VK_NULL_HANDLE, VK_NULL_HANDLE, NULL};
}

/* What the processor sees as well, best cached, since it reads results. */
static const VkMemoryPropertyFlags shared[] = {
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
        VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
};

bool gpu_is_cached(const struct gpu_device *device)
{
    uint32_t type = 0;
    return find_memory(device, UINT32_MAX, shared, 1, &type);
}

/* seen: by the processor. */
static bool make_block(struct gpu_memory *memory, struct gpu_block *block, size_t size, bool seen)
{
    static const VkMemoryPropertyFlags own[] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
    struct gpu_device *device = memory->of;
    const VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkMemoryRequirements needs;
    if (device->call.vkCreateBuffer(device->device, &buffer, NULL, &block->buffer) != VK_SUCCESS) {
        block->buffer = VK_NULL_HANDLE;
        return false;
    }
    device->call.vkGetBufferMemoryRequirements(device->device, block->buffer, &needs);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size};
    const bool counts = block == &memory->there;
    if ((counts && !take(memory, needs.size)) ||
        !(seen ? find_memory(device, needs.memoryTypeBits, shared, 2, &info.memoryTypeIndex)
               : find_memory(device, needs.memoryTypeBits, own, 1, &info.memoryTypeIndex)) ||
        device->call.vkAllocateMemory(device->device, &info, NULL, &block->memory) != VK_SUCCESS) {
        block->memory = VK_NULL_HANDLE;
        return false;
    }
    void *mapped = NULL;
    if (device->call.vkBindBufferMemory(device->device, block->buffer, block->memory, 0) !=
            VK_SUCCESS ||
        (seen && device->call.vkMapMemory(device->device, block->memory, 0, VK_WHOLE_SIZE, 0,
                                          &mapped) != VK_SUCCESS)) {
        return false;
    }
    block->mapped = mapped;
    return true;
}

/* there: kernels see it; here: the processor has a block of its own. */
static struct gpu_memory *create(struct gpu_device *device, size_t size, bool there, bool here)
{
    struct gpu_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        return NULL;
    }
    memory->of = device;
    if (gpu_lost(device) || (there && !make_block(memory, &memory->there, size, !here)) ||
        (here && !make_block(memory, &memory->here, size, true))) {
        gpu_memory_free(memory);
        return NULL;
    }
    memset(gpu_memory_words(memory), 0, size);
    return memory;
}

struct gpu_memory *gpu_memory_create(struct gpu_device *device, size_t size)
{
    return size <= device->limits.maxStorageBufferRange ? create(device, size, true, device->apart)
                                                        : NULL;
}

struct gpu_memory *gpu_memory_create_here(struct gpu_device *device, size_t size)
{
    return create(device, size, false, true);
}

void gpu_memory_free(struct gpu_memory *memory)
{
    /* What a device that hangs may still write to stays. */
    if (memory == NULL || gpu_hangs(memory->of)) {
        return;
    }
    free_block(memory->of, &memory->there);
    free_block(memory->of, &memory->here);
    atomic_fetch_sub(&memory->of->taken, memory->taken);
    free(memory);
}

uint32_t *gpu_memory_words(struct gpu_memory *memory)
{
    return memory->here.mapped != NULL ? memory->here.mapped : memory->there.mapped;
}

void gpu_memory_seal(struct gpu_memory *memory)
{
    if (!gpu_hangs(memory->of)) {
        free_block(memory->of, &memory->here);
    }
}

/* ---- kernels ---- */

void gpu_kernel_bind(struct gpu_kernel *kernel, unsigned buffer, const struct gpu_memory *memory)
{
    const struct gpu_device *device = kernel->of;
    const VkDescriptorBufferInfo bound = {memory->there.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = kernel->set,
        .dstBinding = buffer,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &bound,
    };
    device->call.vkUpdateDescriptorSets(device->device, 1, &write, 0, NULL);
}

static bool make_set(struct gpu_kernel *kernel, struct gpu_memory *const memory[SPIRV_BUFFERS])
{
    struct gpu_device *device = kernel->of;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SPIRV_BUFFERS};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    if (device->call.vkCreateDescriptorPool(device->device, &pool, NULL, &kernel->sets) !=
        VK_SUCCESS) {
        kernel->sets = VK_NULL_HANDLE;
        return false;
    }
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = kernel->sets,
        .descriptorSetCount = 1,
        .pSetLayouts = &device->set_layout,
    };
    if (device->call.vkAllocateDescriptorSets(device->device, &info, &kernel->set) != VK_SUCCESS) {
        return false;
    }
    for (unsigned i = 0; i < SPIRV_BUFFERS; i++) {
        gpu_kernel_bind(kernel, i, memory[i] != NULL ? memory[i] : memory[0]);
    }
    return true;
}

static bool make_pipeline(struct gpu_kernel *kernel, const uint32_t *words, size_t count)
{
    struct gpu_device *device = kernel->of;
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = count * sizeof *words,
        .pCode = words,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    if (device->call.vkCreateShaderModule(device->device, &module_info, NULL, &module) !=
        VK_SUCCESS) {
        return false;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
            },
        .layout = device->layout,
    };
    const VkResult result = device->call.vkCreateComputePipelines(
        device->device, device->pipelines, 1, &info, NULL, &kernel->pipeline);
    device->call.vkDestroyShaderModule(device->device, module, NULL);
    kernel->pipeline = result == VK_SUCCESS ? kernel->pipeline : VK_NULL_HANDLE;
    return result == VK_SUCCESS;
}

static bool make_commands(struct gpu_kernel *kernel)
{
    struct gpu_device *device = kernel->of;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = device->family,
    };
    if (device->call.vkCreateCommandPool(device->device, &pool, NULL, &kernel->commands) !=
        VK_SUCCESS) {
        kernel->commands = VK_NULL_HANDLE;
        return false;
    }
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = kernel->commands,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (device->call.vkAllocateCommandBuffers(device->device, &info, &kernel->command) !=
        VK_SUCCESS) {
        return false;
    }
    if (device->call.vkCreateFence(device->device, &fence, NULL, &kernel->done) != VK_SUCCESS) {
        kernel->done = VK_NULL_HANDLE;
        return false;
    }
    return true;
}

/* Makes a program and runs no group of it, for which drivers make its code all the same; gives the
 * seconds that this took. */
static double rehearse_once(struct gpu_device *aside, const uint32_t *words, size_t count)
{
    struct gpu_memory *const memory[SPIRV_BUFFERS] = {aside->nothing};
    const double begun = base_clock_seconds();
    struct gpu_kernel *kernel = gpu_kernel_create(aside, words, count, memory);
    if (kernel != NULL) {
        (void)gpu_kernel_run(kernel, &(struct gpu_order){.columns = 1, .rows = 0});
        gpu_kernel_free(kernel);
    }
    return base_clock_seconds() - begun;
}

/* Has the driver make its code in another queue than a show's frames wait for; it keeps what it has
 * made by the program's words, in a thread of its own, and finds it again, which takes a fraction
 * of the time. Until it is found, it is made again. false: the driver does not come back with it.
 */
static bool rehearse(struct gpu_device *device, const uint32_t *words, size_t count)
{
    enum { REHEARSALS = 3 };
    static const double short_time = 0.02; /* seconds in which nothing is made */
    static const double keeping = 0.02;
    struct gpu_device *aside = gpu_device_aside(device);
    if (aside == NULL) {
        return true;
    }
    const double first = rehearse_once(aside, words, count);
    double last = first;
    for (int i = 1; i < REHEARSALS && last > short_time && (i == 1 || last > first / 3); i++) {
        base_clock_sleep_until(base_clock_seconds() + keeping);
        last = rehearse_once(aside, words, count);
    }
    return !gpu_hangs(aside);
}

struct gpu_kernel *gpu_kernel_create(struct gpu_device *device, const uint32_t *words, size_t count,
                                     struct gpu_memory *const memory[SPIRV_BUFFERS])
{
    struct gpu_kernel *kernel = gpu_lost(device) ? NULL : calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        return NULL;
    }
    kernel->of = device;
    const uint64_t hash = device->software ? base_content_hash(words, count * sizeof *words) : 0;
    _Atomic uint64_t *known = &device->aside.known[hash % GPU_KNOWN];
    const bool rehearses =
        device->software && atomic_load(&device->draws) && atomic_load(known) != hash;
    if ((rehearses && !rehearse(device, words, count)) || !make_set(kernel, memory) ||
        !make_pipeline(kernel, words, count) || !make_commands(kernel)) {
        gpu_kernel_free(kernel);
        return NULL;
    }
    if (device->software) {
        atomic_store(known, hash);
    }
    return kernel;
}

/* Waits until it has ended; false: nobody knows whether it has. */
static bool await(struct gpu_kernel *kernel)
{
    struct gpu_device *device = kernel->of;
    /* What was handed over behind one that does not end does not end either. */
    kernel->running = kernel->running || (kernel->started && gpu_hangs(device));
    if (kernel->started && !kernel->running) {
        const VkResult waited =
            device->call.vkWaitForFences(device->device, 1, &kernel->done, VK_TRUE,
                                         kernel->ran ? GPU_WAIT_OF(device) : FIRST_WAIT);
        kernel->started = false;
        kernel->ran = true;
        /* A device that is lost has ended all that it did. */
        kernel->running = waited != VK_SUCCESS && waited != VK_ERROR_DEVICE_LOST;
        if (waited != VK_SUCCESS) {
            atomic_store(&device->lost, true);
        }
        if (kernel->running) {
            atomic_store(&device->hangs, true);
        }
    }
    return !kernel->running;
}

void gpu_kernel_free(struct gpu_kernel *kernel)
{
    /* What a device that hangs may still work with stays: also a kernel that it runs behind another
     * one, and which is not waited for itself. */
    if (kernel == NULL || !await(kernel) || gpu_hangs(kernel->of)) {
        return;
    }
    struct gpu_device *device = kernel->of;
    device->call.vkDestroyFence(device->device, kernel->done, NULL);
    device->call.vkDestroyCommandPool(device->device, kernel->commands, NULL);
    device->call.vkDestroyPipeline(device->device, kernel->pipeline, NULL);
    device->call.vkDestroyDescriptorPool(device->device, kernel->sets, NULL);
    free(kernel);
}

/* Commands go to one kernel's buffer, whichever kernel they are of. */
static void wait_between(const struct gpu_kernel *kernel, VkPipelineStageFlags before,
                         VkAccessFlags written, VkPipelineStageFlags after, VkAccessFlags used)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = written,
        .dstAccessMask = used,
    };
    kernel->of->call.vkCmdPipelineBarrier(kernel->command, before, after, 0, 1, &barrier, 0, NULL,
                                          0, NULL);
}

static void copy(const struct gpu_kernel *kernel, const struct gpu_part *part, size_t first,
                 const struct gpu_block *from, const struct gpu_block *to)
{
    const VkBufferCopy copy = {part->first, first, part->size};
    kernel->of->call.vkCmdCopyBuffer(kernel->command, from->buffer, to->buffer, 1, &copy);
}

/* What earlier commands have read and written is theirs until they end. */
static void record(const struct gpu_kernel *to, const struct gpu_kernel *kernel,
                   const struct gpu_order *order)
{
    enum {
        BEFORE = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        WRITTEN = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        USED = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    const struct gpu_device *device = to->of;
    if (device->apart && order->sent_count > 0) {
        wait_between(to, BEFORE, WRITTEN, VK_PIPELINE_STAGE_TRANSFER_BIT,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
        for (size_t i = 0; i < order->sent_count; i++) {
            const struct gpu_part *part = &order->sent[i];
            copy(to, part, part->first, &part->memory->here, &part->memory->there);
        }
    }
    wait_between(to, BEFORE, WRITTEN, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, USED);
    if (order->columns == 0) {
        return; /* what it is bound to may be gone */
    }
    device->call.vkCmdBindPipeline(to->command, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    device->call.vkCmdBindDescriptorSets(to->command, VK_PIPELINE_BIND_POINT_COMPUTE,
                                         device->layout, 0, 1, &kernel->set, 0, NULL);
    device->call.vkCmdDispatch(to->command, order->columns, order->rows, 1);
}

static void record_results(const struct gpu_kernel *kernel, const struct gpu_order *order)
{
    const struct gpu_part *fetched = &order->fetched;
    VkPipelineStageFlags last = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkAccessFlags written = VK_ACCESS_SHADER_WRITE_BIT;
    if (fetched->size > 0 && (kernel->of->apart || order->to != NULL)) {
        wait_between(kernel, last, written, VK_PIPELINE_STAGE_TRANSFER_BIT,
                     VK_ACCESS_TRANSFER_READ_BIT);
        copy(kernel, fetched, order->to != NULL ? 0 : fetched->first, &fetched->memory->there,
             order->to != NULL ? &order->to->here : &fetched->memory->here);
        last = VK_PIPELINE_STAGE_TRANSFER_BIT;
        written = VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    wait_between(kernel, last, written, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static bool begin_commands(const struct gpu_kernel *kernel)
{
    const struct gpu_device *device = kernel->of;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    return device->call.vkResetCommandPool(device->device, kernel->commands, 0) == VK_SUCCESS &&
           device->call.vkBeginCommandBuffer(kernel->command, &begin) == VK_SUCCESS;
}

static bool submit_commands(struct gpu_kernel *kernel)
{
    struct gpu_device *device = kernel->of;
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &kernel->command,
    };
    if (device->call.vkEndCommandBuffer(kernel->command) != VK_SUCCESS ||
        device->call.vkResetFences(device->device, 1, &kernel->done) != VK_SUCCESS) {
        return false;
    }
    pthread_mutex_lock(&device->one);
    kernel->started =
        device->call.vkQueueSubmit(device->queue, 1, &submit, kernel->done) == VK_SUCCESS;
    pthread_mutex_unlock(&device->one);
    return kernel->started;
}

static bool within_limits(const struct gpu_device *device, const struct gpu_order *order)
{
    assert(order->sent_count <= GPU_PARTS_MAX);
    return order->columns <= device->limits.maxComputeWorkGroupCount[0] &&
           order->rows <= device->limits.maxComputeWorkGroupCount[1];
}

bool gpu_kernels_start(struct gpu_kernel *const *kernels, const struct gpu_order *orders,
                       size_t count)
{
    struct gpu_kernel *first = kernels[0];
    struct gpu_device *device = first->of;
    if (gpu_lost(device)) {
        return false;
    }
    bool good = await(first) && !gpu_lost(device) && begin_commands(first);
    if (first->ran) {
        atomic_store(&device->draws, true);
    }
    for (size_t i = 0; i < count && good; i++) {
        good = within_limits(device, &orders[i]);
        record(first, kernels[i], &orders[i]);
    }
    if (good) {
        record_results(first, &orders[count - 1]);
    }
    if (!good || !submit_commands(first)) {
        atomic_store(&device->lost, true);
        return false;
    }
    return true;
}

bool gpu_kernel_wait(struct gpu_kernel *kernel)
{
    return await(kernel) && !gpu_lost(kernel->of);
}

bool gpu_kernel_ended(const struct gpu_kernel *kernel)
{
    const struct gpu_device *device = kernel->of;
    return !kernel->started ||
           device->call.vkGetFenceStatus(device->device, kernel->done) != VK_NOT_READY;
}

bool gpu_kernel_run(struct gpu_kernel *kernel, const struct gpu_order *order)
{
    return gpu_kernels_start(&kernel, order, 1) && gpu_kernel_wait(kernel);
}
