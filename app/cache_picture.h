/* What a texture machine shows of a set: its filter, its levels of detail, a test picture. */
#ifndef APP_CACHE_PICTURE_H
#define APP_CACHE_PICTURE_H

#include "app/cache_runs.h"
#include "base/diag.h"
#include "tmu/arch.h"

/* Draws the run of a set (512x512, wrapped) and writes NAME.png. Returns 0, or -1 with a message.
 * The process must ignore SIGPIPE. */
int app_cache_picture(const struct tmu_arch *arch, const struct app_cache_run *run,
                      const char *path, const struct base_diag_sink *sink);

#endif
