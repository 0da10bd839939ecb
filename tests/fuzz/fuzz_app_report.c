/* A report of a shard: what is read is whole and counts what it has, or is refused. */
#include <stdint.h>
#include <stdlib.h>

#include "app/check/shards.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct app_check_report report;
    const char *text = (const char *)data;
    if (app_check_report_read(&report, text, size)) {
        size_t rows = 0;
        for (size_t i = 0; i < report.size; i++) {
            rows += report.rows[i] == '\n';
        }
        if (report.rows != text || report.size > size || rows != report.summary.presets ||
            report.shard.number < 1 || report.shard.number > report.shard.of) {
            abort();
        }
    }
    return 0;
}
