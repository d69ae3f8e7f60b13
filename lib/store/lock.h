/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_LOCK_H
#define GT_STORE_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A reader-writer lock for one writer, which takes it again immediately after it has released it,
 * and any number of readers. It is fair: a reader that comes while the writer waits is admitted
 * after the writer has released the lock, and before the writer gets it again. With
 * pthread_rwlock_t, readers or the writer may starve, depending on the libc.
 */
struct gt_lock {
    pthread_mutex_t mutex;
    pthread_cond_t may_read, may_write;
    unsigned readers, waiting_readers, waiting_writers;
    bool writing;
    /* Counts how often waiting readers were admitted. */
    uint64_t turn;
};

/* False: there are no resources for it. */
bool gt_lock_init(struct gt_lock *lock);
void gt_lock_destroy(struct gt_lock *lock);

void gt_lock_read(struct gt_lock *lock);
void gt_lock_write(struct gt_lock *lock);
/* Releases the lock, whether it is held for reading or for writing. */
void gt_lock_release(struct gt_lock *lock);

#endif
