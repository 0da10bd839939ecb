/* What is playing, drawn over the picture as a lower third: the title large, the artist below it,
 * and on their left the cover, or a line where there is none. All that can wait or fail happens
 * when a card is made; drawing neither allocates, locks nor formats text. */
#ifndef UI_CARD_H
#define UI_CARD_H

#include <stdbool.h>

#include "base/text.h"
#include "ui/toolkit/text.h"

/* Seconds that a card stands in the picture, with coming and going. */
#define UI_CARD_SECONDS 8.0

struct ui_card;

/* A card for pictures of this size. title, artist: UTF-8, cut with an ellipsis where they are too
 * wide; one of them may be empty. cover: any size, of which the middle square is taken; NULL: none.
 * Nothing of them is kept. Any thread, one at a time for a card. NULL without memory or font, or
 * where both texts are empty. */
struct ui_card *ui_card_create(int width, int height, const char *title, const char *artist,
                               const struct ui_surface *cover, const struct base_diag_sink *sink);
void ui_card_free(struct ui_card *card); /* NULL is fine */

/* Whether a card of this age, in seconds since it was shown, is to be seen; `stays`: it does not go
 * by itself. */
bool ui_card_is_seen(double age, bool stays);

/* surface: of the size that was said. It comes in half a second from the left, and goes within
 * one. NULL draws nothing. */
void ui_card_draw(const struct ui_card *card, const struct ui_surface *surface, double age,
                  bool stays);

#endif
