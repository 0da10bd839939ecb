/* Whatever bytes come in: they are refused with a message, or the machine they describe takes a
 * picture that is made of the same bytes and says sensible numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmu/models/sim.h"

enum { ROWS = 24, COLUMNS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tmu_fragment fragment_of(const uint8_t *data, size_t size, unsigned at)
{
    const unsigned a = size > 0 ? data[at % size] : 0;
    const unsigned b = size > 0 ? data[(at * 7 + 1) % size] : 0;
    return (struct tmu_fragment){.u = (int32_t)(a * b) - 20000,
                                 .v = (int32_t)(at * b) - 20000,
                                 .x = (uint16_t)(a * b % 512),
                                 .y = (uint16_t)((a + b) % 512),
                                 .fx = a % 64,
                                 .fy = b % 64};
}

static void send_picture(const struct tmu_trace_sink *sink, const uint8_t *data, size_t size)
{
    const struct tmu_trace_run run = {.texture = 4096,
                                      .texture_width = 512,
                                      .texture_height = 512,
                                      .wrap_x = 512,
                                      .target = 6144,
                                      .target_width = 640,
                                      .reads_target = size % 2 != 0};
    struct tmu_fragment fragments[COLUMNS];
    sink->begin(sink->user, &run);
    for (unsigned y = 0; y < ROWS; y++) {
        for (unsigned x = 0; x < COLUMNS; x++) {
            fragments[x] = fragment_of(data, size, y * COLUMNS + x);
        }
        const struct tmu_trace_row row = {.inside = (int)y % 5,
                                          .x = (int)(y * size % 100),
                                          .y = (int)y,
                                          .count = 1 + y * size % COLUMNS,
                                          .fragments = fragments};
        sink->row(sink->user, &row);
    }
    sink->end(sink->user);
}

static void check(const struct tmu_sim_report *report, uint64_t units)
{
    const uint64_t most = report->cycles * units;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        if (report->hits[i] > report->requests[i]) {
            abort();
        }
    }
    if (report->cycles == 0 || report->pixels == 0 || report->stalls > most ||
        report->conflicts > most || !isfinite(report->bandwidth) ||
        !(report->occupancy >= 0 && report->occupancy <= 1.0001)) {
        abort();
    }
}

static void run(const struct tmu_arch *arch, const uint8_t *data, size_t size)
{
    struct tmu_sim *sim = tmu_sim_create(arch);
    if (sim == NULL) {
        return;
    }
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    send_picture(&sink, data, size);
    send_picture(&sink, data, size);
    const struct tmu_sim_report report = tmu_sim_report(sim, 0);
    check(&report, arch->machine_units);
    (void)tmu_sim_report(sim, 1);
    tmu_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct tmu_arch arch;
    const struct base_span text = {(const char *)data, size};
    if (!tmu_arch_read(&arch, "fuzz", "fuzz", text, &sink)) {
        if (messages.by_severity[BASE_ERROR] == 0) {
            abort();
        }
        return 0;
    }
    (void)tmu_arch_check_conflicts(&arch, 512, 512, NULL);
    run(&arch, data, size);
    return 0;
}
