/* What a rend's next frames depend on, section by section. What is not walked over here is made
 * from the configuration and the patch, or is scratch memory that each frame writes before it reads
 * it: the canvas that is drawn next, temporaries of equations, spectra, uniforms and registers of
 * shaders, the passes between two blurred levels. */
#include "renderer/save.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "renderer/archive.h"
#include "renderer/state.h"

/* A new member of a section changes its size: walk over it, if it lasts, and raise the version. */
#if UINTPTR_MAX == UINT64_MAX
static_assert(sizeof(struct rend_clock) == 32, "REND_SECTION_CLOCK");
static_assert(sizeof(struct rend_section_canvas) == 56, "REND_SECTION_CANVAS");
static_assert(sizeof(struct rend_beat) == 5944, "REND_SECTION_SOUND");
static_assert(sizeof(struct rend_bands) == 10672, "REND_SECTION_SOUND");
static_assert(sizeof(struct rend_analysis) == 30016, "REND_SECTION_SOUND");
static_assert(sizeof(struct pfpu_instance) == 264, "REND_SECTION_EQUATIONS");
static_assert(sizeof(struct pfpu_globals) == 3352, "REND_SECTION_MEMORY");
static_assert(sizeof(struct rend_section_mesh) == 144, "REND_SECTION_MESH");
#endif

static_assert((int)PFPU_POOL_BLOCKS <= (int)PFPU_MEGABUF_BLOCKS, "one instance may use them all");

static const double second_max = 1e12; /* times and frame rates: more than will ever be played */
static const double frame_max = 9007199254740992.0; /* whole numbers in a double */
static const double vertex_max = 1e4;               /* as tmu_vertex allows */

static uint64_t bits_of(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void walk_config(struct rend_archive *archive, const struct rend *rend)
{
    const struct rend_config *config = &rend->config;
    const uint64_t content = rend->patch != NULL ? rend_patch_content(rend->patch) : 0;
    rend_archive_begin(archive, REND_SECTION_CONFIG);
    rend_archive_same(archive, (uint64_t)config->width, "the picture has another width");
    rend_archive_same(archive, (uint64_t)config->height, "the picture has another height");
    rend_archive_same(archive, (uint64_t)config->mesh_x, "the mesh has other columns");
    rend_archive_same(archive, (uint64_t)config->mesh_y, "the mesh has other rows");
    rend_archive_same(archive, (uint64_t)config->levels, "sound is measured in another way");
    rend_archive_same(archive, bits_of(config->fps), "it has another number of frames per second");
    rend_archive_same(archive, config->seed, "it has another seed");
    rend_archive_same(archive, content, "it is of another preset");
    rend_archive_end(archive);
}

static void walk_clock(struct rend_archive *archive, struct rend *rend)
{
    struct rend_clock *clock = &rend->clock;
    const size_t values = sizeof rend->values / sizeof(float);
    rend_archive_begin(archive, REND_SECTION_CLOCK);
    rend_archive_doubles(archive, &clock->time, 1, -second_max, second_max);
    rend_archive_doubles(archive, &clock->fps, 1, DBL_MIN, second_max);
    rend_archive_doubles(archive, &clock->frame, 1, 0, frame_max);
    rend_archive_doubles(archive, &clock->progress, 1, 0, 1);
    /* One float for each row of keys.def and nothing else. */
    rend_archive_floats(archive, (float *)&rend->values, values, -(double)FLT_MAX, (double)FLT_MAX);
    rend_archive_end(archive);
}

/* The one that is drawn next is painted over; the other one's guard is filled before it is read. */
static void walk_canvas(struct rend_archive *archive, struct rend_section_canvas *canvas)
{
    const struct tmu_surface *last = &canvas->surface[1 - canvas->current];
    rend_archive_begin(archive, REND_SECTION_CANVAS);
    rend_archive_pixels(archive, last->pixels, last->width, last->height, last->stride);
    rend_archive_end(archive);
}

/* Ranges are those that clean samples lead to; within them no sum of the filters overflows. */
static void walk_bands(struct rend_archive *archive, struct rend_bands *bands,
                       const struct rend_bands_design *design)
{
    const int32_t sample_max = 1 << 18;
    const size_t outputs = sizeof bands->output / sizeof(int64_t);
    rend_archive_ints(archive, bands->history, 2 * REND_BANDS_TAPS, -sample_max, sample_max);
    rend_archive_wholes(archive, (uint64_t *)bands->output, outputs, INT64_MAX);
    rend_archive_ints(archive, bands->past, 2, -sample_max, sample_max);
    rend_archive_ints(archive, (int32_t *)&bands->samples, 1, 0, (int32_t)design->step - 1);
    rend_archive_ints(archive, &bands->history_at, 1, 0, REND_BANDS_TAPS - 1);
    rend_archive_ints(archive, &bands->output_at, 1, 0, REND_BANDS_WINDOW - 1);
}

/* No tempo, or one within the limits: a shorter period would be searched without end. */
static void walk_period(struct rend_archive *archive, double *period)
{
    const double hops_per_minute = 60.0 * REND_AUDIO_RATE / REND_BEAT_HOP;
    const uint64_t known = rend_archive_number(archive, *period > 0 ? 1 : 0, 1);
    if (known != 0) {
        rend_archive_doubles(archive, period, 1, hops_per_minute / REND_BEAT_BPM_MAX,
                             hops_per_minute / REND_BEAT_BPM_MIN);
    } else if (archive->mode == REND_ARCHIVE_RESTORE) {
        *period = 0;
    }
}

static void walk_beat(struct rend_archive *archive, struct rend_beat *beat)
{
    const double most = 1e30;
    rend_archive_doubles(archive, beat->filter, 5, -most, most);
    rend_archive_doubles(archive, beat->power, REND_BANDS, 0, most);
    rend_archive_ints(archive, &beat->samples, 1, 0, REND_BEAT_HOP - 1);
    rend_archive_doubles(archive, beat->usual, REND_BANDS, 0, most);
    rend_archive_doubles(archive, beat->loudness[0], 2 * REND_BANDS, -most, most);
    rend_archive_doubles(archive, &beat->mean, 1, -most, most);
    rend_archive_doubles(archive, beat->smooth, 2, 0, most);
    rend_archive_wholes(archive, &beat->hops, 1, INT64_MAX);
    rend_archive_floats(archive, beat->onset, REND_BEAT_HISTORY, 0, most);
    rend_archive_floats(archive, beat->correlation, REND_BEAT_LAGS, 0, most);
    walk_period(archive, &beat->period);
    rend_archive_doubles(archive, &beat->beats, 1, -second_max, second_max);
    rend_archive_doubles(archive, &beat->shown, 1, -second_max, second_max);
    rend_archive_ints(archive, &beat->doubts, 1, 0, INT32_MAX / 2);
}

/* Spectra are made anew from the history in each frame that reads them. */
static void walk_sound(struct rend_archive *archive, struct rend_analysis *sound)
{
    const double sample_max = 128;
    const double level_max = 1e30;
    rend_archive_begin(archive, REND_SECTION_SOUND);
    rend_archive_floats(archive, sound->history[0], 2 * REND_WAVEFORM, -sample_max, sample_max);
    rend_archive_floats(archive, sound->waveform[0], 2 * REND_WAVEFORM, -sample_max, sample_max);
    rend_archive_doubles(archive, sound->average, REND_BANDS, 0, level_max);
    rend_archive_doubles(archive, sound->long_average, REND_BANDS, 0, level_max);
    rend_archive_doubles(archive, sound->absolute, REND_BANDS, 0, level_max);
    if (sound->levels != REND_LEVELS_FFT) {
        walk_bands(archive, &sound->bands, rend_bands_design(sound->levels));
    }
    walk_beat(archive, &sound->beat);
    rend_archive_bool(archive, &sound->beat_now);
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
    rend_archive_doubles(archive, &equations->start_time, 1, -second_max, second_max);
    rend_archive_doubles(archive, &equations->planned_seconds, 1, -INFINITY, INFINITY);
    rend_archive_doubles(archive, equations->stored, PRESET_KEYS, -(double)FLT_MAX,
                         (double)FLT_MAX);
    rend_archive_any_doubles(archive, equations->q_init, REND_QS);
    rend_archive_any_doubles(archive, equations->wave_t[0], (size_t)PRESET_WAVES * REND_TS);
    rend_archive_any_doubles(archive, equations->shape_t[0], (size_t)PRESET_SHAPES * REND_TS);
    for (size_t i = 0; i < INSTANCES; i++) {
        const size_t variables = pfpu_scope_size(namespaces[i].scope);
        rend_archive_same(archive, variables, "a namespace has other variables");
        rend_archive_any_doubles(archive, namespaces[i].instance->values, variables);
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
                rend_archive_any_doubles(archive, cells + (from + i) * PFPU_PAGE, PFPU_PAGE);
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
    rend_archive_any_doubles(archive, globals->registers, PFPU_REGISTERS_GLOBAL);
    rend_archive_any_words(archive, random->words, BASE_TWISTER_WORDS);
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

static void walk_mesh(struct rend_archive *archive, struct rend_section_mesh *mesh,
                      const struct rend_config *config)
{
    const size_t vertices = ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
    rend_archive_begin(archive, REND_SECTION_MESH);
    rend_archive_bool(archive, &mesh->drawn);
    rend_archive_floats(archive, &mesh->vertices->u, 2 * vertices, -vertex_max, vertex_max);
    rend_archive_end(archive);
}

static void walk_chances(struct rend_archive *archive, struct rend_preset_chances *chances)
{
    const double most = 1000;
    const size_t count = (size_t)REND_ROTATIONS * 3;
    rend_archive_floats(archive, chances->rand, 4, 0, 1);
    rend_archive_doubles(archive, chances->translation[0], count, -most, most);
    rend_archive_doubles(archive, chances->angle[0], count, -most, most);
    rend_archive_doubles(archive, chances->speed[0], count, -most, most);
}

/* The warp stage reads blurred pictures of the frame before. */
static void walk_shaders(struct rend_archive *archive, struct rend_section_shaders *shaders,
                         const struct rend_patch *patch)
{
    rend_archive_begin(archive, REND_SECTION_SHADERS);
    rend_archive_ints(archive, shaders->divisor, SHADER_STAGES, patch != NULL ? 1 : 0,
                      REND_DIVISOR_MAX);
    walk_chances(archive, &shaders->chances);
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
    walk_config(archive, rend);
    walk_clock(archive, rend);
    walk_canvas(archive, &rend->canvas);
    walk_sound(archive, &rend->sound);
    walk_mesh(archive, &rend->mesh, &rend->config);
    walk_shaders(archive, &rend->shaders, rend->patch);
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
