/* What a device has to show before stages run on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "gpu/proof/doubles.h"
#include "gpu/kernel.h"
#include "gpu/proof/prove.h"
#include "gpu/proof/numbers.h"
#include "gpu/spirv/equations/operation.h"
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/shader.h"

/* A quad of inputs for each place; all numbers that a device might treat in its own way. */
enum {
    COLUMNS = GPU_NUMBERS_COLUMNS,
    ROWS = GPU_NUMBERS_ROWS,
    CASES = GPU_NUMBERS,
    GIVEN = 3,
    COLOURS = 3
};

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x40000000, 0x3f7fffff,
    0x3f800001, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7f7fffff, 0xff7fffff,
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x00400000,
    0x4b000000, 0x4b7fffff, 0x4b800000, 0xcb000001, 0x4affffff, 0x3fc00000, 0x40200000, 0xc0200000,
    0x40490fdb, 0x3fc90fdb, 0xc0490fdb, 0x42fe0000, 0xc2fe0000, 0x43000000, 0x7e800000, 0x01000000,
    0x3f3504f3, 0x3f3504f4, 0x4f000000, 0xcf000000, 0x4f800000, 0x34000000, 0x33800000, 0x5f000000,
};

struct trial {
    struct gpu_device *device;
    struct gpu_numbers *numbers;
    float given[GIVEN][CASES];
    size_t compared;
    bool stuck; /* something did not run */
};

static void fill_given(struct trial *trial)
{
    enum { SPECIAL = sizeof special / sizeof *special };
    struct base_rng rng;
    base_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < CASES; i++) {
        for (size_t k = 0; k < GIVEN; k++) {
            uint32_t bits = (uint32_t)base_rng_next(&rng);
            if (i < (size_t)SPECIAL * SPECIAL && k < 2) {
                bits = special[k == 0 ? i / SPECIAL : i % SPECIAL];
            } else if (i % 2 == 0) {
                /* Near 1, where most numbers of shaders are. */
                bits = (bits & UINT32_C(0x807fffff)) | (120 + (bits >> 23) % 16) << 23;
            }
            memcpy(&trial->given[k][i], &bits, sizeof bits);
        }
    }
}

static void put_aside(struct trial *trial)
{
    gpu_numbers_free(trial->numbers);
    trial->numbers = NULL;
}

/* Inputs are the given numbers in turns. */
static const float *run(struct trial *trial, const struct shader_ir *ir, const float *uniforms,
                        const struct shader_texture *const *textures)
{
    const float *inputs[SHADER_INPUTS];
    for (int i = 0; i < SHADER_INPUTS; i++) {
        inputs[i] = trial->given[i % GIVEN];
    }
    trial->numbers = gpu_numbers_create(trial->device, ir, textures);
    return trial->numbers != NULL ? gpu_numbers_run(trial->numbers, inputs, uniforms) : NULL;
}

/* What is not a number is that in any bits. */
static bool same(float a, float b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

/* ---- operations ---- */

enum { FIRST = SHADER_OP_ADD, LAST = SHADER_OP_CHOOSE, LIST = 64 };

struct list {
    struct shader_instruction of[LIST];
    size_t count;
};

static shader_value append(struct list *list, enum shader_op op, shader_value a, shader_value b,
                           shader_value c)
{
    struct shader_instruction *one = &list->of[list->count];
    *one = shader_ir_blank(op);
    one->argument[0] = a;
    one->argument[1] = b;
    one->argument[2] = c;
    return (shader_value)list->count++;
}

static shader_value append_constant(struct list *list, float number)
{
    const shader_value value =
        append(list, SHADER_OP_CONST, SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE);
    list->of[value].number = number;
    list->of[value].uniform = true;
    return value;
}

static shader_value append_input(struct list *list, enum shader_input input)
{
    const shader_value value =
        append(list, SHADER_OP_INPUT, SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE);
    list->of[value].index = (uint16_t)input;
    return value;
}

/* An operation of the inputs, or of comparisons of them, as a number. */
static shader_value append_operation(struct list *list, enum shader_op op,
                                     const shader_value given[GIVEN], const shader_value truth[3])
{
    shader_value argument[GIVEN] = {SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE};
    for (size_t k = 0; k < shader_op_arity(op); k++) {
        argument[k] = shader_ops[op].arguments[k] == 'B' ? truth[k] : given[k];
    }
    const shader_value result = append(list, op, argument[0], argument[1], argument[2]);
    return shader_ops[op].result == SHADER_KIND_B ? append(list, SHADER_OP_SELECT, result, 0, 1)
                                                  : result;
}

static bool prove_operations(struct trial *trial, unsigned first, char *what, size_t size)
{
    struct list list = {.count = 0};
    struct shader_ir ir = {.list = list.of};
    (void)append_constant(&list, 1.0f);
    (void)append_constant(&list, 0.0f);
    const shader_value given[GIVEN] = {append_input(&list, 0), append_input(&list, 1),
                                       append_input(&list, 2)};
    const shader_value truth[3] = {
        append(&list, SHADER_OP_LT, given[0], given[1], SHADER_NO_VALUE),
        append(&list, SHADER_OP_LT, given[1], given[2], SHADER_NO_VALUE),
        append(&list, SHADER_OP_LT, given[2], given[0], SHADER_NO_VALUE)};
    for (unsigned k = 0; k < COLOURS; k++) {
        const unsigned op = first + k <= LAST ? first + k : LAST;
        ir.ret[k] = append_operation(&list, op, given, truth);
    }
    ir.count = list.count;
    const float uniforms[SHADER_SLOTS] = {0.0f};
    const struct shader_texture *const none[SHADER_TEXTURES_MAX] = {NULL};
    const float *result = run(trial, &ir, uniforms, none);
    if (result == NULL) {
        trial->stuck = true;
        snprintf(what, size, "it does not run %s", shader_ops[first].name);
        return false;
    }
    for (size_t i = 0; i < CASES; i++) {
        const float a = trial->given[0][i];
        const float b = trial->given[1][i];
        const float c = trial->given[2][i];
        const float truths[3] = {a < b ? 1.0f : 0.0f, b < c ? 1.0f : 0.0f, c < a ? 1.0f : 0.0f};
        for (unsigned k = 0; k < COLOURS; k++) {
            const unsigned op = first + k <= LAST ? first + k : LAST;
            float argument[SHADER_ARGUMENTS] = {a, b, c, 0.0f};
            for (size_t n = 0; n < shader_op_arity(op); n++) {
                argument[n] = shader_ops[op].arguments[n] == 'B' ? truths[n] : argument[n];
            }
            const float expected = shader_op_compute(op, argument);
            if (!same(expected, result[i * COLOURS + k])) {
                snprintf(what, size, "%s of %a, %a, %a is %a, not %a", shader_ops[op].name,
                         (double)argument[0], (double)argument[1], (double)argument[2],
                         (double)result[i * COLOURS + k], (double)expected);
                return false;
            }
            trial->compared++;
        }
    }
    return true;
}

/* ---- reads ---- */

/* All kinds of reads, of textures with levels, each repeated and clamped, linear and nearest. */
static const char *const reads[] = {
    "tex2D(sampler_%s_noise_hq, uv * 1.7 - 0.4)",
    "tex2Dbias(sampler_%s_noise_mq, float4(uv.yx * 1.7 - 0.4, 0, uv.y * 2))",
    "tex2Dlod(sampler_%s_noise_hq, float4(uv * 3 - 1, 0, uv.x * 5 - 1))",
    "tex3D(sampler_%s_noisevol_hq, float3(uv * 7, uv.x + 0.3))",
    "tex3Dbias(sampler_%s_noisevol_lq, float4(uv.yx * 1.1, 0.37, uv.y * 2))",
    "tex3Dlod(sampler_%s_noisevol_hq, float4(uv * 1.1 - 0.1, uv.y - 0.3, uv.x * 5 - 1))",
};
static const char *const ways[] = {"fw", "fc", "pw", "pc"};

/* What else reads come with. */
static const char *const texts[] = {
    "shader_body { ret = tex2D(sampler_fc_noise_mq, uv * float2(0.03, 9) ).xyz; }",
    "shader_body { ret = tex2D(sampler_pw_noise_hq, uv.yx * 0.01).yzx; }",
    "shader_body { ret = tex2D(sampler_noise_lite, float2(0.3, 0.7)).zyx * uv.x; }",
    "shader_body { ret = tex2D(sampler_missing, uv).xyz + texsize_noise_lq.zwx * uv.y; }",
    ("shader_body { ret = tex2D(sampler_noise_lq, tex2D(sampler_noise_hq, uv).xy + uv).xyz * "
     "(uv.x > 0.3 ? sin(uv.y * 40) : pow(uv.x, 3)); if (uv.y > 0.5) ret = ret / uv.x; }"),
};

static bool prove_text(struct trial *trial, const char *text, const struct shader_noises *noises,
                       char *what, size_t size)
{
    const struct base_source_line line = {{text, strlen(text)}, 1, 1};
    const struct base_source source = {.file = "proof", .lines = &line, .count = 1};
    struct shader_program *program = shader_compile(SHADER_COMP, &source, NULL);
    if (program == NULL) {
        snprintf(what, size, "a shader does not compile");
        return false;
    }
    const struct shader_ir *ir = shader_list(program);
    const struct shader_texture *textures[SHADER_TEXTURES_MAX] = {NULL};
    for (size_t i = 0; i < ir->binding_count; i++) {
        textures[i] = shader_noises_find(noises, ir->bindings[i].name);
    }
    const float uniforms[SHADER_SLOTS] = {0.0f};
    const float *result = run(trial, ir, uniforms, textures);
    bool good = result != NULL;
    trial->stuck = !good;
    for (size_t quad = 0; quad < CASES / 4 && good; quad++) {
        const size_t first = quad / (COLUMNS / 2) * 2 * COLUMNS + quad % (COLUMNS / 2) * 2;
        struct shader_reference reference = {.uniforms = uniforms, .textures = textures};
        for (int input = 0; input < SHADER_INPUTS; input++) {
            for (size_t k = 0; k < 4; k++) {
                reference.input[input][k] =
                    trial->given[input % GIVEN][first + k % 2 + k / 2 * COLUMNS];
            }
        }
        good = shader_reference_run(ir, &reference);
        for (size_t k = 0; k < 4; k++) {
            for (size_t c = 0; c < COLOURS && good; c++) {
                good = same(reference.ret[c][k],
                            result[(first + k % 2 + k / 2 * COLUMNS) * COLOURS + c]);
                trial->compared++;
            }
        }
    }
    if (!good) {
        snprintf(what, size, trial->stuck ? "it does not run '%s'" : "'%s' differs", text);
    }
    put_aside(trial);
    shader_free(program);
    return good;
}

/* Coordinates as pixels have them, some of them far out, and in two rows those that are none. */
static void fill_places(struct trial *trial)
{
    enum { SPECIAL = sizeof special / sizeof *special, NONE = ROWS - 6 };
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            const int i = y * COLUMNS + x;
            const float far = y > ROWS - 4 ? 1e4f : 1.0f;
            trial->given[0][i] = ((float)x + 0.5f) / COLUMNS * far;
            trial->given[1][i] = ((float)y + 0.5f) / ROWS * far - (far - 1.0f);
            if (y / 2 == NONE / 2) {
                memcpy(&trial->given[0][i], &special[x % SPECIAL], sizeof(float));
                memcpy(&trial->given[1][i], &special[(7 * x + y) % SPECIAL], sizeof(float));
            }
        }
    }
}

static bool prove_reads(struct trial *trial, const struct shader_noises *noises, char *what,
                        size_t size)
{
    enum {
        READS = sizeof reads / sizeof *reads,
        WAYS = sizeof ways / sizeof *ways,
        TEXTS = sizeof texts / sizeof *texts,
    };
    bool good = true;
    for (size_t i = 0; i < READS * WAYS && good; i++) {
        char read[96];
        char text[128];
        snprintf(read, sizeof read, reads[i / WAYS], ways[i % WAYS]);
        snprintf(text, sizeof text, "shader_body { ret = %s.xyz; }", read);
        good = prove_text(trial, text, noises, what, size);
    }
    for (size_t i = 0; i < TEXTS && good; i++) {
        good = prove_text(trial, texts[i], noises, what, size);
    }
    return good;
}

/* ---- operations of equations ---- */

enum { DOUBLES = 4096 };

struct doubles {
    double given[DOUBLES][GPU_GIVEN];
    double results[DOUBLES];
};

static bool prove_equation(struct trial *trial, struct doubles *doubles, enum pfpu_op op,
                           char *what, size_t size)
{
    const struct gpu_double_function function = {.op = op};
    if (!gpu_doubles_run(trial->device, &function, (const double(*)[GPU_GIVEN])doubles->given,
                         DOUBLES, doubles->results)) {
        trial->stuck = gpu_lost(trial->device);
        snprintf(what, size, "it does not run %s of 64 bits", pfpu_ops[op].text);
        return false;
    }
    for (size_t i = 0; i < DOUBLES; i++) {
        const double *given = doubles->given[i];
        const double found = doubles->results[i];
        const double expected = pfpu_op_value(op, given[0], given[1], given[2]);
        if (!(expected != expected && found != found) &&
            memcmp(&expected, &found, sizeof found) != 0) {
            snprintf(what, size, "%s of 64 bits, of %a, %a, %a is %a, not %a", pfpu_ops[op].text,
                     given[0], given[1], given[2], found, expected);
            return false;
        }
        trial->compared++;
    }
    return true;
}

/* A device without such floats, or with others, leaves the equations to the processor. */
static bool prove_equations(struct trial *trial, char *what, size_t size)
{
    struct doubles *doubles = gpu_controls(trial->device).doubles ? malloc(sizeof *doubles) : NULL;
    bool good = doubles != NULL;
    if (good) {
        gpu_doubles_fill(doubles->given, DOUBLES);
    }
    for (int op = 0; op < PFPU_OP_COUNT && good; op++) {
        good = !spirv_knows_operation((enum pfpu_op)op) ||
               prove_equation(trial, doubles, (enum pfpu_op)op, what, size);
    }
    free(doubles);
    return good;
}

struct gpu_proof gpu_prove(const char *key, char *what, size_t size)
{
    struct gpu_proof proof = {.unsure = true};
    struct trial *trial = calloc(1, sizeof *trial);
    struct shader_noises noises;
    snprintf(what, size, "it cannot be opened");
    if (trial == NULL || shader_noises_create(&noises) != 0) {
        free(trial);
        return proof;
    }
    trial->device = gpu_open(key);
    bool good = trial->device != NULL;
    fill_given(trial);
    for (unsigned op = FIRST; op <= LAST && good; op += COLOURS) {
        good = prove_operations(trial, op, what, size);
        put_aside(trial);
    }
    fill_places(trial);
    good = good && prove_reads(trial, &noises, what, size);
    if (good) {
        proof.doubles = prove_equations(trial, what, size);
        good = !trial->stuck;
    }
    proof.numbers = good ? trial->compared : 0;
    proof.unsure = trial->device == NULL || trial->stuck;
    gpu_close(trial->device);
    shader_noises_free(&noises);
    free(trial);
    return proof;
}
