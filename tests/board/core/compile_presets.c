/* Reads and compiles for the board every preset that comes with froth and prints a sum of each
 * result. The host and the board's processor must print the same. */

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "board/patch/patch.h"
#include "presets/presets.h"
#include "tests/board/core/preset_texts.h"
#include "tests/board/core/print.h"

/* Byte order must not show. */
static uint32_t add_word(uint32_t sum, uint32_t word)
{
    const unsigned char bytes[4] = {(unsigned char)(word >> 24), (unsigned char)(word >> 16),
                                    (unsigned char)(word >> 8), (unsigned char)word};
    return base_crc32(sum, bytes, sizeof bytes);
}

static uint32_t add_bindings(uint32_t sum, const struct pfpu_binding *bindings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sum = add_word(sum, bindings[i].number);
        sum = add_word(sum, bindings[i].constant ? bindings[i].word : (uint32_t)bindings[i].key);
    }
    return sum;
}

static uint32_t add_program(uint32_t sum, const struct pfpu_board_program *program)
{
    sum = add_word(sum, (uint32_t)program->fit);
    if (program->fit != PFPU_FITS) {
        return sum;
    }
    const struct pfpu_microcode *code = &program->microcode;
    for (size_t i = 0; i < code->length; i++) {
        sum = add_word(sum, code->words[i]);
    }
    sum = add_bindings(sum, code->inputs, code->input_count);
    return add_bindings(sum, code->outputs, code->output_count);
}

static void compile(const struct preset *preset, const char *name,
                    enum pfpu_board_scheduler scheduler)
{
    struct base_diag_list *said = NULL;
    struct base_arena arena;
    base_arena_init(&arena, 0);
    said = base_arena_alloc(&arena, sizeof *said);
    if (said == NULL) {
        core_print("no memory");
        return;
    }
    const struct base_diag_sink sink = base_diag_list_sink(said);
    struct pfpu_board *board = NULL;
    const enum pfpu_status status =
        board_compile(preset, &pfpu_target_milkymist_one, scheduler, &arena, &sink, &board);
    char line[400];
    uint32_t sum = BASE_CRC32_START;
    if (board != NULL) {
        sum = add_program(add_program(sum, &board->frame), &board->vertex);
    }
    (void)snprintf(line, sizeof line, "%s: %s: %d, %zu messages, %zu words, %08lx", name,
                   pfpu_board_scheduler_names[scheduler], (int)status, said->count,
                   board != NULL ? board->vertex.microcode.length : 0, (unsigned long)sum);
    core_print(line);
    for (size_t i = 0; i < said->count; i++) {
        (void)base_diag_format(&said->items[i], line, sizeof line);
        core_print(line);
    }
    base_arena_free(&arena);
}

int main(void)
{
    core_begin();
    for (size_t i = 0; i < preset_texts_count; i++) {
        const struct preset_text *text = &preset_texts[i];
        struct preset preset;
        if (preset_read(&preset, text->name, text->text, strlen(text->text), NULL) != 0) {
            core_print("not read");
            continue;
        }
        for (int scheduler = 0; scheduler < PFPU_BOARD_SCHEDULERS; scheduler++) {
            compile(&preset, text->name, (enum pfpu_board_scheduler)scheduler);
        }
        preset_free(&preset);
    }
    return 0;
}
