/* A video device into which froth writes, and from which other programs read as from a camera. */
#include "app/share/target.h"

#if defined(__linux__) && defined(FROTH_SWSCALE)

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/videodev2.h>

#include "app/share/pictures.h"
#include "base/os/file.h"
#include "engine/rate.h"

/* What is offered to the device: the first that it takes. Cameras have the first. */
static const struct format {
    uint32_t device;
    enum app_pictures_format own;
} formats[] = {
    {V4L2_PIX_FMT_YUYV, APP_PICTURES_YUY2},
    {V4L2_PIX_FMT_YUV420, APP_PICTURES_I420},
    {V4L2_PIX_FMT_XBGR32, APP_PICTURES_BGRX},
    {V4L2_PIX_FMT_BGR32, APP_PICTURES_BGRX},
};

struct loopback {
    struct app_share_target *target;
    int file; /* -1: not open */
    struct app_pictures *pictures;
    struct app_pictures_layout layout;
    unsigned char *bytes; /* a picture as the device wants it, */
    size_t size;          /* and how long it is there */
};

static void shut(struct loopback *loopback)
{
    base_file_close(&loopback->file);
    app_pictures_close(loopback->pictures);
    free(loopback->bytes);
    loopback->pictures = NULL;
    loopback->bytes = NULL;
    atomic_store(&loopback->target->wanted, false);
    app_share_set_taken(loopback->target, false);
}

/* A call that a signal interrupts is made again. */
static int call(int file, unsigned long request, void *argument)
{
    int result;
    do {
        result = ioctl(file, request, argument);
    } while (result < 0 && errno == EINTR);
    return result;
}

/* Whether the device takes pictures: NULL, or what it is instead. */
static const char *look(int file)
{
    struct stat about;
    struct v4l2_capability able = {0};
    if (fstat(file, &about) != 0 || !S_ISCHR(about.st_mode) ||
        call(file, VIDIOC_QUERYCAP, &able) != 0) {
        return "is no video device";
    }
    const uint32_t can =
        (able.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? able.device_caps : able.capabilities;
    return (can & V4L2_CAP_VIDEO_OUTPUT) == 0 ? "takes no pictures; it gives some, as a camera does"
           : (can & V4L2_CAP_READWRITE) == 0  ? "cannot be written to"
                                              : NULL;
}

static bool is_layout(const struct app_pictures_layout *layout)
{
    enum { MOST = 8192 };
    return layout->width >= 2 && layout->height >= 2 && layout->width <= MOST &&
           layout->height <= MOST &&
           (layout->format == APP_PICTURES_BGRX ||
            (layout->width % 2 == 0 && layout->height % 2 == 0));
}

/* Agrees on a format; the device may change the size. */
static bool agree(struct loopback *loopback)
{
    const struct app_share_format *format = &loopback->target->format;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct v4l2_format wish = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
        struct v4l2_pix_format *pixels = &wish.fmt.pix;
        struct app_pictures_layout layout = {formats[i].own, format->width & ~1,
                                             format->height & ~1};
        pixels->width = (uint32_t)layout.width;
        pixels->height = (uint32_t)layout.height;
        pixels->pixelformat = formats[i].device;
        pixels->field = V4L2_FIELD_NONE;
        pixels->bytesperline = (uint32_t)app_pictures_stride(&layout);
        pixels->sizeimage = (uint32_t)app_pictures_size(&layout);
        pixels->colorspace = V4L2_COLORSPACE_SRGB;
        if (call(loopback->file, VIDIOC_S_FMT, &wish) != 0 ||
            pixels->pixelformat != formats[i].device) {
            continue;
        }
        layout.width = (int)pixels->width;
        layout.height = (int)pixels->height;
        if (pixels->width > INT32_MAX || pixels->height > INT32_MAX || !is_layout(&layout) ||
            (pixels->bytesperline != 0 && pixels->bytesperline != app_pictures_stride(&layout))) {
            continue;
        }
        loopback->layout = layout;
        loopback->size = app_pictures_size(&layout);
        return true;
    }
    return false;
}

/* Programs that read are told the rate; a device may know none. */
static void set_rate(const struct loopback *loopback)
{
    const struct engine_rate rate = loopback->target->format.rate;
    struct v4l2_streamparm wish = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    wish.parm.output.timeperframe.numerator = rate.denominator;
    wish.parm.output.timeperframe.denominator = rate.numerator;
    (void)call(loopback->file, VIDIOC_S_PARM, &wish);
}

static bool open_device(struct loopback *loopback)
{
    static const char hint[] = "the kernel's module v4l2loopback makes one";
    struct app_share_target *target = loopback->target;
    loopback->file = open(target->place, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (loopback->file < 0) {
        const int reason = errno;
        (void)app_share_away(target, hint,
                             reason == ENOENT   ? "there is no such device; waiting for it"
                             : reason == EBUSY  ? "another program has the device; waiting for it"
                             : reason == EACCES ? "may not be written by you; trying again"
                                                : "the device cannot be opened; trying again");
        return false;
    }
    const char *wrong = look(loopback->file);
    if (wrong != NULL) {
        app_share_wrong(target, hint, wrong);
        return false;
    }
    if (!agree(loopback)) {
        (void)app_share_away(target, NULL, "the device takes no such pictures now; trying again");
        return false;
    }
    set_rate(loopback);
    loopback->pictures =
        app_pictures_open(target->format.width, target->format.height, &loopback->layout);
    loopback->bytes = malloc(loopback->size);
    if (loopback->pictures == NULL || loopback->bytes == NULL) {
        app_share_wrong(target, NULL, "not enough memory");
        return false;
    }
    app_share_well(target, "the picture is written to the device");
    atomic_store(&target->wanted, true);
    app_share_set_taken(target, true);
    return true;
}

/* False: the device is lost. */
static bool give(struct loopback *loopback, const struct app_share_picture *picture)
{
    app_pictures_convert(loopback->pictures, picture->pixels, loopback->bytes);
    ssize_t size;
    do {
        size = write(loopback->file, loopback->bytes, loopback->size);
    } while (size < 0 && errno == EINTR);
    if (size >= 0) {
        app_share_arrived(loopback->target);
    }
    return size >= 0 || errno == EAGAIN;
}

void app_share_run_loopback(struct app_share_target *target)
{
    static const double turn = 0.5;
    struct loopback loopback = {.target = target, .file = -1};
    double retry = 0;
    while (target->state != APP_SHARE_WRONG && app_share_wait(target, turn)) {
        if (loopback.file < 0 && base_clock_seconds() >= retry) {
            if (!open_device(&loopback)) {
                shut(&loopback);
            }
            retry = base_clock_seconds() + APP_SHARE_RETRY;
        }
        const struct app_share_picture *picture =
            loopback.file >= 0 ? app_share_take(target) : NULL;
        if (picture != NULL && !give(&loopback, picture)) {
            (void)app_share_away(target, "the show goes on",
                                 "the device has gone; waiting for it to come back");
            shut(&loopback);
        }
        app_share_watch(target);
    }
    shut(&loopback);
}

#else

void app_share_run_loopback(struct app_share_target *target)
{
    app_share_wrong(target, NULL, "this system has no such devices");
}

#endif
