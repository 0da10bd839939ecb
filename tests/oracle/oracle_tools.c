#include "oracle.h"

#include <ctype.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "renderer/shader/samplers.h"

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

/* HLSL's remainder has the sign of the dividend, GLSL's mod that of the divisor. Our samplers and
 * those of Direct3D 9's time have weights of 8 bits: reading at a place rounded to 256ths of a
 * texel gives the same. */
static const char functions[] =
    "\n#define REMAINDER(A, B) A froth_mod(A a, B b) { return a - b * trunc(a / b); }\n"
    "REMAINDER(float, float)\nREMAINDER(vec2, vec2)\nREMAINDER(vec3, vec3)\n"
    "REMAINDER(vec4, vec4)\nREMAINDER(vec2, float)\nREMAINDER(vec3, float)\n"
    "REMAINDER(vec4, float)\n"
    "float froth_finite(float p) { return isnan(p) || isinf(p) ? 0.0 : p; }\n"
    "vec2 froth_finite(vec2 p) { return vec2(froth_finite(p.x), froth_finite(p.y)); }\n"
    "vec3 froth_finite(vec3 p) { return vec3(froth_finite(p.xy), froth_finite(p.z)); }\n"
    "#define READ(NAME, S, V, C) vec4 NAME(S s, V p) { V n = V(textureSize(s, 0)) * 256.0; "
    "p = froth_finite(p); return texture(s, floor(C * n + 0.5) / n); }\n"
    "READ(froth_repeat, sampler2D, vec2, fract(p))\nREAD(froth_repeat, sampler3D, vec3, fract(p))\n"
    "READ(froth_clamp, sampler2D, vec2, clamp(p, 0.0, 1.0))\n"
    "READ(froth_clamp, sampler3D, vec3, clamp(p, 0.0, 1.0))\n"
    "#define BIASED(NAME, S, V) vec4 NAME(S s, V p, float b) { return NAME(s, p); }\n"
    "BIASED(froth_repeat, sampler2D, vec2)\nBIASED(froth_repeat, sampler3D, vec3)\n"
    "BIASED(froth_clamp, sampler2D, vec2)\nBIASED(froth_clamp, sampler3D, vec3)\n";

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

static char *mend(const char *glsl, bool rounded)
{
    static const char texture[] = "texture";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool first_line = true;
    for (const char *c = glsl; out != NULL && *c != '\0'; c++) {
        const bool word_start = c == glsl || (!isalnum((unsigned char)c[-1]) && c[-1] != '_');
        if (word_start && strncmp(c, "mod(", 4) == 0) {
            (void)fputs("froth_", out);
        }
        if (rounded && word_start && strncmp(c, "texture(", 8) == 0) {
            const char *reader = reader_of(c + strlen("texture("));
            (void)fputs(reader != NULL ? reader : texture, out);
            c += strlen(texture);
        }
        (void)fputc(*c, out);
        if (first_line && *c == '\n') {
            (void)fputs(functions, out);
            first_line = false;
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
    }
    if (result == NULL) {
        *refusal = read_all(files[LOG]);
    }
    return result;
}
