/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_LOCK_H
#define GT_STORE_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A lock for one writer who takes it again at once, and readers. They take turns: who comes
 * to read while the writer waits is let in after it, and before it comes again. That of
 * pthreads lets one of them starve, which one being up to the libc.
 */
struct gt_lock {
    pthread_mutex_t mutex;
    pthread_cond_t may_read, may_write;
    unsigned reading, to_read, to_write;
    bool writing;
    /* How often those who waited to read were let in. */
    uint64_t turn;
};

bool gt_lock_init(struct gt_lock *lock);
void gt_lock_destroy(struct gt_lock *lock);

void gt_lock_read(struct gt_lock *lock);
void gt_lock_write(struct gt_lock *lock);
void gt_lock_release(struct gt_lock *lock);

#endif
