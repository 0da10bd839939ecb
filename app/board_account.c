#include "app/board_account.h"

#include <inttypes.h>

#include "app/board/account.h"
#include "app/json.h"

static void print_run(FILE *out, const struct app_board *board, double seconds)
{
    const double cycles = (double)board->cpu.cycles;
    (void)fprintf(out,
                  "cycles        %" PRIu64 " (%.3f s at 80 MHz), %.1f million per second\n"
                  "instructions  %" PRIu64 ", %.1f million per second\n"
                  "L1 misses     %" PRIu64 " instructions, %" PRIu64 " data\n"
                  "L2            %" PRIu64 " misses, %" PRIu64 " lines written back\n",
                  board->cpu.cycles, cycles / APP_BOARD_CLOCK, cycles / seconds / 1e6,
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
}

/* Cycles of a frame, and their share of it. */
static void print_share(FILE *out, const struct app_board_show *show, const char *name,
                        double cycles)
{
    const double frame = show->seconds * APP_BOARD_CLOCK / (double)show->sums.presented;
    (void)fprintf(out, "  %-12s%9.0f cycles of a frame, %5.1f %%\n", name, cycles,
                  100 * cycles / frame);
}

static void print_show(FILE *out, const struct app_board_show *show)
{
    const double frame = show->seconds * APP_BOARD_CLOCK / (double)show->sums.presented;
    (void)fprintf(out,
                  "the show, from %.3f s on: %" PRIu64 " pictures in %.3f s, %.2f per second, "
                  "%.0f left out, %.0f never seen\n",
                  show->first_picture, show->sums.presented, show->seconds,
                  show->pictures_per_second, show->left_out, show->unseen);
    print_share(out, show, "CPU", show->cpu);
    print_share(out, show, "  others", show->program);
    print_share(out, show, "  idle", frame - show->cpu - show->program);
    print_share(out, show, "PFPU", show->pfpu);
    print_share(out, show, "TMU", show->tmu);
    print_share(out, show, "two at once", show->two);
    print_share(out, show, "all three", show->three);
    (void)fprintf(out, "  %-12s%9.0f cycles between two pictures at most\n", "", show->gap);
    (void)fprintf(
        out,
        "  %-12s%9.0f Mbit/s, %.0f of them for the screen; asked for %.1f %% of the time, "
        "%.2f cycles to the first word\n",
        "memory", show->bandwidth / 1e6, show->scan / 1e6, 100 * show->occupancy,
        show->access_time);
}

void app_board_account_print(FILE *out, const struct app_board *board, double seconds)
{
    const struct app_board_show show = app_board_account_show(board);
    print_run(out, board, seconds);
    if (show.seconds > 0) {
        print_show(out, &show);
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

void app_board_account_json(FILE *out, const struct app_board *board)
{
    const struct app_board_show show = app_board_account_show(board);
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
        app_json_count(out, counts[i].count);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        (void)fprintf(out, ",\"%s\":", numbers[i].name);
        app_json_number(out, numbers[i].value);
    }
    (void)fputs("}\n", out);
}
