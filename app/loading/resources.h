/* What the presets of a run share, with pictures from folders. */
#ifndef APP_LOADING_RESOURCES_H
#define APP_LOADING_RESOURCES_H

#include "renderer/picture/resources.h"

/* Pictures are looked for in `folder` (NULL: froth's own folder of textures, under XDG_DATA_HOME),
 * then beside the preset, in `textures` beside it and one folder higher. The text must outlive
 * what is made. NULL without memory. */
struct rend_resources *app_resources_create(const char *folder);

/* Where a picture of that name is; as rend_pictures.find, with the folder as user. */
bool app_resources_find(void *folder, const struct rend_picture_request *request, char *path,
                        size_t size);

#endif
