/* How exact the functions are that the coprocessor makes of several operations. */
#include <math.h>
#include <stdio.h>

#include "app/json.h"
#include "app/lab.h"
#include "pfpu/alu.h"
#include "pfpu/expand.h"
#include "pfpu/word_lanes.h"

/* Every 4th mantissa of two octaves. */
enum { SAMPLES = 1 << 22, STEP = 4, BATCH = 4096, FIRST_WORD = 0x3f800000 };

struct function {
    const char *name;
    int32_t (*one)(struct pfpu_builder *builder, int32_t x);
    int32_t (*two)(struct pfpu_builder *builder, int32_t a, int32_t b); /* 3 / x */
    double (*exact)(double x);
    double published; /* the thesis' largest relative error; 0: none */
    bool plain;
};

static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

static double three_over(double x)
{
    return 3 / x;
}

static const struct function functions[] = {
    {"invsqrt, thesis' form", pfpu_expand_thesis_invsqrt, NULL, inverse_root, 4.66e-6, true},
    {"invsqrt", pfpu_expand_invsqrt, NULL, inverse_root, 4.66e-6, false},
    {"sqrt, thesis' form", pfpu_expand_thesis_sqrt, NULL, sqrt, 0, true},
    {"sqrt", pfpu_expand_sqrt, NULL, sqrt, 0, false},
    {"division, thesis' form", NULL, pfpu_expand_thesis_divide, three_over, 9.32e-6, true},
    {"division", NULL, pfpu_expand_divide, three_over, 9.32e-6, false},
};

struct bench {
    struct pfpu_ir ir;
    struct pfpu_builder builder;
    int32_t key;
    unsigned operations;
};

static void make_program(struct bench *bench, const struct function *function,
                         struct base_arena *arena)
{
    struct pfpu_builder *builder = &bench->builder;
    pfpu_builder_init(builder, &bench->ir, function->plain, arena, arena);
    bench->key = pfpu_key_of_variable(0);
    const int32_t x = pfpu_build_get(builder, bench->key);
    const int32_t three = pfpu_build_number(builder, 3.0);
    const int32_t value =
        function->one != NULL ? function->one(builder, x) : function->two(builder, three, x);
    for (size_t i = 0; i < bench->ir.count; i++) {
        bench->operations += pfpu_ops[bench->ir.instructions[i].op].kind == PFPU_OP_KIND_WORD;
    }
    (void)pfpu_build2(builder, PFPU_OP_WORD_VECTOUT, value, value);
}

/* The largest relative error; negative without memory. */
static double measure(const struct function *function, struct bench *bench,
                      struct base_arena *arena)
{
    const size_t keys = pfpu_ir_key_count(&bench->ir);
    struct pfpu_word_lanes *lanes = pfpu_word_lanes_for_files(&bench->ir, base_cpu_best(), arena);
    uint32_t *files = base_arena_array(arena, BATCH * keys, sizeof *files);
    uint32_t *out = base_arena_array(arena, BATCH * 2, sizeof *out);
    double worst = 0;
    if (lanes == NULL || files == NULL || out == NULL || bench->builder.failed) {
        return -1;
    }
    for (uint32_t start = 0; start < SAMPLES; start += BATCH) {
        for (uint32_t i = 0; i < BATCH; i++) {
            files[i * keys + pfpu_ir_key_index(&bench->ir, bench->key)] =
                FIRST_WORD + (start + i) * STEP;
        }
        pfpu_word_lanes_run_files(lanes, files, BATCH, out);
        for (uint32_t i = 0; i < BATCH; i++) {
            const double exact =
                function->exact(pfpu_number_of_word(FIRST_WORD + (start + i) * STEP));
            worst = fmax(worst, fabs(pfpu_number_of_word(out[2 * i]) / exact - 1));
        }
    }
    return worst;
}

static void print(const struct function *function, const struct bench *bench, double worst,
                  bool json)
{
    if (!json) {
        (void)printf("%-24s %2u operations, error up to %.2e", function->name, bench->operations,
                     worst);
        (void)printf(function->published > 0 ? ", the thesis has %.2e\n" : "\n",
                     function->published);
        return;
    }
    (void)fputs("{\"function\":", stdout);
    app_json_string(stdout, function->name);
    (void)printf(",\"operations\":%u,\"error\":%.3e}\n", bench->operations, worst);
}

int app_lab_accuracy(const struct app_options *options)
{
    if (options->input_count != 1) {
        return app_lab_refuse_usage(options, "it takes no file");
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct base_arena arena = {0};
        struct bench bench = {.operations = 0};
        make_program(&bench, &functions[i], &arena);
        const double worst = measure(&functions[i], &bench, &arena);
        base_arena_free(&arena);
        if (worst < 0) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                        "not enough memory");
            return APP_EXIT_FAILED;
        }
        print(&functions[i], &bench, worst, options->json);
    }
    return APP_EXIT_DONE;
}
