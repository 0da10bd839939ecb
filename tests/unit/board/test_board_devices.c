/* The twin's devices replay recordings of the real cores (tests/data/devices/README.md): the same
 * writes and stimuli at the same cycles must give the same reads, interrupts and outputs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/twin/machine.h"

enum {
    FIELDS = 8,
    LINE = 128,
    RECORDS = 2048,
    WAITS = 4,
    BIT = 320, /* of DMX, in cycles */
    SLOTS = BOARD_TWIN_DMX + 1,
    PACKET_PREAMBLE = 8,
};

struct record {
    uint64_t at;
    char text[LINE]; /* behind the cycle, as it stands in the file */
    char words[LINE];
    char *fields[FIELDS]; /* of words; fields[0] is the kind */
    size_t count;
    bool used;
};

/* A condition that is polled at every cycle. */
struct wait {
    const struct record *record;
    bool never; /* an N */
    uint64_t end;
};

struct replay {
    const char *name;
    uint64_t tolerance;
    struct record records[RECORDS];
    size_t count;
    struct wait waits[WAITS];
    size_t wait_count;
    uint64_t now;
    char lines[LINE]; /* names of the interrupt lines and outputs that were high */

    struct board_twin_memory memory;
    struct board_twin_card card;
    struct board_twin_uart uart;
    struct board_twin_system system;
    struct board_twin_ac97 ac97;
    struct board_twin_vga vga;
    struct board_twin_dmx_in dmx_in;
    struct board_twin_dmx_out dmx_out;
    struct board_twin_infrared infrared;
    struct board_twin_ethernet ethernet;
    uint8_t card_image[8 * BOARD_TWIN_CARD_BLOCK];
    uint32_t shown;                 /* by the screen */
    uint8_t stored[BOARD_TWIN_DMX]; /* as it was a cycle ago */
    uint64_t fell;                  /* when the DMX line did */
    uint64_t rose;
    bool high;          /* it is */
    unsigned slot;      /* that comes next */
    uint64_t slot_at;   /* when it began; 0: none */
    unsigned slot_bits; /* that were seen */
};

/* A device: what it does at a cycle, in the order of these rows. Rows may be NULL. */
struct device {
    void (*begin)(struct replay *replay);
    void (*happen)(struct replay *replay);
    void (*stimulate)(struct replay *replay, const struct record *record);
    void (*look)(struct replay *replay); /* at interrupt lines and outputs */
    uint32_t (*read)(struct replay *replay, uint32_t offset);
    void (*write)(struct replay *replay, uint32_t offset, uint32_t value);
    const char *unchecked; /* streams that are nobody's output, with a bar behind each */
};

/* ---- recordings ---- */

static uint64_t number(const char *text, int base)
{
    char *end;
    const uint64_t value = strtoull(text, &end, base);
    assert_true(end != text && *end == '\0');
    return value;
}

static int in_order(const void *a, const void *b)
{
    const struct record *first = a;
    const struct record *second = b;
    if (first->at != second->at) {
        return first->at < second->at ? -1 : 1;
    }
    return first < second ? -1 : 1;
}

static void load(struct replay *replay, const char *name)
{
    char path[512];
    char line[512];
    (void)snprintf(path, sizeof path, "%s/devices/%s.txt", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        assert_true(replay->count < RECORDS);
        struct record *record = &replay->records[replay->count++];
        char *behind;
        record->at = strtoull(line, &behind, 10);
        assert_true(*behind == ' ');
        assert_true(strlen(behind) <= LINE);
        memcpy(record->text, behind + 1, strlen(behind));
        memcpy(record->words, record->text, LINE);
    }
    (void)fclose(file);
    /* Stable, since the records of one cycle compare by their places. */
    struct record **sorted = calloc(replay->count, sizeof *sorted);
    struct record *copy = malloc(replay->count * sizeof *copy);
    assert_true(sorted != NULL && copy != NULL);
    for (size_t i = 0; i < replay->count; i++) {
        size_t at = i;
        for (; at > 0 && in_order(&replay->records[i], sorted[at - 1]) < 0; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = &replay->records[i];
    }
    for (size_t i = 0; i < replay->count; i++) {
        copy[i] = *sorted[i];
    }
    memcpy(replay->records, copy, replay->count * sizeof *copy);
    free(copy);
    free(sorted);
    for (size_t i = 0; i < replay->count; i++) {
        struct record *record = &replay->records[i];
        for (char *word = strtok(record->words, " "); word != NULL && record->count < FIELDS;
             word = strtok(NULL, " ")) {
            record->fields[record->count++] = word;
        }
        assert_true(record->count >= 2);
    }
}

static bool is(const struct record *record, const char *kind)
{
    return strcmp(record->fields[0], kind) == 0;
}

/* ---- what comes out ---- */

/* Something came out, of which the stream is the beginning: the next record of that stream must say
 * the same at about the same time. */
static void emit(struct replay *replay, const char *stream, const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < replay->count; i++) {
        struct record *record = &replay->records[i];
        if (record->used || strncmp(record->text, stream, strlen(stream)) != 0) {
            continue;
        }
        record->used = true;
        const uint64_t apart =
            record->at > replay->now ? record->at - replay->now : replay->now - record->at;
        if (strcmp(record->text, text) != 0 || apart > replay->tolerance) {
            fail_msg("%s: %" PRIu64 " %s, but recorded is %" PRIu64 " %s", replay->name,
                     replay->now, text, record->at, record->text);
        }
        return;
    }
    if (replay->now <= replay->records[replay->count - 1].at) {
        fail_msg("%s: %" PRIu64 " %s is not recorded", replay->name, replay->now, text);
    }
}

/* A line's level now. Names are unique, and none is the end of another. */
static void line_is(struct replay *replay, const char *kind, const char *name, bool high)
{
    char stream[LINE];
    char mark[LINE];
    (void)snprintf(mark, sizeof mark, "%s|", name);
    char *place = strstr(replay->lines, mark);
    if ((place != NULL) == high) {
        return;
    }
    if (high) {
        strcat(replay->lines, mark);
    } else {
        memmove(place, place + strlen(mark), strlen(place + strlen(mark)) + 1);
    }
    (void)snprintf(stream, sizeof stream, "%s %s ", kind, name);
    emit(replay, stream, "%s%d", stream, high);
}

/* ---- the replay ---- */

static uint32_t read_now(struct replay *replay, const struct device *device, const char *address)
{
    return device->read(replay, (uint32_t)number(address, 16));
}

static bool is_met(struct replay *replay, const struct device *device, const struct record *record)
{
    return (read_now(replay, device, record->fields[1]) & number(record->fields[2], 16)) ==
           number(record->fields[3], 16);
}

static void poll_waits(struct replay *replay, const struct device *device)
{
    for (size_t i = 0; i < replay->wait_count; i++) {
        struct wait *wait = &replay->waits[i];
        const struct record *record = wait->record;
        const bool met = is_met(replay, device, record);
        const uint64_t late = wait->never ? 0 : replay->tolerance;
        if (met && (wait->never || replay->now + replay->tolerance < wait->end)) {
            fail_msg("%s: at %" PRIu64 " already: %" PRIu64 " %s", replay->name, replay->now,
                     record->at, record->text);
        }
        if (!met && replay->now < wait->end + late) {
            continue;
        }
        if (!met && !wait->never) {
            fail_msg("%s: at %" PRIu64 " not yet: %" PRIu64 " %s", replay->name, replay->now,
                     record->at, record->text);
        }
        if (record->count > 5) {
            assert_int_equal(replay->card.clocks, number(record->fields[5], 10));
        }
        replay->waits[i--] = replay->waits[--replay->wait_count];
    }
}

static void check_read(struct replay *replay, const struct device *device,
                       const struct record *record)
{
    if (strchr(record->fields[2], 'x') != NULL) {
        return;
    }
    const uint32_t value = read_now(replay, device, record->fields[1]);
    if (value != number(record->fields[2], 16)) {
        fail_msg("%s: %x where recorded is %" PRIu64 " %s", replay->name, value, record->at,
                 record->text);
    }
}

static void carry_out(struct replay *replay, const struct device *device, struct record *record)
{
    if (is(record, "R")) {
        check_read(replay, device, record);
    } else if (is(record, "W")) {
        device->write(replay, (uint32_t)number(record->fields[1], 16),
                      (uint32_t)number(record->fields[2], 16));
    } else if (is(record, "U") || is(record, "N")) {
        assert_true(replay->wait_count < WAITS);
        replay->waits[replay->wait_count++] =
            (struct wait){record, is(record, "N"), number(record->fields[4], 10)};
    } else if (is(record, "P") && strcmp(record->fields[1], "clocks") == 0) {
        (void)device->read(replay, 0);
        assert_int_equal(replay->card.clocks, number(record->fields[2], 10));
    } else {
        return;
    }
    record->used = true;
}

static void replay_all(struct replay *replay, const struct device *device)
{
    size_t next = 0;
    const uint64_t end = replay->records[replay->count - 1].at;
    for (replay->now = 0; replay->now <= end + replay->tolerance || replay->wait_count > 0;
         replay->now++) {
        if (device->happen != NULL) {
            device->happen(replay);
        }
        size_t behind = next;
        for (; behind < replay->count && replay->records[behind].at == replay->now; behind++) {
            if (is(&replay->records[behind], "S")) {
                replay->records[behind].used = true;
                if (device->stimulate != NULL) {
                    device->stimulate(replay, &replay->records[behind]);
                }
            }
        }
        if (device->look != NULL) {
            device->look(replay);
        }
        poll_waits(replay, device);
        for (; next < behind; next++) {
            carry_out(replay, device, &replay->records[next]);
        }
        poll_waits(replay, device);
    }
    for (size_t i = 0; i < replay->count; i++) {
        const struct record *record = &replay->records[i];
        char stream[LINE];
        (void)snprintf(stream, sizeof stream, "%s %s|", record->fields[0], record->fields[1]);
        if (!record->used &&
            (device->unchecked == NULL || strstr(device->unchecked, stream) == NULL)) {
            fail_msg("%s: did not come: %" PRIu64 " %s", replay->name, record->at, record->text);
        }
    }
}

static void run(const struct device *device, const char *name, uint64_t tolerance)
{
    struct replay *replay = calloc(1, sizeof *replay);
    assert_non_null(replay);
    replay->name = name;
    replay->tolerance = tolerance;
    load(replay, name);
    if (device->begin != NULL) {
        device->begin(replay);
    }
    replay_all(replay, device);
    free(replay->vga.pixels);
    board_twin_memory_free(&replay->memory);
    free(replay);
}

/* ---- the memory card ---- */

static void begin_card(struct replay *replay)
{
    replay->card.kind = (struct board_twin_card_kind){
        .address = 0x1234, .busy = 2, .answer_delay = 7, .data_delay = 121};
    for (uint8_t i = 0; i < BOARD_TWIN_CARD_NAME; i++) {
        replay->card.kind.name[i] = (uint8_t)(i + 1);
    }
    replay->card.kind.high_capacity = strstr(replay->name, "sdhc") != NULL;
    for (uint32_t i = 0; i < sizeof replay->card_image; i++) {
        const uint32_t block = i / BOARD_TWIN_CARD_BLOCK;
        const uint32_t at = i % BOARD_TWIN_CARD_BLOCK;
        replay->card_image[i] =
            (uint8_t)(37 * block + 11 * at + 5 * (at / 256) + (at == 0 ? 165 : 0));
    }
    replay->card.bytes = strstr(replay->name, "absent") != NULL ? NULL : replay->card_image;
    replay->card.size = sizeof replay->card_image;
    board_twin_card_reset(&replay->card);
}

static uint32_t read_card(struct replay *replay, uint32_t offset)
{
    return board_twin_card_read(&replay->card, replay->now, offset);
}

static void write_card(struct replay *replay, uint32_t offset, uint32_t value)
{
    board_twin_card_write(&replay->card, replay->now, offset, value);
}

/* Every bit at its cycle: no tolerance. */
static void memory_card(void **state)
{
    static const struct device device = {
        .begin = begin_card, .read = read_card, .write = write_card};
    static const char *const names[] = {
        "memcard_read",       "memcard_read_sdhc", "memcard_wrong_enable", "memcard_stale",
        "memcard_stale_data", "memcard_one_bit",   "memcard_absent"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        run(&device, names[i], 0);
    }
}

/* ---- the serial line ---- */

static void begin_uart(struct replay *replay)
{
    board_twin_uart_reset(&replay->uart, 43);
    replay->uart.debug = 1;
    strcpy(replay->lines, "tx|");
}

static void happen_uart(struct replay *replay)
{
    const bool debug = replay->uart.debug != 0;
    while (board_twin_uart_due(&replay->uart) <= replay->now) {
        (void)board_twin_uart_event(&replay->uart, replay->now);
    }
    if (debug && replay->uart.debug == 0) {
        emit(replay, "P break 1", "P break 1");
        emit(replay, "P break 0", "P break 0");
    }
}

static void stimulate_uart(struct replay *replay, const struct record *record)
{
    board_twin_uart_set_level(&replay->uart, replay->now, record->fields[2][0] == '1');
}

static void look_at_uart(struct replay *replay)
{
    line_is(replay, "I", "irq", board_twin_uart_line(&replay->uart));
    line_is(replay, "P", "tx", board_twin_uart_level(&replay->uart, replay->now));
}

static uint32_t read_uart(struct replay *replay, uint32_t offset)
{
    return board_twin_uart_read(&replay->uart, offset);
}

static void write_uart(struct replay *replay, uint32_t offset, uint32_t value)
{
    board_twin_uart_write(&replay->uart, replay->now, offset, value);
}

/* One cycle: data and event come together in the twin. */
static void serial_line(void **state)
{
    static const struct device device = {.begin = begin_uart,
                                         .happen = happen_uart,
                                         .stimulate = stimulate_uart,
                                         .look = look_at_uart,
                                         .read = read_uart,
                                         .write = write_uart};
    (void)state;
    run(&device, "uart", 1);
}

/* ---- the system controller ---- */

static void begin_system(struct replay *replay)
{
    board_twin_system_reset(&replay->system);
}

static void look_at_system(struct replay *replay)
{
    uint32_t lines = 0;
    while (board_twin_system_due(&replay->system) <= replay->now) {
        lines |= board_twin_system_event(&replay->system, replay->now);
    }
    line_is(replay, "I", "timer0", (lines & BOARD_TWIN_IRQ_timer0) != 0);
    line_is(replay, "I", "timer1", (lines & BOARD_TWIN_IRQ_timer1) != 0);
    line_is(replay, "I", "gpio", (lines & BOARD_TWIN_IRQ_gpio) != 0);
}

static void stimulate_system(struct replay *replay, const struct record *record)
{
    board_twin_system_press(&replay->system, replay->now, (uint32_t)number(record->fields[2], 16));
}

static uint32_t read_system(struct replay *replay, uint32_t offset)
{
    return board_twin_system_read(&replay->system, replay->now, offset);
}

static void write_system(struct replay *replay, uint32_t offset, uint32_t value)
{
    const uint32_t leds = replay->system.leds;
    const enum board_twin_wish wish =
        board_twin_system_write(&replay->system, replay->now, offset, value);
    replay->now++;
    if (leds != replay->system.leds) {
        emit(replay, "P leds", "P leds %x", replay->system.leds);
    }
    if (wish == BOARD_TWIN_WANTS_RESET) {
        emit(replay, "P reset", "P reset 1");
    }
    replay->now--;
}

static void system_controller(void **state)
{
    static const struct device device = {.begin = begin_system,
                                         .stimulate = stimulate_system,
                                         .look = look_at_system,
                                         .read = read_system,
                                         .write = write_system};
    (void)state;
    run(&device, "sysctl", 0);
}

/* ---- sound ---- */

static void hear_frame(void *user, int16_t frame[2])
{
    const struct replay *replay = user;
    frame[0] = (int16_t)replay->ac97.frames;
    frame[1] = (int16_t)~replay->ac97.frames;
}

/* The frame's SYNC comes behind its beginning. */
static void see_frame(void *user, const uint32_t slots[BOARD_TWIN_AC97_SLOTS])
{
    struct replay *replay = user;
    emit(replay, "F out ", "F out %" PRIu64 " tag %x addr %x data %x left %x right %x",
         replay->ac97.frames, slots[0] >> 11, slots[1], slots[2], slots[3], slots[4]);
}

static void begin_ac97(struct replay *replay)
{
    assert_true(board_twin_memory_create(&replay->memory));
    for (uint32_t at = 0x5000; at < 0x500C; at += 4) {
        board_twin_put_word(&replay->memory.sdram[at], (at ^ 0x8001) << 16 | (at ^ 0x1234));
    }
    board_twin_ac97_reset(&replay->ac97, 0);
}

static uint32_t word_at(struct replay *replay, uint32_t address)
{
    uint32_t cycles;
    return board_twin_memory_read(&replay->memory, replay->now, address, &cycles);
}

static void pulse(struct replay *replay, bool comes, const char *text)
{
    if (comes) {
        emit(replay, text, "%s", text);
    }
}

static void happen_ac97(struct replay *replay)
{
    const struct board_twin_jacks jacks = {.record = hear_frame, .link = see_frame, .user = replay};
    while (replay->ac97.due <= replay->now) {
        const uint32_t record = replay->ac97.record.address;
        const uint32_t play = replay->ac97.play.address;
        const uint32_t lines = board_twin_ac97_event(&replay->ac97, &replay->memory, &jacks);
        if (record != replay->ac97.record.address) {
            emit(replay, "D write ", "D write %x %x", record, word_at(replay, record));
        }
        if (play != replay->ac97.play.address) {
            emit(replay, "D read ", "D read %x %x", play, word_at(replay, play));
        }
        pulse(replay, (lines & BOARD_TWIN_IRQ_codec_request) != 0, "I request 1");
        pulse(replay, (lines & BOARD_TWIN_IRQ_codec_reply) != 0, "I reply 1");
        pulse(replay, (lines & BOARD_TWIN_IRQ_record_done) != 0, "I record 1");
        pulse(replay, (lines & BOARD_TWIN_IRQ_play_done) != 0, "I play 1");
    }
}

static uint32_t read_ac97(struct replay *replay, uint32_t offset)
{
    return board_twin_ac97_read(&replay->ac97, offset);
}

static void write_ac97(struct replay *replay, uint32_t offset, uint32_t value)
{
    board_twin_ac97_write(&replay->ac97, replay->now, offset, value);
}

/* The codec sends the number of the frame; half a frame: a frame is seen when it begins to be made.
 */
static void sound(void **state)
{
    static const struct device device = {.begin = begin_ac97,
                                         .happen = happen_ac97,
                                         .read = read_ac97,
                                         .write = write_ac97,
                                         .unchecked = "F in|"};
    (void)state;
    run(&device, "ac97", 834);
}

/* ---- picture ---- */

static void begin_vga(struct replay *replay)
{
    assert_true(board_twin_memory_create(&replay->memory));
    assert_true(board_twin_vga_create(&replay->vga));
}

static void happen_vga(struct replay *replay)
{
    while (replay->vga.due <= replay->now) {
        (void)board_twin_vga_event(&replay->vga, &replay->memory);
    }
    const uint32_t shown = board_twin_vga_read(&replay->vga, BOARD_TWIN_vga_shown);
    if (shown != replay->shown) {
        replay->shown = shown;
        emit(replay, "F latched", "F latched %x", shown);
    }
}

static uint32_t read_vga(struct replay *replay, uint32_t offset)
{
    return board_twin_vga_read(&replay->vga, offset);
}

static void write_vga(struct replay *replay, uint32_t offset, uint32_t value)
{
    board_twin_vga_write(&replay->vga, &replay->memory, replay->now, offset, value);
}

/* Pulses to the screen are not in the twin. */
static void picture(void **state)
{
    static const struct device device = {.begin = begin_vga,
                                         .happen = happen_vga,
                                         .read = read_vga,
                                         .write = write_vga,
                                         .unchecked = "P vsync_n|P hsync_n|"};
    (void)state;
    run(&device, "vga", 16);
}

/* ---- lights ---- */

static void stimulate_dmx_in(struct replay *replay, const struct record *record)
{
    if (strcmp(record->fields[1], "break") == 0) {
        board_twin_dmx_in_break(&replay->dmx_in, replay->now,
                                (uint32_t)number(record->fields[2], 10));
    } else {
        board_twin_dmx_in_slot(&replay->dmx_in, replay->now, (uint8_t)number(record->fields[2], 16),
                               record->count > 3);
    }
}

static uint32_t read_dmx_in(struct replay *replay, uint32_t offset)
{
    return board_twin_dmx_in_read(&replay->dmx_in, replay->now, offset);
}

static void look_at_dmx_in(struct replay *replay)
{
    (void)read_dmx_in(replay, 0);
    if (memcmp(replay->stored, replay->dmx_in.channels, BOARD_TWIN_DMX) == 0) {
        return;
    }
    for (unsigned i = 0; i < BOARD_TWIN_DMX; i++) {
        const uint8_t value = replay->dmx_in.channels[i];
        if (value != replay->stored[i]) {
            replay->stored[i] = value;
            emit(replay, "F store ", "F store %u %x", i, value);
        }
    }
}

static void write_nothing(struct replay *replay, uint32_t offset, uint32_t value)
{
    (void)replay;
    (void)offset;
    (void)value;
}

static void lights_in(void **state)
{
    static const struct device device = {.stimulate = stimulate_dmx_in,
                                         .look = look_at_dmx_in,
                                         .read = read_dmx_in,
                                         .write = write_nothing};
    (void)state;
    run(&device, "dmx_rx", 0);
}

/* Behind 512 slots the first channel comes again. */
static void lights_go_round(void **state)
{
    struct board_twin_dmx_in in = {.receiving = false};
    uint64_t now = 10000;
    (void)state;
    board_twin_dmx_in_break(&in, now, 8000);
    for (unsigned slot = 0; slot < 514; slot++) {
        board_twin_dmx_in_slot(&in, now += 3520, (uint8_t)slot, false);
    }
    now += 3520;
    assert_int_equal(board_twin_dmx_in_read(&in, now, 0), 513 % 256);
    assert_int_equal(board_twin_dmx_in_read(&in, now, 4), 2);
    assert_int_equal(board_twin_dmx_in_read(&in, now, 4 * 511), 512 % 256);
}

static uint32_t read_dmx_out(struct replay *replay, uint32_t offset)
{
    return board_twin_dmx_out_read(&replay->dmx_out, offset);
}

static void write_dmx_out(struct replay *replay, uint32_t offset, uint32_t value)
{
    board_twin_dmx_out_write(&replay->dmx_out, replay->now, offset, value);
}

/* Reads the line as a lamp does. Channel n is written at cycle n first. */
static void look_at_dmx_out(struct replay *replay)
{
    if (replay->now < BOARD_TWIN_DMX) {
        write_dmx_out(replay, 4 * (uint32_t)replay->now, (uint32_t)(29 * replay->now + 7) % 256);
    }
    const bool high = board_twin_dmx_out_level(&replay->dmx_out, replay->now);
    const uint64_t now = replay->now;
    if (!high && replay->high) {
        if (replay->slot == 0) {
            replay->now = replay->rose;
            emit(replay, "F mark", "F mark %" PRIu64, now - replay->rose);
        }
        if (replay->slot < SLOTS && replay->slot_at == 0) {
            replay->slot_at = now;
        }
        replay->fell = now;
    } else if (high && !replay->high) {
        if (replay->slot == SLOTS) {
            replay->now = replay->fell;
            emit(replay, "F break", "F break %" PRIu64, now - replay->fell);
            replay->slot = 0;
        }
        replay->rose = now;
    }
    replay->high = high;
    const uint64_t inside = replay->slot_at > 0 ? now - replay->slot_at : 0;
    if (inside % BIT == BIT / 2 && inside / BIT >= 1 && inside / BIT <= 8) {
        replay->slot_bits |= (unsigned)high << (inside / BIT - 1);
    } else if (inside == 10 * BIT) {
        replay->now = replay->slot_at;
        emit(replay, "F slot ", "F slot %u %x", replay->slot, replay->slot_bits);
        replay->slot++;
        replay->slot_at = 0;
        replay->slot_bits = 0;
    }
    replay->now = now;
}

static void begin_dmx_out(struct replay *replay)
{
    replay->high = true;
    replay->slot = SLOTS;
}

static void lights_out(void **state)
{
    static const struct device device = {.begin = begin_dmx_out,
                                         .look = look_at_dmx_out,
                                         .read = read_dmx_out,
                                         .write = write_dmx_out};
    (void)state;
    run(&device, "dmx_tx", 0);
}

/* ---- infrared ---- */

static void look_at_infrared(struct replay *replay)
{
    bool comes = false;
    while (board_twin_infrared_due(&replay->infrared) <= replay->now) {
        comes |= board_twin_infrared_event(&replay->infrared, replay->now);
    }
    line_is(replay, "I", "irq", comes);
}

static void stimulate_infrared(struct replay *replay, const struct record *record)
{
    board_twin_infrared_set_light(&replay->infrared, replay->now, record->fields[2][0] == '1');
}

static uint32_t read_infrared(struct replay *replay, uint32_t offset)
{
    assert_int_equal(offset, 0);
    return replay->infrared.code;
}

static void remote_control(void **state)
{
    static const struct device device = {.stimulate = stimulate_infrared,
                                         .look = look_at_infrared,
                                         .read = read_infrared,
                                         .write = write_nothing};
    (void)state;
    run(&device, "rc5", 0);
}

/* Codes that the twin's own remote control sends: right in one timing, and as recorded in the
 * other. */
static void remote_sends(void **state)
{
    static const struct {
        uint32_t half;
        uint32_t code;
        uint32_t comes;
        uint32_t edge; /* bits that come either way */
    } rows[] = {{BOARD_TWIN_INFRARED_HALF, 0x1163, 0x1163, 0},
                {BOARD_TWIN_INFRARED_HALF, 0x194C, 0x194C, 0},
                {BOARD_TWIN_INFRARED_HALF, 0x0020, 0x0020, 0},
                {BOARD_TWIN_INFRARED_NORM, 0x1163, 0x109C, 0x100}};
    struct board_twin_infrared infrared = {.code = 0};
    uint64_t now = 5000;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(board_twin_infrared_send(&infrared, now, rows[i].code, rows[i].half));
        assert_true(board_twin_infrared_send(&infrared, now, rows[i].code, rows[i].half));
        for (unsigned codes = 0; codes < 2;) {
            now = board_twin_infrared_due(&infrared);
            assert_true(now != UINT64_MAX);
            codes += board_twin_infrared_event(&infrared, now);
        }
        assert_int_equal((infrared.code ^ rows[i].comes) & ~rows[i].edge, 0);
        now += 10000000;
    }
}

/* ---- the network ---- */

static void begin_ethernet(struct replay *replay)
{
    board_twin_ethernet_reset(&replay->ethernet);
    for (uint8_t i = 0; i < 20; i++) {
        replay->ethernet.memory[BOARD_TWIN_ETHERNET_OUT + i] =
            i < PACKET_PREAMBLE - 1 ? 0x55 : (uint8_t)(i < PACKET_PREAMBLE ? 0xD5 : i);
    }
}

static void look_at_ethernet(struct replay *replay)
{
    size_t size = 0;
    bool sent = false;
    while (board_twin_ethernet_due(&replay->ethernet) <= replay->now) {
        sent |= board_twin_ethernet_event(&replay->ethernet, replay->now, &size);
        const uint64_t now = replay->now;
        for (size_t i = 0; i < size; i++) {
            replay->now = now - (size - i) * 32 / 5;
            emit(replay, "F sent ", "F sent %zu %x", i,
                 replay->ethernet.memory[BOARD_TWIN_ETHERNET_OUT + i]);
        }
        replay->now = now;
    }
    line_is(replay, "I", "tx", sent);
    line_is(replay, "I", "rx", board_twin_ethernet_line(&replay->ethernet));
}

static void stimulate_ethernet(struct replay *replay, const struct record *record)
{
    uint8_t bytes[64];
    if (strcmp(record->fields[1], "packet") != 0) {
        return;
    }
    const size_t size = (size_t)number(record->fields[2], 10);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(number(record->fields[3], 16) + i);
    }
    const int ready = replay->ethernet.state[0] == 1 ? 0 : replay->ethernet.state[1] == 1 ? 1 : -1;
    assert_true(board_twin_ethernet_receive(&replay->ethernet, replay->now, bytes, size,
                                            record->count > 4));
    if (ready >= 0) {
        assert_memory_equal(&replay->ethernet.memory[(size_t)ready * BOARD_TWIN_ETHERNET_SLOT],
                            bytes, size - (record->count > 4));
    }
}

static uint32_t read_ethernet(struct replay *replay, uint32_t offset)
{
    return board_twin_ethernet_read(&replay->ethernet, offset);
}

static void write_ethernet(struct replay *replay, uint32_t offset, uint32_t value)
{
    board_twin_ethernet_write(&replay->ethernet, replay->now, offset, value);
}

static void network(void **state)
{
    static const struct device device = {.begin = begin_ethernet,
                                         .stimulate = stimulate_ethernet,
                                         .look = look_at_ethernet,
                                         .read = read_ethernet,
                                         .write = write_ethernet,
                                         .unchecked = "P phy_reset_n|P tx_en|"};
    (void)state;
    run(&device, "minimac2", 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_card),       cmocka_unit_test(serial_line),
        cmocka_unit_test(system_controller), cmocka_unit_test(sound),
        cmocka_unit_test(picture),           cmocka_unit_test(lights_in),
        cmocka_unit_test(lights_go_round),   cmocka_unit_test(lights_out),
        cmocka_unit_test(remote_control),    cmocka_unit_test(remote_sends),
        cmocka_unit_test(network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
