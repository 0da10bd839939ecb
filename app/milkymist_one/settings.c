#include "app/milkymist_one/settings.h"

#include <stddef.h>
#include <string.h>

#include "renderer/board_step.h"

enum { LINE_MAX = 4096 };

static bool begins(const char *word, size_t size, const char *with)
{
    const size_t length = strlen(with);
    return size >= length && memcmp(word, with, length) == 0;
}

static void read_schedule(struct board_settings *settings, const char *word, size_t size)
{
    static const char schedule[] = "schedule=";
    const size_t before = sizeof schedule - 1;
    for (int i = 0; begins(word, size, schedule) && i < PFPU_BOARD_SCHEDULERS; i++) {
        const char *name = pfpu_board_scheduler_names[i];
        if (strlen(name) == size - before && begins(word + before, size - before, name)) {
            settings->schedules = true;
            settings->scheduler = (enum pfpu_board_scheduler)i;
        }
    }
}

static void read_word(struct board_settings *settings, const char *word, size_t size)
{
    static const char patch[] = "patch=";
    const size_t before = sizeof patch - 1;
    settings->exact = settings->exact || (size == 5 && begins(word, size, "exact"));
    if (size == 6 && begins(word, size, "fps=30")) {
        settings->fps = REND_BOARD_FPS_MAX;
    }
    read_schedule(settings, word, size);
    if (begins(word, size, patch) && size - before < sizeof settings->patch) {
        memset(settings->patch, 0, sizeof settings->patch);
        for (size_t i = before; i < size; i++) {
            settings->patch[i - before] = word[i] == '_' ? ' ' : word[i];
        }
    }
}

void board_settings_read(struct board_settings *settings, const char *command_line)
{
    *settings = (struct board_settings){.fps = REND_BOARD_FPS_MIN};
    const char *at = command_line;
    while (at != NULL && *at != '\0' && at < command_line + LINE_MAX) {
        size_t size = 0;
        while (at[size] > ' ' && size < LINE_MAX) {
            size++;
        }
        read_word(settings, at, size);
        at += size == 0 ? 1 : size;
    }
}
