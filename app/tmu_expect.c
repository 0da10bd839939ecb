#include <stdio.h>

#include "app/lab_text.h"
#include "app/tmu_case.h"

enum { PIXEL_LIMIT = 0xffff };

const struct app_tmu_number_row app_tmu_numbers[] = {
#define APP_TMU_NUMBER(name, text, hex) {text, hex},
#include "app/tmu_numbers.def"
};

static const char cache_hint[] = "thesis_2k to thesis_128k refills N req_hit and eight numbers";
static const char row_hint[] = "row y and at most 64 pixels in hex";

/* A line behind its first word. */
struct entry {
    struct app_lab_reader *reader;
    struct app_tmu_expect *expect;
    struct base_source_line name;
    struct base_source_line rest;
};

static bool refuse(struct entry *entry, const struct base_source_line *word, const char *why,
                   const char *hint)
{
    app_lab_refuse(entry->reader, word, why, hint);
    return false;
}

static bool take_decimal(struct entry *entry, uint32_t limit, uint32_t *value, const char *hint)
{
    struct base_source_line word;
    (void)app_lab_next_word(&entry->rest, "", &word);
    return app_lab_decimal(word.text, limit, value) ||
           refuse(entry, &word, "is no number or too large", hint);
}

static bool take_word(struct entry *entry, const char *text, const char *hint)
{
    struct base_source_line word;
    (void)app_lab_next_word(&entry->rest, "", &word);
    return base_span_equal(word.text, base_span_of(text)) ||
           refuse(entry, &word, "is not expected here", hint);
}

static bool take_end(struct entry *entry)
{
    struct base_source_line word;
    return !app_lab_next_word(&entry->rest, "", &word) ||
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
    if (!app_tmu_numbers[number].hex) {
        return take_decimal(entry, UINT32_MAX, value, NULL) && take_end(entry);
    }
    struct base_source_line word;
    (void)app_lab_next_word(&entry->rest, "", &word);
    return app_lab_hex(word.text, value) ? take_end(entry)
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
    while (app_lab_next_word(&entry->rest, "", &word)) {
        uint32_t pixel = 0;
        if (row->count == APP_TMU_ROW_PIXELS) {
            return refuse(entry, &word, "is one pixel too many", row_hint);
        }
        if (!app_lab_hex(word.text, &pixel) || pixel > PIXEL_LIMIT) {
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
    while (app_lab_next_word(&entry->rest, "", &word)) {
        if (expect->row_crc_count == APP_TMU_HEIGHT_MAX) {
            return refuse(entry, &word, "is one row too many", NULL);
        }
        if (!app_lab_hex(word.text, &expect->row_crcs[expect->row_crc_count])) {
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
                  "crc32, thesis_crc32, refills_32k, dst_read_bursts, dst_write_bursts, thesis_Nk, "
                  "row or rowcrc");
}

bool app_tmu_expect_read(struct app_tmu_expect *expect, const char *file, struct base_span text,
                         const struct base_diag_sink *sink)
{
    struct app_lab_reader reader;
    struct entry entry = {.reader = &reader, .expect = expect};
    bool any = false;
    *expect = (struct app_tmu_expect){0};
    app_lab_reader_begin(&reader, file, text, sink);
    while (app_lab_next_line(&reader, &entry.rest)) {
        (void)app_lab_next_word(&entry.rest, "", &entry.name);
        any = read_entry(&entry) || any;
    }
    app_lab_reader_end(&reader);
    if (!any && reader.errors == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL,
                    "there is nothing to compare");
    }
    return any && reader.errors == 0;
}
