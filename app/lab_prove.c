/* Machine, lane executor and intermediate representation on the same random registers. */
#include <stdio.h>

#include "app/board_patch.h"
#include "app/errors.h"
#include "app/json.h"
#include "app/lab.h"
#include "app/lab_presets.h"
#include "app/plain.h"
#include "pfpu/prove_lanes.h"
#include "renderer/renderer.h"

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

static void print_wrong(const struct proof *proof, const struct subject *subject, const char *why)
{
    if (!proof->json) {
        app_plain(stdout, subject->path);
        (void)printf(": %s, %s: %s\n", subject->program, subject->scheduler, why);
        return;
    }
    (void)fputs(proof->wrong > 1 ? ",{\"preset\":" : "{\"preset\":", stdout);
    app_json_string(stdout, subject->path);
    (void)printf(",\"program\":\"%s\",\"scheduler\":\"%s\",\"reason\":", subject->program,
                 subject->scheduler);
    app_json_string(stdout, why);
    (void)fputc('}', stdout);
}

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
        print_wrong(proof, subject, wrong);
    }
    base_arena_free(&scratch);
}

/* Errors are what the host's compiler refuses too; the rest does not fit. */
static bool has_errors(const struct preset *preset)
{
    struct app_errors errors = {0};
    const struct base_diag_sink sink = app_errors_sink(&errors);
    rend_patch_free(rend_patch_create(preset, NULL, &sink));
    return errors.count > 0;
}

/* Returns whether the preset fits; messages come with the first scheduler only. */
static bool prove_scheduler(struct proof *proof, const char *path,
                            enum pfpu_board_scheduler scheduler)
{
    const bool first = scheduler == PFPU_BOARD_GREEDY;
    const struct pfpu_target *target = &pfpu_target_milkymist_one;
    struct app_board_patch patch;
    const bool read = app_board_patch_load(&patch, path, target, scheduler,
                                           first ? &base_diag_stderr : NULL) == 0;
    const bool fits = read && patch.board != NULL;
    if (fits) {
        struct subject subject = {path, "per_frame", pfpu_board_scheduler_names[scheduler]};
        prove_program(proof, &subject, target, &patch.board->frame);
        subject.program = "per_pixel";
        prove_program(proof, &subject, target, &patch.board->vertex);
    } else if (first) {
        proof->broken = proof->broken || !read || has_errors(&patch.preset);
    }
    app_board_patch_free(&patch);
    return fits;
}

static void prove_preset(struct proof *proof, const char *path)
{
    bool fits = true;
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        fits = prove_scheduler(proof, path, (enum pfpu_board_scheduler)i) && fits;
    }
    proof->presets++;
    proof->fitting += fits ? 1 : 0;
}

static void prove_all(struct proof *proof, const struct preset_list *list)
{
    (void)fputs(proof->json ? "{\"list\":[" : "", stdout);
    for (size_t i = 0; i < list->count; i++) {
        prove_preset(proof, list->paths[i]);
    }
    (void)printf(proof->json ? "],\"presets\":%zu,\"fit\":%zu,\"programs\":%zu,\"wrong\":%zu}\n"
                             : "prove: %zu presets, %zu fit, %zu programs, %zu wrong\n",
                 proof->presets, proof->fitting, proof->programs, proof->wrong);
}

int app_lab_prove(const struct app_options *options)
{
    struct proof proof = {.json = options->json,
                          .trials = options->trials != 0 ? (uint32_t)options->trials : TRIALS};
    struct preset_list list;
    const int gathered = app_lab_presets(options, &list);
    if (gathered != APP_EXIT_USAGE) {
        prove_all(&proof, &list);
    }
    preset_list_free(&list);
    const bool good = !proof.broken && proof.programs > 0 && proof.wrong == 0;
    return gathered != APP_EXIT_DONE || good ? gathered : APP_EXIT_FAILED;
}
