#include "app/board/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/board/inputs.h"
#include "app/board/pictures.h"
#include "app/io/audio.h"
#include "app/io/picture.h"
#include "app/lab/mapper/machines.h"
#include "base/cpu.h"
#include "board/host/host.h"
#include "board/patch/patch.h"
#include "board/step/draw.h"
#include "board/twin/units.h"
#include "pfpu/machine/machine.h"

enum {
    SIDE = APP_CACHE_CELLS + 1, /* vertices */
    /* Rows of the screen's runs: of each period the first ones fill the cache, some more count. */
    PERIOD = 32,
    WARM = 2,
    COUNTED = 6,
    FPS = 24, /* what the board asks for */
    /* The CPU's work, in cycles, as the twin has it: of all frames, of their painting
     * alone, of a second of sound, of drawing. tests/board/hardware_panel.sh compares. */
    FRAME_CYCLES = 155000,
    PAINT_CYCLES = 75000,
    SOUND_CYCLES = 12700000,
    LINES = 4900,    /* moved to and from memory in a frame, but for the texture mapper */
    PIXEL_LINES = 3, /* more of them, for 16 pixels of a border */
    LINE_CYCLES = 10,
    BORDER_MAX = 30,
};

/* What the texture mapper did, in numbers that can be scaled. */
struct tally {
    double requests;
    double hits;
    double cycles;
    double accesses; /* to memory */
    double busy;     /* cycles in which memory was asked */
};

/* Passes rows of a trace on to a model, and counts what they cost. */
struct sampler {
    const struct tmu_sim *sim;
    struct tmu_trace_sink next;
    bool all;
    bool counting;
    struct tally sum;
    double rows;
    double counted;
};

struct work {
    struct app_cache_bench bench;
    struct app_cache_runs runs;
    struct tmu_vertex vertices[SIDE * SIDE];
    struct board_loaded *loaded;
};

static struct tally tally_of(const struct tmu_sim *sim, double seconds)
{
    const struct tmu_sim_report report = tmu_sim_report(sim, seconds);
    struct tally tally = {.cycles = (double)report.cycles,
                          .accesses = (double)report.bus_accesses,
                          .busy = (double)report.bus_busy};
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        tally.requests += (double)report.requests[i];
        tally.hits += (double)report.hits[i];
    }
    return tally;
}

static void add(struct tally *sum, const struct tally *more, double times)
{
    sum->requests += times * more->requests;
    sum->hits += times * more->hits;
    sum->cycles += times * more->cycles;
    sum->accesses += times * more->accesses;
    sum->busy += times * more->busy;
}

static void count(struct sampler *sampler, bool counting)
{
    if (counting != sampler->counting) {
        const struct tally now = tally_of(sampler->sim, 0);
        add(&sampler->sum, &now, counting ? -1 : 1);
        sampler->counting = counting;
    }
}

static void sampler_begin(void *user, const struct tmu_trace_run *run)
{
    struct sampler *sampler = user;
    if (sampler->all) {
        count(sampler, true);
    }
    sampler->next.begin(sampler->next.user, run);
}

static void sampler_row(void *user, const struct tmu_trace_row *row)
{
    struct sampler *sampler = user;
    const int phase = row->y % PERIOD;
    const bool counts = sampler->all || (phase >= WARM && phase < WARM + COUNTED);
    count(sampler, counts);
    sampler->rows++;
    sampler->counted += counts ? 1 : 0;
    if (counts || phase < WARM) {
        sampler->next.row(sampler->next.user, row);
    }
}

static void sampler_end(void *user)
{
    struct sampler *sampler = user;
    sampler->next.end(sampler->next.user);
    count(sampler, false);
}

static float tame(float value)
{
    const float limit = 1e4f;
    return isnan(value) ? 0 : fminf(fmaxf(value, -limit), limit);
}

static float lerp(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* Where a line of the board's mesh falls in one of so many cells: the cell, and the way in it. */
static int place(int line, int cells, float *way)
{
    const double at = (double)line * cells / APP_CACHE_CELLS;
    const int cell = (int)at < cells ? (int)at : cells - 1;
    *way = (float)(at - cell);
    return cell;
}

static void fill_vertices(struct tmu_vertex *vertices, const struct tmu_mesh *mesh)
{
    static const struct tmu_vertex rest[] = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};
    const struct tmu_mesh still = {rest, 1, 1};
    const struct tmu_mesh *from = mesh != NULL ? mesh : &still;
    assert(mesh == NULL || (mesh->columns >= 1 && mesh->rows >= 1));
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            float fx;
            float fy;
            const size_t column = (size_t)place(x, from->columns, &fx);
            const size_t row = (size_t)place(y, from->rows, &fy);
            const size_t pitch = (size_t)from->columns + 1;
            const struct tmu_vertex *low = from->vertices + row * pitch + column;
            const struct tmu_vertex *high = low + pitch;
            vertices[y * SIDE + x] = (struct tmu_vertex){
                lerp(lerp(tame(low[0].u), tame(low[1].u), fx),
                     lerp(tame(high[0].u), tame(high[1].u), fx), fy),
                lerp(lerp(tame(low[0].v), tame(low[1].v), fx),
                     lerp(tame(high[0].v), tame(high[1].v), fx), fy),
            };
        }
    }
}

/* What drawing on the canvas costs. */
struct drawing {
    double cycles;
    double equations; /* of custom shapes and waves, and per frame in software, in cycles */
    double images;    /* of the texture mapper, in cycles */
    double lines;     /* of memory */
};

/* One border. */
static void add_border(struct drawing *drawing, float size, float alpha, double *side)
{
    const double halves = trunc((double)size * APP_CACHE_CANVAS);
    const double width = fmin(fmax(trunc((halves + 1) / 2), 0), BORDER_MAX);
    const double outer = *side;
    *side -= 2 * width;
    if ((double)alpha * 80 >= 1) {
        drawing->lines += (outer * outer - *side * *side) * PIXEL_LINES / 16;
    }
}

static struct drawing drawing_of(const struct preset *preset)
{
    struct drawing drawing = {.cycles = 0};
    double side = APP_CACHE_CANVAS;
    add_border(&drawing, preset->ob_size, preset->ob_a, &side);
    add_border(&drawing, preset->ib_size, preset->ib_a, &side);
    return drawing;
}

static void account_frame(struct app_board_estimate *estimate, const struct tally *mapper,
                          const struct tally *idle, const struct drawing *drawing, double hertz)
{
    const double raster = hertz / (mapper->cycles + PAINT_CYCLES + drawing->cycles);
    /* The sound of a frame that is left out is not looked at. */
    const double work = FRAME_CYCLES + drawing->cycles + drawing->equations;
    const double heard = (hertz - SOUND_CYCLES) / work;
    const double processor = heard > FPS ? heard : hertz / (work + (double)SOUND_CYCLES / FPS);
    estimate->fps = fmin(fmin(raster, processor), hertz / estimate->cycles_per_frame);
    const double rate = fmin(estimate->fps, FPS);
    const double lines = LINES + drawing->lines;
    const double rest = 1 - mapper->cycles * rate / hertz;
    const double bits = 4 * 64; /* of an access */
    estimate->hits = mapper->requests > 0 ? mapper->hits / mapper->requests : 0;
    estimate->mapper_cycles = mapper->cycles;
    estimate->processor_cycles = work + (double)SOUND_CYCLES / FPS;
    estimate->bandwidth = ((mapper->accesses + lines) * rate + rest * idle->accesses) * bits;
    estimate->occupancy = ((mapper->busy + lines * LINE_CYCLES) * rate + rest * idle->busy) / hertz;
    estimate->busy[0] = estimate->cycles_per_frame * rate / hertz;
    estimate->busy[1] = estimate->mapper_cycles * rate / hertz;
    estimate->busy[2] = fmin(estimate->processor_cycles * rate / hertz, 1);
}

/* The twin's machine, beside the scan-out of the screen. False without memory. */
static bool start_mapper(struct app_cache_bench *bench)
{
    (void)app_cache_size_add(bench, APP_CACHE_OWN_SIZE);
    if (app_cache_machine_add(bench, "milkymist", true, NULL) != 0) {
        return false;
    }
    struct tmu_arch *arch = &bench->machines[0];
    const double screen = arch->background_bytes_per_second;
    const bool made = board_twin_tmu_arch(arch);
    arch->background_bytes_per_second = screen;
    return made && app_cache_bench_start(bench, NULL) == 0;
}

/* What the processor computes and draws, and pictures of patches, by the board's own count: means
 * of some frames. path: of the patch. False without memory. */
static bool add_work(struct drawing *drawing, struct board_loaded *loaded, const char *path)
{
    enum { FRAMES = 8 };
    struct board_host *host = board_host_create(base_cpu_best());
    struct board *board = calloc(1, sizeof *board);
    int16_t *samples = calloc(2 * (size_t)BOARD_SAMPLES, sizeof *samples);
    const bool good =
        host != NULL && board != NULL && samples != NULL && board_host_take(host, loaded) == 0;
    if (good) {
        const struct board_input input = {.samples = samples, .sample_count = BOARD_RATE / FPS};
        app_board_pictures_load(host, loaded, path, NULL, NULL);
        board_init(board, board_host_units(host), FPS);
        (void)board_load(board, &loaded->patch);
        for (int i = 0; i < FRAMES; i++) {
            board_step(board, &input);
            drawing->images += (double)board_image_cycles(board) / FRAMES;
            const struct board_items *items = &board->items;
            drawing->equations += (double)items->equation_cycles / FRAMES;
            drawing->equations += (double)items->frame_cycles / FRAMES;
            drawing->cycles += (double)items->drawing_cycles / FRAMES;
            drawing->cycles += (double)items->overlay_cycles / FRAMES;
        }
    }
    board_host_free(host);
    free(board);
    free(samples);
    return good;
}

/* False without memory. */
static bool price_frame(struct app_board_estimate *estimate, struct work *work,
                        const struct preset *preset, const struct tmu_mesh *mesh, double hertz)
{
    struct app_cache_bench *bench = &work->bench;
    if (!start_mapper(bench)) {
        return false;
    }
    struct tmu_sim *sim = app_cache_model_of(bench, 0, 0)->sim;
    struct tally mapper = {0};
    const struct rend_mapping mapping = {
        .mesh = {work->vertices, APP_CACHE_CELLS, APP_CACHE_CELLS},
        .wrap = preset->wrap != 0,
        .echo_alpha = preset->echo_alpha,
        .echo_zoom = preset->echo_zoom,
        .echo_orient = preset->echo_orient & 3,
    };
    fill_vertices(work->vertices, mesh);
    app_cache_runs_frame(&work->runs, &mapping, 0);
    for (size_t i = 0; i < work->runs.count; i++) {
        const struct app_cache_run *run = &work->runs.runs[i];
        struct sampler sampler = {
            .sim = sim, .next = tmu_sim_sink(sim), .all = run->registers.vmeshlast > 1};
        const struct tmu_trace_sink sink = {&sampler, sampler_begin, sampler_row, sampler_end};
        board_mapper_trace(&run->registers, run->vertices, &sink);
        if (sampler.counted > 0) {
            struct tally tally = {0};
            add(&tally, &sampler.sum, sampler.rows / sampler.counted);
            add(&mapper, &tally, 1);
        }
        mapper.cycles += BOARD_TWIN_TMU_FLUSH;
    }
    /* What memory does in a second in which only the screen is scanned. */
    const struct tally busy = tally_of(sim, 0);
    struct tally idle = tally_of(sim, busy.cycles / hertz + 1);
    add(&idle, &busy, -1);
    struct drawing drawing = drawing_of(preset);
    if (!add_work(&drawing, work->loaded, preset->path)) {
        return false;
    }
    mapper.cycles += drawing.images;
    account_frame(estimate, &mapper, &idle, &drawing, hertz);
    return true;
}

/* Keeps the first error, and else what is not drawn. */
static void receive_why(void *user, const struct base_diag *diag)
{
    struct app_board_estimate *estimate = user;
    const size_t used = strlen(estimate->why);
    char *to = estimate->why + used;
    const size_t room = sizeof estimate->why - used;
    if (diag->severity == BASE_WARNING) {
        estimate->whole = false;
        (void)snprintf(to, room, "%s%s", used > 0 ? "; " : "", diag->what);
    } else if (diag->severity == BASE_ERROR && estimate->fits) {
        estimate->fits = false;
        if (diag->place.line > 0) {
            (void)snprintf(estimate->why, sizeof estimate->why, "line %u: %.140s",
                           (unsigned)diag->place.line, diag->what);
        } else {
            (void)snprintf(estimate->why, sizeof estimate->why, "%.150s", diag->what);
        }
    }
}

static bool account(struct app_board_estimate *estimate, struct work *work,
                    const struct preset *preset, const struct tmu_mesh *mesh)
{
    const struct pfpu_target *target = &pfpu_target_milkymist_one;
    const struct pfpu_board *board = work->loaded->compiled;
    const struct pfpu_microcode *vertex = &board->vertex.microcode;
    const struct pfpu_microcode *frame = &board->frame.microcode;
    const bool on_unit = board->frame.fit == PFPU_FITS;
    const uint32_t columns = (uint32_t)target->columns + (uint32_t)vertex->stages - 1;
    const uint32_t rows = (uint32_t)target->rows;
    const double cycles = (double)columns * rows * pfpu_machine_vertex_cycles(vertex->vectout) +
                          board_twin_pfpu_waits(columns, rows);
    estimate->frame_words = on_unit ? (int)frame->vectout + 1 : 0;
    estimate->vertex_words = (int)vertex->vectout + 1;
    estimate->registers = (int)vertex->registers;
    estimate->cycles_per_vertex = cycles / ((double)target->columns * target->rows);
    estimate->cycles_per_frame =
        cycles +
        (on_unit ? pfpu_machine_vertex_cycles(frame->vectout) + board_twin_pfpu_waits(1, 1) : 0);
    estimate->slots_filled = (double)vertex->operations / estimate->vertex_words;
    estimate->processor_equations =
        board->frame_host != NULL || board->cpu_part != NULL || !on_unit;
    return price_frame(estimate, work, preset, mesh, target->hertz);
}

void app_board_estimate_make(struct app_board_estimate *estimate, const struct preset *preset,
                             const struct tmu_mesh *mesh)
{
    const struct app_board_estimate empty = {
        .words_max = (int)pfpu_target_milkymist_one.program_size,
        .registers_max = (int)pfpu_target_milkymist_one.registers,
    };
    const struct base_diag_sink sink = {receive_why, estimate};
    struct work *work = calloc(1, sizeof *work);
    *estimate = empty;
    estimate->fits = estimate->whole = true;
    if (work != NULL) {
        work->loaded = board_patch_create(NULL, preset, FPS, 0, &sink);
    }
    const bool good = work != NULL && work->loaded != NULL && account(estimate, work, preset, mesh);
    if (!good) {
        struct app_board_estimate refused = empty;
        (void)snprintf(refused.why, sizeof refused.why, "%s",
                       estimate->fits ? "not enough memory" : estimate->why);
        *estimate = refused;
    }
    if (work != NULL) {
        app_cache_bench_free(&work->bench);
        board_patch_free(work->loaded);
    }
    free(work);
}

/* ---- what is seen ---- */

enum { LOOKED_AT = 120 };

struct app_board_look {
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    struct app_board_sound sound;
    unsigned drawn;
    enum app_board_seen seen;
    int16_t samples[2 * BOARD_SAMPLES];
    uint32_t pixels[BOARD_WIDTH * BOARD_HEIGHT];
};

struct app_board_look *app_board_look_create(const struct preset *preset)
{
    struct app_board_look *look = calloc(1, sizeof *look);
    if (look == NULL) {
        return NULL;
    }
    look->loaded = board_patch_create(NULL, preset, FPS, 0, NULL);
    look->host = board_host_create(base_cpu_best());
    look->board = calloc(1, sizeof *look->board);
    look->sound.audio = app_audio_open("demo", NULL);
    if (look->loaded == NULL || look->host == NULL || look->board == NULL ||
        look->sound.audio == NULL || board_host_take(look->host, look->loaded) != 0) {
        app_board_look_free(look);
        return NULL;
    }
    app_board_pictures_load(look->host, look->loaded, preset->path, NULL, NULL);
    board_init(look->board, board_host_units(look->host), FPS);
    (void)board_load(look->board, &look->loaded->patch);
    return look;
}

void app_board_look_free(struct app_board_look *look)
{
    if (look != NULL) {
        app_audio_close(look->sound.audio);
        board_host_free(look->host);
        board_patch_free(look->loaded);
        free(look->board);
        free(look);
    }
}

enum app_board_seen app_board_look_step(struct app_board_look *look)
{
    const uint32_t count = BOARD_RATE / FPS;
    if (look->seen != APP_BOARD_UNSURE) {
        return look->seen;
    }
    const struct board_input input = {.samples = look->samples, .sample_count = count};
    app_board_sound_read(&look->sound, look->samples, count);
    board_step(look->board, &input);
    look->drawn++;
    if (look->drawn > LOOKED_AT / 2) {
        board_host_show(look->host, look->pixels, BOARD_WIDTH);
        if (!app_picture_is_black(look->pixels, (size_t)BOARD_WIDTH * BOARD_HEIGHT)) {
            look->seen = APP_BOARD_LIT;
        } else if (look->drawn == LOOKED_AT) {
            look->seen = APP_BOARD_BLACK;
        }
    }
    return look->seen;
}
