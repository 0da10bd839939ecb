#include <stdio.h>
#include <time.h>

#include "app/check.h"

enum { MESSAGES_MAX = 32 };

static void receive(void *user, const struct base_diag *diag)
{
    struct app_check_talk *talk = user;
    talk->errors += diag->severity == BASE_ERROR;
    talk->warnings += diag->severity == BASE_WARNING;
    if (++talk->messages > MESSAGES_MAX) {
        return;
    }
    char text[1024];
    (void)base_diag_format(diag, text, sizeof text);
    app_check_send_message(talk->out, text);
}

struct base_diag_sink app_check_talk_sink(struct app_check_talk *talk)
{
    return (struct base_diag_sink){receive, talk};
}

void app_check_talk_end(const struct app_check_talk *talk)
{
    if (talk->messages > MESSAGES_MAX) {
        char text[64];
        (void)snprintf(text, sizeof text, "and %zu messages more", talk->messages - MESSAGES_MAX);
        app_check_send_message(talk->out, text);
    }
}

double app_check_milliseconds(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}
