#include "board/net/osc.h"

#include <string.h>

enum { WORD = 4, BUNDLE_HEAD = 16 /* "#bundle" and a time tag */ };

/* What is left of a packet, or of a part of it. */
struct rest {
    const uint8_t *at;
    size_t size;
};

struct reader {
    size_t messages; /* of the whole packet */
    void (*take)(void *user, const struct board_osc_message *message);
    void *user;
};

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static size_t padded(size_t size)
{
    return (size + WORD - 1) / WORD * WORD;
}

static bool skip(struct rest *rest, size_t size)
{
    if (size > rest->size) {
        return false;
    }
    rest->at += size;
    rest->size -= size;
    return true;
}

/* A text with its NUL and what pads it; *size: without either. NULL: it does not end. */
static const uint8_t *take_text(struct rest *rest, size_t *size)
{
    const uint8_t *text = rest->at;
    const uint8_t *end = rest->size > 0 ? memchr(text, '\0', rest->size) : NULL;
    if (end == NULL) {
        return NULL;
    }
    *size = (size_t)(end - text);
    return skip(rest, padded(*size + 1)) ? text : NULL;
}

static bool is_address(const uint8_t *text, size_t size)
{
    bool good = size > 0 && size < BOARD_OSC_ADDRESS && text[0] == '/';
    for (size_t i = 0; good && i < size; i++) {
        good = text[i] > ' ' && text[i] < 0x7F;
    }
    return good;
}

static bool take_value(struct rest *rest, char type, struct board_osc_value *value)
{
    *value = (struct board_osc_value){.type = type};
    switch (type) {
    case 'T':
    case 'F':
        value->word = type == 'T';
        return true;
    case 'N':
    case 'I':
        return true;
    case 'i':
    case 'f':
    case 'c':
    case 'r':
        value->word = rest->size >= WORD ? word_at(rest->at) : 0;
        return skip(rest, WORD);
    case 'm':
        value->bytes = rest->at;
        value->size = WORD;
        return skip(rest, WORD);
    case 'h':
    case 't':
    case 'd':
        return skip(rest, 2 * WORD);
    case 'S':
    case 's':
        value->type = 's';
        value->bytes = take_text(rest, &value->size);
        return value->bytes != NULL;
    case 'b':
        if (rest->size < WORD) {
            return false;
        }
        value->size = word_at(rest->at);
        value->bytes = rest->at + WORD;
        return value->size <= rest->size && skip(rest, WORD + padded(value->size));
    default:
        return false;
    }
}

static bool read_message(struct rest rest, struct reader *reader)
{
    struct board_osc_message message = {.count = 0};
    size_t size = 0;
    size_t types = 0;
    const uint8_t *address = take_text(&rest, &size);
    if (address == NULL || !is_address(address, size) || ++reader->messages > BOARD_OSC_MESSAGES) {
        return false;
    }
    message.address = (const char *)address;
    /* Old senders leave the types out where there are no arguments. */
    const uint8_t *letters = rest.size > 0 ? take_text(&rest, &types) : NULL;
    if (letters != NULL && (types == 0 || letters[0] != ',')) {
        return false;
    }
    for (size_t i = 1; i < types; i++) {
        if (message.count == BOARD_OSC_ARGUMENTS ||
            !take_value(&rest, (char)letters[i], &message.values[message.count++])) {
            return false;
        }
    }
    if (rest.size != 0) {
        return false;
    }
    if (reader->take != NULL) {
        reader->take(reader->user, &message);
    }
    return true;
}

static bool read_part(struct rest rest, struct reader *reader, unsigned depth)
{
    static const char head[] = "#bundle";
    if (rest.size < BUNDLE_HEAD || memcmp(rest.at, head, sizeof head) != 0) {
        return read_message(rest, reader);
    }
    bool good = depth < BOARD_OSC_DEPTH && skip(&rest, BUNDLE_HEAD);
    while (good && rest.size > 0) {
        const size_t size = rest.size >= WORD ? word_at(rest.at) : SIZE_MAX;
        const struct rest part = {rest.at + WORD, size};
        good = size % WORD == 0 && skip(&rest, WORD) && skip(&rest, size) &&
               read_part(part, reader, depth + 1);
    }
    return good;
}

bool board_osc_read(const uint8_t *bytes, size_t size,
                    void (*take)(void *user, const struct board_osc_message *message), void *user)
{
    const struct rest all = {bytes, size};
    struct reader checks = {.take = NULL};
    struct reader reads = {.take = take, .user = user};
    if (size == 0 || size > BOARD_OSC_PACKET || size % WORD != 0 || !read_part(all, &checks, 0)) {
        return false;
    }
    return take == NULL || read_part(all, &reads, 0);
}

/* ---- writing ---- */

static void put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < WORD; i++) {
        to[i] = (uint8_t)(word >> (24 - 8 * i));
    }
}

/* Bytes with what pads them; at most a word of zeros. */
static size_t put_bytes(uint8_t *to, const void *bytes, size_t size, size_t whole)
{
    memcpy(to, bytes, size);
    memset(to + size, 0, whole - size);
    return whole;
}

static size_t size_of(const struct board_osc_value *value)
{
    switch (value->type) {
    case 's':
        return padded(value->size + 1);
    case 'b':
        return WORD + padded(value->size);
    case 'i':
    case 'f':
    case 'm':
        return WORD;
    default:
        return 0;
    }
}

size_t board_osc_write(uint8_t *to, size_t room, const char *address,
                       const struct board_osc_value *values, size_t count)
{
    const size_t address_size = padded(strlen(address) + 1);
    const size_t types_size = padded(count + 2);
    size_t size = address_size + types_size;
    for (size_t i = 0; i < count; i++) {
        size = values[i].size > room ? SIZE_MAX / 2 : size + size_of(&values[i]);
    }
    if (size > room) {
        return 0;
    }
    size_t at = put_bytes(to, address, strlen(address), address_size);
    memset(to + at, 0, types_size);
    to[at] = ',';
    for (size_t i = 0; i < count; i++) {
        to[at + 1 + i] = (uint8_t)values[i].type;
    }
    at += types_size;
    for (size_t i = 0; i < count; i++) {
        const struct board_osc_value *value = &values[i];
        const size_t whole = size_of(value);
        if (value->type == 'i' || value->type == 'f') {
            put_word(to + at, value->word);
        } else if (value->type == 'b') {
            put_word(to + at, (uint32_t)value->size);
            (void)put_bytes(to + at + WORD, value->bytes, value->size, whole - WORD);
        } else if (whole > 0) {
            (void)put_bytes(to + at, value->bytes, value->size, whole);
        }
        at += whole;
    }
    return at;
}

struct board_osc_value board_osc_int(int32_t number)
{
    return (struct board_osc_value){.type = 'i', .word = (uint32_t)number};
}

struct board_osc_value board_osc_float(uint32_t word)
{
    return (struct board_osc_value){.type = 'f', .word = word};
}

struct board_osc_value board_osc_text(const char *text)
{
    return (struct board_osc_value){
        .type = 's', .bytes = (const uint8_t *)text, .size = strlen(text)};
}

struct board_osc_value board_osc_blob(const uint8_t *bytes, size_t size)
{
    return (struct board_osc_value){.type = 'b', .bytes = bytes, .size = size};
}
