#include "board/storage/image.h"

#include <string.h>

#include "base/random.h"

enum { SEARCHED = 4096 /* bytes, in which the seal begins */ };

static uint32_t get32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Where the seal stands; `size` if there is none. */
static size_t find_seal(const uint8_t *bytes, size_t size)
{
    const size_t length = sizeof(struct board_image_seal);
    for (size_t at = 0; at < SEARCHED && at + length <= size; at += 4) {
        if (memcmp(bytes + at, BOARD_IMAGE_MAGIC, strlen(BOARD_IMAGE_MAGIC)) == 0) {
            return at;
        }
    }
    return size;
}

bool board_image_check(const uint8_t *bytes, size_t size, const char **version,
                       const char **problem)
{
    const uint8_t zeros[4] = {0};
    const size_t at = find_seal(bytes, size);
    *problem = size < BOARD_IMAGE_LEAST || size > BOARD_IMAGE_MOST
                   ? "a program has 32 bytes to 4 MiB"
               : at == size ? "it is no program of froth for this board"
                            : NULL;
    if (*problem != NULL) {
        return false;
    }
    const uint8_t *length = bytes + at + offsetof(struct board_image_seal, length);
    const uint8_t *sum = bytes + at + offsetof(struct board_image_seal, sum);
    const size_t before = (size_t)(sum - bytes);
    uint32_t crc = base_crc32(BASE_CRC32_START, bytes, before);
    crc = base_crc32(crc, zeros, sizeof zeros);
    crc = base_crc32(crc, sum + sizeof zeros, size - before - sizeof zeros);
    *version = (const char *)bytes + at + offsetof(struct board_image_seal, version);
    *problem = get32(length) != size ? "it is not whole"
               : crc != get32(sum) || (*version)[BOARD_IMAGE_VERSION - 1] != '\0'
                   ? "its checksum is wrong"
                   : NULL;
    return *problem == NULL;
}
