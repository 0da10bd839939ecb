#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "base/os/late.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char lacks[256];

static const char *say_lack(const struct base_late *late, const char *what)
{
    const char *package = late->package;
    (void)snprintf(lacks, sizeof lacks, "%s %s%s%s%s", late->library, what,
                   package[0] != '\0' ? " (Debian: apt install " : "", package,
                   package[0] != '\0' ? ")" : "");
    return lacks;
}

static const char *load(struct base_late *late)
{
    void *library = dlopen(late->library, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        return say_lack(late, "cannot be loaded");
    }
    for (size_t i = 0; i < late->call_count; i++) {
        /* What somebody has put before the libraries (LD_PRELOAD) goes first, as ever. */
        void *function = dlsym(RTLD_DEFAULT, late->calls[i].name);
        if (function == NULL) {
            function = dlsym(library, late->calls[i].name);
        }
        if (function == NULL) {
            (void)dlclose(library);
            return say_lack(late, "is of another version");
        }
        memcpy(late->calls[i].function, &function, sizeof function);
    }
    return NULL;
}

const char *base_late_load(struct base_late *late)
{
    if (atomic_load_explicit(&late->loaded, memory_order_acquire)) {
        return NULL;
    }
    (void)pthread_mutex_lock(&loading);
    const bool loaded = atomic_load_explicit(&late->loaded, memory_order_relaxed);
    const char *wrong = loaded ? NULL : load(late);
    if (wrong == NULL) {
        atomic_store_explicit(&late->loaded, true, memory_order_release);
    }
    (void)pthread_mutex_unlock(&loading);
    return wrong;
}

void base_late_unloaded(void)
{
    (void)fputs("froth: error: an outside library is called before it is loaded\n", stderr);
    abort();
}
