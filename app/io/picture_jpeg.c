/* JPEG files; the only user of libjpeg, which halves a picture up to three times by itself. */
#include "app/io/picture_format.h"

#ifdef FROTH_JPEG

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "late/jpeg.h"
#include <jerror.h>

enum {
    HALVINGS = 3,    /* that the library does */
    SCANS_MAX = 256, /* each goes over the whole picture again */
    CMYK = 4,
};

struct reading {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    struct app_picture_job *job;
    struct app_picture_rows rows;
    JSAMPLE *bytes;
    uint32_t *pixels;
};

_Noreturn static void failed(j_common_ptr decoder)
{
    struct reading *reading = decoder->client_data;
    const int code = decoder->err->msg_code;
    reading->job->lacks_memory = code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE;
    longjmp(reading->back, 1);
}

/* What is damaged inside is drawn as far as it can be read. */
static void warned(j_common_ptr decoder, int level)
{
    (void)decoder;
    (void)level;
}

static void count_scans(j_common_ptr decoder)
{
    struct reading *reading = decoder->client_data;
    if (reading->decoder.input_scan_number > SCANS_MAX) {
        longjmp(reading->back, 1);
    }
}

/* Most programs store four inks turned round, and say so by a marker. */
static uint32_t of_inks(const JSAMPLE *inks, bool turned)
{
    uint32_t pixel = 0xFF;
    for (int i = 0; i < CMYK - 1; i++) {
        const unsigned ink = turned ? inks[i] : 255U - inks[i];
        const unsigned black = turned ? inks[CMYK - 1] : 255U - inks[CMYK - 1];
        pixel = pixel << 8 | (ink * black + 127) / 255;
    }
    return pixel;
}

static bool read_all(struct reading *reading)
{
    struct jpeg_decompress_struct *decoder = &reading->decoder;
    struct app_picture_job *job = reading->job;
    const int own = job->halvings < HALVINGS ? job->halvings : HALVINGS;
    jpeg_create_decompress(decoder);
    decoder->client_data = reading;
    decoder->progress = &reading->progress;
    decoder->mem->max_memory_to_use = (long)job->room;
    jpeg_mem_src(decoder, job->data, (unsigned long)job->size);
    (void)jpeg_read_header(decoder, TRUE);
    const bool inks =
        decoder->jpeg_color_space == JCS_CMYK || decoder->jpeg_color_space == JCS_YCCK;
    decoder->out_color_space = inks ? JCS_CMYK : JCS_RGB;
    decoder->scale_num = 1;
    decoder->scale_denom = 1U << own;
    (void)jpeg_start_decompress(decoder);
    const size_t width = decoder->output_width;
    const size_t parts = (size_t)decoder->output_components;
    reading->bytes = malloc(width * parts);
    reading->pixels = malloc(width * sizeof *reading->pixels);
    if (reading->bytes == NULL || reading->pixels == NULL ||
        !app_picture_rows_begin(&reading->rows, (int)width, (int)decoder->output_height,
                                job->halvings - own)) {
        job->lacks_memory = true;
        return false;
    }
    while (decoder->output_scanline < decoder->output_height) {
        (void)jpeg_read_scanlines(decoder, &reading->bytes, 1);
        const JSAMPLE *from = reading->bytes;
        for (size_t x = 0; x < width; x++, from += parts) {
            reading->pixels[x] = inks ? of_inks(from, decoder->saw_Adobe_marker)
                                      : 0xFF000000U | (uint32_t)from[0] << 16 |
                                            (uint32_t)from[1] << 8 | (uint32_t)from[2];
        }
        app_picture_rows_add(&reading->rows, reading->pixels);
    }
    return true;
}

const char *app_picture_load_jpeg(void)
{
    return base_late_load(&late_jpeg);
}

bool app_picture_read_jpeg(struct app_picture_job *job, struct rend_picture *picture)
{
    struct reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) {
        job->lacks_memory = true;
        return false;
    }
    reading->job = job;
    reading->decoder.err = jpeg_std_error(&reading->errors);
    reading->decoder.client_data = reading;
    reading->errors.error_exit = failed;
    reading->errors.emit_message = warned;
    reading->progress.progress_monitor = count_scans;
    const bool read = setjmp(reading->back) == 0 && read_all(reading);
    if (read) {
        *picture = app_picture_rows_end(&reading->rows);
    } else {
        app_picture_rows_discard(&reading->rows);
    }
    jpeg_destroy_decompress(&reading->decoder);
    free(reading->bytes);
    free(reading->pixels);
    free(reading);
    return read;
}

#else

const char *app_picture_load_jpeg(void)
{
    return "froth was built without libjpeg";
}

bool app_picture_read_jpeg(struct app_picture_job *job, struct rend_picture *picture)
{
    (void)job;
    *picture = (struct rend_picture){0};
    return false;
}

#endif
