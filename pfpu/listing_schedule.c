#include "pfpu/alu.h"
#include "pfpu/listing.h"
#include "pfpu/listing_text.h"
#include "pfpu/machine.h"

enum {
    COLUMNS = 100,
    COLUMN_OPERATION = 6,
    COLUMN_OPERANDS = 14,
    COLUMN_PIPELINES = 27,
    LATENCY_MAX = 255,
};

struct picture {
    struct pfpu_listing_text text;
    const struct pfpu_microcode *microcode;
    const struct pfpu_target *target;
    unsigned pipelines[PFPU_OPCODE_COUNT]; /* by latency */
    size_t pipeline_count;
    size_t column_commit;
    unsigned collisions;
    unsigned stray;
};

static unsigned latency_of(const struct pfpu_target *target, unsigned opcode)
{
    return target->ops[pfpu_op_of_opcode(opcode)].latency;
}

/* The different latencies, shortest first. */
static void find_pipelines(struct picture *picture)
{
    for (unsigned latency = 1; latency <= LATENCY_MAX; latency++) {
        unsigned opcode = 0;
        while (opcode < PFPU_OPCODE_COUNT && latency_of(picture->target, opcode) != latency) {
            opcode++;
        }
        if (opcode < PFPU_OPCODE_COUNT) {
            picture->pipelines[picture->pipeline_count++] = latency;
        }
    }
}

/* The operation that a word issues; what stands behind the VECTOUT issues nothing. */
static unsigned issued(const struct picture *picture, size_t word)
{
    return word > picture->microcode->vectout ? PFPU_OPCODE_NOP
                                              : pfpu_word_opcode(picture->microcode->words[word]);
}

/* Whether an operation of that latency is `age` words under way in a word. */
static bool under_way(const struct picture *picture, size_t word, unsigned latency, unsigned age)
{
    return age <= word && latency_of(picture->target, issued(picture, word - age)) == latency;
}

static void write_pipelines(struct picture *picture, size_t word)
{
    for (size_t i = 0; i < picture->pipeline_count; i++) {
        const unsigned latency = picture->pipelines[i];
        for (unsigned age = 1; age <= latency; age++) {
            if (under_way(picture, word, latency, age)) {
                pfpu_listing_write(&picture->text, "%u", (unsigned)((word - age) % 10));
            } else {
                pfpu_listing_write(&picture->text, ".");
            }
        }
        pfpu_listing_write(&picture->text, " ");
    }
}

static void write_result(struct picture *picture, size_t word, unsigned results)
{
    const unsigned destination = pfpu_word_destination(picture->microcode->words[word]);
    if (results == 0) {
        pfpu_listing_column(&picture->text, picture->column_commit);
        pfpu_listing_write(&picture->text, "r%u = ", destination);
    } else {
        pfpu_listing_write(&picture->text, " | ");
    }
}

static void write_commit(struct picture *picture, size_t word)
{
    unsigned results = 0;
    for (size_t i = 0; i < picture->pipeline_count; i++) {
        const unsigned latency = picture->pipelines[i];
        if (under_way(picture, word, latency, latency)) {
            write_result(picture, word, results++);
            pfpu_listing_write(&picture->text, "%s of %zu",
                               pfpu_opcodes[issued(picture, word - latency)].text, word - latency);
        }
    }
    if (results > 1) {
        picture->collisions++;
        pfpu_listing_write(&picture->text, "  collision");
    }
    if (results > 0 && pfpu_word_destination(picture->microcode->words[word]) == 0) {
        picture->stray++;
        pfpu_listing_write(&picture->text, "  stray");
    }
}

static void write_row(struct picture *picture, size_t word)
{
    pfpu_listing_write(&picture->text, "%4zu", word);
    if (issued(picture, word) != PFPU_OPCODE_NOP) {
        pfpu_listing_column(&picture->text, COLUMN_OPERATION);
        pfpu_listing_operation(&picture->text, picture->microcode->words[word], COLUMN_OPERANDS);
    }
    pfpu_listing_column(&picture->text, COLUMN_PIPELINES);
    write_pipelines(picture, word);
    write_commit(picture, word);
    pfpu_listing_end_line(&picture->text, COLUMNS);
}

static void write_head(struct picture *picture)
{
    struct pfpu_listing_text *text = &picture->text;
    pfpu_listing_write(text, "; L5: what is under way for 5 words, by the last digit of its own; "
                             "at the right end it commits");
    pfpu_listing_end_line(text, COLUMNS);
    const unsigned latency = latency_of(picture->target, PFPU_OPCODE_FADD);
    pfpu_listing_write(text,
                       "; an fadd in word 6 is a 6 in L%u from word 7 on, and commits in word %u",
                       latency, 6 + latency);
    pfpu_listing_end_line(text, COLUMNS);
    pfpu_listing_write(text, "word");
    pfpu_listing_column(text, COLUMN_OPERATION);
    pfpu_listing_write(text, "issue");
    picture->column_commit = COLUMN_PIPELINES;
    for (size_t i = 0; i < picture->pipeline_count; i++) {
        pfpu_listing_column(text, picture->column_commit);
        pfpu_listing_write(text, "L%u", picture->pipelines[i]);
        picture->column_commit += picture->pipelines[i] + 1;
    }
    picture->column_commit++;
    pfpu_listing_column(text, picture->column_commit);
    pfpu_listing_write(text, "commit");
    pfpu_listing_end_line(text, COLUMNS);
}

/* Results that the end of the run drops. */
static unsigned lost_results(const struct picture *picture)
{
    unsigned lost = 0;
    for (size_t word = 0; word < picture->microcode->length; word++) {
        const unsigned latency = latency_of(picture->target, issued(picture, word));
        lost += latency > 0 && word + latency >= picture->microcode->length;
    }
    return lost;
}

/* Words in a row that issue nothing. */
static size_t longest_idle(const struct picture *picture, size_t slots, size_t *start)
{
    size_t longest = 0;
    size_t idle = 0;
    for (size_t word = 0; word < slots; word++) {
        idle = issued(picture, word) == PFPU_OPCODE_NOP ? idle + 1 : 0;
        if (idle > longest) {
            longest = idle;
            *start = word + 1 - idle;
        }
    }
    return longest;
}

static void write_totals(struct picture *picture)
{
    const struct pfpu_microcode *microcode = picture->microcode;
    struct pfpu_listing_text *text = &picture->text;
    const size_t slots = (size_t)microcode->vectout + 1;
    size_t start = 0;
    const size_t idle = longest_idle(picture, slots, &start);
    pfpu_listing_costs(text, microcode);
    pfpu_listing_end_line(text, COLUMNS);
    pfpu_listing_write(text, "; %.0f %% of the issue slots used",
                       100.0 * (double)microcode->operations / (double)slots);
    if (idle > 0) {
        pfpu_listing_write(text, ", longest idle stretch %zu words from %zu", idle, start);
    }
    pfpu_listing_end_line(text, COLUMNS);
    const unsigned lost = lost_results(picture);
    if (picture->collisions + picture->stray + lost > 0) {
        pfpu_listing_write(text, "; collisions: %u, stray writes: %u, results lost at the end: %u",
                           picture->collisions, picture->stray, lost);
        pfpu_listing_end_line(text, COLUMNS);
    }
}

char *pfpu_listing_schedule(const struct pfpu_target *target,
                            const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    struct picture picture = {.text = {.arena = arena}, .microcode = microcode, .target = target};
    find_pipelines(&picture);
    write_head(&picture);
    for (size_t word = 0; word < microcode->length; word++) {
        write_row(&picture, word);
    }
    write_totals(&picture);
    return pfpu_listing_finish(&picture.text);
}
