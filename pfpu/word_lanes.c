#include "pfpu/word_lanes.h"

#include <assert.h>
#include <string.h>

#include "pfpu/microcode.h"
#include "pfpu/word_lanes_plan.h"
#include "pfpu/words.h"

/* Vertices of a chunk that stand next to each other in a row. */
struct segment {
    size_t lane; /* of the first one */
    size_t count;
    size_t column;
    size_t row;
};

static struct segment segment_at(const struct pfpu_word_lanes *lanes, size_t start, size_t lane,
                                 size_t count)
{
    const size_t vertex = start + lane;
    const size_t column = vertex % lanes->columns;
    const size_t rest = lanes->columns - column;
    return (struct segment){lane, rest < count - lane ? rest : count - lane, column,
                            vertex / lanes->columns};
}

static size_t groups_of(size_t count)
{
    return (count + PFPU_WORD_GROUP - 1) / PFPU_WORD_GROUP;
}

static void fill(uint32_t *words, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++) {
        words[i] = word;
    }
}

static void run_phase(const struct pfpu_word_phase *phase, size_t groups)
{
    for (size_t i = 0; i < phase->count; i++) {
        phase->steps[i].run(&phase->steps[i], groups);
    }
}

static void spread(const struct pfpu_word_lanes *lanes, size_t start, size_t count)
{
    for (size_t i = 0; i < lanes->spread_count; i++) {
        const struct pfpu_word_spread *each = &lanes->spreads[i];
        for (size_t lane = 0; lane < count;) {
            const struct segment at = segment_at(lanes, start, lane, count);
            if (each->varies == PFPU_VARIES_COLUMN) {
                memcpy(each->lanes + lane, each->words + at.column, at.count * sizeof *each->lanes);
            } else {
                fill(each->lanes + lane, at.count, each->words[at.row]);
            }
            lane += at.count;
        }
    }
}

static uint32_t word_at(const struct pfpu_word_operand *operand, size_t lane)
{
    return operand->words[lane / PFPU_WORD_GROUP * operand->step + lane % PFPU_WORD_GROUP];
}

static void write_out(const struct pfpu_word_lanes *lanes, size_t lane, size_t count, uint32_t *out)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = word_at(&lanes->vectout[0], lane + i);
        out[2 * i + 1] = word_at(&lanes->vectout[1], lane + i);
    }
}

static void write_mesh(const struct pfpu_word_lanes *lanes, size_t start, size_t count,
                       uint32_t *out, size_t row_words)
{
    for (size_t lane = 0; lane < count;) {
        const struct segment at = segment_at(lanes, start, lane, count);
        write_out(lanes, lane, at.count, out + at.row * row_words + 2 * at.column);
        lane += at.count;
    }
}

/* What the keys hold after the last vertex, which stands in `lane` of the last chunk. */
static void set_keys(const struct pfpu_word_lanes *lanes, size_t lane, uint32_t *keys)
{
    const size_t lane_of[] = {0, lanes->columns - 1, lanes->rows - 1, lane};
    for (size_t i = 0; i < lanes->set_count; i++) {
        const struct pfpu_word_set *set = &lanes->sets[i];
        keys[set->key] = set->words[lane_of[set->varies]];
    }
}

static void set_place(const struct pfpu_word_lanes *lanes, uint32_t column, uint32_t row,
                      uint32_t *keys)
{
    const int32_t places[] = {PFPU_KEY_COLUMN, PFPU_KEY_ROW};
    const uint32_t words[] = {column, row};
    for (size_t i = 0; i < 2; i++) {
        const size_t key = pfpu_ir_key_index(lanes->ir, places[i]);
        if (key < pfpu_ir_key_count(lanes->ir)) {
            keys[key] = words[i];
        }
    }
}

static void walk_mesh(struct pfpu_word_lanes *lanes, uint32_t *keys, uint32_t *out,
                      size_t row_words)
{
    for (uint32_t row = 0; row < lanes->rows; row++) {
        for (uint32_t column = 0; column < lanes->columns; column++) {
            uint32_t *vertex = out == NULL ? NULL : out + row * row_words + 2 * (size_t)column;
            set_place(lanes, column, row, keys);
            pfpu_words_run(lanes->ir, keys, lanes->values, vertex);
        }
    }
}

void pfpu_word_lanes_run_mesh(struct pfpu_word_lanes *lanes, uint32_t *keys, uint32_t *out,
                              size_t row_words)
{
    assert(lanes->columns > 0);
    if (lanes->one_by_one) {
        walk_mesh(lanes, keys, out, row_words);
        return;
    }
    for (size_t i = 0; i < lanes->load_count; i++) {
        fill(lanes->loads[i].lanes, PFPU_WORD_GROUP, keys[lanes->loads[i].key]);
    }
    run_phase(&lanes->phases[0], 1);
    run_phase(&lanes->phases[PFPU_VARIES_COLUMN], groups_of(lanes->columns));
    run_phase(&lanes->phases[PFPU_VARIES_ROW], groups_of(lanes->rows));
    const size_t total = (size_t)lanes->columns * lanes->rows;
    size_t count = 0;
    for (size_t start = 0; start < total; start += count) {
        count = total - start < PFPU_WORD_LANES ? total - start : PFPU_WORD_LANES;
        spread(lanes, start, count);
        run_phase(&lanes->phases[PFPU_VARIES_BOTH], groups_of(count));
        if (lanes->writes) {
            write_mesh(lanes, start, count, out, row_words);
        }
    }
    set_place(lanes, lanes->columns - 1, lanes->rows - 1, keys);
    set_keys(lanes, count - 1, keys);
}

static void load_files(const struct pfpu_word_lanes *lanes, const uint32_t *files, size_t count)
{
    const size_t words = pfpu_ir_key_count(lanes->ir);
    for (size_t i = 0; i < lanes->load_count; i++) {
        for (size_t lane = 0; lane < count; lane++) {
            lanes->loads[i].lanes[lane] = files[lane * words + lanes->loads[i].key];
        }
    }
}

static void set_files(const struct pfpu_word_lanes *lanes, uint32_t *files, size_t count)
{
    const size_t words = pfpu_ir_key_count(lanes->ir);
    for (size_t i = 0; i < lanes->set_count; i++) {
        const struct pfpu_word_set *set = &lanes->sets[i];
        for (size_t lane = 0; lane < count; lane++) {
            files[lane * words + set->key] = set->words[set->varies == 0 ? 0 : lane];
        }
    }
}

void pfpu_word_lanes_run_files(struct pfpu_word_lanes *lanes, uint32_t *files, size_t count,
                               uint32_t *out)
{
    assert(lanes->columns == 0);
    const size_t words = pfpu_ir_key_count(lanes->ir);
    run_phase(&lanes->phases[0], 1);
    for (size_t start = 0; start < count; start += PFPU_WORD_LANES) {
        const size_t chunk = count - start < PFPU_WORD_LANES ? count - start : PFPU_WORD_LANES;
        load_files(lanes, files + start * words, chunk);
        run_phase(&lanes->phases[PFPU_VARIES_BOTH], groups_of(chunk));
        if (lanes->writes) {
            write_out(lanes, 0, chunk, out + 2 * start);
        }
        set_files(lanes, files + start * words, chunk);
    }
}

bool pfpu_word_lanes_one_by_one(const struct pfpu_word_lanes *lanes)
{
    return lanes->one_by_one;
}
