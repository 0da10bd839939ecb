#include "app/milkymist_one/show.h"

#include <stdlib.h>

#include "app/milkymist_one/cpu.h"
#include "app/milkymist_one/timer.h"
#include "renderer/board_sound.h"
#include "renderer/board_word.h"

enum { WAITING_MAX = 2 /* blocks of sound, before one is skipped */, DMX_FIRST_OUT = 0 };

static void run_cpu(void *user, uint32_t *cells)
{
    struct board_show *show = user;
    rend_board_cpu_run(show->current->cpu, cells);
}

static void run_frame(void *user, const struct rend_board_patch *patch, uint32_t *cells)
{
    struct board_show *show = user;
    board_pfpu_run_frame(show->pfpu, patch, cells);
}

static void run_vertex(void *user, const struct rend_board_patch *patch, uint32_t *cells,
                       struct tmu_chip_vertex *vertices)
{
    struct board_show *show = user;
    board_pfpu_run_vertex(show->pfpu, patch, cells, vertices);
}

/* The step knows one screen; here it is the frame that nobody sees. */
static void draw(void *user, const struct tmu_chip_registers *registers,
                 const struct tmu_chip_vertex *vertices)
{
    struct board_show *show = user;
    const uint32_t memory = (uint32_t)show->units.memory;
    struct tmu_chip_registers placed = *registers;
    placed.vertices = (int32_t)(uint32_t)vertices;
    placed.texfbuf = (int32_t)(memory + (uint32_t)registers->texfbuf);
    placed.dstfbuf = registers->dstfbuf == REND_BOARD_SCREEN_AT
                         ? (int32_t)(uint32_t)show->frame
                         : (int32_t)(memory + (uint32_t)registers->dstfbuf);
    board_tmu_draw(&show->tmu, &placed);
}

static void begin_pixels(void *user)
{
    (void)user;
    board_memory_cache_flush();
    board_data_cache_forget();
}

static void end_pixels(void *user)
{
    (void)user;
    board_memory_cache_flush();
}

bool board_show_begin(struct board_show *show, struct board_interrupt_handlers *handlers,
                      uint8_t *memory, uint32_t fps)
{
    show->board = malloc(sizeof *show->board);
    show->pfpu = malloc(sizeof *show->pfpu);
    if (show->board == NULL || show->pfpu == NULL) {
        return false;
    }
    show->units = (struct rend_board_units){.user = show,
                                            .memory = memory,
                                            .run_cpu = run_cpu,
                                            .run_frame = run_frame,
                                            .run_vertex = run_vertex,
                                            .draw = draw,
                                            .begin_pixels = begin_pixels,
                                            .end_pixels = end_pixels};
    board_pfpu_begin(show->pfpu, handlers, show->tasks);
    board_tmu_begin(&show->tmu, handlers, show->tasks);
    rend_board_init(show->board, &show->units, fps);
    board_memory_cache_flush();
    return true;
}

void board_show_load(struct board_show *show, const struct rend_board_loaded *loaded)
{
    show->next = loaded;
    while (show->current != loaded) {
    }
}

static void take_patch(struct board_show *show)
{
    const struct rend_board_loaded *next = show->next;
    if (next != show->current) {
        (void)rend_board_load(show->board, &next->patch);
        show->current = next;
    }
}

static void skip_sound(struct board_show *show)
{
    while (!show->exact && board_sound_waiting(show->sound) > WAITING_MAX) {
        board_sound_give_back(show->sound);
        show->account.skipped = show->account.skipped + 1;
    }
}

static bool can_hear(const void *user)
{
    const struct board_show *show = user;
    return board_sound_waiting(show->sound) > 0 && !show->measured;
}

void board_show_hear(void *user)
{
    struct board_show *show = user;
    for (;;) {
        board_tasks_wait(show->tasks, can_hear, show);
        skip_sound(show);
        rend_board_hear(&show->heard, board_sound_block(show->sound),
                        show->sound->block_bytes / BOARD_SOUND_PAIR);
        board_sound_give_back(show->sound);
        show->ready = show->heard;
        show->measured = true;
    }
}

static bool can_draw(const struct board_show *show)
{
    return show->measured && show->current != NULL;
}

static bool has_work(const void *user)
{
    const struct board_show *show = user;
    return can_draw(show) || show->next != show->current;
}

static void tell_lights(const struct board_show *show)
{
    for (uint32_t i = 0; i < REND_BOARD_DMX; i++) {
        board_write((enum board_csr)(BOARD_CSR_dmx_out_channels + 4 * (DMX_FIRST_OUT + i)),
                    show->board->canvas.dmx[i]);
    }
}

static void hear_lights(struct rend_board_input *input)
{
    for (uint32_t i = 0; i < REND_BOARD_DMX; i++) {
        const uint32_t value =
            board_read((enum board_csr)(BOARD_CSR_dmx_in_channels + 4 * i)) & UINT8_MAX;
        input->controls[i] = rend_board_word(((int64_t)value << 24) / UINT8_MAX, 24);
    }
}

static void show_frame(struct board_show *show)
{
    while (show->exact && !board_screen_is_shown()) {
    }
    if (board_caption_draw(&show->caption, show->frame)) {
        board_memory_cache_flush();
    }
    board_screen_present(show->frame);
}

static void step(struct board_show *show)
{
    struct rend_board_input input = {.sample_count = 0};
    hear_lights(&input);
    show->board->sound = show->ready;
    show->measured = false;
    show->frame = board_screen_draw(show->screen);
    rend_board_draw(show->board, &input);
    show_frame(show);
    tell_lights(show);
}

static void count(struct board_show *show, uint32_t cycles)
{
    struct board_show_account *account = &show->account;
    if (account->frames == 0) {
        account->first = board_cycles();
    }
    account->frames = account->frames + 1;
    account->cycles = cycles;
    account->cycles_max = cycles > account->cycles_max ? cycles : account->cycles_max;
}

void board_show_draw(void *user)
{
    struct board_show *show = user;
    for (;;) {
        board_tasks_wait(show->tasks, has_work, show);
        take_patch(show);
        if (can_draw(show)) {
            const uint32_t begin = board_cycles();
            step(show);
            count(show, board_cycles() - begin);
        }
    }
}
