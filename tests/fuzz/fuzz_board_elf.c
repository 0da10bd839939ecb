/* Whatever bytes come in as the board's program with its names: they are refused, or give functions
 * by rising address whose names end within them; looking who called whom, wherever the processor
 * stands, ends. */
#include <stdlib.h>
#include <string.h>

#include "board/twin/account.h"
#include "board/twin/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOOKS = 16 };

static void check(const struct board_twin_profile *profile, const uint8_t *data, size_t size)
{
    const char *const begin = (const char *)data;
    for (size_t i = 0; i < profile->count; i++) {
        const struct board_twin_function *function = &profile->functions[i];
        if (function->name < begin || function->name >= begin + size ||
            function->name + strlen(function->name) >= begin + size ||
            (i > 0 && function->address <= function[-1].address)) {
            abort();
        }
        const int found = board_twin_profile_at(profile, function->address);
        if (found != (int)i || board_twin_profile_find(profile, function->name) < 0) {
            abort();
        }
        if (i == LOOKS) {
            return; /* the names of all would be looked for in those of all */
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t program[4] = {0xE0, 0, 0, 0};
    static struct board_twin *board;
    struct board_twin_profile profile;
    board = board != NULL ? board : board_twin_create(program, sizeof program, "fuzz");
    if (board == NULL || !board_twin_profile_create(&profile, data, size)) {
        return 0;
    }
    check(&profile, data, size);
    uint64_t cycles = 0;
    for (size_t i = 0; i < LOOKS; i++) {
        const struct board_twin_function *function = &profile.functions[i % profile.count];
        board->cpu.pc = function->address + 4 * (uint32_t)i;
        board->cpu.r[29] = profile.functions[(i + 1) % profile.count].address;
        board->cpu.r[28] = data[i % size] * 0x01010101u;
        board->cpu.cycles += 300;
        cycles = board_twin_profile_look(&profile, board);
        if (cycles <= board->cpu.cycles) {
            abort();
        }
    }
    if (profile.outside > profile.all || profile.all > board->cpu.cycles) {
        abort();
    }
    board_twin_profile_free(&profile);
    return 0;
}
