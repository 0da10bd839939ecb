/* The sockets of the page for the phone: where it listens, and where a connection has arrived. */
#ifndef APP_REMOTE_NETWORK_H
#define APP_REMOTE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "app/remote/request.h"

enum { APP_REMOTE_LISTENERS = 2 };

/* Listens over IPv4 and, where the machine has it, IPv6: open for all, else on 127.0.0.1 and ::1
 * alone. *count: of the sockets, which are the caller's, also where it fails. Returns 0, or -1 with
 * errno. */
int app_remote_listen(bool open, unsigned port, int listeners[APP_REMOTE_LISTENERS], size_t *count);

/* The next connection; -1: there is none now. It does not block. */
int app_remote_accept(int listener);

/* Fills in `address`, `own` and `from` of a connection. False if they cannot be told. */
bool app_remote_find_place(int connection, struct app_remote_place *place);

/* An address of IPv4 under which devices elsewhere find this machine; false if it has none. */
bool app_remote_find_address(char *text, size_t size);

#endif
