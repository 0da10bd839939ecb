#include "app/titles/players.h"

#include <stdlib.h>
#include <string.h>

#ifdef FROTH_DBUS
#include <stdio.h>
#include <sys/stat.h>

#include "base/os/thread.h"
#include "late/dbus.h"
#endif

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool app_players_path_of(const char *address, char *path, size_t size)
{
    static const char scheme[] = "file://";
    static const char here[] = "localhost";
    if (strncmp(address, scheme, sizeof scheme - 1) != 0) {
        return false;
    }
    const char *from = address + sizeof scheme - 1;
    from += strncmp(from, here, sizeof here - 1) == 0 ? sizeof here - 1 : 0;
    size_t count = 0;
    if (*from != '/') {
        return false;
    }
    for (; *from != '\0'; from++) {
        char c = *from;
        if (c == '%') {
            const int high = digit_of(from[1]);
            const int low = high >= 0 ? digit_of(from[2]) : -1;
            if (low < 0 || (high == 0 && low == 0)) {
                return false;
            }
            c = (char)(high << 4 | low);
            from += 2;
        }
        if (count + 1 >= size) {
            return false;
        }
        path[count++] = c;
    }
    path[count] = '\0';
    return true;
}

#ifdef FROTH_DBUS

static const struct base_place NOWHERE = {0};

#define MPRIS      "org.mpris.MediaPlayer2"
#define MPRIS_PATH "/org/mpris/MediaPlayer2"
#define PROPERTIES "org.freedesktop.DBus.Properties"

enum { PLAYERS_MAX = 16, NAME_SIZE = 256, ANSWER_MS = 500 };

static const double retry_seconds = 5;
static const double pause_seconds = 0.2; /* between two questions, however much is told */
static const double deaf_seconds = 30;   /* for which one that did not answer is not asked */

struct player {
    char name[NAME_SIZE]; /* on the bus */
    bool playing;
    double since; /* clock at which it began to play */
    double deaf;  /* clock up to which it is not asked */
};

struct app_players {
    struct base_diag_sink sink;
    const atomic_bool *stop;
    DBusConnection *bus; /* NULL: there is none */
    bool told;           /* that there is none */
    bool news;           /* a player said that something has changed */
    double retry;        /* clock at which the bus is tried again */
    double asked;        /* clock of the last questions */
    struct player players[PLAYERS_MAX];
    size_t count;
    struct app_track track;
};

struct app_players *app_players_open(const atomic_bool *stop, const struct base_diag_sink *sink)
{
    struct app_players *players = calloc(1, sizeof *players);
    if (players == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return NULL;
    }
    players->sink = *sink;
    players->stop = stop;
    return players;
}

static void leave(struct app_players *players)
{
    if (players->bus != NULL) {
        dbus_connection_close(players->bus);
        dbus_connection_unref(players->bus);
        players->bus = NULL;
    }
}

void app_players_close(struct app_players *players)
{
    if (players != NULL) {
        leave(players);
        free(players);
    }
}

/* ---- the bus ---- */

static DBusHandlerResult hear(DBusConnection *bus, DBusMessage *message, void *user)
{
    struct app_players *players = user;
    (void)bus;
    players->news = players->news || dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_SIGNAL;
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

/* The library would start a bus of its own where none is named; the session's usual socket is
 * looked for in its place. */
static DBusConnection *connect_to_bus(DBusError *error)
{
    char address[APP_TRACK_PATH];
    struct stat status;
    if (getenv("DBUS_SESSION_BUS_ADDRESS") != NULL) {
        return dbus_bus_get_private(DBUS_BUS_SESSION, error);
    }
    static const char kind[] = "unix:path=";
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (folder == NULL ||
        snprintf(address, sizeof address, "%s%s/bus", kind, folder) >= (int)sizeof address ||
        stat(address + sizeof kind - 1, &status) != 0) {
        dbus_set_error(error, DBUS_ERROR_NO_SERVER, "there is no session");
        return NULL;
    }
    DBusConnection *bus = dbus_connection_open_private(address, error);
    if (bus != NULL && !dbus_bus_register(bus, error)) {
        dbus_connection_close(bus);
        dbus_connection_unref(bus);
        bus = NULL;
    }
    return bus;
}

static bool join(struct app_players *players)
{
    static const char *const matches[] = {"type='signal',interface='" PROPERTIES
                                          "',member='PropertiesChanged',path='" MPRIS_PATH "'",
                                          "type='signal',sender='org.freedesktop.DBus',member='"
                                          "NameOwnerChanged',arg0namespace='" MPRIS "'"};
    const char *lacks = base_late_load(&late_dbus);
    if (lacks != NULL) {
        if (!players->told) {
            base_report(&players->sink, BASE_WARNING, NOWHERE, NULL, "no titles: %s", lacks);
        }
        players->told = true;
        return false;
    }
    DBusError error;
    dbus_error_init(&error);
    players->bus = connect_to_bus(&error);
    if (players->bus != NULL) {
        dbus_connection_set_exit_on_disconnect(players->bus, FALSE);
        for (size_t i = 0; i < sizeof matches / sizeof *matches; i++) {
            dbus_bus_add_match(players->bus, matches[i], NULL);
        }
        if (!dbus_connection_add_filter(players->bus, hear, players, NULL)) {
            dbus_set_error(&error, DBUS_ERROR_NO_MEMORY, "not enough memory");
            leave(players);
        }
    }
    if (players->bus == NULL && !players->told) {
        players->told = true;
        base_report(&players->sink, BASE_WARNING, NOWHERE, "it is tried again",
                    "no titles: the desktop's message bus cannot be reached: %s", error.message);
    }
    if (players->bus != NULL) {
        players->told = false;
        players->news = true;
    }
    dbus_error_free(&error);
    return players->bus != NULL;
}

/* The answer to a question, or NULL. */
static DBusMessage *ask(struct app_players *players, DBusMessage *question)
{
    DBusMessage *answer =
        dbus_connection_send_with_reply_and_block(players->bus, question, ANSWER_MS, NULL);
    dbus_message_unref(question);
    return answer;
}

/* ---- what a player tells ---- */

/* The value of a key in a map from texts to variants; false: it has none. */
static bool find(DBusMessageIter map, const char *key, DBusMessageIter *value)
{
    if (dbus_message_iter_get_arg_type(&map) != DBUS_TYPE_ARRAY ||
        dbus_message_iter_get_element_type(&map) != DBUS_TYPE_DICT_ENTRY) {
        return false;
    }
    DBusMessageIter rows;
    for (dbus_message_iter_recurse(&map, &rows);
         dbus_message_iter_get_arg_type(&rows) == DBUS_TYPE_DICT_ENTRY;
         (void)dbus_message_iter_next(&rows)) {
        DBusMessageIter row;
        const char *name;
        dbus_message_iter_recurse(&rows, &row);
        if (dbus_message_iter_get_arg_type(&row) != DBUS_TYPE_STRING) {
            return false;
        }
        dbus_message_iter_get_basic(&row, &name);
        (void)dbus_message_iter_next(&row);
        if (strcmp(name, key) == 0 && dbus_message_iter_get_arg_type(&row) == DBUS_TYPE_VARIANT) {
            dbus_message_iter_recurse(&row, value);
            return true;
        }
    }
    return false;
}

/* Appends a text of the bus, which is whole UTF-8, as one line and in whole characters. */
static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    const size_t begun = used;
    for (; *more != '\0' && used + 1 < size; more++) {
        const unsigned char c = (unsigned char)*more;
        text[used++] = c < ' ' ? ' ' : *more;
    }
    if (*more != '\0') {
        while (used > begun && ((unsigned char)*more & 0xC0) == 0x80) {
            more--;
            used--;
        }
    }
    text[used] = '\0';
}

static bool text_of(DBusMessageIter map, const char *key, char *text, size_t size)
{
    DBusMessageIter value;
    const char *said;
    if (!find(map, key, &value) || dbus_message_iter_get_arg_type(&value) != DBUS_TYPE_STRING) {
        return false;
    }
    dbus_message_iter_get_basic(&value, &said);
    append(text, size, said);
    return true;
}

/* Several texts, with commas between them. */
static void texts_of(DBusMessageIter map, const char *key, char *text, size_t size)
{
    DBusMessageIter value;
    DBusMessageIter items;
    if (text_of(map, key, text, size) || !find(map, key, &value) ||
        dbus_message_iter_get_arg_type(&value) != DBUS_TYPE_ARRAY) {
        return;
    }
    for (dbus_message_iter_recurse(&value, &items);
         dbus_message_iter_get_arg_type(&items) == DBUS_TYPE_STRING;
         (void)dbus_message_iter_next(&items)) {
        const char *said;
        dbus_message_iter_get_basic(&items, &said);
        append(text, size, text[0] != '\0' && said[0] != '\0' ? ", " : "");
        append(text, size, said);
    }
}

static void read_track(DBusMessageIter properties, struct app_track *track)
{
    DBusMessageIter metadata;
    char address[APP_TRACK_PATH] = "";
    *track = (struct app_track){.title = ""};
    if (!find(properties, "Metadata", &metadata)) {
        return;
    }
    (void)text_of(metadata, "xesam:title", track->title, sizeof track->title);
    texts_of(metadata, "xesam:artist", track->artist, sizeof track->artist);
    if (track->artist[0] == '\0') {
        (void)text_of(metadata, "xesam:album", track->artist, sizeof track->artist);
    }
    if (!text_of(metadata, "mpris:artUrl", address, sizeof address) ||
        !app_players_path_of(address, track->cover, sizeof track->cover)) {
        track->cover[0] = '\0';
    }
}

/* Asks one player. False if it does not answer. */
static bool ask_player(struct app_players *players, struct player *player, struct app_track *track)
{
    static const char *const interface = MPRIS ".Player";
    DBusMessage *question =
        dbus_message_new_method_call(player->name, MPRIS_PATH, PROPERTIES, "GetAll");
    if (question == NULL) {
        return false;
    }
    dbus_message_set_auto_start(question, FALSE);
    (void)dbus_message_append_args(question, DBUS_TYPE_STRING, &interface, DBUS_TYPE_INVALID);
    DBusMessage *answer = ask(players, question);
    DBusMessageIter properties;
    char status[16] = "";
    if (answer == NULL || !dbus_message_iter_init(answer, &properties)) {
        if (answer != NULL) {
            dbus_message_unref(answer);
        }
        return false;
    }
    (void)text_of(properties, "PlaybackStatus", status, sizeof status);
    read_track(properties, track);
    const bool playing = strcmp(status, "Playing") == 0;
    if (playing && !player->playing) {
        player->since = base_clock_seconds();
    }
    player->playing = playing;
    dbus_message_unref(answer);
    return true;
}

/* Which players there are; those known before keep what is known of them. */
static void list_players(struct app_players *players)
{
    struct player found[PLAYERS_MAX] = {{.name = ""}};
    size_t count = 0;
    char **names = NULL;
    int name_count = 0;
    DBusMessage *question = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS,
                                                         DBUS_INTERFACE_DBUS, "ListNames");
    DBusMessage *answer = question != NULL ? ask(players, question) : NULL;
    if (answer != NULL && dbus_message_get_args(answer, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING,
                                                &names, &name_count, DBUS_TYPE_INVALID)) {
        for (int i = 0; i < name_count && count < PLAYERS_MAX; i++) {
            if (strncmp(names[i], MPRIS ".", sizeof MPRIS) == 0 && strlen(names[i]) < NAME_SIZE) {
                struct player *player = &found[count++];
                (void)snprintf(player->name, sizeof player->name, "%s", names[i]);
                for (size_t k = 0; k < players->count; k++) {
                    if (strcmp(players->players[k].name, player->name) == 0) {
                        *player = players->players[k];
                    }
                }
            }
        }
        dbus_free_string_array(names);
    }
    if (answer != NULL) {
        dbus_message_unref(answer);
    }
    memcpy(players->players, found, sizeof found);
    players->count = count;
}

/* Asks all players. True if another track plays than before. */
static bool ask_all(struct app_players *players)
{
    struct app_track newest = {.title = ""};
    double since = -1;
    list_players(players);
    for (size_t i = 0; i < players->count && !atomic_load(players->stop); i++) {
        struct app_track track;
        struct player *player = &players->players[i];
        if (base_clock_seconds() < player->deaf) {
            continue;
        }
        if (!ask_player(players, player, &track)) {
            player->deaf = base_clock_seconds() + deaf_seconds;
            player->playing = false;
        } else if (player->playing && player->since > since) {
            newest = track;
            since = player->since;
        }
    }
    const bool other = strcmp(newest.title, players->track.title) != 0 ||
                       strcmp(newest.artist, players->track.artist) != 0 ||
                       strcmp(newest.cover, players->track.cover) != 0;
    players->track = newest;
    return other;
}

bool app_players_wait(struct app_players *players, double seconds, struct app_track *track)
{
    const double until = base_clock_seconds() + seconds;
    for (double clock = base_clock_seconds(); clock < until; clock = base_clock_seconds()) {
        if (players->bus == NULL && (clock < players->retry || !join(players))) {
            players->retry = clock < players->retry ? players->retry : clock + retry_seconds;
            base_clock_sleep_until(until);
            return false;
        }
        if (players->news && clock >= players->asked + pause_seconds) {
            players->news = false;
            players->asked = clock;
            if (ask_all(players)) {
                *track = players->track;
                return true;
            }
        }
        const double left = players->news ? pause_seconds : until - clock;
        if (!dbus_connection_read_write_dispatch(players->bus, (int)(1000 * left) + 1)) {
            leave(players);
            players->retry = clock + retry_seconds;
            base_report(&players->sink, BASE_WARNING, NOWHERE, "it is tried again",
                        "no titles: the desktop's message bus is gone");
            players->told = true;
            players->count = 0;
            players->track = *track = (struct app_track){.title = ""};
            return true;
        }
    }
    return false;
}

#else

struct app_players *app_players_open(const atomic_bool *stop, const struct base_diag_sink *sink)
{
    (void)stop;
    base_report(sink, BASE_WARNING, (struct base_place){0}, "build it with libdbus",
                "no titles: this froth cannot ask players what they play");
    return NULL;
}

void app_players_close(struct app_players *players)
{
    (void)players;
}

bool app_players_wait(struct app_players *players, double seconds, struct app_track *track)
{
    (void)players;
    (void)seconds;
    (void)track;
    return false;
}

#endif
