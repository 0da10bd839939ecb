/* A check in shards, on many machines: each is a part of the list of presets with a report of its
 * own; the reports joined are that of the whole. */
#ifndef APP_CHECK_SHARDS_H
#define APP_CHECK_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/check/check.h"
#include "base/text.h"
#include "presets/library/find.h"

struct app_check_shard {
    uint64_t number;  /* from 1 */
    uint64_t of;      /* 0: there is none */
    uint64_t presets; /* of all shards */
    uint64_t list;    /* hash of their paths and of froth's version */
};

/* Leaves of the list the part that --shard's value I/N names. 0, or -1 with a message. */
int app_check_shard_cut(struct app_check_shard *shard, struct preset_list *list, const char *text,
                        const struct base_diag_sink *sink);

/* The line that ends a shard's report. */
void app_check_shard_print(FILE *out, const struct app_check_shard *shard);

/* What a report says, and its lines about presets. */
struct app_check_report {
    struct app_check_shard shard;
    struct app_check_summary summary;
    const char *rows; /* of the text */
    size_t size;      /* in bytes */
};

/* Reads a text that lives as long as the report. False: it is no whole report of a shard. */
bool app_check_report_read(struct app_check_report *report, const char *text, size_t size);

/* Prints the report of the whole check, from those of all its shards in any order. 0; 1 where the
 * check found what cannot be shown; -1 after a message, with nothing printed. */
int app_check_join(const char *const *paths, size_t count, const struct base_diag_sink *sink);

#endif
