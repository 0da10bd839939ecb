/* The list of keys over the picture: what is bound, by group, in as many columns as read best. */
#ifndef UI_KEY_LIST_H
#define UI_KEY_LIST_H

#include "base/diag.h"
#include "ui/bindings.h"
#include "ui/text.h"

struct ui_key_list;

/* Makes the list for pictures of this size; keeps nothing of the bindings. NULL without memory;
 * without a font the list draws nothing. */
struct ui_key_list *ui_key_list_create(const struct ui_bindings *bindings, int width, int height,
                                       const struct base_diag_sink *sink);
void ui_key_list_free(struct ui_key_list *list); /* NULL is fine */

/* surface: of the size that was said; the list stands in its middle. Does not allocate. */
void ui_key_list_draw(const struct ui_key_list *list, const struct ui_surface *surface);

#endif
