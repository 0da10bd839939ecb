/* What a Wayland compositor says of its outputs and of itself, by a connection of its own: SDL
 * keeps its one to itself. Never waits once it is open. The window's thread. */
#ifndef UI_WAYLAND_H
#define UI_WAYLAND_H

#include <stdbool.h>

#include "ui/outputs.h"

struct ui_wayland;

/* NULL where there is no compositor, or froth was built without its library. Waits for the
 * compositor to tell of its outputs. */
struct ui_wayland *ui_wayland_open(void);
void ui_wayland_close(struct ui_wayland *wayland); /* NULL is fine */

/* Outputs may be others than at the last call. */
bool ui_wayland_changed(struct ui_wayland *wayland);

/* The compositor has ended, or ended the connection. wait_ms: so long is waited for that. */
bool ui_wayland_is_gone(struct ui_wayland *wayland, int wait_ms);

/* The compositor can draw title bars around windows. */
bool ui_wayland_draws_frames(const struct ui_wayland *wayland);

/* Copies what is known of the outputs, in the order in which they came; their number. The index is
 * that of this order. What has no connector's name has an empty one. */
int ui_wayland_outputs(const struct ui_wayland *wayland,
                       struct ui_output outputs[static UI_OUTPUTS_MAX]);

#endif
