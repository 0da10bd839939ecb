/* froth on the Milkymist One: sound comes in, pictures go out, patches are compiled in between. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board/firmware/console.h"
#include "board/firmware/cpu.h"
#include "board/firmware/inputs.h"
#include "board/firmware/patches.h"
#include "board/firmware/player.h"
#include "board/firmware/units.h"
#include "board/firmware/trap.h"
#include "board/step/step.h"
#include "pfpu/compile/board.h"

/* What the boot loader's command line says: words between blanks.
 *   exact       a frame for each block of sound, however late, each seen, nothing written into it
 *   fps=24|30   frames per second
 *   schedule=NAME  how the coprocessor's programs are scheduled, in place of the compiler's choice:
 *               greedy (as in the thesis), critical, pipelined; last bits of the mesh may differ
 *   patch=TEXT  the first patch: part of its name; _ stands for a blank */
struct board_settings {
    bool exact;
    uint32_t fps;
    bool schedules; /* a scheduler is named */
    enum pfpu_board_scheduler scheduler;
    char patch[64]; /* empty: the first one there is */
};

enum { LINE_MAX = 4096 };

static bool begins(const char *word, size_t size, const char *with)
{
    const size_t length = strlen(with);
    return size >= length && memcmp(word, with, length) == 0;
}

static bool is(const char *word, size_t size, const char *text)
{
    return strlen(text) == size && begins(word, size, text);
}

static bool read_schedule(struct board_settings *settings, const char *word, size_t size)
{
    static const char schedule[] = "schedule=";
    const size_t before = sizeof schedule - 1;
    for (int i = 0; begins(word, size, schedule) && i < PFPU_BOARD_SCHEDULERS; i++) {
        if (is(word + before, size - before, pfpu_board_scheduler_names[i])) {
            settings->schedules = true;
            settings->scheduler = (enum pfpu_board_scheduler)i;
            return true;
        }
    }
    return false;
}

static bool read_patch(struct board_settings *settings, const char *word, size_t size)
{
    static const char patch[] = "patch=";
    const size_t before = sizeof patch - 1;
    const bool known = begins(word, size, patch) && size - before < sizeof settings->patch;
    if (known) {
        memset(settings->patch, 0, sizeof settings->patch);
        for (size_t i = before; i < size; i++) {
            settings->patch[i - before] = word[i] == '_' ? ' ' : word[i];
        }
    }
    return known;
}

/* command_line: NULL for none. Words that are none of these are said on the console and passed
 * over. */
static void read_settings(struct board_settings *settings, const char *command_line)
{
    *settings = (struct board_settings){.fps = BOARD_FPS_MIN};
    const char *at = command_line;
    while (at != NULL && *at != '\0' && at < command_line + LINE_MAX) {
        size_t size = 0;
        while (at[size] > ' ' && size < LINE_MAX) {
            size++;
        }
        if (size > 0) {
            if (is(at, size, "exact")) {
                settings->exact = true;
            } else if (is(at, size, "fps=30")) {
                settings->fps = BOARD_FPS_MAX;
            } else if (is(at, size, "fps=24")) {
                settings->fps = BOARD_FPS_MIN;
            } else if (!read_schedule(settings, at, size) && !read_patch(settings, at, size)) {
                enum { SHOWN = 64 };
                char text[SHOWN + 1] = "";
                memcpy(text, at, size < SHOWN ? size : SHOWN);
                board_print("command line: '");
                board_print(text);
                board_print(size <= SHOWN ? "'" : "...'");
                board_print(" means nothing; fps=24, fps=30, patch=NAME, schedule=NAME and exact "
                            "are known\n");
            }
        }
        at += size == 0 ? 1 : size;
    }
}

enum { SOUND_ROOM = 9 /* blocks, of a show that is not exact */, SCREEN = BOARD_SCREEN_BYTES };

/* Memory behind the program, from board.ld. */
extern unsigned char _free_begin[];
extern unsigned char _free_end[];
extern unsigned char _sound_begin[];
extern unsigned char _sound_end[];

/* What there is, for as long as the program runs. */
struct program {
    struct board_settings settings;
    struct board_interrupt_handlers handlers;
    struct board_console console;
    struct board_timer timer;
    struct board_screen screen;
    struct board_tasks tasks;
    struct board_sound sound;
    struct board_inputs inputs;
    struct board_patches patches;
    struct board_show show;
    struct board_player player;
    _Alignas(8) unsigned char stacks[BOARD_TASKS][BOARD_TASK_STACK];
};

/* Says what the board lacks; false if it is something that no show goes without. */
static bool has_parts(void)
{
    static const struct {
        uint32_t bit;
        bool needed;
        const char *name;
    } parts[] = {
        {0, false, "memory card"},   {1, true, "sound codec"}, {2, true, "coprocessor"},
        {3, true, "texture mapper"}, {7, false, "MIDI"},       {8, false, "DMX"},
        {9, false, "infrared"},
    };
    const uint32_t there = board_read(BOARD_CSR_system_capabilities);
    bool enough = true;
    bool all = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if ((there >> parts[i].bit & 1) == 0) {
            board_print(all ? "this board has no " : ", ");
            board_print(parts[i].name);
            enough = enough && !parts[i].needed;
            all = false;
        }
    }
    board_print(all ? "" : "\n");
    return enough;
}

/* The one that was asked for, or the first one that there is. The sound begins when it is there.
 * The card waits until then, if that one is not on it. */
static void load_first(struct program *program)
{
    struct board_player *player = &program->player;
    if (board_patches_find(&program->patches, program->settings.patch) < 0) {
        board_player_look_at_card(player);
    }
    const int32_t count = board_patches_count(&program->patches);
    const int32_t first = board_patches_find(&program->patches, program->settings.patch);
    if (first < 0 && count > 0) {
        board_print("command line: no patch's name has '");
        board_print(program->settings.patch);
        board_print("'; 'list' prints all\n");
    }
    for (int32_t i = 0; i < count; i++) {
        if (board_player_load(player, ((first < 0 ? 0 : first) + i) % count)) {
            return;
        }
    }
    board_print("no patch can be shown\n");
}

static void play(struct program *program)
{
    struct board_player *player = &program->player;
    *player = (struct board_player){.show = &program->show,
                                    .console = &program->console,
                                    .inputs = &program->inputs,
                                    .patches = &program->patches,
                                    .fps = program->settings.fps,
                                    .silent = true};
    board_tasks_add(&program->tasks, program->stacks[0], board_show_paint, &program->show);
    board_tasks_add(&program->tasks, program->stacks[1], board_show_think, &program->show);
    board_tasks_add(&program->tasks, program->stacks[2], board_show_hear, &program->show);
    board_inputs_begin(&program->inputs, &program->handlers);
    board_timer_begin(&program->timer, &program->handlers, program->settings.fps);
    (void)board_interrupts_on(true);
    program->patches.schedules = program->settings.schedules;
    program->patches.scheduler = program->settings.scheduler;
    board_patches_begin(&program->patches);
    load_first(program);
    player->silent = program->settings.exact;
    /* A show that is exact waits for sound; any other one goes on without. */
    const bool exact = program->settings.exact;
    const uint32_t pairs = BOARD_SOUND_RATE / program->settings.fps;
    const uint32_t all = (uint32_t)(_sound_end - _sound_begin);
    const uint32_t some = SOUND_ROOM * pairs * BOARD_SOUND_PAIR;
    const bool answers = board_sound_open();
    board_sound_begin(&program->sound, &program->handlers, _sound_begin, exact ? all : some, pairs,
                      !answers && !exact);
    if (exact) {
        board_print(answers ? "" : "sound: the codec does not answer\n");
    } else {
        const bool were_on = board_interrupts_on(false);
        program->timer.each = (struct board_interrupt_handler){board_sound_tick, &program->sound};
        (void)board_interrupts_on(were_on);
    }
    for (;;) {
        board_player_look(player);
    }
}

int main(const char *command_line)
{
    struct program program = {0};
    board_set_trap_context(&program.handlers);
    board_tasks_begin(&program.tasks, &program.handlers);
    board_console_begin(&program.console, &program.handlers);
    board_print("\nfroth " FROTH_VERSION " on the Milkymist One\nclock ");
    board_print_number(board_read(BOARD_CSR_system_frequency));
    board_print(" Hz, system ");
    board_print_hex(board_read(BOARD_CSR_system_id));
    board_print(", capabilities ");
    board_print_hex(board_read(BOARD_CSR_system_capabilities));
    board_print("\n");
    read_settings(&program.settings, command_line);
    if (!has_parts()) {
        board_print("nothing can be shown\n");
        return 1;
    }
    /* Frames of the screen, then what the texture mapper draws on, then the heap. */
    unsigned char *canvas = _free_begin + (size_t)BOARD_SCREEN_FRAMES * SCREEN;
    unsigned char *heap = canvas + BOARD_SHOW_MEMORY;
    board_heap_begin(heap, (size_t)(_free_end - heap));
    board_screen_begin(&program.screen, (uint16_t *)(void *)_free_begin);
    program.show.tasks = &program.tasks;
    program.show.screen = &program.screen;
    program.show.sound = &program.sound;
    program.show.inputs = &program.inputs;
    program.show.exact = program.settings.exact;
    if (board_show_begin(&program.show, &program.handlers, canvas, program.settings.fps)) {
        play(&program);
    }
    board_print("not enough memory\n");
    return 1;
}
