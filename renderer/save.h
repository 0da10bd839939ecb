/* A rend as bytes: everything that its next frames depend on, so that they are the same, to the
 * bit, as if nothing had happened between saving and restoring.
 *
 * In the bytes: the last picture and its blurred levels, all variables, registers, megabuf and
 * gmegabuf (the pages that were written), random numbers, values that were changed live, what was
 * heard, the mesh of the last frame, clocks, divisors. Not in the bytes, but named in them: the
 * patch by its content, and of the configuration size, mesh, sound levels, frames per second and
 * seed. Pictures do not depend on the rest of it (threads, processor), and neither do the bytes.
 *
 * By the thread that steps, between two steps. Nothing here allocates or locks. The sections and
 * their versions are in sections.def; bytes of another version of a section are refused. Bytes may
 * come from anywhere: any can be given to rend_restore. */
#ifndef RENDERER_SAVE_H
#define RENDERER_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
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

/* The archive. What a state holds is described once, as a walk over it; the archive that goes along
 * measures, saves, checks or restores it. Restoring takes two walks: one that checks all bytes and
 * changes nothing, and one that takes them over and cannot fail.
 *
 * The bytes are sections one after the other: a tag of four characters, the version as 4 bytes, the
 * length of what follows as 8, then numbers without gaps. Numbers are little-endian; whole ones of
 * the archive's own have 8 bytes; floats and doubles are those of IEEE 754. */

enum rend_section {
#define REND_SECTION(name, tag, version) REND_SECTION_##name,
#include "renderer/sections.def"
    REND_SECTIONS
};

enum rend_archive_mode {
    REND_ARCHIVE_MEASURE,
    REND_ARCHIVE_SAVE,
    REND_ARCHIVE_CHECK,
    REND_ARCHIVE_RESTORE,
};

struct rend_archive {
    enum rend_archive_mode mode;
    uint8_t *to;         /* when saving */
    const uint8_t *from; /* when checking or restoring */
    size_t size;         /* of `to` or `from` */
    size_t at;
    size_t start; /* of the open section's content */
    size_t end;   /* of the open section, when checking or restoring */
    enum rend_section section;
    const char *refusal; /* the first one; NULL: none so far */
    uint32_t version;    /* of the section, where that was the reason; else 0 */
};

/* Everything stands between a begin and an end; sections do not nest. */
void rend_archive_begin(struct rend_archive *archive, enum rend_section section);
void rend_archive_end(struct rend_archive *archive);

/* Refuses the bytes, when checking. After that nothing is read any more. */
void rend_archive_refuse(struct rend_archive *archive, const char *why);

/* A number that the walk itself goes by, up to `most`: returns `value` when measuring or saving,
 * else that of the bytes (0 once they are refused). */
uint64_t rend_archive_number(struct rend_archive *archive, uint64_t value, uint64_t most);

/* A number that the walk itself goes by, from low to high: as rend_archive_number gives it. */
double rend_archive_real(struct rend_archive *archive, double value, double low, double high);

/* Fields of the state, `count` in a row. Numbers out of their range are refused. */
void rend_archive_ints(struct rend_archive *archive, int32_t *values, size_t count, int32_t low,
                       int32_t high);

/* Rows of pixels 0x00RRGGBB; stride in pixels. */
void rend_archive_pixels(struct rend_archive *archive, uint32_t *pixels, int width, int height,
                         size_t stride);

/* After the last section: refuses bytes that are left over. */
void rend_archive_finish(struct rend_archive *archive);

/* After a walk that checked: whether the bytes are good. If not, reports why; `hint` says what
 * becomes of it. */
bool rend_archive_is_good(const struct rend_archive *archive, const char *hint,
                          const struct base_diag_sink *sink);

/* The walk over a rend, which changes it when restoring only. */
void rend_archive_rend(struct rend_archive *archive, struct rend *rend);

#endif
