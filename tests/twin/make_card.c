/* A memory card for the twin: FAT32 with the files in its root folder.
 *   make_card OUT KIND FILE...
 * KIND: whole; short-names (P000.MIL, P001.MIL and so on, in the order in which they were given,
 * but pictures, which end with .png or .jpg, keep their names); loop (folder and first file never
 * end); beyond (the first file's clusters are behind the card's end, the second one's size is 4 GiB
 * less 1); short (the card ends behind the folder). */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 512,
    RESERVED = 32,
    TABLE_BLOCKS = 520,
    CLUSTERS = 66000,
    DATA = RESERVED + 2 * TABLE_BLOCKS,
    ROOT = 2, /* cluster */
    ROOT_CLUSTERS = 128,
    ROWS = ROOT_CLUSTERS * BLOCK / 32,
    FILE_MAX = 8 * 1024 * 1024,
};

struct card {
    uint8_t *bytes;
    uint32_t next; /* cluster that is free */
    uint32_t rows; /* of the root folder, taken */
    uint32_t files;
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

static uint8_t *cluster_at(const struct card *card, uint32_t cluster)
{
    return card->bytes + ((size_t)DATA + cluster - 2) * BLOCK;
}

static void chain(const struct card *card, uint32_t cluster, uint32_t next)
{
    put32(card->bytes + RESERVED * BLOCK + 4 * (size_t)cluster, next);
}

/* Takes so many clusters that lie side by side, and returns the first. */
static uint32_t take_clusters(struct card *card, uint32_t count)
{
    const uint32_t first = card->next;
    for (uint32_t i = 0; i < count; i++) {
        chain(card, first + i, i + 1 < count ? first + i + 1 : 0x0FFFFFFF);
    }
    card->next += count;
    return first;
}

static void begin(struct card *card)
{
    uint8_t *boot = card->bytes;
    put16(boot + 11, BLOCK);
    boot[13] = 1;
    put16(boot + 14, RESERVED);
    boot[16] = 2;
    put32(boot + 32, DATA + CLUSTERS);
    put32(boot + 36, TABLE_BLOCKS);
    put32(boot + 44, ROOT);
    put16(boot + 510, 0xAA55);
    card->next = ROOT;
    (void)take_clusters(card, ROOT_CLUSTERS);
}

static uint8_t *take_row(struct card *card)
{
    if (card->rows == ROWS) {
        (void)fputs("make_card: too many files\n", stderr);
        exit(1);
    }
    return cluster_at(card, ROOT) + 32 * (size_t)card->rows++;
}

/* The long name, its last part first. */
static void put_name(struct card *card, const char *name)
{
    static const uint8_t places[] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
    const size_t length = strlen(name);
    const size_t parts = length / sizeof places + 1;
    for (size_t part = parts; part > 0; part--) {
        uint8_t *row = take_row(card);
        row[0] = (uint8_t)(part | (part == parts ? 0x40 : 0));
        row[11] = 0x0F;
        for (size_t i = 0; i < sizeof places; i++) {
            const size_t at = (part - 1) * sizeof places + i;
            put16(row + places[i], at <= length ? (uint32_t)(uint8_t)name[at] : 0xFFFF);
        }
    }
}

static uint8_t *put_file(struct card *card, const char *path, bool named)
{
    static char data[FILE_MAX];
    const char *slash = strrchr(path, '/');
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    const size_t size = fread(data, 1, sizeof data, file);
    (void)fclose(file);
    const uint32_t clusters = (uint32_t)((size + BLOCK - 1) / BLOCK);
    if (card->next + clusters > CLUSTERS) {
        (void)fputs("make_card: too much\n", stderr);
        exit(1);
    }
    if (named) {
        put_name(card, slash != NULL ? slash + 1 : path);
    }
    uint8_t *row = take_row(card);
    (void)snprintf((char *)row, 12, "P%03u    MIL", (unsigned)(card->files++ % 1000));
    row[11] = 0x20;
    if (clusters > 0) {
        const uint32_t first = take_clusters(card, clusters);
        put16(row + 20, first >> 16);
        put16(row + 26, first);
        memcpy(cluster_at(card, first), data, size);
    }
    put32(row + 28, (uint32_t)size);
    return row;
}

static void damage(const struct card *card, const char *what, uint8_t *first, uint8_t *second)
{
    if (strcmp(what, "loop") == 0) {
        const uint32_t cluster = ROOT + ROOT_CLUSTERS;
        memset(cluster_at(card, ROOT) + 32 * (size_t)card->rows, 0xE5, 32 * (ROWS - card->rows));
        chain(card, ROOT + ROOT_CLUSTERS - 1, ROOT);
        chain(card, cluster, cluster);
        put32(first + 28, 1000000);
    } else if (strcmp(what, "beyond") == 0) {
        put16(first + 20, 0x0FFF);
        put32(second + 28, UINT32_MAX);
    }
}

/* What lies behind the last file is a hole. */
static int save(const struct card *card, const char *path, int ends_early)
{
    const size_t used = ((size_t)DATA + card->next - 2) * BLOCK;
    const size_t written = ends_early ? ((size_t)DATA + ROOT_CLUSTERS) * BLOCK : used;
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(card->bytes, 1, written, file) != written ||
        (!ends_early && (fseek(file, ((long)DATA + CLUSTERS) * BLOCK - 1, SEEK_SET) != 0 ||
                         fputc(0, file) != 0)) ||
        fclose(file) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct card card = {.bytes = calloc((size_t)DATA + CLUSTERS, BLOCK)};
    uint8_t *rows[2] = {NULL, NULL};
    if (argc < 3 || card.bytes == NULL) {
        (void)fputs("make_card OUT whole|short-names|loop|beyond|short FILE...\n", stderr);
        return 2;
    }
    begin(&card);
    for (int i = 3; i < argc; i++) {
        const char *ending = strrchr(argv[i], '.');
        const bool picture =
            ending != NULL && (strcmp(ending, ".png") == 0 || strcmp(ending, ".jpg") == 0);
        const bool named = picture || strcmp(argv[2], "short-names") != 0;
        uint8_t *row = put_file(&card, argv[i], named);
        if (i < 5) {
            rows[i - 3] = row;
        }
    }
    if (rows[1] != NULL) {
        damage(&card, argv[2], rows[0], rows[1]);
    }
    const int result = save(&card, argv[1], strcmp(argv[2], "short") == 0);
    free(card.bytes);
    return result;
}
