#include "board/twin/power/cut.h"

#include <string.h>

#include "base/random.h"

const char *const board_twin_cut_names[BOARD_TWIN_CUT_KINDS] = {
    [BOARD_TWIN_CUT_BEFORE] = "before",
    [BOARD_TWIN_CUT_HALF] = "half",
    [BOARD_TWIN_CUT_GARBAGE] = "garbage",
    [BOARD_TWIN_CUT_AFTER] = "after",
};

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
    struct base_rng rng;
    base_rng_seed(&rng, seed, size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)base_rng_next(&rng);
    }
}

bool board_twin_cut_count(struct board_twin_cut *cut)
{
    if (cut->gone) {
        return false;
    }
    cut->writes++;
    cut->gone = cut->in > 0 && --cut->in == 0;
    return !cut->gone;
}

void board_twin_cut_write(struct board_twin_cut *cut, uint8_t *bytes, const uint8_t *fresh,
                          size_t size)
{
    const bool was_gone = cut->gone;
    size_t stored = size;
    if (!board_twin_cut_count(cut)) {
        stored = was_gone                            ? 0
                 : cut->kind == BOARD_TWIN_CUT_AFTER ? size
                 : cut->kind == BOARD_TWIN_CUT_HALF  ? size / 2
                                                     : 0;
        if (!was_gone && cut->kind == BOARD_TWIN_CUT_GARBAGE) {
            fill(bytes, size, cut->writes);
        }
    }
    memcpy(bytes, fresh, stored);
}
