/* A recorded show ends within its limits, whatever its files say; each line that is read is written
 * and read as the same. The first byte says which file it is: events.yaml (e), frames.txt (f), or
 * what stands beside a state (k). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/set/set.h"
#include "engine/engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_event(const struct app_set_event *event, const struct app_set_head *head)
{
    char text[APP_SET_LINE];
    ensure(event->kind < APP_SET_KINDS && event->frame > head->first);
    ensure(event->change.transition < REND_TRANSITIONS);
    const size_t written = app_set_event_write(event, head, text);
    ensure(written < sizeof text);
}

static void read_events(struct base_span text)
{
    struct app_set_events events = {.count = 0};
    if (app_set_events_read(&events, "events.yaml", text, NULL) == 0) {
        ensure(events.head.config.width >= 16 && app_set_rate(&events.head.config) >= 1);
        for (size_t i = 0; i < events.count; i++) {
            check_event(&events.items[i], &events.head);
            ensure(i == 0 || events.items[i - 1].frame <= events.items[i].frame);
        }
    }
    app_set_events_free(&events);
}

static void read_frames(struct base_span text)
{
    struct app_set set = {.frame_count = 0};
    if (app_set_frames_read(&set, "frames.txt", text, NULL) == 0) {
        for (size_t i = 1; i < set.frame_count; i++) {
            ensure(set.frames[i].number >= set.frames[i - 1].number &&
                   set.frames[i].heard >= set.frames[i - 1].heard &&
                   set.frames[i].said <= set.said_count);
        }
    }
    app_set_close(&set);
}

static void read_kept(struct base_span bytes)
{
    static struct engine_kept kept;
    size_t used = 0;
    if (engine_kept_read(&kept, bytes.data, bytes.size, &used) == 0) {
        ensure(used <= bytes.size && kept.held_count <= ENGINE_HELD_MAX &&
               kept.tweaks.done <= kept.tweaks.count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct base_span rest = {(const char *)data + 1, size - 1};
    if (data[0] == 'e') {
        read_events(rest);
    } else if (data[0] == 'f') {
        read_frames(rest);
    } else {
        read_kept(rest);
    }
    return 0;
}
