#include "engine/tempo/link.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double million = 1e6;
static const int64_t far = INT64_C(1000000000000000);

/* A whole number from low to high up to the next blank or the end, behind which *at then stands. */
static bool read_number(struct base_span line, size_t *at, int64_t low, int64_t high,
                        int64_t *value)
{
    const bool negative = *at < line.size && line.data[*at] == '-';
    size_t i = *at + negative;
    const size_t first = i;
    int64_t sum = 0;
    for (; i < line.size && line.data[i] >= '0' && line.data[i] <= '9'; i++) {
        sum = 10 * sum + (line.data[i] - '0');
        if (sum > far) {
            return false;
        }
    }
    if (i == first || (i < line.size && line.data[i] != ' ')) {
        return false;
    }
    *value = negative ? -sum : sum;
    *at = i + (i < line.size);
    return *value >= low && *value <= high;
}

bool engine_link_read(struct engine_link *link, struct base_span line)
{
    static const char word[] = "link ";
    size_t at = sizeof word - 1;
    int64_t peers;
    int64_t playing;
    int64_t bpm;
    int64_t beats;
    int64_t time;
    if (line.size < at || memcmp(line.data, word, at) != 0 ||
        !read_number(line, &at, 0, ENGINE_LINK_PEERS_MAX, &peers) ||
        !read_number(line, &at, 0, 1, &playing) ||
        !read_number(line, &at, ENGINE_TEMPO_MIN * INT64_C(1000000),
                     ENGINE_TEMPO_MAX * INT64_C(1000000), &bpm) ||
        !read_number(line, &at, -far, far, &beats) || !read_number(line, &at, 0, far, &time) ||
        at != line.size || line.data[line.size - 1] == ' ') {
        return false;
    }
    link->peers = (unsigned)peers;
    link->playing = playing != 0;
    link->played = link->played || link->playing;
    link->tempo = (struct engine_tempo){.bpm = (double)bpm / million,
                                        .beats = (double)beats / million,
                                        .at = (double)time / million,
                                        .runs = link->playing || !link->played};
    return true;
}

size_t engine_link_write_tempo(char line[ENGINE_LINK_LINE], double bpm)
{
    const double within = fmin(fmax(bpm, ENGINE_TEMPO_MIN), ENGINE_TEMPO_MAX);
    return (size_t)snprintf(line, ENGINE_LINK_LINE, "tempo %lld\n", llround(within * million));
}

unsigned engine_link_take(struct engine_link_reader *reader, struct engine_link *link,
                          const char *bytes, size_t size)
{
    unsigned refused = 0;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\n') {
            reader->skips = reader->skips || reader->size == sizeof reader->line;
            if (!reader->skips) {
                reader->line[reader->size++] = bytes[i];
            }
            continue;
        }
        const struct base_span line = {reader->line, reader->size};
        refused += reader->skips || !engine_link_read(link, line);
        reader->size = 0;
        reader->skips = false;
    }
    return refused;
}
