/* The thesis' scheduling table, with our schedulers beside. */
#include <stdio.h>
#include <string.h>

#include "app/lab/compile.h"
#include "app/lab/lab.h"
#include "base/os/json.h"
#include "base/os/plain.h"
#include "base/os/logger.h"

struct measured {
    const char *name;
    unsigned thesis_operations;
    unsigned thesis_cycles;
    unsigned first_operations;
    unsigned first_words_thesis;
    unsigned first_words;
    unsigned first_best_words;
};

static const struct measured measured_rows[] = {
#define APP_MEASURED(...) {__VA_ARGS__},
#include "app/lab/schedule.def"
};

static const struct measured *measured_of(const char *name)
{
    for (size_t i = 0; i < sizeof measured_rows / sizeof *measured_rows; i++) {
        if (strncmp(name, measured_rows[i].name, strlen(measured_rows[i].name)) == 0) {
            return &measured_rows[i];
        }
    }
    return NULL;
}

/* One preset with one machine's latencies. */
struct row {
    struct board_listing patches[PFPU_BOARD_SCHEDULERS];
    struct app_compile_stats stats[PFPU_BOARD_SCHEDULERS]; /* where the preset compiles */
    const struct measured *measured;
    bool thesis;
};

struct table {
    const struct pfpu_target *target;
    bool thesis; /* it has the latencies of the thesis */
    bool json;
    bool headed;
};

static bool compiles(const struct row *row, int scheduler)
{
    return row->patches[scheduler].board != NULL;
}

/* False if the preset cannot be read. */
static bool load_row(struct row *row, const struct table *table, const char *path)
{
    *row = (struct row){.thesis = table->thesis};
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        struct board_listing *patch = &row->patches[i];
        /* The thesis comes first: what is to be said about a preset is said once. */
        const bool first = table->thesis && i == 0;
        if (board_listing_load(patch, path, table->target, (enum pfpu_board_scheduler)i, NULL,
                               first ? &base_diag_stderr : NULL) != 0) {
            return false;
        }
        if (patch->board != NULL) {
            row->stats[i] = app_compile_stats_of(patch, false);
        }
    }
    row->measured = measured_of(row->patches[0].preset.name);
    return true;
}

static void print_head(const struct table *table)
{
    (void)fputs(
        table->thesis
            ? "thesis: its figures; first: words of the board's first compiler, greedy and "
              "best;\nw/op: words for each operation; path: critical path, of the smallest form; "
              "over: words\nabove the larger of operations and path and two to drain; K: "
              "vertices in flight;\ncycles: of a vertex, writing included\n\nlatencies of "
              "the thesis "
              "(addition 4, product 5)\n"
            : "\nlatencies of the chip (addition 5, product 7)\n",
        stdout);
    (void)printf("%-28s|%-17s|%-13s|%-24s|%-32s|%s\n", "", " thesis", " first", " plain program",
                 " small program", " small program");
    (void)printf(
        "%-28s| %4s %5s %5s | %5s %5s | %4s %4s %6s %5s | %4s %4s %8s %5s %5s | %9s %2s %6s\n",
        "preset", "ops", "cyc", "c/op", "words", "best", "ops", "path", "greedy", "w/op", "ops",
        "path", "critical", "w/op", "over", "pipelined", "K", "cycles");
}

static void print_critical(const struct row *row)
{
    if (!compiles(row, PFPU_BOARD_CRITICAL)) {
        (void)printf("| %-30s ", "does not compile");
        return;
    }
    const struct app_compile_stats *stats = &row->stats[PFPU_BOARD_CRITICAL];
    const struct pfpu_board *board = row->patches[PFPU_BOARD_CRITICAL].board;
    const unsigned bound = (board->operations > board->path ? board->operations : board->path) + 2;
    const double over = 100.0 * ((double)stats->words / bound - 1);
    (void)printf("| %4u %4u %8u %5.2f %4.1f%% ", board->operations, board->path, stats->words,
                 stats->per_operation, over);
}

static void print_row(const struct row *row)
{
    const struct app_compile_stats *pipelined = &row->stats[PFPU_BOARD_PIPELINED];
    base_plain_cell(stdout, row->patches[0].preset.name, 28);
    const struct measured *known = row->measured;
    if (known == NULL) {
        (void)printf("| %4s %5s %5s | %5s %5s ", "", "", "", "", "");
    } else if (row->thesis) {
        (void)printf("| %4u %5u %5.2f | %5u %5s ", known->thesis_operations, known->thesis_cycles,
                     (double)known->thesis_cycles / known->thesis_operations,
                     known->first_words_thesis, "");
    } else {
        (void)printf("| %4s %5s %5s | %5u %5u ", "", "", "", known->first_words,
                     known->first_best_words);
    }
    const struct app_compile_stats *stats = &row->stats[PFPU_BOARD_GREEDY];
    if (compiles(row, PFPU_BOARD_GREEDY)) {
        (void)printf("| %4u %4u %6u %5.2f ", stats->operations, stats->critical_path, stats->words,
                     stats->per_operation);
    } else {
        (void)printf("| %-22s ", "does not compile");
    }
    print_critical(row);
    if (compiles(row, PFPU_BOARD_PIPELINED)) {
        (void)printf("| %9u %2u %6u\n", pipelined->words, pipelined->stages, pipelined->cycles);
    } else {
        (void)puts("| does not compile");
    }
}

static void print_object(const struct row *row)
{
    (void)fputs("{\"preset\":", stdout);
    base_json_string(stdout, row->patches[0].preset.name);
    (void)printf(",\"latencies\":\"%s\"", row->thesis ? "thesis" : "chip");
    const struct measured *known = row->measured;
    if (known == NULL) {
        (void)fputs(",\"measured\":null", stdout);
    } else if (row->thesis) {
        (void)printf(",\"measured\":{\"thesis_operations\":%u,\"thesis_cycles\":%u,"
                     "\"first_operations\":%u,\"first_words\":%u}",
                     known->thesis_operations, known->thesis_cycles, known->first_operations,
                     known->first_words_thesis);
    } else {
        (void)printf(",\"measured\":{\"first_operations\":%u,\"first_words\":%u,"
                     "\"first_best_words\":%u}",
                     known->first_operations, known->first_words, known->first_best_words);
    }
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        const struct app_compile_stats *stats = &row->stats[i];
        (void)printf(",\"%s\":", pfpu_board_scheduler_names[i]);
        if (!compiles(row, i)) {
            (void)fputs("null", stdout);
            continue;
        }
        const struct pfpu_board *board = row->patches[i].board;
        (void)printf("{\"operations\":%u,\"critical_path\":%u,\"words\":%u,\"stages\":%u,"
                     "\"registers\":%u,\"cycles_per_vertex\":%u,\"smallest\":{\"operations\":%u,"
                     "\"critical_path\":%u}}",
                     stats->operations, stats->critical_path, stats->words, stats->stages,
                     stats->registers, stats->cycles, board->operations, board->path);
    }
    (void)fputs("}\n", stdout);
}

static void print(struct table *table, const struct row *row)
{
    if (table->json) {
        print_object(row);
        return;
    }
    if (!table->headed) {
        print_head(table);
        table->headed = true;
    }
    print_row(row);
}

/* Returns whether every preset compiles with every scheduler. */
static bool print_table(const struct preset_list *list, struct table table)
{
    bool all = true;
    for (size_t i = 0; i < list->count; i++) {
        struct row row;
        const bool read = load_row(&row, &table, list->paths[i]);
        if (read) {
            print(&table, &row);
        }
        for (int k = 0; k < PFPU_BOARD_SCHEDULERS; k++) {
            all = all && read && compiles(&row, k);
        }
        for (int k = 0; k < PFPU_BOARD_SCHEDULERS; k++) {
            board_listing_free(&row.patches[k]);
        }
    }
    return all;
}

int app_lab_schedule(const struct app_options *options)
{
    struct preset_list list;
    int result = app_lab_presets(options, &list);
    if (result != APP_EXIT_USAGE) {
        const struct table thesis = {&pfpu_target_thesis, true, options->json, false};
        const struct table chip = {&pfpu_target_milkymist_one, false, options->json, false};
        const bool one = print_table(&list, thesis);
        const bool other = print_table(&list, chip);
        result = one && other ? result : APP_EXIT_FAILED;
    }
    preset_list_free(&list);
    return result;
}
