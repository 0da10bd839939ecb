#include "app/tmu_case.h"
#include "base/crc32.h"

enum {
    LEAST = 32,
    ADDRESSES = 1 << 27,
    TARGET_X = 777, /* where the target's first picture is cut out */
    TARGET_Y = 333,
    PIXEL_BYTES = 2
};

uint32_t app_tmu_memory_size(const struct tmu_chip_registers *registers)
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

static uint8_t *pixel_of(const struct tmu_chip_memory *memory, int32_t base, int32_t pitch,
                         uint32_t x, uint32_t y)
{
    const uint32_t address = ((uint32_t)base & ~1u) + PIXEL_BYTES * ((uint32_t)pitch * y + x);
    return &memory->bytes[address & (memory->size - 1)];
}

static void fill(const struct tmu_chip_memory *memory, int32_t base, int32_t width, int32_t height,
                 uint32_t from_x, uint32_t from_y)
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

void app_tmu_fill(const struct tmu_chip_registers *registers, const struct tmu_chip_memory *memory)
{
    fill(memory, registers->texfbuf, registers->texhres, registers->texvres, 0, 0);
    fill(memory, registers->dstfbuf, registers->dsthres, registers->dstvres, TARGET_X, TARGET_Y);
}

uint32_t app_tmu_row_crc(const struct tmu_chip_registers *registers,
                         const struct tmu_chip_memory *memory, uint32_t y, uint32_t crc)
{
    for (uint32_t x = 0; x < (uint32_t)registers->dsthres; x++) {
        crc = base_crc32(crc, pixel_of(memory, registers->dstfbuf, registers->dsthres, x, y),
                         PIXEL_BYTES);
    }
    return crc;
}

uint16_t app_tmu_pixel(const struct tmu_chip_registers *registers,
                       const struct tmu_chip_memory *memory, uint32_t x, uint32_t y)
{
    const uint8_t *pixel = pixel_of(memory, registers->dstfbuf, registers->dsthres, x, y);
    return (uint16_t)(pixel[0] << 8 | pixel[1]);
}
