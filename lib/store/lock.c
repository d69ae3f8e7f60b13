/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/lock.h"

bool gt_lock_init(struct gt_lock *lock)
{
    if (pthread_mutex_init(&lock->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&lock->may_read, NULL) != 0) {
        pthread_mutex_destroy(&lock->mutex);
        return false;
    }
    if (pthread_cond_init(&lock->may_write, NULL) != 0) {
        pthread_cond_destroy(&lock->may_read);
        pthread_mutex_destroy(&lock->mutex);
        return false;
    }
    lock->readers = lock->waiting_readers = lock->waiting_writers = 0;
    lock->writing = false;
    lock->turn = 0;
    return true;
}

void gt_lock_destroy(struct gt_lock *lock)
{
    pthread_cond_destroy(&lock->may_write);
    pthread_cond_destroy(&lock->may_read);
    pthread_mutex_destroy(&lock->mutex);
}

void gt_lock_read(struct gt_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    if (!lock->writing && lock->waiting_writers == 0) {
        lock->readers++;
    } else {
        uint64_t turn = lock->turn;
        lock->waiting_readers++;
        while (lock->turn == turn)
            pthread_cond_wait(&lock->may_read, &lock->mutex);
    }
    pthread_mutex_unlock(&lock->mutex);
}

void gt_lock_write(struct gt_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    lock->waiting_writers++;
    while (lock->writing || lock->readers > 0)
        pthread_cond_wait(&lock->may_write, &lock->mutex);
    lock->waiting_writers--;
    lock->writing = true;
    pthread_mutex_unlock(&lock->mutex);
}

void gt_lock_release(struct gt_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    if (lock->writing) {
        lock->writing = false;
        if (lock->waiting_readers > 0) {
            /* They are counted here, and not when they wake up, so that the writer cannot get
             * the lock before that. */
            lock->readers = lock->waiting_readers;
            lock->waiting_readers = 0;
            lock->turn++;
            pthread_cond_broadcast(&lock->may_read);
        }
    } else {
        lock->readers--;
    }
    if (lock->readers == 0 && lock->waiting_writers > 0)
        pthread_cond_signal(&lock->may_write);
    pthread_mutex_unlock(&lock->mutex);
}
