/* What is drawn over the picture, on request and never else, for the picture may hang on a stage:
 * the preset's name, the frame rate, the level meter and the list of keys. One thread. Drawing
 * neither allocates nor formats text. Times are the player's, in seconds. */
#ifndef UI_OVERLAY_H
#define UI_OVERLAY_H

#include <stdbool.h>

#include "base/text.h"
#include "renderer/renderer.h"
#include "ui/bindings.h"
#include "ui/toolkit/text.h"

/* When the name is seen: never, if nothing else was set. */
enum ui_overlay_names { UI_NAMES_NEVER, UI_NAMES_AT_FIRST, UI_NAMES_ALWAYS, UI_NAMES_COUNT };

struct ui_overlay;

/* Makes the overlay for pictures of this size. NULL without memory; without a font it draws
 * nothing, after one warning. */
struct ui_overlay *ui_overlay_create(int width, int height, const struct base_diag_sink *sink);
void ui_overlay_free(struct ui_overlay *overlay); /* NULL is fine */

/* A name made ready to be shown, cut with an ellipsis where it is too wide; to be freed with
 * ui_line_free, before the overlay. Allocates: for the thread that loads presets, and for that one
 * alone. NULL without memory or font. */
struct ui_line *ui_overlay_name(const struct ui_overlay *overlay, const char *name);

/* Which name stands in the picture, from now on or, with show, as if it had come up at that time.
 * It stays the caller's, who keeps it until another one is set. NULL: none. */
void ui_overlay_set_name(struct ui_overlay *overlay, const struct ui_line *name);
void ui_overlay_show_name(struct ui_overlay *overlay, double now);
void ui_overlay_set_names(struct ui_overlay *overlay, enum ui_overlay_names names);

/* Which keys the list of keys shows; nothing of the bindings is kept. Allocates. */
void ui_overlay_set_bindings(struct ui_overlay *overlay, const struct ui_bindings *bindings,
                             const struct base_diag_sink *sink);
void ui_overlay_set_help(struct ui_overlay *overlay, bool shown);
void ui_overlay_set_fps(struct ui_overlay *overlay, double fps); /* negative: not shown */

/* What the level meter shows; NULL: it is not shown. */
void ui_overlay_set_meter(struct ui_overlay *overlay, const struct rend_heard *heard);

/* Opacity, 0..255, of a text `age` seconds after it came up: full for 3 s, then 1 s to vanish. */
unsigned ui_overlay_fade(double age);

/* Whether anything of it is drawn. */
bool ui_overlay_is_seen(const struct ui_overlay *overlay, double now);

/* surface: as large as was said at the start. */
void ui_overlay_draw(const struct ui_overlay *overlay, const struct ui_surface *surface,
                     double now);

#endif
