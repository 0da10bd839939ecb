#include "board/firmware/show.h"

#include <stdlib.h>
#include <string.h>

#include "board/firmware/cpu.h"
#include "board/firmware/trap.h"
#include "board/step/program.h"
#include "board/step/step.h"

enum {
    WAITING_MAX = 2, /* blocks of sound, before one is skipped */
    POOR_MAX = 8,    /* frames that leave the program nothing, before one is skipped */
    DMX_FIRST_OUT = 0,
};

static uint32_t run_cpu(void *user, uint32_t *cells, uint32_t most, bool *done)
{
    struct board_show *show = user;
    return board_cpu_run(show->current->cpu, cells, most, done);
}

static void run_frame(void *user, const struct board_patch *patch, uint32_t *cells)
{
    struct board_show *show = user;
    board_pfpu_run_frame(show->pfpu, patch, cells);
}

static void run_vertex(void *user, const struct board_patch *patch, uint32_t *cells,
                       struct board_mapper_vertex *vertices)
{
    struct board_show *show = user;
    board_pfpu_run_vertex(show->pfpu, patch, cells, vertices);
}

static uint32_t run_item(void *user, const struct board_patch *patch,
                         const struct board_item_program *program, uint32_t *cells)
{
    struct board_show *show = user;
    (void)patch;
    if (program->on_cpu) {
        return board_cpu_run_item(show->current->cpu, program, cells);
    }
    board_pfpu_run_item(show->pfpu, &program->program, cells);
    return 0;
}

/* Painting goes on as soon as the texture mapper has finished a run, however much there is to
 * think.
 */
static void give_way(void *user)
{
    struct board_show *show = user;
    board_tasks_give_way(show->tasks);
}

/* The step knows one screen; here it is the frame that is not seen. */
static void draw(void *user, const struct board_mapper_registers *registers,
                 const struct board_mapper_vertex *vertices)
{
    struct board_show *show = user;
    const uint32_t memory = (uint32_t)show->units.memory;
    struct board_mapper_registers placed = *registers;
    placed.vertices = (int32_t)(uint32_t)vertices;
    placed.texfbuf = (int32_t)(memory + (uint32_t)registers->texfbuf);
    placed.dstfbuf = registers->dstfbuf == BOARD_SCREEN_AT
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
    show->thinker = malloc(sizeof *show->thinker);
    show->painter = malloc(sizeof *show->painter);
    show->pfpu = malloc(sizeof *show->pfpu);
    if (show->thinker == NULL || show->painter == NULL || show->pfpu == NULL) {
        return false;
    }
    show->units = (struct board_units){.user = show,
                                       .memory = memory,
                                       .run_cpu = run_cpu,
                                       .run_frame = run_frame,
                                       .run_vertex = run_vertex,
                                       .run_item = run_item,
                                       .give_way = give_way,
                                       .draw = draw,
                                       .begin_pixels = begin_pixels,
                                       .end_pixels = end_pixels};
    show->least = board_read(BOARD_CSR_system_frequency) / fps / 32;
    show->heavy = board_read(BOARD_CSR_system_frequency) / fps / 4 * 3;
    board_pfpu_begin(show->pfpu, handlers, show->tasks);
    board_tmu_begin(&show->tmu, handlers, show->tasks);
    board_init(show->painter, &show->units, fps);
    memcpy(show->thinker, show->painter, sizeof *show->thinker);
    board_memory_cache_flush();
    return true;
}

void board_show_load(struct board_show *show, const struct board_loaded *loaded)
{
    const struct board_loaded *before = show->current;
    show->next = loaded;
    while (show->current != loaded || (before != NULL && show->painting == &before->patch)) {
    }
}

void board_show_spare(struct board_show *show, bool wanted)
{
    show->generous = wanted && show->account.cycles > show->heavy;
}

/* A frame now and then is left out as well where several in a row have left the program next to
 * nothing: it has to be able to change the patch. */
static bool is_sparing(const struct board_show *show)
{
    return (show->generous || show->poor >= POOR_MAX) && !show->exact;
}

static void look_at_program(struct board_show *show)
{
    const uint32_t left = show->tasks->left;
    show->poor = left - show->left < show->least ? show->poor + 1 : 0;
    show->left = left;
}

static bool can_hear(const void *user)
{
    const struct board_show *show = user;
    return board_sound_waiting(show->sound) > (is_sparing(show) ? 1 : 0) && !show->measured;
}

void board_show_hear(void *user)
{
    struct board_show *show = user;
    for (;;) {
        board_tasks_wait(show->tasks, can_hear, show);
        const uint32_t most = is_sparing(show) ? 1 : WAITING_MAX;
        while (!show->exact && board_sound_waiting(show->sound) > most) {
            board_sound_give_back(show->sound);
            show->account.skipped = show->account.skipped + 1;
        }
        const uint32_t pairs = show->sound->block_bytes / BOARD_SOUND_PAIR;
        look_at_program(show);
        board_hear(&show->heard, board_sound_block(show->sound), pairs);
        board_sound_give_back(show->sound);
        if (board_beat_hear(&show->beat, &show->heard, BOARD_SOUND_RATE / pairs)) {
            show->beats = show->beats + 1;
        }
        show->ready = show->heard;
        show->measured = true;
    }
}

static bool can_think(const struct board_show *show)
{
    return show->measured && !show->thought && show->current != NULL;
}

static bool has_to_think(const void *user)
{
    const struct board_show *show = user;
    return can_think(show) || (show->next != show->current && !show->thought);
}

void board_show_think(void *user)
{
    struct board_show *show = user;
    for (;;) {
        board_tasks_wait(show->tasks, has_to_think, show);
        const struct board_loaded *next = show->next;
        if (next != show->current) {
            (void)board_load(show->thinker, &next->patch);
            board_midi_load(&show->midi, &next->patch);
            show->current = next;
        }
        if (can_think(show)) {
            struct board_input input = {.sample_count = 0};
            for (uint32_t i = 0; i < BOARD_DMX; i++) {
                const uint32_t value =
                    board_read((enum board_csr)(BOARD_CSR_dmx_in_channels + 4 * i)) & UINT8_MAX;
                input.controls[i] = board_word(((int64_t)value << 24) / UINT8_MAX, 24);
            }
            memcpy(&input.controls[BOARD_DMX], (const uint32_t *)show->inputs->osc,
                   sizeof show->inputs->osc);
            for (int byte = 0; (byte = board_inputs_midi(show->inputs)) >= 0;) {
                board_midi_hear(&show->midi, (uint8_t)byte);
            }
            input.settings = show->midi.settings;
            input.setting_count = show->midi.setting_count;
            show->thinker->sound = show->ready;
            show->measured = false;
            board_think(show->thinker, &input);
            show->account.thin = show->thinker->cuts.thin;
            show->account.shapes_cut = show->thinker->cuts.shapes;
            show->account.overlay_turns = show->thinker->cuts.overlay;
            show->account.equation_turns = show->thinker->cuts.frames;
            show->account.echo_cut = show->thinker->cuts.echo;
            show->account.points_cut = show->thinker->cuts.points;
            show->thought = true;
        }
    }
}

static bool has_to_paint(const void *user)
{
    const struct board_show *show = user;
    return show->thought;
}

/* By the texture mapper, pixel for pixel. */
static void lay_panel(struct board_show *show, const uint16_t *panel)
{
    enum { OPAQUE = 63, WHOLE = 0x3FFFF, PIXEL = 1 << BOARD_MAPPER_FRACTION };
    _Alignas(8) struct board_mapper_vertex corners[BOARD_MAPPER_PITCH + 2];
    const int32_t width = BOARD_PANEL_WIDTH * PIXEL;
    const int32_t height = BOARD_PANEL_HEIGHT * PIXEL;
    corners[0] = (struct board_mapper_vertex){0, 0};
    corners[1] = (struct board_mapper_vertex){width, 0};
    corners[BOARD_MAPPER_PITCH] = (struct board_mapper_vertex){0, height};
    corners[BOARD_MAPPER_PITCH + 1] = (struct board_mapper_vertex){width, height};
    const struct board_mapper_registers registers = {
        .hmeshlast = 1,
        .vmeshlast = 1,
        .brightness = OPAQUE,
        .vertices = (int32_t)(uint32_t)corners,
        .texfbuf = (int32_t)(uint32_t)panel,
        .texhres = BOARD_PANEL_WIDTH,
        .texvres = BOARD_PANEL_HEIGHT,
        .texhmask = WHOLE,
        .texvmask = WHOLE,
        .dstfbuf = (int32_t)(uint32_t)show->frame,
        .dsthres = BOARD_SCREEN_WIDTH,
        .dstvres = BOARD_SCREEN_HEIGHT,
        .dsthoffset = BOARD_PANEL_X,
        .dstvoffset = BOARD_PANEL_Y,
        .dstsquarew = BOARD_PANEL_WIDTH,
        .dstsquareh = BOARD_PANEL_HEIGHT,
        .alpha = BOARD_PANEL_ALPHA,
    };
    board_tmu_draw(&show->tmu, &registers);
}

void board_show_paint(void *user)
{
    struct board_show *show = user;
    for (;;) {
        struct board_input input = {.sample_count = 0};
        board_tasks_wait(show->tasks, has_to_paint, show);
        const uint32_t begin = board_cycles();
        /* The coprocessor has written the mesh, past the processor's cache. */
        enum { ROW = (BOARD_MESH + 1) * sizeof(struct board_mapper_vertex) };
        const struct board *from = show->thinker;
        struct board *to = show->painter;
        board_data_cache_forget();
        to->patch = from->patch;
        to->clock = from->clock;
        to->sound = from->sound;
        memcpy(to->cells, from->cells, from->patch->cell_count * sizeof *to->cells);
        board_items_copy(&to->items, &from->items);
        for (size_t y = 0; y <= BOARD_MESH; y++) {
            memcpy(to->mesh + y * BOARD_MAPPER_PITCH, from->mesh + y * BOARD_MAPPER_PITCH, ROW);
        }
        show->painting = to->patch;
        show->thought = false;
        show->frame = board_screen_draw(show->screen);
        input.dim = show->dim;
        board_paint(show->painter, &input);
        const uint16_t *panel = show->panel;
        if (panel != NULL) {
            lay_panel(show, panel);
        }
        while (show->exact && !board_screen_is_shown()) {
        }
        if (board_caption_draw(&show->caption, show->frame)) {
            board_memory_cache_flush();
        }
        board_screen_present(show->frame);
        for (uint32_t i = 0; i < BOARD_DMX; i++) {
            board_write((enum board_csr)(BOARD_CSR_dmx_out_channels + 4 * (DMX_FIRST_OUT + i)),
                        show->painter->canvas.dmx[i]);
        }
        show->painting = NULL;
        const uint32_t cycles = board_cycles() - begin;
        struct board_show_account *account = &show->account;
        if (account->frames == 0) {
            account->first = board_cycles();
        }
        account->frames = account->frames + 1;
        account->cycles = cycles;
        account->cycles_max = cycles > account->cycles_max ? cycles : account->cycles_max;
    }
}
