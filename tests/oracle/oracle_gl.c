#define GL_GLEXT_PROTOTYPES
#define EGL_NO_X11
#include "oracle.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/lower/scope.h"

enum { TEXTURES_MAX = 64 };

struct oracle_gl {
    EGLDisplay display;
    EGLContext context;
    GLuint framebuffer;
    GLuint target;
    GLuint vertices; /* an array without any */
    GLuint block;
};

/* What one stage needs, deleted behind it. */
struct stage_objects {
    GLuint program;
    GLuint textures[TEXTURES_MAX];
    GLuint samplers[TEXTURES_MAX];
    GLsizei count;
};

/* ---- context ---- */

static bool open_context(struct oracle_gl *gl)
{
    static const EGLint config_wishes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint context_wishes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                            3,
                                            EGL_CONTEXT_MINOR_VERSION,
                                            3,
                                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                            EGL_NONE};
    gl->display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLConfig config;
    EGLint count = 0;
    if (gl->display == EGL_NO_DISPLAY || !eglInitialize(gl->display, NULL, NULL) ||
        !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(gl->display, config_wishes, &config, 1, &count) || count == 0) {
        return false;
    }
    gl->context = eglCreateContext(gl->display, config, EGL_NO_CONTEXT, context_wishes);
    return gl->context != EGL_NO_CONTEXT &&
           eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context);
}

static bool open_target(struct oracle_gl *gl)
{
    glGenTextures(1, &gl->target);
    glBindTexture(GL_TEXTURE_2D, gl->target);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, ORACLE_WIDTH, ORACLE_HEIGHT, 0, GL_RGBA, GL_FLOAT,
                 NULL);
    glGenFramebuffers(1, &gl->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, gl->target, 0);
    glGenVertexArrays(1, &gl->vertices);
    glBindVertexArray(gl->vertices);
    glGenBuffers(1, &gl->block);
    glBindBuffer(GL_UNIFORM_BUFFER, gl->block);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gl->block);
    glViewport(0, 0, ORACLE_WIDTH, ORACLE_HEIGHT);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

struct oracle_gl *oracle_gl_open(void)
{
    struct oracle_gl *gl = calloc(1, sizeof *gl);
    if (gl != NULL && open_context(gl) && open_target(gl)) {
        return gl;
    }
    oracle_gl_close(gl);
    return NULL;
}

void oracle_gl_close(struct oracle_gl *gl)
{
    if (gl != NULL && gl->display != EGL_NO_DISPLAY) {
        (void)eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (gl->context != EGL_NO_CONTEXT) {
            (void)eglDestroyContext(gl->display, gl->context);
        }
        (void)eglTerminate(gl->display);
    }
    free(gl);
}

/* ---- program ---- */

static bool add_shader(GLuint program, GLenum kind, const char *text)
{
    char message[2000] = "";
    GLint compiled = 0;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        glGetShaderInfoLog(shader, sizeof message, NULL, message);
        (void)fprintf(stderr, "oracle: %s\n", message);
    }
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return compiled;
}

static bool link_program(GLuint program, const char *glsl)
{
    static const char corners[] =
        "#version 330\n"
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, "
        "0, 1); }\n";
    GLint linked = 0;
    if (add_shader(program, GL_VERTEX_SHADER, corners) &&
        add_shader(program, GL_FRAGMENT_SHADER, glsl)) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
    }
    return linked;
}

/* ---- textures ---- */

static void upload_level(GLenum kind, GLint index, const struct shader_level *level)
{
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)level->pitch);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, (GLint)(level->slice / level->pitch));
    if (kind == GL_TEXTURE_3D) {
        glTexImage3D(kind, index, GL_RGBA32F, level->width, level->height, level->depth, 0, GL_BGRA,
                     GL_UNSIGNED_INT_8_8_8_8_REV, level->texels);
    } else {
        glTexImage2D(kind, index, GL_RGBA32F, level->width, level->height, 0, GL_BGRA,
                     GL_UNSIGNED_INT_8_8_8_8_REV, level->texels);
    }
}

static void set_sampler(GLuint sampler, const struct shader_sampler *how)
{
    const GLint address = how->address == SHADER_CLAMP ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, address);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, address);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_R, address);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, how->linear ? GL_LINEAR : GL_NEAREST);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER,
                        how->linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_NEAREST);
}

/* A texture in the next unit; -1 if there is no unit left. */
static GLint add_texture(struct stage_objects *objects, GLenum kind)
{
    if (objects->count == TEXTURES_MAX) {
        return -1;
    }
    const GLint unit = objects->count++;
    glGenTextures(1, &objects->textures[unit]);
    glGenSamplers(1, &objects->samplers[unit]);
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
    glBindTexture(kind, objects->textures[unit]);
    glBindSampler((GLuint)unit, objects->samplers[unit]);
    return unit;
}

static GLint bind_picture(struct stage_objects *objects, const struct oracle_scene *scene,
                          const struct oracle_sampler *sampler)
{
    struct shader_sampler_name name;
    const GLenum kind = sampler->volume ? GL_TEXTURE_3D : GL_TEXTURE_2D;
    const GLint unit = add_texture(objects, kind);
    if (unit < 0 || !shader_sampler_name(base_span_of(sampler->name), &name)) {
        return -1;
    }
    const struct shader_texture *texture =
        oracle_scene_texture(scene, name.texture, sampler->volume);
    for (int k = 0; k < texture->levels; k++) {
        upload_level(kind, k, &texture->level[k]);
    }
    glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, texture->levels - 1);
    glTexParameteri(kind, GL_TEXTURE_SWIZZLE_A, texture->opaque ? GL_ONE : GL_ALPHA);
    set_sampler(objects->samplers[unit], &name.sampler);
    return unit;
}

static GLint bind_inputs(struct stage_objects *objects, const float (*inputs)[ORACLE_PIXELS],
                         const enum shader_input order[4], bool nudged)
{
    float(*pixels)[4] = malloc(ORACLE_PIXELS * sizeof *pixels);
    const GLint unit = add_texture(objects, GL_TEXTURE_2D);
    for (size_t pixel = 0; pixels != NULL && pixel < ORACLE_PIXELS; pixel++) {
        for (size_t k = 0; k < 4; k++) {
            const float number = inputs[order[k]][pixel];
            pixels[pixel][k] = nudged ? nextafterf(number, 2) : number;
        }
    }
    if (pixels == NULL || unit < 0) {
        free(pixels);
        return -1;
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, ORACLE_WIDTH, ORACLE_HEIGHT, 0, GL_RGBA, GL_FLOAT,
                 pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    free(pixels);
    return unit;
}

/* SPIRV-Cross makes one name of a texture's and its sampler's. */
static const char *texture_name(const char *name, size_t *size)
{
    static const char before[] = "SPIRV_Cross_Combined";
    static const char *const behind[] = {"froth_state", "SPIRV_Cross_DummySampler"};
    if (strncmp(name, before, strlen(before)) != 0) {
        return NULL;
    }
    name += strlen(before);
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
        const char *end = strstr(name, behind[k]);
        if (end != NULL) {
            *size = (size_t)(end - name);
            return name;
        }
    }
    return NULL;
}

static GLint bind_name(struct stage_objects *objects, const struct oracle_scene *scene,
                       enum shader_stage stage, const struct oracle_text *text, bool nudged,
                       const char *name, size_t size)
{
    static const enum shader_input orders[SHADER_STAGES][2][4] = {
        {{SHADER_INPUT_U, SHADER_INPUT_V, SHADER_INPUT_U_ORIG, SHADER_INPUT_V_ORIG},
         {SHADER_INPUT_ANG, SHADER_INPUT_HUE_G, SHADER_INPUT_HUE_B, SHADER_INPUT_RAD}},
        {{SHADER_INPUT_U, SHADER_INPUT_V, SHADER_INPUT_RAD, SHADER_INPUT_ANG},
         {SHADER_INPUT_HUE_R, SHADER_INPUT_HUE_G, SHADER_INPUT_HUE_B, SHADER_INPUT_RAD}},
    };
    const struct base_span span = {name, size};
    if (base_span_equal(span, base_span_of("froth_inputs"))) {
        return bind_inputs(objects, scene->inputs[stage], orders[stage][0], nudged);
    }
    if (base_span_equal(span, base_span_of("froth_hue"))) {
        return bind_inputs(objects, scene->inputs[stage], orders[stage][1], nudged);
    }
    for (size_t k = 0; k < text->sampler_count; k++) {
        if (base_span_equal(span, base_span_of(text->samplers[k].name))) {
            return bind_picture(objects, scene, &text->samplers[k]);
        }
    }
    return -1;
}

static bool bind_textures(struct stage_objects *objects, const struct oracle_scene *scene,
                          enum shader_stage stage, const struct oracle_text *text, bool nudged)
{
    GLint count = 0;
    glGetProgramiv(objects->program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint k = 0; k < count; k++) {
        char name[300];
        GLint elements;
        GLenum kind;
        glGetActiveUniform(objects->program, (GLuint)k, sizeof name, NULL, &elements, &kind, name);
        if (kind != GL_SAMPLER_2D && kind != GL_SAMPLER_3D) {
            continue;
        }
        size_t size;
        const char *texture = texture_name(name, &size);
        const GLint unit =
            texture == NULL ? -1 : bind_name(objects, scene, stage, text, nudged, texture, size);
        if (unit < 0) {
            (void)fprintf(stderr, "oracle: nothing to bind to %s\n", name);
            return false;
        }
        glUniform1i(glGetUniformLocation(objects->program, name), unit);
    }
    return true;
}

/* ---- drawing ---- */

static void bind_block(const struct oracle_gl *gl, GLuint program, const struct oracle_scene *scene,
                       const struct oracle_text *text)
{
    float block[ORACLE_BLOCK];
    const size_t count = oracle_text_block(text, scene, block);
    glBindBuffer(GL_UNIFORM_BUFFER, gl->block);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)(count * sizeof *block), block, GL_STREAM_DRAW);
    const GLuint index = glGetUniformBlockIndex(program, "froth");
    if (index != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, index, 0);
    }
}

bool oracle_gl_draw(struct oracle_gl *gl, const struct oracle_scene *scene, enum shader_stage stage,
                    const struct oracle_text *text, const char *glsl, bool nudged,
                    float (*pixels)[3])
{
    struct stage_objects objects = {.program = glCreateProgram()};
    bool drawn = link_program(objects.program, glsl);
    if (drawn) {
        glUseProgram(objects.program);
        bind_block(gl, objects.program, scene, text);
        drawn = bind_textures(&objects, scene, stage, text, nudged);
    }
    if (drawn) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glPixelStorei(GL_PACK_ALIGNMENT, 4);
        glReadPixels(0, 0, ORACLE_WIDTH, ORACLE_HEIGHT, GL_RGB, GL_FLOAT, pixels);
        const GLenum error = glGetError();
        drawn = error == GL_NO_ERROR;
        if (!drawn) {
            (void)fprintf(stderr, "oracle: GL error %x\n", error);
        }
    }
    glUseProgram(0);
    glDeleteProgram(objects.program);
    glDeleteTextures(objects.count, objects.textures);
    glDeleteSamplers(objects.count, objects.samplers);
    return drawn;
}
