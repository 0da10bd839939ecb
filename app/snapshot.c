#include "app/snapshot.h"

#include <string.h>

static void copy_mesh(struct app_snapshot *snapshot, const struct rend *rend)
{
    const struct tmu_mesh mesh = rend_mapping(rend).mesh;
    const size_t count = (size_t)(mesh.columns + 1) * (size_t)(mesh.rows + 1);
    snapshot->mesh_columns = 0;
    snapshot->mesh_rows = 0;
    if (count <= APP_SNAPSHOT_VERTICES) {
        snapshot->mesh_columns = mesh.columns;
        snapshot->mesh_rows = mesh.rows;
        memcpy(snapshot->vertices, mesh.vertices, count * sizeof *mesh.vertices);
    }
}

void app_snapshot_of_show(struct app_snapshot *snapshot, const struct rend_show *show, bool whole)
{
    const struct rend *front = rend_show_front(show);
    snapshot->changes = rend_show_changes(show);
    snapshot->variable_count = 0;
    snapshot->mesh_columns = 0;
    if (front == NULL) {
        return;
    }
    snapshot->heard = rend_heard(front);
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        snapshot->values[i] = rend_value(front, i);
    }
    if (whole) {
        const size_t count = rend_variables(front, snapshot->variables, APP_SNAPSHOT_VARIABLES);
        snapshot->variable_count = count < APP_SNAPSHOT_VARIABLES ? count : APP_SNAPSHOT_VARIABLES;
        copy_mesh(snapshot, front);
    }
}

void app_snapshot_picture(struct app_snapshot *snapshot, const struct ui_surface *picture)
{
    const int by_width = (picture->width + APP_SNAPSHOT_WIDTH - 1) / APP_SNAPSHOT_WIDTH;
    const int by_height = (picture->height + APP_SNAPSHOT_HEIGHT - 1) / APP_SNAPSHOT_HEIGHT;
    const int step = by_width > by_height ? by_width : by_height;
    snapshot->picture_width = picture->width / step;
    snapshot->picture_height = picture->height / step;
    uint32_t *to = snapshot->picture;
    for (int y = 0; y < snapshot->picture_height; y++) {
        const uint32_t *from = picture->pixels + (size_t)(y * step + step / 2) * picture->stride;
        for (int x = 0; x < snapshot->picture_width; x++) {
            *to++ = from[x * step + step / 2];
        }
    }
}

void app_snapshot_wave(float *wave, const float *interleaved, size_t frames)
{
    const size_t count = frames < APP_SNAPSHOT_WAVE ? frames : APP_SNAPSHOT_WAVE;
    const float *from = interleaved + 2 * (frames - count);
    memmove(wave, wave + count, (APP_SNAPSHOT_WAVE - count) * sizeof *wave);
    for (size_t i = 0; i < count; i++) {
        wave[APP_SNAPSHOT_WAVE - count + i] = 0.5f * (from[2 * i] + from[2 * i + 1]);
    }
}
