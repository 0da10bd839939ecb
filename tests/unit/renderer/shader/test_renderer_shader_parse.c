#include "test_renderer_shader_text.h"

#include "renderer/shader/text/ast.h"

/* ---- trees as text ---- */

struct drawing {
    char text[4000];
    size_t size;
};

static void put(struct drawing *drawing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(drawing->text + drawing->size, sizeof drawing->text - drawing->size,
                               format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && drawing->size + (size_t)size < sizeof drawing->text);
    drawing->size += (size_t)size;
}

static void put_span(struct drawing *drawing, struct base_span span)
{
    put(drawing, "%.*s", (int)span.size, span.data);
}

static void draw_type(struct drawing *drawing, const struct shader_type *type)
{
    static const char *const bases[] = {"void", "float", "int", "bool", "sampler"};
    put(drawing, "%s%s", bases[type->base], type->volume ? "3D" : "");
    if (type->matrix) {
        put(drawing, "%ux%u", type->rows, type->columns);
    } else if (type->columns > 1) {
        put(drawing, "%u", type->columns);
    }
    if (type->length > 0) {
        put(drawing, "[%u]", type->length);
    }
}

static void draw(struct drawing *drawing, const struct shader_expression *expression);

static void draw_arguments(struct drawing *drawing, const struct shader_expression *expression,
                           const char *open, const char *close)
{
    put(drawing, "%s", open);
    for (size_t i = 0; i < expression->argument_count; i++) {
        put(drawing, "%s", i > 0 ? "," : "");
        draw(drawing, expression->arguments[i]);
    }
    put(drawing, "%s", close);
}

static const char *const operators[] = {"",  "+",  "-",  "*",  "/",  "%",  "<", "<=",
                                        ">", ">=", "==", "!=", "&&", "||", "&", "|",
                                        "^", "<<", ">>", "!",  "+",  "-",  "~"};

static void draw_two(struct drawing *drawing, const struct shader_expression *expression,
                     const char *operator_text, const char *tail)
{
    put(drawing, "(");
    draw(drawing, expression->a);
    put(drawing, "%s%s", operator_text, tail);
    draw(drawing, expression->b);
    put(drawing, ")");
}

static void draw_number(struct drawing *drawing, const struct shader_expression *expression)
{
    static const char *const suffixes[] = {"", "f", "", "b", ""};
    put(drawing, "%.9g%s", expression->number, suffixes[expression->type.base]);
}

static void draw_choice(struct drawing *drawing, const struct shader_expression *expression)
{
    put(drawing, "(");
    draw(drawing, expression->a);
    put(drawing, "?");
    draw(drawing, expression->b);
    put(drawing, ":");
    draw(drawing, expression->c);
    put(drawing, ")");
}

static void draw_step(struct drawing *drawing, const struct shader_expression *expression)
{
    const char *text = expression->op == SHADER_O_ADD ? "++" : "--";
    put(drawing, "(%s", expression->prefix ? text : "");
    draw(drawing, expression->a);
    put(drawing, "%s)", expression->prefix ? "" : text);
}

static void draw_construction(struct drawing *drawing, const struct shader_expression *expression)
{
    put(drawing, "%s", expression->cast ? "cast " : "");
    draw_type(drawing, &expression->type);
    draw_arguments(drawing, expression, "(", ")");
}

/* Every operation in brackets, so that the grouping shows. */
static void draw(struct drawing *drawing, const struct shader_expression *expression)
{
    switch (expression->kind) {
    case SHADER_E_NUMBER:
        draw_number(drawing, expression);
        return;
    case SHADER_E_NAME:
        put_span(drawing, expression->name);
        return;
    case SHADER_E_UNARY:
        put(drawing, "(%s", operators[expression->op]);
        draw(drawing, expression->a);
        put(drawing, ")");
        return;
    case SHADER_E_BINARY:
        draw_two(drawing, expression, operators[expression->op], "");
        return;
    case SHADER_E_ASSIGN:
        draw_two(drawing, expression, operators[expression->op], "=");
        return;
    case SHADER_E_COMMA:
        draw_two(drawing, expression, ",", "");
        return;
    case SHADER_E_STEP:
        draw_step(drawing, expression);
        return;
    case SHADER_E_CHOICE:
        draw_choice(drawing, expression);
        return;
    case SHADER_E_CALL:
        put_span(drawing, expression->name);
        draw_arguments(drawing, expression, "(", ")");
        return;
    case SHADER_E_CONSTRUCT:
        draw_construction(drawing, expression);
        return;
    case SHADER_E_MEMBER:
        draw(drawing, expression->a);
        put(drawing, ".");
        put_span(drawing, expression->name);
        return;
    case SHADER_E_INDEX:
        draw(drawing, expression->a);
        put(drawing, "[");
        draw(drawing, expression->b);
        put(drawing, "]");
        return;
    case SHADER_E_LIST:
        draw_arguments(drawing, expression, "{", "}");
        return;
    }
}

static void draw_variables(struct drawing *drawing, const struct shader_variable *variables,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct shader_variable *variable = &variables[i];
        put(drawing, "%s%s", variable->is_static ? "static " : "",
            variable->constant ? "const " : "");
        draw_type(drawing, &variable->type);
        put(drawing, " ");
        put_span(drawing, variable->name);
        if (variable->length != NULL) {
            put(drawing, "[");
            draw(drawing, variable->length);
            put(drawing, "]");
        }
        if (variable->value != NULL) {
            put(drawing, "=");
            draw(drawing, variable->value);
        }
        put(drawing, ";");
    }
}

static void draw_statement(struct drawing *drawing, const struct shader_statement *statement);

static void draw_value(struct drawing *drawing, const struct shader_expression *value)
{
    if (value != NULL) {
        draw(drawing, value);
    }
}

static void draw_for(struct drawing *drawing, const struct shader_statement *statement)
{
    put(drawing, "for(");
    if (statement->start != NULL) {
        draw_statement(drawing, statement->start);
    }
    put(drawing, "|");
    draw_value(drawing, statement->value);
    put(drawing, "|");
    draw_value(drawing, statement->step);
    put(drawing, ")");
    draw_statement(drawing, statement->body);
}

static void draw_if(struct drawing *drawing, const struct shader_statement *statement)
{
    put(drawing, "if(");
    draw(drawing, statement->value);
    put(drawing, ")");
    draw_statement(drawing, statement->body);
    if (statement->other != NULL) {
        put(drawing, "else ");
        draw_statement(drawing, statement->other);
    }
}

static void draw_statement(struct drawing *drawing, const struct shader_statement *statement)
{
    switch (statement->kind) {
    case SHADER_S_EXPRESSION:
        draw_value(drawing, statement->value);
        put(drawing, ";");
        return;
    case SHADER_S_DECLARE:
        draw_variables(drawing, statement->variables, statement->variable_count);
        return;
    case SHADER_S_BLOCK:
        put(drawing, "{");
        for (const struct shader_statement *part = statement->body; part != NULL;
             part = part->next) {
            draw_statement(drawing, part);
        }
        put(drawing, "}");
        return;
    case SHADER_S_IF:
        draw_if(drawing, statement);
        return;
    case SHADER_S_FOR:
        draw_for(drawing, statement);
        return;
    case SHADER_S_WHILE:
        put(drawing, "while(");
        draw(drawing, statement->value);
        put(drawing, ")");
        draw_statement(drawing, statement->body);
        return;
    case SHADER_S_DO:
        put(drawing, "do ");
        draw_statement(drawing, statement->body);
        put(drawing, "while(");
        draw(drawing, statement->value);
        put(drawing, ");");
        return;
    case SHADER_S_RETURN:
        put(drawing, "return ");
        draw_value(drawing, statement->value);
        put(drawing, ";");
        return;
    case SHADER_S_BREAK:
        put(drawing, "break;");
        return;
    case SHADER_S_CONTINUE:
        put(drawing, "continue;");
        return;
    case SHADER_S_DISCARD:
        put(drawing, "discard;");
        return;
    }
}

static void draw_function(struct drawing *drawing, const struct shader_function *function)
{
    static const char *const directions[] = {"?", "", "out ", "inout "};
    draw_type(drawing, &function->result);
    put(drawing, " ");
    put_span(drawing, function->name);
    put(drawing, "(");
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct shader_parameter *parameter = &function->parameters[i];
        put(drawing, "%s%s", i > 0 ? "," : "", directions[parameter->direction]);
        draw_type(drawing, &parameter->type);
        put(drawing, " ");
        put_span(drawing, parameter->name);
        if (parameter->value != NULL) {
            put(drawing, "=");
            draw(drawing, parameter->value);
        }
    }
    put(drawing, ")");
    if (function->body != NULL) {
        draw_statement(drawing, function->body);
    } else {
        put(drawing, ";");
    }
}

struct outcome {
    int result;
    struct drawing drawing;
    char messages[2000];
};

/* Globals, then the body in braces. */
static struct outcome parsed(const char *text)
{
    struct stage_text stage;
    struct shader_tree tree;
    struct base_arena arena = {0};
    struct outcome outcome = {.drawing = {.size = 0}};
    open_text(&stage, text);
    outcome.result = shader_parse(&tree, &stage.source, &arena, &stage.sink);
    assert_int_equal(outcome.result != 0, stage.messages.by_severity[BASE_ERROR] == 1);
    for (size_t i = 0; outcome.result == 0 && i < tree.global_count; i++) {
        const struct shader_global *global = &tree.globals[i];
        if (global->function != NULL) {
            draw_function(&outcome.drawing, global->function);
        } else {
            draw_variables(&outcome.drawing, global->variables, global->variable_count);
        }
    }
    if (outcome.result == 0) {
        draw_statement(&outcome.drawing, tree.body);
    }
    (void)messages_of(&stage, outcome.messages, sizeof outcome.messages);
    base_arena_free(&arena);
    close_text(&stage);
    return outcome;
}

/* ---- tests ---- */

struct row {
    const char *text;
    const char *tree;
};

/* Between start and end, which have the trees of their own around the row's. */
static void check_rows(const struct row *rows, size_t count, const char *start, const char *end,
                       const char *tree_start, const char *tree_end)
{
    for (size_t i = 0; i < count; i++) {
        char text[1000];
        char tree[1000];
        (void)snprintf(text, sizeof text, "%s%s%s", start, rows[i].text, end);
        (void)snprintf(tree, sizeof tree, "%s%s%s", tree_start, rows[i].tree, tree_end);
        const struct outcome outcome = parsed(text);
        assert_string_equal(outcome.messages, "");
        assert_string_equal(outcome.drawing.text, tree);
    }
}

static void test_expressions(void **state)
{
    static const struct row rows[] = {
        {"1+2*3-4", "((1+(2*3))-4)"},
        {"a-b-c/d%e", "((a-b)-((c/d)%e))"},
        {"a<b==c>d!=e<=f", "(((a<b)==(c>d))!=(e<=f))"},
        {"a||b&&c|d^e&f", "(a||(b&&(c|(d^(e&f)))))"},
        {"a<<1+2>>b", "((a<<(1+2))>>b)"},
        {"-a*!b+~c", "(((-a)*(!b))+(~c))"},
        {"- -a", "(-(-a))"},
        {"a=b+=c", "(a=(b+=c))"},
        {"a-=b*=c/=d%=e", "(a-=(b*=(c/=(d%=e))))"},
        {"a&=b|=c^=d<<=e>>=f", "(a&=(b|=(c^=(d<<=(e>>=f)))))"},
        {"a?b:c?d:e", "(a?b:(c?d:e))"},
        {"a?b=1:c", "(a?(b=1):c)"},
        {"a=b?c:d", "(a=(b?c:d))"},
        {"a,b,c", "((a,b),c)"},
        {"(a,b)", "(a,b)"},
        {"a.xy.x", "a.xy.x"},
        {"a[1][i+1].x", "a[1][(i+1)].x"},
        {"-a.x", "(-a.x)"},
        {"++a.x--", "(++(a.x--))"},
        {"--a- -b", "((--a)-(-b))"},
        {"f(a,(b,c),g())", "f(a,(b,c),g())"},
        {"float3(a.xy,1)*2.5", "(float3(a.xy,1)*2.5f)"},
        {"float3x2(1,2.,3h,4f,5e0,6u)", "float3x2(1,2f,3f,4f,5f,6)"},
        {"(float3)a.x*b", "(cast float3(a.x)*b)"},
        {"(float2x2)(a)", "cast float2x2(a)"},
        {"(int)-x", "cast int((-x))"},
        {"(float)(int)x", "cast float(cast int(x))"},
        {"(half4)x", "cast float4(x)"},
        {"(a)-b", "(a-b)"},
        {"(vector<int,2>)x", "cast int2(x)"},
        {"+vector<float,3>(1,2,3)", "(+float3(1,2,3))"},
        {"a=matrix<bool,2,3>(x)", "(a=bool2x3(x))"},
        {"true?false:1", "(1b?0b:1)"},
        {"1.xxx+2..x", "(1.xxx+2f.x)"},
        {"uint4(x).y", "int4(x).y"},
        {"dword(x)", "int(x)"},
        {"double(x)", "float(x)"},
        {"bool1(x)", "bool(x)"},
        {"float1x1(x)", "float1x1(x)"},
        {"float5+floats+intx", "((float5+floats)+intx)"},
        {"linear*centroid", "(linear*centroid)"},
        {"tex2D(sampler_main,uv)", "tex2D(sampler_main,uv)"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0], "shader_body{", ";}", "{", ";}");
}

static void test_statements(void **state)
{
    static const struct row rows[] = {
        {"", ""},
        {";;a;", ";;a;"},
        {"{a;{b;}}", "{a;{b;}}"},
        {"if(a)b;", "if(a)b;"},
        {"if(a)if(b)c;else d;", "if(a)if(b)c;else d;"},
        {"if(a){if(b)c;}else d;", "if(a){if(b)c;}else d;"},
        {"if(a)b;else if(c)d;else{e;}", "if(a)b;else if(c)d;else {e;}"},
        {"if(a);else;", "if(a);else ;"},
        {"for(int i=0;i<4;i++)a;", "for(int i=0;|(i<4)|(i++))a;"},
        {"for(i=0,j=1;;i++,j--){}", "for(((i=0),(j=1));||((i++),(j--))){}"},
        {"for(;;);", "for(||);"},
        {"for(int i=0,j;i<2;){break;}", "for(int i=0;int j;|(i<2)|){break;}"},
        {"while(a)continue;", "while(a)continue;"},
        {"do a; while(b);c;", "do a;while(b);c;"},
        {"do{a;}while(b);", "do {a;}while(b);"},
        {"return;return a+b;", "return ;return (a+b);"},
        {"discard;", "discard;"},
        {"[loop] for(;;)[unroll(4)]while(a)[branch][flatten]if(b)c;", "for(||)while(a)if(b)c;"},
        {"[unroll]{a;}", "{a;}"},
        {"float a,b=1,c[3];", "float a;float b=1;float[3] c;"},
        {"const static float3x3 m=float3x3(1,0,0,0,1,0,0,0,1);",
         "static const float3x3 m=float3x3(1,0,0,0,1,0,0,0,1);"},
        {"float4 a={1,b,c+1,};", "float4 a={1,b,(c+1)};"},
        {"float2 a[]={{1,2},{3,4},};", "float2[2] a={{1,2},{3,4}};"},
        {"float2 a[]={1,2,-3,4,5,6};", "float2[3] a={1,2,(-3),4,5,6};"},
        {"float3 a[]={float3(1,2,3),float3(0,0,0)};", "float3[2] a={float3(1,2,3),float3(0,0,0)};"},
        {"float2 a[]={b,c};", "float2[2] a={b,c};"},
        {"float a[2*3+1],b[n];", "float[7] a;float b[n];"},
        {"volatile uniform inline extern float a;", "float a;"},
        {"unsigned int a;row_major float2x3 m;", "int a;float2x3 m;"},
        {"vector<int,3> a;matrix b;vector c;matrix<float,4,3> d;",
         "int3 a;float4x4 b;float4 c;float4x3 d;"},
        {"float a:COLOR0=1;", "float a=1;"},
        {"float linear;linear=1;", "float linear;(linear=1);"},
        {"float3(1,2,3);", "float3(1,2,3);"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0], "shader_body{", "}", "{", "}");
}

static void test_globals(void **state)
{
    static const struct row rows[] = {
        {"", ""},
        {";float a;;float3 b=1,c;", "float a;float3 b=1;float3 c;"},
        {"sampler sampler_a;sampler2D sampler_b;sampler3D sampler_c;samplerCUBE d;",
         "sampler sampler_a;sampler sampler_b;sampler3D sampler_c;sampler d;"},
        {"sampler2D sampler_a=sampler_state{Texture=<x>;Filter=\"a\";},sampler_b;",
         "sampler sampler_a;sampler sampler_b;"},
        {"sampler sampler_a{AddressU=WRAP;};", "sampler sampler_a;"},
        {"sampler sampler_a:register(s0);float4 b:register(c0):C;", "sampler sampler_a;float4 b;"},
        {"texture a;texture2D b;float c;", "float c;"},
        {"static const float a[3]={1,2,3};", "static const float[3] a={1,2,3};"},
        {"float f(){return 1;}", "float f(){return 1;}"},
        {"void f(void);void f(){}", "void f();void f(){}"},
        {"float4x3 f(in float a,out float2 b,inout float3x3 c,in out int d,const float e){}",
         "float4x3 f(float a,out float2 b,inout float3x3 c,inout int d,float e){}"},
        {"float f(float a=1,uniform float b[2]=0,sampler s,sampler3D t);",
         "float f(float a=1,float[2] b=0,sampler s,sampler3D t);"},
        {"float f(float,float2);", "float f(float ,float2 );"},
        {"float4 f(float2 uv:TEXCOORD0):COLOR0{return 1;};", "float4 f(float2 uv){return 1;}"},
        {"static inline float f(){}float g;", "float f(){}float g;"},
        {"#define V(n) float n\nV(a);V(f)(V(x)){return x;}", "float a;float f(float x){return x;}"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0], "", "\nshader_body{}", "", "{}");
}

static void test_messages(void **state)
{
    static const struct {
        const char *text;
        const char *start; /* of the message behind the file's name */
    } rows[] = {
        {"shader_body {\n ret = 1\n ret = 2; }",
         ":12:9: error: ';' is missing behind the statement, before 'ret'; end it with ';'"},
        {"shader_body {\n float a b; }", ":11:17: error: ';' is missing behind the declaration"},
        {"shader_body {\n ret = ; }", ":11:15: error: a value is missing before ';'"},
        {"shader_body {\n ret = 1 + }", ":11:19: error: a value is missing before the end of"},
        {"shader_body {\n ret = (1 + 2; }",
         ":11:21: error: ')' for the '(' at column 15 is missing before ';'"},
        {"shader_body {\n ret = f(1,\n 2; }",
         ":12:10: error: ')' for the '(' at line 11, column 16 is missing before ';'"},
        {"shader_body {\n ret = f(1,); }", ":11:19: error: a value is missing before ')'"},
        {"shader_body {\n ret = a[1; }", ":11:18: error: ']' for the '[' at column 16"},
        {"shader_body {\n if (a) { b; }", ":11:21: error: '}' for the '{' at column 16"},
        {"shader_body {\n a; } b; }", ":11:12: error: this '}' closes nothing; count the"},
        {"shader_body {\n a = 1 ? 2; }", ":11:18: error: ':' is missing for the '?', before ';'"},
        {"shader_body {\n a = 3x; }", ":11:13: error: malformed number '3x'; put an operator"},
        {"shader_body {\n a = $; }", ":11:13: error: a character that shaders do not have: '$'"},
        {"shader_body {\n a = \xE4; }",
         ":11:13: error: a character that shaders do not have (code 228)"},
        {"shader_body {\n a \"b\"; }", ":11:11: error: shaders have no texts in quotes"},
        {"shader_body {\n a.1; }", ":11:10: error: ';' is missing behind the statement"},
        {"shader_body {\n a.(x); }", ":11:11: error: a component behind '.' is missing before '('"},
        {"shader_body {\n else a; }", ":11:9: error: there is no 'if' for this 'else'"},
        {"shader_body {\n if a; }", ":11:12: error: '(' is missing around the condition"},
        {"shader_body {\n do a; }", ":11:15: error: 'while' is missing before the end of"},
        {"shader_body {\n for (a, b) c; }", ":11:18: error: ';' is missing behind the statement"},
        {"shader_body {\n for (a; b) c; }", ":11:18: error: ';' is missing behind the condition"},
        {"shader_body {\n switch (a) {} }", ":11:9: error: switch is not supported; write if"},
        {"shader_body {\n struct a {}; }", ":11:9: error: types of your own are not supported"},
        {"shader_body {\n float f(float x) { return x; } }",
         ":11:16: error: a ';' or '=' is missing before '('; functions stand before"},
        {"shader_body {\n float 3; }", ":11:15: error: the name of a variable is missing"},
        {"shader_body {\n a = float3; }", ":11:19: error: a '(' behind the type is missing"},
        {"shader_body {\n float a[]; }", ":11:15: error: the array has no length; write float"},
        {"shader_body {\n float a[0]; }", ":11:16: error: an array has 1 to 256 elements"},
        {"shader_body {\n float a[257]; }", ":11:16: error: an array has 1 to 256 elements"},
        {"shader_body {\n float a[2][2]; }", ":11:19: error: arrays of arrays are not supported"},
        {"shader_body {\n void a; }", ":11:14: error: a variable of type void; use float"},
        {"shader_body {\n vector<float,5> a; }", ":11:22: error: a size from 1 to 4 is missing"},
        {"a = 1;\nshader_body {}", ":10:8: error: the type of a variable or function is missing"},
        {"struct a {};\nshader_body {}", ":10:8: error: the type of a variable or function"},
        {"const struct a {};\nshader_body {}",
         ":10:14: error: types of your own (struct) are not supported; use separate"},
        {"float f(foo a) {}\nshader_body {}", ":10:16: error: a type is missing before 'foo'"},
        {"float f(float a) return 1;\nshader_body {}",
         ":10:25: error: '{' is missing behind the parameters, before 'return'"},
        {"float f() {\nshader_body { }", ":11:8: error: '}' for the '{' at line 10, column 18"},
        {"float a\nshader_body { }", ":11:8: error: ';' is missing behind the declaration, before"},
        {"float f(float a[]);\nshader_body { }", ":10:22: error: the length of an array parameter"},
        {"sampler s = sampler_state {\nshader_body { }",
         ":11:8: error: '}' for the '{' at line 10"},
        {"float a : register(c0;\nshader_body { }", ":11:8: error: ')' for the '(' at line 10"},
        {"float a : 1;\nshader_body { }", ":10:18: error: a name behind ':' is missing"},
        {"#define F(x) (x\nshader_body {\n ret = F(a); }",
         ":12:19: error: ')' for the '(' at column 15 is missing before ';'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome outcome = parsed(rows[i].text);
        const char *message = outcome.messages + strlen("stage.milk");
        assert_int_equal(outcome.result, -1);
        if (strncmp(message, rows[i].start, strlen(rows[i].start)) != 0) {
            print_message("%s\n", rows[i].text);
            assert_string_equal(message, rows[i].start);
        }
    }
}

static void test_places(void **state)
{
    struct stage_text stage;
    struct shader_tree tree;
    struct base_arena arena = {0};
    (void)state;
    open_text(&stage, "float a,\n  b;\nfloat f(float c)\n{}\nshader_body {\n  ret = a +\n b.x; }");
    assert_int_equal(shader_parse(&tree, &stage.source, &arena, &stage.sink), 0);
    const struct shader_expression *assign = tree.body->body->value;
    const struct base_place places[] = {
        tree.globals[0].variables[1].place,
        tree.globals[1].function->place,
        tree.globals[1].function->parameters[0].place,
        tree.body->body->place,
        assign->place,
        assign->b->place,
        assign->b->b->place,
        assign->b->b->a->place,
    };
    static const uint32_t wanted[][2] = {{11, 10}, {12, 14}, {12, 22}, {15, 10},
                                         {15, 14}, {15, 18}, {16, 10}, {16, 9}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_string_equal(places[i].file, "stage.milk");
        assert_int_equal(places[i].line, wanted[i][0]);
        assert_int_equal(places[i].column, wanted[i][1]);
    }
    base_arena_free(&arena);
    close_text(&stage);
}

/* Deep trees end in a message; wide ones are fine up to the limit. */
static void test_depth(void **state)
{
    static const struct {
        const char *start;
        const char *part;
        size_t count;
        const char *end;
        const char *message; /* NULL: fine */
    } rows[] = {
        {"shader_body { a = 0", "+1", SHADER_DEPTH_MAX - 2, "; }", NULL},
        {"shader_body { a = 0", "+1", SHADER_DEPTH_MAX, "; }", "more than 500 levels"},
        {"shader_body { a = ", "(", 150, "1", "missing"},
        {"shader_body { a = ", "(", 5000, "1", "nested more than 200 levels"},
        {"shader_body { a = ", "- ", 5000, "1; }", "nested more than 200 levels"},
        {"shader_body { a = ", "(float)", 5000, "1; }", "nested more than 200 levels"},
        {"shader_body { a = ", "f(", 5000, "1; }", "nested more than 200 levels"},
        {"shader_body { a = ", "1?2:", 5000, "1; }", "nested more than 200 levels"},
        {"shader_body { a", "=a", 5000, "; }", "nested more than 200 levels"},
        {"shader_body { a", ".x", 5000, "; }", "more than 500 levels"},
        {"shader_body { a", "[0]", 5000, "; }", "more than 500 levels"},
        {"shader_body { a", "++", 5000, "; }", "more than 500 levels"},
        {"shader_body { a", ",a", 5000, "; }", "more than 500 levels"},
        {"shader_body { ", "{", 5000, "}", "nested more than 200 levels"},
        {"shader_body { ", "if(a)b;else ", 5000, "; }", "nested more than 200 levels"},
        {"shader_body { ", "for(;;)", 5000, "; }", "nested more than 200 levels"},
        {"shader_body { float a[]=", "{", 5000, "}", "nested more than 200 levels"},
        {"shader_body { ", "a=1;", 100000, "}", NULL},
        {"shader_body { f(0", ",1", 50000, "); }", NULL},
        {"shader_body { float a", ",b", 50000, "; }", NULL},
        {"float f(float a", ",float b", 20000, ");\nshader_body { }", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stage_text stage;
        struct shader_tree tree;
        struct base_arena arena = {0};
        char *text = repeated(rows[i].start, rows[i].part, rows[i].count, rows[i].end);
        char *closed = repeated(text, "}", 1, "");
        open_text(&stage, rows[i].message == NULL ? text : closed);
        const int result = shader_parse(&tree, &stage.source, &arena, &stage.sink);
        assert_int_equal(result, rows[i].message == NULL ? 0 : -1);
        if (rows[i].message != NULL) {
            assert_int_equal(stage.messages.by_severity[BASE_ERROR], 1);
            assert_non_null(strstr(stage.messages.items[0].what, rows[i].message));
        }
        base_arena_free(&arena);
        close_text(&stage);
        free(text);
        free(closed);
    }
}

/* An arena that runs full is a message too, at whatever point. */
static void test_no_memory(void **state)
{
    static const char text[] = "#define F(x) x##1\n#if F(1)\nfloat a[]={1,2};\n#endif\n"
                               "float f(float x){return (float)x;}\n"
                               "shader_body { for(int i=0;i<2;i++) ret=F(a)[i]?f(1):-1; }";
    size_t failed = 0;
    (void)state;
    for (size_t limit = 16; limit < 40000; limit += 16) {
        struct stage_text stage;
        struct shader_tree tree;
        struct base_arena arena;
        base_arena_init(&arena, limit);
        open_text(&stage, text);
        const int result = shader_parse(&tree, &stage.source, &arena, &stage.sink);
        assert_int_equal(stage.messages.by_severity[BASE_ERROR], result == 0 ? 0 : 1);
        assert_int_equal(result == 0, !arena.failed);
        failed += result == 0 ? 0 : 1;
        base_arena_free(&arena);
        close_text(&stage);
    }
    assert_in_range(failed, 100, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_statements),
        cmocka_unit_test(test_globals),     cmocka_unit_test(test_messages),
        cmocka_unit_test(test_places),      cmocka_unit_test(test_depth),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
