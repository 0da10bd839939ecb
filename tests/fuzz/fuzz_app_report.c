/* A report of a shard: what is read is whole and counts what it has, or is refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/shards.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct app_check_report report;
    char *text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (app_check_report_read(&report, text, size)) {
        size_t rows = 0;
        for (size_t i = 0; i < report.size; i++) {
            rows += report.rows[i] == '\n';
        }
        if (report.rows != text || memcmp(text, data, size) != 0 || report.size > size ||
            rows != report.summary.presets || report.shard.number < 1 ||
            report.shard.number > report.shard.of) {
            abort();
        }
    }
    free(text);
    return 0;
}
