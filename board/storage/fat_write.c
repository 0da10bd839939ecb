#include "board/storage/fat_write.h"

#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "board/storage/fat_blocks.h"

const char *const board_fat_results[BOARD_FAT_RESULTS] = {
    [BOARD_FAT_STORED] = "it is stored",
    [BOARD_FAT_BAD_NAME] = "no file can have this name",
    [BOARD_FAT_PROTECTED] = "what has this name is read-only",
    [BOARD_FAT_FULL] = "no piece of the memory card that is large enough is free",
    [BOARD_FAT_FOLDER_FULL] = "the memory card's root folder is full",
    [BOARD_FAT_UNSUITED] = "nothing can be stored safely in this file system",
    [BOARD_FAT_FAILED] = "the memory card does not take it",
};

/* The journal: two records, of which the one with the higher number counts, and the contents of the
 * target. */
enum { RECORDS = 2, OLD = 2, FRESH = 3, JOURNAL_BLOCKS = 4, PLACES = 64 };

enum {
    ROOT_BLOCKS = 65536 / BOARD_FAT_ROWS,            /* of a root folder, at most */
    RUN_BLOCKS = 16 * 1024 * 1024 / BOARD_FAT_BLOCK, /* that a file is stored in, at most */
};

enum { UNKNOWN_COUNT_AT = 488 /* of free clusters, in FAT32's block about them */ };

static const uint32_t magic = 0x4A525446; /* "FTRJ" */
static const uint32_t info_magic = 0x41615252;
static const char journal_name[] = "FROTH.JNL";

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

static uint32_t sum_of(const uint8_t *block)
{
    return base_crc32(BASE_CRC32_START, block, BOARD_FAT_BLOCK);
}

/* ---- blocks ---- */

static bool read_block(struct board_fat_writer *writer, uint32_t block, uint8_t *bytes)
{
    const uint8_t *from = board_fat_block(writer->fat, block);
    if (from != NULL) {
        memcpy(bytes, from, BOARD_FAT_BLOCK);
    }
    return from != NULL;
}

static bool write_block(struct board_fat_writer *writer, uint32_t block, const uint8_t *bytes)
{
    struct board_fat *fat = writer->fat;
    if (fat->cached == block) {
        fat->cached = UINT32_MAX;
    }
    return writer->write(fat->user, block, bytes) == 0;
}

static uint32_t sum_at(struct board_fat_writer *writer, uint32_t block)
{
    const uint8_t *bytes = board_fat_block(writer->fat, block);
    return bytes != NULL ? sum_of(bytes) : 0;
}

/* ---- the journal ---- */

/* A record as words: magic, the block that it stands in, its fields, a sum. */
static void write_words(const struct board_fat_record *record, uint32_t block, uint8_t *bytes)
{
    const uint32_t words[] = {magic,
                              block,
                              record->number,
                              record->target,
                              record->old_sum,
                              record->new_sum,
                              record->new_first,
                              record->new_count,
                              record->new_guard,
                              record->old_first,
                              record->old_guard,
                              record->half};
    enum { COUNT = sizeof words / sizeof words[0] };
    memset(bytes, 0, BOARD_FAT_BLOCK);
    for (size_t i = 0; i < COUNT; i++) {
        put32(bytes + 4 * i, words[i]);
    }
    put32(bytes + sizeof words, base_crc32(BASE_CRC32_START, bytes, sizeof words));
}

static bool read_words(struct board_fat_record *record, uint32_t block, const uint8_t *bytes)
{
    uint32_t words[12];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        words[i] = board_fat_get32(bytes + 4 * i);
    }
    *record = (struct board_fat_record){words[2], words[3], words[4], words[5],  words[6],
                                        words[7], words[8], words[9], words[10], words[11]};
    return words[0] == magic && words[1] == block &&
           board_fat_get32(bytes + sizeof words) ==
               base_crc32(BASE_CRC32_START, bytes, sizeof words);
}

/* The number goes up each time, and so the two places take turns: the one before stays readable. */
static bool write_record(struct board_fat_writer *writer)
{
    uint8_t bytes[BOARD_FAT_BLOCK];
    writer->record.number++;
    const uint32_t block = writer->journal + writer->record.number % RECORDS;
    write_words(&writer->record, block, bytes);
    return write_block(writer, block, bytes);
}

static uint32_t journal_clusters(const struct board_fat *fat)
{
    return (JOURNAL_BLOCKS + fat->cluster_blocks - 1) / fat->cluster_blocks;
}

/* The cluster of the n-th place where a journal may begin, from the end; 0: there is none. */
static uint32_t journal_place(const struct board_fat *fat, uint32_t n)
{
    const uint32_t count = journal_clusters(fat);
    return fat->clusters >= count + n ? fat->clusters + 2 - count - n : 0;
}

static void find_journal(struct board_fat_writer *writer)
{
    for (uint32_t n = 0; n < PLACES && journal_place(writer->fat, n) != 0; n++) {
        const uint32_t begin = board_fat_block_in(writer->fat, journal_place(writer->fat, n), 0);
        for (uint32_t i = 0; i < RECORDS; i++) {
            struct board_fat_record record;
            const uint8_t *bytes = board_fat_block(writer->fat, begin + i);
            if (bytes != NULL && read_words(&record, begin + i, bytes) &&
                (writer->journal == 0 || record.number > writer->record.number)) {
                writer->journal = begin;
                writer->record = record;
            }
        }
    }
}

/* The contents of the target, unless they are those of the one before: another copy of the table.
 * That one's record counts until this one's is there, and needs them. */
static bool write_contents(struct board_fat_writer *writer)
{
    struct board_fat_record *record = &writer->record;
    const uint32_t old_sum = sum_of(writer->old);
    const uint32_t new_sum = sum_of(writer->fresh);
    if (record->old_sum == old_sum && record->new_sum == new_sum) {
        return true;
    }
    record->old_sum = old_sum;
    record->new_sum = new_sum;
    return write_block(writer, writer->journal + OLD, writer->old) &&
           write_block(writer, writer->journal + FRESH, writer->fresh);
}

/* Writes writer->fresh to a block that other files may be in too. */
static bool write_safely(struct board_fat_writer *writer, uint32_t block)
{
    if (!read_block(writer, block, writer->old)) {
        return false;
    }
    if (memcmp(writer->old, writer->fresh, BOARD_FAT_BLOCK) == 0) {
        return true;
    }
    writer->record.target = block;
    return write_contents(writer) && write_record(writer) &&
           write_block(writer, block, writer->fresh);
}

/* Nothing is under way any more. */
static bool close_record(struct board_fat_writer *writer)
{
    writer->record = (struct board_fat_record){.number = writer->record.number};
    return write_record(writer);
}

/* ---- the allocation table ---- */

/* The bytes of a cluster's entry: the first one's place in the table, and how many. */
static uint64_t entry_at(const struct board_fat *fat, uint32_t cluster)
{
    return (uint64_t)cluster * fat->bits / 8;
}

static uint32_t entry_bytes(const struct board_fat *fat)
{
    return fat->bits == 32 ? 4 : 2;
}

/* Puts what lies in block `number` of the table of an entry into the bytes of that block. Bits that
 * are not its own stay. */
static void put_entry(const struct board_fat *fat, uint8_t *bytes, uint32_t number,
                      uint32_t cluster, uint32_t value)
{
    const bool odd = (cluster & 1) != 0;
    const uint32_t own = fat->bits == 32 ? 0x0FFFFFFF : fat->bits == 16 ? 0xFFFF : 0xFFF;
    const uint32_t shift = fat->bits == 12 && odd ? 4 : 0;
    const uint32_t mask = own << shift;
    value = (value & own) << shift;
    for (uint32_t i = 0; i < entry_bytes(fat); i++) {
        const uint64_t at = entry_at(fat, cluster) + i;
        if (at / BOARD_FAT_BLOCK == number) {
            uint8_t *byte = &bytes[at % BOARD_FAT_BLOCK];
            *byte = (uint8_t)((*byte & ~(mask >> 8 * i)) | value >> 8 * i);
        }
    }
}

static uint32_t first_block_of(const struct board_fat *fat, uint32_t cluster)
{
    return (uint32_t)(entry_at(fat, cluster) / BOARD_FAT_BLOCK);
}

static uint32_t last_block_of(const struct board_fat *fat, uint32_t cluster)
{
    return (uint32_t)((entry_at(fat, cluster) + entry_bytes(fat) - 1) / BOARD_FAT_BLOCK);
}

/* Writes writer->fresh as block `number` of all copies of the table. The first copy, which counts,
 * comes last. */
static bool write_table(struct board_fat_writer *writer, uint32_t number)
{
    const struct board_fat *fat = writer->fat;
    for (uint32_t copy = fat->tables; copy-- > 0;) {
        if (!write_safely(writer, fat->table + copy * fat->table_blocks + number)) {
            return false;
        }
    }
    return true;
}

static bool read_table(struct board_fat_writer *writer, uint32_t number)
{
    return read_block(writer, writer->fat->table + number, writer->fresh);
}

/* Clusters side by side become a chain, or free. */
static bool set_run(struct board_fat_writer *writer, uint32_t first, uint32_t count, bool taken)
{
    const struct board_fat *fat = writer->fat;
    const uint32_t last = first + count - 1;
    for (uint32_t number = first_block_of(fat, first); number <= last_block_of(fat, last);
         number++) {
        if (!read_table(writer, number)) {
            return false;
        }
        const uint32_t here = number * (BOARD_FAT_BLOCK * 8 / 4) / (fat->bits / 4);
        for (uint32_t cluster = here > first ? here : first;
             cluster <= last && first_block_of(fat, cluster) <= number; cluster++) {
            const uint32_t next = cluster == last ? UINT32_MAX : cluster + 1;
            put_entry(fat, writer->fresh, number, cluster, taken ? next : 0);
        }
        if (!write_table(writer, number)) {
            return false;
        }
    }
    return true;
}

/* Gives back the second half of an entry whose first half is free already. */
static bool free_half(struct board_fat_writer *writer)
{
    struct board_fat_record *record = &writer->record;
    const uint32_t number = last_block_of(writer->fat, record->half);
    if (!read_table(writer, number)) {
        return false;
    }
    put_entry(writer->fat, writer->fresh, number, record->half, 0);
    return write_table(writer, number);
}

/* Gives the chain back that the record names, as many clusters at once as one block of the table
 * tells of; the record always names what is left. */
static bool free_chain(struct board_fat_writer *writer)
{
    struct board_fat *fat = writer->fat;
    struct board_fat_record *record = &writer->record;
    enum { ENTRIES = BOARD_FAT_BLOCK * 8 / 12 };
    while (record->old_first != 0) {
        const uint32_t number = first_block_of(fat, record->old_first);
        uint32_t cluster = record->old_first;
        uint32_t half = 0;
        uint8_t bytes[BOARD_FAT_BLOCK];
        if (!read_table(writer, number)) {
            return false;
        }
        memcpy(bytes, writer->fresh, BOARD_FAT_BLOCK);
        /* A chain that comes back to itself has more clusters here than the block has entries, and
         * ends where it meets what is free. */
        for (uint32_t i = 0; i <= ENTRIES && board_fat_is_cluster(fat, cluster) &&
                             first_block_of(fat, cluster) == number && half == 0;
             i++) {
            const uint32_t next = board_fat_after(fat, cluster);
            put_entry(fat, bytes, number, cluster, 0);
            half = last_block_of(fat, cluster) != number ? cluster : 0;
            cluster = next;
        }
        record->old_first = board_fat_is_cluster(fat, cluster) ? cluster : 0;
        record->old_guard =
            record->old_first != 0 ? sum_at(writer, board_fat_block_in(fat, cluster, 0)) : 0;
        record->half = half;
        memcpy(writer->fresh, bytes, BOARD_FAT_BLOCK);
        if (!write_table(writer, number) || (half != 0 && !free_half(writer))) {
            return false;
        }
        record->half = 0;
    }
    return true;
}

/* The first of `count` free clusters side by side; 0: there are none. */
static uint32_t find_run(struct board_fat_writer *writer, uint32_t count)
{
    struct board_fat *fat = writer->fat;
    uint32_t found = 0;
    for (uint32_t cluster = 2; cluster < fat->clusters + 2; cluster++) {
        found = board_fat_value(fat, cluster) == 0 ? found + 1 : 0;
        if (found == count) {
            return cluster - count + 1;
        }
    }
    return 0;
}

/* ---- the root folder ---- */

static bool is_named(const struct board_fat_entry *entry, const char *name)
{
    char short_name[BOARD_FAT_NAME];
    board_fat_show_short(short_name, entry->short_name);
    return base_span_equal_nocase(base_span_of(entry->name), base_span_of(name)) ||
           base_span_equal_nocase(base_span_of(short_name), base_span_of(name));
}

static bool find_entry(struct board_fat_writer *writer, const char *name,
                       struct board_fat_entry *entry)
{
    struct board_fat_folder folder;
    board_fat_begin(writer->fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, entry)) {
        if (is_named(entry, name)) {
            return true;
        }
    }
    return false;
}

/* Whether the root folder consists of this cluster, or a row of it names it. */
static bool is_used(struct board_fat_writer *writer, uint32_t cluster)
{
    struct board_fat *fat = writer->fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    uint32_t part = fat->bits == 32 ? fat->root : 0;
    for (uint32_t i = 0; board_fat_is_cluster(fat, part) && i < ROOT_BLOCKS; i++) {
        if (part == cluster) {
            return true;
        }
        part = board_fat_after(fat, part);
    }
    board_fat_begin(fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, &entry)) {
        if (entry.cluster == cluster) {
            return true;
        }
    }
    return false;
}

/* The blocks of the root folder, one after the other; 0 behind the last one. */
struct root_walk {
    uint32_t cluster;
    uint32_t block;
    uint32_t blocks; /* so far */
};

static uint32_t next_root_block(struct board_fat *fat, struct root_walk *walk)
{
    if (walk->blocks++ >= ROOT_BLOCKS) {
        return 0;
    }
    if (fat->bits != 32) {
        return walk->block < fat->root_blocks ? fat->root + walk->block++ : 0;
    }
    if (walk->cluster == 0) {
        walk->cluster = fat->root;
    } else if (walk->block == fat->cluster_blocks) {
        const uint32_t next = board_fat_after(fat, walk->cluster);
        if (!board_fat_is_cluster(fat, next)) {
            return 0;
        }
        walk->cluster = next;
        walk->block = 0;
    }
    return board_fat_is_cluster(fat, walk->cluster)
               ? board_fat_block_in(fat, walk->cluster, walk->block++)
               : 0;
}

/* Makes a FAT32 root folder longer by a cluster of empty rows. */
static enum board_fat_result extend_root(struct board_fat_writer *writer, uint32_t last)
{
    struct board_fat *fat = writer->fat;
    const uint32_t cluster = fat->bits == 32 ? find_run(writer, 1) : 0;
    uint8_t zeros[BOARD_FAT_BLOCK] = {0};
    if (cluster == 0) {
        return BOARD_FAT_FOLDER_FULL;
    }
    for (uint32_t i = 0; i < fat->cluster_blocks; i++) {
        if (!write_block(writer, board_fat_block_in(fat, cluster, i), zeros)) {
            return BOARD_FAT_FAILED;
        }
    }
    writer->record.new_first = cluster;
    writer->record.new_count = 1;
    writer->record.new_guard = sum_of(zeros);
    const uint32_t number = first_block_of(fat, last);
    if (!set_run(writer, cluster, 1, true) || !read_table(writer, number)) {
        return BOARD_FAT_FAILED;
    }
    put_entry(fat, writer->fresh, number, last, cluster);
    return write_table(writer, number) && close_record(writer) ? BOARD_FAT_STORED
                                                               : BOARD_FAT_FAILED;
}

/* Where a row goes that has others before it. */
struct room {
    uint32_t block;
    uint32_t row; /* the first one */
    bool at_end;  /* nothing behind it is in use */
};

static bool is_row_free(const uint8_t *row)
{
    return row[0] == 0 || row[0] == BOARD_FAT_DELETED;
}

/* The end of the folder, which a row of zero marks, becomes that of a block: rows from there on are
 * deleted ones, and the next block begins with the mark. */
static bool move_end(struct board_fat_writer *writer, uint32_t block, uint32_t row, uint32_t next)
{
    const uint8_t *bytes = board_fat_block(writer->fat, next);
    if (bytes == NULL) {
        return false;
    }
    if (bytes[0] != 0) {
        memset(writer->fresh, 0, BOARD_FAT_BLOCK);
        if (!write_safely(writer, next)) {
            return false;
        }
    }
    if (!read_block(writer, block, writer->fresh)) {
        return false;
    }
    for (uint32_t i = row; i < BOARD_FAT_ROWS; i++) {
        memset(writer->fresh + (size_t)i * BOARD_FAT_ROW, 0, BOARD_FAT_ROW);
        writer->fresh[i * BOARD_FAT_ROW] = BOARD_FAT_DELETED;
    }
    return write_safely(writer, block);
}

/* Finds `count` free rows side by side in one block of the root folder. */
static enum board_fat_result find_room(struct board_fat_writer *writer, uint32_t count,
                                       struct room *room)
{
    struct board_fat *fat = writer->fat;
    struct root_walk walk = {0};
    uint32_t block = next_root_block(fat, &walk);
    if (block == 0) {
        return BOARD_FAT_UNSUITED;
    }
    for (;;) {
        const uint8_t *bytes = board_fat_block(fat, block);
        uint32_t found = 0;
        uint32_t end = BOARD_FAT_ROWS;
        if (bytes == NULL) {
            return BOARD_FAT_FAILED;
        }
        for (uint32_t i = 0; i < BOARD_FAT_ROWS; i++) {
            const uint8_t *row = bytes + (size_t)i * BOARD_FAT_ROW;
            end = row[0] == 0 && end == BOARD_FAT_ROWS ? i : end;
            found = end < BOARD_FAT_ROWS || is_row_free(row) ? found + 1 : 0;
            if (found == count) {
                *room = (struct room){block, i + 1 - count, end < BOARD_FAT_ROWS};
                return BOARD_FAT_STORED;
            }
        }
        const uint32_t last = walk.cluster;
        uint32_t next = next_root_block(fat, &walk);
        if (next == 0) {
            const enum board_fat_result result = extend_root(writer, last);
            if (result != BOARD_FAT_STORED) {
                return result;
            }
            next = next_root_block(fat, &walk);
            if (next == 0) {
                return BOARD_FAT_FOLDER_FULL;
            }
        }
        if (end < BOARD_FAT_ROWS && !move_end(writer, block, end, next)) {
            return BOARD_FAT_FAILED;
        }
        block = next;
    }
}

/* ---- names ---- */

static bool is_letter_of_name(char letter)
{
    return letter > ' ' && letter < 0x7F && strchr("\"*/:<>?\\|", letter) == NULL;
}

static bool is_letter_of_short(char letter)
{
    return is_letter_of_name(letter) && strchr("+,;=[].", letter) == NULL &&
           (letter < 'a' || letter > 'z');
}

static bool is_name(const char *name)
{
    const size_t size = strlen(name);
    bool is = size > 0 && size <= BOARD_FAT_STORED_NAME && name[size - 1] != '.' &&
              name[size - 1] != ' ' && name[0] != '.' && name[0] != ' ';
    for (size_t i = 0; i < size; i++) {
        is = is && (is_letter_of_name(name[i]) || name[i] == ' ');
    }
    return is;
}

static char large(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/* The last dot of a name, or its end. */
static size_t dot_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : strlen(name);
}

/* Fills a part of a short name with the letters that it can have. */
static size_t put_short(uint8_t *part, size_t room, const char *from, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size && count < room; i++) {
        const char letter = large(from[i]);
        if (is_letter_of_short(letter)) {
            part[count++] = (uint8_t)letter;
        }
    }
    return count;
}

/* Whether the name is a short one as it is. */
static bool fits_short(const char *name)
{
    const size_t dot = dot_of(name);
    const size_t size = strlen(name);
    bool fits = dot > 0 && dot <= 8 && size - dot <= 4;
    for (size_t i = 0; i < size; i++) {
        fits = fits && (i == dot || is_letter_of_short(name[i]));
    }
    return fits;
}

static bool has_short(struct board_fat_writer *writer, const uint8_t *short_name)
{
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    board_fat_begin(writer->fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, &entry)) {
        if (memcmp(entry.short_name, short_name, sizeof entry.short_name) == 0) {
            return true;
        }
    }
    return false;
}

/* The short name that goes with a name: itself, or LETTER~1.EXT and so on. False if all are there.
 */
static bool make_short(struct board_fat_writer *writer, const char *name, uint8_t short_name[11])
{
    enum { TAIL = 4, NUMBERS = 1000 };
    const size_t dot = dot_of(name);
    memset(short_name, ' ', 11);
    (void)put_short(short_name + 8, 3, name + dot, strlen(name) - dot);
    if (fits_short(name)) {
        (void)put_short(short_name, 8, name, dot);
        return true;
    }
    const size_t letters = put_short(short_name, 8 - TAIL, name, dot);
    for (uint32_t number = 1; number < NUMBERS; number++) {
        size_t at = letters;
        memset(short_name + letters, ' ', 8 - letters);
        short_name[at++] = '~';
        for (uint32_t unit = number >= 100 ? 100 : number >= 10 ? 10 : 1; unit > 0; unit /= 10) {
            short_name[at++] = (uint8_t)('0' + number / unit % 10);
        }
        if (!has_short(writer, short_name)) {
            return true;
        }
    }
    return false;
}

static uint32_t long_rows(const char *name)
{
    return fits_short(name)
               ? 0
               : (uint32_t)((strlen(name) + BOARD_FAT_LONG_LETTERS - 1) / BOARD_FAT_LONG_LETTERS);
}

/* The rows of a long name, its last part first. */
static void put_long(uint8_t *rows, const char *name, const uint8_t *short_name)
{
    const size_t size = strlen(name);
    const uint32_t count = long_rows(name);
    uint8_t sum = 0;
    for (size_t i = 0; i < 11; i++) {
        sum = (uint8_t)((sum >> 1 | sum << 7) + short_name[i]);
    }
    for (uint32_t part = count; part > 0; part--) {
        uint8_t *row = rows + (size_t)(count - part) * BOARD_FAT_ROW;
        memset(row, 0, BOARD_FAT_ROW);
        row[0] = (uint8_t)(part | (part == count ? BOARD_FAT_LONG_LAST : 0));
        row[11] = BOARD_FAT_LONG_NAME;
        row[13] = sum;
        for (size_t i = 0; i < BOARD_FAT_LONG_LETTERS; i++) {
            const size_t at = (size_t)(part - 1) * BOARD_FAT_LONG_LETTERS + i;
            put16(row + board_fat_long_places[i], at < size    ? (uint8_t)name[at]
                                                  : at == size ? 0u
                                                               : 0xFFFFu);
        }
    }
}

/* ---- storing ---- */

/* A file that is being stored. */
struct storing {
    const char *name;
    uint8_t attributes;
    const uint8_t *bytes; /* NULL: they stand in their clusters already */
    uint32_t size;
    uint32_t first; /* cluster; 0: none */
    uint32_t count;
    bool is_there; /* a file of that name */
    struct board_fat_entry entry;
    struct room room; /* for its rows, if none is there */
    uint8_t short_name[11];
};

/* Finds the row that the file has or is to have. */
static enum board_fat_result find_row(struct board_fat_writer *writer, struct storing *storing)
{
    storing->is_there = find_entry(writer, storing->name, &storing->entry);
    if (storing->is_there) {
        return storing->entry.folder || storing->entry.read_only ? BOARD_FAT_PROTECTED
                                                                 : BOARD_FAT_STORED;
    }
    const enum board_fat_result result =
        find_room(writer, long_rows(storing->name) + 1, &storing->room);
    return result == BOARD_FAT_STORED && !make_short(writer, storing->name, storing->short_name)
               ? BOARD_FAT_BAD_NAME
               : result;
}

static bool write_content(struct board_fat_writer *writer, const struct storing *storing)
{
    for (uint32_t at = 0; at < storing->size; at += BOARD_FAT_BLOCK) {
        uint8_t block[BOARD_FAT_BLOCK] = {0};
        const uint32_t left = storing->size - at;
        memcpy(block, storing->bytes + at, left < BOARD_FAT_BLOCK ? left : BOARD_FAT_BLOCK);
        if (!write_block(writer,
                         board_fat_block_in(writer->fat, storing->first, at / BOARD_FAT_BLOCK),
                         block)) {
            return false;
        }
    }
    return true;
}

static void put_content(const struct board_fat *fat, uint8_t *row, const struct storing *storing)
{
    put16(row + 26, storing->first);
    if (fat->bits == 32) {
        put16(row + 20, storing->first >> 16);
    }
    put32(row + 28, storing->size);
}

/* The one write that makes the new content the file's. */
static bool write_row(struct board_fat_writer *writer, const struct storing *storing)
{
    enum { FIRST_DAY = 0x0021 /* 1980-01-01: the board has no clock */ };
    const uint32_t before = storing->is_there ? 0 : long_rows(storing->name);
    const uint32_t block = storing->is_there ? storing->entry.place : storing->room.block;
    const uint32_t number = storing->is_there ? storing->entry.row : storing->room.row + before;
    if (!read_block(writer, block, writer->fresh)) {
        return false;
    }
    uint8_t *row = writer->fresh + (size_t)number * BOARD_FAT_ROW;
    if (!storing->is_there) {
        put_long(row - (size_t)before * BOARD_FAT_ROW, storing->name, storing->short_name);
        memset(row, 0, BOARD_FAT_ROW);
        memcpy(row, storing->short_name, sizeof storing->short_name);
        row[11] = storing->attributes;
        put16(row + 16, FIRST_DAY);
        put16(row + 18, FIRST_DAY);
        put16(row + 24, FIRST_DAY);
    }
    /* Behind the end may lie what never was a row. */
    if (!storing->is_there && storing->room.at_end && number + 1 < BOARD_FAT_ROWS) {
        memset(row + BOARD_FAT_ROW, 0, (BOARD_FAT_ROWS - number - 1) * (size_t)BOARD_FAT_ROW);
    }
    row[11] |= BOARD_FAT_ARCHIVE;
    put_content(writer->fat, row, storing);
    return write_safely(writer, block);
}

/* The journal is there; the file's name, row and clusters are known. */
static bool store(struct board_fat_writer *writer, const struct storing *storing)
{
    struct board_fat_record *record = &writer->record;
    const uint32_t old = storing->is_there ? storing->entry.cluster : 0;
    if (storing->bytes != NULL && !write_content(writer, storing)) {
        return false;
    }
    if (storing->first != 0) {
        record->new_first = storing->first;
        record->new_count = storing->count;
        record->new_guard = storing->bytes != NULL
                                ? sum_at(writer, board_fat_block_in(writer->fat, storing->first, 0))
                                : 0;
    }
    if (board_fat_is_cluster(writer->fat, old)) {
        record->old_first = old;
        record->old_guard = sum_at(writer, board_fat_block_in(writer->fat, old, 0));
    }
    return (storing->first == 0 || set_run(writer, storing->first, storing->count, true)) &&
           write_row(writer, storing) && free_chain(writer) && close_record(writer);
}

/* ---- the journal's own file ---- */

static uint32_t cluster_of(const struct board_fat *fat, uint32_t block)
{
    return (block - fat->data) / fat->cluster_blocks + 2;
}

static bool is_run(struct board_fat_writer *writer, uint32_t first, uint32_t count, bool taken)
{
    bool is = true;
    for (uint32_t i = 0; i < count; i++) {
        is = is && (board_fat_value(writer->fat, first + i) != 0) == taken;
    }
    return is;
}

static bool owns_journal(struct board_fat_writer *writer)
{
    struct board_fat_entry entry;
    return writer->journal != 0 && find_entry(writer, journal_name, &entry) &&
           entry.cluster == cluster_of(writer->fat, writer->journal) &&
           is_run(writer, entry.cluster, journal_clusters(writer->fat), true);
}

/* FAT32 counts its free clusters beside the table. What is not known cannot be wrong. */
static bool forget_count(struct board_fat_writer *writer)
{
    if (writer->fat->info == 0) {
        return true;
    }
    if (!read_block(writer, writer->fat->info, writer->fresh)) {
        return false;
    }
    if (board_fat_get32(writer->fresh) == info_magic) {
        put32(writer->fresh + UNKNOWN_COUNT_AT, UINT32_MAX);
        return write_safely(writer, writer->fat->info);
    }
    return true;
}

/* Its blocks are there before the table and the folder know of them, and so its own beginning is
 * kept safe by it. */
static enum board_fat_result create_journal(struct board_fat_writer *writer)
{
    const uint32_t count = journal_clusters(writer->fat);
    struct storing storing = {.name = journal_name,
                              .attributes = BOARD_FAT_HIDDEN | BOARD_FAT_SYSTEM,
                              .size = JOURNAL_BLOCKS * BOARD_FAT_BLOCK,
                              .count = count};
    for (uint32_t n = 0; n < PLACES && storing.first == 0; n++) {
        const uint32_t place = journal_place(writer->fat, n);
        storing.first = place != 0 && is_run(writer, place, count, false) ? place : 0;
    }
    if (storing.first == 0) {
        return BOARD_FAT_FULL;
    }
    writer->journal = board_fat_block_in(writer->fat, storing.first, 0);
    for (uint32_t i = 0; i < RECORDS; i++) {
        if (!close_record(writer)) {
            return BOARD_FAT_FAILED;
        }
    }
    const enum board_fat_result result = find_row(writer, &storing);
    return result != BOARD_FAT_STORED                        ? result
           : forget_count(writer) && store(writer, &storing) ? BOARD_FAT_STORED
                                                             : BOARD_FAT_FAILED;
}

enum board_fat_result board_fat_store(struct board_fat_writer *writer, const char *name,
                                      const void *bytes, size_t size)
{
    const struct board_fat *fat = writer->fat;
    const size_t cluster_bytes = (size_t)fat->cluster_blocks * BOARD_FAT_BLOCK;
    struct storing storing = {.name = name, .bytes = bytes, .size = (uint32_t)size};
    if (!is_name(name) || base_span_equal_nocase(base_span_of(name), base_span_of(journal_name))) {
        return BOARD_FAT_BAD_NAME;
    }
    if (fat->tables < 2) {
        return BOARD_FAT_UNSUITED;
    }
    if (size / BOARD_FAT_BLOCK >= RUN_BLOCKS - fat->cluster_blocks ||
        size / cluster_bytes >= fat->clusters) {
        return BOARD_FAT_FULL;
    }
    enum board_fat_result result = BOARD_FAT_STORED;
    if (!owns_journal(writer)) {
        result = create_journal(writer);
    }
    if (result == BOARD_FAT_STORED) {
        result = find_row(writer, &storing);
    }
    storing.count = (uint32_t)((size + cluster_bytes - 1) / cluster_bytes);
    storing.first = storing.count > 0 ? find_run(writer, storing.count) : 0;
    if (result == BOARD_FAT_STORED && storing.count > 0 && storing.first == 0) {
        result = BOARD_FAT_FULL;
    }
    if (result == BOARD_FAT_STORED && !(forget_count(writer) && store(writer, &storing))) {
        result = BOARD_FAT_FAILED;
    }
    return result;
}

/* ---- after the power has gone ---- */

static bool is_mixture(const uint8_t *bytes, const uint8_t *a, const uint8_t *b)
{
    bool is = true;
    for (size_t i = 0; i < BOARD_FAT_BLOCK; i++) {
        is = is && (bytes[i] == a[i] || bytes[i] == b[i]);
    }
    return is;
}

/* Whether bytes may be a block of a folder, or, at its place, FAT32's block about free clusters. */
static bool is_plausible(const struct board_fat *fat, uint32_t block, const uint8_t *bytes)
{
    bool is = true;
    if (block == fat->info && fat->info != 0) {
        return board_fat_get32(bytes) == info_magic;
    }
    for (size_t i = 0; i < BOARD_FAT_ROWS; i++) {
        is = is && (bytes[i * BOARD_FAT_ROW + 11] & 0xC0) == 0;
    }
    return is;
}

/* Writes writer->fresh where the block holds something else. */
static bool restore(struct board_fat_writer *writer, uint32_t block)
{
    const uint8_t *bytes = board_fat_block(writer->fat, block);
    return bytes != NULL && (memcmp(bytes, writer->fresh, BOARD_FAT_BLOCK) == 0 ||
                             write_block(writer, block, writer->fresh));
}

/* A block of the table that equals neither its old content nor its new one, but another copy of the
 * table, was changed by someone else. */
static bool mend_table(struct board_fat_writer *writer, const uint8_t *bytes)
{
    const struct board_fat *fat = writer->fat;
    const uint32_t number = (writer->record.target - fat->table) % fat->table_blocks;
    bool ours = is_mixture(bytes, writer->old, writer->fresh);
    for (uint32_t copy = 0; copy < fat->tables && !ours; copy++) {
        const uint32_t block = fat->table + copy * fat->table_blocks + number;
        const uint8_t *other = board_fat_block(writer->fat, block);
        if (other == NULL) {
            return false;
        }
        if (block != writer->record.target && memcmp(bytes, other, BOARD_FAT_BLOCK) == 0) {
            return true;
        }
    }
    for (uint32_t copy = fat->tables; copy-- > 0;) {
        if (!restore(writer, fat->table + copy * fat->table_blocks + number)) {
            return false;
        }
    }
    return true;
}

/* Brings the block that was written last to an end. */
static bool mend_target(struct board_fat_writer *writer)
{
    const struct board_fat *fat = writer->fat;
    const struct board_fat_record *record = &writer->record;
    uint8_t bytes[BOARD_FAT_BLOCK];
    if (record->target == 0) {
        return true;
    }
    if (!read_block(writer, writer->journal + OLD, writer->old) ||
        !read_block(writer, writer->journal + FRESH, writer->fresh) ||
        !read_block(writer, record->target, bytes)) {
        return false;
    }
    /* Contents that are not the record's are those of a write that had not begun. */
    if (sum_of(writer->old) != record->old_sum || sum_of(writer->fresh) != record->new_sum) {
        return true;
    }
    if (record->target >= fat->table &&
        record->target - fat->table < fat->tables * fat->table_blocks) {
        return mend_table(writer, bytes);
    }
    if (memcmp(bytes, writer->old, BOARD_FAT_BLOCK) != 0 &&
        (is_mixture(bytes, writer->old, writer->fresh) ||
         !is_plausible(fat, record->target, bytes))) {
        return restore(writer, record->target);
    }
    return true;
}

/* Whether clusters hold what was written to them. */
static bool is_guarded(struct board_fat_writer *writer, uint32_t cluster, uint32_t guard)
{
    return guard == 0 || sum_at(writer, board_fat_block_in(writer->fat, cluster, 0)) == guard;
}

static bool is_half_free(struct board_fat_writer *writer)
{
    const uint32_t number = first_block_of(writer->fat, writer->record.half);
    if (!read_table(writer, number)) {
        return false;
    }
    memcpy(writer->old, writer->fresh, BOARD_FAT_BLOCK);
    put_entry(writer->fat, writer->old, number, writer->record.half, 0);
    return memcmp(writer->old, writer->fresh, BOARD_FAT_BLOCK) == 0;
}

/* Gives back the clusters that belong to no file. */
static bool give_back(struct board_fat_writer *writer)
{
    struct board_fat_record *record = &writer->record;
    const bool is_new = record->new_first == 0 || is_used(writer, record->new_first);
    if (record->half != 0 && is_half_free(writer) && !free_half(writer)) {
        return false;
    }
    record->half = 0;
    if (!is_new && is_guarded(writer, record->new_first, record->new_guard) &&
        !set_run(writer, record->new_first, record->new_count, false)) {
        return false;
    }
    const bool frees = is_new && record->old_first != 0 && !is_used(writer, record->old_first) &&
                       is_guarded(writer, record->old_first, record->old_guard);
    return (!frees || free_chain(writer)) && close_record(writer);
}

/* Whether a record speaks of blocks and clusters that there are. */
static bool is_record(const struct board_fat *fat, const struct board_fat_record *record)
{
    const uint32_t end = fat->data + fat->clusters * fat->cluster_blocks;
    const bool target =
        record->target == 0 || (record->target > fat->begin && record->target < end);
    const bool fresh = record->new_first == 0 ||
                       (board_fat_is_cluster(fat, record->new_first) && record->new_count > 0 &&
                        record->new_count <= RUN_BLOCKS / fat->cluster_blocks &&
                        record->new_count <= fat->clusters + 2 - record->new_first);
    const bool old = record->old_first == 0 || board_fat_is_cluster(fat, record->old_first);
    const bool half = record->half == 0 || board_fat_is_cluster(fat, record->half);
    return target && fresh && old && half;
}

enum board_fat_result board_fat_write_begin(struct board_fat_writer *writer, struct board_fat *fat,
                                            int (*write)(void *user, uint32_t block,
                                                         const uint8_t *bytes))
{
    *writer = (struct board_fat_writer){.fat = fat, .write = write};
    find_journal(writer);
    const struct board_fat_record *record = &writer->record;
    const bool idle = record->target == 0 && record->new_first == 0 && record->old_first == 0 &&
                      record->half == 0;
    if (writer->journal == 0 || idle || fat->tables < 2) {
        return BOARD_FAT_STORED;
    }
    if (!is_record(fat, record)) {
        return BOARD_FAT_UNSUITED;
    }
    return mend_target(writer) && give_back(writer) ? BOARD_FAT_STORED : BOARD_FAT_FAILED;
}
