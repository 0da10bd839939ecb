/* froth send --udp: to a board over the network. */
#ifndef APP_BOARD_UDP_H
#define APP_BOARD_UDP_H

#include "app/options/options.h"

/* Sends the patch that the options name, and tells what the board makes of it; with --name it asks
 * what plays. Returns the exit code of the command. */
int app_board_send(const struct app_options *options);

#endif
