/* A patch's text from a computer to a board, over packets that may be lost, doubled or late. Each
 * is a message of Open Sound Control (osc.h), to the same port as all others:
 *
 *   computer                                           board
 *   /send/begin ,iisii  id flags name size crc   --->
 *                                                <---  /send/got ,ii id -1
 *   /send/data ,iiib    id number crc bytes      --->
 *                                                <---  /send/got ,ii id number
 *   /send/end ,i        id                       --->
 *                                                <---  /send/wait ,i id           it is being
 * compiled
 *                                                <---  /send/done ,iis id result text
 *
 * Both sums are CRC-32 (base_crc32), of the whole text and of the bytes of a packet. A packet
 * without an answer is sent again; the board answers each of them again. Both ends are state
 * machines without clock and sockets. */
#ifndef BOARD_NET_TRANSFER_H
#define BOARD_NET_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/net/osc.h"

enum {
    BOARD_TRANSFER_MAX = 1024 * 1024, /* bytes of a patch */
    BOARD_TRANSFER_BLOCK = 1024,      /* of a packet, at most */
    BOARD_TRANSFER_BLOCKS = BOARD_TRANSFER_MAX / BOARD_TRANSFER_BLOCK,
    BOARD_TRANSFER_NAME = 64,   /* bytes with the NUL */
    BOARD_TRANSFER_TEXT = 1200, /* of the answer, with its NUL */
    BOARD_TRANSFER_STORE = 1,   /* flag: keep it on the memory card as well */
};

enum board_transfer_result {
    BOARD_TRANSFER_SHOWN,
    BOARD_TRANSFER_BAD,     /* it does not compile, or was shown and cannot be stored: text has the
                               messages, a line each */
    BOARD_TRANSFER_REFUSED, /* the board does not take it: text says why */
};

/* ---- the board's end ---- */

enum board_receiver_state {
    BOARD_RECEIVER_IDLE,
    BOARD_RECEIVER_RECEIVES,
    BOARD_RECEIVER_READY, /* all is there; somebody owes an answer */
    BOARD_RECEIVER_ANSWERED,
};

/* Who sends. */
struct board_peer {
    uint32_t address;
    uint16_t port;
};

/* begin: zero but for `open`, `bytes` and `silence`. While it is READY, bytes, name, size and flags
 * are the answerer's, and nothing changes them. */
struct board_receiver {
    bool open;        /* patches are taken; else they are refused */
    uint8_t *bytes;   /* BOARD_TRANSFER_MAX of them; the caller's */
    uint32_t silence; /* ticks after which a transfer that has stopped is given up */
    volatile enum board_receiver_state state;
    struct board_peer peer;
    int32_t id;
    uint32_t flags;
    uint32_t size;
    uint32_t crc;
    uint32_t missing; /* blocks */
    uint32_t quiet;   /* ticks since the last packet */
    enum board_transfer_result result;
    char name[BOARD_TRANSFER_NAME];
    char text[BOARD_TRANSFER_TEXT];
    uint8_t there[BOARD_TRANSFER_BLOCKS / 8]; /* a bit for each block */
};

/* Takes a message whose address begins with /send/. Writes the answer for the peer, and returns its
 * size; 0: there is none. reply has BOARD_OSC_PACKET bytes. */
size_t board_receiver_hear(struct board_receiver *receiver, struct board_peer peer,
                           const struct board_osc_message *message, uint8_t *reply);

/* Time goes on. */
void board_receiver_tick(struct board_receiver *receiver);

/* What has become of the text that was READY. text is cut where it does not fit. */
void board_receiver_answer(struct board_receiver *receiver, enum board_transfer_result result,
                           const char *text);

/* ---- the computer's end ---- */

enum board_sender_state {
    BOARD_SENDER_RUNS,
    BOARD_SENDER_DONE,   /* the board has answered: result and text */
    BOARD_SENDER_SILENT, /* no answer to many packets */
};

/* Times are in milliseconds of any clock. */
struct board_sender {
    const char *name;
    const uint8_t *bytes;
    size_t size;
    uint32_t flags;
    int32_t id;
    enum board_sender_state state;
    int32_t next;   /* -1: begin; the number of a block; behind the last one: end */
    uint32_t tries; /* of it */
    uint64_t due;   /* of the next try */
    uint64_t again; /* packets that were sent once more */
    enum board_transfer_result result;
    char text[BOARD_TRANSFER_TEXT];
};

/* name: shorter than BOARD_TRANSFER_NAME; size: 1 to BOARD_TRANSFER_MAX; id: another one for each
 * transfer. Name and bytes must outlive the sender. */
void board_sender_begin(struct board_sender *sender, const char *name, const uint8_t *bytes,
                        size_t size, uint32_t flags, int32_t id);

/* Writes the packet that is due and returns its size; 0: none is, until sender->due. */
size_t board_sender_packet(struct board_sender *sender, uint64_t now,
                           uint8_t packet[BOARD_OSC_PACKET]);

/* A packet has come, whatever it is. */
void board_sender_hear(struct board_sender *sender, uint64_t now, const uint8_t *bytes,
                       size_t size);

#endif
