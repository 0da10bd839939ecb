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
    if (from >= end) {
        return end;
    }
    size_t word = (unsigned)from / 64;
    const size_t last = (unsigned)(end - 1) / 64;
    uint64_t other = (row[word] ^ same) & bits_from(from);
    while (other == 0 && word < last) {
        word++;
        other = row[word] ^ same;
    }
    const int place = other != 0 ? (int)(word * 64) + __builtin_ctzll(other) : end;
    return place < end ? place : end;
}

struct rend_run rend_cover_seen(const struct rend_cover *cover, int y, struct rend_run run)
{
    const uint64_t *row = cover->words + (size_t)y * cover->pitch;
    const int first = find_other(row, run.first, run.end, UINT64_MAX);
    return (struct rend_run){first, find_other(row, first, run.end, 0)};
}

void rend_cover_add(const struct rend_cover *cover, int y, struct rend_run run)
{
    if (run.end <= run.first) {
        return;
    }
    uint64_t *row = cover->words + (size_t)y * cover->pitch;
    const size_t first = (unsigned)run.first / 64;
    const size_t last = (unsigned)(run.end - 1) / 64;
    const uint64_t to_last = UINT64_MAX >> (63 - ((unsigned)(run.end - 1) & 63));
    if (first == last) {
        row[first] |= bits_from(run.first) & to_last;
        return;
    }
    row[first] |= bits_from(run.first);
    for (size_t word = first + 1; word < last; word++) {
        row[word] = UINT64_MAX;
    }
    row[last] |= to_last;
}
