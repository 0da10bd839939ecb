#include "oracle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/print.h"
#include "renderer/shader/lower/scope.h"
#include "renderer/shader/text/lex.h"

/* Today's language has other names for samplers, other rules for globals, and leaves to the machine
 * what Direct3D 9 fixes: roots, logarithms and powers of |x|, arcs beyond 1 (section 9.6). What is
 * added to the logarithm of a power, 0, keeps Mesa from seeing a power there, of which it takes the
 * first component only. */
static const char types[] =
    "#define float1 float\n#define half float\n#define half2 float2\n#define half3 float3\n#define "
    "half4 float4\n"
    "#define double float\n#define double2 float2\n#define double3 float3\n"
    "#define double4 float4\n"
    "#define sampler Texture2D\n#define sampler2D Texture2D\n#define sampler3D Texture3D\n"
    "#define point froth_point\n#define line froth_line\n#define triangle froth_triangle\n"
    "#define sample froth_sample\n#define linear froth_linear\n#define centroid froth_centroid\n"
    "#define precise froth_precise\n"
    "#define M_PI 3.14159265359\n#define M_PI_2 6.28318530718\n"
    "#define M_INV_PI_2 0.159154943091895\n";

static const char functions[] =
    "Texture2D froth_inputs;\nTexture2D froth_hue;\nSamplerState froth_state;\n"
    "float4 tex2D(Texture2D t, float2 p) { return t.Sample(froth_state, p); }\n"
    "float4 tex2Dlod(Texture2D t, float4 p) { return t.SampleLevel(froth_state, p.xy, p.w); }\n"
    "float4 tex2Dbias(Texture2D t, float4 p) { return t.SampleBias(froth_state, p.xy, p.w); }\n"
    "float4 tex3D(Texture3D t, float3 p) { return t.Sample(froth_state, p); }\n"
    "float4 tex3Dlod(Texture3D t, float4 p) { return t.SampleLevel(froth_state, p.xyz, p.w); }\n"
    "float4 tex3Dbias(Texture3D t, float4 p) { return t.SampleBias(froth_state, p.xyz, p.w); }\n"
    "float lum(float v) { return v * 1.1; }\n"
    "float lum(float2 v) { return dot(v, float2(0.32, 0.49)); }\n"
    "float lum(float4 v) { return dot(v.xyz, float3(0.32, 0.49, 0.29)); }\n"
    "float lum(float3 v) { return dot(v, float3(0.32, 0.49, 0.29)); }\n"
    "#define tex2d tex2D\n#define tex3d tex3D\n"
    "#define GetMain(p) (tex2D(sampler_main, p).xyz)\n"
    "#define GetPixel(p) (tex2D(sampler_main, p).xyz)\n"
    "#define GetBlur1(p) (tex2D(sampler_blur1, p).xyz * (blur1_max - blur1_min) + blur1_min)\n"
    "#define GetBlur2(p) (tex2D(sampler_blur2, p).xyz * (blur2_max - blur2_min) + blur2_min)\n"
    "#define GetBlur3(p) (tex2D(sampler_blur3, p).xyz * (blur3_max - blur3_min) + blur3_min)\n"
    "#define normalize(v) ((v) * min(rsqrt(dot(v, v)), 1e19))\n"
    "#define sqrt(x) sqrt(abs(x))\n#define rsqrt(x) rsqrt(abs(x))\n"
    "#define log(x) log(abs(x))\n#define log2(x) log2(abs(x))\n#define log10(x) log10(abs(x))\n"
    "#define pow(x, y) exp2((y) * (log2(x) + froth_zero))\n"
    "#define asin(x) asin(clamp(x, -1, 1))\n#define acos(x) acos(clamp(x, -1, 1))\n";

static const char *const inputs[SHADER_STAGES] = {
    "float4 froth_main(float4 froth_position : SV_Position) : SV_Target0\n{\n"
    "float4 froth_first = froth_inputs.Load(int3(froth_position.xy, 0));\n"
    "float4 froth_second = froth_hue.Load(int3(froth_position.xy, 0));\n"
    "float2 uv = froth_first.xy;\nfloat2 uv_orig = froth_first.zw;\n"
    "float rad = froth_second.w;\nfloat ang = froth_second.x;\nfloat3 ret = 0;\n",
    "#define uv_orig uv\n"
    "float4 froth_main(float4 froth_position : SV_Position) : SV_Target0\n{\n"
    "float4 froth_first = froth_inputs.Load(int3(froth_position.xy, 0));\n"
    "float3 hue_shader = froth_hue.Load(int3(froth_position.xy, 0)).xyz;\n"
    "float2 uv = froth_first.xy;\n"
    "float rad = froth_first.z;\nfloat ang = froth_first.w;\nfloat3 ret = 0;\n",
};

/* ---- words ---- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) != 0 || c == '_';
}

static size_t word_size(const char *data, size_t size)
{
    size_t k = 0;
    while (k < size && in_word(data[k])) {
        k++;
    }
    return k;
}

static size_t blank_size(const char *data, size_t size)
{
    size_t k = 0;
    while (k < size && isspace((unsigned char)data[k]) != 0) {
        k++;
    }
    return k;
}

static bool begins(const char *data, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(data, with, strlen(with)) == 0;
}

static bool contains(const char *data, size_t size, const char *what)
{
    for (size_t k = 0; k < size; k++) {
        if (begins(data + k, size - k, what)) {
            return true;
        }
    }
    return false;
}

/* ---- samplers and sizes ---- */

static struct oracle_sampler *note_sampler(struct oracle_text *text, const char *name, size_t size)
{
    for (size_t k = 0; k < text->sampler_count; k++) {
        if (strlen(text->samplers[k].name) == size &&
            memcmp(text->samplers[k].name, name, size) == 0) {
            return &text->samplers[k];
        }
    }
    struct shader_sampler_name meaning;
    if (text->sampler_count == ORACLE_SAMPLERS_MAX || size >= ORACLE_NAME ||
        !shader_sampler_name((struct base_span){name, size}, &meaning)) {
        return NULL;
    }
    struct oracle_sampler *sampler = &text->samplers[text->sampler_count++];
    memcpy(sampler->name, name, size);
    sampler->volume = meaning.volume;
    return sampler;
}

static void note_size(struct oracle_text *text, const char *name, size_t size)
{
    for (size_t k = 0; k < text->size_count; k++) {
        if (strlen(text->sizes[k]) == size && memcmp(text->sizes[k], name, size) == 0) {
            return;
        }
    }
    if (text->size_count < ORACLE_SIZES_MAX && size < ORACLE_NAME) {
        memcpy(text->sizes[text->size_count++], name, size);
    }
}

/* A sampler is of a volume if its declaration says so or if it is read as one. */
static void note_words(struct oracle_text *text, const char *data, size_t size)
{
    bool volume = false;
    for (size_t at = 0; at < size;) {
        const size_t length = word_size(data + at, size - at);
        const char *word = data + at;
        if (begins(word, length, "sampler_") && length > strlen("sampler_") &&
            !(begins(word, length, "sampler_state") && length == strlen("sampler_state"))) {
            struct oracle_sampler *sampler = note_sampler(text, word, length);
            if (sampler != NULL) {
                sampler->volume |= volume;
            }
        } else if (begins(word, length, "texsize_")) {
            note_size(text, word, length);
        }
        if (length > 0) {
            volume = begins(word, length, "tex3") || begins(word, length, "sampler3D");
        } else if (*word != '(' && isspace((unsigned char)*word) == 0) {
            volume = false;
        }
        at += length > 0 ? length : 1;
    }
}

/* ---- uniforms ---- */

struct uniform {
    const char *name;
    size_t slot;
    int rows;
    int columns;
};

static const struct uniform uniforms[] = {
#define SHADER_UNIFORM(name, rows, columns, reserved) {#name, SHADER_SLOT_##name, rows, columns},
#include "renderer/shader/ir/uniforms.def"
};

/* Every uniform is a variable, as some texts write to them: "froth_NAME" is what is given. */
static void write_uniform(FILE *out, const struct uniform *uniform)
{
    static const char *const ways[] = {"", "float", "float2", "float3", "float4"};
    const size_t slot = uniform->slot;
    if (uniform->rows > 1) {
        (void)fprintf(out, "static float4x3 %s = froth_%s;\n", uniform->name, uniform->name);
        return;
    }
    (void)fprintf(out, "static %s %s = %s(", ways[uniform->columns], uniform->name,
                  ways[uniform->columns]);
    for (size_t k = 0; k < (size_t)uniform->columns; k++) {
        (void)fprintf(out, "%sfroth_slots[%zu].%c", k > 0 ? ", " : "", (slot + k) / 4,
                      "xyzw"[(slot + k) % 4]);
    }
    (void)fputs(");\n", out);
}

static void write_uniforms(FILE *out, const struct oracle_text *text)
{
    enum { COUNT = sizeof uniforms / sizeof *uniforms };
    (void)fprintf(out,
                  "cbuffer froth : register(b0)\n{\nfloat4 froth_slots[%d];\nfloat4 froth_zeros;\n",
                  (SHADER_SLOTS + 3) / 4);
    for (size_t k = 0; k < COUNT; k++) {
        if (uniforms[k].rows > 1) {
            (void)fprintf(out, "float4x3 froth_%s;\n", uniforms[k].name);
        }
    }
    for (size_t k = 0; k < text->size_count; k++) {
        (void)fprintf(out, "float4 froth_%s;\n", text->sizes[k]);
    }
    (void)fputs("};\nstatic float froth_zero = froth_zeros.x;\n", out);
    for (size_t k = 0; k < COUNT; k++) {
        write_uniform(out, &uniforms[k]);
    }
    for (size_t k = 0; k < text->size_count; k++) {
        (void)fprintf(out, "static float4 %s = froth_%s;\n", text->sizes[k], text->sizes[k]);
    }
}

/* Matrices stand in the block column by column. */
static size_t put_matrix(const struct uniform *uniform, const float *slots, float *to)
{
    for (size_t column = 0; column < 3; column++) {
        for (size_t row = 0; row < 4; row++) {
            to[4 * column + row] = slots[uniform->slot + 3 * row + column];
        }
    }
    return 12;
}

size_t oracle_text_block(const struct oracle_text *text, const struct oracle_scene *scene,
                         float block[ORACLE_BLOCK])
{
    size_t at = (SHADER_SLOTS + 3) / 4 * 4 + 4;
    memset(block, 0, ORACLE_BLOCK * sizeof *block);
    memcpy(block, scene->uniforms, sizeof scene->uniforms);
    for (size_t k = 0; k < sizeof uniforms / sizeof *uniforms; k++) {
        if (uniforms[k].rows > 1) {
            at += put_matrix(&uniforms[k], scene->uniforms, block + at);
        }
    }
    for (size_t k = 0; k < text->size_count; k++) {
        struct shader_sampler_name name;
        if (shader_sampler_name(base_span_of(text->sizes[k]), &name)) {
            const struct shader_texture *texture =
                oracle_scene_texture(scene, name.texture, name.volume);
            const float width = (float)texture->level[0].width;
            const float height = (float)texture->level[0].height;
            const float size[] = {width, height, 1 / width, 1 / height};
            memcpy(block + at, size, sizeof size);
        }
        at += 4;
    }
    return at;
}

/* ---- text ---- */

/* Pieces of texts that today's compiler refuses, and what says the same. */
static const char *const rewrites[][2] = {
    /* the end of a function that nobody calls, without its result */
    {"while (!dark && (n < 4)) {;}", "return 0;"},
};

static const char *const *rewrite_of(const char *data, size_t size)
{
    for (size_t k = 0; k < sizeof rewrites / sizeof *rewrites; k++) {
        if (begins(data, size, rewrites[k][0])) {
            return rewrites[k];
        }
    }
    return NULL;
}

/* A macro may be defined again: what stands there already is taken back first. */
static void copy(FILE *out, const char *data, size_t size)
{
    bool line_start = true;
    for (size_t at = 0; at < size; at++) {
        if (line_start && data[at] == '#') {
            size_t from = at + 1 + blank_size(data + at + 1, size - at - 1);
            if (begins(data + from, size - from, "define")) {
                from += strlen("define");
                from += blank_size(data + from, size - from);
                (void)fprintf(out, "#undef %.*s\n", (int)word_size(data + from, size - from),
                              data + from);
            }
        }
        line_start = data[at] == '\n' || (line_start && isspace((unsigned char)data[at]) != 0);
        const char *const *rewrite = rewrite_of(data + at, size - at);
        if (rewrite != NULL) {
            (void)fputs(rewrite[1], out);
            at += strlen(rewrite[0]) - 1;
        } else {
            (void)fputc(data[at], out);
        }
    }
}

static size_t line_size(const char *data, size_t size)
{
    size_t k = 0;
    while (k < size && (data[k] != '\n' || data[k - 1] == '\\')) {
        k++;
    }
    return k;
}

/* Of a statement of the global scope; *function: whether it is one. */
static size_t statement_size(const char *data, size_t size, bool *function)
{
    int depth = 0;
    bool decided = false;
    *function = false;
    for (size_t k = 0; k < size; k++) {
        const char c = data[k];
        if (!decided && strchr("(=;{[", c) != NULL) {
            decided = true;
            *function = c == '(';
        }
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (depth <= 0 && (c == ';' || (c == '}' && *function))) {
            return k + 1;
        }
    }
    return size;
}

/* A function of one number takes vectors too, and of them the first number. */
static void widen(FILE *out, const char *data, size_t size)
{
    const size_t type = word_size(data, size);
    const size_t name_at = type + blank_size(data + type, size - type);
    const size_t name = word_size(data + name_at, size - name_at);
    size_t at = name_at + name;
    at += blank_size(data + at, size - at);
    at += begins(data + at, size - at, "(") ? 1 : 0;
    at += blank_size(data + at, size - at);
    const bool number = begins(data + at, size - at, "float ");
    at += number ? strlen("float ") : 0;
    at += blank_size(data + at, size - at);
    at += word_size(data + at, size - at);
    at += blank_size(data + at, size - at);
    for (int k = 2; number && k <= 4 && begins(data + at, size - at, ")"); k++) {
        (void)fprintf(out, "\n%.*s %.*s(float%d froth_v) { return %.*s(froth_v.x); }", (int)type,
                      data, (int)name, data + name_at, k, (int)name, data + name_at);
    }
}

/* An array of vectors whose list has no braces of its own: they are put in. */
static bool copy_flat_list(FILE *out, const char *data, size_t size)
{
    const char *vector = strstr(data, "float");
    size_t open = 0;
    while (open < size && data[open] != '{') {
        open++;
    }
    if (open == size || vector == NULL || vector > data + open || vector[5] < '2' ||
        vector[5] > '4' || vector[6] == 'x' || contains(data + open + 1, size - open - 1, "{") ||
        !contains(data, open, "[") || contains(data + open, size - open, "float")) {
        return false;
    }
    (void)fprintf(out, "%.*s{{", (int)open, data);
    int count = 0;
    int depth = 0;
    for (size_t k = open + 1; k < size; k++) {
        depth += (data[k] == '(') - (data[k] == ')');
        if (data[k] == ',' && depth == 0 && ++count % (vector[5] - '0') == 0) {
            (void)fputs("},{", out);
        } else {
            (void)fprintf(out, data[k] == '}' ? "}%c" : "%c", data[k]);
        }
    }
    return true;
}

static void copy_statement(FILE *out, const char *data, size_t size, bool function, size_t number)
{
    const bool known = begins(data, size, "sampler") || begins(data, size, "texture") ||
                       (contains(data, size, "texsize_") && !contains(data, size, "="));
    if (function) {
        copy(out, data, size);
        widen(out, data, size);
    } else if (!known) {
        const bool is_static = begins(data, size, "static") || contains(data, size, " static ") ||
                               begins(data, size, "struct") || data[0] == ';';
        if (contains(data, size, "(")) {
            /* else glslang takes calls in it for calls of the function before */
            (void)fprintf(out, "void froth_at_%zu() {}\n", number);
        }
        (void)fputs(is_static ? "" : "static ", out);
        if (!copy_flat_list(out, data, size)) {
            copy(out, data, size);
        }
    }
    (void)fputc('\n', out);
}

/* Variables of the global scope can be written to only if they are static. */
static void copy_globals(FILE *out, const char *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        at += blank_size(data + at, size - at);
        if (at == size) {
            break;
        }
        bool function;
        size_t length;
        if (data[at] == '#') {
            length = line_size(data + at, size - at);
            copy(out, data + at, length);
            (void)fputc('\n', out);
        } else {
            length = statement_size(data + at, size - at, &function);
            copy_statement(out, data + at, length, function, at);
        }
        at += length;
    }
}

static void write_text(FILE *out, const struct oracle_text *text, enum shader_stage stage,
                       const struct shader_text *parts)
{
    (void)fputs(types, out);
    write_uniforms(out, text);
    for (size_t k = 0; k < text->sampler_count; k++) {
        (void)fprintf(out, "%s %s;\n", text->samplers[k].volume ? "Texture3D" : "Texture2D",
                      text->samplers[k].name);
    }
    (void)fputs(functions, out);
    copy_globals(out, parts->data, parts->body);
    (void)fputs(inputs[stage], out);
    copy(out, parts->data + parts->inside, parts->size - parts->inside);
    (void)fputs("\nreturn float4(ret, 1);\n}\n", out);
}

bool oracle_text_make(struct oracle_text *text, enum shader_stage stage,
                      const struct base_source *source)
{
    static const char *const always[] = {"sampler_main", "sampler_blur1", "sampler_blur2",
                                         "sampler_blur3"};
    memset(text, 0, sizeof *text);
    struct base_arena arena = {0};
    struct shader_text parts;
    size_t size;
    bool made = shader_text_make(&parts, source, &arena, &base_diag_stderr) == 0;
    FILE *out = made ? open_memstream(&text->hlsl, &size) : NULL;
    if (out != NULL) {
        for (size_t k = 0; k < sizeof always / sizeof *always; k++) {
            (void)note_sampler(text, always[k], strlen(always[k]));
        }
        note_words(text, parts.data, parts.size);
        write_text(out, text, stage, &parts);
        made = fclose(out) == 0;
    }
    base_arena_free(&arena);
    return out != NULL && made;
}

void oracle_text_free(struct oracle_text *text)
{
    free(text->hlsl);
    text->hlsl = NULL;
}
