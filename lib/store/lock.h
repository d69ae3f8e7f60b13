/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_LOCK_H
#define GT_STORE_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A read-write lock for one writer that locks again at once, and many readers. They take turns:
 * a reader that arrives while the writer waits is admitted after the writer has unlocked and
 * before it can lock again. The lock of pthreads lets either readers or the writer starve,
 * depending on the C library.
 */
struct gt_lock {
    pthread_mutex_t mutex;
    pthread_cond_t may_read, may_write;
    unsigned reading, to_read, to_write;
    bool writing;
    /* The number of times that waiting readers were admitted. */
    uint64_t turn;
};

bool gt_lock_init(struct gt_lock *lock);
void gt_lock_destroy(struct gt_lock *lock);

void gt_lock_read(struct gt_lock *lock);
void gt_lock_write(struct gt_lock *lock);
void gt_lock_release(struct gt_lock *lock);

#endif
