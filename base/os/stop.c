#include "base/os/thread.h"

static volatile sig_atomic_t wanted;    /* how many signals have asked */
static volatile sig_atomic_t steps = 1; /* how many of them may; the next one ends the process */

static void want(int number)
{
    if (number == SIGHUP && wanted > 0) {
        return;
    }
    wanted = wanted + 1;
    if (wanted >= steps) {
        const struct sigaction standard = {.sa_handler = SIG_DFL};
        (void)sigaction(number, &standard, NULL);
    }
}

void base_stop_begin(struct base_stop *stop)
{
    wanted = 0;
    steps = 1;
    struct sigaction ask = {.sa_handler = want};
    (void)sigaddset(&ask.sa_mask, SIGINT);
    (void)sigaddset(&ask.sa_mask, SIGTERM);
    (void)sigaddset(&ask.sa_mask, SIGHUP);
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

void base_stop_in_two_steps(void)
{
    steps = 2;
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

bool base_stop_insisted(void)
{
    return wanted > 1;
}
