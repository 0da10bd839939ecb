#include "tmu/sim_model.h"

enum { PIXEL_BYTES = 2 };

static uint64_t burst_of(const struct tmu_sim *sim, const struct tmu_sim_group *group, unsigned i)
{
    const uint64_t column = (uint32_t)group->x + i % 2;
    const uint64_t row = (uint32_t)group->y + i / 2;
    const uint64_t pixel = row * sim->run.target_width + column;
    return (sim->run.target + pixel * PIXEL_BYTES) / sim->arch.target_burst_bytes;
}

/* Blended pixels through the texels' own cache. */
static uint64_t read_cached(struct tmu_sim *sim, uint64_t address, uint64_t time)
{
    const uint64_t line = tmu_cache_line(&sim->first, address);
    const uint32_t slot = tmu_cache_find(&sim->first, line);
    if (slot == TMU_CACHE_NONE) {
        return tmu_sim_refill(sim, time + sim->arch.cache_miss_cycles, line);
    }
    tmu_cache_touch(&sim->first, slot);
    return tmu_sim_later(time + sim->arch.cache_hit_cycles, sim->arrivals[slot]);
}

uint64_t tmu_sim_target_read(struct tmu_sim *sim, const struct tmu_sim_group *group, uint64_t time)
{
    const bool reads = sim->run.reads_target && sim->arch.target_writes != TMU_WRITES_NONE;
    uint64_t end = time;
    for (unsigned i = 0; i < TMU_TEXELS_PIXELS && reads; i++) {
        if (group->texels.pixels[i] == NULL) {
            continue;
        }
        const uint64_t burst = burst_of(sim, group, i);
        if (sim->target.read[i / 2] == burst + 1) {
            continue;
        }
        sim->target.read[i / 2] = burst + 1;
        const uint32_t bytes = sim->arch.target_burst_bytes;
        end = sim->arch.target_cached_reads ? read_cached(sim, burst * bytes, end)
                                            : tmu_bus_read(&sim->bus, end, burst * bytes, bytes);
    }
    return end;
}

/* The burst leaves; the cache may have to know. */
static uint64_t write_burst(struct tmu_sim *sim, uint64_t burst, uint64_t time)
{
    const struct tmu_arch *arch = &sim->arch;
    const uint64_t begin = burst * arch->target_burst_bytes;
    const uint64_t end = begin + arch->target_burst_bytes;
    if (arch->target_writes != TMU_WRITES_BURSTS) {
        for (uint64_t byte = begin; byte < end; byte += arch->cache_line_bytes) {
            const uint64_t line = tmu_cache_line(&sim->first, byte);
            if (arch->target_writes == TMU_WRITES_INVALIDATE) {
                tmu_cache_drop(&sim->first, line);
            } else if (tmu_cache_find(&sim->first, line) != TMU_CACHE_NONE) {
                time += arch->cache_hit_cycles;
            }
        }
    }
    for (uint64_t byte = begin; byte < end; byte += sim->bus.burst_bytes) {
        time = tmu_bus_post(&sim->bus, time, byte);
    }
    return time;
}

uint64_t tmu_sim_target_write(struct tmu_sim *sim, const struct tmu_sim_group *group, uint64_t time)
{
    if (sim->arch.target_writes == TMU_WRITES_NONE) {
        return time;
    }
    for (unsigned i = 0; i < TMU_TEXELS_PIXELS; i++) {
        if (group->texels.pixels[i] == NULL) {
            continue;
        }
        const uint64_t burst = burst_of(sim, group, i);
        uint64_t *gathered = &sim->target.gathered[i / 2];
        if (*gathered != burst + 1) {
            time = *gathered != 0 ? write_burst(sim, *gathered - 1, time) : time;
            *gathered = burst + 1;
        }
    }
    return time;
}

uint64_t tmu_sim_target_end(struct tmu_sim *sim, uint64_t time)
{
    for (unsigned i = 0; i < TMU_SIM_ROWS; i++) {
        if (sim->target.gathered[i] != 0) {
            time = write_burst(sim, sim->target.gathered[i] - 1, time);
        }
    }
    sim->target = (struct tmu_sim_target){.gathered = {0}};
    return tmu_bus_drain(&sim->bus, time);
}
