/* Texts as a search compares them: without case, without accents. */
#ifndef PRESETS_LIBRARY_FOLD_H
#define PRESETS_LIBRARY_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRESET_FOLDED_MAX = 765 }; /* bytes: three times those of a name */

/* Writes the text folded, and returns its size without the NUL; `to` has PRESET_FOLDED_MAX + 1
 * bytes. Two texts whose letters differ in case, width or accents alone become equal: Unicode's
 * case folding and compatibility decomposition, without the marks that Latin, Greek, Cyrillic,
 * Hebrew and Arabic letters carry, and without strokes through Latin ones. Vowel signs of other
 * scripts stay, and so do the voiced kana. What is no UTF-8 becomes U+FFFD, what goes beyond the
 * room is left out. */
size_t preset_fold(char *to, const char *text);

/* ---- of folded texts ---- */

/* A byte of a letter or digit, or of any character beyond ASCII. */
bool preset_is_letter(char letter);

/* Whether a word begins at this byte of the text: it is the first one, or there is neither letter
 * nor digit before. */
bool preset_starts_word(const char *text, const char *at);

/* A bit for each letter of the text, or for those that begin a word only. Letters a to z and digits
 * have bits of their own, others share some. */
uint64_t preset_letter_bit(char letter);
uint64_t preset_letters(const char *text, size_t size, bool beginnings);

#endif
