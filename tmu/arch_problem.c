#include <stddef.h>

#include "tmu/arch.h"

static bool is_power(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

struct level {
    uint32_t bytes;
    uint32_t line_bytes;
    uint32_t ways;
    bool pairs;
};

static bool level_fits(const struct level *level)
{
    const uint32_t lines = level->bytes / level->line_bytes;
    const uint32_t ways = level->ways == 0 ? lines : level->ways;
    return lines > 0 && level->bytes % level->line_bytes == 0 && lines % ways == 0 &&
           is_power(lines / ways);
}

/* Of keys of one section: a rule that all machines keep, the key to change, and what to say. */
struct rule {
    bool kept;
    const char *key;
    const char *problem;
};

static const char *first_broken(const struct rule *rules, size_t count, const char **key)
{
    for (size_t i = 0; i < count; i++) {
        if (!rules[i].kept) {
            *key = rules[i].key;
            return rules[i].problem;
        }
    }
    return NULL;
}

static const char *cache_problem(const struct tmu_arch *arch, const char **key)
{
    const struct level level = {arch->cache_bytes, arch->cache_line_bytes, arch->cache_ways,
                                arch->cache_replacement == TMU_REPLACE_PAIRS};
    const struct rule rules[] = {
        {is_power(level.line_bytes), "cache.line_bytes", "a line must be a power of two"},
        {is_power(level.line_bytes) && level_fits(&level), "cache.bytes",
         "the cache must be a power of two of sets, each of the given ways and lines"},
        {level.bytes / level.line_bytes <= TMU_ARCH_LINES, "cache.bytes", "too many lines"},
        {level.line_bytes >= (arch->texture_texel_bits + 7) / 8, "cache.line_bytes",
         "a line must hold a texel"},
        {!level.pairs || level.ways == 4, "cache.replacement", "pairs need four ways"},
        {!arch->cache_last_line || arch->requests_ports == 1, "cache.last_line",
         "a register for the last line needs a single port"},
    };
    return first_broken(rules, sizeof rules / sizeof *rules, key);
}

static const char *second_problem(const struct tmu_arch *arch, const char **key)
{
    const struct level level = {arch->second_bytes, arch->second_line_bytes, arch->second_ways,
                                arch->second_replacement == TMU_REPLACE_SECOND_PAIRS};
    if (level.bytes == 0) {
        return NULL;
    }
    const struct rule rules[] = {
        {is_power(level.line_bytes), "second.line_bytes", "a line must be a power of two"},
        {level.line_bytes >= arch->cache_line_bytes, "second.line_bytes",
         "a line must hold one of the first level"},
        {is_power(level.line_bytes) && level_fits(&level), "second.bytes",
         "the cache must be a power of two of sets, each of the given ways and lines"},
        {level.bytes / level.line_bytes <= TMU_ARCH_LINES, "second.bytes", "too many lines"},
        {!level.pairs || level.ways == 4, "second.replacement", "pairs need four ways"},
    };
    return first_broken(rules, sizeof rules / sizeof *rules, key);
}

/* Lines and bursts are made of a few transactions, so that no model takes for ever. */
enum { TRANSACTIONS = 64 };

static const char *memory_problem(const struct tmu_arch *arch, const char **key)
{
    const uint32_t most = arch->memory_word_bytes * arch->memory_burst_words * TRANSACTIONS;
    const struct rule rules[] = {
        {arch->cache_line_bytes <= most &&
             (arch->second_bytes == 0 || arch->second_line_bytes <= most),
         "memory.burst_words", "a line must be read in 64 transactions or less"},
        {arch->target_burst_bytes <= most &&
             arch->target_burst_bytes / TRANSACTIONS <= arch->cache_line_bytes,
         "target.burst_bytes", "a burst may hold 64 transactions and 64 lines of the cache"},
        {is_power(arch->memory_word_bytes), "memory.word_bytes", "a word must be a power of two"},
        {is_power(arch->memory_burst_words), "memory.burst_words",
         "a transaction must be a power of two of words"},
        {is_power(arch->memory_row_bytes), "memory.row_bytes", "a row must be a power of two"},
        {arch->memory_row_bytes >= arch->memory_word_bytes * arch->memory_burst_words,
         "memory.row_bytes", "a row must hold a transaction"},
        {arch->memory_refresh_interval == 0 ||
             arch->memory_refresh_interval > 2 * arch->memory_refresh_cycles,
         "memory.refresh_interval", "no time is left between refreshes"},
        {arch->background_bytes_per_second <= arch->machine_clock * arch->memory_word_bytes,
         "background.bytes_per_second", "more than the bus can carry"},
        {is_power(arch->target_burst_bytes), "target.burst_bytes",
         "a burst must be a power of two"},
        {arch->texture_levels == 1 || arch->requests_group == TMU_GROUP_QUAD, "texture.levels",
         "mip levels are chosen by quads: requests.group must be quad"},
    };
    return first_broken(rules, sizeof rules / sizeof *rules, key);
}

const char *tmu_arch_problem(const struct tmu_arch *arch, const char **key)
{
    const char *problem = cache_problem(arch, key);
    problem = problem != NULL ? problem : second_problem(arch, key);
    return problem != NULL ? problem : memory_problem(arch, key);
}
