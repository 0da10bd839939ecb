#include "app/board_profiler.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ELF_MAX = 64 * 1024 * 1024,
    CALLERS = 4,      /* named in a row */
    ROW_SHARE = 2000, /* a function with less than one part in so many is left out */
};

static int fail(const struct base_diag_sink *sink, const char *file, const char *hint,
                const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* FIRST-LAST. */
static bool read_range(struct app_board_profiler *profiler, const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    profiler->first = strtoull(text, &end, 10);
    if (*end != '-' || !isdigit((unsigned char)end[1])) {
        return false;
    }
    profiler->end = strtoull(end + 1, &end, 10);
    return *end == '\0' && profiler->first < profiler->end;
}

int app_board_profiler_begin(struct app_board_profiler *profiler, const struct app_options *options,
                             struct app_board *board, const struct base_diag_sink *sink)
{
    const char *range = options->profile_pictures;
    const char *within = options->profile_in;
    if (options->profile == NULL) {
        return range == NULL && within == NULL
                   ? 0
                   : fail(sink, NULL, NULL, "--profile-pictures and --profile-in need --profile");
    }
    profiler->end = UINT64_MAX;
    if (range != NULL && !read_range(profiler, range)) {
        return fail(sink, NULL, "--profile-pictures 0-1 is before the first one",
                    "--profile-pictures takes two numbers, FIRST-LAST");
    }
    if (base_file_load(&profiler->elf, options->profile, ELF_MAX, sink) != 0) {
        return -1;
    }
    if (!app_board_profile_create(&profiler->profile, profiler->elf.data, profiler->elf.size)) {
        return fail(sink, options->profile, "boot.elf stands beside boot.bin",
                    "it is no ELF file with functions of the board's processor");
    }
    if (within != NULL) {
        profiler->profile.within = app_board_profile_find(&profiler->profile, within);
        if (profiler->profile.within == APP_BOARD_PROFILE_NONE) {
            return fail(sink, options->profile, NULL, "it has no function of --profile-in's name");
        }
    }
    board->host.look = app_board_profile_look;
    board->host.looker = &profiler->profile;
    app_board_profiler_picture(profiler, 0);
    return 0;
}

void app_board_profiler_picture(struct app_board_profiler *profiler, uint64_t pictures)
{
    profiler->profile.pauses = pictures < profiler->first || pictures >= profiler->end;
}

/* ---- the table ---- */

static int by_cycles(const void *a, const void *b)
{
    const struct app_board_edge *left = a;
    const struct app_board_edge *right = b;
    if (left->cycles != right->cycles) {
        return left->cycles > right->cycles ? -1 : 1;
    }
    return left->caller != right->caller
               ? (left->caller < right->caller ? -1 : 1)
               : (left->called > right->called) - (left->called < right->called);
}

static int by_self(const void *a, const void *b)
{
    const struct app_board_function *left = *(const struct app_board_function *const *)a;
    const struct app_board_function *right = *(const struct app_board_function *const *)b;
    if (left->self != right->self) {
        return left->self > right->self ? -1 : 1;
    }
    if (left->total != right->total) {
        return left->total > right->total ? -1 : 1;
    }
    return (left > right) - (left < right);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

/* The edges are sorted. */
static void print_callers(const struct app_board_profile *profile,
                          const struct app_board_function *function, FILE *out)
{
    const int called = (int)(function - profile->functions);
    int printed = 0;
    for (size_t i = 0; i < profile->edge_count && printed < CALLERS; i++) {
        const struct app_board_edge *edge = &profile->edges[i];
        if (edge->called == called) {
            (void)fprintf(out, "%s %s %.0f %%", printed == 0 ? "  <" : ",",
                          profile->functions[edge->caller].name,
                          percent(edge->cycles, function->total));
            printed++;
        }
    }
}

static void print_row(const struct app_board_profile *profile,
                      const struct app_board_function *function, FILE *out)
{
    (void)fprintf(out, "%12" PRIu64 " %5.1f %12" PRIu64 " %5.1f  %s", function->self,
                  percent(function->self, profile->all), function->total,
                  percent(function->total, profile->all), function->name);
    print_callers(profile, function, out);
    (void)fprintf(out, "\n");
}

static void print_rows(const struct app_board_profile *profile,
                       const struct app_board_function **rows, FILE *out)
{
    for (size_t i = 0; i < profile->count; i++) {
        rows[i] = &profile->functions[i];
    }
    qsort(rows, profile->count, sizeof *rows, by_self);
    for (size_t i = 0; i < profile->count; i++) {
        if (rows[i]->self > profile->all / ROW_SHARE || rows[i]->total > profile->all / 100) {
            print_row(profile, rows[i], out);
        }
    }
}

void app_board_profiler_print(struct app_board_profiler *profiler, FILE *out)
{
    struct app_board_profile *profile = &profiler->profile;
    const struct app_board_function **rows = calloc(profile->count + 1, sizeof *rows);
    if (profile->all > 0 && rows != NULL) {
        qsort(profile->edges, APP_BOARD_PROFILE_EDGES, sizeof *profile->edges, by_cycles);
        (void)fprintf(out,
                      "profile of %" PRIu64 " cycles, %" PRIu64 " of them in no function\n"
                      "        self     %%        total     %%  function  < called by\n",
                      profile->all, profile->outside);
        print_rows(profile, rows, out);
    }
    free(rows);
}

void app_board_profiler_free(struct app_board_profiler *profiler)
{
    app_board_profile_free(&profiler->profile);
    base_file_free(&profiler->elf);
}
