#include "gpu/proof/doubles.h"

#include <math.h>
#include <stdlib.h>

#include "base/fmath.h"
#include "base/random.h"
#include "gpu/spirv/equations/elementary.h"
#include "gpu/spirv/equations/operation.h"
#include "gpu/spirv/read.h"

enum { WORDS = 2 * GPU_GIVEN };

static const double special[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    -3.0,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-1074,
    -0x1p-1074,
    0x1p-1022,
    -0x1p-1022,
    0x0.fffffffffffffp-1022,
    0x0.8p-1022,
    0x1.8p-1022,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    0x1p1023,
    0x1p-1000,
    0x1p1000,
    1.5,
    0x1.0000000000001p0,
    0x1.fffffffffffffp-1,
    0x1p52,
    0x1.8p52,
    0x1p53,
    0x1.fffffffffffffp52,
    0x1p31,
    -0x1p31,
    0x1p32,
    0x1p63,
    -0x1p63,
    1e5,
    -1e5,
    1.00001e5,
    16.0,
    -16.0,
    17.0,
    64.0,
    710.0,
    -746.0,
    709.78,
    -745.13,
    BASE_PI,
    0.5 * BASE_PI,
    0x1p-27,
    0x1p-28,
    1e300,
    1e-300,
    0.1,
    10.0,
    0x1p500,
    0x1p-500,
    0x1.6ap0,
    2.0 * BASE_PI,
    1e22,
    12345678.9,
};
enum { SPECIAL = sizeof special / sizeof *special };

static double from_bits(uint64_t bits)
{
    double number = 0.0;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double any_number(struct base_rng *rng, size_t kind)
{
    const uint64_t bits =
        (uint64_t)(uint32_t)base_rng_next(rng) << 32 | (uint32_t)base_rng_next(rng);
    const double unit = (double)(bits >> 11) * 0x1p-53;
    switch (kind % 8) {
    case 0:
        return from_bits(bits);
    case 1: /* denormal */
        return from_bits(bits & UINT64_C(0x800fffffffffffff));
    case 2: /* near 1 */
        return from_bits((bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1018 + bits % 11)
                                                                     << 52);
    case 3:
        return (unit - 0.5) * 100;
    case 4: /* few bits */
        return from_bits((bits & UINT64_C(0x800f800000000000)) | (uint64_t)(1003 + bits % 41)
                                                                     << 52);
    case 5:
        return floor((unit - 0.5) * 70);
    case 6:
        return (unit - 0.5) * 1e7;
    default:
        return (unit - 0.5) * 3;
    }
}

void gpu_doubles_fill(double (*given)[GPU_GIVEN], size_t count)
{
    struct base_rng rng;
    base_rng_seed(&rng, 7, 1);
    for (size_t i = 0; i < count; i++) {
        const bool extreme = i < (size_t)SPECIAL * SPECIAL;
        given[i][0] = extreme ? special[i / SPECIAL] : any_number(&rng, i);
        given[i][1] = extreme ? special[i % SPECIAL] : any_number(&rng, i / 8 + i);
        given[i][2] = any_number(&rng, i / 64 + i);
    }
}

/* ---- programs ---- */

static real result_of(const struct gpu_double_function *function, struct spirv *to,
                      const real given[GPU_GIVEN])
{
    return function->make != NULL ? function->make(to, given[0], given[1])
                                  : spirv_operation(to, function->op, function->filtered, given);
}

static uint32_t *words_of(const struct gpu_double_function *function,
                          struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *to = &made;
    struct spirv_outer outer;
    spirv_begin_doubles(to);
    spirv_function(to, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t at = SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT,
                                   spirv_load(to, SPIRV_VECTOR, to->invocation), 0);
    const uint32_t from = spirv_product(to, at, spirv_word(to, WORDS));
    real given[GPU_GIVEN];
    for (uint32_t k = 0; k < GPU_GIVEN; k++) {
        given[k] = real_read(to, SPIRV_BUFFER_INPUTS, spirv_sum(to, from, spirv_word(to, 2 * k)));
    }
    const struct real_words result = real_words(result_of(function, to, given));
    const uint32_t place = spirv_product(to, at, spirv_word(to, 2));
    spirv_store(to, spirv_place(to, SPIRV_BUFFER_RESULTS, place), result.low);
    spirv_store(to, spirv_place(to, SPIRV_BUFFER_RESULTS, spirv_sum(to, place, spirv_word(to, 1))),
                result.high);
    const uint32_t main = spirv_function_end(to, &outer, 0);
    uint32_t *words = spirv_end(to, main, GPU_DOUBLES_GROUP, controls, count);
    spirv_free(to);
    return words;
}

struct run {
    struct gpu_memory *tables;
    struct gpu_memory *inputs;
    struct gpu_memory *results;
    struct gpu_kernel *kernel;
};

static bool make(struct run *run, struct gpu_device *device,
                 const struct gpu_double_function *function, size_t cases)
{
    size_t count = 0;
    run->tables = gpu_memory_create(device, SPIRV_TABLE_WORDS * sizeof(uint32_t));
    run->inputs = gpu_memory_create(device, cases * WORDS * sizeof(uint32_t));
    run->results = gpu_memory_create(device, cases * sizeof(double));
    if (run->tables == NULL || run->inputs == NULL || run->results == NULL) {
        return false;
    }
    struct gpu_memory *memory[SPIRV_BUFFERS] = {run->tables};
    memory[SPIRV_BUFFER_TEXELS] = run->tables;
    memory[SPIRV_BUFFER_INPUTS] = run->inputs;
    memory[SPIRV_BUFFER_RESULTS] = run->results;
    uint32_t *words = words_of(function, gpu_controls(device), &count);
    run->kernel = gpu_kernel_take(device, words, count, memory);
    return run->kernel != NULL;
}

bool gpu_doubles_run(struct gpu_device *device, const struct gpu_double_function *function,
                     const double (*given)[GPU_GIVEN], size_t count, double *results)
{
    struct run run = {NULL, NULL, NULL, NULL};
    bool good = make(&run, device, function, count);
    if (good) {
        const struct gpu_order order = {
            .columns = (uint32_t)(count / GPU_DOUBLES_GROUP),
            .rows = 1,
            .sent = {gpu_whole(run.tables, SPIRV_TABLE_WORDS * sizeof(uint32_t)),
                     gpu_whole(run.inputs, count * sizeof *given)},
            .sent_count = 2,
            .fetched = gpu_whole(run.results, count * sizeof *results),
        };
        spirv_put_tables(gpu_memory_words(run.tables));
        memcpy(gpu_memory_words(run.inputs), given, count * sizeof *given);
        good = gpu_kernel_run(run.kernel, &order);
    }
    if (good) {
        memcpy(results, gpu_memory_words(run.results), count * sizeof *results);
    }
    gpu_kernel_free(run.kernel);
    gpu_memory_free(run.tables);
    gpu_memory_free(run.inputs);
    gpu_memory_free(run.results);
    return good;
}
