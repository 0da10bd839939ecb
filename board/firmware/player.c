#include "board/firmware/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/firmware/trap.h"
#include "board/firmware/storage/update.h"
#include "board/language/language.h"

enum {
    CAPTION_SECONDS = 3,
    ERROR_SECONDS = 8,
    SAVES_AFTER = 5000,         /* milliseconds behind the operator's last change */
    AHEAD_AFTER = 2000,         /* milliseconds that a patch is shown before the next is compiled */
    MESSAGES_MAX = 20,          /* of a patch, on the console */
    CARD_CYCLES = 2 * 80000000, /* between two looks at the card */
};

static int32_t patch_count(const struct board_player *player)
{
    return board_patches_count(player->patches);
}

static const char *name_of(const struct board_player *player, int32_t number)
{
    return board_patches_name(player->patches, number);
}

/* ---- what is said ---- */

/* Of many messages the first ones are kept; the first error always. */
static void receive(void *user, const struct base_diag *diag)
{
    struct board_player *player = user;
    const bool first = diag->severity == BASE_ERROR && player->error[0] == '\0';
    player->messages++;
    if (player->messages <= MESSAGES_MAX || first) {
        /* Kept until the patch is compiled: the console is slow, a line takes longer than much of a
         * compilation. */
        char line[420];
        const size_t length = base_diag_format(diag, line, sizeof line);
        if (length + 1 < sizeof player->said - player->said_size) {
            memcpy(player->said + player->said_size, line, length);
            player->said_size += length;
            player->said[player->said_size++] = '\n';
            player->said[player->said_size] = '\0';
        }
    }
    if (!first) {
        return;
    }
    if (diag->place.line > 0) {
        (void)snprintf(player->error, sizeof player->error, "line %u: %s",
                       (unsigned)diag->place.line, diag->what);
    } else {
        (void)snprintf(player->error, sizeof player->error, "%s", diag->what);
    }
}

static void print_messages(struct board_player *player)
{
    board_print(player->said);
    if (player->messages > MESSAGES_MAX) {
        board_print("and more; messages: ");
        board_print_number(player->messages);
        board_print("\n");
    }
    if (player->said_size > 0) {
        const size_t room = sizeof player->told - 1;
        const size_t size = player->said_size < room ? player->said_size : room;
        memcpy(player->told, player->said, size);
        player->told[size] = '\0';
    }
    player->said[0] = '\0';
    player->said_size = 0;
}

static void caption(const struct board_player *player, const char *first, const char *second,
                    uint32_t seconds)
{
    struct board_caption *caption = &player->show->caption;
    if (player->silent) {
        return;
    }
    caption->frames = 0;
    memset(caption->lines, 0, sizeof caption->lines);
    board_caption_add(caption, first);
    board_caption_add(caption, second);
    caption->frames = seconds * player->fps;
}

static void print_patch(const struct board_player *player, int32_t number)
{
    board_print_number((uint32_t)number);
    board_print(" ");
    board_print(name_of(player, number));
}

static void print_cycles(const char *what, uint32_t cycles)
{
    board_print(what);
    board_print_number(cycles);
    board_print(" cycles\n");
}

/* ---- patches ---- */

/* A patch of the list, or one from the network, which stands in none: then number is -1. */
static const char *title_of(const struct board_player *player, int32_t number)
{
    return number >= 0 ? name_of(player, number) : player->net->receiver.name;
}

static void print_outcome(const struct board_player *player, const char *what, int32_t number)
{
    board_print(what);
    if (number >= 0) {
        print_patch(player, number);
    } else {
        board_print("from the network ");
        board_print(title_of(player, number));
    }
    print_cycles(": ", player->cycles);
}

/* NULL with a message on the console if it cannot be shown. */
static struct board_loaded *compile(struct board_player *player, int32_t number)
{
    const struct board_receiver *sent = &player->net->receiver;
    const struct base_diag_sink sink = {receive, player};
    player->error[0] = '\0';
    player->messages = 0;
    const uint32_t begin = board_cycles();
    board_show_spare(player->show, true);
    board_tasks_program_works(player->show->tasks, true);
    struct board_loaded *loaded =
        number >= 0 ? board_patches_load(player->patches, number, player->fps, &sink)
                    : board_patches_compile(player->patches, sent->name, (const char *)sent->bytes,
                                            sent->size, player->fps, &sink);
    player->cycles = board_cycles() - begin;
    board_tasks_program_works(player->show->tasks, false);
    board_show_spare(player->show, false);
    if (loaded == NULL) {
        print_messages(player);
        print_outcome(player, "refused: ", number);
    }
    if (loaded == NULL && number >= 0) {
        board_advance_refuse(&player->advance, number);
    }
    return loaded;
}

/* Takes the patch over. What is asked for next stands behind the last one of the list. */
static void show(struct board_player *player, struct board_loaded *loaded, int32_t number)
{
    struct board_operate *operate = player->operate;
    board_show_load(player->show, loaded);
    player->cuts_told = false;
    board_patch_free(player->loaded);
    player->loaded = loaded;
    player->number = number >= 0 ? number : player->number;
    (void)snprintf(player->name, sizeof player->name, "%s", title_of(player, number));
    (void)snprintf(player->shown, sizeof player->shown, "%s", player->name);
    operate->current = number;
    operate->beats_then = player->show->beats;
    operate->shown_at = board_operate_now(operate);
    board_advance_shown(&player->advance, number, operate->beats_then, operate->shown_at);
    board_net_tell(player->net, number, player->shown);
    print_messages(player);
    print_outcome(player, "patch ", number);
}

static void forget_ahead(struct board_player *player)
{
    board_patch_free(player->ahead);
    player->ahead = NULL;
}

bool board_player_load(struct board_player *player, int32_t number)
{
    player->number = number >= 0 ? number : player->number;
    (void)snprintf(player->name, sizeof player->name, "%s", title_of(player, number));
    forget_ahead(player);
    struct board_loaded *loaded = compile(player, number);
    if (loaded == NULL) {
        caption(player, player->name, player->error, ERROR_SECONDS);
        return false;
    }
    caption(player, player->name, "", CAPTION_SECONDS);
    show(player, loaded, number);
    return true;
}

/* The next patch comes by itself, without its name on the screen; it is compiled before its time
 * has come, but not at once, since whoever looks for a patch presses again soon. */
static void advance(struct board_player *player)
{
    const struct board_settings *settings = &player->kept->settings;
    const struct board_operate *operate = player->operate;
    const uint32_t now = board_operate_now(operate);
    if (player->exact || player->loaded == NULL ||
        (settings->next_seconds == 0 && settings->next_beats == 0)) {
        forget_ahead(player);
        return;
    }
    if (player->ahead == NULL && now - operate->shown_at >= AHEAD_AFTER) {
        /* The noise of the sound input is another one at each start. */
        const struct board_hearing *heard = &player->show->heard;
        board_advance_stir(&player->advance,
                           base_hash(board_cycles(), heard->wave, sizeof heard->wave));
        const int32_t number = board_advance_choose(&player->advance, operate->current,
                                                    patch_count(player), settings->order != 0);
        player->ahead = number < 0 ? NULL : compile(player, number);
        player->ahead_number = number;
    }
    if (player->ahead != NULL &&
        board_advance_is_due(&player->advance, settings->next_seconds, settings->next_beats,
                             player->show->beats, now)) {
        struct board_loaded *loaded = player->ahead;
        player->ahead = NULL;
        show(player, loaded, player->ahead_number);
    }
}

/* The number of the patch of this name; -1: there is none. */
static int32_t number_of(const struct board_player *player, const char *name)
{
    int32_t number = patch_count(player) - 1;
    while (number >= 0 && strcmp(name_of(player, number), name) != 0) {
        number--;
    }
    return number;
}

/* The list of patches is another one. */
static void take_list(struct board_player *player)
{
    const int32_t number = number_of(player, player->name);
    player->number = number < 0 ? 0 : number;
    player->operate->current = player->loaded != NULL ? number_of(player, player->shown) : -1;
    board_advance_forget(&player->advance, player->operate->current);
    forget_ahead(player);
}

static struct base_diag_sink begin_messages(struct board_player *player)
{
    player->error[0] = '\0';
    player->messages = 0;
    return (struct base_diag_sink){receive, player};
}

/* Says what became of something that was asked for, with its messages, on console and screen. */
static bool end_messages(struct board_player *player, bool good, const char *what)
{
    caption(player, good ? what : player->error, "", good ? CAPTION_SECONDS : ERROR_SECONDS);
    print_messages(player);
    if (good) {
        board_print(what);
        board_print("\n");
    }
    return good;
}

static void load_settings(struct board_player *player)
{
    const struct base_diag_sink sink = begin_messages(player);
    (void)board_kept_load(player->kept, player->patches, &sink);
    print_messages(player);
}

bool board_player_save(struct board_player *player)
{
    const struct base_diag_sink sink = begin_messages(player);
    board_tasks_program_works(player->show->tasks, true);
    const bool good = board_kept_save(player->kept, player->patches, &sink);
    board_tasks_program_works(player->show->tasks, false);
    take_list(player);
    return end_messages(player, good, "settings are saved");
}

bool board_player_store(struct board_player *player, const char *name, const void *bytes,
                        size_t size)
{
    const struct base_diag_sink sink = begin_messages(player);
    board_tasks_program_works(player->show->tasks, true);
    const bool good = board_patches_store(player->patches, name, bytes, size, &sink);
    board_tasks_program_works(player->show->tasks, false);
    take_list(player);
    return end_messages(player, good, "the patch is stored");
}

void board_player_look_at_card(struct board_player *player)
{
    struct board_patches *patches = player->patches;
    const enum board_patches_found before = patches->found;
    player->looked = board_cycles();
    if (patches->card.there && board_card_stays(&patches->card)) {
        return;
    }
    board_patches_look(patches);
    if (patches->found == before && patches->found != BOARD_PATCHES_LISTED) {
        return;
    }
    static const char *const texts[] = {
        [BOARD_PATCHES_UNKNOWN] = "",
        [BOARD_PATCHES_NO_CARD] = "memory card: none is there\n",
        [BOARD_PATCHES_UNREADABLE] = "memory card: it cannot be read\n",
        [BOARD_PATCHES_NO_FILE_SYSTEM] = "memory card: no FAT file system is on it\n",
        [BOARD_PATCHES_LISTED] = "",
    };
    board_print(texts[patches->found]);
    if (patches->found == BOARD_PATCHES_LISTED) {
        board_print("memory card: ");
        board_print_number((uint32_t)patches->file_count);
        board_print(patches->file_count == 1 ? " patch" : " patches");
        board_print(patches->more ? ", the others are left out\n" : "\n");
    }
    if (patches->found == BOARD_PATCHES_LISTED) {
        if (patches->mended != BOARD_FAT_STORED) {
            board_print("memory card: what the power has interrupted cannot be mended\n");
        }
        load_settings(player);
    }
    take_list(player);
}

/* ---- the console ---- */

static void do_next(struct board_player *player, const char *argument)
{
    (void)argument;
    (void)board_player_load(player, (player->number + 1) % patch_count(player));
}

static void do_previous(struct board_player *player, const char *argument)
{
    (void)argument;
    (void)board_player_load(player,
                            (player->number + patch_count(player) - 1) % patch_count(player));
}

static void do_list(struct board_player *player, const char *argument)
{
    (void)argument;
    for (int32_t i = 0; i < patch_count(player); i++) {
        print_patch(player, i);
        board_print("\n");
    }
}

static void do_load(struct board_player *player, const char *argument)
{
    uint32_t digits = 0;
    const char *at = argument;
    for (; *at >= '0' && *at <= '9' && digits < 100000; at++) {
        digits = 10 * digits + (uint32_t)(*at - '0');
    }
    int32_t number = -1; /* neither a number of a patch nor part of a name */
    if (at != argument && *at == '\0') {
        number = (int32_t)digits < patch_count(player) ? (int32_t)digits : -1;
    } else if (*argument != '\0') {
        number = board_patches_find(player->patches, argument);
    }
    if (number < 0) {
        board_print("no such patch; 'list' prints all\n");
    } else {
        (void)board_player_load(player, number);
    }
}

static void print_count(const char *what, uint32_t count)
{
    board_print(what);
    board_print_number(count);
}

static bool print_cuts(const struct board_show_account *account)
{
    if (account->thin <= 1 && account->shapes_cut == 0 && account->points_cut == 0 &&
        account->overlay_turns <= 1 && account->equation_turns <= 1 && !account->echo_cut) {
        return false;
    }
    print_count("not all fits into a frame: of rows and pieces one of ", account->thin);
    print_count(" is drawn, custom shapes left out ", account->shapes_cut);
    print_count(", points ", account->points_cut);
    if (account->overlay_turns > 1) {
        print_count(", of rows of borders and motion vectors one of ", account->overlay_turns);
    }
    if (account->equation_turns > 1) {
        print_count(", per-frame equations in one frame of ", account->equation_turns);
    }
    board_print(account->echo_cut ? ", no echo\n" : "\n");
    return true;
}

static void do_status(struct board_player *player, const char *argument)
{
    (void)argument;
    const struct board_show *show = player->show;
    const struct board_show_account *account = &show->account;
    board_print("patch ");
    board_print_number((uint32_t)player->number);
    board_print(" ");
    board_print(player->name);
    print_count("\nframes ", account->frames);
    print_count(", skipped ", account->skipped);
    print_count(", sound blocks waiting ", board_sound_waiting(show->sound));
    print_count(", lost ", show->sound->lost);
    print_count("\ncycles of a frame ", account->cycles);
    print_count(", at most ", account->cycles_max);
    print_count("; first picture at ", account->first);
    print_count("\nPFPU runs ", show->pfpu->runs);
    print_count(", TMU runs ", show->tmu.runs);
    board_print("\n");
    board_net_print_counts(player->net);
    (void)print_cuts(account);
}

static void do_settings(struct board_player *player, const char *argument)
{
    char text[BOARD_SETTINGS_TEXT];
    (void)argument;
    (void)board_settings_write(&player->kept->settings, text, sizeof text);
    board_print(strchr(text, '\n') + 1);
    board_print(board_kept_changed(player->kept) ? "not all are saved\n" : "");
}

static void do_set(struct board_player *player, const char *argument)
{
    struct base_span key = {argument, 0};
    while (argument[key.size] != '\0' && argument[key.size] != '=') {
        key.size++;
    }
    const enum board_setting setting = board_setting_find(key);
    if (setting == BOARD_SETTINGS || argument[key.size] == '\0') {
        board_print("write it like set gain=12; 'settings' prints all\n");
    } else if (!board_settings_set(&player->kept->settings, setting,
                                   base_span_of(argument + key.size + 1))) {
        board_print("not allowed: ");
        board_print(board_setting_rows[setting].help);
        board_print("\n");
    }
}

static void do_save(struct board_player *player, const char *argument)
{
    (void)argument;
    (void)board_player_save(player);
}

/* Names of the image's patches have no ending. */
static void do_store(struct board_player *player, const char *argument)
{
    const char *text = board_patches_text(player->patches, player->number);
    char name[BOARD_FAT_NAME + sizeof ".milk"];
    (void)argument;
    if (text == NULL) {
        board_print("it is on the memory card\n");
        return;
    }
    (void)snprintf(name, sizeof name, "%s.%s", player->name,
                   board_fnp_is(player->name, base_span_of(text)) ? "fnp" : "milk");
    (void)board_player_store(player, name, text, strlen(text));
}

static void tell_progress(void *user, uint32_t percent)
{
    const struct board_player *player = user;
    char text[40];
    (void)snprintf(text, sizeof text, "update: %u %% is done", (unsigned)percent);
    caption(player, text, "", ERROR_SECONDS);
    board_print(text);
    board_print("\n");
}

bool board_player_update(struct board_player *player)
{
    const struct base_diag_sink sink = begin_messages(player);
    board_tasks_program_works(player->show->tasks, true);
    const bool good = board_update(player->patches, tell_progress, player, &sink);
    board_tasks_program_works(player->show->tasks, false);
    return end_messages(player, good, "the flash memory has the program of the card");
}

static void do_update(struct board_player *player, const char *argument)
{
    (void)argument;
    (void)board_player_update(player);
}

static void do_help(struct board_player *player, const char *argument);

static const struct {
    const char *name;
    void (*call)(struct board_player *player, const char *argument);
    bool from_network; /* whoever is there may give it */
    const char *help;
} commands[] = {
    {"next", do_next, true, "the next patch"},
    {"previous", do_previous, true, "the patch before"},
    {"list", do_list, false, "all patches, by number"},
    {"load", do_load, true, "a patch by number or part of its name"},
    {"status", do_status, false, "what is shown and how fast"},
    {"settings", do_settings, false, "all settings as they are now"},
    {"set", do_set, false, "KEY=VALUE: a setting, until the board is switched off"},
    {"save", do_save, false, "keeps the settings on the memory card"},
    {"store", do_store, false, "the patch that is shown, as a file on the memory card"},
    {"update", do_update, false,
     "BOOT.BIN of the memory card becomes the program in the flash memory"},
    {"help", do_help, false, "this list"},
};

static void do_help(struct board_player *player, const char *argument)
{
    (void)player;
    (void)argument;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        board_print(commands[i].name);
        board_print(": ");
        board_print(commands[i].help);
        board_print("\n");
    }
}

/* The line is changed. */
static void obey(struct board_player *player, char *line, bool from_network)
{
    char *argument = strchr(line, ' ');
    if (argument != NULL) {
        *argument++ = '\0';
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, line) == 0 && (!from_network || commands[i].from_network)) {
            commands[i].call(player, argument != NULL ? argument : "");
            return;
        }
    }
    if (line[0] != '\0') {
        board_print(from_network ? "network: no such command: " : "no such command");
        board_print(from_network ? line : "; 'help' prints all");
        board_print("\n");
    }
}

/* The patch that the network has received: shown, and stored if whoever sent it asks for that. */
static void take_sent(struct board_player *player)
{
    const struct board_receiver *sent = &player->net->receiver;
    player->told[0] = '\0';
    const bool good = board_player_load(player, -1) &&
                      ((sent->flags & BOARD_TRANSFER_STORE) == 0 ||
                       board_player_store(player, sent->name, sent->bytes, sent->size));
    board_net_answer(player->net, good ? BOARD_TRANSFER_SHOWN : BOARD_TRANSFER_BAD, player->told);
}

/* One request at a time, so that no flood of them keeps the console waiting. False: there was none.
 */
static bool serve_network(struct board_player *player)
{
    struct board_net_request request = board_net_take(player->net);
    board_net_print(player->net);
    switch (request.kind) {
    case BOARD_NET_NOTHING:
        break;
    case BOARD_NET_COMMAND:
        obey(player, request.line, true);
        break;
    case BOARD_NET_CAPTION:
        caption(player, request.line, "", CAPTION_SECONDS);
        break;
    case BOARD_NET_SETTING:
        do_set(player, request.line);
        break;
    case BOARD_NET_PATCH:
        take_sent(player);
        break;
    }
    return request.kind != BOARD_NET_NOTHING;
}

/* What keys have changed stands on the screen, unless the menu shows it. */
static void show_changes(struct board_player *player, uint32_t changed)
{
    for (int i = 0; i < BOARD_SETTINGS; i++) {
        if ((changed >> i & 1) != 0 && !player->operate->open) {
            char text[BOARD_PANEL_COLUMNS + 1];
            board_menu_write_setting((enum board_setting)i, &player->kept->settings, text,
                                     sizeof text);
            caption(player, text, "", CAPTION_SECONDS);
        }
    }
}

/* When the operator asks for it, and by itself a while behind the last change, where there is a
 * card. */
static void keep_changes(struct board_player *player, uint32_t changed)
{
    struct board_operate *operate = player->operate;
    const uint32_t now = board_operate_now(operate);
    if (changed != 0) {
        player->unsaved = true;
        player->changed_at = now;
    }
    const bool is_time = player->unsaved && now - player->changed_at >= SAVES_AFTER;
    const bool has_card = player->patches->found == BOARD_PATCHES_LISTED;
    if (operate->saves || (is_time && has_card)) {
        operate->saves = false;
        (void)board_player_save(player);
    }
    player->unsaved = player->unsaved && !is_time;
}

/* What the operator has asked for at the menu, or beside it. */
static void take_wishes(struct board_player *player)
{
    struct board_operate *operate = player->operate;
    const uint32_t changed = board_operate_take_changed(operate);
    show_changes(player, changed);
    keep_changes(player, changed);
    if (operate->names > 0) {
        operate->names = 0;
        caption(player, player->name, "", CAPTION_SECONDS);
    }
    if (operate->updates) {
        operate->updates = false;
        (void)board_player_update(player);
    }
    if (player->gain != player->kept->settings.gain) {
        player->gain = player->kept->settings.gain;
        board_sound_set_gain((uint32_t)player->gain);
    }
}

bool board_player_look(struct board_player *player)
{
    for (int byte = 0; (byte = board_console_read(player->console)) >= 0;) {
        const char key = (char)byte;
        if (key == '\r' || key == '\n') {
            board_print("\n");
            player->line[player->line_size] = '\0';
            player->line_size = 0;
            obey(player, player->line, false);
        } else if ((key == '\b' || key == 0x7F) && player->line_size > 0) {
            player->line_size--;
            board_print("\b \b");
        } else if (key >= ' ' && key < 0x7F && player->line_size < BOARD_PLAYER_LINE) {
            player->line[player->line_size++] = key;
            board_print((const char[]){key, '\0'});
        }
    }
    const bool served = serve_network(player);
    const int number = board_inputs_take(player->inputs, player->number, patch_count(player));
    if (number >= 0) {
        (void)board_player_load(player, number);
    }
    take_wishes(player);
    advance(player);
    if (!player->cuts_told) {
        player->cuts_told = print_cuts(&player->show->account);
    }
    const bool silent = player->show->sound->silent;
    if (silent && !player->deaf) {
        board_print("sound: none comes from the codec, the show goes on in silence\n");
        caption(player, "no sound comes from the codec", "", ERROR_SECONDS);
    } else if (!silent && player->deaf) {
        (void)board_sound_open((uint32_t)player->kept->settings.gain);
        board_print("sound: it is there again\n");
    }
    player->deaf = silent;
    if (player->patches->found == BOARD_PATCHES_UNKNOWN ||
        board_cycles() - player->looked > CARD_CYCLES) {
        board_player_look_at_card(player);
    }
    return served;
}
