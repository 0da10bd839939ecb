#include "app/io/video.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/io/video_output.h"
#include "base/os/file.h"
#include "base/os/stop.h"
#include "base/text.h"

typedef struct app_video *(*open_function)(const char *output,
                                           const struct app_video_format *format,
                                           const struct base_diag_sink *sink);

static const struct {
    const char *ending;
    open_function open;
} kinds[] = {
    {".png", app_video_open_png},
    {".mp4", app_video_open_ffmpeg},
    {".mkv", app_video_open_ffmpeg},
    {".webm", app_video_open_ffmpeg},
};

static open_function find_kind(const char *output)
{
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(slash != NULL ? slash + 1 : output, '.');
    for (size_t i = 0; dot != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (base_span_equal_nocase(base_span_of(dot), base_span_of(kinds[i].ending))) {
            return kinds[i].open;
        }
    }
    return NULL;
}

struct app_video *app_video_open(const char *output, const struct app_video_format *format,
                                 const struct base_diag_sink *sink)
{
    assert(format->width > 0 && format->height > 0);
    if (strcmp(output, "-") == 0) {
        return app_video_open_y4m(output, format, sink);
    }
    const struct base_place place = {.file = output};
    if (base_is_folder(output)) {
        base_report(sink, BASE_ERROR, place, "for single pictures write FOLDER/%05d.png",
                    "is a folder");
        return NULL;
    }
    const open_function open = find_kind(output);
    if (open == NULL) {
        base_report(sink, BASE_ERROR, place, "use .mp4, .mkv, .webm, .png, or - for Y4M",
                    "the ending of the output is not known");
        return NULL;
    }
    return open(output, format, sink);
}

int app_video_frame(struct app_video *video, const uint32_t *pixels)
{
    return video->operations->frame(video, pixels);
}

int app_video_finish(struct app_video *video)
{
    return video->operations->finish(video);
}

void app_video_discard(struct app_video *video)
{
    if (video != NULL) {
        video->operations->discard(video);
    }
}

void app_video_fail(const struct app_video *video, const char *hint, const char *what)
{
    const struct base_place place = {.file = video->output};
    base_report(&video->sink, BASE_ERROR, place, hint, "%s%s",
                video->output == NULL ? "standard output: " : "", what);
}

void app_video_fail_system(const struct app_video *video, const char *what, int reason)
{
    char text[160];
    (void)snprintf(text, sizeof text, "%s: %s", what, strerror(reason));
    app_video_fail(video, NULL, text);
}

int app_video_make_folder(struct app_video *video)
{
    const char *slash = strrchr(video->output, '/');
    if (slash == NULL || slash == video->output) {
        return 0;
    }
    char *folder = strdup(video->output);
    if (folder == NULL) {
        app_video_fail(video, NULL, "not enough memory");
        return -1;
    }
    folder[slash - video->output] = '\0';
    if (mkdir(folder, 0777) == 0) {
        video->folder = folder;
        return 0;
    }
    const int reason = errno;
    free(folder);
    if (reason != EEXIST) {
        app_video_fail_system(video, "cannot make the folder", reason);
    }
    return reason == EEXIST ? 0 : -1;
}

void app_video_leave_folder(struct app_video *video)
{
    if (video->folder != NULL) {
        (void)rmdir(video->folder); /* refused if something is in it */
    }
    free(video->folder);
    video->folder = NULL;
}

int app_video_claim(const struct app_video *video, const char *name, const char *part)
{
    struct stat status;
    FILE *file = NULL;
    errno = 0;
    if (stat(name, &status) == 0 || errno != ENAMETOOLONG) {
        file = fopen(part, "wb");
    }
    if (file != NULL && fclose(file) == 0) {
        return 0;
    }
    app_video_fail_system(video, "cannot write", errno);
    return -1;
}

void app_video_part_name(char *part, size_t size, const char *output, const char *ending)
{
    char tail[APP_VIDEO_PART_EXTRA - sizeof "froth"];
    (void)snprintf(tail, sizeof tail, ".%ld%s", (long)getpid(), ending);
    const char *slash = strrchr(output, '/');
    const char *name = slash != NULL ? slash + 1 : output;
    const bool fits = strlen(name) + strlen(tail) <= NAME_MAX;
    (void)snprintf(part, size, "%.*s%s%s", (int)(name - output), output, fits ? name : "froth",
                   tail);
}

char *app_video_part(const char *output, const char *ending)
{
    const size_t size = strlen(output) + APP_VIDEO_PART_EXTRA;
    char *part = malloc(size);
    if (part != NULL) {
        app_video_part_name(part, size, output, ending);
    }
    return part;
}

static const char FRAME[] = "FRAME\n";
enum { FRAME_SIZE = sizeof FRAME - 1 };

struct y4m {
    struct app_video video;
    size_t pixels;        /* of a picture */
    unsigned char *frame; /* a whole FRAME as it is written */
};

static int write_all(const struct app_video *video, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    while (size > 0) {
        if (base_stop_wanted()) {
            app_video_fail(video, NULL, "stopped");
            return -1;
        }
        const ssize_t written = write(STDOUT_FILENO, bytes, size);
        if (written >= 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN) {
            (void)poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, 200);
        } else if (errno != EINTR) {
            app_video_fail(video, NULL,
                           errno == EPIPE ? "the reader of the video has gone" : strerror(errno));
            return -1;
        }
    }
    return 0;
}

/* ITU-R BT.601, 8 bits, limited range: Y = 16 + 219 E'Y, C = 128 + 224 E'C, with
 * E'Y = 0.299 R + 0.587 G + 0.114 B, E'Cb = (B - E'Y) / 1.772, E'Cr = (R - E'Y) / 1.402.
 * In whole numbers over a common denominator, rounded to nearest; no term exceeds 2^27. */
static unsigned char luma(int red, int green, int blue)
{
    const int scale = 1000 * 255;
    return (unsigned char)(16 + (219 * (299 * red + 587 * green + 114 * blue) + scale / 2) / scale);
}

static unsigned char chroma(int difference, int scale)
{
    return (unsigned char)((224 * difference + 128 * scale + scale / 2) / scale);
}

static int y4m_frame(struct app_video *video, const uint32_t *pixels)
{
    struct y4m *y4m = (struct y4m *)video;
    unsigned char *y = y4m->frame + FRAME_SIZE;
    unsigned char *cb = y + y4m->pixels;
    unsigned char *cr = cb + y4m->pixels;
    for (size_t i = 0; i < y4m->pixels; i++) {
        const int red = (int)(pixels[i] >> 16 & 255);
        const int green = (int)(pixels[i] >> 8 & 255);
        const int blue = (int)(pixels[i] & 255);
        y[i] = luma(red, green, blue);
        cb[i] = chroma(886 * blue - 299 * red - 587 * green, 1772 * 255);
        cr[i] = chroma(701 * red - 587 * green - 114 * blue, 1402 * 255);
    }
    return write_all(video, y4m->frame, FRAME_SIZE + 3 * y4m->pixels);
}

static void y4m_discard(struct app_video *video)
{
    free(((struct y4m *)video)->frame);
    free(video);
}

static int y4m_finish(struct app_video *video)
{
    y4m_discard(video);
    return 0;
}

struct app_video *app_video_open_y4m(const char *output, const struct app_video_format *format,
                                     const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {y4m_frame, y4m_finish, y4m_discard};
    (void)output;
    const size_t pixels = (size_t)format->width * (size_t)format->height;
    struct y4m *y4m = calloc(1, sizeof *y4m);
    unsigned char *frame = malloc(FRAME_SIZE + 3 * pixels);
    if (y4m == NULL || frame == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        free(y4m);
        free(frame);
        return NULL;
    }
    memcpy(frame, FRAME, FRAME_SIZE);
    *y4m = (struct y4m){
        .video = {&operations, sink != NULL ? *sink : (struct base_diag_sink){0}, NULL,
                  format->width, format->height, NULL},
        .pixels = pixels,
        .frame = frame,
    };
    if (isatty(STDOUT_FILENO) == 1) {
        app_video_fail(&y4m->video, "lead it into a file or a pipe",
                       "a terminal cannot show a video");
        y4m_discard(&y4m->video);
        return NULL;
    }
    const struct app_rate rate = app_rate_of(format->fps);
    char header[96];
    const int size = snprintf(header, sizeof header, "YUV4MPEG2 W%d H%d F%u:%u Ip A1:1 C444\n",
                              format->width, format->height, rate.numerator, rate.denominator);
    if (write_all(&y4m->video, header, (size_t)size) != 0) {
        y4m_discard(&y4m->video);
        return NULL;
    }
    return &y4m->video;
}
