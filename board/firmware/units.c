#include "board/firmware/units.h"

#include <string.h>

#include "board/step/program.h"
#include "pfpu/microcode/microcode.h"

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

/* With K vertices in flight, each is written K - 1 columns late. */
static void run(struct board_pfpu *pfpu, const struct job *job)
{
    const struct board_program *program = job->program;
    const uint32_t late = program->stages - 1;
    for (uint32_t i = 0; i < program->word_count; i++) {
        if (i % PAGE_WORDS == 0) {
            board_write(BOARD_CSR_pfpu_code_page, i / PAGE_WORDS);
        }
        board_write(place(BOARD_CSR_pfpu_code, i % PAGE_WORDS), program->words[i]);
    }
    for (size_t i = 0; i < program->load_count; i++) {
        const struct board_register *load = &program->loads[i];
        board_write(place(BOARD_CSR_pfpu_registers, load->number),
                    load->cell == BOARD_NO_CELL ? load->word : job->cells[load->cell]);
    }
    board_write(BOARD_CSR_pfpu_mesh_base, (uint32_t)(job->vertices - late));
    board_write(BOARD_CSR_pfpu_hmeshlast, job->last_column + late);
    board_write(BOARD_CSR_pfpu_vmeshlast, job->last_row);
    pfpu->done = false;
    board_write(BOARD_CSR_pfpu_control, PFPU_START);
    board_tasks_wait(pfpu->tasks, is_pfpu_done, pfpu);
    for (size_t i = 0; i < program->result_count; i++) {
        const struct board_register *result = &program->results[i];
        job->cells[result->cell] = board_read(place(BOARD_CSR_pfpu_registers, result->number));
    }
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
