/* Texts of stages that come without a usable one (spec/milk-rendering.md section 9.1). They hold
 * the preset's stored numbers: what equations make of gamma or echo does not reach them. */
#ifndef RENDERER_DEFAULT_STAGE_H
#define RENDERER_DEFAULT_STAGE_H

#include "presets/preset.h"
#include "renderer/shader/shader.h"

/* The text for a stage that has a shader version but no text: warp and decay, or echo, gamma,
 * shades and filters as the preset's file has them. The arena's memory; the preset may be freed.
 * NULL without memory. */
const struct base_source *rend_default_stage(enum shader_stage stage, const struct preset *preset,
                                             struct base_arena *arena);

/* What a stage with a shader version is made from: the preset's text, or the generated one where
 * that is blank. NULL without memory. */
const struct base_source *rend_stage_text(enum shader_stage stage, const struct preset *preset,
                                          struct base_arena *arena);

/* The text that stands in for one that does not compile: the picture as it is, in the warp stage a
 * little darker. Lives as long as the program. */
const struct base_source *rend_fallback_stage(enum shader_stage stage);

#endif
