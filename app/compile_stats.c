#include "app/compile_stats.h"

#include "app/json.h"
#include "pfpu/machine.h"

static double cycles_of(const struct pfpu_target *target, const struct pfpu_microcode *microcode,
                        bool per_frame)
{
    const double run = pfpu_machine_vertex_cycles(microcode->vectout);
    const double columns = target->columns;
    return per_frame ? run : run * (columns + microcode->stages - 1) / columns;
}

struct app_compile_stats app_compile_stats_of(const struct app_board_patch *patch, bool per_frame)
{
    const struct pfpu_board *board = patch->board;
    const struct pfpu_board_program *program = per_frame ? &board->frame : &board->vertex;
    const struct pfpu_microcode *microcode = &program->microcode;
    struct app_compile_stats stats = {.name = patch->preset.name,
                                      .target = board->target->name,
                                      .scheduler = pfpu_board_scheduler_names[board->scheduler],
                                      .program = per_frame ? "per_frame" : "per_pixel",
                                      .on_cpu = program->fit != PFPU_FITS,
                                      .load_ms = 1e3 * patch->seconds};
    if (stats.on_cpu) {
        return stats;
    }
    stats.instructions = microcode->operations + 1;
    stats.words = microcode->vectout + 1;
    stats.stages = microcode->stages;
    stats.registers = microcode->registers;
    stats.critical_path = microcode->critical_path + 1;
    stats.bound =
        stats.instructions > stats.critical_path ? stats.instructions : stats.critical_path;
    stats.per_instruction = (double)stats.words / stats.instructions;
    stats.cycles = cycles_of(board->target, microcode, per_frame);
    stats.vertices = APP_COMPILE_HERTZ / stats.cycles;
    return stats;
}

static void print_json(FILE *out, const struct app_compile_stats *stats)
{
    const struct {
        const char *key;
        double value;
    } rows[] = {
        {"instructions", stats->instructions},
        {"words", stats->words},
        {"words_per_instruction", stats->per_instruction},
        {"cycles_per_vertex", stats->cycles},
        {"vertices_per_second", stats->vertices},
        {"registers", stats->registers},
        {"stages", stats->stages},
        {"critical_path", stats->critical_path},
        {"lower_bound", stats->bound},
        {"compile_ms", stats->load_ms},
    };
    (void)fputs("{\"preset\":", out);
    app_json_string(out, stats->name);
    (void)fprintf(out, ",\"target\":\"%s\",\"scheduler\":\"%s\",\"program\":\"%s\",\"on_cpu\":",
                  stats->target, stats->scheduler, stats->program);
    app_json_bool(out, stats->on_cpu);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)fprintf(out, ",\"%s\":", rows[i].key);
        app_json_number(out, rows[i].value);
    }
    (void)fputs("}\n", out);
}

void app_compile_stats_print(FILE *out, const struct app_compile_stats *stats, bool json)
{
    if (json) {
        print_json(out, stats);
        return;
    }
    (void)fprintf(out, "preset              %s\n", stats->name);
    (void)fprintf(out, "target, scheduler   %s, %s\n", stats->target, stats->scheduler);
    (void)fprintf(out, "program             %s\n", stats->program);
    if (stats->on_cpu) {
        (void)fprintf(out, "runs on             the board's CPU\n");
        return;
    }
    (void)fprintf(out, "instructions        %u (lower bound of a vertex' words)\n",
                  stats->instructions);
    (void)fprintf(out, "critical path       %u (lower bound of a vertex' latency)\n",
                  stats->critical_path);
    (void)fprintf(out, "words               %u, %.2f for an instruction\n", stats->words,
                  stats->per_instruction);
    (void)fprintf(out, "vertices in flight  %u\n", stats->stages);
    (void)fprintf(out, "registers           %u of 128\n", stats->registers);
    (void)fprintf(out, "cycles per vertex   %.1f, writing included\n", stats->cycles);
    (void)fprintf(out, "vertices per second %.0f at 100 MHz\n", stats->vertices);
    (void)fprintf(out, "compiled in         %.2f ms\n", stats->load_ms);
}
