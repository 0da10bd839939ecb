/* Clocks. */
#ifndef APP_CLOCK_H
#define APP_CLOCK_H

/* Seconds since some moment in the past; never goes back. Any thread. */
double app_clock_seconds(void);

/* Seconds for which the calling thread has had a processor. */
double app_clock_busy(void);

#endif
