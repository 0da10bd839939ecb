/* The list of presets that the operator searches. */
#include "app/operator_state.h"

/* Where it stands in the list; behind the end if it does not. */
static size_t place_of(const struct app_operator_list *list, uint32_t number)
{
    size_t at = 0;
    while (at < list->count && list->found[at] != number) {
        at++;
    }
    return at;
}

/* What is selected stays so while presets come and go. A new search begins at its first, and one
 * for nothing at the preset that runs. */
static void select_in(struct app_operator *view, uint32_t former)
{
    struct app_operator_list *list = &view->list;
    const bool kept = former != APP_LIBRARY_NONE;
    size_t at = list->count;
    if (kept || (list->query[0] == '\0' && view->now->path[0] != '\0')) {
        at = place_of(list, kept ? former : view->now->number);
    }
    if (at < list->count) {
        list->selected = at;
    } else if (!kept || list->selected >= list->count) {
        list->selected = 0;
    }
}

void app_operator_search(struct app_operator *view)
{
    struct app_operator_list *list = &view->list;
    const struct app_library_state state = app_library_state(view->setup.library);
    if (!list->stale && state.revision == list->revision) {
        return;
    }
    const bool kept = !list->stale && list->selected < list->count;
    const uint32_t former = kept ? list->found[list->selected] : APP_LIBRARY_NONE;
    const size_t fits =
        app_library_search(view->setup.library, list->query, list->found, APP_FOUND_MAX);
    list->count = fits < APP_FOUND_MAX ? fits : APP_FOUND_MAX;
    list->revision = state.revision;
    select_in(view, former);
    list->stale = false;
}

void app_operator_play_selected(struct app_operator *view, bool hard)
{
    app_operator_search(view);
    if (view->list.selected < view->list.count) {
        app_loader_choose(view->setup.loader, view->list.found[view->list.selected],
                          hard ? APP_CHANGE_HARD : APP_CHANGE_SOFT);
    }
}
