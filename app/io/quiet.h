/* Sound libraries print on standard error at will; around such calls it leads nowhere. */
#ifndef APP_IO_QUIET_H
#define APP_IO_QUIET_H

/* Standard error as it is now, on a descriptor of its own that stays as it is; -1 if none is left.
 * For messages of threads that run beside one that is quiet. The caller closes it. */
int app_quiet_keep(void);

/* Sends standard error of the whole process nowhere. Returns a token for app_quiet_end, which must
 * follow. Not on two threads at once; what other threads print there in between is lost. */
int app_quiet_begin(void);
void app_quiet_end(int token);

#endif
