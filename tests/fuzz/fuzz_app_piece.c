/* What stands beside a piece of a film is of a film, or refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/render/piece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct app_piece piece = {.count = 0};
    char *text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (app_piece_parse(&piece, text, size) &&
        (piece.count == 0 || piece.first + piece.count > piece.total ||
         engine_rate_value(piece.rate) <= 0 || memchr(piece.sound, '\n', sizeof piece.sound))) {
        abort();
    }
    app_piece_free(&piece);
    free(text);
    return 0;
}
