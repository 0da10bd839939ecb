/* The configuration: a YAML file whose keys are options of `froth play`. */
#ifndef APP_OPTIONS_CONFIG_H
#define APP_OPTIONS_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

#include "app/options/option_table.h"
#include "base/arena.h"
#include "base/text.h"
#include "ui/bindings.h"

/* Zero-initialise. Owns the texts of the options that come from it. */
struct app_config {
    struct base_arena arena;
};

/* Sets what the command line leaves open. Whatever is wrong is reported at its line and column, and
 * left as it was; the rest is used. file: for messages, outlives the options. Returns 0, or -1
 * after messages. */
int app_config_read(struct app_config *config, struct app_options *options, const char *file,
                    struct base_span text, const struct base_diag_sink *sink);

/* The same from the file that --config names, or from froth/config.yaml in the folder of
 * configurations, which need not exist. Returns 0 also if something in the file is wrong, -1 with a
 * message if the file that --config names cannot be read. */
int app_config_load(struct app_config *config, struct app_options *options,
                    const struct base_diag_sink *sink);

void app_config_free(struct app_config *config);

/* The bindings that the options ask for; where these are wrong, the usual ones after messages. NULL
 * without memory. */
struct ui_bindings *app_config_bindings(const struct app_options *options,
                                        const struct base_diag_sink *sink);

/* Whether an option is a key of the configuration. */
bool app_config_has(const struct app_option_row *row);

/* A configuration with every key, its help above it; none is in force. */
void app_config_print(FILE *out);

#endif
