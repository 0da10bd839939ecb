/* The lines of `froth render --hash` for pictures as bytes: raw_hashes WIDTHxHEIGHT < RGBX */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "froth.h"

int main(int argc, char **argv)
{
    int width = 0;
    int height = 0;
    if (argc != 2 || sscanf(argv[1], "%dx%d", &width, &height) != 2 || width < 1 || height < 1) {
        return 2;
    }
    const size_t stride = (size_t)width * froth_format_bytes(FROTH_RGBX);
    const size_t size = stride * (size_t)height;
    unsigned char *pixels = malloc(size);
    const struct froth_picture picture = {pixels, stride, width, height, FROTH_RGBX};
    for (int frame = 1; pixels != NULL && fread(pixels, 1, size, stdin) == size; frame++) {
        printf("frame %d %016" PRIx64 "\n", frame, froth_picture_hash(&picture));
    }
    free(pixels);
    return 0;
}
