#include "app/options.h"

#include <string.h>

#include "base/thread.h"
#include "ui/overlay.h"

enum { THREADS_MAX = 64 };

struct app_size app_options_size(const struct app_options *options)
{
    static const struct app_size usual = {1280, 720};
    static const struct app_size small = {320, 240};
    if (options->size.width > 0) {
        return options->size;
    }
    return options->command == APP_CHECK ? small : usual;
}

struct app_size app_options_mesh(const struct app_options *options)
{
    static const struct app_size usual = {48, 36};
    static const struct app_size single = {1, 1};
    if (options->mesh.width > 0) {
        return options->mesh;
    }
    return options->command == APP_LAB ? single : usual;
}

double app_options_fps(const struct app_options *options)
{
    return options->fps > 0 ? options->fps : 60;
}

size_t app_options_threads(const struct app_options *options)
{
    if (options->threads > 0) {
        return (size_t)options->threads;
    }
    const size_t processors = options->command == APP_CHECK ? 1 : base_processor_count();
    return processors < THREADS_MAX ? processors : THREADS_MAX;
}

enum rend_levels app_options_levels(const struct app_options *options)
{
    static const struct {
        const char *name;
        enum rend_levels levels;
    } names[] = {{"fir", REND_LEVELS_FIR}, {"board", REND_LEVELS_BOARD}};
    for (size_t i = 0; options->levels != NULL && i < sizeof names / sizeof *names; i++) {
        if (strcmp(options->levels, names[i].name) == 0) {
            return names[i].levels;
        }
    }
    return REND_LEVELS_FFT;
}

struct rend_config app_options_config(const struct app_options *options, struct app_size size,
                                      double fps)
{
    const struct app_size mesh = app_options_mesh(options);
    return (struct rend_config){
        .width = size.width,
        .height = size.height,
        .mesh_x = mesh.width,
        .mesh_y = mesh.height,
        .fps = fps,
        .seed = options->seed,
        .levels = app_options_levels(options),
        .cpu = app_options_cpu(options),
    };
}

int app_options_shaders(const struct app_options *options)
{
    static const char *const names[] = {"auto", "full", "half", "third", "quarter"};
    for (int i = 0; options->shaders != NULL && i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(options->shaders, names[i]) == 0) {
            return i > 0 || options->command == APP_PLAY ? i : 1;
        }
    }
    return options->command == APP_PLAY ? 0 : 1;
}

int app_options_names(const struct app_options *options)
{
    static const char *const names[UI_NAMES_COUNT] = {
        [UI_NAMES_AT_FIRST] = "first", [UI_NAMES_ALWAYS] = "always", [UI_NAMES_NEVER] = "never"};
    for (int i = 0; options->names != NULL && i < UI_NAMES_COUNT; i++) {
        if (strcmp(options->names, names[i]) == 0) {
            return i;
        }
    }
    return UI_NAMES_AT_FIRST;
}
