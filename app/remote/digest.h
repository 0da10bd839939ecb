/* SHA-256 (FIPS 180-4). */
#ifndef APP_REMOTE_DIGEST_H
#define APP_REMOTE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/remote/gate.h"

/* False if it cannot be had; digest is then undefined. */
bool app_remote_digest(const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST]);

#endif
