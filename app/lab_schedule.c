/* The thesis' scheduling table, with our schedulers beside. */
#include <stdio.h>
#include <string.h>

#include "app/compile_stats.h"
#include "app/json.h"
#include "app/lab.h"
#include "presets/library.h"

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
#include "app/lab_schedule.def"
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
    char name[64];
    bool fits;
    const struct measured *measured;
    struct app_compile_stats stats[PFPU_BOARD_SCHEDULERS];
};

static bool measure(struct row *row, const char *path, const struct pfpu_target *target)
{
    row->fits = true;
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS && row->fits; i++) {
        struct app_board_patch patch;
        const bool read = app_board_patch_load(&patch, path, target, (enum pfpu_board_scheduler)i,
                                               i == 0 ? &base_diag_stderr : NULL) == 0;
        row->fits = read && patch.board != NULL;
        if (read) {
            (void)snprintf(row->name, sizeof row->name, "%s", patch.preset.name);
            row->measured = measured_of(patch.preset.name);
        }
        if (row->fits) {
            row->stats[i] = app_compile_stats_of(&patch, false);
            row->stats[i].name = NULL; /* goes with the patch */
        }
        app_board_patch_free(&patch);
    }
    return row->fits;
}

static void print_head(const struct pfpu_target *target)
{
    (void)printf("%slatencies of %s\n", target == &pfpu_target_thesis ? "" : "\n",
                 target == &pfpu_target_thesis ? "the thesis (addition 4, product 5)"
                                               : "the chip (addition 5, product 7)");
    (void)printf("%-28s|%-17s|%-13s|%-24s|%-36s\n", "", " thesis", " first",
                 " froth, plain program", " froth, small program");
    (void)printf("%-28s| %4s %5s %5s | %5s %5s | %4s %4s %6s %5s | %4s %4s %8s %5s %9s %6s\n",
                 "preset", "ops", "cyc", "c/op", "words", "best", "ops", "path", "greedy", "w/op",
                 "ops", "path", "critical", "w/op", "pipelined", "cycles");
}

static void print_measured(const struct row *row, bool thesis)
{
    const struct measured *known = row->measured;
    if (known == NULL) {
        (void)printf("| %4s %5s %5s | %5s %5s ", "", "", "", "", "");
        return;
    }
    if (thesis) {
        (void)printf("| %4u %5u %5.2f | %5u %5s ", known->thesis_operations, known->thesis_cycles,
                     (double)known->thesis_cycles / known->thesis_operations,
                     known->first_words_thesis, "");
    } else {
        (void)printf("| %4s %5s %5s | %5u %5u ", "", "", "", known->first_words,
                     known->first_best_words);
    }
}

static void print_row(const struct row *row, const struct pfpu_target *target)
{
    const struct app_compile_stats *greedy = &row->stats[PFPU_BOARD_GREEDY];
    const struct app_compile_stats *critical = &row->stats[PFPU_BOARD_CRITICAL];
    const struct app_compile_stats *pipelined = &row->stats[PFPU_BOARD_PIPELINED];
    (void)printf("%-28.28s", row->name);
    print_measured(row, target == &pfpu_target_thesis);
    (void)printf("| %4u %4u %6u %5.2f | %4u %4u %8u %5.2f %6u K%u %6.1f\n", greedy->instructions,
                 greedy->critical_path, greedy->words, greedy->per_instruction,
                 critical->instructions, critical->critical_path, critical->words,
                 critical->per_instruction, pipelined->words, pipelined->stages, pipelined->cycles);
}

static void print_object(const struct row *row, const struct pfpu_target *target)
{
    (void)fputs("{\"preset\":", stdout);
    app_json_string(stdout, row->name);
    (void)printf(",\"latencies\":\"%s\"", target == &pfpu_target_thesis ? "thesis" : "chip");
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        const struct app_compile_stats *stats = &row->stats[i];
        (void)printf(",\"%s\":{\"instructions\":%u,\"critical_path\":%u,\"words\":%u,\"stages\":%u,"
                     "\"registers\":%u,\"cycles_per_vertex\":",
                     pfpu_board_scheduler_names[i], stats->instructions, stats->critical_path,
                     stats->words, stats->stages, stats->registers);
        app_json_number(stdout, stats->cycles);
        (void)fputs("}", stdout);
    }
    (void)fputs("}\n", stdout);
}

static bool print_table(const struct preset_list *list, const struct pfpu_target *target, bool json)
{
    bool all = true;
    if (!json) {
        print_head(target);
    }
    for (size_t i = 0; i < list->count; i++) {
        struct row row = {.name = ""};
        if (!measure(&row, list->paths[i], target)) {
            all = false;
        } else if (json) {
            print_object(&row, target);
        } else {
            print_row(&row, target);
        }
    }
    return all;
}

int app_lab_schedule(const struct app_options *options)
{
    struct preset_list list = {0};
    bool good = true;
    if (options->input_count < 2) {
        return app_lab_refuse_usage(options, "which presets?");
    }
    for (size_t i = 1; i < options->input_count; i++) {
        good = preset_list_add(&list, options->inputs[i], &base_diag_stderr) == 0 && good;
    }
    good = print_table(&list, &pfpu_target_thesis, options->json) && good;
    good = print_table(&list, &pfpu_target_milkymist_one, options->json) && good;
    preset_list_free(&list);
    return good ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
