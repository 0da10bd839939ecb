/* Saved states as bytes. What a state holds is described once, as a walk over it; the archive that
 * goes along measures, saves, checks or restores it. Restoring takes two walks: one that checks all
 * bytes and changes nothing, and one that takes them over and cannot fail.
 *
 * The bytes are sections one after the other: a tag of four characters, the version as 4 bytes, the
 * length of what follows as 8, then numbers without gaps. Numbers are little-endian; whole ones of
 * the archive's own have 8 bytes; floats and doubles are those of IEEE 754. */
#ifndef RENDERER_ARCHIVE_H
#define RENDERER_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

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

/* Likewise a number from low to high. */
double rend_archive_real(struct rend_archive *archive, double value, double low, double high);

/* A number that the bytes and the state must have in common; `why` they are refused if not. */
void rend_archive_same(struct rend_archive *archive, uint64_t value, const char *why);

/* Fields of the state, `count` in a row. Numbers out of their range, NaN among them, are refused.
 */
void rend_archive_floats(struct rend_archive *archive, float *values, size_t count, double low,
                         double high);
void rend_archive_doubles(struct rend_archive *archive, double *values, size_t count, double low,
                          double high);
void rend_archive_ints(struct rend_archive *archive, int32_t *values, size_t count, int32_t low,
                       int32_t high);
void rend_archive_wholes(struct rend_archive *archive, uint64_t *values, size_t count,
                         uint64_t most);
void rend_archive_bool(struct rend_archive *archive, bool *value);

/* Fields that may hold anything. */
void rend_archive_any_doubles(struct rend_archive *archive, double *values, size_t count);
void rend_archive_any_words(struct rend_archive *archive, uint32_t *values, size_t count);

/* Rows of pixels 0x00RRGGBB; stride in pixels. */
void rend_archive_pixels(struct rend_archive *archive, uint32_t *pixels, int width, int height,
                         size_t stride);

/* After the last section: refuses bytes that are left over. */
void rend_archive_finish(struct rend_archive *archive);

/* After a walk that checked: whether the bytes are good. If not, reports why; `hint` says what
 * becomes of it. */
bool rend_archive_is_good(const struct rend_archive *archive, const char *hint,
                          const struct base_diag_sink *sink);

/* The walk over a rend (save.c), which changes it when restoring only. */
struct rend;
void rend_archive_rend(struct rend_archive *archive, struct rend *rend);

#endif
