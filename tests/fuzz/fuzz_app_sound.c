/* Whatever bytes come in as a sound file: they are refused with an error, or read from the
 * beginning and after jumps, in samples within -1..1. What only ffmpeg reads is left to it. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "app/io/audio_source.h"
#include "in_file.h"

enum { CHUNK = 1000, CHUNKS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_some(struct app_audio *audio)
{
    float samples[2 * CHUNK];
    for (int i = 0; i < CHUNKS; i++) {
        const size_t count = app_audio_read(audio, samples, CHUNK);
        for (size_t k = 0; k < 2 * count; k++) {
            if (!(samples[k] >= -1 && samples[k] <= 1)) {
                abort();
            }
        }
        if (count > CHUNK) {
            abort();
        }
        if (count < CHUNK) {
            return;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    bool only_ffmpeg = false;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const char *path = fuzz_in_file(data, size);
    const int file = open(path, O_RDONLY);
    (void)app_audio_format(file, &only_ffmpeg);
    (void)close(file);
    if (only_ffmpeg) {
        return 0;
    }
    struct app_audio *audio = app_audio_open(path, &sink);
    if ((audio == NULL) != (messages.by_severity[BASE_ERROR] > 0)) {
        abort();
    }
    if (audio == NULL) {
        return 0;
    }
    if (!(app_audio_seconds(audio) >= 0)) {
        abort();
    }
    read_some(audio);
    if (app_audio_seek(audio, 100) == 0) {
        read_some(audio);
    }
    if (app_audio_seek(audio, (uint64_t)1 << 40) == 0) {
        read_some(audio);
    }
    app_audio_close(audio);
    return 0;
}
