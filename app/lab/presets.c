#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/lab/lab.h"
#include "app/loading/loading.h"
#include "base/os/print.h"
#include "board/host/host.h"
#include "pfpu/microcode/microcode.h"
#include "presets/presets.h"
#include "renderer/renderer.h"

int app_lab_presets(const struct app_options *options, struct preset_list *list)
{
    int result = APP_EXIT_DONE;
    *list = (struct preset_list){0};
    if (options->input_count < 2) {
        return app_lab_refuse_usage(options, "which presets?");
    }
    for (size_t i = 1; i < options->input_count; i++) {
        if (preset_list_add(list, options->inputs[i], &base_diag_stderr) != 0) {
            result = APP_EXIT_FAILED;
        }
    }
    return result;
}

/* Machine, lane executor and intermediate representation on the same random registers. */

enum { TRIALS = 1000 };

struct proof {
    uint32_t trials;
    bool json;
    bool broken; /* a preset cannot be read or has errors */
    size_t presets;
    size_t fitting;
    size_t programs;
    size_t wrong;
};

/* One program of a preset. */
struct subject {
    const char *path;
    const char *program;
    const char *scheduler;
};

static void prove_program(struct proof *proof, const struct subject *subject,
                          const struct pfpu_target *target,
                          const struct pfpu_board_program *program)
{
    struct base_arena scratch = {0};
    const char *wrong = NULL;
    if (program->fit == PFPU_FITS) {
        wrong = pfpu_prove(target, &program->ir, &program->microcode, 1, proof->trials, &scratch);
    }
    if (wrong == NULL) {
        wrong = pfpu_prove_lanes(&program->ir, 1, proof->trials, &scratch);
    }
    proof->programs++;
    if (wrong != NULL) {
        proof->wrong++;
        if (proof->json) {
            (void)fputs(proof->wrong > 1 ? ",{\"preset\":" : "{\"preset\":", stdout);
            base_json_string(stdout, subject->path);
            (void)printf(",\"program\":\"%s\",\"scheduler\":\"%s\",\"reason\":", subject->program,
                         subject->scheduler);
            base_json_string(stdout, wrong);
            (void)fputc('}', stdout);
        } else {
            base_plain(stdout, subject->path);
            (void)printf(": %s, %s: %s\n", subject->program, subject->scheduler, wrong);
        }
    }
    base_arena_free(&scratch);
}

/* Returns whether the preset fits; messages come with the first scheduler only. */
static bool prove_scheduler(struct proof *proof, const char *path,
                            enum pfpu_board_scheduler scheduler)
{
    const bool first = scheduler == PFPU_BOARD_GREEDY;
    const struct pfpu_target *target = &pfpu_target_milkymist_one;
    struct board_listing patch;
    const bool read = board_listing_load(&patch, path, target, scheduler, NULL,
                                         first ? &base_diag_stderr : NULL) == 0;
    const bool fits = read && patch.board != NULL;
    if (fits) {
        struct subject subject = {path, "per_frame", pfpu_board_scheduler_names[scheduler]};
        prove_program(proof, &subject, target, &patch.board->frame);
        subject.program = "per_pixel";
        prove_program(proof, &subject, target, &patch.board->vertex);
    } else if (first) {
        /* Errors are what the host's compiler refuses too; the rest does not fit. */
        struct app_errors errors = {0};
        const struct base_diag_sink sink = app_errors_sink(&errors);
        if (read) {
            rend_patch_free(rend_patch_create(&patch.preset, NULL, &sink));
        }
        proof->broken = proof->broken || !read || errors.count > 0;
    }
    board_listing_free(&patch);
    return fits;
}

int app_lab_prove(const struct app_options *options)
{
    struct proof proof = {.json = options->json,
                          .trials = options->trials != 0 ? (uint32_t)options->trials : TRIALS};
    struct preset_list list;
    const int gathered = app_lab_presets(options, &list);
    if (gathered != APP_EXIT_USAGE) {
        (void)fputs(proof.json ? "{\"list\":[" : "", stdout);
        for (size_t i = 0; i < list.count; i++) {
            bool fits = true;
            for (int k = 0; k < PFPU_BOARD_SCHEDULERS; k++) {
                fits = prove_scheduler(&proof, list.paths[i], (enum pfpu_board_scheduler)k) && fits;
            }
            proof.presets++;
            proof.fitting += fits ? 1 : 0;
        }
        if (proof.json) {
            (void)printf("],\"presets\":%zu,\"fit\":%zu,\"programs\":%zu,\"wrong\":%zu}\n",
                         proof.presets, proof.fitting, proof.programs, proof.wrong);
        } else {
            (void)printf("prove: %zu preset%s, %zu fit, %zu program%s, %zu wrong\n", proof.presets,
                         base_plural(proof.presets), proof.fitting, proof.programs,
                         base_plural(proof.programs), proof.wrong);
        }
    }
    preset_list_free(&list);
    const bool good = !proof.broken && proof.programs > 0 && proof.wrong == 0;
    return gathered != APP_EXIT_DONE || good ? gathered : APP_EXIT_FAILED;
}

/* How long compiling takes. */

/* The shortest of so many tries counts: what is longer is the rest of the machine. */
enum { TRIES = 3, COLUMNS = 1 + PFPU_BOARD_SCHEDULERS, NAME_SIZE = 40 };

struct timing {
    double ms;
    const char *path;
};

/* Both return seconds; negative if the preset does not compile. */
static double host_seconds(const char *path)
{
    struct app_errors errors = {0};
    const struct base_diag_sink sink = app_errors_sink(&errors);
    struct preset preset;
    if (preset_read_file(&preset, path, NULL) != 0) {
        return -1;
    }
    struct timespec start;
    struct timespec end;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, &sink);
    const bool compiled = patch != NULL;
    rend_patch_free(patch);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    preset_free(&preset);
    if (!compiled || errors.count > 0) {
        return -1;
    }
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Column 0: the host. */
static double seconds(const char *path, int column)
{
    if (column == 0) {
        return host_seconds(path);
    }
    struct board_listing patch;
    const int read = board_listing_load(&patch, path, &pfpu_target_milkymist_one,
                                        (enum pfpu_board_scheduler)(column - 1), NULL, NULL);
    const double result = read == 0 && patch.board != NULL ? patch.seconds : -1;
    board_listing_free(&patch);
    return result;
}

static int by_time(const void *a, const void *b)
{
    const double one = ((const struct timing *)a)->ms;
    const double other = ((const struct timing *)b)->ms;
    return (one > other) - (one < other);
}

static void print(const char *what, const struct timing *timings, size_t count, size_t all,
                  bool json)
{
    const struct timing none = {0, ""};
    const struct timing median = count > 0 ? timings[count / 2] : none;
    const struct timing worst = count > 0 ? timings[count - 1] : none;
    if (!json) {
        (void)printf("%-24s %4zu of %zu preset%s", what, count, all, base_plural(all));
        if (count > 0) {
            (void)printf(", median %.3f ms, worst %.3f ms (", median.ms, worst.ms);
            base_plain(stdout, worst.path);
            (void)fputc(')', stdout);
        }
        (void)fputc('\n', stdout);
        return;
    }
    (void)printf("{\"compiler\":\"%s\",\"presets\":%zu,\"left_out\":%zu,\"median_ms\":", what,
                 count, all - count);
    base_json_number(stdout, median.ms);
    (void)fputs(",\"worst_ms\":", stdout);
    base_json_number(stdout, worst.ms);
    (void)fputs(",\"worst\":", stdout);
    base_json_string(stdout, worst.path);
    (void)fputs("}\n", stdout);
}

/* False without memory. */
static bool measure(const struct preset_list *list, bool json)
{
    struct timing *timings = calloc(list->count + 1, sizeof *timings);
    for (int column = 0; timings != NULL && column < COLUMNS; column++) {
        size_t count = 0;
        for (size_t i = 0; i < list->count; i++) {
            double best = seconds(list->paths[i], column);
            for (int k = 1; k < TRIES && best >= 0; k++) {
                const double next = seconds(list->paths[i], column);
                best = next < best ? next : best;
            }
            timings[count] = (struct timing){1e3 * best, list->paths[i]};
            count += best >= 0 ? 1 : 0;
        }
        qsort(timings, count, sizeof *timings, by_time);
        char name[NAME_SIZE] = "host";
        if (column > 0) {
            (void)snprintf(name, sizeof name, "milkymist-one %s",
                           pfpu_board_scheduler_names[column - 1]);
        }
        print(name, timings, count, list->count, json);
    }
    const bool measured = timings != NULL;
    free(timings);
    return measured;
}

int app_lab_time(const struct app_options *options)
{
    struct preset_list list;
    int result = app_lab_presets(options, &list);
    if (result != APP_EXIT_USAGE) {
        bool readable = true; /* there is a message for each that is not */
        for (size_t i = 0; i < list.count; i++) {
            struct preset preset;
            if (preset_read_file(&preset, list.paths[i], &base_diag_stderr) == 0) {
                preset_free(&preset);
            } else {
                readable = false;
            }
        }
        const bool measured = list.count == 0 || measure(&list, options->json);
        result = measured && readable ? result : APP_EXIT_FAILED;
    }
    preset_list_free(&list);
    return result;
}
