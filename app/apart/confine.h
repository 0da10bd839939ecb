/* Rights that a process gives up for good before it touches foreign bytes. Only in processes of one
 * thread, which end without going back to what they were. */
#ifndef APP_APART_CONFINE_H
#define APP_APART_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* What is left to a process. 0: no bound. */
struct app_confine_limits {
    size_t memory;    /* bytes of data */
    unsigned seconds; /* of processor time; SIGXCPU ends the process after that */
};

/* What a program may do beyond the usual. */
struct app_confine_rights {
    bool network;  /* use the network, and read what names and certificates need */
    bool encoders; /* use the devices that code pictures */
    bool behind;   /* it gets a processor after others */
};

/* For code of froth that decodes: afterwards the process reads, writes and seeks in descriptors
 * 0 to `files` - 1, which stay open, and asks for memory; it opens no file and no socket, starts
 * nothing, signals nobody. */
void app_confine_work(int files, const struct app_confine_limits *limits);

/* For a program that is started next: afterwards it reads programs, libraries, what the system
 * tells of itself and the ordinary files among descriptors 0 to `files` - 1; it writes into those
 * that are open for writing, has no network but by its rights, sees and signals no process but what
 * it starts. program: its path, which it may read. */
void app_confine_program(const char *program, int files, const struct app_confine_limits *limits,
                         const struct app_confine_rights *rights);

/* NULL, or what is missing here to take all of that away, in words. */
const char *app_confine_lacks(void);

#endif
