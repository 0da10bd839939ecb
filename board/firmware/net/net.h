/* The board on a network: a task that answers, hears Open Sound Control, takes patches, and tells
 * who asks what plays (docs/milkymist-one.md, "Network"). It has a share of the processor and no
 * more, so that no flood of packets stops the show.
 *
 * The task writes words of osc1 to osc4 and bytes of MIDI into the inputs by itself. All else that
 * is asked for waits until the program takes it. */
#ifndef BOARD_FIRMWARE_NET_NET_H
#define BOARD_FIRMWARE_NET_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "board/firmware/inputs.h"
#include "board/firmware/net/minimac.h"
#include "board/firmware/show.h"
#include "board/firmware/trap.h"
#include "board/net/transfer.h"
#include "board/storage/settings.h"

#define BOARD_NET_FIXED 0xC0A8002Au /* 192.168.0.42 */

enum {
    BOARD_NET_BITS = 24,
    BOARD_NET_LINE = 80, /* bytes of a command, at most */
    BOARD_NET_LINES = 16,
    BOARD_NET_LISTENERS = 16,
    BOARD_NET_NAME = 64,
};

/* What the setting `network` means: "off", "dhcp", an address, or ADDRESS/BITS. */
struct board_net_place {
    bool off;
    bool dhcp;        /* asks for an address; after 8 seconds it takes `address` */
    uint32_t address; /* 192.168.0.42 is 0xC0A8002A */
    uint32_t bits;    /* of it, that are the network's */
};

/* False, and nothing changes, where it is none of these. */
bool board_net_read(struct board_net_place *place, const char *text);

/* What the network asks of the program. */
enum board_net_kind {
    BOARD_NET_NOTHING,
    BOARD_NET_COMMAND, /* line: of the console, for those that may come from anywhere */
    BOARD_NET_CAPTION, /* line: to be shown */
    BOARD_NET_SETTING, /* line: KEY=VALUE, of a setting that the network may set */
    BOARD_NET_PATCH,   /* receiver: to be compiled and shown, and answered */
};

struct board_net_request {
    enum board_net_kind kind;
    char line[BOARD_NET_LINE + 1];
};

/* Who is told of a value again and again. */
struct board_net_listener {
    struct board_peer peer;
    uint32_t value;
    uint32_t each; /* ticks; 0: nobody */
    uint32_t left; /* ticks for which it goes on */
};

struct board_ip;

struct board_net {
    const struct board_settings *settings;
    struct board_tasks *tasks;
    struct board_interrupt_handlers *handlers;
    const struct board_timer *timer;
    const struct board_show *show;
    struct board_inputs *inputs;
    uint32_t rate;       /* ticks in a second */
    struct board_ip *ip; /* NULL: there is no network */
    struct board_minimac mac;
    struct board_receiver receiver;
    struct board_net_listener listeners[BOARD_NET_LISTENERS];
    uint32_t ticks;      /* of the timer that were seen */
    uint32_t age;        /* ticks since the start */
    uint32_t share;      /* cycles for the network in each */
    uint32_t spent;      /* of them */
    uint32_t interrupts; /* cycles of the driver that were counted */
    uint32_t heard;      /* frames for this board */
    uint32_t frames;     /* of the show, a second ago */
    uint32_t fps;
    bool link; /* there is a cable with something at its other end */
    /* The last packet that was no good; told once a second. */
    uint32_t faults;
    uint32_t fault_told;     /* tick */
    volatile uint32_t asked; /* requests that came, and that were taken */
    volatile uint32_t taken;
    struct board_net_request requests[BOARD_NET_LINES];
    /* What plays, as the program says. */
    int32_t number;
    char name[BOARD_NET_NAME];
    uint32_t address; /* that the program has told */
    bool nameless;    /* the board has no address of Ethernet of its own, which was not told yet */
    uint8_t packet[BOARD_OSC_PACKET];
};

/* Sets up what `settings` say; settings to rate are set before, all else zero. False: there is no
 * network, and the console says why if it was asked for. */
bool board_net_begin(struct board_net *net);

/* The task; user: the network. */
void board_net_run(void *user);

/* The next request, by the program; kind BOARD_NET_NOTHING: none. */
struct board_net_request board_net_take(struct board_net *net);

/* What has become of a patch. */
void board_net_answer(struct board_net *net, enum board_transfer_result result, const char *text);

/* What plays from now on. */
void board_net_tell(struct board_net *net, int32_t number, const char *name);

/* Prints the board's address when there is a link and it is another one than before. By the
 * program. */
void board_net_print(struct board_net *net);

/* Prints how many frames came and went. */
void board_net_print_counts(const struct board_net *net);

#endif
