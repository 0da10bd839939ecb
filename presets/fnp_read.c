#include <math.h>
#include <stdio.h>

#include "presets/fnp.h"
#include "presets/keys.h"
#include "presets/number.h"
#include "presets/scan.h"

enum {
    FIRST_WAVE = 2, /* modes that the board draws */
    LAST_WAVE = 6,
};

/* ---- which texts these are ---- */

static bool is_small_word_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static struct base_span without_blanks(struct base_span text)
{
    while (text.size > 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.size--;
    }
    return text;
}

static bool begins(struct base_span text, const char *with)
{
    const size_t size = strlen(with);
    return text.size >= size && memcmp(text.data, with, size) == 0;
}

/* The first character after the word that begins the text, blanks skipped; '\0' if there is none.
 * The word has `size` bytes at least, and as many more as belong to it. */
static char behind_word(struct base_span text, size_t size)
{
    while (size < text.size && is_small_word_part(text.data[size])) {
        size++;
    }
    const struct base_span rest =
        without_blanks((struct base_span){text.data + size, text.size - size});
    return rest.size > 0 ? rest.data[0] : '\0';
}

/* The first character after `word`, with which the text begins, blanks skipped; '\0': none. */
static char behind(struct base_span text, const char *word)
{
    const size_t size = strlen(word);
    const struct base_span rest =
        without_blanks((struct base_span){text.data + size, text.size - size});
    return rest.size > 0 ? rest.data[0] : '\0';
}

/* A line that no .milk file has. */
static bool is_telling(struct base_span line)
{
    static const char *const words[] = {"per_frame", "per_pixel", "per_vertex"};
    line = without_blanks(line);
    if (line.size == 0 || strchr("pmi", line.data[0]) == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (begins(line, words[i])) {
            const char next = behind(line, words[i]);
            return next == ':' || next == '=' ||
                   (i == 2 && behind_word(line, strlen(words[i])) == '=');
        }
    }
    return (begins(line, "midi") && behind(line, "midi") == '"') ||
           (begins(line, "imagefile") && behind_word(line, strlen("imagefile")) == '=');
}

bool preset_fnp_is(const char *path, struct base_span text)
{
    const struct base_span ending = base_span_of(".fnp");
    const size_t size = strlen(path);
    if (size >= ending.size &&
        base_span_equal_nocase((struct base_span){path + size - ending.size, ending.size},
                               ending)) {
        return true;
    }
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span line;
    while (preset_scan_line(&scan, &line)) {
        if (is_telling(line)) {
            return true;
        }
    }
    return false;
}

/* ---- programs ---- */

static void add_line(struct preset_fnp *fnp, struct preset_fnp_program *program,
                     struct base_span text, uint32_t line, uint32_t column)
{
    struct base_source_line *lines = base_arena_grow(
        fnp->scratch, program->lines, &program->capacity, program->count + 1, sizeof *lines);
    const char *copy = base_arena_text(&fnp->preset->arena, text.data, text.size);
    program->size += text.size + 1;
    if (program->size > PRESET_FNP_PROGRAM_MAX) {
        fnp->token.line = line;
        fnp->token.column = column;
        preset_fnp_fail_long(fnp);
        return;
    }
    if (lines == NULL || copy == NULL) {
        preset_fnp_fail(fnp, NULL, "not enough memory");
        return;
    }
    program->lines = lines;
    lines[program->count++] =
        (struct base_source_line){.text = {copy, text.size}, .line = line, .column = column};
}

static void hand_over(struct preset_fnp *fnp, const struct preset_fnp_program *program,
                      struct base_source *source)
{
    struct preset *preset = fnp->preset;
    struct base_source_line *lines =
        base_arena_array(&preset->arena, program->count, sizeof *lines);
    if (lines == NULL) {
        preset_fnp_fail(fnp, NULL, "not enough memory");
        return;
    }
    if (program->count > 0) {
        memcpy(lines, program->lines, program->count * sizeof *lines);
    }
    *source = (struct base_source){preset->path, lines, program->count};
}

/* name=number; at the place of the initial value. */
static void add_start(struct preset_fnp *fnp, struct preset_fnp_program *program,
                      const char *variable, const struct preset_fnp_state *state)
{
    char number[PRESET_NUMBER_TEXT];
    char text[PRESET_NUMBER_TEXT + PRESET_FNP_NAME_MAX];
    preset_format_float((float)state->initial, number);
    const int size = snprintf(text, sizeof text, "%s=%s;", variable, number);
    add_line(fnp, program, (struct base_span){text, (size_t)size}, state->line, state->column);
}

/* ---- initial values ---- */

static const struct preset_key *key_of(const char *name)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (preset_keys[i].group == PRESET_GROUP_PRESET && strcmp(preset_keys[i].key, name) == 0) {
            return &preset_keys[i];
        }
    }
    return NULL;
}

static void set_fallbacks(struct preset *preset)
{
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        const struct preset_key *key = &preset_keys[row];
        for (size_t i = 0; i < preset_group_count(key->group); i++) {
            preset_key_set(key, (unsigned char *)preset + preset_group_offset(key->group, i),
                           key->fallback);
        }
    }
    preset->version = 100;
    preset->gamma = 1.0f;
    preset->wave_smoothing = 0.0f;
}

/* What no key of a preset can hold is set at the beginning of each frame. */
static void set_initial(struct preset_fnp *fnp, int row)
{
    const struct preset_fnp_name *name = &preset_fnp_names[row];
    const struct preset_fnp_state *state = preset_fnp_state_of(fnp, row);
    const double value = state->given ? state->initial : name->fallback;
    double held = name->fallback;
    if (name->key[0] != '\0') {
        const struct preset_key *key = key_of(name->key);
        held = preset_key_limit(key, value);
        preset_key_set(key, fnp->preset, held);
    } else if (name->variable[0] == 'q') {
        if (state->given) {
            add_start(fnp, &fnp->init, name->variable, state);
        }
        return;
    }
    if (state->given && !state->bound && fabs(held - value) > 1e-6 * fabs(value)) {
        add_start(fnp, &fnp->frame, name->variable, state);
    }
}

static void end_initial(struct preset_fnp *fnp)
{
    for (int row = 0; row < PRESET_FNP_NAMES && !fnp->failed; row++) {
        const bool first = preset_fnp_state_of(fnp, row) == &fnp->states[row];
        if (first && preset_fnp_names[row].access != PRESET_FNP_LIVE &&
            preset_fnp_names[row].access != PRESET_FNP_VERTEX) {
            set_initial(fnp, row);
        }
    }
}

static void want_style(struct preset_fnp *fnp, enum preset_fnp_style style)
{
    if (fnp->style != PRESET_FNP_EITHER && fnp->style != style) {
        preset_fnp_fail(fnp, "write per_frame: or per_frame=, not both in one patch",
                        "style mismatch");
    }
    fnp->style = style;
}

/* A key of .milk files that the board does not have. */
static bool is_foreign_key(struct base_span name)
{
    char text[PRESET_FNP_NAME_MAX + 1];
    memcpy(text, name.data, name.size);
    text[name.size] = '\0';
    for (size_t i = 0; i < PRESET_VERSION_ROWS; i++) {
        if (strcmp(preset_version_keys[i].key, text) == 0) {
            return true;
        }
    }
    return key_of(text) != NULL || begins(name, "wavecode_") || begins(name, "shapecode_");
}

static void leave_out(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    if (fnp->left_out++ == 0) {
        base_report(fnp->sink, BASE_WARNING, preset_fnp_place(fnp, name),
                    "convert the patch to .milk if it matters",
                    "'%.*s' and the like mean nothing to the board and are left out",
                    (int)name->text.size, name->text.data);
    }
}

static void take_initial(struct preset_fnp *fnp, const struct preset_fnp_token *name, double value)
{
    const int row = preset_fnp_find(name->text);
    if (row >= 0 && preset_fnp_names[row].access != PRESET_FNP_LIVE &&
        preset_fnp_names[row].access != PRESET_FNP_VERTEX) {
        struct preset_fnp_state *state = preset_fnp_state_of(fnp, row);
        *state = (struct preset_fnp_state){.given = true,
                                           .bound = state->bound,
                                           .initial = value,
                                           .line = name->line,
                                           .column = name->column};
        return;
    }
    if (row < 0 && is_foreign_key(name->text)) {
        leave_out(fnp, name);
        return;
    }
    if (row >= 0 || value != 0) {
        fnp->token = *name;
        preset_fnp_fail(fnp,
                        row >= 0 ? "assign it in per_vertex:"
                                 : "set it to 0, or in per_frame: if it is a variable of your own",
                        "'%.*s' has no initial value", (int)name->text.size, name->text.data);
        return;
    }
    want_style(fnp, PRESET_FNP_NEW);
    (void)preset_fnp_user(fnp, name->text);
}

static void read_initial(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    float value = 0;
    if (preset_fnp_bind(fnp, name)) {
        want_style(fnp, PRESET_FNP_NEW);
        return;
    }
    const bool minus = preset_fnp_at(fnp, "-");
    if (minus) {
        preset_fnp_next(fnp);
    }
    if (fnp->token.kind != PRESET_FNP_NUMBER ||
        preset_parse_float(fnp->token.text, &value) != PRESET_NUMBER_OK) {
        preset_fnp_fail(fnp, "calculate in per_frame:", "an initial value must be a number");
        return;
    }
    preset_fnp_next(fnp);
    if (!fnp->failed) {
        take_initial(fnp, name, minus ? -(double)value : (double)value);
    }
}

/* ---- sections ---- */

static void enter(struct preset_fnp *fnp, enum preset_fnp_section section)
{
    if (fnp->section == PRESET_FNP_INITIAL) {
        end_initial(fnp);
    }
    fnp->section = section;
}

/* per_frame: or per_vertex: */
static bool take_label(struct preset_fnp *fnp)
{
    const bool frame = preset_fnp_at(fnp, "per_frame");
    if ((!frame && !preset_fnp_at(fnp, "per_vertex")) || preset_fnp_peek(fnp) != ':') {
        return false;
    }
    const enum preset_fnp_section section = frame ? PRESET_FNP_PER_FRAME : PRESET_FNP_PER_VERTEX;
    want_style(fnp, PRESET_FNP_NEW);
    if (section <= fnp->section) {
        preset_fnp_fail(fnp, "first initial values, then per_frame:, then per_vertex:",
                        "the section stands in the wrong place");
    }
    enter(fnp, section);
    preset_fnp_next(fnp);
    preset_fnp_next(fnp);
    return true;
}

/* per_frame_1= and the like, up to the next such. */
static bool take_prefix(struct preset_fnp *fnp)
{
    const struct base_span word = fnp->token.text;
    const bool frame = begins(word, "per_frame");
    if (fnp->token.kind != PRESET_FNP_WORD || preset_fnp_peek(fnp) != '=' ||
        (!frame && !begins(word, "per_vertex") && !begins(word, "per_pixel"))) {
        return false;
    }
    if (begins(word, "per_frame_init") && !fnp->init_warned) {
        base_report(fnp->sink, BASE_WARNING, preset_fnp_place(fnp, &fnp->token), NULL,
                    "the board has no init equations: these run in each frame");
        fnp->init_warned = true;
    }
    want_style(fnp, PRESET_FNP_OLD);
    enter(fnp, frame ? PRESET_FNP_PER_FRAME : PRESET_FNP_PER_VERTEX);
    preset_fnp_next(fnp);
    preset_fnp_next(fnp);
    return true;
}

/* [preset00] */
static bool take_header(struct preset_fnp *fnp)
{
    if (!preset_fnp_at(fnp, "[")) {
        return false;
    }
    (void)preset_fnp_rest_of_line(fnp);
    preset_fnp_next(fnp);
    return true;
}

/* ---- statements ---- */

/* The name's value where the condition is false is the one that it had. */
static void write_statement(struct preset_fnp *fnp, const struct preset_fnp_token *name,
                            const struct preset_fnp_node *value,
                            const struct preset_fnp_node *condition, const char *before)
{
    struct preset_fnp_output output = {.arena = fnp->scratch};
    const char *variable = preset_fnp_assigning(fnp, name);
    if (variable == NULL) {
        return;
    }
    preset_fnp_put(&output, variable);
    preset_fnp_put(&output, "=");
    if (condition != NULL) {
        preset_fnp_put(&output, "if(");
        preset_fnp_put_truth(&output, condition);
        preset_fnp_put(&output, ",");
    }
    preset_fnp_put_value(&output, value);
    if (condition != NULL) {
        preset_fnp_put(&output, ",");
        preset_fnp_put(&output, before);
        preset_fnp_put(&output, ")");
    }
    preset_fnp_put(&output, ";");
    if (fnp->scratch->failed) {
        preset_fnp_fail(fnp, NULL, "not enough memory");
        return;
    }
    add_line(fnp, fnp->section == PRESET_FNP_PER_FRAME ? &fnp->frame : &fnp->vertex,
             (struct base_span){output.data, output.size}, name->line, name->column);
}

static void read_equation(struct preset_fnp *fnp, const struct preset_fnp_token *name)
{
    struct preset_fnp_node *condition = NULL;
    struct preset_fnp_node *value = preset_fnp_expression(fnp);
    if (value == NULL) {
        return;
    }
    const char *before = "0";
    if (preset_fnp_at(fnp, "if")) {
        preset_fnp_next(fnp);
        condition = preset_fnp_expression(fnp);
        before = condition != NULL ? preset_fnp_reading(fnp, name) : NULL;
        if (before == NULL) {
            return;
        }
    }
    write_statement(fnp, name, value, condition, before);
}

static void read_assignment(struct preset_fnp *fnp)
{
    const struct preset_fnp_token name = fnp->token;
    if (name.kind != PRESET_FNP_WORD || (name.text.data[0] >= '0' && name.text.data[0] <= '9')) {
        preset_fnp_fail(fnp, "write it like zoom = 1.02", "the name of a variable is missing");
        return;
    }
    preset_fnp_next(fnp);
    if (!preset_fnp_expect(fnp, "=", "write it like zoom = 1.02")) {
        return;
    }
    if (fnp->section == PRESET_FNP_INITIAL) {
        read_initial(fnp, &name);
    } else {
        read_equation(fnp, &name);
    }
}

static void read_statement(struct preset_fnp *fnp)
{
    if (preset_fnp_at(fnp, ";")) {
        preset_fnp_next(fnp);
        return;
    }
    if (take_header(fnp) || take_label(fnp) || take_prefix(fnp)) {
        return;
    }
    if (fnp->section == PRESET_FNP_INITIAL && preset_fnp_images(fnp)) {
        return;
    }
    if (fnp->section == PRESET_FNP_INITIAL && preset_fnp_midi(fnp)) {
        want_style(fnp, PRESET_FNP_NEW);
        return;
    }
    read_assignment(fnp);
}

/* ---- the end ---- */

static const struct preset_fnp_state *state_named(struct preset_fnp *fnp, const char *name)
{
    return preset_fnp_state_of(fnp, preset_fnp_find(base_span_of(name)));
}

/* A wave that the board does not draw, froth's renderer does not draw either. */
static void leave_out_wave(struct preset_fnp *fnp)
{
    const struct preset_fnp_state *mode = state_named(fnp, "wave_mode");
    const double number = trunc(mode->given ? mode->initial : 1);
    if (mode->in_frame || mode->bound || (number >= FIRST_WAVE && number <= LAST_WAVE)) {
        return;
    }
    fnp->preset->wave_a = 0.0f;
    if (state_named(fnp, "wave_a")->in_frame) {
        add_line(fnp, &fnp->frame, base_span_of("wave_a=0;"), 0, 0);
    }
}

/* The time that the motion goes by may be another one in each vertex, but froth hands a variable on
 * from vertex to vertex. */
static void keep_time(struct preset_fnp *fnp)
{
    static const char begin[] = "time=q32;";
    if (!state_named(fnp, "time")->in_vertex) {
        return;
    }
    add_line(fnp, &fnp->frame, base_span_of("q32=time;"), 0, 0);
    add_line(fnp, &fnp->vertex, base_span_of(begin), 0, 0);
    if (!fnp->failed) {
        struct base_source_line *lines = fnp->vertex.lines;
        const struct base_source_line first = lines[fnp->vertex.count - 1];
        memmove(lines + 1, lines, (fnp->vertex.count - 1) * sizeof *lines);
        lines[0] = first;
    }
}

static void read_all(struct preset_fnp *fnp)
{
    preset_fnp_next(fnp);
    while (fnp->token.kind != PRESET_FNP_END && !fnp->failed) {
        read_statement(fnp);
    }
    if (fnp->section == PRESET_FNP_INITIAL && !fnp->failed) {
        end_initial(fnp);
    }
    if (!fnp->failed) {
        preset_fnp_connect(fnp);
        leave_out_wave(fnp);
        keep_time(fnp);
    }
    if (!fnp->failed) {
        hand_over(fnp, &fnp->init, &fnp->preset->init);
        hand_over(fnp, &fnp->frame, &fnp->preset->per_frame);
        hand_over(fnp, &fnp->vertex, &fnp->preset->per_vertex);
    }
}

bool preset_fnp_read(struct preset *preset, const char *path, struct base_span text,
                     struct base_arena *scratch, const struct base_diag_sink *sink)
{
    struct preset_fnp *fnp = base_arena_alloc(scratch, sizeof *fnp);
    if (fnp == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "not enough memory");
        return false;
    }
    *fnp = (struct preset_fnp){
        .path = path, .sink = sink, .preset = preset, .scratch = scratch, .text = text, .line = 1};
    set_fallbacks(preset);
    preset->language = PRESET_LANGUAGE_BOARD;
    preset->text = text;
    read_all(fnp);
    return !fnp->failed;
}
