#include "app/io/progress.h"

#include <assert.h>
#include <unistd.h>

#include "base/os/print.h"
#include "base/os/thread.h"

enum { TEXT_MAX = 128 };

static const double TERMINAL_PAUSE = 0.1;
static const double PLAIN_PAUSE = 5.0;

void app_progress_text(char *text, size_t size, const char *unit, uint64_t done, uint64_t total,
                       double seconds)
{
    assert(total > 0);
    const unsigned part = (unsigned)(done * 100 / total);
    const double rate = seconds > 0 ? (double)done / seconds : 0;
    const int length = snprintf(text, size, "%3u %%  %llu/%llu %s  %.1f per second", part,
                                (unsigned long long)done, (unsigned long long)total, unit, rate);
    if (rate > 0 && done < total && length > 0 && (size_t)length < size) {
        char left[32];
        const double rest = (double)(total - done) / rate;
        const unsigned long whole = rest < 3.6e8 ? (unsigned long)(rest + 0.5) : 360000000ul;
        if (whole >= 3600) {
            (void)snprintf(left, sizeof left, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
                           whole % 60);
        } else {
            (void)snprintf(left, sizeof left, "%lu:%02lu", whole / 60, whole % 60);
        }
        (void)snprintf(text + length, size - (size_t)length, "  %s left", left);
    }
}

static void print_line(struct app_progress *progress, uint64_t done, double time)
{
    char text[TEXT_MAX];
    app_progress_text(text, sizeof text, progress->unit, done, progress->total,
                      time - progress->began);
    if (progress->terminal) {
        (void)fprintf(progress->out, "\r%s\033[K", text);
        (void)fflush(progress->out);
    } else {
        (void)fprintf(progress->out, "%s\n", text);
    }
    progress->drawn = progress->terminal;
    progress->shown = time;
    progress->tenths = done * 10 / progress->total;
    progress->told = done;
}

void app_progress_begin(struct app_progress *progress, FILE *out, const char *unit, uint64_t total)
{
    assert(total > 0);
    const int descriptor = fileno(out);
    const double time = base_clock_seconds();
    *progress = (struct app_progress){
        .out = out,
        .unit = unit,
        .total = total,
        .terminal = descriptor >= 0 && isatty(descriptor) == 1,
        .began = time,
        .shown = time,
    };
}

void app_progress_step(struct app_progress *progress, uint64_t done)
{
    const double time = base_clock_seconds();
    const double pause = time - progress->shown;
    /* A tenth only counts after a while, so that a job of a second does not print ten lines. */
    const bool tenth = done * 10 / progress->total > progress->tenths && pause >= 1.0;
    if (progress->terminal ? pause >= TERMINAL_PAUSE : tenth || pause >= PLAIN_PAUSE) {
        print_line(progress, done, time);
    }
}

void app_progress_clear(struct app_progress *progress)
{
    if (progress->drawn) {
        (void)fputs("\r\033[K", progress->out);
        (void)fflush(progress->out);
        progress->drawn = false;
    }
}

void app_progress_end(struct app_progress *progress, uint64_t done, bool keep)
{
    if (!keep) {
        app_progress_clear(progress);
        return;
    }
    if (progress->terminal || progress->told != done) {
        print_line(progress, done, base_clock_seconds());
    }
    if (progress->drawn) {
        (void)fputc('\n', progress->out);
        progress->drawn = false;
    }
}

static void receive(void *user, const struct base_diag *diag)
{
    app_progress_clear(user);
    base_diag_stderr.receive(base_diag_stderr.user, diag);
}

struct base_diag_sink app_progress_sink(struct app_progress *progress)
{
    return (struct base_diag_sink){receive, progress};
}
