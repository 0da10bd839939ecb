#include "renderer/patch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "renderer/save.h"

enum { ARENA_LIMIT = 256 * 1024 * 1024 };

const enum preset_own_key rend_vertex_motion[REND_VERTEX_MOTIONS] = {
    PRESET_KEY_zoom, PRESET_KEY_zoomexp, PRESET_KEY_rot, PRESET_KEY_warp, PRESET_KEY_cx,
    PRESET_KEY_cy,   PRESET_KEY_dx,      PRESET_KEY_dy,  PRESET_KEY_sx,   PRESET_KEY_sy,
};

/* Declares a name that must land on `index`. */
static bool declare(struct pfpu_scope *scope, const char *name, int index)
{
    const int got = pfpu_scope_declare(scope, name);
    assert(got < 0 || got == index);
    (void)index;
    return got >= 0;
}

static bool declare_numbered(struct pfpu_scope *scope, const char *prefix, int count, int first)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%s%d", prefix, i + 1);
        good = declare(scope, name, first + i) && good;
    }
    return good;
}

static bool declare_names(struct pfpu_scope *scope, const char *const *names, size_t count,
                          int first)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        good = declare(scope, names[i], first + (int)i) && good;
    }
    return good;
}

static struct pfpu_scope *new_scope(struct rend_patch *patch)
{
    static const char *const inputs[] = {
#define REND_INPUT(name) #name,
#include "renderer/frame/inputs.def"
#define REND_EXTRA(name) #name,
#include "renderer/frame/inputs.def"
    };
    struct pfpu_scope *scope = pfpu_scope_create(&patch->arena);
    const bool good = scope != NULL && declare_names(scope, inputs, REND_VAR_INPUTS, 0) &&
                      declare_numbered(scope, "q", REND_QS, REND_VAR_Q);
    return good ? scope : NULL;
}

static struct pfpu_scope *new_geometry_scope(struct rend_patch *patch)
{
    static const char *const geometry[] = {
#define REND_GEOMETRY(name) #name,
#include "renderer/frame/inputs.def"
    };
    struct pfpu_scope *scope = new_scope(patch);
    const bool good =
        scope != NULL &&
        declare_names(scope, geometry, sizeof geometry / sizeof *geometry, REND_VAR_OWN);
    return good ? scope : NULL;
}

static struct pfpu_scope *new_item_scope(struct rend_patch *patch, const char *const *names,
                                         size_t count)
{
    struct pfpu_scope *scope = new_scope(patch);
    const bool good = scope != NULL && declare_numbered(scope, "t", REND_TS, REND_VAR_T) &&
                      declare_names(scope, names, count, REND_VAR_ITEM);
    return good ? scope : NULL;
}

/* The board's equations reach three keys that MilkDrop's do not. */
static const char *variable_of(const struct preset *preset, const struct preset_key *key)
{
    static const struct {
        const char *key;
        const char *variable;
    } others[] = {{"fWarpAnimSpeed", "fwarpanimspeed"},
                  {"fWarpScale", "fwarpscale"},
                  {"fWaveScale", "wave_scale"}};
    for (size_t i = 0; preset->language == PRESET_LANGUAGE_BOARD && i < 3; i++) {
        if (strcmp(key->key, others[i].key) == 0) {
            return others[i].variable;
        }
    }
    return key->variable;
}

static bool make_frame_scope(struct rend_patch *patch, const struct preset *preset)
{
    struct pfpu_scope *scope = new_geometry_scope(patch);
    if (scope == NULL || !declare(scope, "monitor", REND_VAR_MONITOR)) {
        return false;
    }
    int next = REND_VAR_STORED;
    int row = 0;
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group != PRESET_GROUP_PRESET) {
            continue;
        }
        patch->stored[row] = preset_key_get(key, preset);
        patch->stored_variable[row] = -1;
        const char *variable = variable_of(preset, key);
        if (variable[0] != '\0') {
            if (!declare(scope, variable, next)) {
                return false;
            }
            patch->stored_variable[row] = next++;
        }
        row++;
    }
    assert(row == PRESET_KEYS);
    patch->frame.scope = scope;
    return true;
}

static bool make_shape_scope(struct rend_patch *patch, const struct preset *preset, size_t index)
{
    static const char *const instance[] = {"instance"};
    struct pfpu_scope *scope = new_item_scope(patch, instance, 1);
    int next = REND_SHAPE_INSTANCE + 1;
    int field = 0;
    for (size_t i = 0; i < PRESET_KEY_ROWS && scope != NULL; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group != PRESET_GROUP_SHAPE) {
            continue;
        }
        patch->shape_stored[index][field] = preset_key_get(key, &preset->shapes[index]);
        patch->shape_variable[field] = -1;
        if (key->variable[0] != '\0') {
            if (!declare(scope, key->variable, next)) {
                return false;
            }
            patch->shape_variable[field] = next++;
        }
        field++;
    }
    assert(scope == NULL || field == PRESET_SHAPE_KEYS);
    patch->shape[index].scope = scope;
    return scope != NULL;
}

static bool make_scopes(struct rend_patch *patch, const struct preset *preset)
{
    static const char *const vertex[REND_VERTEX_PLACE + REND_VERTEX_MOTIONS] = {
        "x",    "y",  "rad", "ang", "zoom", "zoomexp", "rot",
        "warp", "cx", "cy",  "dx",  "dy",   "sx",      "sy"};
    static const char *const frame[] = {"r", "g", "b", "a", "samples"};
    static const char *const point[] = {"sample", "value1", "value2", "x", "y", "r", "g", "b", "a"};
    patch->vertex.scope = new_geometry_scope(patch);
    if (!make_frame_scope(patch, preset) || patch->vertex.scope == NULL ||
        !declare_names(patch->vertex.scope, vertex, REND_VERTEX_PLACE + REND_VERTEX_MOTIONS,
                       REND_VAR_PLACE)) {
        return false;
    }
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        patch->wave_frame[i].scope = new_item_scope(patch, frame, sizeof frame / sizeof *frame);
        patch->wave_point[i].scope = new_item_scope(patch, point, sizeof point / sizeof *point);
        if (patch->wave_frame[i].scope == NULL || patch->wave_point[i].scope == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (!make_shape_scope(patch, preset, i)) {
            return false;
        }
    }
    return true;
}

struct compiler {
    struct rend_patch *patch;
    const struct pfpu_dumper *dumper;
    const struct base_diag_sink *sink;
    bool failed;
};

static const struct pfpu_program *compile(struct compiler *compiler, struct pfpu_scope *scope,
                                          const struct base_source *source, const char *shown_as)
{
    struct pfpu_program *program = NULL;
    switch (pfpu_compile_dumping(&pfpu_target_host, scope, source, &compiler->patch->arena,
                                 compiler->sink, shown_as != NULL ? compiler->dumper : NULL,
                                 shown_as, &program)) {
    case PFPU_OK:
        return program;
    case PFPU_EMPTY:
        return NULL;
    case PFPU_REFUSED:
        compiler->patch->status = REND_PATCH_DEGRADED;
        return NULL;
    case PFPU_NO_MEMORY:
        compiler->failed = true;
        return NULL;
    }
    return NULL;
}

static void compile_block(struct compiler *compiler, struct rend_block *block,
                          const struct base_source *init, const struct base_source *run)
{
    if (init != NULL) {
        block->init = compile(compiler, block->scope, init, NULL);
    }
    const char *shown_as = block == &compiler->patch->frame    ? "per_frame"
                           : block == &compiler->patch->vertex ? "per_pixel"
                                                               : NULL;
    block->run = compile(compiler, block->scope, run, shown_as);
}

static void prepare_lanes(struct compiler *compiler, struct rend_block *block,
                          const struct pfpu_lanes_ports *ports)
{
    if (block->run != NULL) {
        block->lanes = pfpu_lanes_create(block->run, ports, &compiler->patch->arena);
        compiler->failed = compiler->failed || block->lanes == NULL;
    }
}

static void prepare_vertex_lanes(struct compiler *compiler, struct rend_block *block)
{
    struct pfpu_lanes_input inputs[REND_VERTEX_PLACE + REND_VERTEX_MOTIONS];
    int outputs[REND_VERTEX_MOTIONS];
    struct pfpu_lanes_ports ports = {inputs, REND_VERTEX_PLACE + REND_VERTEX_MOTIONS, outputs, 0};
    for (int i = 0; i < REND_VERTEX_PLACE + REND_VERTEX_MOTIONS; i++) {
        inputs[i] = (struct pfpu_lanes_input){REND_VAR_PLACE + i, i < REND_VERTEX_PLACE};
    }
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        if (pfpu_program_writes(block->run, REND_VAR_MOTION + i)) {
            outputs[ports.output_count++] = REND_VAR_MOTION + i;
        }
    }
    prepare_lanes(compiler, block, &ports);
}

static void prepare_point_lanes(struct compiler *compiler, struct rend_block *block)
{
    struct pfpu_lanes_input inputs[REND_POINT_INPUTS];
    int outputs[REND_POINT_OUTPUTS];
    const struct pfpu_lanes_ports ports = {inputs, REND_POINT_INPUTS, outputs, REND_POINT_OUTPUTS};
    for (int i = 0; i < REND_POINT_INPUTS; i++) {
        const int variable = REND_POINT_SAMPLE + i;
        inputs[i] = (struct pfpu_lanes_input){variable, variable < REND_POINT_R};
    }
    for (int i = 0; i < REND_POINT_OUTPUTS; i++) {
        outputs[i] = REND_POINT_X + i;
    }
    prepare_lanes(compiler, block, &ports);
}

static struct base_source surrounded(struct compiler *compiler, const char *before,
                                     const struct base_source *source, const char *after)
{
    struct base_source_line *lines =
        base_arena_array(&compiler->patch->arena, source->count + 2, sizeof *lines);
    if (lines == NULL) {
        compiler->failed = true;
        return *source;
    }
    lines[0] = (struct base_source_line){.text = base_span_of(before)};
    if (source->count > 0) {
        memcpy(lines + 1, source->lines, source->count * sizeof *lines);
    }
    lines[source->count + 1] = (struct base_source_line){.text = base_span_of(after)};
    return (struct base_source){source->file, lines, source->count + 2};
}

/* What follows the per-frame equations: waves are drawn in ranges of modes. */
static void write_board_end(char *text, size_t size)
{
    static const bool drawn[PRESET_WAVE_MODES + 1] = {
#define PRESET_WAVE_MODE(number, name, folded, board, cost)                                        \
    [number] = PRESET_WAVE_COST_##cost != PRESET_WAVE_COST_NONE,
#include "presets/milk/wave_modes.def"
    };
    const char *plus = "";
    size_t at = (size_t)snprintf(text, size, "rot=-rot;wave_a=if(");
    for (int mode = 0; mode < PRESET_WAVE_MODES; mode++) {
        const int first = mode;
        while (drawn[mode]) {
            mode++;
        }
        if (mode > first) {
            at += (size_t)snprintf(text + at, size - at,
                                   "%sband(_aboeq(wave_mode,%d),below(wave_mode,%d))", plus, first,
                                   mode);
            plus = "+";
        }
    }
    at += (size_t)snprintf(text + at, size - at, ",wave_a,0);");
    assert(at < size);
}

/* Equations of the board turn the other way, and have its x, y and rad; variables of the board
 * alone begin each frame anew, and the waves that it does not draw are not there. */
static void compile_board(struct compiler *compiler, const struct preset *preset)
{
    struct rend_patch *patch = compiler->patch;
    static const char begin[] =
#define BOARD_OWN(name, value) #name "=" #value ";"
#include "board/language/params.def"
        ;
    char end[256];
    write_board_end(end, sizeof end);
    static const char place[] = "x=(x-0.5)*aspectx+0.5;y=(y-0.5)*aspecty+0.5;"
                                "rad=sqrt(sqr(x-0.5)+sqr(y-0.5));rot=-rot;";
    const struct base_source frame = surrounded(compiler, begin, &preset->per_frame, end);
    compile_block(compiler, &patch->frame, &preset->init, &frame);
    if (preset->per_vertex.count > 0) {
        const struct base_source vertex =
            surrounded(compiler, place, &preset->per_vertex, "rot=-rot;");
        compile_block(compiler, &patch->vertex, NULL, &vertex);
    }
}

static void compile_all(struct compiler *compiler, const struct preset *preset)
{
    struct rend_patch *patch = compiler->patch;
    if (preset->language == PRESET_LANGUAGE_BOARD) {
        compile_board(compiler, preset);
    } else {
        compile_block(compiler, &patch->frame, &preset->init, &preset->per_frame);
        compile_block(compiler, &patch->vertex, NULL, &preset->per_vertex);
    }
    prepare_vertex_lanes(compiler, &patch->vertex);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        const struct preset_wave *wave = &preset->waves[i];
        compile_block(compiler, &patch->wave_frame[i], &wave->init, &wave->per_frame);
        compile_block(compiler, &patch->wave_point[i], NULL, &wave->per_point);
        prepare_point_lanes(compiler, &patch->wave_point[i]);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        const struct preset_shape *shape = &preset->shapes[i];
        compile_block(compiler, &patch->shape[i], &shape->init, &shape->per_frame);
    }
}

static bool block_assigns_extra(const struct rend_block *block)
{
    bool assigns = false;
    for (int i = REND_VAR_EXTRAS; i < REND_VAR_INPUTS; i++) {
        assigns = assigns || (block->init != NULL && pfpu_program_writes(block->init, i)) ||
                  (block->run != NULL && pfpu_program_writes(block->run, i));
    }
    return assigns;
}

static bool assigns_extra(const struct rend_patch *patch)
{
    bool assigns = block_assigns_extra(&patch->frame) || block_assigns_extra(&patch->vertex);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        assigns = assigns || block_assigns_extra(&patch->wave_frame[i]) ||
                  block_assigns_extra(&patch->wave_point[i]);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        assigns = assigns || block_assigns_extra(&patch->shape[i]);
    }
    return assigns;
}

static void copy_numbers(struct rend_patch *patch, const struct preset *preset)
{
    const struct base_source none = {0};
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        struct preset_wave *wave = &patch->waves[i];
        *wave = preset->waves[i];
        wave->init = wave->per_frame = wave->per_point = none;
        patch->spectra = patch->spectra || (wave->enabled != 0 && wave->spectrum != 0);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        struct preset_shape *shape = &patch->shapes[i];
        *shape = preset->shapes[i];
        shape->init = shape->per_frame = none;
    }
}

static uint64_t hash_whole(uint64_t hash, uint64_t value)
{
    uint8_t bytes[sizeof value];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    return base_hash(hash, bytes, sizeof bytes);
}

static uint64_t hash_text(uint64_t hash, const struct base_source *text)
{
    hash = hash_whole(hash, text->count);
    for (size_t i = 0; i < text->count; i++) {
        hash = base_hash(hash, text->lines[i].text.data, text->lines[i].text.size);
    }
    return hash;
}

static uint64_t hash_numbers(uint64_t hash, enum preset_group group, const void *base)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (preset_keys[i].group == group) {
            const double value = preset_key_get(&preset_keys[i], base);
            uint64_t bits = 0;
            memcpy(&bits, &value, sizeof bits);
            hash = hash_whole(hash, bits);
        }
    }
    return hash;
}

static uint64_t hash_pictures(uint64_t hash, const struct rend_shader *shader)
{
    for (size_t i = 0; i < shader->textures; i++) {
        if (shader->picture[i] != NULL) {
            hash = hash_whole(hash, rend_resource_content(shader->picture[i]));
        }
    }
    return hash;
}

/* All that the patch was made of. */
static uint64_t content_of(const struct rend_patch *patch, const struct preset *preset)
{
    const struct base_source *texts[] = {&preset->init, &preset->per_frame, &preset->per_vertex,
                                         &preset->warp_code, &preset->comp_code};
    uint64_t hash = hash_whole(BASE_HASH_START, preset->language);
    hash = hash_whole(hash, (uint64_t)preset->warp_shader);
    hash = hash_whole(hash, (uint64_t)preset->comp_shader);
    hash = hash_numbers(hash, PRESET_GROUP_PRESET, preset);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hash = hash_text(hash, texts[i]);
    }
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        const struct preset_wave *wave = &preset->waves[i];
        hash = hash_numbers(hash, PRESET_GROUP_WAVE, wave);
        hash =
            hash_text(hash_text(hash_text(hash, &wave->init), &wave->per_frame), &wave->per_point);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        const struct preset_shape *shape = &preset->shapes[i];
        hash = hash_numbers(hash, PRESET_GROUP_SHAPE, shape);
        hash = hash_text(hash_text(hash, &shape->init), &shape->per_frame);
    }
    for (size_t i = 0; i < SHADER_STAGES; i++) {
        hash = hash_pictures(hash, &patch->shader[i]);
    }
    return hash != 0 ? hash : 1;
}

struct rend_patch *rend_patch_create(const struct preset *preset, struct rend_resources *resources,
                                     const struct base_diag_sink *sink)
{
    return rend_patch_create_dumping(preset, resources, NULL, sink);
}

struct rend_patch *rend_patch_create_dumping(const struct preset *preset,
                                             struct rend_resources *resources,
                                             const struct pfpu_dumper *dumper,
                                             const struct base_diag_sink *sink)
{
    struct rend_patch *patch = calloc(1, sizeof *patch);
    if (patch == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "not enough memory to compile the preset");
        return NULL;
    }
    base_arena_init(&patch->arena, ARENA_LIMIT);
    struct compiler compiler = {patch, dumper, sink, false};
    compiler.failed = !make_scopes(patch, preset);
    if (!compiler.failed) {
        compile_all(&compiler, preset);
        patch->own_extras = assigns_extra(patch);
        compiler.failed = compiler.failed || !rend_patch_shaders(patch, preset, resources, sink);
    }
    if (compiler.failed) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "not enough memory to compile the preset");
        rend_patch_free(patch);
        return NULL;
    }
    copy_numbers(patch, preset);
    patch->content = content_of(patch, preset);
    return patch;
}

void rend_patch_free(struct rend_patch *patch)
{
    if (patch != NULL) {
        rend_patch_shaders_free(patch);
        base_arena_free(&patch->arena);
        free(patch);
    }
}

enum rend_patch_status rend_patch_status(const struct rend_patch *patch)
{
    return patch->status;
}

uint64_t rend_patch_content(const struct rend_patch *patch)
{
    return patch->content;
}
