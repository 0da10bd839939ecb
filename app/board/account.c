#include "app/board/account.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/json.h"
#include "board/twin/account.h"

/* Cycles of a frame, and their share of it. */
static void print_share(FILE *out, const struct board_twin_show *show, const char *name,
                        double cycles)
{
    const double frame = show->seconds * BOARD_TWIN_CLOCK / (double)show->sums.presented;
    (void)fprintf(out, "  %-12s%9.0f cycles of a frame, %5.1f %%\n", name, cycles,
                  100 * cycles / frame);
}

void app_board_account_print(FILE *out, const struct board_twin *board, double seconds)
{
    const struct board_twin_show show = board_twin_account_show(board);
    const double cycles = (double)board->cpu.cycles;
    (void)fprintf(out,
                  "cycles        %" PRIu64 " (%.3f s at 80 MHz), %.1f million per second\n"
                  "instructions  %" PRIu64 ", %.1f million per second\n"
                  "L1 misses     %" PRIu64 " instructions, %" PRIu64 " data\n"
                  "L2            %" PRIu64 " misses, %" PRIu64 " lines written back\n",
                  board->cpu.cycles, cycles / BOARD_TWIN_CLOCK, cycles / seconds / 1e6,
                  board->cpu.instructions, (double)board->cpu.instructions / seconds / 1e6,
                  board->cpu.icache.misses, board->cpu.dcache.misses, board->memory.misses,
                  board->memory.write_backs);
    (void)fprintf(out,
                  "PFPU          %" PRIu64 " runs, busy %.1f %%\n"
                  "TMU           %" PRIu64 " runs, %" PRIu64 " pixels, busy %.1f %%\n"
                  "pictures      %" PRIu64 " new, %" PRIu64 " scanned\n",
                  board->pfpu.runs, 100 * (double)board->pfpu.cycles / cycles, board->tmu.runs,
                  board->tmu.pixels, 100 * (double)board->tmu.cycles / cycles, board->vga.number,
                  board->vga.scans);
    if (show.seconds > 0) {
        const double frame = show.seconds * BOARD_TWIN_CLOCK / (double)show.sums.presented;
        (void)fprintf(out,
                      "the show, from %.3f s on: %" PRIu64 " pictures in %.3f s, %.2f per second, "
                      "%.0f left out, %.0f never seen\n",
                      show.first_picture, show.sums.presented, show.seconds,
                      show.pictures_per_second, show.left_out, show.unseen);
        print_share(out, &show, "CPU", show.cpu);
        print_share(out, &show, "  others", show.program);
        print_share(out, &show, "  idle", frame - show.cpu - show.program);
        print_share(out, &show, "PFPU", show.pfpu);
        print_share(out, &show, "TMU", show.tmu);
        print_share(out, &show, "two at once", show.two);
        print_share(out, &show, "all three", show.three);
        (void)fprintf(out, "  %-12s%9.0f cycles between two pictures at most\n", "", show.gap);
        (void)fprintf(
            out,
            "  %-12s%9.0f Mbit/s, %.0f of them for the screen; asked for %.1f %% of the time, "
            "%.2f cycles to the first word\n",
            "memory", show.bandwidth / 1e6, show.scan / 1e6, 100 * show.occupancy,
            show.access_time);
    }
}

/* Of all runs. */
static double texel_hits(const struct tmu_sim_report *report)
{
    uint64_t requests = 0;
    uint64_t hits = 0;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        requests += report->requests[i];
        hits += report->hits[i];
    }
    return requests > 0 ? (double)hits / (double)requests : 0;
}

void app_board_account_json(FILE *out, const struct board_twin *board)
{
    const struct board_twin_show show = board_twin_account_show(board);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"seconds", show.seconds},
        {"first_picture", show.first_picture},
        {"pictures_per_second", show.pictures_per_second},
        {"left_out", show.left_out},
        {"unseen", show.unseen},
        {"cpu_cycles", show.cpu},
        {"other_cycles", show.program},
        {"pfpu_cycles", show.pfpu},
        {"tmu_cycles", show.tmu},
        {"two_cycles", show.two},
        {"three_cycles", show.three},
        {"longest_cycles", show.gap},
        {"bandwidth", show.bandwidth},
        {"screen_bandwidth", show.scan},
        {"occupancy_percent", 100 * show.occupancy},
        {"access_time", show.access_time},
        {"texel_hits_percent", 100 * texel_hits(&board->tmu.bus)},
    };
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"cycles", board->cpu.cycles},        {"instructions", board->cpu.instructions},
        {"pictures", show.sums.presented},    {"pfpu_runs", show.sums.pfpu_runs},
        {"tmu_runs", show.sums.tmu_runs},     {"pixels", show.sums.pixels},
        {"bus_accesses", show.sums.accesses}, {"bus_busy", show.sums.busy},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        (void)fprintf(out, "%s\"%s\":", i == 0 ? "{" : ",", counts[i].name);
        base_json_count(out, counts[i].count);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        (void)fprintf(out, ",\"%s\":", numbers[i].name);
        base_json_number(out, numbers[i].value);
    }
    (void)fputs("}\n", out);
}

enum {
    ELF_MAX = 64 * 1024 * 1024,
    CALLERS = 4,      /* named in a row */
    ROW_SHARE = 2000, /* a function with less than one part in so many is left out */
};

static int fail(const struct base_diag_sink *sink, const char *file, const char *hint,
                const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* FIRST-LAST. */
static bool read_range(struct app_board_profiler *profiler, const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    profiler->first = strtoull(text, &end, 10);
    if (*end != '-' || !isdigit((unsigned char)end[1])) {
        return false;
    }
    profiler->end = strtoull(end + 1, &end, 10);
    return *end == '\0' && profiler->first < profiler->end;
}

int app_board_profiler_begin(struct app_board_profiler *profiler, const struct app_options *options,
                             struct board_twin *board, const struct base_diag_sink *sink)
{
    const char *range = options->profile_pictures;
    const char *within = options->profile_in;
    if (options->profile == NULL) {
        return range == NULL && within == NULL
                   ? 0
                   : fail(sink, NULL, NULL, "--profile-pictures and --profile-in need --profile");
    }
    profiler->end = UINT64_MAX;
    if (range != NULL && !read_range(profiler, range)) {
        return fail(sink, NULL, "--profile-pictures 0-1 is before the first one",
                    "--profile-pictures takes two numbers, FIRST-LAST");
    }
    if (base_file_load(&profiler->elf, options->profile, ELF_MAX, sink) != 0) {
        return -1;
    }
    if (!board_twin_profile_create(&profiler->profile, profiler->elf.data, profiler->elf.size)) {
        return fail(sink, options->profile, "boot.elf stands beside boot.bin",
                    "it is no ELF file with functions of the board's processor");
    }
    if (within != NULL) {
        profiler->profile.within = board_twin_profile_find(&profiler->profile, within);
        if (profiler->profile.within == BOARD_TWIN_PROFILE_NONE) {
            return fail(sink, options->profile, NULL, "it has no function of --profile-in's name");
        }
    }
    board->host.look = board_twin_profile_look;
    board->host.looker = &profiler->profile;
    app_board_profiler_picture(profiler, 0);
    return 0;
}

void app_board_profiler_picture(struct app_board_profiler *profiler, uint64_t pictures)
{
    profiler->profile.pauses = pictures < profiler->first || pictures >= profiler->end;
}

/* ---- the table ---- */

static int by_cycles(const void *a, const void *b)
{
    const struct board_twin_edge *left = a;
    const struct board_twin_edge *right = b;
    if (left->cycles != right->cycles) {
        return left->cycles > right->cycles ? -1 : 1;
    }
    return left->caller != right->caller
               ? (left->caller < right->caller ? -1 : 1)
               : (left->called > right->called) - (left->called < right->called);
}

static int by_self(const void *a, const void *b)
{
    const struct board_twin_function *left = *(const struct board_twin_function *const *)a;
    const struct board_twin_function *right = *(const struct board_twin_function *const *)b;
    if (left->self != right->self) {
        return left->self > right->self ? -1 : 1;
    }
    if (left->total != right->total) {
        return left->total > right->total ? -1 : 1;
    }
    return (left > right) - (left < right);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static void print_row(const struct board_twin_profile *profile,
                      const struct board_twin_function *function, FILE *out)
{
    (void)fprintf(out, "%12" PRIu64 " %5.1f %12" PRIu64 " %5.1f  %s", function->self,
                  percent(function->self, profile->all), function->total,
                  percent(function->total, profile->all), function->name);
    const int called = (int)(function - profile->functions);
    int printed = 0;
    for (size_t i = 0; i < profile->edge_count && printed < CALLERS; i++) {
        const struct board_twin_edge *edge = &profile->edges[i];
        if (edge->called == called) {
            (void)fprintf(out, "%s %s %.0f %%", printed == 0 ? "  <" : ",",
                          profile->functions[edge->caller].name,
                          percent(edge->cycles, function->total));
            printed++;
        }
    }
    (void)fprintf(out, "\n");
}

void app_board_profiler_print(struct app_board_profiler *profiler, FILE *out)
{
    struct board_twin_profile *profile = &profiler->profile;
    const struct board_twin_function **rows = calloc(profile->count + 1, sizeof *rows);
    if (profile->all > 0 && rows != NULL) {
        qsort(profile->edges, BOARD_TWIN_PROFILE_EDGES, sizeof *profile->edges, by_cycles);
        (void)fprintf(out,
                      "profile of %" PRIu64 " cycles, %" PRIu64 " of them in no function\n"
                      "        self     %%        total     %%  function  < called by\n",
                      profile->all, profile->outside);
        for (size_t i = 0; i < profile->count; i++) {
            rows[i] = &profile->functions[i];
        }
        qsort(rows, profile->count, sizeof *rows, by_self);
        for (size_t i = 0; i < profile->count; i++) {
            if (rows[i]->self > profile->all / ROW_SHARE || rows[i]->total > profile->all / 100) {
                print_row(profile, rows[i], out);
            }
        }
    }
    free(rows);
}

void app_board_profiler_free(struct app_board_profiler *profiler)
{
    board_twin_profile_free(&profiler->profile);
    base_file_free(&profiler->elf);
}
