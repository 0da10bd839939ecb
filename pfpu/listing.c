#include "pfpu/listing.h"

#include <stdio.h>
#include <string.h>

#include "pfpu/alu.h"
#include "pfpu/listing_text.h"
#include "pfpu/machine.h"
#include "pfpu/names.h"
#include "pfpu/number.h"

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

/* What the assembler takes for a name. */
static bool is_name(const char *name)
{
    if (name == NULL || !pfpu_is_name_start(name[0])) {
        return false;
    }
    size_t length = 0;
    while (pfpu_is_name_part(name[length])) {
        length++;
    }
    return name[length] == '\0';
}

static void write_key(struct pfpu_listing_text *text, const struct pfpu_key_names *names,
                      int32_t key)
{
    const char *name = names != NULL ? names->name(names->user, key) : NULL;
    if (is_name(name)) {
        pfpu_listing_append(text, name, strlen(name));
    } else {
        pfpu_listing_write(text, "%%%ld", (long)key);
    }
}

static void write_bindings(struct pfpu_listing_text *text, const char *directive,
                           const struct pfpu_binding *bindings, size_t count,
                           const struct pfpu_key_names *names)
{
    char number[40];
    for (size_t i = 0; i < count; i++) {
        const struct pfpu_binding *binding = &bindings[i];
        pfpu_listing_write(text, "%-7s r%-3u ", directive, binding->number);
        if (!binding->constant) {
            write_key(text, names, binding->key);
        } else if (number_text(binding->word, number, sizeof number)) {
            pfpu_listing_write(text, "%s", number);
        } else {
            pfpu_listing_write(text, "$%08lx", (unsigned long)binding->word);
        }
        pfpu_listing_end_line(text, 0);
    }
}

void pfpu_listing_operation(struct pfpu_listing_text *text, uint32_t word, size_t column)
{
    const struct pfpu_opcode_row *row = &pfpu_opcodes[pfpu_word_opcode(word)];
    const unsigned registers[] = {pfpu_word_a(word), pfpu_word_b(word)};
    /* Fields that the operation does not read are shown if there is something in them. */
    const unsigned shown = registers[1] != 0 ? 2 : registers[0] != 0 ? 1 : 0;
    const unsigned count = shown > row->operands ? shown : row->operands;
    pfpu_listing_write(text, "%s", row->text);
    for (unsigned k = 0; k < count; k++) {
        if (k == 0) {
            pfpu_listing_column(text, column);
        }
        pfpu_listing_write(text, k > 0 ? ", r%u" : "r%u", registers[k]);
    }
}

void pfpu_listing_costs(struct pfpu_listing_text *text, const struct pfpu_microcode *microcode)
{
    pfpu_listing_write(text, "; %lu words, %lu operations, %lu cycles per vertex",
                       (unsigned long)microcode->vectout + 1, (unsigned long)microcode->operations,
                       (unsigned long)pfpu_machine_vertex_cycles(microcode->vectout));
}

static void write_word(struct pfpu_listing_text *text, size_t number, uint32_t word)
{
    pfpu_listing_write(text, "%4zu:", number);
    pfpu_listing_column(text, COLUMN_OPERATION);
    pfpu_listing_operation(text, word, COLUMN_OPERANDS);
    if (pfpu_word_destination(word) != 0) {
        pfpu_listing_column(text, COLUMN_COMMIT);
        pfpu_listing_write(text, "-> r%u", pfpu_word_destination(word));
    }
    pfpu_listing_end_line(text, 0);
}

char *pfpu_listing_asm(const struct pfpu_microcode *microcode, const struct pfpu_key_names *names,
                       struct base_arena *arena)
{
    struct pfpu_listing_text text = {.arena = arena};
    pfpu_listing_costs(&text, microcode);
    pfpu_listing_write(&text, ", %lu registers\n", (unsigned long)microcode->registers);
    pfpu_listing_write(&text, "; -> is what commits in this word, not the result of the operation "
                              "beside it\n");
    pfpu_listing_write(&text, ".stages %lu\n", (unsigned long)microcode->stages);
    text.line = text.size;
    write_bindings(&text, ".input", microcode->inputs, microcode->input_count, names);
    write_bindings(&text, ".output", microcode->outputs, microcode->output_count, names);
    for (size_t i = 0; i < microcode->length; i++) {
        write_word(&text, i, microcode->words[i]);
    }
    return pfpu_listing_finish(&text);
}

char *pfpu_listing_hex(const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    struct pfpu_listing_text text = {.arena = arena};
    if (microcode->stages > 1) {
        pfpu_listing_write(&text, "# mesh: stages %lu\n", (unsigned long)microcode->stages);
    }
    for (size_t i = 0; i < microcode->length; i++) {
        pfpu_listing_write(&text, "%08lx\n", (unsigned long)microcode->words[i]);
    }
    return pfpu_listing_finish(&text);
}

char *pfpu_listing_registers(const struct pfpu_microcode *microcode,
                             const struct pfpu_key_names *names, struct base_arena *arena)
{
    struct pfpu_listing_text text = {.arena = arena};
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *binding = &microcode->inputs[i];
        if (binding->number < PFPU_MACHINE_CONDITION) {
            continue;
        }
        pfpu_listing_write(&text, "r%u %08lx", binding->number,
                           binding->constant ? (unsigned long)binding->word : 0ul);
        if (!binding->constant) {
            pfpu_listing_write(&text, " # ");
            write_key(&text, names, binding->key);
        }
        pfpu_listing_end_line(&text, 0);
    }
    return pfpu_listing_finish(&text);
}
