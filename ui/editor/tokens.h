/* A line of a preset, cut into pieces of one kind. Each line stands for itself: nothing is carried
 * over from the lines above. */
#ifndef UI_EDITOR_TOKENS_H
#define UI_EDITOR_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum ui_editor_token_kind {
#define UI_EDITOR_TOKEN(kind, ...) UI_EDITOR_##kind,
#include "ui/editor/tokens.def"
    UI_EDITOR_TOKEN_KINDS,
};

extern const uint32_t ui_editor_token_colours[UI_EDITOR_TOKEN_KINDS]; /* 0x00RRGGBB */

/* Bytes first..end - 1 of the line. */
struct ui_editor_token {
    enum ui_editor_token_kind kind;
    size_t first;
    size_t end;
};

struct ui_editor_tokens {
    struct base_span line;
    size_t at;
    size_t value;    /* where the value starts; 0: the line has no key */
    bool is_program; /* the value is a line of equations or of a shader */
};

/* A line without its end; its bytes stay with the caller. */
struct ui_editor_tokens ui_editor_tokens_of(struct base_span line);

/* The next piece; each is at least a byte long, together they are the line. False at its end. */
bool ui_editor_tokens_next(struct ui_editor_tokens *words, struct ui_editor_token *word);

#endif
