/* Inside the renderer: scalar fields over a tile, 0..1 in both directions and repeating. */
#ifndef RENDERER_STANDIN_FIELD_H
#define RENDERER_STANDIN_FIELD_H

#include <stdint.h>

/* 0..1: smooth noise with `period` values along a side. */
double rend_field_noise(uint32_t seed, int period, double u, double v);

/* 0..1: the sum of octaves, each twice as fine and half as strong. */
double rend_field_clouds(uint32_t seed, int period, int octaves, double u, double v);

/* Distances to the nearest and second nearest of period x period points scattered in a grid, in
 * grid steps; scatter 0..1: from a regular grid, each second row shifted, to a random one. */
struct rend_field_cells {
    double nearest;
    double second;
    double chance; /* 0..1, of the nearest point */
};
struct rend_field_cells rend_field_cells(uint32_t seed, int period, double scatter, double u,
                                         double v);

/* 0..1, the same for the same numbers. */
double rend_field_chance(uint32_t seed, int x, int y);

#endif
