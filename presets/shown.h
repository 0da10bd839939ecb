/* Names of files as they are shown and searched. A name may be any bytes; what comes out is whole
 * UTF-8 without control characters. */
#ifndef PRESETS_SHOWN_H
#define PRESETS_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file's name without folders and ending, at most PRESET_SHOWN_MAX bytes with ? for what cannot
 * be shown. */
void preset_shown_name(char *name, const char *path);

/* What lies between the first `from` bytes of the path and the file's name, without a / at either
 * end; likewise. */
void preset_shown_folder(char *folder, const char *path, size_t from);

/* ASCII letters become small. */
void preset_fold(char *text);

/* The same without case of ASCII letters. */
bool preset_folded_equal(const char *a, const char *b, size_t size);

/* ---- folded texts ---- */

/* Letters of other languages count as letters. */
bool preset_is_letter(char letter);

/* A bit for each letter of the text, or for those that begin a word only. Letters a to z and digits
 * have bits of their own, others share some. */
uint64_t preset_letter_bit(char letter);
uint64_t preset_letters(const char *text, size_t size, bool beginnings);

#endif
