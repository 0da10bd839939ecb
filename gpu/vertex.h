/* The per-vertex equations and where vertices read, computed on the device: the vertices of
 * renderer/mesh.c. */
#ifndef GPU_VERTEX_H
#define GPU_VERTEX_H

#include "gpu/kernel.h"
#include "renderer/shader/device.h"

struct gpu_vertex;

/* The device outlives it. Runs once, so that the driver's code is made now. NULL without memory,
 * where the device refuses or has no floats of 64 bits as they have to be, or where the equations
 * are too many. Any thread. */
struct gpu_vertex *gpu_vertex_create(struct gpu_device *device,
                                     const struct rend_device_mesh *mesh);
void gpu_vertex_free(struct gpu_vertex *vertex); /* NULL is fine */

/* Begins with a frame. false: the device is lost. The thread that steps, as gpu_vertex_wait. */
bool gpu_vertex_start(struct gpu_vertex *vertex, const struct rend_device_moving *moving);

/* Waits for what was begun: u and v of each vertex, until the next start. NULL: the device is lost.
 */
const float *gpu_vertex_wait(struct gpu_vertex *vertex);

#endif
