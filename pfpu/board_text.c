#include <string.h>

#include "pfpu/board_work.h"
#include "pfpu/lower.h"
#include "pfpu/names.h"
#include "pfpu/node.h"
#include "pfpu/parse.h"
#include "pfpu/passes.h"

enum when { BEFORE, ANGLE, AFTER, SMALL };

static const struct {
    enum when when;
    const char *text;
} motion[] = {
#define PFPU_MOTION(when, text) {when, text},
#include "pfpu/motion.def"
};

enum { MOTIONS = sizeof motion / sizeof *motion };

struct pfpu_motion {
    struct pfpu_node *trees[MOTIONS];
};

struct pfpu_compilation pfpu_board_start(const struct pfpu_board_work *work,
                                         struct pfpu_scope *scope, const struct base_source *source)
{
    return (struct pfpu_compilation){.target = &pfpu_target_host,
                                     .scope = scope,
                                     .source = source,
                                     .arena = work->arena,
                                     .scratch = work->scratch,
                                     .sink = work->sink};
}

static bool simplify(const struct pfpu_board_work *work, struct pfpu_ir *ir)
{
    return pfpu_fold(ir, work->scratch) &&
           (work->plain || (pfpu_cse(ir, work->scratch) && pfpu_dce(ir, work->scratch)));
}

struct base_place pfpu_board_place(const struct pfpu_compilation *compilation, size_t offset)
{
    return pfpu_text_place(&compilation->text, offset);
}

/* The per-frame equations as one block; what makes that impossible sends them to the CPU. */
enum pfpu_status pfpu_board_read_frame(struct pfpu_board_work *work)
{
    struct pfpu_compilation *frame = &work->frame;
    struct pfpu_complaint complaint = {0};
    *frame = pfpu_board_start(work, work->request->frame_scope, work->request->per_frame);
    const enum pfpu_status status =
        work->request->per_frame == NULL ? PFPU_EMPTY : pfpu_compilation_read(frame);
    if (status != PFPU_OK) {
        return status == PFPU_EMPTY ? PFPU_OK : status;
    }
    work->has_frame = true;
    pfpu_ir_init(&frame->ir, work->scratch);
    if (pfpu_lower_straight(frame->tree, frame->scope, &frame->ir, work->scratch, &complaint)) {
        return simplify(work, &frame->ir) ? PFPU_OK : PFPU_NO_MEMORY;
    }
    if (!complaint.set) {
        return PFPU_NO_MEMORY;
    }
    work->frame_on_cpu = true;
    base_report(work->sink, BASE_NOTE, pfpu_board_place(frame, complaint.offset), complaint.hint,
                "the board's CPU computes the per-frame equations: %s", complaint.what);
    return PFPU_OK;
}

static bool append_tree(struct pfpu_node *all, struct pfpu_node **last, struct pfpu_node *tree)
{
    if (tree != NULL) {
        pfpu_node_append(all, *last, tree);
        *last = tree;
    }
    return tree != NULL;
}

static struct pfpu_node *parse_own(struct base_arena *arena, const char *text)
{
    struct pfpu_complaint complaint = {0};
    struct pfpu_text *own = base_arena_alloc(arena, sizeof *own);
    if (own == NULL) {
        return NULL;
    }
    *own = (struct pfpu_text){.data = text, .size = strlen(text), .end = strlen(text), .own = true};
    return pfpu_parse(own, arena, &complaint);
}

struct pfpu_motion *pfpu_motion_read(struct base_arena *arena)
{
    struct pfpu_motion *read = base_arena_alloc(arena, sizeof *read);
    for (size_t i = 0; read != NULL && i < MOTIONS; i++) {
        read->trees[i] = parse_own(arena, motion[i].text);
        read = read->trees[i] != NULL ? read : NULL;
    }
    return read;
}

/* A tree of the built-in equations, of which the root is this compilation's: statements are chained
 * through it. */
static struct pfpu_node *own_tree(const struct pfpu_board_work *work, size_t i)
{
    if (work->request->motion == NULL) {
        return parse_own(work->scratch, motion[i].text);
    }
    struct pfpu_node *root = base_arena_alloc(work->scratch, sizeof *root);
    if (root != NULL) {
        *root = *work->request->motion->trees[i];
    }
    return root;
}

static bool append_motion(const struct pfpu_board_work *work, struct pfpu_node *all,
                          struct pfpu_node **last, enum when when)
{
    bool good = true;
    for (size_t i = 0; good && i < MOTIONS; i++) {
        good = motion[i].when != when || append_tree(all, last, own_tree(work, i));
    }
    return good;
}

static bool is_name_part_at(const struct pfpu_text *text, size_t offset)
{
    return offset < text->size && pfpu_is_name_part(text->data[offset]);
}

static bool speaks_of(const struct pfpu_text *text, const char *name)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i + size <= text->size; i++) {
        const struct base_span here = {text->data + i, size};
        if (base_span_equal_nocase(here, base_span_of(name)) && !is_name_part_at(text, i + size) &&
            (i == 0 || !is_name_part_at(text, i - 1))) {
            return true;
        }
    }
    return false;
}

enum pfpu_status pfpu_board_read_vertex(struct pfpu_board_work *work)
{
    struct pfpu_compilation *vertex = &work->vertex;
    struct pfpu_complaint complaint = {0};
    *vertex = pfpu_board_start(work, work->request->vertex_scope, work->request->per_vertex);
    const enum pfpu_status status =
        work->request->per_vertex == NULL ? PFPU_EMPTY : pfpu_compilation_read(vertex);
    if (status != PFPU_OK && status != PFPU_EMPTY) {
        return status;
    }
    struct pfpu_node *all = pfpu_node_sequence(work->scratch, 0);
    struct pfpu_node *last = NULL;
    if (all == NULL || !append_motion(work, all, &last, BEFORE) ||
        (status == PFPU_OK && speaks_of(&vertex->text, "ang") &&
         !append_motion(work, all, &last, ANGLE)) ||
        (status == PFPU_OK && !append_tree(all, &last, vertex->tree)) ||
        !append_motion(work, all, &last, work->plain ? AFTER : SMALL)) {
        return PFPU_NO_MEMORY;
    }
    pfpu_ir_init(&vertex->ir, work->scratch);
    if (!pfpu_lower_straight(all, vertex->scope, &vertex->ir, work->scratch, &complaint)) {
        return pfpu_compilation_refuse(vertex, &complaint);
    }
    return simplify(work, &vertex->ir) ? PFPU_OK : PFPU_NO_MEMORY;
}
