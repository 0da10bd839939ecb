/* The texture mapping unit of the Milkymist One as the chip computes it, bit for bit, in both
 * published revisions (spec/tmu.md). This is the definition; kernels.h has the fast rows. */
#ifndef BOARD_MAPPER_MAPPER_H
#define BOARD_MAPPER_MAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "tmu/trace.h"

enum {
    BOARD_MAPPER_PITCH = 128,    /* vertices from row to row of the mesh */
    BOARD_MAPPER_FRACTION = 6,   /* bits of coordinates */
    BOARD_MAPPER_CHROMA_KEY = 2, /* CTL bits */
    BOARD_MAPPER_ADDITIVE = 4,
    BOARD_MAPPER_MEMORY_GUARD = 64 /* bytes */
};

enum board_mapper_revision {
    BOARD_MAPPER_CURRENT, /* rounds, additive blending */
    BOARD_MAPPER_THESIS,  /* truncates */
};

/* How registers.def says whether a register has a sign. */
enum { BOARD_MAPPER_UNSIGNED, BOARD_MAPPER_SIGNED };

struct board_mapper_registers {
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign) int32_t name;
#include "board/mapper/registers.def"
    uint32_t flags; /* of BOARD_MAPPER_CHROMA_KEY and BOARD_MAPPER_ADDITIVE */
};

/* The memory of the machine: big-endian 16-bit pixels. Addresses count modulo size, a power of two
 * of at least 32. BOARD_MAPPER_MEMORY_GUARD bytes after it are readable. The caller owns the bytes.
 */
struct board_mapper_memory {
    uint8_t *bytes;
    uint32_t size;
};

/* Only the low 18 bits count. */
struct board_mapper_vertex {
    int32_t x;
    int32_t y;
};

struct board_mapper {
    struct board_mapper_registers registers;
    enum board_mapper_revision revision;
    bool stale; /* the last pixel of the last run is written once more (spec/tmu.md section 4) */
    uint32_t stale_address;
    uint16_t stale_color;
};

struct board_mapper_counts {
    uint32_t pixels;          /* inside the target; those of the chroma key included */
    uint32_t dst_read_bursts; /* of 32 bytes */
    uint32_t dst_write_bursts;
};

/* A pixel of memory (5 bits of red, 6 of green, 5 of blue) as 0x00RRGGBB: the upper bits stand
 * again at the bottom, so that all ones are white. */
static inline uint32_t board_mapper_rgb(uint32_t color)
{
    const uint32_t red = color >> 11;
    const uint32_t green = color >> 5 & 63;
    const uint32_t blue = color & 31;
    return (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8 | (blue << 3 | blue >> 2);
}

/* Registers as after a reset. */
void board_mapper_reset(struct board_mapper *chip, enum board_mapper_revision revision);

/* The bits that a register keeps of a value. */
int32_t board_mapper_kept(int32_t value, unsigned bits, bool is_signed);

/* Draws the mesh: vertex (x, y) stands at vertices[y * BOARD_MAPPER_PITCH + x]. Mesh and squares
 * must be at least 1 (spec/tmu.md section 2); a run with a 0 there draws nothing. Texture and
 * target may overlap; texels are then read as they are at that moment. The time is that of all
 * pixels of the squares that touch the target: a caller that takes registers from outside has to
 * see to it that there are not too many. */
struct board_mapper_counts board_mapper_run(struct board_mapper *chip,
                                            const struct board_mapper_memory *memory,
                                            const struct board_mapper_vertex *vertices);

/* The same pixels by rows on the kernels of a CPU level, when texture and target do not overlap. */
struct board_mapper_counts board_mapper_run_fast(struct board_mapper *chip,
                                                 const struct board_mapper_memory *memory,
                                                 const struct board_mapper_vertex *vertices,
                                                 enum base_cpu_level level);

/* Sends what a run would ask of memory, without pixels. */
void board_mapper_trace(const struct board_mapper_registers *registers,
                        const struct board_mapper_vertex *vertices,
                        const struct tmu_trace_sink *sink);

#endif
