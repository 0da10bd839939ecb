#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/options.h"

typedef int (*command_function)(const struct app_options *options);

static const struct base_place NOWHERE = {0};

static command_function function_of(enum app_command_bit command)
{
    static const struct {
        enum app_command_bit bit;
        command_function run;
    } rows[] = {
#define APP_COMMAND(name, bit, function, usage, help) {bit, function},
#include "app/commands.def"
    };
    size_t i = 0;
    while (rows[i].bit != command) {
        i++;
    }
    return rows[i].run;
}

/* A file opened later must not take the place of a stream that froth was started without. */
static void open_missing_streams(void)
{
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            (void)open("/dev/null", O_RDWR);
        }
    }
}

int main(int argc, char **argv)
{
    open_missing_streams();
    struct app_options options;
    if (app_options_parse(&options, argc, argv, &base_diag_stderr) != 0) {
        return APP_EXIT_USAGE;
    }
    const int result = function_of(options.command)(&options);
    if (fflush(stdout) != 0 && result == APP_EXIT_DONE) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "standard output: %s",
                    strerror(errno));
        return APP_EXIT_FAILED;
    }
    return result;
}
