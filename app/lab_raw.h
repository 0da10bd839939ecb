/* `froth lab pfpu --hex`: running microcode. */
#ifndef APP_LAB_RAW_H
#define APP_LAB_RAW_H

#include "app/options.h"

/* Runs the program of --hex with the registers of --regs over --mesh vertices and prints what it
 * writes. Returns an enum app_exit. */
int app_lab_run_raw(const struct app_options *options);

#endif
