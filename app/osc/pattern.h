/* Address patterns of Open Sound Control 1.0: one message for several addresses. Pure.
 *
 *     ?         any letter but /
 *     *         any letters but /, or none
 *     [a-z0]    one of these letters; [!a-z]: none of them, and no /
 *     {one,two} one of these texts, in which the signs above stand for themselves
 *
 * All ways through a pattern are followed at once, a bit of a word for each place in it, so that
 * the work for an address grows with its length alone, whatever the pattern is. */
#ifndef APP_OSC_PATTERN_H
#define APP_OSC_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

enum { APP_OSC_PATTERN = 63 }; /* letters, at most */

struct app_osc_pattern {
    char text[APP_OSC_PATTERN + 1];
    uint8_t size;
    uint8_t plain;                   /* letters at its front that stand for themselves */
    uint8_t kinds[APP_OSC_PATTERN];  /* what each letter is */
    uint8_t behind[APP_OSC_PATTERN]; /* where it goes on behind a [ ] or { } */
};

/* Whether the address has a sign of a pattern in it. */
bool app_osc_is_pattern(const char *address);

/* False if the text is too long, or a [ or { does not end. */
bool app_osc_pattern_read(struct app_osc_pattern *pattern, const char *text);

bool app_osc_pattern_fits(const struct app_osc_pattern *pattern, const char *address);

/* Whether an address that begins so may fit: for whole groups of addresses at once. */
bool app_osc_pattern_may_fit(const struct app_osc_pattern *pattern, const char *beginning);

#endif
