#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/process.h"
#include "app/io/audio_source.h"
#include "app/video/video.h"
#include "app/video/output.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "base/text.h"
#include "engine/rate.h"

/* The sound that goes into a video file. */
struct sound {
    int file;           /* what ffmpeg reads; -1: no sound */
    const char *format; /* of it, ffmpeg's name; NULL: it is our own, without a name: 16 bit
                           little-endian stereo samples without a header (which would bound its
                           length), cut to the video */
};

static void sound_free(struct sound *sound)
{
    if (sound->file >= 0) {
        (void)close(sound->file);
    }
    *sound = (struct sound){.file = -1};
}

enum { BLOCK = 4096 /* stereo frames */ };

static int refuse(const char *file, const char *what, const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = file};
    base_report(sink, BASE_ERROR, place, NULL, "%s", what);
    return -1;
}

static bool write_samples(FILE *file, struct app_audio *audio, uint64_t frames)
{
    float samples[2 * BLOCK];
    unsigned char bytes[4 * BLOCK];
    while (frames > 0 && !base_stop_wanted()) {
        const size_t wanted = frames < BLOCK ? (size_t)frames : BLOCK;
        const size_t got = app_audio_read(audio, samples, wanted);
        for (size_t i = 0; i < 2 * got; i++) {
            const long rounded = lrintf(samples[i] * 32767.0f);
            const int value = rounded > 32767 ? 32767 : rounded < -32767 ? -32767 : (int)rounded;
            bytes[2 * i] = (unsigned char)(value & 255);
            bytes[2 * i + 1] = (unsigned char)(value >> 8 & 255);
        }
        if (fwrite(bytes, 4, got, file) != got) {
            return false;
        }
        frames = got < wanted ? 0 : frames - got;
    }
    return true;
}

static int write_decoded(struct sound *sound, struct app_audio *audio, const char *output,
                         const struct app_video_format *format, const struct base_diag_sink *sink)
{
    const uint64_t frames = engine_rate_samples(format->rate, format->frames);
    const uint64_t start = (uint64_t)llround(format->audio_start * APP_AUDIO_RATE);
    if (app_audio_seek(audio, start) != 0) {
        return refuse(format->audio, "cannot begin at that place of the sound", sink);
    }
    char *name = base_part_of(output, ".sound.part");
    sound->file = name != NULL ? base_part_create(name) : -1;
    const int again = sound->file >= 0 ? fcntl(sound->file, F_DUPFD_CLOEXEC, 0) : -1;
    FILE *file = again >= 0 ? fdopen(again, "wb") : NULL;
    int reason = errno;
    if (sound->file >= 0) {
        (void)unlink(name); /* it has descriptors only */
    }
    free(name);
    if (file == NULL) {
        if (again >= 0) {
            (void)close(again);
        }
        return refuse(output, strerror(reason), sink);
    }
    bool written = write_samples(file, audio, frames);
    reason = errno;
    if (fclose(file) != 0 && written) {
        reason = errno;
        written = false;
    }
    if (base_stop_wanted()) {
        return refuse(NULL, "stopped", sink);
    }
    return written ? 0 : refuse(output, strerror(reason), sink);
}

/* Finds the sound file, or writes the samples into a nameless file beside the output: of
 * synthesized sound, and of files that ffmpeg is not given. Returns 0, or -1 with a message and
 * nothing left behind. */
static int sound_prepare(struct sound *sound, const char *output,
                         const struct app_video_format *format, const struct base_diag_sink *sink)
{
    *sound = (struct sound){.file = -1};
    if (format->audio == NULL) {
        return 0;
    }
    /* What there is to say of it was said to whoever chose it. */
    struct app_audio *audio = app_audio_open(format->audio, NULL);
    if (audio == NULL) {
        return refuse(format->audio, "the sound cannot be opened", sink);
    }
    bool only_ffmpeg = false;
    const int file = app_audio_file(audio);
    sound->format = file >= 0 ? app_audio_format(file, &only_ffmpeg) : NULL;
    int result = 0;
    if (sound->format == NULL) {
        result = write_decoded(sound, audio, output, format, sink);
    } else if ((sound->file = fcntl(file, F_DUPFD_CLOEXEC, 0)) < 0) {
        result = refuse(format->audio, strerror(errno), sink);
    }
    app_audio_close(audio);
    if (result != 0) {
        sound_free(sound);
    }
    return result;
}

enum { WORDS_MAX = 96, NUMBER_MAX = 32, FILTER_MAX = 320, QUALITIES = 3 };

static const char *const qualities[QUALITIES] = {"draft", "good", "fine"}; /* of --quality */
enum { USUAL_QUALITY = 1 };

/* What becomes of the pictures. Words of a command line are parted by blanks. */
struct codec {
    const char *name; /* of --codec */
    const char *words;
    const char *quality[QUALITIES];
    const char *pixels[QUALITIES]; /* ffmpeg's names of formats */
    const char *in_mov;            /* words for .mp4 and .mov */
    bool rated;                    /* it can keep to a bit rate */
    bool even;                     /* width and height must be */
};

static const struct codec codecs[] = {
    {"h264",
     "-c:v libx264 -preset medium",
     {"-crf 28", "-crf 18", "-crf 10"},
     {"yuv420p", "yuv420p", "yuv420p"},
     "",
     true,
     true},
    {"h265",
     "-c:v libx265 -preset medium -x265-params log-level=error",
     {"-crf 32", "-crf 22", "-crf 14"},
     {"yuv420p", "yuv420p", "yuv420p10le"},
     "-tag:v hvc1",
     true,
     true},
    {"av1",
     "-c:v libsvtav1 -preset 8",
     {"-crf 50", "-crf 35", "-crf 20"},
     {"yuv420p", "yuv420p", "yuv420p10le"},
     "",
     true,
     true},
    {"vp9",
     "-c:v libvpx-vp9 -row-mt 1",
     {"-crf 42 -b:v 0", "-crf 30 -b:v 0", "-crf 18 -b:v 0"},
     {"yuv420p", "yuv420p", "yuv420p"},
     "",
     true,
     false},
    {"prores",
     "-c:v prores_ks -vendor apl0",
     {"-profile:v proxy", "-profile:v hq", "-profile:v 4444"},
     {"yuv422p10le", "yuv422p10le", "yuv444p10le"},
     "",
     false,
     true},
};

struct container {
    const char *ending;
    const char *format; /* ffmpeg's name */
    const char *codecs; /* those that it holds, with commas between; the first is the usual one */
    const char *sound;
    const char *more;
    bool mov; /* one of its family */
};

static const struct container containers[] = {
    {".mp4", "mp4", "h264,h265,av1", "-c:a aac -b:a 192k", "-movflags +faststart", true},
    {".mov", "mov", "prores,h264,h265", "-c:a pcm_s24le", "", true},
    {".mkv", "matroska", "h264,h265,av1,vp9,prores", "-c:a aac -b:a 192k", "", false},
    {".webm", "webm", "vp9,av1", "-c:a libopus -b:a 160k", "", false},
    {".ts", "mpegts", "h264,h265", "-c:a aac -b:a 192k", "", false},
};

/* The same pictures and sound make the same bytes. Chapters keep their names. */
static const char repeatable[] = "-fflags +bitexact -flags:v +bitexact -flags:a +bitexact";
static const char no_names[] = "-map_metadata -1";
static const char chapter_names[] = "-map_metadata:g -1 -map_metadata:s -1";

struct ffmpeg {
    struct app_video video;
    struct app_process process;
    struct sound sound;
    const struct codec *codec;
    char *part;
    int file;     /* open under that name; -1: not made */
    int chapters; /* a nameless file with those; -1: none */
    bool fresh;   /* nothing stood at the output's name */
    bool joins;   /* pieces are read, in place of pictures */
    size_t frame_size;
};

/* The command line of ffmpeg with the texts that are made for it. */
struct command {
    const char *words[WORDS_MAX];
    size_t count;
    char size[NUMBER_MAX];
    char rate[NUMBER_MAX];
    char length[NUMBER_MAX];
    char offset[NUMBER_MAX];
    char bitrate[NUMBER_MAX];
    char threads[NUMBER_MAX];
    char filter[FILTER_MAX];
    char colours[FILTER_MAX];
    char texts[1024]; /* words that were cut out of longer texts */
    size_t used;
};

static const struct container *find_container(const char *output)
{
    const char *dot = strrchr(output, '.');
    size_t i = 0;
    while (!base_span_equal_nocase(base_span_of(dot), base_span_of(containers[i].ending))) {
        i++;
    }
    return &containers[i];
}

static void add(struct command *command, const char *word)
{
    if (command->count + 1 < WORDS_MAX) {
        command->words[command->count++] = word;
    }
}

/* Adds words that are parted by blanks. */
static void add_words(struct command *command, const char *words)
{
    while (*words != '\0') {
        const size_t size = strcspn(words, " ");
        char *word = command->texts + command->used;
        assert(command->used + size < sizeof command->texts);
        memcpy(word, words, size);
        word[size] = '\0';
        command->used += size + 1;
        add(command, word);
        words += size + strspn(words + size, " ");
    }
}

/* Whole microseconds, written without the locale's decimal point. */
static void format_seconds(char *text, size_t size, double seconds)
{
    const unsigned long long micro = (unsigned long long)(seconds * 1e6 + 0.5);
    (void)snprintf(text, size, "%llu.%06llu", micro / 1000000, micro % 1000000);
}

/* Pieces, whose times say where in the whole they are. */
static void add_pieces(struct command *command)
{
    add_words(command, "ffmpeg -nostdin -hide_banner -loglevel error -y -f mpegts "
                       "-protocol_whitelist pipe -i pipe:0");
}

static void add_pictures(struct command *command, const struct app_video_format *format)
{
    const uint32_t one = 1;
    const bool little_endian = *(const unsigned char *)&one == 1;
    const struct engine_rate rate = format->rate;
    (void)snprintf(command->size, sizeof command->size, "%dx%d", format->width, format->height);
    (void)snprintf(command->rate, sizeof command->rate, "%u/%u", rate.numerator, rate.denominator);
    add_words(command, "ffmpeg -nostdin -hide_banner -loglevel error -y -f rawvideo -pixel_format");
    add(command, little_endian ? "bgr0" : "0rgb");
    add(command, "-video_size");
    add(command, command->size);
    add(command, "-framerate");
    add(command, command->rate);
    add_words(command, "-protocol_whitelist pipe -i pipe:0");
}

/* The pictures are RGB; what comes out is told in each way that a version of ffmpeg heeds. */
static void add_coding(struct command *command, const struct app_video_format *format,
                       const struct container *container, const struct codec *codec)
{
    const char *matrix = app_video_is_high(format->height) ? "bt709" : "smpte170m";
    size_t quality = USUAL_QUALITY;
    for (size_t i = 0; format->quality != NULL && i < QUALITIES; i++) {
        quality = strcmp(qualities[i], format->quality) == 0 ? i : quality;
    }
    (void)snprintf(command->colours, sizeof command->colours,
                   "scale=out_color_matrix=%s:out_range=tv:"
                   "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=%s,"
                   "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=%s",
                   matrix, codec->pixels[quality], matrix);
    add_words(command, codec->words);
    if (format->bitrate > 0) {
        (void)snprintf(command->bitrate, sizeof command->bitrate, "%.0f", format->bitrate * 1e6);
        add(command, "-b:v");
        add(command, command->bitrate);
    } else {
        add_words(command, codec->quality[quality]);
    }
    add_words(command, container->mov ? codec->in_mov : "");
    if (format->threads > 0) {
        (void)snprintf(command->threads, sizeof command->threads, "%zu", format->threads);
        add(command, "-threads");
        add(command, command->threads);
    }
    add(command, "-vf");
    add(command, command->colours);
    add(command, "-colorspace");
    add(command, matrix);
    add_words(command, "-color_primaries bt709 -color_trc bt709 -color_range tv");
}

/* Behind the sound, among the inputs. */
static void add_chapters(struct command *command, const struct ffmpeg *ffmpeg)
{
    if (ffmpeg->chapters >= 0) {
        add_words(command, "-protocol_whitelist file -f ffmetadata -i");
        add(command,
            ffmpeg->sound.file >= 0 ? "file:" APP_PROCESS_FILE_2 : "file:" APP_PROCESS_FILE_1);
    }
}

static void build(struct command *command, const struct ffmpeg *ffmpeg,
                  const struct app_video_format *format)
{
    const struct container *container = find_container(ffmpeg->video.output);
    if (ffmpeg->joins) {
        add_pieces(command);
    } else {
        add_pictures(command, format);
    }
    /* The sound is cut at its start by samples, not by a seek that depends on its file, and
     * lengthened with silence; it then ends where the pictures do. */
    const bool own = ffmpeg->sound.format == NULL;
    if (ffmpeg->sound.file >= 0) {
        if (own) {
            add_words(command, "-protocol_whitelist file -f s16le -ar 44100 -ac 2 "
                               "-i file:" APP_PROCESS_FILE_0);
        } else {
            char input[sizeof APP_AUDIO_FFMPEG_INPUT + 32];
            (void)snprintf(input, sizeof input, APP_AUDIO_FFMPEG_INPUT, ffmpeg->sound.format,
                           ffmpeg->sound.format);
            add_words(command, input);
        }
        add_chapters(command, ffmpeg);
        add_words(command, "-map 0:v:0 -map 1:a:0");
        char start[NUMBER_MAX];
        format_seconds(start, sizeof start, own ? 0 : format->audio_start);
        (void)snprintf(command->filter, sizeof command->filter,
                       "atrim=start=%s,asetpts=PTS-STARTPTS,apad", start);
        add(command, "-af");
        add(command, command->filter);
        add_words(command, container->sound);
    } else {
        add_chapters(command, ffmpeg);
    }
    if (ffmpeg->chapters >= 0) {
        add_words(command, ffmpeg->sound.file >= 0 ? "-map_chapters 2" : "-map_chapters 1");
    }
    if (ffmpeg->joins) {
        add_words(command, "-c:v copy");
        add_words(command, container->mov ? ffmpeg->codec->in_mov : "");
    } else {
        add_coding(command, format, container, ffmpeg->codec);
    }
    if (format->is_piece) {
        /* A second earlier there is room for pictures that others are made of. */
        format_seconds(command->offset, sizeof command->offset,
                       1 + engine_rate_seconds(format->rate, format->piece_from));
        add(command, "-output_ts_offset");
        add(command, command->offset);
        add_words(command, "-muxdelay 0 -muxpreload 0 -avoid_negative_ts disabled");
    }
    add_words(command, ffmpeg->chapters >= 0 ? chapter_names : no_names);
    add_words(command, repeatable);
    add_words(command, container->more);
    add(command, "-shortest");
    if (format->frames > 0) {
        format_seconds(command->length, sizeof command->length,
                       engine_rate_seconds(format->rate, format->frames));
        add(command, "-t");
        add(command, command->length);
    }
    add(command, "-f");
    add(command, container->format);
    add(command, ffmpeg->sound.file >= 0 ? "file:" APP_PROCESS_FILE_1 : "file:" APP_PROCESS_FILE_0);
}

/* A name as ffmpeg's format of metadata has it. */
static void put_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++) {
        if (strchr("=;#\\", *name) != NULL) {
            (void)fputc('\\', file);
        }
        (void)fputc(*name == '\n' ? ' ' : *name, file);
    }
}

/* Writes the chapters into a nameless file beside the output. Returns 0, or -1 with a message. */
static int chapters_prepare(struct ffmpeg *ffmpeg, const struct app_video_format *format)
{
    static const double milliseconds = 1000;
    if (format->chapter_count == 0) {
        return 0;
    }
    char *name = base_part_of(ffmpeg->video.output, ".chapters.part");
    ffmpeg->chapters = name != NULL ? base_part_create(name) : -1;
    const int again = ffmpeg->chapters >= 0 ? fcntl(ffmpeg->chapters, F_DUPFD_CLOEXEC, 0) : -1;
    FILE *file = again >= 0 ? fdopen(again, "w") : NULL;
    if (ffmpeg->chapters >= 0) {
        (void)unlink(name); /* it has descriptors only */
    }
    free(name);
    if (file == NULL) {
        app_video_fail_system(&ffmpeg->video, "the chapters cannot be written", errno);
        return -1;
    }
    (void)fprintf(file, ";FFMETADATA1\n");
    for (size_t i = 0; i < format->chapter_count; i++) {
        const struct app_video_chapter *chapter = &format->chapters[i];
        (void)fprintf(file, "[CHAPTER]\nTIMEBASE=1/1000\nSTART=%lld\nEND=%lld\ntitle=",
                      llround(chapter->begin * milliseconds), llround(chapter->end * milliseconds));
        put_name(file, chapter->name);
        (void)fputc('\n', file);
    }
    if (fclose(file) != 0 || lseek(ffmpeg->chapters, 0, SEEK_SET) != 0) {
        app_video_fail_system(&ffmpeg->video, "the chapters cannot be written", errno);
        return -1;
    }
    return 0;
}

static int start(struct ffmpeg *ffmpeg, const struct app_video_format *format)
{
    struct command command = {.count = 0};
    int files[APP_PROCESS_FILES];
    size_t count = 0;
    build(&command, ffmpeg, format);
    if (ffmpeg->sound.file >= 0) {
        files[count++] = ffmpeg->sound.file;
    }
    files[count++] = ffmpeg->file;
    if (ffmpeg->chapters >= 0) {
        files[count++] = ffmpeg->chapters;
    }
    const int error =
        app_process_start(&ffmpeg->process, command.words, APP_PROCESS_FED, files, count);
    if (error == ENOENT) {
        app_video_fail(&ffmpeg->video,
                       "install it (Debian: apt install ffmpeg) or render to PNG files",
                       "ffmpeg was not found");
    } else if (error != 0) {
        app_video_fail_system(&ffmpeg->video, "ffmpeg cannot be started", error);
    }
    return error == 0 ? 0 : -1;
}

/* What ffmpeg itself said is worth more than its exit code. */
static void report_end(const struct ffmpeg *ffmpeg, int code)
{
    if (base_stop_insisted()) {
        app_video_fail(&ffmpeg->video, NULL, "stopped, nothing is kept");
        return;
    }
    char what[80] = "ffmpeg did not complete the video";
    if (code > 128) {
        (void)snprintf(what, sizeof what, "ffmpeg was ended by signal %d", code - 128);
    } else if (code > 0) {
        (void)snprintf(what, sizeof what, "ffmpeg ended with exit code %d", code);
    }
    app_video_fail(&ffmpeg->video, NULL, what);
    const struct base_place place = {.file = "ffmpeg"};
    app_process_report(&ffmpeg->process, &ffmpeg->video.sink, place);
}

static int ffmpeg_frame(struct app_video *video, const uint32_t *pixels)
{
    struct ffmpeg *ffmpeg = (struct ffmpeg *)video;
    if (app_process_write(&ffmpeg->process, pixels, ffmpeg->frame_size) != 0) {
        report_end(ffmpeg, app_process_finish(&ffmpeg->process));
        return -1;
    }
    return 0;
}

static void ffmpeg_discard(struct app_video *video)
{
    struct ffmpeg *ffmpeg = (struct ffmpeg *)video;
    app_process_kill(&ffmpeg->process);
    sound_free(&ffmpeg->sound);
    if (ffmpeg->file >= 0) {
        (void)close(ffmpeg->file);
        (void)remove(ffmpeg->part);
    }
    base_file_close(&ffmpeg->chapters);
    app_video_leave_folder(video);
    free(ffmpeg->part);
    free(ffmpeg);
}

/* The first NAME-2, NAME-3 and so on that is free. */
int app_video_put(const char *part, const char *output, bool fresh,
                  const struct base_diag_sink *sink)
{
    enum { NAMES_MAX = 1000 };
    struct stat status;
    if (!fresh || lstat(output, &status) != 0) {
        return rename(part, output);
    }
    const char *ending = strrchr(output, '.');
    const size_t size = strlen(output) + NUMBER_MAX;
    char *name = malloc(size);
    int result = -1;
    errno = name == NULL ? ENOMEM : EEXIST;
    for (int i = 2; name != NULL && result != 0 && i < NAMES_MAX; i++) {
        (void)snprintf(name, size, "%.*s-%d%s", (int)(ending - output), output, i, ending);
        if (lstat(name, &status) != 0) {
            result = rename(part, name);
            break;
        }
    }
    if (result == 0) {
        const struct base_place place = {.file = output};
        base_report(sink, BASE_WARNING, place, NULL,
                    "another file has come there meanwhile; the video is %s", name);
    }
    free(name);
    return result;
}

static int ffmpeg_finish(struct app_video *video)
{
    struct ffmpeg *ffmpeg = (struct ffmpeg *)video;
    const int code = app_process_finish(&ffmpeg->process);
    /* ffmpeg 5 ends with exit code 0 when the disk is full at the very end; -xerror would help, but
     * also refuse sound files with a small flaw. */
    struct stat status;
    const bool empty = fstat(ffmpeg->file, &status) == 0 && status.st_size == 0;
    const bool complete = code == 0 && !empty &&
                          !app_process_said(&ffmpeg->process, "Error writing trailer") &&
                          !app_process_said(&ffmpeg->process, "Error closing file");
    int result = 0;
    if (!complete) {
        report_end(ffmpeg, code);
        result = -1;
    } else if (app_video_put(ffmpeg->part, video->output, ffmpeg->fresh, &video->sink) != 0) {
        app_video_fail_system(video, "the finished video cannot be put there", errno);
        result = -1;
    }
    ffmpeg_discard(video);
    return result;
}

/* The codec that is wanted, or the usual one of the container. NULL with a message if they do not
 * go together. */
static const struct codec *choose_codec(const char *output, const struct app_video_format *format,
                                        const struct base_diag_sink *sink)
{
    const struct container *container = find_container(output);
    const struct base_place place = {.file = output};
    const char *wanted = format->codec != NULL ? format->codec : container->codecs;
    const size_t size = strcspn(wanted, ",");
    const char *at = container->codecs;
    while (at != NULL && (strncmp(at, wanted, size) != 0 || strcspn(at, ",") != size)) {
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    if (at == NULL) {
        char hint[96];
        (void)snprintf(hint, sizeof hint, "it takes %s", container->codecs);
        base_report(sink, BASE_ERROR, place, hint, "%s does not hold %s", container->ending,
                    wanted);
        return NULL;
    }
    const struct codec *codec = codecs;
    while (strncmp(codec->name, at, size) != 0) {
        codec++;
    }
    if (codec->even && (format->width % 2 != 0 || format->height % 2 != 0)) {
        base_report(sink, BASE_ERROR, place, "use even width and height, or .webm",
                    "%dx%d does not fit this kind of video", format->width, format->height);
        return NULL;
    }
    if (format->bitrate > 0 && (format->quality != NULL || !codec->rated)) {
        base_report(sink, BASE_ERROR, place, codec->rated ? "give one of them" : "give --quality",
                    codec->rated ? "--quality and --bitrate exclude each other"
                                 : "%s keeps to no --bitrate",
                    codec->name);
        return NULL;
    }
    return codec;
}

static struct app_video *open_video(const char *output, const struct app_video_format *format,
                                    bool joins, const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {ffmpeg_frame, ffmpeg_finish,
                                                           ffmpeg_discard, NULL};
    const struct base_place place = {.file = output};
    const struct codec *codec = choose_codec(output, format, sink);
    if (codec == NULL) {
        return NULL;
    }
    struct ffmpeg *ffmpeg = calloc(1, sizeof *ffmpeg);
    if (ffmpeg == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory");
        return NULL;
    }
    ffmpeg->video = (struct app_video){&operations,
                                       sink != NULL ? *sink : (struct base_diag_sink){0},
                                       output,
                                       format->width,
                                       format->height,
                                       NULL,
                                       0};
    struct stat status;
    ffmpeg->fresh = !format->is_piece && lstat(output, &status) != 0;
    ffmpeg->codec = codec;
    ffmpeg->joins = joins;
    ffmpeg->process = APP_PROCESS_NONE;
    ffmpeg->sound.file = ffmpeg->file = ffmpeg->chapters = -1;
    ffmpeg->frame_size = (size_t)format->width * (size_t)format->height * sizeof(uint32_t);
    ffmpeg->part = base_part_of(output, ".part");
    if (ffmpeg->part == NULL) {
        app_video_fail(&ffmpeg->video, NULL, "not enough memory");
        ffmpeg_discard(&ffmpeg->video);
        return NULL;
    }
    /* A folder that cannot be made or is closed to us is noticed here, in clearer words than
     * ffmpeg's. */
    if (app_video_make_folder(&ffmpeg->video) == 0 &&
        (ffmpeg->file = app_video_claim(&ffmpeg->video, output, ffmpeg->part)) >= 0 &&
        sound_prepare(&ffmpeg->sound, output, format, sink) == 0 &&
        chapters_prepare(ffmpeg, format) == 0 && start(ffmpeg, format) == 0) {
        return &ffmpeg->video;
    }
    ffmpeg_discard(&ffmpeg->video);
    return NULL;
}

struct app_video *app_video_open_ffmpeg(const char *output, const struct app_video_format *format,
                                        const struct base_diag_sink *sink)
{
    return open_video(output, format, false, sink);
}

/* ---- pieces ---- */

/* The bytes of one. Returns 0, or -1 with a message. */
static int feed_piece(struct ffmpeg *ffmpeg, const char *path)
{
    enum { BYTES = 1 << 16 };
    char bytes[BYTES];
    FILE *file = fopen(path, "rb");
    size_t got = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    int result = 0;
    for (; got > 0 && result == 0; got = fread(bytes, 1, sizeof bytes, file)) {
        if (app_process_write(&ffmpeg->process, bytes, got) != 0) {
            report_end(ffmpeg, app_process_finish(&ffmpeg->process));
            result = -1;
        }
    }
    if (result == 0 && (file == NULL || ferror(file))) {
        result = refuse(path, strerror(errno), &ffmpeg->video.sink);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return result;
}

bool app_video_joins(const char *output)
{
    const char *dot = strrchr(output, '.');
    return dot != NULL &&
           (strcmp(dot, ".mp4") == 0 || strcmp(dot, ".mov") == 0 || strcmp(dot, ".mkv") == 0);
}

int app_video_join(const char *const *pieces, size_t count, const char *output,
                   const struct app_video_format *format, const struct base_diag_sink *sink)
{
    if (!app_video_joins(output)) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = output},
                    "name a file .mp4, .mov or .mkv", "pieces are not joined into such a file");
        return -1;
    }
    struct app_video *video = open_video(output, format, true, sink);
    int result = video != NULL ? 0 : -1;
    for (size_t i = 0; i < count && result == 0; i++) {
        result = base_stop_wanted() ? refuse(NULL, "stopped", sink)
                                    : feed_piece((struct ffmpeg *)video, pieces[i]);
    }
    if (result == 0) {
        return app_video_finish(video);
    }
    app_video_discard(video);
    return -1;
}
