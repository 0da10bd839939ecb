/* Streams and recordings: pictures and sound through ffmpeg, which codes and sends them. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/process.h"
#include "app/io/audio.h"
#include "app/video/video.h"
#include "app/share/matroska.h"
#include "app/share/target.h"
#include "base/os/file.h"
#include "engine/rate.h"

static const struct encoder {
    const char *name;
    const char *device;
    const char *before;
    const char *pixels;
    const char *words;
    const char *quality;
} encoders[] = {
#define APP_SHARE_ENCODER(name, device, before, pixels, words, quality)                            \
    {name, device, before, pixels, words, quality},
#include "app/share/encoders.def"
};

/* How pictures and sound are put together, by the address or the file's ending. */
static const struct container {
    const char *prefix; /* of an address; NULL: of a file */
    const char *ending;
    const char *words;
} containers[] = {
    {"srt://", NULL, "-c:a aac -b:a 160k -f mpegts"},
    {"rtmp://", NULL, "-c:a aac -b:a 160k -f flv"},
    {"rtmps://", NULL, "-c:a aac -b:a 160k -f flv"},
    /* In fragments: what a power failure leaves can be played. */
    {NULL, ".mp4",
     "-c:a aac -b:a 192k -movflags +frag_keyframe+empty_moov+default_base_moof -f mp4"},
    {NULL, ".mov",
     "-c:a aac -b:a 192k -movflags +frag_keyframe+empty_moov+default_base_moof -f mov"},
    {NULL, ".mkv", "-c:a aac -b:a 192k -f matroska"},
    {NULL, ".ts", "-c:a aac -b:a 192k -f mpegts"},
};

static const struct container *find_container(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash != NULL ? slash + 1 : name, '.');
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++) {
        const struct container *container = &containers[i];
        if (container->prefix != NULL
                ? strncmp(name, container->prefix, strlen(container->prefix)) == 0
                : dot != NULL &&
                      base_span_equal_nocase(base_span_of(dot), base_span_of(container->ending))) {
            return container;
        }
    }
    return NULL;
}

int app_share_check_recording(const char *file, const struct app_options *options,
                              const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = file};
    if (find_container(file) == NULL) {
        base_report(sink, BASE_ERROR, place,
                    "name a file .mp4, .mov, .mkv or .ts, or srt://HOST:PORT, rtmp://HOST/PATH",
                    "the ending of the recording is not known");
        return APP_EXIT_USAGE;
    }
    if (base_is_folder(file)) {
        base_report(sink, BASE_ERROR, place, "name a new file", "is a folder");
        return APP_EXIT_FAILED;
    }
    return app_video_settle(file, options->overwrite, sink) == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

/* ---- ffmpeg's command line ---- */

enum { WORDS_MAX = 96, TEXTS_MAX = 4096 };

struct command {
    const char *words[WORDS_MAX];
    size_t count;
    char texts[TEXTS_MAX];
    size_t used;
};

static void add_word(struct command *command, const char *word)
{
    if (command->count + 1 < WORDS_MAX) {
        command->words[command->count++] = word;
        command->words[command->count] = NULL;
    }
}

/* Adds words that are parted by blanks. */
__attribute__((format(printf, 2, 3))) static void add(struct command *command, const char *format,
                                                      ...)
{
    char *at = command->texts + command->used;
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(at, sizeof command->texts - command->used, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof command->texts - command->used) {
        return;
    }
    command->used += (size_t)size + 1;
    for (char *word = at; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        const bool last = word[length] == '\0';
        word[length] = '\0';
        if (length > 0) {
            add_word(command, word);
        }
        word += length + !last;
    }
}

struct stream {
    struct app_share_target *target;
    const struct container *container;
    const struct encoder *encoder; /* NULL: not chosen yet */
    struct app_process process;
    bool recording;
    char *part;        /* of a recording, until it is whole */
    int file;          /* open under that name; -1: not made */
    bool fresh;        /* nothing stood at the recording's name */
    double begun;      /* the painter's clock of the first picture; negative: none yet */
    uint64_t heard;    /* stereo frames of sound that were taken from the ring */
    double sound_time; /* of the next sound, since the first picture; negative: as the picture */
    double moved;      /* clock at which ffmpeg took anything last */
    double started;    /* clock */
    uint64_t pictures; /* that this ffmpeg got */
    bool gone;         /* it takes no more */
    int16_t sound[2 * APP_AUDIO_RATE];
    float samples[2 * APP_AUDIO_RATE];
};

static double megabits(const struct stream *stream)
{
    static const double bits_per_pixel = 0.1;
    static const double least = 1;
    static const double most = 50;
    const struct app_share_format *format = &stream->target->format;
    const double asked = stream->target->options->bitrate;
    const double usual =
        bits_per_pixel * format->width * format->height * engine_rate_value(format->rate) / 1e6;
    return asked > 0 ? asked : fmin(fmax(usual, least), most);
}

/* What becomes of pictures, for a try as for the stream itself. */
static void add_coding(struct command *command, const struct stream *stream,
                       const struct encoder *encoder)
{
    enum { HIGH_LINES = 720, KEY_SECONDS = 2 };
    const struct app_share_format *format = &stream->target->format;
    const struct engine_rate rate = format->rate;
    const char *matrix = format->height >= HIGH_LINES ? "bt709" : "smpte170m";
    const size_t threads = (base_processor_count() + 1) / 2;
    add(command,
        "-vf fps=%u/%u,pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=%s:out_range=tv,"
        "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=%s,%s",
        rate.numerator, rate.denominator, matrix, matrix, encoder->pixels);
    add(command, "%s -threads:v %zu -g %d", encoder->words, threads,
        (int)ceil(KEY_SECONDS * engine_rate_value(rate)));
    if (stream->recording && stream->target->options->bitrate <= 0 && encoder->quality[0] != '\0') {
        add(command, "%s", encoder->quality);
    } else {
        const double kilobits = 1000 * megabits(stream);
        add(command, "-b:v %.0fk -maxrate:v %.0fk -bufsize:v %.0fk", kilobits, kilobits,
            2 * kilobits);
    }
}

static const char head[] = "ffmpeg -nostdin -hide_banner -loglevel error -y";

/* ---- which encoder ---- */

/* Whether the encoder makes something of two black pictures. */
static bool works(const struct stream *stream, const struct encoder *encoder, int *error)
{
    const struct app_share_format *format = &stream->target->format;
    const struct app_confine_rights rights = {.encoders = true, .behind = true};
    struct app_process process;
    struct command command = {.count = 0};
    struct stat about;
    char byte;
    *error = 0;
    if (encoder->device[0] != '\0' && stat(encoder->device, &about) != 0) {
        return false;
    }
    add(&command, "%s %s -f lavfi -i color=size=%dx%d:rate=%u/%u", head, encoder->before,
        format->width, format->height, format->rate.numerator, format->rate.denominator);
    add_coding(&command, stream, encoder);
    add(&command, "-frames:v 2 -f null -");
    *error = app_process_start_with(&process, command.words, APP_PROCESS_READ, NULL, 0, &rights);
    if (*error != 0) {
        return false;
    }
    process.stop = &stream->target->quit;
    (void)app_process_read(&process, &byte, 1);
    return app_process_finish(&process) == 0;
}

static bool choose_encoder(struct stream *stream)
{
    struct app_share_target *target = stream->target;
    int error = 0;
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders && error != ENOENT; i++) {
        if (works(stream, &encoders[i], &error)) {
            stream->encoder = &encoders[i];
            return true;
        }
    }
    if (!atomic_load(&target->quit)) {
        app_share_wrong(target, error == ENOENT ? "install it (Debian: apt install ffmpeg)" : NULL,
                        error == ENOENT ? "ffmpeg was not found"
                        : error != 0    ? app_apart_error(error)
                                        : "ffmpeg has no encoder for H.264 that works here");
    }
    return false;
}

/* ---- what ffmpeg says ---- */

static void hide(struct app_process *process, const char *secret, size_t size)
{
    enum { WORTH = 4 /* bytes; shorter ones are found everywhere */ };
    for (size_t at = 0; size >= WORTH && at + size <= process->tail_size; at++) {
        if (memcmp(process->tail + at, secret, size) == 0) {
            memset(process->tail + at, '*', size);
        }
    }
}

/* What stands in an address behind or before its host may be a key or a password. */
static void hide_secrets(struct stream *stream)
{
    if (stream->recording) {
        return;
    }
    const char *host = stream->target->place + strlen(stream->container->prefix);
    const char *path = host + strcspn(host, "/?");
    const char *sign = memchr(host, '@', (size_t)(path - host));
    hide(&stream->process, path, strlen(path));
    if (sign != NULL) {
        hide(&stream->process, host, (size_t)(sign - host));
    }
    for (const char *at = path; *at != '\0';) {
        const size_t size = strcspn(at, "/?&=");
        hide(&stream->process, at, size);
        at += size + (at[size] != '\0');
    }
}

static void tell_messages(struct stream *stream)
{
    hide_secrets(stream);
    app_process_report(&stream->process, stream->target->sink,
                       (struct base_place){.file = stream->target->name});
}

/* ---- one ffmpeg ---- */

static bool start(struct stream *stream)
{
    const struct app_confine_rights rights = {
        .network = !stream->recording, .encoders = true, .behind = true};
    struct app_share_target *target = stream->target;
    struct command command = {.count = 0};
    unsigned char bytes[APP_MATROSKA_HEAD];
    add(&command, "%s %s -protocol_whitelist pipe -f matroska -i pipe:0 -map 0:v:0 -map 0:a:0",
        head, stream->encoder->before);
    add_coding(&command, stream, stream->encoder);
    add(&command, "-af aresample=async=1:first_pts=0 %s", stream->container->words);
    add_word(&command, stream->recording ? "file:" APP_PROCESS_FILE_0 : target->place);
    const int error = app_process_start_with(&stream->process, command.words, APP_PROCESS_FED,
                                             &stream->file, stream->recording, &rights);
    if (error != 0) {
        app_share_wrong(target, NULL, app_apart_error(error));
        return false;
    }
    stream->begun = stream->sound_time = -1;
    stream->pictures = 0;
    stream->gone = false;
    stream->started = stream->moved = base_clock_seconds();
    const size_t size =
        app_matroska_head(bytes, target->format.width, target->format.height, target->format.rate);
    /* The pipe is empty. */
    (void)app_process_offer(&stream->process, bytes, size, 1, &stream->gone);
    /* Sound from before is not this stream's. */
    base_ring_keep(&target->sound, 0);
    atomic_store(&target->wanted, true);
    return true;
}

static const double turn = 0.5; /* seconds between two looks */

/* Seconds in which the other end takes nothing, until it is given up: once it was reached, before,
 * and where froth ends. Disks and processors may be slow, networks are often gone. */
static const double patience[2] = {10, INFINITY};
static const double first[2] = {30, INFINITY};
static const double farewell[2] = {3, 15};

static bool hangs(const struct stream *stream)
{
    const double *most = atomic_load(&stream->target->quit)    ? farewell
                         : atomic_load(&stream->target->taken) ? patience
                                                               : first;
    return base_clock_seconds() - stream->moved > most[stream->recording];
}

static bool give_bytes(struct stream *stream, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    while (size > 0 && !stream->gone && !hangs(stream)) {
        const size_t taken = app_process_offer(&stream->process, bytes, size, turn, &stream->gone);
        bytes += taken;
        size -= taken;
        stream->moved = taken > 0 ? base_clock_seconds() : stream->moved;
        app_share_watch(stream->target);
    }
    return size == 0;
}

static bool give_block(struct stream *stream, enum app_matroska_track track, double seconds,
                       const void *data, size_t size)
{
    unsigned char bytes[APP_MATROSKA_BLOCK];
    const size_t used = app_matroska_block(bytes, track, (uint64_t)llround(seconds * 1e6), size);
    return give_bytes(stream, bytes, used) && give_bytes(stream, data, size);
}

/* The sound up to a picture, of which what is too old is left out. Its time goes on by its own
 * samples, unless it has gone astray. */
static bool give_sound(struct stream *stream, const struct app_share_picture *picture)
{
    static const double astray = 0.1;
    struct base_ring *ring = &stream->target->sound;
    const size_t waiting = base_ring_waiting(ring);
    if (waiting > APP_AUDIO_RATE) {
        base_ring_keep(ring, APP_AUDIO_RATE);
    }
    const size_t count = base_ring_read(ring, stream->samples, APP_AUDIO_RATE);
    stream->heard += waiting > APP_AUDIO_RATE ? waiting - APP_AUDIO_RATE : 0;
    /* Some may have come behind the picture. */
    const double behind = ((double)picture->samples - (double)stream->heard) / APP_AUDIO_RATE;
    const double time = picture->seconds - stream->begun - behind;
    stream->heard += count;
    if (stream->sound_time < 0 || fabs(time - stream->sound_time) > astray) {
        stream->sound_time = fmax(time, 0);
    }
    for (size_t i = 0; i < 2 * count; i++) {
        const long value = lrintf(fminf(fmaxf(stream->samples[i], -1), 1) * 32767.0f);
        unsigned char bytes[2] = {(unsigned char)(value & 255), (unsigned char)(value >> 8 & 255)};
        memcpy(&stream->sound[i], bytes, sizeof bytes);
    }
    const double at = stream->sound_time;
    stream->sound_time += (double)count / APP_AUDIO_RATE;
    return count == 0 || give_block(stream, APP_MATROSKA_SOUND, at, stream->sound,
                                    2 * count * sizeof *stream->sound);
}

static bool give(struct stream *stream, const struct app_share_picture *picture)
{
    const struct app_share_format *format = &stream->target->format;
    if (stream->begun < 0) {
        stream->begun = picture->seconds;
        stream->heard = picture->samples - base_ring_waiting(&stream->target->sound);
    }
    const size_t size = (size_t)format->width * (size_t)format->height * sizeof *picture->pixels;
    if (!give_sound(stream, picture) ||
        !give_block(stream, APP_MATROSKA_PICTURE, picture->seconds - stream->begun, picture->pixels,
                    size)) {
        return false;
    }
    stream->pictures++;
    app_share_arrived(stream->target);
    return true;
}

/* ffmpeg takes some pictures before it has reached the other end. */
static void welcome(struct stream *stream)
{
    static const double seconds = 1;
    struct app_share_target *target = stream->target;
    const bool reached =
        stream->recording ||
        ((double)stream->pictures > seconds * engine_rate_value(target->format.rate) / 2 &&
         base_clock_seconds() - stream->started > seconds);
    if (!atomic_load(&target->taken) && stream->pictures > 0 && reached) {
        char text[120];
        (void)snprintf(text, sizeof text, "%s %dx%d with %s",
                       stream->recording ? "records" : "streams", target->format.width,
                       target->format.height, stream->encoder->name);
        app_share_well(target, text);
        app_share_set_taken(target, true);
    }
}

/* Feeds ffmpeg until froth ends or it fails. */
static void feed(struct stream *stream)
{
    while (app_share_wait(stream->target, turn) && !stream->gone) {
        const struct app_share_picture *picture = app_share_take(stream->target);
        if (picture != NULL && !give(stream, picture)) {
            return;
        }
        welcome(stream);
        app_share_watch(stream->target);
    }
}

/* Returns ffmpeg's exit code. */
static int end(struct stream *stream)
{
    const bool hung = hangs(stream);
    atomic_store(&stream->target->wanted, false);
    app_share_set_taken(stream->target, false);
    return app_process_finish_within(&stream->process, hung ? 0 : 2 * farewell[stream->recording]);
}

/* ---- streams ---- */

static struct stream *open_stream(struct app_share_target *target, bool recording)
{
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        app_share_wrong(target, NULL, "not enough memory");
        return NULL;
    }
    stream->target = target;
    stream->recording = recording;
    stream->container = find_container(target->place);
    stream->process = APP_PROCESS_NONE;
    stream->file = -1;
    return stream;
}

static void pause_for(struct app_share_target *target, double seconds)
{
    const double until = base_clock_seconds() + seconds;
    while (base_clock_seconds() < until && app_share_wait(target, turn)) {
    }
}

void app_share_run_stream(struct app_share_target *target)
{
    struct stream *stream = open_stream(target, false);
    while (stream != NULL && target->state != APP_SHARE_WRONG && !atomic_load(&target->quit)) {
        if ((stream->encoder == NULL && !choose_encoder(stream)) || !start(stream)) {
            break;
        }
        feed(stream);
        const bool reached = atomic_load(&target->taken);
        const bool hung = hangs(stream);
        (void)end(stream);
        if (!atomic_load(&target->quit)) {
            if (app_share_away(target, "the show goes on; trying again",
                               reached ? hung ? "the other end takes nothing any more"
                                              : "the other end has gone"
                               : hung  ? "the other end takes nothing"
                                       : "the other end cannot be reached")) {
                tell_messages(stream);
            }
            pause_for(target, APP_SHARE_RETRY);
        }
    }
    free(stream);
}

/* ---- recordings ---- */

static bool begin_recording(struct stream *stream)
{
    struct app_share_target *target = stream->target;
    struct stat about;
    stream->fresh = lstat(target->place, &about) != 0;
    stream->part = base_part_of(target->place, ".part");
    stream->file = stream->part != NULL && base_folder_make_above(target->place) == 0
                       ? base_part_create(stream->part)
                       : -1;
    if (stream->file < 0) {
        app_share_wrong(target, NULL, stream->part == NULL ? "not enough memory" : strerror(errno));
    }
    return stream->file >= 0;
}

/* What has been recorded gets its name, however it ended: it can be played up to its end. */
static void end_recording(struct stream *stream)
{
    struct app_share_target *target = stream->target;
    struct stat about;
    const bool kept = fstat(stream->file, &about) == 0 && about.st_size > 0;
    if (kept && fsync(stream->file) == 0 &&
        app_video_put(stream->part, target->place, stream->fresh, target->sink) != 0) {
        app_share_say(target, BASE_ERROR, NULL, "the recording cannot be put there, and is %s: %s",
                      stream->part, strerror(errno));
    } else if (!kept) {
        (void)remove(stream->part);
    }
    base_file_close(&stream->file);
}

void app_share_run_recording(struct app_share_target *target)
{
    struct stream *stream = open_stream(target, true);
    if (stream != NULL && choose_encoder(stream) && begin_recording(stream)) {
        if (start(stream)) {
            feed(stream);
            const int code = end(stream);
            if (!atomic_load(&target->quit) || code != 0) {
                app_share_wrong(target, "the show goes on; what was recorded until then is kept",
                                "the recording has ended");
                tell_messages(stream);
            }
        }
        end_recording(stream);
    }
    if (stream != NULL) {
        free(stream->part);
    }
    free(stream);
}
