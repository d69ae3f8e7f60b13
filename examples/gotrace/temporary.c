/* SPDX-License-Identifier: BSD-3-Clause */
#include "temporary.h"

#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum {
    /* Most commands write one file, and gotrace columns one for each table and date. */
    TEMPORARY_MOST = 8192,
    TEMPORARY_PERIOD_MS = 1
};

/* Atomic, because a signal handler takes the names out of the table while others change it. */
static _Atomic(const char *) temporary_paths[TEMPORARY_MOST];

/* How many threads create a file, and whether files are being removed. */
static atomic_int temporary_holders;
static atomic_bool temporary_is_over;

void temporary_hold(void)
{
    atomic_fetch_add(&temporary_holders, 1);
    if (!atomic_load(&temporary_is_over))
        return;
    atomic_fetch_sub(&temporary_holders, 1);
    for (;;)
        poll(NULL, 0, -1);
}

void temporary_release(void)
{
    atomic_fetch_sub(&temporary_holders, 1);
}

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
    atomic_store(&temporary_is_over, true);
    while (atomic_load(&temporary_holders) > 0)
        poll(NULL, 0, TEMPORARY_PERIOD_MS);
    for (int i = 0; i < TEMPORARY_MOST; i++) {
        const char *path = atomic_exchange(&temporary_paths[i], NULL);
        if (path)
            unlink(path);
    }
}
