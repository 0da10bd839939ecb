#include "renderer/board.h"

#include "renderer/board_names.h"
#include "renderer/frame.h"

/* What per-frame and per-vertex equations of the board share (spec/flickernoise-patch-language.md
 * section 3). The last two are keys of the preset, which MilkDrop's equations cannot reach. */
static const char *const shared_names[] = {
#define REND_INPUT(name) #name,
#include "renderer/inputs.def"
#define REND_GEOMETRY(name) #name,
#include "renderer/inputs.def"
#define REND_BOARD_CONTROL(name) #name,
#include "renderer/board_inputs.def"
    "zoom", "zoomexp", "rot", "warp",           "cx",        "cy", "dx",
    "dy",   "sx",      "sy",  "fwarpanimspeed", "fwarpscale"};

static bool declare_shared(struct pfpu_scope *scope)
{
    char name[REND_BOARD_Q_NAME];
    bool good = scope != NULL;
    for (size_t i = 0; good && i < sizeof shared_names / sizeof *shared_names; i++) {
        good = pfpu_scope_declare(scope, shared_names[i]) >= 0;
    }
    for (int i = 1; good && i <= REND_QS; i++) {
        good = pfpu_scope_declare(scope, rend_board_q_name(i, name)) >= 0;
    }
    return good;
}

static void note(const struct preset *preset, const struct base_diag_sink *sink, bool is,
                 const char *what)
{
    if (is) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = preset->path},
                    "the rest of the preset is drawn", "the board draws no %s", what);
    }
}

static void note_missing(const struct preset *preset, const struct base_diag_sink *sink)
{
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

bool rend_board_common_init(struct rend_board_common *common)
{
    *common = (struct rend_board_common){.scope = NULL};
    common->scope = rend_board_scope(NULL, &common->arena);
    common->motion = pfpu_motion_read(&common->arena);
    if (common->scope == NULL || common->motion == NULL) {
        rend_board_common_free(common);
        return false;
    }
    return true;
}

void rend_board_common_free(struct rend_board_common *common)
{
    base_arena_free(&common->arena);
    *common = (struct rend_board_common){.scope = NULL};
}

struct pfpu_scope *rend_board_scope(const struct rend_board_common *common,
                                    struct base_arena *arena)
{
    if (common != NULL) {
        return pfpu_scope_copy(common->scope, arena);
    }
    struct pfpu_scope *scope = pfpu_scope_create(arena);
    return declare_shared(scope) ? scope : NULL;
}

enum pfpu_status rend_board_compile(const struct preset *preset, const struct pfpu_target *target,
                                    enum pfpu_board_scheduler scheduler, struct base_arena *arena,
                                    const struct base_diag_sink *sink, struct pfpu_board **board)
{
    return rend_board_compile_in(preset, target, scheduler, NULL, rend_board_scope(NULL, arena),
                                 arena, sink, board);
}

enum pfpu_status rend_board_compile_in(const struct preset *preset,
                                       const struct pfpu_target *target,
                                       enum pfpu_board_scheduler scheduler,
                                       const struct rend_board_common *common,
                                       struct pfpu_scope *frame_scope, struct base_arena *arena,
                                       const struct base_diag_sink *sink, struct pfpu_board **board)
{
    const struct pfpu_board_request request = {.target = target,
                                               .scheduler = scheduler,
                                               .frame_scope = frame_scope,
                                               .vertex_scope = rend_board_scope(common, arena),
                                               .per_frame = &preset->per_frame,
                                               .per_vertex = &preset->per_vertex,
                                               .motion = common != NULL ? common->motion : NULL};
    *board = NULL;
    if (request.frame_scope == NULL || request.vertex_scope == NULL) {
        return PFPU_NO_MEMORY;
    }
    const enum pfpu_status status = pfpu_board_compile(&request, arena, sink, board);
    if (status == PFPU_OK) {
        note_missing(preset, sink);
    }
    return status;
}
