/* All times here are cycles since the model was created. */
#include "tmu/models/sim.h"

#include <stdlib.h>
#include <string.h>

#include "tmu/models/memory.h"

enum { WAITING = 256, UNITS = 8 };

/* Bursts of the target that are being gathered, or were read last: one for each row of a group. */
enum { ROWS = 2 };
struct target {
    uint64_t gathered[ROWS]; /* number of the burst + 1; 0: none */
    uint64_t read[ROWS];
};

/* A row that waits for the one below it. */
struct kept_row {
    struct tmu_trace_row row;
    struct tmu_fragment fragments[TMU_TRACE_ROW_MAX];
};

/* Pixels that are worked on together, and where the first of them goes. */
struct group {
    struct tmu_texel_group texels;
    int x;
    int y;
};

struct tmu_sim {
    struct tmu_arch arch;
    struct tmu_sim *units[UNITS]; /* the first one is the model itself; the others are owned */
    struct tmu_trace_run run;
    struct tmu_texel_map map;
    struct tmu_cache first;
    struct tmu_cache second; /* without lines: none */
    struct tmu_bus bus;
    struct target target;
    struct kept_row above; /* count 0: none */

    uint64_t *arrivals;        /* of the line in each slot of the first level */
    uint64_t last_line;        /* of the register, + 1; 0: none */
    uint64_t *second_arrivals; /* as arrivals, of the second level; NULL: none */
    uint64_t second_free;      /* when the second level takes another request */
    uint64_t now;              /* when the next group may ask for its texels */
    uint64_t row_ready;        /* when the next row of a rectangle has been set up */
    uint64_t last_out;         /* when the last group had its texels */
    uint64_t groups;           /* taken */
    uint64_t outs[WAITING];    /* queue: of the last groups; registers: when each is free */
    uint64_t fetches;
    uint64_t fetched[TMU_BUS_WAITING]; /* when the last lines had come; queue: were taken over */

    struct tmu_sim_report counts; /* nothing derived yet */
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Reads a line into the first level, through the second if there is one, whose lines hold those of
 * the first. Returns when the line has come. */
static uint64_t refill(struct tmu_sim *sim, uint64_t time, uint64_t line)
{
    const struct tmu_arch *arch = &sim->arch;
    sim->first.cycle = time;
    const uint32_t slot = tmu_cache_replace(&sim->first, line);
    const uint64_t address = line * arch->cache_line_bytes;
    uint64_t end;
    if (sim->second.lines == 0) {
        end = tmu_bus_read(&sim->bus, TMU_BUS_REFILLS, time, address, arch->cache_line_bytes);
    } else {
        const uint64_t second_line = tmu_cache_line(&sim->second, address);
        const uint32_t second_slot = tmu_cache_find(&sim->second, second_line);
        time = later(time, sim->second_free);
        sim->second_free = time + arch->second_line_cycles;
        if (second_slot != TMU_CACHE_NONE) {
            tmu_cache_touch(&sim->second, second_slot);
            end = later(time + arch->second_hit_cycles, sim->second_arrivals[second_slot]);
        } else {
            end = tmu_bus_read(&sim->bus, TMU_BUS_REFILLS, time + arch->second_hit_cycles,
                               second_line * arch->second_line_bytes, arch->second_line_bytes);
            sim->second.cycle = time;
            sim->second_arrivals[tmu_cache_replace(&sim->second, second_line)] = end;
        }
    }
    sim->arrivals[slot] = end;
    sim->counts.refills++;
    return end;
}

enum { PIXEL_BYTES = 2 };

static uint64_t burst_of(const struct tmu_sim *sim, const struct group *group, unsigned i)
{
    const uint64_t column = (uint32_t)group->x + i % 2;
    const uint64_t row = (uint32_t)group->y + i / 2;
    const uint64_t pixel = row * sim->run.target_width + column;
    return (sim->run.target + pixel * PIXEL_BYTES) / sim->arch.target_burst_bytes;
}

/* Reads what a group needs of the target, past the cache of the texels or through it. Returns when
 * it is there. */
static uint64_t read_target(struct tmu_sim *sim, const struct group *group, uint64_t time)
{
    const struct tmu_arch *arch = &sim->arch;
    const bool reads = sim->run.reads_target && arch->target_writes != TMU_WRITES_NONE;
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
        const uint64_t address = burst * arch->target_burst_bytes;
        if (!arch->target_cached_reads) {
            end = tmu_bus_read(&sim->bus, TMU_BUS_TARGET, end + arch->target_read_cycles, address,
                               arch->target_burst_bytes);
            continue;
        }
        const uint64_t line = tmu_cache_line(&sim->first, address);
        const uint32_t slot = tmu_cache_find(&sim->first, line);
        if (slot == TMU_CACHE_NONE) {
            end = refill(sim, end + arch->cache_miss_cycles, line);
        } else {
            tmu_cache_touch(&sim->first, slot);
            end = later(end + arch->cache_hit_cycles, sim->arrivals[slot]);
        }
    }
    return end;
}

/* Writes a burst to memory, and tells the cache if the machine does so. */
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

/* Gathers the pixels of a group that are done. Returns from when on the machine goes on. */
static uint64_t write_target(struct tmu_sim *sim, const struct group *group, uint64_t time)
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
            if (*gathered != 0) {
                time = write_burst(sim, *gathered - 1, time) + sim->arch.target_burst_cycles;
            }
            *gathered = burst + 1;
        }
    }
    return time;
}

enum { BANKS = 256 };

/* Cycles in which the requests of a group are looked up, without misses: one by one past the
 * register of the last line, or as many at once as there are ports and banks. */
static uint32_t look_up_cycles(struct tmu_sim *sim, const struct tmu_texel *texels, unsigned count)
{
    const struct tmu_arch *arch = &sim->arch;
    if (arch->cache_last_line) {
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
    const uint32_t columns = 1u << arch->requests_bank_x_bits;
    const uint32_t rows = 1u << arch->requests_bank_y_bits;
    uint8_t asked[BANKS] = {0};
    uint32_t turns = (count + arch->requests_ports - 1) / arch->requests_ports;
    for (unsigned i = 0; i < count && columns * rows > 1; i++) {
        const uint32_t bank = texels[i].y % rows * columns + texels[i].x % columns;
        asked[bank]++;
        turns = asked[bank] > turns ? asked[bank] : turns;
    }
    sim->counts.conflicts += (turns - 1) * arch->cache_hit_cycles;
    return turns * arch->cache_hit_cycles;
}

/* What became of a group's lines. */
struct fetched {
    unsigned lines; /* that were refilled */
    uint64_t end;   /* when its texels can be read */
};

/* Refills lines in the order of the requests: each is looked up again after those before it, and a
 * miss must wait if as many lines as may are still on their way. Behind a queue lines are taken
 * over group by group, one after the other, before the group is read. */
static struct fetched use_lines(struct tmu_sim *sim, const struct tmu_texel *texels, unsigned count,
                                uint64_t time)
{
    const struct tmu_arch *arch = &sim->arch;
    const bool queued = arch->cache_waiting == TMU_WAITING_QUEUE;
    const bool blocking = arch->cache_waiting == TMU_WAITING_BLOCKING;
    struct fetched fetched = {.end = time};
    uint64_t taken = later(time, sim->last_out + 1);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t line = tmu_cache_line(&sim->first, texels[i].address);
        const uint32_t slot = tmu_cache_find(&sim->first, line);
        if (slot != TMU_CACHE_NONE) {
            tmu_cache_touch(&sim->first, slot);
            fetched.end = later(fetched.end, sim->arrivals[slot]);
            continue;
        }
        const uint64_t asked = blocking ? fetched.end : later(time, sim->now);
        uint64_t begin = asked;
        if (sim->fetches >= arch->cache_misses) {
            const uint64_t earlier = sim->fetches - arch->cache_misses;
            begin = later(begin, sim->fetched[earlier % TMU_BUS_WAITING]);
        }
        uint64_t end = refill(sim, begin + arch->cache_miss_cycles, line);
        if (queued) {
            taken = later(fetched.lines > 0 ? taken + arch->cache_fill_cycles : taken, end);
            end = taken;
            sim->counts.stalls += begin - asked;
            sim->now = later(sim->now, begin);
        }
        fetched.lines++;
        sim->fetched[sim->fetches++ % TMU_BUS_WAITING] = end;
        fetched.end = later(fetched.end, end);
    }
    if (queued && fetched.lines > 0) {
        fetched.end = later(fetched.end, taken + arch->cache_retry_cycles);
    }
    return fetched;
}

/* Takes the texels of one group: counts, refills, time. Returns when the last has come. */
static uint64_t take_texels(struct tmu_sim *sim, const struct tmu_texel_group *group)
{
    const struct tmu_arch *arch = &sim->arch;
    struct tmu_texel texels[TMU_TEXELS_MAX];
    const unsigned count = tmu_texel_requests(&sim->map, group, texels);
    /* A queue of groups keeps their order: it has room when the group that is so many places ahead
     * has left. */
    if (arch->cache_waiting == TMU_WAITING_QUEUE && sim->groups >= arch->cache_queue) {
        const uint64_t left = sim->outs[(sim->groups - arch->cache_queue) % WAITING];
        if (left > sim->now) {
            sim->counts.stalls += left - sim->now;
            sim->now = left;
        }
    }
    const uint32_t cycles = look_up_cycles(sim, texels, count);
    /* Hits are counted before anything is refilled for this group (spec/tmu.md section 6). */
    for (unsigned i = 0; i < count; i++) {
        const uint64_t line = tmu_cache_line(&sim->first, texels[i].address);
        sim->counts.requests[texels[i].channel]++;
        sim->counts.hits[texels[i].channel] += tmu_cache_find(&sim->first, line) != TMU_CACHE_NONE;
    }
    const uint64_t looked_up = sim->now + cycles;
    const struct fetched fetched = use_lines(sim, texels, count, looked_up);
    uint64_t end = fetched.end;
    sim->now = later(sim->now, looked_up);
    if (arch->cache_waiting == TMU_WAITING_QUEUE) {
        /* The tags of several lines are written one after the other. */
        const uint32_t written = fetched.lines > 1 ? fetched.lines * arch->cache_tag_cycles : 0;
        sim->now += written;
        sim->counts.conflicts += written;
        end = later(end, sim->last_out + 1);
        sim->outs[sim->groups % WAITING] = end;
    } else if (arch->cache_waiting != TMU_WAITING_REGISTERS) {
        sim->counts.stalls += end - looked_up;
        sim->now = end;
    } else if (end > looked_up) {
        /* A group that waits keeps a register until its texels have come; the others go on. */
        unsigned earliest = 0;
        for (unsigned i = 1; i < arch->cache_misses; i++) {
            earliest = sim->outs[i] < sim->outs[earliest] ? i : earliest;
        }
        if (sim->outs[earliest] > sim->now) {
            sim->counts.stalls += sim->outs[earliest] - sim->now;
            sim->now = sim->outs[earliest];
        }
        sim->outs[earliest] = later(end, sim->now);
    }
    sim->last_out = later(sim->last_out, end);
    sim->groups++;
    return end;
}

enum { IDLE_ACCESSES = 4096 };

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
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

/* Units work side by side: what they count is added up, and the longest time is that of all. */
static void add_unit(struct tmu_sim_report *report, struct usage *usage, const struct tmu_sim *unit)
{
    const struct tmu_sim_report *counts = &unit->counts;
    const struct usage own = usage_of(&unit->bus);
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        report->requests[i] += counts->requests[i];
        report->hits[i] += counts->hits[i];
    }
    report->pixels += counts->pixels;
    report->refills += counts->refills;
    report->conflicts += counts->conflicts;
    report->stalls += counts->stalls;
    report->cycles = later(report->cycles, unit->now);
    usage->accesses += own.accesses;
    usage->busy += own.busy;
    usage->waits += own.waits;
}

struct tmu_sim_report tmu_sim_report(const struct tmu_sim *sim, double seconds)
{
    const struct tmu_arch *arch = &sim->arch;
    const double clock = arch->machine_clock;
    struct tmu_sim_report report = {.pixels = 0};
    struct usage usage = {0};
    for (uint32_t i = 0; i < arch->machine_units; i++) {
        add_unit(&report, &usage, sim->units[i]);
    }
    const double cycles = (double)report.cycles;
    const double all = seconds * clock > cycles ? seconds * clock : cycles;
    /* While the machine has nothing to do, the screen is still scanned: some accesses are made, the
     * others are like them. */
    if (sim->bus.scan_period > 0 && all > cycles) {
        const double accesses = (all - cycles) / sim->bus.scan_period;
        const uint64_t tried = accesses < IDLE_ACCESSES ? (uint64_t)accesses : IDLE_ACCESSES;
        const double times = ratio(accesses, (double)tried);
        struct tmu_bus idle = sim->bus;
        const struct usage before = usage_of(&idle);
        tmu_bus_scan(&idle, tried);
        const struct usage after = usage_of(&idle);
        usage.accesses += (after.accesses - before.accesses) * times;
        usage.busy += (after.busy - before.busy) * times;
        usage.waits += (after.waits - before.waits) * times;
    }
    uint64_t requests = 0;
    uint64_t hits = 0;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        requests += report.requests[i];
        hits += report.hits[i];
    }

    const double words = arch->memory_burst_words;
    const double peak =
        clock * arch->memory_word_bytes * arch->memory_channels * arch->machine_units;
    report.bus_accesses = (uint64_t)usage.accesses;
    report.bus_busy = (uint64_t)usage.busy;
    report.scans = sim->bus.scans;
    report.scan_busy = sim->bus.scan_busy;
    report.bus_words = report.bus_accesses * arch->memory_burst_words;
    report.hit_rate = ratio((double)hits, (double)requests);
    report.megapixels = ratio((double)report.pixels * clock, cycles) / 1e6;
    report.bandwidth = ratio(usage.accesses * words * arch->memory_word_bytes * clock, all);
    report.occupancy = ratio(usage.busy, all * arch->machine_units);
    report.access_time = ratio(usage.waits, usage.accesses);
    const double share =
        arch->memory_waiting * words / (report.access_time + 1) / arch->memory_channels;
    report.bandwidth_bound = (share < 1 ? share : 1) * peak;
    return report;
}

_Static_assert((int)TMU_REPLACE_LRU == (int)TMU_REPLACE_SECOND_LRU &&
                   (int)TMU_REPLACE_PAIRS == (int)TMU_REPLACE_SECOND_PAIRS &&
                   (int)TMU_REPLACE_CLOCKED_PAIRS == (int)TMU_REPLACE_SECOND_CLOCKED_PAIRS &&
                   (int)TMU_REPLACE_CLOCKED_PAIRS == (int)TMU_REPLACE_SECOND_CLOCKED_PAIRS &&
                   (int)TMU_REPLACE_ROUND_ROBIN == (int)TMU_REPLACE_SECOND_ROUND_ROBIN,
               "both levels know the same words");

struct tmu_sim *tmu_sim_create(const struct tmu_arch *arch)
{
    const struct tmu_cache_shape first = {arch->cache_bytes, arch->cache_line_bytes,
                                          arch->cache_ways,
                                          (enum tmu_arch_cache_replacement)arch->cache_replacement};
    const struct tmu_cache_shape second = {
        arch->second_bytes, arch->second_line_bytes, arch->second_ways,
        (enum tmu_arch_cache_replacement)arch->second_replacement};
    struct tmu_sim *sim = calloc(1, sizeof *sim);
    if (sim == NULL) {
        return NULL;
    }
    sim->arch = *arch;
    tmu_bus_init(&sim->bus, arch);
    bool whole = tmu_cache_init(&sim->first, &first);
    if (whole) {
        sim->arrivals = calloc(sim->first.lines, sizeof *sim->arrivals);
        whole = sim->arrivals != NULL;
    }
    if (whole && second.bytes > 0) {
        whole = tmu_cache_init(&sim->second, &second);
    }
    if (whole && second.bytes > 0) {
        sim->second_arrivals = calloc(sim->second.lines, sizeof *sim->second_arrivals);
        whole = sim->second_arrivals != NULL;
    }
    sim->units[0] = sim;
    struct tmu_arch single = *arch;
    single.machine_units = 1;
    for (uint32_t i = 1; whole && i < arch->machine_units; i++) {
        sim->units[i] = tmu_sim_create(&single);
        whole = sim->units[i] != NULL;
    }
    if (!whole) {
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
    for (unsigned i = 1; i < UNITS; i++) {
        tmu_sim_free(sim->units[i]);
    }
    free(sim);
}

static void take_group(struct tmu_sim *sim, const struct group *group)
{
    const bool queued = sim->arch.cache_waiting == TMU_WAITING_QUEUE;
    const uint64_t texels = take_texels(sim, &group->texels);
    const uint64_t pixels = read_target(sim, group, texels);
    const uint64_t written = write_target(sim, group, pixels);
    if (written > texels) {
        sim->last_out = later(sim->last_out, written);
        if (queued) {
            sim->outs[(sim->groups - 1) % WAITING] = written;
        } else {
            const uint64_t behind = later(sim->now, written);
            sim->counts.stalls += behind - sim->now;
            sim->now = behind;
        }
    }
    for (unsigned i = 0; i < TMU_TEXELS_PIXELS; i++) {
        sim->counts.pixels += group->texels.pixels[i] != NULL;
    }
}

/* The unit to which a column of pixels belongs. */
static struct tmu_sim *unit_at(struct tmu_sim *sim, int x)
{
    const uint32_t part = (uint32_t)x / sim->arch.machine_unit_columns;
    return sim->units[part % sim->arch.machine_units];
}

/* Rows are set up one after the other, each behind the pixels of the one before; a cycle of it, in
 * which the row is handed over, cannot be hidden. */
static void begin_rows(struct tmu_sim *sim, uint32_t rows)
{
    for (uint32_t i = 0; i < sim->arch.machine_units; i++) {
        struct tmu_sim *unit = sim->units[i];
        const uint32_t setup = unit->arch.machine_row_setup;
        unit->now = later(unit->now, unit->row_ready);
        unit->row_ready = unit->now + (uint64_t)rows * setup;
        unit->now += setup > 0 ? 1 : 0;
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
        const struct group group = {.texels.pixels = {pixel_at(upper, x), pixel_at(upper, x + 1),
                                                      pixel_at(lower, x), pixel_at(lower, x + 1)},
                                    .x = x,
                                    .y = upper != NULL ? upper->y : lower->y - 1};
        take_group(unit_at(sim, x), &group);
    }
}

static void take_row_above(struct tmu_sim *sim)
{
    if (sim->above.row.count > 0) {
        take_quads(sim, &sim->above.row, NULL);
        sim->above.row.count = 0;
    }
}

static void begin_unit(struct tmu_sim *sim, const struct tmu_trace_run *run)
{
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

static void begin(void *user, const struct tmu_trace_run *run)
{
    struct tmu_sim *sim = user;
    for (uint32_t i = 0; i < sim->arch.machine_units; i++) {
        begin_unit(sim->units[i], run);
    }
}

/* Takes a row of pixels. In quads, an even row waits for the one below it in its rectangle. */
static void row(void *user, const struct tmu_trace_row *row)
{
    struct tmu_sim *sim = user;
    if (sim->arch.requests_group != TMU_GROUP_QUAD) {
        begin_rows(sim, 1);
        for (size_t i = 0; i < row->count; i++) {
            const struct group group = {
                .texels.pixels = {&row->fragments[i]}, .x = row->x + (int)i, .y = row->y};
            take_group(unit_at(sim, group.x), &group);
        }
        return;
    }
    const struct tmu_trace_row *above = &sim->above.row;
    const bool fits = above->count > 0 && above->inside + 1 == row->inside &&
                      above->y + 1 == row->y && above->x < row->x + (int)row->count &&
                      row->x < above->x + (int)above->count;
    if (row->inside % 2 != 0 && fits) {
        take_quads(sim, above, row);
        sim->above.row.count = 0;
        return;
    }
    take_row_above(sim);
    if (row->inside % 2 != 0) {
        take_quads(sim, NULL, row);
    } else {
        sim->above.row = *row;
        sim->above.row.fragments = sim->above.fragments;
        memcpy(sim->above.fragments, row->fragments, row->count * sizeof *row->fragments);
    }
}

/* Every pixel that was gathered is written. */
static void end_unit(struct tmu_sim *sim)
{
    uint64_t time = later(sim->now, sim->last_out);
    for (unsigned i = 0; i < ROWS; i++) {
        if (sim->target.gathered[i] != 0) {
            time = write_burst(sim, sim->target.gathered[i] - 1, time);
        }
    }
    sim->target = (struct target){.gathered = {0}};
    sim->now = tmu_bus_drain(&sim->bus, time);
}

/* Ends a run; the next one begins when all units have ended theirs. */
static void end(void *user)
{
    struct tmu_sim *sim = user;
    take_row_above(sim);
    uint64_t now = 0;
    for (uint32_t i = 0; i < sim->arch.machine_units; i++) {
        end_unit(sim->units[i]);
        now = later(now, sim->units[i]->now);
    }
    for (uint32_t i = 0; i < sim->arch.machine_units; i++) {
        sim->units[i]->now = now;
    }
}

struct tmu_trace_sink tmu_sim_sink(struct tmu_sim *sim)
{
    return (struct tmu_trace_sink){sim, begin, row, end};
}
