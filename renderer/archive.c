#include "renderer/archive.h"

#include <assert.h>
#include <string.h>

enum { TAG = 4, HEAD = TAG + 4 + 8 };

static const struct {
    const char *tag;
    uint32_t version;
} sections[REND_SECTIONS] = {
#define REND_SECTION(name, tag, version) [REND_SECTION_##name] = {tag, version},
#include "renderer/sections.def"
};

static bool reads(const struct rend_archive *archive)
{
    return archive->mode == REND_ARCHIVE_CHECK || archive->mode == REND_ARCHIVE_RESTORE;
}

void rend_archive_refuse(struct rend_archive *archive, const char *why)
{
    assert(archive->mode != REND_ARCHIVE_RESTORE);
    if (archive->mode == REND_ARCHIVE_CHECK && archive->refusal == NULL) {
        archive->refusal = why;
    }
}

/* Words of `width` bytes, between the machine's order and little-endian. */
static void copy_words(void *to, const void *from, size_t count, size_t width)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, count * width);
#else
    uint8_t *out = to;
    const uint8_t *in = from;
    for (size_t i = 0; i < count * width; i++) {
        out[i] = in[i / width * width + width - 1 - i % width];
    }
#endif
}

/* The next bytes to be read, or NULL where there are not so many. */
static const uint8_t *next_bytes(struct rend_archive *archive, size_t size)
{
    if (archive->refusal == NULL && size > archive->end - archive->at) {
        rend_archive_refuse(archive, "a section ends early");
    }
    if (archive->refusal != NULL) {
        return NULL;
    }
    archive->at += size;
    return archive->from + archive->at - size;
}

/* Takes `count` words along. Returns their bytes when checking, for a look at them. */
static const uint8_t *walk_words(struct rend_archive *archive, void *words, size_t count,
                                 size_t width)
{
    const size_t size = count * width;
    if (reads(archive)) {
        const uint8_t *bytes = next_bytes(archive, size);
        if (bytes != NULL && archive->mode == REND_ARCHIVE_RESTORE && count > 0) {
            copy_words(words, bytes, count, width);
        }
        return archive->mode == REND_ARCHIVE_CHECK ? bytes : NULL;
    }
    if (archive->mode == REND_ARCHIVE_SAVE && count > 0) {
        assert(size <= archive->size - archive->at);
        copy_words(archive->to + archive->at, words, count, width);
    }
    archive->at += size;
    return NULL;
}

void rend_archive_begin(struct rend_archive *archive, enum rend_section section)
{
    uint8_t head[TAG + sizeof(uint32_t)];
    const uint32_t version = sections[section].version;
    memcpy(head, sections[section].tag, TAG);
    copy_words(head + TAG, &version, 1, sizeof version);
    if (archive->refusal != NULL) {
        return;
    }
    archive->section = section;
    archive->end = archive->size;
    if (reads(archive)) {
        const uint8_t *bytes = next_bytes(archive, HEAD);
        if (bytes == NULL) {
            return;
        }
        uint64_t length = 0;
        copy_words(&length, bytes + sizeof head, 1, sizeof length);
        if (memcmp(bytes, head, TAG) != 0) {
            rend_archive_refuse(archive, "a section is not where it belongs");
        } else if (memcmp(bytes, head, sizeof head) != 0) {
            copy_words(&archive->version, bytes + TAG, 1, sizeof archive->version);
            rend_archive_refuse(archive, "a section is of another version");
        } else if (length > archive->size - archive->at) {
            rend_archive_refuse(archive, "the bytes end early");
        }
        archive->end = archive->refusal == NULL ? archive->at + length : archive->at;
    } else {
        if (archive->mode == REND_ARCHIVE_SAVE) {
            assert(HEAD <= archive->size - archive->at);
            memcpy(archive->to + archive->at, head, sizeof head);
        }
        archive->at += HEAD;
    }
    archive->start = archive->at;
}

void rend_archive_end(struct rend_archive *archive)
{
    const uint64_t length = archive->at - archive->start;
    if (archive->mode == REND_ARCHIVE_SAVE) {
        copy_words(archive->to + archive->start - sizeof length, &length, 1, sizeof length);
    } else if (reads(archive) && archive->at != archive->end) {
        rend_archive_refuse(archive, "a section is too long");
    }
}

static uint64_t whole_at(const uint8_t *bytes, size_t index)
{
    uint64_t value = 0;
    copy_words(&value, bytes + index * sizeof value, 1, sizeof value);
    return value;
}

uint64_t rend_archive_number(struct rend_archive *archive, uint64_t value, uint64_t most)
{
    if (!reads(archive)) {
        (void)walk_words(archive, &value, 1, sizeof value);
        return value;
    }
    const uint8_t *bytes = next_bytes(archive, sizeof value);
    value = bytes != NULL ? whole_at(bytes, 0) : 0;
    if (value > most) {
        rend_archive_refuse(archive, "a number is out of its range");
        value = 0;
    }
    return value;
}

double rend_archive_real(struct rend_archive *archive, double value, double low, double high)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    bits = rend_archive_number(archive, bits, UINT64_MAX);
    memcpy(&value, &bits, sizeof value);
    if (reads(archive) && !(value >= low && value <= high)) {
        rend_archive_refuse(archive, "a number is out of its range");
        value = low;
    }
    return value;
}

void rend_archive_same(struct rend_archive *archive, uint64_t value, const char *why)
{
    if (rend_archive_number(archive, value, UINT64_MAX) != value && archive->refusal == NULL) {
        rend_archive_refuse(archive, why);
    }
}

static void need(struct rend_archive *archive, bool good)
{
    if (!good) {
        rend_archive_refuse(archive, "a number is out of its range");
    }
}

void rend_archive_floats(struct rend_archive *archive, float *values, size_t count, double low,
                         double high)
{
    const uint8_t *bytes = walk_words(archive, values, count, sizeof *values);
    bool good = true;
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        float value = 0;
        copy_words(&value, bytes + i * sizeof value, 1, sizeof value);
        good = good && (double)value >= low && (double)value <= high;
    }
    need(archive, good);
}

void rend_archive_doubles(struct rend_archive *archive, double *values, size_t count, double low,
                          double high)
{
    const uint8_t *bytes = walk_words(archive, values, count, sizeof *values);
    bool good = true;
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        double value = 0;
        copy_words(&value, bytes + i * sizeof value, 1, sizeof value);
        good = good && value >= low && value <= high;
    }
    need(archive, good);
}

void rend_archive_ints(struct rend_archive *archive, int32_t *values, size_t count, int32_t low,
                       int32_t high)
{
    const uint8_t *bytes = walk_words(archive, values, count, sizeof *values);
    bool good = true;
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        int32_t value = 0;
        copy_words(&value, bytes + i * sizeof value, 1, sizeof value);
        good = good && value >= low && value <= high;
    }
    need(archive, good);
}

void rend_archive_wholes(struct rend_archive *archive, uint64_t *values, size_t count,
                         uint64_t most)
{
    const uint8_t *bytes = walk_words(archive, values, count, sizeof *values);
    bool good = true;
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        good = good && whole_at(bytes, i) <= most;
    }
    need(archive, good);
}

void rend_archive_bool(struct rend_archive *archive, bool *value)
{
    const bool now = rend_archive_number(archive, *value ? 1 : 0, 1) != 0;
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        *value = now;
    }
}

void rend_archive_any_doubles(struct rend_archive *archive, double *values, size_t count)
{
    (void)walk_words(archive, values, count, sizeof *values);
}

void rend_archive_any_words(struct rend_archive *archive, uint32_t *values, size_t count)
{
    (void)walk_words(archive, values, count, sizeof *values);
}

void rend_archive_pixels(struct rend_archive *archive, uint32_t *pixels, int width, int height,
                         size_t stride)
{
    for (size_t y = 0; y < (size_t)height; y++) {
        const size_t columns = (size_t)width;
        const uint8_t *bytes = walk_words(archive, pixels + y * stride, columns, sizeof *pixels);
        uint32_t all = 0;
        for (size_t x = 0; x < columns && bytes != NULL; x++) {
            uint32_t pixel = 0;
            copy_words(&pixel, bytes + x * sizeof pixel, 1, sizeof pixel);
            all |= pixel;
        }
        need(archive, all <= 0xFFFFFF);
    }
}

void rend_archive_finish(struct rend_archive *archive)
{
    if (archive->at != archive->size) {
        rend_archive_refuse(archive, "bytes are left over behind it");
    }
}

bool rend_archive_is_good(const struct rend_archive *archive, const char *hint,
                          const struct base_diag_sink *sink)
{
    const char *tag = sections[archive->section].tag;
    if (archive->refusal != NULL && archive->version != 0) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, hint,
                    "the saved state cannot be read: its section %s has version %u, not %u", tag,
                    (unsigned)archive->version, (unsigned)sections[archive->section].version);
    } else if (archive->refusal != NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, hint,
                    "the saved state cannot be read: section %s: %s", tag, archive->refusal);
    }
    return archive->refusal == NULL;
}
