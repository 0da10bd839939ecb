#include "app/compile_stats.h"

#include "app/json.h"
#include "app/plain.h"
#include "pfpu/machine.h"

enum { MEGA = 1000000 };

static void set_costs(struct app_compile_stats *stats, const struct pfpu_microcode *microcode,
                      uint32_t critical_path)
{
    stats->operations = microcode->operations;
    stats->words = microcode->vectout + 1;
    stats->stages = microcode->stages;
    stats->registers = microcode->registers;
    stats->critical_path = critical_path + 1;
    /* Several vertices in flight hide the latencies. */
    stats->bound = microcode->stages > 1 || stats->operations > stats->critical_path
                       ? stats->operations
                       : stats->critical_path;
    stats->per_operation = (double)stats->words / stats->operations;
    stats->cycles = pfpu_machine_vertex_cycles(microcode->vectout);
}

struct app_compile_stats app_compile_stats_of(struct app_board_patch *patch, bool per_frame)
{
    const struct pfpu_board *board = patch->board;
    const struct pfpu_board_program *program = per_frame ? &board->frame : &board->vertex;
    struct app_compile_stats stats = {.name = patch->preset.name,
                                      .target = board->target->name,
                                      .scheduler = pfpu_board_scheduler_names[board->scheduler],
                                      .program = per_frame ? "per_frame" : "per_pixel",
                                      .per_frame = per_frame,
                                      .equations_on_cpu = per_frame && board->frame_host != NULL,
                                      .on_cpu = program->fit != PFPU_FITS,
                                      .columns = board->target->columns,
                                      .mhz = board->target->hertz / MEGA,
                                      .load_ms = 1e3 * patch->seconds};
    if (!stats.on_cpu) {
        set_costs(&stats, &program->microcode,
                  pfpu_critical_path(board->target, &program->ir, &patch->arena));
    }
    return stats;
}

double app_compile_stats_vertices(const struct app_compile_stats *stats, unsigned mhz)
{
    const double runs = stats->columns + stats->stages - 1;
    return 1e6 * mhz * stats->columns / (stats->cycles * runs);
}

static void json_count(FILE *out, const char *key, double value)
{
    (void)fprintf(out, ",\"%s\":", key);
    app_json_count(out, (uint64_t)(value + 0.5));
}

static void json_costs(FILE *out, const struct app_compile_stats *stats)
{
    json_count(out, "instructions", stats->operations);
    json_count(out, "words", stats->words);
    (void)fputs(",\"cycles_per_instruction\":", out);
    app_json_number(out, stats->per_operation);
    json_count(out, "registers", stats->registers);
    json_count(out, "stages", stats->stages);
    json_count(out, "critical_path", stats->critical_path);
    json_count(out, "lower_bound", stats->bound);
    json_count(out, stats->per_frame ? "cycles" : "cycles_per_vertex", stats->cycles);
    if (!stats->per_frame) {
        json_count(out, "mhz", stats->mhz);
        json_count(out, "vertices_per_second", app_compile_stats_vertices(stats, stats->mhz));
        json_count(out, "vertices_per_second_at_100_mhz",
                   app_compile_stats_vertices(stats, APP_COMPILE_PAPER_MHZ));
    }
}

static void print_json(FILE *out, const struct app_compile_stats *stats)
{
    (void)fputs("{\"preset\":", out);
    app_json_string(out, stats->name);
    (void)fprintf(out, ",\"target\":\"%s\",\"scheduler\":\"%s\",\"program\":\"%s\",\"on_cpu\":",
                  stats->target, stats->scheduler, stats->program);
    app_json_bool(out, stats->on_cpu);
    if (stats->per_frame) {
        (void)fputs(",\"equations_on_cpu\":", out);
        app_json_bool(out, stats->equations_on_cpu);
    }
    if (!stats->on_cpu) {
        json_costs(out, stats);
    }
    (void)fputs(",\"compile_ms\":", out);
    app_json_number(out, stats->load_ms);
    (void)fputs("}\n", out);
}

static void print_cycles(FILE *out, const struct app_compile_stats *stats)
{
    if (stats->per_frame) {
        (void)fprintf(out, "cycles              %u, once per frame\n", stats->cycles);
        return;
    }
    (void)fprintf(out, "cycles per vertex   %u, writing included\n", stats->cycles);
    (void)fprintf(out, "vertices per second %.0f at %u MHz, as the papers count",
                  app_compile_stats_vertices(stats, APP_COMPILE_PAPER_MHZ), APP_COMPILE_PAPER_MHZ);
    if (stats->mhz != APP_COMPILE_PAPER_MHZ) {
        (void)fprintf(out, "; %.0f at the board's %u MHz",
                      app_compile_stats_vertices(stats, stats->mhz), stats->mhz);
    }
    (void)fputc('\n', out);
}

static void print_costs(FILE *out, const struct app_compile_stats *stats)
{
    (void)fprintf(out, "instructions        %u (lower bound of the words)\n", stats->operations);
    (void)fprintf(out, "critical path       %u (lower bound with one vertex at a time)\n",
                  stats->critical_path);
    (void)fprintf(out, "words               %u, a cycle each, %.2f for an instruction\n",
                  stats->words, stats->per_operation);
    if (stats->stages > 1) {
        (void)fprintf(out, "vertices in flight  %u; a row of %u takes %u runs\n", stats->stages,
                      stats->columns, stats->columns + stats->stages - 1);
    } else {
        (void)fprintf(out, "vertices in flight  1\n");
    }
    (void)fprintf(out, "registers           %u of 128\n", stats->registers);
    print_cycles(out, stats);
}

void app_compile_stats_print(FILE *out, const struct app_compile_stats *stats, bool json)
{
    if (json) {
        print_json(out, stats);
        return;
    }
    (void)fputs("preset              ", out);
    app_plain(out, stats->name);
    (void)fprintf(out, "\ntarget, scheduler   %s, %s\n", stats->target, stats->scheduler);
    (void)fprintf(out, "program             %s\n", stats->program);
    if (stats->equations_on_cpu) {
        (void)fputs("equations           run on the board's CPU; the program is what is the same "
                    "for all vertices\n",
                    out);
    }
    if (stats->on_cpu) {
        (void)fputs("runs on             the board's CPU\n", out);
    } else {
        print_costs(out, stats);
    }
    (void)fprintf(out, "compiled in         %.2f ms\n", stats->load_ms);
}
