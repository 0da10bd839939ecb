#include "ui/window.h"

#include <assert.h>

/* round(a * b / c), at least 1 */
static int scale(int a, int b, int c)
{
    const int64_t value = ((int64_t)a * b + c / 2) / c;
    return value < 1 ? 1 : (int)value;
}

struct ui_rect ui_window_letterbox(int picture_width, int picture_height, int window_width,
                                   int window_height)
{
    assert(picture_width > 0 && picture_height > 0 && window_width > 0 && window_height > 0);
    struct ui_rect rect = {0, 0, window_width, window_height};
    if ((int64_t)window_width * picture_height > (int64_t)window_height * picture_width) {
        rect.width = scale(picture_width, window_height, picture_height);
        rect.x = (window_width - rect.width) / 2;
    } else {
        rect.height = scale(picture_height, window_width, picture_width);
        rect.y = (window_height - rect.height) / 2;
    }
    return rect;
}
