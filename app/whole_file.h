/* Small files, read and written in one piece. */
#ifndef APP_WHOLE_FILE_H
#define APP_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

/* The first bytes of an ordinary file, `most` at most, malloc'ed with a NUL behind; *facts (NULL:
 * not wanted) are those of what was read. NULL with errno. */
char *app_whole_file_read(const char *path, size_t most, size_t *size, struct stat *facts);

/* Writes beside and renames; folders are made where missing. Returns 0, or -1 with errno: what
 * stood there is unchanged. */
int app_whole_file_write(const char *path, const char *text, size_t size);

/* The hash that names a preset's content, of what app_whole_file_read gives for
 * APP_CONTENT_MAX bytes. */
enum { APP_CONTENT_MAX = 1024 * 1024 + 1 };
uint64_t app_content_hash(const char *data, size_t size);

#endif
