#include "app/tmu_case.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/lab_text.h"

enum { FLAGS = TMU_CHIP_CHROMA_KEY | TMU_CHIP_ADDITIVE, HINT_MAX = 96 };

static const struct {
    const char *name;
    size_t offset;
    unsigned bits;
    bool has_sign;
} fields[] = {
#define TMU_REGISTER(name, offset, bits, reset, sign)                                              \
    {#name, offsetof(struct tmu_chip_registers, name), bits, sign == TMU_SIGNED},
#include "tmu/chip_registers.def"
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static const char vertex_hint[] = "vertex x y X Y; x and y are 0 to 127";

/* What has been read so far. */
struct reading {
    struct app_lab_reader reader;
    struct app_tmu_case *result;
    bool has_field[FIELD_COUNT];
    bool has_flags;
    bool has_vertex[APP_TMU_VERTICES];
};

static bool refuse(struct reading *reading, const struct base_source_line *word, const char *why,
                   const char *hint)
{
    app_lab_refuse(&reading->reader, word, why, hint);
    return false;
}

/* Decimal, with a sign or not, or 0x and hex. */
static bool read_integer(struct base_span text, int64_t *value)
{
    uint32_t number = 0;
    const bool hex = text.size > 2 && text.data[0] == '0' && (text.data[1] | 0x20) == 'x';
    const bool negative = text.size > 1 && text.data[0] == '-';
    if (negative) {
        text.data++;
        text.size--;
    }
    if (hex ? !app_lab_hex(text, &number) : !app_lab_decimal(text, UINT32_MAX, &number)) {
        return false;
    }
    *value = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

/* The next word of the line, a number of low..high. */
static bool next_integer(struct reading *reading, struct base_source_line *line, int64_t low,
                         int64_t high, int64_t *value)
{
    struct base_source_line word;
    char hint[HINT_MAX];
    (void)app_lab_next_word(line, "", &word);
    if (read_integer(word.text, value) && *value >= low && *value <= high) {
        return true;
    }
    (void)snprintf(hint, sizeof hint, "a number from %" PRId64 " to %" PRId64, low, high);
    return refuse(reading, &word, "is no such number", hint);
}

static bool end_line(struct reading *reading, struct base_source_line *line)
{
    struct base_source_line word;
    return !app_lab_next_word(line, "", &word) ||
           refuse(reading, &word, "is not expected here", NULL);
}

static bool read_vertex(struct reading *reading, const struct base_source_line *name,
                        struct base_source_line line)
{
    int64_t place[2];
    int64_t values[2];
    for (size_t i = 0; i < 2; i++) {
        if (!next_integer(reading, &line, 0, TMU_CHIP_PITCH - 1, &place[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        if (!next_integer(reading, &line, INT32_MIN, UINT32_MAX, &values[i])) {
            return false;
        }
    }
    const int64_t at = place[1] * TMU_CHIP_PITCH + place[0];
    if (reading->has_vertex[at]) {
        return refuse(reading, name, "stands twice for the same place", vertex_hint);
    }
    reading->has_vertex[at] = true;
    reading->result->vertices[at] =
        (struct tmu_chip_vertex){(int32_t)(uint32_t)values[0], (int32_t)(uint32_t)values[1]};
    return end_line(reading, &line);
}

static bool read_flags(struct reading *reading, const struct base_source_line *name,
                       struct base_source_line line)
{
    int64_t value = 0;
    if (reading->has_flags) {
        return refuse(reading, name, "stands twice", NULL);
    }
    reading->has_flags = true;
    if (!next_integer(reading, &line, 0, FLAGS, &value)) {
        return false;
    }
    if ((value & ~(int64_t)FLAGS) != 0) {
        return refuse(reading, name, "have a bit too many", "2: chroma key, 4: additive");
    }
    reading->result->registers.flags = (uint32_t)value;
    return end_line(reading, &line);
}

static bool read_field(struct reading *reading, size_t field, const struct base_source_line *name,
                       struct base_source_line line)
{
    int64_t value = 0;
    const int64_t size = (int64_t)1 << fields[field].bits;
    if (reading->has_field[field]) {
        return refuse(reading, name, "stands twice", NULL);
    }
    reading->has_field[field] = true;
    if (!next_integer(reading, &line, fields[field].has_sign ? -size / 2 : 0, size - 1, &value)) {
        return false;
    }
    int32_t *kept = (int32_t *)(void *)((char *)&reading->result->registers + fields[field].offset);
    *kept = tmu_chip_kept((int32_t)(uint32_t)value, fields[field].bits, fields[field].has_sign);
    return end_line(reading, &line);
}

static bool read_line(struct reading *reading, struct base_source_line line)
{
    struct base_source_line name;
    (void)app_lab_next_word(&line, "", &name);
    if (base_span_equal(name.text, base_span_of("vertex"))) {
        return read_vertex(reading, &name, line);
    }
    if (base_span_equal(name.text, base_span_of("flags"))) {
        return read_flags(reading, &name, line);
    }
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (base_span_equal(name.text, base_span_of(fields[i].name))) {
            return read_field(reading, i, &name, line);
        }
    }
    return refuse(reading, &name, "is no register",
                  "registers are called as in hmeshlast, texhres; or flags, vertex");
}

static bool complain(struct reading *reading, const char *hint, const char *what)
{
    const struct base_place place = {reading->reader.file, 0, 0};
    base_report(reading->reader.sink, BASE_ERROR, place, hint, "%s", what);
    reading->reader.errors++;
    return false;
}

static bool has_vertices(struct reading *reading)
{
    const struct tmu_chip_registers *registers = &reading->result->registers;
    char what[HINT_MAX];
    for (int y = 0; y <= registers->vmeshlast; y++) {
        for (int x = 0; x <= registers->hmeshlast; x++) {
            if (!reading->has_vertex[y * TMU_CHIP_PITCH + x]) {
                (void)snprintf(what, sizeof what, "vertex %d %d is missing", x, y);
                return complain(reading, vertex_hint, what);
            }
        }
    }
    return true;
}

static bool can_be_drawn(struct reading *reading)
{
    const struct tmu_chip_registers *registers = &reading->result->registers;
    const uint64_t squares = (uint64_t)registers->hmeshlast * (uint64_t)registers->vmeshlast;
    const uint64_t pixels =
        squares * (uint64_t)registers->dstsquarew * (uint64_t)registers->dstsquareh;
    if (pixels == 0) {
        return complain(reading, "hmeshlast, vmeshlast, dstsquarew and dstsquareh are at least 1",
                        "there is nothing to draw");
    }
    if (pixels > APP_TMU_PIXELS) {
        return complain(reading, "at most 16777216 of them, in the target or not",
                        "the squares have too many pixels");
    }
    return has_vertices(reading);
}

bool app_tmu_case_read(struct app_tmu_case *tmu_case, const char *file, struct base_span text,
                       const struct base_diag_sink *sink)
{
    struct reading reading = {.result = tmu_case};
    struct base_source_line line;
    struct tmu_chip chip;
    tmu_chip_reset(&chip, TMU_REVISION_CURRENT);
    *tmu_case = (struct app_tmu_case){.registers = chip.registers};
    app_lab_reader_begin(&reading.reader, file, text, sink);
    while (app_lab_next_line(&reading.reader, &line)) {
        (void)read_line(&reading, line);
    }
    app_lab_reader_end(&reading.reader);
    return reading.reader.errors == 0 && can_be_drawn(&reading);
}
