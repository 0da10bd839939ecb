#define _XOPEN_SOURCE 700 /* posix_openpt */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/board/serial.h"
#include "app/options/options.h"

/* The boot loader's side: within this process, where time is what the sender waits, and over a
 * pseudo terminal, at whose other end froth send is a process of its own. There a busy machine may
 * be late with any answer, and the same frame comes twice. */

enum { IMAGE = 5000, NEVER = -1, FRAMES = (IMAGE + 250) / 251 };

/* What a line that takes its time may take, in seconds, before a test has failed. */
enum { PATIENCE = 300 };

struct faults {
    int garbled;    /* so many frames, from the third, are answered with C */
    long lost;      /* the byte of the stream that never arrives */
    int unanswered; /* the frame whose answer gets lost */
    int unknown;    /* the frame from which on U is answered */
    int error;      /* E */
    int silent;     /* the frame from which nothing is answered */
    int calls;      /* that the board makes: 2: it starts anew */
};

static const struct faults none = {0, NEVER, NEVER, NEVER, NEVER, NEVER, 1};

struct loader {
    int line;
    struct faults faults;
    long taken; /* bytes */
    int frames;
    uint8_t memory[IMAGE + 251];
    char command_line[300];
    uint32_t line_at;
    int jumps;
    int aborts;
};

static void fill_image(uint8_t bytes[IMAGE])
{
    for (size_t i = 0; i < IMAGE; i++) {
        bytes[i] = (uint8_t)(i * 31 + (i >> 8) * 7 + (i % 5 == 0 ? 'K' : 0));
    }
}

/* A byte, or -1 when nothing comes any more. */
static int take(struct loader *loader)
{
    uint8_t byte;
    do {
        struct pollfd wanted = {.fd = loader->line, .events = POLLIN};
        if (poll(&wanted, 1, PATIENCE * 1000) <= 0 || read(loader->line, &byte, 1) != 1) {
            return -1;
        }
    } while (loader->taken++ == loader->faults.lost);
    return byte;
}

static void say(struct loader *loader, const char *text)
{
    assert_int_equal(write(loader->line, text, strlen(text)), (ssize_t)strlen(text));
}

static bool take_reply(struct loader *loader)
{
    char text[16] = "";
    for (size_t i = 0; i < strlen("z6IHG7cYDID6o\n"); i++) {
        text[i] = (char)take(loader);
    }
    loader->taken = 0;
    return strcmp(text, "z6IHG7cYDID6o\n") == 0;
}

static void store(struct loader *loader, uint32_t address, const uint8_t *data, size_t count)
{
    if (address >= 0x41000000) {
        assert_int_equal(address, 0x41000000);
        assert_true(count <= sizeof loader->command_line);
        memcpy(loader->command_line, data, count);
    } else {
        assert_in_range(address, 0x40000000, 0x40000000 + IMAGE - 1);
        memcpy(loader->memory + (address - 0x40000000), data, count);
    }
}

static char carry_out(struct loader *loader, const uint8_t *frame, size_t payload)
{
    const uint32_t address =
        (uint32_t)frame[4] << 24 | (uint32_t)frame[5] << 16 | (uint32_t)frame[6] << 8 | frame[7];
    switch (frame[3]) {
    case 0:
        loader->aborts++;
        return 'K';
    case 1:
        store(loader, address, frame + 8, payload - 4);
        return 'K';
    case 2:
        assert_int_equal(address, 0x40000000);
        loader->jumps++;
        return 'K';
    case 3:
        loader->line_at = address;
        return 'K';
    default:
        return 'U';
    }
}

/* What the loader answers to a frame; 0: nothing. */
static char answer_frame(struct loader *loader, const uint8_t frame[259])
{
    const size_t length = frame[0];
    const struct faults *faults = &loader->faults;
    const uint16_t crc = app_serial_boot_crc(frame + 3, length + 1);
    const char answer =
        frame[1] != crc >> 8 || frame[2] != (crc & 255) ? 'C' : carry_out(loader, frame, length);
    const int number = loader->frames++;
    if (number == faults->unanswered || (faults->silent != NEVER && number >= faults->silent)) {
        return 0;
    }
    return number >= 3 && number < 3 + faults->garbled             ? 'C'
           : faults->unknown != NEVER && number >= faults->unknown ? 'U'
           : faults->error != NEVER && number >= faults->error     ? 'E'
                                                                   : answer;
}

/* Waits for the next frame; false: the line is quiet. */
static bool take_frame(struct loader *loader, uint8_t frame[259])
{
    const int length = take(loader);
    frame[0] = (uint8_t)length;
    for (int i = 1; length >= 0 && i < length + 4; i++) {
        const int byte = take(loader);
        if (byte < 0) {
            return false;
        }
        frame[i] = (uint8_t)byte;
    }
    return length >= 0;
}

/* Until the program is started or nothing goes on. */
static void boot(struct loader *loader)
{
    static const char early[] = "BIOS\r\nsL5DdsL5DdSMmkekro\n";
    uint8_t frame[259];
    int bad = 0;
    say(loader, early);
    assert_true(take_reply(loader));
    const int jumps = loader->jumps;
    while (loader->jumps == jumps && loader->aborts == 0 && bad < 5 && take_frame(loader, frame)) {
        const char answer = answer_frame(loader, frame);
        bad = answer == 'C' ? bad + 1 : 0;
        say(loader, (char[]){answer, '\0'});
    }
}

/* ---- in this process ---- */

/* A loader that has an answer ready as soon as a frame is whole, and a clock that goes on only
 * where the sender waits. */
struct bench {
    struct loader loader;
    size_t reply; /* so many bytes of it have come */
    uint8_t frame[259];
    size_t have; /* bytes of it */
    char answers[600];
    size_t answered; /* how many there are */
    size_t read;     /* how many were read */
    double now;
};

static int bench_read(void *user, double seconds)
{
    struct bench *bench = user;
    if (bench->read < bench->answered) {
        return bench->answers[bench->read++];
    }
    bench->now += seconds;
    return -1;
}

static int bench_write(void *user, const uint8_t *bytes, size_t count)
{
    static const char reply[] = "z6IHG7cYDID6o\n";
    struct bench *bench = user;
    struct loader *loader = &bench->loader;
    for (size_t i = 0; i < count; i++) {
        if (bench->reply < sizeof reply - 1) {
            assert_int_equal(bytes[i], reply[bench->reply++]);
        } else if (loader->taken++ != loader->faults.lost) {
            bench->frame[bench->have++] = bytes[i];
        }
        if (bench->have > 0 && bench->have == (size_t)bench->frame[0] + 4) {
            const char answer = answer_frame(loader, bench->frame);
            bench->have = 0;
            if (answer != 0) {
                assert_true(bench->answered < sizeof bench->answers);
                bench->answers[bench->answered++] = answer;
            }
        }
    }
    return 0;
}

static void count_none(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static double bench_now(void *user)
{
    const struct bench *bench = user;
    return bench->now;
}

static enum app_serial_boot_result boot_here(struct bench *bench, const struct faults *faults,
                                             const char *command_line)
{
    const struct app_serial_boot_line line = {.user = bench,
                                              .read = bench_read,
                                              .write = bench_write,
                                              .sent = count_none,
                                              .stop = never,
                                              .now = bench_now};
    uint8_t image[IMAGE];
    fill_image(image);
    *bench = (struct bench){.loader.faults = *faults};
    const enum app_serial_boot_result result = app_serial_boot(&line, image, IMAGE, command_line);
    if (bench->loader.jumps > 0) {
        assert_memory_equal(bench->loader.memory, image, IMAGE);
    }
    return result;
}

/* ---- over a line ---- */

struct outcome {
    int code;
    char shown[200];
    char said[2000];
};

static void read_all(const char *name, char *text, size_t room)
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    (void)fclose(file);
}

struct place {
    char folder[32];
    char image[48];
    char shown[48];
    char said[48];
    uint8_t bytes[IMAGE];
};

static void place_begin(struct place *place)
{
    strcpy(place->folder, "/tmp/froth_send_XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    (void)snprintf(place->image, sizeof place->image, "%s/boot.bin", place->folder);
    (void)snprintf(place->shown, sizeof place->shown, "%s/shown", place->folder);
    (void)snprintf(place->said, sizeof place->said, "%s/said", place->folder);
    fill_image(place->bytes);
    FILE *file = fopen(place->image, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(place->bytes, 1, IMAGE, file), IMAGE);
    assert_int_equal(fclose(file), 0);
}

static void place_end(const struct place *place)
{
    (void)unlink(place->image);
    (void)unlink(place->shown);
    (void)unlink(place->said);
    (void)rmdir(place->folder);
}

static void redirect(const char *name, int flags, int to)
{
    const int file = open(name, flags, 0600);
    if (file < 0 || dup2(file, to) < 0) {
        _exit(99);
    }
}

static pid_t start_froth(const struct place *place, const char *port, const char *command_line,
                         double time_limit)
{
    const struct app_options options = {
        .inputs = &(const char *){place->image},
        .input_count = 1,
        .port = port,
        .command_line = command_line,
        .duration = PATIENCE,
        .time_limit = time_limit,
    };
    (void)fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redirect("/dev/null", O_RDONLY, STDIN_FILENO);
        redirect(place->shown, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect(place->said, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        const int code = app_send(&options);
        (void)fflush(NULL);
        _exit(code);
    }
    return child;
}

static int open_line(char *port, size_t room)
{
    const int line = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(line >= 0);
    assert_int_equal(grantpt(line), 0);
    assert_int_equal(unlockpt(line), 0);
    (void)snprintf(port, room, "%s", ptsname(line));
    return line;
}

static void wait_until_open(const struct place *place)
{
    char said[200] = "";
    for (int i = 0; i < PATIENCE * 100 && strstr(said, "waiting") == NULL; i++) {
        (void)poll(NULL, 0, 10);
        if (access(place->said, R_OK) == 0) {
            read_all(place->said, said, sizeof said);
        }
    }
    assert_non_null(strstr(said, "waiting"));
}

static size_t count_shown(const struct place *place)
{
    char shown[1000] = "";
    size_t count = 0;
    read_all(place->shown, shown, sizeof shown);
    for (const char *at = shown; (at = strstr(at, "hello\r\n")) != NULL; at++) {
        count++;
    }
    return count;
}

/* A program that was started greets once. What comes late of a frame is answered still, until froth
 * ends, or is ended as soon as all that was said is shown. */
static int attend(struct loader *loader, const struct place *place, pid_t child)
{
    const size_t greetings = (size_t)loader->jumps;
    int status;
    bool asked = false;
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct pollfd wanted = {.fd = loader->line, .events = POLLIN};
        uint8_t frame[259];
        if (poll(&wanted, 1, 10) > 0 && take_frame(loader, frame)) {
            say(loader, (char[]){answer_frame(loader, frame), '\0'});
        }
        if (!asked && greetings > 0 && count_shown(place) == greetings) {
            asked = true;
            (void)kill(child, SIGTERM);
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A whole session: calls as often as the faults have it, then the console. */
static struct outcome run(struct loader *loader, const struct faults *faults,
                          const char *command_line)
{
    struct place place;
    struct outcome outcome = {.code = -1};
    char port[64];
    place_begin(&place);
    *loader = (struct loader){.line = open_line(port, sizeof port), .faults = *faults};
    /* Held open, so that the line does not end when froth does. */
    const int other = open(port, O_RDWR | O_NOCTTY);
    const pid_t child =
        start_froth(&place, port, command_line, loader->faults.calls == 0 ? 0.3 : PATIENCE);
    wait_until_open(&place);
    for (int i = 0; i < loader->faults.calls; i++) {
        boot(loader);
        if (loader->jumps > i) {
            say(loader, "hello\r\n");
        }
    }
    outcome.code = attend(loader, &place, child);
    read_all(place.shown, outcome.shown, sizeof outcome.shown);
    read_all(place.said, outcome.said, sizeof outcome.said);
    if (loader->jumps > 0) {
        assert_memory_equal(loader->memory, place.bytes, IMAGE);
    }
    (void)close(other);
    (void)close(loader->line);
    place_end(&place);
    return outcome;
}

static void sends(void **state)
{
    (void)state;
    struct bench bench;
    assert_int_equal(boot_here(&bench, &none, "fps=30 patch=ember"), APP_SERIAL_BOOT_DONE);
    assert_int_equal(bench.loader.jumps, 1);
    assert_int_equal(bench.loader.aborts, 0);
    assert_string_equal(bench.loader.command_line, "fps=30 patch=ember");
    assert_int_equal(bench.loader.line_at, 0x41000000);
    assert_int_equal(bench.loader.frames, FRAMES + 3);
    assert_true(bench.now == 0);
}

static void sends_over_a_line(void **state)
{
    (void)state;
    struct loader loader;
    const struct outcome outcome = run(&loader, &none, "fps=30 patch=ember");
    assert_int_equal(outcome.code, 0);
    assert_true(loader.jumps > 0);
    assert_int_equal(loader.aborts, 0);
    assert_string_equal(loader.command_line, "fps=30 patch=ember");
    assert_int_equal(loader.line_at, 0x41000000);
    assert_non_null(strstr(outcome.shown, "BIOS\r\n"));
    assert_non_null(strstr(outcome.shown, "hello\r\n"));
}

static void sends_again(void **state)
{
    (void)state;
    struct loader loader;
    struct faults faults = none;
    faults.calls = 2;
    const struct outcome outcome = run(&loader, &faults, NULL);
    assert_int_equal(outcome.code, 0);
    assert_true(loader.jumps >= 2);
    assert_int_equal(loader.line_at, 0);
}

static void recovers(void **state)
{
    (void)state;
    const struct {
        int garbled;
        long lost;
        int unanswered;
    } rows[] = {{4, NEVER, NEVER}, {0, 700, NEVER}, {0, 1296, NEVER}, {0, NEVER, 6}, {2, 3000, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench;
        struct faults faults = none;
        faults.garbled = rows[i].garbled;
        faults.lost = rows[i].lost;
        faults.unanswered = rows[i].unanswered;
        assert_int_equal(boot_here(&bench, &faults, NULL), APP_SERIAL_BOOT_DONE);
        assert_int_equal(bench.loader.jumps, 1);
        assert_true(bench.loader.frames > FRAMES + 1);
        assert_true(bench.now > 0 && bench.now < 5);
    }
}

static void gives_up(void **state)
{
    (void)state;
    struct faults rows[] = {none, none, none, none, none};
    const char *const texts[] = {"in five attempts", "does not know a command", "reports an error",
                                 "stopped answering", "has not called"};
    const enum app_serial_boot_result results[] = {APP_SERIAL_BOOT_GARBLED, APP_SERIAL_BOOT_UNKNOWN,
                                                   APP_SERIAL_BOOT_REFUSED, APP_SERIAL_BOOT_SILENT};
    rows[0].garbled = 100;
    rows[1].unknown = 4;
    rows[2].error = 4;
    rows[3].silent = 4;
    rows[4].calls = 0;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct bench bench;
        assert_int_equal(boot_here(&bench, &rows[i], NULL), results[i]);
        assert_int_equal(bench.loader.jumps, 0);
        assert_true(bench.now < 15);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct loader loader;
        const struct outcome outcome = run(&loader, &rows[i], NULL);
        assert_int_equal(outcome.code, APP_EXIT_FAILED);
        assert_int_equal(loader.jumps, 0);
        assert_non_null(strstr(outcome.said, texts[i]));
    }
}

/* Nobody can read what the board writes. */
static void ends_without_output(void **state)
{
    (void)state;
    struct place place;
    char port[64];
    char said[2000];
    int status;
    place_begin(&place);
    struct place full = place;
    strcpy(full.shown, "/dev/full");
    struct loader loader = {.line = open_line(port, sizeof port)};
    const int other = open(port, O_RDWR | O_NOCTTY);
    const pid_t child = start_froth(&full, port, NULL, PATIENCE);
    wait_until_open(&place);
    say(&loader, "hello\r\n");
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == APP_EXIT_FAILED);
    read_all(place.said, said, sizeof said);
    assert_non_null(strstr(said, "cannot be shown"));
    (void)close(other);
    (void)close(loader.line);
    place_end(&place);
}

/* A board whose console talks without an end, a byte every few milliseconds. */
struct talker {
    double now;
    double stops; /* after so many seconds */
};

static int talk(void *user, double seconds)
{
    struct talker *talker = user;
    (void)seconds;
    talker->now += 0.005;
    return 'x';
}

static int swallow(void *user, const uint8_t *bytes, size_t count)
{
    (void)user;
    (void)bytes;
    (void)count;
    return 0;
}

static bool stops(void *user)
{
    const struct talker *talker = user;
    return talker->now > talker->stops;
}

static double talker_now(void *user)
{
    const struct talker *talker = user;
    return talker->now;
}

static void rubbish(void **state)
{
    (void)state;
    const struct {
        double stops;
        enum app_serial_boot_result result;
        double most;
    } rows[] = {{0.2, APP_SERIAL_BOOT_STOPPED, 0.3},
                {1.5, APP_SERIAL_BOOT_STOPPED, 1.6},
                {1000, APP_SERIAL_BOOT_SILENT, 15}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct talker talker = {0, rows[i].stops};
        const struct app_serial_boot_line line = {.user = &talker,
                                                  .read = talk,
                                                  .write = swallow,
                                                  .sent = count_none,
                                                  .stop = stops,
                                                  .now = talker_now};
        assert_int_equal(app_serial_boot(&line, (const uint8_t *)"image", 5, NULL), rows[i].result);
        assert_true(talker.now < rows[i].most);
    }
}

static void frames(void **state)
{
    (void)state;
    uint8_t frame[APP_SERIAL_BOOT_FRAME];
    assert_int_equal(app_serial_boot_crc((const uint8_t *)"123456789", 9), 0x31C3);
    assert_int_equal(app_serial_boot_frame(frame, APP_SERIAL_BOOT_ABORT, 0, NULL, 0), 4);
    assert_memory_equal(frame, "\0\0\0\0", 4);
    assert_int_equal(
        app_serial_boot_frame(frame, APP_SERIAL_BOOT_LOAD, 0x40000102, (const uint8_t *)"ab", 2),
        10);
    assert_int_equal(frame[0], 6);
    assert_memory_equal(frame + 3,
                        "\x01\x40\x00\x01\x02"
                        "ab",
                        7);
}

static void wrong_usage(void **state)
{
    (void)state;
    const char *const image = "boot.bin";
    struct app_options options = {.port = "/dev/null"};
    assert_int_equal(app_send(&options), APP_EXIT_USAGE);
    options = (struct app_options){.inputs = &(const char *){image}, .input_count = 1};
    assert_int_equal(app_send(&options), APP_EXIT_USAGE);
    options = (struct app_options){.inputs = &(const char *){TEST_DATA "/facts/decay_half.milk"},
                                   .input_count = 1,
                                   .port = "/dev/null"};
    assert_int_equal(app_send(&options), APP_EXIT_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames),
        cmocka_unit_test(sends),
        cmocka_unit_test(sends_over_a_line),
        cmocka_unit_test(sends_again),
        cmocka_unit_test(recovers),
        cmocka_unit_test(gives_up),
        cmocka_unit_test(rubbish),
        cmocka_unit_test(ends_without_output),
        cmocka_unit_test(wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
