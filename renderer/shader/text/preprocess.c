/* Directives and their conditions. */
#include "renderer/shader/text/preprocess.h"

enum { DEPTH_MAX = 200 };

/* Reads the tokens of a condition, which end with an END. */
struct reader {
    struct shader_preprocessor *pp;
    const struct shader_token *token;
    unsigned depth;
    bool unused; /* the part before && or || has decided already: 1/0 is fine */
};

static const struct operator_row {
    uint32_t mark;
    int level;
} operators[] = {
    {SHADER_MARK2('|', '|'), 1},
    {SHADER_MARK2('&', '&'), 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {SHADER_MARK2('=', '='), 6},
    {SHADER_MARK2('!', '='), 6},
    {'<', 7},
    {'>', 7},
    {SHADER_MARK2('<', '='), 7},
    {SHADER_MARK2('>', '='), 7},
    {SHADER_MARK2('<', '<'), 8},
    {SHADER_MARK2('>', '>'), 8},
    {'+', 9},
    {'-', 9},
    {'*', 10},
    {'/', 10},
    {'%', 10},
};

static int64_t read_choice(struct reader *reader);

static int64_t wrong(struct reader *reader, const char *what)
{
    shader_text_complain(reader->pp->text, reader->token->offset,
                         "a condition has whole numbers, defined(NAME) and operators",
                         "%s in the condition of #if", what);
    return 0;
}

static int level_of(uint32_t mark)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (operators[i].mark == mark) {
            return operators[i].level;
        }
    }
    return 0;
}

static int64_t read_primary(struct reader *reader)
{
    const struct shader_token *token = reader->token;
    if (token->kind == SHADER_TOKEN_NUMBER) {
        enum shader_base base;
        const double number = shader_token_number(token, reader->pp->arena, &base);
        if (!(number < 9e18)) {
            (void)wrong(reader, "a number is too large");
        }
        reader->token++;
        return !(number < 9e18)                                       ? 0
               : base == SHADER_FLOAT && number > 0.0 && number < 1.0 ? 1
                                                                      : (int64_t)number;
    }
    if (token->kind == SHADER_TOKEN_NAME) {
        reader->token++;
        return shader_token_is(token, "true") ? 1 : 0;
    }
    if (token->mark != '(') {
        return wrong(reader, token->kind == SHADER_TOKEN_END ? "a value is missing"
                                                             : "there is something unexpected");
    }
    reader->token++;
    const int64_t value = read_choice(reader);
    if (reader->token->mark != ')') {
        return wrong(reader, "a ')' is missing");
    }
    reader->token++;
    return value;
}

static int64_t read_unary(struct reader *reader)
{
    const uint32_t mark = reader->token->mark;
    if (mark != '!' && mark != '-' && mark != '+' && mark != '~') {
        return read_primary(reader);
    }
    if (++reader->depth > DEPTH_MAX) {
        return wrong(reader, "there are too many levels");
    }
    reader->token++;
    const int64_t value = read_unary(reader);
    reader->depth--;
    switch (mark) {
    case '!':
        return value == 0;
    case '-':
        return (int64_t)(0 - (uint64_t)value);
    case '~':
        return ~value;
    default:
        return value;
    }
}

static int64_t combine(struct reader *reader, uint32_t mark, int64_t a, int64_t b)
{
    switch (mark) {
    case SHADER_MARK2('|', '|'):
        return a != 0 || b != 0;
    case SHADER_MARK2('&', '&'):
        return a != 0 && b != 0;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case SHADER_MARK2('<', '<'):
        return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b);
    case SHADER_MARK2('>', '>'):
        return b < 0 || b > 63 ? 0 : a >> b;
    case '+':
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case '-':
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case '*':
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case '/':
    case '%':
        if (b == 0) {
            return reader->unused ? 0 : wrong(reader, "there is a division by zero");
        }
        if (b == -1) {
            return mark == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
        }
        return mark == '/' ? a / b : a % b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case SHADER_MARK2('<', '='):
        return a <= b;
    case SHADER_MARK2('>', '='):
        return a >= b;
    case SHADER_MARK2('=', '='):
        return a == b;
    default:
        return a != b;
    }
}

static int64_t read_binary(struct reader *reader, int loosest)
{
    int64_t value = read_unary(reader);
    for (int level = level_of(reader->token->mark); level >= loosest && level > 0;
         level = level_of(reader->token->mark)) {
        const uint32_t mark = reader->token->mark;
        const bool unused = reader->unused;
        reader->unused = unused || (level == 1 && value != 0) || (level == 2 && value == 0);
        reader->token++;
        const int64_t right = read_binary(reader, level + 1);
        reader->unused = unused;
        value = combine(reader, mark, value, right);
    }
    return value;
}

static int64_t read_choice(struct reader *reader)
{
    if (++reader->depth > DEPTH_MAX) {
        return wrong(reader, "there are too many levels");
    }
    int64_t value = read_binary(reader, 1);
    if (reader->token->mark == '?') {
        const bool unused = reader->unused;
        reader->token++;
        reader->unused = unused || value == 0;
        const int64_t yes = read_choice(reader);
        if (reader->token->mark != ':') {
            return wrong(reader, "a ':' is missing");
        }
        reader->token++;
        reader->unused = unused || value != 0;
        const int64_t no = read_choice(reader);
        reader->unused = unused;
        value = value != 0 ? yes : no;
    }
    reader->depth--;
    return value;
}

/* Puts 1 or 0 for `defined NAME` and `defined(NAME)`. */
static bool replace_defined(struct shader_preprocessor *pp, const struct shader_tokens *line,
                            struct shader_tokens *out)
{
    for (size_t i = 0; i < line->count;) {
        const struct shader_token *tokens = line->items + i;
        const size_t count = line->count - i;
        struct shader_token token = tokens[0];
        size_t size = 0;
        if (shader_token_is(&token, "defined")) {
            size = count > 1 && tokens[1].kind == SHADER_TOKEN_NAME ? 2
                   : count > 3 && tokens[1].mark == '(' && tokens[2].kind == SHADER_TOKEN_NAME &&
                           tokens[3].mark == ')'
                       ? 4
                       : 0;
        }
        if (size > 0) {
            const struct shader_token *name = &tokens[size / 2];
            token.kind = SHADER_TOKEN_NUMBER;
            token.text = shader_macro_find(pp, shader_token_span(name)) != NULL ? "1" : "0";
            token.size = 1;
        }
        if (!shader_tokens_add(out, pp->arena, &token, 1)) {
            return false;
        }
        i += size > 0 ? size : 1;
    }
    return true;
}

/* Whether the condition of #if or #elif holds; false after an error too. place: of the directive.
 */
static bool read_condition(struct shader_preprocessor *pp, const struct shader_tokens *line,
                           size_t place)
{
    struct shader_tokens plain = {NULL, 0, 0};
    struct shader_tokens tokens = {NULL, 0, 0};
    const struct shader_token end = {.kind = SHADER_TOKEN_END, .offset = (uint32_t)place};
    if (!replace_defined(pp, line, &plain) ||
        !shader_macro_expand(pp, plain.items, plain.count, &tokens) ||
        !shader_tokens_add(&tokens, pp->arena, &end, 1)) {
        if (pp->arena->failed) {
            shader_text_no_memory(pp->text);
        }
        return false;
    }
    struct reader reader = {.pp = pp, .token = tokens.items};
    const int64_t value = read_choice(&reader);
    if (reader.token->kind != SHADER_TOKEN_END) {
        (void)wrong(&reader, "there is something unexpected");
    }
    return value != 0 && !pp->text->failed;
}

/* An #if that is not closed yet. */
struct branch {
    size_t place;
    bool outer;  /* the text around it counts */
    bool active; /* the text of this part counts */
    bool taken;  /* a part before counted, or this one does */
    bool last;   /* #else was there */
};

struct work {
    struct shader_preprocessor pp;
    struct branch *branches;
    size_t branch_count;
    size_t branch_capacity;
    bool warned; /* of a directive that is left out; once is enough */
};

/* One directive: `name` and the tokens behind it. */
struct directive {
    struct shader_token name;
    struct shader_tokens line;
};

static bool is_active(const struct work *work)
{
    return work->branch_count == 0 || work->branches[work->branch_count - 1].active;
}

static void complain(struct work *work, const struct directive *directive, const char *hint,
                     const char *what)
{
    shader_text_complain(work->pp.text, directive->name.offset, hint, "%s", what);
}

static void open_branch(struct work *work, const struct directive *directive, bool condition)
{
    const bool outer = is_active(work);
    struct branch *larger = base_arena_grow(work->pp.arena, work->branches, &work->branch_capacity,
                                            work->branch_count + 1, sizeof *larger);
    if (larger == NULL) {
        shader_text_no_memory(work->pp.text);
        return;
    }
    work->branches = larger;
    work->branches[work->branch_count++] = (struct branch){.place = directive->name.offset,
                                                           .outer = outer,
                                                           .active = outer && condition,
                                                           .taken = condition};
}

static bool evaluate(struct work *work, const struct directive *directive)
{
    return read_condition(&work->pp, &directive->line, directive->name.offset);
}

static void do_if(struct work *work, const struct directive *directive)
{
    open_branch(work, directive, is_active(work) && evaluate(work, directive));
}

static bool is_defined(struct work *work, const struct directive *directive)
{
    if (directive->line.count == 0 || directive->line.items[0].kind != SHADER_TOKEN_NAME) {
        complain(work, directive, "write #ifdef NAME", "the name of a macro is missing");
        return false;
    }
    return shader_macro_find(&work->pp, shader_token_span(&directive->line.items[0])) != NULL;
}

static void do_ifdef(struct work *work, const struct directive *directive)
{
    open_branch(work, directive, is_active(work) && is_defined(work, directive));
}

static void do_ifndef(struct work *work, const struct directive *directive)
{
    open_branch(work, directive, is_active(work) && !is_defined(work, directive));
}

/* The innermost #if, which can go on with another part; NULL after a message. */
static struct branch *next_part(struct work *work, const struct directive *directive)
{
    struct branch *branch = work->branch_count > 0 ? &work->branches[work->branch_count - 1] : NULL;
    if (branch == NULL || branch->last) {
        complain(work, directive, "count #if and #endif",
                 branch == NULL ? "there is no #if before" : "there was an #else already");
        return NULL;
    }
    return branch;
}

static void do_elif(struct work *work, const struct directive *directive)
{
    struct branch *branch = next_part(work, directive);
    if (branch != NULL) {
        branch->active = branch->outer && !branch->taken && evaluate(work, directive);
        branch->taken = branch->taken || branch->active;
    }
}

static void do_else(struct work *work, const struct directive *directive)
{
    struct branch *branch = next_part(work, directive);
    if (branch != NULL) {
        branch->active = branch->outer && !branch->taken;
        branch->taken = true;
        branch->last = true;
    }
}

static void do_endif(struct work *work, const struct directive *directive)
{
    if (work->branch_count == 0) {
        complain(work, directive, "count #if and #endif", "there is no #if before");
        return;
    }
    work->branch_count--;
}

static bool names_macro(struct work *work, const struct directive *directive)
{
    if (directive->line.count > 0 && directive->line.items[0].kind == SHADER_TOKEN_NAME) {
        return true;
    }
    complain(work, directive, "write #define NAME text", "the name of a macro is missing");
    return false;
}

static void do_define(struct work *work, const struct directive *directive)
{
    if (names_macro(work, directive)) {
        shader_macro_define(&work->pp, &directive->line);
    }
}

static void do_undef(struct work *work, const struct directive *directive)
{
    if (names_macro(work, directive)) {
        shader_macro_undefine(&work->pp, shader_token_span(&directive->line.items[0]));
    }
}

static void do_error(struct work *work, const struct directive *directive)
{
    complain(work, directive, NULL, "the shader stops here by #error");
}

static const struct row {
    const char *name;
    void (*follow)(struct work *work, const struct directive *directive);
    bool always; /* in parts that do not count too */
} rows[] = {
    {"if", do_if, true},          {"ifdef", do_ifdef, true},  {"ifndef", do_ifndef, true},
    {"elif", do_elif, true},      {"else", do_else, true},    {"endif", do_endif, true},
    {"define", do_define, false}, {"undef", do_undef, false}, {"error", do_error, false},
};

static void follow(struct work *work, const struct directive *directive)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (shader_token_is(&directive->name, rows[i].name)) {
            if (rows[i].always || is_active(work)) {
                rows[i].follow(work, directive);
            }
            return;
        }
    }
    if (is_active(work) && !work->warned) {
        const struct base_span name = shader_token_span(&directive->name);
        work->warned = true;
        base_report(work->pp.text->sink, BASE_WARNING,
                    shader_text_place(work->pp.text, directive->name.offset),
                    "known are #define, #undef, #if, #ifdef, #ifndef, #elif, #else and #endif",
                    "#%.*s is left out", (int)(name.size < 60 ? name.size : 60), name.data);
    }
}

/* Reads and follows the directive behind a '#'. It ends with the line, and before shader_body. */
static void read_directive(struct work *work)
{
    struct shader_lexer *lexer = &work->pp.lexer;
    struct directive directive = {.line = {NULL, 0, 0}};
    for (size_t i = 0; !work->pp.text->failed; i++) {
        struct shader_lexer ahead = *lexer;
        const struct shader_token token = shader_lex(&ahead);
        if (token.line_start || token.kind == SHADER_TOKEN_END || token.kind == SHADER_TOKEN_BODY) {
            if (i > 0) {
                follow(work, &directive);
            }
            return;
        }
        *lexer = ahead;
        if (i == 0) {
            directive.name = token;
        } else if (!shader_tokens_add(&directive.line, work->pp.arena, &token, 1)) {
            shader_text_no_memory(work->pp.text);
        }
    }
}

int shader_preprocess(struct shader_text *text, struct base_arena *arena,
                      struct shader_tokens *tokens)
{
    struct work work = {.pp = {.text = text,
                               .arena = arena,
                               .lexer = {.data = text->data,
                                         .size = text->size,
                                         .body = text->body,
                                         .inside = text->inside,
                                         .line_start = true}}};
    bool body = false;
    while (!text->failed) {
        const struct shader_token token = shader_macro_read(&work.pp);
        if (token.line_start && token.mark == '#') {
            read_directive(&work);
        } else if (token.kind == SHADER_TOKEN_END) {
            break;
        } else if (is_active(&work)) {
            body = body || token.kind == SHADER_TOKEN_BODY;
            (void)shader_macro_take(&work.pp, token, tokens);
        } else {
            shader_lex_skip_line(&work.pp.lexer);
        }
    }
    if (!text->failed && !body) {
        shader_text_complain(text, text->body, "count #if and #endif",
                             "shader_body stands in a part that #if leaves out");
    } else if (!text->failed && work.branch_count > 0) {
        const size_t place = work.branches[work.branch_count - 1].place;
        base_report(text->sink, BASE_WARNING, shader_text_place(text, place),
                    "write #endif before the last '}'", "there is no #endif for this");
    }
    const struct shader_token end = {.text = "", .offset = (uint32_t)text->size};
    if (!shader_tokens_add(tokens, arena, &end, 1)) {
        shader_text_no_memory(text);
    }
    return text->failed ? -1 : 0;
}
