#include <stdio.h>

#include "app/options/options.h"
#include "base/os/late.h"

#define APP_PART(...)
#define APP_PART_LATE(what, library, version, package, late) extern struct base_late late;
#include "late/parts.def"
#undef APP_PART
#undef APP_PART_LATE

/* What an outside library brings. */
struct part {
    const char *what;
    const char *library;
    const char *version;    /* that froth was built with; may be empty */
    const char *package;    /* of Debian, which froth was built without; empty: it was not */
    struct base_late *late; /* NULL: it comes with the program */
};

static const struct part parts[] = {
#define APP_PART(what, library, version, package) {what, library, version, package, NULL},
#define APP_PART_LATE(what, library, version, package, late)                                       \
    {what, library, version, package, &late},
#include "late/parts.def"
};

static void print_part(const struct part *part)
{
    const char *lacks = part->late != NULL ? base_late_load(part->late) : NULL;
    (void)printf("%-54s %-16s ", part->what, part->library);
    if (part->package[0] != '\0') {
        (void)printf("not built: apt install %s\n", part->package);
    } else if (lacks != NULL) {
        (void)printf("%s\n", lacks);
    } else {
        (void)printf("%s\n", part->version[0] != '\0' ? part->version : "there");
    }
}

int app_version(const struct app_options *options)
{
    (void)puts("froth " FROTH_VERSION);
    for (size_t i = 0; options->build && i < sizeof parts / sizeof *parts; i++) {
        print_part(&parts[i]);
    }
    return APP_EXIT_DONE;
}
