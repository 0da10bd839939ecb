#include "app/milkymist_one/pfpu.h"

#include <string.h>

#include "pfpu/microcode.h"
#include "renderer/board_run.h"

enum { START = 1, PAGE_WORDS = 512 };

/* A run of a program over a mesh. */
struct job {
    const struct rend_board_program *program;
    uint32_t *cells;
    struct tmu_chip_vertex *vertices;
    uint32_t last_column;
    uint32_t last_row;
};

static enum board_csr place(enum board_csr first, uint32_t index)
{
    return (enum board_csr)((uint32_t)first + 4 * index);
}

static void finished(void *user)
{
    struct board_pfpu *pfpu = user;
    pfpu->done = true;
    pfpu->runs = pfpu->runs + 1;
}

static bool is_done(const void *user)
{
    const struct board_pfpu *pfpu = user;
    return pfpu->done;
}

void board_pfpu_begin(struct board_pfpu *pfpu, struct board_interrupt_handlers *handlers,
                      struct board_tasks *tasks)
{
    memset(pfpu, 0, sizeof *pfpu);
    pfpu->tasks = tasks;
    board_interrupt_handle(handlers, BOARD_INTERRUPT_pfpu, finished, pfpu);
}

static void load_code(const struct rend_board_program *program)
{
    for (uint32_t i = 0; i < program->word_count; i++) {
        if (i % PAGE_WORDS == 0) {
            board_write(BOARD_CSR_pfpu_code_page, i / PAGE_WORDS);
        }
        board_write(place(BOARD_CSR_pfpu_code, i % PAGE_WORDS), program->words[i]);
    }
}

static void load_registers(const struct rend_board_program *program, const uint32_t *cells)
{
    for (size_t i = 0; i < program->load_count; i++) {
        const struct rend_board_register *load = &program->loads[i];
        board_write(place(BOARD_CSR_pfpu_registers, load->number),
                    load->cell == REND_BOARD_NO_CELL ? load->word : cells[load->cell]);
    }
}

static void read_results(const struct rend_board_program *program, uint32_t *cells)
{
    for (size_t i = 0; i < program->result_count; i++) {
        const struct rend_board_register *result = &program->results[i];
        cells[result->cell] = board_read(place(BOARD_CSR_pfpu_registers, result->number));
    }
}

/* With K vertices in flight, each is written K - 1 columns late. */
static void run(struct board_pfpu *pfpu, const struct job *job)
{
    const uint32_t late = job->program->stages - 1;
    load_code(job->program);
    load_registers(job->program, job->cells);
    board_write(BOARD_CSR_pfpu_mesh_base, (uint32_t)(job->vertices - late));
    board_write(BOARD_CSR_pfpu_hmeshlast, job->last_column + late);
    board_write(BOARD_CSR_pfpu_vmeshlast, job->last_row);
    pfpu->done = false;
    board_write(BOARD_CSR_pfpu_control, START);
    board_tasks_wait(pfpu->tasks, is_done, pfpu);
    read_results(job->program, job->cells);
}

void board_pfpu_run_frame(struct board_pfpu *pfpu, const struct rend_board_patch *patch,
                          uint32_t *cells)
{
    if (patch->frame.word_count == 0) {
        uint32_t out[2];
        rend_board_run(&patch->frame, cells, pfpu->values, out);
        return;
    }
    run(pfpu, &(struct job){&patch->frame, cells, pfpu->nowhere, 0, 0});
}

/* Where there is no microcode. */
static void walk(struct board_pfpu *pfpu, const struct rend_board_program *program, uint32_t *cells,
                 struct tmu_chip_vertex *vertices)
{
    for (uint32_t y = 0; y <= REND_BOARD_MESH; y++) {
        for (uint32_t x = 0; x <= REND_BOARD_MESH; x++) {
            uint32_t out[2] = {0, 0};
            cells[PFPU_KEY_COLUMN] = x;
            cells[PFPU_KEY_ROW] = y;
            rend_board_run(program, cells, pfpu->values, out);
            vertices[y * TMU_CHIP_PITCH + x] =
                (struct tmu_chip_vertex){(int32_t)out[0], (int32_t)out[1]};
        }
    }
}

void board_pfpu_run_vertex(struct board_pfpu *pfpu, const struct rend_board_patch *patch,
                           uint32_t *cells, struct tmu_chip_vertex *vertices)
{
    if (patch->vertex.word_count == 0) {
        walk(pfpu, &patch->vertex, cells, vertices);
        return;
    }
    run(pfpu, &(struct job){&patch->vertex, cells, vertices, REND_BOARD_MESH, REND_BOARD_MESH});
}
