#include "app/milkymist_one/settings.h"

#include <stddef.h>
#include <string.h>

#include "app/milkymist_one/console.h"
#include "renderer/board_step.h"

enum { LINE_MAX = 4096 };

static bool begins(const char *word, size_t size, const char *with)
{
    const size_t length = strlen(with);
    return size >= length && memcmp(word, with, length) == 0;
}

static bool is(const char *word, size_t size, const char *text)
{
    return strlen(text) == size && begins(word, size, text);
}

static bool read_schedule(struct board_settings *settings, const char *word, size_t size)
{
    static const char schedule[] = "schedule=";
    const size_t before = sizeof schedule - 1;
    for (int i = 0; begins(word, size, schedule) && i < PFPU_BOARD_SCHEDULERS; i++) {
        if (is(word + before, size - before, pfpu_board_scheduler_names[i])) {
            settings->schedules = true;
            settings->scheduler = (enum pfpu_board_scheduler)i;
            return true;
        }
    }
    return false;
}

static bool read_rate(struct board_settings *settings, const char *word, size_t size)
{
    const bool most = is(word, size, "fps=30");
    const bool known = most || is(word, size, "fps=24");
    if (known) {
        settings->fps = most ? REND_BOARD_FPS_MAX : REND_BOARD_FPS_MIN;
    }
    return known;
}

static bool read_patch(struct board_settings *settings, const char *word, size_t size)
{
    static const char patch[] = "patch=";
    const size_t before = sizeof patch - 1;
    const bool known = begins(word, size, patch) && size - before < sizeof settings->patch;
    if (known) {
        memset(settings->patch, 0, sizeof settings->patch);
        for (size_t i = before; i < size; i++) {
            settings->patch[i - before] = word[i] == '_' ? ' ' : word[i];
        }
    }
    return known;
}

static void print_unknown(const char *word, size_t size)
{
    enum { SHOWN = 64 };
    char text[SHOWN + 1] = "";
    memcpy(text, word, size < SHOWN ? size : SHOWN);
    board_print("command line: '");
    board_print(text);
    board_print(size <= SHOWN ? "'" : "...'");
    board_print(" means nothing; fps=24, fps=30, patch=NAME, schedule=NAME and exact are known\n");
}

static void read_word(struct board_settings *settings, const char *word, size_t size)
{
    if (is(word, size, "exact")) {
        settings->exact = true;
    } else if (!read_rate(settings, word, size) && !read_schedule(settings, word, size) &&
               !read_patch(settings, word, size)) {
        print_unknown(word, size);
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
        if (size > 0) {
            read_word(settings, at, size);
        }
        at += size == 0 ? 1 : size;
    }
}
