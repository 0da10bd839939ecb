/* A layer of Vulkan whose device is lost after some submits, as many as FROTH_LOST_AFTER says. If
 * FROTH_LOST_HOW is "crash" it then ends the program, as a bad driver does; if it is "hang" it
 * never comes to an end, and ends the program while it is left. Buffers need 128 MiB more than they
 * should if it is "large"; if it is "slow" nothing is lost, but from then on each wait takes a
 * third of a second; the device says that it has memory of its own if it is "apart"; it takes
 * differences for sums in programs with floats of 64 bits if it is "doubles". If it is "surface",
 * not the device is lost, but what it shows pictures on, after so many of these. If it is
 * "denormals", the device promises to keep denormal numbers, as those of most makers do. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define SHOWN __attribute__((visibility("default")))

/* One instance at a time is enough for froth. Devices are of one driver: what is called is the
 * first one's, which may show pictures, and not that of one that is opened aside. */
static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetPhysicalDeviceProperties next_properties;
static PFN_vkGetPhysicalDeviceProperties2 next_properties2;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkQueueSubmit next_submit;
static PFN_vkWaitForFences next_wait;
static PFN_vkGetBufferMemoryRequirements next_needs;
static PFN_vkCreateShaderModule next_module;
static PFN_vkAcquireNextImageKHR next_acquire;
static atomic_int submits;
static atomic_int acquired;
static atomic_bool hangs;
static atomic_bool slow;

static bool does(const char *what)
{
    const char *how = getenv("FROTH_LOST_HOW");
    return how != NULL && strcmp(how, what) == 0;
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count,
                                             const VkSubmitInfo *infos, VkFence fence)
{
    const char *after = getenv("FROTH_LOST_AFTER");
    if (after != NULL && !does("surface") && atomic_fetch_add(&submits, 1) >= atoi(after)) {
        if (does("crash")) {
            abort();
        }
        if (does("slow")) {
            atomic_store(&slow, true);
            return next_submit(queue, count, infos, fence);
        }
        if (does("hang")) {
            if (!atomic_exchange(&hangs, true)) {
                (void)atexit(abort);
            }
            return VK_SUCCESS;
        }
        return VK_ERROR_DEVICE_LOST;
    }
    return next_submit(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_for(VkDevice device, uint32_t count,
                                               const VkFence *fences, VkBool32 all,
                                               uint64_t nanoseconds)
{
    static const struct timespec third = {.tv_nsec = 333 * 1000 * 1000};
    if (atomic_load(&slow)) {
        (void)nanosleep(&third, NULL);
    }
    return atomic_load(&hangs) ? VK_TIMEOUT : next_wait(device, count, fences, all, nanoseconds);
}

static VKAPI_ATTR VkResult VKAPI_CALL acquire(VkDevice device, VkSwapchainKHR chain,
                                              uint64_t nanoseconds, VkSemaphore semaphore,
                                              VkFence fence, uint32_t *image)
{
    const char *after = getenv("FROTH_LOST_AFTER");
    if (after != NULL && does("surface") && atomic_fetch_add(&acquired, 1) >= atoi(after)) {
        return VK_ERROR_SURFACE_LOST_KHR;
    }
    return next_acquire(device, chain, nanoseconds, semaphore, fence, image);
}

static VKAPI_ATTR void VKAPI_CALL needs(VkDevice device, VkBuffer buffer,
                                        VkMemoryRequirements *memory)
{
    next_needs(device, buffer, memory);
    memory->size += does("large") ? 128 << 20 : 0;
}

/* Instructions begin with their size and what they are. */
static bool has_doubles(const uint32_t *words, size_t count)
{
    enum { HEAD = 5, CAPABILITY = 17, FLOATS_OF_64_BITS = 10 };
    size_t at = HEAD;
    while (at + 1 < count && (words[at] & 0xFFFF) == CAPABILITY && words[at] >> 16 > 0) {
        if (words[at + 1] == FLOATS_OF_64_BITS) {
            return true;
        }
        at += words[at] >> 16;
    }
    return false;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *memory,
                                                    VkShaderModule *module)
{
    enum { HEAD = 5, SUM = 129, DIFFERENCE = 131 };
    const size_t count = info->codeSize / sizeof(uint32_t);
    uint32_t *words = malloc(info->codeSize);
    VkShaderModuleCreateInfo changed = *info;
    if (words == NULL || !does("doubles") || !has_doubles(info->pCode, count)) {
        free(words);
        return next_module(device, info, memory, module);
    }
    memcpy(words, info->pCode, info->codeSize);
    for (size_t at = HEAD; at < count && words[at] >> 16 > 0; at += words[at] >> 16) {
        if ((words[at] & 0xFFFF) == SUM) {
            words[at] += DIFFERENCE - SUM;
        }
    }
    changed.pCode = words;
    const VkResult result = next_module(device, &changed, memory, module);
    free(words);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *memory,
                                                      VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO) {
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    }
    next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)next_instance(VK_NULL_HANDLE, "vkCreateInstance");
    const VkResult result = create(info, memory, instance);
    if (result == VK_SUCCESS) {
        next_properties = (PFN_vkGetPhysicalDeviceProperties)next_instance(
            *instance, "vkGetPhysicalDeviceProperties");
        next_properties2 = (PFN_vkGetPhysicalDeviceProperties2)next_instance(
            *instance, "vkGetPhysicalDeviceProperties2");
    }
    return result;
}

static void set_apart(VkPhysicalDeviceProperties *properties)
{
    if (does("apart")) {
        properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    }
}

static void promise_denormals(void *chain)
{
    for (VkBaseOutStructure *next = chain; next != NULL && does("denormals"); next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES) {
            VkPhysicalDeviceFloatControlsProperties *floats =
                (VkPhysicalDeviceFloatControlsProperties *)next;
            floats->shaderDenormPreserveFloat32 = VK_TRUE;
            floats->shaderDenormPreserveFloat64 = VK_TRUE;
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice device,
                                             VkPhysicalDeviceProperties *of)
{
    next_properties(device, of);
    set_apart(of);
}

static VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice device,
                                              VkPhysicalDeviceProperties2 *of)
{
    next_properties2(device, of);
    set_apart(&of->properties);
    promise_denormals(of->pNext);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *memory,
                                                    VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO) {
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    }
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)get(VK_NULL_HANDLE, "vkCreateDevice");
    const VkResult result = create(physical, info, memory, device);
    if (result == VK_SUCCESS && next_submit == NULL) {
        next_submit = (PFN_vkQueueSubmit)next_device(*device, "vkQueueSubmit");
        next_wait = (PFN_vkWaitForFences)next_device(*device, "vkWaitForFences");
        next_needs = (PFN_vkGetBufferMemoryRequirements)next_device(
            *device, "vkGetBufferMemoryRequirements");
        next_module = (PFN_vkCreateShaderModule)next_device(*device, "vkCreateShaderModule");
        next_acquire = (PFN_vkAcquireNextImageKHR)next_device(*device, "vkAcquireNextImageKHR");
    }
    return result;
}

static PFN_vkVoidFunction own(const char *name);

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL of_device(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction function = own(name);
    return function != NULL ? function : next_device(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL of_instance(VkInstance instance, const char *name)
{
    const PFN_vkVoidFunction function = own(name);
    return function != NULL ? function : next_instance(instance, name);
}

static PFN_vkVoidFunction own(const char *name)
{
    if (strcmp(name, "vkQueueSubmit") == 0) {
        return (PFN_vkVoidFunction)submit;
    }
    if (strcmp(name, "vkWaitForFences") == 0) {
        return (PFN_vkVoidFunction)wait_for;
    }
    if (strcmp(name, "vkAcquireNextImageKHR") == 0 && does("surface")) {
        return (PFN_vkVoidFunction)acquire;
    }
    if (strcmp(name, "vkGetBufferMemoryRequirements") == 0) {
        return (PFN_vkVoidFunction)needs;
    }
    if (strcmp(name, "vkCreateShaderModule") == 0) {
        return (PFN_vkVoidFunction)create_module;
    }
    if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0) {
        return (PFN_vkVoidFunction)properties;
    }
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) {
        return (PFN_vkVoidFunction)properties2;
    }
    if (strcmp(name, "vkCreateInstance") == 0) {
        return (PFN_vkVoidFunction)create_instance;
    }
    if (strcmp(name, "vkCreateDevice") == 0) {
        return (PFN_vkVoidFunction)create_device;
    }
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return (PFN_vkVoidFunction)of_device;
    }
    if (strcmp(name, "vkGetInstanceProcAddr") == 0) {
        return (PFN_vkVoidFunction)of_instance;
    }
    return NULL;
}

SHOWN VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = of_instance;
    interface->pfnGetDeviceProcAddr = of_device;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
