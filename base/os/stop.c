#include "base/os/stop.h"

#include <stddef.h>

static volatile sig_atomic_t wanted;

static void want(int signal)
{
    (void)signal;
    wanted = 1;
}

void base_stop_begin(struct base_stop *stop)
{
    wanted = 0;
    const struct sigaction ask = {.sa_handler = want, .sa_flags = (int)SA_RESETHAND};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    (void)sigaction(SIGINT, &ask, &stop->interrupt);
    (void)sigaction(SIGTERM, &ask, &stop->terminate);
    (void)sigaction(SIGHUP, &ask, &stop->hangup);
    if (stop->hangup.sa_handler == SIG_IGN) {
        (void)sigaction(SIGHUP, &ignore, NULL); /* as nohup wants it */
    }
    (void)sigaction(SIGPIPE, &ignore, &stop->pipe);
    (void)sigaction(SIGCHLD, &standard, &stop->child);
}

void base_stop_end(const struct base_stop *stop)
{
    (void)sigaction(SIGINT, &stop->interrupt, NULL);
    (void)sigaction(SIGTERM, &stop->terminate, NULL);
    (void)sigaction(SIGHUP, &stop->hangup, NULL);
    (void)sigaction(SIGPIPE, &stop->pipe, NULL);
    (void)sigaction(SIGCHLD, &stop->child, NULL);
}

bool base_stop_wanted(void)
{
    return wanted != 0;
}
