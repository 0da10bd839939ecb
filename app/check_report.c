#include "app/check.h"

#include <assert.h>

#include "app/json.h"
#include "app/plain.h"

const char *app_check_status_name(enum app_check_status status)
{
    static const char *const names[APP_CHECK_STATUS_COUNT] = {
        [APP_CHECK_OK] = "ok",           [APP_CHECK_DEGRADED] = "degraded",
        [APP_CHECK_REFUSED] = "refused", [APP_CHECK_ERROR] = "error",
        [APP_CHECK_TIMEOUT] = "timeout", [APP_CHECK_CRASH] = "crash",
    };
    assert(status < APP_CHECK_STATUS_COUNT);
    return names[status];
}

void app_check_summary_add(struct app_check_summary *summary, const struct app_check_row *row)
{
    summary->presets++;
    summary->by_status[row->status]++;
    summary->black += row->figures.black;
    summary->frozen += row->figures.frozen;
}

void app_check_print_heading(FILE *out, bool board)
{
    (void)fprintf(out, "%-8s  %8s  %8s  %-12s  preset\n", "status", board ? "fps" : "frame_ms",
                  "load_ms", "flags");
}

/* Nothing is refused on this machine. */
static bool can_be(const struct app_check_summary *summary, int status)
{
    return summary->board || status != APP_CHECK_REFUSED;
}

static const char *flags(const struct app_check_figures *figures)
{
    static const char *const names[2][2] = {{"-", "frozen"}, {"black", "black,frozen"}};
    return names[figures->black][figures->frozen];
}

void app_check_print_row(FILE *out, const struct app_check_row *row, bool board)
{
    const struct app_check_figures *figures = &row->figures;
    (void)fprintf(out, "%-8s  %8.2f  %8.2f  %-12s  ", app_check_status_name(row->status),
                  board ? figures->board.fps : figures->frame_ms, figures->load_ms, flags(figures));
    app_plain(out, row->path);
    (void)fputc('\n', out);
    for (size_t i = 0; i < row->message_count; i++) {
        (void)fputs("    ", out);
        app_plain(out, row->messages[i]);
        (void)fputc('\n', out);
    }
}

void app_check_print_summary(FILE *out, const struct app_check_summary *summary)
{
    (void)fprintf(out, "%zu presets:", summary->presets);
    for (int status = 0; status < APP_CHECK_STATUS_COUNT; status++) {
        if (can_be(summary, status)) {
            (void)fprintf(out, "%s %zu %s", status > 0 ? "," : "", summary->by_status[status],
                          app_check_status_name((enum app_check_status)status));
        }
    }
    (void)fprintf(out, "; %zu black, %zu frozen\n", summary->black, summary->frozen);
}

static void json_key(FILE *out, const char *before, const char *key)
{
    (void)fprintf(out, "%s\"%s\": ", before, key);
}

static void json_board(FILE *out, const struct app_check_board *board)
{
    json_key(out, ", ", "cpu_equations");
    app_json_bool(out, board->cpu_equations);
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"board_fps", board->fps},
        {"pfpu_cycles", board->pfpu_cycles},
        {"tmu_cycles", board->tmu_cycles},
        {"cpu_cycles", board->cpu_cycles},
        {"texel_hits_percent", 100 * board->texel_hits},
        {"occupancy_percent", 100 * board->occupancy},
        {"bandwidth", board->bandwidth},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_key(out, ", ", numbers[i].key);
        app_json_number(out, numbers[i].value);
    }
}

void app_check_json_row(FILE *out, const struct app_check_row *row, bool board)
{
    json_key(out, "{", "preset");
    app_json_string(out, row->path);
    json_key(out, ", ", "status");
    app_json_string(out, app_check_status_name(row->status));
    json_key(out, ", ", "messages");
    (void)fputc('[', out);
    for (size_t i = 0; i < row->message_count; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        app_json_string(out, row->messages[i]);
    }
    (void)fputc(']', out);
    json_key(out, ", ", "load_ms");
    app_json_number(out, row->figures.load_ms);
    if (board) {
        json_board(out, &row->figures.board);
    } else {
        json_key(out, ", ", "frame_ms");
        app_json_number(out, row->figures.frame_ms);
    }
    json_key(out, ", ", "black");
    app_json_bool(out, row->figures.black);
    json_key(out, ", ", "frozen");
    app_json_bool(out, row->figures.frozen);
    (void)fputs("}\n", out);
}

void app_check_json_summary(FILE *out, const struct app_check_summary *summary)
{
    (void)fprintf(out, "{\"summary\": {\"presets\": %zu", summary->presets);
    for (int status = 0; status < APP_CHECK_STATUS_COUNT; status++) {
        if (can_be(summary, status)) {
            (void)fprintf(out, ", \"%s\": %zu",
                          app_check_status_name((enum app_check_status)status),
                          summary->by_status[status]);
        }
    }
    (void)fprintf(out, ", \"black\": %zu, \"frozen\": %zu}}\n", summary->black, summary->frozen);
}
