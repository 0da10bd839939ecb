#include "oracle.h"

#include <ctype.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "renderer/shader/lower/scope.h"

enum { PATH = 1100 };
static const char nowhere[] = "/dev/null";
extern char **environ;

/* Runs a program with its output in a file; whether it ended well. */
static bool run(char *const arguments[], const char *output)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return false;
    }
    pid_t child = 0;
    int status = 1;
    const bool started =
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO) == 0 &&
        posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    return started && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool oracle_tools_present(void)
{
    char *const glslang[] = {"glslangValidator", "--version", NULL};
    char *const cross[] = {"spirv-cross", "--help", NULL};
    return run(glslang, nowhere) && run(cross, nowhere);
}

static char *read_all(const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *in = fopen(path, "r");
    FILE *out = in != NULL ? open_memstream(&text, &size) : NULL;
    for (int c; out != NULL && (c = fgetc(in)) != EOF;) {
        (void)fputc(c, out);
    }
    if (out != NULL) {
        (void)fclose(out);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return text;
}

static bool write_all(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    return out != NULL && fputs(text, out) >= 0 && fclose(out) == 0;
}

/* What replaces functions of GLSL. Remainders: HLSL's have the sign of the dividend, those of mod
 * that of the divisor. Reads: ours, and those of Direct3D 9's time, have weights of 8 bits, for
 * which places are rounded to 256ths of a texel; and the detail is not an approximation as Mesa's.
 */
static const char functions[] =
    "\n#define REMAINDER(A, B) A froth_mod(A a, B b) { return a - b * trunc(a / b); }\n"
    "REMAINDER(float, float)\nREMAINDER(vec2, vec2)\nREMAINDER(vec3, vec3)\n"
    "REMAINDER(vec4, vec4)\nREMAINDER(vec2, float)\nREMAINDER(vec3, float)\n"
    "REMAINDER(vec4, float)\n"
    "float froth_finite(float p) { return isnan(p) || isinf(p) ? 0.0 : p; }\n"
    "vec2 froth_finite(vec2 p) { return vec2(froth_finite(p.x), froth_finite(p.y)); }\n"
    "vec3 froth_finite(vec3 p) { return vec3(froth_finite(p.xy), froth_finite(p.z)); }\n"
    "#define AT_LEVEL(NAME, S, V, C) vec4 NAME(S s, V p, float l) { "
    "V n = max(floor(V(textureSize(s, 0)) / exp2(l)), 1.0) * 256.0; return textureLod(s, floor(C * "
    "n + 0.5) / n, l); }\n"
    "#define AT_DETAIL(NAME, LEVEL, S, V) vec4 NAME(S s, V p, float d) { p = froth_finite(p); "
    "d = clamp(froth_finite(d), 0.0, float(textureQueryLevels(s) - 1)); "
    "d = floor(d * 256.0 + 0.5) / 256.0; float l = floor(d); vec4 a = LEVEL(s, p, l); "
    "return d > l ? mix(a, LEVEL(s, p, l + 1.0), d - l) : a; }\n"
    "#define READ(NAME, DETAIL, S, V) vec4 NAME(S s, V p, float b) { V n = V(textureSize(s, 0)); "
    "ivec2 odd = ivec2(gl_FragCoord.xy) & 1; "
    "V x = (dFdx(p) - float(odd.y) * dFdy(dFdx(p))) * n; "
    "V y = (dFdy(p) - float(odd.x) * dFdx(dFdy(p))) * n; float q = froth_finite(max(dot(x, x), "
    "dot(y, y))); "
    "return DETAIL(s, p, (q > 1.002 ? 0.5 * log2(q) : 0.0) + b); } "
    "vec4 NAME(S s, V p) { return NAME(s, p, 0.0); }\n"
    "#define WAYS(NAME, LOD, LEVEL, S, V, C) AT_LEVEL(LEVEL, S, V, C) AT_DETAIL(LOD, LEVEL, S, V) "
    "READ(NAME, LOD, S, V)\n"
    "WAYS(froth_repeat, froth_repeatLod, froth_repeat_level, sampler2D, vec2, fract(p))\n"
    "WAYS(froth_repeat, froth_repeatLod, froth_repeat_level, sampler3D, vec3, fract(p))\n"
    "WAYS(froth_clamp, froth_clampLod, froth_clamp_level, sampler2D, vec2, clamp(p, 0.0, 1.0))\n"
    "WAYS(froth_clamp, froth_clampLod, froth_clamp_level, sampler3D, vec3, clamp(p, 0.0, 1.0))\n";

/* The function that reads with weights of 8 bits; NULL: as it stands. read: behind "texture(". */
static const char *reader_of(const char *read)
{
    static const char before[] = "SPIRV_Cross_Combined";
    struct shader_sampler_name name;
    const char *end = strstr(read, "froth_state");
    if (strncmp(read, before, strlen(before)) != 0 || end == NULL) {
        return NULL;
    }
    read += strlen(before);
    if (!shader_sampler_name((struct base_span){read, (size_t)(end - read)}, &name) ||
        !name.sampler.linear) {
        return NULL;
    }
    return name.sampler.address == SHADER_CLAMP ? "froth_clamp" : "froth_repeat";
}

/* Puts another function where one of GLSL begins; bytes to go on by. */
static size_t mend_word(FILE *out, const char *word, bool rounded)
{
    static const char texture[] = "texture";
    if (strncmp(word, "mod(", 4) == 0) {
        (void)fputs("froth_", out);
    }
    const bool plain = strncmp(word, "texture(", 8) == 0;
    if (rounded && (plain || strncmp(word, "textureLod(", 11) == 0)) {
        const char *reader = reader_of(strchr(word, '(') + 1);
        (void)fputs(reader != NULL ? reader : texture, out);
        return strlen(texture);
    }
    return 0;
}

static char *mend(const char *glsl, bool rounded)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool placed = false;
    for (const char *c = glsl; out != NULL && *c != '\0'; c++) {
        const bool line_start = c == glsl || c[-1] == '\n';
        if (line_start && *c != '#' && !placed) {
            (void)fputs(functions, out);
            placed = true;
        }
        if (line_start || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) {
            c += mend_word(out, c, rounded);
        }
        (void)fputc(*c, out);
        if (c == strchr(glsl, '\n')) {
            (void)fputs("#extension GL_ARB_texture_query_levels : require\n", out);
        }
    }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *oracle_translate(const char *hlsl, const char *path, bool rounded, char **refusal)
{
    static const char *const endings[] = {".hlsl", ".spv", ".frag", ".log"};
    enum { HLSL, SPIRV, GLSL, LOG, FILES };
    char files[FILES][PATH];
    for (int k = 0; k < FILES; k++) {
        (void)snprintf(files[k], PATH, "%s%s", path, endings[k]);
    }
    char *const glslang[] = {
        "glslangValidator",    "-V",        "-D", "-S",         "frag", "-e", "froth_main",
        "--auto-map-bindings", files[HLSL], "-o", files[SPIRV], NULL};
    char *const cross[] = {"spirv-cross",
                           "--version",
                           "330",
                           "--no-es",
                           "--no-420pack-extension",
                           "--force-zero-initialized-variables",
                           files[SPIRV],
                           "--output",
                           files[GLSL],
                           NULL};
    char *result = NULL;
    *refusal = NULL;
    if (write_all(files[HLSL], hlsl) && run(glslang, files[LOG]) && run(cross, files[LOG])) {
        char *glsl = read_all(files[GLSL]);
        result = glsl != NULL ? mend(glsl, rounded) : NULL;
        free(glsl);
        (void)(result != NULL && write_all(files[GLSL], result));
    }
    if (result == NULL) {
        *refusal = read_all(files[LOG]);
    }
    return result;
}
