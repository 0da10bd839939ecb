#include "test_renderer_shader_text.h"

#include "renderer/shader/text/preprocess.h"

struct outcome {
    int result;
    char tokens[2000]; /* with blanks between; those of the body behind a '|' */
    char messages[2000];
};

static void put(struct outcome *outcome, const char *text, size_t size)
{
    const size_t used = strlen(outcome->tokens);
    assert_true(used + size + 2 < sizeof outcome->tokens);
    if (used > 0) {
        outcome->tokens[used] = ' ';
    }
    memcpy(outcome->tokens + used + (used > 0 ? 1 : 0), text, size);
    outcome->tokens[used + size + (used > 0 ? 1 : 0)] = '\0';
}

/* The tokens' list belongs to the arena. */
static int run(struct stage_text *stage, const char *text, struct shader_text *joined,
               struct base_arena *arena, struct shader_tokens *tokens)
{
    open_text(stage, text);
    *tokens = (struct shader_tokens){NULL, 0, 0};
    if (shader_text_make(joined, &stage->source, arena, &stage->sink) != 0) {
        return -1;
    }
    return shader_preprocess(joined, arena, tokens);
}

static struct outcome preprocessed(const char *text)
{
    struct stage_text stage;
    struct shader_text joined;
    struct shader_tokens tokens;
    struct base_arena arena = {0};
    struct outcome outcome = {0};
    outcome.result = run(&stage, text, &joined, &arena, &tokens);
    for (size_t i = 0; outcome.result == 0 && i + 1 < tokens.count; i++) {
        const struct shader_token *token = &tokens.items[i];
        if (token->kind == SHADER_TOKEN_BODY) {
            put(&outcome, "|", 1);
        } else {
            put(&outcome, token->text, token->size);
        }
    }
    (void)messages_of(&stage, outcome.messages, sizeof outcome.messages);
    base_arena_free(&arena);
    close_text(&stage);
    return outcome;
}

static void test_tokens(void **state)
{
    static const struct {
        const char *text;
        const char *tokens;
    } rows[] = {
        {"shader_body { a }", "| a"},
        {"x; shader_body\n{\n a { b } c } dropped", "x ; | a { b } c"},
        {"// shader_body {\n/* { shader_body } */ a shader_body { b } // }", "a | b"},
        {"a/**/b /* one\ntwo */ c // d /* e\nf shader_body { } /* g", "a b c f |"},
        {"float2 shader_body() {x}", "float2 | x"},
        {"ashader_body{b}", "a | b"},
        {"shader_body { shader_body } }", "| shader_body }"},
        /* numbers */
        {"shader_body { 1 1.0 .5 1. 1e3 1.e-3f 2h 3L 0x1F 0x1fu 1.5E+2 }",
         "| 1 1.0 .5 1. 1e3 1.e-3f 2h 3L 0x1F 0x1fu 1.5E+2"},
        {"shader_body { 1.xxx 2..xy 1.0.x 3.f x.1 }", "| 1 . xxx 2. . xy 1.0 . x 3.f x .1"},
        /* the longest mark wins */
        {"shader_body { a+++b---c<<=>>=<=>===!=&&||+=-=*=/=%=&=|=^=-+*~ }",
         "| a ++ + b -- - c <<= >>= <= >= == != && || += -= *= /= %= &= |= ^= - + * ~"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome outcome = preprocessed(rows[i].text);
        if (outcome.result != 0) {
            print_message("%s\n%s\n", rows[i].text, outcome.messages);
        }
        assert_int_equal(outcome.result, 0);
        assert_string_equal(outcome.tokens, rows[i].tokens);
    }
}

static void test_macros(void **state)
{
    static const struct {
        const char *text;
        const char *tokens;
    } rows[] = {
        {"#define sat saturate\nshader_body { sat(x) sats }", "| saturate ( x ) sats"},
        {" # define A 1 // one\nA shader_body { A }", "1 | 1"},
        {"#define A B\n#define B C\nshader_body { A B #C }", "| C C # C"},
        {"#define A A + B\n#define B A\nshader_body { A }", "| A + A"},
        {"#define E\nshader_body { a E b }", "| a b"},
        {"#define A 1\n#define A 2\n#undef A\nshader_body { A }", "| A"},
        {"#define A 1\n#define A 2\nshader_body { A }", "| 2"},
        {"shader_body {\n#define A 1\nA\n#undef A\nA }", "| 1 A"},
        {"#define A 1 + \\\n 2 \\  \n + 3\nshader_body { A }", "| 1 + 2 + 3"},
        {"#define A /* from\nhere */ 1\nshader_body { A }", "| 1"},
        {"#define F(x) (x*x)\nshader_body { F(2) F (a+b) F }", "| ( 2 * 2 ) ( a + b * a + b ) F"},
        {"#define F (x)\nshader_body { F(1) }", "| ( x ) ( 1 )"},
        {"#define F(x,y) x-y\nshader_body { F((a,b),f(c,d)) F(,) F([1],2) }",
         "| ( a , b ) - f ( c , d ) - [ 1 ] - 2"},
        {"#define F() 1\nshader_body { F() F( ) }", "| 1 1"},
        {"#define F(x) x\nshader_body { F(\na\n)\n F }", "| a F"},
        {"#define F(x) x+1\nshader_body { F(F(F(0))) }", "| 0 + 1 + 1 + 1"},
        {"#define F(x) G(x)\n#define G(x) [x]\nshader_body { F(F(a)) G(F)(b) }",
         "| [ [ a ] ] [ F ] ( b )"},
        {"#define F(x) x G\n#define G(x) <x>\nshader_body { F(1)(2) }", "| 1 < 2 >"},
        {"#define f(a) a*g\n#define g(a) f(a)\nshader_body { f(2)(9) }", "| 2 * 9 * g"},
        {"#define TEX(s,uv) tex2D(sampler_##s,uv).xyz\nshader_body { TEX(main,uv) }",
         "| tex2D ( sampler_main , uv ) . xyz"},
        {"#define C(a,b,c) a##b##c\n#define x y\nshader_body { C(x,1,z) C(,x,) C(,,) C(+,-,x) }",
         "| x1z y + - y"},
        {"#define P 2##3\nshader_body { P }", "| 23"},
        {"#define MAIN sampler_main\n#define GET(n) tex2D(MAIN, uv*n)\nshader_body { GET(MAIN) }",
         "| tex2D ( sampler_main , uv * sampler_main )"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome outcome = preprocessed(rows[i].text);
        assert_string_equal(outcome.messages, "");
        assert_int_equal(outcome.result, 0);
        assert_string_equal(outcome.tokens, rows[i].tokens);
    }
}

/* Each condition holds or not; both ways round. */
static void test_conditions(void **state)
{
    static const struct {
        const char *condition;
        bool holds;
    } rows[] = {
        {"1", true},
        {"0", false},
        {"nothing", false},
        {"YES", true},
        {"defined YES", true},
        {"defined(YES) && !defined ( NO )", true},
        {"defined(NO)||0x10==16", true},
        {"TWO + 1 == 3 && TWO*TWO+1==5", true},
        {"F(1) == 2", true},
        {"2 - 1 - 1", false},
        {"10 % 4 == 2 && 7 / 2 == 3", true},
        {"-1 < 0 && ~0 == -1 && !0", true},
        {"1 << 3 == 8 && 8 >> 2 == 2", true},
        {"(1 ? 0 : 1) || (0 ? 1 : 0)", false},
        {"0 && 1 / 0", false},
        {"1 || 1 % 0", true},
        {"1 ? 5 : 1 / 0", true},
        {"(6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5", true},
        {"1 > 2 || 2 >= 3 || 1 != 1", false},
        {"1.5 > 1 || 0.5", true},
        {"4611686018427387904 * 4 == 0 && -4611686018427387904 * 2 / -1 < 0", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "#define YES 1\n#define TWO 2\n#define F(x) x+1\n#if %s\nyes\n#else\nno\n"
                       "#endif\nshader_body { }",
                       rows[i].condition);
        const struct outcome outcome = preprocessed(text);
        assert_string_equal(outcome.messages, "");
        assert_string_equal(outcome.tokens, rows[i].holds ? "yes |" : "no |");
    }
}

static void test_branches(void **state)
{
    static const struct {
        const char *text;
        const char *tokens;
    } rows[] = {
        {"#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne shader_body { }", "b e |"},
        {"#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif\nshader_body { }", "c |"},
        {"#if 1\n#if 0\na\n#else\nb\n#endif\n#else\nc\n#endif\nshader_body { }", "b |"},
        {"#ifdef A\na\n#else\n#define A\n#endif\n#ifdef A\nb\n#endif\nshader_body { }", "b |"},
        {"#ifndef A\na\n#endif extra\n#define A\n#ifndef A\nb\n#endif\nshader_body { }", "a |"},
        {"#if 0\n#define A 1\n#error no\n#if 1 / 0\n#endif\n$ 1x \" '\n#endif\n"
         "shader_body { A }",
         "| A"},
        {"#if 1\n#elif 1 / 0\n#endif\nshader_body { }", "|"},
        {"shader_body {\n        #if 1     // fins\na\n        #else\nb }\n        #endif\n c }",
         "| a c"},
        {"#\n#if 1\n#endif\nshader_body { }", "|"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome outcome = preprocessed(rows[i].text);
        assert_string_equal(outcome.messages, "");
        assert_string_equal(outcome.tokens, rows[i].tokens);
    }
}

static void test_messages(void **state)
{
    static const struct {
        const char *text;
        int result;
        const char *start; /* of the messages */
    } rows[] = {
        {"ret = 1;", -1, "stage.milk:10:8: error: the shader has no shader_body; write"},
        {"", -1, "stage.milk:10:8: error: the shader has no shader_body"},
        {"a\n shader_body", -1, "stage.milk:11:9: error: the '{' of shader_body is missing"},
        {"shader_body {", -1, "stage.milk:10:8: error: the '}' of shader_body is missing"},
        {"} shader_body {", -1, "stage.milk:10:10: error: the '}' of shader_body is missing"},
        {"shader_body {}\n/* }", 0,
         "stage.milk:11:8: warning: this comment does not end; all behind it is left out"},
        {"#pragma warning\n#include \"x\"\nshader_body {}", 0,
         "stage.milk:10:9: warning: #pragma is left out; known are #define"},
        {"#if 1\nshader_body {}", 0, "stage.milk:10:9: warning: there is no #endif for this"},
        {"#if 0\nshader_body {}\n#endif", -1,
         "stage.milk:11:8: error: shader_body stands in a part that #if leaves out"},
        {"a\n  #endif\nshader_body {}", -1, "stage.milk:11:11: error: there is no #if before"},
        {"#else\nshader_body {}", -1, "stage.milk:10:9: error: there is no #if before"},
        {"#if 1\n#else\n#else\nshader_body {}", -1,
         "stage.milk:12:9: error: there was an #else already"},
        {"#if\nshader_body {}", -1, "stage.milk:10:9: error: a value is missing in the condition"},
        {"#if 1 +\nshader_body {}", -1, "stage.milk:10:9: error: a value is missing"},
        {"#if 1 2\nshader_body {}", -1, "stage.milk:10:14: error: there is something unexpected"},
        {"#if (1\nshader_body {}", -1, "stage.milk:10:9: error: a ')' is missing"},
        {"#if 1 ? 2\nshader_body {}", -1, "stage.milk:10:9: error: a ':' is missing"},
        {"#if 1 / 0\nshader_body {}", -1, "stage.milk:10:9: error: there is a division by zero"},
        {"#if 1e30\nshader_body {}", -1, "stage.milk:10:12: error: a number is too large"},
        {"#ifdef 1\nshader_body {}", -1, "stage.milk:10:9: error: the name of a macro is missing"},
        {"#define\nshader_body {}", -1, "stage.milk:10:9: error: the name of a macro is missing"},
        {"#define F(a\nshader_body {}", -1,
         "stage.milk:10:18: error: the parameters of the macro are malformed"},
        {"#define F(a b) 1\nshader_body {}", -1, "stage.milk:10:20: error: the parameters"},
        {"#error stop\nshader_body {}", -1,
         "stage.milk:10:9: error: the shader stops here by #error"},
        {"#define F(a,b) a\nshader_body {\n F(1) }", -1,
         "stage.milk:12:9: error: the macro 'F' takes 2 arguments, not 1; see its #define"},
        {"#define F(a) a\nF(1 shader_body { ) }", -1,
         "stage.milk:11:8: error: missing ')' behind the arguments of the macro 'F'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome outcome = preprocessed(rows[i].text);
        assert_int_equal(outcome.result, rows[i].result);
        if (strncmp(outcome.messages, rows[i].start, strlen(rows[i].start)) != 0) {
            assert_string_equal(outcome.messages, rows[i].start);
        }
        assert_null(strchr(outcome.messages, '\n'));
    }
}

/* Tokens of a macro stand where its name stands, arguments where they are. */
static void test_places(void **state)
{
    static const uint32_t wanted[][2] = {{13, 9}, {13, 11}, {13, 9}, {14, 12}, {14, 12}};
    struct stage_text stage;
    struct shader_text text;
    struct shader_tokens tokens;
    struct base_arena arena = {0};
    (void)state;
    assert_int_equal(run(&stage, "#define F(x) (x)\n#define G F\nshader_body {\n F(a)\n    G }",
                         &text, &arena, &tokens),
                     0);
    assert_int_equal(tokens.count, 6); /* BODY ( a ) F END */
    for (size_t i = 0; i < 4; i++) {
        const struct base_place place = shader_text_place(&text, tokens.items[i + 1].offset);
        assert_int_equal(place.line, wanted[i][0]);
        assert_int_equal(place.column, wanted[i][1]);
    }
    base_arena_free(&arena);
    close_text(&stage);
}

/* What doubles and doubles, or goes deeper and deeper, ends in a message. */
static void test_hostile(void **state)
{
    struct outcome outcome;
    char *text;
    (void)state;
    char doubling[4000] = "#define A0 x x\n";
    for (int i = 1; i < 60; i++) {
        (void)snprintf(doubling + strlen(doubling), 60, "#define A%d A%d A%d\n", i, i - 1, i - 1);
    }
    (void)snprintf(doubling + strlen(doubling), 60, "shader_body { A59 }");
    outcome = preprocessed(doubling);
    assert_int_equal(outcome.result, -1);
    assert_non_null(strstr(outcome.messages, "the macros make more than 200000 words"));

    text = repeated("#define F(x) x x\nshader_body { ", "F(", 100, "}");
    outcome = preprocessed(text);
    assert_int_equal(outcome.result, -1);
    assert_non_null(strstr(outcome.messages, "missing ')'"));
    free(text);

    char *open = repeated("#define F(x) x\nshader_body { ", "F(", 1000, "1");
    text = repeated(open, ")", 1000, " }");
    outcome = preprocessed(text);
    assert_int_equal(outcome.result, -1);
    assert_non_null(strstr(outcome.messages, "macros"));
    free(open);
    free(text);

    /* Names that double by pasting. */
    text = repeated("#define J(a,b) a##b\n#define D(x) J(x,x)\nshader_body { ", "D(", 40, "a");
    open = text;
    text = repeated(open, ")", 40, " }");
    outcome = preprocessed(text);
    assert_int_equal(outcome.result, -1);
    free(open);
    free(text);

    text = repeated("#if ", "(", 5000, "1\n#endif\nshader_body { }");
    outcome = preprocessed(text);
    assert_int_equal(outcome.result, -1);
    assert_non_null(strstr(outcome.messages, "too many levels"));
    free(text);

    text = repeated("#define F(", "x,", 101, "x) x\nshader_body { }");
    outcome = preprocessed(text);
    assert_non_null(strstr(outcome.messages, "up to 100 parameters"));
    free(text);

    text = repeated("", "#pragma x\n", 5000, "shader_body { }");
    outcome = preprocessed(text);
    assert_int_equal(outcome.result, 0);
    assert_null(strchr(outcome.messages, '\n'));
    free(text);

    text = repeated("shader_body { /* ", "x", SHADER_TEXT_MAX, "*/ }");
    outcome = preprocessed(text);
    assert_non_null(strstr(outcome.messages, "more than 1048576 characters"));
    free(text);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        double value;
        enum shader_base base;
    } rows[] = {
        {"7", 7.0, SHADER_INT},
        {"7.", 7.0, SHADER_FLOAT},
        {"7f", 7.0, SHADER_FLOAT},
        {"7h", 7.0, SHADER_FLOAT},
        {"7u", 7.0, SHADER_INT},
        {"7L", 7.0, SHADER_INT},
        {".25", 0.25, SHADER_FLOAT},
        {"1e2", 100.0, SHADER_FLOAT},
        {"1.5e-1F", 0.15, SHADER_FLOAT},
        {"0x1F", 31.0, SHADER_INT},
        {"010", 8.0, SHADER_INT},
        {"0x10u", 16.0, SHADER_INT},
        {"08", 8.0, SHADER_INT},
        {"010.5", 10.5, SHADER_FLOAT},
        {"0.1", 0.1, SHADER_FLOAT},
        {"3.14159265358979323846", 3.141592653589793, SHADER_FLOAT},
    };
    struct base_arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shader_lexer lexer = {
            .data = rows[i].text, .size = strlen(rows[i].text), .body = SIZE_MAX};
        const struct shader_token token = shader_lex(&lexer);
        enum shader_base base;
        assert_int_equal(token.kind, SHADER_TOKEN_NUMBER);
        assert_int_equal(token.size, strlen(rows[i].text));
        assert_true(shader_token_number(&token, &arena, &base) == rows[i].value);
        assert_int_equal(base, rows[i].base);
    }
    base_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),     cmocka_unit_test(test_macros),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_branches),
        cmocka_unit_test(test_messages),   cmocka_unit_test(test_places),
        cmocka_unit_test(test_hostile),    cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
