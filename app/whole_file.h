/* Small files of ours, written in one piece. */
#ifndef APP_WHOLE_FILE_H
#define APP_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

/* Writes a file beside `path` and renames it; missing folders are made. Returns 0, or -1 with
 * errno: a file that stood at `path` is then unchanged. */
int app_whole_file_write(const char *path, const char *text, size_t size);

/* The hash by which the content of a preset's file is known, wherever the file lies. data: its
 * first APP_CONTENT_MAX bytes, as base_file_read gives them. */
enum { APP_CONTENT_MAX = 1024 * 1024 + 1 };
uint64_t app_content_hash(const char *data, size_t size);

/* Reads such a hash in digits as they are kept in files: APP_CONTENT_DIGITS of 0-9 and a-f. */
enum { APP_CONTENT_DIGITS = 16 };
bool app_content_read(uint64_t *hash, struct base_span text);

#endif
