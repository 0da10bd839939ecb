/* The functions that are built into the language (spec/milk-rendering.md section 9.6). */
#ifndef RENDERER_SHADER_INTRINSICS_H
#define RENDERER_SHADER_INTRINSICS_H

/* Functions that read textures. */
enum shader_texture_call {
    SHADER_TEX1D,
    SHADER_TEX2D,
    SHADER_TEX2D_BIAS,
    SHADER_TEX2D_LOD,
    SHADER_TEX2D_PROJ,
    SHADER_TEX3D,
    SHADER_TEX3D_BIAS,
    SHADER_TEX3D_LOD,
    SHADER_TEX3D_PROJ,
    SHADER_TEXCUBE,
    SHADER_GET_MAIN,
    SHADER_GET_BLUR1,
    SHADER_GET_BLUR2,
    SHADER_GET_BLUR3,
};

#endif
