#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/storage/fat_write.h"
#include "board/twin/power/cut.h"

/* Cards in memory, of which every write can be taken back, and the power that goes at one of them.
 */

enum { BLOCK = BOARD_FAT_BLOCK, UNDO_MAX = 4000, FILE_MAX = 9000, RESERVED = 8 };

struct kind {
    unsigned bits;
    uint32_t cluster_blocks;
    uint32_t clusters;
    uint32_t root_rows; /* of FAT12 and FAT16 */
};

static const struct kind kinds[] = {{12, 1, 2000, 64}, {16, 2, 6000, 112}, {32, 1, 66000, 0}};

/* Under sanitizers the large one takes too long. */
#ifdef __SANITIZE_ADDRESS__
enum { TURNS_OF_KINDS = 2 };
#else
enum { TURNS_OF_KINDS = 3 };
#endif

struct card {
    struct kind kind;
    uint8_t *bytes;
    uint32_t blocks;
    uint32_t table_blocks;
    struct board_twin_cut cut;
    uint32_t undo_count;
    struct undo {
        uint32_t block;
        uint8_t bytes[BLOCK];
    } * undo;
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

static uint8_t *at(const struct card *card, uint32_t block)
{
    return card->bytes + (size_t)block * BLOCK;
}

static int read_block(void *user, uint32_t block, uint8_t *bytes)
{
    const struct card *card = user;
    if (block >= card->blocks || card->cut.gone) {
        return -1;
    }
    memcpy(bytes, at(card, block), BLOCK);
    return 0;
}

static int write_block(void *user, uint32_t block, const uint8_t *bytes)
{
    struct card *card = user;
    if (block >= card->blocks || card->cut.gone) {
        return -1;
    }
    assert_true(card->undo_count < UNDO_MAX);
    card->undo[card->undo_count].block = block;
    memcpy(card->undo[card->undo_count++].bytes, at(card, block), BLOCK);
    board_twin_cut_write(&card->cut, at(card, block), bytes, BLOCK);
    return card->cut.gone ? -1 : 0;
}

static void take_back(struct card *card)
{
    while (card->undo_count > 0) {
        const struct undo *undo = &card->undo[--card->undo_count];
        memcpy(at(card, undo->block), undo->bytes, BLOCK);
    }
    card->cut = (struct board_twin_cut){.in = 0};
}

static void put_entry(const struct card *card, uint32_t cluster, uint32_t value)
{
    for (uint32_t copy = 0; copy < 2; copy++) {
        uint8_t *table = at(card, RESERVED + copy * card->table_blocks);
        uint8_t *entry = table + (size_t)cluster * card->kind.bits / 8;
        if (card->kind.bits == 12) {
            const uint32_t old = (uint32_t)entry[0] | (uint32_t)entry[1] << 8;
            put16(entry,
                  (cluster & 1) != 0 ? (old & 0xF) | value << 4 : (old & 0xF000) | (value & 0xFFF));
        } else if (card->kind.bits == 16) {
            put16(entry, value);
        } else {
            put32(entry, value & 0x0FFFFFFF);
        }
    }
}

static void make(struct card *card, const struct kind *kind)
{
    const uint32_t root = (kind->root_rows * 32 + BLOCK - 1) / BLOCK;
    *card = (struct card){.kind = *kind};
    card->table_blocks = ((kind->clusters + 2) * kind->bits / 8 + BLOCK) / BLOCK;
    card->blocks = RESERVED + 2 * card->table_blocks + root + kind->clusters * kind->cluster_blocks;
    card->bytes = calloc(card->blocks, BLOCK);
    card->undo = malloc(UNDO_MAX * sizeof *card->undo);
    assert_non_null(card->bytes);
    assert_non_null(card->undo);
    uint8_t *boot = card->bytes;
    put16(boot + 11, BLOCK);
    boot[13] = (uint8_t)kind->cluster_blocks;
    put16(boot + 14, RESERVED);
    boot[16] = 2;
    put16(boot + 17, kind->root_rows);
    put32(boot + 32, card->blocks);
    put16(boot + 510, 0xAA55);
    put_entry(card, 0, 0x0FFFFFF8);
    put_entry(card, 1, UINT32_MAX);
    if (kind->bits == 32) {
        put32(boot + 36, card->table_blocks);
        put32(boot + 44, 2);
        put16(boot + 48, 1);
        put32(at(card, 1), 0x41615252);
        put32(at(card, 1) + 484, 0x61417272);
        put32(at(card, 1) + 488, kind->clusters - 1);
        put_entry(card, 2, UINT32_MAX);
    } else {
        put16(boot + 22, card->table_blocks);
    }
}

static void release(struct card *card)
{
    free(card->bytes);
    free(card->undo);
}

/* ---- a checker of its own ---- */

struct checked {
    uint32_t lost;   /* clusters in use that belong to nothing */
    uint32_t twice;  /* that belong to two files */
    uint32_t broken; /* files whose chain has not the length of their size */
    uint32_t differ; /* blocks of the table that its copies do not have alike */
    uint32_t files;
};

static uint32_t entry_of(const struct card *card, uint32_t cluster)
{
    const uint8_t *entry = at(card, RESERVED) + (size_t)cluster * card->kind.bits / 8;
    const uint32_t value = (uint32_t)entry[0] | (uint32_t)entry[1] << 8;
    if (card->kind.bits == 12) {
        return (cluster & 1) != 0 ? value >> 4 : value & 0xFFF;
    }
    return card->kind.bits == 16
               ? value
               : (value | (uint32_t)entry[2] << 16 | (uint32_t)entry[3] << 24) & 0x0FFFFFFF;
}

static uint32_t follow(const struct card *card, uint32_t cluster, uint8_t *used,
                       struct checked *checked)
{
    uint32_t count = 0;
    while (cluster >= 2 && cluster < card->kind.clusters + 2 && count <= card->kind.clusters) {
        checked->twice += used[cluster];
        used[cluster] = 1;
        count++;
        cluster = entry_of(card, cluster);
    }
    return count;
}

static struct checked check(struct card *card)
{
    struct checked checked = {0};
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    uint8_t *used = calloc(card->kind.clusters + 2, 1);
    assert_non_null(used);
    assert_int_equal(board_fat_open(&fat, read_block, card), 0);
    if (card->kind.bits == 32) {
        (void)follow(card, fat.root, used, &checked);
    }
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, &entry)) {
        const uint32_t bytes = card->kind.cluster_blocks * BLOCK;
        checked.files++;
        checked.broken +=
            follow(card, entry.cluster, used, &checked) != (entry.size + bytes - 1) / bytes;
    }
    for (uint32_t i = 2; i < card->kind.clusters + 2; i++) {
        checked.lost += entry_of(card, i) != 0 && !used[i];
    }
    for (uint32_t i = 0; i < card->table_blocks; i++) {
        checked.differ +=
            memcmp(at(card, RESERVED + i), at(card, RESERVED + card->table_blocks + i), BLOCK) != 0;
    }
    free(used);
    return checked;
}

/* ---- files ---- */

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
    struct base_rng rng;
    base_rng_seed(&rng, seed, 1);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)base_rng_next(&rng);
    }
}

/* 0: the file is not there; 1: it holds something else; 2: these bytes. */
static int holds(struct card *card, const char *name, const uint8_t *bytes, size_t size)
{
    static uint8_t content[64 * FILE_MAX];
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    assert_int_equal(board_fat_open(&fat, read_block, card), 0);
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, &entry)) {
        if (strcmp(entry.name, name) == 0) {
            return entry.size == size && size <= sizeof content &&
                           board_fat_load(&fat, &entry, content, sizeof content) == 0 &&
                           memcmp(content, bytes, size) == 0
                       ? 2
                       : 1;
        }
    }
    return 0;
}

static enum board_fat_result store(struct card *card, const char *name, const void *bytes,
                                   size_t size)
{
    struct board_fat fat;
    struct board_fat_writer writer;
    assert_int_equal(board_fat_open(&fat, read_block, card), 0);
    const enum board_fat_result result = board_fat_write_begin(&writer, &fat, write_block);
    return result != BOARD_FAT_STORED ? result : board_fat_store(&writer, name, bytes, size);
}

static enum board_fat_result mend(struct card *card)
{
    struct board_fat fat;
    struct board_fat_writer writer;
    assert_int_equal(board_fat_open(&fat, read_block, card), 0);
    return board_fat_write_begin(&writer, &fat, write_block);
}

static void assert_whole(struct card *card)
{
    const struct checked checked = check(card);
    assert_int_equal(checked.lost, 0);
    assert_int_equal(checked.twice, 0);
    assert_int_equal(checked.broken, 0);
    assert_int_equal(checked.differ, 0);
}

static void files_are_stored(void **state)
{
    static const char *const names[] = {"FROTH.CFG", "a patch of mine.milk", "lower.fnp",
                                        "Dots.in.it.milk", "x"};
    static uint8_t bytes[FILE_MAX];
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct card card;
        make(&card, &kinds[k]);
        for (uint32_t turn = 0; turn < 3; turn++) {
            for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                const size_t size = turn == 2 && i == 3 ? 0 : (turn * 3001 + i * 1777) % FILE_MAX;
                fill(bytes, size, turn * 16 + i);
                assert_int_equal(store(&card, names[i], bytes, size), BOARD_FAT_STORED);
                assert_int_equal(holds(&card, names[i], bytes, size), 2);
                assert_whole(&card);
            }
        }
        assert_int_equal(check(&card).files, sizeof names / sizeof names[0] + 1);
        if (kinds[k].bits == 32) {
            assert_memory_equal(at(&card, 1) + 488, "\xFF\xFF\xFF\xFF", 4);
        }
        release(&card);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "a/b",
                                      "a:b",
                                      "end.",
                                      "FROTH.JNL",
                                      "\x01",
                                      "\xC3\xA4",
                                      ".hidden",
                                      "a name of more letters than are taken, which is "
                                      "sixty-four of them at the most.milk"};
    static uint8_t bytes[FILE_MAX];
    struct card card;
    (void)state;
    make(&card, &kinds[0]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(store(&card, bad[i], bytes, 10), BOARD_FAT_BAD_NAME);
    }
    assert_int_equal(card.undo_count, 0);
    assert_int_equal(store(&card, "A.TXT", bytes, 700), BOARD_FAT_STORED);
    assert_int_equal(store(&card, "B.TXT", bytes, 2000u * BLOCK), BOARD_FAT_FULL);
    /* The row of A.TXT, made read-only, then a folder. */
    uint8_t *row = at(&card, RESERVED + 2 * card.table_blocks) + 32;
    assert_memory_equal(row, "A       TXT", 11);
    row[11] = 0x21;
    assert_int_equal(store(&card, "a.txt", bytes, 10), BOARD_FAT_PROTECTED);
    row[11] = 0x10;
    assert_int_equal(store(&card, "A.TXT", bytes, 10), BOARD_FAT_PROTECTED);
    row[11] = 0x20;
    assert_int_equal(holds(&card, "A.TXT", bytes, 700), 2);
    card.bytes[16] = 1;
    struct board_fat fat;
    assert_int_equal(board_fat_open(&fat, read_block, &card), 0);
    assert_int_equal(store(&card, "C.TXT", bytes, 10), BOARD_FAT_UNSUITED);
    release(&card);
}

/* Rows until none is left; FAT32's folder grows instead. */
static void folder_fills_up(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct card card;
        char name[64];
        uint32_t count = 0;
        enum board_fat_result result = BOARD_FAT_STORED;
        make(&card, &kinds[k]);
        while (count < 100 && result == BOARD_FAT_STORED) {
            (void)snprintf(name, sizeof name, "A long name with number %u.milk", (unsigned)count);
            result = store(&card, name, name, strlen(name));
            count += result == BOARD_FAT_STORED;
            card.undo_count = 0;
        }
        assert_int_equal(result, kinds[k].bits == 32 ? BOARD_FAT_STORED : BOARD_FAT_FOLDER_FULL);
        assert_true(count >= kinds[k].root_rows / 6);
        for (uint32_t i = 0; i < count; i++) {
            (void)snprintf(name, sizeof name, "A long name with number %u.milk", (unsigned)i);
            assert_int_equal(holds(&card, name, (const uint8_t *)name, strlen(name)), 2);
        }
        assert_whole(&card);
        release(&card);
    }
}

/* ---- the power goes ---- */

enum { STEPS = 12, OTHERS = 12 };

/* What a board stores one after the other: files that are new, and that replace others. */
static const struct step {
    const char *name;
    uint32_t size;
} steps[STEPS] = {{"FROTH.CFG", 300},
                  {"FROTH.CFG", 310},
                  {"One more patch.milk", 2600},
                  {"OTHER3.MIL", 900},
                  {"FROTH.CFG", 0},
                  {"One more patch.milk", 5200},
                  {"NEW.FNP", 511},
                  {"FROTH.CFG", 305},
                  {"OTHER11.MIL", 4000},
                  {"Another one of mine.milk", 700},
                  {"Another one of mine.milk", 1700},
                  {"FROTH.CFG", 299}};

static uint32_t other_size(uint32_t i)
{
    return 700 + 90 * i;
}

static void other_name(char *name, size_t size, uint32_t i)
{
    (void)snprintf(name, size, "OTHER%u.MIL", (unsigned)i);
}

/* A card with a name and files of someone else, whose clusters lie by turns. */
static void prepare(struct card *card, const struct kind *kind)
{
    static uint8_t bytes[FILE_MAX];
    make(card, kind);
    const uint32_t root = RESERVED + 2 * card->table_blocks;
    const uint32_t data = root + (kind->root_rows * 32 + BLOCK - 1) / BLOCK;
    uint8_t *row = at(card, root);
    memcpy(row, "A CARD     \x08", 12);
    for (uint32_t i = 0; i < OTHERS; i++) {
        const uint32_t cluster_bytes = kind->cluster_blocks * BLOCK;
        const uint32_t count = (other_size(i) + cluster_bytes - 1) / cluster_bytes;
        char name[32];
        row += 32;
        other_name(name, sizeof name, i);
        memset(row, ' ', 11);
        memcpy(row, name, strcspn(name, "."));
        memcpy(row + 8, "MIL\x20", 4);
        put16(row + 26, 3 + i);
        put32(row + 28, other_size(i));
        fill(bytes, other_size(i), i);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t cluster = 3 + i + k * OTHERS;
            put_entry(card, cluster, k + 1 < count ? cluster + OTHERS : UINT32_MAX);
            memcpy(at(card, data + (cluster - 2) * kind->cluster_blocks),
                   bytes + (size_t)k * cluster_bytes, cluster_bytes);
        }
    }
    assert_whole(card);
}

/* All steps; ends at the first that fails, and returns its number. */
static uint32_t run(struct card *card)
{
    static uint8_t bytes[FILE_MAX];
    for (uint32_t i = 0; i < STEPS; i++) {
        fill(bytes, steps[i].size, 100 + i);
        if (store(card, steps[i].name, bytes, steps[i].size) != BOARD_FAT_STORED) {
            return i;
        }
    }
    return STEPS;
}

/* Every file is as some step left it: those before the one that was cut by what they wrote last,
 * the cut one by that or by its own. */
static void assert_files(struct card *card, uint32_t failed)
{
    static uint8_t bytes[FILE_MAX];
    char name[32];
    for (uint32_t i = 0; i < OTHERS; i++) {
        other_name(name, sizeof name, i);
        fill(bytes, other_size(i), i);
        if ((i != 3 || failed < 3) && (i != 11 || failed < 8)) {
            assert_int_equal(holds(card, name, bytes, other_size(i)), 2);
        }
    }
    for (uint32_t i = 0; i < STEPS && i <= failed; i++) {
        bool last = true;
        for (uint32_t k = i + 1; k < failed && k < STEPS; k++) {
            last = last && strcmp(steps[k].name, steps[i].name) != 0;
        }
        if (!last || i == failed) {
            continue;
        }
        fill(bytes, steps[i].size, 100 + i);
        int found = holds(card, steps[i].name, bytes, steps[i].size);
        if (failed < STEPS && strcmp(steps[failed].name, steps[i].name) == 0 && found != 2) {
            fill(bytes, steps[failed].size, 100 + failed);
            found = holds(card, steps[i].name, bytes, steps[failed].size);
        }
        assert_int_equal(found, 2);
    }
    if (failed == 3 || failed == 8) {
        const uint32_t i = failed == 3 ? 3 : 11;
        fill(bytes, other_size(i), i);
        const bool old = holds(card, steps[failed].name, bytes, other_size(i)) == 2;
        fill(bytes, steps[failed].size, 100 + failed);
        assert_true(old || holds(card, steps[failed].name, bytes, steps[failed].size) == 2);
    }
}

/* A block that was being written is looked at by the kinds that leave blocks whole; with others the
 * card is mended first, as it is when the board finds it. */
static void cut_everywhere(const struct kind *kind)
{
    struct card card;
    prepare(&card, kind);
    assert_int_equal(run(&card), STEPS);
    const uint32_t writes = card.cut.writes;
    take_back(&card);
    assert_true(writes >= 200);
    for (int how = 0; how < BOARD_TWIN_CUT_KINDS; how++) {
        const bool whole = how == BOARD_TWIN_CUT_BEFORE || how == BOARD_TWIN_CUT_AFTER;
        uint32_t lost = 0;
        uint32_t differ = 0;
        uint32_t mended = 0;
        for (uint32_t n = 1; n <= writes; n++) {
            card.cut = (struct board_twin_cut){.in = n, .kind = (enum board_twin_cut_kind)how};
            const uint32_t failed = run(&card);
            assert_true(card.cut.gone);
            card.cut = (struct board_twin_cut){.in = 0};
            if (whole) {
                const struct checked checked = check(&card);
                assert_int_equal(checked.twice, 0);
                assert_int_equal(checked.broken, 0);
                lost += checked.lost > 0;
                differ += checked.differ > 0;
                assert_files(&card, failed);
            }
            assert_int_equal(mend(&card), BOARD_FAT_STORED);
            mended += card.cut.writes > 0;
            const struct checked checked = check(&card);
            if (checked.lost + checked.twice + checked.broken + checked.differ > 0) {
                fail_msg("FAT%u, cut %u %s: %u clusters lost, %u twice, %u files broken, %u blocks "
                         "differ",
                         kind->bits, (unsigned)n, board_twin_cut_names[how], (unsigned)checked.lost,
                         (unsigned)checked.twice, (unsigned)checked.broken,
                         (unsigned)checked.differ);
            }
            assert_files(&card, failed);
            assert_int_equal(run(&card), STEPS);
            take_back(&card);
        }
        (void)printf("FAT%u, power gone %-7s each of %u writes: all files old or new; ", kind->bits,
                     board_twin_cut_names[how], (unsigned)writes);
        if (whole) {
            (void)printf("clusters lost in %u, copies of the table unlike in %u, ", (unsigned)lost,
                         (unsigned)differ);
        }
        (void)printf("mended %u, then none\n", (unsigned)mended);
    }
    release(&card);
}

/* The power goes once more, at each write of the mending. */
static void cut_twice(const struct kind *kind, uint32_t writes)
{
    enum { EVERY = 7 };
    struct card card;
    uint32_t cuts = 0;
    prepare(&card, kind);
    for (uint32_t n = 1; n <= writes; n += EVERY) {
        for (uint32_t m = 1;; m++) {
            card.cut = (struct board_twin_cut){.in = n, .kind = BOARD_TWIN_CUT_GARBAGE};
            const uint32_t failed = run(&card);
            card.cut = (struct board_twin_cut){.in = m, .kind = BOARD_TWIN_CUT_GARBAGE};
            const bool ends = mend(&card) == BOARD_FAT_STORED;
            assert_int_equal(ends, !card.cut.gone);
            card.cut = (struct board_twin_cut){.in = 0};
            assert_int_equal(mend(&card), BOARD_FAT_STORED);
            assert_files(&card, failed);
            assert_whole(&card);
            take_back(&card);
            if (ends) {
                break;
            }
            cuts++;
        }
    }
    (void)printf("FAT%u, power gone once more while %u cards are mended, %u times: the same\n",
                 kind->bits, (unsigned)((writes + EVERY - 1) / EVERY), (unsigned)cuts);
    release(&card);
}

static void power_goes_twice(void **state)
{
    (void)state;
    for (size_t k = 0; k < TURNS_OF_KINDS; k++) {
        cut_twice(&kinds[k], 220);
    }
}

static void power_goes(void **state)
{
    (void)state;
    for (size_t k = 0; k < TURNS_OF_KINDS; k++) {
        cut_everywhere(&kinds[k]);
    }
}

/* Whatever stands in the boot block, the tables, the folder and the journal: calls end. */
static void damage_is_survived(void **state)
{
    enum { TURNS_OF_DAMAGE = 400, FLIPS = 24 };
    struct base_rng rng;
    (void)state;
    base_rng_seed(&rng, 5, 0);
    for (uint32_t turn = 0; turn < TURNS_OF_DAMAGE; turn++) {
        struct card card;
        prepare(&card, &kinds[turn % 2]);
        card.cut = (struct board_twin_cut){.in = 1 + base_rng_next(&rng) % 200};
        (void)run(&card);
        card.cut = (struct board_twin_cut){.in = 0};
        const uint32_t tables = RESERVED + 2 * card.table_blocks + 8;
        for (uint32_t i = base_rng_next(&rng) % FLIPS; i > 0; i--) {
            const uint32_t low = base_rng_next(&rng) % tables;
            const uint32_t high = card.blocks - 1 - base_rng_next(&rng) % 4;
            const uint32_t block = base_rng_next(&rng) % 3 == 0 ? high : low;
            at(&card, block)[base_rng_next(&rng) % BLOCK] = (uint8_t)base_rng_next(&rng);
        }
        struct board_fat fat;
        struct board_fat_writer writer;
        if (board_fat_open(&fat, read_block, &card) == 0 &&
            board_fat_write_begin(&writer, &fat, write_block) == BOARD_FAT_STORED) {
            (void)board_fat_store(&writer, "FROTH.CFG", &turn, sizeof turn);
        }
        release(&card);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_stored), cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(folder_fills_up),  cmocka_unit_test(power_goes),
        cmocka_unit_test(power_goes_twice), cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
