#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/options/config.h"
#include "app/options/option_table.h"
#include "base/os/file.h"
#include "base/os/logger.h"

typedef int (*command_function)(const struct app_options *options);

static const struct base_place NOWHERE = {0};

static command_function function_of(enum app_command_bit command)
{
    static const struct {
        enum app_command_bit bit;
        command_function run;
    } rows[] = {
#define APP_COMMAND(name, bit, function, usage, help) {bit, function},
#include "app/options/commands.def"
    };
    size_t i = 0;
    while (rows[i].bit != command) {
        i++;
    }
    return rows[i].run;
}

/* `froth rendr x` is read as something to play; when there is no such file, a command was meant. */
static void explain_word(const struct app_options *options)
{
    const char *word = options->input_count > 0 ? options->inputs[0] : NULL;
    if (options->command != APP_PLAY || word == NULL || strpbrk(word, "./") != NULL ||
        access(word, F_OK) == 0) {
        return;
    }
    char hint[64] = "see 'froth help'";
    const char *closest = app_command_closest(word);
    if (closest != NULL) {
        (void)snprintf(hint, sizeof hint, "did you mean %s? see 'froth help'", closest);
    }
    base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, hint, "'%.60s' is no command", word);
}

/* What did not fit into the buffer may have failed long before. */
static int finish_output(int result)
{
    const char *why = ferror(stdout) ? "not everything could be written" : NULL;
    if (fflush(stdout) != 0) {
        why = strerror(errno);
    }
    if (why == NULL || result != APP_EXIT_DONE) {
        return result;
    }
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "standard output: %s", why);
    return APP_EXIT_FAILED;
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
    const int result = finish_output(function_of(options.command)(&options));
    app_config_free(&config);
    return result;
}
