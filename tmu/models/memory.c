#include "tmu/models/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tmu/texture.h"

/* ---- texels ---- */

enum { FRACTION = 6, ONE = 1 << FRACTION };

static uint32_t halved(uint32_t size, uint32_t times)
{
    return size >> times > 0 ? size >> times : 1;
}

static uint32_t tiles_of(uint32_t texels, uint32_t tile)
{
    return (texels + tile - 1) / tile;
}

void tmu_texel_map_init(struct tmu_texel_map *map, const struct tmu_arch *arch,
                        const struct tmu_trace_run *run)
{
    uint32_t count = 1;
    while (count < arch->texture_levels && count < TMU_TEXELS_LEVELS &&
           (run->texture_width >> count > 0 || run->texture_height >> count > 0)) {
        count++;
    }
    const uint32_t edge = arch->texture_edge;
    *map = (struct tmu_texel_map){
        .arch = arch,
        .level_count = count,
        .folds = edge != TMU_EDGE_RUN,
        .wraps_x = edge == TMU_EDGE_WRAP || (edge == TMU_EDGE_RUN && run->wrap_x != 0),
        .wraps_y = edge == TMU_EDGE_WRAP || (edge == TMU_EDGE_RUN && run->wrap_y != 0)};
    const uint64_t tile_texels = (uint64_t)arch->texture_tile_width * arch->texture_tile_height;
    const uint64_t line = arch->cache_line_bytes;
    uint64_t address = run->texture;
    for (uint32_t i = map->level_count; i-- > 0;) {
        struct tmu_texel_level *level = &map->levels[i];
        level->address = address;
        level->width = halved(run->texture_width, i);
        level->height = halved(run->texture_height, i);
        level->tiles = tiles_of(level->width, arch->texture_tile_width);
        /* A level takes whole lines. */
        const uint64_t tiles =
            (uint64_t)level->tiles * tiles_of(level->height, arch->texture_tile_height);
        const uint64_t bytes = (tiles * tile_texels * arch->texture_texel_bits + 7) / 8;
        address += (bytes + line - 1) / line * line;
    }
}

uint64_t tmu_texel_address(const struct tmu_texel_map *map, uint32_t level, uint32_t x, uint32_t y)
{
    const struct tmu_arch *arch = map->arch;
    const struct tmu_texel_level *place = &map->levels[level];
    const uint32_t width = arch->texture_tile_width;
    const uint32_t height = arch->texture_tile_height;
    uint64_t texel = (uint64_t)y * place->width + x;
    if (width * height > 1) {
        const uint64_t tile = (uint64_t)(y / height) * place->tiles + x / width;
        texel = (tile * height + y % height) * width + x % width;
    }
    return place->address + texel * arch->texture_texel_bits / 8;
}

static uint32_t distance(int32_t a, int32_t b)
{
    return a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t step(const struct tmu_fragment *a, const struct tmu_fragment *b)
{
    return a == NULL || b == NULL ? 0 : larger(distance(a->u, b->u), distance(a->v, b->v));
}

uint32_t tmu_texel_level_of(const struct tmu_texel_map *map, const struct tmu_texel_group *group)
{
    const struct tmu_fragment *const *pixels = group->pixels;
    const uint32_t across = larger(step(pixels[0], pixels[1]), step(pixels[2], pixels[3]));
    const uint32_t down = larger(step(pixels[0], pixels[2]), step(pixels[1], pixels[3]));
    const uint32_t level = tmu_texture_log2(larger(across, down) >> FRACTION);
    return level < map->level_count ? level : map->level_count - 1;
}

/* A coordinate outside of 0..size brought inside, in 1/64 texels. */
static uint32_t fold(int32_t value, uint32_t size, uint32_t edge)
{
    const int64_t period = (int64_t)size * ONE;
    const int64_t last = period - ONE;
    int64_t folded = value;
    if (edge == TMU_EDGE_CLAMP) {
        folded = folded < 0 ? 0 : folded > last ? last : folded;
        return (uint32_t)folded;
    }
    const int64_t turn = edge == TMU_EDGE_MIRROR ? 2 * period : period;
    folded = (folded % turn + turn) % turn;
    folded = folded < period ? folded : turn - 1 - folded;
    return (uint32_t)folded;
}

/* One axis of a pixel at a level. */
struct axis {
    uint32_t texel;
    uint32_t neighbour;
    bool weighs; /* the neighbour has a weight */
};

static struct axis make_axis(uint32_t position, uint32_t level, uint32_t size, bool wraps)
{
    uint32_t texel = position >> (FRACTION + level);
    texel = texel < size ? texel : size - 1;
    const uint32_t next = texel + 1 < size ? texel + 1 : wraps ? 0 : texel;
    return (struct axis){texel, next, (position >> level & (ONE - 1)) != 0};
}

static unsigned add_pixel(const struct tmu_texel_map *map, const struct tmu_fragment *pixel,
                          uint32_t level, struct tmu_texel *texels)
{
    const struct tmu_arch *arch = map->arch;
    const struct tmu_texel_level *whole = &map->levels[0];
    const struct tmu_texel_level *place = &map->levels[level];
    uint32_t u = (uint32_t)pixel->x * ONE + pixel->fx;
    uint32_t v = (uint32_t)pixel->y * ONE + pixel->fy;
    if (map->folds) {
        u = fold(pixel->u, whole->width, arch->texture_edge);
        v = fold(pixel->v, whole->height, arch->texture_edge);
    }
    const struct axis x = make_axis(u, level, place->width, map->wraps_x);
    const struct axis y = make_axis(v, level, place->height, map->wraps_y);
    const bool nearest = arch->requests_filter == TMU_FILTER_NEAREST;
    const bool right = !nearest && (x.weighs || arch->requests_weightless);
    const bool below = !nearest && (y.weighs || arch->requests_weightless);
    unsigned count = 0;
    for (unsigned channel = 0; channel < 4; channel++) {
        if ((channel % 2 == 0 || right) && (channel < 2 || below)) {
            const uint32_t column = channel % 2 == 0 ? x.texel : x.neighbour;
            const uint32_t row = channel < 2 ? y.texel : y.neighbour;
            texels[count++] = (struct tmu_texel){tmu_texel_address(map, level, column, row), column,
                                                 row, channel};
        }
    }
    return count;
}

unsigned tmu_texel_requests(const struct tmu_texel_map *map, const struct tmu_texel_group *group,
                            struct tmu_texel texels[TMU_TEXELS_MAX])
{
    const uint32_t level = map->level_count > 1 ? tmu_texel_level_of(map, group) : 0;
    unsigned count = 0;
    for (unsigned i = 0; i < TMU_TEXELS_PIXELS; i++) {
        if (group->pixels[i] != NULL) {
            count += add_pixel(map, group->pixels[i], level, texels + count);
        }
    }
    if (!map->arch->requests_merge) {
        return count;
    }
    /* The same texel has the same column and row, as a group reads one level. */
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned other = 0;
        while (other < kept && (texels[other].x != texels[i].x || texels[other].y != texels[i].y)) {
            other++;
        }
        if (other == kept) {
            texels[kept++] = texels[i];
        }
    }
    return kept;
}

/* ---- the cache ---- */

enum { SEARCHED_WAYS = 8 };

/* TMU_REPLACE_PAIRS: which pair was used last, and a bit for each that says which line goes. */
enum { PAIR_USED = 1, PAIR_TOGGLE = 2 };

static unsigned log2_of(uint32_t power)
{
    unsigned bits = 0;
    while (power >> bits > 1) {
        bits++;
    }
    return bits;
}

static bool is_paired(const struct tmu_cache *cache)
{
    return cache->replacement == TMU_REPLACE_PAIRS ||
           cache->replacement == TMU_REPLACE_CLOCKED_PAIRS;
}

static bool is_hashed(const struct tmu_cache *cache)
{
    return cache->ways > SEARCHED_WAYS;
}

bool tmu_cache_init(struct tmu_cache *cache, const struct tmu_cache_shape *shape)
{
    const uint32_t lines = shape->bytes / shape->line_bytes;
    const uint32_t ways = shape->ways == 0 ? lines : shape->ways;
    assert(lines > 0 && lines % ways == 0);
    *cache = (struct tmu_cache){.lines = lines,
                                .ways = ways,
                                .set_mask = lines / ways - 1,
                                .line_shift = log2_of(shape->line_bytes),
                                .replacement = shape->replacement};
    cache->tags = calloc(lines, sizeof *cache->tags);
    cache->state = calloc(lines / ways, sizeof *cache->state);
    bool whole = cache->tags != NULL && cache->state != NULL;
    if (cache->replacement == TMU_REPLACE_LRU && ways > 1) {
        cache->newer = calloc(lines, sizeof *cache->newer);
        cache->older = calloc(lines, sizeof *cache->older);
        whole = whole && cache->newer != NULL && cache->older != NULL;
    }
    if (is_hashed(cache)) {
        cache->bucket_shift = 63 - log2_of(lines);
        cache->buckets = calloc((size_t)1 << (64 - cache->bucket_shift), sizeof *cache->buckets);
        cache->chain = calloc(lines, sizeof *cache->chain);
        whole = whole && cache->buckets != NULL && cache->chain != NULL;
    }
    if (whole) {
        tmu_cache_flush(cache);
    }
    return whole;
}

void tmu_cache_free(struct tmu_cache *cache)
{
    free(cache->tags);
    free(cache->state);
    free(cache->newer);
    free(cache->older);
    free(cache->buckets);
    free(cache->chain);
    *cache = (struct tmu_cache){.lines = 0};
}

void tmu_cache_flush(struct tmu_cache *cache)
{
    const size_t lines = cache->lines;
    memset(cache->tags, 0, lines * sizeof *cache->tags);
    memset(cache->state, 0, lines / cache->ways * sizeof *cache->state);
    if (cache->older != NULL) {
        /* A ring in the order of the slots: the one behind the newest is the oldest. */
        for (uint32_t slot = 0; slot < cache->lines; slot++) {
            const uint32_t first = slot - slot % cache->ways;
            cache->older[slot] = slot == first ? first + cache->ways - 1 : slot - 1;
            cache->newer[slot] = slot + 1 == first + cache->ways ? first : slot + 1;
        }
        for (uint32_t set = 0; set <= cache->set_mask; set++) {
            cache->state[set] = (set + 1) * cache->ways - 1;
        }
    }
    if (cache->buckets != NULL) {
        memset(cache->buckets, 0xff,
               ((size_t)1 << (64 - cache->bucket_shift)) * sizeof *cache->buckets);
    }
}

static uint32_t *bucket_of(const struct tmu_cache *cache, uint64_t line)
{
    return &cache->buckets[(line * 0x9E3779B97F4A7C15u) >> cache->bucket_shift];
}

uint32_t tmu_cache_find(const struct tmu_cache *cache, uint64_t line)
{
    if (is_hashed(cache)) {
        uint32_t slot = *bucket_of(cache, line);
        while (slot != TMU_CACHE_NONE && cache->tags[slot] != line + 1) {
            slot = cache->chain[slot];
        }
        return slot;
    }
    const uint32_t first = ((uint32_t)line & cache->set_mask) * cache->ways;
    for (uint32_t slot = first; slot < first + cache->ways; slot++) {
        if (cache->tags[slot] == line + 1) {
            return slot;
        }
    }
    return TMU_CACHE_NONE;
}

static void unhash(struct tmu_cache *cache, uint32_t slot)
{
    if (!is_hashed(cache) || cache->tags[slot] == 0) {
        return;
    }
    uint32_t *link = bucket_of(cache, cache->tags[slot] - 1);
    while (*link != slot) {
        link = &cache->chain[*link];
    }
    *link = cache->chain[slot];
}

static void unlink_slot(struct tmu_cache *cache, uint32_t slot)
{
    cache->newer[cache->older[slot]] = cache->newer[slot];
    cache->older[cache->newer[slot]] = cache->older[slot];
}

/* Between the newest and the oldest slot: the ring's end and its beginning. */
static void link_slot(struct tmu_cache *cache, uint32_t slot, uint32_t newest)
{
    const uint32_t oldest = cache->newer[newest];
    cache->older[slot] = newest;
    cache->newer[slot] = oldest;
    cache->newer[newest] = slot;
    cache->older[oldest] = slot;
}

void tmu_cache_touch(struct tmu_cache *cache, uint32_t slot)
{
    if (cache->ways == 1) {
        return;
    }
    uint32_t *state = &cache->state[slot / cache->ways];
    if (is_paired(cache)) {
        *state = (*state & ~(uint32_t)PAIR_USED) | (slot % 4 / 2);
    } else if (cache->replacement == TMU_REPLACE_LRU && *state != slot) {
        unlink_slot(cache, slot);
        link_slot(cache, slot, *state);
        *state = slot;
    }
}

static uint32_t choose_victim(struct tmu_cache *cache, uint32_t set)
{
    uint32_t *state = &cache->state[set];
    if (cache->ways == 1) {
        return set;
    }
    if (cache->replacement == TMU_REPLACE_LRU) {
        return cache->newer[*state];
    }
    if (cache->replacement == TMU_REPLACE_PAIRS) {
        /* The pair that was not used last gives its lines one after the other. */
        const uint32_t pair = (*state & PAIR_USED) ^ 1;
        const uint32_t toggle = (uint32_t)PAIR_TOGGLE << pair;
        const uint32_t way = pair * 2 + ((*state & toggle) != 0);
        *state ^= toggle;
        return set * cache->ways + way;
    }
    if (cache->replacement == TMU_REPLACE_CLOCKED_PAIRS) {
        const uint32_t pair = (*state & PAIR_USED) ^ 1;
        return set * cache->ways + pair * 2 + (uint32_t)(cache->cycle & 1);
    }
    const uint32_t way = *state;
    *state = way + 1 == cache->ways ? 0 : way + 1;
    return set * cache->ways + way;
}

uint32_t tmu_cache_replace(struct tmu_cache *cache, uint64_t line)
{
    const uint32_t slot = choose_victim(cache, (uint32_t)line & cache->set_mask);
    unhash(cache, slot);
    cache->tags[slot] = line + 1;
    if (is_hashed(cache)) {
        uint32_t *bucket = bucket_of(cache, line);
        cache->chain[slot] = *bucket;
        *bucket = slot;
    }
    tmu_cache_touch(cache, slot);
    return slot;
}

void tmu_cache_drop(struct tmu_cache *cache, uint64_t line)
{
    const uint32_t slot = tmu_cache_find(cache, line);
    if (slot == TMU_CACHE_NONE) {
        return;
    }
    unhash(cache, slot);
    cache->tags[slot] = 0;
    if (cache->older != NULL) {
        /* An empty slot is the first to be filled again. */
        uint32_t *newest = &cache->state[slot / cache->ways];
        if (*newest == slot) {
            *newest = cache->older[slot];
        } else if (cache->newer[*newest] != slot) {
            unlink_slot(cache, slot);
            link_slot(cache, slot, *newest);
        }
    }
}

/* ---- the memory and its bus ---- */

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
                              .turn = {arch->memory_read_to_write, arch->memory_write_to_read},
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
    uint64_t command = refresh(dram, time);
    if (bank->row != row / dram->bank_count + 1) {
        if (bank->row != 0) {
            command = later(command, bank->free) + dram->precharge;
        }
        bank->row = row / dram->bank_count + 1;
        command += dram->activate;
    }
    command = later(command, dram->turned[write]);
    const uint64_t free = dram->data_free + (write != dram->wrote ? dram->turnaround : 0);
    const uint64_t first = later(command + dram->controller + dram->latency[write], free);
    dram->data_free = first + dram->burst_words;
    dram->wrote = write;
    dram->turned[!write] = command + dram->turn[write];
    bank->free = write ? dram->data_free + dram->write_recovery : command + dram->burst_words;
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
                            .own_turn = arch->memory_own_turn != 0,
                            .change = arch->memory_change,
                            .channel_count = arch->memory_channels,
                            .channel_bytes = arch->memory_channel_bytes,
                            .write_places = arch->target_waiting};
    for (uint32_t i = 0; i < bus->channel_count; i++) {
        tmu_dram_init(&bus->channels[i].dram, arch);
    }
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

/* The first word of a transaction that is asked for at this time: parts of the address space lie in
 * the channels in turn, and each channel carries its words by itself. */
static uint64_t first_word(struct tmu_bus *bus, uint64_t time, uint64_t address, bool write)
{
    const uint64_t part = address / bus->channel_bytes;
    struct tmu_bus_channel *channel = &bus->channels[part % bus->channel_count];
    if (!bus->fixed) {
        const uint64_t within = part / bus->channel_count * bus->channel_bytes;
        return tmu_dram_access(&channel->dram, time, within + address % bus->channel_bytes, write);
    }
    const uint64_t first = later(time + bus->latency, channel->free);
    channel->free = first + bus->burst_words;
    return first;
}

/* One transaction. Returns the cycle behind its last word. */
static uint64_t serve(struct tmu_bus *bus, enum tmu_bus_master master, uint64_t time,
                      uint64_t address, bool write)
{
    uint64_t start = later(time, free_from(bus));
    if (bus->own_turn) {
        start = later(start, bus->own_free[master]);
    }
    if (bus->accesses > 0 && master != bus->master) {
        start += bus->change;
    }
    const uint64_t first = first_word(bus, start, address, write);
    const uint64_t counted = bus->accesses > 0 ? later(start, bus->last_first + 1) : start;
    bus->busy += first >= counted ? first - counted + 1 : 0;
    bus->waits += first - start;
    bus->firsts[bus->accesses++ % TMU_BUS_WAITING] = first;
    bus->last_first = later(bus->last_first, first);
    bus->own_free[master] = first + 1;
    bus->master = master;
    return first + bus->burst_words;
}

static void serve_scan(struct tmu_bus *bus)
{
    const uint64_t busy = bus->busy;
    (void)serve(bus, TMU_BUS_SCAN, (uint64_t)bus->scan_due, SCREEN + bus->scan_address, false);
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
        serve(bus, TMU_BUS_WRITES, write->time, write->address, true);
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

static uint64_t read_one(struct tmu_bus *bus, enum tmu_bus_master master, uint64_t time,
                         uint64_t address)
{
    while (write_first(bus, time)) {
        serve_write(bus);
    }
    scan_until(bus, time);
    bus->wrote = false;
    return serve(bus, master, time, address, false);
}

uint64_t tmu_bus_read(struct tmu_bus *bus, enum tmu_bus_master master, uint64_t time,
                      uint64_t address, uint32_t bytes)
{
    uint64_t end = read_one(bus, master, time, address);
    for (uint32_t done = bus->burst_bytes; done < bytes; done += bus->burst_bytes) {
        end = read_one(bus, master, time, address + done);
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
