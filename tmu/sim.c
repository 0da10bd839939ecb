#include "tmu/sim.h"

#include <stdlib.h>
#include <string.h>

#include "tmu/sim_model.h"

_Static_assert((int)TMU_REPLACE_LRU == (int)TMU_REPLACE_SECOND_LRU &&
                   (int)TMU_REPLACE_PAIRS == (int)TMU_REPLACE_SECOND_PAIRS &&
                   (int)TMU_REPLACE_ROUND_ROBIN == (int)TMU_REPLACE_SECOND_ROUND_ROBIN,
               "both levels know the same words");

static bool make_caches(struct tmu_sim *sim)
{
    const struct tmu_arch *arch = &sim->arch;
    const struct tmu_cache_shape first = {arch->cache_bytes, arch->cache_line_bytes,
                                          arch->cache_ways,
                                          (enum tmu_arch_cache_replacement)arch->cache_replacement};
    const struct tmu_cache_shape second = {
        arch->second_bytes, arch->second_line_bytes, arch->second_ways,
        (enum tmu_arch_cache_replacement)arch->second_replacement};
    if (!tmu_cache_init(&sim->first, &first)) {
        return false;
    }
    sim->arrivals = calloc(sim->first.lines, sizeof *sim->arrivals);
    if (sim->arrivals == NULL || second.bytes == 0) {
        return sim->arrivals != NULL;
    }
    if (!tmu_cache_init(&sim->second, &second)) {
        return false;
    }
    sim->second_arrivals = calloc(sim->second.lines, sizeof *sim->second_arrivals);
    return sim->second_arrivals != NULL;
}

struct tmu_sim *tmu_sim_create(const struct tmu_arch *arch)
{
    struct tmu_sim *sim = calloc(1, sizeof *sim);
    if (sim == NULL) {
        return NULL;
    }
    sim->arch = *arch;
    tmu_bus_init(&sim->bus, arch);
    if (!make_caches(sim)) {
        tmu_sim_free(sim);
        return NULL;
    }
    return sim;
}

void tmu_sim_free(struct tmu_sim *sim)
{
    if (sim == NULL) {
        return;
    }
    tmu_cache_free(&sim->first);
    tmu_cache_free(&sim->second);
    free(sim->arrivals);
    free(sim->second_arrivals);
    free(sim);
}

static void take_group(struct tmu_sim *sim, const struct tmu_sim_group *group)
{
    const bool queued = sim->arch.cache_waiting == TMU_WAITING_QUEUE;
    const uint64_t texels = tmu_sim_texels(sim, &group->texels);
    const uint64_t pixels = tmu_sim_target_read(sim, group, texels);
    const uint64_t written = tmu_sim_target_write(sim, group, pixels);
    if (written > texels) {
        sim->last_out = tmu_sim_later(sim->last_out, written);
        if (queued) {
            sim->outs[(sim->groups - 1) % TMU_SIM_WAITING] = written;
        } else {
            const uint64_t behind = tmu_sim_later(sim->now, written);
            sim->counts.stalls += behind - sim->now;
            sim->now = behind;
        }
    }
    for (unsigned i = 0; i < TMU_TEXELS_PIXELS; i++) {
        sim->counts.pixels += group->texels.pixels[i] != NULL;
    }
}

/* Rows are set up one after the other, each behind the pixels of the one before. */
static void begin_rows(struct tmu_sim *sim, uint32_t rows)
{
    sim->now = tmu_sim_later(sim->now, sim->row_ready);
    sim->row_ready = sim->now + (uint64_t)rows * sim->arch.machine_row_setup;
}

static void take_pixels(struct tmu_sim *sim, const struct tmu_trace_row *row)
{
    begin_rows(sim, 1);
    for (size_t i = 0; i < row->count; i++) {
        const struct tmu_sim_group group = {
            .texels.pixels = {&row->fragments[i]}, .x = row->x + (int)i, .y = row->y};
        take_group(sim, &group);
    }
}

static const struct tmu_fragment *pixel_at(const struct tmu_trace_row *row, int x)
{
    const bool inside = row != NULL && x >= row->x && x - row->x < (int)row->count;
    return inside ? &row->fragments[x - row->x] : NULL;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Quads begin where the longer row begins: at the left edge of the rectangle, or where it is cut.
 * One of the rows may be NULL. */
static void take_quads(struct tmu_sim *sim, const struct tmu_trace_row *upper,
                       const struct tmu_trace_row *lower)
{
    const struct tmu_trace_row *one = upper != NULL ? upper : lower;
    const struct tmu_trace_row *other = lower != NULL ? lower : upper;
    const int begin = smaller(one->x, other->x);
    const int end = -smaller(-(one->x + (int)one->count), -(other->x + (int)other->count));
    begin_rows(sim, upper != NULL && lower != NULL ? 2 : 1);
    for (int x = begin; x < end; x += 2) {
        const struct tmu_sim_group group = {
            .texels.pixels = {pixel_at(upper, x), pixel_at(upper, x + 1), pixel_at(lower, x),
                              pixel_at(lower, x + 1)},
            .x = x,
            .y = upper != NULL ? upper->y : lower->y - 1};
        take_group(sim, &group);
    }
}

static void take_row_above(struct tmu_sim *sim)
{
    if (sim->above.row.count > 0) {
        take_quads(sim, &sim->above.row, NULL);
        sim->above.row.count = 0;
    }
}

static void keep_row(struct tmu_sim *sim, const struct tmu_trace_row *row)
{
    sim->above.row = *row;
    sim->above.row.fragments = sim->above.fragments;
    memcpy(sim->above.fragments, row->fragments, row->count * sizeof *row->fragments);
}

/* Does the row that waits stand right above this one, in the same rectangle? */
static bool fits_below(const struct tmu_trace_row *above, const struct tmu_trace_row *row)
{
    return above->count > 0 && above->inside + 1 == row->inside && above->y + 1 == row->y &&
           above->x < row->x + (int)row->count && row->x < above->x + (int)above->count;
}

static void take_row_of_quads(struct tmu_sim *sim, const struct tmu_trace_row *row)
{
    if (row->inside % 2 != 0 && fits_below(&sim->above.row, row)) {
        take_quads(sim, &sim->above.row, row);
        sim->above.row.count = 0;
        return;
    }
    take_row_above(sim);
    if (row->inside % 2 != 0) {
        take_quads(sim, NULL, row);
    } else {
        keep_row(sim, row);
    }
}

static void begin(void *user, const struct tmu_trace_run *run)
{
    struct tmu_sim *sim = user;
    sim->run = *run;
    tmu_texel_map_init(&sim->map, &sim->arch, run);
    if (sim->arch.cache_flush) {
        tmu_cache_flush(&sim->first);
        if (sim->second.lines > 0) {
            tmu_cache_flush(&sim->second);
        }
    }
    sim->last_line = 0;
    sim->row_ready = sim->now + sim->arch.machine_row_setup;
}

static void row(void *user, const struct tmu_trace_row *row)
{
    struct tmu_sim *sim = user;
    if (sim->arch.requests_group == TMU_GROUP_QUAD) {
        take_row_of_quads(sim, row);
    } else {
        take_pixels(sim, row);
    }
}

static void end(void *user)
{
    struct tmu_sim *sim = user;
    take_row_above(sim);
    const uint64_t done = tmu_sim_later(sim->now, sim->last_out);
    sim->now = tmu_sim_target_end(sim, done);
}

struct tmu_trace_sink tmu_sim_sink(struct tmu_sim *sim)
{
    return (struct tmu_trace_sink){sim, begin, row, end};
}
