#include "test_pfpu.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "pfpu/ir/arith.h"
#include "pfpu/language/parse.h"
#include "pfpu/language/scope.h"

/* Random patches, run once by the compiled program and once by walking the syntax tree, which is
 * the plain meaning of the language. Both must leave the same bits behind. */

enum { CASES = 6000, NAMES = 8, CELLS = 512, TEMPORARIES = 4096 };

static const char *const names[NAMES] = {"a", "b", "c", "d", "e", "reg00", "reg01", "turn"};

/* ---- writing patches ---- */

struct author {
    struct base_rng rng;
    char text[16000];
    size_t size;
    bool looping;
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

static void say_expression(struct author *author, int depth);

static void say_leaf(struct author *author)
{
    static const char *const numbers[] = {"0",     "1",   "2",      "0.5",     "3.7", "1e-9",
                                          "1e300", "$PI", "100000", "0.00001", "7",   "1e-300"};
    say(author, pick(author, 3) == 0 ? numbers[pick(author, 12)] : names[pick(author, NAMES - 1)]);
}

static void say_memory(struct author *author, int depth)
{
    const bool global = pick(author, 2) == 0;
    say(author, global ? "gmem[(" : "megabuf((");
    say_expression(author, depth - 1);
    say(author, pick(author, 8) == 0 ? ")" : ")%16");
    say(author, global ? "]" : ")");
}

static void say_chosen_place(struct author *author, int depth)
{
    static const char *const heads[] = {"if(", "min(", "max("};
    const unsigned which = pick(author, 3);
    say(author, heads[which]);
    if (which == 0) {
        say_expression(author, depth - 1);
        say(author, ",");
    }
    if (pick(author, 2) == 0) {
        say_memory(author, depth - 1);
    } else {
        say_leaf(author);
    }
    say(author, ",");
    if (depth > 2 && pick(author, 3) == 0) {
        say_chosen_place(author, depth - 1);
    } else {
        say(author, names[pick(author, NAMES - 1)]);
    }
    say(author, ")");
}

static void say_assignment(struct author *author, int depth)
{
    static const char *const signs[] = {
        "=", "=", "=", "=", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&="};
    const unsigned kind = pick(author, 8);
    say(author, "(");
    if (kind == 0) {
        say_memory(author, depth);
    } else if (kind == 1 && depth > 1) {
        say_chosen_place(author, depth);
    } else if (kind == 2 && depth > 1) {
        say_assignment(author, depth - 1);
    } else {
        say(author, names[pick(author, NAMES - 1)]);
    }
    say(author, signs[pick(author, 12)]);
    say_expression(author, depth - 1);
    say(author, ")");
}

static void say_loop(struct author *author, int depth)
{
    if (author->looping) {
        say_leaf(author);
        return;
    }
    author->looping = true;
    if (pick(author, 2) == 0) {
        say(author, "loop((");
        say_expression(author, depth - 2);
        say(author, ")%5,");
        say_expression(author, depth - 1);
        say(author, ";");
        say_assignment(author, depth - 1);
        say(author, ")");
    } else {
        say(author, "(turn=4;while(");
        say_assignment(author, depth - 1);
        say(author, ";turn=turn-1;");
        say_expression(author, depth - 2);
        say(author, "&&above(turn,0)))");
    }
    author->looping = false;
}

static void say_call(struct author *author, int depth)
{
    for (;;) {
        const struct pfpu_function *function = &pfpu_functions[pick(author, PFPU_FUNCTION_COUNT)];
        const bool callable =
            function->name[0] == '_' || (function->name[0] >= 'a' && function->name[0] <= 'z');
        if (!callable || function->kind == PFPU_KIND_LOOP || function->kind == PFPU_KIND_WHILE ||
            function->kind == PFPU_KIND_ASSIGN || function->op == PFPU_OP_MEMORY_FILL ||
            function->op == PFPU_OP_MEMORY_COPY) {
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

static void say_expression(struct author *author, int depth)
{
    static const char *const signs[] = {"+", "-", "*",  "/",  "+",  "-",  "*",  "%", "^",
                                        "|", "&", "&&", "||", "==", "!=", "<=", ">"};
    if (depth <= 0) {
        say_leaf(author);
        return;
    }
    switch (pick(author, 12)) {
    case 0:
        say_assignment(author, depth);
        break;
    case 1:
        say_memory(author, depth);
        break;
    case 2:
        say_loop(author, depth);
        break;
    case 3:
    case 4:
        say_call(author, depth);
        break;
    case 5:
        say(author, "(");
        say_expression(author, depth - 1);
        say(author, "?");
        say_expression(author, depth - 1);
        say(author, ":");
        say_expression(author, depth - 1);
        say(author, ")");
        break;
    case 6:
        say(author, pick(author, 2) == 0 ? "-" : "!");
        say_leaf(author);
        break;
    default:
        say(author, "(");
        say_expression(author, depth - 1);
        say(author, signs[pick(author, 17)]);
        say_expression(author, depth - 1);
        say(author, ")");
        break;
    }
}

static void write_patch(struct author *author, uint64_t seed)
{
    memset(author, 0, sizeof *author);
    base_rng_seed(&author->rng, seed, 3);
    const unsigned statements = 1 + pick(author, 6);
    for (unsigned i = 0; i < statements; i++) {
        say_assignment(author, 2 + (int)pick(author, 5));
        say(author, ";");
    }
}

/* ---- the reference ---- */

struct cell {
    int64_t index;
    double value;
};

struct walker {
    double variables[NAMES];
    struct cell memory[CELLS];
    size_t memory_count;
    struct cell global[CELLS];
    size_t global_count;
    double temporaries[TEMPORARIES];
    size_t temporary_count;
    bool outside[TEMPORARIES]; /* memory that is not there: what is written to it is gone */
    struct base_twister random;
    bool full; /* of its own small tables: the case does not count */
};

static double walk(struct walker *walker, struct pfpu_node *node);
static double *walk_place(struct walker *walker, struct pfpu_node *node);

static double *temporary(struct walker *walker, double value)
{
    walker->full = walker->full || walker->temporary_count + 1 >= TEMPORARIES;
    double *place = &walker->temporaries[walker->full ? 0 : walker->temporary_count++];
    *place = value;
    walker->outside[place - walker->temporaries] = false;
    return place;
}

static double *outside(struct walker *walker)
{
    double *place = temporary(walker, 0.0);
    walker->outside[place - walker->temporaries] = true;
    return place;
}

/* What an assignment that computes finds at its place. */
static double held(const struct walker *walker, const double *place)
{
    const ptrdiff_t at = place - walker->temporaries;
    return at >= 0 && at < TEMPORARIES && walker->outside[at] ? 0.0 : *place;
}

static double *variable(struct walker *walker, struct base_span name)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (base_span_equal_nocase(name, base_span_of(names[i]))) {
            return &walker->variables[i];
        }
    }
    fail_msg("name");
    return NULL;
}

static double *memory(struct walker *walker, bool global, double at)
{
    struct cell *cells = global ? walker->global : walker->memory;
    size_t *count = global ? &walker->global_count : &walker->memory_count;
    int64_t index = pfpu_integer(at + 0.00001);
    if (global) {
        index &= PFPU_GMEGABUF_CELLS - 1;
    } else if (index < 0 || index >= PFPU_MEGABUF_CELLS) {
        return outside(walker);
    }
    for (size_t i = 0; i < *count; i++) {
        if (cells[i].index == index) {
            return &cells[i].value;
        }
    }
    walker->full = walker->full || *count + 1 >= CELLS;
    struct cell *cell = &cells[walker->full ? 0 : (*count)++];
    *cell = (struct cell){index, 0.0};
    return &cell->value;
}

static double walk_loop(struct walker *walker, const struct pfpu_node *node)
{
    const double turns = walk(walker, node->arguments[0]);
    double value = 0.0;
    for (double i = 1.0; i <= turns; i++) {
        value = walk(walker, node->arguments[1]);
    }
    return value;
}

static double walk_while(struct walker *walker, const struct pfpu_node *node)
{
    double value = 0.0;
    do {
        value = walk(walker, node->arguments[0]);
    } while (fabs(value) >= 0.00001);
    return value;
}

static double walk_operation(struct walker *walker, const struct pfpu_node *node)
{
    double values[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < node->function->arity; i++) {
        values[i] = walk(walker, node->arguments[i]);
    }
    if (node->function->op == PFPU_OP_RAND) {
        const double most = floor(values[0]) >= 1.0 ? floor(values[0]) : 1.0;
        return base_twister_next(&walker->random) * most / 4294967295.0;
    }
    if (node->function->op == PFPU_OP_DMX_LOAD) {
        const int64_t number = pfpu_integer(values[0] + 0.00001);
        return number < 1 || number > PFPU_DMX_CHANNELS ? 0.0 : (uint8_t)(number * 37) / 255.0;
    }
    return pfpu_op_value(node->function->op, values[0], values[1], values[2]);
}

static double walk_call(struct walker *walker, struct pfpu_node *node)
{
    struct pfpu_node *const *arguments = node->arguments;
    double value = 0.0;
    switch (node->function->kind) {
    case PFPU_KIND_ASSIGN:
    case PFPU_KIND_MEMORY:
        return *walk_place(walker, node);
    case PFPU_KIND_IF:
        return walk(walker,
                    fabs(walk(walker, arguments[0])) >= 0.00001 ? arguments[1] : arguments[2]);
    case PFPU_KIND_AND:
        return pfpu_true(walk(walker, arguments[0])) && pfpu_true(walk(walker, arguments[1]));
    case PFPU_KIND_OR:
        return pfpu_true(walk(walker, arguments[0])) || pfpu_true(walk(walker, arguments[1]));
    case PFPU_KIND_LOOP:
        return walk_loop(walker, node);
    case PFPU_KIND_WHILE:
        return walk_while(walker, node);
    case PFPU_KIND_EXEC:
    case PFPU_KIND_VALUE:
        for (int i = 0; i < node->function->arity; i++) {
            value = walk(walker, arguments[i]);
        }
        return value;
    default:
        return walk_operation(walker, node);
    }
}

static double walk(struct walker *walker, struct pfpu_node *node)
{
    double value = 0.0;
    switch (node->kind) {
    case PFPU_NODE_NUMBER:
        return node->number;
    case PFPU_NODE_NAME:
        return *variable(walker, node->name);
    case PFPU_NODE_SEQUENCE:
        for (struct pfpu_node *part = node->first; part != NULL; part = part->next) {
            value = walk(walker, part);
        }
        return value;
    default:
        return walk_call(walker, node);
    }
}

static double *walk_assignment(struct walker *walker, const struct pfpu_node *node)
{
    double *place = walk_place(walker, node->arguments[0]);
    double value = walk(walker, node->arguments[1]);
    if (node->function->op != PFPU_OP_COPY) {
        value = pfpu_op_value(node->function->op, held(walker, place), value, 0.0);
    }
    *place = isfinite(value) && fabs(value) >= 2.2250738585072014e-308 ? value : 0.0;
    return place;
}

static double *walk_place(struct walker *walker, struct pfpu_node *node)
{
    struct pfpu_node *part = node->first;
    if (node->kind == PFPU_NODE_NAME) {
        return variable(walker, node->name);
    }
    if (node->kind == PFPU_NODE_SEQUENCE) {
        for (; part->next != NULL; part = part->next) {
            (void)walk(walker, part);
        }
        return walk_place(walker, part);
    }
    if (node->kind != PFPU_NODE_CALL) {
        return temporary(walker, walk(walker, node));
    }
    const struct pfpu_function *function = node->function;
    if (function->kind == PFPU_KIND_ASSIGN) {
        return walk_assignment(walker, node);
    }
    if (function->kind == PFPU_KIND_MEMORY) {
        const double at = walk(walker, node->arguments[0]);
        return memory(walker, function->op == PFPU_OP_GLOBAL_LOAD, at);
    }
    if (function->kind == PFPU_KIND_IF) {
        const bool yes = pfpu_true(walk(walker, node->arguments[0]));
        return walk_place(walker, node->arguments[yes ? 1 : 2]);
    }
    if (function->op == PFPU_OP_MIN || function->op == PFPU_OP_MAX) {
        double *one = walk_place(walker, node->arguments[0]);
        const double first = *one;
        double *other = walk_place(walker, node->arguments[1]);
        const double second = *other;
        const bool take = function->op == PFPU_OP_MIN ? first <= second : first >= second;
        return take ? one : other;
    }
    return temporary(walker, walk(walker, node));
}

/* ---- comparison ---- */

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static double compiled_variable(const struct patch *patch, size_t i)
{
    const int number = pfpu_register_number(base_span_of(names[i]));
    return number >= 0 ? patch->globals.registers[number] : patch_value(patch, names[i]);
}

static void compare(const struct patch *patch, const struct walker *walker, const char *text)
{
    for (size_t i = 0; i < NAMES; i++) {
        const double got = compiled_variable(patch, i);
        if (!same_bits(got, walker->variables[i])) {
            fail_msg("%s\n%s = %.17g, expected %.17g", text, names[i], got, walker->variables[i]);
        }
    }
    for (size_t i = 0; i < walker->global_count; i++) {
        const double got = patch->globals.gmegabuf[walker->global[i].index];
        if (!same_bits(got, walker->global[i].value)) {
            fail_msg("%s\ngmegabuf(%" PRId64 ") = %.17g, expected %.17g", text,
                     walker->global[i].index, got, walker->global[i].value);
        }
    }
    for (size_t i = 0; i < walker->memory_count; i++) {
        const int64_t index = walker->memory[i].index;
        const int16_t block = patch->instance.megabuf[index / PFPU_MEGABUF_BLOCK];
        const double got =
            block < 0
                ? 0.0
                : patch->globals.pool[block * PFPU_MEGABUF_BLOCK + index % PFPU_MEGABUF_BLOCK];
        if (!same_bits(got, walker->memory[i].value)) {
            fail_msg("%s\nmegabuf(%" PRId64 ") = %.17g, expected %.17g", text, index, got,
                     walker->memory[i].value);
        }
    }
    assert_memory_equal(&patch->globals.random, &walker->random, sizeof walker->random);
}

static void clear_globals(struct pfpu_globals *globals, const struct walker *walker)
{
    for (size_t i = 0; i < walker->global_count; i++) {
        globals->gmegabuf[walker->global[i].index] = 0.0;
    }
    memset(globals->pool, 0, globals->pool_used * PFPU_MEGABUF_BLOCK * sizeof *globals->pool);
    memset(globals->registers, 0, sizeof globals->registers);
    globals->pool_used = 0;
}

static void run_case(struct patch *patch, struct author *author, struct walker *walker)
{
    const struct base_source_line line = {{author->text, author->size}, 1, 1};
    const struct base_source source = {"random", &line, 1};
    struct base_arena scratch = {0};
    struct pfpu_complaint complaint = {0};
    struct pfpu_text text;
    const struct base_diag_sink sink = base_diag_list_sink(&patch->messages);
    patch->scope = pfpu_scope_create(&patch->arena);
    patch->status = pfpu_compile(&pfpu_target_host, patch->scope, &source, &patch->arena, &sink,
                                 &patch->program);
    if (patch->status != PFPU_OK) {
        fail_msg("%s\n%s", author->text, patch->messages.items[0].what);
    }
    for (size_t i = 0; i < NAMES; i++) {
        (void)pfpu_scope_declare(patch->scope, names[i]);
    }
    assert_int_equal(pfpu_instance_init(&patch->instance, patch->scope, &patch->arena), 0);
    assert_true(pfpu_text_join(&text, &source, '\0', &scratch));
    struct pfpu_node *tree = pfpu_parse(&text, &scratch, &complaint);
    assert_non_null(tree);
    for (int frame = 0; frame < 2 && !walker->full; frame++) {
        patch_run(patch);
        walker->temporary_count = 0;
        (void)walk(walker, tree);
        if (!walker->full) {
            compare(patch, walker, author->text);
        }
    }
    base_arena_free(&scratch);
}

static void test_random_patches(void **state)
{
    (void)state;
    static struct author author;
    static struct walker walker;
    static struct patch patch;
    size_t full = 0;
    static uint8_t dmx[PFPU_DMX_CHANNELS];
    assert_int_equal(pfpu_globals_init(&patch.globals, 0), 0);
    for (unsigned i = 0; i < PFPU_DMX_CHANNELS; i++) {
        dmx[i] = (uint8_t)((i + 1) * 37);
    }
    patch.globals.dmx = dmx;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        write_patch(&author, seed);
        memset(&walker, 0, sizeof walker);
        base_twister_seed(&walker.random, (uint32_t)seed);
        base_twister_seed(&patch.globals.random, (uint32_t)seed);
        patch.globals.budget = 1000000000;
        run_case(&patch, &author, &walker);
        clear_globals(&patch.globals, &walker);
        base_arena_free(&patch.arena);
        full += walker.full ? 1 : 0;
    }
    assert_true(full < CASES / 10);
    pfpu_globals_free(&patch.globals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_patches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
