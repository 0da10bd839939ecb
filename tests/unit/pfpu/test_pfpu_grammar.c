#include "test_pfpu.h"

#include <stdio.h>
#include <stdlib.h>

#include "pfpu/language/lex.h"
#include "pfpu/language/parse.h"

/* ---- groupings ---- */

struct drawing {
    char text[2000];
    size_t size;
};

static void put(struct drawing *drawing, const char *text, size_t size)
{
    assert_true(drawing->size + size < sizeof drawing->text);
    memcpy(drawing->text + drawing->size, text, size);
    drawing->size += size;
    drawing->text[drawing->size] = '\0';
}

/* Everything as a call in parentheses, so that the grouping shows. */
static void draw(struct drawing *drawing, const struct pfpu_node *node)
{
    char number[40];
    switch (node->kind) {
    case PFPU_NODE_NUMBER:
        (void)snprintf(number, sizeof number, "%.17g", node->number);
        put(drawing, number, strlen(number));
        return;
    case PFPU_NODE_NAME:
        put(drawing, node->name.data, node->name.size);
        return;
    case PFPU_NODE_SEQUENCE:
        put(drawing, "{", 1);
        for (const struct pfpu_node *part = node->first; part != NULL; part = part->next) {
            draw(drawing, part);
            put(drawing, ";", 1);
        }
        put(drawing, "}", 1);
        return;
    case PFPU_NODE_CALL:
        put(drawing, node->function->name, strlen(node->function->name));
        for (int i = 0; i < node->function->arity; i++) {
            put(drawing, i == 0 ? "(" : ",", 1);
            draw(drawing, node->arguments[i]);
        }
        put(drawing, ")", 1);
        return;
    }
}

static struct drawing parsed(const char *text)
{
    struct base_arena scratch = {0};
    struct pfpu_complaint complaint = {0};
    struct pfpu_text joined;
    struct drawing drawing = {.size = 0};
    const struct base_source_line line = {base_span_of(text), 1, 1};
    const struct base_source source = {"x", &line, 1};
    assert_true(pfpu_text_join(&joined, &source, '\0', &scratch));
    const struct pfpu_node *tree = pfpu_parse(&joined, &scratch, &complaint);
    if (tree == NULL) {
        fail_msg("'%s': %s", text, complaint.what);
    } else {
        draw(&drawing, tree);
    }
    base_arena_free(&scratch);
    return drawing;
}

/* spec/milk-expressions.md section 4: the table of groupings, then the table of levels. */
static const struct grouping {
    const char *text;
    const char *meaning;
} groupings[] = {
    {"a=2^3^2", "_set(a,pow(pow(2,3),2))"},
    {"a=b%c%d", "_set(a,_mod(_mod(b,c),d))"},
    {"a=b+1<c*2", "a=((b+1)<(c*2))"},
    {"a=b<c?d:e", "a=((b<c)?d:e)"},
    {"a=b?c:d?e:f", "a=(b?c:(d?e:f))"},
    {"a=b&c==d", "a=((b&c)==d)"},
    {"a=b=c", "a=(b=c)"},
    {"a=b+=c", "a=(b+=c)"},
    {"x=megabuf(3)=4", "x=(megabuf(3)=4)"},
    {"a=b--c", "a=(b-(-c))"},
    {"loop(3,a+=1;b-=2)", "loop(3,((a+=1);(b-=2)))"},
    {"a+b=c", "a+(b=c)"},
    {"-a=b", "-(a=b)"},
    {"!a=b", "!(a=b)"},
    {"c?a=1:b=2", "c?(a=1):(b=2)"},
    {"a?b:c=d", "a?b:(c=d)"},
    {"a=b?c=d:e", "a=(b?(c=d):e)"},
    {"a||b&&c", "(a||b)&&c"},
    {"a&&b||c&&d", "((a&&b)||c)&&d"},
    {"a<b<c", "a<(b<c)"},
    {"a==b!=c>=d", "a==(b!=(c>=d))"},
    {"a&&b==c", "a&&(b==c)"},
    {"a|b&c", "a|(b&c)"},
    {"a|b|c", "(a|b)|c"},
    {"a&b+c", "a&(b+c)"},
    {"a-b-c", "(a-b)-c"},
    {"a-b*c/d", "a-((b*c)/d)"},
    {"a*-b", "a*(-b)"},
    {"-b^2", "-(b^2)"},
    {"b*c%d", "b*(c%d)"},
    {"b^-c", "b^(-c)"},
    {"b^-c^d", "(b^(-c))^d"},
    {"b^!c", "b^(!c)"},
    {"a+-b^c", "a+(-(b^c))"},
    {"-a*b", "(-a)*b"},
    {"!b+c", "(!b)+c"},
    {"!b==c", "(!b)==c"},
    {"!-b", "!(-b)"},
    {"!b^c", "(!b)^c"},
    {"-!b", "-(!b)"},
    {"+a", "a"},
    {"a-+b", "a-b"},
    {"x[i]", "megabuf(x+i)"},
    {"x[]", "megabuf(x)"},
    {"gmem[i]", "gmegabuf(i)"},
    {"GMEM[i+1]=2", "gmegabuf(i+1)=2"},
    {"x[y[2]]", "megabuf(x+megabuf(y+2))"},
    {"x[1][2]", "megabuf(megabuf(x+1)+2)"},
    {"x[i]^2", "(x[i])^2"},
    {"x[a;b]", "megabuf(x+(a;b))"},
    {"(a;b;)", "(a;b)"},
    {"sin(;a;)", "sin(a)"},
    {"((a))", "a"},
    {"(a;;*b;c)", "(a*b;c)"},
    {"sin(a;b;/c+d)", "sin((a;b)/c+d)"},
    {";;a;;b;", "a;b"},
};

static void test_groupings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof groupings / sizeof groupings[0]; i++) {
        {
            const struct drawing one = parsed(groupings[i].text);
            const struct drawing other = parsed(groupings[i].meaning);
            assert_string_equal(one.text, other.text);
        }
    }
    assert_string_equal(parsed("a=-b^2<c").text, "_set(a,_below(-x(pow(b,2)),c))");
    assert_string_equal(parsed("a||b&&c").text, "_and(_or(a,b),c)");
    assert_string_equal(parsed("x=(a;b)").text, "_set(x,{a;b;})");
}

/* ---- messages ---- */

/* Lines start at line 10, column 5. */
static const struct complaint_case {
    const char *text;
    unsigned line;
    unsigned column;
    const char *what;
} complaints[] = {
    {"a=0.99l", 10, 7, "malformed number '0.99l'"},
    {"a=1;b=foo(2)", 10, 11, "unknown function 'foo'"},
    {"a=sin(1,2)", 10, 7, "'sin' takes 1 argument, 2 given"},
    {"a=pow(1)", 10, 7, "'pow' takes 2 arguments, 1 given"},
    {"a=sin()", 10, 7, "'sin' takes 1 argument, 0 given"},
    {"a=(1", 10, 9, "missing ')' for the '(' at column 7"},
    {"a=(1\n;b=2", 11, 9, "missing ')' for the '(' at line 10, column 7"},
    {"a=(1\n\n  // end", 10, 9, "missing ')' for the '(' at column 7"},
    {"a=x[1;", 10, 11, "missing ']' for the '[' at column 8"},
    {"a=(1]", 10, 9, "missing ')' for the '(' at column 7"},
    {"a=1)", 10, 8, "')' closes nothing"},
    {"a=sin", 10, 7, "function 'sin' without arguments"},
    {"a=sin*cos(1)", 10, 7, "function 'sin' without arguments"},
    {"a=1 b=2", 10, 9, "two values without an operator between them"},
    {"a=1\nb=2", 11, 5, "two values without an operator between them"},
    {"a=(1)(2)", 10, 10, "two values without an operator between them"},
    {"per_frame_1=", 10, 17, "the text ends where a value should stand"},
    {"a=1+;b=2", 10, 9, "a value is missing before ';'"},
    {"a=()", 10, 8, "a value is missing before ')'"},
    {"a=if(1,,2)", 10, 12, "a value is missing before ','"},
    {"a=*2", 10, 7, "a value is missing before '*'"},
    {"a=1;*2", 10, 9, "a value is missing before '*'"},
    {"a=(1;|2)", 10, 10, "a value is missing before '|'"},
    {"a=(1;*)", 10, 11, "a value is missing before ')'"},
    {"a=(*1)", 10, 8, "a value is missing before '*'"},
    {"a=1,2", 10, 8, "unexpected ','"},
    {"a=1:2", 10, 8, "unexpected ':'"},
    {"a=b?1;2", 10, 10, "missing ':' for the '?'"},
    {"a=1\n+#", 11, 6, "unexpected character '#'"},
    {"a={1}", 10, 7, "unexpected character '{'"},
    {"a='x'", 10, 7, "unexpected character '''"},
    {"a=\xe9", 10, 7, "unexpected byte 0xE9"},
    {"a=$nix", 10, 7, "unknown constant '$nix'"},
    {"a=$", 10, 7, "unknown constant '$'"},
    {"a=$xG", 10, 7, "unknown constant '$xG'"},
    {"a=1.2.3", 10, 10, "two values without an operator between them"},
    {"b=1;// x\na=1;\nc=foo(1)", 12, 7, "unknown function 'foo'"},
    {"a=/*one\ntwo*/foo(1)", 11, 10, "unknown function 'foo'"},
    {"_mem=1", 10, 5, "function '_mem' without arguments"},
    {"a==", 10, 8, "the text ends where a value should stand"},
};

static void test_complaints(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof complaints / sizeof complaints[0]; i++) {
        struct patch patch;
        patch_open(&patch, complaints[i].text);
        const struct base_diag *diag = &patch.messages.items[0];
        assert_int_equal(patch.status, PFPU_REFUSED);
        assert_null(patch.program);
        assert_int_equal(patch.messages.count, 1);
        assert_int_equal(diag->severity, BASE_ERROR);
        assert_string_equal(diag->what, complaints[i].what);
        if (diag->place.line != complaints[i].line || diag->place.column != complaints[i].column) {
            fail_msg("'%s': %u:%u, expected %u:%u", complaints[i].text, diag->place.line,
                     diag->place.column, complaints[i].line, complaints[i].column);
        }
        assert_string_equal(diag->place.file, "test.milk");
        patch_run(&patch);
        assert_true(patch_value(&patch, "a") == 0.0);
        patch_close(&patch);
    }
}

static void test_empty(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "  \t", "// only\n\\\\ comments", "/* and \n more */"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct patch patch;
        patch_open(&patch, texts[i]);
        assert_int_equal(patch.status, PFPU_EMPTY);
        assert_null(patch.program);
        assert_int_equal(patch.messages.count, 0);
        patch_close(&patch);
    }
    struct patch patch;
    patch_open(&patch, ";;");
    assert_int_equal(patch.status, PFPU_OK);
    patch_run(&patch);
    patch_close(&patch);
}

/* ---- limits ---- */

static enum pfpu_status compile_text(const char *text, size_t size, struct base_diag_list *messages)
{
    struct base_arena arena = {0};
    struct pfpu_program *program = NULL;
    const struct base_source_line line = {{text, size}, 1, 1};
    const struct base_source source = {"long", &line, 1};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    const enum pfpu_status status = pfpu_compile(&pfpu_target_host, pfpu_scope_create(&arena),
                                                 &source, &arena, &sink, &program);
    base_arena_free(&arena);
    return status;
}

/* head, then part again and again, then tail. */
static enum pfpu_status compile_repeated(const char *head, const char *part, size_t times,
                                         const char *tail, struct base_diag_list *messages)
{
    static char text[40000];
    size_t size = strlen(head);
    memcpy(text, head, size);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + size, part, strlen(part));
        size += strlen(part);
    }
    memcpy(text + size, tail, strlen(tail));
    size += strlen(tail);
    memset(messages, 0, sizeof *messages);
    return compile_text(text, size, messages);
}

static const struct repetition {
    const char *head;
    const char *part;
    size_t times;
    const char *tail;
    enum pfpu_status status;
} repetitions[] = {
    {"a=", "1+", 16000, "1", PFPU_OK},       {"a=", "b+", 16000, "1", PFPU_OK},
    {"a=", "b&&", 10000, "1", PFPU_OK},      {"a=", "sin(b)||", 4000, "1", PFPU_OK},
    {"a=", "b^", 16000, "1", PFPU_OK},       {"", "a=a+1;", 5000, "", PFPU_OK},
    {"", ";", 32000, "a=1", PFPU_OK},        {"a=", "-", 200, "1", PFPU_OK},
    {"a=", "(", 200, "1", PFPU_REFUSED},     {"a=", "-", 10000, "1", PFPU_REFUSED},
    {"a=", "+", 10000, "1", PFPU_REFUSED},   {"a=", "!", 10000, "1", PFPU_REFUSED},
    {"a=", "2^-", 10000, "1", PFPU_OK},      {"a=", "(", 10000, "1", PFPU_REFUSED},
    {"a=", "sin(", 8000, "1", PFPU_REFUSED}, {"a=", "b[", 10000, "1", PFPU_REFUSED},
    {"a=b", "[1]", 10000, "", PFPU_REFUSED}, {"a=", "b<", 10000, "1", PFPU_REFUSED},
    {"a=", "b=", 10000, "1", PFPU_REFUSED},  {"a=", "b?1:", 8000, "1", PFPU_REFUSED},
    {"a=", "b?", 8000, "1", PFPU_REFUSED},   {"a=", "if(b,", 6000, "1", PFPU_REFUSED},
};

static void test_long_and_deep(void **state)
{
    (void)state;
    static struct base_diag_list messages;
    for (size_t i = 0; i < sizeof repetitions / sizeof repetitions[0]; i++) {
        const struct repetition *row = &repetitions[i];
        const enum pfpu_status status =
            compile_repeated(row->head, row->part, row->times, row->tail, &messages);
        if (status != row->status) {
            fail_msg("%s (%s)*%zu %s: %d %s", row->head, row->part, row->times, row->tail,
                     (int)status, messages.items[0].what);
        }
    }
    assert_int_equal(compile_repeated("a=", "(", 300, "1", &messages), PFPU_REFUSED);
    assert_string_equal(messages.items[0].what, "expression nested more than 256 levels deep");
    assert_int_equal(messages.count, 1);
}

static void test_too_long_lines_are_dropped(void **state)
{
    (void)state;
    static char filler[PFPU_TEXT_MAX];
    struct base_arena arena = {0};
    struct pfpu_text text;
    memset(filler, ' ', sizeof filler);
    memcpy(filler, "a=1;", 4);
    const struct base_source_line lines[] = {
        {{filler, sizeof filler - 4}, 1, 1},
        {base_span_of("b=2;"), 2, 1},
        {base_span_of("c"), 3, 1},
        {base_span_of(""), 4, 1},
    };
    const struct base_source source = {"x", lines, 4};
    assert_true(pfpu_text_join(&text, &source, '\0', &arena));
    assert_int_equal(text.size, PFPU_TEXT_MAX);
    assert_memory_equal(text.data + text.size - 4, "b=2;", 4);
    assert_true(pfpu_text_join(&text, &source, '\n', &arena));
    assert_int_equal(text.size, PFPU_TEXT_MAX - 4);
    base_arena_free(&arena);
}

static void test_too_many_variables(void **state)
{
    (void)state;
    static char text[PFPU_TEXT_MAX];
    static struct base_diag_list messages;
    struct base_arena arena = {0};
    struct pfpu_scope *scope = pfpu_scope_create(&arena);
    struct pfpu_program *program = NULL;
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    enum pfpu_status status = PFPU_OK;
    for (int block = 0; block < 3 && status == PFPU_OK; block++) {
        size_t size = 0;
        for (int i = 0; i < 3000; i++) {
            size += (size_t)snprintf(text + size, sizeof text - size, "%c%d=0;", 'a' + block, i);
        }
        const struct base_source_line line = {{text, size}, 1, 1};
        const struct base_source source = {"x", &line, 1};
        status = pfpu_compile(&pfpu_target_host, scope, &source, &arena, &sink, &program);
    }
    assert_int_equal(status, PFPU_REFUSED);
    assert_string_equal(messages.items[0].what, "more than 8192 variables");
    base_arena_free(&arena);
}

static void test_no_memory(void **state)
{
    (void)state;
    const struct base_source_line line = {base_span_of("a=sin(b)+c;d=e*2.5"), 1, 1};
    const struct base_source source = {"x", &line, 1};
    size_t refused = 0;
    for (size_t limit = 200; limit < 6200; limit += 100) {
        struct base_arena arena;
        struct pfpu_program *program = NULL;
        base_arena_init(&arena, limit);
        struct pfpu_scope *scope = pfpu_scope_create(&arena);
        const enum pfpu_status status =
            scope == NULL ? PFPU_NO_MEMORY
                          : pfpu_compile(&pfpu_target_host, scope, &source, &arena, NULL, &program);
        assert_true(status == PFPU_NO_MEMORY || (status == PFPU_OK && !arena.failed));
        assert_true((program != NULL) == (status == PFPU_OK));
        refused += status == PFPU_NO_MEMORY ? 1 : 0;
        base_arena_free(&arena);
    }
    assert_true(refused > 0 && refused < 60);
}

/* ---- numbers ---- */

static void test_numbers_round_correctly(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0.1",
        "123.456",
        "1e22",
        "1e23",
        "9007199254740993",
        "1.7976931348623157e308",
        "5e-324",
        "2.5e-310",
        "0.30000000000000004",
        "3.14159265358979323846264338",
        "1e-5000",
        "00001.50",
        ".5e1",
        "8.",
        "179769313486231580793728971405301e276",
        "0.000000000000000000000000000000000000000000000000000000000000012345e60"};
    struct base_arena scratch = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t size = strlen(texts[i]);
        assert_int_equal(pfpu_number_length(texts[i], size), size);
        const double value = pfpu_number_value(texts[i], size, &scratch);
        const double expected = strtod(texts[i], NULL);
        assert_memory_equal(&value, &expected, sizeof value);
    }
    assert_int_equal(pfpu_number_length("1e+", 3), 1);
    assert_int_equal(pfpu_number_length("1h2", 3), 1);
    assert_int_equal(pfpu_number_length("0ffh", 4), 4);
    assert_int_equal(pfpu_number_length("x", 1), 0);
    base_arena_free(&scratch);
}

static void test_functions_are_sorted(void **state)
{
    (void)state;
    for (int i = 1; i < PFPU_FUNCTION_COUNT; i++) {
        assert_true(strcmp(pfpu_functions[i - 1].name, pfpu_functions[i].name) < 0);
    }
    for (int i = 0; i < PFPU_FUNCTION_COUNT; i++) {
        assert_ptr_equal(pfpu_function_find(base_span_of(pfpu_functions[i].name)),
                         &pfpu_functions[i]);
    }
    assert_null(pfpu_function_find(base_span_of("si")));
    assert_null(pfpu_function_find(base_span_of("sine")));
    assert_ptr_equal(pfpu_function_find(base_span_of("SIN")), &pfpu_functions[PFPU_FUNCTION_SIN]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groupings),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_long_and_deep),
        cmocka_unit_test(test_too_long_lines_are_dropped),
        cmocka_unit_test(test_too_many_variables),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_numbers_round_correctly),
        cmocka_unit_test(test_functions_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
