/* The proof of a device: its arithmetic beside that of the processor. */
#ifndef GPU_PROOF_PROVE_H
#define GPU_PROOF_PROVE_H

#include <stdbool.h>
#include <stddef.h>

/* Computes every operation of shaders, and of equations where it has floats of 64 bits, on numbers
 * of all kinds, and textures read in all ways, and compares bit by bit. Gives how many numbers were
 * compared; 0: something differs, and `what` says what; or, where *unsure is set, it did not run to
 * the end. */
size_t gpu_prove(const char *key, bool *unsure, char *what, size_t size);

#endif
