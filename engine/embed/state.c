/* An instance as bytes: what the next transition is like, the texts of the presets
 * that run, and the show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bytes.h"
#include "engine/embed/instance.h"
#include "presets/file.h"
#include "renderer/save.h"

enum { VERSION = 2, PATH_MOST = 1023 };

static const uint64_t MARK = UINT64_C(0x746873746f7266); /* "froths" and its end */

/* What stands before the show. Texts point into the bytes. */
struct head {
    struct engine_changes changes;
    struct saved_preset {
        bool there;
        uint64_t content;
        struct base_span path; /* with its NUL */
        struct base_span text;
    } presets[INSTANCE_TAKEN];
};

static void walk(struct engine_bytes *bytes, struct head *head)
{
    uint64_t mark = MARK;
    uint64_t version = VERSION;
    struct engine_changes *changes = &head->changes;
    uint64_t transition = (uint64_t)changes->transition;
    engine_bytes_number(bytes, &mark, UINT64_MAX);
    engine_bytes_number(bytes, &version, UINT64_MAX);
    bytes->bad = bytes->bad || mark != MARK || version != VERSION;
    engine_bytes_number(bytes, &changes->rng.state, UINT64_MAX);
    engine_bytes_number(bytes, &changes->rng.stream, UINT64_MAX);
    engine_bytes_real(bytes, &changes->seconds, 0, INFINITY);
    engine_bytes_flag(bytes, &changes->cut);
    engine_bytes_flag(bytes, &changes->random);
    engine_bytes_flag(bytes, &changes->begun);
    engine_bytes_number(bytes, &transition, REND_TRANSITIONS - 1);
    changes->transition = (enum rend_transition)transition;
    for (size_t i = 0; i < INSTANCE_TAKEN; i++) {
        struct saved_preset *preset = &head->presets[i];
        engine_bytes_flag(bytes, &preset->there);
        if (preset->there) {
            engine_bytes_number(bytes, &preset->content, UINT64_MAX);
            engine_bytes_text(bytes, &preset->path, PATH_MOST + 1);
            engine_bytes_text(bytes, &preset->text, PRESET_FILE_MAX);
        }
    }
}

static struct head head_of(const froth *show, const struct engine_changes *changes)
{
    struct head head = {.changes = *changes};
    for (size_t i = 0; i < INSTANCE_TAKEN; i++) {
        if (show->taken[i] != NULL) {
            const struct engine_preset *preset = show->taken[i]->preset;
            head.presets[i] = (struct saved_preset){true,
                                                    rend_patch_content(preset->patch),
                                                    {preset->path, strlen(preset->path) + 1},
                                                    {preset->text, preset->size}};
        }
    }
    return head;
}

size_t froth_save_size(const froth *show)
{
    if (show == NULL) {
        return 0;
    }
    const struct engine_changes changes = engine_loader_changes(show->loader);
    struct head head = head_of(show, &changes);
    struct engine_bytes bytes = {.to = NULL};
    walk(&bytes, &head);
    return bytes.at + engine_save_size(show->engine);
}

int froth_save(const froth *show, void *to, size_t size, size_t *written)
{
    if (show == NULL || to == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct engine_changes changes = engine_loader_changes(show->loader);
    struct head head = head_of(show, &changes);
    struct engine_bytes bytes = {.to = to, .size = size};
    walk(&bytes, &head);
    const size_t rest =
        bytes.bad ? 0 : engine_save(show->engine, bytes.to + bytes.at, size - bytes.at);
    if (rest == 0) {
        return FROTH_TOO_SMALL;
    }
    if (written != NULL) {
        *written = bytes.at + rest;
    }
    return FROTH_OK;
}

int instance_save(froth *show, void *to, size_t size, size_t *wanted)
{
    struct engine_changes changes;
    if (!engine_loader_try_changes(show->loader, &changes)) {
        return FROTH_NOTHING;
    }
    struct head head = head_of(show, &changes);
    struct engine_bytes measured = {.to = NULL};
    walk(&measured, &head);
    *wanted = measured.at + engine_save_size(show->engine);
    if (to == NULL || size < *wanted) {
        return FROTH_TOO_SMALL;
    }
    struct engine_bytes bytes = {.to = to, .size = size};
    walk(&bytes, &head);
    (void)engine_save(show->engine, bytes.to + bytes.at, size - bytes.at);
    return bytes.bad ? FROTH_TOO_SMALL : FROTH_OK;
}

/* ---- a preset alone ---- */

char *instance_text(froth *show, size_t *size, enum preset_language *language)
{
    const struct rend *front = rend_show_front(engine_show(show->engine));
    struct preset_edit_shown *shown = malloc(sizeof *shown);
    char *text = NULL;
    if (shown != NULL && front != NULL && show->current != NULL) {
        const struct engine_preset *preset = show->current->preset;
        bool left = false;
        for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
            shown->values[i] = rend_value(front, i);
        }
        engine_tweaks_changed(&engine_state(show->engine)->tweaks, shown->changed);
        text = preset_edit_set_shown((struct base_span){preset->text, preset->size}, shown, size,
                                     language, &left);
    }
    free(shown);
    return text;
}

/* ---- restored ---- */

static bool read_head(const froth *show, struct engine_bytes *bytes, struct head *head)
{
    walk(bytes, head);
    for (size_t i = 0; i < INSTANCE_TAKEN; i++) {
        const struct base_span path = head->presets[i].path;
        bytes->bad =
            bytes->bad ||
            (head->presets[i].there &&
             (path.size == 0 || memchr(path.data, '\0', path.size) != path.data + path.size - 1));
    }
    if (bytes->bad) {
        base_report(&show->sink, BASE_ERROR, (struct base_place){0}, "the show goes on as it was",
                    "the saved state is cut off, or not a state of this version");
    }
    return !bytes->bad;
}

static struct engine_loaded *remake(froth *show, const struct head *head,
                                    const struct rend_saved_cue *cue)
{
    for (size_t i = 0; i < INSTANCE_TAKEN; i++) {
        const struct engine_loaded *like = show->taken[i];
        if (like != NULL && rend_patch_content(like->preset->patch) == cue->patch) {
            const struct base_span none = {NULL, 0};
            return engine_loader_remake(show->loader, like, NULL, none, &cue->change, NULL);
        }
    }
    for (size_t i = 0; i < INSTANCE_TAKEN; i++) {
        const struct saved_preset *preset = &head->presets[i];
        if (preset->there && preset->content == cue->patch && preset->text.data != NULL) {
            return engine_loader_remake(show->loader, NULL, preset->path.data, preset->text,
                                        &cue->change, NULL);
        }
    }
    base_report(&show->sink, BASE_ERROR, (struct base_place){0}, "the show goes on as it was",
                "the saved state has not the presets that run in it");
    return NULL;
}

static void give_up(froth *show, struct engine_loaded *const made[REND_ROLES])
{
    for (int role = 0; role < REND_ROLES; role++) {
        if (made[role] != NULL) {
            engine_loader_retire(show->loader, made[role]);
        }
    }
}

int froth_restore(froth *show, const void *from, size_t size)
{
    if (show == NULL || from == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    struct engine_bytes bytes = {.from = from, .size = size};
    struct head head = {.changes = {.seconds = 0}};
    struct rend_saved_cue saved[REND_ROLES];
    if (!read_head(show, &bytes, &head)) {
        return FROTH_REFUSED;
    }
    const uint8_t *rest = bytes.from + bytes.at;
    if (engine_saved_cues(show->engine, rest, size - bytes.at, saved, &show->sink) != 0) {
        return FROTH_REFUSED;
    }
    struct engine_loaded *made[REND_ROLES] = {NULL};
    struct rend_cue *cues[REND_ROLES] = {NULL};
    bool good = true;
    for (int role = 0; role < REND_ROLES && good; role++) {
        if (saved[role].there) {
            made[role] = remake(show, &head, &saved[role]);
            good = made[role] != NULL;
            cues[role] = good ? made[role]->cue : NULL;
        }
    }
    if (!good || engine_restore(show->engine, cues, rest, size - bytes.at, &show->sink) != 0) {
        give_up(show, made);
        return FROTH_REFUSED;
    }
    engine_loader_put_changes(show->loader, &head.changes);
    show->lost = true;
    show->current = NULL;
    instance_retire(show);
    /* One that waited for the beat is not in the state. */
    instance_drop_waiting(show);
    const struct engine_auto_vj *vj = &engine_state(show->engine)->vj;
    if (isinf(vj->due) && isfinite(vj->advance)) {
        engine_wait_anew(show->engine);
    }
    static const enum rend_role newest[] = {REND_ROLE_LEAVING, REND_ROLE_FRONT, REND_ROLE_NEXT};
    for (size_t i = 0; i < REND_ROLES; i++) {
        if (made[newest[i]] != NULL) {
            instance_took(show, made[newest[i]]);
        }
    }
    if (show->current != NULL && show->extras.resumes) {
        engine_loader_follow(show->loader, show->current->preset->path);
    }
    if (show->current != NULL && show->extras.took != NULL) {
        show->extras.took(show->extras.user, show->current, false);
    }
    return FROTH_OK;
}
