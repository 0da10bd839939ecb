/* Sound files. libsndfile reads them in a process of its own, which sends samples through a pipe.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/io/audio_source.h"
#include "base/os/file.h"
#include "engine/resample.h"
#ifdef FROTH_SNDFILE
#include "late/sndfile.h"
#endif

/* ---- what both sides know ---- */

/* What became of a file, and how a sound ends. */
enum outcome {
    SOUND_GOOD,
    SOUND_UNKNOWN,
    SOUND_DAMAGED,
    SOUND_STRANGE,
    SOUND_SILENT,
    SOUND_RATE,
    SOUND_NO_MEMORY,
    SOUND_SHORTER,
    SOUND_NO_LIBRARY,
    SOUND_OUTCOMES,
};

static const char *const words[SOUND_OUTCOMES] = {
    [SOUND_GOOD] = "",
    [SOUND_UNKNOWN] = "cannot read this sound: Format not recognised",
    [SOUND_DAMAGED] = "cannot read this sound: it is damaged or cut off",
    [SOUND_STRANGE] = "cannot read this sound: its kind is known, its coding is not",
    [SOUND_SILENT] = "there is no sound in the file",
    [SOUND_RATE] = "cannot work with its sample rate; convert it to 44100 Hz",
    [SOUND_NO_MEMORY] = "not enough memory",
    [SOUND_SHORTER] = "the file is shorter than it says",
    [SOUND_NO_LIBRARY] = "libsndfile is missing ('froth version --build' says what to install)",
};

/* ---- files that end too early ---- */

static uint32_t number_at(const unsigned char *bytes, bool big)
{
    return big ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                     bytes[3]
               : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 |
                     bytes[0];
}

static bool bytes_at(int file, long long at, void *bytes, size_t size)
{
    return pread(file, bytes, size, (off_t)at) == (ssize_t)size;
}

/* Whether the chunk with the samples of a WAV or AIFF file says that it has more bytes than there
 * are. What is written into a pipe says much more than any file has. */
static bool lacks_samples(int file, long long size, bool big)
{
    static const uint32_t not_known = 0x7FFFF000;
    unsigned char head[8];
    long long at = 12;
    while (at < size && bytes_at(file, at, head, sizeof head)) {
        const uint32_t said = number_at(head + 4, big);
        at += 8;
        if (memcmp(head, big ? "SSND" : "data", 4) == 0) {
            return said < not_known && said > size - at;
        }
        at += (long long)said + (said & 1);
    }
    return false;
}

/* Whether the last page of an Ogg file is not the end of its stream. */
static bool lacks_last_page(int file, long long size)
{
    enum { PAGE_MAX = 65307, HEAD = 6, LAST = 4 };
    unsigned char page[PAGE_MAX];
    size_t at = size < PAGE_MAX ? (size_t)size : PAGE_MAX;
    if (!bytes_at(file, size - (long long)at, page, at)) {
        return false;
    }
    for (; at >= HEAD; at--) {
        const unsigned char *head = page + at - HEAD;
        if (memcmp(head, "OggS", 4) == 0) {
            return (head[HEAD - 1] & LAST) == 0;
        }
    }
    return false;
}

bool app_audio_is_cut(int file, const char *format)
{
    struct stat about;
    const long long size = fstat(file, &about) == 0 ? (long long)about.st_size : 0;
    const bool aiff = strcmp(format, "aiff") == 0;
    return aiff || strcmp(format, "wav") == 0 ? lacks_samples(file, size, aiff)
           : strcmp(format, "ogg") == 0       ? lacks_last_page(file, size)
                                              : false;
}

/* ---- the process that decodes ---- */

enum {
    CHUNK_SAMPLES = 16384, /* decoded at a time, over all channels */
    CHANNELS_MAX = 1024,
    RATE_MAX = 16 * 1024 * 1024,
    /* What the filter of the rate conversion remembers, with room to spare. */
    MEMORY_FRAMES = 4096,
};

#ifdef FROTH_SNDFILE

struct sound_file {
    SNDFILE *file;
    int channels;
    int rate;
    struct engine_resample *resample; /* NULL: the file has our rate */
    sf_count_t frames;                /* of the file, as its header says */
    sf_count_t left;                  /* of those, not decoded yet */
    enum outcome end;
    bool at_end;    /* nothing more to decode */
    size_t waiting; /* stereo frames decoded but not given out */
    size_t first;   /* the first of them in stereo */
    float decoded[CHUNK_SAMPLES];
    float stereo[2 * CHUNK_SAMPLES];
};

static enum outcome outcome_of(int error)
{
    return error == SF_ERR_UNRECOGNISED_FORMAT    ? SOUND_UNKNOWN
           : error == SF_ERR_UNSUPPORTED_ENCODING ? SOUND_STRANGE
                                                  : SOUND_DAMAGED;
}

static void decode(struct sound_file *sound)
{
    const sf_count_t wanted = CHUNK_SAMPLES / sound->channels;
    const sf_count_t got = sf_readf_float(sound->file, sound->decoded, wanted);
    sound->left -= got > 0 ? got : 0;
    if (got < wanted) {
        sound->at_end = true;
        if (sf_error(sound->file) != SF_ERR_NO_ERROR) {
            sound->end = SOUND_DAMAGED;
        } else if (sound->left > sound->rate / 2) { /* lengths of MP3 files are near enough */
            sound->end = SOUND_SHORTER;
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
    engine_samples_clean(sound->stereo, 2 * sound->waiting);
}

static size_t give(struct sound_file *sound, float *interleaved, size_t frames)
{
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
            given = engine_resample_run(sound->resample, from, &used, out, wanted, sound->at_end);
            engine_samples_clean(out, 2 * given);
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

/* Where to start reading so that `frame` comes out as it does in a reading from the beginning. In a
 * file of another rate one of our frames falls exactly on a frame of the file only once in 44100 /
 * gcd frames, where gcd is the greatest common divisor of both rates: reading starts at such a
 * place, so early that the filter has all samples that it remembers when it reaches `frame`. */
static uint64_t start_before(const struct sound_file *sound, uint64_t frame)
{
    if (sound->resample == NULL) {
        return frame;
    }
    const uint64_t rate = (uint64_t)sound->rate;
    uint64_t divisor = APP_AUDIO_RATE;
    for (uint64_t rest = rate; rest != 0;) {
        const uint64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    const uint64_t period = APP_AUDIO_RATE / divisor;
    const uint64_t memory = MEMORY_FRAMES * (1 + APP_AUDIO_RATE / rate);
    const uint64_t before = frame > memory ? frame - memory : 0;
    return before / period * period;
}

/* Goes to a frame. False if the file does not let it. */
static bool go_to(struct sound_file *sound, uint64_t frame)
{
    const uint64_t start = start_before(sound, frame);
    const uint64_t rate = (uint64_t)sound->rate;
    const uint64_t seconds = start / APP_AUDIO_RATE;
    const uint64_t place = seconds * rate + start % APP_AUDIO_RATE * rate / APP_AUDIO_RATE;
    if (sf_seek(sound->file, (sf_count_t)place, SEEK_SET) != (sf_count_t)place) {
        return false;
    }
    sound->left = sound->frames - (sf_count_t)place;
    float dropped[2 * 512];
    size_t got = 1;
    for (uint64_t rest = frame - start; rest > 0 && got > 0; rest -= got) {
        got = give(sound, dropped, rest < 512 ? (size_t)rest : 512);
    }
    return sound->end == SOUND_GOOD;
}

static enum outcome open_library(struct sound_file *sound, SF_INFO *info)
{
    *info = (SF_INFO){0};
    (void)lseek(STDIN_FILENO, 0, SEEK_SET);
    sound->file = sf_open_fd(STDIN_FILENO, SFM_READ, info, 0);
    if (sound->file == NULL) {
        return outcome_of(sf_error(NULL));
    }
    const bool silent = info->channels < 1 || info->channels > CHANNELS_MAX || info->frames <= 0;
    return silent ? SOUND_SILENT : SOUND_GOOD;
}

/* Loads what decodes: a process without rights can no longer. */
static void load_sndfile(void)
{
    (void)base_late_load(&late_sndfile);
}

static enum outcome open_decoder(struct sound_file *sound, const struct app_audio_wish *wish)
{
    SF_INFO info;
    if (base_late_load(&late_sndfile) != NULL) {
        return SOUND_NO_LIBRARY;
    }
    enum outcome outcome = open_library(sound, &info);
    if (outcome != SOUND_GOOD) {
        return outcome;
    }
    if (info.frames == SF_COUNT_MAX && wish->frames > 0) {
        info.frames = wish->frames;
    } else if (info.frames == SF_COUNT_MAX) {
        /* Decodes all to learn the length: a file that breaks off does not tell it. */
        const sf_count_t wanted = CHUNK_SAMPLES / info.channels;
        sf_count_t frames = 0;
        sf_count_t got = wanted;
        while (got == wanted) {
            got = sf_readf_float(sound->file, sound->decoded, wanted);
            frames += got > 0 ? got : 0;
        }
        (void)sf_close(sound->file);
        outcome = open_library(sound, &info);
        if (outcome != SOUND_GOOD || frames == 0) {
            return outcome != SOUND_GOOD ? outcome : SOUND_SILENT;
        }
        info.frames = frames;
    }
    sound->frames = sound->left = info.frames;
    sound->channels = info.channels;
    sound->rate = info.samplerate;
    if (sound->rate < 1 || sound->rate > RATE_MAX) {
        return SOUND_RATE;
    }
    if (sound->rate != APP_AUDIO_RATE) {
        sound->resample = engine_resample_create(sound->rate, APP_AUDIO_RATE, ENGINE_RESAMPLE_FINE);
        return sound->resample != NULL ? SOUND_GOOD : SOUND_RATE;
    }
    return SOUND_GOOD;
}

static bool send_sound(struct sound_file *sound)
{
    float samples[2 * APP_AUDIO_BLOCK];
    uint32_t got;
    do {
        got = (uint32_t)give(sound, samples, APP_AUDIO_BLOCK);
        if (!app_apart_write(&got, sizeof got) ||
            !app_apart_write(samples, got * 2 * sizeof *samples)) {
            return true;
        }
    } while (got > 0);
    const uint32_t end = sound->end;
    return app_apart_write(&end, sizeof end);
}

static int decode_apart(const void *data, size_t size)
{
    struct app_audio_wish wish;
    struct app_audio_answer answer = {.outcome = SOUND_NO_MEMORY};
    struct sound_file *sound = calloc(1, sizeof *sound);
    (void)size;
    assert(size == sizeof wish);
    memcpy(&wish, data, sizeof wish);
    if (sound != NULL) {
        answer.outcome = open_decoder(sound, &wish);
        if (answer.outcome == SOUND_GOOD) {
            answer.frames = sound->frames;
            answer.rate = sound->rate;
            if (wish.frame > 0 && !go_to(sound, wish.frame)) {
                answer.outcome = SOUND_DAMAGED;
            }
        }
    }
    const bool asked = app_apart_write(&answer, sizeof answer);
    const bool sent = !asked || answer.outcome != SOUND_GOOD || send_sound(sound);
    if (sound != NULL) {
        engine_resample_destroy(sound->resample);
        (void)(sound->file != NULL && sf_close(sound->file));
        free(sound);
    }
    return sent ? 0 : 1;
}

#else

static void load_sndfile(void)
{
}

static int decode_apart(const void *data, size_t size)
{
    const struct app_audio_answer answer = {.outcome = SOUND_NO_LIBRARY};
    (void)data;
    (void)size;
    return app_apart_write(&answer, sizeof answer) ? 0 : 1;
}

#endif

/* ---- a source ---- */

enum { OPEN_TIMES = 12 };

static const char hint_formats[] = "WAV, FLAC, Ogg, Opus, MP3, M4A, AAC, WMA and MP4 are "
                                   "understood ('ffmpeg -i FILE song.wav' makes "
                                   "one of others)";

struct apart_file {
    struct app_audio audio;
    char *path;
    struct app_audio_answer answer;
    struct app_apart_pipe pipe;
    app_apart_work decoder;
    double patience; /* seconds that a block may take; more at first: it may have to decode all */
    uint64_t next;   /* frame that will be read */
    bool at_end;
    size_t first; /* of those that are waiting */
    size_t waiting;
    float samples[2 * APP_AUDIO_BLOCK];
};

/* A decoder holds a few blocks, however long the sound: what needs more is no sound. */
static const struct app_confine_limits limits = {(size_t)512 << 20, 24 * 60 * 60};

/* Begins to decode at a frame. Returns NULL, or what is to be said. */
static const char *start(struct apart_file *sound, uint64_t frame, enum outcome *outcome)
{
    const struct app_audio_wish wish = {frame, sound->answer.frames};
    (void)app_apart_close(&sound->pipe, APP_APART_DONE);
    sound->next = frame;
    sound->waiting = sound->first = 0;
    sound->at_end = false;
    sound->audio.error[0] = '\0';
    *outcome = SOUND_DAMAGED;
    /* Opened anew: the process before this one may still move its place in the file. */
    char name[32];
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", sound->audio.file);
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    const int error = file < 0 ? errno
                               : app_apart_open(&sound->pipe, load_sndfile, sound->decoder, file,
                                                &wish, sizeof wish, limits);
    if (file >= 0) {
        (void)close(file);
    }
    if (error != 0) {
        return app_apart_error(error);
    }
    sound->pipe.stop = &sound->audio.stopped;
    struct app_audio_answer answer;
    const enum app_apart_result result =
        app_apart_read(&sound->pipe, &answer, sizeof answer, OPEN_TIMES * sound->patience);
    if (result != APP_APART_DONE) {
        return app_apart_close(&sound->pipe, result);
    }
    const bool sane = answer.outcome < SOUND_OUTCOMES &&
                      (answer.outcome != SOUND_GOOD ||
                       (answer.rate >= 1 && answer.rate <= RATE_MAX && answer.frames >= 1));
    if (!sane || answer.outcome != SOUND_GOOD) {
        *outcome = sane ? answer.outcome : SOUND_DAMAGED;
        (void)app_apart_close(&sound->pipe, APP_APART_DONE);
        return sane ? words[answer.outcome] : "its decoder gave nonsense";
    }
    *outcome = SOUND_GOOD;
    sound->answer = answer;
    return NULL;
}

/* Ends with a reason, NULL for the end of the sound. */
static void end(struct apart_file *sound, const char *why)
{
    sound->at_end = true;
    (void)snprintf(sound->audio.error, sizeof sound->audio.error, "%s", why != NULL ? why : "");
}

/* Takes the next block, and believes none of it. */
static void take_block(struct apart_file *sound)
{
    uint32_t count;
    enum app_apart_result result =
        app_apart_read(&sound->pipe, &count, sizeof count, sound->patience);
    if (result == APP_APART_DONE && count == 0) {
        uint32_t outcome = SOUND_DAMAGED;
        result = app_apart_read(&sound->pipe, &outcome, sizeof outcome, sound->patience);
        if (result == APP_APART_DONE) {
            end(sound, outcome == SOUND_GOOD      ? NULL
                       : outcome == SOUND_SHORTER ? words[SOUND_SHORTER]
                                                  : words[SOUND_DAMAGED]);
            return;
        }
    } else if (result == APP_APART_DONE && count > APP_AUDIO_BLOCK) {
        end(sound, "its decoder gave nonsense");
        (void)app_apart_close(&sound->pipe, APP_APART_DONE);
        return;
    } else if (result == APP_APART_DONE) {
        result = app_apart_read(&sound->pipe, sound->samples, count * 2 * sizeof *sound->samples,
                                sound->patience);
        if (result == APP_APART_DONE) {
            engine_samples_clean(sound->samples, 2 * (size_t)count);
            sound->first = 0;
            sound->waiting = count;
            return;
        }
    }
    end(sound, app_apart_close(&sound->pipe, result));
}

static size_t apart_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct apart_file *sound = (struct apart_file *)audio;
    size_t filled = 0;
    while (filled < frames) {
        if (sound->waiting == 0 && !sound->at_end) {
            take_block(sound);
        }
        const size_t wanted = frames - filled;
        const size_t used = sound->waiting < wanted ? sound->waiting : wanted;
        if (used == 0) {
            break;
        }
        memcpy(interleaved + 2 * filled, sound->samples + 2 * sound->first,
               2 * used * sizeof *interleaved);
        sound->first += used;
        sound->waiting -= used;
        filled += used;
    }
    sound->next += filled;
    return filled;
}

static int apart_seek(struct app_audio *audio, uint64_t frame)
{
    struct apart_file *sound = (struct apart_file *)audio;
    if ((double)frame > audio->seconds * APP_AUDIO_RATE) {
        return -1;
    }
    if (frame == sound->next && !sound->at_end) {
        return 0;
    }
    enum outcome outcome;
    const char *why = start(sound, frame, &outcome);
    if (why != NULL) {
        end(sound, why);
    }
    return why == NULL ? 0 : -1;
}

static void apart_close(struct app_audio *audio)
{
    struct apart_file *sound = (struct apart_file *)audio;
    (void)app_apart_close(&sound->pipe, APP_APART_DONE);
    if (sound->audio.file >= 0) {
        (void)close(sound->audio.file);
    }
    free(sound->path);
    free(sound);
}

static const struct app_audio_kind apart_kind = {apart_read, apart_seek, apart_close};

/* Opens with libsndfile; file becomes the source's. NULL with the outcome, and a message unless
 * that is SOUND_UNKNOWN or SOUND_NO_LIBRARY. */
static struct app_audio *open_with_library(app_apart_work decoder, double patience,
                                           const char *path, int file, const char *format,
                                           enum outcome *outcome, const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = path};
    struct apart_file *sound = calloc(1, sizeof *sound);
    char *copy = strdup(path);
    if (sound == NULL || copy == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory");
        free(sound);
        free(copy);
        *outcome = SOUND_NO_MEMORY;
        (void)close(file);
        return NULL;
    }
    sound->audio.kind = &apart_kind;
    sound->audio.path = sound->path = copy;
    sound->audio.file = file;
    sound->decoder = decoder;
    sound->patience = patience;
    sound->pipe = (struct app_apart_pipe){{-1}, -1, NULL};
    const char *why = start(sound, 0, outcome);
    if (why != NULL) {
        if (*outcome != SOUND_UNKNOWN && *outcome != SOUND_NO_LIBRARY) {
            base_report(sink, BASE_ERROR, place, hint_formats, "%s", why);
        }
        apart_close(&sound->audio);
        return NULL;
    }
    sound->audio.seconds = (double)sound->answer.frames / sound->answer.rate;
    if (format != NULL && app_audio_is_cut(file, format)) {
        base_report(sink, BASE_WARNING, place, NULL,
                    "the sound breaks off after %.1f seconds: the file is shorter than it says",
                    sound->audio.seconds);
    }
    return &sound->audio;
}

struct app_audio *app_audio_open_file_by(app_apart_work decoder, double patience, const char *path,
                                         const struct base_diag_sink *sink)
{
    struct stat about;
    const struct base_place place = {.file = path};
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0) {
        base_report(sink, BASE_ERROR, place, "give a sound file, demo or test",
                    "cannot open the sound: %s", strerror(errno));
        if (file >= 0) {
            (void)close(file);
        }
        return NULL;
    }
    if (!S_ISREG(about.st_mode) || about.st_size == 0) {
        base_report(sink, BASE_ERROR, place, hint_formats, "%s",
                    S_ISDIR(about.st_mode)   ? "not a sound file but a folder"
                    : S_ISREG(about.st_mode) ? "the file is empty"
                                             : "not a sound file but a device");
        (void)close(file);
        return NULL;
    }
    bool only_ffmpeg = false;
    const char *format = app_audio_format(file, &only_ffmpeg);
    enum outcome outcome = SOUND_UNKNOWN;
    struct app_audio *audio = NULL;
    if (!only_ffmpeg) {
        const int again = fcntl(file, F_DUPFD_CLOEXEC, 0);
        audio = again >= 0
                    ? open_with_library(decoder, patience, path, again, format, &outcome, sink)
                    : NULL;
        if (audio != NULL || (outcome != SOUND_UNKNOWN && outcome != SOUND_NO_LIBRARY)) {
            (void)close(file);
            return audio;
        }
    }
    /* Of what may be in Ogg libsndfile knows the most usual. */
    if (only_ffmpeg ||
        (format != NULL && (outcome == SOUND_NO_LIBRARY || strcmp(format, "ogg") == 0))) {
        return app_audio_open_ffmpeg(path, file, format, sink);
    }
    base_report(sink, BASE_ERROR, place, hint_formats, "%s", words[outcome]);
    (void)close(file);
    return NULL;
}

struct app_audio *app_audio_open_file(const char *path, const struct base_diag_sink *sink)
{
    enum { PATIENCE = 5 };
    return app_audio_open_file_by(decode_apart, PATIENCE, path, sink);
}

/* ---- packed ---- */

#ifdef FROTH_SNDFILE

static bool copy_samples(SNDFILE *from, SNDFILE *to)
{
    enum { BLOCK = 4096, CHANNELS_MOST = 2 };
    int samples[CHANNELS_MOST * BLOCK];
    sf_count_t got = sf_readf_int(from, samples, BLOCK);
    while (got > 0 && sf_writef_int(to, samples, got) == got) {
        got = sf_readf_int(from, samples, BLOCK);
    }
    return got == 0;
}

int app_audio_pack(const char *wave, const char *flac)
{
    SF_INFO info = {0};
    if (base_late_load(&late_sndfile) != NULL) {
        errno = ENOSYS;
        return -1;
    }
    char *part = base_part_of(flac, ".part");
    const int descriptor = part != NULL ? base_part_create(part) : -1;
    SNDFILE *from = descriptor >= 0 ? sf_open(wave, SFM_READ, &info) : NULL;
    SF_INFO packed = {
        .samplerate = info.samplerate, .channels = info.channels, .format = SF_FORMAT_FLAC};
    packed.format |= info.format & SF_FORMAT_SUBMASK;
    SNDFILE *to =
        from != NULL && info.channels <= 2 ? sf_open_fd(descriptor, SFM_WRITE, &packed, 0) : NULL;
    bool good = to != NULL && copy_samples(from, to);
    errno = EIO;
    good = (to == NULL || sf_close(to) == 0) && good;
    good = good && fsync(descriptor) == 0 && rename(part, flac) == 0;
    const int reason = errno;
    if (from != NULL) {
        (void)sf_close(from);
    }
    if (descriptor >= 0) {
        (void)close(descriptor);
        (void)(!good && unlink(part));
    }
    free(part);
    errno = reason;
    return good ? 0 : -1;
}

#else

int app_audio_pack(const char *wave, const char *flac)
{
    (void)wave;
    (void)flac;
    errno = ENOSYS;
    return -1;
}

#endif
