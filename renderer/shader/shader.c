/* A compiled stage: how text becomes one, what can be asked of it, and the executor, which runs its
 * code over a tile, and that of a frame over one scalar. */
#include "renderer/shader/shader.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/code/code.h"
#include "renderer/shader/lower/lower.h"
#include "renderer/shader/native/native.h"
#include "renderer/shader/run/kernels.h"

static void report_whole(const struct base_source *source, const struct base_diag_sink *sink,
                         const char *what, const char *hint)
{
    const struct base_place place = {
        .file = source->file,
        .line = source->count > 0 ? source->lines[0].line : 0,
        .column = source->count > 0 ? source->lines[0].column : 0,
    };
    base_report(sink, BASE_ERROR, place, hint, "%s", what);
}

struct shader_program *shader_compile(enum shader_stage stage, const struct base_source *source,
                                      const struct base_diag_sink *sink)
{
    struct shader_program *program = calloc(1, sizeof *program);
    if (program == NULL) {
        report_whole(source, sink, "no memory for the shader", NULL);
        return NULL;
    }
    program->stage = stage;
    struct base_arena scratch = {.newest = NULL};
    struct shader_ir ir;
    shader_ir_init(&ir, &scratch);
    bool done = shader_lower(&ir, stage, source, sink);
    if (done) {
        shader_ir_finish(&ir);
        if (ir.failed) {
            report_whole(source, sink, "the shader is too large or memory is short",
                         "shorten its loops or its functions");
            done = false;
        }
    }
    if (done) {
        assert(shader_ir_verify(&ir) == NULL);
        /* The list as it came out of the passes is kept in the program's memory, so that what the
         * way there took can be given back. */
        struct shader_instruction *list =
            base_arena_array(&program->arena, ir.count, sizeof *ir.list);
        if (list != NULL && ir.count > 0) {
            memcpy(list, ir.list, ir.count * sizeof *list);
        }
        program->ir = ir;
        program->ir.arena = &program->arena;
        program->ir.list = list;
        program->ir.capacity = ir.count;
        program->ir.table = NULL;
        done = list != NULL && shader_emit(program);
        if (!done) {
            report_whole(source, sink, "no memory for the shader", NULL);
        }
    }
    base_arena_free(&scratch);
    if (done && program->registers > SHADER_REGISTERS_MAX) {
        report_whole(source, sink, "the shader keeps too many numbers at a time",
                     "use shorter arrays");
        done = false;
    }
    if (!done) {
        shader_free(program);
        return NULL;
    }
    shader_native_make(program);
    return program;
}

void shader_free(struct shader_program *program)
{
    if (program != NULL) {
        shader_native_free(program);
        base_arena_free(&program->arena);
        free(program);
    }
}

size_t shader_bindings(const struct shader_program *program, const struct shader_binding **bindings)
{
    *bindings = program->ir.bindings;
    return program->ir.binding_count;
}

bool shader_reads_input(const struct shader_program *program, enum shader_input input)
{
    return program->input[input] >= 0;
}

int shader_blur_levels(const struct shader_program *program)
{
    const struct shader_ir *ir = &program->ir;
    int levels = 0;
    for (size_t i = 0; i < ir->count; i++) {
        if (shader_op_reads(ir->list[i].op)) {
            const unsigned binding = ir->fetches[ir->list[i].index].binding;
            const int level = shader_blur_level(ir->bindings[binding].name);
            levels = level > levels ? level : levels;
        }
    }
    return levels;
}

struct shader_stats shader_stats(const struct shader_program *program)
{
    return program->stats;
}

const char *shader_dump(const struct shader_program *program, struct base_arena *arena)
{
    return shader_ir_dump(&program->ir, arena);
}

/* aligned_alloc wants whole multiples of the alignment. */
static size_t rounded_size(size_t size)
{
    return size == 0 ? 64 : (size + 63) / 64 * 64;
}

size_t shader_scratch_size(const struct shader_program *program)
{
    return rounded_size(program->registers * SHADER_REGISTER_SIZE +
                        program->scalars * SHADER_SCALAR_SIZE);
}

size_t shader_constants_size(const struct shader_program *program)
{
    return rounded_size(program->scalars * SHADER_SCALAR_SIZE);
}

struct shader_tile shader_tile(const struct shader_frame *frame, void *scratch)
{
    const struct shader_program *program = frame->program;
    struct shader_tile tile = {.input = {NULL}, .left = INT64_MAX};
    unsigned char *registers = scratch;
    for (int i = 0; i < SHADER_INPUTS; i++) {
        if (program->input[i] >= 0) {
            tile.input[i] = (float *)(registers + (size_t)program->input[i] * SHADER_REGISTER_SIZE);
        }
    }
    for (int i = 0; i < 3; i++) {
        tile.ret[i] = (const float *)(registers + program->ret[i]);
    }
    memcpy(registers + program->registers * SHADER_REGISTER_SIZE, frame->constants,
           program->scalars * SHADER_SCALAR_SIZE);
    return tile;
}

/* ---- running ---- */

/* What code runs on; places count from the base. */
struct machine {
    const struct shader_frame *frame;
    const struct shader_kernels *kernels;
    const struct shader_read_kernels *reads;
    struct shader_native native; /* run NULL: kernels do all */
    unsigned char *base;
    size_t count; /* lanes */
};

static inline float *lanes_at(const struct machine *machine, shader_place place)
{
    return (float *)(machine->base + place);
}

static inline struct shader_lanes lanes_of(const struct machine *machine,
                                           const struct shader_code *code, size_t argument)
{
    const bool equal = (code->equal >> argument & 1) != 0;
    return (struct shader_lanes){lanes_at(machine, code->argument[argument]),
                                 equal ? 0 : SHADER_LANES};
}

/* Carries out operations that compute, up to the next other one, which it returns. Gives four
 * arguments always, which is cheaper than to count them: those that an operation does not have are
 * place 0. */
static inline const struct shader_code *compute(const struct machine *machine,
                                                const struct shader_code *code,
                                                const struct shader_code *end)
{
    const shader_kernel(*const kernels)[SHADER_KERNEL_CHOICES] = machine->kernels->compute;
    unsigned char *const base = machine->base;
    const size_t count = machine->count;
    for (; code < end && code->op < SHADER_CODE_READ2; code++) {
        if (code->run > 0 && machine->native.run != NULL) {
            machine->native.run[code->target](base, base, machine->native.numbers);
            code += code->run - 1;
            continue;
        }
        kernels[code->op][code->equal](
            (float *)(base + code->result[0]), (const float *)(base + code->argument[0]),
            (const float *)(base + code->argument[1]), (const float *)(base + code->argument[2]),
            (const float *)(base + code->argument[3]), count);
    }
    return code;
}

/* An argument that only some reads have. */
static inline struct shader_lanes lanes_if(const struct machine *machine, bool there,
                                           const struct shader_code *code, size_t argument)
{
    return there ? lanes_of(machine, code, argument) : (struct shader_lanes){NULL, 0};
}

static inline float *result_of(const struct machine *machine, shader_place place)
{
    return place == SHADER_PLACE_NONE ? NULL : lanes_at(machine, place);
}

/* What a read costs beside at most: where neighbouring pixels read texels that lie far apart in a
 * texture that is larger than the processor's caches. */
static int64_t most_scatter_cost(const struct shader_texture *texture)
{
    enum { SMALL = 1 << 18, TEXELS = 1 << 11, MOST = 6000 };
    const struct shader_level *level = &texture->level[0];
    const int64_t texels = (int64_t)level->width * level->height;
    if (texels < SMALL) {
        return 0;
    }
    return texels / TEXELS < MOST ? texels / TEXELS : MOST;
}

/* What it costs beside. Some pixels are looked at, the same on every machine. */
static int64_t scatter_cost(const struct shader_read *read)
{
    enum { LOOKED_AT = 8 };
    /* With the next one each; all over the tile, at different places of their groups of lanes. */
    static const uint8_t looked_at[LOOKED_AT] = {0, 41, 82, 99, 140, 181, 198, 232};
    const struct shader_level *level = &read->texture->level[0];
    const int64_t each = most_scatter_cost(read->texture);
    if (each == 0 || read->count < SHADER_TILE || (read->u.step == 0 && read->v.step == 0)) {
        return 0;
    }
    const float columns = 16 / (float)level->width;
    const float rows = 4 / (float)level->height;
    const size_t u_lanes = read->u.step != 0 ? SHADER_TILE - 1 : SHADER_LANES - 1;
    const size_t v_lanes = read->v.step != 0 ? SHADER_TILE - 1 : SHADER_LANES - 1;
    int scattered = 0;
    for (size_t k = 0; k < LOOKED_AT; k++) {
        const float *u = read->u.at + (looked_at[k] & u_lanes);
        const float *v = read->v.at + (looked_at[k] & v_lanes);
        scattered += (fabsf(u[1] - u[0]) > columns) | (fabsf(v[1] - v[0]) > rows);
    }
    return each * scattered / LOOKED_AT;
}

/* Returns what it costs beside its price. */
static int64_t read_texture(const struct machine *machine, const struct shader_code *code)
{
    const struct shader_fetch *fetch = &machine->frame->program->ir.fetches[code->index];
    const unsigned op = code->op;
    const bool volume = op >= SHADER_CODE_READ3;
    const size_t last = volume ? 3 : 2;
    const struct shader_read read = {
        .texture = machine->frame->textures[fetch->binding],
        .sampler = fetch->sampler,
        .volume = volume,
        .grid = code->grid && machine->count == SHADER_TILE,
        .count = machine->count,
        .u = lanes_of(machine, code, 0),
        .v = lanes_of(machine, code, 1),
        .w = lanes_if(machine, volume, code, 2),
        .bias = lanes_if(machine, op == SHADER_CODE_READ2_BIAS || op == SHADER_CODE_READ3_BIAS,
                         code, last),
        .detail = lanes_if(machine, op == SHADER_CODE_READ2_LOD || op == SHADER_CODE_READ3_LOD,
                           code, last),
        .result = {result_of(machine, code->result[0]), result_of(machine, code->result[1]),
                   result_of(machine, code->result[2]), result_of(machine, code->result[3])},
    };
    /* Results may take the place of coordinates. */
    const int64_t cost = read.texture == NULL || volume ? 0 : scatter_cost(&read);
    machine->reads->read(&read);
    return cost;
}

static bool any_lane(const struct machine *machine, const struct shader_code *jump)
{
    const struct shader_lanes truth = lanes_of(machine, jump, 0);
    return machine->kernels->any(&truth, truth.step == 0 ? SHADER_LANES : machine->count);
}

/* What a run may still spend. */
struct purse {
    size_t budget;  /* instructions in loops */
    int64_t left;   /* cost; negative: used up */
    int64_t needed; /* cost of what is left to do if no loop goes round again; at most */
    uint32_t paid;  /* where the next part that is not paid begins, as shader_code.cost */
};

/* The instruction behind a jump. */
static size_t jump(const struct machine *machine, const struct shader_code *code, size_t at,
                   struct purse *purse)
{
    const struct shader_code *from = code + at;
    if (from->op == SHADER_CODE_JUMP_NONE) {
        return any_lane(machine, from) ? at + 1 : from->target;
    }
    if (from->op == SHADER_CODE_JUMP_ALL) {
        const struct shader_lanes truth = lanes_of(machine, from, 0);
        const size_t count = truth.step == 0 ? SHADER_LANES : machine->count;
        return machine->kernels->all(&truth, count) ? from->target : at + 1;
    }
    assert(from->op == SHADER_CODE_ROUND_END && from->target <= at);
    const size_t spent = at + 1 - from->target;
    if (!any_lane(machine, from)) {
        return at + 1;
    }
    purse->left = purse->left < purse->needed ? -1 : purse->left;
    if (purse->budget < spent || purse->left < 0) {
        purse->budget = 0;
        return at + 1;
    }
    purse->budget -= spent;
    return from->target;
}

static void run(const struct machine *machine, const struct shader_code *code, size_t count,
                struct purse *purse)
{
    const struct shader_code *const end = code + count;
    for (const struct shader_code *at = code; (at = compute(machine, at, end)) < end;) {
        if (at->op < SHADER_CODE_JUMP_NONE) {
            purse->left -= read_texture(machine, at);
            at++;
        } else {
            purse->left -= at->cost - purse->paid;
            at = code + jump(machine, code, (size_t)(at - code), purse);
            purse->paid = at > code ? at[-1].cost : 0;
        }
    }
    purse->left -= (count > 0 ? end[-1].cost : 0) - purse->paid;
}

int64_t shader_cost(const struct shader_program *program)
{
    return program->pixel_count > 0 ? program->pixel[program->pixel_count - 1].cost : 0;
}

int64_t shader_most_cost(const struct shader_frame *frame)
{
    const struct shader_program *program = frame->program;
    int64_t cost = shader_cost(program);
    for (size_t i = 0; i < program->pixel_count; i++) {
        const struct shader_code *code = &program->pixel[i];
        if (code->op >= SHADER_CODE_READ2 && code->op < SHADER_CODE_READ3) {
            const struct shader_texture *texture =
                frame->textures[program->ir.fetches[code->index].binding];
            cost += texture != NULL ? most_scatter_cost(texture) : 0;
        }
    }
    return cost;
}

const struct shader_ir *shader_list(const struct shader_program *program)
{
    return &program->ir;
}

bool shader_run(const struct shader_frame *frame, void *scratch, struct shader_tile *tile)
{
    const struct shader_program *program = frame->program;
    const struct machine machine = {
        .frame = frame,
        .kernels = shader_kernels_for(frame->cpu),
        .reads = shader_read_for(frame->cpu),
        .native = program->native[frame->cpu],
        .base = scratch,
        .count = SHADER_TILE,
    };
    for (int i = 0; i < 3; i++) {
        tile->ret[i] = lanes_at(&machine, program->ret[i]);
    }
    struct purse purse = {SHADER_BUDGET, tile->left, shader_cost(program), 0};
    if (purse.left < purse.needed) {
        tile->left = -1;
        return true;
    }
    run(&machine, program->pixel, program->pixel_count, &purse);
    tile->left = purse.left;
    return purse.budget > 0;
}

static void fill_scalar(struct shader_frame *frame, size_t scalar, const float *number)
{
    for (size_t i = 0; i < SHADER_LANES; i++) {
        /* Truths are no numbers: their bits are to stay. */
        memcpy(frame->constants + scalar * SHADER_LANES + i, number, sizeof *number);
    }
}

void shader_prepare(struct shader_frame *frame)
{
    const struct shader_program *program = frame->program;
    for (size_t i = 0; i < program->number_count; i++) {
        fill_scalar(frame, i, program->numbers + i);
    }
    for (size_t i = 0; i < program->uniform_count; i++) {
        const size_t index = program->uniforms[i].index;
        float number = 0;
        if (index < SHADER_SLOTS) {
            number = frame->uniforms[index];
        } else if (frame->textures[(index - SHADER_SLOTS) / 4] != NULL) {
            /* Width, height and one part by each, of the binding's largest level. */
            const struct shader_level *level =
                &frame->textures[(index - SHADER_SLOTS) / 4]->level[0];
            const size_t part = (index - SHADER_SLOTS) % 4;
            const float size = (float)(part % 2 == 0 ? level->width : level->height);
            number = part < 2 ? size : 1 / size;
        }
        fill_scalar(frame, program->uniforms[i].scalar, &number);
    }
    const struct machine machine = {
        .frame = frame,
        .kernels = shader_kernels_for(frame->cpu),
        .reads = shader_read_for(frame->cpu),
        .base = (unsigned char *)frame->constants,
        .count = SHADER_LANES,
    };
    struct purse purse = {SHADER_BUDGET, INT64_MAX, 0, 0};
    run(&machine, program->frame, program->frame_count, &purse);
}
