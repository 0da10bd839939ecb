/* What stands behind an app_audio: one of the kinds of sound, as a table of functions. */
#ifndef APP_IO_AUDIO_SOURCE_H
#define APP_IO_AUDIO_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/apart/process.h"
#include "app/io/audio.h"

/* As the functions of the same name in audio.h. */
struct app_audio_kind {
    size_t (*read)(struct app_audio *audio, float *interleaved, size_t frames);
    int (*seek)(struct app_audio *audio, uint64_t frame);
    void (*close)(struct app_audio *audio);
};

/* The first member of each source's own struct. */
struct app_audio {
    const struct app_audio_kind *kind;
    double seconds;      /* negative: endless */
    const char *path;    /* NULL: synthesized. The source owns the text */
    int file;            /* its descriptor, the source's; meaningful where there is a path */
    atomic_bool stopped; /* a decoder is not to be waited for any more */
    char error[160];     /* empty: all is well */
};

/* The built-in tune; NULL with a message without memory. */
struct app_audio *app_audio_open_demo(const struct base_diag_sink *sink);

/* A sound file, decoded by libsndfile in a process of its own, which may take 512 MiB (--memory is
 * for presets), or by ffmpeg. */
struct app_audio *app_audio_open_file(const char *path, const struct base_diag_sink *sink);

/* Sound in a folder, a file for each minute, as a recording of a show has it. */
struct app_audio *app_audio_open_parts(const char *folder, const struct base_diag_sink *sink);

/* The sounds of a list, one after the other. */
struct app_audio *app_audio_open_list(const char *list, const struct base_diag_sink *sink);

/* What that process is asked for. */
struct app_audio_wish {
    uint64_t frame; /* at APP_AUDIO_RATE, where to begin */
    int64_t frames; /* of the file, if it was counted before; else 0 */
};

/* What it says first. Blocks follow: their number of stereo frames, at most APP_AUDIO_BLOCK, as 32
 * bits, then the samples. A block of none is the last; 32 bits behind it are 0 if all was well. */
enum { APP_AUDIO_BLOCK = 4096 };
struct app_audio_answer {
    int64_t frames;   /* of the file */
    int32_t rate;     /* of the file */
    uint32_t outcome; /* 0: there is a sound */
};

/* The same with another decoder, which gives up when nothing has come for so many seconds: for
 * tests. */
struct app_audio *app_audio_open_file_by(app_apart_work decoder, double patience, const char *path,
                                         const struct base_diag_sink *sink);

/* Sound files that only ffmpeg reads: M4A, AAC, WMA, the sound of MP4, MOV, MKV and WebM. ffmpeg is
 * told the format, never left to guess it, and opens nothing but this file. */

/* ffmpeg's name of the format, by the first bytes of the file; NULL: none that it is given.
 * *only_ffmpeg: libsndfile does not know it. */
const char *app_audio_format(int file, bool *only_ffmpeg);

/* The words of its command line up to the file's name, which is the first that it is handed, parted
 * by blanks, with %s for the format twice. */
#define APP_AUDIO_FFMPEG_INPUT                                                                     \
    "-protocol_whitelist file -format_whitelist %s -f %s -i file:" APP_PROCESS_FILE_0

/* Opens a file of this format, whose descriptor becomes the source's; path is for messages. NULL
 * with a message if that cannot be, or there is no ffmpeg. */
struct app_audio *app_audio_open_ffmpeg(const char *path, int file, const char *format,
                                        const struct base_diag_sink *sink);

/* Whether the file ends before its sound, which no reader tells. */
bool app_audio_is_cut(int file, const char *format);

/* The descriptor of the source's file; -1: synthesized. It stays the source's. */
int app_audio_file(const struct app_audio *audio);

/* White noise -1..1: a hash of the number, no state. */
double app_audio_noise(uint32_t number);

#endif
