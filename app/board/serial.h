/* The serial protocol of the Milkymist One's boot loader (spec/milkymist-one.md section 6), from
 * the side of the host: the loader calls, the host answers, then frames that are acknowledged one
 * by one. */
#ifndef APP_BOARD_SERIAL_H
#define APP_BOARD_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APP_SERIAL_BOOT_DATA = 251, /* bytes of the program in a frame, at most */
    APP_SERIAL_BOOT_PAYLOAD = 255,
    APP_SERIAL_BOOT_FRAME = APP_SERIAL_BOOT_PAYLOAD + 4,
    APP_SERIAL_BOOT_TRIES = 5, /* of one frame; the loader gives up after as many */
};

enum app_serial_boot_command {
    APP_SERIAL_BOOT_ABORT,
    APP_SERIAL_BOOT_LOAD, /* address, data */
    APP_SERIAL_BOOT_JUMP, /* address */
    APP_SERIAL_BOOT_LINE, /* address of the command line */
};

/* CCITT, 0x1021, beginning with 0, most significant bit first. */
uint16_t app_serial_boot_crc(const uint8_t *bytes, size_t count);

/* Writes a frame: an address, big-endian, then `count` bytes, at most APP_SERIAL_BOOT_DATA; without
 * either for an abort. Returns its length. */
size_t app_serial_boot_frame(uint8_t frame[APP_SERIAL_BOOT_FRAME],
                             enum app_serial_boot_command command, uint32_t address,
                             const uint8_t *data, size_t count);

/* The line. read: waits for a byte and returns it, or -1 if none came in `seconds`. stop: whether
 * the user wants to stop. now: the seconds of a clock that goes on while read waits. */
struct app_serial_boot_line {
    void *user;
    int (*read)(void *user, double seconds);
    int (*write)(void *user, const uint8_t *bytes, size_t count); /* 0, or -1: it is gone */
    void (*sent)(void *user, size_t bytes);                       /* of image and command line */
    bool (*stop)(void *user);
    double (*now)(void *user);
};

enum app_serial_boot_result {
    APP_SERIAL_BOOT_DONE,
    APP_SERIAL_BOOT_STOPPED,
    APP_SERIAL_BOOT_GONE,    /* the line */
    APP_SERIAL_BOOT_SILENT,  /* no answer to a frame */
    APP_SERIAL_BOOT_GARBLED, /* a frame did not get through */
    APP_SERIAL_BOOT_UNKNOWN, /* the loader does not know the command */
    APP_SERIAL_BOOT_REFUSED, /* the loader cannot do it */
};

/* After the loader's call: answers, sends the image for 0x40000000, the command line (NULL: none)
 * for 0x41000000, and starts the program. A frame that does not get through is sent again; after
 * any failure but a lost line the loader is told to abort. */
enum app_serial_boot_result app_serial_boot(const struct app_serial_boot_line *line,
                                            const uint8_t *image, size_t size,
                                            const char *command_line);

#endif
