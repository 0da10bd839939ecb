#include "pfpu/microcode/microcode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pfpu/language/lex.h"
#include "pfpu/machine/machine.h"

/* ---- the encoder ---- */

static bool list_bindings(const struct pfpu_ir *ir, const struct pfpu_registers *registers,
                          struct base_arena *arena, struct pfpu_microcode *microcode)
{
    size_t sets = 0;
    for (size_t i = 0; i < ir->count; i++) {
        sets += ir->instructions[i].op == PFPU_OP_SET ? 1 : 0;
    }
    microcode->inputs = base_arena_array(arena, registers->pinned_count, sizeof *microcode->inputs);
    microcode->outputs = base_arena_array(arena, sets, sizeof *microcode->outputs);
    if (microcode->inputs == NULL || microcode->outputs == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < registers->pinned_count; n++) {
        microcode->inputs[microcode->input_count++] = registers->pinned[n];
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (instruction->op == PFPU_OP_SET) {
            microcode->outputs[microcode->output_count++] = (struct pfpu_binding){
                .number = registers->of[instruction->arguments[0]], .key = instruction->key};
        }
    }
    return true;
}

enum pfpu_fit pfpu_encode(const struct pfpu_target *target, const struct pfpu_ir *ir,
                          const struct pfpu_schedule *schedule, struct base_arena *arena,
                          struct base_arena *scratch, struct pfpu_microcode *microcode)
{
    struct pfpu_registers registers;
    *microcode = (struct pfpu_microcode){.vectout = pfpu_schedule_vectout(target, ir, schedule),
                                         .stages = schedule->stages};
    const enum pfpu_fit fit = pfpu_registers_allocate(target, ir, schedule, scratch, &registers);
    if (fit != PFPU_FITS) {
        return fit;
    }
    if (target->program_size != 0 && microcode->vectout + 2 > target->program_size) {
        return PFPU_FIT_LENGTH;
    }
    microcode->registers = registers.used;
    microcode->length = (size_t)microcode->vectout + 2;
    microcode->words = base_arena_array(arena, microcode->length, sizeof *microcode->words);
    if (microcode->words == NULL) {
        return PFPU_FIT_NO_MEMORY;
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (target->ops[instruction->op].bound) {
            continue;
        }
        const int first = instruction->op == PFPU_OP_WORD_IF ? 1 : 0;
        const int operands = pfpu_ops[instruction->op].arity - first;
        const unsigned a = operands > 0 ? registers.of[instruction->arguments[first]] : 0;
        const unsigned b = operands > 1 ? registers.of[instruction->arguments[first + 1]] : 0;
        const uint32_t cycle = schedule->cycle[i];
        microcode->words[cycle] |= pfpu_word_make(a, b, pfpu_opcode_of_op(instruction->op), 0);
        if (pfpu_op_has_result(instruction->op)) {
            microcode->words[cycle + target->ops[instruction->op].latency] |= registers.of[i];
        }
        microcode->operations += instruction->op == PFPU_OP_WORD_VECTOUT ? 0 : 1;
    }
    microcode->words[microcode->vectout] |= pfpu_word_make(0, 0, PFPU_OPCODE_VECTOUT, 0);
    microcode->operations++;
    return list_bindings(ir, &registers, arena, microcode) ? PFPU_FITS : PFPU_FIT_NO_MEMORY;
}

/* ---- the assembler ---- */

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
    if (token.size == 0 && (token.data[0] < ' ' || token.data[0] > '~')) {
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
        /* The number before a word is there for people, but it must be right. */
        uint32_t number = 0;
        if (!take(&assembler->scan, ":")) {
            return refuse_token(&assembler->scan, token, "a word's number ends with ':'",
                                "no operation");
        }
        if (!small_number(token, PFPU_MACHINE_WORDS, &number) || number != assembler->count) {
            return report(&assembler->scan, offset_of(&assembler->scan, token),
                          "numbers may be left out", "this is word %zu", assembler->count);
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

static bool read_key(struct assembler *assembler, struct base_span token, int32_t *key)
{
    const struct pfpu_key_table *table = assembler->table;
    bool known = false;
    if (table != NULL) {
        known = token.size > 0 && pfpu_is_name_start(token.data[0]) &&
                table->key(table->user, token, key);
    } else {
        /* A key by its number, for those who have no names. */
        const bool negative = token.size > 1 && token.data[1] == '-';
        const size_t skip = negative ? 2 : 1;
        const struct base_span digits = {token.data + skip,
                                         token.size > skip ? token.size - skip : 0};
        uint32_t number = 0;
        known = small_number(digits, PFPU_IR_MAX, &number);
        *key = !known ? *key : negative ? -(int32_t)number : (int32_t)number;
    }
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

static bool read_binding(struct assembler *assembler, struct bindings *bindings)
{
    struct pfpu_binding binding = {0};
    uint32_t number = 0;
    skip_blanks(&assembler->scan);
    const size_t start = assembler->scan.at;
    if (!read_register(assembler, &number)) {
        return false;
    }
    for (size_t i = 0; i < bindings->count; i++) {
        if (bindings->items[i].number == number) {
            return report(&assembler->scan, start, NULL, "register r%u is bound already",
                          (unsigned)number);
        }
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

static bool read_line(struct assembler *assembler)
{
    if (at_end_of_line(&assembler->scan)) {
        return true;
    }
    const struct base_span token = next_token(&assembler->scan);
    bool read = false;
    if (token.size == 0 || token.data[0] != '.') {
        read = read_word(assembler, token);
    } else if (base_span_equal_nocase(token, base_span_of(".input"))) {
        read = read_binding(assembler, &assembler->inputs);
    } else if (base_span_equal_nocase(token, base_span_of(".output"))) {
        read = read_binding(assembler, &assembler->outputs);
    } else if (base_span_equal_nocase(token, base_span_of(".stages"))) {
        const struct base_span stages = next_token(&assembler->scan);
        read =
            (small_number(stages, PFPU_STAGES_MAX, &assembler->stages) && assembler->stages > 0) ||
            refuse_token(&assembler->scan, stages, "1 to 3 vertices may be in flight",
                         "no number of stages");
    } else {
        (void)refuse_token(&assembler->scan, token, "there are .input, .output and .stages",
                           "no directive");
    }
    if (!read) {
        return false;
    }
    return at_end_of_line(&assembler->scan) ||
           refuse_token(&assembler->scan, next_token(&assembler->scan),
                        "one word per line; comments begin with ';'", "unexpected");
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
    for (;;) {
        if (!read_line(&assembler)) {
            return -1;
        }
        while (next(scan, 0) != '\n') {
            scan->at++;
        }
        if (scan->at == scan->text.size) {
            break;
        }
        scan->at++;
        scan->line++;
        scan->line_start = scan->at;
    }
    size_t vectout = 0;
    while (vectout < assembler.count &&
           pfpu_word_opcode(assembler.words[vectout]) != PFPU_OPCODE_VECTOUT) {
        vectout++;
    }
    if (vectout == assembler.count) {
        (void)report(scan, scan->at, "end the program with 'vectout r0, r0'",
                     "no vectout: the coprocessor would never finish");
        return -1;
    }
    /* The word behind the VECTOUT still commits, so there must be one; more of them never run. */
    if (vectout + 2 < assembler.count) {
        base_report(sink, BASE_WARNING, (struct base_place){file, 0, 0},
                    "only one word after the vectout counts",
                    "word %zu and those after it never run", vectout + 2);
    }
    if (vectout + 1 == assembler.count && !append_word(&assembler, 0)) {
        return -1;
    }
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
