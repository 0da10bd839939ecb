#include "renderer/shader/samplers.h"

#include <string.h>

static bool begins(struct base_span name, const char *with)
{
    const size_t size = strlen(with);
    return name.size >= size && memcmp(name.data, with, size) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static struct base_span skip(struct base_span name, size_t count)
{
    return (struct base_span){name.data + count, name.size - count};
}

bool shader_names_sampler(struct base_span name)
{
    return begins(name, "sampler_");
}

bool shader_names_size(struct base_span name)
{
    return begins(name, "texsize_");
}

int shader_blur_level(const char *texture)
{
    const bool blur = strncmp(texture, "blur", 4) == 0 && texture[4] >= '1' && texture[4] <= '3' &&
                      texture[5] == '\0';
    return blur ? texture[4] - '0' : 0;
}

/* What a letter of a prefix sets: filter (1), addressing (2), or nothing (0). */
static int letter(char c, struct shader_sampler *sampler)
{
    switch (lower(c)) {
    case 'f':
    case 'p':
        sampler->linear = lower(c) == 'f';
        return 1;
    case 'w':
    case 'c':
        sampler->address = lower(c) == 'w' ? SHADER_REPEAT : SHADER_CLAMP;
        return 2;
    default:
        return 0;
    }
}

bool shader_sampler_name(struct base_span name, struct shader_sampler_name *result)
{
    *result = (struct shader_sampler_name){.sampler = {.linear = true, .address = SHADER_REPEAT}};
    if (shader_names_sampler(name) || shader_names_size(name)) {
        name = skip(name, strlen("sampler_"));
    }
    struct shader_sampler prefix = result->sampler;
    bool prefixed = false;
    if (name.size > 3 && name.data[2] == '_') {
        prefixed = letter(name.data[0], &prefix) + letter(name.data[1], &prefix) == 3;
        name = skip(name, 3);
    }
    if (name.size == 0 || name.size >= sizeof result->texture) {
        return false;
    }
    for (size_t k = 0; k < name.size; k++) {
        result->texture[k] = lower(name.data[k]);
    }
    const bool blur = shader_blur_level(result->texture) > 0;
    if (prefixed) {
        result->sampler = prefix;
    } else if (blur) {
        result->sampler.address = SHADER_CLAMP;
    }
    result->flat = blur || strcmp(result->texture, "main") == 0;
    result->volume = strncmp(result->texture, "noisevol_", 9) == 0;
    return true;
}
