#include "board/patch/compile.h"

#include <string.h>

#include "board/step/step.h"
#include "renderer/frame/frame.h"

const struct board_reset board_resets[] = {
    {"zoom", true, 0},
    {"zoomexp", true, 0},
    {"rot", true, 0},
    {"warp", true, 0},
    {"cx", true, 0},
    {"cy", true, 0},
    {"dx", true, 0},
    {"dy", true, 0},
    {"sx", true, 0},
    {"sy", true, 0},
    {"fwarpanimspeed", true, 0},
    {"fwarpscale", true, 0},
    {"gamma", true, 0},
    {"brighten", true, 0},
    {"darken", true, 0},
    {"solarize", true, 0},
    {"invert", true, 0},
    {"darken_center", true, 0},
    {"progress", false, 0},
    {"meshx", false, BOARD_MESH},
    {"meshy", false, BOARD_MESH},
    {"pixelsx", false, BOARD_WIDTH},
    {"pixelsy", false, BOARD_HEIGHT},
    {"aspectx", false, 1},
    {"aspecty", false, 1},
};

const size_t board_reset_count = sizeof board_resets / sizeof *board_resets;

const char *board_q_name(int number, char name[BOARD_Q_NAME])
{
    char *at = name;
    *at++ = 'q';
    if (number >= 10) {
        *at++ = (char)('0' + number / 10 % 10);
    }
    *at++ = (char)('0' + number % 10);
    *at = '\0';
    return name;
}

/* Most names differ in their first letter. */
static bool same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

double board_stored(const struct preset *preset, const char *name)
{
    static const struct {
        const char *variable;
        const char *key;
    } others[] = {{"fwarpanimspeed", "fWarpAnimSpeed"},
                  {"fwarpscale", "fWarpScale"},
                  {"wave_scale", "fWaveScale"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        name = same(name, others[i].variable) ? others[i].key : name;
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group == PRESET_GROUP_PRESET &&
            (same(key->variable, name) || same(key->key, name))) {
            return preset_key_get(key, preset);
        }
    }
    return 0;
}

/* What per-frame and per-vertex equations of the board share (spec/flickernoise-patch-language.md
 * section 3). The last two are keys of the preset, which MilkDrop's equations cannot reach. */
static const char *const shared_names[] = {
#define REND_INPUT(name) #name,
#include "renderer/frame/inputs.def"
#define REND_GEOMETRY(name) #name,
#include "renderer/frame/inputs.def"
#define BOARD_CONTROL(name) #name,
#include "board/step/inputs.def"
    "zoom", "zoomexp", "rot", "warp",           "cx",        "cy", "dx",
    "dy",   "sx",      "sy",  "fwarpanimspeed", "fwarpscale"};

static void note(const struct preset *preset, const struct base_diag_sink *sink, bool is,
                 const char *what)
{
    if (is) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = preset->path},
                    "the rest of the preset is drawn", "the board draws no %s", what);
    }
}

bool board_common_init(struct board_common *common)
{
    *common = (struct board_common){.scope = NULL};
    common->scope = board_scope(NULL, &common->arena);
    common->motion = pfpu_motion_read(&common->arena);
    if (common->scope == NULL || common->motion == NULL) {
        board_common_free(common);
        return false;
    }
    return true;
}

void board_common_free(struct board_common *common)
{
    base_arena_free(&common->arena);
    *common = (struct board_common){.scope = NULL};
}

struct pfpu_scope *board_scope(const struct board_common *common, struct base_arena *arena)
{
    if (common != NULL) {
        return pfpu_scope_copy(common->scope, arena);
    }
    struct pfpu_scope *scope = pfpu_scope_create(arena);
    char name[BOARD_Q_NAME];
    bool good = scope != NULL;
    for (size_t i = 0; good && i < sizeof shared_names / sizeof *shared_names; i++) {
        good = pfpu_scope_declare(scope, shared_names[i]) >= 0;
    }
    for (int i = 1; good && i <= REND_QS; i++) {
        good = pfpu_scope_declare(scope, board_q_name(i, name)) >= 0;
    }
    return good ? scope : NULL;
}

enum pfpu_status board_compile(const struct preset *preset, const struct pfpu_target *target,
                               enum pfpu_board_scheduler scheduler, struct base_arena *arena,
                               const struct base_diag_sink *sink, struct pfpu_board **board)
{
    return board_compile_in(preset, target, scheduler, NULL, board_scope(NULL, arena), NULL, arena,
                            sink, board);
}

enum pfpu_status board_compile_in(const struct preset *preset, const struct pfpu_target *target,
                                  enum pfpu_board_scheduler scheduler,
                                  const struct board_common *common, struct pfpu_scope *frame_scope,
                                  const struct pfpu_dumper *dumper, struct base_arena *arena,
                                  const struct base_diag_sink *sink, struct pfpu_board **board)
{
    const struct pfpu_board_request request = {.target = target,
                                               .scheduler = scheduler,
                                               .frame_scope = frame_scope,
                                               .vertex_scope = board_scope(common, arena),
                                               .per_frame = &preset->per_frame,
                                               .per_vertex = &preset->per_vertex,
                                               .motion = common != NULL ? common->motion : NULL,
                                               .dumper = dumper};
    *board = NULL;
    if (request.frame_scope == NULL || request.vertex_scope == NULL) {
        return PFPU_NO_MEMORY;
    }
    const enum pfpu_status status = pfpu_board_compile(&request, arena, sink, board);
    if (status == PFPU_OK) {
        bool waves = false;
        bool shapes = false;
        for (size_t i = 0; i < PRESET_WAVES; i++) {
            waves = waves || preset->waves[i].enabled != 0;
        }
        for (size_t i = 0; i < PRESET_SHAPES; i++) {
            shapes = shapes || preset->shapes[i].enabled != 0;
        }
        note(preset, sink, preset->warp_shader != 0, "warp shader");
        note(preset, sink, preset->comp_shader != 0, "composite shader");
        note(preset, sink, waves, "custom waves");
        note(preset, sink, shapes, "custom shapes");
    }
    return status;
}
