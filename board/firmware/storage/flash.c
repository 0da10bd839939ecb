#include "board/firmware/storage/flash.h"

#include <string.h>

#include "board/firmware/trap.h"

/* Past every cache. */
#define FLASH_BASE 0x80000000u

enum {
    ERASE = 0x20,
    CLEAR_STATUS = 0x50,
    READ_STATUS = 0x70,
    CONFIRM = 0xD0,
    FILL = 0xE8, /* the buffer: how many less one, then that many, then CONFIRM */
    READ_ARRAY = 0xFF,
    READY = 0x80, /* of the status */
    WAS_LOCKED = 0x02,
    ERRORS = 0x3A,
    ERASE_SECONDS = 5,
    PROGRAM_PATIENCE = 800000, /* cycles, 10 ms */
    CLOCK = 80000000,
};

static volatile uint16_t *half_at(uint32_t offset)
{
    return (volatile uint16_t *)(FLASH_BASE + offset);
}

/* Tasks may take the processor away for longer than the patience: what counts is a look behind the
 * time that is up. */
static bool wait_until_ready(uint32_t offset, uint32_t patience)
{
    const uint32_t begin = board_cycles();
    uint32_t waited = 0;
    do {
        waited = board_cycles() - begin;
        if ((*half_at(offset) & READY) != 0) {
            return true;
        }
    } while (waited <= patience);
    return false;
}

/* What the status says of a command that has ended; the memory can be read again then. */
static enum board_flash_result end_command(uint32_t offset, bool ended)
{
    *half_at(offset) = READ_STATUS;
    const uint16_t status = *half_at(offset);
    *half_at(offset) = CLEAR_STATUS;
    *half_at(offset) = READ_ARRAY;
    return ended && (status & ERRORS) == 0 ? BOARD_FLASH_DONE
           : (status & WAS_LOCKED) != 0    ? BOARD_FLASH_LOCKED
                                           : BOARD_FLASH_FAILED;
}

enum board_flash_result board_flash_erase(uint32_t offset)
{
    *half_at(offset) = CLEAR_STATUS;
    *half_at(offset) = ERASE;
    *half_at(offset) = CONFIRM;
    return end_command(offset, wait_until_ready(offset, (uint32_t)ERASE_SECONDS * CLOCK));
}

static bool program_buffer(uint32_t offset, const uint8_t *bytes)
{
    *half_at(offset) = FILL;
    if (!wait_until_ready(offset, PROGRAM_PATIENCE)) {
        return false;
    }
    *half_at(offset) = BOARD_FLASH_BUFFER / 2 - 1;
    for (uint32_t i = 0; i < BOARD_FLASH_BUFFER; i += 2) {
        *half_at(offset + i) = (uint16_t)(bytes[i] << 8 | bytes[i + 1]);
    }
    *half_at(offset) = CONFIRM;
    return wait_until_ready(offset, PROGRAM_PATIENCE);
}

enum board_flash_result board_flash_program(uint32_t offset, const uint8_t *bytes, size_t size)
{
    bool good = true;
    *half_at(offset) = CLEAR_STATUS;
    for (uint32_t at = 0; at < size && good; at += BOARD_FLASH_BUFFER) {
        good = program_buffer(offset + at, bytes + at);
    }
    return end_command(offset, good);
}

bool board_flash_equals(uint32_t offset, const uint8_t *bytes, size_t size)
{
    bool equal = true;
    for (uint32_t at = 0; at < size && equal; at += 2) {
        equal = *half_at(offset + at) == (uint16_t)(bytes[at] << 8 | bytes[at + 1]);
    }
    return equal;
}
