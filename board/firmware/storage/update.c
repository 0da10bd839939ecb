#include "board/firmware/storage/update.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/firmware/storage/flash.h"
#include "board/storage/image.h"

enum { PROGRAM_AT = 0x920000, HEADER = 8 };

static void put32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static bool refuse(const struct base_diag_sink *sink, const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = BOARD_UPDATE_FILE}, NULL, "%s", what);
    return false;
}

/* A block but for its first `spared` bytes. */
static enum board_flash_result write_block(uint32_t offset, const uint8_t *bytes, size_t size,
                                           size_t spared)
{
    enum board_flash_result result = board_flash_erase(offset);
    for (size_t at = spared; at < size && result == BOARD_FLASH_DONE; at += BOARD_FLASH_BUFFER) {
        result = board_flash_program(offset + (uint32_t)at, bytes + at, BOARD_FLASH_BUFFER);
    }
    return result;
}

/* The last block comes first, and the first buffer of all, with length and checksum, last. */
static enum board_flash_result write_all(const uint8_t *bytes, size_t size,
                                         void (*tell)(void *user, uint32_t percent), void *user)
{
    const uint32_t count = (uint32_t)((size + BOARD_FLASH_BLOCK - 1) / BOARD_FLASH_BLOCK);
    bool first = false; /* it was erased */
    for (uint32_t number = count; number-- > 0;) {
        const size_t begin = (size_t)number * BOARD_FLASH_BLOCK;
        const size_t left = size - begin;
        const size_t length = left < BOARD_FLASH_BLOCK ? left : BOARD_FLASH_BLOCK;
        const uint32_t offset = PROGRAM_AT + (uint32_t)begin;
        const size_t spared = number == 0 ? BOARD_FLASH_BUFFER : 0;
        tell(user, (count - 1 - number) * 100 / count);
        if (board_flash_equals(offset, bytes + begin, length)) {
            continue;
        }
        const enum board_flash_result result = write_block(offset, bytes + begin, length, spared);
        if (result != BOARD_FLASH_DONE) {
            return result;
        }
        if (!board_flash_equals(offset + (uint32_t)spared, bytes + begin + spared,
                                length - spared)) {
            return BOARD_FLASH_FAILED;
        }
        first = number == 0;
    }
    const enum board_flash_result result =
        first ? board_flash_program(PROGRAM_AT, bytes, BOARD_FLASH_BUFFER) : BOARD_FLASH_DONE;
    return result == BOARD_FLASH_DONE && !board_flash_equals(PROGRAM_AT, bytes, size)
               ? BOARD_FLASH_FAILED
               : result;
}

static bool write_program(const uint8_t *program, size_t size,
                          void (*tell)(void *user, uint32_t percent), void *user,
                          const struct base_diag_sink *sink)
{
    const size_t room =
        (HEADER + size + BOARD_FLASH_BUFFER - 1) / BOARD_FLASH_BUFFER * BOARD_FLASH_BUFFER;
    uint8_t *bytes = malloc(room);
    if (bytes == NULL) {
        return refuse(sink, "not enough memory");
    }
    memset(bytes, 0xFF, room);
    put32(bytes, (uint32_t)size);
    put32(bytes + 4, base_crc32(BASE_CRC32_START, program, size));
    memcpy(bytes + HEADER, program, size);
    const enum board_flash_result result = write_all(bytes, room, tell, user);
    free(bytes);
    return result == BOARD_FLASH_DONE ||
           refuse(sink, result == BOARD_FLASH_LOCKED ? "the flash memory is locked"
                                                     : "the flash memory does not take it");
}

bool board_update(struct board_patches *patches, void (*tell)(void *user, uint32_t percent),
                  void *user, const struct base_diag_sink *sink)
{
    char *data;
    size_t size = 0;
    const char *version;
    const char *problem;
    if (!board_patches_read(patches, BOARD_UPDATE_FILE, BOARD_IMAGE_MOST, &data, &size, sink)) {
        return false;
    }
    if (data == NULL) {
        return refuse(sink, "it is not on the memory card");
    }
    const bool good = board_image_check((const uint8_t *)data, size, &version, &problem);
    const bool written =
        good ? write_program((const uint8_t *)data, size, tell, user, sink) : refuse(sink, problem);
    free(data);
    return written;
}
