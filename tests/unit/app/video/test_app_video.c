#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/io/audio.h"
#include "app/video/video.h"
#include "app/video/output.h"
#include "app/io/picture.h"
#include "engine/picture.h"
#include "app/io/progress.h"
#include "base/os/file.h"
#include "../../turns.h"

enum { PATH_SIZE = 512, WIDTH = 18, HEIGHT = 16, PIXELS = WIDTH * HEIGHT };

/* A folder of its own for each test, and what is reported. */
struct place {
    char folder[64];
    struct base_diag_list diags;
    struct base_diag_sink sink;
};

static const uint32_t colours[] = {0x000000, 0xffffff, 0xff0000, 0x00ff00,
                                   0x0000ff, 0x808080, 0x123456, 0xfedcba};
enum { COLOURS = sizeof colours / sizeof colours[0] };

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    assert_non_null(place);
    (void)snprintf(place->folder, sizeof place->folder, "/tmp/froth-video-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    place->sink = base_diag_list_sink(&place->diags);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    char command[PATH_SIZE];
    (void)snprintf(command, sizeof command, "rm -r '%s'", place->folder);
    const int result = system(command);
    free(place);
    return result;
}

static const char *in(const struct place *place, const char *name)
{
    static char paths[4][PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, PATH_SIZE, "%s/%s", place->folder, name);
    return path;
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry = readdir(directory); entry != NULL;
         entry = readdir(directory)) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(directory);
    return count;
}

static size_t read_file(const char *path, unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t got = fread(data, 1, size, file);
    (void)fclose(file);
    return got;
}

static void draw(uint32_t *pixels, size_t frame)
{
    for (size_t i = 0; i < PIXELS; i++) {
        pixels[i] = colours[(i + frame) % COLOURS];
    }
}

static struct app_video_format format_of(int width, int height)
{
    return (struct app_video_format){
        .width = width, .height = height, .rate = {30, 1}, .frames = 3};
}

static struct app_video *open_here(struct place *place, const char *name)
{
    const struct app_video_format format = format_of(WIDTH, HEIGHT);
    return app_video_open(name, &format, &place->sink);
}

/* Runs body with standard output led to path. */
static int with_stdout(const char *path, int (*body)(struct place *place), struct place *place)
{
    (void)fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(saved >= 0 && file >= 0);
    assert_int_equal(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
    const int result = body(place);
    assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    (void)close(saved);
    (void)close(file);
    return result;
}

static int write_two_frames(struct place *place)
{
    uint32_t pixels[PIXELS];
    struct app_video *video = open_here(place, "-");
    if (video == NULL) {
        return -1;
    }
    for (size_t frame = 0; frame < 2; frame++) {
        draw(pixels, frame);
        if (app_video_frame(video, pixels) != 0) {
            app_video_discard(video);
            return -1;
        }
    }
    return app_video_finish(video);
}

static void y4m_is_exact(void **state)
{
    static const char header[] = "YUV4MPEG2 W18 H16 F30:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    /* BT.601 limited range, from the real formula rounded by hand. */
    static const unsigned char expected[][3] = {{16, 128, 128}, {235, 128, 128}, {81, 90, 240},
                                                {145, 54, 34},  {41, 240, 110},  {126, 128, 128}};
    struct place *place = *state;
    unsigned char data[4096];
    assert_int_equal(with_stdout(in(place, "out.y4m"), write_two_frames, place), 0);
    const size_t header_size = sizeof header - 1;
    const size_t frame_size = 6 + 3 * PIXELS;
    assert_int_equal(read_file(in(place, "out.y4m"), data, sizeof data),
                     header_size + 2 * frame_size);
    assert_memory_equal(data, header, header_size);
    for (size_t frame = 0; frame < 2; frame++) {
        const unsigned char *at = data + header_size + frame * frame_size;
        assert_memory_equal(at, "FRAME\n", 6);
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
            const size_t pixel = i + COLOURS - frame;
            assert_int_equal(at[6 + pixel], expected[i][0]);
            assert_int_equal(at[6 + PIXELS + pixel], expected[i][1]);
            assert_int_equal(at[6 + 2 * PIXELS + pixel], expected[i][2]);
        }
    }
}

static void a_full_disk_stops_y4m(void **state)
{
    struct place *place = *state;
    if (access("/dev/full", W_OK) != 0) {
        SKIP("there is no /dev/full");
    }
    assert_int_equal(with_stdout("/dev/full", write_two_frames, place), -1);
    assert_int_equal(place->diags.count, 1);
    assert_non_null(strstr(place->diags.items[0].what, "No space left"));
}

static void check_png(const char *path)
{
    static const unsigned char start[] = {0x89, 'P', 'N', 'G',    '\r', '\n', 0x1a, '\n', 0, 0,
                                          0,    13,  'I', 'H',    'D',  'R',  0,    0,    0, WIDTH,
                                          0,    0,   0,   HEIGHT, 8,    2,    0,    0,    0};
    unsigned char data[4096];
    const size_t size = read_file(path, data, sizeof data);
    assert_true(size > sizeof start + 12);
    assert_memory_equal(data, start, sizeof start);
    assert_memory_equal(data + size - 8, "IEND", 4);
}

/* Decodes with ffmpeg, a program that shares no code with the writer. */
static void check_png_pixels(const char *path, size_t frame)
{
    char command[2 * PATH_SIZE];
    (void)snprintf(command, sizeof command,
                   "ffmpeg -loglevel error -i '%s' -f rawvideo -pix_fmt rgb24 '%s.rgb'", path,
                   path);
    assert_int_equal(system(command), 0);
    (void)snprintf(command, sizeof command, "%s.rgb", path);
    unsigned char data[3 * PIXELS];
    assert_int_equal(read_file(command, data, sizeof data), sizeof data);
    assert_int_equal(remove(command), 0);
    uint32_t pixels[PIXELS];
    draw(pixels, frame);
    for (size_t i = 0; i < PIXELS; i++) {
        const uint32_t pixel = (uint32_t)data[3 * i] << 16 | (uint32_t)data[3 * i + 1] << 8 |
                               (uint32_t)data[3 * i + 2];
        assert_int_equal(pixel, pixels[i]);
    }
}

static void add_frames(struct app_video *video, size_t count)
{
    uint32_t pixels[PIXELS];
    for (size_t frame = 0; frame < count; frame++) {
        draw(pixels, frame);
        assert_int_equal(app_video_frame(video, pixels), 0);
    }
}

static void a_pattern_gives_a_png_per_frame(void **state)
{
    struct place *place = *state;
    struct app_video *video = open_here(place, in(place, "new/p%03d.png"));
    assert_non_null(video);
    add_frames(video, 3);
    assert_int_equal(app_video_finish(video), 0);
    assert_int_equal(files_in(in(place, "new")), 3);
    check_png(in(place, "new/p001.png"));
    check_png(in(place, "new/p003.png"));
    check_png_pixels(in(place, "new/p002.png"), 1);
}

static void lent_frames_are_the_same(void **state)
{
    struct place *place = *state;
    uint32_t pixels[2][PIXELS];
    struct app_video *video = open_here(place, in(place, "lent/p%03d.png"));
    assert_non_null(video);
    for (size_t frame = 0; frame < 4; frame++) {
        draw(pixels[frame % 2], frame);
        assert_int_equal(frame == 2 ? app_video_frame(video, pixels[0])
                                    : app_video_lend(video, pixels[frame % 2]),
                         0);
    }
    assert_int_equal(app_video_finish(video), 0);
    assert_int_equal(files_in(in(place, "lent")), 4);
    check_png_pixels(in(place, "lent/p001.png"), 0);
    check_png_pixels(in(place, "lent/p002.png"), 1);
    check_png_pixels(in(place, "lent/p003.png"), 2);
    check_png_pixels(in(place, "lent/p004.png"), 3);
}

static void a_name_gives_the_last_frame(void **state)
{
    struct place *place = *state;
    const char *path = in(place, "one.PNG");
    struct app_video *video = open_here(place, path);
    assert_non_null(video);
    add_frames(video, 5);
    assert_int_equal(files_in(place->folder), 0);
    assert_int_equal(app_video_finish(video), 0);
    assert_int_equal(files_in(place->folder), 1);
    check_png_pixels(path, 4);
}

static void percent_signs_and_long_names(void **state)
{
    static const struct {
        const char *name;
        const char *file;
    } cases[] = {
        {"%d/a.png", "%d/a.png"},  {"50%/b%d.png", "50%/b1.png"},  {"c%%.png", "c%.png"},
        {"%%05d.png", "%05d.png"}, {"d%%%02d%%.png", "d%01%.png"},
    };
    struct place *place = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_video *video = open_here(place, in(place, cases[i].name));
        assert_non_null(video);
        add_frames(video, 1);
        assert_int_equal(app_video_finish(video), 0);
        assert_int_equal(access(in(place, cases[i].file), F_OK), 0);
    }
    char longest[256];
    memset(longest, 'x', 255);
    (void)snprintf(longest + 251, 5, ".mp4");
    struct app_video *video = open_here(place, in(place, longest));
    assert_non_null(video);
    add_frames(video, 1);
    assert_int_equal(app_video_finish(video), 0);
    assert_int_equal(access(in(place, longest), F_OK), 0);
}

static void discarding_leaves_nothing(void **state)
{
    static const char *const names[] = {"one.png", "new/%d.png", "a.mp4",
                                        "a.mkv",   "a.webm",     "a.mov"};
    struct place *place = *state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct app_video *video = open_here(place, in(place, names[i]));
        assert_non_null(video);
        if (i != 1) {
            add_frames(video, 2);
        }
        app_video_discard(video);
        assert_int_equal(files_in(place->folder), 0);
    }
    app_video_discard(NULL);
}

static void impossible_outputs_are_refused(void **state)
{
    static const struct {
        const char *name;
        int width;
        const char *what;
    } cases[] = {
        {"x.avi", 32, "ending"},      {"png", 32, "ending"},         {".", 32, "folder"},
        {"a%s.png", 32, "number"},    {"a%d%d.png", 32, "number"},   {"a%5d.png", 32, "number"},
        {"a%010d.png", 32, "number"}, {"a%n.png", 32, "number"},     {"a%%%.png", 32, "number"},
        {"a%", 32, "ending"},         {"x.mp4", 33, "does not fit"}, {"x.mkv", 33, "does not fit"},
    };
    struct place *place = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct app_video_format format = format_of(cases[i].width, 32);
        place->diags = (struct base_diag_list){0};
        assert_null(app_video_open(in(place, cases[i].name), &format, &place->sink));
        assert_int_equal(place->diags.count, 1);
        assert_non_null(strstr(place->diags.items[0].what, cases[i].what));
        assert_int_equal(files_in(place->folder), 0);
    }
}

/* They go again where nothing came into them; a folder that was there stays. */
static void folders_are_made(void **state)
{
    static const char *const names[] = {"deep/er/%d.png", "deep/er/x.png", "deep//er/still/x.mkv"};
    struct place *place = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char deep[PATH_SIZE];
        (void)snprintf(deep, sizeof deep, "%s/deep", place->folder);
        app_video_discard(open_here(place, in(place, names[i])));
        assert_int_equal(files_in(place->folder), 0);
        assert_int_equal(mkdir(deep, 0777), 0);
        app_video_discard(open_here(place, in(place, names[i])));
        assert_int_equal(files_in(deep), 0);
        assert_int_equal(rmdir(deep), 0);
    }
    struct app_video *video = open_here(place, in(place, "deep/er/%d.png"));
    assert_non_null(video);
    add_frames(video, 3);
    assert_int_equal(app_video_finish(video), 0);
    assert_int_equal(files_in(in(place, "deep/er")), 3);
    const struct app_video_format format = format_of(32, 32);
    place->diags = (struct base_diag_list){0};
    assert_null(app_video_open(in(place, "deep/er/1.png/no/x.png"), &format, &place->sink));
    assert_non_null(strstr(place->diags.items[0].what, "cannot make the folder"));
}

static void video_files_are_whole(void **state)
{
    static const struct {
        const char *name;
        size_t at;
        const char *mark; /* of the kind of file */
    } cases[] = {
        {"a.mp4", 4, "ftyp"}, {"a.mkv", 0, "\x1a\x45\xdf\xa3"}, {"a.webm", 0, "\x1a\x45\xdf\xa3"}};
    struct place *place = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_video *video = open_here(place, in(place, cases[i].name));
        assert_non_null(video);
        add_frames(video, 3);
        assert_int_equal(app_video_finish(video), 0);
        assert_int_equal(files_in(place->folder), i + 1);
        unsigned char data[64];
        assert_int_equal(read_file(in(place, cases[i].name), data, sizeof data), sizeof data);
        assert_memory_equal(data + cases[i].at, cases[i].mark, 4);
    }
}

static void write_script(const struct place *place, const char *text)
{
    const char *path = in(place, "bin/ffmpeg");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("#!/bin/sh\n", file) >= 0 && fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

/* Many frames into an ffmpeg that fails; the outcome must be an error with no file left. */
static void fail_with_script(struct place *place)
{
    const struct app_video_format format = format_of(512, 512);
    uint32_t *pixels = calloc(512 * 512, sizeof *pixels);
    assert_non_null(pixels);
    struct app_video *video = app_video_open(in(place, "x.mp4"), &format, &place->sink);
    int result = video != NULL ? 0 : -1;
    for (int frame = 0; video != NULL && frame < 4 && result == 0; frame++) {
        result = app_video_frame(video, pixels);
    }
    free(pixels);
    if (video != NULL && result == 0) {
        result = app_video_finish(video);
    } else {
        app_video_discard(video);
    }
    assert_int_equal(result, -1);
    assert_true(place->diags.by_severity[BASE_ERROR] == 1);
    assert_int_equal(files_in(place->folder), 1); /* bin */
}

static void a_failing_ffmpeg_is_reported(void **state)
{
    static const struct {
        const char *script; /* NULL: no ffmpeg */
        const char *what;
        const char *note;
    } cases[] = {
        {NULL, "ffmpeg was not found", ""},
        {"echo 'no such encoder' >&2; exit 3\n", "exit code 3", "no such encoder"},
        {"head -c 70000 >/dev/null; echo broken >&2; exit 5\n", "exit code 5", "broken"},
        {"head -c 70000 >/dev/null; exit 0\n", "did not complete", ""},
        {"head -c 70000 >/dev/null; kill -9 $$\n", "signal 9", ""},
        {"cat >/dev/null; echo late >&2; exit 1\n", "exit code 1", "late"},
        {"yes flood | head -c 300000 >&2; cat >/dev/null; exit 1\n", "exit code 1", "flood"},
        {"cat >/dev/null; echo 'Error writing trailer of x' >&2\n", "did not complete", "trailer"},
        {"cat >/dev/null\n", "did not complete", ""},
    };
    struct place *place = *state;
    char *old_path = strdup(getenv("PATH"));
    assert_non_null(old_path);
    char new_path[2 * PATH_SIZE];
    (void)snprintf(new_path, sizeof new_path, "%s/bin:%s", place->folder, old_path);
    assert_int_equal(mkdir(in(place, "bin"), 0700), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        place->diags = (struct base_diag_list){0};
        if (cases[i].script != NULL) {
            write_script(place, cases[i].script);
        }
        assert_int_equal(setenv("PATH", cases[i].script != NULL ? new_path : "/nowhere", 1), 0);
        fail_with_script(place);
        assert_int_equal(setenv("PATH", old_path, 1), 0);
        assert_non_null(strstr(place->diags.items[0].what, cases[i].what));
        if (cases[i].note[0] != '\0') {
            assert_true(place->diags.count > 1);
            assert_non_null(strstr(place->diags.items[1].what, cases[i].note));
        }
    }
    free(old_path);
}

static void an_old_file_survives_a_failure(void **state)
{
    struct place *place = *state;
    const char *path = in(place, "x.mp4");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("old", file) >= 0);
    assert_int_equal(fclose(file), 0);
    struct app_video *video = open_here(place, path);
    assert_non_null(video);
    add_frames(video, 2);
    app_video_discard(video);
    unsigned char data[8];
    assert_int_equal(read_file(path, data, sizeof data), 3);
}

static void a_video_that_cannot_be_put_there(void **state)
{
    struct place *place = *state;
    char command[2 * PATH_SIZE];
    struct app_video *video = open_here(place, in(place, "x.mp4"));
    assert_non_null(video);
    add_frames(video, 2);
    (void)snprintf(command, sizeof command, "rm '%s'/*.part", place->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(app_video_finish(video), -1);
    assert_int_equal(place->diags.by_severity[BASE_ERROR], 1);
    assert_non_null(strstr(place->diags.items[0].what, "cannot be put there"));
    assert_int_equal(files_in(place->folder), 0);
}

/* Names that could be guessed lead to a file of the user's. */
static void planted_links_lead_nowhere(void **state)
{
    static const char *const outputs[] = {"x.mp4", "x.png", "x.wav"};
    static const char *const endings[] = {".part", ".sound.part"};
    struct place *place = *state;
    char victim[PATH_SIZE];
    unsigned char data[8];
    (void)snprintf(victim, sizeof victim, "%s", in(place, "victim"));
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        for (size_t k = 0; k < 2; k++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s.%ld%s", outputs[i], (long)getpid(), endings[k]);
            assert_int_equal(symlink(victim, in(place, name)), 0);
        }
    }
    FILE *file = fopen(victim, "w");
    assert_non_null(file);
    assert_true(fputs("mine", file) >= 0);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < 2; i++) {
        char path[PATH_SIZE];
        (void)snprintf(path, sizeof path, "%s", in(place, outputs[i]));
        struct app_video_format format = format_of(16, 16);
        format.audio = "test";
        format.frames = 2;
        struct app_video *video = app_video_open(path, &format, &place->sink);
        assert_non_null(video);
        add_frames(video, 2);
        assert_int_equal(app_video_finish(video), 0);
    }
    struct app_wave *wave = app_wave_create(in(place, "x.wav"), 44100, &place->sink);
    assert_non_null(wave);
    assert_int_equal(app_wave_finish(wave, &place->sink), 0);
    assert_int_equal(read_file(victim, data, sizeof data), 4);
    assert_memory_equal(data, "mine", 4);
    assert_int_equal(base_part_create(victim), -1);
    assert_int_equal(base_part_create(in(place, "x.png")), -1);
}

static void what_has_come_meanwhile_stays(void **state)
{
    struct place *place = *state;
    static const char *const files[] = {"film.x.mp4", "film.x-2.mp4"};
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s", in(place, files[0]));
    struct app_video *video = open_here(place, path);
    assert_non_null(video);
    add_frames(video, 2);
    for (size_t i = 0; i < 2; i++) {
        FILE *file = fopen(in(place, files[i]), "w");
        assert_non_null(file);
        assert_true(fputs("come", file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(app_video_finish(video), 0);
    assert_int_equal(files_in(place->folder), 3);
    unsigned char data[16];
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(read_file(in(place, files[i]), data, sizeof data), 4);
    }
    assert_int_equal(read_file(in(place, "film.x-3.mp4"), data, sizeof data), sizeof data);
    assert_memory_equal(data + 4, "ftyp", 4);
    assert_int_equal(place->diags.by_severity[BASE_WARNING], 1);
}

static void rates_are_the_meant_fractions(void **state)
{
    static const struct {
        double fps;
        uint32_t numerator;
        uint32_t denominator;
    } cases[] = {
        {60, 60, 1},
        {1, 1, 1},
        {1000, 1000, 1},
        {12.5, 25, 2},
        {29.97, 30000, 1001},
        {59.94, 60000, 1001},
        {23.976, 24000, 1001},
        {500.25, 2001, 4},
        {119.88, 120000, 1001},
        {33.3, 333, 10},
        {24.2, 121, 5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct engine_rate rate = engine_rate_of(cases[i].fps);
        assert_int_equal(rate.numerator, cases[i].numerator);
        assert_int_equal(rate.denominator, cases[i].denominator);
    }
    for (double fps = 1; fps <= 1000; fps += 0.377) {
        const struct engine_rate rate = engine_rate_of(fps);
        const double back = (double)rate.numerator / rate.denominator;
        assert_true(back > fps - 0.00101 && back < fps + 0.00101);
        const struct engine_rate again = engine_rate_of(back);
        assert_int_equal(again.numerator * rate.denominator, rate.numerator * again.denominator);
    }
}

static void sound_stays_in_step_for_hours(void **state)
{
    (void)state;
    const struct engine_rate ntsc = {30000, 1001};
    const struct engine_rate sixty = {60, 1};
    assert_int_equal(engine_rate_samples(sixty, 0), 0);
    assert_int_equal(engine_rate_samples(sixty, 1), 735);
    assert_int_equal(engine_rate_samples(sixty, 1000000000), 735000000000);
    assert_int_equal(engine_rate_samples(ntsc, 1), 1471); /* 1471.47 */
    assert_int_equal(engine_rate_samples(ntsc, 2), 2943); /* 2942.94 */
    assert_int_equal(engine_rate_samples(ntsc, 1000000000), 1471470000000);
    assert_true(engine_rate_seconds(ntsc, 30000) == 1001);
    assert_int_equal(engine_rate_frames(sixty, 2.5), 150);
    assert_int_equal(engine_rate_frames(sixty, 0), 1);
    assert_int_equal(engine_rate_frames(ntsc, 1001), 30000);
}

static void hashes_depend_on_every_pixel(void **state)
{
    (void)state;
    unsigned char row[3 * WIDTH];
    uint32_t pixels[PIXELS];
    draw(pixels, 0);
    const uint64_t hash = engine_picture_hash(pixels, WIDTH, HEIGHT, row, NULL);
    assert_true(hash == engine_picture_hash(pixels, WIDTH, HEIGHT, row, NULL));
    for (size_t i = 0; i < PIXELS; i++) {
        pixels[i] ^= 1;
        assert_true(hash != engine_picture_hash(pixels, WIDTH, HEIGHT, row, NULL));
        pixels[i] ^= 1 | 0xFF000000;
    }
    assert_true(hash == engine_picture_hash(pixels, WIDTH, HEIGHT, row, NULL));
}

static void pictures_are_hashed_as_bytes_that_others_read(void **state)
{
    (void)state;
    /* The bytes of "abc", then of "abcdef": what xxhsum prints for these. */
    static const uint32_t pixels[2] = {0x616263, 0x646566};
    unsigned char row[6];
    struct base_content_stream all;
    base_content_stream_begin(&all);
    assert_true(base_content_stream_hash(&all) == UINT64_C(0xef46db3751d8e999));
    assert_true(engine_picture_hash(pixels, 1, 1, row, &all) == UINT64_C(0x44bc2cf5ad770999));
    (void)engine_picture_hash(pixels + 1, 1, 1, row, &all);
    assert_true(base_content_stream_hash(&all) == engine_picture_hash(pixels, 2, 1, row, NULL));
    assert_true(base_content_stream_hash(&all) == engine_picture_hash(pixels, 1, 2, row, NULL));
}

static void progress_reads_well(void **state)
{
    static const struct {
        uint64_t done;
        double seconds;
        const char *text;
    } cases[] = {
        {0, 0, "  0 %  0/600 frames  0.0 per second"},
        {150, 10, " 25 %  150/600 frames  15.0 per second  0:30 left"},
        {1, 60, "  0 %  1/600 frames  0.0 per second  9:59:00 left"},
        {600, 20, "100 %  600/600 frames  30.0 per second"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        app_progress_text(text, sizeof text, "frames", cases[i].done, 600, cases[i].seconds);
        assert_string_equal(text, cases[i].text);
    }
    char small[8];
    app_progress_text(small, sizeof small, "frames", 1, 600, 1);
    assert_int_equal(strlen(small), 7);
}

static void the_end_is_told_once(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        struct app_progress progress;
        app_progress_begin(&progress, file, "frames", 3);
        progress.shown -= 3600 * told;
        app_progress_step(&progress, 3);
        assert_int_equal(ftell(file) > 0, told);
        app_progress_end(&progress, 3, true);
        rewind(file);
        int lines = 0;
        for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
            lines += c == '\n';
        }
        assert_int_equal(lines, 1);
        (void)fclose(file);
    }
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        IN_PLACE(y4m_is_exact),
        IN_PLACE(a_full_disk_stops_y4m),
        IN_PLACE(a_pattern_gives_a_png_per_frame),
        IN_PLACE(lent_frames_are_the_same),
        IN_PLACE(a_name_gives_the_last_frame),
        IN_PLACE(percent_signs_and_long_names),
        IN_PLACE(discarding_leaves_nothing),
        IN_PLACE(impossible_outputs_are_refused),
        IN_PLACE(folders_are_made),
        IN_PLACE(video_files_are_whole),
        IN_PLACE(a_failing_ffmpeg_is_reported),
        IN_PLACE(an_old_file_survives_a_failure),
        IN_PLACE(a_video_that_cannot_be_put_there),
        IN_PLACE(planted_links_lead_nowhere),
        IN_PLACE(what_has_come_meanwhile_stays),
        cmocka_unit_test(rates_are_the_meant_fractions),
        cmocka_unit_test(sound_stays_in_step_for_hours),
        cmocka_unit_test(hashes_depend_on_every_pixel),
        cmocka_unit_test(pictures_are_hashed_as_bytes_that_others_read),
        cmocka_unit_test(progress_reads_well),
        cmocka_unit_test(the_end_is_told_once),
    };
    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
