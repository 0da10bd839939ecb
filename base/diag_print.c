#include "base/diag.h"

#include <stdio.h>
#include <unistd.h>

/* Names and the texts of presets may hold anything; a terminal must not obey them. */
static void hide_controls(char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        *text = byte < 0x20 || byte == 0x7F ? '?' : *text;
    }
}

void base_diag_print(int descriptor, const char *before, const struct base_diag *diag)
{
    char line[1024];
    (void)base_diag_format(diag, line, sizeof line);
    hide_controls(line);
    (void)dprintf(descriptor, "%s%s\n", before, line);
}

/* user: the descriptor, or NULL for standard error. */
static void print_receive(void *user, const struct base_diag *diag)
{
    const int *descriptor = user;
    base_diag_print(descriptor != NULL ? *descriptor : STDERR_FILENO, "", diag);
}

struct base_diag_sink base_diag_descriptor_sink(int *descriptor)
{
    return (struct base_diag_sink){print_receive, descriptor};
}

const struct base_diag_sink base_diag_stderr = {print_receive, NULL};
