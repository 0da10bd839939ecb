#include "app/cache_runs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SIDE = APP_CACHE_CANVAS,
    TEXEL = 1 << TMU_CHIP_FRACTION,
    TURN = SIDE * TEXEL, /* the width of the canvas in coordinates */
    CELL = SIDE / APP_CACHE_CELLS,
    CLAMPED = 0x3ffff,
    WRAPPED = TURN - 1,
    OPAQUE = 63,
    /* Places in memory: two canvases and three screens. */
    CANVAS_BYTES = 2 * SIDE * SIDE,
    SCREENS = 2 * CANVAS_BYTES,
    SCREEN_BYTES = 2 * APP_CACHE_SCREEN_WIDTH * APP_CACHE_SCREEN_HEIGHT,
};

static struct tmu_chip_registers reset_registers(void)
{
    struct tmu_chip chip;
    tmu_chip_reset(&chip, TMU_REVISION_THESIS);
    return chip.registers;
}

/* Canvas to canvas. */
static struct tmu_chip_registers warp_registers(int32_t from, int32_t to, int32_t mask)
{
    struct tmu_chip_registers registers = reset_registers();
    registers.hmeshlast = APP_CACHE_CELLS;
    registers.vmeshlast = APP_CACHE_CELLS;
    registers.texfbuf = from;
    registers.texhres = SIDE;
    registers.texvres = SIDE;
    registers.texhmask = mask;
    registers.texvmask = mask;
    registers.dstfbuf = to;
    registers.dsthres = SIDE;
    registers.dstvres = SIDE;
    registers.dstsquarew = CELL;
    registers.dstsquareh = CELL;
    registers.alpha = OPAQUE;
    return registers;
}

static struct app_cache_run *begin_run(struct app_cache_runs *runs,
                                       struct tmu_chip_registers registers)
{
    assert(runs->count < APP_CACHE_RUNS_MAX);
    struct app_cache_run *run = &runs->runs[runs->count++];
    run->registers = registers;
    return run;
}

/* Coordinates of a vertex: columns * x + rows * y + constant, for X and for Y. */
struct plane {
    int32_t columns;
    int32_t rows;
    int32_t constant;
};

static const struct {
    const char *name;
    struct plane x;
    struct plane y;
} sets[] = {
    {"copy", {1024, 0, 0}, {0, 1024, 0}},
    {"zoomin", {640, 0, 0}, {0, 640, 0}},
    {"zoomout", {2560, 0, 0}, {0, 2560, 0}},
    {"rotozoom",
     {16 * 67, -16 * 28, (28 - 67) * 256 + 16384},
     {16 * 28, 16 * 67, -(28 + 67) * 256 + 16384}},
};

static int32_t on_plane(const struct plane *plane, int32_t x, int32_t y)
{
    return plane->columns * x + plane->rows * y + plane->constant;
}

void app_cache_runs_set(struct app_cache_runs *runs, const char *set)
{
    size_t index = 0;
    while (strcmp(sets[index].name, set) != 0) {
        index++;
        assert(index < sizeof sets / sizeof *sets);
    }
    runs->count = 0;
    struct app_cache_run *run = begin_run(runs, warp_registers(0, CANVAS_BYTES, WRAPPED));
    for (int32_t y = 0; y <= APP_CACHE_CELLS; y++) {
        for (int32_t x = 0; x <= APP_CACHE_CELLS; x++) {
            run->vertices[y * TMU_CHIP_PITCH + x] = (struct tmu_chip_vertex){
                on_plane(&sets[index].x, x, y), on_plane(&sets[index].y, x, y)};
        }
    }
}

/* The host's mesh has its first row at the bottom, the chip's at the top. */
static void take_mesh(struct app_cache_run *run, const struct tmu_mesh *mesh)
{
    assert(mesh->columns == APP_CACHE_CELLS && mesh->rows == APP_CACHE_CELLS);
    const struct tmu_vertex *from = mesh->vertices;
    for (int y = APP_CACHE_CELLS; y >= 0; y--) {
        for (int x = 0; x <= APP_CACHE_CELLS; x++, from++) {
            run->vertices[y * TMU_CHIP_PITCH + x] =
                (struct tmu_chip_vertex){(int32_t)(from->u * TURN), (int32_t)(from->v * TURN)};
        }
    }
}

/* One square, the size of the screen, whose corners read the canvas at these coordinates. */
static void add_screen(struct app_cache_runs *runs, int32_t canvas, int32_t screen,
                       struct tmu_chip_vertex from, struct tmu_chip_vertex to, int32_t alpha)
{
    struct tmu_chip_registers registers = warp_registers(canvas, screen, CLAMPED);
    registers.hmeshlast = 1;
    registers.vmeshlast = 1;
    registers.dsthres = APP_CACHE_SCREEN_WIDTH;
    registers.dstvres = APP_CACHE_SCREEN_HEIGHT;
    registers.dstsquarew = APP_CACHE_SCREEN_WIDTH;
    registers.dstsquareh = APP_CACHE_SCREEN_HEIGHT;
    registers.alpha = alpha;
    struct tmu_chip_vertex *vertices = begin_run(runs, registers)->vertices;
    vertices[0] = from;
    vertices[1] = (struct tmu_chip_vertex){to.x, from.y};
    vertices[TMU_CHIP_PITCH] = (struct tmu_chip_vertex){from.x, to.y};
    vertices[TMU_CHIP_PITCH + 1] = to;
}

/* Cut to a whole number; false if it is none or large. */
static bool cut(float value, int32_t *whole)
{
    if (!(fabsf(value) < 1e9f)) {
        return false;
    }
    *whole = (int32_t)value;
    return true;
}

static void add_echo(struct app_cache_runs *runs, const struct rend_mapping *mapping,
                     int32_t canvas, int32_t screen)
{
    int32_t alpha = 0;
    int32_t near = 0;
    if (!(mapping->echo_alpha > 0) || !cut(64 * fminf(mapping->echo_alpha, 1), &alpha) ||
        alpha <= 1 || !cut((32 - 32 / mapping->echo_zoom) * SIDE, &near)) {
        return;
    }
    struct tmu_chip_vertex from = {near, near};
    struct tmu_chip_vertex to = {TURN - near, TURN - near};
    if (mapping->echo_orient & 1) {
        from.x = TURN - near;
        to.x = near;
    }
    if (mapping->echo_orient & 2) {
        from.y = TURN - near;
        to.y = near;
    }
    add_screen(runs, canvas, screen, from, to, alpha - 1);
}

void app_cache_runs_frame(struct app_cache_runs *runs, const struct rend_mapping *mapping,
                          uint64_t frame)
{
    const int32_t front = frame % 2 == 0 ? 0 : CANVAS_BYTES;
    const int32_t back = CANVAS_BYTES - front;
    const int32_t screen = SCREENS + (int32_t)(frame % 3) * SCREEN_BYTES;
    const struct tmu_chip_vertex corner = {0, 0};
    const struct tmu_chip_vertex opposite = {TURN, TURN};
    runs->count = 0;
    take_mesh(begin_run(runs, warp_registers(front, back, mapping->wrap ? WRAPPED : CLAMPED)),
              &mapping->mesh);
    add_screen(runs, back, screen, corner, opposite, OPAQUE);
    add_echo(runs, mapping, back, screen);
}
