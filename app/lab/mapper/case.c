#include "app/lab/mapper/case.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/io/text_reader.h"
#include "base/random.h"

enum {
    LEAST = 32,
    ADDRESSES = 1 << 27,
    TARGET_X = 777, /* where the target's first picture is cut out */
    TARGET_Y = 333,
    PIXEL_BYTES = 2
};

uint32_t app_tmu_memory_size(const struct board_mapper_registers *registers)
{
    const uint64_t texture = (uint64_t)registers->texfbuf + PIXEL_BYTES *
                                                                (uint64_t)registers->texhres *
                                                                (uint64_t)registers->texvres;
    const uint64_t target = (uint64_t)registers->dstfbuf + PIXEL_BYTES *
                                                               (uint64_t)registers->dsthres *
                                                               (uint64_t)registers->dstvres;
    const uint64_t end = texture > target ? texture : target;
    uint32_t size = LEAST;
    while (size < end && size < ADDRESSES) {
        size *= 2;
    }
    return size;
}

uint16_t app_tmu_test_color(uint32_t x, uint32_t y)
{
    if (((x >> 5 ^ y >> 5) & 1) != 0) {
        return (uint16_t)((x >> 4 & 31) << 11 | (y >> 3 & 63) << 5 | ((x + y) >> 5 & 31));
    }
    uint32_t hash = x * 0x9E3779B1u + y * 0x85EBCA6Bu;
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    hash ^= hash >> 12;
    return (uint16_t)hash;
}

static uint8_t *pixel_of(const struct board_mapper_memory *memory, int32_t base, int32_t pitch,
                         uint32_t x, uint32_t y)
{
    const uint32_t address = ((uint32_t)base & ~1u) + PIXEL_BYTES * ((uint32_t)pitch * y + x);
    return &memory->bytes[address & (memory->size - 1)];
}

static void fill(const struct board_mapper_memory *memory, int32_t base, int32_t width,
                 int32_t height, uint32_t from_x, uint32_t from_y)
{
    for (uint32_t y = 0; y < (uint32_t)height; y++) {
        for (uint32_t x = 0; x < (uint32_t)width; x++) {
            const uint16_t color = app_tmu_test_color(x + from_x, y + from_y);
            uint8_t *pixel = pixel_of(memory, base, width, x, y);
            pixel[0] = (uint8_t)(color >> 8);
            pixel[1] = (uint8_t)color;
        }
    }
}

void app_tmu_fill(const struct board_mapper_registers *registers,
                  const struct board_mapper_memory *memory)
{
    fill(memory, registers->texfbuf, registers->texhres, registers->texvres, 0, 0);
    fill(memory, registers->dstfbuf, registers->dsthres, registers->dstvres, TARGET_X, TARGET_Y);
}

uint32_t app_tmu_row_crc(const struct board_mapper_registers *registers,
                         const struct board_mapper_memory *memory, uint32_t y, uint32_t crc)
{
    for (uint32_t x = 0; x < (uint32_t)registers->dsthres; x++) {
        crc = base_crc32(crc, pixel_of(memory, registers->dstfbuf, registers->dsthres, x, y),
                         PIXEL_BYTES);
    }
    return crc;
}

uint16_t app_tmu_pixel(const struct board_mapper_registers *registers,
                       const struct board_mapper_memory *memory, uint32_t x, uint32_t y)
{
    const uint8_t *pixel = pixel_of(memory, registers->dstfbuf, registers->dsthres, x, y);
    return (uint16_t)(pixel[0] << 8 | pixel[1]);
}

enum { FLAGS = BOARD_MAPPER_CHROMA_KEY | BOARD_MAPPER_ADDITIVE, HINT_MAX = 96 };

static const struct {
    const char *name;
    size_t offset;
    unsigned bits;
    bool has_sign;
} fields[] = {
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign)                                     \
    {#name, offsetof(struct board_mapper_registers, name), bits, sign == BOARD_MAPPER_SIGNED},
#include "board/mapper/registers.def"
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static const char vertex_hint[] = "vertex x y X Y; x and y are 0 to 127";

/* What has been read so far. */
struct reading {
    struct app_text_reader reader;
    struct app_tmu_case *result;
    bool has_field[FIELD_COUNT];
    bool has_flags;
    bool has_vertex[APP_TMU_VERTICES];
};

static bool refuse_word(struct reading *reading, const struct base_source_line *word,
                        const char *why, const char *hint)
{
    app_text_refuse(&reading->reader, word, why, hint);
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
    if (hex ? !app_text_hex(text, &number) : !app_text_decimal(text, UINT32_MAX, &number)) {
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
    (void)app_text_next_word(line, "", &word);
    if (read_integer(word.text, value) && *value >= low && *value <= high) {
        return true;
    }
    (void)snprintf(hint, sizeof hint, "a number from %" PRId64 " to %" PRId64, low, high);
    return refuse_word(reading, &word, "is no such number", hint);
}

static bool end_line(struct reading *reading, struct base_source_line *line)
{
    struct base_source_line word;
    return !app_text_next_word(line, "", &word) ||
           refuse_word(reading, &word, "is not expected here", NULL);
}

static bool read_vertex(struct reading *reading, const struct base_source_line *name,
                        struct base_source_line line)
{
    int64_t place[2];
    int64_t values[2];
    for (size_t i = 0; i < 2; i++) {
        if (!next_integer(reading, &line, 0, BOARD_MAPPER_PITCH - 1, &place[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        if (!next_integer(reading, &line, INT32_MIN, UINT32_MAX, &values[i])) {
            return false;
        }
    }
    const int64_t at = place[1] * BOARD_MAPPER_PITCH + place[0];
    if (reading->has_vertex[at]) {
        return refuse_word(reading, name, "stands twice for the same place", vertex_hint);
    }
    reading->has_vertex[at] = true;
    reading->result->vertices[at] =
        (struct board_mapper_vertex){(int32_t)(uint32_t)values[0], (int32_t)(uint32_t)values[1]};
    return end_line(reading, &line);
}

static bool read_field(struct reading *reading, size_t field, const struct base_source_line *name,
                       struct base_source_line line)
{
    int64_t value = 0;
    const int64_t size = (int64_t)1 << fields[field].bits;
    if (reading->has_field[field]) {
        return refuse_word(reading, name, "stands twice", NULL);
    }
    reading->has_field[field] = true;
    if (!next_integer(reading, &line, fields[field].has_sign ? -size / 2 : 0, size - 1, &value)) {
        return false;
    }
    int32_t *kept = (int32_t *)(void *)((char *)&reading->result->registers + fields[field].offset);
    *kept = board_mapper_kept((int32_t)(uint32_t)value, fields[field].bits, fields[field].has_sign);
    return end_line(reading, &line);
}

static bool read_line(struct reading *reading, struct base_source_line line)
{
    struct base_source_line name;
    (void)app_text_next_word(&line, "", &name);
    if (base_span_equal(name.text, base_span_of("vertex"))) {
        return read_vertex(reading, &name, line);
    }
    if (base_span_equal(name.text, base_span_of("flags"))) {
        int64_t value = 0;
        if (reading->has_flags) {
            return refuse_word(reading, &name, "stands twice", NULL);
        }
        reading->has_flags = true;
        if (!next_integer(reading, &line, 0, FLAGS, &value)) {
            return false;
        }
        if ((value & ~(int64_t)FLAGS) != 0) {
            return refuse_word(reading, &name, "have a bit too many", "2: chroma key, 4: additive");
        }
        reading->result->registers.flags = (uint32_t)value;
        return end_line(reading, &line);
    }
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (base_span_equal(name.text, base_span_of(fields[i].name))) {
            return read_field(reading, i, &name, line);
        }
    }
    return refuse_word(reading, &name, "is no register",
                       "registers are called as in hmeshlast, texhres; or flags, vertex");
}

static bool complain(struct reading *reading, const char *hint, const char *what)
{
    const struct base_place place = {reading->reader.file, 0, 0};
    base_report(reading->reader.sink, BASE_ERROR, place, hint, "%s", what);
    reading->reader.errors++;
    return false;
}

static bool can_be_drawn(struct reading *reading)
{
    const struct board_mapper_registers *registers = &reading->result->registers;
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
    char what[HINT_MAX];
    for (int y = 0; y <= registers->vmeshlast; y++) {
        for (int x = 0; x <= registers->hmeshlast; x++) {
            if (!reading->has_vertex[y * BOARD_MAPPER_PITCH + x]) {
                (void)snprintf(what, sizeof what, "vertex %d %d is missing", x, y);
                return complain(reading, vertex_hint, what);
            }
        }
    }
    return true;
}

bool app_tmu_case_read(struct app_tmu_case *tmu_case, const char *file, struct base_span text,
                       const struct base_diag_sink *sink)
{
    struct reading reading = {.result = tmu_case};
    struct base_source_line line;
    struct board_mapper chip;
    board_mapper_reset(&chip, BOARD_MAPPER_CURRENT);
    *tmu_case = (struct app_tmu_case){.registers = chip.registers};
    app_text_reader_begin(&reading.reader, file, text, sink);
    while (app_text_next_line(&reading.reader, &line)) {
        (void)read_line(&reading, line);
    }
    app_text_reader_end(&reading.reader);
    return reading.reader.errors == 0 && can_be_drawn(&reading);
}

enum { PIXEL_LIMIT = 0xffff };

const struct app_tmu_number_row app_tmu_numbers[] = {
#define APP_TMU_NUMBER(name, text, kind) {text, kind},
#include "app/lab/mapper/numbers.def"
};

static const char cache_hint[] = "thesis_2k to thesis_128k refills N req_hit and eight numbers";
static const char row_hint[] = "row y and at most 64 pixels in hex";

/* A line behind its first word. */
struct entry {
    struct app_text_reader *reader;
    struct app_tmu_expect *expect;
    struct base_source_line name;
    struct base_source_line rest;
};

static bool refuse(struct entry *entry, const struct base_source_line *word, const char *why,
                   const char *hint)
{
    app_text_refuse(entry->reader, word, why, hint);
    return false;
}

static bool take_decimal(struct entry *entry, uint32_t limit, uint32_t *value, const char *hint)
{
    struct base_source_line word;
    (void)app_text_next_word(&entry->rest, "", &word);
    return app_text_decimal(word.text, limit, value) ||
           refuse(entry, &word, "is no number or too large", hint);
}

static bool take_word(struct entry *entry, const char *text, const char *hint)
{
    struct base_source_line word;
    (void)app_text_next_word(&entry->rest, "", &word);
    return base_span_equal(word.text, base_span_of(text)) ||
           refuse(entry, &word, "is not expected here", hint);
}

static bool take_end(struct entry *entry)
{
    struct base_source_line word;
    return !app_text_next_word(&entry->rest, "", &word) ||
           refuse(entry, &word, "is not expected here", NULL);
}

/* Whether this is the first line of its name. */
static bool take_line(struct entry *entry, uint32_t *line)
{
    if (*line != 0) {
        return refuse(entry, &entry->name, "stands twice", NULL);
    }
    *line = entry->name.line;
    return true;
}

static bool read_number(struct entry *entry, size_t number)
{
    uint32_t *value = &entry->expect->numbers[number].value;
    if (!take_line(entry, &entry->expect->numbers[number].line)) {
        return false;
    }
    if (app_tmu_numbers[number].kind != APP_TMU_IS_HEX) {
        return take_decimal(entry, UINT32_MAX, value, NULL) && take_end(entry);
    }
    struct base_source_line word;
    (void)app_text_next_word(&entry->rest, "", &word);
    return app_text_hex(word.text, value) ? take_end(entry)
                                          : refuse(entry, &word, "is no CRC", "1 to 8 hex digits");
}

static bool read_cache(struct entry *entry, size_t size)
{
    struct app_tmu_cache *cache = &entry->expect->caches[size];
    if (!take_line(entry, &cache->line) || !take_word(entry, "refills", cache_hint) ||
        !take_decimal(entry, UINT32_MAX, &cache->refills, cache_hint) ||
        !take_word(entry, "req_hit", cache_hint)) {
        return false;
    }
    for (size_t i = 0; i < TMU_SIM_CHANNELS; i++) {
        if (!take_decimal(entry, UINT32_MAX, &cache->requests[i], cache_hint) ||
            !take_decimal(entry, UINT32_MAX, &cache->hits[i], cache_hint)) {
            return false;
        }
    }
    return take_end(entry);
}

static bool read_pixels(struct entry *entry)
{
    struct app_tmu_expect *expect = entry->expect;
    struct base_source_line word;
    if (expect->row_count == APP_TMU_ROWS) {
        return refuse(entry, &entry->name, "stands too often", "at most 64 rows");
    }
    struct app_tmu_row *row = &expect->rows[expect->row_count];
    *row = (struct app_tmu_row){.line = entry->name.line};
    if (!take_decimal(entry, APP_TMU_HEIGHT_MAX - 1, &row->y, row_hint)) {
        return false;
    }
    while (app_text_next_word(&entry->rest, "", &word)) {
        uint32_t pixel = 0;
        if (row->count == APP_TMU_ROW_PIXELS) {
            return refuse(entry, &word, "is one pixel too many", row_hint);
        }
        if (!app_text_hex(word.text, &pixel) || pixel > PIXEL_LIMIT) {
            return refuse(entry, &word, "is no pixel", row_hint);
        }
        row->pixels[row->count++] = (uint16_t)pixel;
    }
    expect->row_count++;
    return true;
}

static bool read_row_crcs(struct entry *entry)
{
    struct app_tmu_expect *expect = entry->expect;
    struct base_source_line word;
    if (!take_line(entry, &expect->row_crc_line)) {
        return false;
    }
    while (app_text_next_word(&entry->rest, "", &word)) {
        if (expect->row_crc_count == APP_TMU_HEIGHT_MAX) {
            return refuse(entry, &word, "is one row too many", NULL);
        }
        if (!app_text_hex(word.text, &expect->row_crcs[expect->row_crc_count])) {
            return refuse(entry, &word, "is no CRC", "1 to 8 hex digits");
        }
        expect->row_crc_count++;
    }
    return true;
}

static bool read_entry(struct entry *entry)
{
    const struct base_span name = entry->name.text;
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        if (base_span_equal(name, base_span_of(app_tmu_numbers[i].name))) {
            return read_number(entry, i);
        }
    }
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "thesis_%uk", APP_TMU_CACHE_LEAST / 1024u << i);
        if (base_span_equal(name, base_span_of(text))) {
            return read_cache(entry, i);
        }
    }
    if (base_span_equal(name, base_span_of("row"))) {
        return read_pixels(entry);
    }
    if (base_span_equal(name, base_span_of("rowcrc"))) {
        return read_row_crcs(entry);
    }
    return refuse(entry, &entry->name, "is nothing to expect",
                  "crc32, thesis_crc32, refills_32k, dst_read_bursts, dst_write_bursts, "
                  "cycles_after_2, _5, _12, cycles_board, thesis_Nk, row or rowcrc");
}

bool app_tmu_expect_read(struct app_tmu_expect *expect, const char *file, struct base_span text,
                         const struct base_diag_sink *sink)
{
    struct app_text_reader reader;
    struct entry entry = {.reader = &reader, .expect = expect};
    bool any = false;
    *expect = (struct app_tmu_expect){0};
    app_text_reader_begin(&reader, file, text, sink);
    while (app_text_next_line(&reader, &entry.rest)) {
        (void)app_text_next_word(&entry.rest, "", &entry.name);
        any = read_entry(&entry) || any;
    }
    app_text_reader_end(&reader);
    if (!any && reader.errors == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL,
                    "there is nothing to compare");
    }
    return any && reader.errors == 0;
}
