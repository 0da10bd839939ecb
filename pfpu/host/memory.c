#include "pfpu/host/memory.h"

#include <string.h>

#include "pfpu/ir/arith.h"

enum { NO_BLOCK = -1, POOL_PAGE = PFPU_GMEGABUF_PAGES };

/* Beyond this an index is as good as any, and sums do not overflow. */
#define FAR_OUTSIDE ((int64_t)1 << 40)

static int64_t index_of(double index)
{
    return pfpu_integer(index + PFPU_CLOSE);
}

/* Before the first write into a page. cells: those of the page. */
static void clear_page(struct pfpu_globals *globals, size_t page, double *cells)
{
    if (globals->unwritten[page]) {
        memset(cells, 0, PFPU_PAGE * sizeof *cells);
        globals->unwritten[page] = false;
    }
}

/* The cell in the pool, or NULL where nothing was ever written. */
static double *find_cell(const struct pfpu_instance *instance, const struct pfpu_globals *globals,
                         int64_t cell)
{
    const int16_t block = instance->megabuf[cell / PFPU_MEGABUF_BLOCK];
    const size_t place = (size_t)block * PFPU_MEGABUF_BLOCK + (size_t)(cell % PFPU_MEGABUF_BLOCK);
    return block == NO_BLOCK || globals->unwritten[POOL_PAGE + place / PFPU_PAGE]
               ? NULL
               : globals->pool + place;
}

/* NULL when the pool is used up. */
static double *make_cell(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t cell)
{
    int16_t *block = &instance->megabuf[cell / PFPU_MEGABUF_BLOCK];
    if (*block == NO_BLOCK) {
        if (globals->pool_used >= PFPU_POOL_BLOCKS) {
            globals->pool_exhausted = true;
            return NULL;
        }
        *block = (int16_t)globals->pool_used++;
    }
    const size_t page =
        (size_t)*block * PFPU_BLOCK_PAGES + (size_t)(cell % PFPU_MEGABUF_BLOCK) / PFPU_PAGE;
    clear_page(globals, POOL_PAGE + page, globals->pool + page * PFPU_PAGE);
    return find_cell(instance, globals, cell);
}

double pfpu_memory_load(const struct pfpu_instance *instance, const struct pfpu_globals *globals,
                        double index)
{
    const int64_t cell = index_of(index);
    if (cell < 0 || cell >= PFPU_MEGABUF_CELLS) {
        return 0.0;
    }
    const double *place = find_cell(instance, globals, cell);
    return place == NULL ? 0.0 : *place;
}

void pfpu_memory_store(struct pfpu_instance *instance, struct pfpu_globals *globals, double index,
                       double value)
{
    const int64_t cell = index_of(index);
    if (cell < 0 || cell >= PFPU_MEGABUF_CELLS) {
        return;
    }
    double *place = make_cell(instance, globals, cell);
    if (place != NULL) {
        *place = value;
    }
}

static size_t global_cell(double index)
{
    return (size_t)((uint64_t)index_of(index) % PFPU_GMEGABUF_CELLS);
}

double pfpu_global_load(const struct pfpu_globals *globals, double index)
{
    const size_t cell = global_cell(index);
    return globals->unwritten[cell / PFPU_PAGE] ? 0.0 : globals->gmegabuf[cell];
}

void pfpu_global_store(struct pfpu_globals *globals, double index, double value)
{
    const size_t cell = global_cell(index);
    clear_page(globals, cell / PFPU_PAGE, globals->gmegabuf + cell / PFPU_PAGE * PFPU_PAGE);
    globals->gmegabuf[cell] = value;
}

/* high counts when low is above it. */
static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    const int64_t raised = value < low ? low : value;
    return raised > high ? high : raised;
}

int64_t pfpu_memory_span(double count)
{
    return clamp(pfpu_integer(count), 0, PFPU_MEGABUF_CELLS);
}

static int64_t run_length(int64_t cell, int64_t left)
{
    const int64_t room = PFPU_PAGE - cell % PFPU_PAGE;
    return room < left ? room : left;
}

/* Cells of one page. */
static void fill_run(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t cell,
                     int64_t count, double value)
{
    if (value == 0.0 && find_cell(instance, globals, cell) == NULL) {
        return;
    }
    double *place = make_cell(instance, globals, cell);
    for (int64_t i = 0; place != NULL && i < count; i++) {
        place[i] = value;
    }
}

void pfpu_memory_fill(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double value, double count)
{
    const int64_t start = clamp(index_of(destination), -FAR_OUTSIDE, FAR_OUTSIDE);
    const int64_t size = clamp(pfpu_integer(count), 0, FAR_OUTSIDE);
    const int64_t end = clamp(start + size, 0, PFPU_MEGABUF_CELLS);
    for (int64_t cell = start < 0 ? 0 : start; cell < end;) {
        const int64_t run = run_length(cell, end - cell);
        fill_run(instance, globals, cell, run, pfpu_filtered(value));
        cell += run;
    }
}

/* Cells of one page on either side. */
static void copy_run(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t to,
                     int64_t from, int64_t count)
{
    const double *source = find_cell(instance, globals, from);
    if (source == NULL) {
        fill_run(instance, globals, to, count, 0.0);
        return;
    }
    double *place = make_cell(instance, globals, to);
    if (place != NULL) {
        memmove(place, source, (size_t)count * sizeof *place);
    }
}

static void copy_upwards(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t to,
                         int64_t from, int64_t count)
{
    for (int64_t done = 0; done < count;) {
        const int64_t run = run_length(to + done, run_length(from + done, count - done));
        copy_run(instance, globals, to + done, from + done, run);
        done += run;
    }
}

/* Cells down to the start of the page, counted from the cell below `end`. */
static int64_t run_below(int64_t end, int64_t left)
{
    const int64_t room = (end - 1) % PFPU_PAGE + 1;
    return room < left ? room : left;
}

static void copy_downwards(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t to,
                           int64_t from, int64_t count)
{
    for (int64_t left = count; left > 0;) {
        const int64_t run = run_below(to + left, run_below(from + left, left));
        left -= run;
        copy_run(instance, globals, to + left, from + left, run);
    }
}

void pfpu_memory_copy(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double source, double count)
{
    const int64_t to = clamp(index_of(destination), -FAR_OUTSIDE, FAR_OUTSIDE);
    const int64_t from = clamp(index_of(source), -FAR_OUTSIDE, FAR_OUTSIDE);
    const int64_t lower = to < from ? to : from;
    const int64_t upper = to < from ? from : to;
    const int64_t first = lower < 0 ? -lower : 0;
    const int64_t end = clamp(pfpu_integer(count), first, PFPU_MEGABUF_CELLS - upper);
    if (first >= end) {
        return;
    }
    if (to < from) {
        copy_upwards(instance, globals, to + first, from + first, end - first);
    } else {
        copy_downwards(instance, globals, to + first, from + first, end - first);
    }
}
