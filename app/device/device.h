/* The graphics processor that --device asks for, and the list of those that there are. */
#ifndef APP_DEVICE_DEVICE_H
#define APP_DEVICE_DEVICE_H

#include <stdio.h>

#include "app/options/options.h"
#include "base/text.h"
#include "engine/device/device.h"

/* As engine_device_open; the other one's shows pictures in windows too, if it can. */
int app_device_open(const struct app_options *options, struct engine_device **device,
                    const struct base_diag_sink *sink);
int app_device_open_to_show(const struct app_options *options, struct engine_device **device,
                            const struct base_diag_sink *sink);

/* As engine_device_close. Where its driver hangs, the program ends without what libraries do then.
 */
void app_device_close(struct engine_device *device, const struct base_diag_sink *sink);

/* A trial in a process of its own, `froth devices trial KEY`: a driver that ends it, or does not
 * come back within minutes, has failed. */
struct engine_trial app_device_try(const char *key);

/* How many stages it has drawn and what memory they took, for --stage-times, and as members of an
 * object, with its driver; nothing for NULL. */
void app_device_print_account(FILE *out, const struct engine_device *device);
void app_device_print_json(FILE *out, const struct engine_device *device);

/* A line for each device with what its proof said; makes the proofs that are missing. */
void app_device_print(FILE *out, bool json);

#endif
