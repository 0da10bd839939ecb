#include <errno.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "app/io/audio_source.h"
#include "app/io/process.h"
#include "app/io/video_output.h"

enum {
    CHUNK_SAMPLES = 16384, /* decoded at a time, over all channels */
    CHANNELS_MAX = 1024,
    /* What the filter of the rate conversion remembers, with room to spare. */
    MEMORY_FRAMES = 4096,
};

struct sound_file {
    struct app_audio audio;
    char *path;
    SNDFILE *file;
    int channels;
    int rate;
    struct app_resample *resample; /* NULL: the file has our rate */
    sf_count_t frames;             /* of the file, as its header says */
    sf_count_t left;               /* of those, not decoded yet */
    bool at_end;                   /* nothing more to decode */
    size_t waiting;                /* stereo frames decoded but not given out */
    size_t first;                  /* the first of them in stereo */
    float decoded[CHUNK_SAMPLES];
    float stereo[2 * CHUNK_SAMPLES];
};

static const char hint_formats[] =
    "WAV, FLAC, Ogg, Opus and MP3 are understood ('ffmpeg -i FILE song.wav' makes one of others); "
    "--audio demo needs no file";

/* The library's own words, without what stands around them. */
static void copy_reason(SNDFILE *file, char *text, size_t size)
{
    static const char prefix[] = "Error : ";
    static const char unknown[] = "File does not exist"; /* but it does: it is no sound inside */
    const char *reason = sf_strerror(file);
    if (strncmp(reason, unknown, sizeof unknown - 1) == 0) {
        reason = "Format not recognised";
    }
    if (strncmp(reason, prefix, sizeof prefix - 1) == 0) {
        reason += sizeof prefix - 1;
    }
    (void)snprintf(text, size, "%s", reason);
    text[strcspn(text, ".\n")] = '\0';
}

static void decode(struct sound_file *sound)
{
    const sf_count_t wanted = CHUNK_SAMPLES / sound->channels;
    const sf_count_t got = sf_readf_float(sound->file, sound->decoded, wanted);
    sound->left -= got > 0 ? got : 0;
    if (got < wanted) {
        sound->at_end = true;
        if (sf_error(sound->file) != SF_ERR_NO_ERROR) {
            copy_reason(sound->file, sound->audio.error, sizeof sound->audio.error);
        } else if (sound->left > sound->rate / 2) { /* lengths of MP3 files are near enough */
            (void)snprintf(sound->audio.error, sizeof sound->audio.error,
                           "the file is shorter than it says");
        }
    }
    sound->first = 0;
    sound->waiting = got > 0 ? (size_t)got : 0;
    /* The first two channels; one channel goes to both sides. */
    const size_t stride = (size_t)sound->channels;
    const size_t right = sound->channels > 1 ? 1 : 0;
    for (size_t i = 0; i < sound->waiting; i++) {
        sound->stereo[2 * i] = sound->decoded[i * stride];
        sound->stereo[2 * i + 1] = sound->decoded[i * stride + right];
    }
    app_audio_clean(sound->stereo, 2 * sound->waiting);
}

static size_t file_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct sound_file *sound = (struct sound_file *)audio;
    size_t filled = 0;
    while (filled < frames) {
        if (sound->waiting == 0 && !sound->at_end) {
            decode(sound);
        }
        const size_t before = sound->waiting;
        const size_t wanted = frames - filled;
        float *out = interleaved + 2 * filled;
        const float *from = sound->stereo + 2 * sound->first;
        size_t used = sound->waiting;
        size_t given = 0;
        if (sound->resample != NULL) {
            given = app_resample_run(sound->resample, from, &used, out, wanted, sound->at_end);
            app_audio_clean(out, 2 * given);
        } else {
            used = used < wanted ? used : wanted;
            given = used;
            memcpy(out, from, 2 * given * sizeof *out);
        }
        sound->first += used;
        sound->waiting -= used;
        filled += given;
        if (given == 0 && sound->waiting == before) {
            break;
        }
    }
    return filled;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Where to start reading so that `frame` comes out as it does in a reading from the beginning. In a
 * file of another rate one of our frames falls exactly on a frame of the file only once in 44100 /
 * gcd frames, where gcd is the greatest common divisor of both rates: reading starts at such a
 * place, so early that the filter has all samples that it remembers when it reaches `frame`. */
static uint64_t start_before(const struct sound_file *sound, uint64_t frame)
{
    if (sound->resample == NULL) {
        return frame;
    }
    const uint64_t period = APP_AUDIO_RATE / common_divisor(APP_AUDIO_RATE, (uint64_t)sound->rate);
    const uint64_t memory = MEMORY_FRAMES * (1 + (uint64_t)APP_AUDIO_RATE / (uint64_t)sound->rate);
    const uint64_t before = frame > memory ? frame - memory : 0;
    return before / period * period;
}

static void skip(struct app_audio *audio, uint64_t frames)
{
    float dropped[2 * 512];
    size_t got = 1;
    while (frames > 0 && got > 0) {
        got = file_read(audio, dropped, frames < 512 ? (size_t)frames : 512);
        frames -= got;
    }
}

static int file_seek(struct app_audio *audio, uint64_t frame)
{
    struct sound_file *sound = (struct sound_file *)audio;
    if ((double)frame > audio->seconds * APP_AUDIO_RATE) {
        return -1;
    }
    const uint64_t start = start_before(sound, frame);
    const uint64_t rate = (uint64_t)sound->rate;
    const uint64_t seconds = start / APP_AUDIO_RATE;
    const uint64_t place = seconds * rate + start % APP_AUDIO_RATE * rate / APP_AUDIO_RATE;
    if (sf_seek(sound->file, (sf_count_t)place, SEEK_SET) != (sf_count_t)place) {
        return -1;
    }
    sound->waiting = 0;
    sound->left = sound->frames - (sf_count_t)place;
    sound->at_end = false;
    audio->error[0] = '\0';
    if (sound->resample != NULL) {
        app_resample_reset(sound->resample);
    }
    skip(audio, frame - start);
    return audio->error[0] == '\0' ? 0 : -1;
}

static void file_close(struct app_audio *audio)
{
    struct sound_file *sound = (struct sound_file *)audio;
    if (sound->file != NULL) {
        (void)sf_close(sound->file);
    }
    app_resample_destroy(sound->resample);
    free(sound->path);
    free(sound);
}

static const struct app_audio_kind file_kind = {file_read, file_seek, file_close};

/* What is not a file with something in it is refused before the library sees it. */
static bool is_file(const char *path, const struct base_diag_sink *sink)
{
    struct stat status;
    const struct base_place place = {.file = path};
    if (stat(path, &status) != 0) {
        base_report(sink, BASE_ERROR, place, "give a sound file, demo or test",
                    "cannot open the sound: %s", strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        base_report(sink, BASE_ERROR, place, hint_formats, "not a sound file but a %s",
                    S_ISDIR(status.st_mode) ? "folder" : "device");
        return false;
    }
    if (status.st_size == 0) {
        base_report(sink, BASE_ERROR, place, hint_formats, "the file is empty");
        return false;
    }
    return true;
}

static bool refuse_silent(const struct sound_file *sound, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = sound->path}, hint_formats,
                "there is no sound in the file");
    return false;
}

static bool open_library(struct sound_file *sound, SF_INFO *info, const struct base_diag_sink *sink)
{
    *info = (SF_INFO){0};
    const int token = app_quiet_begin();
    sound->file = sf_open(sound->path, SFM_READ, info);
    app_quiet_end(token);
    if (sound->file == NULL) {
        char reason[128];
        copy_reason(NULL, reason, sizeof reason);
        base_report(sink, BASE_ERROR, (struct base_place){.file = sound->path}, hint_formats,
                    "cannot read this sound: %s", reason);
        return false;
    }
    if (info->channels < 1 || info->channels > CHANNELS_MAX || info->frames <= 0) {
        return refuse_silent(sound, sink);
    }
    return true;
}

/* Decodes all to learn the length: a file that breaks off does not tell it. */
static sf_count_t count_frames(struct sound_file *sound, int channels)
{
    const sf_count_t wanted = CHUNK_SAMPLES / channels;
    sf_count_t count = 0;
    sf_count_t got = wanted;
    while (got == wanted) {
        got = sf_readf_float(sound->file, sound->decoded, wanted);
        count += got > 0 ? got : 0;
    }
    (void)sf_close(sound->file);
    return count;
}

static bool open_decoder(struct sound_file *sound, const struct base_diag_sink *sink)
{
    SF_INFO info;
    if (!open_library(sound, &info, sink)) {
        return false;
    }
    if (info.frames == SF_COUNT_MAX) {
        const sf_count_t frames = count_frames(sound, info.channels);
        if (!open_library(sound, &info, sink)) {
            return false;
        }
        if (frames == 0) {
            return refuse_silent(sound, sink);
        }
        info.frames = frames;
    }
    sound->frames = sound->left = info.frames;
    sound->channels = info.channels;
    sound->rate = info.samplerate;
    sound->audio.seconds = (double)info.frames / info.samplerate;
    if (sound->rate == APP_AUDIO_RATE) {
        return true;
    }
    sound->resample = app_resample_create(sound->rate, APP_AUDIO_RATE, APP_RESAMPLE_FINE);
    if (sound->resample == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = sound->path},
                    "convert it to 44100 Hz", "cannot work with a sample rate of %d Hz",
                    sound->rate);
        return false;
    }
    return true;
}

struct app_audio *app_audio_open_file(const char *path, const struct base_diag_sink *sink)
{
    if (!is_file(path, sink)) {
        return NULL;
    }
    struct sound_file *sound = calloc(1, sizeof *sound);
    char *copy = strdup(path);
    if (sound == NULL || copy == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
        free(sound);
        free(copy);
        return NULL;
    }
    sound->audio.kind = &file_kind;
    sound->audio.path = sound->path = copy;
    if (!open_decoder(sound, sink)) {
        file_close(&sound->audio);
        return NULL;
    }
    return &sound->audio;
}

enum {
    HEADER = 44,
    PAIR = 4,
    CHANNELS = 2,
    BITS = 16,
    PCM = 1,
    FORMAT_BYTES = 16,
};

static const uint32_t BYTES_MAX = UINT32_MAX - HEADER; /* that a header can tell */

struct app_wave {
    const char *name;
    char *part;
    FILE *file;
    uint32_t rate;
    uint32_t bytes;
    int error; /* of the first pair that did not go out */
};

static void put(uint8_t *bytes, uint32_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static bool write_header(const struct app_wave *wave)
{
    uint8_t bytes[HEADER] = "RIFF....WAVEfmt ";
    put(bytes + 4, HEADER - 8 + wave->bytes, 4);
    put(bytes + 16, FORMAT_BYTES, 4);
    put(bytes + 20, PCM, 2);
    put(bytes + 22, CHANNELS, 2);
    put(bytes + 24, wave->rate, 4);
    put(bytes + 28, wave->rate * PAIR, 4);
    put(bytes + 32, PAIR, 2);
    put(bytes + 34, BITS, 2);
    memcpy(bytes + 36, "data", 4);
    put(bytes + 40, wave->bytes, 4);
    return fwrite(bytes, 1, HEADER, wave->file) == HEADER;
}

static void report(const struct base_diag_sink *sink, const char *name, int error)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, NULL, "cannot write: %s",
                strerror(error));
}

/* What stands at the name would give way to the file at the end. */
static bool may_be_replaced(const char *name, const struct base_diag_sink *sink)
{
    struct stat facts;
    if (stat(name, &facts) != 0 || S_ISREG(facts.st_mode)) {
        return true;
    }
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, "name a new file",
                "cannot write: not an ordinary file");
    return false;
}

struct app_wave *app_wave_create(const char *name, uint32_t rate, const struct base_diag_sink *sink)
{
    if (!may_be_replaced(name, sink)) {
        return NULL;
    }
    struct app_wave *wave = calloc(1, sizeof *wave);
    if (wave == NULL) {
        report(sink, name, ENOMEM);
        return NULL;
    }
    *wave = (struct app_wave){.name = name, .rate = rate, .part = app_video_part(name, ".part")};
    wave->file = wave->part != NULL ? fopen(wave->part, "wbx") : NULL;
    if (wave->file == NULL || !write_header(wave)) {
        report(sink, name, wave->part != NULL ? errno : ENOMEM);
        app_wave_discard(wave);
        return NULL;
    }
    return wave;
}

void app_wave_put(struct app_wave *wave, const int16_t pair[2])
{
    uint8_t bytes[PAIR];
    put(bytes, (uint16_t)pair[0], 2);
    put(bytes + 2, (uint16_t)pair[1], 2);
    if (wave->bytes <= BYTES_MAX - PAIR) {
        const bool written = fwrite(bytes, 1, PAIR, wave->file) == PAIR;
        wave->error = written || wave->error != 0 ? wave->error : errno;
        wave->bytes += PAIR;
    }
}

int app_wave_finish(struct app_wave *wave, const struct base_diag_sink *sink)
{
    bool good = wave->error == 0 && fseek(wave->file, 0, SEEK_SET) == 0 && write_header(wave);
    int error = wave->error != 0 ? wave->error : errno;
    if (fclose(wave->file) != 0) {
        error = good ? errno : error;
        good = false;
    }
    wave->file = NULL;
    if (good && rename(wave->part, wave->name) != 0) {
        error = errno;
        good = false;
    }
    if (!good) {
        report(sink, wave->name, error);
    }
    app_wave_discard(wave);
    return good ? 0 : -1;
}

void app_wave_discard(struct app_wave *wave)
{
    if (wave == NULL) {
        return;
    }
    if (wave->file != NULL) {
        (void)fclose(wave->file);
    }
    if (wave->part != NULL) {
        (void)unlink(wave->part);
    }
    free(wave->part);
    free(wave);
}
