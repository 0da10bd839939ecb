/* Whatever bytes come in: what is wrong is reported, and all values stay in the ranges of the
 * table.
 */
#include <stdlib.h>
#include <string.h>

#include "app/options/option_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static void check_field(const struct app_options *options, const struct app_option_row *row)
{
    const void *field = (const char *)options + row->offset;
    switch (row->kind) {
    case APP_OPTION_TEXT: {
        const char *text = *(const app_option_TEXT *)field;
        require(text == NULL || strlen(text) > 0);
        break;
    }
    case APP_OPTION_LIST:
    case APP_OPTION_CALLS:
        require(((const app_option_LIST *)field)->count <= APP_LIST_MAX);
        break;
    case APP_OPTION_NUMBER: {
        const double number = *(const app_option_NUMBER *)field;
        require(number == -1 || (number >= row->low && number <= row->high));
        break;
    }
    case APP_OPTION_COUNT: {
        const double count = (double)*(const app_option_COUNT *)field;
        require(count == 0 || (count >= row->low && count <= row->high));
        break;
    }
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct app_config config = {0};
    struct app_options options;
    app_options_default(&options);
    const int result = app_config_read(&config, &options, "fuzz",
                                       (struct base_span){(const char *)data, size}, &sink);
    require((result != 0) == (messages.by_severity[BASE_ERROR] > 0));
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_config_has(&app_option_rows[i])) {
            check_field(&options, &app_option_rows[i]);
        }
    }
    app_config_free(&config);
    return 0;
}
