#include "app/remote/client.h"

#include <math.h>
#include <string.h>

/* ---- the show ---- */

bool app_remote_show_look(struct app_remote_show *show, double now)
{
    static const double seldom = 1; /* seconds between two looks at the library */
    (void)app_door_look(app_inlet_door(show->inlet), &show->seen);
    if (show->library == NULL || now - show->looked < seldom) {
        return false;
    }
    const struct app_library_state state = app_library_state(show->library);
    const bool changed = state.revision != show->revision || state.thumbnails != show->thumbnails;
    show->looked = now;
    show->revision = state.revision;
    show->thumbnails = state.thumbnails;
    return changed;
}

/* ---- what comes ---- */

void app_remote_client_begin(struct app_remote_client *client, double now)
{
    *client = (struct app_remote_client){.lines = APP_REMOTE_ONCE,
                                         .lines_at = now,
                                         .hello = true,
                                         .watches = true,
                                         .told_at = -INFINITY};
}

bool app_remote_client_ready(struct app_remote_client *client, double now)
{
    const double passed = fmax(now - client->lines_at, 0);
    client->lines = fmin(client->lines + passed * APP_REMOTE_RATE, APP_REMOTE_ONCE);
    client->lines_at = now;
    return client->lines >= 1;
}

/* Returns NULL, or why it does not wait. */
static const char *add_list(struct app_remote_client *client, const struct app_remote_ask *ask)
{
    if (client->count == APP_REMOTE_LISTS) {
        return "too many lists wait";
    }
    client->lists[(client->first + client->count) % APP_REMOTE_LISTS] = *ask;
    client->count++;
    return NULL;
}

static const char *obey(struct app_remote_client *client, struct app_remote_show *show,
                        const struct app_remote_line *line)
{
    switch (line->kind) {
    case APP_REMOTE_CALL:
        return app_inlet_call(show->inlet, &line->call) ? NULL : "the show is too busy for it";
    case APP_REMOTE_VALUE:
        (void)app_inlet_value(show->inlet, line->value, line->number);
        return NULL;
    case APP_REMOTE_LIST:
        return show->library != NULL ? add_list(client, &line->ask) : "there is no library";
    case APP_REMOTE_WHERE:
        if (show->library == NULL) {
            return "there is no library";
        }
        client->where = true;
        memcpy(client->search, line->ask.search, sizeof client->search);
        return NULL;
    case APP_REMOTE_VALUES:
        client->values = true;
        return NULL;
    default:
        client->watches = line->on;
        client->told.any = client->told.any && !line->on;
        client->told_at = line->on ? -INFINITY : client->told_at;
        return NULL;
    }
}

void app_remote_client_hear(struct app_remote_client *client, struct app_remote_show *show,
                            struct base_span line, double now)
{
    struct app_remote_line read;
    (void)app_remote_client_ready(client, now);
    client->lines = fmax(client->lines - 1, 0);
    const char *wrong = app_remote_read(&read, line);
    if (wrong == NULL && read.dated && now - read.seen > APP_REMOTE_LATE) {
        wrong = "it came too late";
    }
    if (wrong != NULL) {
        app_inlet_refuse(show->inlet);
    } else {
        wrong = obey(client, show, &read);
    }
    if (wrong != NULL) {
        client->note = wrong;
    }
}

/* ---- what is told ---- */

void app_remote_client_changed(struct app_remote_client *client)
{
    client->changed = true;
}

static bool state_waits(const struct app_remote_client *client, const struct app_remote_show *show,
                        double now)
{
    static const double apart = 1.0 / APP_REMOTE_STATES;
    static const double most = 1; /* so that it is known that there is still somebody */
    const double passed = now - client->told_at;
    return client->watches &&
           (passed >= most || (passed >= apart && show->seen.frame != client->frame));
}

bool app_remote_client_waits(const struct app_remote_client *client,
                             const struct app_remote_show *show, double now)
{
    return client->hello || client->values || client->where || client->changed ||
           client->note != NULL || client->count > 0 || state_waits(client, show, now);
}

static void tell_list(struct app_remote_client *client, const struct app_remote_show *show,
                      FILE *out)
{
    const struct app_remote_ask *ask = &client->lists[client->first];
    if (!app_remote_write_list(out, show->library, ask)) {
        app_remote_write_note(out, "there is not enough memory");
    }
    client->first = (client->first + 1) % APP_REMOTE_LISTS;
    client->count--;
}

void app_remote_client_tell(struct app_remote_client *client, const struct app_remote_show *show,
                            FILE *out, double now)
{
    if (client->hello) {
        client->hello = false;
        app_remote_write_hello(out, show->width, show->height);
    } else if (client->note != NULL) {
        app_remote_write_note(out, client->note);
        client->note = NULL;
    } else if (state_waits(client, show, now)) {
        client->frame = show->seen.frame;
        client->told_at = now;
        app_remote_write_state(out, &show->seen, &client->told, now);
    } else if (client->values) {
        client->values = false;
        app_remote_write_values(out);
    } else if (client->changed) {
        client->changed = false;
        app_remote_write_changed(out);
    } else if (client->where) {
        client->where = false;
        if (!app_remote_write_where(out, show->library, client->search, show->seen.preset)) {
            app_remote_write_note(out, "there is not enough memory");
        }
    } else if (client->count > 0) {
        tell_list(client, show, out);
    }
}
