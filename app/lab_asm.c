/* From assembler text to words. */
#include <stdio.h>

#include "app/json.h"
#include "app/lab.h"
#include "app/lab_text.h"
#include "pfpu/listing.h"

static int print_hex(const struct pfpu_microcode *microcode, bool json, struct base_arena *arena)
{
    const char *hex = pfpu_listing_hex(microcode, arena);
    if (hex == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory");
        return APP_EXIT_FAILED;
    }
    if (!json) {
        (void)fputs(hex, stdout);
        return APP_EXIT_DONE;
    }
    (void)fputs("{\"hex\":", stdout);
    app_json_string(stdout, hex);
    (void)fputs("}\n", stdout);
    return APP_EXIT_DONE;
}

/* Any name is one: words do not depend on what registers are called. */
static bool any_key(void *user, struct base_span name, int32_t *key)
{
    (void)user;
    (void)name;
    *key = 0;
    return true;
}

int app_lab_asm(const struct app_options *options)
{
    struct base_file file;
    struct pfpu_microcode microcode;
    struct base_arena arena = {0};
    const struct pfpu_key_table table = {any_key, NULL};
    if (options->input_count != 2) {
        return app_lab_refuse_usage(options, "it takes one file");
    }
    const char *path = options->inputs[1];
    int result = APP_EXIT_FAILED;
    if (base_file_load(&file, path, APP_LAB_FILE_MAX, &base_diag_stderr) != 0) {
        return result;
    }
    if (pfpu_assemble((struct base_span){file.data, file.size}, path, &table, &arena,
                      &base_diag_stderr, &microcode) == 0) {
        result = print_hex(&microcode, options->json, &arena);
    }
    base_arena_free(&arena);
    base_file_free(&file);
    return result;
}
