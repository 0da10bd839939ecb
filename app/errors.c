#include "app/errors.h"

static void receive(void *user, const struct base_diag *diag)
{
    struct app_errors *errors = user;
    errors->count += diag->severity == BASE_ERROR;
    if (errors->next != NULL) {
        errors->next->receive(errors->next->user, diag);
    }
}

struct base_diag_sink app_errors_sink(struct app_errors *errors)
{
    return (struct base_diag_sink){receive, errors};
}
