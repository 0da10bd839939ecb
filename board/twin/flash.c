#include "board/twin/flash.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/twin/memory.h"
#include "board/twin/system.h"

enum {
    READY = 0x80,
    ERASE_FAILED = 0x20,   /* also: clearing the locks */
    PROGRAM_FAILED = 0x10, /* also: setting a lock */
    WAS_LOCKED = 0x02,
    MAKER = 0x0089,
    DEVICE = 0x001D,
    LEAST_PROGRAM = 32,
    MOST_PROGRAM = 4 * 1024 * 1024,
};

static const uint32_t compressed = 0x80000000u;

/* Typical times. */
enum {
    MICROSECOND = BOARD_TWIN_CLOCK / 1000000,
    PROGRAM_CYCLES = 210 * MICROSECOND,
    BUFFER_CYCLES = 218 * MICROSECOND,
    LOCK_CYCLES = 64 * MICROSECOND,
    UNLOCK_CYCLES = BOARD_TWIN_CLOCK / 2,
    ERASE_CYCLES = BOARD_TWIN_CLOCK,
};

enum command {
    PROGRAM_AGAIN = 0x10,
    ERASE = 0x20,
    PROGRAM = 0x40,
    CLEAR_STATUS = 0x50,
    LOCK = 0x60,
    LOCK_SET = 0x01,
    READ_STATUS = 0x70,
    READ_IDENTITY = 0x90,
    READ_QUERY = 0x98,
    CONFIRM = 0xD0,
    FILL = 0xE8, /* the buffer: how many, then that many, then CONFIRM */
    READ_ARRAY = 0xFF,
};

/* What the common flash interface says: the halfwords from 0x10 on. */
static const uint8_t query[] = {
    'Q',  'R',  'Y',  0x01, 0x00, 0x31, 0x00, 0x00, 0x00, 0x00, 0x00,       /* Intel's commands */
    0x27, 0x36, 0x00, 0x00, 0x08, 0x08, 0x0A, 0x00, 0x01, 0x01, 0x02, 0x00, /* volts, times */
    0x19, 0x02, 0x00, 0x05, 0x00, 0x01, 0xFF, 0x00, 0x00, 0x02, /* 2^25 bytes, 256 blocks of 512 *
                                                                   256 */
};

bool board_twin_flash_create(struct board_twin_flash *flash)
{
    /* Behind it, an erased block to copy from. */
    *flash = (struct board_twin_flash){
        .inverted = calloc(BOARD_TWIN_FLASH_BYTES + BOARD_TWIN_FLASH_BLOCK, 1)};
    return flash->inverted != NULL;
}

void board_twin_flash_free(struct board_twin_flash *flash)
{
    free(flash->inverted);
    flash->inverted = NULL;
}

void board_twin_flash_put(struct board_twin_flash *flash, uint32_t offset, const void *bytes,
                          size_t size)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size && offset + i < BOARD_TWIN_FLASH_BYTES; i++) {
        flash->inverted[offset + i] = (uint8_t)~from[i];
    }
}

void board_twin_flash_get(const struct board_twin_flash *flash, uint32_t offset, void *bytes,
                          size_t size)
{
    uint8_t *to = bytes;
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)~flash->inverted[offset + i];
    }
}

static uint16_t stored(const struct board_twin_flash *flash, uint32_t place)
{
    const uint8_t *inverted = &flash->inverted[place];
    return (uint16_t) ~(inverted[0] << 8 | inverted[1]);
}

/* Programming makes zeros of ones and nothing else. */
static void program(struct board_twin_flash *flash, uint32_t place, uint16_t value)
{
    flash->inverted[place] |= (uint8_t)(~value >> 8);
    flash->inverted[place + 1] |= (uint8_t)~value;
}

/* ---- reads ---- */

static uint16_t status_at(const struct board_twin_flash *flash, uint64_t now)
{
    return now < flash->busy ? 0 : READY | flash->status;
}

static uint16_t identity(const struct board_twin_flash *flash, uint32_t place)
{
    switch (place % BOARD_TWIN_FLASH_BLOCK / 2) {
    case 0:
        return MAKER;
    case 1:
        return DEVICE;
    case 2:
        return flash->locked[place / BOARD_TWIN_FLASH_BLOCK];
    default:
        return 0;
    }
}

static uint16_t read_half(const struct board_twin_flash *flash, uint64_t now, uint32_t place)
{
    const uint32_t row = place / 2 - 0x10;
    if (now < flash->busy) {
        return 0;
    }
    switch (flash->mode) {
    case BOARD_TWIN_FLASH_STATUS:
        return status_at(flash, now);
    case BOARD_TWIN_FLASH_IDENTITY:
        return identity(flash, place);
    case BOARD_TWIN_FLASH_QUERY:
        return row < sizeof query ? query[row] : 0;
    case BOARD_TWIN_FLASH_EXTENDED:
        return READY;
    case BOARD_TWIN_FLASH_ARRAY:
        break;
    }
    return stored(flash, place);
}

uint32_t board_twin_flash_read(struct board_twin_flash *flash, uint64_t now, uint32_t offset)
{
    const uint32_t place = offset % BOARD_TWIN_FLASH_BYTES & ~3u;
    return (uint32_t)read_half(flash, now, place) << 16 | read_half(flash, now, place + 2);
}

/* ---- writes ---- */

/* The chip is at work for so long, and shows its status. */
static void work(struct board_twin_flash *flash, uint64_t now, uint32_t cycles)
{
    flash->busy = now + cycles;
}

/* Whether the block may change; if not, that is an error of this kind. */
static bool may_change(struct board_twin_flash *flash, uint32_t place, unsigned failure)
{
    const bool locked = flash->locked[place / BOARD_TWIN_FLASH_BLOCK];
    flash->status |= (uint8_t)(locked ? WAS_LOCKED | failure : 0);
    return !locked;
}

/* Programs what stands in the buffer. Where the power goes, the first half of it, or some of its
 * bits, or nothing. */
static void program_buffer(struct board_twin_flash *flash)
{
    const bool stays = board_twin_cut_count(&flash->cut);
    const enum board_twin_cut_kind kind = stays ? BOARD_TWIN_CUT_AFTER : flash->cut.kind;
    const unsigned count = kind == BOARD_TWIN_CUT_BEFORE ? 0
                           : kind == BOARD_TWIN_CUT_HALF ? flash->count / 2
                                                         : flash->count;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t weak = kind == BOARD_TWIN_CUT_GARBAGE ? 0x9E3779B9u * (i + 1) >> 16 : 0;
        program(flash, flash->places[i], (uint16_t)(flash->values[i] | weak));
    }
}

static void refuse_sequence(struct board_twin_flash *flash)
{
    flash->status |= ERASE_FAILED | PROGRAM_FAILED;
}

static void take_buffer(struct board_twin_flash *flash, uint64_t now, uint32_t place,
                        uint16_t value)
{
    if (flash->wanted == 0) {
        /* The count, which is one less than it means. */
        flash->wanted = (unsigned)value + 1;
        flash->count = 0;
        flash->block = place / BOARD_TWIN_FLASH_BLOCK;
        flash->mode = BOARD_TWIN_FLASH_STATUS;
        if (value >= BOARD_TWIN_FLASH_BUFFER) {
            flash->command = 0;
            refuse_sequence(flash);
        }
        return;
    }
    if (flash->count < flash->wanted) {
        flash->places[flash->count] = place;
        flash->values[flash->count++] = value;
        return;
    }
    flash->command = 0;
    bool inside = (value & 0xFF) == CONFIRM;
    for (unsigned i = 0; i < flash->count; i++) {
        inside = inside && flash->places[i] / BOARD_TWIN_FLASH_BLOCK == flash->block;
    }
    if (!inside) {
        refuse_sequence(flash);
    } else if (may_change(flash, flash->block * BOARD_TWIN_FLASH_BLOCK, PROGRAM_FAILED)) {
        program_buffer(flash);
        work(flash, now, BUFFER_CYCLES);
    }
}

static void set_lock(struct board_twin_flash *flash, uint64_t now, uint32_t place, uint16_t value)
{
    if ((value & 0xFF) == LOCK_SET) {
        flash->locked[place / BOARD_TWIN_FLASH_BLOCK] = true;
        work(flash, now, LOCK_CYCLES);
    } else if ((value & 0xFF) == CONFIRM) {
        memset(flash->locked, 0, sizeof flash->locked);
        work(flash, now, UNLOCK_CYCLES);
    } else {
        refuse_sequence(flash);
    }
}

/* The second write of a command. */
static void complete(struct board_twin_flash *flash, uint64_t now, uint32_t place, uint16_t value)
{
    const uint16_t command = flash->command;
    if (command == FILL) {
        take_buffer(flash, now, place, value);
        return;
    }
    flash->command = 0;
    flash->mode = BOARD_TWIN_FLASH_STATUS;
    switch (command) {
    case ERASE:
        if ((value & 0xFF) != CONFIRM) {
            refuse_sequence(flash);
        } else if (may_change(flash, place, ERASE_FAILED)) {
            board_twin_cut_write(&flash->cut,
                                 &flash->inverted[place - place % BOARD_TWIN_FLASH_BLOCK],
                                 &flash->inverted[BOARD_TWIN_FLASH_BYTES], BOARD_TWIN_FLASH_BLOCK);
            work(flash, now, ERASE_CYCLES);
        }
        break;
    case LOCK:
        set_lock(flash, now, place, value);
        break;
    default:
        if (may_change(flash, place, PROGRAM_FAILED)) {
            flash->count = 1;
            flash->places[0] = place;
            flash->values[0] = value;
            program_buffer(flash);
            work(flash, now, PROGRAM_CYCLES);
        }
        break;
    }
}

static void write_half(struct board_twin_flash *flash, uint64_t now, uint32_t place, uint16_t value)
{
    if (now < flash->busy) {
        return;
    }
    if (flash->command != 0) {
        complete(flash, now, place, value);
        return;
    }
    switch (value & 0xFF) {
    case ERASE:
    case PROGRAM:
    case PROGRAM_AGAIN:
    case LOCK:
        flash->command = value & 0xFF;
        flash->mode = BOARD_TWIN_FLASH_STATUS;
        break;
    case FILL:
        flash->command = FILL;
        flash->wanted = 0;
        flash->mode = BOARD_TWIN_FLASH_EXTENDED;
        break;
    case CLEAR_STATUS:
        flash->status = 0;
        break;
    case READ_STATUS:
        flash->mode = BOARD_TWIN_FLASH_STATUS;
        break;
    case READ_IDENTITY:
        flash->mode = BOARD_TWIN_FLASH_IDENTITY;
        break;
    case READ_QUERY:
        flash->mode = BOARD_TWIN_FLASH_QUERY;
        break;
    case READ_ARRAY:
        flash->mode = BOARD_TWIN_FLASH_ARRAY;
        break;
    default:
        break;
    }
}

void board_twin_flash_write(struct board_twin_flash *flash, uint64_t now, uint32_t offset,
                            uint32_t word, uint32_t mask)
{
    const uint32_t place = offset % BOARD_TWIN_FLASH_BYTES & ~3u;
    const bool low = mask == 0x0000FFFFu;
    const bool high = mask == 0xFFFF0000u;
    const uint16_t value = (uint16_t)(high ? word >> 16 : low ? word : 0);
    write_half(flash, now, low ? place + 2 : place, value);
}

/* ---- the boot loader ---- */

bool board_twin_flash_program(const struct board_twin_flash *flash, uint32_t offset, size_t *size,
                              const char **problem)
{
    uint8_t header[BOARD_TWIN_FLASH_HEADER];
    board_twin_flash_get(flash, offset, header, sizeof header);
    const uint32_t length = board_twin_word(header);
    uint32_t crc = BASE_CRC32_START;
    *problem = length == UINT32_MAX         ? "there is no program in the flash memory"
               : (length & compressed) != 0 ? "the program in the flash memory is compressed"
               : length < LEAST_PROGRAM || length > MOST_PROGRAM
                   ? "the boot loader refuses a program of this length"
                   : NULL;
    for (uint32_t i = 0; i < length && *problem == NULL; i++) {
        uint8_t byte;
        board_twin_flash_get(flash, offset + BOARD_TWIN_FLASH_HEADER + i, &byte, 1);
        crc = base_crc32(crc, &byte, 1);
    }
    if (*problem == NULL && crc != board_twin_word(header + 4)) {
        *problem = "the checksum of the program in the flash memory is wrong";
    }
    *size = length;
    return *problem == NULL;
}
