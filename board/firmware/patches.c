#include "board/firmware/patches.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "board/firmware/cpu.h"
#include "board/picture/picture.h"
#include "presets/presets.h"

/* ---- names ---- */

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool begins(const char *name, const char *text)
{
    while (*text != '\0' && small(*name) == small(*text)) {
        name++;
        text++;
    }
    return *text == '\0';
}

static bool is_patch(const struct board_fat_entry *entry)
{
    static const char *const endings[] = {".milk", ".mil", ".fnp"};
    const size_t size = strlen(entry->name);
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t length = strlen(endings[i]);
        is = is || (size > length && begins(entry->name + size - length, endings[i]));
    }
    return is && !entry->folder && entry->size > 0;
}

void board_patches_begin(struct board_patches *patches)
{
    patches->has_common = board_common_init(&patches->common);
}

/* The names of what the card holds. */
static void list(struct board_patches *patches)
{
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    patches->file_count = 0;
    patches->more = false;
    board_fat_begin(&patches->fat, &folder, BOARD_FAT_ROOT);
    while (!patches->more && board_fat_next(&folder, &entry)) {
        if (!is_patch(&entry)) {
            continue;
        }
        patches->more = patches->file_count == BOARD_PATCHES_FILES;
        if (!patches->more) {
            patches->files[patches->file_count++] = entry;
        }
    }
}

void board_patches_look(struct board_patches *patches)
{
    patches->file_count = 0;
    patches->more = false;
    board_card_begin(&patches->card);
    if (!patches->card.there) {
        patches->found = BOARD_PATCHES_NO_CARD;
        return;
    }
    const bool any = board_fat_open(&patches->fat, board_card_read, &patches->card) == 0;
    if (any) {
        patches->mended = board_fat_write_begin(&patches->writer, &patches->fat, board_card_write);
        list(patches);
    }
    patches->found = !patches->card.there ? BOARD_PATCHES_UNREADABLE
                     : any                ? BOARD_PATCHES_LISTED
                                          : BOARD_PATCHES_NO_FILE_SYSTEM;
}

static void report(const struct base_diag_sink *sink, const char *file, const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, NULL, "%s", what);
}

/* The file of the root folder whose name is the same but for large and small letters. */
static bool find_file(struct board_patches *patches, const char *name,
                      struct board_fat_entry *entry)
{
    struct board_fat_folder folder;
    if (patches->found != BOARD_PATCHES_LISTED || !patches->card.there) {
        return false;
    }
    board_fat_begin(&patches->fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, entry)) {
        if (!entry->folder && begins(entry->name, name) && begins(name, entry->name)) {
            return true;
        }
    }
    return false;
}

bool board_patches_read(struct board_patches *patches, const char *name, size_t most, char **data,
                        size_t *size, const struct base_diag_sink *sink)
{
    struct board_fat_entry file;
    *data = NULL;
    if (!find_file(patches, name, &file)) {
        return true;
    }
    char *content = file.size <= most ? malloc(file.size + 1) : NULL;
    if (content == NULL || board_fat_load(&patches->fat, &file, content, file.size) != 0) {
        report(sink, name,
               file.size > most ? "it is too long" : "cannot be read from the memory card");
        free(content);
        return false;
    }
    content[file.size] = '\0';
    *data = content;
    *size = file.size;
    return true;
}

/* A card that did not take a block is looked at anew, which also brings to an end what was begun.
 */
bool board_patches_store(struct board_patches *patches, const char *name, const void *bytes,
                         size_t size, const struct base_diag_sink *sink)
{
    if (patches->found != BOARD_PATCHES_LISTED || !patches->card.there) {
        report(sink, name, "no memory card is there that files can be stored on");
        return false;
    }
    if (patches->mended != BOARD_FAT_STORED) {
        report(sink, name, board_fat_results[patches->mended]);
        return false;
    }
    const enum board_fat_result result = board_fat_store(&patches->writer, name, bytes, size);
    if (result == BOARD_FAT_FAILED) {
        patches->card.there = false;
    }
    if (result != BOARD_FAT_STORED) {
        report(sink, name, board_fat_results[result]);
        return false;
    }
    list(patches);
    return true;
}

int32_t board_patches_count(const struct board_patches *patches)
{
    return (int32_t)(board_patch_texts_count + patches->file_count);
}

const char *board_patches_name(const struct board_patches *patches, int32_t number)
{
    const size_t row = (size_t)number;
    return row < board_patch_texts_count ? board_patch_texts[row].name
                                         : patches->files[row - board_patch_texts_count].name;
}

const char *board_patches_text(const struct board_patches *patches, int32_t number)
{
    (void)patches;
    return (size_t)number < board_patch_texts_count ? board_patch_texts[number].text : NULL;
}

/* ---- pictures ---- */

static enum board_picture_outcome fetch(void *user, const char *name, uint8_t *pixels, size_t room,
                                        struct board_picture_extent *extent)
{
    struct board_patches *patches = user;
    struct board_fat_entry file;
    if (!find_file(patches, name, &file)) {
        return BOARD_PICTURE_NOT_THERE;
    }
    if (file.size > BOARD_PICTURE_FILE_MAX) {
        return BOARD_PICTURE_LONG;
    }
    enum board_picture_outcome outcome = BOARD_PICTURE_NO_MEMORY;
    uint8_t *data = malloc(file.size > 0 ? file.size : 1);
    if (data != NULL) {
        outcome = board_fat_load(&patches->fat, &file, data, file.size) == 0
                      ? board_picture_decode(data, file.size, pixels, room, extent)
                      : BOARD_PICTURE_UNREADABLE;
    }
    free(data);
    return outcome;
}

static void load_pictures(struct board_patches *patches, struct board_loaded *loaded,
                          const char *name, const struct base_diag_sink *sink)
{
    const struct board_picture_files files = {patches, fetch};
    patches->second = !patches->second;
    board_pictures_load(&loaded->patch, &files, patches->memory,
                        BOARD_FREE_AT + (patches->second ? BOARD_PICTURES_BYTES : 0), name, sink);
    /* The texture mapper reads past the caches. */
    board_memory_cache_flush();
}

/* ---- patches ---- */

struct board_loaded *board_patches_compile(struct board_patches *patches, const char *name,
                                           const char *text, size_t size, uint32_t fps,
                                           const struct base_diag_sink *sink)
{
    struct preset preset;
    if (preset_read(&preset, name, text, size, sink) != 0) {
        return NULL;
    }
    struct board_loaded *loaded = board_patch_schedule(
        patches->has_common ? &patches->common : NULL, &preset,
        patches->schedules ? patches->scheduler : PFPU_BOARD_QUICK, fps, 0, sink);
    preset_free(&preset);
    if (loaded != NULL) {
        load_pictures(patches, loaded, name, sink);
    }
    return loaded;
}

struct board_loaded *board_patches_load(struct board_patches *patches, int32_t number, uint32_t fps,
                                        const struct base_diag_sink *sink)
{
    const size_t row = (size_t)number;
    if (row >= board_patch_texts_count) {
        const struct board_fat_entry *file = &patches->files[row - board_patch_texts_count];
        const struct base_place place = {.file = file->name};
        struct board_loaded *loaded = NULL;
        if (file->size > PRESET_FILE_MAX) {
            base_report(sink, BASE_ERROR, place, NULL,
                        "%u bytes are too many; a patch has at most %u", (unsigned)file->size,
                        (unsigned)PRESET_FILE_MAX);
            return NULL;
        }
        char *content = malloc(file->size);
        if (content == NULL || board_fat_load(&patches->fat, file, content, file->size) != 0) {
            base_report(sink, BASE_ERROR, place, NULL, "cannot be read from the memory card");
        } else {
            loaded = board_patches_compile(patches, file->name, content, file->size, fps, sink);
        }
        free(content);
        return loaded;
    }
    const struct board_patch_text *text = &board_patch_texts[row];
    return board_patches_compile(patches, text->name, text->text, strlen(text->text), fps, sink);
}

int32_t board_patches_find(const struct board_patches *patches, const char *text)
{
    const int32_t count = board_patches_count(patches);
    for (int32_t i = 0; i < count; i++) {
        const char *name = board_patches_name(patches, i);
        while (*name != '\0' && !begins(name, text)) {
            name++;
        }
        if (*name != '\0') {
            return i;
        }
    }
    return -1;
}
