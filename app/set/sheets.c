#include "app/set/sheets.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"

enum { MINUTE = 60, HOUR = 3600, CUE_FRAMES = 75, PATH = 4096 };

/* In one line. */
static char *line_of(struct base_arena *arena, struct base_span text)
{
    char *copy = base_arena_text(arena, text.data, text.size);
    for (size_t i = 0; copy != NULL && i < text.size; i++) {
        copy[i] = (unsigned char)copy[i] < ' ' ? ' ' : copy[i];
    }
    return copy;
}

size_t app_set_chapters(struct app_set *set, double from, double to,
                        const struct app_video_chapter **chapters)
{
    const struct app_set_events *events = &set->events;
    struct app_video_chapter *list = base_arena_array(&set->arena, events->count + 1, sizeof *list);
    size_t count = 0;
    *chapters = list;
    for (size_t i = 0; list != NULL && i < events->count; i++) {
        const struct app_set_event *event = &events->items[i];
        const double at = app_set_seconds(&events->head, event->frame) - from;
        if (event->kind != APP_SET_PRESET || event->again || at >= to - from) {
            continue;
        }
        char *name = line_of(&set->arena, event->name);
        if (name == NULL) {
            break;
        }
        /* One that ran already, or was replaced in the same frame. */
        count -= count > 0 && (at <= 0 || list[count - 1].begin >= at);
        list[count++] = (struct app_video_chapter){fmax(at, 0), to - from, name};
        if (count > 1) {
            list[count - 2].end = list[count - 1].begin;
        }
    }
    return count;
}

/* ---- the sheets ---- */

struct sheet {
    FILE *file;
    char *text;
    size_t size;
};

static int finish(struct sheet *sheet, const char *video, const char *ending)
{
    char path[PATH];
    const char *dot = strrchr(video, '.');
    const char *slash = strrchr(video, '/');
    const int stem = (int)(dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - video)
                                                                         : strlen(video));
    const int size = snprintf(path, sizeof path, "%.*s.%s", stem, video, ending);
    const bool written = fclose(sheet->file) == 0;
    errno = !written ? ENOMEM : ENAMETOOLONG;
    const int result = written && size > 0 && (size_t)size < sizeof path
                           ? base_file_write(path, sheet->text, sheet->size, BASE_FILE_OVER)
                           : -1;
    free(sheet->text);
    return result;
}

static bool begin(struct sheet *sheet)
{
    sheet->file = open_memstream(&sheet->text, &sheet->size);
    return sheet->file != NULL;
}

static int write_cue(const char *video, const struct app_video_chapter *chapters, size_t count)
{
    struct sheet sheet;
    const char *slash = strrchr(video, '/');
    if (!begin(&sheet)) {
        return -1;
    }
    (void)fprintf(sheet.file, "FILE \"%s\" WAVE\n", slash != NULL ? slash + 1 : video);
    for (size_t i = 0; i < count; i++) {
        const unsigned long long frames =
            (unsigned long long)llround(chapters[i].begin * CUE_FRAMES);
        (void)fprintf(sheet.file, "  TRACK %02zu AUDIO\n    TITLE \"", i + 1);
        for (const char *at = chapters[i].name; *at != '\0'; at++) {
            (void)fputc(*at == '"' ? '\'' : *at, sheet.file);
        }
        (void)fprintf(sheet.file, "\"\n    INDEX 01 %02llu:%02llu:%02llu\n",
                      frames / CUE_FRAMES / MINUTE, frames / CUE_FRAMES % MINUTE,
                      frames % CUE_FRAMES);
    }
    return finish(&sheet, video, "cue");
}

static void put_code(FILE *file, double seconds, double fps)
{
    const unsigned long long rate = (unsigned long long)llround(fps);
    const unsigned long long frames = (unsigned long long)llround(seconds * fps);
    const unsigned long long whole = frames / rate;
    (void)fprintf(file, " %02llu:%02llu:%02llu:%02llu", whole / HOUR, whole / MINUTE % MINUTE,
                  whole % MINUTE, frames % rate);
}

/* CMX 3600: each preset is an event, whose source is the video itself. */
static int write_edl(const char *video, const struct app_video_chapter *chapters, size_t count,
                     double fps)
{
    struct sheet sheet;
    if (!begin(&sheet)) {
        return -1;
    }
    (void)fprintf(sheet.file, "TITLE: froth\nFCM: NON-DROP FRAME\n\n");
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(sheet.file, "%03zu  AX       V     C       ", i + 1);
        for (int pair = 0; pair < 2; pair++) {
            put_code(sheet.file, chapters[i].begin, fps);
            put_code(sheet.file, chapters[i].end, fps);
        }
        (void)fprintf(sheet.file, "\n* FROM CLIP NAME: %s\n", chapters[i].name);
    }
    return finish(&sheet, video, "edl");
}

int app_set_sheets_write(const char *video, const struct app_video_chapter *chapters, size_t count,
                         double fps)
{
    return write_cue(video, chapters, count) == 0 && write_edl(video, chapters, count, fps) == 0
               ? 0
               : -1;
}
