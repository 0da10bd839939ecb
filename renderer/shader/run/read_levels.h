/* Texture reads of which some lanes are on smaller levels: level after level is read for those
 * lanes that need it, and mixed with the one before. Included by read_lanes.h. */
#ifndef RENDERER_SHADER_RUN_READ_LEVELS_H
#define RENDERER_SHADER_RUN_READ_LEVELS_H

#if defined(BASE_SIMD)
/* What lanes need of levels. */
struct mixture {
    uint32_t first[SHADER_TILE];
    uint32_t second[SHADER_TILE]; /* the same, or the next one */
    float part[SHADER_TILE];      /* weight of the second */
    int lowest;
    int highest;
    bool even; /* all of them need the same first one */
};

BASE_INLINE void find_mixture(struct mixture *mixture, const float *details, size_t count,
                              struct kind kind)
{
    simd_words lowest = SIMD(set1_epi32)(SHADER_LEVELS_MAX);
    simd_words last = simd_all_words(0);
    simd_words highest = simd_all_words(0);
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        const simd_floats detail = simd_load(details + i);
        const simd_floats rounded = kind.linear ? detail : simd_add(detail, simd_all(0.5f));
        const simd_words first = SIMD(cvttps_epi32)(rounded);
        const simd_floats part = simd_sub(detail, simd_signed_whole(first));
        /* A truth is -1. */
        const simd_words second =
            kind.linear ? SIMD(sub_epi32)(first, simd_lt(simd_all(0.0f), part)) : first;
        simd_store_words(mixture->first + i, first);
        simd_store_words(mixture->second + i, second);
        simd_store(mixture->part + i, part);
        lowest = SIMD(min_epi32)(lowest, first);
        last = SIMD(max_epi32)(last, first);
        highest = SIMD(max_epi32)(highest, second);
    }
    mixture->lowest = simd_smallest(lowest);
    mixture->highest = simd_largest(highest);
    mixture->even = mixture->lowest == simd_largest(last);
}

/* Sums of a level, for those lanes at least that need it. */
struct level_sums {
    float of[CHANNELS][SHADER_TILE];
};

BASE_INLINE void store_whole(struct level_sums *to, size_t i, struct sums sums,
                             struct wanted wanted)
{
    const struct fixed whole = {.factor = simd_all(1.0f)};
    float *const of[CHANNELS] = {to->of[RED], to->of[GREEN], to->of[BLUE], to->of[ALPHA]};
    store_sums(of, i, sums, wanted, &whole);
}

BASE_INLINE struct sums load_sums(const struct level_sums *from, size_t i, struct wanted wanted)
{
    const simd_floats zero = simd_all(0.0f);
    return (struct sums){
        wanted.red ? simd_load(from->of[RED] + i) : zero,
        wanted.green ? simd_load(from->of[GREEN] + i) : zero,
        wanted.blue ? simd_load(from->of[BLUE] + i) : zero,
        wanted.alpha ? simd_load(from->of[ALPHA] + i) : zero,
    };
}

BASE_INLINE void read_level(struct level_sums *to, const struct shader_read *read,
                            const struct needed *needed, struct wanted wanted, struct kind kind)
{
    const struct grid grid = grid_of(&read->texture->level[needed->level], kind);
    const struct fixed fixed = fixed_words();
    if (!kind.linear) {
        for (size_t i = 0; i < read->count; i += SIMD_LANES) {
            store_whole(to, i, nearest_at(read, i, &grid, kind), wanted);
        }
        return;
    }
    if (read->grid && !kind.volume) {
        struct shader_read along = *read;
        struct fixed whole = fixed;
        whole.factor = simd_all(1.0f);
        for (size_t k = 0; k < CHANNELS; k++) {
            along.result[k] = to->of[k];
        }
        if (read_along_grid(&along, &grid, wanted, kind, &whole)) {
            return;
        }
    }
    struct places places;
    find_places(&places, &grid, read, needed, kind);
    for (size_t i = 0; i < read->count; i += SIMD_LANES) {
        if (is_needed(needed, i)) {
            store_whole(to, i, sums_at(&places, i, &grid, wanted, kind, &fixed), wanted);
        }
    }
}

/* Lanes whose second level this is have their first one in `mixed` by now. */
BASE_INLINE void mix_level(struct level_sums *mixed, const struct level_sums *level,
                           const struct mixture *mixture, const struct needed *needed, size_t count,
                           struct wanted wanted, struct kind kind)
{
    const simd_words this = simd_all_words(needed->level);
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        if (!is_needed(needed, i)) {
            continue;
        }
        const struct sums sums = load_sums(level, i, wanted);
        struct sums before = load_sums(mixed, i, wanted);
        if (kind.linear) {
            const simd_words second = simd_equal_words(simd_load_words(mixture->second + i), this);
            before =
                select_sums(second, lerp_sums(before, sums, simd_load(mixture->part + i)), before);
        }
        const simd_words first = simd_equal_words(simd_load_words(mixture->first + i), this);
        store_whole(mixed, i, select_sums(first, sums, before), wanted);
    }
}

/* Results may stand where coordinates do: they are written when all levels have been read. */
BASE_INLINE void read_levels(const struct plan *plan, struct kind kind)
{
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    const struct fixed fixed = fixed_words();
    struct mixture mixture;
    struct level_sums mixed;
    struct level_sums level;
    find_mixture(&mixture, plan->details, read.count, kind);
    memset(&mixed, 0, sizeof mixed);
    for (int at = mixture.lowest; at <= mixture.highest; at++) {
        const struct needed needed = {mixture.even ? NULL : mixture.first, mixture.second,
                                      (uint32_t)at};
        read_level(mixture.even && at == mixture.lowest ? &mixed : &level, &read, &needed, wanted,
                   kind);
        if (!mixture.even) {
            mix_level(&mixed, &level, &mixture, &needed, read.count, wanted, kind);
        }
    }
    const bool between = mixture.even && mixture.highest > mixture.lowest;
    for (size_t i = 0; i < read.count; i += SIMD_LANES) {
        struct sums sums = load_sums(&mixed, i, wanted);
        if (between) {
            sums = lerp_sums(sums, load_sums(&level, i, wanted), simd_load(mixture.part + i));
        }
        store_sums(read.result, i, sums, wanted, &fixed);
    }
}
#endif

#endif
