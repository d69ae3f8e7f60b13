/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/ticker.h"

#include <time.h>

enum {
    TICKER_SECOND = 1000000000
};

bool gt_recorder_ticker_init(gt_recorder *recorder)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool is_good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                   pthread_cond_init(&recorder->ticker_wake, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    if (!is_good)
        return false;
    if (pthread_mutex_init(&recorder->ticker_mutex, NULL) == 0)
        return true;
    pthread_cond_destroy(&recorder->ticker_wake);
    return false;
}

void gt_recorder_ticker_destroy(gt_recorder *recorder)
{
    pthread_mutex_destroy(&recorder->ticker_mutex);
    pthread_cond_destroy(&recorder->ticker_wake);
}

static struct timespec ticker_deadline(uint64_t period)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    uint64_t nanoseconds = (uint64_t) time.tv_nsec + period % TICKER_SECOND;
    time.tv_sec += (time_t) (period / TICKER_SECOND + nanoseconds / TICKER_SECOND);
    time.tv_nsec = (long) (nanoseconds % TICKER_SECOND);
    return time;
}

/* With the mutex. Returns whether the period has passed, and the thread shall not stop. */
static bool ticker_wait(gt_recorder *recorder)
{
    struct timespec deadline = ticker_deadline(recorder->period);
    int result = 0;
    while (!recorder->ticker_stops && result == 0)
        result = pthread_cond_timedwait(&recorder->ticker_wake, &recorder->ticker_mutex, &deadline);
    return !recorder->ticker_stops;
}

static void *ticker_run(void *argument)
{
    gt_recorder *recorder = argument;
    pthread_mutex_lock(&recorder->ticker_mutex);
    while (ticker_wait(recorder)) {
        pthread_mutex_unlock(&recorder->ticker_mutex);
        /* gt_recorder_stop tells of errors. */
        gt_recorder_advance(recorder);
        pthread_mutex_lock(&recorder->ticker_mutex);
    }
    pthread_mutex_unlock(&recorder->ticker_mutex);
    return NULL;
}

bool gt_recorder_ticker_start(gt_recorder *recorder)
{
    if (recorder->flags & GT_RECORDER_NO_THREAD)
        return true;
    recorder->ticker_stops = false;
    recorder->has_ticker = gt_thread_start(&recorder->ticker, ticker_run, recorder);
    return recorder->has_ticker;
}

void gt_recorder_ticker_stop(gt_recorder *recorder)
{
    if (!recorder->has_ticker)
        return;
    pthread_mutex_lock(&recorder->ticker_mutex);
    recorder->ticker_stops = true;
    pthread_cond_signal(&recorder->ticker_wake);
    pthread_mutex_unlock(&recorder->ticker_mutex);
    pthread_join(recorder->ticker, NULL);
    recorder->has_ticker = false;
}
