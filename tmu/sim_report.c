#include "tmu/sim_model.h"

enum { IDLE_ACCESSES = 4096 };

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double hit_rate(const struct tmu_sim_report *report)
{
    uint64_t requests = 0;
    uint64_t hits = 0;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        requests += report->requests[i];
        hits += report->hits[i];
    }
    return ratio((double)hits, (double)requests);
}

/* What the bus was used for, in all. */
struct usage {
    double accesses;
    double busy;
    double waits;
};

static struct usage usage_of(const struct tmu_bus *bus)
{
    return (struct usage){(double)bus->accesses, (double)bus->busy, (double)bus->waits};
}

/* While the machine has nothing to do, the screen is still scanned: some accesses are made, the
 * others are like them. */
static void add_idle_scan(struct usage *usage, const struct tmu_bus *bus, double cycles)
{
    if (bus->scan_period <= 0 || cycles <= 0) {
        return;
    }
    const double accesses = cycles / bus->scan_period;
    const uint64_t tried = accesses < IDLE_ACCESSES ? (uint64_t)accesses : IDLE_ACCESSES;
    struct tmu_bus idle = *bus;
    const struct usage before = usage_of(&idle);
    tmu_bus_scan(&idle, tried);
    const struct usage after = usage_of(&idle);
    const double times = ratio(accesses, (double)tried);
    usage->accesses += (after.accesses - before.accesses) * times;
    usage->busy += (after.busy - before.busy) * times;
    usage->waits += (after.waits - before.waits) * times;
}

struct tmu_sim_report tmu_sim_report(const struct tmu_sim *sim, double seconds)
{
    const struct tmu_arch *arch = &sim->arch;
    const double clock = arch->machine_clock;
    struct tmu_sim_report report = sim->counts;
    report.cycles = sim->now;
    const double cycles = (double)report.cycles;
    const double all = seconds * clock > cycles ? seconds * clock : cycles;
    struct usage usage = usage_of(&sim->bus);
    add_idle_scan(&usage, &sim->bus, all - cycles);

    const double words = arch->memory_burst_words;
    const double peak = clock * arch->memory_word_bytes;
    report.bus_accesses = (uint64_t)usage.accesses;
    report.bus_busy = (uint64_t)usage.busy;
    report.scans = sim->bus.scans;
    report.scan_busy = sim->bus.scan_busy;
    report.bus_words = report.bus_accesses * arch->memory_burst_words;
    report.hit_rate = hit_rate(&report);
    report.megapixels = ratio((double)report.pixels * clock, cycles) / 1e6;
    report.bandwidth = ratio(usage.accesses * words * arch->memory_word_bytes * clock, all);
    report.occupancy = ratio(usage.busy, all);
    report.access_time = ratio(usage.waits, usage.accesses);
    const double share = arch->memory_waiting * words / (report.access_time + 1);
    report.bandwidth_bound = (share < 1 ? share : 1) * peak;
    return report;
}
