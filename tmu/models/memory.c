#include "tmu/models/memory.h"

void tmu_dram_init(struct tmu_dram *dram, const struct tmu_arch *arch)
{
    *dram = (struct tmu_dram){.bank_count = arch->memory_banks,
                              .row_bytes = arch->memory_row_bytes,
                              .controller = arch->memory_latency,
                              .precharge = arch->memory_precharge,
                              .activate = arch->memory_activate,
                              .latency = {arch->memory_read_latency, arch->memory_write_latency},
                              .write_recovery = arch->memory_write_recovery,
                              .turnaround = arch->memory_turnaround,
                              .burst_words = arch->memory_burst_words,
                              .refresh_interval = arch->memory_refresh_interval,
                              .refresh_cycles = arch->memory_refresh_cycles,
                              .next_refresh = arch->memory_refresh_interval};
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Lets the refreshes that are due take their time. Those that came due while no access waited cost
 * nothing, but they closed the rows all the same. */
static uint64_t refresh(struct tmu_dram *dram, uint64_t time)
{
    if (dram->refresh_interval == 0 || time < dram->next_refresh) {
        return time;
    }
    const uint64_t last = time - (time - dram->next_refresh) % dram->refresh_interval;
    uint64_t begin = last;
    for (uint32_t i = 0; i < dram->bank_count; i++) {
        if (dram->banks[i].row != 0) {
            begin = later(begin, dram->banks[i].free);
            dram->banks[i].row = 0;
        }
    }
    dram->next_refresh = last + dram->refresh_interval;
    return later(time, begin + dram->precharge + dram->refresh_cycles);
}

uint64_t tmu_dram_access(struct tmu_dram *dram, uint64_t time, uint64_t address, bool write)
{
    const uint64_t row = address / dram->row_bytes;
    struct tmu_dram_bank *bank = &dram->banks[row % dram->bank_count];
    uint64_t command = refresh(dram, time + dram->controller);
    if (bank->row != row / dram->bank_count + 1) {
        if (bank->row != 0) {
            command = later(command, bank->free) + dram->precharge;
        }
        bank->row = row / dram->bank_count + 1;
        command += dram->activate;
    }
    const uint64_t turned = dram->data_free + (write != dram->wrote ? dram->turnaround : 0);
    const uint64_t first = later(command + dram->latency[write], turned);
    dram->data_free = first + dram->burst_words;
    dram->wrote = write;
    bank->free = dram->data_free + (write ? dram->write_recovery : 0);
    return first;
}

/* The screen lies apart from textures; its size is that of 640x480 pixels. */
static const uint64_t SCREEN = (uint64_t)1 << 40;
static const uint64_t SCREEN_BYTES = 640 * 480 * 2;

void tmu_bus_init(struct tmu_bus *bus, const struct tmu_arch *arch)
{
    *bus = (struct tmu_bus){.fixed = arch->memory_kind == TMU_MEMORY_FIXED,
                            .latency = arch->memory_latency,
                            .burst_words = arch->memory_burst_words,
                            .burst_bytes = arch->memory_burst_words * arch->memory_word_bytes,
                            .waiting = arch->memory_waiting,
                            .write_places = arch->target_waiting};
    tmu_dram_init(&bus->dram, arch);
    if (arch->background_bytes_per_second > 0) {
        bus->scan_period =
            arch->machine_clock * bus->burst_bytes / arch->background_bytes_per_second;
        bus->scan_due = bus->scan_period;
    }
}

/* From when on another transaction may be asked for. */
static uint64_t free_from(const struct tmu_bus *bus)
{
    return bus->accesses < bus->waiting
               ? 0
               : bus->firsts[(bus->accesses - bus->waiting) % TMU_BUS_WAITING] + 1;
}

/* One transaction. Returns the cycle behind its last word. */
static uint64_t serve(struct tmu_bus *bus, uint64_t time, uint64_t address, bool write)
{
    const uint64_t start = later(time, free_from(bus));
    uint64_t first;
    if (bus->fixed) {
        const uint64_t free = bus->accesses > 0 ? bus->last_first + bus->burst_words : 0;
        first = later(start + bus->latency, free);
    } else {
        first = tmu_dram_access(&bus->dram, start, address, write);
    }
    const uint64_t counted = bus->accesses > 0 ? later(start, bus->last_first + 1) : start;
    bus->busy += first - counted + 1;
    bus->waits += first - start;
    bus->firsts[bus->accesses++ % TMU_BUS_WAITING] = first;
    bus->last_first = first;
    return first + bus->burst_words;
}

static void serve_scan(struct tmu_bus *bus)
{
    const uint64_t busy = bus->busy;
    (void)serve(bus, (uint64_t)bus->scan_due, SCREEN + bus->scan_address, false);
    bus->scans++;
    bus->scan_busy += bus->busy - busy;
    bus->scan_due += bus->scan_period;
    bus->scan_address = (bus->scan_address + bus->burst_bytes) % SCREEN_BYTES;
}

/* Lets the scan take its turns before another transaction that is asked for at this time. One that
 * asks for more than there is cannot keep the others from it. */
static void scan_until(struct tmu_bus *bus, uint64_t time)
{
    if (bus->scan_period == 0) {
        return;
    }
    while (bus->scan_due < (double)time && free_from(bus) < time) {
        serve_scan(bus);
    }
    if (bus->scan_due <= (double)later(time, free_from(bus))) {
        serve_scan(bus);
    }
}

static void serve_write(struct tmu_bus *bus)
{
    const struct tmu_bus_write *write = &bus->writes[bus->written % TMU_BUS_WAITING];
    scan_until(bus, write->time);
    bus->write_ends[bus->written++ % TMU_BUS_WAITING] =
        serve(bus, write->time, write->address, true);
    bus->wrote = true;
}

/* Whether the oldest write comes before a read that is asked for at this time. */
static bool write_first(const struct tmu_bus *bus, uint64_t time)
{
    if (bus->posted == bus->written) {
        return false;
    }
    const uint64_t free = free_from(bus);
    const uint64_t read = later(time, free);
    const uint64_t write = later(bus->writes[bus->written % TMU_BUS_WAITING].time, free);
    return write < read || (write == read && !bus->wrote);
}

static uint64_t read_one(struct tmu_bus *bus, uint64_t time, uint64_t address)
{
    while (write_first(bus, time)) {
        serve_write(bus);
    }
    scan_until(bus, time);
    bus->wrote = false;
    return serve(bus, time, address, false);
}

uint64_t tmu_bus_read(struct tmu_bus *bus, uint64_t time, uint64_t address, uint32_t bytes)
{
    uint64_t end = read_one(bus, time, address);
    for (uint32_t done = bus->burst_bytes; done < bytes; done += bus->burst_bytes) {
        end = read_one(bus, time, address + done);
    }
    return end;
}

uint64_t tmu_bus_post(struct tmu_bus *bus, uint64_t time, uint64_t address)
{
    if (bus->posted - bus->written == bus->write_places) {
        serve_write(bus);
    }
    if (bus->posted >= bus->write_places) {
        time = later(time, bus->write_ends[(bus->posted - bus->write_places) % TMU_BUS_WAITING]);
    }
    bus->writes[bus->posted++ % TMU_BUS_WAITING] = (struct tmu_bus_write){time, address};
    return time;
}

uint64_t tmu_bus_drain(struct tmu_bus *bus, uint64_t time)
{
    while (bus->written < bus->posted) {
        serve_write(bus);
    }
    return bus->written > 0 ? later(time, bus->write_ends[(bus->written - 1) % TMU_BUS_WAITING])
                            : time;
}

void tmu_bus_scan(struct tmu_bus *bus, uint64_t transactions)
{
    for (uint64_t i = 0; i < transactions && bus->scan_period > 0; i++) {
        serve_scan(bus);
    }
}
