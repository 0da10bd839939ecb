/* Counting the errors that somebody reports. */
#ifndef APP_ERRORS_H
#define APP_ERRORS_H

#include "base/diag.h"

struct app_errors {
    const struct base_diag_sink *next; /* where the messages go; NULL: nowhere */
    size_t count;
};

/* errors must outlive the sink. One thread. */
struct base_diag_sink app_errors_sink(struct app_errors *errors);

#endif
