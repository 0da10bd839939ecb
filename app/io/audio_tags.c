#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/process.h"
#include "app/io/audio.h"
#include "app/io/audio_source.h"
#include "base/os/file.h"

enum { WORDS_MAX = 48, TEXTS_MAX = 512, ANSWER_MAX = 64 * 1024 };

/* A command line: `text` is parted at its blanks. */
struct words {
    const char *items[WORDS_MAX];
    char text[TEXTS_MAX];
};

static int start(struct app_process *process, struct words *words, int file,
                 const atomic_bool *stop)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(words->text, " ", &rest); word != NULL && count + 1 < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest)) {
        words->items[count++] = word;
    }
    words->items[count] = NULL;
    const int error = app_process_start(process, words->items, APP_PROCESS_READ, &file, 1);
    process->stop = stop;
    return error;
}

/* Copies a value up to the end of its line, in whole characters. */
static void take(char *text, size_t size, const char *value)
{
    size_t length = strcspn(value, "\r\n");
    if (length >= size) {
        for (length = size - 1; length > 0 && ((unsigned char)value[length] & 0xC0) == 0x80;) {
            length--;
        }
    }
    memcpy(text, value, length);
    text[length] = '\0';
}

/* A file's tags come before those of its streams; the first of a kind is taken. */
static void read_answer(struct app_audio_tags *tags, char *answer)
{
    static const char mark[] = "TAG:";
    char album_artist[APP_AUDIO_TAG] = "";
    const struct {
        const char *name;
        char *text;
    } kinds[] = {
        {"title=", tags->title}, {"artist=", tags->artist}, {"album_artist=", album_artist}};
    char *rest = NULL;
    for (char *line = strtok_r(answer, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, mark, sizeof mark - 1) != 0) {
            continue;
        }
        const char *tag = line + sizeof mark - 1;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const size_t length = strlen(kinds[i].name);
            if (strncasecmp(tag, kinds[i].name, length) == 0 && kinds[i].text[0] == '\0') {
                take(kinds[i].text, APP_AUDIO_TAG, tag + length);
            }
        }
    }
    if (tags->artist[0] == '\0') {
        memcpy(tags->artist, album_artist, sizeof album_artist);
    }
}

/* What the file's name says: without folders and ending. */
static void take_name(struct app_audio_tags *tags, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    take(tags->title, sizeof tags->title, name);
    char *point = strrchr(tags->title, '.');
    if (point != NULL && point != tags->title) {
        *point = '\0';
    }
}

/* The picture that a file carries, if it has one; ffmpeg brings it to its size. */
static uint32_t *read_cover(int file, const char *format, const atomic_bool *stop)
{
    struct words words;
    struct app_process process;
    const size_t size = (size_t)APP_AUDIO_COVER * APP_AUDIO_COVER * sizeof(uint32_t);
    uint32_t *pixels = malloc(size);
    (void)snprintf(words.text, sizeof words.text,
                   "ffmpeg -nostdin -hide_banner -v error " APP_AUDIO_FFMPEG_INPUT
                   " -map 0:v:0 -frames:v 1 -vf "
                   "scale=%d:%d:force_original_aspect_ratio=increase:flags=area,crop=%d:%d "
                   "-pix_fmt bgra -f rawvideo pipe:1",
                   format, format, APP_AUDIO_COVER, APP_AUDIO_COVER, APP_AUDIO_COVER,
                   APP_AUDIO_COVER);
    if (pixels == NULL || start(&process, &words, file, stop) != 0) {
        free(pixels);
        return NULL;
    }
    const bool whole = app_process_read(&process, pixels, size) == size;
    (void)app_process_finish(&process);
    for (size_t i = 0; whole && i < size / sizeof *pixels; i++) {
        pixels[i] &= 0xFFFFFF;
    }
    if (!whole) {
        free(pixels);
        pixels = NULL;
    }
    return pixels;
}

int app_audio_read_tags(const char *path, struct app_audio_tags *tags, const atomic_bool *stop,
                        const struct base_diag_sink *sink)
{
    struct words words;
    struct stat facts;
    struct app_process process = APP_PROCESS_NONE;
    bool only = false;
    memset(tags, 0, sizeof *tags);
    take_name(tags, path);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *format = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)
                             ? app_audio_format(file, &only)
                             : NULL;
    char *answer = format != NULL ? malloc(ANSWER_MAX) : NULL;
    if (answer == NULL) {
        base_file_close(&file);
        return 0;
    }
    (void)snprintf(words.text, sizeof words.text,
                   "ffprobe -hide_banner -v error " APP_AUDIO_FFMPEG_INPUT
                   " -show_entries format_tags:stream_tags -of default=noprint_wrappers=1",
                   format, format);
    const int error = start(&process, &words, file, stop);
    if (error != 0) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path},
                    error == ENOENT ? "install it (Debian: apt install ffmpeg)" : NULL,
                    error == ENOENT ? "ffprobe, which reads titles, was not found"
                                    : "ffprobe cannot be started: %s",
                    strerror(error));
    } else {
        const size_t size = app_process_read(&process, answer, ANSWER_MAX - 1);
        answer[size] = '\0';
        (void)app_process_finish(&process);
        struct app_audio_tags said = {.cover = NULL};
        read_answer(&said, answer);
        if (said.title[0] != '\0') {
            *tags = said;
        }
        tags->cover = read_cover(file, format, stop);
    }
    free(answer);
    base_file_close(&file);
    return error == 0 ? 0 : -1;
}
