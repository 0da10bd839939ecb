#include "board/firmware/patches.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "board/firmware/cpu.h"
#include "board/picture/picture.h"
#include "board/firmware/trap.h"
#include "presets/presets.h"

enum {
    COMMAND_OUT = 1, /* bits of enable and pending */
    COMMAND_IN = 2,
    DATA_IN = 8,
    START_COMMAND_IN = 1,
    START_DATA_IN = 2,
    SLOW = 250, /* dividers: below 400 kHz until the card is ready */
    FAST = 3,
    COMMAND = 6,
    ANSWER = 6,
    LONG_ANSWER = 17,
    IDLE = 0xFF, /* a byte that says nothing */
    BLOCK = 512,
    WORDS = BLOCK / 4 + 2,    /* with the checksums */
    READS = 3,                /* of a block whose checksums are wrong */
    PATIENCE = 800000,        /* cycles until an answer, 10 ms */
    DATA_PATIENCE = 16000000, /* until data, 200 ms */
    TRIES = 1000,             /* of making it ready, a millisecond each */
    POWER_UP = 1000,          /* microseconds of clocks, 74 at least, before the first command */
};

enum {
    GO_IDLE = 0,
    ALL_SEND_CID = 2,
    SEND_ADDRESS = 3,
    SET_BUS_WIDTH = 6, /* behind APPLICATION */
    SELECT = 7,
    SEND_IF_COND = 8,
    SEND_STATUS = 13,
    READ_BLOCK = 17,
    SEND_OP_COND = 41, /* behind APPLICATION */
    APPLICATION = 55,
};

#define VOLTAGES      0x00300000u
#define HIGH_CAPACITY 0x40000000u
#define POWERED_UP    0x80000000u
#define READ_ERRORS   0xE0380000u /* of a status: address, length, correction, controller */

static bool wait_for(uint32_t bit, bool set, uint32_t patience)
{
    const uint32_t begin = board_cycles();
    while (((board_read(BOARD_CSR_card_pending) & bit) != 0) != set) {
        if (board_cycles() - begin > patience) {
            return false;
        }
    }
    return true;
}

static void send_byte(uint32_t byte)
{
    board_write(BOARD_CSR_card_command, byte);
    (void)wait_for(COMMAND_OUT, false, PATIENCE);
}

/* A card hears a command only eight clocks after what was before: one byte that says nothing. What
 * still waits from then is cleared while the clock stands, since a word that is left over would
 * come first in the next block, and count as one of it. */
static void send(uint32_t command, uint32_t argument)
{
    uint8_t bytes[COMMAND] = {(uint8_t)(0x40 | command), (uint8_t)(argument >> 24),
                              (uint8_t)(argument >> 16), (uint8_t)(argument >> 8),
                              (uint8_t)argument};
    unsigned sum = 0;
    for (size_t i = 0; i < COMMAND - 1; i++) {
        for (unsigned bit = 8; bit-- > 0;) {
            const unsigned top = (sum >> 6 ^ bytes[i] >> bit) & 1;
            sum = (sum << 1 & 0x7F) ^ (top != 0 ? 0x09u : 0);
        }
    }
    bytes[COMMAND - 1] = (uint8_t)(sum << 1 | 1);
    board_write(BOARD_CSR_card_enable, COMMAND_OUT);
    board_write(BOARD_CSR_card_pending, COMMAND_IN | DATA_IN);
    send_byte(IDLE);
    for (size_t i = 0; i < COMMAND; i++) {
        send_byte(bytes[i]);
    }
}

/* The clock waits for software from now on whenever something has come. */
static void listen(uint32_t inputs, uint32_t starts)
{
    board_write(BOARD_CSR_card_pending, COMMAND_IN | DATA_IN);
    board_write(BOARD_CSR_card_start, starts);
    board_write(BOARD_CSR_card_enable, inputs);
}

/* The argument of a short answer goes to *value. False: no answer. */
static bool ask(uint32_t command, uint32_t argument, size_t size, uint32_t *value)
{
    uint32_t word = 0;
    send(command, argument);
    listen(COMMAND_IN, START_COMMAND_IN);
    for (size_t i = 0; i < size; i++) {
        if (!wait_for(COMMAND_IN, true, PATIENCE)) {
            return false;
        }
        const uint32_t byte = board_read(BOARD_CSR_card_command) & UINT8_MAX;
        board_write(BOARD_CSR_card_pending, COMMAND_IN);
        word = i >= 1 && i <= 4 ? word << 8 | byte : word;
    }
    *value = word;
    return true;
}

static bool ask_application(uint32_t address, uint32_t command, uint32_t argument, uint32_t *value)
{
    return ask(APPLICATION, address << 16, ANSWER, value) && ask(command, argument, ANSWER, value);
}

static bool make_ready(struct board_card *card)
{
    uint32_t value = 0;
    send(GO_IDLE, 0);
    (void)ask(SEND_IF_COND, 0x1AA, ANSWER, &value);
    value = 0;
    for (uint32_t i = 0; i < TRIES && (value & POWERED_UP) == 0; i++) {
        if (!ask_application(0, SEND_OP_COND, VOLTAGES | HIGH_CAPACITY, &value)) {
            return false;
        }
        if ((value & POWERED_UP) == 0) {
            board_wait(1000);
        }
    }
    card->by_blocks = (value & HIGH_CAPACITY) != 0;
    if ((value & POWERED_UP) == 0 || !ask(ALL_SEND_CID, 0, LONG_ANSWER, &value) ||
        !ask(SEND_ADDRESS, 0, ANSWER, &value)) {
        return false;
    }
    card->address = value >> 16;
    return ask(SELECT, card->address << 16, ANSWER, &value) &&
           ask_application(card->address, SET_BUS_WIDTH, 2, &value);
}

void board_card_begin(struct board_card *card)
{
    *card = (struct board_card){.there = false};
    board_write(BOARD_CSR_card_enable, 0);
    board_write(BOARD_CSR_card_divider, SLOW);
    board_wait(POWER_UP);
    card->there = make_ready(card);
    board_write(BOARD_CSR_card_enable, 0);
    board_write(BOARD_CSR_card_divider, FAST);
}

bool board_card_stays(struct board_card *card)
{
    uint32_t value = 0;
    card->there = card->there && ask(SEND_STATUS, card->address << 16, ANSWER, &value);
    board_write(BOARD_CSR_card_enable, 0);
    return card->there;
}

/* The checksums of the four data lines, in turns: 16 groups of four bits, the highest first. */
struct checksums {
    uint32_t high;
    uint32_t low;
};

/* With the eight groups of a word more, polynomial x^16 + x^12 + x^5 + 1; 0 behind the checksums
 * themselves, if they are right. */
static void sum_up(struct checksums *sums, uint32_t word)
{
    uint32_t high = sums->high;
    uint32_t low = sums->low;
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t group = (high ^ word) >> 28;
        high = (high << 4 | low >> 28) ^ group << 16;
        low = low << 4 ^ (group << 20 | group);
        word <<= 4;
    }
    *sums = (struct checksums){high, low};
}

enum reading { READ, READ_WRONG, READ_REFUSED, READ_NOTHING };

/* Data may begin before the answer is over, so both are served as they come. The core takes ones
 * for bytes behind the answer: it must not listen for them then, or the clock stands. */
static enum reading read_block(const struct board_card *card, uint32_t block, uint8_t *bytes)
{
    struct checksums sums = {0, 0};
    uint32_t value = 0;
    size_t answers = 0;
    size_t words = 0;
    send(READ_BLOCK, card->by_blocks ? block : block * BLOCK);
    listen(COMMAND_IN | DATA_IN, START_COMMAND_IN | START_DATA_IN);
    while (words <= WORDS && (answers < ANSWER || words < WORDS)) {
        const uint32_t inputs = (answers < ANSWER ? COMMAND_IN : 0) | DATA_IN;
        if (!wait_for(inputs, true, answers < ANSWER ? PATIENCE : DATA_PATIENCE)) {
            return READ_NOTHING;
        }
        const uint32_t pending = board_read(BOARD_CSR_card_pending);
        if (answers < ANSWER && (pending & COMMAND_IN) != 0) {
            const uint32_t byte = board_read(BOARD_CSR_card_command) & UINT8_MAX;
            value = answers >= 1 && answers <= 4 ? value << 8 | byte : value;
            if (++answers == ANSWER) {
                board_write(BOARD_CSR_card_enable, DATA_IN);
            }
            board_write(BOARD_CSR_card_pending, COMMAND_IN);
            if (answers == ANSWER && (value & READ_ERRORS) != 0) {
                return READ_REFUSED;
            }
        }
        if ((pending & DATA_IN) != 0) {
            const uint32_t word = board_read(BOARD_CSR_card_data);
            board_write(BOARD_CSR_card_pending, DATA_IN);
            sum_up(&sums, word);
            for (size_t k = 0; k < 4 && words < BLOCK / 4; k++) {
                bytes[4 * words + k] = (uint8_t)(word >> (24 - 8 * k));
            }
            words++;
        }
    }
    return words == WORDS && (sums.high | sums.low) == 0 ? READ : READ_WRONG;
}

/* A card that says what is wrong is there; one that says nothing is not. */
int board_card_read(void *user, uint32_t block, uint8_t *bytes)
{
    struct board_card *card = user;
    enum reading reading = READ_WRONG;
    if (!card->there || (!card->by_blocks && block > UINT32_MAX / BLOCK)) {
        return -1;
    }
    for (unsigned i = 0; i < READS && reading == READ_WRONG; i++) {
        reading = read_block(card, block, bytes);
    }
    card->there = reading == READ || reading == READ_REFUSED;
    board_write(BOARD_CSR_card_enable, 0);
    return reading == READ ? 0 : -1;
}

/* ---- names ---- */

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool begins(const char *name, const char *text)
{
    while (*text != '\0' && small(*name) == small(*text)) {
        name++;
        text++;
    }
    return *text == '\0';
}

static bool is_patch(const struct board_fat_entry *entry)
{
    static const char *const endings[] = {".milk", ".mil", ".fnp"};
    const size_t size = strlen(entry->name);
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t length = strlen(endings[i]);
        is = is || (size > length && begins(entry->name + size - length, endings[i]));
    }
    return is && !entry->folder && entry->size > 0;
}

void board_patches_begin(struct board_patches *patches)
{
    patches->has_common = board_common_init(&patches->common);
}

void board_patches_look(struct board_patches *patches)
{
    patches->file_count = 0;
    patches->more = false;
    board_card_begin(&patches->card);
    if (!patches->card.there) {
        patches->found = BOARD_PATCHES_NO_CARD;
        return;
    }
    const bool any = board_fat_open(&patches->fat, board_card_read, &patches->card) == 0;
    if (any) {
        struct board_fat_folder folder;
        struct board_fat_entry entry;
        board_fat_begin(&patches->fat, &folder, BOARD_FAT_ROOT);
        while (!patches->more && board_fat_next(&folder, &entry)) {
            if (!is_patch(&entry)) {
                continue;
            }
            patches->more = patches->file_count == BOARD_PATCHES_FILES;
            if (!patches->more) {
                patches->files[patches->file_count++] = entry;
            }
        }
    }
    patches->found = !patches->card.there ? BOARD_PATCHES_UNREADABLE
                     : any                ? BOARD_PATCHES_LISTED
                                          : BOARD_PATCHES_NO_FILE_SYSTEM;
}

int32_t board_patches_count(const struct board_patches *patches)
{
    return (int32_t)(board_patch_texts_count + patches->file_count);
}

const char *board_patches_name(const struct board_patches *patches, int32_t number)
{
    const size_t row = (size_t)number;
    return row < board_patch_texts_count ? board_patch_texts[row].name
                                         : patches->files[row - board_patch_texts_count].name;
}

/* ---- pictures ---- */

/* The file of the root folder whose name is the same but for large and small letters. */
static bool find_file(struct board_patches *patches, const char *name,
                      struct board_fat_entry *entry)
{
    struct board_fat_folder folder;
    if (patches->found != BOARD_PATCHES_LISTED || !patches->card.there) {
        return false;
    }
    board_fat_begin(&patches->fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, entry)) {
        if (!entry->folder && begins(entry->name, name) && begins(name, entry->name)) {
            return true;
        }
    }
    return false;
}

static enum board_picture_outcome fetch(void *user, const char *name, uint8_t *pixels, size_t room,
                                        struct board_picture_extent *extent)
{
    struct board_patches *patches = user;
    struct board_fat_entry file;
    if (!find_file(patches, name, &file)) {
        return BOARD_PICTURE_NOT_THERE;
    }
    if (file.size > BOARD_PICTURE_FILE_MAX) {
        return BOARD_PICTURE_LONG;
    }
    enum board_picture_outcome outcome = BOARD_PICTURE_NO_MEMORY;
    uint8_t *data = malloc(file.size > 0 ? file.size : 1);
    if (data != NULL) {
        outcome = board_fat_load(&patches->fat, &file, data, file.size) == 0
                      ? board_picture_decode(data, file.size, pixels, room, extent)
                      : BOARD_PICTURE_UNREADABLE;
    }
    free(data);
    return outcome;
}

static void load_pictures(struct board_patches *patches, struct board_loaded *loaded,
                          const char *name, const struct base_diag_sink *sink)
{
    const struct board_picture_files files = {patches, fetch};
    patches->second = !patches->second;
    board_pictures_load(&loaded->patch, &files, patches->memory,
                        BOARD_FREE_AT + (patches->second ? BOARD_PICTURES_BYTES : 0), name, sink);
    /* The texture mapper reads past the caches. */
    board_memory_cache_flush();
}

/* ---- patches ---- */

struct board_loaded *board_patches_compile(struct board_patches *patches, const char *name,
                                           const char *text, size_t size, uint32_t fps,
                                           const struct base_diag_sink *sink)
{
    struct preset preset;
    if (preset_read(&preset, name, text, size, sink) != 0) {
        return NULL;
    }
    struct board_loaded *loaded = board_patch_schedule(
        patches->has_common ? &patches->common : NULL, &preset,
        patches->schedules ? patches->scheduler : PFPU_BOARD_QUICK, fps, 0, sink);
    preset_free(&preset);
    if (loaded != NULL) {
        load_pictures(patches, loaded, name, sink);
    }
    return loaded;
}

struct board_loaded *board_patches_load(struct board_patches *patches, int32_t number, uint32_t fps,
                                        const struct base_diag_sink *sink)
{
    const size_t row = (size_t)number;
    if (row >= board_patch_texts_count) {
        const struct board_fat_entry *file = &patches->files[row - board_patch_texts_count];
        const struct base_place place = {.file = file->name};
        struct board_loaded *loaded = NULL;
        if (file->size > PRESET_FILE_MAX) {
            base_report(sink, BASE_ERROR, place, NULL,
                        "%u bytes are too many; a patch has at most %u", (unsigned)file->size,
                        (unsigned)PRESET_FILE_MAX);
            return NULL;
        }
        char *content = malloc(file->size);
        if (content == NULL || board_fat_load(&patches->fat, file, content, file->size) != 0) {
            base_report(sink, BASE_ERROR, place, NULL, "cannot be read from the memory card");
        } else {
            loaded = board_patches_compile(patches, file->name, content, file->size, fps, sink);
        }
        free(content);
        return loaded;
    }
    const struct board_patch_text *text = &board_patch_texts[row];
    return board_patches_compile(patches, text->name, text->text, strlen(text->text), fps, sink);
}

int32_t board_patches_find(const struct board_patches *patches, const char *text)
{
    const int32_t count = board_patches_count(patches);
    for (int32_t i = 0; i < count; i++) {
        const char *name = board_patches_name(patches, i);
        while (*name != '\0' && !begins(name, text)) {
            name++;
        }
        if (*name != '\0') {
            return i;
        }
    }
    return -1;
}
