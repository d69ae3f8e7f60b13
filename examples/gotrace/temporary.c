/* SPDX-License-Identifier: BSD-3-Clause */
#include "temporary.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum {
    /* Most commands write one file, and gotrace columns one for each table and date. */
    TEMPORARY_MOST = 1024
};

/* Atomic, because a signal handler takes the names out of the table while others change it. */
static _Atomic(const char *) temporary_paths[TEMPORARY_MOST];

bool temporary_add(const char *path)
{
    for (int i = 0; i < TEMPORARY_MOST; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&temporary_paths[i], &none, path))
            return true;
    }
    return false;
}

bool temporary_forget(const char *path)
{
    bool was_added = false;
    for (int i = 0; i < TEMPORARY_MOST; i++) {
        const char *added = path;
        was_added = atomic_compare_exchange_strong(&temporary_paths[i], &added, NULL) || was_added;
    }
    return was_added;
}

void temporary_remove_all(void)
{
    for (int i = 0; i < TEMPORARY_MOST; i++) {
        const char *path = atomic_exchange(&temporary_paths[i], NULL);
        if (path)
            unlink(path);
    }
}
