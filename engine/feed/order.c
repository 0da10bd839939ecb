#include "engine/feed/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/loading.h"
#include "presets/library/find.h"

static void free_item(struct engine_item *item)
{
    free(item->path);
    free(item->text);
}

static void cut_to(struct engine_order *order, size_t count)
{
    while (order->count > count) {
        free_item(&order->items[--order->count]);
    }
}

void engine_order_free(struct engine_order *order)
{
    const struct base_rng rng = order->rng;
    const bool random = order->random;
    cut_to(order, 0);
    free(order->items);
    *order = (struct engine_order){.rng = rng, .random = random};
}

/* Takes path and text over, also where it fails. */
static int put(struct engine_order *order, struct engine_item item)
{
    if (order->count == order->capacity && order->count < ENGINE_ORDER_MAX) {
        const size_t capacity = order->capacity > 0 ? 2 * order->capacity : 16;
        struct engine_item *items = realloc(order->items, capacity * sizeof *items);
        if (items != NULL) {
            order->items = items;
            order->capacity = capacity;
        }
    }
    if (item.path == NULL || strlen(item.path) >= ENGINE_PATH || order->count >= order->capacity ||
        order->count == ENGINE_ORDER_MAX) {
        free_item(&item);
        return -1;
    }
    order->items[order->count++] = item;
    return 0;
}

static int report_room(const struct base_diag_sink *sink, const char *path)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                "not enough memory, a path that is too long, or more than %d presets",
                ENGINE_ORDER_MAX);
    return -1;
}

/* Whatever stands at the path. */
static int add_found(struct engine_order *order, const char *path, const struct engine_item *like,
                     const struct base_diag_sink *sink)
{
    struct preset_list list = {0};
    if (preset_list_add(&list, path, sink) != 0) {
        return -1;
    }
    int result = 0;
    for (size_t i = 0; i < list.count && result == 0; i++) {
        struct engine_item item = *like;
        item.path = strdup(list.paths[i]);
        result = put(order, item) == 0 ? 0 : report_room(sink, path);
    }
    preset_list_free(&list);
    return result;
}

static int add_playlist(struct engine_order *order, const char *path,
                        const struct base_diag_sink *sink)
{
    struct preset_playlist list;
    if (engine_playlist_load(&list, path, sink) != 0) {
        return -1;
    }
    int result = 0;
    for (size_t i = 0; i < list.count && result == 0; i++) {
        const struct preset_playlist_item *item = &list.items[i];
        struct engine_item ours = {.path = strdup(item->path), .seconds = item->seconds};
        memcpy(ours.transition, item->transition, sizeof ours.transition);
        if (engine_playlist_holds(path, item, sink)) {
            result = put(order, ours) == 0 ? 0 : report_room(sink, path);
        } else {
            free_item(&ours);
            order->incomplete = true;
        }
    }
    preset_playlist_free(&list);
    return result;
}

long engine_order_add(struct engine_order *order, const char *path,
                      const struct base_diag_sink *sink)
{
    const struct engine_item usual = {.seconds = -1};
    const size_t before = order->count;
    const int result = preset_is_playlist(path) ? add_playlist(order, path, sink)
                                                : add_found(order, path, &usual, sink);
    if (result != 0) {
        cut_to(order, before);
        order->incomplete = true;
        return -1;
    }
    return (long)(order->count - before);
}

int engine_order_add_text(struct engine_order *order, const char *name, struct base_span text)
{
    struct engine_item item = {.path = strdup(name), .text = malloc(text.size + 1), .seconds = -1};
    if (item.text == NULL) {
        free_item(&item);
        return -1;
    }
    memcpy(item.text, text.data, text.size);
    item.text[text.size] = '\0';
    item.size = text.size;
    return put(order, item);
}

static size_t choose_by_chance(struct engine_order *order)
{
    struct preset_candidate *candidates = malloc(order->count * sizeof *candidates);
    uint64_t *room = malloc(order->count * sizeof *room);
    size_t chosen = base_rng_next(&order->rng) % order->count;
    if (candidates != NULL && room != NULL) {
        for (size_t i = 0; i < order->count; i++) {
            candidates[i] = (struct preset_candidate){(uint32_t)i, preset_choice_weight(0),
                                                      order->items[i].shown};
        }
        chosen = preset_choose(candidates, order->count, room, &order->rng);
    }
    free(candidates);
    free(room);
    return chosen;
}

const struct engine_item *engine_order_choose(struct engine_order *order, size_t item)
{
    if (item >= order->count) {
        return NULL;
    }
    order->next = item;
    order->begun = true;
    order->items[item].shown = ++order->turn;
    return &order->items[item];
}

const struct engine_item *engine_order_step(struct engine_order *order, int steps)
{
    const long long count = (long long)order->count;
    if (count == 0) {
        return NULL;
    }
    if (!order->random) {
        const long long from = order->begun ? (long long)order->next : steps > 0 ? -1 : 0;
        const long long to = ((from + steps) % count + count) % count;
        preset_history_add(&order->history, (uint32_t)to);
        return engine_order_choose(order, (size_t)to);
    }
    size_t item = order->next;
    for (; steps > 0; steps--) {
        if (!preset_history_move(&order->history, true)) {
            preset_history_add(&order->history, (uint32_t)choose_by_chance(order));
        }
        item = preset_history_current(&order->history);
        order->items[item].shown = ++order->turn;
    }
    for (; steps < 0 && preset_history_move(&order->history, false); steps++) {
        item = preset_history_current(&order->history);
    }
    return engine_order_choose(order, item);
}

static bool give(const struct engine_order *order, const struct engine_item *item,
                 struct engine_choice *choice)
{
    if (item == NULL) {
        return false;
    }
    *choice = (struct engine_choice){.number = (uint32_t)(item - order->items),
                                     .seconds = item->seconds,
                                     .text = {item->text, item->size}};
    memcpy(choice->transition, item->transition, sizeof choice->transition);
    (void)snprintf(choice->path, sizeof choice->path, "%s", item->path);
    return true;
}

static bool source_step(void *user, int steps, struct engine_choice *choice)
{
    struct engine_order *order = user;
    return give(order, engine_order_step(order, steps), choice);
}

static bool source_choose(void *user, uint32_t number, struct engine_choice *choice)
{
    struct engine_order *order = user;
    return give(order, engine_order_choose(order, number), choice);
}

static size_t source_count(void *user)
{
    return ((const struct engine_order *)user)->count;
}

struct engine_source engine_order_source(struct engine_order *order)
{
    return (struct engine_source){
        .user = order, .step = source_step, .choose = source_choose, .count = source_count};
}
