#include "app/folder.h"

#include <sys/stat.h>

bool app_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
