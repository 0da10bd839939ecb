#include "gpu/surface.h"

#include <stdlib.h>

#include "gpu/vulkan.h"

enum { IMAGES_MAX = 16, LIST_MAX = 64, PIXELS_MAX = 1 << 15, OUTDATED_MAX = 50 };

#define BEGIN_WAIT (GPU_SECOND / 10)

/* Other instances know other functions, so these are this one's. */
struct calls {
    PFN_vkGetPhysicalDeviceSurfaceSupportKHR support;
    PFN_vkGetPhysicalDeviceSurfaceFormatsKHR formats;
    PFN_vkGetPhysicalDeviceSurfacePresentModesKHR modes;
    PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR capabilities;
    PFN_vkDestroySurfaceKHR destroy;
};

struct gpu_surface {
    struct gpu_device *device;
    struct calls call;
    struct gpu_window window;
    VkSurfaceKHR surface;
    VkPresentModeKHR mode;
    VkColorSpaceKHR space;
    VkSwapchainKHR chain; /* none: it is to be made */
    VkExtent2D extent;
    int size[2]; /* of the window when it was made */
    VkImage images[IMAGES_MAX];
    VkSemaphore copied[IMAGES_MAX]; /* what is to be shown is in the image */
    VkCommandPool commands;
    VkCommandBuffer command;
    VkFence done;  /* with the last copy */
    VkFence given; /* an image */
    uint32_t image;
    bool started;  /* a copy may go on */
    bool asked;    /* for an image, which may not be there yet */
    bool ready;    /* it is there */
    bool outdated; /* the chain is of no more use */
    bool doubtful; /* or fits no longer, maybe */
    bool hidden;   /* there was no image in time */
    bool lost;
    unsigned vain; /* chains in a row of which none gave an image */
};

/* ---- made once ---- */

static bool find_calls(struct gpu_surface *surface)
{
    const VkInstance instance = surface->device->instance;
    struct calls *call = &surface->call;
    call->support = (PFN_vkGetPhysicalDeviceSurfaceSupportKHR)vkGetInstanceProcAddr(
        instance, "vkGetPhysicalDeviceSurfaceSupportKHR");
    call->formats = (PFN_vkGetPhysicalDeviceSurfaceFormatsKHR)vkGetInstanceProcAddr(
        instance, "vkGetPhysicalDeviceSurfaceFormatsKHR");
    call->modes = (PFN_vkGetPhysicalDeviceSurfacePresentModesKHR)vkGetInstanceProcAddr(
        instance, "vkGetPhysicalDeviceSurfacePresentModesKHR");
    call->capabilities = (PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR)vkGetInstanceProcAddr(
        instance, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    call->destroy = (PFN_vkDestroySurfaceKHR)vkGetInstanceProcAddr(instance, "vkDestroySurfaceKHR");
    return call->support != NULL && call->formats != NULL && call->modes != NULL &&
           call->capabilities != NULL && call->destroy != NULL;
}

static bool has_format(struct gpu_surface *surface)
{
    const VkPhysicalDevice physical = surface->device->physical;
    VkSurfaceFormatKHR formats[LIST_MAX];
    uint32_t count = LIST_MAX;
    const VkResult result = surface->call.formats(physical, surface->surface, &count, formats);
    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++) {
        if (formats[i].format == VK_FORMAT_B8G8R8A8_UNORM) {
            surface->space = formats[i].colorSpace;
            return true;
        }
    }
    return false;
}

/* Where pictures do not wait for the display the newest one is best, then one that tears. */
static VkPresentModeKHR choose_mode(const struct gpu_surface *surface, bool vsync)
{
    const VkPhysicalDevice physical = surface->device->physical;
    VkPresentModeKHR modes[LIST_MAX];
    VkPresentModeKHR chosen = VK_PRESENT_MODE_FIFO_KHR; /* which there always is */
    uint32_t count = LIST_MAX;
    const VkResult result = surface->call.modes(physical, surface->surface, &count, modes);
    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++) {
        const bool newest = modes[i] == VK_PRESENT_MODE_MAILBOX_KHR;
        const bool tears = modes[i] == VK_PRESENT_MODE_IMMEDIATE_KHR;
        if (!vsync && (newest || (tears && chosen == VK_PRESENT_MODE_FIFO_KHR))) {
            chosen = modes[i];
        }
    }
    return chosen;
}

static bool take_surface(struct gpu_surface *surface, bool vsync)
{
    const struct gpu_device *device = surface->device;
    VkSurfaceCapabilitiesKHR can;
    VkBool32 shows = VK_FALSE;
    const uint64_t made = surface->window.make_surface(surface->window.user, device->instance);
    memcpy(&surface->surface, &made, sizeof surface->surface);
    if (made == 0 ||
        surface->call.support(device->physical, device->family, surface->surface, &shows) !=
            VK_SUCCESS ||
        shows != VK_TRUE || !has_format(surface) ||
        surface->call.capabilities(device->physical, surface->surface, &can) != VK_SUCCESS ||
        (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT) == 0) {
        return false;
    }
    surface->mode = choose_mode(surface, vsync);
    return true;
}

static bool make_commands(struct gpu_surface *surface)
{
    const struct gpu_device *device = surface->device;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = device->family,
    };
    if (device->call.vkCreateCommandPool(device->device, &pool, NULL, &surface->commands) !=
        VK_SUCCESS) {
        surface->commands = VK_NULL_HANDLE;
        return false;
    }
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = surface->commands,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return device->call.vkAllocateCommandBuffers(device->device, &info, &surface->command) ==
           VK_SUCCESS;
}

static bool make_signals(struct gpu_surface *surface)
{
    const struct gpu_device *device = surface->device;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    if (device->call.vkCreateFence(device->device, &fence, NULL, &surface->done) != VK_SUCCESS) {
        surface->done = VK_NULL_HANDLE;
        return false;
    }
    if (device->call.vkCreateFence(device->device, &fence, NULL, &surface->given) != VK_SUCCESS) {
        surface->given = VK_NULL_HANDLE;
        return false;
    }
    for (int i = 0; i < IMAGES_MAX; i++) {
        if (device->call.vkCreateSemaphore(device->device, &semaphore, NULL, &surface->copied[i]) !=
            VK_SUCCESS) {
            surface->copied[i] = VK_NULL_HANDLE;
            return false;
        }
    }
    return true;
}

struct gpu_surface *gpu_surface_create(struct gpu_device *device, const struct gpu_window *window,
                                       bool vsync)
{
    struct gpu_surface *surface = calloc(1, sizeof *surface);
    if (surface == NULL) {
        return NULL;
    }
    surface->device = device;
    surface->window = *window;
    int width = 0;
    int height = 0;
    if (!device->shows || gpu_lost(device) || !find_calls(surface) ||
        !take_surface(surface, vsync) || !make_commands(surface) || !make_signals(surface) ||
        gpu_surface_begin(surface, &width, &height) == GPU_SURFACE_LOST) {
        gpu_surface_free(surface);
        return NULL;
    }
    return surface;
}

/* Waits until a fence is signalled, whose device may hang. */
static bool await(struct gpu_device *device, VkFence fence)
{
    const VkResult waited =
        device->call.vkWaitForFences(device->device, 1, &fence, VK_TRUE, GPU_WAIT_OF(device));
    if (waited != VK_SUCCESS) {
        atomic_store(&device->lost, true);
    }
    if (waited != VK_SUCCESS && waited != VK_ERROR_DEVICE_LOST) {
        atomic_store(&device->hangs, true);
    }
    return waited == VK_SUCCESS;
}

/* Waits for the last copy. */
static bool await_copy(struct gpu_surface *surface)
{
    if (surface->started) {
        surface->started = false;
        (void)await(surface->device, surface->done);
    }
    return !gpu_lost(surface->device);
}

/* Waits until all that was handed to the device has ended, what it shows as well. */
static void drain(struct gpu_surface *surface)
{
    struct gpu_device *device = surface->device;
    if (!await_copy(surface) ||
        device->call.vkResetFences(device->device, 1, &surface->done) != VK_SUCCESS) {
        return;
    }
    pthread_mutex_lock(&device->one);
    const VkResult result = device->call.vkQueueSubmit(device->queue, 0, NULL, surface->done);
    pthread_mutex_unlock(&device->one);
    surface->started = result == VK_SUCCESS;
    (void)await_copy(surface);
}

void gpu_surface_free(struct gpu_surface *surface)
{
    if (surface == NULL) {
        return;
    }
    struct gpu_device *device = surface->device;
    if (surface->done != VK_NULL_HANDLE && !gpu_hangs(device)) {
        drain(surface);
    }
    if (gpu_hangs(device)) {
        return;
    }
    if (device->shows) {
        device->call.vkDestroySwapchainKHR(device->device, surface->chain, NULL);
    }
    for (int i = 0; i < IMAGES_MAX; i++) {
        device->call.vkDestroySemaphore(device->device, surface->copied[i], NULL);
    }
    device->call.vkDestroyFence(device->device, surface->done, NULL);
    device->call.vkDestroyFence(device->device, surface->given, NULL);
    device->call.vkDestroyCommandPool(device->device, surface->commands, NULL);
    if (surface->surface != VK_NULL_HANDLE) {
        surface->call.destroy(device->instance, surface->surface, NULL);
    }
    free(surface);
}

/* ---- the chain of images ---- */

static uint32_t limited(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static enum gpu_surface_answer look(const struct gpu_surface *surface, const int size[2],
                                    VkSurfaceCapabilitiesKHR *can, VkExtent2D *extent)
{
    const VkResult result =
        surface->call.capabilities(surface->device->physical, surface->surface, can);
    if (result != VK_SUCCESS) {
        return GPU_SURFACE_LOST;
    }
    *extent = can->currentExtent;
    if (extent->width == UINT32_MAX) {
        extent->width =
            limited((uint32_t)size[0], can->minImageExtent.width, can->maxImageExtent.width);
        extent->height =
            limited((uint32_t)size[1], can->minImageExtent.height, can->maxImageExtent.height);
    }
    if (extent->width == 0 || extent->height == 0) {
        return GPU_SURFACE_BUSY;
    }
    return extent->width < PIXELS_MAX && extent->height < PIXELS_MAX ? GPU_SURFACE_READY
                                                                     : GPU_SURFACE_LOST;
}

/* Waiting ones are old when they are shown, so there are as few as can be; the newest one takes the
 * place of one that waits. */
static uint32_t count_images(const struct gpu_surface *surface, const VkSurfaceCapabilitiesKHR *can)
{
    const uint32_t more = surface->mode == VK_PRESENT_MODE_MAILBOX_KHR ? 1 : 0;
    const uint32_t count = limited(can->minImageCount + more, 2, IMAGES_MAX);
    return can->maxImageCount > 0 && count > can->maxImageCount ? can->maxImageCount : count;
}

static VkCompositeAlphaFlagBitsKHR choose_alpha(const VkSurfaceCapabilitiesKHR *can)
{
    static const VkCompositeAlphaFlagBitsKHR ways[] = {
        VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR};
    size_t at = 0;
    while (at + 1 < sizeof ways / sizeof *ways && (can->supportedCompositeAlpha & ways[at]) == 0) {
        at++;
    }
    return ways[at];
}

static bool make_chain(struct gpu_surface *surface, const VkSurfaceCapabilitiesKHR *can)
{
    const struct gpu_device *device = surface->device;
    const bool upright = (can->supportedTransforms & VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR) != 0;
    const VkSwapchainKHR former = surface->chain;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = surface->surface,
        .minImageCount = count_images(surface, can),
        .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
        .imageColorSpace = surface->space,
        .imageExtent = surface->extent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = upright ? VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR : can->currentTransform,
        .compositeAlpha = choose_alpha(can),
        .presentMode = surface->mode,
        .clipped = VK_TRUE,
        .oldSwapchain = former,
    };
    uint32_t count = IMAGES_MAX;
    const VkResult result =
        device->call.vkCreateSwapchainKHR(device->device, &info, NULL, &surface->chain);
    device->call.vkDestroySwapchainKHR(device->device, former, NULL);
    if (result != VK_SUCCESS) {
        surface->chain = VK_NULL_HANDLE;
        return false;
    }
    return device->call.vkGetSwapchainImagesKHR(device->device, surface->chain, &count,
                                                surface->images) == VK_SUCCESS;
}

/* Makes another chain where the last one does not fit. */
static enum gpu_surface_answer fit_chain(struct gpu_surface *surface)
{
    int size[2] = {0, 0};
    VkSurfaceCapabilitiesKHR can;
    VkExtent2D extent;
    surface->window.size(surface->window.user, &size[0], &size[1]);
    if (size[0] < 1 || size[1] < 1) {
        return GPU_SURFACE_BUSY;
    }
    const bool fits = surface->chain != VK_NULL_HANDLE && !surface->outdated &&
                      size[0] == surface->size[0] && size[1] == surface->size[1];
    if (fits && !surface->doubtful) {
        return GPU_SURFACE_READY;
    }
    const enum gpu_surface_answer answer = look(surface, size, &can, &extent);
    if (answer != GPU_SURFACE_READY) {
        return answer;
    }
    surface->doubtful = false;
    if (fits && extent.width == surface->extent.width && extent.height == surface->extent.height) {
        return GPU_SURFACE_READY;
    }
    /* What the former chain shows waits for semaphores that the next one uses again. */
    drain(surface);
    if (gpu_lost(surface->device)) {
        return GPU_SURFACE_LOST;
    }
    surface->extent = extent;
    surface->size[0] = size[0];
    surface->size[1] = size[1];
    surface->asked = surface->ready = surface->outdated = false;
    return make_chain(surface, &can) ? GPU_SURFACE_READY : GPU_SURFACE_LOST;
}

/* ---- pictures ---- */

static enum gpu_surface_answer ask(struct gpu_surface *surface, uint64_t nanoseconds)
{
    const struct gpu_device *device = surface->device;
    const VkResult result =
        device->call.vkAcquireNextImageKHR(device->device, surface->chain, nanoseconds,
                                           VK_NULL_HANDLE, surface->given, &surface->image);
    switch (result) {
    case VK_SUCCESS:
    case VK_SUBOPTIMAL_KHR:
        surface->asked = true;
        surface->doubtful = result == VK_SUBOPTIMAL_KHR;
        surface->vain = 0;
        return GPU_SURFACE_READY;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        return GPU_SURFACE_BUSY;
    case VK_ERROR_OUT_OF_DATE_KHR:
        surface->outdated = true;
        surface->vain++;
        return surface->vain < OUTDATED_MAX ? GPU_SURFACE_BUSY : GPU_SURFACE_LOST;
    default:
        return GPU_SURFACE_LOST;
    }
}

/* Only the processor waits for images: what is computed never stands behind a window. */
static enum gpu_surface_answer wait_for_image(struct gpu_surface *surface)
{
    const struct gpu_device *device = surface->device;
    const uint64_t nanoseconds = surface->hidden ? 0 : BEGIN_WAIT;
    enum gpu_surface_answer answer = GPU_SURFACE_READY;
    if (!surface->asked) {
        answer = ask(surface, nanoseconds);
    }
    if (answer == GPU_SURFACE_READY && !surface->ready) {
        const VkResult result =
            device->call.vkWaitForFences(device->device, 1, &surface->given, VK_TRUE, nanoseconds);
        answer = result == VK_SUCCESS   ? GPU_SURFACE_READY
                 : result == VK_TIMEOUT ? GPU_SURFACE_BUSY
                                        : GPU_SURFACE_LOST;
    }
    if (answer == GPU_SURFACE_READY && !surface->ready) {
        surface->ready =
            device->call.vkResetFences(device->device, 1, &surface->given) == VK_SUCCESS;
        answer = surface->ready ? GPU_SURFACE_READY : GPU_SURFACE_LOST;
    }
    surface->hidden = answer == GPU_SURFACE_BUSY && !surface->outdated;
    return answer;
}

enum gpu_surface_answer gpu_surface_begin(struct gpu_surface *surface, int *width, int *height)
{
    enum { TRIES = 2 }; /* a window may have got another size meanwhile */
    enum gpu_surface_answer answer = GPU_SURFACE_BUSY;
    *width = *height = 0;
    if (surface->lost || gpu_lost(surface->device)) {
        return GPU_SURFACE_LOST;
    }
    /* One that was asked for comes before there is another chain. */
    if (surface->asked && !surface->ready) {
        answer = wait_for_image(surface);
        if (answer != GPU_SURFACE_READY) {
            return answer;
        }
    }
    for (int i = 0; i < TRIES; i++) {
        answer = fit_chain(surface);
        if (answer == GPU_SURFACE_READY) {
            answer = wait_for_image(surface);
        }
        if (answer != GPU_SURFACE_BUSY || !surface->outdated) {
            break;
        }
    }
    surface->lost = answer == GPU_SURFACE_LOST;
    *width = (int)surface->extent.width;
    *height = (int)surface->extent.height;
    return answer;
}

static void move_image(const struct gpu_surface *surface, VkImageLayout from, VkImageLayout to)
{
    const bool shown = to == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    const VkMemoryBarrier made = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = shown ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
        .dstAccessMask = shown ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = surface->images[surface->image],
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkPipelineStageFlags before =
        VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags after =
        shown ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT;
    surface->device->call.vkCmdPipelineBarrier(surface->command, before, after, 0, shown ? 0 : 1,
                                               &made, 0, NULL, 1, &barrier);
}

static bool record(const struct gpu_surface *surface, const struct gpu_memory *picture)
{
    const struct gpu_device *device = surface->device;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    const VkBufferImageCopy all = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {surface->extent.width, surface->extent.height, 1},
    };
    if (device->call.vkResetCommandPool(device->device, surface->commands, 0) != VK_SUCCESS ||
        device->call.vkBeginCommandBuffer(surface->command, &begin) != VK_SUCCESS) {
        return false;
    }
    move_image(surface, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    device->call.vkCmdCopyBufferToImage(surface->command, picture->there.buffer,
                                        surface->images[surface->image],
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
    move_image(surface, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    return device->call.vkEndCommandBuffer(surface->command) == VK_SUCCESS;
}

static bool submit(struct gpu_surface *surface)
{
    struct gpu_device *device = surface->device;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &surface->command,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &surface->copied[surface->image],
    };
    if (device->call.vkResetFences(device->device, 1, &surface->done) != VK_SUCCESS) {
        return false;
    }
    pthread_mutex_lock(&device->one);
    const VkResult result = device->call.vkQueueSubmit(device->queue, 1, &info, surface->done);
    pthread_mutex_unlock(&device->one);
    surface->started = result == VK_SUCCESS;
    return surface->started;
}

static VkResult present(struct gpu_surface *surface)
{
    struct gpu_device *device = surface->device;
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &surface->copied[surface->image],
        .swapchainCount = 1,
        .pSwapchains = &surface->chain,
        .pImageIndices = &surface->image,
    };
    pthread_mutex_lock(&device->one);
    const VkResult result = device->call.vkQueuePresentKHR(device->queue, &info);
    pthread_mutex_unlock(&device->one);
    return result;
}

enum gpu_surface_answer gpu_surface_show(struct gpu_surface *surface,
                                         const struct gpu_memory *picture)
{
    struct gpu_device *device = surface->device;
    if (!await_copy(surface) || !record(surface, picture) || !submit(surface)) {
        atomic_store(&device->lost, true);
        return GPU_SURFACE_LOST;
    }
    /* Drivers that the processor plays wait for the copy when it is presented, without end. */
    if (device->software && !await_copy(surface)) {
        return GPU_SURFACE_LOST;
    }
    const VkResult result = present(surface);
    surface->asked = surface->ready = false;
    switch (result) {
    case VK_SUCCESS:
        return GPU_SURFACE_READY;
    case VK_SUBOPTIMAL_KHR:
        surface->doubtful = true;
        return GPU_SURFACE_READY;
    case VK_ERROR_OUT_OF_DATE_KHR:
        surface->outdated = true;
        return GPU_SURFACE_BUSY;
    case VK_ERROR_DEVICE_LOST:
        atomic_store(&device->lost, true);
        break;
    default:
        break;
    }
    surface->lost = true;
    return GPU_SURFACE_LOST;
}
