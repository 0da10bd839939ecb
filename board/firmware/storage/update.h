/* The program in the flash memory, renewed from the memory card. */
#ifndef BOARD_FIRMWARE_STORAGE_UPDATE_H
#define BOARD_FIRMWARE_STORAGE_UPDATE_H

#include "board/firmware/patches.h"

#define BOARD_UPDATE_FILE "BOOT.BIN"

/* Checks BOOT.BIN, the file that the boot loader starts from the card, and writes it to where the
 * boot loader looks for a program in the flash memory; nothing else there changes. Blocks that are
 * equal stay. Length and checksum come last, so that the boot loader never starts a part of it:
 * where the power goes in between, the board starts from the card again. tell is called with the
 * parts done, of 100, now and then. False with a message. */
bool board_update(struct board_patches *patches, void (*tell)(void *user, uint32_t percent),
                  void *user, const struct base_diag_sink *sink);

#endif
