#include "app/io/video_output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/stop.h"

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
        if (app_stop_wanted()) {
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

static int write_header(const struct app_video *video, double fps)
{
    const struct app_rate rate = app_rate_of(fps);
    char header[96];
    const int size = snprintf(header, sizeof header, "YUV4MPEG2 W%d H%d F%u:%u Ip A1:1 C444\n",
                              video->width, video->height, rate.numerator, rate.denominator);
    return write_all(video, header, (size_t)size);
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
    if (write_header(&y4m->video, format->fps) != 0) {
        y4m_discard(&y4m->video);
        return NULL;
    }
    return &y4m->video;
}
