/* Reading programs of the coprocessor from text: recorded runs, microcode and registers. */
#ifndef APP_LAB_PROGRAMS_H
#define APP_LAB_PROGRAMS_H

#include "app/io/text_reader.h"
#include "pfpu/machine/machine.h"

enum app_lab_section {
    APP_LAB_PROGRAM,
    APP_LAB_INIT,
    APP_LAB_CODE,
    APP_LAB_DMA,
    APP_LAB_COUNTERS,
    APP_LAB_FINAL,
    APP_LAB_SECTION_COUNT,
};

enum {
    APP_LAB_FREE = PFPU_MACHINE_REGISTERS - PFPU_MACHINE_CONDITION, /* registers of a program */
    APP_LAB_WRITES = 2 * PFPU_MACHINE_SIDE * PFPU_MACHINE_SIDE,
};

/* A run and what it did. */
struct app_lab_program {
    uint32_t lines[APP_LAB_SECTION_COUNT]; /* where each section stands; 0: it is missing */
    uint32_t number;
    uint32_t words; /* of code */
    uint32_t last_column;
    uint32_t last_row;
    uint32_t vertices;
    uint32_t collisions;
    uint32_t stray_writes;
    size_t init_count;
    size_t code_count;
    size_t write_count;
    size_t final_count;
    bool whole; /* it could be read and has a code */
    /* The words of these are set as far as the counts say. */
    uint32_t init[APP_LAB_FREE]; /* registers from 2 on */
    uint32_t code[PFPU_MACHINE_WORDS];
    uint32_t addresses[APP_LAB_WRITES];
    uint32_t data[APP_LAB_WRITES];
    uint32_t final[APP_LAB_FREE];
};

/* Reads instruction words into code, of PFPU_MACHINE_WORDS. Returns their number; 0 with a message
 * if there are none or something is wrong. */
size_t app_lab_read_code(struct app_text_reader *reader, uint32_t *code);

/* Sets registers of the machine; false with a message if something is wrong. */
bool app_lab_read_registers(struct app_text_reader *reader, struct pfpu_machine *machine);

#endif
