#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/io/audio.h"
#include "app/io/process.h"
#include "app/io/rate.h"
#include "app/io/video.h"
#include "app/io/video_output.h"
#include "base/os/stop.h"
#include "base/text.h"

/* The sound that goes into a video file. */
struct sound {
    char *path;     /* of what ffmpeg reads; owned; NULL: no sound */
    bool synthetic; /* path is our own, removed at the end: 16 bit little-endian stereo samples
                       without a header (which would bound its length), cut to the video */
};

/* Removes what was written and frees. */
static void sound_free(struct sound *sound)
{
    if (sound->synthetic) {
        (void)remove(sound->path);
    }
    free(sound->path);
    *sound = (struct sound){0};
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

static int write_synthetic(struct sound *sound, struct app_audio *audio,
                           const struct app_video_format *format, const struct base_diag_sink *sink)
{
    const uint64_t frames = app_rate_samples(app_rate_of(format->fps), format->frames);
    const uint64_t start = (uint64_t)llround(format->audio_start * APP_AUDIO_RATE);
    if (app_audio_seek(audio, start) != 0) {
        return refuse(format->audio, "cannot begin at that place of the sound", sink);
    }
    FILE *file = fopen(sound->path, "wb");
    if (file == NULL) {
        return refuse(sound->path, strerror(errno), sink);
    }
    sound->synthetic = true;
    bool written = write_samples(file, audio, frames);
    int reason = errno;
    if (fclose(file) != 0 && written) {
        reason = errno;
        written = false;
    }
    if (base_stop_wanted()) {
        return refuse(NULL, "stopped", sink);
    }
    return written ? 0 : refuse(sound->path, strerror(reason), sink);
}

/* Finds the sound file, or writes synthesized sound beside the output. Returns 0, or -1 with a
 * message and nothing left behind. */
static int sound_prepare(struct sound *sound, const char *output,
                         const struct app_video_format *format, const struct base_diag_sink *sink)
{
    *sound = (struct sound){0};
    if (format->audio == NULL) {
        return 0;
    }
    struct app_audio *audio = app_audio_open(format->audio, sink);
    if (audio == NULL) {
        return -1;
    }
    const char *path = app_audio_path(audio);
    sound->path = path != NULL ? strdup(path) : app_video_part(output, ".sound.part");
    int result = 0;
    if (sound->path == NULL) {
        result = refuse(output, "not enough memory", sink);
    } else if (path == NULL) {
        result = write_synthetic(sound, audio, format, sink);
    }
    app_audio_close(audio);
    if (result != 0) {
        sound_free(sound);
    }
    return result;
}

enum { WORDS_MAX = 80, NUMBER_MAX = 32, FILTER_MAX = 96 };

static const char *const h264[] = {"-c:v", "libx264", "-crf", "18", "-preset", "medium", NULL};
static const char *const vp9[] = {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v",
                                  "0",    "-row-mt",    "1",    NULL};
static const char *const aac[] = {"-c:a", "aac", "-b:a", "192k", NULL};
static const char *const opus[] = {"-c:a", "libopus", "-b:a", "160k", NULL};
static const char *const index_first[] = {"-movflags", "+faststart", NULL};
static const char *const nothing[] = {NULL};

struct container {
    const char *ending;
    const char *format; /* ffmpeg's name */
    const char *const *video;
    const char *const *sound;
    const char *const *more;
    bool even; /* width and height must be */
};

static const struct container containers[] = {
    {".mp4", "mp4", h264, aac, index_first, true},
    {".mkv", "matroska", h264, aac, nothing, true},
    {".webm", "webm", vp9, opus, nothing, false},
};

/* The pictures are RGB; what comes out is BT.709 in limited range, and says so. */
static const char *const colours[] = {
    "-vf",
    "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int,"
    "format=yuv420p",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
    NULL,
};

/* The same pictures and sound make the same bytes. */
static const char *const repeatable[] = {"-map_metadata", "-1",        "-fflags",
                                         "+bitexact",     "-flags:v",  "+bitexact",
                                         "-flags:a",      "+bitexact", NULL};

struct ffmpeg {
    struct app_video video;
    struct app_process process;
    struct sound sound;
    char *part;
    size_t frame_size;
};

/* The command line of ffmpeg with the texts that are made for it. */
struct command {
    const char *words[WORDS_MAX];
    size_t count;
    char size[NUMBER_MAX];
    char rate[NUMBER_MAX];
    char length[NUMBER_MAX];
    char filter[FILTER_MAX];
    char *input;
    char *output;
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

static void add_all(struct command *command, const char *const *words)
{
    for (; *words != NULL; words++) {
        add(command, *words);
    }
}

/* `file:` keeps ffmpeg from taking the name for an option or an address. */
static char *file_name(const char *path)
{
    const size_t size = strlen(path) + sizeof "file:";
    char *name = malloc(size);
    if (name != NULL) {
        (void)snprintf(name, size, "file:%s", path);
    }
    return name;
}

/* Whole microseconds, written without the locale's decimal point. */
static void format_seconds(char *text, size_t size, double seconds)
{
    const unsigned long long micro = (unsigned long long)(seconds * 1e6 + 0.5);
    (void)snprintf(text, size, "%llu.%06llu", micro / 1000000, micro % 1000000);
}

static void add_pictures(struct command *command, const struct app_video_format *format)
{
    const uint32_t one = 1;
    const bool little_endian = *(const unsigned char *)&one == 1;
    const struct app_rate rate = app_rate_of(format->fps);
    (void)snprintf(command->size, sizeof command->size, "%dx%d", format->width, format->height);
    (void)snprintf(command->rate, sizeof command->rate, "%u/%u", rate.numerator, rate.denominator);
    const char *const words[] = {"ffmpeg",
                                 "-nostdin",
                                 "-hide_banner",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pixel_format",
                                 little_endian ? "bgr0" : "0rgb",
                                 "-video_size",
                                 command->size,
                                 "-framerate",
                                 command->rate,
                                 "-i",
                                 "pipe:0",
                                 NULL};
    add_all(command, words);
}

static void build(struct command *command, const struct ffmpeg *ffmpeg,
                  const struct app_video_format *format)
{
    const struct container *container = find_container(ffmpeg->video.output);
    add_pictures(command, format);
    /* The sound is cut at its start by samples, not by a seek that depends on its file, and
     * lengthened with silence; -t then cuts it where the pictures end. */
    if (ffmpeg->sound.path != NULL) {
        if (ffmpeg->sound.synthetic) {
            static const char *const raw[] = {"-f", "s16le", "-ar", "44100", "-ac", "2", NULL};
            add_all(command, raw);
        }
        const char *const words[] = {"-i", command->input, "-map", "0:v:0", "-map", "1:a:0", NULL};
        add_all(command, words);
        char start[NUMBER_MAX];
        format_seconds(start, sizeof start, ffmpeg->sound.synthetic ? 0 : format->audio_start);
        (void)snprintf(command->filter, sizeof command->filter,
                       "atrim=start=%s,asetpts=PTS-STARTPTS,apad", start);
        add(command, "-af");
        add(command, command->filter);
        add_all(command, container->sound);
    }
    add_all(command, container->video);
    add_all(command, colours);
    add_all(command, repeatable);
    add_all(command, container->more);
    if (format->frames == 0) {
        add(command, "-shortest");
    } else {
        format_seconds(command->length, sizeof command->length,
                       app_rate_seconds(app_rate_of(format->fps), format->frames));
        add(command, "-t");
        add(command, command->length);
    }
    add(command, "-f");
    add(command, container->format);
    add(command, command->output);
}

static int start(struct ffmpeg *ffmpeg, const struct app_video_format *format)
{
    struct command command = {.input =
                                  file_name(ffmpeg->sound.path != NULL ? ffmpeg->sound.path : ""),
                              .output = file_name(ffmpeg->part)};
    int error = ENOMEM;
    if (command.input != NULL && command.output != NULL) {
        build(&command, ffmpeg, format);
        error = app_process_start(&ffmpeg->process, command.words);
    }
    free(command.input);
    free(command.output);
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
    if (base_stop_wanted()) {
        app_video_fail(&ffmpeg->video, NULL, "stopped");
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
    if (ffmpeg->part != NULL) {
        (void)remove(ffmpeg->part);
    }
    app_video_leave_folder(video);
    free(ffmpeg->part);
    free(ffmpeg);
}

static int ffmpeg_finish(struct app_video *video)
{
    struct ffmpeg *ffmpeg = (struct ffmpeg *)video;
    const int code = app_process_finish(&ffmpeg->process);
    /* ffmpeg 5 ends with exit code 0 when the disk is full at the very end; -xerror would help, but
     * also refuse sound files with a small flaw. */
    struct stat status;
    const bool empty = stat(ffmpeg->part, &status) == 0 && status.st_size == 0;
    const bool complete = code == 0 && !empty &&
                          !app_process_said(&ffmpeg->process, "Error writing trailer") &&
                          !app_process_said(&ffmpeg->process, "Error closing file");
    int result = 0;
    if (!complete) {
        report_end(ffmpeg, code);
        result = -1;
    } else if (rename(ffmpeg->part, video->output) != 0) {
        app_video_fail_system(video, "the finished video cannot be put there", errno);
        result = -1;
    }
    ffmpeg_discard(video);
    return result;
}

/* A folder that cannot be made or is closed to us is noticed here, in clearer words than ffmpeg's.
 */
static int claim(struct ffmpeg *ffmpeg)
{
    struct app_video *video = &ffmpeg->video;
    char *part = app_video_part(video->output, ".part");
    if (part == NULL) {
        app_video_fail(video, NULL, "not enough memory");
        return -1;
    }
    ffmpeg->part = part;
    if (app_video_make_folder(video) != 0) {
        return -1;
    }
    return app_video_claim(video, video->output, part);
}

struct app_video *app_video_open_ffmpeg(const char *output, const struct app_video_format *format,
                                        const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {ffmpeg_frame, ffmpeg_finish,
                                                           ffmpeg_discard};
    const struct base_place place = {.file = output};
    if (find_container(output)->even && (format->width % 2 != 0 || format->height % 2 != 0)) {
        base_report(sink, BASE_ERROR, place, "use even width and height, or .webm",
                    "%dx%d does not fit this kind of video", format->width, format->height);
        return NULL;
    }
    struct ffmpeg *ffmpeg = calloc(1, sizeof *ffmpeg);
    if (ffmpeg == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory");
        return NULL;
    }
    ffmpeg->video =
        (struct app_video){&operations,    sink != NULL ? *sink : (struct base_diag_sink){0},
                           output,         format->width,
                           format->height, NULL};
    ffmpeg->process = (struct app_process){.id = -1, .input = -1, .messages = -1};
    ffmpeg->frame_size = (size_t)format->width * (size_t)format->height * sizeof(uint32_t);
    if (claim(ffmpeg) == 0 && sound_prepare(&ffmpeg->sound, output, format, sink) == 0 &&
        start(ffmpeg, format) == 0) {
        return &ffmpeg->video;
    }
    ffmpeg_discard(&ffmpeg->video);
    return NULL;
}
