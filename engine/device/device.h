/* The graphics processor that shader stages run on (docs/gpu.md): found by its name, proven once,
 * opened. */
#ifndef ENGINE_DEVICE_DEVICE_H
#define ENGINE_DEVICE_DEVICE_H

#include "base/text.h"
#include "engine/device/trial.h"
#include "gpu/gpu.h"

struct engine_device;
struct rend_device;

/* How the device of that key is tried: engine_trial_run, or the same in another process. */
typedef struct engine_trial engine_trier(const char *key);

/* Opens the one that is wanted: a part of its name, "gpu" (the first one), "auto" (the first one,
 * if it is faster), "cpu" or NULL (none). First it is tried, where this build of froth has not seen
 * it with this driver; what came of that is kept among the user's files. *device NULL: the
 * processor is to do it; a message says why, where a device was asked for. -1 after an error
 * message: none of that name. shows: pictures in windows too, if it can. */
int engine_device_open(const char *wanted, bool shows, engine_trier *tries,
                       struct engine_device **device, const struct base_diag_sink *sink);

/* Says that it got lost, once, where it was since. Any thread but those that paint or hear; NULL is
 * fine. */
void engine_device_watch(struct engine_device *device, const struct base_diag_sink *sink);

/* Watches it for the last time, and keeps what its driver made for the next show. After all that
 * ran on it; NULL is fine. */
void engine_device_close(struct engine_device *device, const struct base_diag_sink *sink);

/* For struct rend_config; NULL for NULL. */
const struct rend_device *engine_device_stages(const struct engine_device *device);

/* For what shows pictures from there; NULL for NULL. As long as the engine's device. */
struct gpu_device *engine_device_of(const struct engine_device *device);

const struct gpu_about *engine_device_about(const struct engine_device *device);
struct gpu_account engine_device_account(const struct engine_device *device); /* 0 for NULL */

/* What came of trying a device, now or before. */
struct engine_trial engine_device_verdict(const struct gpu_about *about, engine_trier *tries,
                                          const struct base_diag_sink *sink);

#endif
