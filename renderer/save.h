/* A rend as bytes: everything that its next frames depend on, so that they are the same, to the
 * bit, as if nothing had happened between saving and restoring.
 *
 * In the bytes: the last picture and its blurred levels, all variables, registers, megabuf and
 * gmegabuf (the pages that were written), random numbers, values that were changed live, what was
 * heard, the mesh of the last frame, clocks, divisors. Not in the bytes, but named in them: the
 * patch by its content, and of the configuration size, mesh, sound levels, frames per second and
 * seed. Pictures do not depend on the rest of it (threads, processor), and neither do the bytes.
 *
 * By the thread that steps, between two steps. Nothing here allocates or locks. The layout is in
 * archive.h, the sections and their versions are in sections.def; bytes of another version of a
 * section are refused. Bytes may come from anywhere: any can be given to rend_restore. */
#ifndef RENDERER_SAVE_H
#define RENDERER_SAVE_H

#include "renderer/renderer.h"

/* Names what a patch was made of: every number and text of the preset, and the pictures that its
 * shaders read. The same on every machine; never 0. */
uint64_t rend_patch_content(const struct rend_patch *patch);

/* How many bytes rend_save writes now: 4 per pixel, with blurred pictures a tenth more; some 40 KB;
 * and 8 KB for each page of megabuf and gmegabuf that was written, at most 72 MiB. */
size_t rend_save_size(const struct rend *rend);

/* Writes the state; returns its size, or 0 and nothing is written if `size` is less. */
size_t rend_save(const struct rend *rend, void *bytes, size_t size);

/* Takes over a saved state. The rend has the same configuration, and the same patch has been
 * loaded (or none, as when it was saved); what else it did before does not matter. 0, or -1 with a
 * message: the bytes are refused, and the rend goes on as it was. */
int rend_restore(struct rend *rend, const void *bytes, size_t size,
                 const struct base_diag_sink *sink);

#endif
