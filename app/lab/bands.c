/* Loudness by filters in the time domain against that of the Fourier transform. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/io/audio.h"
#include "app/lab/lab.h"
#include "base/os/print.h"
#include "renderer/sound/analysis.h"

enum {
    FPS = 60,
    SAMPLES = REND_AUDIO_RATE / FPS,
    FRAMES_MAX = 60 * FPS,
    SETTLING = 60, /* frames in which the averages find their measure */
    FRAMES_MIN = 2 * SETTLING,
    KINDS = REND_LEVELS_BOARD + 1,
};

static const char *const band_names[REND_BANDS] = {"bass", "mid", "treb"};
static const char *const kind_names[KINDS] = {"fft", "fir", "board"};

struct bench {
    struct rend_spectrum *spectrum;
    struct rend_analysis analysis[KINDS];
    double level[KINDS][REND_BANDS][FRAMES_MAX];
    double level_att[KINDS][REND_BANDS][FRAMES_MAX];
    size_t frames;
};

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)count;
}

/* Pearson's; NaN if one of them never changes. */
static double correlation(const double *a, const double *b, size_t count)
{
    const double mean_a = mean_of(a, count);
    const double mean_b = mean_of(b, count);
    double both = 0;
    double only_a = 0;
    double only_b = 0;
    for (size_t i = 0; i < count; i++) {
        both += (a[i] - mean_a) * (b[i] - mean_b);
        only_a += (a[i] - mean_a) * (a[i] - mean_a);
        only_b += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return both / sqrt(only_a * only_b);
}

static void print_band(const struct bench *bench, int kind, int band, bool json)
{
    const struct rend_bands_design *design = rend_bands_design((enum rend_levels)kind);
    const size_t count = bench->frames - SETTLING;
    const double level =
        correlation(bench->level[0][band] + SETTLING, bench->level[kind][band] + SETTLING, count);
    const double level_att = correlation(bench->level_att[0][band] + SETTLING,
                                         bench->level_att[kind][band] + SETTLING, count);
    const double low = band > 0 ? design->cutoff[band - 1] : 0;
    if (json) {
        (void)printf(
            "{\"levels\":\"%s\",\"band\":\"%s\",\"from\":%.0f,\"to\":%.0f,\"correlation\":",
            kind_names[kind], band_names[band], low, design->cutoff[band]);
        base_json_number(stdout, level);
        (void)fputs(",\"correlation_att\":", stdout);
        base_json_number(stdout, level_att);
        (void)puts("}");
    } else {
        (void)printf("%-5s  %-4s  %5.0f to %5.0f Hz  %11.4f  %11.4f\n", kind_names[kind],
                     band_names[band], low, design->cutoff[band], level, level_att);
    }
}

static int measure(struct bench *bench, const char *name)
{
    float samples[2 * SAMPLES];
    struct app_audio *audio = app_audio_open(name, &base_diag_stderr);
    if (audio == NULL) {
        return -1;
    }
    while (bench->frames < FRAMES_MAX && app_audio_read(audio, samples, SAMPLES) == SAMPLES) {
        for (int kind = 0; kind < KINDS; kind++) {
            struct rend_analysis *analysis = &bench->analysis[kind];
            rend_analysis_step(analysis, bench->spectrum, NULL, samples, SAMPLES, bench->frames + 1,
                               FPS);
            const struct rend_sound sound = rend_analysis_sound(analysis);
            for (int band = 0; band < REND_BANDS; band++) {
                bench->level[kind][band][bench->frames] = sound.level[band];
                bench->level_att[kind][band][bench->frames] = sound.level_att[band];
            }
        }
        bench->frames++;
    }
    app_audio_close(audio);
    if (bench->frames < FRAMES_MIN) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = name}, NULL,
                    "the sound is shorter than %d seconds", FRAMES_MIN / FPS);
        return -1;
    }
    return 0;
}

int app_lab_bands(const struct app_options *options)
{
    if (options->input_count != 2) {
        return app_lab_refuse_usage(options, "it takes one sound");
    }
    int result = -1;
    struct bench *bench = calloc(1, sizeof *bench);
    struct rend_spectrum *spectrum = rend_spectrum_create();
    if (bench == NULL || spectrum == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory");
    } else {
        bench->spectrum = spectrum;
        for (int kind = 0; kind < KINDS; kind++) {
            rend_analysis_init(&bench->analysis[kind], (enum rend_levels)kind);
        }
        result = measure(bench, options->inputs[1]);
    }
    if (result == 0) {
        if (!options->json) {
            (void)printf("%zu frame%s; correlation with the Fourier transform:\n", bench->frames,
                         base_plural(bench->frames));
            (void)puts("                                   level     smoothed");
        }
        for (int kind = 1; kind < KINDS; kind++) {
            for (int band = 0; band < REND_BANDS; band++) {
                print_band(bench, kind, band, options->json);
            }
        }
    }
    rend_spectrum_free(spectrum);
    free(bench);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
