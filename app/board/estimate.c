#include "app/board/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab/mapper/machines.h"
#include "board/patch/compile.h"
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
    FRAME_CYCLES = 109500,
    PAINT_CYCLES = 67000,
    SOUND_CYCLES = 11980000,
    COPIED_CYCLES = 7, /* a pixel of a border that hides what is under it */
    BLENDED_CYCLES = 21,
    RUN_CYCLES = 41,  /* to begin a run: pixels of one row that are drawn one after the other */
    DOT_CYCLES = 565, /* a motion vector, its pixels not counted */
    NONE_WAVE_CYCLES = 0,
    LINE_WAVE_CYCLES = 95000,
    KNOT_WAVE_CYCLES = 230000, /* a wave that crosses itself, with music */
    LINES = 4900,              /* moved to and from memory in a frame, but for the texture mapper */
    PIXEL_LINES = 3,           /* more of them, for 16 pixels of a border */
    LINE_CYCLES = 4,
    BORDER_MAX = 30,
    DOT_MAX = 10,
    VECTORS_MAX = 64,
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

static struct tally price_run(struct tmu_sim *sim, const struct app_cache_run *run)
{
    struct sampler sampler = {
        .sim = sim, .next = tmu_sim_sink(sim), .all = run->registers.vmeshlast > 1};
    const struct tmu_trace_sink sink = {&sampler, sampler_begin, sampler_row, sampler_end};
    struct tally tally = {0};
    board_mapper_trace(&run->registers, run->vertices, &sink);
    if (sampler.counted > 0) {
        add(&tally, &sampler.sum, sampler.rows / sampler.counted);
    }
    return tally;
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

static struct tmu_vertex vertex_at(const struct tmu_mesh *mesh, int x, int y)
{
    float fx;
    float fy;
    const size_t column = (size_t)place(x, mesh->columns, &fx);
    const size_t row = (size_t)place(y, mesh->rows, &fy);
    const size_t pitch = (size_t)mesh->columns + 1;
    const struct tmu_vertex *low = mesh->vertices + row * pitch + column;
    const struct tmu_vertex *high = low + pitch;
    return (struct tmu_vertex){
        lerp(lerp(tame(low[0].u), tame(low[1].u), fx), lerp(tame(high[0].u), tame(high[1].u), fx),
             fy),
        lerp(lerp(tame(low[0].v), tame(low[1].v), fx), lerp(tame(high[0].v), tame(high[1].v), fx),
             fy),
    };
}

static void fill_vertices(struct tmu_vertex *vertices, const struct tmu_mesh *mesh)
{
    static const struct tmu_vertex rest[] = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};
    const struct tmu_mesh still = {rest, 1, 1};
    assert(mesh == NULL || (mesh->columns >= 1 && mesh->rows >= 1));
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            vertices[y * SIDE + x] = vertex_at(mesh != NULL ? mesh : &still, x, y);
        }
    }
}

static double pixel_cycles(double alpha, double opaque)
{
    return alpha < 1 ? 0 : alpha < opaque ? BLENDED_CYCLES : COPIED_CYCLES;
}

/* What drawing on the canvas costs. */
struct drawing {
    double cycles;
    double lines; /* of memory */
};

/* One border; the rows above and below it are one run each, those beside it two. */
static void add_border(struct drawing *drawing, float size, float alpha, double *side)
{
    const double width = fmin(fmax(trunc((double)size * APP_CACHE_CANVAS / 2), 0), BORDER_MAX);
    const double outer = *side;
    const double each = pixel_cycles((double)alpha * 80, 64);
    *side -= 2 * width;
    const double pixels = each > 0 ? outer * outer - *side * *side : 0;
    if (pixels > 0) {
        drawing->cycles += each * pixels + RUN_CYCLES * 2 * outer;
        drawing->lines += pixels * PIXEL_LINES / 16;
    }
}

static double wave_cycles(const struct preset *preset)
{
    static const double cycles[PRESET_WAVE_MODES] = {
#define PRESET_WAVE_MODE(number, name, folded, board, cost) [number] = cost##_WAVE_CYCLES,
#include "presets/milk/wave_modes.def"
    };
    const int32_t mode = preset->wave_mode;
    const bool drawn = mode >= 0 && mode < PRESET_WAVE_MODES && (double)preset->wave_a * 100 >= 1;
    return drawn ? cycles[mode] : 0;
}

static struct drawing drawing_of(const struct preset *preset)
{
    const double columns = fmin(fmax(trunc((double)preset->mv_x), 0), VECTORS_MAX);
    const double rows = fmin(fmax(trunc((double)preset->mv_y), 0), VECTORS_MAX);
    const double dot = fmin(fmax(trunc((double)preset->mv_l), 1), DOT_MAX);
    const double each = pixel_cycles((double)preset->mv_a * 64, 64);
    const double vectors = each > 0 ? columns * rows * (DOT_CYCLES + each * dot * dot) : 0;
    struct drawing drawing = {.cycles = vectors + wave_cycles(preset)};
    double side = APP_CACHE_CANVAS;
    add_border(&drawing, preset->ob_size, preset->ob_a, &side);
    add_border(&drawing, preset->ib_size, preset->ib_a, &side);
    return drawing;
}

static void account_program(struct app_board_estimate *estimate, const struct pfpu_board *board)
{
    const struct pfpu_microcode *vertex = &board->vertex.microcode;
    const struct pfpu_microcode *frame = &board->frame.microcode;
    const struct pfpu_target *target = board->target;
    const bool on_unit = board->frame.fit == PFPU_FITS;
    const double runs = (double)(target->columns + vertex->stages - 1) * target->rows;
    const double mesh = runs * pfpu_machine_vertex_cycles(vertex->vectout);
    estimate->frame_words = on_unit ? (int)frame->vectout + 1 : 0;
    estimate->vertex_words = (int)vertex->vectout + 1;
    estimate->registers = (int)vertex->registers;
    estimate->cycles_per_vertex = mesh / ((double)target->columns * target->rows);
    estimate->cycles_per_frame = mesh + (on_unit ? pfpu_machine_vertex_cycles(frame->vectout) : 0);
    estimate->slots_filled = (double)vertex->operations / estimate->vertex_words;
}

/* What memory does in a second in which only the screen is scanned. */
static struct tally idle_second(const struct tmu_sim *sim, double hertz)
{
    const struct tally busy = tally_of(sim, 0);
    struct tally idle = tally_of(sim, busy.cycles / hertz + 1);
    add(&idle, &busy, -1);
    return idle;
}

/* Frames per second for work of so many cycles a frame beside that of a second: the sound of a
 * frame that is left out is not looked at. */
static double rate_of(double frame, double second, double hertz)
{
    const double rate = (hertz - second) / frame;
    return rate > FPS ? rate : hertz / (frame + second / FPS);
}

static void account_frame(struct app_board_estimate *estimate, const struct tally *mapper,
                          const struct tally *idle, const struct drawing *drawing, double hertz)
{
    const double raster = hertz / (mapper->cycles + PAINT_CYCLES + drawing->cycles);
    const double processor = rate_of(FRAME_CYCLES + drawing->cycles, SOUND_CYCLES, hertz);
    estimate->fps = fmin(fmin(raster, processor), hertz / estimate->cycles_per_frame);
    const double rate = fmin(estimate->fps, FPS);
    const double lines = LINES + drawing->lines;
    const double rest = 1 - mapper->cycles * rate / hertz;
    const double bits = 4 * 64; /* of an access */
    estimate->hits = mapper->requests > 0 ? mapper->hits / mapper->requests : 0;
    estimate->mapper_cycles = mapper->cycles;
    estimate->processor_cycles = FRAME_CYCLES + drawing->cycles + (double)SOUND_CYCLES / FPS;
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
        const struct tally run = price_run(sim, &work->runs.runs[i]);
        add(&mapper, &run, 1);
        mapper.cycles += BOARD_TWIN_TMU_FLUSH;
    }
    const struct tally idle = idle_second(sim, hertz);
    const struct drawing drawing = drawing_of(preset);
    account_frame(estimate, &mapper, &idle, &drawing, hertz);
    return true;
}

/* Keeps the first error. */
static void receive_why(void *user, const struct base_diag *diag)
{
    struct app_board_estimate *estimate = user;
    if (diag->severity != BASE_ERROR || estimate->why[0] != '\0') {
        return;
    }
    if (diag->place.line > 0) {
        (void)snprintf(estimate->why, sizeof estimate->why, "line %u: %.140s",
                       (unsigned)diag->place.line, diag->what);
    } else {
        (void)snprintf(estimate->why, sizeof estimate->why, "%.150s", diag->what);
    }
}

static bool account(struct app_board_estimate *estimate, struct work *work,
                    const struct preset *preset, const struct tmu_mesh *mesh,
                    struct base_arena *arena)
{
    const struct base_diag_sink sink = {receive_why, estimate};
    const struct pfpu_target *target = &pfpu_target_milkymist_one;
    struct pfpu_board *board;
    if (work == NULL ||
        board_compile(preset, target, PFPU_BOARD_QUICK, arena, &sink, &board) != PFPU_OK) {
        return false;
    }
    account_program(estimate, board);
    estimate->processor_equations =
        board->frame_host != NULL || board->cpu_part != NULL || board->frame.fit != PFPU_FITS;
    return price_frame(estimate, work, preset, mesh, target->hertz);
}

void app_board_estimate_make(struct app_board_estimate *estimate, const struct preset *preset,
                             const struct tmu_mesh *mesh)
{
    const struct app_board_estimate empty = {
        .words_max = (int)pfpu_target_milkymist_one.program_size,
        .registers_max = (int)pfpu_target_milkymist_one.registers,
    };
    struct base_arena arena = {0};
    struct work *work = calloc(1, sizeof *work);
    *estimate = empty;
    estimate->fits = account(estimate, work, preset, mesh, &arena);
    if (estimate->fits) {
        estimate->why[0] = '\0';
    } else {
        struct app_board_estimate refused = empty;
        const char *why = estimate->why[0] != '\0' ? estimate->why : "not enough memory";
        (void)snprintf(refused.why, sizeof refused.why, "%s", why);
        *estimate = refused;
    }
    if (work != NULL) {
        app_cache_bench_free(&work->bench);
    }
    free(work);
    base_arena_free(&arena);
}
