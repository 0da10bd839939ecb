#include "tmu/sim_model.h"

enum { BANKS = 256 };

/* How often the fullest bank is asked for; 0 if there are no banks. */
static uint32_t fullest_bank(const struct tmu_arch *arch, const struct tmu_texel *texels,
                             unsigned count)
{
    const uint32_t columns = 1u << arch->requests_bank_x_bits;
    const uint32_t rows = 1u << arch->requests_bank_y_bits;
    uint8_t asked[BANKS] = {0};
    uint32_t most = 0;
    for (unsigned i = 0; i < count && columns * rows > 1; i++) {
        const uint32_t bank = texels[i].y % rows * columns + texels[i].x % columns;
        asked[bank]++;
        most = asked[bank] > most ? asked[bank] : most;
    }
    return most;
}

/* Cycles in which the requests are looked up, without misses, as many at once as there are ports
 * and banks. */
static uint32_t parallel_cycles(struct tmu_sim *sim, const struct tmu_texel *texels, unsigned count)
{
    const struct tmu_arch *arch = &sim->arch;
    const uint32_t by_port = (count + arch->requests_ports - 1) / arch->requests_ports;
    const uint32_t by_bank = fullest_bank(arch, texels, count);
    const uint32_t turns = by_port > by_bank ? by_port : by_bank;
    sim->counts.conflicts += (turns - 1) * arch->cache_hit_cycles;
    return turns * arch->cache_hit_cycles;
}

/* One by one past the register of the last line. */
static uint32_t serial_cycles(struct tmu_sim *sim, const struct tmu_texel *texels, unsigned count)
{
    const struct tmu_arch *arch = &sim->arch;
    uint32_t cycles = 0;
    uint32_t first = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t line = tmu_cache_line(&sim->first, texels[i].address) + 1;
        cycles += line == sim->last_line ? arch->cache_repeat_cycles : arch->cache_hit_cycles;
        first = i == 0 ? cycles : first;
        sim->last_line = line;
    }
    sim->counts.conflicts += cycles - first;
    return cycles;
}

/* Requests, and hits before anything is refilled for this group (spec/tmu.md section 6). */
static void count_requests(struct tmu_sim *sim, const struct tmu_texel *texels, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t line = tmu_cache_line(&sim->first, texels[i].address);
        const bool hit = tmu_cache_find(&sim->first, line) != TMU_CACHE_NONE;
        sim->counts.requests[texels[i].channel]++;
        sim->counts.hits[texels[i].channel] += hit;
    }
}

/* A miss must wait if as many lines as may are still on their way. */
static uint64_t fetch(struct tmu_sim *sim, uint64_t time, uint64_t line)
{
    const struct tmu_arch *arch = &sim->arch;
    uint64_t begin = time;
    if (sim->fetches >= arch->cache_misses) {
        begin = tmu_sim_later(begin,
                              sim->fetched[(sim->fetches - arch->cache_misses) % TMU_BUS_WAITING]);
    }
    const uint64_t end = tmu_sim_refill(sim, begin + arch->cache_miss_cycles, line);
    sim->fetched[sim->fetches++ % TMU_BUS_WAITING] = end;
    if (arch->cache_waiting == TMU_WAITING_QUEUE) {
        sim->counts.stalls += begin - time;
        sim->now = tmu_sim_later(sim->now, begin);
    }
    return end;
}

/* Refills in the order of the requests: each is looked up again after those before it. Returns when
 * the last of the group's lines has come. */
static uint64_t use_lines(struct tmu_sim *sim, const struct tmu_texel *texels, unsigned count,
                          uint64_t time)
{
    const bool blocking = sim->arch.cache_waiting == TMU_WAITING_BLOCKING;
    uint64_t last = time;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t line = tmu_cache_line(&sim->first, texels[i].address);
        const uint32_t slot = tmu_cache_find(&sim->first, line);
        if (slot == TMU_CACHE_NONE) {
            const uint64_t from = blocking ? last : tmu_sim_later(time, sim->now);
            last = tmu_sim_later(last, fetch(sim, from, line));
        } else {
            tmu_cache_touch(&sim->first, slot);
            last = tmu_sim_later(last, sim->arrivals[slot]);
        }
    }
    return last;
}

/* A queue of groups, all of them in their order: there is room when the one that is so many groups
 * ahead has left. */
static void enter_queue(struct tmu_sim *sim)
{
    const uint32_t places = sim->arch.cache_queue;
    if (sim->arch.cache_waiting == TMU_WAITING_QUEUE && sim->groups >= places) {
        const uint64_t left = sim->outs[(sim->groups - places) % TMU_SIM_WAITING];
        if (left > sim->now) {
            sim->counts.stalls += left - sim->now;
            sim->now = left;
        }
    }
}

/* A group that waits keeps a register until its texels have come; the others go on. */
static void wait_in_register(struct tmu_sim *sim, uint64_t end)
{
    unsigned earliest = 0;
    for (unsigned i = 1; i < sim->arch.cache_misses; i++) {
        earliest = sim->outs[i] < sim->outs[earliest] ? i : earliest;
    }
    if (sim->outs[earliest] > sim->now) {
        sim->counts.stalls += sim->outs[earliest] - sim->now;
        sim->now = sim->outs[earliest];
    }
    sim->outs[earliest] = tmu_sim_later(end, sim->now);
}

/* From when on the next group may be looked up, and when this one leaves. */
static uint64_t leave(struct tmu_sim *sim, uint64_t looked_up, uint64_t end)
{
    sim->now = tmu_sim_later(sim->now, looked_up);
    switch (sim->arch.cache_waiting) {
    case TMU_WAITING_QUEUE:
        end = tmu_sim_later(end, sim->last_out + 1);
        sim->outs[sim->groups % TMU_SIM_WAITING] = end;
        break;
    case TMU_WAITING_REGISTERS:
        if (end > looked_up) {
            wait_in_register(sim, end);
        }
        break;
    default:
        sim->counts.stalls += end - looked_up;
        sim->now = end;
        break;
    }
    sim->last_out = tmu_sim_later(sim->last_out, end);
    sim->groups++;
    return end;
}

uint64_t tmu_sim_texels(struct tmu_sim *sim, const struct tmu_texel_group *group)
{
    struct tmu_texel texels[TMU_TEXELS_MAX];
    const unsigned count = tmu_texel_requests(&sim->map, group, texels);
    enter_queue(sim);
    const uint32_t cycles = sim->arch.cache_last_line ? serial_cycles(sim, texels, count)
                                                      : parallel_cycles(sim, texels, count);
    count_requests(sim, texels, count);
    const uint64_t looked_up = sim->now + cycles;
    return leave(sim, looked_up, use_lines(sim, texels, count, looked_up));
}
