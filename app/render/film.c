#include "app/render/film.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/picture.h"
#include "base/os/stop.h"
#include "base/os/logger.h"

static const double ENDLESS_SECONDS = 10; /* of a sound without an end */
static const double LONGEST_SECONDS = 1e6;
static const struct base_place NOWHERE = {0};

int app_film_fail(const struct app_film *film, const char *what)
{
    base_report(&film->sink, BASE_ERROR, NOWHERE, NULL, "%s", what);
    return -1;
}

static double start_of(const struct app_options *options)
{
    return options->start > 0 ? options->start : 0;
}

static int open_sound(struct app_film *film)
{
    const double start = start_of(film->options);
    const struct base_place place = {.file = film->sound};
    film->audio = app_audio_open(film->sound, &film->sink);
    if (film->audio == NULL) {
        return -1;
    }
    const double seconds = app_audio_seconds(film->audio);
    if (seconds >= 0 && start > 0 && start >= seconds) {
        base_report(&film->sink, BASE_ERROR, place, NULL,
                    "--start is behind the end of the sound, which has %.3f seconds", seconds);
        return -1;
    }
    if (start > 0 && app_audio_seek(film->audio, (uint64_t)llround(start * APP_AUDIO_RATE)) != 0) {
        base_report(&film->sink, BASE_ERROR, place, NULL,
                    "cannot begin at that place of the sound");
        return -1;
    }
    return 0;
}

static uint64_t length_in_frames(const struct app_film *film)
{
    const struct app_options *options = film->options;
    if (options->frames > 0) {
        return options->frames;
    }
    if (options->duration > 0) {
        return app_rate_frames(film->rate, options->duration);
    }
    const double seconds = app_audio_seconds(film->audio);
    const double rest = seconds < 0 ? ENDLESS_SECONDS : seconds - start_of(options);
    return app_rate_frames(film->rate, fmin(rest, LONGEST_SECONDS));
}

int app_film_open(struct app_film *film, const struct app_options *options, struct app_size size,
                  struct app_rate rate)
{
    *film = (struct app_film){
        .options = options,
        .sound = options->audio != NULL ? options->audio : "demo",
        .rate = rate,
        .width = size.width,
        .height = size.height,
        .sink = base_diag_stderr,
    };
    if (open_sound(film) != 0) {
        return -1;
    }
    film->frames = length_in_frames(film);
    base_content_stream_begin(&film->all);
    film->hash_row = malloc(3 * (size_t)size.width);
    return film->hash_row != NULL ? 0 : app_film_fail(film, "not enough memory");
}

void app_film_close(struct app_film *film)
{
    app_video_discard(film->video);
    app_audio_close(film->audio);
    free(film->hash_row);
}

void app_film_check_sound(struct app_film *film)
{
    const char *error = app_audio_error(film->audio);
    if (error != NULL && !film->flawed) {
        film->flawed = true;
        base_report(&film->sink, BASE_WARNING, (struct base_place){.file = film->sound}, NULL,
                    "the sound breaks off, silence follows: %s", error);
    }
}

static int open_video(struct app_film *film)
{
    const struct app_options *options = film->options;
    if (options->output == NULL) {
        return 0;
    }
    const struct app_video_format format = {
        .width = film->width,
        .height = film->height,
        .fps = app_rate_value(film->rate),
        .frames = film->frames,
        .audio = film->sound,
        .audio_start = start_of(options),
    };
    film->video = app_video_open(options->output, &format, &film->sink);
    return film->video != NULL ? 0 : -1;
}

static int fail_printing(const struct app_film *film)
{
    const int reason = errno;
    base_report(&film->sink, BASE_ERROR, NOWHERE, NULL, "standard output: %s", strerror(reason));
    return -1;
}

static int make_frames(struct app_film *film, app_film_draw draw, void *user)
{
    for (uint64_t number = 1; number <= film->frames; number++) {
        if (base_stop_wanted()) {
            return app_film_fail(film, "stopped");
        }
        const uint32_t *pixels = draw(user, number);
        if (pixels == NULL) {
            return -1;
        }
        if (film->options->hash) {
            const uint64_t hash =
                app_picture_hash(pixels, film->width, film->height, film->hash_row, &film->all);
            app_progress_clear(&film->progress);
            if (printf("frame %" PRIu64 " %016" PRIx64 "\n", number, hash) < 0) {
                return fail_printing(film);
            }
        }
        if (film->video != NULL && app_video_frame(film->video, pixels) != 0) {
            return -1;
        }
        app_progress_step(&film->progress, number);
    }
    return 0;
}

static int finish(struct app_film *film)
{
    if (film->options->hash &&
        (printf("all %016" PRIx64 "\n", base_content_stream_hash(&film->all)) < 0 ||
         fflush(stdout) != 0)) {
        return fail_printing(film);
    }
    struct app_video *video = film->video;
    film->video = NULL;
    return video != NULL ? app_video_finish(video) : 0;
}

int app_film_make(struct app_film *film, app_film_draw draw, void *user)
{
    if (open_video(film) != 0) {
        return -1;
    }
    app_progress_begin(&film->progress, stderr, "frames", film->frames);
    film->sink = app_progress_sink(&film->progress);
    int result = make_frames(film, draw, user);
    result = result == 0 ? finish(film) : result;
    app_progress_end(&film->progress, film->frames, result == 0);
    return result;
}
