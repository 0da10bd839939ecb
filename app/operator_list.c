/* The list of presets that the operator searches. */
#include "app/operator_state.h"

void app_operator_search(struct app_operator *view)
{
    struct app_operator_list *list = &view->list;
    const struct app_library_state state = app_library_state(view->setup.library);
    if (!list->stale && state.revision == list->revision) {
        return;
    }
    const size_t fits =
        app_library_search(view->setup.library, list->query, list->found, APP_FOUND_MAX);
    list->count = fits < APP_FOUND_MAX ? fits : APP_FOUND_MAX;
    list->revision = state.revision;
    if (list->stale || list->selected >= list->count) {
        list->selected = 0;
    }
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
