/* Coprocessor, texture mapper and picture output through their registers. */
#include "board/firmware/units.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "board/firmware/cpu.h"
#include "board/step/program.h"
#include "pfpu/microcode/microcode.h"

/* ---- the coprocessor ---- */

enum { PFPU_START = 1, PAGE_WORDS = 512 };

/* A run of a program over a mesh. */
struct job {
    const struct board_program *program;
    uint32_t *cells;
    struct board_mapper_vertex *vertices;
    uint32_t last_column;
    uint32_t last_row;
};

static enum board_csr place(enum board_csr first, uint32_t index)
{
    return (enum board_csr)((uint32_t)first + 4 * index);
}

static void pfpu_finished(void *user)
{
    struct board_pfpu *pfpu = user;
    pfpu->done = true;
    pfpu->runs = pfpu->runs + 1;
}

static bool is_pfpu_done(const void *user)
{
    const struct board_pfpu *pfpu = user;
    return pfpu->done;
}

void board_pfpu_begin(struct board_pfpu *pfpu, struct board_interrupt_handlers *handlers,
                      struct board_tasks *tasks)
{
    memset(pfpu, 0, sizeof *pfpu);
    pfpu->tasks = tasks;
    board_interrupt_handle(handlers, BOARD_INTERRUPT_pfpu, pfpu_finished, pfpu);
}

static void load_code(struct board_pfpu *pfpu, const struct board_program *program)
{
    for (uint32_t i = 0; i < program->word_count; i++) {
        if (i % PAGE_WORDS == 0) {
            board_write(BOARD_CSR_pfpu_code_page, i / PAGE_WORDS);
        }
        board_write(place(BOARD_CSR_pfpu_code, i % PAGE_WORDS), program->words[i]);
    }
    pfpu->loaded = program;
}

static void load_registers(const struct board_program *program, const uint32_t *cells)
{
    for (size_t i = 0; i < program->load_count; i++) {
        const struct board_register *load = &program->loads[i];
        board_write(place(BOARD_CSR_pfpu_registers, load->number),
                    load->cell == BOARD_NO_CELL ? load->word : cells[load->cell]);
    }
}

static void take_results(const struct board_program *program, uint32_t *cells)
{
    for (size_t i = 0; i < program->result_count; i++) {
        const struct board_register *result = &program->results[i];
        cells[result->cell] = board_read(place(BOARD_CSR_pfpu_registers, result->number));
    }
}

/* With K vertices in flight, each is written K - 1 columns late. */
static void run(struct board_pfpu *pfpu, const struct job *job)
{
    const struct board_program *program = job->program;
    const uint32_t late = program->stages - 1;
    load_code(pfpu, program);
    load_registers(program, job->cells);
    board_write(BOARD_CSR_pfpu_mesh_base, (uint32_t)(job->vertices - late));
    board_write(BOARD_CSR_pfpu_hmeshlast, job->last_column + late);
    board_write(BOARD_CSR_pfpu_vmeshlast, job->last_row);
    pfpu->done = false;
    board_write(BOARD_CSR_pfpu_control, PFPU_START);
    board_tasks_wait(pfpu->tasks, is_pfpu_done, pfpu);
    take_results(program, job->cells);
}

void board_pfpu_run_item(struct board_pfpu *pfpu, const struct board_program *program,
                         uint32_t *cells)
{
    const uint32_t bit = 1u << BOARD_INTERRUPT_pfpu;
    if (program->word_count == 0) {
        uint32_t out[2];
        board_run(program, cells, pfpu->values, out);
        return;
    }
    if (pfpu->loaded != program) {
        load_code(pfpu, program);
        board_write(BOARD_CSR_pfpu_mesh_base, (uint32_t)pfpu->nowhere);
        board_write(BOARD_CSR_pfpu_hmeshlast, 0);
        board_write(BOARD_CSR_pfpu_vmeshlast, 0);
    }
    load_registers(program, cells);
    board_interrupt_mask_set(board_interrupt_mask() & ~bit);
    board_write(BOARD_CSR_pfpu_control, PFPU_START);
    while (board_read(BOARD_CSR_pfpu_control) != 0) {
    }
    board_interrupts_acknowledge(bit);
    board_interrupt_mask_set(board_interrupt_mask() | bit);
    pfpu->runs = pfpu->runs + 1;
    take_results(program, cells);
}

void board_pfpu_run_frame(struct board_pfpu *pfpu, const struct board_patch *patch, uint32_t *cells)
{
    if (patch->frame.word_count == 0) {
        uint32_t out[2];
        board_run(&patch->frame, cells, pfpu->values, out);
        return;
    }
    run(pfpu, &(struct job){&patch->frame, cells, pfpu->nowhere, 0, 0});
}

void board_pfpu_run_vertex(struct board_pfpu *pfpu, const struct board_patch *patch,
                           uint32_t *cells, struct board_mapper_vertex *vertices)
{
    /* Another patch may come to stand where this one stands. */
    pfpu->loaded = NULL;
    if (patch->vertex.word_count == 0) {
        /* Where there is no microcode. */
        for (uint32_t y = 0; y <= BOARD_MESH; y++) {
            for (uint32_t x = 0; x <= BOARD_MESH; x++) {
                uint32_t out[2] = {0, 0};
                cells[PFPU_KEY_COLUMN] = x;
                cells[PFPU_KEY_ROW] = y;
                board_run(&patch->vertex, cells, pfpu->values, out);
                vertices[y * BOARD_MAPPER_PITCH + x] =
                    (struct board_mapper_vertex){(int32_t)out[0], (int32_t)out[1]};
            }
        }
        return;
    }
    run(pfpu, &(struct job){&patch->vertex, cells, vertices, BOARD_MESH, BOARD_MESH});
}

/* ---- the texture mapper ---- */

enum { TMU_START = 1 };

static void tmu_finished(void *user)
{
    struct board_tmu *tmu = user;
    tmu->done = true;
    tmu->runs = tmu->runs + 1;
}

static bool is_tmu_done(const void *user)
{
    const struct board_tmu *tmu = user;
    return tmu->done;
}

void board_tmu_begin(struct board_tmu *tmu, struct board_interrupt_handlers *handlers,
                     struct board_tasks *tasks)
{
    *tmu = (struct board_tmu){.tasks = tasks};
    board_interrupt_handle(handlers, BOARD_INTERRUPT_tmu, tmu_finished, tmu);
}

void board_tmu_draw(struct board_tmu *tmu, const struct board_mapper_registers *registers)
{
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign)                                     \
    board_write((enum board_csr)(BOARD_CSR_BLOCK_tmu + (offset)), (uint32_t)registers->name);
#include "board/mapper/registers.def"
    tmu->done = false;
    board_write(BOARD_CSR_tmu_control, TMU_START | registers->flags);
    board_tasks_wait(tmu->tasks, is_tmu_done, tmu);
}

/* ---- the picture output ---- */

/* Registers keep the place within memory, whichever of its windows was given. */
static uint32_t in_memory(uint32_t address)
{
    return address & 0x07FFFFFF;
}

void board_screen_begin(struct board_screen *screen, uint16_t *memory)
{
    assert((uintptr_t)memory % 32 == 0);
    memset(memory, 0, (size_t)BOARD_SCREEN_FRAMES * BOARD_SCREEN_BYTES);
    for (size_t i = 0; i < BOARD_SCREEN_FRAMES; i++) {
        screen->frames[i] = memory + i * (BOARD_SCREEN_BYTES / 2);
    }
    board_write(BOARD_CSR_vga_reset, 1);
    static const struct {
        enum board_csr csr;
        uint32_t value;
    } mode[] = {
        {BOARD_CSR_vga_hres, BOARD_SCREEN_WIDTH},
        {BOARD_CSR_vga_hsync_start, 656},
        {BOARD_CSR_vga_hsync_end, 752},
        {BOARD_CSR_vga_hscan, 799},
        {BOARD_CSR_vga_vres, BOARD_SCREEN_HEIGHT},
        {BOARD_CSR_vga_vsync_start, 492},
        {BOARD_CSR_vga_vsync_end, 494},
        {BOARD_CSR_vga_vscan, 524},
        {BOARD_CSR_vga_bursts, BOARD_SCREEN_WIDTH * BOARD_SCREEN_HEIGHT / 16},
        {BOARD_CSR_vga_clock, 0},
    };
    for (size_t i = 0; i < sizeof mode / sizeof mode[0]; i++) {
        board_write(mode[i].csr, mode[i].value);
    }
    board_memory_cache_flush_range(screen->frames[0], BOARD_SCREEN_BYTES);
    board_screen_present(screen->frames[0]);
    board_write(BOARD_CSR_vga_reset, 0);
}

uint16_t *board_screen_draw(const struct board_screen *screen)
{
    /* The picture may change from the shown to the waiting one in between: both are left alone. */
    const uint32_t shown = in_memory(board_read(BOARD_CSR_vga_shown));
    const uint32_t waiting = in_memory(board_read(BOARD_CSR_vga_base));
    size_t i = 0;
    while (i + 1 < BOARD_SCREEN_FRAMES && (in_memory((uint32_t)screen->frames[i]) == shown ||
                                           in_memory((uint32_t)screen->frames[i]) == waiting)) {
        i++;
    }
    return screen->frames[i];
}

void board_screen_present(const uint16_t *frame)
{
    board_write(BOARD_CSR_vga_base, (uint32_t)frame);
}

bool board_screen_is_shown(void)
{
    return in_memory(board_read(BOARD_CSR_vga_shown)) == in_memory(board_read(BOARD_CSR_vga_base));
}
