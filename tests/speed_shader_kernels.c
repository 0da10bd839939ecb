/* Processor time of the shader executor's operations over a tile.
 *   speed_shader_kernels [plain|sse41|avx2|avx512]
 * Prints nanoseconds per call, the best of some runs: all arguments varied, only the first, and
 * that over one vector alone. */
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "renderer/shader/run/kernels.h"

enum { REGISTERS = 24, CALLS = 2000, RUNS = 15 };

static const char *const names[SHADER_CODE_COUNT] = {
#define SHADER_CODE(NAME, name, ...) name,
#include "renderer/shader/code/code.def"
};

struct registers {
    alignas(64) float lanes[REGISTERS][SHADER_TILE];
};

static double nanoseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* equal: as of struct shader_kernels. */
static double measure(const struct shader_kernels *kernels, int op, size_t equal,
                      struct registers *registers, size_t count)
{
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        const double start = nanoseconds_now();
        for (size_t call = 0; call < CALLS; call++) {
            const size_t first = call % 5;
            kernels->compute[op][equal](registers->lanes[8 + call % 16], registers->lanes[first],
                                        registers->lanes[first + 1], registers->lanes[first + 2],
                                        registers->lanes[first + 3], count);
        }
        const double time = (nanoseconds_now() - start) / CALLS;
        best = time < best ? time : best;
    }
    return best;
}

static const struct shader_kernels *kernels_named(const char *name)
{
    for (int level = 0; name != NULL && level < BASE_CPU_LEVEL_COUNT; level++) {
        const enum base_cpu_level cpu = (enum base_cpu_level)level;
        if (strcmp(base_cpu_level_name(cpu), name) == 0 && cpu <= base_cpu_best()) {
            return shader_kernels_for(cpu);
        }
    }
    return shader_kernels_for(base_cpu_best());
}

int main(int argc, char **argv)
{
    static struct registers registers;
    const struct shader_kernels *kernels = kernels_named(argc > 1 ? argv[1] : NULL);
    struct base_rng rng;
    base_rng_seed(&rng, 1, 2);
    for (size_t i = 0; i < REGISTERS * (size_t)SHADER_TILE; i++) {
        registers.lanes[i / SHADER_TILE][i % SHADER_TILE] =
            (float)((double)base_rng_next(&rng) / 2147483648.0 - 1.0);
    }
    printf("%-10s %8s %8s %8s\n", "ns", "varied", "equal", "vector");
    for (int op = 0; op < SHADER_CODE_COUNT; op++) {
        if (kernels->compute[op][0] != NULL) {
            printf("%-10s %8.1f %8.1f %8.1f\n", names[op],
                   measure(kernels, op, 0, &registers, SHADER_TILE),
                   measure(kernels, op, 6, &registers, SHADER_TILE),
                   measure(kernels, op, 6, &registers, SHADER_LANES));
        }
    }
    return 0;
}
