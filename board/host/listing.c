#include "board/host/listing.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "presets/presets.h"

const struct pfpu_target *board_target(const char *name)
{
    static const struct pfpu_target *const targets[] = {&pfpu_target_milkymist_one,
                                                        &pfpu_target_thesis};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i]->name, name) == 0) {
            return targets[i];
        }
    }
    return NULL;
}

enum pfpu_board_scheduler board_scheduler(const char *name)
{
    for (int i = 0; name != NULL && i < PFPU_BOARD_SCHEDULERS; i++) {
        if (strcmp(pfpu_board_scheduler_names[i], name) == 0) {
            return (enum pfpu_board_scheduler)i;
        }
    }
    return PFPU_BOARD_GREEDY;
}

static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* False without memory. */
static bool name_links(struct board_listing *patch)
{
    static const char *const kinds[] = {
        [PFPU_LINK_FRAME] = "link", [PFPU_LINK_CPU] = "cpu", [PFPU_LINK_CARRIED] = "carried"};
    const struct pfpu_board *board = patch->board;
    patch->link_names =
        base_arena_array(&patch->arena, board->link_count, sizeof *patch->link_names);
    for (size_t i = 0; patch->link_names != NULL && i < board->link_count; i++) {
        (void)snprintf(patch->link_names[i], sizeof patch->link_names[i], "%s%d",
                       kinds[board->links[i].kind], (int)i);
    }
    return patch->link_names != NULL;
}

int board_listing_load(struct board_listing *patch, const char *path,
                       const struct pfpu_target *target, enum pfpu_board_scheduler scheduler,
                       const struct pfpu_dumper *dumper, const struct base_diag_sink *sink)
{
    *patch = (struct board_listing){0};
    if (preset_read_file(&patch->preset, path, sink) != 0) {
        return -1;
    }
    const double start = processor_seconds();
    enum pfpu_status status =
        board_compile_in(&patch->preset, target, scheduler, NULL, board_scope(NULL, &patch->arena),
                         dumper, &patch->arena, sink, &patch->board);
    patch->seconds = processor_seconds() - start;
    if (patch->board != NULL && !name_links(patch)) {
        patch->board = NULL;
        status = PFPU_NO_MEMORY;
    }
    if (status == PFPU_NO_MEMORY) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "not enough memory to compile the preset");
    }
    return 0;
}

void board_listing_free(struct board_listing *patch)
{
    base_arena_free(&patch->arena);
    preset_free(&patch->preset);
}

static const char *key_name(const void *user, int32_t key)
{
    const struct board_listing *patch = user;
    if (key >= patch->board->first_link) {
        return patch->link_names[key - patch->board->first_link];
    }
    if (pfpu_key_is_register(key)) {
        return key == PFPU_KEY_COLUMN ? "column" : "row";
    }
    return pfpu_scope_name(patch->board->frame_scope, (size_t)(key - PFPU_REGISTERS_GLOBAL));
}

struct pfpu_key_names board_listing_key_names(const struct board_listing *patch)
{
    return (struct pfpu_key_names){key_name, patch};
}
