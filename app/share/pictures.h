/* Pictures as other programs want them: of another size, and in their formats. The only file that
 * knows libswscale is pictures.c. One thread at a time. */
#ifndef APP_SHARE_PICTURES_H
#define APP_SHARE_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum app_pictures_format {
    APP_PICTURES_BGRX, /* bytes blue, green, red, 0 */
    APP_PICTURES_YUY2, /* two pixels: luma, blue, luma, red difference */
    APP_PICTURES_I420, /* planes: luma, and at half of both sizes blue and red difference */
};

/* How pictures lie in memory. Those with colour differences have the colours of BT.601, or from 720
 * lines on of BT.709, in limited range. */
struct app_pictures_layout {
    enum app_pictures_format format;
    int width; /* 2 to 8192; even but for BGRX */
    int height;
};

size_t app_pictures_stride(const struct app_pictures_layout *layout); /* of the first plane */
size_t app_pictures_size(const struct app_pictures_layout *layout);   /* bytes of a picture */

struct app_pictures;

/* Loads what converts. NULL, or what is missing. */
const char *app_pictures_load(void);

/* From pictures of this size, 0x00RRGGBB words without gaps, to those of the layout. NULL without
 * memory. */
struct app_pictures *app_pictures_open(int width, int height,
                                       const struct app_pictures_layout *layout);
void app_pictures_close(struct app_pictures *pictures); /* NULL is fine */

/* Fills app_pictures_size bytes. The picture keeps its shape: what is left beside it is black. */
void app_pictures_convert(struct app_pictures *pictures, const uint32_t *from, unsigned char *to);

#endif
