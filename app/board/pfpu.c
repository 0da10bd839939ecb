#include "app/board/pfpu.h"

#include <string.h>

#include "app/board/registers.h"
#include "pfpu/alu.h"
#include "pfpu/pfpu.h"

enum {
    START = 1,
    WORD_MASK = (1 << 25) - 1,
    SIDE_MASK = PFPU_MACHINE_SIDE - 1,
    VERTICES_MASK = (1 << 14) - 1,
    COUNTER_MASK = PFPU_MACHINE_WORDS - 1,
    PAGES = 4,
    PAGE_WORDS = 512,
    BASE_LOW = 7,
};

void app_board_pfpu_reset(struct app_board_pfpu *pfpu)
{
    memset(pfpu, 0, sizeof *pfpu);
    pfpu_machine_init(&pfpu->machine, &pfpu_target_milkymist_one);
    pfpu->due = UINT64_MAX;
}

static uint32_t vertices_at(const struct app_board_pfpu *pfpu, uint64_t now)
{
    if (!pfpu->busy || pfpu->vertex_cycles == 0) {
        return pfpu->busy ? 0 : pfpu->machine.vertices;
    }
    return (uint32_t)((now - pfpu->began) / pfpu->vertex_cycles) & VERTICES_MASK;
}

static uint32_t read_window(const struct app_board_pfpu *pfpu, uint32_t offset)
{
    if (pfpu->busy) {
        return 0;
    }
    if (offset >= APP_BOARD_pfpu_code) {
        return pfpu->machine.code[pfpu->page * PAGE_WORDS + (offset - APP_BOARD_pfpu_code) / 4];
    }
    const uint32_t number = (offset - APP_BOARD_pfpu_registers) / 4;
    return number < PFPU_MACHINE_REGISTERS ? pfpu->machine.registers[number] : 0;
}

uint32_t app_board_pfpu_read(const struct app_board_pfpu *pfpu, uint64_t now, uint32_t offset)
{
    if (offset >= APP_BOARD_pfpu_registers) {
        return read_window(pfpu, offset);
    }
    switch (offset) {
    case APP_BOARD_pfpu_control:
        return pfpu->busy;
    case APP_BOARD_pfpu_mesh_base:
        return pfpu->machine.mesh_base;
    case APP_BOARD_pfpu_hmeshlast:
        return pfpu->machine.last_column;
    case APP_BOARD_pfpu_vmeshlast:
        return pfpu->machine.last_row;
    case APP_BOARD_pfpu_code_page:
        return pfpu->page;
    case APP_BOARD_pfpu_vertices:
        return vertices_at(pfpu, now);
    case APP_BOARD_pfpu_collisions:
        return pfpu->machine.collisions;
    case APP_BOARD_pfpu_stray_writes:
        return pfpu->machine.stray_writes;
    case APP_BOARD_pfpu_last_write:
        return pfpu->machine.last_write;
    case APP_BOARD_pfpu_counter:
        return pfpu->busy ? (uint32_t)(now - pfpu->began) & COUNTER_MASK : 0;
    default:
        return 0;
    }
}

/* Cycles from one vertex to the next; 0 if the program never comes to its end. */
static uint32_t vertex_cycles(const struct pfpu_machine *machine)
{
    for (uint32_t i = 0; i < PFPU_MACHINE_WORDS; i++) {
        if (pfpu_word_opcode(machine->code[i]) == PFPU_OPCODE_VECTOUT) {
            return pfpu_machine_vertex_cycles(i);
        }
    }
    return 0;
}

static void start(struct app_board_pfpu *pfpu, uint64_t now)
{
    const struct pfpu_machine *machine = &pfpu->machine;
    pfpu->busy = true;
    pfpu->began = now;
    pfpu->vertex_cycles = vertex_cycles(machine);
    const uint64_t vertices = (uint64_t)(machine->last_column + 1) * (machine->last_row + 1);
    pfpu->due = pfpu->vertex_cycles > 0 ? now + vertices * pfpu->vertex_cycles : UINT64_MAX;
}

static void control(struct app_board_pfpu *pfpu, uint64_t now, uint32_t value)
{
    if (pfpu->busy) {
        return;
    }
    pfpu->machine.vertices = 0;
    pfpu->machine.collisions = 0;
    pfpu->machine.stray_writes = 0;
    if ((value & START) != 0) {
        start(pfpu, now);
    }
}

static void write_window(struct app_board_pfpu *pfpu, uint32_t offset, uint32_t value)
{
    if (offset >= APP_BOARD_pfpu_code) {
        const uint32_t word = (offset - APP_BOARD_pfpu_code) / 4;
        pfpu->machine.code[pfpu->page * PAGE_WORDS + word] = value & WORD_MASK;
        return;
    }
    const uint32_t number = (offset - APP_BOARD_pfpu_registers) / 4;
    if (number < PFPU_MACHINE_REGISTERS) {
        pfpu_machine_set_register(&pfpu->machine, number, value);
    }
}

void app_board_pfpu_write(struct app_board_pfpu *pfpu, uint64_t now, uint32_t offset,
                          uint32_t value)
{
    if (offset == APP_BOARD_pfpu_control) {
        control(pfpu, now, value);
    } else if (pfpu->busy) {
        return;
    } else if (offset >= APP_BOARD_pfpu_registers) {
        write_window(pfpu, offset, value);
    } else if (offset == APP_BOARD_pfpu_mesh_base) {
        pfpu->machine.mesh_base = value & ~(uint32_t)BASE_LOW;
    } else if (offset == APP_BOARD_pfpu_hmeshlast) {
        pfpu->machine.last_column = value & SIDE_MASK;
    } else if (offset == APP_BOARD_pfpu_vmeshlast) {
        pfpu->machine.last_row = value & SIDE_MASK;
    } else if (offset == APP_BOARD_pfpu_code_page) {
        pfpu->page = value % PAGES;
    }
}

static void write_word(void *user, uint32_t address, uint32_t data)
{
    app_board_memory_deliver(user, address, data);
}

void app_board_pfpu_event(struct app_board_pfpu *pfpu, struct app_board_memory *memory)
{
    const struct pfpu_machine_bus bus = {write_word, memory};
    (void)pfpu_machine_run(&pfpu->machine, &bus);
    pfpu->runs++;
    pfpu->cycles += pfpu->due - pfpu->began;
    pfpu->busy = false;
    pfpu->due = UINT64_MAX;
}
