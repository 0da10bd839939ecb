/* froth compile for the pixel shaders of a preset. */
#ifndef APP_COMPILE_SHADER_H
#define APP_COMPILE_SHADER_H

#include <stdbool.h>

#include "renderer/shader/shader.h"

/* Prints what a stage of the preset costs, or its intermediate form. Returns an exit code. */
int app_compile_shader(const char *path, enum shader_stage stage, bool ir, bool json);

#endif
