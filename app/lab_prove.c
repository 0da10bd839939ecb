/* Machine, lane executor and intermediate representation on the same random registers. */
#include <stdio.h>

#include "app/board_patch.h"
#include "app/json.h"
#include "app/lab.h"
#include "pfpu/prove_lanes.h"
#include "presets/library.h"

enum { TRIALS = 1000 };

struct proof {
    uint32_t trials;
    bool json;
    size_t presets;
    size_t fitting;
    size_t programs;
    size_t wrong;
};

static void report(struct proof *proof, const char *path, const char *what, const char *wrong)
{
    proof->programs++;
    if (wrong == NULL) {
        return;
    }
    proof->wrong++;
    if (!proof->json) {
        (void)printf("%s: %s: %s\n", path, what, wrong);
    }
}

static void prove_program(struct proof *proof, const char *path, const char *name,
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
    report(proof, path, name, wrong);
    base_arena_free(&scratch);
}

static void prove_preset(struct proof *proof, const char *path)
{
    bool fits = true;
    for (int i = 0; i < PFPU_BOARD_SCHEDULERS; i++) {
        struct app_board_patch patch;
        char name[64];
        const struct pfpu_target *target = &pfpu_target_milkymist_one;
        fits =
            app_board_patch_load(&patch, path, target, (enum pfpu_board_scheduler)i, NULL) == 0 &&
            patch.board != NULL;
        if (fits) {
            (void)snprintf(name, sizeof name, "per_frame, %s", pfpu_board_scheduler_names[i]);
            prove_program(proof, path, name, target, &patch.board->frame);
            (void)snprintf(name, sizeof name, "per_pixel, %s", pfpu_board_scheduler_names[i]);
            prove_program(proof, path, name, target, &patch.board->vertex);
        }
        app_board_patch_free(&patch);
    }
    proof->presets++;
    proof->fitting += fits ? 1 : 0;
}

int app_lab_prove(const struct app_options *options)
{
    struct proof proof = {.json = options->json,
                          .trials = options->trials != 0 ? (uint32_t)options->trials : TRIALS};
    struct preset_list list = {0};
    bool good = true;
    if (options->input_count < 2) {
        return app_lab_refuse_usage(options, "which presets?");
    }
    for (size_t i = 1; i < options->input_count; i++) {
        good = preset_list_add(&list, options->inputs[i], &base_diag_stderr) == 0 && good;
    }
    for (size_t i = 0; i < list.count; i++) {
        prove_preset(&proof, list.paths[i]);
    }
    (void)printf(proof.json ? "{\"presets\":%zu,\"fit\":%zu,\"programs\":%zu,\"wrong\":%zu}\n"
                            : "prove: %zu presets, %zu fit, %zu programs, %zu wrong\n",
                 proof.presets, proof.fitting, proof.programs, proof.wrong);
    preset_list_free(&list);
    return good && proof.wrong == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
