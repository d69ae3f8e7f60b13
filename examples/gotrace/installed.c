/* SPDX-License-Identifier: BSD-3-Clause */
#include "installed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool installed_find(char name[INSTALLED_NAME_SIZE], const char *const *paths, size_t count)
{
    ssize_t size = readlink("/proc/self/exe", name, INSTALLED_NAME_SIZE - 1);
    name[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(name, '/');
    if (!slash) {
        *name = '\0';
        return false;
    }
    size_t room = (size_t) (name + INSTALLED_NAME_SIZE - slash);
    for (size_t i = 0; i < count; i++) {
        int length = snprintf(slash, room, "/%s", paths[i]);
        if (length > 0 && (size_t) length < room && access(name, R_OK) == 0)
            return true;
    }
    return false;
}
