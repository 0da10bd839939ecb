/* The per-vertex and per-point programs of presets: in lanes as one by one, in every bit. */
#include "../pfpu/test_pfpu_lanes.h"

#include <dirent.h>
#include <stdio.h>

#include "presets/presets.h"
#include "renderer/patch.h"

static size_t in_lanes;
static size_t programs;

static void check_block(const struct rend_block *block, const struct pfpu_lanes_input *inputs,
                        size_t input_count, int first_output, int output_count)
{
    static struct ports ports;
    struct base_rng rng;
    base_rng_seed(&rng, 21, 22);
    if (block->run == NULL) {
        return;
    }
    open_ports(&ports);
    for (size_t i = 0; i < input_count; i++) {
        add_input(&ports, inputs[i].variable, inputs[i].varies, &rng);
    }
    for (int i = 0; i < output_count; i++) {
        add_output(&ports, first_output + i);
    }
    struct base_arena arena = {0};
    const struct pfpu_lanes *lanes = pfpu_lanes_create(block->run, &ports.view, &arena);
    assert_non_null(lanes);
    programs++;
    in_lanes += pfpu_lanes_facts(lanes).one_by_one ? 0 : 1;
    check_level(lanes, block->run, block->scope, &ports, BASE_CPU_PLAIN, 1000000);
    check_level(lanes, block->run, block->scope, &ports, base_cpu_best(), 1000000);
    base_arena_free(&arena);
}

static void check_preset(const char *path)
{
    struct pfpu_lanes_input vertex[REND_VERTEX_PLACE + REND_VERTEX_MOTIONS];
    struct pfpu_lanes_input point[REND_POINT_INPUTS];
    struct preset preset;
    assert_int_equal(preset_read_file(&preset, path, NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    assert_non_null(patch);
    for (int i = 0; i < REND_VERTEX_PLACE + REND_VERTEX_MOTIONS; i++) {
        vertex[i] = (struct pfpu_lanes_input){REND_VAR_PLACE + i, i < REND_VERTEX_PLACE};
    }
    for (int i = 0; i < REND_POINT_INPUTS; i++) {
        const int variable = REND_POINT_SAMPLE + i;
        point[i] = (struct pfpu_lanes_input){variable, variable < REND_POINT_R};
    }
    check_block(&patch->vertex, vertex, REND_VERTEX_PLACE + REND_VERTEX_MOTIONS, REND_VAR_MOTION,
                REND_VERTEX_MOTIONS);
    for (int i = 0; i < PRESET_WAVES; i++) {
        check_block(&patch->wave_point[i], point, REND_POINT_INPUTS, REND_POINT_X,
                    REND_POINT_OUTPUTS);
    }
    rend_patch_free(patch);
    preset_free(&preset);
}

static void check_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry = readdir(directory); entry != NULL;
         entry = readdir(directory)) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_true(length < (int)sizeof path);
        if (length > 5 && strcmp(path + length - 5, ".milk") == 0) {
            check_preset(path);
        }
    }
    (void)closedir(directory);
}

static void test_presets(void **state)
{
    (void)state;
    check_folder(TEST_DATA "/presets");
    check_folder(TEST_DATA "/facts");
    check_folder(TEST_SOURCE "/presets/originals");
    assert_true(programs > 10);
    assert_true(in_lanes > programs / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_presets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
