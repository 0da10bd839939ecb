#include "renderer/cover.h"

#include <string.h>

void rend_cover_clear(struct rend_cover *cover, int height)
{
    memset(cover->rows, 0xFF, (size_t)height * sizeof *cover->rows);
}

enum rend_cover_relation rend_cover_relation(const struct rend_cover *cover, int y,
                                             const struct rend_run *runs, size_t count)
{
    bool visible = false;
    bool apart = false;
    for (size_t i = 0; i < count; i++) {
        const size_t row = (size_t)y + i;
        const int32_t first = cover->rows[row].first;
        const int32_t end = cover->rows[row].end;
        const struct rend_run run = runs[i];
        const bool any = run.end > run.first;
        visible |= any & ((run.first < first) | (run.end > end));
        apart |= any & (first != UINT16_MAX) & ((run.first > end) | (run.end < first));
    }
    return apart ? REND_COVER_APART : visible ? REND_COVER_MEETS : REND_COVER_HIDES;
}

void rend_cover_add(struct rend_cover *cover, int y, const struct rend_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t row = (size_t)y + i;
        const bool empty = cover->rows[row].first == UINT16_MAX;
        const int32_t first = cover->rows[row].first;
        const int32_t end = empty ? 0 : cover->rows[row].end;
        const struct rend_run run = runs[i];
        if (run.end > run.first) {
            cover->rows[row].first = (uint16_t)(run.first < first ? run.first : first);
            cover->rows[row].end = (uint16_t)(run.end > end ? run.end : end);
        }
    }
}

bool rend_cover_split(const struct rend_cover *cover, int y, const struct rend_run *runs,
                      size_t count, struct rend_run *left, struct rend_run *right)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const size_t row = (size_t)y + i;
        const int32_t first = cover->rows[row].first;
        const int32_t end = cover->rows[row].end;
        left[i] = (struct rend_run){runs[i].first, runs[i].end < first ? runs[i].end : first};
        right[i] = (struct rend_run){runs[i].first > end ? runs[i].first : end, runs[i].end};
        any = any || right[i].end > right[i].first;
    }
    return any;
}
