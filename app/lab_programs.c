#include "app/lab_programs.h"

#include <string.h>

enum { CODE_BITS = 25 };

static const char word_hint[] = "a word is 1 to 8 hex digits";
static const char code_hint[] = "an instruction word has 25 bits, in hex";

static bool refuse(struct app_lab_reader *reader, const struct base_source_line *word,
                   const char *why, const char *hint)
{
    app_lab_refuse(reader, word, why, hint);
    return false;
}

/* Where words go, and which are taken. */
struct list {
    uint32_t *values;
    size_t *count;
    size_t max;
    unsigned bits; /* of a word */
    const char *hint;
};

/* Takes the rest of the line. */
static bool read_words(struct app_lab_reader *reader, struct base_source_line line,
                       struct list list)
{
    struct base_source_line word;
    while (app_lab_next_word(&line, "", &word)) {
        uint32_t value = 0;
        if (*list.count == list.max) {
            return refuse(reader, &word, "is one word too many", NULL);
        }
        if (!app_lab_hex(word.text, &value) || (uint64_t)value >> list.bits != 0) {
            return refuse(reader, &word, "is no word", list.hint);
        }
        list.values[(*list.count)++] = value;
    }
    return true;
}

/* A number with its name in front. */
struct pair {
    const char *name;
    uint32_t *value;
    uint32_t limit;
};

static bool read_pairs(struct app_lab_reader *reader, struct base_source_line line,
                       const struct pair *pairs, size_t count, const char *hint)
{
    for (size_t i = 0; i < count; i++) {
        struct base_source_line word;
        (void)app_lab_next_word(&line, "", &word);
        if (!base_span_equal(word.text, base_span_of(pairs[i].name))) {
            return refuse(reader, &word, "is not expected here", hint);
        }
        (void)app_lab_next_word(&line, "", &word);
        if (!app_lab_decimal(word.text, pairs[i].limit, pairs[i].value)) {
            return refuse(reader, &word, "is no number or too large", hint);
        }
    }
    struct base_source_line word;
    return !app_lab_next_word(&line, "", &word) ||
           refuse(reader, &word, "is not expected here", hint);
}

static bool read_program(struct app_lab_reader *reader, struct app_lab_program *program,
                         struct base_source_line line)
{
    const struct pair pairs[] = {
        {"words", &program->words, PFPU_MACHINE_WORDS},
        {"hmeshlast", &program->last_column, PFPU_MACHINE_SIDE - 1},
        {"vmeshlast", &program->last_row, PFPU_MACHINE_SIDE - 1},
    };
    struct base_source_line number;
    (void)app_lab_next_word(&line, "", &number);
    if (!app_lab_decimal(number.text, UINT32_MAX, &program->number)) {
        return refuse(reader, &number, "is no number", "program N words N hmeshlast N vmeshlast N");
    }
    return read_pairs(reader, line, pairs, sizeof pairs / sizeof pairs[0],
                      "program N words 1 to 2048 hmeshlast 0 to 127 vmeshlast 0 to 127");
}

static bool read_write(struct base_source_line word, uint32_t *address, uint32_t *data)
{
    struct base_source_line part;
    return app_lab_next_word(&word, ":", &part) && app_lab_hex(part.text, address) &&
           app_lab_next_word(&word, ":", &part) && app_lab_hex(part.text, data) &&
           !app_lab_next_word(&word, ":", &part);
}

static bool read_dma(struct app_lab_reader *reader, struct app_lab_program *program,
                     struct base_source_line line)
{
    struct base_source_line word;
    while (app_lab_next_word(&line, "", &word)) {
        const size_t i = program->write_count;
        if (i == APP_LAB_WRITES) {
            return refuse(reader, &word, "is one word too many", NULL);
        }
        if (!read_write(word, &program->addresses[i], &program->data[i])) {
            return refuse(reader, &word, "is no word written", "address:word, in hex");
        }
        program->write_count++;
    }
    return true;
}

static bool read_counters(struct app_lab_reader *reader, struct app_lab_program *program,
                          struct base_source_line line)
{
    const struct pair pairs[] = {
        {"vertices", &program->vertices, UINT32_MAX},
        {"collisions", &program->collisions, UINT32_MAX},
        {"stray", &program->stray_writes, UINT32_MAX},
    };
    return read_pairs(reader, line, pairs, sizeof pairs / sizeof pairs[0],
                      "counters vertices N collisions N stray N");
}

#define LIST(name, values, max, bits, hint)                                                        \
    {                                                                                              \
        name, NULL, offsetof(struct app_lab_program, values),                                      \
            offsetof(struct app_lab_program, values##_count), max, bits, hint                      \
    }

static const struct section {
    const char *name;
    bool (*read)(struct app_lab_reader *reader, struct app_lab_program *program,
                 struct base_source_line line); /* NULL: a list of words */
    size_t values;                              /* where the list goes in the program */
    size_t count;
    size_t max;
    unsigned bits;
    const char *hint;
} sections[APP_LAB_SECTION_COUNT] = {
    [APP_LAB_PROGRAM] = {.name = "program", .read = read_program},
    [APP_LAB_INIT] = LIST("init", init, APP_LAB_FREE, 32, word_hint),
    [APP_LAB_CODE] = LIST("code", code, PFPU_MACHINE_WORDS, CODE_BITS, code_hint),
    [APP_LAB_DMA] = {.name = "dma", .read = read_dma},
    [APP_LAB_COUNTERS] = {.name = "counters", .read = read_counters},
    [APP_LAB_FINAL] = LIST("final", final, APP_LAB_FREE, 32, word_hint),
};

static bool read_list_of(const struct section *section, struct app_lab_reader *reader,
                         struct app_lab_program *program, struct base_source_line line)
{
    char *base = (char *)program;
    const struct list list = {(uint32_t *)(void *)(base + section->values),
                              (size_t *)(void *)(base + section->count), section->max,
                              section->bits, section->hint};
    return read_words(reader, line, list);
}

static size_t section_of(struct base_span name)
{
    size_t i = 0;
    while (i < APP_LAB_SECTION_COUNT && !base_span_equal(name, base_span_of(sections[i].name))) {
        i++;
    }
    return i;
}

static bool read_section(struct app_lab_reader *reader, struct app_lab_program *program,
                         struct base_source_line line)
{
    struct base_source_line name;
    (void)app_lab_next_word(&line, "", &name);
    const size_t section = section_of(name.text);
    if (section == APP_LAB_SECTION_COUNT) {
        return refuse(reader, &name, "begins no line of a program",
                      "there are program, init, code, dma, counters and final");
    }
    if (section != APP_LAB_PROGRAM && program->lines[APP_LAB_PROGRAM] == 0) {
        return refuse(reader, &name, "belongs to no program",
                      "begin with program N words N hmeshlast N vmeshlast N");
    }
    if (program->lines[section] != 0) {
        return refuse(reader, &name, "stands here a second time", NULL);
    }
    program->lines[section] = line.line;
    return sections[section].read != NULL ? sections[section].read(reader, program, line)
                                          : read_list_of(&sections[section], reader, program, line);
}

static bool begins_program(struct base_source_line line)
{
    struct base_source_line name;
    return app_lab_next_word(&line, "", &name) && section_of(name.text) == APP_LAB_PROGRAM;
}

/* Of a program that could be read line by line. */
static bool is_whole(struct app_lab_reader *reader, const struct app_lab_program *program)
{
    const struct base_source_line name = {base_span_of(sections[APP_LAB_PROGRAM].name),
                                          program->lines[APP_LAB_PROGRAM], 1};
    if (program->code_count == 0 || program->code_count != program->words) {
        return refuse(reader, &name, "has not as many words of code as it says", NULL);
    }
    if (program->lines[APP_LAB_DMA] == 0 && program->lines[APP_LAB_COUNTERS] == 0 &&
        program->lines[APP_LAB_FINAL] == 0) {
        return refuse(reader, &name, "has nothing to compare", "dma, counters or final");
    }
    return true;
}

bool app_lab_next_program(struct app_lab_reader *reader, struct app_lab_program *program)
{
    struct base_source_line line;
    bool found = false;
    memset(program, 0, offsetof(struct app_lab_program, init));
    program->whole = true;
    struct app_lab_reader before = *reader;
    while (app_lab_next_line(reader, &line)) {
        if (found && begins_program(line)) {
            *reader = before;
            break;
        }
        found = true;
        program->whole = read_section(reader, program, line) && program->whole;
        before = *reader;
    }
    program->whole = found && program->whole && is_whole(reader, program);
    return found;
}

size_t app_lab_read_code(struct app_lab_reader *reader, uint32_t *code)
{
    struct base_source_line line;
    size_t count = 0;
    const struct list list = {code, &count, PFPU_MACHINE_WORDS, CODE_BITS, code_hint};
    while (app_lab_next_line(reader, &line)) {
        if (!read_words(reader, line, list) && count == PFPU_MACHINE_WORDS) {
            return 0;
        }
    }
    if (count == 0 && reader->errors == 0) {
        base_report(reader->sink, BASE_ERROR, (struct base_place){reader->file, 0, 0}, NULL,
                    "there are no instruction words");
    }
    return reader->errors == 0 ? count : 0;
}

/* A register's number, with r in front or not. Words of a list are longer. */
static bool read_number(struct base_span text, uint32_t *number)
{
    if (text.size > 0 && (text.data[0] == 'r' || text.data[0] == 'R')) {
        text.data++;
        text.size--;
    }
    return text.size <= 3 && app_lab_decimal(text, 999, number);
}

static bool set_register(struct app_lab_reader *reader, struct pfpu_machine *machine,
                         const struct base_source_line *word, uint32_t number, uint32_t value)
{
    if (number < PFPU_MACHINE_CONDITION || number >= PFPU_MACHINE_REGISTERS) {
        return refuse(reader, word, "cannot be set", "the registers of a program are 2 to 127");
    }
    pfpu_machine_set_register(machine, number, value);
    return true;
}

/* "r5 3f800000", once its number has been read. */
static bool read_assignment(struct app_lab_reader *reader, struct pfpu_machine *machine,
                            const struct base_source_line *name, uint32_t number,
                            struct base_source_line line)
{
    struct base_source_line word;
    uint32_t value = 0;
    if (!app_lab_next_word(&line, "=", &word) || !app_lab_hex(word.text, &value)) {
        return refuse(reader, &word, "is no word", word_hint);
    }
    struct base_source_line more;
    if (app_lab_next_word(&line, "=", &more)) {
        return refuse(reader, &more, "is not expected here", "one register on a line");
    }
    return set_register(reader, machine, name, number, value);
}

/* Words for the registers from *next on. */
static bool read_list(struct app_lab_reader *reader, struct pfpu_machine *machine, uint32_t *next,
                      struct base_source_line line)
{
    struct base_source_line word;
    while (app_lab_next_word(&line, "", &word)) {
        uint32_t value = 0;
        if (word.text.size < 8 || !app_lab_hex(word.text, &value)) {
            return refuse(reader, &word, "is neither a register nor a word",
                          "lines as in 'r5 3f800000', or words of 8 hex digits");
        }
        if (!set_register(reader, machine, &word, (*next)++, value)) {
            return false;
        }
    }
    return true;
}

bool app_lab_read_registers(struct app_lab_reader *reader, struct pfpu_machine *machine)
{
    struct base_source_line line;
    uint32_t next = PFPU_MACHINE_CONDITION;
    bool fits = true;
    while (fits && app_lab_next_line(reader, &line)) {
        struct base_source_line rest = line;
        struct base_source_line name;
        uint32_t number = 0;
        (void)app_lab_next_word(&rest, "=", &name);
        if (read_number(name.text, &number)) {
            fits = read_assignment(reader, machine, &name, number, rest);
        } else {
            fits = read_list(reader, machine, &next, line);
        }
    }
    return fits;
}
