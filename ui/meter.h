/* The level meter: three bands, the beat and the tempo. Drawing neither allocates nor formats text.
 */
#ifndef UI_METER_H
#define UI_METER_H

#include "renderer/renderer.h"
#include "ui/text.h"

enum { UI_METER_TEXT = 32 };

/* Zero at start. */
struct ui_meter {
    struct rend_heard heard;
    int tempo;                /* that stands in the text */
    char text[UI_METER_TEXT]; /* empty: no tempo is heard */
};

void ui_meter_set(struct ui_meter *meter, const struct rend_heard *heard);

/* (x, y): top left. Without a font it draws nothing. */
void ui_meter_draw(const struct ui_meter *meter, const struct ui_font *font,
                   const struct ui_surface *surface, int x, int y);

#endif
