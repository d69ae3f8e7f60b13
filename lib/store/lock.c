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
    lock->reading = lock->to_read = lock->to_write = 0;
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
    if (!lock->writing && lock->to_write == 0) {
        lock->reading++;
    } else {
        uint64_t turn = lock->turn;
        lock->to_read++;
        while (lock->turn == turn)
            pthread_cond_wait(&lock->may_read, &lock->mutex);
    }
    pthread_mutex_unlock(&lock->mutex);
}

void gt_lock_write(struct gt_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    lock->to_write++;
    while (lock->writing || lock->reading > 0)
        pthread_cond_wait(&lock->may_write, &lock->mutex);
    lock->to_write--;
    lock->writing = true;
    pthread_mutex_unlock(&lock->mutex);
}

void gt_lock_release(struct gt_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    if (lock->writing) {
        lock->writing = false;
        if (lock->to_read > 0) {
            /* Counted here, so that the writer cannot come before they wake up. */
            lock->reading = lock->to_read;
            lock->to_read = 0;
            lock->turn++;
            pthread_cond_broadcast(&lock->may_read);
        }
    } else {
        lock->reading--;
    }
    if (lock->reading == 0 && lock->to_write > 0)
        pthread_cond_signal(&lock->may_write);
    pthread_mutex_unlock(&lock->mutex);
}
