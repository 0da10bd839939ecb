/* The executor: runs the code of a program over a tile, and that of a frame over one scalar. */
#include <assert.h>
#include <string.h>

#include "renderer/shader/run/kernels.h"
#include "renderer/shader/shader.h"

/* What code runs on: bases are those of registers and of scalars. */
struct machine {
    const struct shader_frame *frame;
    const struct shader_kernels *kernels;
    const struct shader_read_kernels *reads;
    unsigned char *bases[2];
    size_t count; /* lanes */
};

static inline float *lanes_at(const struct machine *machine, shader_place place)
{
    return (float *)(machine->bases[place >> 31] + (place & ~SHADER_PLACE_SCALAR));
}

static inline struct shader_lanes lanes_of(const struct machine *machine, shader_place place)
{
    static const size_t steps[2] = {SHADER_LANES, 0};
    return (struct shader_lanes){lanes_at(machine, place), steps[place >> 31]};
}

/* Prepares three arguments always, which is cheaper than to count them: those that an operation
 * does not have are place 0. */
static inline void compute(const struct machine *machine, const struct shader_code *code)
{
    const struct shader_lanes arguments[] = {
        lanes_of(machine, code->argument[0]),
        lanes_of(machine, code->argument[1]),
        lanes_of(machine, code->argument[2]),
    };
    machine->kernels->compute[code->op](lanes_at(machine, code->result[0]), arguments,
                                        machine->count);
}

/* An argument that only some reads have. */
static inline struct shader_lanes lanes_if(const struct machine *machine, bool there,
                                           shader_place place)
{
    return there ? lanes_of(machine, place) : (struct shader_lanes){NULL, 0};
}

static inline float *result_of(const struct machine *machine, shader_place place)
{
    return place == SHADER_PLACE_NONE ? NULL : lanes_at(machine, place);
}

static void read_texture(const struct machine *machine, const struct shader_code *code)
{
    const struct shader_fetch *fetch = &machine->frame->program->ir.fetches[code->index];
    const unsigned op = code->op;
    const bool volume = op >= SHADER_CODE_READ3;
    const shader_place last = code->argument[volume ? 3 : 2];
    const struct shader_read read = {
        .texture = machine->frame->textures[fetch->binding],
        .sampler = fetch->sampler,
        .volume = volume,
        .count = machine->count,
        .u = lanes_of(machine, code->argument[0]),
        .v = lanes_of(machine, code->argument[1]),
        .w = lanes_if(machine, volume, code->argument[2]),
        .bias =
            lanes_if(machine, op == SHADER_CODE_READ2_BIAS || op == SHADER_CODE_READ3_BIAS, last),
        .detail =
            lanes_if(machine, op == SHADER_CODE_READ2_LOD || op == SHADER_CODE_READ3_LOD, last),
        .result = {result_of(machine, code->result[0]), result_of(machine, code->result[1]),
                   result_of(machine, code->result[2]), result_of(machine, code->result[3])},
    };
    machine->reads->read(&read);
}

static bool any_lane(const struct machine *machine, shader_place place)
{
    const struct shader_lanes truth = lanes_of(machine, place);
    return machine->kernels->any(&truth, truth.step == 0 ? SHADER_LANES : machine->count);
}

/* The instruction behind a jump. */
static size_t jump(const struct machine *machine, const struct shader_code *code, size_t at,
                   size_t *budget)
{
    const struct shader_code *from = code + at;
    if (from->op == SHADER_CODE_JUMP_NONE) {
        return any_lane(machine, from->argument[0]) ? at + 1 : from->target;
    }
    if (from->op == SHADER_CODE_JUMP_ALL) {
        const struct shader_lanes truth = lanes_of(machine, from->argument[0]);
        const size_t count = truth.step == 0 ? SHADER_LANES : machine->count;
        return machine->kernels->all(&truth, count) ? from->target : at + 1;
    }
    assert(from->op == SHADER_CODE_ROUND_END && from->target <= at);
    const size_t spent = at + 1 - from->target;
    if (!any_lane(machine, from->argument[0])) {
        return at + 1;
    }
    if (*budget < spent) {
        *budget = 0;
        return at + 1;
    }
    *budget -= spent;
    return from->target;
}

/* false if the budget was used up. */
static bool run(const struct machine *machine, const struct shader_code *code, size_t count)
{
    size_t budget = SHADER_BUDGET;
    for (size_t at = 0; at < count;) {
        const unsigned op = code[at].op;
        if (op < SHADER_CODE_READ2) {
            compute(machine, code + at);
            at++;
        } else if (op < SHADER_CODE_JUMP_NONE) {
            read_texture(machine, code + at);
            at++;
        } else {
            at = jump(machine, code, at, &budget);
        }
    }
    return budget > 0;
}

bool shader_run(const struct shader_frame *frame, void *scratch, struct shader_tile *tile)
{
    const struct shader_program *program = frame->program;
    const struct machine machine = {
        .frame = frame,
        .kernels = shader_kernels_for(frame->cpu),
        .reads = shader_read_for(frame->cpu),
        .bases = {scratch, (unsigned char *)frame->constants},
        .count = SHADER_TILE,
    };
    const bool whole = run(&machine, program->pixel, program->pixel_count);
    for (int i = 0; i < 3; i++) {
        tile->ret[i] = lanes_at(&machine, program->ret[i]);
    }
    return whole;
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
        .bases = {(unsigned char *)frame->constants, (unsigned char *)frame->constants},
        .count = SHADER_LANES,
    };
    (void)run(&machine, program->frame, program->frame_count);
}
