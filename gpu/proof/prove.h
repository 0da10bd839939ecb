/* The proof of a device: its arithmetic beside that of the processor. */
#ifndef GPU_PROOF_PROVE_H
#define GPU_PROOF_PROVE_H

#include <stdbool.h>
#include <stddef.h>

struct gpu_proof {
    size_t numbers; /* that were compared; 0: one differs, or, */
    bool unsure;    /* it did not run to the end */
    bool doubles;   /* its floats of 64 bits, too, are those of the processor */
};

/* Computes every operation of shaders, and of equations where it has floats of 64 bits, on numbers
 * of all kinds, and textures read in all ways, and compares bit by bit. `what` says what differs of
 * shaders and textures. */
struct gpu_proof gpu_prove(const char *key, char *what, size_t size);

#endif
