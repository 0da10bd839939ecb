/* Whatever a broken child of froth check has written: its row says a result, and can be printed, as
 * JSON without what is no number there. The first byte says how the child ended. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Outside its texts JSON has three words; nan and inf are none of them. */
static void check_words(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    while (*at != '\0') {
        if (*at == '"') {
            for (at++; *at != '"'; at++) {
                require(*at != '\0' && (at[0] != '\\' || at[1] != '\0'));
                at += *at == '\\';
            }
            at++;
        } else if (isalpha((unsigned char)*at)) {
            const size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz");
            bool known = false;
            for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
                known = known || (strlen(words[i]) == size && memcmp(at, words[i], size) == 0);
            }
            require(known);
            at += size;
        } else {
            at++;
        }
    }
}

static void print(const struct app_check_row *row, bool board)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    require(out != NULL);
    app_check_json_row(out, row, board, true);
    const long json = ftell(out);
    app_check_print_row(out, row, board);
    require(fclose(out) == 0 && json > 0);
    text[json] = '\0';
    require(text[0] == '{' && text[json - 1] == '\n');
    check_words(text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t head = size > 0 ? data[0] : 0;
    const struct app_supervise_end end = {.how = (enum app_supervise_how)(head & 3),
                                          .code = head >> 2,
                                          .data = (const char *)data + (size > 0),
                                          .size = size - (size > 0)};
    struct app_check_row row = {.path = "fuzz.milk"};
    struct app_check_summary summary = {.board = false};
    app_check_row_read(&row, &end, 1);
    require(row.status < APP_CHECK_STATUS_COUNT && row.path != NULL);
    require(end.how != APP_SUPERVISE_TIMED_OUT || row.status == APP_CHECK_TIMEOUT);
    require(end.code == 0 || row.status >= APP_CHECK_ERROR);
    app_check_summary_add(&summary, &row);
    print(&row, false);
    print(&row, true);
    app_check_row_free(&row);
    return 0;
}
