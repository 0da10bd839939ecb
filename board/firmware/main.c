/* froth on the Milkymist One: sound comes in, pictures go out, patches are compiled in between. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board/firmware/console.h"
#include "board/firmware/cpu.h"
#include "board/firmware/inputs.h"
#include "board/firmware/net/net.h"
#include "board/firmware/operate.h"
#include "board/firmware/patches.h"
#include "board/firmware/player.h"
#include "board/firmware/settings.h"
#include "board/firmware/units.h"
#include "board/firmware/trap.h"
#include "board/step/step.h"
#include "board/storage/image.h"
#include "pfpu/compile/board.h"

/* What the boot loader's command line says: words between blanks.
 *   exact       a frame for each block of sound, however late, each seen, nothing written into it
 *   schedule=NAME  how the coprocessor's programs are scheduled, in place of the compiler's choice:
 *               greedy (as in the thesis), critical, pipelined; last bits of the mesh may differ
 *   KEY=VALUE   a setting (settings.def); _ stands for a blank */
struct command_line {
    bool exact;
    bool schedules; /* a scheduler is named */
    enum pfpu_board_scheduler scheduler;
};

enum { LINE_MAX = 4096 };

static bool begins(struct base_span word, const char *with)
{
    const size_t length = strlen(with);
    return word.size >= length && memcmp(word.data, with, length) == 0;
}

static bool read_schedule(struct command_line *line, struct base_span word)
{
    static const char schedule[] = "schedule=";
    const size_t before = sizeof schedule - 1;
    for (int i = 0; begins(word, schedule) && i < PFPU_BOARD_SCHEDULERS; i++) {
        if (base_span_equal((struct base_span){word.data + before, word.size - before},
                            base_span_of(pfpu_board_scheduler_names[i]))) {
            line->schedules = true;
            line->scheduler = (enum pfpu_board_scheduler)i;
            return true;
        }
    }
    return false;
}

static bool read_setting(struct board_kept *kept, struct base_span word)
{
    char value[BOARD_SETTING_VALUE];
    struct base_span key = {word.data, 0};
    while (key.size < word.size && word.data[key.size] != '=') {
        key.size++;
    }
    const enum board_setting setting = board_setting_find(key);
    const size_t size = word.size - key.size;
    if (setting == BOARD_SETTINGS || size == 0 || size > sizeof value) {
        return false;
    }
    for (size_t i = 0; i < size - 1; i++) {
        const char letter = word.data[key.size + 1 + i];
        value[i] = letter == '_' ? ' ' : letter;
    }
    return board_kept_command(kept, setting, (struct base_span){value, size - 1});
}

/* text: NULL for none. Words that are none of these are said on the console and passed over. */
static void read_command_line(struct command_line *line, struct board_kept *kept, const char *text)
{
    const char *at = text;
    *line = (struct command_line){.exact = false};
    while (at != NULL && *at != '\0' && at < text + LINE_MAX) {
        struct base_span word = {at, 0};
        while (at[word.size] > ' ' && word.size < LINE_MAX) {
            word.size++;
        }
        if (base_span_equal(word, base_span_of("exact"))) {
            line->exact = true;
        } else if (word.size > 0 && !read_schedule(line, word) && !read_setting(kept, word)) {
            enum { SHOWN = 64 };
            char shown[SHOWN + 1] = "";
            memcpy(shown, word.data, word.size < SHOWN ? word.size : SHOWN);
            board_print("command line: '");
            board_print(shown);
            board_print(word.size <= SHOWN ? "'" : "...'");
            board_print(" means nothing; exact, schedule=NAME and settings as patch=NAME are "
                        "known\n");
        }
        at += word.size == 0 ? 1 : word.size;
    }
}

enum { SOUND_ROOM = 9 /* blocks, of a show that is not exact */, SCREEN = BOARD_SCREEN_BYTES };

/* Memory behind the program, from board.ld. */
extern unsigned char _free_begin[];
extern unsigned char _free_end[];
extern unsigned char _sound_begin[];
extern unsigned char _sound_end[];

/* By which an update knows this program; tools/seal_image fills in the rest. */
extern const struct board_image_seal board_seal;
__attribute__((section(".seal")))
const struct board_image_seal board_seal = {.magic = BOARD_IMAGE_MAGIC, .version = FROTH_VERSION};

/* What there is, for as long as the program runs. */
struct program {
    struct command_line line;
    struct board_kept kept;
    struct board_interrupt_handlers handlers;
    struct board_console console;
    struct board_timer timer;
    struct board_screen screen;
    struct board_tasks tasks;
    struct board_sound sound;
    struct board_inputs inputs;
    struct board_patches patches;
    struct board_show show;
    struct board_operate operate;
    struct board_net net;
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
        {4, false, "network"},       {9, false, "infrared"},
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

/* The one that was asked for, or the first one that there is. The sound begins when it is there. */
static void load_first(struct program *program)
{
    struct board_player *player = &program->player;
    const int32_t count = board_patches_count(&program->patches);
    const int32_t first = board_patches_find(&program->patches, program->kept.settings.patch);
    if (first < 0 && count > 0) {
        board_print("no patch's name has '");
        board_print(program->kept.settings.patch);
        board_print("'; 'list' prints all\n");
    }
    for (int32_t i = 0; i < count; i++) {
        if (board_player_load(player, ((first < 0 ? 0 : first) + i) % count)) {
            return;
        }
    }
    board_print("no patch can be shown\n");
}

/* Its task is the last one: it waits for the others. */
static void begin_network(struct program *program, uint32_t fps)
{
    struct board_net *net = &program->net;
    net->settings = &program->kept.settings;
    net->tasks = &program->tasks;
    net->handlers = &program->handlers;
    net->timer = &program->timer;
    net->show = &program->show;
    net->inputs = &program->inputs;
    net->rate = fps;
    if (board_net_begin(net)) {
        const bool were_on = board_interrupts_on(false);
        board_tasks_add(&program->tasks, program->stacks[4], board_net_run, net);
        (void)board_interrupts_on(were_on);
    }
}

static void play(struct program *program, uint32_t fps)
{
    struct board_player *player = &program->player;
    player->fps = fps;
    program->operate.fps = fps;
    board_tasks_add(&program->tasks, program->stacks[0], board_show_paint, &program->show);
    board_tasks_add(&program->tasks, program->stacks[1], board_show_think, &program->show);
    board_tasks_add(&program->tasks, program->stacks[2], board_show_hear, &program->show);
    board_inputs_begin(&program->inputs, &program->handlers);
    board_timer_begin(&program->timer, &program->handlers, fps);
    board_operate_begin(&program->operate, program->line.exact);
    board_tasks_add(&program->tasks, program->stacks[3], board_operate_run, &program->operate);
    (void)board_interrupts_on(true);
    program->patches.schedules = program->line.schedules;
    program->patches.scheduler = program->line.scheduler;
    board_patches_begin(&program->patches);
    board_advance_begin(&player->advance);
    load_first(program);
    player->silent = program->line.exact;
    /* A show that is exact waits for sound; any other one goes on without. */
    const bool exact = program->line.exact;
    const uint32_t pairs = BOARD_SOUND_RATE / fps;
    const uint32_t all = (uint32_t)(_sound_end - _sound_begin);
    const uint32_t some = SOUND_ROOM * pairs * BOARD_SOUND_PAIR;
    const bool answers = board_sound_open((uint32_t)program->kept.settings.gain);
    board_sound_begin(&program->sound, &program->handlers, _sound_begin, exact ? all : some, pairs,
                      !answers && !exact);
    if (exact) {
        board_print(answers ? "" : "sound: the codec does not answer\n");
    } else {
        const bool were_on = board_interrupts_on(false);
        program->timer.each = (struct board_interrupt_handler){board_sound_tick, &program->sound};
        (void)board_interrupts_on(were_on);
    }
    begin_network(program, fps);
    for (;;) {
        const uint32_t seen = program->handlers.count;
        if (!board_player_look(player)) {
            board_interrupts_wait(&program->handlers, seen);
        }
    }
}

int main(const char *command_line)
{
    struct program program = {0};
    board_set_trap_context(&program.handlers);
    board_tasks_begin(&program.tasks, &program.handlers);
    board_console_begin(&program.console, &program.handlers);
    board_cycles_begin();
    board_print("\nfroth " FROTH_VERSION " on the Milkymist One\nclock ");
    board_print_number(board_read(BOARD_CSR_system_frequency));
    board_print(" Hz, system ");
    board_print_hex(board_read(BOARD_CSR_system_id));
    board_print(", capabilities ");
    board_print_hex(board_read(BOARD_CSR_system_capabilities));
    board_print("\n");
    board_kept_begin(&program.kept);
    read_command_line(&program.line, &program.kept, command_line);
    if (!has_parts()) {
        board_print("nothing can be shown\n");
        return 1;
    }
    /* Frames of the screen, then what the texture mapper draws on, then the heap. */
    unsigned char *canvas = _free_begin + (size_t)BOARD_SCREEN_FRAMES * SCREEN;
    unsigned char *heap = canvas + BOARD_SHOW_MEMORY;
    board_heap_begin(heap, (size_t)(_free_end - heap));
    board_screen_begin(&program.screen, (uint16_t *)(void *)_free_begin);
    program.patches.memory = canvas;
    program.show.tasks = &program.tasks;
    program.show.screen = &program.screen;
    program.show.sound = &program.sound;
    program.show.inputs = &program.inputs;
    program.show.exact = program.line.exact;
    program.player = (struct board_player){.show = &program.show,
                                           .console = &program.console,
                                           .inputs = &program.inputs,
                                           .patches = &program.patches,
                                           .kept = &program.kept,
                                           .operate = &program.operate,
                                           .net = &program.net,
                                           .silent = true,
                                           .exact = program.line.exact};
    program.operate = (struct board_operate){.tasks = &program.tasks,
                                             .timer = &program.timer,
                                             .inputs = &program.inputs,
                                             .show = &program.show,
                                             .patches = &program.patches,
                                             .net = &program.net,
                                             .settings = &program.kept.settings,
                                             .shown = program.player.shown,
                                             .current = -1};
    board_player_look_at_card(&program.player);
    const uint32_t fps = (uint32_t)program.kept.settings.fps;
    if (board_show_begin(&program.show, &program.handlers, canvas, fps)) {
        play(&program, fps);
    }
    board_print("not enough memory\n");
    return 1;
}
