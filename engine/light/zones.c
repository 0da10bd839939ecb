#include "engine/light/zones.h"

#include <string.h>

#include "base/fmath.h"

void engine_zones_curve(struct engine_zones_curve *curve)
{
    for (int i = 0; i < 256; i++) {
        const double value = i / 255.0;
        const double linear =
            value <= 0.04045 ? value / 12.92 : base_pow((value + 0.055) / 1.055, 2.4);
        curve->linear[i] = (uint16_t)(linear * 65535.0 + 0.5);
    }
}

/* The pixels of part i of `count` parts between two edges. */
struct part {
    int from;
    int to;
};

static struct part part_of(uint32_t low, uint32_t high, uint32_t i, uint32_t count, int size)
{
    const uint64_t whole = (uint64_t)ENGINE_ZONES_WHOLE * count;
    const uint64_t start = (uint64_t)low * count + (uint64_t)(high - low) * i;
    const uint64_t end = start + (high - low);
    struct part part = {(int)(start * (uint64_t)size / whole), (int)(end * (uint64_t)size / whole)};
    part.from = part.from < size ? part.from : size - 1;
    part.to = part.to > part.from ? part.to : part.from + 1;
    return part;
}

static struct engine_light mean(const struct engine_zones_curve *curve, const uint32_t *pixels,
                                size_t stride, struct part x, struct part y)
{
    const uint64_t count = (uint64_t)(x.to - x.from) * (uint64_t)(y.to - y.from);
    uint64_t sums[3] = {0};
    for (int row = y.from; row < y.to; row++) {
        const uint32_t *line = pixels + (size_t)row * stride;
        uint32_t red = 0; /* of up to 16384 pixels of 16 bits */
        uint32_t green = 0;
        uint32_t blue = 0;
        for (int i = x.from; i < x.to; i++) {
            red += curve->linear[line[i] >> 16 & 0xff];
            green += curve->linear[line[i] >> 8 & 0xff];
            blue += curve->linear[line[i] & 0xff];
        }
        sums[0] += red;
        sums[1] += green;
        sums[2] += blue;
    }
    struct engine_light light;
    for (int i = 0; i < 3; i++) {
        light.rgb[i] = (uint16_t)((sums[i] + count / 2) / count);
    }
    return light;
}

void engine_zones_average(const struct engine_zone *zone, const struct engine_zones_curve *curve,
                          const uint32_t *pixels, size_t stride, int width, int height,
                          struct engine_light *cells)
{
    for (uint32_t row = 0; row < zone->rows; row++) {
        const struct part y = part_of(zone->top, zone->bottom, row, zone->rows, height);
        for (uint32_t column = 0; column < zone->columns; column++) {
            const struct part x = part_of(zone->left, zone->right, column, zone->columns, width);
            *cells++ = mean(curve, pixels, stride, x, y);
        }
    }
}

/* What a letter stands for. */
enum meaning { RED, GREEN, BLUE, WHITE, DIMMER, FULL, OFF, MEANINGS };

static const struct letter {
    char letter;
    enum meaning meaning;
    size_t channels;
} letters_known[] = {
    {'r', RED, 1},  {'g', GREEN, 1}, {'b', BLUE, 1},   {'w', WHITE, 1},
    {'R', RED, 2},  {'G', GREEN, 2}, {'B', BLUE, 2},   {'W', WHITE, 2},
    {'f', FULL, 1}, {'0', OFF, 1},   {'d', DIMMER, 1}, {'D', DIMMER, 2},
};

static const struct letter *letter_of(char letter)
{
    for (size_t i = 0; i < sizeof letters_known / sizeof *letters_known; i++) {
        if (letters_known[i].letter == letter) {
            return &letters_known[i];
        }
    }
    return NULL;
}

size_t engine_zones_order(const char *letters)
{
    size_t channels = 0;
    const size_t length = strlen(letters);
    for (size_t i = 0; i < length; i++) {
        const struct letter *letter = letter_of(letters[i]);
        if (letter == NULL) {
            return 0;
        }
        channels += letter->channels;
    }
    return length <= ENGINE_ZONES_ORDER ? channels : 0;
}

void engine_zones_fixture(uint8_t *channels, const char *letters, const struct engine_light *light,
                          uint32_t dim)
{
    uint32_t values[MEANINGS] = {light->rgb[0], light->rgb[1], light->rgb[2]};
    /* Weights of Rec. 709 in parts of 65536. */
    const uint64_t bright = 13933 * (uint64_t)values[RED] + 46871 * (uint64_t)values[GREEN] +
                            4732 * (uint64_t)values[BLUE];
    values[DIMMER] = (uint32_t)((bright + 32768) >> 16);
    if (strpbrk(letters, "wW") != NULL) {
        uint32_t white = values[RED] < values[GREEN] ? values[RED] : values[GREEN];
        white = white < values[BLUE] ? white : values[BLUE];
        values[WHITE] = white;
        values[RED] -= white;
        values[GREEN] -= white;
        values[BLUE] -= white;
    }
    for (int i = 0; i < MEANINGS; i++) {
        values[i] = (uint32_t)(((uint64_t)values[i] * dim + 32768) >> 16);
    }
    values[FULL] = 65535;
    values[OFF] = 0;
    for (; *letters != '\0'; letters++) {
        const struct letter *letter = letter_of(*letters);
        if (letter == NULL) {
            continue;
        }
        const uint32_t value = values[letter->meaning];
        if (letter->channels == 2) {
            *channels++ = (uint8_t)(value >> 8);
            *channels++ = (uint8_t)value;
        } else {
            *channels++ = (uint8_t)((value * 255 + 32767) / 65535);
        }
    }
}
