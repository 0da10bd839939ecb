#include "app/compile_shader.h"

#include <stdio.h>

#include "app/clock.h"
#include "app/json.h"
#include "app/options.h"
#include "app/plain.h"
#include "base/arena.h"
#include "presets/preset.h"
#include "renderer/default_stage.h"

static const char *const stage_names[SHADER_STAGES] = {"warp", "comp"};

struct compiled {
    const struct preset *preset;
    enum shader_stage stage;
    const struct shader_program *program;
    double ms;
};

static void json_row(const char *key, size_t value)
{
    (void)printf(",\"%s\":", key);
    app_json_count(stdout, value);
}

static void json_stats(const struct compiled *compiled, const struct shader_stats *stats)
{
    (void)fputs("{\"preset\":", stdout);
    app_json_string(stdout, compiled->preset->name);
    (void)printf(",\"program\":\"%s\"", stage_names[compiled->stage]);
    json_row("operations", stats->operations);
    json_row("frame_operations", stats->frame_operations);
    json_row("reads", stats->reads);
    json_row("loops", stats->loops);
    json_row("registers", stats->registers);
    (void)fputs(",\"ms_per_megapixel\":", stdout);
    app_json_number(stdout, stats->ms_per_megapixel);
    (void)fputs(",\"compile_ms\":", stdout);
    app_json_number(stdout, compiled->ms);
    (void)fputs("}\n", stdout);
}

static void print_stats(const struct compiled *compiled, const struct shader_stats *stats)
{
    (void)fputs("preset              ", stdout);
    app_plain(stdout, compiled->preset->name);
    (void)printf("\nprogram             %s\n", stage_names[compiled->stage]);
    (void)printf("operations          %zu per pixel\n", stats->operations);
    (void)printf("reads of textures   %zu per pixel\n", stats->reads);
    (void)printf("loops               %zu, counted with one round each\n", stats->loops);
    (void)printf("once per frame      %zu operations\n", stats->frame_operations);
    (void)printf("registers           %zu of %d pixels each\n", stats->registers, SHADER_TILE);
    (void)printf("estimate            %.1f ms for a megapixel\n", stats->ms_per_megapixel);
    (void)printf("compiled in         %.2f ms\n", compiled->ms);
}

static int print_ir(const struct compiled *compiled, bool json)
{
    struct base_arena arena = {0};
    const char *text = shader_dump(compiled->program, &arena);
    if (text == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory");
    } else if (json) {
        (void)fputs("{\"ir\":", stdout);
        app_json_string(stdout, text);
        (void)fputs("}\n", stdout);
    } else {
        (void)fputs(text, stdout);
    }
    base_arena_free(&arena);
    return text != NULL ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

static int print(const struct compiled *compiled, bool ir, bool json)
{
    if (ir) {
        return print_ir(compiled, json);
    }
    const struct shader_stats stats = shader_stats(compiled->program);
    if (json) {
        json_stats(compiled, &stats);
    } else {
        print_stats(compiled, &stats);
    }
    return APP_EXIT_DONE;
}

static int compile(const struct preset *preset, enum shader_stage stage, bool ir, bool json)
{
    if ((stage == SHADER_WARP ? preset->warp_shader : preset->comp_shader) == 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "the preset has no %s shader: this stage has fixed function",
                    stage_names[stage]);
        return APP_EXIT_FAILED;
    }
    struct base_arena arena = {0};
    const struct base_source *text = rend_stage_text(stage, preset, &arena);
    if (text == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "not enough memory");
    }
    const double start = app_clock_seconds();
    struct shader_program *program =
        text != NULL ? shader_compile(stage, text, &base_diag_stderr) : NULL;
    const struct compiled compiled = {preset, stage, program, (app_clock_seconds() - start) * 1e3};
    const int result = program != NULL ? print(&compiled, ir, json) : APP_EXIT_FAILED;
    shader_free(program);
    base_arena_free(&arena);
    return result;
}

int app_compile_shader(const char *path, enum shader_stage stage, bool ir, bool json)
{
    struct preset preset;
    if (preset_read_file(&preset, path, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    const int result = compile(&preset, stage, ir, json);
    preset_free(&preset);
    return result;
}
