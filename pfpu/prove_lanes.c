#include "pfpu/prove_lanes.h"

#include <string.h>

#include "base/cpu.h"
#include "pfpu/microcode.h"
#include "pfpu/random_word.h"
#include "pfpu/word_lanes.h"
#include "pfpu/words.h"

/* More columns than one chunk of lanes, and no multiple of anything. */
enum { BATCH = 64, COLUMNS = 131, ROWS = 3 };

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
                pfpu_random_word(rng);
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

static void fill_keys(const struct pfpu_ir *ir, uint32_t *keys, struct base_rng *rng)
{
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->instructions[i].op == PFPU_OP_GET) {
            keys[pfpu_ir_key_index(ir, ir->instructions[i].key)] = pfpu_random_word(rng);
        }
    }
}

static void run_mesh_one_by_one(struct batch *batch, uint32_t *keys, uint32_t (*out)[2])
{
    const struct pfpu_ir *ir = batch->ir;
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
        if (ir->key_end > PFPU_KEY_COLUMN) {
            keys[pfpu_ir_key_index(ir, PFPU_KEY_COLUMN)] = i % COLUMNS;
        }
        if (ir->key_end > PFPU_KEY_ROW) {
            keys[pfpu_ir_key_index(ir, PFPU_KEY_ROW)] = i / COLUMNS;
        }
        pfpu_words_run(ir, keys, batch->values, out[i]);
    }
}

/* A whole mesh, with the memory of the batch. */
static bool mesh_agrees(struct batch *batch, struct pfpu_word_lanes *lanes, struct base_rng *rng)
{
    uint32_t out[COLUMNS * ROWS][2] = {{0}};
    uint32_t expected[COLUMNS * ROWS][2] = {{0}};
    fill_keys(batch->ir, batch->files, rng);
    memcpy(batch->expected, batch->files, batch->keys * sizeof *batch->files);
    run_mesh_one_by_one(batch, batch->expected, expected);
    pfpu_word_lanes_run_mesh(lanes, batch->files, &out[0][0], 2 * COLUMNS);
    return memcmp(out, expected, sizeof out) == 0 &&
           memcmp(batch->files, batch->expected, batch->keys * sizeof *batch->files) == 0;
}

static const char *prove_level(struct batch *batch, enum base_cpu_level level, uint64_t seed,
                               uint32_t trials, struct base_arena *scratch)
{
    struct base_rng rng;
    base_rng_seed(&rng, seed, (uint64_t)level);
    struct pfpu_word_lanes *files = pfpu_word_lanes_for_files(batch->ir, level, scratch);
    struct pfpu_word_lanes *mesh =
        pfpu_word_lanes_for_mesh(batch->ir, level, COLUMNS, ROWS, scratch);
    if (files == NULL || mesh == NULL) {
        return "not enough memory";
    }
    for (uint32_t i = 0; i < trials; i += BATCH) {
        if (!lanes_agree(batch, files, &rng)) {
            return "the lanes give other words than the intermediate representation";
        }
    }
    return mesh_agrees(batch, mesh, &rng)
               ? NULL
               : "the lanes give other words for a mesh than the intermediate representation";
}

const char *pfpu_prove_lanes(const struct pfpu_ir *ir, uint64_t seed, uint32_t trials,
                             struct base_arena *scratch)
{
    struct batch batch;
    const char *wrong = NULL;
    if (!open_batch(&batch, ir, scratch)) {
        return "not enough memory";
    }
    for (int level = 0; level <= (int)base_cpu_best() && wrong == NULL; level++) {
        wrong = prove_level(&batch, (enum base_cpu_level)level, seed, trials, scratch);
    }
    return wrong;
}
