/* What `froth check` and the player found out about presets, kept in the cache by the content of
 * the file: a text file of lines "HASH STATUS". Written beside and renamed; what cannot be read
 * counts as not there. One thread at a time. */
#ifndef APP_LIBRARY_VERDICTS_H
#define APP_LIBRARY_VERDICTS_H

#include <stdint.h>

#include "app/library/library.h"

struct app_verdicts;

/* folder: of the cache, NULL: nothing is kept. NULL without memory. */
struct app_verdicts *app_verdicts_load(const char *folder);
void app_verdicts_free(struct app_verdicts *verdicts);

enum app_library_verdict app_verdicts_get(const struct app_verdicts *verdicts, uint64_t content);
void app_verdicts_set(struct app_verdicts *verdicts, uint64_t content,
                      enum app_library_verdict verdict);
/* Writes them with what others wrote since. Returns 0, or -1: nothing has changed on disk. */
int app_verdicts_save(struct app_verdicts *verdicts);

#endif
