/* The archive, and what of a rend it walks over.
 *
 * What a rend's next frames depend on is walked over section by section. All else is made from the
 * configuration and the patch, or is scratch memory that each frame writes before it reads it: the
 * canvas that is drawn next, temporaries of equations, spectra, uniforms and registers of shaders,
 * the passes between two blurred levels. */
#include "renderer/save.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "renderer/state.h"

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

/* A number that the bytes and the state must have in common; `why` they are refused if not. */
static void walk_same(struct rend_archive *archive, uint64_t value, const char *why)
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

enum number { FLOAT, DOUBLE, INT };

/* Fields of the state, `count` in a row. Numbers out of their range, NaN among them, are refused.
 */
static void walk_numbers(struct rend_archive *archive, void *values, size_t count, enum number kind,
                         double low, double high)
{
    const size_t width = kind == DOUBLE ? sizeof(double) : sizeof(float);
    const uint8_t *bytes = walk_words(archive, values, count, width);
    bool good = true;
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        float small = 0;
        int32_t whole = 0;
        double value = 0;
        switch (kind) {
        case FLOAT:
            copy_words(&small, bytes + i * width, 1, width);
            value = (double)small;
            break;
        case INT:
            copy_words(&whole, bytes + i * width, 1, width);
            value = whole;
            break;
        case DOUBLE:
            copy_words(&value, bytes + i * width, 1, width);
            break;
        }
        good = good && value >= low && value <= high;
    }
    need(archive, good);
}

static void walk_floats(struct rend_archive *archive, float *values, size_t count, double low,
                        double high)
{
    walk_numbers(archive, values, count, FLOAT, low, high);
}

static void walk_doubles(struct rend_archive *archive, double *values, size_t count, double low,
                         double high)
{
    walk_numbers(archive, values, count, DOUBLE, low, high);
}

void rend_archive_ints(struct rend_archive *archive, int32_t *values, size_t count, int32_t low,
                       int32_t high)
{
    walk_numbers(archive, values, count, INT, low, high);
}

static void walk_wholes(struct rend_archive *archive, uint64_t *values, size_t count, uint64_t most)
{
    const uint8_t *bytes = walk_words(archive, values, count, sizeof *values);
    bool good = true;
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        good = good && whole_at(bytes, i) <= most;
    }
    need(archive, good);
}

static void walk_bool(struct rend_archive *archive, bool *value)
{
    const bool now = rend_archive_number(archive, *value ? 1 : 0, 1) != 0;
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        *value = now;
    }
}

/* Fields that may hold anything. */
static void walk_any_doubles(struct rend_archive *archive, double *values, size_t count)
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

/* ---- what is walked over ---- */

/* A new member of a section changes its size: walk over it, if it lasts, and raise the version. */
#if UINTPTR_MAX == UINT64_MAX
static_assert(sizeof(struct rend_clock) == 32, "REND_SECTION_CLOCK");
static_assert(sizeof(struct rend_section_canvas) == 56, "REND_SECTION_CANVAS");
static_assert(sizeof(struct rend_beat) == 5944, "REND_SECTION_SOUND");
static_assert(sizeof(struct rend_bands) == 10672, "REND_SECTION_SOUND");
static_assert(sizeof(struct rend_analysis) == 30048, "REND_SECTION_SOUND");
static_assert(sizeof(struct pfpu_instance) == 264, "REND_SECTION_EQUATIONS");
static_assert(sizeof(struct pfpu_globals) == 3360, "REND_SECTION_MEMORY");
static_assert(sizeof(struct rend_section_mesh) == 144, "REND_SECTION_MESH");
#endif

static_assert((int)PFPU_POOL_BLOCKS <= (int)PFPU_MEGABUF_BLOCKS, "one instance may use them all");

static const double second_max = 1e12; /* times and frame rates: more than will ever be played */
static const double frame_max = 9007199254740992.0; /* whole numbers in a double */
static const double vertex_max = 1e4;               /* as tmu_vertex allows */

static void walk_beat(struct rend_archive *archive, struct rend_beat *beat)
{
    const double most = 1e30;
    walk_doubles(archive, beat->filter, 5, -most, most);
    walk_doubles(archive, beat->power, REND_BANDS, 0, most);
    rend_archive_ints(archive, &beat->samples, 1, 0, REND_BEAT_HOP - 1);
    walk_doubles(archive, beat->usual, REND_BANDS, 0, most);
    walk_doubles(archive, beat->loudness[0], 2 * REND_BANDS, -most, most);
    walk_doubles(archive, &beat->mean, 1, -most, most);
    walk_doubles(archive, beat->smooth, 2, 0, most);
    walk_wholes(archive, &beat->hops, 1, INT64_MAX);
    walk_floats(archive, beat->onset, REND_BEAT_HISTORY, 0, most);
    walk_floats(archive, beat->correlation, REND_BEAT_LAGS, 0, most);
    /* No tempo, or one within the limits: a shorter period would be searched without end. */
    const double hops_per_minute = 60.0 * REND_AUDIO_RATE / REND_BEAT_HOP;
    if (rend_archive_number(archive, beat->period > 0 ? 1 : 0, 1) != 0) {
        walk_doubles(archive, &beat->period, 1, hops_per_minute / REND_BEAT_BPM_MAX,
                     hops_per_minute / REND_BEAT_BPM_MIN);
    } else if (archive->mode == REND_ARCHIVE_RESTORE) {
        beat->period = 0;
    }
    walk_doubles(archive, &beat->beats, 1, -second_max, second_max);
    walk_doubles(archive, &beat->shown, 1, -second_max, second_max);
    rend_archive_ints(archive, &beat->doubts, 1, 0, INT32_MAX / 2);
}

/* Spectra are made anew from the history in each frame that reads them. */
static void walk_sound(struct rend_archive *archive, struct rend_analysis *sound)
{
    const double sample_max = 128;
    const double level_max = 1e30;
    rend_archive_begin(archive, REND_SECTION_SOUND);
    walk_floats(archive, sound->history[0], 2 * REND_WAVEFORM, -sample_max, sample_max);
    walk_floats(archive, sound->waveform[0], 2 * REND_WAVEFORM, -sample_max, sample_max);
    walk_doubles(archive, sound->average, REND_BANDS, 0, level_max);
    walk_doubles(archive, sound->long_average, REND_BANDS, 0, level_max);
    walk_doubles(archive, sound->absolute, REND_BANDS, 0, level_max);
    if (sound->levels != REND_LEVELS_FFT) {
        /* Ranges are those that clean samples lead to; within them no sum of the filters
         * overflows. */
        struct rend_bands *bands = &sound->bands;
        const int32_t most = 1 << 18;
        const int32_t step = (int32_t)rend_bands_design(sound->levels)->step;
        const size_t outputs = sizeof bands->output / sizeof(int64_t);
        rend_archive_ints(archive, bands->history, 2 * REND_BANDS_TAPS, -most, most);
        walk_wholes(archive, (uint64_t *)bands->output, outputs, INT64_MAX);
        rend_archive_ints(archive, bands->past, 2, -most, most);
        rend_archive_ints(archive, (int32_t *)&bands->samples, 1, 0, step - 1);
        rend_archive_ints(archive, &bands->history_at, 1, 0, REND_BANDS_TAPS - 1);
        rend_archive_ints(archive, &bands->output_at, 1, 0, REND_BANDS_WINDOW - 1);
    }
    walk_beat(archive, &sound->beat);
    const uint64_t beats = rend_archive_number(archive, sound->beats, UINT16_MAX);
    const uint64_t passed = rend_archive_number(archive, sound->tempo.passed, INT32_MAX);
    const bool given = rend_archive_number(archive, sound->tempo.given, 1) != 0;
    walk_doubles(archive, &sound->tempo.bpm, 1, 0, level_max);
    walk_doubles(archive, &sound->tempo.beats, 1, -second_max, second_max);
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        sound->beats = (unsigned)beats;
        sound->tempo.passed = (unsigned)passed;
        sound->tempo.given = given;
    }
    rend_archive_end(archive);
}

/* ---- equations ---- */

enum { INSTANCES = 2 + 2 * PRESET_WAVES + PRESET_SHAPES };

struct namespace
{
    struct pfpu_instance *instance;
    const struct pfpu_scope *scope;
};

static void list_namespaces(struct namespace list[INSTANCES],
                            struct rend_section_equations *equations,
                            const struct rend_patch *patch)
{
    size_t count = 0;
    list[count++] = (struct namespace){&equations->frame, patch->frame.scope};
    list[count++] = (struct namespace){&equations->vertex, patch->vertex.scope};
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        list[count++] = (struct namespace){&equations->wave_frame[i], patch->wave_frame[i].scope};
        list[count++] = (struct namespace){&equations->wave_point[i], patch->wave_point[i].scope};
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        list[count++] = (struct namespace){&equations->shape[i], patch->shape[i].scope};
    }
    assert(count == INSTANCES);
}

/* Variables may hold anything: each operation is defined for every number. Temporaries are written
 * before they are read in each run. */
static void walk_equations(struct rend_archive *archive, struct rend_section_equations *equations,
                           const struct rend_patch *patch)
{
    struct namespace namespaces[INSTANCES];
    list_namespaces(namespaces, equations, patch);
    rend_archive_begin(archive, REND_SECTION_EQUATIONS);
    walk_doubles(archive, &equations->start_time, 1, -second_max, second_max);
    walk_doubles(archive, &equations->planned_seconds, 1, -INFINITY, INFINITY);
    walk_doubles(archive, equations->stored, PRESET_KEYS, -(double)FLT_MAX, (double)FLT_MAX);
    walk_any_doubles(archive, equations->q_init, REND_QS);
    walk_any_doubles(archive, equations->wave_t[0], (size_t)PRESET_WAVES * REND_TS);
    walk_any_doubles(archive, equations->shape_t[0], (size_t)PRESET_SHAPES * REND_TS);
    for (size_t i = 0; i < INSTANCES; i++) {
        const size_t variables = pfpu_scope_size(namespaces[i].scope);
        walk_same(archive, variables, "a namespace has other variables");
        walk_any_doubles(archive, namespaces[i].instance->values, variables);
    }
    rend_archive_end(archive);
}

/* Which blocks of the pool the instance uses: how many, then place and block of each. */
static void walk_blocks(struct rend_archive *archive, struct pfpu_instance *instance,
                        uint64_t pool_used, bool taken[PFPU_POOL_BLOCKS])
{
    int16_t blocks[PFPU_MEGABUF_BLOCKS];
    size_t places[PFPU_MEGABUF_BLOCKS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < PFPU_MEGABUF_BLOCKS; i++) {
        if (instance->megabuf[i] >= 0) {
            places[count++] = i;
        }
        blocks[i] = -1;
    }
    count = (size_t)rend_archive_number(archive, count, pool_used);
    for (size_t i = 0; i < count; i++) {
        const size_t place =
            (size_t)rend_archive_number(archive, places[i], PFPU_MEGABUF_BLOCKS - 1);
        const size_t block =
            (size_t)rend_archive_number(archive, (uint64_t)instance->megabuf[place], pool_used - 1);
        if (taken[block] || blocks[place] >= 0) {
            rend_archive_refuse(archive, "a block of megabuf is used twice");
        }
        taken[block] = true;
        blocks[place] = (int16_t)block;
    }
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        memcpy(instance->megabuf, blocks, sizeof blocks);
    }
}

/* Pages that were written, as bits, then their cells. The others read as 0 whatever they hold. */
static void walk_pages(struct rend_archive *archive, struct pfpu_globals *globals, double *cells,
                       size_t first_page, size_t pages)
{
    enum { BITS = 64 };
    for (size_t from = 0; from < pages; from += BITS) {
        bool *unwritten = globals->unwritten + first_page + from;
        const size_t count = pages - from < BITS ? pages - from : BITS;
        uint64_t written = 0;
        for (size_t i = 0; i < count; i++) {
            written |= (uint64_t)(unwritten[i] ? 0 : 1) << i;
        }
        written = rend_archive_number(archive, written, UINT64_MAX >> (BITS - count));
        for (size_t i = 0; i < count; i++) {
            const bool is_written = (written >> i & 1) != 0;
            if (is_written) {
                walk_any_doubles(archive, cells + (from + i) * PFPU_PAGE, PFPU_PAGE);
            }
            if (archive->mode == REND_ARCHIVE_RESTORE) {
                unwritten[i] = !is_written;
            }
        }
    }
}

/* The budget is granted anew in each frame. */
static void walk_memory(struct rend_archive *archive, struct rend_section_equations *equations,
                        const struct rend_patch *patch)
{
    struct pfpu_globals *globals = &equations->globals;
    struct base_twister *random = &globals->random;
    struct namespace namespaces[INSTANCES];
    bool taken[PFPU_POOL_BLOCKS] = {false};
    list_namespaces(namespaces, equations, patch);
    rend_archive_begin(archive, REND_SECTION_MEMORY);
    walk_any_doubles(archive, globals->registers, PFPU_REGISTERS_GLOBAL);
    (void)walk_words(archive, random->words, BASE_TWISTER_WORDS, sizeof *random->words);
    const uint64_t next = rend_archive_number(archive, random->next, BASE_TWISTER_WORDS);
    const uint64_t used = rend_archive_number(archive, globals->pool_used, PFPU_POOL_BLOCKS);
    for (size_t i = 0; i < INSTANCES; i++) {
        walk_blocks(archive, namespaces[i].instance, used, taken);
    }
    walk_pages(archive, globals, globals->gmegabuf, 0, PFPU_GMEGABUF_PAGES);
    walk_pages(archive, globals, globals->pool, PFPU_GMEGABUF_PAGES, used * PFPU_BLOCK_PAGES);
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        random->next = next;
        globals->pool_used = used;
        const size_t first = PFPU_GMEGABUF_PAGES + used * PFPU_BLOCK_PAGES;
        memset(globals->unwritten + first, true, PFPU_PAGES - first);
    }
    rend_archive_end(archive);
}

/* ---- pictures ---- */

/* The warp stage reads blurred pictures of the frame before. */
static void walk_shaders(struct rend_archive *archive, struct rend_section_shaders *shaders,
                         const struct rend_patch *patch)
{
    rend_archive_begin(archive, REND_SECTION_SHADERS);
    rend_archive_ints(archive, shaders->divisor, SHADER_STAGES, patch != NULL ? 1 : 0,
                      REND_DIVISOR_MAX);
    struct rend_preset_chances *chances = &shaders->chances;
    const double most = 1000;
    const size_t count = (size_t)REND_ROTATIONS * 3;
    walk_floats(archive, chances->rand, 4, 0, 1);
    walk_doubles(archive, chances->translation[0], count, -most, most);
    walk_doubles(archive, chances->angle[0], count, -most, most);
    walk_doubles(archive, chances->speed[0], count, -most, most);
    for (int level = 1; shaders->blurs && level <= patch->blur_levels; level++) {
        struct tmu_surface surface = *rend_blur_level(&shaders->blur, level);
        rend_archive_pixels(archive, surface.pixels, surface.width, surface.height, surface.stride);
        if (archive->mode == REND_ARCHIVE_RESTORE) {
            tmu_surface_guard(&surface);
        }
    }
    rend_archive_end(archive);
}

void rend_archive_rend(struct rend_archive *archive, struct rend *rend)
{
    const struct rend_config *config = &rend->config;
    const uint64_t content = rend->patch != NULL ? rend_patch_content(rend->patch) : 0;
    uint64_t rate = 0;
    memcpy(&rate, &config->fps, sizeof rate);
    rend_archive_begin(archive, REND_SECTION_CONFIG);
    walk_same(archive, (uint64_t)config->width, "the picture has another width");
    walk_same(archive, (uint64_t)config->height, "the picture has another height");
    walk_same(archive, (uint64_t)config->mesh_x, "the mesh has other columns");
    walk_same(archive, (uint64_t)config->mesh_y, "the mesh has other rows");
    walk_same(archive, (uint64_t)config->levels, "sound is measured in another way");
    walk_same(archive, rate, "it has another number of frames per second");
    walk_same(archive, config->seed, "it has another seed");
    walk_same(archive, content, "it is of another preset");
    rend_archive_end(archive);

    struct rend_clock *clock = &rend->clock;
    rend_archive_begin(archive, REND_SECTION_CLOCK);
    walk_doubles(archive, &clock->time, 1, -second_max, second_max);
    walk_doubles(archive, &clock->fps, 1, DBL_MIN, second_max);
    walk_doubles(archive, &clock->frame, 1, 0, frame_max);
    walk_doubles(archive, &clock->progress, 1, 0, 1);
    const uint64_t spent = rend_archive_number(archive, (uint64_t)rend->spent, INT64_MAX);
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        rend->spent = (int64_t)spent;
    }
    /* One float for each row of keys.def and nothing else. */
    walk_floats(archive, (float *)&rend->values, sizeof rend->values / sizeof(float),
                -(double)FLT_MAX, (double)FLT_MAX);
    rend_archive_end(archive);

    /* The one that is drawn next is painted over; the other one's guard is filled before it is
     * read. */
    const struct tmu_surface *last = &rend->canvas.surface[1 - rend->canvas.current];
    rend_archive_begin(archive, REND_SECTION_CANVAS);
    rend_archive_pixels(archive, last->pixels, last->width, last->height, last->stride);
    rend_archive_end(archive);
    walk_sound(archive, &rend->sound);

    const size_t vertices = ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
    rend_archive_begin(archive, REND_SECTION_MESH);
    walk_bool(archive, &rend->mesh.drawn);
    walk_floats(archive, &rend->mesh.vertices->u, 2 * vertices, -vertex_max, vertex_max);
    rend_archive_end(archive);

    rend_shade_fetch_blur(rend);
    walk_shaders(archive, &rend->shaders, rend->patch);
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        rend_shade_renew(&rend->shaders);
    }
    if (rend->patch != NULL) {
        walk_equations(archive, &rend->equations, rend->patch);
        walk_memory(archive, &rend->equations, rend->patch);
    }
}

/* Measuring and saving change nothing. */
static struct rend *walked(const struct rend *rend)
{
    return (struct rend *)(uintptr_t)rend;
}

size_t rend_save_size(const struct rend *rend)
{
    struct rend_archive archive = {.mode = REND_ARCHIVE_MEASURE};
    rend_archive_rend(&archive, walked(rend));
    return archive.at;
}

size_t rend_save(const struct rend *rend, void *bytes, size_t size)
{
    if (rend_save_size(rend) > size) {
        return 0;
    }
    struct rend_archive archive = {.mode = REND_ARCHIVE_SAVE, .to = bytes, .size = size};
    rend_archive_rend(&archive, walked(rend));
    return archive.at;
}

int rend_restore(struct rend *rend, const void *bytes, size_t size,
                 const struct base_diag_sink *sink)
{
    struct rend_archive archive = {.mode = REND_ARCHIVE_CHECK, .from = bytes, .size = size};
    rend_archive_rend(&archive, rend);
    rend_archive_finish(&archive);
    if (!rend_archive_is_good(&archive, "the picture goes on as it was", sink)) {
        return -1;
    }
    archive = (struct rend_archive){.mode = REND_ARCHIVE_RESTORE, .from = bytes, .size = size};
    rend_archive_rend(&archive, rend);
    return 0;
}
