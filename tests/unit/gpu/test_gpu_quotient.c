/* Quotients and roots on a device beside C's, bit by bit: of numbers that hardware may treat in its
 * own way, of those whose results are denormal, overflow or lie as near to the middle of two
 * numbers as they can, and of random ones; with the device's estimates as they are, and with worse
 * ones. FROTH_QUOTIENTS: so many times as many random ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gpu/kernel.h"
#include "gpu/spirv/arithmetic.h"
#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"
#include "renderer/shader/run/kernels.h"

#include "base/random.h"

enum { LANES = 4, GROUP = 64, PAIRS = 1 << 16, GIVEN = 2 * PAIRS, FOUND = 3 * PAIRS };

/* Of the estimates, in units of their last place, what is added; ROOTS: for roots as well. */
enum { ESTIMATES = 7, ROOTS = 5 };
static const int32_t off[ESTIMATES] = {0, 3, -3, 2, -2, 15, -15};

struct room {
    struct gpu_device *device;  /* NULL: there is none */
    struct gpu_memory *inputs;  /* dividends, then divisors */
    struct gpu_memory *results; /* quotients, roots of dividends, quotients as shaders have them */
    struct gpu_kernel *kernel[ESTIMATES];
    struct base_rng rng;
};

/* ---- the program ---- */

/* The words of four pairs in a row. */
static simd_words words_at(struct spirv *to, uint32_t first)
{
    uint32_t word[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        word[lane] =
            spirv_read(to, SPIRV_BUFFER_INPUTS, spirv_sum(to, first, spirv_word(to, lane)));
    }
    return (simd_words){to, spirv_make(to, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_UINTS, word, LANES)};
}

static void store_at(struct spirv *to, uint32_t first, simd_floats number)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        spirv_store(
            to, spirv_place(to, SPIRV_BUFFER_RESULTS, spirv_sum(to, first, spirv_word(to, lane))),
            SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, simd_as_word(number).name, lane));
    }
}

static uint32_t *make_words(struct spirv_controls controls, int32_t estimates_off, size_t *count)
{
    struct spirv made;
    struct spirv *to = &made;
    struct spirv_outer outer;
    spirv_begin(to);
    to->estimates_off = estimates_off;
    spirv_function(to, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t at = SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT,
                                   spirv_load(to, SPIRV_VECTOR, to->invocation), 0);
    const uint32_t first = spirv_product(to, at, spirv_word(to, LANES));
    const uint32_t second = spirv_sum(to, first, spirv_word(to, PAIRS));
    const simd_floats a = simd_as_number(words_at(to, first));
    const simd_floats b = simd_as_number(words_at(to, second));
    store_at(to, first, simd_div(a, b));
    store_at(to, second, simd_root(a));
    const uint32_t arguments[] = {a.name, b.name};
    store_at(to, spirv_sum(to, second, spirv_word(to, PAIRS)),
             (simd_floats){to, spirv_compute(to, SHADER_OP_DIV, arguments)});
    uint32_t *words = spirv_end(to, spirv_function_end(to, &outer, 0), GROUP, controls, count);
    spirv_free(to);
    return words;
}

static int open_room(void **state)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    *state = room;
    base_rng_seed(&room->rng, 3, 1);
    room->device = gpu_list(about) > 0 ? gpu_open(about[0].key) : NULL;
    if (room->device == NULL) {
        return 0;
    }
    room->inputs = gpu_memory_create(room->device, GIVEN * sizeof(uint32_t));
    room->results = gpu_memory_create(room->device, FOUND * sizeof(uint32_t));
    assert_true(room->inputs != NULL && room->results != NULL);
    struct gpu_memory *memory[SPIRV_BUFFERS] = {room->inputs};
    memory[SPIRV_BUFFER_INPUTS] = room->inputs;
    memory[SPIRV_BUFFER_RESULTS] = room->results;
    for (int i = 0; i < ESTIMATES; i++) {
        size_t count = 0;
        uint32_t *words = make_words(gpu_controls(room->device), off[i], &count);
        room->kernel[i] = gpu_kernel_take(room->device, words, count, memory);
        assert_non_null(room->kernel[i]);
    }
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    for (int i = 0; i < ESTIMATES; i++) {
        gpu_kernel_free(room->kernel[i]);
    }
    gpu_memory_free(room->inputs);
    gpu_memory_free(room->results);
    gpu_close(room->device);
    free(room);
    return 0;
}

/* ---- comparing ---- */

static float number_of(uint32_t bits)
{
    float number = 0.0f;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool same(float expected, uint32_t bits)
{
    return (isnan(expected) && isnan(number_of(bits))) || gpu_bits(expected) == bits;
}

static void compare(struct room *room)
{
    const uint32_t *given = gpu_memory_words(room->inputs);
    const uint32_t *found = gpu_memory_words(room->results);
    for (int i = 0; i < ESTIMATES; i++) {
        const struct gpu_order order = {.columns = PAIRS / LANES / GROUP,
                                        .rows = 1,
                                        .sent = {gpu_whole(room->inputs, GIVEN * sizeof *given)},
                                        .sent_count = 1,
                                        .fetched = gpu_whole(room->results, FOUND * sizeof *found)};
        assert_true(gpu_kernel_run(room->kernel[i], &order));
        for (size_t k = 0; k < PAIRS; k++) {
            const float a = number_of(given[k]);
            const float b = number_of(given[PAIRS + k]);
            if (!same(a / b, found[k])) {
                fail_msg("%a by %a is %a, not %a, with estimates that are off by %d", (double)a,
                         (double)b, (double)number_of(found[k]), (double)(a / b), off[i]);
            }
            const float limited = shader_op_compute(SHADER_OP_DIV, (const float[]){a, b, 0, 0});
            if (!same(limited, found[2 * PAIRS + k])) {
                fail_msg("in a shader %a by %a is %a, not %a", (double)a, (double)b,
                         (double)number_of(found[2 * PAIRS + k]), (double)limited);
            }
            /* Numbers below 0 have no root that anybody asks for. */
            if (i < ROOTS && !signbit(a) && !same(sqrtf(a), found[PAIRS + k])) {
                fail_msg("the root of %a is %a, not %a, with estimates that are off by %d",
                         (double)a, (double)number_of(found[PAIRS + k]), (double)sqrtf(a), off[i]);
            }
        }
    }
}

/* Fills in pairs and compares. */
static void try_pairs(struct room *room, size_t times,
                      void (*fill)(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b))
{
    if (room->device == NULL) {
        skip();
    }
    uint32_t *given = gpu_memory_words(room->inputs);
    for (size_t i = 0; i < times; i++) {
        for (size_t pair = 0; pair < PAIRS; pair++) {
            fill(&room->rng, i * PAIRS + pair, &given[pair], &given[PAIRS + pair]);
        }
        compare(room);
    }
}

static size_t more_times(void)
{
    const char *times = getenv("FROTH_QUOTIENTS");
    return times != NULL ? (size_t)atoi(times) : 1;
}

/* ---- pairs ---- */

#define SIGN 0x80000000u
enum { EXPONENT = 0x7f800000, MANTISSA = 0x007fffff, HIDDEN = 0x00800000 };

/* All pairs of numbers whose exponent and mantissa are at an end or in the middle. */
static void fill_special(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b)
{
    static const uint32_t exponents[] = {0, 1, 2, 94, 95, 126, 127, 128, 158, 159, 253, 254, 255};
    static const uint32_t mantissas[] = {0, 1, 2, 0x400000, 0x3fffff, 0x555555, 0x7ffffe, 0x7fffff};
    enum { EXPONENTS = sizeof exponents / sizeof *exponents };
    enum { MANTISSAS = sizeof mantissas / sizeof *mantissas, KINDS = 2 * EXPONENTS * MANTISSAS };
    uint32_t *const of[] = {a, b};
    (void)rng;
    for (size_t i = 0; i < 2; i++) {
        const size_t kind = (i == 0 ? pair : pair / KINDS) % KINDS;
        *of[i] = exponents[kind / MANTISSAS % EXPONENTS] << 23 | mantissas[kind % MANTISSAS] |
                 (kind >= KINDS / 2 ? SIGN : 0u);
    }
}

static void fill_any(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b)
{
    (void)pair;
    *a = base_rng_next(rng);
    *b = base_rng_next(rng);
}

static void fill_near_one(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b)
{
    const uint32_t bits = base_rng_next(rng);
    (void)pair;
    *a = (bits & MANTISSA) | (120 + (bits >> 24) % 16) << 23;
    *b = (base_rng_next(rng) & MANTISSA) | (120 + (bits >> 28)) << 23;
}

/* Quotients about where numbers become denormal, 0 or infinite; every fourth dividend and every
 * eighth divisor is denormal, and some have so few bits that quotients are halfway. */
static void fill_far(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b)
{
    const uint32_t bits = base_rng_next(rng);
    const uint32_t few = pair % 3 == 0 ? UINT32_C(0x807c0000) : SIGN | MANTISSA;
    const int difference =
        bits % 2 == 0 ? 125 + (int)(bits >> 1) % 5 : -123 - (int)(bits >> 1) % 30;
    const int least = difference > 0 ? 1 : 1 - difference;
    const int most = difference > 0 ? 254 - difference : 254;
    const int divisor = least + (int)(bits >> 8) % (most - least + 1);
    const int dividend = divisor + difference;
    *a = (base_rng_next(rng) & few) | (pair % 4 == 1 ? 0u : (uint32_t)dividend << 23);
    *b = (base_rng_next(rng) & few) | (pair % 8 == 2 ? 0u : (uint32_t)divisor << 23);
}

/* With a * 2^25 = q * b + r, q odd and of 25 bits, a by b is as far from the middle of two numbers
 * as r is from 0. */
static void fill_nearly_halfway(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b)
{
    enum { TRIES = 100 };
    (void)pair;
    for (int i = 0; i < TRIES; i++) {
        const uint32_t divisor = (base_rng_next(rng) & MANTISSA) | HIDDEN | 1;
        const uint32_t rest = base_rng_next(rng) % 8 * 2 - 7;
        uint32_t inverse = divisor;
        for (int k = 0; k < 4; k++) {
            inverse *= 2 - divisor * inverse;
        }
        const uint64_t quotient = ((0 - rest) * inverse & (2 * HIDDEN - 1)) | 2 * HIDDEN;
        const uint64_t product = quotient * divisor + (uint64_t)(int64_t)(int32_t)rest;
        const uint32_t bits = (uint32_t)(product >> 24);
        *a = (bits >= 2 * HIDDEN ? bits / 2 : bits) % HIDDEN | UINT32_C(127) << 23;
        *b = (divisor & MANTISSA) | UINT32_C(127) << 23;
        if (product % (bits >= 2 * HIDDEN ? 4 * HIDDEN : 2 * HIDDEN) == 0) {
            return;
        }
    }
}

/* Squares of numbers in the middle of two, rounded down or up. */
static void fill_nearly_square(struct base_rng *rng, size_t pair, uint32_t *a, uint32_t *b)
{
    const uint32_t bits = base_rng_next(rng);
    const uint64_t root = (uint64_t)(bits & MANTISSA) * 2 + 2 * HIDDEN + 1;
    const double square = (double)root * (double)root;
    *a = gpu_bits((float)square) + (uint32_t)(pair % 3) - 1;
    *b = gpu_bits((float)root);
}

static void test_special(void **state)
{
    try_pairs(*state, 1, fill_special);
}

static void test_any(void **state)
{
    try_pairs(*state, 4 * more_times(), fill_any);
}

static void test_near_one(void **state)
{
    try_pairs(*state, 16 * more_times(), fill_near_one);
}

static void test_far(void **state)
{
    try_pairs(*state, 8 * more_times(), fill_far);
}

static void test_nearly_halfway(void **state)
{
    try_pairs(*state, 4 * more_times(), fill_nearly_halfway);
}

static void test_nearly_square(void **state)
{
    try_pairs(*state, 4 * more_times(), fill_nearly_square);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special),        cmocka_unit_test(test_any),
        cmocka_unit_test(test_near_one),       cmocka_unit_test(test_far),
        cmocka_unit_test(test_nearly_halfway), cmocka_unit_test(test_nearly_square),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
