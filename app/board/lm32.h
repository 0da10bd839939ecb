/* The LatticeMico32 of the Milkymist One: instructions, exceptions, interrupts, control registers
 * and the first-level caches, cycle by cycle as far as its manual tells. Plain data; one thread. */
#ifndef APP_BOARD_LM32_H
#define APP_BOARD_LM32_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/lm32_cache.h"

enum {
    APP_LM32_REGISTERS = 32,
    APP_LM32_EA = 30, /* where eret goes */
    APP_LM32_BA = 31, /* where bret goes */
    APP_LM32_VECTOR = 32,
    APP_LM32_POINTS = 4 /* break- and watchpoints */
};

/* Exceptions, in the order of their vectors. */
enum app_lm32_exception {
    APP_LM32_RESET,
    APP_LM32_BREAKPOINT,
    APP_LM32_INSTRUCTION_BUS_ERROR,
    APP_LM32_WATCHPOINT,
    APP_LM32_DATA_BUS_ERROR,
    APP_LM32_DIVIDE_BY_ZERO,
    APP_LM32_INTERRUPT,
    APP_LM32_SYSTEM_CALL,
};

/* Control registers by number. */
enum app_lm32_control {
    APP_LM32_IE = 0x0,
    APP_LM32_IM = 0x1,
    APP_LM32_IP = 0x2,
    APP_LM32_ICC = 0x3,
    APP_LM32_DCC = 0x4,
    APP_LM32_CC = 0x5,
    APP_LM32_CFG = 0x6,
    APP_LM32_EBA = 0x7,
    APP_LM32_DC = 0x8,
    APP_LM32_DEBA = 0x9,
    APP_LM32_CFG2 = 0xA,
    APP_LM32_BP0 = 0x10,
    APP_LM32_WP0 = 0x18,
};

/* Why the processor stands still. */
enum app_lm32_stop {
    APP_LM32_RUNS,
    APP_LM32_ILLEGAL, /* a word that is no instruction; pc is its address */
    APP_LM32_BROKE,   /* a break, or an exception for the debugger, while there is no debugger */
    APP_LM32_CALLED,  /* a system call, if the caller wants to make them; pc is after it */
    APP_LM32_HALTED,  /* from outside */
};

struct app_lm32 {
    uint32_t r[APP_LM32_REGISTERS]; /* 0 is a register as any other */
    uint32_t pc;
    bool ie; /* interrupts are taken; what they were before an exception, before a break */
    bool eie;
    bool bie;
    uint32_t im;
    uint32_t ip;    /* latched */
    uint32_t lines; /* levels, which show in IP as long as they last */
    uint32_t eba;
    uint32_t deba;
    uint32_t dc;
    uint32_t points[2 * APP_LM32_POINTS];
    uint64_t cycles;
    uint64_t deadline;     /* app_lm32_run returns soon after it */
    uint64_t store_done;   /* when the last store has left */
    uint64_t instructions; /* executed */
    enum app_lm32_stop stop;
    bool stops_at_calls;
    struct app_lm32_bus bus; /* the caller's */
    struct app_lm32_icache icache;
    struct app_lm32_dcache dcache;
};

/* As after a reset, at an address: registers 0, interrupts off, caches empty. The bus stays. */
void app_lm32_reset(struct app_lm32 *cpu, uint32_t pc);

/* Runs until cpu->deadline, and to the end of the line of the instruction cache or to the next jump
 * that is taken, where interrupts are looked at. Returns at once while it is stopped. */
void app_lm32_run(struct app_lm32 *cpu);

/* A pulse on interrupt lines. */
static inline void app_lm32_interrupt(struct app_lm32 *cpu, uint32_t lines)
{
    cpu->ip |= lines;
}

/* What rcsr and wcsr do. A number that no register has reads 0. */
uint32_t app_lm32_control_read(const struct app_lm32 *cpu, unsigned number);
void app_lm32_control_write(struct app_lm32 *cpu, unsigned number, uint32_t value);

/* Enters an exception at the instruction at pc. */
void app_lm32_raise(struct app_lm32 *cpu, enum app_lm32_exception exception, uint32_t pc);

#endif
