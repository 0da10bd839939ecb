/* Whatever bytes come in as a picture: they are refused with one message, or give pixels that can
 * all be read, halved as often as the last three bits of their number say. */
#include <stdlib.h>

#include "app/io/picture.h"
#include "base/random.h"
#include "in_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct rend_picture picture = {0};
    struct rend_extent extent;
    const char *path = fuzz_in_file(data, size);
    const int halvings = (int)(size & REND_HALVINGS_MAX);
    if (app_picture_measure(path, &extent, NULL, &sink) != 0 ||
        app_picture_read(path, halvings, REND_MEMORY, &picture, NULL, &sink) != 0) {
        if (messages.count != 1) {
            abort();
        }
        return 0;
    }
    if (picture.pixels == NULL || picture.width < 1 || picture.height < 1 ||
        picture.width > SHADER_SIZE_MAX || picture.height > SHADER_SIZE_MAX) {
        abort();
    }
    const size_t pixels = (size_t)picture.width * (size_t)picture.height;
    (void)base_hash(BASE_HASH_START, picture.pixels, pixels * sizeof *picture.pixels);
    free(picture.pixels);
    return 0;
}
