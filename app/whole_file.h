/* Small files of ours, written in one piece. */
#ifndef APP_WHOLE_FILE_H
#define APP_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Writes beside and renames; folders are made where missing. Returns 0, or -1 with errno: what
 * stood there is unchanged. */
int app_whole_file_write(const char *path, const char *text, size_t size);

/* The hash that names a preset's content, of what base_file_read gives for
 * APP_CONTENT_MAX bytes. */
enum { APP_CONTENT_MAX = 1024 * 1024 + 1 };
uint64_t app_content_hash(const char *data, size_t size);

#endif
