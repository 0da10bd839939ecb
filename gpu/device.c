#include "gpu/device.h"

#define VOLK_IMPLEMENTATION
#include "gpu/vulkan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NICE = 10 };

/* volk keeps the functions of the last instance in variables of the process, which whoever opens
 * another one, or a device, uses under this lock. */
static pthread_mutex_t volk_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- devices ---- */

/* What windows need. Drivers look for displays then, so it is not for who shows nothing. */
static const char *const windows[] = {"VK_KHR_surface", "VK_KHR_xlib_surface", "VK_KHR_xcb_surface",
                                      "VK_KHR_wayland_surface"};
enum { WINDOWS = sizeof windows / sizeof *windows };

static bool has(const VkExtensionProperties *extensions, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(extensions[i].extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Those of them that there are. */
static uint32_t find_windows(const char *found[WINDOWS])
{
    uint32_t there = 0;
    uint32_t count = 0;
    if (vkEnumerateInstanceExtensionProperties(NULL, &there, NULL) != VK_SUCCESS || there == 0) {
        return 0;
    }
    VkExtensionProperties *extensions = calloc(there, sizeof *extensions);
    if (extensions != NULL &&
        vkEnumerateInstanceExtensionProperties(NULL, &there, extensions) == VK_SUCCESS) {
        for (size_t i = 0; i < WINDOWS; i++) {
            /* Its library says on standard error that this is missing. */
            const bool works =
                getenv("XDG_RUNTIME_DIR") != NULL || strstr(windows[i], "wayland") == NULL;
            if (works && has(extensions, there, windows[i])) {
                found[count++] = windows[i];
            }
        }
    }
    free(extensions);
    return count;
}

const char *gpu_lacks(void)
{
    pthread_mutex_lock(&volk_lock);
    const bool loads = volkInitialize() == VK_SUCCESS;
    pthread_mutex_unlock(&volk_lock);
    return loads
               ? NULL
               : "Vulkan's library is missing (Debian: apt install libvulkan1 mesa-vulkan-drivers)";
}

/* *shows: whether it is to show pictures in windows, and whether it can. */
static VkInstance open_instance(bool *shows)
{
    if (volkInitialize() != VK_SUCCESS || volkGetInstanceVersion() < VK_API_VERSION_1_2) {
        return VK_NULL_HANDLE;
    }
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "froth",
        .apiVersion = VK_API_VERSION_1_2,
    };
    const char *extensions[WINDOWS];
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledExtensionCount = *shows ? find_windows(extensions) : 0,
        .ppEnabledExtensionNames = extensions,
    };
    VkInstance instance = VK_NULL_HANDLE;
    VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result != VK_SUCCESS && info.enabledExtensionCount > 0) {
        info.enabledExtensionCount = 0;
        result = vkCreateInstance(&info, NULL, &instance);
    }
    /* The surface's own, and that of one system. */
    *shows = info.enabledExtensionCount > 1;
    if (result != VK_SUCCESS) {
        return VK_NULL_HANDLE;
    }
    volkLoadInstanceOnly(instance);
    return instance;
}

struct found {
    VkPhysicalDevice physical;
    uint32_t family;
    VkPhysicalDeviceType kind;
    struct gpu_about about;
    struct spirv_controls controls;
    VkPhysicalDeviceLimits limits;
};

static bool find_family(VkPhysicalDevice physical, uint32_t *family)
{
    enum { FAMILIES_MAX = 16 };
    VkQueueFamilyProperties families[FAMILIES_MAX];
    uint32_t count = FAMILIES_MAX;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) {
            *family = i;
            return true;
        }
    }
    return false;
}

/* As those of 32 bits have to be; where both can only be asked for the same, it keeps the denormal
 * ones of both or of none. */
static bool computes_doubles(VkPhysicalDevice physical,
                             const VkPhysicalDeviceFloatControlsProperties *floats)
{
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(physical, &features);
    return features.shaderFloat64 == VK_TRUE && floats->shaderRoundingModeRTEFloat64 == VK_TRUE &&
           floats->shaderSignedZeroInfNanPreserveFloat64 == VK_TRUE &&
           (floats->denormBehaviorIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE ||
            floats->shaderDenormPreserveFloat32 == floats->shaderDenormPreserveFloat64);
}

static bool inspect(VkPhysicalDevice physical, struct found *found)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceFloatControlsProperties floats = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, .pNext = &driver};
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                                       .pNext = &floats};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &id};
    VkPhysicalDeviceProperties least;
    vkGetPhysicalDeviceProperties(physical, &least);
    *found = (struct found){.physical = physical, .kind = least.deviceType};
    if (least.apiVersion < VK_API_VERSION_1_2 || !find_family(physical, &found->family)) {
        return false;
    }
    vkGetPhysicalDeviceProperties2(physical, &all);
    found->controls = (struct spirv_controls){
        .round_to_even = floats.shaderRoundingModeRTEFloat32,
        .keep_denormals = floats.shaderDenormPreserveFloat32,
        .keep_specials = floats.shaderSignedZeroInfNanPreserveFloat32,
        .doubles = computes_doubles(physical, &floats),
        .keep_denormal_doubles = floats.shaderDenormPreserveFloat64,
    };
    found->limits = all.properties.limits;
    struct gpu_about *about = &found->about;
    about->software = least.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    snprintf(about->name, sizeof about->name, "%s", all.properties.deviceName);
    snprintf(about->driver, sizeof about->driver, "%.120s %.120s", driver.driverName,
             driver.driverInfo);
    size_t used = 0;
    for (size_t i = 0; i < VK_UUID_SIZE; i++) {
        used +=
            (size_t)snprintf(about->key + used, sizeof about->key - used, "%02x", id.deviceUUID[i]);
    }
    /* Devices of one driver may have no number of their own. */
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < VK_UUID_SIZE; i++) {
        hash = (hash ^ id.driverUUID[i]) * UINT64_C(1099511628211);
    }
    snprintf(about->key + used, sizeof about->key - used, "-%016llx-%x-%x",
             (unsigned long long)hash, all.properties.deviceID, all.properties.driverVersion);
    /* Without these numbers are not what they are in C. */
    return found->controls.keep_specials && found->controls.round_to_even &&
           found->limits.maxPerStageDescriptorStorageBuffers >= SPIRV_BUFFERS;
}

static int rank(const struct found *found)
{
    switch (found->kind) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    default:
        return 3;
    }
}

static size_t find_all(VkInstance instance, struct found found[GPU_DEVICES_MAX])
{
    VkPhysicalDevice physical[GPU_DEVICES_MAX];
    uint32_t there = GPU_DEVICES_MAX;
    const VkResult result = vkEnumeratePhysicalDevices(instance, &there, physical);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
        return 0;
    }
    size_t count = 0;
    for (uint32_t i = 0; i < there; i++) {
        struct found one;
        if (!inspect(physical[i], &one)) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && rank(&found[at - 1]) > rank(&one); at--) {
            found[at] = found[at - 1];
        }
        found[at] = one;
    }
    return count;
}

static size_t list_all(struct gpu_about about[GPU_DEVICES_MAX])
{
    struct found found[GPU_DEVICES_MAX];
    bool shows = false;
    const VkInstance instance = open_instance(&shows);
    if (instance == VK_NULL_HANDLE) {
        return 0;
    }
    const size_t count = find_all(instance, found);
    for (size_t i = 0; i < count; i++) {
        about[i] = found[i].about;
    }
    vkDestroyInstance(instance, NULL);
    return count;
}

size_t gpu_list(struct gpu_about about[GPU_DEVICES_MAX])
{
    pthread_mutex_lock(&volk_lock);
    const size_t count = list_all(about);
    pthread_mutex_unlock(&volk_lock);
    return count;
}

static bool has_swapchain(VkPhysicalDevice physical)
{
    uint32_t there = 0;
    bool found = false;
    if (vkEnumerateDeviceExtensionProperties(physical, NULL, &there, NULL) != VK_SUCCESS ||
        there == 0) {
        return false;
    }
    VkExtensionProperties *extensions = calloc(there, sizeof *extensions);
    if (extensions != NULL &&
        vkEnumerateDeviceExtensionProperties(physical, NULL, &there, extensions) == VK_SUCCESS) {
        found = has(extensions, there, "VK_KHR_swapchain");
    }
    free(extensions);
    return found;
}

/* One that shows pictures in windows, if it can, else one that only computes. */
static bool create_device(struct gpu_device *device, VkDeviceCreateInfo info)
{
    const char *const swapchain = "VK_KHR_swapchain";
    if (device->shows && has_swapchain(device->physical)) {
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &swapchain;
        device->shows =
            vkCreateDevice(device->physical, &info, NULL, &device->device) == VK_SUCCESS;
        info.enabledExtensionCount = 0;
    } else {
        device->shows = false;
    }
    return device->shows ||
           vkCreateDevice(device->physical, &info, NULL, &device->device) == VK_SUCCESS;
}

static bool open_device(struct gpu_device *device)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = device->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkPhysicalDeviceFeatures features = {
        .shaderFloat64 = device->controls.doubles ? VK_TRUE : VK_FALSE,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .pEnabledFeatures = &features,
    };
    if (!create_device(device, info)) {
        device->device = VK_NULL_HANDLE;
        return false;
    }
    volkLoadDeviceTable(&device->call, device->device);
    device->call.vkGetDeviceQueue(device->device, device->family, 0, &device->queue);
    vkGetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    VkDescriptorSetLayoutBinding bindings[SPIRV_BUFFERS];
    for (uint32_t i = 0; i < SPIRV_BUFFERS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = SPIRV_BUFFERS,
        .pBindings = bindings,
    };
    if (device->call.vkCreateDescriptorSetLayout(device->device, &set, NULL, &device->set_layout) !=
        VK_SUCCESS) {
        device->set_layout = VK_NULL_HANDLE;
        return false;
    }
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &device->set_layout,
    };
    if (device->call.vkCreatePipelineLayout(device->device, &layout, NULL, &device->layout) !=
        VK_SUCCESS) {
        device->layout = VK_NULL_HANDLE;
        return false;
    }
    return true;
}

static struct gpu_device *create(void)
{
    struct gpu_device *device = calloc(1, sizeof *device);
    if (device != NULL) {
        pthread_mutex_init(&device->one, NULL);
        pthread_mutex_init(&device->aside.one, NULL);
    }
    return device;
}

/* Its threads are those of the driver, which inherit how much they give way. */
static void *open_quietly(void *user)
{
    struct gpu_device *aside = user;
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread */
    pthread_mutex_lock(&volk_lock);
    const bool open = open_device(aside);
    pthread_mutex_unlock(&volk_lock);
    if (open) {
        aside->nothing = gpu_memory_create(aside, sizeof(uint32_t));
    }
    return NULL;
}

static struct gpu_device *open_aside(const struct gpu_device *device)
{
    struct gpu_device *aside = create();
    pthread_t thread;
    if (aside == NULL) {
        return NULL;
    }
    aside->physical = device->physical;
    aside->family = device->family;
    aside->controls = device->controls;
    aside->limits = device->limits;
    if (pthread_create(&thread, NULL, open_quietly, aside) == 0) {
        pthread_join(thread, NULL);
    }
    if (aside->nothing == NULL) {
        gpu_close(aside);
        return NULL;
    }
    return aside;
}

struct gpu_device *gpu_device_aside(struct gpu_device *device)
{
    pthread_mutex_lock(&device->aside.one);
    if (!device->aside.tried && device->software) {
        device->aside.device = open_aside(device);
    }
    device->aside.tried = true;
    struct gpu_device *aside = device->aside.device;
    pthread_mutex_unlock(&device->aside.one);
    return aside;
}

/* Opens the device of that key. */
static bool find_and_open(struct gpu_device *device, const char *key, bool shows)
{
    device->shows = shows;
    device->instance = open_instance(&device->shows);
    struct found found[GPU_DEVICES_MAX];
    const size_t count = device->instance != VK_NULL_HANDLE ? find_all(device->instance, found) : 0;
    bool open = false;
    for (size_t i = 0; i < count && !open; i++) {
        if (strcmp(found[i].about.key, key) == 0) {
            device->physical = found[i].physical;
            device->family = found[i].family;
            device->controls = found[i].controls;
            device->limits = found[i].limits;
            device->apart = found[i].kind == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU ||
                            found[i].kind == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
            device->software = found[i].about.software;
            open = open_device(device);
            break;
        }
    }
    return open;
}

static struct gpu_device *open_one(const char *key, bool shows)
{
    struct gpu_device *device = create();
    if (device == NULL) {
        return NULL;
    }
    pthread_mutex_lock(&volk_lock);
    const bool open = find_and_open(device, key, shows);
    pthread_mutex_unlock(&volk_lock);
    if (!open) {
        gpu_close(device);
        return NULL;
    }
    return device;
}

struct gpu_device *gpu_open(const char *key)
{
    return open_one(key, false);
}

struct gpu_device *gpu_open_to_show(const char *key)
{
    return open_one(key, true);
}

void gpu_close(struct gpu_device *device)
{
    /* What hangs aside is of the same instance. */
    if (device == NULL || gpu_hangs(device) ||
        (device->aside.device != NULL && gpu_hangs(device->aside.device))) {
        return;
    }
    gpu_close(device->aside.device);
    gpu_memory_free(device->nothing);
    if (device->device != VK_NULL_HANDLE) {
        device->call.vkDestroyPipelineCache(device->device, device->pipelines, NULL);
        device->call.vkDestroyPipelineLayout(device->device, device->layout, NULL);
        device->call.vkDestroyDescriptorSetLayout(device->device, device->set_layout, NULL);
        device->call.vkDestroyDevice(device->device, NULL);
    }
    if (device->instance != VK_NULL_HANDLE) {
        pthread_mutex_lock(&volk_lock);
        vkDestroyInstance(device->instance, NULL);
        pthread_mutex_unlock(&volk_lock);
    }
    pthread_mutex_destroy(&device->aside.one);
    pthread_mutex_destroy(&device->one);
    free(device);
}

uint8_t *gpu_device_pipelines(struct gpu_device *device, size_t *size)
{
    uint8_t *bytes = NULL;
    *size = 0;
    if (!gpu_lost(device) && device->pipelines != VK_NULL_HANDLE &&
        device->call.vkGetPipelineCacheData(device->device, device->pipelines, size, NULL) ==
            VK_SUCCESS &&
        *size > 0) {
        bytes = malloc(*size);
    }
    if (bytes != NULL && device->call.vkGetPipelineCacheData(device->device, device->pipelines,
                                                             size, bytes) != VK_SUCCESS) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

void gpu_device_set_pipelines(struct gpu_device *device, const uint8_t *bytes, size_t size)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size,
        .pInitialData = bytes,
    };
    if (device->call.vkCreatePipelineCache(device->device, &info, NULL, &device->pipelines) !=
        VK_SUCCESS) {
        device->pipelines = VK_NULL_HANDLE;
    }
}

struct spirv_controls gpu_controls(const struct gpu_device *device)
{
    return device->controls;
}

bool gpu_shares_memory(const struct gpu_device *device)
{
    return !device->apart;
}

bool gpu_lost(const struct gpu_device *device)
{
    return atomic_load(&device->lost);
}

uint64_t gpu_most_memory(const struct gpu_device *device)
{
    return atomic_load(&device->most_taken);
}

bool gpu_hangs(const struct gpu_device *device)
{
    return atomic_load(&device->hangs);
}

void gpu_settle(struct gpu_device *device)
{
    if (!gpu_hangs(device)) {
        pthread_mutex_lock(&device->one);
        (void)device->call.vkQueueWaitIdle(device->queue);
        pthread_mutex_unlock(&device->one);
    }
}
