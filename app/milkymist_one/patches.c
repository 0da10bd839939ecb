#include "app/milkymist_one/patches.h"

#include <stdlib.h>
#include <string.h>

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

static bool has(const char *name, const char *text)
{
    while (*name != '\0' && !begins(name, text)) {
        name++;
    }
    return *name != '\0';
}

static bool is_patch(const struct base_fat_entry *entry)
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

static void list_files(struct board_patches *patches)
{
    struct base_fat_folder folder;
    struct base_fat_entry entry;
    base_fat_begin(&patches->fat, &folder, BASE_FAT_ROOT);
    while (!patches->more && base_fat_next(&folder, &entry)) {
        if (!is_patch(&entry)) {
            continue;
        }
        patches->more = patches->file_count == BOARD_PATCHES_FILES;
        if (!patches->more) {
            patches->files[patches->file_count++] = entry;
        }
    }
}

void board_patches_begin(struct board_patches *patches)
{
    patches->has_common = rend_board_common_init(&patches->common);
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
    const bool any = base_fat_open(&patches->fat, board_card_read, &patches->card) == 0;
    if (any) {
        list_files(patches);
    }
    patches->found = !patches->card.there ? BOARD_PATCHES_UNREADABLE
                     : any                ? BOARD_PATCHES_LISTED
                                          : BOARD_PATCHES_NO_FILE_SYSTEM;
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

static struct rend_board_loaded *compile(const struct board_patches *patches, const char *name,
                                         const char *text, size_t size, uint32_t fps,
                                         const struct base_diag_sink *sink)
{
    struct preset preset;
    if (preset_read(&preset, name, text, size, sink) != 0) {
        return NULL;
    }
    struct rend_board_loaded *loaded = rend_board_patch_schedule(
        patches->has_common ? &patches->common : NULL, &preset,
        patches->schedules ? patches->scheduler : PFPU_BOARD_QUICK, fps, 0, sink);
    preset_free(&preset);
    return loaded;
}

static struct rend_board_loaded *load_file(struct board_patches *patches,
                                           const struct base_fat_entry *file, uint32_t fps,
                                           const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = file->name};
    struct rend_board_loaded *loaded = NULL;
    if (file->size > PRESET_FILE_MAX) {
        base_report(sink, BASE_ERROR, place, NULL, "%u bytes are too many; a patch has at most %u",
                    (unsigned)file->size, (unsigned)PRESET_FILE_MAX);
        return NULL;
    }
    char *text = malloc(file->size);
    if (text == NULL || base_fat_load(&patches->fat, file, text, file->size) != 0) {
        base_report(sink, BASE_ERROR, place, NULL, "cannot be read from the memory card");
    } else {
        loaded = compile(patches, file->name, text, file->size, fps, sink);
    }
    free(text);
    return loaded;
}

struct rend_board_loaded *board_patches_load(struct board_patches *patches, int32_t number,
                                             uint32_t fps, const struct base_diag_sink *sink)
{
    const size_t row = (size_t)number;
    if (row >= board_patch_texts_count) {
        return load_file(patches, &patches->files[row - board_patch_texts_count], fps, sink);
    }
    const struct board_patch_text *text = &board_patch_texts[row];
    return compile(patches, text->name, text->text, strlen(text->text), fps, sink);
}

int32_t board_patches_find(const struct board_patches *patches, const char *text)
{
    const int32_t count = board_patches_count(patches);
    for (int32_t i = 0; i < count; i++) {
        if (has(board_patches_name(patches, i), text)) {
            return i;
        }
    }
    return -1;
}
