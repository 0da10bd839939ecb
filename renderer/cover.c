#include "renderer/cover.h"

#include <string.h>

void rend_cover_clear(const struct rend_cover *cover, int first, int end)
{
    if (end > first) {
        memset(cover->words + (size_t)first * cover->pitch, 0,
               (size_t)(end - first) * cover->pitch * sizeof *cover->words);
    }
}

/* Bits from `first % 64` on. */
static uint64_t bits_from(int first)
{
    return UINT64_MAX << (first & 63);
}

/* The first place from `from` on, before `end`, whose bit differs from those of `same`; or `end`.
 */
static int find_other(const uint64_t *row, int from, int end, uint64_t same)
{
    while (from < end) {
        const uint64_t other = (row[from / 64] ^ same) & bits_from(from);
        if (other != 0) {
            const int place = from / 64 * 64 + __builtin_ctzll(other);
            return place < end ? place : end;
        }
        from = from / 64 * 64 + 64;
    }
    return end;
}

bool rend_cover_hides(const struct rend_cover *cover, int y, struct rend_run run)
{
    const uint64_t *row = cover->words + (size_t)y * cover->pitch;
    return find_other(row, run.first, run.end, UINT64_MAX) >= run.end;
}

struct rend_run rend_cover_seen(const struct rend_cover *cover, int y, struct rend_run run)
{
    const uint64_t *row = cover->words + (size_t)y * cover->pitch;
    const int first = find_other(row, run.first, run.end, UINT64_MAX);
    return (struct rend_run){first, find_other(row, first, run.end, 0)};
}

void rend_cover_add(const struct rend_cover *cover, int y, struct rend_run run)
{
    uint64_t *row = cover->words + (size_t)y * cover->pitch;
    for (int x = run.first; x < run.end; x = x / 64 * 64 + 64) {
        const int stop = x / 64 * 64 + 64;
        const uint64_t behind = stop > run.end ? bits_from(run.end) : 0;
        row[x / 64] |= bits_from(x) & ~behind;
    }
}
