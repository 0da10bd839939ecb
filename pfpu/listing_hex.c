#include "pfpu/assemble_scan.h"
#include "pfpu/listing.h"
#include "pfpu/machine.h"
#include "pfpu/names.h"

enum { DIGITS_MAX = 8, WORD_BITS = 25 };

struct reader {
    struct pfpu_scan scan;
    struct base_arena *arena;
    uint32_t *words;
    size_t count;
    size_t capacity;
};

static bool read_word(struct reader *reader, struct base_span token)
{
    struct pfpu_scan *scan = &reader->scan;
    uint64_t word = 0;
    size_t length = 0;
    while (length < token.size && pfpu_hex_digit(token.data[length]) >= 0) {
        word = (word << 4 | (uint64_t)pfpu_hex_digit(token.data[length])) & UINT32_MAX;
        length++;
    }
    if (length == 0 || length != token.size) {
        return pfpu_scan_refuse(scan, token, "a word is up to eight digits, without 0x",
                                "no hexadecimal number:");
    }
    if (length > DIGITS_MAX || word >> WORD_BITS != 0) {
        return pfpu_scan_refuse(scan, token, "words have 25 bits: 01ffffff at most",
                                "the word is too large:");
    }
    if (reader->count == PFPU_MACHINE_WORDS) {
        return pfpu_scan_error(scan, pfpu_scan_offset(scan, token), NULL,
                               "more than the %d words that the coprocessor holds",
                               PFPU_MACHINE_WORDS);
    }
    uint32_t *words = base_arena_grow(reader->arena, reader->words, &reader->capacity,
                                      reader->count + 1, sizeof *words);
    if (words == NULL) {
        return pfpu_scan_error(scan, pfpu_scan_offset(scan, token), NULL, "not enough memory");
    }
    reader->words = words;
    words[reader->count++] = (uint32_t)word;
    return true;
}

int pfpu_read_hex(struct base_span text, const char *file, struct base_arena *arena,
                  const struct base_diag_sink *sink, uint32_t **words, size_t *count)
{
    struct reader reader = {.arena = arena};
    pfpu_scan_init(&reader.scan, text, file, sink);
    reader.scan.also_hash = true;
    do {
        while (!pfpu_scan_at_end_of_line(&reader.scan)) {
            if (!read_word(&reader, pfpu_scan_token(&reader.scan))) {
                return -1;
            }
        }
    } while (pfpu_scan_next_line(&reader.scan));
    if (reader.count == 0) {
        (void)pfpu_scan_error(&reader.scan, reader.scan.at, NULL, "no words in this text");
        return -1;
    }
    *words = reader.words;
    *count = reader.count;
    return 0;
}
