#include "gpu/screen.h"

#include <stdlib.h>

#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/screen.h"
#include "tmu/kernels.h"

/* Memory for a picture that comes from the processor. */
struct layer {
    struct gpu_memory *memory;
    size_t size; /* bytes */
    int width;
    int height;
};

/* What the places in a picture follow from. */
struct fit {
    int window[2];
    int picture[2];
    struct gpu_place place;
};

struct gpu_screen {
    struct gpu_device *device;
    bool fetched;
    int width;
    int height;
    struct gpu_kernel *kernel;
    struct gpu_memory *numbers;
    struct gpu_memory *places;
    struct gpu_memory *made;
    size_t made_size;
    struct layer picture;
    struct layer over;
    int laid[2];      /* rows that were laid since the last picture: from, to before */
    struct fit fits;  /* what the places of the picture are made for */
    struct fit overs; /* and those of what lies over it */
    struct gpu_kernel *small_kernel;
    struct gpu_memory *small_numbers;
    struct gpu_memory *small_made;
    uint32_t *small; /* the last one that has come */
    int small_width; /* of the one that was begun last */
    int small_height;
    int come_width; /* of the one that has come; 0: none has */
    int come_height;
    bool small_waits; /* it was begun and has not been looked at */
};

static struct gpu_part numbers_of(const struct gpu_screen *screen)
{
    return gpu_whole(screen->numbers, SPIRV_SCREEN_NUMBERS * sizeof(uint32_t));
}

static struct gpu_part small_numbers_of(const struct gpu_screen *screen)
{
    return gpu_whole(screen->small_numbers, SPIRV_SMALL_NUMBERS * sizeof(uint32_t));
}

/* ---- made once ---- */

static struct gpu_kernel *make_kernel(struct gpu_device *device,
                                      uint32_t *(*words_of)(struct spirv_controls, size_t *),
                                      struct gpu_memory *numbers)
{
    struct gpu_memory *const memory[SPIRV_BUFFERS] = {[SPIRV_BUFFER_NUMBERS] = numbers};
    size_t count = 0;
    uint32_t *words = words_of(gpu_controls(device), &count);
    return gpu_kernel_take(device, words, count, memory);
}

/* A driver may make its code only when it runs first: not in a frame. Each makes one pixel, of what
 * it is bound to at first, in the other one's numbers, which are set anew for each picture. */
static bool run_once(struct gpu_screen *screen)
{
    const struct gpu_order all = {
        .columns = 1, .rows = 1, .sent = {numbers_of(screen)}, .sent_count = 1};
    const struct gpu_order small = {
        .columns = 1, .rows = 1, .sent = {small_numbers_of(screen)}, .sent_count = 1};
    uint32_t *words = gpu_memory_words(screen->numbers);
    uint32_t *small_words = gpu_memory_words(screen->small_numbers);
    words[SPIRV_SCREEN_COLUMNS] = words[SPIRV_SCREEN_ROWS] = 1;
    words[SPIRV_SCREEN_WIDTH] = words[SPIRV_SCREEN_HEIGHT] = words[SPIRV_SCREEN_PITCH] = 1;
    gpu_kernel_bind(screen->kernel, SPIRV_BUFFER_RESULTS, screen->small_numbers);
    gpu_kernel_bind(screen->small_kernel, SPIRV_BUFFER_RESULTS, screen->numbers);
    if (!gpu_kernel_run(screen->kernel, &all)) {
        return false;
    }
    small_words[SPIRV_SMALL_COLUMNS] = small_words[SPIRV_SMALL_ROWS] = 1;
    small_words[SPIRV_SMALL_STEP] = small_words[SPIRV_SMALL_PITCH] = 1;
    return gpu_kernel_run(screen->small_kernel, &small);
}

struct gpu_screen *gpu_screen_create(struct gpu_device *device, bool fetched)
{
    struct gpu_screen *screen = calloc(1, sizeof *screen);
    if (screen == NULL) {
        return NULL;
    }
    screen->device = device;
    screen->fetched = fetched;
    screen->numbers = gpu_memory_create(device, SPIRV_SCREEN_NUMBERS * sizeof(uint32_t));
    screen->small_numbers = gpu_memory_create(device, SPIRV_SMALL_NUMBERS * sizeof(uint32_t));
    if (screen->numbers != NULL && screen->small_numbers != NULL) {
        screen->kernel = make_kernel(device, spirv_screen_words, screen->numbers);
        screen->small_kernel = make_kernel(device, spirv_small_words, screen->small_numbers);
    }
    if (screen->kernel == NULL || screen->small_kernel == NULL || !run_once(screen)) {
        gpu_screen_free(screen);
        return NULL;
    }
    return screen;
}

void gpu_screen_free(struct gpu_screen *screen)
{
    if (screen == NULL) {
        return;
    }
    gpu_kernel_free(screen->kernel);
    gpu_kernel_free(screen->small_kernel);
    gpu_memory_free(screen->numbers);
    gpu_memory_free(screen->places);
    gpu_memory_free(screen->made);
    gpu_memory_free(screen->picture.memory);
    gpu_memory_free(screen->over.memory);
    gpu_memory_free(screen->small_numbers);
    gpu_memory_free(screen->small_made);
    free(screen->small);
    free(screen);
}

/* ---- sizes ---- */

static bool renew(struct gpu_screen *screen, struct gpu_memory **memory, size_t size,
                  unsigned buffer)
{
    gpu_memory_free(*memory);
    *memory = gpu_memory_create(screen->device, size);
    if (*memory != NULL) {
        gpu_kernel_bind(screen->kernel, buffer, *memory);
    }
    return *memory != NULL;
}

bool gpu_screen_resize(struct gpu_screen *screen, int width, int height)
{
    const size_t axes = (size_t)width + (size_t)height;
    if (!gpu_screen_wait(screen)) {
        return false;
    }
    screen->made_size = (size_t)width * (size_t)height * sizeof(uint32_t);
    screen->fits = screen->overs = (struct fit){.window = {0}};
    const bool good =
        renew(screen, &screen->made, screen->made_size, SPIRV_BUFFER_RESULTS) &&
        renew(screen, &screen->places, 2 * axes * sizeof(uint32_t), SPIRV_BUFFER_PLACES);
    if (good && !screen->fetched) {
        gpu_memory_seal(screen->made);
    }
    screen->width = good ? width : 0;
    screen->height = good ? height : 0;
    return good;
}

/* Fits a layer to pictures of this size; true where it is a new one. */
static bool fit_layer(struct gpu_screen *screen, struct layer *layer, unsigned buffer,
                      const struct gpu_screen_picture *picture)
{
    if (layer->memory != NULL && layer->width == picture->width &&
        layer->height == picture->height) {
        return false;
    }
    layer->width = picture->width;
    layer->height = picture->height;
    layer->size = (size_t)picture->width * (size_t)picture->height * sizeof(uint32_t);
    (void)renew(screen, &layer->memory, layer->size, buffer);
    return true;
}

/* ---- what lies over the picture ---- */

static void copy_part(const struct layer *layer, const struct gpu_screen_picture *picture,
                      const struct gpu_place *part)
{
    uint32_t *to = gpu_memory_words(layer->memory);
    for (int y = part->y; y < part->y + part->height; y++) {
        memcpy(to + (size_t)y * (size_t)layer->width + part->x,
               picture->pixels + (size_t)y * picture->pitch + part->x,
               (size_t)part->width * sizeof *to);
    }
}

bool gpu_screen_lay(struct gpu_screen *screen, const struct gpu_screen_picture *whole,
                    const struct gpu_place *part)
{
    if (!gpu_screen_wait(screen)) {
        return false;
    }
    if (fit_layer(screen, &screen->over, SPIRV_BUFFER_TEXELS, whole)) {
        screen->laid[0] = screen->laid[1] = 0;
    }
    if (screen->over.memory == NULL) {
        return false;
    }
    copy_part(&screen->over, whole, part);
    const int end = part->y + part->height;
    const bool first = screen->laid[0] == screen->laid[1];
    screen->laid[0] = first || part->y < screen->laid[0] ? part->y : screen->laid[0];
    screen->laid[1] = first || end > screen->laid[1] ? end : screen->laid[1];
    return true;
}

/* ---- places ---- */

/* Positions in `texels` of what is scaled to `size` pixels, from `first` on. Centres of both fall
 * together where both have the same. */
static void put_axis(uint32_t *words, int count, int first, int size, int texels)
{
    const int64_t last = (int64_t)(texels - 1) * TMU_TEXEL;
    for (int i = 0; i < count; i++) {
        const int64_t from = (int64_t)i - first;
        const int64_t at =
            (2 * from + 1) * texels * TMU_TEXEL / (2 * (int64_t)size) - TMU_TEXEL / 2;
        const int64_t within = at < 0 ? 0 : at > last ? last : at;
        words[i] = from < 0 || from >= size ? SPIRV_SCREEN_OUTSIDE : (uint32_t)within;
    }
}

/* Puts the places of a picture of this size where they begin; gives the part that is to be sent, of
 * no size where they are there. */
static struct gpu_part put_places(struct gpu_screen *screen, struct fit *fits, size_t begin,
                                  const int picture[2], struct gpu_place place)
{
    const struct fit now = {.window = {screen->width, screen->height},
                            .picture = {picture[0], picture[1]},
                            .place = place};
    struct gpu_part part = {screen->places, begin * sizeof(uint32_t), 0};
    if (memcmp(&now, fits, sizeof now) != 0) {
        uint32_t *words = gpu_memory_words(screen->places) + begin;
        put_axis(words, screen->width, place.x, place.width, picture[0]);
        put_axis(words + screen->width, screen->height, place.y, place.height, picture[1]);
        part.size = (size_t)(screen->width + screen->height) * sizeof(uint32_t);
        *fits = now;
    }
    return part;
}

/* ---- pictures ---- */

static void send(struct gpu_order *order, struct gpu_part part)
{
    if (part.size > 0) {
        order->sent[order->sent_count++] = part;
    }
}

/* Has the picture where the program reads it; gives its pitch there, 0 without memory. */
static size_t take_picture(struct gpu_screen *screen, const struct gpu_screen_picture *picture,
                           struct gpu_order *order)
{
    struct layer *layer = &screen->picture;
    if (picture->pixels == NULL) {
        gpu_kernel_bind(screen->kernel, SPIRV_BUFFER_PICTURES, picture->there);
        return picture->pitch;
    }
    (void)fit_layer(screen, layer, SPIRV_BUFFER_PICTURES, picture);
    if (layer->memory == NULL) {
        return 0;
    }
    const struct gpu_place all = {0, 0, picture->width, picture->height};
    gpu_kernel_bind(screen->kernel, SPIRV_BUFFER_PICTURES, layer->memory);
    copy_part(layer, picture, &all);
    send(order, gpu_whole(layer->memory, layer->size));
    return (size_t)layer->width;
}

static void send_over(struct gpu_screen *screen, struct gpu_order *order)
{
    const struct layer *over = &screen->over;
    const size_t row = (size_t)over->width * sizeof(uint32_t);
    const size_t axes = (size_t)screen->width + (size_t)screen->height;
    const struct gpu_place window = {0, 0, screen->width, screen->height};
    const int size[2] = {over->width, over->height};
    send(order, (struct gpu_part){over->memory, (size_t)screen->laid[0] * row,
                                  (size_t)(screen->laid[1] - screen->laid[0]) * row});
    send(order, put_places(screen, &screen->overs, axes, size, window));
    screen->laid[0] = screen->laid[1] = 0;
}

static uint32_t groups_of(int columns)
{
    return ((uint32_t)columns - 1) / SPIRV_SCREEN_GROUP + 1;
}

static bool begin_small(struct gpu_screen *screen, const struct gpu_screen_order *order);

bool gpu_screen_draw(struct gpu_screen *screen, const struct gpu_screen_order *order)
{
    const struct gpu_screen_picture *picture = &order->picture;
    const bool covered = order->covered && screen->over.memory != NULL;
    const int size[2] = {picture->width, picture->height};
    if (screen->width == 0 || !gpu_screen_wait(screen)) {
        return false;
    }
    struct gpu_order run = {.columns = groups_of(screen->width), .rows = (uint32_t)screen->height};
    const size_t pitch = take_picture(screen, picture, &run);
    if (pitch == 0) {
        return false;
    }
    uint32_t *words = gpu_memory_words(screen->numbers);
    words[SPIRV_SCREEN_COLUMNS] = (uint32_t)screen->width;
    words[SPIRV_SCREEN_ROWS] = (uint32_t)screen->height;
    words[SPIRV_SCREEN_WIDTH] = (uint32_t)picture->width;
    words[SPIRV_SCREEN_HEIGHT] = (uint32_t)picture->height;
    words[SPIRV_SCREEN_PITCH] = (uint32_t)pitch;
    words[SPIRV_SCREEN_OVER] = covered;
    words[SPIRV_SCREEN_OVER_WIDTH] = (uint32_t)screen->over.width;
    words[SPIRV_SCREEN_OVER_HEIGHT] = (uint32_t)screen->over.height;
    words[SPIRV_SCREEN_OVER_PITCH] = (uint32_t)screen->over.width;
    send(&run, numbers_of(screen));
    send(&run, put_places(screen, &screen->fits, 0, size, order->place));
    if (covered) {
        send_over(screen, &run);
    }
    if (screen->fetched) {
        run.fetched = gpu_whole(screen->made, screen->made_size);
    }
    if (order->step == 0) {
        screen->small_waits = false;
        screen->come_width = screen->come_height = 0;
    }
    return gpu_kernels_start(&screen->kernel, &run, 1) &&
           (order->step == 0 || begin_small(screen, order));
}

bool gpu_screen_wait(struct gpu_screen *screen)
{
    return gpu_kernel_wait(screen->kernel) && gpu_kernel_wait(screen->small_kernel);
}

struct gpu_memory *gpu_screen_made(const struct gpu_screen *screen)
{
    return screen->made;
}

/* ---- small pictures ---- */

/* Looks at the one that is under way, if it has come. */
static void take_small(struct gpu_screen *screen)
{
    if (!screen->small_waits || !gpu_kernel_ended(screen->small_kernel)) {
        return;
    }
    screen->small_waits = false;
    if (gpu_kernel_wait(screen->small_kernel)) {
        const size_t pixels = (size_t)screen->small_width * (size_t)screen->small_height;
        memcpy(screen->small, gpu_memory_words(screen->small_made), pixels * sizeof(uint32_t));
        screen->come_width = screen->small_width;
        screen->come_height = screen->small_height;
    }
}

static bool fit_small(struct gpu_screen *screen, int width, int height)
{
    const size_t size = (size_t)width * (size_t)height * sizeof(uint32_t);
    if (screen->small != NULL && screen->small_width == width && screen->small_height == height) {
        return true;
    }
    free(screen->small);
    gpu_memory_free(screen->small_made);
    screen->small = malloc(size);
    screen->small_made = gpu_memory_create(screen->device, size);
    screen->small_width = width;
    screen->small_height = height;
    screen->come_width = screen->come_height = 0;
    if (screen->small == NULL || screen->small_made == NULL) {
        free(screen->small);
        screen->small = NULL;
        return false;
    }
    gpu_kernel_bind(screen->small_kernel, SPIRV_BUFFER_RESULTS, screen->small_made);
    return true;
}

/* Of the picture that is shown, behind what shows it. Without memory there is none. */
static bool begin_small(struct gpu_screen *screen, const struct gpu_screen_order *order)
{
    const struct gpu_screen_picture *picture = &order->picture;
    const int columns = picture->width / order->step;
    const int rows = picture->height / order->step;
    take_small(screen);
    if (columns == 0 || rows == 0 || !fit_small(screen, columns, rows)) {
        return !gpu_lost(screen->device);
    }
    const bool ours = picture->pixels != NULL;
    gpu_kernel_bind(screen->small_kernel, SPIRV_BUFFER_PICTURES,
                    ours ? screen->picture.memory : picture->there);
    uint32_t *words = gpu_memory_words(screen->small_numbers);
    words[SPIRV_SMALL_COLUMNS] = (uint32_t)columns;
    words[SPIRV_SMALL_ROWS] = (uint32_t)rows;
    words[SPIRV_SMALL_STEP] = (uint32_t)order->step;
    words[SPIRV_SMALL_FIRST] = (uint32_t)order->step / 2;
    words[SPIRV_SMALL_PITCH] = (uint32_t)(ours ? (size_t)picture->width : picture->pitch);
    const struct gpu_order run = {
        .columns = groups_of(columns),
        .rows = (uint32_t)rows,
        .sent = {small_numbers_of(screen)},
        .sent_count = 1,
        .fetched = gpu_whole(screen->small_made, (size_t)columns * (size_t)rows * sizeof(uint32_t)),
    };
    screen->small_waits = gpu_kernels_start(&screen->small_kernel, &run, 1);
    return screen->small_waits;
}

const uint32_t *gpu_screen_small(struct gpu_screen *screen, int *width, int *height)
{
    take_small(screen);
    *width = screen->come_width;
    *height = screen->come_height;
    return screen->come_width > 0 ? screen->small : NULL;
}
