/* Art-Net and sACN as bytes, and what is made of several sources. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/light/merge.h"

/* ---- Art-Net ---- */

/* The fields of ArtDmx as the protocol lists them: universe 0x0123, sequence 7, four channels. */
static const uint8_t art_levels[] = {'A', 'r', 't', '-',  'N',  'e', 't', 0,   0x00, 0x50, 0,
                                     14,  7,   2,   0x23, 0x01, 0,   4,   255, 128,  1,    0};

static void artnet_levels_are_read_as_published(void **state)
{
    (void)state;
    struct engine_artnet read;
    assert_int_equal(engine_artnet_read(&read, art_levels, sizeof art_levels),
                     ENGINE_ARTNET_IS_LEVELS);
    assert_int_equal(read.levels.universe, 0x123);
    assert_int_equal(read.levels.sequence, 7);
    assert_int_equal(read.levels.physical, 2);
    assert_int_equal(read.levels.count, 4);
    assert_memory_equal(read.levels.levels, "\xff\x80\x01\x00", 4);
    uint8_t written[ENGINE_ARTNET_PACKET];
    const size_t size = engine_artnet_write_levels(written, &read.levels);
    assert_int_equal(size, sizeof art_levels);
    assert_memory_equal(written, art_levels, size);
    /* An odd count is filled up. */
    read.levels.count = 3;
    assert_int_equal(engine_artnet_write_levels(written, &read.levels), sizeof art_levels);
    assert_int_equal(written[17], 4);
}

static void artnet_that_is_not_whole_is_refused(void **state)
{
    (void)state;
    struct engine_artnet read;
    for (size_t size = 0; size < sizeof art_levels; size++) {
        uint8_t *cut = malloc(size + 1); /* so that a sanitizer sees what reads behind it */
        memcpy(cut, art_levels, size);
        cut = realloc(cut, size > 0 ? size : 1);
        assert_int_equal(engine_artnet_read(&read, cut, size), ENGINE_ARTNET_NONE);
        free(cut);
    }
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {{0, 'B'}, {7, 1}, {9, 0x51}, {11, 13}, {16, 2}, {17, 3}, {17, 0}, {17, 6}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t bytes[sizeof art_levels];
        memcpy(bytes, art_levels, sizeof bytes);
        bytes[wrong[i].at] = wrong[i].value;
        assert_int_equal(engine_artnet_read(&read, bytes, sizeof bytes), ENGINE_ARTNET_NONE);
    }
}

static void artnet_nodes_are_asked_and_answer(void **state)
{
    (void)state;
    uint8_t bytes[ENGINE_ARTNET_PACKET];
    struct engine_artnet read;
    assert_int_equal(engine_artnet_read(&read, bytes, engine_artnet_write_poll(bytes)),
                     ENGINE_ARTNET_IS_POLL);
    assert_memory_equal(bytes, "Art-Net\0\x00\x20\x00\x0e\x02\x10", 14);
    assert_int_equal(engine_artnet_read(&read, bytes, engine_artnet_write_sync(bytes)),
                     ENGINE_ARTNET_IS_SYNC);
    assert_memory_equal(bytes, "Art-Net\0\x00\x52\x00\x0e\0\0", 14);
    const struct engine_artnet_reply reply = {.address = {10, 0, 0, 7},
                                              .bind = 1,
                                              .short_name = "short",
                                              .long_name = "a longer name",
                                              .outputs = 2,
                                              .output = {0x123, 0x125},
                                              .inputs = 1,
                                              .input = {0x12f}};
    assert_int_equal(engine_artnet_write_reply(bytes, &reply), 239);
    assert_memory_equal(bytes, "Art-Net\0\x00\x21\x0a\x00\x00\x07\x36\x19", 16);
    assert_int_equal(bytes[18], 1); /* net */
    assert_int_equal(bytes[19], 2); /* sub-net */
    assert_int_equal(bytes[173], 2);
    assert_int_equal(bytes[174], 0xc0);
    assert_int_equal(bytes[175], 0x80);
    assert_int_equal(bytes[190], 3);
    assert_int_equal(bytes[191], 5);
    assert_int_equal(engine_artnet_read(&read, bytes, 239), ENGINE_ARTNET_IS_REPLY);
    assert_memory_equal(&read.reply, &reply, sizeof reply);
    /* A name that is not one is made one. */
    memset(bytes + 26, 0xff, 18);
    assert_int_equal(engine_artnet_read(&read, bytes, 239), ENGINE_ARTNET_IS_REPLY);
    assert_string_equal(read.reply.short_name, "?????????????????");
    assert_int_equal(engine_artnet_read(&read, bytes, 206), ENGINE_ARTNET_NONE);
}

/* As olad 0.10.9 sends universe 2 with the levels 9, 8, 7, 6, 5: recorded. */
static void artnet_of_another_program_is_understood(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00,
                                    0x00, 0x50, 0x00, 0x0e, 0x00, 0x00, 0x02, 0x00,
                                    0x00, 0x06, 0x09, 0x08, 0x07, 0x06, 0x05, 0x00};
    struct engine_artnet read;
    assert_int_equal(engine_artnet_read(&read, bytes, sizeof bytes), ENGINE_ARTNET_IS_LEVELS);
    assert_int_equal(read.levels.universe, 2);
    assert_int_equal(read.levels.count, 6);
    assert_memory_equal(read.levels.levels, "\x09\x08\x07\x06\x05\x00", 6);
}

/* ---- sACN ---- */

/* As olad 0.10.9 sends universe 1 with the levels 1, 2, 3, 255: recorded. */
static size_t recorded_levels(uint8_t bytes[130])
{
    static const uint8_t head[] = {0x00, 0x10, 0x00, 0x00, 0x41, 0x53, 0x43, 0x2d, 0x45, 0x31, 0x2e,
                                   0x31, 0x37, 0x00, 0x00, 0x00, 0x70, 0x72, 0x00, 0x00, 0x00, 0x04,
                                   0xc0, 0x35, 0x6a, 0x15, 0xec, 0x7c, 0x4f, 0xeb, 0xbb, 0xdb, 0xb1,
                                   0x5a, 0x21, 0xab, 0xca, 0xdd, 0x70, 0x5c, 0x00, 0x00, 0x00, 0x02,
                                   0x4f, 0x4c, 0x41, 0x20, 0x53, 0x65, 0x72, 0x76, 0x65, 0x72};
    static const uint8_t tail[] = {0x64, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x70,
                                   0x0f, 0x02, 0xa1, 0x00, 0x00, 0x00, 0x01, 0x00,
                                   0x05, 0x00, 0x01, 0x02, 0x03, 0xff};
    memset(bytes, 0, 130);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + 108, tail, sizeof tail);
    return 130;
}

static void sacn_of_another_program_is_understood(void **state)
{
    (void)state;
    uint8_t bytes[130];
    struct engine_sacn read;
    assert_int_equal(engine_sacn_read(&read, bytes, recorded_levels(bytes)), ENGINE_SACN_IS_LEVELS);
    assert_string_equal(read.name, "OLA Server");
    assert_int_equal(read.priority, 100);
    assert_int_equal(read.universe, 1);
    assert_int_equal(read.sequence, 0);
    assert_int_equal(read.count, 4);
    assert_memory_equal(read.levels, "\x01\x02\x03\xff", 4);
    uint8_t written[ENGINE_SACN_PACKET];
    assert_int_equal(engine_sacn_write_levels(written, &read), sizeof bytes);
    assert_memory_equal(written, bytes, sizeof bytes);
}

static void sacn_that_is_not_whole_is_refused(void **state)
{
    (void)state;
    uint8_t whole[130];
    struct engine_sacn read;
    (void)recorded_levels(whole);
    for (size_t size = 0; size < sizeof whole; size++) {
        uint8_t *cut = malloc(size > 0 ? size : 1);
        memcpy(cut, whole, size);
        assert_int_equal(engine_sacn_read(&read, cut, size), ENGINE_SACN_NONE);
        free(cut);
    }
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {
        {1, 0x11},   {2, 1},     {4, 'B'},    {16, 0x60}, {17, 0x73},  {21, 3},     {38, 0},
        {43, 9},     {108, 201}, {113, 0xfa}, {114, 0},   {115, 0x6f}, {116, 0x10}, {117, 3},
        {118, 0xa2}, {120, 1},   {122, 2},    {124, 0},   {124, 6},    {125, 0xdd},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t bytes[sizeof whole];
        memcpy(bytes, whole, sizeof bytes);
        bytes[wrong[i].at] = wrong[i].value;
        if (engine_sacn_read(&read, bytes, sizeof bytes) != ENGINE_SACN_NONE) {
            fail_msg("taken with byte %zu as %u", wrong[i].at, wrong[i].value);
        }
    }
}

static void sacn_lists_of_universes_and_sync_go_both_ways(void **state)
{
    (void)state;
    uint8_t bytes[ENGINE_SACN_PACKET];
    uint16_t universes[ENGINE_SACN_PAGE];
    for (uint16_t i = 0; i < ENGINE_SACN_PAGE; i++) {
        universes[i] = (uint16_t)(3 * i + 1);
    }
    struct engine_sacn packet = {
        .cid = {1, 2, 3}, .name = "desk", .universes = ENGINE_SACN_PAGE, .page = 1, .last_page = 2};
    struct engine_sacn read;
    size_t size = engine_sacn_write_list(bytes, &packet, universes);
    assert_int_equal(size, 1144);
    assert_memory_equal(bytes + 16, "\x74\x68\x00\x00\x00\x08\x01\x02\x03", 9);
    assert_memory_equal(bytes + 38,
                        "\x74\x52\x00\x00\x00\x02"
                        "desk",
                        10);
    assert_memory_equal(bytes + 112, "\x74\x08\x00\x00\x00\x01\x01\x02\x00\x01\x00\x04", 12);
    assert_int_equal(engine_sacn_read(&read, bytes, size), ENGINE_SACN_IS_LIST);
    assert_int_equal(read.universes, ENGINE_SACN_PAGE);
    assert_int_equal(engine_sacn_universe(&read, 511), 1534);
    assert_string_equal(read.name, "desk");
    assert_int_equal(engine_sacn_read(&read, bytes, size - 1), ENGINE_SACN_NONE);
    packet.sync = 0x1234;
    packet.sequence = 9;
    size = engine_sacn_write_sync(bytes, &packet);
    assert_int_equal(size, 49);
    assert_memory_equal(bytes + 38, "\x70\x0b\x00\x00\x00\x01\x09\x12\x34\x00\x00", 11);
    assert_int_equal(engine_sacn_read(&read, bytes, size), ENGINE_SACN_IS_SYNC);
    assert_int_equal(read.sync, 0x1234);
    uint8_t address[4];
    engine_sacn_group(0x1234, address);
    assert_memory_equal(address, "\xef\xff\x12\x34", 4);
}

/* ---- several sources ---- */

static const uint8_t low[4] = {10, 20, 30, 40};
static const uint8_t high[4] = {40, 5, 50, 1};

static struct engine_sacn desk(uint8_t id, uint8_t priority, uint8_t sequence,
                               const uint8_t levels[4])
{
    return (struct engine_sacn){.cid = {id},
                                .priority = priority,
                                .sequence = sequence,
                                .universe = 1,
                                .levels = levels,
                                .count = 4};
}

static void expect(struct engine_merge *merge, uint64_t now, unsigned sources, const char *levels)
{
    uint8_t got[ENGINE_MERGE_CHANNELS];
    assert_int_equal(engine_merge_levels(merge, now, got), sources);
    assert_memory_equal(got, levels, 4);
    assert_int_equal(got[4], 0);
}

static void sacn_priorities_are_obeyed(void **state)
{
    (void)state;
    static struct engine_merge merge;
    merge = (struct engine_merge){0};
    struct engine_sacn a = desk(1, 100, 0, low);
    struct engine_sacn b = desk(2, 100, 0, high);
    expect(&merge, 0, 0, "\0\0\0\0");
    assert_int_equal(engine_merge_sacn(&merge, &a, 1000), ENGINE_MERGE_NEW);
    assert_int_equal(engine_merge_sacn(&merge, &b, 1000), ENGINE_MERGE_NEW);
    expect(&merge, 1000, 2, "\x28\x14\x32\x28"); /* the highest of equal ones */
    b.priority = 101;
    b.sequence = 1;
    assert_int_equal(engine_merge_sacn(&merge, &b, 2000), ENGINE_MERGE_TAKEN);
    expect(&merge, 2000, 2, "\x28\x05\x32\x01");
    /* The one is lost 2.5 s after its last packet, the other ends. */
    expect(&merge, 3500, 2, "\x28\x05\x32\x01");
    expect(&merge, 3501, 1, "\x28\x05\x32\x01");
    b.sequence = 2;
    b.terminated = true;
    assert_int_equal(engine_merge_sacn(&merge, &b, 3600), ENGINE_MERGE_ENDED);
    expect(&merge, 3600, 0, "\0\0\0\0");
    /* Previews are for others. */
    a.sequence = 1;
    a.preview = true;
    assert_int_equal(engine_merge_sacn(&merge, &a, 3700), ENGINE_MERGE_PREVIEW);
    expect(&merge, 3700, 0, "\0\0\0\0");
}

static void a_source_of_more_weight_finds_its_place(void **state)
{
    (void)state;
    static struct engine_merge merge;
    merge = (struct engine_merge){0};
    for (uint8_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        const struct engine_sacn source = desk((uint8_t)(i + 1), (uint8_t)(50 + i), 0, low);
        assert_int_equal(engine_merge_sacn(&merge, &source, 0), ENGINE_MERGE_NEW);
    }
    const struct engine_sacn equal = desk(90, 50, 0, high);
    assert_int_equal(engine_merge_sacn(&merge, &equal, 0), ENGINE_MERGE_REFUSED);
    assert_int_equal(merge.refused, 1);
    const struct engine_sacn above = desk(91, 150, 0, high);
    assert_int_equal(engine_merge_sacn(&merge, &above, 0), ENGINE_MERGE_NEW);
    expect(&merge, 0, ENGINE_MERGE_SOURCES, "\x28\x05\x32\x01");
}

static void late_sacn_is_dropped(void **state)
{
    (void)state;
    static const struct {
        uint8_t before;
        uint8_t after;
        bool late;
    } rows[] = {{10, 11, false}, {10, 10, true},  {10, 9, true},  {19, 0, true},
                {20, 0, false},  {255, 0, false}, {0, 255, true}, {0, 237, true},
                {0, 236, false}, {0, 127, false}, {0, 128, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct engine_merge merge;
        merge = (struct engine_merge){0};
        const struct engine_sacn first = desk(1, 100, rows[i].before, low);
        const struct engine_sacn second = desk(1, 100, rows[i].after, high);
        (void)engine_merge_sacn(&merge, &first, 0);
        assert_int_equal(engine_merge_sacn(&merge, &second, 10),
                         rows[i].late ? ENGINE_MERGE_LATE : ENGINE_MERGE_TAKEN);
        expect(&merge, 10, 1, rows[i].late ? "\x0a\x14\x1e\x28" : "\x28\x05\x32\x01");
        assert_int_equal(merge.late, rows[i].late);
    }
}

static void sacn_levels_wait_for_their_sync(void **state)
{
    (void)state;
    static struct engine_merge merge;
    merge = (struct engine_merge){0};
    struct engine_sacn a = desk(1, 100, 1, low);
    a.sync = 7;
    (void)engine_merge_sacn(&merge, &a, 0);
    expect(&merge, 0, 1, "\x0a\x14\x1e\x28"); /* nobody has synced so far */
    engine_merge_sync_sacn(&merge, 7, 10);
    a.sequence = 2;
    a.levels = high;
    (void)engine_merge_sacn(&merge, &a, 20);
    expect(&merge, 20, 1, "\x0a\x14\x1e\x28");
    engine_merge_sync_sacn(&merge, 8, 30);
    expect(&merge, 30, 1, "\x0a\x14\x1e\x28");
    engine_merge_sync_sacn(&merge, 7, 40);
    expect(&merge, 40, 1, "\x28\x05\x32\x01");
    /* Sync is lost: without the source's leave its levels stay. */
    for (uint64_t now = 100; now < 4000; now += 500) {
        a.sequence++;
        a.levels = low;
        (void)engine_merge_sacn(&merge, &a, now);
    }
    expect(&merge, 4000, 1, "\x28\x05\x32\x01");
    a.sequence++;
    a.forced = true;
    (void)engine_merge_sacn(&merge, &a, 4000);
    expect(&merge, 4000, 1, "\x0a\x14\x1e\x28");
    /* A source that no longer asks for it. */
    engine_merge_sync_sacn(&merge, 7, 4100);
    a.sequence++;
    a.sync = 0;
    a.levels = high;
    (void)engine_merge_sacn(&merge, &a, 4200);
    expect(&merge, 4200, 1, "\x28\x05\x32\x01");
}

static struct engine_artnet_levels art(uint8_t sequence, const uint8_t levels[4])
{
    return (struct engine_artnet_levels){.sequence = sequence, .levels = levels, .count = 4};
}

static void artnet_takes_two_sources(void **state)
{
    (void)state;
    static const uint8_t one[4] = {10, 0, 0, 1};
    static const uint8_t two[4] = {10, 0, 0, 2};
    static const uint8_t three[4] = {10, 0, 0, 3};
    static struct engine_merge merge;
    merge = (struct engine_merge){.artnet = true};
    const struct engine_artnet_levels a = art(0, low);
    const struct engine_artnet_levels b = art(0, high);
    assert_int_equal(engine_merge_artnet(&merge, &a, one, 0), ENGINE_MERGE_NEW);
    assert_int_equal(engine_merge_artnet(&merge, &b, two, 500), ENGINE_MERGE_NEW);
    assert_int_equal(engine_merge_artnet(&merge, &b, three, 500), ENGINE_MERGE_REFUSED);
    expect(&merge, 500, 2, "\x28\x14\x32\x28");
    assert_int_equal(engine_merge_artnet(&merge, &b, two, 9000), ENGINE_MERGE_TAKEN);
    expect(&merge, 10000, 2, "\x28\x14\x32\x28");
    expect(&merge, 10001, 1, "\x28\x05\x32\x01");
    assert_int_equal(engine_merge_artnet(&merge, &a, three, 10001), ENGINE_MERGE_NEW);
    /* The latest takes precedence where that is wanted. */
    merge.latest = true;
    expect(&merge, 10001, 2, "\x0a\x14\x1e\x28");
    (void)engine_merge_artnet(&merge, &b, two, 10002);
    expect(&merge, 10002, 2, "\x28\x05\x32\x01");
}

static void late_artnet_is_dropped(void **state)
{
    (void)state;
    static const uint8_t one[4] = {10, 0, 0, 1};
    static const struct {
        uint8_t before;
        uint8_t after;
        uint64_t between;
        bool late;
    } rows[] = {{10, 11, 5, false},  {10, 9, 5, true},    {200, 73, 5, true}, {200, 72, 5, true},
                {200, 71, 5, false}, {255, 1, 5, false},  {1, 255, 5, true},  {10, 0, 5, false},
                {0, 5, 5, false},    {10, 9, 1001, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct engine_merge merge;
        merge = (struct engine_merge){.artnet = true};
        const struct engine_artnet_levels first = art(rows[i].before, low);
        const struct engine_artnet_levels second = art(rows[i].after, high);
        (void)engine_merge_artnet(&merge, &first, one, 0);
        if (engine_merge_artnet(&merge, &second, one, rows[i].between) !=
            (rows[i].late ? ENGINE_MERGE_LATE : ENGINE_MERGE_TAKEN)) {
            fail_msg("%u then %u", rows[i].before, rows[i].after);
        }
    }
}

static void artnet_levels_wait_for_their_sync(void **state)
{
    (void)state;
    static const uint8_t one[4] = {10, 0, 0, 1};
    static const uint8_t two[4] = {10, 0, 0, 2};
    static struct engine_merge merge;
    merge = (struct engine_merge){.artnet = true};
    const struct engine_artnet_levels a = art(0, low);
    const struct engine_artnet_levels b = art(0, high);
    (void)engine_merge_artnet(&merge, &a, one, 0);
    engine_merge_sync_artnet(&merge, two, 5); /* of somebody else */
    (void)engine_merge_artnet(&merge, &b, one, 10);
    expect(&merge, 10, 1, "\x28\x05\x32\x01");
    engine_merge_sync_artnet(&merge, one, 20);
    (void)engine_merge_artnet(&merge, &a, one, 30);
    expect(&merge, 30, 1, "\x28\x05\x32\x01");
    engine_merge_sync_artnet(&merge, one, 40);
    expect(&merge, 40, 1, "\x0a\x14\x1e\x28");
    (void)engine_merge_artnet(&merge, &b, one, 4041); /* four seconds without */
    expect(&merge, 4041, 1, "\x28\x05\x32\x01");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(artnet_levels_are_read_as_published),
        cmocka_unit_test(artnet_that_is_not_whole_is_refused),
        cmocka_unit_test(artnet_nodes_are_asked_and_answer),
        cmocka_unit_test(artnet_of_another_program_is_understood),
        cmocka_unit_test(sacn_of_another_program_is_understood),
        cmocka_unit_test(sacn_that_is_not_whole_is_refused),
        cmocka_unit_test(sacn_lists_of_universes_and_sync_go_both_ways),
        cmocka_unit_test(sacn_priorities_are_obeyed),
        cmocka_unit_test(a_source_of_more_weight_finds_its_place),
        cmocka_unit_test(late_sacn_is_dropped),
        cmocka_unit_test(sacn_levels_wait_for_their_sync),
        cmocka_unit_test(artnet_takes_two_sources),
        cmocka_unit_test(late_artnet_is_dropped),
        cmocka_unit_test(artnet_levels_wait_for_their_sync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
