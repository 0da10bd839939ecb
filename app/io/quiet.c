#include "app/io/quiet.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int app_quiet_keep(void)
{
    return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int app_quiet_begin(void)
{
    (void)fflush(stderr);
    const int saved = app_quiet_keep();
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (saved >= 0 && nowhere >= 0) {
        (void)dup2(nowhere, STDERR_FILENO);
    }
    if (nowhere >= 0) {
        (void)close(nowhere);
    }
    return saved;
}

void app_quiet_end(int token)
{
    if (token >= 0) {
        (void)fflush(stderr);
        (void)dup2(token, STDERR_FILENO);
        (void)close(token);
    }
}
