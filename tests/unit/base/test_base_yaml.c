#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/yaml.h"

static const struct base_yaml *read_text(struct base_arena *arena, struct base_diag_list *messages,
                                         const char *text)
{
    *messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    return base_yaml_read(arena, "m.yaml", base_span_of(text), &sink);
}

/* The tree as one line: lists in [], maps in {}, quoted scalars in "". */
static void print_node(const struct base_yaml *node, char *text, size_t size)
{
    static const char *const brackets[] = {"", "[]", "{}"};
    const size_t used = strlen(text);
    if (node->kind == BASE_YAML_SCALAR) {
        (void)snprintf(text + used, size - used, node->quoted ? "\"%s\"" : "%s", node->text.data);
        return;
    }
    (void)snprintf(text + used, size - used, "%c", brackets[node->kind][0]);
    for (const struct base_yaml *child = node->first; child != NULL; child = child->next) {
        const size_t at = strlen(text);
        if (node->kind == BASE_YAML_MAP) {
            (void)snprintf(text + at, size - at, "%s:", child->key.data);
        }
        print_node(child, text, size);
        if (child->next != NULL) {
            strncat(text, ",", size - strlen(text) - 1);
        }
    }
    strncat(text, brackets[node->kind] + 1, size - strlen(text) - 1);
}

static void test_trees(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *tree;
    } rows[] = {
        {"", "{}"},
        {"# nothing\n", "{}"},
        {"{}", "{}"},
        {"word", "word"},
        {"a: 1\nb:\n  c: [x, 'y', [z]]\n  d: {}\n", "{a:1,b:{c:[x,\"y\",[z]],d:{}}}"},
        {"- 1\n- k: v\n  l: w\n-\n", "[1,{k:v,l:w},]"},
        {"{a: {a: 1}, b: 2}", "{a:{a:1},b:2}"},
        {"a: &anchor 1\n", "{a:1}"},
        {"---\na: 1\n...\n", "{a:1}"},
        {"%YAML 1.1\n%TAG !x! y\n---\na: 1\n", "{a:1}"},
        {"a: |\n  two\n  lines\n", "{a:\"two\nlines\n\"}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_arena arena = {0};
        struct base_diag_list messages;
        char tree[256] = "";
        const struct base_yaml *root = read_text(&arena, &messages, rows[i].text);
        assert_non_null(root);
        assert_int_equal(messages.count, 0);
        print_node(root, tree, sizeof tree);
        assert_string_equal(tree, rows[i].tree);
        base_arena_free(&arena);
    }
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"a: 1\nb: 2\na: 3\n",
         "m.yaml:3:1: error: 'a' stands twice in this map; the first one stands in line 1"},
        {"a: &x 1\nb: *x\n",
         "m.yaml:2:4: error: aliases are not supported; write the value itself"},
        {"a: 1\n---\nb: 1\n", "m.yaml:2:1: error: a file may hold one document only"},
        {"[a, b]: 1\n", "m.yaml:1:1: error: a key must be a word"},
        {"a: [1, 2\nb: 3\n", "m.yaml:2:2: error: did not find expected ',' or ']'; while parsing a "
                             "flow sequence that begins in line 1"},
        {"a: \xff\n", "m.yaml:1:4: error: invalid leading UTF-8 octet; the text must be UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_arena arena = {0};
        struct base_diag_list messages;
        char line[400];
        assert_null(read_text(&arena, &messages, rows[i].text));
        assert_int_equal(messages.count, 1);
        (void)base_diag_format(&messages.items[0], line, sizeof line);
        assert_string_equal(line, rows[i].message);
        base_arena_free(&arena);
    }
}

static void assert_refused(const char *text, size_t size, const char *what)
{
    struct base_arena arena = {0};
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    assert_null(base_yaml_read(&arena, "m.yaml", (struct base_span){text, size}, &sink));
    assert_int_equal(messages.count, 1);
    assert_non_null(strstr(messages.items[0].what, what));
    base_arena_free(&arena);
}

static void test_limits(void **state)
{
    (void)state;
    enum { MANY = 3 * BASE_YAML_NODES };
    char *text = malloc(BASE_YAML_TEXT + 1);
    assert_non_null(text);
    memset(text, '[', MANY);
    assert_refused(text, MANY, "nested too deeply");
    for (size_t i = 1; i < MANY; i++) {
        text[i] = i % 2 != 0 ? '0' : ',';
    }
    assert_refused(text, MANY, "too many values");
    memset(text, '%', 2 * BASE_YAML_DIRECTIVES + 2);
    for (size_t i = 1; i < 2 * BASE_YAML_DIRECTIVES + 2; i += 2) {
        text[i] = i % 4 == 1 ? '\n' : '\r';
    }
    assert_refused(text, 2 * BASE_YAML_DIRECTIVES + 2, "too many lines begin with %");
    memset(text, ' ', BASE_YAML_TEXT + 1);
    assert_refused(text, BASE_YAML_TEXT + 1, "larger than 16 MB");
    free(text);

    struct base_arena arena;
    base_arena_init(&arena, 1);
    struct base_diag_list messages;
    assert_null(read_text(&arena, &messages, "a: 1\n"));
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    base_arena_free(&arena);
}

static void test_many_keys(void **state)
{
    (void)state;
    enum { KEYS = 50000, LINE = 16 };
    char *text = malloc((size_t)KEYS * LINE + 1);
    size_t used = 0;
    assert_non_null(text);
    for (int i = 0; i < KEYS; i++) {
        used += (size_t)snprintf(text + used, LINE, "k%06d: 1\n", i);
    }
    struct base_arena arena = {0};
    struct base_diag_list messages;
    const struct base_yaml *root = read_text(&arena, &messages, text);
    assert_non_null(root);
    assert_int_equal(base_yaml_get(root, "k049999")->line, KEYS);
    assert_null(base_yaml_get(root, "k050000"));
    base_arena_free(&arena);
    free(text);
}

static void test_places(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct base_diag_list messages;
    const struct base_yaml *root = read_text(&arena, &messages, "# first\none:\n  two:   3\n");
    const struct base_yaml *two = base_yaml_get(base_yaml_get(root, "one"), "two");
    assert_int_equal(two->line, 3);
    assert_int_equal(two->column, 10);
    assert_int_equal(two->key_line, 3);
    assert_int_equal(two->key_column, 3);
    base_arena_free(&arena);
}

static void test_scalars(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_integer;
        int64_t integer;
        bool is_number;
        double number;
        int truth; /* -1: neither */
    } rows[] = {
        {"0", true, 0, true, 0, -1},
        {"+12", true, 12, true, 12, -1},
        {"-7", true, -7, true, -7, -1},
        {"012", true, 12, true, 12, -1},
        {"0x1F", true, 31, true, 31, -1},
        {"0o17", true, 15, true, 15, -1},
        {"9223372036854775807", true, INT64_MAX, true, 9223372036854775807.0, -1},
        {"9223372036854775808", false, 0, true, 9223372036854775808.0, -1},
        {"0x", false, 0, false, 0, -1},
        {"1a", false, 0, false, 0, -1},
        {"0o8", false, 0, false, 0, -1},
        {"-.nan", false, 0, false, 0, -1},
        {"1.5", false, 0, true, 1.5, -1},
        {".5e1", false, 0, true, 5, -1},
        {"1.", false, 0, true, 1, -1},
        {"100e6", false, 0, true, 1e8, -1},
        {"-.inf", false, 0, true, -INFINITY, -1},
        {"1e", false, 0, false, 0, -1},
        {".", false, 0, false, 0, -1},
        {"1 000", false, 0, false, 0, -1},
        {"'1'", false, 0, false, 0, -1},
        {"true", false, 0, false, 0, 1},
        {"False", false, 0, false, 0, 0},
        {"yes", false, 0, false, 0, -1},
        {"\"true\"", false, 0, false, 0, -1},
        {"\"1\\0\"", false, 0, false, 0, -1},
        {"[1]", false, 0, false, 0, -1},
        {"~", false, 0, false, 0, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_arena arena = {0};
        struct base_diag_list messages;
        int64_t integer = 0;
        double number = 0;
        bool truth = false;
        const struct base_yaml *node = read_text(&arena, &messages, rows[i].text);
        assert_non_null(node);
        assert_int_equal(base_yaml_integer(node, &integer), rows[i].is_integer);
        assert_true(!rows[i].is_integer || integer == rows[i].integer);
        assert_int_equal(base_yaml_number(node, &number), rows[i].is_number);
        assert_true(!rows[i].is_number || number == rows[i].number);
        assert_int_equal(base_yaml_truth(node, &truth), rows[i].truth >= 0);
        assert_true(rows[i].truth < 0 || truth == (rows[i].truth == 1));
        base_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),  cmocka_unit_test(test_messages),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_places), cmocka_unit_test(test_scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
