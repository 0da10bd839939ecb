/* Sound that a PulseAudio or PipeWire server hands out: what the speakers play (monitors of
 * outputs) and inputs. The only file that knows libpulse is pulse.c. No server is started, and its
 * absence is no error. */
#ifndef APP_IO_PULSE_H
#define APP_IO_PULSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { APP_PULSE_NAME = 128, APP_PULSE_DEVICES = 32 };

struct app_pulse_device {
    char id[APP_PULSE_NAME];   /* the server's name of the source */
    char name[APP_PULSE_NAME]; /* for people */
    bool monitor;              /* what an output plays */
    bool usual;                /* the usual input, or the monitor of the usual output */
};

/* The sources of the server, monitors first, the usual one at their front. 0 if there is no server
 * or it does not answer within a second. */
size_t app_pulse_devices(struct app_pulse_device *devices, size_t most);

/* Whether there is a server that takes connections and then does not answer within a second. */
bool app_pulse_hangs(void);

struct app_pulse;

/* Listens to a source by its id; NULL: the monitor of the usual output, which is followed when the
 * operator makes another one the usual. NULL with a message if it cannot be had within two seconds.
 */
struct app_pulse *app_pulse_listen(const char *id, const struct base_diag_sink *sink);
void app_pulse_close(struct app_pulse *pulse); /* NULL is fine */

/* As app_live_read: new samples at APP_AUDIO_RATE, never blocks, the newest where more are waiting
 * than asked for. */
size_t app_pulse_read(struct app_pulse *pulse, float *interleaved, size_t frames);

/* As app_live_dropped. */
size_t app_pulse_dropped(const struct app_pulse *pulse);

/* The server or the source has gone. app_pulse_close it and try again later. */
bool app_pulse_lost(const struct app_pulse *pulse);

/* Name for people of what is listened to; stays valid until app_pulse_close. */
const char *app_pulse_name(const struct app_pulse *pulse);

#endif
