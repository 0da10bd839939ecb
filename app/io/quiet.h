/* Sound libraries print on standard error at will; around such calls it leads nowhere. */
#ifndef APP_IO_QUIET_H
#define APP_IO_QUIET_H

/* Sends standard error of the whole process nowhere. Returns a token for app_quiet_end, which must
 * follow. Not on two threads at once; messages of other threads in between are lost. */
int app_quiet_begin(void);
void app_quiet_end(int token);

#endif
