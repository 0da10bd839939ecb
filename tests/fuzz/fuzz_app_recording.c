/* Recorded light ends, whatever it says, and its time does not go back. */
#include <stdint.h>
#include <stdlib.h>

#include "app/light/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct base_diag_sink *const nobody = NULL;
    const struct base_span text = {(const char *)data, size};
    struct app_light_reader reader;
    struct app_light_moment moment;
    uint64_t last = 0;
    size_t count = 0;
    if (app_light_reader_open(&reader, "show", text, nobody) != 0) {
        return 0;
    }
    int result;
    while ((result = app_light_reader_next(&reader, &moment, nobody)) == 1) {
        ensure(moment.milliseconds >= last && ++count <= size);
        last = moment.milliseconds;
    }
    ensure(reader.rest.size == 0);
    ensure(app_light_reader_next(&reader, &moment, nobody) == 0);
    return 0;
}
