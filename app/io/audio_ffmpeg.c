#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/apart/process.h"
#include "app/io/audio_source.h"
#include "engine/resample.h"

/* ---- formats by their first bytes ---- */

enum { ID3_HEADER = 10, HEAD = 12, NAME_MAX_SIZE = 16 };

static const struct magic {
    size_t at;
    const char *bytes;
    const char *format; /* ffmpeg's name */
    bool only_ffmpeg;
} magics[] = {
    {4, "ftyp", "mov", true},
    {4, "moov", "mov", true},
    {4, "mdat", "mov", true},
    {4, "wide", "mov", true},
    {0, "\x30\x26\xB2\x75\x8E\x66\xCF\x11", "asf", true},
    {0, "\x1A\x45\xDF\xA3", "matroska", true},
    {0, "OggS", "ogg", false},
    {0, "fLaC", "flac", false},
    {8, "WAVE", "wav", false},
    {8, "AIFF", "aiff", false},
    {8, "AIFC", "aiff", false},
};

/* The head of a frame of MPEG audio: eleven set bits, then the version and the layer, which AAC has
 * as 0. */
static const char *format_of_frame(const unsigned char *head)
{
    const bool frame = head[0] == 0xFF && (head[1] & 0xE0) == 0xE0;
    return !frame ? NULL : (head[1] & 0x06) != 0 ? "mp3" : (head[1] & 0xF0) == 0xF0 ? "aac" : NULL;
}

const char *app_audio_format(int file, bool *only_ffmpeg)
{
    unsigned char head[HEAD] = {0};
    const char *found = NULL;
    *only_ffmpeg = false;
    ssize_t size = pread(file, head, HEAD, 0);
    if (size == HEAD && memcmp(head, "ID3", 3) == 0) {
        /* A tag, whose size has seven bits in each byte, stands before the sound. */
        const long skipped =
            (long)head[6] << 21 | (long)head[7] << 14 | (long)head[8] << 7 | head[9];
        size = pread(file, head, HEAD, ID3_HEADER + skipped);
    }
    if (size < HEAD) {
        return NULL;
    }
    for (size_t i = 0; found == NULL && i < sizeof magics / sizeof *magics; i++) {
        if (memcmp(head + magics[i].at, magics[i].bytes, strlen(magics[i].bytes)) == 0) {
            found = magics[i].format;
            *only_ffmpeg = magics[i].only_ffmpeg;
        }
    }
    if (found == NULL) {
        found = format_of_frame(head);
        *only_ffmpeg = found != NULL && strcmp(found, "aac") == 0;
    }
    return found;
}

/* ---- a source ---- */

enum { WORDS_MAX = 40, TEXTS_MAX = 320, ANSWER_MAX = 400, BLOCK = 4096 };

static const size_t FRAME_BYTES = 2 * sizeof(float);

struct decoded {
    struct app_audio audio;
    const char *format;
    char *path;
    struct app_process process;
    uint64_t next; /* frame */
    bool at_end;
};

/* A command line. */
struct words {
    const char *items[WORDS_MAX];
    size_t count;
    char texts[TEXTS_MAX];
};

static void add(struct words *words, const char *word)
{
    if (words->count + 1 < WORDS_MAX) {
        words->items[words->count++] = word;
    }
}

/* Begins with a program and what leads to the file, as words that are parted by blanks. */
static void begin(struct words *words, const char *program, const struct decoded *sound)
{
    char input[sizeof APP_AUDIO_FFMPEG_INPUT + 2 * NAME_MAX_SIZE];
    (void)snprintf(input, sizeof input, APP_AUDIO_FFMPEG_INPUT, sound->format, sound->format);
    *words = (struct words){.count = 0};
    (void)snprintf(words->texts, sizeof words->texts, "%s -hide_banner -v error %s", program,
                   input);
    char *rest = NULL;
    for (char *word = strtok_r(words->texts, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        add(words, word);
    }
}

static int report_missing(const struct decoded *sound, int error, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = sound->audio.path},
                error == ENOENT ? "install it (Debian: apt install ffmpeg), or convert the sound"
                                : NULL,
                error == ENOENT ? "ffmpeg, which reads this kind of sound, was not found"
                                : "ffmpeg cannot be started: %s",
                strerror(error));
    return -1;
}

/* Begins to decode at a frame. Counting from the beginning is slower than a leap, and exact.
 * Returns 0, or an errno value. */
static int start(struct decoded *sound, uint64_t frame)
{
    struct words words;
    char filter[96];
    begin(&words, "ffmpeg -nostdin", sound);
    (void)snprintf(filter, sizeof filter, "aresample=%d,atrim=start_sample=%llu", APP_AUDIO_RATE,
                   (unsigned long long)frame);
    static const char *const output[] = {"-map", "0:a:0", "-ac",  "2",
                                         "-f",   "f32le", "-c:a", "pcm_f32le"};
    add(&words, "-af");
    add(&words, filter);
    for (size_t i = 0; i < sizeof output / sizeof *output; i++) {
        add(&words, output[i]);
    }
    add(&words, "pipe:1");
    app_process_kill(&sound->process);
    sound->next = frame;
    sound->at_end = false;
    sound->audio.error[0] = '\0';
    const int error =
        app_process_start(&sound->process, words.items, APP_PROCESS_READ, &sound->audio.file, 1);
    sound->process.stop = &sound->audio.stopped;
    return error;
}

/* The end has come: whether it is the right one. */
static void look_at_end(struct decoded *sound)
{
    const int code = app_process_finish(&sound->process);
    const double got = (double)sound->next / APP_AUDIO_RATE;
    sound->at_end = true;
    if (code != 0) {
        (void)snprintf(sound->audio.error, sizeof sound->audio.error,
                       "ffmpeg ended with exit code %d", code);
    } else if (sound->audio.seconds > got + 0.5) {
        (void)snprintf(sound->audio.error, sizeof sound->audio.error,
                       "the file is shorter than it says");
    }
}

static size_t decoded_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct decoded *sound = (struct decoded *)audio;
    if (sound->at_end) {
        return 0;
    }
    /* f32le, which is what a float is on every machine that froth is for. */
    const size_t got =
        app_process_read(&sound->process, interleaved, frames * FRAME_BYTES) / FRAME_BYTES;
    engine_samples_clean(interleaved, 2 * got);
    sound->next += got;
    if (got < frames) {
        look_at_end(sound);
    }
    return got;
}

static int decoded_seek(struct app_audio *audio, uint64_t frame)
{
    struct decoded *sound = (struct decoded *)audio;
    if (audio->seconds >= 0 && (double)frame > audio->seconds * APP_AUDIO_RATE) {
        return -1;
    }
    return start(sound, frame) == 0 ? 0 : -1;
}

static void decoded_close(struct app_audio *audio)
{
    struct decoded *sound = (struct decoded *)audio;
    app_process_kill(&sound->process);
    (void)close(sound->audio.file);
    free(sound->path);
    free(sound);
}

/* Reads what the file says of itself. Returns 0, or -1 with a message; *seconds: of its sound,
 * negative if it does not say. */
static int ask(struct decoded *sound, double *seconds, const struct base_diag_sink *sink)
{
    struct words words;
    char answer[ANSWER_MAX];
    const struct base_place place = {.file = sound->audio.path};
    begin(&words, "ffprobe", sound);
    static const char *const wanted[] = {"-select_streams",
                                         "a:0",
                                         "-show_entries",
                                         "stream=codec_type,duration:format=duration",
                                         "-of",
                                         "default=noprint_wrappers=1"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        add(&words, wanted[i]);
    }
    const int error =
        app_process_start(&sound->process, words.items, APP_PROCESS_READ, &sound->audio.file, 1);
    if (error != 0) {
        return report_missing(sound, error, sink);
    }
    const size_t size = app_process_read(&sound->process, answer, sizeof answer - 1);
    answer[size] = '\0';
    const int code = app_process_finish(&sound->process);
    if (code != 0) {
        base_report(sink, BASE_ERROR, place, "it may be incomplete, or of another kind",
                    "cannot read this sound");
        app_process_report(&sound->process, sink, (struct base_place){.file = "ffprobe"});
        return -1;
    }
    if (strstr(answer, "codec_type=audio") == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "there is no sound in the file");
        return -1;
    }
    *seconds = -1;
    for (const char *at = strstr(answer, "duration="); at != NULL && *seconds < 0;
         at = strstr(at + 1, "duration=")) {
        char *end = NULL;
        const char *number = at + sizeof "duration=" - 1;
        const double value = strtod(number, &end);
        *seconds = end != number && value > 0 ? value : -1;
    }
    return 0;
}

/* The length of a file that does not tell it: all of it is decoded. */
static double count(struct decoded *sound)
{
    float samples[2 * BLOCK];
    uint64_t frames = 0;
    size_t got = start(sound, 0) == 0 ? BLOCK : 0;
    sound->audio.seconds = -1;
    while (got == BLOCK) {
        got = decoded_read(&sound->audio, samples, BLOCK);
        frames += got;
    }
    return (double)frames / APP_AUDIO_RATE;
}

struct app_audio *app_audio_open_ffmpeg(const char *path, int file, const char *format,
                                        const struct base_diag_sink *sink)
{
    static const struct app_audio_kind kind = {decoded_read, decoded_seek, decoded_close};
    struct decoded *sound = calloc(1, sizeof *sound);
    char *copy = strdup(path);
    if (sound == NULL || copy == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
        free(sound);
        free(copy);
        (void)close(file);
        return NULL;
    }
    *sound = (struct decoded){
        .audio = {.kind = &kind, .path = copy, .file = file},
        .format = format,
        .path = copy,
        .process = APP_PROCESS_NONE,
    };
    double seconds = -1;
    int error = 0;
    if (ask(sound, &seconds, sink) != 0) {
        decoded_close(&sound->audio);
        return NULL;
    }
    /* What is said of a bare stream is a guess from its first seconds. */
    sound->audio.seconds = seconds > 0 && strcmp(format, "aac") != 0 ? seconds : count(sound);
    if (sound->audio.seconds <= 0 || (error = start(sound, 0)) != 0) {
        if (error != 0) {
            (void)report_missing(sound, error, sink);
        } else {
            base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                        "there is no sound in the file");
        }
        decoded_close(&sound->audio);
        return NULL;
    }
    if (app_audio_is_cut(file, format)) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path}, NULL,
                    "the sound breaks off after %.1f seconds: the file is shorter than it says",
                    sound->audio.seconds);
    }
    return &sound->audio;
}
