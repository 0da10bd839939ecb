/* A check in shards: each is a part of the list with a report of its own, and the reports are one
 * again. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/shards.h"
#include "app/render/piece.h"
#include "base/os/file.h"
#include "base/os/print.h"

enum { REPORT = 1 << 28, LINE = 1024 };

static int fail(const char *file, const char *hint, const char *what,
                const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* ---- a part of the list ---- */

/* What the whole list and froth's version come to. */
static uint64_t hash_of(const struct preset_list *list)
{
    struct base_content_stream stream;
    base_content_stream_begin(&stream);
    base_content_stream_add(&stream, FROTH_VERSION, sizeof FROTH_VERSION);
    for (size_t i = 0; i < list->count; i++) {
        base_content_stream_add(&stream, list->paths[i], strlen(list->paths[i]) + 1);
    }
    return base_content_stream_hash(&stream);
}

int app_check_shard_cut(struct app_check_shard *shard, struct preset_list *list, const char *text,
                        const struct base_diag_sink *sink)
{
    uint64_t first;
    uint64_t count;
    if (!app_piece_share(text, &shard->number, &shard->of)) {
        return fail(NULL, "--shard 1/4", "--shard checks the Ith of N parts of the presets", sink);
    }
    shard->presets = list->count;
    shard->list = hash_of(list);
    app_piece_cut(list->count, shard->number, shard->of, &first, &count);
    for (size_t i = 0; i < list->count; i++) {
        if (i < first || i >= first + count) {
            free(list->paths[i]);
        } else {
            list->paths[i - first] = list->paths[i];
        }
    }
    list->count = count;
    return 0;
}

void app_check_shard_print(FILE *out, const struct app_check_shard *shard)
{
    (void)fprintf(out,
                  "{\"shard\": {\"number\": %" PRIu64 ", \"of\": %" PRIu64 ", \"presets\": %" PRIu64
                  ", \"list\": \"%016" PRIx64 "\"}}\n",
                  shard->number, shard->of, shard->presets, shard->list);
}

/* ---- reports ---- */

static bool number_behind(const char *line, const char *key, size_t *number)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *at = strstr(line, wanted);
    if (at == NULL || !isdigit((unsigned char)at[strlen(wanted)])) {
        return false;
    }
    *number = strtoul(at + strlen(wanted), NULL, 10);
    return true;
}

static bool read_summary(struct app_check_summary *summary, const char *line)
{
    static const char begin[] = "{\"summary\": {";
    size_t none;
    if (strncmp(line, begin, sizeof begin - 1) != 0 ||
        !number_behind(line, "presets", &summary->presets) ||
        !number_behind(line, "black", &summary->black) ||
        !number_behind(line, "frozen", &summary->frozen)) {
        return false;
    }
    for (int status = 0; status < APP_CHECK_STATUS_COUNT; status++) {
        const char *name = app_check_status_name((enum app_check_status)status);
        if (!number_behind(line, name, &summary->by_status[status])) {
            summary->by_status[status] = 0;
        }
    }
    summary->board = number_behind(line, app_check_status_name(APP_CHECK_REFUSED), &none);
    summary->worded = number_behind(line, "unnamed", &summary->unnamed);
    return true;
}

static bool read_shard(struct app_check_shard *shard, const char *line)
{
    int used = 0;
    return sscanf(line,
                  "{\"shard\": {\"number\": %9" SCNu64 ", \"of\": %9" SCNu64
                  ", \"presets\": %18" SCNu64 ", \"list\": \"%16" SCNx64 "\"}}%n",
                  &shard->number, &shard->of, &shard->presets, &shard->list, &used) == 4 &&
           used > 0 && line[used] == '\0' && shard->number >= 1 && shard->number <= shard->of;
}

/* A line of a preset, which is printed as it stands. */
static bool is_row(struct base_span line)
{
    static const char begin[] = "{\"preset\": \"";
    for (size_t i = 0; i < line.size; i++) {
        if ((unsigned char)line.data[i] < ' ' || line.data[i] == 0x7F) {
            return false;
        }
    }
    return line.size > sizeof begin && memcmp(line.data, begin, sizeof begin - 1) == 0 &&
           line.data[line.size - 1] == '}';
}

/* The line that begins there, which then is the next one. It has no data behind the last one. */
static struct base_span take_line(const char **at, const char *end)
{
    const char *line = *at;
    const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    if (stop == NULL) {
        return (struct base_span){NULL, 0};
    }
    *at = stop + 1;
    return (struct base_span){line, (size_t)(stop - line)};
}

/* As a text; longer lines than froth's are cut. */
static const char *text_of(struct base_span line, char text[static LINE])
{
    const size_t size = line.size < LINE - 1 ? line.size : LINE - 1;
    if (size > 0) {
        memcpy(text, line.data, size);
    }
    text[size] = '\0';
    return text;
}

bool app_check_report_read(struct app_check_report *report, const char *text, size_t size)
{
    const char *const end = text + size;
    const char *at = text;
    char line[LINE];
    size_t rows = 0;
    uint64_t first;
    uint64_t count;
    struct base_span next = take_line(&at, end);
    for (; is_row(next); next = take_line(&at, end)) {
        rows++;
    }
    *report = (struct app_check_report){.rows = text,
                                        .size = next.data != NULL ? (size_t)(next.data - text) : 0};
    if (!read_summary(&report->summary, text_of(next, line)) ||
        !read_shard(&report->shard, text_of(take_line(&at, end), line))) {
        return false;
    }
    app_piece_cut(report->shard.presets, report->shard.number, report->shard.of, &first, &count);
    return at == end && rows == report->summary.presets && rows == count;
}

/* ---- joining ---- */

static void add_summary(struct app_check_summary *sum, const struct app_check_summary *part)
{
    sum->presets += part->presets;
    for (int status = 0; status < APP_CHECK_STATUS_COUNT; status++) {
        sum->by_status[status] += part->by_status[status];
    }
    sum->black += part->black;
    sum->frozen += part->frozen;
    sum->unnamed += part->unnamed;
    sum->board = part->board;
    sum->worded = part->worded;
}

struct joining {
    const struct base_diag_sink *sink;
    const char *const *paths;
    char **texts;
    struct app_check_report *reports; /* by the number of their shard */
    size_t count;
};

/* Puts a report where it belongs. */
static int take(struct joining *joining, size_t index)
{
    static const char *const hint = "froth check --shard I/N --json makes them";
    const char *path = joining->paths[index];
    struct app_check_report report;
    size_t size = 0;
    char *text = base_file_read(path, REPORT, &size, NULL);
    joining->texts[index] = text;
    if (text == NULL) {
        return fail(path, NULL, "cannot be read", joining->sink);
    }
    if (!app_check_report_read(&report, text, size)) {
        return fail(path, hint, "this is no report of a shard, or it is not whole", joining->sink);
    }
    if (report.shard.of != joining->count) {
        base_report(joining->sink, BASE_ERROR, (struct base_place){.file = path}, hint,
                    "this is one of %" PRIu64 " shard%s, not of %zu", report.shard.of,
                    base_plural(report.shard.of), joining->count);
        return -1;
    }
    struct app_check_report *place = &joining->reports[report.shard.number - 1];
    if (place->shard.of > 0) {
        return fail(path, "leave one of them out", "two reports are of the same shard",
                    joining->sink);
    }
    *place = report;
    return 0;
}

static int check_lists(const struct joining *joining)
{
    const struct app_check_report *one = &joining->reports[0];
    for (size_t i = 1; i < joining->count; i++) {
        const struct app_check_report *report = &joining->reports[i];
        if (report->shard.list != one->shard.list || report->shard.presets != one->shard.presets ||
            report->summary.board != one->summary.board ||
            report->summary.worded != one->summary.worded) {
            base_report(joining->sink, BASE_ERROR, (struct base_place){0},
                        "the same presets, by the same version",
                        "shards 1 and %zu are not of the same check", i + 1);
            return -1;
        }
    }
    return 0;
}

int app_check_join(const char *const *paths, size_t count, const struct base_diag_sink *sink)
{
    struct joining joining = {.sink = sink,
                              .paths = paths,
                              .texts = calloc(count, sizeof *joining.texts),
                              .reports = calloc(count, sizeof *joining.reports),
                              .count = count};
    struct app_check_summary sum = {.presets = 0};
    int result = joining.texts != NULL && joining.reports != NULL
                     ? 0
                     : fail(NULL, NULL, "not enough memory", sink);
    for (size_t i = 0; i < count && result == 0; i++) {
        result = take(&joining, i);
    }
    result = result == 0 ? check_lists(&joining) : result;
    for (size_t i = 0; i < count && result == 0; i++) {
        (void)fwrite(joining.reports[i].rows, 1, joining.reports[i].size, stdout);
        add_summary(&sum, &joining.reports[i].summary);
    }
    if (result == 0) {
        app_check_json_summary(stdout, &sum);
        result = app_check_failures(&sum) > 0 ? 1 : 0;
    }
    for (size_t i = 0; i < count && joining.texts != NULL; i++) {
        free(joining.texts[i]);
    }
    free(joining.texts);
    free(joining.reports);
    return result;
}
