#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "pfpu/language/spelling.h"
#include "pfpu/machine/alu.h"
#include "pfpu/machine/machine.h"
#include "pfpu/microcode/listing.h"

/* Walks through a text that came from outside, line by line and token by token. */
struct scan {
    struct base_span text;
    const char *file;
    const struct base_diag_sink *sink;
    size_t at;
    size_t line_start;
    uint32_t line;
};

enum { SHOWN_MAX = 40 };

static char next(const struct scan *scan, size_t ahead)
{
    return ahead < scan->text.size - scan->at ? scan->text.data[scan->at + ahead] : '\n';
}

static void skip_blanks(struct scan *scan)
{
    char c = next(scan, 0);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        scan->at++;
        c = next(scan, 0);
    }
}

/* Skips blanks; true if the line, or its part before a comment, ends here. */
static bool at_end_of_line(struct scan *scan)
{
    skip_blanks(scan);
    const char c = next(scan, 0);
    return c == '\n' || c == ';';
}

/* Goes to the next line; false if there is none. */
static bool next_line(struct scan *scan)
{
    while (next(scan, 0) != '\n') {
        scan->at++;
    }
    if (scan->at == scan->text.size) {
        return false;
    }
    scan->at++;
    scan->line++;
    scan->line_start = scan->at;
    return true;
}

/* Skips blanks and looks whether the characters come next; takes them then. */
static bool sees(struct scan *scan, const char *characters)
{
    skip_blanks(scan);
    const size_t size = strlen(characters);
    return size <= scan->text.size - scan->at &&
           memcmp(scan->text.data + scan->at, characters, size) == 0;
}

static bool take(struct scan *scan, const char *characters)
{
    const bool taken = sees(scan, characters);
    scan->at += taken ? strlen(characters) : 0;
    return taken;
}

static bool is_part(const struct scan *scan)
{
    const char c = next(scan, 0);
    return pfpu_is_name_part(c) || c == '.' || c == '$' || c == '%' || c == '+' ||
           (c == '-' && next(scan, 1) != '>');
}

/* Skips blanks and takes a name, a number, a directive or whatever else consists of letters, digits
 * and _ . $ % + - (but for the '-' of "->"). Empty if something else stands here. */
static struct base_span next_token(struct scan *scan)
{
    skip_blanks(scan);
    const size_t start = scan->at;
    while (is_part(scan)) {
        scan->at++;
    }
    return (struct base_span){scan->text.data + start, scan->at - start};
}

/* Where a token begins. */
static size_t offset_of(const struct scan *scan, struct base_span token)
{
    return (size_t)(token.data - scan->text.data);
}

/* Reports at an offset of the text. Always false. */
static bool report(struct scan *scan, size_t offset, const char *hint, const char *format, ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const size_t column = offset - scan->line_start + 1;
    const struct base_place place = {scan->file, scan->line,
                                     column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
    base_report(scan->sink, BASE_ERROR, place, hint, "%s", what);
    return false;
}

static bool is_printable(char c)
{
    return c >= ' ' && c <= '~';
}

/* Reports "what 'token'"; of an empty token, the character that stands there. Always false. */
static bool refuse_token(struct scan *scan, struct base_span token, const char *hint,
                         const char *what)
{
    const size_t offset = offset_of(scan, token);
    if (token.size == 0 && offset == scan->text.size) {
        return report(scan, offset, hint, "%s at the end of the text", what);
    }
    if (token.size == 0 && token.data[0] == '\n') {
        return report(scan, offset, hint, "%s at the end of the line", what);
    }
    if (token.size == 0 && !is_printable(token.data[0])) {
        return report(scan, offset, hint, "%s: byte %u", what,
                      (unsigned)(unsigned char)token.data[0]);
    }
    const size_t size = token.size == 0 ? 1 : token.size;
    return report(scan, offset, hint, "%s '%.*s'%s", what, size < SHOWN_MAX ? (int)size : SHOWN_MAX,
                  token.data, size > SHOWN_MAX ? " ..." : "");
}

struct bindings {
    struct pfpu_binding *items;
    size_t count;
    size_t capacity;
};

struct assembler {
    struct scan scan;
    const struct pfpu_key_table *table;
    struct base_arena *arena;
    uint32_t *words;
    size_t count;
    size_t capacity;
    uint32_t stages;
    struct bindings inputs;
    struct bindings outputs;
};

static bool no_memory(struct assembler *assembler)
{
    return report(&assembler->scan, assembler->scan.at, NULL, "not enough memory");
}

/* Decimal digits and nothing else, up to a limit. */
static bool small_number(struct base_span token, uint32_t limit, uint32_t *number)
{
    uint32_t value = 0;
    for (size_t i = 0; i < token.size; i++) {
        if (!pfpu_is_digit(token.data[i]) || value > limit) {
            return false;
        }
        value = value * 10 + (uint32_t)(token.data[i] - '0');
    }
    *number = value;
    return token.size > 0 && value <= limit;
}

static bool read_register(struct assembler *assembler, uint32_t *number)
{
    const struct base_span token = next_token(&assembler->scan);
    const bool letter = token.size > 0 && pfpu_lower_case(token.data[0]) == 'r';
    const struct base_span digits = {token.data + letter, token.size - letter};
    return (letter && small_number(digits, PFPU_MACHINE_REGISTERS - 1, number)) ||
           refuse_token(&assembler->scan, token, "registers are r0 to r127", "no register");
}

static bool read_opcode(struct assembler *assembler, struct base_span token, unsigned *opcode)
{
    for (unsigned i = 0; i < PFPU_OPCODE_COUNT; i++) {
        if (base_span_equal_nocase(token, base_span_of(pfpu_opcodes[i].text))) {
            *opcode = i;
            return true;
        }
    }
    char hint[160] = "";
    for (size_t i = 0, used = 0; i < PFPU_OPCODE_COUNT && used < sizeof hint; i++) {
        used += (size_t)snprintf(hint + used, sizeof hint - used, i > 0 ? " %s" : "%s",
                                 pfpu_opcodes[i].text);
    }
    return refuse_token(&assembler->scan, token, hint, "no operation");
}

static bool read_operands(struct assembler *assembler, unsigned opcode, uint32_t registers[2])
{
    struct scan *scan = &assembler->scan;
    unsigned count = 0;
    bool more = !at_end_of_line(scan) && !sees(scan, "->");
    while (more && count < 2) {
        if (!read_register(assembler, &registers[count++])) {
            return false;
        }
        more = take(scan, ",");
    }
    if (more) {
        return report(scan, scan->at - 1, NULL, "two operands at most");
    }
    if (count < pfpu_opcodes[opcode].operands) {
        return report(scan, scan->at, "registers with ',' between them",
                      "%s needs %u operands, not %u", pfpu_opcodes[opcode].text,
                      pfpu_opcodes[opcode].operands, count);
    }
    return true;
}

/* The number before a word is there for people, but it must be right. */
static bool read_word_number(struct assembler *assembler, struct base_span token)
{
    uint32_t number = 0;
    if (!take(&assembler->scan, ":")) {
        return refuse_token(&assembler->scan, token, "a word's number ends with ':'",
                            "no operation");
    }
    if (small_number(token, PFPU_MACHINE_WORDS, &number) && number == assembler->count) {
        return true;
    }
    return report(&assembler->scan, offset_of(&assembler->scan, token), "numbers may be left out",
                  "this is word %zu", assembler->count);
}

static bool append_word(struct assembler *assembler, uint32_t word)
{
    if (assembler->count == PFPU_MACHINE_WORDS) {
        return report(&assembler->scan, assembler->scan.line_start, NULL,
                      "more than the %d words that the coprocessor holds", PFPU_MACHINE_WORDS);
    }
    uint32_t *words = base_arena_grow(assembler->arena, assembler->words, &assembler->capacity,
                                      assembler->count + 1, sizeof *words);
    if (words == NULL) {
        return no_memory(assembler);
    }
    assembler->words = words;
    words[assembler->count++] = word;
    return true;
}

static bool read_word(struct assembler *assembler, struct base_span token)
{
    unsigned opcode = 0;
    uint32_t operands[2] = {0, 0};
    uint32_t destination = 0;
    if (token.size > 0 && pfpu_is_digit(token.data[0])) {
        if (!read_word_number(assembler, token)) {
            return false;
        }
        token = next_token(&assembler->scan);
    }
    if (!read_opcode(assembler, token, &opcode) || !read_operands(assembler, opcode, operands)) {
        return false;
    }
    if (take(&assembler->scan, "->") && !read_register(assembler, &destination)) {
        return false;
    }
    return append_word(assembler, pfpu_word_make(operands[0], operands[1], opcode, destination));
}

static bool read_constant(struct assembler *assembler, struct base_span token, uint32_t *word)
{
    const bool negative = token.data[0] == '-';
    const size_t skip = negative || token.data[0] == '+' ? 1 : 0;
    const char *text = token.data + skip;
    const size_t size = token.size - skip;
    if (size == 0 || pfpu_number_length(text, size) != size) {
        return refuse_token(&assembler->scan, token, "a constant is 1.5 or $3fc00000", "no number");
    }
    const double number = pfpu_number_value(text, size, assembler->arena);
    *word = pfpu_word_of_number(negative ? -number : number);
    return !assembler->arena->failed || no_memory(assembler);
}

static bool read_bits(struct assembler *assembler, struct base_span token, uint32_t *word)
{
    uint32_t value = 0;
    for (size_t i = 1; i < token.size; i++) {
        const int digit = pfpu_hex_digit(token.data[i]);
        if (digit < 0 || value >> 28 != 0) {
            return refuse_token(&assembler->scan, token, "32 bits: eight digits at most",
                                "no hexadecimal number");
        }
        value = value << 4 | (uint32_t)digit;
    }
    *word = value;
    return token.size > 1 ||
           refuse_token(&assembler->scan, token, "as in $3fc00000", "no hexadecimal number");
}

/* A key by its number, for those who have no names. */
static bool numbered_key(struct base_span token, int32_t *key)
{
    const bool negative = token.size > 1 && token.data[1] == '-';
    const size_t skip = negative ? 2 : 1;
    const struct base_span digits = {token.data + skip, token.size > skip ? token.size - skip : 0};
    uint32_t number = 0;
    if (!small_number(digits, PFPU_IR_MAX, &number)) {
        return false;
    }
    *key = negative ? -(int32_t)number : (int32_t)number;
    return true;
}

static bool read_key(struct assembler *assembler, struct base_span token, int32_t *key)
{
    const struct pfpu_key_table *table = assembler->table;
    const bool known = table != NULL ? token.size > 0 && pfpu_is_name_start(token.data[0]) &&
                                           table->key(table->user, token, key)
                                     : numbered_key(token, key);
    return known || refuse_token(&assembler->scan, token,
                                 table != NULL ? "names are variables of the patch"
                                               : "without names a key is %0, %1 ...",
                                 "no variable");
}

static bool read_input(struct assembler *assembler, struct pfpu_binding *binding)
{
    const struct base_span token = next_token(&assembler->scan);
    const char first = token.size > 0 ? token.data[0] : '\0';
    binding->constant =
        first == '$' || first == '-' || first == '+' || first == '.' || pfpu_is_digit(first);
    if (!binding->constant) {
        return read_key(assembler, token, &binding->key);
    }
    if (binding->number <= PFPU_KEY_ROW) {
        return refuse_token(&assembler->scan, token, "r0 and r1 hold column and row",
                            "this register takes no constant");
    }
    return first == '$' ? read_bits(assembler, token, &binding->word)
                        : read_constant(assembler, token, &binding->word);
}

static bool is_bound(const struct bindings *bindings, uint32_t number)
{
    for (size_t i = 0; i < bindings->count; i++) {
        if (bindings->items[i].number == number) {
            return true;
        }
    }
    return false;
}

static bool read_binding(struct assembler *assembler, struct bindings *bindings)
{
    struct pfpu_binding binding = {0};
    uint32_t number = 0;
    skip_blanks(&assembler->scan);
    const size_t start = assembler->scan.at;
    if (!read_register(assembler, &number)) {
        return false;
    }
    if (is_bound(bindings, number)) {
        return report(&assembler->scan, start, NULL, "register r%u is bound already",
                      (unsigned)number);
    }
    binding.number = (uint8_t)number;
    if (bindings == &assembler->inputs
            ? !read_input(assembler, &binding)
            : !read_key(assembler, next_token(&assembler->scan), &binding.key)) {
        return false;
    }
    struct pfpu_binding *items = base_arena_grow(
        assembler->arena, bindings->items, &bindings->capacity, bindings->count + 1, sizeof *items);
    if (items == NULL) {
        return no_memory(assembler);
    }
    bindings->items = items;
    items[bindings->count++] = binding;
    return true;
}

static bool read_stages(struct assembler *assembler)
{
    const struct base_span token = next_token(&assembler->scan);
    return (small_number(token, PFPU_STAGES_MAX, &assembler->stages) && assembler->stages > 0) ||
           refuse_token(&assembler->scan, token, "1 to 3 vertices may be in flight",
                        "no number of stages");
}

static bool read_directive(struct assembler *assembler, struct base_span token)
{
    if (base_span_equal_nocase(token, base_span_of(".input"))) {
        return read_binding(assembler, &assembler->inputs);
    }
    if (base_span_equal_nocase(token, base_span_of(".output"))) {
        return read_binding(assembler, &assembler->outputs);
    }
    if (base_span_equal_nocase(token, base_span_of(".stages"))) {
        return read_stages(assembler);
    }
    return refuse_token(&assembler->scan, token, "there are .input, .output and .stages",
                        "no directive");
}

static bool read_line(struct assembler *assembler)
{
    if (at_end_of_line(&assembler->scan)) {
        return true;
    }
    const struct base_span token = next_token(&assembler->scan);
    const bool directive = token.size > 0 && token.data[0] == '.';
    if (directive ? !read_directive(assembler, token) : !read_word(assembler, token)) {
        return false;
    }
    return at_end_of_line(&assembler->scan) ||
           refuse_token(&assembler->scan, next_token(&assembler->scan),
                        "one word per line; comments begin with ';'", "unexpected");
}

static size_t find_vectout(const struct assembler *assembler)
{
    size_t word = 0;
    while (word < assembler->count &&
           pfpu_word_opcode(assembler->words[word]) != PFPU_OPCODE_VECTOUT) {
        word++;
    }
    return word;
}

/* The word behind the VECTOUT still commits, so there must be one; more of them never run. */
static bool check_end(struct assembler *assembler)
{
    struct scan *scan = &assembler->scan;
    const size_t vectout = find_vectout(assembler);
    if (vectout == assembler->count) {
        return report(scan, scan->at, "end the program with 'vectout r0, r0'",
                      "no vectout: the coprocessor would never finish");
    }
    if (vectout + 2 < assembler->count) {
        const struct base_place place = {scan->file, 0, 0};
        base_report(scan->sink, BASE_WARNING, place, "only one word after the vectout counts",
                    "word %zu and those after it never run", vectout + 2);
    }
    return vectout + 1 < assembler->count || append_word(assembler, 0);
}

static void note_bindings(const struct bindings *bindings, bool *used)
{
    for (size_t i = 0; i < bindings->count; i++) {
        used[bindings->items[i].number] = true;
    }
}

static uint32_t count_registers(const struct assembler *assembler, size_t vectout)
{
    bool used[PFPU_MACHINE_REGISTERS] = {false};
    note_bindings(&assembler->inputs, used);
    note_bindings(&assembler->outputs, used);
    for (size_t i = 0; i <= vectout + 1; i++) {
        const uint32_t word = assembler->words[i];
        const unsigned operands = i > vectout ? 0 : pfpu_opcodes[pfpu_word_opcode(word)].operands;
        used[pfpu_word_a(word)] |= operands > 0;
        used[pfpu_word_b(word)] |= operands > 1;
        /* As a destination r0 is none. */
        used[pfpu_word_destination(word)] |= pfpu_word_destination(word) != 0;
    }
    uint32_t count = 0;
    for (size_t i = 0; i < PFPU_MACHINE_REGISTERS; i++) {
        count += used[i];
    }
    return count;
}

int pfpu_assemble(struct base_span text, const char *file, const struct pfpu_key_table *table,
                  struct base_arena *arena, const struct base_diag_sink *sink,
                  struct pfpu_microcode *microcode)
{
    struct assembler assembler = {.table = table, .arena = arena, .stages = 1};
    struct scan *scan = &assembler.scan;
    const struct base_span nothing = {"", 0};
    *scan = (struct scan){
        .text = text.size > 0 ? text : nothing, .file = file, .sink = sink, .line = 1};
    do {
        if (!read_line(&assembler)) {
            return -1;
        }
    } while (next_line(&assembler.scan));
    if (!check_end(&assembler)) {
        return -1;
    }
    const size_t vectout = find_vectout(&assembler);
    *microcode = (struct pfpu_microcode){.words = assembler.words,
                                         .length = assembler.count,
                                         .vectout = (uint32_t)vectout,
                                         .stages = assembler.stages,
                                         .inputs = assembler.inputs.items,
                                         .input_count = assembler.inputs.count,
                                         .outputs = assembler.outputs.items,
                                         .output_count = assembler.outputs.count,
                                         .registers = count_registers(&assembler, vectout)};
    for (size_t i = 0; i <= vectout; i++) {
        microcode->operations += pfpu_word_opcode(assembler.words[i]) != PFPU_OPCODE_NOP;
    }
    return 0;
}
