#include "app/lab/mapper/machines.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/io/progress.h"
#include "app/io/text_reader.h"
#include "app/video/video.h"
#include "app/lab/mapper/case.h"
#include "app/loading/loading.h"
#include "engine/loading.h"
#include "tmu/models/arch.h"
#include "tmu/texture.h"

/* ---- runs of the texture mapper ---- */

enum {
    SIDE = APP_CACHE_CANVAS,
    TEXEL = 1 << BOARD_MAPPER_FRACTION,
    TURN = SIDE * TEXEL, /* the width of the canvas in coordinates */
    CELL = SIDE / APP_CACHE_CELLS,
    CLAMPED = 0x3ffff,
    WRAPPED = TURN - 1,
    OPAQUE = 63,
    /* Places in memory: two canvases and three screens. */
    CANVAS_BYTES = 2 * SIDE * SIDE,
    SCREENS = 2 * CANVAS_BYTES,
    SCREEN_BYTES = 2 * APP_CACHE_SCREEN_WIDTH * APP_CACHE_SCREEN_HEIGHT,
};

/* Canvas to canvas. */
static struct board_mapper_registers warp_registers(int32_t from, int32_t to, int32_t mask)
{
    struct board_mapper chip;
    board_mapper_reset(&chip, BOARD_MAPPER_THESIS);
    struct board_mapper_registers registers = chip.registers;
    registers.hmeshlast = APP_CACHE_CELLS;
    registers.vmeshlast = APP_CACHE_CELLS;
    registers.texfbuf = from;
    registers.texhres = SIDE;
    registers.texvres = SIDE;
    registers.texhmask = mask;
    registers.texvmask = mask;
    registers.dstfbuf = to;
    registers.dsthres = SIDE;
    registers.dstvres = SIDE;
    registers.dstsquarew = CELL;
    registers.dstsquareh = CELL;
    registers.alpha = OPAQUE;
    return registers;
}

static struct app_cache_run *begin_run(struct app_cache_runs *runs,
                                       struct board_mapper_registers registers)
{
    assert(runs->count < APP_CACHE_RUNS_MAX);
    struct app_cache_run *run = &runs->runs[runs->count++];
    run->registers = registers;
    return run;
}

/* Coordinates of a vertex: columns * x + rows * y + constant, for X and for Y. */
struct plane {
    int32_t columns;
    int32_t rows;
    int32_t constant;
};

static const struct {
    const char *name;
    struct plane x;
    struct plane y;
} sets[] = {
    {"copy", {1024, 0, 0}, {0, 1024, 0}},
    {"zoomin", {640, 0, 0}, {0, 640, 0}},
    {"zoomout", {2560, 0, 0}, {0, 2560, 0}},
    {"rotozoom",
     {16 * 67, -16 * 28, (28 - 67) * 256 + 16384},
     {16 * 28, 16 * 67, -(28 + 67) * 256 + 16384}},
};

static int32_t on_plane(const struct plane *plane, int32_t x, int32_t y)
{
    return plane->columns * x + plane->rows * y + plane->constant;
}

static void fill_runs(struct app_cache_runs *runs, const struct plane *u, const struct plane *v)
{
    runs->count = 0;
    struct app_cache_run *run = begin_run(runs, warp_registers(0, CANVAS_BYTES, WRAPPED));
    for (int32_t y = 0; y <= APP_CACHE_CELLS; y++) {
        for (int32_t x = 0; x <= APP_CACHE_CELLS; x++) {
            run->vertices[y * BOARD_MAPPER_PITCH + x] =
                (struct board_mapper_vertex){on_plane(u, x, y), on_plane(v, x, y)};
        }
    }
}

void app_cache_runs_set(struct app_cache_runs *runs, const char *set)
{
    size_t index = 0;
    while (strcmp(sets[index].name, set) != 0) {
        index++;
        assert(index < sizeof sets / sizeof *sets);
    }
    fill_runs(runs, &sets[index].x, &sets[index].y);
}

void app_cache_runs_zoom(struct app_cache_runs *runs, double zoom)
{
    assert(zoom >= 0.1 && zoom <= 100);
    const int32_t step = (int32_t)lround(CELL * TEXEL / zoom);
    const struct plane x = {step, 0, 0};
    const struct plane y = {0, step, 0};
    fill_runs(runs, &x, &y);
}

/* One square, the size of the screen, whose corners read the canvas at these coordinates. */
static void add_screen(struct app_cache_runs *runs, int32_t canvas, int32_t screen,
                       struct board_mapper_vertex from, struct board_mapper_vertex to,
                       int32_t alpha)
{
    struct board_mapper_registers registers = warp_registers(canvas, screen, CLAMPED);
    registers.hmeshlast = 1;
    registers.vmeshlast = 1;
    registers.dsthres = APP_CACHE_SCREEN_WIDTH;
    registers.dstvres = APP_CACHE_SCREEN_HEIGHT;
    registers.dstsquarew = APP_CACHE_SCREEN_WIDTH;
    registers.dstsquareh = APP_CACHE_SCREEN_HEIGHT;
    registers.alpha = alpha;
    struct board_mapper_vertex *vertices = begin_run(runs, registers)->vertices;
    vertices[0] = from;
    vertices[1] = (struct board_mapper_vertex){to.x, from.y};
    vertices[BOARD_MAPPER_PITCH] = (struct board_mapper_vertex){from.x, to.y};
    vertices[BOARD_MAPPER_PITCH + 1] = to;
}

/* Cut to a whole number; false if it is none or large. */
static bool cut(float value, int32_t *whole)
{
    if (!(fabsf(value) < 1e9f)) {
        return false;
    }
    *whole = (int32_t)value;
    return true;
}

static void add_echo(struct app_cache_runs *runs, const struct rend_mapping *mapping,
                     int32_t canvas, int32_t screen)
{
    int32_t alpha = 0;
    int32_t near = 0;
    if (!(mapping->echo_alpha > 0) || !cut(64 * fminf(mapping->echo_alpha, 1), &alpha) ||
        alpha <= 1 || !cut((32 - 32 / mapping->echo_zoom) * SIDE, &near)) {
        return;
    }
    struct board_mapper_vertex from = {near, near};
    struct board_mapper_vertex to = {TURN - near, TURN - near};
    if (mapping->echo_orient & 1) {
        from.x = TURN - near;
        to.x = near;
    }
    if (mapping->echo_orient & 2) {
        from.y = TURN - near;
        to.y = near;
    }
    add_screen(runs, canvas, screen, from, to, alpha - 1);
}

void app_cache_runs_frame(struct app_cache_runs *runs, const struct rend_mapping *mapping,
                          uint64_t frame)
{
    const int32_t front = frame % 2 == 0 ? 0 : CANVAS_BYTES;
    const int32_t back = CANVAS_BYTES - front;
    const int32_t screen = SCREENS + (int32_t)(frame % 3) * SCREEN_BYTES;
    const struct board_mapper_vertex corner = {0, 0};
    const struct board_mapper_vertex opposite = {TURN, TURN};
    runs->count = 0;
    struct app_cache_run *run =
        begin_run(runs, warp_registers(front, back, mapping->wrap ? WRAPPED : CLAMPED));
    /* The host's mesh has its first row at the bottom, the chip's at the top. */
    const struct tmu_vertex *from = mapping->mesh.vertices;
    assert(mapping->mesh.columns == APP_CACHE_CELLS && mapping->mesh.rows == APP_CACHE_CELLS);
    for (int y = APP_CACHE_CELLS; y >= 0; y--) {
        for (int x = 0; x <= APP_CACHE_CELLS; x++, from++) {
            run->vertices[y * BOARD_MAPPER_PITCH + x] =
                (struct board_mapper_vertex){(int32_t)(from->u * TURN), (int32_t)(from->v * TURN)};
        }
    }
    add_screen(runs, back, screen, corner, opposite, OPAQUE);
    add_echo(runs, mapping, back, screen);
}

enum { SAMPLES = REND_AUDIO_RATE / APP_CACHE_FPS };

struct app_cache_preset {
    struct rend_patch *patch;
    struct app_audio *audio;
    struct rend *rend;
    uint32_t *pixels;
    uint64_t frame; /* the last one, counted from 1 */
    float samples[2 * SAMPLES];
};

void app_cache_preset_close(struct app_cache_preset *preset)
{
    if (preset == NULL) {
        return;
    }
    rend_free(preset->rend);
    app_audio_close(preset->audio);
    rend_patch_free(preset->patch);
    free(preset->pixels);
    free(preset);
}

static struct app_cache_preset *refuse(struct app_cache_preset *preset, const char *path,
                                       const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
    app_cache_preset_close(preset);
    return NULL;
}

struct app_cache_preset *app_cache_preset_open(const char *path, const char *sound,
                                               struct base_pool *pool,
                                               const struct base_diag_sink *sink)
{
    const struct rend_config config = {
        .width = APP_CACHE_CANVAS,
        .height = APP_CACHE_CANVAS,
        .mesh_x = APP_CACHE_CELLS,
        .mesh_y = APP_CACHE_CELLS,
        .fps = APP_CACHE_FPS,
        .cpu = base_cpu_best(),
        .pool = pool,
    };
    struct app_cache_preset *preset = calloc(1, sizeof *preset);
    if (preset == NULL) {
        return refuse(preset, path, sink);
    }
    preset->patch = engine_patch_load(path, (struct base_span){0}, NULL, NULL, sink);
    preset->audio = preset->patch != NULL ? app_audio_open(sound, sink) : NULL;
    if (preset->audio == NULL) {
        app_cache_preset_close(preset);
        return NULL;
    }
    preset->rend = rend_create(&config);
    preset->pixels = calloc((size_t)APP_CACHE_CANVAS * APP_CACHE_CANVAS, sizeof *preset->pixels);
    if (preset->rend == NULL || preset->pixels == NULL) {
        return refuse(preset, path, sink);
    }
    if (rend_load(preset->rend, preset->patch, 0, sink) != 0) {
        app_cache_preset_close(preset);
        return NULL;
    }
    return preset;
}

void app_cache_preset_next(struct app_cache_preset *preset, struct app_cache_runs *runs)
{
    const size_t got = app_audio_read(preset->audio, preset->samples, SAMPLES);
    memset(preset->samples + 2 * got, 0, 2 * (SAMPLES - got) * sizeof *preset->samples);
    preset->frame++;
    const struct rend_input input = {
        .frame = preset->frame,
        .time = (double)preset->frame / APP_CACHE_FPS,
        .fps = APP_CACHE_FPS,
        .audio = preset->samples,
        .audio_frames = SAMPLES,
    };
    (void)rend_step(preset->rend, &input, preset->pixels, APP_CACHE_CANVAS);
    const struct rend_mapping mapping = rend_mapping(preset->rend);
    app_cache_runs_frame(runs, &mapping, preset->frame);
}

enum {
    PICTURE_SIDE = APP_CACHE_CANVAS,
    SIDE_BITS = 9,
    PIXELS = PICTURE_SIDE * PICTURE_SIDE,
    HALF = 1 << (BOARD_MAPPER_FRACTION - 1), /* from a texel's edge to its centre */
    TURN_SHIFT = TMU_TEXTURE_TURN_BITS - BOARD_MAPPER_FRACTION - SIDE_BITS,
};

struct drawing {
    struct tmu_texture texture;
    int32_t u[PIXELS]; /* as in struct tmu_fragment, then in turns */
    int32_t v[PIXELS];
    uint16_t detail[PIXELS]; /* in 256ths of a level */
    uint32_t pixels[PIXELS];
};

static bool make_texture(struct drawing *drawing, const struct tmu_arch *arch)
{
    const int most = tmu_texture_levels(PICTURE_SIDE, PICTURE_SIDE);
    const struct tmu_texture_form form = {
        .width = PICTURE_SIDE,
        .height = PICTURE_SIDE,
        .levels = (int)arch->texture_levels < most ? (int)arch->texture_levels : most,
        .layout = arch->texture_tile_width > 1 ? TMU_TEXTURE_TILES : TMU_TEXTURE_ROWS,
    };
    drawing->texture = tmu_texture_create(&form);
    if (drawing->texture.texels == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < PIXELS; i++) {
        const uint16_t color = app_tmu_test_color(i % PICTURE_SIDE, i / PICTURE_SIDE);
        const uint32_t red = color >> 11;
        const uint32_t green = color >> 5 & 63;
        const uint32_t blue = color & 31;
        drawing->pixels[i] = red * 255 / 31 << 16 | green * 255 / 63 << 8 | blue * 255 / 31;
    }
    tmu_texture_put(&drawing->texture, 0, drawing->pixels, PICTURE_SIDE);
    tmu_texture_reduce(&drawing->texture);
    return true;
}

static void begin(void *user, const struct tmu_trace_run *run)
{
    (void)user;
    (void)run;
}

static void keep_row(void *user, const struct tmu_trace_row *row)
{
    struct drawing *drawing = user;
    const size_t first = (size_t)row->y * PICTURE_SIDE + (size_t)row->x;
    for (size_t i = 0; i < row->count; i++) {
        drawing->u[first + i] = row->fragments[i].u;
        drawing->v[first + i] = row->fragments[i].v;
    }
}

static void end(void *user)
{
    (void)user;
}

static int32_t turns(int32_t coordinate)
{
    return (int32_t)((uint32_t)(coordinate + HALF) << TURN_SHIFT);
}

int app_cache_picture(const struct tmu_arch *arch, const struct app_cache_run *run,
                      const char *path, const struct base_diag_sink *sink)
{
    struct drawing *drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL || !make_texture(drawing, arch)) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
        free(drawing);
        return -1;
    }
    const struct tmu_trace_sink rows = {drawing, begin, keep_row, end};
    board_mapper_trace(&run->registers, run->vertices, &rows);
    const struct tmu_texture_sampler sampler = {
        .address_x = TMU_WRAP,
        .address_y = TMU_WRAP,
        .filter = arch->requests_filter == TMU_FILTER_NEAREST ? TMU_TEXTURE_NEAREST
                                                              : TMU_TEXTURE_BILINEAR,
    };
    /* One level for each quad of 2x2 pixels. */
    for (size_t i = 0; i < PIXELS;
         i += i % PICTURE_SIDE == PICTURE_SIDE - 2 ? PICTURE_SIDE + 2 : 2) {
        const size_t at[4] = {i, i + 1, i + PICTURE_SIDE, i + PICTURE_SIDE + 1};
        int32_t u[4];
        int32_t v[4];
        for (int k = 0; k < 4; k++) {
            u[k] = drawing->u[at[k]];
            v[k] = drawing->v[at[k]];
        }
        const unsigned level = tmu_texture_quad_level(u, v, BOARD_MAPPER_FRACTION);
        for (int k = 0; k < 4; k++) {
            drawing->detail[at[k]] = (uint16_t)(level * 256);
        }
    }
    for (size_t i = 0; i < PIXELS; i++) {
        drawing->u[i] = turns(drawing->u[i]);
        drawing->v[i] = turns(drawing->v[i]);
    }
    for (size_t first = 0; first < PIXELS; first += PICTURE_SIDE) {
        tmu_texture_row(drawing->pixels + first, &drawing->texture, &sampler, drawing->u + first,
                        drawing->v + first, drawing->detail + first, PICTURE_SIDE);
    }
    const struct app_video_format format = {
        .width = PICTURE_SIDE, .height = PICTURE_SIDE, .rate = {1, 1}, .frames = 1};
    struct app_video *video = app_video_open(path, &format, sink);
    int result = -1;
    if (video == NULL || app_video_frame(video, drawing->pixels) != 0) {
        app_video_discard(video);
    } else {
        result = app_video_finish(video);
    }
    tmu_texture_free(&drawing->texture);
    free(drawing);
    return result;
}

/* ---- machines ---- */

enum { KILO = 1024, SIZE_MIN = 16, SIZE_MAX_BYTES = 8 * KILO * KILO, SHOWN_MAX = 40 };

/* Of 640 x 480 pixels of 16 bits, 25 million per second in lines of 800 and pictures of 525 lines
 * (spec/milkymist-one.md section 4). */
static const double SCAN_OUT = 2.0 * 640 * 480 * 25e6 / (800 * 525);

static const struct base_place NOWHERE = {0};

/* A size that is there already is not there twice. */
static bool append_size(struct app_cache_bench *bench, uint32_t bytes)
{
    for (size_t i = 0; i < bench->size_count; i++) {
        if (bench->sizes[i] == bytes) {
            return true;
        }
    }
    if (bench->size_count == APP_CACHE_SIZES_MAX) {
        return false;
    }
    bench->sizes[bench->size_count++] = bytes;
    return true;
}

bool app_cache_size_add(struct app_cache_bench *bench, uint32_t bytes)
{
    const bool added = append_size(bench, bytes);
    bench->asked_count = bench->size_count;
    return added;
}

/* Digits, and a K or not. 0 for anything else and for what is out of range. */
static uint32_t read_size(struct base_span text)
{
    uint64_t value = 0;
    size_t at = 0;
    while (at < text.size && isdigit((unsigned char)text.data[at]) && value <= SIZE_MAX_BYTES) {
        value = value * 10 + (uint64_t)(text.data[at++] - '0');
    }
    if (at > 0 && at + 1 == text.size && (text.data[at] == 'K' || text.data[at] == 'k')) {
        value *= KILO;
        at++;
    }
    const bool good = at == text.size && value >= SIZE_MIN && value <= SIZE_MAX_BYTES;
    return good ? (uint32_t)value : 0;
}

int app_cache_sizes_add(struct app_cache_bench *bench, const char *text,
                        const struct base_diag_sink *sink)
{
    const char *end = text - 1;
    do {
        const char *start = end + 1;
        const struct base_span word = {start, strcspn(start, ",")};
        const uint32_t bytes = read_size(word);
        if (bytes == 0) {
            const int shown = (int)(word.size < SHOWN_MAX ? word.size : SHOWN_MAX);
            base_report(sink, BASE_ERROR, NOWHERE, "write 16 to 8192K, as 4096, 4K or 2K,4K,8K",
                        "--size: '%.*s' is not a size of a cache in bytes", shown, start);
            return -1;
        }
        if (!app_cache_size_add(bench, bytes)) {
            base_report(sink, BASE_ERROR, NOWHERE, NULL, "--size: there can be %d sizes at most",
                        APP_CACHE_SIZES_MAX);
            return -1;
        }
        end = start + word.size;
    } while (*end == ',');
    return 0;
}

void app_cache_sizes_add_usual(struct app_cache_bench *bench)
{
    for (uint32_t kilo = 2; kilo <= 128; kilo *= 2) {
        (void)append_size(bench, kilo * KILO);
    }
}

void app_cache_size_text(uint32_t bytes, char *text, size_t size)
{
    const bool whole = bytes % KILO == 0;
    (void)snprintf(text, size, "%" PRIu32 "%s", whole ? bytes / KILO : bytes, whole ? "K" : "");
}

static bool read_machine(struct tmu_arch *arch, const char *path, const struct base_diag_sink *sink)
{
    struct base_file file;
    char name[TMU_ARCH_NAME];
    if (base_file_load(&file, path, APP_TEXT_FILE_MAX, sink) != 0) {
        return false;
    }
    /* "tiny" of "machines/tiny.yaml". */
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    const size_t size = dot != NULL && dot > start ? (size_t)(dot - start) : strlen(start);
    (void)snprintf(name, sizeof name, "%.*s", (int)(size < TMU_ARCH_NAME ? size : TMU_ARCH_NAME),
                   start);
    const bool good =
        tmu_arch_read(arch, name, path, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    return good;
}

int app_cache_machine_add(struct app_cache_bench *bench, const char *name, bool scan_out,
                          const struct base_diag_sink *sink)
{
    if (bench->machine_count == APP_CACHE_MACHINES_MAX) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "there can be %d machines at most",
                    APP_CACHE_MACHINES_MAX);
        return -1;
    }
    struct tmu_arch *arch = &bench->machines[bench->machine_count];
    const bool is_file = strpbrk(name, "/.") != NULL;
    if (!(is_file ? read_machine(arch, name, sink) : tmu_arch_builtin(arch, name, sink))) {
        return -1;
    }
    const bool free =
        arch->memory_kind == TMU_MEMORY_DRAM && !(arch->background_bytes_per_second > 0);
    if (scan_out && free) {
        arch->background_bytes_per_second = SCAN_OUT;
    }
    bench->machine_count++;
    return 0;
}

/* Says where a message belongs that has no place of its own. */
struct placed {
    const struct base_diag_sink *next;
    const char *file;
};

static void receive_placed(void *user, const struct base_diag *diag)
{
    const struct placed *placed = user;
    struct base_diag copy = *diag;
    copy.place.file = placed->file;
    if (placed->next != NULL) {
        placed->next->receive(placed->next->user, &copy);
    }
}

/* Returns 0, 1 for a size that cannot be, or -1 without memory. */
static int start_model(struct app_cache_model *model, const struct tmu_arch *machine,
                       uint32_t bytes, const struct base_diag_sink *sink)
{
    char file[32] = "--size ";
    app_cache_size_text(bytes, file + strlen(file), sizeof file - strlen(file));
    struct placed placed = {sink, bytes == APP_CACHE_OWN_SIZE ? NULL : file};
    const struct base_diag_sink placing = {receive_placed, &placed};
    model->arch = *machine;
    if (bytes != APP_CACHE_OWN_SIZE && !tmu_arch_resize(&model->arch, bytes)) {
        struct tmu_arch wanted = model->arch;
        const char *key = NULL;
        wanted.cache_bytes = bytes;
        base_report(&placing, BASE_ERROR, NOWHERE, tmu_arch_problem(&wanted, &key),
                    "machine %s cannot have this size", model->arch.name);
        model->state = APP_CACHE_NO_SIZE;
        return 1;
    }
    if (!tmu_arch_check_conflicts(&model->arch, APP_CACHE_CANVAS, APP_CACHE_CANVAS, &placing)) {
        model->state = APP_CACHE_CONFLICT;
        return 1;
    }
    model->state = APP_CACHE_RUNS;
    model->sim = tmu_sim_create(&model->arch);
    return model->sim != NULL ? 0 : -1;
}

int app_cache_bench_start(struct app_cache_bench *bench, const struct base_diag_sink *sink)
{
    const size_t count = bench->machine_count * bench->size_count;
    int errors = 0;
    bench->models = calloc(count + 1, sizeof *bench->models);
    for (size_t i = 0; bench->models != NULL && i < count; i++) {
        const size_t size = i % bench->size_count;
        const bool asked = size < bench->asked_count;
        const int result = start_model(&bench->models[i], &bench->machines[i / bench->size_count],
                                       bench->sizes[size], asked ? sink : NULL);
        if (result < 0) {
            app_cache_bench_free(bench);
            break;
        }
        errors += asked ? result : 0;
    }
    if (bench->models == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return -1;
    }
    return errors;
}

void app_cache_bench_free(struct app_cache_bench *bench)
{
    const size_t count = bench->machine_count * bench->size_count;
    for (size_t i = 0; bench->models != NULL && i < count; i++) {
        if (bench->models[i].sim != NULL) {
            tmu_sim_free(bench->models[i].sim);
        }
    }
    free(bench->models);
    bench->models = NULL;
}

const struct app_cache_model *app_cache_model_of(const struct app_cache_bench *bench,
                                                 size_t machine, size_t size)
{
    return &bench->models[machine * bench->size_count + size];
}

struct feed {
    struct app_cache_bench *bench;
    const struct app_cache_runs *runs;
};

static void feed_model(void *user, size_t index)
{
    const struct feed *feed = user;
    struct tmu_sim *sim = feed->bench->models[index].sim;
    if (sim == NULL) {
        return;
    }
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    for (size_t i = 0; i < feed->runs->count; i++) {
        const struct app_cache_run *run = &feed->runs->runs[i];
        board_mapper_trace(&run->registers, run->vertices, &sink);
    }
}

void app_cache_bench_feed(struct app_cache_bench *bench, const struct app_cache_runs *runs,
                          struct base_pool *pool)
{
    struct feed feed = {bench, runs};
    base_pool_run(pool, feed_model, &feed, bench->machine_count * bench->size_count);
}

double app_cache_hit_percent(const struct app_cache_model *model)
{
    return model->sim != NULL ? 100 * tmu_sim_report(model->sim, 0).hit_rate : NAN;
}

int app_cache_feed_preset(struct app_cache_bench *benches, size_t count, const char *path,
                          const char *sound, uint64_t frames, const struct base_diag_sink *sink)
{
    struct base_pool *pool = base_pool_create(base_processor_count());
    struct app_cache_runs *runs = calloc(1, sizeof *runs);
    struct app_cache_preset *preset = NULL;
    if (runs == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory");
    } else {
        preset = app_cache_preset_open(path, sound, pool, sink);
    }
    uint64_t done = 0;
    if (preset != NULL) {
        struct app_progress progress;
        app_progress_begin(&progress, stderr, "frames", frames);
        while (done < frames && !base_stop_wanted()) {
            app_cache_preset_next(preset, runs);
            for (size_t i = 0; i < count; i++) {
                app_cache_bench_feed(&benches[i], runs, pool);
            }
            app_progress_step(&progress, ++done);
        }
        app_progress_end(&progress, done, false);
        if (done < frames) {
            base_report(sink, BASE_ERROR, NOWHERE, NULL, "stopped");
        }
    }
    app_cache_preset_close(preset);
    free(runs);
    base_pool_destroy(pool);
    return preset != NULL && done == frames ? 0 : -1;
}
