/* Programs in lanes leave the bits that they leave one by one. */
#include "test_pfpu_lanes.h"

#include "base/os/print.h"
#include "pfpu/host/lanes_code.h"
#include "pfpu/ir/ops.h"
#include "pfpu/language/lex.h"

/* ---- kernels ---- */

enum { NUMBERS = 64 };

struct operands {
    double numbers[3][NUMBERS];
    double spread[3][PFPU_LANES_WIDTH];
};

static void fill_operands(struct operands *operands, struct base_rng *rng)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < NUMBERS; i++) {
            operands->numbers[k][i] = any_number(rng);
        }
        for (int i = 0; i < PFPU_LANES_WIDTH; i++) {
            operands->spread[k][i] = operands->numbers[k][0];
        }
    }
}

/* shared: bits of operands that are the same in all lanes; place: of the result, 0: apart, else
 * over operand place - 1. */
static void check_kernel(enum base_cpu_level level, int32_t code, const struct operands *operands,
                         unsigned shared, int place)
{
    struct operands copy = *operands;
    double apart[NUMBERS];
    double *dst = place == 0 ? apart : copy.numbers[place - 1];
    struct pfpu_lanes_operand at[3];
    for (int k = 0; k < 3; k++) {
        const bool one = (shared >> k & 1) != 0;
        at[k] = one ? (struct pfpu_lanes_operand){copy.spread[k], 0}
                    : (struct pfpu_lanes_operand){copy.numbers[k], 1};
    }
    pfpu_lanes_kernel_for(level, code)(dst, at, NUMBERS);
    for (int i = 0; i < NUMBERS; i++) {
        double v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = operands->numbers[k][(shared >> k & 1) != 0 ? 0 : i];
        }
        const enum pfpu_op op = (enum pfpu_op)(code / 2);
        const double value = pfpu_op_value(op, v[0], v[1], v[2]);
        const double expected = code % 2 != 0 ? pfpu_filtered(value) : value;
        if (!same_number(dst[i], expected)) {
            fail_msg("%s%s(%a, %a, %a): %a, not %a", pfpu_ops[op].text,
                     code % 2 != 0 ? " filtered" : "", v[0], v[1], v[2], dst[i], expected);
        }
    }
}

static void check_kernels(enum base_cpu_level level)
{
    static struct operands operands;
    struct base_rng rng;
    base_rng_seed(&rng, 3, 4);
    for (int round = 0; round < 40; round++) {
        fill_operands(&operands, &rng);
        for (int32_t code = 0; code < PFPU_LANES_KERNELS; code++) {
            if (pfpu_ops[code / 2].kind == PFPU_OP_KIND_PURE) {
                check_kernel(level, code, &operands, (unsigned)round % 8, round % 4);
            } else {
                assert_null(pfpu_lanes_kernel_for(level, code));
            }
        }
    }
}

static void check_edge_pairs(enum base_cpu_level level)
{
    static struct operands operands;
    for (size_t pair = 0; pair < EDGES * EDGES; pair += NUMBERS) {
        for (size_t i = 0; i < NUMBERS; i++) {
            operands.numbers[0][i] = edges[(pair + i) % EDGES];
            operands.numbers[1][i] = edges[(pair + i) / EDGES % EDGES];
            operands.numbers[2][i] = edges[(pair + 3 * i) % EDGES];
        }
        for (int32_t code = 0; code < PFPU_LANES_KERNELS; code++) {
            if (pfpu_ops[code / 2].kind == PFPU_OP_KIND_PURE) {
                check_kernel(level, code, &operands, 0, 0);
            }
        }
    }
}

static void test_kernels(void **state)
{
    (void)state;
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        check_kernels((enum base_cpu_level)level);
        check_edge_pairs((enum base_cpu_level)level);
    }
}

/* ---- programs ---- */

static const char *const inputs[] = {"x", "y", "s0", "s1", "z", NULL};
static const char *const outputs[] = {"x", "v", "a", "s1", "unused", "b", NULL};

/* s0 and s1 are the same for all items. */
static void declare_ports(struct ports *ports, struct pfpu_scope *scope, struct base_rng *rng)
{
    open_ports(ports);
    for (size_t i = 0; inputs[i] != NULL; i++) {
        add_input(ports, pfpu_scope_declare(scope, inputs[i]), inputs[i][0] != 's', rng);
    }
    for (size_t i = 0; outputs[i] != NULL; i++) {
        add_output(ports, pfpu_scope_declare(scope, outputs[i]));
    }
}

/* Compiles a text and compares both ways; tells how it runs in lanes. */
static struct pfpu_lanes_facts check_text(const char *text, struct base_rng *rng, int64_t budget)
{
    static struct ports ports;
    struct base_arena arena = {0};
    struct base_source_line lines[PATCH_LINES];
    const struct base_source source = {"test.milk", lines, patch_lines(text, lines)};
    struct pfpu_program *program = NULL;
    struct pfpu_scope *scope = pfpu_scope_create(&arena);
    struct pfpu_lanes_facts facts = {.one_by_one = true};
    if (pfpu_compile(&pfpu_target_host, scope, &source, &arena, &base_diag_stderr, &program) ==
        PFPU_OK) {
        declare_ports(&ports, scope, rng);
        const struct pfpu_lanes *lanes = pfpu_lanes_create(program, &ports.view, &arena);
        assert_non_null(lanes);
        facts = pfpu_lanes_facts(lanes);
        check_level(lanes, program, scope, &ports, BASE_CPU_PLAIN, budget);
        check_level(lanes, program, scope, &ports, base_cpu_best(), budget);
    }
    base_arena_free(&arena);
    return facts;
}

struct program_case {
    const char *text;
    bool one_by_one;
    size_t uniform;
    size_t lanes;
    size_t serial;
};

static const struct program_case program_cases[] = {
    {"a = x + y;", false, 0, 1, 0},
    {"a = s0 + s1; b = a * x;", false, 1, 1, 0},
    {"a = s0; s0 = x * 2;", false, 1, 1, 0},
    {"a = n; n = x * y;", false, 0, 2, 0},
    {"n = n + 1; a = sin(x) * cos(y) + sin(y) * n;", false, 0, 5, 1},
    {"n = n * 0.5 + 1; a = x + n; b = y - n;", false, 0, 2, 1},
    {"a = x * rand(10); b = rand(3) + y * x;", false, 0, 2, 2},
    {"a = if(above(x, 0), sin(y) * cos(y * 2), tan(y) * cos(y * 3));", false, 0, 12, 0},
    {"b = if(above(x, 0), exec2(v = sin(y * 2) * cos(x), v * 2), 7 + x);", false, 0, 9, 1},
    {"a = if(above(s0, 1), rand(100), sin(x) * cos(x) * sin(y)) + x + y;", false, 2, 8, 1},
    {"a = if(above(x, 1), rand(100), sin(x) * cos(x) * sin(y)) + x + y;", false, 0, 10, 1},
    {"a = gmegabuf(x * 4) + megabuf(y); b = gmem[s0] + x;", false, 1, 5, 0},
    {"gmem[x * 4] = y; a = sin(x) + cos(y) * 2 + y;", false, 0, 6, 1},
    {"megabuf(x * 4 + 100) = megabuf(y * 3) + 1; a = sin(x) + cos(y) * 2 + y;", false, 0, 6, 3},
    {"reg05 = x; a = reg06 * y;", false, 0, 2, 0},
    {"reg05 = reg05 * 0.9 + x; a = reg05 + y; b = a * x + a * y;", false, 0, 3, 1},
    {"t = above(1, t) * 2 + (1 - above(1, t)) * (t * 0.96); a = x + t; b = y * t * x;", false, 0, 3,
     5},
    {"loop(3, n = n + x); a = n;", true, 0, 0, 0},
    {"memset(4, x, 3); a = x;", true, 0, 0, 0},
    {"n = sin(n); m = m * 0.5;", true, 0, 0, 2},
    {"a = 1; b = a; v = s0;", false, 1, 0, 0},
};

static void test_programs(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < sizeof program_cases / sizeof *program_cases; i++) {
        const struct program_case *test = &program_cases[i];
        const struct pfpu_lanes_facts facts = check_text(test->text, &rng, 1000000);
        if (facts.one_by_one != test->one_by_one || facts.uniform != test->uniform ||
            facts.lanes != test->lanes || facts.serial != test->serial) {
            fail_msg("%s: %s, %zu uniform, %zu in lanes, %zu serial", test->text,
                     facts.one_by_one ? "one by one" : "in lanes", facts.uniform, facts.lanes,
                     facts.serial);
        }
    }
}

/* A budget that ends among the items. */
static void test_budget(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 2);
    (void)check_text("loop(3, n = n + x); a = n;", &rng, 100);
}

/* ---- random programs ---- */

enum { RANDOM_PROGRAMS = 120 };

struct author {
    struct base_rng rng;
    char text[6000];
    size_t size;
};

static unsigned pick(struct author *author, unsigned count)
{
    return base_rng_next(&author->rng) % count;
}

static void say(struct author *author, const char *text)
{
    const size_t size = strlen(text);
    if (author->size + size < sizeof author->text) {
        memcpy(author->text + author->size, text, size + 1);
        author->size += size;
    }
}

static const char *const names[] = {"x", "y", "z", "s0", "s1", "a", "b", "v", "n", "reg07"};

enum { NAMES = sizeof names / sizeof *names };

static void say_expression(struct author *author, int depth);

static void say_assignment(struct author *author, int depth)
{
    static const char *const signs[] = {"=", "=", "=", "+=", "*="};
    say(author, "(");
    if (pick(author, 16) == 0) {
        say(author, pick(author, 2) == 0 ? "gmegabuf(" : "megabuf(");
        say_expression(author, depth - 1);
        say(author, ")");
    } else {
        say(author, names[pick(author, NAMES)]);
    }
    say(author, signs[pick(author, 5)]);
    say_expression(author, depth - 1);
    say(author, ")");
}

static void say_call(struct author *author, int depth)
{
    for (;;) {
        const struct pfpu_function *function = &pfpu_functions[pick(author, PFPU_FUNCTION_COUNT)];
        const bool callable = function->name[0] >= 'a' && function->name[0] <= 'z';
        const bool loops = function->kind == PFPU_KIND_LOOP || function->kind == PFPU_KIND_WHILE ||
                           function->op == PFPU_OP_MEMORY_FILL ||
                           function->op == PFPU_OP_MEMORY_COPY;
        if (!callable || function->kind == PFPU_KIND_ASSIGN || loops ||
            (function->op == PFPU_OP_RAND && pick(author, 4) != 0)) {
            continue;
        }
        say(author, function->name);
        for (int i = 0; i < function->arity; i++) {
            say(author, i == 0 ? "(" : ",");
            say_expression(author, depth - 1);
        }
        say(author, ")");
        return;
    }
}

static void say_leaf(struct author *author)
{
    static const char *const numbers[] = {"0", "1", "2", "0.5", "3.7", "1e-9", "1e300", "7"};
    say(author, pick(author, 3) == 0 ? numbers[pick(author, 8)] : names[pick(author, NAMES)]);
}

static void say_expression(struct author *author, int depth)
{
    static const char *const signs[] = {"+", "-", "*", "/", "%", "|", "&", "&&", "||", "==", "<"};
    if (depth <= 0) {
        say_leaf(author);
        return;
    }
    const unsigned kind = pick(author, 10);
    if (kind == 0) {
        say_assignment(author, depth);
    } else if (kind < 3) {
        say_call(author, depth);
    } else if (kind < 5) {
        say(author, "if(");
        for (int i = 0; i < 3; i++) {
            say(author, i == 0 ? "" : ",");
            say_expression(author, depth - 1);
        }
        say(author, ")");
    } else {
        say(author, "(");
        say_expression(author, depth - 1);
        say(author, signs[pick(author, 11)]);
        say_expression(author, depth - 1);
        say(author, ")");
    }
}

static void test_random(void **state)
{
    (void)state;
    static struct author author;
    struct base_rng rng;
    size_t in_lanes = 0;
    base_rng_seed(&rng, 8, 9);
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        author = (struct author){.size = 0};
        base_rng_seed(&author.rng, seed, 4);
        const unsigned statements = 1 + pick(&author, 10);
        for (unsigned i = 0; i < statements; i++) {
            say_assignment(&author, 1 + (int)pick(&author, 5));
            say(&author, ";");
        }
        in_lanes += check_text(author.text, &rng, 1000000).one_by_one ? 0 : 1;
    }
    assert_true(in_lanes > RANDOM_PROGRAMS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
