/* Macros: their definitions, and what a use of one becomes. */
#include <string.h>

#include "renderer/shader/text/preprocess.h"

/* One use of a macro with arguments. */
struct call {
    struct shader_macro *macro;
    size_t place;
    struct shader_tokens tokens;    /* of all arguments as they stand */
    size_t *starts;                 /* of each argument in tokens, and the end of the last */
    size_t count;                   /* of arguments */
    struct shader_tokens *expanded; /* of each argument, once it is asked for */
    bool *is_expanded;
};

static const uint32_t paste_mark = SHADER_MARK2('#', '#');

static struct shader_macro **bucket_of(struct shader_preprocessor *pp, struct base_span name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.size; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 16777619u;
    }
    return &pp->buckets[(hash ^ hash >> 16) % SHADER_MACRO_BUCKETS];
}

struct shader_macro *shader_macro_find(struct shader_preprocessor *pp, struct base_span name)
{
    struct shader_macro *macro = *bucket_of(pp, name);
    while (macro != NULL && !base_span_equal(macro->name, name)) {
        macro = macro->next;
    }
    return macro;
}

void shader_macro_undefine(struct shader_preprocessor *pp, struct base_span name)
{
    struct shader_macro **link = bucket_of(pp, name);
    while (*link != NULL && !base_span_equal((*link)->name, name)) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = (*link)->next;
    }
}

static bool no_memory(struct shader_preprocessor *pp)
{
    shader_text_no_memory(pp->text);
    return false;
}

static bool add(struct shader_preprocessor *pp, struct shader_tokens *out,
                const struct shader_token *tokens, size_t count)
{
    return shader_tokens_add(out, pp->arena, tokens, count) || no_memory(pp);
}

/* Macros may double their text again and again. */
static bool charge(struct shader_preprocessor *pp, size_t count, size_t place)
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

static bool parameter_wrong(struct shader_preprocessor *pp, const struct shader_token *token)
{
    shader_text_complain(pp->text, token->offset, "write #define name(a, b) text",
                         "the parameters of the macro are malformed");
    return false;
}

/* From the token behind '('; *next is set behind ')'. */
static bool read_parameters(struct shader_preprocessor *pp, struct shader_macro *macro,
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

void shader_macro_define(struct shader_preprocessor *pp, const struct shader_tokens *line)
{
    const struct shader_token *items = line->items;
    struct shader_macro *macro = base_arena_alloc(pp->arena, sizeof *macro);
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
    shader_macro_undefine(pp, macro->name);
    struct shader_macro **bucket = bucket_of(pp, macro->name);
    macro->next = *bucket;
    *bucket = macro;
}

/* Reading. */

static bool push(struct shader_preprocessor *pp, const struct shader_token *tokens, size_t count,
                 struct shader_macro *macro)
{
    struct shader_macro_frame *larger = base_arena_grow(pp->arena, pp->frames, &pp->frame_capacity,
                                                        pp->frame_count + 1, sizeof *larger);
    if (larger == NULL) {
        return no_memory(pp);
    }
    pp->frames = larger;
    pp->frames[pp->frame_count++] = (struct shader_macro_frame){tokens, count, 0, macro};
    if (macro != NULL) {
        macro->active++;
    }
    return true;
}

struct shader_token shader_macro_read(struct shader_preprocessor *pp)
{
    while (pp->frame_count > pp->floor) {
        struct shader_macro_frame *frame = &pp->frames[pp->frame_count - 1];
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
static uint32_t peek_mark(const struct shader_preprocessor *pp)
{
    for (size_t i = pp->frame_count; i > pp->floor; i--) {
        const struct shader_macro_frame *frame = &pp->frames[i - 1];
        if (frame->next < frame->count) {
            return frame->tokens[frame->next].mark;
        }
    }
    struct shader_lexer ahead = pp->lexer;
    return pp->sealed ? 0 : shader_lex(&ahead).mark;
}

/* Calls. */

static bool end_argument(struct shader_preprocessor *pp, struct call *call, size_t *capacity)
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
static bool read_arguments(struct shader_preprocessor *pp, struct call *call)
{
    size_t capacity = 0;
    size_t open = 1;
    (void)shader_macro_read(pp);
    while (!pp->text->failed) {
        struct shader_token token = shader_macro_read(pp);
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

/* Adds what one token of the body becomes; raw: beside ##, where arguments stay as they are. */
static bool add_operand(struct shader_preprocessor *pp, struct call *call,
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
        if (!shader_macro_expand(pp, plain, count, expanded)) {
            return false;
        }
    }
    return add(pp, out, expanded->items, expanded->count);
}

/* Makes one token of the two, or leaves them as they are where that is none. */
static bool paste(struct shader_preprocessor *pp, struct shader_tokens *out, size_t left)
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

static bool substitute(struct shader_preprocessor *pp, struct call *call, struct shader_tokens *out)
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

bool shader_macro_take(struct shader_preprocessor *pp, struct shader_token token,
                       struct shader_tokens *out)
{
    struct shader_macro *macro = NULL;
    if (token.kind == SHADER_TOKEN_NAME && !token.painted) {
        macro = shader_macro_find(pp, shader_token_span(&token));
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

bool shader_macro_expand(struct shader_preprocessor *pp, const struct shader_token *tokens,
                         size_t count, struct shader_tokens *out)
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
        const struct shader_token token = shader_macro_read(pp);
        if (token.kind == SHADER_TOKEN_END) {
            break;
        }
        fine = shader_macro_take(pp, token, out);
    }
    pp->depth--;
    pp->sealed = sealed;
    pp->floor = floor;
    return fine;
}
