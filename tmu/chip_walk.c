#include "tmu/chip_walk.h"

enum { POSITIONS = 4096, DIFFERENCE = (1 << 17) - 1 };

/* The edges of one square, a value for each of its rows. */
struct edges {
    int32_t left_x[TMU_CHIP_SIDE_MAX];
    int32_t left_y[TMU_CHIP_SIDE_MAX];
    int32_t right_x[TMU_CHIP_SIDE_MAX];
    int32_t right_y[TMU_CHIP_SIDE_MAX];
};

struct span {
    unsigned first;
    unsigned count;
};

struct tmu_chip_registers tmu_chip_keep(const struct tmu_chip_registers *registers)
{
    struct tmu_chip_registers kept = {
#define TMU_REGISTER(name, offset, bits, reset, sign)                                              \
    .name = tmu_chip_kept(registers->name, bits, sign == TMU_SIGNED),
#include "tmu/chip_registers.def"
        .flags = registers->flags & (TMU_CHIP_CHROMA_KEY | TMU_CHIP_ADDITIVE),
    };
    kept.texfbuf &= ~1;
    kept.dstfbuf &= ~1;
    return kept;
}

bool tmu_chip_draws(const struct tmu_chip_registers *registers)
{
    return registers->hmeshlast > 0 && registers->vmeshlast > 0 && registers->dstsquarew > 0 &&
           registers->dstsquareh > 0;
}

void tmu_chip_interp(int32_t *values, int32_t from, int32_t to, unsigned count)
{
    const int32_t width = (int32_t)count;
    const int32_t sign = to > from ? 1 : -1;
    const int32_t difference = ((to - from) * sign) & DIFFERENCE;
    const int32_t quotient = difference / width;
    const int32_t remainder = difference % width;
    int32_t value = from;
    int32_t error = 0;
    for (unsigned i = 0; i < count; i++) {
        values[i] = value;
        int32_t step = quotient;
        error += remainder;
        if (error > width / 2) {
            error -= width;
            step++;
        }
        value = tmu_chip_coordinate(value + sign * step);
    }
}

/* Positions in the target have 12 bits with sign. */
static int32_t position(int32_t offset, int32_t index, int32_t size)
{
    return tmu_chip_kept(offset + index * size, 12, true);
}

/* Sizes of squares and targets are less than half of the positions, so what has left the target
 * cannot come back to it. */
static struct span clip(int32_t start, int32_t size, int32_t limit)
{
    const int32_t from = start < 0 ? 0 : start;
    const int32_t to = start + size < limit ? start + size : limit;
    if (from >= to) {
        return (struct span){0, 0};
    }
    return (struct span){(unsigned)(from - start), (unsigned)(to - from)};
}

static void make_edges(struct edges *edges, const struct tmu_chip_vertex *corner, unsigned height)
{
    const struct tmu_chip_vertex *below = corner + TMU_CHIP_PITCH;
    const struct {
        int32_t *values;
        int32_t from;
        int32_t to;
    } rows[] = {
        {edges->left_x, corner[0].x, below[0].x},
        {edges->left_y, corner[0].y, below[0].y},
        {edges->right_x, corner[1].x, below[1].x},
        {edges->right_y, corner[1].y, below[1].y},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tmu_chip_interp(rows[i].values, tmu_chip_coordinate(rows[i].from),
                        tmu_chip_coordinate(rows[i].to), height);
    }
}

/* The rows of one square, without edges if there are none; *row holds what is common to them. */
static void visit_rows(const struct edges *edges, struct tmu_chip_row *row, struct span lines,
                       int32_t y, tmu_chip_visit visit, void *user)
{
    for (unsigned i = lines.first; i < lines.first + lines.count; i++) {
        if (edges != NULL) {
            row->left = (struct tmu_chip_vertex){edges->left_x[i], edges->left_y[i]};
            row->right = (struct tmu_chip_vertex){edges->right_x[i], edges->right_y[i]};
        }
        row->inside = (int)i;
        row->y = y + (int)i;
        visit(user, row);
    }
}

void tmu_chip_walk(const struct tmu_chip_registers *registers,
                   const struct tmu_chip_vertex *vertices, tmu_chip_visit visit, void *user)
{
    struct edges edges;
    const int32_t width = registers->dstsquarew;
    const int32_t height = registers->dstsquareh;
    for (int32_t cy = 0; cy < registers->vmeshlast; cy++) {
        const int32_t y = position(registers->dstvoffset, cy, height);
        const struct span lines = clip(y, height, registers->dstvres);
        for (int32_t cx = 0; cx < registers->hmeshlast && lines.count > 0; cx++) {
            const int32_t x = position(registers->dsthoffset, cx, width);
            const struct span columns = clip(x, width, registers->dsthres);
            if (columns.count > 0) {
                struct tmu_chip_row row = {.width = (unsigned)width,
                                           .first = columns.first,
                                           .count = columns.count,
                                           .x = x + (int)columns.first};
                if (vertices != NULL) {
                    make_edges(&edges, &vertices[cy * TMU_CHIP_PITCH + cx], (unsigned)height);
                }
                visit_rows(vertices != NULL ? &edges : NULL, &row, lines, y, visit, user);
            }
        }
    }
}

bool tmu_chip_draws_twice(const struct tmu_chip_registers *registers, uint32_t memory_size)
{
    const uint64_t target =
        2 * (uint64_t)(uint32_t)registers->dsthres * (uint64_t)(uint32_t)registers->dstvres;
    return registers->hmeshlast * registers->dstsquarew > POSITIONS ||
           registers->vmeshlast * registers->dstsquareh > POSITIONS || target > memory_size;
}
