#include "app/video/video.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/io/picture_format.h"
#include "app/video/output.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/text.h"
#include "engine/rate.h"

/* ---- for every kind of output ---- */

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
    char *folder = strndup(video->output, (size_t)(slash - video->output));
    if (folder == NULL) {
        app_video_fail(video, NULL, "not enough memory");
        return -1;
    }
    video->folder = folder;
    video->folders = 0;
    for (char *end = folder; end != NULL;) {
        end = strchr(end + 1, '/');
        if (end != NULL) {
            *end = '\0';
        }
        const bool named = folder[strlen(folder) - 1] != '/';
        const bool made = named && mkdir(folder, 0777) == 0;
        const int reason = errno;
        if (!made && !base_is_folder(folder)) {
            app_video_fail_system(video, "cannot make the folder", reason);
            return -1;
        }
        video->folders = made ? video->folders + 1 : named ? 0 : video->folders;
        if (end != NULL) {
            *end = '/';
        }
    }
    return 0;
}

void app_video_leave_folder(struct app_video *video)
{
    /* From the deepest one up; whichever is not empty stays, and with it all above. */
    while (video->folders > 0 && rmdir(video->folder) == 0) {
        char *slash = strrchr(video->folder, '/');
        video->folders--;
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    free(video->folder);
    video->folder = NULL;
    video->folders = 0;
}

int app_video_claim(const struct app_video *video, const char *name, const char *part)
{
    struct stat status;
    errno = 0;
    const bool fits = stat(name, &status) == 0 || errno != ENAMETOOLONG;
    const int file = fits ? base_part_create(part) : -1;
    if (file < 0) {
        app_video_fail_system(video, "cannot write", errno);
    }
    return file;
}

bool app_video_is_high(int height)
{
    return height >= 720;
}

/* ---- Y4M ---- */

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
        if (base_stop_insisted()) {
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

/* In ten thousandths. */
struct weights {
    int red;
    int green;
    int blue;
    int cb; /* what B - Y is divided by */
    int cr;
};

/* 8 bits, limited range: Y = 16 + 219 E'Y, C = 128 + 224 E'C, with E'Y the weighted sum of R, G and
 * B, E'Cb = (B - E'Y) / cb, E'Cr = (R - E'Y) / cr. In whole numbers over a common denominator,
 * rounded to nearest; no term exceeds 2^30. */
static unsigned char chroma(int difference, int scale)
{
    return (unsigned char)((224 * difference + 128 * scale + scale / 2) / scale);
}

static int y4m_frame(struct app_video *video, const uint32_t *pixels)
{
    static const struct weights low = {2990, 5870, 1140, 17720, 14020}; /* ITU-R BT.601 */
    static const struct weights high = {2126, 7152, 722, 18556, 15748}; /* ITU-R BT.709 */
    enum { ONE = 10000 };
    struct y4m *y4m = (struct y4m *)video;
    unsigned char *y = y4m->frame + FRAME_SIZE;
    unsigned char *cb = y + y4m->pixels;
    unsigned char *cr = cb + y4m->pixels;
    const struct weights w = app_video_is_high(video->height) ? high : low;
    for (size_t i = 0; i < y4m->pixels; i++) {
        const int red = (int)(pixels[i] >> 16 & 255);
        const int green = (int)(pixels[i] >> 8 & 255);
        const int blue = (int)(pixels[i] & 255);
        const int sum = w.red * red + w.green * green + w.blue * blue;
        y[i] = (unsigned char)(16 + (219 * sum + ONE * 255 / 2) / (ONE * 255));
        cb[i] = chroma(ONE * blue - sum, w.cb * 255);
        cr[i] = chroma(ONE * red - sum, w.cr * 255);
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

static struct app_video *open_y4m(const char *output, const struct app_video_format *format,
                                  const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {y4m_frame, y4m_finish, y4m_discard,
                                                           NULL};
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
                  format->width, format->height, NULL, 0},
        .pixels = pixels,
        .frame = frame,
    };
    if (isatty(STDOUT_FILENO) == 1) {
        app_video_fail(&y4m->video, "lead it into a file or a pipe",
                       "a terminal cannot show a video");
        y4m_discard(&y4m->video);
        return NULL;
    }
    const struct engine_rate rate = format->rate;
    char header[128];
    const int size = snprintf(header, sizeof header,
                              "YUV4MPEG2 W%d H%d F%u:%u Ip A1:1 C444 XCOLORRANGE=LIMITED\n",
                              format->width, format->height, rate.numerator, rate.denominator);
    if (write_all(&y4m->video, header, (size_t)size) != 0) {
        y4m_discard(&y4m->video);
        return NULL;
    }
    return &y4m->video;
}

/* ---- single pictures ---- */

enum { DIGITS_MAX = 20 /* of a 64-bit number */ };

/* The output cut at its number: FOLDER/ PREFIX %0Nd SUFFIX. A %% in the latter two is still there.
 */
struct pattern {
    size_t folder;      /* bytes, / included */
    size_t prefix;      /* bytes between folder and number, or end */
    const char *suffix; /* NULL: no number */
    int width;
};

struct png {
    struct app_video video;
    struct pattern pattern;
    uint64_t number; /* of the last picture */
    uint32_t *last;  /* the last picture, if there is no number */
    unsigned char *row;
    char *name;
    char *part;
    size_t name_size;
};

static int write_file(const struct png *output, const uint32_t *pixels)
{
    char why[160] = "";
    const int descriptor = base_part_create(output->part);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    bool written = file != NULL && app_picture_write_png(file, pixels, output->video.width,
                                                         output->video.height, output->row, why);
    errno = file != NULL ? 0 : errno;
    if (file != NULL && fclose(file) != 0) {
        written = false;
    }
    if (written && rename(output->part, output->name) == 0) {
        return 0;
    }
    if (why[0] == '\0') {
        (void)snprintf(why, sizeof why, "cannot write: %s", strerror(errno));
    }
    const struct base_place place = {.file = output->name};
    base_report(&output->video.sink, BASE_ERROR, place, NULL, "%s", why);
    (void)remove(output->part);
    return -1;
}

/* Adds a part of the file name, %% as %. */
static void append(char *name, const char *text, size_t size)
{
    size_t used = strlen(name);
    for (size_t i = 0; i < size; i++) {
        name[used++] = text[i];
        i += text[i] == '%';
    }
    name[used] = '\0';
}

static void set_names(struct png *output)
{
    const struct pattern *pattern = &output->pattern;
    const char *text = output->video.output;
    memcpy(output->name, text, pattern->folder);
    output->name[pattern->folder] = '\0';
    append(output->name, text + pattern->folder, pattern->prefix);
    if (pattern->suffix != NULL) {
        char number[DIGITS_MAX + 1];
        (void)snprintf(number, sizeof number, "%0*llu", pattern->width,
                       (unsigned long long)output->number);
        append(output->name, number, strlen(number));
        append(output->name, pattern->suffix, strlen(pattern->suffix));
    }
    base_part_name(output->part, output->name_size, output->name, ".part");
}

static int png_frame(struct app_video *video, const uint32_t *pixels)
{
    struct png *output = (struct png *)video;
    output->number++;
    if (output->pattern.suffix == NULL) {
        memcpy(output->last, pixels, (size_t)video->width * (size_t)video->height * sizeof *pixels);
        return 0;
    }
    set_names(output);
    return write_file(output, pixels);
}

static void free_png(struct png *output)
{
    free(output->last);
    free(output->row);
    free(output->name);
    free(output->part);
    app_video_leave_folder(&output->video);
    free(output);
}

static int png_finish(struct app_video *video)
{
    struct png *output = (struct png *)video;
    int result = 0;
    if (output->pattern.suffix == NULL && output->number > 0) {
        set_names(output);
        result = write_file(output, output->last);
    }
    free_png(output);
    return result;
}

static void png_discard(struct app_video *video)
{
    free_png((struct png *)video);
}

/* Finds the one %d or %0Nd in the file name. Returns 0, or -1 if there is any other % but %%. */
static int read_pattern(const char *output, struct pattern *pattern)
{
    const char *slash = strrchr(output, '/');
    const char *name = slash != NULL ? slash + 1 : output;
    *pattern = (struct pattern){.folder = (size_t)(name - output), .prefix = strlen(name)};
    for (const char *at = strchr(name, '%'); at != NULL; at = strchr(at, '%')) {
        /* The length of %d or %0Nd, 0 if neither is there. */
        const bool padded = at[1] == '0' && at[2] >= '1' && at[2] <= '9' && at[3] == 'd';
        const size_t size = padded ? 4 : at[1] == 'd' ? 2 : 0;
        if (at[1] != '%' && (size == 0 || pattern->suffix != NULL)) {
            return -1;
        }
        if (size > 0) {
            pattern->prefix = (size_t)(at - name);
            pattern->suffix = at + size;
            pattern->width = padded ? at[2] - '0' : 0;
        }
        at += size > 0 ? size : 2;
    }
    return 0;
}

static struct app_video *open_png(const char *output, const struct app_video_format *format,
                                  const struct base_diag_sink *sink)
{
    static const struct app_video_operations operations = {png_frame, png_finish, png_discard,
                                                           NULL};
    const struct base_place place = {.file = output};
    struct pattern pattern;
    if (read_pattern(output, &pattern) != 0) {
        base_report(sink, BASE_ERROR, place,
                    "write one %d or %05d into the file name, and %% for a percent sign",
                    "the number of the picture is not clear");
        return NULL;
    }
    struct png *png = calloc(1, sizeof *png);
    if (png == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory");
        return NULL;
    }
    png->video = (struct app_video){&operations,
                                    sink != NULL ? *sink : (struct base_diag_sink){0},
                                    output,
                                    format->width,
                                    format->height,
                                    NULL,
                                    0};
    png->pattern = pattern;
    const size_t width = (size_t)format->width;
    png->name_size = strlen(output) + DIGITS_MAX + BASE_PART_EXTRA;
    png->name = malloc(png->name_size);
    png->part = malloc(png->name_size);
    png->row = malloc(3 * width);
    if (pattern.suffix == NULL) {
        png->last = malloc(width * (size_t)format->height * sizeof *png->last);
    }
    if (png->name == NULL || png->part == NULL || png->row == NULL ||
        (pattern.suffix == NULL && png->last == NULL)) {
        app_video_fail(&png->video, NULL, "not enough memory");
        png_discard(&png->video);
        return NULL;
    }
    int claimed = app_video_make_folder(&png->video);
    if (claimed == 0) {
        png->number = pattern.suffix != NULL;
        set_names(png);
        png->number = 0;
        const int file = app_video_claim(&png->video, png->name, png->part);
        claimed = file >= 0 ? close(file) : -1;
        if (file >= 0) {
            (void)remove(png->part);
        }
    }
    if (claimed != 0) {
        png_discard(&png->video);
        return NULL;
    }
    return &png->video;
}

/* ---- outputs by their name ---- */

typedef struct app_video *(*open_function)(const char *output,
                                           const struct app_video_format *format,
                                           const struct base_diag_sink *sink);

static const struct {
    const char *ending;
    open_function open;
} kinds[] = {
    {".png", open_png},
    {".mp4", app_video_open_ffmpeg},
    {".mov", app_video_open_ffmpeg},
    {".mkv", app_video_open_ffmpeg},
    {".webm", app_video_open_ffmpeg},
    {".ts", app_video_open_ffmpeg},
};

/* NULL: the ending is not known. */
static open_function kind_of(const char *output)
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

/* ---- what stands there already ---- */

/* Whether the name of a file is that of a picture of a pattern with these parts. */
static bool is_of(const char *name, const char *prefix, size_t width, const char *suffix)
{
    const size_t begin = strlen(prefix);
    if (strncmp(name, prefix, begin) != 0) {
        return false;
    }
    const size_t digits = strspn(name + begin, "0123456789");
    const bool whole = digits == width || (digits > width && name[begin] != '0');
    return whole && digits > 0 && strcmp(name + begin + digits, suffix) == 0;
}

/* Puts the name of a picture of the pattern behind the folder in `name`. False: there is none. */
static bool find_numbered(char *name, const char *prefix, size_t width, const char *suffix)
{
    DIR *folder = opendir(name[0] != '\0' ? name : ".");
    const struct dirent *entry = NULL;
    if (folder == NULL) {
        return false;
    }
    do {
        entry = readdir(folder);
    } while (entry != NULL && !is_of(entry->d_name, prefix, width, suffix));
    if (entry != NULL) {
        (void)strcat(name, entry->d_name);
    }
    (void)closedir(folder);
    return entry != NULL;
}

/* Writes the name of something that would be written over into `name`, which has room for three of
 * `output` and a file's name. False: there is nothing. */
static bool find_old(const char *output, char *name)
{
    struct pattern pattern;
    struct stat status;
    name[0] = '\0';
    if (kind_of(output) != open_png || read_pattern(output, &pattern) != 0) {
        (void)strcpy(name, output);
        return lstat(name, &status) == 0;
    }
    (void)memcpy(name, output, pattern.folder);
    name[pattern.folder] = '\0';
    if (pattern.suffix == NULL) {
        append(name, output + pattern.folder, pattern.prefix);
        return lstat(name, &status) == 0;
    }
    char *prefix = name + strlen(output) + NAME_MAX + 1;
    char *suffix = prefix + strlen(output) + 1;
    prefix[0] = suffix[0] = '\0';
    append(prefix, output + pattern.folder, pattern.prefix);
    append(suffix, pattern.suffix, strlen(pattern.suffix));
    return find_numbered(name, prefix, (size_t)pattern.width, suffix);
}

/* No is the answer to everything else. */
static bool answers_yes(void)
{
    char line[64];
    if (fgets(line, sizeof line, stdin) == NULL) {
        (void)fputc('\n', stderr);
        return false;
    }
    return line[0] == 'y' || line[0] == 'Y';
}

int app_video_settle(const char *output, bool overwrite, const struct base_diag_sink *sink)
{
    struct stat status;
    const struct base_place place = {.file = output};
    char *old = malloc(3 * strlen(output) + NAME_MAX + 3);
    if (old == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory");
        return -1;
    }
    int result = -1;
    if (strcmp(output, "-") == 0 || !find_old(output, old) || base_is_folder(old)) {
        result = 0; /* a folder is refused when it is to be written */
    } else if (stat(old, &status) == 0 && !S_ISREG(status.st_mode)) {
        base_report(sink, BASE_ERROR, place, "name a new file", "not an ordinary file");
    } else if (overwrite) {
        result = 0;
    } else if (isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1) {
        base_plain(stderr, old);
        (void)fputs(" is there already. Write over it? [y/N] ", stderr);
        (void)fflush(stderr);
        result = answers_yes() ? 0 : -1;
        if (result != 0) {
            base_report(sink, BASE_NOTE, place, NULL, "nothing is painted, what is there stays");
        }
    } else {
        base_report(sink, BASE_ERROR, (struct base_place){.file = old},
                    "--overwrite writes over it", "there is such a file already");
    }
    free(old);
    return result;
}

/* ---- opening ---- */

static struct app_video *begin(open_function open, const char *output,
                               const struct app_video_format *format,
                               const struct base_diag_sink *sink)
{
    struct app_video *video = open(output, format, sink);
    return video != NULL ? app_video_beside(video) : NULL;
}

struct app_video *app_video_open(const char *output, const struct app_video_format *format,
                                 const struct base_diag_sink *sink)
{
    assert(format->width > 0 && format->height > 0);
    const struct base_place place = {.file = output};
    if ((format->codec != NULL || format->quality != NULL || format->bitrate > 0) &&
        kind_of(output) != app_video_open_ffmpeg) {
        base_report(sink, BASE_ERROR, place, "name a file .mp4, .mov, .mkv or .webm",
                    "--codec, --quality and --bitrate are for video files");
        return NULL;
    }
    if (strcmp(output, "-") == 0) {
        return begin(open_y4m, output, format, sink);
    }
    if (base_is_folder(output)) {
        base_report(sink, BASE_ERROR, place, "for single pictures write FOLDER/%05d.png",
                    "is a folder");
        return NULL;
    }
    const open_function open = kind_of(output);
    if (open == NULL) {
        base_report(sink, BASE_ERROR, place, "use .mp4, .mov, .mkv, .webm, .png, or - for Y4M",
                    "the ending of the output is not known");
        return NULL;
    }
    return begin(open, output, format, sink);
}

int app_video_frame(struct app_video *video, const uint32_t *pixels)
{
    return video->operations->frame(video, pixels);
}

int app_video_lend(struct app_video *video, const uint32_t *pixels)
{
    const struct app_video_operations *operations = video->operations;
    return operations->lend != NULL ? operations->lend(video, pixels)
                                    : operations->frame(video, pixels);
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
