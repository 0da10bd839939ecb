/* A preset made ready to run: the namespaces of its equations, their programs, its shader stages,
 * and a hash of all that. */
#include "renderer/patch.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "presets/milk/lines.h"
#include "renderer/save.h"
#include "renderer/shade.h"

/* ---- namespaces ---- */

/* What a preset may take is for its equations, which have a fixed share if they ask for buffers,
 * for its pictures, which can become smaller, and for all that is compiled. */
enum {
    BUFFERS = (PFPU_GMEGABUF_CELLS + PFPU_POOL_BLOCKS * PFPU_MEGABUF_BLOCK) * (int)sizeof(double),
    PICTURES_LEAST = 16 * 1024 * 1024,
};

const enum preset_own_key rend_vertex_motion[REND_VERTEX_MOTIONS] = {
    PRESET_KEY_zoom, PRESET_KEY_zoomexp, PRESET_KEY_rot, PRESET_KEY_warp, PRESET_KEY_cx,
    PRESET_KEY_cy,   PRESET_KEY_dx,      PRESET_KEY_dy,  PRESET_KEY_sx,   PRESET_KEY_sy,
};

static const char *const image_names[REND_IMAGES_DRAWN][REND_IMAGE_PARAMS] = {
    {"image1_a", "image1_x", "image1_y", "image1_zoom", "image1_index"},
    {"image2_a", "image2_x", "image2_y", "image2_zoom", "image2_index"},
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
#define REND_EXTRA(name, family) #name,
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

static bool make_frame_scope(struct rend_patch *patch, const struct preset *preset)
{
    struct pfpu_scope *scope = new_geometry_scope(patch);
    if (scope == NULL || !declare(scope, "monitor", REND_VAR_MONITOR)) {
        return false;
    }
    /* The board's equations reach three keys that MilkDrop's do not. */
    static const struct {
        const char *key;
        const char *variable;
    } others[] = {{"fWarpAnimSpeed", "fwarpanimspeed"},
                  {"fWarpScale", "fwarpscale"},
                  {"fWaveScale", "wave_scale"}};
    int next = REND_VAR_STORED;
    int row = 0;
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group != PRESET_GROUP_PRESET) {
            continue;
        }
        patch->stored[row] = preset_key_get(key, preset);
        patch->stored_variable[row] = -1;
        const char *variable = key->variable;
        for (size_t k = 0; preset->language == PRESET_LANGUAGE_BOARD && k < 3; k++) {
            variable = strcmp(key->key, others[k].key) == 0 ? others[k].variable : variable;
        }
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
    for (size_t i = 0; i < PRESET_IMAGES; i++) {
        patch->images.any = patch->images.any || preset->images[i] != NULL;
    }
    for (int i = 0; patch->images.any && i < REND_IMAGES_DRAWN; i++) {
        if (!declare_names(scope, image_names[i], REND_IMAGE_PARAMS, next)) {
            return false;
        }
        for (int k = 0; k < REND_IMAGE_PARAMS; k++) {
            patch->images.variable[i][k] = next++;
        }
    }
    patch->images.video_alpha = next;
    return !patch->images.any || declare(scope, "video_a", next);
}

static bool make_scopes(struct rend_patch *patch, const struct preset *preset)
{
    static const char *const vertex[REND_VERTEX_PLACE + REND_VERTEX_MOTIONS] = {
        "x",    "y",  "rad", "ang", "zoom", "zoomexp", "rot",
        "warp", "cx", "cy",  "dx",  "dy",   "sx",      "sy"};
    static const char *const frame[] = {"r", "g", "b", "a", "samples"};
    static const char *const instance[] = {"instance"};
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
    for (size_t index = 0; index < PRESET_SHAPES; index++) {
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
        if (scope == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- programs ---- */

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

unsigned rend_written_motions(const struct pfpu_program *program)
{
    unsigned written = 0;
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        written |= pfpu_program_writes(program, REND_VAR_MOTION + i) ? 1u << i : 0;
    }
    return written;
}

static void prepare_lanes(struct compiler *compiler, struct rend_block *block,
                          const struct pfpu_lanes_ports *ports)
{
    if (block->run != NULL) {
        block->lanes = pfpu_lanes_create(block->run, ports, &compiler->patch->arena);
        compiler->failed = compiler->failed || block->lanes == NULL;
    }
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

/* Variables of the board alone begin each frame anew; those that a control sets, with what it says
 * that nobody has moved. NULL without memory. */
static const char *beginning_of(struct compiler *compiler, const struct preset *preset)
{
    enum { EACH = PRESET_NUMBER_TEXT + 32 };
    static const struct {
        const char *name;
        const char *text;
    } own[] = {
#define BOARD_OWN(name, value) {#name, #name "=" #value ";"},
#include "board/language/params.def"
    };
    const size_t count = sizeof own / sizeof *own;
    char *text = base_arena_array(&compiler->patch->arena, count, EACH);
    size_t size = 0;
    for (size_t i = 0; text != NULL && i < count; i++) {
        const struct preset_binding *bound = NULL;
        for (size_t k = 0; k < preset->binding_count; k++) {
            bound = strcmp(preset->bindings[k].variable, own[i].name) == 0 ? &preset->bindings[k]
                                                                           : bound;
        }
        char number[PRESET_NUMBER_TEXT];
        preset_format_float(bound != NULL ? bound->initial : 0, number);
        size += (size_t)(bound != NULL ? snprintf(text + size, EACH, "%s=%s;", own[i].name, number)
                                       : snprintf(text + size, EACH, "%s", own[i].text));
    }
    return text;
}

void rend_control_names(const struct preset_binding *binding, struct rend_held *said,
                        struct rend_held *turned)
{
    (void)snprintf(said->name, sizeof said->name, "_said%u_%u_%d%d", binding->channel,
                   binding->controller, (int)binding->element, (int)binding->way);
    (void)snprintf(turned->name, sizeof turned->name, "_turn%u_%u_%d%d", binding->channel,
                   binding->controller, (int)binding->element, (int)binding->way);
}

size_t rend_patch_controls(const struct rend_patch *patch, const struct preset_binding **controls)
{
    *controls = patch->controls;
    return patch->control_count;
}

/* `text`, and then variables that a control sets, as far as it has said anything. NULL without
 * memory. */
static const char *with_controls(struct compiler *compiler, const struct preset *preset,
                                 const char *text)
{
    struct rend_patch *patch = compiler->patch;
    const size_t count = preset->binding_count;
    size_t room = strlen(text) + 1;
    for (size_t i = 0; i < count; i++) {
        room += 2 * strlen(preset->bindings[i].variable) +
                2 * sizeof((struct rend_held *)NULL)->name + sizeof "=if(,,);";
    }
    char *joined = base_arena_array(&patch->arena, room, 1);
    patch->controls = base_arena_array(&patch->arena, count + 1, sizeof *patch->controls);
    if (joined == NULL || patch->controls == NULL) {
        return NULL;
    }
    size_t size = (size_t)snprintf(joined, room, "%s", text);
    for (size_t i = 0; i < count; i++) {
        const struct preset_binding *binding = &preset->bindings[i];
        struct rend_held said;
        struct rend_held turned;
        rend_control_names(binding, &said, &turned);
        size += (size_t)snprintf(joined + size, room - size, "%s=if(%s,%s,%s);", binding->variable,
                                 said.name, turned.name, binding->variable);
        patch->controls[i] = *binding;
        patch->controls[i].variable = NULL;
    }
    patch->control_count = count;
    return joined;
}

static bool source_mentions(const struct base_source *source, const char *name)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i < source->count; i++) {
        const struct base_span text = source->lines[i].text;
        for (size_t at = 0; at + size <= text.size; at++) {
            if (memcmp(text.data + at, name, size) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* What comes in by DMX, where the equations ask for it, and then `text`. NULL without memory. */
static const char *with_dmx(struct compiler *compiler, const struct base_source *source,
                            const char *text)
{
    enum { CHANNELS = 8, EACH = 24 };
    const size_t room = strlen(text) + CHANNELS * EACH + 1;
    char *joined = base_arena_array(&compiler->patch->arena, room, 1);
    size_t size = 0;
    for (int i = 1; joined != NULL && i <= CHANNELS; i++) {
        char name[EACH];
        (void)snprintf(name, sizeof name, "idmx%d", i);
        if (source_mentions(source, name)) {
            size += (size_t)snprintf(joined + size, room - size, "%s=dmx_in(%d);", name, i);
        }
    }
    if (joined != NULL) {
        (void)snprintf(joined + size, room - size, "%s", text);
    }
    return joined;
}

/* Equations of the board turn the other way, and have its x, y and rad, and the waves that its own
 * software does not draw are not there. */
static void compile_board(struct compiler *compiler, const struct preset *preset)
{
    struct rend_patch *patch = compiler->patch;
    static const char place[] = "x=(x-0.5)*aspectx+0.5;y=(y-0.5)*aspecty+0.5;"
                                "rad=sqrt(sqr(x-0.5)+sqr(y-0.5));rot=-rot;";
    const char *own = beginning_of(compiler, preset);
    const char *bound = own != NULL ? with_controls(compiler, preset, own) : NULL;
    const char *begin = bound != NULL ? with_dmx(compiler, &preset->per_frame, bound) : NULL;
    const char *vertex_begin = with_dmx(compiler, &preset->per_vertex, place);
    if (begin == NULL || vertex_begin == NULL) {
        compiler->failed = true;
        return;
    }
    /* What follows the per-frame equations: waves are drawn in ranges of modes. */
    static const bool drawn[PRESET_WAVE_MODES + 1] = {
#define PRESET_WAVE_MODE(number, name, folded, board, cost, own) [number] = (own) != 0,
#include "presets/milk/wave_modes.def"
    };
    char end[256];
    const char *plus = "";
    size_t at = (size_t)snprintf(end, sizeof end, "rot=-rot;wave_a=if(");
    for (int mode = 0; mode < PRESET_WAVE_MODES; mode++) {
        const int first = mode;
        while (drawn[mode]) {
            mode++;
        }
        if (mode > first) {
            at += (size_t)snprintf(end + at, sizeof end - at,
                                   "%sband(_aboeq(wave_mode,%d),below(wave_mode,%d))", plus, first,
                                   mode);
            plus = "+";
        }
    }
    at += (size_t)snprintf(end + at, sizeof end - at, ",wave_a,0);");
    assert(at < sizeof end);
    const struct base_source frame = surrounded(compiler, begin, &preset->per_frame, end);
    compile_block(compiler, &patch->frame, &preset->init, &frame);
    if (preset->per_vertex.count > 0) {
        const struct base_source vertex =
            surrounded(compiler, vertex_begin, &preset->per_vertex, "rot=-rot;");
        compile_block(compiler, &patch->vertex, NULL, &vertex);
    }
    for (size_t i = 0; i < pfpu_scope_size(patch->frame.scope); i++) {
        const char *name = pfpu_scope_name(patch->frame.scope, i);
        if (strncmp(name, "dmx", 3) == 0 && name[3] >= '1' && name[3] <= '0' + REND_DMX_OUTPUTS &&
            name[4] == '\0') {
            patch->dmx_variable[name[3] - '1'] = (int)i;
        }
    }
}

static void compile_all(struct compiler *compiler, const struct preset *preset)
{
    struct rend_patch *patch = compiler->patch;
    for (int i = 0; i < REND_DMX_OUTPUTS; i++) {
        patch->dmx_variable[i] = -1;
    }
    if (preset->language == PRESET_LANGUAGE_BOARD) {
        compile_board(compiler, preset);
    } else {
        compile_block(compiler, &patch->frame, &preset->init, &preset->per_frame);
        compile_block(compiler, &patch->vertex, NULL, &preset->per_vertex);
    }
    struct pfpu_lanes_input inputs[REND_VERTEX_PLACE + REND_VERTEX_MOTIONS];
    int outputs[REND_VERTEX_MOTIONS];
    struct pfpu_lanes_ports ports = {inputs, REND_VERTEX_PLACE + REND_VERTEX_MOTIONS, outputs, 0};
    for (int i = 0; i < REND_VERTEX_PLACE + REND_VERTEX_MOTIONS; i++) {
        inputs[i] = (struct pfpu_lanes_input){REND_VAR_PLACE + i, i < REND_VERTEX_PLACE};
    }
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        if (pfpu_program_writes(patch->vertex.run, REND_VAR_MOTION + i)) {
            outputs[ports.output_count++] = REND_VAR_MOTION + i;
        }
    }
    prepare_lanes(compiler, &patch->vertex, &ports);

    struct pfpu_lanes_input point_inputs[REND_POINT_INPUTS];
    int point_outputs[REND_POINT_OUTPUTS];
    const struct pfpu_lanes_ports point_ports = {point_inputs, REND_POINT_INPUTS, point_outputs,
                                                 REND_POINT_OUTPUTS};
    for (int i = 0; i < REND_POINT_INPUTS; i++) {
        const int variable = REND_POINT_SAMPLE + i;
        point_inputs[i] = (struct pfpu_lanes_input){variable, variable < REND_POINT_R};
    }
    for (int i = 0; i < REND_POINT_OUTPUTS; i++) {
        point_outputs[i] = REND_POINT_X + i;
    }
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        const struct preset_wave *wave = &preset->waves[i];
        compile_block(compiler, &patch->wave_frame[i], &wave->init, &wave->per_frame);
        compile_block(compiler, &patch->wave_point[i], NULL, &wave->per_point);
        prepare_lanes(compiler, &patch->wave_point[i], &point_ports);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        const struct preset_shape *shape = &preset->shapes[i];
        compile_block(compiler, &patch->shape[i], &shape->init, &shape->per_frame);
    }
}

/* Bits of enum rend_family. */
static unsigned families_assigned(const struct rend_block *block)
{
    static const unsigned families[] = {
#define REND_EXTRA(name, family) REND_FAMILY_##family,
#include "renderer/frame/inputs.def"
    };
    unsigned assigned = 0;
    for (int i = REND_VAR_EXTRAS; i < REND_VAR_INPUTS; i++) {
        if ((block->init != NULL && pfpu_program_writes(block->init, i)) ||
            (block->run != NULL && pfpu_program_writes(block->run, i))) {
            assigned |= families[i - REND_VAR_EXTRAS];
        }
    }
    return assigned;
}

/* ---- stages given as shaders ---- */

enum { LINES_MAX = 16, LINE_SIZE = 128, NUMBER_SIZE = 32, LARGEST = 1000000 };

/* Lines as they are written; the arena's memory. */
struct text {
    struct base_arena *arena;
    struct base_source *source;
    struct base_source_line *lines;
};

__attribute__((format(printf, 2, 3))) static void line(struct text *text, const char *format, ...)
{
    char buffer[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    const size_t count = text->source->count;
    const char *copy = base_arena_text(text->arena, buffer, (size_t)size);
    if (copy != NULL) {
        text->lines[count] =
            (struct base_source_line){{copy, (size_t)size}, (uint32_t)count + 1, 1};
        text->source->count++;
    }
}

/* A number as text. */
struct number {
    char text[NUMBER_SIZE];
};

/* With two or three decimals, whatever the locale. Numbers far off are cut. */
static struct number number(double value, int decimals)
{
    const int unit = decimals == 2 ? 100 : 1000;
    const double most = LARGEST;
    const double near = value > -most ? fmin(value, most) : -most;
    const long long whole = (long long)floor(fabs(near) * unit + 0.5);
    struct number result;
    (void)snprintf(result.text, sizeof result.text, "%s%lld.%0*lld",
                   near < 0 && whole != 0 ? "-" : "", whole / unit, decimals, whole % unit);
    return result;
}

static void warp_body(struct text *text, const struct preset *preset)
{
    line(text, "    ret = tex2D(%s, uv).xyz * %s;",
         preset->wrap != 0 ? "sampler_main" : "sampler_fc_main", number(preset->decay, 2).text);
}

static void comp_body(struct text *text, const struct preset *preset)
{
    const double least = 0.005; /* prints as more than 0.00 */
    line(text, "    ret = tex2D(sampler_main, uv).xyz;");
    if ((double)preset->echo_alpha >= least) {
        /* The picture and a larger or smaller one over it. */
        const int32_t orientation = (preset->echo_orient % 4 + 4) % 4;
        const struct number size = number(1 / (double)preset->echo_zoom, 3);
        line(text, "    float2 echo_uv = (uv - 0.5) * %s * float2(%s, %s) + 0.5;", size.text,
             (orientation & 1) != 0 ? "-1" : "1", (orientation & 2) != 0 ? "-1" : "1");
        line(text, "    ret = lerp(ret, tex2D(sampler_main, echo_uv).xyz, %s);",
             number(preset->echo_alpha, 2).text);
    }
    line(text, "    ret *= %s;", number(preset->gamma, 2).text);
    if ((double)preset->shader >= least) {
        const double strength = (double)preset->shader;
        line(text, "    ret *= %s + %s * hue_shader;", number(1 - strength, 2).text,
             number(strength, 2).text);
    }
    const struct {
        int32_t on;
        const char *line;
    } filters[] = {
        {preset->brighten, "    ret = sqrt(ret);"},
        {preset->darken, "    ret *= ret;"},
        {preset->solarize, "    ret = ret * (1 - ret) * 4;"},
        {preset->invert, "    ret = 1 - ret;"},
    };
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        if (filters[i].on != 0) {
            line(text, "%s", filters[i].line);
        }
    }
}

static const struct {
    const char *name;
    void (*body)(struct text *text, const struct preset *preset);
} defaults[SHADER_STAGES] = {
    [SHADER_WARP] = {"default warp shader", warp_body},
    [SHADER_COMP] = {"default comp shader", comp_body},
};

const struct base_source *rend_default_stage(enum shader_stage stage, const struct preset *preset,
                                             struct base_arena *arena)
{
    struct text text = {.arena = arena,
                        .source = base_arena_alloc(arena, sizeof *text.source),
                        .lines = base_arena_array(arena, LINES_MAX, sizeof *text.lines)};
    if (text.source == NULL || text.lines == NULL) {
        return NULL;
    }
    *text.source = (struct base_source){.file = defaults[stage].name, .lines = text.lines};
    line(&text, "shader_body");
    line(&text, "{");
    defaults[stage].body(&text, preset);
    line(&text, "}");
    return arena->failed ? NULL : text.source;
}

#define LINE(text, number)                                                                         \
    {                                                                                              \
        {text, sizeof(text) - 1}, number, 1                                                        \
    }

static const struct base_source_line fallback_warp[] = {
    LINE("shader_body", 1),
    LINE("{", 2),
    LINE("    ret = tex2D(sampler_main, uv).xyz - 0.004;", 3),
    LINE("}", 4),
};

static const struct base_source_line fallback_comp[] = {
    LINE("shader_body", 1),
    LINE("{", 2),
    LINE("    ret = tex2D(sampler_main, uv).xyz;", 3),
    LINE("}", 4),
};

static const struct base_source fallbacks[SHADER_STAGES] = {
    [SHADER_WARP] = {"fallback warp shader", fallback_warp, 4},
    [SHADER_COMP] = {"fallback comp shader", fallback_comp, 4},
};

const struct base_source *rend_fallback_stage(enum shader_stage stage)
{
    return &fallbacks[stage];
}

const struct base_source *rend_stage_text(enum shader_stage stage, const struct preset *preset,
                                          struct base_arena *arena)
{
    const struct base_source *own = stage == SHADER_WARP ? &preset->warp_code : &preset->comp_code;
    bool blank = true;
    for (size_t i = 0; i < own->count; i++) {
        const struct base_span text = own->lines[i].text;
        for (size_t k = 0; k < text.size; k++) {
            blank = blank && (text.data[k] == ' ' || text.data[k] == '\t');
        }
    }
    return blank ? rend_default_stage(stage, preset, arena) : own;
}

struct shading {
    struct rend_patch *patch;
    const struct preset *preset;
    struct rend_resources *resources;
    const struct base_diag_sink *sink;
};

/* Pictures are bound later. */
static bool bind_texture(const struct shading *shading, struct rend_shader *shader, size_t slot,
                         const struct shader_binding *binding)
{
    static const struct {
        const char *name;
        enum rend_source texture;
    } canvases[] = {{"main", REND_SOURCE_MAIN},
                    {"blur1", REND_SOURCE_BLUR1},
                    {"blur2", REND_SOURCE_BLUR2},
                    {"blur3", REND_SOURCE_BLUR3}};
    for (size_t i = 0; i < sizeof canvases / sizeof *canvases; i++) {
        if (strcmp(binding->name, canvases[i].name) == 0) {
            shader->texture[slot] = canvases[i].texture;
            return true;
        }
    }
    shader->texture[slot] = REND_SOURCE_FIXED;
    const bool noise = rend_resource_noise(shading->resources, binding->name, &shader->fixed[slot]);
    return !noise || shader->fixed[slot] != NULL;
}

static bool needs_buffers(const struct rend_patch *patch)
{
    bool needs = pfpu_scope_needs_buffers(patch->frame.scope) ||
                 pfpu_scope_needs_buffers(patch->vertex.scope);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        needs = needs || pfpu_scope_needs_buffers(patch->wave_frame[i].scope) ||
                pfpu_scope_needs_buffers(patch->wave_point[i].scope);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        needs = needs || pfpu_scope_needs_buffers(patch->shape[i].scope);
    }
    return needs;
}

/* The pictures of both stages, which share what memory the preset has left. */
static bool take_pictures(const struct shading *shading)
{
    struct rend_patch *patch = shading->patch;
    struct rend_picture_request requests[REND_PICTURES_MAX];
    struct rend_resource *taken[REND_PICTURES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < SHADER_STAGES; i++) {
        const struct rend_shader *shader = &patch->shader[i];
        const struct shader_binding *bindings = NULL;
        const size_t slots =
            shader->program != NULL ? shader_bindings(shader->program, &bindings) : 0;
        for (size_t slot = 0; slot < slots; slot++) {
            if (shader->texture[slot] == REND_SOURCE_FIXED && shader->fixed[slot] == NULL) {
                requests[count++] = (struct rend_picture_request){
                    .name = bindings[slot].name, .preset_path = shading->preset->path};
            }
        }
    }
    const size_t memory = rend_resources_memory(shading->resources);
    const size_t used = patch->arena.used + (needs_buffers(patch) ? BUFFERS : 0);
    const size_t room = used + PICTURES_LEAST < memory ? memory - used : PICTURES_LEAST;
    bool whole = true;
    if (count > 0 && rend_resource_pictures(shading->resources, requests, count, room, taken,
                                            &whole, shading->sink) != 0) {
        return false;
    }
    patch->status = whole ? patch->status : REND_PATCH_DEGRADED;
    size_t next = 0;
    for (size_t i = 0; i < SHADER_STAGES; i++) {
        struct rend_shader *shader = &patch->shader[i];
        for (size_t slot = 0; slot < shader->textures; slot++) {
            if (shader->texture[slot] == REND_SOURCE_FIXED && shader->fixed[slot] == NULL) {
                shader->picture[slot] = taken[next++];
                shader->fixed[slot] = rend_resource_texture(shader->picture[slot]);
            }
        }
    }
    return true;
}

/* What a patch of the board names, without the folders of another system; *stem is the same in
 * small letters and without ending. */
static bool split_name(const char *path, struct base_arena *arena, const char **file,
                       const char **stem)
{
    const char *slash = strrchr(path, '/');
    const char *other = strrchr(path, '\\');
    slash = slash == NULL || (other != NULL && other > slash) ? other : slash;
    *file = slash != NULL ? slash + 1 : path;
    const char *point = strrchr(*file, '.');
    const size_t size = point != NULL ? (size_t)(point - *file) : strlen(*file);
    char *text = base_arena_array(arena, size + 1, 1);
    for (size_t i = 0; text != NULL && i < size; i++) {
        const char c = (*file)[i];
        text[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    *stem = text;
    return text != NULL;
}

static bool take_images(const struct shading *shading)
{
    static_assert((int)PRESET_IMAGES <= (int)REND_PICTURES_MAX, "they are taken all at once");
    struct rend_patch *patch = shading->patch;
    struct rend_picture_request requests[PRESET_IMAGES];
    struct rend_resource *taken[PRESET_IMAGES];
    size_t numbers[PRESET_IMAGES];
    size_t count = 0;
    for (size_t i = 0; i < PRESET_IMAGES; i++) {
        struct rend_picture_request request = {.preset_path = shading->preset->path};
        const char *path = shading->preset->images[i];
        if (path != NULL) {
            if (!split_name(path, &patch->arena, &request.file, &request.name)) {
                return false;
            }
            numbers[count] = i;
            requests[count++] = request;
        }
    }
    const size_t memory = rend_resources_memory(shading->resources);
    const size_t used = patch->arena.used + (needs_buffers(patch) ? BUFFERS : 0);
    const size_t room = used + PICTURES_LEAST < memory ? memory - used : PICTURES_LEAST;
    bool whole = true;
    if (rend_resource_pictures(shading->resources, requests, count, room, taken, &whole,
                               shading->sink) != 0) {
        return false;
    }
    patch->status = whole ? patch->status : REND_PATCH_DEGRADED;
    for (size_t i = 0; i < count; i++) {
        patch->images.picture[numbers[i]] = taken[i];
    }
    return true;
}

static bool stage_of(const struct shading *shading, enum shader_stage stage, int32_t model)
{
    if (model == 0) {
        return true;
    }
    const struct base_source *text =
        rend_stage_text(stage, shading->preset, &shading->patch->arena);
    if (text == NULL) {
        return false;
    }
    struct rend_patch *patch = shading->patch;
    struct rend_shader *shader = &patch->shader[stage];
    shader->stage = rend_resource_stage(shading->resources, stage, text, shading->sink);
    if (shader->stage == NULL) {
        patch->status = REND_PATCH_DEGRADED;
        text = rend_fallback_stage(stage);
        shader->stage = rend_resource_stage(shading->resources, stage, text, shading->sink);
    }
    if (shader->stage == NULL) {
        return false;
    }
    shader->program = rend_resource_program(shader->stage);
    shader->line = text->count > 0 ? (unsigned)text->lines[0].line : 0;
    const int levels = shader_blur_levels(shader->program);
    patch->blur_levels = levels > patch->blur_levels ? levels : patch->blur_levels;
    const struct shader_binding *bindings;
    shader->textures = shader_bindings(shader->program, &bindings);
    for (size_t i = 0; i < shader->textures; i++) {
        if (!bind_texture(shading, shader, i, &bindings[i])) {
            return false;
        }
    }
    return true;
}

/* ---- all of it ---- */

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
        const struct rend_shader *shader = &patch->shader[i];
        for (size_t k = 0; k < shader->textures; k++) {
            if (shader->picture[k] != NULL) {
                hash = hash_whole(hash, rend_resource_content(shader->picture[k]));
            }
        }
    }
    for (size_t i = 0; i < PRESET_IMAGES; i++) {
        if (patch->images.picture[i] != NULL) {
            hash = hash_whole(hash, rend_resource_content(patch->images.picture[i]) + i);
        }
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
    base_arena_init(&patch->arena, rend_resources_memory(resources) - BUFFERS - PICTURES_LEAST);
    struct compiler compiler = {patch, dumper, sink, false};
    compiler.failed = !make_scopes(patch, preset);
    if (!compiler.failed) {
        compile_all(&compiler, preset);
        patch->own = families_assigned(&patch->frame) | families_assigned(&patch->vertex);
        for (size_t i = 0; i < PRESET_WAVES; i++) {
            patch->own |=
                families_assigned(&patch->wave_frame[i]) | families_assigned(&patch->wave_point[i]);
        }
        for (size_t i = 0; i < PRESET_SHAPES; i++) {
            patch->own |= families_assigned(&patch->shape[i]);
        }
    }
    /* What does not compile of the shaders falls back with a message, and the patch is degraded. */
    const bool shaders = preset->warp_shader != 0 || preset->comp_shader != 0;
    if (!compiler.failed && (shaders || patch->images.any) && resources == NULL) {
        patch->own_resources = rend_resources_create(NULL);
        resources = patch->own_resources;
    }
    const struct shading shading = {patch, preset, resources, sink};
    if (!compiler.failed && shaders) {
        compiler.failed =
            resources == NULL || !stage_of(&shading, SHADER_WARP, preset->warp_shader) ||
            !stage_of(&shading, SHADER_COMP, preset->comp_shader) || !take_pictures(&shading);
    }
    if (!compiler.failed && patch->images.any) {
        compiler.failed = resources == NULL || !take_images(&shading);
    }
    if (compiler.failed) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "not enough memory to compile the preset");
        rend_patch_free(patch);
        return NULL;
    }
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
    patch->content = content_of(patch, preset);
    return patch;
}

void rend_patch_free(struct rend_patch *patch)
{
    if (patch == NULL) {
        return;
    }
    for (size_t i = 0; i < SHADER_STAGES; i++) {
        struct rend_shader *shader = &patch->shader[i];
        for (size_t k = 0; k < shader->textures; k++) {
            rend_resource_release(shader->picture[k]);
        }
        rend_resource_release(shader->stage);
    }
    for (size_t i = 0; i < PRESET_IMAGES; i++) {
        rend_resource_release(patch->images.picture[i]);
    }
    rend_resources_free(patch->own_resources);
    base_arena_free(&patch->arena);
    free(patch);
}

enum rend_patch_status rend_patch_status(const struct rend_patch *patch)
{
    return patch->status;
}

unsigned rend_patch_line(const struct rend_patch *patch, enum rend_event event)
{
    return event == REND_EVENT_WARP_COST   ? patch->shader[SHADER_WARP].line
           : event == REND_EVENT_COMP_COST ? patch->shader[SHADER_COMP].line
                                           : 0;
}

bool rend_patch_has_shaders(const struct rend_patch *patch)
{
    return patch->shader[SHADER_WARP].program != NULL || patch->shader[SHADER_COMP].program != NULL;
}

double rend_patch_pixel_seconds(const struct rend_patch *patch)
{
    static const double fixed = 2e-9; /* a stage without a shader */
    static const double blurred = 0.6e-9;
    double seconds = patch->blur_levels > 0 ? blurred : 0;
    for (int i = 0; i < SHADER_STAGES; i++) {
        const struct shader_program *program = patch->shader[i].program;
        seconds += program == NULL ? fixed : 1e-9 * shader_stats(program).ms_per_megapixel;
    }
    return seconds;
}

uint64_t rend_patch_content(const struct rend_patch *patch)
{
    return patch->content;
}
