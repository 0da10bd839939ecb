#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/apart/apart.h"
#include "app/options/option_table.h"
#include "base/os/file.h"
#include "base/os/print.h"

typedef int (*command_function)(const struct app_options *options);

static const struct base_place NOWHERE = {0};

static command_function function_of(enum app_command_bit command)
{
    static const struct {
        enum app_command_bit bit;
        command_function run;
    } rows[] = {
#define APP_COMMAND(name, bit, function, ...) {bit, function},
#include "app/options/commands.def"
    };
    size_t i = 0;
    while (rows[i].bit != command) {
        i++;
    }
    return rows[i].run;
}

/* A word that is no file may have been meant as a command, though none is close. */
static void explain_word(const struct app_options *options)
{
    const char *word = options->input_count > 0 ? options->inputs[0] : NULL;
    if (options->command != APP_PLAY || options->named || word == NULL ||
        strpbrk(word, "./") != NULL || access(word, F_OK) == 0) {
        return;
    }
    base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, "see 'froth help'", "'%.60s' is no command",
                word);
}

int main(int argc, char **argv)
{
    /* A file opened later must not take the place of a stream that froth was started without.
     * Writing to a missing standard output fails. */
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            (void)open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
        }
    }
#ifdef M_MMAP_THRESHOLD
    /* Pictures go back to the system when they are freed: glibc would keep what is smaller than the
     * largest that was freed before. Threads that paint or hear do not allocate, so the others can
     * share what is left over. */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 18);
    (void)mallopt(M_ARENA_MAX, 2);
#endif
    /* A file that may not grow (ulimit -f) is an error that is told, to what froth starts as well.
     */
    (void)signal(SIGXFSZ, SIG_IGN);
    const int error = app_apart_begin();
    if (error != 0) {
        base_report(&base_diag_stderr, BASE_WARNING, NOWHERE, NULL,
                    "pictures and sound files cannot be read: %s", strerror(error));
    }
    struct app_options options;
    if (app_options_parse(&options, argc, argv, &base_diag_stderr) != 0) {
        return APP_EXIT_USAGE;
    }
    explain_word(&options);
    struct app_config config = {0};
    if (options.command == APP_PLAY && app_config_load(&config, &options, &base_diag_stderr) != 0) {
        app_config_free(&config);
        return APP_EXIT_FAILED;
    }
    /* Others stand in for pictures that are missing, so that a mistyped folder would not be seen.
     */
    if (options.textures != NULL && !base_is_folder(options.textures)) {
        base_report(&base_diag_stderr, BASE_WARNING, (struct base_place){.file = options.textures},
                    NULL, "--textures: there is no such folder");
    }
    const char *lacks = app_confine_lacks();
    if (lacks != NULL && (options.command & (APP_PLAY | APP_RENDER | APP_CHECK)) != 0) {
        base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, NULL,
                    "pictures and sounds are decoded with more rights than they need: %s", lacks);
    }
    const int result = function_of(options.command)(&options);
    /* What did not fit into the buffer may have failed long before. */
    const char *why = ferror(stdout) ? "not everything could be written" : NULL;
    if (fflush(stdout) != 0) {
        why = strerror(errno);
    }
    app_config_free(&config);
    if (why == NULL || result != APP_EXIT_DONE) {
        return result;
    }
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "standard output: %s", why);
    return APP_EXIT_FAILED;
}
