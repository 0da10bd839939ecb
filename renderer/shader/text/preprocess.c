/* The preprocessor: macros, their definitions and what a use of one becomes; conditions;
 * directives. */
#include "renderer/shader/text/preprocess.h"

#include <string.h>

/* ---- macros ---- */

struct macro {
    struct base_span name;
    bool function; /* takes arguments */
    struct base_span *parameters;
    size_t parameter_count;
    struct shader_tokens body;
    size_t active; /* expansions being read: the name stays as it is meanwhile */
    struct macro *next;
};

/* Tokens that are read before anything else: what a macro left, or an argument. */
struct frame {
    const struct shader_token *tokens;
    size_t count;
    size_t next;
    struct macro *macro; /* active while this is read; NULL: an argument or a line */
};

enum { BUCKETS = 256 };

struct preprocessor {
    struct shader_text *text;
    struct base_arena *arena;
    struct shader_lexer lexer;
    struct macro *buckets[BUCKETS];
    struct frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    size_t floor; /* frames below it are not read */
    bool sealed;  /* the text below the frames is not read either */
    size_t made;  /* tokens by macros */
    unsigned depth;
};

/* One use of a macro with arguments. */
struct call {
    struct macro *macro;
    size_t place;
    struct shader_tokens tokens;    /* of all arguments as they stand */
    size_t *starts;                 /* of each argument in tokens, and the end of the last */
    size_t count;                   /* of arguments */
    struct shader_tokens *expanded; /* of each argument, once it is asked for */
    bool *is_expanded;
};

static const uint32_t paste_mark = SHADER_MARK2('#', '#');

static struct macro **bucket_of(struct preprocessor *pp, struct base_span name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.size; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 16777619u;
    }
    return &pp->buckets[(hash ^ hash >> 16) % BUCKETS];
}

static struct macro *find_macro(struct preprocessor *pp, struct base_span name)
{
    struct macro *macro = *bucket_of(pp, name);
    while (macro != NULL && !base_span_equal(macro->name, name)) {
        macro = macro->next;
    }
    return macro;
}

static void undefine(struct preprocessor *pp, struct base_span name)
{
    struct macro **link = bucket_of(pp, name);
    while (*link != NULL && !base_span_equal((*link)->name, name)) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = (*link)->next;
    }
}

static bool no_memory(struct preprocessor *pp)
{
    shader_text_no_memory(pp->text);
    return false;
}

static bool add(struct preprocessor *pp, struct shader_tokens *out,
                const struct shader_token *tokens, size_t count)
{
    return shader_tokens_add(out, pp->arena, tokens, count) || no_memory(pp);
}

/* Macros may double their text again and again. */
static bool charge(struct preprocessor *pp, size_t count, size_t place)
{
    pp->made += count;
    if (pp->made > SHADER_MACRO_TOKENS_MAX) {
        shader_text_complain(pp->text, place, "macros that use each other double their text",
                             "the macros make more than %d words and signs",
                             SHADER_MACRO_TOKENS_MAX);
        return false;
    }
    return true;
}

/* Definitions. */

static bool parameter_wrong(struct preprocessor *pp, const struct shader_token *token)
{
    shader_text_complain(pp->text, token->offset, "write #define name(a, b) text",
                         "the parameters of the macro are malformed");
    return false;
}

/* From the token behind '('; *next is set behind ')'. */
static bool read_parameters(struct preprocessor *pp, struct macro *macro,
                            const struct shader_tokens *line, size_t *next)
{
    const struct shader_token *items = line->items;
    size_t i = *next;
    size_t capacity = 0;
    if (i < line->count && items[i].mark == ')') {
        *next = i + 1;
        return true;
    }
    for (; i + 1 < line->count && items[i].kind == SHADER_TOKEN_NAME; i += 2) {
        if (macro->parameter_count >= SHADER_MACRO_PARAMETERS_MAX) {
            shader_text_complain(pp->text, items[i].offset, NULL, "a macro has up to %d parameters",
                                 SHADER_MACRO_PARAMETERS_MAX);
            return false;
        }
        struct base_span *larger = base_arena_grow(pp->arena, macro->parameters, &capacity,
                                                   macro->parameter_count + 1, sizeof *larger);
        if (larger == NULL) {
            return no_memory(pp);
        }
        macro->parameters = larger;
        larger[macro->parameter_count++] = shader_token_span(&items[i]);
        if (items[i + 1].mark == ')') {
            *next = i + 2;
            return true;
        }
        if (items[i + 1].mark != ',') {
            return parameter_wrong(pp, &items[i + 1]);
        }
    }
    return parameter_wrong(pp, &items[i < line->count ? i : line->count - 1]);
}

/* line: the tokens after `define`. */
static void define(struct preprocessor *pp, const struct shader_tokens *line)
{
    const struct shader_token *items = line->items;
    struct macro *macro = base_arena_alloc(pp->arena, sizeof *macro);
    if (macro == NULL) {
        (void)no_memory(pp);
        return;
    }
    size_t next = 1;
    macro->name = shader_token_span(&items[0]);
    if (line->count > 1 && items[1].mark == '(' &&
        items[1].offset == items[0].offset + items[0].size) {
        macro->function = true;
        next = 2;
        if (!read_parameters(pp, macro, line, &next)) {
            return;
        }
    }
    if (!add(pp, &macro->body, items + next, line->count - next)) {
        return;
    }
    for (size_t i = 0; i < macro->body.count; i++) {
        struct shader_token *token = &macro->body.items[i];
        token->line_start = false;
        token->parameter = 0;
        for (size_t k = 0; token->kind == SHADER_TOKEN_NAME && token->parameter == 0 &&
                           k < macro->parameter_count;
             k++) {
            if (base_span_equal(macro->parameters[k], shader_token_span(token))) {
                token->parameter = (uint16_t)(k + 1);
            }
        }
    }
    undefine(pp, macro->name);
    struct macro **bucket = bucket_of(pp, macro->name);
    macro->next = *bucket;
    *bucket = macro;
}

/* Reading. */

static bool push(struct preprocessor *pp, const struct shader_token *tokens, size_t count,
                 struct macro *macro)
{
    struct frame *larger = base_arena_grow(pp->arena, pp->frames, &pp->frame_capacity,
                                           pp->frame_count + 1, sizeof *larger);
    if (larger == NULL) {
        return no_memory(pp);
    }
    pp->frames = larger;
    pp->frames[pp->frame_count++] = (struct frame){tokens, count, 0, macro};
    if (macro != NULL) {
        macro->active++;
    }
    return true;
}

/* The next token of frames or text, as it stands. */
static struct shader_token read_token(struct preprocessor *pp)
{
    while (pp->frame_count > pp->floor) {
        struct frame *frame = &pp->frames[pp->frame_count - 1];
        if (frame->next < frame->count) {
            return frame->tokens[frame->next++];
        }
        if (frame->macro != NULL) {
            frame->macro->active--;
        }
        pp->frame_count--;
    }
    return pp->sealed ? (struct shader_token){.kind = SHADER_TOKEN_END} : shader_lex(&pp->lexer);
}

/* The mark that is read next, or 0. */
static uint32_t peek_mark(const struct preprocessor *pp)
{
    for (size_t i = pp->frame_count; i > pp->floor; i--) {
        const struct frame *frame = &pp->frames[i - 1];
        if (frame->next < frame->count) {
            return frame->tokens[frame->next].mark;
        }
    }
    struct shader_lexer ahead = pp->lexer;
    return pp->sealed ? 0 : shader_lex(&ahead).mark;
}

/* Calls. */

static bool end_argument(struct preprocessor *pp, struct call *call, size_t *capacity)
{
    size_t *larger =
        base_arena_grow(pp->arena, call->starts, capacity, call->count + 2, sizeof *larger);
    if (larger == NULL) {
        return no_memory(pp);
    }
    call->starts = larger;
    call->starts[++call->count] = call->tokens.count;
    return true;
}

/* Reads the arguments behind a macro's name; '(' follows. */
static bool read_arguments(struct preprocessor *pp, struct call *call)
{
    size_t capacity = 0;
    size_t open = 1;
    (void)read_token(pp);
    while (!pp->text->failed) {
        struct shader_token token = read_token(pp);
        if (token.kind == SHADER_TOKEN_END || token.kind == SHADER_TOKEN_BODY) {
            const struct base_span name = call->macro->name;
            shader_text_complain(pp->text, call->place, "count the brackets",
                                 "missing ')' behind the arguments of the macro '%.*s'",
                                 (int)(name.size < 60 ? name.size : 60), name.data);
            return false;
        }
        open += token.mark == '(' ? 1 : 0;
        open -= token.mark == ')' ? 1 : 0;
        if (open == 0) {
            return end_argument(pp, call, &capacity);
        }
        if (open == 1 && token.mark == ',') {
            (void)end_argument(pp, call, &capacity);
            continue;
        }
        token.line_start = false;
        if (!charge(pp, 1, call->place) || !add(pp, &call->tokens, &token, 1)) {
            return false;
        }
    }
    return false;
}

/* An argument as it stands. */
static const struct shader_token *plain_argument(const struct call *call, size_t index,
                                                 size_t *count)
{
    const size_t start = call->starts[index];
    *count = call->starts[index + 1] - start;
    return *count > 0 ? call->tokens.items + start : NULL;
}

static bool expand(struct preprocessor *pp, const struct shader_token *tokens, size_t count,
                   struct shader_tokens *out);

/* Adds what one token of the body becomes; raw: beside ##, where arguments stay as they are. */
static bool add_operand(struct preprocessor *pp, struct call *call,
                        const struct shader_token *token, bool raw, struct shader_tokens *out)
{
    if (token->parameter == 0) {
        struct shader_token copy = *token;
        copy.offset = (uint32_t)call->place;
        return add(pp, out, &copy, 1);
    }
    const size_t index = token->parameter - 1u;
    if (raw) {
        size_t count;
        const struct shader_token *plain = plain_argument(call, index, &count);
        return add(pp, out, plain, count);
    }
    struct shader_tokens *expanded = &call->expanded[index];
    if (!call->is_expanded[index]) {
        size_t count;
        const struct shader_token *plain = plain_argument(call, index, &count);
        call->is_expanded[index] = true;
        if (!expand(pp, plain, count, expanded)) {
            return false;
        }
    }
    return add(pp, out, expanded->items, expanded->count);
}

/* Makes one token of the two, or leaves them as they are where that is none. */
static bool paste(struct preprocessor *pp, struct shader_tokens *out, size_t left)
{
    const struct shader_token a = out->items[left];
    const struct shader_token b = out->items[left + 1];
    const size_t size = (size_t)a.size + b.size;
    if (!charge(pp, size, a.offset)) {
        return false;
    }
    char *text = base_arena_alloc(pp->arena, size);
    if (text == NULL) {
        return no_memory(pp);
    }
    memcpy(text, a.text, a.size);
    memcpy(text + a.size, b.text, b.size);
    struct shader_lexer lexer = {.data = text, .size = size, .body = SIZE_MAX};
    struct shader_token token = shader_lex(&lexer);
    if (lexer.offset != size) {
        return true;
    }
    token.offset = a.offset;
    token.line_start = false;
    out->items[left] = token;
    memmove(out->items + left + 1, out->items + left + 2,
            (out->count - left - 2) * sizeof *out->items);
    out->count--;
    return true;
}

static bool substitute(struct preprocessor *pp, struct call *call, struct shader_tokens *out)
{
    const struct shader_tokens *body = &call->macro->body;
    size_t last_size = 0; /* tokens of the operand before */
    for (size_t i = 0; i < body->count; i++) {
        const bool pasted = i > 0 && i + 1 < body->count && body->items[i].mark == paste_mark;
        i += pasted ? 1 : 0;
        const bool raw = pasted || (i + 2 < body->count && body->items[i + 1].mark == paste_mark);
        const size_t before = out->count;
        if (!add_operand(pp, call, &body->items[i], raw, out) ||
            !charge(pp, 1 + out->count - before, call->place)) {
            return false;
        }
        const size_t size = out->count - before;
        if (pasted && last_size > 0 && size > 0 && !paste(pp, out, before - 1)) {
            return false;
        }
        last_size = size + (pasted ? last_size : 0);
    }
    return true;
}

/* Adds to out what a token stands for, and reads more tokens if it takes arguments. A macro adds
 * nothing yet: its tokens are read next. false after an error. */
static bool take_token(struct preprocessor *pp, struct shader_token token,
                       struct shader_tokens *out)
{
    struct macro *macro = NULL;
    if (token.kind == SHADER_TOKEN_NAME && !token.painted) {
        macro = find_macro(pp, shader_token_span(&token));
    }
    if (macro != NULL && macro->active > 0) {
        token.painted = true;
        macro = NULL;
    }
    if (macro == NULL || (macro->function && peek_mark(pp) != '(')) {
        return add(pp, out, &token, 1);
    }
    struct call call = {.macro = macro, .place = token.offset};
    if (macro->function) {
        const size_t wanted = macro->parameter_count;
        if (!read_arguments(pp, &call)) {
            return false;
        }
        if (call.count != wanted && (wanted > 0 || call.tokens.count > 0 || call.count > 1)) {
            shader_text_complain(pp->text, call.place, "see its #define",
                                 "the macro '%.*s' takes %zu arguments, not %zu",
                                 (int)(macro->name.size < 60 ? macro->name.size : 60),
                                 macro->name.data, wanted, call.count);
            return false;
        }
        call.expanded = base_arena_array(pp->arena, wanted, sizeof *call.expanded);
        call.is_expanded = base_arena_array(pp->arena, wanted, sizeof *call.is_expanded);
        if (call.expanded == NULL || call.is_expanded == NULL) {
            return no_memory(pp);
        }
    }
    struct shader_tokens result = {NULL, 0, 0};
    return charge(pp, 1, call.place) && substitute(pp, &call, &result) &&
           push(pp, result.items, result.count, macro);
}

/* Adds to out what a list of tokens stands for. false after an error. */
static bool expand(struct preprocessor *pp, const struct shader_token *tokens, size_t count,
                   struct shader_tokens *out)
{
    if (pp->depth >= SHADER_MACRO_DEPTH_MAX) {
        shader_text_complain(pp->text, count > 0 ? tokens[0].offset : 0, "use variables between",
                             "macros are nested more than %d levels deep", SHADER_MACRO_DEPTH_MAX);
        return false;
    }
    const size_t floor = pp->floor;
    const bool sealed = pp->sealed;
    pp->floor = pp->frame_count;
    pp->sealed = true;
    pp->depth++;
    bool fine = push(pp, tokens, count, NULL);
    while (fine) {
        const struct shader_token token = read_token(pp);
        if (token.kind == SHADER_TOKEN_END) {
            break;
        }
        fine = take_token(pp, token, out);
    }
    pp->depth--;
    pp->sealed = sealed;
    pp->floor = floor;
    return fine;
}

/* ---- conditions ---- */

enum { DEPTH_MAX = 200 };

/* Reads the tokens of a condition, which end with an END. */
struct reader {
    struct preprocessor *pp;
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
static bool replace_defined(struct preprocessor *pp, const struct shader_tokens *line,
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
            token.text = find_macro(pp, shader_token_span(name)) != NULL ? "1" : "0";
            token.size = 1;
        }
        if (!shader_tokens_add(out, pp->arena, &token, 1)) {
            return false;
        }
        i += size > 0 ? size : 1;
    }
    return true;
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
    struct preprocessor pp;
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

/* Whether the condition of #if or #elif holds; false after an error too. */
static bool evaluate(struct work *work, const struct directive *directive)
{
    struct preprocessor *pp = &work->pp;
    struct shader_tokens plain = {NULL, 0, 0};
    struct shader_tokens tokens = {NULL, 0, 0};
    const struct shader_token end = {.kind = SHADER_TOKEN_END, .offset = directive->name.offset};
    if (!replace_defined(pp, &directive->line, &plain) ||
        !expand(pp, plain.items, plain.count, &tokens) ||
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
    return find_macro(&work->pp, shader_token_span(&directive->line.items[0])) != NULL;
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
        define(&work->pp, &directive->line);
    }
}

static void do_undef(struct work *work, const struct directive *directive)
{
    if (names_macro(work, directive)) {
        undefine(&work->pp, shader_token_span(&directive->line.items[0]));
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
        const struct shader_token token = read_token(&work.pp);
        if (token.line_start && token.mark == '#') {
            read_directive(&work);
        } else if (token.kind == SHADER_TOKEN_END) {
            break;
        } else if (is_active(&work)) {
            body = body || token.kind == SHADER_TOKEN_BODY;
            (void)take_token(&work.pp, token, tokens);
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
