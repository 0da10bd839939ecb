#include "app/milkymist_one/test_picture.h"

#include <stddef.h>

enum { COLUMN_STEP = 4, COLUMN_WIDTH = 4 };

static uint16_t bar(uint32_t x, uint32_t width)
{
    static const uint16_t bars[8] = {0xFFFF, 0xFFE0, 0x07FF, 0x07E0,
                                     0xF81F, 0xF800, 0x001F, 0x0000};
    return bars[x * 8 / width];
}

static uint16_t ramp(uint32_t x, uint32_t width, uint32_t component)
{
    switch (component) {
    case 0:
        return (uint16_t)(x * 32 / width << 11);
    case 1:
        return (uint16_t)(x * 64 / width << 5);
    default:
        return (uint16_t)(x * 32 / width);
    }
}

void board_test_picture(uint16_t *pixels, uint32_t width, uint32_t height, uint32_t number)
{
    const uint32_t bars_height = height - 3 * (height / 8);
    const uint32_t column = number % width * COLUMN_STEP % width;
    for (uint32_t y = 0; y < height; y++) {
        uint16_t *row = pixels + (size_t)y * width;
        for (uint32_t x = 0; x < width; x++) {
            row[x] =
                y < bars_height ? bar(x, width) : ramp(x, width, (y - bars_height) / (height / 8));
        }
        for (uint32_t x = column; x < column + COLUMN_WIDTH && x < width; x++) {
            row[x] = 0xFFFF;
        }
    }
}
