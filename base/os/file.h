/* Whole files: read into memory, written beside their name and renamed; folders; and the hash by
 * which content is known. */
#ifndef BASE_OS_FILE_H
#define BASE_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/text.h"

struct base_file {
    char *data;
    size_t size;
};

/* Reads an ordinary file of at most `limit` bytes; never waits for a pipe or a device. Returns 0,
 * or -1 with a message and nothing to free. */
int base_file_load(struct base_file *file, const char *path, size_t limit,
                   const struct base_diag_sink *sink);
void base_file_free(struct base_file *file);

/* The first bytes of an ordinary file, `most` at most, malloc'ed with a NUL behind; *facts (NULL:
 * not wanted) are those of what was read. NULL with errno, EINVAL for what is no ordinary file. */
char *base_file_read(const char *path, size_t most, size_t *size, struct stat *facts);

/* Closes a descriptor and makes it -1; with -1 nothing happens. */
void base_file_close(int *descriptor);

/* Part files: what is written under another name beside its own until it is whole. */

/* The name of one: in the folder of `path`, its name (or a short one, if that would become too
 * long), a number that nobody can guess, and `ending`. */
enum { BASE_PART_EXTRA = 48 }; /* bytes that part needs beyond those of path */
void base_part_name(char *part, size_t size, const char *path, const char *ending);

/* The same as a text that the caller frees; NULL without memory. */
char *base_part_of(const char *path, const char *ending);

/* Creates a file of this name, for reading and writing; never one that is there, or through a link.
 * Returns its descriptor, or -1 with errno. */
int base_part_create(const char *part);

enum base_file_way {
    BASE_FILE_OVER,  /* in place of a file that may stand there, with its permissions */
    BASE_FILE_CACHE, /* as BASE_FILE_OVER, of what may be lost with the power */
    BASE_FILE_NEW,   /* only where nothing has the name */
};

/* Writes to a file beside path, which then gets its name; a link stays one, and the file that it
 * names is written. Returns 0 once the file and its name are on the disk (not BASE_FILE_CACHE), or
 * -1 with errno; what stood at path is then unchanged, unless the disk failed at the very last,
 * when the new file stands there as a whole. Where a file system has no links, BASE_FILE_NEW takes
 * the name with an empty file first. What a killed froth has left there of such a file, under the
 * name .froth-PID-DIGITS, is removed once it is an hour old. */
int base_file_write(const char *path, const char *data, size_t size, enum base_file_way way);

/* Whether that is the name, without a folder, of a file that a froth has left which is gone. */
bool base_file_is_left(const char *name);

/* Between these two no other program or thread that asks may change files of the folder in which
 * path lies, or what it links to. Waits some seconds at most. Returns what unlocks, or -1 with
 * errno: EWOULDBLOCK if another one keeps it, else where there can be no lock. It ends with the
 * program, however that ends. Its file .froth.lock stays. */
int base_file_lock(const char *path, double seconds);
void base_file_unlock(int lock); /* -1 is fine */

/* Folders, among them the XDG folders in which froth keeps the user's files. */

/* Whether the path, or what it links to, is a folder. */
bool base_is_folder(const char *path);

/* Stores the path of the program that runs. False where the system does not tell, or there is no
 * room. */
bool base_program(char *path, size_t size);

/* Stores the folder of the program that runs, with the suffix behind it ("/../share"). False where
 * the system does not tell, or there is no room. */
bool base_beside_program(char *path, size_t size, const char *suffix);

enum base_folder {
    BASE_FOLDER_CONFIG, /* $XDG_CONFIG_HOME/froth, or ~/.config/froth */
    BASE_FOLDER_DATA,   /* $XDG_DATA_HOME/froth, or ~/.local/share/froth */
    BASE_FOLDER_CACHE,  /* $XDG_CACHE_HOME/froth, or ~/.cache/froth */
};

/* Stores the folder's path followed by `more` ("" or "/name"), whether it exists or not. False if
 * the system names no such folder, or the path is too long. */
bool base_folder_path(enum base_folder folder, const char *more, char *path, size_t size);

/* Makes a folder and what is above it, where missing. Returns 0, or -1 (errno says why). */
int base_folder_make(const char *path);
/* Makes the folder in which a file is to lie, as base_folder_make does. */
int base_folder_make_above(const char *file);

/* Small files, written in one piece. */

/* Writes a small file as base_file_write does with BASE_FILE_OVER; missing folders are made.
 * Returns 0, or -1 with errno: a file that stood at `path` is then unchanged. */
int base_file_save(const char *path, const char *text, size_t size);
int base_file_cache(const char *path, const char *text, size_t size); /* as BASE_FILE_CACHE */

/* Content hashes that others can check: XXH64 with seed 0, the number that the command xxhsum
 * prints. For comparing files and pictures; not for security. Any thread. */

/* The hash by which the content of a preset's file is known, wherever the file lies, is that of its
 * first BASE_CONTENT_MAX bytes, as base_file_read gives them. */
enum { BASE_CONTENT_MAX = 1024 * 1024 + 1 };
uint64_t base_content_hash(const void *data, size_t size);

/* Reads a hash in digits as they are kept in files: BASE_CONTENT_DIGITS of 0-9 and a-f. */
enum { BASE_CONTENT_DIGITS = 16 };
bool base_content_read(uint64_t *hash, struct base_span text);

/* Bytes that come in pieces; how they are cut does not matter. Plain data: a copy goes on by
 * itself. */
struct base_content_stream {
    uint64_t state[12];
};
void base_content_stream_begin(struct base_content_stream *stream);
void base_content_stream_add(struct base_content_stream *stream, const void *data, size_t size);

/* Adds all bytes of a file. Returns 0, or -1 with errno; what was read until then is added. */
int base_content_stream_file(struct base_content_stream *stream, const char *path);

/* Of all bytes so far; more may follow. */
uint64_t base_content_stream_hash(const struct base_content_stream *stream);

#endif
