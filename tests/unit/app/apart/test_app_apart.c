/* Decoders that crash, hang, lie and reach for what they may not have, and what froth makes of it.
 */
#define _GNU_SOURCE /* memfd_create, process_vm_readv */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/apart/process.h"
#include "app/io/audio_source.h"
#include "app/io/picture.h"
#include "base/os/memory.h"
#include "base/os/thread.h"
#include "base/text.h"

static const struct app_confine_limits usual = {256U << 20, 10};

static char folder[] = "/tmp/froth_test_apart_XXXXXX";
static char file_name[64];

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(file_name, sizeof file_name, "%s/foreign", folder);
    write_text(file_name, "foreign bytes, at least twelve of them");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Starts it with the file. */
static struct app_apart_pipe start(app_apart_work work, struct app_confine_limits limits)
{
    struct app_apart_pipe pipe;
    const int file = open(file_name, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(app_apart_open(&pipe, NULL, work, file, "12", 2, limits), 0);
    (void)close(file);
    return pipe;
}

/* ---- what it is for ---- */

static int upper(const void *data, size_t size)
{
    char text[64];
    const ssize_t got = read(STDIN_FILENO, text, sizeof text);
    return got > 0 && app_apart_write(text, (size_t)got) && app_apart_write(data, size) ? 7 : 1;
}

static void work_reads_and_answers(void **state)
{
    (void)state;
    struct app_apart_pipe pipe = start(upper, usual);
    char text[41] = "";
    int code = 0;
    assert_int_equal(app_apart_read(&pipe, text, 40, 20), APP_APART_DONE);
    assert_string_equal(text, "foreign bytes, at least twelve of them12");
    assert_int_equal(app_apart_read(&pipe, text, 1, 20), APP_APART_SHORT);
    assert_true(app_apart_ended(&pipe.apart, 20000, &code));
    assert_int_equal(code, 7);
    (void)app_apart_close(&pipe, APP_APART_DONE);
}

static int echo_number(const void *data, size_t size)
{
    return app_apart_write(data, size) ? 0 : 1;
}

/* More at once than there may be: the last ones wait for the first. */
static void many_work_at_once(void **state)
{
    (void)state;
    enum { MANY = 2 * APP_APART_AT_ONCE };
    struct app_apart_pipe pipes[MANY];
    for (int i = 0; i < MANY; i++) {
        const int file = open(file_name, O_RDONLY | O_CLOEXEC);
        assert_int_equal(app_apart_open(&pipes[i], NULL, echo_number, file, &i, sizeof i, usual),
                         0);
        (void)close(file);
    }
    for (int i = 0; i < MANY; i++) {
        int number = -1;
        assert_int_equal(app_apart_read(&pipes[i], &number, sizeof number, 60), APP_APART_DONE);
        assert_int_equal(number, i);
        (void)app_apart_close(&pipes[i], APP_APART_DONE);
    }
}

static int write_on(const void *data, size_t size)
{
    static const char block[4096];
    (void)data;
    (void)size;
    while (app_apart_write(block, sizeof block)) {
    }
    return 0;
}

/* As the jobs of froth check have them: a sound of which more is decoded when it is asked for. */
static void works_that_wait_do_not_keep_others_from_theirs(void **state)
{
    (void)state;
    enum { JOBS = 64 };
    struct app_apart_pipe sounds[JOBS];
    char byte;
    for (int i = 0; i < JOBS; i++) {
        sounds[i] = start(write_on, usual);
        assert_int_equal(app_apart_read(&sounds[i], &byte, 1, 60), APP_APART_DONE);
    }
    struct app_apart_pipe picture = start(echo_number, usual);
    assert_int_equal(app_apart_read(&picture, &byte, 1, 10), APP_APART_DONE);
    (void)app_apart_close(&picture, APP_APART_DONE);
    for (int i = 0; i < JOBS; i++) {
        (void)app_apart_close(&sounds[i], APP_APART_DONE);
    }
}

/* ---- what it may not ---- */

enum { TRIES = 25 };

/* Seconds that are less than what is waited for in vain, and more than a busy machine takes for the
 * rest. */
enum { LONG = 30 };

/* What became of each try: 0, or an errno value. */
struct tried {
    int errors[TRIES];
};

static const char *const names[TRIES] = {
    "read a file", "write a file", "make a file",  "remove a file",  "list a folder",
    "rename",      "internet",     "local socket", "pair",           "fork",
    "start",       "kill",         "trace",        "other memory",   "memory to run",
    "load code",   "link",         "write input",  "look at a file", "pipe",
    "duplicate",   "memory file",  "go elsewhere", "raise limits",   "signal oneself",
};

static int failed(long result)
{
    return result < 0 ? errno : 0;
}

static int reach(const void *data, size_t size)
{
    (void)data;
    (void)size;
    struct tried tried;
    struct stat about;
    int ends[2];
    char byte;
    struct iovec ours = {&byte, 1};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    char *const words[] = {"true", NULL};
    int *e = tried.errors;
    *e++ = failed(open("/etc/passwd", O_RDONLY));
    *e++ = failed(open(file_name, O_WRONLY));
    *e++ = failed(open("/tmp/froth_test_made", O_WRONLY | O_CREAT, 0600));
    *e++ = failed(unlink(file_name));
    *e++ = failed(open(folder, O_RDONLY | O_DIRECTORY));
    *e++ = failed(rename(file_name, "/tmp/froth_test_moved"));
    const int internet = socket(AF_INET, SOCK_STREAM, 0);
    *e++ = internet < 0 ? errno
                        : failed(connect(internet, (struct sockaddr *)&address, sizeof address));
    *e++ = failed(socket(AF_UNIX, SOCK_STREAM, 0));
    *e++ = failed(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    *e++ = failed(child);
    *e++ = failed(execv("/bin/true", words));
    *e++ = failed(kill(getppid(), SIGKILL));
    *e++ = failed(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    *e++ = failed(process_vm_readv(getppid(), &ours, 1, &ours, 1, 0));
    void *memory =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *e++ = memory == MAP_FAILED ? errno : 0;
    *e++ = base_memory_load_code("\xC3", 1) == NULL ? errno : 0;
    *e++ = failed(symlink("/etc/passwd", "/tmp/froth_test_link"));
    *e++ = failed(write(STDIN_FILENO, "x", 1));
    *e++ = failed(stat("/etc/passwd", &about));
    *e++ = failed(pipe(ends));
    *e++ = failed(dup(STDIN_FILENO));
    *e++ = failed(memfd_create("x", 0));
    *e++ = failed(chdir("/tmp"));
    *e++ = failed(fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK));
    *e++ = failed(raise(SIGTERM));
    return app_apart_write(&tried, sizeof tried) ? 0 : 1;
}

static void work_has_no_rights(void **state)
{
    (void)state;
    if (app_confine_lacks() != NULL) {
        (void)fprintf(stderr, "%s: skipped\n", app_confine_lacks());
        skip();
    }
    struct app_apart_pipe pipe = start(reach, usual);
    struct tried tried;
    assert_int_equal(app_apart_read(&pipe, &tried, sizeof tried, 20), APP_APART_DONE);
    (void)app_apart_close(&pipe, APP_APART_DONE);
    for (size_t i = 0; i < TRIES; i++) {
        if (tried.errors[i] == 0) {
            fail_msg("it could: %s", names[i]);
        }
    }
    assert_int_equal(access(file_name, F_OK), 0);
}

/* Where the filter is missing, what is left to a decoder is still little. */
static int reach_memory(const void *data, size_t size)
{
    (void)data;
    (void)size;
    enum { GIB = 1 << 30 };
    char *memory = malloc(GIB);
    const bool given = memory != NULL;
    return app_apart_write(&given, sizeof given) ? 0 : 1;
}

static void memory_has_a_bound(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip();
#endif
    bool given = false;
    struct app_apart_pipe pipe = start(reach_memory, usual);
    assert_int_equal(app_apart_read(&pipe, &given, sizeof given, 20), APP_APART_DONE);
    assert_false(given);
    (void)app_apart_close(&pipe, APP_APART_DONE);
    pipe = start(reach_memory, (struct app_confine_limits){0, 10});
    assert_int_equal(app_apart_read(&pipe, &given, sizeof given, 20), APP_APART_DONE);
    assert_true(given);
    (void)app_apart_close(&pipe, APP_APART_DONE);
}

/* ---- how it may fail ---- */

static int crash(const void *data, size_t size)
{
    (void)data;
    (void)size;
    volatile int *volatile nowhere = NULL;
    return *nowhere;
}

static int spin(const void *data, size_t size)
{
    (void)data;
    volatile size_t turns = 1;
    while (turns > 0) {
        turns = turns % 1000 + 1 + size;
    }
    return 0;
}

/* Neither computes nor answers: it waits for what never comes. */
static int hang(const void *data, size_t size)
{
    static volatile int never;
    (void)data;
    (void)size;
    while (never == 0) {
        (void)syscall(SYS_futex, &never, FUTEX_WAIT, 0, NULL, NULL, 0);
    }
    return 0;
}

static int tell_who_and_hang(const void *data, size_t size)
{
    const pid_t id = getpid();
    return app_apart_write(&id, sizeof id) ? hang(data, size) : 1;
}

static void a_crash_is_told(void **state)
{
    (void)state;
    char byte;
    struct app_apart_pipe pipe = start(crash, usual);
    const enum app_apart_result result = app_apart_read(&pipe, &byte, 1, 20);
    assert_int_equal(result, APP_APART_SHORT);
    assert_string_equal(app_apart_close(&pipe, result),
#if defined(__SANITIZE_ADDRESS__)
                        "its decoder gave up" /* the sanitizer catches it */
#else
                        "its decoder crashed"
#endif
    );
}

static void who_computes_for_ever_is_ended(void **state)
{
    (void)state;
    char byte;
    struct app_apart_pipe pipe = start(spin, (struct app_confine_limits){0, 1});
    enum app_apart_result result = app_apart_read(&pipe, &byte, 1, 60);
    assert_int_equal(result, APP_APART_SHORT); /* by its bound of processor time */
    assert_string_equal(app_apart_close(&pipe, result), "it takes too long to decode");
    pipe = start(spin, (struct app_confine_limits){0, 60});
    result = app_apart_read(&pipe, &byte, 1, 0.3);
    assert_int_equal(result, APP_APART_LATE); /* by our patience */
    assert_string_equal(app_apart_close(&pipe, result), "it takes too long to decode");
}

/* As the system kills what takes the memory that others need. */
static void who_is_killed_is_not_called_slow(void **state)
{
    (void)state;
    pid_t id = 0;
    struct app_apart_pipe pipe = start(tell_who_and_hang, usual);
    assert_int_equal(app_apart_read(&pipe, &id, sizeof id, 20), APP_APART_DONE);
    assert_int_equal(kill(id, SIGKILL), 0);
    const enum app_apart_result result = app_apart_read(&pipe, &id, 1, 20);
    assert_int_equal(result, APP_APART_SHORT);
    assert_string_equal(app_apart_close(&pipe, result),
                        "its decoder was killed; the system may lack memory");
}

static bool is_gone(pid_t id)
{
    for (int i = 0; i < 1000; i++) {
        if (kill(id, 0) != 0 && errno == ESRCH) {
            return true;
        }
        (void)poll(NULL, 0, 20);
    }
    return false;
}

static void what_is_closed_ends(void **state)
{
    (void)state;
    pid_t id = 0;
    struct app_apart_pipe pipe = start(tell_who_and_hang, (struct app_confine_limits){0, 0});
    assert_int_equal(app_apart_read(&pipe, &id, sizeof id, 20), APP_APART_DONE);
    assert_int_equal(kill(id, 0), 0);
    (void)app_apart_close(&pipe, APP_APART_DONE);
    assert_true(is_gone(id));
}

/* A froth that is killed leaves nothing behind that goes on. */
static void all_ends_with_froth(void **state)
{
    (void)state;
    int ends[2];
    pid_t id = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t froth = fork();
    if (froth == 0) {
        (void)app_apart_begin();
        struct app_apart_pipe pipe = start(tell_who_and_hang, (struct app_confine_limits){0, 0});
        (void)app_apart_read(&pipe, &id, sizeof id, 20);
        (void)write(ends[1], &id, sizeof id);
        (void)kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(froth, NULL, 0), froth);
    assert_int_equal(read(ends[0], &id, sizeof id), sizeof id);
    (void)close(ends[0]);
    (void)close(ends[1]);
    assert_true(id > 0);
    assert_true(is_gone(id));
}

static void without_a_beginning_nothing_starts(void **state)
{
    (void)state;
    struct app_apart apart;
    const struct app_apart_request large = {.work = upper, .size = APP_APART_DATA + 1};
    assert_int_equal(app_apart_start(&apart, &large), E2BIG);
    assert_int_equal(apart.life, -1);
    app_apart_end(&apart);
    int code = 0;
    assert_true(app_apart_ended(&apart, -1, &code));
    assert_int_equal(code, 255);
}

/* ---- pictures whose decoder is not to be trusted ---- */

static struct app_picture_answer lie;

static int tell_lie(const void *data, size_t size)
{
    static const char pixels[4000];
    (void)data;
    (void)size;
    return app_apart_write(&lie, sizeof lie) && app_apart_write(pixels, sizeof pixels) ? 0 : 1;
}

static int tell_huge(const void *data, size_t size)
{
    lie = (struct app_picture_answer){0, UINT32_MAX, UINT32_MAX};
    return tell_lie(data, size);
}

static int tell_wide(const void *data, size_t size)
{
    lie = (struct app_picture_answer){0, 8193, 1};
    return tell_lie(data, size);
}

static int tell_empty(const void *data, size_t size)
{
    lie = (struct app_picture_answer){0, 0, 100};
    return tell_lie(data, size);
}

static int tell_nonsense(const void *data, size_t size)
{
    lie = (struct app_picture_answer){0xDEADBEEF, 10, 10};
    return tell_lie(data, size);
}

static int tell_too_little(const void *data, size_t size)
{
    lie = (struct app_picture_answer){0, 1000, 1000};
    return tell_lie(data, size);
}

static int tell_half_a_head(const void *data, size_t size)
{
    (void)data;
    (void)size;
    return app_apart_write("half", 4) ? 0 : 1;
}

/* More than it announced: what is too much is nobody's. */
static int tell_too_much(const void *data, size_t size)
{
    lie = (struct app_picture_answer){0, 2, 2};
    return tell_lie(data, size);
}

static void pictures_survive_their_decoders(void **state)
{
    (void)state;
    static const struct {
        app_apart_work decoder;
        const char *what;
        unsigned patience; /* seconds */
    } cases[] = {
        {crash, "decoder", LONG},
        {spin, "too long", 1},
        {hang, "too long", 1},
        {tell_huge, "8192", LONG},
        {tell_wide, "8192", LONG},
        {tell_empty, "8192", LONG},
        {tell_nonsense, "nonsense", LONG},
        {tell_too_little, "decoder gave up", LONG},
        {tell_half_a_head, "decoder", LONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_diag_list list = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&list);
        struct rend_picture picture;
        const double began = base_clock_seconds();
        assert_int_equal(app_picture_read_by(cases[i].decoder, cases[i].patience, file_name,
                                             &picture, NULL, &sink),
                         -1);
        assert_true(base_clock_seconds() - began < LONG);
        assert_int_equal(list.count, 1);
        if (strstr(list.items[0].what, cases[i].what) == NULL) {
            fail_msg("%zu: '%s' does not say '%s'", i, list.items[0].what, cases[i].what);
        }
    }
    struct rend_picture picture;
    assert_int_equal(app_picture_read_by(tell_too_much, 10, file_name, &picture, NULL, NULL), 0);
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.pixels[3], 0);
    free(picture.pixels);
}

/* ---- sounds whose decoder is not to be trusted ---- */

static bool tell_sound(int64_t frames, int32_t rate, uint32_t outcome)
{
    const struct app_audio_answer answer = {frames, rate, outcome};
    return app_apart_write(&answer, sizeof answer);
}

static int sound_nonsense(const void *data, size_t size)
{
    (void)data;
    (void)size;
    return tell_sound(1000, 44100, 0xDEADBEEF);
}

static int sound_no_rate(const void *data, size_t size)
{
    (void)data;
    (void)size;
    return tell_sound(1000, 0, 0);
}

static int sound_no_length(const void *data, size_t size)
{
    (void)data;
    (void)size;
    return tell_sound(INT64_MIN, 44100, 0);
}

static int sound_block_too_long(const void *data, size_t size)
{
    static const uint32_t count = UINT32_MAX;
    static const float samples[2 * APP_AUDIO_BLOCK];
    (void)data;
    (void)size;
    return tell_sound(100000, 44100, 0) && app_apart_write(&count, sizeof count) &&
           app_apart_write(samples, sizeof samples);
}

static int sound_that_hangs(const void *data, size_t size)
{
    static const uint32_t count = 2;
    static const uint32_t samples[4] = {0x7FC00000, 0x7F800000, 0x42C80000, 0x3F000000};
    (void)(tell_sound(100000, 44100, 0) && app_apart_write(&count, sizeof count) &&
           app_apart_write(samples, sizeof samples));
    return hang(data, size);
}

static int sound_that_crashes(const void *data, size_t size)
{
    static const uint32_t count = 2;
    static const float samples[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    (void)(tell_sound(100000, 44100, 0) && app_apart_write(&count, sizeof count) &&
           app_apart_write(samples, sizeof samples));
    return crash(data, size);
}

static void sounds_survive_their_decoders(void **state)
{
    (void)state;
    static const struct {
        app_apart_work decoder;
        const char *refused; /* NULL: it opens */
        const char *error;
        size_t frames;
        double patience; /* seconds */
    } cases[] = {
        {crash, "decoder", NULL, 0, LONG},
        {hang, "too long", NULL, 0, 0.5},
        {sound_nonsense, "nonsense", NULL, 0, LONG},
        {sound_no_rate, "nonsense", NULL, 0, LONG},
        {sound_no_length, "nonsense", NULL, 0, LONG},
        {sound_block_too_long, NULL, "nonsense", 0, LONG},
        {sound_that_hangs, NULL, "too long", 2, 2},
        {sound_that_crashes, NULL, "decoder", 2, LONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_diag_list list = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&list);
        struct app_audio *audio =
            app_audio_open_file_by(cases[i].decoder, cases[i].patience, file_name, &sink);
        if (cases[i].refused != NULL) {
            assert_null(audio);
            assert_int_equal(list.count, 1);
            assert_non_null(strstr(list.items[0].what, cases[i].refused));
            continue;
        }
        float samples[2 * 100];
        assert_non_null(audio);
        const double began = base_clock_seconds();
        assert_int_equal(app_audio_read(audio, samples, 100), cases[i].frames);
        assert_true(base_clock_seconds() - began < LONG);
        assert_non_null(app_audio_error(audio));
        assert_non_null(strstr(app_audio_error(audio), cases[i].error));
        for (size_t k = 0; k < 2 * cases[i].frames; k++) {
            assert_true(samples[k] >= -1 && samples[k] <= 1);
        }
        assert_int_equal(app_audio_read(audio, samples, 100), 0);
        app_audio_close(audio);
    }
}

/* ---- what is not to be waited for any more ---- */

static void *stop_soon(void *stop)
{
    (void)poll(NULL, 0, 300);
    atomic_store((atomic_bool *)stop, true);
    return NULL;
}

static void *stop_sound_soon(void *audio)
{
    (void)poll(NULL, 0, 300);
    app_audio_stop(audio);
    return NULL;
}

/* Who quits waits for no decoder that hangs, and hears nothing of it. */
static void who_is_stopped_waits_no_longer(void **state)
{
    (void)state;
    enum { PATIENCE = 4 * LONG };
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    atomic_bool stop = false;
    pthread_t thread;
    struct rend_picture picture;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    const double began = base_clock_seconds();
    assert_int_equal(app_picture_read_by(hang, PATIENCE, file_name, &picture, &stop, &sink), -1);
    assert_true(base_clock_seconds() - began < LONG);
    assert_int_equal(pthread_join(thread, NULL), 0);
    /* Then none is begun. */
    assert_int_equal(app_picture_read_by(tell_too_much, 10, file_name, &picture, &stop, &sink), -1);
    assert_int_equal(list.count, 0);

    struct app_audio *audio = app_audio_open_file_by(sound_that_hangs, PATIENCE, file_name, &sink);
    assert_non_null(audio);
    assert_int_equal(pthread_create(&thread, NULL, stop_sound_soon, audio), 0);
    float samples[2 * 100];
    const double sounded = base_clock_seconds();
    assert_int_equal(app_audio_read(audio, samples, 100), 2);
    assert_true(base_clock_seconds() - sounded < LONG);
    assert_int_equal(pthread_join(thread, NULL), 0);
    app_audio_close(audio);

    static const char *const words[] = {"sleep", "1000", NULL};
    struct app_process process;
    assert_int_equal(app_process_start(&process, words, APP_PROCESS_READ, NULL, 0), 0);
    process.stop = &stop;
    const double slept = base_clock_seconds();
    assert_int_equal(app_process_read(&process, samples, sizeof samples), 0);
    assert_int_equal(app_process_finish(&process), 255);
    assert_true(base_clock_seconds() - slept < LONG);
}

/* ---- programs ---- */

/* What a script of the shell prints; `file` is its descriptor 3. */
static int run_script(const char *script, int file, char *output, size_t size)
{
    const char *const words[] = {"bash", "-c", script, NULL};
    struct app_process process;
    assert_int_equal(app_process_start(&process, words, APP_PROCESS_READ, &file, 1), 0);
    output[app_process_read(&process, output, size - 1)] = '\0';
    return app_process_finish(&process);
}

static void programs_have_what_they_are_handed(void **state)
{
    (void)state;
    char output[200];
    const int file = open(file_name, O_RDONLY | O_CLOEXEC);
    assert_int_equal(run_script("cat " APP_PROCESS_FILE_0, file, output, sizeof output), 0);
    assert_string_equal(output, "foreign bytes, at least twelve of them");
    assert_int_equal(run_script("exit 3", file, output, sizeof output), 3);
    assert_int_equal(run_script("kill -9 $$", file, output, sizeof output), 128 + 9);
    (void)close(file);
}

static void programs_have_nothing_else(void **state)
{
    (void)state;
    if (app_confine_lacks() != NULL) {
        (void)fprintf(stderr, "%s: skipped\n", app_confine_lacks());
        skip();
    }
    char path[96];
    char script[600];
    char output[200];
    const int file = open(file_name, O_RDONLY | O_CLOEXEC);
    (void)snprintf(path, sizeof path, "%s/secret", folder);
    write_text(path, "secret");

    const int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    assert_int_equal(bind(door, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(door, 4), 0);
    assert_int_equal(getsockname(door, (struct sockaddr *)&address, &size), 0);

    (void)snprintf(script, sizeof script,
                   "cat %s/secret && echo read; echo x >%s/secret && echo wrote; "
                   "echo x >%s/new && echo made; rm -f %s/secret && echo removed; "
                   "ls %s && echo listed; echo x >" APP_PROCESS_FILE_0 " && echo changed; "
                   "(exec 9<>/dev/tcp/127.0.0.1/%d && echo called); "
                   "kill -0 %ld && echo signalled; echo end",
                   folder, folder, folder, folder, folder, ntohs(address.sin_port), (long)getpid());
    (void)run_script(script, file, output, sizeof output);
    assert_string_equal(output, "end\n");
    assert_true(accept(door, NULL, NULL) < 0);
    assert_int_equal(access(path, F_OK), 0);
    (void)close(door);
    (void)close(file);
}

static void programs_that_are_not_there(void **state)
{
    (void)state;
    static const char *const words[] = {"froth-no-such-program", NULL};
    struct app_process process;
    assert_int_equal(app_process_start(&process, words, APP_PROCESS_READ, NULL, 0), ENOENT);
    app_process_kill(&process);
}

int main(void)
{
    assert_int_equal(app_apart_begin(), 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_reads_and_answers),
        cmocka_unit_test(many_work_at_once),
        cmocka_unit_test(works_that_wait_do_not_keep_others_from_theirs),
        cmocka_unit_test(work_has_no_rights),
        cmocka_unit_test(memory_has_a_bound),
        cmocka_unit_test(a_crash_is_told),
        cmocka_unit_test(who_computes_for_ever_is_ended),
        cmocka_unit_test(who_is_killed_is_not_called_slow),
        cmocka_unit_test(what_is_closed_ends),
        cmocka_unit_test(all_ends_with_froth),
        cmocka_unit_test(without_a_beginning_nothing_starts),
        cmocka_unit_test(pictures_survive_their_decoders),
        cmocka_unit_test(sounds_survive_their_decoders),
        cmocka_unit_test(who_is_stopped_waits_no_longer),
        cmocka_unit_test(programs_have_what_they_are_handed),
        cmocka_unit_test(programs_have_nothing_else),
        cmocka_unit_test(programs_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
