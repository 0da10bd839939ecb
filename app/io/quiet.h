/* Sound libraries print on standard error at will; around such calls it leads nowhere. */
#ifndef APP_IO_QUIET_H
#define APP_IO_QUIET_H

/* A copy of the descriptor of standard error, on which other threads can print while one of them
 * has made standard error quiet. The caller closes it. -1 if no descriptor is free. */
int app_quiet_keep(void);

/* Sends standard error of the whole process nowhere. Returns a token for app_quiet_end, which must
 * follow. Not on two threads at once; what other threads print there in between is lost. */
int app_quiet_begin(void);
void app_quiet_end(int token);

#endif
