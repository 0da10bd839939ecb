#include "tmu/sim_model.h"

/* Through the second level: its line holds that of the first. */
static uint64_t read_second(struct tmu_sim *sim, uint64_t time, uint64_t address)
{
    const struct tmu_arch *arch = &sim->arch;
    const uint64_t line = tmu_cache_line(&sim->second, address);
    const uint32_t slot = tmu_cache_find(&sim->second, line);
    time = tmu_sim_later(time, sim->second_free);
    sim->second_free = time + arch->second_line_cycles;
    if (slot != TMU_CACHE_NONE) {
        tmu_cache_touch(&sim->second, slot);
        return tmu_sim_later(time + arch->second_hit_cycles, sim->second_arrivals[slot]);
    }
    const uint64_t end = tmu_bus_read(&sim->bus, time + arch->second_hit_cycles,
                                      line * arch->second_line_bytes, arch->second_line_bytes);
    sim->second_arrivals[tmu_cache_replace(&sim->second, line)] = end;
    return end;
}

uint64_t tmu_sim_refill(struct tmu_sim *sim, uint64_t time, uint64_t line)
{
    const uint32_t slot = tmu_cache_replace(&sim->first, line);
    const uint64_t address = line * sim->arch.cache_line_bytes;
    const uint64_t end = sim->second.lines > 0
                             ? read_second(sim, time, address)
                             : tmu_bus_read(&sim->bus, time, address, sim->arch.cache_line_bytes);
    sim->arrivals[slot] = end;
    sim->counts.refills++;
    return end;
}
