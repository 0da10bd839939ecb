/* Case files of the TMU and what is expected of them (spec/tmu.md section 9): lines of names and
 * numbers. The files may hold any bytes. */
#ifndef APP_LAB_MAPPER_CASE_H
#define APP_LAB_MAPPER_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "board/mapper/mapper.h"
#include "tmu/models/sim.h"

enum {
    APP_TMU_VERTICES = BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH,
    APP_TMU_PIXELS = 1 << 24,   /* that a case may draw, in the target or not */
    APP_TMU_CACHES = 7,         /* 2 KB, 4 KB, ... 128 KB */
    APP_TMU_CACHE_LEAST = 2048, /* bytes */
    APP_TMU_ROWS = 64,
    APP_TMU_ROW_PIXELS = 64,
    APP_TMU_HEIGHT_MAX = 2047,
};

/* Registers that the file does not name are as after a reset. */
struct app_tmu_case {
    struct board_mapper_registers registers;
    struct board_mapper_vertex vertices[APP_TMU_VERTICES]; /* as board_mapper_run takes them */
};

/* Reads "name value" and "vertex x y X Y" lines, numbers decimal or 0x and hex. False with messages
 * if something is wrong: unknown or repeated names, values that a register cannot hold, meshes and
 * squares of 0, missing vertices, more than APP_TMU_PIXELS. */
bool app_tmu_case_read(struct app_tmu_case *tmu_case, const char *file, struct base_span text,
                       const struct base_diag_sink *sink);

enum app_tmu_number {
#define APP_TMU_NUMBER(name, text, kind) APP_TMU_##name,
#include "app/lab/mapper/numbers.def"
    APP_TMU_NUMBER_COUNT,
};

/* As numbers.def says. */
enum app_tmu_kind { APP_TMU_IS_HEX, APP_TMU_IS_COUNT, APP_TMU_IS_CYCLES };

struct app_tmu_number_row {
    const char *name;
    enum app_tmu_kind kind;
};

extern const struct app_tmu_number_row app_tmu_numbers[];

struct app_tmu_cache {
    uint32_t line; /* of the file; 0: not given */
    uint32_t refills;
    uint32_t requests[TMU_SIM_CHANNELS];
    uint32_t hits[TMU_SIM_CHANNELS];
};

struct app_tmu_row {
    uint32_t line;
    uint32_t y;
    size_t count;
    uint16_t pixels[APP_TMU_ROW_PIXELS]; /* from the left */
};

struct app_tmu_expect {
    struct {
        uint32_t line; /* of the file; 0: not given */
        uint32_t value;
    } numbers[APP_TMU_NUMBER_COUNT];
    struct app_tmu_cache caches[APP_TMU_CACHES]; /* thesis revision */
    struct app_tmu_row rows[APP_TMU_ROWS];
    size_t row_count;
    uint32_t row_crcs[APP_TMU_HEIGHT_MAX];
    size_t row_crc_count;
    uint32_t row_crc_line;
};

/* False with messages if something is wrong or nothing is expected. */
bool app_tmu_expect_read(struct app_tmu_expect *expect, const char *file, struct base_span text,
                         const struct base_diag_sink *sink);

/* Bytes of memory that hold texture and target, at most what the chip can address. */
uint32_t app_tmu_memory_size(const struct board_mapper_registers *registers);

/* RGB565 of a pixel of the test picture (spec/tmu.md section 9): checks, half of them noise. */
uint16_t app_tmu_test_color(uint32_t x, uint32_t y);

/* Writes the texture picture and what the target holds before the run; with any size of memory. */
void app_tmu_fill(const struct board_mapper_registers *registers,
                  const struct board_mapper_memory *memory);

/* CRC-32 of row y of the target, going on from crc. */
uint32_t app_tmu_row_crc(const struct board_mapper_registers *registers,
                         const struct board_mapper_memory *memory, uint32_t y, uint32_t crc);

/* A pixel of the target. */
uint16_t app_tmu_pixel(const struct board_mapper_registers *registers,
                       const struct board_mapper_memory *memory, uint32_t x, uint32_t y);

#endif
