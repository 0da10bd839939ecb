#include <stdio.h>

#include "tmu/arch.h"

/* Distances in texels, as the thesis counts them (spec/tmu.md section 7). */
struct places {
    uint64_t line;    /* texels */
    uint64_t modulus; /* lines of the cache */
};

static bool is_free(const struct places *places, uint64_t lines)
{
    return lines % places->modulus != 0;
}

static bool is_safe(const struct places *places, uint64_t distance)
{
    return distance < places->line || (is_free(places, distance / places->line) &&
                                       is_free(places, distance / places->line + 1));
}

static bool refuse(const struct base_diag_sink *sink, const char *name, const char *distance,
                   uint64_t texels)
{
    char hint[128];
    (void)snprintf(hint, sizeof hint, "another cache size or texture size (%s = %llu texels)",
                   distance, (unsigned long long)texels);
    base_report(sink, BASE_ERROR, (struct base_place){NULL, 0, 0}, hint,
                "machine %s: texels of one pixel fall on the same line of the cache", name);
    return false;
}

static bool check_clamped(const struct tmu_arch *arch, const struct places *places, uint64_t width,
                          const struct base_diag_sink *sink)
{
    static const char *const names[3] = {"width - 1", "width", "width + 1"};
    for (uint64_t i = 0; i < 3; i++) {
        if (!is_safe(places, width + i - 1)) {
            return refuse(sink, arch->name, names[i], width + i - 1);
        }
    }
    return true;
}

static bool check_wrapped(const struct tmu_arch *arch, const struct places *places, uint64_t width,
                          uint64_t height, const struct base_diag_sink *sink)
{
    const struct {
        uint64_t distance;
        const char *name;
    } rows[] = {
        {width * (height - 1) - 1, "width * (height - 1) - 1"},
        {width * (height - 1), "width * (height - 1)"},
        {width * (height - 1) + 1, "width * (height - 1) + 1"},
        {height > 1 ? width * (height - 2) + 1 : 0, "width * (height - 2) + 1"},
        {2 * width - 1, "2 * width - 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && height > 1; i++) {
        if (!is_safe(places, rows[i].distance)) {
            return refuse(sink, arch->name, rows[i].name, rows[i].distance);
        }
    }
    /* Between the first texel and the last one only: the first one begins a line. */
    const uint64_t corner = width * height - 1;
    return corner < places->line || is_free(places, corner / places->line) ||
           refuse(sink, arch->name, "width * height - 1", corner);
}

bool tmu_arch_check_conflicts(const struct tmu_arch *arch, uint32_t texture_width,
                              uint32_t texture_height, const struct base_diag_sink *sink)
{
    const bool tiled = arch->texture_tile_width * arch->texture_tile_height > 1;
    if (arch->cache_ways != 1 || tiled || arch->requests_filter != TMU_FILTER_BILINEAR ||
        texture_width == 0 || texture_height == 0) {
        return true;
    }
    const uint64_t line_texels = (uint64_t)arch->cache_line_bytes * 8 / arch->texture_texel_bits;
    const struct places places = {line_texels > 0 ? line_texels : 1,
                                  arch->cache_bytes / arch->cache_line_bytes};
    return check_clamped(arch, &places, texture_width, sink) &&
           (!arch->requests_weightless ||
            check_wrapped(arch, &places, texture_width, texture_height, sink));
}
