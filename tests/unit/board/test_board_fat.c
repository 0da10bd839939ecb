#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "board/storage/fat.h"
#include "base/random.h"

enum { BLOCKS = 70000, CLUSTER_BLOCKS = 1, FILE_BYTES = 2500, RESERVED = 32 };

/* A card in the making: two tables, a file in clusters that do not lie side by side. */
struct card {
    uint8_t *bytes;
    uint32_t blocks;
    uint32_t begin; /* of the file system */
    unsigned bits;
    uint32_t table_blocks;
    uint32_t reads;
    uint32_t failing; /* this block cannot be read */
};

static void put16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *bytes, uint32_t value)
{
    put16(bytes, value);
    put16(bytes + 2, value >> 16);
}

static int read_block(void *user, uint32_t block, uint8_t *bytes)
{
    struct card *card = user;
    card->reads++;
    if (block >= card->blocks || block == card->failing) {
        return -1;
    }
    memcpy(bytes, card->bytes + (size_t)block * BOARD_FAT_BLOCK, BOARD_FAT_BLOCK);
    return 0;
}

static uint8_t *block_at(const struct card *card, uint32_t block)
{
    return card->bytes + (size_t)(card->begin + block) * BOARD_FAT_BLOCK;
}

static void chain(const struct card *card, uint32_t cluster, uint32_t next)
{
    uint8_t *table = block_at(card, RESERVED);
    const size_t at = (size_t)cluster * card->bits / 8;
    if (card->bits == 12) {
        const uint32_t old = (uint32_t)table[at] | (uint32_t)table[at + 1] << 8;
        put16(table + at, (cluster & 1) != 0 ? (old & 0xF) | next << 4 : (old & 0xF000) | next);
    } else if (card->bits == 16) {
        put16(table + at, next);
    } else {
        put32(table + at, next);
    }
}

static uint32_t root_blocks(const struct card *card)
{
    return card->bits == 32 ? 0 : 4;
}

static uint8_t *cluster_at(const struct card *card, uint32_t cluster)
{
    return block_at(card, RESERVED + 2 * card->table_blocks + root_blocks(card) +
                              (cluster - 2) * CLUSTER_BLOCKS);
}

static uint8_t pattern(size_t i)
{
    return (uint8_t)(i * 31 + i / 256);
}

/* A long name in two parts before its short one; a deleted file, an empty one, a folder. */
static void put_folder(uint8_t *rows)
{
    static const char name[] = "Tunnel of blue.milk";
    static const uint8_t places[] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
    for (size_t part = 0; part < 2; part++) {
        uint8_t *row = rows + (1 - part) * 32;
        row[0] = (uint8_t)((part + 1) | (part == 1 ? 0x40 : 0));
        row[11] = 0x0F;
        for (size_t i = 0; i < sizeof places; i++) {
            const size_t at = part * sizeof places + i;
            put16(row + places[i], at < sizeof name ? (uint32_t)(uint8_t)name[at] : 0xFFFF);
        }
    }
    memcpy(rows + 64, "TUNNEL~1MIL", 11);
    put16(rows + 64 + 26, 5);
    put32(rows + 64 + 28, FILE_BYTES);
    rows[96] = 0xE5;
    memcpy(rows + 128, "EMPTY      ", 11);
    memcpy(rows + 160, "FOLDER     ", 11);
    rows[160 + 11] = 0x10;
    put16(rows + 160 + 26, 4);
}

static void put_boot(const struct card *card, uint32_t clusters)
{
    uint8_t *boot = block_at(card, 0);
    const uint32_t all =
        RESERVED + 2 * card->table_blocks + root_blocks(card) + clusters * CLUSTER_BLOCKS;
    put16(boot + 11, BOARD_FAT_BLOCK);
    boot[13] = CLUSTER_BLOCKS;
    put16(boot + 14, RESERVED);
    boot[16] = 2;
    put16(boot + 17, root_blocks(card) * 16);
    put32(boot + 32, all);
    if (card->bits == 32) {
        put32(boot + 36, card->table_blocks);
        put32(boot + 44, 3);
    } else {
        put16(boot + 22, card->table_blocks);
    }
    put16(boot + 510, 0xAA55);
}

static void make(struct card *card, unsigned bits, bool partitioned)
{
    static const uint32_t file[] = {5, 9, 6, 12, 7};
    const uint32_t clusters = bits == 12 ? 1000 : bits == 16 ? 5000 : 66000;
    const uint32_t end = bits == 12 ? 0xFFF : bits == 16 ? 0xFFFF : 0x0FFFFFFF;
    *card = (struct card){.blocks = BLOCKS, .bits = bits, .failing = UINT32_MAX};
    card->bytes = calloc(BLOCKS, BOARD_FAT_BLOCK);
    assert_non_null(card->bytes);
    card->begin = partitioned ? 63 : 0;
    card->table_blocks = (clusters + 2) * bits / 8 / BOARD_FAT_BLOCK + 1;
    if (partitioned) {
        put32(card->bytes + 446 + 8, card->begin);
        put16(card->bytes + 510, 0xAA55);
    }
    put_boot(card, clusters);
    put_folder(bits == 32 ? cluster_at(card, 3)
                          : block_at(card, RESERVED + 2 * card->table_blocks));
    chain(card, 3, end);
    chain(card, 4, end);
    memcpy(cluster_at(card, 4), "INSIDE  TXT", 11);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        chain(card, file[i], i + 1 < sizeof file / sizeof *file ? file[i + 1] : end);
        for (size_t k = 0; k < BOARD_FAT_BLOCK; k++) {
            cluster_at(card, file[i])[k] = pattern(i * BOARD_FAT_BLOCK + k);
        }
    }
}

static void look(struct card *card)
{
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    uint8_t data[FILE_BYTES];
    assert_int_equal(board_fat_open(&fat, read_block, card), 0);
    assert_int_equal(fat.bits, card->bits);
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    assert_true(board_fat_next(&folder, &entry));
    assert_string_equal(entry.name, "Tunnel of blue.milk");
    assert_int_equal(entry.size, FILE_BYTES);
    assert_int_equal(board_fat_load(&fat, &entry, data, sizeof data - 1), -1);
    assert_int_equal(board_fat_load(&fat, &entry, data, sizeof data), 0);
    for (size_t i = 0; i < sizeof data; i++) {
        assert_int_equal(data[i], pattern(i));
    }
    assert_true(board_fat_next(&folder, &entry));
    assert_string_equal(entry.name, "EMPTY");
    assert_int_equal(board_fat_load(&fat, &entry, data, 0), 0);
    assert_true(board_fat_next(&folder, &entry));
    assert_true(entry.folder);
    assert_false(board_fat_next(&folder, &entry));
    board_fat_begin(&fat, &folder, 4);
    assert_true(board_fat_next(&folder, &entry));
    assert_string_equal(entry.name, "INSIDE.TXT");
    assert_false(board_fat_next(&folder, &entry));
}

static void all_kinds(void **state)
{
    static const unsigned kinds[] = {12, 16, 32};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (int partitioned = 0; partitioned < 2; partitioned++) {
            struct card card;
            make(&card, kinds[i], partitioned != 0);
            look(&card);
            free(card.bytes);
        }
    }
}

static void walk(struct card *card, uint8_t *data, size_t room)
{
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    if (board_fat_open(&fat, read_block, card) != 0) {
        return;
    }
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    for (int i = 0; i < 100 && board_fat_next(&folder, &entry); i++) {
        assert_true(memchr(entry.name, '\0', sizeof entry.name) != NULL);
        (void)board_fat_load(&fat, &entry, data, room);
    }
}

/* Bytes of boot block, tables and folder at random: nothing is written outside, nothing hangs. */
static void hostile(void **state)
{
    static const unsigned kinds[] = {12, 16, 32};
    (void)state;
    uint8_t *data = malloc(65536);
    assert_non_null(data);
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (size_t kind = 0; kind < 3; kind++) {
        struct card card;
        make(&card, kinds[kind], false);
        for (int trial = 0; trial < 500; trial++) {
            uint8_t *places[] = {card.bytes + base_rng_next(&rng) % 64,
                                 block_at(&card, RESERVED) + base_rng_next(&rng) % 64,
                                 cluster_at(&card, 3) - 4 * BOARD_FAT_BLOCK +
                                     base_rng_next(&rng) % (5 * BOARD_FAT_BLOCK)};
            uint8_t old[3];
            for (size_t i = 0; i < 3; i++) {
                old[i] = *places[i];
                *places[i] = (uint8_t)base_rng_next(&rng);
            }
            walk(&card, data, 65536);
            for (size_t i = 3; i-- > 0;) {
                *places[i] = old[i];
            }
        }
        free(card.bytes);
    }
    free(data);
}

static void circles(void **state)
{
    (void)state;
    struct card card;
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    make(&card, 32, false);
    chain(&card, 3, 3);
    memset(cluster_at(&card, 3) + 96, 0xE5, BOARD_FAT_BLOCK - 96);
    assert_int_equal(board_fat_open(&fat, read_block, &card), 0);
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    size_t count = 0;
    while (board_fat_next(&folder, &entry)) {
        count++;
    }
    /* The folder is read once, and once more until it is seen to come back. */
    assert_int_equal(count, 2);
    free(card.bytes);
}

static void unreadable(void **state)
{
    (void)state;
    struct card card;
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    uint8_t data[FILE_BYTES];
    make(&card, 16, false);
    card.failing = (uint32_t)((size_t)(cluster_at(&card, 6) - card.bytes) / BOARD_FAT_BLOCK);
    assert_int_equal(board_fat_open(&fat, read_block, &card), 0);
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    assert_true(board_fat_next(&folder, &entry));
    assert_int_equal(board_fat_load(&fat, &entry, data, sizeof data), -1);
    card.failing = 0;
    assert_int_equal(board_fat_open(&fat, read_block, &card), -1);
    free(card.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds),
        cmocka_unit_test(hostile),
        cmocka_unit_test(circles),
        cmocka_unit_test(unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
