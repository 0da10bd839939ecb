#include "tmu/dram.h"

void tmu_dram_init(struct tmu_dram *dram, const struct tmu_arch *arch)
{
    *dram = (struct tmu_dram){.bank_count = arch->memory_banks,
                              .row_bytes = arch->memory_row_bytes,
                              .controller = arch->memory_latency,
                              .precharge = arch->memory_precharge,
                              .activate = arch->memory_activate,
                              .latency = {arch->memory_read_latency, arch->memory_write_latency},
                              .write_recovery = arch->memory_write_recovery,
                              .turnaround = arch->memory_turnaround,
                              .burst_words = arch->memory_burst_words,
                              .refresh_interval = arch->memory_refresh_interval,
                              .refresh_cycles = arch->memory_refresh_cycles,
                              .next_refresh = arch->memory_refresh_interval};
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Those that were due while nobody asked cost nothing, but they too closed the rows. */
static uint64_t refresh(struct tmu_dram *dram, uint64_t time)
{
    if (dram->refresh_interval == 0 || time < dram->next_refresh) {
        return time;
    }
    const uint64_t last = time - (time - dram->next_refresh) % dram->refresh_interval;
    uint64_t begin = last;
    for (uint32_t i = 0; i < dram->bank_count; i++) {
        if (dram->banks[i].row != 0) {
            begin = later(begin, dram->banks[i].free);
            dram->banks[i].row = 0;
        }
    }
    dram->next_refresh = last + dram->refresh_interval;
    return later(time, begin + dram->precharge + dram->refresh_cycles);
}

/* When a read or write command may be given. */
static uint64_t open_row(const struct tmu_dram *dram, struct tmu_dram_bank *bank, uint64_t row,
                         uint64_t time)
{
    if (bank->row == row) {
        return time;
    }
    if (bank->row != 0) {
        time = later(time, bank->free) + dram->precharge;
    }
    bank->row = row;
    return time + dram->activate;
}

uint64_t tmu_dram_access(struct tmu_dram *dram, uint64_t time, uint64_t address, bool write)
{
    const uint64_t row = address / dram->row_bytes;
    struct tmu_dram_bank *bank = &dram->banks[row % dram->bank_count];
    const uint64_t command =
        open_row(dram, bank, row / dram->bank_count + 1, refresh(dram, time + dram->controller));
    const uint64_t turned = dram->data_free + (write != dram->wrote ? dram->turnaround : 0);
    const uint64_t first = later(command + dram->latency[write], turned);
    dram->data_free = first + dram->burst_words;
    dram->wrote = write;
    bank->free = dram->data_free + (write ? dram->write_recovery : 0);
    return first;
}
