/* That no function of a family of kernels is missing for vectors of four words (SSE4.1, NEON)
 * where there is one for AVX2. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/fmath.h"
#include "board/mapper/kernels.h"
#include "pfpu/host/lanes_code.h"
#include "pfpu/machine/word_kernels.h"
#include "renderer/draw/span.h"
#include "renderer/picture/rows.h"
#include "renderer/shader/run/kernels.h"
#include "tmu/kernels.h"

enum { FUNCTIONS_MAX = 1024 };

typedef void (*function)(void);

/* Functions of a level, as they follow each other; how many there are. */
typedef size_t (*rows_of)(enum base_cpu_level level, function rows[FUNCTIONS_MAX]);

static size_t take(function rows[FUNCTIONS_MAX], const void *table, size_t size)
{
    assert_true(size % sizeof *rows == 0 && size <= FUNCTIONS_MAX * sizeof *rows);
    memcpy(rows, table, size);
    return size / sizeof *rows;
}

static size_t shader_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, shader_kernels_for(level), sizeof(struct shader_kernels));
}

static size_t read_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, shader_read_for(level), sizeof(struct shader_read_kernels));
}

static size_t mapping_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, tmu_kernels_for(level), sizeof(struct tmu_kernels));
}

static size_t span_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, rend_span_kernels_for(level), sizeof(struct rend_span_kernels));
}

static size_t shade_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, rend_shade_kernels_for(level), sizeof(struct rend_shade_kernels));
}

static size_t picture_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    rows[0] = (function)rend_mix_for(level);
    rows[1] = (function)rend_cross_for(level);
    return 2;
}

static size_t mathematics_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, base_fmath_lanes_for(level), sizeof(struct base_fmath_lanes));
}

static size_t chip_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    return take(rows, board_mapper_kernels_for(level), sizeof(struct board_mapper_kernels));
}

static size_t word_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    for (unsigned i = 0; i < PFPU_OPCODE_COUNT; i++) {
        rows[i] = (function)pfpu_word_kernel_for(level, i);
    }
    return PFPU_OPCODE_COUNT;
}

static size_t equation_rows(enum base_cpu_level level, function rows[FUNCTIONS_MAX])
{
    for (int i = 0; i < PFPU_LANES_KERNELS; i++) {
        rows[i] = (function)pfpu_lanes_kernel_for(level, i);
    }
    return PFPU_LANES_KERNELS;
}

static void four_lanes_have_what_eight_have(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        rows_of rows;
    } families[] = {
        {"shaders, arithmetic", shader_rows},
        {"shaders, reads", read_rows},
        {"shaders, packing", shade_rows},
        {"texture mapping", mapping_rows},
        {"spans", span_rows},
        {"whole rows", picture_rows},
        {"mathematics", mathematics_rows},
        {"equations", equation_rows},
        {"coprocessor", word_rows},
        {"the chip's mapper", chip_rows},
    };
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        function plain[FUNCTIONS_MAX];
        function four[FUNCTIONS_MAX];
        function avx2[FUNCTIONS_MAX];
        const size_t count = families[i].rows(BASE_CPU_PLAIN, plain);
        (void)families[i].rows(BASE_CPU_FOUR, four);
        (void)families[i].rows(BASE_CPU_AVX2, avx2);
        size_t own[2] = {0};
        size_t missing = 0;
        for (size_t k = 0; k < count; k++) {
            own[0] += four[k] != plain[k] ? 1 : 0;
            own[1] += avx2[k] != plain[k] ? 1 : 0;
            missing += four[k] == plain[k] && avx2[k] != plain[k] ? 1 : 0;
        }
        printf("%-20s %3zu functions, %3zu for four words, %3zu for AVX2, %zu missing\n",
               families[i].name, count, own[0], own[1], missing);
        assert_int_equal(missing, 0);
#if defined(__x86_64__)
        assert_true(own[1] > 0);
#endif
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_lanes_have_what_eight_have)};
    return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
