/* What lwIP asks of the compiler and the C library. */
#ifndef BOARD_FIRMWARE_NET_ARCH_CC_H
#define BOARD_FIRMWARE_NET_ARCH_CC_H

#include "board/firmware/libc/assert.h"

#define LWIP_NO_INTTYPES_H 1
#define LWIP_NO_UNISTD_H   1
#define LWIP_NO_CTYPE_H    1
#define BYTE_ORDER         BIG_ENDIAN

#define LWIP_PLATFORM_DIAG(message)
#define LWIP_PLATFORM_ASSERT(message) board_assert_failed(__FILE__, __LINE__, message)

#endif
