/* Light of a running show: a thread that hears and speaks Art-Net and sACN (docs/light.md). What it
 * hears comes to equations by engine_set_dmx, and to values and commands by its inlet; what it
 * sends is the picture that the painter shows it. */
#ifndef APP_LIGHT_LIGHT_H
#define APP_LIGHT_LIGHT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/control/control.h"
#include "app/options/options.h"
#include "base/text.h"
#include "renderer/renderer.h"

struct app_light;

/* Reads the map and opens the sockets that the options ask for. width, height: of the pictures.
 * *light is NULL where nothing is asked for, and after a message where what only the configuration
 * asks for cannot be had. Returns 0, or -1 with a message. Options and sink outlive it. */
int app_light_open(struct app_light **light, const struct app_options *options, int width,
                   int height, const struct base_diag_sink *sink);

/* Starts the thread; the inlet is its alone. Returns 0, or -1 with a message. NULL: nothing. */
int app_light_start(struct app_light *light, struct app_inlet *inlet);

/* Ends the thread: what it sent ends, as sACN wants it. Then frees it. NULL is fine. */
void app_light_close(struct app_light *light);

/* Painter's, before a frame: the newest levels of all channels, if there are newer ones than at the
 * last call; else NULL. Valid until the next call. Never waits. */
const uint8_t *app_light_levels(struct app_light *light, size_t *count);

/* Painter's, after a frame: takes a copy of the picture (0x00RRGGBB, of the size above, stride in
 * pixels; one row for all if it is 0), and of what the patch puts out (rend_dmx), where it is time
 * for one, at most 44 times a second. Never waits. */
void app_light_show(struct app_light *light, const uint32_t *pixels, size_t stride,
                    const uint8_t patch[REND_DMX_OUTPUTS]);

/* Prints what light there is on the network, a line for each as soon as it is known: universes
 * whose levels come, universes that sources and nodes say they have. Listens for eleven seconds, or
 * until somebody asks to stop; a show that runs on this machine loses no packet by that. json: one
 * object per line. Returns 0, or -1 with a message if it cannot listen. */
int app_light_search(bool json, FILE *out, const struct base_diag_sink *sink);

#endif
