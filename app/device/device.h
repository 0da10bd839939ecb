/* The graphics processor that shader stages run on, by what --device asks for (docs/gpu.md). */
#ifndef APP_DEVICE_DEVICE_H
#define APP_DEVICE_DEVICE_H

#include <stdint.h>
#include <stdio.h>

#include "app/options/options.h"
#include "base/text.h"

struct app_device;
struct rend_device;

/* Opens it, after its proof where this build of froth has not seen it with this driver. *device
 * NULL: the processor is to do it; a message says why, where a device was asked for. -1 after an
 * error message: none of that name. */
int app_device_open(const struct app_options *options, struct app_device **device,
                    const struct base_diag_sink *sink);

/* Says that it got lost, once, where it was since. Any thread but those that paint or hear; NULL is
 * fine. */
void app_device_watch(struct app_device *device, const struct base_diag_sink *sink);

/* Watches it for the last time, and keeps what its driver made for the next show. After all that
 * ran on it; NULL is fine. Where its driver hangs, the program ends without what libraries do
 * then. */
void app_device_close(struct app_device *device, const struct base_diag_sink *sink);

/* Stages of frames that it has drawn; 0 for NULL. */
uint64_t app_device_drawn(const struct app_device *device);

/* For struct rend_config; NULL for NULL. */
const struct rend_device *app_device_stages(const struct app_device *device);

/* How many stages it has drawn and what memory they took, for --stage-times, and as members of an
 * object, with its driver; nothing for NULL. */
void app_device_print_account(FILE *out, const struct app_device *device);
void app_device_print_json(FILE *out, const struct app_device *device);

/* A line for each device with what its proof said; makes the proofs that are missing. */
void app_device_print(FILE *out, bool json);

#endif
