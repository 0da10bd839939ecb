#include "tmu/models/texels.h"

#include "tmu/texture.h"

enum { FRACTION = 6, ONE = 1 << FRACTION };

static uint32_t halved(uint32_t size, uint32_t times)
{
    return size >> times > 0 ? size >> times : 1;
}

static uint32_t tiles_of(uint32_t texels, uint32_t tile)
{
    return (texels + tile - 1) / tile;
}

/* Bytes of a level, in whole lines. */
static uint64_t level_bytes(const struct tmu_arch *arch, const struct tmu_texel_level *level)
{
    const uint64_t tile_texels = (uint64_t)arch->texture_tile_width * arch->texture_tile_height;
    const uint64_t tiles =
        (uint64_t)level->tiles * tiles_of(level->height, arch->texture_tile_height);
    const uint64_t bytes = (tiles * tile_texels * arch->texture_texel_bits + 7) / 8;
    const uint64_t line = arch->cache_line_bytes;
    return (bytes + line - 1) / line * line;
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
    uint64_t address = run->texture;
    for (uint32_t i = map->level_count; i-- > 0;) {
        struct tmu_texel_level *level = &map->levels[i];
        level->address = address;
        level->width = halved(run->texture_width, i);
        level->height = halved(run->texture_height, i);
        level->tiles = tiles_of(level->width, arch->texture_tile_width);
        address += level_bytes(arch, level);
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
