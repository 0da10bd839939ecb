/* Raw bytes of MIDI: a device such as /dev/snd/midiC1D0, a named pipe, or a recorded file. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/midi/wire.h"
#include "base/os/file.h"

enum { CHUNK = 1024 };

/* Between two looks for a path that is not there, or whether a pipe still is. */
static const double again_seconds = 1;
static const double cable_seconds = 0.01; /* between two pieces of a file */

static void tell_lost(struct app_midi_raw *raw, const char *why)
{
    if (!raw->told) {
        base_report(raw->ear->sink, BASE_WARNING, (struct base_place){.file = raw->path},
                    "it is tried again", "no MIDI: %s", why);
        raw->told = true;
    }
}

void app_midi_raw_close(struct app_midi_raw *raw)
{
    if (raw->device >= 0) {
        raw->ear->went(raw->ear->user, raw->device);
    }
    raw->device = -1;
    base_file_close(&raw->descriptor);
    base_file_close(&raw->keeper);
}

const char *app_midi_raw_name(const struct app_midi_raw *raw)
{
    const char *slash = strrchr(raw->path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : raw->path;
}

static bool open_path(struct app_midi_raw *raw, double now)
{
    struct stat status;
    const int way = O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    if (stat(raw->path, &status) != 0) {
        tell_lost(raw, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)) {
        tell_lost(raw, "it is no device, pipe or file");
        return false;
    }
    raw->file = S_ISREG(status.st_mode);
    raw->descriptor = S_ISCHR(status.st_mode) ? open(raw->path, O_RDWR | way) : -1;
    if (raw->descriptor < 0) {
        raw->descriptor = open(raw->path, O_RDONLY | way);
    }
    if (raw->descriptor < 0) {
        tell_lost(raw, strerror(errno));
        return false;
    }
    raw->keeper = S_ISFIFO(status.st_mode) ? open(raw->path, O_WRONLY | way) : -1;
    raw->look_due = now + again_seconds;
    raw->begun = now;
    raw->sent = 0;
    raw->device = raw->ear->came(raw->ear->user, app_midi_raw_name(raw));
    if (raw->told) {
        base_report(raw->ear->sink, BASE_NOTE, (struct base_place){.file = raw->path}, NULL,
                    "MIDI is there");
    }
    raw->told = false;
    return true;
}

/* Whether another pipe, or nothing, is where this one was: it never ends for who has it open. */
static bool is_pulled(struct app_midi_raw *raw, double now)
{
    struct stat open_one;
    struct stat there;
    if (raw->keeper < 0 || now < raw->look_due) {
        return false;
    }
    raw->look_due = now + again_seconds;
    return fstat(raw->descriptor, &open_one) == 0 &&
           (stat(raw->path, &there) != 0 || there.st_ino != open_one.st_ino ||
            there.st_dev != open_one.st_dev);
}

double app_midi_raw_take(struct app_midi_raw *raw, double now)
{
    uint8_t bytes[CHUNK];
    if (raw->done) {
        return -1;
    }
    if (raw->descriptor < 0 && !open_path(raw, now)) {
        return again_seconds;
    }
    size_t wanted = sizeof bytes;
    if (raw->file) {
        const double due = (now - raw->begun) * ENGINE_MIDI_RATE + 1 - raw->sent;
        wanted = due < 1 ? 0 : due < CHUNK ? (size_t)due : CHUNK;
    }
    const ssize_t count = wanted > 0 ? read(raw->descriptor, bytes, wanted) : -1;
    if (count > 0) {
        raw->sent += (double)count;
        if (raw->device >= 0) {
            raw->ear->bytes(raw->ear->user, raw->device, bytes, (size_t)count);
        }
        return raw->file ? cable_seconds : -1;
    }
    const bool quiet = count < 0 && (wanted == 0 || errno == EAGAIN || errno == EINTR);
    const bool pulled = quiet && is_pulled(raw, now);
    if (quiet && !pulled) {
        return raw->file ? cable_seconds : raw->keeper >= 0 ? raw->look_due - now : -1;
    }
    if (raw->file && count == 0) {
        base_report(raw->ear->sink, BASE_NOTE, (struct base_place){.file = raw->path}, NULL,
                    "all of its MIDI has come");
        raw->done = true;
    } else {
        tell_lost(raw, pulled       ? "the pipe has gone"
                       : count == 0 ? "the device has gone"
                                    : strerror(errno));
    }
    app_midi_raw_close(raw);
    return raw->done ? -1 : again_seconds;
}

bool app_midi_raw_send(struct app_midi_raw *raw, const uint8_t *bytes, size_t size)
{
    return raw->descriptor >= 0 && raw->keeper < 0 && !raw->file &&
           write(raw->descriptor, bytes, size) == (ssize_t)size;
}
