#include "pfpu/prove_lanes.h"

#include <string.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "pfpu/alu.h"
#include "pfpu/word_lanes.h"
#include "pfpu/words.h"

enum { BATCH = 64 };

/* Floats of all sizes, whole numbers, zeros, and words of any kind. */
static uint32_t random_word(struct base_rng *rng)
{
    const double unit = (double)base_rng_next(rng) / 4294967296.0;
    switch (base_rng_next(rng) % 8) {
    case 0:
        return base_rng_next(rng);
    case 1:
        return 0;
    case 2:
        return base_rng_next(rng) % 8192;
    case 3:
        return pfpu_word_of_number((unit - 0.5) * 2e4);
    default:
        return pfpu_word_of_number((unit - 0.5) * 8.0);
    }
}

/* One batch of register files through the IR one by one and through lanes. */
struct batch {
    const struct pfpu_ir *ir;
    size_t keys;
    uint32_t *files; /* as the lanes leave them */
    uint32_t *expected;
    uint32_t *values;
    uint32_t out[BATCH][2];
};

static bool open_batch(struct batch *batch, const struct pfpu_ir *ir, struct base_arena *arena)
{
    batch->ir = ir;
    batch->keys = pfpu_ir_key_count(ir);
    batch->files = base_arena_array(arena, BATCH * batch->keys, sizeof *batch->files);
    batch->expected = base_arena_array(arena, BATCH * batch->keys, sizeof *batch->expected);
    batch->values = base_arena_array(arena, ir->count, sizeof *batch->values);
    return !arena->failed;
}

static bool lanes_agree(struct batch *batch, struct pfpu_word_lanes *lanes, struct base_rng *rng)
{
    uint32_t out[BATCH][2] = {{0}};
    const size_t words = BATCH * batch->keys;
    memset(batch->out, 0, sizeof batch->out);
    for (size_t i = 0; i < batch->ir->count; i++) {
        const struct pfpu_instruction *get = &batch->ir->instructions[i];
        for (size_t k = 0; get->op == PFPU_OP_GET && k < BATCH; k++) {
            batch->files[k * batch->keys + pfpu_ir_key_index(batch->ir, get->key)] =
                random_word(rng);
        }
    }
    memcpy(batch->expected, batch->files, words * sizeof *batch->files);
    for (size_t i = 0; i < BATCH; i++) {
        pfpu_words_run(batch->ir, batch->expected + i * batch->keys, batch->values, batch->out[i]);
    }
    pfpu_word_lanes_run_files(lanes, batch->files, BATCH, &out[0][0]);
    return memcmp(out, batch->out, sizeof out) == 0 &&
           memcmp(batch->files, batch->expected, words * sizeof *batch->files) == 0;
}

const char *pfpu_prove_lanes(const struct pfpu_ir *ir, uint64_t seed, uint32_t trials,
                             struct base_arena *scratch)
{
    struct batch batch;
    if (!open_batch(&batch, ir, scratch)) {
        return "not enough memory";
    }
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        struct base_rng rng;
        base_rng_seed(&rng, seed, (uint64_t)level);
        struct pfpu_word_lanes *lanes =
            pfpu_word_lanes_for_files(ir, (enum base_cpu_level)level, scratch);
        if (lanes == NULL) {
            return "not enough memory";
        }
        for (uint32_t i = 0; i < trials; i += BATCH) {
            if (!lanes_agree(&batch, lanes, &rng)) {
                return "the lanes give other words than the intermediate representation";
            }
        }
    }
    return NULL;
}
