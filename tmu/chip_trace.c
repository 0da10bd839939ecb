#include "tmu/chip.h"
#include "tmu/chip_walk.h"

enum { OPAQUE = 63 };

struct trace {
    const struct tmu_chip_registers *registers;
    const struct tmu_trace_sink *sink;
    int32_t u[TMU_CHIP_SIDE_MAX];
    int32_t v[TMU_CHIP_SIDE_MAX];
    struct tmu_fragment fragments[TMU_CHIP_SIDE_MAX];
};

_Static_assert((int)TMU_CHIP_SIDE_MAX <= (int)TMU_TRACE_ROW_MAX, "rows of squares are sent whole");

static struct tmu_fragment fragment_of(const struct tmu_chip_registers *registers, int32_t u,
                                       int32_t v)
{
    const uint32_t x = tmu_chip_place(u, registers->texhmask, registers->texhres);
    const uint32_t y = tmu_chip_place(v, registers->texvmask, registers->texvres);
    const uint32_t fraction = (1u << TMU_CHIP_FRACTION) - 1;
    return (struct tmu_fragment){
        .u = u,
        .v = v,
        .x = (uint16_t)(x >> TMU_CHIP_FRACTION),
        .y = (uint16_t)(y >> TMU_CHIP_FRACTION),
        .fx = (uint8_t)(x & fraction),
        .fy = (uint8_t)(y & fraction),
    };
}

static void send_row(void *user, const struct tmu_chip_row *row)
{
    struct trace *trace = user;
    tmu_chip_interp(trace->u, row->left.x, row->right.x, row->width);
    tmu_chip_interp(trace->v, row->left.y, row->right.y, row->width);
    for (unsigned i = 0; i < row->count; i++) {
        const unsigned at = row->first + i;
        trace->fragments[i] = fragment_of(trace->registers, trace->u[at], trace->v[at]);
    }
    const struct tmu_trace_row sent = {.inside = row->inside,
                                       .x = row->x,
                                       .y = row->y,
                                       .count = row->count,
                                       .fragments = trace->fragments};
    trace->sink->row(trace->sink->user, &sent);
}

/* Columns after which a mask repeats the texture, 0 if it keeps the sign or cuts otherwise. */
static uint32_t repeats(int32_t mask)
{
    const uint32_t period = (uint32_t)mask + 1;
    const bool wraps = (period & (uint32_t)mask) == 0 && period >> TMU_CHIP_FRACTION != 0 &&
                       period >> TMU_CHIP_COORDINATE_BITS == 0;
    return wraps ? period >> TMU_CHIP_FRACTION : 0;
}

void tmu_chip_trace(const struct tmu_chip_registers *registers,
                    const struct tmu_chip_vertex *vertices, const struct tmu_trace_sink *sink)
{
    const struct tmu_chip_registers kept = tmu_chip_keep(registers);
    if (!tmu_chip_draws(&kept)) {
        return;
    }
    const struct tmu_trace_run run = {
        .texture = (uint32_t)kept.texfbuf,
        .texture_width = (uint32_t)kept.texhres,
        .texture_height = (uint32_t)kept.texvres,
        .wrap_x = repeats(kept.texhmask),
        .wrap_y = repeats(kept.texvmask),
        .target = (uint32_t)kept.dstfbuf,
        .target_width = (uint32_t)kept.dsthres,
        .reads_target = kept.alpha != OPAQUE || (kept.flags & TMU_CHIP_ADDITIVE) != 0,
    };
    struct trace trace = {.registers = &kept, .sink = sink};
    sink->begin(sink->user, &run);
    tmu_chip_walk(&kept, vertices, send_row, &trace);
    sink->end(sink->user);
}
