#include "pfpu/microcode/listing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pfpu/language/lex.h"
#include "pfpu/machine/machine.h"

void pfpu_print_bytes(struct pfpu_print *text, const char *data, size_t size)
{
    char *grown =
        base_arena_grow(text->arena, text->text, &text->capacity, text->size + size + 1, 1);
    if (grown == NULL) {
        text->no_memory = true;
        return;
    }
    text->text = grown;
    memcpy(grown + text->size, data, size);
    text->size += size;
    grown[text->size] = '\0';
}

void pfpu_print(struct pfpu_print *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    pfpu_print_bytes(text, line, size < (int)sizeof line ? (size_t)size : sizeof line - 1);
}

/* Appends blanks up to a column, counted from 0; at least one if there is text before it. */
static void go_to_column(struct pfpu_print *text, size_t column)
{
    const size_t used = text->size - text->line;
    if (used < column) {
        pfpu_print(text, "%*s", (int)(column - used), "");
    } else if (used > 0) {
        pfpu_print_bytes(text, " ", 1);
    }
}

/* Cuts the line to so many columns (0: leaves it) and off its last blanks, and ends it. */
static void end_line(struct pfpu_print *text, size_t columns)
{
    if (columns > 0 && text->size > text->line + columns) {
        text->size = text->line + columns;
    }
    while (text->size > text->line && text->text[text->size - 1] == ' ') {
        text->size--;
    }
    pfpu_print_bytes(text, "\n", 1);
    text->line = text->size;
}

char *pfpu_print_end(struct pfpu_print *text)
{
    pfpu_print_bytes(text, "", 0);
    return text->no_memory ? NULL : text->text;
}

enum { COLUMN_OPERATION = 6, COLUMN_OPERANDS = 14, COLUMN_COMMIT = 27 };

/* The shortest notation that reads back as the same word; false if no number does. */
static bool number_text(uint32_t word, char *text, size_t size)
{
    const double number = pfpu_number_of_word(word);
    for (int digits = 1; digits <= 9; digits++) {
        (void)snprintf(text, size, "%.*g", digits, number);
        const char *unsigned_text = text + (text[0] == '-');
        const size_t length = strlen(unsigned_text);
        if (pfpu_number_length(unsigned_text, length) != length) {
            return false;
        }
        struct base_arena scratch = {0};
        const double back = pfpu_number_value(unsigned_text, length, &scratch);
        const bool same =
            !scratch.failed && pfpu_word_of_number(text[0] == '-' ? -back : back) == word;
        base_arena_free(&scratch);
        if (same) {
            return true;
        }
    }
    return false;
}

static void write_key(struct pfpu_print *text, const struct pfpu_key_names *names, int32_t key)
{
    const char *name = names != NULL ? names->name(names->user, key) : NULL;
    /* What the assembler takes for a name. */
    size_t length = 0;
    while (name != NULL && pfpu_is_name_part(name[length])) {
        length++;
    }
    if (length > 0 && name[length] == '\0' && pfpu_is_name_start(name[0])) {
        pfpu_print_bytes(text, name, length);
    } else {
        pfpu_print(text, "%%%ld", (long)key);
    }
}

static void write_bindings(struct pfpu_print *text, const char *directive,
                           const struct pfpu_binding *bindings, size_t count,
                           const struct pfpu_key_names *names)
{
    char number[40];
    for (size_t i = 0; i < count; i++) {
        const struct pfpu_binding *binding = &bindings[i];
        pfpu_print(text, "%-7s r%-3u ", directive, binding->number);
        if (!binding->constant) {
            write_key(text, names, binding->key);
        } else if (number_text(binding->word, number, sizeof number)) {
            pfpu_print(text, "%s", number);
        } else {
            pfpu_print(text, "$%08lx", (unsigned long)binding->word);
        }
        end_line(text, 0);
    }
}

/* The issue half of a word; the operands begin in a column, counted from 0. */
static void write_operation(struct pfpu_print *text, uint32_t word, size_t column)
{
    const struct pfpu_opcode_row *row = &pfpu_opcodes[pfpu_word_opcode(word)];
    const unsigned registers[] = {pfpu_word_a(word), pfpu_word_b(word)};
    /* Fields that the operation does not read are shown if there is something in them. */
    const unsigned shown = registers[1] != 0 ? 2 : registers[0] != 0 ? 1 : 0;
    const unsigned count = shown > row->operands ? shown : row->operands;
    pfpu_print(text, "%s", row->text);
    for (unsigned k = 0; k < count; k++) {
        if (k == 0) {
            go_to_column(text, column);
        }
        pfpu_print(text, k > 0 ? ", r%u" : "r%u", registers[k]);
    }
}

/* "; 13 words, 5 operations, 19 cycles per vertex": words up to the VECTOUT, it included. */
static void write_costs(struct pfpu_print *text, const struct pfpu_microcode *microcode)
{
    pfpu_print(text, "; %lu words, %lu operations, %lu cycles per vertex",
               (unsigned long)microcode->vectout + 1, (unsigned long)microcode->operations,
               (unsigned long)pfpu_machine_vertex_cycles(microcode->vectout));
}

char *pfpu_listing_asm(const struct pfpu_microcode *microcode, const struct pfpu_key_names *names,
                       struct base_arena *arena)
{
    struct pfpu_print text = {.arena = arena};
    write_costs(&text, microcode);
    pfpu_print(&text, ", %lu registers\n", (unsigned long)microcode->registers);
    pfpu_print(&text, "; -> is what commits in this word, not the result of the operation "
                      "beside it\n");
    pfpu_print(&text, ".stages %lu\n", (unsigned long)microcode->stages);
    text.line = text.size;
    write_bindings(&text, ".input", microcode->inputs, microcode->input_count, names);
    write_bindings(&text, ".output", microcode->outputs, microcode->output_count, names);
    for (size_t i = 0; i < microcode->length; i++) {
        const uint32_t word = microcode->words[i];
        pfpu_print(&text, "%4zu:", i);
        go_to_column(&text, COLUMN_OPERATION);
        write_operation(&text, word, COLUMN_OPERANDS);
        if (pfpu_word_destination(word) != 0) {
            go_to_column(&text, COLUMN_COMMIT);
            pfpu_print(&text, "-> r%u", pfpu_word_destination(word));
        }
        end_line(&text, 0);
    }
    return pfpu_print_end(&text);
}

char *pfpu_listing_hex(const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    struct pfpu_print text = {.arena = arena};
    if (microcode->stages > 1) {
        pfpu_print(&text, "# mesh: stages %lu\n", (unsigned long)microcode->stages);
    }
    for (size_t i = 0; i < microcode->length; i++) {
        pfpu_print(&text, "%08lx\n", (unsigned long)microcode->words[i]);
    }
    return pfpu_print_end(&text);
}

char *pfpu_listing_registers(const struct pfpu_microcode *microcode,
                             const struct pfpu_key_names *names, struct base_arena *arena)
{
    struct pfpu_print text = {.arena = arena};
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *binding = &microcode->inputs[i];
        if (binding->number < PFPU_MACHINE_CONDITION) {
            continue;
        }
        pfpu_print(&text, "r%u %08lx", binding->number,
                   binding->constant ? (unsigned long)binding->word : 0ul);
        if (!binding->constant) {
            pfpu_print(&text, " # ");
            write_key(&text, names, binding->key);
        }
        end_line(&text, 0);
    }
    return pfpu_print_end(&text);
}

enum {
    COLUMNS = 100,
    PICTURE_OPERATION = 6,
    PICTURE_OPERANDS = 14,
    PICTURE_PIPELINES = 27,
    LATENCY_MAX = 255,
};

struct picture {
    struct pfpu_print text;
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

static void write_commit(struct picture *picture, size_t word)
{
    unsigned results = 0;
    for (size_t i = 0; i < picture->pipeline_count; i++) {
        const unsigned latency = picture->pipelines[i];
        if (under_way(picture, word, latency, latency)) {
            const unsigned destination = pfpu_word_destination(picture->microcode->words[word]);
            if (results++ == 0) {
                go_to_column(&picture->text, picture->column_commit);
                pfpu_print(&picture->text, "r%u = ", destination);
            } else {
                pfpu_print(&picture->text, " | ");
            }
            pfpu_print(&picture->text, "%s of %zu",
                       pfpu_opcodes[issued(picture, word - latency)].text, word - latency);
        }
    }
    if (results > 1) {
        picture->collisions++;
        pfpu_print(&picture->text, "  collision");
    }
    if (results > 0 && pfpu_word_destination(picture->microcode->words[word]) == 0) {
        picture->stray++;
        pfpu_print(&picture->text, "  stray");
    }
}

static void write_row(struct picture *picture, size_t word)
{
    pfpu_print(&picture->text, "%4zu", word);
    if (issued(picture, word) != PFPU_OPCODE_NOP) {
        go_to_column(&picture->text, PICTURE_OPERATION);
        write_operation(&picture->text, picture->microcode->words[word], PICTURE_OPERANDS);
    }
    go_to_column(&picture->text, PICTURE_PIPELINES);
    for (size_t i = 0; i < picture->pipeline_count; i++) {
        const unsigned latency = picture->pipelines[i];
        for (unsigned age = 1; age <= latency; age++) {
            if (under_way(picture, word, latency, age)) {
                pfpu_print(&picture->text, "%u", (unsigned)((word - age) % 10));
            } else {
                pfpu_print(&picture->text, ".");
            }
        }
        pfpu_print(&picture->text, " ");
    }
    write_commit(picture, word);
    end_line(&picture->text, COLUMNS);
}

static void write_head(struct picture *picture)
{
    struct pfpu_print *text = &picture->text;
    pfpu_print(text, "; L5: what is under way for 5 words, by the last digit of its own; "
                     "at the right end it commits");
    end_line(text, COLUMNS);
    const unsigned latency = latency_of(picture->target, PFPU_OPCODE_FADD);
    pfpu_print(text, "; an fadd in word 6 is a 6 in L%u from word 7 on, and commits in word %u",
               latency, 6 + latency);
    end_line(text, COLUMNS);
    pfpu_print(text, "word");
    go_to_column(text, PICTURE_OPERATION);
    pfpu_print(text, "issue");
    picture->column_commit = PICTURE_PIPELINES;
    for (size_t i = 0; i < picture->pipeline_count; i++) {
        go_to_column(text, picture->column_commit);
        pfpu_print(text, "L%u", picture->pipelines[i]);
        picture->column_commit += picture->pipelines[i] + 1;
    }
    picture->column_commit++;
    go_to_column(text, picture->column_commit);
    pfpu_print(text, "commit");
    end_line(text, COLUMNS);
}

static void write_totals(struct picture *picture)
{
    const struct pfpu_microcode *microcode = picture->microcode;
    struct pfpu_print *text = &picture->text;
    const size_t slots = (size_t)microcode->vectout + 1;
    /* Words in a row that issue nothing. */
    size_t start = 0;
    size_t longest = 0;
    size_t idle = 0;
    for (size_t word = 0; word < slots; word++) {
        idle = issued(picture, word) == PFPU_OPCODE_NOP ? idle + 1 : 0;
        if (idle > longest) {
            longest = idle;
            start = word + 1 - idle;
        }
    }
    write_costs(text, microcode);
    end_line(text, COLUMNS);
    pfpu_print(text, "; %.0f %% of the issue slots used",
               100.0 * (double)microcode->operations / (double)slots);
    if (longest > 0) {
        pfpu_print(text, ", longest idle stretch %zu words from %zu", longest, start);
    }
    end_line(text, COLUMNS);
    /* Results that the end of the run drops. */
    unsigned lost = 0;
    for (size_t word = 0; word < microcode->length; word++) {
        const unsigned latency = latency_of(picture->target, issued(picture, word));
        lost += latency > 0 && word + latency >= microcode->length;
    }
    if (picture->collisions + picture->stray + lost > 0) {
        pfpu_print(text, "; collisions: %u, stray writes: %u, results lost at the end: %u",
                   picture->collisions, picture->stray, lost);
        end_line(text, COLUMNS);
    }
}

char *pfpu_listing_schedule(const struct pfpu_target *target,
                            const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    struct picture picture = {.text = {.arena = arena}, .microcode = microcode, .target = target};
    /* The different latencies, shortest first. */
    for (unsigned latency = 1; latency <= LATENCY_MAX; latency++) {
        unsigned opcode = 0;
        while (opcode < PFPU_OPCODE_COUNT && latency_of(picture.target, opcode) != latency) {
            opcode++;
        }
        if (opcode < PFPU_OPCODE_COUNT) {
            picture.pipelines[picture.pipeline_count++] = latency;
        }
    }
    write_head(&picture);
    for (size_t word = 0; word < microcode->length; word++) {
        write_row(&picture, word);
    }
    write_totals(&picture);
    return pfpu_print_end(&picture.text);
}
