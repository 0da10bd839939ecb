/* A show with a thread that paints it, for a host whose own threads may not wait.
 *
 * The thread owns the show: it draws when a tick says that a picture is due, and between two
 * pictures it carries out what others have asked for. Two ticks that come while it draws are one:
 * the picture after that shows the newest time. A show that is hidden stands still, hears nothing
 * and costs nothing. */
#ifndef PLUGINS_OBS_PAINTER_H
#define PLUGINS_OBS_PAINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <froth.h>

struct froth_painter;

/* Takes a picture, in the painter's thread; its pixels, BGRX, are valid during the call. */
typedef void (*froth_painter_take)(void *user, const struct froth_picture *picture);

/* Is told what goes wrong while it paints or obeys, once for each cause, in the painter's thread.
 */
typedef void (*froth_painter_say)(void *user, const char *what);

struct froth_painter_setup {
    froth_painter_take take;
    froth_painter_say say;
    void *user;
};

/* A hidden painter. config: of the show, which is live; rate: samples a second of the sound that it
 * will hear. NULL without memory or threads, or where the config is bad. */
struct froth_painter *froth_painter_create(const struct froth_config *config, uint32_t rate,
                                           const struct froth_painter_setup *setup);

/* Waits for the picture that is being drawn. No other function may be running. NULL is fine. */
void froth_painter_free(struct froth_painter *painter);

/* ---- any thread; these never wait for a picture ---- */

/* Plays what stands at the path, a preset, a folder or a list, in place of what it played. Where
 * nothing there can be played, that is told, and what runs goes on. False without memory; so
 * below. */
bool froth_painter_play(struct froth_painter *painter, const char *path);

/* froth_set and froth_do. */
bool froth_painter_set(struct froth_painter *painter, const char *name, double value);
bool froth_painter_do(struct froth_painter *painter, const char *words);

void froth_painter_show(struct froth_painter *painter, bool shown);

/* Gives the value of each row of froth_value_info, `count` of them at most, as they are after all
 * that was asked for before; 0 for what has none. Waits for the painter, a second at most. False:
 * they are those of an earlier time. By one thread at a time. */
bool froth_painter_look(struct froth_painter *painter, double *values, size_t count);

/* ---- one thread, which never waits, locks or allocates in it ---- */

/* So many seconds have gone by. Where the show is not hidden and a picture of this rate (pictures a
 * second; 0: one for each tick) is due, one is drawn of this size, 16..8192. */
void froth_painter_tick(struct froth_painter *painter, double seconds, int width, int height,
                        double rate);

/* ---- one thread, maybe another, which never waits, locks or allocates in it ---- */

/* Sound of one or more channels, each in a plane of its own; the first two are heard. */
void froth_painter_hear(struct froth_painter *painter, const float *const *planes, size_t channels,
                        size_t frames);

#endif
